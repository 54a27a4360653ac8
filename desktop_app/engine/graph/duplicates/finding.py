"""The search for likely duplicates: every method over all names, then one certainty a pair.

Pure: plain data in, plain data out. Names meet by keys (words, letters, sounds, neighbours), so
that the time grows with the names, not with their square.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from . import chinese, fingerprint, people, spelling
from .company import Companies, propose_neighbours
from .facts import Hint, NameFacts, Pair, TextFacts, two
from .forms import Forms
from .meaning import propose_meanings
from .scoring import score_pairs
from .told import propose_glued, propose_told

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
    companies = Companies(facts, text)
    hints = [
        hint
        for hint in _propose(forms, facts, text, companies)
        if hint.method in methods and hint.a != hint.b
    ]
    never = frozenset(two(a, b) for a, b in text.never)
    return score_pairs(hints, forms, companies, never, floor)


def _propose(
    forms: Forms, facts: Sequence[NameFacts], text: TextFacts, companies: Companies
) -> Iterator[Hint]:
    yield from fingerprint.propose_fingerprints(forms)
    yield from fingerprint.propose_ngrams(forms)
    yield from people.propose_titles(forms)
    yield from people.propose_nicknames(forms)
    yield from people.propose_initials(forms)
    yield from people.propose_parts(forms)
    yield from propose_told(forms.facts, text)
    yield from propose_glued(forms.facts, text)
    yield from chinese.propose_chinese_parts(forms)
    yield from chinese.propose_surnames(forms, companies)
    yield from chinese.propose_shared_characters(forms, companies)
    yield from spelling.propose_spellings(forms)
    yield from spelling.propose_sounds(forms)
    yield from propose_meanings(facts, text)
    yield from propose_neighbours(facts, text, companies)
