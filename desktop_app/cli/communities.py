"""The command `communities`: the communities of a library."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..engine.errors import UserError
from ..engine.model import CommunityRow, Comparison
from .command_context import open_library, show

if TYPE_CHECKING:
    from ..engine.communities.reader import CommunityReader


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--level", type=int, default=None, help="level to list, 0 is the coarsest; default: all"
    )
    parser.add_argument("--compare", nargs=2, metavar=("A", "B"), help="compare two communities")
    parser.add_argument("--again", action="store_true", help="compute the communities again")


def run(options: argparse.Namespace) -> int:
    """List communities as a tree, or two side by side."""
    from ..engine.communities.reader import CommunityReader
    from ..engine.communities.updater import refresh_communities

    with open_library(options) as library:
        refresh_communities(library.writer, from_scratch=options.again)
        reading = CommunityReader(library.writer)
        if options.compare:
            first, second = (get_community(reading, name) for name in options.compare)
            found = reading.compare(int(first.id), int(second.id))
            show(
                {"first": first, "second": second, **asdict(found)},
                _compare_lines(first, second, found),
                options.json,
            )
            return 0
        rows = reading.tree(options.level)
        levels = dict(reading.levels())
        if levels and options.level is not None and options.level not in levels:
            raise UserError(
                "There is no level {level}.",
                "The levels of this library are {first} to {last}.",
                level=options.level,
                first=min(levels),
                last=max(levels),
            )
        lines = (
            _tree_lines(rows) if options.level is None else [describe_community(r) for r in rows]
        )
        value = {"levels": levels, "communities": rows}
        show(value, lines or ["There is nothing in the graph yet."], options.json)
        return 0


def get_community(reading: CommunityReader, text: str) -> CommunityRow:
    """Return the community with this number, or with this text in its title."""
    found = reading.find(text)
    if found is None:
        raise UserError("There is no community “{text}”.", "See: inkgraph communities", text=text)
    return found


def describe_community(row: CommunityRow, depth: int = 0) -> str:
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
            lines.append(describe_community(row, depth))
            add(row.id, depth + 1)

    add(None, 0)
    return lines


def _compare_lines(first: CommunityRow, second: CommunityRow, found: Comparison) -> list[str]:
    lines = [f"Both: {', '.join(e.name for e in found.shared) or 'no name'}"]
    lines.append(f"Only {first.title}: {', '.join(e.name for e in found.only_first[:20])}")
    lines.append(f"Only {second.title}: {', '.join(e.name for e in found.only_second[:20])}")
    lines += [
        f"{r.source} – {r.target}: {' '.join(r.sentence.split())}" for r in found.between[:10]
    ]
    return lines
