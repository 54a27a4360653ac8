"""Documents as cards in a grid: a large cover, below it title, author and state.

All covers of a grid have one size, which follows the width of the cards. A caption is as wide as
its cover and begins at its left edge. It leaves out title and author where a drawn cover has them
whole. Owns the drawing of a card and the layout of the grid; the data comes from the model's roles.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QResizeEvent
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
from ..translation import tr
from .covers import RATIO, Covers, break_lines
from .table_model import (
    ENRICHED_ROLE,
    READ_ROLE,
    ROW_ROLE,
    STATE_ROLE,
    TITLE,
    DocumentTableModel,
)
from .words import (
    StateWords,
    describe_content,
    describe_origin,
    describe_read,
    format_share_read,
    is_finished,
)

AnyIndex = QModelIndex | QPersistentModelIndex
MAX_COVER_WIDTH = 208  # pixels: what three cards of a row need; wider ones are not sharp
ABOVE, BESIDE, BELOW = 8, 8, 4  # pixels between cards: the covers begin below the screen's title
PADDING = 8  # pixels within a card
TITLE_LINES = 3
ICON = 14
FOCUS_EDGE = 2  # pixels around the selected card that the keys act on; others have 1
PROGRESS_HEIGHT = 3
READ_GAP, READ_HEIGHT = 3, 3  # of the bar below a cover, pixels


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
        words = QRect(cover.left(), cover.bottom() + 1 + PADDING + READ_GAP, cover.width(), 0)
        state: StateWords = index.data(STATE_ROLE)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        area = cover.adjusted(-PADDING, -PADDING, PADDING, 0)
        is_on_cover = self._covers.shows_title(row, cover.width())
        title = [] if is_on_cover else self._break_title(row, words.width())
        origin = row.year if is_on_cover else self._fit_origin(row, words.width())
        spare = (TITLE_LINES - len(title)) * QFontMetrics(self._theme.font("strong")).height()
        spare += 0 if origin else self._line_height()
        card = self.card_height(cover.width()) - spare
        area.setHeight(card + self._progress_height(state))
        self._paint_ground(painter, area, option)
        self._covers.paint(painter, cover, row)
        if share := index.data(READ_ROLE):
            bar = QRectF(cover.left(), cover.bottom() + 1 + READ_GAP, cover.width(), READ_HEIGHT)
            self._paint_read(painter, bar, share, chosen=chosen)
        pale = "text" if chosen else "text2"
        with self._theme.inverted(chosen=chosen):
            painter.setPen(self._theme.color(pale if row.set_aside else "text"))
            top = self._paint_title(painter, words, title)
            painter.setPen(self._theme.color(pale))
            if origin:
                self._paint_line(painter, words, top, origin)
                top += self._line_height()
            self._paint_foot(painter, words, top, row, pale, index)
        painter.restore()

    def cover_width(self, cell_width: int) -> int:
        """Return the width of all covers in cells of this width."""
        room = cell_width - 2 * PADDING - BESIDE
        return min(room, self._theme.length(MAX_COVER_WIDTH))

    def card_height(self, cover_width: int) -> int:
        """Return the height of a card with all lines of a title; others are as high."""
        title = TITLE_LINES * QFontMetrics(self._theme.font("strong")).height()
        return round(cover_width / RATIO) + title + 2 * self._line_height() + 3 * PADDING + READ_GAP

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
        width = FOCUS_EDGE if focus and on else 1
        painter.setPen(QPen(theme.color("accent" if on or focus else "line"), width))
        self._paint_frame(painter, area, width / 2)
        if theme.is_high and focus and on:  # the edge has the colour of the ground
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("on_accent"), FOCUS_EDGE))
            self._paint_frame(painter, area, 1.5 * FOCUS_EDGE)

    def _paint_frame(self, painter: QPainter, area: QRect, inset: float) -> None:
        painter.drawRoundedRect(QRectF(area).adjusted(inset, inset, -inset, -inset), 6, 6)

    def _fit_origin(self, row: DocumentRow, room: int) -> str:
        """Return who wrote a document and when; the authors give way, the year stays."""
        metrics = QFontMetrics(self._theme.font("small"))
        words = describe_origin(row)
        if metrics.horizontalAdvance(words) <= room or not row.author:
            return words
        year = f" · {row.year}" if row.year else ""
        room -= metrics.horizontalAdvance(year)
        authors = shorten_authors(row.author)
        return metrics.elidedText(authors, Qt.TextElideMode.ElideRight, room) + year

    def _paint_line(self, painter: QPainter, area: QRect, top: int, words: str) -> None:
        """Draw one line of small text."""
        small = self._theme.font("small")
        metrics = QFontMetrics(small)
        painter.setFont(small)
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area.left(), top + 2 + metrics.ascent(), shown)

    def _break_title(self, row: DocumentRow, width: int) -> list[str]:
        """Return the lines of a title, up to `TITLE_LINES`.

        As in the list, its end is cut where it has no room, not its subtitle.
        """
        text = " ".join(row.title.split())
        return break_lines(text, self._theme.font("strong"), width, TITLE_LINES)[0]

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
        """Draw format and names, and what is read at the right; or the state of unready ones."""
        theme = self._theme
        words: StateWords = index.data(STATE_ROLE)
        small = theme.font("small")
        metrics = QFontMetrics(small)
        if row.state == "ready" and not words.sentence:
            self._paint_content(painter, area, top, row, pale, index)
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

    def _paint_content(
        self,
        painter: QPainter,
        area: QRect,
        top: int,
        row: DocumentRow,
        color: str,
        index: AnyIndex,
    ) -> None:
        """Draw format and names, at the right the share that is read, "Finished" when all is.

        A document that a chat model has read, at least in part, has a mark after its names.
        """
        theme, share = self._theme, index.data(READ_ROLE)
        small = theme.font("small")
        metrics = QFontMetrics(small)
        side, gap = theme.length(ICON), 6
        middle = top + 2 + metrics.ascent() - metrics.capHeight() // 2
        painter.setPen(theme.color(color))
        left = QRect(area)
        if words := describe_read(share) if is_finished(share) else format_share_read(share):
            width = metrics.horizontalAdvance(words)
            painter.setFont(small)
            painter.drawText(area.right() + 1 - width, top + 2 + metrics.ascent(), words)
            left.setRight(area.right() - width - gap)
        content = describe_content(row)
        if index.data(ENRICHED_ROLE):
            left.setRight(left.right() - side - 4)
            width = min(left.width(), metrics.horizontalAdvance(content))
            place = QRect(left.left() + width + 4, middle - side // 2, side, side)
            theme.icon("sparkle", color=color).paint(painter, place)
        self._paint_line(painter, left, top, content)

    def _paint_read(self, painter: QPainter, bar: QRectF, share: float, *, chosen: bool) -> None:
        """Draw how much of a document is read; in high contrast a chosen card is dark."""
        theme = self._theme
        with theme.inverted(chosen=chosen):
            read = theme.color("text" if theme.is_high else "accent")
            rest = theme.color("surface") if theme.is_high else theme.color("text2", 0.3)
            edge = theme.color("text") if theme.is_high else None
        least = bar.height() / bar.width()  # as wide as it is high
        paint_share(painter, bar, max(least, min(1.0, share)), read, rest, edge)

    def _paint_progress(self, painter: QPainter, area: QRect, top: int, share: float) -> None:
        bar = QRectF(area.left(), top, area.width(), PROGRESS_HEIGHT)
        theme = self._theme
        if theme.is_high:
            ink, ground = theme.color("text"), theme.color("surface")
            paint_share(painter, bar, share, ink, ground, ink)
        else:
            paint_share(painter, bar, share, theme.color("accent", 0.8), theme.color("line"))


def paint_share(
    painter: QPainter,
    bar: QRectF,
    share: float,
    color: QColor,
    ground: QColor,
    edge: QColor | None = None,
) -> None:
    """Draw a rounded bar of which a share, 0 to 1, has a colour; an edge is around it."""
    if edge is not None:
        outline = bar.adjusted(0.5, -0.5, -0.5, 0.5)  # as wide as the cover above it
        painter.setPen(edge)
        painter.setBrush(ground)
        painter.drawRoundedRect(outline, outline.height() / 2, outline.height() / 2)
        bar = bar.adjusted(1, 0, -1, 0)
    painter.setPen(Qt.PenStyle.NoPen)
    for width, brush in ((bar.width(), ground), (share * bar.width(), color)):
        painter.setBrush(brush)
        area = QRectF(bar.left(), bar.top(), width, bar.height())
        painter.drawRoundedRect(area, bar.height() / 2, bar.height() / 2)


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
