"""Collections, tags and the trash of the library screen: display, choice and changes.

Owns which place is chosen and the calls of the services that change collections, tags and the
trash. Reports to the screen by signals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStackedWidget,
    QWidget,
)

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.model import DocumentRow
from desktop_app.engine.services.collections import CollectionRow
from desktop_app.engine.services.documents import TRASH_DAYS, TrashRow
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    Button,
    EmptyState,
    Label,
    TextDelegate,
    build_column,
    build_row,
    format_number,
    format_size,
)
from ..widgets.line_dialog import ask_line
from ..widgets.menus import add_heading
from ..widgets.tables import SUBTITLE_ROLE
from ..widgets.words import format_day_time, plain_tip
from .details import DetailsEditor
from .places import LibraryPlace, PlacesList, PlacesPanel, list_library_places
from .table_model import DocumentTableModel

ID_ROLE = Qt.ItemDataRole.UserRole


class TrashPage(QWidget):
    """Lists the documents in the trash; signals carry the selected ids, all if none is selected."""

    restore_wanted = Signal(list)
    delete_wanted = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = QListWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setItemDelegate(TextDelegate(theme, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setAccessibleName(tr("Documents in the trash"))
        self.restore = Button(tr("Restore"), theme=theme, icon="undo")
        self.delete = Button(tr("Delete permanently"))
        self.message = Label("", "small", wrap=True)
        self.foot = QWidget()
        build_row(
            *((self.message, 1), self.delete, self.restore),
            parent=self.foot,
            margins=(16, 8, 16, 8),
        )
        full = QWidget()
        build_column((self.list, 1), self.foot, parent=full, spacing=0, margins=(8, 8, 8, 0))
        empty = EmptyState(
            theme,
            "delete",
            tr("The trash is empty"),
            tr("Deleted documents are kept here until they are removed."),
        )
        nothing_found = EmptyState(
            theme,
            "search",
            tr("No matching documents"),
            tr("No document in the trash has these words in its title or file name."),
        )
        self.stack = QStackedWidget()
        for page in (full, empty, nothing_found):
            self.stack.addWidget(page)
        self._rows: Sequence[TrashRow] = ()
        self._words: list[str] = []
        build_column((self.stack, 1), parent=self, spacing=0)
        self.restore.clicked.connect(lambda: self.restore_wanted.emit(self.chosen()))
        self.delete.clicked.connect(lambda: self.delete_wanted.emit(self.chosen()))
        self.list.itemActivated.connect(lambda _: self.restore_wanted.emit(self.chosen()))
        self.list.itemSelectionChanged.connect(self._update_buttons)
        self.set_rows([])

    def set_rows(self, rows: Sequence[TrashRow], days: int = TRASH_DAYS) -> None:
        """List the documents in the trash and the number of days until they are deleted."""
        self.message.setText(
            trn(
                "Documents are deleted permanently after a day.",
                "Documents are deleted permanently after {n} days.",
                days,
            )
        )
        self._rows = rows
        self._fill()

    def set_filter(self, text: str) -> None:
        """List only documents with every word of a text in title or file name."""
        self._words = text.casefold().split()
        self._fill()

    def _fill(self) -> None:
        chosen = {item.data(ID_ROLE) for item in self.list.selectedItems()}
        self.list.clear()
        for row in self._rows:
            words = f"{row.title} {row.file_name}".casefold()
            if not all(word in words for word in self._words):
                continue
            facts = tr(
                "{file}, {size}, deleted {when}",
                file=row.file_name,
                size=format_size(row.size_bytes),
                when=format_day_time(row.trashed_at),
            )
            item = QListWidgetItem(row.title)
            item.setData(SUBTITLE_ROLE, facts)
            item.setToolTip(plain_tip(row.title))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{row.title}, {facts}")
            item.setData(ID_ROLE, row.id)
            self.list.addItem(item)
            item.setSelected(row.id in chosen)
        self.stack.setCurrentIndex(0 if self.list.count() else 2 if self._rows else 1)
        self._update_buttons()

    def chosen(self) -> list[int]:
        """Return the selected documents; without a selection, all that are listed."""
        items = self.list.selectedItems() or [
            self.list.item(row) for row in range(self.list.count())
        ]
        return [item.data(ID_ROLE) for item in items]

    def _update_buttons(self) -> None:
        if self.list.selectedItems():
            restore, delete = tr("Restore"), tr("Delete permanently")
        elif self.list.count() < len(self._rows):
            restore, delete = tr("Restore these"), tr("Delete these permanently")
        else:
            restore, delete = tr("Restore all"), tr("Empty Trash")
        self.restore.setText(restore)
        self.delete.setText(delete)


class CollectionsController(QObject):
    """Connects the list of places, the trash and their menus with the services.

    Args:
        parent: the widget over which dialogs and menus open.
    """

    page_changed = Signal()  # other documents are shown, or the trash
    place_changed = Signal(object)  # the chosen place, or its name or count
    refresh_wanted = Signal()
    retry_wanted = Signal(int)

    def __init__(self, context: SessionContext, model: DocumentTableModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._model, self._parent = context, model, parent
        self.places = PlacesList(context.theme)
        self.panel = PlacesPanel(context.theme, self.places, parent)
        self.panel.hide()  # until a sidebar shows it
        self.panel.new_button.clicked.connect(lambda: self.new_collection())
        self.trash = TrashPage(context.theme)
        context.messages.keep_clear(self.trash.foot)
        self.rows: list[CollectionRow] = []
        self.tags: list[str] = []
        self._documents: Sequence[DocumentRow] = ()
        self._trash: list[TrashRow] = []
        self._deleted: frozenset[int] = frozenset()
        self.details = DetailsEditor(context, parent)
        self.places.chosen.connect(self._choose)
        self.places.dropped.connect(self._drop)
        self.places.menu_wanted.connect(
            lambda place, where: self.build_place_menu(place).popup(where)
        )
        self.places.rename_wanted.connect(self._rename)
        self.places.remove_wanted.connect(self._remove)
        self.trash.restore_wanted.connect(self.restore)
        self.trash.delete_wanted.connect(self._confirm_delete)

    @property
    def in_trash(self) -> bool:
        return self.places.current.kind == "trash"

    @property
    def has_trash(self) -> bool:
        return bool(self._trash)

    # --- loading ----------------------------------------------------------------------------

    def set_documents(self, rows: Sequence[DocumentRow]) -> None:
        """Set the library's documents and load collections and trash."""
        self._documents = rows
        self._read(self._context.library_reader.list_collections, self._take_collections)
        work = self._context.documents
        self._run(work.list_trash, then=self._take_trash)
        self._show_places()

    def _take_collections(self, rows: list[CollectionRow]) -> None:
        self.rows = rows
        self._show_places()
        if self.places.current.kind == "collection":
            self._choose(self.places.current)

    def _take_trash(self, rows: list[TrashRow]) -> None:
        self._trash = rows
        self.trash.set_rows(rows, self._context.documents.trash_days)
        self._show_places()
        self.page_changed.emit()

    def _show_places(self) -> None:
        self.tags = sorted({tag for row in self._documents for tag in row.tags}, key=str.casefold)
        self.places.set_places(self.list_places())
        self.place_changed.emit(self.places.current)

    def list_places(self) -> list[LibraryPlace]:
        return list_library_places(self._documents, self.rows, len(self._trash))

    def _choose(self, place: LibraryPlace) -> None:
        model = self._model
        self.place_changed.emit(place)
        if place.kind == "collection":
            fetch = self._context.library_reader.list_collection_documents

            def take(ids: Sequence[int]) -> None:
                if self.places.current == place:
                    members = set(ids)
                    model.set_place(lambda row: row.id in members)
                    self.page_changed.emit()

            self._read(fetch, take, place.id)
            return
        tests: dict[str, Callable[[DocumentRow], bool]] = {
            "tag": lambda row: place.words in row.tags,
            "aside": lambda row: row.set_aside,
            "failed": lambda row: row.state == "failed",
        }
        model.set_place(tests.get(place.kind))
        self.page_changed.emit()

    # --- changing ---------------------------------------------------------------------------

    def add_to_collection(self, collection_id: int, name: str, ids: Sequence[int]) -> None:
        text = trn(
            "{n} document added to “{name}”", "{n} documents added to “{name}”", len(ids), name=name
        )
        self._edit(self._context.collections.add, collection_id, ids, message=text)

    def new_collection(self, ids: Sequence[int] = ()) -> None:
        """Ask for the name of a new collection, which gets these documents."""

        def make(name: str) -> None:
            made = self._context.collections.create
            self._run(made, name, list(ids), then=lambda _: self.refresh_wanted.emit())

        ask_line(self._parent, tr("New collection"), tr("Name"), tr("Create"), then=make)

    def tag(self, ids: Sequence[int], tag: str, on: bool = True) -> None:
        n = len(ids)
        text = (
            trn("{n} document tagged “{tag}”", "{n} documents tagged “{tag}”", n, tag=tag)
            if on
            else trn(
                "Tag “{tag}” removed from {n} document",
                "Tag “{tag}” removed from {n} documents",
                n,
                tag=tag,
            )
        )
        self._edit(self._context.documents.tag, ids, tag, on=on, message=text)

    def set_aside(self, rows: Sequence[DocumentRow], aside: bool) -> None:
        """Exclude documents from answers, or include them; the message offers to undo."""
        ids, n = [row.id for row in rows], len(rows)
        text = (
            trn("{n} document excluded from answers", "{n} documents excluded from answers", n)
            if aside
            else trn("{n} document included in answers", "{n} documents included in answers", n)
        )
        self._edit(self._context.documents.set_aside, ids, aside, message=text)

    def rename_tag(self, place: LibraryPlace) -> None:
        """Ask for a new name of a tag and change it in all documents."""

        def rename(name: str) -> None:
            if name != place.words:
                self.details.change_tags(self._tagged(place), add=[name], drop=[place.words])

        words = (tr("Rename tag"), tr("Tag"), tr("Rename"))
        ask_line(self._parent, *words, text=place.words, then=rename)

    def remove_tag(self, place: LibraryPlace) -> None:
        """Remove a tag from all documents; the documents stay."""
        self.details.change_tags(self._tagged(place), drop=[place.words])

    def _tagged(self, place: LibraryPlace) -> list[int]:
        return [row.id for row in self._documents if place.words in row.tags]

    def new_tag(self, ids: Sequence[int]) -> None:
        """Ask for a tag that these documents get."""
        words = (tr("New tag"), tr("Tag"), tr("Add"))
        ask_line(self._parent, *words, then=lambda name: self.tag(ids, name))

    def read_next(self, document_ids: Sequence[int]) -> None:
        """Move waiting documents to the front of the queue."""
        n = len(document_ids)
        text = trn(
            "Moved to the front of the queue.", "{n} documents moved to the front of the queue.", n
        )
        self._run(self._context.documents.read_next, list(document_ids), message=text)

    def move_to_trash(self, rows: Sequence[DocumentRow]) -> None:
        """Move documents to the trash; the message offers to undo."""
        ids = [row.id for row in rows]
        if not ids:
            return

        many = trn("{n} document", "{n} documents", len(ids))
        what = f"“{rows[0].title}”" if len(ids) == 1 else many

        def work() -> tuple[ChangeNotice, int]:
            change, made = self._context.documents.trash_documents(ids)
            return change, self._context.editing.find_newest_step() if made else 0

        def done(result: tuple[ChangeNotice, int]) -> None:
            change, step = result
            self._deleted |= frozenset(ids)
            self._context.hub.publish_edit(change)
            self.details.edits.show_done(tr("{what} moved to the trash", what=what), step)

        def failed(error: BaseException) -> None:
            self._model.unhide(ids)
            self.page_changed.emit()
            self._context.messages.show_error(error)

        self._model.hide(ids)  # at once: deleting waits for other edits
        self.page_changed.emit()
        query = Query(self._context.writer_lane, work, owner=self)
        query.on_success(done).on_error(failed).run()

    def take_deleted(self) -> frozenset[int]:
        """Return the documents whose deletion has ended since the last call."""
        deleted, self._deleted = self._deleted, frozenset()
        return deleted

    def restore(self, trash_ids: list[int]) -> None:
        """Restore documents from the trash."""
        if trash_ids:
            self._run(self._context.documents.restore_documents, trash_ids)

    def _confirm_delete(self, trash_ids: list[int]) -> None:
        """Ask in the message bar before documents are deleted from the trash."""

        def delete() -> None:
            work = self._context.documents.empty_trash
            self._run(work, trash_ids, then=lambda _: self.refresh_wanted.emit())

        if not trash_ids:
            return
        question = trn(
            "Delete {n} document permanently? This can't be undone.",
            "Delete {n} documents permanently? This can't be undone.",
            len(trash_ids),
        )
        self._context.messages.show(question, kind="warn", action_text=tr("Delete"), action=delete)

    def _drop(self, place: LibraryPlace, ids: list[int]) -> None:
        rows = [row for row in self._documents if row.id in set(ids)]
        if place.kind == "collection":
            self.add_to_collection(place.id, place.words, ids)
        elif place.kind == "tag":
            self.tag(ids, place.words)
        elif place.kind == "trash":
            self.move_to_trash(rows)
        else:
            self.set_aside(rows, True)

    def delete_collection(self, place: LibraryPlace) -> None:
        self._edit(
            self._context.collections.delete,
            place.id,
            message=tr("Collection “{name}” deleted; its documents stay", name=place.words),
            then=self.refresh_wanted.emit,
        )

    def rename_collection(self, place: LibraryPlace) -> None:
        """Ask for another name of a collection."""

        def rename(name: str) -> None:
            if name != place.words:
                work = self._context.collections.rename
                self._run(work, place.id, name, after=self.refresh_wanted.emit)

        words = (tr("Rename collection"), tr("Name"), tr("Rename"))
        ask_line(self._parent, *words, text=place.words, then=rename)

    # --- menus ------------------------------------------------------------------------------

    def add_document_actions(self, menu: QMenu, rows: Sequence[DocumentRow]) -> None:
        """Add the actions for the details, collections and tags of documents."""
        ids = [row.id for row in rows]
        menu.addAction(tr("Details…"), lambda: self.details.ask(rows))
        self._fill_collection_menu(menu.addMenu(tr("Add to collection")), ids)
        place = self.places.current
        if place.kind == "collection":
            words = tr("Remove from “{name}”", name=place.words.replace("&", "&&"))
            remove = self._context.collections.remove
            menu.addAction(words, lambda: self._run(remove, place.id, ids))
        self._fill_tag_menu(menu.addMenu(tr("Tags")), rows)

    def build_collection_menu(self, rows: Sequence[DocumentRow]) -> QMenu:
        """Return the menu of collections that documents can be added to."""
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._fill_collection_menu(menu, [row.id for row in rows])
        return menu

    def build_tag_menu(self, rows: Sequence[DocumentRow]) -> QMenu:
        """Return the menu of tags; those that all documents have are checked."""
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._fill_tag_menu(menu, rows)
        return menu

    def _fill_collection_menu(self, menu: QMenu, ids: Sequence[int]) -> None:
        for row in self.rows:
            menu.addAction(row.name.replace("&", "&&")).triggered.connect(
                lambda _=False, row=row: self.add_to_collection(row.id, row.name, ids)
            )
        if self.rows:
            menu.addSeparator()
        menu.addAction(tr("New collection…"), lambda: self.new_collection(ids))

    def _fill_tag_menu(self, tags: QMenu, rows: Sequence[DocumentRow]) -> None:
        ids = [row.id for row in rows]
        for tag in self.tags:
            action = tags.addAction(tag.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(all(tag in row.tags for row in rows))
            action.triggered.connect(lambda on, tag=tag: self.tag(ids, tag, on))
        if self.tags:
            tags.addSeparator()
        tags.addAction(tr("New tag…"), lambda: self.new_tag(ids))

    def add_general_actions(self, menu: QMenu) -> None:
        """Add the actions on all documents, and the one for a new collection."""
        self._add_retry_all(menu)
        menu.addAction(tr("New collection…"), self.new_collection)

    def build_places_menu(self) -> QMenu:
        """Return the menu of all places with the actions on the chosen one."""
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        theme, current = self._context.theme, self.places.current
        for place in self.list_places():
            if place.kind == "heading":
                add_heading(menu, place.words, theme)
            elif place.kind == "rule":
                menu.addSeparator()
            else:
                count = format_number(place.count) if place.count else ""
                words = "\t".join((place.words.replace("&", "&&"), count)).strip()
                action = menu.addAction(words)
                action.setCheckable(True)
                action.setChecked((place.kind, place.words) == (current.kind, current.words))
                action.triggered.connect(
                    lambda _=False, p=place: self.places.choose(p.kind, p.words)
                )
        menu.addSeparator()
        self._add_place_actions(menu, current)
        return menu

    def build_place_menu(self, place: LibraryPlace) -> QMenu:
        """Return the context menu of a place."""
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add_place_actions(menu, place)
        return menu

    def _add_place_actions(self, menu: QMenu, place: LibraryPlace) -> None:
        menu.addAction(tr("New collection…"), self.new_collection)
        if place.kind == "collection":
            menu.addAction(tr("Rename…"), lambda: self.rename_collection(place))
            menu.addAction(tr("Delete collection"), lambda: self.delete_collection(place))
        elif place.kind == "tag":
            menu.addAction(tr("Rename…"), lambda: self.rename_tag(place))
            menu.addAction(tr("Remove tag from all documents"), lambda: self.remove_tag(place))
        elif place.kind == "failed":
            self._add_retry_all(menu)
        elif place.kind == "trash" and self.has_trash:
            ids = [row.id for row in self._trash]
            menu.addAction(tr("Empty Trash"), lambda: self._confirm_delete(ids))

    def _rename(self, place: LibraryPlace) -> None:
        if place.kind == "collection":
            self.rename_collection(place)
        elif place.kind == "tag":
            self.rename_tag(place)

    def _remove(self, place: LibraryPlace) -> None:
        """Delete a collection, or a tag from all documents; a message offers to undo."""
        if place.kind == "collection":
            self.delete_collection(place)
        elif place.kind == "tag":
            self.remove_tag(place)

    def _add_retry_all(self, menu: QMenu) -> None:
        def retry() -> None:
            for document_id in ids:
                self.retry_wanted.emit(document_id)

        if ids := [row.id for row in self._documents if row.state == "failed"]:
            menu.addAction(tr("Retry all failed ({n})", n=len(ids)), retry)

    # --- queries ----------------------------------------------------------------------------

    def _read(self, fn: Callable[..., Any], then: Callable[[Any], None], *args: Any) -> None:
        query = Query(self._context.reader_lane, fn, *args, owner=self)
        query.on_success(then).run()

    def _edit(
        self,
        fn: Callable[..., ChangeNotice],
        *args: Any,
        message: str,
        then: Callable[[], None] | None = None,
        **more: Any,
    ) -> None:
        """Run a change that can be undone; the message offers to."""
        self.details.edits.run(fn, *args, message=message, then=then, **more)

    def _run(
        self,
        fn: Callable[..., Any],
        *args: Any,
        then: Callable[[Any], None] | None = None,
        after: Callable[[], None] | None = None,
        message: str = "",
        **more: Any,
    ) -> None:
        """Run a change in the writer lane and report its `ChangeNotice`, or call `then` with it."""

        def done(result: Any) -> None:
            if then is not None:
                then(result)
            else:
                self._context.hub.publish_edit(result)
            if after is not None:
                after()
            if message:
                self._context.messages.show(message, kind="ok")

        query = Query(self._context.writer_lane, fn, *args, owner=self, **more)
        query.on_success(done).run()
