"""What two texts are compared by where no vectors are: words, and pairs of Chinese characters."""

from __future__ import annotations

import re

_CJK = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W_]{3,}")


def language_of(text: str) -> str:
    """Return how to split a text into sentences: as Chinese if it has any, else as English."""
    return "zh" if _CJK.search(text) else "en"


def features(text: str) -> set[str]:
    """Return the words of a text, and pairs of characters for Chinese."""
    folded = text.casefold()
    pairs = {
        folded[i : i + 2]
        for i in range(len(folded) - 1)
        if _CJK.match(folded[i]) and _CJK.match(folded[i + 1])
    }
    return pairs | {w for w in _WORD.findall(folded) if not _CJK.search(w)}
