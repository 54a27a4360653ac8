"""The left side of the merge desk: the list of clusters, its filter, order and keys.

Owns the model and the current row. Does not search for clusters: it emits requests.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.services.duplicates import DuplicateCluster, arrange

from ..language import later, tr, tr_message, trn
from ..theme.theme import Theme
from ..widgets import Button, Hairline, Label, SearchField, format_number, format_type
from ..widgets.fields import go_to_list
from ..widgets.tables import paint_ground

CLUSTER_ROLE = Qt.ItemDataRole.UserRole + 1
ROW_HEIGHT = 48


class ClustersModel(QAbstractListModel):
    """The model of clusters; all are in memory, so that filtering is immediate."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._all: list[DuplicateCluster] = []
        self._shown: list[DuplicateCluster] = []
        self._view: dict[str, Any] = {}

    @property
    def n_all(self) -> int:
        return len(self._all)

    def set_clusters(self, clusters: list[DuplicateCluster]) -> None:
        self._all = list(clusters)
        self._refresh()

    def set_view(self, **view: Any) -> None:
        """Change filter or order: see `services.duplicates.arrange`."""
        self._view |= view
        self._refresh()

    def drop(self, ids: set[int]) -> None:
        """Remove the clusters that contain any of these entities, because they are decided."""
        self.set_clusters([one for one in self._all if not ids & set(one.ids)])

    def replace(self, cluster: DuplicateCluster) -> None:
        """Replace the cluster that has the same members with a more detailed one."""
        self._all = [cluster if one.ids == cluster.ids else one for one in self._all]
        for row, one in enumerate(self._shown):
            if one.ids == cluster.ids:
                self._shown[row] = cluster
                self.dataChanged.emit(self.index(row), self.index(row))

    def find_row(self, ids: tuple[int, ...]) -> int:
        return next((i for i, one in enumerate(self._shown) if one.ids == ids), -1)

    def _refresh(self) -> None:
        self.beginResetModel()
        self._shown = arrange(self._all, **self._view)
        self.endResetModel()

    # --- what Qt asks ---------------------------------------------------------------------------

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        one = self._shown[index.row()]
        if role == CLUSTER_ROLE:
            return one
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return " · ".join(member.entity.name for member in one.members)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            names = ", ".join(member.entity.name for member in one.members)
            return f"{names}. {say_certainty(one.certainty)}. {say_why(one)}"
        return None

    def shown(self) -> list[DuplicateCluster]:
        """Return the clusters that pass the filter, in their order."""
        return list(self._shown)


class ClusterDelegate(QStyledItemDelegate):
    """Draws two lines: the names; the certainty and the reason."""

    def __init__(self, theme: Theme, parent: Any = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(160, self._theme.length(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        one: DuplicateCluster = index.data(CLUSTER_ROLE)
        paint_ground(painter, option, index, self)
        area = option.rect.adjusted(12, 4, -12, -4)
        painter.save()
        small, text = (
            self._theme.font("small"),
            self._theme.font("strong" if one.is_new else "text"),
        )
        share = tr("{n} %", n=format_number(round(100 * one.certainty)))
        if one.asked is not None:
            asked = format_number(round(100 * one.asked))
            share = tr("model {n} % · {share}", n=asked, share=share)
        width = QFontMetrics(small).horizontalAdvance(share)
        painter.setFont(small)
        painter.setPen(self._theme.color("text2"))
        top, foot = (area.top() + self._theme.length(down) for down in (15, 33))
        painter.drawText(area.right() - width, top, share)
        why = QFontMetrics(small).elidedText(
            say_why(one), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.drawText(area.left(), foot, why)
        painter.setFont(text)
        painter.setPen(self._theme.color("text"))
        names = QFontMetrics(text).elidedText(
            index.data(), Qt.TextElideMode.ElideRight, area.width() - width - 8
        )
        painter.drawText(area.left(), top, names)
        painter.restore()


def say_certainty(certainty: float) -> str:
    """Return the certainty of a cluster in words."""
    if certainty >= 0.85:
        return tr("Very likely one")
    return tr("Likely one" if certainty >= 0.6 else "Perhaps one")


def say_why(one: DuplicateCluster) -> str:
    n = trn("{n} name", "{n} names", len(one.members))
    return f"{n} · {tr_message(one.reasons[0].text)}" if one.reasons else n


STRICTNESS = (
    (later("Only very likely ones"), 0.8),
    (later("Likely ones"), 0.5),
    (later("Loose: whatever may be"), 0.25),
)
SORTS = (
    ("newest", later("Newest first")),
    ("certainty", later("Surest first")),
    ("size", later("Largest first")),
    ("mentions", later("Most named first")),
    ("asked", later("What the model is surest of")),
)
TYPES = ("", "person", "place", "organisation", "object", "event", "concept")
KEYS = later("Ctrl+Return merge · Ctrl+D never · Ctrl+J skip · Alt+1… tick · Ctrl+Shift+M compare")


class ClusterList(QWidget):
    """Emits `chosen` with a cluster, `filtered` when the filter changes, and requests.

    The merge desk places the two buttons in its toolbar.
    """

    chosen = Signal(object)
    filtered = Signal()
    look_wanted = Signal()
    certainty_wanted = Signal(float)
    ask_wanted = Signal()
    ask_all_wanted = Signal()
    many_wanted = Signal()
    history_wanted = Signal()

    def __init__(self, theme: Theme, certainty: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(240)
        self.model = ClustersModel(self)
        self.view = QListView(self)
        self.view.setModel(self.model)
        self.view.setItemDelegate(ClusterDelegate(theme, self.view))
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setAccessibleName(tr("Names that may be one"))
        self.view.selectionModel().currentChanged.connect(lambda *_: self._tell())
        self.look_button = Button(tr("Look again"), self, kind="quiet", tooltip="Ctrl+R")
        self.look_button.clicked.connect(self.look_wanted)
        self.more_button = Button("", self, kind="quiet", theme=theme, icon="sliders-horizontal")
        self.more_button.setToolTip(tr("Which ones, in what order"))
        self.more_button.setAccessibleName(self.more_button.toolTip())
        self.more_button.setMenu(self._build_menu(certainty))
        self.search = SearchField(theme, tr("Find a name"), self)
        self.search.searched.connect(lambda text: self.set_view(text=text))
        self.search.left_down.connect(lambda: go_to_list(self.view))
        self._place()

    def _place(self) -> None:
        find = QHBoxLayout()
        find.setContentsMargins(12, 8, 12, 8)
        find.addWidget(self.search)
        hint = Label(tr(KEYS), "small", self, wrap=True)
        hint.setContentsMargins(16, 6, 12, 8)
        column = QVBoxLayout(self, spacing=0)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(find)
        column.addWidget(self.view, 1)
        column.addWidget(Hairline(parent=self))
        column.addWidget(hint)

    def _build_menu(self, certainty: float) -> QMenu:
        menu = QMenu(self)
        strict = QActionGroup(self)
        for words, least in STRICTNESS:
            action = menu.addAction(tr(words))
            action.setCheckable(True)
            action.setChecked(least == certainty)
            strict.addAction(action)
            action.triggered.connect(lambda _=False, c=least: self.certainty_wanted.emit(c))
        menu.addSeparator()
        order = QActionGroup(self)
        for key, words in SORTS:
            action = menu.addAction(tr(words))
            action.setCheckable(True)
            action.setChecked(key == SORTS[0][0])
            order.addAction(action)
            action.triggered.connect(lambda _=False, k=key: self.set_view(sort=k))
        menu.addSeparator()
        types = menu.addMenu(tr("Only of type"))
        for type_ in TYPES:
            words = format_type(type_, capital=True) if type_ else tr("Any")
            types.addAction(words, lambda t=type_: self.set_view(type=t))
        menu.addSeparator()
        menu.addAction(tr("Merge all very likely ones…"), self.many_wanted.emit)
        menu.addAction(tr("Ask the chat model about this one"), self.ask_wanted.emit)
        menu.addAction(tr("Ask the chat model about all shown"), self.ask_all_wanted.emit)
        menu.addAction(tr("History of changes…"), self.history_wanted.emit)
        return menu

    # --- rows -------------------------------------------------------------------------------

    @property
    def current(self) -> DuplicateCluster | None:
        index = self.view.currentIndex()
        return index.data(CLUSTER_ROLE) if index.isValid() else None

    def select(self, row: int) -> None:
        """Select a row, the last one if there are fewer."""
        n = self.model.rowCount()
        if n:
            self.view.setCurrentIndex(self.model.index(min(max(0, row), n - 1)))
            self._tell()

    def go_on(self) -> None:
        """Select the next row; after the last one, the first."""
        if n := self.model.rowCount():
            self.select((self.view.currentIndex().row() + 1) % n)

    def set_view(self, **view: object) -> None:
        """Change the filter or the order of the list."""
        self.model.set_view(**view)
        self.filtered.emit()
        self.select(0)

    def _tell(self) -> None:
        if self.current is not None:
            self.chosen.emit(self.current)
