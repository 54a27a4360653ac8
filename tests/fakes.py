"""A chat model and an embedder for tests: no files, no waiting, the same result every time.

Both fulfil the protocols of `engine.models.protocols`.
"""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Iterator, Sequence

import numpy as np

from desktop_app.engine.errors import UserError
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.types import ChatMessage

_WORD = re.compile(r"\w+", re.UNICODE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class HashEmbedder:
    """Hashes words, word starts and CJK character pairs: texts with shared words are near."""

    def __init__(self, dim: int = 256, name: str = "hash-embedder") -> None:
        self.name = name
        self.dim = dim
        self.n_texts = 0
        self.closed = False

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        self.n_texts += len(texts)
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self._embed(text)
        return rows

    def embed_query(self, text: str) -> np.ndarray:
        return self._embed(text)

    def close(self) -> None:
        self.closed = True

    def _embed(self, text: str) -> np.ndarray:
        row = np.zeros(self.dim, dtype=np.float32)
        for feature, weight in _iter_features(text):
            code = zlib.crc32(feature.encode("utf-8", "replace"))
            row[code % self.dim] += weight if code >> 31 else -weight
        norm = float(np.linalg.norm(row))
        if norm == 0.0:
            row[0] = norm = 1.0
        return row / np.float32(norm)


def _iter_features(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text.lower()):
        if _CJK.search(word):
            yield from (("c:" + char, 0.5) for char in word)
            yield from (("b:" + word[i : i + 2], 1.0) for i in range(len(word) - 1))
        else:
            # Longer words carry more of the meaning than "the" and "of".
            weight = min(len(word), 8) / 4
            yield "w:" + word, weight
            yield "p:" + word[:5], weight / 2


class ScriptedChatModel:
    """Says what it was given, in order; then the last answer again. Remembers what it was asked.

    Args:
        answers: texts to give, one a call; a word at a time.
        wait: if set, each piece waits for it, so that a test can stop an answer half-way.
    """

    def __init__(
        self,
        answers: Sequence[str] = ("I do not know.",),
        *,
        name: str = "scripted",
        n_ctx: int = 8192,
        wait: threading.Event | None = None,
    ) -> None:
        self.name = name
        self.n_ctx = n_ctx
        self.answers = list(answers)
        self.wait = wait
        self.asked: list[tuple[ChatMessage, ...]] = []
        self.closed = False
        self._lock = threading.Lock()

    def count_tokens(self, text: str) -> int:
        return len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff]|\w+|[^\w\s]", text))

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int = 512,
        temperature: float = 0.0,
        cancel: CancelToken | None = None,
    ) -> Iterator[str]:
        n_prompt = sum(self.count_tokens(message.text) for message in messages)
        if n_prompt >= self.n_ctx:
            raise UserError(f"The question is too long: {n_prompt} of {self.n_ctx} tokens.")
        with self._lock:
            self.asked.append(tuple(messages))
            answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        return self._iter_pieces(answer, max_tokens, cancel)

    def close(self) -> None:
        self.closed = True

    def _iter_pieces(
        self, answer: str, max_tokens: int, cancel: CancelToken | None
    ) -> Iterator[str]:
        for piece in re.findall(r"\S+\s*|\s+", answer)[:max_tokens]:
            if self.wait is not None:
                self.wait.wait(5)
            if cancel is not None and cancel.cancelled:
                return
            yield piece
