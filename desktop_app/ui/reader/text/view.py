"""The view of flowing text: lays out only the blocks in the window, also in very long books.

Owns scrolling, by block and pixels within it, so that estimated heights never make the text jump,
and painting. `typesetting` makes the lines, `selection` handles selecting.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent, QTextLine
from PySide6.QtWidgets import QWidget

from ...theme.theme import Theme
from ...translation import tr
from ...widgets.highlight_colors import find_line_colors, highlight_color
from ..caret import Caret
from ..look import (
    CHOSEN_EDGE,
    CHOSEN_INK,
    NOTE_GAP,
    NOTE_SIGN,
    mixed,
    paint_name_line,
    paint_note_line,
    paint_note_sign,
    paint_ribbon,
)
from ..ranges import Name, Range, is_in_reference_mark
from ..view import DocumentView, Selection
from .blocks import Blocks, build_blocks, join_paragraphs
from .typesetting import BlockLayout, Typesetter, cursor_x

MAX_BLOCK_DISTANCE = 40  # blocks; farther ones are not measured


class TextCaretGeometry:
    """Positions of offsets in a `TextView`; implements `CaretGeometry`."""

    def __init__(self, view: TextView) -> None:
        self._view = view

    def box(self, offset: int) -> QRectF | None:
        view = self._view
        if not len(view.typesetter.blocks):
            return None
        at = view.typesetter.blocks.at(offset)
        top = view.top_of(at) if abs(at - view.top_block) <= MAX_BLOCK_DISTANCE else None
        if top is None:
            return None
        block = view.typesetter.block(at)
        line = _line_of(block, offset)
        x = view.column_left + cursor_x(line, block.to_qt(offset))
        y = top + block.tops[line.lineNumber()]
        trim = block.leading * 0.09
        return QRectF(x, y + trim, 0.0, block.leading - 2 * trim)

    def offset_in_next_line(self, offset: int, x: float, by: int) -> int | None:
        blocks, typesetter = self._view.typesetter.blocks, self._view.typesetter
        at = blocks.at(offset)
        block = typesetter.block(at)
        number = _line_of(block, offset).lineNumber() + by
        if not 0 <= number < block.layout.lineCount():
            at += by
            if not 0 <= at < len(blocks):
                return None
            block = typesetter.block(at)
            number = 0 if by > 0 else block.layout.lineCount() - 1
        line = block.layout.lineAt(number)
        position = line.xToCursor(x - self._view.column_left)
        # the end of a wrapped line is the start of the next one
        last = line.textStart() + line.textLength()
        if number + 1 < block.layout.lineCount() and position >= last:
            position = max(line.textStart(), last - 1)
        return block.to_offset(position)

    def line_of(self, offset: int) -> Range | None:
        block = self._view.typesetter.block(self._view.typesetter.blocks.at(offset))
        line = _line_of(block, offset)
        start = block.to_offset(line.textStart())
        end = block.to_offset(line.textStart() + line.textLength())
        return start, start + len(self._view.text[start:end].rstrip())

    def scroll_to(self, offset: int) -> None:
        self._view.show_range(offset, offset + 1)


def _line_of(block: BlockLayout, offset: int) -> QTextLine:
    line = block.layout.lineForTextPosition(block.to_qt(offset))
    return line if line.isValid() else block.layout.lineAt(block.layout.lineCount() - 1)


def paint_block(painter: QPainter, view: DocumentView, block: BlockLayout, origin: QPointF) -> None:
    """Draw a block with its passage, hits, highlights, selection and names."""
    _paint_backgrounds(painter, view, block, origin)
    painter.setPen(view.look.color("text"))
    block.layout.draw(painter, origin)
    if block.rule is not None:
        painter.fillRect(block.rule.translated(origin), view.look.color("line"))
    _paint_names(painter, view, block, origin)
    for mark in view.bookmarks_in(block.start, block.end):
        rects = block.rects(mark.start, mark.start + 1)
        y = origin.y() + (rects[0].top() if rects else 0.0)
        place = QRectF(origin.x() - 22, y + 3, 10, block.leading - 8)
        paint_ribbon(painter, place, view.look.color("accent"))
    for mark in view.highlights_in(block.start, block.end):
        if not view.has_note(mark) or mark.start < block.start:
            continue
        if rects := block.rects(mark.start, mark.end):
            middle = origin + QPointF(-NOTE_GAP - NOTE_SIGN / 2, rects[0].center().y())
            ink = highlight_color(view.theme, mark.color, strong=True, paper=view.look.paper)
            paint_note_sign(painter, middle, ink, view.look.color("surface"))


def _paint_backgrounds(
    painter: QPainter, view: DocumentView, block: BlockLayout, origin: QPointF
) -> None:
    trim = block.leading * 0.09

    def fill(start: int, end: int, color: QColor, trim: float = trim) -> None:
        _fill(painter, block, origin, start, end, color, trim)

    for mark in view.highlights_in(block.start, block.end):
        if mark.style == "fill":
            fill(
                mark.start, mark.end, highlight_color(view.theme, mark.color, paper=view.look.paper)
            )
        else:
            ink, rim = find_line_colors(view.look.paper or view.theme.tokens, mark.color)
            for rect in block.rects(max(mark.start, block.start), min(mark.end, block.end)):
                line = rect.translated(origin)
                foot = line.bottom() - trim
                paint_note_line(painter, line.left(), line.right(), foot, ink, rim)
        if mark.id == view.chosen_mark:
            ink = highlight_color(view.theme, mark.color, strong=True, paper=view.look.paper)
            edge = mixed(ink, view.look.color("text"), CHOSEN_INK)
            painter.setPen(QPen(edge, CHOSEN_EDGE))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for rect in block.rects(max(mark.start, block.start), min(mark.end, block.end)):
                painter.drawRect(rect.translated(origin).adjusted(-1, trim, 1, -trim))
    if view.followed:
        ink = view.look.type_color(view.followed_kind)
        soft = mixed(view.look.color("surface"), ink, 0.28)
        for start, end in view.followed_in(block.start, block.end):
            fill(start, end, soft)
    if view.passage:  # over the other places of a highlighted name
        fill(*view.passage, view.look.mark(view.pulse.value))
    for number, start, end in view.hits_in(block.start, block.end):
        current = number == view.current_hit
        fill(start, end, view.look.current_hit() if current else view.look.hit())
    chosen = view.selection.range
    if chosen:
        fill(*chosen, view.look.selection(), 0.0)


def _fill(
    painter: QPainter,
    block: BlockLayout,
    origin: QPointF,
    start: int,
    end: int,
    color: QColor,
    trim: float,
) -> None:
    if start >= block.end or end <= block.start:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    for rect in block.rects(start, end):
        place = rect.translated(origin).adjusted(-1 if trim else 0, trim, 1 if trim else 0, -trim)
        if trim:
            painter.drawRoundedRect(place, 2, 2)
        else:
            painter.drawRect(place)


def _paint_names(
    painter: QPainter, view: DocumentView, block: BlockLayout, origin: QPointF
) -> None:
    for name in view.names_in(block.start, block.end):
        is_pointed = name[2] == view.pointed_entity
        if not is_pointed and (
            name[4] in view.hidden_kinds or is_in_reference_mark(view.text, name)
        ):
            continue
        start, end, _, _, kind = name
        tokens, ratio = view.look.paper or view.theme.tokens, view.devicePixelRatioF()
        for rect in block.rects(start, end):
            place: QRectF = rect.translated(origin)
            y = place.bottom() - block.leading * 0.12
            left, right = place.left() + 1, place.right() - 1
            paint_name_line(painter, left, right, y, tokens, kind, ratio, strong=is_pointed)


MARGIN_WIDE, MARGIN_NARROW = 48, 20
HEAD_SPACE, FOOT_SPACE = 40, 160


class TextView(DocumentView):
    """Shows a text as a typeset book and scrolls to any range of it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.typesetter = Typesetter()
        self._block = 0  # the block at the top of the window
        self._inside = 0.0  # pixels of that block above the window's top; may be negative
        # the offset at the top, and block and inside while the margin above it is empty
        self._margin = (0, 0, 0.0)
        self._line_length = 1.0
        self._syncing = False
        self.selection = Selection(self)
        self.caret = Caret(self, TextCaretGeometry(self))
        self.verticalScrollBar().valueChanged.connect(self._bar_moved)
        self.setAccessibleName(tr("Text of the document"))

    # --- what is shown ----------------------------------------------------------------------

    def set_document(self, text: str, blocks: Blocks) -> None:
        self.forget_ranges()
        self.selection.clear()
        self.typesetter.set_text(text, blocks)
        self._block, self._inside = 0, -float(HEAD_SPACE)
        self._margin = (0, 0, 0.0)
        self._configure()

    def clear(self) -> None:
        """Show nothing, and keep nothing of the text."""
        self.set_document("", build_blocks(""))

    @property
    def text(self) -> str:
        return self.typesetter.text

    def show_range(self, start: int, end: int) -> None:
        if not len(self.typesetter.blocks):
            return
        at = self.typesetter.blocks.at(start)
        if start >= self.typesetter.blocks.ends[at] and at + 1 < len(self.typesetter.blocks):
            at += 1  # the passage starts in the gap above its first block
        block = self.typesetter.block(at)
        rects = block.rects(start, max(end, start + 1))
        y = rects[0].top() if rects else 0.0
        rise = self.viewport().height() / 3
        visible = self._blocks_in_window()
        if visible and self.passage != (start, end):
            # no scrolling for a range well inside the window
            top = next((top for i, top, _ in visible if i == at), None)
            if top is not None and 24 < top + y < self.viewport().height() - 64:
                return
        self._block, self._inside = at, y - rise
        self._normalize()

    def top_offset(self) -> int:
        places = self._blocks_in_window()
        for _, top, block in places:
            if top + block.height > 8:
                line = block.line_at(max(0.0, 8 - top))
                return block.to_offset(line.textStart())
        return 0

    def place(self) -> int:
        at_start = self._block == 0 and self._inside <= 0
        return -1 if at_start else self.top_offset()

    def go_to_place(self, place: object) -> None:
        if not len(self.typesetter.blocks):
            return
        offset = place if isinstance(place, int) else -1
        self._block, self._inside = 0, -float(HEAD_SPACE)
        if offset >= 0:
            self._block = self.typesetter.blocks.at(offset)
            rects = self.typesetter.block(self._block).rects(offset, offset + 1)
            self._inside = rects[0].top() if rects else 0.0
        self._normalize()

    def leave_margin(self) -> None:
        """Show the line at the top lower, as at the start of a text.

        The margin is empty until the user scrolls, although there is text above.
        """
        first = self.top_offset()
        self._inside -= HEAD_SPACE
        self._normalize()
        self._margin = (first, self._block, self._inside)

    def visible_range(self) -> tuple[int, int]:
        places = self._blocks_in_window()
        if not places:
            return (0, 0)
        return (places[0][2].start, places[-1][2].end)

    def apply_zoom(self) -> None:
        self._keep_place(self._configure)

    def set_line_length(self, share: float) -> None:
        """Set the longest line, as a share of the usual one; 0 for the whole width."""
        if share != self._line_length:
            self._line_length = share
            self._keep_place(self._configure)

    def restyle(self) -> None:
        self._keep_place(self._configure)

    # --- geometry ---------------------------------------------------------------------------

    @property
    def column_left(self) -> float:
        return round((self.viewport().width() - self.typesetter.column) / 2)

    @property
    def top_block(self) -> int:
        """The number of the block at the top of the window."""
        return self._block

    def top_of(self, number: int) -> float:
        """Return the y of a block's top in the window; for blocks near the window."""
        block, low, high = self.typesetter.block, *sorted((number, self._block))
        between = sum(block(i).height for i in range(low, high))
        return -self._inside + (between if number >= self._block else -between)

    def visible_blocks(self) -> list[tuple[int, float, BlockLayout]]:
        """Return (block number, y of its top in the window, layout) of the blocks in sight."""
        found = []
        y, i, count = -self._inside, self._block, len(self.typesetter.blocks)
        height = self.viewport().height()
        first = self._margin[0] if self._has_margin() else 0
        while i < count and y < height:
            block = self.typesetter.block(i)
            if block.end > first:
                found.append((i, y, block))
            y += block.height
            i += 1
        return found

    def _blocks_in_window(self) -> list[tuple[int, float, BlockLayout]]:
        return [place for place in self.visible_blocks() if place[1] + place[2].height > 0]

    def offset_at(self, x: float, y: float) -> int:
        """Return the offset nearest to a point of the window."""
        places = self.visible_blocks()
        if not places:
            return 0
        _, top, block = places[0]
        for _, other_top, other in places:
            if other_top <= y:
                top, block = other_top, other
        line = block.line_at(y - top, x - self.column_left)
        return block.to_offset(line.xToCursor(x - self.column_left))

    def selected_boxes(self) -> list[QRectF]:
        chosen = self.selection.range
        if chosen is None:
            return []
        return [
            rect.translated(self.column_left, top)
            for _, top, block in self._blocks_in_window()
            if chosen[0] < block.end and chosen[1] > block.start
            for rect in block.rects(*chosen)
        ]

    def page_sides(self) -> tuple[float, float]:
        return float(self.column_left), float(self.column_left + self.typesetter.column)

    def covered_area(self, rect: QRectF) -> float:
        column, left = self.typesetter.column, self.column_left
        parts = [
            rect.intersected(QRectF(left, top, column, block.height))
            for _, top, block in self._blocks_in_window()
        ]
        return sum(part.width() * part.height() for part in parts)

    def is_text_at(self, x: float, y: float) -> bool:
        return self.column_left <= x <= self.column_left + self.typesetter.column

    def paragraph_at(self, offset: int) -> Range:
        blocks = self.typesetter.blocks
        at = blocks.at(offset)
        return int(blocks.starts[at]), int(blocks.ends[at])

    def copied(self, start: int, end: int) -> str:
        return join_paragraphs(self.typesetter.text, self.typesetter.blocks, start, end)

    def shares(self, offsets: np.ndarray) -> np.ndarray:
        typesetter, blocks = self.typesetter, self.typesetter.blocks
        if not len(blocks):
            return np.zeros(len(offsets))
        at = np.maximum(np.searchsorted(blocks.starts, offsets, side="right") - 1, 0)
        inside = (offsets - blocks.starts[at]) / np.maximum(blocks.ends[at] - blocks.starts[at], 1)
        y = typesetter.tops[at] + np.clip(inside, 0, 1) * typesetter.heights[at] + HEAD_SPACE
        return y / (typesetter.total + HEAD_SPACE + FOOT_SPACE)

    def name_at(self, x: float, y: float) -> Name | None:
        for _, top, block in self.visible_blocks():
            if top <= y < top + block.height:
                for name in self.names_in(block.start, block.end):
                    for rect in block.rects(name[0], name[1]):
                        if rect.translated(self.column_left, top).contains(QPointF(x, y)):
                            return name
        return None

    # --- scrolling --------------------------------------------------------------------------

    def scroll_by(self, dy: float) -> None:
        self._inside += dy
        self._normalize()

    def _normalize(self) -> None:
        """Set the block at the window's top from the scroll position and update the scroll bar."""
        typesetter, count = self.typesetter, len(self.typesetter.blocks)
        if count:
            self._walk(count)
            last = float(typesetter.total) + FOOT_SPACE - self.viewport().height()
            position = typesetter.tops[self._block] + self._inside
            if position > max(last, -HEAD_SPACE):
                self._to_position(max(last, -float(HEAD_SPACE)))
            if self._block == 0:
                self._inside = max(self._inside, -float(HEAD_SPACE))
            self.visible_blocks()
        self._sync_bar()
        self.viewport().update()
        self.emit_moved()

    def _walk(self, count: int) -> None:
        while self._inside < 0 and self._block > 0:
            self._block -= 1
            self._inside += self.typesetter.block(self._block).height
        while self._block + 1 < count:
            height = self.typesetter.block(self._block).height
            if self._inside < height:
                break
            self._inside -= height
            self._block += 1

    def _to_position(self, position: float) -> None:
        tops, count = self.typesetter.tops, len(self.typesetter.blocks)
        at = min(max(int(tops.searchsorted(position, side="right")) - 1, 0), count - 1)
        estimate = self.typesetter.heights[at]
        inside = position - tops[at]
        share = inside / estimate if estimate and inside > 0 else 0.0
        height = self.typesetter.block(at).height
        self._block, self._inside = at, share * height if inside > 0 else inside

    def _bar_moved(self, value: int) -> None:
        if self._syncing or not len(self.typesetter.blocks):
            return
        position = float(value) - HEAD_SPACE
        now = self.typesetter.tops[self._block] + self._inside
        if value >= self.verticalScrollBar().maximum():
            self._to_end()
        elif abs(position - now) <= 4 * self.viewport().height():
            self._inside += position - now
        else:
            self._to_position(position)
        self._normalize()

    def _to_end(self) -> None:
        """Scroll to the end; the last blocks are laid out, so that no height is estimated."""
        count = len(self.typesetter.blocks)
        room, i = float(self.viewport().height() - FOOT_SPACE), count
        while i > 0 and room > 0:
            i -= 1
            room -= self.typesetter.block(i).height
        self._block, self._inside = i, -room

    def _sync_bar(self) -> None:
        bar, page = self.verticalScrollBar(), self.viewport().height()
        self._syncing = True
        total = self.typesetter.total if len(self.typesetter.blocks) else 0.0
        bar.setRange(0, max(0, round(total + HEAD_SPACE + FOOT_SPACE - page)))
        bar.setPageStep(page)
        bar.setSingleStep(round(self.typesetter.leading * 2))
        if len(self.typesetter.blocks):
            bar.setValue(round(self.typesetter.tops[self._block] + self._inside + HEAD_SPACE))
        self._syncing = False

    def _keep_place(self, change: Callable[[], None]) -> None:
        """Call `change` and keep the same line at the top, with the margin above it if there is."""
        places = self._blocks_in_window()
        if not places:
            change()
            return
        place, has_margin = self.place(), self._has_margin()
        change()
        self.go_to_place(place)
        if has_margin:
            self.leave_margin()

    def _has_margin(self) -> bool:
        """Return whether the margin of `leave_margin` is there: nobody has scrolled since."""
        return self._margin[0] > 0 and self._margin[1:] == (self._block, self._inside)

    def _configure(self) -> None:
        width = self.viewport().width()
        margin = MARGIN_WIDE if width >= 560 else MARGIN_NARROW
        font = self.theme.font("book_zh" if self.typesetter.blocks.cjk else "book")
        room = max(120, width - 2 * margin)
        self.typesetter.configure(font, room, self.zoom, self._line_length)
        self._normalize()

    # --- events -----------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self._keep_place(self._configure)
        else:
            self._normalize()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self.look.color("surface"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for _, top, block in self.visible_blocks():
            paint_block(painter, self, block, QPointF(self.column_left, top))
        self.caret.paint(painter, self.look.color("accent"))
        painter.end()
