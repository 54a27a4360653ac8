"""Rows of events with all entities that take part, in the order of the text.

A part of an event of the rules is a mention, by its extraction and its place, and the mention has
the name: so events follow every merge, split and rename. An event in the overlap of two chunks
counts once. An event that the user wrote is found again by its sentence, and its people by their
names in it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ..model import (
    EVENT_ROLES,
    DocumentId,
    EntityId,
    EventId,
    EventPart,
    EventRow,
    UserEvent,
)
from .db import Db
from .documents import fetch_text
from .graph import fetch_entities_by_key, split_key
from .page_labels import PAGE_LABEL, find_page

# Document digest, kind, sentence, place of the verb in it: what identifies an event of the rules
# that the user removed or replaced.
EventKey = tuple[str, str, str, int]

FIRST_USER_EVENT = 1 << 40
"""Ids of events from this number on are those of events that the user wrote."""

_COLUMNS = "document, kind, sentence, place, start, actors, patients, places, length"

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


def fetch_events(db: Db, entity_ids: Collection[int] | None = None) -> list[EventRow]:
    """Return the events in which any of the entities takes part, in the order of the text.

    Left out are those that the user removed, and those of which nobody is in the graph.

    Args:
        entity_ids: None for the events of all entities.
    """
    if entity_ids is None:
        event_ids: list[int] = db.column("SELECT id FROM event")
    else:
        event_ids = [event_id for (event_id,) in db.rows_in(_OF_ENTITY, sorted(entity_ids))]
    found = [*_fetch_rule_events(db, event_ids), *_fetch_user_events(db, entity_ids)]
    return sorted(found, key=_place_of)


def _place_of(event: EventRow) -> tuple[int, int, str, int]:
    return event.document_id, event.word_start, event.kind, event.id


def iter_document_events(db: Db) -> Iterator[list[EventRow]]:
    """Yield the events of each document that has any, in the order of the documents and texts."""
    own: dict[int, list[EventRow]] = defaultdict(list)
    for event in _fetch_user_events(db, None):
        own[event.document_id].append(event)
    for document_id in db.column("SELECT id FROM document ORDER BY id"):
        event_ids = db.column("SELECT id FROM event WHERE document_id = ?", (document_id,))
        found = [*_fetch_rule_events(db, event_ids), *own[document_id]]
        if found:
            yield sorted(found, key=_place_of)


def find_event(db: Db, event_id: int) -> EventRow | None:
    """Return an event; None if it is no longer there, or nobody of it is in the graph."""
    if event_id < FIRST_USER_EVENT:
        found = _fetch_rule_events(db, [event_id])
    else:
        stored = find_user_event(db, event_id)
        found = [] if stored is None else list(_place_events(db, [stored]))
    return next(iter(found), None)


def find_user_event(db: Db, event_id: int) -> UserEvent | None:
    """Return an event that the user wrote, as it is stored."""
    return next((one for one in _iter_user_events(db) if _number(one) == event_id), None)


def fetch_sentence(db: Db, document_id: int, start: int, end: int) -> tuple[str, str]:
    """Return the sha256 of a document and a part of its text; both "" without the document."""
    sha256 = db.value("SELECT sha256 FROM document WHERE id = ?", (document_id,))
    return (sha256, (fetch_text(db, document_id) or "")[start:end]) if sha256 else ("", "")


def build_event_key(db: Db, event: EventRow) -> EventKey:
    """Return what identifies an event of the rules when its sentence is read again."""
    sha256 = db.value("SELECT sha256 FROM document WHERE id = ?", (event.document_id,))
    [key] = _build_keys(event, sha256, "")
    return key


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


# --- of the rules ---------------------------------------------------------------------------------


def _fetch_rule_events(db: Db, event_ids: Sequence[int]) -> list[EventRow]:
    parts: dict[int, dict[tuple[int, str], EventPart]] = defaultdict(dict)
    for event_id, _, *fields in sorted(db.rows_in(_PARTS, event_ids)):
        part = EventPart(*fields)
        parts[event_id].setdefault((part.entity_id, part.role), part)
    replaced = frozenset(
        db.rows(
            "SELECT document, kind, sentence, place FROM removed_event"
            " UNION SELECT document, kind, sentence, place FROM hand_event"
        )
    )
    found: dict[tuple[int, str, int], EventRow] = {}
    for row in db.rows_in(_EVENTS, event_ids):
        *fields, sha256, former = row
        own = parts.get(fields[0])
        if not own:
            continue
        event = replace(EventRow(*fields), parts=tuple(own.values()))
        if not replaced.isdisjoint(_build_keys(event, sha256, former)):
            continue
        key = event.document_id, event.kind, event.word_start
        known = found.get(key)
        if known is None or len(event.parts) > len(known.parts):
            found[key] = event
    return list(found.values())


def _build_keys(event: EventRow, sha256: str, former: str) -> set[EventKey]:
    place = event.word_start - event.start
    digests = {sha256, *filter(None, former.split("\n"))}
    return {(digest, event.kind, event.sentence, place) for digest in digests}


# --- of the user ----------------------------------------------------------------------------------


def _iter_user_events(db: Db) -> Iterator[UserEvent]:
    for row in db.rows(f"SELECT {_COLUMNS} FROM hand_event ORDER BY {_COLUMNS}"):
        yield UserEvent.from_stored(row)


def _number(event: UserEvent) -> EventId:
    """Return an id that is the same each time the event is read, in any library."""
    fields = "\0".join(map(str, event.to_stored()))
    digest = hashlib.sha256(fields.encode("utf-8", "surrogatepass")).digest()
    return EventId(FIRST_USER_EVENT + int.from_bytes(digest[:5]))


def _fetch_user_events(db: Db, entity_ids: Collection[int] | None) -> list[EventRow]:
    stored = list(_iter_user_events(db))
    if not stored or entity_ids is None:
        return list(_place_events(db, stored))
    own = {
        text
        for (text,) in db.rows_in(
            "SELECT n.text FROM entity_name en JOIN name n ON n.id = en.name_id WHERE en.entity_id",
            sorted(entity_ids),
        )
    }
    near = [one for one in stored if any(split_key(name)[0] in own for name in one.names)]
    wanted = set(entity_ids)
    return [
        event
        for event in _place_events(db, near)
        if any(part.entity_id in wanted for part in event.parts)
    ]


def _place_events(db: Db, stored: Sequence[UserEvent]) -> Iterator[EventRow]:
    """Yield events of the user where their sentences are now, with who of them is in the graph."""
    if not stored:
        return
    documents: dict[str, tuple[int, str]] = {}
    for document_id, title, sha256, former in db.rows(
        "SELECT id, title, sha256, sha256_former FROM document ORDER BY id"
    ):
        for digest in filter(None, former.split("\n")):
            documents.setdefault(digest, (document_id, title))
        documents[sha256] = (document_id, title)
    by_key = fetch_entities_by_key(db, {name for one in stored for name in one.names})
    texts: dict[int, str] = {}
    for one in stored:
        if one.document not in documents:
            continue
        document_id, title = documents[one.document]
        if document_id not in texts:
            texts[document_id] = fetch_text(db, document_id) or ""
        start = _find_nearest(texts[document_id], one.sentence, one.start)
        if start < 0:
            continue
        parts = _read_parts(db, one, document_id, start, by_key)
        if not parts:
            continue
        at = start + one.place
        page = find_page(db, document_id, at)
        heading = db.value(
            "SELECT heading_path FROM chunk WHERE document_id = ?1 AND start <= ?2 AND end > ?2"
            " ORDER BY start DESC LIMIT 1",
            (document_id, at),
        )
        yield EventRow(
            _number(one),
            one.kind,
            DocumentId(document_id),
            title,
            start,
            start + len(one.sentence),
            one.sentence,
            at,
            at + one.length,
            page[1] if page else "",
            heading or "",
            parts,
            is_edited=True,
        )


def _find_nearest(text: str, sentence: str, start: int) -> int:
    """Return where a sentence is in a text, -1 if nowhere; of several places the nearest."""
    if text.startswith(sentence, start):
        return start
    places = []
    at = text.find(sentence)
    while at >= 0:
        places.append(at)
        at = text.find(sentence, at + 1)
    return min(places, key=lambda place: abs(place - start), default=-1)


def _read_parts(
    db: Db, event: UserEvent, document_id: int, start: int, by_key: dict[str, set[int]]
) -> tuple[EventPart, ...]:
    """Return who takes part: whom the name means in this sentence, else in the library."""
    here: dict[str, dict[int, int]] = defaultdict(dict)
    for text, sense, entity_id in db.rows(
        "SELECT n.text, n.sense, en.entity_id FROM mention m JOIN name n ON n.id = m.name_id"
        " JOIN entity_name en ON en.name_id = n.id"
        " WHERE m.document_id = ? AND m.start >= ? AND m.start < ? ORDER BY m.start, m.id",
        (document_id, start, start + len(event.sentence)),
    ):
        here[text].setdefault(sense, entity_id)
    words = " ".join(event.sentence.split())  # names have no line breaks
    meant: dict[tuple[int, str], str] = {}
    for role, names in zip(EVENT_ROLES, event.by_role, strict=True):
        for key in names:
            text, sense = split_key(key)
            senses = here.get(text, {})
            nearest = [senses.get(sense, next(iter(senses.values())))] if senses else []
            for entity_id in nearest or sorted(by_key.get(key, ())):
                meant.setdefault((entity_id, role), text if text in words else "")
    names_of = dict(db.rows_in("SELECT id, name FROM entity WHERE id", {i for i, _ in meant}))
    return tuple(
        EventPart(EntityId(entity_id), names_of[entity_id], role, written)
        for (entity_id, role), written in meant.items()
        if entity_id in names_of
    )
