"""Continuous batching: runs many prompt programs concurrently over one loaded model.

Every step decodes a full batch: one token for each line that is being generated, then pending
tokens of lines, texts and instructions. The next program starts when these do not fill a step,
so that generation and prompt reading never wait for each other.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ...errors import AppError, UserError
from ...messages import NO_MESSAGE, Message
from ...model import ChatMessage
from ...progress import CancelToken
from ...prompt_program import (
    PASSAGE,
    STOPPED,
    Ask,
    Choice,
    Choose,
    ProgramResult,
    Written,
)
from ..llama_library import LlamaModel, break_marks
from .conversation import PromptConversation
from .lines import ChooseLine, WriteLine
from .sequences import (
    MAX_SEQUENCES,
    STEP_TOKENS,
    ContextFull,
    SequenceContext,
    Stopped,
    TokenSequence,
)

_MARK = "\u2997passage\u2998"  # kept by every chat template, and in none of our texts
_MAX_FRAMES = 64


@dataclass(frozen=True, slots=True)
class PromptFrame:
    """A prompt without its text: the tokens before it (the shared prefix), the rest."""

    shared_prefix: tuple[int, ...]
    tail: str
    has_passage: bool = True


class ProgramPrompts:
    """Tokenizes the prompts of programs.

    Args:
        render: turns messages into the prompt of the model's template.
        tokenize: returns the tokens of a prompt part (and whether it is the start), with control
            tokens.
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
        """Return the prompt of these messages without the passage.

        Raises:
            UserError: the chat template rejects the messages or drops the passage.
        """
        if (known := self._frames.get(messages)) is None:
            if len(self._frames) >= _MAX_FRAMES:
                self._frames.clear()
            known = self._frames[messages] = self._build_frame(messages)
        return known

    def tokenize_text(self, frame: PromptFrame, text: str) -> list[int]:
        """Return the tokens of a text in its frame, up to the start of the model's turn."""
        if not frame.has_passage:
            return []
        text = break_marks(text)
        plain = self._model.tokenize(text, add_special=False)
        if plain != self._tokenize(text, False):
            # A control token that `break_marks` does not know: tokenize the text separately.
            return [*plain, *self._tokenize(frame.tail.replace(_MARK, ""), False)]
        return self._tokenize(text + frame.tail.replace(_MARK, text), False)

    def _build_frame(self, messages: tuple[ChatMessage, ...]) -> PromptFrame:
        marked = [ChatMessage(m.role, m.text.replace(PASSAGE, _MARK)) for m in messages]
        before, mark, after = self._render(marked).partition(_MARK)
        has_passage = any(PASSAGE in m.text for m in messages)
        if has_passage and not mark:
            raise UserError("The model's chat template leaves the text out.", "Use another model.")
        shut = "\n</think>\n\n"  # ends the thinking block
        if not has_passage:
            before += shut if before.rstrip().endswith("<think>") else ""
        elif after.rstrip().endswith("<think>"):
            after += shut
        return PromptFrame(tuple(self._tokenize(before, True)), after, has_passage)


MAX_LINES = 64  # of one question at a time: enough to fill every step


@dataclass(slots=True)
class OpenLine:
    """A line in progress and its sequences in the order they were opened."""

    line: ChooseLine | WriteLine
    sequences: list[TokenSequence] = field(default_factory=list)


class RunningProgram:
    """A conversation in progress, with its sequences.

    Args:
        get_frame: returns the prompt of an instruction without the text.

    Raises:
        UserError: the chat template rejects the instruction of the program.
    """

    def __init__(
        self,
        conversation: PromptConversation,
        get_frame: Callable[[tuple[ChatMessage, ...]], PromptFrame],
    ) -> None:
        self._conversation, self._get_frame = conversation, get_frame
        self.program = conversation.program
        self.frame = get_frame(self.program.messages)  # of the question
        self._error = NO_MESSAGE
        # Decoded texts from which lines branch, by instruction and text.
        self.prefixes: dict[tuple[tuple[ChatMessage, ...], str], TokenSequence] = {}
        self.lines: dict[int, OpenLine] = {}  # by index in the question
        self.waiting: deque[int] = deque()  # indices of lines that are not open yet
        self.max_lines = MAX_LINES
        self.n_prompt = self.n_written = 0
        self.seconds = 0.0

    @property
    def ask(self) -> Ask:
        return self._conversation.ask

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """The instruction of the current question."""
        return self.ask.messages or self.program.messages

    def advance(self) -> bool:
        """Get the next question that needs the model.

        Returns:
            True if its lines are `waiting` for the model, False if the program has ended.
        """
        self.max_lines = MAX_LINES
        indices = self._conversation.advance()
        if not indices:
            return False
        self.waiting.extend(indices)
        try:
            self.frame = self._get_frame(self.messages)
        except AppError as error:
            self._error = error.full_message
            return False
        return True

    def get_text(self, index: int) -> str:
        """Return the text for a line of the question."""
        return self._conversation.get_text(index)

    def add_reply(self, index: int, reply: Choice | Written) -> None:
        self._conversation.add_reply(index, reply)

    def restart(self) -> None:
        """Restart at the next `advance`; stored replies are reused."""
        self._forget()
        self._conversation.restart()

    def close(self) -> None:
        self._forget()
        self._conversation.close()

    def end(self, error: Message = NO_MESSAGE) -> ProgramResult:
        """Return the result; `error` is the reason of an early end."""
        self.close()
        return self._conversation.end(
            error or self._error,
            n_prompt=self.n_prompt,
            n_written=self.n_written,
            seconds=self.seconds,
        )

    def _forget(self) -> None:
        self.prefixes.clear()
        self.lines.clear()
        self.waiting.clear()


RESERVED_FOR_LINES = 512  # tokens kept free for the questions of a new program
MAX_SHARED_PREFIXES = 4


class ProgramSequences:
    """The sequences of all running programs, and shared prefixes kept for later programs."""

    def __init__(
        self, model: LlamaModel, context: SequenceContext, prompts: ProgramPrompts
    ) -> None:
        self._model, self._context, self._prompts = model, context, prompts
        self.n_reserved = min(RESERVED_FOR_LINES, context.n_ctx // 4)
        self._shared_prefixes: dict[tuple[int, ...], TokenSequence] = {}  # instructions
        self._queue: list[TokenSequence] = []  # with pending tokens, in order of arrival

    @property
    def n_pending(self) -> int:
        return sum(len(sequence.pending) for sequence in self._queue)

    def compose(self) -> list[tuple[TokenSequence, int]]:
        """Return the work of the next step: generated tokens first, then in order of arrival.

        Raises:
            ContextFull: the memory is full.
        """
        self._queue = [sequence for sequence in self._queue if sequence.pending]
        ready = [sequence for sequence in self._queue if sequence.is_ready]
        ready.sort(key=lambda sequence: not sequence.is_writing)
        work: list[tuple[TokenSequence, int]] = []
        left, n_new = min(STEP_TOKENS, self._context.n_free), self._context.n_free_sequences
        for sequence in ready:
            if left <= 0:
                break
            if sequence.seq < 0:
                if n_new == 0:
                    continue
                n_new -= 1
            n = min(left, len(sequence.pending))
            work.append((sequence, n))
            left -= n
        if not work:
            raise ContextFull
        return work

    def open_line(self, run: RunningProgram, index: int) -> None:
        """Open a line of a question after its text.

        Raises:
            UserError: the text is too long.
        """
        prefix = self._ensure_prefix(run, run.get_text(index))
        ask, text = run.ask, run.ask.lines[index]
        sequences: list[TokenSequence] = []
        open_sequence = partial(self._open, run, sequences)
        line: ChooseLine | WriteLine
        if isinstance(ask, Choose):
            line = ChooseLine(ask, text, self._model, open_sequence)
        else:
            line = WriteLine(ask, self._model)
        run.lines[index] = OpenLine(line, sequences)
        open_sequence(prefix, self._model.tokenize(text, add_special=False), line.start())

    def close_line(self, run: RunningProgram, index: int) -> None:
        self._close(run.lines.pop(index).sequences)

    def release(self, run: RunningProgram) -> None:
        """Close all sequences of a program."""
        for index in list(run.lines):
            self.close_line(run, index)
        self._close(list(run.prefixes.values()))
        run.prefixes.clear()

    def drop_idle(self, runs: Sequence[RunningProgram]) -> bool:
        """Close unused shared prefixes and texts; return whether there were any."""
        n_dropped = self.drop_shared_prefixes(runs)
        for run in runs:
            used = {id(open_line.sequences[0].parent) for open_line in run.lines.values()}
            for key, prefix in list(run.prefixes.items()):
                if id(prefix) not in used:
                    self._close([run.prefixes.pop(key)])
                    n_dropped += 1
        return n_dropped > 0

    def end(self) -> None:
        """Close all sequences but complete shared prefixes; all of them after an aborted step."""
        self._queue.clear()
        for tokens, shared_prefix in list(self._shared_prefixes.items()):
            if shared_prefix.pending:
                self._close([self._shared_prefixes.pop(tokens)])
        if self._context.is_void:
            self._shared_prefixes.clear()
            self._context.clear()

    def forget(self) -> None:
        """Empty the memory of the model, also of shared prefixes; no program runs."""
        self._queue.clear()
        self._shared_prefixes.clear()
        self._context.clear()

    def _ensure_prefix(self, run: RunningProgram, text: str) -> TokenSequence:
        key = run.messages, text
        if (prefix := run.prefixes.get(key)) is not None:
            return prefix
        shared_prefix = run.frame.shared_prefix
        tokens = self._prompts.tokenize_text(run.frame, text)
        if len(shared_prefix) + len(tokens) + self.n_reserved > self._context.n_ctx:
            raise UserError(
                "The text is {n:,} tokens long; with its instruction ({n_instruction:,}) and "
                "room for answers ({n_answers:,}) the model reads {n_context:,}.",
                n=len(tokens),
                n_instruction=len(shared_prefix),
                n_answers=self.n_reserved,
                n_context=self._context.n_ctx,
            )
        if not shared_prefix and not tokens:
            raise UserError("There is no text to ask about.")
        if shared_prefix and shared_prefix not in self._shared_prefixes:
            opened = self._open(run, [], None, shared_prefix, None)
            self._shared_prefixes[shared_prefix] = opened
        parent = self._shared_prefixes.get(shared_prefix)
        prefix = run.prefixes[key] = self._open(run, [], parent, tokens, None)
        return prefix

    def _open(
        self,
        run: RunningProgram,
        opened: list[TokenSequence],
        parent: TokenSequence | None,
        tokens: Sequence[int],
        owner: Any,
    ) -> TokenSequence:
        sequence = TokenSequence(parent, tokens, owner, run)
        opened.append(sequence)
        self._queue.append(sequence)
        return sequence

    def drop_shared_prefixes(self, runs: Sequence[RunningProgram], *, least: int = 0) -> int:
        """Close unused shared prefixes if there are at least this many; return their number."""
        if len(self._shared_prefixes) < least:
            return 0
        used = {run.frame.shared_prefix for run in runs}
        # A program may still have texts in memory that follow another instruction.
        branched = {id(prefix.parent) for run in runs for prefix in run.prefixes.values()}
        unused = [
            tokens
            for tokens, shared_prefix in self._shared_prefixes.items()
            if tokens not in used and id(shared_prefix) not in branched
        ]
        self._close([self._shared_prefixes.pop(tokens) for tokens in unused])
        return len(unused)

    def _close(self, sequences: Sequence[TokenSequence]) -> None:
        for sequence in reversed(sequences):  # branches first
            self._context.close(sequence)


MAX_PROGRAMS = 24
_CANCEL_CHECK_S = 0.1


class ProgramRunner:
    """Runs prompt programs in a `SequenceContext`; one run at a time."""

    def __init__(
        self, model: LlamaModel, context: SequenceContext, prompts: ProgramPrompts
    ) -> None:
        self._context, self._prompts = context, prompts
        self._sequences = ProgramSequences(model, context, prompts)
        self._runs: list[RunningProgram] = []  # in the order they began
        self._again: deque[RunningProgram] = deque()  # suspended because the memory was full
        self._is_full = False  # until the next program ends
        self._ended: deque[ProgramResult] = deque()

    def run(
        self, conversations: Iterable[PromptConversation], cancel: CancelToken | None = None
    ) -> Generator[ProgramResult, None, None]:
        """Yield the result of each program when it ends; see `ChatModel.run_programs`."""
        cancel = cancel or CancelToken()
        coming = iter(conversations)
        has_more = True
        stopped: list[ProgramResult] = []
        over = threading.Event()

        def stop_step() -> None:
            """Abort the running step after a cancellation."""
            while not over.wait(_CANCEL_CHECK_S):
                if cancel.cancelled:
                    return self._context.stop()

        watch = threading.Thread(target=stop_step, name="stop-watch", daemon=True)
        watch.start()
        try:
            while not cancel.cancelled:
                while self._has_room() and not cancel.cancelled:
                    if self._again:
                        self._resume(self._again.popleft())
                    elif has_more and (conversation := next(coming, None)) is not None:
                        self._begin(conversation)
                    else:
                        has_more = False
                        break
                    while self._ended:
                        yield self._ended.popleft()
                if self._runs:
                    self._step()
                    while self._ended:
                        yield self._ended.popleft()
                elif not has_more:
                    return
            stopped = [run.end(STOPPED) for run in self._close_all()]
        except Stopped:
            stopped = [run.end(STOPPED) for run in self._close_all()]
        finally:
            over.set()
            watch.join()
            self._clean_up()
        yield from stopped

    def forget(self) -> None:
        """Drop what the last run left in the memory of the model."""
        self._sequences.forget()

    # --- programs ------------------------------------------------------------------------------

    def _has_room(self) -> bool:
        if not self._runs:
            return True
        return (
            not self._is_full
            and len(self._runs) < MAX_PROGRAMS
            and self._context.n_free > 2 * self._sequences.n_reserved
            and self._sequences.n_pending < STEP_TOKENS
            and sum(len(run.lines) for run in self._runs) < MAX_SEQUENCES // 2
        )

    def _begin(self, conversation: PromptConversation) -> None:
        try:
            run = RunningProgram(conversation, self._prompts.get_frame)
        except AppError as error:
            self._ended.append(conversation.end(error.full_message))
        else:
            self._resume(run)

    def _resume(self, run: RunningProgram) -> None:
        self._runs.append(run)
        self._sequences.drop_shared_prefixes(self._runs, least=MAX_SHARED_PREFIXES)
        self._advance(run)

    def _advance(self, run: RunningProgram) -> None:
        if run.advance():
            self._open_lines(run)
        else:
            self._end(run)

    def _open_lines(self, run: RunningProgram) -> None:
        try:
            while run.waiting and len(run.lines) < run.max_lines:
                self._sequences.open_line(run, run.waiting.popleft())
        except UserError as error:
            self._end(run, error.full_message)

    def _end(self, run: RunningProgram, error: Message = NO_MESSAGE) -> None:
        self._sequences.release(run)
        self._runs.remove(run)
        self._is_full = False
        self._ended.append(run.end(error))

    # --- steps ----------------------------------------------------------------------------------

    def _step(self) -> None:
        started = time.perf_counter()
        try:
            work = self._sequences.compose()
            cost = [(sequence.program, n, sequence.is_writing) for sequence, n in work]
            for sequence, logits in self._context.decode(work):
                sequence.owner.take(sequence, logits)
        except ContextFull:
            self._free_memory()
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
        """Store the replies of completed lines; after the last one the program advances."""
        done = [(index, o.line.reply) for index, o in run.lines.items() if o.line.reply is not None]
        for index, reply in done:
            run.add_reply(index, reply)
            self._sequences.close_line(run, index)
        if done and run.waiting:
            self._open_lines(run)
        elif done and not run.lines:
            self._advance(run)

    def _free_memory(self) -> None:
        """Free memory: idle sequences first, then the last program, then lines of the only one."""
        if self._sequences.drop_idle(self._runs):
            return
        run = self._runs[-1]
        if len(self._runs) > 1:
            self._sequences.release(self._runs.pop())
            run.restart()
            self._again.append(run)
            self._is_full = True
        elif len(run.lines) > 1:
            indices = list(run.lines)
            run.max_lines = len(indices) // 2
            for index in reversed(indices[run.max_lines :]):
                self._sequences.close_line(run, index)
                run.waiting.appendleft(index)
        else:
            self._end(
                run, Message("The context of the model is too small for questions about this text.")
            )

    # --- the end --------------------------------------------------------------------------------

    def _clean_up(self) -> None:
        """Close all programs; shared prefixes stay, except after an aborted step."""
        runs = self._close_all()
        self._ended.clear()
        self._is_full = False
        self._sequences.end()
        self._context.allow()
        for run in runs:
            run.close()

    def _close_all(self) -> list[RunningProgram]:
        runs = [*self._runs, *self._again]
        self._runs.clear()
        self._again.clear()
        for run in runs:
            self._sequences.release(run)
        return runs
