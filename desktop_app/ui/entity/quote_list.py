"""A list of quotes as high as its rows, so that the whole page scrolls as one.

Owns its rows, their positions, mouse and keyboard input; emits what was clicked. It is no Qt
item view, because that would measure every row three times per insertion.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from time import perf_counter

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_app.engine.text.shown_text import ShownText

from ..theme.fonts import PREFERS_BUNDLED, is_chinese
from ..theme.theme import Theme
from ..widgets.emphasis import format_emphasis, format_span
from ..widgets.kind_marks import BARS_WIDTH, LINE_WIDTH, paint_kind_line, paint_sureness
from ..widgets.labels import paint_type_disc
from ..widgets.menus import is_menu_key
from ..widgets.words import format_kind, format_sureness, format_type, sureness_level
from .quotes import CLAIM, GROUP, QUOTE, RELATION, Quote

PAD_X, PAD_Y, HEAD, GROUP_HEIGHT, INDENT = 12, 8, 24, 36, 24
DISC, FOOT = 14, 18  # of the type of a name; height of the line below a sentence
LEADING = 1.2
SUMMARY_GAP = 4
KEPT_LAYOUTS = 600
PALER = 0.72  # opacity of text around bold names, where its type looks bold itself


class QuotePainter:
    """Draws `Quote`s; `hit` returns whether a point is on the name, the count or the sentence."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._layouts: OrderedDict[tuple, QTextLayout] = OrderedDict()
        self._heights: dict[tuple[Quote, int], int] = {}

    def forget(self) -> None:
        """Clear the cached layouts, because fonts or colours changed."""
        self._layouts.clear()
        self._heights.clear()

    # --- measures ---------------------------------------------------------------------------

    @property
    def head(self) -> int:
        """Height of the line above a sentence."""
        return self._theme.length(HEAD)

    def height(self, quote: Quote, width: int) -> int:
        """Return the height of a row at a width."""
        if quote.kind == GROUP:
            return self._theme.length(GROUP_HEIGHT)
        key = (quote, width)
        if key not in self._heights:
            head = self.head if quote.kind in (RELATION, CLAIM) else 0
            text = self._layout(quote, width).boundingRect().height() if quote.text else 0
            text += self._summary_height(quote, width)
            text += self._theme.length(FOOT) if quote.foot else 0
            self._heights[key] = round(2 * PAD_Y + head + text)
        return self._heights[key]

    def hit(self, quote: Quote, rect: QRect, point: QPoint) -> str:
        """Return the part of the row at a point: "name", "count", "quote" or ""."""
        if quote.kind == GROUP:
            return ""
        if quote.kind == RELATION and point.y() < rect.top() + PAD_Y + self.head:
            x = point.x() - rect.left()
            title = QFontMetrics(self._theme.font("strong")).horizontalAdvance(quote.title)
            title += self._disc_width(quote)
            if PAD_X <= x <= PAD_X + title:
                return "name"
            count = QFontMetrics(self._theme.font("small")).horizontalAdvance(quote.count) + 20
            if x >= rect.width() - PAD_X - count and quote.relation_id is not None:
                return "count"
        return "quote" if quote.place is not None else ""

    def _disc_width(self, quote: Quote) -> int:
        """Return the width before the title that the disc of a type takes."""
        return self._theme.length(DISC) + 8 if quote.title_type else 0

    def _summary_height(self, quote: Quote, width: int) -> int:
        if not quote.summary:
            return 0
        return round(self._layout(quote, width, summary=True).boundingRect().height()) + SUMMARY_GAP

    def _layout(self, quote: Quote, width: int, *, summary: bool = False) -> QTextLayout:
        key = (quote, width, summary)
        if (kept := self._layouts.get(key)) is not None:
            self._layouts.move_to_end(key)
            return kept
        if summary:
            layout = QTextLayout(quote.summary, self._theme.font("text"))
        else:
            layout = QTextLayout(quote.text, self._theme.book_font(quote.text, 14))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        if not summary:
            shown = ShownText(quote.text, quote.italics, quote.bolds)
            marks = [self._mark(quote, start, end) for start, end in quote.marks]
            layout.setFormats(format_emphasis(shown) + marks)
        room = width - 2 * PAD_X - (INDENT if quote.indent else 0)
        if quote.aside:
            small = QFontMetrics(self._theme.font("small"))
            room -= small.horizontalAdvance(quote.aside) + 16
        layout.beginLayout()
        y = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(80, room))
            line.setPosition(QPointF(0, y))
            y += line.height() * LEADING
        layout.endLayout()
        self._layouts[key] = layout
        if len(self._layouts) > KEPT_LAYOUTS:
            self._layouts.popitem(last=False)
        return layout

    def _mark(self, quote: Quote, start: int, end: int) -> QTextLayout.FormatRange:
        look = QTextCharFormat()
        if quote.kind in (RELATION, CLAIM):
            look.setFontWeight(QFont.Weight.Bold)
        else:
            look.setBackground(self._theme.color("mark"))
        look.setForeground(self._theme.color("text"))
        return format_span(quote.text, start, end, look)

    # --- drawing ----------------------------------------------------------------------------

    def paint(
        self,
        painter: QPainter,
        rect: QRect,
        quote: Quote,
        *,
        touched: str = "",
        focused: bool = False,
        unfolded: bool = False,
    ) -> None:
        """Draw one row; `touched` is the part under the pointer, as `hit` names it."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if quote.kind == GROUP:
            self._paint_group(painter, rect, quote)
        else:
            if touched == "quote" or focused:
                painter.setPen(self._theme.color("accent") if focused else Qt.PenStyle.NoPen)
                painter.setBrush(self._theme.color("accent_soft", 0.5))
                painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            top = rect.top() + PAD_Y
            if quote.kind in (RELATION, CLAIM):
                self._paint_head(painter, rect, quote, touched, unfolded)
                top += self.head
            if quote.summary:
                painter.setPen(self._theme.color("text"))
                layout = self._layout(quote, rect.width(), summary=True)
                layout.draw(painter, QPointF(rect.left() + PAD_X, top))
                top += self._summary_height(quote, rect.width())
            self._paint_text(painter, rect, top, quote)
        painter.restore()

    def _paint_group(self, painter: QPainter, rect: QRect, quote: Quote) -> None:
        area = rect.adjusted(PAD_X, 12, -PAD_X, 0)
        strong = self._theme.font("small")
        strong.setWeight(QFont.Weight.DemiBold)
        painter.setFont(strong)
        painter.setPen(self._theme.color("text2"))
        words = f"{quote.title} · {quote.detail}" if quote.detail else quote.title
        shown = QFontMetrics(strong).elidedText(words, Qt.TextElideMode.ElideMiddle, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_head(
        self, painter: QPainter, rect: QRect, quote: Quote, touched: str, unfolded: bool
    ) -> None:
        area = rect.adjusted(PAD_X, PAD_Y, -PAD_X, 0)
        if disc := self._disc_width(quote):
            side = self._theme.length(DISC)
            top = area.top() + self._theme.length(10) - side / 2
            disc_area = QRectF(area.left(), top, side, side)
            paint_type_disc(painter, disc_area, quote.title_type, self._theme)
            area.setLeft(area.left() + disc)
        small, strong = self._theme.font("small"), self._theme.font("strong")
        metrics, small_metrics = QFontMetrics(strong), QFontMetrics(small)
        baseline = area.top() + self._theme.length(15)
        unfolds = quote.relation_id is not None
        count_width = small_metrics.horizontalAdvance(quote.count)
        right = area.right() + 1 - (14 if unfolds else 0)
        painter.setFont(small)
        painter.setPen(self._theme.color("accent" if touched == "count" else "text2"))
        painter.drawText(right - count_width, baseline, quote.count)
        if unfolds:
            name = "caret-down" if unfolded else "caret-right"
            spot = QRect(area.right() - 10, baseline - 10, 12, 12)
            self._theme.icon(name).paint(painter, spot)
        strong.setUnderline(touched == "name" or (self._theme.is_high and quote.kind == RELATION))
        painter.setFont(strong)
        painter.setPen(self._theme.color("accent" if quote.kind == RELATION else "text"))
        room = right - count_width - 12 - area.left()
        title = metrics.elidedText(quote.title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area.left(), baseline, title)
        used = metrics.horizontalAdvance(title) + 12
        used += self._paint_tie(painter, area.left() + used, baseline, room - used, quote)
        if quote.detail and room - used > 40:
            painter.setFont(small)
            painter.setPen(self._theme.color("text2"))
            right_side = Qt.TextElideMode.ElideRight
            detail = small_metrics.elidedText(quote.detail, right_side, room - used)
            painter.drawText(area.left() + used, baseline, detail)

    def _paint_tie(
        self, painter: QPainter, left: int, baseline: int, room: int, quote: Quote
    ) -> int:
        """Draw the kind of a connection and its confidence; return the width used."""
        words = format_kind(quote.relation_kind) or quote.mark
        small = self._theme.font("small")
        metrics = QFontMetrics(small)
        line = LINE_WIDTH + 6 if quote.relation_kind else 0
        bars = BARS_WIDTH + 6 if quote.relation_kind and sureness_level(quote.confidence) else 0
        words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(0, room - line - bars))
        width = metrics.horizontalAdvance(words)
        if not words or width + line + bars > room:
            return 0
        if quote.relation_kind:
            middle = baseline - metrics.xHeight() / 2
            paint_kind_line(painter, left, middle, quote.relation_kind, self._theme)
        painter.setFont(small)
        painter.setPen(self._theme.color("text" if quote.relation_kind else "text2"))
        painter.drawText(left + line, baseline, words)
        if bars:
            bars_left = left + line + width + 6
            paint_sureness(painter, bars_left, baseline, quote.confidence, self._theme)
        return line + width + bars + 14

    def _choose_text_color(self, quote: Quote) -> QColor:
        """Return the colour of what is not marked in a sentence.

        It is paler around bold names where FreeType draws a Chinese serif type in a dark theme: the
        stems of such type are darkened (`PREFERS_BUNDLED`), so that its regular weight looks bold.
        """
        theme = self._theme
        if quote.kind == QUOTE and quote.indent:
            return theme.color("text2")
        is_bold_marked = quote.kind in (RELATION, CLAIM) and bool(quote.marks)
        is_heavy = PREFERS_BUNDLED and theme.is_dark and is_chinese(quote.text)
        is_paler = is_bold_marked and is_heavy and not theme.is_high
        return theme.color("text", PALER) if is_paler else theme.color("text")

    def _paint_text(self, painter: QPainter, rect: QRect, top: int, quote: Quote) -> None:
        left = rect.left() + PAD_X + (INDENT if quote.indent else 0)
        if quote.text:
            painter.setPen(self._choose_text_color(quote))
            self._layout(quote, rect.width()).draw(painter, QPointF(left, top))
        if quote.foot:
            small = self._theme.font("small", quote.foot)
            painter.setFont(small)
            painter.setPen(self._theme.color("text2"))
            line = QRect(left, rect.bottom() + 1 - PAD_Y - self._theme.length(FOOT), 0, 0)
            line.setSize(QSize(rect.right() - PAD_X - left, self._theme.length(FOOT)))
            right = Qt.TextElideMode.ElideRight
            foot = QFontMetrics(small).elidedText(quote.foot, right, line.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, foot)
        if quote.aside:
            small = self._theme.font("small")
            painter.setFont(small)
            painter.setPen(self._theme.color("text2"))
            area = QRect(rect.left(), top, rect.width() - PAD_X, self._theme.length(20))
            painter.drawText(area, Qt.AlignmentFlag.AlignRight, quote.aside)


# With more rows than this, the layout follows a change of width only after it has ended.
QUICK = 1000
FIRST_ROWS = 12  # of a list that is filled while it is not seen
BELOW = 160  # pixels below what is seen, about two rows, that are filled at once
SLICE_S = 0.006  # of the window's thread at a time, for rows below what is seen


class QuoteList(QWidget):
    """Emits the clicked place, the clicked entity, or the relation whose evidence is requested."""

    place_clicked = Signal(int, int, int)
    name_clicked = Signal(int)
    evidence_wanted = Signal(int)
    row_focused = Signal(QRect)
    menu_wanted = Signal(object, QPoint)  # ids of events are longer than an int of Qt
    sentence_menu_wanted = Signal(object, QPoint)  # a place, of a sentence without an id
    filled = Signal()  # the last row of `fill` is there, and so the whole height

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.quotes: list[Quote] = []
        self._painter = QuotePainter(theme)
        self._tops: list[int] = [0]  # top of each row, then the bottom of the last one
        self._width = 0
        self._unfolded: dict[int, int] = {}  # relation: number of evidence rows shown
        self._current = -1
        self._hovered = (-1, "")
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._relay = QTimer(self, singleShot=True, interval=120)
        self._relay.timeout.connect(self._lay_all)
        self._rest: Iterator[Quote] = iter(())  # rows still to be added
        self._fill_more = QTimer(self, interval=0)
        self._fill_more.timeout.connect(self._add_slice)
        theme.changed.connect(self._restyle)
        self.setFixedHeight(0)

    # --- rows -------------------------------------------------------------------------------

    def set_quotes(self, quotes: Sequence[Quote]) -> None:
        """Replace all rows."""
        self._clear()
        self.quotes = list(quotes)
        self._lay_all()

    def fill(self, quotes: Iterable[Quote]) -> None:
        """Replace all rows: down to the end of what is seen now, the others soon afterwards.

        Making and measuring a hundred rows takes 80 ms; a list that was edited is seen sooner.
        Until all rows are there, the list keeps at least the height that it had: each change of it
        would lay out and paint the whole page again.
        """
        height = self._tops[-1]
        seen = self.visibleRegion().boundingRect()
        least = FIRST_ROWS if seen.isEmpty() else 1
        foot = seen.bottom() + BELOW  # what is above the list may become lower
        self._clear()
        self._width, self._tops = self.width(), [0]
        self._rest = iter(quotes)
        while len(self.quotes) < least or self._tops[-1] <= foot:
            if not self._add_next():
                break
        else:
            self._fill_more.start()
        kept = height if self._fill_more.isActive() else 0
        self.setFixedHeight(max(self._tops[-1], kept))
        self.update()

    def _clear(self) -> None:
        self._fill_more.stop()
        self.quotes = []
        self._unfolded = {}
        self._current = -1

    def _add_next(self) -> bool:
        """Add the next row; return False if there is none."""
        quote = next(self._rest, None)
        if quote is None:
            return False
        self.quotes.append(quote)
        self._tops.append(self._tops[-1] + self._painter.height(quote, self._width))
        return True

    def _add_slice(self) -> None:
        end = perf_counter() + SLICE_S
        while perf_counter() < end:
            if not self._add_next():
                self._fill_more.stop()
                self._set_height()
                self.filled.emit()
                break

    def add_quotes(self, quotes: Sequence[Quote]) -> None:
        """Append rows; earlier rows are not measured again."""
        self.quotes.extend(quotes)
        self._lay(len(self.quotes) - len(quotes))

    def is_unfolded(self, relation_id: int) -> bool:
        return relation_id in self._unfolded

    def unfold(self, relation_id: int, quotes: Sequence[Quote]) -> None:
        """Show a connection's other sentences below it."""
        row = self._row_of(relation_id)
        if row >= 0 and relation_id not in self._unfolded:
            self._unfolded[relation_id] = len(quotes)
            self.quotes[row + 1 : row + 1] = quotes
            self._lay(row)

    def fold(self, relation_id: int) -> None:
        row, count = self._row_of(relation_id), self._unfolded.pop(relation_id, 0)
        if row >= 0:
            del self.quotes[row + 1 : row + 1 + count]
            self._current = min(self._current, row)
            self._lay(row)

    def _row_of(self, relation_id: int) -> int:
        rows = (i for i, q in enumerate(self.quotes) if q.relation_id == relation_id)
        return next(rows, -1)

    # --- measures ---------------------------------------------------------------------------

    def row_rect(self, row: int) -> QRect:
        """Return the rectangle of a row."""
        top, foot = self._tops[row], self._tops[row + 1]
        return QRect(0, top, self._width, foot - top)

    def row_at(self, y: int) -> int:
        """Return the row at a vertical position, -1 if there is none."""
        row = bisect_right(self._tops, y) - 1
        return row if y >= 0 and row < len(self.quotes) else -1

    def _lay_all(self) -> None:
        self._width = self.width()
        self._lay(0)

    def _lay(self, first: int) -> None:
        del self._tops[first + 1 :]
        top = self._tops[first]
        for quote in self.quotes[first:]:
            top += self._painter.height(quote, self._width)
            self._tops.append(top)
        self._set_height()

    def _set_height(self) -> None:
        self.setFixedHeight(self._tops[-1])
        self.update()

    def _restyle(self) -> None:
        self._painter.forget()
        self._lay_all()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() != self._width:
            self._painter.forget()
            if len(self.quotes) > QUICK:
                self._relay.start()
            else:
                self._lay_all()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = event.rect()
        row = max(0, self.row_at(area.top()))
        while row < len(self.quotes) and self._tops[row] <= area.bottom():
            quote = self.quotes[row]
            self._painter.paint(
                painter,
                self.row_rect(row),
                quote,
                touched=self._hovered[1] if self._hovered[0] == row else "",
                focused=self.hasFocus() and row == self._current,
                unfolded=quote.relation_id in self._unfolded,
            )
            row += 1
        painter.end()

    # --- pointer ----------------------------------------------------------------------------

    def _under(self, point: QPoint) -> tuple[int, str]:
        row = self.row_at(point.y())
        if row < 0:
            return -1, ""
        return row, self._painter.hit(self.quotes[row], self.row_rect(row), point)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(*self._under(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1, "")

    def _hover(self, row: int, part: str) -> None:
        if (row, part) != self._hovered:
            self._hovered = (row, part)
            hand = Qt.CursorShape.PointingHandCursor
            self.setCursor(hand if part else Qt.CursorShape.ArrowCursor)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            row, part = self._under(event.position().toPoint())
            if row >= 0:
                self._open(self.quotes[row], part)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self._ask_for_menu(self._current)
        else:
            self._ask_for_menu(self.row_at(event.pos().y()), event.pos())

    def _ask_for_menu(self, row: int, point: QPoint | None = None) -> None:
        quote = self.quotes[row] if 0 <= row < len(self.quotes) else None
        if quote is None or (quote.tie_id is None and (quote.kind != QUOTE or quote.place is None)):
            return
        where = self.mapToGlobal(point or self.row_rect(row).center())
        if quote.tie_id is not None:
            self.menu_wanted.emit(quote.tie_id, where)
        else:
            self.sentence_menu_wanted.emit(quote.place, where)

    def _open(self, quote: Quote, part: str) -> None:
        if part == "name" and quote.entity_id is not None:
            self.name_clicked.emit(quote.entity_id)
        elif part == "count" and quote.relation_id is not None:
            self.evidence_wanted.emit(quote.relation_id)
        elif part == "quote" and quote.place is not None:
            self.place_clicked.emit(*quote.place)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            row, _ = self._under(event.pos())
            message = self.quotes[row].mark_tip if row >= 0 else ""
            if message and event.pos().y() < self._tops[row] + PAD_Y + self._painter.head:
                QToolTip.showText(event.globalPos(), message, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    # --- keys -------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        quote = self.quotes[self._current] if 0 <= self._current < len(self.quotes) else None
        key, relation = event.key(), quote if quote is not None and quote.kind == RELATION else None
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._step(1 if key == Qt.Key.Key_Down else -1)
        elif is_menu_key(event):
            self._ask_for_menu(self._current)
        elif quote is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            named = relation is not None and event.modifiers() & Qt.KeyboardModifier.ControlModifier
            self._open(quote, "name" if named else "quote")
        elif relation is not None and key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            if (relation.relation_id in self._unfolded) == (key == Qt.Key.Key_Left):
                self._open(relation, "count")
        else:
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        row = self._current + by
        while 0 <= row < len(self.quotes) and self.quotes[row].kind == GROUP:
            row += by
        if 0 <= row < len(self.quotes):
            self._current = row
            self._announce()

    def _announce(self) -> None:
        quote = self.quotes[self._current]
        sure = format_sureness(quote.confidence) if quote.relation_kind else ""
        kind = format_kind(quote.relation_kind) or quote.mark
        type_ = format_type(quote.title_type) if quote.title_type else ""
        head = (quote.title, type_, kind, sure, quote.detail)
        fields = (*head, quote.summary, quote.text, quote.aside, quote.foot)
        self.setAccessibleDescription(". ".join(part for part in fields if part))
        self.row_focused.emit(self.row_rect(self._current))
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._current < 0:
            self._step(1)
        elif self.quotes:
            self._announce()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()
