"""Rows of covers: small pictures of documents, derived from their files."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .db import Db

StoredCover = tuple[int, int, bytes]  # width, height, compressed pixels

# How first pages are drawn is part of what a cover is stored under, after the SHA-256 of its file:
# those drawn in an older way are made again, one after another in the background, and shown until
# then. 2: without the white margins.
_MADE_OF = "d.sha256 || iif(d.format = 'pdf', '/2', '')"


def fetch_documents_without_cover(db: Db, formats: Sequence[str]) -> list[tuple[int, str, str]]:
    """Return (id, format, SHA-256) of documents whose present file no cover was made of.

    The newest come first: they are at the top of the library.
    """
    marks = ", ".join("?" * len(formats))
    return db.rows(
        "SELECT d.id, d.format, d.sha256 FROM document d JOIN original o ON o.document_id = d.id"
        " LEFT JOIN cover c ON c.document_id = d.id"
        f" WHERE d.state = 'ready' AND d.row_number = 0 AND d.format IN ({marks})"
        f" AND (c.sha256 IS NULL OR c.sha256 <> {_MADE_OF}) ORDER BY d.added_at DESC, d.id DESC",
        tuple(formats),
    )


def write_cover(db: Db, document_id: int, sha256: str, cover: StoredCover) -> bool:
    """Store a cover; return False if the document is gone or has another file now."""
    sql = f"SELECT {_MADE_OF} FROM document d WHERE d.id = ? AND d.sha256 = ?"
    made_of = db.value(sql, (document_id, sha256))
    if made_of is None:
        return False
    db.write("INSERT OR REPLACE INTO cover VALUES (?, ?, ?, ?, ?)", (document_id, made_of, *cover))
    return True


def fetch_covers(db: Db, document_ids: Collection[int]) -> dict[int, StoredCover]:
    """Return document id -> cover, of width 0 for a file without one, and where no file is kept.

    Documents whose cover was not made yet are not in it.
    """
    sql = (
        "SELECT d.id, coalesce(c.width, 0), coalesce(c.height, 0), coalesce(c.pixels, x'')"
        " FROM document d LEFT JOIN cover c ON c.document_id = d.id"
        " LEFT JOIN original o ON o.document_id = d.id"
        " WHERE (c.document_id IS NOT NULL OR o.document_id IS NULL) AND d.id"
    )
    return {
        i: (width, height, pixels) for i, width, height, pixels in db.rows_in(sql, document_ids)
    }
