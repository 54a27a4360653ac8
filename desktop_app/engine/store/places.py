"""Where in the library a stretch of text stands: its chunk, title, page and heading."""

from __future__ import annotations

from ..types import Passage
from .db import Db


def find_passage(db: Db, document_id: int, start: int, end: int) -> Passage | None:
    """Return the stretch as a passage of its own; one over a chunk's edge is cut there."""
    row = db.row(
        "SELECT c.id, d.title, c.start, c.end, c.text, c.heading_path, c.page_first,"
        " coalesce((SELECT p.label FROM page p WHERE p.document_id = c.document_id"
        "  AND p.start <= ?2 AND p.end > ?2), '')"
        " FROM chunk c JOIN document d ON d.id = c.document_id"
        " WHERE c.document_id = ?1 AND c.start <= ?2 AND c.end > ?2"
        " ORDER BY c.order_no DESC LIMIT 1",
        (document_id, start),
    )
    if row is None:
        return None
    chunk_id, title, chunk_start, chunk_end, text, heading, page, label = row
    end = min(end, chunk_end)
    return Passage(
        chunk_id=chunk_id,
        document_id=document_id,
        title=title,
        start=start,
        end=end,
        score=0.0,
        text=text[start - chunk_start : end - chunk_start],
        best_start=start,
        best_end=end,
        page_label=label,
        page_index=page,
        heading=heading,
    )
