"""Reads curation and evidence from the store as the plain data that `engine/graph` takes."""

from __future__ import annotations

from .graph.evidence import Claim, Extraction, Judgement
from .graph.names import Curation, EntityEdit, UserRelation
from .store import curation as curation_rows
from .store.db import Db
from .store.evidence import ExtractionRows


def fetch_curation(db: Db) -> Curation:
    """Return all decisions of the user."""
    return Curation(
        merged=tuple(curation_rows.fetch_merged(db)),
        never_merged=frozenset(frozenset(pair) for pair in curation_rows.fetch_never_merged(db)),
        edits={
            name: EntityEdit(new_name, type_, description)
            for name, new_name, type_, description in curation_rows.fetch_edits(db)
        },
        aliases=tuple(curation_rows.fetch_aliases(db)),
        deleted_names=curation_rows.fetch_deleted_names(db),
        hand_relations=tuple(
            UserRelation(
                a, b, text, tuple(k for k in words.split("\n") if k), weight, bool(gone), kind
            )
            for a, b, text, words, weight, gone, kind in curation_rows.fetch_hand_relations(db)
        ),
        hand_entities=frozenset(curation_rows.fetch_hand_entities(db)),
    )


def build_extraction(rows: ExtractionRows) -> Extraction:
    """Return the rows of one extraction as evidence."""
    return Extraction(
        id=rows.id,
        chunk_id=rows.chunk_id,
        place=(rows.document_id, rows.start),
        language=rows.language,
        strategy=rows.strategy,
        mentions=tuple(rows.mentions),
        claims=tuple(
            Claim(
                claim_id,
                source_id,
                target_id,
                weight,
                tuple(k for k in keywords.split("\n") if k),
                description,
                kind,
                confidence,
                (rows.document_id, start),
                rows.chunk_id,
            )
            for (
                claim_id,
                source_id,
                target_id,
                weight,
                keywords,
                description,
                kind,
                confidence,
                start,
            ) in rows.relations
        ),
        judgements=tuple(Judgement(*name) for name in rows.names),
        also_called=tuple(rows.also_called),
    )
