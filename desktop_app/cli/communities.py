"""The commands `communities` and `report`: the communities of a library and their reports."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..engine.errors import UserError
from ..engine.model import CommunityCard, CommunityRow, Comparison
from ..engine.progress import Progress
from .output import AddCommand, ProgressPrinter, open_library, open_registry, show
from .search_and_ask import stop_on_interrupt

if TYPE_CHECKING:
    from ..engine.communities.reader import CommunityReader
    from ..engine.communities.report_service import ReportService

COMMANDS = ("communities", "report")


def add_arguments(add_command: AddCommand) -> None:
    listing = add_command(
        "communities", "List the themes of the library: groups of names that belong."
    )
    listing.add_argument("--level", type=int, default=None, help="0 is the coarsest; all if left")
    listing.add_argument("--compare", nargs=2, metavar=("A", "B"), help="two of them side by side")
    listing.add_argument("--again", action="store_true", help="find them anew")
    report = add_command("report", "Show or write reports on communities; Ctrl+C pauses.")
    report.add_argument("community", nargs="?", default="", help="number, or part of its title")
    report.add_argument(
        "--level", type=int, default=1, help="the finest to report on (without one)"
    )
    report.add_argument(
        "--again", action="store_true", help="also those that are as they should be"
    )
    report.add_argument(
        "--model",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="write with the chat model; --no-model counts and quotes",
    )
    report.add_argument("--limit", type=int, help="the most reports to write")
    report.add_argument("--estimate", action="store_true", help="only say how long it takes")
    report.add_argument("--title", help="put this title in the place of the report's")
    report.add_argument("--summary", help="put this summary in the place of the report's")
    report.add_argument("--pin", action=argparse.BooleanOptionalAction, help="keep it as it is")
    report.add_argument("--reset", action="store_true", help="take back what was put in its place")
    listing.set_defaults(run=run_communities)
    report.set_defaults(run=run_report)


def run_communities(options: argparse.Namespace) -> int:
    """List communities as a tree, or two side by side."""
    from ..engine.communities.reader import CommunityReader
    from ..engine.communities.updater import refresh_communities

    with open_library(options) as library:
        refresh_communities(library.writer, from_scratch=options.again)
        reading = CommunityReader(library.writer)
        if options.compare:
            first, second = (_find(reading, name) for name in options.compare)
            found = reading.compare(int(first.id), int(second.id))
            show(
                {"first": first, "second": second, **asdict(found)},
                _compare_lines(first, second, found),
                options.json,
            )
            return 0
        rows = reading.tree(options.level)
        lines = _tree_lines(rows) if options.level is None else [_line(r) for r in rows]
        value = {"levels": dict(reading.levels()), "communities": rows}
        show(value, lines or ["There is nothing in the graph yet."], options.json)
        return 0


def run_report(options: argparse.Namespace) -> int:
    """Show or edit one report, or write all reports that are due."""
    from ..engine.communities.reader import CommunityReader
    from ..engine.communities.report_service import ReportService

    with open_library(options) as library, open_registry() as registry:
        reporting = ReportService(library.writer, registry.find_chat)
        reporting.refresh()
        reading = CommunityReader(library.writer)
        if options.community:
            return _one(reporting, reading, options)
        if options.title or options.summary or options.reset or options.pin is not None:
            raise UserError("Say which report.", "See: inkgraph communities")
        with_model = options.model is not False
        has_model = with_model and bool(registry.chat_model_name())
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
    row = _find(reading, options.community)
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


def _find(reading: CommunityReader, text: str) -> CommunityRow:
    found = reading.find(text)
    if found is None:
        raise UserError("There is no community “{text}”.", "See: inkgraph communities", text=text)
    return found


def _line(row: CommunityRow, depth: int = 0) -> str:
    marks = [f"{row.n_members:,} names"]
    if row.model is not None:
        marks.append("report" if row.model else "plain report")
    marks += ["changed since"] if row.is_stale else []
    marks += ["edited"] if row.is_edited else []
    marks += ["pinned"] if row.is_pinned else []
    return f"{'  ' * depth}{row.id}  {row.title}  ({', '.join(marks)})"


def _tree_lines(rows: list[CommunityRow]) -> list[str]:
    children: dict[Any, list[CommunityRow]] = {}
    for row in rows:
        children.setdefault(row.parent_id, []).append(row)
    lines: list[str] = []

    def add(parent: Any, depth: int) -> None:
        for row in children.get(parent, ()):
            lines.append(_line(row, depth))
            add(row.id, depth + 1)

    add(None, 0)
    return lines


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
    lines += [f"Part: {_line(child)}" for child in card.children]
    return lines


def _compare_lines(first: CommunityRow, second: CommunityRow, found: Comparison) -> list[str]:
    lines = [f"Both: {', '.join(e.name for e in found.shared) or 'no name'}"]
    lines.append(f"Only {first.title}: {', '.join(e.name for e in found.only_first[:20])}")
    lines.append(f"Only {second.title}: {', '.join(e.name for e in found.only_second[:20])}")
    lines += [
        f"{r.source} – {r.target}: {' '.join(r.sentence.split())}" for r in found.between[:10]
    ]
    return lines


class ReportLine(ProgressPrinter):
    """Prints progress with the title of the last report."""

    def words(self, progress: Progress) -> str:
        from ..engine.communities.report_service import ReportProgress

        title = progress.title if isinstance(progress, ReportProgress) else ""
        return f"{super().words(progress)}{f': {title}' if title else ''}"
