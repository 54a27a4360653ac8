"""Names of a Chinese document with their places, and the names that its text equates.

Joins tagger, statistics and location; the longest accepted name wins where several begin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from .chinese_candidates import build_chinese_names
from .chinese_equated import equate
from .chinese_matching import iter_found
from .chinese_tagger import tag_chinese
from .chinese_words import TITLES
from .spans import Located


@dataclass(slots=True)
class ChineseReading:
    """What a pass over the document found; `equated` holds (offset, name, other name)."""

    located: list[Located]
    nicknames: dict[str, str]
    equated: list[tuple[int, str, str]] = field(default_factory=list)


def read_chinese(
    text: str, start: int, end: int, *, on_block: Callable[[int], None] | None = None
) -> ChineseReading:
    """Return every place of every name between two offsets."""
    tagged, borders = tag_chinese(text, start, end, on_block=on_block)
    names = build_chinese_names(text, start, end, tagged, borders)
    found = [(start + at, name) for at, name in iter_found(text[start:end], names.types)]
    aligned: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for at, name in found:
        totals[name] += 1
        aligned[name] += bool(borders[at]) and bool(borders[at + len(name)])
    found.sort(key=lambda hit: (hit[0], -len(hit[1])))
    located: list[Located] = []
    seen: set[str] = set()
    free_from = start
    for at, name in found:
        if at < free_from:
            continue
        # Titles are cut in two by the tagger; their surnames were checked already.
        sure = name in names.nicknames or name.endswith(TITLES)
        trusted = sure or aligned[name] >= 0.5 * totals[name]
        if not trusted and not (borders[at] and borders[at + len(name)]):
            continue
        located.append(Located(at, at + len(name), name, names.types[name], name not in seen))
        seen.add(name)
        free_from = at + len(name)
    return ChineseReading(located, names.nicknames, equate(text, located, names.nicknames, seen))
