"""Data types that the extractors share: spans, tagged spans and located names.

A tagged span is the result of a tagger for one place; a located name is accepted after the whole
document was read.
"""

from __future__ import annotations

from collections.abc import Callable
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
