"""Evidence as plain data: the extractions of chunks, and descriptions made of fragments.

A chunk can have an instant extraction and one by a model; `evidence_index.py` decides which of
them counts for names, relations and closeness.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

INSTANT = "instant"  # the strategy without a model

Place = tuple[int, int]
"""Document id and offset; sorts by reading order."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed relation between two names, as stored."""

    id: int
    source_id: int
    target_id: int
    weight: float
    keywords: tuple[str, ...] = ()
    description: str = ""
    kind: str = ""
    confidence: float = 0.0
    place: Place = (0, 0)
    chunk_id: int = 0

    @property
    def strength(self) -> float:
        """Weight in the graph: a claim of a model counts up to twice as much as mere closeness.

        A description without a confidence (free-form extraction has none) counts as 0.5.
        """
        return self.weight * (1.0 + (self.confidence or (0.5 if self.description else 0.0)))


@dataclass(frozen=True, slots=True)
class Judgement:
    """A model's type and description of one name in one chunk; type "" if it was not asked."""

    name_id: int
    type: str = ""
    description: str = ""
    confidence: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Extraction:
    """The result of one finished extraction of a chunk; compared by identity.

    Attributes:
        place: start of the chunk.
        mentions: (name id, type, count).
        also_called: pairs of names that the text equates.
    """

    id: int
    chunk_id: int
    place: Place
    language: str
    strategy: str = INSTANT
    mentions: tuple[tuple[int, str, int], ...] = ()
    claims: tuple[Claim, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    also_called: tuple[tuple[str, str], ...] = ()

    @property
    def by_model(self) -> bool:
        return self.strategy != INSTANT


MAX_DESCRIPTION_CHARS = 600
_MIN_OVERLAP = 0.8
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")


def list_fragments(descriptions: Iterable[tuple[Place, str]]) -> tuple[str, ...]:
    """Return the distinct texts, longest first, then in reading order."""
    first: dict[str, Place] = {}
    for place, text in descriptions:
        text = " ".join(text.split())
        if text and (text not in first or place < first[text]):
            first[text] = place
    return tuple(sorted(first, key=lambda text: (-len(text), first[text], text)))


def hash_fragments(fragments: Sequence[str]) -> str:
    """Return the hash of these fragments, independent of their order."""
    return hashlib.sha256("\n".join(sorted(fragments)).encode("utf-8", "replace")).hexdigest()


def choose_description(fragments: Sequence[str], summaries: Mapping[str, str]) -> str:
    """Return the summary of exactly these fragments, else the best of them; "" if none."""
    if len(fragments) > 1 and (summary := summaries.get(hash_fragments(fragments))):
        return summary
    return join_best(fragments)


def join_best(fragments: Sequence[str], max_chars: int = MAX_DESCRIPTION_CHARS) -> str:
    """Return as many fragments as fit, in their order, without near-duplicates."""
    kept: list[str] = []
    words_of_kept: list[frozenset[str]] = []
    room = max_chars
    for fragment in fragments:
        if kept and len(fragment) > room:
            continue
        words = frozenset(_WORD.findall(fragment.casefold()))
        if any(_are_near_duplicates(words, other) for other in words_of_kept):
            continue
        kept.append(fragment[:max_chars])
        words_of_kept.append(words)
        room -= len(fragment) + 1
        if room < 8:
            break
    return "".join(map(_add_separator, kept[:-1])) + kept[-1] if kept else ""


def _add_separator(fragment: str) -> str:
    """Return a fragment with the separator to the next one."""
    chinese = fragment[-1] > "\u2e80"
    if fragment[-1] in ".!?…。！？\"'”’」』)）":
        return fragment if chinese else fragment + " "
    return fragment + ("；" if chinese else "; ")


def _are_near_duplicates(words: frozenset[str], longer: frozenset[str]) -> bool:
    """Return whether nearly all words of one are in the other (Szymkiewicz–Simpson coefficient)."""
    return len(words & longer) >= _MIN_OVERLAP * min(len(words), len(longer))
