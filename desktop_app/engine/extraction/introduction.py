"""The weight of a mention, 0 to 1: how well its sentence introduces the name.

Owns the patterns of introducing sentences; the best sentences are quoted to describe an entity.
"""

from __future__ import annotations

import re

_IS_A = re.compile(
    r"(?:\s*\([^)]{0,120}\))?,?\s*(?:is|was|are|were|had been|became)\s+"
    r"(?:an?|the|one|his|her|my)\s"
)
_APPOSITION = re.compile(r",\s+(?:an?|the|his|her|their|my|our|who|whose|son|daughter|wife)\s")
_NAMED = re.compile(
    r"(?:named|called|known as|name (?:is|was)|my (?:sister|brother|friend|uncle|nephew|niece|"
    r"clerk|wife|husband|son|daughter|partner),?|introduced(?: \w+)? to)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_DESCRIBES = re.compile(
    r"\s+(?:lived|lives|died|was born|married|had (?:been )?|loved|is located|located|lies)\b"
)
_ZH_BEFORE = re.compile(
    r"(?:姓[^，。]{1,2}[，,]?(?:双)?[名讳]|名[唤叫曰]做?|名字叫|唤做|唤作|叫做|叫作|表字|绰号|诨名|诨号|人称|"
    r"称为|法名|綽號|諢名|喚做|喚作|人稱|此人是|乃是|便是|正是|就是|姓)$"
)
_ZH_AFTER = re.compile(
    r"^(?:，|,|、|（|\()?(?:是|乃|系|係|为|為|者|生得|身长|身長|年方|年纪|年紀|祖贯|祖貫|原是|本是|姓|绰号|綽號|"
    r"诨名|諢名|表字|字|人称|人稱|江湖上|，[^，。]{0,6}人氏|[^，。]{0,4}人氏|使一|善|爱|愛|自小|自幼|位于|位於)"
)


def score_introduction(
    text: str, start: int, end: int, sentence: tuple[int, int], language: str, *, first: bool
) -> float:
    """Return how well the sentence describes the name at start:end, from 0 to 1.

    Args:
        first: it is the first mention of the name in the document.
    """
    before = text[sentence[0] : start]
    after = text[end : min(sentence[1], end + 140)]
    length = sentence[1] - sentence[0]
    weight = 0.1 + (0.25 if first else 0.0)
    if language == "zh":
        if _ZH_BEFORE.search(before[-8:]):
            weight += 0.4
        if _ZH_AFTER.match(after):
            weight += 0.35
        weight += 0.1 if len(before) < 8 else 0.0
        good_length = 12 <= length <= 120
    else:
        if _IS_A.match(after):
            weight += 0.5
        elif _APPOSITION.match(after):
            weight += 0.3
        elif _DESCRIBES.match(after):
            weight += 0.25
        if _NAMED.search(before[-40:]):
            weight += 0.3
        weight += 0.1 if len(before) < 12 else 0.0
        good_length = 30 <= length <= 320
    return round(min(1.0, weight if good_length else weight * 0.6), 3)
