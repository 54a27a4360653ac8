"""Chinese names as they are spelled in English: "Lu Zhishen" for 鲁智深, by the sound of each.

Makes spellings and finds them in a question; which library has the names is the caller's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .linking import NameFinder

_CHINESE = re.compile(r"[\u3400-\u9fff]{2,4}")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
DOUBLE_SURNAMES = frozenset(
    re.findall("..", "欧阳歐陽司马司馬诸葛諸葛公孙公孫皇甫呼延慕容上官夏侯东方東方令狐宇文长孙")
)
MIN_SPELLED = 5

Linked = tuple[int, int, list[int]]


def is_latin(question: str) -> bool:
    """Say whether a question is in Latin letters, without any Chinese name in it."""
    return bool(_LATIN.search(question)) and not _CHINESE.search(question)


def spell_name(name: str) -> list[str]:
    """Return the spellings of a Chinese name of two to four characters: "lu zhishen", ..."""
    from pypinyin import lazy_pinyin

    sounds = lazy_pinyin(name, errors="ignore")
    if len(sounds) != len(name):
        return []
    cut = 2 if name[:2] in DOUBLE_SURNAMES else 1
    first, second = "".join(sounds[:cut]), "".join(sounds[cut:])
    made = {
        f"{first} {second}",
        " ".join(sounds),
        first + second,
        f"{first} {'-'.join(sounds[cut:])}",
    }
    if "v" in first + second:
        made |= {s.replace("v", "u") for s in made} | {s.replace("v", "ü") for s in made}
    return sorted(s for s in made if len(s) >= MIN_SPELLED)


class SpelledNames:
    """The spellings of a library's Chinese names.

    Args:
        names: (name, entity) pairs; others than Chinese ones are passed over.
    """

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        self._finder = NameFinder(
            (spelled, value)
            for name, value in names
            if _CHINESE.fullmatch(name)
            for spelled in spell_name(name)
        )

    def find(self, question: str) -> list[Linked]:
        """Return (start, end, entities) of spelled names; one must begin with a capital letter."""
        return [hit for hit in self._finder.find(question) if question[hit[0]].isupper()]
