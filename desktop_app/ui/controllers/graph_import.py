"""The controller of imports of graphs that other programs built: LightRAG, GraphRAG and others.

Asks for the file or folder, runs `services.importing` in its lane, and shows what was imported.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from desktop_app.engine.progress import Progress
from desktop_app.engine.scheduler import Priority
from desktop_app.session import Session
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Work

from ..context import SessionContext
from ..enrichment.words import describe_import
from ..shell.main_window import MainWindow
from ..translation import later, tr
from .import_result import show_import_result

if TYPE_CHECKING:  # imported with the first graph
    from desktop_app.engine.services.importing.service import Imported

GRAPH_FILES = later("Graphs (*.json *.graphml *.parquet);;All files (*)")


class GraphImport(QObject):
    """Imports graphs of other programs, one at a time."""

    _changed = Signal(object)  # from the lane of the import

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._context, self._window, self._session = context, window, session
        self._status = window.sidebar.import_work
        self._changed.connect(session.publish_work)
        self._job: Job | None = None
        self._status.cancel_wanted.connect(self.cancel)
        window.screens.library.import_graph_wanted.connect(self.ask)
        for name, folder in (("import_folder", True), ("import_file", False)):
            action = window.actions_by_name[name]
            action.triggered.connect(lambda _=False, folder=folder: self.ask(folder))

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def ask(self, folder: bool) -> None:
        """Ask for a folder or a file and import its graph."""
        if folder:
            path = QFileDialog.getExistingDirectory(
                self._window, tr("Import a graph: a folder of LightRAG or GraphRAG")
            )
        else:
            path, _ = QFileDialog.getOpenFileName(
                self._window, tr("Import a graph"), "", tr(GRAPH_FILES)
            )
        if path:
            self.run_import(Path(path))

    def run_import(self, path: Path) -> None:
        """Import the graph of a file or folder; the format is detected."""
        if self._job is not None:
            self._context.messages.show(tr("Another graph is being imported."))
            return

        def work(job: Job) -> Imported:
            from desktop_app.engine.services.importing.service import import_graph

            cancel = job.cancel_token
            with self._context.scheduler.hold(Priority.IMPORT, cancel):
                return import_graph(
                    self._session.library.writer,
                    path,
                    cancel=cancel,
                    on_progress=job.report,
                    on_change=self._changed.emit,
                )

        query = Work(self._session.lanes["files"], work, owner=self, label="importing")
        query.on_progress(lambda progress: self._show_progress(path.name, progress))
        query.on_success(self._show_result).on_end(self._ended)
        self._job = query.job
        self._show_progress(path.name, Progress("importing"))
        query.run()

    def cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _show_progress(self, name: str, progress: Progress) -> None:
        if self._job is None:
            return
        title = tr("Importing {name}", name=name)
        if progress.stage == "graph":
            title = tr("Building the graph")
        self._status.show_work(progress, title)
        self._status.pause_button.hide()  # an import can be cancelled and repeated

    def _ended(self) -> None:
        self._job = None
        self._status.hide()
        self._session.start_indexing()  # embeds the new passages

    def _show_result(self, imported: Imported) -> None:
        text, besides = describe_import(imported)
        show_import_result(self._context, self._window, text, besides)
