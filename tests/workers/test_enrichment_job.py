"""One run of enrichment: chunks first, then summaries, which yield to questions."""

from __future__ import annotations

import threading

import pytest

from desktop_app.engine.changes import NOTHING, ChangeNotice
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.services.enrichment.service import RunResult
from desktop_app.engine.services.enrichment.settings import is_paused, needs_summaries, store_paused
from desktop_app.engine.services.library import Library
from desktop_app.workers.background_jobs import EnrichmentJob


class Chunks:
    """Enrichment that finds `n` chunks to process in its next run."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.settings = EnrichSettings()

    def load_settings(self) -> EnrichSettings:
        return self.settings

    def run(self, *, cancel, on_progress, on_change) -> RunResult:
        done, self.n = self.n, 0
        if done:
            on_change(ChangeNotice(documents=frozenset({1})))
        return RunResult(done, 0, 1.0)


class Summaries:
    """Summaries that check their cancel token when they begin, and then end."""

    def __init__(self) -> None:
        self.n_runs = 0
        self.before = lambda: None

    def run(self, *, cancel, on_progress):
        self.n_runs += 1
        self.before()
        cancel.check()
        return NOTHING


@pytest.fixture
def db(tmp_library_path):
    library = Library(tmp_library_path)
    yield library.writer
    library.close()


def test_summaries_are_written_after_the_chunks(db):
    summaries = Summaries()
    work = EnrichmentJob(db, Chunks(3), summaries)
    work.run()
    assert (summaries.n_runs, work.last.n_done) == (1, 3)
    work.run()
    assert summaries.n_runs == 1


def test_cancelled_summaries_stay_pending_until_written(db):
    token, summaries = CancelToken(), Summaries()
    summaries.before = token.cancel
    work = EnrichmentJob(db, Chunks(3), summaries)
    with pytest.raises(Cancelled):
        work.run(cancel=token)
    assert needs_summaries(db) and work.last is None
    summaries.before = lambda: None
    EnrichmentJob(db, Chunks(0), summaries).run()
    assert summaries.n_runs == 2 and not needs_summaries(db)


def test_summaries_pause_for_a_question_and_continue(db):
    scheduler, summaries = WorkScheduler(), Summaries()
    asked, paused = threading.Event(), threading.Event()

    def answer() -> None:
        with scheduler.hold(Priority.QUESTION):
            asked.set()
            assert paused.wait(20)
            assert summaries.n_runs == 1

    question = threading.Thread(target=answer)

    def ask_once() -> None:
        if summaries.n_runs == 1:
            question.start()
            assert asked.wait(20)
            paused.set()

    summaries.before = ask_once
    EnrichmentJob(db, Chunks(1), summaries, scheduler).run()
    question.join(20)
    assert summaries.n_runs == 2


def test_summaries_can_be_switched_off(db):
    chunks, summaries = Chunks(3), Summaries()
    chunks.settings = EnrichSettings(summaries=False)
    EnrichmentJob(db, chunks, summaries).run()
    assert summaries.n_runs == 0


def test_a_pause_is_stored_in_the_library(db):
    assert not is_paused(db)
    store_paused(db, True)
    assert is_paused(db)
    store_paused(db, False)
    assert not is_paused(db)
