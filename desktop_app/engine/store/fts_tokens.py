"""Converts text into the words of the full-text index, and a question into an FTS5 expression.

English word forms are left to FTS5's porter stemmer. A run of Chinese, Japanese or Korean
characters becomes overlapping pairs plus its last character, so that every character starts a
token: a two-character name is one token, a longer quote a phrase, one character a prefix.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise

from ..writing_systems import HAN_BASIC, HAN_COMPATIBILITY, HAN_RARE, HANGUL, KANA

_CJK = (
    "\u2e80-\u2eff\u3005-\u3007" + KANA + "\u3400-\u4dbf" + HAN_BASIC + HANGUL + HAN_COMPATIBILITY
)
_CJK_RUN = re.compile(f"[{_CJK}{HAN_RARE}]+")
_WORD = re.compile(r"\w+", re.UNICODE)
_QUOTED = re.compile(r'["“「『《](.+?)["”」』》]')

_ENGLISH_STOP_WORDS = """
a an and are as at be been being but by can could did do does for from had has have he her
hers him his how i if in into is it its me my no not of on or our out she should so some
than that the their them then there these they this those to too up us was we were what when
where which while who whom whose why will with would you your
"""
ENGLISH_STOP_WORDS = frozenset(_ENGLISH_STOP_WORDS.split())
_CHINESE_STOP_RUNS = re.compile(
    "什么|怎么样|怎么|怎样|如何|为什么|为何|哪里|哪些|哪个|多少|是谁|谁|几|吗|呢|的|了|是|在|有|和|与|"
    "请问|以及|之间|关系|哪"
)


def search_tokens(text: str) -> str:
    """Return the text as the words to index, separated by spaces."""
    text = unicodedata.normalize("NFKC", text)
    return _CJK_RUN.sub(lambda match: _pairs(match.group(), last=True), text)


def _pairs(run: str, *, last: bool) -> str:
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    if last or not pairs:
        pairs.append(run[-1])
    return " " + " ".join(pairs) + " "


def build_phrase(text: str) -> str:
    """Return an FTS5 expression that matches `text` literally, "" if it has no word.

    Punctuation between the words is ignored.
    """
    text = unicodedata.normalize("NFKC", text)
    parts: list[str] = []
    position = 0
    for match in _CJK_RUN.finditer(text):
        parts += _WORD.findall(text[position : match.start()])
        run = match.group()
        parts += _pairs(run, last=False).split()
        position = match.end()
    parts += _WORD.findall(text[position:])
    if not parts:
        return ""
    phrase = '"' + " ".join(parts) + '"'
    only_one_character = len(parts) == 1 and len(parts[0]) == 1 and _CJK_RUN.match(parts[0])
    return phrase + " *" if only_one_character else phrase


def build_match(question: str) -> str:
    """Return an FTS5 expression that ranks text for a question by BM25, "" if it has no word.

    Any of the words may match; quoted parts are phrases; question words are left out unless
    nothing else remains.
    """
    question = unicodedata.normalize("NFKC", question)
    terms = [build_phrase(m.group(1)) for m in _QUOTED.finditer(question)]
    for word in _choose_words(question):
        terms += _build_terms(word)
    return " OR ".join(dict.fromkeys(t for t in terms if t))


def list_word_terms(text: str, list_forms: Callable[[str], Sequence[str]]) -> list[str]:
    """Return an FTS5 expression for each word and each pair of Chinese characters, in order.

    Args:
        list_forms: returns the forms of a character, which all match.
    """
    text = unicodedata.normalize("NFKC", text)
    terms: list[str] = []
    position = 0
    for match in _CJK_RUN.finditer(text):
        terms += (f'"{word}"' for word in _WORD.findall(text[position : match.start()]))
        run = match.group()
        for one, two in pairwise(run):
            pairs = [a + b for a in list_forms(one) for b in list_forms(two)]
            terms.append(" OR ".join(f'"{pair}"' for pair in pairs))
        position = match.end()
    terms += (f'"{word}"' for word in _WORD.findall(text[position:]))
    return terms


def find_search_words(question: str) -> list[str]:
    """Return the words and phrases that `build_match` searches for, as one reads them.

    A Chinese run is whole, though it is searched for as its pairs of characters.
    """
    question = unicodedata.normalize("NFKC", question)
    phrases = [" ".join(_WORD.findall(m.group(1))) for m in _QUOTED.finditer(question)]
    return list(dict.fromkeys(word for word in (*phrases, *_choose_words(question)) if word))


def _choose_words(question: str) -> list[str]:
    """Return words and Chinese runs without question words; with them if nothing else remains."""
    kept: list[str] = []
    dropped: list[str] = []
    position = 0
    for match in _CJK_RUN.finditer(question):
        _collect_words(question[position : match.start()], kept, dropped)
        kept += filter(None, _CHINESE_STOP_RUNS.split(match.group()))
        dropped += [match.group()] if len(match.group()) > 1 else []
        position = match.end()
    _collect_words(question[position:], kept, dropped)
    return kept or dropped


def _collect_words(text: str, kept: list[str], dropped: list[str]) -> None:
    for word in _WORD.findall(text):
        (dropped if word.lower() in ENGLISH_STOP_WORDS else kept).append(word)


def _build_terms(word: str) -> list[str]:
    if not _CJK_RUN.match(word):
        return [f'"{word}"']
    return (
        [f'"{word}" *']
        if len(word) == 1
        else [f'"{pair}"' for pair in _pairs(word, last=False).split()]
    )
