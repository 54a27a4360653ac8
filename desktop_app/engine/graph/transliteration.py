"""Latin names as a Chinese question writes them: 斯克鲁奇 for Scrooge, by the sound of each.

Both are brought to their consonants, in classes that a transliteration keeps apart (l and r are
one), and the first vowel. Finds names in a question; which library has them is the caller's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .name_linking import NameFinder, fold

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


def list_romanizations(name: str) -> list[str]:
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


def romanize_name(name: str) -> str:
    """Return a Chinese name as English writes it, 鲁智深 as "Lu Zhishen"; "" for other names."""
    if not _CHINESE.fullmatch(name):
        return ""
    from pypinyin import lazy_pinyin

    sounds = lazy_pinyin(name)
    cut = 2 if name[:2] in DOUBLE_SURNAMES else 1
    if name[-1] in PLACES:
        return "".join(sounds).capitalize()
    return " ".join("".join(part).capitalize() for part in (sounds[:cut], sounds[cut:]) if part)


class RomanizedNames:
    """The spellings of a library's Chinese names.

    Args:
        names: (name, entity) pairs; others than Chinese ones are passed over.
    """

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        self._finder = NameFinder(
            (spelled, value)
            for name, value in names
            if _CHINESE.fullmatch(name)
            for spelled in list_romanizations(name)
        )

    def find(self, question: str) -> list[Linked]:
        """Return (start, end, entities) of spelled names; one must begin with a capital letter."""
        return [hit for hit in self._finder.find(question) if question[hit[0]].isupper()]


_CHINESE_RUN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-zÀ-ɏ]{3,}")
# The characters that foreign names are written with; others are words of the question.
_WRITING = frozenset(
    "阿埃艾爱安昂奥巴白拜班邦包保鲍北贝本比彼毕宾彬波博伯勃布查柴彻垂茨达戴黛丹当道德登邓狄迪蒂丁东杜顿"
    "多厄恩尔法凡范菲费芬丰冯佛夫弗福富盖甘冈高戈格葛根更贡古瓜圭果哈海汉豪郝赫亨洪胡华怀惠霍基吉济加贾简"
    "杰金京居喀卡凯坎康考柯科可克肯孔库夸昆拉莱赖兰朗劳勒雷蕾里丽莉利莲连良列林琳霖柳龙隆卢鲁路露伦罗洛玛"
    "马麦迈曼芒毛茂梅门蒙孟米密敏明摩莫默姆木穆拿纳娜南瑙内尼妮年涅宁纽农努诺欧帕派潘庞佩彭皮平泼珀普奇齐"
    "契恰乔切琴钦丘琼屈让热仁荣茹儒瑞萨塞赛桑瑟森沙莎珊尚绍舍申圣施史士舒朔司丝斯松苏索塔泰坦汤唐陶特提廷"
    "汀通图土托脱瓦万旺威韦维薇魏温文翁沃乌武西希锡夏香肖谢辛欣休修许雪逊雅亚扬耶叶伊依因英尤约宰泽扎詹章珍"
    "芝治朱卓兹祖佐坡"
)
_TITLES = frozenset(
    re.findall(r"\w+", "mr mrs miss ms dr sir lady lord the king queen captain colonel aunt uncle")
)
_DOTS = "·・•‧"
MIN_CHARS, MAX_CHARS = 2, 7

# The letters of English, the longest first, and the class each sounds in; "" for no sound.
_LETTERS = (
    *(("tch", "S"), ("sch", "S"), ("dge", "S"), ("ght", "T"), ("sh", "S"), ("ch", "S")),
    *(("ck", "K"), ("ph", "F"), ("th", "S"), ("wh", "W"), ("kn", "N"), ("qu", "K"), ("gn", "N")),
    *(("ge", "S"), ("gi", "S"), ("gy", "S"), ("ce", "S"), ("ci", "S"), ("cy", "S"), ("x", "KS")),
    *(("b", "P"), ("p", "P"), ("m", "M"), ("f", "F"), ("v", "F"), ("d", "T"), ("t", "T")),
    *(("n", "N"), ("l", "L"), ("g", "K"), ("k", "K"), ("c", "K"), ("q", "K"), ("j", "S")),
    *(("s", "S"), ("z", "S"), ("h", ""), ("w", "W"), ("y", "")),
)
_SOFT = frozenset(("ge", "gi", "gy", "ce", "ci", "cy"))
_INITIALS = {
    **dict.fromkeys(("b", "p"), "P"),
    **dict.fromkeys(("d", "t"), "T"),
    **dict.fromkeys(("g", "k"), "K"),
    **dict.fromkeys(("j", "q", "x", "zh", "ch", "sh", "z", "c", "s"), "S"),
    **{"m": "M", "f": "F", "n": "N", "l": "L", "r": "L", "h": "", "w": "W", "y": ""},
}
_VOWELS = {"a": "A", "e": "E", "i": "E", "y": "E", "o": "O", "u": "O", "ü": "E", "v": "E"}

Key = tuple[str, str]  # consonants, class of the first vowel


def phonetic_key_of_latin(word: str) -> Key:
    """Return the sound of one Latin word: "Scrooge" -> ("SKLS", "O")."""
    word, made, position = fold(word), "", 0
    while position < len(word):
        rest = word[position:]
        if rest[0] == rest[1:2]:  # a double letter sounds once
            position += 1
            continue
        if rest[0] == "r":  # spoken before a vowel only
            made += "L" if rest[1:2] and rest[1] in "aeiouyr" else ""
            position += 1
            continue
        letters, sound = next((pair for pair in _LETTERS if rest.startswith(pair[0])), ("", ""))
        made += sound
        # what makes a consonant soft is a vowel of its own
        position += 1 if letters in _SOFT else len(letters) or 1
    vowel = next((_VOWELS[c] for c in word if c in _VOWELS), "")
    return made, vowel


def phonetic_key_of_chinese(run: str) -> Key:
    """Return the sound of Chinese characters: 斯克鲁奇 -> ("SKLS", "O")."""
    from pypinyin import Style, lazy_pinyin

    initials = lazy_pinyin(run, style=Style.INITIALS, strict=False)
    finals = lazy_pinyin(run, style=Style.FINALS, strict=False)
    made, vowel = "", ""
    for initial, final in zip(initials, finals, strict=True):
        sound = _INITIALS.get(initial, "")
        made += "" if sound == "N" and made.endswith("N") else sound
        if final == "er":
            made += "L"
            continue
        if final.endswith(("n", "ng")):
            made += "N"
        # 斯, 克, 弗 only carry their consonant
        carries = final == ("i" if initial in ("s", "sh", "z", "c") else "e")
        bare = carries or initial + final == "fu"
        if not vowel and not bare:
            vowel = "O" if final == "ao" else next((_VOWELS[c] for c in final if c in _VOWELS), "")
    return made, vowel


def is_foreign(name: str) -> bool:
    """Say whether a name has no Chinese in it, so that Chinese may write it by its sound."""
    return not _CHINESE_RUN.search(name)


class PhoneticNames:
    """The sounds of some Latin names, few enough to compare each with the whole question.

    Args:
        names: (name, entity) pairs; Chinese ones are passed over.
    """

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        self._known: dict[Key, list[int]] = {}
        for name, value in names:
            if not is_foreign(name):
                continue
            for word in _WORD.findall(name):
                if word[0].isupper() and word.lower() not in _TITLES:
                    key = phonetic_key_of_latin(word)
                    values = self._known.setdefault(key, [])
                    if len(key[0]) >= 2 and value not in values:
                        values.append(value)

    def find(self, question: str) -> list[Linked]:
        """Return (start, end, entities) of the names, without overlaps, the likest first."""
        hits = []
        for run_start, run in _runs(question):
            for size in range(MIN_CHARS, min(MAX_CHARS, len(run)) + 1):
                for at in range(len(run) - size + 1):
                    heard = phonetic_key_of_chinese(run[at : at + size])
                    for known, values in self._known.items():
                        like = phonetic_similarity(heard, known)
                        if like and size + 1 >= len(run):  # nearly all of it: take it whole
                            hits.append((like, len(run), run_start, values))
                        elif like:
                            hits.append((like, size, run_start + at, values))
        hits.sort(key=lambda hit: (-hit[0], -hit[1], hit[2]))
        found: list[Linked] = []
        for _, size, start, values in hits:
            first, last = _whole(question, start, start + size)
            if all(first >= end or last <= other for other, end, _ in found):
                found.append((first, last, values))
        return found


def _whole(question: str, start: int, end: int) -> tuple[int, int]:
    """Return where a name of several words begins and ends: 艾琳·艾德勒."""
    while start > 1 and question[start - 1] in _DOTS and question[start - 2] in _WRITING:
        start -= 1
        while start > 0 and question[start - 1] in _WRITING:
            start -= 1
    while end + 1 < len(question) and question[end] in _DOTS and question[end + 1] in _WRITING:
        end += 1
        while end < len(question) and question[end] in _WRITING:
            end += 1
    return start, end


def phonetic_similarity(heard: Key, known: Key) -> float:
    """Return how alike two sounds are, above 0 where they may be one name, at most 1.

    Two consonants must be the same and so must the vowel; one of more may be missing or another.
    """
    (a, vowel_a), (b, vowel_b) = heard, known
    shorter = min(len(a), len(b))
    alike = 0.1 * (vowel_a == vowel_b)
    if a == b:
        return 0.9 + alike if shorter > 2 or (shorter == 2 and alike) else 0.0
    if shorter < 3 or max(len(a), len(b)) < 4 - alike * 10 or a[0] != b[0]:
        return 0.0
    off = _distance(a, b)
    return 0.8 - 0.3 * off / shorter + alike if off <= 1 + (shorter >= 5) else 0.0


def _distance(a: str, b: str) -> int:
    """Return how many letters are to be changed, added or taken out to make one of the other."""
    row = list(range(len(b) + 1))
    for i, char in enumerate(a, start=1):
        before, row[0] = row[0], i
        for j, other in enumerate(b, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (char != other))
    return row[-1]


def _runs(question: str) -> Iterable[tuple[int, str]]:
    """Yield (start, characters) of what may be foreign names; a dot parts a name's words."""
    start = 0
    for position in range(len(question) + 1):
        if position == len(question) or question[position] not in _WRITING:
            if position - start >= MIN_CHARS:
                yield start, question[start:position]
            start = position + 1
