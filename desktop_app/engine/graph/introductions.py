"""Orders sentences by how much they say about the name in them: those that define it first.

Used for the few sentences that a page shows. The weights that are stored with the mentions, which
ranking uses, are of the extraction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..model import MentionRow
from ..writing_systems import has_han

_DETERMINER = r"(?:an?|the|one of|his|her|my|our|their|its)"
# "Ben Gunn was a maroon"; also after an inserted clause.
_PREDICATE = re.compile(
    rf"(?:,[^,.;:]{{1,60}},)?\s+(?:is|was|are|were|became|had been)\s+(?:\w+\s+)?{_DETERMINER}\s"
)
# "Ben Gunn, the maroon;" and not "Ben Gunn, the ship was gone."
_APPOSITION = re.compile(
    rf",\s+(?:{_DETERMINER}|son|daughter|wife|widow|captain|keeper)\s+"
    r"(?:(?!\b(?:was|were|is|are|had|has|said|will)\b)[^,.;:!?\"“”]){2,70}[,.;:)—]"
)
_LIVES = re.compile(r"\s+(?:lived|lives|was born|married|kept|owned|lies|stands|stood (?:at|on))\b")
# "my friend Joseph", "a woman called Nelly"
_ROLE = re.compile(
    rf"(?:\b{_DETERMINER}\s+(?:old\s+|young\s+)?[a-z]{{3,}},?|\b(?:named|called))\s+$",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"(?:^|[\"“‘'(,—-]|\b(?:oh?|dear|now|and|yes|no|but)\b,?)[\s_]*$", re.IGNORECASE
)
_SPEAKS = re.compile(r"[,.!?]?[\"”’']|\s+(?:said|says|cried|cries|asked|answered|replied)\b")
_CHINESE_PREDICATE = re.compile(
    r"[，,]?(?:乃|原是|本是|便是|正是|是[^谁何]|系|姓|字|生得|年方|祖贯|绰号|人称)"
)
_CHINESE_ROLE = re.compile(
    r"(?:姓[^，。]{1,3}，?名|唤做|唤作|叫做|叫作|名唤|人称|绰号|法名|乃|乃是|便是)$"
)
_CHINESE_SPEAKS = re.compile(r"[^，。]{0,4}(?:道|曰|说|笑道|闻言)")
_QUOTE_MARKS = '"“”「」『』'
_GOOD_LENGTH = {True: (15, 90), False: (45, 260)}


def order_introductions(mentions: Iterable[MentionRow]) -> list[MentionRow]:
    """Return the mentions with those first whose sentence says what or who the name is.

    Equal ones keep their order; the first mention in its document counts like a role.
    """
    given = list(mentions)
    first: dict[int, int] = {}
    for one in given:
        first[one.document_id] = min(one.start, first.get(one.document_id, one.start))
    return sorted(given, key=lambda one: -_value(one, is_first=one.start == first[one.document_id]))


def _value(one: MentionRow, *, is_first: bool) -> float:
    text, start = one.sentence, one.start - one.sentence_start
    before, after = text[: max(0, start)], text[start + one.end - one.start :]
    is_chinese = has_han(one.name)
    value = 1.0 if is_first else 0.0
    if is_chinese:
        value += 2.0 * bool(_CHINESE_PREDICATE.match(after)) + 1.5 * bool(
            _CHINESE_ROLE.search(before)
        )
        value -= 2.0 * bool(_CHINESE_SPEAKS.match(after))
    else:
        value += 2.5 if _PREDICATE.match(after) else 2.0 if _APPOSITION.match(after) else 0.0
        value += 1.0 * bool(_LIVES.match(after)) + 1.0 * bool(_ROLE.search(before))
        is_addressed = _ADDRESSED.search(before) and after[:1] in (",", "!", "?", ".", ";")
        if is_addressed and (before.strip() or not _APPOSITION.match(after)):
            value -= 2.5
        value -= 1.0 * bool(_SPEAKS.match(after))
    # what somebody says about a name is less certain than what the text says
    value -= 0.75 * (text[:1] in "'‘" or any(mark in text for mark in _QUOTE_MARKS))
    low, high = _GOOD_LENGTH[is_chinese]
    return value - (0.0 if low <= len(text) <= high else 0.5)
