"""What the text itself says: "A, known as B", and a nickname right before its owner's name.

Owns the words that equate two names when they stand between them; where they stand is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import said
from . import chinese_words as lists
from .facts import Hint, NameFacts, TextFacts

_BETWEEN = re.compile(
    r"[，,、]?(?:(?:人|江湖上|众人|衆人)?(?:都|皆)?(?:人称|人稱|绰号|綽號|绰名|诨名|诨号|表字|法名|法号|法號|道号|道號|"
    r"本名|原名|乳名|小名|别号|別號|改名|又名|又称|外号|外號|亦称|俗名|即是|便是|就是|乃是|原是|唤做|唤作|喚做|喚作|"
    r"叫做|叫作|名唤|名喚|号称|表德)(?:唤|叫|称)?(?:做|作|为|是|曰)?)[：:“「『]?"
    r"|,? ?\(?(?:(?:who (?:is|was) )?(?:better |also |commonly |formerly )?(?:known as|called|"
    r"alias|a\.k\.a\.|aka|née|nee|born|nicknamed)|otherwise|that is to say,?|or rather)"
    r" (?:the )?[\"“‘']?"
)


def is_equating(between: str) -> bool:
    """Say whether what stands between two names says that they are one."""
    return bool(_BETWEEN.fullmatch(between))


def propose_told(facts: dict[int, NameFacts], text: TextFacts) -> Iterator[Hint]:
    """Propose what the text equates, surer the more often and the rarer the name."""
    for (a, b), n in sorted(text.told.items()):
        if a in facts and b in facts:
            rarer = min(facts[a].n_mentions, facts[b].n_mentions)
            strength = min(0.9, 0.5 + 0.1 * n) - (0.25 if rarer > 15 * n else 0.0)
            one, other = facts[a].name, facts[b].name
            text = said(
                f"“{one}” is “{other}”: the text says so {n} times"
                if n > 1
                else f"“{one}” is “{other}”: the text says so {n} time"
            )
            yield Hint(a, b, "told", strength, text)


def propose_glued(facts: dict[int, NameFacts], text: TextFacts) -> Iterator[Hint]:
    """Propose a nickname or title that stands right before one name: 双尾蝎解宝."""
    surnames = lists.count_surnames(one.name for one in facts.values() if one.type == "person")
    for (a, b), n in sorted(text.glued.items()):
        if a not in facts or b not in facts or n < 2:
            continue
        x, y = facts[a], facts[b]
        if x.n_mentions > y.n_mentions or "person" not in (x.type, y.type):
            continue
        share = n / max(1, x.n_mentions)
        if share < 0.15:
            continue
        strength = min(0.9, 0.5 + 0.5 * share) - 0.15 * (n < 3)
        surname = lists.surname_of(x.name)
        if surname in surnames and lists.is_full_name(x.name) and surname != y.name[:1]:
            # 徐白张道原 may be two men in a row.
            strength -= 0.2 if len(x.name) > 2 else 0.4
        if strength > 0.1:
            text = said(f"“{x.name}” stands right beside “{y.name}” {n} of {x.n_mentions} times")
            yield Hint(a, b, "beside", strength, text)
