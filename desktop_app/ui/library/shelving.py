"""Collections, tags, details and the trash of the library screen: shown, chosen, changed.

Owns which place is looked at and the way from a wish to the service. Knows the screen's parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.model import DocumentRow
from desktop_app.engine.services.documents import TRASH_DAYS, TrashRow
from desktop_app.workers.operations import Query

from ..language import tr, trn
from ..theme.theme import Theme
from ..widgets import (
    Button,
    EmptyState,
    Label,
    PrimaryButton,
    TextDelegate,
    format_language,
    format_size,
    format_when,
)
from ..widgets.plain_tooltip import plain_tip
from ..widgets.sheet import Sheet
from ..widgets.tables import SUBTITLE_ROLE
from .menus import build_place_menu
from .places import Place, PlacesList, list_places

if TYPE_CHECKING:
    from .screen import LibraryScreen


ID_ROLE = Qt.ItemDataRole.UserRole


class TrashPage(QWidget):
    """Emits the ids that are chosen, all of them if none is."""

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
        self.restore = Button(tr("Bring back"), theme=theme, icon="undo")
        self.delete = Button(tr("Delete for good"))
        self.told = Label("", "small", wrap=True)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 8, 16, 8)
        foot.setSpacing(8)
        foot.addWidget(self.told, 1)
        foot.addWidget(self.delete)
        foot.addWidget(self.restore)
        full = QWidget()
        column = QVBoxLayout(full)
        column.setContentsMargins(8, 8, 8, 0)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addLayout(foot)
        empty = EmptyState(
            theme, "delete", tr("The trash is empty"), tr("What you delete waits here.")
        )
        self.stack = QStackedWidget()
        self.stack.addWidget(full)
        self.stack.addWidget(empty)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.stack)
        self.restore.clicked.connect(lambda: self.restore_wanted.emit(self.chosen()))
        self.delete.clicked.connect(lambda: self.delete_wanted.emit(self.chosen()))
        self.list.itemActivated.connect(lambda _: self.restore_wanted.emit(self.chosen()))
        self.list.itemSelectionChanged.connect(self._say)
        self.set_rows([])

    def set_rows(self, rows: Sequence[TrashRow], days: int = TRASH_DAYS) -> None:
        """List what was thrown away, and say after how many days it goes."""
        self.told.setText(
            trn(
                "What is here for more than a day goes for good.",
                "What is here for more than {n} days goes for good.",
                days,
            )
        )
        self.list.clear()
        for row in rows:
            facts = tr(
                "{file}, {size}, deleted {when}",
                file=row.file_name,
                size=format_size(row.size_bytes),
                when=format_when(row.trashed_at),
            )
            item = QListWidgetItem(row.title)
            item.setData(SUBTITLE_ROLE, facts)
            item.setToolTip(plain_tip(row.title))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{row.title}, {facts}")
            item.setData(ID_ROLE, row.id)
            self.list.addItem(item)
        self.stack.setCurrentIndex(0 if rows else 1)
        self._say()

    def chosen(self) -> list[int]:
        items = self.list.selectedItems() or [
            self.list.item(row) for row in range(self.list.count())
        ]
        return [item.data(ID_ROLE) for item in items]

    def _say(self) -> None:
        some = bool(self.list.selectedItems())
        self.restore.setText(tr("Bring back") if some else tr("Bring all back"))
        self.delete.setText(tr("Delete for good") if some else tr("Empty the trash"))


LANGUAGES = ("en", "zh", "de", "fr", "es", "it", "ru", "ja", "ko", "la", "und")


class DetailsDialog(Sheet):
    """Emits `given` with the fields that were changed, by name.

    Of several documents, `tags` are those that all have from now on, and `tags_shared` those
    that all had.
    """

    given = Signal(dict)

    def __init__(self, rows: Sequence[DocumentRow], parent: QWidget | None = None) -> None:
        one = rows[0] if len(rows) == 1 else None
        super().__init__(
            tr("Details")
            if one
            else trn("Details of {n} document", "Details of {n} documents", len(rows)),
            parent,
        )
        self._is_one = one is not None
        self._before = {
            "title": one.title if one else "",
            "author": self._same(rows, "author"),
            "year": self._same(rows, "year"),
            "comment": self._same(rows, "comment"),
        }
        self.title_field = QLineEdit(self._before["title"])
        self.author = QLineEdit(self._before["author"])
        self.year = QLineEdit(self._before["year"])
        self.tags = QLineEdit(", ".join(self._tags(rows)))
        self.tags.setPlaceholderText(tr("Separated by commas"))
        self.comment = QPlainTextEdit(self._before["comment"])
        self.comment.setProperty("kind", "field")
        self.comment.setPlaceholderText(tr("Where it is from, what it is for"))
        self.comment.setTabChangesFocus(True)
        self.comment.setFixedHeight(84)
        self.language = QComboBox()
        self._language = self._same(rows, "language")
        for code in dict.fromkeys((self._language, *LANGUAGES)):
            self.language.addItem(format_language(code) if code else tr("(as they are)"), code)
        self._tags_before = self.tags.text()
        body = QWidget()
        form = QFormLayout(body)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(8)
        form.setHorizontalSpacing(16)
        for words, field in (
            (tr("Title"), self.title_field),
            (tr("Author"), self.author),
            (tr("Year"), self.year),
            (tr("Language"), self.language),
            (tr("Tags"), self.tags),
            (tr("Note"), self.comment),
        ):
            if field is self.title_field and one is None:
                continue
            field.setAccessibleName(words)
            form.addRow(Label(words, "muted"), field)
        self.add(body)
        self.add(Label(tr("This stands also when the file is read again."), "small", wrap=True))
        cancel, self.save = Button(tr("Cancel")), PrimaryButton(tr("Save"))
        cancel.clicked.connect(self.reject)
        self.save.clicked.connect(self._give)
        self.add_foot([cancel, self.save])
        self.setFixedWidth(480)
        self.title_field.setCursorPosition(0)
        self.author.setFocus()

    @staticmethod
    def _same(rows: Sequence[DocumentRow], field: str) -> str:
        values = {getattr(row, field) for row in rows}
        return str(values.pop()) if len(values) == 1 else ""

    @staticmethod
    def _tags(rows: Sequence[DocumentRow]) -> list[str]:
        return sorted(set.intersection(*(set(row.tags) for row in rows)))

    def _give(self) -> None:
        now = {
            "title": self.title_field.text(),
            "author": self.author.text(),
            "year": self.year.text(),
            "comment": self.comment.toPlainText(),
        }
        given: dict[str, object] = {
            name: value for name, value in now.items() if value.strip() != self._before[name]
        }
        if self.language.currentData() != self._language:
            given["language"] = self.language.currentData()
        if self.tags.text() != self._tags_before:
            given["tags"] = _split(self.tags.text())
            if not self._is_one:  # each keeps the tags that only it has
                given["tags_shared"] = _split(self._tags_before)
        if given:
            self.given.emit(given)
        self.accept()


def _split(tags: str) -> list[str]:
    return [tag.strip() for tag in tags.replace("，", ",").split(",") if tag.strip()]


class DetailsEditing(QObject):
    """Asks for details, writes them, and offers the way back in the message bar."""

    def __init__(self, context: Any, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self.sheet: DetailsDialog | None = None

    def ask(self, rows: Sequence[DocumentRow]) -> None:
        """Ask for details and write them over what the files say."""
        if not rows:
            return
        ids = [row.id for row in rows]
        sheet = self.sheet = DetailsDialog(rows, self._window)
        sheet.given.connect(lambda given: self.write(ids, given))
        sheet.open()

    def rename(self, row: DocumentRow | None) -> None:
        if row is None:
            return
        title, agreed = QInputDialog.getText(
            self._window, tr("Rename"), tr("Title"), text=row.title
        )
        if agreed and title.strip() and title.strip() != row.title:
            self.write([row.id], {"title": title.strip()})

    def write(self, ids: list[int], given: dict[str, Any]) -> None:
        """Write details, as the sheet gives them; the message that says so brings the old back."""
        work = self._context.library_work
        fields = dict(given)
        shared = fields.pop("tags_shared", None)
        tags = fields.pop("tags", []) if shared is not None else []

        def change() -> ChangeSet:
            told = work.edit_details(ids, **fields) if fields else ChangeSet()
            return told | self._change_tags(ids, tags, [t for t in shared or () if t not in tags])

        self._run(ids, change)

    def change_tags(
        self, ids: list[int], add: Sequence[str] = (), drop: Sequence[str] = ()
    ) -> None:
        """Put tags on documents and take others off."""
        if ids:
            self._run(ids, lambda: self._change_tags(ids, add, drop))

    def _change_tags(self, ids: list[int], add: Sequence[str], drop: Sequence[str]) -> ChangeSet:
        work, told = self._context.library_work, ChangeSet()
        for tag in drop:  # before the others: the new name may differ in its case only
            told |= work.tag(ids, tag, on=False)
        for tag in add:
            told |= work.tag(ids, tag)
        return told

    def _run(self, ids: list[int], change: Callable[[], ChangeSet]) -> None:
        work = self._context.library_work

        def run() -> tuple[ChangeSet, Any]:
            kept = work.snapshot_details(ids)
            return change(), kept

        def done(result: tuple[ChangeSet, Any]) -> None:
            told, kept = result
            self._context.hub.tell(told)
            self._context.messages.show(
                tr("Details changed"),
                kind="ok",
                action_text=tr("Undo"),
                action=lambda: self._put_back(kept),
            )

        query = Query(self._context.writer_lane, run, owner=self)
        query.on_success(done).run()

    def _put_back(self, kept: Any) -> None:
        def done(change: ChangeSet) -> None:
            self._context.hub.tell(change)
            self._context.messages.show(tr("The details are as they were."), kind="ok")

        work = self._context.library_work
        query = Query(self._context.writer_lane, work.restore_details, kept, owner=self)
        query.on_success(done).run()


class CollectionsController(QObject):
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
        self.details = DetailsEditing(context, screen)
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
