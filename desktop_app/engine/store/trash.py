"""Documents in the trash: their rows, files and what the user did to them.

A document in the trash is in no other table. Its rows of source and evidence are in tables of their
own (`trashed_x` has the columns of `x`), and its file is in `trash_file`, so restoring it reads
nothing again. Documents that an older version moved there have only their file, and are read again.
Rows of `trash` are written inside `Db.edit`, except when documents are deleted permanently.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Collection
from typing import Any

from ..errors import UserError
from . import documents, search
from .annotations import fetch_annotations, fetch_area_pictures
from .db import Db
from .document_metadata import drop_unused_given, fetch_details, write_details
from .file_content import has_digest
from .stored_json import parse_stored_json, reads_stored
from .table_headers import index_headers

# The tables whose rows a document takes with it, parents first, each with its rows.
_OF_DOCUMENT = "document_id = ?2"
_OF_CHUNKS = "chunk_id IN (SELECT id FROM chunk WHERE document_id = ?2)"
_KEPT = {
    "document": "id = ?2",
    "document_text": _OF_DOCUMENT,
    "text_digest": _OF_DOCUMENT,
    "page": _OF_DOCUMENT,
    "heading": _OF_DOCUMENT,
    "scanned_page": _OF_DOCUMENT,
    "figure": _OF_DOCUMENT,
    "figure_description": _OF_DOCUMENT,
    "chunk": _OF_DOCUMENT,
    "window": _OF_DOCUMENT,
    "extraction": _OF_CHUNKS,
    "mention": _OF_DOCUMENT,
    "claimed_relation": _OF_DOCUMENT,
    "also_called": f"extraction_id IN (SELECT id FROM extraction WHERE {_OF_CHUNKS})",
    "name_claim": _OF_DOCUMENT,
    "text_claim": _OF_DOCUMENT,
    "event": _OF_DOCUMENT,
    "event_part": f"event_id IN (SELECT id FROM event WHERE {_OF_DOCUMENT})",
    "embedding": "window_id IN (SELECT id FROM window WHERE document_id = ?2)",
    "enrich_wanted": _OF_DOCUMENT,
}
TRASHED_TABLES = tuple(f"trashed_{table}" for table in _KEPT)
# Tables whose ids are used again after a deletion, and the columns that refer to these ids.
_NUMBERED = (
    "chunk", "window", "extraction", "mention", "claimed_relation", "also_called", "name_claim",
    "text_claim", "event", "event_part",
)  # fmt: skip
_REFERENCES = {"chunk_id": "chunk", "window_id": "window", "extraction_id": "extraction",
               "event_id": "event"}  # fmt: skip


def add_to_trash(db: Db, document_id: int) -> int:
    """Move a document to the trash, with the user's data; return the trash id."""
    state = db.row(
        "SELECT chunking, reading_position, set_aside FROM document WHERE id = ?", (document_id,)
    )
    kept = {
        "details": fetch_details(db, document_id),
        "state": state,
        "marks": _keep_marks(db, document_id),
        "collections": db.column(
            "SELECT c.name FROM collection c JOIN collection_document d"
            " ON d.collection_id = c.id WHERE d.document_id = ?",
            (document_id,),
        ),
        "duplicates": db.column("SELECT id FROM document WHERE duplicate_of = ?", (document_id,)),
    }
    trash_id = db.write(
        "INSERT INTO trash(document_id, title, file_name, source_path, sha256, size_bytes, kept,"
        " added_at, trashed_at) SELECT id, title, file_name, source_path, sha256, size_bytes, ?,"
        " added_at, ? FROM document WHERE id = ?",
        (json.dumps(kept, ensure_ascii=False), time.time(), document_id),
    )
    remove_to_trash(db, trash_id, document_id)
    return trash_id


def _keep_marks(db: Db, document_id: int) -> list[list[Any]]:
    """Return the annotations of a document without their ids, pictures in base64."""
    rows = fetch_annotations(db, document_id)
    pictures = fetch_area_pictures(db, [row[0] for row in rows if row[10]])
    return [
        [*row[2:], base64.b64encode(pictures[row[0]]).decode() if row[0] in pictures else ""]
        for row in rows
    ]


def _read_mark(kept: list[Any]) -> tuple[Any, ...]:
    """Return the columns of a kept annotation; older versions kept no style, area or tags."""
    *_, style, area, tags, picture = kept if len(kept) > 10 else _complete_mark(kept)
    return *kept[:7], style, area, tags, base64.b64decode(picture) if picture else None


def _complete_mark(kept: list[Any]) -> list[Any]:
    """Return an annotation that a version without tags kept with what it lacks."""
    style, area, picture = (kept[7:] + ["fill", "", ""][len(kept) - 7 :])[:3]
    return [*kept[:7], style, area, "", picture]


def remove_to_trash(db: Db, trash_id: int, document_id: int) -> None:
    """Move the rows and the file of a document to its row of the trash, and delete it."""
    db.write(
        "INSERT INTO trash_file SELECT ?, content, '' FROM original WHERE document_id = ?",
        (trash_id, document_id),
    )
    for table, where in _KEPT.items():
        columns = ", ".join(_fetch_columns(db, table))
        db.write(
            f"INSERT INTO trashed_{table}(trash_id, {columns})"
            f" SELECT ?1, {columns} FROM {table} WHERE {where}",
            (trash_id, document_id),
        )
    documents.delete_document(db, document_id)


def restore_document(db: Db, trash_id: int) -> int | None:
    """Move a document back out of the trash; return its id, None if it was deleted from there.

    Its rows get other ids where theirs are in use. The caller removes the row of the trash,
    restores the user's data and updates the graph.

    Raises:
        UserError: the document has been added again.
    """
    row = db.row("SELECT title, sha256, document_id, kept FROM trash WHERE id = ?", (trash_id,))
    if row is None:
        return None
    title, sha256, document_id, kept = row
    if _is_in_library(db, trash_id, sha256):
        raise UserError(
            "“{title}” is already in the library.", "Delete one of the two.", title=title
        )
    if db.value(
        "SELECT 1 FROM trashed_document WHERE trash_id = ? AND id = ?", (trash_id, document_id)
    ):
        _move_rows_back(db, trash_id)
        _mark_duplicates(db, document_id, parse_stored_json(kept, dict).get("duplicates"))
    else:
        db.write(
            "INSERT INTO document(id, title, file_name, source_path, sha256, size_bytes, added_at,"
            " chunking, reading_position, set_aside) SELECT document_id, title, file_name,"
            " source_path, sha256, size_bytes, added_at, ?, ?, ? FROM trash WHERE id = ?",
            (*(parse_stored_json(kept, dict).get("state") or ("", "", 0)), trash_id),
        )
    db.write(
        "INSERT INTO original SELECT ?, content, '' FROM trash_file WHERE trash_id = ?",
        (document_id, trash_id),
    )
    db.write("DELETE FROM trash_file WHERE trash_id = ?", (trash_id,))
    _queue(db, document_id)
    return int(document_id)


def _is_in_library(db: Db, trash_id: int, sha256: str) -> bool:
    """Return whether the document was added again, or its row of a table read again."""
    if sha256:
        return documents.find_by_hash(db, sha256) is not None
    return bool(
        db.value(
            "SELECT 1 FROM trashed_document t JOIN document d ON d.row_number = t.row_number"
            " AND d.file_name = t.file_name AND d.source_path = t.source_path"
            " AND d.added_at = t.added_at WHERE t.trash_id = ? AND t.row_number > 0",
            (trash_id,),
        )
    )


def _move_rows_back(db: Db, trash_id: int) -> None:
    shifts = {table: _find_shift(db, table, trash_id) for table in _NUMBERED}
    for table in _KEPT:
        columns = _fetch_columns(db, table)
        values = ", ".join(_shift(column, table, shifts) for column in columns)
        db.write(
            f"INSERT INTO {table}({', '.join(columns)})"
            f" SELECT {values} FROM trashed_{table} WHERE trash_id = ?",
            (trash_id,),
        )
    restored = "SELECT id FROM trashed_document WHERE trash_id = ?"
    index_headers(db, db.column(restored, (trash_id,)))
    for trashed in reversed(TRASHED_TABLES):
        db.write(f"DELETE FROM {trashed} WHERE trash_id = ?", (trash_id,))


def _mark_duplicates(db: Db, document_id: int, duplicates: object) -> None:
    """Mark those of the documents as duplicates again that are still in the library."""
    db.write_many(
        "UPDATE document SET duplicate_of = ? WHERE id = ? AND duplicate_of IS NULL",
        [(document_id, i) for i in duplicates if isinstance(i, int)]
        if isinstance(duplicates, list)
        else [],
    )


def _find_shift(db: Db, table: str, trash_id: int) -> int:
    """Return what to add to the ids of a table, 0 if they are free."""
    is_used = db.value(
        f"SELECT 1 FROM trashed_{table} t JOIN {table} x ON x.id = t.id WHERE t.trash_id = ?"
        " LIMIT 1",
        (trash_id,),
    )
    if not is_used:
        return 0
    return int(
        db.value(
            f"SELECT (SELECT max(id) FROM {table}) + 1 - min(id) FROM trashed_{table}"
            " WHERE trash_id = ?",
            (trash_id,),
        )
    )


def _shift(column: str, table: str, shifts: dict[str, int]) -> str:
    """Return the expression for a column of a row that is moved back."""
    if column == "duplicate_of":  # the original may be gone
        return "(SELECT id FROM document WHERE id = duplicate_of)"
    by = shifts.get(table if column == "id" else _REFERENCES.get(column, ""), 0)
    return f"{column} + {by}" if by else column


def _queue(db: Db, document_id: int) -> None:
    """Queue a document that was restored before it was indexed, or its new version."""
    state = documents.find_state(db, document_id)
    new = db.value("SELECT state FROM new_version WHERE document_id = ?", (document_id,))
    if state in ("waiting", "reading", "indexing") or new == "waiting":
        documents.ensure_job(db, document_id, started=state in ("reading", "indexing"))


def has_work(db: Db, document_id: int) -> bool:
    """Return whether a document waits to be indexed, or has windows without vectors."""
    return bool(
        db.value("SELECT 1 FROM job WHERE kind = 'index' AND target_id = ?", (document_id,))
        or (
            search.find_embedding_model(db)
            and db.value(
                "SELECT 1 FROM window w LEFT JOIN embedding e ON e.window_id = w.id"
                " WHERE w.document_id = ? AND e.window_id IS NULL LIMIT 1",
                (document_id,),
            )
        )
    )


@reads_stored
def restore_user_data(db: Db, trash_id: int, document_id: int) -> None:
    """Give a restored document the user's data from its row of the trash, and delete the row."""
    kept = json.loads(db.value("SELECT kept FROM trash WHERE id = ?", (trash_id,)))
    if kept["details"]:
        write_details(db, document_id, kept["details"])
    db.write_many(
        "INSERT INTO annotation(document_id, kind, start, end, quote, color, note, created_at,"
        " style, area, tags, picture) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((document_id, *_read_mark(mark)) for mark in kept["marks"]),
    )
    db.write_many(
        "INSERT OR IGNORE INTO collection_document SELECT id, ? FROM collection WHERE name = ?",
        ((document_id, name) for name in kept["collections"]),
    )
    if kept["state"] and kept["state"][2]:
        documents.set_excluded(db, document_id, True)
    db.write("DELETE FROM trash WHERE id = ?", (trash_id,))


def note_exclusion(db: Db, document_id: int) -> None:
    """Give a document that an older version excluded from answers the row that says so."""
    db.write(
        "INSERT OR IGNORE INTO excluded_document"
        " SELECT id FROM document WHERE id = ? AND set_aside <> 0",
        (document_id,),
    )


def fetch_trash(db: Db) -> list[tuple[int, str, str, int, float]]:
    """Return (id, title, file name, size, time), most recent first."""
    return db.rows(
        "SELECT id, title, file_name, size_bytes, trashed_at FROM trash ORDER BY id DESC"
    )


def fetch_titles(db: Db) -> list[tuple[int, str]]:
    """Return (document id, title) of the documents in the trash; their files' names without one."""
    return db.rows("SELECT document_id, coalesce(nullif(title, ''), file_name) FROM trash")


def find_in_trash(db: Db, document_id: int) -> int | None:
    """Return the id in the trash of a document, None if it is not there."""
    found = db.value(
        "SELECT id FROM trash WHERE document_id = ? ORDER BY id DESC LIMIT 1", (document_id,)
    )
    return int(found) if found is not None else None


def is_in_trash(db: Db, document_id: int) -> bool:
    """Return whether the document with this id is in the trash."""
    return db.value("SELECT 1 FROM trash WHERE document_id = ?", (document_id,)) is not None


def find_damaged(db: Db, trash_id: int) -> list[str]:
    """Return what of a document in the trash does not fit its SHA-256: "file", "text"."""
    found = []
    sha256 = db.value("SELECT sha256 FROM trash WHERE id = ?", (trash_id,))
    if sha256 and not has_digest(db, "trash_file", trash_id, sha256):
        found.append("file")
    text = db.row(
        "SELECT d.sha256, t.text FROM trashed_text_digest d JOIN trashed_document_text t"
        " USING (trash_id) WHERE d.trash_id = ?",
        (trash_id,),
    )
    if text is not None:
        encoded = text[1].encode("utf-8", "surrogatepass")
        if hashlib.sha256(encoded).hexdigest() != text[0]:
            found.append("text")
    return found


def purge_trash(db: Db, trash_ids: Collection[int] | None = None, before: float = 0.0) -> None:
    """Delete documents from the trash permanently: these, or those put there before a time."""
    if trash_ids is not None:
        db.write_many("DELETE FROM trash WHERE id = ?", ((i,) for i in trash_ids))
    else:
        db.write("DELETE FROM trash WHERE trashed_at < ?", (before,))
    db.write("DELETE FROM trash_file WHERE trash_id NOT IN (SELECT id FROM trash)")
    drop_unused_given(db)


def _fetch_columns(db: Db, table: str) -> list[str]:
    """Return the columns of a table, all of which the table of trashed rows has too."""
    return db.column("SELECT name FROM pragma_table_info(?) ORDER BY cid", (table,))
