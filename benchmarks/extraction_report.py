"""One strategy's result on a set of texts, and the tables in which several are told side by side.

Owns what is printed and which figures go into the last line. Runs and scores nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .extraction_gold import PairDocument
from .extraction_scores import Ranked, precision_at_recall, score_pairs

_SHOWN = (
    *("precision", "recall", "f1", "average_precision"),
    *("equal_recall", "precision_at_equal_recall", "instant_at_equal_recall"),
)
_TITLES = "".join(
    f"{title:>9}"
    for title in ("claimed", "right", "P", "R", "F1", "AP", "equal R", "P there", "instant")
)


@dataclass(slots=True)
class Run:
    """One strategy's result on one set of texts."""

    name: str
    seconds: float = 0.0
    chars_per_s: float = 0.0
    n_failed: int = 0
    figures: dict[str, Any] = field(default_factory=dict)
    judged: dict[str, list[Ranked]] = field(default_factory=dict)


def report_pairs(runs: Sequence[Run], documents: Sequence[PairDocument]) -> dict[str, Any]:
    """Print precision and recall of pairs, by half; return them by strategy.

    "At equal recall" compares a strategy with the instant graph where both get to: each keeps its
    surest pairs up to the lesser of their two recalls.
    """
    report: dict[str, Any] = {run.name: {} for run in runs}
    instant = next((run for run in runs if run.name == "instant"), None)
    n_outside = sum(document.gold.n_outside_pairs for document in documents)
    for half in ("tune", "report", "all"):
        chosen = [d for d in documents if half in (d.half, "all")]
        n_gold = sum(len(document.gold.pairs) for document in chosen)
        print(f"\nRe-DocRED pairs, {half}: {len(chosen)} documents, {n_gold} pairs of names")
        print(f"{'':16}{_TITLES}")
        for run in runs:
            figures: dict[str, Any] = {**score_pairs(run.judged[half], n_gold).figures()}
            figures |= _compare(run.judged[half], instant.judged[half] if instant else (), n_gold)
            cells = [f"{figures['claimed']:>9}", f"{figures['right']:>9}"]
            cells += [f"{figures[key]:>9.3f}" for key in _SHOWN]
            print(f"{run.name:16}{''.join(cells)}")
            if half == "all":
                stated = score_pairs(run.judged["stated"], n_gold)
                if stated.n_claimed:
                    figures["stated_only"] = stated.figures()
                figures["chars_per_s"] = round(run.chars_per_s, 1)
                figures["failed_chunks"] = run.n_failed
            report[run.name][half] = figures
    print(f"({n_outside} gold pairs with a date or a number are not counted.)")
    return report


def _compare(judged: Sequence[Ranked], instant: Sequence[Ranked], n_gold: int) -> dict[str, float]:
    level = min(score_pairs(pairs, n_gold).recall for pairs in (judged, instant))
    own = precision_at_recall(judged, n_gold, level) if level else None
    other = precision_at_recall(instant, n_gold, level) if level else None
    return {
        "equal_recall": round(level, 4),
        "precision_at_equal_recall": round(own or 0.0, 4),
        "instant_at_equal_recall": round(other or 0.0, 4),
    }


def report_names(runs: Sequence[Run], n_passages: int) -> dict[str, Any]:
    print(f"\nLitBank named people, places, organisations, vehicles: {n_passages} passages")
    print(f"{'':16}  found  precision  recall     F1  with the type: precision  recall     F1")
    for run in runs:
        f = run.figures
        print(
            f"{run.name:16} {f['found']:6} {f['precision']:10.3f} {f['recall']:7.3f}"
            f" {f['f1']:6.3f} {f['typed_precision']:25.3f} {f['typed_recall']:7.3f}"
            f" {f['typed_f1']:6.3f}"
        )
    return {run.name: run.figures | {"chars_per_s": round(run.chars_per_s, 1)} for run in runs}
