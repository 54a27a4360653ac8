"""The one function that makes the graph out of evidence and curation.

Pure: the same evidence and curation give the same entities and relations, whatever was there
before and in whatever order documents came. Knows no database.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ..types import NameCount

MAX_KEYWORDS = 6


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed relation between two names, as kept."""

    id: int
    source_id: int
    target_id: int
    weight: float
    keywords: tuple[str, ...] = ()
    description: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class HandRelation:
    """A relation that the person made, changed or (`deleted`) took out."""

    source: str
    target: str
    description: str = ""
    keywords: tuple[str, ...] = ()
    weight: float = 1.0
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class EntityEdit:
    """What the person wrote over; None keeps what was derived."""

    new_name: str | None = None
    type: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Curation:
    """Everything the person decided, keyed by names."""

    merged: tuple[tuple[str, str], ...] = ()
    never_merged: frozenset[frozenset[str]] = frozenset()
    edits: Mapping[str, EntityEdit] = field(default_factory=dict)
    aliases: tuple[tuple[str, str], ...] = ()
    deleted_names: frozenset[str] = frozenset()
    hand_relations: tuple[HandRelation, ...] = ()


@dataclass(frozen=True, slots=True)
class DerivedEntity:
    """An entity to be kept; `description` is None where the evidence's best sentence stands."""

    id: int
    name: str
    type: str
    name_ids: tuple[int, ...]
    n_mentions: int
    n_documents: int
    n_relations: int
    description: str | None
    edited: bool


@dataclass(frozen=True, slots=True)
class DerivedRelation:
    """A relation to be kept; the smaller entity id comes first unless a claim says otherwise."""

    source_id: int
    target_id: int
    weight: float
    n_evidence: int
    description: str
    keywords: tuple[str, ...]
    kind: str
    best_claim: int | None


@dataclass(frozen=True, slots=True)
class DerivedGraph:
    """The whole graph, entities and relations sorted by id."""

    entities: tuple[DerivedEntity, ...]
    relations: tuple[DerivedRelation, ...]


ResolveNames = Callable[..., Sequence]


def build_graph(
    names: Sequence[NameCount],
    also_called: Mapping[tuple[str, str], int],
    claims: Sequence[Claim],
    curation: Curation,
    resolve_names: ResolveNames,
) -> DerivedGraph:
    """Return the graph that the evidence and the curation make.

    `resolve_names` groups names (see `graph.resolve.resolve_names`). An entity's id is the
    smallest id of its names, so that it is the same whenever it is derived.
    """
    groups = resolve_names(
        names,
        also_called=also_called,
        merged=(*curation.merged, *curation.aliases),
        never=curation.never_merged,
    )
    count_of = {n.name_id: n for n in names}
    kept = [
        g for g in groups if not any(count_of[i].name in curation.deleted_names for i in g.name_ids)
    ]
    entity_of = {i: min(g.name_ids) for g in kept for i in g.name_ids}
    entity_named = {count_of[i].name: entity_id for i, entity_id in entity_of.items()}
    relations = _build_relations(claims, entity_of, entity_named, curation.hand_relations)
    degree: Counter[int] = Counter()
    for relation in relations:
        degree[relation.source_id] += 1
        degree[relation.target_id] += 1
    entities = [_build_entity(g, count_of, degree, curation.edits) for g in kept]
    return DerivedGraph(
        tuple(sorted(entities, key=lambda e: e.id)),
        tuple(sorted(relations, key=lambda r: (r.source_id, r.target_id))),
    )


def _build_entity(
    group: object,
    count_of: Mapping[int, NameCount],
    degree: Counter[int],
    edits: Mapping[str, EntityEdit],
) -> DerivedEntity:
    members = [count_of[i] for i in group.name_ids]
    entity_id = min(group.name_ids)
    edit = EntityEdit()
    for member in sorted(members, key=lambda m: m.name_id):
        if (own := edits.get(member.name)) is not None:
            edit = EntityEdit(
                own.new_name or edit.new_name,
                own.type or edit.type,
                own.description if own.description is not None else edit.description,
            )
    return DerivedEntity(
        id=entity_id,
        name=edit.new_name or count_of[group.main_name_id].name,
        type=edit.type or group.type,
        name_ids=tuple(sorted(group.name_ids)),
        n_mentions=sum(m.n_mentions for m in members),
        n_documents=len(frozenset().union(*(m.documents for m in members))),
        n_relations=degree[entity_id],
        description=edit.description,
        edited=edit != EntityEdit(),
    )


def _build_relations(
    claims: Sequence[Claim],
    entity_of: Mapping[int, int],
    entity_named: Mapping[str, int],
    by_hand: Sequence[HandRelation],
) -> list[DerivedRelation]:
    evidence: dict[tuple[int, int], list[Claim]] = defaultdict(list)
    mass: Counter[int] = Counter()
    total = 0.0
    for claim in claims:
        a, b = entity_of.get(claim.source_id), entity_of.get(claim.target_id)
        if a is None or b is None or a == b:
            continue
        evidence[(a, b) if a < b else (b, a)].append(claim)
        mass[a] += claim.weight
        mass[b] += claim.weight
        total += claim.weight
    made = {pair: _fold(pair, found, mass, total) for pair, found in evidence.items()}
    for hand in by_hand:
        a, b = entity_named.get(hand.source), entity_named.get(hand.target)
        if a is None or b is None or a == b:
            continue
        pair = (a, b) if a < b else (b, a)
        if hand.deleted:
            made.pop(pair, None)
            continue
        old = made.get(pair)
        made[pair] = DerivedRelation(
            *pair,
            weight=max(hand.weight, old.weight if old else 0.0),
            n_evidence=old.n_evidence if old else 0,
            description=hand.description or (old.description if old else ""),
            keywords=hand.keywords or (old.keywords if old else ()),
            kind=old.kind if old else "",
            best_claim=old.best_claim if old else None,
        )
    return list(made.values())


def _fold(
    pair: tuple[int, int], found: Sequence[Claim], mass: Counter[int], total: float
) -> DerivedRelation:
    """Unite the claims of one pair: weights summed, damped where both are named everywhere.

    The damping is normalised pointwise mutual information (Bouma 2009) over claim weights.
    """
    weight = sum(c.weight for c in found)
    share = weight / total
    npmi = 1.0
    if share < 1.0:
        expected = (mass[pair[0]] / total) * (mass[pair[1]] / total) / 4.0
        npmi = min(1.0, max(0.0, math.log(share / expected) / -math.log(share)))
    best = max(found, key=lambda c: (c.weight, -c.id))
    words = Counter(k for c in found for k in c.keywords)
    described = [c.description for c in found if c.description]
    kinds = Counter(c.kind for c in found if c.kind)
    return DerivedRelation(
        *pair,
        weight=round(weight * (0.3 + 0.7 * npmi), 6),
        n_evidence=len(found),
        description=max(described, key=len) if described else "",
        keywords=tuple(sorted(words, key=lambda k: (-words[k], k))[:MAX_KEYWORDS]),
        kind=min(kinds, key=lambda k: (-kinds[k], k)) if kinds else "",
        best_claim=best.id,
    )
