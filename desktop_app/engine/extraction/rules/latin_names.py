"""Names in texts in Latin script: which runs of capitalised words are names.

Combines the spans of a tagger (none for languages without one) with counts, contexts and word
lists over the whole document, then locates all occurrences of the accepted names.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations

from ...person_names import looks_like_person
from ..spans import LocatedName, Span, TaggedSpan
from . import latin_words as lists
from .latin_concepts import CODE_VALUES, is_cited, is_manual, is_paper
from .latin_tokens import Words, find_runs, has_english_base_form
from .latin_types import Candidate, count_context, decide_types, is_title
from .latin_words import ABBREVIATIONS

_WORK = re.compile(r"[“\"](?P<name>[A-Z0-9][^“”\"\n]{2,70}?)[”\"]")
# Number of words up to which a text is short: there a name may occur once, at the start of a
# sentence, and the tagger is trusted. In a long text names recur, and what was tagged only once
# is mostly an error. Tuned on pieces of LitBank's first half and half of CoNLL04: the looser rules
# raise F1 of pieces of 200 words (0.861 -> 0.863) and lower it from 450 words on (0.870 -> 0.869).
SHORT_TEXT = 300
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


def find_correspondents(words: Words) -> set[int]:
    """Return the offsets of names in greetings and signatures: "Dear Margaret," and "Love, Ilse".

    Words of the dictionary are left out (Dear Colleagues), except common first names.
    """
    if not words.forms:
        return set()
    found: set[int] = set()
    for pattern in (_GREETED, _SIGNED):
        for match in pattern.finditer(words.text, words.starts[0], words.ends[-1]):
            forms = match["name"].split()
            known = forms[0] in lists.FEMALE_NAMES | lists.MALE_NAMES
            if known or not any(has_english_base_form(form.strip(".")) for form in forms):
                found.add(match.start("name"))
    return found


def tagged_types(words: Words, first: int, stop: int, tagged: Sequence[TaggedSpan]) -> list[str]:
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
    words: Words, first: int, stop: int, tagged: Sequence[TaggedSpan]
) -> list[tuple[int, int, str]]:
    """Return the parts of a run that the tagger marked: "Mykola Bahrov" after a long title.

    Each is (first word, last word + 1, type); parts that extend beyond the run are left out.
    """
    start, end = words.starts[first], words.ends[stop - 1]
    index = bisect_left(tagged, start, key=lambda span: span.start)
    parts: list[tuple[int, int, str]] = []
    while index < len(tagged) and tagged[index].start < end:
        span = tagged[index]
        a, b = bisect_left(words.starts, span.start), bisect_left(words.starts, span.end)
        while a < b and not words.is_capital(a):
            a += 1
        if first <= a < b <= stop and not all(words.all_caps[k] for k in range(a, b)):
            b += b < stop and words.forms[b] in _TAILS  # Camden of Camden Library
            parts.append((a, b, span.type))
        index += 1
    return parts


def split_run(
    words: Words, first: int, stop: int, tagged: Sequence[TaggedSpan]
) -> list[tuple[int, int]]:
    """Return the names in a run, without words at its ends that are not part of a name."""
    names: list[tuple[int, int]] = []
    while True:
        name, rest = _take_name(words, first, stop, tagged)
        names += name
        if rest is None:
            return names
        first, stop = rest


def _take_name(
    words: Words, first: int, stop: int, tagged: Sequence[TaggedSpan]
) -> tuple[list[tuple[int, int]], tuple[int, int] | None]:
    """Return the first name of a run, if it has one, and the rest that may have others."""

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
        may_begin = not words.initial[first] and form.lower() not in lists.NEVER_FIRST
        if form not in ("The", "A", "An") and not nothing_else and may_begin:
            at = bisect_left(tagged, words.starts[first], key=lambda span: span.start)
            exact = any(span.start == words.starts[first] for span in tagged[at : at + 1])
            if exact and tagged_types(words, first, stop, tagged):
                break
        first += 1
    first = _skip_head_word(words, first, stop, tagged)
    while first < stop and (
        words.forms[stop - 1] in lists.CONNECTORS
        or (words.is_common(words.forms[stop - 1]) and _is_removable(words, first, stop, tagged))
    ):
        stop -= 1
    if first >= stop or all(words.all_caps[k] for k in range(first, stop)):
        return [], None
    for middle in range(first + 1, stop):
        if words.forms[middle] == words.forms[middle - 1]:
            return [(first, middle)], (middle, stop)
        # "Mr. Darcy Elizabeth" and "Bob Mrs. Cratchit": a title starts a new name.
        if words.forms[middle] in lists.SPLITTERS and middle + 1 < stop and not titled(middle - 1):
            return [(first, middle)], (middle, stop)
    if stop - first > 8:
        return [], None
    return [(first, stop)], None


def find_authors(words: Words, first: int, stop: int) -> list[tuple[int, int]]:
    """Return the surnames of a cited work that are joined by "&"; none of other names."""
    joints = [
        at
        for at in range(first + 1, stop)
        if words.text[words.ends[at - 1] : words.starts[at]].strip() == "&"
    ]
    if not joints or not is_cited(words, first, stop):
        return []
    return list(zip([first, *joints], [*joints, stop], strict=True))


def _skip_head_word(words: Words, first: int, stop: int, tagged: Sequence[TaggedSpan]) -> int:
    """Return the start of a run without a capitalised verb: "Remind Joanna Kerr" at "Joanna"."""
    if stop - first < 2 or not words.initial[first] or is_title(words.forms[first]):
        return first
    start, end = words.starts[first], words.ends[stop - 1]
    if is_title(words.forms[first + 1]) and first + 2 < stop:
        known = words.forms[first] in lists.FEMALE_NAMES | lists.MALE_NAMES
        return first if known or not has_english_base_form(words.forms[first]) else first + 1
    at = bisect_left(tagged, start, key=lambda span: span.start)
    if at and tagged[at - 1].end > start:
        return first
    if at < len(tagged) and tagged[at].start == words.starts[first + 1] and tagged[at].end >= end:
        return first + 1
    return first


def _is_removable(words: Words, first: int, stop: int, tagged: Sequence[TaggedSpan]) -> bool:
    """Return whether the last, common word of a run is not part of a name."""
    if stop - first == 1:
        return True
    last = words.forms[stop - 1]
    if last in _TAILS | lists.EVENT_TAILS or _ROMAN.fullmatch(last):
        return False
    end = words.ends[stop - 1]
    index = max(0, bisect_left(tagged, end, key=lambda span: span.start) - 1)
    return not (index < len(tagged) and tagged[index].start < end <= tagged[index].end)


def vote_by_definition(words: Words, candidates: dict[tuple[str, ...], Candidate]) -> None:
    """Add votes for types from definitions: "X is a German film", "X was a queen of"."""
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
    """Return the name at the start of the sentence, skipping insertions like "(1820 - 1875)"."""
    for back in range(index - 1, max(-1, index - 25), -1):
        if words.initial[back] and words.is_capital(back):
            stop = back
            while stop < index and words.is_capital(stop):
                stop += 1
            return tuple(words.forms[back:stop])
    return ()


_HEAD_TYPES = {
    **dict.fromkeys(lists.PLACE_HEADS, "place"),
    **dict.fromkeys(lists.ORGANISATION_HEADS, "organisation"),
    **dict.fromkeys(lists.EVENT_HEADS, "event"),
    **dict.fromkeys(lists.OBJECT_HEADS, "object"),
    **dict.fromkeys(lists.PERSON_HEADS, "person"),
}


@dataclass(slots=True)
class NameTable:
    """Types of the accepted names, by their words; `trusted` has the offsets the tagger marked."""

    types: dict[tuple[str, ...], str] = field(default_factory=dict)
    trusted: set[int] = field(default_factory=set)


def build_names(
    words: Words, tagged: Sequence[TaggedSpan], *, has_tagger: bool = True
) -> NameTable:
    """Return the names of the document with one type each.

    Args:
        tagged: spans of the tagger, in order.
        has_tagger: there is a tagger for the language; without one the rules are stricter.
    """
    is_scholarly, is_technical = is_paper(words.text), is_manual(words.text)
    accepted, trusted = accept_names(
        words, tagged, has_tagger=has_tagger, splits_authors=is_scholarly
    )
    if is_technical:
        accepted = {
            key: one
            for key, one in accepted.items()
            if len(key) > 1 or key[0].lower() not in CODE_VALUES
        }
    paper = words if is_scholarly or is_technical else None
    types = decide_types(accepted, has_tagger=has_tagger, paper=paper)
    if paper is not None:
        surnames = {key[-1] for key in types if len(key) > 1 and len(key[-1]) > 1}
        types = {
            key: kind
            for key, kind in types.items()
            if not _is_symbol(accepted[key], surnames)
            and (kind == "concept" or not _is_phrase(words, accepted[key]))
        }
    types = {key: kind for key, kind in types.items() if not _is_plural(key, types, accepted)}
    table = NameTable(types, trusted)
    for key in _find_works(words):
        table.types.setdefault(key, "object")
    return table


def accept_names(
    words: Words,
    tagged: Sequence[TaggedSpan],
    *,
    has_tagger: bool,
    counts_all_contexts: bool = False,
    splits_authors: bool = False,
) -> tuple[dict[tuple[str, ...], Candidate], set[int]]:
    """Return the names of the document with their counts, and the offsets the tagger marked.

    Args:
        counts_all_contexts: also the words beside names that types do not depend on, which may
            be learned from.
        splits_authors: "Salemi & Zamani (2024)" is two surnames, not a name such as "Smith & Sons".
    """
    candidates: dict[tuple[str, ...], Candidate] = {}
    trusted: set[int] = set()

    def note(first: int, stop: int, kinds: Sequence[str]) -> None:
        key = tuple(words.forms[first:stop])
        candidate = candidates.setdefault(key, Candidate(key))
        if words.initial[first] or words.all_caps[first]:
            candidate.n_initial += 1
        else:
            candidate.n_inside += 1
        count_context(words, first, stop, candidate, counts_all=counts_all_contexts)
        for kind in kinds:
            candidate.votes[kind] += 1
            trusted.add(words.starts[first])

    correspondents = find_correspondents(words)
    for first, stop in find_runs(words, tagged):
        if words.in_capitals:  # in such a line only the tagger finds the ends of names
            for a, b, kind in find_tagged_inside(words, first, stop, tagged):
                note(a, b, [kind])
            continue
        for a, b in split_run(words, first, stop, tagged):
            authors = find_authors(words, a, b) if splits_authors else []
            if authors:  # the tagger takes them for a company
                for c, d in authors:
                    note(c, d, ["person"])
                continue
            kinds = tagged_types(words, a, b, tagged)
            if not kinds and words.starts[a] in correspondents:
                kinds = ["person"]
            note(a, b, kinds)
            if not kinds:
                for c, d, kind in find_tagged_inside(words, a, b, tagged):
                    # in a long text a name of one word also occurs alone
                    if d - c > 1 or len(words) <= SHORT_TEXT:
                        note(c, d, [kind])
    vote_by_definition(words, candidates)
    accepted = {
        key: candidate
        for key, candidate in candidates.items()
        if _is_name(words, candidate, has_tagger)
    }
    _accept_related_names(words, candidates, accepted)
    return accepted, trusted


def _is_plural(
    key: tuple[str, ...],
    types: Mapping[tuple[str, ...], str],
    accepted: Mapping[tuple[str, ...], Candidate],
) -> bool:
    """Return whether a name is that of several people: "two Thomas Penhallows", "the Miss Reeds".

    The name of one of them is there too, at least as often, without the plural ending: "Mr. Sikes"
    is no plural of one misprint.
    """
    if types[key] != "person" or len(key) < 2 or not key[-1].endswith("s"):
        return False
    singulars = [(*key[:-1], key[-1][:-1])]
    if key[-1].endswith("es"):
        singulars.append((*key[:-1], key[-1][:-2]))
    return any(
        types.get(one) == "person" and accepted[one].n >= accepted[key].n for one in singulars
    )


def _find_works(words: Words) -> set[tuple[str, ...]]:
    """Return titles of works in quotation marks; speech is excluded by its final punctuation."""
    found: set[tuple[str, ...]] = set()
    if not words.forms:
        return found
    counted: set[str] | None = None
    for match in _WORK.finditer(words.text, words.starts[0], words.ends[-1]):
        name = match["name"].strip()
        if name[-1] in ".,!?;:-—'’" or name.isupper():
            continue
        first = bisect_left(words.starts, match.start("name"))
        stop = bisect_left(words.starts, match.end("name"))
        forms = words.forms[first:stop]
        big = [form for form in forms if form[0].isupper() or form[0].isdigit()]
        small = [form for form in forms if form not in big and form not in lists.CONNECTORS]
        if not (1 < len(forms) <= 10 and len(big) >= 2 and len(small) <= len(forms) // 4):
            continue
        if len(forms) == 2 and forms[1].isdigit():
            counted = _find_counted_parts(words) if counted is None else counted
            if forms[0] in counted:
                continue
        found.add(tuple(forms))
    return found


def _find_counted_parts(words: Words) -> set[str]:
    """Return the words that count the parts of something: "Chapter 1" and "Chapter 2".

    A word of the dictionary that the text also has in lower case stands before a number and before
    the next one. A name does so only in a series ("Apollo 11", "Apollo 12"), and is never in lower
    case; "Route 66" has no Route 65 or 67 beside it.
    """
    numbers: dict[str, set[int]] = defaultdict(set)
    for index in range(1, len(words)):
        form, before = words.forms[index], words.forms[index - 1]
        if not (len(form) < 4 and form.isascii() and form.isdigit() and before[0].isupper()):
            continue
        if words.text[words.ends[index - 1] : words.starts[index]].isspace():
            numbers[before].add(int(form))
    return {
        form
        for form, own in numbers.items()
        if any(number + 1 in own for number in own)
        and words.n_lower[form.lower()]
        and has_english_base_form(form)
    }


def _is_name(words: Words, candidate: Candidate, has_tagger: bool) -> bool:
    forms, n_votes = candidate.forms, sum(candidate.votes.values())
    if _is_section_title(candidate):
        return False
    if is_title(forms[0]):
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


def _is_section_title(candidate: Candidate) -> bool:
    """Return whether a name is the title of several numbered sections: "5.1 Overview".

    More than half of its occurrences are such titles: the subject of a section is also named in
    its sentences.
    """
    return (
        len(candidate.section_numbers) > 1
        and 2 * candidate.n_sections > candidate.n
        and all(map(has_english_base_form, candidate.forms))
    )


def _is_phrase(words: Words, candidate: Candidate) -> bool:
    """Return whether a name of a paper is a heading, an emphasised phrase, or lone initials.

    Such a name ("New Data", "T.A.") is there once, and its words, which are words of the
    dictionary or letters, are also in lower case in the paper.
    """
    forms = [form for form in candidate.forms if form not in lists.CONNECTORS]
    return (
        candidate.n == 1
        and len(forms) > 1
        and all(words.n_lower[form.lower()] for form in forms)
        and all(len(form) == 1 or has_english_base_form(form) for form in forms)
    )


def _is_symbol(candidate: Candidate, surnames: Set[str]) -> bool:
    """Return whether a name of a paper is one or two letters of a formula, such as "D̂" or "Di".

    A surname of two letters is cited somewhere ("Xu et al.") or ends a longer name ("Hua Xu"), an
    abbreviation is in capitals.
    """
    form = candidate.forms[0]
    letters = [char for char in form if char.isalpha() and unicodedata.category(char) != "Lm"]
    is_short = len(candidate.forms) == 1 and len(letters) <= 2 and not re.search(r"\d", form)
    is_known = candidate.n_cited > 0 or form in surnames
    return is_short and not is_known and not (len(letters) == 2 and form.isupper())


def _is_single_name(words: Words, candidate: Candidate, has_tagger: bool) -> bool:
    form, n_votes = candidate.forms[0], sum(candidate.votes.values())
    low = form.lower()
    is_short = has_tagger and len(words) <= SHORT_TEXT
    if len(form) < 2 or _ROMAN.fullmatch(form):
        return False
    emphatic = form.isupper() and len(form) > 5 and not words.in_capitals
    if emphatic and not (is_short and n_votes >= 0.5 * candidate.n):
        return False
    if candidate.n_numbered >= 0.5 * candidate.n and has_english_base_form(form):
        return False  # "Figure 3", "Table 2", "Act 1": the label of a part, not a name
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
        # "Pillows, books, a footstool" and "Speakers were heard": never inside a sentence.
        known = known or candidate.votes["place"] == n_votes  # London and Georgia are words too
        known = known or (is_short and n_votes > candidate.votes["object"])
        if not known and has_english_base_form(form):
            return False
        return lower == 0 and n_votes >= 0.5 * candidate.n
    if lower == 0:
        return n_votes >= 0.1 * candidate.n
    return share > 0.6 and n_votes >= 0.3 * candidate.n


def _may_be_word(form: str) -> bool:
    """Return whether a form may not be a name: a word, an abbreviation, "A7"."""
    return form.isupper() or not form.isalpha() or has_english_base_form(form)


def _stands_without_the(candidate: Candidate) -> bool:
    """Return whether X is a name although it follows "the": the IRS, the Thames, the Ghost."""
    form, votes = candidate.forms[0], candidate.votes
    if candidate.n_speaks >= 3 or candidate.n_inside - candidate.n_the >= 3:
        return True
    if form.isupper() and votes.total():
        return True
    return votes["place"] + votes["person"] > votes["organisation"]


def _accept_related_names(
    words: Words,
    candidates: dict[tuple[str, ...], Candidate],
    accepted: dict[tuple[str, ...], Candidate],
) -> None:
    """Accept candidates that share a rare word with an accepted name: "Scrooge", "Mr. Scrooge"."""
    parts = Counter(
        form
        for key in accepted
        if len(key) > 1
        for form in key
        if form not in lists.TITLES and not words.is_common(form)
    )
    heads = Counter(key[-1] for key in accepted if len(key) > 1)
    for key, candidate in candidates.items():
        if key in accepted:
            continue
        rare = [form for form in key if parts[form]]
        if not rare or any(words.n_lower[form.lower()] for form in rare):
            continue
        parts_of_key = (key[a:b] for a, b in combinations(range(len(key) + 1), 2) if b > a + 1)
        if any(part in accepted for part in parts_of_key):
            continue  # "Commissioner Tilda Marsh" contains a name and is none
        # "The Company" is a word for the one that has the name ("Quenby Ferry Company").
        is_head = len(key) == 1 and candidate.n_the > 0.6 * candidate.n and heads[key[0]]
        if is_head and has_english_base_form(key[0]) and candidate.n_speaks < 3:
            continue
        if len(key) == 1 or candidate.n_inside:
            accepted[key] = candidate


def locate_names(words: Words, table: NameTable) -> list[LocatedName]:
    """Return all occurrences of the accepted names, in order, without overlaps."""
    by_first: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for key in table.types:
        by_first[key[0]].append(key)
    for keys in by_first.values():
        keys.sort(key=len, reverse=True)
    in_capitals = {key[0].upper(): key for key in table.types if len(key) == 1 and len(key[0]) > 3}
    found: list[LocatedName] = []
    seen: set[tuple[str, ...]] = set()
    index = 0
    while index < len(words):
        match = _match(words, index, by_first, table)
        if match is None and not words.all_caps[index]:
            match = in_capitals.get(words.forms[index])
        if match is None:
            index += 1
            continue
        start, end = words.starts[index], words.ends[index + len(match) - 1]
        dotted = len(match) > 1 and all(len(form) == 1 for form in match)  # U.S.
        if dotted or match[-1] in ABBREVIATIONS | {"Jr", "Sr", "Inc", "Ltd"}:
            end += words.text[end : end + 1] == "."
        name = " ".join(words.text[start:end].split())
        found.append(LocatedName(start, end, name, table.types[match], match not in seen))
        seen.add(match)
        index += len(match)
    return found


def locate_people(
    text: str, span: Span, located: Sequence[LocatedName], people: Sequence[str]
) -> list[LocatedName]:
    """Return the located names with all occurrences of names that are known to be of persons.

    The tagger reads prose: in a line of authors it misses names, or joins two of them. A known name
    replaces the located names that overlap it, except one that only adds a title to it.

    Args:
        people: whole names. Those of one word and of organisations are left out, because they may
            stand for something else in the text.
    """
    names = {" ".join(name.split()): name for name in people if looks_like_person(name)}
    if not names:
        return list(located)
    # the longest first, as "Ann Lee Moor" contains "Ann Lee"; a superscript may follow a name
    words = (r"\s+".join(map(re.escape, name.split())) for name in sorted(names, key=len)[::-1])
    pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join(words)})(?![^\W\d_]|[-’'][^\W\d_])")
    found = []
    for match in pattern.finditer(text, *span):
        if "\n\n" in match.group():
            continue
        found.append(LocatedName(*match.span(), " ".join(match.group().split()), "person"))
    kept: list[LocatedName] = []
    index = 0
    for name in located:
        while index < len(found) and found[index].end <= name.start:
            index += 1
        if index == len(found) or name.end <= found[index].start:
            kept.append(name)
            continue
        known = found[index]
        before, after = text[name.start : known.start], text[known.end : name.end]
        is_longer = name.start <= known.start and known.end <= name.end
        has_title = all(map(is_title, before.split())) and not after.strip(" .")
        if name.type == "person" and is_longer and has_title:
            kept.append(name)
            del found[index]
    seen: set[str] = set()
    merged = []
    for name in sorted([*kept, *found], key=lambda name: name.start):
        merged.append(replace(name, first=name.first or name.name not in seen))
        seen.add(name.name)
    return merged


def _match(
    words: Words, index: int, by_first: dict[str, list[tuple[str, ...]]], table: NameTable
) -> tuple[str, ...] | None:
    for key in by_first.get(words.forms[index], ()):
        stop = index + len(key)
        if tuple(words.forms[index:stop]) != key:
            continue
        inner = words.text[words.starts[index] : words.ends[stop - 1]]
        if "\n\n" in inner or any(ch in '!?"“”;' for ch in inner):
            continue
        doubtful = len(key) == 1 and words.initial[index] and words.n_lower[key[0].lower()] > 0
        tagged = words.starts[index] in table.trusted
        if doubtful and not tagged and words.capital_share(key[0]) < 0.8:
            continue
        return key
    return None
