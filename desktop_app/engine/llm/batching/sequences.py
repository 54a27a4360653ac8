"""Token sequences in one llama.cpp context, each branching from another.

Owns the sequences and their memory cells: a sequence starts as a copy of its parent (at no cost,
because the cells are shared), decodes its own tokens and is closed. Knows nothing of prompts.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...errors import EnvironmentProblem
from ..llama_library import LlamaModel, report_call

MAX_SEQUENCES = 256  # llama.cpp's limit
STEP_TOKENS = 128  # decoded at once: more is hardly faster, fewer is slower (measured)


class ContextFull(Exception):
    """The context's memory is full: a sequence must be closed first."""


class Stopped(Exception):
    """A step was aborted; all sequences are invalid."""


class TokenSequence:
    """A sequence of tokens; `pending` ones are decoded after the `n_past` decoded ones.

    A sequence without tokens decodes its parent's last token again, to get logits.

    Args:
        owner: receives the logits after the last token; None if they are not needed.
        program: the program to which the cost is counted.
    """

    __slots__ = (
        *("is_writing", "last", "n_back", "n_cells", "n_past", "owner", "parent", "program"),
        *("pending", "seq"),
    )

    def __init__(
        self,
        parent: TokenSequence | None,
        tokens: Sequence[int],
        owner: Any = None,
        program: Any = None,
    ) -> None:
        self.parent, self.owner, self.program = parent, owner, program
        self.pending = list(tokens)
        self.n_back = 0
        if not tokens and parent is not None:
            self.pending = [parent.last]
            self.n_back = 1
        self.last: int = self.pending[-1]
        self.is_writing = False
        self.seq = -1
        self.n_past = 0
        self.n_cells = 0

    @property
    def is_ready(self) -> bool:
        """Whether the parent is decoded, so that this sequence can start."""
        return self.seq >= 0 or self.parent is None or not self.parent.pending

    def write(self, token: int) -> None:
        """Append a generated token."""
        self.pending.append(token)
        self.is_writing = True


class SequenceContext:
    """A llama.cpp context in which sequences are decoded together.

    Args:
        n_ctx: memory cells for all sequences together.
    """

    def __init__(self, model: LlamaModel, n_ctx: int, n_threads: int) -> None:
        lib = self._lib = model.lib
        self._model = model
        self.n_ctx = n_ctx
        self.n_used = 0
        self.is_void = False  # a step was aborted: call `clear` before the next one
        self._free_seqs = list(range(MAX_SEQUENCES - 1, -1, -1))
        # llama.cpp calls a function between two layers to ask whether to stop. It is C's strlen
        # of a text that is empty until then, so no Python code runs and the GIL is not needed.
        self._stop_text = ctypes.create_string_buffer(2)
        params = lib.llama_context_default_params()
        params.n_ctx = n_ctx
        params.n_ubatch = STEP_TOKENS
        params.n_seq_max = params.n_batch = params.n_outputs_max = MAX_SEQUENCES
        params.kv_unified = True
        params.flash_attn_type = 1  # skips the cells of other sequences at little cost
        params.n_threads = params.n_threads_batch = n_threads
        params.no_perf = True
        c_library = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
        params.abort_callback = ctypes.cast(c_library.strlen, lib.ggml_abort_callback)
        params.abort_callback_data = ctypes.cast(self._stop_text, ctypes.c_void_p)
        self._context = lib.llama_init_from_model(model.handle, params)
        if not self._context:
            raise EnvironmentProblem(
                "There is not enough memory to work with {model} in batches.",
                "Close other programs, or use a smaller model.",
                model=model.path.name,
            )
        self.n_vocab = int(lib.llama_vocab_n_tokens(model.vocab))
        self._memory = lib.llama_get_memory(self._context)
        self._batch = lib.llama_batch_init(STEP_TOKENS, 0, 1)

    @property
    def n_free(self) -> int:
        return self.n_ctx - self.n_used

    @property
    def n_free_sequences(self) -> int:
        return len(self._free_seqs)

    def set_threads(self, n_threads: int) -> None:
        self._lib.llama_set_n_threads(self._context, n_threads, n_threads)

    def stop(self) -> None:
        """Abort the running step, from any thread; `allow` permits steps again."""
        self._stop_text[0] = b"\x01"

    def allow(self) -> None:
        self._stop_text[0] = b"\x00"

    def decode(
        self, work: Sequence[tuple[TokenSequence, int]]
    ) -> Iterator[tuple[TokenSequence, np.ndarray]]:
        """Decode pending tokens of each sequence, at most `STEP_TOKENS` together.

        Returns:
            The sequences with an owner and no more pending tokens, with the logits after them:
            float32, shape (n_vocab,), valid until the next step.

        Raises:
            ContextFull: nothing was decoded.
            Stopped: `stop` was called; call `clear`.
        """
        batch, n = self._batch, 0
        asked: list[tuple[int, TokenSequence]] = []
        for sequence, n_take in work:
            if sequence.seq < 0:
                self._start(sequence)
            for i, token in enumerate(sequence.pending[:n_take]):
                batch.token[n] = token
                batch.pos[n] = sequence.n_past + i
                batch.n_seq_id[n] = 1
                batch.seq_id[n][0] = sequence.seq
                batch.logits[n] = 0
                n += 1
            if n_take >= len(sequence.pending) and sequence.owner is not None:
                batch.logits[n - 1] = 1
                asked.append((n - 1, sequence))
        batch.n_tokens = n
        code = self._lib.llama_decode(self._context, batch)
        report_call()
        if code == 1:
            raise ContextFull
        if code:
            self.is_void = True
            if self._stop_text[0] != b"\x00":
                raise Stopped
            raise EnvironmentProblem(
                "The model {model} stopped working (llama.cpp's code {code}).",
                "Try again; if it happens often, use another model.",
                model=self._model.path.name,
                code=code,
            )
        get_logits = self._lib.llama_get_logits_ith
        for sequence, n_take in work:
            n_taken = min(n_take, len(sequence.pending))
            del sequence.pending[:n_taken]
            sequence.n_past += n_taken
            sequence.n_cells += n_taken
            self.n_used += n_taken
        return (
            (sequence, np.ctypeslib.as_array(get_logits(self._context, i), shape=(self.n_vocab,)))
            for i, sequence in asked
        )

    def close(self, sequence: TokenSequence) -> None:
        """Remove the tokens of a sequence; those of its parent stay."""
        sequence.pending.clear()
        if sequence.seq >= 0:
            self._lib.llama_memory_seq_rm(self._memory, sequence.seq, -1, -1)
            self._free_seqs.append(sequence.seq)
            sequence.seq = -1
        self.n_used -= sequence.n_cells
        sequence.n_cells = 0

    def clear(self) -> None:
        """Remove all sequences; none of them may be used again."""
        self._lib.llama_memory_clear(self._memory, True)
        self._free_seqs = list(range(MAX_SEQUENCES - 1, -1, -1))
        self.n_used = 0
        self.is_void = False

    def free(self) -> None:
        if self._context:
            self._lib.llama_batch_free(self._batch)
            self._lib.llama_free(self._context)
            self._context = None

    def _start(self, sequence: TokenSequence) -> None:
        if not self._free_seqs:
            raise ContextFull
        sequence.seq = self._free_seqs.pop()
        if (parent := sequence.parent) is not None:
            sequence.n_past = parent.n_past - sequence.n_back
            self._lib.llama_memory_seq_cp(
                self._memory, parent.seq, sequence.seq, 0, sequence.n_past
            )
