"""One llama.cpp context for one conversation: reads a prompt, writes token after token.

Owns what is still in memory of the last prompt, so that a follow-up reads only what is new.
"""

from __future__ import annotations

from typing import Any

from ..errors import EnvironmentProblem
from ..progress import CancelToken
from .llama_native import LlamaModel

# Read in pieces: at the starter's 100 tokens/s on two cores, stopping then takes 0.6 s at most.
PREFILL_TOKENS = 64
_SEED = 7


class ChatContext:
    """The memory of a conversation; `seen` are the tokens in it."""

    def __init__(self, model: LlamaModel, name: str, n_ctx: int, n_threads: int) -> None:
        self._lib, self._name = model.lib, name
        self.seen: list[int] = []
        params = self._lib.llama_context_default_params()
        params.n_ctx = n_ctx
        params.n_batch = params.n_ubatch = PREFILL_TOKENS
        params.n_threads = params.n_threads_batch = n_threads
        self._context = self._lib.llama_init_from_model(model.handle, params)
        if not self._context:
            raise EnvironmentProblem(
                f"There is not enough memory for {name} with {n_ctx:,} tokens.",
                "Close other programs, lower the context in Settings, or use a smaller model.",
            )
        self._memory = self._lib.llama_get_memory(self._context)
        self._batch = self._lib.llama_batch_init(PREFILL_TOKENS, 0, 1)

    def rewind(self, prompt: list[int]) -> int:
        """Forget what differs from `prompt`; return how many of its tokens are still known."""
        # The last token is always read anew, since its logits are needed.
        n_most = min(len(self.seen), len(prompt) - 1)
        n = 0
        while n < n_most and self.seen[n] == prompt[n]:
            n += 1
        if not self._lib.llama_memory_seq_rm(self._memory, 0, n, -1):
            # Models with a running state (Mamba) can't forget half of it.
            self._lib.llama_memory_clear(self._memory, True)
            n = 0
        del self.seen[n:]
        return n

    def read(self, tokens: list[int], cancel: CancelToken) -> bool:
        """Take in a prompt; False if stopped meanwhile (what was read stays of use)."""
        for i in range(0, len(tokens), PREFILL_TOKENS):
            if cancel.cancelled:
                return False
            self.decode(tokens[i : i + PREFILL_TOKENS])
        return not cancel.cancelled

    def decode(self, tokens: list[int]) -> None:
        """Run tokens through the model; only the last one's logits are made."""
        batch = self._batch
        n_seen = len(self.seen)
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
            self.seen.clear()
            raise EnvironmentProblem(
                f"The model {self._name} stopped working (llama.cpp's code {code}).",
                "Ask again; if it happens often, use a smaller context or another model.",
            )
        self.seen.extend(tokens)

    def sample(self, sampler: Any) -> int:
        """Return the next token."""
        return int(self._lib.llama_sampler_sample(sampler, self._context, -1))

    def build_sampler(self, temperature: float) -> Any:
        """Return a new sampler; free it with `free_sampler`."""
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

    def free_sampler(self, sampler: Any) -> None:
        self._lib.llama_sampler_free(sampler)

    def free(self) -> None:
        if self._context:
            self._lib.llama_batch_free(self._batch)
            self._lib.llama_free(self._context)
            self._context = None
