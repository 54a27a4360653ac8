"""Rows of document details edited by the user, of the trash, and of watched folders."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from .annotations import fetch_annotations
from .db import Db
from .tokens import build_phrase

FIELDS = ("title", "author", "year", "language")

_APPLY_SQL = """
UPDATE document SET
    title = coalesce((SELECT title FROM document_edit WHERE document_id = ?1), title),
    author = coalesce((SELECT author FROM document_edit WHERE document_id = ?1), author),
    year = coalesce((SELECT year FROM document_edit WHERE document_id = ?1), year),
    language = coalesce((SELECT language FROM document_edit WHERE document_id = ?1), language)
 WHERE id = ?1
"""


def write_details(db: Db, document_id: int, details: Mapping[str, str | None]) -> None:
    """Store some of title, author, year, language, comment and tags, and apply them."""
    db.write("INSERT OR IGNORE INTO document_edit(document_id) VALUES (?)", (document_id,))
    for field, value in details.items():
        if field not in (*FIELDS, "comment", "tags"):
            raise ValueError(f"no such detail: {field}")
        db.write(
            f"UPDATE document_edit SET {field} = ? WHERE document_id = ?", (value, document_id)
        )
    apply_details(db, document_id)


def apply_details(db: Db, document_id: int) -> None:
    """Apply the user's details of a document over those of its file."""
    db.write(_APPLY_SQL, (document_id,))


def fetch_details(db: Db, document_id: int) -> dict[str, str | None]:
    row = db.row(
        "SELECT title, author, year, language, comment, tags FROM document_edit"
        " WHERE document_id = ?",
        (document_id,),
    )
    return dict(zip((*FIELDS, "comment", "tags"), row, strict=True)) if row else {}


def fetch_shown_details(db: Db, document_id: int) -> dict[str, str]:
    """Return the present title, author, year and language."""
    row = db.row(f"SELECT {', '.join(FIELDS)} FROM document WHERE id = ?", (document_id,))
    return dict(zip(FIELDS, row, strict=True)) if row else {}


def restore_details(
    db: Db, document_id: int, edited: dict[str, str | None], shown: dict[str, str]
) -> None:
    """Restore the details that `fetch_details` and `fetch_shown_details` returned."""
    db.write("DELETE FROM document_edit WHERE document_id = ?", (document_id,))
    if edited:
        write_details(db, document_id, edited)
    db.write(
        "UPDATE document SET title = ?, author = ?, year = ?, language = ? WHERE id = ?",
        (*(shown[field] for field in FIELDS), document_id),
    )


def find_documents_with_text(db: Db, text: str) -> list[int]:
    """Return the documents that contain these words literally."""
    match = build_phrase(text)
    if not match:
        return []
    return [
        r[0]
        for r in db.rows(
            "SELECT DISTINCT c.document_id FROM chunk_fts f JOIN chunk c ON c.id = f.rowid"
            " WHERE chunk_fts MATCH ?",
            (match,),
        )
    ]


# --- trash --------------------------------------------------------------------------------------


def add_to_trash(db: Db, document_id: int) -> int | None:
    """Store what is needed to restore a document; None if its file is not stored."""
    kept = {
        "details": fetch_details(db, document_id),
        "cut": db.value("SELECT value FROM setting WHERE key = ?", (f"cut:{document_id}",)),
        "marks": [list(row[2:]) for row in fetch_annotations(db, document_id)],
        "collections": [
            r[0]
            for r in db.rows(
                "SELECT c.name FROM collection c JOIN collection_document d"
                " ON d.collection_id = c.id WHERE d.document_id = ?",
                (document_id,),
            )
        ],
    }
    before = db.value("SELECT coalesce(max(id), 0) FROM trash")
    made = db.write(
        "INSERT INTO trash(title, file_name, source_path, sha256, size_bytes, content, password,"
        " kept, trashed_at) SELECT d.title, d.file_name, d.source_path, d.sha256, d.size_bytes,"
        " o.content, o.password, ?, ? FROM document d JOIN original o ON o.document_id = d.id"
        " WHERE d.id = ? AND d.row_number = 0",
        (json.dumps(kept, ensure_ascii=False), time.time(), document_id),
    )
    return made if db.value("SELECT coalesce(max(id), 0) FROM trash") > before else None


def fetch_trash(db: Db) -> list[tuple[int, str, str, int, float]]:
    """Return (id, title, file name, size, time), most recent first."""
    return db.rows(
        "SELECT id, title, file_name, size_bytes, trashed_at FROM trash ORDER BY id DESC"
    )


def find_trashed(db: Db, trash_id: int) -> dict[str, Any] | None:
    row = db.row(
        "SELECT title, file_name, source_path, sha256, content, password, kept FROM trash"
        " WHERE id = ?",
        (trash_id,),
    )
    if row is None:
        return None
    names = ("title", "file_name", "source_path", "sha256", "content", "password", "kept")
    found = dict(zip(names, row, strict=True))
    found["kept"] = json.loads(found["kept"])
    return found


def restore_user_data(db: Db, document_id: int, kept: dict[str, Any]) -> None:
    """Restore the user's data of a document."""
    if kept.get("details"):
        write_details(db, document_id, kept["details"])
    if kept.get("cut"):
        db.write(
            "INSERT OR REPLACE INTO setting VALUES (?, ?)", (f"cut:{document_id}", kept["cut"])
        )
    db.write_many(
        "INSERT INTO annotation(document_id, kind, start, end, quote, color, note, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        ((document_id, *mark) for mark in kept.get("marks", ())),
    )
    db.write_many(
        "INSERT OR IGNORE INTO collection_document SELECT id, ? FROM collection WHERE name = ?",
        ((document_id, name) for name in kept.get("collections", ())),
    )


def remove_from_trash(db: Db, trash_id: int) -> None:
    db.write("DELETE FROM trash WHERE id = ?", (trash_id,))


def empty_trash(db: Db, before: float) -> None:
    """Delete what was put into the trash before a time."""
    db.write("DELETE FROM trash WHERE trashed_at < ?", (before,))


# --- watched folders ----------------------------------------------------------------------------


def fetch_watched(db: Db) -> list[str]:
    return [r[0] for r in db.rows("SELECT path FROM watched_folder ORDER BY path")]


def add_watched(db: Db, path: str) -> None:
    db.write("INSERT OR IGNORE INTO watched_folder VALUES (?, ?)", (path, time.time()))


def remove_watched(db: Db, path: str) -> None:
    db.write("DELETE FROM watched_folder WHERE path = ?", (path,))


def fetch_files_known(db: Db) -> list[tuple[str, int, float]]:
    """Return (path, size, time added) of the files of documents and of the trash."""
    return db.rows(
        "SELECT source_path, size_bytes, added_at FROM document WHERE row_number = 0"
        " AND source_path <> '' UNION ALL SELECT source_path, size_bytes, trashed_at FROM trash"
    )


def fetch_documents_from_files(db: Db) -> list[tuple[int, str, str]]:
    """Return (document id, title, path) of documents read from a file."""
    return db.rows(
        "SELECT id, title, source_path FROM document WHERE row_number = 0 AND source_path <> ''"
    )
