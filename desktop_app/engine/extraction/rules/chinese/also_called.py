"""Alias pairs that a Chinese text states: 绰号, 表字, 法名, 唤做, and 姓刘，名备，字玄德.

Owns these patterns and the search for the person that they refer to. Located names are passed
in; entity resolution decides whether two names are one entity.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from ...spans import LocatedName
from . import words as lists
from .matching import iter_matches

_HAN = "[\u3400-\u9fff]"
_STRONG = (
    "人称|人稱|绰号|綽號|诨名|諢名|诨号|諢號|混名|表字|(?<=[，,])字|(?<=名.)字|(?<=名..)字|法名|法号|法號|道号|道號|"
    "别号|別號|外号|外號"
)
_WEAK = (
    "本名|原名|改名|又名|别名|別名|又称|又稱|亦称|简称|簡稱|小名|乳名|小字|学名|學名|名唤|名喚|名叫|"
    "唤做|喚做|唤作|喚作|叫做|叫作|后改|後改"
)
_GIVEN = "赐名|賜名"
_ALIAS = re.compile(
    rf"(?P<word>(?P<strong>{_STRONG})|(?P<weak>{_WEAK})|(?P<given>{_GIVEN}))"
    '(?:都|皆|就)?(?:唤|喚|叫|称|稱|呼|取)?[他她]?(?:做|作|为|為|是|曰)?[：:“「『《"‘]?'
    rf"(?P<name>{_HAN}{{1,6}})"
)
_FULL_NAME = re.compile(
    rf"姓(?P<a>{_HAN}{{1,2}})[，,、]?(?:双名|雙名|单名|單名|名唤|名喚|名叫|法名|法号|法號|道号|名)"
    rf"(?:唤做|叫做|唤|喚|叫)?(?P<b>{_HAN}{{1,2}})(?=[，,。；;、字”」\s]|表字|绰号|綽號|[^\w])"
)
_STYLED = re.compile(rf"(?<!{_HAN})(?P<last>{_HAN})字(?P<name>{_HAN}{{2}})(?!{_HAN})")
_SENTENCE_END = re.compile(r"[。！？!?；;\n]")
# What may be between a name and its "唤做".
_DIRECTLY_BEFORE = re.compile(
    r"[，,、]?(?:人都|都|人|江湖上|众人|眾人|又|也|亦|皆|世人|时人|時人|后来|後來|后|後|遂|乃|"
    r"便|就|因此|的|之|是|小人|本)*"
)
# After one of these the text is about another person.
_OTHER_PERSON = re.compile(
    r"[“「『‘]|有一|有个|有個|一[员員个個位名僧女子]|手下|部下|麾下|帐下|帳下|同乡|同鄉|[之的][子女妻妹弟兄婢徒妾侄姪孙孫甥婿叔父母]|"
    r"兄弟|徒弟|弟子|儿子|兒子|女儿|女兒|丫[头鬟]|为[父母子妻师]|圣人|聖人|[他她其]"
)


def find_alias_pairs(
    text: str,
    located: Sequence[LocatedName],
    nicknames: Mapping[str, str],
    accepted: Collection[str],
) -> list[tuple[int, str, str]]:
    """Return (offset, name, other name) for nicknames and stated aliases, sorted.

    Args:
        nicknames: nickname -> name, for nicknames directly before the name.
        accepted: all names of the document.
    """
    pairs: list[tuple[int, str, str]] = []
    for name, after in pairwise(located):
        between = text[name.end : after.start]
        if between in ("", "”", '"', "」", "』") and nicknames.get(name.name) == after.name:
            pairs.append((name.start, name.name, after.name))
    if not located:
        return pairs
    by_start = {name.start: index for index, name in enumerate(located)}
    starts = [name.start for name in located]
    begin, stop = max(0, located[0].start - 60), min(len(text), located[-1].end + 12)
    for match in iter_matches(_ALIAS, text, begin, stop):
        at = match.start("name")
        index = by_start.get(at)
        other = located[index] if index is not None else None
        owner = _find_owner_after(text, located, index) or _find_owner_before(
            text, match, located, starts
        )
        if not owner:
            continue
        if other and other.type == "person" and other.name != owner and not _has_title(other.name):
            pairs.append((at, owner, other.name))
        surname = owner[:2] if owner[:2] in lists.DOUBLE_SURNAMES else owner[0]
        for length in (2, 1, 3):
            whole = surname + match["name"][:length]
            # Most given names have two characters; 平 of 平叔 is not the name.
            ends = length == 2 or not re.match(_HAN, text[at + length : at + length + 1])
            if ends and whole in accepted and whole != owner:
                pairs.append((at, owner, whole))
                break
    pairs += _find_taken_names(text, begin, stop, accepted)
    pairs += _find_styled(text, located, starts, accepted)
    pairs.sort()
    return list(dict.fromkeys(pairs))


def _find_taken_names(
    text: str, start: int, end: int, accepted: Collection[str]
) -> list[tuple[int, str, str]]:
    """Return pairs of full and given name: 姓鲁，法名智深 makes 智深 an alias of 鲁智深."""
    pairs = []
    for match in iter_matches(_FULL_NAME, text, start, end):
        full = match["a"] + match["b"]
        if _is_surname(match["a"]) and full in accepted and match["b"] in accepted:
            pairs.append((match.start("b"), full, match["b"]))
    return pairs


def _find_styled(
    text: str, located: Sequence[LocatedName], starts: Sequence[int], accepted: Collection[str]
) -> list[tuple[int, str, str]]:
    """Return pairs for courtesy names: 懿字仲达 soon after 司马懿."""
    pairs = []
    for match in iter_matches(_STYLED, text, located[0].start, located[-1].end):
        first, last = bisect_left(starts, match.start() - 80), bisect_left(starts, match.start())
        fits = [n.name for n in located[first:last] if n.name.endswith(match["last"])]
        if fits and match["name"] in accepted:
            pairs.append((match.start("name"), fits[-1], match["name"]))
    return pairs


def _find_owner_after(text: str, located: Sequence[LocatedName], index: int | None) -> str:
    """Return the person named right after the nickname (绰号小养由基庞万春), "" if none."""
    if index is None or index + 1 >= len(located):
        return ""
    nickname, after = located[index], located[index + 1]
    if after.type != "person" or after.name == nickname.name:
        return ""
    return after.name if text[nickname.end : after.start] in ("", "的", "”", "”的", "」") else ""


def _find_owner_before(
    text: str, match: re.Match[str], located: Sequence[LocatedName], starts: Sequence[int]
) -> str:
    """Return the name before the matched word that it refers to, "" if unsure."""
    at = match.start()
    window = text[max(0, at - 60) : at]
    stops = list(_SENTENCE_END.finditer(window))
    sentence = window[stops[-1].end() :] if stops else window
    stated = [found for found in _FULL_NAME.finditer(sentence + "，") if _is_surname(found["a"])]
    if stated and not _OTHER_PERSON.search(sentence[stated[-1].end() :]):
        return stated[-1]["a"] + stated[-1]["b"]
    last = bisect_left(starts, at)
    if match["given"]:
        first = bisect_left(starts, at - 900)
        return _most_named(
            [n.name for n in located[first:last] if n.type == "person" and not _has_title(n.name)]
        )
    first = bisect_left(starts, at - len(sentence))
    people = [n for n in located[first:last] if n.type == "person"]
    if not people or at - people[-1].end > 30:
        return ""
    between = text[people[-1].end : at]
    unsure = (
        _OTHER_PERSON.search(between)
        if match["strong"]
        else not _DIRECTLY_BEFORE.fullmatch(between)
    )
    return "" if unsure else people[-1].name


def _is_surname(text: str) -> bool:
    return text in lists.SURNAMES or text in lists.DOUBLE_SURNAMES


def _has_title(name: str) -> bool:
    return name.endswith(lists.TITLES)


def _most_named(names: Sequence[str]) -> str:
    counts = Counter(names)
    return min(counts, key=lambda name: (-counts[name], name), default="")
