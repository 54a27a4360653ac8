"""Language detection for short texts, by script and by the English dictionary.

Used for texts that `text.language` leaves undetermined. A note of three lines has too few
function words to detect its language, but in English nearly all its lower-case words are in the
dictionary, in other languages few are.
"""

from __future__ import annotations

import re

from .rules.latin.names import is_english_word
from .rules.latin.words import COMMON

_SAMPLE_CHARS = 20_000
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?:['’][^\W\d_]+)*")
# Shorter words are words in many languages (an, de, la, die).
_LEAST_LETTERS = 3
# All 31 undetermined sentences of CoNLL04's even half with two such words reach this share (and
# all 38 of the odd half); of 221 undetermined examples of spaCy's in 37 other languages, 1 does.
_ENGLISH_SHARE = 0.6


def guess_script(text: str) -> str:
    """Return "zh" for a text mostly in Chinese characters, else "und" (Latin rules)."""
    sample = text[:_SAMPLE_CHARS]
    n_chinese = sum("\u4e00" <= char <= "\u9fff" for char in sample)
    return "zh" if n_chinese * 3 > len(sample) else "und"


def guess_language(text: str) -> str:
    """Return "zh", or "en" for a text whose words in lower case are English, else "und"."""
    if guess_script(text) == "zh":
        return "zh"
    n_english, n = _count_english(text)
    return "en" if n >= 2 and n_english >= _ENGLISH_SHARE * n else "und"


def may_be_english(text: str) -> bool:
    """Return whether an undetermined text in Latin letters may be English.

    True also for a list of names, which has no words that determine a language.
    """
    n_english, n = _count_english(text)
    latin = sum(char.isascii() for char in text if char.isalpha())
    is_latin = latin > 0.5 * sum(map(str.isalpha, text))
    return is_latin and (n < 2 or n_english >= _ENGLISH_SHARE * n)


def _count_english(text: str) -> tuple[int, int]:
    """Return the number of English lower-case words and of all lower-case words."""
    words = [
        word
        for word in _WORD.findall(text[:_SAMPLE_CHARS])
        if word[0].islower() and len(word) >= _LEAST_LETTERS
    ]
    return sum(word in COMMON or is_english_word(word) for word in words), len(words)
