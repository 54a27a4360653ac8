"""Names that are nearly spelt alike, and Chinese names that sound alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from rapidfuzz.distance import DamerauLevenshtein

from ...errors import said
from .forms import MAX_BLOCK, Form, Forms, group, iter_pairs
from .model import Hint, NameFacts, TextFacts, pair_key


def propose_fingerprints(forms: Forms) -> Iterator[Hint]:
    """Propose names of the same words in any order, whatever case, accents and marks."""
    keys = [" ".join(sorted(set(form.words))) for form in forms.all]
    for block in group(forms.all, keys):
        for a, b in iter_pairs(block):
            text = said(f"“{a.name}” and “{b.name}” are the same words")
            yield Hint(a.id, b.id, "fingerprint", 0.93, text)


def propose_ngrams(forms: Forms) -> Iterator[Hint]:
    """Propose names of the same letter pairs ("Baker Street" and "Bakerstreet")."""
    for block in group(forms.latin, map(_bigrams, forms.latin)):
        for a, b in iter_pairs(block):
            text = said(f"“{a.name}” and “{b.name}” are the same letters")
            yield Hint(a.id, b.id, "ngram", 0.85, text)


def _bigrams(form: Form) -> str:
    letters = "".join(form.words)
    if len(letters) < 5:
        return ""
    return " ".join(sorted({letters[i : i + 2] for i in range(len(letters) - 1)}))


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


_MOST = 4000  # names compared with each other, those named most often
_NEAREST = 3
_FEWEST = 3
_ALIKE = 0.75
_LEAST, _MOST_STRENGTH = 0.45, 0.35  # a hint beside others: what is quoted of many is alike
_ROWS = 512


def propose_meanings(facts: Sequence[NameFacts], text: TextFacts) -> Iterator[Hint]:
    """Propose the nearest of each name, where they stand out from what names have in common."""
    if text.vectors is None:
        return
    there = np.flatnonzero(np.any(text.vectors, axis=1)).tolist()  # a row of zeros is none yet
    order = sorted(there, key=lambda i: (-facts[i].n_mentions, facts[i].id))[:_MOST]
    if len(order) < _FEWEST:
        return
    mat = np.asarray(text.vectors, dtype=np.float32)[order]
    centred = mat - mat.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    for start in range(0, len(order), _ROWS):
        near = centred[start : start + _ROWS] @ centred.T
        for row in range(len(near)):
            near[row, start + row] = -1.0
            nearest = np.argpartition(-near[row], _NEAREST - 1)[:_NEAREST]
            for column in sorted(nearest.tolist(), key=lambda c: (-near[row, c], c)):
                cosine = float(near[row, column])
                a, b = facts[order[start + row]], facts[order[column]]
                if cosine < _ALIKE or a.type != b.type or _stand_together(a, b, text):
                    continue
                strength = min(_MOST_STRENGTH, cosine - _LEAST)
                words = said(f"“{a.name}” and “{b.name}” are described alike ({cosine:.2f})")
                yield Hint(a.id, b.id, "meaning", strength, words)


def _stand_together(a: NameFacts, b: NameFacts, text: TextFacts) -> bool:
    """Say whether one sentence may describe both: then it tells nothing that they are alike."""
    pair = pair_key(a.id, b.id)
    if pair in text.together or pair in text.told:
        return True
    n_shared = len(a.chunks & b.chunks)
    return 2 * n_shared > min(len(a.chunks), len(b.chunks))
