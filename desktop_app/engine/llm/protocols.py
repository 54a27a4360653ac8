"""What the engine asks of a model, whatever runs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import numpy as np

from ..model import ChatMessage
from ..progress import CancelToken
from ..prompt_program import Choice, FindCall, ProgramResult, PromptProgram


class Embedder(Protocol):
    """Turns text into vectors of length 1, so that the dot product is the cosine.

    Safe to call from several threads; calls queue up. Texts longer than the model reads are cut.
    """

    name: str
    dim: int

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return one row a text, float32, shape (N, D); N may be 0."""

    def embed_query(self, text: str) -> np.ndarray:
        """Return the question's vector, float32, shape (D,)."""

    def close(self) -> None: ...


class ChatModel(Protocol):
    """Writes text. One caller at a time: calls from several threads queue up."""

    name: str
    n_ctx: int

    def count_tokens(self, text: str) -> int: ...

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

    def run_scripts(
        self,
        scripts: Iterable[PromptProgram],
        *,
        find_call: FindCall | None = None,
        cancel: CancelToken | None = None,
        n_threads: int = 0,
    ) -> Iterator[ProgramResult]:
        """Run many scripts side by side; yield each as it ends, not in order.

        `scripts` is read lazily: the next one is taken when there is room for it, so that its
        order may change until then. Ends early (without raising) when cancelled; a script that
        fails or does not fit gives a `ScriptRun` with an error. `n_threads` 0 takes the model's.
        """

    def choose(
        self,
        messages: Sequence[ChatMessage],
        lines: Sequence[str],
        options: Sequence[str],
        *,
        cancel: CancelToken | None = None,
    ) -> list[Choice]:
        """Return, for every line the assistant might begin with, how likely each option is.

        Nothing is written: the probabilities are read. Use it for questions with few answers:
        the kind of a relation, whether two names are one, whether a text has the answer.

        Raises:
            UserError: the messages don't fit into `n_ctx`.
            Cancelled: the token was set.
        """

    def close(self) -> None: ...


class Reranker(Protocol):
    """Says how well passages answer a question, reading both together."""

    name: str

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return 0 to 1 a text, in their order. Texts longer than the model reads are cut."""

    def close(self) -> None: ...


class TokenCounter(Protocol):
    """Counts tokens the way some model does."""

    def __call__(self, text: str) -> int: ...
