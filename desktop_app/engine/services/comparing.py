"""Two entities side by side: whom each is tied to, whom both are, and where they meet.

And one by itself: the communities it is in.

Reads only; what follows from it (a merge, never) is for the verbs of editing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import UserError
from ..model import EntityRow, MentionRow
from ..retrieval.introductions import choose_introductions
from ..store import graph, provenance
from ..store.db import Db

_MOST = 200  # neighbours of each that are listed
_N_SENTENCES = 4
_N_MEETINGS = 5


@dataclass(frozen=True, slots=True)
class ComparedNeighbour:
    """Somebody an entity is tied to; `place` counts from 1, the strongest tie first."""

    id: int
    name: str
    type: str
    weight: float
    place: int
    is_common: bool


@dataclass(frozen=True, slots=True)
class ComparedEntity:
    """One of the two: its facts, sentences that introduce it, its neighbours, where it stands."""

    entity: EntityRow
    names: tuple[str, ...]
    sentences: tuple[MentionRow, ...]
    neighbours: tuple[ComparedNeighbour, ...]
    spread: tuple[tuple[int, str, list[float]], ...]


@dataclass(frozen=True, slots=True)
class EntityComparison:
    """Two sides and what is between them.

    `n_common` counts neighbours of both among all, `alike` is their share of all neighbours of
    the two (Jaccard); `meetings` are sentences that name both, `n_meetings` how many there are.
    """

    left: ComparedEntity
    right: ComparedEntity
    n_common: int
    alike: float
    n_meetings: int
    meetings: tuple[MentionRow, ...]


def compare_entities(db: Db, left_id: int, right_id: int) -> EntityComparison:
    """Return two entities side by side.

    Raises:
        UserError: one of them is no longer in the graph, or both are the same.
    """
    rows = graph.fetch_entities(db, [left_id, right_id])
    if len(rows) < 2:
        raise UserError("These two can't be compared.", "Choose two names that are in the graph.")
    ties = [provenance.fetch_ties(db, row.id) for row in rows]
    near = [{i for i, _, _, _ in own} - {left_id, right_id} for own in ties]
    common = near[0] & near[1]
    either = near[0] | near[1]
    sides = [_build_side(db, row, own, common) for row, own in zip(rows, ties, strict=True)]
    met = provenance.fetch_meetings(db, left_id, right_id)
    return EntityComparison(
        left=sides[0],
        right=sides[1],
        n_common=len(common),
        alike=len(common) / len(either) if either else 0.0,
        n_meetings=len(met),
        meetings=tuple(graph.fetch_mention_rows(db, met[:_N_MEETINGS])),
    )


def _build_side(
    db: Db, row: EntityRow, ties: Sequence[tuple[int, str, str, float]], common: set[int]
) -> ComparedEntity:
    names = [n for n, _ in graph.fetch_aliases(db, row.id) if n != row.name]
    best = graph.fetch_best_mentions(db, row.id, 4 * _N_SENTENCES)
    listed = [
        ComparedNeighbour(i, name, type_, weight, place, i in common)
        for place, (i, name, type_, weight) in enumerate(ties, 1)
    ]
    return ComparedEntity(
        entity=row,
        names=tuple(names),
        sentences=tuple(choose_introductions(best, _N_SENTENCES, lambda m: m.sentence)),
        neighbours=tuple(listed[:_MOST]),
        spread=tuple(graph.fetch_spread(db, row.id)),
    )


@dataclass(frozen=True, slots=True)
class Belonging:
    """A community that an entity is in; `others` are the members that hold it together most."""

    id: int
    level: int
    title: str
    n_members: int
    others: tuple[str, ...]


def list_communities_of(db: Db, entity_id: int) -> list[Belonging]:
    """Return the communities of an entity, the smallest first; none where none were made."""
    return [
        Belonging(i, level, title, n, tuple(provenance.fetch_biggest_of(db, i, entity_id, 3)))
        for i, level, title, n in provenance.fetch_communities_of(db, entity_id)
    ]
