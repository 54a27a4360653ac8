"""The dialog for a library that can't be opened, or that is to be replaced by a backup.

Lists the backups, restores one, or recovers what can be read into a new library. Works without an
open library; the work runs in a lane of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QDateTime, QItemSelectionModel, QLocale, Qt, Signal
from PySide6.QtGui import QCloseEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFileDialog, QHeaderView, QPushButton, QWidget

from desktop_app.engine.errors import AppError, DamagedLibrary, MissingLibrary
from desktop_app.engine.paths import default_library
from desktop_app.engine.services.backups import (
    BackupContent,
    BackupFile,
    Backups,
    read_backup_content,
    restore,
)
from desktop_app.engine.services.recovery import RecoveryReport, recover
from desktop_app.workers.lane import Job, Lane
from desktop_app.workers.operations import Query, Work

from ..messages import describe_error
from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
from ..widgets import (
    Button,
    Label,
    PrimaryButton,
    ProgressLine,
    RowTable,
    format_number,
    format_size,
)
from ..widgets.sheet import Sheet
from ..widgets.states import ListOrWords

REASONS = {
    "automatic": later("automatic"),
    "upgrade": later("before an upgrade"),
    "check": later("before a check"),
    "by-hand": later("by hand"),
}
BACKUP_FILES = later("Backups and libraries (*.backup *.inkgraph);;All files (*)")


class RecoveryDialog(Sheet):
    """Offers the ways back to a library.

    `library_ready` carries a library that can be opened now. `release_wanted` asks to close the
    library before a backup takes its place; it is handled at once.

    Args:
        library: its path.
        error: why it can't be opened; None if a backup is to be restored by choice.
        can_quit: whether closing the dialog ends the program.
    """

    library_ready = Signal(str)
    release_wanted = Signal()
    other_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        library: Path,
        error: AppError | None,
        *,
        can_quit: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        name = library.stem
        title = tr("“{name}” can't be opened", name=name) if error else tr("Restore a backup")
        super().__init__(title, parent)
        self._library, self._error = library, error
        self._lane = Lane("recovery", self.show_error, self)
        self._job: Job | None = None
        self._files: list[BackupFile] = []
        self.recovered: Path | None = None
        self._build(theme, name, can_quit)
        self.list_backups()

    def _build(self, theme: Theme, name: str, can_quit: bool) -> None:
        self.intro = Label(describe_ways_back(name, self._error), wrap=True)
        self.add(self.intro)
        self.table = RowTable(theme)
        self.table.setAccessibleName(tr("Backups"))
        self.table.setSelectionMode(RowTable.SelectionMode.SingleSelection)
        self.table.setSortingEnabled(False)
        self._model = QStandardItemModel(0, 4, self)
        self._model.setHorizontalHeaderLabels(
            [tr("Backup"), tr("Documents"), tr("Size"), tr("Origin")]
        )
        self.table.setModel(self._model)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._update_buttons())
        self.found = ListOrWords(self.table, tr("Looking for backups…"))
        self.found.show_words(tr("Looking for backups…"))
        self.add(self.found)
        self.column.setStretch(self.column.count() - 1, 1)
        self.message = Label("", "muted", wrap=True)
        self.message.hide()
        self.progress = ProgressLine()
        self.progress.hide()
        self.add(self.message)
        self.add(self.progress)
        self.restore_button = PrimaryButton(tr("Restore this backup"))
        self.file_button = Button(tr("Choose a backup file…"))
        self.recover_button = Button(tr("Recover what can be read"))
        self.recover_button.setToolTip(
            tr("Saves it in a new library; the damaged file is not changed")
        )
        self.again_button = Button(tr("Try again"))
        self.new_button = Button(tr("New library"))
        self.other_button = Button(tr("Another library…"))
        self.quit_button = Button(tr("Quit") if can_quit else tr("Cancel"))
        self.open_button = PrimaryButton(tr("Open the recovered library"))
        self.restore_button.clicked.connect(self._restore_selected)
        self.file_button.clicked.connect(self._ask_for_file)
        self.recover_button.clicked.connect(self.recover)
        self.again_button.clicked.connect(self._try_again)
        self.new_button.clicked.connect(self._make_new)
        self.other_button.clicked.connect(self.other_wanted)
        self.quit_button.clicked.connect(self.reject)
        self.open_button.clicked.connect(self._open_recovered)
        self.add_foot(
            [self.quit_button, self.file_button, self.open_button, self.restore_button],
            [self.other_button, self.new_button, self.again_button, self.recover_button],
            line=True,
        )
        is_missing = isinstance(self._error, MissingLibrary)
        self.other_button.setVisible(self._error is not None)
        self.recover_button.setVisible(self._error is not None and not is_missing)
        for button in (self.new_button, self.again_button):
            button.setVisible(is_missing)
        self.open_button.hide()
        self.fit(680, 460)
        self._update_buttons()

    @property
    def _buttons(self) -> tuple[QPushButton, ...]:
        return (
            *(self.restore_button, self.file_button, self.recover_button),
            *(self.other_button, self.new_button, self.again_button),
        )

    # --- the list -------------------------------------------------------------------------------

    def list_backups(self) -> None:
        """Fill the list; the newest backup that can be read is selected."""
        Query(self._lane, _read_backups, self._library, owner=self).on_success(self._fill).run()

    def _fill(self, found: list[tuple[BackupFile, BackupContent]]) -> None:
        self._files = [file for file, _ in found]
        self._model.setRowCount(0)
        for file, content in found:
            made = tr(REASONS.get(file.reason, file.reason))
            cells = (
                QLocale().toString(
                    QDateTime.fromSecsSinceEpoch(int(file.created_at)),
                    QLocale.FormatType.ShortFormat,
                ),
                tr("can't be read") if content.problem else format_number(content.n_documents),
                format_size(file.size_bytes),
                made,
            )
            items = [QStandardItem(text) for text in cells]
            for item in items:
                item.setEnabled(not content.problem)
            self._model.appendRow(items)
        for column in range(3):
            self.table.resizeColumnToContents(column)
        good = [row for row, (_, content) in enumerate(found) if not content.problem]
        if good:
            self.table.selectionModel().select(
                self._model.index(good[0], 0),
                QItemSelectionModel.SelectionFlag.ClearAndSelect
                | QItemSelectionModel.SelectionFlag.Rows,
            )
        n = len(found)
        none = tr("There are no backups of this library. You can choose a file.")
        self.found.show_words("" if n else none)
        self._show_message(trn("{n} backup", "{n} backups", n) if n else "")
        self._update_buttons()

    def _show_message(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _selected(self) -> BackupFile | None:
        rows = self.table.selectionModel().selectedRows()
        return self._files[rows[0].row()] if rows else None

    # --- the work -------------------------------------------------------------------------------

    def _restore_selected(self) -> None:
        if (file := self._selected()) is not None:
            self.restore(file.path)

    def _ask_for_file(self) -> None:
        folder = str(self._library.parent)
        path, _ = QFileDialog.getOpenFileName(self, tr("Choose a backup"), folder, tr(BACKUP_FILES))
        if path:
            self.restore(Path(path))

    def restore(self, backup: Path) -> None:
        """Put a backup in the place of the library."""
        self.release_wanted.emit()

        def done(_aside: Path | None) -> None:
            self.library_ready.emit(str(self._library))

        self._run(
            tr("Restoring…"),
            lambda job: restore(backup, self._library, cancel=job.cancel_token),
            done,
        )

    def recover(self) -> None:
        """Save what can be read of the library in a new one."""
        self._run(
            tr("Recovering…"),
            lambda job: recover(self._library, cancel=job.cancel_token),
            self._show_report,
        )

    def _try_again(self) -> None:
        """Open a library that was missing, if it is there now."""
        if self._library.exists():
            self.library_ready.emit(str(self._library))
        else:
            self._show_message(tr("It is still not there."))

    def _make_new(self) -> None:
        """Make a library beside the usual one; a missing one keeps its place."""
        self.library_ready.emit(str(find_unused_path(default_library(), self._library)))

    def _run(self, text: str, work: Callable[[Job], Any], done: Callable[[Any], None]) -> None:
        self._show_message(text)
        self.progress.set_share(None)
        self.progress.show()
        query = Work(self._lane, work, owner=self, label="recovery")
        query.on_success(done).on_end(self._ended)
        self._job = query.job
        self._update_buttons()
        query.run()

    def _ended(self) -> None:
        self._job = None
        self.progress.hide()
        self._update_buttons()

    def show_error(self, error: BaseException) -> None:
        """Show why the work failed, or why the library can't be opened."""
        self._show_message(describe_error(error))

    def _show_report(self, report: RecoveryReport) -> None:
        self.recovered = report.path
        self._show_message("\n".join(describe_report(report)))
        for button in (self.recover_button, self.restore_button):
            button.hide()
        self.open_button.show()
        self.open_button.setDefault(True)
        self.open_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_recovered(self) -> None:
        if self.recovered is not None:
            self.library_ready.emit(str(self.recovered))

    def _update_buttons(self) -> None:
        for button in self._buttons:
            button.setEnabled(self._job is None)
        can_restore = self._job is None and self._selected() is not None
        self.restore_button.setEnabled(can_restore)

    def done(self, result: int) -> None:
        """Close the dialog; running work is cancelled and leaves nothing."""
        self._lane.close()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._lane.close()
        super().closeEvent(event)


def find_unused_path(wanted: Path, taken: Path) -> Path:
    """Return a path like `wanted` where no library is, and that is not `taken` either."""
    names = (f" {n}" if n > 1 else "" for n in itertools.count(1))
    tried = (wanted.with_stem(f"{wanted.stem}{number}") for number in names)
    return next(path for path in tried if path != taken and not path.exists())


def describe_ways_back(name: str, error: AppError | None) -> str:
    """Return why a library can't be used, and what the buttons of the dialog do about it."""
    if error is None:
        return tr(
            "“{name}” is replaced by the backup. The current file is kept under another name.",
            name=name,
        )
    hint = tr_message(error.hint)
    if isinstance(error, DamagedLibrary):
        hint = tr(
            "Restore a backup, or recover what can be read into a new library. The damaged file "
            "is kept in both cases."
        )
    return tr("{what} {hint}", what=tr_message(error.message), hint=hint)


def _read_backups(library: Path) -> list[tuple[BackupFile, BackupContent]]:
    return [(file, read_backup_content(file.path)) for file in Backups(library).list()]


def describe_report(report: RecoveryReport) -> list[str]:
    """Return what was saved and what was lost, in the window's language."""
    saved = report.saved
    lines = [
        tr(
            "{documents} and {corrections} were saved in “{name}”.",
            documents=trn(
                "{n} document", "{n} documents", len(saved.documents) - saved.count("lost")
            ),
            corrections=trn("{n} correction", "{n} corrections", saved.n_corrections),
            name=report.path.name,
        )
    ]
    if n := saved.count("read again"):
        lines.append(
            trn("{n} is read again from its file.", "{n} are read again from their files.", n)
        )
    if n := saved.count("file lost"):
        lines.append(trn("{n} has its text, but no file.", "{n} have their text, but no file.", n))
    if n := saved.count("text incomplete"):
        lines.append(trn("{n} has gaps in its text.", "{n} have gaps in their texts.", n))
    if n := saved.count("lost"):
        titles = ", ".join(f"“{d.title}”" for d in saved.documents if d.state == "lost")
        lines.append(trn("{n} is lost: {titles}.", "{n} are lost: {titles}.", n, titles=titles))
    return lines
