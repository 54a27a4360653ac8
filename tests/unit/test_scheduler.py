"""Tests the scheduler of model and processor with real threads and events."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.scheduler import Priority, WorkScheduler

WAIT_S = 20


class Worker(threading.Thread):
    """Runs `work` in a thread; `begun` is set by the work, `error` is what it raised."""

    def __init__(self, work: Callable[[Worker], None]) -> None:
        super().__init__()
        self._work = work
        self.begun, self.go = threading.Event(), threading.Event()
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._work(self)
        except BaseException as error:
            self.error = error

    def end(self) -> None:
        self.go.set()
        self.join(WAIT_S)
        assert not self.is_alive()


@pytest.fixture
def scheduler() -> WorkScheduler:
    return WorkScheduler()


def test_background_work_waits_for_the_end_of_a_question(scheduler):
    order = []

    def enrich(worker: Worker) -> None:
        worker.begun.set()
        with scheduler.hold(Priority.ENRICHMENT):
            order.append("enrichment")

    with scheduler.hold(Priority.QUESTION):
        worker = Worker(enrich)
        assert worker.begun.wait(WAIT_S)
        order.append("answer")
    worker.end()
    assert order == ["answer", "enrichment"]


def test_a_question_and_a_page_begin_at_once(scheduler):
    with (
        scheduler.hold(Priority.ENRICHMENT),
        scheduler.hold(Priority.IMPORT),
        scheduler.hold(Priority.VISIBLE_PAGE),
        scheduler.hold(Priority.QUESTION),
        scheduler.hold(Priority.VISIBLE_PAGE),
    ):
        assert scheduler.find_blocker(Priority.ENRICHMENT) is Priority.QUESTION


@pytest.mark.parametrize("urgent", [Priority.QUESTION, Priority.VISIBLE_PAGE])
def test_an_import_pauses_at_its_next_checkpoint_and_goes_on(scheduler, urgent):
    order = []

    def work(worker: Worker) -> None:
        with scheduler.hold(Priority.IMPORT) as permit:
            worker.begun.set()
            assert worker.go.wait(WAIT_S)
            assert permit.checkpoint() >= 0
            order.append("import")

    worker = Worker(work)
    assert worker.begun.wait(WAIT_S)
    with scheduler.hold(urgent):
        worker.go.set()
        order.append("urgent")
    worker.end()
    assert worker.error is None and order == ["urgent", "import"]


def test_a_step_is_interrupted_by_a_question_and_repeated_after_it(scheduler):
    asked, n_steps = threading.Event(), []

    def work(worker: Worker) -> None:
        with scheduler.hold(Priority.ENRICHMENT) as permit:
            while len(n_steps) < 2:
                with permit.step() as token:
                    n_steps.append(token)
                    worker.begun.set()
                    if len(n_steps) == 1:
                        assert asked.wait(WAIT_S)
                        assert token.cancelled
                        worker.go.set()

    worker = Worker(work)
    assert worker.begun.wait(WAIT_S)
    with scheduler.hold(Priority.QUESTION):
        asked.set()
        assert worker.go.wait(WAIT_S)
        assert len(n_steps) == 1
    worker.end()
    assert worker.error is None
    assert [token.cancelled for token in n_steps] == [True, False]


def test_a_page_interrupts_no_step_because_the_models_work_would_be_lost(scheduler):
    with scheduler.hold(Priority.ENRICHMENT) as permit, permit.step() as token:
        with scheduler.hold(Priority.VISIBLE_PAGE):
            assert not token.cancelled
        assert scheduler.find_blocker(Priority.ENRICHMENT) is None


def test_the_most_urgent_work_of_all_that_wait_goes_first(scheduler):
    order: list[Priority] = []
    holds = {p: threading.Event() for p in (Priority.IMPORT, Priority.REPORTS)}

    def work(priority: Priority) -> Callable[[Worker], None]:
        def run(worker: Worker) -> None:
            with scheduler.hold(priority):
                order.append(priority)
                worker.begun.set()
                if priority in holds:
                    assert holds[priority].wait(WAIT_S)

        return run

    with scheduler.hold(Priority.QUESTION):
        registered = threading.Semaphore(0)
        scheduler.on_change = registered.release
        workers = [Worker(work(p)) for p in reversed((*holds, Priority.ENRICHMENT))]
        for _ in workers:
            assert registered.acquire(timeout=WAIT_S)
    _, reports, imports = workers
    assert imports.begun.wait(WAIT_S)
    assert not reports.begun.is_set()
    holds[Priority.IMPORT].set()
    assert reports.begun.wait(WAIT_S)
    holds[Priority.REPORTS].set()
    for worker in workers:
        worker.end()
    assert order == [Priority.IMPORT, Priority.REPORTS, Priority.ENRICHMENT]


def test_equal_work_runs_side_by_side(scheduler):
    barrier = threading.Barrier(2, timeout=WAIT_S)

    def work(worker: Worker) -> None:
        with scheduler.hold(Priority.ENRICHMENT):
            barrier.wait()

    workers = [Worker(work), Worker(work)]
    for worker in workers:
        worker.end()
    assert [worker.error for worker in workers] == [None, None]


@pytest.mark.parametrize("place", ["hold", "checkpoint", "step"])
def test_waiting_ends_when_the_work_is_cancelled(scheduler, place):
    cancel = CancelToken()

    def work(worker: Worker) -> None:
        with ExitStack() as stack:
            if place == "hold":
                worker.begun.set()
            permit = stack.enter_context(scheduler.hold(Priority.REPORTS, cancel))
            worker.begun.set()
            assert worker.go.wait(WAIT_S)
            if place == "checkpoint":
                permit.checkpoint()
            else:
                stack.enter_context(permit.step())

    if place == "hold":
        with scheduler.hold(Priority.QUESTION):
            worker = Worker(work)
            assert worker.begun.wait(WAIT_S)
            cancel.cancel()
            worker.end()
    else:
        worker = Worker(work)
        assert worker.begun.wait(WAIT_S)
        with scheduler.hold(Priority.QUESTION):
            worker.go.set()
            cancel.cancel()
            worker.end()
    assert isinstance(worker.error, Cancelled)
    assert scheduler.find_blocker(Priority.ENRICHMENT) is None, "it counts no longer"


def test_the_users_cancel_also_sets_the_token_of_a_step(scheduler):
    cancel = CancelToken()
    with scheduler.hold(Priority.ENRICHMENT, cancel) as permit, permit.step() as token:
        cancel.cancel()
        assert token.cancelled
    assert scheduler.find_blocker(Priority.ENRICHMENT) is None


def test_a_long_answer_delays_an_import_but_does_not_stop_it():
    scheduler = WorkScheduler(max_import_wait_s=0.01)
    with scheduler.hold(Priority.QUESTION), scheduler.hold(Priority.IMPORT) as permit:
        assert permit.checkpoint() > 0


def test_suspended_work_blocks_nothing_but_still_pauses(scheduler):
    with scheduler.hold(Priority.IMPORT) as permit:
        with permit.suspended():
            assert scheduler.find_blocker(Priority.ENRICHMENT) is None
            permit.checkpoint()
        assert scheduler.find_blocker(Priority.ENRICHMENT) is Priority.IMPORT
    assert scheduler.find_blocker(Priority.ENRICHMENT) is None


def test_a_failure_releases_the_permit(scheduler):
    with pytest.raises(OSError), scheduler.hold(Priority.QUESTION):
        raise OSError
    assert scheduler.find_blocker(Priority.ENRICHMENT) is None


def test_a_change_is_reported_but_not_for_each_page(scheduler):
    found = []
    scheduler.on_change = lambda: found.append(scheduler.find_blocker(Priority.ENRICHMENT))
    with scheduler.hold(Priority.QUESTION), scheduler.hold(Priority.VISIBLE_PAGE):
        pass
    assert found == [Priority.QUESTION, None]
