"""The Names screen: the list of all entities at the left, the page of one at the right.

Owns the shown entity, the back and forward history, and the loading. Opens other screens only
through signals.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.errors import UserError
from desktop_app.engine.model import EntityCard, EntityRow, RelationRow
from desktop_app.engine.services.provenance import RejectedName
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.entity_menu import EntityMenu
from ..language import later, tr
from ..widgets import EmptyState, Hairline, IconButton, Skeleton, add_shortcut
from .back_forward import EntityBackForward
from .head import build_question
from .names_panel import NamesPanel
from .page import EntityPage
from .page_loading import EntityPageLoader
from .rejected_page import RejectedNamesPage


class EntityCorrections(QObject):
    """Connects the list of names and the entity page to the menu of corrections."""

    def __init__(
        self, context: SessionContext, names: NamesPanel, page: EntityPage, owner: QWidget
    ) -> None:
        super().__init__(owner)
        self._names, self._page = names, page
        self._card: EntityCard | None = None
        self.menu = EntityMenu(context, owner)
        self.popup = QMenu(owner)
        names.menu_wanted.connect(self._show_names_menu)
        names.chosen.connect(self._fill_several)
        page.relation_menu_wanted.connect(self._show_relation_menu)
        page.head.rename_wanted.connect(self._rename)
        page.head.renamed.connect(self._give_name)
        page.head.type_menu_wanted.connect(self._show_types)
        page.describe_wanted.connect(self._describe)
        page.belonging.history_wanted.connect(self._show_history)
        for keys, act, words in (
            ("F2", self._rename, tr("Rename this name")),
            ("Shift+F2", self._describe, tr("Describe this name")),
            ("Del", self._delete, tr("Delete this name")),  # not shown
            ("Ctrl+M", self._merge, tr("Merge with another name")),
            ("Ctrl+Shift+M", self._compare, tr("Compare with another name")),
        ):
            add_shortcut(owner, keys, act, words)
        self._fill_head()

    def set_card(self, card: EntityCard) -> None:
        """Enable the corrections of this entity."""
        self._card = card
        self._fill_head()

    # --- menus ----------------------------------------------------------------------------------

    def _fill_head(self) -> None:
        menu, card = self._page.head.actions_menu, self._card
        for sub in menu.findChildren(QMenu):
            sub.deleteLater()
        menu.clear()
        menu.addAction(self._page.head.enrich_action)
        menu.addSeparator()
        if card is not None:
            self.menu.fill(menu, [card.row])
            if card.aliases:
                away = menu.addMenu(tr("Take a name away"))
                for alias in card.aliases:
                    away.addAction(
                        alias, lambda a=alias, row=card.row: self.menu.remove_alias(row, a)
                    )
            menu.addSeparator()
            menu.addAction(tr("History of this name…"), lambda: self.menu.show_history(card.row))
        menu.addAction(tr("Add a name…"), self.menu.create)
        menu.addAction(tr("History of changes…"), lambda: self.menu.show_history())

    def _fill_several(self, rows: list[EntityRow]) -> None:
        menu = self._names.several_menu
        menu.clear()
        if len(rows) > 1:
            self.menu.fill(menu, rows)

    def _show_names_menu(self, point: QPoint) -> None:
        self.popup.clear()
        self.menu.fill(self.popup, self._names.selected_rows())
        self.popup.addSeparator()
        self.popup.addAction(tr("Add a name…"), self.menu.create)
        self.popup.popup(point)

    def _show_relation_menu(self, relation: RelationRow, point: QPoint) -> None:
        card = self._card
        if card is None:
            return
        self.popup.clear()
        self.popup.addAction(tr("Edit…"), lambda: self.menu.relate(card.row, relation))
        self.popup.addAction(tr("Delete"), lambda: self.menu.delete_relation(relation))
        self.popup.popup(point)

    # --- keys -----------------------------------------------------------------------------------

    def _rows(self) -> list[EntityRow]:
        """Return the rows that a shortcut applies to: the selected ones, else the shown entity."""
        rows = self._names.selected_rows()
        if len(rows) > 1 or self._card is None:
            return rows
        return [self._card.row]

    def _rename(self) -> None:
        """Edit the name in place on its page, or in a dialog if the entity is only selected."""
        rows, card = self._rows(), self._card
        if len(rows) != 1:
            return
        if card is not None and rows[0].id == card.row.id and self._page.isVisible():
            self._page.ensureVisible(0, 0)
            self._page.head.edit_name()
        else:
            self.menu.rename(rows[0])

    def _give_name(self, name: str) -> None:
        if self._card is not None:
            self.menu.give_name(self._card.row, name)

    def _describe(self) -> None:
        if len(rows := self._rows()) == 1:
            self.menu.describe(rows[0])

    def _show_types(self, point: QPoint) -> None:
        if self._card is not None:
            self.popup.clear()
            self.menu.fill_types(self.popup, [self._card.row])
            self.popup.popup(point)

    def _merge(self) -> None:
        rows = self._rows()
        if len(rows) == 1:
            self.menu.pick_to_merge(rows[0])
        elif rows:
            self.menu.merge(rows)

    def _show_history(self) -> None:
        if self._card is not None:
            self.menu.show_history(self._card.row)

    def _compare(self) -> None:
        rows = self._rows()
        if len(rows) == 1:
            self.menu.pick_to_compare(rows[0])
        elif len(rows) == 2:
            self.menu.compare(*rows)

    def _delete(self) -> None:
        if rows := self._rows():
            self.menu.delete(rows, forever=False)


class RejectedNames(QObject):
    """Fills `page` with rejected names; emits `counted` with their number."""

    counted = Signal(int)

    def __init__(
        self, context: SessionContext, page: RejectedNamesPage, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._page = page
        self._names: list[RejectedName] = []
        page.keep_wanted.connect(self.keep)

    def read(self) -> None:
        """Read the rejected names again."""
        context = self._context
        query = Query(context.reader_lane, context.library_reader.list_rejected_names, owner=self)
        query.on_success(self._take).run()

    def keep(self, name: str) -> None:
        """Add a rejected name to the graph permanently."""
        context = self._context
        query = Query(context.writer_lane, context.editing.keep_name, name, owner=self)
        query.on_success(lambda change: self._kept(name, change)).run()

    def _take(self, names: list[RejectedName]) -> None:
        if names != self._names:
            self._names = names
            self._page.set_names(names)
        self.counted.emit(len(names))

    def _kept(self, name: str, change: ChangeSet) -> None:
        self._context.messages.show(
            tr("“{name}” is among the names again", name=name),
            action_text=tr("Undo"),
            action=self._undo,
        )
        self._context.hub.publish(change)
        self.read()

    def _undo(self) -> None:
        context = self._context

        def on_undone(result: tuple[str | None, ChangeSet]) -> None:
            context.hub.publish(result[1])
            self.read()

        query = Query(context.writer_lane, context.editing.undo, owner=self)
        query.on_success(on_undone).run()


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
    """The Names screen; `show_entity` shows one entity, `show_names` the list alone."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)
    ask_about = Signal(str)
    enrich_entity_requested = Signal(int)

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._trail = EntityBackForward()
        self.setObjectName("screenBody")
        self._build()
        self._names_stale, self._page_stale, self._keeps_rejected = True, False, False
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._catch_up)
        context.hub.changed.connect(self._hub_changed)

    def _build(self) -> None:
        theme = self._context.theme
        self.names = NamesPanel(theme, self)
        self.names.setMinimumWidth(220)
        self.page = EntityPage(theme, self)
        self._reading = EntityPageLoader(self._context, self.page, self)
        self.skeleton = Skeleton(theme, self)
        self.nothing = EmptyState(
            theme,
            "names",
            tr("Pick a name"),
            tr(PICK),
            parent=self,
        )
        self.rejected = RejectedNamesPage(theme, self)
        self._left_out = RejectedNames(self._context, self.rejected, self)
        self.correcting = EntityCorrections(self._context, self.names, self.page, self)
        self.pages = QStackedWidget(self)
        for widget in (self.nothing, self.page, self.skeleton, self.rejected):
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
        self.names.rejected_wanted.connect(self.show_rejected)
        self.rejected.place_clicked.connect(self.open_passage)
        self._left_out.counted.connect(self._rejected_counted)
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
        """Show an entity; the previous one is added to the history."""
        shows_rejected = self.pages.currentWidget() is self.rejected
        if self._trail.go(entity_id) or shows_rejected:
            self._load(entity_id)
        else:
            self._fold()

    def show_names(self) -> None:
        """Show the list and focus the search field."""
        self._fold(names=True)
        self.names.search.setFocus()
        self.names.search.selectAll()

    def show_rejected(self) -> None:
        """Show the names that a model rejected."""
        self.actions.hide()
        self.back_button.setEnabled(self._trail.here is not None)
        self.pages.setCurrentWidget(self.rejected)
        self._fold(page=True)

    def go_back(self) -> None:
        if self.pages.currentWidget() is self.rejected and self._trail.here is not None:
            self._load(self._trail.here)
        elif (entity_id := self._trail.back()) is not None:
            self._load(entity_id)

    def go_forward(self) -> None:
        if (entity_id := self._trail.forward()) is not None:
            self._load(entity_id)

    def refresh(self) -> None:
        """Read the shown data again."""
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
        library_reader, lane = self._context.library_reader, self._context.reader_lane
        query = Query(lane, library_reader.top_entities, limit=MOST_NAMES, owner=self)
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
        library_reader, lane = self._context.library_reader, self._context.reader_lane
        query = Query(lane, library_reader.find_entities, text, 50, owner=self)
        query.on_success(lambda rows: self.names.add_found(text, rows)).run()

    def _load(self, entity_id: int, *, keep: bool = False) -> None:
        self._page_stale = False
        # a background refresh must not replace the page in view
        self._keeps_rejected = keep and self.pages.currentWidget() is self.rejected
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
        if self._keeps_rejected:
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

    def _rejected_counted(self, count: int) -> None:
        self.names.set_rejected(count)
        if not count and self.pages.currentWidget() is self.rejected:
            self.pages.setCurrentWidget(self.page if self._reading.card else self.nothing)
            self.actions.setVisible(self._reading.card is not None)

    def _hub_changed(self, change: ChangeSet) -> None:
        if change.entities:
            self._names_stale = True
        if self._trail.here in change.entities:
            self._page_stale = True
        # indexing reports changes continually: read at most once a second, and only if visible
        if self.isVisible() and not self._settle.isActive():
            self._settle.start()

    def _catch_up(self) -> None:
        """Read again what changed since the last read."""
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
        """Show either the list or the page if the window is narrow, else both."""
        narrow = self.width() < NARROW
        list_only = narrow and (names or (self._trail.here is None and not page))
        self.names.setVisible(not narrow or list_only)
        self.right.setVisible(not list_only)
        self.list_button.setVisible(narrow)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fold()
