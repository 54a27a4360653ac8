"""Reads a library for screens and commands and returns plain data."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from itertools import islice
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from ..deferred import defer, import_later
from ..errors import DocumentInTrash, UserError
from ..model import (
    DocumentRow,
    EntityRow,
    LibraryOverview,
    MentionRow,
    Passage,
    Subgraph,
)
from ..scanned_pages import ScannedPage
from ..store import (
    chats,
    collections,
    document_metadata,
    documents,
    figures,
    file_versions,
    graph,
    graph_view,
    scanned_pages,
    trash,
)
from ..store.annotations import count_annotations
from ..store.db import Db
from ..store.search import find_embedding_model
from ..writing_systems import has_han
from .collections import list_collections, list_members

if TYPE_CHECKING:
    from ..graph.names import normalise_name
    from ..text.literal_search import find_literally
    from .annotation_entries import list_annotation_entries
    from .covers import fetch_covers
    from .editing.history import list_history, list_history_of
    from .editing.previews import preview_delete, preview_merge
    from .entity_comparison import compare_entities, list_communities_of
    from .events import list_events, read_event_sentence
    from .exporting.references import export_references, fetch_references
    from .graph_views import GraphViewReader
    from .name_descriptions import describe_entity, list_introductions, propose_description
    from .provenance import (
        describe_provenance,
        list_ambiguous_names,
        list_claims,
        list_rejected_names,
    )
    from .quotation_search import find_quotation
    from .suggested_subjects import find_called_by_name, list_pairs, list_subjects
else:  # what the window does not need before it is shown takes a tenth of the start to import
    _HERE, _ENGINE = __name__.rpartition(".")[0], __name__.rpartition(".services")[0]
    normalise_name = import_later(f"{_ENGINE}.graph.names", "normalise_name")
    find_literally = import_later(f"{_ENGINE}.text.literal_search", "find_literally")
    fetch_covers = import_later(f"{_HERE}.covers", "fetch_covers")
    list_history = import_later(f"{_HERE}.editing.history", "list_history")
    list_history_of = import_later(f"{_HERE}.editing.history", "list_history_of")
    preview_delete = import_later(f"{_HERE}.editing.previews", "preview_delete")
    preview_merge = import_later(f"{_HERE}.editing.previews", "preview_merge")
    compare_entities = import_later(f"{_HERE}.entity_comparison", "compare_entities")
    list_communities_of = import_later(f"{_HERE}.entity_comparison", "list_communities_of")
    list_events = import_later(f"{_HERE}.events", "list_events")
    read_event_sentence = import_later(f"{_HERE}.events", "read_event_sentence")
    describe_entity = import_later(f"{_HERE}.name_descriptions", "describe_entity")
    list_introductions = import_later(f"{_HERE}.name_descriptions", "list_introductions")
    propose_description = import_later(f"{_HERE}.name_descriptions", "propose_description")
    export_references = import_later(f"{_HERE}.exporting.references", "export_references")
    fetch_references = import_later(f"{_HERE}.exporting.references", "fetch_references")
    list_annotation_entries = import_later(f"{_HERE}.annotation_entries", "list_annotation_entries")
    describe_provenance = import_later(f"{_HERE}.provenance", "describe_provenance")
    list_ambiguous_names = import_later(f"{_HERE}.provenance", "list_ambiguous_names")
    list_claims = import_later(f"{_HERE}.provenance", "list_claims")
    list_rejected_names = import_later(f"{_HERE}.provenance", "list_rejected_names")
    find_quotation = import_later(f"{_HERE}.quotation_search", "find_quotation")
    find_called_by_name = import_later(f"{_HERE}.suggested_subjects", "find_called_by_name")
    list_pairs = import_later(f"{_HERE}.suggested_subjects", "list_pairs")
    list_subjects = import_later(f"{_HERE}.suggested_subjects", "list_subjects")

MAX_LISTED = 5000  # number of mentions to choose from


P = ParamSpec("P")
R = TypeVar("R")


def _read_with(fn: Callable[Concatenate[Db, P], R]) -> Callable[Concatenate[LibraryReader, P], R]:
    """Return a function that reads from a connection as a method that reads from a library."""

    @wraps(fn)
    def method(self: LibraryReader, *args: P.args, **kwargs: P.kwargs) -> R:
        return fn(self.db, *args, **kwargs)

    return method


class LibraryReader:
    """Reads from a library; never writes.

    Args:
        db: a connection of the calling thread or lane.
    """

    def __init__(self, db: Db) -> None:
        self.db = db

        def build_graph() -> GraphViewReader:
            from .graph_views import GraphViewReader

            return GraphViewReader(db)

        self.graph = defer(build_graph)

    # --- functions of the store and of services, with the library's connection ------------------

    list_documents = _read_with(documents.fetch_documents)
    list_titles = _read_with(documents.fetch_titles)
    list_equal_titles = _read_with(documents.fetch_equal_titles)
    has_several_documents = _read_with(documents.has_several)
    list_titles_in_trash = _read_with(trash.fetch_titles)
    fetch_covers = _read_with(fetch_covers)
    fetch_pages = _read_with(documents.fetch_pages)
    fetch_outline = _read_with(documents.fetch_outline)
    list_collections = _read_with(list_collections)
    list_collection_members = _read_with(list_members)
    list_annotation_entries = _read_with(list_annotation_entries)
    find_quotation = _read_with(find_quotation)
    list_pairs = _read_with(list_pairs)
    list_subjects = _read_with(list_subjects)
    export_references = _read_with(export_references)
    fetch_references = _read_with(fetch_references)
    list_collection_documents = _read_with(collections.fetch_members)
    list_collections_of = _read_with(collections.fetch_collections_of)
    fetch_entities = _read_with(graph.fetch_entities)
    fetch_mentions = _read_with(graph.fetch_mentions)
    preview_merge = _read_with(preview_merge)
    preview_delete = _read_with(preview_delete)
    list_history = _read_with(list_history)
    list_history_of = _read_with(list_history_of)
    list_communities_of = _read_with(list_communities_of)
    compare = _read_with(compare_entities)
    list_ambiguous_names = _read_with(list_ambiguous_names)
    fetch_mention_spread = _read_with(graph.fetch_spread)
    fetch_chapters = _read_with(graph.fetch_chapters)
    fetch_relations = _read_with(graph.fetch_relations)
    fetch_relation_evidence = _read_with(graph.fetch_relation_evidence)
    top_relations = _read_with(graph.fetch_top_relations)
    mentions_in = _read_with(graph.fetch_mentions_between)
    describe_provenance = _read_with(describe_provenance)
    fetch_claims = _read_with(list_claims)
    list_events = _read_with(list_events)
    read_event_sentence = _read_with(read_event_sentence)
    get_entity = _read_with(describe_entity)
    list_introductions = _read_with(list_introductions)
    propose_description = _read_with(propose_description)
    list_rejected_names = _read_with(list_rejected_names)
    list_chats = _read_with(chats.fetch_chats)
    fetch_messages = _read_with(chats.fetch_messages)

    # --- library ----------------------------------------------------------------------------

    def overview(self, before: LibraryOverview | None = None) -> LibraryOverview:
        """Return the numbers of the library.

        Args:
            before: an earlier overview, since which no document changed.
        """
        db = self.db
        model = find_embedding_model(db)
        count = documents.count_rows(db, of_documents=before is None)
        if before is not None:
            count |= {
                "document": before.n_documents,
                "mention": before.n_mentions,
                "chunk": before.n_chunks,
                "window": before.n_windows,
            }
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
            n_annotations=count_annotations(db),
            embedding_model=model[0] if model else "",
            versions_bytes=file_versions.measure_versions(db)[1],
        )

    def get_document(self, document_id: int) -> DocumentRow:
        row = documents.find_document(self.db, document_id)
        if row is None:
            if trash.is_in_trash(self.db, document_id):
                raise DocumentInTrash(
                    "This document is in the trash.",
                    "Restore it to read it.",
                    document_id=document_id,
                )
            raise UserError("This document is no longer in the library.", "Choose another one.")
        return row

    def find_documents_with_text(self, text: str) -> list[int]:
        """Return the documents that contain these words, in their text or in a picture."""
        found = document_metadata.find_documents_with_text(self.db, text)
        return list(dict.fromkeys([*found, *figures.find_documents(self.db, text.split())]))

    def find_start(self, document_id: int) -> int:
        """Return the offset of the work itself, behind a licence text; 0 without one."""
        body = documents.find_body(self.db, document_id)
        return body.start if body is not None else 0

    def fetch_text(self, document_id: int) -> str:
        return documents.fetch_text(self.db, document_id) or ""

    def fetch_scanned_pages(self, document_id: int) -> dict[int, ScannedPage]:
        """Return page index -> page of those that were read as pictures."""
        return scanned_pages.fetch_pages(self.db, document_id)

    def find_inner_place(self, document_id: int) -> str:
        """Return where a document lies in its file, "" for one that is the file itself."""
        return documents.find_inner_place(self.db, document_id)

    def fetch_original(self, document_id: int) -> bytes:
        """Return the original file; rows of one table share the first row's file."""
        return documents.fetch_original(self.db, document_id) or b""

    def find_in_document(
        self,
        document_id: int,
        text: str,
        limit: int = 500,
        *,
        match_case: bool = False,
        whole_words: bool = False,
    ) -> list[tuple[int, int]]:
        """Return (start, end) of a text in a document in reading order; see `find_literally`."""
        whole = self.fetch_text(document_id)
        found = find_literally(whole, text, match_case=match_case, whole_words=whole_words)
        return list(islice(found, limit))

    # --- graph --------------------------------------------------------------------------------

    def top_entities(self, limit: int = 200, type: str = "") -> list[EntityRow]:
        return graph.fetch_top_entities(self.db, limit, type)

    def entities_of_document(self, document_id: int, limit: int) -> list[EntityRow]:
        """Return the entities most mentioned in a document, with their mentions there."""
        return graph.fetch_entities_of_document(self.db, document_id, limit)

    def find_entities(self, text: str, limit: int = 20) -> list[EntityRow]:
        """Return entities by name or alias: equal names first, then prefixes, then substrings."""
        text = text.strip()
        if not text or "\0" in text:  # SQLite's patterns end at a null character
            return []
        return graph.find_entities(self.db, text, normalise_name(text), limit)

    def suggest_connections(
        self, entity_id: int, limit: int = 12
    ) -> tuple[list[EntityRow], list[str]]:
        """Return names that an entity may be connected with, and kinds, most frequent first."""
        names = graph.fetch_unconnected(self.db, entity_id, limit)
        return names, [kind for kind, _ in graph_view.fetch_kinds(self.db)]

    def find_by_names(self, names: list[str]) -> int | None:
        """Return the entity that has exactly one of these names, the first that is found."""
        found = (graph.find_entity_by_name(self.db, name, normalise_name(name)) for name in names)
        return next((entity_id for entity_id in found if entity_id is not None), None)

    def list_mentions(
        self, entity_id: int, limit: int = MAX_LISTED
    ) -> list[tuple[int, MentionRow]]:
        """Return (mention id, mention) in reading order, one per place."""
        ids = graph.fetch_mention_ids(self.db, entity_id, limit)
        return list(zip(ids, graph.fetch_mention_rows(self.db, ids), strict=True))

    def top_graph(self, limit: int = 60) -> Subgraph:
        """Return the main entities of all large documents and the relations among them."""
        return self._subgraph(graph.fetch_main_entities(self.db, limit))

    def neighbourhood(self, entity_ids: list[int], limit: int = 40) -> Subgraph:
        """Return these entities, their strongest neighbours and the relations among all."""
        near = graph.fetch_neighbour_ids(self.db, entity_ids, limit)
        return self._subgraph(graph.fetch_entities(self.db, [*entity_ids, *near]))

    def _subgraph(self, entities: list[EntityRow]) -> Subgraph:
        relations = graph.fetch_relations_among(self.db, [e.id for e in entities])
        n_all = graph.count_entities(self.db)
        return Subgraph(tuple(entities), tuple(relations), n_all)


MAX_PASSAGES = 24
FREQUENT_MENTIONS, FREQUENT_RANK = 5, 30  # of a name in its document; one of them is enough


@dataclass(frozen=True, slots=True)
class NamedPart:
    """Words in a text that name an entity.

    `is_subject`: a document that was read mentions it often enough to ask about it, and calls it
    by its name alone.
    """

    words: str
    entity_id: int
    name: str
    type: str
    is_subject: bool = True


def find_named(db: Db, text: str, passages: Sequence[Passage]) -> list[NamedPart]:
    """Return the names in `text` that occur in its passages, in order of first occurrence."""
    known: dict[str, NamedPart] = {}
    places: dict[int, set[int]] = {}  # the documents in which an entity was read
    for passage in passages[:MAX_PASSAGES]:
        for start, end, entity_id, name, type_ in graph.fetch_mentions_between(
            db, passage.document_id, passage.start, passage.end
        ):
            inside = passage.text[start - passage.start : end - passage.start]
            for words in (" ".join(inside.split()), name):
                if _is_name(words):
                    known.setdefault(words, NamedPart(words, entity_id, name, type_))
                    places.setdefault(entity_id, set()).add(passage.document_id)
    found = dict.fromkeys(match.group() for match in build_pattern(list(known)).finditer(text))
    named = [known[words] for words in found]
    type_of = {part.entity_id: part.type for part in named}
    subjects, languages = set[int](), documents.fetch_languages(db)
    for document_id in set[int]().union(*(places[entity_id] for entity_id in type_of)):
        frequent = {i: type_of[i] for i in _find_frequent(db, document_id) if i in type_of}
        is_chinese = languages.get(document_id) == "zh"
        subjects |= find_called_by_name(db, document_id, frequent, is_chinese=is_chinese)
    return [replace(part, is_subject=part.entity_id in subjects) for part in named]


def _find_frequent(db: Db, document_id: int) -> set[int]:
    """Return the entities that a document mentions several times.

    What is mentioned once is a passing word, also in a short text where all names are rare.
    """
    counts = graph.fetch_repeated_entities(db, document_id)
    return {
        entity_id
        for rank, (entity_id, n) in enumerate(counts)
        if n >= FREQUENT_MENTIONS or rank < FREQUENT_RANK
    }


def build_pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for these words, longest first, whole words only."""
    bounded = (
        (r"(?<!\w)" if w[0].isascii() else "")
        + re.escape(w)
        + (r"(?!\w)" if w[-1].isascii() else "")
        for w in sorted(words, key=len, reverse=True)
    )
    return re.compile("|".join(bounded) or r"(?!)")


def _is_name(words: str) -> bool:
    if has_han(words):
        return len(words) > 1
    return len(words) > 2 and any(c.isupper() for c in words)
