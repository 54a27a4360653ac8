"""Rows of annotations. Written inside `Db.edit` only."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from typing import Any

from .db import Db

Row = tuple[int, int, str, int, int, str, str, str, float, str, str, str]
_COLUMNS = "id, document_id, kind, start, end, quote, color, note, created_at, style, area"


def fetch_annotations(db: Db, document_id: int | None = None) -> list[Row]:
    """Return the columns `_COLUMNS` and the tags, joined by newlines, of each, in reading order."""
    where, values = ("WHERE document_id = ?", (document_id,)) if document_id else ("", ())
    found = db.rows(
        f"SELECT {_COLUMNS} FROM annotation {where} ORDER BY document_id, start, id", values
    )
    # from the index `annotation_tagged`: in the row, SQLite reads through the picture to the tags
    tags = dict(db.rows("SELECT id, tags FROM annotation WHERE tags <> ''")) if found else {}
    return [(*row, tags.get(row[0], "")) for row in found]


def find_annotation(db: Db, annotation_id: int) -> Row | None:
    return db.row(f"SELECT {_COLUMNS}, tags FROM annotation WHERE id = ?", (annotation_id,))


def add_annotation(
    db: Db,
    document_id: int,
    kind: str,
    start: int,
    end: int,
    quote: str,
    color: str,
    note: str,
    style: str = "fill",
    *,
    area: str = "",
    picture: bytes | None = None,
    tags: str = "",
) -> int:
    """Add an annotation; one of an area of a page has that as JSON, and a PNG of it."""
    return db.write(
        "INSERT INTO annotation(document_id, kind, start, end, quote, color, note, created_at,"
        " style, area, picture, tags) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(document_id, kind, start, end, quote, color, note, time.time(), style),
            *(area, picture, tags),
        ),
    )


def fetch_area_pictures(db: Db, annotation_ids: Collection[int]) -> dict[int, bytes]:
    """Return annotation id -> PNG of its area, without annotations that have none."""
    sql = "SELECT id, picture FROM annotation WHERE picture IS NOT NULL AND id"
    return {i: bytes(png) for i, png in db.rows_in(sql, annotation_ids)}


def change_annotation(
    db: Db, annotation_id: int, *, color: str, note: str, style: str, tags: str
) -> None:
    db.write(
        "UPDATE annotation SET color = ?, note = ?, style = ?, tags = ? WHERE id = ?",
        (color, note, style, tags, annotation_id),
    )


def recolor_annotations(db: Db, annotation_ids: Iterable[int], color: str) -> None:
    db.write_many(
        "UPDATE annotation SET color = ? WHERE id = ?", [(color, i) for i in annotation_ids]
    )


def store_tags(db: Db, tags: Iterable[tuple[int, str]]) -> None:
    """Store the tags of annotations, as (id, tags joined by newlines)."""
    db.write_many("UPDATE annotation SET tags = ? WHERE id = ?", [(own, i) for i, own in tags])


def fetch_tags(db: Db) -> set[str]:
    """Return the tags of the annotations, and of documents, that are not in the trash."""
    joined = db.column(
        "SELECT tags FROM annotation WHERE tags <> ''"
        " AND document_id IN (SELECT id FROM document)"
        " UNION SELECT tags FROM document_edit WHERE tags <> ''"
        " AND document_id IN (SELECT id FROM document)"
    )
    return {tag for tags in joined for tag in str(tags).split("\n") if tag}


def change_area(
    db: Db, annotation_id: int, start: int, end: int, quote: str, *, area: str, picture: bytes
) -> None:
    """Give an annotation another area of its page, as JSON, with its words and its PNG."""
    db.write(
        "UPDATE annotation SET start = ?, end = ?, quote = ?, area = ?, picture = ? WHERE id = ?",
        (start, end, quote, area, picture, annotation_id),
    )


def delete_annotation(db: Db, annotation_id: int) -> None:
    db.write("DELETE FROM annotation WHERE id = ?", (annotation_id,))


def count_annotations(db: Db) -> int:
    """Return the number of annotations in the documents that are not in the trash."""
    return int(
        db.value("SELECT count(*) FROM annotation WHERE document_id IN (SELECT id FROM document)")
    )


def fetch_reading_position(db: Db, document_id: int) -> str | None:
    found: str = db.value("SELECT reading_position FROM document WHERE id = ?", (document_id,))
    return found or None


def store_reading_position(db: Db, document_id: int, position: str) -> None:
    db.write("UPDATE document SET reading_position = ? WHERE id = ?", (position, document_id))


def fetch_reading_positions(db: Db) -> list[tuple[int, str, int, int]]:
    """Return (document, position, characters, pages) of every document with a position."""
    return db.rows(
        "SELECT d.id, d.reading_position, d.n_chars,"
        " (SELECT count(*) FROM page p WHERE p.document_id = d.id)"
        " FROM document d WHERE d.reading_position <> ''"
    )


def fetch_places_of_entity(db: Db, entity_id: int, document_id: int) -> list[tuple[int, int]]:
    """Return the places of an entity in a document, each once, in reading order."""
    return db.rows(
        "SELECT m.start, max(m.end) FROM mention m JOIN entity_name en USING (name_id)"
        " WHERE en.entity_id = ? AND m.document_id = ? GROUP BY m.start ORDER BY m.start",
        (entity_id, document_id),
    )


def find_mention_at(db: Db, document_id: int, start: int, entity_id: int) -> tuple[Any, ...] | None:
    """Return (mention id, name as written) of an entity at a place, None if there is none."""
    return db.row(
        "SELECT m.id, n.text FROM mention m JOIN entity_name en USING (name_id)"
        " JOIN name n ON n.id = m.name_id"
        " WHERE m.document_id = ? AND m.start = ? AND en.entity_id = ? ORDER BY m.id LIMIT 1",
        (document_id, start, entity_id),
    )


def fetch_names_by_hand(db: Db) -> list[tuple[int, str, str, str]]:
    """Return (entity id, alias as typed, entity's name, type) of names added by the user."""
    return db.rows(
        "SELECT DISTINCT e.id, h.text, e.name, e.type FROM"
        " (SELECT name AS text FROM hand_entity UNION SELECT alias FROM alias) h"
        " JOIN name n ON n.text = h.text JOIN entity_name en ON en.name_id = n.id"
        " JOIN entity e ON e.id = en.entity_id"
    )
