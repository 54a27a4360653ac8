"""The models that run in processes of their own, so that native code can't end the program.

`HostedChat`, `HostedEmbedder` and `HostedReranker` fulfil the protocols of `protocols`. When the
process of one (`host_process`) dies or makes no progress, the piece of work that it did is done
once more by a fresh process; then that piece fails with the reason. A model is broken when it dies
twice while loading, or when two pieces in a row fail.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ..child_protocol import ProtocolError, check_list, check_number, check_text
from ..child_protocol import decode_message as decode_text_message
from ..errors import AppError, Cancelled, EnvironmentProblem, UserError
from ..messages import NO_MESSAGE
from ..model import ChatMessage
from ..progress import CancelToken
from ..prompt_program import (
    STOPPED,
    Choice,
    FindCall,
    KeepCall,
    ProgramResult,
    PromptProgram,
)
from .batching.conversation import ProgramConversation
from .host_process import BASE_LIMITS, HostBug, HostDied, HostLimits, ModelHost, find_limits
from .host_protocol import (
    HostSpec,
    check_float,
    decode_description,
    decode_reply,
    decode_rows,
    decode_scores,
    encode_ask,
    encode_messages,
)
from .llama_chat import choose_by_program, name_in_cache
from .protocols import ChatRun, PictureDescription
from .trial import ModelCannotRun, TrialResult, describe_trial

log = logging.getLogger(__name__)

T = TypeVar("T")

_LOOK_S = 0.1  # between two looks at the token of a call that waits for its turn
_TEXTS_AT_ONCE, _CHARS_AT_ONCE = 512, 2_000_000  # in one message
# No model reads more of one text: 8,192 tokens of at most 16 characters.
_MAX_TEXT_CHARS = 200_000
_MAX_PROMPT_CHARS = 2_000_000


class ModelStopped(EnvironmentProblem):
    """A model stopped twice at the same piece of work."""


class _Gate:
    """Lets calls run side by side, or one of them alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._n_inside = self._n_alone = 0  # `_n_alone` counts those that wait as well
        self._is_alone = False

    @contextmanager
    def enter(self, *, alone: bool, cancel: CancelToken | None = None) -> Iterator[bool]:
        """Wait for the turn; give False if cancelled while waiting."""
        if not self._wait(alone, cancel):
            yield False
            return
        try:
            yield cancel is None or not cancel.cancelled
        finally:
            with self._changed:
                self._n_inside -= 1
                self._n_alone -= alone
                self._is_alone = False
                self._changed.notify_all()

    @contextmanager
    def closed_if_unused(self) -> Iterator[bool]:
        """Give True if no call is inside; none enters in this context."""
        with self._changed:
            yield not self._n_inside

    def _wait(self, alone: bool, cancel: CancelToken | None) -> bool:
        with self._changed:
            self._n_alone += alone
            while self._is_alone or (self._n_inside and alone) or (self._n_alone and not alone):
                self._changed.wait(_LOOK_S)
                if cancel is not None and cancel.cancelled:
                    self._n_alone -= alone
                    return False
            self._n_inside += 1
            self._is_alone = alone
            return True


class HostedModel:
    """A model in a process of its own, which is started again after its death or after a pause.

    Args:
        title: what the person knows the model by.
        cancel: ends the loading, as `close` does.
        on_restart: called from any thread when the model died and its work is done again.
        on_broken: called from any thread when the model is broken, with how it ended.
        on_loaded: called from any thread when it was loaded, with the seconds that this took.

    Raises:
        UserError: the model's files are damaged.
        EnvironmentProblem: it can't be run here.
    """

    def __init__(
        self,
        spec: HostSpec,
        *,
        title: str = "",
        limits: HostLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
        cancel: CancelToken | None = None,
        on_restart: Callable[[ModelStopped], None] = lambda problem: None,
        on_broken: Callable[[TrialResult], None] = lambda result: None,
        on_loaded: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self._spec, self._title = spec, title or spec.name or spec.path.stem
        try:
            self._limits = limits or find_limits(spec)
        except OSError:
            self._limits = BASE_LIMITS  # the child says what is missing
        self._clock, self._on_restart, self._on_broken = clock, on_restart, on_broken
        self._on_loaded = on_loaded
        self._gate = _Gate()
        self._start_lock = threading.Lock()
        self._host: ModelHost | None = None
        self._closed = False
        self._n_failed = 0  # pieces in a row that failed
        self._used_at = clock()
        self.name = spec.name or (spec.path.name if spec.path.is_dir() else spec.path.stem)
        with (cancel or CancelToken()).notifying(self.close):
            if cancel is not None:
                cancel.check()
            self._ensure_host()

    @property
    def host_pid(self) -> int:
        """The process id of the running child, 0 if there is none."""
        return self._host.pid if self._host is not None and self._host.is_alive else 0

    def close(self) -> None:
        """End the process; what it does meanwhile fails. Never waits."""
        self._closed = True
        if (host := self._host) is not None:
            host.kill()

    def release_if_unused(self, for_s: float) -> bool:
        """End the process if nobody used it for so long; the next use starts another."""
        with self._gate.closed_if_unused() as is_unused:
            host = self._host
            if not is_unused or host is None or self._clock() - self._used_at < for_s:
                return False
            host.kill()
            self._host = None
            return True

    def _ensure_host(self) -> ModelHost:
        """Return a process with the model loaded.

        Raises:
            ModelCannotRun: it died twice while loading.
        """
        self._used_at = self._clock()
        with self._start_lock:
            for is_last in (False, True):
                self._check_open()
                if self._host is not None and self._host.is_alive:
                    return self._host
                began = time.monotonic()
                host = self._host = ModelHost(self._spec, self._limits)
                try:
                    host.wait_until_ready()
                    self._check_open()
                    self._on_loaded(time.monotonic() - began)
                    return host
                except HostDied as death:
                    self._check_open()
                    if is_last:
                        raise self._break(death, "while it was loaded") from death
                except BaseException:
                    host.kill()
                    raise
        raise AssertionError

    def _find_fact(self, name: str) -> int:
        """Return a number that the child sent about the model."""
        value = self._ensure_host().facts.get(name)
        return value if isinstance(value, int) and 0 <= value < 1 << 50 else 0

    def _call(self, item: dict[str, Any], decode: Callable[[dict[str, Any], bytes], T]) -> T:
        """Return the answer to a request, from a second process if the first dies."""
        for is_last in (False, True):
            try:
                return self._ensure_host().call(item, decode)
            except HostDied as death:
                self._note_death(death, goes_on=not is_last)
                if is_last:
                    raise self._give_up(death) from death
        raise AssertionError

    def _count_tokens(self, text: str) -> int:
        starts = range(0, max(1, len(text)), _CHARS_AT_ONCE)
        parts = (text[start : start + _CHARS_AT_ONCE] for start in starts)
        return sum(self._call({"do": "count", "text": part}, _decode_count) for part in parts)

    def _attempt(
        self,
        item: dict[str, Any],
        decode: Callable[[dict[str, Any], bytes], T],
        *,
        is_last: bool = False,
    ) -> T:
        """Do a piece of work, once more and alone in a fresh process if the first dies.

        Args:
            is_last: do it only once, alone.

        Raises:
            HostDied: the last process died too; see `_give_up`.
        """
        for alone in (True,) if is_last else (False, True):
            with self._gate.enter(alone=alone):
                try:
                    result = self._ensure_host().call(item, decode)
                except HostDied as death:
                    self._note_death(death, goes_on=not alone)
                    if alone:
                        raise
                else:
                    self._n_failed = 0
                    self._used_at = self._clock()
                    return result
        raise AssertionError

    def _check_open(self) -> None:
        if self._closed:
            raise EnvironmentProblem(
                "The model {model} was closed meanwhile.", "Try again.", model=self._title
            )

    def _note_death(self, death: HostDied, *, goes_on: bool = True) -> None:
        """Report a death, after which another process does the work again if it `goes_on`."""
        self._check_open()
        if goes_on and not death.is_released:
            problem = ModelStopped(
                "The model {model} stopped ({reason}); it is restarted and continues.",
                model=self._title,
                reason=death.reason,
            )
            log.info("%s", problem)
            self._on_restart(problem)

    def _give_up(self, death: HostDied) -> EnvironmentProblem:
        """Return the error of a piece of work at which the model died twice."""
        self._n_failed += 1
        if self._n_failed >= 2:
            return self._break(death, "while it worked")
        return ModelStopped(
            "The model {model} stopped twice at this ({reason}).",
            "Try other words or a shorter text, or choose another model in Models.",
            model=self._title,
            reason=death.reason,
        )

    def _break(self, death: HostDied, during: str) -> ModelCannotRun:
        """Report that the model is broken; return the error."""
        problem = f"stopped twice {during} ({death.reason})"
        result = TrialResult(problem, death.is_lasting, crashed=True)
        self._on_broken(result)
        return describe_trial(result, self._title)


class HostedChat(HostedModel):
    """A `ChatModel` in a process of its own; `last_run` has the cost of the last answer."""

    can_choose, is_remote = True, False

    def __init__(self, spec: HostSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.n_ctx = self._find_fact("n_ctx")
        self.n_parameters = self._find_fact("n_parameters")
        self.last_run = ChatRun()

    def count_tokens(self, text: str) -> int:
        return self._count_tokens(text)

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int = 512,
        temperature: float = 0.0,
        cancel: CancelToken | None = None,
    ) -> Iterator[str]:
        """See `ChatModel.stream`. After a death the same text is written again, and not repeated.

        Raises:
            UserError: the messages don't fit into `n_ctx`.
            ModelStopped: the model died twice, or wrote another text after its death.
        """
        n_chars = sum(len(message.text) for message in messages)
        if n_chars > _MAX_PROMPT_CHARS:
            raise UserError(
                "The question and its sources are {n:,} characters long.",
                "Ask with fewer sources, or start a new chat.",
                n=n_chars,
            )
        prompt = {"messages": encode_messages(messages)}
        self._call({"do": "prompt", **prompt}, lambda item, _: None)
        item = {"do": "stream", **prompt, "max_tokens": max_tokens, "temperature": temperature}
        return self._iter_text(item, cancel or CancelToken())

    def _iter_text(self, item: dict[str, Any], cancel: CancelToken) -> Iterator[str]:
        shown = ""
        for attempt in (1, 2):
            with self._gate.enter(alone=True, cancel=cancel) as ours:
                if not ours:
                    return
                try:
                    written = ""
                    with closing(self._iter_pieces(item, cancel)) as pieces:
                        for piece in pieces:
                            written += piece
                            if not written.startswith(shown[: len(written)]):
                                raise ModelStopped(
                                    "The model {model} stopped in the middle of the answer.",
                                    "Ask again.",
                                    model=self._title,
                                )
                            if new := written[len(shown) :]:
                                shown = written
                                yield new
                except HostDied as death:
                    self._note_death(death, goes_on=attempt == 1)
                    if attempt == 2:
                        raise self._give_up(death) from death
                else:
                    self._n_failed = 0
                    return

    def _iter_pieces(self, item: dict[str, Any], cancel: CancelToken) -> Generator[str, None, None]:
        """Yield the pieces of an answer by one process."""
        with self._ensure_host().request(item) as exchange, cancel.notifying(exchange.cancel):
            is_over = False
            try:
                if cancel.cancelled:
                    exchange.cancel()
                while not is_over:
                    got, _ = exchange.receive()
                    if is_over := "end" in got:
                        self._note_run(got)
                    elif not cancel.cancelled:
                        yield check_text(got.get("piece"))
            except Cancelled:
                is_over = True
            finally:
                if not is_over:  # the caller stopped reading
                    exchange.cancel()
                    with contextlib.suppress(HostDied, Cancelled, AppError):
                        while "end" not in (got := exchange.receive()[0]):
                            pass
                        self._note_run(got)
                self._used_at = self._clock()

    def _note_run(self, item: dict[str, Any]) -> None:
        run = item.get("run")
        if isinstance(run, dict):
            n_prompt, n_reused, n_written = (
                check_number(run.get(name), 1 << 30)
                for name in ("n_prompt", "n_reused", "n_written")
            )
            prompt_s, written_s = (check_float(run.get(name)) for name in ("prompt_s", "written_s"))
            ended = check_text(run.get("ended"), 20)
            self.last_run = ChatRun(n_prompt, n_reused, prompt_s, n_written, written_s, ended)

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
        """See `ChatModel.run_programs`; the model is held until the iterator ends or is closed.

        The generators of the programs run here. Programs that were running when the process died
        begin again, one at a time: their calls so far are known. One at which it dies again fails.
        """
        cancel = cancel or CancelToken()
        name = name_in_cache(self.name, self._spec.path)
        coming = (ProgramConversation(program, name, find_call, keep_call) for program in programs)
        with self._gate.enter(alone=True, cancel=cancel) as ours:
            if not ours:
                return
            run = _BatchRun(n_threads, cancel, from_scratch)
            suspects: deque[ProgramConversation] = deque()
            while not cancel.cancelled:
                suspect = suspects.popleft() if suspects else None
                source = iter([suspect]) if suspect is not None else coming
                try:
                    with closing(run.iter_results(self._ensure_host(), source)) as results:
                        for result in results:
                            self._n_failed = 0
                            self._used_at = self._clock()
                            yield result
                    if suspect is None:
                        break
                except HostDied as death:
                    self._note_death(death, goes_on=suspect is None)
                    unfinished = run.take_unfinished()
                    if suspect is None:
                        suspects.extend(unfinished)
                        for conversation in suspects:
                            conversation.restart()
                        continue
                    problem = self._give_up(death)
                    yield suspect.end(problem.full_message)
                    if isinstance(problem, ModelCannotRun):
                        raise problem from death
            for conversation in (*run.take_unfinished(), *suspects):
                yield conversation.end(STOPPED)

    def choose(
        self,
        messages: Sequence[ChatMessage],
        lines: Sequence[str],
        options: Sequence[str],
        *,
        cancel: CancelToken | None = None,
    ) -> list[Choice]:
        """See `ChatModel.choose`."""
        return choose_by_program(self.run_programs, messages, lines, options, cancel)


class _BatchRun:
    """Runs conversations in a process, and knows those that did not end."""

    def __init__(self, n_threads: int, cancel: CancelToken, from_scratch: bool) -> None:
        self._n_threads, self._cancel = n_threads, cancel
        self._from_scratch = from_scratch
        self._numbers = itertools.count(1)
        self._running: dict[int, ProgramConversation] = {}

    def take_unfinished(self) -> list[ProgramConversation]:
        unfinished = list(self._running.values())
        self._running.clear()
        return unfinished

    def iter_results(
        self, host: ModelHost, source: Iterator[ProgramConversation]
    ) -> Generator[ProgramResult, None, None]:
        """Yield the results of conversations; see `HostedChat.run_programs`."""
        item = {
            "do": "batch",
            "n_threads": self._n_threads,
            "from_scratch": self._from_scratch,
        }
        with host.request(item) as exchange, self._cancel.notifying(exchange.cancel):
            is_over = False
            try:
                if self._cancel.cancelled:
                    exchange.cancel()
                while not is_over:
                    got, _ = exchange.receive()
                    if "asks" in got:
                        exchange.send(self._answer(got, source))
                    elif "reply" in got:
                        self._take_reply(got)
                    elif "result" in got:
                        yield self._take_result(got)
                    is_over = "end" in got
            except Cancelled:
                is_over = True
            finally:
                if not is_over:  # the caller stopped reading, or a program has a bug
                    exchange.cancel()
                    with contextlib.suppress(HostDied, Cancelled, AppError, HostBug):
                        while "end" not in exchange.receive()[0]:
                            pass

    def _answer(self, got: dict[str, Any], source: Iterator[ProgramConversation]) -> dict[str, Any]:
        """Return the next program, or the next question of one."""
        if "next" in got:
            conversation = None if self._cancel.cancelled else next(source, None)
            if conversation is None:
                return {}
            number = next(self._numbers)
            self._running[number] = conversation
            program = conversation.program
            messages = encode_messages(program.messages)
            return {"program": number, "messages": messages, "text": program.text}
        conversation = self._find(got.get("advance"))
        if got.get("restarts"):
            conversation.restart()
        indices = conversation.advance()
        return {"indices": indices} | ({"ask": encode_ask(conversation.ask)} if indices else {})

    def _take_reply(self, got: dict[str, Any]) -> None:
        conversation = self._find(got["reply"])
        ask = conversation.ask
        index = check_number(got.get("index"), len(ask.lines) - 1)
        conversation.add_reply(index, decode_reply(ask, got.get("value")))

    def _take_result(self, got: dict[str, Any]) -> ProgramResult:
        conversation = self._find(got["result"])
        del self._running[got["result"]]
        error = decode_text_message(got["error"]) if got.get("error") else NO_MESSAGE
        n_prompt, n_written, seconds = check_list(got.get("cost"), 3)
        return conversation.end(
            error,
            n_prompt=check_number(n_prompt, 1 << 40),
            n_written=check_number(n_written, 1 << 40),
            seconds=check_float(seconds),
        )

    def _find(self, number: object) -> ProgramConversation:
        if not isinstance(number, int) or number not in self._running:
            raise ProtocolError("a program that does not run")
        return self._running[number]


class HostedEmbedder(HostedModel):
    """An `Embedder` in a process of its own."""

    is_remote = False

    def __init__(self, spec: HostSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        self.dim = self._find_fact("dim")

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has for this model, uncut."""
        return self._count_tokens(text)

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        """See `Embedder.embed_passages`.

        A text at which the model dies even alone gets the vector of an empty text: search finds it
        by its words.
        """
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for start, part in _iter_parts(texts):
            rows[start : start + len(part)] = self._embed_part(part)
        return rows

    def embed_query(self, text: str) -> np.ndarray:
        item = {"do": "query", "text": text[:_MAX_TEXT_CHARS]}
        try:
            rows = self._attempt(item, partial(decode_rows, n=1, dim=self.dim))
        except HostDied as death:
            raise self._give_up(death) from death
        vector: np.ndarray = rows[0]
        return vector

    def _embed_part(self, part: list[str]) -> np.ndarray:
        try:
            return self._embed(part)
        except HostDied:
            rows = [self._embed_alone(text) for text in part]
            return np.concatenate(rows)

    def _embed_alone(self, text: str) -> np.ndarray:
        try:
            return self._embed([text], is_last=True)
        except HostDied as death:
            problem = self._give_up(death)
            if isinstance(problem, ModelCannotRun):
                raise problem from death
            log.warning("a text of %d characters has no vector: %s", len(text), death.reason)
            return self._embed([""], is_last=True)

    def _embed(self, part: list[str], *, is_last: bool = False) -> np.ndarray:
        decode = partial(decode_rows, n=len(part), dim=self.dim)
        return self._attempt({"do": "passages", "texts": part}, decode, is_last=is_last)


class HostedVision(HostedModel):
    """A `VisionModel` in a process of its own."""

    def describe(
        self,
        messages: Sequence[ChatMessage],
        pixels: bytes,
        width: int,
        height: int,
        *,
        max_tokens: int,
        cancel: CancelToken | None = None,
    ) -> PictureDescription:
        """See `VisionModel.describe`.

        An encoder takes a picture in one call, which may last for minutes: a process that does not
        stop when it is cancelled is ended, so that it takes no time from more urgent work.
        """
        cancel = cancel or CancelToken()
        item = {
            "do": "describe",
            "messages": encode_messages(messages),
            "size": [width, height],
            "max_tokens": max_tokens,
        }
        for is_last in (False, True):
            with self._gate.enter(alone=True, cancel=cancel) as ours:
                if not ours:
                    raise Cancelled
                try:
                    found = self._describe(item, pixels, cancel)
                except HostDied as death:
                    cancel.check()
                    self._note_death(death, goes_on=not is_last)
                    if is_last:
                        raise self._give_up(death) from death
                else:
                    self._n_failed = 0
                    self._used_at = self._clock()
                    return found
        raise AssertionError

    def release(self) -> None:
        """End the process, unless a picture is being described; the next use starts another."""
        self.release_if_unused(0.0)

    def _describe(
        self, item: dict[str, Any], pixels: bytes, cancel: CancelToken
    ) -> PictureDescription:
        host = self._ensure_host()
        with host.request(item, pixels) as exchange, cancel.notifying(exchange.cancel):
            if cancel.cancelled:
                exchange.cancel()
            try:
                got, _ = exchange.receive()
            except Cancelled:
                host.kill(HostDied("cancelled", is_released=True))
                raise
            cancel.check()
            return decode_description(got)


class HostedReranker(HostedModel):
    """A `Reranker` in a process of its own."""

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """See `Reranker.score`. A text at which the model dies even alone scores 0."""
        question = question[:_MAX_TEXT_CHARS]
        scores: list[float] = []
        for _, part in _iter_parts(texts):
            try:
                scores += self._score(question, part)
            except HostDied:
                scores += [self._score_alone(question, text) for text in part]
        return scores

    def _score_alone(self, question: str, text: str) -> float:
        try:
            return self._score(question, [text], is_last=True)[0]
        except HostDied as death:
            problem = self._give_up(death)
            if isinstance(problem, ModelCannotRun):
                raise problem from death
            return 0.0

    def _score(self, question: str, part: list[str], *, is_last: bool = False) -> list[float]:
        item = {"do": "score", "question": question, "texts": part}
        return self._attempt(item, partial(decode_scores, n=len(part)), is_last=is_last)


def _decode_count(item: dict[str, Any], _payload: bytes) -> int:
    return check_number(item.get("n_tokens"), 1 << 40)


def _iter_parts(texts: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield texts that go into one message, with the place of the first."""
    part: list[str] = []
    n_chars = start = 0
    for at, text in enumerate(texts):
        cut = text[:_MAX_TEXT_CHARS]
        if part and (len(part) == _TEXTS_AT_ONCE or n_chars + len(cut) > _CHARS_AT_ONCE):
            yield start, part
            part, n_chars, start = [], 0, at
        part.append(cut)
        n_chars += len(cut)
    if part:
        yield start, part
