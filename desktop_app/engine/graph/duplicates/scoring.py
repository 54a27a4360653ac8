"""One certainty for a pair from all that its methods and the text say.

The weights are log-odds, set by hand on 水浒传 and Pride and Prejudice only; other books measure
them (`benchmarks/aliases.py`). 0.5 is where those two books had 98 right of 100.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import exp, log, log1p

from ...errors import said
from .chinese_words import rank_of
from .forms import Form, Forms
from .methods_latin import first_names_clash, surnames_clash
from .model import Hint, Pair, PairKey, Reason, pair_key
from .shared_context import SharedContext, SharedContexts

_OPEN = frozenset(("other", "concept", "object"))
_YOUNG = frozenset(("miss", "mademoiselle", "mlle"))
# Of a first name that is no woman's, these titles speak of a man.
_SOLDIERS = frozenset(
    ("captain", "capt", "colonel", "col", "major", "general", "lieutenant", "lieut", "lt")
) | {"sergeant", "corporal", "admiral", "commodore"}
_MARRIED = frozenset(("mrs", "madame", "mme", "lady"))


def clash(forms: Forms, never: frozenset[PairKey], a: int, b: int) -> bool:
    """Say whether two entities can't be one: the person, gender, first names or a plural say so."""
    if ((a, b) if a < b else (b, a)) in never:
        return True
    left, right = forms.of.get(a, ()), forms.of.get(b, ())
    if _genders(left) and _genders(right) and not _genders(left) & _genders(right):
        return True
    if any(_names_clash(x, y) for x in left for y in right):
        return True
    return any(_is_family(x, y) or _is_family(y, x) for x in left for y in right)


def types_disagree(forms: Forms, a: int, b: int) -> bool:
    left, right = forms.facts[a].type, forms.facts[b].type
    return left != right and left not in _OPEN and right not in _OPEN


def _genders(forms: list[Form] | tuple[()]) -> set[str]:
    found = set()
    for form in forms:
        if form.person:
            soldier = form.person.title in _SOLDIERS
            found.add(form.person.gender or ("m" if soldier else ""))
    return found - {""}


def _names_clash(x: Form, y: Form) -> bool:
    if x.is_han and y.is_han:
        ranks = {rank_of(x.key), rank_of(y.key)}
        return x.key[0] == y.key[0] and len(ranks - {""}) == 2
    left, right = x.person, y.person
    if not left or not right:
        return False
    if left.words[-1] == right.words[-1]:
        titles = {left.title, right.title}
        if titles & _YOUNG and titles & _MARRIED:
            return True
    return first_names_clash(left, right) or surnames_clash(left, right)


def _is_family(x: Form, y: Form) -> bool:
    """Say whether one name is the plural of the other: "the Bingleys"."""
    if x.is_han or y.is_han:
        return False
    return x.words[-1] == y.words[-1] + "s" and len(y.words[-1]) > 2


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
    hints: Iterable[Hint],
    forms: Forms,
    companies: SharedContexts,
    never: frozenset[PairKey],
    floor: float,
) -> list[Pair]:
    """Return the pairs that are likelier than `floor`, by id."""
    by_pair: dict[PairKey, dict[str, Reason]] = defaultdict(dict)
    for hint in share_among_alternatives(list(hints), companies):
        if hint.strength < _FAINT:
            continue
        reasons = by_pair[pair_key(hint.a, hint.b)]
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


def _drop_contradicted(pairs: list[Pair], forms: Forms, never: frozenset[PairKey]) -> list[Pair]:
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


def _certainty(reasons: Sequence[Reason], company: SharedContext | None, unlike: bool) -> float:
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


def share_among_alternatives(hints: Sequence[Hint], companies: SharedContexts) -> list[Hint]:
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
