"""Tests the guards of conftest.py, and a known fault of PySide6."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from pathlib import Path

import PySide6
import pytest
import shiboken6
from PySide6.QtCore import QObject, QThread, QTimer
from PySide6.QtWidgets import QMainWindow

import run
from desktop_app.engine.llm.catalogue import load_catalogue


def test_a_test_cannot_reach_the_network(network_attempts):
    with pytest.raises(AssertionError, match="nothing leaves"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    assert network_attempts == ["192.0.2.1"]
    network_attempts.clear()


@pytest.mark.loopback
def test_a_marked_test_may_connect_to_this_machine():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()


def test_the_profile_is_temporary_and_only_small_models_are_used(installed_models, small_models):
    assert "inkgraph-tests-" in os.environ["INKGRAPH_HOME"]
    assert "inkgraph-tests-" not in str(installed_models)
    found = {file.name: file for file in small_models.glob("*.gguf")}
    small = {load_catalogue().get(name).file for name in run.TEST_MODELS}
    assert set(found) == {name for name in small if (installed_models / name).exists()}
    assert all(file.samefile(installed_models / name) for name, file in found.items())
    assert not Path(os.environ["INKGRAPH_MODELS"]).exists()  # this test is not of models


def test_a_running_qthread_is_detected(request, qapp):
    guards = next(
        plugin
        for plugin in request.config.pluginmanager.get_plugins()
        if hasattr(plugin, "find_running_qthreads")
    )
    thread = QThread()
    thread.start()
    assert thread in guards.find_running_qthreads()
    thread.quit()
    assert thread.wait(3000)
    assert thread not in guards.find_running_qthreads()


def test_a_window_that_a_test_leaves_is_named_and_deleted(request, qapp):
    guards = next(
        plugin
        for plugin in request.config.pluginmanager.get_plugins()
        if hasattr(plugin, "delete_windows")
    )
    before = guards.find_main_windows()
    window = QMainWindow()
    window.show()
    [left] = guards.delete_windows(before)
    assert "QMainWindow" in left and not shiboken6.isValid(window)
    assert guards.find_main_windows() == before


def test_what_is_there_soon_is_not_waited_for_long(qtbot, monkeypatch):
    """Counts what was waited instead of measuring it: this machine may be busy."""
    waited: list[int] = []
    true_wait = type(qtbot).wait
    monkeypatch.setattr(
        type(qtbot), "wait", lambda bot, ms: (waited.append(ms), true_wait(bot, ms))
    )
    thing, seen = QObject(), []
    QTimer.singleShot(0, thing, lambda: seen.append("an event"))
    qtbot.waitUntil(lambda: bool(seen))
    assert waited == [1]
    waited.clear()

    def find_twelve_looks() -> None:
        assert len(waited) == 12

    qtbot.waitUntil(find_twelve_looks)
    assert waited == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]


def test_what_never_comes_is_waited_for_until_the_timeout(qtbot):
    def fail() -> None:
        raise AssertionError("the reason")

    for callback in (fail, lambda: False):
        begun = time.monotonic()
        with pytest.raises(qtbot.TimeoutError, match="30 milliseconds"):
            qtbot.waitUntil(callback, timeout=30)
        assert time.monotonic() - begun >= 0.03
    with pytest.raises(ValueError, match="not 'text'"):
        qtbot.waitUntil(lambda: "text")


def test_a_daemon_thread_is_ignored():
    threading.Thread(target=threading.Event().wait, args=(0.05,), daemon=True).start()


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None and True are immortal from 3.12 on")
def test_qt_calls_lose_no_reference_to_none_or_true():
    """PySide6 6.12.0 on Python 3.10 and 3.11 loses one per call and aborts after some thousand."""
    thing, n_calls = QObject(), 5_000
    before = {value: sys.getrefcount(value) for value in (None, True, False)}
    for _ in range(n_calls):
        thing.setObjectName("x")
        thing.blockSignals(True)
        thing.blockSignals(False)
        thing.parent()
    for value, count in before.items():
        lost = count - sys.getrefcount(value)
        assert abs(lost) < n_calls / 10, f"{value} lost {lost} in PySide6 {PySide6.__version__}"
