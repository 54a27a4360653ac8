"""Runs many scripts side by side over one loaded model: continuous batching.

Every step decodes a full batch: one token for each line that is being written, then whatever of
lines, texts and instructions is waiting. The next script is taken when that is not enough to fill
a step, so that writing never waits for reading, nor reading for writing.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator

from ..asks import STOPPED, FindCall, Script, ScriptRun
from ..errors import AppError, UserError, said
from ..progress import CancelToken
from .llama_native import LlamaModel
from .running_script import RunningScript
from .script_prompts import ScriptPrompts
from .script_strands import ScriptStrands
from .strands import MAX_STRANDS, STEP_TOKENS, NoRoom, Stopped, StrandContext

MOST_AT_ONCE = 24
_LOOK_FOR_STOP_S = 0.1


class ScriptRunner:
    """Drives a `StrandContext`; one run at a time.

    Args:
        name: tells this model's answers from another's in the cache of calls.
    """

    def __init__(
        self, model: LlamaModel, context: StrandContext, name: str, prompts: ScriptPrompts
    ) -> None:
        self._context, self._name, self._prompts = context, name, prompts
        self._strands = ScriptStrands(model, context, prompts)
        self._runs: list[RunningScript] = []  # in the order they began
        self._again: deque[RunningScript] = deque()  # given up for want of room
        self._is_full = False  # until the next script ends
        self._ended: deque[ScriptRun] = deque()

    def run(
        self,
        scripts: Iterable[Script],
        find_call: FindCall | None = None,
        cancel: CancelToken | None = None,
    ) -> Iterator[ScriptRun]:
        """Yield each script's end as it comes; see `ChatModel.run_scripts`."""
        cancel = cancel or CancelToken()
        coming = iter(scripts)
        has_more = True
        stopped: list[ScriptRun] = []
        over = threading.Event()
        watch = threading.Thread(
            target=self._watch, args=(cancel, over), name="stop-watch", daemon=True
        )
        watch.start()
        try:
            while not cancel.cancelled:
                while self._has_room() and not cancel.cancelled:
                    if self._again:
                        self._resume(self._again.popleft())
                    elif has_more and (script := next(coming, None)) is not None:
                        self._begin(script, find_call)
                    else:
                        has_more = False
                        break
                    yield from self._drain()
                if self._runs:
                    self._step()
                    yield from self._drain()
                elif not has_more:
                    return
            stopped = self._break_off()
        except Stopped:
            stopped = self._break_off()
        finally:
            over.set()
            watch.join()
            self._clean_up()
        yield from stopped

    def _watch(self, cancel: CancelToken, over: threading.Event) -> None:
        """Break off the step that is running when the person stops."""
        while not over.wait(_LOOK_FOR_STOP_S):
            if cancel.cancelled:
                self._context.stop()
                return

    # --- scripts --------------------------------------------------------------------------------

    def _has_room(self) -> bool:
        if not self._runs:
            return True
        return (
            not self._is_full
            and len(self._runs) < MOST_AT_ONCE
            and self._context.n_free > 2 * self._strands.room
            and self._strands.n_pending < STEP_TOKENS
            and sum(len(run.lines) for run in self._runs) < MAX_STRANDS // 2
        )

    def _begin(self, script: Script, find_call: FindCall | None) -> None:
        try:
            run = RunningScript(script, self._name, self._prompts.get_frame, find_call)
        except AppError as error:
            self._ended.append(ScriptRun(script.key, error=str(error)))
        else:
            self._resume(run)

    def _resume(self, run: RunningScript) -> None:
        self._runs.append(run)
        self._strands.drop_spare_heads(self._runs)
        self._go_on(run)

    def _go_on(self, run: RunningScript) -> None:
        if run.go_on():
            self._open_lines(run)
        else:
            self._end(run)

    def _open_lines(self, run: RunningScript) -> None:
        try:
            while run.waiting and len(run.lines) < run.most_lines:
                self._strands.open_line(run, run.waiting.popleft())
        except UserError as error:
            self._end(run, str(error))

    def _end(self, run: RunningScript, error: str = "") -> None:
        self._strands.release(run)
        self._runs.remove(run)
        self._is_full = False
        self._ended.append(run.end(error))

    def _drain(self) -> Iterator[ScriptRun]:
        while self._ended:
            yield self._ended.popleft()

    # --- steps ----------------------------------------------------------------------------------

    def _step(self) -> None:
        started = time.perf_counter()
        try:
            work = self._strands.compose()
            cost = [(strand.payer, n, strand.is_writing) for strand, n in work]
            for strand, logits in self._context.decode(work):
                strand.owner.take(strand, logits)
        except NoRoom:
            self._make_room()
            return
        each = (time.perf_counter() - started) / sum(n for _, n, _ in cost)
        for run, n, is_writing in cost:
            run.seconds += each * n
            if is_writing:
                run.n_written += n
            else:
                run.n_prompt += n
        for run in dict.fromkeys(run for run, _, _ in cost):
            self._collect(run)

    def _collect(self, run: RunningScript) -> None:
        """Take the replies of lines that ended; with the last of them the script goes on."""
        done = [(place, o.line.reply) for place, o in run.lines.items() if o.line.reply is not None]
        for place, reply in done:
            run.take(place, reply)
            self._strands.close_line(run, place)
        if done and run.waiting:
            self._open_lines(run)
        elif done and not run.lines:
            self._go_on(run)

    def _make_room(self) -> None:
        """Give up what is needed least: what lies idle, the last script, lines of the only one."""
        if self._strands.drop_idle(self._runs):
            return
        run = self._runs[-1]
        if len(self._runs) > 1:
            self._strands.release(self._runs.pop())
            run.start_over()
            self._again.append(run)
            self._is_full = True
        elif len(run.lines) > 1:
            places = list(run.lines)
            run.most_lines = len(places) // 2
            for place in reversed(places[run.most_lines :]):
                self._strands.close_line(run, place)
                run.waiting.appendleft(place)
        else:
            self._end(run, said("The model's memory is too small for this text's questions."))

    # --- the end --------------------------------------------------------------------------------

    def _break_off(self) -> list[ScriptRun]:
        """Return what the scripts had that were under way."""
        return [run.end(STOPPED) for run in self._give_up()]

    def _clean_up(self) -> None:
        """Forget all scripts; instructions stay for the next run, unless a step broke off."""
        runs = self._give_up()
        self._ended.clear()
        self._is_full = False
        self._strands.end()
        self._context.allow()
        for run in runs:
            run.close()

    def _give_up(self) -> list[RunningScript]:
        runs = [*self._runs, *self._again]
        self._runs.clear()
        self._again.clear()
        for run in runs:
            self._strands.release(run)
        return runs
