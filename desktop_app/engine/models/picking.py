"""What a row of logits says: probabilities of options, and the next token a guard allows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..asks import GuardState

N_TRIED = 256  # a guard that refuses this many of the likeliest tokens ends the line


@dataclass(frozen=True, slots=True)
class Pick:
    """The next token, None where the line ends; `logprob` is its natural logarithm."""

    token: int | None
    piece: bytes = b""
    logprob: float = 0.0


def log_sum(logits: np.ndarray) -> float:
    """Return log(sum(exp(logits))), the number that turns logits into log-probabilities."""
    top = float(logits.max())
    less = logits - top
    return top + math.log(float(np.exp(less, out=less).sum()))


def pick_token(
    logits: np.ndarray,
    guard: GuardState | None,
    get_piece: Callable[[int], bytes],
    ends_turn: Callable[[int], bool],
) -> Pick:
    """Return the likeliest token that the guard takes; the guard has then moved on.

    The likeliest token is tried first, and the rest is sorted only when it is refused: nearly
    always one look is enough, so that a guard costs next to nothing.
    """
    total = log_sum(logits)
    best = int(logits.argmax())
    if (picked := _try(best, logits, total, guard, get_piece, ends_turn)) is not None:
        return picked
    n = min(N_TRIED, len(logits))
    likeliest = np.argpartition(logits, -n)[-n:]
    for token in likeliest[np.argsort(-logits[likeliest], kind="stable")].tolist():
        if token == best:
            continue
        if (picked := _try(token, logits, total, guard, get_piece, ends_turn)) is not None:
            return picked
    return Pick(None)


def _try(
    token: int,
    logits: np.ndarray,
    total: float,
    guard: GuardState | None,
    get_piece: Callable[[int], bytes],
    ends_turn: Callable[[int], bool],
) -> Pick | None:
    if ends_turn(token):
        return Pick(None) if guard is None or guard.may_end else None
    piece = get_piece(token)
    if guard is not None and not (piece and guard.take(piece)):
        return None
    return Pick(token, piece, float(logits[token]) - total)
