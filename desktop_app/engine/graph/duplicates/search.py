"""The search for likely duplicates: every method over all names, then one certainty a pair.

Pure: plain data in, plain data out. Names meet by keys (words, letters, sounds, neighbours), so
that the time grows with the names, not with their square.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product

from . import methods_any, methods_chinese, methods_latin
from .forms import Forms
from .methods_any import propose_meanings
from .model import DuplicateCluster, Hint, NameFacts, Pair, PairKey, TextFacts, pair_key
from .scoring import score_pairs
from .shared_context import SharedContexts, propose_glued, propose_neighbours, propose_stated

# From strict to loose, as the desk shows them.
METHODS = (
    "fingerprint",
    "ngram",
    "titles",
    "nickname",
    "initials",
    "told",
    "beside",
    "part",
    "surname",
    "pinyin",
    "spelling",
    "meaning",
    "characters",
    "neighbours",
)
FLOOR = 0.2


def find_pairs(
    facts: Sequence[NameFacts],
    text: TextFacts | None = None,
    *,
    methods: Collection[str] = METHODS,
    floor: float = FLOOR,
) -> list[Pair]:
    """Return the pairs of entities that may be one, by id.

    Args:
        methods: which of `METHODS` may speak.
        floor: certainty below which a pair is left out.
    """
    text = text or TextFacts()
    order = sorted(range(len(facts)), key=lambda i: facts[i].id)
    if text.vectors is not None:
        text = replace(text, vectors=text.vectors[order])
    facts = [facts[i] for i in order]
    forms = Forms(facts)
    companies = SharedContexts(facts, text)
    hints = [
        hint
        for hint in _propose(forms, facts, text, companies)
        if hint.method in methods and hint.a != hint.b
    ]
    never = frozenset(pair_key(a, b) for a, b in text.never)
    return score_pairs(hints, forms, companies, never, floor)


def _propose(
    forms: Forms, facts: Sequence[NameFacts], text: TextFacts, companies: SharedContexts
) -> Iterator[Hint]:
    yield from methods_any.propose_fingerprints(forms)
    yield from methods_any.propose_ngrams(forms)
    yield from methods_latin.propose_titles(forms)
    yield from methods_latin.propose_nicknames(forms)
    yield from methods_latin.propose_initials(forms)
    yield from methods_latin.propose_parts(forms)
    yield from propose_stated(forms.facts, text)
    yield from propose_glued(forms.facts, text)
    yield from methods_chinese.propose_chinese_parts(forms)
    yield from methods_chinese.propose_surnames(forms, companies)
    yield from methods_chinese.propose_shared_characters(forms, companies)
    yield from methods_any.propose_spellings(forms)
    yield from methods_any.propose_sounds(forms)
    yield from propose_meanings(facts, text)
    yield from propose_neighbours(facts, text, companies)


SURE = 0.5
NEAR = 0.25


def cluster(
    pairs: Sequence[Pair], *, sure: float = SURE, near: float = NEAR
) -> list[DuplicateCluster]:
    """Return the clusters, the surest first; an entity may stand in two that exclude each other.

    Args:
        sure: the mean certainty over the pairs between what is joined.
        near: the certainty that every single pair needs.
    """
    known: dict[PairKey, Pair] = {(pair.a, pair.b): pair for pair in pairs}
    home: dict[int, frozenset[int]] = {}
    ordered = sorted(pairs, key=lambda pair: (-pair.score, pair.a, pair.b))
    left_over: list[Pair] = []
    for pair in ordered:
        if pair.score < sure:
            break
        left = home.get(pair.a, frozenset((pair.a,)))
        right = home.get(pair.b, frozenset((pair.b,)))
        if left == right:
            continue
        scores = [_score(known, x, y) for x, y in product(left, right)]
        if min(scores) < near or sum(scores) / len(scores) < sure:
            left_over.append(pair)
            continue
        for member in left | right:
            home[member] = left | right
    groups = set(home.values())
    for pair in left_over:
        # Both sides already lie elsewhere: the pair is shown by itself, never joined to them.
        if not any({pair.a, pair.b} <= group for group in groups):
            groups.add(frozenset((pair.a, pair.b)))
    return sorted(
        (_build(known, group) for group in groups),
        key=lambda one: (-one.certainty, one.ids),
    )


def _score(known: dict[PairKey, Pair], x: int, y: int) -> float:
    pair = known.get(pair_key(x, y))
    return pair.score if pair else 0.0


def _build(known: dict[PairKey, Pair], group: frozenset[int]) -> DuplicateCluster:
    ids = tuple(sorted(group))
    inside = [known[x, y] for n, x in enumerate(ids) for y in ids[n + 1 :] if (x, y) in known]
    return DuplicateCluster(
        ids, round(sum(p.score for p in inside) / len(inside), 4), tuple(inside)
    )
