"""Word lists of Chinese names for the duplicate search: double surnames, titles, ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ...word_lists import WordLists

_LISTS = WordLists("chinese_duplicates")
DOUBLE_SURNAMES = _LISTS.words("double_surnames")
TITLES = _LISTS.longest_first("titles")
RANKS = _LISTS.longest_first("ranks")
RELATIVE_ENDINGS = _LISTS.in_order("relative_endings")
_NUMBERS = frozenset("大二三四五六七八九")
_AFTER_NUMBER = frozenset(
    "郎 哥 爷 爺 官人 姐 妹 娘 嫂 姑娘 奶奶 小姐 叔 伯 兄 弟 少爷 少爺 公子 太太".split()
)


def surname_of(name: str) -> str:
    return name[:2] if name[:2] in DOUBLE_SURNAMES else name[:1]


def ending_of(name: str, endings: tuple[str, ...]) -> str:
    """Return the ending if the name is a surname with one of `endings`; "" otherwise."""
    rest = name[len(surname_of(name)) :]
    return next((ending for ending in endings if rest == ending), "")


def count_surnames(names: Iterable[str]) -> frozenset[str]:
    """Return the surnames of at least four names of the library."""
    seen = Counter(surname_of(name) for name in names if is_full_name(name))
    return frozenset(surname for surname, n in seen.items() if n >= 4)


def rank_of(name: str) -> str:
    """Return the rank among brothers in a name: 二 in 武二郎; "" if none."""
    rest = name[len(surname_of(name)) :]
    if rest[:1] in _NUMBERS and (len(rest) == 1 or rest[1:] in _AFTER_NUMBER):
        return rest[0]
    return ""


def is_full_name(name: str) -> bool:
    """Return whether a name has the form of a surname and a given name."""
    surname = surname_of(name)
    rest = name[len(surname) :]
    return 1 <= len(rest) <= 2 and rest not in TITLES and rest not in RANKS


def is_own_name(name: str) -> bool:
    """Return whether a name has this form and is ends in no word for a relative."""
    return is_full_name(name) and not name.endswith(RELATIVE_ENDINGS)
