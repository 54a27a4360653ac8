"""Chooses sentences that introduce an entity: complete sentences, without copies."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

_SENTENCE_END = re.compile(r"[.!?。！？…][\"'”’」』）)\]]*$")


def choose_introductions(
    candidates: Sequence[T], limit: int, text_of: Callable[[T], str] = str
) -> list[T]:
    """Return the first `limit` items that are complete sentences, without copies.

    If no item is a complete sentence (tables, lists), all items are candidates.
    """
    kept: list[T] = []
    seen: set[str] = set()
    complete = [item for item in candidates if _SENTENCE_END.search(text_of(item).strip())]
    for item in complete or candidates:
        plain = "".join(c for c in text_of(item) if c.isalnum())
        if plain in seen:
            continue
        seen.add(plain)
        kept.append(item)
        if len(kept) == limit:
            break
    return kept
