"""The plain shapes that the parts of the instant graph hand to each other.

Owns no rules: a tagged span is what a tagger said of one place, a located name is what
the whole document's evidence made of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tagged:
    """One place that a tagger called a name; `type` is one of the product's entity types."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class Located:
    """One accepted name in the text; `first` is true for its first place in the document."""

    start: int
    end: int
    name: str
    type: str
    first: bool = False


def find_sentence(starts: Sequence[int], sentences: Sequence[Span], offset: int) -> int:
    """Return the index of the sentence that holds the offset, or of the one before it."""
    return max(0, min(len(sentences) - 1, bisect_right(starts, offset) - 1))


def spread(apart: int) -> float:
    """Return by what a tie of two names is divided that stand so many characters apart."""
    return 1.0 + apart / 50.0
