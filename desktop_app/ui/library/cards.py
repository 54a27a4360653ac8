"""Documents as cards in a grid: file format, title, author, state and tags.

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

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets.words import format_language
from .table_model import ROW_ROLE, TITLE, DocumentTableModel
from .words import describe_state

AnyIndex = QModelIndex | QPersistentModelIndex
CARD_HEIGHT = 144
GAP, PADDING, COVER = 6, 12, 40
# the colour of the spine, by file format
HUES = {"pdf": "other", "epub": "person", "docx": "object", "html": "event", "csv": "place",
        "jsonl": "place"}  # fmt: skip


class CardDelegate(QStyledItemDelegate):
    """Draws a card in the cell of a grid."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return self._view.gridSize()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: DocumentRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = option.rect.adjusted(GAP, GAP, -GAP, -GAP)
        self._paint_ground(painter, area, option)
        inner = area.adjusted(PADDING, PADDING, -PADDING, -PADDING)
        self._paint_cover(painter, QRect(inner.topLeft(), QSize(COVER, 52)), row)
        pale = "text" if option.state & QStyle.StateFlag.State_Selected else "text2"
        self._paint_words(painter, inner.adjusted(COVER + 12, 0, 0, 0), row, pale)
        self._paint_foot(painter, inner, row, pale)
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRect, option: QStyleOptionViewItem) -> None:
        on = bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
        theme = self._theme
        painter.setBrush(theme.color("accent_soft") if on else theme.color("surface"))
        edge = "accent" if on or focus else "text2" if over else "line"
        painter.setPen(theme.color(edge))
        painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)

    def _paint_cover(self, painter: QPainter, area: QRect, row: DocumentRow) -> None:
        """Draw a small book with the format's name and a spine in the format's colour."""
        theme = self._theme
        kind = row.format or row.file_name.rsplit(".", 1)[-1].lower()
        painter.setPen(theme.color("line"))
        painter.setBrush(theme.color("sunken"))
        painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.type_color(HUES.get(kind, "concept")))
        painter.drawRoundedRect(QRectF(area.left(), area.top(), 4, area.height()), 2, 2)
        font = theme.font("small")
        font.setPixelSize(10)
        painter.setFont(font)
        painter.setPen(theme.color("text2"))
        painter.drawText(area.adjusted(4, 0, 0, 0), Qt.AlignmentFlag.AlignCenter, kind[:5].upper())

    def _paint_words(self, painter: QPainter, area: QRect, row: DocumentRow, pale: str) -> None:
        theme = self._theme
        painter.setPen(theme.color(pale if row.set_aside else "text"))
        below = self._paint_title(painter, area, row.title)
        painter.setPen(theme.color(pale))
        small = theme.font("small")
        painter.setFont(small)
        metrics = QFontMetrics(small)
        tags = "  ".join(f"#{tag}" for tag in row.tags)
        for words in (_origin(row), tags):
            if words:
                below += metrics.height() + 2
                shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, area.width())
                painter.drawText(area.left(), below - metrics.descent(), shown)

    def _paint_title(self, painter: QPainter, area: QRect, title: str) -> int:
        """Draw the title in at most two lines and return the y of its end."""
        font = self._theme.font("strong")
        metrics = QFontMetrics(font)
        text = " ".join(title.split())
        layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        top = float(area.top())
        painter.setFont(font)
        for number in range(2):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(area.width())
            end = line.textStart() + line.textLength()
            if number == 1 and end < len(text):
                rest = metrics.elidedText(
                    text[line.textStart() :], Qt.TextElideMode.ElideRight, area.width()
                )
                painter.drawText(QPointF(area.left(), top + metrics.ascent()), rest)
            else:
                part = text[line.textStart() : end].rstrip()
                painter.drawText(QPointF(area.left(), top + metrics.ascent()), part)
            top += metrics.height()
        layout.endLayout()
        return round(top)

    def _paint_foot(self, painter: QPainter, area: QRect, row: DocumentRow, pale: str) -> None:
        """Draw the state at the left, the number of names at the right, and the progress."""
        theme = self._theme
        words = describe_state(row)
        color = pale if words.color == "text2" else words.color
        small = theme.font("small")
        metrics = QFontMetrics(small)
        painter.setFont(small)
        base = area.bottom() - metrics.descent() - 3
        names = trn("{n} name", "{n} names", row.n_entities) if row.n_entities else ""
        right = metrics.horizontalAdvance(names)
        room = area.width() - 20
        if right and metrics.horizontalAdvance(words.text) + right + 12 <= room:
            painter.setPen(theme.color(pale))
            painter.drawText(area.right() + 1 - right, base, names)
        icon = QRect(area.left(), base - metrics.capHeight() // 2 - 7, 14, 14)
        theme.icon(words.icon, color=color).paint(painter, icon)
        painter.setPen(theme.color(color))
        shown = metrics.elidedText(words.text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area.left() + 20, base, shown)
        share = _share_done(row)
        if share is not None:
            self._paint_line(painter, area, share)

    def _paint_line(self, painter: QPainter, area: QRect, share: float) -> None:
        ground = QRectF(area.left(), area.bottom(), area.width(), 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("line"))
        painter.drawRoundedRect(ground, 1.5, 1.5)
        ground.setWidth(ground.width() * share)
        painter.setBrush(self._theme.color("accent", 0.8))
        painter.drawRoundedRect(ground, 1.5, 1.5)


def _share_done(row: DocumentRow) -> float | None:
    """Return the share that is indexed or embedded, None if there is no more to do."""
    if row.state in ("indexing", "paused"):
        return row.n_chunks_done / row.n_chunks if row.n_chunks else None
    if row.state == "ready" and row.n_windows > row.n_embedded:
        return row.n_embedded / row.n_windows
    return None


def _origin(row: DocumentRow) -> str:
    """Return author and year, or language and length if both are unknown."""
    parts = [part for part in (row.author, row.year) if part]
    if not parts:
        pages = trn("{n} page", "{n} pages", row.n_pages) if row.n_pages else ""
        parts = [part for part in (format_language(row.language), pages) if part]
    return " · ".join(parts)


MIN_WIDTH = 216


class CardView(QListView):
    """A list view of cards in rows that fill the width."""

    def __init__(
        self, theme: Theme, model: DocumentTableModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("documentCards")
        self.setAccessibleName(tr("Documents"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(model)
        self.setModelColumn(TITLE)
        self.setItemDelegate(CardDelegate(theme, self))
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        """Set the card width so that the cards fill the row."""
        # always leave room for a scroll bar, so that cards don't move when it appears
        width = self.contentsRect().width() - self.verticalScrollBar().sizeHint().width()
        n = max(1, width // self._theme.length(MIN_WIDTH))
        cell = QSize((width - 1) // n, self._theme.length(CARD_HEIGHT))
        if cell != self.gridSize() and width > 0:
            self.setGridSize(cell)
            self.verticalScrollBar().setSingleStep(cell.height() // 3)
