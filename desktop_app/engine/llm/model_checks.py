"""Tries an open model with one small task of its role, and says how that went.

What a model writes is not judged here; the user sees it. Knows nothing of files and processes:
whether a model can be loaded at all is found by `trial`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..messages import Message
from ..model import ChatMessage
from .protocols import ChatModel, VisionModel

if TYPE_CHECKING:  # imported when a model is opened: after the window is shown
    from .hosted_models import HostedEmbedder, HostedReranker

_NEAR = ("The clerk copied letters in a cold little room.", "In a chilly office he wrote letters.")
_FAR = "The ship sails to the harbour at high tide with a hold full of oranges."


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How a try went; `tokens_per_s` is of writing for chat, of reading for embedding."""

    ok: bool
    message: Message
    seconds: float = 0.0
    tokens_per_s: float = 0.0
    sample: str | Message = ""  # an answer of a chat model, or what another model found


def check_chat(model: ChatModel) -> CheckResult:
    """Ask one short question and return how it was answered."""
    ask = ChatMessage("user", "Name three colours of the rainbow in one short sentence.")
    started = time.perf_counter()
    answer = "".join(model.stream([ask], max_tokens=40)).strip()
    seconds = time.perf_counter() - started
    rate = model.last_run.write_rate
    if not answer:
        return CheckResult(
            False, Message("{name} gave an empty answer.", name=model.name), seconds, rate
        )
    return CheckResult(
        True,
        Message("{name} works: {rate:.0f} tokens/s.", name=model.name, rate=rate),
        seconds,
        rate,
        answer,
    )


def check_embedder(model: HostedEmbedder) -> CheckResult:
    """Embed three sentences and return whether the two near ones are the nearer."""
    started = time.perf_counter()
    rows = model.embed_passages([*_NEAR, _FAR])
    seconds = time.perf_counter() - started
    near, far = float(rows[0] @ rows[1]), float(rows[0] @ rows[2])
    rate = sum(model.count_tokens(text) for text in (*_NEAR, _FAR)) / max(seconds, 1e-6)
    sample = Message(
        "similar {near:.2f}, different {far:.2f}, {dim} dimensions",
        near=near,
        far=far,
        dim=model.dim,
    )
    if near <= far:
        return CheckResult(
            False,
            Message(
                "{name} does not distinguish similar texts from different ones.", name=model.name
            ),
            seconds,
            rate,
            sample,
        )
    return CheckResult(True, Message("{name} works.", name=model.name), seconds, rate, sample)


def check_reranker(model: HostedReranker) -> CheckResult:
    """Score three sentences for a question and return whether the two near ones come first."""
    started = time.perf_counter()
    *near, far = model.score("Where did the clerk write letters?", [*_NEAR, _FAR])
    seconds = time.perf_counter() - started
    sample = Message(
        "similar {scores}, different {far:.2f}",
        scores=", ".join(f"{score:.2f}" for score in near),
        far=far,
    )
    if min(near) <= far:
        message = Message("{name} does not rank the answers to a question first.", name=model.name)
        return CheckResult(False, message, seconds, 0.0, sample)
    return CheckResult(True, Message("{name} works.", name=model.name), seconds, 0.0, sample)


_TEST_SIDE = 224  # pixels


def check_vision(model: VisionModel) -> CheckResult:
    """Let a red square on white be described, and return what was written."""
    import numpy as np

    picture = np.full((_TEST_SIDE, _TEST_SIDE, 3), 255, np.uint8)
    picture[64:160, 64:160] = (200, 30, 30)
    ask = ChatMessage("user", "What is in the picture? Answer in one short sentence.")
    side = _TEST_SIDE
    started = time.perf_counter()
    found = model.describe([ask], picture.tobytes(), side, side, max_tokens=40)
    seconds = time.perf_counter() - started
    if not (answer := found.text.strip()):
        empty = Message("{name} gave an empty answer.", name=model.name)
        return CheckResult(False, empty, seconds)
    works = Message(
        "{name} works. Compare what it wrote: the picture has a red square on white.",
        name=model.name,
    )
    return CheckResult(True, works, seconds, sample=answer)


CHECKS: dict[str, Callable[[Any], CheckResult]] = {
    "embedding": check_embedder,
    "reranker": check_reranker,
    "chat": check_chat,
    "vision": check_vision,
}
"""How a model of each role is tried; the argument is the open model."""
