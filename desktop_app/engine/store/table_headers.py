"""Headers of tables for the parts of a document that begin inside a table.

A window or chunk of rows is found by the words of its table's header too: they are embedded and
indexed with it. Tables are found in the stored text again; those of the last documents are cached.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from ..messages import NO_MESSAGE, Message
from ..text_tables import DocumentTables, TableStart, describe_cells
from .db import Db

_KEPT_DOCUMENTS = 8

_Known = OrderedDict[tuple[int, bytes | str], DocumentTables]
_tables: WeakKeyDictionary[Db, _Known] = WeakKeyDictionary()


def fetch_tables(db: Db, document_id: int) -> DocumentTables:
    """Return the tables of a document."""
    known = _tables.setdefault(db, OrderedDict())
    digest = db.value("SELECT sha256 FROM text_digest WHERE document_id = ?", (document_id,))
    key = (document_id, digest or "")
    if digest and key in known:
        known.move_to_end(key)
        return known[key]
    text = db.value("SELECT text FROM document_text WHERE document_id = ?", (document_id,))
    known[key] = found = DocumentTables(text or "")
    if len(known) > _KEPT_DOCUMENTS:
        known.popitem(last=False)
    return found


def find_table_start(db: Db, document_id: int, offset: int, piece: str) -> TableStart | None:
    """Return where in a table a piece of a document begins, None outside tables."""
    if "|" not in piece:
        return None
    return fetch_tables(db, document_id).find_start(offset, piece)


def describe_place(db: Db, document_id: int, offset: int, piece: str) -> Message:
    """Return the place of a piece of a document in a table in words."""
    if "|" not in piece:
        return NO_MESSAGE
    tables = fetch_tables(db, document_id)
    return describe_cells(piece, tables.find_start(offset, piece), 0, len(piece))


def index_headers(db: Db, document_ids: Iterable[int]) -> None:
    """Add the words of headers to the full-text index of chunks that begin inside a table."""
    for document_id in document_ids:
        for chunk_id, start, text in db.rows(
            "SELECT id, start, text FROM chunk WHERE document_id = ? AND instr(text, '|')",
            (document_id,),
        ):
            found = find_table_start(db, document_id, start, text)
            if found is None or not found.header:
                continue
            db.write("DELETE FROM chunk_fts WHERE rowid = ?", (chunk_id,))
            db.write(
                "INSERT INTO chunk_fts(rowid, tokens) VALUES (?, search_tokens(?))",
                (chunk_id, f"{found.header}\n{text}"),
            )
