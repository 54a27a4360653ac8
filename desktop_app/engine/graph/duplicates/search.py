"""The search for likely duplicates: all methods over all names, then one certainty per pair.

Plain data in, plain data out. Candidates are found by keys (words, letters, sounds, neighbours),
so that the time grows with the number of names and not with its square.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product

from .forms import Forms
from .methods_any import (
    propose_fingerprints,
    propose_meanings,
    propose_ngrams,
    propose_sounds,
    propose_spellings,
)
from .methods_chinese import (
    propose_chinese_parts,
    propose_shared_characters,
    propose_surnames,
)
from .methods_latin import propose_initials, propose_nicknames, propose_parts, propose_titles
from .model import Hint, NameFacts, Pair, PairCluster, PairKey, TextFacts, pair_key
from .scoring import score_pairs
from .shared_context import SharedContexts, propose_adjacent, propose_neighbours, propose_stated

# From strict to loose, as the merge desk shows them.
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
        methods: the methods to use, from `METHODS`.
        floor: certainty below which a pair is left out.
    """
    text = text or TextFacts()
    order = sorted(range(len(facts)), key=lambda i: facts[i].id)
    if text.vectors is not None:
        text = replace(text, vectors=text.vectors[order])
    facts = [facts[i] for i in order]
    forms = Forms(facts)
    contexts = SharedContexts(facts, text)
    hints = [
        hint
        for hint in _propose(forms, facts, text, contexts)
        if hint.method in methods and hint.a != hint.b
    ]
    never = frozenset(pair_key(a, b) for a, b in text.never)
    return score_pairs(hints, forms, contexts, never, floor)


def _propose(
    forms: Forms, facts: Sequence[NameFacts], text: TextFacts, contexts: SharedContexts
) -> Iterator[Hint]:
    yield from propose_fingerprints(forms)
    yield from propose_ngrams(forms)
    yield from propose_titles(forms)
    yield from propose_nicknames(forms)
    yield from propose_initials(forms)
    yield from propose_parts(forms)
    yield from propose_stated(forms.facts, text)
    yield from propose_adjacent(forms.facts, text)
    yield from propose_chinese_parts(forms)
    yield from propose_surnames(forms, contexts)
    yield from propose_shared_characters(forms, contexts)
    yield from propose_spellings(forms)
    yield from propose_sounds(forms)
    yield from propose_meanings(facts, text)
    yield from propose_neighbours(facts, text, contexts)


SURE = 0.5
NEAR = 0.25


def cluster(pairs: Sequence[Pair], *, sure: float = SURE, near: float = NEAR) -> list[PairCluster]:
    """Return clusters of pairs, the most certain first; an entity can be in two clusters.

    Agglomerative clustering with average linkage.

    Args:
        sure: least mean certainty of the pairs between two merged clusters.
        near: least certainty of each of these pairs.
    """
    known: dict[PairKey, Pair] = {(pair.a, pair.b): pair for pair in pairs}
    cluster_of: dict[int, frozenset[int]] = {}
    ordered = sorted(pairs, key=lambda pair: (-pair.score, pair.a, pair.b))
    unclustered: list[Pair] = []
    for pair in ordered:
        if pair.score < sure:
            break
        left = cluster_of.get(pair.a, frozenset((pair.a,)))
        right = cluster_of.get(pair.b, frozenset((pair.b,)))
        if left == right:
            continue
        scores = [_find_score(known, x, y) for x, y in product(left, right)]
        if min(scores) < near or sum(scores) / len(scores) < sure:
            unclustered.append(pair)
            continue
        for member in left | right:
            cluster_of[member] = left | right
    groups = set(cluster_of.values())
    for pair in unclustered:
        # Its entities are in other clusters: the pair becomes a cluster of its own.
        if not any({pair.a, pair.b} <= group for group in groups):
            groups.add(frozenset((pair.a, pair.b)))
    return sorted(
        (_build_cluster(known, group) for group in groups),
        key=lambda one: (-one.certainty, one.ids),
    )


def _find_score(known: dict[PairKey, Pair], x: int, y: int) -> float:
    pair = known.get(pair_key(x, y))
    return pair.score if pair else 0.0


def _build_cluster(known: dict[PairKey, Pair], group: frozenset[int]) -> PairCluster:
    ids = tuple(sorted(group))
    inside = [known[x, y] for n, x in enumerate(ids) for y in ids[n + 1 :] if (x, y) in known]
    return PairCluster(ids, round(sum(p.score for p in inside) / len(inside), 4), tuple(inside))
