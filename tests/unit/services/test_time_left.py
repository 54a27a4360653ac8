"""The time left of long work never jumps, whatever the single pages, pictures or questions take."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_app.engine import progress as progress_module
from desktop_app.engine.communities.report_service import ReportService
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.progress import CancelToken, Progress, TimeLeft
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.evaluation.model import EvaluationColumn, EvaluationPlan
from desktop_app.engine.services.evaluation.service import EvaluationService
from desktop_app.engine.services.figure_descriptions import FigureDescriptionService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.ocr import OcrService
from desktop_app.workers.background_jobs import ReportJob, ReportOrder
from desktop_app.workers.evaluation_runner import EvaluationRunner, RunOrder
from tests import books
from tests.figure_files import draw_picture, make_epub
from tests.scanned import draw_page, make_scan
from tests.small_library import add
from tests.unit.services.test_evaluation import QUESTIONS
from tests.unit.services.test_figure_descriptions import FakeVision, answer_all
from tests.unit.services.test_ocr import FakeReader

TOOK_S = (50, 50, 600, 50, 50, 50, 600, 600, 50, 50, 50, 50)
QUESTION_S = 5_000.0  # a question in a chat, for which the work waits
FIRST = ("Tor", "Bel", "Cas", "Dun", "Els", "Fen", "Gar", "Hol")  # each a community of its own
LAST = ("mira", "vald", "ric", "sten")
ASKED_AT = 4  # units; then there is an estimate


class HandClock:
    """Counts progress: before each unit, its time passes; before one, a question is asked."""

    def __init__(self, scheduler: WorkScheduler | None = None) -> None:
        self.now = 0.0
        self.scheduler = scheduler
        self.left: list[float] = []
        self._n = 0

    def monotonic(self) -> float:
        return self.now

    def take(self, progress: Progress) -> None:
        if progress.left_s is not None:
            self.left.append(progress.left_s)
        self.now += TOOK_S[self._n % len(TOOK_S)]
        self._n += 1
        if self._n == ASKED_AT and self.scheduler is not None:
            with self.scheduler.hold(Priority.QUESTION):
                self.now += QUESTION_S


def read_scans(library: Library, folder: Path, clock: HandClock) -> None:
    path = folder / "scan.pdf"
    path.write_bytes(make_scan([draw_page([], size=(70, 50))] * 12))
    add_files(library.writer, [path])
    IndexingService(library.writer, lambda: None).run()
    OcrService(library.writer, open_reader=FakeReader()).run(on_progress=clock.take)


def describe_pictures(library: Library, folder: Path, clock: HandClock) -> None:
    names = [f"p{n}.png" for n in range(10)]
    body = "".join(
        f'<p>At the harbour.</p><p><img src="../images/{name}"/></p><p>Figure {n}. A boat</p>'
        for n, name in enumerate(names)
    )
    pictures = {name: draw_picture(300 + 10 * n, 200) for n, name in enumerate(names)}
    path = folder / "book.epub"
    path.write_bytes(make_epub(body, {**pictures, "cover.png": draw_picture()}))
    [document_id] = add_files(library.writer, [path]).documents
    IndexingService(library.writer, lambda: None).run(embed=False)
    service = FigureDescriptionService(library.writer, lambda: FakeVision(answer_all))
    service.queue_document(int(document_id))
    service.run(on_progress=clock.take)


def write_reports(library: Library, folder: Path, clock: HandClock) -> None:
    groups = [[f"{first}{last}" for last in LAST] for first in FIRST]
    texts = [f"{a} met {b}. {b} saw {c}. {c} and {a} dined. {d} met {a}. " for a, b, c, d in groups]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(books, "NAMES", tuple(name for group in groups for name in group))
        books.add_book(library, texts)
    refresh_communities(library.writer)
    clock.scheduler = scheduler = WorkScheduler()
    job = ReportJob(ReportService(library.writer, lambda: None), scheduler)
    job.add(ReportOrder())
    job.run(on_progress=clock.take)


def ask_questions(library: Library, folder: Path, clock: HandClock) -> None:
    add(library, folder)
    clock.scheduler = scheduler = WorkScheduler()
    service = EvaluationService(library.writer, lambda: None, lambda: None, lambda name: None)
    runner = EvaluationRunner(None, library.writer, service, lambda name: None, scheduler)
    columns = tuple(EvaluationColumn(mode) for mode in ("words", "walk", "local", "mix"))
    plan = EvaluationPlan(QUESTIONS, columns, {}, {}, "q.jsonl")
    job = SimpleNamespace(cancel_token=CancelToken(), report=clock.take)
    assert runner._ask(job, RunOrder(plan)).is_finished


@pytest.mark.parametrize("work", [read_scans, describe_pictures, write_reports, ask_questions])
def test_two_shown_values_differ_by_a_factor_of_two_at_most(
    work: Callable[[Library, Path, HandClock], None],
    library: Library,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    clock = HandClock()
    monkeypatch.setattr(progress_module, "time", clock)
    work(library, tmp_path, clock)
    shown = [max(left, TimeLeft.SHORT_S) for left in clock.left]  # less is "less than a minute"
    assert len(shown) >= 3
    assert all(before / 2 <= after <= 2 * before for before, after in pairwise(shown)), shown
