"""String search in Chinese texts, and lookups of words.

Finds many strings in one pass (Aho-Corasick), and asks jieba whether a string is an ordinary word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from . import words as lists

_BLOCK = 20_000


def count_all(text: str, names: Iterable[str]) -> Counter[str]:
    """Return how often each string occurs in the text, overlaps included."""
    counts: Counter[str] = Counter()
    for _, name in iter_found(text, names):
        counts[name] += 1
    return counts


def iter_found(text: str, names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield (start, name) for every occurrence of every name."""
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for name in names:
        automaton.add_word(name, name)
    if len(automaton) == 0:
        return
    automaton.make_automaton()
    for last, name in automaton.iter(text):
        yield last + 1 - len(name), name


def iter_matches(
    pattern: re.Pattern[str], text: str, start: int, end: int
) -> Iterator[re.Match[str]]:
    """Yield the matches, block of lines by block: one scan of a whole novel would hold the GIL."""
    while start < end:
        stop = text.find("\n", min(end, start + _BLOCK), end) + 1 or end
        yield from pattern.finditer(text, start, stop)
        start = stop


def has_surname(name: str) -> bool:
    return name[0] in lists.SURNAMES or name[:2] in lists.DOUBLE_SURNAMES


def is_dictionary_word(name: str) -> bool:
    """Return whether jieba knows the string as an ordinary word."""
    import rjieba

    if not rjieba._DEFAULT_JIEBA.has_word(name):
        return False
    tags = rjieba.tag(name)
    return len(tags) == 1 and tags[0][1][0] in "vdnamcprtfqlibzu" and tags[0][1] not in (
        "nr", "ns", "nt", "nz", "nrt", "nrfg", "b",
    )  # fmt: skip
