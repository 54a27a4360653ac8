"""Asks a chat model in fixed groups of prompt programs, so that its answers can be made again.

A group is what one model reads in one batch. Which programs are in a group, and in which order
results are given, follows from the queue alone: what a model states depends, in its last digits,
on what else is in its batch. Second attempts, of the halves of a text, come at the end, each text
in a group of its own, for the same reason. A cluster sends the same groups to its workers
(`cluster/enrichment.py`), so both make the same library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, ClassVar

from ...errors import Cancelled
from ...llm.batching.conversation import ProgramConversation
from ...llm.protocols import ChatModel
from ...messages import Message
from ...progress import CancelToken
from ...prompt_program import FindCall, KeepCall, ProgramResult, PromptProgram

GROUP = 8  # programs; more fill a batch better, and more is done again when a worker dies
NO_ANSWER = Message("The model gave no answer.")


@dataclass(slots=True)
class ProgramGroup:
    """Programs in the order of the queue, and those of them that need a model.

    Attributes:
        results: of programs that were answered from the cache.
        known: answers in the cache to the first questions of the others.
    """

    programs: list[PromptProgram]
    asked: list[PromptProgram] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)
    results: dict[Any, ProgramResult] = field(default_factory=dict)


class GroupedPrograms:
    """Fulfils `ScriptRunner` with a chat model of this computer, group by group.

    Args:
        cache_name: of the model in the cache of answers.
        find_local: gives the model.

    Attributes:
        unanswered: why a program has no result where the model gave none.
        n_here: programs that were run on this computer.
    """

    is_remote = False
    unanswered: ClassVar[Message] = NO_ANSWER

    def __init__(self, cache_name: str, find_local: Callable[[], ChatModel | None]) -> None:
        self._cache_name, self._find_local = cache_name, find_local
        self.n_here = 0

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
            from_scratch: each group is, also without this.
        """
        cancel = cancel or CancelToken()
        try:
            for group in self._iter_groups(programs, find_call):
                if cancel.cancelled:
                    return
                yield from self._run_here(group, find_call, keep_call, cancel, n_threads)
        except Cancelled:
            if not cancel.cancelled:
                raise

    def _iter_groups(
        self, programs: Iterable[PromptProgram], find_call: FindCall | None
    ) -> Iterator[ProgramGroup]:
        """Yield programs in groups; after all others second attempts, those of a text together."""
        second: list[PromptProgram] = []
        first: list[PromptProgram] = []
        for program in programs:
            assert program.recipe is not None
            if program.recipe.is_second:
                second.append(program)
                continue
            first.append(program)
            if len(first) == GROUP:
                yield self._look_up(first, find_call)
                first = []
        if first:
            yield self._look_up(first, find_call)
        for _, halves in groupby(second, key=_name_text):
            yield self._look_up(list(halves), find_call)

    def _look_up(self, programs: list[PromptProgram], find_call: FindCall | None) -> ProgramGroup:
        """Answer from the cache what can be answered, without a model."""
        group = ProgramGroup(programs)

        def find(key: str) -> str | None:
            value = find_call(key) if find_call is not None else None
            if value is not None:
                group.known[key] = value
            return value

        for program in programs:
            conversation = ProgramConversation(program, self._cache_name, find)
            if conversation.advance():
                conversation.close()
                group.asked.append(program)
            else:
                group.results[program.key] = conversation.end()
        return group

    def _run_here(
        self,
        group: ProgramGroup,
        find_call: FindCall | None,
        keep_call: KeepCall | None,
        cancel: CancelToken,
        n_threads: int,
    ) -> Iterator[ProgramResult]:
        """Yield the results of a group by the model of this computer."""
        found = dict(group.results)
        local = self._find_local() if group.asked else None
        if local is not None:
            results = local.run_programs(
                iter(group.asked),
                find_call=find_call,
                keep_call=keep_call,
                cancel=cancel,
                n_threads=n_threads,
                from_scratch=True,
            )
            found |= {result.key: result for result in results}
            self.n_here += len(group.asked)
        cancel.check()
        for program in group.programs:
            yield found.get(program.key) or ProgramResult(program.key, error=self.unanswered)


def _name_text(program: PromptProgram) -> object:
    """Return what the two halves of a text have in common."""
    key: Any = program.key
    return key[0]
