"""The system notification when work ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QWidget

from desktop_app.engine import paths
from desktop_app.engine.progress import Progress
from desktop_app.ui.shell.notifications import NOTIFY, FinishedNotification
from desktop_app.workers.background_jobs import QueueRunner
from desktop_app.workers.lane import Lane
from tests.failure_handlers import raise_failure


@pytest.fixture
def lane(qapp) -> Iterator[Lane]:
    made = Lane("noticed", raise_failure)
    yield made
    made.close(5_000)


@pytest.fixture
def window(qtbot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def settings() -> QSettings:
    return QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)


def work(n_done: int):
    def run(*, cancel, on_progress, on_change) -> None:
        on_progress(Progress("names", n_done, 5))

    return run


def run_once(lane: Lane, window: QWidget, qtbot, n_done: int = 3) -> list[str]:
    runner = QueueRunner(lane, work(n_done))
    notice = FinishedNotification(window, QIcon())
    shown: list[str] = []
    notice.shown.connect(shown.append)
    notice.watch(runner, lambda: "Done.")
    runner.start()
    qtbot.waitUntil(lambda: runner.state == "idle")
    return shown


def test_finished_work_is_notified_while_the_window_is_hidden(lane, window, qtbot):
    assert run_once(lane, window, qtbot) == ["Done."]


def test_finished_work_is_notified_while_the_window_is_minimised(lane, window, qtbot):
    window.showMinimized()
    assert run_once(lane, window, qtbot) == ["Done."]


def test_a_run_without_work_is_not_notified(lane, window, qtbot):
    assert run_once(lane, window, qtbot, n_done=0) == []


def test_nothing_is_notified_while_the_window_is_visible(lane, window, qtbot):
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert run_once(lane, window, qtbot) == []


def test_the_setting_turns_notifications_off(lane, window, qtbot):
    kept = settings()
    kept.setValue(NOTIFY, False)
    kept.sync()
    try:
        assert run_once(lane, window, qtbot) == []
    finally:
        kept.remove(NOTIFY)
        kept.sync()


def test_a_pause_is_not_notified(lane, window, qtbot):
    runner = QueueRunner(lane, work(2))
    notice = FinishedNotification(window, QIcon())
    shown: list[str] = []
    notice.shown.connect(shown.append)
    notice.watch(runner, lambda: "Done.")
    runner.progressed.emit(Progress("names", 1, 5))
    runner.state_changed.emit("paused")
    runner.state_changed.emit("idle")
    assert shown == []
