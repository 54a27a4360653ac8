"""What a question is about: themes (high-level keywords) and names or things (low-level ones).

`find_keywords` asks a chat model once, shortly, and keeps its answer; `guess_keywords` reads them
off the question's own words, which is what finding does where none are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..llm.protocols import ChatModel
from ..model import ChatMessage, Keywords
from ..progress import CancelToken
from ..prompt_files import load_prompt
from ..prompt_program import PASSAGE, PromptProgram, Write
from ..query import QueryParam
from ..store import model_cache
from ..store.db import Db
from ..store.tokens import ENGLISH_STOP_WORDS
from ..text.language import detect_language

SHORT_QUESTION = 50  # characters; a shorter one is its own keyword where none is found (LightRAG)
MOST = 6  # of each kind
MOST_WORDS = 4  # of one guessed phrase
MAX_CHARS = 60  # of one keyword; longer is a sentence
MAX_TOKENS = 48  # of each line that a model writes
_LINES = {"en": ("Themes:", "Names:"), "zh": ("主题：", "名称：")}
_PARTS = re.compile(r"[,，、;；|\n]")
_EDGES = re.compile(r"^\s*(?:\d+[.)]|[-*•])?[\s\"'“”‘’]*|[\s.\"'“”‘’。]+$")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*\.?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_QUOTED = re.compile(r"[“\"「『《〈](.+?)[”\"」』》〉]")
_ASKING_CHINESE = re.compile(
    "什么样|什么|怎么样|怎么|怎样|如何|为什么|为何|哪里|哪儿|哪些|哪个|哪位|哪|多少|几|是谁|谁|吗|呢|的|了|"
    "是否|是|在|有|和|与|及|跟|请问|以及|之间|被|把|他|她|它|这个|那个|都|也|吧|最后|曾经|关于"
)
_ASKING_ENGLISH = """
whose tell say says said give list many much name named describe explain about there happen
happens happened between during after before both same one any all other another
"""
_ASKING = ENGLISH_STOP_WORDS | frozenset(_ASKING_ENGLISH.split())


@dataclass(frozen=True, slots=True)
class OneLine:
    """A guard that ends the writing with the first line break."""

    def begin(self) -> OneLineState:
        return OneLineState()


class OneLineState:
    """Where the line is; see `GuardState`."""

    def __init__(self) -> None:
        self._text = b""

    def take(self, piece: bytes) -> bool:
        """Take any bytes until the line is over, but no line break at its very start."""
        if self.must_end or not (self._text + piece).strip(b"\n"):
            return False
        self._text += piece
        return True

    @property
    def may_end(self) -> bool:
        return bool(self._text.strip())

    @property
    def must_end(self) -> bool:
        return b"\n" in self._text.lstrip(b"\n")


def find_keywords(
    question: str,
    chat_model: ChatModel | None,
    db: Db | None = None,
    *,
    cancel: CancelToken | None = None,
) -> Keywords:
    """Return a chat model's keywords for a question; none where no model answers.

    Args:
        db: a writing connection, where the model's answer is kept; None keeps nothing.
    """
    question = " ".join(question.split())
    if chat_model is None or not question:
        return Keywords()
    language = "zh" if detect_language(question) == "zh" else "en"
    lines = _LINES[language]

    def talk() -> Iterator[Any]:
        return (yield Write(lines, MAX_TOKENS, OneLine()))

    messages = (
        ChatMessage("system", load_prompt("keywords", language)),
        ChatMessage("user", PASSAGE),
    )
    script = PromptProgram("keywords", messages, question, talk)
    find_call = None if db is None else lambda key: model_cache.find_call(db, key)
    run = next(iter(chat_model.run_scripts([script], find_call=find_call, cancel=cancel)), None)
    if run is None or run.error or not run.value:
        return Keywords()
    if db is not None and run.calls:
        with db.transaction():
            model_cache.store_calls(db, run.calls)
    high, low = (_split(written.text) for written in run.value)
    # A small model makes names up; a name to look for stands in the question.
    said = question.casefold()
    low = tuple(k for k in low if _is_said(k, said))
    return Keywords(tuple(k for k in high if k not in low)[:MOST], low[:MOST])


def guess_keywords(question: str, names: Sequence[tuple[int, int]] = ()) -> Keywords:
    """Return keywords read off the question: names and quotations low, other phrases high.

    Args:
        names: (start, end) of the names in the question that the library knows.
    """
    spans = sorted({*names, *(m.span(1) for m in _QUOTED.finditer(question))})
    low = [question[start:end] for start, end in spans]
    rest = list(question)
    for start, end in spans:
        rest[start:end] = "\n" * (end - start)
    high: list[str] = []
    for phrase in _phrases("".join(rest)):
        # An unknown name is still a name: "Xawery" at the end of a question.
        named = phrase[0].isupper() and not question.lstrip().startswith(phrase)
        (low if named else high).append(phrase)
    return Keywords(_first(high), _first(low))


def choose_keywords(
    question: str, param: QueryParam, names: Sequence[tuple[int, int]] = ()
) -> Keywords:
    """Return the keywords that were given, else guessed ones, else a short question itself.

    Where only one kind is there, it stands in for the other. Nothing where a long question has
    no word to look for.
    """
    found = Keywords(param.hl_keywords, param.ll_keywords)
    if not is_given(param):
        found = guess_keywords(question, names)
    if not found.high and not found.low and 0 < len(question.strip()) < SHORT_QUESTION:
        found = Keywords((), (question.strip(),))
    return Keywords(found.high or found.low, found.low or found.high)


def is_given(param: QueryParam) -> bool:
    """Say whether keywords came with the question, so that none are guessed."""
    return bool(param.hl_keywords or param.ll_keywords)


def _phrases(text: str) -> Iterator[str]:
    """Yield runs of content words, up to four words or eight characters of Chinese."""
    for line in text.split("\n"):
        position = 0
        for run in [*_CJK.finditer(line), None]:
            yield from _latin_phrases(line[position : run.start() if run else len(line)])
            if run:
                yield from (p for p in _ASKING_CHINESE.split(run.group()) if len(p) > 1)
                position = run.end()


def _latin_phrases(text: str) -> Iterator[str]:
    words: list[str] = []
    after = 0
    for match in _WORD.finditer(text):
        word = re.sub(r"['’]s$", "", match.group().rstrip("."))
        joined = text[after : match.start()].strip() == ""
        alike = not words or words[0][0].islower() == word[0].islower()
        if words and (not joined or len(words) == MOST_WORDS or not alike):
            yield " ".join(words)
            words = []
        after = match.end()
        in_a_title = word[0].isupper() and text[: match.start()].strip() != ""
        if (word.lower() in _ASKING and not in_a_title) or (len(word) < 2 and not word.isdigit()):
            if words:
                yield " ".join(words)
            words = []
        else:
            words.append(word)
    if words:
        yield " ".join(words)


def _split(written: str) -> tuple[str, ...]:
    """Return the keywords of a line, without numbering, quotes and doubles."""
    line = next((one for one in written.split("\n") if one.strip()), "")
    parts = (_EDGES.sub("", part) for part in _PARTS.split(line))
    return _first([p for p in parts if 1 < len(p) <= MAX_CHARS and p.lower() not in _NOTHING])


_NOTHING = frozenset(("none", "n/a", "无", "没有", "(none)"))


def _is_said(keyword: str, question: str) -> bool:
    """Say whether a keyword, or a whole word of it, stands in the question."""
    key = keyword.casefold()
    if key in question:
        return True
    words = [w for w in re.findall(r"[^\W_]+", key) if len(w) > 2 and w not in _ASKING]
    return any(re.search(rf"\b{re.escape(w)}\b", question) for w in words)


def _first(found: Sequence[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for keyword in found:
        seen.setdefault(keyword.casefold(), keyword)
    return tuple(seen.values())[:MOST]
