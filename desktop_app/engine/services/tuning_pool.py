"""The entity types that tuning chooses from, and the words by which a text shows them.

The product's own come first; the rest are for libraries that need others. They stand in a file
beside the prompts: name, what a model is asked for in English and in Chinese, and words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ..prompting import load_prompt
from ..types import ENTITY_TYPES

CORE = frozenset(ENTITY_TYPES)


@dataclass(frozen=True, slots=True)
class PoolType:
    """A type, what it means to a model that is asked for it, and the words that show it."""

    name: str
    english: str
    chinese: str
    cues: re.Pattern[str] | None = None


@cache
def load_pool() -> tuple[PoolType, ...]:
    """Return the types in the order of their file."""
    pool = []
    for line in load_prompt("tuning_types", "en").splitlines():
        name, english, chinese, words, signs = (*line.split(" | "), "", "")[:5]
        parts = [rf"\b(?:{words.replace(', ', '|')})s?\b"] if words else []
        parts += [signs.replace(", ", "|")] if signs else []
        cues = re.compile("|".join(parts), re.IGNORECASE) if parts else None
        pool.append(PoolType(name, english, chinese, cues))
    return tuple(pool)


def share_by_cues(kind: PoolType, passages: Sequence[str]) -> float:
    """Return the share of passages whose words show a type, at least twice each."""
    if kind.cues is None or not passages:
        return 0.0
    return sum(len(kind.cues.findall(text)) > 1 for text in passages) / len(passages)
