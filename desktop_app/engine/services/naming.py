"""Which words of an answer are names of the library, told by the passages it was made from.

Owns the matching of what passages call somebody with the words of an answer. A name that no
passage has is not guessed at: it may be somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..store import graph
from ..store.db import Db
from ..types import Passage

_CJK = re.compile(r"[\u3400-\u9fff]")
MOST_PASSAGES = 24


@dataclass(frozen=True, slots=True)
class NamedPart:
    """Words that name an entity, wherever they stand in the text."""

    words: str
    entity_id: int
    name: str
    type: str


def find_named(db: Db, text: str, passages: Sequence[Passage]) -> list[NamedPart]:
    """Return the names in `text` that its passages mention, in the order they first stand."""
    known: dict[str, NamedPart] = {}
    for passage in passages[:MOST_PASSAGES]:
        for start, end, entity_id, name, type_ in graph.fetch_mentions_between(
            db, passage.document_id, passage.start, passage.end
        ):
            inside = passage.text[start - passage.start : end - passage.start]
            for words in (" ".join(inside.split()), name):
                if _is_name(words):
                    known.setdefault(words, NamedPart(words, entity_id, name, type_))
    found = dict.fromkeys(match.group() for match in build_pattern(list(known)).finditer(text))
    return [known[words] for words in found]


def build_pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Return what finds these words in a text, the longest first, whole words only."""
    return re.compile("|".join(map(_bounded, sorted(words, key=len, reverse=True))) or r"(?!)")


def _bounded(words: str) -> str:
    before = r"(?<!\w)" if words[0].isascii() else ""
    after = r"(?!\w)" if words[-1].isascii() else ""
    return before + re.escape(words) + after


def _is_name(words: str) -> bool:
    if _CJK.search(words):
        return len(words) > 1
    return len(words) > 2 and any(c.isupper() for c in words)
