"""The documents' part of the desk: counting before adding, watched folders, care of the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from .engine.services.adding import Added
from .engine.services.caring import Measured, back_up, compact, measure_files, restore_backup
from .engine.services.watching import Seen, Watching
from .engine.store.db import Db
from .engine.types import LibraryOverview
from .ui.context import Context
from .ui.library.care_sheet import CareSheet
from .ui.library.watch_sheet import WatchSheet
from .ui.main_window import MainWindow
from .ui.widgets import format_size, plural
from .workers.lane import Lane
from .workers.operations import Query

MANY_FILES, MANY_BYTES = 200, 1_000_000_000
LOOK_MS = 20_000


class DocumentDesk(QObject):
    """Asks before much is added, looks through watched folders, backs the library up.

    Args:
        lane: where disks are read, which may take long.
        add: takes files into the library and indexes them.
        took: is told what a look through the folders added.
    """

    library_wanted = Signal(str)

    def __init__(
        self,
        context: Context,
        window: MainWindow,
        writer: Db,
        lane: Lane,
        add: Callable[[list[str]], None],
        took: Callable[[Added], None],
    ) -> None:
        super().__init__(window)
        self._context, self._window, self._writer = context, window, writer
        self._lane, self._add, self._took = lane, add, took
        self.watching = Watching(writer)
        self._looking = False
        self.sheet: WatchSheet | CareSheet | None = None
        screen = window.screens["library"]
        window.files_dropped.connect(self.add)
        screen.files_dropped.connect(self.add)
        screen.watch_requested.connect(self.show_watched)
        screen.care_requested.connect(self.show_care)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._run(self.watching.list_folders, then=self._set_timer)

    # --- adding -----------------------------------------------------------------------------

    def add(self, files: list[str]) -> None:
        """Add files and folders; of much, say how much it is and ask first."""

        def ask(found: Measured) -> None:
            if found.n_files <= MANY_FILES and found.n_bytes <= MANY_BYTES:
                self._add(files)
                return
            what = f"{plural(found.n_files, 'file')}, {format_size(found.n_bytes)}"
            self._context.messages.show(
                f"That is {what}. Add all of it?", kind="warn", action_text="Add",
                action=lambda: self._add(files),
            )  # fmt: skip

        self._run(measure_files, files, then=ask)

    # --- watched folders --------------------------------------------------------------------

    def show_watched(self) -> None:
        """Show which folders are watched, to choose others."""
        sheet = self.sheet = WatchSheet(self._context.theme, self._window)

        def show(folders: list[str]) -> None:
            if self.sheet is sheet:
                sheet.set_folders(folders)
            self._set_timer(folders)
            self.look()

        sheet.watch_wanted.connect(
            lambda path: self._run(self.watching.watch, Path(path), then=show)
        )
        sheet.forget_wanted.connect(lambda path: self._run(self.watching.forget, path, then=show))
        sheet.finished.connect(lambda _: self._closed(sheet))
        self._run(self.watching.list_folders, then=show)
        sheet.open()

    def look(self) -> None:
        """Look through the watched folders now, unless that is being done."""
        if self._looking:
            return
        self._looking = True

        def ended() -> None:
            self._looking = False

        query = Query(self._lane, self.watching.look, owner=self)
        query.on_success(self._show_seen).on_error(self._context.messages.show_error)
        query.on_end(ended).run()

    def _show_seen(self, seen: Seen) -> None:
        if seen.added.documents or seen.added.refused:
            self._took(seen.added)
        if seen.gone:
            first = f"The file of “{seen.gone[0][1]}” is"
            many = f"{plural(len(seen.gone), 'file')} of watched folders are"
            self._context.messages.show(
                f"{first if len(seen.gone) == 1 else many} no longer on the disk; "
                "what was read of it stays here."
            )

    def _set_timer(self, folders: list[str]) -> None:
        if folders and not self._timer.isActive():
            self._timer.start()
            self.look()
        elif not folders:
            self._timer.stop()

    # --- the file ---------------------------------------------------------------------------

    def show_care(self) -> None:
        """Show where the library lies, how large it is, and what can be done about it."""
        sheet = self.sheet = CareSheet(self._context.theme, self._window)
        sheet.backup_wanted.connect(lambda path: self._back_up(sheet, Path(path)))
        sheet.compact_wanted.connect(lambda: self._compact(sheet))
        sheet.restore_wanted.connect(self._restore)
        sheet.finished.connect(lambda _: self._closed(sheet))
        self._show_overview(sheet, sheet.open)

    def _show_overview(self, sheet: CareSheet, then: Callable[[], None]) -> None:
        def show(found: LibraryOverview) -> None:
            if self.sheet is sheet:
                sheet.set_overview(found)
                then()

        query = Query(self._context.reader_lane, self._context.exploring.overview, owner=self)
        query.on_success(show).on_error(self._context.messages.show_error).run()

    def _back_up(self, sheet: CareSheet, path: Path) -> None:
        def done(size: int) -> None:
            self._say(sheet, f"Backed up to “{path.name}” ({format_size(size)}).")

        self._say(sheet, "Backing up…")
        self._run(back_up, self._writer, path, then=done)

    def _compact(self, sheet: CareSheet) -> None:
        def done(sizes: tuple[int, int]) -> None:
            before, after = map(format_size, sizes)
            self._say(sheet, f"Compacted from {before} to {after}.")
            self._show_overview(sheet, lambda: None)

        self._say(sheet, "Compacting…")
        query = Query(self._context.writer_lane, compact, self._writer, owner=self)
        query.on_success(done).on_error(self._context.messages.show_error).run()

    def _restore(self, backup: str, target: str) -> None:
        def done(path: Path) -> None:
            if self.sheet is not None:
                self.sheet.accept()
            self.library_wanted.emit(str(path))

        self._run(restore_backup, Path(backup), Path(target), then=done)

    def _say(self, sheet: CareSheet, text: str) -> None:
        if self.sheet is sheet:
            sheet.say(text)
        else:
            self._context.messages.show(text, kind="ok")

    # --- inside -----------------------------------------------------------------------------

    def _closed(self, sheet: WatchSheet | CareSheet) -> None:
        if self.sheet is sheet:
            self.sheet = None

    def _run(self, fn: Callable[..., Any], *args: Any, then: Callable[[Any], None]) -> None:
        query = Query(self._lane, fn, *args, owner=self)
        query.on_success(then).on_error(self._context.messages.show_error).run()
