"""Runs many scripts side by side over one loaded model: continuous batching.

Every step decodes a full batch: one token for each line that is being written, then whatever of
lines, texts and instructions is waiting. The next script is taken when that is not enough to fill
a step, so that writing never waits for reading, nor reading for writing.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ...errors import AppError, UserError, said
from ...model import ChatMessage
from ...progress import CancelToken
from ...prompt_program import (
    PASSAGE,
    STOPPED,
    Ask,
    Choice,
    Choose,
    FindCall,
    ProgramResult,
    PromptProgram,
    Talk,
    Written,
)
from ..call_cache import CallKeys, dump_reply, load_reply
from ..chat_template import break_marks
from ..llama_library import LlamaModel
from .lines import ChooseLine, WriteLine
from .sequences import (
    MAX_SEQUENCES,
    STEP_TOKENS,
    ContextFull,
    SequenceContext,
    Stopped,
    TokenSequence,
)

_MARK = "\u2997passage\u2998"  # survives any chat template, and is in no text that we make
_MOST_FRAMES = 64


@dataclass(frozen=True, slots=True)
class PromptFrame:
    """A prompt around a text: its tokens up to the text (`head`), and what follows it."""

    head: tuple[int, ...]
    tail: str
    has_passage: bool = True


class ProgramPrompts:
    """Makes the tokens of scripts' prompts.

    Args:
        render: turns messages into the prompt of the model's template.
        tokenize: the tokens of a prompt (and whether it is its start), control marks read as such.
    """

    def __init__(
        self,
        model: LlamaModel,
        render: Callable[[Sequence[ChatMessage]], str],
        tokenize: Callable[[str, bool], list[int]],
    ) -> None:
        self._model, self._render, self._tokenize = model, render, tokenize
        self._frames: dict[tuple[ChatMessage, ...], PromptFrame] = {}

    def get_frame(self, messages: tuple[ChatMessage, ...]) -> PromptFrame:
        """Return what is around the passage in these messages.

        Raises:
            UserError: the model's template refuses them, or leaves the passage out.
        """
        if (known := self._frames.get(messages)) is None:
            if len(self._frames) >= _MOST_FRAMES:
                self._frames.clear()
            known = self._frames[messages] = self._build_frame(messages)
        return known

    def read_in(self, frame: PromptFrame, text: str) -> list[int]:
        """Return the tokens of a text in its frame, up to where the model begins to speak."""
        if not frame.has_passage:
            return []
        text = break_marks(text)
        plain = self._model.tokenize(text, add_special=False)
        if plain != self._tokenize(text, False):
            # A mark that `break_marks` does not know: the text is read apart from its frame.
            return [*plain, *self._tokenize(frame.tail.replace(_MARK, ""), False)]
        return self._tokenize(text + frame.tail.replace(_MARK, text), False)

    def _build_frame(self, messages: tuple[ChatMessage, ...]) -> PromptFrame:
        marked = [ChatMessage(m.role, m.text.replace(PASSAGE, _MARK)) for m in messages]
        before, mark, after = self._render(marked).partition(_MARK)
        has_passage = any(PASSAGE in m.text for m in messages)
        if has_passage and not mark:
            raise UserError("The model's chat template leaves the text out.", "Use another model.")
        shut = "\n</think>\n\n"  # nothing to think about
        if not has_passage:
            before += shut if before.rstrip().endswith("<think>") else ""
        elif after.rstrip().endswith("<think>"):
            after += shut
        return PromptFrame(tuple(self._tokenize(before, True)), after, has_passage)


MOST_LINES = 64  # of one question side by side: enough to fill every step


@dataclass(slots=True)
class OpenLine:
    """A line that the model works on, and its strands in the order they were opened."""

    line: ChooseLine | WriteLine
    strands: list[TokenSequence] = field(default_factory=list)


class RunningProgram:
    """A script's talk, driven from question to question.

    Args:
        get_frame: what is around the text in an instruction.

    Raises:
        UserError: the model's template refuses the script's instruction.
    """

    def __init__(
        self,
        script: PromptProgram,
        model: str,
        get_frame: Callable[[tuple[ChatMessage, ...]], PromptFrame],
        find_call: FindCall | None,
    ) -> None:
        self.script, self._get_frame = script, get_frame
        self.frame = get_frame(script.messages)  # of the question
        self._keys, self._find_call = CallKeys(model, script), find_call
        self._talk: Talk | None = None
        self._ask: Ask | None = None
        self._replies: list[Any] | None = None
        self._value: Any = None
        self._error = ""
        # Texts read in, from which lines branch, by their instruction and themselves.
        self.trunks: dict[tuple[tuple[ChatMessage, ...], str], TokenSequence] = {}
        self.lines: dict[int, OpenLine] = {}  # by their place in the question
        self.waiting: deque[int] = deque()  # places of lines that are not open yet
        self.most_lines = MOST_LINES
        self.calls: dict[str, str] = {}  # answered by the model, by key
        self.n_prompt = self.n_written = 0
        self.seconds = 0.0

    @property
    def ask(self) -> Ask:
        assert self._ask is not None
        return self._ask

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """The instruction of the question."""
        return self.ask.messages or self.script.messages

    def go_on(self) -> bool:
        """Hand over the replies and take the next question, until one needs the model.

        Returns:
            Whether it does: its lines are then `waiting`. Otherwise the script has ended.
        """
        if self._talk is None:
            self._talk = self.script.talk()
        self.most_lines = MOST_LINES
        while True:
            try:
                self._ask = self._talk.send(self._replies)
            except StopIteration as stop:
                self._value = stop.value
                return False
            except AppError as error:
                return self._fail(error)
            self._replies = [self._find_reply(place) for place in range(len(self._ask.lines))]
            self.waiting.extend(i for i, reply in enumerate(self._replies) if reply is None)
            if self.waiting:
                try:
                    self.frame = self._get_frame(self.messages)
                except AppError as error:
                    return self._fail(error)
                return True

    def get_text(self, place: int) -> str:
        """Return the text that a line of the question is about."""
        return (self.ask.texts[place] if self.ask.texts else "") or self.script.text

    def take(self, place: int, reply: Choice | Written) -> None:
        """Keep the reply to a line."""
        assert self._replies is not None
        self._replies[place] = reply
        self.calls[self._get_key(place)] = dump_reply(reply)

    def start_over(self) -> None:
        """Begin anew at the next `go_on`; what was answered is not asked again."""
        self.close()
        self._talk = self._ask = self._replies = None

    def close(self) -> None:
        self.trunks.clear()
        self.lines.clear()
        self.waiting.clear()
        if self._talk is not None:
            self._talk.close()

    def end(self, error: str = "") -> ProgramResult:
        """Return what came of it; `error` says why it ended too early."""
        self.close()
        return ProgramResult(
            self.script.key,
            None if error else self._value,
            error or self._error,
            self.n_prompt,
            self.n_written,
            self.seconds,
            tuple(self.calls.items()),
        )

    def _fail(self, error: AppError) -> bool:
        self._error = str(error)
        return False

    def _get_key(self, place: int) -> str:
        return self._keys.get(self.ask, self.ask.lines[place], self.get_text(place))

    def _find_reply(self, place: int) -> Choice | Written | None:
        key = self._get_key(place)
        kept = self.calls.get(key)
        if kept is None and self._find_call is not None:
            kept = self._find_call(key)
        return load_reply(self.ask, kept) if kept is not None else None


ROOM_FOR_LINES = 512  # tokens kept free for the questions of a script that begins
MOST_HEADS = 4


class ProgramSequences:
    """The strands of all scripts under way, and the instructions kept for those to come."""

    def __init__(
        self, model: LlamaModel, context: SequenceContext, prompts: ProgramPrompts
    ) -> None:
        self._model, self._context, self._prompts = model, context, prompts
        self.room = min(ROOM_FOR_LINES, context.n_ctx // 4)
        self._heads: dict[tuple[int, ...], TokenSequence] = {}  # instructions
        self._queue: list[TokenSequence] = []  # strands with pending tokens, in the order they came

    @property
    def n_pending(self) -> int:
        return sum(len(strand.pending) for strand in self._queue)

    def compose(self) -> list[tuple[TokenSequence, int]]:
        """Choose what the next step reads: written tokens first, then in order of arrival.

        Raises:
            NoRoom: the memory is full.
        """
        self._queue = [strand for strand in self._queue if strand.pending]
        ready = [strand for strand in self._queue if strand.is_ready]
        ready.sort(key=lambda strand: not strand.is_writing)
        work: list[tuple[TokenSequence, int]] = []
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
            raise ContextFull
        return work

    def open_line(self, run: RunningProgram, place: int) -> None:
        """Begin with a line of a script's question, after its text.

        Raises:
            UserError: the text is too long.
        """
        trunk = self._ensure_trunk(run, run.get_text(place))
        ask, text = run.ask, run.ask.lines[place]
        strands: list[TokenSequence] = []
        open_strand = partial(self._open, run, strands)
        line: ChooseLine | WriteLine
        if isinstance(ask, Choose):
            line = ChooseLine(ask, text, self._model, open_strand)
        else:
            line = WriteLine(ask, self._model)
        run.lines[place] = OpenLine(line, strands)
        open_strand(trunk, self._model.tokenize(text, add_special=False), line.start())

    def close_line(self, run: RunningProgram, place: int) -> None:
        self._close(run.lines.pop(place).strands)

    def release(self, run: RunningProgram) -> None:
        """Forget all that was read in for a script."""
        for place in list(run.lines):
            self.close_line(run, place)
        self._close(list(run.trunks.values()))
        run.trunks.clear()

    def drop_idle(self, runs: Sequence[RunningProgram]) -> bool:
        """Forget instructions nobody uses and texts no line is about; say whether there were."""
        n_dropped = self._drop_heads(runs)
        for run in runs:
            used = {id(open_line.strands[0].parent) for open_line in run.lines.values()}
            for key, trunk in list(run.trunks.items()):
                if id(trunk) not in used:
                    self._close([run.trunks.pop(key)])
                    n_dropped += 1
        return n_dropped > 0

    def drop_spare_heads(self, runs: Sequence[RunningProgram]) -> None:
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

    def _ensure_trunk(self, run: RunningProgram, text: str) -> TokenSequence:
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

    def _ensure_head(self, run: RunningProgram) -> TokenSequence | None:
        tokens = run.frame.head
        if tokens and tokens not in self._heads:
            self._heads[tokens] = self._open(run, [], None, tokens, None)
        return self._heads.get(tokens)

    def _open(
        self,
        run: RunningProgram,
        opened: list[TokenSequence],
        parent: TokenSequence | None,
        tokens: Sequence[int],
        owner: Any,
    ) -> TokenSequence:
        strand = TokenSequence(parent, tokens, owner, run)
        opened.append(strand)
        self._queue.append(strand)
        return strand

    def _drop_heads(self, runs: Sequence[RunningProgram]) -> int:
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

    def _close(self, strands: Sequence[TokenSequence]) -> None:
        for strand in reversed(strands):  # branches first
            self._context.close(strand)


MOST_AT_ONCE = 24
_LOOK_FOR_STOP_S = 0.1


class ProgramRunner:
    """Drives a `StrandContext`; one run at a time.

    Args:
        name: tells this model's answers from another's in the cache of calls.
    """

    def __init__(
        self, model: LlamaModel, context: SequenceContext, name: str, prompts: ProgramPrompts
    ) -> None:
        self._context, self._name, self._prompts = context, name, prompts
        self._strands = ProgramSequences(model, context, prompts)
        self._runs: list[RunningProgram] = []  # in the order they began
        self._again: deque[RunningProgram] = deque()  # given up for want of room
        self._is_full = False  # until the next script ends
        self._ended: deque[ProgramResult] = deque()

    def run(
        self,
        scripts: Iterable[PromptProgram],
        find_call: FindCall | None = None,
        cancel: CancelToken | None = None,
    ) -> Iterator[ProgramResult]:
        """Yield each script's end as it comes; see `ChatModel.run_scripts`."""
        cancel = cancel or CancelToken()
        coming = iter(scripts)
        has_more = True
        stopped: list[ProgramResult] = []
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
            and sum(len(run.lines) for run in self._runs) < MAX_SEQUENCES // 2
        )

    def _begin(self, script: PromptProgram, find_call: FindCall | None) -> None:
        try:
            run = RunningProgram(script, self._name, self._prompts.get_frame, find_call)
        except AppError as error:
            self._ended.append(ProgramResult(script.key, error=str(error)))
        else:
            self._resume(run)

    def _resume(self, run: RunningProgram) -> None:
        self._runs.append(run)
        self._strands.drop_spare_heads(self._runs)
        self._go_on(run)

    def _go_on(self, run: RunningProgram) -> None:
        if run.go_on():
            self._open_lines(run)
        else:
            self._end(run)

    def _open_lines(self, run: RunningProgram) -> None:
        try:
            while run.waiting and len(run.lines) < run.most_lines:
                self._strands.open_line(run, run.waiting.popleft())
        except UserError as error:
            self._end(run, str(error))

    def _end(self, run: RunningProgram, error: str = "") -> None:
        self._strands.release(run)
        self._runs.remove(run)
        self._is_full = False
        self._ended.append(run.end(error))

    def _drain(self) -> Iterator[ProgramResult]:
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
        except ContextFull:
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

    def _collect(self, run: RunningProgram) -> None:
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

    def _break_off(self) -> list[ProgramResult]:
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

    def _give_up(self) -> list[RunningProgram]:
        runs = [*self._runs, *self._again]
        self._runs.clear()
        self._again.clear()
        for run in runs:
            self._strands.release(run)
        return runs
