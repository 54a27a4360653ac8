"""Updates the graph tables from evidence and curation, at a cost that follows the change.

Triggers record what changed (`store.graph_changes`). An update counts the changed names again,
groups the names near them into entities, and derives the entities and relations that this affects.
The result always equals the graph that `graph.builder.derive_graph` builds of all evidence.
"""

from __future__ import annotations

import logging
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..changes import NOTHING, ChangeNotice, IdSet
from ..garbage import release_freed_memory
from ..graph.builder import (
    DerivedEntity,
    DerivedRelation,
    build_entity,
    choose_names,
    derive_graph,
    derive_relation,
    list_given_names,
    map_user_relations,
    merge_edits,
    weigh_relations,
)
from ..graph.evidence import (
    MAX_DESCRIPTION_CHARS,
    Pair,
    choose_introductions,
    count_name,
    is_rejected,
    round_closeness,
    round_total,
)
from ..graph.grouping import NameGrouper, unite_ids
from ..graph.name_table import NameCounts, NameTexts
from ..graph.names import normalise_name, split_sense
from ..graph.resolution import NameGroup, NameGroups
from ..model import Curation, NameCount
from ..progress import CancelToken
from ..store import curation, evidence, graph, graph_changes
from ..store.db import Db
from .mention_senses import assign_senses

log = logging.getLogger(__name__)

# Of a large change: bounds the memory, about 1 KB for each entity or claim.
PAIRS_AT_ONCE = 20_000
ENTITIES_AT_ONCE = 2_000
NAMES_AT_ONCE = 4_000
WEIGHTS_AT_ONCE = 20_000
MANY_NAMES = 50_000  # of one change: counting them leaves much freed memory


def update_graph(
    db: Db, also: ChangeNotice = NOTHING, *, cancel: CancelToken | None = None
) -> ChangeNotice:
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
        len(names.groups or ()),
        np.count_nonzero(update.is_changed),
        len(update.changed_relations),
        time.monotonic() - started,
    )
    return replace(
        also,
        entities=also.entities | IdSet(update.is_changed),
        relations=also.relations | update.changed_relations,
    )


def prepare_update(db: Db) -> None:
    """Read and group the names, so that the first edit takes no longer than later ones.

    Writes nothing. Nothing is kept if the stored graph differs from the groups, as after a change
    of the rules: the next update finds the differences and writes them.
    """
    with db.transaction():
        version = graph.fetch_graph_version(db), db.n_rolled_back
        names = _take_names(db)
        if names.groups is None:
            moved, regrouped = names.group(db, curation.fetch_curation(db))
            if len(moved) or len(regrouped):
                return
        _known_names[db] = *version, names


def rebuild_graph(db: Db) -> ChangeNotice:
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
        dict(evidence.iter_names(db)),
        decisions,
        lambda key: evidence.fetch_summaries(db, [key]).get(key),
        evidence.find_name_ids(db, sorted(list_given_names(decisions))),
    )
    return graph.count_differences(
        db,
        {i: _entity_values(e) for i, e in entities.items()},
        {pair: _relation_values(r) for pair, r in relations.items()},
    )


Ids = NDArray[np.int64]


class _Names:
    """The names of the library as of an update, and the entities that they belong to.

    There may be hundreds of thousands: what all names have is kept in arrays by name id.

    Attributes:
        texts: name id -> name with its sense.
        counts: name id -> counts, of the names that documents mention.
        rejected: names that models judged to be none.
        name_closeness: name id -> closeness to all others, in millionths: the weights of the claims
            that the instant extraction made of it and another name.
        entity_closeness: entity id -> the sum over its names, rounded to the step that the weights
            of relations depend on.
        total_closeness: that of all names, rounded likewise.
        entity_of: name id -> entity id, 0 for none: of the last grouping, before it as stored.
        groups: the names of each entity; None before the first grouping.
    """

    def __init__(self, db: Db) -> None:
        """Read the names and entities as of the last update of the graph."""
        self.texts = NameTexts()
        self.counts = NameCounts(self.texts)
        self.rejected: set[int] = set()
        self.name_closeness = self.entity_closeness = self.entity_of = np.zeros(0, np.int64)
        self.total_closeness = 0
        self.groups: NameGroups | None = None
        self._grouper = NameGrouper()
        # Pair of names -> how often the text equates them; None before the first grouping.
        self._equations: dict[tuple[str, str], int] | None = None
        self._recounted = np.zeros(0, bool)  # by name id: has other counts than it is grouped by
        # Left out and added by decisions and judgements, as of the last grouping.
        self._chosen: tuple[frozenset[int], frozenset[int]] = frozenset(), frozenset()
        self.read_new(db)
        self.count(db, np.arange(len(self.entity_of)))
        for name_id, entity_id in graph.iter_entities_of_names(db):
            self.entity_of[name_id] = entity_id
        np.add.at(self.entity_closeness, self.entity_of, self.name_closeness)
        self.entity_closeness[0] = 0
        for entity_id in np.flatnonzero(self.entity_closeness).tolist():
            self.entity_closeness[entity_id] = round_closeness(
                int(self.entity_closeness[entity_id])
            )
        self.total_closeness = self.sum_closeness()

    def read_new(self, db: Db) -> None:
        """Read the names that were added since."""
        n_known = len(self.entity_of)
        self.texts.extend(evidence.iter_names(db, max(n_known - 1, 0)))
        n_more = len(self.texts) - n_known
        self.name_closeness = np.pad(self.name_closeness, (0, n_more))
        self.entity_closeness = np.pad(self.entity_closeness, (0, n_more))
        self._recounted = np.pad(self._recounted, (0, n_more))
        self.entity_of = np.pad(self.entity_of, (0, n_more))

    def count(self, db: Db, name_ids: Ids) -> None:
        """Read the stored counts of names."""
        for part in _iter_parts(name_ids, NAMES_AT_ONCE):
            self._count_part(db, part)

    def _count_part(self, db: Db, name_ids: Sequence[int]) -> None:
        mentions: dict[int, Counter[tuple[int, str, str]]] = defaultdict(Counter)
        for name_id, document_id, language, type_, n in graph_changes.fetch_name_counts(
            db, name_ids
        ):
            mentions[name_id][document_id, language, type_] += n
        judged = graph_changes.fetch_votes(db, name_ids)
        for name_id in name_ids:
            old = self.counts.get(name_id), name_id in self.rejected
            of_name, votes = mentions.get(name_id), judged.get(name_id, [])
            new, is_none = None, False
            if of_name:
                new = count_name(name_id, self.texts[name_id], of_name, votes)
                is_none = is_rejected(of_name.total(), votes)
            if (new, is_none) == old:
                continue
            self._recounted[name_id] = True
            self.counts.remove(name_id)
            self.rejected.discard(name_id)
            if new:
                self.counts.set(new)
            if is_none:
                self.rejected.add(name_id)
        self.name_closeness[name_ids] = 0
        for name_id, units in graph_changes.fetch_closeness(db, name_ids).items():
            self.name_closeness[name_id] = units

    def group(self, db: Db, decisions: Curation) -> tuple[Ids, Ids]:
        """Group the names into entities again where counts or decisions changed.

        Returns:
            The names that belong to another entity than before, and the entities, also former
            ones, that have other names or another label.
        """
        given = evidence.find_name_ids(db, sorted(list_given_names(decisions)))
        named = choose_names(self.counts, self.rejected, decisions, given)
        if self._equations is None or graph_changes.has_changed_equations(db):
            self._equations = {(a, b): n for a, b, n in evidence.fetch_also_called(db)}
        chosen = named.left_out, frozenset(named.added)
        changed = np.flatnonzero(self._recounted)
        for new, old in zip(chosen, self._chosen, strict=True):
            other = np.array([*(new ^ old)], np.int64)
            changed = unite_ids(len(self._recounted), changed, other)
        self._recounted[changed], self._chosen = False, chosen
        old_groups, old_entity_of = self.groups, self.entity_of
        grouped_again = self._grouper.change(named, changed, self._equations, decisions)
        self.groups = groups = self._grouper.groups
        n_more = len(old_entity_of) - len(groups.entity_of)
        self.entity_of = np.pad(groups.entity_of, (0, n_more))
        moved = np.flatnonzero(old_entity_of != self.entity_of)
        if old_groups is None:
            edited = [
                e
                for e, label in graph.iter_entity_names(db)
                if e not in groups or label != self.find_label(groups[e], decisions)
            ]
        else:
            edited = [
                e
                for e in grouped_again.tolist()
                if e in groups.joined and e in old_groups and groups[e] != old_groups[e]
            ]
        regrouped = unite_ids(
            len(self.entity_of),
            old_entity_of[moved],
            self.entity_of[moved],
            np.array(edited, np.int64),
        )
        return moved, _drop_none(regrouped)

    def find_label(self, group: NameGroup, decisions: Curation) -> str:
        """Return the name that an entity is shown by."""
        edit = merge_edits(sorted(self.texts[i] for i in group.name_ids), decisions.edits)
        return edit.new_name or split_sense(self.texts[group.main_name_id])[0]

    def update_entity_closeness(self, entity_id: int) -> bool:
        """Sum the closeness of an entity again; return whether its rounded value changed."""
        assert self.groups is not None
        old = self.entity_closeness[entity_id]
        name_ids = self.groups[entity_id].name_ids if entity_id in self.groups else ()
        self.entity_closeness[entity_id] = round_closeness(
            sum(self.name_closeness[i].item() for i in name_ids)
        )
        return bool(old != self.entity_closeness[entity_id])

    def sum_closeness(self) -> int:
        return round_total(int(self.name_closeness.sum()) // 2)


# Of each open library: version of the graph, transactions rolled back until then, names.
_known_names: WeakKeyDictionary[Db, tuple[int, int, _Names]] = WeakKeyDictionary()


def _take_names(db: Db) -> _Names:
    """Return the names as of the last update; read again if another connection updated the graph.

    Until the update succeeds, nothing is known.
    """
    version, n_rolled_back, names = _known_names.pop(db, (-1, 0, None))
    if names and (version, n_rolled_back) == (graph.fetch_graph_version(db), db.n_rolled_back):
        return names
    return _Names(db)


class _GraphUpdate:
    """One update of the graph.

    Attributes:
        is_changed: entity id -> whether it is new, gone, or has other values.
        changed_relations: the same of relations, as ids.
    """

    def __init__(self, db: Db, names: _Names, cancel: CancelToken | None) -> None:
        self._db, self._names, self._cancel = db, names, cancel
        self._decisions = Curation()
        self.is_changed = np.zeros(0, bool)
        self.changed_relations: set[int] = set()
        self._has_new_total = False  # on which all weights depend

    def run(self) -> None:
        db, names = self._db, self._names
        assign_senses(db)
        names.read_new(db)
        self.is_changed = np.zeros(len(names.entity_of), bool)
        changed = np.fromiter(graph_changes.iter_changed_names(db), np.int64)
        changed = changed[changed < len(names.entity_of)]
        name_pairs = graph_changes.fetch_changed_name_pairs(db)
        decided = graph_changes.fetch_changed_decisions(db)
        self._decisions = curation.fetch_curation(db)
        old_entity_of = names.entity_of
        if len(changed):
            graph_changes.recount_changed_names(db)
            names.count(db, changed)
            if len(changed) > MANY_NAMES:
                release_freed_memory()
        moved, regrouped = names.group(db, self._decisions)
        for part in _iter_parts(moved, NAMES_AT_ONCE):
            name_pairs |= graph_changes.fetch_name_pairs_of(db, part)
        edited, related = self._find_decided(decided, moved)
        name_pairs |= related
        size = len(names.entity_of)
        touched = unite_ids(size, names.entity_of[changed], names.entity_of[edited], regrouped)
        touched = _drop_none(touched)
        pairs = _map_name_pairs(name_pairs, old_entity_of) | _map_name_pairs(
            name_pairs, names.entity_of
        )
        reweighed = self._update_closeness(touched)
        is_gone = names.entity_of[regrouped] != regrouped
        gone = regrouped[is_gone].tolist()
        touched = touched[names.entity_of[touched] == touched]
        self._write_entities(touched, moved)
        self._write_relations(pairs, reweighed)
        graph.change_entities(db, {}, gone, {})
        self.is_changed[gone] = True
        if len(changed) > MANY_NAMES:
            release_freed_memory()

    @property
    def _groups(self) -> NameGroups:
        assert self._names.groups is not None  # `run` has grouped
        return self._names.groups

    def _find_decided(
        self, decided: Collection[tuple[str, str]], moved_ids: Ids
    ) -> tuple[list[int], set[Pair]]:
        """Return the names with changed edits, and the pairs of names whose user relations changed.

        Args:
            decided: names with changed edits, and pairs with changed relations of the user.
            moved_ids: names that belong to another entity than before.
        """
        relations = self._decisions.user_relations
        if not decided and not (relations and len(moved_ids)):
            return [], set()
        moved = set(moved_ids.tolist())
        texts = {text for pair in decided for text in pair if text}
        texts |= {text for r in relations for text in (r.source, r.target)}
        ids = evidence.find_ids_of_keys(self._db, texts)
        edited = [ids[name] for name, other in decided if not other and name in ids]
        wanted = {pair for pair in decided if pair[1]}
        wanted |= {
            (r.source, r.target)
            for r in relations
            if ids.get(r.source) in moved or ids.get(r.target) in moved
        }
        return edited, {(ids[a], ids[b]) for a, b in wanted if a in ids and b in ids}

    def _update_closeness(self, entity_ids: Ids) -> list[int]:
        """Sum the closeness of entities again; return those on whose value weights depend."""
        names = self._names
        changed = [
            i
            for part in _iter_parts(entity_ids, NAMES_AT_ONCE)
            for i in part
            if names.update_entity_closeness(i)
        ]
        total, names.total_closeness = names.total_closeness, names.sum_closeness()
        self._has_new_total = names.total_closeness != total
        return changed

    def _check_cancel(self) -> None:
        if self._cancel is not None:
            self._cancel.check()

    # --- writing ----------------------------------------------------------------------------

    def _write_entities(self, entity_ids: Ids, moved: Ids) -> None:
        """Derive entities again and write what differs, and the entities of moved names."""
        described: dict[int, str] = {}
        for part in _iter_parts(entity_ids, ENTITIES_AT_ONCE):
            described |= self._write_entity_rows(part)
        for part in _iter_parts(moved, NAMES_AT_ONCE):
            entity_of_name = dict(zip(part, self._names.entity_of[part].tolist(), strict=True))
            graph.change_entities(self._db, {}, (), entity_of_name)
        for part in _iter_parts(entity_ids, ENTITIES_AT_ONCE):
            self._check_cancel()
            self._write_descriptions({i: described.get(i) for i in part})

    def _write_entity_rows(self, entity_ids: Sequence[int]) -> dict[int, str]:
        """Derive entities again and write what differs; return the descriptions they have."""
        db, names = self._db, self._names
        self._check_cancel()
        stored = graph_changes.fetch_entity_values(db, entity_ids)
        groups = {e: self._groups[e] for e in entity_ids}
        name_ids = [i for group in groups.values() for i in group.name_ids]
        judged = graph_changes.fetch_judgements(db, name_ids)
        types: dict[int, Mapping[str, int]] = {
            i: names.counts[i].types for i in name_ids if i in names.counts
        }
        types |= {i: Counter() for i in judged}
        for name_id, _, _, type_, n in graph_changes.fetch_name_counts(db, judged):
            cast(Counter[str], types[name_id])[type_] += n
        described: dict[int, str] = {}
        changed: dict[int, graph.EntityValues] = {}
        for entity_id, group in groups.items():
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
            if entity.description is not None:
                described[entity_id] = entity.description
            if (values := _entity_values(entity)) != stored.get(entity_id):
                changed[entity_id] = values
        graph.change_entities(db, changed, (), {})
        self.is_changed[list(changed)] = True
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
        self.is_changed[graph.change_descriptions(self._db, texts)] = True

    def _write_relations(self, changed_pairs: set[Pair], reweighed: Sequence[int]) -> None:
        """Derive the relations of pairs again and write what differs.

        Args:
            reweighed: entities with another closeness, on which the weights of all their relations
                depend.
        """
        db, names = self._db, self._names
        texts = {t for r in self._decisions.user_relations for t in (r.source, r.target)}
        ids = evidence.find_ids_of_keys(db, texts)
        entities = {text: names.entity_of[i].item() for text, i in ids.items()}
        by_user = map_user_relations(self._decisions, {t: e for t, e in entities.items() if e})
        rows = self._iter_weight_rows(None if self._has_new_total else reweighed)
        self._write_weights(rows, {*changed_pairs, *by_user})
        ends = set(reweighed)
        of_user = {p for p in by_user if self._has_new_total or not ends.isdisjoint(p)}
        pairs = sorted(changed_pairs | of_user)
        more_or_fewer: set[int] = set()
        for i in range(0, len(pairs), PAIRS_AT_ONCE):
            self._check_cancel()
            part = pairs[i : i + PAIRS_AT_ONCE]
            stored = graph_changes.fetch_relation_values(db, part)
            claims = graph_changes.fetch_claims_of_pairs(db, part)
            changed: dict[Pair, graph.RelationValues] = {}
            gone: list[Pair] = []
            closeness = names.entity_closeness[np.array(part)].tolist()
            for pair, (first, second) in zip(part, closeness, strict=True):
                made = derive_relation(
                    pair,
                    claims.get(pair, ()),
                    by_user.get(pair, ()),
                    self._find_summary,
                    (first, second, names.total_closeness),
                )
                row_id, old = stored.get(pair, (0, None))
                if made is None:
                    gone += [pair] if row_id else []
                elif (values := _relation_values(made)) != old:
                    changed[pair] = values
                    # A weight that changed alone is not worth showing.
                    if old is not None and old[1:-2] != values[1:-2]:
                        self.changed_relations.add(row_id)
            new = changed.keys() - stored.keys()
            graph.write_relations(db, changed, gone)
            self.changed_relations |= {stored[pair][0] for pair in gone}
            self.changed_relations |= set(graph.find_relation_ids(db, new).values())
            more_or_fewer |= {entity for pair in (*new, *gone) for entity in pair}
        changed_counts = graph_changes.update_relation_counts(db, more_or_fewer)
        self.is_changed[list(changed_counts)] = True

    def _iter_weight_rows(
        self, entity_ids: Sequence[int] | None
    ) -> Iterator[list[graph.WeightRow]]:
        """Yield the rows of the relations with claims, in parts; some twice.

        Args:
            entity_ids: whose relations; None for all.
        """
        if entity_ids is not None:
            for i in range(0, len(entity_ids), ENTITIES_AT_ONCE):
                self._check_cancel()
                part = entity_ids[i : i + ENTITIES_AT_ONCE]
                yield graph.fetch_weight_rows_of(self._db, part)
            return
        after_id = 0
        while rows := graph.fetch_weight_rows(self._db, after_id, WEIGHTS_AT_ONCE):
            self._check_cancel()
            yield rows
            after_id = rows[-1][0]

    def _write_weights(
        self, parts: Iterable[Sequence[graph.WeightRow]], besides: Collection[Pair]
    ) -> None:
        """Compute the weights of relations again, without reading their claims.

        Args:
            besides: pairs that are left out: their claims changed, or their relations are not only
                those of the documents.
        """
        closeness, total = self._names.entity_closeness, self._names.total_closeness
        for part in parts:
            rows = [row for row in part if (row[1], row[2]) not in besides]
            if not rows:
                continue
            sums = np.array([row[4:] for row in rows])
            ends = closeness[np.array([row[1:3] for row in rows])]
            weights = weigh_relations(sums[:, 0], sums[:, 1], ends[:, 0], ends[:, 1], total)
            changed = [
                (weight, row[0])
                for weight, row in zip(weights, rows, strict=True)
                if weight != row[3]
            ]
            graph.change_weights(self._db, changed)

    def _find_summary(self, key: str) -> str | None:
        return evidence.fetch_summaries(self._db, [key]).get(key)


def _iter_parts(ids: Ids, n: int) -> Iterator[list[int]]:
    """Yield the ids in parts of at most `n`."""
    for i in range(0, len(ids), n):
        yield ids[i : i + n].tolist()


def _drop_none(entity_ids: Ids) -> Ids:
    """Return the ids without 0, which stands for no entity."""
    return entity_ids[entity_ids > 0]


def _map_name_pairs(name_pairs: Collection[Pair], entity_of: Ids) -> set[Pair]:
    """Return the pairs of entities of pairs of names.

    Args:
        entity_of: name id -> entity id, 0 for none.
    """
    if not name_pairs:
        return set()
    ends = entity_of[np.array(list(name_pairs))]
    ends = np.sort(ends[(ends.all(axis=1)) & (ends[:, 0] != ends[:, 1])], axis=1)
    return {(a, b) for a, b in ends.tolist()}


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
        r.direction,
        r.strength,
        r.closeness,
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
