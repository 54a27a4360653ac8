"""Intervals and paired comparisons of measures: how much of a difference may be chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from ...messages import Message
from .measures import HIGHER, LOWER, NEITHER, Measure
from .model import EvaluationRun

N_SAMPLES = 2000  # of the bootstrap; the ends of its interval then vary by less than 0.01
SEED = 7
CHANCE = 0.05  # two-sided: a difference as large comes by chance in one of twenty comparisons
SAME = {"share": 1e-9, "s": 0.5, "tokens": 0.0}  # times vary by this much from run to run


@dataclass(frozen=True, slots=True)
class Summary:
    """A measure over the questions of one column.

    Attributes:
        value: the mean; of times and tokens the median.
        low, high: the 95 % interval of `value`; equal to it with fewer than two questions.
        p95: the 95 % quantile of times and tokens, 0 for shares.
        n: questions that have the measure.
    """

    value: float
    low: float
    high: float
    n: int
    p95: float = 0.0


@dataclass(frozen=True, slots=True)
class ColumnComparison:
    """One column against another one, over the questions that both have.

    Attributes:
        difference: mean of the first minus the second, with its 95 % interval.
        p: probability of a split of better and worse at least as uneven, if both were equal.
    """

    measure: Measure
    n_better: int
    n_worse: int
    n_equal: int
    difference: float
    low: float
    high: float
    p: float

    @property
    def n(self) -> int:
        return self.n_better + self.n_worse + self.n_equal

    @property
    def is_chance(self) -> bool:
        """Whether the difference may be chance."""
        return self.p >= CHANCE

    @property
    def verdict(self) -> Message:
        """What the numbers allow to say, in one sentence."""
        counts = Message(
            "better in {better}, worse in {worse}, equal in {equal} of {n} questions",
            better=self.n_better,
            worse=self.n_worse,
            equal=self.n_equal,
            n=self.n,
        )
        if not self.n_better and not self.n_worse:
            return Message("{counts}: no difference", counts=counts)
        return _describe_chance(counts, self.p)


def _describe_chance(counts: Message, p: float) -> Message:
    """Return the counts with what follows from the p-value of their sign test."""
    if p >= CHANCE:
        return Message("{counts}: this may be chance (p = {p:.2f})", counts=counts, p=p)
    return Message("{counts}: this is hardly chance (p = {p:.3f})", counts=counts, p=max(p, 0.001))


def summarise(values: Sequence[float], measure: Measure) -> Summary:
    """Return the mean or median of a measure with its bootstrapped interval.

    Percentile bootstrap over questions (Efron and Tibshirani 1993, chapter 13).

    Args:
        values: shape (N,), N at least 1.
    """
    array = np.asarray(values, dtype=float)
    is_share = measure.unit == "share"
    value = float(array.mean() if is_share else np.median(array))
    low, high = _bootstrap(array, is_share)
    p95 = 0.0 if is_share else float(np.quantile(array, 0.95))
    return Summary(value, low, high, len(array), p95)


def compare(
    first: Mapping[int, float], second: Mapping[int, float], measure: Measure
) -> ColumnComparison | None:
    """Return how two columns differ in a measure, None if no question has it in both.

    The sign test (Dixon and Mood 1946): of questions with a difference, how likely is a split as
    uneven if better and worse were equally likely. It needs no assumption about the values, and of
    20 questions with 3 better and 1 worse it says that nothing follows.

    Args:
        first, second: question -> value.
    """
    common = sorted(first.keys() & second.keys())
    if not common or measure.better == NEITHER:
        return None
    sign = HIGHER if measure.better == HIGHER else LOWER
    deltas = np.array([first[q] - second[q] for q in common]) * sign
    same = SAME[measure.unit]
    n_better, n_worse = int((deltas > same).sum()), int((deltas < -same).sum())
    low, high = _bootstrap(deltas * sign, True)
    return ColumnComparison(
        measure,
        n_better,
        n_worse,
        len(common) - n_better - n_worse,
        float((deltas * sign).mean()),
        low,
        high,
        sign_test(n_better, n_worse),
    )


def sign_test(n_better: int, n_worse: int) -> float:
    """Return the two-sided p-value of the exact sign test; 1 without any difference."""
    n, k = n_better + n_worse, min(n_better, n_worse)
    # 2**n is no float beyond n = 1023; integers have no limit.
    tail = sum(comb(n, i) for i in range(k + 1))
    return min(1.0, 2 * tail / 2**n) if n else 1.0


def _bootstrap(values: np.ndarray, is_mean: bool) -> tuple[float, float]:
    """Return the 95 % interval of the mean or the median.

    Args:
        values: shape (N,).
    """
    if len(values) < 2:
        return float(values[0]), float(values[0])
    rng = np.random.default_rng(SEED)
    # As many samples at once as fit into 8 MB: all of 20,000 questions would need 320 MB.
    n_at_once = max(1, 1_000_000 // len(values))
    made = np.empty(N_SAMPLES)
    for first in range(0, N_SAMPLES, n_at_once):
        n = min(n_at_once, N_SAMPLES - first)
        drawn = values[rng.integers(0, len(values), (n, len(values)))]
        made[first : first + n] = drawn.mean(axis=1) if is_mean else np.median(drawn, axis=1)
    low, high = np.quantile(made, (0.025, 0.975))
    return float(low), float(high)


# --- two answers beside each other ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WinRate:
    """How often a model preferred one column to another in one criterion.

    `n_ties` are the questions in which it chose by order; `p` is that of the sign test.
    """

    criterion: str
    n_wins: int
    n_losses: int
    n_ties: int

    @property
    def p(self) -> float:
        return sign_test(self.n_wins, self.n_losses)

    @property
    def verdict(self) -> Message:
        counts = Message(
            "{wins} wins, {losses} losses, {ties} ties",
            wins=self.n_wins,
            losses=self.n_losses,
            ties=self.n_ties,
        )
        return _describe_chance(counts, self.p)


def count_wins(run: EvaluationRun, first: int, second: int, judge: str) -> list[WinRate]:
    """Return the win rates of a run's column over another one, by criterion."""
    counts: dict[str, list[int]] = {}
    for one in run.judgements:
        if one.judge != judge or {one.column, one.other} != {first, second}:
            continue
        sign = 1 if one.column == first else -1
        for criterion, value in one.values.items():
            counts.setdefault(criterion, []).append(int(value) * sign)
    return [
        WinRate(criterion, found.count(1), found.count(-1), found.count(0))
        for criterion, found in counts.items()
    ]
