"""The head of a letter: its sender and receivers are persons, whatever a tagger takes them for.

A letter begins with lines such as "From: Zhang Wei <wei@example.org>" (`text/readers/mail.py`
writes them). A name before an address is that of a person, unless the name or the address says that
it is an organisation, a machine or a mailing list.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...model import BACKWARD, FORWARD, WRITES, ClaimedRelation
from ...word_lists import WordLists
from ...writing_systems import count_han
from ..spans import LocatedName, Span

_LISTS = WordLists("mail")
_NO_PERSON = _LISTS.words("no_person")
_NO_PERSON_ENDINGS = _LISTS.in_order("no_person_endings")
_SHARED = _LISTS.words("shared_addresses")
_LIST_ENDINGS = _LISTS.in_order("list_endings")
_PROVIDERS = _LISTS.words("personal_providers")
_LABELS = "|".join(_LISTS.in_order("people_labels"))
_LINE = re.compile(rf"({_LABELS}|List|Date|Subject|Attachments): ?([^\n]*)(?:\n|\Z)")
_PERSON = re.compile(r"\s*([^<>,;\n][^<>;\n]*?)\s*<([^<>\s@]+)@([^<>\s@]+)>\s*(?:,|$)")
_MAX_HEAD_CHARS = 60_000
_MAX_NAME_CHARS = 60
_MAX_WORDS = 5
_MAX_HAN = 4  # characters of a Chinese name; longer ones are names of other peoples or of firms
_LIST_PLACES = re.compile(r"(?:^|\.)(?:lists?|groups?|listserv|mailman|googlegroups)\.")


@dataclass(frozen=True, slots=True)
class MailHead:
    """The head of a letter.

    Attributes:
        start, end: of the lines with people.
        people: start, end and name of each person in them, in order.
        senders, receivers: names of those who wrote the letter, and of those to whom.
        sent_end: end of the line with the date; `end` without one.
    """

    start: int
    end: int
    people: tuple[tuple[int, int, str], ...]
    senders: frozenset[str]
    receivers: frozenset[str]
    sent_end: int


def find_mail_head(text: str, start: int) -> MailHead | None:
    """Return the head of the letter that begins at an offset; None if no letter does.

    A letter names a sender or receiver with an address in its first line.
    """
    if not text.startswith(("From: ", "To: "), start):
        return None
    first_line = text[start : text.find("\n", start) if "\n" in text[start:] else len(text)]
    if "@" not in first_line:
        return None
    people: list[tuple[int, int, str]] = []
    by_label: dict[str, set[str]] = defaultdict(set)
    at = end = sent_end = start
    while at - start < _MAX_HEAD_CHARS and (line := _LINE.match(text, at)) is not None:
        label, at = line.group(1), line.end()
        if label in ("List", "Date", "Subject", "Attachments"):
            sent_end = line.end(2) if label == "Date" else sent_end
            continue
        end = line.end(2)
        for found in _PERSON.finditer(text, line.start(2), line.end(2)):
            name, local, domain = found.group(1), found.group(2), found.group(3)
            if is_person(name, local, domain):
                people.append((found.start(1), found.start(1) + len(name), name))
                by_label[label].add(name)
    senders, receivers = by_label["From"], by_label["To"] | by_label["Cc"]
    return MailHead(
        start, end, tuple(people), frozenset(senders), frozenset(receivers), max(end, sent_end)
    )


def is_person(name: str, local: str, domain: str) -> bool:
    """Return whether a name in the head of a letter is that of a person.

    Args:
        local, domain: of the address, before and after the "@".
    """
    local, domain = local.lower(), domain.lower()
    words = [word.strip(".,()\"'“”") for word in name.lower().split()]
    if not 0 < len(name) <= _MAX_NAME_CHARS or len(words) > _MAX_WORDS:
        return False
    if any(char.isdigit() or char in "@/[]|_&" for char in name):
        return False
    if local in _SHARED or local.endswith(_LIST_ENDINGS) or _LIST_PLACES.search(domain):
        return False
    if n_han := count_han(name):
        is_long = n_han > _MAX_HAN or n_han < 2
        return not is_long and not name.endswith(_NO_PERSON_ENDINGS)
    if not all(word and word[0].isalpha() for word in words) or _NO_PERSON.intersection(words):
        return False
    # "Amazon <orders@amazon.com>" has the name of the place, "Bob Grey <bob@grey.org>" his own, too
    parts = [part for part in domain.split(".")[:-1] if part not in _PROVIDERS]
    is_place = "".join(words) in parts or any(word in parts for word in words)
    names_himself = any(word in local for word in words if len(word) > 1 and word not in parts)
    return not is_place or names_himself


def merge_mail_people(
    text: str, end: int, head: MailHead, located: Sequence[LocatedName]
) -> list[LocatedName]:
    """Return the names of a letter with the people of its head as persons, also in its text.

    Args:
        end: of the letter.
        located: names that the rules for texts found, in order.
    """
    spans = {(a, b): name for a, b, name in head.people}
    for person in dict.fromkeys(spans.values()):
        if not _is_full_name(person):
            continue  # a given name alone may be anybody's in the text
        pattern = re.compile(rf"(?<![^\W_]){re.escape(person)}(?![^\W_])")
        if count_han(person):
            pattern = re.compile(re.escape(person))
        for found in pattern.finditer(text, head.end, end):
            spans[found.span()] = person
    covered = sorted(spans)
    kept = [
        name
        for name in located
        if not (head.start <= name.start < head.end) and not _overlaps(name, covered)
    ]
    found_names = {name.name for name in kept if name.first}
    merged = [LocatedName(a, b, spans[a, b], "person") for a, b in covered] + kept
    merged.sort(key=lambda name: name.start)
    seen: set[str] = set()
    result: list[LocatedName] = []
    for name in merged:
        is_first = name.name not in seen and (name.first or name.name not in found_names)
        seen.add(name.name)
        result.append(LocatedName(name.start, name.end, name.name, name.type, is_first))
    return result


def state_who_writes(
    relations: Sequence[ClaimedRelation], head: MailHead, chunk: Span
) -> tuple[ClaimedRelation, ...]:
    """Return the relations of a chunk; those of the sender with the receivers say that he writes.

    Their sentence is the head with the date, also if both are named together in the letter.
    """
    if not chunk[0] <= head.start <= head.sent_end <= chunk[1]:
        return tuple(relations)
    made: list[ClaimedRelation] = []
    for one in relations:
        if one.source in head.senders and one.target in head.receivers:
            direction = FORWARD
        elif one.target in head.senders and one.source in head.receivers:
            direction = BACKWARD
        else:
            made.append(one)
            continue
        made.append(
            replace(
                one,
                start=head.start,
                end=head.sent_end,
                keywords=(),  # between the names are addresses
                kind=WRITES,
                confidence=1.0,
                direction=direction,
            )
        )
    return tuple(made)


def join_head_sentences(sentences: Sequence[Span], head: MailHead) -> list[Span]:
    """Return the sentences with the lines of people as one: all of them had this letter."""
    kept = [one for one in sentences if one[0] >= head.end]
    crossing = [one for one in sentences if one[0] < head.end < one[1]]
    end = max([head.end, *(last for _, last in crossing)]) if crossing else head.end
    return [(head.start, end), *kept]


def _is_full_name(name: str) -> bool:
    return len(name.split()) > 1 or 2 <= count_han(name) <= _MAX_HAN


def _overlaps(name: LocatedName, spans: Sequence[Span]) -> bool:
    return any(a < name.end and name.start < b for a, b in spans)
