"""Methods for all scripts: same words or letters, similar spelling, sound and description."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from rapidfuzz.distance import DamerauLevenshtein

from ...messages import Message
from .forms import MAX_BLOCK, Form, Forms, group_by_key, iter_pairs
from .model import Hint, NameFacts, TextFacts, pair_key


def propose_fingerprints(forms: Forms) -> Iterator[Hint]:
    """Propose names with the same words in any order, ignoring case, accents and punctuation."""
    keys = [" ".join(sorted(set(form.words))) for form in forms.all]
    for block in group_by_key(forms.all, keys):
        for a, b in iter_pairs(block):
            text = Message("“{a}” and “{b}” are the same words", a=a.name, b=b.name)
            yield Hint(a.id, b.id, "fingerprint", 0.93, text)


def propose_ngrams(forms: Forms) -> Iterator[Hint]:
    """Propose names with the same letter bigrams ("Baker Street" and "Bakerstreet")."""
    for block in group_by_key(forms.latin, map(_bigrams, forms.latin)):
        for a, b in iter_pairs(block):
            text = Message("“{a}” and “{b}” are the same letters", a=a.name, b=b.name)
            yield Hint(a.id, b.id, "ngram", 0.85, text)


def _bigrams(form: Form) -> str:
    letters = "".join(form.words)
    if len(letters) < 5:
        return ""
    return " ".join(sorted({letters[i : i + 2] for i in range(len(letters) - 1)}))


_MIN_LENGTH = 5
_MIN_LONG_WORD = 10  # a single word that may have two edits
_MIN_LONG_NAME = 12
_MAX_EDITS = 2
_NUMBER = re.compile(
    r"\d+|\b[ivxlc]+\b|\b(?:first|second|third|fourth|fifth|junior|senior|jr|sr)\b"
)


def propose_spellings(forms: Forms) -> Iterator[Hint]:
    """Propose names at edit distance 1, or 2 if they are long ("Pyncheon", "Pynchon")."""
    seen: set[tuple[int, int]] = set()
    for block in (*_group_by_deleted_letter(forms), *_group_by_similar_words(forms)):
        if not 1 < len(block) <= MAX_BLOCK // 8:
            continue
        for a, b in iter_pairs(block):
            two = (a.id, b.id) if a.id < b.id else (b.id, a.id)
            left, right = " ".join(a.words), " ".join(b.words)
            if two in seen or left == right or _differ_meaningfully(left, right):
                continue
            edits = DamerauLevenshtein.distance(left, right, score_cutoff=_MAX_EDITS)
            if edits > _MAX_EDITS:
                continue
            seen.add(two)
            length = min(len(left), len(right))
            strength = min(0.8, 0.35 + 0.05 * (length - _MIN_LENGTH)) - 0.2 * (edits - 1)
            if strength > 0.2:
                text = Message(
                    "“{a}” and “{b}” differ by {edits} letters"
                    if edits > 1
                    else "“{a}” and “{b}” differ by {edits} letter",
                    a=a.name,
                    b=b.name,
                    edits=edits,
                )
                yield Hint(a.id, b.id, "spelling", strength, text)


def _group_by_deleted_letter(forms: Forms) -> list[list[Form]]:
    """Return blocks of names that are equal without one letter (two in a long single word)."""
    blocks: dict[str, list[Form]] = defaultdict(list)
    for form in forms.latin:
        text = " ".join(form.words)
        if len(text) >= _MIN_LENGTH:
            once = {text[:cut] + text[cut + 1 :] for cut in range(len(text))} | {text}
            if len(form.words) == 1 and len(text) >= _MIN_LONG_WORD:
                once |= {f[:cut] + f[cut + 1 :] for f in once for cut in range(len(f))}
            for key in once:
                blocks[key].append(form)
    return list(blocks.values())


def _group_by_similar_words(forms: Forms) -> list[list[Form]]:
    """Return blocks of long names whose words differ by at most one letter each.

    "Elisabeth Bennett" and "Elizabeth Bennet" differ in two words. Grouping the words first finds
    such pairs without comparing every two names.
    """
    words_by_form: dict[str, list[str]] = defaultdict(list)
    long = [f for f in forms.latin if len(f.words) > 1 and sum(map(len, f.words)) >= _MIN_LONG_NAME]
    words = {word for form in long for word in form.words}
    for word in words:
        if len(word) >= _MIN_LENGTH:
            for cut in range(len(word)):
                words_by_form[word[:cut] + word[cut + 1 :]].append(word)
            words_by_form[word].append(word)
    representative = {word: word for word in words}

    def find(word: str) -> str:
        while representative[word] != word:
            word = representative[word]
        return word

    for near in words_by_form.values():
        for other in near[1:]:
            one, two = sorted((find(near[0]), find(other)))
            representative[two] = one
    return group_by_key(long, [tuple(map(find, form.words)) for form in long])


def _differ_meaningfully(left: str, right: str) -> bool:
    """Return whether the difference is meaningful: a plural, a number, another first letter."""
    if left[0] != right[0] or _NUMBER.findall(left) != _NUMBER.findall(right):
        return True
    short, long = sorted((left, right), key=len)
    return long in (short + "s", short + "es", short + "n", short + "e")


def propose_sounds(forms: Forms) -> Iterator[Hint]:
    """Propose Chinese names with the same pinyin: variants, traditional forms and errors."""
    names = [form for form in forms.han if 2 <= len(form.key) <= 8]
    for block in group_by_key(names, [to_pinyin(form.key) for form in names]):
        for a, b in iter_pairs(block):
            if a.key == b.key:
                continue
            counts = sorted(forms.facts[form.id].n_mentions for form in (a, b))
            n_same = sum(x == y for x, y in zip(a.key, b.key, strict=False))
            strength = 0.45 + 0.3 * n_same / len(a.key) if n_same else 0.3
            if len(a.key) > 2:
                strength += 0.1
            if counts[0] > 0.1 * counts[1] and counts[0] > 3:
                strength -= 0.3  # 张青 and 张清 are both frequent in the book
            text = Message(
                "“{a}” and “{b}” are read alike ({pinyin})",
                a=a.name,
                b=b.name,
                pinyin=to_pinyin(a.key),
            )
            yield Hint(a.id, b.id, "pinyin", strength, text)


@lru_cache(maxsize=65536)
def to_pinyin(name: str) -> str:
    """Return the pinyin of a Chinese name without tones."""
    from pypinyin import lazy_pinyin

    return " ".join(lazy_pinyin(name, errors="ignore"))


_MAX_COMPARED = 4000  # names compared with each other, the most frequent ones
_NEAREST = 3
_MIN_COMPARED = 3
_MIN_COSINE = 0.75
_COSINE_OFFSET, _MAX_STRENGTH = 0.45, 0.35  # a weak hint: many descriptions are similar
_BATCH_ROWS = 512


def propose_meanings(facts: Sequence[NameFacts], text: TextFacts) -> Iterator[Hint]:
    """Propose the nearest neighbours of each name by the vectors of their descriptions.

    The mean vector is subtracted first, because all descriptions have much in common.
    """
    if text.vectors is None:
        return
    with_vector = np.flatnonzero(
        np.any(text.vectors, axis=1)
    ).tolist()  # a row of zeros means no vector
    order = sorted(with_vector, key=lambda i: (-facts[i].n_mentions, facts[i].id))[:_MAX_COMPARED]
    if len(order) < _MIN_COMPARED:
        return
    mat = np.asarray(text.vectors, dtype=np.float32)[order]
    centred = mat - mat.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    for start in range(0, len(order), _BATCH_ROWS):
        near = centred[start : start + _BATCH_ROWS] @ centred.T
        for row in range(len(near)):
            near[row, start + row] = -1.0
            nearest = np.argpartition(-near[row], _NEAREST - 1)[:_NEAREST]
            for column in sorted(nearest.tolist(), key=lambda c: (-near[row, c], c)):
                cosine = float(near[row, column])
                a, b = facts[order[start + row]], facts[order[column]]
                if cosine < _MIN_COSINE or a.type != b.type or _occur_together(a, b, text):
                    continue
                strength = min(_MAX_STRENGTH, cosine - _COSINE_OFFSET)
                words = Message(
                    "“{a}” and “{b}” are described alike ({cosine:.2f})",
                    a=a.name,
                    b=b.name,
                    cosine=cosine,
                )
                yield Hint(a.id, b.id, "meaning", strength, words)


def _occur_together(a: NameFacts, b: NameFacts, text: TextFacts) -> bool:
    """Return whether one sentence may describe both, so that similarity is no evidence."""
    pair = pair_key(a.id, b.id)
    if pair in text.together or pair in text.stated:
        return True
    n_shared = len(a.chunks & b.chunks)
    return 2 * n_shared > min(len(a.chunks), len(b.chunks))
