"""One enrichment run: takes chunks from the queue, asks the model, stores the results.

Each answer of the model is stored when it arrives. A chunk is one transaction: its evidence and its
removal from the queue. After an interruption, a later run continues with the rest of the queue; of
the chunks that were being worked on it asks only what was not answered.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

from ...changes import ChangeNotice
from ...errors import AppError, UserError
from ...extraction.llm import strategy
from ...extraction.llm.descriptions import DocumentPlan, NamePlace, PairPlace, plan_document
from ...extraction.llm.relation_kinds import guess_domain
from ...extraction.llm.strategy import find_sentence_cut, merge_halves, split_task
from ...extraction.llm.tasks import ChunkTask, EnrichSettings
from ...graph.names import normalise_name
from ...llm.protocols import ScriptRunner
from ...messages import Message
from ...model import ChunkEvidence
from ...progress import CancelToken, Progress, ProgressCallback
from ...prompt_program import ProgramResult, PromptProgram, Talk
from ...scheduler import WorkPermit
from ...store import enrichment, evidence, graph, model_cache
from ...store.db import Db
from ...text.chunking import split_sentences
from ..graph_update import update_graph
from .rates import ChatFacts, EnrichmentSpeed

log = logging.getLogger(__name__)

MAX_PLANS = 8
MIN_PAUSE_S = 6.0
SHARE = 0.05  # share of a run's time for graph updates
QUICK_S = 0.7  # longest graph update during a pause
QUICK_MENTIONS = 20_000  # estimate of the largest graph that is updated in this time
REPORT_EVERY_S = 2.0
_NO_ANSWER = Message("The model gave no answer.")
ProgramKey = tuple[int, int]
"""(chunk id, part) of a prompt program."""

WHOLE = 0  # the part number of a whole chunk; 1 and 2 are its halves


class TaskMaker:
    """Builds tasks of chunks; caches the plans of the last documents."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self._plans: OrderedDict[int, tuple[DocumentPlan, str]] = OrderedDict()

    def make(self, chunk_id: int) -> tuple[int, ChunkTask] | None:
        """Return the document and the task of a chunk, None if the chunk was deleted."""
        source = enrichment.find_chunk_source(self._db, chunk_id)
        if source is None:
            return None
        mentions = enrichment.fetch_chunk_mentions(self._db, chunk_id)
        relations = enrichment.fetch_chunk_relations(self._db, chunk_id)
        plan, domain = self._plan(source.document_id)
        names = {m.name for m in mentions}
        names |= {name for r in relations for name in (r.source, r.target)}
        pairs = {frozenset((r.source, r.target)) for r in relations}
        return source.document_id, ChunkTask(
            key=chunk_id,
            chunk_order=source.order_no,
            start=source.start,
            text=source.text,
            language=source.language,
            title=source.title,
            heading=source.heading,
            mentions=mentions,
            relations=relations,
            importance=plan.importance(sorted(names)),
            described=plan.described(source.order_no, names | pairs),
            domain=domain,
        )

    def _plan(self, document_id: int) -> tuple[DocumentPlan, str]:
        """Return the plan of a document: described names and pairs, and its domain."""
        if (known := self._plans.get(document_id)) is None:
            names = enrichment.fetch_name_places(self._db, document_id)
            pairs = enrichment.fetch_pair_places(self._db, document_id)
            plan = plan_document(
                [NamePlace(*row) for row in names],
                [PairPlace(frozenset((a, b)), order, weight) for a, b, order, weight in pairs],
            )
            known = plan, guess_domain(enrichment.fetch_sample(self._db, document_id))
            while len(self._plans) >= MAX_PLANS:
                self._plans.popitem(last=False)
        self._plans[document_id] = known
        self._plans.move_to_end(document_id)
        return known


def halve(task: ChunkTask) -> tuple[ChunkTask, ...]:
    """Return the task as two, split at a sentence; empty if its text is too short."""
    cut = find_sentence_cut(len(task.text), split_sentences(task.text, task.language))
    return split_task(task, cut) if cut is not None else ()


@dataclass(frozen=True, slots=True)
class ChunkRecipe:
    """Fulfils `ProgramRecipe` for a chunk or a half of one; see `build_program`."""

    task: ChunkTask
    settings: EnrichSettings
    strategy_name: str
    key: ProgramKey

    @property
    def is_second(self) -> bool:
        return self.key[1] != WHOLE

    def build(self) -> PromptProgram:
        return build_program(self.task, self.settings, self.strategy_name, self.key)


def build_program(
    task: ChunkTask, settings: EnrichSettings, strategy_name: str, key: ProgramKey
) -> PromptProgram:
    """Return the prompt program of a task under `key`; an error in it fails only this task."""
    program = strategy.build_prompt_program(task, settings, strategy_name, split_sentences)

    def talk() -> Talk:
        try:
            return (yield from program.talk())
        except (AppError, GeneratorExit):
            raise
        except Exception as error:
            raise UserError(
                "What the model said could not be read: {reason}.", reason=repr(error)
            ) from error

    recipe = ChunkRecipe(task, settings, strategy_name, key)
    return replace(program, key=key, talk=talk, recipe=recipe)


class GraphUpdateThrottle:
    """Limits how often the graph is updated while chunks are finished."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self._waiting_chunks: set[int] = set()
        self._started_at = self._updated_at = time.monotonic()
        self._spent_s = 0.0
        self._last_update_s: float | None = None

    def add_chunk(self, chunk_id: int) -> None:
        """Record, in the chunk's own transaction, that the graph is older than its evidence."""
        self._waiting_chunks.add(chunk_id)
        graph.mark_graph_stale(self._db)

    @property
    def is_due(self) -> bool:
        now = time.monotonic()
        return (
            bool(self._waiting_chunks)
            and now - self._updated_at > MIN_PAUSE_S
            and self._spent_s <= SHARE * (now - self._started_at)
        )

    @property
    def is_quick(self) -> bool:
        """Return whether an update takes no noticeable time."""
        if self._last_update_s is not None:
            return self._last_update_s <= QUICK_S
        return graph.count_mentions(self._db) <= QUICK_MENTIONS

    @property
    def is_behind(self) -> bool:
        return bool(self._waiting_chunks)

    def update_graph(self) -> ChangeNotice:
        """Update the graph from the evidence; return the changes."""
        started = time.monotonic()
        with self._db.transaction():
            change = update_graph(self._db)
            graph.mark_graph_stale(self._db, False)
        self._waiting_chunks.clear()
        self._updated_at = time.monotonic()
        self._last_update_s = self._updated_at - started
        self._spent_s += self._last_update_s
        return change


@dataclass(slots=True)
class Attempt:
    """A chunk that is being processed, with the costs of both attempts.

    A chunk that fails as a whole is tried again as two halves.
    """

    document_id: int
    task: ChunkTask
    prompt_version: str
    halves: tuple[ChunkTask, ...] = ()
    found: dict[int, ChunkEvidence] = field(default_factory=dict)
    n_tokens: int = 0
    seconds: float = 0.0

    def take(self, run: ProgramResult, part: int) -> None:
        """Add a program's costs and store its result."""
        self.n_tokens += run.n_prompt + run.n_written
        self.seconds += run.seconds
        if not run.error:
            self.found[part] = run.value

    @property
    def evidence(self) -> ChunkEvidence | None:
        """Return the evidence of the chunk, None while a half is missing."""
        if not self.halves:
            return self.found.get(0)
        if not {1, 2} <= self.found.keys():
            return None
        return merge_halves(self.task, self.halves, [self.found[1], self.found[2]])


class EnrichmentRun:
    """Works until the queue is empty; used once.

    Args:
        permit: pauses the work while more urgent work needs the model.
        min_priority: chunks with a lower priority stay in the queue.
        limit: maximum number of chunks, None for all.
        is_ahead: whether `model` takes chunks while earlier ones are not stored. Answers of this
            run are not used again then: which of them are there in time is chance.
    """

    def __init__(
        self,
        db: Db,
        model: ScriptRunner,
        facts: ChatFacts,
        settings: EnrichSettings,
        *,
        permit: WorkPermit,
        on_progress: ProgressCallback,
        on_change: Callable[[ChangeNotice], None],
        min_priority: int = 0,
        limit: int | None = None,
        is_ahead: bool = False,
    ) -> None:
        self._db, self._model, self._facts = db, model, facts
        self._settings = strategy.fit_settings(settings, facts.n_parameters)
        self._answered_before = time.time() if is_ahead else None
        self._permit = permit
        self._on_progress, self._on_change = on_progress, on_change
        self._min_priority, self._limit = min_priority, limit
        self._strategy = strategy.choose_strategy(settings, facts.n_parameters, facts.can_choose)
        self._tasks = TaskMaker(db)
        self._name_ids = evidence.NameIds(db, normalise_name)
        self._throttle = GraphUpdateThrottle(db)
        self._taken: dict[int, Attempt] = {}  # by chunk
        self._halved: dict[int, Attempt] = {}  # chunks that failed as a whole
        self._next: deque[PromptProgram] = deque()
        self._n_begun = 0
        self._changed: set[int] = set()
        self._reported_at = time.monotonic()
        self.speed = EnrichmentSpeed(db, facts, self._strategy, min_priority, limit)

    def work(self) -> None:
        """Process the queue.

        Raises:
            Cancelled: the token was set; finished chunks stay.
        """
        try:
            while self._find_next() is not None:
                with self._permit.step() as token:
                    self._run_programs(token)
                self._permit.cancel.check()
        finally:
            self.speed.store()
            if not self._permit.cancel.cancelled or self._throttle.is_quick:
                self._update_graph()
            self._report()
            with self._db.transaction():
                model_cache.trim_cache(self._db)

    def _run_programs(self, token: CancelToken) -> None:
        """Run programs until none is left, the user cancels, or the model is needed elsewhere."""
        runs = self._model.run_programs(
            self._iter_scripts(token),
            find_call=partial(model_cache.find_call, self._db, before=self._answered_before),
            keep_call=partial(model_cache.store_call, self._db),
            cancel=token,
            n_threads=self._settings.n_threads,
        )
        self._on_progress(self.speed.progress())
        self.speed.go()
        try:
            with closing(runs):  # type: ignore[type-var]
                for run in runs:
                    self._take(run, token)
                    if self._throttle.is_due and not token.cancelled:
                        self.speed.stop()
                        self._update_graph()
                        self.speed.go()
        finally:
            self.speed.stop()
        if not token.cancelled:
            waiting = {cast(ProgramKey, program.key)[0] for program in self._next}
            # Without an answer they would be tried again without end.
            for chunk_id in self._taken.keys() - waiting:
                self._fail(self._taken[chunk_id], _NO_ANSWER)
        self._n_begun -= len(self._taken.keys() - self._halved.keys())
        self._taken.clear()
        self._next.clear()

    # --- choosing the next chunk ------------------------------------------------------------------

    def _find_next(self) -> int | None:
        if self._limit is not None and self._n_begun >= self._limit:
            return next((one for one in self._halved if one not in self._taken), None)
        return enrichment.find_next(
            self._db, self._settings.order, self._taken.keys(), self._min_priority
        )

    def _iter_scripts(self, token: CancelToken) -> Iterator[PromptProgram]:
        """Yield the program of the next chunk each time that the model has a free sequence."""
        while not token.cancelled:
            if self._next:
                yield self._next.popleft()
                continue
            if (chunk_id := self._find_next()) is None:
                return
            self._begin(chunk_id)

    def _begin(self, chunk_id: int) -> None:
        """Take a chunk from the queue and build its program, or two if it failed as a whole."""
        if (attempt := self._halved.get(chunk_id)) is not None:
            self._taken[chunk_id] = attempt
            self._push_halves(attempt)
            return
        made = self._tasks.make(chunk_id)
        if made is None:
            with self._db.transaction():
                enrichment.remove_wanted(self._db, chunk_ids=[chunk_id])
            return
        document_id, task = made
        self._n_begun += 1
        version = strategy.prompt_version(self._settings, self._strategy, task.language)
        attempt = self._taken[chunk_id] = Attempt(document_id, task, version)
        if not task.text.strip():
            self._store(attempt, ChunkEvidence(task.chunk_order, (), ()))
            return
        try:
            program = build_program(task, self._settings, self._strategy, (chunk_id, WHOLE))
        except Exception as error:  # a bug with one text must not stop the others
            log.exception("no program for chunk %d", chunk_id)
            self._fail(
                attempt, Message("It could not be asked about: {reason}.", reason=repr(error))
            )
        else:
            self._next.append(program)

    def _push_halves(self, attempt: Attempt) -> None:
        attempt.found.clear()
        for part, half in enumerate(attempt.halves, start=1):
            key = (attempt.task.key, part)
            self._next.append(build_program(half, self._settings, self._strategy, key))

    # --- storing results --------------------------------------------------------------------------

    def _take(self, run: ProgramResult, token: CancelToken) -> None:
        chunk_id, part = cast(ProgramKey, run.key)
        attempt = self._taken.get(chunk_id)
        if attempt is None:  # its other half failed
            return
        attempt.take(run, part)
        if isinstance(run.value, ChunkEvidence) and not run.error:
            if (found := attempt.evidence) is not None:
                self._store(attempt, found)
        elif token.cancelled:
            pass  # the chunk stays in the queue, its answers so far are stored
        elif part == WHOLE and (halves := halve(attempt.task)):
            attempt.halves = halves
            if enrichment.is_wanted(self._db, chunk_id):
                self._halved[chunk_id] = attempt
                self._push_halves(attempt)
            else:
                del self._taken[chunk_id]
        else:
            self._fail(attempt, run.error or _NO_ANSWER)

    def _store(self, attempt: Attempt, found: ChunkEvidence) -> None:
        """Store the evidence of a chunk, unless the chunk was deleted."""
        chunk_id = attempt.task.key
        try:
            with self._db.transaction():
                enrichment.remove_wanted(self._db, chunk_ids=[chunk_id])
                if enrichment.has_chunk(self._db, chunk_id, attempt.task.text):
                    self._throttle.add_chunk(chunk_id)
                    n_tokens, seconds = attempt.n_tokens, attempt.seconds
                    # All answers came from the cache: the costs of the first time count.
                    if not n_tokens:
                        n_tokens, seconds = enrichment.find_cost(
                            self._db, chunk_id, self._facts.name, attempt.prompt_version
                        )
                    evidence.store_evidence(
                        self._db,
                        attempt.document_id,
                        chunk_id,
                        found,
                        self._name_ids,
                        strategy=self._strategy,
                        model=self._facts.name,
                        prompt_version=attempt.prompt_version,
                        n_tokens=n_tokens,
                        seconds=seconds,
                    )
        except BaseException:
            self._name_ids.forget()
            raise
        self._finish(attempt)

    def _fail(self, attempt: Attempt, reason: Message) -> None:
        """Store the reason why a chunk failed; an older model's evidence stays."""
        chunk_id = attempt.task.key
        log.warning("chunk %d could not be enriched: %s", chunk_id, reason)
        with self._db.transaction():
            enrichment.remove_wanted(self._db, chunk_ids=[chunk_id])
            if enrichment.has_chunk(self._db, chunk_id, attempt.task.text):
                evidence.store_failure(
                    self._db,
                    chunk_id,
                    strategy=self._strategy,
                    model=self._facts.name,
                    prompt_version=attempt.prompt_version,
                    reason=reason,
                    n_tokens=attempt.n_tokens,
                    seconds=attempt.seconds,
                )
        self.speed.n_failed += 1
        self._finish(attempt)

    def _finish(self, attempt: Attempt) -> None:
        self._taken.pop(attempt.task.key, None)
        self._halved.pop(attempt.task.key, None)
        self.speed.count(len(attempt.task.text), asked=attempt.n_tokens > 0)
        self._changed.add(attempt.document_id)
        self._on_progress(self.speed.progress(attempt.document_id))
        if time.monotonic() - self._reported_at > REPORT_EVERY_S:
            self._report()

    # --- progress ---------------------------------------------------------------------------------

    def _report(self) -> None:
        self._reported_at = time.monotonic()
        if self._changed:
            self._on_change(ChangeNotice(documents=frozenset(self._changed)))
            self._changed.clear()

    def _update_graph(self) -> None:
        if self._throttle.is_behind:
            self._on_progress(Progress("graph"))
            self._on_change(self._throttle.update_graph())
