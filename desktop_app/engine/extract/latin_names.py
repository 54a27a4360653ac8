"""Which capital runs of a document are names, and of what type: votes over the whole text.

Owns the rules for English and other Latin scripts. Takes what a tagger said (nothing, for
languages without one) and gives name -> type; where they stand is `latin_location`'s.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from . import english_words as lists
from .english_dictionary import is_english_word
from .latin_candidates import (
    Candidate,
    find_correspondents,
    find_tagged_inside,
    note_context,
    split_run,
    types_at,
    vote_by_definition,
)
from .latin_tokens import Words, find_runs
from .spans import Tagged

_WORK = re.compile(r"[“\"](?P<name>[A-Z0-9][^“”\"\n]{2,70}?)[”\"]")
# Words up to which a text is short: there a name is seen once, perhaps at the head of a sentence,
# and the tagger is trusted. In a long text a real name comes again, and what was tagged once only
# is mostly an error. Tried on pieces of LitBank's first half and half of CoNLL04: the looser rules
# raise F1 of pieces of 200 words (0.861 -> 0.863) and lower it from 450 words on (0.870 -> 0.869).
SHORT_TEXT = 300
_ROMAN = re.compile(r"[IVXLC]+\.?")


@dataclass(slots=True)
class NameTable:
    """Accepted names by their words, with type; `trusted` holds where the tagger agreed."""

    types: dict[tuple[str, ...], str] = field(default_factory=dict)
    trusted: set[int] = field(default_factory=set)


def build_names(words: Words, tagged: Sequence[Tagged], *, has_tagger: bool = True) -> NameTable:
    """Return the document's names with one type each."""
    candidates: dict[tuple[str, ...], Candidate] = {}
    trusted: set[int] = set()

    def note(first: int, stop: int, kinds: Sequence[str]) -> None:
        key = tuple(words.forms[first:stop])
        candidate = candidates.setdefault(key, Candidate(key))
        if words.initial[first] or words.shouted[first]:
            candidate.n_initial += 1
        else:
            candidate.n_inside += 1
        note_context(words, first, stop, candidate)
        for kind in kinds:
            candidate.votes[kind] += 1
            trusted.add(words.starts[first])

    correspondents = find_correspondents(words)
    for first, stop in find_runs(words, tagged):
        if words.in_capitals:  # where a name ends in such a line, only the tagger can tell
            for a, b, kind in find_tagged_inside(words, first, stop, tagged):
                note(a, b, [kind])
            continue
        for a, b in split_run(words, first, stop, tagged):
            kinds = types_at(words, a, b, tagged)
            if not kinds and words.starts[a] in correspondents:
                kinds = ["person"]
            note(a, b, kinds)
            if not kinds:
                for c, d, kind in find_tagged_inside(words, a, b, tagged):
                    # in a long text a name of one word stands alone as well somewhere
                    if d - c > 1 or len(words) <= SHORT_TEXT:
                        note(c, d, [kind])
    vote_by_definition(words, candidates)
    works = _find_works(words)
    accepted = {
        key: candidate
        for key, candidate in candidates.items()
        if _is_name(words, candidate, has_tagger)
    }
    _rescue_parts(words, candidates, accepted)
    table = NameTable(_decide_types(accepted), trusted)
    for key in works:
        table.types.setdefault(key, "object")
    return table


def _find_works(words: Words) -> set[tuple[str, ...]]:
    """Return titles in quotation marks; speech ends in a stop or comma and is no title."""
    found: set[tuple[str, ...]] = set()
    if not words.forms:
        return found
    for match in _WORK.finditer(words.text, words.starts[0], words.ends[-1]):
        name = match["name"].strip()
        if name[-1] in ".,!?;:-—'’" or name.isupper():
            continue
        first = bisect_left(words.starts, match.start("name"))
        stop = bisect_left(words.starts, match.end("name"))
        forms = words.forms[first:stop]
        big = [form for form in forms if form[0].isupper() or form[0].isdigit()]
        small = [form for form in forms if form not in big and form not in lists.CONNECTORS]
        if 1 < len(forms) <= 10 and len(big) >= 2 and len(small) <= len(forms) // 4:
            found.add(tuple(forms))
    return found


def _is_name(words: Words, candidate: Candidate, has_tagger: bool) -> bool:
    forms, n_votes = candidate.forms, sum(candidate.votes.values())
    if forms[0] in lists.TITLES or forms[0] + "." in lists.TITLES:
        return len(forms) > 1 and (not words.is_common(forms[1]) or n_votes > 0)
    if all(form.lower() in lists.COMMON or form in lists.DEMONYMS for form in forms):
        kinds = candidate.votes
        named = kinds["person"] + kinds["place"] + kinds["organisation"]
        return len(forms) > 1 and named >= max(1, 0.4 * candidate.n)
    if len(forms) > 1:
        if n_votes > 0 or candidate.n_inside >= 2:
            return True
        if not has_tagger:
            return candidate.n >= 2
        return len(words) <= SHORT_TEXT and not any(map(_may_be_word, forms))
    return _is_single_name(words, candidate, has_tagger)


def _is_single_name(words: Words, candidate: Candidate, has_tagger: bool) -> bool:
    form, n_votes = candidate.forms[0], sum(candidate.votes.values())
    low = form.lower()
    is_short = has_tagger and len(words) <= SHORT_TEXT
    if len(form) < 2 or _ROMAN.fullmatch(form):
        return False
    emphatic = form.isupper() and len(form) > 5 and not words.in_capitals
    if emphatic and not (is_short and n_votes >= 0.5 * candidate.n):
        return False
    lower = words.n_lower[low]
    share = words.capital_share(form)
    if has_tagger and candidate.n_the > 0.6 * candidate.n and not _stands_without_the(candidate):
        return False
    if not has_tagger:
        return candidate.n_inside >= 2 and share > 0.9
    known = form in lists.MALE_NAMES | lists.FEMALE_NAMES
    if n_votes == 0:
        # "Mark the date": a first name at the head of a sentence may be a word
        shown = is_short and known and candidate.n_inside + candidate.n_speaks > 0
        return lower == 0 and (candidate.n_inside >= 3 or shown)
    if candidate.n_inside == 0:
        # "Pillows, books, a footstool" and "Speakers were heard": never seen within a sentence.
        known = known or candidate.votes["place"] == n_votes  # London and Georgia are words too
        known = known or (is_short and n_votes > candidate.votes["object"])
        if not known and is_english_word(form):
            return False
        return lower == 0 and n_votes >= 0.5 * candidate.n
    if lower == 0:
        return n_votes >= 0.1 * candidate.n
    return share > 0.6 and n_votes >= 0.3 * candidate.n


def _may_be_word(form: str) -> bool:
    """Say whether a form may be something other than a name: a word, an abbreviation, "A7"."""
    return form.isupper() or not form.isalpha() or is_english_word(form)


def _stands_without_the(candidate: Candidate) -> bool:
    """Say whether "the X" is a name all the same: the IRS, the Ghost who speaks, the Thames."""
    form, votes = candidate.forms[0], candidate.votes
    if candidate.n_speaks >= 3 or candidate.n_inside - candidate.n_the >= 3:
        return True
    if form.isupper() and votes.total():
        return True
    return votes["place"] + votes["person"] > votes["organisation"]


def _rescue_parts(
    words: Words,
    candidates: dict[tuple[str, ...], Candidate],
    accepted: dict[tuple[str, ...], Candidate],
) -> None:
    """Take what shares a rare word with an accepted name: "Scrooge" beside "Mr. Scrooge"."""
    parts = Counter(
        form
        for key in accepted
        if len(key) > 1
        for form in key
        if form not in lists.TITLES and not words.is_common(form)
    )
    for key, candidate in candidates.items():
        if key in accepted:
            continue
        rare = [form for form in key if parts[form]]
        if not rare or any(words.n_lower[form.lower()] for form in rare):
            continue
        parts_of_key = (key[a:b] for a, b in combinations(range(len(key) + 1), 2) if b > a + 1)
        if any(part in accepted for part in parts_of_key):
            continue  # "Commissioner Tilda Marsh" holds a name and is none
        if len(key) == 1 or candidate.n_inside:
            accepted[key] = candidate


def _decide_types(accepted: dict[tuple[str, ...], Candidate]) -> dict[tuple[str, ...], str]:
    """Return one type a name: own votes, shape, and what names sharing its words are."""
    own = {key: _own_type(candidate) for key, candidate in accepted.items()}
    people: dict[str, float] = defaultdict(float)
    for key, (kind, sure) in own.items():
        if kind == "person" and len(key) > 1:
            people[key[-1]] += accepted[key].n * (2.0 if sure else 0.5)
            if key[0] not in lists.TITLES:
                people[key[0]] += accepted[key].n * 0.5
    types: dict[tuple[str, ...], str] = {}
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
    """Return the type by shape or votes, and whether the shape leaves no doubt."""
    forms, votes = candidate.forms, candidate.votes
    if len(forms) > 1:
        titled = forms[0] in lists.TITLES or forms[0] + "." in lists.TITLES
        if titled and forms[-1] not in lists.PLACE_TAILS | lists.ORGANISATION_TAILS:
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
    # Equal votes: the kind named first here, whatever the order they came in.
    for kind in ("person", "place", "organisation", "event", "object"):
        if votes[kind] == best:
            return kind, False
    return "other", False
