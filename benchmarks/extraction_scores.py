"""How claimed pairs of entities are scored against a gold standard. Pure functions.

Owns what counts as the same name, precision and recall, and figures of ranked lists. Knows no
file format, no library and no model.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Ranked = tuple[tuple[float, ...], bool]  # (what it is ranked by, higher first; whether it is right)

_ARTICLE = re.compile(r"^(?:the|an|a)\s+", re.IGNORECASE)
_POSSESSIVE = re.compile(r"\s*['’]s?$")


def fold_name(name: str) -> str:
    """Return what two spellings of one name share: no article, no case, no marks, no blanks."""
    bare = _POSSESSIVE.sub("", _ARTICLE.sub("", name.strip()))
    return "".join(char for char in (bare or name).casefold() if char.isalnum())


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """One document of a gold standard: entities by all their names, and which are tied.

    `clusters` holds the folded names of each entity; `pairs` the ties of entities that count;
    `outside` the entities that are not names (dates, numbers): who claims them is not judged.
    """

    clusters: tuple[frozenset[str], ...]
    pairs: frozenset[frozenset[int]]
    outside: frozenset[int] = frozenset()
    n_outside_pairs: int = 0


@dataclass(frozen=True, slots=True)
class ClaimedPair:
    """Two names that a strategy ties, and what it is ranked by (higher is surer)."""

    source: str
    target: str
    rank: tuple[float, ...] = (0.0,)
    stated: bool = False


def judge_pairs(gold: GoldDocument, claimed: Iterable[ClaimedPair]) -> list[Ranked]:
    """Return each pair of entities that is claimed, once, with its best rank and whether right.

    A name that is none of the gold entities makes its pair wrong; a name that may be several of
    them is the one that makes it right. Two names of one entity are no pair.
    """
    owners: dict[str, list[int]] = defaultdict(list)
    for number, names in enumerate(gold.clusters):
        for name in names:
            owners[name].append(number)
    judged: dict[frozenset[Hashable], Ranked] = {}
    for pair in claimed:
        ends = _find_ends(gold, owners, fold_name(pair.source), fold_name(pair.target))
        if ends is None:
            continue
        old = judged.get(ends)
        rank = max(pair.rank, old[0]) if old else pair.rank
        judged[ends] = (rank, ends in gold.pairs)
    return list(judged.values())


def _find_ends(
    gold: GoldDocument, owners: Mapping[str, list[int]], source: str, target: str
) -> frozenset[Hashable] | None:
    sources: list[Hashable] = [*owners.get(source, ())] or [source]
    targets: list[Hashable] = [*owners.get(target, ())] or [target]
    if set(sources) & set(targets):
        return None
    ends = [frozenset((a, b)) for a in sources for b in targets]
    inside = [pair for pair in ends if not pair & gold.outside]
    if not inside:
        return None
    return next((pair for pair in inside if pair in gold.pairs), inside[0])


@dataclass(frozen=True, slots=True)
class PairScore:
    """Precision, recall and F1 over all pairs claimed; average precision over their ranking."""

    n_claimed: int
    n_right: int
    n_gold: int
    average_precision: float

    @property
    def precision(self) -> float:
        return self.n_right / self.n_claimed if self.n_claimed else 0.0

    @property
    def recall(self) -> float:
        return self.n_right / self.n_gold if self.n_gold else 0.0

    def figures(self) -> dict[str, float]:
        return {
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "f1": round(f1(self.precision, self.recall), 4),
            "average_precision": round(self.average_precision, 4),
            "claimed": self.n_claimed,
            "right": self.n_right,
            "gold": self.n_gold,
        }


def score_pairs(judged: Sequence[Ranked], n_gold: int) -> PairScore:
    n_right = sum(right for _, right in judged)
    return PairScore(len(judged), n_right, n_gold, average_precision(judged, n_gold))


def average_precision(judged: Sequence[Ranked], n_gold: int) -> float:
    """Return the mean, over all gold pairs, of the precision where each is found (0 if never).

    Pairs of one rank count as if their right ones were spread evenly among them.
    """
    total, n_before, right_before = 0.0, 0, 0
    for n, right in _tied(judged):
        for place in range(1, right + 1):
            at = n * place / right if right else 0.0
            total += (right_before + place) / (n_before + at)
        n_before += n
        right_before += right
    return total / n_gold if n_gold else 0.0


def precision_at_recall(judged: Sequence[Ranked], n_gold: int, recall: float) -> float | None:
    """Return the precision of the surest pairs that reach a recall; None if they never do."""
    wanted = recall * n_gold - 1e-9
    n_before = right_before = 0
    for n, right in _tied(judged):
        if right_before + right >= wanted:
            share = (wanted - right_before) / right if right else 0.0
            n_seen = n_before + n * max(share, 0.0)
            return max(wanted, 0.0) / n_seen if n_seen > 0 else 1.0
        n_before += n
        right_before += right
    return None


def _tied(judged: Sequence[Ranked]) -> list[tuple[int, int]]:
    """Return (pairs, right pairs) for each rank, best first."""
    counts: dict[tuple[float, ...], list[int]] = {}
    for rank, right in judged:
        entry = counts.setdefault(rank, [0, 0])
        entry[0] += 1
        entry[1] += right
    return [(n, right) for _, (n, right) in sorted(counts.items(), reverse=True)]
