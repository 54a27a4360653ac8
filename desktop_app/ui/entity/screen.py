"""Names: the list of all of them at the left, the page of one at the right.

Owns which entity is shown, the way back and forward, and what is read for it. Opens nothing
itself: it says so by signals.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.errors import UserError
from desktop_app.engine.types import EntityCard, EntityRow
from desktop_app.ui.context import Context
from desktop_app.ui.language import later, tr
from desktop_app.ui.widgets import EmptyState, Hairline, IconButton, Skeleton, add_shortcut
from desktop_app.workers.operations import Query

from .correcting import Correcting
from .entity_head import build_question
from .left_out import LeftOut
from .names_panel import NamesPanel
from .page import EntityPage
from .reading import EntityReading
from .struck_page import StruckPage
from .trail import Trail

MOST_NAMES = 20_000
NARROW = 640
SETTLE_MS = 1000
PICK = later("Its page says what is known of it, whom it is connected with, and where it says so.")
GONE = (
    later("This name is no longer there"),
    later("It was merged, deleted, or its documents are gone. Pick another name."),
)
FAILED = (later("This page can't be shown"), later("Try again, or pick another name."))


class EntityScreen(QWidget):
    """`show_entity` shows one, `show_names` the list alone."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)
    ask_about = Signal(str)
    enrich_entity_requested = Signal(int)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._trail = Trail()
        self.setObjectName("screenBody")
        self._build()
        self._names_stale, self._page_stale, self._keeps_struck = True, False, False
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._catch_up)
        context.hub.changed.connect(self._hub_changed)

    def _build(self) -> None:
        theme = self._context.theme
        self.names = NamesPanel(theme, self)
        self.names.setMinimumWidth(220)
        self.page = EntityPage(theme, self)
        self._reading = EntityReading(self._context, self.page, self)
        self.skeleton = Skeleton(theme, self)
        self.nothing = EmptyState(
            theme,
            "names",
            tr("Pick a name"),
            tr(PICK),
            parent=self,
        )
        self.struck = StruckPage(theme, self)
        self._left_out = LeftOut(self._context, self.struck, self)
        self.correcting = Correcting(self._context, self.names, self.page, self)
        self.pages = QStackedWidget(self)
        for widget in (self.nothing, self.page, self.skeleton, self.struck):
            self.pages.addWidget(widget)
        self.list_button = IconButton(theme, "sidebar", tr("All names"), self)
        back, forward = tr("Back"), tr("Forward")
        self.back_button = IconButton(theme, "arrow-left", back, self, shortcut="Alt+Left")
        self.forward_button = IconButton(theme, "arrow-right", forward, self, shortcut="Alt+Right")
        bar = QWidget(self)
        bar.setFixedHeight(51)
        row = QHBoxLayout(bar, spacing=4)
        row.setContentsMargins(12, 0, 12, 0)
        for button in (self.list_button, self.back_button, self.forward_button):
            row.addWidget(button)
        row.addStretch(1)
        self.actions = QWidget(bar)
        actions = QHBoxLayout(self.actions, spacing=8)
        actions.setContentsMargins(0, 0, 0, 0)
        for button in self.page.head.buttons:
            actions.addWidget(button)
        self.actions.hide()
        row.addWidget(self.actions)
        self.right = QWidget(self)
        column = QVBoxLayout(self.right, spacing=0)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(bar)
        column.addWidget(Hairline(parent=self.right))
        column.addWidget(self.pages, 1)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.names)
        self.splitter.addWidget(self.right)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([280, 720])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.splitter)
        self._join()
        self._show_ways()

    def _join(self) -> None:
        self.correcting.menu.open_wanted.connect(self._pick)
        self.correcting.menu.place_wanted.connect(self.open_passage)
        self.names.picked.connect(self._pick)
        self.names.searched.connect(self._find_aliases)
        self.page.place_clicked.connect(self.open_passage)
        self.page.name_clicked.connect(self._pick)
        self._reading.place_found.connect(self.open_passage)
        self._reading.card_read.connect(self._card_read)
        self._reading.failed.connect(self._card_failed)
        self._reading.moved.connect(self.show_entity)
        head, tell = self.page.head, self._tell
        head.graph_wanted.connect(lambda: tell(self.show_in_graph, lambda row: [row.id]))
        head.ask_wanted.connect(lambda: tell(self.ask_about, build_question))
        head.enrich_wanted.connect(lambda: tell(self.enrich_entity_requested, lambda row: row.id))
        self.names.struck_wanted.connect(self.show_struck)
        self.struck.place_clicked.connect(self.open_passage)
        self._left_out.counted.connect(self._struck_counted)
        self.list_button.clicked.connect(self.show_names)
        for button, keys, act in (
            (self.back_button, "Alt+Left", self.go_back),
            (self.forward_button, "Alt+Right", self.go_forward),
        ):
            button.clicked.connect(act)
            add_shortcut(self, keys, act)

    # --- which entity -------------------------------------------------------------------------

    @property
    def entity_id(self) -> int | None:
        """The entity that is shown or being read."""
        return self._trail.here

    def show_entity(self, entity_id: int) -> None:
        """Show an entity; the one before it is one step back."""
        shows_struck = self.pages.currentWidget() is self.struck
        if self._trail.go(entity_id) or shows_struck:
            self._load(entity_id)
        else:
            self._fold()

    def show_names(self) -> None:
        """Show the list and be ready for typing in it."""
        self._fold(names=True)
        self.names.search.setFocus()
        self.names.search.selectAll()

    def show_struck(self) -> None:
        """Show the words that a model left out of the graph."""
        self.actions.hide()
        self.back_button.setEnabled(self._trail.here is not None)
        self.pages.setCurrentWidget(self.struck)
        self._fold(page=True)

    def go_back(self) -> None:
        if self.pages.currentWidget() is self.struck and self._trail.here is not None:
            self._load(self._trail.here)
        elif (entity_id := self._trail.back()) is not None:
            self._load(entity_id)

    def go_forward(self) -> None:
        if (entity_id := self._trail.forward()) is not None:
            self._load(entity_id)

    def refresh(self) -> None:
        """Read again what is shown."""
        self.load_names()
        if self._trail.here is not None:
            self._load(self._trail.here, keep=True)

    def _pick(self, entity_id: int) -> None:
        self.show_entity(entity_id)
        self.open_entity.emit(entity_id)

    def _show_ways(self) -> None:
        self.back_button.setEnabled(self._trail.can_go_back)
        self.forward_button.setEnabled(self._trail.can_go_forward)

    # --- reading ------------------------------------------------------------------------------

    def load_names(self) -> None:
        """Read the list of names."""
        self._names_stale = False
        self.names.begin_loading()
        exploring, lane = self._context.exploring, self._context.reader_lane
        query = Query(lane, exploring.top_entities, limit=MOST_NAMES, owner=self)
        query.on_success(self._show_names).on_error(self._names_failed).run()
        self._left_out.read()

    def _show_names(self, rows: list[EntityRow]) -> None:
        self.names.set_rows(rows)
        if self._trail.here is not None:
            self.names.select(self._trail.here, scroll=False)

    def _names_failed(self, error: BaseException) -> None:
        if not self.names.model.n_all:
            self.names.set_rows(())
        self._context.messages.show_error(error)

    def _find_aliases(self, text: str) -> None:
        exploring, lane = self._context.exploring, self._context.reader_lane
        query = Query(lane, exploring.find_entities, text, 50, owner=self)
        query.on_success(lambda rows: self.names.add_found(text, rows)).run()

    def _load(self, entity_id: int, *, keep: bool = False) -> None:
        self._page_stale = False
        # what is read again in the background must not push away what is looked at
        self._keeps_struck = keep and self.pages.currentWidget() is self.struck
        self._show_ways()
        if not keep:
            self._fold()
            self.names.select(entity_id)
            if self._reading.card is None:
                self.pages.setCurrentWidget(self.skeleton)
                self.skeleton.start()
        self._reading.read(entity_id, keep=keep)

    def _card_read(self, card: EntityCard) -> None:
        self.skeleton.stop()
        self.correcting.set_card(card)
        if self._keeps_struck:
            return
        self.pages.setCurrentWidget(self.page)
        self.actions.show()

    def _card_failed(self, error: BaseException) -> None:
        self.skeleton.stop()
        self.actions.hide()
        gone = isinstance(error, UserError)
        self.nothing.set_texts(*(tr(words) for words in (GONE if gone else FAILED)))
        self.pages.setCurrentWidget(self.nothing)
        if not gone:
            self._context.messages.show_error(error)

    # --- what a person does --------------------------------------------------------------------

    def _tell(self, signal: SignalInstance, of: Callable[[EntityRow], object]) -> None:
        if self._reading.card is not None:
            signal.emit(of(self._reading.card.row))

    def _struck_counted(self, count: int) -> None:
        self.names.set_struck(count)
        if not count and self.pages.currentWidget() is self.struck:
            self.pages.setCurrentWidget(self.page if self._reading.card else self.nothing)
            self.actions.setVisible(self._reading.card is not None)

    def _hub_changed(self, change: ChangeSet) -> None:
        if change.everything or change.entities or change.documents:
            self._names_stale = True
        if change.everything or self._trail.here in change.entities:
            self._page_stale = True
        # indexing tells of changes all the time: read at most once a second, and only if seen
        if self.isVisible() and not self._settle.isActive():
            self._settle.start()

    def _catch_up(self) -> None:
        """Read again what changed since it was read."""
        if not self.isVisible():
            return
        if self._names_stale:
            self.load_names()
        if self._page_stale and self._trail.here is not None:
            self._load(self._trail.here, keep=self._reading.card is not None)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._catch_up()

    # --- room -----------------------------------------------------------------------------------

    def _fold(self, *, names: bool = False, page: bool = False) -> None:
        """In a narrow place show the list or the page, else both."""
        narrow = self.width() < NARROW
        list_only = narrow and (names or (self._trail.here is None and not page))
        self.names.setVisible(not narrow or list_only)
        self.right.setVisible(not list_only)
        self.list_button.setVisible(narrow)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fold()
