"""Updates the graph tables from evidence and curation, at a cost that follows the change.

Triggers record what changed (`store.graph_changes`). An update counts the changed names again,
groups all names into entities, and derives the entities and relations that this affects. The result
always equals the graph that `graph.builder.derive_graph` builds of all evidence.
"""

from __future__ import annotations

import logging
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast
from weakref import WeakKeyDictionary

from ..changes import NOTHING, ChangeSet
from ..graph.builder import (
    DerivedEntity,
    DerivedRelation,
    build_entity,
    choose_names,
    derive_graph,
    derive_relation,
    group_names,
    list_given_names,
    map_user_relations,
    merge_edits,
)
from ..graph.evidence import (
    MAX_DESCRIPTION_CHARS,
    Pair,
    choose_introductions,
    count_name,
    is_rejected,
    pair_of,
    round_closeness,
    round_total,
)
from ..graph.names import normalise_name, sense_key, split_sense
from ..graph.resolution import (
    MentionContext,
    NameGroup,
    NameResolver,
    SenseChoice,
    choose_senses,
)
from ..model import Curation, NameCount
from ..progress import CancelToken
from ..store import curation, evidence, graph, graph_changes
from ..store.db import Db


def assign_senses(db: Db) -> set[int]:
    """Assign senses to the mentions of split names; return the chunks that changed.

    Runs inside a transaction. Costs one query where no name is split.
    """
    chunks: set[int] = set()
    for name in curation.fetch_split_names(db):
        choices = _choose_senses(db, name)
        senses = {one.sense for one in choices} | {0}
        key = normalise_name(name)
        ids = curation.ensure_senses(db, name, key, senses)
        chunks |= curation.write_senses(
            db, name, {one.mention_id: one.sense for one in choices}, ids
        )
    return chunks


def list_uncertain_mentions(db: Db) -> list[int]:
    """Return the ids of the mentions of split names whose sense is uncertain."""
    return sorted(
        one.mention_id
        for name in curation.fetch_split_names(db)
        for one in _choose_senses(db, name)
        if one.doubtful
    )


def next_sense(db: Db, name: str) -> int:
    """Return an unused sense number of this name."""
    return 1 + curation.fetch_highest_sense(db, name)


def get_curation_key(db: Db, name_id: int) -> str:
    """Return the curation key of this name."""
    found = curation.find_name(db, name_id)
    if found is None:
        raise KeyError(name_id)
    return sense_key(*found)


def _choose_senses(db: Db, name: str) -> list[SenseChoice]:
    co_occurring = curation.fetch_co_occurring_names(db, name)
    mentions = [
        MentionContext(mention_id, document_id, start, co_occurring.get(chunk_id, frozenset()))
        for mention_id, document_id, start, chunk_id, _ in curation.fetch_mentions_of(db, name)
    ]
    return choose_senses(mentions, curation.fetch_chosen(db, name))


log = logging.getLogger(__name__)

# Of a large change: bounds the memory, about 1 KB for each entity or claim.
PAIRS_AT_ONCE = 20_000
ENTITIES_AT_ONCE = 5_000


def update_graph(
    db: Db, also: ChangeSet = NOTHING, *, cancel: CancelToken | None = None
) -> ChangeSet:
    """Bring the graph up to date, in one transaction; return what changed.

    Args:
        also: what the same work changed besides the graph; it is part of the result.
        cancel: checked between the parts of a large update; what was written is rolled back.

    Raises:
        Cancelled: the token was set.
    """
    started = time.monotonic()
    with db.transaction():
        names = _take_names(db)
        update = _GraphUpdate(db, names, cancel)
        update.run()
        graph_changes.forget_changes(db)
        graph.mark_curation_newer(db, False)
        _known_names[db] = graph.increase_graph_version(db), db.n_rolled_back, names
    log.info(
        "graph: %d entities; %d of them and %d relations changed, in %.2f s",
        len(names.groups),
        len(update.changed_entities),
        len(update.changed_relations),
        time.monotonic() - started,
    )
    return replace(
        also,
        entities=also.entities | update.changed_entities,
        relations=also.relations | update.changed_relations,
    )


def rebuild_graph(db: Db) -> ChangeSet:
    """Derive the whole graph again and write the differences, in one transaction."""
    with db.transaction():
        graph_changes.mark_everything_changed(db)
        graph.increase_graph_version(db)  # so that the stored rows are read again
        return update_graph(db)


def ensure_graph_follows_edits(db: Db) -> None:
    """Update the graph if the process of an edit ended before it did."""
    if db.is_writable and graph.is_curation_newer(db):
        update_graph(db)


def count_graph_differences(db: Db) -> int:
    """Return the number of stored entities and relations that differ from the evidence.

    Writes nothing. Senses of split names are taken as they are stored.
    """
    keys = evidence.fetch_extraction_keys(db)
    decisions = curation.fetch_curation(db)
    entities, relations = derive_graph(
        evidence.fetch_extractions(db, [key[0] for key in keys]),
        evidence.fetch_names(db),
        decisions,
        lambda key: evidence.fetch_summaries(db, [key]).get(key),
        evidence.find_name_ids(db, sorted(list_given_names(decisions))),
    )
    return graph.count_differences(
        db,
        {i: _entity_values(e) for i, e in entities.items()},
        {pair: _relation_values(r) for pair, r in relations.items()},
    )


@dataclass(slots=True)
class _Names:
    """The names of the library as of an update, and the entities that they belong to.

    Attributes:
        texts: name id -> name with its sense.
        counts: name id -> counts, of the names that documents mention.
        rejected: names that models judged to be none.
        closeness: name id -> closeness to all others, in millionths.
        names_of: entity id -> its name ids, smallest first.
        shown: entity id -> its displayed name, as stored.
        entity_of_name: name id -> entity id.
        near: entity id -> its closeness, rounded to the step that weights depend on.
        total: closeness of all names, rounded likewise.
        groups: entity id -> its names and the shown one; empty before the first grouping.
        shared: equal parts of counts, kept once.
        grouped_by: the decisions of the last grouping.
        resolver, resolved_by: of the last grouping, and the equations and names it was made for.
    """

    texts: dict[int, str]
    counts: dict[int, NameCount] = field(default_factory=dict)
    rejected: set[int] = field(default_factory=set)
    closeness: dict[int, int] = field(default_factory=dict)
    names_of: dict[int, tuple[int, ...]] = field(default_factory=dict)
    shown: dict[int, str] = field(default_factory=dict)
    entity_of_name: dict[int, int] = field(default_factory=dict)
    near: dict[int, int] = field(default_factory=dict)
    total: int = 0
    groups: dict[int, NameGroup] = field(default_factory=dict)
    grouped_by: Curation | None = None
    shared: dict[Any, Any] = field(default_factory=dict)
    resolver: NameResolver | None = None
    resolved_by: tuple[Mapping[tuple[str, str], int], frozenset[int]] | None = None

    @classmethod
    def load(cls, db: Db) -> _Names:
        """Read the names and entities as of the last update of the graph."""
        names = cls(evidence.fetch_names(db))
        names.count(db, None)
        names.entity_of_name = graph.fetch_all_entities_of_names(db)
        names_of: dict[int, list[int]] = defaultdict(list)
        for name_id, entity_id in sorted(names.entity_of_name.items()):
            names_of[entity_id].append(name_id)
        names.names_of = {e: tuple(ids) for e, ids in names_of.items()}
        names.shown = graph.fetch_entity_names(db)
        names.near = {e: names.find_near(e) for e in names.names_of}
        names.total = names.find_total()
        return names

    def count(self, db: Db, name_ids: Collection[int] | None) -> bool:
        """Read the stored counts of names, None for all; return whether they differ."""
        mentions: dict[int, Counter[tuple[int, str, str]]] = defaultdict(Counter)
        for name_id, document_id, language, type_, n in graph_changes.fetch_name_counts(
            db, name_ids
        ):
            mentions[name_id][document_id, language, type_] += n
        judged = graph_changes.fetch_votes(db, name_ids)
        near = graph_changes.fetch_closeness(db, name_ids)
        is_different = False
        for name_id in mentions if name_ids is None else name_ids:
            old = self.counts.pop(name_id, None), name_id in self.rejected
            self.rejected.discard(name_id)
            if of_name := mentions.get(name_id):
                votes = judged.get(name_id, [])
                count = count_name(name_id, self.texts[name_id], of_name, votes)
                self.counts[name_id] = self._share_parts(count)
                if is_rejected(of_name.total(), votes):
                    self.rejected.add(name_id)
            self.closeness.pop(name_id, None)
            is_different |= old != (self.counts.get(name_id), name_id in self.rejected)
        self.closeness |= near
        return is_different

    def _share_parts(self, count: NameCount) -> NameCount:
        """Return equal counts that share their parts: most names occur once, in few documents."""
        types = self.shared.setdefault(tuple(count.types.items()), count.types)
        documents = self.shared.setdefault(count.documents, count.documents)
        return replace(count, types=types, documents=documents)

    def group(self, db: Db, decisions: Curation, *, is_recounted: bool) -> set[int]:
        """Group the names into entities; return the entities with other names or another label."""
        given = evidence.find_name_ids(db, sorted(list_given_names(decisions)))
        named = choose_names(self.counts, self.rejected, decisions, given)
        equations = {(a, b): n for a, b, n in evidence.fetch_also_called(db)}
        # Of the decisions, those that the grouping depends on.
        joined = replace(decisions, edits={}, hand_relations=())
        by = equations, frozenset(named)
        is_same = self.resolver is not None and by == self.resolved_by and not is_recounted
        if is_same and joined == self.grouped_by:
            return set()
        if self.resolver is None or not is_same:
            self.resolver, self.resolved_by = NameResolver(named.values(), equations), by
        self.grouped_by = joined
        old, self.groups = self.groups, group_names(self.resolver, named, joined)
        old_names_of = self.names_of
        self.names_of = {e: group.name_ids for e, group in self.groups.items()}
        self.entity_of_name = {i: e for e, ids in self.names_of.items() for i in ids}
        return {
            e
            for e in {*self.names_of, *old_names_of, *self.shown}
            if e not in self.groups
            or self.names_of[e] != old_names_of.get(e)
            or (old and self.groups[e] != old.get(e))
            or (not old and self.shown.get(e) != self.find_label(e, decisions))
        }

    def find_label(self, entity_id: int, decisions: Curation) -> str:
        """Return the name that an entity is shown by."""
        group = self.groups[entity_id]
        edit = merge_edits(sorted(self.texts[i] for i in group.name_ids), decisions.edits)
        return edit.new_name or split_sense(self.texts[group.main_name_id])[0]

    def find_near(self, entity_id: int) -> int:
        ids = self.names_of.get(entity_id, ())
        return round_closeness(sum(self.closeness.get(i, 0) for i in ids))

    def find_total(self) -> int:
        return round_total(sum(self.closeness.values()) // 2)


# Of each open library: version of the graph, transactions rolled back until then, names.
_known_names: WeakKeyDictionary[Db, tuple[int, int, _Names]] = WeakKeyDictionary()


def _take_names(db: Db) -> _Names:
    """Return the names as of the last update; read again if somebody else updated the graph.

    Until the update succeeds, nothing is known.
    """
    version, n_rolled_back, names = _known_names.pop(db, (-1, 0, None))
    if names and (version, n_rolled_back) == (graph.fetch_graph_version(db), db.n_rolled_back):
        return names
    return _Names.load(db)


class _GraphUpdate:
    """One update of the graph.

    Attributes:
        changed_entities, changed_relations: ids of what is new, gone, or has other values.
    """

    def __init__(self, db: Db, names: _Names, cancel: CancelToken | None) -> None:
        self._db, self._names, self._cancel = db, names, cancel
        self._decisions = Curation()
        self.changed_entities: set[int] = set()
        self.changed_relations: set[int] = set()

    def run(self) -> None:
        db, names = self._db, self._names
        assign_senses(db)
        changed = graph_changes.fetch_changed_names(db)
        links = graph_changes.fetch_changed_links(db)
        decided = graph_changes.fetch_changed_decisions(db)
        self._decisions = curation.fetch_curation(db)
        names.texts |= evidence.fetch_names(db, max(names.texts, default=0))
        old_entity_of, is_recounted = names.entity_of_name, False
        if changed:
            graph_changes.recount_changed_names(db)
            is_recounted = names.count(db, changed)
        regrouped = names.group(db, self._decisions, is_recounted=is_recounted)
        entity_of = names.entity_of_name
        moved = {
            i for i in {*old_entity_of, *entity_of} if old_entity_of.get(i) != entity_of.get(i)
        }
        if moved:
            links |= graph_changes.fetch_links_of(db, moved)
        edited, related = self._find_decided(decided, moved)
        links |= related
        touched = regrouped | {entity_of[i] for i in {*changed, *edited} if i in entity_of}
        pairs = _map_links(links, old_entity_of) | _map_links(links, entity_of)
        pairs |= self._update_closeness(touched)
        self._write_entities(sorted(touched & names.groups.keys()), moved)
        self._write_relations(sorted(pairs))
        gone = regrouped - names.groups.keys()
        names.shown = {e: label for e, label in names.shown.items() if e not in gone}
        graph.change_entities(db, {}, gone, {})
        self.changed_entities |= gone

    def _find_decided(
        self, decided: Collection[tuple[str, str]], moved: Collection[int | None]
    ) -> tuple[set[int], set[Pair]]:
        """Return the names with changed edits, and the pairs of names whose user relations changed.

        Args:
            decided: names with changed edits, and pairs with changed relations of the user.
            moved: names that belong to another entity than before.
        """
        relations = self._decisions.hand_relations
        if not decided and not (relations and moved):
            return set(), set()
        ids = {text: name_id for name_id, text in self._names.texts.items()}
        edited = {ids[name] for name, other in decided if not other and name in ids}
        wanted = {pair for pair in decided if pair[1]}
        wanted |= {
            (r.source, r.target)
            for r in relations
            if ids.get(r.source) in moved or ids.get(r.target) in moved
        }
        return edited, {(ids[a], ids[b]) for a, b in wanted if a in ids and b in ids}

    def _update_closeness(self, entity_ids: Iterable[int]) -> set[Pair]:
        """Sum the closeness of entities again; return the pairs whose weight depends on it."""
        names, changed = self._names, set()
        for entity_id in entity_ids:
            new = names.find_near(entity_id)
            if new != names.near.get(entity_id, 0):
                changed.add(entity_id)
            names.near[entity_id] = new
            if entity_id not in names.groups:
                del names.near[entity_id]
        total, names.total = names.total, names.find_total()
        if names.total != total:
            return graph_changes.fetch_all_pairs(self._db)
        return graph_changes.fetch_pairs_of(self._db, changed)

    def _check_cancel(self) -> None:
        if self._cancel is not None:
            self._cancel.check()

    # --- writing ----------------------------------------------------------------------------

    def _write_entities(self, entity_ids: Sequence[int], moved: Collection[int]) -> None:
        """Derive entities again and write what differs, and the entities of moved names."""
        parts = [
            entity_ids[i : i + ENTITIES_AT_ONCE]
            for i in range(0, len(entity_ids), ENTITIES_AT_ONCE)
        ]
        described: dict[int, str | None] = {}
        for part in parts:
            described |= self._write_entity_rows(part)
        entity_of = self._names.entity_of_name
        graph.change_entities(self._db, {}, (), {i: entity_of.get(i) for i in moved})
        for part in parts:
            self._check_cancel()
            self._write_descriptions({i: described[i] for i in part})

    def _write_entity_rows(self, entity_ids: Sequence[int]) -> dict[int, str | None]:
        """Derive entities again and write what differs; return their descriptions."""
        db, names = self._db, self._names
        self._check_cancel()
        stored = graph_changes.fetch_entity_values(db, entity_ids)
        name_ids = [i for e in entity_ids for i in names.names_of[e]]
        judged = graph_changes.fetch_judgements(db, name_ids)
        types: dict[int, Mapping[str, int]] = {
            i: names.counts[i].types for i in name_ids if i in names.counts
        }
        types |= {i: Counter() for i in judged}
        for name_id, _, _, type_, n in graph_changes.fetch_name_counts(db, judged):
            cast(Counter[str], types[name_id])[type_] += n
        described: dict[int, str | None] = {}
        changed: dict[int, graph.EntityValues] = {}
        for entity_id in entity_ids:
            group = names.groups[entity_id]
            members = [
                names.counts.get(i) or NameCount(i, names.texts[i], 0, {}, "")
                for i in group.name_ids
            ]
            entity = build_entity(
                members,
                members[group.name_ids.index(group.main_name_id)],
                types,
                judged,
                stored[entity_id][4] if entity_id in stored else 0,
                self._decisions.edits,
                self._find_summary,
            )
            names.shown[entity_id] = entity.name
            described[entity_id] = entity.description
            if (values := _entity_values(entity)) != stored.get(entity_id):
                changed[entity_id] = values
        graph.change_entities(db, changed, (), {})
        self.changed_entities |= changed.keys()
        return described

    def _write_descriptions(self, described: Mapping[int, str | None]) -> None:
        """Write the descriptions of entities; None for a quote of what introduces it best.

        Reads the names that were just written.
        """
        quoted = [i for i, text in described.items() if text is None]
        sentences = graph.fetch_introductions(self._db, quoted)
        texts = {
            i: _join(choose_introductions(sentences.get(i, []), 2)) if text is None else text
            for i, text in described.items()
        }
        self.changed_entities |= graph.change_descriptions(self._db, texts)

    def _write_relations(self, pairs: Sequence[Pair]) -> None:
        """Derive the relations of pairs again and write what differs."""
        db, names = self._db, self._names
        entity_of_text: dict[str, int] = {}
        if self._decisions.hand_relations:
            entity_of_text = {names.texts[i]: e for i, e in names.entity_of_name.items()}
        by_user = map_user_relations(self._decisions, entity_of_text)
        more_or_fewer: set[int] = set()
        for i in range(0, len(pairs), PAIRS_AT_ONCE):
            self._check_cancel()
            part = pairs[i : i + PAIRS_AT_ONCE]
            stored = graph_changes.fetch_relation_values(db, part)
            claims = graph_changes.fetch_claims_of_pairs(db, part)
            changed: dict[Pair, graph.RelationValues] = {}
            gone: list[Pair] = []
            for pair in part:
                closeness = names.near.get(pair[0], 0), names.near.get(pair[1], 0), names.total
                made = derive_relation(
                    pair, claims.get(pair, ()), by_user.get(pair, ()), self._find_summary, closeness
                )
                row_id, old = stored.get(pair, (0, None))
                if made is None:
                    gone += [pair] if row_id else []
                elif (values := _relation_values(made)) != old:
                    changed[pair] = values
                    # A weight that changed alone is not worth showing.
                    if old is not None and old[1:] != values[1:]:
                        self.changed_relations.add(row_id)
            new = changed.keys() - stored.keys()
            graph.write_relations(db, changed, gone)
            self.changed_relations |= {stored[pair][0] for pair in gone}
            self.changed_relations |= set(graph.find_relation_ids(db, new).values())
            more_or_fewer |= {entity for pair in (*new, *gone) for entity in pair}
        self.changed_entities |= graph_changes.update_relation_counts(db, more_or_fewer)

    def _find_summary(self, key: str) -> str | None:
        return evidence.fetch_summaries(self._db, [key]).get(key)


def _map_links(links: Iterable[Pair], entity_of: Mapping[int, int]) -> set[Pair]:
    """Return the pairs of entities of pairs of names."""
    found: set[Pair] = set()
    for a, b in links:
        first, second = entity_of.get(a), entity_of.get(b)
        if first is not None and second is not None and first != second:
            found.add(pair_of(first, second))
    return found


def _entity_values(e: DerivedEntity) -> graph.EntityValues:
    return (
        e.name,
        normalise_name(e.name),
        e.type,
        e.n_mentions,
        e.n_relations,
        e.n_documents,
        int(e.edited),
        e.n_enriched,
        e.summary_key,
    )


def _relation_values(r: DerivedRelation) -> graph.RelationValues:
    return (
        r.weight,
        r.n_evidence,
        r.description,
        "\n".join(r.keywords),
        r.kind,
        r.best_claim,
        r.n_enriched,
        r.confidence,
        r.summary_key,
    )


def _join(sentences: list[str]) -> str:
    """Join introductory sentences up to the maximum length of a description."""
    kept: list[str] = []
    for sentence in sentences:
        if kept and sum(map(len, kept)) + len(sentence) > MAX_DESCRIPTION_CHARS:
            break
        if sentence not in kept:
            kept.append(sentence[:MAX_DESCRIPTION_CHARS])
    return " … ".join(kept)
