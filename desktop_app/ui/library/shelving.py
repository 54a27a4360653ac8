"""Collections, tags, details and the trash of the library screen: shown, chosen, changed.

Owns which place is looked at and the way from a wish to the service. Knows the screen's parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QInputDialog, QMenu

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.services.holdings import TrashRow
from desktop_app.engine.types import DocumentRow
from desktop_app.ui.widgets import plural
from desktop_app.workers.operations import Query

from .details_sheet import DetailsSheet
from .places import Place, PlacesList, list_places
from .trash_page import TrashPage

if TYPE_CHECKING:
    from .screen import LibraryScreen


class Shelving(QObject):
    """Joins the list of places, the trash and the menus of one screen."""

    def __init__(self, context: Any, screen: LibraryScreen) -> None:
        super().__init__(screen)
        self._context, self._screen = context, screen
        self.places = PlacesList(context.theme)
        self.trash = TrashPage(context.theme)
        self.collections: list[Any] = []
        self.tags: list[str] = []
        self._rows: Sequence[DocumentRow] = ()
        self._trash: list[TrashRow] = []
        self.sheet: DetailsSheet | None = None
        self.places.chosen.connect(self._choose)
        self.places.dropped.connect(self._drop)
        self.places.menu_wanted.connect(self._show_menu)
        self.trash.restore_wanted.connect(self.restore)
        self.trash.delete_wanted.connect(self._let_go)

    @property
    def in_trash(self) -> bool:
        return self.places.current.kind == "trash"

    @property
    def has_trash(self) -> bool:
        return bool(self._trash)

    # --- reading ----------------------------------------------------------------------------

    def set_rows(self, rows: Sequence[DocumentRow]) -> None:
        """Take the documents anew and read what they are in."""
        self._rows = rows
        self._read(self._context.exploring.list_collections, self._take_collections)
        work = self._context.library_work
        self._run(work.list_trash, then=self._take_trash)
        self._show_places()

    def _take_collections(self, rows: list[Any]) -> None:
        self.collections = rows
        self._show_places()
        if self.places.current.kind == "collection":
            self._choose(self.places.current)

    def _take_trash(self, rows: list[TrashRow]) -> None:
        self._trash = rows
        self.trash.set_rows(rows)
        self._show_places()
        self._screen.show_page()

    def _show_places(self) -> None:
        self.tags = sorted({tag for row in self._rows for tag in row.tags}, key=str.casefold)
        self.places.set_places(self._list_places())

    def _list_places(self) -> list[Place]:
        return list_places(self._rows, self.collections, len(self._trash))

    def show_places(self, shown: bool) -> None:
        """Show the list where there is room; without it, the whole library is looked at."""
        if not shown and not self.places.isHidden():
            self.places.choose("all")
        self.places.setVisible(shown)

    def add_places_menu(self, menu: QMenu) -> None:
        """Offer the places where their list has no room, and what concerns all of one."""
        if self.places.isHidden():
            into = menu.addMenu("Show")
            for place in self._list_places():
                if place.kind != "heading":
                    words = f"{place.words}  ({place.count})" if place.count else place.words
                    into.addAction(words, lambda p=place: self.places.choose(p.kind, p.words))
        failed = [row for row in self._rows if row.state == "failed"]
        if failed:
            retry = self._screen.retry_requested
            menu.addAction(
                f"Retry all failed ({len(failed)})", lambda: [retry.emit(r.id) for r in failed]
            )
        menu.addAction("New collection…", self.new_collection)

    def _choose(self, place: Place) -> None:
        model = self._screen.model
        if place.kind == "collection":
            fetch = self._context.exploring.list_collection_documents

            def take(ids: Sequence[int]) -> None:
                if self.places.current == place:
                    members = set(ids)
                    model.set_place(lambda row: row.id in members)
                    self._screen.show_page()

            self._read(fetch, take, place.id)
            return
        tests: dict[str, Callable[[DocumentRow], bool]] = {
            "tag": lambda row: place.words in row.tags,
            "aside": lambda row: row.set_aside,
            "failed": lambda row: row.state == "failed",
        }
        model.set_place(tests.get(place.kind))
        self._screen.show_page()

    # --- changing ---------------------------------------------------------------------------

    def edit_details(self, rows: Sequence[DocumentRow]) -> None:
        """Ask for details and write them over what the files say."""
        if not rows:
            return
        ids = [row.id for row in rows]
        sheet = self.sheet = DetailsSheet(rows, self._screen)
        sheet.given.connect(
            lambda given: self._run(self._context.library_work.edit_details, ids, **given)
        )
        sheet.open()

    def add_menu(self, menu: QMenu, rows: Sequence[DocumentRow]) -> None:
        """Add what can be done with documents about their shelf."""
        ids = [row.id for row in rows]
        menu.addAction("Details…", lambda: self.edit_details(rows))
        into = menu.addMenu("Add to collection")
        for found in self.collections:
            into.addAction(found.name, lambda c=found: self.collect(c.id, c.name, ids))
        if self.collections:
            into.addSeparator()
        into.addAction("New collection…", lambda: self.new_collection(ids))
        place = self.places.current
        if place.kind == "collection":
            remove = self._context.collections.remove
            menu.addAction(f"Take out of “{place.words}”", lambda: self._run(remove, place.id, ids))
        tags = menu.addMenu("Tags")
        for tag in self.tags:
            action = tags.addAction(tag)
            action.setCheckable(True)
            action.setChecked(all(tag in row.tags for row in rows))
            action.triggered.connect(lambda on, tag=tag: self.tag(ids, tag, on))
        if self.tags:
            tags.addSeparator()
        tags.addAction("New tag…", lambda: self.new_tag(ids))

    def collect(self, collection_id: int, name: str, ids: list[int]) -> None:
        told = f"{plural(len(ids), 'document')} in “{name}”"
        self._run(self._context.collections.add, collection_id, ids, told=told)

    def new_collection(self, ids: Sequence[int] = ()) -> None:
        name = self._ask("New collection", "Name")
        if name:
            made = self._context.collections.create
            self._run(made, name, list(ids), then=lambda _: self._screen.refresh())

    def tag(self, ids: list[int], tag: str, on: bool = True) -> None:
        self._run(self._context.library_work.tag, ids, tag, on=on)

    def new_tag(self, ids: list[int]) -> None:
        name = self._ask("New tag", "Tag")
        if name:
            self.tag(ids, name)

    def read_next(self, document_id: int) -> None:
        self._run(self._context.library_work.read_next, document_id, told="It is read next.")

    def throw_away(self, rows: Sequence[DocumentRow]) -> None:
        """Move documents to the trash; the message brings them back."""
        ids = [row.id for row in rows]
        if not ids:
            return
        title = f"“{rows[0].title}”" if len(rows) == 1 else plural(len(rows), "document")

        def done(result: tuple[ChangeSet, list[int]]) -> None:
            change, made = result
            self._context.hub.tell(change)
            if made:
                self._context.messages.show(
                    f"{title} moved to the trash", kind="ok", action_text="Undo",
                    action=lambda: self.restore(made),
                )  # fmt: skip
            else:
                self._context.messages.show(f"{title} deleted.", kind="ok")

        self._run(self._context.library_work.trash_documents, ids, then=done)

    def restore(self, trash_ids: list[int]) -> None:
        """Bring documents back; they are read again."""

        def done(change: ChangeSet) -> None:
            self._context.hub.tell(change)
            self._screen.resume_requested.emit()

        if trash_ids:
            self._run(self._context.library_work.restore_documents, trash_ids, then=done)

    def _let_go(self, trash_ids: list[int]) -> None:
        def really() -> None:
            work = self._context.library_work.empty_trash
            self._run(work, trash_ids, then=lambda _: self._screen.refresh())

        if trash_ids:
            self._context.messages.show(
                f"Delete {plural(len(trash_ids), 'document')} for good? There is no way back.",
                kind="warn", action_text="Delete", action=really,
            )  # fmt: skip

    def _drop(self, place: Place, ids: list[int]) -> None:
        rows = [row for row in self._rows if row.id in set(ids)]
        if place.kind == "collection":
            self.collect(place.id, place.words, ids)
        elif place.kind == "tag":
            self.tag(ids, place.words)
        elif place.kind == "trash":
            self.throw_away(rows)
        else:
            for row in rows:
                self._screen.set_aside(row, True)

    def build_place_menu(self, place: Place) -> QMenu:
        """Return what can be done with a place."""
        menu = QMenu(self._screen)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("New collection…", self.new_collection)
        if place.kind == "collection":
            held = self._context.collections
            menu.addAction("Rename…", lambda: self._rename(place))
            told = f"Collection “{place.words}” deleted; its documents stay"
            refresh = self._screen.refresh
            menu.addAction(
                "Delete the collection",
                lambda: self._run(held.delete, place.id, told=told, after=refresh),
            )
        elif place.kind == "trash" and self._trash:
            menu.addAction("Empty the trash", lambda: self._let_go([r.id for r in self._trash]))
        return menu

    def _rename(self, place: Place) -> None:
        name = self._ask("Rename the collection", "Name", place.words)
        if name and name != place.words:
            rename = self._context.collections.rename
            self._run(rename, place.id, name, after=self._screen.refresh)

    def _show_menu(self, place: Place, where: QPoint) -> None:
        self.build_place_menu(place).popup(where)

    def _ask(self, title: str, words: str, text: str = "") -> str:
        name, agreed = QInputDialog.getText(self._screen, title, words, text=text)
        return name.strip() if agreed else ""

    # --- inside -----------------------------------------------------------------------------

    def _read(self, fn: Callable[..., Any], then: Callable[[Any], None], *args: Any) -> None:
        query = Query(self._context.reader_lane, fn, *args, owner=self)
        query.on_success(then).on_error(self._context.messages.show_error).run()

    def _run(
        self,
        fn: Callable[..., Any],
        *args: Any,
        then: Callable[[Any], None] | None = None,
        after: Callable[[], None] | None = None,
        told: str = "",
        **more: Any,
    ) -> None:
        def done(result: Any) -> None:
            if then is not None:
                then(result)
            else:
                self._context.hub.tell(result)
            if after is not None:
                after()
            if told:
                self._context.messages.show(told, kind="ok")

        query = Query(self._context.writer_lane, fn, *args, owner=self, **more)
        query.on_success(done).on_error(self._context.messages.show_error).run()
