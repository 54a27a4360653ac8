"""Which of several names of one person is the most complete: the one that a merge keeps.

In a Latin script, a spelled-out first name with a surname is complete, and everything else is less:
a title with a surname, a bare first name, an epithet, initials. In Chinese characters the form of
a name says less, so that a name is only more complete than certain others: a given name without
its surname, and the same surname with a title.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...word_lists import WordLists
from ..resolution import is_bare_chinese, is_husbands_name, parse_latin_name
from .chinese_words import DOUBLE_SURNAMES, TITLES, ending_of, is_full_name, rank_of, surname_of

_SURNAMES = WordLists("chinese").characters("surnames") | DOUBLE_SURNAMES
_MIN_MENTIONS = 5  # of a Chinese name; what stands less often may be cut wrongly (马嘶, 马流)
_HAN_FROM, _HAN_TO = "\u3400", "\u9fff"
_PARTICLE = 3  # letters at most of what may be in lower case: "de", "von", "van", "da"


class KnownName(NamedTuple):
    """A name of one person, with the mentions of the entity that has it."""

    name: str
    n_mentions: int


def is_complete_name(name: str) -> bool:
    """Return whether a Latin name is a spelled-out first name with a surname."""
    parsed = parse_latin_name(name)
    if parsed is None or len(parsed.words) < 2 or is_husbands_name(parsed):
        return False
    first, *others = name.split()
    is_name = all(word[:1].isupper() or len(word) <= _PARTICLE for word in others)
    # no heading ("GABRIEL BETTEREDGE"), no possessive ("Sergeant’s Cuff"), no initials
    is_plain = not name.isupper() and not any(w.endswith(("'s", "’s")) for w in (first, *others))
    return first[:1].isupper() and is_name and is_plain and len(parsed.words[0]) > 1


def choose_complete_name(names: Sequence[KnownName]) -> str:
    """Return the most complete of the names of one person; the first one if no other is more.

    Args:
        names: the best known first, at least one.
    """
    known = names[0].name
    if _HAN_FROM <= known[:1] <= _HAN_TO:
        return next((n.name for n in names[1:] if _completes(n, known)), known)
    complete = [n.name for n in names if is_complete_name(n.name)]
    if not complete:
        return known
    best = parse_latin_name(complete[0])
    for name in complete:  # of the same words, those without a title
        parsed = parse_latin_name(name)
        is_same = best is not None and parsed is not None and parsed.words == best.words
        if is_same and parsed is not None and not parsed.title:
            return name
    return complete[0]


def _completes(one: KnownName, known: str) -> bool:
    """Return whether a Chinese name has the surname, or the given name, that another one lacks."""
    name = one.name
    surname = surname_of(name)
    given = name[len(surname) :]
    # 玉皇 has no surname, 赖嬷嬷 no given name
    is_form = surname in _SURNAMES and is_full_name(name)
    if not is_form or rank_of(name) or is_bare_chinese(given) or is_bare_chinese(known):
        return False
    if given == known:  # 鲁智深, 智深; but 姜维 has a surname, and 闻 before it is "hears"
        return not (surname_of(known) in _SURNAMES and is_full_name(known))
    has_title = bool(ending_of(known, TITLES))
    return has_title and surname_of(known) == surname and one.n_mentions >= _MIN_MENTIONS
