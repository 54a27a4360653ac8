"""Brings the graph in line with evidence and curation: read, build purely, write what differs."""

from __future__ import annotations

import logging
import time

from ..changes import ChangeSet
from ..graph.derive import Claim, Curation, DerivedGraph, EntityEdit, HandRelation, build_graph
from ..graph.names import normalise_name
from ..graph.resolve import resolve_names
from ..store import curation as curation_rows
from ..store import derived, evidence
from ..store.db import Db
from ..types import NameCount
from .introducing import choose_introductions

log = logging.getLogger(__name__)

MAX_DESCRIPTION_CHARS = 600


def derive_graph(db: Db) -> ChangeSet:
    """Derive the whole graph again and write the difference, in one transaction."""
    started = time.monotonic()
    graph = build_graph(
        _names(db),
        evidence.fetch_also_called(db),
        [
            Claim(i, a, b, weight, tuple(k for k in keywords.split("\n") if k), description, kind)
            for i, a, b, weight, keywords, description, kind in evidence.fetch_claims(db)
        ],
        fetch_curation(db),
        resolve_names,
    )
    changed = _write(db, graph)
    log.info(
        "graph: %d entities, %d relations in %.2f s",
        len(graph.entities),
        len(graph.relations),
        time.monotonic() - started,
    )
    return changed


def fetch_curation(db: Db) -> Curation:
    """Return everything the person decided, as the pure function wants it."""
    return Curation(
        merged=tuple(curation_rows.fetch_merged(db)),
        never_merged=frozenset(frozenset(pair) for pair in curation_rows.fetch_never_merged(db)),
        edits={
            name: EntityEdit(new_name, type_, description)
            for name, new_name, type_, description in curation_rows.fetch_edits(db)
        },
        aliases=tuple(curation_rows.fetch_aliases(db)),
        deleted_names=frozenset(curation_rows.fetch_deleted_names(db)),
        hand_relations=tuple(
            HandRelation(a, b, text, tuple(k for k in words.split("\n") if k), weight, bool(gone))
            for a, b, text, words, weight, gone in curation_rows.fetch_hand_relations(db)
        ),
    )


def _names(db: Db) -> list[NameCount]:
    """Return the names of the evidence and those that only the person gave."""
    names = evidence.fetch_name_counts(db)
    known = {n.name for n in names}
    given = {text for pair in curation_rows.fetch_aliases(db) for text in pair} - known
    for text in sorted(given):
        name_id = db.value("SELECT id FROM name WHERE text = ? AND sense = 0", (text,))
        if name_id is not None:
            names.append(NameCount(name_id, text, 0, {}, ""))
    return names


def _write(db: Db, graph: DerivedGraph) -> ChangeSet:
    relations = {
        (r.source_id, r.target_id): (
            r.weight,
            r.n_evidence,
            r.description,
            "\n".join(r.keywords),
            r.kind,
            r.best_claim,
        )
        for r in graph.relations
    }
    with db.transaction():
        changed = derived.replace_entities(
            db,
            {
                e.id: (
                    e.name,
                    normalise_name(e.name),
                    e.type,
                    e.n_mentions,
                    e.n_relations,
                    e.n_documents,
                    int(e.edited),
                )
                for e in graph.entities
            },
            {i: e.id for e in graph.entities for i in e.name_ids},
        )
        # Introductions are read through the names that were just written.
        introductions = {
            entity_id: choose_introductions(sentences, 2)
            for entity_id, sentences in derived.fetch_introductions(db).items()
        }
        changed |= derived.replace_descriptions(
            db,
            {
                e.id: e.description
                if e.description is not None
                else _quote(introductions.get(e.id, []))
                for e in graph.entities
            },
        )
        changed_relations = derived.replace_relations(db, relations)
    if len(changed) > 2000:
        return ChangeSet(everything=True)
    return ChangeSet(entities=frozenset(changed), relations=frozenset(changed_relations))


def _quote(sentences: list[str]) -> str:
    """Join the sentences that introduce an entity, as long as they stay a description."""
    kept: list[str] = []
    for sentence in sentences:
        if kept and sum(map(len, kept)) + len(sentence) > MAX_DESCRIPTION_CHARS:
            break
        if sentence not in kept:
            kept.append(sentence[:MAX_DESCRIPTION_CHARS])
    return " … ".join(kept)
