"""What a page is called: its printed number, or its place in the file where none is known."""

from __future__ import annotations

from .db import Db

# Of the row `p` of `page`; `Page.number` is the same rule.
PAGE_LABEL = "coalesce(nullif(p.label, ''), CAST(p.page_index + 1 AS TEXT))"


def find_page(db: Db, document_id: int, offset: int) -> tuple[int, str] | None:
    """Return index and label of the page with a character of a document's text, None if unpaged."""
    return db.row(
        f"SELECT p.page_index, {PAGE_LABEL} FROM page p WHERE p.document_id = ?1"
        " AND p.start <= ?2 AND p.end > ?2 LIMIT 1",
        (document_id, offset),
    )
