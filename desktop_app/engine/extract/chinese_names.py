"""Names of a Chinese document with their places, and the names that its text equates.

Joins tagger, statistics and location; the longest accepted name wins where several begin.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from .chinese_candidates import build_chinese_names
from .chinese_matching import iter_found, iter_matches
from .chinese_tagger import tag_chinese
from .chinese_words import TITLES
from .spans import Located

_EQUATES = re.compile(
    r"(?P<word>人称|人稱|绰号|綽號|诨名|諢名|诨号|混名|表字|法名|法号|法號|道号|道號|本名|原名|别号|別號|"
    r"改名|赐名|賜名|外号|外號|又名|又称|又稱|亦称|简称|簡稱)(?:都|皆)?(?:唤|喚|叫|称|稱|呼)?[他她]?"
    r"(?:做|作|为|為|是|曰)?[：:“「『《\"]?(?P<name>[\u3400-\u9fff]{1,6})"
)
_FULL = re.compile(
    r"姓(?P<a>[\u3400-\u9fff]{1,2})[，,、]?(?:双名|雙名|单名|名唤|名喚|名叫|名)(?P<b>[\u3400-\u9fff]{1,2})[，,字]"
)
_STOP = re.compile(r"[。！？!?；;\n]")


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
    return ChineseReading(located, names.nicknames, _equate(text, located, names.nicknames, seen))


def _equate(
    text: str, located: list[Located], nicknames: dict[str, str], accepted: set[str]
) -> list[tuple[int, str, str]]:
    """Return what the text equates: glued nicknames, and "表字公明" after the man it is about."""
    pairs: list[tuple[int, str, str]] = []
    by_start = {name.start: index for index, name in enumerate(located)}
    starts = [name.start for name in located]
    for name, after in pairwise(located):
        between = text[name.end : after.start]
        if between in ("", "”", '"', "」", "』") and nicknames.get(name.name) == after.name:
            pairs.append((name.start, name.name, after.name))
    if located:
        for match in iter_matches(
            _EQUATES, text, located[0].start, min(len(text), located[-1].end + 12)
        ):
            at = match.start("name")
            owner = _owner_before(text, match.start(), match["word"], located, starts)
            if not owner:
                continue
            index = by_start.get(at)
            if index is not None:
                other = located[index]
                titled = any(other.name.endswith(title) for title in TITLES)
                if other.type == "person" and other.name != owner and not titled:
                    pairs.append((at, owner, other.name))
            for length in (2, 1, 3):
                whole = owner[0] + match["name"][:length]
                if whole in accepted and whole != owner:
                    pairs.append((at, owner, whole))
                    break
    pairs.sort()
    return pairs


def _owner_before(text: str, at: int, word: str, located: list[Located], starts: list[int]) -> str:
    """Return the name that "绰号", "表字" and the like at an offset speak of; "" if unsure."""
    window = text[max(0, at - 60) : at]
    stops = list(_STOP.finditer(window))
    sentence = window[stops[-1].end() :] if stops else window
    said = list(_FULL.finditer(sentence))
    if said:
        return said[-1]["a"] + said[-1]["b"]
    last = bisect_left(starts, at)
    if word in ("赐名", "賜名"):
        first = bisect_left(starts, at - 900)
        people = [
            n
            for n in located[first:last]
            if n.type == "person" and not any(n.name.endswith(title) for title in TITLES)
        ]
        return _most_named(people) if people else ""
    first = bisect_left(starts, at - len(sentence))
    people = [n for n in located[first:last] if n.type == "person"]
    if not people or at - people[-1].end > 30:
        return ""
    return people[-1].name


def _most_named(people: list[Located]) -> str:
    counts = Counter(name.name for name in people)
    return min(counts, key=lambda name: (-counts[name], name))
