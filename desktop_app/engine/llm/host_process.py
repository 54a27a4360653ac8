"""A child process that runs one model: limits, start, messages to and from it, death.

The child's side is `host_child`; the models that use such a process are in `hosted_models`. The
process is ended when it makes no progress or sends what no model sends.
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
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from ..child_process import describe_exit, start_child
from ..child_protocol import ProtocolError, decode_error
from ..crash_log import keep_child_crash
from ..errors import Cancelled, EnvironmentProblem
from ..exit_status import find_signal
from ..log_files import list_frames, plain
from ..messages import Message
from .gguf_header import load_header
from .host_protocol import HostSpec, Received, encode_spec, read_item, write_item
from .llama_chat import BATCH_CTX, DEFAULT_CTX

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
_MAX_WAITING_BYTES = 128_000_000  # sent by a child and not read yet


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
_PICTURE_S = 600.0
_ENCODER_BYTES = 1_500_000_000  # for computing on a picture of 4,096 patches
_SLOW_DISK = 20e6  # bytes per second
BASE_LIMITS = HostLimits(_BASE_MEMORY, _SILENCE_S)  # of a model whose files are missing


def find_limits(spec: HostSpec) -> HostLimits:
    """Return the limits of a model's process.

    Memory: 2 GB, 2.5 times the weights, and the cells of the contexts. Silence: one minute, and the
    time to read the weights from a slow disk, because loading is one call, and the first call after
    it reads them all if they were mapped only. One call reads at most 1,024 tokens. That is 115 s
    for the starter model of 1.1 GB, 18 minutes for 20 GB. Importing PyTorch gets a minute more, and
    a picture ten, because an encoder reads it in one call.
    """
    files = [*spec.path.rglob("*")] if spec.path.is_dir() else [spec.path]
    files += [spec.projector] if spec.projector is not None else []
    size_bytes = sum(file.stat().st_size for file in files if file.is_file())
    silence_s = _SILENCE_S * (1 + spec.path.is_dir()) + size_bytes / _SLOW_DISK
    silence_s += _PICTURE_S if spec.role == "vision" else 0.0
    if spec.n_gpu_layers:  # drivers of graphics cards reserve memory that they never use
        return HostLimits(0, silence_s)
    memory_bytes = _BASE_MEMORY + _MEMORY_OVER_WEIGHTS * size_bytes + _count_cell_bytes(spec)
    memory_bytes += _ENCODER_BYTES if spec.role == "vision" else 0
    return HostLimits(int(memory_bytes), silence_s)


def _count_cell_bytes(spec: HostSpec) -> int:
    """Return the memory of a chat model's contexts: keys and values, float16."""
    if spec.role not in ("chat", "vision") or not spec.path.is_file():
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
    def request(self, item: dict[str, Any], payload: bytes = b"") -> Iterator[Exchange]:
        """Send a request, with bytes after it, and give the exchange about it.

        Raises:
            HostDied: the process has ended.
        """
        number = next(self._numbers)
        exchange = Exchange(self, number)
        with self._lock:
            if self._death is not None:
                raise self._death
            self._exchanges[number] = exchange
        self.send({"id": number, **item}, payload)
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
        death = HostDied(Message("it sent an invalid answer"))
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
