"""Pinyin of Chinese names, without tones: the only module that uses pypinyin.

Names are read character by character. Its dictionary of phrases, which tells from the words around
which of several readings a character has, would take 45 MB and knows few names; a surname has a
reading of its own (曾 is Zeng in a name, ceng elsewhere), which this module knows.
"""

from __future__ import annotations

import os

from ..word_lists import WordLists

os.environ["PYPINYIN_NO_PHRASES"] = "true"  # pypinyin reads both when it is imported
os.environ["PYPINYIN_NO_DICT_COPY"] = "true"

_LISTS = WordLists("transliteration")
SURNAME_READINGS = _LISTS.by_word("surname_readings")


def read_syllables(text: str) -> list[str]:
    """Return the usual syllable of each Chinese character; other characters are left out."""
    from pypinyin import lazy_pinyin

    return lazy_pinyin(text, errors="ignore")


def read_name(name: str) -> list[str]:
    """Return the syllable of each character of a name, its surname as surnames are read.

    Fewer than the name has characters if some of them are not Chinese.
    """
    syllables = read_syllables(name)
    if len(syllables) == len(name):
        for n_chars in (2, 1):
            if (known := SURNAME_READINGS.get(name[:n_chars])) and len(name) > n_chars:
                return known.split() + syllables[n_chars:]
    return syllables


def split_syllables(text: str) -> list[tuple[str, str]]:
    """Return the initial and the final of each Chinese character: ("zh", "ang")."""
    from pypinyin import Style, lazy_pinyin

    initials = lazy_pinyin(text, style=Style.INITIALS, strict=False)
    finals = lazy_pinyin(text, style=Style.FINALS, strict=False)
    return list(zip(initials, finals, strict=True))
