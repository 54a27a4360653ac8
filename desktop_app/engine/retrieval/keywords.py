"""Keywords of a question: themes (high-level) and names or things (low-level), as in LightRAG.

`find_keywords` asks a chat model and caches its answer; `guess_keywords` takes them from the
words of the question. Retrieval uses the second when the caller gives no keywords.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..llm.protocols import ChatModel
from ..model import ChatMessage, Keywords
from ..progress import CancelToken
from ..prompt_files import load_prompt
from ..prompt_program import PASSAGE, OneLine, PromptProgram, Talk, Write
from ..query import QueryParam
from ..store import model_cache
from ..store.db import Db
from ..store.fts_tokens import ENGLISH_STOP_WORDS
from ..text.language import find_asked_language
from ..writing_systems import CJK

SHORT_QUESTION = 50  # characters; a shorter question without keywords is its own keyword (LightRAG)
MAX_KEYWORDS = 6  # of each kind
MAX_PHRASE_WORDS = 4  # of one guessed phrase
MAX_KEYWORD_CHARS = 60  # of one keyword; longer is a sentence
MAX_TOKENS = 48  # of each line that the model writes
_LINE_LABELS = {"en": ("Themes:", "Names:"), "zh": ("主题：", "名称：")}
_NO_KEYWORD = frozenset(("none", "n/a", "无", "没有", "(none)"))
_SEPARATOR = re.compile(r"[,，、;；|\n]")
_EDGE_MARKS = re.compile(r"^\s*(?:\d+[.)]|[-*•])?[\s\"'“”‘’]*|[\s.\"'“”‘’。]+$")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*\.?")
_CJK = re.compile(f"[{CJK}]+")
_QUOTED = re.compile(r"[“\"「『《〈](.+?)[”\"」』》〉]")
_CHINESE_FUNCTION_WORDS = re.compile(
    "什么样|什么|怎么样|怎么|怎样|如何|为什么|为何|哪里|哪儿|哪些|哪个|哪位|哪|多少|几|是谁|谁|吗|呢|的|了|"
    "是否|是|在|有|和|与|及|跟|请问|以及|之间|被|把|他|她|它|这个|那个|都|也|吧|最后|曾经|关于"
)
_ENGLISH_FUNCTION_WORDS = """
whose tell say says said give list many much name named describe explain about there happen
happens happened between during after before both same one any all other another
"""
_FUNCTION_WORDS = ENGLISH_STOP_WORDS | frozenset(_ENGLISH_FUNCTION_WORDS.split())


def find_keywords(
    question: str, model: ChatModel, db: Db, *, cancel: CancelToken | None = None
) -> Keywords:
    """Return a chat model's keywords for a question; empty if it gives no answer.

    Args:
        db: the read-write connection, for caching the answer.
    """
    language = find_asked_language(question)

    def converse() -> Talk:
        return (yield Write(_LINE_LABELS[language], MAX_TOKENS, OneLine()))

    messages = (
        ChatMessage("system", load_prompt("keywords", language)),
        ChatMessage("user", PASSAGE),
    )
    program = PromptProgram("keywords", messages, " ".join(question.split()), converse)
    run = next(model_cache.run_cached(db, model.run_programs, [program], cancel), None)
    if run is None or run.error or not run.value:
        return Keywords()
    high, low = (_parse_line(written.text) for written in run.value)
    # Small models invent names: keep only names that occur in the question.
    folded_question = question.casefold()
    low = tuple(k for k in low if _occurs_in(k, folded_question))
    return Keywords(tuple(k for k in high if k not in low)[:MAX_KEYWORDS], low[:MAX_KEYWORDS])


def guess_keywords(question: str, names: Sequence[tuple[int, int]] = ()) -> Keywords:
    """Return keywords from the words of the question.

    Names and quotations are low-level keywords, other phrases are high-level ones.

    Args:
        names: (start, end) of the names in the question that the library contains.
    """
    spans = sorted({*names, *(m.span(1) for m in _QUOTED.finditer(question))})
    low = [question[start:end] for start, end in spans]
    remaining = list(question)
    for start, end in spans:
        remaining[start:end] = "\n" * (end - start)
    high: list[str] = []
    for phrase in _iter_phrases("".join(remaining)):
        # A capitalised phrase inside the question is a name even if the library has no such entity.
        is_name = phrase[0].isupper() and not question.lstrip().startswith(phrase)
        (low if is_name else high).append(phrase)
    return Keywords(_drop_duplicates(high), _drop_duplicates(low))


def choose_keywords(
    question: str, param: QueryParam, names: Sequence[tuple[int, int]] = ()
) -> Keywords:
    """Return the given keywords, else guessed ones, else a short question as one keyword.

    If only one level has keywords, they are used for both. Empty for a long question without
    content words.
    """
    found = Keywords(param.hl_keywords, param.ll_keywords)
    if not (found.high or found.low):
        found = guess_keywords(question, names)
    if not found.high and not found.low and 0 < len(question.strip()) < SHORT_QUESTION:
        found = Keywords((), (question.strip(),))
    return Keywords(found.high or found.low, found.low or found.high)


def _iter_phrases(text: str) -> Iterator[str]:
    """Yield phrases: runs of up to four content words, or of Chinese characters."""
    for line in text.split("\n"):
        position = 0
        for run in [*_CJK.finditer(line), None]:
            yield from _iter_latin_phrases(line[position : run.start() if run else len(line)])
            if run:
                yield from (p for p in _CHINESE_FUNCTION_WORDS.split(run.group()) if len(p) > 1)
                position = run.end()


def _iter_latin_phrases(text: str) -> Iterator[str]:
    words: list[str] = []
    previous_end = 0
    for match in _WORD.finditer(text):
        word = re.sub(r"['’]s$", "", match.group().rstrip("."))
        is_adjacent = text[previous_end : match.start()].strip() == ""
        has_same_case = not words or words[0][0].islower() == word[0].islower()
        if words and (not is_adjacent or len(words) == MAX_PHRASE_WORDS or not has_same_case):
            yield " ".join(words)
            words = []
        previous_end = match.end()
        is_capitalised_inside = word[0].isupper() and text[: match.start()].strip() != ""
        if (word.lower() in _FUNCTION_WORDS and not is_capitalised_inside) or (
            len(word) < 2 and not word.isdigit()
        ):
            if words:
                yield " ".join(words)
            words = []
        else:
            words.append(word)
    if words:
        yield " ".join(words)


def _parse_line(written: str) -> tuple[str, ...]:
    """Return the keywords of a generated line without numbering, quotes and duplicates."""
    line = next((one for one in written.split("\n") if one.strip()), "")
    parts = (_EDGE_MARKS.sub("", part) for part in _SEPARATOR.split(line))
    return _drop_duplicates(
        [p for p in parts if 1 < len(p) <= MAX_KEYWORD_CHARS and p.lower() not in _NO_KEYWORD]
    )


def _occurs_in(keyword: str, question: str) -> bool:
    """Return whether a keyword, or one whole word of it, occurs in the question."""
    key = keyword.casefold()
    if key in question:
        return True
    words = [w for w in re.findall(r"[^\W_]+", key) if len(w) > 2 and w not in _FUNCTION_WORDS]
    return any(re.search(rf"\b{re.escape(w)}\b", question) for w in words)


def _drop_duplicates(found: Sequence[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for keyword in found:
        seen.setdefault(keyword.casefold(), keyword)
    return tuple(seen.values())[:MAX_KEYWORDS]
