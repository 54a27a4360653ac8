"""Selects the cells, or the whole row, that a question asks for.

A cell is given only where nothing is left to guess: a row is named by its own cells, a column by
its header, and every other word of the question stands in the title of the table or asks for
nothing in particular. Where several rows of one column fit alike, all of them are given; in every
other case nothing is. Works on texts and questions only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...text_tables import GridRow, Span, is_number
from .cell_values import (
    StatedCell,
    build_cell,
    find_cell_span,
    fold_value,
    is_divided,
    is_filled,
    is_missing,
    is_share,
    is_sum,
)
from .extremes import iter_extremes
from .named_tables import NamedTable
from .question import TableQuestion, read_question
from .schema_linking import (
    MAX_NAME_CHARS,
    ColumnMatch,
    RowMatch,
    find_context_words,
    is_label_of,
    iter_row_matches,
    keep_longest,
    match_columns,
)

MAX_CELLS_TOGETHER = 4  # that are given for one question; of more, none is
MAX_ROW_CELLS = 30  # of a row that is given as a whole

RowMatches = Mapping[tuple[int, int], Sequence[RowMatch]]  # by the key of their table


def find_cells(question: str, tables: Sequence[NamedTable]) -> list[StatedCell]:
    """Return the cells that a question asks for: one, several of one column, or none.

    Of a whole row, its first value with the others in it.
    """
    asked = read_question(question)
    if not asked.is_for_cell:
        return []
    rows = {table.key: list(iter_row_matches(asked, table)) for table in tables}
    longest = keep_longest(
        span
        for matches in rows.values()
        for one in matches
        for spans in one.named.values()
        for span in spans
    )
    fits: list[StatedCell] = []
    for table in tables:
        columns = match_columns(asked, table)
        matches = _keep_row_names(asked, rows[table.key], longest)
        own = [cell for one in matches for cell in _iter_fits(asked, table, one, columns)]
        if sum(columns[cell.place].is_everyday for cell in own) > 1:
            return []  # "How deep is Kenya?" asks about one thing, which is none of several lakes
        fits += own
    if not fits and asked.whole_row_words:
        return _find_whole_rows(asked, tables, rows)
    if not fits:
        fits = [cell for table in tables for cell in iter_extremes(asked, table)]
    return _choose(fits)


def _keep_row_names(
    asked: TableQuestion, matches: Sequence[RowMatch], longest: set[Span]
) -> list[RowMatch]:
    """Return the rows of one table that are named, with what names them.

    A part of a longer name names no row, and what names a row by its first cell is no cell of
    another one. No row is left where the question asks about two.
    """
    heads = {s for one in matches for s in one.named.get(0, ()) if s in longest}
    if asked.are_joined(heads):
        return []
    kept: list[RowMatch] = []
    for one in matches:
        named = {c: [s for s in spans if s in longest] for c, spans in one.named.items()}
        if not named.get(0):
            named = {c: [s for s in spans if s not in heads] for c, spans in named.items()}
        named = {c: spans for c, spans in named.items() if spans}
        if named:
            kept.append(RowMatch(one.row, named))
    return kept


def _iter_fits(
    asked: TableQuestion, table: NamedTable, one: RowMatch, columns: Mapping[int, ColumnMatch]
) -> Iterator[StatedCell]:
    """Yield the cells of a row in the named columns after which no word of the question is left."""
    for column, found in columns.items():
        named = {c: spans for c, spans in one.named.items() if is_label_of(table.grid, c, column)}
        if not named or column >= len(one.row.cells):
            continue
        by_row = {i for spans in named.values() for span in spans for i in range(*span)}
        places = [[s for s in part if by_row.isdisjoint(range(*s))] for part in found.parts]
        if not all(places):
            continue
        value = table.read(one.row.cells[column])
        if is_missing(value) or is_divided(table.grid, one.row, named, column):
            value = ""
        elif not asked.fits_answer_type(value) or (
            asked.asks_count and is_share(table, one.row, column, value)
        ):
            continue
        covered = by_row | {i for part in places for span in part for i in range(*span)}
        # "How deep is the temperature of Shala?" asks for nothing in "Temperature of lakes"
        around = replace(table, titles=()) if found.is_everyday else table
        covered |= find_context_words(asked, around, (column, *named, 0), one.row, named)
        covered |= asked.function_words if found.is_everyday else asked.stop_words
        if len(covered) == len(asked.tokens):
            first = {0} if is_label_of(table.grid, 0, column) else set()
            cell = build_cell(table, one.row, column, tuple(named), first)
            yield cell if value else replace(cell, value="")


def _choose(fits: Sequence[StatedCell]) -> list[StatedCell]:
    """Return the cells of the first table, none if another one, or a row of it, says otherwise.

    A name in two columns has two meanings, such as writer and addressee, so its rows are not
    given together. A cell without a value fits, but says nothing.
    """
    by_table: dict[tuple[int, int], list[StatedCell]] = {}
    for cell in fits:
        by_table.setdefault(cell.table.key, []).append(cell)
    values = {tuple(fold_value(cell.value) for cell in cells) for cells in by_table.values()}
    places = {(cell.table.key, cell.place, cell.labels) for cell in fits}
    if len(values) != 1 or len(places) != len(by_table):
        return []
    cells = next(iter(by_table.values()))
    if len(cells) > MAX_CELLS_TOGETHER or not all(cell.value for cell in cells):
        return []
    if len({cell.row for cell in cells}) < len(cells):
        return [_add_names(cell) for cell in cells]
    return cells


def _add_names(cell: StatedCell) -> StatedCell:
    """Return a cell with the names of its row in all columns, which may distinguish rows."""
    table = cell.table
    row = next(
        row for row in table.grid.rows if find_cell_span(table, row, cell.place) == cell.span
    )
    names = [table.read(span) for n, span in enumerate(row.cells) if n != cell.place]
    names = [name for name in names if _is_distinguishing(name)]
    return replace(cell, row=tuple(dict.fromkeys((*names, *cell.row))))


def _is_distinguishing(name: str) -> bool:
    is_text = not (is_number(name) or is_missing(name))
    return is_text and len(name) <= MAX_NAME_CHARS


# --- whole rows -------------------------------------------------------------------------------


def _find_whole_rows(
    asked: TableQuestion, tables: Sequence[NamedTable], rows: RowMatches
) -> list[StatedCell]:
    """Return the rows that a question asks for with all of their cells: one of each table.

    A row is named by its first cell, and every other word asks for everything in it. Sums are not
    named so: each table has some.
    """
    heads = [s for matches in rows.values() for one in matches for s in one.named.get(0, ())]
    longest = keep_longest(heads)
    if asked.are_joined(longest):
        return []
    found: dict[tuple[tuple[str, str], ...], StatedCell] = {}  # copies of a table have one
    for table in tables:
        own = [one for one in rows[table.key] if longest.intersection(one.named.get(0, ()))]
        covered = {i for one in own for s in one.named[0] if s in longest for i in range(*s)}
        covered |= asked.stop_words | asked.whole_row_words
        covered |= find_context_words(asked, table, (0,))
        if not own or len(covered) < len(asked.tokens):
            continue
        is_case = len(own) == 1 and not is_sum(table.read(own[0].row.cells[0]))
        cells = _list_cells(table, own[0].row) if is_case else []
        if not cells or len(found) == MAX_CELLS_TOGETHER:
            return []
        key = tuple((cell.column, fold_value(cell.value)) for cell in cells)
        span = find_cell_span(table, own[0].row, 0)[0], cells[-1].span[1]
        found.setdefault(key, replace(cells[0], span=span, others=tuple(cells[1:])))
    return list(found.values())


def _list_cells(table: NamedTable, row: GridRow) -> list[StatedCell]:
    """Return the cells of a row behind the first one, none where one of them is uncertain."""
    filled = [n for n in range(1, len(row.cells)) if is_filled(row, n)]
    if len(filled) > MAX_ROW_CELLS or not all(table.grid.columns[n] for n in filled):
        return []
    if any(is_divided(table.grid, row, (0,), n) for n in range(1, len(table.grid.columns))):
        return []
    return [build_cell(table, row, n, (0,)) for n in filled]
