"""What the engine asks of a model, whatever runs it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from ..progress import CancelToken
from ..types import ChatMessage


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

    def close(self) -> None: ...


class TokenCounter(Protocol):
    """Counts tokens the way some model does."""

    def __call__(self, text: str) -> int: ...
