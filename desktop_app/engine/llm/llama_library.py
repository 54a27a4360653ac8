"""Loads a GGUF file with llama.cpp and turns text into tokens and back.

Owns the library's start, its log (sent to Python's logging, never to stderr), the model, its
vocabulary and chat template, and the stream of generated text. llama.cpp is not re-entrant;
callers hold their own lock.
"""

from __future__ import annotations

import atexit
import codecs
import ctypes
import datetime
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..crash_log import note_step
from ..errors import EnvironmentProblem, UserError
from ..model import ChatMessage
from .gguf_header import GgufHeader, load_header

log = logging.getLogger(__name__)

_LEVELS = {1: logging.DEBUG, 2: logging.DEBUG, 3: logging.WARNING, 4: logging.ERROR}
_MADV_DONTNEED = 4  # of Linux's madvise(2)
_start_lock = threading.Lock()
_kept: list[Any] = []  # the log callback must outlive every model


_reporter: Callable[[], None] | None = None


def set_call_reporter(report: Callable[[], None]) -> None:
    """Let `report` be called after each call into native code that computes; see `host_child`."""
    global _reporter
    _reporter = report


def report_call() -> None:
    """Report that a call into native code has returned: the model makes progress."""
    if _reporter is not None:
        _reporter()


def default_threads() -> int:
    """Return how many threads pay: all cores of a small machine, half of many, 8 at most."""
    n = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2
    return n if n <= 4 else min(8, max(4, n // 2))


def load_llama() -> Any:
    """Return the llama_cpp module, started once, with its log routed to Python's.

    Raises:
        EnvironmentProblem: llama-cpp-python is not installed, or its libraries don't load.
    """
    # OpenMP's threads wait by spinning for long; when anything else wants the processor, answers
    # then fall from 30 tokens a second to 3. A short spin costs a tenth when alone (measured).
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", "10000")
    try:
        import llama_cpp
    except Exception as error:  # the package raises what it likes when its libraries don't load
        raise EnvironmentProblem(
            "Models can't run here: llama-cpp-python does not load ({reason}).",
            "Close Inkgraph and start it again: it builds what is missing. Search by words, "
            "the graph and the reader work without models.",
            reason=error,
        ) from error
    with _start_lock:
        if not _kept:
            line: list[str] = []

            def take_log(level: int, text: bytes, _: Any) -> None:
                line.append((text or b"").decode("utf-8", "replace"))
                if line[-1].endswith("\n"):
                    # llama.cpp warns about much that is in order, so nothing is louder than debug
                    # but errors, and those are reported by the caller.
                    rank = logging.INFO if _LEVELS.get(level) == logging.ERROR else logging.DEBUG
                    log.log(rank, "%s", "".join(line).rstrip())
                    line.clear()

            callback = llama_cpp.llama_log_callback(take_log)
            llama_cpp.llama_log_set(callback, ctypes.c_void_p(0))
            llama_cpp.llama_backend_init()
            _kept.append(callback)
            atexit.register(_close_null_files)
    return llama_cpp


def get_log_callback() -> Any:
    """Return what takes the log of llama.cpp, for its other libraries; `load_llama` was called."""
    return _kept[0]


def _close_null_files() -> None:
    """Close what llama_cpp opens when imported and never closes: Python warns of it at its end."""
    if (opened := sys.modules.get("llama_cpp._utils")) is not None:
        for name in ("outnull_file", "errnull_file"):
            if (file := vars(opened).get(name)) is not None:
                file.close()


def release_pages(path: Path) -> None:
    """Give the memory of a mapped file back; what is used of it later is mapped again.

    llama.cpp copies most weights into the order that the processor's instructions want, and does
    not touch those in the file again: without this, they are counted twice. Linux only; elsewhere
    the system drops them when memory is short.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    file = os.stat(path).st_ino
    for line in Path("/proc/self/maps").read_text("utf-8", "replace").splitlines():
        addresses, access, _, _, inode, *_ = line.split(maxsplit=5)
        # Shared and read-only: nothing of it is only in memory, whatever file it is.
        if int(inode) == file and access == "r--s":
            start, end = (int(address, 16) for address in addresses.split("-"))
            if libc.madvise(start, end - start, _MADV_DONTNEED):
                log.info("The pages of %s stay in memory: %s", path.name, ctypes.get_errno())


class LlamaModel:
    """A loaded GGUF file: weights and vocabulary, without a context."""

    def __init__(self, path: Path, *, n_gpu_layers: int = 0) -> None:
        """Load a model.

        Raises:
            UserError: the file is damaged or not complete.
            EnvironmentProblem: llama.cpp can't run it (memory, or a kind it does not know).
        """
        self.path = path
        self._pieces: dict[tuple[int, bool], bytes] = {}  # at most the vocabulary
        self.header: GgufHeader = load_header(path)
        note_step(f"loading the model {path.name}")
        self.lib = load_llama()
        self.handle = self._load(n_gpu_layers)
        if not self.handle and n_gpu_layers:
            log.warning("%s does not load on the graphics card; using the processor", path.name)
            self.handle = self._load(0)
        if not self.handle:
            raise EnvironmentProblem(
                "The model {name} could not be loaded ({architecture}).",
                "It may need more memory than is free, or be of a kind that is not supported "
                "yet; try a smaller or another model.",
                name=path.name,
                architecture=self.header.architecture,
            )
        self.vocab = self.lib.llama_model_get_vocab(self.handle)

    def _load(self, n_gpu_layers: int) -> Any:
        params = self.lib.llama_model_default_params()
        params.n_gpu_layers = n_gpu_layers
        handle = self.lib.llama_model_load_from_file(os.fsencode(self.path), params)
        release_pages(self.path)
        return handle

    @property
    def n_ctx_train(self) -> int:
        return int(self.lib.llama_model_n_ctx_train(self.handle))

    @property
    def width(self) -> int:
        return int(self.lib.llama_model_n_embd(self.handle))

    def tokenize(self, text: str, *, add_special: bool, parse_special: bool = False) -> list[int]:
        """Return the tokens of a text; `parse_special` reads <|im_start|> and the like as one."""
        data = text.encode("utf-8", "replace")
        room = 1 << (len(data) + 8).bit_length()  # few sizes: ctypes makes a class for each
        buffer = (self.lib.llama_token * room)()
        n = self.lib.llama_tokenize(
            self.vocab, data, len(data), buffer, room, add_special, parse_special
        )
        if n < 0:
            room = -n
            buffer = (self.lib.llama_token * room)()
            n = self.lib.llama_tokenize(
                self.vocab, data, len(data), buffer, room, add_special, parse_special
            )
        return list(buffer[: max(n, 0)])

    def get_piece(self, token: int, *, special: bool = False) -> bytes:
        """Return the bytes of a token; those of a control token only if `special`."""
        if (known := self._pieces.get((token, special))) is not None:
            return known
        buffer = ctypes.create_string_buffer(256)
        n = self.lib.llama_token_to_piece(self.vocab, token, buffer, 256, 0, special)
        if n < 0:
            buffer = ctypes.create_string_buffer(-n)
            n = self.lib.llama_token_to_piece(self.vocab, token, buffer, -n, 0, special)
        piece = self._pieces[token, special] = buffer.raw[: max(n, 0)]
        return piece

    def ends_turn(self, token: int) -> bool:
        return bool(self.lib.llama_vocab_is_eog(self.vocab, token))

    def close(self) -> None:
        if self.handle:
            self.lib.llama_model_free(self.handle)
            self.handle = None


_MARK = re.compile(r"<(?=\|[^<>|\s]{1,40}\|>)|<(?=/?(?:s|start_of_turn|end_of_turn|bos|eos)>)")

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
PLAIN = (
    "{% for m in messages %}{{ m.role|capitalize }}: {{ m.content }}\n\n{% endfor %}"
    "{% if add_generation_prompt %}Assistant:{% endif %}"
)


class ChatTemplate:
    """A compiled template, run in Jinja's sandbox: model files come from anywhere."""

    def __init__(self, source: str, *, bos: str = "", eos: str = "") -> None:
        """Compile a template.

        Raises:
            UserError: it is not valid.
        """
        import jinja2
        from jinja2.ext import loopcontrols
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        def raise_exception(message: str) -> None:
            raise ValueError(message)

        self._errors = (jinja2.TemplateError, TypeError, ValueError, KeyError)
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
        )
        environment.globals["strftime_now"] = lambda form: datetime.datetime.now().strftime(form)
        environment.globals["raise_exception"] = raise_exception
        try:
            self._template = environment.from_string(source)
        except jinja2.TemplateError as error:
            raise UserError(
                "The model's chat template is not valid: {reason}",
                "Choose another model.",
                reason=error,
            ) from error
        self._bos, self._eos = bos, eos

    def render(self, messages: Sequence[ChatMessage], *, as_parts: bool = False) -> str:
        """Return the prompt, ending where the assistant begins; thinking is turned off.

        Args:
            as_parts: give the template lists of parts of a message, as some for pictures want.

        Raises:
            UserError: the template refuses these messages, even without a system message.
        """
        turns = [{"role": m.role, "content": break_marks(m.text)} for m in messages]
        try:
            return self._render(turns, as_parts)
        except self._errors:
            # Some templates (Gemma) know no system role.
            head = "\n\n".join(turn["content"] for turn in turns if turn["role"] == "system")
            rest = [turn for turn in turns if turn["role"] != "system"]
            if head and rest:
                rest[0]["content"] = f"{head}\n\n{rest[0]['content']}"
            try:
                return self._render(rest or [{"role": "user", "content": head}], as_parts)
            except self._errors as error:
                raise UserError(
                    "The model's chat template refuses the conversation: {reason}",
                    "Choose another model, or start a new chat.",
                    reason=error,
                ) from error

    def _render(self, turns: list[dict[str, str]], as_parts: bool) -> str:
        parts = [{**turn, "content": [{"type": "text", "text": turn["content"]}]} for turn in turns]
        return self._template.render(
            messages=parts if as_parts else turns,
            add_generation_prompt=True,
            enable_thinking=False,
            bos_token=self._bos,
            eos_token=self._eos,
            tools=None,
            documents=None,
        )


def break_marks(text: str) -> str:
    """Return the text with control marks such as <|im_end|> made plain words."""
    return _MARK.sub("< ", text)


class LlamaPrompt:
    """Turns messages into a prompt, and a prompt into tokens."""

    def __init__(self, model: LlamaModel) -> None:
        """Compile the template that the file carries, or one that suits its vocabulary.

        Raises:
            UserError: the template is not valid.
        """
        self._model = model
        self._bos = self._get_mark("bos")
        source = model.header.fields.get("tokenizer.chat_template")
        if not source:
            ends = model.tokenize("<|im_end|>", add_special=False, parse_special=True)
            source = CHATML if len(ends) == 1 else PLAIN
        self._template = ChatTemplate(source, bos=self._bos, eos=self._get_mark("eos"))

    def render(self, messages: Sequence[ChatMessage], *, as_parts: bool = False) -> str:
        """Return the prompt, ending where the assistant begins; see `ChatTemplate.render`.

        Raises:
            UserError: the template refuses these messages.
        """
        return self._template.render(messages, as_parts=as_parts)

    def needs_start(self, text: str) -> bool:
        """Return whether the tokenizer adds its start mark: not if the template did."""
        return not (self._bos and text.startswith(self._bos))

    def tokenize(self, text: str, is_start: bool = True) -> list[int]:
        """Return the tokens of a prompt or a part of one, control marks read as such."""
        add_special = is_start and self.needs_start(text)
        return self._model.tokenize(text, add_special=add_special, parse_special=True)

    def _get_mark(self, kind: str) -> str:
        token = getattr(self._model.lib, f"llama_vocab_{kind}")(self._model.vocab)
        if token < 0:
            return ""
        return self._model.get_piece(token, special=True).decode("utf-8", "replace")


_OPEN, _CLOSE = "<think>", "</think>"
_LONGEST_PERIOD = 64


class TextStream:
    """Gives out characters only when whole, and leaves out <think>…</think> blocks."""

    def __init__(self, *, thinking: bool = False) -> None:
        """`thinking`: the prompt itself already opened a thinking block."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self._held = ""
        self._thinking = thinking
        self._started = False

    def feed(self, data: bytes) -> str:
        """Return what can be shown now; a possible beginning of a mark is held back."""
        self._held += self._decoder.decode(data)
        return self._lead(self._drain(final=False))

    def finish(self) -> str:
        """Return what was held back; an incomplete last character is dropped."""
        return self._lead(self._drain(final=True))

    def _lead(self, text: str) -> str:
        """Drop blanks before the first word: what a cut thinking block leaves."""
        if not self._started:
            text = text.lstrip()
            self._started = bool(text)
        return text

    def _drain(self, *, final: bool) -> str:
        shown = ""
        while self._held:
            mark = _CLOSE if self._thinking else _OPEN
            at = self._held.find(mark)
            if at >= 0:
                shown += "" if self._thinking else self._held[:at]
                self._held = self._held[at + len(mark) :]
                self._thinking = not self._thinking
                continue
            n_hold = 0 if final else _n_begun(self._held, mark)
            cut = len(self._held) - n_hold
            shown += "" if self._thinking else self._held[:cut]
            self._held = self._held[cut:]
            break
        return shown


def _n_begun(text: str, mark: str) -> int:
    """Return how many characters at the end of `text` begin `mark`."""
    for n in range(min(len(mark) - 1, len(text)), 0, -1):
        if text.endswith(mark[:n]):
            return n
    return 0


def is_looping(tokens: Sequence[int], *, min_tokens: int = 48, min_turns: int = 4) -> bool:
    """Return whether the end of `tokens` is the same run of up to 64, over and over.

    A run counts when it occurs `min_turns` times and fills at least `min_tokens`.
    """
    n = len(tokens)
    for period in range(1, _LONGEST_PERIOD + 1):
        span = max(min_tokens, period * min_turns)
        if span > n:
            continue
        tail = tokens[n - span :]
        if all(tail[i] == tail[i - period] for i in range(period, span)):
            return True
    return False
