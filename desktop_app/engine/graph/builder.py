"""The graph while evidence comes and goes: equal, at every step, to one made from scratch.

`GrowingGraph` is told extractions, curation and summaries, builds anew only the entities and
relations that these touch, and says which came out different. Knows no database.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..model import STRUCK, NameCount
from .curation import Curation, EntityEdit, UserRelation
from .evidence import describe, hash_fragments, list_fragments
from .evidence_index import EvidenceIndex, Pair, count_votes, pair_of
from .name_clusters import NameClusters, ResolveNames
from .names import split_sense
from .relation_merging import Closeness, DerivedRelation, apply_user_relations, merge_claims
from .resolution.rules import top_type


@dataclass(frozen=True, slots=True)
class DerivedEntity:
    """An entity to be kept; `description` is None where the evidence's best sentence stands.

    `n_enriched` counts the chunks in which a model says something of it.
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
    tally: EvidenceIndex,
    n_relations: int,
    edits: Mapping[str, EntityEdit],
    summaries: Mapping[str, str],
) -> tuple[DerivedEntity, str]:
    """Return an entity and the key that a summary of it would have, "" if none.

    Its type is what most mentions and judgements give; its description is the person's, else a
    summary of what models said, else the best of that.

    Args:
        members: its names, smallest id first; `shown` is one of them.
    """
    edit = _unite_edits(members, edits)
    votes: Counter[str] = Counter()
    said, chunks = [], set()
    for member in members:
        judged = tally.judgements(member.name_id)
        votes += count_votes(tally.types(member.name_id), [one for _, one in judged])
        for extraction, one in judged:
            if one.type != STRUCK:
                chunks.add(extraction.chunk_id)
                if one.description:
                    said.append((extraction.place, one.description))
    fragments = list_fragments(said)
    description = edit.description
    if description is None and fragments:
        description = describe(fragments, summaries)
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


def _unite_edits(members: Sequence[NameCount], edits: Mapping[str, EntityEdit]) -> EntityEdit:
    edit = EntityEdit()
    for member in members:
        if (own := edits.get(member.name)) is not None:
            edit = EntityEdit(
                own.new_name or edit.new_name,
                own.type or edit.type,
                own.description if own.description is not None else edit.description,
            )
    return edit


Target = int | Pair
"""An entity's id or the two of a relation."""


@dataclass(slots=True)
class GraphChange:
    """What one update made different.

    Attributes:
        entities, relations: those that are new or have other values.
        gone_entities, gone_relations: those that are no more.
        homes: the entity, now, of each name that moved; None where it has none any more.
        unquoted: entities without a description whose best sentence must be looked for again.
    """

    entities: dict[int, DerivedEntity] = field(default_factory=dict)
    gone_entities: set[int] = field(default_factory=set)
    relations: dict[Pair, DerivedRelation] = field(default_factory=dict)
    gone_relations: set[Pair] = field(default_factory=set)
    homes: dict[int, int | None] = field(default_factory=dict)
    unquoted: set[int] = field(default_factory=set)


class GraphBuilder:
    """Entities and relations in memory, kept in step with the evidence in its `tally`.

    Args:
        resolve_names: groups names (see `graph.resolve.resolve_names`). An entity's id is the
            smallest id of its names, so that it is the same whenever it is derived.
    """

    def __init__(self, resolve_names: ResolveNames) -> None:
        self.tally = EvidenceIndex()
        self.entities: dict[int, DerivedEntity] = {}
        self.relations: dict[Pair, DerivedRelation] = {}
        self._homes = NameClusters(self.tally, resolve_names)
        self._curation = Curation()
        self._summaries: Mapping[str, str] = {}
        self._links: dict[Pair, set[Pair]] = defaultdict(set)
        self._pair_of_link: dict[Pair, Pair] = {}
        self._partners: dict[int, set[int]] = defaultdict(set)
        self._closeness: dict[int, int] = {}
        self._total = 0
        self._hands: dict[Pair, list[UserRelation]] = {}
        self._summary_key: dict[Target, str] = {}
        self._summed_up: dict[str, set[Target]] = defaultdict(set)

    def update(
        self,
        curation: Curation,
        summaries: Mapping[str, str],
        given: Mapping[int, str] | None = None,
    ) -> GraphChange:
        """Bring the graph in line with the tally and return what became different.

        Args:
            summaries: texts by `fragments.hash_fragments` of what they sum up.
            given: names by id that may stand in no text, since the person gave them.
        """
        names, mentioned, links = self.tally.settle()
        moved, regrouped = self._homes.update(names, curation, given or {})
        home = self._homes.home
        entities = regrouped | {home[i] for i in names if i in home}
        pairs: set[Pair] = set()
        for target in self._told_otherwise(summaries):
            (pairs if isinstance(target, tuple) else entities).add(target)
        entities |= self._edited_otherwise(curation)
        self._curation, self._summaries = curation, dict(summaries)
        neighbours = self.tally.neighbours
        links |= {pair_of(i, other) for i in moved for other in neighbours.get(i, ())}
        pairs |= self._hang(links) | self._measure_closeness(entities) | self._lay_hands()
        change = GraphChange(homes={i: home.get(i) for i in moved})
        entities |= self._fold(pairs, change)
        self._build(entities, change)
        unquoted = regrouped | {home[i] for i in mentioned if i in home}
        change.unquoted |= {i for i in unquoted if self._is_quoted(i)}
        return change

    # --- what is touched ----------------------------------------------------------------------

    def _told_otherwise(self, summaries: Mapping[str, str]) -> set[Target]:
        """Return what a summary came, went or changed for."""
        old = self._summaries
        keys = {k for k in old.keys() | summaries.keys() if old.get(k) != summaries.get(k)}
        return {target for key in keys for target in self._summed_up.get(key, ())}

    def _edited_otherwise(self, curation: Curation) -> set[int]:
        old, new, named = self._curation.edits, curation.edits, self._homes.named
        names = {n for n in old.keys() | new.keys() if old.get(n) != new.get(n)}
        return {named[name] for name in names if name in named}

    def _hang(self, links: Iterable[Pair]) -> set[Pair]:
        """Hang links of names onto pairs of entities; return the pairs touched."""
        home = self._homes.home
        touched: set[Pair] = set()
        for link in links:
            if (old := self._pair_of_link.pop(link, None)) is not None:
                self._links[old].discard(link)
                touched.add(old)
            a, b = home.get(link[0]), home.get(link[1])
            if link in self.tally.links and a is not None and b is not None and a != b:
                new = self._pair_of_link[link] = pair_of(a, b)
                self._links[new].add(link)
                touched.add(new)
        return touched

    def _measure_closeness(self, entities: Iterable[int]) -> set[Pair]:
        """Sum up how close to others these are named; return the pairs weighed otherwise by it."""
        touched: set[Pair] = set()
        for entity in entities:
            name_ids = self._homes.groups.get(entity, ((), 0))[0]
            new = sum(self.tally.closeness(i) for i in name_ids)
            if new != self._closeness.get(entity, 0):
                touched |= {pair_of(entity, other) for other in self._partners.get(entity, ())}
            self._closeness[entity] = new
            if not name_ids:
                del self._closeness[entity]
        if self.tally.total != self._total:
            self._total = self.tally.total
            touched |= self.relations.keys()
        return touched

    def _lay_hands(self) -> set[Pair]:
        """Find the pairs of the relations made by hand; return those with another hand on them."""
        named = self._homes.named
        old, self._hands = self._hands, {}
        for hand in self._curation.hand_relations:
            a, b = named.get(hand.source), named.get(hand.target)
            if a is not None and b is not None and a != b:
                self._hands.setdefault(pair_of(a, b), []).append(hand)
        return {p for p in old.keys() | self._hands.keys() if old.get(p) != self._hands.get(p)}

    # --- what is made -------------------------------------------------------------------------

    def _fold(self, pairs: Iterable[Pair], change: GraphChange) -> set[int]:
        """Make these relations anew; return the entities that gained or lost one."""
        touched: set[int] = set()
        for pair in pairs:
            made, key = None, ""
            if links := self._links.get(pair):
                of_link = self.tally.links
                found = [c for link in links for each in of_link[link].values() for c in each]
                made, key = merge_claims(pair, found, self._closeness_of(pair), self._summaries)
            else:
                self._links.pop(pair, None)
            if hands := self._hands.get(pair):
                made = apply_user_relations(pair, made, hands)
            self._keep_key(pair, key)
            old = self.relations.get(pair)
            if made == old:
                continue
            if made is None:
                del self.relations[pair]
                change.gone_relations.add(pair)
            else:
                self.relations[pair] = change.relations[pair] = made
            if made is None or old is None:
                touched |= set(pair)
                self._tie(pair, made is not None)
        return touched

    def _closeness_of(self, pair: Pair) -> Closeness:
        unit = 1e-6
        a, b = (self._closeness.get(e, 0) * unit for e in pair)
        return Closeness(a, b, self._total * unit)

    def _tie(self, pair: Pair, tied: bool) -> None:
        for one, other in (pair, pair[::-1]):
            if tied:
                self._partners[one].add(other)
            else:
                self._partners[one].discard(other)

    def _build(self, entities: Iterable[int], change: GraphChange) -> None:
        counts = self._homes.counts
        for entity in entities:
            old = self.entities.get(entity)
            group = self._homes.groups.get(entity)
            if group is None:
                self._keep_key(entity, "")
                if old is not None:
                    del self.entities[entity]
                    change.gone_entities.add(entity)
                continue
            made, key = build_entity(
                [counts[i] for i in group[0]],
                counts[group[1]],
                self.tally,
                len(self._partners.get(entity, ())),
                self._curation.edits,
                self._summaries,
            )
            self._keep_key(entity, key)
            if made != old:
                self.entities[entity] = change.entities[entity] = made
                if made.description is None and (old is None or old.description is not None):
                    change.unquoted.add(entity)

    def _is_quoted(self, entity: int) -> bool:
        made = self.entities.get(entity)
        return made is not None and made.description is None

    def _keep_key(self, target: Target, key: str) -> None:
        """Remember which summary would change this entity or relation."""
        old = self._summary_key.get(target, "")
        if old == key:
            return
        if old:
            self._summed_up[old].discard(target)
            del self._summary_key[target]
        if key:
            self._summed_up[key].add(target)
            self._summary_key[target] = key
