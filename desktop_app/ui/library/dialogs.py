"""Dialogs of the library: its file and backups, watched folders, refused files, deletion.

Owns their texts and widgets; requests are emitted as signals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from desktop_app.engine.messages import Message
from desktop_app.engine.model import DocumentRow, LibraryOverview
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
from ..widgets import (
    Button,
    FactGrid,
    Label,
    PrimaryButton,
    SectionTitle,
    build_column,
    build_row,
    format_number,
    format_size,
)
from ..widgets.save_dialog import ask_where_to_save
from ..widgets.sheet import Sheet, scrolling
from ..widgets.states import ListOrWords
from ..widgets.words import plain_tip, show_controls

if TYPE_CHECKING:
    from desktop_app.engine.services.editing.previews import DeletePreview

PATTERNS = "*.inkgraph *.backup"


class LibraryFileDialog(Sheet):
    """Shows the library's file; signals carry the path of a backup, or (backup, new library)."""

    backup_wanted = Signal(str)
    compact_wanted = Signal()
    check_wanted = Signal()
    remove_versions_wanted = Signal()
    restore_wanted = Signal(str, str)
    encrypt_wanted = Signal()  # or: change the passphrase
    decrypt_wanted = Signal()

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, is_encrypted: bool = False
    ) -> None:
        super().__init__(tr("This library"), parent)
        self._path = ""
        self.facts = FactGrid()
        self.add(self.facts)
        self.add(self._build_encryption_row(theme, is_encrypted))
        self.message = Label("", "muted", wrap=True)
        self.message.hide()
        self.add(self.message)
        self.show_button = Button(tr("Show in its folder"), theme=theme, icon="ph.folder-open")
        self.compact = Button(tr("Compact"))
        self.check = Button(tr("Check"))
        self.remove_versions = Button(tr("Remove previous versions"))
        self.remove_versions.clicked.connect(self.remove_versions_wanted)
        self.restore = Button(tr("Open a copy…"))
        self.backup = Button(tr("Save a copy…"))
        done = PrimaryButton(tr("Close"))
        self.show_button.clicked.connect(self._show)
        self.compact.clicked.connect(self.compact_wanted)
        self.check.clicked.connect(self.check_wanted)
        self.backup.clicked.connect(self._ask_where)
        self.restore.clicked.connect(self._ask_which)
        done.clicked.connect(self.accept)
        self.add(SectionTitle(tr("Copies")))
        self._add_action(
            tr("Save a copy elsewhere, or open one as a new library"), self.restore, self.backup
        )
        self.add(SectionTitle(tr("Maintenance")))
        self._add_action(tr("Find damage of the library"), self.check)
        self._add_action(tr("Free the disk space of deleted data"), self.compact)
        self._versions_row = self._add_action(
            tr("Changed files can't be restored after that; “Compact” then frees the disk space"),
            self.remove_versions,
        )
        self.add_foot([done], [self.show_button], line=True)
        self.setFixedWidth(theme.breadth(600))

    def _add_action(self, words: str, *buttons: Button) -> QWidget:
        """Add a line that says what its buttons do."""
        row = QWidget()
        build_row((Label(words, wrap=True), 1), *buttons, parent=row)
        self.add(row)
        return row

    def _build_encryption_row(self, theme: Theme, is_encrypted: bool) -> QWidget:
        """Return a row that says whether the file is encrypted, with the buttons to change it."""
        row = QWidget()
        self.encrypt = Button(
            tr("Change passphrase…") if is_encrypted else tr("Encrypt…"),
            theme=theme,
            icon="ph.lock",
        )
        self.decrypt = Button(tr("Decrypt…"))
        self.decrypt.setVisible(is_encrypted)
        self.encrypt.clicked.connect(self.encrypt_wanted)
        self.decrypt.clicked.connect(self.decrypt_wanted)
        if is_encrypted:
            words = tr("The library and its backups are encrypted; exported files are not.")
        else:
            words = tr("The file is not encrypted.")
        build_row((Label(words, wrap=True), 1), self.encrypt, self.decrypt, parent=row, spacing=8)
        return row

    def set_overview(self, found: LibraryOverview) -> None:
        """Show the path, the size and the contents of the library."""
        self._path = found.path
        self.facts.set_facts(
            [
                (tr("Name"), found.name),
                (tr("File"), found.path),
                (tr("Size"), format_size(found.size_bytes)),
                (tr("Documents"), format_number(found.n_documents)),
                (tr("Names"), format_number(found.n_entities)),
                (tr("Passages"), format_number(found.n_chunks)),
                (tr("Chats"), format_number(found.n_chats)),
                (
                    tr("Previous versions"),
                    format_size(found.versions_bytes) if found.versions_bytes else "",
                ),
            ]
        )
        self._versions_row.setVisible(found.versions_bytes > 0)

    def show_message(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _show(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(self._path).parent)))

    def _ask_where(self) -> None:
        start = Path(self._path)
        place = str(start.with_name(tr("{name} backup", name=start.stem) + ".inkgraph"))
        if path := ask_where_to_save(self, tr("Back up the library"), place, _kinds()):
            self.backup_wanted.emit(str(path))

    def _ask_which(self) -> None:
        folder = str(Path(self._path).parent)
        backup, _ = QFileDialog.getOpenFileName(self, tr("Open a backup"), folder, _kinds())
        if not backup:
            return
        place = str(Path(folder) / (tr("{name} restored", name=Path(backup).stem) + ".inkgraph"))
        if target := ask_where_to_save(self, tr("Where to keep it"), place, _kinds()):
            self.restore_wanted.emit(backup, str(target))


def _kinds() -> str:
    return f"{tr('Inkgraph libraries')} ({PATTERNS})"


HOW = later("""New and changed files in these folders are added automatically while Inkgraph is \
open. If you delete a file there, you are notified and its document is kept.""")


class WatchedFoldersDialog(Sheet):
    """Lists the watched folders; `watch_wanted` and `forget_wanted` carry a path."""

    watch_wanted = Signal(str)
    forget_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Watched folders"), parent)
        self.add(Label(tr(HOW), "muted", wrap=True))
        self.list = QListWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(tr("Watched folders"))
        self.found = ListOrWords(self.list, tr("No folder is watched."))
        self.add(self.found)
        self.column.setStretch(self.column.count() - 1, 1)
        self.forget = Button(tr("Stop watching"))
        self.choose = Button(tr("Watch a folder…"), theme=theme, icon="add-folder")
        done = PrimaryButton(tr("Done"))
        self.forget.clicked.connect(self._forget)
        self.choose.clicked.connect(self._choose)
        done.clicked.connect(self.accept)
        self.add_foot([self.choose, done], [self.forget], line=True)
        self.list.itemSelectionChanged.connect(self._update_button)
        self.fit(520, 360)
        self.set_folders([])

    def set_folders(self, folders: Sequence[str]) -> None:
        self.list.clear()
        self.list.addItems(list(folders))
        self.found.show_words("" if folders else tr("No folder is watched."))
        self._update_button()

    def _update_button(self) -> None:
        self.forget.setEnabled(bool(self.list.selectedItems()))

    def _choose(self) -> None:
        if folder := QFileDialog.getExistingDirectory(self, tr("Watch a folder")):
            self.watch_wanted.emit(folder)

    def _forget(self) -> None:
        for item in self.list.selectedItems():
            self.forget_wanted.emit(item.text())


WHY_ASKED = later(
    "This library was made by an older version of Inkgraph and names these folders to be watched. "
    "If the library is from another person, so are the folders. Nothing is read in a folder that "
    "is not chosen here."
)


class RequestedFoldersDialog(Sheet):
    """Asks which folders that a library names are to be watched; `answered` carries their paths.

    It is emitted once, however the dialog is closed; nothing is chosen at first.
    """

    answered = Signal(list)

    def __init__(self, folders: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(tr("Watch these folders?"), parent)
        self.add(Label(tr(WHY_ASKED), "muted", wrap=True))
        self.list = QListWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(tr("Folders that the library names"))
        for folder in folders:
            item = QListWidgetItem(show_controls(folder), self.list)
            item.setData(Qt.ItemDataRole.UserRole, folder)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked)
        self.add(self.list)
        self.column.setStretch(self.column.count() - 1, 1)
        self.watch = Button(tr("Watch the chosen folders"))
        self.refuse = PrimaryButton(tr("Don't watch"))
        self.watch.clicked.connect(self.accept)
        self.refuse.clicked.connect(self.reject)
        self.add_foot([self.watch, self.refuse], line=True)
        self.list.itemChanged.connect(self._update_button)
        self.finished.connect(self._answer)
        self.fit(520, 360)
        self._update_button()

    def _chosen(self) -> list[str]:
        items = [self.list.item(i) for i in range(self.list.count())]
        return [
            item.data(Qt.ItemDataRole.UserRole)
            for item in items
            if item.checkState() is Qt.CheckState.Checked
        ]

    def _update_button(self) -> None:
        self.watch.setEnabled(bool(self._chosen()))

    def _answer(self, result: int) -> None:
        self.answered.emit(self._chosen() if result == QDialog.DialogCode.Accepted else [])


MAX_LISTED = 200  # files; all of them are copied


class RefusedFilesDialog(Sheet):
    """Lists files that were not added, with the reasons.

    Args:
        refused: path -> reason.
    """

    def __init__(self, refused: Mapping[str, Message], parent: QWidget | None = None) -> None:
        n = len(refused)
        super().__init__(trn("{n} file was not added", "{n} files were not added", n), parent)
        self._lines = [(path, tr_message(reason)) for path, reason in refused.items()]
        body = QWidget()
        column = build_column(parent=body, spacing=0)
        for path, reason in self._lines[:MAX_LISTED]:
            name = Label(Path(path).name, "strong", wrap=True)
            name.setToolTip(plain_tip(path))
            column.addWidget(name)
            column.addWidget(Label(reason, "muted", wrap=True))
            column.addSpacing(12)
        if n > MAX_LISTED:
            column.addWidget(Label(trn("and {n} more", "and {n} more", n - MAX_LISTED), "small"))
        column.addStretch(1)
        area = scrolling(body)
        self.column.addWidget(area, 1)
        copy, close = Button(tr("Copy the list")), PrimaryButton(tr("Close"))
        copy.clicked.connect(self._copy)
        close.clicked.connect(self.accept)
        self.add_foot([close], [copy], line=True)
        around = self.column.totalSizeHint().height() - area.sizeHint().height()
        self.fit(560, min(420, around + body.heightForWidth(560)))

    def _copy(self) -> None:
        text = "\n".join(f"{path}\t{reason}" for path, reason in self._lines)
        QGuiApplication.clipboard().setText(text)


def ask_to_delete(
    context: SessionContext,
    rows: Sequence[DocumentRow],
    delete: Callable[[list[int]], None],
    owner: QWidget,
) -> None:
    """Ask in the message bar before deleting; a deletion can't be undone."""
    ids: list[int] = [row.id for row in rows]

    def ask(preview: DeletePreview) -> None:
        question = format_delete_question(preview)
        context.messages.show(
            question, kind="warn", action_text=tr("Delete"), action=lambda: delete(ids)
        )

    if ids:
        query = Query(context.reader_lane, context.library_reader.preview_delete, ids, owner=owner)
        query.on_success(ask).run()


def format_delete_question(preview: DeletePreview) -> str:
    """Return the question, with what is deleted too: "812 names and 3,204 connections"."""
    names = trn("{n} name", "{n} names", preview.n_entities_gone) if preview.n_entities_gone else ""
    n_gone = preview.n_relations_gone
    connections = trn("{n} connection", "{n} connections", n_gone) if n_gone else ""
    both = tr("{one} and {other}", one=names, other=connections)
    goes = both if names and connections else names or connections
    n_gone = preview.n_entities_gone + preview.n_relations_gone
    if preview.n_documents == 1:
        if not goes:
            text = later("Delete “{title}” from the library? The file on disk stays.")
        elif n_gone == 1:
            text = later(
                "Delete “{title}” from the library? {goes} goes with it; the file on disk stays."
            )
        else:
            text = later(
                "Delete “{title}” from the library? {goes} go with it; the file on disk stays."
            )
        return tr(text, title=preview.title, goes=goes)
    n = preview.n_documents
    if not goes:
        return trn(
            "Delete {n} document from the library? The file on disk stays.",
            "Delete {n} documents from the library? The files on disk stay.",
            n,
        )
    if n_gone == 1:
        return trn(
            "Delete {n} document from the library? {goes} goes with it; the file on disk stays.",
            "Delete {n} documents from the library? {goes} goes with them; the files on disk stay.",
            n,
            goes=goes,
        )
    return trn(
        "Delete {n} document from the library? {goes} go with it; the file on disk stays.",
        "Delete {n} documents from the library? {goes} go with them; the files on disk stay.",
        n,
        goes=goes,
    )
