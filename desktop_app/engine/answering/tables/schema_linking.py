"""Rows and columns that a question names; "schema linking" in work on text-to-SQL.

A row is named by whole cells of it, a column by its header or by everyday words for it. Other words
of the table around a cell (its section, its title, a unit) explain words of the question, but name
nothing. Which of the named cells are asked for is decided by `cell_selection` and `extremes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...text_tables import Grid, GridRow, Span, is_number, is_year
from ...writing_systems import has_han
from .name_forms import get_word_lists
from .named_tables import NamedTable
from .question import TableQuestion, get_function_words, get_stop_words

MAX_NAME_CHARS = 100  # of a cell that names its row; longer ones are texts
_SHORT_NUMBER = 3  # digits of a number that is a name only below the words of its header


@dataclass(frozen=True, slots=True)
class RowMatch:
    """A row with the cells that the question names: column -> places in the question."""

    row: GridRow
    named: dict[int, list[Span]]


@dataclass(frozen=True, slots=True)
class ColumnMatch:
    """A column that the question names: places of each part of its name.

    `is_everyday` is set where other words than those of its name ask for it.
    """

    parts: list[list[Span]]
    is_everyday: bool = False

    def list_places(self) -> list[Span]:
        return [span for places in self.parts for span in places]


def iter_row_matches(asked: TableQuestion, table: NamedTable) -> Iterator[RowMatch]:
    """Yield the rows with a cell that the question names."""
    for row in table.grid.rows:
        named = {}
        for column, span in enumerate(row.cells):
            text = table.read(span)
            if not text or len(text) > MAX_NAME_CHARS:
                continue
            if column and is_number(text) and not is_year(text):
                continue
            if places := [p for p in asked.find_name(text) if _is_name(asked, table, column, p)]:
                named[column] = places
        if named:
            yield RowMatch(row, named)


def _is_name(asked: TableQuestion, table: NamedTable, column: int, place: Span) -> bool:
    """Return whether words of the question can name a row."""
    keys = [t.key for t in asked.tokens[slice(*place)]]
    if all(key in get_stop_words() for key in keys):
        return False
    if not all(_is_short_number(key) for key in keys):
        return True
    header = " ".join(table.grid.columns[column])
    return bool(asked.find_shared_words(header))


def _is_short_number(key: str) -> bool:
    return key.isdigit() and len(key) <= _SHORT_NUMBER


def match_columns(asked: TableQuestion, table: NamedTable) -> dict[int, ColumnMatch]:
    """Return the columns that the question names.

    A line of the header that most columns have alike names none of them.
    """
    grid = table.grid
    shared = {
        line
        for line in {line for lines in grid.columns for line in lines}
        if sum(line in lines for lines in grid.columns[1:]) == len(grid.columns) - 1 > 1
    }
    named: dict[int, ColumnMatch] = {}
    for column, lines in enumerate(grid.columns):
        own = [line for line in lines if line not in shared] or list(lines)
        by_name = [asked.find_name_parts(line) for line in own]
        parts = [
            found or [asked.find_column_wording(line)]
            for found, line in zip(by_name, own, strict=True)
        ]
        if parts and all(all(one) for one in parts):
            found = ColumnMatch([p for one in parts for p in one], not all(by_name))
            words = {i for span in found.list_places() for i in range(*span)}
            keys = [asked.tokens[i].key for i in words]
            is_number_only = len(own) == 1 and all(_is_short_number(key) for key in keys)
            is_named = found.is_everyday or any(key not in get_function_words() for key in keys)
            if is_named and not is_number_only:
                named[column] = found
    longest = keep_longest(span for found in named.values() for span in found.list_places())
    return {
        column: found
        for column, found in named.items()
        if all(any(s in longest for s in p) for p in found.parts) or len(found.parts) > 1
    }


def keep_longest(spans: Iterable[Span]) -> set[Span]:
    """Return the ranges that are not a part of a longer one."""
    every = set(spans)
    return {
        one
        for one in every
        if not any(o != one and o[0] <= one[0] and one[1] <= o[1] for o in every)
    }


def is_label_of(grid: Grid, label: int, column: int) -> bool:
    """Return whether a cell of the column `label` can name the row of a cell of `column`.

    In tables that stand side by side, each column belongs to the last labels before it.
    """
    if label == column or not grid.columns[label]:
        return label != column
    same = [c for c, lines in enumerate(grid.columns) if lines == grid.columns[label]]
    if len(same) == 1:
        return True
    return label == max((c for c in same if c < column), default=-1)


def find_context_words(
    asked: TableQuestion,
    table: NamedTable,
    columns: Iterable[int],
    row: GridRow | None = None,
    labels: Iterable[int] = (),
) -> set[int]:
    """Return the words of the question that the table explains besides the names.

    They are in headers and titles, and of a row in its section and its labels; words such as
    "percentage" where a header has "%"; "省" in "哪个省" below "省份".
    """
    headers = [line for column in dict.fromkeys(columns) for line in table.grid.columns[column]]
    if row is not None:
        headers += [table.read(row.cells[label]) for label in labels]
        headers += [row.section] if row.section else []
    found = {i for text in (*headers, *table.titles) for i in asked.find_shared_words(text)}
    for character in set("".join(table.grid.columns[0])):
        found |= {i for i, t in enumerate(asked.tokens) if t.key == character and has_han(t.key)}
    for unit, words in get_word_lists().table("units").items():
        if any(unit in text for text in (*headers, table.caption)):
            found |= {i for word in words for i in asked.find_shared_words(word)}
    return found
