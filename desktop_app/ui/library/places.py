"""The list of places in the library: all documents, collections, tags, set aside, failed, trash.

Owns the list, the chosen place and drops of documents on a place. Fetches and changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QMimeData, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDragMoveEvent, QDropEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.model import DocumentRow
from desktop_app.engine.services.collections import CollectionRow
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.words import format_number

from ..theme.design_tokens import ROW_COMPACT
from ..translation import tr
from ..widgets.labels import paint_box
from ..widgets.tables import inverts_selection
from ..widgets.words import plain_tip

WIDTH = 164
MIME = "application/x-inkgraph-documents"
PLACE_ROLE = Qt.ItemDataRole.UserRole
ICONS = {
    "all": "library",
    "collection": "ph.folder-simple",
    "tag": "ph.tag",
    "aside": "set-aside",
    "failed": "warning-circle",
    "trash": "delete",
}


@dataclass(frozen=True, slots=True)
class LibraryPlace:
    """One place; `kind` is all, collection, tag, aside, failed, trash or heading."""

    kind: str
    words: str
    id: int = 0
    count: int = 0


def list_places(
    rows: Sequence[DocumentRow], collections: Sequence[CollectionRow], n_trash: int
) -> list[LibraryPlace]:
    """Return the existing places with the number of documents in each."""
    counts = Counter(tag for row in rows for tag in row.tags)
    n_failed = sum(row.state == "failed" for row in rows)
    n_aside = sum(row.set_aside for row in rows)
    places = [LibraryPlace("all", tr("All documents"), count=len(rows))]
    if n_failed:
        places.append(LibraryPlace("failed", tr("Failed"), count=n_failed))
    if n_aside:
        places.append(LibraryPlace("aside", tr("Excluded"), count=n_aside))
    if collections:
        places.append(LibraryPlace("heading", tr("Collections")))
        places += [LibraryPlace("collection", c.name, c.id, c.n_documents) for c in collections]
    if counts:
        places.append(LibraryPlace("heading", tr("Tags")))
        tags = sorted(counts, key=str.casefold)
        places += [LibraryPlace("tag", tag, count=counts[tag]) for tag in tags]
    places.append(LibraryPlace("trash", tr("Trash"), count=n_trash))
    return places


def read_documents(data: QMimeData) -> list[int]:
    """Return the ids of the dragged documents."""
    if not data.hasFormat(MIME):
        return []
    return [int(part) for part in bytes(data.data(MIME).data()).decode().split(",") if part]


class PlaceDelegate(QStyledItemDelegate):
    """Paints the icon, the name and the number of documents; headings small and pale."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: object) -> QSize:
        place: LibraryPlace = index.data(PLACE_ROLE)  # type: ignore[attr-defined]
        height = 32 if place.kind == "heading" else ROW_COMPACT
        return QSize(WIDTH - 16, self._theme.length(height))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        place: LibraryPlace = index.data(PLACE_ROLE)  # type: ignore[attr-defined]
        area: QRect = option.rect
        theme = self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = Qt.AlignmentFlag.AlignVCenter
        if place.kind == "heading":
            painter.setFont(theme.font("small"))
            painter.setPen(theme.color("text2"))
            painter.drawText(area.adjusted(8, 8, -8, 0), middle, place.words)
            painter.restore()
            return
        on = bool(option.state & QStyle.StateFlag.State_Selected)
        if on or option.state & QStyle.StateFlag.State_MouseOver:
            ground = theme.color("accent_soft", 1.0 if on else 0.5)
            paint_box(painter, QRectF(area), ground)
        icon = QRect(area.left() + 8, area.center().y() - 7, 16, 16)
        theme.icon(ICONS[place.kind], color="accent" if on else "text2").paint(painter, icon)
        painter.setFont(theme.font("text"))
        painter.setPen(theme.color("text"))
        count = format_number(place.count) if place.count else ""
        room = area.adjusted(32, 0, -12 - painter.fontMetrics().horizontalAdvance(count), 0)
        elided = painter.fontMetrics().elidedText(
            place.words, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, middle, elided)
        painter.setPen(theme.color("text2"))
        painter.drawText(area.adjusted(0, 0, -8, 0), middle | Qt.AlignmentFlag.AlignRight, count)
        painter.restore()


class PlacesList(QListWidget):
    """Lists the places; `chosen` carries a `LibraryPlace`, `dropped` a place and document ids."""

    chosen = Signal(object)
    dropped = Signal(object, list)
    menu_wanted = Signal(object, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("libraryPlaces")
        theme.changed.connect(self._fit)
        self._fit()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(PlaceDelegate(theme, self))
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Collections and tags"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._ask_for_menu)
        self.currentItemChanged.connect(self._emit_chosen)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _fit(self) -> None:
        self.setFixedWidth(self._theme.breadth(WIDTH))

    @property
    def current(self) -> LibraryPlace:
        item = self.currentItem()
        return item.data(PLACE_ROLE) if item is not None else LibraryPlace("all", "")

    def set_places(self, places: Sequence[LibraryPlace]) -> None:
        """List places; the chosen place stays chosen if it still exists."""
        before = self.current
        self.blockSignals(True)
        self.clear()
        chosen = 0
        for number, place in enumerate(places):
            item = QListWidgetItem()
            item.setData(PLACE_ROLE, place)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{place.words}, {place.count}")
            item.setToolTip(plain_tip(place.words) if len(place.words) > 18 else "")
            if place.kind == "heading":
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.addItem(item)
            name = place.words if place.kind == "tag" else ""
            if (place.kind, place.id, name) == (
                before.kind,
                before.id,
                before.words if before.kind == "tag" else "",
            ):
                chosen = number
        self.setCurrentRow(chosen)
        self.blockSignals(False)
        if self.current.kind != before.kind or self.current.id != before.id:
            self.chosen.emit(self.current)

    def choose(self, kind: str, words: str = "") -> None:
        """Choose the first place of a kind, or the one with this name."""
        for row in range(self.count()):
            place = self.item(row).data(PLACE_ROLE)
            if place.kind == kind and words in ("", place.words):
                self.setCurrentRow(row)
                return

    def _emit_chosen(self) -> None:
        self.chosen.emit(self.current)

    def _ask_for_menu(self, point: QPoint) -> None:
        item = self.itemAt(point)
        place = item.data(PLACE_ROLE) if item is not None else LibraryPlace("all", "")
        self.menu_wanted.emit(place, self.viewport().mapToGlobal(point))

    def _target(self, event: QDropEvent) -> LibraryPlace | None:
        item = self.itemAt(event.position().toPoint())
        place = item.data(PLACE_ROLE) if item is not None else None
        takes = ("collection", "tag", "aside", "trash")
        return place if place is not None and place.kind in takes else None

    def dragEnterEvent(self, event: QDragMoveEvent) -> None:
        if read_documents(event.mimeData()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if self._target(event) is not None and read_documents(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        place, ids = self._target(event), read_documents(event.mimeData())
        if place is not None and ids:
            event.acceptProposedAction()
            self.dropped.emit(place, ids)

    def _restyle(self) -> None:
        tokens = self._theme.tokens
        self.setStyleSheet(
            f"#libraryPlaces {{ background: {tokens.surface}; border: none; padding: 8px;"
            f" border-right: 1px solid {tokens.line}; }}"
        )
