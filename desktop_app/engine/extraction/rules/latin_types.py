"""Types of names in Latin script: person, place, organisation, event, object, other.

A name gets one type in a document, from all its occurrences there: the votes of the tagger, the
words beside it, its form, and the names that share its words. How much each of these counts was
learned from annotated texts (`words/name_types.toml`, written by `benchmarks.name_types --fit`),
because the tagger was trained on news and calls every third place and every tenth person of a
novel an organisation. Without a tagger, rules decide.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from ...word_lists import load_table
from . import latin_words as lists
from .latin_concepts import LEAST_CITED, LEAST_POINTS, is_cited, is_headed, rate_concept
from .latin_tokens import Words, has_english_base_form

Key = tuple[str, ...]

MODEL_TYPES = ("person", "place", "organisation", "other")
_VOTED = ("person", "place", "organisation", "event", "object")
_TAILS = lists.PLACE_TAILS | lists.ORGANISATION_TAILS
_GIVEN = lists.MALE_NAMES | lists.FEMALE_NAMES
# Share of occurrences beside a verb of speaking. Right types of the second halves with this rule:
# Re-DocRED 0.807 to 0.808, LitBank unchanged; the White Rabbit and the Dodo are persons.
SPEAKER = 0.15
_PUNCTUATION = frozenset('.,;:!?"“”()')


@dataclass(slots=True)
class Candidate:
    """Counts for one possible name.

    Attributes:
        forms: its words.
        votes: types by the tagger and by definitions ("X is a town").
        beside: what stands before and after it, of what the types depend on.
        n_inside: occurrences inside sentences.
        n_initial: occurrences where any word is capitalised.
        n_speaks, n_at, n_the: occurrences in contexts of people, in contexts of places, and
            after "the".
        n_a: occurrences after "a" or "an".
        n_cited, n_headed: occurrences as a cited author, and before a word for methods.
        n_numbered: occurrences before a number, as in "Figure 3".
        n_sections: occurrences as the whole title of a numbered section, as in "5.1 Overview".
        section_numbers: the numbers of these sections.
    """

    forms: Key
    votes: Counter[str] = field(default_factory=Counter)
    beside: Counter[str] = field(default_factory=Counter)
    n_inside: int = 0
    n_initial: int = 0
    n_speaks: int = 0
    n_at: int = 0
    n_the: int = 0
    n_cited: int = 0
    n_headed: int = 0
    n_numbered: int = 0
    n_a: int = 0
    n_sections: int = 0
    section_numbers: set[str] = field(default_factory=set)

    @property
    def n(self) -> int:
        return self.n_inside + self.n_initial


# A thing called as a place: share of its occurrences with an article, and their least number. In
# 18 novels four names change, none of which is a place: Turkey (the bird), Turk, Englishman,
# Objective. LitBank, CoNLL04 and Re-DocRED stay as they are.
THING, THING_N = 0.4, 3
# A name after prepositions of place: share of its occurrences, and their least number. The
# weights were learned from pieces of 2,000 words, where such counts are small. In 18 novels 34
# names change, 33 of them to the right type: Longbourn, Rosings, Whitby, Middlemarch. LitBank and
# CoNLL04 stay as they are, of Re-DocRED's second half 0.809 are right instead of 0.807.
GONE_TO, LEAST_GONE_TO = 1 / 3, 3  # or two of two: "up at Hallow Top", "down from Hallow Top"
# A word of the dictionary that is nearly always after "the", often stands there, hardly ever speaks
# and is no plural is a thing, not a person: "the Diamond", "the Moonstone". Share of occurrences
# after "the", of those without a verb of speaking, and their least number. In 11 novels only these
# two names change. "The Dodger" speaks, "a Martian" is one of several, "the Indians" are people.
ONLY_ONE, LEAST_SILENT, LEAST_OF_THING = 0.7, 0.97, 20


def is_title(form: str) -> bool:
    return form in lists.TITLES or form + "." in lists.TITLES


def count_context(
    words: Words, first: int, stop: int, candidate: Candidate, *, counts_all: bool = False
) -> None:
    """Count the context of an occurrence: of people, of places, after "the", and words beside.

    Args:
        counts_all: also the words beside it that have no weight.
    """
    weights = _load_weights()
    for feature in list_beside(words, first, stop):
        if counts_all or feature in weights:
            candidate.beside[feature] += 1
    before = words.forms[first - 1] if first else ""
    candidate.n_a += before in ("a", "A", "an", "An")
    if first > 1 and before in ("the", "The"):
        candidate.n_the += 1
        before = words.forms[first - 2]
    two_before = words.forms[first - 2].lower() if first > 1 else ""
    if before in ("by", "starring") and (two_before in lists.MADE_BY or before == "starring"):
        candidate.n_speaks += 3
    if (before == "of" and two_before in lists.KIN_OF) or before == "married":
        candidate.n_speaks += 3
    if before == "of" and two_before in lists.RULER_OF:
        candidate.n_at += 3
    candidate.n_cited += is_cited(words, first, stop)
    candidate.n_headed += is_headed(words, first, stop)
    after = words.forms[stop] if stop < len(words) else ""
    if after[:1].isdigit():
        gap = words.text[words.ends[stop - 1] : words.starts[stop]]
        candidate.n_numbered += gap.strip() in ("", ".")
    if number := _find_section_number(words, first, stop):
        candidate.n_sections += 1
        candidate.section_numbers.add(number)
    if before in lists.SPEECH or after in lists.SPEECH:
        candidate.n_speaks += 1
    if before in lists.PLACE_BEFORE and not words.initial[first]:
        candidate.n_at += 1


_SECTION_NUMBER = re.compile(r"(?:^|\n)[ \t]*(\d{1,3}(?:\.\d{1,3}){0,4})\.?[ \t]+$")
# After the title in a table of contents: dots and the number of a page.
_REST_OF_TITLE = re.compile(r"[^\w\n]*\d*[ \t]*(?:\n|$)")
_MOST_NUMBER_CHARS = 24


def _find_section_number(words: Words, first: int, stop: int) -> str:
    """Return the number of the section whose whole title these words are, "" if there is none."""
    start = words.starts[first]
    before = words.text[max(0, start - _MOST_NUMBER_CHARS) : start]
    if not before.rstrip(" \t.")[-1:].isdigit():
        return ""  # nearly always; costs less than the regular expression
    found = _SECTION_NUMBER.search(before)
    is_whole = found is not None and _REST_OF_TITLE.match(words.text, words.ends[stop - 1])
    return found[1] if found is not None and is_whole else ""


def list_beside(words: Words, first: int, stop: int) -> list[str]:
    """Return the word or punctuation mark before a name and after it, and those beyond "the"."""
    found = []
    if first:
        gap = words.text[words.ends[first - 1] : words.starts[first]]
        mark = next((char for char in reversed(gap) if char in _PUNCTUATION), "")
        word = words.forms[first - 1].lower()
        found.append(f"before {mark or word}")
        if not mark and word in ("the", "a") and first > 1:
            found.append(f"before the {words.forms[first - 2].lower()}")
    if stop < len(words):
        gap = words.text[words.ends[stop - 1] : words.starts[stop]]
        mark = next((char for char in gap if char in _PUNCTUATION), "")
        word = words.forms[stop].lower()
        if gap.startswith(("'s", "’s")):
            mark = "'s"
        found.append(f"after {mark or word}")
        if mark == ",":
            found.append(f"after, {word}")
    return found


def list_features(
    candidate: Candidate, people: Mapping[str, float], places: Mapping[str, float]
) -> dict[str, float]:
    """Return the features of a name, each of 0 to 1.

    Args:
        people, places: word -> how often longer names of people or places have it.
    """
    forms, votes, n = candidate.forms, candidate.votes, max(1, candidate.n)
    last, length = forms[-1], len(forms)
    found: dict[str, float] = {f"words {min(length, 4)}": 1.0}
    if total := votes.total():
        for kind in _VOTED:
            found[f"votes {kind}"] = votes[kind] / total
            found[f"tagged {kind}"] = min(1.0, votes[kind] / n)
    is_known = {
        "title": is_title(forms[0]),
        "given name": forms[0] in _GIVEN,
        f"given name, words {min(length, 3)}": forms[0] in _GIVEN,
        "place word": length > 1 and last in lists.PLACE_TAILS,
        "organisation word": length > 1 and last in lists.ORGANISATION_TAILS,
        "event word": length > 1 and last in lists.EVENT_TAILS,
        "connector": any(form in lists.CONNECTORS for form in forms[1:-1]),
        "initial": any(len(form) == 1 for form in forms[:-1]),
        "capitals": len(forms[0]) <= 6 and all(form.isupper() for form in forms),
        "dictionary": has_english_base_form(last),
        f"dictionary, words {min(length, 2)}": has_english_base_form(last),
        f"ends {last.lower()[-3:]}": True,
        f"ends {last.lower()[-2:]}": True,
        "often speaks": candidate.n_speaks >= 3,
        "never inside": candidate.n_inside == 0,
        "untagged": not total,
    }
    found |= {name: 1.0 for name, holds in is_known.items() if holds}
    found["frequency"] = min(1.0, math.log(n) / 5)
    found["speaks"] = min(1.0, candidate.n_speaks / n)
    found["at"] = min(1.0, candidate.n_at / n)
    found["the"] = min(1.0, candidate.n_the / n)
    # A dictionary word is a place where a preposition of place is before it: "in Turkey", but
    # "the prize Turkey".
    kind = "dictionary" if is_known["dictionary"] else "other word"
    found[f"{kind}, at"], found[f"{kind}, the"] = found["at"], found["the"]
    if is_known["dictionary"]:
        found["dictionary, speaks"] = found["speaks"]
        if not candidate.n_at:
            found["dictionary, not at"] = 1.0
    # A longer name has counted itself.
    in_people = people[last] - (2 * candidate.n if length > 1 else 0)
    in_places = places[last] if length == 1 else 0.0
    for name, share in (("in people", in_people), ("in places", in_places)):
        if share > 0:
            found[name] = share / (share + n + 1)
    return found | {name: min(1.0, k / n) for name, k in candidate.beside.items()}


def count_related(accepted: Collection[Candidate]) -> tuple[dict[str, float], dict[str, float]]:
    """Return how often each word occurs in names of several words of people, and of places."""
    people: dict[str, float] = defaultdict(float)
    places: dict[str, float] = defaultdict(float)
    for candidate in accepted:
        forms, votes = candidate.forms, candidate.votes
        if len(forms) == 1:
            continue
        titled = is_title(forms[0])
        if titled or forms[0] in _GIVEN or votes["person"] > 0.5 * votes.total():
            people[forms[-1]] += 2 * candidate.n
            if not titled:
                people[forms[0]] += candidate.n
        elif votes["place"] > 0.5 * votes.total():
            places[forms[0]] += candidate.n
    return people, places


@lru_cache(maxsize=1)
def _load_weights() -> dict[str, tuple[float, ...]]:
    """Return the weights of each feature for `MODEL_TYPES`."""
    return {name: tuple(row) for name, row in load_table("name_types")["weights"].items()}


def classify(features: Mapping[str, float]) -> str:
    """Return the type with the highest sum of weights (multinomial logistic regression)."""
    weights = _load_weights()
    sums = list(weights["bias"])
    for name, value in features.items():
        for i, weight in enumerate(weights.get(name, ())):
            sums[i] += value * weight
    return MODEL_TYPES[sums.index(max(sums))]


def _is_speaker(candidate: Candidate) -> bool:
    """Return whether a name often speaks: an animal of a fable is a person, whatever its votes."""
    n_speaks = candidate.n_speaks
    return n_speaks >= 3 and n_speaks >= SPEAKER * candidate.n and n_speaks > candidate.n_at


def _is_gone_to(candidate: Candidate) -> bool:
    """Return whether a name is where people are and go to, and does not speak: "at Longbourn"."""
    n_at = candidate.n_at
    # "at the Apraksins'" is a family
    is_always = 2 <= candidate.n == n_at and not candidate.n_the
    is_often = is_always or n_at >= max(LEAST_GONE_TO, GONE_TO * candidate.n)
    return is_often and n_at >= 5 * candidate.n_speaks


def decide_types(
    accepted: Mapping[Key, Candidate], *, has_tagger: bool, paper: Words | None = None
) -> dict[Key, str]:
    """Return one type for each name.

    Args:
        paper: the words, if the text is a paper (`latin_concepts.is_paper`).
    """
    types = _decide_by_weights(accepted, has_tagger=has_tagger)
    if paper is not None:
        for key, candidate in accepted.items():
            types[key] = _decide_in_paper(paper, candidate, types[key])
    return types


def _decide_in_paper(words: Words, candidate: Candidate, kind: str) -> str:
    """Return the type of a name of a paper: a concept, a cited author, or what it was."""
    n, forms = max(1, candidate.n), candidate.forms
    if kind == "event" or _is_titled(forms):
        return kind
    cited = candidate.n_cited / n
    shares = {
        "headed": candidate.n_headed / n,
        "at": candidate.n_at / n,
        "the": candidate.n_the / n,
    }
    if cited < LEAST_CITED:
        points = rate_concept(words, forms, shares, candidate.votes, is_repeated=candidate.n > 1)
        return "concept" if points >= LEAST_POINTS else kind
    return "person"


def _decide_by_weights(accepted: Mapping[Key, Candidate], *, has_tagger: bool) -> dict[Key, str]:
    types = _decide_by_rules(accepted)
    if not has_tagger:
        return types
    people, places = count_related(accepted.values())
    return {
        # A title makes a person. Events and objects are rare in annotated texts: the tagger and
        # the rules name them.
        key: "organisation"
        if _is_institution(key)
        else types[key]
        if types[key] not in MODEL_TYPES or _is_titled(key)
        else "person"
        if _is_speaker(candidate)
        else "place"
        if _is_gone_to(candidate)
        else _not_a_thing(candidate, classify(list_features(candidate, people, places)))
        for key, candidate in accepted.items()
    }


def _not_a_thing(candidate: Candidate, kind: str) -> str:
    """Return another type for a word of the dictionary that is a thing, not a place or a person.

    "other" for "a Turkey", never "in Turkey": cities and countries have no article, and other
    places ("the Temple") have prepositions. "object" for "the Diamond".
    """
    if len(candidate.forms) > 1 or not has_english_base_form(candidate.forms[0]):
        return kind
    if kind == "person":
        return "object" if _is_only_one(candidate) else kind
    if kind != "place" or candidate.n_at or candidate.n < THING_N:
        return kind
    with_article = candidate.n_a + candidate.n_the
    return "other" if candidate.n_a and with_article >= THING * candidate.n else kind


def _is_only_one(candidate: Candidate) -> bool:
    """Return whether a word stands for the only thing of its kind in the text: "the Diamond"."""
    return (
        candidate.n >= LEAST_OF_THING
        and candidate.n_the >= ONLY_ONE * candidate.n
        and candidate.n - candidate.n_speaks >= LEAST_SILENT * candidate.n
        and not candidate.forms[0].endswith("s")
        and not is_title(candidate.forms[0])
    )


def _is_institution(key: Key) -> bool:
    """Return whether a name is an organisation by its form: "City University of Hong Kong"."""
    return any(
        form in lists.ORGANISATION_TAILS and after in ("of", "for")
        for form, after in pairwise(key[:-1])
    )


def _is_titled(key: Key) -> bool:
    """Return whether a name is a person by its form: "Mrs. Cratchit", not "Queen Street"."""
    return len(key) > 1 and is_title(key[0]) and key[-1] not in _TAILS


def _decide_by_rules(accepted: Mapping[Key, Candidate]) -> dict[Key, str]:
    """Return one type for each name, by its votes, its form and the names that share its words."""
    own = {key: _own_type(candidate) for key, candidate in accepted.items()}
    people: dict[str, float] = defaultdict(float)
    for key, (kind, sure) in own.items():
        if kind == "person" and len(key) > 1:
            people[key[-1]] += accepted[key].n * (2.0 if sure else 0.5)
            if key[0] not in lists.TITLES:
                people[key[0]] += accepted[key].n * 0.5
    types: dict[Key, str] = {}
    for key, (kind, sure) in own.items():
        if len(key) == 1 and not sure and kind != "person":
            others = sum(v for k, v in accepted[key].votes.items() if k != "person")
            known = key[0] in lists.MALE_NAMES or key[0] in lists.FEMALE_NAMES
            if known or people[key[0]] + accepted[key].votes["person"] > others:
                kind = "person"
        elif not sure and kind != "person" and people[key[-1]] > 5 * accepted[key].n:
            kind = "person"
        types[key] = kind
    return types


def _own_type(candidate: Candidate) -> tuple[str, bool]:
    """Return the type by form or votes, and whether the form is conclusive."""
    forms, votes = candidate.forms, candidate.votes
    if len(forms) > 1:
        if _is_titled(forms):
            return "person", True
        for tails, kind in (
            (lists.PLACE_TAILS, "place"),
            (lists.ORGANISATION_TAILS, "organisation"),
            (lists.EVENT_TAILS, "event"),
        ):
            if forms[-1] in tails and votes["person"] <= votes[kind] + votes["object"]:
                return kind, True
        known = forms[0] in lists.MALE_NAMES | lists.FEMALE_NAMES and len(forms) < 4
        if known and votes["person"] + 2 > votes.total():
            return "person", True
    if candidate.n_speaks >= 3 and candidate.n_speaks > max(0.08 * candidate.n, candidate.n_at):
        return "person", True
    if candidate.n_at >= 3 and candidate.n_at >= 0.3 * candidate.n and not candidate.n_speaks:
        return "place", True
    if not votes:
        return "other", False
    best = max(votes.values())
    # On equal votes the first type of this list wins, which makes results reproducible.
    kinds = ("person", "place", "organisation", "event", "object")
    return next((kind for kind in kinds if votes[kind] == best), "other"), False
