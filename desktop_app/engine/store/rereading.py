"""A document read again: chunks whose text is the same stay, with all that was found in them.

Owns the difference of chunks and the moving of offsets. What a new chunk says is for others.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

from ..types import ChunkSpan
from .db import Db

# Every column that holds an offset into the document's text, by table, where rows name a chunk.
_OFFSETS = {
    "window": ("start", "end"),
    "mention": ("start", "end", "sentence_start", "sentence_end"),
    "claimed_relation": ("start", "end"),
    "text_claim": ("start", "end"),
    "citation": ("start", "end"),
}


def match_chunks(old: Iterable[tuple[int, str]], new: Sequence[str]) -> dict[int, int]:
    """Return position in `new` -> id of the old chunk with the same text, each used once."""
    ids: dict[str, deque[int]] = defaultdict(deque)
    for chunk_id, text in old:
        ids[text].append(chunk_id)
    return {i: ids[text].popleft() for i, text in enumerate(new) if ids.get(text)}


def keep_same_chunks(
    db: Db,
    document_id: int,
    text: str,
    chunks: Sequence[ChunkSpan],
    pages: Sequence[tuple[int | None, int | None]],
) -> set[int]:
    """Move old chunks to where their text now stands and take out the others.

    Args:
        text: of the whole document as read now; `chunks` are its new ones.
        pages: of each chunk, the first and last page.

    Returns:
        Positions in `chunks` that need no storing any more.
    """
    old = db.rows(
        "SELECT id, text, start, end FROM chunk WHERE document_id = ? ORDER BY order_no",
        (document_id,),
    )
    if not old:
        return set()
    kept = match_chunks(((r[0], r[1]) for r in old), [text[c.start : c.end] for c in chunks])
    stays = set(kept.values())
    db.write_many("DELETE FROM chunk WHERE id = ?", ((r[0],) for r in old if r[0] not in stays))
    # Order numbers are unique in a document: make room before they are given anew.
    db.write("UPDATE chunk SET order_no = -1 - order_no WHERE document_id = ?", (document_id,))
    stood = {r[0]: (r[2], r[3]) for r in old}
    moves = [(*stood[i], chunks[position].start - stood[i][0]) for position, i in kept.items()]
    _move_senses(db, document_id, moves)
    for position, chunk_id in kept.items():
        chunk = chunks[position]
        db.write(
            "UPDATE chunk SET order_no = ?, start = ?, end = ?, n_tokens = ?, heading_path = ?,"
            " page_first = ?, page_last = ? WHERE id = ?",
            (
                chunk.order,
                chunk.start,
                chunk.end,
                chunk.n_tokens,
                chunk.heading_path,
                *pages[position],
                chunk_id,
            ),
        )
        if moved := chunk.start - stood[chunk_id][0]:
            for table, columns in _OFFSETS.items():
                sets = ", ".join(f"{column} = {column} + ?1" for column in columns)
                db.write(f"UPDATE {table} SET {sets} WHERE chunk_id = ?2", (moved, chunk_id))
    return set(kept)


def _move_senses(db: Db, document_id: int, moves: Sequence[tuple[int, int, int]]) -> None:
    """Let what a person said of namesakes follow a file that changed.

    Args:
        moves: (start, end, by how much) of every stretch that is still there.
    """
    old, new = db.row("SELECT sha256_before, sha256 FROM document WHERE id = ?", (document_id,))
    if not old or old == new:
        return
    for name, sense, start in db.rows(
        "SELECT name, sense, start FROM split_mention WHERE document = ?", (old,)
    ):
        for first, last, by in moves:
            if first <= start < last:
                db.write(
                    "INSERT OR REPLACE INTO split_mention(name, sense, document, start)"
                    " VALUES (?, ?, ?, ?)",
                    (name, sense, new, start + by),
                )
                break
