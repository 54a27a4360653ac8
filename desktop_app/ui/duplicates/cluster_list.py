"""The left of the merge desk: the list of clusters, what narrows and orders it, the keys.

Owns the model and the choice of a row. Looks for nothing itself: it says what is wanted.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QMenu, QVBoxLayout, QWidget

from desktop_app.engine.services.duplicates import DuplicateCluster
from desktop_app.ui.language import later, tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, Hairline, Label, SearchField, format_type
from desktop_app.ui.widgets.fields import go_to_list

from .clusters_model import CLUSTER_ROLE, ClusterDelegate, ClustersModel

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
    """Emits `chosen` with a cluster, `filtered` when others are shown, and what is wanted.

    The two buttons belong in the head of the desk, which places them.
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
        """Choose a row, the last one if there are fewer."""
        n = self.model.rowCount()
        if n:
            self.view.setCurrentIndex(self.model.index(min(max(0, row), n - 1)))
            self._tell()

    def go_on(self) -> None:
        """Choose the next row, the first after the last."""
        if n := self.model.rowCount():
            self.select((self.view.currentIndex().row() + 1) % n)

    def set_view(self, **view: object) -> None:
        """Narrow or order the list."""
        self.model.set_view(**view)
        self.filtered.emit()
        self.select(0)

    def _tell(self) -> None:
        if self.current is not None:
            self.chosen.emit(self.current)
