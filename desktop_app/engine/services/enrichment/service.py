"""The enrichment queue as the user controls it: add, stop, retry, run.

The work on a chunk is in `run.py`, read-only status in `status.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from ...changes import NOTHING, ChangeSet
from ...errors import EnvironmentProblem
from ...extraction.llm.tasks import EnrichSettings
from ...llm.protocols import ChatModel
from ...progress import CancelToken, ProgressCallback, ignore_progress
from ...scheduler import Priority, WorkScheduler
from ...store import enrichment
from ...store.db import Db
from ...store.enrichment import ChunkPlace, DocumentEnrichment, Failure
from .rates import ChatFacts, EnrichProgress, find_chat_facts
from .run import EnrichmentRun
from .settings import load_settings, save_settings
from .status import EnrichmentReader, EnrichmentStatus, Estimate, find_unfinished, rank_for_entity

__all__ = [
    "ChatFacts",
    "DocumentEnrichment",
    "EnrichProgress",
    "EnrichmentReader",
    "EnrichmentService",
    "EnrichmentStatus",
    "Estimate",
    "Failure",
    "RunResult",
    "find_chat_facts",
]


@dataclass(frozen=True, slots=True)
class RunResult:
    """Result of a run; `seconds` is the time that the model worked."""

    n_done: int
    n_failed: int
    seconds: float


class EnrichmentService(EnrichmentReader):
    """Enriches one library.

    Args:
        db: the read-write connection.
        find_chat: gives the chat model, None where none is installed.
        find_facts: gives its name and size without loading it; by default it is loaded.
        scheduler: makes runs pause while more urgent work needs the model.
    """

    def __init__(
        self,
        db: Db,
        find_chat: Callable[[], ChatModel | None],
        *,
        find_facts: Callable[[], ChatFacts | None] | None = None,
        scheduler: WorkScheduler | None = None,
    ) -> None:
        super().__init__(db, find_facts or self._load_facts)
        self._find_chat = find_chat
        self._scheduler = scheduler or WorkScheduler()

    def _load_facts(self) -> ChatFacts | None:
        model = self._find_chat()
        if model is None:
            return None
        return ChatFacts(model.name, getattr(model, "n_parameters", 0))

    def save_settings(self, settings: EnrichSettings) -> None:
        """Store the enrichment settings of this library for later runs."""
        save_settings(self._db, settings)

    # --- the queue --------------------------------------------------------------------------------

    def enqueue(
        self,
        document_ids: Collection[int] | None = None,
        *,
        first: bool = False,
        again: bool = False,
    ) -> ChangeSet:
        """Queue documents, or all of the library that are not excluded.

        Args:
            first: before everything else in the queue.
            again: also chunks that this model has finished.

        Raises:
            EnvironmentProblem: no chat model is installed.
        """
        return self._enqueue(self._find_unfinished(document_ids=document_ids, again=again), first)

    def enqueue_entity(
        self, entity_id: int, *, at_most: int | None = None, again: bool = False
    ) -> ChangeSet:
        """Queue the chunks that mention an entity, those with most information about it first."""
        n_mentions = enrichment.fetch_entity_chunks(self._db, entity_id)
        places = self._find_unfinished(chunk_ids=n_mentions.keys(), again=again)
        ranked = sorted(rank_for_entity(places, n_mentions), key=lambda p: -p.importance)
        return self._enqueue(ranked[:at_most], True)

    def enqueue_chapter(
        self, document_id: int, heading_path: str, *, again: bool = False
    ) -> ChangeSet:
        """Queue the chunks under a heading ("Part one › Chapter 3") and its subheadings."""
        ids = enrichment.fetch_chapter_chunks(self._db, document_id, heading_path)
        return self._enqueue(self._find_unfinished(chunk_ids=ids, again=again), True)

    def enqueue_range(
        self, document_id: int, start: int, end: int, *, again: bool = False
    ) -> ChangeSet:
        """Queue the chunks that overlap a part of a document's text, such as a page."""
        ids = enrichment.fetch_range_chunks(self._db, document_id, start, end)
        return self._enqueue(self._find_unfinished(chunk_ids=ids, again=again), True)

    def enqueue_chunk(self, chunk_id: int, *, again: bool = False) -> ChangeSet:
        """Queue one chunk, before the others."""
        return self._enqueue(self._find_unfinished(chunk_ids=[chunk_id], again=again), True)

    def retry(self, document_id: int | None = None) -> ChangeSet:
        """Queue failed chunks again, of a document or of the library."""
        failed = {f.chunk_id for f in self.failures(document_id)}
        return (
            self._enqueue(self._find_unfinished(chunk_ids=failed, again=True), False)
            if failed
            else NOTHING
        )

    def stop(self, document_ids: Collection[int] | None = None) -> ChangeSet:
        """Remove documents, or all, from the queue; finished chunks stay."""
        with self._db.transaction():
            touched = enrichment.fetch_wanted_documents(self._db, document_ids)
            enrichment.remove_wanted(self._db, document_ids)
        return ChangeSet(documents=touched)

    def _find_unfinished(
        self,
        *,
        document_ids: Collection[int] | None = None,
        chunk_ids: Iterable[int] | None = None,
        again: bool,
    ) -> list[ChunkPlace]:
        return find_unfinished(
            self._db,
            self._get_facts(),
            load_settings(self._db),
            document_ids=document_ids,
            chunk_ids=None if chunk_ids is None else set(chunk_ids),
            again=again,
        )

    def _enqueue(self, places: list[ChunkPlace], first: bool) -> ChangeSet:
        with self._db.transaction():
            # The latest request comes before the earlier ones.
            priority = enrichment.highest_priority(self._db) + 1 if first else 0
            enrichment.add_wanted(self._db, places, priority)
        return ChangeSet(documents=frozenset(p.document_id for p in places))

    # --- the work ---------------------------------------------------------------------------------

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeSet], None] = lambda change: None,
        now_only: bool = False,
        limit: int | None = None,
    ) -> RunResult:
        """Work until the queue is empty; loads no model if it is empty already.

        Args:
            now_only: only chunks with priority.
            limit: maximum number of chunks.

        Raises:
            Cancelled: the token was set; finished chunks stay, and a later run continues.
            EnvironmentProblem: no chat model is installed.
        """
        min_priority = 1 if now_only else 0
        if not enrichment.count_wanted(self._db, min_priority)[0]:
            return RunResult(0, 0, 0.0)
        facts, model = self._get_facts(), self._find_chat()
        if model is None:
            raise _no_model()
        with self._scheduler.hold(Priority.ENRICHMENT, cancel) as permit:
            run = EnrichmentRun(
                self._db,
                model,
                facts,
                load_settings(self._db),
                permit=permit,
                on_progress=on_progress,
                on_change=on_change,
                min_priority=min_priority,
                limit=limit,
            )
            run.work()
        return RunResult(run.speed.n_done, run.speed.n_failed, run.speed.active_s)

    def _get_facts(self) -> ChatFacts:
        facts = self._find_facts()
        if facts is None:
            raise _no_model()
        return facts


def _no_model() -> EnvironmentProblem:
    return EnvironmentProblem(
        "Enriching needs a chat model, and none is installed.",
        "Run `inkgraph models install starter`, or open Models.",
    )
