"""Builds entities and relations from evidence, curation and summaries, incrementally.

`GraphBuilder.update` rebuilds only what a change affects and returns the differences. The result
always equals a graph built from scratch of the same evidence. Knows no database.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..model import STRUCK, NameCount
from .curation import Curation, EntityEdit, UserRelation, merge_edits
from .evidence import choose_description, hash_fragments, list_fragments
from .evidence_index import EvidenceIndex, Pair, count_votes, pair_of
from .name_clusters import NameClusters, ResolveNames
from .names import split_sense
from .relation_merging import Closeness, DerivedRelation, apply_user_relations, merge_claims
from .resolution.rules import top_type


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
    edit = merge_edits((member.name for member in members), edits)
    votes: Counter[str] = Counter()
    descriptions, chunks = [], set()
    for member in members:
        judged = evidence.judgements(member.name_id)
        votes += count_votes(evidence.types(member.name_id), [judgement for _, judgement in judged])
        for extraction, judgement in judged:
            if judgement.type != STRUCK:
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

    Args:
        resolve_names: groups names, see `graph.resolution.rules.resolve_names`. The id of an
            entity is the smallest id of its names, so it does not depend on when it is derived.
    """

    def __init__(self, resolve_names: ResolveNames) -> None:
        self.evidence = EvidenceIndex()
        self.entities: dict[int, DerivedEntity] = {}
        self.relations: dict[Pair, DerivedRelation] = {}
        self._clusters = NameClusters(self.evidence, resolve_names)
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
        moved, regrouped = self._clusters.update(names, curation, given or {})
        entity_of_name = self._clusters.entity_of_name
        entities = regrouped | {entity_of_name[i] for i in names if i in entity_of_name}
        pairs: set[Pair] = set()
        for target in self._find_changed_summaries(summaries):
            if isinstance(target, tuple):
                pairs.add(target)
            else:
                entities.add(target)
        entities |= self._find_changed_edits(curation)
        self._curation, self._summaries = curation, dict(summaries)
        neighbours = self.evidence.neighbours
        links |= {pair_of(i, other) for i in moved for other in neighbours.get(i, ())}
        pairs |= self._map_links(links) | self._update_closeness(entities)
        pairs |= self._map_user_relations()
        change = GraphChange(entity_of_name={i: entity_of_name.get(i) for i in moved})
        entities |= self._rebuild_relations(pairs, change)
        self._rebuild_entities(entities, change)
        needs_quote = regrouped | {entity_of_name[i] for i in mentioned if i in entity_of_name}
        change.needs_quote |= {i for i in needs_quote if self._shows_quote(i)}
        return change

    # --- affected entities and pairs ----------------------------------------------------------

    def _find_changed_summaries(self, summaries: Mapping[str, str]) -> set[Target]:
        """Return the entities and pairs whose summary was added, removed or changed."""
        old = self._summaries
        keys = {k for k in old.keys() | summaries.keys() if old.get(k) != summaries.get(k)}
        return {target for key in keys for target in self._targets_of_summary.get(key, ())}

    def _find_changed_edits(self, curation: Curation) -> set[int]:
        old, new = self._curation.edits, curation.edits
        entity_of_text = self._clusters.entity_of_text
        names = {n for n in old.keys() | new.keys() if old.get(n) != new.get(n)}
        return {entity_of_text[name] for name in names if name in entity_of_text}

    def _map_links(self, links: Iterable[Pair]) -> set[Pair]:
        """Map name-level links to entity pairs; return the affected pairs."""
        entity_of_name = self._clusters.entity_of_name
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
            name_ids = self._clusters.groups.get(entity, ((), 0))[0]
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
        entity_of_text = self._clusters.entity_of_text
        old, self._user_relations = self._user_relations, {}
        for user_relation in self._curation.hand_relations:
            a, b = (
                entity_of_text.get(user_relation.source),
                entity_of_text.get(user_relation.target),
            )
            if a is not None and b is not None and a != b:
                self._user_relations.setdefault(pair_of(a, b), []).append(user_relation)
        return {
            p
            for p in old.keys() | self._user_relations.keys()
            if old.get(p) != self._user_relations.get(p)
        }

    # --- rebuilding ---------------------------------------------------------------------------

    def _rebuild_relations(self, pairs: Iterable[Pair], change: GraphChange) -> set[int]:
        """Rebuild these relations; return the entities that gained or lost one."""
        affected: set[int] = set()
        for pair in pairs:
            new, key = None, ""
            if links := self._links.get(pair):
                of_link = self.evidence.links
                found = [c for link in links for each in of_link[link].values() for c in each]
                new, key = merge_claims(pair, found, self._closeness_of(pair), self._summaries)
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
                self._set_partners(pair, new is not None)
        return affected

    def _closeness_of(self, pair: Pair) -> Closeness:
        unit = 1e-6  # closeness is summed in millionths
        a, b = (self._closeness.get(e, 0) * unit for e in pair)
        return Closeness(a, b, self._total * unit)

    def _set_partners(self, pair: Pair, related: bool) -> None:
        for judgement, other in (pair, pair[::-1]):
            if related:
                self._partners[judgement].add(other)
            else:
                self._partners[judgement].discard(other)

    def _rebuild_entities(self, entities: Iterable[int], change: GraphChange) -> None:
        counts = self._clusters.counts
        for entity in entities:
            old = self.entities.get(entity)
            group = self._clusters.groups.get(entity)
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

    def _shows_quote(self, entity: int) -> bool:
        new = self.entities.get(entity)
        return new is not None and new.description is None

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
