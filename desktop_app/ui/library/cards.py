"""Documents as cards in a grid: a large cover, below it title, author and state.

Owns the drawing of a card and the layout of the grid; the data comes from the model's roles.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.model import DocumentRow
from desktop_app.engine.person_names import shorten_authors

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets.words import format_language
from .covers import Covers
from .table_model import ROW_ROLE, TITLE, DocumentTableModel
from .words import StateWords, describe_origin, describe_state

AnyIndex = QModelIndex | QPersistentModelIndex
COVER_HEIGHT = 168
CARD_HEIGHT = 286
ABOVE, GAP, PADDING = 16, 4, 8  # above a card, on its other sides, and within it
TITLE_LINES = 2
ICON = 14
PROGRESS_HEIGHT = 3


class CardDelegate(QStyledItemDelegate):
    """Draws a card in the cell of a grid."""

    def __init__(self, theme: Theme, covers: Covers, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._covers, self._view = theme, covers, view

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return self._view.gridSize()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: DocumentRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = option.rect.adjusted(GAP, ABOVE, -GAP, -GAP)
        inner = area.adjusted(PADDING, PADDING, -PADDING, -PADDING)
        cover = QRect(inner.topLeft(), QSize(inner.width(), self._theme.length(COVER_HEIGHT)))
        words = inner.adjusted(0, cover.height() + PADDING, 0, 0)
        title = self._break_title(row, words.width())
        origin_at, foot_at, ends_at = self._find_lines(words.top(), describe_state(row))
        area.setBottom(min(area.bottom(), ends_at + PADDING))
        self._paint_ground(painter, area, option)
        self._covers.paint(painter, cover, row)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        pale = "text" if chosen else "text2"
        with self._theme.inverted(chosen=chosen):
            painter.setPen(self._theme.color(pale if row.set_aside else "text"))
            self._paint_title(painter, words, title)
            painter.setPen(self._theme.color(pale))
            self._paint_line(painter, words, origin_at, self._fit_origin(row, words.width()))
            self._paint_foot(painter, words, foot_at, row, pale)
        painter.restore()

    def _find_lines(self, top: int, foot: StateWords) -> tuple[int, int, int]:
        """Return where the origin and the foot of a caption begin, and where it ends.

        They are the same in all cards, whatever they say, so that the captions of a row align.
        """
        line = QFontMetrics(self._theme.font("small")).height() + 2
        origin = top + TITLE_LINES * QFontMetrics(self._theme.font("strong")).height()
        end = origin + 2 * line + (4 + PROGRESS_HEIGHT if foot.share is not None else 0)
        return origin, origin + line, end

    def _paint_ground(self, painter: QPainter, area: QRect, option: QStyleOptionViewItem) -> None:
        on = bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if not (on or over or focus):
            return
        theme = self._theme
        filled = "accent" if theme.is_high else "accent_soft"
        painter.setBrush(theme.color(filled if on else "surface"))
        painter.setPen(theme.color("accent" if on or focus else "line"))
        painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def _fit_origin(self, row: DocumentRow, room: int) -> str:
        """Return who wrote a document and when; the authors give way, the year stays."""
        metrics = QFontMetrics(self._theme.font("small"))
        words = _origin(row)
        if metrics.horizontalAdvance(words) <= room or not row.author:
            return words
        year = f" · {row.year}" if row.year else ""
        room -= metrics.horizontalAdvance(year)
        authors = shorten_authors(row.author)
        return metrics.elidedText(authors, Qt.TextElideMode.ElideRight, room) + year

    def _paint_line(self, painter: QPainter, area: QRect, top: int, words: str) -> None:
        """Draw one line of small text in the middle."""
        small = self._theme.font("small")
        metrics = QFontMetrics(small)
        painter.setFont(small)
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, area.width())
        left = area.left() + (area.width() - metrics.horizontalAdvance(shown)) // 2
        painter.drawText(left, top + 2 + metrics.ascent(), shown)

    def _break_title(self, row: DocumentRow, width: int) -> list[str]:
        """Return the one or two lines of a title."""
        font = self._theme.font("strong")
        metrics = QFontMetrics(font)
        text = " ".join(row.title.split())
        head = text.partition("（")[0]  # a bracket at the end is not torn
        if head != text and 0 < metrics.horizontalAdvance(head) <= width:
            is_long = metrics.horizontalAdvance(text) > width
            text = text.replace("（", "\u2028（", 1) if is_long else text
        layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        lines: list[str] = []
        while len(lines) < TITLE_LINES:
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(width)
            end = line.textStart() + line.textLength()
            part = text[line.textStart() : end].rstrip()
            if len(lines) == TITLE_LINES - 1 and end < len(text):
                rest = text[line.textStart() :]
                part = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)
            lines.append(part)
        layout.endLayout()
        return lines

    def _paint_title(self, painter: QPainter, area: QRect, lines: list[str]) -> None:
        """Draw the lines of a title in the middle."""
        font = self._theme.font("strong")
        metrics = QFontMetrics(font)
        painter.setFont(font)
        top = area.top()
        for line in lines:
            left = area.left() + (area.width() - metrics.horizontalAdvance(line)) / 2
            painter.drawText(QPointF(left, top + metrics.ascent()), line)
            top += metrics.height()

    def _paint_foot(
        self, painter: QPainter, area: QRect, top: int, row: DocumentRow, pale: str
    ) -> None:
        """Draw the number of names, or state and progress of a document that is not just ready."""
        theme = self._theme
        words = describe_state(row)
        small = theme.font("small")
        metrics = QFontMetrics(small)
        if row.state == "ready" and not words.sentence:
            painter.setPen(theme.color(pale))
            names = trn("{n} name", "{n} names", row.n_entities) if row.n_entities else ""
            self._paint_line(painter, area, top, names)
            return
        color = pale if words.color == "text2" else words.color
        side = theme.length(ICON)
        room = area.width() - side - 6
        shown = metrics.elidedText(words.text, Qt.TextElideMode.ElideRight, room)
        left = area.left() + (room - metrics.horizontalAdvance(shown)) // 2
        middle = top + 2 + metrics.ascent() - metrics.capHeight() // 2
        theme.icon(words.icon, color=color).paint(
            painter, QRect(left, middle - side // 2, side, side)
        )
        painter.setPen(theme.color(color))
        painter.setFont(small)
        painter.drawText(left + side + 6, top + 2 + metrics.ascent(), shown)
        if words.share is not None:
            self._paint_progress(painter, area, top + 6 + metrics.height(), words.share)

    def _paint_progress(self, painter: QPainter, area: QRect, top: int, share: float) -> None:
        ground = QRectF(area.left(), top, area.width(), PROGRESS_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("line"))
        painter.drawRoundedRect(ground, 1.5, 1.5)
        ground.setWidth(ground.width() * share)
        painter.setBrush(self._theme.color("accent", 0.8))
        painter.drawRoundedRect(ground, 1.5, 1.5)


def _origin(row: DocumentRow) -> str:
    """Return authors and year, or language and length if both are unknown."""
    parts = [part for part in (describe_origin(row),) if part]
    if not parts:
        pages = trn("{n} page", "{n} pages", row.n_pages) if row.n_pages else ""
        parts = [part for part in (format_language(row.language), pages) if part]
    return " · ".join(parts)


MIN_WIDTH = 172
MARGINS = (4, 0, 4, 0)  # of the grid; a card has 4 pixels more around it


class CardView(QListView):
    """A list view of cards in rows that fill the width."""

    def __init__(
        self,
        theme: Theme,
        model: DocumentTableModel,
        covers: Covers,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("documentCards")
        self.setAccessibleName(tr("Documents"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(model)
        self.setModelColumn(TITLE)
        self.setItemDelegate(CardDelegate(theme, covers, self))
        # not the icon mode, which stores every item's place and is slow in a large library
        self.setViewMode(QListView.ViewMode.ListMode)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setMouseTracking(True)
        self.setViewportMargins(*MARGINS)
        theme.changed.connect(self._fit)
        covers.changed.connect(self.viewport().update)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        """Set the card width so that the cards fill the row."""
        # always leave room for a scroll bar, so that cards don't move when it appears
        left, _, right, _ = MARGINS
        width = self.contentsRect().width() - left - right
        width -= self.verticalScrollBar().sizeHint().width()
        n = max(1, width // self._theme.length(MIN_WIDTH))
        cell = QSize((width - 1) // n, self._theme.length(CARD_HEIGHT))
        if cell != self.gridSize() and width > 0:
            self.setGridSize(cell)
            self.verticalScrollBar().setSingleStep(cell.height() // 3)
