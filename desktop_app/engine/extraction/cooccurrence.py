"""The words that tie two names: what stands between and around them, without the empty ones.

Owns a light lemma for English (checked against the document's own words) and the choice of
content words in Chinese by jieba's tags. Never sees a graph.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ..model import ClaimedRelation
from .rules.latin.words import COMMON, TITLES
from .spans import Located, Span, spread

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def _split(words: str) -> list[str]:
    return words.split()


_EMPTY = frozenset(
    _split(
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
_CHINESE_KINDS = frozenset(("v", "vn", "n", "l", "i", "a", "nz", "b"))
_CHINESE_EMPTY = frozenset(
    _split(
        "是 有 来 去 说 道 说道 问道 叫 叫道 答道 笑道 便 见 看 听 得 到 要 会 能 "
        "可以 没有 不是 就是 起来 出来 下来 上来 进来 过来 起身 只见 听得 见说 听说 "
        "看时 使 令 让 把 被 人 时 里 上 下 中 前 后 处 事 一个 两个 說 說道 問道 "
        "來 會 沒有 起來 出來 聽 見 知道 不知 如何 怎么 怎生 起 出 做 作 为 為 想 "
        "不要 大 小 多 少 好 头 日 道是 走 行 坐 拿 吃 请 着 回 入 进 望 引 带 "
        "与 教"
    )
)


def lemmatise(word: str, known: Collection[str]) -> str:
    """Return the plain form of an English word, if the document itself uses that form."""
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
    """Return up to `most` words that tie two names, those between them first."""
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
        if word[0].isupper() or len(low) < 3 or low in _EMPTY or (low in COMMON and len(low) < 5):
            continue
        if low.capitalize() in TITLES and len(low) < 6:
            continue
        yield lemmatise(low, known)


def _iter_chinese(text: str) -> Iterable[str]:
    import rjieba

    for word, kind in rjieba.tag(text):
        if len(word) > 1 and kind in _CHINESE_KINDS and word not in _CHINESE_EMPTY:
            yield word


MOST_IN_A_SENTENCE = 12
NEXT_IN_A_ROLL_CALL = 3
_NEIGHBOUR_SHARE = 0.3
_MOST_NEIGHBOURS = 4


@dataclass(slots=True)
class _Tie:
    """One pair of names while the chunk is read."""

    source: str
    target: str
    weight: float = 0.0
    best: float = 0.0
    start: int = 0
    end: int = 0
    between: Span = (0, 0)


def pair_names(
    text: str,
    groups: Sequence[tuple[Span, Sequence[Located]]],
    language: str,
    known_words: Collection[str],
) -> tuple[ClaimedRelation, ...]:
    """Return one relation a pair of names of a chunk.

    Args:
        groups: sentences of the chunk, in order, each with its located names.
        known_words: the document's lower-case words, for lemmas.
    """
    ties: dict[frozenset[str], _Tie] = {}
    before: tuple[Span, Sequence[Located]] | None = None
    for sentence, names in groups:
        reach = len(names) if len(names) <= MOST_IN_A_SENTENCE else NEXT_IN_A_ROLL_CALL
        for index, left in enumerate(names):
            for right in names[index + 1 : index + 1 + reach]:
                apart = max(0, right.start - left.end)
                _tie(ties, left, right, 1.0 / spread(apart), sentence)
        if before is not None and sentence[0] - before[0][1] < 200:
            for left in before[1][-_MOST_NEIGHBOURS:]:
                for right in names[:_MOST_NEIGHBOURS]:
                    apart = max(0, right.start - left.end)
                    weight = _NEIGHBOUR_SHARE / spread(apart)
                    _tie(ties, left, right, weight, (before[0][0], sentence[1]))
        before = (sentence, names)
    relations = []
    for tie in ties.values():
        between = text[tie.between[0] : tie.between[1]]
        around = text[tie.start : tie.end]
        words = find_keywords(between, around, language, known_words)
        relations.append(
            ClaimedRelation(
                tie.source,
                tie.target,
                tie.start,
                tie.end,
                weight=round(tie.weight, 4),
                keywords=words,
            )
        )
    return tuple(relations)


def _tie(
    ties: dict[frozenset[str], _Tie], left: Located, right: Located, weight: float, span: Span
) -> None:
    if left.name == right.name:
        return
    key = frozenset((left.name, right.name))
    tie = ties.get(key)
    if tie is None:
        tie = ties[key] = _Tie(left.name, right.name)
    tie.weight += weight
    if weight > tie.best:
        tie.best = weight
        tie.source, tie.target = left.name, right.name
        tie.start, tie.end = span
        tie.between = (left.end, right.start)
