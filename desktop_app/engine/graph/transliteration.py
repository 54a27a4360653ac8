"""Matches names across scripts: 鲁智深 with "Lu Zhishen", Scrooge with 斯克鲁奇.

Chinese names are romanized (pinyin). Latin names and their Chinese transliterations are compared by
a phonetic key: their consonants in classes that transliteration distinguishes (l and r are one),
and the first vowel. Knows no library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz.distance import Levenshtein

from ..word_lists import WordLists
from ..writing_systems import HAN, has_han
from .name_linking import NameFinder, normalise_characters
from .pinyin import read_name, read_syllables, split_syllables

_CHINESE = re.compile(f"[{HAN}]{{2,4}}")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_LISTS = WordLists("transliteration")
DOUBLE_SURNAMES = frozenset(re.findall("..", "".join(_LISTS.in_order("double_surnames"))))
# The last character of a place name and its English words: 景阳冈 is Jingyang Ridge.
PLACES = {char: words for chars, words in _LISTS.table("places").items() for char in chars}
MIN_ROMANIZED_CHARS = 5

LinkedName = tuple[int, int, list[int]]


def is_latin(question: str) -> bool:
    """Return whether a question has Latin letters and no Chinese name."""
    return bool(_LATIN.search(question)) and not _CHINESE.search(question)


def list_romanizations(name: str) -> list[str]:
    """Return the romanized spellings of a Chinese name of 2 to 4 characters: "lu zhishen", …"""
    spellings: set[str] = set()
    for sounds in (read_name(name), read_syllables(name)):  # both readings of a surname
        if len(sounds) == len(name):
            spellings |= _spell(name, sounds)
    return sorted(s for s in spellings if len(s) >= MIN_ROMANIZED_CHARS)


def _spell(name: str, sounds: list[str]) -> set[str]:
    cut = 2 if name[:2] in DOUBLE_SURNAMES else 1
    first, second = "".join(sounds[:cut]), "".join(sounds[cut:])
    spellings = {f"{first} {second}", " ".join(sounds), first + second}
    spellings.add(f"{first} {'-'.join(sounds[cut:])}")
    if "v" in first + second:
        spellings |= {s.replace("v", letter) for s in spellings for letter in "uü"}
    for kind in PLACES.get(name[-1], ()):
        stem = "".join(sounds[:-1])
        spellings |= {f"{stem} {kind}", f"{kind} {stem}", f"{stem}{sounds[-1]} {kind}"}
    return spellings


def romanize_name(name: str) -> str:
    """Return the usual romanization of a Chinese name ("Lu Zhishen"); "" for other names."""
    if not _CHINESE.fullmatch(name):
        return ""
    sounds = read_name(name)
    cut = 2 if name[:2] in DOUBLE_SURNAMES else 1
    if name[-1] in PLACES:
        return "".join(sounds).capitalize()
    return " ".join("".join(part).capitalize() for part in (sounds[:cut], sounds[cut:]) if part)


class RomanizedNames:
    """Finds the romanized spellings of Chinese names.

    Args:
        names: (name, entity id); names that are not Chinese are ignored.
    """

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        self._finder = NameFinder(
            (spelled, value)
            for name, value in names
            if _CHINESE.fullmatch(name)
            for spelled in list_romanizations(name)
        )

    def find(self, question: str) -> list[LinkedName]:
        """Return (start, end, entity ids) of romanized names that start with a capital letter."""
        return [hit for hit in self._finder.find(question) if question[hit[0]].isupper()]


_WORD = re.compile(r"[A-Za-zÀ-ɏ]{3,}")
# Characters used in transliterations; others belong to the words of the question.
_TRANSLITERATION_CHARACTERS = _LISTS.characters("characters")
_TITLES = frozenset(
    re.findall(r"\w+", "mr mrs miss ms dr sir lady lord the king queen captain colonel aunt uncle")
)
_CLASS = "".join(sorted(_TRANSLITERATION_CHARACTERS))
_RUN = re.compile(f"[{_CLASS}]{{2,}}")
_DOTTED_BEFORE = re.compile(f"(?:[{_CLASS}]+[·・•‧])+$")
_DOTTED_AFTER = re.compile(f"(?:[·・•‧][{_CLASS}]+)+")
MIN_CHARS, MAX_CHARS = 2, 7

# English letters, the longest first, with their class of sound; "" for a silent one.
_LETTERS = (
    *(("tch", "S"), ("sch", "S"), ("dge", "S"), ("ght", "T"), ("sh", "S"), ("ch", "S")),
    *(("ck", "K"), ("ph", "F"), ("th", "S"), ("wh", "W"), ("kn", "N"), ("qu", "K"), ("gn", "N")),
    *(("ge", "S"), ("gi", "S"), ("gy", "S"), ("ce", "S"), ("ci", "S"), ("cy", "S"), ("x", "KS")),
    *(("b", "P"), ("p", "P"), ("m", "M"), ("f", "F"), ("v", "F"), ("d", "T"), ("t", "T")),
    *(("n", "N"), ("l", "L"), ("g", "K"), ("k", "K"), ("c", "K"), ("q", "K"), ("j", "S")),
    *(("s", "S"), ("z", "S"), ("h", ""), ("w", "W"), ("y", "")),
)
_SOFT_LETTERS = frozenset(("ge", "gi", "gy", "ce", "ci", "cy"))
_INITIALS = {
    **dict.fromkeys(("b", "p"), "P"),
    **dict.fromkeys(("d", "t"), "T"),
    **dict.fromkeys(("g", "k"), "K"),
    **dict.fromkeys(("j", "q", "x", "zh", "ch", "sh", "z", "c", "s"), "S"),
    **{"m": "M", "f": "F", "n": "N", "l": "L", "r": "L", "h": "", "w": "W", "y": ""},
}
_VOWELS = {"a": "A", "e": "E", "i": "E", "y": "E", "o": "O", "u": "O", "ü": "E", "v": "E"}

Key = tuple[str, str]  # consonants, class of the first vowel


def phonetic_key_of_latin(word: str) -> Key:
    """Return the phonetic key of one Latin word: "Scrooge" -> ("SKLS", "O")."""
    word, consonants, position = normalise_characters(word), "", 0
    while position < len(word):
        rest = word[position:]
        if rest[0] == rest[1:2]:  # a double letter is pronounced once
            position += 1
            continue
        if rest[0] == "r":  # pronounced before a vowel only
            consonants += "L" if rest[1:2] and rest[1] in "aeiouyr" else ""
            position += 1
            continue
        letters, sound = next((pair for pair in _LETTERS if rest.startswith(pair[0])), ("", ""))
        consonants += sound
        # the vowel after a soft consonant is read again
        position += 1 if letters in _SOFT_LETTERS else len(letters) or 1
    vowel = next((_VOWELS[c] for c in word if c in _VOWELS), "")
    return consonants, vowel


def phonetic_key_of_chinese(run: str) -> Key:
    """Return the phonetic key of Chinese characters: 斯克鲁奇 -> ("SKLS", "O")."""
    consonants, vowel = "", ""
    for initial, final in split_syllables(run):
        sound = _INITIALS.get(initial, "")
        consonants += "" if sound == "N" and consonants.endswith("N") else sound
        if final == "er":
            consonants += "L"
            continue
        if final.endswith(("n", "ng")):
            consonants += "N"
        # 斯, 克 and 弗 stand for a consonant only
        carries = final == ("i" if initial in ("s", "sh", "z", "c") else "e")
        bare = carries or initial + final == "fu"
        if not vowel and not bare:
            vowel = "O" if final == "ao" else next((_VOWELS[c] for c in final if c in _VOWELS), "")
    return consonants, vowel


def is_foreign(name: str) -> bool:
    """Return whether a name has no Chinese character, so that Chinese may transliterate it."""
    return not has_han(name)


class PhoneticNames:
    """Finds Chinese transliterations of Latin names, by comparing each name with each run.

    Args:
        names: (name, entity id); Chinese names are ignored.
    """

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        self._values_by_key: dict[Key, list[int]] = {}
        for name, value in names:
            if not is_foreign(name):
                continue
            for word in _WORD.findall(name):
                if word[0].isupper() and word.lower() not in _TITLES:
                    key = phonetic_key_of_latin(word)
                    values = self._values_by_key.setdefault(key, [])
                    if len(key[0]) >= 2 and value not in values:
                        values.append(value)

    def find(self, question: str) -> list[LinkedName]:
        """Return (start, end, entity ids) of names, without overlaps, the most similar first."""
        hits = []
        for match in _RUN.finditer(question):
            run_start, run = match.start(), match.group()
            for size in range(MIN_CHARS, min(MAX_CHARS, len(run)) + 1):
                for at in range(len(run) - size + 1):
                    spoken = phonetic_key_of_chinese(run[at : at + size])
                    for known, values in self._values_by_key.items():
                        similarity = phonetic_similarity(spoken, known)
                        if similarity and size + 1 < len(run):
                            hits.append((similarity, size, run_start + at, values))
                        elif similarity:  # nearly the whole run: take all of it
                            hits.append((similarity, len(run), run_start, values))
        hits.sort(key=lambda hit: (-hit[0], -hit[1], hit[2]))
        found: list[LinkedName] = []
        for _, size, start, values in hits:
            first, last = _extend_to_name(question, start, start + size)
            if all(first >= end or last <= other for other, end, _ in found):
                found.append((first, last, values))
        return found


def _extend_to_name(question: str, start: int, end: int) -> tuple[int, int]:
    """Return the start and end of the whole name with its dotted parts: 艾琳·艾德勒."""
    before = _DOTTED_BEFORE.search(question, 0, start)
    after = _DOTTED_AFTER.match(question, end)
    return before.start() if before else start, after.end() if after else end


def phonetic_similarity(spoken: Key, known: Key) -> float:
    """Return the similarity of two phonetic keys, at most 1; 0 if they cannot be one name.

    With two consonants, these and the vowel must be equal; with more, one may differ or be missing.
    """
    (a, vowel_a), (b, vowel_b) = spoken, known
    shorter = min(len(a), len(b))
    vowel_bonus = 0.1 * (vowel_a == vowel_b)
    if a == b:
        return 0.9 + vowel_bonus if shorter > 2 or (shorter == 2 and vowel_bonus) else 0.0
    if shorter < 3 or max(len(a), len(b)) < 4 - vowel_bonus * 10 or a[0] != b[0]:
        return 0.0
    distance = Levenshtein.distance(a, b)
    return 0.8 - 0.3 * distance / shorter + vowel_bonus if distance <= 1 + (shorter >= 5) else 0.0
