"""The evaluations of one open library: its runs, the draft of the next one, and their places.

For a screen. What reads is called in one thread, what writes in another.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...store.db import Db
from .drafts import EvaluationDraft, load_draft, save_draft
from .estimates import KnownTimes, load_known_times
from .model import EvaluationQuestion, EvaluationRun, RunRow, Span
from .question_pages import QuestionPage, find_evidence, load_question_page
from .service import delete_run, get_run, list_runs
from .summaries import RunComparison, RunSummary, compare_runs, summarise_run


@dataclass(frozen=True, slots=True)
class RunOverview:
    """A run with its table."""

    run: EvaluationRun
    summary: RunSummary


class LibraryEvaluations:
    """Reads and deletes runs, and keeps the draft.

    Args:
        reader: used in the thread of the pages only.
        writer: the read-write connection; used by `save_draft` and `delete`.
    """

    def __init__(self, reader: Db, writer: Db) -> None:
        self._reader, self._writer = reader, writer

    @property
    def is_writable(self) -> bool:
        return self._writer.is_writable

    # --- in the lane of the pages -----------------------------------------------------------------

    def list_runs(self) -> list[RunRow]:
        return list_runs(self._reader)

    def load(self, run_id: int) -> RunOverview:
        """Return a run with its table; raises `UserError` if there is no such run."""
        run = get_run(self._reader, run_id)
        return RunOverview(run, summarise_run(run))

    def load_page(self, run: EvaluationRun, number: int) -> QuestionPage:
        return load_question_page(self._reader, run, number)

    def compare(self, run_id: int, first: int, other_id: int, second: int) -> RunComparison:
        """Return two columns against each other; raises as `load` and `compare_runs` do."""
        one = get_run(self._reader, run_id)
        other = one if other_id == run_id else get_run(self._reader, other_id)
        return compare_runs(one, first, other, second)

    def find_evidence(self, question: EvaluationQuestion) -> tuple[Span, ...]:
        return find_evidence(self._reader, question)

    def load_known_times(self) -> KnownTimes:
        return load_known_times(self._reader)

    def load_draft(self) -> EvaluationDraft:
        return load_draft(self._reader)

    # --- in the lane that writes ------------------------------------------------------------------

    def save_draft(self, draft: EvaluationDraft) -> None:
        save_draft(self._writer, draft)

    def delete(self, run_id: int) -> None:
        delete_run(self._writer, run_id)
