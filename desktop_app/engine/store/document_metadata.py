"""Rows of document details edited by the user, and the files of documents.

Details are written inside `Db.edit`. What a bibliography says of a document (`bibliography_item`)
stands between what its file says and what the user wrote.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from ..messages import Message
from ..model import DocumentId, ReadDocument, Reference
from .db import Db
from .fts_tokens import build_phrase
from .stored_json import parse_stored_json

# Counted up when the rules that find titles and authors change; documents that older rules read are
# read once more in the background (`services.reference_update`). 2: the case of titles in capitals,
# for which only those are read.
REFERENCE_RULES = 2
# Details of a work that a bibliography gives and the user can change.
EDITED_WORK_FIELDS = ("container", "volume", "issue", "pages", "publisher")
FIELDS = (
    *("title", "author", "year", "language", "comment", "tags", "doi", "isbn"),
    *EDITED_WORK_FIELDS,
)
WORK_FIELDS = (
    *("kind", "container", "volume", "issue", "pages"),
    *("publisher", "place", "edition", "editors"),
)
_ITEM_FIELDS = ("item_key", "title", "author", "year", "doi", "isbn", *WORK_FIELDS)
_MAX_GIVEN = 2_000  # characters of a field

# What the file says is stored before details of the user replace it.
_APPLY_SQL = """
UPDATE document SET
    file_title = coalesce(file_title, document.title),
    file_author = coalesce(file_author, document.author),
    file_year = coalesce(file_year, document.year),
    file_language = coalesce(file_language, document.language),
    file_doi = coalesce(file_doi, document.doi),
    file_isbn = coalesce(file_isbn, document.isbn),
    title = coalesce(e.title, nullif(g.title, ''), file_title, document.title),
    author = coalesce(e.author, nullif(g.author, ''), file_author, document.author),
    year = coalesce(e.year, nullif(g.year, ''), file_year, document.year),
    language = coalesce(e.language, file_language, document.language),
    doi = coalesce(e.doi, nullif(g.doi, ''), file_doi, document.doi),
    isbn = coalesce(e.isbn, nullif(g.isbn, ''), file_isbn, document.isbn)
  FROM (SELECT 1) LEFT JOIN document_edit e ON e.document_id = ?1
  LEFT JOIN bibliography_item g ON g.document_id = ?1
 WHERE document.id = ?1
"""


def write_details(db: Db, document_id: int, details: Mapping[str, str | None]) -> None:
    """Store some of the details that `FIELDS` names, and apply them."""
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


def find_given_author(db: Db, document_id: int) -> str | None:
    """Return the author that `apply_details` sets, None where that of the file stays."""
    found: str | None = db.value(
        "SELECT coalesce(e.author, nullif(g.author, '')) FROM document d"
        " LEFT JOIN document_edit e ON e.document_id = d.id"
        " LEFT JOIN bibliography_item g ON g.document_id = d.id WHERE d.id = ?",
        (document_id,),
    )
    return found


def fetch_given(db: Db, document_id: int) -> dict[str, Any]:
    """Return what a bibliography says of a document, as `store_given` got it."""
    row = db.row(
        f"SELECT taken, {', '.join(_ITEM_FIELDS)} FROM bibliography_item WHERE document_id = ?",
        (document_id,),
    )
    if row is None:
        return {}
    fields = dict(zip(_ITEM_FIELDS, row[1:], strict=True))
    taken: dict[str, Any] = parse_stored_json(row[0], dict)
    return taken | {name: value for name, value in fields.items() if value}


def store_given(db: Db, document_id: int, given: Mapping[str, Any]) -> None:
    """Store what a bibliography says of a document, and apply it under the user's details.

    Args:
        given: item_key, title, author, year, doi, isbn and `WORK_FIELDS`, all texts; other entries
            are the caller's.
    """
    fields = [str(given.get(name, ""))[:_MAX_GIVEN] for name in _ITEM_FIELDS]
    rest = {name: value for name, value in given.items() if name not in _ITEM_FIELDS}
    db.write(
        f"INSERT OR REPLACE INTO bibliography_item(document_id, taken, {', '.join(_ITEM_FIELDS)})"
        f" VALUES (?, ?{', ?' * len(_ITEM_FIELDS)})",
        (document_id, json.dumps(rest, ensure_ascii=False, sort_keys=True), *fields),
    )
    apply_details(db, document_id)


def find_by_item_key(db: Db, item_key: str) -> DocumentId | None:
    """Return the document of an item of a bibliography, which may be in the trash."""
    found: DocumentId | None = db.value(
        "SELECT document_id FROM bibliography_item WHERE item_key = ?1 AND ?1 <> ''"
        " ORDER BY document_id LIMIT 1",
        (item_key,),
    )
    return found


def drop_unused_given(db: Db) -> None:
    """Delete what bibliographies say of documents that were deleted permanently."""
    db.write(
        "DELETE FROM bibliography_item WHERE document_id"
        " NOT IN (SELECT id FROM document UNION SELECT document_id FROM trash)"
    )


def fetch_details(db: Db, document_id: int) -> dict[str, str | None]:
    row = db.row(
        f"SELECT {', '.join(FIELDS)} FROM document_edit WHERE document_id = ?", (document_id,)
    )
    return dict(zip(FIELDS, row, strict=True)) if row else {}


def fetch_existing(db: Db, document_ids: Collection[int]) -> set[int]:
    """Return those of the ids that documents have."""
    return {row[0] for row in db.rows_in("SELECT id FROM document WHERE id", document_ids)}


def fetch_document_references(
    db: Db, document_ids: Collection[int] | None = None
) -> list[Reference]:
    """Return what citations say of documents, or of all, in the order they were added."""
    fields = ", ".join(
        f"coalesce(x.{name}, g.{name}, '')"
        if name in EDITED_WORK_FIELDS
        else f"coalesce(g.{name}, '')"
        for name in WORK_FIELDS
    )
    sql = (
        "SELECT d.id, d.title, d.author, d.year, d.doi, d.isbn, d.language, d.format,"
        f" coalesce(x.tags, ''), {fields} FROM document d"
        " LEFT JOIN document_edit x ON x.document_id = d.id"
        " LEFT JOIN bibliography_item g ON g.document_id = d.id"
    )
    found = db.rows(sql) if document_ids is None else db.rows_in(f"{sql} WHERE d.id", document_ids)
    return [
        Reference(i, title, author, year, doi, isbn, language, format, _split_tags(tags),
                  **dict(zip(WORK_FIELDS, work, strict=True)))
        for i, title, author, year, doi, isbn, language, format, tags, *work in sorted(found)
    ]  # fmt: skip


def _split_tags(tags: str) -> tuple[str, ...]:
    return tuple(filter(None, tags.split("\n")))


def fetch_outdated_references(db: Db) -> list[tuple[int, str]]:
    """Return (id, file name) of documents whose references older rules found, the newest first.

    Rows of tables are left out: their titles are columns.
    """
    return db.rows(
        "SELECT d.id, d.file_name FROM document d JOIN original o ON o.document_id = d.id"
        " WHERE d.reference_rules < ? AND (d.reference_rules < 1 OR ("
        "  coalesce(d.file_title, d.title) = upper(coalesce(d.file_title, d.title))"
        "  AND coalesce(d.file_title, d.title) <> lower(coalesce(d.file_title, d.title))))"
        " AND d.state = 'ready' AND d.row_number = 0"
        " AND d.format NOT IN ('csv', 'jsonl') ORDER BY d.added_at DESC, d.id DESC",
        (REFERENCE_RULES,),
    )


_REFERENCE_SQL = (
    "SELECT coalesce(file_title, title), coalesce(file_author, author), coalesce(file_year, year),"
    " coalesce(file_doi, doi), coalesce(file_isbn, isbn) FROM document WHERE id = ?"
)


def update_reference(db: Db, document_id: int, read: ReadDocument | None) -> bool:
    """Store what the present rules find in a document's file; return whether that is something new.

    Details of the user stay. A new title is recorded in the notices of the document, with the old
    one. A text without a file keeps the title that it was added under.

    Args:
        read: None if the file can't be read; everything stays as it is.
    """
    before = db.row(_REFERENCE_SQL, (document_id,))
    if before is None:
        return False
    if read is not None:
        db.write(
            "UPDATE document SET title = iif(source_path = '', ?1, ?2), author = ?3, year = ?4,"
            " doi = ?5, isbn = ?6, file_title = NULL, file_author = NULL, file_year = NULL,"
            " file_doi = NULL, file_isbn = NULL WHERE id = ?7",
            (before[0], read.title, read.author, read.year, read.doi, read.isbn, document_id),
        )
        apply_details(db, document_id)
    db.write("UPDATE document SET reference_rules = ? WHERE id = ?", (REFERENCE_RULES, document_id))
    after = db.row(_REFERENCE_SQL, (document_id,))
    if after == before or after is None:
        return False
    if after[0].casefold() != before[0].casefold():  # the case of a title needs no notice
        note = Message("Its title was read from the file again. Before: “{title}”", title=before[0])
        add_notice(db, document_id, note)
    return True


def add_notice(db: Db, document_id: int, notice: Message) -> None:
    """Add a sentence to the notices of a document."""
    db.write(
        "UPDATE document SET notes = json_insert(notes, '$[#]', json(?)) WHERE id = ?",
        (json.dumps(notice.to_stored(), ensure_ascii=False), document_id),
    )


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
    """Return (path, size, time added) of the files of documents and of the trash.

    A large mail box is several files of the library: its size is theirs together.
    """
    return db.rows(
        "SELECT source_path, sum(size), min(at) FROM ("
        " SELECT d.source_path, coalesce(v.size_bytes, d.size_bytes) AS size,"
        " coalesce(v.found_at, d.taken_at, d.added_at) AS at FROM document d"
        " LEFT JOIN new_version v ON v.document_id = d.id AND typeof(v.content) <> 'null'"
        " WHERE d.row_number = 0 AND d.source_path <> ''"
        " UNION ALL SELECT t.source_path, t.size_bytes, max(t.trashed_at) FROM trash t"
        " WHERE t.sha256 <> '' AND NOT EXISTS (SELECT 1 FROM document d WHERE d.row_number = 0"
        "  AND d.source_path = t.source_path AND d.file_name = t.file_name)"
        " GROUP BY t.source_path, t.file_name) GROUP BY source_path"
    )


def fetch_documents_from_files(db: Db) -> list[tuple[int, str, str]]:
    """Return (document id, title, path) of documents read from a file."""
    return db.rows(
        "SELECT id, title, source_path FROM document WHERE row_number = 0 AND source_path <> ''"
    )
