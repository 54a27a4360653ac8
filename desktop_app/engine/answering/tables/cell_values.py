"""What one cell says: its value with the names of its row and column, or that it is not certain.

Knows tables and their cells, no questions.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from ...text_tables import Grid, GridRow, Span, is_number
from .name_forms import get_word_lists, split_tokens, split_unit
from .named_tables import NamedTable

_EMPTY_VALUE = re.compile(r"[\s\-–—−/.·*?]*|[Nn]/?[Aa]\.?")


@dataclass(frozen=True, slots=True)
class StatedCell:
    """A cell that answers a question.

    Attributes:
        row: the names of its row, as they are printed.
        column: the name of its column without the unit.
        value: as it is printed, with its unit; "" where it is missing or not certain.
        span: of the cell in the document, of the whole row where this is asked for.
        place: its column.
        labels: the columns that name its row.
        extreme: "highest" or "lowest" where the question asks for such a row.
        n_rows: that were compared for it.
        others: the cells behind it, where the whole row is asked for.
    """

    table: NamedTable
    row: tuple[str, ...]
    column: str
    value: str
    span: Span
    place: int
    labels: tuple[int, ...]
    extreme: str = ""
    n_rows: int = 0
    others: tuple[StatedCell, ...] = ()


def build_cell(
    table: NamedTable,
    row: GridRow,
    column: int,
    labels: tuple[int, ...],
    first: Iterable[int] = (),
    extreme: str = "",
    n_rows: int = 0,
) -> StatedCell:
    """Return a cell with its names; those of the columns `first` and `labels` are of its row."""
    value = table.read(row.cells[column])
    name, unit = split_unit(" ".join(table.grid.columns[column]))
    if unit and not re.search(rf"{re.escape(unit)}\s*$", value):
        value = f"{value} {unit}"
    keys = sorted({*first, *labels})
    cells = [table.read(row.cells[key]) for key in keys if key < len(row.cells)]
    names = [cell for cell in dict.fromkeys((row.section, *cells)) if cell]
    return StatedCell(
        table,
        tuple(names),
        name,
        value,
        find_cell_span(table, row, column),
        column,
        labels,
        extreme,
        n_rows,
    )


def find_cell_span(table: NamedTable, row: GridRow, column: int) -> Span:
    """Return where a cell is in the document."""
    start, end = row.cells[column] if column < len(row.cells) else (0, 0)
    return start + table.offset, end + table.offset


def fold_value(value: str) -> str:
    """Return a value as it is compared: "1,503" and "1503 " are alike."""
    return "".join(unicodedata.normalize("NFKC", value).replace(",", "").split())


def read_cell_number(text: str) -> float | None:
    """Return the number of a cell that has nothing else but a sign of per cent."""
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-").strip()
    match = re.fullmatch(r"([+-]?\d{1,3}(?:,\d{3})+|[+-]?\d+)(\.\d+)?\s*[%‰]?", plain)
    return float(match[1].replace(",", "") + (match[2] or "")) if match else None


def has_numbers(table: NamedTable, column: int) -> bool:
    """Return whether a column has numbers in more than half of its cells."""
    cells = [row.cells[column] for row in table.grid.rows if is_filled(row, column)]
    return 2 * sum(is_number(table.read(cell)) for cell in cells) > len(cells)


def is_filled(row: GridRow, column: int) -> bool:
    """Return whether a row has a text in a column."""
    return column < len(row.cells) and row.cells[column][0] < row.cells[column][1]


def is_missing(value: str) -> bool:
    """Return whether a cell is empty or has a word or sign that says so."""
    missing = get_word_lists().words("missing")
    return _EMPTY_VALUE.fullmatch(value) is not None or "_".join(value.lower().split()) in missing


def is_share(table: NamedTable, row: GridRow, column: int, value: str) -> bool:
    """Return whether a cell is in per cent, by itself, its header, or the label of its row."""
    texts = (value, table.read(row.cells[0]), row.section, *table.grid.columns[column])
    return any(sign in text for text in texts for sign in "%％‰")


def is_sum(label: str) -> bool:
    """Return whether the name of a row says that it has sums or means of the others."""
    keys = {t.key for t in split_tokens(label)}
    sums = get_word_lists().words("english_sums")
    return bool(keys & sums) or any(w in label for w in get_word_lists().in_order("chinese_sums"))


def is_divided(grid: Grid, row: GridRow, labels: Iterable[int], column: int) -> bool:
    """Return whether a row beside this one seems to have the rest of the cell.

    It has a text in this column and none in those that name the row.
    """
    place = grid.rows.index(row)
    beside = [*grid.rows[max(0, place - 1) : place], *grid.rows[place + 1 : place + 2]]
    return any(
        column < len(other.cells)
        and is_filled(other, column)
        and not any(is_filled(other, label) for label in {0, *labels})
        for other in beside
    )
