"""The command `report`: shows, edits and writes reports on communities."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ..engine.errors import UserError
from ..engine.model import CommunityCard
from ..engine.progress import Progress
from .command_context import (
    ProgressPrinter,
    open_library,
    open_models,
    open_registry,
    show,
    stop_on_interrupt,
)
from .communities import describe_community, get_community

if TYPE_CHECKING:
    from ..engine.communities.reader import CommunityReader
    from ..engine.communities.report_service import ReportService


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "community", nargs="?", default="", help="number of a community, or part of its title"
    )
    parser.add_argument(
        "--level", type=int, default=1, help="finest level that gets reports; 0 is the coarsest"
    )
    parser.add_argument(
        "--again", action="store_true", help="also write reports again that are up to date"
    )
    parser.add_argument(
        "--model",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="write with the chat model; --no-model: with counts and quotations",
    )
    parser.add_argument("--limit", type=int, help="highest number of reports")
    parser.add_argument("--estimate", action="store_true", help="only print how long it takes")
    parser.add_argument("--title", help="replace the title of the report")
    parser.add_argument("--summary", help="replace the summary of the report")
    parser.add_argument(
        "--pin", action=argparse.BooleanOptionalAction, help="never write this report again"
    )
    parser.add_argument(
        "--reset", action="store_true", help="restore the title and summary that were written"
    )


def run(options: argparse.Namespace) -> int:
    """Show or edit one report, or write all reports that are due."""
    from ..engine.communities.reader import CommunityReader
    from ..engine.communities.report_service import ReportService
    from ..engine.communities.updater import refresh_communities

    with open_library(options) as library, open_registry() as registry:
        models = open_models(library, registry)
        reporting = ReportService(library.writer, models.find_chat)
        if library.is_writable:
            refresh_communities(library.writer)
        reading = CommunityReader(library.writer)
        if options.community:
            return _one(reporting, reading, options)
        if options.title or options.summary or options.reset or options.pin is not None:
            raise UserError("Say which report.", "See: inkgraph communities")
        with_model = options.model is not False
        has_model = with_model and bool(models.chat_model_name())
        due = reporting.due(level=options.level, again=options.again, with_model=has_model)
        due = due[: options.limit]
        plan = reporting.estimate(due, use_model=with_model)
        if options.estimate:
            show(plan, [f"{plan.words}."], options.json)
            return 0
        if due and not options.json:
            print(f"inkgraph: {plan.words}; Ctrl+C pauses", file=sys.stderr)
        line = ReportLine()
        with stop_on_interrupt() as cancel:
            run = reporting.run(due, use_model=with_model, cancel=cancel, on_progress=line)
        line.end()
        show(
            {"done": run.n_done, "failed": run.failed, "stopped": run.stopped},
            [
                f"{run.n_done:,} reports made"
                + (f", {len(run.failed):,} without the model's words" if run.failed else "")
                + (
                    "; stopped, run the same command to go on"
                    if run.stopped
                    else "; see one with: inkgraph report NUMBER"
                )
            ],
            options.json,
        )
        return 130 if run.stopped else 0


def _one(reporting: ReportService, reading: CommunityReader, options: argparse.Namespace) -> int:
    row = get_community(reading, options.community)
    community_id = int(row.id)
    if options.reset:
        reporting.reset(community_id)
    if options.title or options.summary:
        reporting.edit(community_id, title=options.title, summary=options.summary)
    if options.pin is not None:
        reporting.pin(community_id, options.pin)
    if options.model or options.again:
        with stop_on_interrupt() as cancel:
            reporting.run([row], use_model=options.model is not False, cancel=cancel)
    card = reading.get_card(community_id)
    show(card, _card_lines(card), options.json)
    return 0


def _card_lines(card: CommunityCard) -> list[str]:
    report = card.report
    lines = [report.title, "", report.summary, ""]
    lines.append(f"Weight: {report.rating:g} of 10. {report.reason}")
    for finding in report.findings:
        lines += ["", f"- {finding.headline}: {finding.text}"]
        for one in finding.evidence:
            place = f" · p. {one.page_label}" if one.page_label else ""
            quote = " ".join(one.quote.split())
            lines.append(f"    {one.title}{place} ({one.start}–{one.end}): {quote}")
    lines += ["", f"Names: {', '.join(m.name for m in card.members[:40])}"]
    for spread in card.spread:
        where = "; ".join(f"{h} ({n:,})" for h, n in spread.headings[:5])
        lines.append(f"In {spread.title}: {spread.n_sentences:,} sentences. {where}".rstrip())
    lines += [f"Part: {describe_community(child)}" for child in card.children]
    return lines


class ReportLine(ProgressPrinter):
    """Prints progress with the title of the last report."""

    def words(self, progress: Progress) -> str:
        from ..engine.communities.report_service import ReportProgress

        title = progress.title if isinstance(progress, ReportProgress) else ""
        return f"{super().words(progress)}{f': {title}' if title else ''}"
