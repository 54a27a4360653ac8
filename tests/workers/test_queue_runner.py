"""A queue in its lane: one run at a time, paused and continued."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import DamagedLibrary
from desktop_app.engine.progress import Progress
from desktop_app.workers.background_jobs import QueueRunner
from desktop_app.workers.lane import Lane
from tests.failure_handlers import raise_failure


class Queue:
    """Processes one chunk per permit, until it is marked as the last."""

    def __init__(self) -> None:
        self.n_runs = 0
        self.may_end = threading.Event()

    def run(self, *, cancel, on_progress, on_change) -> None:
        self.n_runs += 1
        on_progress(Progress("enriching", 1, 2))
        on_change(ChangeNotice(documents=frozenset({7})))
        while not self.may_end.wait(0.01):
            cancel.check()


@pytest.fixture
def lane(qapp) -> Iterator[Lane]:
    lane = Lane("enriching", raise_failure)
    yield lane
    lane.close()


def test_a_run_reports_its_states_and_ends_idle(qtbot, lane):
    queue = Queue()
    queue.may_end.set()
    runner = QueueRunner(lane, queue.run)
    states, reports, changes = [], [], []
    runner.state_changed.connect(states.append)
    runner.progressed.connect(reports.append)
    runner.changed.connect(changes.append)
    with qtbot.waitSignal(runner.state_changed, check_params_cb=lambda s: s == "idle"):
        runner.start()
    assert states == ["running", "idle"]
    assert reports[0].done == 1
    assert changes[0].documents == {7}


def test_changes_in_quick_succession_all_arrive(qtbot, lane):
    sent = [ChangeNotice(entities=frozenset({number})) for number in range(20)]

    def run(*, cancel, on_progress, on_change) -> None:
        for change in sent:
            on_change(change)

    runner, arrived = QueueRunner(lane, run), []
    runner.changed.connect(arrived.append)
    runner.start()
    qtbot.waitUntil(lambda: runner.state == "idle")
    assert arrived == sent


def test_a_paused_run_can_be_started_before_it_has_stopped(qtbot, lane):
    queue = Queue()
    runner = QueueRunner(lane, queue.run)
    with qtbot.waitSignal(runner.progressed):
        runner.start()
    runner.pause()
    assert runner.state == "paused"
    runner.start()
    assert runner.state == "running"
    qtbot.waitUntil(lambda: queue.n_runs == 2)
    queue.may_end.set()
    qtbot.waitUntil(lambda: runner.state == "idle")


def test_a_pause_lasts_until_the_next_start(qtbot, lane):
    queue = Queue()
    runner = QueueRunner(lane, queue.run)
    with qtbot.waitSignal(runner.progressed):
        runner.start()
    runner.pause()
    qtbot.waitUntil(lambda: lane.n_jobs == 0)
    assert (runner.state, queue.n_runs) == ("paused", 1)
    queue.may_end.set()
    runner.start()
    qtbot.waitUntil(lambda: runner.state == "idle")
    assert queue.n_runs == 2


def test_a_run_that_was_paused_because_of_damage_reports_no_failure(qtbot, qapp):
    failures: list[BaseException] = []
    lane = Lane("enriching", failures.append)
    may_fail = threading.Event()

    def run(*, cancel, on_progress, on_change) -> None:
        may_fail.wait()
        raise DamagedLibrary("Nothing was changed.", is_refusal=True)

    runner = QueueRunner(lane, run)
    runner.start()
    runner.pause()  # as the window does when damage is found
    may_fail.set()
    qtbot.waitUntil(lambda: lane.n_jobs == 0)
    assert failures == []
    runner.start()  # by the user
    qtbot.waitUntil(lambda: runner.state == "idle")
    assert len(failures) == 1
    lane.close()
