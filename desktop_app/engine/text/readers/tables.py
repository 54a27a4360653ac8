"""Rows of tables as lines of text: "Country: France | 1998: 1.5".

Every line repeats the headers, so that a row is found by the words of its cells together with
those of the columns, and is understood without the rows before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:[/–-]\d{2,4})?")
_NUMBER = re.compile(r"[-+(]?[\d.,'\s]*\d[\d.,'\s]*[)%]?|[-–—]")
_MAX_HEADER_CHARS = 100


def format_tables(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return the tables of a sheet as lines: the header line, then a line for each row.

    An empty row ends a table if one with a header of its own follows. A row with a single text
    before the header is a title, and a table of its own.
    """
    tables: list[list[str]] = []
    for block in _split_at_empty_rows(rows):
        first = 0
        while first < len(block) and _count_filled(block[first]) == 1 and len(block) > 1:
            if any(_count_filled(row) > 1 for row in block):
                tables.append([next(filter(None, block[first]))])
                first += 1
            else:
                break
        rest = block[first:]
        if not rest:
            continue
        header: Sequence[str] = ()
        if len(rest) > 1 and _is_header(rest[0], rest[1]):
            header = rest[0]
        lines = [" | ".join(filter(None, header))] if header else []
        lines += [format_row(header, row) for row in rest[1 if header else 0 :]]
        tables.append(lines)
    return tables


def format_row(header: Sequence[str], row: Sequence[str]) -> str:
    """Return the filled cells of a row, each after its header."""
    cells: list[str] = []
    for number, cell in enumerate(row):
        if cell:
            name = header[number] if number < len(header) else ""
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
        begins = _count_filled(block[0]) == 1 or (len(block) > 1 and _is_header(block[0], block[1]))
        if joined and not begins:
            joined[-1] += block
        else:
            joined.append(block)
    return joined


def _count_filled(row: Sequence[str]) -> int:
    return sum(map(bool, row))


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
    return 2 * len(cells) > _count_filled(following)
