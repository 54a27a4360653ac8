"""Copies what can be read of a damaged library into a new one.

Rows are read page by page (`page_scan`), so that one damaged page costs only what is on it. Every
document is compared with its SHA-256, its length and its chunks. What is derived (graph, search
indexes) is not copied: it is built again. Never writes to the damaged file.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import PassphraseNeeded
from ..messages import Message
from ..progress import CancelToken
from . import documents, graph, search
from .connection import build_empty, newest_version
from .db import CURATION_TABLES, Db
from .encryption import LibraryKey
from .page_scan import (
    MAGIC,
    PageFile,
    PageScan,
    TableColumn,
    TableLayout,
    TableRows,
    Value,
)
from .trash import TRASHED_TABLES

log = logging.getLogger(__name__)

# Built again from the others; communities and reports follow after the graph.
DERIVED = {
    "entity", "entity_name", "relation", "library_state", "embedding", "layout", "job",
    "duplicate_search",
}  # fmt: skip
# Not copied: what is restored from the trash of the new library is read again from its file.
READ_AGAIN = frozenset(TRASHED_TABLES)
AFTER_GRAPH = ("community", "community_member", "report")
# Where rows of these are missing, names and relations are searched again in all documents.
EVIDENCE = (
    "extraction", "name", "mention", "claimed_relation", "also_called", "event", "event_part",
)  # fmt: skip
MODEL_EVIDENCE = ("name_claim", "text_claim", "summary")
UNIT_LENGTH = (0.9, 1.1)  # of a sound vector

FILE_DAMAGED = Message(
    "Recovered from a damaged library: its file is lost, its text is complete as far as known."
)
TEXT_DAMAGED = Message("Recovered from a damaged library: parts of its text are missing.")

Row = dict[str, Any]


@dataclass(slots=True)
class DocumentOutcome:
    """What became of a document.

    Attributes:
        state: "complete", "read again" (from its sound file), "file lost" (the text is sound),
            "text incomplete" or "lost".
    """

    title: str
    state: str


@dataclass(slots=True)
class SalvageResult:
    """What was saved of a library.

    Attributes:
        n_rows: rows in the new library, by table.
        n_lost: rows that were found, but are not sound or belong to nothing, by table.
        incomplete: tables of which pages can't be read.
        n_pages_lost: pages of tables that can't be read or not be given to one table.
    """

    documents: list[DocumentOutcome] = field(default_factory=list)
    n_rows: dict[str, int] = field(default_factory=dict)
    n_lost: dict[str, int] = field(default_factory=dict)
    incomplete: list[str] = field(default_factory=list)
    n_pages_lost: int = 0

    def count(self, state: str) -> int:
        return sum(one.state == state for one in self.documents)

    @property
    def n_corrections(self) -> int:
        return sum(self.n_rows.get(table, 0) for table in CURATION_TABLES)


def salvage(
    damaged: Path,
    target: Db,
    build_graph: Callable[[Db], object],
    *,
    key: LibraryKey | None = None,
    cancel: CancelToken | None = None,
) -> SalvageResult:
    """Copy what can be read of a damaged library into a new, empty one.

    Documents whose text is not sound, but whose file is, are queued to be read again.

    Args:
        build_graph: builds the graph from the evidence, before communities are copied.
        key: of an encrypted library.

    Raises:
        PassphraseNeeded: the key decrypts no page.
        Cancelled: the token was set.
    """
    pages = PageFile(damaged, key)
    try:
        if pages.n_authentic == 0:
            raise PassphraseNeeded(
                "No page of “{name}” can be decrypted: the passphrase is wrong, or the beginning "
                "of the file is damaged. Without it there is no key, and nothing can be recovered.",
                "Try again. If you are sure of the passphrase, restore a backup.",
                wrong=True,
                name=damaged.name,
            )
        layouts, index_roots, version = find_layouts(pages)
        scan = PageScan(pages, layouts, index_roots)
        found = scan.read_all()
    finally:
        pages.close()
    tables = {layout.name: _to_dicts(layout, found[layout.name]) for layout in layouts}
    result = SalvageResult(
        n_lost={name: one.n_damaged for name, one in found.items() if one.n_damaged},
        incomplete=[name for name, one in found.items() if not one.is_complete],
        n_pages_lost=scan.n_ambiguous + sum(one.n_pages_lost for one in found.values()),
    )
    log.info("version %d; incomplete: %s", version, ", ".join(result.incomplete) or "none")
    copy = _Copy(target, tables, result, cancel or CancelToken())
    with target.transaction():
        copy.run()
        build_graph(target)
        copy.copy_communities()
    return result


# --- where the tables are -----------------------------------------------------------------------

_SCHEMA = TableLayout(
    "sqlite_schema",
    tuple(
        TableColumn(name, type_, False)
        for name, type_ in (
            ("type", "TEXT"),
            ("name", "TEXT"),
            ("tbl_name", "TEXT"),
            ("rootpage", "INTEGER"),
            ("sql", "TEXT"),
        )
    ),
    None,
    True,
    1,
)


def find_layouts(pages: PageFile) -> tuple[list[TableLayout], list[int], int]:
    """Return the tables of a library, the root pages of its indexes, and its version.

    If the list of tables is damaged, the tables are those of the newest version, at the pages
    where a new library has them if these fit, else anywhere.
    """
    newest = newest_version()
    head = pages.page(1)
    version = int.from_bytes(head[60:64], "big") if head[:16] == MAGIC else newest
    if not 0 < version <= newest:
        version = newest
    rows = PageScan(pages, [_SCHEMA], []).read_all()["sqlite_schema"].rows
    expected = _build_schema(version)
    roots = {str(name): int(root) for _, name, _, root, _ in rows if isinstance(root, int)}
    known = {layout.name for layout in expected.layouts}
    if known <= set(roots):
        index_roots = [
            int(root) for kind, _, _, root, _ in rows if kind == "index" and isinstance(root, int)
        ]
    elif _roots_fit(pages, expected):
        roots, index_roots = expected.roots, expected.index_roots
    else:
        index_roots = []
        roots = {name: root for name, root in roots.items() if name in known}
    layouts = [
        TableLayout(x.name, x.columns, x.rowid_column, x.has_rowid, roots.get(x.name, 0))
        for x in expected.layouts
    ]
    return layouts, index_roots, version


@dataclass(frozen=True, slots=True)
class _Schema:
    layouts: list[TableLayout]
    roots: dict[str, int]
    index_roots: list[int]


@cache
def _build_schema(version: int) -> _Schema:
    """Return the tables of a new library of a version."""
    connection = build_empty(version)
    try:
        rows = connection.execute("SELECT type, name, rootpage, sql FROM sqlite_schema").fetchall()
        layouts = [
            _build_layout(connection, str(name), str(sql))
            for kind, name, _, sql in rows
            if kind == "table"
            and "VIRTUAL" not in str(sql)[:20]
            and not str(name).startswith(("sqlite_", "chunk_fts", "vec_"))
        ]
    finally:
        connection.close()
    roots = {str(name): int(str(root)) for kind, name, root, _ in rows if kind == "table"}
    index_roots = [int(str(root)) for kind, _, root, _ in rows if kind == "index"]
    return _Schema(layouts, roots, index_roots)


def _build_layout(connection: Any, name: str, sql: str) -> TableLayout:
    info = connection.execute(f"PRAGMA table_info({name})").fetchall()
    has_rowid = "WITHOUT ROWID" not in sql.upper()
    key = sorted((row for row in info if row[5]), key=lambda row: int(row[5]))
    is_id = has_rowid and len(key) == 1 and key[0][2] == "INTEGER"
    ordered = info if has_rowid else [*key, *(row for row in info if not row[5])]
    columns = tuple(
        TableColumn(
            str(row[1]),
            str(row[2]),
            bool(row[3]) or (bool(row[5]) and not has_rowid),
            None if row[4] is None else connection.execute(f"SELECT {row[4]}").get,
        )
        for row in ordered
    )
    return TableLayout(name, columns, ordered.index(key[0]) if is_id else None, has_rowid)


def _roots_fit(pages: PageFile, schema: _Schema) -> bool:
    """Return whether the root pages of a new library hold tables and indexes here too."""
    for layout in schema.layouts:
        page = pages.page(schema.roots[layout.name])
        if not page or page[0] not in ((0x0D, 0x05) if layout.has_rowid else (0x0A, 0x02)):
            return False
    return all((pages.page(root) or b"\0")[0] in (0x0A, 0x02) for root in schema.index_roots)


def _to_dicts(layout: TableLayout, found: TableRows) -> list[Row]:
    names = [column.name for column in layout.columns]
    rows: dict[tuple[Value, ...], None] = dict.fromkeys(found.rows)
    return [dict(zip(names, row, strict=True)) for row in rows]


# --- into the new library -----------------------------------------------------------------------


class _Copy:
    """Writes the rows that were found, parents before children, each only if it is valid."""

    def __init__(
        self,
        target: Db,
        tables: dict[str, list[Row]],
        result: SalvageResult,
        cancel: CancelToken,
    ) -> None:
        self._db, self._tables, self._result, self._cancel = target, tables, result, cancel
        self._again: set[int] = set()  # documents to read again
        self._columns = {
            name: [row[1] for row in target.rows(f"PRAGMA table_info({name})")]
            for name in target.column("SELECT name FROM sqlite_schema WHERE type = 'table'")
        }

    def run(self) -> None:
        self._judge_documents()
        self._drop_damaged_files()
        for table in self._order_tables():
            self._insert(table, self._tables.get(table, []))
        self._copy_vectors()
        self._queue_documents()
        graph.mark_graph_stale(self._db)

    def _order_tables(self) -> list[str]:
        """Return the tables to copy, those that others refer to first."""
        left = [t for t in self._tables if t not in DERIVED | READ_AGAIN and t not in AFTER_GRAPH]
        left = [t for t in left if t in self._columns]
        parents = {
            table: {row[2] for row in self._db.rows(f"PRAGMA foreign_key_list({table})")} - {table}
            for table in left
        }
        order: list[str] = []
        while left:
            ready = [t for t in left if not parents[t] & set(left)] or left[:1]
            order += ready
            left = [t for t in left if t not in ready]
        return order

    def _insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert rows; those that violate the schema or belong to nothing count as lost."""
        rows = list(rows)
        parents = [
            (str(row[3]), self._fetch_keys(row[2], row[4]))
            for row in self._db.rows(f"PRAGMA foreign_key_list({table})")
            if row[2] != table
        ]
        n_before = self._count(table)
        for number, row in enumerate(rows):
            if number % 1000 == 0:
                self._cancel.check()
            if any(row.get(name) is not None and row[name] not in keys for name, keys in parents):
                continue
            names = [name for name in row if name in self._columns[table]]
            self._db.write(
                f"INSERT OR IGNORE INTO {table}({', '.join(names)})"
                f" VALUES ({', '.join('?' * len(names))})",
                [row[name] for name in names],
            )
        n_saved = self._count(table) - n_before
        self._result.n_rows[table] = n_saved
        if n_saved < len(rows):
            n_lost = len(rows) - n_saved
            self._result.n_lost[table] = self._result.n_lost.get(table, 0) + n_lost

    def _count(self, table: str) -> int:
        return int(self._db.value(f"SELECT count(*) FROM {table}"))

    def _fetch_keys(self, table: str, column: str | None) -> set[Any]:
        """Return the keys that rows may refer to."""
        return set(self._db.column(f"SELECT {column or 'rowid'} FROM {table}"))

    # --- documents ------------------------------------------------------------------------------

    def _judge_documents(self) -> None:
        """Decide for each document what is sound, and remove what is not from the rows to copy."""
        originals = {row["document_id"]: row for row in self._tables["original"]}
        texts = {row["document_id"]: row["text"] for row in self._tables["document_text"]}
        chunks: dict[int, list[Row]] = defaultdict(list)
        for row in self._tables["chunk"]:
            chunks[row["document_id"]].append(row)
        known = {row["id"]: row for row in self._tables["document"]}
        titles = {
            row["document_id"]: row["title"]
            for table in ("citation", "document_edit")
            for row in self._tables.get(table, [])
            if row["title"]
        }
        for document_id in {*originals, *texts, *chunks} - set(known):
            title = titles.get(document_id, f"Recovered document {document_id}")
            known[document_id] = self._make_document(
                document_id, title, originals.get(document_id), texts.get(document_id)
            )
            self._tables["document"].append(known[document_id])
        digests = {row["document_id"]: row["sha256"] for row in self._tables.get("text_digest", [])}
        for document_id, row in known.items():
            original, text = originals.get(document_id), texts.get(document_id)
            own = sorted(chunks[document_id], key=lambda chunk: chunk["order_no"])
            state, text = self._judge(row, original, text, own, digests.get(document_id))
            if row["row_number"] and state != "complete":
                first = self._find_first_row(row)
                if first is not None and _is_file_sound(first, originals.get(first["id"])):
                    state = "complete"  # with the file that it is a row of
                    self._again.add(first["id"])
            self._result.documents.append(DocumentOutcome(row["title"], state))
            if state == "read again":
                self._again.add(document_id)
                text = None
            elif state in ("file lost", "text incomplete"):
                originals.pop(document_id, None)
                note = FILE_DAMAGED if state == "file lost" else TEXT_DAMAGED
                row["notes"] = json.dumps(
                    [*_read_notes(row["notes"]), note.to_stored()], ensure_ascii=False
                )
                row["state"], row["n_chars"] = "ready", len(text or "")
                row["body_start"] = min(row["body_start"], row["n_chars"])
                row["body_end"] = min(row["body_end"] or row["n_chars"], row["n_chars"])
            elif state == "lost":
                originals.pop(document_id, None)
                row["state"] = "failed"
                row["reason"] = Message(
                    "This document was lost when its library was damaged.",
                ).to_stored()
            if text is None:
                texts.pop(document_id, None)
            else:
                texts[document_id] = text
        for row in known.values():
            if row["duplicate_of"] not in known:
                row["duplicate_of"] = None
        for row in originals.values():
            row["password"] = ""  # of an older version; it is asked for again
        self._tables["original"] = list(originals.values())
        self._tables["document_text"] = [
            {"document_id": i, "text": text} for i, text in texts.items()
        ]
        self._tables["text_digest"] = [
            {"document_id": i, "sha256": _hash(text)} for i, text in texts.items()
        ]

    def _drop_damaged_files(self) -> None:
        """Leave out files of the trash and of versions that do not fit their SHA-256."""
        trashed = {row["id"]: row["sha256"] for row in self._tables.get("trash", [])}
        for table in ("trash_file", "previous_version", "new_version"):
            rows = self._tables.get(table, [])
            sound = [
                row
                for row in rows
                if row["content"] is None
                or hashlib.sha256(row["content"]).hexdigest()
                == (row["sha256"] if "sha256" in row else trashed.get(row["trash_id"]))
            ]
            if len(sound) < len(rows):
                self._result.n_lost[table] = len(rows) - len(sound)
            if rows:
                self._tables[table] = sound
        self._tables["trash"] = [row for row in self._tables.get("trash", []) if row["sha256"]]

    @staticmethod
    def _make_document(document_id: int, title: str, original: Row | None, text: str | None) -> Row:
        """Return a row for a document of which only the content was found."""
        content = original["content"] if original else b""
        return {
            "id": document_id,
            "title": title,
            "file_name": f"recovered-{document_id}{_guess_suffix(content)}",
            "sha256": hashlib.sha256(content).hexdigest() if content else "",
            "size_bytes": len(content),
            "row_number": 0,
            "source_path": "",
            "n_chars": -1 if text is None else len(text),
            "body_start": 0,
            "body_end": 0,
            "notes": "[]",
            "state": "waiting",
            "duplicate_of": None,
            "added_at": 0.0,
        }

    def _find_first_row(self, row: Row) -> Row | None:
        """Return the document with the file of a row of a table."""
        same = ("file_name", "source_path", "added_at")
        return next(
            (
                other
                for other in self._tables["document"]
                if not other["row_number"] and all(other[key] == row[key] for key in same)
            ),
            None,
        )

    @staticmethod
    def _judge(
        row: Row, original: Row | None, text: str | None, chunks: list[Row], digest: str | None
    ) -> tuple[str, str | None]:
        """Return what becomes of a document, and the text to keep."""
        has_file = original is not None
        is_file_sound = _is_file_sound(row, original)
        if row["state"] in ("waiting", "reading", "failed") and text is None:
            if is_file_sound:
                return ("read again" if row["state"] != "failed" else "complete"), None
            return ("lost" if row["size_bytes"] or has_file else "complete"), None
        is_text_sound = text is not None and _is_text_sound(row, text, digest, chunks)
        has_chunks = text is not None and _are_chunks_sound(text, chunks)
        if is_text_sound and has_chunks and (is_file_sound or (not has_file and _has_no_file(row))):
            return "complete", text
        if is_file_sound:
            return "read again", None
        if is_text_sound:
            return "file lost", text
        pieced = _join_chunks(row["n_chars"], chunks)
        if pieced is not None and digest in (None, _hash(pieced)):
            return "file lost", pieced
        best = text or _join_known(chunks)
        return ("text incomplete", best) if best else ("lost", None)

    def _queue_documents(self) -> None:
        """Queue the documents that must be read or searched for names again."""
        for row in self._tables["document"]:
            if row["id"] in self._again:
                documents.set_state(self._db, row["id"], "waiting")
            elif row["state"] == "indexing":
                documents.ensure_job(self._db, row["id"], started=True)
        if set(EVIDENCE) & set(self._result.incomplete):
            self._db.write("DELETE FROM extraction WHERE strategy = 'instant'")
            for document_id in self._db.column(
                "SELECT id FROM document WHERE state = 'ready' AND n_chars > 0"
            ):
                documents.set_state(self._db, document_id, "indexing")
        if set(MODEL_EVIDENCE + EVIDENCE) & set(self._result.incomplete):
            self._db.write(
                "DELETE FROM extraction AS e WHERE strategy <> 'instant' AND state = 'done'"
                " AND n_found > (SELECT count(*) FROM claimed_relation WHERE extraction_id = e.id)"
                " + (SELECT count(*) FROM name_claim"
                " WHERE extraction_id = e.id AND type <> 'none')"
            )

    # --- derived data that is costly to build again -----------------------------------------------

    def _copy_vectors(self) -> None:
        """Copy the vectors of unit length; the others are computed again."""
        state = next(iter(self._tables["library_state"]), None)
        if not state or not state["embedding_model"] or not state["embedding_dim"]:
            return
        dim = state["embedding_dim"]
        search.ensure_vector_index(self._db, state["embedding_model"], dim)
        sound = [row for row in self._tables["embedding"] if _is_unit_vector(row["vector"], dim)]
        n_unsound = len(self._tables["embedding"]) - len(sound)
        if n_unsound:
            self._result.n_lost["embedding"] = n_unsound
        self._insert("embedding", sound)

    def copy_communities(self) -> None:
        for table in AFTER_GRAPH:
            self._insert(table, self._tables.get(table, []))


def _is_file_sound(row: Row, original: Row | None) -> bool:
    return original is not None and hashlib.sha256(original["content"]).hexdigest() == row["sha256"]


def _has_no_file(row: Row) -> bool:
    """Return whether a document never had a file, as a row of a table."""
    return bool(row["row_number"]) or not row["sha256"]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _is_text_sound(row: Row, text: str, digest: str | None, chunks: list[Row]) -> bool:
    """Return whether a text fits its SHA-256; without one, its length and its chunks."""
    if digest is not None:
        return _hash(text) == digest
    return len(text) == row["n_chars"] and all(
        text[c["start"] : c["end"]] == c["text"] for c in chunks
    )


def _are_chunks_sound(text: str, chunks: list[Row]) -> bool:
    """Return whether all chunks of a text are there."""
    return [c["order_no"] for c in chunks] == list(range(len(chunks))) and all(
        text[c["start"] : c["end"]] == c["text"] for c in chunks
    )


def _join_chunks(n_chars: int, chunks: list[Row]) -> str | None:
    """Return the text that chunks make together, None if they leave a gap."""
    parts: list[str] = []
    length = 0
    for chunk in chunks:
        if chunk["start"] > length or len(chunk["text"]) != chunk["end"] - chunk["start"]:
            return None
        parts.append(chunk["text"][length - chunk["start"] :])
        length = max(length, chunk["end"])
    return "".join(parts) if parts and length == n_chars else None


def _join_known(chunks: list[Row]) -> str:
    """Return the texts of chunks at their offsets, with spaces between them."""
    text = ""
    for chunk in sorted(chunks, key=lambda one: one["start"]):
        if chunk["start"] - len(text) > 10_000_000 or chunk["start"] < 0:
            break
        text += " " * (chunk["start"] - len(text)) + chunk["text"][len(text) - chunk["start"] :]
    return text


def _is_unit_vector(content: bytes, dim: int) -> bool:
    if len(content) != 4 * dim:
        return False
    square = math.fsum(x * x for x in struct.unpack(f"<{dim}f", content))
    return UNIT_LENGTH[0] < square < UNIT_LENGTH[1]


def _read_notes(stored: str) -> list[Any]:
    try:
        notes = json.loads(stored)
    except ValueError:
        return []
    return notes if isinstance(notes, list) else []


def _guess_zipped_suffix(content: bytes) -> str:
    """Return a suffix by which a zip archive is read; the parts are named at its end, too."""
    if b"application/epub" in content[:200]:
        return ".epub"
    names = {b"word/": ".docx", b"ppt/": ".pptx", b"xl/": ".xlsx"}
    for name, suffix in names.items():
        if name in content:
            return suffix
    return ".odt" if b"opendocument.text" in content[:200] else ".zip"


def _guess_suffix(content: bytes) -> str:
    """Return a suffix by which a file is read, from its first bytes."""
    if content[:4] == b"PK\x03\x04":
        return _guess_zipped_suffix(content)
    if content[:4] == b"%PDF":
        return ".pdf"
    return ".html" if b"<html" in content[:1000].lower() else ".txt"
