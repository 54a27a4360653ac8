"""Lexical features that compare two texts without vectors: words and Chinese bigrams."""

from __future__ import annotations

import re

_CJK = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W_]{3,}")


def language_of(text: str) -> str:
    """Return the language for splitting sentences: "zh" for text with Chinese, else "en"."""
    return "zh" if _CJK.search(text) else "en"


def features(text: str) -> set[str]:
    """Return the lower-case words of a text, and pairs of adjacent Chinese characters."""
    lowered = text.casefold()
    pairs = {
        lowered[i : i + 2]
        for i in range(len(lowered) - 1)
        if _CJK.match(lowered[i]) and _CJK.match(lowered[i + 1])
    }
    return pairs | {w for w in _WORD.findall(lowered) if not _CJK.search(w)}
