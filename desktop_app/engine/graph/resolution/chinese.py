"""Rules for Chinese personal names: given name alone, and surname with a title.

Proposes a pair only if exactly one person with that name occurs in the same documents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from ...model import NameCount


def _split(words: str) -> list[str]:
    return words.split()


# Official titles, which one person of a surname has; no words of kinship (太公, 娘子).
_TITLES = tuple(
    _split(
        "提辖 教头 都头 知寨 押司 员外 大官人 制使 院长 提轄 教頭 都頭 員外 統制 统制 "
        "虞候 孔目 节级 節級 观察 觀察 太尉 太师 太師 知府 先锋 先鋒 军师 軍師 将军 "
        "將軍 都监 都監 学究 學究 真人 道长 道人 先生 老师 老師 教授 总 總 经理 經理 "
        "主席 总统 總統 武师 武師 行者 丞相 元帅 元帥 都督 长老 長老 大圣 大聖 和尚"
    )
)
_KINSHIP_WORDS = frozenset(
    _split(
        "太公 大郎 二郎 三郎 大哥 二哥 三哥 大嫂 娘子 夫人 小姐 太婆 老爹 婆婆 小二 "
        "小三 小五 小七 大虫 员外 先生 真人 道人 大王 大人 老爷 老爺 奶奶 姑娘 丫头 "
        "官人 大娘 二娘 三娘 太尉 知府 头领 頭領 哥哥 兄弟 和尚 长老 長老 教头 教頭 "
        "都头 都頭 提辖 提轄 押司 将军 將軍 师父 師父 行者"
    )
)
_MIN_SHARED_DOCUMENTS = 0.7
_MIN_OWNER_SHARE = 0.85
_MIN_FULL_NAME_SHARE = 1 / 60


def is_bare_chinese(name: str) -> bool:
    """Return whether a name is only a title or a word of kinship."""
    return name in _KINSHIP_WORDS or name in _TITLES


def propose_chinese(
    names: Sequence[NameCount], find: Callable[[int], int]
) -> Iterator[tuple[int, int]]:
    """Propose pairs of names of one person.

    Args:
        find: name id -> id of its current group.
    """
    people = [name for name in names if _is_person(name)]
    by_given: dict[str, list[NameCount]] = defaultdict(list)
    by_surname: dict[str, list[NameCount]] = defaultdict(list)
    for name in people:
        text = name.name
        if _title_of(text) or is_bare_chinese(text) or not 2 <= len(text) <= 4:
            continue
        if name.n_mentions >= 2:
            by_surname[text[0]].append(name)
        if len(text) == 3:
            by_given[text[1:]].append(name)
        elif len(text) == 4:
            by_given[text[2:]].append(name)
    for name in people:
        text = name.name
        title = _title_of(text)
        if len(text) == 2 and text not in _KINSHIP_WORDS and text in by_given:
            # A frequent 宝玉 is rarely the 甄宝玉 of a few pages.
            frequent_enough = [
                o for o in by_given[text] if o.n_mentions >= _MIN_FULL_NAME_SHARE * name.n_mentions
            ]
            yield from _only_one(name, by_given[text] if frequent_enough else (), find)
        elif title and len(text) - len(title) == 1:
            fitting = [other for other in by_surname.get(text[0], ()) if other is not name]
            yield from _only_one(name, fitting, find, error_share=0.05)
        elif text in _TITLES and (owner := _owner_of(name, people)):
            yield from _only_one(name, [owner], find)


def _owner_of(title: NameCount, people: Sequence[NameCount]) -> NameCount | None:
    """Return the dominant name of a surname with this title (孙行者 for 行者), None if unclear."""
    with_surname = [
        other
        for other in people
        if len(other.name) == len(title.name) + 1
        and other.name.endswith(title.name)
        and other.documents & title.documents
    ]
    most = max(with_surname, key=lambda name: (name.n_mentions, -name.name_id), default=None)
    total = sum(name.n_mentions for name in with_surname)
    return most if most and most.n_mentions >= max(50, _MIN_OWNER_SHARE * total) else None


def _is_person(name: NameCount) -> bool:
    if not name.name or not "\u3400" <= name.name[0] <= "\u9fff":
        return False
    kinds = name.types
    return not kinds or kinds.get("person", 0) >= 0.5 * sum(kinds.values())


def _title_of(text: str) -> str:
    for title in _TITLES:
        if text.endswith(title) and len(text) > len(title):
            return title
    return ""


def _only_one(
    name: NameCount,
    fitting: Sequence[NameCount],
    find: Callable[[int], int],
    *,
    error_share: float = 0.0,
) -> Iterator[tuple[int, int]]:
    """Propose the only group that fits, if it occurs in the same documents."""
    most = max((other.n_mentions for other in fitting), default=0)
    # Much rarer names are errors of the tagger and no alternatives.
    max_errors = max(2, 0.02 * most, error_share * name.n_mentions)
    fitting = [o for o in fitting if o.n_mentions > max_errors or o.n_mentions == most]
    groups = {find(other.name_id) for other in fitting} - {find(name.name_id)}
    if len(groups) != 1:
        return
    best = max(fitting, key=lambda other: (other.n_mentions, -other.name_id))
    shared = name.documents & best.documents
    if not name.documents or len(shared) >= _MIN_SHARED_DOCUMENTS * len(name.documents):
        yield name.name_id, best.name_id
