"""The controller of enrichment: its dialogs, the import of graphs, and their signals.

`enrichment_work` owns the queue of enrichment; this module opens dialogs over the window and runs
what the user confirmed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.progress import CancelToken, Progress, ProgressCallback
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.services.enrichment.rates import find_chat_facts
from desktop_app.engine.services.enrichment.tuning import Proposal, accept, propose
from desktop_app.engine.services.importing.service import Imported, import_graph
from desktop_app.engine.store.db import Db
from desktop_app.workers.enrichment_job import EnrichmentJob
from desktop_app.workers.lane import Job, Lane
from desktop_app.workers.operations import Work

from ..context import SessionContext
from ..enrichment.settings_dialog import EnrichmentSettingsDialog
from ..enrichment.start_dialog import StartEnrichmentDialog
from ..enrichment.suggestion_dialog import SuggestionDialog
from ..enrichment.words import describe_import
from ..language import later, tr, trn
from ..shell.main_window import MainWindow
from ..shell.sidebar import WorkStatus
from ..widgets import Label, PrimaryButton
from ..widgets.sheet import Sheet
from .enrichment_work import CachedChatFacts, EnrichmentWork

KEPT = later("Kept. What is enriched already stays until it is enriched again.")


class EnrichmentDialogs(QObject):
    """Opens the dialogs of enrichment, one of each kind at a time.

    Args:
        model_db: a read connection for the model lane.
        write: runs a change in the writer lane: `write(method, *args, done=takes_result)`.
    """

    def __init__(
        self,
        context: SessionContext,
        enrichment: EnrichmentWork,
        window: QWidget,
        *,
        writer: Db,
        model_db: Db,
        write: Callable[..., None],
    ) -> None:
        super().__init__(window)
        self._context, self._enrichment, self._window = context, enrichment, window
        self._writer, self._model_db, self._write = writer, model_db, write

    def ask(self, documents: Sequence[int] = ()) -> StartEnrichmentDialog:
        """Show the estimate for enriching some documents, or the library; start if confirmed."""
        ids = list(documents) or None
        sheet = StartEnrichmentDialog(self._context, ids, self._name(ids), self._window)
        sheet.agreed.connect(self._agreed)
        sheet.models_wanted.connect(self._enrichment.models_wanted)
        sheet.settings_wanted.connect(lambda: self.show_settings(sheet, then=sheet.refresh))
        sheet.open()
        return sheet

    def _name(self, ids: list[int] | None) -> str:
        if ids is None:
            return tr("the library")
        if len(ids) == 1:
            title = self._enrichment.titles.get(ids[0], "")
            return f"“{title}”" if title else tr("this document")
        return trn("{n} document", "{n} documents", len(ids))

    def _agreed(self, ids: list[int] | None, first: bool, again: bool) -> None:
        self._enrichment.enrich(ids, first=first, again=again)

    def show_settings(
        self, over: QWidget | None = None, *, then: Callable[[], Any] = lambda: None
    ) -> EnrichmentSettingsDialog:
        """Edit the enrichment settings of the library; `then` is called after a change."""
        sheet = EnrichmentSettingsDialog(self._context, over or self._window)

        def kept(_: Any) -> None:
            self._context.messages.show(tr(KEPT))
            then()

        def keep(settings: EnrichSettings) -> None:
            self._write(self._context.enrichment.save_settings, settings, done=kept)

        sheet.kept.connect(keep)
        sheet.suggestion_wanted.connect(lambda: self.suggest(sheet, then=sheet.refresh))
        sheet.open()
        return sheet

    def suggest(
        self, over: QWidget | None = None, *, then: Callable[[], Any] = lambda: None
    ) -> SuggestionDialog:
        """Propose enrichment settings from a sample of the library."""
        sheet = SuggestionDialog(self._context, self._propose, over or self._window)

        def kept(_: Any) -> None:
            self._context.messages.show(tr(KEPT))
            then()

        def keep(proposal: Proposal) -> None:
            self._write(accept, self._writer, proposal, done=kept)

        sheet.accepted_proposal.connect(keep)
        sheet.open()
        return sheet

    def _propose(self, cancel: CancelToken, on_progress: ProgressCallback) -> Proposal:
        """Return a proposal; runs in the model lane while enrichment pauses."""
        registry = self._context.model_registry
        facts = find_chat_facts(registry)
        with self._context.scheduler.hold(Priority.QUESTION):
            return propose(
                self._model_db,
                registry.find_chat,
                n_parameters=facts.n_parameters if facts else 0,
                cancel=cancel,
                on_progress=on_progress,
            )


FILES = later("Graphs (*.json *.graphml *.parquet);;All files (*)")


class GraphImport(QObject):
    """Imports graphs of other programs, one at a time.

    Args:
        publish: announces a change to the screens.
        index: starts embedding the new passages.
    """

    _changed = Signal(object)  # from the lane of the import

    def __init__(
        self,
        context: SessionContext,
        lane: Lane,
        writer: Db,
        window: QWidget,
        foot: WorkStatus,
        *,
        publish: Callable[[ChangeSet], None],
        index: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._context, self._lane, self._writer = context, lane, writer
        self._window, self._status, self._index = window, foot, index
        self._changed.connect(publish)
        self._job: Job | None = None
        foot.cancel_requested.connect(self.cancel)

    def ask(self, folder: bool) -> None:
        """Ask for a folder or a file and import its graph."""
        if folder:
            path = QFileDialog.getExistingDirectory(
                self._window, tr("Import a graph: a folder of LightRAG or GraphRAG")
            )
        else:
            path, _ = QFileDialog.getOpenFileName(self._window, tr("Import a graph"), "", tr(FILES))
        if path:
            self.run_import(Path(path))

    def run_import(self, path: Path) -> None:
        """Import the graph of a file or folder; the format is detected."""
        if self._job is not None:
            self._context.messages.show(tr("One graph at a time: another one is coming in."))
            return

        def work(job: Job) -> Imported:
            cancel = job.cancel_token
            with self._context.scheduler.hold(Priority.IMPORT, cancel):
                return import_graph(
                    self._writer,
                    path,
                    cancel=cancel,
                    on_progress=job.report,
                    on_change=self._changed.emit,
                )

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
        self._status.show_work(progress, title)
        self._status.pause_button.hide()  # an import can be cancelled and repeated

    def _ended(self) -> None:
        self._job = None
        self._status.hide()
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


class EnrichmentController(QObject):
    """Owns the queue control, the dialogs and the graph import of one open library.

    Args:
        model_db: a read connection for the model lane.
        write: runs a change in the writer lane: `write(method, *args, done=takes_result)`.
        publish: announces a change to the screens.
        index: starts embedding new passages.
    """

    def __init__(
        self,
        context: SessionContext,
        window: MainWindow,
        work: EnrichmentJob,
        facts: CachedChatFacts,
        *,
        writer: Db,
        model_db: Db,
        import_lane: Lane,
        write: Callable[..., None],
        publish: Callable[[ChangeSet], None],
        index: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self.enrichment = EnrichmentWork(
            context, work, facts, writer, write=write, publish=publish, parent=self
        )
        self.sheets = EnrichmentDialogs(
            context, self.enrichment, window, writer=writer, model_db=model_db, write=write
        )
        self.graph_import = GraphImport(
            context,
            import_lane,
            writer,
            window,
            window.sidebar.import_work,
            publish=publish,
            index=index,
        )

    def join(self) -> None:
        """Connect the actions and screens of the window to enrichment and import."""
        enrichment, sheets, run_import = self.enrichment, self.sheets, self.graph_import
        for name, slot in (
            ("enrich", sheets.ask),
            ("enrich_pause", enrichment.pause_or_resume),
            ("enrich_settings", sheets.show_settings),
            ("enrich_suggest", sheets.suggest),
            ("import_folder", lambda: run_import.ask(True)),
            ("import_file", lambda: run_import.ask(False)),
        ):
            action = self._window.actions_by_name[name]
            action.triggered.connect(lambda _=False, slot=slot: slot())
        screens = self._window.screens
        library = screens.library
        library.enrich_requested.connect(sheets.ask)
        library.enrich_now_requested.connect(enrichment.enrich)
        library.enrich_stop_requested.connect(enrichment.stop)
        library.enrich_retry_requested.connect(enrichment.retry)
        library.enrich_settings_requested.connect(lambda: sheets.show_settings())
        library.import_graph_requested.connect(run_import.ask)
        for screen in (screens.graph, screens.entity):
            screen.enrich_entity_requested.connect(lambda entity: enrichment.enrich(entity=entity))
        screens.reader.enrich_chapter_requested.connect(
            lambda *place: enrichment.enrich(chapter=place)
        )
        enrichment.models_wanted.connect(self._window.navigator.open_models)
        enrichment.join(self._window.sidebar.enrich_work)
