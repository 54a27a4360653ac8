"""Updates the graph tables from evidence and curation.

`update_graph` rebuilds all of it. `GraphUpdater` keeps the evidence in memory and adds chunk by
chunk, which takes a fraction of the time. Both produce the same tables.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterable
from dataclasses import replace

from ..changes import NOTHING, ChangeSet
from ..garbage import without_full_collections
from ..graph.builder import (
    DerivedEntity,
    DerivedRelation,
    GraphBuilder,
    GraphChange,
    list_given_names,
)
from ..graph.evidence import MAX_DESCRIPTION_CHARS, choose_introductions
from ..graph.names import normalise_name, sense_key
from ..graph.resolution import MentionContext, SenseChoice, choose_senses
from ..progress import CancelToken
from ..store import curation, evidence, graph
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


def update_graph(db: Db, cancel: CancelToken | None = None) -> ChangeSet:
    """Rebuild the graph and write the differences, in one transaction."""
    with without_full_collections():
        updater = GraphUpdater(db, cancel)
        try:
            return updater.update()
        finally:
            updater.release()


def ensure_graph_follows_edits(db: Db) -> None:
    """Update the graph if the process of an edit ended before it did."""
    if db.is_writable and graph.is_curation_newer(db):
        update_graph(db)


class GraphUpdater:
    """Updates the graph after each chunk, from evidence that it keeps in memory.

    Create one for a batch of work and drop it afterwards, because it holds all evidence. It
    notices when another object has changed the graph (an edit, a deleted document) and then
    reads all again.

    Args:
        db: the read-write connection.
        cancel: checked between the steps of a rebuild, and what was written is rolled back.
    """

    def __init__(self, db: Db, cancel: CancelToken | None = None) -> None:
        self._db = db
        self._cancel = cancel
        self._version = -1
        self._reset()

    def update(self, also: ChangeSet = NOTHING) -> ChangeSet:
        """Update the graph from evidence, curation and summaries, in one transaction.

        Args:
            also: what the same work changed besides the graph; it is part of the result.
        """
        started = time.monotonic()
        with self._db.transaction():
            whole = self._version != graph.fetch_graph_version(self._db)
            if whole:
                self._reset()
            try:
                change = self._read(assign_senses(self._db))
                may_remove = whole or change.removed_entities or change.removed_relations
                before = graph.fetch_relation_ids(self._db) if may_remove else set()
                entities, relations = self._replace() if whole else self._change(change)
                if may_remove:
                    relations |= before - graph.fetch_relation_ids(self._db)
                graph.mark_curation_newer(self._db, False)
                self._version = graph.increase_graph_version(self._db)
            except BaseException:
                self._version = -1
                raise
        log.info(
            "graph: %d entities, %d relations, %d and %d of them new, in %.2f s",
            len(self._graph.entities),
            len(self._graph.relations),
            len(change.entities),
            len(change.relations),
            time.monotonic() - started,
        )
        return replace(
            also, entities=also.entities | entities, relations=also.relations | relations
        )

    def count_differences(self) -> int:
        """Return the number of stored entities and relations that differ from the evidence.

        Writes nothing. Senses of split names are taken as they are stored.
        """
        self._reset()
        self._read(frozenset())
        return graph.count_differences(
            self._db,
            {i: _entity_values(e) for i, e in self._graph.entities.items()},
            {pair: _relation_values(r) for pair, r in self._graph.relations.items()},
        )

    def release(self) -> None:
        """Drop all evidence entry by entry; at once it would hold the interpreter for a second.

        The next update reads all again.
        """
        self._graph.release()
        self._reset()

    def _check_cancel(self) -> None:
        if self._cancel is not None:
            self._cancel.check()

    def _reset(self) -> None:
        self._graph = GraphBuilder()
        self._keys: set[evidence.ExtractionKey] = set()
        self._summaries: dict[str, str] = {}
        self._summary_times: dict[str, float] = {}
        self._version = -1

    def _read(self, resensed: Collection[int]) -> GraphChange:
        """Read the evidence and curation that is new since the last call.

        Args:
            resensed: chunks with mentions whose sense changed.
        """
        db, evidence_index = self._db, self._graph.evidence
        keys = evidence.fetch_extraction_keys(db)
        kept = {key for key in self._keys & keys if key[1] not in resensed}
        evidence_index.texts |= evidence.fetch_names(db, max(evidence_index.texts, default=0))
        evidence_index.remove(key[0] for key in self._keys - kept)
        for extraction in evidence.fetch_extractions(db, [key[0] for key in keys - kept]):
            evidence_index.add(extraction)
        self._check_cancel()
        self._keys = keys
        decisions = curation.fetch_curation(db)
        given = evidence.find_name_ids(db, sorted(list_given_names(decisions)))
        return self._graph.update(decisions, self._read_summaries(), given)

    def _read_summaries(self) -> dict[str, str]:
        made = evidence.fetch_summary_times(self._db)
        new = [key for key, at in made.items() if self._summary_times.get(key) != at]
        kept = {key: text for key, text in self._summaries.items() if key in made}
        self._summaries = kept | evidence.fetch_summaries(self._db, new)
        self._summary_times = made
        return self._summaries

    # --- writing ----------------------------------------------------------------------------

    def _replace(self) -> tuple[set[int], set[int]]:
        """Write the whole graph by comparing it with the stored one; return the changed ids."""
        entities, relations = self._graph.entities, self._graph.relations
        self._check_cancel()
        changed = graph.replace_entities(
            self._db,
            {i: _entity_values(e) for i, e in entities.items()},
            {name_id: i for i, e in entities.items() for name_id in e.name_ids},
        )
        self._check_cancel()
        quotes = self._quote(None)
        changed |= graph.replace_descriptions(
            self._db,
            {
                i: quotes.get(i, "") if e.description is None else e.description
                for i, e in entities.items()
            },
        )
        self._check_cancel()
        changed_relations = graph.replace_relations(
            self._db, {pair: _relation_values(r) for pair, r in relations.items()}
        )
        return changed, changed_relations

    def _change(self, change: GraphChange) -> tuple[set[int], set[int]]:
        """Write the changed entities and relations; return their ids."""
        graph.change_entities(
            self._db,
            {i: _entity_values(e) for i, e in change.entities.items()},
            change.removed_entities,
            change.entity_of_name,
        )
        quotes = self._quote(change.needs_quote)
        descriptions = {
            i: e.description for i, e in change.entities.items() if e.description is not None
        }
        graph.change_descriptions(
            self._db, descriptions | {i: quotes.get(i, "") for i in change.needs_quote}
        )
        changed_relations = graph.change_relations(
            self._db,
            {pair: _relation_values(r) for pair, r in change.relations.items()},
            change.removed_relations,
        )
        entities = {*change.entities, *change.removed_entities, *change.needs_quote}
        return entities, changed_relations

    def _quote(self, entity_ids: Iterable[int] | None) -> dict[int, str]:
        """Return the quoted introductions of entities; reads the names that were just written."""
        return {
            entity_id: _join(choose_introductions(sentences, 2))
            for entity_id, sentences in graph.fetch_introductions(self._db, entity_ids).items()
        }


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
