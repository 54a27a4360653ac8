"""What the commands of curation list: names joined on their own, doubtful ones, two compared."""

from __future__ import annotations

from typing import Any

from ..engine.services.doubtful import list_doubtful_names
from ..engine.services.duplicate_joined import list_joined
from ..engine.services.exploring import Exploring
from ..engine.services.library import Library

MOST_COMMON = 12

Told = tuple[Any, list[str]]
"""What is printed as JSON, and as lines."""


def tell_joined(library: Library, limit: int | None) -> Told:
    """Return what was made one on its own, with the reason and the way back."""
    found = list_joined(library.writer)[:limit]
    objects = [
        {
            "name": one.entity.name,
            "type": one.entity.type,
            "joined": [
                {"name": n.name, "mentions": n.n_mentions, "rule": n.rule, "reason": n.reason}
                for n in one.names
            ],
        }
        for one in found
    ]
    lines = [
        f"{one.entity.name} = {n.name} ({n.n_mentions:,}): {n.reason}"
        for one in found
        for n in one.names
    ]
    if lines:
        lines.append("Take one apart: inkgraph entity alias NAME OTHER --remove")
    return objects, lines or ["Nothing was made one on its own."]


def tell_doubtful(library: Library, limit: int | None) -> Told:
    """Return the mentions of split names of which nothing tells whom they mean."""
    names = list_doubtful_names(library.writer)[:limit]
    objects = [
        {
            "name": one.name,
            "choices": [choice.name for choice in one.choices],
            "mentions": [m.mention for m in one.mentions],
        }
        for one in names
    ]
    lines = [
        f"{one.name} ({' or '.join(c.name for c in one.choices)}): "
        f"{m.mention.document_title}: {' '.join(m.mention.sentence.split())}"
        for one in names
        for m in one.mentions
    ]
    return objects, lines or ["Nobody is in doubt."]


def tell_comparison(library: Library, left_id: int, right_id: int) -> Told:
    """Return two entities side by side."""
    found = Exploring(library.writer).compare(left_id, right_id)
    common = [n.name for n in found.left.neighbours if n.is_common]
    lines = [
        f"{s.entity.name} ({s.entity.type}): {s.entity.n_mentions:,} mentions, "
        f"{s.entity.n_relations:,} connections"
        for s in (found.left, found.right)
    ]
    lines.append(f"{found.n_common:,} in common ({found.alike:.0%}): " + ", ".join(
        common[:MOST_COMMON]) + (" …" if len(common) > MOST_COMMON else ""))  # fmt: skip
    lines.append(f"{found.n_meetings:,} sentences name both")
    return found, lines
