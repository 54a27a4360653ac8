"""What is under way in a run of enrichment: one attempt a chunk, whole or in two halves."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ..asks import ScriptRun
from ..errors import Cancelled
from ..extract.halving import unite
from ..extract.tasks import ChunkTask
from ..progress import CancelToken
from ..types import ChunkEvidence


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

    def take(self, run: ScriptRun, part: int) -> None:
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
        return unite(self.task, self.halves, [self.found[1], self.found[2]])


LOOK_AGAIN_S = 0.1


def wait_for_way(make_way: Callable[[], bool], cancel: CancelToken) -> None:
    """Wait while something more urgent wants the model; raises `Cancelled` once told to stop."""
    while make_way():
        cancel.check()
        time.sleep(LOOK_AGAIN_S)


class RunToken(CancelToken):
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
