"""What of the passages found would stand in an answer's context, for benchmarks of finding.

Fills a budget of tokens the way answering does. The one place to point at another way of filling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from desktop_app.engine.answering.context import choose_passages
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.model import Passage
from desktop_app.engine.text.chunking import load_tiktoken_counter


def find_counter(registry: ModelRegistry) -> Callable[[str], int]:
    """Return the chat model's token counter, or tiktoken's where no model is installed."""
    model = registry.find_chat()
    return model.count_tokens if model is not None else load_tiktoken_counter()


def fill_context(
    passages: Sequence[Passage], budget: int, count_tokens: Callable[[str], int]
) -> list[Passage]:
    """Return the parts of the best passages that fit into `budget` tokens."""
    return choose_passages(passages, budget, count_tokens)
