"""Page thumbnails beside the document, with the current page marked.

Owns the list and which rows are visible. `PdfWorker` draws the thumbnails, after the pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPen, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.model import Page
from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.theme.tokens import LIGHT

from .pdf.layout import THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH, thumbnail_scale, thumbnail_size
from .pdf.worker import PageRequest, PdfWorker

LABEL_HEIGHT, PAD = 20, 8


class ThumbModel(QAbstractListModel):
    """One row per page; its text is the printed page number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: list[str] = []

    def set_pages(self, n_pages: int, pages: Sequence[Page]) -> None:
        self.beginResetModel()
        labels = [page.label for page in pages] + [""] * max(0, n_pages - len(pages))
        self._labels = [label or str(i + 1) for i, label in enumerate(labels[:n_pages])]
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._labels)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._labels[index.row()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return tr("Page {label}", label=self._labels[index.row()])
        return None


class ThumbDelegate(QStyledItemDelegate):
    """Paints a thumbnail with the page number under it."""

    def __init__(self, theme: Theme, worker: PdfWorker, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._worker = theme, worker

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(THUMBNAIL_WIDTH + 2 * PAD, THUMBNAIL_HEIGHT + LABEL_HEIGHT + 2 * PAD)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row, sizes = index.row(), self._worker.sizes
        if row >= len(sizes):
            return
        width, height = thumbnail_size(sizes[row])
        area = QRectF(option.rect)
        left = round(area.left() + (area.width() - width) / 2)
        top = round(area.top() + PAD + THUMBNAIL_HEIGHT - height)
        place = QRectF(left, top, round(width), round(height))
        on = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        picture = self._worker.thumbnail(row)
        if picture is None:
            painter.fillRect(place, LIGHT.surface)
        else:
            painter.drawImage(place, picture)
        edge = self._theme.color("accent" if on else "line")
        painter.setPen(QPen(edge, 2 if on else 1))
        painter.drawRect(place.adjusted(-1, -1, 1, 1) if on else place)
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("accent" if on else "text2"))
        label = QRectF(
            area.left(), area.top() + PAD + THUMBNAIL_HEIGHT + 2, area.width(), LABEL_HEIGHT
        )
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, str(index.data()))
        painter.restore()


class ThumbsPanel(QListView):
    """Lists the thumbnails; `chosen` carries the index of a page."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, worker: PdfWorker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self.pages = ThumbModel(self)
        self.setModel(self.pages)
        self.setItemDelegate(ThumbDelegate(theme, worker, self))
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setStyleSheet("QListView, QListView::item { background: transparent; }")
        self.setAccessibleName(tr("Pages"))
        self.clicked.connect(lambda index: self.chosen.emit(index.row()))
        self.activated.connect(lambda index: self.chosen.emit(index.row()))
        worker.add_requests(self.iter_requests)
        worker.small_ready.connect(lambda _: self.viewport().update())
        self.verticalScrollBar().valueChanged.connect(lambda _: worker.wake())

    def set_current(self, index: int) -> None:
        """Mark the current page and scroll to it."""
        if self.pages.rowCount() > index >= 0 and self.currentIndex().row() != index:
            self.setCurrentIndex(self.pages.index(index))
            self.scrollTo(self.pages.index(index))

    def iter_requests(self) -> Iterator[PageRequest]:
        """Yield the thumbnails in sight, for the worker."""
        if not self.isVisible():
            return
        first, last = self.visible_rows()
        for row in range(first, last + 1):
            if row < len(self._worker.sizes):
                ratio = self.devicePixelRatioF()
                yield "small", row, thumbnail_scale(self._worker.sizes[row], ratio)

    def visible_rows(self) -> tuple[int, int]:
        """Return the first and the last visible row."""
        room = self.viewport().rect()
        first = self.indexAt(QPoint(room.center().x(), 4))
        last = self.indexAt(QPoint(room.center().x(), room.bottom() - 4))
        top = first.row() if first.isValid() else 0
        bottom = last.row() if last.isValid() else self.pages.rowCount() - 1
        return top, bottom

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._worker.wake()
