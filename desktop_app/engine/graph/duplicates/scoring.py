"""One certainty for a pair from all that its methods and the text say.

The weights are log-odds, set by hand on 水浒传 and Pride and Prejudice only; other books measure
them (`benchmarks/aliases.py`). 0.5 is where those two books had 98 right of 100.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import exp, log, log1p

from ...errors import said
from .company import Companies, Company
from .conflicts import clash, types_disagree
from .facts import Hint, Pair, Reason, Two, two
from .forms import Forms

_BIAS = 0.2
_MORE = 0.45  # what a further method adds, by its strength
_ALIKE, _SHARED = 2.2, 1.0
_USUAL_ALIKE, _USUAL_SHARED = 0.25, 0.25
_MOST_GAIN, _MOST_LOSS = 1.4, -1.0
_APART = 4.0
_GAIN_TWICE = 0.4
_SURE, _SURER = 0.6, 0.1
_FAINT = 0.04  # what no company lifts
_TYPES = 1.2
_RIVALS = 0.8
# Where names stand together because one explains the other, that is nothing against them.
_BESIDE = frozenset(("told", "beside"))


def score_pairs(
    hints: Iterable[Hint], forms: Forms, companies: Companies, never: frozenset[Two], floor: float
) -> list[Pair]:
    """Return the pairs that are likelier than `floor`, by id."""
    by_pair: dict[Two, dict[str, Reason]] = defaultdict(dict)
    for hint in share_among_rivals(list(hints), companies):
        if hint.strength < _FAINT:
            continue
        reasons = by_pair[two(hint.a, hint.b)]
        best = reasons.get(hint.method)
        if best is None or hint.strength > best.strength:
            reasons[hint.method] = Reason(hint.method, hint.strength, hint.text)
    found = []
    for (a, b), by_method in sorted(by_pair.items()):
        reasons = sorted(by_method.values(), key=lambda one: (-one.strength, one.method))
        unlike = types_disagree(forms, a, b)
        # The company is looked at only where it could still lift the pair.
        if _certainty(reasons, None, unlike) < floor or clash(forms, never, a, b):
            continue
        score = _certainty(reasons, companies.compare(a, b), unlike)
        if score >= floor:
            found.append(Pair(a, b, round(score, 4), tuple(reasons)))
    return _drop_contradicted(found, forms, never)


def _drop_contradicted(pairs: list[Pair], forms: Forms, never: frozenset[Two]) -> list[Pair]:
    """Leave out a pair where one of the two is more surely somebody whom the other can't be.

    武松 is 武二, so he is not 武大郎, whose brother 武二 is.
    """
    sure: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for pair in pairs:
        if pair.score >= _SURE:
            sure[pair.a].append((pair.b, pair.score))
            sure[pair.b].append((pair.a, pair.score))

    def contradicted(one: int, other: int, score: float) -> bool:
        return any(
            theirs > score + _SURER and third != other and clash(forms, never, third, other)
            for third, theirs in sure.get(one, ())
        )

    return [
        pair
        for pair in pairs
        if not contradicted(pair.a, pair.b, pair.score)
        and not contradicted(pair.b, pair.a, pair.score)
    ]


def _certainty(reasons: Sequence[Reason], company: Company | None, unlike: bool) -> float:
    """Return how likely a pair is one; without its company, the most that could be."""
    odds = _BIAS + _log_odds(reasons[0].strength) + _MORE * sum(one.strength for one in reasons[1:])
    if unlike:
        odds -= _TYPES
    if company is None:
        return _probability(odds + _MOST_GAIN)
    gain = _ALIKE * (company.alike - _USUAL_ALIKE) + _SHARED * (company.shared - _USUAL_SHARED)
    if reasons[0].method == "neighbours":
        gain = min(gain, _GAIN_TWICE)  # its company is all that it stands on
    odds += max(_MOST_LOSS, min(_MOST_GAIN, gain)) * company.weight
    if not any(one.method in _BESIDE for one in reasons):
        odds -= _APART * max(0.0, company.apart - 0.1)
    return _probability(odds)


def share_among_rivals(hints: Sequence[Hint], companies: Companies) -> list[Hint]:
    """Return the hints with the certainty of those that exclude each other shared out.

    "Jones" is one of the Joneses: the one whose company is most like his gets most of it.
    """
    groups: dict[tuple[int, str], dict[int, float]] = defaultdict(dict)
    for hint in hints:
        if hint.rivals_of:
            other = hint.b if hint.a == hint.rivals_of else hint.a
            company = companies.compare(hint.a, hint.b)
            weight = log1p(companies.n_mentions(other)) * hint.strength
            fit = (0.01 + company.alike * (0.2 + company.shared)) ** 1.5 * weight
            group = groups[hint.rivals_of, hint.method]
            group[other] = max(group.get(other, 0.0), fit)
    shared = []
    for hint in hints:
        group = groups.get((hint.rivals_of, hint.method), {})
        if len(group) > 1:
            other = hint.b if hint.a == hint.rivals_of else hint.a
            portion = group[other] / sum(group.values())
            strength = hint.strength * portion**_RIVALS
            text = said(f"{hint.text}, one of {len(group)}")
            hint = Hint(hint.a, hint.b, hint.method, strength, text, hint.rivals_of)
        shared.append(hint)
    return shared


def _log_odds(strength: float) -> float:
    strength = min(0.97, max(0.01, strength))
    return log(strength / (1 - strength))


def _probability(odds: float) -> float:
    return 1 / (1 + exp(-odds))
