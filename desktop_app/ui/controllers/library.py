"""The controller of documents: adding files, watched folders, backup and compaction.

Shows the dialogs for these and runs the services in their lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.engine.messages import Message
from desktop_app.engine.model import LibraryOverview
from desktop_app.engine.services.adding import Added, add_text
from desktop_app.engine.services.library import (
    LibrarySize,
    back_up,
    compact,
    measure_files,
    restore_backup,
)
from desktop_app.engine.services.watched_folders import FolderWatcher, WatchedFile
from desktop_app.engine.store.db import Db
from desktop_app.workers.lane import Lane
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..language import tr, trn
from ..library.dialogs import LibraryFileDialog, RefusedFilesDialog, WatchedFoldersDialog
from ..shell.main_window import MainWindow
from ..widgets import format_size
from .window import describe_refused

MANY_FILES, MANY_BYTES = 200, 1_000_000_000
LOOK_MS = 20_000


class LibraryController(QObject):
    """Adds files after a check of their size, scans watched folders, backs up the library.

    Args:
        lane: for work that reads the disk and may be slow.
        add: adds files to the library and indexes them.
        on_added: receives what a scan of the watched folders added.
    """

    library_wanted = Signal(str)

    def __init__(
        self,
        context: SessionContext,
        window: MainWindow,
        writer: Db,
        lane: Lane,
        add: Callable[[list[str]], None],
        on_added: Callable[[Added], None],
    ) -> None:
        super().__init__(window)
        self._context, self._window, self._writer = context, window, writer
        self._lane, self._add, self._on_added = lane, add, on_added
        self.watching = FolderWatcher(writer)
        self._looking = False
        self.sheet: WatchedFoldersDialog | LibraryFileDialog | RefusedFilesDialog | None = None
        screen = window.screens.library
        window.files_dropped.connect(self.add)
        screen.files_dropped.connect(self.add)
        screen.text_pasted.connect(self.add_text)
        screen.watch_requested.connect(self.show_watched)
        screen.library_file_requested.connect(self.show_maintenance)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._run(self.watching.list_folders, then=self._set_timer)

    # --- adding -----------------------------------------------------------------------------

    def add(self, files: list[str]) -> None:
        """Add files and folders; ask first if there are many."""

        def ask(found: LibrarySize) -> None:
            if found.n_files <= MANY_FILES and found.n_bytes <= MANY_BYTES:
                self._add(files)
                return
            question = trn(
                "That is {n} file, {size}. Add all of it?",
                "That is {n} files, {size}. Add all of it?",
                found.n_files,
                size=format_size(found.n_bytes),
            )
            self._context.messages.show(
                question, kind="warn", action_text=tr("Add"), action=lambda: self._add(files)
            )

        self._run(measure_files, files, then=ask)

    def add_text(self, title: str, text: str) -> None:
        """Add a document from text without a file."""
        query = Query(self._context.writer_lane, add_text, self._writer, title, text, owner=self)
        query.on_success(self._on_added).run()

    def show_added(self, added: Added) -> None:
        """Show which files were refused and why, and which are duplicates."""
        messages, screen = self._context.messages, self._window.screens.library
        if added.refused:
            has_more = len(added.refused) > 1
            messages.show(
                describe_refused(added),
                kind="bad",
                action_text=tr("Show all") if has_more else "",
                action=(lambda: self.show_refused(added.refused)) if has_more else None,
            )
        elif added.duplicates:
            name, title = added.duplicates[0]
            one = tr("“{name}” is already here as “{title}”.", name=name, title=title)
            n = len(added.duplicates)
            many = trn("{n} file is here already.", "{n} files are here already.", n)
            messages.show(
                one if n == 1 else many,
                action_text=tr("Show"),
                action=lambda: screen.show_documents(added.same_as),
            )

        elif added.passed_over:
            n = len(added.passed_over)
            reason = Message("Inkgraph can't read this kind of file.")
            others = {path: reason for path in added.passed_over}
            messages.show(
                trn(
                    "{n} file of a kind that can't be read was left out.",
                    "{n} files of kinds that can't be read were left out.",
                    n,
                ),
                action_text=tr("Show all"),
                action=lambda: self.show_refused(others),
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
            self.look()

        sheet.watch_wanted.connect(
            lambda path: self._run(self.watching.watch, Path(path), then=show)
        )
        sheet.forget_wanted.connect(lambda path: self._run(self.watching.unwatch, path, then=show))
        sheet.finished.connect(lambda _: self._closed(sheet))
        self._run(self.watching.list_folders, then=show)
        sheet.open()

    def look(self) -> None:
        """Scan the watched folders now, unless a scan is running."""
        if self._looking:
            return
        self._looking = True

        def ended() -> None:
            self._looking = False

        query = Query(self._lane, self.watching.scan, owner=self)
        query.on_success(self._show_seen).on_end(ended).run()

    def _show_seen(self, seen: WatchedFile) -> None:
        if seen.added.documents or seen.added.refused:
            self._on_added(seen.added)
        if seen.gone:
            message = trn(
                "The file of “{title}” is no longer on the disk; what was read of it stays here.",
                "{n} files of watched folders are no longer on the disk; "
                "what was read of it stays here.",
                len(seen.gone),
                title=seen.gone[0][1],
            )
            self._context.messages.show(message)

    def _set_timer(self, folders: list[str]) -> None:
        if folders and not self._timer.isActive():
            self._timer.start()
            self.look()
        elif not folders:
            self._timer.stop()

    # --- the file ---------------------------------------------------------------------------

    def show_maintenance(self) -> None:
        """Show path and size of the library, with backup, compaction and restore."""
        sheet = self.sheet = LibraryFileDialog(self._context.theme, self._window)
        sheet.backup_wanted.connect(lambda path: self._back_up(sheet, Path(path)))
        sheet.compact_wanted.connect(lambda: self._compact(sheet))
        sheet.restore_wanted.connect(self._restore)
        sheet.finished.connect(lambda _: self._closed(sheet))
        self._show_overview(sheet, sheet.open)

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
        self._run(back_up, self._writer, path, then=done)

    def _compact(self, sheet: LibraryFileDialog) -> None:
        def done(sizes: tuple[int, int]) -> None:
            before, after = map(format_size, sizes)
            self._show_status(
                sheet, tr("Compacted from {before} to {after}.", before=before, after=after)
            )
            self._show_overview(sheet, lambda: None)

        self._show_status(sheet, tr("Compacting…"))
        query = Query(self._context.writer_lane, compact, self._writer, owner=self)
        query.on_success(done).run()

    def _restore(self, backup: str, target: str) -> None:
        def done(path: Path) -> None:
            if self.sheet is not None:
                self.sheet.accept()
            self.library_wanted.emit(str(path))

        self._run(restore_backup, Path(backup), Path(target), then=done)

    def _show_status(self, sheet: LibraryFileDialog, text: str) -> None:
        if self.sheet is sheet:
            sheet.show_message(text)
        else:
            self._context.messages.show(text, kind="ok")

    # --- internals --------------------------------------------------------------------------------

    def _closed(self, sheet: WatchedFoldersDialog | LibraryFileDialog | RefusedFilesDialog) -> None:
        if self.sheet is sheet:
            self.sheet = None

    def _run(self, fn: Callable[..., Any], *args: Any, then: Callable[[Any], None]) -> None:
        query = Query(self._lane, fn, *args, owner=self)
        query.on_success(then).run()
