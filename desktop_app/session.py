"""One open library: its store, services, lanes, model hosts and background work.

`Session` publishes changes to the screens through the `Hub`. It knows no widgets: the window of a
library is put together in `ui/workspace.py`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal

from .engine.changes import ChangeNotice
from .engine.child_process import end_children
from .engine.communities.reader import CommunityReader
from .engine.deferred import build_now, defer, is_built
from .engine.errors import EnvironmentProblem
from .engine.llm.registry import ModelRegistry
from .engine.llm.trial import ModelCannotRun
from .engine.log_files import plain
from .engine.scheduler import Priority, WorkScheduler
from .engine.services.annotations import AnnotationService
from .engine.services.backups import AutomaticBackups
from .engine.services.chats import Chats
from .engine.services.collections import Collections
from .engine.services.demo import demo_files
from .engine.services.documents import DocumentService
from .engine.services.enrichment.rates import CachedChatFacts
from .engine.services.enrichment.service import EnrichmentReader, EnrichmentService
from .engine.services.figures import FigureDrawer, FigureReader
from .engine.services.foreign_changes import ForeignChange
from .engine.services.library import Library
from .engine.services.library_models import LibraryModels
from .engine.services.library_reader import LibraryReader
from .engine.services.model_servers import library_name
from .engine.services.ocr import OcrReader, OcrService
from .engine.services.preferences import Preferences
from .engine.services.sheet_drafts import SheetDrafts
from .engine.store.encryption import LibraryKey
from .workers.background_jobs import (
    CommunityRefresh,
    CommunityWork,
    CoverJob,
    EnrichmentJob,
    FigureTextJob,
    QueueRunner,
    ReportJob,
    RereadingJob,
)
from .workers.evaluation_runner import EvaluationRunner
from .workers.foreign_watch import ForeignWatch
from .workers.lane import Job, Lane, find_running
from .workers.library_server import LibraryServer
from .workers.operations import Query, Work

if TYPE_CHECKING:  # imported when they are built
    from .engine.answering.pipeline import AnswerPipeline
    from .engine.communities.report_service import ReportService
    from .engine.services.document_import import AddedFiles
    from .engine.services.duplicates import DuplicateCluster, DuplicateMaintenance, Duplicates
    from .engine.services.editing.service import EditingService
    from .engine.services.enrichment.summaries import SummaryService
    from .engine.services.evaluation.library_evaluations import LibraryEvaluations
    from .engine.services.evaluation.service import EvaluationService
    from .engine.services.figure_descriptions import (
        FigureDescriptionReader,
        FigureDescriptionService,
    )
    from .engine.services.figure_texts import FigureTextService
    from .engine.services.figures import FigureUpdate
    from .engine.services.graph_views import GraphViews
    from .engine.services.indexing import IndexingService
    from .engine.services.model_capabilities import CapabilityChecks
    from .engine.services.reference_update import ReferenceUpdate
    from .engine.store.db import Db

log = logging.getLogger(__name__)

T = TypeVar("T")

PAGE_LANES = (  # load what a screen shows
    *("reader", "duplicates", "communities"),
    "evaluations",  # runs and their pages; "evaluating" asks the questions
)
LANES = (
    *PAGE_LANES,
    "writer",  # the one read-write connection
    "model",  # questions in chats
    "downloads",
    "indexing",
    "files",  # imports, exports, backups, checks of the library, watched folders
    "documents",  # covers, and what newer rules find in documents that were read before
    *("scans", "figures"),  # reads pictures of pages and text in figures; draws figures
    "descriptions",  # of figures
    *("enrichment", "reports"),
    "clustering",  # computes communities
    "comparing",  # searches for duplicates in the background; "duplicates" for the merge desk
    "evaluating",
    "preparing",  # imports modules that are needed later
)
PUBLISH_MS = 400  # changes by work in the background within this time are published together
# Since the start of closing: cancelled work may still end by itself; then only edits go on; then
# nothing does. A thread that runs after the last one is left behind.
QUIET_S, EDITS_S, CLOSE_S = 0.3, 1.0, 1.2
# Modules that are imported after the window is shown, besides what deferred services import: a
# quotation or a name that is asked for should not wait for them.
PREPARED_MODULES = (
    "services.quotation_search",
    "services.editing.history",
    "services.editing.previews",
    "services.entity_comparison",
    "services.covers",
    "services.annotation_entries",
    "services.provenance",
    "services.events",
    "communities.material",
    "extraction.llm.relation_kinds",
)
MAX_WAIT_FOR_WINDOW_S = 10.0  # of work in the background


class Hub(QObject):
    """Publishes change notices; screens reload what they show of them.

    `edited` comes before `changed` if the change is an action of the user, which is to be shown at
    once; `is_edit` is true while `changed` is emitted for one. `covers_changed` carries the ids of
    documents with new covers, and `figures_read` of those in whose figures text was read, or whose
    figures were described; nothing else of them changed.
    """

    changed = Signal(object)
    edited = Signal()
    covers_changed = Signal(object)
    figures_read = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_edit = False

    def publish_edit(self, change: ChangeNotice | None) -> None:
        """Publish what an action of the user changed, at once."""
        if change:
            self.edited.emit()
            self.is_edit = True
            self.changed.emit(change)
            self.is_edit = False

    def publish_work(self, change: ChangeNotice | None) -> None:
        """Publish what work in the background changed."""
        if change:
            self.changed.emit(change)


@dataclass(kw_only=True)
class Services:
    """The services of one library, the lanes to call them in, and the hub for changes.

    Each service is called in one lane only:

    - `reader_lane`: `library_reader`, `enrichment_reader`, `ocr_reader`, `figure_reader`,
      `description_reader`.
    - `writer_lane`: `editing`, `graph_views`, `documents`, `enrichment`, `ocr`, `descriptions`,
      `sheet_drafts`.
    - `model_lane`: `answer_pipeline`, `ask_about_duplicates`, and changes of the model server in
      `library_models`, which gives the models of this library.
    - `duplicates_lane`: `duplicates`, which may take seconds; `comparing_lane`, in the background:
      `duplicate_maintenance`.
    - `evaluation_lane`: reading `evaluations`; what they write is called in `writer_lane`.
    - `figure_lane`: `figure_drawer`, which may wait for a process.
    - `download_lane`: downloads and copies of models, so that no question waits for them.

    The methods `want_…` of `figure_texts` and `descriptions` may be called anywhere. A runner has a
    lane of its own and works until its queue is empty: `enrichment_runner` for what `enrichment`
    queues, `ocr_runner` for pages that are pictures, `description_runner` for figures,
    `evaluation_runner` for questions.
    """

    scheduler: WorkScheduler
    reader_lane: Lane
    writer_lane: Lane
    model_lane: Lane
    download_lane: Lane
    library_reader: LibraryReader
    graph_views: GraphViews
    editing: EditingService
    documents: DocumentService
    enrichment: EnrichmentService
    enrichment_reader: EnrichmentReader
    enrichment_runner: QueueRunner
    ocr: OcrService
    ocr_reader: OcrReader
    ocr_runner: QueueRunner
    figure_lane: Lane
    figure_reader: FigureReader
    figure_drawer: FigureDrawer
    figure_texts: FigureTextService
    descriptions: FigureDescriptionService
    description_reader: FigureDescriptionReader
    description_runner: QueueRunner
    answer_pipeline: AnswerPipeline
    chats: Chats
    sheet_drafts: SheetDrafts
    annotations: AnnotationService
    collections: Collections
    duplicates_lane: Lane
    duplicates: Duplicates
    comparing_lane: Lane
    duplicate_maintenance: DuplicateMaintenance
    ask_about_duplicates: Callable[[DuplicateCluster], DuplicateCluster]
    communities: CommunityWork
    evaluation_lane: Lane
    evaluations: LibraryEvaluations
    evaluation_runner: EvaluationRunner
    model_registry: ModelRegistry
    library_models: LibraryModels
    capability_checks: CapabilityChecks
    capability_lane: Lane  # of `EvaluationRunner`, too: both ask a model questions for minutes
    library_server: LibraryServer
    hub: Hub


class Session(QObject):
    """Creates the services and lanes of one library; `close` stops the work.

    Args:
        is_shared: another window has the library open, so that its last edits may be of there.
    """

    failed = Signal(object)  # a failure that no caller handles; from any thread
    files_added = Signal(object)
    details_found = Signal(object)  # ids of older documents of which more is known now
    schedule_changed = Signal()  # from any thread
    server_changed = Signal()  # the model server was set, is gone or back; from any thread
    edited_elsewhere = Signal(object)  # the label of an edit by another process
    missing_changed = Signal(bool)  # the file of the library was moved or deleted, or is back
    closed = Signal()  # no lane runs any more

    def __init__(
        self,
        path: Path,
        registry: ModelRegistry,
        key: LibraryKey | None = None,
        *,
        is_shared: bool = False,
    ) -> None:
        super().__init__()
        self.library = Library(path, key=key)
        try:
            if not is_shared:  # whoever made them, nobody else works with the library now
                self.library.writer.own_edits.adopt_earlier()
            self._build(registry)
        except BaseException:
            self.library.close()
            raise

    def _build(self, registry: ModelRegistry) -> None:
        self.lanes = {name: self._build_lane(name) for name in LANES}
        self.scheduler = WorkScheduler()
        self.scheduler.on_change = self.schedule_changed.emit
        self.model_db = self.library.reader()  # for the model lane
        self.models = LibraryModels(registry, library_name(self.library.writer))
        self.models.on_change = self._server_changed
        self.server_changed.connect(self._embed_again)
        self.chat_facts = CachedChatFacts(self.models.find_chat_facts)
        self._deferred: list[object] = []
        self.is_shown = threading.Event()  # what needs long imports waits for the window
        self.is_shown.set()
        self.services = self._build_services(registry)
        self.indexing = self._defer(self._build_indexing)
        self.indexing_runner = QueueRunner(self.lanes["indexing"], self._run_indexing, self)
        self.indexing_runner.changed.connect(self.publish_work)
        self._build_maintenance()
        self.foreign_watch = ForeignWatch(self.lanes["writer"], self.library.writer, self)
        self.foreign_watch.found.connect(self._take_foreign_change)
        self.foreign_watch.missing_changed.connect(self.missing_changed)
        self._closing: list[Lane] = []
        self._is_closed = False
        self._pending = ChangeNotice()
        self.publish_timer = QTimer(self, singleShot=True, interval=PUBLISH_MS)
        self.publish_timer.timeout.connect(self._flush)
        self.services.documents.trash_days = Preferences().trash.trash_days
        self.backups = AutomaticBackups(self.library.writer, self.library.backups, self.failed.emit)

    def _build_maintenance(self) -> None:
        """Create what works on documents that are indexed: references of older ones, and covers."""
        lane, writer = self.lanes["documents"], self.library.writer
        hub = self.services.hub

        def build_reference_update() -> ReferenceUpdate:
            from .engine.services.reference_update import ReferenceUpdate

            return ReferenceUpdate(writer, self.scheduler)

        def build_figure_update() -> FigureUpdate:
            from .engine.services.figures import FigureUpdate

            return FigureUpdate(writer, self.scheduler)

        references = RereadingJob(self._defer(build_reference_update))
        self.reference_runner = QueueRunner(lane, references.run, self)
        self.cover_runner = QueueRunner(lane, CoverJob(writer, self.scheduler).run, self)
        figures = RereadingJob(self._defer(build_figure_update))
        self.figure_runner = QueueRunner(lane, figures.run, self)
        texts = FigureTextJob(self.services.figure_texts)
        # In the lane of scanned pages: their networks are in memory only once.
        self.figure_text_runner = QueueRunner(self.lanes["scans"], texts.run, self)
        self._documents_with_new_details: set[int] = set()
        self.reference_runner.changed.connect(self._take_details)
        self.figure_runner.changed.connect(self.publish_work)
        self.figure_runner.changed.connect(lambda _: self._read_figures())
        self.services.ocr_runner.state_changed.connect(lambda _: self._read_figures())
        self.reference_runner.state_changed.connect(self._report_details)
        self.cover_runner.changed.connect(lambda change: hub.covers_changed.emit(change.documents))
        self.figure_text_runner.changed.connect(
            lambda change: hub.figures_read.emit(change.documents)
        )
        self.services.description_runner.changed.connect(
            lambda change: hub.figures_read.emit(change.documents)
        )
        self.indexing_runner.state_changed.connect(self._begin_maintenance)
        hub.changed.connect(self._ensure_covers)
        self.services.ocr_runner.changed.connect(self._take_scans)

    def _begin_maintenance(self, state: str) -> None:
        if state == "idle" and self.library.is_writable:
            Query(self.lanes["writer"], self._prepare_update, owner=self).run()
            self.reference_runner.start()
            self.cover_runner.start()
            self.figure_runner.start()
            self._read_scans()
            self._describe_figures()

    def _read_figures(self) -> None:
        """Read the text in figures while nothing is indexed and no scanned page is read."""
        is_quiet = self.indexing_runner.state == "idle" and self.services.ocr_runner.state == "idle"
        if is_quiet and self.library.is_writable and self.figure_text_runner.state == "idle":
            self.figure_text_runner.start()

    def _describe_figures(self) -> None:
        """Describe the pictures that still wait, unless that is running."""
        if self.services.description_runner.state == "idle":
            self.services.description_runner.start()

    def _read_scans(self) -> None:
        """Read the pages that are pictures, unless that is running or was paused."""
        if self.services.ocr_runner.state == "idle":
            self.services.ocr_runner.start()

    def _ensure_covers(self, change: ChangeNotice) -> None:
        """Make covers of documents that were read, or came back from the trash.

        While others are still indexed, which may take hours, or indexing is paused.
        """
        if change.documents and self.library.is_writable:
            self.cover_runner.start()
            self._read_scans()
            if self.indexing_runner.state == "idle":
                self.reference_runner.start()

    def _take_scans(self, change: ChangeNotice) -> None:
        """Publish which pages were read, and read the files again whose text gets more."""
        self.publish_work(change)
        if change.queued:
            self.start_indexing()

    def _take_details(self, change: ChangeNotice) -> None:
        self._documents_with_new_details |= change.documents
        self.publish_work(change)

    def _report_details(self, state: str) -> None:
        if state != "running" and self._documents_with_new_details:
            found, self._documents_with_new_details = self._documents_with_new_details, set()
            self.details_found.emit(sorted(found))

    def start(self) -> None:
        """Index what is queued, try the installed models, and begin to make backups."""
        self.backups.start()
        registry = self.services.model_registry
        registry.on_problem = self.failed.emit

        def show_all(problems: list[ModelCannotRun]) -> None:
            for problem in problems:
                self.failed.emit(problem)

        trial = Work(
            self.lanes["model"], lambda job: registry.find_problems(job.cancel_token), owner=self
        )
        trial.on_success(show_all).run()
        if self.library.is_writable:
            self.indexing_runner.start()
            self.foreign_watch.start()

    def _take_foreign_change(self, found: ForeignChange) -> None:
        self.services.hub.publish_work(found.change)
        if found.edit:
            self.edited_elsewhere.emit(found.edit)

    def _build_lane(self, name: str) -> Lane:
        hold = self._hold_page if name in PAGE_LANES else nullcontext
        return Lane(name, self._report_failure, self, hold=hold)

    def _report_failure(self, error: BaseException) -> None:
        """Pass a failure on; one that arrives after the session was deleted is only logged."""
        if shiboken6.isValid(self):
            self.failed.emit(error)

    def _hold_page(self) -> AbstractContextManager[object]:
        return self.scheduler.hold(Priority.VISIBLE_PAGE)

    def _build_services(self, registry: ModelRegistry) -> Services:
        writer, models = self.library.writer, self.models
        # Chats of a library that can't be written are in the memory of its first connection.
        reader_db = self.library.reader() if writer.is_writable else writer
        enrichment = self._defer(self._build_enrichment)
        self.enrichment_job = EnrichmentJob(
            writer, enrichment, self._defer(self._build_summaries), self.scheduler
        )
        ocr = OcrService(writer, self.scheduler)
        reports = self._defer(self._build_reports)
        descriptions = self._defer(self._build_descriptions)
        report_job = ReportJob(reports, self.scheduler)
        return Services(
            scheduler=self.scheduler,
            reader_lane=self.lanes["reader"],
            writer_lane=self.lanes["writer"],
            model_lane=self.lanes["model"],
            download_lane=self.lanes["downloads"],
            library_reader=LibraryReader(reader_db),
            graph_views=self._defer(self._build_graph_views),
            editing=self._defer(self._build_editing),
            documents=DocumentService(writer),
            enrichment=enrichment,
            enrichment_reader=EnrichmentReader(reader_db, self.chat_facts),
            enrichment_runner=QueueRunner(self.lanes["enrichment"], self.enrichment_job.run, self),
            ocr=ocr,
            ocr_reader=OcrReader(reader_db),
            ocr_runner=QueueRunner(self.lanes["scans"], ocr.run, self),
            figure_lane=self.lanes["figures"],
            figure_reader=FigureReader(reader_db),
            figure_drawer=FigureDrawer(self.library.reader()),
            figure_texts=self._defer(self._build_figure_texts),
            descriptions=descriptions,
            description_reader=self._defer(partial(self._build_description_reader, reader_db)),
            description_runner=QueueRunner(
                self.lanes["descriptions"], lambda **options: descriptions.run(**options), self
            ),
            answer_pipeline=self._defer(self._build_answer_pipeline),
            chats=Chats(reader_db, writer),
            sheet_drafts=SheetDrafts(writer),
            annotations=AnnotationService(reader_db, writer),
            collections=Collections(writer),
            duplicates_lane=self.lanes["duplicates"],
            duplicates=self._defer(self._build_duplicates),
            comparing_lane=self.lanes["comparing"],
            duplicate_maintenance=self._defer(self._build_duplicate_maintenance),
            ask_about_duplicates=self._ask_about_duplicates,
            communities=CommunityWork(
                CommunityReader(self.library.reader()),
                self.lanes["communities"],
                CommunityRefresh(
                    self.lanes["clustering"],
                    self.library.reader(),
                    self.lanes["writer"],
                    writer,
                    self,
                ),
                reports,
                report_job,
                QueueRunner(self.lanes["reports"], report_job.run, self),
            ),
            evaluation_lane=self.lanes["evaluations"],
            evaluations=self._defer(self._build_evaluations),
            evaluation_runner=self._build_evaluation_runner(),
            model_registry=registry,
            library_models=models,
            capability_checks=self._defer(self._build_capability_checks),
            capability_lane=self.lanes["evaluating"],
            library_server=LibraryServer(self.library.path, self.library.key, self),
            hub=Hub(self),
        )

    def _build_capability_checks(self) -> CapabilityChecks:
        from .engine.services.model_capabilities import CapabilityChecks

        return CapabilityChecks(self.models.borrow_chat, self.scheduler)

    def _build_evaluation_runner(self) -> EvaluationRunner:
        lane, writer, models = self.lanes["evaluating"], self.library.writer, self.models
        service = self._defer(self._build_evaluation_service)
        return EvaluationRunner(lane, writer, service, models.borrow_chat, self.scheduler, self)

    # --- services that the window does not need before it is shown ------------------------------

    def _defer(self, build: Callable[[], T]) -> T:
        """Return a service that is imported and built when it is used, or by `prepare`."""
        service = defer(build)
        self._deferred.append(service)
        return service

    def prepare(self, job: Job) -> None:
        """Import and build what is not there yet and is needed sooner or later; in a lane."""
        for module in PREPARED_MODULES:
            job.cancel_token.check()  # a thread that imports can't be stopped
            import_module(f"{__package__}.engine.{module}")
        for service in self._deferred:
            job.cancel_token.check()
            build_now(service)

    def prepare_analysis(self) -> None:
        """Start the processes that read documents, in the background, with the main language."""
        if self.library.is_writable:
            Work(self.lanes["preparing"], self._prepare_analysis, owner=self).run()

    def _prepare_analysis(self, job: Job) -> None:
        from .engine.services.document_analysis import LocalAnalysis
        from .engine.store.documents import find_main_language

        LocalAnalysis().prepare(find_main_language(self.library.writer), job.cancel_token)

    def _build_indexing(self) -> IndexingService:
        from .engine.services.indexing import IndexingService

        return IndexingService(
            self.library.writer, self.models.find_embedder, Preferences().reading, self.scheduler
        )

    def _run_indexing(self, **callbacks: Any) -> None:
        self.is_shown.wait(MAX_WAIT_FOR_WINDOW_S)
        self.indexing.run(**callbacks)

    def _prepare_update(self) -> None:
        from .engine.services.graph_update import prepare_update

        prepare_update(self.library.writer)

    def _build_enrichment(self) -> EnrichmentService:
        return EnrichmentService(
            self.library.writer,
            self.models.find_chat,
            find_facts=self.chat_facts,
            scheduler=self.scheduler,
        )

    def _build_summaries(self) -> SummaryService:
        from .engine.services.enrichment.summaries import SummaryService

        return SummaryService(self.library.writer, self.models.find_chat)

    def _build_reports(self) -> ReportService:
        from .engine.communities.report_service import ReportService

        return ReportService(self.library.writer, self.models.find_chat)

    def _build_graph_views(self) -> GraphViews:
        from .engine.services.graph_views import GraphViews

        return GraphViews(self.library.writer)

    def _build_editing(self) -> EditingService:
        from .engine.services.editing.service import EditingService

        return EditingService(self.library.writer)

    def _build_figure_texts(self) -> FigureTextService:
        from .engine.services.figure_texts import FigureTextService

        return FigureTextService(self.library.writer, self.scheduler)

    def _build_descriptions(self) -> FigureDescriptionService:
        from .engine.services.figure_descriptions import FigureDescriptionService

        find_vision = self.services.model_registry.find_vision
        return FigureDescriptionService(self.library.writer, find_vision, self.scheduler)

    def _build_description_reader(self, db: Db) -> FigureDescriptionReader:
        from .engine.services.figure_descriptions import FigureDescriptionReader

        return FigureDescriptionReader(db)

    def _build_answer_pipeline(self) -> AnswerPipeline:
        from .engine.answering.pipeline import AnswerPipeline
        from .engine.retrieval.retriever import Retriever

        models = self.models
        return AnswerPipeline(
            Retriever(self.model_db, models.find_embedder, models.find_reranker),
            self.library.writer,
            models.find_chat,
            self.scheduler,
            models.estimate_loading,
        )

    def _build_duplicates(self) -> Duplicates:
        from .engine.services.duplicates import build_duplicates

        return build_duplicates(
            self.library.reader(),
            self.models.find_embedder,
            self.models.embedding_name,
            self.library.writer,
        )

    def _build_duplicate_maintenance(self) -> DuplicateMaintenance:
        from .engine.services.duplicates import DuplicateMaintenance

        return DuplicateMaintenance(self._build_duplicates(), self.scheduler)

    def _build_evaluations(self) -> LibraryEvaluations:
        from .engine.services.evaluation.library_evaluations import LibraryEvaluations

        return LibraryEvaluations(self.library.reader(), self.library.writer)

    def _build_evaluation_service(self) -> EvaluationService:
        from .engine.services.evaluation.service import EvaluationService

        models = self.models
        return EvaluationService(
            *(self.library.writer, models.find_embedder, models.find_reranker, models.borrow_chat),
            reader=self.library.reader(),
        )

    # --- models ---------------------------------------------------------------------------------

    def _server_changed(self) -> None:
        """Publish that other models are used now; from any thread."""
        self.chat_facts.forget()
        if shiboken6.isValid(self):
            self.server_changed.emit()

    def _embed_again(self) -> None:
        """Embed what the model that is used now has not embedded."""
        if self.library.is_writable and self.indexing_runner.state == "idle":
            self.indexing_runner.start()

    def _ask_about_duplicates(self, found: DuplicateCluster) -> DuplicateCluster:
        """Ask the chat model about a cluster; raises `EnvironmentProblem` if there is none."""
        from .engine.services.duplicates import ask_model

        model = self.models.find_chat()
        if model is None:
            raise EnvironmentProblem("There is no chat model.", "Get one on the Models screen.")
        with self.scheduler.hold(Priority.QUESTION):
            return ask_model(found, model)

    # --- documents ------------------------------------------------------------------------------

    def add_paths(self, files: list[str], *, leave_out: Collection[Path] = ()) -> None:
        """Add files and folders to the library and index them.

        Args:
            leave_out: files in the folders that are added in another way.
        """
        from .engine.services.document_import import add_files

        paths = [Path(f) for f in files]
        self.write(
            *(add_files, self.library.writer, paths), leave_out=leave_out, done=self.take_added
        )

    def add_demo(self) -> None:
        self.add_paths([str(path) for path in demo_files()])

    def take_added(self, added: AddedFiles) -> None:
        """Report and index documents that were added."""
        self.files_added.emit(added)
        self.publish_work(ChangeNotice(documents=frozenset(added.documents)))
        if added.documents:
            self.start_indexing()

    def start_indexing(self) -> None:
        """Index what is queued, unless the user paused it: then it waits as well."""
        if self.indexing_runner.state != "paused":
            self.indexing_runner.start()

    def stop_document(self, document_id: int) -> None:
        self._stop_documents([document_id])  # a table that is stored holds the writer
        self.write(self.services.documents.stop_document, document_id, done=self._stop_indexing)

    def retry_document(self, document_id: int) -> None:
        def done(change: ChangeNotice) -> None:
            self.publish_work(change)
            self.start_indexing()

        self.write(self.services.documents.retry_document, document_id, done=done)

    def delete_documents(self, ids: list[int]) -> None:
        self._stop_documents(ids)
        self.write(self.services.documents.delete_documents, ids, done=self._stop_indexing)

    def _stop_indexing(self, change: ChangeNotice) -> None:
        """Publish that documents were stopped or deleted, and stop the work on them."""
        self._stop_documents(change.documents)
        self.publish_work(change)

    def _stop_documents(self, ids: Collection[int]) -> None:
        if is_built(self.indexing):  # else nothing is indexed
            self.indexing.stop_documents(ids)

    def apply_settings(self, section: str, settings: Any) -> None:
        """Apply the settings that need no restart."""
        if section == "reading" and is_built(self.indexing):
            self.indexing.chunking = settings
        elif section == "care":
            self.services.documents.trash_days = settings.trash_days

    def write(
        self,
        method: Callable[..., Any],
        *args: Any,
        done: Callable[[Any], None],
        **options: Any,
    ) -> None:
        """Run a method in the writer lane; `done` gets its result."""
        Query(self.lanes["writer"], method, *args, owner=self, **options).on_success(done).run()

    def read(self, method: Callable[..., Any], *args: Any, done: Callable[[Any], None]) -> None:
        """Run a method in the reader lane; `done` gets its result."""
        Query(self.lanes["reader"], method, *args, owner=self).on_success(done).run()

    # --- changes ----------------------------------------------------------------------------------

    def publish_work(self, change: ChangeNotice) -> None:
        """Publish what work in the background changed, with other changes of the next 400 ms."""
        self._pending = self._pending | change
        if not self.publish_timer.isActive():
            self.publish_timer.start()

    def _flush(self) -> None:
        change, self._pending = self._pending, ChangeNotice()
        self.services.hub.publish_work(change)

    def stop_background_work(self) -> None:
        """Pause what would write into a library that is damaged."""
        for runner in (
            self.indexing_runner,
            self.reference_runner,
            self.cover_runner,
            self.figure_runner,
            self.figure_text_runner,
            self.services.ocr_runner,
            self.services.description_runner,
            self.services.enrichment_runner,
            self.services.communities.runner,
        ):
            runner.pause()
        self.services.evaluation_runner.pause()

    # --- the end ----------------------------------------------------------------------------------

    def close(self, more_lanes: Sequence[Lane] = (), *, end_program: bool = False) -> bool:
        """Stop all work within `CLOSE_S`; it continues at the next start.

        What the user did is in the queue of the writer lane and is committed first. Everything else
        is cancelled, and interrupted if it does not stop by itself.

        Args:
            more_lanes: lanes of screens, which end with those of the session.
            end_program: also end the child processes, such as model hosts.

        Returns:
            False if a thread still runs; the session is then closed when the thread ends.
        """
        self.is_shown.set()
        self.publish_timer.stop()
        self.foreign_watch.stop()
        self.services.library_server.close()
        self.backups.stop(timeout_s=0)  # a backup ends at its next step
        self.services.communities.job.clear()
        self.services.figure_drawer.close()
        writer = self.lanes["writer"]
        self._closing = [*more_lanes, *self.lanes.values()]
        started = time.monotonic()
        writer.begin_closing(cancel=False)
        for lane in self._closing:
            if lane is not writer:
                lane.begin_closing()
        find_running(self._closing, started + QUIET_S)
        if end_program:  # after the work was cancelled: it is not to blame for their end
            # First, so that no model starts another process; in a thread, because it takes a lock.
            close_models = self.services.model_registry.close
            threading.Thread(target=close_models, name="closing_models", daemon=True).start()
            end_children()
        self.library.stop_reading(keep_thread=writer.thread_id)
        self.library.writer.stop(keep_thread=writer.thread_id)
        find_running(self._closing, started + EDITS_S)
        writer.cancel_jobs()
        self.library.stop_reading()
        self.library.writer.stop()
        running = find_running(self._closing, started + CLOSE_S)
        took_ms = (time.monotonic() - started) * 1000
        names = ", ".join(lane.objectName() for lane in running) or "none"
        log.info("closing took %d ms, lanes that still run: %s", took_ms, plain(names))
        if running:
            for lane in running:
                lane.finished.connect(self._close_library)
            QTimer.singleShot(0, self, self._close_library)  # if they ended before that
            return False
        self._close_library()
        return True

    def _close_library(self) -> None:
        """Close the files after the last lane has ended."""
        if not self._is_closed and not any(lane.isRunning() for lane in self._closing):
            self._is_closed = True
            self.models.close()
            self.backups.stop()
            self.library.close()
            self.closed.emit()
            self.deleteLater()
