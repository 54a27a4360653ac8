"""Evidence as the graph takes it: what one strategy found in one chunk, names as ids.

Plain data. A chunk may hold an instant extraction and one by a model; which of them speaks for
what is decided in `graph.growing`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

INSTANT = "instant"  # the strategy that asks no model

Place = tuple[int, int]
"""Document id and offset: what comes first in reading order, whatever was read first."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed relation between two names, as kept."""

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
        """Weight as the graph counts it: a model's word is worth up to twice bare closeness.

        A description without a confidence (the free form gives none) stands half-way.
        """
        return self.weight * (1.0 + (self.confidence or (0.5 if self.description else 0.0)))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model says of one name in one chunk; type "" where it was not asked."""

    name_id: int
    type: str = ""
    description: str = ""
    confidence: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Extraction:
    """All that one finished extraction found in its chunk; equal only to itself.

    Attributes:
        place: where the chunk starts.
        mentions: (name id, type, how often).
        also_called: pairs of names, as text.
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
_SAME_SHARE = 0.8
_UNIT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")


def list_fragments(said: Iterable[tuple[Place, str]]) -> tuple[str, ...]:
    """Return what was said, each once, longest first and earlier before later."""
    first: dict[str, Place] = {}
    for place, text in said:
        text = " ".join(text.split())
        if text and (text not in first or place < first[text]):
            first[text] = place
    return tuple(sorted(first, key=lambda text: (-len(text), first[text], text)))


def hash_fragments(fragments: Sequence[str]) -> str:
    """Return the key of these fragments, whatever their order."""
    return hashlib.sha256("\n".join(sorted(fragments)).encode("utf-8", "replace")).hexdigest()


def describe(fragments: Sequence[str], summaries: Mapping[str, str]) -> str:
    """Return the summary made of exactly these fragments, else the best of them; "" if none."""
    if len(fragments) > 1 and (summary := summaries.get(hash_fragments(fragments))):
        return summary
    return join_best(fragments)


def join_best(fragments: Sequence[str], max_chars: int = MAX_DESCRIPTION_CHARS) -> str:
    """Return as many fragments as fit, in their order, leaving out what was nearly said."""
    kept: list[str] = []
    words_of_kept: list[frozenset[str]] = []
    room = max_chars
    for fragment in fragments:
        if kept and len(fragment) > room:
            continue
        words = frozenset(_UNIT.findall(fragment.casefold()))
        if any(_nearly_same(words, other) for other in words_of_kept):
            continue
        kept.append(fragment[:max_chars])
        words_of_kept.append(words)
        room -= len(fragment) + 1
        if room < 8:
            break
    return "".join(map(_with_joint, kept[:-1])) + kept[-1] if kept else ""


def _with_joint(fragment: str) -> str:
    """Return a fragment with what parts it from the next one."""
    chinese = fragment[-1] > "\u2e80"
    if fragment[-1] in ".!?…。！？\"'”’」』)）":
        return fragment if chinese else fragment + " "
    return fragment + ("；" if chinese else "; ")


def _nearly_same(words: frozenset[str], longer: frozenset[str]) -> bool:
    """Say whether a fragment's words are nearly all in a longer one (Szymkiewicz–Simpson)."""
    return len(words & longer) >= _SAME_SHARE * min(len(words), len(longer))
