"""The controller of exports of the whole library: asks for format and place, runs the export."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from desktop_app.engine.progress import Progress
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.store.db import Db
from desktop_app.session import Session
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Work

from ..context import SessionContext
from ..library.export_dialog import FORMAT_WORDS, ExportLibraryDialog
from ..shell.main_window import MainWindow
from ..translation import tr, trn
from ..widgets.save_dialog import ask_where_to_save


class LibraryExport(QObject):
    """Exports the library for other programs, one export at a time."""

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._context, self._window, self._session = context, window, session
        self._status = window.sidebar.import_work
        self._status.cancel_wanted.connect(self.cancel)
        self._job: Job | None = None
        self._reader: Db | None = None
        window.actions_by_name["export_library"].triggered.connect(lambda: self.ask())

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def ask(self) -> ExportLibraryDialog:
        """Show the dialog with the formats, then ask for the place."""
        is_encrypted = self._session.library.key is not None
        dialog = ExportLibraryDialog(self._context.theme, self._window, is_encrypted=is_encrypted)
        dialog.export_wanted.connect(self._ask_where)
        dialog.open()
        return dialog

    def _ask_where(self, format_: str) -> None:
        from desktop_app.engine.services.exporting.library_formats import LIBRARY_FORMATS

        ending = LIBRARY_FORMATS[format_].ending
        if ending:
            start = str(self._session.library.path.with_suffix(ending))
            words, _ = FORMAT_WORDS[format_]
            title, kind = tr("Export the library"), f"{tr(words)} (*{ending})"
            path = ask_where_to_save(self._window, title, start, kind)
        else:
            folder = QFileDialog.getExistingDirectory(
                self._window, tr("Export the library: an empty folder")
            )
            path = Path(folder) if folder else None
        if path:
            self.run(path, format_)

    def run(self, path: Path, format_: str) -> None:
        """Write the export and show by which command it is loaded."""
        if self._job is not None:
            self._context.messages.show(tr("Another export is running."))
            return

        def work(job: Job) -> dict[str, int]:
            from desktop_app.engine.services.exporting.library_formats import export_library

            with self._context.scheduler.hold(Priority.IMPORT, job.cancel_token):
                return export_library(self._db(), path, format_, cancel=job.cancel_token)

        query = Work(self._session.lanes["files"], work, owner=self, label="exporting")
        query.on_success(lambda made: self._show_result(made, path, format_)).on_end(self._ended)
        query.on_error(lambda error: self._context.messages.show_error(error, is_answer=True))
        self._job = query.job
        self._status.show_work(Progress("exporting"), tr("Exporting {name}", name=path.name))
        self._status.pause_button.hide()  # an export can be cancelled and repeated
        query.run()

    def cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _db(self) -> Db:
        """Return a connection of the lane's own: an export reads for long in one snapshot."""
        if self._reader is None:
            self._reader = self._session.library.reader()
        return self._reader

    def _ended(self) -> None:
        self._job = None
        self._status.hide()

    def _show_result(self, made: dict[str, int], path: Path, format_: str) -> None:
        from desktop_app.engine.services.exporting.library_formats import build_load_command

        command = build_load_command(format_, path)
        self._context.messages.show(
            trn(
                "{n} name with its connections and sentences written to “{file}”.",
                "{n} names with their connections and sentences written to “{file}”.",
                made["entity"],
                file=path.name,
            ),
            kind="ok",
            action_text=tr("Copy the command that loads it"),
            action=lambda: QGuiApplication.clipboard().setText(command),
        )
