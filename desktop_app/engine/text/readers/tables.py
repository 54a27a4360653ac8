"""Rows of tables as lines of text: "Country: France | 1998: 1.5".

Every line repeats the headers, so that a row is found by the words of its cells together with
those of the columns, and is understood without the rows before it. A table that would become too
long by that has its headers in the first line only (`engine/text_tables.py` finds them again).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .cell_spans import (
    WideText,
    count_header_rows,
    join_header,
    repeat_in_columns,
    widen_group_names,
)

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:[/–-]\d{2,4})?")
_NUMBER = re.compile(r"[-+(]?[\d.,'\s]*\d[\d.,'\s]*[)%]?|[-–—]")
_MAX_HEADER_CHARS = 100
# A third of the longest text (`archives.MAX_TEXT_CHARS`): headers are often longer than the cells.
MAX_LABELLED_CHARS = 8_000_000


def format_tables(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return the tables of a sheet as lines: the header line, then a line for each row.

    An empty row ends a table if one with a header of its own follows. A row with a single text
    before the header is a title, and a table of its own.
    """
    tables: list[list[str]] = []
    for block in _split_at_empty_rows(rows):
        first = 0
        while first < len(block) and _is_title(block, first) and len(block) > 1:
            if any(_count_filled(row) > 1 for row in block):
                tables.append([next(filter(None, block[first]))])
                first += 1
            else:
                break
        rest = widen_group_names(block[first:])
        if not rest:
            continue
        n_header = _count_header(rest)
        header = join_header(rest[:n_header]) if n_header else []
        if header and _count_labelled_chars(header, rest) > MAX_LABELLED_CHARS:
            lines = [" | ".join(header), *(" | ".join(row) for row in rest[n_header:])]
        else:
            lines = [" | ".join(filter(None, header))] if header else []
            lines += [format_row(header, row) for row in rest[n_header:]]
        tables.append(lines)
    return tables


def _count_labelled_chars(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return about how long a table is if each row repeats the headers."""
    n_chars = 0
    for row in rows:
        for name, cell in zip(header, row, strict=False):
            if cell:
                n_chars += len(name) + len(cell) + 5  # with ": " and " | "
        if n_chars > MAX_LABELLED_CHARS:
            break
    return n_chars


def format_row(header: Sequence[str], row: Sequence[str]) -> str:
    """Return the filled cells of a row, each after its header."""
    if _count_filled(row) == 1 and isinstance(alone := next(filter(None, row)), WideText):
        return str(alone)  # the title of the rows below it
    cells: list[str] = []
    for number, cell in enumerate(row):
        if cell:
            name = header[number] if number < len(header) else ""
            if isinstance(cell, WideText):
                names = dict.fromkeys(filter(None, header[number : number + cell.n_columns]))
                joined = " / ".join(names)
                name = joined if len(joined) <= _MAX_HEADER_CHARS else name
            cells.append(f"{name.rstrip(':：')}: {cell}" if name else cell)
    return " | ".join(cells)


def clean_cell(text: str) -> str:
    return " ".join(text.split())


def _split_at_empty_rows(rows: Iterable[Sequence[str]]) -> list[list[Sequence[str]]]:
    """Return the rows between empty ones; a block without header belongs to the one before."""
    blocks: list[list[Sequence[str]]] = [[]]
    for row in rows:
        if any(row):
            blocks[-1].append(row)
        elif blocks[-1]:
            blocks.append([])
    joined: list[list[Sequence[str]]] = []
    for block in filter(None, blocks):
        begins = _count_filled(block[0]) == 1 or _count_header(block) > 0
        if joined and not begins:
            joined[-1] += block
        else:
            joined.append(block)
    return joined


def _count_filled(row: Sequence[str]) -> int:
    return sum(map(bool, row))


def _is_title(block: Sequence[Sequence[str]], number: int) -> bool:
    """Return whether a row has a single text that is no name over several columns."""
    return _count_filled(block[number]) == 1 and count_header_rows(block[number:]) == 1


def _count_header(rows: Sequence[Sequence[str]]) -> int:
    """Return how many of the first rows name the columns; 0 if none does."""
    n_header = min(count_header_rows(rows), len(rows) - 1)
    if n_header < 1:
        return 0
    names = rows[0] if n_header == 1 else join_header(rows[:n_header])
    return n_header if _is_header(names, rows[n_header]) else 0


def _is_header(row: Sequence[str], following: Sequence[str]) -> bool:
    """Return whether a row names the columns: short texts or years, all different."""
    cells = [cell for cell in row if cell]
    if len(cells) < 2 or len(set(cells)) < len(cells):
        return False
    if any(len(cell) > _MAX_HEADER_CHARS for cell in cells):
        return False
    if any(_NUMBER.fullmatch(cell) and not _YEAR.fullmatch(cell) for cell in cells):
        return False
    if all(_YEAR.fullmatch(cell) for cell in cells):
        return any(not _YEAR.fullmatch(cell) for cell in following if cell)
    return 2 * _count_filled(repeat_in_columns(row)) > _count_filled(following)
