"""Garbage is collected in the main thread only."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest

from desktop_app.engine.garbage import without_full_collections
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
