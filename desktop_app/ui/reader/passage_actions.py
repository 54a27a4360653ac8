"""Actions on a passage or a name: the context menu, and the code behind each of its entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.engine.model import EntityCard, EntityId, EntityRow
from desktop_app.engine.services.annotations import Annotation
from desktop_app.engine.store.sheet_drafts import DraftKey
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.annotation_card import describe_removal
from ..editing.dialogs import NameDialog
from ..editing.entity_menu import EntityMenu
from ..editing.pick_dialog import PickEntityDialog
from ..translation import tr
from ..widgets.highlight_colors import COLOR_WORDS, color_icon
from .annotations import Annotations
from .cards import NameCard
from .loading import LoadedDocument, cite_quotation
from .name_highlight import NameHighlight
from .ranges import MenuTarget, Name
from .view import DocumentView

MAX_NAMES = 40
SENTENCE_ENDS = (".", "!", "?", "。", "！", "？", "\n\n")
MAX_SENTENCE_CHARS = 400
MAX_QUESTION_CHARS = 2000  # of the passage quoted in a question


class PassageActions(QObject):
    """Runs the actions that the views request and opens cards of clicked names.

    Args:
        parent: the widget over which cards and dialogs open.
    """

    entity_opened = Signal(int)
    graph_wanted = Signal(object)  # entity ids
    question_started = Signal(str)

    def __init__(
        self,
        context: SessionContext,
        views: Sequence[DocumentView],
        annotations: Annotations,
        highlight: NameHighlight,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._context, self._parent = context, parent
        self._annotations, self._name_highlight = annotations, highlight
        self._loaded: LoadedDocument | None = None
        self._view: DocumentView | None = None
        self.menu = EntityMenu(context, parent)
        self.menu.open_wanted.connect(self.entity_opened)
        self.card: NameCard | None = None
        for view in views:
            view.action_wanted.connect(self.run_action)
            view.menu_wanted.connect(partial(self._open_menu, view))
            view.name_clicked.connect(self.open_card)
            view.mark_clicked.connect(annotations.open_card)
        annotations.quote_wanted.connect(self.copy_with_source)
        annotations.ask_wanted.connect(self.ask_about_mark)
        self._actions: dict[str, Callable[[MenuTarget], None]] = {
            "copy": self._copy,
            "quote": lambda target: self.copy_with_source(target.start, target.end),
            "ask": lambda target: self._ask(target.text, target.start),
            "graph": self._show_names_in_graph,
            "highlight_note": lambda target: annotations.highlight(
                target.start, target.end, write=True
            ),
            "underline": lambda target: annotations.highlight(
                target.start, target.end, style="underline"
            ),
            "bookmark": lambda target: annotations.bookmark(target.start),
            "edit_note": self._edit_note,
            "remove_mark": lambda target: annotations.remove(target.mark_id or 0),
            "copy_picture": lambda target: annotations.copy_picture(target.mark_id or 0),
            "add_event": self._add_event,
            "add_name": self._add_name,
            "same_as": self._same_as,
            "follow": self._follow,
            "merge": lambda target: self._with_row(target, self.menu.pick_to_merge),
            "not_namesake": self._split_off,
            "not_alias": self._remove_alias,
            "not_name": lambda target: self._with_row(
                target, lambda row: self.menu.delete([row], forever=True)
            ),
        }

    def _open_menu(
        self,
        view: DocumentView,
        name: Name | None,
        offset: int | None,
        mark_id: int | None,
        point: QPoint,
    ) -> None:
        menu = build_menu(view, name, offset, mark_id)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(point)

    def set_document(self, loaded: LoadedDocument | None, view: DocumentView | None) -> None:
        self._loaded, self._view = loaded, view

    def run_action(self, action: str, target: MenuTarget) -> None:
        """Run an action by its key; "highlight" is followed by a colour."""
        kind, _, color = action.partition(" ")
        if kind == "highlight":
            self._annotations.highlight(target.start, target.end, color)
        else:
            self._actions[action](target)

    # --- passages ---------------------------------------------------------------------------

    def copy_with_source(self, start: int, end: int) -> None:
        """Copy a passage with its source: author, title and page."""
        loaded, view = self._loaded, self._view
        if loaded is None or view is None:
            return
        QGuiApplication.clipboard().setText(cite_quotation(view.copied(start, end), loaded, start))
        self._context.messages.show(tr("Copied with citation."), kind="ok")

    def _copy(self, target: MenuTarget) -> None:
        view = self._view
        if view is not None:
            QGuiApplication.clipboard().setText(view.copied(target.start, target.end).strip())

    def ask_about_mark(self, mark: Annotation) -> None:
        """Start a question with a highlight and its note."""
        self._ask(mark.quote, mark.start, mark.note)

    def _ask(self, words: str, start: int, note: str = "") -> None:
        loaded = self._loaded
        if loaded is not None:
            if len(words) > MAX_QUESTION_CHARS:
                words = words[:MAX_QUESTION_CHARS].rstrip() + "…"
            quote = cite_quotation(words, loaded, start)
            self.question_started.emit("\n".join(part for part in (quote, note) if part) + "\n")

    def _edit_note(self, target: MenuTarget) -> None:
        view = self._view
        if view is not None and target.mark_id is not None:
            middle = view.viewport().rect().center()
            self._annotations.open_card(target.mark_id, view.viewport().mapToGlobal(middle))

    def _show_names_in_graph(self, target: MenuTarget) -> None:
        if self._loaded is None:
            return

        def show(names: Sequence[Name]) -> None:
            ids = list(dict.fromkeys(name[2] for name in names))[:MAX_NAMES]
            if ids:
                self.graph_wanted.emit(ids)
            else:
                self._context.messages.show(tr("There are no names in this passage."))

        names_in, document_id = self._context.annotations.names_in, self._loaded.row.id
        self._read(names_in, document_id, target.start, target.end, then=show)

    # --- names ------------------------------------------------------------------------------

    def open_card(self, name: Name, where: QPoint) -> None:
        """Open the card of a name at a point of the screen and fetch its description."""
        if self._loaded is None:
            return
        entity_id, title, kind = name[2:]
        if self.card is not None:
            self.card.close_card()
        card = self.card = NameCard(self._context.theme, entity_id, title, kind, self._parent)
        card.opened.connect(self.entity_opened)
        card.graph_wanted.connect(lambda entity_id: self.graph_wanted.emit([entity_id]))
        card.follow_wanted.connect(self._name_highlight.follow)
        card.closed.connect(lambda: self._card_closed(card))
        card.show_at(where)
        if self._view is not None and self._view.caret.shown:
            card.open_button.setFocus(Qt.FocusReason.TabFocusReason)
        document_id = self._loaded.row.id
        library_reader, reading = self._context.library_reader, self._context.annotations

        def fetch() -> tuple[EntityCard, int]:
            known = library_reader.get_entity(entity_id)
            return known, len(reading.fetch_places(entity_id, document_id))

        def fill(found: tuple[EntityCard, int]) -> None:
            if self.card is card:
                card.fill(*found)
                self.menu.fill(card.menu, [found[0].row])

        self._read(fetch, then=fill)

    def _card_closed(self, card: NameCard) -> None:
        if self.card is card:
            self.card = None

    def _follow(self, target: MenuTarget) -> None:
        if target.name is not None:
            self._name_highlight.follow(*target.name[2:])

    def _with_row(self, target: MenuTarget, then: Callable[[EntityRow], None]) -> None:
        if target.name is not None:
            self._read(
                self._context.library_reader.get_entity,
                target.name[2],
                then=lambda card: then(card.row),
            )

    def _add_name(self, target: MenuTarget) -> None:
        sheet = NameDialog(
            tr("Add name"),
            name=target.text,
            hint=tr(
                "It is added to the graph, and every occurrence of these words becomes a mention."
            ),
            action_text=tr("Add"),
            type_="person",
            description=self._sentence_around(target),
            parent=self._parent,
        )
        editing = self._context.editing
        sheet.given.connect(
            lambda name, type_, text: self.menu.run_from(
                *(sheet, editing.create, name, type_, text),
                message=tr("“{name}” added", name=name),
            )
        )
        if self._loaded is not None:
            row = self._loaded.row
            part = f"{target.start}-{target.end}"
            key = DraftKey("name", "document", row.id, row.file_name, part)
            self._context.draft_keeper.attach(sheet, key)
        self.menu.open_sheet(sheet)

    def _add_event(self, target: MenuTarget) -> None:
        if self._loaded is not None:
            is_marked = target.name is None  # else the name is selected, not what happens
            place = self._loaded.row.id, target.start, target.end
            self.menu.add_event(*place, marks=is_marked)

    def _sentence_around(self, target: MenuTarget) -> str:
        """Return the sentence around a passage, as the first description of a new entity."""
        text = self._view.text if self._view is not None else ""
        low = max((text.rfind(sign, 0, target.start) for sign in SENTENCE_ENDS), default=-1) + 1
        ends = [text.find(sign, target.end) for sign in SENTENCE_ENDS]
        high = min((end + 1 for end in ends if end >= 0), default=len(text))
        return " ".join(text[low:high].split()) if high - low <= MAX_SENTENCE_CHARS else ""

    def _same_as(self, target: MenuTarget) -> None:
        """Merge the entity of this name with another one, or add the name as an alias."""
        words = " ".join(target.text.split())

        def show(found: Sequence[EntityRow]) -> None:
            own = next((row for row in found if row.name == words), None)
            if own is not None:
                self.menu.pick_to_merge(own)
                return
            new = EntityRow(EntityId(-1), words, "other", 0, 0, 0)
            sheet = PickEntityDialog(self._context.theme, new, self._find, self._parent)
            sheet.title.setText(tr("“{words}” is the same as…", words=words))
            sheet.setWindowTitle(sheet.title.text())
            sheet.next_button.setText(tr("Add as alias"))
            sheet.picked.connect(lambda rows: self._add_alias(words, rows))
            sheet.open()

        self._read(self._context.library_reader.find_entities, words, MAX_NAMES, then=show)

    def _add_alias(self, words: str, rows: Sequence[EntityRow]) -> None:
        first = rows[0]
        self.menu.edits.run(
            self._context.editing.add_alias,
            first.id,
            words,
            message=tr("“{words}” is now an alias of “{name}”", name=first.name, words=words),
            then=(lambda: self.menu.merge(rows)) if len(rows) > 1 else None,
        )

    def _split_off(self, target: MenuTarget) -> None:
        """Move the mention at this place to a new entity of the same name."""
        name, loaded = target.name, self._loaded
        if name is None or loaded is None:
            return

        def ask(found: tuple[int, str] | None) -> None:
            if found is None:
                self._context.messages.show(
                    tr("This name has changed in the meantime."), kind="warn"
                )
                return
            sheet = NameDialog(
                tr("Not {name}: who or what is it here?", name=name[3]),
                name=f"{found[1]} (2)",
                hint=tr(
                    "Only this mention is split off. To choose several mentions, use “Split…” on "
                    "the page of the name."
                ),
                action_text=tr("Split off"),
                type_=name[4],
                parent=self._parent,
            )
            sheet.given.connect(
                lambda given, type_, _: self.menu.run_from(
                    sheet, self._context.editing.split, name[2], [found[0]], given, type_,
                    message=tr("“{given}” split from “{name}”", given=given, name=name[3]),
                )
            )  # fmt: skip
            key = DraftKey("split_off", "entity", name[2], name[3], str(found[0]))
            self._context.draft_keeper.attach(sheet, key)
            self.menu.open_sheet(sheet)

        find = self._context.annotations.find_mention
        self._read(find, loaded.row.id, name[0], name[2], then=ask)

    def _remove_alias(self, target: MenuTarget) -> None:
        name, loaded = target.name, self._loaded
        if name is None or loaded is None:
            return

        def take(found: tuple[int, str] | None) -> None:
            if found is not None:
                entity = EntityRow(EntityId(name[2]), name[3], name[4], 0, 0, 0)
                self.menu.remove_alias(entity, found[1])

        find = self._context.annotations.find_mention
        self._read(find, loaded.row.id, name[0], name[2], then=take)

    # --- queries ----------------------------------------------------------------------------

    def _find(self, text: str, then: Callable[[Sequence[EntityRow]], None]) -> None:
        self._read(self._context.library_reader.find_entities, text, MAX_NAMES, then=then)

    def _read(self, fn: Callable[..., Any], *args: Any, then: Callable[[Any], None]) -> None:
        query = Query(self._context.reader_lane, fn, *args, owner=self)
        query.on_success(then).run()


MAX_NAME_CHARS = 60


def build_menu(
    view: DocumentView,
    name: Name | None = None,
    offset: int | None = None,
    mark_id: int | None = None,
) -> QMenu:
    """Return the menu for the selection or marked passage and for what is under the pointer."""
    menu = QMenu(view)
    target = view.menu_target(name, offset, mark_id)

    def add(words: str, action: str, to: QMenu = menu) -> None:
        to.addAction(words).triggered.connect(lambda: view.action_wanted.emit(action, target))

    if name is not None:
        _add_name_actions(menu, view, name, target)
    mark = next((mark for mark in view.marks if mark.id == mark_id), None)
    if mark is not None:
        add(tr("Edit note…"), "edit_note")
        if mark.area is not None:
            add(tr("Copy picture"), "copy_picture")
        add(describe_removal(mark), "remove_mark")
        menu.addSeparator()
    copy = menu.addAction(tr("Copy"))
    copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
    copy.setEnabled(bool(target.text))
    copy.triggered.connect(lambda: view.action_wanted.emit("copy", target))
    if target.text:
        add(tr("Copy with citation"), "quote")
    ask = menu.addAction(tr("Ask about this passage"))
    ask.setEnabled(bool(target.text))
    ask.triggered.connect(lambda: view.action_wanted.emit("ask", target))
    if target.text:
        add(tr("Show its names in the graph"), "graph")
        menu.addSeparator()
        if mark is None:
            colors = menu.addMenu(tr("Highlight"))
            for color, words in COLOR_WORDS.items():
                add(tr(words), f"highlight {color}", colors)  # not shown
                colors.actions()[-1].setIcon(color_icon(view.theme, color))
            add(tr("Underline"), "underline")
            add(tr("Highlight with a note…"), "highlight_note")
        add(tr("Add event from this sentence…"), "add_event")
        if name is None:
            _add_new_name_actions(menu, view, target)
    menu.addSeparator()
    for words, act in view.list_actions_at(offset):
        menu.addAction(words).triggered.connect(lambda _=False, act=act: act())
    add(tr("Add bookmark"), "bookmark")
    enrich = menu.addAction(view.enrich_words)
    at = view.top_offset() if offset is None else offset
    enrich.triggered.connect(lambda: view.enrich_wanted.emit(at))
    return menu


def build_more_menu(view: DocumentView) -> QMenu:
    """Return the menu of what can be done with the selection, beside what its bar shows."""
    menu = QMenu(view)
    target = view.menu_target()

    def add(words: str, action: str, keys: str = "") -> None:
        entry = menu.addAction(words)
        entry.setShortcut(QKeySequence(keys))
        entry.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # displayed only
        entry.triggered.connect(lambda: view.action_wanted.emit(action, target))

    add(tr("Copy with citation"), "quote", "Ctrl+Shift+C")
    add(tr("Show its names in the graph"), "graph", "G")
    add(tr("Add event from this sentence…"), "add_event")
    _add_new_name_actions(menu, view, target)
    menu.addSeparator()
    add(tr("Add bookmark"), "bookmark")
    return menu


def _add_new_name_actions(menu: QMenu, view: DocumentView, target: MenuTarget) -> None:
    """Offer a short selection as a name, or as another name of an entity."""
    if len(target.text) > MAX_NAME_CHARS or "\n" in target.text:
        return
    menu.addSeparator()
    words = target.text.replace("&", "&&")
    for label, action in (
        (tr("Add “{words}” as a name…", words=words), "add_name"),
        (tr("“{words}” is the same as…", words=words), "same_as"),
    ):
        menu.addAction(label).triggered.connect(
            lambda _=False, action=action: view.action_wanted.emit(action, target)
        )


def _add_name_actions(menu: QMenu, view: DocumentView, name: Name, target: MenuTarget) -> None:
    entity_id, title = name[2], name[3].replace("&", "&&")  # & would mark a key
    menu.addAction(tr("Open {name}", name=title)).triggered.connect(
        lambda: view.name_opened.emit(entity_id)
    )
    menu.addAction(tr("Show {name} in the graph", name=title)).triggered.connect(
        lambda: view.name_in_graph.emit(entity_id)
    )

    def add(words: str, action: str, to: QMenu = menu) -> None:
        to.addAction(words).triggered.connect(lambda: view.action_wanted.emit(action, target))

    add(tr("Highlight every mention of {name}", name=title), "follow")
    menu.addSeparator()
    add(tr("{name} is the same as…", name=title), "merge")
    not_it = menu.addMenu(tr("This is not {name}…", name=title))
    add(tr("Different person or thing with this name…"), "not_namesake", not_it)
    text_here = view.text[name[0] : name[1]].strip()
    if text_here and text_here != name[3]:
        words = " ".join(text_here.split()).replace("&", "&&")
        label = tr("“{words}” is not an alias of {name}", words=words, name=title)
        add(label, "not_alias", not_it)
    add(tr("Not a name: delete and ignore"), "not_name", not_it)
    menu.addSeparator()
