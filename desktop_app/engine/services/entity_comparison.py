"""Comparison of two entities: their neighbours and common sentences; communities of one entity.

Reads only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import UserError
from ..graph.evidence import choose_introductions
from ..model import EntityRow, MentionRow
from ..store import graph, provenance
from ..store.db import Db

_MOST = 200  # neighbours listed for each entity
_N_SENTENCES = 4
_N_MEETINGS = 5


@dataclass(frozen=True, slots=True)
class ComparedNeighbour:
    """A neighbour of an entity; `place` is its rank by weight, from 1."""

    id: int
    name: str
    type: str
    weight: float
    place: int
    is_common: bool


@dataclass(frozen=True, slots=True)
class ComparedEntity:
    """One of the two entities: facts, introductory sentences, neighbours, documents."""

    entity: EntityRow
    names: tuple[str, ...]
    sentences: tuple[MentionRow, ...]
    neighbours: tuple[ComparedNeighbour, ...]
    spread: tuple[tuple[int, str, list[float]], ...]


@dataclass(frozen=True, slots=True)
class EntityComparison:
    """Two entities and what they have in common.

    Attributes:
        n_common: how many neighbours they share.
        alike: the Jaccard similarity of their neighbours.
        meetings: sentences with mentions of both; `n_meetings` is their total number.
    """

    left: ComparedEntity
    right: ComparedEntity
    n_common: int
    alike: float
    n_meetings: int
    meetings: tuple[MentionRow, ...]


def compare_entities(db: Db, left_id: int, right_id: int) -> EntityComparison:
    """Return the comparison of two entities.

    Raises:
        UserError: one of them is no longer in the graph, or both are the same.
    """
    rows = graph.fetch_entities(db, [left_id, right_id])
    if len(rows) < 2:
        raise UserError("These two can't be compared.", "Choose two names that are in the graph.")
    neighbours = [provenance.fetch_named_neighbours(db, row.id) for row in rows]
    near = [{i for i, _, _, _ in own} - {left_id, right_id} for own in neighbours]
    common = near[0] & near[1]
    either = near[0] | near[1]
    sides = [_build_side(db, row, own, common) for row, own in zip(rows, neighbours, strict=True)]
    shared_mentions = provenance.fetch_meetings(db, left_id, right_id)
    return EntityComparison(
        left=sides[0],
        right=sides[1],
        n_common=len(common),
        alike=len(common) / len(either) if either else 0.0,
        n_meetings=len(shared_mentions),
        meetings=tuple(graph.fetch_mention_rows(db, shared_mentions[:_N_MEETINGS])),
    )


def _build_side(
    db: Db, row: EntityRow, neighbours: Sequence[tuple[int, str, str, float]], common: set[int]
) -> ComparedEntity:
    names = [n for n, _ in graph.fetch_aliases(db, row.id) if n != row.name]
    best = graph.fetch_best_mentions(db, row.id, 4 * _N_SENTENCES)
    listed = [
        ComparedNeighbour(i, name, type_, weight, place, i in common)
        for place, (i, name, type_, weight) in enumerate(neighbours, 1)
    ]
    return ComparedEntity(
        entity=row,
        names=tuple(names),
        sentences=tuple(choose_introductions(best, _N_SENTENCES, lambda m: m.sentence)),
        neighbours=tuple(listed[:_MOST]),
        spread=tuple(graph.fetch_spread(db, row.id)),
    )


@dataclass(frozen=True, slots=True)
class CommunityMembership:
    """A community of an entity; `others` are the members that connect it best."""

    id: int
    level: int
    title: str
    n_members: int
    others: tuple[str, ...]


def list_communities_of(db: Db, entity_id: int) -> list[CommunityMembership]:
    """Return the communities of an entity on all levels, the largest first."""
    return [
        CommunityMembership(
            i, level, title, n, tuple(provenance.fetch_biggest_of(db, i, entity_id, 3))
        )
        for i, level, title, n in provenance.fetch_entity_communities(db, entity_id)
    ]
