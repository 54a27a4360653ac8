"""Writes and stores community reports: which are due, the estimated time, and the run itself.

Communities of finer levels come first, because coarser reports use theirs. Reports that the user
edited or pinned are not overwritten. Without a chat model a report consists of quotations and
counts.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..changes import NOTHING, ChangeNotice
from ..durations import format_duration
from ..llm.protocols import ChatModel
from ..messages import Message
from ..model import CallPlan, CommunityRow, Finding, Report
from ..progress import CancelToken, Clock, Progress, ProgressCallback, ignore_progress
from ..prompt_program import PromptProgram
from ..store import communities as community_rows
from ..store import model_cache
from ..store.db import Db
from .material import KeyPoint, ReportMaterial, gather_material
from .reader import CommunityReader
from .report_writing import Draft, build_extractive, build_report, build_report_program

log = logging.getLogger(__name__)

DEFAULT_SECONDS = 9.0  # per report, by a 1.5B model on two cores, several in one batch
CALLS_PER_REPORT = 2
MAX_PARTS = 12


@dataclass(frozen=True, slots=True)
class ReportProgress(Progress):
    """Progress of a run, with the title of the last report."""

    title: str = ""
    n_failed: int = 0


@dataclass(frozen=True, slots=True)
class ReportRun:
    """Result of a run; `failed` are communities for which the model gave no usable report."""

    n_done: int
    failed: tuple[int, ...] = ()
    seconds: float = 0.0
    stopped: bool = False
    changes: ChangeNotice = NOTHING


class ReportService:
    """Writes, stores and edits community reports.

    Args:
        db: the read-write connection; one that only reads suffices for `store_extractive`.
        find_chat: returns the chat model, None if none is installed.
    """

    def __init__(self, db: Db, find_chat: Callable[[], ChatModel | None]) -> None:
        self._db = db
        self._find_chat = find_chat
        self._reader = CommunityReader(db)

    # --- planning -----------------------------------------------------------------------------

    def due(
        self,
        community_ids: Sequence[int] | None = None,
        *,
        level: int | None = None,
        again: bool = False,
        with_model: bool = True,
    ) -> list[CommunityRow]:
        """Return the communities whose report is missing or stale, in the order of writing.

        Args:
            community_ids: only these; None for all.
            level: none finer than this one.
            again: include communities with a current report.
            with_model: include reports that were made without a model.
        """
        wanted = None if community_ids is None else {int(i) for i in community_ids}
        found = [
            row
            for row in self._reader.tree()
            if (wanted is None or row.id in wanted)
            and (level is None or row.level <= level)
            and not row.is_pinned
            and (not row.is_edited or again)
            and (again or row.is_stale or row.model is None or (with_model and row.model == ""))
            and not (row.is_loose and row.model == "" and not row.is_stale)
        ]
        return sorted(found, key=lambda row: (-row.level, row.is_loose, -row.weight, row.id))

    def estimate(self, due: Sequence[CommunityRow], *, use_model: bool = True) -> CallPlan:
        """Return calls and time for these reports, from the times of earlier ones."""
        chat = self._find_chat() if use_model else None
        n = sum(not row.is_loose for row in due)
        if chat is None:
            return CallPlan(0, 0.05 * n, n, Message("{n:,} reports, quoted and counted", n=n))
        seconds = n * (community_rows.fetch_mean_seconds(self._db, chat.name) or DEFAULT_SECONDS)
        return CallPlan(
            CALLS_PER_REPORT * n,
            seconds,
            n,
            Message("{n:,} reports, about {time}", n=n, time=format_duration(seconds)),
        )

    # --- writing ------------------------------------------------------------------------------

    def run(
        self,
        due: Sequence[CommunityRow],
        *,
        use_model: bool = True,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        clock: Clock | None = None,
    ) -> ReportRun:
        """Write and store the reports; if cancelled, the finished ones are kept.

        Args:
            due: the communities, for example from `due`.
            use_model: False for quotations and counts, even if there is a model.
            clock: of the reports written before an interruption.
        """
        cancel = cancel or CancelToken()
        chat = self._find_chat() if use_model else None
        for_model = [row for row in due if chat is not None and not row.is_loose]
        plain = [row for row in due if chat is None or row.is_loose]
        clock = clock or Clock(len(due))
        clock.go_on(len(due))
        failed: list[int] = []
        done: set[int] = set()
        seconds = 0.0

        def report_progress(row: CommunityRow, title: str) -> None:
            done.add(int(row.id))
            clock.tick()
            state = ("reports", len(done), len(due), clock.rate, clock.left_s)
            on_progress(ReportProgress(*state, title=title, n_failed=len(failed)))

        on_progress(ReportProgress("reports", 0, len(due), clock.rate, clock.left_s))
        for row in plain:
            if cancel.cancelled:
                break
            report_progress(row, self._store_extractive(int(row.id)).title)
        by_id = {int(row.id): row for row in for_model}
        for community_id, report, spent in self._write_by_model(chat, for_model, cancel):
            if report is None:
                failed.append(community_id)
                report = self._store_extractive(community_id)
            seconds += spent
            report_progress(by_id[community_id], report.title)
        return ReportRun(
            len(done),
            tuple(failed),
            seconds,
            cancel.cancelled,
            ChangeNotice(communities=frozenset(done)),
        )

    def store_extractive(self, community_ids: Sequence[int]) -> list[Report]:
        """Store reports without a model where one is missing or stale; return the reports of all.

        Pinned reports and those by a model or the user are returned unchanged. On a connection
        that only reads, nothing is stored.
        """
        make = self._store_extractive if self._db.is_writable else self._build_extractive
        kept = []
        for row in community_rows.fetch_rows(self._db, community_ids):
            is_due = row.model is None or (row.is_stale and row.model == "")
            kept.append(
                make(int(row.id))
                if is_due and not row.is_pinned
                else self._reader.get_report(int(row.id))
            )
        return kept

    def _write_by_model(
        self, chat: ChatModel | None, due: Sequence[CommunityRow], cancel: CancelToken
    ) -> Iterator[tuple[int, Report | None, float]]:
        if chat is None or not due:
            return
        pending: dict[int, tuple[ReportMaterial, tuple[KeyPoint, ...]]] = {}
        # The reports of a level are finished before those of the next coarser one begin.
        for level in sorted({row.level for row in due}, reverse=True):

            def iter_programs(level: int = level) -> Iterator[PromptProgram]:
                for row in due:
                    if row.level == level:
                        material = gather_material(self._db, int(row.id))
                        children = community_rows.fetch_children(self._db, int(row.id))[:MAX_PARTS]
                        parts = [self._reader.get_report(int(child.id)) for child in children]
                        program, points = build_report_program(material, parts, chat)
                        pending[int(row.id)] = (material, points)
                        yield program

            programs = iter_programs()
            for run in model_cache.run_cached(self._db, chat.run_programs, programs, cancel):
                if cancel.cancelled and run.error:
                    continue
                community_id = int(str(run.key))
                material, points = pending.pop(community_id)
                report = None
                if isinstance(run.value, Draft):
                    report = build_report(material, points, run.value, chat.name)
                    report = self._store(report, run.seconds)
                else:
                    log.warning("no report on %s: %s", material.row.title, run.error)
                yield community_id, report, run.seconds
            if cancel.cancelled:
                return

    def _store_extractive(self, community_id: int) -> Report:
        return self._store(build_extractive(gather_material(self._db, community_id)), 0.0)

    def _build_extractive(self, community_id: int) -> Report:
        report = build_extractive(gather_material(self._db, community_id))
        return community_rows.apply_report_edit(self._db, report)

    def _store(self, report: Report, seconds: float) -> Report:
        with self._db.transaction():
            fingerprint = community_rows.find_fingerprint(self._db, int(report.community_id))
            timed = replace(report, seconds=round(seconds, 2))
            community_rows.store_report(self._db, timed, fingerprint)
        return community_rows.apply_report_edit(self._db, report)

    # --- edits of the user --------------------------------------------------------------------

    def edit(
        self,
        community_id: int,
        *,
        title: str | None = None,
        summary: str | None = None,
        findings: tuple[Finding, ...] | None = None,
    ) -> ChangeNotice:
        """Replace parts of a report by the user's text; can be undone.

        Raises:
            UserError: there is no such community.
        """
        before = self._reader.get_report(community_id)
        given = {"title": title, "summary": summary}
        values = {name: value for name, value in given.items() if value is not None}
        if findings is not None:
            values["findings"] = community_rows.dump_findings(findings)
        with self._db.edit(Message("Edit the report “{title}”", title=before.title)):
            community_rows.store_report_edit(self._db, community_id, **values)
        return ChangeNotice(communities=frozenset({community_id}))

    def pin(self, community_id: int, pinned: bool = True) -> ChangeNotice:
        """Pin a report, so that it is not overwritten, or unpin it; can be undone."""
        report = self._reader.get_report(community_id)
        self.store_extractive([community_id])
        title = report.title
        with self._db.edit(
            Message(
                "Pin the report “{title}”" if pinned else "Unpin the report “{title}”", title=title
            )
        ):
            community_rows.store_report_edit(self._db, community_id, pinned=int(pinned))
        return ChangeNotice(communities=frozenset({community_id}))

    def reset(self, community_id: int) -> ChangeNotice:
        """Remove the user's edits of a report; can be undone."""
        report = self._reader.get_report(community_id)
        with self._db.edit(Message("Restore the original report “{title}”", title=report.title)):
            community_rows.delete_report_edit(self._db, community_id)
        return ChangeNotice(communities=frozenset({community_id}))
