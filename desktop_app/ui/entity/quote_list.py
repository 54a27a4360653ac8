"""A list of quotes that is as high as its rows, so that a whole page scrolls as one.

Owns its rows, where each lies, clicks and keys. A view of Qt would measure every row three
times whenever one is added. Knows no services; it says what was clicked.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.menu_key import is_menu_key
from desktop_app.ui.widgets.words import format_kind, format_sureness

from .quote_painter import PAD_Y, QuotePainter
from .quotes import GROUP, TIE, Quote

# Beyond so many rows a change of width is followed only when it has ended.
QUICK = 1000


class QuoteList(QWidget):
    """Emits where a sentence stands, which name was clicked, whose evidence is wanted."""

    place_clicked = Signal(int, int, int)
    name_clicked = Signal(int)
    evidence_wanted = Signal(int)
    row_focused = Signal(QRect)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.quotes: list[Quote] = []
        self._painter = QuotePainter(theme)
        self._tops: list[int] = [0]  # of each row, and the foot of the last
        self._width = 0
        self._unfolded: dict[int, int] = {}  # relation: how many rows of evidence it shows
        self._current = -1
        self._hovered = (-1, "")
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._relay = QTimer(self, singleShot=True, interval=120)
        self._relay.timeout.connect(self._lay_all)
        theme.changed.connect(self._restyle)
        self.setFixedHeight(0)

    # --- rows -------------------------------------------------------------------------------

    def set_quotes(self, quotes: Sequence[Quote]) -> None:
        """Show these rows instead of those."""
        self.quotes = list(quotes)
        self._unfolded = {}
        self._current = -1
        self._lay_all()

    def add_quotes(self, quotes: Sequence[Quote]) -> None:
        """Show more rows at the end; those before are not measured again."""
        self.quotes.extend(quotes)
        self._lay(len(self.quotes) - len(quotes))

    def is_unfolded(self, relation_id: int) -> bool:
        return relation_id in self._unfolded

    def unfold(self, relation_id: int, quotes: Sequence[Quote]) -> None:
        """Show a connection's other sentences under it."""
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
        """Return where a row lies."""
        top, foot = self._tops[row], self._tops[row + 1]
        return QRect(0, top, self._width, foot - top)

    def row_at(self, y: int) -> int:
        """Return the row at a height, -1 beside all."""
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
        self.setFixedHeight(top)
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
        if quote is not None and quote.tie_id is not None:
            point = point or self.row_rect(row).center()
            self.menu_wanted.emit(quote.tie_id, self.mapToGlobal(point))

    def _open(self, quote: Quote, part: str) -> None:
        if part == "name" and quote.entity_id is not None:
            self.name_clicked.emit(quote.entity_id)
        elif part == "count" and quote.relation_id is not None:
            self.evidence_wanted.emit(quote.relation_id)
        elif part == "quote" and quote.place is not None:
            self.place_clicked.emit(*quote.place)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            row, _ = self._under(event.pos())
            told = self._tell_tie(self.quotes[row]) if row >= 0 else ""
            if told and event.pos().y() < self._tops[row] + PAD_Y + self._painter.head:
                QToolTip.showText(event.globalPos(), told, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    @staticmethod
    def _tell_tie(quote: Quote) -> str:
        if quote.tie:
            sure = format_sureness(quote.confidence)
            kind = format_kind(quote.tie)
            if sure:
                return tr("A model says: {kind}, and is {sure} of it", kind=kind, sure=sure)
            return tr("A model says: {kind}", kind=kind)
        if quote.mark == "instant":
            return tr("Instant: they are named together; no model has spoken of it")
        return ""

    # --- keys -------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        quote = self.quotes[self._current] if 0 <= self._current < len(self.quotes) else None
        key, tie = event.key(), quote is not None and quote.kind == TIE
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._step(1 if key == Qt.Key.Key_Down else -1)
        elif is_menu_key(event):
            self._ask_for_menu(self._current)
        elif quote is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            named = tie and event.modifiers() & Qt.KeyboardModifier.ControlModifier
            self._open(quote, "name" if named else "quote")
        elif tie and key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            if self.is_unfolded(quote.relation_id) == (key == Qt.Key.Key_Left):
                self._open(quote, "count")
        else:
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        row = self._current + by
        while 0 <= row < len(self.quotes) and self.quotes[row].kind == GROUP:
            row += by
        if 0 <= row < len(self.quotes):
            self._current = row
            self._tell()

    def _tell(self) -> None:
        quote = self.quotes[self._current]
        sure = format_sureness(quote.confidence) if quote.tie else ""
        kind = format_kind(quote.tie) or quote.mark
        said = (quote.title, kind, sure, quote.detail, quote.said, quote.text, quote.aside)
        self.setAccessibleDescription(". ".join(part for part in said if part))
        self.row_focused.emit(self.row_rect(self._current))
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._current < 0:
            self._step(1)
        elif self.quotes:
            self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()
