"""Relations by co-occurrence: pairs of names in a sentence, their weight and their keywords.

Keywords are the content words between and around two names: lemmas in English (checked against
the words of the document), words with a content tag of jieba in Chinese. Knows no graph.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ..model import ClaimedRelation
from .rules.latin.words import COMMON, TITLES
from .spans import LocatedName, Span, distance_divisor

# Names of a sentence up to which all pairs are built; in longer lists each name is paired only
# with the next MAX_FOLLOWING_NAMES.
MAX_FULLY_PAIRED_NAMES = 12
MAX_FOLLOWING_NAMES = 3
_NEIGHBOUR_SHARE = 0.3  # of the weight, for names in adjacent sentences
_MAX_NEIGHBOURS = 4
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def _words(text: str) -> list[str]:
    return text.split()


_STOP_WORDS = frozenset(
    _words(
        "was were been being is are be am has had "
        "have having do did does done can could will would "
        "shall should may might must not no nor and but or if of to in on at by for from with "
        "without into upon about than then so too very much more most less least own same other "
        "another such only just even ever still yet also again here there where when while how why "
        "what which who whom whose this that these those it its he him his she her hers they them "
        "their i me my mine we us our you your "
        "yours one two said says say made make came come went "
        "go got get took take let put seemed seem thing things way time day ever never always out "
        "up down off over under through after before between both all any some each every either "
        "neither many few well back as like because though although since until however indeed "
        "quite rather almost himself herself themselves itself myself yourself de la le et en les "
        "des un une el los las y der die das und ein eine"
    )
)
_IRREGULAR = {
    "knew": "know", "known": "know", "saw": "see", "seen": "see", "gave": "give", "given": "give",
    "told": "tell", "thought": "think", "found": "find", "left": "leave", "felt": "feel",
    "kept": "keep", "held": "hold", "brought": "bring", "wrote": "write", "written": "write",
    "spoke": "speak", "spoken": "speak", "met": "meet", "ran": "run", "sat": "sit",
    "stood": "stand",
    "lost": "lose", "paid": "pay", "heard": "hear", "began": "begin", "begun": "begin",
    "drew": "draw", "drawn": "draw", "fell": "fall", "fallen": "fall", "grew": "grow",
    "led": "lead", "loved": "love", "married": "marry", "died": "die", "men": "man",
    "women": "woman", "children": "child", "wives": "wife", "lives": "life", "bought": "buy",
    "sold": "sell", "taught": "teach", "caught": "catch", "fought": "fight", "won": "win",
    "chose": "choose", "rode": "ride", "rose": "rise", "wore": "wear", "broke": "break",
    "sent": "send", "spent": "spend", "slept": "sleep", "struck": "strike", "shook": "shake",
}  # fmt: skip
_CHINESE_CONTENT_TAGS = frozenset(("v", "vn", "n", "l", "i", "a", "nz", "b"))
_CHINESE_STOP_WORDS = frozenset(
    _words(
        "是 有 来 去 说 道 说道 问道 叫 叫道 答道 笑道 便 见 看 听 得 到 要 会 能 "
        "可以 没有 不是 就是 起来 出来 下来 上来 进来 过来 起身 只见 听得 见说 听说 "
        "看时 使 令 让 把 被 人 时 里 上 下 中 前 后 处 事 一个 两个 說 說道 問道 "
        "來 會 沒有 起來 出來 聽 見 知道 不知 如何 怎么 怎生 起 出 做 作 为 為 想 "
        "不要 大 小 多 少 好 头 日 道是 走 行 坐 拿 吃 请 着 回 入 进 望 引 带 "
        "与 教"
    )
)


def lemmatise(word: str, known: Collection[str]) -> str:
    """Return the lemma of an English word if the document contains it, else the word."""
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    for ending, replacements in (
        ("ies", ("y",)),
        ("ied", ("y",)),
        ("ing", ("", "e")),
        ("ed", ("", "e")),
        ("es", ("", "e")),
        ("s", ("",)),
    ):
        if not low.endswith(ending) or len(low) - len(ending) < 3:
            continue
        stem = low[: -len(ending)]
        for replacement in replacements:
            if stem + replacement in known:
                return stem + replacement
        if len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in known:
            return stem[:-1]
    return low


def find_keywords(
    between: str, around: str, language: str, known: Collection[str], *, most: int = 4
) -> tuple[str, ...]:
    """Return up to `most` keywords of a pair of names.

    Args:
        between: text between the names; its words come first.
        around: text of the sentence.
        known: lower-case words of the document, for lemmas.
    """
    if language == "zh":
        return _take(_iter_chinese(between), _iter_chinese(around), most)
    return _take(_iter_latin(between, known), _iter_latin(around, known), most)


def _take(first: Iterable[str], then: Iterable[str], most: int) -> tuple[str, ...]:
    kept: dict[str, None] = {}
    for source in (first, then):
        for word in source:
            if len(kept) == most:
                return tuple(kept)
            kept.setdefault(word)
        if len(kept) >= 2:
            break
    return tuple(kept)


def _iter_latin(text: str, known: Collection[str]) -> Iterable[str]:
    for match in _WORD.finditer(text):
        word = match.group()
        low = word.lower()
        if (
            word[0].isupper()
            or len(low) < 3
            or low in _STOP_WORDS
            or (low in COMMON and len(low) < 5)
        ):
            continue
        if low.capitalize() in TITLES and len(low) < 6:
            continue
        yield lemmatise(low, known)


def _iter_chinese(text: str) -> Iterable[str]:
    import rjieba

    for word, kind in rjieba.tag(text):
        if len(word) > 1 and kind in _CHINESE_CONTENT_TAGS and word not in _CHINESE_STOP_WORDS:
            yield word


@dataclass(slots=True)
class _NamePair:
    """One pair of names while a chunk is read; the span is that of its closest occurrence."""

    source: str
    target: str
    weight: float = 0.0
    best: float = 0.0
    start: int = 0
    end: int = 0
    between: Span = (0, 0)


def pair_names(
    text: str,
    groups: Sequence[tuple[Span, Sequence[LocatedName]]],
    language: str,
    known_words: Collection[str],
) -> tuple[ClaimedRelation, ...]:
    """Return one relation for each pair of names that occur in a sentence or in adjacent ones.

    Args:
        groups: sentences of the chunk, in order, each with its located names.
        known_words: lower-case words of the document, for lemmas.
    """
    pairs: dict[frozenset[str], _NamePair] = {}
    before: tuple[Span, Sequence[LocatedName]] | None = None
    for sentence, names in groups:
        reach = len(names) if len(names) <= MAX_FULLY_PAIRED_NAMES else MAX_FOLLOWING_NAMES
        for index, left in enumerate(names):
            for right in names[index + 1 : index + 1 + reach]:
                apart = max(0, right.start - left.end)
                _add_cooccurrence(pairs, left, right, 1.0 / distance_divisor(apart), sentence)
        if before is not None and sentence[0] - before[0][1] < 200:
            for left in before[1][-_MAX_NEIGHBOURS:]:
                for right in names[:_MAX_NEIGHBOURS]:
                    apart = max(0, right.start - left.end)
                    weight = _NEIGHBOUR_SHARE / distance_divisor(apart)
                    _add_cooccurrence(pairs, left, right, weight, (before[0][0], sentence[1]))
        before = (sentence, names)
    relations = []
    for pair in pairs.values():
        between = text[pair.between[0] : pair.between[1]]
        around = text[pair.start : pair.end]
        words = find_keywords(between, around, language, known_words)
        relations.append(
            ClaimedRelation(
                pair.source,
                pair.target,
                pair.start,
                pair.end,
                weight=round(pair.weight, 4),
                keywords=words,
            )
        )
    return tuple(relations)


def _add_cooccurrence(
    pairs: dict[frozenset[str], _NamePair],
    left: LocatedName,
    right: LocatedName,
    weight: float,
    span: Span,
) -> None:
    if left.name == right.name:
        return
    key = frozenset((left.name, right.name))
    pair = pairs.get(key)
    if pair is None:
        pair = pairs[key] = _NamePair(left.name, right.name)
    pair.weight += weight
    if weight > pair.best:
        pair.best = weight
        pair.source, pair.target = left.name, right.name
        pair.start, pair.end = span
        pair.between = (left.end, right.start)
