"""Reads the rows of a damaged SQLite file page by page, without SQLite.

SQLite reads a table from its root page; where a page on the way is damaged, it gives up or leaves
out what is below. This module follows the tree as far as it goes, and then looks at every page
that it did not reach: one that holds rows of a table whose tree is incomplete is found by the
types of its columns. Each row is checked: its lengths, its text encoding, the types and NOT NULL
of its table. The file format is described at https://sqlite.org/fileformat2.html.

Only reads; knows neither the tables of a library nor what their rows mean.
"""

from __future__ import annotations

import logging
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .encryption import LibraryKey
from .page_cipher import RESERVED_BYTES, decrypt_pages
from .raw_file import open_database_file

log = logging.getLogger(__name__)

MAGIC = b"SQLite format 3\0"
WAL_MAGIC = (0x377F0682, 0x377F0683)
TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR = 0x0D, 0x05, 0x0A, 0x02
MAX_ROW_BYTES = 1_000_000_000
_INT_SIZES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

Value = int | float | str | bytes | None


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a STRICT table; `default` replaces a value that an older row does not have."""

    name: str
    type: str  # INTEGER, REAL, TEXT, BLOB
    not_null: bool
    default: Value = None


@dataclass(frozen=True, slots=True)
class TableLayout:
    """How the rows of a table are stored.

    Attributes:
        columns: in the order of the file: for a table without row ids, the key comes first.
        rowid_column: the index of the column that is the row id, None if there is none.
        root: the root page, 0 if it is unknown.
    """

    name: str
    columns: tuple[TableColumn, ...]
    rowid_column: int | None
    has_rowid: bool
    root: int = 0


@dataclass(slots=True)
class TableRows:
    """What was found of one table.

    Attributes:
        rows: values in the order of `TableLayout.columns`.
        n_damaged: rows that were found, but are not sound.
        n_pages_lost: pages of the table that can't be read.
        n_orphans: pages that were found outside the tree.
    """

    rows: list[tuple[Value, ...]] = field(default_factory=list)
    n_damaged: int = 0
    n_pages_lost: int = 0
    n_orphans: int = 0

    @property
    def is_complete(self) -> bool:
        return not (self.n_damaged or self.n_pages_lost)


class DamagedRow(Exception):
    """A cell does not hold a sound row."""


class PageFile:
    """The pages of a database file, with those of its write-ahead log over them.

    Args:
        key: decrypts them, all at once into memory. Those that are not authentic count as damaged.

    Attributes:
        n_authentic: pages that the key decrypts, None without a key.
    """

    def __init__(self, path: Path, key: LibraryKey | None = None) -> None:
        self._file = open_database_file(path)
        self._n_bytes = size = path.stat().st_size
        self._decrypted: bytes | None = None
        self.page_size, reserved = self._find_sizes(is_encrypted=key is not None)
        self.usable = self.page_size - reserved
        self._logged = read_log(path.with_name(path.name + "-wal"), self.page_size)
        self.n_pages = max(size // self.page_size, max(self._logged, default=0))
        self.n_authentic: int | None = None
        if key is not None:
            self.n_authentic = self._decrypt(key, size // self.page_size)

    def _decrypt(self, key: LibraryKey, n_pages: int) -> int:
        """Replace the pages by what is authentic of them; return how many these are."""
        content, numbers = self._read(0, n_pages * self.page_size), range(1, n_pages + 1)
        self._decrypted, in_file = decrypt_pages(content, self.page_size, numbers, key)
        logged = b"".join(self._logged.values())
        plain, in_log = decrypt_pages(logged, self.page_size, list(self._logged), key)
        for index, number in enumerate(self._logged):
            self._logged[number] = plain[index * self.page_size : (index + 1) * self.page_size]
        return int(in_file.sum() + in_log.sum())

    def _find_sizes(self, *, is_encrypted: bool) -> tuple[int, int]:
        """Return page size and reserved bytes, as the header or else the pages have them."""
        head = self._read(0, 100)
        if is_encrypted or head[:16] == MAGIC:
            size = struct.unpack(">H", head[16:18])[0]
            size = 65536 if size == 1 else size
            if size >= 512 and size & (size - 1) == 0:
                return size, RESERVED_BYTES if is_encrypted else head[20]
        return 4096, self._guess_reserved(4096)

    def _guess_reserved(self, size: int) -> int:
        """Return 8 if most pages start their content before a checksum of 8 bytes, else 0."""
        votes = {0: 0, 8: 0}
        for page in range(1, min(self._n_bytes // size, 2000)):
            head = self._read(page * size, page * size + 12)
            if head[0] in (TABLE_LEAF, INDEX_LEAF):
                n_cells = int.from_bytes(head[3:5], "big")
                cells = self._read(page * size + 8, page * size + 8 + 2 * min(n_cells, size // 4))
                starts = struct.unpack(f">{len(cells) // 2}H", cells)
                # The cell that was written first ends where the reserved bytes begin.
                if starts and max(starts) < size:
                    for reserved in votes:
                        at = page * size + max(starts)
                        length, n = read_varint(self._read(at, at + 9), 0)
                        extra = n
                        if head[0] == TABLE_LEAF:
                            extra += read_varint(self._read(at + n, at + n + 9), 0)[1]
                        votes[reserved] += max(starts) + extra + length == size - reserved
        return 8 if votes[8] > votes[0] else 0

    def page(self, number: int) -> bytes:
        """Return a page, b"" if the file ends before it."""
        logged = self._logged.get(number)
        if logged is not None:
            return logged
        start = (number - 1) * self.page_size
        content = self._read(start, start + self.page_size)
        return content if len(content) == self.page_size else b""

    def _read(self, start: int, end: int) -> bytes:
        """Return bytes of the file, or of what the key has decrypted; fewer at the end."""
        if self._decrypted is not None:
            return self._decrypted[start:end]
        self._file.seek(start)
        return self._file.read(end - start)

    def close(self) -> None:
        self._file.close()


def read_log(path: Path, page_size: int) -> dict[int, bytes]:
    """Return the pages of the committed transactions in a write-ahead log."""
    content = path.read_bytes() if path.exists() else b""
    if len(content) < 32:
        return {}
    magic, _, size, _, salt1, salt2, sum1, sum2 = struct.unpack(">8I", content[:32])
    order = ">" if magic & 1 else "<"
    if magic not in WAL_MAGIC or size != page_size:
        return {}
    sums = _checksum(content[:24], (0, 0), order)
    if sums != (sum1, sum2):
        return {}
    committed: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    for at in range(32, len(content) - page_size - 23, page_size + 24):
        number, n_pages, s1, s2, sum1, sum2 = struct.unpack(">6I", content[at : at + 24])
        page = content[at + 24 : at + 24 + page_size]
        sums = _checksum(page, _checksum(content[at : at + 8], sums, order), order)
        if (s1, s2) != (salt1, salt2) or sums != (sum1, sum2):
            break
        pending[number] = page
        if n_pages:
            committed |= pending
            pending.clear()
            committed = {n: p for n, p in committed.items() if n <= n_pages}
    return committed


def _checksum(content: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    s0, s1 = sums
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for x0, x1 in zip(words[::2], words[1::2], strict=True):
        s0 = (s0 + x0 + s1) & 0xFFFFFFFF
        s1 = (s1 + x1 + s0) & 0xFFFFFFFF
    return s0, s1


def read_varint(content: bytes, at: int) -> tuple[int, int]:
    """Return a variable-length integer and the position after it.

    Raises:
        IndexError: the content ends before.
    """
    value = 0
    for n in range(8):
        byte = content[at + n]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    return value << 8 | content[at + 8], at + 9


class PageScan:
    """Reads the tables of a damaged file.

    Args:
        layouts: of the tables; outside their trees, those with the same columns can't be
            distinguished, and such pages are given to none of them.
        index_roots: root pages of indexes, whose pages are no rows.
    """

    def __init__(self, pages: PageFile, layouts: Sequence[TableLayout], index_roots: Sequence[int]):
        self._pages = pages
        self._layouts = {layout.name: layout for layout in layouts}
        self._seen: set[int] = set()
        self._found = {layout.name: TableRows() for layout in layouts}
        self.n_ambiguous = 0
        self.n_unreadable = 0
        self._mark_free_pages()
        for root in index_roots:
            self._walk_index(root)

    def read_all(self) -> dict[str, TableRows]:
        """Return the rows of all tables."""
        for layout in self._layouts.values():
            if layout.root:
                self._walk(layout)
            else:
                self._found[layout.name].n_pages_lost += 1
        if not all(found.is_complete for found in self._found.values()):
            self._assign_orphans()
        return self._found

    # --- trees ----------------------------------------------------------------------------------

    def _mark_free_pages(self) -> None:
        head = self._pages.page(1)
        if head[:16] != MAGIC:
            return
        trunk = int.from_bytes(head[32:36], "big")
        while 1 < trunk <= self._pages.n_pages and trunk not in self._seen:
            self._seen.add(trunk)
            page = self._pages.page(trunk)
            if len(page) < 8:
                return
            trunk, n_leaves = struct.unpack(">2I", page[:8])
            n_leaves = min(n_leaves, self._pages.usable // 4 - 2)
            leaves = struct.unpack(f">{n_leaves}I", page[8 : 8 + 4 * n_leaves])
            self._seen.update(n for n in leaves if n <= self._pages.n_pages)

    def _walk(self, layout: TableLayout) -> None:
        found, waiting = self._found[layout.name], [layout.root]
        leaf, interior = _page_types(layout)
        while waiting:
            number = waiting.pop()
            if number in self._seen:
                continue
            page = self._pages.page(number) if 1 <= number <= self._pages.n_pages else b""
            kind = _page_kind(page, number)
            if kind not in (leaf, interior):
                found.n_pages_lost += 1
                if page:
                    self._seen.add(number)
                continue
            self._seen.add(number)
            if kind == interior:
                children, is_sound = self._read_children(page, number)
                found.n_pages_lost += not is_sound
                waiting += reversed(children)
            if kind == leaf or not layout.has_rowid:
                self._take_rows(layout, page, number)

    def _walk_index(self, root: int) -> None:
        """Mark the pages of an index as known."""
        waiting = [root]
        while waiting:
            number = waiting.pop()
            if number in self._seen or not 1 <= number <= self._pages.n_pages:
                continue
            page = self._pages.page(number)
            kind = _page_kind(page, number)
            if kind == INDEX_INTERIOR:
                waiting += self._read_children(page, number)[0]
            if kind in (INDEX_LEAF, INDEX_INTERIOR):
                self._seen.add(number)

    def _read_children(self, page: bytes, number: int) -> tuple[list[int], bool]:
        """Return the child pages of an interior page, and whether all of them are valid."""
        start = 100 if number == 1 else 0
        children = []
        for at in self._cell_offsets(page, number):
            children.append(int.from_bytes(page[at : at + 4], "big"))
        children.append(int.from_bytes(page[start + 8 : start + 12], "big"))
        valid = [n for n in children if 1 < n <= self._pages.n_pages]
        return valid, len(valid) == len(children)

    def _cell_offsets(self, page: bytes, number: int) -> Iterator[int]:
        start = 100 if number == 1 else 0
        n_cells = int.from_bytes(page[start + 3 : start + 5], "big")
        first = start + (12 if page[start] in (TABLE_INTERIOR, INDEX_INTERIOR) else 8)
        n_cells = min(n_cells, (self._pages.usable - first) // 2)
        for at in struct.unpack(f">{n_cells}H", page[first : first + 2 * n_cells]):
            if first + 2 * n_cells <= at < self._pages.usable - 2:
                yield at
            else:
                self.n_unreadable += 1

    # --- rows -----------------------------------------------------------------------------------

    def _take_rows(self, layout: TableLayout, page: bytes, number: int) -> None:
        found, n_before = self._found[layout.name], self.n_unreadable
        for at in self._cell_offsets(page, number):
            try:
                found.rows.append(self._read_row(layout, page, number, at))
            except DamagedRow:
                found.n_damaged += 1
        found.n_damaged += self.n_unreadable - n_before

    def _read_row(
        self, layout: TableLayout, page: bytes, number: int, at: int
    ) -> tuple[Value, ...]:
        try:
            if _page_kind(page, number) == INDEX_INTERIOR:
                at += 4
            n_payload, at = read_varint(page, at)
            rowid = 0
            if layout.has_rowid:
                rowid, at = read_varint(page, at)
                rowid -= (rowid & 1 << 63) << 1
            values = decode_record(self._read_payload(page, at, n_payload, layout.has_rowid))
        except (IndexError, struct.error, UnicodeDecodeError, OverflowError) as error:
            raise DamagedRow from error
        return fit_row(layout, values, rowid)

    def _read_payload(self, page: bytes, at: int, n_payload: int, is_table: bool) -> bytes:
        """Return the content of a cell with its overflow pages."""
        usable = self._pages.usable
        most = usable - 35 if is_table else (usable - 12) * 64 // 255 - 23
        if not 0 < n_payload <= MAX_ROW_BYTES:
            raise DamagedRow
        if n_payload <= most:
            content = page[at : at + n_payload]
            if at + n_payload > usable:
                raise DamagedRow
            return content
        least = (usable - 12) * 32 // 255 - 23
        n_local = least + (n_payload - least) % (usable - 4)
        if n_local > most:
            n_local = least
        if at + n_local + 4 > usable:
            raise DamagedRow
        parts, left = [page[at : at + n_local]], n_payload - n_local
        following = int.from_bytes(page[at + n_local : at + n_local + 4], "big")
        chain: list[int] = []
        while left > 0:
            content = self._pages.page(following) if following > 1 else b""
            if not content or following in self._seen or len(chain) > n_payload // (usable - 4):
                raise DamagedRow
            chain.append(following)
            parts.append(content[4 : 4 + min(left, usable - 4)])
            left -= len(parts[-1])
            following = int.from_bytes(content[:4], "big")
        if following:
            raise DamagedRow
        self._seen.update(chain)
        return b"".join(parts)

    # --- pages outside the trees ----------------------------------------------------------------

    def _assign_orphans(self) -> None:
        """Give pages that no tree reached to the only incomplete table that they fit."""
        wanted = [x for x in self._layouts.values() if not self._found[x.name].is_complete]
        orphans: list[tuple[int, list[TableLayout]]] = []
        for number in range(2, self._pages.n_pages + 1):
            if number in self._seen:
                continue
            page = self._pages.page(number)
            kind = _page_kind(page, number)
            if kind not in (TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR):
                continue
            fitting = [x for x in wanted if kind in _page_types(x) and self._fits(x, page, number)]
            if len(fitting) == 1:
                orphans.append((number, fitting))
            elif fitting:
                self.n_ambiguous += 1
        for number, [layout] in orphans:
            if number not in self._seen:  # part of the overflow of a row before
                self._seen.add(number)
                self._found[layout.name].n_orphans += 1
                self._take_rows(layout, self._pages.page(number), number)

    def _fits(self, layout: TableLayout, page: bytes, number: int) -> bool:
        """Return whether most cells of a page are rows of a table; overflow is not read."""
        n_fitting = n_cells = 0
        for at in self._cell_offsets(page, number):
            n_cells += 1
            try:
                n_fitting += self._cell_fits(layout, page, number, at)
            except (DamagedRow, IndexError, struct.error):
                continue
        return n_fitting > 0 and 2 * n_fitting > n_cells

    def _cell_fits(self, layout: TableLayout, page: bytes, number: int, at: int) -> bool:
        """Return whether the header of a cell has the columns of a table."""
        if _page_kind(page, number) == INDEX_INTERIOR:
            at += 4
        n_payload, at = read_varint(page, at)
        if layout.has_rowid:
            _, at = read_varint(page, at)
        if not 0 < n_payload <= MAX_ROW_BYTES:
            return False
        n_header, body = read_varint(page, at)
        types = []
        while body < at + n_header:
            code, body = read_varint(page, body)
            types.append(code)
        n_bytes = sum(_value_size(code) for code in types)
        if body != at + n_header or n_header + n_bytes != n_payload:
            return False
        if len(types) > len(layout.columns) or not types:
            return False
        n_missing_defaults = sum(
            c.not_null and c.default is None for c in layout.columns[len(types) :]
        )
        return not n_missing_defaults and all(
            _type_fits(column, code, is_rowid=index == layout.rowid_column)
            for index, (column, code) in enumerate(zip(layout.columns, types, strict=False))
        )


def _page_types(layout: TableLayout) -> tuple[int, int]:
    return (TABLE_LEAF, TABLE_INTERIOR) if layout.has_rowid else (INDEX_LEAF, INDEX_INTERIOR)


def _page_kind(page: bytes, number: int) -> int:
    start = 100 if number == 1 else 0
    return page[start] if len(page) > start else 0


def _value_size(code: int) -> int:
    if code >= 12:
        return (code - 12) // 2
    return _INT_SIZES.get(code, 8 if code == 7 else 0)


def _type_fits(column: TableColumn, code: int, *, is_rowid: bool) -> bool:
    if code == 0:
        return is_rowid or not column.not_null
    if is_rowid or code in (10, 11):
        return False
    if code >= 12:
        return column.type == ("TEXT" if code % 2 else "BLOB")
    if code == 7:
        return column.type == "REAL"
    return column.type in ("INTEGER", "REAL")


def decode_record(payload: bytes) -> list[Value]:
    """Return the values of a record.

    Raises:
        DamagedRow: its lengths do not fit.
        UnicodeDecodeError: a text is not UTF-8.
    """
    n_header, at = read_varint(payload, 0)
    if n_header > len(payload):
        raise DamagedRow
    codes = []
    while at < n_header:
        code, at = read_varint(payload, at)
        codes.append(code)
    if at != n_header:
        raise DamagedRow
    values: list[Value] = []
    for code in codes:
        size = _value_size(code)
        content = payload[at : at + size]
        if len(content) != size or code in (10, 11):
            raise DamagedRow
        at += size
        values.append(_decode_value(code, content))
    if at != len(payload):
        raise DamagedRow
    return values


def _decode_value(code: int, content: bytes) -> Value:
    if code >= 12:
        return content.decode() if code % 2 else content
    if code == 0:
        return None
    if code == 7:
        value: float = struct.unpack(">d", content)[0]
        return value
    if code in (8, 9):
        return code - 8
    return int.from_bytes(content, "big", signed=True)


def fit_row(layout: TableLayout, values: Sequence[Value], rowid: int) -> tuple[Value, ...]:
    """Return the row of a table: with its id, and the defaults of columns that it lacks.

    Raises:
        DamagedRow: a value has another type than its column, or is missing.
    """
    if len(values) > len(layout.columns):
        raise DamagedRow
    row: list[Any] = [*values, *(c.default for c in layout.columns[len(values) :])]
    if layout.rowid_column is not None:
        if row[layout.rowid_column] is not None:
            raise DamagedRow
        row[layout.rowid_column] = rowid
    for index, column in enumerate(layout.columns):
        value = row[index]
        if value is None:
            if column.not_null:
                raise DamagedRow
        elif column.type == "REAL":
            if not isinstance(value, (int, float)):
                raise DamagedRow
            row[index] = float(value)
        elif type(value) is not {"INTEGER": int, "TEXT": str, "BLOB": bytes}[column.type]:
            raise DamagedRow
    return tuple(row)
