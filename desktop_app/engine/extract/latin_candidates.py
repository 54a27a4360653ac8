"""What each capital run of a Latin-script text shows: its parts, its neighbours, its definition.

Owns the cutting of runs into possible names and the counting of what stands around them;
`latin_names` decides which of them are names.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from . import english_words as lists
from .english_dictionary import is_english_word
from .latin_tokens import Words
from .spans import Tagged

_ROMAN = re.compile(r"[IVXLC]+\.?")
_TAILS = lists.PLACE_TAILS | lists.ORGANISATION_TAILS
_NAME = r"(?P<name>[A-Z][\w.’'-]*(?:[ ][A-Z][\w.’'-]*){0,3})"
_GREETED = re.compile(
    rf"^[ \t>“\"]*(?:[Mm]y )?(?:Dear|Dearest|Hi|Hello|Hey) {_NAME}(?=[ \t]*(?:[,:!—–-]|$))", re.M
)
_SIGNED = re.compile(
    r"(?:^[ \t>]*|[.!?][ \t]+)(?:(?:With )?(?:[Ll]ots of |[Mm]uch )?[Ll]ove|Your(?: \w+){1,3}|"
    r"Yours(?: \w+){0,2}|(?:Best |Kind |Warm |With kind )?[Rr]egards|Best(?: wishes)?|Cheers|"
    rf"Sincerely(?: yours)?|(?:Many )?[Tt]hanks),\s{{1,3}}{_NAME}[ \t]*$",
    re.M,
)


@dataclass(slots=True)
class Candidate:
    """Everything seen of one possible name."""

    forms: tuple[str, ...]
    votes: Counter[str] = field(default_factory=Counter)
    n_inside: int = 0
    n_initial: int = 0
    n_speaks: int = 0
    n_at: int = 0
    n_the: int = 0

    @property
    def n(self) -> int:
        return self.n_inside + self.n_initial


def note_context(words: Words, first: int, stop: int, candidate: Candidate) -> None:
    """Count what only people do, and what only stands before places."""
    before = words.forms[first - 1] if first else ""
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
    after = words.forms[stop] if stop < len(words) else ""
    if before in lists.SPEECH or after in lists.SPEECH:
        candidate.n_speaks += 1
    if before in lists.PLACE_BEFORE and not words.initial[first]:
        candidate.n_at += 1


def find_correspondents(words: Words) -> set[int]:
    """Return where a letter names its reader or writer: "Dear Margaret," and "Love, Ilse".

    Words of the dictionary are left out (Dear Colleagues), but for common first names.
    """
    if not words.forms:
        return set()
    found: set[int] = set()
    for pattern in (_GREETED, _SIGNED):
        for match in pattern.finditer(words.text, words.starts[0], words.ends[-1]):
            forms = match["name"].split()
            known = forms[0] in lists.FEMALE_NAMES | lists.MALE_NAMES
            if known or not any(is_english_word(form.strip(".")) for form in forms):
                found.add(match.start("name"))
    return found


def types_at(words: Words, first: int, stop: int, tagged: Sequence[Tagged]) -> list[str]:
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


def find_tagged_inside(
    words: Words, first: int, stop: int, tagged: Sequence[Tagged]
) -> list[tuple[int, int, str]]:
    """Return the parts of a run that the tagger saw as names: "Mykola Bahrov" behind a long title.

    Each is (first word, last word + 1, type); a part that reaches over the run's ends is left out.
    """
    start, end = words.starts[first], words.ends[stop - 1]
    index = bisect_left(tagged, start, key=lambda span: span.start)
    parts: list[tuple[int, int, str]] = []
    while index < len(tagged) and tagged[index].start < end:
        span = tagged[index]
        a, b = bisect_left(words.starts, span.start), bisect_left(words.starts, span.end)
        while a < b and not words.is_capital(a):
            a += 1
        if first <= a < b <= stop and not all(words.shouted[k] for k in range(a, b)):
            b += b < stop and words.forms[b] in _TAILS  # Camden of Camden Library
            parts.append((a, b, span.type))
        index += 1
    return parts


def split_run(
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
            inner = types_at(words, first, stop, tagged)
            exact = any(span.start == words.starts[first] for span in _near(words, first, tagged))
            if (
                inner
                and exact
                and not words.initial[first]
                and form.lower() not in lists.NEVER_FIRST
            ):
                break
        first += 1
    first = _skip_head_word(words, first, stop, tagged)
    while first < stop and (
        words.forms[stop - 1] in lists.CONNECTORS
        or (words.is_common(words.forms[stop - 1]) and _droppable(words, first, stop, tagged))
    ):
        stop -= 1
    if first >= stop or all(words.shouted[k] for k in range(first, stop)):
        return []
    for middle in range(first + 1, stop):
        if words.forms[middle] == words.forms[middle - 1]:
            return [(first, middle), *split_run(words, middle, stop, tagged)]
        # "Mr. Darcy Elizabeth" and "Bob Mrs. Cratchit": a title starts a new name.
        if words.forms[middle] in lists.SPLITTERS and middle + 1 < stop and not titled(middle - 1):
            return [(first, middle), *split_run(words, middle, stop, tagged)]
    if stop - first > 8:
        return []
    return [(first, stop)]


def _skip_head_word(words: Words, first: int, stop: int, tagged: Sequence[Tagged]) -> int:
    """Return where a run begins without the sentence's capital: "Remind Joanna Kerr" at Joanna."""
    if stop - first < 2 or not words.initial[first] or _is_title(words.forms[first]):
        return first
    start, end = words.starts[first], words.ends[stop - 1]
    if _is_title(words.forms[first + 1]) and first + 2 < stop:
        known = words.forms[first] in lists.FEMALE_NAMES | lists.MALE_NAMES
        return first if known or not is_english_word(words.forms[first]) else first + 1
    at = bisect_left(tagged, start, key=lambda span: span.start)
    if at and tagged[at - 1].end > start:
        return first
    if at < len(tagged) and tagged[at].start == words.starts[first + 1] and tagged[at].end >= end:
        return first + 1
    return first


def _is_title(form: str) -> bool:
    return form in lists.TITLES or form + "." in lists.TITLES


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


def vote_by_definition(words: Words, candidates: dict[tuple[str, ...], Candidate]) -> None:
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
