"""Finds typed words in one text, as the search in the open document does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..writing_systems import WIDE

# typed one way and printed another; quotation marks and dashes
_ALIKE = ("'’‘ʼ", '"“”„', "-‐‑–—")
_SAME = {char: f"[{re.escape(chars)}]" for chars in _ALIKE for char in chars}
_IS_WIDE = re.compile(f"[{WIDE}]")


def find_literally(
    text: str, wanted: str, *, match_case: bool = False, whole_words: bool = False
) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each place of the wanted words, in reading order, without overlap.

    A space stands for any white space, because a page breaks its lines anywhere, and between two
    Chinese or Japanese characters a line may be broken too. Kinds of quotation marks and dashes
    are alike.

    Args:
        whole_words: leave out places inside a longer word; Chinese and Japanese characters, which
            have no spaces between words, are not looked at.
    """
    words = wanted.split()
    if not words:
        return
    pattern = r"\s+".join(map(_build_word_pattern, words))
    if whole_words:
        before, behind = (_is_spaced_letter(char) for char in (words[0][0], words[-1][-1]))
        letter = rf"(?:(?![{WIDE}])\w)"
        pattern = (
            f"{rf'(?<!{letter})' if before else ''}{pattern}{rf'(?!{letter})' if behind else ''}"
        )
    for found in re.finditer(pattern, text, 0 if match_case else re.IGNORECASE):
        yield found.span()


def _build_word_pattern(word: str) -> str:
    parts = []
    for at, char in enumerate(word):
        if at and _IS_WIDE.match(char) and _IS_WIDE.match(word[at - 1]):
            parts.append(r"\n?")
        parts.append(_SAME.get(char, re.escape(char)))
    return "".join(parts)


def _is_spaced_letter(char: str) -> bool:
    return char.isalnum() and not _IS_WIDE.match(char)
