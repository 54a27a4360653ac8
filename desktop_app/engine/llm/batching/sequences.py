"""Many lines of text in one llama.cpp context, each branching from another.

Owns sequences and the cells of their memory: a strand starts as a copy of its parent (which costs
nothing: the cells are shared), takes in tokens of its own and is closed. Knows nothing of prompts.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...errors import EnvironmentProblem
from ..llama_library import LlamaModel

MAX_SEQUENCES = 256  # llama.cpp knows no more
STEP_TOKENS = 128  # decoded at once: more is hardly faster, fewer is slower (measured)


class ContextFull(Exception):
    """The context's memory is full: something must be closed first."""


class Stopped(Exception):
    """A step was broken off; all strands are void."""


class TokenSequence:
    """A line of tokens; `pending` ones wait to be decoded after the `n_past` that were.

    One without tokens of its own reads its parent's last token once more, so that there are
    logits to take.

    Args:
        owner: takes the logits that follow the last token; None needs none.
        payer: the script whose cost its tokens are.
    """

    __slots__ = (
        *("is_writing", "last", "n_back", "n_cells", "n_past", "owner", "parent", "payer"),
        *("pending", "seq"),
    )

    def __init__(
        self,
        parent: TokenSequence | None,
        tokens: Sequence[int],
        owner: Any = None,
        payer: Any = None,
    ) -> None:
        self.parent, self.owner, self.payer = parent, owner, payer
        self.pending = list(tokens)
        self.n_back = 0
        if not tokens and parent is not None:
            self.pending = [parent.last]
            self.n_back = 1
        self.last = self.pending[-1]
        self.is_writing = False
        self.seq = -1
        self.n_past = 0
        self.n_cells = 0

    @property
    def is_ready(self) -> bool:
        """Say whether its parent was taken in, so that it may start."""
        return self.seq >= 0 or self.parent is None or not self.parent.pending

    def write(self, token: int) -> None:
        """Go on with a token that was chosen by the logits."""
        self.pending.append(token)
        self.is_writing = True


class SequenceContext:
    """A llama.cpp context in which strands are decoded side by side.

    Args:
        n_ctx: cells of memory for all strands together.
    """

    def __init__(self, model: LlamaModel, n_ctx: int, n_threads: int) -> None:
        lib = self._lib = model.lib
        self._model = model
        self.n_ctx = n_ctx
        self.n_used = 0
        self.is_void = False  # a step was broken off: `clear` before the next
        self._free_seqs = list(range(MAX_SEQUENCES - 1, -1, -1))
        # llama.cpp asks between two layers whether to stop. The answer is C's own strlen of a
        # text that is empty until it should: no Python runs, so nothing waits for its lock.
        self._stop_text = ctypes.create_string_buffer(2)
        params = lib.llama_context_default_params()
        params.n_ctx = n_ctx
        params.n_ubatch = STEP_TOKENS
        params.n_seq_max = params.n_batch = params.n_outputs_max = MAX_SEQUENCES
        params.kv_unified = True
        params.flash_attn_type = 1  # passes over the cells of other strands at little cost
        params.n_threads = params.n_threads_batch = n_threads
        params.no_perf = True
        params.abort_callback = ctypes.cast(_c_library().strlen, lib.ggml_abort_callback)
        params.abort_callback_data = ctypes.cast(self._stop_text, ctypes.c_void_p)
        self._context = lib.llama_init_from_model(model.handle, params)
        if not self._context:
            raise EnvironmentProblem(
                f"There is not enough memory to work with {model.path.name} in batches.",
                "Close other programs, or use a smaller model.",
            )
        self.n_vocab = int(lib.llama_vocab_n_tokens(model.vocab))
        self._memory = lib.llama_get_memory(self._context)
        self._batch = lib.llama_batch_init(STEP_TOKENS, 0, 1)

    @property
    def n_free(self) -> int:
        return self.n_ctx - self.n_used

    @property
    def n_free_strands(self) -> int:
        return len(self._free_seqs)

    def set_threads(self, n_threads: int) -> None:
        self._lib.llama_set_n_threads(self._context, n_threads, n_threads)

    def stop(self) -> None:
        """Break off the step that is running, from any thread; `allow` lets steps run again."""
        self._stop_text[0] = b"\x01"

    def allow(self) -> None:
        self._stop_text[0] = b"\x00"

    def decode(
        self, work: Sequence[tuple[TokenSequence, int]]
    ) -> Iterator[tuple[TokenSequence, np.ndarray]]:
        """Take in some pending tokens of each strand, at most `STEP_TOKENS` together.

        Returns:
            The strands that have an owner and nothing pending any more, with the logits that
            follow them: float32, shape (n_vocab,), valid until the next step.

        Raises:
            NoRoom: nothing was taken in.
            Stopped: `stop` was called; call `clear`.
        """
        batch, n = self._batch, 0
        asked: list[tuple[int, TokenSequence]] = []
        for strand, n_take in work:
            if strand.seq < 0:
                self._start(strand)
            for i, token in enumerate(strand.pending[:n_take]):
                batch.token[n] = token
                batch.pos[n] = strand.n_past + i
                batch.n_seq_id[n] = 1
                batch.seq_id[n][0] = strand.seq
                batch.logits[n] = 0
                n += 1
            if n_take >= len(strand.pending) and strand.owner is not None:
                batch.logits[n - 1] = 1
                asked.append((n - 1, strand))
        batch.n_tokens = n
        code = self._lib.llama_decode(self._context, batch)
        if code == 1:
            raise ContextFull
        if code:
            self.is_void = True
            if self._stop_text[0] != b"\x00":
                raise Stopped
            raise EnvironmentProblem(
                f"The model {self._model.path.name} stopped working (llama.cpp's code {code}).",
                "Try again; if it happens often, use another model.",
            )
        for strand, n_take in work:
            n_taken = min(n_take, len(strand.pending))
            del strand.pending[:n_taken]
            strand.n_past += n_taken
            strand.n_cells += n_taken
            self.n_used += n_taken
        return ((strand, self._logits(index)) for index, strand in asked)

    def close(self, strand: TokenSequence) -> None:
        """Forget a strand's own tokens; those of its parent stay."""
        strand.pending.clear()
        if strand.seq >= 0:
            self._lib.llama_memory_seq_rm(self._memory, strand.seq, -1, -1)
            self._free_seqs.append(strand.seq)
            strand.seq = -1
        self.n_used -= strand.n_cells
        strand.n_cells = 0

    def clear(self) -> None:
        """Forget every strand; none of them may be used again."""
        self._lib.llama_memory_clear(self._memory, True)
        self._free_seqs = list(range(MAX_SEQUENCES - 1, -1, -1))
        self.n_used = 0
        self.is_void = False

    def free(self) -> None:
        if self._context:
            self._lib.llama_batch_free(self._batch)
            self._lib.llama_free(self._context)
            self._context = None

    def _start(self, strand: TokenSequence) -> None:
        if not self._free_seqs:
            raise ContextFull
        strand.seq = self._free_seqs.pop()
        if (parent := strand.parent) is not None:
            strand.n_past = parent.n_past - strand.n_back
            self._lib.llama_memory_seq_cp(self._memory, parent.seq, strand.seq, 0, strand.n_past)

    def _logits(self, index: int) -> np.ndarray:
        row = self._lib.llama_get_logits_ith(self._context, index)
        return np.ctypeslib.as_array(row, shape=(self.n_vocab,))


def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
