"""Tries a model with one real question, and says how it went.

Owns the question and what counts as a sound answer. Knows nothing of folders or settings.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..errors import said
from ..types import ChatMessage
from .protocols import ChatModel, Embedder, Reranker

_NEAR = ("The clerk copied letters in a cold little room.", "In a chilly office he wrote letters.")
_FAR = "The ship sails to the harbour at high tide with a hold full of oranges."


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How a try went; `tokens_per_s` is of writing for chat, of reading for embedding."""

    ok: bool
    message: str
    seconds: float = 0.0
    tokens_per_s: float = 0.0
    sample: str = ""


def check_chat(model: ChatModel) -> CheckResult:
    """Ask one short question and return how it was answered."""
    ask = ChatMessage("user", "Name three colours of the rainbow in one short sentence.")
    started = time.perf_counter()
    answer = "".join(model.stream([ask], max_tokens=40)).strip()
    seconds = time.perf_counter() - started
    run = getattr(model, "last_run", None)
    rate = run.write_rate if run else model.count_tokens(answer) / max(seconds, 1e-6)
    if not answer:
        return CheckResult(False, said(f"{model.name} answered with nothing."), seconds, rate)
    return CheckResult(
        True, said(f"{model.name} works: {rate:.0f} tokens/s."), seconds, rate, answer
    )


def check_embedder(model: Embedder) -> CheckResult:
    """Embed three sentences and return whether the two near ones are the nearer."""
    started = time.perf_counter()
    rows = model.embed_passages([*_NEAR, _FAR])
    seconds = time.perf_counter() - started
    near, far = float(rows[0] @ rows[1]), float(rows[0] @ rows[2])
    count = getattr(model, "count_tokens", lambda text: len(text) // 4)
    rate = sum(count(text) for text in (*_NEAR, _FAR)) / max(seconds, 1e-6)
    sample = said(f"alike {near:.2f}, unlike {far:.2f}, {model.dim} numbers a passage")
    if near <= far:
        return CheckResult(
            False, said(f"{model.name} can't tell like from unlike."), seconds, rate, sample
        )
    return CheckResult(True, said(f"{model.name} works."), seconds, rate, sample)


def check_reranker(model: Reranker) -> CheckResult:
    """Score three sentences for a question and return whether the two near ones come first."""
    started = time.perf_counter()
    *near, far = model.score("Where did the clerk write letters?", [*_NEAR, _FAR])
    seconds = time.perf_counter() - started
    sample = said(f"near {', '.join(f'{score:.2f}' for score in near)}, far {far:.2f}")
    if min(near) <= far:
        message = said(f"{model.name} can't tell what answers a question.")
        return CheckResult(False, message, seconds, 0.0, sample)
    return CheckResult(True, said(f"{model.name} works."), seconds, 0.0, sample)
