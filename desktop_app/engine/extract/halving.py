"""A chunk that a model could not do, asked again as two halves, and what both found made one.

Pure: it is told where sentences begin. Knows no model and no store.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..types import ChunkEvidence, ClaimedRelation, NameClaim
from .tasks import ChunkTask

MIN_HALF_CHARS = 40


def find_cut(length: int, sentences: Sequence[tuple[int, int]]) -> int | None:
    """Return the sentence start nearest the middle, None where a half would be too short."""
    cuts = [start for start, _ in sentences if MIN_HALF_CHARS <= start <= length - MIN_HALF_CHARS]
    return min(cuts, key=lambda at: abs(at - length / 2), default=None)


def split_task(task: ChunkTask, cut: int) -> tuple[ChunkTask, ChunkTask]:
    """Return the tasks of the text before and after `cut`, an offset in the task's text.

    Names go with their half; a relation goes where its sentence is, if both its names are there.
    """
    return _part(task, 0, cut), _part(task, cut, len(task.text))


def _part(task: ChunkTask, first: int, end: int) -> ChunkTask:
    start, stop = task.start + first, task.start + end
    mentions = tuple(m for m in task.mentions if start <= m.start and m.end <= stop)
    names = {m.name for m in mentions}
    relations = tuple(
        r
        for r in task.relations
        if start <= r.start < stop and r.source in names and r.target in names
    )
    return replace(
        task, start=start, text=task.text[first:end], mentions=mentions, relations=relations
    )


def unite(
    task: ChunkTask, halves: Sequence[ChunkTask], found: Sequence[ChunkEvidence]
) -> ChunkEvidence:
    """Return what the halves of a chunk found as the evidence of the whole.

    A pair that both have is one relation, of the surer half; relations of the task that went to
    neither half stay as they were.
    """
    relations: dict[frozenset[str], ClaimedRelation] = {}
    for relation in (r for evidence in found for r in evidence.relations):
        known = relations.get(_pair(relation))
        relations[_pair(relation)] = _surer(known, relation) if known else relation
    asked = {_pair(r) for half in halves for r in half.relations}
    for relation in task.relations:
        if _pair(relation) not in asked:
            relations.setdefault(_pair(relation), relation)
    names: dict[str, NameClaim] = {}
    for claim in (n for evidence in found for n in evidence.names):
        known_claim = names.get(claim.name)
        names[claim.name] = _surer_claim(known_claim, claim) if known_claim else claim
    return ChunkEvidence(
        chunk_order=task.chunk_order,
        mentions=_distinct(m for evidence in found for m in evidence.mentions),
        relations=tuple(relations.values()),
        also_called=_distinct(p for evidence in found for p in evidence.also_called),
        names=tuple(names.values()),
        claims=_distinct(c for evidence in found for c in evidence.claims),
    )


def _pair(relation: ClaimedRelation) -> frozenset[str]:
    return frozenset((relation.source, relation.target))


def _surer(one: ClaimedRelation, other: ClaimedRelation) -> ClaimedRelation:
    best = max(one, other, key=lambda r: (bool(r.description), r.confidence, r.weight))
    return replace(best, weight=max(one.weight, other.weight))


def _surer_claim(one: NameClaim, other: NameClaim) -> NameClaim:
    best = max(one, other, key=lambda c: (bool(c.type), c.confidence))
    return replace(best, description=best.description or one.description or other.description)


def _distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values))
