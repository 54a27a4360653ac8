"""The enrichment of a library: its status and estimates, and its queue as the user controls it.

The work on a chunk is in `run.py`. It and the prompts are imported when they are used: the window
reads the status before it is shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

from ...changes import NOTHING, ChangeNotice
from ...durations import format_estimate
from ...errors import EnvironmentProblem
from ...extraction.llm.tasks import EnrichSettings
from ...llm.protocols import ChatModel, ScriptRunner
from ...llm.remote.contract import ServerGone
from ...messages import Message
from ...progress import CancelToken, ProgressCallback, ignore_progress
from ...scheduler import Priority, WorkScheduler
from ...store import enrichment
from ...store.db import Db
from ...store.enrichment import DocumentEnrichment, EnrichableChunk, Failure
from .rates import ChatFacts, EnrichmentSpeed, load_rate
from .settings import load_settings, save_settings


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost of enriching some chunks; `words` is the text for the user.

    `is_measured` is false while the time is estimated from the model's size.
    """

    n_chunks: int
    n_chars: int
    seconds: float
    is_measured: bool
    words: Message


def find_unfinished(
    db: Db,
    facts: ChatFacts,
    settings: EnrichSettings,
    *,
    document_ids: Collection[int] | None = None,
    chunk_ids: Collection[int] | None = None,
    again: bool = False,
) -> list[EnrichableChunk]:
    """Return the chunks, of these or of the library, that this model has not finished."""
    from ...extraction.llm import strategy as enrich

    places = enrichment.fetch_enrichable_chunks(db, document_ids, chunk_ids)
    if again:
        return places
    by_language: dict[str, set[int]] = defaultdict(set)
    for document_id, language in enrichment.fetch_languages(db, {p.document_id for p in places}):
        by_language[language].add(document_id)
    strategy = enrich.choose_strategy(settings, facts.n_parameters, facts.can_choose)
    settings = enrich.fit_settings(settings, facts.n_parameters)
    done: set[int] = set()
    for language, ids in by_language.items():
        version = enrich.prompt_version(settings, strategy, language)
        done |= enrichment.fetch_done(db, ids, facts.name, version)
    return [p for p in places if p.chunk_id not in done]


NO_MODEL = Message("Enriching needs a chat model. Get one under Models.")


@dataclass(frozen=True, slots=True)
class EnrichmentStatus:
    """Status of a library; `waiting` is the estimate for the queue."""

    documents: tuple[DocumentEnrichment, ...]
    waiting: Estimate

    @property
    def total(self) -> DocumentEnrichment:
        """Return the sums over all documents, under id 0."""
        rows = self.documents
        models = {row.model for row in rows if row.model}
        return DocumentEnrichment(
            document_id=0,
            n_chunks=sum(r.n_chunks for r in rows),
            n_enriched=sum(r.n_enriched for r in rows),
            n_waiting=sum(r.n_waiting for r in rows),
            n_failed=sum(r.n_failed for r in rows),
            n_empty=sum(r.n_empty for r in rows),
            n_tokens=sum(r.n_tokens for r in rows),
            seconds=sum(r.seconds for r in rows),
            model=", ".join(sorted(models)),
        )


class EnrichmentReader:
    """Reads the status of enrichment.

    Args:
        db: any connection; screens give one of their own.
        find_facts: gives the active chat model, None if there is none.
    """

    def __init__(self, db: Db, find_facts: Callable[[], ChatFacts | None]) -> None:
        self._db = db
        self._find_facts = find_facts

    def load_settings(self) -> EnrichSettings:
        return load_settings(self._db)

    def status(self) -> EnrichmentStatus:
        """Return the status of every ready document, and the estimate for the queue."""
        return EnrichmentStatus(
            tuple(enrichment.fetch_enrichment(self._db)),
            self._estimate(*enrichment.count_wanted(self._db)),
        )

    def failures(self, document_id: int | None = None) -> list[Failure]:
        """Return the failed chunks with the reasons."""
        ids = None if document_id is None else [document_id]
        return enrichment.fetch_failures(self._db, ids)

    def estimate(
        self,
        document_ids: Collection[int] | None = None,
        *,
        entity_id: int | None = None,
        again: bool = False,
        settings: EnrichSettings | None = None,
    ) -> Estimate:
        """Return the cost of enriching documents, an entity or the whole library.

        Args:
            settings: to estimate with other settings than the library's.
        """
        chunk_ids = None
        if entity_id is not None:
            chunk_ids = enrichment.fetch_entity_chunks(self._db, entity_id).keys()
        settings = settings or self.load_settings()
        places = find_unfinished(
            self._db,
            self._find_facts() or ChatFacts(""),
            settings,
            document_ids=document_ids,
            chunk_ids=chunk_ids,
            again=again,
        )
        return self._estimate(len(places), sum(p.n_chars for p in places), settings)

    def _estimate(
        self, n_chunks: int, n_chars: int, settings: EnrichSettings | None = None
    ) -> Estimate:
        """Return the time that the model takes for a text, with a description."""
        facts = self._find_facts()
        if n_chunks == 0:
            words = Message("There is nothing left to enrich.") if facts else NO_MODEL
            return Estimate(0, 0, 0.0, True, words)
        from ...extraction.llm import strategy as enrich

        n_parameters = facts.n_parameters if facts else 0
        strategy = enrich.choose_strategy(
            settings or self.load_settings(),
            n_parameters,
            facts.can_choose if facts else True,
        )
        rate = load_rate(self._db, facts.speed_name if facts else "", strategy, n_parameters)
        seconds = n_chars / rate.chars_per_s
        words = (
            Message("{time}; you can keep working", time=format_estimate(seconds))
            if facts
            else NO_MODEL
        )
        return Estimate(n_chunks, n_chars, seconds, rate.is_measured, words)


@dataclass(frozen=True, slots=True)
class RunResult:
    """Result of a run; `seconds` is the time that the model worked."""

    n_done: int
    n_failed: int
    seconds: float

    def add(self, speed: EnrichmentSpeed) -> RunResult:
        """Return the result with what a further run did."""
        return RunResult(
            self.n_done + speed.n_done,
            self.n_failed + speed.n_failed,
            self.seconds + speed.active_s,
        )


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
        return ChatFacts(model.name, model.n_parameters, model.can_choose)

    def save_settings(self, settings: EnrichSettings) -> None:
        save_settings(self._db, settings)

    # --- the queue --------------------------------------------------------------------------------

    def enqueue(
        self,
        document_ids: Collection[int] | None = None,
        *,
        first: bool = False,
        again: bool = False,
    ) -> ChangeNotice:
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
    ) -> ChangeNotice:
        """Queue the chunks that mention an entity, those with most information about it first."""
        n_mentions = enrichment.fetch_entity_chunks(self._db, entity_id)
        places = self._find_unfinished(chunk_ids=n_mentions.keys(), again=again)
        ranked = [
            replace(p, importance=n_mentions[p.chunk_id] + min(0.99, p.importance / 1000))
            for p in places
        ]
        ranked.sort(key=lambda p: -p.importance)
        return self._enqueue(ranked[:at_most], True)

    def enqueue_range(
        self, document_id: int, start: int, end: int, *, again: bool = False
    ) -> ChangeNotice:
        """Queue the chunks that overlap a part of a document's text, such as a page."""
        ids = enrichment.fetch_range_chunks(self._db, document_id, start, end)
        return self._enqueue(self._find_unfinished(chunk_ids=ids, again=again), True)

    def retry(self, document_id: int | None = None) -> ChangeNotice:
        """Queue failed chunks again, of a document or of the library."""
        failed = {f.chunk_id for f in self.failures(document_id)}
        if not failed:
            return NOTHING
        return self._enqueue(self._find_unfinished(chunk_ids=failed, again=True), False)

    def stop(self, document_ids: Collection[int] | None = None) -> ChangeNotice:
        """Remove documents, or all, from the queue; finished chunks stay."""
        with self._db.transaction():
            touched = enrichment.fetch_wanted_documents(self._db, document_ids)
            enrichment.remove_wanted(self._db, document_ids)
        return ChangeNotice(documents=touched)

    def _find_unfinished(
        self,
        *,
        document_ids: Collection[int] | None = None,
        chunk_ids: Iterable[int] | None = None,
        again: bool,
    ) -> list[EnrichableChunk]:
        return find_unfinished(
            self._db,
            self._get_facts(),
            load_settings(self._db),
            document_ids=document_ids,
            chunk_ids=None if chunk_ids is None else set(chunk_ids),
            again=again,
        )

    def _enqueue(self, places: list[EnrichableChunk], first: bool) -> ChangeNotice:
        with self._db.transaction():
            # The latest request comes before the earlier ones.
            priority = enrichment.highest_priority(self._db) + 1 if first else 0
            enrichment.add_wanted(self._db, places, priority)
        return ChangeNotice(documents=frozenset(p.document_id for p in places))

    # --- the work ---------------------------------------------------------------------------------

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
        now_only: bool = False,
        limit: int | None = None,
        runner: ScriptRunner | None = None,
    ) -> RunResult:
        """Work until the queue is empty; loads no model if it is empty already.

        Args:
            now_only: only chunks with priority.
            limit: maximum number of chunks.
            runner: asks the same model elsewhere, instead of `find_chat`.

        Raises:
            Cancelled: the token was set; finished chunks stay, and a later run continues.
            EnvironmentProblem: no chat model is installed, or `runner` can't go on.
        """
        from .run import EnrichmentRun

        min_priority = 1 if now_only else 0
        if not enrichment.count_wanted(self._db, min_priority)[0]:
            return RunResult(0, 0, 0.0)
        done = RunResult(0, 0, 0.0)
        with self._scheduler.hold(Priority.ENRICHMENT, cancel) as permit:
            while True:
                facts, model = self._get_facts(), runner or self._find_chat()
                if model is None:
                    raise _no_model()
                run = EnrichmentRun(
                    self._db,
                    model,
                    facts,
                    load_settings(self._db),
                    permit=permit,
                    on_progress=on_progress,
                    on_change=on_change,
                    min_priority=min_priority,
                    limit=None if limit is None else limit - done.n_done,
                    is_ahead=runner is not None,
                )
                try:
                    run.work()
                except ServerGone:
                    # Its chunks are still in the queue; the model on this computer goes on.
                    other = self._find_chat()
                    if other is None or other.is_remote:
                        raise
                    done = done.add(run.speed)
                else:
                    return done.add(run.speed)

    def _get_facts(self) -> ChatFacts:
        facts = self._find_facts()
        if facts is None:
            raise _no_model()
        return facts


def _no_model() -> EnvironmentProblem:
    return EnvironmentProblem(
        "Enriching needs a chat model, and none is installed.", "Get one under Models."
    )
