"""Names that are nearly spelt alike, and Chinese names that sound alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from ...errors import said
from .facts import Hint
from .forms import MAX_BLOCK, Form, Forms, group, iter_pairs

_MIN_LENGTH = 5
_LONG_WORD = 10  # a single word that may have two slips
_LONG_NAME = 12
_MOST_SLIPS = 2
_NUMBER = re.compile(
    r"\d+|\b[ivxlc]+\b|\b(?:first|second|third|fourth|fifth|junior|senior|jr|sr)\b"
)


def propose_spellings(forms: Forms) -> Iterator[Hint]:
    """Propose names one slip apart, two where they are long ("Pyncheon", "Pynchon")."""
    seen: set[tuple[int, int]] = set()
    for block in (*_one_slip_apart(forms), *_a_slip_a_word(forms)):
        if not 1 < len(block) <= MAX_BLOCK // 8:
            continue
        for a, b in iter_pairs(block):
            two = (a.id, b.id) if a.id < b.id else (b.id, a.id)
            left, right = " ".join(a.words), " ".join(b.words)
            if two in seen or left == right or _differ_in_kind(left, right):
                continue
            slips = DamerauLevenshtein.distance(left, right, score_cutoff=_MOST_SLIPS)
            if slips > _MOST_SLIPS:
                continue
            seen.add(two)
            length = min(len(left), len(right))
            strength = min(0.8, 0.35 + 0.05 * (length - _MIN_LENGTH)) - 0.2 * (slips - 1)
            if strength > 0.2:
                text = said(
                    f"“{a.name}” and “{b.name}” differ by {slips} letters"
                    if slips > 1
                    else f"“{a.name}” and “{b.name}” differ by {slips} letter"
                )
                yield Hint(a.id, b.id, "spelling", strength, text)


def _one_slip_apart(forms: Forms) -> list[list[Form]]:
    """Return names that share a form with one letter left out; two where one word is long."""
    blocks: dict[str, list[Form]] = defaultdict(list)
    for form in forms.latin:
        text = " ".join(form.words)
        if len(text) >= _MIN_LENGTH:
            once = {text[:cut] + text[cut + 1 :] for cut in range(len(text))} | {text}
            if len(form.words) == 1 and len(text) >= _LONG_WORD:
                once |= {f[:cut] + f[cut + 1 :] for f in once for cut in range(len(f))}
            for key in once:
                blocks[key].append(form)
    return list(blocks.values())


def _a_slip_a_word(forms: Forms) -> list[list[Form]]:
    """Return long names of which each word is one slip from the other's at the same place.

    "Elisabeth Bennett" and "Elizabeth Bennet" differ twice; left out of each word, both letters
    are found without trying every two.
    """
    alike: dict[str, list[str]] = defaultdict(list)
    long = [f for f in forms.latin if len(f.words) > 1 and sum(map(len, f.words)) >= _LONG_NAME]
    words = {word for form in long for word in form.words}
    for word in words:
        if len(word) >= _MIN_LENGTH:
            for cut in range(len(word)):
                alike[word[:cut] + word[cut + 1 :]].append(word)
            alike[word].append(word)
    stands_for = {word: word for word in words}

    def find(word: str) -> str:
        while stands_for[word] != word:
            word = stands_for[word]
        return word

    for near in alike.values():
        for other in near[1:]:
            one, two = sorted((find(near[0]), find(other)))
            stands_for[two] = one
    return group(long, [tuple(map(find, form.words)) for form in long])


def _differ_in_kind(left: str, right: str) -> bool:
    """Say whether the difference has a meaning: a plural, a number, another first letter."""
    if left[0] != right[0] or _NUMBER.findall(left) != _NUMBER.findall(right):
        return True
    short, long = sorted((left, right), key=len)
    return long in (short + "s", short + "es", short + "n", short + "e")


def propose_sounds(forms: Forms) -> Iterator[Hint]:
    """Propose Chinese names of one reading: variants, traditional forms and slips."""
    names = [form for form in forms.han if 2 <= len(form.key) <= 8]
    for block in group(names, [read_aloud(form.key) for form in names]):
        for a, b in iter_pairs(block):
            if a.key == b.key:
                continue
            counts = sorted(forms.facts[form.id].n_mentions for form in (a, b))
            n_same = sum(x == y for x, y in zip(a.key, b.key, strict=False))
            strength = 0.45 + 0.3 * n_same / len(a.key) if n_same else 0.3
            if len(a.key) > 2:
                strength += 0.1
            if counts[0] > 0.1 * counts[1] and counts[0] > 3:
                strength -= 0.3  # 张青 and 张清 are each named all over the book
            text = said(f"“{a.name}” and “{b.name}” are read alike ({read_aloud(a.key)})")
            yield Hint(a.id, b.id, "pinyin", strength, text)


@lru_cache(maxsize=65536)
def read_aloud(name: str) -> str:
    """Return the syllables of a Chinese name without tones."""
    from pypinyin import lazy_pinyin

    return " ".join(lazy_pinyin(name, errors="ignore"))
