"""Kinds of questions, recognised by patterns, for query expansion and ranking in books.

Books often answer a question in other words than the question uses: "how did he die" is answered
by "breathed his last". The kind of a question gives the words that such answers use, whether the
answer is early or late in a book, and whether many passages answer it together. No model is used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..word_lists import load_table

LATE, EARLY = 1.0, -1.0


@dataclass(frozen=True, slots=True)
class _Kind:
    pattern: re.Pattern[str]
    words: str
    position: float = 0.0
    is_life_story: bool = False


_KINDS = tuple(
    _Kind(**kind | {"pattern": re.compile(kind["pattern"], re.IGNORECASE)})
    for kind in load_table("question_kinds")["kinds"]
)
MAX_KINDS = 2

_WHO = re.compile(r"\bwho('s| is| was| are| were)\b|是谁|是什么人|是何人|什么来历", re.IGNORECASE)
_LATE = re.compile(
    r"最[后终]|结尾|末尾|后来怎|\b(at|in|by) the end\b|\bfinally\b|\beventually\b|\bends?\b|"
    r"\blast\b(?! (name|night|week|year))",
    re.IGNORECASE,
)
_EARLY = re.compile(
    r"最初|起初|开头|开始时|第一次|首次|初次|\b(at|in) the (beginning|start)\b|"
    r"\bfirst (meet|met|appear\w*|see|saw|time|encounter\w*)\b|\bfirst\b.*\bmeet\b|\boriginally\b",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"哪些|事迹|经历|一生|生平|列举|分别|多少次|几次|都有谁|有谁|做过什么|干过什么|"
    r"(过|了)(谁|哪)|(?<!是)谁们|"
    r"\bdeeds\b|\badventures\b|\bachievements\b|\bexploits\b|\bhappen(s|ed)? to\b|"
    r"\bwhom (did|does|has|do)\b|\bwho (did|does|has|do) .+\b(help|save|kill|rescue|marry|meet|"
    r"fight|love)\w*\b|\blist\b|\bname (all|the)\b|\ball (the|of|his|her|their)\b|"
    r"\b(which|what) (people|characters|persons|events|places|things|friends|enemies)\b|"
    r"\bthroughout\b|\bover the course\b|\bsum(marise|marize|mary)\b|"
    r"\b(life|story|journey) of\b|\bhow many times\b|\brole (of|does|did)\b",
    re.IGNORECASE,
)


def asks_who(question: str) -> bool:
    """Return whether a question asks who a person is."""
    return bool(_WHO.search(question))


def expected_position(question: str) -> float:
    """Return `LATE` or `EARLY` if the answer is expected there in a book, else 0."""
    if _LATE.search(question):
        return LATE
    if _EARLY.search(question):
        return EARLY
    return next((k.position for k in _find_kinds(question) if k.position), 0.0)


def asks_for_list(question: str) -> bool:
    """Return whether many passages together answer a question, not a single one."""
    return bool(_LIST.search(question))


def asks_for_life_story(question: str) -> bool:
    """Return whether a question asks for all that a person did, without naming a kind of event."""
    return asks_for_list(question) and all(kind.is_life_story for kind in _find_kinds(question))


def answer_words(question: str) -> str:
    """Return words that answers to questions of this kind use, "" if the kind is unknown."""
    return " ".join(kind.words for kind in _find_kinds(question))


def expand_question(question: str) -> str:
    """Return the question with the words of likely answers, "" if the kind is unknown."""
    words = answer_words(question)
    return f"{question} {words}" if words else ""


def _find_kinds(question: str) -> list[_Kind]:
    return [kind for kind in _KINDS if kind.pattern.search(question)][:MAX_KINDS]
