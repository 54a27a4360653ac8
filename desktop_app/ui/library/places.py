"""The places of the library: all documents, collections, tags, failed, set aside, trash.

`PlacesPanel` is the part of the sidebar that lists them while the library is in front; the window
puts it there. Owns the list, the chosen place and drops of documents on a place. Fetches and
changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFont,
    QPainter,
    QPaintEvent,
)
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
from ..widgets import IconButton, SectionTitle, add_shortcut, build_column, build_row, paint_box
from ..widgets.tables import inverts_selection, paint_ground
from ..widgets.words import plain_tip

MIME = "application/x-inkgraph-documents"
AnyIndex = QModelIndex | QPersistentModelIndex
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
    """One place; `kind` is all, collection, tag, aside, failed, trash, heading or rule."""

    kind: str
    words: str
    id: int = 0
    count: int = 0


def list_library_places(
    rows: Sequence[DocumentRow], collections: Sequence[CollectionRow], n_trash: int
) -> list[LibraryPlace]:
    """Return the existing places with the number of documents in each.

    What the user made comes first, below a rule the states of documents and the trash.
    """
    counts = Counter(tag for row in rows for tag in row.tags)
    n_failed = sum(row.state == "failed" for row in rows)
    n_aside = sum(row.set_aside for row in rows)
    places = [LibraryPlace("all", tr("All documents"), count=len(rows))]
    if collections:
        places.append(LibraryPlace("heading", tr("Collections")))
        places += [LibraryPlace("collection", c.name, c.id, c.n_documents) for c in collections]
    if counts:
        places.append(LibraryPlace("heading", tr("Tags")))
        tags = sorted(counts, key=str.casefold)
        places += [LibraryPlace("tag", tag, count=counts[tag]) for tag in tags]
    places.append(LibraryPlace("rule", ""))
    if n_failed:
        places.append(LibraryPlace("failed", tr("Failed"), count=n_failed))
    if n_aside:
        places.append(LibraryPlace("aside", tr("Excluded"), count=n_aside))
    places.append(LibraryPlace("trash", tr("Trash"), count=n_trash))
    return places


def read_documents(data: QMimeData) -> list[int]:
    """Return the ids of the dragged documents."""
    if not data.hasFormat(MIME):
        return []
    return [int(part) for part in bytes(data.data(MIME).data()).decode().split(",") if part]


LEFT = 9  # pixels: icons below those of the screens
HEIGHTS = {"heading": 32, "rule": 17}  # pixels; others are rows


class LibraryPlaceDelegate(QStyledItemDelegate):
    """Paints the icon, the name and the number of documents; headings small and pale."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        place: LibraryPlace = index.data(PLACE_ROLE)
        return QSize(80, self._theme.length(HEIGHTS.get(place.kind, ROW_COMPACT)))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        place: LibraryPlace = index.data(PLACE_ROLE)
        area: QRect = option.rect.adjusted(LEFT, 0, -8, 0)
        theme = self._theme
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.save()
        if place.kind == "rule":
            painter.fillRect(area.left(), area.center().y(), area.width(), 1, theme.color("line"))
        elif place.kind == "heading":
            font = theme.font("small")
            font.setWeight(QFont.Weight.DemiBold)
            painter.setFont(font)
            painter.setPen(theme.color("text2"))
            painter.drawText(area.adjusted(-1, 8, 0, 0), middle, place.words)
        else:
            paint_ground(painter, option, index, self)
            on = bool(option.state & QStyle.StateFlag.State_Selected)
            side = theme.length(16)
            icon = QRect(area.left(), area.center().y() - side // 2 + 1, side, side)
            theme.icon(ICONS[place.kind], color="text" if on else "text2").paint(painter, icon)
            count = format_number(place.count) if place.count else ""
            painter.setFont(theme.font("number"))
            painter.setPen(theme.color("text2"))
            painter.drawText(area, middle | Qt.AlignmentFlag.AlignRight, count)
            n_taken = painter.fontMetrics().horizontalAdvance(count) + 8 if count else 0
            room = area.adjusted(side + 8, 0, -n_taken, 0)
            painter.setFont(theme.font("text"))
            painter.setPen(theme.color("text"))
            how = Qt.TextElideMode.ElideRight
            words = painter.fontMetrics().elidedText(place.words, how, room.width())
            painter.drawText(room, middle, words)
        painter.restore()


class PlacesList(QListWidget):
    """Lists the places; without a selection, all documents are shown.

    `chosen` carries a `LibraryPlace`, `dropped` a place and document ids, and `menu_wanted`,
    `rename_wanted` and `remove_wanted` the place that they concern. `opened` is emitted after a
    click or Return, also on the place that is chosen already.
    """

    chosen = Signal(object)
    opened = Signal()
    dropped = Signal(object, list)
    menu_wanted = Signal(object, QPoint)
    rename_wanted = Signal(object)
    remove_wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._n_documents = 0
        self._marked: QRect | None = None  # drop target of the current drag
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(LibraryPlaceDelegate(theme, self))
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Collections and tags"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._ask_for_menu)
        self.itemSelectionChanged.connect(self._emit_chosen)
        self.itemClicked.connect(lambda _: self.opened.emit())
        self.itemActivated.connect(self._open)
        theme.changed.connect(self.doItemsLayout)
        add_shortcut(self, "F2", self._ask_to_rename, tr("Rename the selected collection or tag"))
        add_shortcut(self, "Del", self._ask_to_remove, tr("Delete the selected collection or tag"))
        add_shortcut(self, "Esc", self._choose_all, tr("Show all documents"))

    @property
    def current(self) -> LibraryPlace:
        chosen = self.selectedItems()
        if chosen:
            return chosen[0].data(PLACE_ROLE)
        return LibraryPlace("all", tr("All documents"), count=self._n_documents)

    def set_places(self, places: Sequence[LibraryPlace]) -> None:
        """List places; the chosen place stays chosen if it still exists.

        All documents have no row here, and the collections their heading above the list.
        """
        before = self.current
        self.blockSignals(True)
        self.clear()
        for place in places:
            if place.kind == "all":
                self._n_documents = place.count
            elif place.kind != "heading" or place.words != tr("Collections"):
                self._add(place, is_chosen=_key(place) == _key(before))
        self.blockSignals(False)
        if _key(self.current) != _key(before):
            self.chosen.emit(self.current)

    def _add(self, place: LibraryPlace, *, is_chosen: bool) -> None:
        item = QListWidgetItem()
        item.setData(PLACE_ROLE, place)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{place.words}, {place.count}")
        item.setToolTip(plain_tip(place.words) if len(place.words) > 18 else "")
        if place.kind in HEIGHTS:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.addItem(item)
        if is_chosen:
            self.setCurrentItem(item)

    def choose(self, kind: str, words: str = "") -> None:
        """Choose the first place of a kind, or the one with this name; "all" chooses none."""
        if kind == "all":
            self.clearSelection()
            return
        for row in range(self.count()):
            place = self.item(row).data(PLACE_ROLE)
            if place.kind == kind and words in ("", place.words):
                self.setCurrentRow(row)
                return

    def _emit_chosen(self) -> None:
        self.chosen.emit(self.current)

    def _open(self, item: QListWidgetItem) -> None:
        self.setCurrentItem(item)  # the focus alone chooses nothing
        self.opened.emit()

    def _choose_all(self) -> None:
        self.choose("all")

    def _ask_to_rename(self) -> None:
        if self.selectedItems():
            self.rename_wanted.emit(self.current)

    def _ask_to_remove(self) -> None:
        if self.selectedItems():
            self.remove_wanted.emit(self.current)

    def _ask_for_menu(self, point: QPoint) -> None:
        item = self.itemAt(point)
        place = item.data(PLACE_ROLE) if item is not None else LibraryPlace("all", "")
        self.menu_wanted.emit(place, self.viewport().mapToGlobal(point))

    def _target(self, event: QDropEvent) -> QListWidgetItem | None:
        """Return the place under the pointer that takes documents."""
        item = self.itemAt(event.position().toPoint())
        takes = ("collection", "tag", "aside", "trash")
        return item if item is not None and item.data(PLACE_ROLE).kind in takes else None

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if read_documents(event.mimeData()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        target = self._target(event) if read_documents(event.mimeData()) else None
        self._mark(target)
        if target is not None:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._mark(None)

    def dropEvent(self, event: QDropEvent) -> None:
        target, ids = self._target(event), read_documents(event.mimeData())
        self._mark(None)
        if target is not None and ids:
            event.acceptProposedAction()
            self.dropped.emit(target.data(PLACE_ROLE), ids)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._marked is not None:
            color = self._theme.color
            with QPainter(self.viewport()) as painter:
                paint_box(painter, QRectF(self._marked), color("accent", 0.08), color("accent"))

    def _mark(self, item: QListWidgetItem | None) -> None:
        self._marked = self.visualItemRect(item) if item is not None else None
        self.viewport().update()


def _key(place: LibraryPlace) -> tuple[str, int, str]:
    """Return what stays equal while the counts and the name of a collection change."""
    return place.kind, place.id, place.words if place.kind == "tag" else ""


class PlacesPanel(QWidget):
    """The part of the sidebar with the places: a heading with the button for a new collection."""

    def __init__(self, theme: Theme, places: PlacesList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = SectionTitle(tr("Collections"))
        self.new_button = IconButton(theme, "add", tr("New collection"))
        head = build_row((self.title, 1), self.new_button, spacing=-1, margins=(16, 8, 8, 0))
        listed = build_column(places, spacing=-1, margins=(8, 0, 8, 0))
        build_column(head, (listed, 1), parent=self, spacing=0)
