"""Names in Chinese documents: which strings are names, their types, nicknames and places.

Counts the tags of the whole document, drops titles and common words, adds surnames with titles
and introduced names, and locates all occurrences. `chinese_tagger` corrects cuts first.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, product
from string import ascii_letters

from ...writing_systems import HAN as SCRIPT_HAN
from ...writing_systems import has_han
from ..spans import LocatedName, TaggedSpan
from . import chinese_words as lists
from .chinese_tagger import (
    HAN,
    count_all,
    has_surname,
    is_dictionary_word,
    iter_found,
    iter_matches,
    repair_names,
)
from .chinese_use import find_used_as_words
from .latin_words import COMMON

_HAN_CHAR = f"[{SCRIPT_HAN}]"
_STRONG = (
    "人称|人稱|绰号|綽號|诨名|諢名|诨号|諢號|混名|表字|(?<=[，,])字|(?<=名.)字|(?<=名..)字|法名|法号|法號|道号|道號|"
    "别号|別號|外号|外號|(?<=[，,])[号號]"
)
# Nouns that say which other name somebody has: their subject may be some words before them.
_OTHER_NAME = (
    "本名|原名|真名|大名|又名|别名|別名|小名|乳名|小字|学名|學名|笔名|筆名|艺名|藝名|化名|网名|網名|"
    "英文名|改名|后改|後改"
)
_WEAK = (
    f"(?P<noun>{_OTHER_NAME})|又称|又稱|亦称|简称|簡稱|名唤|名喚|名叫|唤做|喚做|唤作|喚作|叫做|叫作|"
    "(?<=[都皆])(?:叫|称|稱|喊|唤|喚|管)(?=[他她])"
)
_GIVEN = "赐名|賜名"
_ALIAS = re.compile(
    rf"(?P<word>(?P<strong>{_STRONG})|(?P<weak>{_WEAK})|(?P<given>{_GIVEN}))"
    '[，,]?(?:都|皆|就)?(?:唤|喚|叫|称|稱|呼|取)?[他她]?(?:叫|做|作|为|為|是|曰)?[：:“「『《"‘]?'
    rf"(?P<name>{_HAN_CHAR}{{1,6}}|[A-Z][A-Za-z]+)"
)
_STATED_FULL_NAME = re.compile(
    rf"姓(?P<a>{_HAN_CHAR}{{1,2}})[，,、]?(?:双名|雙名|单名|單名|名唤|名喚|名叫|法名|法号|法號|道号|名)"
    rf"(?:唤做|叫做|唤|喚|叫)?(?P<b>{_HAN_CHAR}{{1,2}})(?=[，,。；;、字”」\s]|表字|绰号|綽號|[^\w])"
)
_STYLED = re.compile(
    rf"(?<!{_HAN_CHAR})(?P<last>{_HAN_CHAR})字(?P<name>{_HAN_CHAR}{{2}})(?!{_HAN_CHAR})"
)
_SENTENCE_END = re.compile(r"[。！？!?；;\n]")
# What may be between a name and its "唤做".
_DIRECTLY_BEFORE = re.compile(
    r"[，,、（(]?(?:人都|都|人|江湖上|众人|眾人|又|也|亦|皆|世人|时人|時人|后来|後來|后|後|遂|乃|"
    r"便|就|因此|的|之|是|小人|本)*"
)
# A sentence that goes on about the person before it, up to its naming word.
_GOES_ON = re.compile(r"[“「『]?(?:此人|这人|這人|那人|其人|[他她其])(?:的)?(?:也|又|曾)?")
_PRONOUN = re.compile(r"[他她]")
_NUMBERED = re.compile(r"(?:了|起|取|送)?一?[个個]$")  # 一个绰号
# After one of these the text is about another person.
_OTHER_PERSON = re.compile(
    r"[“「『‘]|有一|有个|有個|一[员員个個位名僧女子]|手下|部下|麾下|帐下|帳下|同乡|同鄉|[之的][子女妻妹弟兄婢徒妾侄姪孙孫甥婿叔父母]|"
    r"兄弟|徒弟|弟子|儿子|兒子|女儿|女兒|丫[头鬟]|为[父母子妻师]|圣人|聖人|[他她其]"
)


def find_chinese_alias_pairs(
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
        # 宋押司 is a form of address, but “铁秤先生” a nickname.
        is_titled = other is not None and _TITLED.fullmatch(other.name) is not None
        is_person = other is not None and other.type == "person" and not is_titled
        if other and is_person and other.name != owner:
            pairs.append((at, owner, other.name))
        surname = owner[:2] if owner[:2] in lists.DOUBLE_SURNAMES else owner[0]
        for length in (2, 1, 3):
            whole = surname + match["name"][:length]
            # Most given names have two characters; 平 of 平叔 is not the name.
            ends = length == 2 or not re.match(_HAN_CHAR, text[at + length : at + length + 1])
            if ends and whole in accepted and whole != owner:
                pairs.append((at, owner, whole))
                break
    # Full and given name: 姓鲁，法名智深 makes 智深 an alias of 鲁智深.
    for match in iter_matches(_STATED_FULL_NAME, text, begin, stop):
        full = match["a"] + match["b"]
        if _is_surname(match["a"]) and full in accepted and match["b"] in accepted:
            pairs.append((match.start("b"), full, match["b"]))
    # Courtesy names: 懿字仲达 soon after 司马懿.
    for match in iter_matches(_STYLED, text, located[0].start, located[-1].end):
        first, last = bisect_left(starts, match.start() - 80), bisect_left(starts, match.start())
        fits = [n.name for n in located[first:last] if n.name.endswith(match["last"])]
        if fits and match["name"] in accepted:
            pairs.append((match.start("name"), fits[-1], match["name"]))
    pairs.sort()
    return list(dict.fromkeys(pairs))


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
    stated = [
        found for found in _STATED_FULL_NAME.finditer(sentence + "，") if _is_surname(found["a"])
    ]
    if stated and not _OTHER_PERSON.search(sentence[stated[-1].end() :]):
        return stated[-1]["a"] + stated[-1]["b"]
    last = bisect_left(starts, at)
    if match["given"]:
        first = bisect_left(starts, at - 900)
        counts = Counter(
            [n.name for n in located[first:last] if n.type == "person" and not _has_title(n.name)]
        )
        return min(counts, key=lambda name: (-counts[name], name), default="")
    first = bisect_left(starts, at - len(sentence))
    people = [n for n in located[first:last] if n.type == "person"]
    if not people:
        return _find_owner_in_sentence_before(text, match, sentence, located, starts)
    if at - people[-1].end > 30:
        return ""
    between = text[people[-1].end : at]
    if match["strong"]:
        unsure = _OTHER_PERSON.search(_NUMBERED.sub("", between)) is not None
    else:
        unsure = _DIRECTLY_BEFORE.fullmatch(between) is None
        if unsure and (match["noun"] or _PRONOUN.match(text, match.end("word"))):
            # 张建国是我的邻居，小名叫阿宝; 刘德全是木匠，大家都叫他老刘头
            begins = between.endswith(("，", ",")) or not match["noun"]
            is_only = len({n.name for n in people}) == 1
            unsure = not (begins and is_only) or _OTHER_PERSON.search(between) is not None
    return "" if unsure else people[-1].name


def _find_owner_in_sentence_before(
    text: str,
    match: re.Match[str],
    sentence: str,
    located: Sequence[LocatedName],
    starts: Sequence[int],
) -> str:
    """Return the only person of the sentence before one that names nobody: 她本名柳含章.

    Args:
        sentence: of the matched word, up to this word.
    """
    is_called = bool(match["noun"] or match["strong"]) and _GOES_ON.fullmatch(sentence)
    # 他做事极认真，便送他一个绰号; 渡口上都叫她三娘
    if not is_called and not _PRONOUN.search(sentence + match["word"] + text[match.end("word")]):
        return ""
    if not is_called and _OTHER_PERSON.search(_PRONOUN.sub("", _NUMBERED.sub("", sentence))):
        return ""
    end = match.start() - len(sentence)
    window = text[max(0, end - 80) : end].rstrip("。！？!?；;\n”」』 ")
    stops = list(_SENTENCE_END.finditer(window))
    before = window[stops[-1].end() :] if stops else window
    stated = [
        found for found in _STATED_FULL_NAME.finditer(before + "，") if _is_surname(found["a"])
    ]
    start = max(0, end - 80) + (stops[-1].end() if stops else 0)
    people = located[bisect_left(starts, start) : bisect_left(starts, end)]
    names = {n.name for n in people if n.type == "person"}
    names = {found["a"] + found["b"] for found in stated} or names
    return names.pop() if len(names) == 1 else ""


def _is_surname(text: str) -> bool:
    return text in lists.SURNAMES or text in lists.DOUBLE_SURNAMES


def _has_title(name: str) -> bool:
    return name.endswith(lists.TITLES)


def find_nicknames(text: str, people: Sequence[str], places: Sequence[str] = ()) -> dict[str, str]:
    """Return nickname -> name for strings that repeatedly precede the same name."""
    known = set(people)
    clear = {name for name in people if has_surname(name) and len(name) < 4} | set(places)
    before: dict[str, Counter[str]] = defaultdict(Counter)
    for at, name in iter_found(text, filter(has_surname, people)):
        # A nickname may be in quotation marks: “黑旋风”李逵.
        at -= text[at - 1 : at] in ("”", '"', "」", "』")
        for length in range(2, 6):
            piece = text[max(0, at - length) : at]
            if len(piece) < length or not HAN.fullmatch(piece):
                break
            if piece[0] in lists.FUNCTION:
                continue
            if any(char in lists.FUNCTION for char in piece):
                break
            before[piece][name] += 1
    likely: dict[str, tuple[str, int]] = {}
    for piece, names in before.items():
        name, n = min(names.items(), key=lambda pair: (-pair[1], pair[0]))
        often = n >= 3 and n >= 0.6 * names.total()
        if often and piece[-1] not in "里裏时時和" and piece[0] != "和":
            likely[piece] = (name, n)
    totals = count_all(text, (*likely, *known))
    result: dict[str, str] = {}
    for piece in sorted(likely, key=len, reverse=True):
        name, n = likely[piece]
        if piece.endswith(lists.TITLES) and piece not in known:
            continue
        if piece in lists.GENERIC or name[-2:] in piece:
            continue
        alone = n >= 5 and n >= 0.9 * before[piece].total()
        least = 0.12 if alone and len(piece) > 2 else 0.3 if len(piece) > 2 else 0.5
        if n < least * totals[piece] or (len(piece) == 2 and n < 4):
            continue
        # Part of a longer nickname that is as frequent: 旋风 in 黑旋风.
        if any(longer.endswith(piece) and n <= 1.4 * likely[longer][1] for longer in result):
            continue
        # 吩咐八戒 before 沙僧 contains the name of another person.
        inner = {piece[i:j] for i, j in combinations(range(len(piece) + 1), 2) if j > i + 1}
        frequent = 10 * totals[piece]
        if inner & clear or any(totals[x] >= frequent for x in (inner & known) - {piece}):
            continue
        if (n < 8 and is_dictionary_word(piece)) or (n < 5 and _ends_in_verb(piece)):
            continue
        result[piece] = name
    # 小李广 is the nickname, not 寨小李广.
    return {
        piece: name
        for piece, name in result.items()
        if not any(
            piece[cut:] in result and likely[piece[cut:]][1] >= 2 * likely[piece][1]
            for cut in range(1, len(piece) - 1)
        )
    }


def _ends_in_verb(piece: str) -> bool:
    import rjieba

    return rjieba.tag(piece)[-1][1][0] in "vdpcr"


# A name with Latin letters or a number in it: IBM公司, 唐宁街10号, David Chen.
_MIXED = re.compile(
    r"(?:[\u3400-\u9fff·]|[A-ZＡ-Ｚ][A-Za-zＡ-Ｚａ-ｚ]+|(?<=[a-zａ-ｚ]) (?=[A-ZＡ-Ｚ])|"
    r"[0-9０-９]+(?=[\u3400-\u9fff]))+"
)
_LATIN_BEFORE = re.compile(r"(?:(?<![A-Za-z])[A-Z][A-Za-z.]*[ ])*[A-Za-z]*$")
_LATIN_BEHIND = re.compile(r"[A-Za-z]*(?: [A-Z][A-Za-z]*)*")
_POSITIONS = frozenset("上下里外中内边邊前后後畔旁")
_WORK = re.compile(r"《([^《》\n]{1,30})》")
_SURNAME = f"{'|'.join(sorted(lists.DOUBLE_SURNAMES))}|[{''.join(sorted(lists.SURNAMES))}]"
_TITLED = re.compile(f"(?P<surname>{_SURNAME})(?P<title>{'|'.join(lists.TITLES)})")
# words for names that only a person has; those of places are introduced by the others, too
_OF_PERSONS = (
    "绰号|綽號|诨名|諢名|诨号|諢號|外号|外號|法名|法号|法號|表字|道号|道號|小名|乳名|"
    "笔名|筆名|艺名|藝名"
)
_INTRODUCED = re.compile(
    rf"(?P<how>{_OF_PERSONS}|人称|人稱|唤做|喚做|名唤|名喚|名叫|本名|真名|大名|"
    r"(?<=[，,])字(?=..[，。；、]))"
    r"(?:[，,]?都?[叫唤喚称稱]?[他她]?[做作是为曰：:]?)(?P<quoted>[“「]?)"
    r"(?P<name>[\u3400-\u9fff]{2,5})(?=[，。；、”」！？\s])"
)
_FULL_NAME = re.compile(
    r"姓(?P<a>[\u3400-\u9fff]{1,2})[，,、]?(?:双名|雙名|单名|單名|名唤|名喚|名叫|名)"
    r"(?P<b>[\u3400-\u9fff]{1,2})(?:字)?(?=[，。；、”」！？,\s])"
)
# Characters. Below the second the looser rules raise F1 on MSRA's even half in texts of 1, 10,
# 100 and 800 sentences (0.884, 0.874, 0.850, 0.848 -> 0.896, 0.895, 0.877, 0.886).
_SHORT_TEXT = 2_000
_LONG_TEXT = 60_000
# A string that the tagger marks at most of its places is not a phrase, even if no clause ends
# with it (香港 in a list of laws); in a novel it is (兀那).
_MOSTLY = 0.75


_IDIOMS = ("i", "l")  # tags of the segmenter
_DIGITS = frozenset("一二两三四五六七八九")
_HONORIFICS = frozenset("公姐哥妹弟嫂娘爷爺叔伯婆氏郎")
# A person is so many times as frequent as the person with the next character, and is tagged so
# often; in texts up to `_LONG_TEXT`; without a surname (玄德); and a place. Of the 52 names that
# five novels lose, one is a person with an office (吴主皓) and four are houses of people; MSRA
# stays as it is.
GLUED, GLUED_SHORT = (5.0, 10), (3.0, 3)
GLUED_TO_OTHERS, GLUED_TO_PLACE = 100.0, 20.0


@dataclass(slots=True)
class ChineseNames:
    """Accepted names with types; `nicknames` maps a nickname to the name of the person."""

    types: dict[str, str] = field(default_factory=dict)
    nicknames: dict[str, str] = field(default_factory=dict)


def build_chinese_names(
    text: str, start: int, end: int, tagged: Sequence[TaggedSpan], borders: bytearray
) -> ChineseNames:
    """Return the names of the text between two offsets.

    Args:
        tagged, borders: result of `tag_chinese`; `borders` is completed at corrected ends.
    """
    body = text[start:end]
    is_long = len(body) > _LONG_TEXT
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    if not is_long:
        tagged = [_correct_ends(text, span, len(body) <= _SHORT_TEXT) for span in tagged]
        for span in tagged:
            borders[span.start] = borders[span.end] = 1
    for span in tagged:
        surface = text[span.start : span.end]
        if _may_be_name(surface, is_long):
            votes[surface][span.type] += 1
    repair_names(body, votes)
    totals = count_all(body, votes)
    _vote_by_action(body, votes, totals)
    acts = _drop_phrases(body, votes, totals, is_long)
    if not is_long:
        totals -= _count_inside_longer(body, start, tagged, votes)
    kept = {
        name: counter
        for name, counter in votes.items()
        if _is_name(name, counter, totals[name], acts[name], is_long)
    }
    if is_long:
        kept = {n: c for n, c in kept.items() if not is_phrase(n, c.most_common(1)[0][0])}
    for name, whole in find_cut_names(body, kept).items():
        kept.setdefault(whole, Counter()).update(kept.pop(name))
        for at, _ in iter_found(body, (whole,)):
            borders[start + at] = borders[start + at + len(whole)] = 1
        totals[whole] = totals[name]
    for name in find_glued(body, kept, totals, is_long=is_long):
        del kept[name]
    if is_long:
        people_tagged = {n: c.total() for n, c in kept.items() if decide_type(n, c) == "person"}
        for name in find_used_as_words(body, people_tagged):
            del kept[name]
    titled = dict(_iter_titled(text, start, end, borders))
    for name, n in titled.items():
        if name not in kept and n >= (2 if is_long else 1):
            kept[name] = Counter(person=n)
    for title, n in find_bare_titles(body, titled).items():
        kept[title] = Counter(person=n)
    names = ChineseNames({name: decide_type(name, counter) for name, counter in kept.items()})
    people = [name for name, kind in names.types.items() if kind == "person"]
    names.types |= dict.fromkeys(find_gone_to(body, people), "place")
    for name, is_of_person, is_quoted in _iter_introduced(body):
        if is_of_person and name in names.types:
            names.types[name] = "person"  # 镇关西 looks like a place
        # 法名叫做悟能八戒 contains two names, not one.
        known = name in names.types or name in lists.GENERIC
        known = known or (len(name) > 3 and name[-2:] in names.types)
        # In quotation marks a word is a name, too: 人称“海鸥”
        may_be = is_quoted or not is_dictionary_word(name)
        if not known and body.count(name) >= 2 and may_be:
            names.types[name] = "person"
    strong = {n for n, c in kept.items() if c["person"] >= 10 and has_surname(n) and len(n) < 4}
    for name in [n for n in names.types if len(n) > 3]:
        glued = any(name[:cut] in strong or name[cut:] in strong for cut in (2, 3, len(name) - 2))
        if glued and not name.endswith(lists.TITLES):
            del names.types[name]
    for match in iter_matches(_WORK, text, start, end):
        # The title 《诗》 does not make every 诗 a name.
        if len(work := match.group(1).strip()) > 1:
            names.types[work] = "object"
    people = [name for name, kind in names.types.items() if kind == "person"]
    places = [name for name, kind in names.types.items() if kind == "place"]
    for nickname, name in find_nicknames(body, people, places).items():
        names.nicknames[nickname] = name
        names.types[nickname] = "person"
    return names


def _may_be_name(surface: str, is_long: bool) -> bool:
    """Return whether a tagged string can be a name by its length and characters.

    In a long text a string of more than twelve characters is several words.
    """
    if is_long:
        return 2 <= len(surface) <= 12 and bool(HAN.fullmatch(surface))
    # An English sentence in a Chinese text begins with "The".
    is_word = surface.isascii() and surface.lower() in COMMON
    return 2 <= len(surface) <= 24 and not is_word and bool(_MIXED.fullmatch(surface))


def _correct_ends(text: str, span: TaggedSpan, is_short: bool) -> TaggedSpan:
    """Return the span with its whole Latin name, and without a word of position: 西湖 of 西湖边.

    The tagger cuts Latin names at spaces, sometimes inside a word: Chen of David Chen. Words of
    position are removed in short texts only: in a longer text 西湖 also occurs alone, and a string
    that does not (血泊里) is no name.
    """
    first, last = span.start, span.end
    if text[first] in ascii_letters:
        before = _LATIN_BEFORE.search(text, max(0, first - 40), first)
        first = before.start() if before else first
    if text[last - 1] in ascii_letters:
        behind = _LATIN_BEHIND.match(text, last)
        last = behind.end() if behind else last
    if is_short and span.type == "place" and last - first == 3 and text[last - 1] in _POSITIONS:
        last -= 1
    return TaggedSpan(first, last, span.type)


def _count_inside_longer(
    body: str, start: int, tagged: Sequence[TaggedSpan], names: Iterable[str]
) -> Counter[str]:
    """Return how often each name occurs inside a longer tagged one: 中国 in 中国共产党.

    These occurrences do not count against the name.

    Args:
        start: offset of the body in the text.

    """
    inside: Counter[str] = Counter()
    spans = [(span.start - start, span.end - start) for span in tagged]
    starts = [span[0] for span in spans]
    for at, name in iter_found(body, names):
        index = bisect_right(starts, at) - 1
        if index >= 0:
            first, last = spans[index]
            inside[name] += last - first > len(name) and at + len(name) <= last
    return inside


def _drop_phrases(
    text: str, votes: dict[str, Counter[str]], totals: Counter[str], is_long: bool
) -> Counter[str]:
    """Drop frequent strings that never occur like names; return the count of actions by name.

    A name sometimes ends a clause and sometimes does not, and a person who is named often also
    acts.
    """
    often = [n for n in votes if totals[n] >= 12 and len(n) < 4]
    ends: Counter[str] = Counter()
    acts: Counter[str] = Counter()
    for at, name in iter_found(text, often):
        behind = text[at + len(name) : at + len(name) + 1]
        ends[name] += not has_han(behind)
        acts[name] += behind in lists.ACTIONS_AFTER
    for name in often:
        n, share = totals[name], votes[name].total() / totals[name]
        person = votes[name].most_common(1)[0][0] == "person"
        phrase = (ends[name] == 0 and (is_long or share < _MOSTLY)) or (
            name[-1] in "道说曰說" and ends[name] > 0.85 * n
        )
        whole = len(name) == 3 and has_surname(name)
        if phrase or (person and not whole and share < 0.57 and acts[name] <= 0.02 * n):
            del votes[name]
    return acts


def _vote_by_action(text: str, votes: dict[str, Counter[str]], totals: Counter[str]) -> None:
    """Add votes for "person" to strings that often precede verbs of speech or expression."""
    doubtful = [n for n, c in votes.items() if c["person"] < c.total() and totals[n] >= 8]
    speaks: Counter[str] = Counter()
    for at, name in iter_found(text, doubtful):
        speaks[name] += text[at + len(name) : at + len(name) + 1] in lists.ACTIONS_AFTER
    for name in doubtful:
        if speaks[name] >= max(3, 0.1 * totals[name]) and name[-1] not in lists.PLACE_TAILS:
            votes[name]["person"] += votes[name].total()


def _is_name(name: str, votes: Counter[str], total: int, n_acts: int, is_long: bool) -> bool:
    if name in lists.GENERIC or len(name) < 2 or is_direction(name):
        return False
    titles = [title for title in lists.TITLES if name.endswith(title)]
    heads = ("", "老", "小", "大", "那", "众")
    if name[-1] == "某" or any(name[: -len(title)] in heads for title in titles):
        return False
    n = votes.total()
    kind = votes.most_common(1)[0][0]
    share = n / max(1, total)
    if kind == "person":
        surname = has_surname(name)
        if name[-1] in "兵军軍们們子头等人者" and len(name) == 2 and share < 0.9:
            return False
        # A string that often precedes such verbs is a person, even if the tagger is unsure.
        acting = total >= 12 and n >= 3 and n_acts >= 0.06 * total
        if is_dictionary_word(name) and share < 0.55 and not acting:
            return False
        if acting and share >= 0.1:
            return True
        if is_long:
            return n >= (2 if surname else 4) and share >= (0.2 if surname else 0.4)
        return share >= (0.34 if surname else 0.6) or (n >= 3 and share >= 0.25)
    if name[-1] in _POSITIONS and len(name) <= 3:
        return False
    if is_long:
        return n >= 2 and share >= 0.3
    return share >= 0.34


def is_phrase(name: str, kind: str) -> bool:
    """Return whether the words of a string make an idiom, a clause or a number of things.

    Idioms (罔知所措), clauses that end in a verb (望乞恕罪), and approximate numbers (五七百人).
    """
    import rjieba

    pieces = rjieba.tag(name)
    tags = [tag for _, tag in pieces]
    if tags[0] == "m" and len(pieces) > 1:
        return all(char in _DIGITS for char in name[:2])
    # Places and organisations often end in a word that is a verb elsewhere: 长江南路站, 促进会.
    if kind != "person" or has_surname(name) or name.endswith(lists.TITLES):
        return False
    if len(pieces) == 1:
        return len(name) > 3 and tags[0] in _IDIOMS
    return tags[-1] == "v" if len(name) > 3 else all(tag[0] in "vd" for tag in tags)


def find_glued(
    text: str, votes: Mapping[str, Counter[str]], totals: Mapping[str, int], *, is_long: bool
) -> list[str]:
    """Return strings of a name and the first character of the next word: 武松掇 of 武松.

    The next word is a word of position (梁山泊里), another name (九纹龙史 before 进), or any word
    where the string is rare beside the name.
    """
    named = [name for name in votes if name[:-1] in votes and len(name) > 2]
    begins: Counter[str] = Counter()  # occurrences whose last character begins another person
    for at, name in iter_found(text, named):
        start = at + len(name) - 1
        longer = (text[start : start + length] for length in (2, 3))
        begins[name] += any(has_surname(other) and other in votes for other in longer)
    found = []
    for name in named:
        shorter, last = name[:-1], name[-1]
        times = totals[shorter] / max(1, totals[name])
        kind = votes[shorter].most_common(1)[0][0]
        is_glued = begins[name] > 0.5 * totals[name]
        if kind == "place":
            is_position = len(shorter) > 2 and last in _POSITIONS
            rare = times >= GLUED_TO_PLACE and last not in lists.PLACE_TAILS
            is_place = votes[name].most_common(1)[0][0] == "place"
            is_glued |= is_position or (rare and is_place)
        elif kind == "person" and last not in _HONORIFICS and not name.endswith(lists.TITLES):
            min_times, min_votes = GLUED if is_long else GLUED_SHORT
            # What recurs is a name: 张翼德 beside 张翼.
            min_times = max(min_times, totals[name] / 2)
            if not has_surname(shorter):
                min_times = GLUED_TO_OTHERS
            is_glued |= votes[shorter]["person"] >= min_votes and times >= min_times
        if is_glued:
            found.append(name)
    return found


# Buildings that have names of their own. Countries, gates and schools stand behind names of places
# that are whole: 加勒比国家, 南京大学校门.
_BUILDINGS = frozenset("楼樓阁閣亭台臺寺庙廟殿塔桥橋院馆館宫宮园園庵轩軒斋齋")


def find_cut_names(text: str, votes: Mapping[str, Counter[str]]) -> dict[str, str]:
    """Return name -> whole name, for names that the tagger cut: 鲁大 of 鲁大成, 望潮 of 望潮楼.

    All occurrences have one next character, and different ones after it. Persons have a surname
    and another character, or it would be a word that follows them; places lack the building. In
    MSRA's test part, read in pieces of 60 sentences, the seven names that change are names of
    persons that were cut.
    """
    short = {name: votes[name].most_common(1)[0][0] for name in votes if len(name) == 2}
    persons = {name for name, kind in short.items() if kind == "person" and has_surname(name)}
    places = {name for name, kind in short.items() if kind == "place"}
    behind: dict[str, set[str]] = defaultdict(set)
    second: dict[str, set[str]] = defaultdict(set)
    for at, name in iter_found(text, persons | places):
        end = at + len(name)
        behind[name].add(text[end : end + 1])
        second[name].add(text[end + 1 : end + 2])
    found = {}
    for name, after in behind.items():
        char = next(iter(after))
        if len(after) > 1 or len(second[name]) < 2 or not HAN.fullmatch(char):
            continue
        is_word = char in lists.FUNCTION or char in lists.ACTIONS_AFTER
        is_building = name in places and char in _BUILDINGS
        if is_building or (name in persons and not is_word):
            found[name] = name + char
    return found


# Before one character these say where something faces or goes (朝江的窗, 向东). In MSRA's test part
# no name has this form; of what the program took for names in four novels four have it, and none
# is one.
_DIRECTED = frozenset("朝向往沿靠对對面依傍顺順")
_DIRECTIONS = frozenset("东西南北東")


def is_direction(name: str) -> bool:
    """Return whether a string is a preposition of direction with a word for a place or a side."""
    is_side = name[-1] in lists.PLACE_TAILS or name[-1] in _DIRECTIONS
    return len(name) == 2 and name[0] in _DIRECTED and is_side


def decide_type(name: str, votes: Counter[str]) -> str:
    """Return the type by votes, corrected by the last characters of the name."""
    person, place, organisation = votes["person"], votes["place"], votes["organisation"]
    shaped = len(name) > 2 and name.endswith(lists.ORGANISATION_TAILS)
    if shaped and organisation + place >= person:
        return "organisation"
    if name[-1] in lists.PLACE_TAILS and len(name) > 1 and person <= 2 * (place + organisation):
        return "place"
    misread = 2 <= len(name) <= 3 and organisation > max(person, place)
    if has_surname(name) and (name.endswith(lists.TITLES) or misread):
        return "person"
    best = max(votes.values())
    kinds = ("person", "place", "organisation", "object")
    return next((kind for kind in kinds if votes[kind] == best), "other")


# A name that people go to and are at is a place, whatever the tagger takes it for, as with names in
# Latin script (`latin_types.GONE_TO`): share of its occurrences, and their least number. In 西游记,
# 水浒传, 三国演义 and 红楼梦 27 names of people change, none of which is one: 16 are places (西天,
# 森罗殿, 柴桑), 11 are no names (天晓). Who says something is a person, and one goes to people's
# houses (到史进庄上) and to where they are (到宋江面前).
_GONE_TO, _LEAST_GONE_TO = 1 / 3, 3
_TOWARDS = frozenset("往到在至上赴出入进進回离離")
_SPEAKS = frozenset("道曰说說笑怒喜")
_OF_PERSON = frozenset("处處面身跟手庄莊家府营營寨店宅房屋前后後背")


def find_gone_to(text: str, people: Iterable[str]) -> list[str]:
    """Return the names, taken for people, that are places by the words before them (往西天)."""
    totals: Counter[str] = Counter()
    towards: Counter[str] = Counter()
    speaks: Counter[str] = Counter()
    for at, name in iter_found(text, people):
        after = text[at + len(name) : at + len(name) + 1]
        totals[name] += 1
        speaks[name] += after in _SPEAKS
        towards[name] += text[at - 1 : at] in _TOWARDS and after not in _OF_PERSON
    return [
        name
        for name, n in towards.items()
        if n >= max(_LEAST_GONE_TO, _GONE_TO * totals[name])
        and n >= 5 * speaks[name]
        and not name.endswith(lists.TITLES)
    ]


def _iter_titled(text: str, start: int, end: int, borders: bytearray) -> Iterator[tuple[str, int]]:
    """Yield surname + title (鲁提辖) with its number of occurrences at the start of a word."""
    counts: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for match in iter_matches(_TITLED, text, start, end):
        if match["surname"] in lists.RARE_SURNAMES:
            continue
        totals[match.group()] += 1
        counts[match.group()] += borders[match.start()]
    for name in sorted(counts):
        if counts[name] >= 0.5 * totals[name]:
            yield name, counts[name]


def find_bare_titles(text: str, titled: Mapping[str, int]) -> dict[str, int]:
    """Return titles that denote one person in this text, with their count: 行者 is 孙行者.

    Nearly all occurrences of the title with a surname have the same surname, and the title alone
    often precedes verbs of people.

    Args:
        titled: surname with title -> count.
    """
    held: dict[str, Counter[str]] = defaultdict(Counter)
    for name, n in titled.items():
        if match := _TITLED.fullmatch(name):
            held[match["title"]][match["surname"]] += n
    alone: Counter[str] = Counter()
    acts: Counter[str] = Counter()
    for at, title in iter_found(text, [title for title in held if len(title) > 1]):
        if text[at - 1 : at] not in held[title]:
            alone[title] += 1
            acts[title] += text[at + len(title) : at + len(title) + 1] in lists.ACTIONS_AFTER
    found: dict[str, int] = {}
    for title, n in alone.items():
        most = held[title].most_common(1)[0][1]
        owned = most >= 50 and most >= 0.85 * held[title].total()
        if owned and n >= 100 and acts[title] >= 0.05 * n:
            found[title] = n
    return found


_TITLE_GIVEN = re.compile(
    r"(?:称为|稱為|称做|稱做|称作|稱作|称|稱|号为|號為|号做|號做|号|號|唤做|喚做|唤作|喚作|叫做|叫作|名为|名為|封为|封為|封做|封)"
    rf"(?={_HAN_CHAR}{{4}})"
)


def find_titles_of_others(text: str, names: Collection[str]) -> set[str]:
    """Return titles that the text gives to a person and that end in a bare title: 平天大圣.

    The bare title (大圣) is a name of one person, and is no mention of that person inside the title
    of another one.
    """
    bare = [name for name in names if name in lists.TITLES]
    found: set[str] = set()
    if not bare:
        return found
    for match in iter_matches(_TITLE_GIVEN, text, 0, len(text)):
        for title, length in product(bare, (2, 3)):
            end = match.end() + length + len(title)
            before = text[match.end() : match.end() + length]
            if text[match.end() + length : end] != title or before in names:
                continue
            if HAN.fullmatch(before) and not any(char in lists.FUNCTION for char in before):
                found.add(before + title)
    return found


def _iter_introduced(text: str) -> Iterator[tuple[str, bool, bool]]:
    """Yield introduced names, and whether only persons are named so, in quotation marks."""
    for match in iter_matches(_INTRODUCED, text, 0, len(text)):
        ending = next((title for title in lists.TITLES if match["name"].endswith(title)), "")
        if not any(char in lists.FUNCTION for char in match["name"].removesuffix(ending)):
            is_of_person = re.fullmatch(_OF_PERSONS, match["how"]) is not None
            is_called = is_of_person or match["how"] in ("人称", "人稱")
            yield match["name"], is_of_person, is_called and bool(match["quoted"])
    for match in iter_matches(_FULL_NAME, text, 0, len(text)):
        if _is_surname(match["a"]):
            yield match["a"] + match["b"], True, False


def locate_chinese_names(
    text: str, start: int, end: int, names: ChineseNames, borders: bytearray
) -> list[LocatedName]:
    """Return all occurrences of the names between two offsets, in order, without overlaps."""
    found = [(start + at, name) for at, name in iter_found(text[start:end], names.types)]
    of_others = find_titles_of_others(text[start:end], names.types)
    of_others -= names.types.keys()
    aligned: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for at, name in found:
        totals[name] += 1
        aligned[name] += bool(borders[at]) and bool(borders[at + len(name)])
    found.sort(key=lambda hit: (hit[0], -len(hit[1])))
    located: list[LocatedName] = []
    seen: set[str] = set()
    free_from = start
    for at, name in found:
        if at < free_from:
            continue
        after = at + len(name)
        is_bare = name in lists.TITLES
        if is_bare and any(text[after - len(other) : after] == other for other in of_others):
            continue
        # The tagger cuts names with titles in two; their surnames were already checked.
        sure = name in names.nicknames or name.endswith(lists.TITLES)
        trusted = sure or aligned[name] >= 0.5 * totals[name]
        if not trusted and not (borders[at] and borders[at + len(name)]):
            continue
        located.append(LocatedName(at, at + len(name), name, names.types[name], name not in seen))
        seen.add(name)
        free_from = at + len(name)
    return located
