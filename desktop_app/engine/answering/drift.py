"""DRIFT: from reports to questions, each answered by a walk, and on to further ones (GraphRAG's).

The reports of the best themes give a first question each; their answers give further ones, as
far as the budget of calls goes. The tree of questions is told as it grows, as data.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ..llm.protocols import ChatModel
from ..model import AskedQuestion, ChatMessage, Passage, RetrievalResult
from ..progress import Progress
from ..prompt_files import load_prompt
from ..prompt_program import PASSAGE, PromptProgram, Talk, Write
from ..query import QueryParam
from ..retrieval.keywords import OneLine
from ..retrieval.retriever import Retriever
from ..store import model_cache
from ..store.db import Db
from ..text.features import features
from .answer_templates import is_refusal
from .citations import is_in_their_words
from .context import cut_around_best, name_place
from .global_search import show_report
from .preparation import UnderstoodQuestion
from .report_ranking import ReportExcerpt

FIRST_QUESTIONS, FURTHER_OF_ONE = 3, 1
QUESTION_TOKENS, ANSWER_TOKENS = 36, 70
PASSAGES, PASSAGE_TOKENS = 3, 120  # that one question is answered from
REPORT_CHARS = 900
LONGEST_QUESTION = 160
_ASK_ABOUT = {"en": "A question about {}:", "zh": "关于{}的问题："}
_PLAIN = {"en": "{question} What of {name}?", "zh": "{question}其中{name}如何？"}
_ANSWER = {"en": "Answer:", "zh": "回答："}
_NEXT = {"en": "Answer: {}\nA question that follows from it:", "zh": "回答：{}\n由此可以再问："}
_LINE = {"en": "Question: {} Answer: {}", "zh": "问：{}答：{}"}
_EDGES = re.compile(r"^[\s\"“”*\-\d.、:：]+|[\s\"“”*]+$")
_MARK = re.compile(r"\s*[\[【]\d+[\]】]")


@dataclass(frozen=True, slots=True)
class DriftProgress(Progress):
    """Where the questions are; `tree` as it stands."""

    tree: tuple[AskedQuestion, ...] = ()


@dataclass
class DriftResult:
    """What came of the questions: lines for the last prompt, and passages to cite."""

    tree: tuple[AskedQuestion, ...] = ()
    lines: tuple[str, ...] = ()
    sources: tuple[Passage, ...] = ()
    n_calls: int = 0


@dataclass
class _Run:
    """A search under way."""

    asked: UnderstoodQuestion
    finder: Retriever
    model: ChatModel
    db: Db
    language: str
    tree: list[AskedQuestion] = field(default_factory=list)
    sources: dict[int, list[Passage]] = field(default_factory=dict)
    n_calls: int = 0

    def tell(self) -> None:
        done = sum(q.state in ("done", "nothing") for q in self.tree)
        self.asked.on_step(
            DriftProgress("questions", done, len(self.tree) - 1, tree=tuple(self.tree))
        )

    def set(self, number: int, **more: object) -> None:
        self.tree[number] = replace(self.tree[number], **more)  # type: ignore[arg-type]


def run_drift(
    asked: UnderstoodQuestion,
    question: str,
    told: Sequence[ReportExcerpt],
    finder: Retriever,
    model: ChatModel,
    db: Db,
    n_calls: int,
) -> DriftResult:
    """Return what the questions on the way found; the last call, the answer, is the caller's.

    Args:
        n_calls: the budget, with the answer.
    """
    run = _Run(asked, finder, model, db, asked.language)
    run.tree.append(AskedQuestion(0, -1, question, state="answering"))
    left = n_calls - 2
    first = _first_questions(run, question, told[:FIRST_QUESTIONS])[: max(1, left)]
    _grow(run, 0, first)
    further = _answer_all(run, left - len(first))
    left -= len(first)
    for parent, text in further[: max(0, left)]:
        _grow(run, parent, [text])
    _answer_all(run, 0)
    run.set(0, state="done")
    run.tell()
    said = [q for q in run.tree[1:] if q.state == "done" and _is_backed(run, q)]
    sources = [p for q in said for p in run.sources.get(q.number, ())[:2]]
    lines = tuple(_LINE[run.language].format(q.question, q.answer) for q in said)
    return DriftResult(tuple(run.tree), lines, tuple(sources), run.n_calls)


def _is_backed(run: _Run, one: AskedQuestion) -> bool:
    """Say whether an answer has any words of its passages: others stay in the tree only."""
    return is_in_their_words(one.answer, run.sources.get(one.number, ()), one.question)


def _first_questions(run: _Run, question: str, told: Sequence[ReportExcerpt]) -> list[str]:
    """Return a question a theme, written from its report; a plain one where that fails."""
    language = run.language
    system = load_prompt("drift_primer", language).format(question=question)
    text = "\n\n".join(show_report(one)[:REPORT_CHARS] for one in told)
    lines = tuple(_ASK_ABOUT[language].format(one.row.top_names[0]) for one in told)

    def talk() -> Talk:
        return (yield Write(lines, QUESTION_TOKENS, OneLine()))

    messages = (ChatMessage("system", system), ChatMessage("user", PASSAGE))
    [written] = list(_run_scripts(run, [PromptProgram("primer", messages, text, talk)])) or [None]
    texts = [w.text for w in written[1]] if written else [""] * len(told)
    found: list[str] = []
    for one, text in zip(told, texts, strict=True):
        made = _as_question(text, [question, *found])
        name = one.row.top_names[0]
        found.append(made or _PLAIN[language].format(question=question, name=name))
    return found


def _grow(run: _Run, parent: int, questions: Sequence[str]) -> None:
    for text in questions:
        run.tree.append(AskedQuestion(len(run.tree), parent, text))
    run.tell()


def _answer_all(run: _Run, n_further: int) -> list[tuple[int, str]]:
    """Answer the questions that wait, side by side; return (parent, question) that follow."""
    language = run.language
    waiting = [q for q in run.tree if q.state == "waiting"]
    texts: dict[int, str] = {}
    for question in waiting:
        if run.asked.cancel.cancelled:
            break
        run.set(question.number, state="searching")
        run.tell()
        found = _search(run, question.question)
        passages = [
            cut_around_best(p, PASSAGE_TOKENS, run.model.count_tokens)
            for p in found.passages[:PASSAGES]
        ]
        run.sources[question.number] = passages
        run.set(
            question.number,
            state="answering" if passages else "nothing",
            n_passages=len(passages),
            score=round(passages[0].score, 3) if passages else 0.0,
        )
        if passages:
            texts[question.number] = _show(passages, question.question, language)
    run.tell()

    def talk() -> Talk:
        [written] = yield Write((_ANSWER[language],), ANSWER_TOKENS, OneLine())
        answer = " ".join(written.text.split())
        further = ""
        if n_further > 0 and answer and not _is_empty(answer):
            [asked] = yield Write((_NEXT[language].format(answer),), QUESTION_TOKENS, OneLine())
            further = asked.text
        return answer, further

    messages = (
        ChatMessage("system", load_prompt("drift_follow", language)),
        ChatMessage("user", PASSAGE),
    )
    started, further = time.monotonic(), []
    scripts = (PromptProgram(number, messages, text, talk) for number, text in texts.items())
    for number, (answer, text) in _run_scripts(run, scripts):
        nothing = not answer or _is_empty(answer)
        run.set(
            number,
            state="nothing" if nothing else "done",
            answer=_MARK.sub("", answer),
            seconds=round(time.monotonic() - started, 1),
        )
        if not nothing:
            known = [q.question for q in run.tree] + [t for _, t in further]
            if made := _as_question(text, known):
                further.append((number, made))
        run.tell()
    return sorted(further, key=lambda item: -run.tree[item[0]].score)[: max(0, n_further)]


def _search(run: _Run, question: str) -> RetrievalResult:
    given = run.asked.param
    param = QueryParam(
        chunk_top_k=PASSAGES,
        enable_rerank=False,
        document_ids=given.document_ids,
        collection_ids=given.collection_ids,
    )
    return run.finder.find(question, param)


def _run_scripts(
    run: _Run, scripts: Sequence[PromptProgram] | Iterator[PromptProgram]
) -> Iterator[tuple]:
    find_call = partial(model_cache.find_call, run.db)
    for done in run.model.run_scripts(scripts, find_call=find_call, cancel=run.asked.cancel):
        if done.error:
            continue
        run.n_calls += 1
        with run.db.transaction():
            model_cache.store_calls(run.db, done.calls)
        yield done.key, done.value


def _show(passages: Sequence[Passage], question: str, language: str) -> str:
    shown = [
        f"[{n}] {name_place(p)}\n{' '.join(p.text.split())}"
        for n, p in enumerate(passages, start=1)
    ]
    asked = "问题：" if language == "zh" else "Question: "
    return "\n".join((*shown, f"{asked}{question}"))


def _as_question(text: str, known: Sequence[str]) -> str:
    """Return what was written as one question, "" if it is none or was asked before."""
    text = _EDGES.sub("", " ".join(text.split()))
    for mark in ("?", "？"):
        if mark in text:
            text = text[: text.index(mark) + 1]
            break
    else:
        return ""
    own = features(text)
    if len(text) > LONGEST_QUESTION or len(own) < 2:
        return ""
    same = any(len(own & features(one)) > 0.8 * len(own) for one in known)
    return "" if same else text


def _is_empty(answer: str) -> bool:
    plain = answer.strip().rstrip(".。").casefold()
    return plain in ("not said", "没有提到") or is_refusal(answer)
