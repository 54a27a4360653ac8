"""Tables on the pages of a PDF, from ruling lines and from columns that stand below each other.

A table becomes rows of cells; everything else on the page is left as it is. In doubt there is no
table: prose in two columns, lists of contents and labels of charts stay text. Only pages with a
hint of a table are looked at: ruling lines, or lines with several numbers.
"""

from __future__ import annotations

import bisect
import ctypes
import itertools
import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...text_tables import CELL_SEPARATOR, is_number
from ...writing_systems import WIDE

TABLE_START, TABLE_ROW = "\ufdd0", "\ufdd1"  # before the first row of a table, and before others
MAX_CHARS = 12_000  # of a page that is searched for tables
MAX_OBJECTS = 6_000
MAX_SEGMENTS = 20_000
MAX_LINES = 600  # ruling lines of a page; a page with more has a drawing
MAX_ROWS, MAX_COLUMNS = 200, 30
MAX_TRIALS = 300  # pairs of rules between which a table is looked for, in one page
_MIN_RULE = 18.0  # points
_NEAR = 2.5  # points: lines and edges that belong together
_SAME_LINE = 0.55  # of the height of a word beside another
_FILLED = 0.4  # of the cells, at least
_MIN_GAP = 0.45  # of the size of the type, between two columns
_WIDE_GAP = 1.1  # of the size, between two segments of a line without rules
_MAX_PROSE = 5.0  # words of a cell on average, where few cells have numbers
_MIN_NUMBERS = 0.2  # of the cells right of the first column, in a table between rules
_MIN_ALIGNED_NUMBERS = 0.5  # the same without rules
_CJK = re.compile(f"[{WIDE}\uff01-\uff60]")
_FIGURES = re.compile(r"(?<![\w.])[-+−–(]?\d[\d.,]*%?\)?(?![\w.])")
_TABLE_NUMBER = r"\s*(?:Table|TABLE|Tab\.|Tabelle|表|圖表|图表)\s*[\dIVX一二三四五六七八九十]"
_CAPTION = re.compile(_TABLE_NUMBER)
_NOTE = re.compile(rf"{_TABLE_NUMBER}|(?:Notes?|Source|Quelle|注|资料来源|数据来源)\b")


@dataclass(slots=True)
class Word:
    """Characters without a gap; `first` and `last` are PDFium's indexes of its characters."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    indexes: list[int] = field(default_factory=list)
    space_after: bool = True  # PDFium has white space or a line end after it

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    @property
    def height(self) -> float:
        return (self.bottom + self.top) / 2

    @property
    def size(self) -> float:
        return self.top - self.bottom


Line = list[Word]  # the words of one visual line, from left to right
Rule = tuple[float, float, float]  # place, and from where to where
Cells = list[list[Word]]  # the words of each cell of a row


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table of a page: its rows as text, and PDFium's indexes of its characters."""

    rows: tuple[tuple[str, ...], ...]
    indexes: frozenset[int]


def has_hint(text: str, n_rules: int) -> bool:
    """Return whether a page may have a table: ruling lines, or lines with several numbers."""
    if n_rules >= 2:
        return True
    n_lines = n_single = 0
    for line in text.splitlines():
        n_figures = len(_FIGURES.findall(line))
        n_lines += n_figures >= 2
        n_single += n_figures == 1 and len(line.strip()) < 12
        if n_lines >= 3 or n_single >= 8:
            return True
    return False


# --- what is on the page --------------------------------------------------------------------------


def read_rules(page: Any) -> tuple[list[Rule], list[Rule]]:
    """Return the horizontal and the vertical ruling lines of a page, joined."""
    from pypdfium2 import raw

    across: list[Rule] = []
    down: list[Rule] = []
    n_objects = min(raw.FPDFPage_CountObjects(page), MAX_OBJECTS)
    n_left = MAX_SEGMENTS
    matrix = raw.FS_MATRIX()
    x, y = ctypes.c_float(), ctypes.c_float()
    for number in range(n_objects):
        item = raw.FPDFPage_GetObject(page, number)
        if raw.FPDFPageObj_GetType(item) != raw.FPDF_PAGEOBJ_PATH:
            continue
        n_segments = raw.FPDFPath_CountSegments(item)
        n_left -= max(0, n_segments)
        if n_left < 0:
            break
        if n_segments < 2 or not raw.FPDFPageObj_GetMatrix(item, matrix):
            continue
        before = first = (0.0, 0.0)
        for place in range(n_segments):
            segment = raw.FPDFPath_GetPathSegment(item, place)
            kind = raw.FPDFPathSegment_GetType(segment)
            raw.FPDFPathSegment_GetPoint(segment, x, y)
            point = (
                matrix.a * x.value + matrix.c * y.value + matrix.e,
                matrix.b * x.value + matrix.d * y.value + matrix.f,
            )
            if kind == raw.FPDF_SEGMENT_MOVETO:
                first = point
            elif kind == raw.FPDF_SEGMENT_LINETO:
                _add_rule(across, down, before, point)
                if raw.FPDFPathSegment_GetClose(segment):
                    _add_rule(across, down, point, first)
            before = point
        if len(across) + len(down) > 20 * MAX_LINES:
            return [], []
    across, down = _join_rules(across), _join_rules(down)
    return (across, down) if len(across) + len(down) <= MAX_LINES else ([], [])


def _add_rule(
    across: list[Rule], down: list[Rule], one: tuple[float, float], other: tuple[float, float]
) -> None:
    (x1, y1), (x2, y2) = one, other
    if abs(y1 - y2) < 1.0 < abs(x1 - x2):
        across.append(((y1 + y2) / 2, min(x1, x2), max(x1, x2)))
    elif abs(x1 - x2) < 1.0 < abs(y1 - y2):
        down.append(((x1 + x2) / 2, min(y1, y2), max(y1, y2)))


def _join_rules(rules: list[Rule]) -> list[Rule]:
    """Return the rules with those on the same line that touch joined, without short ones."""
    joined: list[Rule] = []
    groups: list[list[Rule]] = []
    for rule in sorted(rules):
        if groups and rule[0] - groups[-1][-1][0] <= _NEAR and rule[0] - groups[-1][0][0] <= 4:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    for group in groups:
        place = statistics.median(rule[0] for rule in group)
        start, end = 0.0, -1.0
        for _, first, last in sorted(group, key=lambda rule: rule[1:]):
            if end < start or first > end + _NEAR:
                if end - start >= _MIN_RULE / 2:
                    joined.append((place, start, end))
                start, end = first, last
            else:
                end = max(end, last)
        if end - start >= _MIN_RULE / 2:
            joined.append((place, start, end))
    return joined


def read_page_words(text_page: Any, first: int, last: int) -> list[Word]:
    """Return the words in PDFium's order, without rotated and invisible ones."""
    from pypdfium2 import raw

    words: list[Word] = []
    word: Word | None = None
    n_below = 0  # characters below the one before them: vertical text
    box, matrix = raw.FS_RECTF(), raw.FS_MATRIX()
    for index in range(first, last):
        code = raw.FPDFText_GetUnicode(text_page, index)
        char = chr(code) if 32 < code < 0x110000 and not 0xD800 <= code < 0xE000 else " "
        if char.isspace() or char in "\xa0\u200b":
            if word is not None:
                word.space_after = True
            word = None
            continue
        if not raw.FPDFText_GetLooseCharBox(text_page, index, box) or box.top - box.bottom <= 0:
            continue
        raw.FPDFText_GetMatrix(text_page, index, matrix)
        if abs(matrix.b) > abs(matrix.d) * 0.3:
            continue
        size = box.top - box.bottom
        if (
            word is not None
            and abs(box.bottom - word.bottom) < 0.3 * size
            and -0.5 * size < box.left - word.right < _MIN_GAP * 0.55 * size
        ):
            word.text += char
            word.right = max(word.right, box.right)
            word.bottom, word.top = min(word.bottom, box.bottom), max(word.top, box.top)
            word.indexes.append(index)
            continue
        if word is not None:
            word.space_after = False
        if words:
            is_below = 0.5 * size < words[-1].bottom - box.bottom < 1.7 * size
            n_below += is_below and abs(box.left - words[-1].left) < 0.3 * size
        word = Word(char, box.left, box.right, box.bottom, box.top, [index])
        words.append(word)
    return words if n_below < 0.5 * len(words) else []


def group_lines(words: Iterable[Word]) -> list[Line]:
    """Return words as visual lines from top to bottom."""
    lines: list[Line] = []
    for word in sorted(words, key=lambda w: (-w.height, w.left)):
        for back in (1, 2, 3):
            if len(lines) >= back:
                line = lines[-back]
                small, large = sorted((word.size, line[0].size))
                overlap = min(line[0].top, word.top) - max(line[0].bottom, word.bottom)
                is_script = small < 0.8 * large and overlap > _SAME_LINE * small
                if is_script or abs(line[0].height - word.height) < 0.4 * small:
                    line.append(word)
                    break
        else:
            lines.append([word])
    for line in lines:
        line.sort(key=lambda w: w.left)
    return lines


# --- tables between ruling lines ------------------------------------------------------------------


def find_page_tables(
    words: Sequence[Word], across: Sequence[Rule], down: Sequence[Rule]
) -> list[PageTable]:
    """Return the tables of a page, those with ruling lines first."""
    found: list[PageTable] = []
    taken: set[int] = set()
    for rows in (*_find_grids(words, across, down), *_find_between_rules(words, across, down)):
        _add(found, taken, rows)
    free = [w for w in words if not taken.intersection(w.indexes)]
    for rows in _find_aligned(free):
        _add(found, taken, rows)
    return found


def _add(found: list[PageTable], taken: set[int], rows: list[Cells]) -> None:
    table = _build_table(rows)
    if table is not None and not taken & table.indexes:
        taken |= table.indexes
        found.append(table)


def _find_grids(
    words: Sequence[Word], across: Sequence[Rule], down: Sequence[Rule]
) -> Iterable[list[Cells]]:
    """Yield the rows of tables whose cells are separated by lines in both directions."""
    groups: list[tuple[list[Rule], list[Rule]]] = []
    for rule in across:
        y, x1, x2 = rule
        crossed = [
            n
            for n, (_, verticals) in enumerate(groups)
            if any(_crosses(rule, vertical) for vertical in verticals)
        ]
        fresh = [
            v
            for v in down
            if x1 - _NEAR <= v[0] <= x2 + _NEAR and v[1] - _NEAR <= y <= v[2] + _NEAR
        ]
        if not fresh:
            continue
        horizontals, verticals = [rule], list(dict.fromkeys(fresh))
        for n in reversed(crossed):
            others, more = groups.pop(n)
            horizontals = others + horizontals
            verticals = list(dict.fromkeys(more + verticals))
        groups.append((horizontals, verticals))
    for horizontals, verticals in groups:
        ys = _merge_places([h[0] for h in horizontals])[::-1]
        left, right = min(h[1] for h in horizontals), max(h[2] for h in horizontals)
        xs = _merge_places([left, right, *(v[0] for v in verticals)])
        if 3 <= len(ys) <= MAX_ROWS and 3 <= len(xs) <= MAX_COLUMNS:
            yield _fill_grid(words, xs, ys, horizontals, verticals)
        elif len(ys) == 2 and 3 <= len(xs) <= MAX_COLUMNS:  # rows without lines between them
            inside = [w for w in words if ys[1] < w.height < ys[0] and xs[0] < w.middle < xs[-1]]
            yield [_split_at(line, xs[1:-1]) for line in group_lines(inside)]


def _crosses(horizontal: Rule, vertical: Rule) -> bool:
    y, x1, x2 = horizontal
    x, y1, y2 = vertical
    return x1 - _NEAR <= x <= x2 + _NEAR and y1 - _NEAR <= y <= y2 + _NEAR


def _merge_places(places: Iterable[float]) -> list[float]:
    merged: list[float] = []
    for place in sorted(places):
        if not merged or place - merged[-1] > 2 * _NEAR:
            merged.append(place)
    return merged


def _fill_grid(
    words: Sequence[Word],
    xs: list[float],
    ys: list[float],
    horizontals: Sequence[Rule],
    verticals: Sequence[Rule],
) -> list[Cells]:
    """Return the words of each cell; those of a cell over several stand in its first."""
    n_rows, n_columns = len(ys) - 1, len(xs) - 1
    middles_y = [(ys[r] + ys[r + 1]) / 2 for r in range(n_rows)]
    middles_x = [(xs[c] + xs[c + 1]) / 2 for c in range(n_columns)]
    grid: list[Cells] = [[[] for _ in range(n_columns)] for _ in range(n_rows)]
    down_at: dict[int, list[Rule]] = {}
    across_at: dict[int, list[Rule]] = {}
    for v in verticals:
        down_at.setdefault(_nearest(xs, v[0]), []).append(v)
    for h in horizontals:
        across_at.setdefault(_nearest(ys, h[0]), []).append(h)

    def has_left_line(row: int, column: int) -> bool:
        y = middles_y[row]
        return any(v[1] - _NEAR <= y <= v[2] + _NEAR for v in down_at.get(column, ()))

    def has_top_line(row: int, column: int) -> bool:
        x = middles_x[column]
        return any(h[1] - _NEAR <= x <= h[2] + _NEAR for h in across_at.get(row, ()))

    top_down = [-y for y in ys]
    for word in words:
        column = bisect.bisect_right(xs, word.middle) - 1
        row = bisect.bisect_right(top_down, -word.height) - 1
        if not (0 <= column < n_columns and 0 <= row < n_rows):
            continue
        while column > 0 and not has_left_line(row, column):
            column -= 1
        while row > 0 and not has_top_line(row, column):
            row -= 1
        grid[row][column].append(word)
    rows: list[Cells] = []
    for cells in grid:
        rows += _split_lines_of_row(cells)
    return rows


def _nearest(places: Sequence[float], place: float) -> int:
    return min(range(len(places)), key=lambda n: abs(places[n] - place))


def _split_lines_of_row(cells: Cells) -> list[Cells]:
    """Return several rows where no lines separate them: most columns have a word on each line."""
    filled = [column for column, cell in enumerate(cells) if cell]
    if len(filled) < 2:
        return [cells]
    lines = group_lines(word for cell in cells for word in cell)
    if len(lines) < 2:
        return [cells]
    place = {id(word): column for column, cell in enumerate(cells) for word in cell}
    in_line = [{place[id(word)] for word in line} for line in lines]
    least = 2 if len(filled) < 4 else (len(filled) + 1) // 2
    if sum(len(columns) >= least for columns in in_line) < max(2, 0.8 * len(lines)):
        return [cells]
    n_numbers = sum(is_number(w.text) for line in lines for w in line)
    if 4 * n_numbers < len(lines):  # paragraphs beside each other
        return [cells]
    rows: list[Cells] = []
    for line in lines:
        row: Cells = [[] for _ in cells]
        for word in line:
            row[place[id(word)]].append(word)
        rows.append(row)
    return rows


def _find_between_rules(
    words: Sequence[Word], across: Sequence[Rule], down: Sequence[Rule]
) -> Iterable[list[Cells]]:
    """Yield the rows of tables with lines above, below and below the header only."""
    groups: list[list[Rule]] = []
    for rule in sorted(across, reverse=True):
        if rule[2] - rule[1] < 3 * _MIN_RULE or any(_crosses(rule, v) for v in down):
            continue
        for group in groups:
            if abs(group[0][1] - rule[1]) <= 2 * _NEAR and abs(group[0][2] - rule[2]) <= 2 * _NEAR:
                group.append(rule)
                break
        else:
            groups.append([rule])
    n_left = MAX_TRIALS
    for group in groups:
        left, right = group[0][1] - 4, group[0][2] + 4
        inner = [w for w in words if left <= w.left and w.right <= right]
        # a table ends at a rule below which prose, or a gap, follows
        start = 0
        while start + 1 < len(group):
            best: list[Cells] = []
            stop = start + 1
            for end in range(start + 1, min(len(group), start + 40)):
                n_left -= 1
                if n_left < 0:
                    break
                top, bottom = group[start][0], group[end][0]
                band = [w for w in inner if bottom < w.height < group[end - 1][0]]
                if _is_prose(band) or (best and any(map(_is_caption, group_lines(band)))):
                    break
                inside = [w for w in inner if bottom < w.height < top]
                rows = _split_columns(_drop_captions(group_lines(inside)))
                if not rows or not _is_table(rows, _MIN_NUMBERS):
                    if best or end > start + 3:
                        break
                    continue
                best, stop = rows, end
            if best:
                yield best
            start = stop


# --- tables without lines -------------------------------------------------------------------------


def _find_aligned(words: Sequence[Word]) -> Iterable[list[Cells]]:
    """Yield the rows of tables without ruling lines: numbers below numbers."""
    if not words:
        return
    for part in _split_gutter(words):
        run: list[Line] = []
        for line in [*group_lines(part), []]:
            segments = _cut_segments(line)
            n_numbers = sum(is_number(_write(segment)) for segment in segments)
            is_near = not run or (
                bool(line) and run[-1][0].height - line[0].height < 3.2 * line[0].size
            )
            if len(segments) >= 3 and n_numbers >= 1 and is_near:
                run.append(line)
                continue
            if len(run) >= 3:
                rows = _split_columns(run)
                if rows and _is_table(rows, _MIN_ALIGNED_NUMBERS) and len(rows[0]) >= 3:
                    yield rows
            run = [line] if len(segments) >= 3 else []


def _split_gutter(words: Sequence[Word]) -> list[list[Word]]:
    """Return the words of each column of a page that is set in two columns."""
    left, right = min(w.left for w in words), max(w.right for w in words)
    middle, width = (left + right) / 2, right - left
    lines = group_lines(words)
    crossing = both = 0
    for line in lines:
        over = any(w.left < middle < w.right for w in line)
        near = [w for w in line if abs(w.middle - middle) < 0.4 * width]
        gap = min((w.left for w in line if w.left >= middle), default=right) - max(
            (w.right for w in line if w.right <= middle), default=left
        )
        crossing += over or (bool(near) and gap < line[0].size * 0.6)
        both += line[0].left < middle - 0.2 * width and line[-1].right > middle + 0.2 * width
    if both < 0.4 * len(lines) or crossing > 0.3 * len(lines) or len(lines) < 12:
        return [list(words)]
    return [[w for w in words if w.middle < middle], [w for w in words if w.middle >= middle]]


def _cut_segments(line: Line) -> list[Line]:
    segments: list[Line] = []
    for word in line:
        gap = word.left - segments[-1][-1].right if segments else 0.0
        if segments and gap < _WIDE_GAP * word.size * 0.75:
            segments[-1].append(word)
        else:
            segments.append([word])
    return segments


def _split_columns(lines: list[Line]) -> list[Cells]:
    """Return lines as rows of cells, cut at the gaps that nearly all lines share."""
    if len(lines) < 2 or len(lines) > MAX_ROWS:
        return []
    size = statistics.median(w.size for line in lines for w in line)
    edges: list[tuple[float, int]] = []
    for line in lines:
        for segment in _join_close(line, size):
            edges += [(segment[0], 1), (segment[1], -1)]
    edges.sort()
    allowed = 0 if len(lines) < 6 else len(lines) // 6  # headers over several columns
    cuts: list[float] = []
    depth, open_at = 0, None
    for x, step in edges:
        depth += step
        if step < 0 and depth <= allowed and open_at is None:
            open_at = x
        elif step > 0 and depth > allowed:
            if open_at is not None and x - open_at >= _MIN_GAP * size:
                cuts.append((x + open_at) / 2)
            open_at = None
    if not cuts or len(cuts) >= MAX_COLUMNS:
        return []
    return _join_continued([_split_at(line, cuts) for line in lines])


def _join_close(line: Line, size: float) -> list[tuple[float, float]]:
    """Return the ranges of a line that no column can cut: words with an ordinary blank between."""
    ranges: list[tuple[float, float]] = []
    for word in line:
        if ranges and word.left - ranges[-1][1] < _MIN_GAP * size:
            ranges[-1] = (ranges[-1][0], max(ranges[-1][1], word.right))
        else:
            ranges.append((word.left, word.right))
    return ranges


def _is_prose(words: Sequence[Word]) -> bool:
    """Return whether the words between two rules are mostly lines of prose."""
    lines = group_lines(words)
    long = 0
    for line in lines:
        segments = _cut_segments(line)
        n_words = [_count_words(_write(segment)) for segment in segments]
        n_numbers = sum(is_number(_write(segment)) for segment in segments)
        long += len(segments) <= 2 and not n_numbers and max(n_words) > _MAX_PROSE
    return len(lines) > 2 and long > 0.4 * len(lines)


def _drop_captions(lines: list[Line]) -> list[Line]:
    """Return the lines of a table without those of its caption above and of notes below it."""

    first, last = 0, len(lines)
    while first < last and _is_caption(lines[first]):
        first += 1
    while last > first and _is_caption(lines[last - 1]):
        last -= 1
    return lines[first:last]


def _is_caption(line: Line) -> bool:
    text = _write(line)
    one = len(_cut_segments(line)) == 1
    return one and (bool(_CAPTION.match(text)) or _count_words(text) > 2 * _MAX_PROSE)


def _split_at(line: Line, cuts: Sequence[float]) -> Cells:
    """Return the words of a line by column; words over several columns are in the first."""
    cells: Cells = [[] for _ in range(len(cuts) + 1)]
    segments: list[Line] = []
    for word in line:
        if segments and word.left - segments[-1][-1].right < _MIN_GAP * word.size:
            segments[-1].append(word)
        else:
            segments.append([word])
    for segment in segments:
        column = bisect.bisect_right(cuts, _find_anchor(segment[0]))
        cells[column].append(segment[0])
        for before, word in itertools.pairwise(segment):
            own = bisect.bisect_right(cuts, before.right)
            is_cut = own < len(cuts) and before.right <= cuts[own] <= word.left
            is_wide = word.left - before.right > 0.75 * _MIN_GAP * word.size
            if is_cut and is_wide:
                column = own + 1
            elif is_number(word.text) and is_number(before.text):
                column = max(column, bisect.bisect_right(cuts, word.middle))
            cells[column].append(word)
    return cells


def _find_anchor(word: Word) -> float:
    """Return the place of a word that says in which column it is."""
    return word.middle if word.text[-1:].isdigit() or is_number(word.text) else word.left


def _join_continued(rows: list[Cells]) -> list[Cells]:
    """Join a line that only continues the cells above it to the row above."""
    joined: list[Cells] = []
    for cells in rows:
        texts = [_write(cell) for cell in cells]
        filled = [n for n, text in enumerate(texts) if text]
        continues = (
            joined
            and not texts[0]
            and filled
            and not any(is_number(text) for text in texts)
            and all(joined[-1][n] and not is_number(_write(joined[-1][n])) for n in filled)
        )
        if continues:
            for n in filled:
                joined[-1][n] = joined[-1][n] + cells[n]
        else:
            joined.append(cells)
    return joined


# --- what is a table ------------------------------------------------------------------------------


def _is_table(rows: list[Cells], least_numbers: float) -> bool:
    """Return whether rows have several cells that are short or numbers: no prose in columns."""
    filled = [[_write(cell) for cell in cells] for cells in rows]
    several = [cells for cells in filled if sum(map(bool, cells)) > 1]
    if len(several) < 2 or len(several) < 0.5 * len(filled):
        return False
    others = [cell for cells in several for cell in cells[1:] if cell]
    most = _MAX_PROSE if least_numbers >= _MIN_ALIGNED_NUMBERS else 1.8 * _MAX_PROSE
    for column in zip(*filled, strict=True):
        words = [_count_words(cell) for cell in column if cell]
        if len(words) >= 3 and len(rows) >= 8 and statistics.median(words) > most:
            return False
    numbers = sum(is_number(cell) for cell in others)
    n_words = statistics.mean(_count_words(cell) for cells in several for cell in cells if cell)
    if numbers >= least_numbers * len(others):
        return n_words < 2 * _MAX_PROSE
    return least_numbers < _MIN_ALIGNED_NUMBERS and n_words < _MAX_PROSE and len(several) >= 3


def _count_words(cell: str) -> float:
    return len(cell.split()) + len(_CJK.findall(cell)) / 3


def _build_table(rows: list[Cells]) -> PageTable | None:
    """Return the table without empty rows and columns, None if it is none."""
    rows = [cells for cells in rows if any(cells)]
    for end in (0, -1):
        while rows and _is_note(rows[end]):
            del rows[end]
    columns = [n for n in range(len(rows[0])) if any(cells[n] for cells in rows)] if rows else []
    texts = [tuple(_write(cells[n]) for n in columns) for cells in rows]
    n_several = sum(sum(map(bool, cells)) > 1 for cells in texts)
    if len(rows) < 2 or len(columns) < 2 or n_several < 2 or n_several < 0.4 * len(rows):
        return None
    if sum(bool(cell) for cells in texts for cell in cells) < _FILLED * len(rows) * len(columns):
        return None
    longest = statistics.mean(_count_words(cell) for cells in texts for cell in cells if cell)
    if longest > 12 * _MAX_PROSE:
        return None
    indexes = frozenset(i for cells in rows for cell in cells for w in cell for i in w.indexes)
    return PageTable(tuple(texts), indexes)


def _is_note(cells: Cells) -> bool:
    """Return whether the first or last row is a caption or note over the whole table."""
    filled = [_write(cell) for cell in cells if cell]
    if len(filled) != 1:
        return False
    return bool(_NOTE.match(filled[0])) or _count_words(filled[0]) > 2 * _MAX_PROSE


def _write(cell: Sequence[Word]) -> str:
    """Return the text of a cell, its lines from top to bottom."""
    if len(cell) == 1:
        return cell[0].text
    parts: list[str] = []
    for line in group_lines(cell):
        before: Word | None = None
        for word in line:
            if parts:
                is_wide = _CJK.match(parts[-1][-1:]) and _CJK.match(word.text)
                glued = before is not None and (
                    not before.space_after and word.left - before.right < 0.15 * word.size
                )
                if not is_wide and not glued:
                    parts.append(" ")
            parts.append(word.text)
            before = word
    return "".join(parts)


def write_rows(table: PageTable) -> list[str]:
    """Return the rows as marked lines of text, with the separator between cells."""
    lines = []
    for number, cells in enumerate(table.rows):
        mark = TABLE_ROW if number else TABLE_START
        texts = [" ".join(cell.replace("|", "/").split()) for cell in cells]
        lines.append(mark + CELL_SEPARATOR.join(texts))
    return lines
