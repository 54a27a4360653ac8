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

from . import english_words as lists
from .latin_tokens import Words, find_runs
from .spans import Tagged

_WORK = re.compile(r"[“\"](?P<name>[A-Z0-9][^“”\"\n]{2,70}?)[”\"]")
_ROMAN = re.compile(r"[IVXLC]+\.?")


@dataclass(slots=True)
class Candidate:
    """Everything seen of one possible name."""

    forms: tuple[str, ...]
    votes: Counter[str] = field(default_factory=Counter)
    n_inside: int = 0
    n_initial: int = 0
    n_speaks: int = 0
    n_at: int = 0

    @property
    def n(self) -> int:
        return self.n_inside + self.n_initial


@dataclass(slots=True)
class NameTable:
    """Accepted names by their words, with type; `trusted` holds where the tagger agreed."""

    types: dict[tuple[str, ...], str] = field(default_factory=dict)
    trusted: set[int] = field(default_factory=set)


def build_names(words: Words, tagged: Sequence[Tagged], *, has_tagger: bool = True) -> NameTable:
    """Return the document's names with one type each."""
    candidates: dict[tuple[str, ...], Candidate] = {}
    trusted: set[int] = set()
    for first, stop in find_runs(words, tagged):
        for a, b in _split_run(words, first, stop, tagged):
            key = tuple(words.forms[a:b])
            candidate = candidates.setdefault(key, Candidate(key))
            if words.initial[a] or words.shouted[a]:
                candidate.n_initial += 1
            else:
                candidate.n_inside += 1
            _note_context(words, a, b, candidate)
            for kind in _types_at(words, a, b, tagged):
                candidate.votes[kind] += 1
                trusted.add(words.starts[a])
    _vote_by_definition(words, candidates)
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


def _note_context(words: Words, first: int, stop: int, candidate: Candidate) -> None:
    """Count what only people do, and what only stands before places."""
    before = words.forms[first - 1] if first else ""
    if first > 1 and before in ("the", "The"):
        before = words.forms[first - 2]
    after = words.forms[stop] if stop < len(words) else ""
    if before in lists.SPEECH or after in lists.SPEECH:
        candidate.n_speaks += 1
    if before in lists.PLACE_BEFORE and not words.initial[first]:
        candidate.n_at += 1


def _types_at(words: Words, first: int, stop: int, tagged: Sequence[Tagged]) -> list[str]:
    start, end = words.starts[first], words.ends[stop - 1]
    index = max(0, bisect_left(tagged, start, key=lambda span: span.start) - 1)
    kinds = []
    while index < len(tagged) and tagged[index].start < end:
        span = tagged[index]
        shared = min(end, span.end) - max(start, span.start)
        if shared > 0.5 * (end - start):
            kinds.append(span.type)
        index += 1
    return kinds


def _split_run(
    words: Words, first: int, stop: int, tagged: Sequence[Tagged]
) -> list[tuple[int, int]]:
    """Cut off what is no part of a name; give nothing when nothing remains."""

    def titled(index: int) -> bool:
        return words.forms[index] in lists.TITLES and index + 1 < stop

    while first < stop:
        form = words.forms[first]
        if titled(first) or (stop - first > 1 and form + "." in lists.TITLES):
            break
        nothing_else = stop - first == 1
        strange = form in lists.DEMONYMS and nothing_else
        if not strange and not words.is_common(form):
            break
        if form not in ("The", "A", "An") and not nothing_else:
            inner = _types_at(words, first, stop, tagged)
            exact = any(span.start == words.starts[first] for span in _near(words, first, tagged))
            if inner and exact and not words.initial[first] and form.lower() not in _NEVER_FIRST:
                break
        first += 1
    while first < stop and (
        words.forms[stop - 1] in lists.CONNECTORS
        or (words.is_common(words.forms[stop - 1]) and _droppable(words, first, stop, tagged))
    ):
        stop -= 1
    if first >= stop or all(words.shouted[k] for k in range(first, stop)):
        return []
    for middle in range(first + 1, stop):
        # "Mr. Darcy Elizabeth" and "Bob Mrs. Cratchit": a title starts a new name.
        if words.forms[middle] in _SPLITTERS and middle + 1 < stop and not titled(middle - 1):
            return [(first, middle), *_split_run(words, middle, stop, tagged)]
    if stop - first > 8:
        return []
    return [(first, stop)]


_NEVER_FIRST = frozenset(
    [
        "and",
        "but",
        "or",
        "so",
        "then",
        "when",
        "if",
        "what",
        "where",
        "why",
        "how",
        "this",
        "that",
        "these",
    ]
)
_SPLITTERS = frozenset(
    ["Mr", "Mrs", "Miss", "Ms", "Dr", "Sir", "Lady", "Madame", "Monsieur", "Captain", "Colonel"]
)


def _near(words: Words, index: int, tagged: Sequence[Tagged]) -> Sequence[Tagged]:
    at = bisect_left(tagged, words.starts[index], key=lambda span: span.start)
    return tagged[at : at + 1]


def _droppable(words: Words, first: int, stop: int, tagged: Sequence[Tagged]) -> bool:
    """Say whether the last common word of a run is outside what the tagger saw."""
    if stop - first == 1:
        return True
    last = words.forms[stop - 1]
    if last in lists.PLACE_TAILS | lists.ORGANISATION_TAILS | lists.EVENT_TAILS:
        return False
    if _ROMAN.fullmatch(last):
        return False
    end = words.ends[stop - 1]
    index = max(0, bisect_left(tagged, end, key=lambda span: span.start) - 1)
    return not (index < len(tagged) and tagged[index].start < end <= tagged[index].end)


def _vote_by_definition(words: Words, candidates: dict[tuple[str, ...], Candidate]) -> None:
    """Let "X is a German film" and "X was a queen of" say what X is."""
    for index, form in enumerate(words.forms):
        if form not in ("is", "was", "are", "were") or index + 2 >= len(words):
            continue
        if words.forms[index + 1] not in ("a", "an", "the", "one"):
            continue
        for length in range(min(6, index), 0, -1):
            key = tuple(words.forms[index - length : index])
            if key in candidates:
                break
        else:
            key = _subject_before(words, index)
            if key not in candidates:
                continue
        for ahead in range(index + 2, min(index + 12, len(words))):
            kind = _HEAD_TYPES.get(words.forms[ahead])
            if kind:
                candidates[key].votes[kind] += 2
                break
            if words.forms[ahead] in ("of", "who", "which", "that", "in", "by", "from", "and"):
                break


def _subject_before(words: Words, index: int) -> tuple[str, ...]:
    """Return the name that opens the sentence, stepping over "(1820 - 1875)" and the like."""
    for back in range(index - 1, max(-1, index - 25), -1):
        if words.initial[back] and words.is_capital(back):
            stop = back
            while stop < index and words.is_capital(stop):
                stop += 1
            return tuple(words.forms[back:stop])
    return ()


_HEAD_TYPES = {
    **{head: "place" for head in lists.PLACE_HEADS},
    **{head: "organisation" for head in lists.ORGANISATION_HEADS},
    **{head: "event" for head in lists.EVENT_HEADS},
    **{head: "object" for head in lists.OBJECT_HEADS},
    **{head: "person" for head in lists.PERSON_HEADS},
}


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
        return len(forms) > 1 and n_votes >= max(1, 0.4 * candidate.n)
    if len(forms) > 1:
        return n_votes > 0 or candidate.n_inside >= 2 or (candidate.n >= 2 and not has_tagger)
    form = forms[0]
    low = form.lower()
    if len(form) < 2 or _ROMAN.fullmatch(form) or (form.isupper() and len(form) > 5):
        return False
    lower = words.n_lower[low]
    share = words.capital_share(form)
    if not has_tagger:
        return candidate.n_inside >= 2 and share > 0.9
    if n_votes == 0:
        return candidate.n_inside >= 3 and lower == 0
    if candidate.n_inside == 0:
        return lower == 0 and n_votes >= 0.5 * candidate.n
    if lower == 0:
        return n_votes >= 0.1 * candidate.n
    return share > 0.6 and n_votes >= 0.3 * candidate.n


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
        types[key] = kind
    return types


def _own_type(candidate: Candidate) -> tuple[str, bool]:
    """Return the type by shape or votes, and whether the shape leaves no doubt."""
    forms, votes = candidate.forms, candidate.votes
    if len(forms) > 1:
        if forms[0] in lists.TITLES or forms[0] + "." in lists.TITLES:
            if forms[-1] not in lists.PLACE_TAILS | lists.ORGANISATION_TAILS:
                return "person", True
        for tails, kind in (
            (lists.PLACE_TAILS, "place"),
            (lists.ORGANISATION_TAILS, "organisation"),
            (lists.EVENT_TAILS, "event"),
        ):
            if forms[-1] in tails and votes["person"] <= votes[kind] + votes["object"]:
                return kind, True
        if forms[0] in lists.MALE_NAMES | lists.FEMALE_NAMES and votes["person"]:
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
