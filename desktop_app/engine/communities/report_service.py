"""Making reports: which are due, how long it takes, and writing them one by one, kept at once.

Small communities come before those they are part of, weighty ones first. Reports that a person
edited or pinned are left alone; without a chat model reports are counted and quoted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..changes import NOTHING, ChangeSet
from ..errors import said
from ..llm.protocols import ChatModel
from ..model import CallPlan, CommunityRow, Finding, Report
from ..progress import CancelToken, Clock, Progress, ProgressCallback, ignore_progress
from ..prompt_program import PromptProgram
from ..store import communities as rows
from ..store import model_cache, reports
from ..store.db import Db
from .material import KeyPoint, ReportMaterial, gather_material
from .reader import CommunityReader
from .report_writing import Draft, build_extractive, build_report, build_report_script, fetch_scale
from .updater import refresh_communities

log = logging.getLogger(__name__)

USUAL_SECONDS = 9.0  # of a report by a 1.5B model on two cores, several side by side
CALLS_OF_REPORT = 2
MOST_PARTS = 12


@dataclass(frozen=True, slots=True)
class ReportProgress(Progress):
    """Where the writing is, with what was written last."""

    title: str = ""
    n_failed: int = 0


@dataclass(frozen=True, slots=True)
class ReportRun:
    """What a run of writing came to; `failed` are communities whose report a model spoiled."""

    n_done: int
    failed: tuple[int, ...] = ()
    seconds: float = 0.0
    stopped: bool = False
    changes: ChangeSet = NOTHING


class ReportService:
    """Writes reports on communities and keeps them.

    Args:
        db: the read-write connection.
        find_chat: gives the chat model, None where none is installed.
    """

    def __init__(self, db: Db, find_chat: Callable[[], ChatModel | None]) -> None:
        self._db = db
        self._find_chat = find_chat
        self._reading = CommunityReader(db)

    # --- which, and how long ---------------------------------------------------------------

    def refresh(self) -> ChangeSet:
        """Bring communities in line with the graph."""
        return refresh_communities(self._db)

    def due(
        self,
        community_ids: Sequence[int] | None = None,
        *,
        level: int | None = None,
        again: bool = False,
        with_model: bool = True,
    ) -> list[CommunityRow]:
        """Return the communities to report on, in the order of the work.

        Args:
            community_ids: only these; None for all.
            level: none finer than this one.
            again: also those whose report is as it should be (not what a person wrote).
            with_model: a report made without a model is due as well.
        """
        wanted = None if community_ids is None else {int(i) for i in community_ids}
        found = [
            row
            for row in self._reading.tree()
            if (wanted is None or row.id in wanted)
            and (level is None or row.level <= level)
            and not row.is_pinned
            and (not row.is_edited or again)
            and (again or row.is_stale or row.model is None or (with_model and row.model == ""))
            and not (row.is_loose and row.model == "" and not row.is_stale)
        ]
        return sorted(found, key=lambda row: (-row.level, row.is_loose, -row.weight, row.id))

    def estimate(self, due: Sequence[CommunityRow], *, use_model: bool = True) -> CallPlan:
        """Return what writing these costs, by what reports of this model took here."""
        chat = self._find_chat() if use_model else None
        n = sum(not row.is_loose for row in due)
        if chat is None:
            return CallPlan(0, 0.05 * n, n, said(f"{n:,} reports, quoted and counted"))
        taken = self._db.value(
            "SELECT avg(seconds) FROM report WHERE model = ? AND seconds > 0", (chat.name,)
        )
        seconds = n * float(taken or USUAL_SECONDS)
        minutes = f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
        return CallPlan(CALLS_OF_REPORT * n, seconds, n, said(f"{n:,} reports, about {minutes}"))

    # --- the work --------------------------------------------------------------------------

    def run(
        self,
        due: Sequence[CommunityRow],
        *,
        use_model: bool = True,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
    ) -> ReportRun:
        """Write the reports; a set token pauses, and what is done stays.

        Args:
            due: from `due`, or any rows.
            use_model: False counts and quotes, even where there is a model.
        """
        cancel = cancel or CancelToken()
        chat = self._find_chat() if use_model else None
        for_model = [row for row in due if chat is not None and not row.is_loose]
        plain = [row for row in due if chat is None or row.is_loose]
        clock, failed, done = Clock(len(due)), [], set()
        seconds = 0.0

        def tell(row: CommunityRow, title: str) -> None:
            done.add(int(row.id))
            clock.tick()
            on_progress(
                ReportProgress(
                    "reports",
                    len(done),
                    len(due),
                    clock.rate,
                    clock.left_s,
                    None,
                    title,
                    len(failed),
                )
            )

        on_progress(ReportProgress("reports", 0, len(due)))
        for row in plain:
            if cancel.cancelled:
                break
            tell(row, self._keep_plain(int(row.id)).title)
        by_id = {int(row.id): row for row in for_model}
        for community_id, report, spent in self._write(chat, for_model, cancel):
            if report is None:
                failed.append(community_id)
                report = self._keep_plain(community_id)
            seconds += spent
            tell(by_id[community_id], report.title)
        return ReportRun(
            len(done),
            tuple(failed),
            seconds,
            cancel.cancelled,
            ChangeSet(communities=frozenset(done)),
        )

    def keep_plain(self, community_ids: Sequence[int]) -> list[Report]:
        """Keep counted and quoted reports of those that have none or a stale one.

        Returns the reports of all, as they now stand; pinned and written ones as they were.
        """
        kept = []
        for row in rows.fetch_rows(self._db, community_ids):
            lacks = row.model is None or (row.is_stale and row.model == "")
            kept.append(
                self._keep_plain(int(row.id))
                if lacks and not row.is_pinned
                else self._reading.get_report(int(row.id))
            )
        return kept

    def _write(
        self, chat: ChatModel | None, due: Sequence[CommunityRow], cancel: CancelToken
    ) -> Iterator[tuple[int, Report | None, float]]:
        if chat is None or not due:
            return
        asked: dict[int, tuple[ReportMaterial, tuple[KeyPoint, ...]]] = {}
        # What is part of another comes first, and is finished before the other is begun.
        for level in sorted({row.level for row in due}, reverse=True):

            def scripts(level: int = level) -> Iterator[PromptProgram]:
                for row in due:
                    if row.level == level:
                        material = gather_material(self._db, int(row.id))
                        script, points = build_report_script(material, self._parts(row), chat)
                        asked[int(row.id)] = (material, points)
                        yield script

            find = lambda key: model_cache.find_call(self._db, key)  # noqa: E731
            for run in chat.run_scripts(scripts(), find_call=find, cancel=cancel):
                with self._db.transaction():
                    model_cache.store_calls(self._db, run.calls)
                if cancel.cancelled and run.error:
                    continue
                material, points = asked.pop(int(run.key))
                report = None
                if isinstance(run.value, Draft):
                    scale = fetch_scale(self._db, material.row.level)
                    report = build_report(material, points, run.value, chat.name, scale)
                    report = self._keep(report, run.seconds)
                else:
                    log.warning("no report on %s: %s", material.row.title, run.error)
                yield int(run.key), report, run.seconds
            if cancel.cancelled:
                return

    def _parts(self, row: CommunityRow) -> list[Report]:
        children = rows.fetch_children(self._db, int(row.id))[:MOST_PARTS]
        return [self._reading.get_report(int(child.id)) for child in children]

    def _keep_plain(self, community_id: int) -> Report:
        material = gather_material(self._db, community_id)
        scale = fetch_scale(self._db, material.row.level)
        return self._keep(build_extractive(material, scale), 0.0)

    def _keep(self, report: Report, seconds: float) -> Report:
        with self._db.transaction():
            fingerprint = reports.find_fingerprint(self._db, int(report.community_id))
            timed = replace(report, seconds=round(seconds, 2))
            reports.store_report(self._db, timed, fingerprint)
        return reports.apply_edit(self._db, report)

    # --- by hand -----------------------------------------------------------------------------

    def regenerate(
        self,
        community_id: int,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
    ) -> Report:
        """Write one report again; what a person wrote stays in front of it.

        Raises:
            UserError: there is no such community.
        """
        self._reading.get_report(community_id)
        self.run(rows.fetch_rows(self._db, [community_id]), cancel=cancel, on_progress=on_progress)
        return self._reading.get_report(community_id)

    def edit(
        self,
        community_id: int,
        *,
        title: str | None = None,
        summary: str | None = None,
        rating: float | None = None,
        reason: str | None = None,
        findings: tuple[Finding, ...] | None = None,
    ) -> ChangeSet:
        """Put the person's words in the place of the report's; can be undone.

        Raises:
            UserError: there is no such community.
        """
        before = self._reading.get_report(community_id)
        said = {"title": title, "summary": summary, "rating": rating, "reason": reason}
        said = {name: value for name, value in said.items() if value is not None}
        if findings is not None:
            said["findings"] = reports.dump_findings(findings)
        with self._db.edit(f"Edit the report “{before.title}”"):
            reports.store_edit(self._db, community_id, **said)
        return ChangeSet(communities=frozenset({community_id}))

    def pin(self, community_id: int, pinned: bool = True) -> ChangeSet:
        """Keep a report as it is, or let it go stale again; can be undone."""
        report = self._reading.get_report(community_id)
        self.keep_plain([community_id])
        title = report.title
        with self._db.edit(
            f"Pin the report “{title}”" if pinned else f"Unpin the report “{title}”"
        ):
            reports.store_edit(self._db, community_id, pinned=int(pinned))
        return ChangeSet(communities=frozenset({community_id}))

    def reset(self, community_id: int) -> ChangeSet:
        """Take the person's words back, so that the report stands as it was made."""
        report = self._reading.get_report(community_id)
        with self._db.edit(f"Reset the report “{report.title}”"):
            reports.delete_edit(self._db, community_id)
        return ChangeSet(communities=frozenset({community_id}))
