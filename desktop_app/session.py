"""One open library: creates its lanes, services, screens and window, and connects them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from .engine.answering.pipeline import AnswerPipeline
from .engine.changes import ChangeSet
from .engine.llm.registry import ModelRegistry
from .engine.llm.trial import ModelCannotRun
from .engine.model import DocumentRow
from .engine.progress import Progress
from .engine.retrieval.retriever import Retriever
from .engine.scheduler import Priority, WorkScheduler
from .engine.services.adding import Added, add_files
from .engine.services.annotations import AnnotationService
from .engine.services.chats import Chats
from .engine.services.collections import Collections
from .engine.services.demo import demo_files
from .engine.services.documents import DocumentService
from .engine.services.duplicates import build_duplicates
from .engine.services.editing.service import EditingService
from .engine.services.enrichment.service import EnrichmentReader, EnrichmentService
from .engine.services.enrichment.summaries import SummaryService
from .engine.services.graph_views import GraphViews
from .engine.services.indexing import IndexingService
from .engine.services.library import Library
from .engine.services.library_reader import LibraryReader
from .engine.services.preferences import Preferences
from .ui.chat.screen import ChatScreen
from .ui.communities.screen import CommunitiesScreen
from .ui.context import Hub, SessionContext
from .ui.controllers.communities import CommunityController, build_community_work
from .ui.controllers.editing import EditingController, ask_with
from .ui.controllers.enrichment import CachedChatFacts, EnrichmentController
from .ui.controllers.library import GraphImport, LibraryController, describe_stage
from .ui.duplicates.screen import MergeDesk
from .ui.entity.screen import EntityScreen
from .ui.explorer.screen import ExplorerScreen
from .ui.language import tr
from .ui.library.screen import LibraryScreen
from .ui.messages import Messages
from .ui.models.screen import ModelsScreen
from .ui.reader.screen import ReaderScreen
from .ui.settings.screen import SettingsScreen
from .ui.shell.main_window import MainWindow
from .ui.shell.navigator import Screens
from .ui.shell.notifications import FinishedNotification
from .ui.theme.theme import Theme
from .workers.background_jobs import EnrichmentJob, QueueRunner
from .workers.lane import Lane
from .workers.operations import Query, Work

log = logging.getLogger(__name__)

PAGE_LANES = ("reader", "duplicates")  # load what a screen shows
LANES = ("reader", "writer", "model", "indexing", "enrichment", "importing", "duplicates")
REFRESH_MS = 400  # changes within this time are reported together


class Session(QObject):
    """Creates and connects the objects of one library; `close` stops the work."""

    library_wanted = Signal(str)
    theme_wanted = Signal(str)
    restart_wanted = Signal()
    model_problem_found = Signal(object)  # from any thread
    schedule_changed = Signal()  # from any thread

    def __init__(self, path: Path, theme: Theme, registry: ModelRegistry) -> None:
        super().__init__()
        self.library = Library(path)
        self._messages = Messages(self)
        self._scheduler = WorkScheduler()
        self._lanes = {
            name: Lane(
                name,
                self._messages.show_error,
                self,
                hold=self._hold_page if name in PAGE_LANES else nullcontext,
            )
            for name in LANES
        }
        self._model_db = self.library.reader()
        self.context = self._build_context(theme, registry)
        self.indexing = IndexingService(
            self.library.writer,
            registry.find_embedder,
            Preferences().reading,
            self._scheduler,
        )
        self.runner = QueueRunner(self._lanes["indexing"], self.indexing.run, self)
        self.window = MainWindow(self.context, self._build_screens())
        self.enrichment = EnrichmentController(
            self.context,
            self.window,
            self._enrichment_job,
            self._facts,
            writer=self.library.writer,
            model_db=self._model_db,
            write=self._write,
            publish=self.publish,
        )
        self.graph_import = GraphImport(
            self.context,
            self._lanes["importing"],
            self.library.writer,
            self.window,
            publish=self.publish,
            index=self.runner.start,
        )
        self.curation = EditingController(self.context, self.window, self.library.writer)
        self.communities = CommunityController(
            self.context, self.window, publish=self.publish, is_busy=lambda: self.runner.is_running
        )
        self.documents = LibraryController(
            self.context,
            self.window,
            self.library.writer,
            self._lanes["importing"],
            add=self.add_paths,
            on_added=self._show_added,
        )
        self.documents.library_wanted.connect(self.library_wanted)
        self._titles: dict[int, str] = {}
        self._pending = ChangeSet()
        self.publish_timer = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._connect()
        self._reload()
        self.window.restore_place(str(self.library.path))
        self._watch_models(registry)
        self.runner.start()

    def _watch_models(self, registry: ModelRegistry) -> None:
        """Show why an installed model cannot run, at the start and when it is requested."""
        show = self.context.messages.show_error
        self.model_problem_found.connect(show)
        registry.on_problem = self.model_problem_found.emit

        def show_all(problems: list[ModelCannotRun]) -> None:
            for problem in problems:
                show(problem)

        trial = Work(
            self._lanes["model"], lambda job: registry.find_problems(job.cancel_token), owner=self
        )
        trial.on_success(show_all).run()

    def _build_context(self, theme: Theme, registry: ModelRegistry) -> SessionContext:
        writer = self.library.writer
        reader_db, model_db = self.library.reader(), self._model_db
        self._facts = CachedChatFacts(registry)
        enrichment = EnrichmentService(
            writer, registry.find_chat, find_facts=self._facts, scheduler=self._scheduler
        )
        summarising = SummaryService(writer, registry.find_chat)
        self._enrichment_job = EnrichmentJob(writer, enrichment, summarising, self._scheduler)
        return SessionContext(
            scheduler=self._scheduler,
            reader_lane=self._lanes["reader"],
            writer_lane=self._lanes["writer"],
            model_lane=self._lanes["model"],
            indexing_lane=self._lanes["indexing"],
            library_reader=LibraryReader(reader_db),
            graph_views=GraphViews(writer),
            editing=EditingService(writer),
            documents=DocumentService(writer),
            enrichment=enrichment,
            enrichment_reader=EnrichmentReader(reader_db, self._facts),
            enrichment_runner=QueueRunner(
                self._lanes["enrichment"], self._enrichment_job.run, self
            ),
            answer_pipeline=AnswerPipeline(
                Retriever(model_db, registry.find_embedder, registry.find_reranker),
                writer,
                registry.find_chat,
                self._scheduler,
            ),
            chats=Chats(reader_db, writer),
            annotations=AnnotationService(reader_db, writer),
            collections=Collections(writer),
            duplicates_lane=self._lanes["duplicates"],
            duplicates=build_duplicates(self.library.reader(), registry.find_embedder),
            ask_about_duplicates=ask_with(registry, self._scheduler),
            communities=build_community_work(
                self.library,
                registry,
                self._scheduler,
                self._messages.show_error,
                self,
            ),
            model_registry=registry,
            theme=theme,
            messages=self._messages,
            hub=Hub(self),
        )

    def _hold_page(self) -> AbstractContextManager[object]:
        return self._scheduler.hold(Priority.VISIBLE_PAGE)

    def _build_screens(self) -> Screens:
        return Screens(
            library=LibraryScreen(self.context),
            reader=ReaderScreen(self.context),
            graph=ExplorerScreen(self.context),
            entity=EntityScreen(self.context),
            merge=MergeDesk(self.context),
            communities=CommunitiesScreen(self.context),
            chat=ChatScreen(self.context),
            models=ModelsScreen(self.context),
            settings=SettingsScreen(self.context),
        )

    def _connect(self) -> None:
        window, runner = self.window, self.runner
        library, chat = window.screens.library, window.screens.chat
        runner.progressed.connect(self._show_progress)
        runner.changed.connect(self.publish)
        runner.state_changed.connect(self._show_state)
        library.demo_requested.connect(self.add_demo)
        for source in (window, library):
            source.pause_requested.connect(runner.pause)
            source.resume_requested.connect(runner.start)
        library.cancel_requested.connect(self._do(self.context.documents.stop_document))
        library.retry_requested.connect(
            self._do(self.context.documents.retry_document, then=runner.start)
        )
        library.delete_requested.connect(self._do(self.context.documents.delete_documents))
        window.cancel_requested.connect(runner.pause)
        window.theme_requested.connect(self.theme_wanted)
        window.library_requested.connect(self.library_wanted)
        window.restart_requested.connect(self.restart_wanted)
        chat.chat_changed.connect(
            lambda chat_id: self.publish(ChangeSet(chats=frozenset({chat_id})))
        )
        self.enrichment.start()
        self._scheduler.on_change = self.schedule_changed.emit
        self.schedule_changed.connect(self.enrichment.show_blocker)
        notice = FinishedNotification(window, self.context.theme.icon("library", color="accent"))
        notice.watch(runner, lambda: tr("The added documents are indexed."))
        notice.watch(self.context.enrichment_runner, lambda: tr("Enrichment is finished."))
        window.screens.settings.changed.connect(self._take_settings)
        self._take_settings("care", Preferences().trash)
        self.context.hub.changed.connect(self._reload)
        self.publish_timer.timeout.connect(self._flush)

    def _take_settings(self, section: str, settings: Any) -> None:
        """Apply the settings that need no restart."""
        if section == "reading":
            self.indexing.chunking = settings
        elif section == "care":
            self.context.documents.trash_days = settings.trash_days

    def enrich(
        self,
        documents: list[int] | None = None,
        entity: int | None = None,
        chapter: tuple[int, int, int] | None = None,
        first: bool = True,
    ) -> None:
        """Enrich documents, the passages of an entity, a part of a document, or the library."""
        self.enrichment.enrich(documents, entity, chapter, first=first)

    # --- documents ------------------------------------------------------------------------------

    def add_paths(self, files: list[str]) -> None:
        """Add files and folders to the library and index them."""
        paths = [Path(f) for f in files]
        self._write(add_files, self.library.writer, paths, done=self._show_added)

    def add_demo(self) -> None:
        self.add_paths([str(path) for path in demo_files()])

    def _show_added(self, added: Added) -> None:
        self.documents.show_added(added)
        self.publish(ChangeSet(documents=frozenset(added.documents)))
        if added.documents:
            self.runner.start()

    def _do(
        self, method: Callable[..., ChangeSet], then: Callable[[], Any] = lambda: None
    ) -> Callable[[Any], None]:
        """Return a slot that runs a method for one or more documents in the writer lane."""

        def run(document_id: int | list[int]) -> None:
            def done(change: ChangeSet) -> None:
                self.publish(change)
                then()

            self._write(method, document_id, done=done)

        return run

    def _write(self, method: Callable[..., Any], *args: Any, done: Callable[[Any], None]) -> None:
        """Run a method in the writer lane; `done` gets its result."""
        query = Query(self._lanes["writer"], method, *args, owner=self)
        query.on_success(done).run()

    # --- changes and progress ---------------------------------------------------------------------

    def publish(self, change: ChangeSet) -> None:
        """Report a change to the screens, together with others of the next 400 ms."""
        self._pending = self._pending | change
        if not self.publish_timer.isActive():
            self.publish_timer.start()

    def _flush(self) -> None:
        change, self._pending = self._pending, ChangeSet()
        self.context.hub.publish(change)

    def _reload(self, change: ChangeSet | None = None) -> None:
        if change is not None and change.queued:
            self.runner.start()
        lane, library_reader = self._lanes["reader"], self.context.library_reader
        Query(lane, library_reader.overview, owner=self).on_success(self.window.set_overview).run()
        Query(lane, library_reader.list_chats, owner=self).on_success(self.window.set_chats).run()
        Query(lane, library_reader.list_documents, owner=self).on_success(self._keep_titles).run()

    def _keep_titles(self, rows: list[DocumentRow]) -> None:
        self._titles = self.enrichment.titles = {row.id: row.title for row in rows}

    def _show_progress(self, progress: Progress) -> None:
        self.window.screens.library.show_progress(progress)
        self.window.show_work(progress, describe_stage(progress, self._titles))

    def _show_state(self, state: str) -> None:
        if state == "idle":
            self.window.show_work(None, "")
        elif state == "paused":
            self.window.show_work(None, tr("Paused"))

    def close(self) -> None:
        """Stop all work; it continues at the next start."""
        self.publish_timer.stop()
        self.window.save_place(str(self.library.path))
        self.window.close()
        screens = self.window.screens
        for screen in (screens.reader, screens.graph, screens.communities):
            screen.shut_down()  # ends the lanes of these screens
        for lane in self._lanes.values():
            lane.close()
        self.library.close()
        self.window.deleteLater()
        self.deleteLater()
