"""The Names screen: the list of all entities at the left, the page of one at the right.

Owns the shown entity, the back and forward history, and the loading. Opens other screens only
through signals.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from PySide6.QtCore import QObject, QPoint, QTimer, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import UserError
from desktop_app.engine.model import EntityCard, EntityRow, EventRow, RelationRow
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.entity_menu import EntityMenu
from ..figures.pictures import FigurePictures
from ..figures.strip import FigureStrip
from ..translation import later, tr
from ..widgets import (
    STRETCH,
    EmptyState,
    Hairline,
    IconButton,
    Skeleton,
    add_shortcut,
    build_column,
    build_row,
    build_splitter,
)
from .head import build_question
from .names_panel import NamesPanel
from .page import EntityPage
from .page_loading import EntityPageLoader
from .quotes import Place
from .rejected_names import RejectedNames, RejectedNamesPage


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
        page.event_menu_wanted.connect(self._show_event_menu)
        page.sentence_menu_wanted.connect(self._show_sentence_menu)
        page.head.rename_wanted.connect(self._rename)
        page.head.renamed.connect(self._give_name)
        page.head.refused.connect(lambda why: context.messages.show(why, kind="warn"))
        page.head.merge_wanted.connect(self._merge_shown)
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
                away = menu.addMenu(tr("Remove alias"))
                for alias in card.aliases:
                    away.addAction(alias.replace("&", "&&")).triggered.connect(
                        lambda _=False, a=alias, row=card.row: self.menu.remove_alias(row, a)
                    )
            menu.addSeparator()
            menu.addAction(tr("History of this name…"), lambda: self.menu.show_history(card.row))
        menu.addAction(tr("Add name…"), self.menu.create)
        menu.addAction(tr("History of changes…"), lambda: self.menu.show_history())

    def _fill_several(self, rows: list[EntityRow]) -> None:
        menu = self._names.several_menu
        menu.clear()
        if len(rows) > 1:
            self.menu.fill(menu, rows)

    def _show_names_menu(self, point: QPoint) -> None:
        self._clear_popup()
        self.menu.fill(self.popup, self._names.selected_rows())
        self.popup.addSeparator()
        self.popup.addAction(tr("Add name…"), self.menu.create)
        self.popup.popup(point)

    def _show_relation_menu(self, relation: RelationRow, point: QPoint) -> None:
        card = self._card
        if card is None:
            return
        self._clear_popup()
        self.popup.addAction(tr("Edit…"), lambda: self.menu.relate(card.row, relation))
        self.popup.addAction(tr("Delete"), lambda: self.menu.delete_relation(relation))
        self.popup.popup(point)

    def _show_event_menu(self, event: EventRow, point: QPoint) -> None:
        self._clear_popup()
        own_id = self._card.row.id if self._card is not None else 0
        others = {part.entity_id: part.name for part in event.parts if part.entity_id != own_id}
        for entity_id, name in others.items():
            open_ = self.popup.addAction(tr("Open “{name}”", name=name.replace("&", "&&")))
            open_.triggered.connect(lambda _=False, i=entity_id: self._page.name_clicked.emit(i))
        if others:
            self.popup.addSeparator()
        self.menu.fill_event(self.popup, event)
        self.popup.popup(point)

    def _clear_popup(self) -> None:
        for sub in self.popup.findChildren(QMenu):
            sub.deleteLater()
        self.popup.clear()

    def _show_sentence_menu(self, place: Place, point: QPoint) -> None:
        actor_id = self._card.row.id if self._card is not None else 0
        self._clear_popup()
        self.popup.addAction(
            tr("Add event from this sentence…"),
            lambda: self.menu.add_event(*place, actor_id=actor_id),
        )
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
            self._clear_popup()
            self.menu.fill_types(self.popup, [self._card.row])
            self.popup.popup(point)

    def _merge(self) -> None:
        rows = self._rows()
        if len(rows) == 1:
            self.menu.pick_to_merge(rows[0])
        elif rows:
            self.menu.merge(rows)

    def _merge_shown(self) -> None:
        """Merge the entity of the page, whatever is selected in the list."""
        if self._card is not None:
            self.menu.pick_to_merge(self._card.row)

    def _show_history(self) -> None:
        if self._card is not None:
            self.menu.show_history(self._card.row)

    def _compare(self) -> None:
        rows = self._rows()
        if len(rows) == 1:
            self.menu.pick_to_compare(rows[0])
        elif len(rows) == 2:
            self.menu.compare(rows[0], rows[1])

    def _delete(self) -> None:
        if rows := self._rows():
            self.menu.delete(rows, forever=False)


class EntityHistory:
    """The visited entities, as in a browser; `here` is None before the first step."""

    def __init__(self) -> None:
        self.here: int | None = None
        self.past: list[int] = []
        self.future: list[int] = []

    def go(self, entity_id: int) -> bool:
        """Move to an entity; return False if it is the current one."""
        if entity_id == self.here:
            return False
        if self.here is not None:
            self.past.append(self.here)
        self.future.clear()
        self.here = entity_id
        return True

    def replace(self, old: int, new: int) -> None:
        """Put an entity in place of another that was merged into it."""
        self.here = new if self.here == old else self.here
        for steps in (self.past, self.future):
            steps[:] = [new if entity_id == old else entity_id for entity_id in steps]
            while steps and steps[-1] == self.here:
                steps.pop()

    def step_back(self) -> int | None:
        """Go back and return the previous entity, None at the beginning."""
        return self._step(self.past, self.future)

    def step_forward(self) -> int | None:
        """Go forward and return the next entity, None at the end."""
        return self._step(self.future, self.past)

    def _step(self, source: list[int], target: list[int]) -> int | None:
        if not source:
            return None
        if self.here is not None:
            target.append(self.here)
        self.here = source.pop()
        return self.here


MOST_NAMES = 20_000
MOST_CHANGED = 500  # of more names, the whole list is read again
NARROW = 640
LIST_WIDTH = 320  # pixels: its order has its words beside "12 of 20,000"
SETTLE_MS = 1000
PICK = later("Its page shows its description, connections and mentions.")
GONE = (
    later("This name no longer exists"),
    later("It was merged or deleted, or its documents were removed. Select another name."),
)
FAILED = (later("This page can't be shown"), later("Try again, or select another name."))


class EntityScreen(QWidget):
    """The Names screen; `show_entity` shows one entity, `show_names` the list alone."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    open_community = Signal(int)
    show_in_graph = Signal(object)
    ask_about = Signal(str)
    enrich_entity_wanted = Signal(int)

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._history = EntityHistory()
        self.setObjectName("screenBody")
        self._build()
        self._changed: Set[int] = frozenset()  # since the names were read
        self._names_stale, self._page_stale, self._keeps_rejected = True, False, False
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._catch_up)
        context.hub.edited.connect(self._settle.stop)  # is shown at once, whatever was before
        context.hub.changed.connect(self._hub_changed)

    def _build(self) -> None:
        theme = self._context.theme
        self.names = NamesPanel(theme, self)
        self.names.setMinimumWidth(220)
        self.page = EntityPage(theme, self)
        pictures = FigurePictures(self._context, self)
        self.page.set_figure_strip(
            FigureStrip(self._context, pictures, self.page.figures_place, with_title=True)
        )
        self.loader = EntityPageLoader(self._context, self.page, self)
        self.skeleton = Skeleton(theme, self)
        self.nothing = EmptyState(theme, "names", tr("Select a name"), tr(PICK), parent=self)
        self.rejected = RejectedNamesPage(theme, self)
        self._rejected = RejectedNames(self._context, self.rejected, self)
        self.corrections = EntityCorrections(self._context, self.names, self.page, self)
        self.pages = QStackedWidget(self)
        for widget in (self.nothing, self.page, self.skeleton, self.rejected):
            self.pages.addWidget(widget)
        self.list_button = IconButton(theme, "sidebar", tr("All names"), self)
        back, forward = tr("Back"), tr("Forward")
        self.back_button = IconButton(theme, "arrow-left", back, self, shortcut="Alt+Left")
        self.forward_button = IconButton(theme, "arrow-right", forward, self, shortcut="Alt+Right")
        self.entity_actions = QWidget(self)
        build_row(*self.page.head.buttons, parent=self.entity_actions, spacing=8)
        self.entity_actions.hide()
        bar = QWidget(self)
        bar.setFixedHeight(51)
        build_row(
            self.list_button,
            self.back_button,
            self.forward_button,
            STRETCH,
            self.entity_actions,
            parent=bar,
            spacing=4,
            margins=(12, 0, 12, 0),
        )
        self.right = QWidget(self)
        build_column(
            bar, Hairline(parent=self.right), (self.pages, 1), parent=self.right, spacing=0
        )
        build_column(build_splitter(self.names, self.right, sizes=(LIST_WIDTH, 720)), parent=self)
        self._connect()
        self._update_buttons()

    def _connect(self) -> None:
        self.corrections.menu.open_wanted.connect(self._pick)
        self.corrections.menu.place_wanted.connect(self.open_passage)
        self.names.picked.connect(self._pick)
        self.names.searched.connect(self._find_aliases)
        self.names.document_chosen.connect(lambda _: self.load_names())
        self.page.place_clicked.connect(self.open_passage)
        self.page.name_clicked.connect(self._pick)
        self.page.community_wanted.connect(self.open_community)
        self.loader.place_found.connect(self.open_passage)
        self.loader.card_read.connect(self._card_read)
        self.loader.failed.connect(self._card_failed)
        self.loader.moved.connect(self._moved)
        head, emit = self.page.head, self._emit_of_card
        head.graph_wanted.connect(lambda: emit(self.show_in_graph, lambda row: [row.id]))
        head.ask_wanted.connect(lambda: emit(self.ask_about, build_question))
        head.enrich_wanted.connect(lambda: emit(self.enrich_entity_wanted, lambda row: row.id))
        self.names.rejected_wanted.connect(self.show_rejected)
        self.rejected.place_clicked.connect(self.open_passage)
        self._rejected.counted.connect(self._rejected_counted)
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
        return self._history.here

    def show_entity(self, entity_id: int) -> None:
        """Show an entity; the previous one is added to the history."""
        shows_rejected = self.pages.currentWidget() is self.rejected
        if self._history.go(entity_id) or shows_rejected:
            self._load(entity_id)
        else:
            self._fold()

    def show_names(self) -> None:
        """Show the list and focus the search field."""
        self._fold(names=True)
        self.names.search.setFocus()
        self.names.search.selectAll()

    def show_names_of(self, document_id: int) -> None:
        """Show the list with the names of one document."""
        self.names.search.clear()
        self.names.choose_document(document_id)
        self.show_names()

    def show_rejected(self) -> None:
        """Show the names that a model rejected."""
        self.entity_actions.hide()
        self.back_button.setEnabled(self._history.here is not None)
        self.pages.setCurrentWidget(self.rejected)
        self._fold(page=True)

    def go_back(self) -> None:
        if self.pages.currentWidget() is self.rejected and self._history.here is not None:
            self._load(self._history.here)
        elif (entity_id := self._history.step_back()) is not None:
            self._load(entity_id)

    def go_forward(self) -> None:
        if (entity_id := self._history.step_forward()) is not None:
            self._load(entity_id)

    def refresh(self) -> None:
        """Read the shown data again."""
        self.load_names()
        if self._history.here is not None:
            self._load(self._history.here, keep=True)

    def _pick(self, entity_id: int) -> None:
        self.show_entity(entity_id)
        self.open_entity.emit(entity_id)

    def _update_buttons(self) -> None:
        self.back_button.setEnabled(bool(self._history.past))
        self.forward_button.setEnabled(bool(self._history.future))

    # --- reading ------------------------------------------------------------------------------

    def load_names(self) -> None:
        """Read the list of names."""
        self._names_stale, self._changed = False, frozenset()
        self.names.begin_loading()
        library_reader, lane = self._context.library_reader, self._context.reader_lane
        document_id = self.names.document_id

        def read() -> list[EntityRow]:
            if document_id:
                return library_reader.entities_of_document(document_id, MOST_NAMES)
            return library_reader.top_entities(limit=MOST_NAMES)

        def show(rows: list[EntityRow]) -> None:
            if document_id == self.names.document_id:
                self._show_names(rows)

        Query(lane, read, owner=self).on_success(show).on_error(self._names_failed).run()
        self._rejected.read()

    def _load_changed(self) -> None:
        """Read the names that changed."""
        changed, self._changed = self._changed, frozenset()

        def show(rows: list[EntityRow]) -> None:
            self.names.change_rows(changed, rows)

        fetch, lane = self._context.library_reader.fetch_entities, self._context.reader_lane
        query = Query(lane, fetch, sorted(changed), owner=self)
        query.on_success(show).on_error(self._names_failed).run()
        self._rejected.read()

    def _show_names(self, rows: list[EntityRow]) -> None:
        is_first = self.names.selected() is None  # then the list is where it began
        self.names.set_rows(rows)
        if self._history.here is not None:
            self.names.select(self._history.here, scroll=is_first)

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
        self._update_buttons()
        if not keep:
            self._fold()
            self.names.select(entity_id)
            if self.loader.card is None:
                self.pages.setCurrentWidget(self.skeleton)
                self.skeleton.start()
        self.loader.read(entity_id, keep=keep)

    def _moved(self, old: int, new: int) -> None:
        self._history.replace(old, new)
        self.names.select(new)

    def _card_read(self, card: EntityCard) -> None:
        self.skeleton.stop()
        self.corrections.set_card(card)
        if self._keeps_rejected:
            return
        self.pages.setCurrentWidget(self.page)
        self.entity_actions.show()

    def _card_failed(self, error: BaseException) -> None:
        self.skeleton.stop()
        self.entity_actions.hide()
        gone = isinstance(error, UserError)
        self.nothing.set_texts(*(tr(words) for words in (GONE if gone else FAILED)))
        self.pages.setCurrentWidget(self.nothing)
        if not gone:
            self._context.messages.show_error(error)

    # --- changes and room ---------------------------------------------------------------------

    def _emit_of_card(self, signal: SignalInstance, of: Callable[[EntityRow], object]) -> None:
        if self.loader.card is not None:
            signal.emit(of(self.loader.card.row))

    def _rejected_counted(self, count: int) -> None:
        self.names.set_rejected(count)
        if not count and self.pages.currentWidget() is self.rejected:
            self.pages.setCurrentWidget(self.page if self.loader.card else self.nothing)
            self.entity_actions.setVisible(self.loader.card is not None)

    def _hub_changed(self, change: ChangeNotice) -> None:
        if change.entities:
            self._changed |= change.entities
            self._names_stale = self._names_stale or len(self._changed) > MOST_CHANGED
        if self._history.here in change.entities:
            self._page_stale = True
        elif change.communities:  # they are computed after the names
            self.loader.read_communities()
        # Indexing reports changes continually: they are read once a second.
        if not self._settle.isActive():
            self._catch_up()

    def _catch_up(self) -> None:
        """Read again what changed since the last read."""
        if not self.isVisible() or not (self._names_stale or self._page_stale or self._changed):
            return
        self._settle.start()
        if self._names_stale or (self._changed and self.names.document_id):
            self.load_names()  # which names a document has changes with them
        elif self._changed:
            self._load_changed()
        if self._page_stale and self._history.here is not None:
            self._load(self._history.here, keep=self.loader.card is not None)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()

    def _fold(self, *, names: bool = False, page: bool = False) -> None:
        """Show either the list or the page if the window is narrow, else both."""
        narrow = self.width() < NARROW
        list_only = narrow and (names or (self._history.here is None and not page))
        self.names.setVisible(not narrow or list_only)
        self.right.setVisible(not list_only)
        self.list_button.setVisible(narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()
