"""Taking in a graph that is ready: asks where it lies, reads it in its own lane, says what came."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from .engine.changes import EVERYTHING, ChangeSet
from .engine.progress import Progress
from .engine.services.importing import Imported, import_graph
from .engine.store.db import Db
from .ui.context import Context
from .ui.enrich.words import describe_import
from .ui.language import later, tr
from .ui.widgets import Label, PrimaryButton
from .ui.widgets.sheet import Sheet
from .ui.work_foot import WorkFoot
from .workers.lane import Job, Lane
from .workers.operations import Work

FILES = later("Graphs (*.json *.graphml *.parquet);;All files (*)")


class GraphImport(QObject):
    """One import at a time.

    Args:
        tell: takes what changed; index: has the new passages embedded.
    """

    def __init__(
        self,
        context: Context,
        lane: Lane,
        writer: Db,
        window: QWidget,
        foot: WorkFoot,
        *,
        tell: Callable[[ChangeSet], None],
        index: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._context, self._lane, self._writer = context, lane, writer
        self._window, self._foot, self._tell, self._index = window, foot, tell, index
        self._job: Job | None = None
        foot.cancel_requested.connect(self.cancel)

    def ask(self, folder: bool) -> None:
        """Ask for a folder or a file and take in its graph."""
        if folder:
            path = QFileDialog.getExistingDirectory(
                self._window, tr("Import a graph: a folder of LightRAG or GraphRAG")
            )
        else:
            path, _ = QFileDialog.getOpenFileName(self._window, tr("Import a graph"), "", tr(FILES))
        if path:
            self.take_in(Path(path))

    def take_in(self, path: Path) -> None:
        """Take in the graph of a file or folder; which kind it is, is found out."""
        if self._job is not None:
            self._context.messages.show(tr("One graph at a time: another one is coming in."))
            return

        def work(job: Job) -> Imported:
            return import_graph(self._writer, path, cancel=job.cancel_token, on_progress=job.report)

        query = Work(self._lane, work, owner=self, label="importing")
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
        self._foot.show_work(progress, title)
        self._foot.pause_button.hide()  # it can be stopped, and begun again

    def _ended(self) -> None:
        self._job = None
        self._foot.hide()
        self._tell(EVERYTHING)
        self._index()

    def _show_result(self, imported: Imported) -> None:
        text, besides = describe_import(imported)
        self._context.messages.show(
            text,
            kind="ok",
            action_text=tr("Details") if besides else "",
            action=(lambda: self._show_details(text, besides)) if besides else None,
        )

    def _show_details(self, text: str, lines: list[str]) -> None:
        sheet = Sheet(tr("What came in"), self._window)
        sheet.add(Label(text, wrap=True))
        for line in lines:
            sheet.add(Label(line, "muted", wrap=True))
        close = PrimaryButton(tr("Close"))
        close.clicked.connect(sheet.accept)
        sheet.add_foot([close])
        sheet.fit_content(480)
        sheet.open()
