"""The hierarchy of communities as plain data, and short texts about one of them. No Qt.

The window counts communities before it is shown, so nothing of the graph is imported with this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from desktop_app.engine.communities.numbering import number_communities
from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.model import BY_HAND, CommunityRow, Report

from ..translation import later, tr, trn

SORTS = {
    "size": later("Largest first"),
    "rating": later("Most important first"),
    "title": later("By title"),
}
ROOT = 0  # no community has this id
# A community of the top level with fewer names and a smaller share of all names is small: mostly
# the names of one sentence that nothing else mentions. In a library of 150 names or less, three are
# worth a row. Hiding fewer rows than `MIN_HIDDEN` saves no more room than the button takes.
MIN_LISTED_NAMES, MIN_LISTED_SHARE, MIN_HIDDEN = 4, 0.02, 3
_KEYS: dict[str, Callable[[CommunityRow], Any]] = {
    "size": lambda row: -row.n_members,
    "rating": lambda row: -row.rating,
    "title": lambda row: row.title.casefold(),
}


class CommunityTree:
    """Communities by id with their children; those without a parent are children of `ROOT`."""

    def __init__(self, rows: Iterable[CommunityRow] = ()) -> None:
        self.rows = {int(row.id): row for row in rows}
        self._children: dict[int, list[int]] = {}
        for number, row in self.rows.items():
            parent = int(row.parent_id or ROOT)
            self._children.setdefault(parent if parent in self.rows else ROOT, []).append(number)
        real = [row for row in self.rows.values() if not row.is_loose]
        by_level = [number_communities(real, level) for level in range(self.n_levels)]
        self.small = self._find_small()
        self._marks = {int(row.id): by_level[row.level].get(int(row.id), 0) for row in real}

    def _find_small(self) -> frozenset[int]:
        """Return the communities of the top level that a list can leave out at first."""
        tops = [self.rows[number] for number in self._children.get(ROOT, ())]
        least = min(MIN_LISTED_NAMES, MIN_LISTED_SHARE * self.n_names)
        found = [
            int(row.id)
            for row in tops
            if row.n_members < least
            and not (row.is_loose or row.n_children or row.is_pinned or row.is_edited)
        ]
        is_worth_it = MIN_HIDDEN <= len(found) < sum(not row.is_loose for row in tops)
        return frozenset(found if is_worth_it else ())

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, number: int) -> bool:
        return number in self.rows

    def children(self, number: int = ROOT, sort: str = "size") -> list[int]:
        """Return the children of a community in an order; unconnected entities come last."""
        key = _KEYS.get(sort, _KEYS["size"])
        rows = self.rows
        return sorted(
            self._children.get(number, ()),
            key=lambda i: (rows[i].is_loose, key(rows[i]), -rows[i].weight, i),
        )

    def parent(self, number: int) -> int:
        """Return the parent of a community, `ROOT` at the top."""
        row = self.rows.get(number)
        parent = int(row.parent_id or ROOT) if row is not None else ROOT
        return parent if parent in self.rows else ROOT

    def path(self, number: int) -> list[int]:
        """Return the ancestors of a community and itself, the coarsest first."""
        found: list[int] = []
        while number in self.rows and number not in found:
            found.insert(0, number)
            number = self.parent(number)
        return found

    def find(self, text: str) -> set[int]:
        """Return the communities whose title, names or key words contain these words."""
        wanted = text.casefold().split()
        return {
            number
            for number, row in self.rows.items()
            if all(
                word in "\n".join((row.title, *row.top_names, *row.key_words)).casefold()
                for word in wanted
            )
        }

    def with_parents(self, numbers: Iterable[int]) -> set[int]:
        return {step for number in numbers for step in self.path(number)}

    def mark(self, number: int) -> int:
        """Return the number by size that a community has in the graph, 0 for none."""
        from desktop_app.engine.graph.view.graph_data import MAX_COMMUNITY_NUMBER

        mark = self._marks.get(number, 0)
        return mark if mark <= MAX_COMMUNITY_NUMBER else 0

    @property
    def n_levels(self) -> int:
        return 1 + max((row.level for row in self.rows.values()), default=-1)

    @property
    def n_real(self) -> int:
        """The number of communities without the one for unconnected entities."""
        return sum(not row.is_loose for row in self.rows.values())

    @property
    def n_main(self) -> int:
        """The number of communities of the top level that the list shows at first."""
        tops = self._children.get(ROOT, ())
        return sum(not self.rows[number].is_loose for number in tops) - len(self.small)

    @property
    def n_names(self) -> int:
        """The number of names of the library; a community of the top level has each once."""
        return sum(self.rows[number].n_members for number in self._children.get(ROOT, ()))

    @property
    def n_stale(self) -> int:
        return sum(row.is_stale and not row.is_pinned for row in self.rows.values())

    @property
    def n_written(self) -> int:
        return sum(row.model is not None for row in self.rows.values())


def read_community_tree(reading: CommunityReader) -> CommunityTree:
    """Return all communities; one without a report is rated by its weight.

    Runs in a lane.
    """
    from desktop_app.engine.communities.material import Scale

    rows = reading.tree()
    heaviest: dict[int, float] = {}
    for row in rows:
        heaviest[row.level] = max(heaviest.get(row.level, 0.0), row.weight)
    return CommunityTree(
        replace(row, rating=Scale(0, heaviest[row.level]).rate(row.weight))
        if row.model is None and not row.is_loose
        else row
        for row in rows
    )


def format_member_count(n_members: int) -> str:
    return trn("{n} name", "{n} names", n_members)


def get_title(row: CommunityRow) -> str:
    """Return the title of a community, or a fixed one for unconnected entities."""
    if row.is_loose and row.model is None:
        return tr("Unconnected names")
    return row.title or tr("Untitled")


def list_marks(row: CommunityRow) -> list[tuple[str, str]]:
    """Return (icon, text) pairs about the state of its report, the most urgent first."""
    marks = []
    if row.is_stale and not row.is_pinned:
        marks.append(("clock-counter-clockwise", tr("Changed since the report was written")))
    if row.is_pinned:
        marks.append(("push-pin", tr("Pinned: the report is not rewritten")))
    if row.is_edited:
        marks.append(("rename", tr("Edited by you")))
    return marks


def describe_report_author(report: Report) -> str:
    """Return who wrote a report."""
    if report.model == BY_HAND or (report.is_edited and not report.model):
        return tr("Written by you")
    if not report.model:
        return tr("Written without a model")
    if report.is_edited:
        return tr("Written by {model}, edited by you", model=report.model)
    return tr("Written by {model}", model=report.model)


def describe_rating(rating: float) -> str:
    return tr("Importance: {rating}", rating=format_rating(rating))


def format_rating(rating: float) -> str:
    return tr("{rating} of 10", rating=f"{rating:.1f}".removesuffix(".0"))
