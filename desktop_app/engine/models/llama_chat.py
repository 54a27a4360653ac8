"""Writes answers with a GGUF chat model through llama.cpp's low-level API.

Owns one context and what it still remembers of the last prompt, so that a follow-up reads only
what is new. Knows nothing of questions, passages or libraries.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import EnvironmentProblem, UserError
from ..progress import CancelToken
from ..types import ChatMessage
from .chat_prompt import CHATML, PLAIN, ChatTemplate
from .llama_native import LlamaModel, default_threads
from .stream_text import TextStream, is_looping

log = logging.getLogger(__name__)

DEFAULT_CTX = 8192
# Read in pieces: at the starter's 100 tokens/s on two cores, stopping then takes 0.6 s at most.
PREFILL_TOKENS = 64
_LOOK_FOR_LOOPS_EVERY = 8
_SEED = 7


@dataclass(frozen=True, slots=True)
class ChatRun:
    """What the last answer cost; `n_reused` prompt tokens were still in memory."""

    n_prompt: int = 0
    n_reused: int = 0
    prompt_s: float = 0.0
    n_written: int = 0
    written_s: float = 0.0
    ended: str = ""

    @property
    def prompt_rate(self) -> float:
        return (self.n_prompt - self.n_reused) / self.prompt_s if self.prompt_s else 0.0

    @property
    def write_rate(self) -> float:
        return self.n_written / self.written_s if self.written_s else 0.0


class LlamaChat:
    """A `ChatModel` over a GGUF file; calls from several threads queue up.

    `last_run` tells what the last answer cost. A stream that is not read to its end must be
    closed (or dropped), for it holds the model.
    """

    def __init__(
        self,
        path: Path,
        *,
        n_ctx: int = 0,
        n_threads: int = 0,
        n_gpu_layers: int = 0,
        name: str = "",
    ) -> None:
        """Load the model.

        Args:
            n_ctx: 0 for 8192, or what the model was trained for if that is less.
            n_threads: 0 for what suits this machine.

        Raises:
            UserError: the file is damaged.
            EnvironmentProblem: it can't be run here.
        """
        self._lock = threading.Lock()
        self._model = LlamaModel(path, n_gpu_layers=n_gpu_layers)
        self._lib = self._model.lib
        self.name = name or path.stem
        trained = self._model.n_ctx_train or DEFAULT_CTX
        self.n_ctx = min(n_ctx or DEFAULT_CTX, trained)
        self.last_run = ChatRun()
        self._seen: list[int] = []
        self._context: Any = None
        try:
            self._context = self._build_context(n_threads or default_threads())
            self._template = self._build_template()
        except Exception:
            self._free()
            raise
        self._memory = self._lib.llama_get_memory(self._context)
        self._batch = self._lib.llama_batch_init(PREFILL_TOKENS, 0, 1)

    def count_tokens(self, text: str) -> int:
        self._check_open()
        return len(self._model.tokenize(text, add_special=False))

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int = 512,
        temperature: float = 0.0,
        cancel: CancelToken | None = None,
    ) -> Iterator[str]:
        """Yield the answer piece by piece, ending early (without raising) when cancelled.

        Raises:
            UserError: the messages don't fit into `n_ctx`.
        """
        self._check_open()
        text = self._template.render(messages)
        prompt = self._model.tokenize(text, add_special=self._adds_bos(text), parse_special=True)
        if len(prompt) >= self.n_ctx:
            raise UserError(
                f"The question and its sources are {len(prompt):,} tokens long; "
                f"the model {self.name} reads {self.n_ctx:,}.",
                "Ask with fewer sources, begin a new chat, or raise the context in Settings.",
            )
        thinking = text.rstrip().endswith("<think>")
        n_most = min(max_tokens, self.n_ctx - len(prompt))
        return self._iter_text(prompt, n_most, temperature, cancel or CancelToken(), thinking)

    def close(self) -> None:
        with self._lock:
            self._free()

    def _iter_text(
        self,
        prompt: list[int],
        n_most: int,
        temperature: float,
        cancel: CancelToken,
        thinking: bool,
    ) -> Iterator[str]:
        with self._turn(cancel) as ours:
            if not ours:
                return
            started = time.perf_counter()
            n_reused = self._rewind(prompt)
            read_all = self._read(prompt[n_reused:], cancel)
            read_at = time.perf_counter()
            self.last_run = ChatRun(len(prompt), n_reused, read_at - started, ended="stopped")
            if not read_all:
                return
            shown = TextStream(thinking=thinking)
            written: list[int] = []
            ended = "stopped"
            sampler = self._build_sampler(temperature)
            try:
                while not cancel.cancelled:
                    token = self._lib.llama_sampler_sample(sampler, self._context, -1)
                    if self._model.ends_turn(token):
                        ended = "finished"
                        break
                    written.append(token)
                    if piece := shown.feed(self._model.get_piece(token)):
                        yield piece
                    if len(written) >= n_most:
                        ended = "long"
                        break
                    if len(written) % _LOOK_FOR_LOOPS_EVERY == 0 and is_looping(written):
                        ended = "loop"
                        break
                    self._decode([token])
                if rest := shown.finish():
                    yield rest
            finally:
                self._lib.llama_sampler_free(sampler)
                took = time.perf_counter() - read_at
                self.last_run = ChatRun(
                    *(len(prompt), n_reused, read_at - started, len(written), took, ended)
                )
                log.debug("%s: %s", self.name, self.last_run)

    @contextmanager
    def _turn(self, cancel: CancelToken) -> Iterator[bool]:
        """Wait for the model; False if cancelled while waiting."""
        while not self._lock.acquire(timeout=0.1):
            if cancel.cancelled:
                yield False
                return
        try:
            self._check_open()
            yield not cancel.cancelled
        finally:
            self._lock.release()

    def _rewind(self, prompt: list[int]) -> int:
        """Forget what differs from `prompt`; return how many of its tokens are still known."""
        # The last token is always read anew, since its logits are needed.
        n_most = min(len(self._seen), len(prompt) - 1)
        n = 0
        while n < n_most and self._seen[n] == prompt[n]:
            n += 1
        if not self._lib.llama_memory_seq_rm(self._memory, 0, n, -1):
            # Models with a running state (Mamba) can't forget half of it.
            self._lib.llama_memory_clear(self._memory, True)
            n = 0
        del self._seen[n:]
        return n

    def _read(self, tokens: list[int], cancel: CancelToken) -> bool:
        """Take in a prompt; False if stopped meanwhile (what was read stays of use)."""
        for i in range(0, len(tokens), PREFILL_TOKENS):
            if cancel.cancelled:
                return False
            self._decode(tokens[i : i + PREFILL_TOKENS])
        return not cancel.cancelled

    def _decode(self, tokens: list[int]) -> None:
        """Run tokens through the model; only the last one's logits are made."""
        batch = self._batch
        n_seen = len(self._seen)
        for i, token in enumerate(tokens):
            batch.token[i] = token
            batch.pos[i] = n_seen + i
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = 0
            batch.logits[i] = i == len(tokens) - 1
        batch.n_tokens = len(tokens)
        code = self._lib.llama_decode(self._context, batch)
        if code:
            self._lib.llama_memory_clear(self._memory, True)
            self._seen.clear()
            raise EnvironmentProblem(
                f"The model {self.name} stopped working (llama.cpp's code {code}).",
                "Ask again; if it happens often, use a smaller context or another model.",
            )
        self._seen.extend(tokens)

    def _build_sampler(self, temperature: float) -> Any:
        lib = self._lib
        chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
        if temperature <= 0:
            lib.llama_sampler_chain_add(chain, lib.llama_sampler_init_greedy())
            return chain
        lib.llama_sampler_chain_add(chain, lib.llama_sampler_init_top_k(40))
        lib.llama_sampler_chain_add(chain, lib.llama_sampler_init_top_p(0.95, 1))
        lib.llama_sampler_chain_add(chain, lib.llama_sampler_init_min_p(0.05, 1))
        lib.llama_sampler_chain_add(chain, lib.llama_sampler_init_temp(temperature))
        lib.llama_sampler_chain_add(chain, lib.llama_sampler_init_dist(_SEED))
        return chain

    def _build_context(self, n_threads: int) -> Any:
        params = self._lib.llama_context_default_params()
        params.n_ctx = self.n_ctx
        params.n_batch = params.n_ubatch = PREFILL_TOKENS
        params.n_threads = params.n_threads_batch = n_threads
        context = self._lib.llama_init_from_model(self._model.handle, params)
        if not context:
            raise EnvironmentProblem(
                f"There is not enough memory for {self.name} with {self.n_ctx:,} tokens.",
                "Close other programs, lower the context in Settings, or use a smaller model.",
            )
        return context

    def _build_template(self) -> ChatTemplate:
        source = self._model.header.fields.get("tokenizer.chat_template")
        if not source:
            ends = self._model.tokenize("<|im_end|>", add_special=False, parse_special=True)
            source = CHATML if len(ends) == 1 else PLAIN
        return ChatTemplate(source, bos=self._special("bos"), eos=self._special("eos"))

    def _special(self, kind: str) -> str:
        token = getattr(self._lib, f"llama_vocab_{kind}")(self._model.vocab)
        if token < 0:
            return ""
        return self._model.get_piece(token, special=True).decode("utf-8", "replace")

    def _adds_bos(self, text: str) -> bool:
        """Say whether the tokenizer should add its start mark: not if the template did."""
        bos = self._special("bos")
        return not (bos and text.startswith(bos))

    def _check_open(self) -> None:
        if not self._context:
            raise EnvironmentProblem(f"The model {self.name} was closed meanwhile.", "Try again.")

    def _free(self) -> None:
        if self._context:
            self._lib.llama_batch_free(self._batch)
            self._lib.llama_free(self._context)
            self._context = None
        self._model.close()
