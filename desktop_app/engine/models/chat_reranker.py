"""Scores passages for a question by how likely a chat model says yes to them; nothing is written.

Slow on a computer without a graphics card (a passage takes as long as reading it), so nobody gets
this unasked. Does not own the chat model.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..types import ChatMessage
from .protocols import ChatModel

CHAT_RERANKER = "chat-model"  # what is chosen in the place of a reranker's name
_ASK = (
    "Does the passage help to answer the question? Answer yes or no.\n\n"
    "Passage: {text}\n\nQuestion: {question}"
)
_ASK_ZH = "这段文字有助于回答问题吗？请答“是”或“否”。\n\n文字：{text}\n\n问题：{question}"
_LONGEST = 1600  # characters of a passage


class ChatReranker:
    """A `Reranker` over a chat model that is loaded anyway."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.name = CHAT_RERANKER

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [self._score(question, text[:_LONGEST]) for text in texts]

    def _score(self, question: str, text: str) -> float:
        is_chinese = any("\u4e00" <= c <= "\u9fff" for c in question)
        ask = (_ASK_ZH if is_chinese else _ASK).format(text=text, question=question)
        options = ("是", "否") if is_chinese else ("Yes", "No")
        choice = self._model.choose([ChatMessage("user", ask)], [""], options)[0]
        yes, no = choice.logprobs
        return 1.0 / (1.0 + math.exp(min(50.0, max(-50.0, no - yes))))

    def close(self) -> None:
        """Leave the chat model to its owner."""
