"""What bare llama.cpp needs on this machine, now: the floor that `enrich` is measured against.

Owns a second copy of the model with a context of its own and a loop over llama_decode with
nothing between its steps but the argmax of the logits: prompts alone, lines alone, and both in
one batch, whichever is faster. Knows nothing of scripts or libraries.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.engine.errors import EnvironmentProblem
from desktop_app.engine.llm.llama_library import LlamaModel, default_threads

PROMPT_TOKENS = 768  # read in one go, as deep as an instruction and a passage reach
SHARED_TOKENS = 512  # what the lines being written have in common
STEPS = 8
READ_BATCHES = (256, 512)
WRITE_BATCHES = (16, 32, 48)
MIXED_BATCHES = (128, 256)
FIRST_SHARE = 0.25  # of written tokens, while it is not known yet


@dataclass(slots=True)
class Rate:
    """Tokens and seconds, summed over samples."""

    n: int = 0
    seconds: float = 0.0

    def add(self, n: int, seconds: float) -> None:
        self.n += n
        self.seconds += seconds

    @property
    def per_s(self) -> float:
        return self.n / self.seconds if self.seconds else 0.0


class Floor:
    """Short runs of bare llama.cpp, to be taken before, between and after what is measured.

    The first sample tries several batch sizes; later ones keep the best of each.
    """

    def __init__(self, path: Path, text: str, n_threads: int = 0) -> None:
        self._model = LlamaModel(path)
        self._lib = self._model.lib
        self._tokens = self._model.tokenize(text, add_special=False)[:PROMPT_TOKENS]
        self._context = self._build_context(n_threads or default_threads())
        self._memory = self._lib.llama_get_memory(self._context)
        self._n_vocab = int(self._lib.llama_vocab_n_tokens(self._model.vocab))
        self._batch = self._lib.llama_batch_init(max(READ_BATCHES), 0, 1)
        self._read: dict[int, Rate] = {}
        self._write: dict[int, Rate] = {}
        self._mixed: dict[int, Rate] = {}
        self.seconds = 0.0

    @property
    def prompt_rate(self) -> float:
        return max((rate.per_s for rate in self._read.values()), default=0.0)

    @property
    def write_rate(self) -> float:
        return max((rate.per_s for rate in self._write.values()), default=0.0)

    @property
    def mixed_rate(self) -> float:
        return max((rate.per_s for rate in self._mixed.values()), default=0.0)

    def best_batches(self) -> tuple[int, int, int]:
        """Return the sizes that read, write and do both fastest."""
        return _best(self._read), _best(self._write), _best(self._mixed)

    def sample(self, written_share: float = 0.0) -> None:
        """Measure once; `seconds` sums what that took.

        Args:
            written_share: of all tokens, those that are written, as far as known.
        """
        started = time.perf_counter()
        first = not self._read
        share = written_share or FIRST_SHARE
        for size in READ_BATCHES if first else (_best(self._read),):
            self._read.setdefault(size, Rate()).add(*self._read_prompt(size))
        for size in WRITE_BATCHES if first else (_best(self._write),):
            self._write.setdefault(size, Rate()).add(*self._write_lines(size))
        for size in MIXED_BATCHES if first else (_best(self._mixed),):
            self._mixed.setdefault(size, Rate()).add(*self._mix(size, share))
        if first:  # only the best go on, so that all samples weigh alike
            for rates in (self._read, self._write, self._mixed):
                best = _best(rates)
                for size in [size for size in rates if size != best]:
                    del rates[size]
        self.seconds += time.perf_counter() - started

    def seconds_for(self, n_prompt: int, n_written: int) -> float:
        """Return the time that these many tokens would have taken, the better way."""
        apart = n_prompt / self.prompt_rate + n_written / self.write_rate
        return min(apart, (n_prompt + n_written) / self.mixed_rate)

    def close(self) -> None:
        self._lib.llama_batch_free(self._batch)
        self._lib.llama_free(self._context)
        self._model.close()

    def _read_prompt(self, size: int) -> tuple[int, float]:
        self._lib.llama_memory_clear(self._memory, True)
        started = time.perf_counter()
        for i in range(0, len(self._tokens), size):
            part = self._tokens[i : i + size]
            last = i + len(part) == len(self._tokens)
            self._decode([(t, i + j, 0, last and j == len(part) - 1) for j, t in enumerate(part)])
        return len(self._tokens), time.perf_counter() - started

    def _write_lines(self, n_lines: int) -> tuple[int, float]:
        """Write with many lines that share what the last prompt left in memory."""
        tokens, shared = self._branch(n_lines)
        started = time.perf_counter()
        for step in range(STEPS):
            self._decode([(token, shared + step, i, True) for i, token in enumerate(tokens)])
            tokens = [self._argmax(i) for i in range(n_lines)]
        seconds = time.perf_counter() - started
        self._unbranch(n_lines)
        return n_lines * STEPS, seconds

    def _mix(self, size: int, share: float) -> tuple[int, float]:
        """Write lines and read a further prompt in the same batches of `size` tokens."""
        n_lines = min(max(WRITE_BATCHES), max(1, round(size * share)))
        n_read = size - n_lines
        n_steps = max(1, min(STEPS, len(self._tokens) // n_read))
        tokens, shared = self._branch(n_lines)
        started = time.perf_counter()
        for step in range(n_steps):
            rows = [(token, shared + step, i, True) for i, token in enumerate(tokens)]
            at = step * n_read
            part = self._tokens[at : at + n_read]
            rows += [(token, at + i, n_lines, False) for i, token in enumerate(part)]
            self._decode(rows)
            tokens = [self._argmax(i) for i in range(n_lines)]
        seconds = time.perf_counter() - started
        self._unbranch(n_lines + 1)
        return size * n_steps, seconds

    def _branch(self, n_lines: int) -> tuple[list[int], int]:
        """Let lines go on from the last prompt; return their first tokens and their place."""
        shared = min(SHARED_TOKENS, len(self._tokens) - 1)
        self._lib.llama_memory_seq_rm(self._memory, 0, shared, -1)
        for line in range(1, n_lines):
            self._lib.llama_memory_seq_cp(self._memory, 0, line, 0, shared)
        n_tokens = len(self._tokens)
        return [self._tokens[(shared + line) % n_tokens] for line in range(n_lines)], shared

    def _unbranch(self, n_lines: int) -> None:
        for line in range(1, n_lines):
            self._lib.llama_memory_seq_rm(self._memory, line, -1, -1)

    def _argmax(self, index: int) -> int:
        import numpy as np

        logits = self._lib.llama_get_logits_ith(self._context, index)
        return int(np.ctypeslib.as_array(logits, shape=(self._n_vocab,)).argmax())

    def _decode(self, rows: list[tuple[int, int, int, bool]]) -> None:
        batch = self._batch
        for i, (token, position, line, wanted) in enumerate(rows):
            batch.token[i] = token
            batch.pos[i] = position
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = line
            batch.logits[i] = wanted
        batch.n_tokens = len(rows)
        code = self._lib.llama_decode(self._context, batch)
        if code:
            raise EnvironmentProblem(f"llama.cpp stopped with code {code}.")

    def _build_context(self, n_threads: int) -> Any:
        params = self._lib.llama_context_default_params()
        params.n_ctx = 2 * PROMPT_TOKENS + (STEPS + 1) * max(WRITE_BATCHES)
        params.n_batch = params.n_ubatch = max(READ_BATCHES)
        params.n_seq_max = max(WRITE_BATCHES) + 1
        params.kv_unified = True
        params.n_threads = params.n_threads_batch = n_threads
        context = self._lib.llama_init_from_model(self._model.handle, params)
        if not context:
            raise EnvironmentProblem("There is not enough memory for a second context.")
        return context


def _best(rates: dict[int, Rate]) -> int:
    return max(rates, key=lambda size: rates[size].per_s)
