"""Rows of events with all entities that take part, in the order of the text.

A part of an event is a mention, by its extraction and its place, and the mention has the name: so
events follow every merge, split and rename. An event in the overlap of two chunks counts once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from ..model import EventPart, EventRow
from .db import Db
from .page_labels import PAGE_LABEL

# Document digest, kind, sentence, place of the verb in it: what identifies a removed event.
EventKey = tuple[str, str, str, int]

_OF_ENTITY = (
    "SELECT DISTINCT p.event_id FROM entity_name en JOIN mention m ON m.name_id = en.name_id"
    " JOIN event_part p ON p.extraction_id = m.extraction_id AND p.start = m.start"
    " WHERE en.entity_id"
)
_PARTS = (
    "SELECT p.event_id, p.start, e.id, e.name, p.role, n.text FROM event_part p"
    " JOIN mention m ON m.extraction_id = p.extraction_id AND m.start = p.start"
    " JOIN name n ON n.id = m.name_id JOIN entity_name en ON en.name_id = n.id"
    " JOIN entity e ON e.id = en.entity_id WHERE p.event_id"
)
_EVENTS = (
    "SELECT v.id, v.kind, v.document_id, d.title, v.start, v.end,"
    " substr(c.text, v.start - c.start + 1, v.end - v.start), v.word_start, v.word_end,"
    f" coalesce((SELECT {PAGE_LABEL} FROM page p WHERE p.document_id = v.document_id"
    "  AND p.page_index BETWEEN c.page_first AND c.page_last"
    "  AND p.start <= v.word_start AND p.end > v.word_start), ''), c.heading_path,"
    " d.sha256, d.sha256_former"
    " FROM event v JOIN document d ON d.id = v.document_id JOIN chunk c ON c.id = v.chunk_id"
    " WHERE v.id"
)


def fetch_event_ids(db: Db, entity_ids: Collection[int]) -> list[int]:
    """Return the events in which any of the entities takes part."""
    return [event_id for (event_id,) in db.rows_in(_OF_ENTITY, sorted(entity_ids))]


def fetch_all_event_ids(db: Db) -> list[int]:
    return db.column("SELECT id FROM event")


def fetch_events(db: Db, event_ids: Sequence[int]) -> list[EventRow]:
    """Return events with all who take part, in the order of the text.

    Left out are those that the user removed, and those of which nobody is in the graph.
    """
    parts: dict[int, dict[tuple[int, str], EventPart]] = defaultdict(dict)
    for event_id, _, *fields in sorted(db.rows_in(_PARTS, event_ids)):
        part = EventPart(*fields)
        parts[event_id].setdefault((part.entity_id, part.role), part)
    removed = frozenset(db.rows("SELECT document, kind, sentence, place FROM removed_event"))
    found: dict[tuple[int, str, int], EventRow] = {}
    for row in db.rows_in(_EVENTS, event_ids):
        *fields, sha256, former = row
        own = parts.get(fields[0])
        if not own:
            continue
        event = replace(EventRow(*fields), parts=tuple(own.values()))
        if not removed.isdisjoint(_build_keys(event, sha256, former)):
            continue
        key = event.document_id, event.kind, event.word_start
        known = found.get(key)
        if known is None or len(event.parts) > len(known.parts):
            found[key] = event
    return sorted(found.values(), key=lambda e: (e.document_id, e.word_start, e.kind))


def find_event_key(db: Db, event_id: int) -> tuple[EventKey, EventRow] | None:
    """Return what identifies an event when its sentence is read again, and the event."""
    found = fetch_events(db, [event_id])
    if not found:
        return None
    [event] = found
    sha256 = db.value("SELECT sha256 FROM document WHERE id = ?", (event.document_id,))
    [key] = _build_keys(event, sha256, "")
    return key, event


def fetch_entities_with_events(db: Db, digests: Collection[str]) -> frozenset[int]:
    """Return the entities that take part in events of the documents with these digests."""
    document_ids = [
        document_id
        for document_id, sha256, former in db.rows("SELECT id, sha256, sha256_former FROM document")
        if not {sha256, *former.split("\n")}.isdisjoint(digests)
    ]
    return frozenset(
        entity_id
        for (entity_id,) in db.rows_in(
            "SELECT DISTINCT en.entity_id FROM event v JOIN event_part p ON p.event_id = v.id"
            " JOIN mention m ON m.extraction_id = p.extraction_id AND m.start = p.start"
            " JOIN entity_name en ON en.name_id = m.name_id WHERE v.document_id",
            document_ids,
        )
    )


def _build_keys(event: EventRow, sha256: str, former: str) -> set[EventKey]:
    place = event.word_start - event.start
    digests = {sha256, *filter(None, former.split("\n"))}
    return {(digest, event.kind, event.sentence, place) for digest in digests}
