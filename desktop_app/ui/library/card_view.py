"""The documents as cards: the same model and selection as the table, drawn by one delegate.

Owns how cards are placed; 10,000 of them are one layout of equal cells, no widgets.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme

from .card_delegate import CARD_HEIGHT, CardDelegate
from .table_model import TITLE, DocumentTableModel

LEAST_WIDTH = 216


class CardView(QListView):
    """Cards in rows that fill the width; keys, selection and dragging are those of a list."""

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
        # the icon mode keeps every item's place in a tree, which a long library would feel
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
        """Share the width among as many cards as have room in it."""
        # room for a scroll bar in any case, lest cards change places when it comes and goes
        width = self.contentsRect().width() - self.verticalScrollBar().sizeHint().width()
        n = max(1, width // self._theme.length(LEAST_WIDTH))
        cell = QSize((width - 1) // n, self._theme.length(CARD_HEIGHT))
        if cell != self.gridSize() and width > 0:
            self.setGridSize(cell)
            self.verticalScrollBar().setSingleStep(cell.height() // 3)
