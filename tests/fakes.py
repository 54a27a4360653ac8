"""A chat model and an embedder for tests: no files, no waiting, the same result every time.

Both fulfil the protocols of `engine.llm.protocols`.
"""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from desktop_app.engine.errors import AppError, UserError
from desktop_app.engine.llm.batching.conversation import CallKeys, dump_reply, load_reply
from desktop_app.engine.llm.machine import Machine
from desktop_app.engine.llm.protocols import ChatRun
from desktop_app.engine.messages import NO_MESSAGE, Message
from desktop_app.engine.model import ChatMessage
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import (
    STOPPED,
    Ask,
    Choice,
    Choose,
    FindCall,
    KeepCall,
    ProgramResult,
    PromptProgram,
    Written,
)

_WORD = re.compile(r"\w+", re.UNICODE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class HashEmbedder:
    """Hashes words, word starts and CJK character pairs: shared words give similar vectors."""

    is_remote = False

    def __init__(self, dim: int = 256, name: str = "hash-embedder") -> None:
        self.name = name
        self.dim = dim
        self.n_texts = 0
        self.closed = False

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        self.n_texts += len(texts)
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self._embed(text)
        return rows

    def embed_query(self, text: str) -> np.ndarray:
        return self._embed(text)

    def close(self) -> None:
        self.closed = True

    def _embed(self, text: str) -> np.ndarray:
        row = np.zeros(self.dim, dtype=np.float32)
        for feature, weight in _iter_features(text):
            code = zlib.crc32(feature.encode("utf-8", "replace"))
            row[code % self.dim] += weight if code >> 31 else -weight
        norm = float(np.linalg.norm(row))
        if norm == 0.0:
            row[0] = norm = 1.0
        return row / np.float32(norm)


def _iter_features(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text.lower()):
        if _CJK.search(word):
            yield from (("c:" + char, 0.5) for char in word)
            yield from (("b:" + word[i : i + 2], 1.0) for i in range(len(word) - 1))
        else:
            # Longer words carry more of the meaning than "the" and "of".
            weight = min(len(word), 8) / 4
            yield "w:" + word, weight
            yield "p:" + word[:5], weight / 2


class ScriptedChatModel:
    """Gives its answers in order, then the last one again; records its prompts.

    Args:
        answers: texts to give, one a call; a word at a time.
        wait: if set, each piece waits for it, so that a test can stop an answer half-way.
        reply: answers one line of a program's question; see `reply_alike`, the default.
            It may raise an `AppError`, which fails the program.
        n_at_once: programs that run side by side.
    """

    can_choose, is_remote = True, False

    def __init__(
        self,
        answers: Sequence[str] = ("I do not know.",),
        *,
        name: str = "scripted",
        n_ctx: int = 8192,
        wait: threading.Event | None = None,
        reply: Callable[[PromptProgram, Ask, str], Choice | Written] | None = None,
        n_at_once: int = 3,
        n_parameters: int = 1_500_000_000,
    ) -> None:
        self.name = name
        self.n_ctx = n_ctx
        self.answers = list(answers)
        self.wait = wait
        self.reply = reply or reply_alike
        self.n_at_once = n_at_once
        self.n_parameters = n_parameters
        self.last_run = ChatRun()
        self.asked: list[tuple[ChatMessage, ...]] = []
        self.script_lines: list[
            tuple[PromptProgram, Ask, str]
        ] = []  # asked, not found in the cache
        self.begun: list[PromptProgram] = []
        self.closed = False
        self.lock = threading.Lock()

    def count_tokens(self, text: str) -> int:
        return len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff]|\w+|[^\w\s]", text))

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int = 512,
        temperature: float = 0.0,
        cancel: CancelToken | None = None,
    ) -> Iterator[str]:
        n_prompt = sum(self.count_tokens(message.text) for message in messages)
        if n_prompt >= self.n_ctx:
            raise UserError(f"The question is too long: {n_prompt} of {self.n_ctx} tokens.")
        with self.lock:
            self.asked.append(tuple(messages))
            answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        return self.iter_pieces(answer, max_tokens, cancel)

    def run_programs(
        self,
        programs: Iterable[PromptProgram],
        *,
        find_call: FindCall | None = None,
        keep_call: KeepCall | None = None,
        cancel: CancelToken | None = None,
        n_threads: int = 0,
    ) -> Iterator[ProgramResult]:
        """Run a few programs at a time, one question of each in turn."""
        with self.lock:
            coming, running, more = iter(programs), [], True
            while not (cancel and cancel.cancelled):
                while more and len(running) < self.n_at_once:
                    program = next(coming, None)
                    more = program is not None
                    if program is not None:
                        self.begun.append(program)
                        running.append(_RunningProgram(program, self))
                if not running:
                    return
                for one in list(running):
                    if (run := one.step(find_call, keep_call)) is not None:
                        running.remove(one)
                        yield run
            yield from [one.stopped() for one in running]

    def choose(
        self,
        messages: Sequence[ChatMessage],
        lines: Sequence[str],
        options: Sequence[str],
        *,
        cancel: CancelToken | None = None,
    ) -> list[Choice]:
        ask = Choose(tuple(lines), tuple(options))

        def talk() -> Any:
            return (yield ask)

        program = PromptProgram("choose", tuple(messages), "", talk)
        return next(iter(self.run_programs([program], cancel=cancel))).value

    def close(self) -> None:
        self.closed = True

    def iter_pieces(
        self, answer: str, max_tokens: int, cancel: CancelToken | None
    ) -> Iterator[str]:
        for piece in re.findall(r"\S+\s*|\s+", answer)[:max_tokens]:
            if self.wait is not None:
                self.wait.wait(5)
            if cancel is not None and cancel.cancelled:
                return
            yield piece


SAYS_NOTHING = ("The passage does not say.", "原文没有说。")


def reply_alike(program: PromptProgram, ask: Ask, _line: str) -> Choice | Written:
    """Give all options the same probability, but prefer a claim to "the passage does not say".

    Lines to be written get one sentence.
    """
    if isinstance(ask, Choose):
        if ask.options == ("A", "B"):
            asked = program.messages[-1].text + program.text
            is_second = any(f"A. {words}" in asked for words in SAYS_NOTHING)
            return Choice((-2.0, 0.0) if is_second else (0.0, -2.0))
        return Choice((0.0,) * len(ask.options))
    return Written("It says so.", n_tokens=4)


class _RunningProgram:
    """One running program of the `ScriptedChatModel`."""

    def __init__(self, program: PromptProgram, model: ScriptedChatModel) -> None:
        self._program, self._model = program, model
        self._talk = program.talk()
        self._replies: list[Any] | None = None
        self._keys = CallKeys(model.name, program)
        self._calls: list[tuple[str, str]] = []
        self._n_prompt = self._n_written = 0

    def step(self, find_call: FindCall | None, keep_call: KeepCall | None) -> ProgramResult | None:
        """Answer the next question; return the result if it was the last."""
        try:
            ask = self._talk.send(self._replies)
            self._replies = [
                self._answer(ask, index, find_call, keep_call) for index in range(len(ask.lines))
            ]
        except StopIteration as stop:
            return self._end(stop.value)
        except AppError as error:
            return self._end(None, error.full_message)
        return None

    def stopped(self) -> ProgramResult:
        self._talk.close()
        return self._end(None, STOPPED)

    def _answer(
        self, ask: Ask, index: int, find_call: FindCall | None, keep_call: KeepCall | None
    ) -> Choice | Written:
        line, text = ask.lines[index], ask.texts[index] if ask.texts else ""
        key = self._keys.get(ask, line, text)
        kept = find_call(key) if find_call else None
        if kept is not None and (known := load_reply(ask, kept)) is not None:
            return known
        program = replace(self._program, text=text or self._program.text)
        self._model.script_lines.append((program, ask, line))
        reply = self._model.reply(program, ask, line)
        self._calls.append((key, dump_reply(reply)))
        if keep_call is not None:
            keep_call(key, dump_reply(reply))
        self._n_prompt += self._model.count_tokens(self._program.text + line)
        self._n_written += reply.n_tokens if isinstance(reply, Written) else 0
        return reply

    def _end(self, value: Any, error: Message = NO_MESSAGE) -> ProgramResult:
        calls, cost = tuple(self._calls), self._n_prompt + self._n_written
        return ProgramResult(
            self._program.key, value, error, self._n_prompt, self._n_written, cost / 1000, calls
        )


class NoOtherModels:
    """What else is asked of a registry: nothing to suggest or finish, no model for pictures."""

    def estimate_loading(self) -> float:
        return 0.0

    def find_vision(self) -> None:
        return None

    def find_vision_row(self) -> None:
        return None

    def list_suggestions(self) -> tuple:
        return ()

    def list_unfinished(self) -> list:
        return []

    def read_machine(self) -> Machine:
        return Machine(8_000_000_000, 5_000_000_000, 2)
