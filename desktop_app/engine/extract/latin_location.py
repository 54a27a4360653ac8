"""Where accepted names stand: the longest match over the words, with a guard on capitals.

Owns exact offsets for Latin scripts. A name seen tagged once is found everywhere; a word
that also lives in lower case counts at the head of a sentence only where a tagger agreed.
"""

from __future__ import annotations

from collections import defaultdict

from .english_words import ABBREVIATIONS
from .latin_names import NameTable
from .latin_tokens import Words
from .spans import Located


def locate_names(words: Words, table: NameTable) -> list[Located]:
    """Return every place of every accepted name, without overlaps, in order."""
    by_first: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for key in table.types:
        by_first[key[0]].append(key)
    for keys in by_first.values():
        keys.sort(key=len, reverse=True)
    shouted = {key[0].upper(): key for key in table.types if len(key) == 1 and len(key[0]) > 3}
    found: list[Located] = []
    seen: set[tuple[str, ...]] = set()
    index = 0
    while index < len(words):
        key = _match(words, index, by_first, table)
        if key is None and not words.shouted[index]:
            key = shouted.get(words.forms[index])
        if key is None:
            index += 1
            continue
        start, end = words.starts[index], words.ends[index + len(key) - 1]
        dotted = len(key) > 1 and all(len(form) == 1 for form in key)  # U.S.
        if dotted or key[-1] in ABBREVIATIONS | {"Jr", "Sr", "Inc", "Ltd"}:
            end += words.text[end : end + 1] == "."
        name = " ".join(words.text[start:end].split())
        found.append(Located(start, end, name, table.types[key], key not in seen))
        seen.add(key)
        index += len(key)
    return found


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
