"""Collections, tags, details and the trash of the library screen: shown, chosen, changed.

Owns which place is looked at and the way from a wish to the service. Knows the screen's parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QInputDialog

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.services.holdings import TrashRow
from desktop_app.engine.types import DocumentRow
from desktop_app.ui.language import tr, trn
from desktop_app.workers.operations import Query

from .details_work import DetailsWork
from .places import Place, PlacesList, list_places
from .shelf_menus import build_place_menu
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
        self.details = DetailsWork(context, screen)
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

    @property
    def failed_ids(self) -> list[int]:
        return [row.id for row in self._rows if row.state == "failed"]

    def retry_failed(self) -> None:
        """Read every failed document once more."""
        for document_id in self.failed_ids:
            self._screen.retry_requested.emit(document_id)

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
        self.trash.set_rows(rows, self._context.library_work.trash_days)
        self._show_places()
        self._screen.show_page()

    def _show_places(self) -> None:
        self.tags = sorted({tag for row in self._rows for tag in row.tags}, key=str.casefold)
        self.places.set_places(self.list_places())

    def list_places(self) -> list[Place]:
        return list_places(self._rows, self.collections, len(self._trash))

    def show_places(self, shown: bool) -> None:
        """Show the list where there is room; without it, the whole library is looked at."""
        if not shown and not self.places.isHidden():
            self.places.choose("all")
        self.places.setVisible(shown)

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
        self.details.ask(rows)

    def collect(self, collection_id: int, name: str, ids: list[int]) -> None:
        told = trn("{n} document in “{name}”", "{n} documents in “{name}”", len(ids), name=name)
        self._run(self._context.collections.add, collection_id, ids, told=told)

    def new_collection(self, ids: Sequence[int] = ()) -> None:
        name = self._ask(tr("New collection"), tr("Name"))
        if name:
            made = self._context.collections.create
            self._run(made, name, list(ids), then=lambda _: self._screen.refresh())

    def tag(self, ids: list[int], tag: str, on: bool = True) -> None:
        self._run(self._context.library_work.tag, ids, tag, on=on)

    def rename_tag(self, place: Place) -> None:
        """Give a tag another name wherever it is."""
        name = self._ask(tr("Rename the tag"), tr("Tag"), place.words)
        if name and name != place.words:
            self.details.change_tags(self._tagged(place), add=[name], drop=[place.words])

    def remove_tag(self, place: Place) -> None:
        """Take a tag off all documents; the documents stay."""
        self.details.change_tags(self._tagged(place), drop=[place.words])

    def _tagged(self, place: Place) -> list[int]:
        return [row.id for row in self._rows if place.words in row.tags]

    def new_tag(self, ids: list[int]) -> None:
        name = self._ask(tr("New tag"), tr("Tag"))
        if name:
            self.tag(ids, name)

    def read_next(self, document_ids: Sequence[int]) -> None:
        """Raise waiting documents in the queue."""
        n = len(document_ids)
        told = trn("It is read next.", "{n} documents are read next.", n)
        self._run(self._context.library_work.read_next, list(document_ids), told=told)

    def throw_away(self, rows: Sequence[DocumentRow]) -> None:
        """Move documents to the trash; the message brings them back."""
        ids = [row.id for row in rows]
        if not ids:
            return

        many = trn("{n} document", "{n} documents", len(ids))
        what = f"“{rows[0].title}”" if len(ids) == 1 else many

        def done(result: tuple[ChangeSet, list[int]]) -> None:
            change, made = result
            self._context.hub.tell(change)
            if made:
                self._context.messages.show(
                    tr("{what} moved to the trash", what=what),
                    kind="ok",
                    action_text=tr("Undo"),
                    action=lambda: self.restore(made),
                )
            else:
                self._context.messages.show(tr("{what} deleted.", what=what), kind="ok")

        self._run(self._context.library_work.trash_documents, ids, then=done)

    def restore(self, trash_ids: list[int]) -> None:
        """Bring documents back; they are read again."""

        def done(change: ChangeSet) -> None:
            self._context.hub.tell(change)
            self._screen.resume_requested.emit()

        if trash_ids:
            self._run(self._context.library_work.restore_documents, trash_ids, then=done)

    def empty_trash(self) -> None:
        self._let_go([row.id for row in self._trash])

    def _let_go(self, trash_ids: list[int]) -> None:
        def really() -> None:
            work = self._context.library_work.empty_trash
            self._run(work, trash_ids, then=lambda _: self._screen.refresh())

        if not trash_ids:
            return
        question = trn(
            "Delete {n} document for good? There is no way back.",
            "Delete {n} documents for good? There is no way back.",
            len(trash_ids),
        )
        self._context.messages.show(question, kind="warn", action_text=tr("Delete"), action=really)

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

    def take_out(self, place: Place, ids: list[int]) -> None:
        """Take documents out of a collection; they stay in the library."""
        self._run(self._context.collections.remove, place.id, ids)

    def delete_collection(self, place: Place) -> None:
        self._run(
            self._context.collections.delete,
            place.id,
            told=tr("Collection “{name}” deleted; its documents stay", name=place.words),
            after=self._screen.refresh,
        )

    def rename_collection(self, place: Place) -> None:
        name = self._ask(tr("Rename the collection"), tr("Name"), place.words)
        if name and name != place.words:
            rename = self._context.collections.rename
            self._run(rename, place.id, name, after=self._screen.refresh)

    def _show_menu(self, place: Place, where: QPoint) -> None:
        build_place_menu(self._screen, self, place).popup(where)

    def _ask(self, title: str, words: str, text: str = "") -> str:
        name, agreed = QInputDialog.getText(self._screen, title, words, text=text)
        return name.strip() if agreed else ""

    # --- inside -----------------------------------------------------------------------------

    def _read(self, fn: Callable[..., Any], then: Callable[[Any], None], *args: Any) -> None:
        query = Query(self._context.reader_lane, fn, *args, owner=self)
        query.on_success(then).run()

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
        query.on_success(done).run()
