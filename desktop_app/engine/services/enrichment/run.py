"""One run of enrichment: takes chunks from the queue, has a model work on them, keeps the results.

A chunk is one transaction: its evidence, what the model answered and its place in the queue.
Killed at any moment, a later run goes on with what is still in the queue.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

from ...changes import ChangeSet
from ...errors import Cancelled, said
from ...extraction.llm import strategy
from ...extraction.llm.strategy import merge_halves
from ...extraction.llm.tasks import ChunkTask, EnrichSettings
from ...graph.names import normalise_name
from ...llm.protocols import ChatModel
from ...model import ChunkEvidence
from ...progress import CancelToken, Progress, ProgressCallback
from ...prompt_program import ProgramResult, PromptProgram
from ...store import enrichment, evidence, model_cache
from ...store.db import Db
from ..graph_update import GraphUpdater
from .rates import ChatFacts, EnrichmentSpeed
from .tasks import TaskMaker, build_script, halve

MIN_PAUSE_S = 6.0
SHARE = 0.05  # of a run's time may go into deriving
QUICK_S = 0.7  # a pause may wait so long for the graph
QUICK_MENTIONS = 20_000  # a graph of so many takes about that, if it was not measured yet


class GraphUpdateThrottle:
    """Derives the graph now and then while chunks are finished."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self._deriving = GraphUpdater(db)
        self._touched: set[int] = set()
        self._began_at = self._derived_at = time.monotonic()
        self._spent_s = 0.0
        self._cost_s: float | None = None

    def touch(self, chunk_id: int) -> None:
        """Note, in the chunk's own transaction, that the graph is behind its evidence."""
        self._touched.add(chunk_id)
        self._db.write("INSERT OR REPLACE INTO setting VALUES ('graph_stale', '1')")

    @property
    def is_due(self) -> bool:
        now = time.monotonic()
        return (
            bool(self._touched)
            and now - self._derived_at > MIN_PAUSE_S
            and self._spent_s <= SHARE * (now - self._began_at)
        )

    @property
    def is_quick(self) -> bool:
        """Say whether deriving takes no time that a person would notice."""
        if self._cost_s is not None:
            return self._cost_s <= QUICK_S
        return self._db.value("SELECT count(*) FROM mention") <= QUICK_MENTIONS

    @property
    def is_behind(self) -> bool:
        return bool(self._touched)

    def derive(self) -> ChangeSet:
        """Bring the graph in line with the evidence; return what that changed."""
        started = time.monotonic()
        with self._db.transaction():
            change = self._deriving.follow()
            self._db.write("DELETE FROM setting WHERE key = 'graph_stale'")
        self._touched.clear()
        self._derived_at = time.monotonic()
        self._cost_s = self._derived_at - started
        self._spent_s += self._cost_s
        return change


@dataclass(slots=True)
class Attempt:
    """A chunk that a model is at work on; what it costs is counted over both tries.

    `whole_seconds` is the time of a first try that failed, kept when the chunk is tried again.
    """

    document_id: int
    task: ChunkTask
    prompt_version: str
    halves: tuple[ChunkTask, ...] = ()
    found: dict[int, ChunkEvidence] = field(default_factory=dict)
    calls: list[tuple[str, str]] = field(default_factory=list)
    n_tokens: int = 0
    seconds: float = 0.0

    def take(self, run: ProgramResult, part: int) -> None:
        """Count what a script cost and keep what it found."""
        self.n_tokens += run.n_prompt + run.n_written
        self.seconds += run.seconds
        self.calls += run.calls
        if not run.error:
            self.found[part] = run.value

    @property
    def evidence(self) -> ChunkEvidence | None:
        """Return what was found in the chunk, None while a half is missing."""
        if not self.halves:
            return self.found.get(0)
        if not {1, 2} <= self.found.keys():
            return None
        return merge_halves(self.task, self.halves, [self.found[1], self.found[2]])


LOOK_AGAIN_S = 0.1


def wait_until_model_free(make_way: Callable[[], bool], cancel: CancelToken) -> None:
    """Wait while something more urgent wants the model; raises `Cancelled` once told to stop."""
    while make_way():
        cancel.check()
        time.sleep(LOOK_AGAIN_S)


class PreemptionToken(CancelToken):
    """Stops a run of scripts when the person does, or when the model is wanted elsewhere.

    Args:
        outer: what the person sets.
        make_way: true while something more urgent wants the model.
    """

    def __init__(self, outer: CancelToken, make_way: Callable[[], bool]) -> None:
        super().__init__()
        self._outer = outer
        self._make_way = make_way

    @property
    def cancelled(self) -> bool:
        # Once stopped it stays so, even if the answer is written before the model looks.
        if not super().cancelled and (self._outer.cancelled or self._make_way()):
            self.cancel()
        return super().cancelled

    def check(self) -> None:
        if self.cancelled:
            raise Cancelled


log = logging.getLogger(__name__)

TELL_EVERY_S = 2.0
_NO_ANSWER = said("The model gave no answer.")
WHOLE = 0  # the part of a script that is about the whole chunk; 1 and 2 are its halves


class EnrichmentRun:
    """Works until the queue is empty; used once.

    Args:
        make_way: true while something more urgent wants the model.
        min_priority: chunks of less are left in the queue.
        limit: the most chunks to do, None for all.
    """

    def __init__(
        self,
        db: Db,
        model: ChatModel,
        facts: ChatFacts,
        settings: EnrichSettings,
        *,
        cancel: CancelToken,
        make_way: Callable[[], bool],
        on_progress: ProgressCallback,
        on_change: Callable[[ChangeSet], None],
        min_priority: int = 0,
        limit: int | None = None,
    ) -> None:
        self._db, self._model, self._facts = db, model, facts
        self._settings = strategy.fit_settings(settings, facts.n_parameters)
        self._cancel, self._make_way = cancel, make_way
        self._on_progress, self._on_change = on_progress, on_change
        self._min_priority, self._limit = min_priority, limit
        self._strategy = strategy.choose_strategy(settings, facts.n_parameters)
        self._tasks = TaskMaker(db)
        self._name_ids = evidence.NameIds(db, normalise_name)
        self._following = GraphUpdateThrottle(db)
        self._taken: dict[int, Attempt] = {}  # by chunk
        self._halved: dict[int, Attempt] = {}  # chunks that failed as a whole
        self._next: deque[PromptProgram] = deque()
        self._n_begun = 0
        self._changed: set[int] = set()
        self._told_at = time.monotonic()
        self.pace = EnrichmentSpeed(db, facts, self._strategy, min_priority, limit)

    def work(self) -> None:
        """Do what is wanted.

        Raises:
            Cancelled: the token was set; what is finished stays.
        """
        try:
            while self._find_next() is not None:
                self._wait_for_way()
                self._run_scripts()
        finally:
            self.pace.keep()
            if not self._cancel.cancelled or self._following.is_quick:
                self._derive()
            self._tell()
            with self._db.transaction():
                model_cache.trim_cache(self._db)

    def _run_scripts(self) -> None:
        """Run scripts until there are none, the person stops, or the model is wanted elsewhere."""
        token = PreemptionToken(self._cancel, self._make_way)
        runs = self._model.run_scripts(
            self._iter_scripts(token),
            find_call=partial(model_cache.find_call, self._db),
            cancel=token,
            n_threads=self._settings.n_threads,
        )
        self._on_progress(self.pace.progress())
        self.pace.go()
        try:
            with closing(runs):  # type: ignore[type-var]
                for run in runs:
                    self._take(run, token)
                    if self._following.is_due and not token.cancelled:
                        self.pace.stop()
                        self._derive()
                        self.pace.go()
        finally:
            self.pace.stop()
        if not token.cancelled:
            waiting = {script.key[0] for script in self._next}
            for chunk_id in self._taken.keys() - waiting:  # or they would be asked for ever
                self._fail(self._taken[chunk_id], _NO_ANSWER)
        self._n_begun -= len(self._taken.keys() - self._halved.keys())
        self._taken.clear()
        self._next.clear()
        self._cancel.check()

    # --- what comes next --------------------------------------------------------------------------

    def _find_next(self) -> int | None:
        if self._limit is not None and self._n_begun >= self._limit:
            return min(self._halved.keys() - self._taken.keys(), default=None)
        return enrichment.find_next(
            self._db, self._settings.order, self._taken.keys(), self._min_priority
        )

    def _iter_scripts(self, token: CancelToken) -> Iterator[PromptProgram]:
        """Yield the most wanted script there is each time that the model has room for one."""
        while not token.cancelled:
            if self._next:
                yield self._next.popleft()
                continue
            if (chunk_id := self._find_next()) is None:
                return
            self._begin(chunk_id)

    def _begin(self, chunk_id: int) -> None:
        """Take a chunk from the queue and make its script, or two if it failed as a whole."""
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
            self._keep(attempt, ChunkEvidence(task.chunk_order, (), ()))
            return
        try:
            script = build_script(task, self._settings, self._strategy, (chunk_id, WHOLE))
        except Exception as error:  # a bug met with one text must not stop the others
            log.exception("no script for chunk %d", chunk_id)
            self._fail(attempt, said(f"It could not be asked about: {error!r}."))
        else:
            self._next.append(script)

    def _push_halves(self, attempt: Attempt) -> None:
        attempt.found.clear()
        for part, half in enumerate(attempt.halves, start=1):
            key = (attempt.task.key, part)
            self._next.append(build_script(half, self._settings, self._strategy, key))

    # --- what came of it --------------------------------------------------------------------------

    def _take(self, run: ProgramResult, token: CancelToken) -> None:
        chunk_id, part = run.key
        attempt = self._taken.get(chunk_id)
        if attempt is None:  # its other half was given up
            return
        attempt.take(run, part)
        if isinstance(run.value, ChunkEvidence) and not run.error:
            if (found := attempt.evidence) is not None:
                self._keep(attempt, found)
        elif token.cancelled:
            self._keep_calls(attempt)  # stopped half-way: it goes on where it was
        elif part == WHOLE and (halves := halve(attempt.task)):
            attempt.halves = halves
            if enrichment.is_wanted(self._db, chunk_id):
                self._halved[chunk_id] = attempt
                self._push_halves(attempt)
            else:
                del self._taken[chunk_id]
        else:
            self._fail(attempt, run.error or _NO_ANSWER)

    def _keep(self, attempt: Attempt, found: ChunkEvidence) -> None:
        """Write what was found in a chunk, unless the chunk is gone by now."""
        chunk_id = attempt.task.key
        try:
            with self._db.transaction():
                model_cache.store_calls(self._db, attempt.calls)
                enrichment.remove_wanted(self._db, chunk_ids=[chunk_id])
                if enrichment.has_chunk(self._db, chunk_id, attempt.task.text):
                    self._following.touch(chunk_id)
                    n_tokens, seconds = attempt.n_tokens, attempt.seconds
                    if not n_tokens:  # all from the cache: it cost what it cost the first time
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
        self._ended(attempt)

    def _fail(self, attempt: Attempt, reason: str) -> None:
        """Note that a chunk was given up, and why; what an older model found there stays."""
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
        self.pace.n_failed += 1
        self._ended(attempt)

    def _keep_calls(self, attempt: Attempt) -> None:
        with self._db.transaction():
            model_cache.store_calls(self._db, attempt.calls)
        attempt.calls.clear()

    def _ended(self, attempt: Attempt) -> None:
        self._taken.pop(attempt.task.key, None)
        self._halved.pop(attempt.task.key, None)
        self.pace.count(len(attempt.task.text), asked=attempt.n_tokens > 0)
        self._changed.add(attempt.document_id)
        self._on_progress(self.pace.progress(attempt.document_id))
        if time.monotonic() - self._told_at > TELL_EVERY_S:
            self._tell()

    # --- telling ----------------------------------------------------------------------------------

    def _tell(self) -> None:
        self._told_at = time.monotonic()
        if self._changed:
            self._on_change(ChangeSet(documents=frozenset(self._changed)))
            self._changed.clear()

    def _derive(self) -> None:
        if self._following.is_behind:
            self._on_progress(Progress("graph"))
            self._on_change(self._following.derive())

    def _wait_for_way(self) -> None:
        """Let an answer that is being written have the model."""
        while self._make_way():
            self._cancel.check()
            time.sleep(0.05)
        self._cancel.check()
