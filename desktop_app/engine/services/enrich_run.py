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
from functools import partial

from ..asks import Script, ScriptRun
from ..changes import ChangeSet
from ..errors import said
from ..extract import enrich
from ..extract.tasks import EnrichSettings
from ..graph.names import normalise_name
from ..models.protocols import ChatModel
from ..progress import CancelToken, Progress, ProgressCallback
from ..store import enrichment, evidence, model_cache
from ..store.db import Db
from ..types import ChunkEvidence
from .enrich_attempts import Attempt, RunToken
from .enrich_facts import ChatFacts
from .enrich_following import Following
from .enrich_pace import Pace
from .enrich_tasks import TaskMaker, build_script, halve

log = logging.getLogger(__name__)

TELL_EVERY_S = 2.0
_NO_ANSWER = said("The model gave no answer.")
WHOLE = 0  # the part of a script that is about the whole chunk; 1 and 2 are its halves


class EnrichRun:
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
        self._settings = enrich.fit_settings(settings, facts.n_parameters)
        self._cancel, self._make_way = cancel, make_way
        self._on_progress, self._on_change = on_progress, on_change
        self._min_priority, self._limit = min_priority, limit
        self._strategy = enrich.choose_strategy(settings, facts.n_parameters)
        self._tasks = TaskMaker(db)
        self._name_ids = evidence.NameIds(db, normalise_name)
        self._following = Following(db)
        self._taken: dict[int, Attempt] = {}  # by chunk
        self._halved: dict[int, Attempt] = {}  # chunks that failed as a whole
        self._next: deque[Script] = deque()
        self._n_begun = 0
        self._changed: set[int] = set()
        self._told_at = time.monotonic()
        self.pace = Pace(db, facts, self._strategy, min_priority, limit)

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
        token = RunToken(self._cancel, self._make_way)
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

    def _iter_scripts(self, token: CancelToken) -> Iterator[Script]:
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
        version = enrich.prompt_version(self._settings, self._strategy, task.language)
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

    def _take(self, run: ScriptRun, token: CancelToken) -> None:
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
