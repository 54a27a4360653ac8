"""Names: the list of all of them at the left, the page of one at the right.

Owns which entity is shown, the way back and forward, and what is read for it. Opens nothing
itself: it says so by signals.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.errors import UserError
from desktop_app.engine.types import EntityCard, EntityRow, MentionRow, RelationRow
from desktop_app.ui.context import Context
from desktop_app.ui.widgets import EmptyState, Hairline, IconButton, Skeleton
from desktop_app.workers.operations import Query

from .names_panel import NamesPanel
from .page import EntityPage

MOST_NAMES = 20_000
PAGE = 200
FIRST_RELATIONS = 100
NARROW = 640
SETTLE_MS = 1000


class EntityScreen(QWidget):
    """`show_entity` shows one, `show_names` the list alone."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)
    ask_about = Signal(str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._card: EntityCard | None = None
        self._wanted: int | None = None
        self._back: list[int] = []
        self._forward: list[int] = []
        self._loading_mentions = False
        self._no_more_mentions = False
        self.setObjectName("screenBody")
        self._build()
        self._names_stale = True
        self._page_stale = False
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._catch_up)
        context.hub.changed.connect(self._hub_changed)

    def _build(self) -> None:
        theme = self._context.theme
        self.names = NamesPanel(theme, self)
        self.names.setMinimumWidth(220)
        self.page = EntityPage(theme, self)
        self.skeleton = Skeleton(theme, self)
        self.nothing = EmptyState(
            theme,
            "names",
            "Pick a name",
            "Its page says what is known of it, whom it is connected with, and where it says so.",
            parent=self,
        )
        self.pages = QStackedWidget(self)
        for widget in (self.nothing, self.page, self.skeleton):
            self.pages.addWidget(widget)
        self.list_button = IconButton(theme, "sidebar", "All names", self)
        self.back_button = IconButton(theme, "arrow-left", "Back", self, shortcut="Alt+Left")
        self.forward_button = IconButton(
            theme, "arrow-right", "Forward", self, shortcut="Alt+Right"
        )
        bar = QWidget(self)
        bar.setFixedHeight(51)
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(4)
        for button in (self.list_button, self.back_button, self.forward_button):
            row.addWidget(button)
        row.addStretch(1)
        self.actions = QWidget(bar)
        actions = QHBoxLayout(self.actions)
        actions.setContentsMargins(0, 0, 0, 0)
        actions.setSpacing(8)
        for button in self.page.head.buttons:
            actions.addWidget(button)
        self.actions.hide()
        row.addWidget(self.actions)
        right = QWidget(self)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(Hairline(parent=right))
        column.addWidget(self.pages, 1)
        self.right = right
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.names)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([280, 720])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.splitter)
        self._join()
        self._show_ways()

    def _join(self) -> None:
        self.names.picked.connect(self._pick)
        self.names.searched.connect(self._find_aliases)
        self.page.place_clicked.connect(self.open_passage)
        self.page.name_clicked.connect(self._pick)
        self.page.evidence_wanted.connect(self._toggle_evidence)
        self.page.tick_clicked.connect(self._open_tick)
        self.page.more_mentions_wanted.connect(self._load_mentions)
        self.page.all_relations_wanted.connect(self._load_all_relations)
        self.page.head.graph_wanted.connect(self._show_in_graph)
        self.page.head.ask_wanted.connect(self._ask_about)
        self.back_button.clicked.connect(self.go_back)
        self.forward_button.clicked.connect(self.go_forward)
        self.list_button.clicked.connect(self.show_names)
        for keys, act in (("Alt+Left", self.go_back), ("Alt+Right", self.go_forward)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    # --- which entity -------------------------------------------------------------------------

    @property
    def entity_id(self) -> int | None:
        """The entity that is shown or being read."""
        return self._wanted

    def show_entity(self, entity_id: int) -> None:
        """Show an entity; the one before it is one step back."""
        if entity_id == self._wanted:
            self._fold()
            return
        if self._wanted is not None:
            self._back.append(self._wanted)
        self._forward.clear()
        self._load(entity_id)

    def show_names(self) -> None:
        """Show the list and be ready for typing in it."""
        self._fold(names=True)
        self.names.search.setFocus()
        self.names.search.selectAll()

    def go_back(self) -> None:
        if self._back:
            if self._wanted is not None:
                self._forward.append(self._wanted)
            self._load(self._back.pop())

    def go_forward(self) -> None:
        if self._forward:
            if self._wanted is not None:
                self._back.append(self._wanted)
            self._load(self._forward.pop())

    def refresh(self) -> None:
        """Read again what is shown."""
        self.load_names()
        if self._wanted is not None:
            self._load(self._wanted, keep=True)

    def _pick(self, entity_id: int) -> None:
        self.show_entity(entity_id)
        self.open_entity.emit(entity_id)

    def _show_ways(self) -> None:
        self.back_button.setEnabled(bool(self._back))
        self.forward_button.setEnabled(bool(self._forward))

    # --- reading ------------------------------------------------------------------------------

    def load_names(self) -> None:
        """Read the list of names."""
        self._names_stale = False
        self.names.begin_loading()
        exploring, lane = self._context.exploring, self._context.reader_lane
        query = Query(lane, exploring.top_entities, limit=MOST_NAMES, owner=self)
        query.on_success(self._show_names).on_error(self._names_failed).run()

    def _show_names(self, rows: list[EntityRow]) -> None:
        self.names.set_rows(rows)
        if self._wanted is not None:
            self.names.select(self._wanted, scroll=False)

    def _names_failed(self, error: BaseException) -> None:
        self.names.set_rows(())
        self._context.messages.show_error(error)

    def _find_aliases(self, text: str) -> None:
        exploring, lane = self._context.exploring, self._context.reader_lane
        query = Query(lane, exploring.find_entities, text, 50, owner=self)
        query.on_success(lambda rows: self.names.add_found(text, rows)).run()

    def _load(self, entity_id: int, *, keep: bool = False) -> None:
        self._wanted = entity_id
        self._page_stale = False
        self._loading_mentions = False
        self._show_ways()
        self._fold()
        if not keep:
            self.names.select(entity_id)
            if self._card is None:
                self.pages.setCurrentWidget(self.skeleton)
                self.skeleton.start()
        exploring = self._context.exploring
        n_relations = FIRST_RELATIONS
        n_mentions = max(PAGE, self.page.n_mentions_shown) if keep else PAGE
        self._query(
            exploring.get_entity,
            entity_id,
            then=lambda card: self._show_card(card, keep=keep),
            fail=self._card_failed,
        )
        self._query(exploring.fetch_mention_spread, entity_id, then=self.page.set_spread)
        self._query(exploring.fetch_relations, entity_id, n_relations, then=self.page.set_relations)

        def show_mentions(rows: list[MentionRow]) -> None:
            self.page.begin_mentions()
            self._add_mentions(rows, n_mentions)

        self._query(exploring.fetch_mentions, entity_id, n_mentions, 0, then=show_mentions)

    def _query(self, fn, *args, then, fail=None) -> None:
        """Read for the entity that is shown; what comes for another one is dropped."""
        wanted = self._wanted

        def take(result: object) -> None:
            if wanted == self._wanted:
                then(result)

        def failed(error: BaseException) -> None:
            if wanted == self._wanted and fail is not None:
                fail(error)

        query = Query(self._context.reader_lane, fn, *args, owner=self)
        query.on_success(take).on_error(failed).run()

    def _show_card(self, card: EntityCard, *, keep: bool) -> None:
        self.skeleton.stop()
        self._card = card
        self.page.show_card(card, keep=keep)
        self.pages.setCurrentWidget(self.page)
        self.actions.show()

    def _card_failed(self, error: BaseException) -> None:
        self.skeleton.stop()
        self._card = None
        self.actions.hide()
        gone = isinstance(error, UserError)
        self.nothing.set_texts(
            "This name is no longer there" if gone else "This page can't be shown",
            "It was merged, deleted, or its documents are gone. Pick another name."
            if gone
            else "Try again, or pick another name.",
        )
        self.pages.setCurrentWidget(self.nothing)
        if not gone:
            self._context.messages.show_error(error)

    def _load_mentions(self) -> None:
        if self._loading_mentions or self._no_more_mentions or self._wanted is None:
            return
        self._loading_mentions = True
        offset = self.page.n_mentions_shown
        self._query(
            self._context.exploring.fetch_mentions,
            self._wanted,
            PAGE,
            offset,
            then=lambda rows: self._add_mentions(rows, PAGE),
            fail=self._context.messages.show_error,
        )

    def _add_mentions(self, rows: list[MentionRow], asked: int) -> None:
        self._loading_mentions = False
        self._no_more_mentions = len(rows) < asked
        self.page.add_mentions(rows)

    def _load_all_relations(self) -> None:
        if self._card is not None:
            row = self._card.row
            fetch = self._context.exploring.fetch_relations
            self._query(fetch, row.id, row.n_relations, then=self._show_all_relations)

    def _show_all_relations(self, rows: list[RelationRow]) -> None:
        self.page.set_relations(rows)

    def _toggle_evidence(self, relation_id: int) -> None:
        if self.page.relations.quote_model.is_unfolded(relation_id):
            self.page.toggle_evidence(relation_id, None)
            return
        self._query(
            self._context.exploring.fetch_relation_evidence,
            relation_id,
            then=lambda rows: self.page.toggle_evidence(relation_id, rows),
            fail=self._context.messages.show_error,
        )

    # --- what a person does --------------------------------------------------------------------

    def _open_tick(self, document_id: int, position: float) -> None:
        entity_id, exploring = self._wanted, self._context.exploring

        def find() -> tuple[int, int]:
            n_chars = exploring.get_document(document_id).n_chars
            place = round(position * n_chars)
            near = exploring.mentions_in(document_id, max(0, place - 60), place + 60)
            own = [m for m in near if m[2] == entity_id]
            best = min(own, key=lambda m: abs(m[0] - place), default=(place, place + 1))
            return best[0], best[1]

        self._query(
            find,
            then=lambda span: self.open_passage.emit(document_id, *span),
            fail=self._context.messages.show_error,
        )

    def _show_in_graph(self) -> None:
        if self._card is not None:
            self.show_in_graph.emit([self._card.row.id])

    def _ask_about(self) -> None:
        if self._card is not None:
            self.ask_about.emit(self._card.row.name)

    def _hub_changed(self, change: ChangeSet) -> None:
        if change.everything or change.entities or change.documents:
            self._names_stale = True
        if change.everything or self._wanted in change.entities:
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
        if self._page_stale and self._wanted is not None:
            self._load(self._wanted, keep=self._card is not None)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._catch_up()

    # --- room -----------------------------------------------------------------------------------

    def _fold(self, *, names: bool = False) -> None:
        """In a narrow place show the list or the page, else both."""
        narrow = self.width() < NARROW
        list_only = narrow and (names or self._wanted is None)
        self.names.setVisible(not narrow or list_only)
        self.right.setVisible(not list_only)
        self.list_button.setVisible(narrow)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fold()
