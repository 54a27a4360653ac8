"""Reads a library for screens and commands and returns plain data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import UserError
from ..graph.names import normalise_name
from ..model import (
    ChatRow,
    DocumentId,
    DocumentRow,
    EntityCard,
    EntityRow,
    Heading,
    LibraryOverview,
    MentionRow,
    MessageRow,
    Page,
    Passage,
    RelationRow,
    Subgraph,
)
from ..scripts import has_han
from ..store import chats, collections, document_metadata, documents, graph
from ..store.db import Db
from ..store.library_settings import find_embedding_model
from ..text.chunking import choose_introductions
from . import provenance
from .collections import CollectionRow, list_collections
from .comparing import CommunityMembership, EntityComparison, compare_entities, list_communities_of
from .editing.history import HistoryRow, list_history, list_history_of
from .editing.previews import DeletePreview, MergePreview, preview_delete, preview_merge
from .graph_views import GraphViewReader
from .provenance import AmbiguousName, list_ambiguous_names

MAX_LISTED = 5000  # number of mentions to choose from


class LibraryReader:
    """Reads from a library; never writes.

    Args:
        db: a connection of the calling thread or lane.
    """

    def __init__(self, db: Db) -> None:
        self._db = db
        self.graph = GraphViewReader(db)

    # --- library ----------------------------------------------------------------------------

    def overview(self) -> LibraryOverview:
        db = self._db
        model = find_embedding_model(db)
        count = documents.count_rows(db)
        return LibraryOverview(
            path=str(db.path),
            name=db.path.stem,
            size_bytes=db.path.stat().st_size,
            n_documents=count["document"],
            n_entities=count["entity"],
            n_relations=count["relation"],
            n_mentions=count["mention"],
            n_chunks=count["chunk"],
            n_windows=count["window"],
            n_embedded=count["embedding"],
            n_chats=count["chat"],
            embedding_model=model[0] if model else "",
        )

    def list_documents(self) -> list[DocumentRow]:
        return documents.fetch_documents(self._db)

    def find_documents_with_text(self, text: str) -> list[int]:
        """Return the documents whose text contains these words."""
        return document_metadata.find_documents_with_text(self._db, text)

    def get_document(self, document_id: int) -> DocumentRow:
        row = documents.find_document(self._db, document_id)
        if row is None:
            raise UserError("This document is no longer in the library.", "Choose another one.")
        return row

    def fetch_text(self, document_id: int) -> str:
        return documents.fetch_text(self._db, document_id) or ""

    def fetch_original(self, document_id: int) -> bytes:
        """Return the original file; rows of one table share the first row's file."""
        found = documents.fetch_original(self._db, document_id)
        return found[0] if found else b""

    def fetch_password(self, document_id: int) -> str | None:
        found = documents.fetch_original(self._db, document_id)
        return (found[1] or None) if found else None

    def fetch_pages(self, document_id: int) -> list[Page]:
        return documents.fetch_pages(self._db, document_id)

    def fetch_outline(self, document_id: int) -> list[Heading]:
        return documents.fetch_outline(self._db, document_id)

    def find_in_document(
        self, document_id: int, text: str, limit: int = 500
    ) -> list[tuple[int, int]]:
        """Return (start, end) of a text in a document, ignoring case, in reading order."""
        wanted = text.strip().casefold()
        whole = self.fetch_text(document_id)
        folded = whole.casefold()
        if len(folded) != len(whole):  # keep offsets
            folded, wanted = whole, text.strip()
        found: list[tuple[int, int]] = []
        position = folded.find(wanted) if wanted else -1
        while position >= 0 and len(found) < limit:
            found.append((position, position + len(wanted)))
            position = folded.find(wanted, position + len(wanted))
        return found

    # --- graph --------------------------------------------------------------------------------

    def list_collections(self) -> list[CollectionRow]:
        """Return all collections, by name."""
        return list_collections(self._db)

    def list_collection_documents(self, collection_id: int) -> list[int]:
        """Return the documents of a collection, including excluded ones."""
        return [int(i) for i in collections.fetch_members(self._db, collection_id)]

    def top_entities(
        self, limit: int = 200, type: str = "", document_id: int | None = None
    ) -> list[EntityRow]:
        return graph.fetch_top_entities(self._db, limit, type, document_id)

    def find_entities(self, text: str, limit: int = 20) -> list[EntityRow]:
        """Return entities by name or alias: equal names first, then prefixes, then substrings."""
        text = text.strip()
        if not text:
            return []
        return graph.find_entities(self._db, text, normalise_name(text), limit)

    def get_entity(self, entity_id: int) -> EntityCard:
        row = graph.find_entity(self._db, entity_id)
        if row is None:
            raise UserError("This name is no longer in the graph.", "Search for it again.")
        names = graph.fetch_aliases(self._db, entity_id)
        return EntityCard(
            row=row,
            aliases=tuple(n for n, _ in names if n != row.name),
            description=row.description,
            description_evidence=tuple(
                choose_introductions(
                    graph.fetch_best_mentions(self._db, entity_id, 24), 4, lambda m: m.sentence
                )
            ),
            edited=graph.is_edited(self._db, entity_id),
        )

    def find_by_names(self, names: list[str]) -> int | None:
        """Return the entity that has exactly one of these names, the first that is found."""
        found = (graph.find_entity_by_name(self._db, name) for name in names)
        return next((entity_id for entity_id in found if entity_id is not None), None)

    def fetch_mentions(self, entity_id: int, limit: int = 200, offset: int = 0) -> list[MentionRow]:
        return graph.fetch_mentions(self._db, entity_id, limit, offset)

    def list_mentions(
        self, entity_id: int, limit: int = MAX_LISTED
    ) -> list[tuple[int, MentionRow]]:
        """Return (mention id, mention) in reading order, one per place."""
        ids = graph.fetch_mention_ids(self._db, entity_id, limit)
        return list(zip(ids, graph.fetch_mention_rows(self._db, ids), strict=True))

    def preview_merge(self, entity_ids: list[int]) -> MergePreview:
        return preview_merge(self._db, entity_ids)

    def preview_delete(self, document_ids: int | list[int]) -> DeletePreview:
        return preview_delete(self._db, document_ids)

    def list_history(self) -> list[HistoryRow]:
        return list_history(self._db)

    def list_history_of(self, entity_id: int) -> list[HistoryRow]:
        """Return the edits that changed an entity, newest first."""
        return list_history_of(self._db, entity_id)

    def list_communities_of(self, entity_id: int) -> list[CommunityMembership]:
        """Return the communities of an entity, smallest first."""
        return list_communities_of(self._db, entity_id)

    def compare(self, left_id: int, right_id: int) -> EntityComparison:
        return compare_entities(self._db, left_id, right_id)

    def list_ambiguous_names(self) -> list[AmbiguousName]:
        """Return mentions of split names whose sense is uncertain."""
        return list_ambiguous_names(self._db)

    def fetch_mention_spread(self, entity_id: int) -> list[tuple[DocumentId, str, list[float]]]:
        return graph.fetch_spread(self._db, entity_id)

    def fetch_relations(self, entity_id: int, limit: int = 100) -> list[RelationRow]:
        return graph.fetch_relations(self._db, entity_id, limit)

    def fetch_relation_evidence(self, relation_id: int, limit: int = 50) -> list[MentionRow]:
        return graph.fetch_relation_evidence(self._db, relation_id, limit)

    def top_relations(self, limit: int = 200) -> list[RelationRow]:
        return graph.fetch_top_relations(self._db, limit)

    def top_graph(self, limit: int = 60) -> Subgraph:
        """Return the most connected entities and the relations among them."""
        return self._subgraph(graph.fetch_top_entities(self._db, limit))

    def neighbourhood(self, entity_ids: list[int], limit: int = 40) -> Subgraph:
        """Return these entities, their strongest neighbours and the relations among all."""
        near = graph.fetch_neighbour_ids(self._db, entity_ids, limit)
        return self._subgraph(graph.fetch_entities(self._db, [*entity_ids, *near]))

    def _subgraph(self, entities: list[EntityRow]) -> Subgraph:
        relations = graph.fetch_relations_among(self._db, [e.id for e in entities])
        n_all = graph.count_entities(self._db)
        return Subgraph(tuple(entities), tuple(relations), n_all)

    def mentions_in(
        self, document_id: int, start: int, end: int
    ) -> list[tuple[int, int, int, str, str]]:
        return graph.fetch_mentions_between(self._db, document_id, start, end)

    # --- provenance -----------------------------------------------------------------------------

    def describe_provenance(self, entity_id: int) -> provenance.EntityProvenance:
        """Return the sources of an entity's description, type and relations."""
        return provenance.describe_provenance(self._db, entity_id)

    def fetch_claims(self, entity_id: int, limit: int = 200) -> list[provenance.ClaimRow]:
        """Return the claims about an entity, in reading order."""
        return provenance.list_claims(self._db, entity_id, limit)

    def list_rejected_names(self) -> list[provenance.RejectedName]:
        """Return the names that models rejected, most mentions first."""
        return provenance.list_rejected_names(self._db)

    # --- chat -----------------------------------------------------------------------------------

    def list_chats(self) -> list[ChatRow]:
        return chats.fetch_chats(self._db)

    def fetch_messages(self, chat_id: int) -> list[MessageRow]:
        return chats.fetch_messages(self._db, chat_id)


MOST_PASSAGES = 24


@dataclass(frozen=True, slots=True)
class NamedPart:
    """Words in a text that name an entity."""

    words: str
    entity_id: int
    name: str
    type: str


def find_named(db: Db, text: str, passages: Sequence[Passage]) -> list[NamedPart]:
    """Return the names in `text` that occur in its passages, in order of first occurrence."""
    known: dict[str, NamedPart] = {}
    for passage in passages[:MOST_PASSAGES]:
        for start, end, entity_id, name, type_ in graph.fetch_mentions_between(
            db, passage.document_id, passage.start, passage.end
        ):
            inside = passage.text[start - passage.start : end - passage.start]
            for words in (" ".join(inside.split()), name):
                if _is_name(words):
                    known.setdefault(words, NamedPart(words, entity_id, name, type_))
    found = dict.fromkeys(match.group() for match in build_pattern(list(known)).finditer(text))
    return [known[words] for words in found]


def build_pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for these words, longest first, whole words only."""
    return re.compile("|".join(map(_bounded, sorted(words, key=len, reverse=True))) or r"(?!)")


def _bounded(words: str) -> str:
    before = r"(?<!\w)" if words[0].isascii() else ""
    after = r"(?!\w)" if words[-1].isascii() else ""
    return before + re.escape(words) + after


def _is_name(words: str) -> bool:
    if has_han(words):
        return len(words) > 1
    return len(words) > 2 and any(c.isupper() for c in words)
