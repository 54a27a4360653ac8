"""Asks a chat model whether the members of a cluster are one: a column more, never the judge."""

from __future__ import annotations

from dataclasses import replace

from ..asks import share_out
from ..models.protocols import ChatModel
from ..progress import CancelToken
from ..prompting import load_prompt
from ..types import ChatMessage
from .duplicate_clusters import DuplicateCluster, DuplicateMember

_MAX_CHARS = 1200  # of the sentences of two members


def ask_model(
    found: DuplicateCluster, model: ChatModel, cancel: CancelToken | None = None
) -> DuplicateCluster:
    """Return the cluster with the model's mean probability of "yes" over its first member's pairs.

    Args:
        found: with its sentences (`Duplicates.fetch_evidence`); without, the names alone speak.

    Raises:
        Cancelled: the token was set.
    """
    first, others = found.members[0], found.members[1:]
    chances = [_ask(first, other, model, cancel) for other in others]
    return replace(found, asked=round(sum(chances) / max(1, len(chances)), 4))


def _ask(
    one: DuplicateMember, other: DuplicateMember, model: ChatModel, cancel: CancelToken | None
) -> float:
    chinese = any("\u3400" <= char <= "\u9fff" for char in one.entity.name)
    language = "zh" if chinese else "en"
    sentences = [" ".join(m.sentence.split()) for m in (*one.sentences, *other.sentences)]
    room = _MAX_CHARS // max(1, len(sentences))
    messages = (
        ChatMessage("system", load_prompt("duplicates", language)),
        ChatMessage("user", "\n".join(sentence[:room] for sentence in sentences) or "-"),
    )
    names = [(one.entity.name, other.entity.name), (other.entity.name, one.entity.name)]
    line = "{}和{}是同一个：" if chinese else "{} and {} are one and the same:"
    options = ("是", "否") if chinese else (" yes", " no")
    # Both orders, because models lean to the name they read last.
    lines = [line.format(*pair) for pair in names]
    choices = model.choose(messages, lines, options, cancel=cancel)
    return sum(share_out(choice.logprobs)[0] for choice in choices) / len(choices)
