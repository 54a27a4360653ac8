"""Builds entities and relations from evidence, curation and summaries, incrementally.

`GraphBuilder.update` rebuilds only what a change affects and returns the differences. The result
always equals a graph built from scratch of the same evidence. Knows no database.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..model import REJECTED, Claim, Curation, EntityEdit, NameCount, UserRelation
from .evidence import (
    EvidenceIndex,
    Pair,
    choose_description,
    count_votes,
    hash_fragments,
    list_fragments,
    pair_of,
)
from .names import split_sense
from .resolution import resolve_names, top_type

MAX_KEYWORDS = 6
OCCASIONAL_KINDS = {"talk": 0.25}  # weight of kinds that occur besides a lasting one


@dataclass(frozen=True, slots=True)
class DerivedRelation:
    """A relation as it is stored; the smaller entity id comes first."""

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


def merge_claims(
    pair: tuple[int, int],
    claims: Sequence[Claim],
    summaries: Mapping[str, str],
    closeness: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> tuple[DerivedRelation, str]:
    """Return the relation of a pair, and the key of its summary ("" if it needs none).

    Args:
        closeness: claim weight by the instant strategy of each end with any name, and the total
            of all names.
    """
    # A claim of a model counts up to twice as much as closeness; a description without a
    # confidence (free-form extraction has none) counts as 0.5.
    strengths = [
        c.weight * (1.0 + (c.confidence or (0.5 if c.description else 0.0))) for c in claims
    ]
    words = Counter(k for c in claims for k in c.keywords)
    fragments = list_fragments((c.place, c.description) for c in claims if c.description)
    kind, confidence = _choose_kind([c for c in claims if c.kind])
    enriched_chunks = {c.chunk_id for c in claims if c.description or c.kind}
    weight = math.fsum(strengths) * _damping(math.fsum(c.weight for c in claims), closeness)
    relation = DerivedRelation(
        *pair,
        weight=round(weight, 6),
        n_evidence=len(claims),
        description=choose_description(fragments, summaries),
        keywords=tuple(sorted(words, key=lambda k: (-words[k], k))[:MAX_KEYWORDS]),
        kind=kind,
        best_claim=_choose_best(claims, strengths, kind).id,
        n_enriched=len(enriched_chunks),
        confidence=confidence,
    )
    return relation, hash_fragments(fragments) if len(fragments) > 1 else ""


def apply_user_relations(
    pair: tuple[int, int], current: DerivedRelation | None, changes: Sequence[UserRelation]
) -> DerivedRelation | None:
    """Return the relation with the user's changes; None if the user deleted it."""
    for change in changes:
        if change.deleted:
            current = None
            continue
        old = current or DerivedRelation(*pair, weight=0.0, n_evidence=0)
        current = replace(
            old,
            weight=max(change.weight, old.weight),
            description=change.description or old.description,
            keywords=change.keywords or old.keywords,
            kind=change.kind or old.kind,
            confidence=1.0 if change.kind else old.confidence,
        )
    return current


def _damping(weight: float, closeness: tuple[float, float, float]) -> float:
    """Return a factor of 0.3 to 1 that lowers the weight of pairs of very frequent entities.

    Normalised pointwise mutual information (Bouma 2009) over claim weights. The frequencies are
    those of the text alone, so a claim added by a model changes no other pair.
    """
    source, target, total = (max(value, weight) for value in closeness)
    share = weight / total
    if share >= 1.0 or weight <= 0.0:
        return 1.0
    expected = source * target / (4.0 * total * total)
    npmi = math.log(share / expected) / -math.log(share)
    return 0.3 + 0.7 * min(1.0, max(0.0, npmi))


def _choose_best(claims: Sequence[Claim], strengths: Sequence[float], kind: str) -> Claim:
    """Return the strongest claim of the shown kind, the earliest of equally strong ones."""
    of_kind = [pair for pair in zip(claims, strengths, strict=True) if pair[0].kind == kind]
    most = max(strength for _, strength in of_kind)
    best = [claim for claim, strength in of_kind if strength == most]
    if len(best) == 1:
        return best[0]
    return min(best, key=lambda claim: (claim.place, claim.description, claim.id))


def _choose_kind(with_kind: Sequence[Claim]) -> tuple[str, float]:
    """Return the kind with the highest sum of confidence × weight, and its mean confidence.

    Occasional kinds have a lower weight: family members also talk to each other. Directions are
    not distinguished; the descriptions contain them.
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
    return curation.hand_entities.union(*map(frozenset, curation.aliases))


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


def build_entity(
    members: Sequence[NameCount],
    shown: NameCount,
    evidence: EvidenceIndex,
    n_relations: int,
    edits: Mapping[str, EntityEdit],
    summaries: Mapping[str, str],
) -> tuple[DerivedEntity, str]:
    """Return an entity, and the key of its summary ("" if it needs none).

    The type is the one with most votes of mentions and judgements. The description is the user's,
    else the summary of the descriptions by models, else the best of these.

    Args:
        members: its names, smallest id first; `shown` is one of them.
    """
    edit = merge_edits(sorted(member.name for member in members), edits)
    votes: Counter[str] = Counter()
    descriptions, chunks = [], set()
    for member in members:
        judged = evidence.judgements(member.name_id)
        votes += count_votes(evidence.types(member.name_id), [judgement for _, judgement in judged])
        for extraction, judgement in judged:
            if judgement.type != REJECTED:
                chunks.add(extraction.chunk_id)
                if judgement.description:
                    descriptions.append((extraction.place, judgement.description))
    fragments = list_fragments(descriptions)
    description = edit.description
    if description is None and fragments:
        description = choose_description(fragments, summaries)
    entity = DerivedEntity(
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
    )
    return entity, hash_fragments(fragments) if len(fragments) > 1 else ""


Target = int | Pair
"""An entity id, or the pair of a relation."""


@dataclass(slots=True)
class GraphChange:
    """The differences that one update made.

    Attributes:
        entities, relations: new ones and those with other values.
        removed_entities, removed_relations: ids and pairs that no longer exist.
        entity_of_name: name id -> its entity, for names that changed it; None for no entity.
        needs_quote: entities without a description whose best sentence must be chosen again.
    """

    entities: dict[int, DerivedEntity] = field(default_factory=dict)
    removed_entities: set[int] = field(default_factory=set)
    relations: dict[Pair, DerivedRelation] = field(default_factory=dict)
    removed_relations: set[Pair] = field(default_factory=set)
    entity_of_name: dict[int, int | None] = field(default_factory=dict)
    needs_quote: set[int] = field(default_factory=set)


class GraphBuilder:
    """Keeps entities and relations in memory and updates them from `evidence`.

    The id of an entity is the smallest id of its names, so it does not depend on when it is
    derived.

    Attributes:
        entities, relations: the graph, by entity id and by pair of entity ids.
        counts: name id -> counts, for names that are not rejected by models.
        groups: entity id -> its name ids, smallest first, and the id of the shown name.
        entity_of_name: name id -> entity id.
        entity_of_text: name as written -> entity id.
    """

    def __init__(self) -> None:
        self.evidence = EvidenceIndex()
        self.entities: dict[int, DerivedEntity] = {}
        self.relations: dict[Pair, DerivedRelation] = {}
        self.counts: dict[int, NameCount] = {}
        self.groups: dict[int, tuple[tuple[int, ...], int]] = {}
        self.entity_of_name: dict[int, int] = {}
        self.entity_of_text: dict[str, int] = {}
        self._rejected: set[int] = set()
        self._also_called: dict[tuple[str, str], int] = {}
        self._curation = Curation()
        self._summaries: Mapping[str, str] = {}
        self._links: dict[Pair, set[Pair]] = defaultdict(set)
        self._pair_of_link: dict[Pair, Pair] = {}
        self._partners: dict[int, set[int]] = defaultdict(set)
        self._closeness: dict[int, int] = {}
        self._total = 0
        self._user_relations: dict[Pair, list[UserRelation]] = {}
        self._summary_key: dict[Target, str] = {}
        self._targets_of_summary: dict[str, set[Target]] = defaultdict(set)

    def update(
        self,
        curation: Curation,
        summaries: Mapping[str, str],
        given: Mapping[int, str] | None = None,
    ) -> GraphChange:
        """Update the graph from the changed evidence and return the differences.

        Args:
            summaries: text by `evidence.hash_fragments` of the summarised fragments.
            given: name id -> name, for names of the user that may occur in no document.
        """
        names, mentioned, links = self.evidence.apply_changes()
        old_curation, self._curation = self._curation, curation
        moved: set[int] = set()
        entities: set[int] = set()
        if self._update_names(names, given or {}, has_new_curation=curation != old_curation):
            moved, entities = self._regroup_names()
        needs_quote = entities | {
            self.entity_of_name[i] for i in mentioned if i in self.entity_of_name
        }
        entities |= {self.entity_of_name[i] for i in names if i in self.entity_of_name}
        edits = old_curation.edits
        for name in edits.keys() | curation.edits.keys():
            if edits.get(name) != curation.edits.get(name) and name in self.entity_of_text:
                entities.add(self.entity_of_text[name])
        pairs: set[Pair] = set()
        old_summaries, self._summaries = self._summaries, dict(summaries)
        for key in old_summaries.keys() | summaries.keys():
            if old_summaries.get(key) != summaries.get(key):
                for target in self._targets_of_summary.get(key, ()):
                    if isinstance(target, tuple):
                        pairs.add(target)
                    else:
                        entities.add(target)
        neighbours = self.evidence.neighbours
        links |= {pair_of(i, other) for i in moved for other in neighbours.get(i, ())}
        pairs |= self._map_links(links) | self._update_closeness(entities)
        pairs |= self._map_user_relations()
        change = GraphChange(entity_of_name={i: self.entity_of_name.get(i) for i in moved})
        entities |= self._rebuild_relations(pairs, change)
        self._rebuild_entities(entities, change)
        shown = {i: self.entities[i] for i in needs_quote if i in self.entities}
        change.needs_quote |= {i for i, entity in shown.items() if entity.description is None}
        return change

    def release(self) -> None:
        """Drop the graph and its evidence entry by entry, so that other threads can run."""
        for values in (*vars(self).values(), *vars(self.evidence).values()):
            while isinstance(values, dict) and values:
                values.popitem()

    # --- names and entities -------------------------------------------------------------------

    def _update_names(
        self, names: set[int], given: Mapping[int, str], *, has_new_curation: bool
    ) -> bool:
        """Count changed names; return whether names must be grouped into entities again."""
        evidence = self.evidence
        curation = self._curation  # no model may reject the names in the user's decisions
        pairs = (*curation.merged, *curation.aliases, *map(tuple, curation.never_merged))
        related = [name for r in curation.hand_relations for name in (r.source, r.target)]
        exempt = {name for pair in pairs for name in pair}.union(
            curation.edits, related, curation.hand_entities
        )
        changed = has_new_curation or self._also_called != evidence.also_called
        if changed:
            self._also_called = dict(evidence.also_called)
        if has_new_curation:
            names = names | self._rejected
        for name_id in names | given.keys() | {i for i, n in self.counts.items() if not n.types}:
            new = None
            self._rejected.discard(name_id)
            if evidence.is_mentioned(name_id):
                # The user can withdraw the exemption later, so rejection is always checked.
                if evidence.is_name_rejected(name_id):
                    self._rejected.add(name_id)
                if name_id not in self._rejected or evidence.texts[name_id] in exempt:
                    new = evidence.count_name(name_id)
            elif name_id in given:
                new = NameCount(name_id, given[name_id], 0, {}, "")
            if new != self.counts.get(name_id):
                changed = True
                self.counts.pop(name_id, None)
                if new is not None:
                    self.counts[name_id] = new
        return changed

    def _is_deleted(self, name_id: int) -> bool:
        """Return whether a name is deleted in all of the documents that mention it."""
        name, deleted = self.counts[name_id], self._curation.deleted_names
        within = deleted.get(name.name)
        return name.name in deleted and (within is None or name.documents <= within)

    def _regroup_names(self) -> tuple[set[int], set[int]]:
        """Group names again; return names with another entity and entities with other names."""
        counts, curation = self.counts, self._curation
        groups = {
            min(g.name_ids): (tuple(sorted(g.name_ids)), g.main_name_id)
            for g in resolve_names(
                [counts[i] for i in sorted(counts)],
                also_called=self._also_called,
                merged=(*curation.merged, *curation.aliases),
                never=curation.never_merged,
            )
            if not any(map(self._is_deleted, g.name_ids))
        }
        old, self.groups = self.groups, groups
        old_entity = self.entity_of_name
        new_entity = {i: e for e, (name_ids, _) in groups.items() for i in name_ids}
        all_names = old_entity.keys() | new_entity.keys()
        self.entity_of_name = new_entity
        self.entity_of_text = {counts[i].name: new_entity[i] for i in sorted(new_entity)}
        return (
            {i for i in all_names if old_entity.get(i) != new_entity.get(i)},
            {e for e in old.keys() | groups.keys() if old.get(e) != groups.get(e)},
        )

    # --- relations ----------------------------------------------------------------------------

    def _map_links(self, links: Iterable[Pair]) -> set[Pair]:
        """Map name-level links to entity pairs; return the affected pairs."""
        entity_of_name = self.entity_of_name
        affected: set[Pair] = set()
        for link in links:
            if (old := self._pair_of_link.pop(link, None)) is not None:
                self._links[old].discard(link)
                affected.add(old)
            a, b = entity_of_name.get(link[0]), entity_of_name.get(link[1])
            if link in self.evidence.links and a is not None and b is not None and a != b:
                new = self._pair_of_link[link] = pair_of(a, b)
                self._links[new].add(link)
                affected.add(new)
        return affected

    def _update_closeness(self, entities: Iterable[int]) -> set[Pair]:
        """Update the summed closeness of entities; return the pairs whose weight depends on it."""
        affected: set[Pair] = set()
        for entity in entities:
            name_ids = self.groups.get(entity, ((), 0))[0]
            new = sum(self.evidence.closeness(i) for i in name_ids)
            if new != self._closeness.get(entity, 0):
                affected |= {pair_of(entity, other) for other in self._partners.get(entity, ())}
            self._closeness[entity] = new
            if not name_ids:
                del self._closeness[entity]
        if self.evidence.total != self._total:
            self._total = self.evidence.total
            affected |= self.relations.keys()
        return affected

    def _map_user_relations(self) -> set[Pair]:
        """Map the user's relations to entity pairs; return the pairs for which they changed."""
        old, new = self._user_relations, defaultdict[Pair, list[UserRelation]](list)
        for relation in self._curation.hand_relations:
            a = self.entity_of_text.get(relation.source)
            b = self.entity_of_text.get(relation.target)
            if a is not None and b is not None and a != b:
                new[pair_of(a, b)].append(relation)
        self._user_relations = dict(new)
        return {pair for pair in old.keys() | new.keys() if old.get(pair) != new.get(pair)}

    def _rebuild_relations(self, pairs: Iterable[Pair], change: GraphChange) -> set[int]:
        """Rebuild these relations; return the entities that gained or lost one."""
        affected: set[int] = set()
        for pair in pairs:
            new, key = None, ""
            if links := self._links.get(pair):
                of_link = self.evidence.links
                found = [c for link in links for each in of_link[link].values() for c in each]
                closeness = [self._closeness.get(entity, 0) for entity in pair]
                unit = 1e-6  # closeness is summed in millionths
                new, key = merge_claims(
                    pair,
                    found,
                    self._summaries,
                    (closeness[0] * unit, closeness[1] * unit, self._total * unit),
                )
            else:
                self._links.pop(pair, None)
            if user_relations := self._user_relations.get(pair):
                new = apply_user_relations(pair, new, user_relations)
            self._set_summary_key(pair, key)
            old = self.relations.get(pair)
            if new == old:
                continue
            if new is None:
                del self.relations[pair]
                change.removed_relations.add(pair)
            else:
                self.relations[pair] = change.relations[pair] = new
            if new is None or old is None:
                affected |= set(pair)
                for entity, other in (pair, pair[::-1]):
                    if new is not None:
                        self._partners[entity].add(other)
                    else:
                        self._partners[entity].discard(other)
        return affected

    def _rebuild_entities(self, entities: Iterable[int], change: GraphChange) -> None:
        counts = self.counts
        for entity in entities:
            old = self.entities.get(entity)
            group = self.groups.get(entity)
            if group is None:
                self._set_summary_key(entity, "")
                if old is not None:
                    del self.entities[entity]
                    change.removed_entities.add(entity)
                continue
            new, key = build_entity(
                [counts[i] for i in group[0]],
                counts[group[1]],
                self.evidence,
                len(self._partners.get(entity, ())),
                self._curation.edits,
                self._summaries,
            )
            self._set_summary_key(entity, key)
            if new != old:
                self.entities[entity] = change.entities[entity] = new
                if new.description is None and (old is None or old.description is not None):
                    change.needs_quote.add(entity)

    def _set_summary_key(self, target: Target, key: str) -> None:
        """Store which summary this entity or relation depends on."""
        old = self._summary_key.get(target, "")
        if old == key:
            return
        if old:
            self._targets_of_summary[old].discard(target)
            del self._summary_key[target]
        if key:
            self._targets_of_summary[key].add(target)
            self._summary_key[target] = key
