"""A list of quotes that is as high as its rows, so that a whole page scrolls as one.

Owns clicks and keys on rows. Knows no services; it says what was clicked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSizePolicy, QWidget

from desktop_app.ui.theme.theme import Theme

from .quote_delegate import QUOTE_ROLE, UNFOLDED_ROLE, QuoteDelegate
from .quotes import GROUP, TIE, Quote


class QuoteModel(QAbstractListModel):
    """Holds quotes; more can be put at the end or, unfolded, under a connection."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.quotes: list[Quote] = []
        self._unfolded: dict[int, int] = {}  # relation: how many rows of evidence it shows

    def set_quotes(self, quotes: Sequence[Quote]) -> None:
        self.beginResetModel()
        self.quotes = list(quotes)
        self._unfolded = {}
        self.endResetModel()

    def add_quotes(self, quotes: Sequence[Quote]) -> None:
        if quotes:
            n = len(self.quotes)
            self.beginInsertRows(QModelIndex(), n, n + len(quotes) - 1)
            self.quotes.extend(quotes)
            self.endInsertRows()

    def is_unfolded(self, relation_id: int) -> bool:
        return relation_id in self._unfolded

    def unfold(self, relation_id: int, quotes: Sequence[Quote]) -> None:
        """Show a connection's other sentences under it."""
        row = self._row_of(relation_id)
        if row < 0 or relation_id in self._unfolded:
            return
        self._unfolded[relation_id] = len(quotes)
        if quotes:
            self.beginInsertRows(QModelIndex(), row + 1, row + len(quotes))
            self.quotes[row + 1 : row + 1] = quotes
            self.endInsertRows()
        self.dataChanged.emit(self.index(row), self.index(row))

    def fold(self, relation_id: int) -> None:
        row, count = self._row_of(relation_id), self._unfolded.pop(relation_id, 0)
        if count:
            self.beginRemoveRows(QModelIndex(), row + 1, row + count)
            del self.quotes[row + 1 : row + 1 + count]
            self.endRemoveRows()
        self.dataChanged.emit(self.index(row), self.index(row))

    def _row_of(self, relation_id: int) -> int:
        rows = (i for i, q in enumerate(self.quotes) if q.relation_id == relation_id)
        return next(rows, -1)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.quotes)

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        quote = self.quotes[index.row()]
        if role == QUOTE_ROLE:
            return quote
        if role == UNFOLDED_ROLE:
            return quote.relation_id in self._unfolded
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return ". ".join(part for part in (quote.title, quote.detail, quote.text) if part)
        return None

    def flags(self, index: Any) -> Qt.ItemFlag:
        if index.isValid() and self.quotes[index.row()].kind == GROUP:
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)


class QuoteList(QListView):
    """Emits where a sentence stands, which name was clicked, whose evidence is wanted."""

    place_clicked = Signal(int, int, int)
    name_clicked = Signal(int)
    evidence_wanted = Signal(int)
    row_focused = Signal(QRect)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.quote_model = QuoteModel(self)
        self.delegate = QuoteDelegate(theme, self)
        self.setModel(self.quote_model)
        self.setItemDelegate(self.delegate)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setStyleSheet("background: transparent;")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAutoScroll(False)
        self.setMouseTracking(True)
        for signal in ("modelReset", "rowsInserted", "rowsRemoved"):
            getattr(self.quote_model, signal).connect(self._fit)
        theme.changed.connect(self._relay)
        self._fit()

    def _relay(self) -> None:
        self.scheduleDelayedItemsLayout()
        self._fit()

    def _fit(self) -> None:
        width = self.viewport().width()
        height = sum(self.delegate.height(q, width) for q in self.quote_model.quotes)
        self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.delegate.forget()
            self._fit()

    # --- pointer and keys -----------------------------------------------------------------------

    def _under(self, event: QMouseEvent) -> tuple[Quote | None, int, str]:
        point = event.position().toPoint()
        index = self.indexAt(point)
        if not index.isValid():
            return None, -1, ""
        quote = index.data(QUOTE_ROLE)
        return quote, index.row(), self.delegate.hit(quote, self.visualRect(index), point)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        _, row, part = self._under(event)
        self._hover(row, part)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1, "")

    def _hover(self, row: int, part: str) -> None:
        if (row, part) != self.delegate.hovered:
            self.delegate.hovered = (row, part)
            hand = Qt.CursorShape.PointingHandCursor
            self.viewport().setCursor(hand if part else Qt.CursorShape.ArrowCursor)
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            quote, _, part = self._under(event)
            if quote is not None:
                self._open(quote, part)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def _open(self, quote: Quote, part: str) -> None:
        if part == "name" and quote.entity_id is not None:
            self.name_clicked.emit(quote.entity_id)
        elif part == "count" and quote.relation_id is not None:
            self.evidence_wanted.emit(quote.relation_id)
        elif part == "quote" and quote.place is not None:
            self.place_clicked.emit(*quote.place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        quote: Quote | None = index.data(QUOTE_ROLE) if index.isValid() else None
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if quote is not None and enter:
            named = quote.kind == TIE and event.modifiers() & Qt.KeyboardModifier.ControlModifier
            self._open(quote, "name" if named else "quote")
        elif quote is not None and quote.kind == TIE and event.key() == Qt.Key.Key_Right:
            self._open(quote, "count")
        else:
            super().keyPressEvent(event)

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and self.hasFocus():
            self.row_focused.emit(self.visualRect(current))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.currentIndex().isValid():
            self.row_focused.emit(self.visualRect(self.currentIndex()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls
