"""How a row of quotes is drawn: line over it, sentence wrapped in the book's type, names marked.

Owns the measures and what lies under the pointer. Knows no entities.
"""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.kind_marks import (
    BARS_WIDTH,
    LINE_WIDTH,
    paint_kind_line,
    paint_sureness,
)
from desktop_app.ui.widgets.words import format_kind, sureness_level

from .quotes import CLAIM, GROUP, QUOTE, TIE, Quote

PAD_X, PAD_Y, HEAD, GROUP_HEIGHT, INDENT = 12, 8, 24, 36, 24
LEADING = 1.2
SAID_GAP = 4
KEPT_LAYOUTS = 600


class QuotePainter:
    """Draws `Quote`s; `hit` says whether a point is on the name, the count or the sentence."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._layouts: OrderedDict[tuple, QTextLayout] = OrderedDict()
        self._heights: dict[tuple[Quote, int], int] = {}

    def forget(self) -> None:
        """Lay everything out anew: fonts or colours are others now."""
        self._layouts.clear()
        self._heights.clear()

    # --- measures ---------------------------------------------------------------------------

    @property
    def head(self) -> int:
        """How high the line over a sentence is."""
        return self._theme.length(HEAD)

    def height(self, quote: Quote, width: int) -> int:
        """Return how high a row is at a width."""
        if quote.kind == GROUP:
            return self._theme.length(GROUP_HEIGHT)
        key = (quote, width)
        if key not in self._heights:
            head = self.head if quote.kind in (TIE, CLAIM) else 0
            text = self._layout(quote, width).boundingRect().height() if quote.text else 0
            said = self._said_height(quote, width)
            self._heights[key] = round(2 * PAD_Y + head + said + text)
        return self._heights[key]

    def hit(self, quote: Quote, rect: QRect, point: QPoint) -> str:
        """Return "name", "count", "quote" or "" for what a point of the row is on."""
        if quote.kind == GROUP:
            return ""
        if quote.kind == TIE and point.y() < rect.top() + PAD_Y + self.head:
            x = point.x() - rect.left()
            title = QFontMetrics(self._theme.font("strong")).horizontalAdvance(quote.title)
            if PAD_X <= x <= PAD_X + title:
                return "name"
            count = QFontMetrics(self._theme.font("small")).horizontalAdvance(quote.count) + 20
            if x >= rect.width() - PAD_X - count and quote.relation_id is not None:
                return "count"
        return "quote" if quote.place is not None else ""

    def _said_height(self, quote: Quote, width: int) -> int:
        if not quote.said:
            return 0
        return round(self._layout(quote, width, said=True).boundingRect().height()) + SAID_GAP

    def _layout(self, quote: Quote, width: int, *, said: bool = False) -> QTextLayout:
        key = (quote, width, said)
        if (kept := self._layouts.get(key)) is not None:
            self._layouts.move_to_end(key)
            return kept
        if said:
            layout = QTextLayout(quote.said, self._theme.font("text"))
        else:
            layout = QTextLayout(quote.text, self._theme.book_font(quote.text, 14))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        if not said:
            layout.setFormats([self._mark(start, end, quote.kind) for start, end in quote.marks])
        room = width - 2 * PAD_X - (INDENT if quote.indent else 0)
        room -= self._aside_width(quote)
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

    def _mark(self, start: int, end: int, kind: str) -> QTextLayout.FormatRange:
        span = QTextLayout.FormatRange()
        span.start, span.length = start, end - start
        look = QTextCharFormat()
        if kind in (TIE, CLAIM):
            look.setFontWeight(QFont.Weight.Bold)
        else:
            look.setBackground(self._theme.color("mark"))
        look.setForeground(self._theme.color("text"))
        span.format = look
        return span

    def _aside_width(self, quote: Quote) -> int:
        if not quote.aside:
            return 0
        return QFontMetrics(self._theme.font("small")).horizontalAdvance(quote.aside) + 16

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
                self._paint_ground(painter, rect, focused)
            top = rect.top() + PAD_Y
            if quote.kind in (TIE, CLAIM):
                self._paint_head(painter, rect, quote, touched, unfolded)
                top += self.head
            if quote.said:
                painter.setPen(self._theme.color("text"))
                layout = self._layout(quote, rect.width(), said=True)
                layout.draw(painter, QPointF(rect.left() + PAD_X, top))
                top += self._said_height(quote, rect.width())
            self._paint_text(painter, rect, top, quote)
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRect, focused: bool) -> None:
        painter.setPen(self._theme.color("accent") if focused else Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent_soft", 0.5))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

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
        strong.setUnderline(touched == "name")
        painter.setFont(strong)
        painter.setPen(self._theme.color("accent" if quote.kind == TIE else "text"))
        room = right - count_width - 12 - area.left()
        title = metrics.elidedText(quote.title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area.left(), baseline, title)
        used = metrics.horizontalAdvance(title) + 12
        used += self._paint_tie(painter, area.left() + used, baseline, room - used, quote)
        if quote.detail and room - used > 40:
            painter.setFont(small)
            painter.setPen(self._theme.color("text2"))
            detail = small_metrics.elidedText(
                quote.detail, Qt.TextElideMode.ElideRight, room - used
            )
            painter.drawText(area.left() + used, baseline, detail)

    def _paint_tie(
        self, painter: QPainter, left: int, baseline: int, room: int, quote: Quote
    ) -> int:
        """Draw the kind of a connection and how sure it is; return the width that took."""
        words = format_kind(quote.tie) or quote.mark
        small = self._theme.font("small")
        metrics = QFontMetrics(small)
        line = LINE_WIDTH + 6 if quote.tie else 0
        bars = BARS_WIDTH + 6 if quote.tie and sureness_level(quote.confidence) else 0
        words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(0, room - line - bars))
        width = metrics.horizontalAdvance(words)
        if not words or width + line + bars > room:
            return 0
        if quote.tie:
            middle = baseline - metrics.xHeight() / 2
            paint_kind_line(painter, left, middle, quote.tie, self._theme)
        painter.setFont(small)
        painter.setPen(self._theme.color("text" if quote.tie else "text2"))
        painter.drawText(left + line, baseline, words)
        if bars:
            bars_left = left + line + width + 6
            paint_sureness(painter, bars_left, baseline, quote.confidence, self._theme)
        return line + width + bars + 14

    def _paint_text(self, painter: QPainter, rect: QRect, top: int, quote: Quote) -> None:
        left = rect.left() + PAD_X + (INDENT if quote.indent else 0)
        if quote.text:
            quiet = quote.kind == QUOTE and quote.indent
            painter.setPen(self._theme.color("text2" if quiet else "text"))
            self._layout(quote, rect.width()).draw(painter, QPointF(left, top))
        if quote.aside:
            small = self._theme.font("small")
            painter.setFont(small)
            painter.setPen(self._theme.color("text2"))
            area = QRect(rect.left(), top, rect.width() - PAD_X, self._theme.length(20))
            painter.drawText(area, Qt.AlignmentFlag.AlignRight, quote.aside)
