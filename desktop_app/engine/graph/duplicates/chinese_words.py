"""Word lists of Chinese names for the duplicate search: double surnames, titles, ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

DOUBLE_SURNAMES = frozenset(
    (
        "欧阳 司马 诸葛 上官 公孙 呼延 慕容 皇甫 西门 尉迟 令狐 夏侯 端木 东方 独孤 "
        "宇文 长孙 司徒 太史 东郭 南宫 完颜 歐陽 司馬 諸葛 公孫 西門 尉遲 東方 獨孤 "
        "長孫 東郭"
    ).split()
)
# Titles that usually one person of a surname has.
TITLES = tuple(
    sorted(
        (
            "提辖 教头 都头 知寨 押司 员外 大官人 官人 制使 院长 提轄 教頭 都頭 員外 "
            "统制 統制 虞候 孔目 节级 節級 观察 觀察 太尉 太师 太師 知府 先锋 先鋒 军师 "
            "軍師 将军 將軍 都监 都監 学究 學究 真人 道长 道人 先生 老师 老師 教授 武师 "
            "行者 丞相 元帅 元帥 都督 长老 長老 天王 和尚 枢密 樞密 侍郎 招讨 招討 安抚 "
            "安撫 总管 總管 国师 國師 天师 天師 大王 国舅 國舅 相公 主席 总统 總統 总 "
            "總 经理 經理 殿帅 殿帥 司马 司馬 刺史 太守 将 皇叔 僧 王 帝"
        ).split(),
        key=len,
        reverse=True,
    )
)
# After a surname: a rank among brothers, or a familiar form.
RANKS = tuple(
    sorted(
        (
            "大郎 二郎 三郎 四郎 五郎 六郎 七郎 大哥 二哥 三哥 大爷 二爷 三爷 小乙 大 "
            "二 三 四 五 六 七 八 九 老爷 老爹 爷 郎 哥 儿 兄 弟"
        ).split(),
        key=len,
        reverse=True,
    )
)
# Endings that denote another person or thing than the name: wife, mother, household, place.
RELATIVE_ENDINGS = (
    "娘子 夫人 大嫂 嫂 婆 氏 娘 小姐 太公 太婆 妈妈 媽媽 庄 莊 家 府 门 門 "
    "店 寨 村 山 国 國 军 軍 城 寺 岭 嶺 洞 河 县 縣 州 太郎 衙内 衙內 母 "
    "父 妻 子 女 妹 姐"
).split()
_NUMBERS = frozenset("大二三四五六七八九")
_AFTER_NUMBER = frozenset(("郎", "哥", "爷", "爺", "官人"))


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
