"""Builds entities and relations from evidence, curation and summaries. Knows no database.

`derive_graph` builds the whole graph; its parts are what an update of the stored graph applies to
what changed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model import (
    REJECTED,
    UNDIRECTED,
    WRITES,
    Claim,
    Curation,
    EntityEdit,
    Judgement,
    NameCount,
    PlacedJudgement,
    StoredExtraction,
    UserRelation,
    reverse_direction,
)
from .evidence import (
    FindSummary,
    Pair,
    choose_counted_extractions,
    choose_description,
    count_name,
    count_types,
    count_votes,
    hash_fragments,
    is_rejected,
    list_fragments,
    pair_of,
    round_closeness,
    round_total,
)
from .grouping import group_names
from .names import split_sense
from .resolution import top_type

MAX_KEYWORDS = 6
CLOSENESS_UNITS = 1_000_000  # weights are summed as integers, so that the order has no effect
WEIGHT_DIGITS = 6  # after the point
OCCASIONAL_KINDS = {"talk": 0.25}  # weight of kinds that occur besides a lasting one


class DerivedRelation(NamedTuple):
    """A relation as it is stored; the smaller entity id comes first.

    `strength` and `closeness` are the sums over its claims that the weight is computed of, 0 for a
    relation without claims.
    """

    source_id: int
    target_id: int
    weight: float
    n_evidence: int
    description: str = ""
    keywords: tuple[str, ...] = ()
    kind: str = ""
    best_claim: int | None = None
    n_enriched: int = 0
    confidence: float = 0.0
    summary_key: str = ""
    direction: int = UNDIRECTED
    strength: float = 0.0
    closeness: float = 0.0


def orient_claim(claim: Claim, *, is_reversed: bool) -> Claim:
    """Return a claim with the direction that it has between the entities of a pair.

    Args:
        is_reversed: its target belongs to the first entity of the pair.
    """
    if not is_reversed or not claim.direction:
        return claim
    return claim._replace(direction=reverse_direction(claim.direction))


def merge_claims(
    pair: tuple[int, int],
    claims: Sequence[Claim],
    find_summary: FindSummary,
    closeness: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> DerivedRelation:
    """Return the relation of a pair.

    Args:
        claims: with directions between the ends of the pair, see `orient_claim`.
        closeness: claim weight by the instant strategy of each end with any name, and the total
            of all names.
    """
    # A claim of a model counts up to twice as much as closeness; a description without a
    # confidence (free-form extraction has none) counts as 0.5.
    strengths = [
        c.weight * (1.0 + (c.confidence or (0.5 if c.description else 0.0))) for c in claims
    ]
    words: dict[str, int] = {}
    for claim in claims:
        for word in claim.keywords:
            words[word] = words.get(word, 0) + 1
    # Most relations are only of the instant graph, whose claims have neither.
    by_model = [c for c in claims if c.description or c.kind not in ("", WRITES)]
    fragments = list_fragments((c.place, c.description) for c in by_model)
    kind, confidence = _choose_kind([c for c in claims if c.kind])
    strength, shared = math.fsum(strengths), math.fsum(c.weight for c in claims)
    return DerivedRelation(
        *pair,
        weight=round(strength * _damping(shared, closeness), WEIGHT_DIGITS),
        n_evidence=len(claims),
        description=choose_description(fragments, find_summary),
        keywords=tuple(sorted(words, key=lambda k: (-words[k], k))[:MAX_KEYWORDS]),
        kind=kind,
        best_claim=_choose_best(claims, strengths, kind).id,
        n_enriched=len({c.chunk_id for c in by_model}),
        confidence=confidence,
        summary_key=hash_fragments(fragments) if len(fragments) > 1 else "",
        direction=_join_directions([c.direction for c in claims if c.kind == kind]),
        strength=strength,
        closeness=shared,
    )


def _join_directions(directions: Iterable[int]) -> int:
    """Return all directions together: opposite ones are both kept."""
    joined = UNDIRECTED
    for direction in directions:
        joined |= direction
    return joined


def apply_user_relations(
    pair: tuple[int, int], current: DerivedRelation | None, changes: Sequence[UserRelation]
) -> DerivedRelation | None:
    """Return the relation with the user's changes; None if the user deleted it.

    The user's direction replaces that of the documents. Decisions about several names of the two
    entities are joined.
    """
    decided: int | None = None
    for change in changes:
        if change.deleted:
            current = decided = None
            continue
        old = current or DerivedRelation(*pair, weight=0.0, n_evidence=0)
        if change.direction is not None:
            direction = decided = (decided or UNDIRECTED) | change.direction
        else:  # a direction belongs to its kind
            direction = old.direction if change.kind in ("", old.kind) else UNDIRECTED
        current = old._replace(
            weight=max(change.weight, old.weight),
            description=change.description or old.description,
            keywords=change.keywords or old.keywords,
            kind=change.kind or old.kind,
            confidence=1.0 if change.kind else old.confidence,
            direction=direction,
        )
    return current


def _damping(weight: float, closeness: tuple[float, float, float]) -> float:
    """Return a factor of 0.3 to 1 that lowers the weight of pairs of very frequent entities.

    Normalised pointwise mutual information (Bouma 2009) over claim weights. The frequencies are
    those of the text alone, so a claim added by a model changes no other pair.
    """
    source, target, total = closeness
    total = max(total, weight)
    share = weight / total
    if share >= 1.0 or weight <= 0.0:
        return 1.0
    expected = max(source, weight) * max(target, weight) / (4.0 * total * total)
    npmi = math.log(share / expected) / -math.log(share)
    return 0.3 + 0.7 * min(1.0, max(0.0, npmi))


def weigh_relations(
    strength: NDArray[np.float64],
    shared: NDArray[np.float64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    total: int,
) -> list[float]:
    """Return the weights of many relations, exactly those that `merge_claims` computes.

    Args:
        strength: sum over the claims of each, shape (N,).
        shared: closeness of the two ends to each other, above 0, shape (N,).
        first: rounded closeness of one end to all names, in millionths, shape (N,).
        second: the same of the other end.
        total: rounded closeness of all names, in millionths.
    """
    unit = 1 / CLOSENESS_UNITS
    damping = np.ones(len(shared))
    totals = np.maximum(total * unit, shared)
    share = shared / totals
    rows = np.flatnonzero(share < 1.0)
    if len(rows):
        weight, all_ = shared[rows], totals[rows]
        ends = np.maximum(first[rows] * unit, weight), np.maximum(second[rows] * unit, weight)
        expected = ends[0] * ends[1] / (4.0 * all_ * all_)
        # `math.log`, because that of NumPy may differ in the last digit
        log_of_ratio = np.array([math.log(x) for x in (share[rows] / expected).tolist()])
        log_of_share = np.array([math.log(x) for x in share[rows].tolist()])
        npmi = log_of_ratio / -log_of_share
        damping[rows] = 0.3 + 0.7 * np.minimum(1.0, np.maximum(0.0, npmi))
    return [round(weight, WEIGHT_DIGITS) for weight in (strength * damping).tolist()]


def _choose_best(claims: Sequence[Claim], strengths: Sequence[float], kind: str) -> Claim:
    """Return the strongest claim of the shown kind, the earliest of equally strong ones."""
    most = max([s for c, s in zip(claims, strengths, strict=True) if c.kind == kind])
    best = [c for c, s in zip(claims, strengths, strict=True) if s == most and c.kind == kind]
    if len(best) == 1:
        return best[0]
    return min(best, key=lambda claim: (claim.place, claim.description, claim.id))


def _choose_kind(with_kind: Sequence[Claim]) -> tuple[str, float]:
    """Return the kind with the highest sum of confidence × weight, and its mean confidence.

    Occasional kinds have a lower weight: family members also talk to each other. Directions are
    not distinguished.
    """
    if not with_kind:
        return "", 0.0
    votes: dict[str, list[Claim]] = defaultdict(list)
    for claim in with_kind:
        votes[claim.kind].append(claim)
    sums = {
        kind: math.fsum(c.weight * c.confidence for c in each) * OCCASIONAL_KINDS.get(kind, 1.0)
        for kind, each in votes.items()
    }
    kind = min(sums, key=lambda k: (-sums[k], -len(votes[k]), k))
    weight = math.fsum(c.weight for c in votes[kind]) or 1.0
    return kind, round(math.fsum(c.weight * c.confidence for c in votes[kind]) / weight, 4)


def merge_edits(names: Iterable[str], edits: Mapping[str, EntityEdit]) -> EntityEdit:
    """Return the edits of an entity's names as one; the last name takes precedence."""
    merged = EntityEdit()
    for name in names:
        if (edit := edits.get(name)) is not None:
            merged = EntityEdit(
                edit.new_name or merged.new_name,
                edit.type or merged.type,
                edit.description if edit.description is not None else merged.description,
            )
    return merged


def list_given_names(curation: Curation) -> frozenset[str]:
    """Return the names that the user gave, which exist even if no document mentions them."""
    return curation.user_entities.union(*map(frozenset, curation.aliases))


@dataclass(frozen=True, slots=True)
class DerivedEntity:
    """An entity as it is stored.

    `description` is None if no model or user described it; the best sentence of the evidence is
    shown instead. `n_enriched` counts the chunks with a claim of a model about it.
    """

    id: int
    name: str
    type: str
    name_ids: tuple[int, ...]
    n_mentions: int
    n_documents: int
    n_relations: int
    description: str | None
    edited: bool
    n_enriched: int = 0
    summary_key: str = ""


def build_entity(
    members: Sequence[NameCount],
    shown: NameCount,
    types: Mapping[int, Mapping[str, int]],
    judged: Mapping[int, Sequence[PlacedJudgement]],
    n_relations: int,
    edits: Mapping[str, EntityEdit],
    find_summary: FindSummary,
) -> DerivedEntity:
    """Return an entity.

    The type is the one with most votes of mentions and judgements. The description is the user's,
    else the summary of the descriptions by models, else the best of these.

    Args:
        members: its names, smallest id first; `shown` is one of them.
        types: name id -> type -> mentions that the tagger gave this type.
        judged: name id -> the judgements of models about it.
    """
    edit = merge_edits(sorted(member.name for member in members), edits)
    votes: Counter[str] = Counter()
    descriptions, chunks = [], set()
    for member in members:
        own = judged.get(member.name_id, ())
        votes += count_votes(types.get(member.name_id, {}), _votes(own))
        for judgement, place, chunk_id in own:
            if judgement.type != REJECTED:
                chunks.add(chunk_id)
                if judgement.description:
                    descriptions.append((place, judgement.description))
    fragments = list_fragments(descriptions)
    description = edit.description
    if description is None and fragments:
        description = choose_description(fragments, find_summary)
    return DerivedEntity(
        id=members[0].name_id,
        name=edit.new_name or split_sense(shown.name)[0],
        type=edit.type or top_type(votes),
        name_ids=tuple(m.name_id for m in members),
        n_mentions=sum(m.n_mentions for m in members),
        n_documents=len(frozenset().union(*(m.documents for m in members))),
        n_relations=n_relations,
        description=description,
        edited=edit != EntityEdit(),
        n_enriched=len(chunks),
        summary_key=hash_fragments(fragments) if len(fragments) > 1 else "",
    )


DerivedGraph = tuple[dict[int, DerivedEntity], dict[Pair, DerivedRelation]]


def derive_graph(
    extractions: Iterable[StoredExtraction],
    texts: Mapping[int, str],
    curation: Curation,
    find_summary: FindSummary,
    given: Mapping[int, str],
) -> DerivedGraph:
    """Return the whole graph of these extractions, by entity id and by pair of entity ids.

    The program updates the stored graph step by step (`services.graph_update`); this is what the
    stored graph has to be equal to.

    Args:
        texts: name id -> name with its sense.
        given: name id -> name, for names of the user that may occur in no document.
    """
    in_chunk: dict[int, list[StoredExtraction]] = defaultdict(list)
    for extraction in extractions:
        in_chunk[extraction.chunk_id].append(extraction)
    mentions: dict[int, Counter[tuple[int, str, str]]] = defaultdict(Counter)
    judged: dict[int, list[PlacedJudgement]] = defaultdict(list)
    equations: Counter[tuple[str, str]] = Counter()
    claims_of_names: dict[Pair, list[Claim]] = defaultdict(list)
    name_closeness: Counter[int] = Counter()
    for chunk in in_chunk.values():
        counted = choose_counted_extractions(chunk)
        for one in counted.for_names:
            for name_id, kind, n in one.mentions:
                mentions[name_id][one.place[0], one.language, kind] += n
            for judgement in one.judgements:
                judged[judgement.name_id].append((judgement, one.place, one.chunk_id))
            equations.update(one.also_called)
        for one in counted.for_relations:
            for claim in one.claims:
                claims_of_names[pair_of(claim.source_id, claim.target_id)].append(claim)
        for one in counted.for_closeness:
            for claim in one.claims:
                for name_id in (claim.source_id, claim.target_id):
                    name_closeness[name_id] += round(claim.weight * CLOSENESS_UNITS)
    counts = {
        i: count_name(i, texts[i], of_name, _votes(judged[i])) for i, of_name in mentions.items()
    }
    names = choose_names(
        counts, {i for i in counts if is_rejected(mentions[i].total(), _votes(judged[i]))},
        curation, given,
    )  # fmt: skip
    groups = group_names(names, equations, curation)
    members = {e: groups[e].name_ids for e in groups.entity_ids()}
    entity_of_name = {i: e for e, name_ids in members.items() for i in name_ids}
    claims: dict[Pair, list[Claim]] = defaultdict(list)
    for (a, b), of_pair in claims_of_names.items():
        first, second = entity_of_name.get(a), entity_of_name.get(b)
        if first is not None and second is not None and first != second:
            pair = pair_of(first, second)
            claims[pair] += [
                orient_claim(c, is_reversed=entity_of_name[c.source_id] != pair[0]) for c in of_pair
            ]
    by_user = map_user_relations(curation, {names[i].name: e for i, e in entity_of_name.items()})
    total = round_total(name_closeness.total() // 2)
    closeness = {
        e: round_closeness(sum(name_closeness[i] for i in name_ids))
        for e, name_ids in members.items()
    }
    relations = {}
    for pair in claims.keys() | by_user.keys():
        made = derive_relation(
            pair, claims.get(pair, ()), by_user.get(pair, ()), find_summary,
            (closeness[pair[0]], closeness[pair[1]], total),
        )  # fmt: skip
        if made is not None:
            relations[pair] = made
    n_relations = Counter(entity for pair in relations for entity in pair)
    types = {i: count_types(of_name) for i, of_name in mentions.items()}
    entities = {
        e: build_entity(
            [names[i] for i in name_ids], names[groups[e].main_name_id], types, judged,
            n_relations[e], curation.edits, find_summary,
        )
        for e, name_ids in members.items()
    }  # fmt: skip
    return entities, relations


def _votes(judged: Iterable[PlacedJudgement]) -> list[Judgement]:
    return [judgement for judgement, _, _ in judged]


class ChosenNames(Mapping[int, NameCount]):
    """The names of the graph, in front of the counts that they are chosen from.

    Attributes:
        left_out: names with counts that are not chosen.
        added: names without counts that are.
    """

    def __init__(
        self,
        counts: Mapping[int, NameCount],
        left_out: frozenset[int],
        added: Mapping[int, NameCount],
    ) -> None:
        self._counts, self.left_out, self.added = counts, left_out, added

    def __len__(self) -> int:
        return len(self._counts) - len(self.left_out) + len(self.added)

    def __iter__(self) -> Iterator[int]:
        yield from (i for i in self._counts if i not in self.left_out)
        yield from self.added

    def __contains__(self, name_id: object) -> bool:
        if name_id in self.added:
            return True
        return name_id in self._counts and name_id not in self.left_out

    def __getitem__(self, name_id: int) -> NameCount:
        if name_id in self.left_out:
            raise KeyError(name_id)
        return self.added.get(name_id) or self._counts[name_id]


def choose_names(
    counts: Mapping[int, NameCount],
    rejected: Collection[int],
    curation: Curation,
    given: Mapping[int, str],
) -> ChosenNames:
    """Return the names of the graph.

    Those that models rejected are left out, unless a decision of the user contains them; names
    that the user gave are added.
    """
    pairs = (*curation.merged, *curation.aliases, *map(tuple, curation.never_merged))
    related = [name for r in curation.user_relations for name in (r.source, r.target)]
    exempt = {name for pair in pairs for name in pair}.union(
        curation.edits, related, curation.user_entities
    )
    left_out = frozenset(i for i in rejected if i in counts and counts[i].name not in exempt)
    added = {i: NameCount(i, name, 0, {}, "") for i, name in given.items() if i not in counts}
    return ChosenNames(counts, left_out, added)


def map_user_relations(
    curation: Curation, entity_of_text: Mapping[str, int]
) -> dict[Pair, list[UserRelation]]:
    """Return the user's relations by pair of entities, with directions between its ends.

    Args:
        entity_of_text: name as written -> entity id.
    """
    found: dict[Pair, list[UserRelation]] = defaultdict(list)
    for relation in curation.user_relations:
        a, b = entity_of_text.get(relation.source), entity_of_text.get(relation.target)
        if a is not None and b is not None and a != b:
            found[pair_of(a, b)].append(orient_user_relation(relation, is_reversed=a > b))
    return dict(found)


def orient_user_relation(relation: UserRelation, *, is_reversed: bool) -> UserRelation:
    """Return a relation of the user with the direction that it has between a pair's ends."""
    if not is_reversed or not relation.direction:
        return relation
    return replace(relation, direction=reverse_direction(relation.direction))


def derive_relation(
    pair: Pair,
    claims: Sequence[Claim],
    by_user: Sequence[UserRelation],
    find_summary: FindSummary,
    closeness: tuple[int, int, int],
) -> DerivedRelation | None:
    """Return the relation of a pair; None if it has none.

    Args:
        closeness: rounded closeness of each end, and of all names, in millionths.
    """
    unit = 1 / CLOSENESS_UNITS
    made = None
    if claims:
        first, second, total = closeness
        made = merge_claims(pair, claims, find_summary, (first * unit, second * unit, total * unit))
    return apply_user_relations(pair, made, by_user)
