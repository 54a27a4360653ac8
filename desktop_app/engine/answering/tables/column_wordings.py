"""Everyday words for a column of a table: "how old" for "Age", "who supervised" for "Supervisor".

Each wording asks for one column for sure, or is missing here. Knows names of columns and words of
questions, no tables; `cell_selection` decides what may be stated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from ...text.folded_words import fold_letters
from ...writing_systems import has_han
from .name_forms import get_word_lists

_NUMBER_OF = re.compile(r"(?:total\s+)?(?:numbers?|no\.?|count)\s+of\s+(?:the\s+)?(.+)", re.I)
_COUNTED = re.compile(r"(.*?)(?:数量|总数|数)")
_COUNTERS = ("", "个", "名", "位", "只", "件", "本", "种", "项", "家", "条", "台", "辆")
_MIN_STEM_CHARS = 3  # that a verb and its noun have to share


@cache
def _find_wordings(table: str) -> dict[str, tuple[str, ...]]:
    """Return the words for each name of a column."""
    found: dict[str, tuple[str, ...]] = {}
    for word, names in get_word_lists().table(table).items():
        for name in map(fold_letters, names):
            found[name] = (*found.get(name, ()), word)
    return found


@lru_cache(maxsize=10_000)
def list_phrases(name: str) -> tuple[str, ...]:
    """Return the phrases that ask for a column of this name, without its unit.

    "how old" for "Age", "how many seats" for "Number of seats", "多少册" for "册数".
    """
    key = fold_letters(name)
    phrases = [f"how {word}" for word in _find_wordings("how").get(key, ())]
    phrases += _find_wordings("chinese_how").get(key, ())
    if counted := _NUMBER_OF.fullmatch(name):
        phrases.append(f"how many {counted[1]}")
    if has_han(name) and (counted := _COUNTED.fullmatch(name)):
        things = {counted[1], counted[1].removesuffix("人")} - {""}
        counters = [f"{many}{counter}" for many in ("多少", "几") for counter in _COUNTERS]
        phrases += [f"{counter}{thing}" for thing in sorted(things) for counter in counters]
    return tuple(phrases)


@lru_cache(maxsize=10_000)
def list_superlatives(name: str, extreme: str) -> tuple[str, ...]:
    """Return the words that ask for the row with the highest or lowest number of a column.

    "deepest" for the highest one of "Depth".

    Args:
        extreme: "highest" or "lowest".
    """
    key, which = fold_letters(name), "most" if extreme == "highest" else "least"
    found = [*_find_wordings(f"english_{which}").get(key, ())]
    found += _find_wordings(f"chinese_{which}").get(key, ())
    if has_han(name) and (counted := _COUNTED.fullmatch(name)) and counted[1]:
        found.append(f"{counted[1]}最{'多' if extreme == 'highest' else '少'}")
    return tuple(found)


def is_done_by(verb: str, name: Sequence[str]) -> bool:
    """Return whether a column says who did something: "supervised" for "Supervisor".

    Also "discovered" for "Discovered by", and "wrote" for "Author".

    Args:
        verb: in lower case, as it stands behind "who".
        name: the words of the column's name, in lower case.
    """
    if len(name) == 2:
        return name[1] == "by" and name[0] == verb
    if len(name) != 1:
        return False
    noun = name[0]
    if verb in get_word_lists().table("did").get(noun, ()):
        return True
    if not noun.endswith(("er", "or")) or len(noun) - 2 < _MIN_STEM_CHARS:
        return False
    stems = {verb, *(verb.removesuffix(ending) for ending in ("ed", "d", "es", "s", "e"))}
    return noun[:-2] in stems or noun[:-1] in stems
