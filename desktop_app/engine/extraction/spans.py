"""Data types that the extractors share: spans, tagged spans and located names.

A tagged span is the result of a tagger for one place; a located name is accepted after the whole
document was read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Span = tuple[int, int]
SplitSentences = Callable[[str, str], list[Span]]  # text and language -> sentences of the text


@dataclass(frozen=True, slots=True)
class TaggedSpan:
    """One span that a tagger marked as a name; `type` is one of `ENTITY_TYPES`."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class LocatedName:
    """One occurrence of an accepted name; `first` marks its first one in the document."""

    start: int
    end: int
    name: str
    type: str
    first: bool = False


def find_sentence(sentences: Sequence[Span], offset: int) -> int:
    """Return the index of the sentence that contains the offset, or of the one before it."""
    return max(0, bisect_right(sentences, offset, key=lambda sentence: sentence[0]) - 1)


def distance_divisor(apart: int) -> float:
    """Return the divisor of a relation's weight for names `apart` characters from each other."""
    return 1.0 + apart / 50.0
