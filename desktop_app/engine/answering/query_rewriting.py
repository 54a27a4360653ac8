"""Query rewriting: turns a follow-up ("And his wife?") into a question that stands alone.

Owns the detection of follow-ups, the rewriting by one short, checked call of the model, and the
fallback without a model: the names of the last turn are appended.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..errors import AppError
from ..llm.protocols import ChatModel
from ..messages import Message
from ..model import ChatMessage, Stage
from ..progress import CancelToken
from ..prompt_files import load_prompt
from ..prompt_program import PASSAGE, PromptProgram, Talk, Write
from ..store import model_cache
from ..store.db import Db
from ..writing_systems import has_han
from .context import CountTokens

_POSSESSIVE = re.compile(r"\b(his|hers|their|theirs|its)\b", re.IGNORECASE)
# "her" before a noun is possessive; before a preposition or at the end it is the object.
_HER_POSSESSIVE = re.compile(
    r"\bher\b(?=\s+(?!(?:to|in|on|at|by|for|from|with|and|or|but|as|when|before|after|so|about"
    r"|into|again|there|then|away|back|up|down|out|off)\b)[a-z])",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\b(he|him|she|her|they|them|it)\b(?!['’])", re.IGNORECASE)
_PERSONAL_ZH = re.compile(
    r"他们|她们|它们|此人|那个人|这个人|那人|这人|他(?!人)|她|它|其(?!他|它|实|中|余)"
)


def replace_pronoun(question: str, name: str) -> str:
    """Return the question with its first pronoun replaced, unchanged if there is none."""
    if has_han(question):
        return _PERSONAL_ZH.sub(lambda _: name, question, count=1)
    possessive = f"{name}'" if name.endswith("s") else f"{name}'s"
    kinds = ((_POSSESSIVE, possessive), (_HER_POSSESSIVE, possessive), (_PERSONAL, name))
    found = [(m.start(), m.end(), words) for p, words in kinds if (m := p.search(question))]
    if not found:
        return question
    start, end, words = min(found, key=lambda f: f[0])  # the first kind that fits
    return question[:start] + words + question[end:]


N_TURNS = 3
_MARKS = re.compile(r"\s?[\[【]\s*\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*\s*[\]】]")
_SENTENCE = re.compile(r".*?[.!?。！？](?=\s|$|[^\s.!?。！？”’\"])", re.DOTALL)
_SPEAKER = {"user": {"en": "Q", "zh": "问"}, "assistant": {"en": "A", "zh": "答"}}


def shorten_history(
    history: Sequence[ChatMessage],
    language: str,
    budget: int,
    count_tokens: CountTokens,
    *,
    with_answers: bool = True,
) -> str:
    """Return the last turns as lines: questions, and first sentences of answers."""
    lines: list[str] = []
    used = 0
    for turn in reversed(history[-2 * N_TURNS :]):
        if turn.role not in _SPEAKER or (turn.role == "assistant" and not with_answers):
            continue
        text = first_sentence(turn.text) if turn.role == "assistant" else turn.text
        line = f"{_SPEAKER[turn.role][language]}: {' '.join(text.split())}"
        used += count_tokens(line)
        if used > budget:
            break
        lines.append(line)
    return "\n".join(reversed(lines))


def first_sentence(text: str) -> str:
    """Return the first sentence of an answer without citation marks."""
    plain = _MARKS.sub("", text).strip()
    match = _SENTENCE.match(plain)
    return match.group(0) if match and len(match.group(0)) > 3 else plain[:200]


def keep_complete_turns(history: Sequence[ChatMessage], most: int = 6) -> tuple[ChatMessage, ...]:
    """Return the last turns in alternation, from a question to an answer."""
    turns: list[ChatMessage] = []
    for turn in history[-most:]:
        if turn.role == "user" and turns and turns[-1].role == "user":
            turns.pop()  # never answered
        if turn.role == "user" or (turn.role == "assistant" and turns):
            turns.append(turn)
    if turns and turns[-1].role == "user":
        turns.pop()
    return tuple(turns)


N_NAMES = 2
REWRITTEN_TOKENS = 60
HISTORY_TOKENS = 160

# "There" and "that" have other uses as well ("is there", "the man that"): they refer to the last
# turn only where they stand alone or before a general noun.
_PRONOUN_EN = re.compile(
    r"\b(he|him|his|himself|she|her|hers|herself|they|them|their|theirs|its"
    r"|it(?!\s+(?:true|that|possible|clear|likely)\b)"
    r"|(?:there|then|this|that|these|those)(?=\s*(?:[?.!,]|$))"
    r"|(?:this|that|these|those)(?=\s+(?:means?|happen|man|men|woman|women|person|people|place"
    r"|one|ones|time|day|night|scene|event|house|letter|thing)s?\b)"
    r"|the same|the other|the former|the latter)\b",
    re.IGNORECASE,
)
_OPENING_EN = re.compile(
    r"^\s*(and|but|or|so|also|what about|how about|what else|who else|why not|else)\b",
    re.IGNORECASE,
)
_PRONOUN_ZH = re.compile(
    r"(?<![其吉])[他她它]|此人|其(?!他|它|实|中|余)"
    r"|[这那](?!本书|部书|部小说|本小说|个故事|篇|章|回|里|么|些书)"
)
_LATER_ZH = re.compile(r"之后|后来|然后|接着")
_OPENING_ZH = re.compile(r"^\s*(那么|那|还有|而)")
_ENDING_ZH = re.compile(r"呢[？?]?\s*$")

_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]+(?:['’][a-z]+)?|\d+")
_QUESTION_WORD = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b")
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    the a an of to in on at by for from with and or but so also as is was were are be been do does
    did have has had will would can could who whom whose what which when where why how about else
    then there that this these those it its he him his she her hers they them their more tell me
    happened happen happens please again i you we say said not no s
    """,
    )
)
_PARTICLES_ZH = frozenset(
    "的了吗呢是在有和与他她它们谁什么怎样么为何哪里时候这那个后来又还吧啊之其"
)

FindNames = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class RewrittenQuestion:
    """A question that retrieval can use.

    Attributes:
        stage: describes the rewriting; None if there was none.
        needs_history: the question still cannot be understood without the turns before it.
    """

    question: str
    stage: Stage | None = None
    needs_history: bool = False


def is_follow_up(question: str, find_names: FindNames) -> bool:
    """Return whether a question cannot be understood without the turn before it."""
    if has_han(question):
        match = _PRONOUN_ZH.search(question)
        if match and not find_names(question[: match.start()]):
            return True
        opens = _OPENING_ZH.search(question) or _ENDING_ZH.search(question)
        if opens and len(question) <= 20:
            return True
        short = len(question) <= 5 or _LATER_ZH.search(question)
        return not _content_words(question) or bool(short and not find_names(question))
    match = _PRONOUN_EN.search(question)
    if match and not find_names(question[: match.start()]):
        return True
    return bool(_OPENING_EN.search(question)) or not _content_words(question)


def rewrite_question(
    db: Db,
    question: str,
    history: Sequence[ChatMessage],
    find_names: FindNames,
    model: ChatModel | None,
    language: str,
    cancel: CancelToken,
) -> RewrittenQuestion:
    """Return the question in a form that stands alone.

    If the turn before has exactly one name, it replaces the pronoun; this is right more often
    than the rewriting of a small model. Otherwise the model rewrites the question.

    Args:
        db: read and write: model calls are cached.
        find_names: finds the library's names in a text, in reading order.
        model: None to rewrite without a model.
    """
    if not history or not is_follow_up(question, find_names):
        return RewrittenQuestion(question)
    started = time.perf_counter()
    names = _last_names(question, history, find_names)
    rewritten = replace_pronoun(question, names[0]) if len(names) == 1 else question
    how = Message("with the name from the last question")
    if rewritten == question and model is not None:
        rewritten = _ask_model(db, question, history, model, language, cancel)
        how = Message("rewritten by the model")
        if not is_faithful(rewritten, question, history):
            how, rewritten = (
                Message("the model's “{question}” was not used", question=rewritten[:120]),
                question,
            )
    is_whole = rewritten not in ("", question)
    if not is_whole:
        rewritten, added = question, names[:N_NAMES]
        if added and has_han(question):
            rewritten = f"{question}（{'、'.join(added)}）"
        elif added:
            rewritten = f"{question} ({', '.join(added)})"
        alone = model is None or len(names) == 1
        how = Message(
            "with the names from the last question"
            if alone
            else "with the names from the last question; {how}",
            how=how,
        )
    if rewritten == question:
        how = Message("the last question does not explain it")
    ms = round((time.perf_counter() - started) * 1000, 2)
    return RewrittenQuestion(rewritten, Stage("follow-up", (rewritten,), (), ms, how), not is_whole)


def is_faithful(rewritten: str, question: str, history: Sequence[ChatMessage]) -> bool:
    """Return whether a rewriting keeps the question and adds only words of the history."""
    if not rewritten or len(rewritten) > 3 * len(question) + 80 or rewritten == question:
        return False
    before = " ".join(turn.text for turn in history)
    asks = _QUESTION_WORD.findall(question.casefold())
    if asks and asks != _QUESTION_WORD.findall(rewritten.casefold()):
        return False
    own, new = _content_words(question), _content_words(rewritten)
    added = new - own
    known = _content_words(before) | _content_words(question)
    return own <= new and bool(added) and added <= known


def _ask_model(
    db: Db,
    question: str,
    history: Sequence[ChatMessage],
    model: ChatModel,
    language: str,
    cancel: CancelToken,
) -> str:
    turns = shorten_history(history[-2:], language, HISTORY_TOKENS, model.count_tokens)
    asked = "问" if language == "zh" else "Q"
    messages = (
        ChatMessage("system", load_prompt("followup", language)),
        ChatMessage("user", PASSAGE),
    )

    def talk() -> Talk:
        return (yield Write(("",), REWRITTEN_TOKENS))

    program = PromptProgram("followup", messages, f"{turns}\n{asked}: {question}", talk)
    try:
        runs = list(model_cache.run_cached(db, model.run_programs, [program], cancel))
    except AppError:
        return ""
    if not runs or runs[0].error or not runs[0].value:
        return ""
    lines = runs[0].value[0].text.splitlines()
    line = next((line.strip() for line in lines if line.strip()), "")
    line = re.sub(r"^(Q|Question|Rewritten|问|问题|改写)\s*[:：]\s*", "", line)
    return line.strip().strip('"“”').strip()


def _last_names(question: str, history: Sequence[ChatMessage], find_names: FindNames) -> list[str]:
    """Return the names in the last question, else those in the first sentence of its answer."""
    in_question = {name.casefold() for name in find_names(question)}
    for role in ("user", "assistant"):
        last = next((turn.text for turn in reversed(history) if turn.role == role), "")
        found: dict[str, str] = {}
        for name in find_names(last if role == "user" else first_sentence(last)):
            if name.casefold() not in in_question:
                found.setdefault(name.casefold(), name)
        if found:
            return list(found.values())
    return []


def _content_words(text: str) -> set[str]:
    """Return the content words and Chinese characters of a text, without function words."""
    words = {re.sub(r"['’]s$", "", w.casefold()) for w in _WORD.findall(text)}
    characters = {c for c in text if has_han(c) and c not in _PARTICLES_ZH}
    return {w for w in words if w not in _FUNCTION_WORDS} | characters
