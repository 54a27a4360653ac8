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
    re.findall(
        "..",
        "欧阳歐陽司马司馬诸葛諸葛公孙公孫皇甫呼延慕容上官夏侯东方東方令狐宇文长孙長孫西门西門司徒司空端木百里"
        "东郭東郭南宫南宮独孤獨孤尉迟尉遲申屠轩辕軒轅澹台濮阳濮陽淳于公冶赫连赫連闻人聞人拓跋耶律完颜完顏",
    )
)
# What kind of place a name ends in, as English says it: 景阳冈 is Jingyang Ridge.
PLACES = {
    **dict.fromkeys("山", ("mount", "mountain", "mountains", "hill")),
    **dict.fromkeys("岭嶺冈岡岗崗坡", ("ridge", "hill", "slope")),
    **dict.fromkeys("寺庙廟观觀庵", ("temple", "monastery", "abbey")),
    **dict.fromkeys("江河水", ("river",)),
    **dict.fromkeys("湖泊洼", ("lake", "marsh", "marshes")),
    **dict.fromkeys("村庄莊", ("village", "manor")),
    **dict.fromkeys("镇鎮", ("town",)),
    **dict.fromkeys("城", ("city",)),
    **dict.fromkeys("州府郡", ("prefecture",)),
    **dict.fromkeys("县縣", ("county",)),
    **dict.fromkeys("桥橋", ("bridge",)),
    **dict.fromkeys("楼樓阁閣", ("tower", "pavilion", "restaurant")),
    **dict.fromkeys("宫宮殿", ("palace", "hall")),
    **dict.fromkeys("关關", ("pass",)),
    **dict.fromkeys("寨", ("fort", "stockade", "stronghold")),
    **dict.fromkeys("园園", ("garden",)),
    **dict.fromkeys("岛島", ("island",)),
    **dict.fromkeys("洞", ("cave",)),
    **dict.fromkeys("国國", ("kingdom",)),
}
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
    for kind in PLACES.get(name[-1], ()):
        stem = "".join(sounds[:-1])
        made |= {f"{stem} {kind}", f"{kind} {stem}", f"{stem}{sounds[-1]} {kind}"}
    return sorted(s for s in made if len(s) >= MIN_SPELLED)


def spell_plainly(name: str) -> str:
    """Return a Chinese name as English writes it, 鲁智深 as "Lu Zhishen"; "" for other names."""
    if not _CHINESE.fullmatch(name):
        return ""
    from pypinyin import lazy_pinyin

    sounds = lazy_pinyin(name)
    cut = 2 if name[:2] in DOUBLE_SURNAMES else 1
    if name[-1] in PLACES:
        return "".join(sounds).capitalize()
    return " ".join("".join(part).capitalize() for part in (sounds[:cut], sounds[cut:]) if part)


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
