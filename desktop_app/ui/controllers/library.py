"""The controller of the library: adding documents, watched folders, the library's file, backup.

Shows the dialogs for these and runs the services in their lanes. Graphs of other programs are
imported by `graph_import`, bibliographies by `references`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.messages import Message
from desktop_app.engine.model import LibraryOverview
from desktop_app.engine.progress import Progress
from desktop_app.engine.services.backups import BY_HAND, BackupFile
from desktop_app.engine.services.document_import import AddedFiles, add_text
from desktop_app.engine.services.encryption import find_plain_copies
from desktop_app.engine.services.library import (
    LibrarySize,
    compact,
    measure_files,
    restore_backup,
    write_backup,
)
from desktop_app.engine.services.watched_folders import FolderScan, FolderWatcher
from desktop_app.session import Session
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..library.dialogs import (
    LibraryFileDialog,
    RefusedFilesDialog,
    RequestedFoldersDialog,
    WatchedFoldersDialog,
)
from ..shell.main_window import MainWindow
from ..translation import later, tr, tr_message, trn
from ..widgets import format_size
from .library_state import LibraryStateController

LibrarySheet = (
    WatchedFoldersDialog | RequestedFoldersDialog | LibraryFileDialog | RefusedFilesDialog
)
MANY_FILES, MANY_BYTES = 200, 1_000_000_000
SCAN_INTERVAL_MS = 20_000  # of the watched folders
STAGE_TITLES = {  # for one document, for all
    "reading": (later("Indexing {title}"), later("Indexing")),
    "names": (later("Finding names in {title}"), later("Finding names")),
    "graph": (later("Building the graph"), later("Building the graph")),
    "embedding": (later("Computing embeddings"), later("Computing embeddings")),
}


class LibraryController(QObject):
    """Adds files after a check of their size, scans watched folders, backs up the library.

    The work runs in the lane "files", because reading the disk may be slow.
    """

    bibliographies_found = Signal(list)  # paths of bibliographies among what is to be added

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._context, self._window, self._session = context, window, session
        self._writer, self.lane = session.library.writer, session.lanes["files"]
        self.watching = FolderWatcher(self._writer)
        session.files_added.connect(self.show_added)
        session.details_found.connect(self.show_details_found)
        self._is_scanning = False
        self.sheet: LibrarySheet | None = None
        screen = window.screens.library
        window.files_dropped.connect(self.add)
        screen.files_dropped.connect(self.add)
        for expected in (window.files_expected, screen.files_expected):
            expected.connect(session.prepare_analysis)  # so that the document does not wait for it
        screen.text_pasted.connect(self.add_text)
        screen.watch_wanted.connect(self.show_watched)
        screen.library_file_wanted.connect(self.show_maintenance)
        window.backup_wanted.connect(self.back_up_now)
        self._timer = QTimer(self, interval=SCAN_INTERVAL_MS)
        self._timer.timeout.connect(self.scan_folders)
        self.state = LibraryStateController(context, window, session)
        self.state.restore_wanted.connect(window.restore_wanted)
        if session.library.is_writable:
            self._run(self.watching.list_folders, then=self._set_timer)
            self._run(self.watching.list_requested, then=self.ask_about_folders)

    # --- adding -----------------------------------------------------------------------------

    def add(self, files: list[str]) -> None:
        """Add files and folders; ask first if there are many.

        Zotero's data folder and files of references are left to `bibliographies_found`.
        """

        def ask(seen: tuple[list[Path], list[str], LibrarySize]) -> None:
            references, files, found = seen
            if references:
                self.bibliographies_found.emit(references)
            if not files:
                return
            if found.n_files <= MANY_FILES and found.n_bytes <= MANY_BYTES:
                self._session.add_paths(files, leave_out=references)
                return
            question = trn(
                "Add {n} file ({size})?",
                "Add {n} files ({size})?",
                found.n_files,
                size=format_size(found.n_bytes),
            )
            self._context.messages.show(
                question,
                kind="warn",
                action_text=tr("Add"),
                action=lambda: self._session.add_paths(files, leave_out=references),
            )

        self._session.prepare_analysis()  # while the files are measured and stored
        self._run(_sort_and_measure, files, then=ask)

    def add_text(self, title: str, text: str) -> None:
        """Add a document from text without a file."""
        self._session.prepare_analysis()
        self._session.write(add_text, self._writer, title, text, done=self._session.take_added)

    def show_details_found(self, document_ids: list[int]) -> None:
        """Show of how many older documents title, authors or year were found again."""
        screen = self._window.screens.library
        self._context.messages.show(
            trn(
                "Title, authors or year of {n} document were found in its file.",
                "Titles, authors or years of {n} documents were found in their files.",
                len(document_ids),
            ),
            action_text=tr("Show"),
            action=lambda: screen.show_documents(document_ids),
        )

    def show_added(self, added: AddedFiles) -> None:
        """Show which files were not added and why, and which are duplicates."""
        screen = self._window.screens.library
        left_out = added.refused | added.passed_over
        known = describe_duplicates(added)
        if left_out:
            text = describe_left_out(left_out)
            self._context.messages.show(
                tr("{first} {second}", first=text, second=known) if known else text,
                kind="bad" if added.refused else "info",
                action_text=tr("Show all") if len(left_out) > 1 else "",
                action=(lambda: self.show_refused(left_out)) if len(left_out) > 1 else None,
            )
        elif known:
            self._context.messages.show(
                known,
                action_text=tr("Show"),
                action=lambda: screen.show_documents(added.same_as),
            )

    def show_refused(self, refused: dict[str, Message]) -> None:
        """List all refused files with the reasons."""
        sheet = self.sheet = RefusedFilesDialog(refused, self._window)
        sheet.finished.connect(lambda _: self._closed(sheet))
        sheet.open()

    # --- watched folders --------------------------------------------------------------------

    def show_watched(self) -> None:
        """Show the watched folders and let the user change them."""
        sheet = self.sheet = WatchedFoldersDialog(self._context.theme, self._window)

        def show(folders: list[str]) -> None:
            if self.sheet is sheet:
                sheet.set_folders(folders)
            self._set_timer(folders)
            self.scan_folders()

        sheet.watch_wanted.connect(
            lambda path: self._run(self.watching.watch, Path(path), then=show)
        )
        sheet.forget_wanted.connect(lambda path: self._run(self.watching.unwatch, path, then=show))
        sheet.finished.connect(lambda _: self._closed(sheet))
        self._run(self.watching.list_folders, then=show)
        sheet.open()

    def ask_about_folders(self, requested: list[str]) -> None:
        """Ask once whether to watch the folders that a library of an older version names."""
        if not requested:
            return
        sheet = self.sheet = RequestedFoldersDialog(requested, self._window)
        sheet.answered.connect(
            lambda chosen: self._run(self.watching.answer_requested, chosen, then=self._set_timer)
        )
        sheet.finished.connect(lambda _: self._closed(sheet))
        sheet.open()

    def scan_folders(self) -> None:
        """Scan the watched folders now, unless a scan is running."""
        if self._is_scanning:
            return
        self._is_scanning = True

        def ended() -> None:
            self._is_scanning = False

        query = Query(self.lane, self.watching.scan, owner=self)
        query.on_success(self._take_scan).on_end(ended).run()

    def _take_scan(self, seen: FolderScan) -> None:
        if seen.added.documents or seen.added.refused:
            self._session.take_added(seen.added)
        if seen.gone:
            message = trn(
                "The file of “{title}” is no longer on the disk; what was read of it stays here.",
                "{n} files of watched folders are no longer on the disk; "
                "what was read of it stays here.",
                len(seen.gone),
                title=seen.gone[0][1],
            )
            self._context.messages.show(message)
        if seen.references:
            self._context.messages.show(
                trn(
                    "“{name}” in a watched folder has references. They are added only if you "
                    "want it.",
                    "{n} files in watched folders have references. They are added only if you "
                    "want it.",
                    len(seen.references),
                    name=seen.references[0].name,
                ),
                action_text=tr("Add"),
                action=lambda: self.bibliographies_found.emit(list(seen.references)),
            )

    def _set_timer(self, folders: list[str]) -> None:
        if folders and not self._timer.isActive():
            self._timer.start()
            self.scan_folders()
        elif not folders:
            self._timer.stop()

    # --- the file ---------------------------------------------------------------------------

    def show_maintenance(self) -> None:
        """Show path and size of the library, with backup, compaction and restore."""
        is_encrypted = self._session.library.key is not None
        sheet = self.sheet = LibraryFileDialog(
            self._context.theme, self._window, is_encrypted=is_encrypted
        )
        sheet.backup_wanted.connect(lambda path: self._back_up(sheet, Path(path)))
        sheet.compact_wanted.connect(lambda: self._compact(sheet))
        sheet.remove_versions_wanted.connect(lambda: self._remove_versions(sheet))
        sheet.restore_wanted.connect(self._restore)
        sheet.encrypt_wanted.connect(lambda: self._ask_passphrase(sheet))
        sheet.decrypt_wanted.connect(lambda: self._ask_to_decrypt(sheet))
        sheet.check_wanted.connect(self.state.check)
        sheet.finished.connect(lambda _: self._closed(sheet))
        self._show_overview(sheet, sheet.open)

    def back_up_now(self) -> None:
        """Make a backup in the folder of backups."""

        def done(made: BackupFile) -> None:
            self._context.messages.show(
                tr("Backed up to {folder}.", folder=made.path.parent), kind="ok"
            )

        self._context.messages.show(tr("Backing up…"))
        query = Query(self.lane, self._session.library.backups.make, BY_HAND, owner=self)
        query.on_success(done).on_error(self._answer).run()

    def _show_overview(self, sheet: LibraryFileDialog, then: Callable[[], None]) -> None:
        def show(found: LibraryOverview) -> None:
            if self.sheet is sheet:
                sheet.set_overview(found)
                then()

        query = Query(self._context.reader_lane, self._context.library_reader.overview, owner=self)
        query.on_success(show).run()

    def _back_up(self, sheet: LibraryFileDialog, path: Path) -> None:
        def done(size: int) -> None:
            self._show_status(
                sheet, tr("Backed up to “{name}” ({size}).", name=path.name, size=format_size(size))
            )

        self._show_status(sheet, tr("Backing up…"))
        query = Query(self.lane, write_backup, self._session.library.path, path, owner=self)
        query.on_success(done).on_error(partial(self._answer, sheet=sheet)).run()

    def _compact(self, sheet: LibraryFileDialog) -> None:
        def done(sizes: tuple[int, int]) -> None:
            before, after = map(format_size, sizes)
            self._show_status(
                sheet, tr("Compacted from {before} to {after}.", before=before, after=after)
            )
            self._show_overview(sheet, lambda: None)

        self._show_status(sheet, tr("Compacting…"))
        query = Query(self._context.writer_lane, compact, self._writer, owner=self)
        query.on_success(done).on_error(partial(self._answer, sheet=sheet)).run()

    def _remove_versions(self, sheet: LibraryFileDialog) -> None:
        def done(change: ChangeNotice) -> None:
            self._context.hub.publish_edit(change)
            self._show_status(sheet, tr("The previous versions are removed."))
            self._show_overview(sheet, lambda: None)

        work = self._context.documents.remove_versions
        Query(self._context.writer_lane, work, owner=self).on_success(done).run()

    def _restore(self, backup: str, target: str) -> None:
        def done(path: Path) -> None:
            if self.sheet is not None:
                self.sheet.accept()
            self._window.library_wanted.emit(str(path))

        self._run(restore_backup, Path(backup), Path(target), then=done)

    def _ask_passphrase(self, sheet: LibraryFileDialog) -> None:
        """Ask for a new passphrase, naming the copies that are not encrypted."""
        library = self._session.library

        def ask(copies: list[Path]) -> None:
            from ..library.encryption import NewPassphraseDialog

            sheet.accept()
            dialog = NewPassphraseDialog(
                library.path.stem, copies, self._window, is_encrypted=library.key is not None
            )
            dialog.change_wanted.connect(self._window.encryption_wanted)
            dialog.open()

        self._run(find_plain_copies, library.path, then=ask)

    def _ask_to_decrypt(self, sheet: LibraryFileDialog) -> None:
        from ..library.encryption import DecryptDialog

        sheet.accept()
        dialog = DecryptDialog(self._session.library.path.stem, self._window)
        dialog.change_wanted.connect(self._window.encryption_wanted)
        dialog.open()

    def _answer(self, error: BaseException, sheet: LibraryFileDialog | None = None) -> None:
        """Show why what the user asked for failed, in place of its progress."""
        if sheet is not None and self.sheet is sheet:
            sheet.show_message("")
        self._context.messages.show_error(error, is_answer=True)

    def _show_status(self, sheet: LibraryFileDialog, text: str) -> None:
        if self.sheet is sheet:
            sheet.show_message(text)
        else:
            self._context.messages.show(text, kind="ok")

    # --- internals --------------------------------------------------------------------------------

    def _closed(self, sheet: LibrarySheet) -> None:
        if self.sheet is sheet:
            self.sheet = None

    def _run(self, fn: Callable[..., Any], *args: Any, then: Callable[[Any], None]) -> None:
        query = Query(self.lane, fn, *args, owner=self)
        query.on_success(then).run()


def _sort_and_measure(files: list[str]) -> tuple[list[Path], list[str], LibrarySize]:
    """Return the bibliographies among files and in folders, the others, and their size."""
    from desktop_app.engine.services.bibliography.service import split_bibliographies

    references, others = split_bibliographies(map(Path, files))
    return references, [str(path) for path in others], measure_files(others)


MOST_NAMED = 2  # files with their reasons in one message; all of them are listed on request


def describe_left_out(left_out: Mapping[str, Message]) -> str:
    """Return which files were not added and why: all of the reason if it is a single file.

    Args:
        left_out: path -> reason.
    """
    if len(left_out) == 1:
        return tr_message(next(iter(left_out.values())))
    files = [
        tr("{name} — {reason}", name=Path(path).name, reason=_name_reason(reason))
        for path, reason in list(left_out.items())[:MOST_NAMED]
    ]
    if more := len(left_out) - len(files):
        files.append(trn("{n} more", "{n} more", more))
    return trn(
        "{n} file was not added: {files}.",
        "{n} files were not added: {files}.",
        len(left_out),
        files=tr("; ").join(files),
    )


def _name_reason(reason: Message) -> str:
    """Return a reason without the file's name, the advice and the full stop."""
    message = reason.params.get("message")
    short = message if isinstance(message, Message) else reason
    inner = short.params.get("reason")
    return tr_message(inner if isinstance(inner, Message) else short).rstrip(".。")


def describe_duplicates(added: AddedFiles) -> str:
    """Return which added files the library has already, "" if none."""
    n = len(added.duplicates)
    if n == 1:
        name, title = added.duplicates[0]
        return tr("“{name}” is already in the library as “{title}”.", name=name, title=title)
    if not n:
        return ""
    return trn("{n} file is already in the library.", "{n} files are already in the library.", n)


def describe_indexing_stage(progress: Progress, titles: dict[int, str]) -> str:
    """Return the title of an indexing stage, with the document if it is known."""
    of_one, of_all = STAGE_TITLES.get(progress.stage, STAGE_TITLES["reading"])
    title = titles.get(progress.document_id or 0, "")
    return tr(of_one, title=title) if title else tr(of_all)
