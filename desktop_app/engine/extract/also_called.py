"""Pairs of names that the text itself equates: "A, known as B", 绰号, 法名, 表字.

Owns these patterns. It only reads what stands between two located names of one sentence;
whether to join the two is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .spans import Located

_EN_BETWEEN = re.compile(
    r"(?:,?\s*\(?(?:\w+ )?(?:(?:is|was|were|be|being|been)\s+)?"
    r"(?:(?:better|also|usually|sometimes|commonly|formerly|originally|then|now|often|otherwise|"
    r"familiarly)\s+)?(?:also known as|known as|called|also called|alias|a\.k\.a\.|aka|née|nee|born|"
    r"nicknamed|surnamed|styled|commonly called|whose (?:real|full|true) name (?:is|was)|"
    r"under the name of|by the name of|called (?:himself|herself|him|her)|changed (?:his|her) name to|"
    r"or rather)\s+(?:(?:by\s+\w+\s+)?(?:as|the|The)\s+)?[\"“‘']?)|(?:\s\((?:[\"“]))",
    re.IGNORECASE,
)
_ZH_BETWEEN = re.compile(
    r"^[，,、]?(?:[他她]?的?|却|便|又|就|又名|亦|原|本|江湖上|人|皆|都|因此|乡中|自小)*"
    r"(?:人称|人稱|绰号|綽號|诨名|諢名|诨号|諢號|诨绰|混名|唤做|喚做|唤作|喚作|叫做|叫作|表字|号|號|法名|法号|"
    r"法號|道号|道號|本名|原名|又名|别号|別號|别名|俗名|小名|乳名|字|改名|赐名|賜名|外号|外號|称为|稱為)"
    r"(?:(?:都|皆)?(?:唤|喚|叫|称|稱|呼|是|他|做|作|为|為|曰|[：:“「『])*)$"
)
_ZH_GLUE = re.compile(
    r"^(?:[，,]?[^，。；]{0,6}(?:都|皆)?(?:唤|喚|叫|称|稱|呼)[他她]?(?:做|作|为|為)[“「]?)$"
)


def find_equated(
    text: str, names: Sequence[Located], language: str, nicknames: dict[str, str]
) -> list[tuple[str, str]]:
    """Return pairs of different names of one sentence that its words equate, in order.

    Args:
        names: the located names of the sentence, in order.
        nicknames: nickname -> the name it is glued to over the document (花和尚 -> 鲁智深).
    """
    pairs: list[tuple[str, str]] = []
    for left, right in zip(names, names[1:], strict=False):
        if left.name == right.name:
            continue
        between = text[left.end : right.start]
        if len(between) > 60:
            continue
        if language == "zh":
            glued = not between and nicknames.get(left.name) == right.name
            equated = glued or bool(_ZH_BETWEEN.match(between) or _ZH_GLUE.match(between))
        else:
            equated = bool(_EN_BETWEEN.fullmatch(between)) and left.type == right.type
        if equated:
            pairs.append((left.name, right.name))
    return pairs
