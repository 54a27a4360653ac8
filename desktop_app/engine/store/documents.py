"""Rows of documents: their text, pages, outline, chunks and windows, and the indexing queue."""

from __future__ import annotations

import hashlib
import json
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..file_content import FileContent
from ..messages import NO_MESSAGE, Message
from ..model import (
    ChunkSpan,
    DocumentId,
    DocumentRow,
    Heading,
    NewVersion,
    Page,
    PreviousVersion,
    ReadDocument,
    ScanNumbers,
)
from ..writing_systems import replace_lone_surrogates
from . import namesakes
from .db import Db
from .document_metadata import REFERENCE_RULES
from .file_content import write_content
from .stored_json import parse_stored_json
from .table_headers import index_headers

_PIECE_CHARS = 1_000_000
# The tables and columns with offsets into the document's text, where rows refer to a chunk.
_OFFSETS = {
    "window": ("start", "end"),
    "mention": ("start", "end", "sentence_start", "sentence_end"),
    "claimed_relation": ("start", "end"),
    "text_claim": ("start", "end"),
    "event": ("start", "end", "word_start", "word_end"),
    "event_part": ("start",),
    "citation": ("start", "end"),
}


def match_chunks(old: Iterable[tuple[int, str]], new: Sequence[str]) -> dict[int, int]:
    """Return index in `new` -> id of the old chunk with the same text, each used once."""
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
    """Move old chunks to the new place of their text and delete the others.

    Args:
        text: of the whole document as read now; `chunks` are its new ones.
        pages: of each chunk, the first and last page.

    Returns:
        Indexes in `chunks` that are stored already.
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
    # Order numbers are unique in a document: free them before they are assigned again.
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
    """Move the user's choices of senses to the new offsets of a changed file.

    Args:
        moves: (start, end, shift) of every unchanged part.
    """
    row = db.row("SELECT sha256_before, sha256 FROM document WHERE id = ?", (document_id,))
    if row is None:
        return
    old, new = row
    if not old or old == new:
        return
    namesakes.keep_story(db, old, new)
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


_ROW_SQL = """
SELECT d.id, d.title, d.file_name, d.format, d.language, d.state, d.reason, d.author, d.n_chars,
       (SELECT count(*) FROM page p WHERE p.document_id = d.id),
       d.size_bytes,
       (SELECT count(*) FROM chunk c WHERE c.document_id = d.id),
       (SELECT count(*) FROM chunk c JOIN extraction e ON e.chunk_id = c.id
         WHERE c.document_id = d.id AND e.strategy = 'instant'),
       (SELECT count(*) FROM window w WHERE w.document_id = d.id),
       (SELECT count(*) FROM window w JOIN embedding v ON v.window_id = w.id
         WHERE w.document_id = d.id),
       (SELECT count(*) FROM mention m WHERE m.document_id = d.id),
       (SELECT count(DISTINCT n.entity_id) FROM mention m JOIN entity_name n USING (name_id)
         WHERE m.document_id = d.id),
       d.added_at, d.set_aside, d.duplicate_of, d.notes, d.year,
       coalesce(x.tags, ''), coalesce(x.comment, ''), coalesce(d.taken_at, d.added_at),
       v.sha256, v.state, v.reason, v.n_chars, v.found_at, d.sha256, c.declined, j.state,
       typeof(v.content) = 'null', p.size_bytes, p.taken_at, p.sha256, d.doi, d.isbn,
       coalesce(x.container, g.container, ''), coalesce(x.volume, g.volume, ''),
       coalesce(x.issue, g.issue, ''), coalesce(x.pages, g.pages, ''),
       coalesce(x.publisher, g.publisher, ''), coalesce(g.item_key, ''),
       (SELECT count(*) FROM scanned_page s WHERE s.state = 'waiting' AND s.document_id = d.id),
       (SELECT count(*) FROM scanned_page s WHERE s.state = 'read' AND s.document_id = d.id),
       (SELECT count(*) FROM scanned_page s WHERE s.state = 'failed' AND s.document_id = d.id),
       (SELECT count(*) FROM scanned_page s WHERE s.state = 'left' AND s.document_id = d.id)
  FROM document d LEFT JOIN document_edit x ON x.document_id = d.id
  LEFT JOIN bibliography_item g ON g.document_id = d.id
  LEFT JOIN new_version v ON v.document_id = d.id
  LEFT JOIN previous_version p ON p.document_id = d.id
  LEFT JOIN version_choice c ON c.document_id = d.id
  LEFT JOIN job j ON j.kind = 'index' AND j.target_id = d.id
"""


def _to_row(r: tuple[Any, ...]) -> DocumentRow:
    tags = tuple(filter(None, r[22].split("\n")))
    notes = tuple(Message.from_stored(str(note)) for note in parse_stored_json(r[20], list))
    reason = Message.from_stored(r[6])
    new = _to_new_version(r[25:34], r[36])
    previous = PreviousVersion(r[34], r[35]) if r[34] is not None else None
    return DocumentRow(
        *(
            *r[:6],
            reason,
            *r[7:18],
            bool(r[18]),
            r[19],
            notes,
            r[21],
            tags,
            r[23],
            r[24],
            new,
            previous,
            *r[37:45],
            ScanNumbers(*r[45:49]),
        )
    )


def _to_new_version(r: tuple[Any, ...], previous: str | None) -> NewVersion | None:
    sha256, state, reason, n_chars, found_at, present, declined, job, is_elsewhere = r
    if sha256 is None:
        return None
    if state == "waiting" and job == "started":
        state = "reading"
    elif state == "refused" and sha256 == declined:
        state = "declined"
    return NewVersion(
        state=state,
        reason=Message.from_stored(reason),
        n_chars=n_chars,
        found_at=found_at,
        kind="same" if sha256 == present else "previous" if sha256 == previous else "changed",
        is_kept=not is_elsewhere or sha256 in (present, previous),
    )


def fetch_documents(db: Db) -> list[DocumentRow]:
    """Return every document, the last added first."""
    return [_to_row(r) for r in db.rows(_ROW_SQL + "ORDER BY d.added_at DESC, d.id DESC")]


def find_document(db: Db, document_id: int) -> DocumentRow | None:
    row = db.row(_ROW_SQL + "WHERE d.id = ?", (document_id,))
    return _to_row(row) if row else None


# Ids are not used again, because the edit history refers to documents that were deleted.
_NEW_ID = "(SELECT last_document_id + 1 FROM library_state)"


def add_waiting(
    db: Db,
    *,
    title: str,
    file_name: str,
    source_path: str,
    content: FileContent,
    sha256: str,
) -> DocumentId:
    """Queue a file; its bytes are stored, so that the original may be moved or deleted."""
    document_id = db.write(
        "INSERT INTO document(id, title, file_name, source_path, sha256, size_bytes, added_at)"
        f" VALUES ({_NEW_ID}, ?, ?, ?, ?, ?, ?)",
        (title, file_name, source_path, sha256, content.size, time.time()),
    )
    db.write("INSERT INTO original VALUES (?, x'', '')", (document_id,))
    write_content(db, "original", document_id, content)
    ensure_job(db, document_id)
    return DocumentId(document_id)


SAME_FILE = (
    "d.file_name = f.file_name AND d.source_path = f.source_path AND d.added_at = f.added_at"
)

# What corrections of a document `d` are stored under: the SHA-256 of its file, with its place there
# if it lies in an archive or a letter.
DOCUMENT_KEY = (
    "coalesce(CASE d.row_number WHEN 0 THEN d.sha256 ELSE (SELECT f.sha256 FROM document f WHERE"
    f" {SAME_FILE} AND f.row_number = 0 LIMIT 1) END, '')"
    " || CASE d.place WHEN '' THEN '' ELSE '/' || d.place END"
)


def find_correction_key(db: Db, document_id: int) -> str:
    """Return what corrections of a document are stored under; "" for one that is gone."""
    sql = f"SELECT {DOCUMENT_KEY} FROM document d WHERE d.id = ?"
    return str(db.value(sql, (document_id,)) or "")


def fetch_ids_of_key(db: Db, key: str) -> list[DocumentId]:
    """Return the documents whose corrections are stored under a key, see `find_correction_key`."""
    sha256, _, place = key.partition("/")
    return db.column(
        f"SELECT d.id FROM document f JOIN document d ON {SAME_FILE} WHERE f.sha256 = ?"
        " AND f.row_number = 0 AND d.place = ? AND (d.row_number > 0 OR d.id = f.id)",
        (sha256, place),
    )


def fetch_row_documents(db: Db, first_id: int) -> dict[int, DocumentId]:
    """Return row number -> document of the further rows of a jsonl or csv file."""
    return dict(
        db.rows(
            f"SELECT d.row_number, d.id FROM document d JOIN document f ON {SAME_FILE}"
            " WHERE f.id = ? AND d.row_number > 0",
            (first_id,),
        )
    )


def fetch_inner_places(db: Db, first_id: int) -> dict[int, str]:
    """Return document -> place of the documents that lie in the file of this one."""
    return dict(
        db.rows(
            f"SELECT d.id, d.place FROM document d JOIN document f ON {SAME_FILE}"
            " WHERE f.id = ? AND d.place <> '' AND (d.row_number > 0 OR d.id = f.id)",
            (first_id,),
        )
    )


def add_row_document(db: Db, first_id: int, row_number: int) -> DocumentId:
    """Create the document of a further row of a jsonl or csv file."""
    return DocumentId(
        db.write(
            "INSERT INTO document(id, title, file_name, source_path, sha256, size_bytes,"
            f" row_number, added_at) SELECT {_NEW_ID}, title, file_name, source_path, '', 0, ?,"
            " added_at FROM document WHERE id = ?",
            (row_number, first_id),
        )
    )


def find_with_file(db: Db, document_id: int) -> DocumentId | None:
    """Return the document with this one's file: itself, or its table's first row."""
    found: DocumentId | None = db.value(
        f"SELECT f.id FROM document d JOIN document f ON f.id = d.id OR (f.row_number = 0"
        f" AND d.row_number > 0 AND {SAME_FILE}) JOIN original o ON o.document_id = f.id"
        " WHERE d.id = ? LIMIT 1",
        (document_id,),
    )
    return found


def find_by_hash(db: Db, sha256: str) -> DocumentId | None:
    found: DocumentId | None = db.value(
        "SELECT id FROM document WHERE sha256 = ? AND state <> 'failed' AND duplicate_of IS NULL"
        " ORDER BY id LIMIT 1",
        (sha256,),
    )
    return found


def find_failed(db: Db, sha256: str) -> DocumentId | None:
    """Return the document of this content that could not be read, None if there is none."""
    found: DocumentId | None = db.value(
        "SELECT id FROM document WHERE sha256 = ? AND state = 'failed' ORDER BY id LIMIT 1",
        (sha256,),
    )
    return found


def find_of_file(db: Db, source_path: str, file_name: str) -> DocumentId | None:
    """Return the document of this file; of a table, its first row."""
    found: DocumentId | None = db.value(
        "SELECT d.id FROM document d JOIN original o ON o.document_id = d.id"
        " WHERE d.source_path = ? AND d.file_name = ? AND d.row_number = 0"
        " AND d.duplicate_of IS NULL ORDER BY d.id LIMIT 1",
        (source_path, file_name),
    )
    return found


def has_text(db: Db, document_id: int) -> bool:
    """Return whether a document was read."""
    return bool(db.value("SELECT 1 FROM document_text WHERE document_id = ?", (document_id,)))


def replace_unread(db: Db, document_id: int, content: FileContent, sha256: str) -> None:
    """Replace the file of a document that has no text yet, and queue it."""
    write_content(db, "original", document_id, content)
    db.write(
        "UPDATE document SET sha256 = ?, size_bytes = ? WHERE id = ?",
        (sha256, content.size, document_id),
    )
    set_state(db, document_id, "waiting")
    restart_job(db, document_id)


def set_state(db: Db, document_id: int, state: str, reason: Message = NO_MESSAGE) -> None:
    """Set the state of a document, and add or remove its job."""
    stored = reason.to_stored() if reason else ""
    db.write("UPDATE document SET state = ?, reason = ? WHERE id = ?", (state, stored, document_id))
    if state in ("waiting", "reading", "indexing"):
        ensure_job(db, document_id, started=state != "waiting")
    else:
        drop_job(db, document_id)


def requeue(db: Db, document_id: int) -> None:
    """Queue a document again."""
    set_state(db, document_id, "indexing" if has_text(db, document_id) else "waiting")
    restart_job(db, document_id)


def store_read(
    db: Db,
    document_id: int,
    read: ReadDocument,
    chunks: Sequence[ChunkSpan],
    windows: Sequence[Sequence[tuple[int, int]]],
) -> None:
    """Write the text, pages, outline, chunks and their windows (one list per chunk).

    If the document was read before, chunks with the same text keep their evidence. A text
    without a file keeps the title that it was added under.
    """
    db.write(
        "UPDATE document SET title = iif(source_path = '' AND row_number = 0, title, ?),"
        " format = ?, language = ?, author = ?, year = ?, doi = ?, isbn = ?, file_title = NULL,"
        " file_author = NULL, file_year = NULL, file_language = NULL, file_doi = NULL,"
        " file_isbn = NULL, n_chars = ?, body_start = ?, body_end = ?, notes = ?, place = ?,"
        f" reference_rules = {REFERENCE_RULES} WHERE id = ?",
        (
            read.title,
            read.format,
            read.language,
            read.author,
            read.year,
            read.doi,
            read.isbn,
            len(read.text),
            read.body_start,
            read.body_end,
            json.dumps([note.to_stored() for note in read.notes], ensure_ascii=False),
            read.place,
            document_id,
        ),
    )
    set_state(db, document_id, "indexing")
    db.write("INSERT OR REPLACE INTO document_text VALUES (?, ?)", (document_id, read.text))
    db.write(
        "INSERT OR REPLACE INTO text_digest VALUES (?, ?)", (document_id, _hash_text(read.text))
    )
    db.write_many(
        "INSERT INTO page VALUES (?, ?, ?, ?, ?)",
        ((document_id, p.index, p.label, p.start, p.end) for p in read.pages),
    )
    db.write_many(
        "INSERT INTO heading VALUES (?, ?, ?, ?, ?, ?)",
        (
            (document_id, i, h.level, h.title, h.start, h.page_index)
            for i, h in enumerate(read.outline)
        ),
    )
    pages: list[tuple[int | None, int | None]] = []
    for chunk in chunks:
        touched = [p.index for p in read.pages if p.start < chunk.end and p.end > chunk.start]
        pages.append((touched[0], touched[-1]) if touched else (None, None))
    kept = keep_same_chunks(db, document_id, read.text, chunks, pages)
    for position, (chunk, spans) in enumerate(zip(chunks, windows, strict=True)):
        if position in kept:
            continue
        chunk_id = db.write(
            "INSERT INTO chunk(document_id, order_no, start, end, n_tokens, heading_path,"
            " page_first, page_last, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                document_id,
                chunk.order,
                chunk.start,
                chunk.end,
                chunk.n_tokens,
                chunk.heading_path,
                *pages[position],
                read.text[chunk.start : chunk.end],
            ),
        )
        db.write_many(
            "INSERT INTO window(chunk_id, document_id, start, end) VALUES (?, ?, ?, ?)",
            ((chunk_id, document_id, start, end) for start, end in spans),
        )
    index_headers(db, [document_id])


def _hash_text(text: str) -> str:
    """Return the SHA-256 of a text as it is stored."""
    digest = hashlib.sha256()
    for start in range(0, len(text), _PIECE_CHARS):
        piece = replace_lone_surrogates(text[start : start + _PIECE_CHARS])
        digest.update(piece.encode("utf-8"))
    return digest.hexdigest()


def fetch_text(db: Db, document_id: int) -> str | None:
    found: str | None = db.value(
        "SELECT text FROM document_text WHERE document_id = ?", (document_id,)
    )
    return found


def fetch_beginning(db: Db, document_id: int, n: int) -> str:
    """Return the first `n` characters of a document's text, "" if it has none."""
    return str(
        db.value(
            "SELECT substr(text, 1, ?) FROM document_text WHERE document_id = ?", (n, document_id)
        )
        or ""
    )


def fetch_part(db: Db, document_id: int, start: int, end: int) -> str:
    """Return the characters of a document's text from `start` to `end`, "" if it has none."""
    return str(
        db.value(
            "SELECT substr(text, ?, ?) FROM document_text WHERE document_id = ?",
            (start + 1, end - start, document_id),
        )
        or ""
    )


def fetch_original(db: Db, document_id: int) -> bytes | None:
    """Return the file's bytes, for a document in an archive or a letter those of that."""
    file_id = find_with_file(db, document_id)
    found: bytes | None = db.value("SELECT content FROM original WHERE document_id = ?", (file_id,))
    return found


def fetch_file_name(db: Db, document_id: int) -> str:
    """Return the name of a document's file, "" without such a document."""
    return str(db.value("SELECT file_name FROM document WHERE id = ?", (document_id,)) or "")


def find_inner_place(db: Db, document_id: int) -> str:
    """Return where a document lies in its file, see `ReadDocument.place`."""
    return str(db.value("SELECT place FROM document WHERE id = ?", (document_id,)) or "")


def fetch_digests(db: Db, document_id: int) -> tuple[str, str]:
    """Return the SHA-256 of a document's file and of its text, "" where there is none."""
    row = db.row(
        "SELECT d.sha256, coalesce(t.sha256, '') FROM document d"
        " LEFT JOIN text_digest t ON t.document_id = d.id WHERE d.id = ?",
        (document_id,),
    )
    return (row[0], row[1]) if row else ("", "")


def fetch_spans(db: Db, document_id: int) -> list[tuple[int, int, str]]:
    """Return (start, end, text) of the chunks of a document."""
    return db.rows("SELECT start, end, text FROM chunk WHERE document_id = ?", (document_id,))


def read_all_of(db: Db, table: str, document_id: int | None = None) -> None:
    """Read every row of a table, or those of a document, to find out whether they can be read."""
    where = "" if document_id is None else " WHERE document_id = ?"
    values = () if document_id is None else (document_id,)
    for row in db.iterate(f"SELECT * FROM {table}{where}", values):
        del row


def fetch_pages(db: Db, document_id: int) -> list[Page]:
    return [
        Page(*r)
        for r in db.rows(
            "SELECT page_index, label, start, end FROM page WHERE document_id = ?"
            " ORDER BY page_index",
            (document_id,),
        )
    ]


def fetch_outline(db: Db, document_id: int) -> list[Heading]:
    return [
        Heading(*r)
        for r in db.rows(
            "SELECT level, title, start, page_index FROM heading WHERE document_id = ?"
            " ORDER BY order_no",
            (document_id,),
        )
    ]


def fetch_chunks(db: Db, document_id: int) -> list[tuple[int, ChunkSpan]]:
    """Return (chunk id, span) in reading order."""
    return [
        (r[0], ChunkSpan(*r[1:]))
        for r in db.rows(
            "SELECT id, order_no, start, end, n_tokens, heading_path FROM chunk"
            " WHERE document_id = ? ORDER BY order_no",
            (document_id,),
        )
    ]


def delete_document(db: Db, document_id: int) -> None:
    """Delete a document's source and evidence; the caller updates the graph."""
    db.write("DELETE FROM document WHERE id = ?", (document_id,))


def clear_source(db: Db, document_id: int) -> None:
    """Delete the parsed text before a document is read again; its chunks are compared later."""
    for table in ("page", "heading", "document_text", "text_digest"):
        db.write(f"DELETE FROM {table} WHERE document_id = ?", (document_id,))


_COUNTED = ("entity", "relation", "embedding", "chat")
_COUNTED_OF_DOCUMENTS = ("document", "mention", "chunk", "window")  # change with documents only


def count_rows(db: Db, *, of_documents: bool = True) -> dict[str, int]:
    """Return table -> number of rows, for the overview of a library.

    Args:
        of_documents: also count what only documents change: SQLite reads all of it.
    """
    tables = (*_COUNTED, *_COUNTED_OF_DOCUMENTS) if of_documents else _COUNTED
    return {table: int(db.value(f"SELECT count(*) FROM {table}")) for table in tables}


def fetch_titles(db: Db, document_ids: Sequence[int] | None = None) -> list[tuple[int, str]]:
    """Return (id, title) of these documents, or of all, in the order they were added."""
    if document_ids is None:
        return db.rows("SELECT id, title FROM document ORDER BY id")
    return sorted(db.rows_in("SELECT id, title FROM document WHERE id", document_ids))


def fetch_equal_titles(db: Db) -> list[tuple[int, str, str, str]]:
    """Return (id, title, format, name of the file) of documents whose title others have, too."""
    return db.rows(
        "SELECT id, title, format, file_name FROM document WHERE title IN"
        " (SELECT title FROM document GROUP BY title HAVING count(*) > 1) ORDER BY id"
    )


def find_main_language(db: Db) -> str:
    """Return the language of most documents, "und" without any."""
    found = db.value(
        "SELECT language FROM document GROUP BY language ORDER BY count(*) DESC, language LIMIT 1"
    )
    return found or "und"


def fetch_languages(db: Db) -> dict[int, str]:
    """Return document id -> language."""
    return dict(db.rows("SELECT id, language FROM document"))


def fetch_lengths(db: Db) -> dict[int, tuple[str, int]]:
    """Return document id -> (title, number of characters)."""
    found = db.rows("SELECT id, title, n_chars FROM document")
    return {i: (title, n_chars) for i, title, n_chars in found}


def has_several(db: Db) -> bool:
    """Return whether a library has more than one document."""
    return int(db.value("SELECT count(*) FROM (SELECT 1 FROM document LIMIT 2)")) > 1


def count_evidence(db: Db, document_ids: Sequence[int]) -> tuple[int, int]:
    """Return the numbers of chunks and mentions of these documents."""
    marks = ",".join("?" * len(document_ids))
    n_chunks, n_mentions = (
        int(db.value(f"SELECT count(*) FROM {table} WHERE document_id IN ({marks})", document_ids))
        for table in ("chunk", "mention")
    )
    return n_chunks, n_mentions


def fetch_document_texts(db: Db) -> list[tuple[int, str, str, float, str, str]]:
    """Return (id, title, text, time added, author, language) of every document."""
    return db.rows(
        "SELECT d.id, d.title, coalesce(t.text, ''), d.added_at, d.author, d.language"
        " FROM document d LEFT JOIN document_text t ON t.document_id = d.id ORDER BY d.id"
    )


def fetch_all_chunk_texts(db: Db) -> list[tuple[int, str, int, int]]:
    """Return (id, text, tokens, document) of every chunk."""
    return db.rows("SELECT id, text, n_tokens, document_id FROM chunk ORDER BY id")


def fetch_chapters(db: Db, document_id: int) -> list[tuple[int, str]]:
    """Return (start, title) of the headings of the upper two levels, in order."""
    return db.rows(
        "SELECT start, title FROM heading WHERE document_id = ? AND level <= 2 ORDER BY start",
        (document_id,),
    )


def set_excluded(db: Db, document_id: int, excluded: bool) -> None:
    """Exclude a document from questions, or include it again; triggers set `set_aside`."""
    if excluded:
        db.write("INSERT OR IGNORE INTO excluded_document VALUES (?)", (document_id,))
    else:
        db.write("DELETE FROM excluded_document WHERE document_id = ?", (document_id,))


# --- state of indexing ----------------------------------------------------------------------------


def fetch_chunking(db: Db, document_id: int) -> str:
    """Return the chunking settings of a document as JSON, "" for the defaults."""
    return db.value("SELECT chunking FROM document WHERE id = ?", (document_id,)) or ""


def store_chunking(db: Db, document_id: int, chunking: str) -> None:
    db.write("UPDATE document SET chunking = ? WHERE id = ?", (chunking, document_id))


def ensure_job(db: Db, document_id: int, *, started: bool = False) -> None:
    """Queue a document to be indexed, or change the state of its job; its priority stays.

    The job is there until the document is indexed or given up, and is deleted with the document.
    """
    db.write(
        "INSERT INTO job(kind, target_id, state) VALUES ('index', ?1, ?2)"
        " ON CONFLICT(kind, target_id) DO UPDATE SET state = ?2",
        (document_id, "started" if started else "waiting"),
    )


def index_first(db: Db, document_ids: Sequence[int]) -> None:
    """Give the jobs of documents the highest priority, in this order."""
    highest = db.value("SELECT coalesce(max(priority), 0) FROM job")
    db.write_many(
        "UPDATE job SET priority = ?, attempts = 0 WHERE kind = 'index' AND target_id = ?",
        [(highest + n, i) for n, i in enumerate(reversed(document_ids), start=1)],
    )


def find_next_to_index(db: Db) -> DocumentId | None:
    """Return the next document to be indexed, see `list_next_to_index`."""
    return next(iter(list_next_to_index(db, 1)), None)


def list_next_to_index(db: Db, limit: int) -> list[DocumentId]:
    """Return the next documents to be indexed: started ones first, then by priority and id.

    Documents whose indexing ended with the program come after all others.
    """
    return [
        DocumentId(target_id)
        for target_id in db.column(
            "SELECT target_id FROM job WHERE kind = 'index'"  # "started" before "waiting"
            " ORDER BY attempts, state, priority DESC, target_id LIMIT ?",
            (limit,),
        )
    ]


def count_to_index(db: Db) -> int:
    """Return the number of documents that are to be indexed, the one in work included."""
    return int(db.value("SELECT count(*) FROM job WHERE kind = 'index'"))


def count_attempt(db: Db, document_id: int) -> int:
    """Count a start of indexing; return the number of starts since the last progress."""
    where = "WHERE kind = 'index' AND target_id = ?"
    db.write(f"UPDATE job SET attempts = attempts + 1 {where}", (document_id,))
    return int(db.value(f"SELECT attempts FROM job {where}", (document_id,)) or 0)


def set_attempts(db: Db, document_id: int, n: int) -> None:
    """Set the number of starts: 1 after progress, 0 where the work was interrupted in order."""
    db.write(
        "UPDATE job SET attempts = ?1 WHERE kind = 'index' AND target_id = ?2 AND attempts > ?1",
        (n, document_id),
    )


def restart_job(db: Db, document_id: int) -> None:
    """Queue a document as if it had never been tried."""
    ensure_job(db, document_id, started=find_state(db, document_id) == "indexing")
    set_attempts(db, document_id, 0)


def drop_job(db: Db, document_id: int) -> None:
    db.write("DELETE FROM job WHERE kind = 'index' AND target_id = ?", (document_id,))


def find_state(db: Db, document_id: int) -> str | None:
    state: str | None = db.value("SELECT state FROM document WHERE id = ?", (document_id,))
    return state


class Body(NamedTuple):
    """Where the work itself is in the text of a document, and what it is."""

    title: str
    author: str
    language: str
    start: int
    end: int
    format: str


def find_body(db: Db, document_id: int) -> Body | None:
    row = db.row(
        "SELECT title, author, language, body_start, body_end, format FROM document WHERE id = ?",
        (document_id,),
    )
    return Body(*row) if row is not None else None


def finish_indexing(db: Db, document_id: int) -> None:
    """Set a document to "ready", unless it was stopped in the meantime."""
    if find_state(db, document_id) != "indexing":
        return
    set_state(db, document_id, "ready")
    if db.value("SELECT state FROM new_version WHERE document_id = ?", (document_id,)) == "waiting":
        ensure_job(db, document_id)
