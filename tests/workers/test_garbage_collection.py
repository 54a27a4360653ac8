"""Garbage is collected in the main thread only."""

from __future__ import annotations

import gc
import sys
import threading
import types
import weakref

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from desktop_app.engine.garbage import without_full_collections
from desktop_app.workers import garbage_collection
from desktop_app.workers.garbage_collection import GarbageTimer, collect_due
from desktop_app.workers.lane import Lane
from desktop_app.workers.operations import Query
from tests.failure_handlers import raise_failure


class Ring:
    """A reference cycle that only the collector frees; records the thread that does."""

    def __init__(self, ended: list[int]) -> None:
        self.me, self.ended = self, ended

    def __del__(self) -> None:
        self.ended.append(threading.get_ident())


@pytest.fixture
def timer(qapp):
    timer = GarbageTimer()
    yield timer
    timer.stop()
    gc.disable()  # as during tests


def test_garbage_of_a_lane_is_collected_in_the_main_thread(qtbot, timer) -> None:
    ended: list[int] = []

    def litter() -> None:
        for _ in range(5_000):
            Ring(ended)

    lane = Lane("litter", raise_failure)
    with qtbot.waitSignal(Query(lane, litter).run().ended):
        pass
    assert not ended
    qtbot.waitUntil(lambda: len(ended) > 0)
    assert set(ended) == {threading.get_ident()}
    lane.close()


def test_stopping_reenables_automatic_collection(qapp) -> None:
    timer = GarbageTimer()
    assert not gc.isenabled()
    timer.stop()
    assert gc.isenabled()
    gc.disable()


def test_only_due_generations_are_collected() -> None:
    class Held:
        pass

    held = Held()
    held.me = held  # type: ignore[attr-defined]
    seen = weakref.ref(held)
    gc.collect()
    del held
    assert collect_due((10**9, 10**9, 10**9)) is None
    assert seen() is not None
    assert collect_due((10**9, -1, 10**9)) == 1
    assert collect_due((-1, -1, -1)) == 2
    assert seen() is None


def test_full_collections_wait_for_a_large_piece_of_work() -> None:
    with without_full_collections():
        assert collect_due((10**9, 10**9, -1)) is None
    assert collect_due((10**9, 10**9, -1)) == 2


def test_python_collects_again_after_a_large_piece_of_work() -> None:
    gc.enable()
    try:
        with without_full_collections():
            with without_full_collections():
                assert not gc.isenabled()
            assert not gc.isenabled()
        assert gc.isenabled()
    finally:
        gc.disable()  # as during tests


def make_full_collection_due(timer: GarbageTimer) -> None:
    timer._thresholds = (-1, -1, -1)


def test_the_survivors_of_a_long_collection_are_not_examined_again(
    timer: GarbageTimer, monkeypatch
) -> None:
    make_full_collection_due(timer)
    held = [[] for _ in range(1_000)]
    before = gc.get_freeze_count()
    monkeypatch.setattr(garbage_collection, "LONGEST_S", 60.0)
    timer.collect()
    assert gc.get_freeze_count() <= before  # some of what was set aside has ended
    monkeypatch.setattr(garbage_collection, "LONGEST_S", 0.0)
    timer.collect()
    assert gc.get_freeze_count() >= before + len(held)


def test_tables_of_a_late_import_are_never_examined(timer: GarbageTimer, monkeypatch) -> None:
    timer.collect()
    module = types.ModuleType("table_of_pinyin")
    module.table = [[] for _ in range(10_000)]  # type: ignore[attr-defined]
    before = gc.get_freeze_count()
    monkeypatch.setitem(sys.modules, module.__name__, module)
    timer.collect()
    assert gc.get_freeze_count() >= before + 10_000


def test_a_collection_leaves_alone_what_other_threads_build(timer: GarbageTimer) -> None:
    """CPython can't finish a tuple to which somebody else holds a reference."""
    make_full_collection_due(timer)
    failures: list[BaseException] = []
    stopped = threading.Event()

    def build() -> None:
        while not stopped.is_set() and not failures:
            try:
                tuple([n] for n in range(500))
            except SystemError as error:
                failures.append(error)

    builder = threading.Thread(target=build)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        builder.start()
        for _ in range(200):
            timer.collect()
    finally:
        sys.setswitchinterval(interval)
        stopped.set()
        builder.join()
    assert failures == []


def test_what_was_set_aside_is_freed_while_another_program_is_in_front(
    timer: GarbageTimer, monkeypatch
) -> None:
    make_full_collection_due(timer)
    monkeypatch.setattr(garbage_collection, "LONGEST_S", 0.0)
    ended: list[int] = []
    ring = Ring(ended)
    timer.collect()
    del ring
    timer.collect()
    assert not ended
    application = QGuiApplication.instance()
    application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    assert len(ended) == 1
