"""Asks the chat models of a cluster's workers, in groups of prompt programs.

A group is what one worker reads in one batch. The groups and the order of the results are those of
`enrichment/grouped_programs.py`, whatever the number of workers and their speed.
"""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...errors import Cancelled, EnvironmentProblem
from ...llm.llama_chat import name_in_cache
from ...llm.protocols import ChatModel
from ...llm.registry import ModelRegistry
from ...messages import Message
from ...progress import CancelToken
from ...prompt_program import FindCall, KeepCall, ProgramResult, PromptProgram
from ..enrichment.grouped_programs import NO_ANSWER, GroupedPrograms, ProgramGroup
from .connection import SAME_VERSION_HINT, ClusterConnection, PendingTask, ResultLost, WorkersDied
from .tasks import (
    ChatFile,
    ProgramTask,
    ProgramTaskResult,
    describe_chat_environment,
    describe_difference,
    find_chat_file,
    find_difference,
    find_worker_chat,
    is_other_chat,
    run_program_task,
    stop_programs,
)

# One in work and one that waits, so that no worker is idle while results are written.
GROUPS_PER_WORKER, MORE_GROUPS = 2, 1
MAX_GROUPS = 400  # one writer keeps no more workers busy than half as many
MAX_SENT_TIMES = 3


@dataclass(slots=True)
class _SentGroup:
    """A group on its way to a worker and back."""

    group: ProgramGroup
    pending: PendingTask | None = None


class ClusterPrograms(GroupedPrograms):
    """Fulfils `ScriptRunner` with the workers of a cluster, which all have the same chat model.

    Args:
        model: the name of the model, which is installed here as well.
        find_local: gives it on this computer, for a group on which several workers died.

    Raises:
        EnvironmentProblem: a worker has no such model, another file of it, or another llama.cpp.
        UserError: it is not installed here.
    """

    unanswered = Message("Several workers of the cluster died at this passage.")

    def __init__(
        self,
        cluster: ClusterConnection,
        registry: ModelRegistry,
        model: str,
        find_local: Callable[[], ChatModel | None],
    ) -> None:
        path = registry.get_chat_row(model).path
        chat = find_chat_file(registry, model)
        if path is None or chat is None:
            raise EnvironmentProblem("The file of {model} can't be read.", model=model)
        super().__init__(name_in_cache(model, path), find_local)
        self._cluster, self._chat = cluster, chat
        self._environment = describe_chat_environment()
        self._check_workers()

    def run_programs(
        self,
        programs: Iterable[PromptProgram],
        *,
        find_call: FindCall | None = None,
        keep_call: KeepCall | None = None,
        cancel: CancelToken | None = None,
        n_threads: int = 0,
        from_scratch: bool = False,
    ) -> Iterator[ProgramResult]:
        """See `ChatModel.run_programs`; each program has a recipe. Results come in order.

        Args:
            n_threads: on this computer; each worker chooses by its processor.
            from_scratch: each group is, also without this.

        Raises:
            EnvironmentProblem: the cluster is gone, or one of its workers can't work.
        """
        run = _Run(self._cluster, self._chat, self._environment, cancel or CancelToken())
        try:
            for group, found in run.iter_results(self._iter_groups(programs, find_call)):
                if found is None:
                    yield from self._run_here(group, find_call, keep_call, run.cancel, n_threads)
                    continue
                for program in group.programs:
                    result = found.get(program.key) or ProgramResult(program.key, error=NO_ANSWER)
                    if keep_call is not None:
                        for key, value in result.calls:
                            keep_call(key, value)
                    yield result
        except Cancelled:
            if not run.cancel.cancelled:
                raise
        finally:
            run.close()

    def _check_workers(self) -> None:
        """Compare the model and llama.cpp of all workers with those here."""
        without: list[str] = []
        for where, found in self._cluster.ask_workers(
            partial(find_worker_chat, self._chat.name)
        ).items():
            if isinstance(found, BaseException):
                raise EnvironmentProblem(
                    "The worker {address} can't look for its models: {reason}.",
                    SAME_VERSION_HINT,
                    address=where,
                    reason=repr(found),
                )
            file, environment = found
            difference = find_difference(self._environment, environment)
            if difference is not None:
                named = Message("The worker {address}", address=where)
                raise EnvironmentProblem(describe_difference(difference, named), SAME_VERSION_HINT)
            if is_other_chat(self._chat, file):
                without.append(where)
        if without:
            raise EnvironmentProblem(
                "Without the same file of the chat model {model}: {workers}.",
                "Install it there (inkgraph models install {model}, or copy the file into the"
                " models folder), or end these workers.",
                model=self._chat.name,
                workers=", ".join(sorted(without)),
            )


class _Run:
    """Groups on their way to workers and back, a few ahead of the one that is waited for."""

    def __init__(
        self,
        cluster: ClusterConnection,
        chat: ChatFile,
        environment: dict[str, str],
        cancel: CancelToken,
    ) -> None:
        self._cluster, self._chat, self._environment = cluster, chat, environment
        self.cancel = cancel
        self._name = uuid.uuid4().hex[:12]
        self._ahead: deque[_SentGroup] = deque()

    def iter_results(
        self, groups: Iterator[ProgramGroup]
    ) -> Iterator[tuple[ProgramGroup, dict[Any, ProgramResult] | None]]:
        """Yield groups in order with the results by key, None if workers died of this one.

        Raises:
            EnvironmentProblem: see `ClusterPrograms.run_programs`.
            Cancelled: the token was set.
        """
        while not self.cancel.cancelled:
            self._send_ahead(groups)
            if not self._ahead:
                return
            yield self._ahead[0].group, self._wait_for_first()
            self._ahead.popleft()

    def close(self) -> None:
        """Give up what is under way; workers stop at it."""
        sent = [one.pending for one in self._ahead if one.pending is not None]
        if sent:
            self._cluster.notify_workers(partial(stop_programs, self._name))
        for pending in sent:
            self._cluster.drop(pending)
        self._ahead.clear()

    def _send_ahead(self, groups: Iterator[ProgramGroup]) -> None:
        most = min(MAX_GROUPS, MORE_GROUPS + GROUPS_PER_WORKER * self._cluster.n_workers)
        while len(self._ahead) < most and (group := next(groups, None)) is not None:
            self._ahead.append(_SentGroup(group))
        for one in self._ahead:
            if one.pending is None and one.group.asked:
                self._send(one)

    def _send(self, one: _SentGroup) -> None:
        self._cluster.wait_until_connected(self.cancel)
        group = one.group
        recipes = tuple(program.recipe for program in group.asked if program.recipe is not None)
        task = ProgramTask(self._chat, recipes, group.known, self._environment, self._name)
        one.pending = self._cluster.submit(run_program_task, task)
        self._cluster.start_fetching(one.pending)

    def _wait_for_first(self) -> dict[Any, ProgramResult] | None:
        first = self._ahead[0]
        group = first.group
        if not group.asked:
            return group.results
        for _ in range(MAX_SENT_TIMES):
            if first.pending is None:
                self._send(first)
            assert first.pending is not None
            try:
                answer: ProgramTaskResult = self._cluster.wait(first.pending, self.cancel)
            except ResultLost:  # and with it all others, as a rule
                for one in self._ahead:
                    if one.pending is not None and not one.pending.is_fetched:
                        self._cluster.drop(one.pending)
                        one.pending = None
            except WorkersDied:
                break
            else:
                if answer.problem:
                    raise EnvironmentProblem(
                        "The worker on {worker} can't be used: {reason}",
                        worker=answer.worker,
                        reason=answer.problem,
                    )
                first.pending = None
                return group.results | {result.key: result for result in answer.results}
        first.pending = None
        return None
