"""Rows of document details edited by the user and of the trash, and the files of documents.

All are written inside `Db.edit`, except that documents are deleted from the trash permanently.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping

from ..errors import UserError
from . import documents
from .annotations import fetch_annotations
from .db import Db
from .fts_tokens import build_phrase
from .stored_json import load_json, reads_stored

FIELDS = ("title", "author", "year", "language", "comment", "tags")

# What the file says is stored before details of the user replace it.
_APPLY_SQL = """
UPDATE document SET
    file_title = coalesce(file_title, document.title),
    file_author = coalesce(file_author, document.author),
    file_year = coalesce(file_year, document.year),
    file_language = coalesce(file_language, document.language),
    title = coalesce(e.title, file_title, document.title),
    author = coalesce(e.author, file_author, document.author),
    year = coalesce(e.year, file_year, document.year),
    language = coalesce(e.language, file_language, document.language)
  FROM (SELECT 1) LEFT JOIN document_edit e ON e.document_id = ?1
 WHERE document.id = ?1
"""


def write_details(db: Db, document_id: int, details: Mapping[str, str | None]) -> None:
    """Store some of title, author, year, language, comment and tags, and apply them."""
    db.write("INSERT OR IGNORE INTO document_edit(document_id) VALUES (?)", (document_id,))
    for field, value in details.items():
        if field not in FIELDS:
            raise ValueError(f"no such detail: {field}")
        db.write(
            f"UPDATE document_edit SET {field} = ? WHERE document_id = ?", (value, document_id)
        )
    apply_details(db, document_id)


def apply_details(db: Db, document_id: int) -> None:
    """Apply the user's details of a document, if there are any, over those of its file."""
    db.write(_APPLY_SQL, (document_id,))


def fetch_details(db: Db, document_id: int) -> dict[str, str | None]:
    row = db.row(
        f"SELECT {', '.join(FIELDS)} FROM document_edit WHERE document_id = ?", (document_id,)
    )
    return dict(zip(FIELDS, row, strict=True)) if row else {}


def fetch_existing(db: Db, document_ids: Collection[int]) -> set[int]:
    """Return those of the ids that documents have."""
    return {row[0] for row in db.rows_in("SELECT id FROM document WHERE id", document_ids)}


def find_documents_with_text(db: Db, text: str) -> list[int]:
    """Return the documents that contain these words literally."""
    match = build_phrase(text)
    if not match:
        return []
    return db.column(
        "SELECT DISTINCT c.document_id FROM chunk_fts f JOIN chunk c ON c.id = f.rowid"
        " WHERE chunk_fts MATCH ?",
        (match,),
    )


# --- trash --------------------------------------------------------------------------------------


def has_file(db: Db, document_id: int) -> bool:
    """Return whether a document has a file of its own, so that the trash can restore it."""
    return bool(
        db.value(
            "SELECT 1 FROM document d JOIN original o ON o.document_id = d.id"
            " WHERE d.id = ? AND d.row_number = 0",
            (document_id,),
        )
    )


def add_to_trash(db: Db, document_id: int) -> int:
    """Move a document that has a file to the trash, with the user's data; return the trash id."""
    state = db.row(
        "SELECT chunking, reading_position, set_aside FROM document WHERE id = ?", (document_id,)
    )
    kept = {
        "details": fetch_details(db, document_id),
        "state": state,
        "marks": [list(row[2:]) for row in fetch_annotations(db, document_id)],
        "collections": db.column(
            "SELECT c.name FROM collection c JOIN collection_document d"
            " ON d.collection_id = c.id WHERE d.document_id = ?",
            (document_id,),
        ),
    }
    trash_id = db.write(
        "INSERT INTO trash(document_id, title, file_name, source_path, sha256, size_bytes, kept,"
        " added_at, trashed_at) SELECT id, title, file_name, source_path, sha256, size_bytes, ?,"
        " added_at, ? FROM document WHERE id = ?",
        (json.dumps(kept, ensure_ascii=False), time.time(), document_id),
    )
    remove_to_trash(db, trash_id, document_id)
    return trash_id


def remove_to_trash(db: Db, trash_id: int, document_id: int) -> None:
    """Move the file of a document to its row of the trash and delete the document."""
    db.write(
        "INSERT INTO trash_file SELECT ?, content, '' FROM original WHERE document_id = ?",
        (trash_id, document_id),
    )
    documents.delete_document(db, document_id)


def restore_file(db: Db, trash_id: int) -> int | None:
    """Make a document from its file in the trash, to be read again; return its id.

    None if it was deleted from the trash. The caller removes the row of the trash and restores
    the user's data.

    Raises:
        UserError: the document has been added again.
    """
    row = db.row("SELECT title, sha256, document_id, kept FROM trash WHERE id = ?", (trash_id,))
    if row is None:
        return None
    title, sha256, document_id, kept = row
    if documents.find_by_hash(db, sha256) is not None:
        raise UserError(
            "“{title}” is in the library already.", "Delete one of the two.", title=title
        )
    db.write(
        "INSERT INTO document(id, title, file_name, source_path, sha256, size_bytes, added_at,"
        " chunking, reading_position, set_aside) SELECT document_id, title, file_name,"
        " source_path, sha256, size_bytes, added_at, ?, ?, ? FROM trash WHERE id = ?",
        (*(load_json(kept, dict).get("state") or ("", "", 0)), trash_id),
    )
    db.write(
        "INSERT INTO original SELECT ?, content, '' FROM trash_file WHERE trash_id = ?",
        (document_id, trash_id),
    )
    db.write("DELETE FROM trash_file WHERE trash_id = ?", (trash_id,))
    documents.ensure_job(db, document_id)
    return int(document_id)


@reads_stored
def restore_user_data(db: Db, trash_id: int, document_id: int) -> None:
    """Give a restored document the user's data from its row of the trash, and delete the row."""
    kept = json.loads(db.value("SELECT kept FROM trash WHERE id = ?", (trash_id,)))
    if kept["details"]:
        write_details(db, document_id, kept["details"])
    db.write_many(
        "INSERT INTO annotation(document_id, kind, start, end, quote, color, note, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        ((document_id, *mark) for mark in kept["marks"]),
    )
    db.write_many(
        "INSERT OR IGNORE INTO collection_document SELECT id, ? FROM collection WHERE name = ?",
        ((document_id, name) for name in kept["collections"]),
    )
    db.write("DELETE FROM trash WHERE id = ?", (trash_id,))


def fetch_trash(db: Db) -> list[tuple[int, str, str, int, float]]:
    """Return (id, title, file name, size, time), most recent first."""
    return db.rows(
        "SELECT id, title, file_name, size_bytes, trashed_at FROM trash ORDER BY id DESC"
    )


def purge_trash(db: Db, trash_ids: Collection[int] | None = None, before: float = 0.0) -> None:
    """Delete documents from the trash permanently: these, or those put there before a time."""
    if trash_ids is not None:
        db.write_many("DELETE FROM trash WHERE id = ?", ((i,) for i in trash_ids))
    else:
        db.write("DELETE FROM trash WHERE trashed_at < ?", (before,))
    db.write("DELETE FROM trash_file WHERE trash_id NOT IN (SELECT id FROM trash)")


# --- watched folders ----------------------------------------------------------------------------


def fetch_library_id(db: Db) -> str:
    """Return the id of the library, the same in copies of its file."""
    return str(db.value("SELECT library_id FROM library_state"))


def fetch_requested_folders(db: Db, limit: int) -> list[str]:
    """Return folders that the file asks to watch; the program does not, unless the user agrees."""
    return db.column("SELECT path FROM requested_folder ORDER BY path LIMIT ?", (limit,))


def delete_requested_folders(db: Db) -> None:
    db.write("DELETE FROM requested_folder")


def fetch_files_known(db: Db) -> list[tuple[str, int, float]]:
    """Return (path, size, time added) of the files of documents and of the trash."""
    return db.rows(
        "SELECT d.source_path, coalesce(v.size_bytes, d.size_bytes),"
        " coalesce(v.found_at, d.taken_at, d.added_at) FROM document d"
        " LEFT JOIN new_version v ON v.document_id = d.id AND typeof(v.content) <> 'null'"
        " WHERE d.row_number = 0 AND d.source_path <> ''"
        " UNION ALL SELECT source_path, size_bytes, trashed_at FROM trash"
    )


def fetch_documents_from_files(db: Db) -> list[tuple[int, str, str]]:
    """Return (document id, title, path) of documents read from a file."""
    return db.rows(
        "SELECT id, title, source_path FROM document WHERE row_number = 0 AND source_path <> ''"
    )
