"""Documents as cards in a grid: a large cover, below it title, author and state.

All covers of a grid have one size, which follows the width of the cards. A caption is as wide as
its cover and begins at its left edge. Owns the drawing of a card and the layout of the grid; the
data comes from the model's roles.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
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
from .covers import RATIO, Covers, break_lines
from .table_model import ENRICHED_ROLE, READ_ROLE, ROW_ROLE, TITLE, DocumentTableModel
from .words import StateWords, describe_content, describe_origin, describe_state

AnyIndex = QModelIndex | QPersistentModelIndex
MOST_COVER_WIDTH = 208  # pixels: what three cards of a row need; wider ones are not sharp
ABOVE, BESIDE, BELOW = 8, 8, 4  # pixels between cards: the covers begin below the screen's title
PADDING = 8  # pixels within a card
TITLE_LINES = 2
ICON = 14
PROGRESS_HEIGHT = 3
READ_HEIGHT = 3  # of the bar over the lower edge of a cover


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
        cover = self._find_cover(option.rect)
        words = QRect(cover.left(), cover.bottom() + 1 + PADDING, cover.width(), 0)
        state = describe_state(row)
        area = cover.adjusted(-PADDING, -PADDING, PADDING, 0)
        area.setHeight(self.card_height(cover.width()) + self._progress_height(state))
        self._paint_ground(painter, area, option)
        self._covers.paint(painter, cover, row)
        if share := index.data(READ_ROLE):
            self._paint_read(painter, cover, share)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        pale = "text" if chosen else "text2"
        with self._theme.inverted(chosen=chosen):
            painter.setPen(self._theme.color(pale if row.set_aside else "text"))
            top = self._paint_title(painter, words, self._break_title(row, words.width()))
            painter.setPen(self._theme.color(pale))
            if origin := self._fit_origin(row, words.width()):
                self._paint_line(painter, words, top, origin)
                top += self._line_height()
            self._paint_foot(painter, words, top, row, pale, index)
        painter.restore()

    def cover_width(self, cell_width: int) -> int:
        """Return the width of all covers in cells of this width."""
        room = cell_width - 2 * PADDING - BESIDE
        return min(room, self._theme.length(MOST_COVER_WIDTH))

    def card_height(self, cover_width: int) -> int:
        """Return the height of a card with two lines of title; others are as high."""
        title = TITLE_LINES * QFontMetrics(self._theme.font("strong")).height()
        return round(cover_width / RATIO) + title + 2 * self._line_height() + 3 * PADDING

    def cell_height(self, cell_width: int) -> int:
        """Return the height of cells of this width, with room for the progress of a document."""
        card = self.card_height(self.cover_width(cell_width))
        return ABOVE + card + 4 + PROGRESS_HEIGHT + BELOW

    def _find_cover(self, cell: QRect) -> QRect:
        width = self.cover_width(cell.width())
        return QRect(
            cell.left() + PADDING, cell.top() + ABOVE + PADDING, width, round(width / RATIO)
        )

    def _line_height(self) -> int:
        return QFontMetrics(self._theme.font("small")).height() + 2

    def _progress_height(self, state: StateWords) -> int:
        return 4 + PROGRESS_HEIGHT if state.share is not None else 0

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

    def _fit_content(self, row: DocumentRow, read: float | None, room: int) -> str:
        metrics = QFontMetrics(self._theme.font("small"))
        return describe_content(row, read, lambda words: metrics.horizontalAdvance(words) <= room)

    def _paint_line(self, painter: QPainter, area: QRect, top: int, words: str) -> None:
        """Draw one line of small text."""
        small = self._theme.font("small")
        metrics = QFontMetrics(small)
        painter.setFont(small)
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area.left(), top + 2 + metrics.ascent(), shown)

    def _break_title(self, row: DocumentRow, width: int) -> list[str]:
        """Return the one or two lines of a title, with an ellipsis where it has no room."""
        font = self._theme.font("strong")
        text = " ".join(row.title.split())
        head, bracket, rest = text.partition("（")  # a bracket at the end is not torn
        metrics = QFontMetrics(font)
        is_long = metrics.horizontalAdvance(text) > width
        if is_long and bracket and 0 < metrics.horizontalAdvance(head) <= width:
            return [head, *break_lines(bracket + rest, font, width, TITLE_LINES - 1)[0]]
        return break_lines(text, font, width, TITLE_LINES)[0]

    def _paint_title(self, painter: QPainter, area: QRect, lines: list[str]) -> int:
        """Draw the lines of a title; return where the next line begins."""
        font = self._theme.font("strong")
        metrics = QFontMetrics(font)
        painter.setFont(font)
        top = area.top()
        for line in lines:
            blank = (
                metrics.tightBoundingRect(line[:1]).left() if line else 0
            )  # wide at the left of a “（”
            painter.drawText(area.left() - blank, top + metrics.ascent(), line)
            top += metrics.height()
        return top

    def _paint_foot(
        self,
        painter: QPainter,
        area: QRect,
        top: int,
        row: DocumentRow,
        pale: str,
        index: AnyIndex,
    ) -> None:
        """Draw format, names and what is read, or state and progress if it is not just ready.

        A document that a chat model has read, at least in part, has a mark at the right.
        """
        theme = self._theme
        words = describe_state(row)
        small = theme.font("small")
        metrics = QFontMetrics(small)
        if row.state == "ready" and not words.sentence:
            painter.setPen(theme.color(pale))
            is_enriched, side = bool(index.data(ENRICHED_ROLE)), theme.length(ICON)
            line = area.adjusted(0, 0, -side - 4 if is_enriched else 0, 0)
            shown = self._fit_content(row, index.data(READ_ROLE), line.width())
            self._paint_line(painter, line, top, shown)
            if is_enriched:
                middle = top + 2 + metrics.ascent() - metrics.capHeight() // 2
                place = QRect(area.right() + 1 - side, middle - side // 2, side, side)
                theme.icon("sparkle", color=pale).paint(painter, place)
            return
        color = pale if words.color == "text2" else words.color
        side = theme.length(ICON)
        room = area.width() - side - 6
        shown = metrics.elidedText(words.text, Qt.TextElideMode.ElideRight, room)
        left = area.left()
        middle = top + 2 + metrics.ascent() - metrics.capHeight() // 2
        theme.icon(words.icon, color=color).paint(
            painter, QRect(left, middle - side // 2, side, side)
        )
        painter.setPen(theme.color(color))
        painter.setFont(small)
        painter.drawText(left + side + 6, top + 2 + metrics.ascent(), shown)
        if words.share is not None:
            self._paint_progress(painter, area, top + 2 + self._line_height() + 4, words.share)

    def _paint_read(self, painter: QPainter, cover: QRect, share: float) -> None:
        """Draw how much of a document is read, along the lower edge of its cover."""
        bar = cover.adjusted(0, cover.height() - READ_HEIGHT, 0, 0)
        painter.fillRect(bar, self._theme.color("surface"))
        painter.fillRect(bar, self._theme.color("text2", 0.45))
        bar.setWidth(max(READ_HEIGHT, round(share * bar.width())))
        painter.fillRect(bar, self._theme.color("accent"))

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
        self._cards = CardDelegate(theme, covers, self)
        self.setItemDelegate(self._cards)
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
        theme.changed.connect(self._fit)
        covers.changed.connect(self.viewport().update)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        """Set the card width so that the cards fill the row."""
        # always leave room for a scroll bar, so that cards don't move when it appears
        width = self.contentsRect().width()
        width -= self.verticalScrollBar().sizeHint().width()
        n = max(1, width // self._theme.length(MIN_WIDTH))
        cell = QSize((width - 1) // n, self._cards.cell_height((width - 1) // n))
        if cell != self.gridSize() and width > 0:
            self.setGridSize(cell)
            self.verticalScrollBar().setSingleStep(cell.height() // 3)
