"""What scripts have in the model's memory: instructions, texts and lines, each after the other.

Owns which strands there are and which wait to be read; knows neither when scripts begin nor who
has to give way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..asks import Choose
from ..errors import UserError
from .llama_native import LlamaModel
from .running_script import OpenLine, RunningScript
from .script_lines import ChooseLine, WriteLine
from .script_prompts import ScriptPrompts
from .strands import STEP_TOKENS, NoRoom, Strand, StrandContext

ROOM_FOR_LINES = 512  # tokens kept free for the questions of a script that begins
MOST_HEADS = 4


class ScriptStrands:
    """The strands of all scripts under way, and the instructions kept for those to come."""

    def __init__(self, model: LlamaModel, context: StrandContext, prompts: ScriptPrompts) -> None:
        self._model, self._context, self._prompts = model, context, prompts
        self.room = min(ROOM_FOR_LINES, context.n_ctx // 4)
        self._heads: dict[tuple[int, ...], Strand] = {}  # instructions
        self._queue: list[Strand] = []  # strands with pending tokens, in the order they came

    @property
    def n_pending(self) -> int:
        return sum(len(strand.pending) for strand in self._queue)

    def compose(self) -> list[tuple[Strand, int]]:
        """Choose what the next step reads: written tokens first, then in order of arrival.

        Raises:
            NoRoom: the memory is full.
        """
        self._queue = [strand for strand in self._queue if strand.pending]
        ready = [strand for strand in self._queue if strand.is_ready]
        ready.sort(key=lambda strand: not strand.is_writing)
        work: list[tuple[Strand, int]] = []
        left, n_new = min(STEP_TOKENS, self._context.n_free), self._context.n_free_strands
        for strand in ready:
            if left <= 0:
                break
            if strand.seq < 0:
                if n_new == 0:
                    continue
                n_new -= 1
            n = min(left, len(strand.pending))
            work.append((strand, n))
            left -= n
        if not work:
            raise NoRoom
        return work

    def open_line(self, run: RunningScript, place: int) -> None:
        """Begin with a line of a script's question, after its text.

        Raises:
            UserError: the text is too long.
        """
        trunk = self._ensure_trunk(run, run.get_text(place))
        ask, text = run.ask, run.ask.lines[place]
        strands: list[Strand] = []
        open_strand = partial(self._open, run, strands)
        line: ChooseLine | WriteLine
        if isinstance(ask, Choose):
            line = ChooseLine(ask, text, self._model, open_strand)
        else:
            line = WriteLine(ask, self._model)
        run.lines[place] = OpenLine(line, strands)
        open_strand(trunk, self._model.tokenize(text, add_special=False), line.start())

    def close_line(self, run: RunningScript, place: int) -> None:
        self._close(run.lines.pop(place).strands)

    def release(self, run: RunningScript) -> None:
        """Forget all that was read in for a script."""
        for place in list(run.lines):
            self.close_line(run, place)
        self._close(list(run.trunks.values()))
        run.trunks.clear()

    def drop_idle(self, runs: Sequence[RunningScript]) -> bool:
        """Forget instructions nobody uses and texts no line is about; say whether there were."""
        n_dropped = self._drop_heads(runs)
        for run in runs:
            used = {id(open_line.strands[0].parent) for open_line in run.lines.values()}
            for key, trunk in list(run.trunks.items()):
                if id(trunk) not in used:
                    self._close([run.trunks.pop(key)])
                    n_dropped += 1
        return n_dropped > 0

    def drop_spare_heads(self, runs: Sequence[RunningScript]) -> None:
        """Forget instructions that nobody uses, when there are many."""
        if len(self._heads) >= MOST_HEADS:
            self._drop_heads(runs)

    def end(self) -> None:
        """Forget all but the instructions, and those as well if a step broke off."""
        self._queue.clear()
        for tokens in [tokens for tokens, head in self._heads.items() if head.pending]:
            self._close([self._heads.pop(tokens)])
        if self._context.is_void:
            self._heads.clear()
            self._context.clear()

    def _ensure_trunk(self, run: RunningScript, text: str) -> Strand:
        key = run.messages, text
        if (trunk := run.trunks.get(key)) is None:
            head, tokens = run.frame.head, self._prompts.read_in(run.frame, text)
            if len(head) + len(tokens) + self.room > self._context.n_ctx:
                raise UserError(
                    f"The text is {len(tokens):,} tokens long; with its instruction"
                    f" ({len(head):,}) and room for answers ({self.room:,}) the model reads"
                    f" {self._context.n_ctx:,}."
                )
            if not head and not tokens:
                raise UserError("There is no text to ask about.")
            trunk = run.trunks[key] = self._open(run, [], self._ensure_head(run), tokens, None)
        return trunk

    def _ensure_head(self, run: RunningScript) -> Strand | None:
        tokens = run.frame.head
        if tokens and tokens not in self._heads:
            self._heads[tokens] = self._open(run, [], None, tokens, None)
        return self._heads.get(tokens)

    def _open(
        self,
        run: RunningScript,
        opened: list[Strand],
        parent: Strand | None,
        tokens: Sequence[int],
        owner: Any,
    ) -> Strand:
        strand = Strand(parent, tokens, owner, run)
        opened.append(strand)
        self._queue.append(strand)
        return strand

    def _drop_heads(self, runs: Sequence[RunningScript]) -> int:
        used = {run.frame.head for run in runs}
        # A script may still have texts in memory that were read after another instruction.
        branched = {id(trunk.parent) for run in runs for trunk in run.trunks.values()}
        unused = [
            tokens
            for tokens, head in self._heads.items()
            if tokens not in used and id(head) not in branched
        ]
        self._close([self._heads.pop(tokens) for tokens in unused])
        return len(unused)

    def _close(self, strands: Sequence[Strand]) -> None:
        for strand in reversed(strands):  # branches first
            self._context.close(strand)
