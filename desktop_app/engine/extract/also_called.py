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

_BETWEEN = re.compile(
    r"(?:,?\s*\(?(?:\w+ )?(?:(?:is|was|were|be|being|been)\s+)?"
    r"(?:(?:better|also|usually|sometimes|commonly|formerly|originally|then|now|often|"
    r"otherwise|"
    r"familiarly)\s+)?(?:also known as|known as|called|also called|alias|a\.k\.a\.|aka|née|nee|born|"
    r"nicknamed|surnamed|styled|commonly called|whose (?:real|full|true) name (?:is|was)|"
    r"under the name of|by the name of|called (?:himself|herself|him|her)|changed (?:his|her) name to|"
    r"or rather)\s+(?:(?:by\s+\w+\s+)?(?:as|the|The)\s+)?[\"“‘']?)|(?:\s\((?:[\"“]))",
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
