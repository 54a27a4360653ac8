"""Pairs of names that the text itself equates: "A, known as B", "A, alias B".
Chinese pairs (绰号, 法名, 表字) are found with the names themselves, in `chinese_names`.

Owns these patterns. It only reads what stands between two located names of one sentence;
whether to join the two is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from .spans import Located

_HOW = (
    r"(?:better|also|usually|sometimes|commonly|formerly|originally|then|now|often|otherwise|"
    r"familiarly|simply|universally|generally|professionally|informally)"
)
_WORDS = (
    rf"(?:(?:{_HOW}\s+)*(?:known|called|nicknamed|surnamed|styled)(?:\s+{_HOW})?|alias|"
    r"a\.k\.a\.|aka|née|nee|born|whose (?:real|full|true) name (?:is|was)|under the name of|"
    r"by the name of|called (?:himself|herself|him|her)|changed (?:his|her) name to|or rather)"
)
_BETWEEN = re.compile(
    r"(?:\s*\([^()]{0,60}\))?,?\s*\(?(?:who\s+)?(?:(?:is|was|were|be|being|been)\s+)?"
    rf"{_WORDS}\s+(?:(?:as|the|The)\s+)*[\"“‘']?|\s\([\"“]",
    re.IGNORECASE,
)


def find_equated(text: str, names: Sequence[Located]) -> list[tuple[str, str]]:
    """Return pairs of different names of one sentence that its words equate, in order."""
    pairs: list[tuple[str, str]] = []
    for left, right in pairwise(names):
        if left.name == right.name or left.type != right.type or right.start - left.end > 60:
            continue
        if _BETWEEN.fullmatch(text[left.end : right.start]):
            pairs.append((left.name, right.name))
    return pairs
