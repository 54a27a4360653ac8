"""Lays out blocks of text as lines on a baseline grid, and rows of tables as cells in columns.

Owns fonts, column width, indents and spacing of flowing text, and a cache of layouts. Knows no
scrolling and paints nothing; heights of blocks without a layout are estimates.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import OrderedDict
from dataclasses import dataclass
from typing import cast

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from desktop_app.engine.text_tables import (
    Table,
    find_labels,
    is_number,
    match_labels,
    split_cells,
)

from .blocks import (
    AT_RIGHT,
    CENTRED,
    CONTINUED,
    ENTRY,
    HEADING,
    PARAGRAPH,
    ROW,
    VERSE,
    Blocks,
    display_text,
)

LEADING = 1.6
CHARS_LATIN, CHARS_CJK = 66, 38
_HEADING_SCALE = {1: 1.5, 2: 1.25, 3: 1.1}
_SAMPLE = "the quick brown fox jumps over the lazy dog, and thence to the river again "  # not shown
# "_words_", "*words*" and "**words**", not "5*3*2" and the asterisks of footnotes
_EMPHASIS = re.compile(r"(?<![\w*\\])(_|\*\*|\*)(?=[^\s*_])((?:(?!\1).){1,600}?)(?<=\S)\1(?![\w*])")
_ITEM = re.compile(r"(?:[•‣◦▪·-]|\d{1,3}[.)])[ \t]+(?=\S)")
_MAX_LAYOUTS = 500
_MEASURED_ROWS = 120  # of a table, which say how wide its columns are
_MAX_COLUMNS = 40
_CELL_GAP = 1.1  # of the type size, between two columns
_MIN_CELL = 3.2  # of the type size, which a column that is cut has at least
_ROW_GAP = 0.3  # of the type size, above and below a row
_CELL_SCALE = 0.92  # of the type size, in tables
_ENTRY_STEP, _MAX_STEPS = 1.2, 4  # of the type size, by which entries of contents are indented
CELL_END = "\u2028"


@dataclass(slots=True)
class BlockLayout:
    """The layout of one block: y of each line from the block's top; `height` includes spacing."""

    start: int
    end: int
    layout: QTextLayout
    tops: list[float]
    leading: float
    height: float
    wide: list[int]  # positions of characters that take two UTF-16 units in Qt
    columns: list[int] | None = None  # of each line of a row of cells
    rule: QRectF | None = None  # the line below a table's header

    def to_qt(self, offset: int) -> int:
        """Return Qt's text position for an offset of the document, clamped to the block."""
        position = min(max(offset, self.start), self.end) - self.start
        if self.wide:
            position += sum(1 for place in self.wide if place < position)
        return position

    def to_offset(self, qt_position: int) -> int:
        position = qt_position
        for place in self.wide:
            if place < position:
                position -= 1
        return min(self.start + position, self.end)

    def line_at(self, y: float, x: float = 0.0) -> QTextLine:
        """Return the line at a place, in a row of cells that of the cell."""
        if self.columns and (inside := self._lines_at(x)):
            above = [i for i in inside if self.tops[i] <= y]
            return self.layout.lineAt(above[-1] if above else inside[0])
        index = int(np.searchsorted(self.tops, y, side="right")) - 1
        return self.layout.lineAt(min(max(index, 0), self.layout.lineCount() - 1))

    def _lines_at(self, x: float) -> list[int]:
        """Return the numbers of the lines of the cell at a place."""
        columns = self.columns or []
        lefts = {c: self.layout.lineAt(i).x() for i, c in reversed([*enumerate(columns)])}
        best = max((c for c in lefts if lefts[c] <= x), key=lambda c: lefts[c], default=columns[0])
        return [i for i, c in enumerate(columns) if c == best]

    def rects(self, start: int, end: int) -> list[QRectF]:
        """Return the rectangles of a range, one per line, relative to the block's top."""
        low, high = self.to_qt(start), self.to_qt(end)
        found = []
        for i in range(self.layout.lineCount()):
            line = self.layout.lineAt(i)
            first, last = line.textStart(), line.textStart() + line.textLength()
            if last <= low or first >= high:
                continue
            left = cursor_x(line, max(low, first))
            if high < last:
                right = cursor_x(line, high)
            else:
                right = line.position().x() + line.naturalTextRect().width()
                right = max(right, line.naturalTextRect().right())
            if right > left:
                found.append(QRectF(left, self.tops[i], right - left, self.leading))
        return found


@dataclass(frozen=True, slots=True)
class CellColumn:
    """A column of a table: its place beside the left edge of the text, and its width."""

    left: float
    width: float
    is_right: bool = False  # numbers are aligned at the right


def cursor_x(line: QTextLine, position: int) -> float:
    """Return the x of a text position in a line (Qt returns x and the position).

    Qt gives 0 for places left of the layout, where the first columns of a wide table are.
    """
    place = line.position()
    if place.x() < 0:
        line.setPosition(QPointF(0.0, place.y()))
    x, _ = cast(tuple[float, int], line.cursorToX(position))
    if place.x() < 0:
        line.setPosition(place)
        x += place.x()
    return x


class Typesetter:
    """Lays out blocks on demand and caches the most recent layouts."""

    def __init__(self) -> None:
        self.text = ""
        none = np.zeros(0, dtype=np.int64)
        self.blocks = Blocks(none, none, none, none, none)
        self.heights = np.zeros(0)
        self.tops = np.zeros(1)
        self.column = 600.0
        self._cache: OrderedDict[int, BlockLayout] = OrderedDict()
        self._columns: dict[int, list[CellColumn]] = {}  # by the start of a table
        self._room = 600.0
        self._families: list[str] = []
        self._px = 17.0
        self._narrow = False
        self.font = QFont()

    def set_text(self, text: str, blocks: Blocks) -> None:
        self.text, self.blocks = text, blocks
        self._cache.clear()
        self._columns.clear()
        self._estimate()

    def configure(
        self, font: QFont, room: float, zoom: float = 1.0, line_length: float = 1.0
    ) -> None:
        """Set font and column width.

        Args:
            room: the width available for the column.
            line_length: the longest line as a share of the usual one; 0 for no limit.
        """
        self._families = font.families()
        self._px = max(8.0, round(font.pixelSize() * zoom))
        self.font = self._font(self._px)
        metrics = QFontMetricsF(self.font)
        if self.blocks.cjk:
            em = metrics.horizontalAdvance("永")
            most = round(CHARS_CJK * line_length) if line_length else int(room / em)
            measure = max(6, min(most, int(room / em))) * em + 1
        else:
            usual = CHARS_LATIN * metrics.horizontalAdvance(_SAMPLE) / len(_SAMPLE)
            measure = usual * line_length if line_length else room
        self._narrow = room < measure * 0.8
        self._room = room
        self._columns.clear()
        self.column = max(120.0, min(measure, room))
        self._cache.clear()
        self._estimate()

    @property
    def leading(self) -> float:
        return float(round(self._px * LEADING))

    @property
    def total(self) -> float:
        return float(self.tops[-1])

    def block(self, i: int) -> BlockLayout:
        """Return the layout of a block, from the cache if it is there."""
        known = self._cache.get(i)
        if known is not None:
            self._cache.move_to_end(i)
            return known
        made = self._lay_out(i)
        self._cache[i] = made
        if len(self._cache) > _MAX_LAYOUTS:
            self._cache.popitem(last=False)
        if abs(made.height - self.heights[i]) > 0.01:
            self.heights[i] = made.height
            np.cumsum(self.heights, out=self.tops[1:])
        return made

    def _font(self, px: float, *, bold: bool = False) -> QFont:
        font = QFont()
        font.setFamilies(self._families)
        font.setPixelSize(round(px))
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def _estimate(self) -> None:
        count = len(self.blocks)
        self.tops = np.zeros(count + 1)
        if not count or not self._families:
            self.heights = np.full(count, self.leading)
        else:
            middle = len(self.text) // 2
            sample = re.sub(r"\s+", " ", self.text[middle : middle + 600]) or "n"
            advance = QFontMetricsF(self.font).horizontalAdvance(sample) / len(sample)
            lengths = (self.blocks.ends - self.blocks.starts) * advance
            n_lines = np.ceil((lengths + self._px) / self.column)
            verse = np.isin(self.blocks.kinds, (VERSE, CENTRED))
            n_lines = np.where(verse, np.maximum(n_lines, self.blocks.n_lines), n_lines)
            self.heights = n_lines * self.leading + self._gap()
            heads = self.blocks.kinds == HEADING
            self.heights[heads] = self.leading * 3.5
            cells = self.blocks.kinds == ROW
            self.heights[cells] = self._cell_leading + round(2 * _ROW_GAP * self._px)
        np.cumsum(self.heights, out=self.tops[1:])

    @property
    def _cell_leading(self) -> float:
        return float(round(self._px * _CELL_SCALE * 1.4))

    def _gap(self) -> float:
        return round(self._px * (0.5 if self.blocks.cjk else 0.35))

    def _lay_out(self, i: int) -> BlockLayout:
        blocks = self.blocks
        start, end, kind = int(blocks.starts[i]), int(blocks.ends[i]), int(blocks.kinds[i])
        if kind == ROW:
            return self._lay_out_row(i)
        shown = display_text(self.text, start, end, kind)
        wide = [] if _is_bmp(shown) else [n for n, char in enumerate(shown) if char > "\uffff"]
        heading = kind == HEADING
        level = int(blocks.levels[i])
        px = self._px * (_HEADING_SCALE.get(level, 1.0) if heading else 1.0)
        font = self._font(px, bold=True) if heading else self.font
        leading = float(round(px * (1.35 if heading else LEADING)))
        layout = QTextLayout(shown, font)
        layout.setCacheEnabled(True)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        if blocks.cjk and kind in (PARAGRAPH, CONTINUED):
            option.setAlignment(Qt.AlignmentFlag.AlignJustify)
        elif kind == CENTRED:
            option.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        elif kind == ENTRY and level == AT_RIGHT:
            option.setAlignment(Qt.AlignmentFlag.AlignRight)
        elif kind == ENTRY:
            right = self.column - self._indent(i, kind)
            option.setTabs([QTextOption.Tab(right, QTextOption.TabType.RightTab)])
        layout.setTextOption(option)
        if "_" in shown or "*" in shown:
            layout.setFormats(_format_emphasis(shown, wide))
        indent, item_indent = self._indent(i, kind), 0.0
        item = _ITEM.match(shown) if kind == PARAGRAPH else None
        if item:  # the lines of a list item are aligned with its first word
            indent = round(self._px * 0.7)
            item_indent = indent + QFontMetricsF(font).horizontalAdvance(item.group())
        above, below = self._spacing(i, kind, level)
        ascent = QFontMetricsF(font).ascent()
        descent = QFontMetricsF(font).descent()
        baseline = (leading - ascent - descent) / 2 + ascent
        tops: list[float] = []
        y = float(above)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            inset = indent if kind in (VERSE, ENTRY) or not tops else item_indent
            line.setLineWidth(self.column - inset)
            # keep the baseline grid, also where a fallback font is taller
            line.setPosition(QPointF(inset, y + baseline - line.ascent()))
            tops.append(y)
            y += leading
        layout.endLayout()
        return BlockLayout(start, end, layout, tops or [y], leading, y + below, wide)

    def _lay_out_row(self, i: int) -> BlockLayout:
        """Return the layout of a row of a table: the lines of each cell in its column."""
        start, end = int(self.blocks.starts[i]), int(self.blocks.ends[i])
        table = self.blocks.table_of(i)
        is_header = bool(self.blocks.levels[i])
        shown = display_text(self.text, start, end, ROW)
        own: list[int] = []  # the column of each cell where rows repeat the labels of the header
        labels = find_labels(self.text, table) if table is not None and not is_header else []
        if labels:
            own, shown = self._hide_labels((start, end), shown, labels)
        wide = [] if _is_bmp(shown) else [n for n, char in enumerate(shown) if char > "\uffff"]
        font = self._font(self._px * _CELL_SCALE, bold=is_header)
        columns = self._measure_columns(table) if table is not None else []
        layout = QTextLayout(shown, font)
        layout.setCacheEnabled(True)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        if "_" in shown or "*" in shown:
            layout.setFormats(_format_emphasis(shown, wide))
        metrics = QFontMetricsF(font)
        leading = self._cell_leading
        baseline = (leading - metrics.ascent() - metrics.descent()) / 2 + metrics.ascent()
        is_first = table is None or start <= table.start
        is_last = table is None or end >= table.end
        pad = round(self._px * _ROW_GAP)
        above = pad + (round(self._px * 0.5) if is_first else 0)
        units = shown.encode("utf-16-le")
        bottoms = [float(above)] * max(1, len(columns))
        tops: list[float] = []
        numbers: list[int] = []
        cell = 0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            at = min(own[cell] if cell < len(own) else cell, len(columns) - 1)
            column = columns[at] if columns else CellColumn(0.0, self.column)
            # the name of a section
            spans = CELL_END not in shown and not own and len(columns) > 1
            width = columns[-1].left + columns[-1].width - column.left if spans else column.width
            line.setLineWidth(width)
            left = column.left
            if column.is_right and not spans:
                left += max(0.0, column.width - line.naturalTextWidth())
            y = bottoms[at]
            line.setPosition(QPointF(left, y + baseline - line.ascent()))
            tops.append(y)
            numbers.append(at)
            bottoms[at] = y + leading
            last = line.textStart() + line.textLength()
            # an empty cell has a line of its own, which ends with the mark as well
            cell += units[2 * last - 2 : 2 * last].decode("utf-16-le", "ignore") == CELL_END
        layout.endLayout()
        bottom = max(bottoms)
        rule = None
        if is_header and table is not None and columns and self._ends_header(i):
            right = columns[-1].left + columns[-1].width
            rule = QRectF(columns[0].left, bottom + pad - 1, right - columns[0].left, 1)
        height = bottom + pad + (self._gap() + round(self._px * 0.5) if is_last else 0)
        return BlockLayout(
            start, end, layout, tops or [float(above)], leading, height, wide, numbers, rule
        )

    def _hide_labels(
        self, row: tuple[int, int], shown: str, labels: list[str]
    ) -> tuple[list[int], str]:
        """Return the column of each cell of a row, and the row without the labels before values."""
        found = match_labels(self.text, row, labels)
        starts = [start - row[0] for start, _ in split_cells(self.text, *row)]
        for start, (_, length) in zip(starts, found, strict=True):
            shown = shown[:start] + "\u200b" * length + shown[start + length :]
        return [column for column, _ in found], shown

    def _ends_header(self, i: int) -> bool:
        return i + 1 < len(self.blocks) and not self.blocks.levels[i + 1]

    def _measure_columns(self, table: Table) -> list[CellColumn]:
        """Return the columns of a table: as wide as their cells, or as there is room.

        A table that is wider than the text uses the empty space on both sides of it.
        """
        known = self._columns.get(table.start)
        if known is not None:
            return known
        font, bold = (self._font(self._px * _CELL_SCALE, bold=is_bold) for is_bold in (False, True))
        natural: list[float] = []
        words: list[float] = []  # the longest word of each column
        n_numbers: list[int] = []
        n_filled: list[int] = []
        step = max(1, len(table.rows) // _MEASURED_ROWS)
        labels = find_labels(self.text, table)
        for number in (*range(table.n_header), *range(table.n_header, len(table.rows), step)):
            start, end = table.rows[number]
            shown = display_text(self.text, start, end, ROW)
            cells = shown.split(CELL_END)
            if labels and number >= table.n_header:
                own, shown = self._hide_labels((start, end), shown, labels)
                values = dict(zip(own, shown.split(CELL_END), strict=True))
                cells = [values.get(n, "") for n in range(len(labels))]
            if len(cells) < 2:
                continue
            metrics = QFontMetricsF(bold if number < table.n_header else font)
            for n, cell in enumerate(cells[:_MAX_COLUMNS]):
                if n == len(natural):
                    natural.append(0.0)
                    words.append(0.0)
                    n_numbers.append(0)
                    n_filled.append(0)
                cell = cell.strip("\u200b")
                width = metrics.horizontalAdvance(cell[:200]) + 2.0
                natural[n] = max(natural[n], width)
                word = max(cell.split(), key=len, default="")[:40]
                if not self.blocks.cjk:
                    words[n] = max(words[n], metrics.horizontalAdvance(word) + 2.0)
                if cell and number >= table.n_header:
                    n_filled[n] += 1
                    n_numbers[n] += is_number(cell)
        gap = round(self._px * _CELL_GAP)
        widths = self._share_width(natural, words, gap)
        total = sum(widths) + gap * max(0, len(widths) - 1)
        left = min(0.0, (self.column - total) / 2)
        columns: list[CellColumn] = []
        for n, width in enumerate(widths):
            is_right = n > 0 and 2 * n_numbers[n] > n_filled[n] > 0
            columns.append(CellColumn(float(round(left)), width, is_right))
            left += width + gap
        self._columns[table.start] = columns
        return columns

    def _share_width(self, natural: list[float], words: list[float], gap: float) -> list[float]:
        """Return the widths of columns; where there is not enough room, wide ones are cut most.

        Args:
            words: the width of the longest word of each column, which is not cut if possible.
        """
        gaps = gap * max(0, len(natural) - 1)
        room = max(self.column, self._room) - gaps
        if sum(natural) <= room:
            return natural
        least = words if sum(words) <= room else [0.0] * len(words)
        room = max(room, _MIN_CELL * self._px * len(natural))

        def limit_to(most: float) -> list[float]:
            pairs = zip(natural, least, strict=True)
            return [min(width, max(most, word)) for width, word in pairs]

        low, high = 0.0, max(natural)
        for _ in range(40):  # the limit at which all columns fit
            limit = (low + high) / 2
            if sum(limit_to(limit)) > room:
                high = limit
            else:
                low = limit
        return limit_to(low)

    def _indent(self, i: int, kind: int) -> float:
        if kind == VERSE:
            return self._px * (1.0 if self._narrow else 2.0)
        if kind == ENTRY:
            return self._px * _ENTRY_STEP * max(0, min(int(self.blocks.levels[i]), _MAX_STEPS))
        if kind != PARAGRAPH:
            return 0.0
        if self.blocks.cjk:
            return QFontMetricsF(self.font).horizontalAdvance("永") * 2
        opening = i == 0 or self.blocks.kinds[i - 1] == HEADING
        return 0.0 if opening or self._is_line(i) else round(self._px * 1.4)

    def _is_line(self, i: int) -> bool:
        """Return whether a paragraph is one line of a poem or list, without a sentence end."""
        return self._is_short(i) and (self._is_open(i) or (i > 0 and self._is_open(i - 1)))

    def _is_short(self, i: int) -> bool:
        return int(self.blocks.ends[i] - self.blocks.starts[i]) < CHARS_LATIN

    def _is_open(self, i: int) -> bool:
        end = self.text[int(self.blocks.ends[i]) - 3 : int(self.blocks.ends[i])]
        return self._is_short(i) and not re.search("[.!?:…”\"’'—-]\\s*$", end)

    def _spacing(self, i: int, kind: int, level: int) -> tuple[float, float]:
        """Return the spacing above and below a block."""
        if kind == HEADING:
            after_heading = i > 0 and self.blocks.kinds[i - 1] == HEADING
            above = 0.4 if after_heading else (2.0 if level <= 1 else 1.2)
            # the number of a chapter is close to its title
            below = 0.2 if i + 1 < len(self.blocks) and self.blocks.kinds[i + 1] == HEADING else 0.8
            return (0.0 if i == 0 else round(self._px * above * 1.2), round(self._px * below))
        last = i + 1 >= len(self.blocks)
        is_continued = not last and self.blocks.kinds[i + 1] == CONTINUED
        if kind == VERSE:
            return (round(self._px * 0.4), round(self._px * 0.6))
        if kind == ENTRY:
            return (0.0, 0.0 if not last and self.blocks.kinds[i + 1] == ENTRY else self._px)
        # Latin books separate paragraphs by an indent or a gap, Chinese readers by both
        is_indented = not last and not self.blocks.cjk and self._indent(i + 1, PARAGRAPH) > 0
        is_prose = not last and self.blocks.kinds[i + 1] == PARAGRAPH and is_indented
        return (0.0, 0.0 if is_continued or is_prose else self._gap())


def _is_bmp(text: str) -> bool:
    return text.isascii() or max(text) <= "\uffff"


def _format_emphasis(shown: str, wide: list[int]) -> list[QTextLayout.FormatRange]:
    """Return formats for words between signs of emphasis; the signs are hidden, not removed.

    So offsets of the text that is displayed are those that are stored.

    Args:
        wide: positions of characters that take two UTF-16 units in Qt.
    """

    def add(start: int, end: int, look: QTextCharFormat) -> None:
        part = QTextLayout.FormatRange()
        part.start = start + bisect_left(wide, start)
        part.length = end + bisect_left(wide, end) - part.start
        part.format = look
        ranges.append(part)

    ranges: list[QTextLayout.FormatRange] = []
    hidden = QTextCharFormat()
    hidden.setForeground(Qt.GlobalColor.transparent)
    hidden.setFontStretch(1)
    for found in _EMPHASIS.finditer(shown):
        look = QTextCharFormat()
        if found.group(1) == "**":
            look.setFontWeight(QFont.Weight.Bold)
        else:
            look.setFontItalic(True)
        add(*found.span(1), hidden)
        add(*found.span(2), look)
        add(found.end(2), found.end(), hidden)
    return ranges
