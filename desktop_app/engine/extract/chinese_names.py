"""Names of a Chinese document with their places, and the names that its text equates.

Joins tagger, statistics and location; the longest accepted name wins where several begin.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from .chinese_candidates import build_chinese_names, iter_found
from .chinese_tagger import tag_chinese
from .spans import Located

_EQUATES = re.compile(
    r"(?P<word>人称|人稱|绰号|綽號|诨名|諢名|诨号|混名|表字|法名|法号|法號|道号|道號|本名|原名|别号|別號|小名|乳名|"
    r"改名|赐名|賜名|外号|外號|又名|又称|又稱|亦称|简称|簡稱)(?:都|皆)?(?:唤|喚|叫|称|稱|呼)?[他她]?(?:做|作|为|為|是|曰)?"
    r"[：:“「『《\"]?$"
)
_GIVEN = frozenset(("赐名", "賜名", "法名", "改名", "法号", "法號"))


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
        trusted = aligned[name] >= 0.5 * totals[name] or name in names.nicknames
        if not trusted and not (borders[at] and borders[at + len(name)]):
            continue
        located.append(Located(at, at + len(name), name, names.types[name], name not in seen))
        seen.add(name)
        free_from = at + len(name)
    return ChineseReading(located, names.nicknames, _equate(text, located, names.nicknames, seen))


def _equate(
    text: str, located: list[Located], nicknames: dict[str, str], accepted: set[str]
) -> list[tuple[int, str, str]]:
    """Return what the text equates: glued nicknames, and "表字公明" after the man it is about."""
    starts = [name.start for name in located]
    pairs: list[tuple[int, str, str]] = []
    for index, name in enumerate(located):
        if index + 1 < len(located):
            after = located[index + 1]
            if after.start == name.end and nicknames.get(name.name) == after.name:
                pairs.append((name.start, name.name, after.name))
                continue
        if name.type != "person":
            continue
        match = _EQUATES.search(text, max(0, name.start - 12), name.start)
        if match is None:
            continue
        given = match["word"] in _GIVEN
        reach = 900 if match["word"] in ("赐名", "賜名") else 90
        first = bisect_left(starts, name.start - reach)
        people = [n for n in located[first:index] if n.type == "person" and n.name != name.name]
        if not people:
            continue
        owner = _most_named(people) if reach > 90 else people[-1].name
        if not given and "\n\n" in text[people[-1].end : name.start]:
            continue
        pairs.append((name.start, owner, name.name))
        whole = owner[0] + name.name
        if given and whole in accepted and whole != owner:
            pairs.append((name.start, owner, whole))
    return pairs


def _most_named(people: list[Located]) -> str:
    counts = Counter(name.name for name in people)
    return min(counts, key=lambda name: (-counts[name], name))
