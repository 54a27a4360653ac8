"""Cells over several columns or rows: what stands at each place of a table.

A table in a text has one cell for each column of each row (`engine/text_tables.py`). Readers know
cells that cover more than one place: `colspan` and `rowspan` of HTML, `gridSpan` and `vMerge` of
Word, merged cells of spreadsheets and slides. A cell over several rows counts for each of these
rows, so its text is repeated in them; a cell over several columns counts for each column that it
names, so a header repeats its text, while other rows leave the further columns empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...text_tables import is_number, is_year

MAX_COLUMNS = 1_000  # that a cell can cover, as in browsers
# A longer text is no name of a group or column but a paragraph, and is written once.
MAX_REPEATED_CHARS = 100
_MAX_HEADER_ROWS = 3
MAX_PLACES = 2_000_000  # of a table whose cells are placed

Range = tuple[int, int, int, int]  # first row, first column, last row, last column; from 0


class WideText(str):
    """The text of a cell over several columns; in its row, the further columns are empty."""

    n_columns = 1


@dataclass(slots=True)
class SpannedCell:
    """A cell as a file has it, with the number of columns and rows that it covers."""

    text: str
    n_columns: int = 1
    n_rows: int = 1


def place_cells(rows: Sequence[Sequence[SpannedCell]]) -> tuple[list[list[int]], int]:
    """Return the column of each cell of each row, and the number of columns of the table.

    A cell stands at the first column that no cell of a row above covers. What the last cell of a
    row covers counts only as far as another row has cells there.
    """
    columns: list[list[int]] = []
    n_columns = 0
    covered: dict[int, int] = {}  # column -> rows below that a cell covers
    for row in rows:
        placed: list[int] = []
        below = {column: left - 1 for column, left in covered.items() if left > 1}
        at = 0
        for cell in row:
            while at in covered:
                at += 1
            if at >= MAX_COLUMNS:
                break
            placed.append(at)
            n_columns = max(n_columns, at + 1)
            width = min(max(cell.n_columns, 1), MAX_COLUMNS - at)
            if cell.n_rows > 1:
                below |= dict.fromkeys(range(at, at + width), cell.n_rows - 1)
            at += width
        while at in covered:
            at += 1
            n_columns = max(n_columns, at)
        columns.append(placed)
        covered = below
    return columns, n_columns


def expand_spans(rows: Sequence[Sequence[SpannedCell]]) -> list[list[str]]:
    """Return the texts of a table by row and column, with the cells that cover several places.

    Rows end after their last text.
    """
    columns, n_columns = place_cells(rows)
    if n_columns * len(rows) > MAX_PLACES:
        return [[cell.text for cell in row] for row in rows]
    grid: list[list[str]] = [[""] * n_columns for _ in rows]
    ranges: list[Range] = []
    for number, (row, placed) in enumerate(zip(rows, columns, strict=True)):
        for cell, column in zip(row, placed, strict=False):
            grid[number][column] = cell.text
            last_column = min(column + max(cell.n_columns, 1), n_columns) - 1
            last_row = min(number + max(cell.n_rows, 1), len(rows)) - 1
            if last_column > column or last_row > number:
                ranges.append((number, column, last_row, last_column))
    merge_ranges(grid, ranges)
    for line in grid:
        while line and not line[-1]:
            line.pop()
    return grid


def merge_ranges(rows: list[list[str]], ranges: Iterable[Range]) -> None:
    """Write the texts of cells over several places into the rows of a table or sheet.

    A row that has nothing but what cells above cover stays empty.
    """
    repeated: list[tuple[Range, str]] = []
    for area in ranges:
        first_row, first_column, last_row, last_column = area
        if first_row >= len(rows) or first_column >= len(rows[first_row]):
            continue
        text = rows[first_row][first_column]
        if not text:
            continue
        if last_column > first_column:
            wide = WideText(text)
            wide.n_columns = last_column - first_column + 1
            rows[first_row][first_column] = text = wide
        if last_row > first_row and len(text) <= MAX_REPEATED_CHARS:
            repeated.append((area, text))
    has_own = [any(row) for row in rows] if repeated else []
    for (first_row, column, last_row, _), text in repeated:
        for number in range(first_row + 1, min(last_row + 1, len(rows))):
            if has_own[number]:
                row = rows[number]
                row += [""] * (column + 1 - len(row))
                row[column] = text


def count_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """Return how many of the first rows name the columns together, 1 if the first alone does.

    A row goes on with the header if the one above has a cell over several columns, and all other
    columns have their name in one of both rows.
    """
    n_header = 1
    while n_header < min(_MAX_HEADER_ROWS, len(rows)):
        above, below = rows[n_header - 1], rows[n_header]
        if not _is_named_below(above, below):
            break
        n_header += 1
    return n_header


def _is_named_below(above: Sequence[str], below: Sequence[str]) -> bool:
    wide = _list_covered(above)
    if not wide or is_title(above):
        return False
    named = [below[column] for column in wide if column < len(below) and below[column]]
    if not named or any(is_number(cell) and not is_year(cell) for cell in named):
        return False
    for column in range(max(len(above), len(below))):
        upper = above[column] if column < len(above) else ""
        lower = below[column] if column < len(below) else ""
        if column not in wide and upper and lower and upper != lower:
            return False
    return True


def widen_group_names(rows: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Return rows whose first has its names of groups over the columns below them.

    Sheets often have a year in the first of four columns, and the quarters of each year below,
    without merged cells. That is certain where all groups have the same names below, in the same
    order, and every other column has one name in one of both rows.
    """
    if len(rows) < 3:
        return list(rows)
    n_columns = max(len(rows[0]), len(rows[1]))
    above, below = ([*row, *[""] * (n_columns - len(row))] for row in rows[:2])
    starts = [n for n in range(n_columns) if above[n] and below[n]]
    ends = [
        next((n for n in range(start + 1, n_columns) if above[n] or not below[n]), n_columns)
        for start in starts
    ]
    groups = [below[start:end] for start, end in zip(starts, ends, strict=True)]
    grouped = {n for start, end in zip(starts, ends, strict=True) for n in range(start, end)}
    is_certain = (
        len(groups) > 1
        and all(group == groups[0] for group in groups)
        and 1 < len(set(groups[0])) == len(groups[0])
        and all(bool(above[n]) != bool(below[n]) for n in range(n_columns) if n not in grouped)
        and not any(isinstance(cell, WideText) for cell in above)
        and not any(is_number(cell) and not is_year(cell) for cell in (*above, *groups[0]) if cell)
    )
    if not is_certain:
        return list(rows)
    for start, group in zip(starts, groups, strict=True):
        wide = WideText(above[start])
        wide.n_columns = len(group)
        above[start] = wide
    return [above, *rows[1:]]


def is_title(row: Sequence[str]) -> bool:
    """Return whether a row has one text, from its first column on: of the rows below it."""
    return bool(row) and bool(row[0]) and sum(map(bool, row)) == 1


def _list_covered(row: Sequence[str]) -> set[int]:
    """Return the columns of a row's cells that cover several."""
    return {
        covered
        for column, cell in enumerate(row)
        if isinstance(cell, WideText)
        for covered in range(column, column + cell.n_columns)
    }


def repeat_in_columns(row: Sequence[str]) -> list[str]:
    """Return a row of a header with the text of a wide cell in each column that it names.

    A title stands once.
    """
    found = list(row)
    if not is_title(row):
        for column, cell in enumerate(row):
            if isinstance(cell, WideText) and len(cell) <= MAX_REPEATED_CHARS:
                found += [""] * (column + cell.n_columns - len(found))
                for covered in range(column + 1, column + cell.n_columns):
                    found[covered] = found[covered] or str(cell)
    return found


def repeat_in_header(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows of a table with the texts of its header repeated in each column."""
    first = next((n for n, row in enumerate(rows) if any(row) and not is_title(row)), 0)
    n_header = first + count_header_rows(rows[first:])
    return [
        repeat_in_columns(row) if number < n_header else list(row)
        for number, row in enumerate(rows)
    ]


def join_header(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return one name for each column of a header of several rows: "Accuracy EN"."""
    repeated = [repeat_in_columns(row) for row in rows]
    n_columns = max(map(len, repeated))
    columns = [[row[n] for row in repeated if n < len(row)] for n in range(n_columns)]
    return [" ".join(dict.fromkeys(filter(None, column))) for column in columns]
