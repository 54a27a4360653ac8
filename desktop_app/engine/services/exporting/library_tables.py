"""The library as typed tables, which exports to databases and graph programs write.

`TABLES` says which columns there are and what they mean; `LibraryTables` reads their rows one after
another, so that a large library needs little memory. A format decides only how a table is written:
all formats have the same facts under the same ids.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice
from typing import Any

from ...communities.reader import CommunityReader
from ...model import BACKWARD, DIRECTIONS, EVENT_ROLES, FORWARD, EventRow, reverse_direction
from ...progress import CancelToken
from ...store import documents, export_rows, graph
from ...store.db import Db
from ...store.events import iter_document_events

Row = tuple[Any, ...]
"""The values of one row, in the order of the columns: int, float, bool, str, list of str, None."""

INTEGER, REAL, BOOLEAN, TEXT, TEXTS = "integer", "real", "boolean", "text", "texts"
_ROWS_PER_CHECK = 1000  # some milliseconds of work
_NAMES_AT_ONCE = 2000  # entities whose names are in memory

# PostgreSQL takes no null character, and UTF-8 has no lone surrogate. One character replaces one,
# so that offsets still fit the sentence.
_INVALID = re.compile("[\0\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Return the text with U+FFFD for the characters that not every format can hold."""
    return _INVALID.sub("\ufffd", text)


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column; `refers_to` is the table with its values as ids."""

    name: str
    kind: str
    words: str
    refers_to: str = ""
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class ExportTable:
    """A table; `key` are the columns that identify a row."""

    name: str
    words: str
    key: tuple[str, ...]
    columns: tuple[ExportColumn, ...]

    def index(self, column: str) -> int:
        """Return the place of a column in a row."""
        return [one.name for one in self.columns].index(column)


_DIRECTION = "forward: from source to target; both; backward; empty: not known"

TABLES = (
    ExportTable(
        "document",
        "Documents of the library.",
        ("id",),
        (
            ExportColumn("id", INTEGER, "never used again for another document"),
            ExportColumn("title", TEXT, "as in the library"),
            ExportColumn("author", TEXT, "all authors, separated by semicolons"),
            ExportColumn("year", TEXT, ""),
            ExportColumn("language", TEXT, "ISO 639-1 code, und if not known"),
            ExportColumn("format", TEXT, "of the file"),
            ExportColumn("file_name", TEXT, ""),
            ExportColumn("sha256", TEXT, "of the file"),
            ExportColumn("doi", TEXT, ""),
            ExportColumn("isbn", TEXT, ""),
            ExportColumn("container", TEXT, "journal or book that it appeared in"),
            ExportColumn("publisher", TEXT, ""),
            ExportColumn("tags", TEXTS, ""),
            ExportColumn("n_chars", INTEGER, "length of the text"),
        ),
    ),
    ExportTable(
        "entity",
        "Persons, places, organisations and other things with all their names.",
        ("id",),
        (
            ExportColumn("id", INTEGER, ""),
            ExportColumn("name", TEXT, "that is shown"),
            ExportColumn(
                "type", TEXT, "person, place, organisation, event, object, concept, other"
            ),
            ExportColumn("description", TEXT, ""),
            ExportColumn("other_names", TEXTS, "in the texts, the most frequent first"),
            ExportColumn("story", TEXT, "title of its story if another entity has the same name"),
            ExportColumn("n_mentions", INTEGER, ""),
            ExportColumn("n_relations", INTEGER, ""),
            ExportColumn("n_documents", INTEGER, "documents that mention it"),
            ExportColumn("is_edited", BOOLEAN, "whether the user changed it"),
        ),
    ),
    ExportTable(
        "sentence",
        "Sentences that name an entity, support a relation or state an event.",
        ("id",),
        (
            ExportColumn("id", TEXT, "document:start-end"),
            ExportColumn("document_id", INTEGER, "", "document"),
            ExportColumn("start_char", INTEGER, "offset in the document's text"),
            ExportColumn("end_char", INTEGER, "offset of the first character behind it"),
            ExportColumn("text", TEXT, "word for word"),
            ExportColumn("heading", TEXT, "chapter and section"),
            ExportColumn("page", TEXT, "printed page number, or place of the page in the file"),
        ),
    ),
    ExportTable(
        "relation",
        "Relations between two entities.",
        ("id",),
        (
            ExportColumn("id", TEXT, "the ids of both entities, the smaller one first"),
            ExportColumn("source_id", INTEGER, "", "entity"),
            ExportColumn("target_id", INTEGER, "", "entity"),
            ExportColumn("weight", REAL, "strength: evidence, less where both names are frequent"),
            ExportColumn("kind", TEXT, "such as father; empty if no model or user stated it"),
            ExportColumn("direction", TEXT, _DIRECTION.replace(" backward;", "")),
            ExportColumn("confidence", REAL, "of the kind, 0 to 1"),
            ExportColumn("keywords", TEXTS, ""),
            ExportColumn("description", TEXT, ""),
            ExportColumn("n_evidence", INTEGER, ""),
            ExportColumn("best_sentence_id", TEXT, "", "sentence", is_optional=True),
            ExportColumn("is_edited", BOOLEAN, "whether the user wrote or changed it"),
        ),
    ),
    ExportTable(
        "mention",
        "Places where an entity is named.",
        ("entity_id", "sentence_id", "start_char", "end_char"),
        (
            ExportColumn("entity_id", INTEGER, "", "entity"),
            ExportColumn("sentence_id", TEXT, "", "sentence"),
            ExportColumn("name", TEXT, "as it is written there"),
            ExportColumn("start_char", INTEGER, "offset of the name in the document's text"),
            ExportColumn("end_char", INTEGER, "offset of the first character behind it"),
        ),
    ),
    ExportTable(
        "evidence",
        "Sentences that support a relation.",
        ("id",),
        (
            ExportColumn("id", INTEGER, "another one after the document was indexed again"),
            ExportColumn("relation_id", TEXT, "", "relation"),
            ExportColumn("sentence_id", TEXT, "", "sentence"),
            ExportColumn("weight", REAL, ""),
            ExportColumn("kind", TEXT, "what this sentence states"),
            ExportColumn("direction", TEXT, _DIRECTION),
            ExportColumn("confidence", REAL, "of the kind, 0 to 1"),
            ExportColumn("keywords", TEXTS, "between the two names"),
            ExportColumn("description", TEXT, ""),
            ExportColumn("method", TEXT, "instant: rules without a model"),
            ExportColumn("model", TEXT, "that read the sentence, empty without one"),
        ),
    ),
    ExportTable(
        "event",
        "What happens in the texts: it is found by rules, or written by the user.",
        ("id",),
        (
            ExportColumn("id", INTEGER, "another one after the document was indexed again"),
            ExportColumn("kind", TEXT, "such as dies, marries, meets"),
            ExportColumn("sentence_id", TEXT, "that states it", "sentence"),
            ExportColumn("start_char", INTEGER, "offset of the verb in the document's text"),
            ExportColumn("end_char", INTEGER, "offset of the first character behind it"),
            ExportColumn("is_edited", BOOLEAN, "whether the user added or corrected it"),
        ),
    ),
    ExportTable(
        "participant",
        "Who does an event, to whom it is done, and where.",
        ("event_id", "entity_id", "role"),
        (
            ExportColumn("event_id", INTEGER, "", "event"),
            ExportColumn("entity_id", INTEGER, "", "entity"),
            ExportColumn("role", TEXT, ", ".join(EVENT_ROLES)),
            ExportColumn("name", TEXT, "as it is written there, empty if it is not"),
        ),
    ),
    ExportTable(
        "community",
        "Groups of closely connected entities.",
        ("id",),
        (
            ExportColumn("id", INTEGER, ""),
            ExportColumn("level", INTEGER, "0 is the coarsest"),
            ExportColumn("parent_id", INTEGER, "", "community", is_optional=True),
            ExportColumn("title", TEXT, ""),
            ExportColumn("summary", TEXT, "of its report, empty if none was written"),
            ExportColumn("rating", REAL, "by its report: importance in the library, 0 to 10"),
            ExportColumn("key_words", TEXTS, ""),
            ExportColumn("n_members", INTEGER, ""),
            ExportColumn("n_relations", INTEGER, "between its members"),
        ),
    ),
    ExportTable(
        "community_member",
        "Entities of communities; each community contains the entities of those below it.",
        ("community_id", "entity_id"),
        (
            ExportColumn("community_id", INTEGER, "", "community"),
            ExportColumn("entity_id", INTEGER, "", "entity"),
            ExportColumn("place", INTEGER, "0 is the most central one"),
        ),
    ),
)
"""Every table; a table comes after those that it refers to."""

TABLE = {table.name: table for table in TABLES}


def sentence_id(document_id: int, start: int, end: int) -> str:
    """Return the id of a sentence: its place."""
    return f"{document_id}:{start}-{end}"


def relation_id(one: int, other: int) -> str:
    """Return the id of a relation, from the ids of its ends, the smaller one first."""
    return f"{one}-{other}"


@dataclass
class LibraryTables:
    """Reads the rows of the tables from one state of a library.

    Args:
        db: a connection inside `Db.snapshot`, whose communities are those of its graph.
        cancel: checked while rows are read.

    Attributes:
        counts: how many rows of each table were read; a table that is read twice counts once.
    """

    db: Db
    cancel: CancelToken = field(default_factory=CancelToken)
    counts: Counter[str] = field(default_factory=Counter)

    def rows(self, table: str, *, by_entity: bool = False) -> Iterator[Row]:
        """Yield the rows of a table, in an order that is the same in every export.

        Raises:
            Cancelled: the token was set.
        """
        n = 0
        for row in _mentions(self.db, True) if by_entity else _READERS[table](self.db):
            if n % _ROWS_PER_CHECK == 0:
                self.cancel.check()
            n += 1
            yield tuple(map(_clean_value, row))
        self.counts[table] = n


def _clean_value(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    return [clean_text(one) for one in value] if isinstance(value, list) else value


def _documents(db: Db) -> Iterator[Row]:
    for reference, file_name, sha256, n_chars in export_rows.iter_documents(db):
        r = reference
        named = r.document_id, r.title, r.author, r.year, r.language, r.format, file_name, sha256
        yield *named, r.doi, r.isbn, r.container, r.publisher, list(r.tags), n_chars


def _entities(db: Db) -> Iterator[Row]:
    stories = graph.fetch_story_titles(db, None)
    entities = export_rows.iter_entities(db)
    while part := list(islice(entities, _NAMES_AT_ONCE)):
        names = export_rows.fetch_names(db, [row[0] for row in part])
        for i, name, type_, description, *counts, is_edited in part:
            others = [one for one in names.get(i, ()) if one != name]
            shown = i, name, type_, description, others, stories.get(i, "")
            yield *shown, *counts, bool(is_edited)


def _iter_sentences(db: Db) -> Iterator[tuple[int, int, int]]:
    """Yield (document, start, end) of each sentence once, in text order."""
    of_events = (
        place
        for events in iter_document_events(db)
        for place in sorted({(int(e.document_id), e.start, e.end) for e in events})
    )
    last = None
    for place in merge(export_rows.iter_sentences(db), of_events):
        if place != last:
            yield place
        last = place


def _sentences(db: Db) -> Iterator[Row]:
    source: _Source | None = None
    for document_id, start, end in _iter_sentences(db):
        if source is None or source.document_id != document_id:
            source = _Source(db, document_id)
        place = sentence_id(document_id, start, end), document_id, start, end
        yield *place, source.text[start:end], source.find_heading(start), source.find_page(start)


class _Source:
    """The text of one document with its pages and headings."""

    def __init__(self, db: Db, document_id: int) -> None:
        self.document_id = document_id
        self.text = documents.fetch_text(db, document_id) or ""
        self._pages = sorted(documents.fetch_pages(db, document_id), key=lambda page: page.start)
        self._page_starts = [page.start for page in self._pages]
        chunks = sorted(
            (span.start, span.heading_path) for _, span in documents.fetch_chunks(db, document_id)
        )
        self._headings = [heading for _, heading in chunks]
        self._chunk_starts = [start for start, _ in chunks]

    def find_heading(self, offset: int) -> str:
        place = bisect_right(self._chunk_starts, offset) - 1
        return self._headings[place] if place >= 0 else ""

    def find_page(self, offset: int) -> str:
        """Return the number of the page with this offset."""
        place = bisect_right(self._page_starts, offset) - 1
        if place < 0 or self._pages[place].end <= offset:
            return ""
        return self._pages[place].number


def _relations(db: Db) -> Iterator[Row]:
    edited = export_rows.fetch_edited_pairs(db)
    for row in export_rows.iter_relations(db):
        a, b, weight, n, text, keywords, kind, sure, direction, document_id, start, end = row
        ends = (a, b)
        if direction == BACKWARD:
            ends, direction = (b, a), FORWARD
        best = None if document_id is None else sentence_id(document_id, start, end)
        stated = weight, kind, DIRECTIONS[direction], sure, _lines(keywords), text, n
        yield relation_id(a, b), *ends, *stated, best, (a, b) in edited


def _mentions(db: Db, by_entity: bool = False) -> Iterator[Row]:
    for row in export_rows.iter_mentions(db, by_entity=by_entity):
        entity, document_id, sentence_start, sentence_end, start, end, name = row
        yield entity, sentence_id(document_id, sentence_start, sentence_end), name, start, end


def _evidence(db: Db) -> Iterator[Row]:
    for row in export_rows.iter_evidence(db):
        i, a, b, of_relation, document_id, start, end, weight, kind, direction, *_ = row
        sure, keywords, text, method, model = row[10:]
        if of_relation == BACKWARD:  # its ends are exchanged in the table of relations
            direction = reverse_direction(direction)
        ids = i, relation_id(a, b), sentence_id(document_id, start, end)
        claim = weight, kind, DIRECTIONS[direction], sure, _lines(keywords), text
        yield *ids, *claim, method, model


def _iter_events(db: Db) -> Iterator[EventRow]:
    for events in iter_document_events(db):
        yield from events


def _events(db: Db) -> Iterator[Row]:
    for e in _iter_events(db):
        place = sentence_id(e.document_id, e.start, e.end), e.word_start, e.word_end
        yield int(e.id), e.kind, *place, e.is_edited


def _participants(db: Db) -> Iterator[Row]:
    for event in _iter_events(db):
        for part in event.parts:
            yield int(event.id), int(part.entity_id), part.role, part.written


def _communities(db: Db) -> Iterator[Row]:
    reader = CommunityReader(db)
    for row in sorted(reader.tree(), key=lambda one: one.id):
        if row.is_loose:
            continue
        # One that nobody wrote would be made of the community's sentences: 0.1 s for each.
        is_written = row.model is not None or row.is_edited
        summary = reader.get_report(row.id).summary if is_written else ""
        parent = None if row.parent_id is None else int(row.parent_id)
        words = row.title, summary, float(row.rating), list(row.key_words)
        yield int(row.id), row.level, parent, *words, row.n_members, row.n_relations


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


_READERS: Mapping[str, Callable[[Db], Iterator[Row]]] = {
    "document": _documents,
    "entity": _entities,
    "sentence": _sentences,
    "relation": _relations,
    "mention": _mentions,
    "evidence": _evidence,
    "event": _events,
    "participant": _participants,
    "community": _communities,
    "community_member": export_rows.iter_members,
}
