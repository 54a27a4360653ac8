"""What every screen gets: services, the lanes to call them in, and the hub for changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.scheduler import WorkScheduler
from desktop_app.workers.background_jobs import CommunityWork, QueueRunner
from desktop_app.workers.lane import Lane

if TYPE_CHECKING:
    from desktop_app.engine.answering.pipeline import AnswerPipeline
    from desktop_app.engine.llm.registry import ModelRegistry
    from desktop_app.engine.services.annotations import AnnotationService
    from desktop_app.engine.services.chats import Chats
    from desktop_app.engine.services.collections import Collections
    from desktop_app.engine.services.documents import DocumentService
    from desktop_app.engine.services.duplicates import DuplicateCluster, Duplicates
    from desktop_app.engine.services.editing.service import EditingService
    from desktop_app.engine.services.enrichment.service import EnrichmentReader, EnrichmentService
    from desktop_app.engine.services.graph_views import GraphViews
    from desktop_app.engine.services.library_reader import LibraryReader

    from .messages import Messages
    from .theme.theme import Theme


class Hub(QObject):
    """Publishes change sets; screens reload what they show of them."""

    changed = Signal(object)

    def publish(self, change: ChangeSet | None) -> None:
        if change:
            self.changed.emit(change)


@dataclass
class SessionContext:
    """Built once per library in session.py and passed to every screen.

    `library_reader` and `enrichment_reader` may be called in `reader_lane` only, `editing`,
    `graph_views`, `documents` and `enrichment` in `writer_lane`, `answer_pipeline` and
    `ask_about_duplicates` in `model_lane`, `duplicates` in `duplicates_lane`, which may take
    seconds. `enrichment_runner.start()` processes what `enrichment` queues.
    """

    scheduler: WorkScheduler
    reader_lane: Lane
    writer_lane: Lane
    model_lane: Lane
    indexing_lane: Lane
    library_reader: LibraryReader
    graph_views: GraphViews
    editing: EditingService
    documents: DocumentService
    enrichment: EnrichmentService
    enrichment_reader: EnrichmentReader
    enrichment_runner: QueueRunner
    answer_pipeline: AnswerPipeline
    chats: Chats
    annotations: AnnotationService
    collections: Collections
    duplicates_lane: Lane
    duplicates: Duplicates
    ask_about_duplicates: Callable[[DuplicateCluster], DuplicateCluster]
    communities: CommunityWork
    model_registry: ModelRegistry
    theme: Theme
    messages: Messages
    hub: Hub
