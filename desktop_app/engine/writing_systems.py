"""Unicode ranges of Chinese, Japanese and Korean text, and what is decided by script alone.

The ranges are the inside of a character class: `re.compile(f"[{HAN}]+")`. They differ on purpose:
an index folds compatibility ideographs, a test for Chinese does not need them.
"""

from __future__ import annotations

import re

HAN = "\u3400-\u9fff"  # ideographs with extension A
HAN_BASIC = "\u4e00-\u9fff"  # ideographs without extension A
HAN_COMPATIBILITY = "\uf900-\ufaff"
HAN_RARE = "\U00020000-\U0003134f"  # extensions B to G
KANA = "\u3040-\u30ff"
HANGUL = "\uac00-\ud7af"
CJK = KANA + HAN + HANGUL
# Radicals, punctuation, kana and ideographs: characters as wide as two Latin letters.
WIDE = "\u2e80-\u303f" + KANA + "\u3400-\u4dbf" + HAN_BASIC + HAN_COMPATIBILITY

_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(r"[^\W_]{3,}")

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def replace_lone_surrogates(text: str) -> str:
    """Return a text of the same length that can be encoded; file names and JSON may hold others."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def has_han(text: str) -> bool:
    """Return whether a text contains a Chinese character."""
    return _HAN.search(text) is not None


def is_wide(char: str) -> bool:
    """Return whether a character is from the CJK blocks, punctuation included."""
    return "\u2e80" <= char <= "\u9fff"


def count_han(text: str) -> int:
    """Return the number of Chinese characters of the basic block."""
    return sum("\u4e00" <= char <= "\u9fff" for char in text)


def language_of(text: str) -> str:
    """Return the language for splitting sentences: "zh" for text with Chinese, else "en"."""
    return "zh" if has_han(text) else "en"


def features(text: str) -> set[str]:
    """Return what two texts are compared by: lower-case words, and pairs of Chinese characters."""
    lowered = text.casefold()
    pairs = {
        lowered[i : i + 2]
        for i in range(len(lowered) - 1)
        if _HAN.match(lowered[i]) and _HAN.match(lowered[i + 1])
    }
    return pairs | {word for word in _WORD.findall(lowered) if not has_han(word)}


_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")}
_HAN_DIGITS |= {"〇": 0, "两": 2, "兩": 2}
_HAN_POWERS = {"十": 10, "百": 100, "千": 1000}


def read_han_number(number: str) -> int:
    """Return the value of a number below ten thousand in Chinese characters, as 二十一."""
    total = last = 0
    for char in number:
        if char in _HAN_POWERS:
            total += max(last, 1) * _HAN_POWERS[char]
            last = 0
        else:
            last = 10 * last + _HAN_DIGITS[char] if char in _HAN_DIGITS else last
    return total + last


_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    the and was were his her she they them that this with for from not but had has have who what
    which when where why how did does are its into him their there then been
    """,
    )
)


def stems(text: str) -> set[str]:
    """Return the words of a text without their endings; stop words are left out."""
    return {w if has_han(w[0]) else w[:5] for w in features(text) if w not in _STOP_WORDS}
