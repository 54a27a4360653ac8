"""Runs each model in a process of its own, so that native code can't end or freeze the program.

`HostedChat`, `HostedEmbedder` and `HostedReranker` fulfil the protocols of `protocols`; the model
itself runs in a child (`host_child`). When the child dies or makes no progress, it is ended and the
piece of work that it did is done once more by a fresh child; then that piece fails with the reason.
A model is broken when it dies twice while loading, or when two pieces in a row fail.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import logging
import os
import queue
import subprocess
import tempfile
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ..child_process import describe_exit, start_child
from ..child_protocol import ProtocolError, check_list, check_number, check_text, decode_error
from ..child_protocol import decode_message as decode_text_message
from ..crash_log import keep_child_crash
from ..errors import AppError, Cancelled, EnvironmentProblem, UserError
from ..exit_status import find_signal
from ..log_files import list_frames, plain
from ..messages import NO_MESSAGE, Message
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
from .gguf_header import load_header
from .host_protocol import (
    HostSpec,
    Received,
    check_float,
    decode_reply,
    decode_rows,
    decode_scores,
    encode_ask,
    encode_messages,
    encode_spec,
    read_item,
    write_item,
)
from .llama_chat import BATCH_CTX, DEFAULT_CTX, ChatRun, choose_by_program, name_in_cache
from .trial import ModelCannotRun, TrialResult, describe_trial

log = logging.getLogger(__name__)

T = TypeVar("T")

CHILD_MODULE = "desktop_app.engine.llm.host_child"
CHILD_ARGUMENT = "--model-host"  # of a packaged program, which has no interpreter to start
# ggml prints a stack before it aborts, by a debugger that the child may not start.
_VARIABLES = {"GGML_NO_BACKTRACE": "1", "TOKENIZERS_PARALLELISM": "false"}
# Settings of the libraries that run models, and of graphics cards.
_PASSED_ON = ("OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "GGML_", "CUDA_", "HIP_", "HSA_", "VK_")
_LOOK_S = 0.1  # between two looks at a child that is silent
_CANCEL_WAIT_S = 2.0  # for a child that stops; then its answer is no longer waited for
_END_S = 5.0
_CRASH_RECORD_BYTES = 4_000
_TEXTS_AT_ONCE, _CHARS_AT_ONCE = 512, 2_000_000  # in one message
# No model reads more of one text: 8,192 tokens of at most 16 characters.
_MAX_TEXT_CHARS = 200_000
_MAX_WAITING_BYTES = 128_000_000  # sent by a child and not read yet
_MAX_PROMPT_CHARS = 2_000_000


@dataclass(frozen=True, slots=True)
class HostLimits:
    """Limits of one child process.

    Attributes:
        memory_bytes: what it may allocate, 0 for no limit. Weights that are only mapped from their
            file do not count.
        silence_s: time without progress, while it loads or between two calls into native code.
    """

    memory_bytes: int
    silence_s: float


_BASE_MEMORY = 2_000_000_000  # Python, PyTorch, buffers for computing, stacks of threads
_MEMORY_OVER_WEIGHTS = 2.5  # weights are copied, repacked for the processor or made float32
_MAX_CELL_BYTES = 100_000_000_000  # whatever the file says
_SILENCE_S = 60.0
_SLOW_DISK = 20e6  # bytes per second


def find_limits(spec: HostSpec) -> HostLimits:
    """Return the limits of a model's process.

    Memory: 2 GB, 2.5 times the weights, and the cells of the contexts. Silence: one minute, and the
    time to read the weights from a slow disk, because loading is one call, and the first call after
    it reads them all if they were mapped only. One call reads at most 1,024 tokens. That is 115 s
    for the starter model of 1.1 GB, 18 minutes for 20 GB. Importing PyTorch gets a minute more.
    """
    files = spec.path.rglob("*") if spec.path.is_dir() else [spec.path]
    size_bytes = sum(file.stat().st_size for file in files if file.is_file())
    silence_s = _SILENCE_S * (1 + spec.path.is_dir()) + size_bytes / _SLOW_DISK
    if spec.n_gpu_layers:  # drivers of graphics cards reserve memory that they never use
        return HostLimits(0, silence_s)
    memory_bytes = _BASE_MEMORY + _MEMORY_OVER_WEIGHTS * size_bytes + _count_cell_bytes(spec)
    return HostLimits(int(memory_bytes), silence_s)


def _count_cell_bytes(spec: HostSpec) -> int:
    """Return the memory of a chat model's contexts: keys and values, float16."""
    if spec.role != "chat" or not spec.path.is_file():
        return 0
    header = load_header(spec.path)
    start = header.architecture

    def get(name: str, usual: int) -> int:
        value = header.fields.get(f"{start}.{name}", usual)
        return value if isinstance(value, int) and 0 < value < 1 << 20 else usual

    n_heads = get("attention.head_count", 32)
    width = get("embedding_length", 4096)
    head = max(get("attention.key_length", 0), width // n_heads)
    cell = 2 * 2 * get("block_count", 48) * get("attention.head_count_kv", n_heads) * head
    n_bytes = cell * (max(spec.n_ctx, DEFAULT_CTX) + max(BATCH_CTX, spec.n_ctx))
    return min(n_bytes, _MAX_CELL_BYTES)


# --- one process ----------------------------------------------------------------------------------


class HostDied(Exception):
    """A model's process ended, or was ended.

    Attributes:
        reason: a few words ("SIGSEGV", "it did not answer for 60 seconds").
        is_lasting: it would happen again; False after a lack of memory or time.
        is_released: it was ended on purpose, because nobody used it.
    """

    def __init__(self, reason: str, *, is_lasting: bool = True, is_released: bool = False) -> None:
        super().__init__(str(reason))
        self.reason, self.is_lasting, self.is_released = reason, is_lasting, is_released


class HostBug(Exception):
    """The child raised an unexpected exception: its traceback."""


_running: weakref.WeakSet[ModelHost] = weakref.WeakSet()


def _kill_all() -> None:
    for host in list(_running):
        host.kill()


atexit.register(_kill_all)


class ModelHost:
    """A running child process with the threads that send to it and take its items.

    Raises:
        UserError, EnvironmentProblem: the model can't be loaded; `wait_until_ready`.
        HostDied: the process ended.
    """

    def __init__(self, spec: HostSpec, limits: HostLimits) -> None:
        self.limits = limits
        self.facts: dict[str, Any] = {}
        self.n_heard = 0  # items of the child so far
        self._name = spec.path.name
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._exchanges: dict[int, Exchange] = {}
        self._death: HostDied | None = None
        self._end_reason: HostDied | None = None  # why this process is ended from here
        self._ready = Exchange(self, 0)
        self._exchanges[0] = self._ready
        self._outbox: queue.SimpleQueue[tuple[dict[str, Any], bytes] | None] = queue.SimpleQueue()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        self._process: subprocess.Popen[bytes] | None = None
        self._start_error: OSError | None = None
        started = threading.Event()
        # The child ends when the thread that started it ends (Linux), so this one does.
        work = partial(self._run, started)
        threading.Thread(target=work, name="host-receive", daemon=True).start()
        started.wait()
        if (error := self._start_error) is not None:
            raise EnvironmentProblem(
                "The process of the model {name} can't be started: {reason}.",
                "Close other programs, then retry.",
                name=self._name,
                reason=str(error.strerror or error).rstrip("."),
            ) from error
        _running.add(self)
        threading.Thread(target=self._send_items, name="host-send", daemon=True).start()
        self.send({**encode_spec(spec), "memory_bytes": limits.memory_bytes})

    @property
    def pid(self) -> int:
        return self._running_process.pid

    @property
    def _running_process(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    @property
    def is_alive(self) -> bool:
        return self._death is None and self._end_reason is None

    def wait_until_ready(self) -> None:
        """Wait until the model is loaded; its properties are in `facts`."""
        try:
            self.facts, _ = self._ready.receive()
        except ProtocolError as error:
            raise self._end_for_nonsense(error) from error
        parts = self.facts.get("ready")
        log.info(
            "model %s runs in process %d, limited: %s", plain(self._name), self.pid, plain(parts)
        )

    def send(self, item: dict[str, Any], payload: bytes = b"") -> None:
        self._outbox.put((item, payload))

    @contextmanager
    def request(self, item: dict[str, Any]) -> Iterator[Exchange]:
        """Send a request and give the exchange about it.

        Raises:
            HostDied: the process has ended.
        """
        number = next(self._numbers)
        exchange = Exchange(self, number)
        with self._lock:
            if self._death is not None:
                raise self._death
            self._exchanges[number] = exchange
        self.send({"id": number, **item})
        try:
            yield exchange
        except ProtocolError as error:
            raise self._end_for_nonsense(error) from error
        finally:
            with self._lock:
                self._exchanges.pop(number, None)

    def call(self, item: dict[str, Any], decode: Callable[[dict[str, Any], bytes], T]) -> T:
        """Return the decoded answer to a request that has one."""
        with self.request(item) as exchange:
            return decode(*exchange.receive())

    def _end_for_nonsense(self, error: ProtocolError) -> HostDied:
        """End the process because of what it sent; return that as its death."""
        log.warning("the process of %s sent %s", self._name, error)
        death = HostDied(Message("it sent what no model sends"))
        self.kill(death)
        return death

    def kill(self, reason: HostDied | None = None) -> None:
        """End the process; the calls that wait for it raise `HostDied`."""
        with self._lock:
            if self._end_reason is None:
                self._end_reason = reason or HostDied("closed", is_released=True)
        self._running_process.kill()

    def _run(self, started: threading.Event) -> None:
        """Start the process, take its items, and find out how it ended."""
        try:
            passed_on = {k: v for k, v in os.environ.items() if k.startswith(_PASSED_ON)}
            variables = passed_on | _VARIABLES
            process = start_child(CHILD_MODULE, CHILD_ARGUMENT, self._errors, variables)
            self._process = process
        except OSError as error:
            self._start_error = error
            self._errors.close()
            return
        finally:
            started.set()
        assert process.stdout is not None
        try:
            while (received := read_item(process.stdout)) is not None:
                self.n_heard += 1
                exchange = self._exchanges.get(received.item.get("id", 0))
                if exchange is not None and "alive" not in received.item:
                    exchange.put(received)
        except (ProtocolError, OSError, ValueError, TypeError) as error:
            log.warning("the process of %s can't be heard: %s", self._name, error)
            process.kill()
        try:
            code = process.wait(_END_S)
        except subprocess.TimeoutExpired:  # it closed its output but lives
            process.kill()
            code = process.wait()
        record = self._read_errors()
        with self._lock:
            death = self._death = self._end_reason or _explain_exit(code, record, self.limits)
            waiting = list(self._exchanges.values())
        if not death.is_released:
            reason = plain(describe_exit(code))
            log.info("the process of %s ended (%s)", plain(self._name), reason)
            if list_frames(record):
                keep_child_crash("host", self.pid, reason, record)
        for exchange in waiting:
            exchange.put(None)
        self._outbox.put(None)
        process.stdout.close()
        self._errors.close()

    def _send_items(self) -> None:
        stream = self._running_process.stdin
        assert stream is not None
        with contextlib.suppress(OSError, ValueError):  # the death is noticed while receiving
            while (message := self._outbox.get()) is not None:
                write_item(stream, *message)
        with contextlib.suppress(OSError, ValueError):
            stream.close()

    def _read_errors(self) -> str:
        size = self._errors.seek(0, 2)
        self._errors.seek(max(0, size - _CRASH_RECORD_BYTES))
        return self._errors.read().decode("utf-8", "replace").strip()

    @property
    def death(self) -> HostDied:
        assert self._death is not None
        return self._death


_NO_MEMORY = ("bad_alloc", "failed to allocate", "out of memory", "Cannot allocate memory")


def _explain_exit(code: int, record: str, limits: HostLimits) -> HostDied:
    if limits.memory_bytes and any(words in record for words in _NO_MEMORY):
        reason = Message(
            "it needs more than {limit:.1f} GB of memory", limit=limits.memory_bytes / 1e9
        )
        return HostDied(reason, is_lasting=False)
    if name := find_signal(code):
        return HostDied(name, is_lasting=name != "SIGKILL")
    return HostDied(Message("exit code {code}", code=code))


class Exchange:
    """One request and its answers."""

    def __init__(self, host: ModelHost, number: int) -> None:
        self._host, self._number = host, number
        self._items: queue.SimpleQueue[Received | None] = queue.SimpleQueue()
        self._put_bytes = self._taken_bytes = 0  # each counted by one thread
        self._cancelled = False

    def put(self, received: Received | None) -> None:
        """Take an item from the child, None at its end.

        Raises:
            ProtocolError: more waits here than any model sends.
        """
        if received is not None:
            self._put_bytes += received.size_bytes
            if self._put_bytes - self._taken_bytes > _MAX_WAITING_BYTES:
                raise ProtocolError("more than is read")
        self._items.put(received)

    def send(self, item: dict[str, Any]) -> None:
        """Answer what the child asked for."""
        self._host.send({"id": self._number, **item})

    def cancel(self) -> None:
        """Let the child stop, from any thread; `receive` gives up waiting after a while."""
        self._cancelled = True
        self._host.send({"id": self._number, "cancel": True})

    def receive(self) -> tuple[dict[str, Any], bytes]:
        """Return the next item and its bytes.

        Raises:
            HostDied: the process ended, or was ended because it made no progress.
            UserError, EnvironmentProblem: the child refused.
            HostBug: the child has a bug.
            Cancelled: it was cancelled, and the child did not answer in time.
        """
        host, n_heard = self._host, self._host.n_heard
        silent_s = cancelled_s = 0.0
        while True:
            try:
                received = self._items.get(timeout=_LOOK_S)
                break
            except queue.Empty:
                # Counted, not measured: a computer that sleeps is not a silent child.
                silent_s += _LOOK_S
                cancelled_s += _LOOK_S if self._cancelled else 0.0
            if host.n_heard != n_heard:
                n_heard, silent_s = host.n_heard, 0.0
            if cancelled_s > _CANCEL_WAIT_S:
                raise Cancelled
            if silent_s > host.limits.silence_s:
                reason = Message("it did not answer for {seconds:.0f} seconds", seconds=silent_s)
                host.kill(HostDied(reason, is_lasting=False))
        if received is None:
            raise host.death
        self._taken_bytes += received.size_bytes
        item = received.item
        if "refused" in item:
            raise decode_error(item)
        if "bug" in item:
            raise HostBug(str(item["bug"])[:10_000])
        return item, received.payload


# --- a model --------------------------------------------------------------------------------------


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
    ) -> None:
        self._spec, self._title = spec, title or spec.name or spec.path.stem
        try:
            self._limits = limits or find_limits(spec)
        except OSError:
            self._limits = HostLimits(_BASE_MEMORY, _SILENCE_S)  # the child says what is missing
        self._clock, self._on_restart, self._on_broken = clock, on_restart, on_broken
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
                host = self._host = ModelHost(self._spec, self._limits)
                try:
                    host.wait_until_ready()
                    self._check_open()
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
                "The model {model} stopped ({reason}); it is started again and goes on.",
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
    """A `ChatModel` in a process of its own; `last_run` tells what the last answer cost."""

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
                "Ask with fewer sources, or begin a new chat.",
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

    def run_scripts(
        self,
        scripts: Iterable[PromptProgram],
        *,
        find_call: FindCall | None = None,
        keep_call: KeepCall | None = None,
        cancel: CancelToken | None = None,
        n_threads: int = 0,
    ) -> Iterator[ProgramResult]:
        """See `ChatModel.run_scripts`; the model is held until the iterator ends or is closed.

        The generators of the programs run here. Programs that were running when the process died
        begin again, one at a time: their calls so far are known. One at which it dies again fails.
        """
        cancel = cancel or CancelToken()
        name = name_in_cache(self.name, self._spec.path)
        coming = (ProgramConversation(script, name, find_call, keep_call) for script in scripts)
        with self._gate.enter(alone=True, cancel=cancel) as ours:
            if not ours:
                return
            run = _BatchRun(n_threads, cancel)
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
        return choose_by_program(self.run_scripts, messages, lines, options, cancel)


class _BatchRun:
    """Runs conversations in a process, and knows those that did not end."""

    def __init__(self, n_threads: int, cancel: CancelToken) -> None:
        self._n_threads, self._cancel = n_threads, cancel
        self._numbers = itertools.count(1)
        self._running: dict[int, ProgramConversation] = {}

    def take_unfinished(self) -> list[ProgramConversation]:
        unfinished = list(self._running.values())
        self._running.clear()
        return unfinished

    def iter_results(
        self, host: ModelHost, source: Iterator[ProgramConversation]
    ) -> Generator[ProgramResult, None, None]:
        """Yield the results of conversations; see `HostedChat.run_scripts`."""
        item = {"do": "batch", "n_threads": self._n_threads}
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
