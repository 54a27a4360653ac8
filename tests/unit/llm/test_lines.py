"""Tests sampling from logits: probabilities, and the next token that a guard allows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from desktop_app.engine.llm.batching.lines import N_TRIED, Pick, log_sum, pick_token

PIECES = [b"<end>", b"", b"a", b"b", b"ab", b" a"]


class Allowed:
    """A guard that accepts some tokens and records what it was offered."""

    def __init__(self, *pieces: bytes, may_end: bool = False) -> None:
        self.pieces, self.may_end, self.must_end = pieces, may_end, False
        self.offered: list[bytes] = []
        self.taken = b""

    def take(self, piece: bytes) -> bool:
        self.offered.append(piece)
        if piece not in self.pieces:
            return False
        self.taken += piece
        return True


def row(*logits: float) -> np.ndarray:
    return np.array(logits, dtype=np.float32)


def pick(logits: np.ndarray, guard: Allowed | None = None) -> Pick:
    return pick_token(logits, guard, PIECES.__getitem__, lambda token: token == 0)


def test_log_sum_exp_normalises_any_logits():
    rng = np.random.default_rng(3)
    for scale, shift in ((1, 0), (20, 500), (0.01, -3000)):
        logits = (rng.normal(size=150_000) * scale + shift).astype(np.float32)
        kept = logits.copy()
        probabilities = np.exp(logits.astype(np.float64) - log_sum(logits))
        assert probabilities.sum() == pytest.approx(1.0, abs=1e-3)
        assert (logits == kept).all()
    assert log_sum(row(-np.inf, 2.0)) == pytest.approx(2.0)


def test_without_a_guard_the_most_likely_token_is_chosen():
    picked = pick(row(0, 0, 5, 1, 1, 1))
    assert (picked.token, picked.piece) == (2, b"a")
    assert picked.logprob == pytest.approx(5 - math.log(math.exp(5) + 2 + 3 * math.e), abs=1e-4)


def test_the_end_of_turn_token_ends_a_complete_line():
    logits = row(9, 0, 5, 1, 1, 1)
    assert pick(logits).token is None
    assert pick(logits, Allowed(b"a", may_end=True)).token is None


def test_an_incomplete_line_continues_with_the_next_best_token():
    guard = Allowed(b"b", b" a")
    picked = pick(row(9, 8, 7, 5, 6, 4), guard)
    assert (picked.token, guard.taken) == (3, b"b")
    # Tried in order, each once; special tokens without bytes are never offered.
    assert guard.offered == [b"a", b"ab", b"b"]


def test_a_guard_advances_once_per_token():
    guard = Allowed(b"a", b"b", b"ab")
    pick(row(0, 0, 5, 4, 3, 2), guard)
    assert guard.taken == b"a"


def test_a_guard_that_refuses_every_token_ends_the_line():
    logits = np.arange(1000, dtype=np.float32)
    guard = Allowed()
    picked = pick_token(logits, guard, lambda token: b"x", lambda token: False)
    assert picked == Pick(None)
    assert len(guard.offered) == N_TRIED
    assert pick(row(1, 2, 3, 4, 5, 6), Allowed()).token is None
