"""Loads a GGUF file with llama.cpp and turns text into tokens and back.

Owns everything that chat and embedding have in common: the library's start, its log (sent to
Python's logging, never to stderr), the model and its vocabulary. llama.cpp is not re-entrant;
callers hold their own lock.
"""

from __future__ import annotations

import atexit
import ctypes
import logging
import os
import sys
import threading
from pathlib import Path
from typing import Any

from ..crash_log import note_step
from ..errors import EnvironmentProblem
from .gguf_header import GgufHeader, load_header

log = logging.getLogger(__name__)

_LEVELS = {1: logging.DEBUG, 2: logging.DEBUG, 3: logging.WARNING, 4: logging.ERROR}
_start_lock = threading.Lock()
_kept: list[Any] = []  # the log callback must outlive every model


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
            "Run `python3 run.py` again: it builds what is missing. Search by words, the graph "
            "and the reader work without models.",
            reason=error,
        ) from error
    with _start_lock:
        if not _kept:
            line: list[str] = []

            def take_log(level: int, text: bytes, _: Any) -> None:
                line.append((text or b"").decode("utf-8", "replace"))
                if line[-1].endswith("\n"):
                    # llama.cpp warns about much that is in order, so nothing is louder than debug
                    # but errors, and those are told by whoever loads.
                    rank = logging.INFO if _LEVELS.get(level) == logging.ERROR else logging.DEBUG
                    log.log(rank, "%s", "".join(line).rstrip())
                    line.clear()

            callback = llama_cpp.llama_log_callback(take_log)
            llama_cpp.llama_log_set(callback, ctypes.c_void_p(0))
            llama_cpp.llama_backend_init()
            _kept.append(callback)
            atexit.register(_close_null_files)
    return llama_cpp


def _close_null_files() -> None:
    """Close what llama_cpp opens when imported and never closes: Python warns of it at its end."""
    opened = sys.modules.get("llama_cpp._utils")
    for name in ("outnull_file", "errnull_file"):
        if (file := getattr(opened, name, None)) is not None:
            file.close()


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
                "It may need more memory than is free, or be of a kind not yet known here; "
                "try a smaller or another model.",
                name=path.name,
                architecture=self.header.architecture,
            )
        self.vocab = self.lib.llama_model_get_vocab(self.handle)

    def _load(self, n_gpu_layers: int) -> Any:
        params = self.lib.llama_model_default_params()
        params.n_gpu_layers = n_gpu_layers
        return self.lib.llama_model_load_from_file(os.fsencode(self.path), params)

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
