"""The row with the highest or lowest number of a column: "Which lake is deepest?".

Only where all rows can be compared: no gaps, no groups, no ties, no sum among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...text_tables import GridRow
from .cell_values import StatedCell, build_cell, has_numbers, is_sum, read_cell_number
from .named_tables import NamedTable
from .question import TableQuestion
from .schema_linking import ColumnMatch, find_context_words, is_label_of, match_columns

_SUM_TOLERANCE = 0.01  # of a sum, whose parts may be rounded


def iter_extremes(asked: TableQuestion, table: NamedTable) -> Iterator[StatedCell]:
    """Yield the row with the highest or lowest number of the one column that is named.

    The last row may have sums, which are not compared. Other named columns, with texts, say what
    the rows are: "Which lake has the largest area?" below "Country" and "Lake".
    """
    extreme, words, columns = _find_asked_extreme(asked, table)
    numeric = [column for column in columns if column and has_numbers(table, column)]
    if not extreme or len(numeric) != 1:
        return
    column = numeric[0]
    labels = (0, *(c for c in sorted(columns) if c not in (0, column)))
    if not all(is_label_of(table.grid, label, column) for label in labels):
        return
    covered = words | {i for c in columns for s in columns[c].list_places() for i in range(*s)}
    is_everyday = any(found.is_everyday for found in columns.values())
    around = replace(table, titles=()) if is_everyday else table
    covered |= find_context_words(asked, around, (column, *labels))
    covered |= asked.function_words if is_everyday else asked.stop_words
    if len(covered) < len(asked.tokens):
        return
    rows = table.grid.rows
    if len(rows) > 2 and is_sum(table.read(rows[-1].cells[0])):
        rows = rows[:-1]
    numbers: list[tuple[float, GridRow]] = []
    for row in rows:
        if row.section or column >= len(row.cells):
            return  # numbers of several groups are not compared
        number = read_cell_number(table.read(row.cells[column]))
        names = [table.read(row.cells[label]) for label in labels]
        if number is None or not all(names) or any(map(is_sum, names)):
            return
        numbers.append((number, row))
    if len(numbers) < 2:
        return
    best = (max if extreme == "highest" else min)(number for number, _ in numbers)
    first = [row for number, row in numbers if number == best]
    if len(first) == 1 and not _is_sum_of_others(best, [number for number, _ in numbers]):
        yield build_cell(table, first[0], column, labels, extreme=extreme, n_rows=len(numbers))


def _find_asked_extreme(
    asked: TableQuestion, table: NamedTable
) -> tuple[str, set[int], dict[int, ColumnMatch]]:
    """Return whether the highest or lowest number is asked for, by which words, of which columns.

    Words such as "deepest" name the column "Depth", too; "" where both are asked for, or none.
    """
    named = match_columns(asked, table)
    columns = {c: found for c, found in named.items() if not found.is_everyday}
    extreme, words = asked.find_extreme()
    if extreme and any(c and has_numbers(table, c) for c in columns):
        return extreme, words, columns
    for one in ("highest", "lowest"):
        for column, lines in enumerate(table.grid.columns):
            places = [asked.find_superlative(line, one) for line in lines]
            if column and len(places) == 1 and places[0] and extreme in ("", one):
                extreme = one
                columns[column] = ColumnMatch(places, is_everyday=True)
    is_named = any(found.is_everyday for found in columns.values())
    return extreme if is_named else "", words, columns


def _is_sum_of_others(number: float, numbers: Sequence[float]) -> bool:
    """Return whether a number seems to be the sum of the others, which may be rounded."""
    others = sum(numbers) - number
    return len(numbers) > 2 and abs(number - others) <= _SUM_TOLERANCE * abs(number)
