"""Tables in a text: rows, cells, header and the place of a range in them.

A table is text: one row a line, with " | " between its cells, the header first, as the readers
write it; tables of Markdown and lines of "header: value | header: value" are found as well.
Nothing about tables is stored: pure functions find them in the text again, in linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .messages import NO_MESSAGE, Message

Span = tuple[int, int]

CELL_SEPARATOR = " | "
MAX_ROW_CHARS = 20_000
MAX_NUMBER_CHARS = 40  # of a cell; the time of its pattern grows faster than its length
MAX_CELLS = 1_000  # of a row
MAX_HEADER_CHARS = 600
_MAX_SECTION_CHARS = 80  # of a line without cells between two rows, such as "Current assets"
_MAX_HEADER_ROWS = 3
_N_JUDGED = 40  # rows that say which columns have numbers
_SAME_WIDTH = 0.5  # of the rows have the usual number of cells
_BAR = re.compile(r"(?:(?<=[^\S\n])|^)\|(?=[^\S\n]|$)", re.M)  # with blanks around it
_MARKDOWN_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_LABELLED = re.compile(r"[^\s:：|][^:：|\n]{0,60}[:：]\s+\S|[^\s:：|][^:：|\n]{0,30}：\S")
_NUMBER = re.compile(
    r"[\s(（+\-−–±~≈<>≤≥*$€£¥￥]*\d[\d\s,.'’]*(?:[-–/:]\s?\d[\d,.]*){0,2}(?:[eE][+-]?\d+)?\s*[%‰°*)）]*\s*"
    r"(?:±\s*[\d.,]+\s*)?(?:[A-Za-z]{1,3}|[十百千万亿]*[元股倍人个]?)?[*†‡]*"
)
_EMPTY = re.compile(r"[\s\-–—−/.·*]*|[Nn]/?[Aa]\.?")
_EMPTY_ROW = re.compile(r"[\s|]*")
_YEAR = re.compile(r"(?:FY|Q[1-4]|[1-4]Q)?\s*(?:1[5-9]|20)\d\d(?:[/–-]\d{2,4})?\s*[AEae年]?")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a text.

    Attributes:
        rows: start and end of each line of cells, in order, without Markdown's rule line.
        n_cells: the usual number of cells of a row.
        n_header: how many of the first rows are the header; 0 if none is.
        is_labelled: each cell names its column: "Name: Alice | Born: 1832".
        rule_end: end of the rule line below Markdown's header, 0 without one.
    """

    rows: tuple[Span, ...]
    n_cells: int
    n_header: int
    is_labelled: bool = False
    rule_end: int = 0

    @property
    def start(self) -> int:
        return self.rows[0][0]

    @property
    def end(self) -> int:
        return self.rows[-1][1]

    def row_at(self, offset: int) -> int:
        """Return the number of the row at an offset, from 0; the row before it between rows."""
        return max(0, bisect_right(self.rows, (offset, 1 << 62)) - 1)


@dataclass(slots=True)
class _Row:
    start: int
    end: int
    n_cells: int  # 1 for a line between two rows


def find_tables(text: str, start: int = 0, end: int | None = None) -> list[Table]:
    """Return the tables in text[start:end], in order.

    A table has at least two rows with the same number of cells; others may have fewer or more.
    """
    end = len(text) if end is None else end
    tables: list[Table] = []
    run: list[_Row] = []
    rule = -1  # end of the rule below a header of Markdown
    last_end = -1
    at = start
    while (bar := text.find("|", at, end)) >= 0:
        line_start = text.rfind("\n", start, bar) + 1 or start
        line_end = text.find("\n", bar, end)
        if line_end < 0:
            line_end = end
        at = line_end + 1
        n_cells = _count_cells(text, line_start, line_end)
        if n_cells < 2:
            continue
        gap = _find_gap(text, last_end, line_start) if run else None
        if gap is None:
            _add_table(tables, text, run, rule)
            run, rule = [], -1
        elif gap[0] < gap[1]:
            run.append(_Row(*gap, 1))
        last_end = line_end
        first, last = _trim(text, line_start, line_end)
        if rule < 0 and run and _RULE.fullmatch(text, first, last):
            if len(run) > 1:  # its header is the line above
                _add_table(tables, text, run[:-1], -1)
                del run[:-1]
            rule = last
        elif not _RULE.fullmatch(text, first, last):
            run.append(_Row(first, last, n_cells))
    _add_table(tables, text, run, rule)
    return tables


def _find_gap(text: str, last_end: int, line_start: int) -> Span | None:
    """Return the line between two rows, an empty span for none; None if they don't belong together.

    A short line without cells may stand between them: the name of a section.
    """
    if line_start == last_end + 1:
        return (line_start, line_start)
    if not 2 <= line_start - last_end <= _MAX_SECTION_CHARS + 2:
        return None
    first, last = _trim(text, last_end + 1, line_start - 1)
    is_line = first < last and "\n" not in text[last_end + 1 : line_start - 1]
    return (first, last) if is_line else None


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _count_cells(text: str, start: int, end: int) -> int:
    if end - start > MAX_ROW_CHARS:
        return 0
    bars = find_bars(text, *_trim(text, start, end))
    return len(bars) + 1 if len(bars) < MAX_CELLS else 0


def find_bars(text: str, first: int, last: int) -> list[int]:
    """Return the separators of a trimmed line, without those at both ends in Markdown."""
    if is_markdown_row(text, first, last):
        bars = [bar.start() for bar in _MARKDOWN_BAR.finditer(text, first, last)]
        if len(bars) > 2:
            return bars[1:-1]
    return [bar.start() for bar in _BAR.finditer(text, first, last)]


def is_markdown_row(text: str, first: int, last: int) -> bool:
    """Return whether the first and last bar of a trimmed line are around its cells.

    One blank before the first bar is that of a separator: the first cell is empty.
    """
    is_enclosed = text.startswith("|", first, last) and text.endswith("|", first, last)
    is_separator = text[first - 1 : first] == " " and (first < 2 or text[first - 2] == "\n")
    return is_enclosed and last - first > 2 and not is_separator


def split_cells(text: str, start: int, end: int) -> list[Span]:
    """Return start and end of each cell of a row, trimmed; an empty cell is an empty span."""
    first, last = _trim(text, start, end)
    bars = find_bars(text, first, last)
    if bars and bars[0] > first and is_markdown_row(text, first, last):
        first, last = first + 1, last - 1
    edges = zip([first - 1, *bars], [*bars, last], strict=True)
    return [_trim(text, a + 1, b) for a, b in edges]


def _add_table(tables: list[Table], text: str, run: list[_Row], rule: int) -> None:
    run = [row for row in run if not _EMPTY_ROW.fullmatch(text, row.start, row.end)]
    counts = Counter(row.n_cells for row in run if row.n_cells > 1)
    if not counts:
        return
    n_usual, n_same = max(counts.items(), key=lambda item: (item[1], item[0]))
    n_filled = 0
    for row in run:
        n_filled += sum(a < b for a, b in split_cells(text, row.start, row.end)) > 1
        if n_filled > 1:
            break
    else:
        return  # of one column
    n_rows = counts.total()
    labelled = _are_labelled(text, run) if rule < 0 and n_rows > 1 else False
    if rule < 0 and not labelled and (n_same < 2 or n_same < _SAME_WIDTH * n_rows):
        return
    spans = tuple((row.start, row.end) for row in run)
    if labelled:
        n_header = 0 if _has_labels(text, run[0]) else 1
    elif rule >= 0:
        n_header = 1
    else:
        n_header = _count_header_rows(text, run, n_usual)
    tables.append(Table(spans, n_usual, n_header, labelled, max(rule, 0)))


def _are_labelled(text: str, run: Sequence[_Row]) -> bool:
    """Return whether the cells of the rows name their columns; the first row may be a header."""
    judged = [row for row in run[1:_N_JUDGED] if row.n_cells > 1]
    n_labelled = sum(_has_labels(text, row) for row in judged)
    return bool(judged) and n_labelled >= 0.9 * len(judged)


def _has_labels(text: str, row: _Row) -> bool:
    cells = [text[a:b] for a, b in split_cells(text, row.start, row.end) if a < b]
    return sum(1 for cell in cells if _LABELLED.match(cell)) >= max(1, 0.75 * len(cells))


def is_number(cell: str) -> bool:
    """Return whether a cell has a number, perhaps with a sign or unit, and nothing else."""
    return len(cell) <= MAX_NUMBER_CHARS and _NUMBER.fullmatch(cell) is not None


def is_year(cell: str) -> bool:
    """Return whether a cell is a year or quarter, which may name a column of numbers."""
    return _YEAR.fullmatch(cell) is not None


def _is_header_continued(above: Sequence[str], below: Sequence[str]) -> bool:
    """Return whether the row below a header's row names the columns of its wide cells.

    A wide cell is written in each of its columns; each other column has its name in one of both
    rows, or the same in both.
    """
    last = len(above) - 1
    wide = {
        column
        for column, cell in enumerate(above)
        if cell
        and (
            (column > 0 and above[column - 1] == cell)
            or (column < last and above[column + 1] == cell)
        )
    }
    return any(below[column] for column in wide) and all(
        column in wide or not above[column] or not below[column] or above[column] == below[column]
        for column in range(len(above))
    )


def _count_header_rows(text: str, run: Sequence[_Row], n_cells: int) -> int:
    """Return how many of the first rows name columns: those without numbers above numbers."""
    judged = [
        [text[a:b] for a, b in split_cells(text, row.start, row.end)] for row in run[:_N_JUDGED]
    ]
    names = [cells[0] for cells in judged if len(cells) == 2]
    if n_cells == 2 and sum(name.endswith((":", "：")) for name in names) > 0.6 * len(names):
        return 0  # names of things and their values
    body = [cells for cells in judged[1:] if len(cells) == n_cells]
    numeric = {
        column
        for column in range(n_cells)
        if 2 * sum(is_number(cells[column]) for cells in body)
        > sum(not _EMPTY.fullmatch(cells[column]) for cells in body)
    }

    years = {
        column
        for column in numeric
        if 2 * sum(bool(_YEAR.fullmatch(cells[column])) for cells in body)
        > sum(not _EMPTY.fullmatch(cells[column]) for cells in body)
    }

    def has_data(cells: Sequence[str]) -> bool:
        """Return whether a row has a number; a year names a column of other numbers."""
        columns = numeric if len(cells) == n_cells else range(len(cells))
        return any(
            is_number(cells[column]) and (column in years or not _YEAR.fullmatch(cells[column]))
            for column in columns
        )

    if has_data(judged[0]) and numeric:
        return 0
    n_header = 1
    while n_header < min(_MAX_HEADER_ROWS, len(judged) - 1):
        above, cells = judged[n_header - 1], judged[n_header]
        if (
            len(above) == len(cells) == n_cells
            and not has_data(cells)
            and _is_header_continued(above, cells)
        ):
            n_header += 1
            continue
        if not numeric or all(above):
            break  # no cell of it stands over several columns
        named = [c for c, cell in enumerate(cells) if cell]
        is_over = len(cells) == n_cells and len(named) > 1 and not has_data(cells)
        if not (is_over and numeric.intersection(named)):
            break
        n_header += 1
    return n_header


def separate_rows(text: str, tables: Sequence[Table]) -> str:
    """Return a text of the same length with a comma in place of the line end of each row.

    Names are read across line ends, as of a wrapped line; of a semicolon, a full stop, a comma and
    a bar, the comma left most names of five tables right.
    """
    parts: list[str] = []
    at = 0
    for table in tables:
        for _, end in table.rows:
            if text.startswith("\n", end):
                parts += [text[at:end], ","]
                at = end + 1
    parts.append(text[at:])
    return "".join(parts)


def find_labels(text: str, table: Table) -> list[str]:
    """Return the header's cells of a table whose rows repeat them; empty for other tables."""
    if not table.is_labelled or table.n_header != 1:
        return []
    return [text[a:b] for a, b in split_cells(text, *table.rows[0])]


def match_labels(text: str, row: Span, labels: Sequence[str]) -> list[tuple[int, int]]:
    """Return for each cell of a row its column, and the length of the label that it repeats."""
    found: list[tuple[int, int]] = []
    column = 0
    for start, end in split_cells(text, *row):
        cell = text[start:end]
        for n in range(column, len(labels)):
            label = labels[n].rstrip(":：")
            rest = cell[len(label) :]
            if label and cell.startswith(label) and rest[:1] in (":", "："):
                value = rest[1:].lstrip()
                found.append((n, len(cell) - len(value)))
                column = n + 1
                break
        else:
            found.append((column, 0))
            column += 1
    return found


# --- the header and the place of a range ------------------------------------------------------


def find_table_at(tables: Sequence[Table], offset: int) -> Table | None:
    """Return the table around an offset; `tables` are in order."""
    low, high = 0, len(tables)
    while low < high:
        middle = (low + high) // 2
        if tables[middle].start <= offset:
            low = middle + 1
        else:
            high = middle
    table = tables[low - 1] if low else None
    return table if table is not None and offset < table.end else None


def read_header(text: str, table: Table) -> str:
    """Return the header of a table on one line; a very long one is cut.

    "" if it has none, or if each row repeats it.
    """
    if not table.n_header or table.is_labelled:
        return ""
    rows = table.rows[: table.n_header]
    cells = [
        [" ".join(text[a:b].split()) for a, b in split_cells(text, *row)]
        for row in rows
        if row[1] - row[0] <= MAX_ROW_CHARS
    ]
    cells = [row for row in cells if len(row) > 1] or cells
    if len(cells) > 1 and len({len(row) for row in cells}) == 1:  # one column below the other
        columns = zip(*cells, strict=True)  # a cell over several rows is in each of them
        joined = [" ".join(dict.fromkeys(filter(None, column))) for column in columns]
    else:
        joined = [cell for row in cells for cell in row]
    return CELL_SEPARATOR.join(joined)[:MAX_HEADER_CHARS].strip()


@dataclass(frozen=True, slots=True)
class TableStart:
    """Where in a table a piece of text begins.

    Attributes:
        header: of the table, on one line; "" if it has none.
        row: number of the row at the piece's start, from 1, the header's rows included.
    """

    header: str
    row: int


class DocumentTables:
    """The tables of a whole text with their headers, without the text."""

    def __init__(self, text: str) -> None:
        self._tables = find_tables(text)
        self._headers = {table.start: read_header(text, table) for table in self._tables}

    def __bool__(self) -> bool:
        return bool(self._tables)

    def list_between(self, start: int, end: int) -> list[Table]:
        """Return the tables that have a part of a range of the text."""
        return [one for one in self._tables if one.start < end and start < one.end]

    def find_start(self, offset: int, piece: str) -> TableStart | None:
        """Return where in a table a piece of the text begins.

        None outside tables, and where the header itself is still ahead.

        Args:
            offset: of the piece in the whole text.
        """
        first = offset + _skip_space(piece, 0)
        table = find_table_at(self._tables, first)
        if table is None:
            return None
        row = table.row_at(first)
        if row < max(1, table.n_header):
            return None
        return TableStart(self._headers[table.start], row + 1)


def _skip_space(text: str, offset: int) -> int:
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


@lru_cache(maxsize=256)
def _find_rows(piece: str, start: TableStart | None) -> tuple[tuple[Table, str, int], ...]:
    """Return the tables of a piece, each with its header and the number of its first row."""
    found = [(table, read_header(piece, table), 1) for table in find_tables(piece)]
    if start is None:
        return tuple(found)
    # The rows at its start belong to a table whose header stands before the piece.
    lead = start.header + "\n" if start.header else ""
    first = _skip_space(piece, 0)
    line_start = piece.rfind("\n", 0, first) + 1
    whole = lead + piece[line_start:]
    rows = next((t.rows for t in find_tables(whole) if not whole[: t.start].strip()), ())
    shift = line_start - len(lead)
    spans = tuple((a + shift, b + shift) for a, b in rows if a >= len(lead))
    if not spans:
        line_end = piece.find("\n", first)
        spans = (_trim(piece, first, line_end if line_end >= 0 else len(piece)),)
    table = Table(spans, max(len(split_cells(piece, *row)) for row in spans), 0)
    rest = [one for one in found if one[0].start >= table.end]
    return ((table, start.header, start.row), *rest)


def start_in_piece(piece: str, start: TableStart | None, offset: int) -> TableStart | None:
    """Return where in a table a piece of text begins after it was cut at `offset`.

    Args:
        start: of the whole piece.
    """
    if start is None and "|" not in piece:
        return None
    at = _skip_space(piece, offset)
    for table, header, first_row in _find_rows(piece, start):
        if table.start <= at < table.end:
            row = table.row_at(at)
            if first_row == 1 and row < max(1, table.n_header):
                return None
            return TableStart(header, first_row + row)
    return None


@dataclass(frozen=True, slots=True)
class CellRange:
    """Rows and columns of a table, from 1; columns are 0 where whole rows are meant.

    `name` is that of the column, where the cell itself has it and its number is not certain.
    """

    first_row: int
    last_row: int
    first_column: int = 0
    last_column: int = 0
    name: str = ""

    def describe(self) -> Message:
        """Return words for it: "row 12, columns 2–3"."""
        rows = {"first": self.first_row, "last": self.last_row, "row": self.first_row}
        if self.first_row != self.last_row:
            return Message("rows {first}–{last}", **rows)
        if self.name:
            return Message("row {row}, column “{name}”", **rows, name=self.name)
        if not self.first_column:
            return Message("row {row}", **rows)
        if self.first_column == self.last_column:
            return Message("row {row}, column {column}", **rows, column=self.first_column)
        return Message(
            "row {row}, columns {first}–{last}",
            row=self.first_row,
            first=self.first_column,
            last=self.last_column,
        )


def locate_cells(piece: str, start: TableStart | None, first: int, last: int) -> CellRange | None:
    """Return the cells of the range first..last of a piece of text, None outside tables.

    Args:
        start: see `find_start`; where the piece begins in a table.
    """
    if start is None and "|" not in piece:
        return None
    first = _skip_space(piece, first)
    for table, _, first_row in _find_rows(piece, start):
        if table.start <= first < table.end:
            top = table.row_at(first)
            bottom = max(top, table.row_at(max(first, min(last, table.end) - 1)))
            if last > table.end and piece[table.end : last].strip():
                return None  # the range goes on after the table
            left = right = 0
            name = ""
            if top == bottom:
                left, right = _find_columns(piece, table.rows[top], first, last)
                name = "" if left else _find_label(piece, table.rows[top], first, last)
            return CellRange(first_row + top, first_row + bottom, left, right, name)
    return None


def _find_columns(piece: str, row: Span, first: int, last: int) -> tuple[int, int]:
    """Return the first and last column of a range in a row; 0 and 0 for all of them.

    Rows that repeat the header leave out empty cells: their cells have no certain column.
    """
    cells = split_cells(piece, *row)
    filled = [piece[a:b] for a, b in cells if a < b]
    if sum(1 for cell in filled if _LABELLED.match(cell)) > len(filled) / 2:
        return 0, 0
    touched = [n for n, (a, b) in enumerate(cells, 1) if a < last and first < b]
    if not touched or len(touched) == sum(a < b for a, b in cells):
        return 0, 0
    return touched[0], touched[-1]


def _find_label(piece: str, row: Span, first: int, last: int) -> str:
    """Return the name that the one cell of a range repeats, "" for ranges of other cells."""
    for start, end in split_cells(piece, *row):
        if start < first and last <= end:
            label = re.match(r"([^:：|\n]+)[:：]\s*", piece[start:first])
            return label[1].strip() if label is not None and label.end() == first - start else ""
    return ""


def describe_cells(piece: str, start: TableStart | None, first: int, last: int) -> Message:
    """Return the place of a range in a table in words, an empty message outside tables."""
    cells = locate_cells(piece, start, first, last)
    return cells.describe() if cells is not None else NO_MESSAGE


def header_above(piece: str, start: TableStart | None, offset: int) -> str:
    """Return the header of the table around an offset of a piece; "" outside, and for itself."""
    found = start_in_piece(piece, start, offset)
    return found.header if found is not None else ""


def lay_out_rows(piece: str, start: TableStart | None) -> list[str]:
    """Return a piece of text with each row of a table on its own line, prose on one line.

    Above the rows of a table that began before the piece stands its header.
    """
    lines: list[str] = []
    at = 0
    for table, header, first_row in _find_rows(piece, start):
        lines.append(piece[at : table.start])
        if first_row > 1 and header:
            lines.append(header)
        lines += [piece[a:b] for a, b in table.rows]
        at = table.end
    lines.append(piece[at:])
    joined = (" ".join(line.split()) for line in lines)
    return [line for line in joined if line]


# --- rows and columns -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of a table below its header.

    Attributes:
        cells: start and end of each cell by column, an empty span for an empty one.
        section: the line without cells above it, such as "Current assets"; "" without one.
    """

    cells: tuple[Span, ...]
    section: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table by rows and columns; `columns` has the lines of the header of each column."""

    columns: tuple[tuple[str, ...], ...]
    rows: tuple[GridRow, ...]


def move_table(table: Table, by: int) -> Table:
    """Return a table of a text for a text that begins that many characters later or earlier."""
    rows = tuple((start + by, end + by) for start, end in table.rows)
    return replace(table, rows=rows, rule_end=table.rule_end + by if table.rule_end else 0)


def read_grid(text: str, table: Table) -> Grid | None:
    """Return the rows of a table by column, None where no column has a certain name.

    None has one without a header. Where a column with cells has no name, a wide cell stands above
    it, or the reader has joined two names and those behind them have moved; so the names up to it
    are uncertain and left out, but for that of the first column, whose cells name the rows. Rows
    with more cells than the header, and those below a second header, are left out. A row with
    fewer cells ends early, as readers drop empty cells at its end.
    """
    if not table.n_header:
        return None
    labels = find_labels(text, table)
    header = [
        [" ".join(text[a:b].split()) for a, b in split_cells(text, *row)]
        for row in table.rows[: table.n_header]
    ]
    header = [row for row in header if len(row) > 1]
    n_columns = len(header[0]) if header else 0
    if not header or any(len(row) != n_columns for row in header):
        return None
    columns = tuple(
        tuple(dict.fromkeys(filter(None, lines))) for lines in zip(*header, strict=True)
    )
    lengths = [match_labels(text, row, labels)[0][1] for row in table.rows[1:]] if labels else []
    is_unnamed = 2 * lengths.count(0) > len(lengths)  # the first column: its cells have no label
    if is_unnamed:
        columns, n_columns = ((), *columns), n_columns + 1
    rows: list[GridRow] = []
    section = ""
    for span in table.rows[table.n_header :]:
        cells = split_cells(text, *span)
        if len(cells) == 1 and not labels:
            section = text[slice(*span)]
            continue
        if labels:
            places = match_labels(text, span, labels)
            if len(cells) == 1 and not places[0][1]:
                section = text[slice(*span)]
                continue
            placed = [(span[0], span[0])] * n_columns
            if is_unnamed and len(cells) > 1:
                placed[0] = cells[0]
                cells, places = cells[1:], match_labels(text, (cells[1][0], span[1]), labels)
            if any(not n_chars for _, n_chars in places):
                continue  # a cell over several columns
            for (start, end), (column, n_chars) in zip(cells, places, strict=True):
                placed[column + is_unnamed] = (start + n_chars, end)
            cells = placed
        filled = [column for column, (a, b) in enumerate(cells) if a < b]
        if filled == [0] and n_columns > 2 and not labels:
            section = text[slice(*cells[0])]
            continue
        if rows and len(filled) > 1 and filled[0] > 0 and _is_header_again(text, cells, rows):
            break
        if filled and len(cells) <= n_columns:
            rows.append(GridRow(tuple(cells), section))
    used = {n for row in rows for n, (a, b) in enumerate(row.cells) if a < b}
    last_gap = max((n for n in used if n and not columns[n]), default=0)
    if last_gap == n_columns - 1:
        return None
    columns = tuple(() if 0 < n <= last_gap else lines for n, lines in enumerate(columns))
    return Grid(columns, tuple(rows))


def _is_header_again(text: str, cells: Sequence[Span], rows: Sequence[GridRow]) -> bool:
    """Return whether a row without a name in its first column has words where the others count."""
    above = rows[-1].cells
    return all(
        column < len(above)
        and is_number(text[slice(*above[column])])
        and not is_number(text[slice(*span)])
        for column, span in enumerate(cells)
        if span[0] < span[1]
    )
