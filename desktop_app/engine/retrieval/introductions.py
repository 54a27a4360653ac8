"""Chooses the sentences that introduce a name: whole ones, each said once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

_ENDS = re.compile(r"[.!?。！？…][\"'”’」』）)\]]*$")


def choose_introductions(
    found: Sequence[T], limit: int, text_of: Callable[[T], str] = str
) -> list[T]:
    """Return the first `limit` that are sentences, not lines of a contents list, nor copies.

    Where nothing is a whole sentence (tables, lists), what there is stands in.
    """
    kept: list[T] = []
    seen: set[str] = set()
    whole = [one for one in found if _ENDS.search(text_of(one).strip())]
    for one in whole or found:
        plain = "".join(c for c in text_of(one) if c.isalnum())
        if plain in seen:
            continue
        seen.add(plain)
        kept.append(one)
        if len(kept) == limit:
            break
    return kept
