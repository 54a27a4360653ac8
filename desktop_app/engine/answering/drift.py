"""DRIFT search (GraphRAG): questions from reports, their answers, and follow-up questions.

The report of each of the best communities gives a first question; the answers give further
questions until the budget of model calls is spent. Progress reports carry the tree of questions.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..llm.protocols import ChatModel
from ..model import AskedQuestion, ChatMessage, Passage
from ..progress import Progress
from ..prompt_files import load_prompt
from ..prompt_program import PASSAGE, OneLine, PromptProgram, Talk, Write
from ..query import QueryParam
from ..retrieval.retriever import Retriever
from ..store import model_cache
from ..store.db import Db
from ..writing_systems import features
from .citations import is_in_their_words, is_refusal
from .context import UnderstoodQuestion, cut_around_best, name_place
from .report_ranking import ReportExcerpt

FIRST_QUESTIONS = 3
QUESTION_TOKENS, ANSWER_TOKENS = 36, 70
PASSAGES, PASSAGE_TOKENS = 3, 120  # for one question
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
    """Progress of a DRIFT search with the current tree of questions."""

    tree: tuple[AskedQuestion, ...] = ()


@dataclass(frozen=True, slots=True)
class DriftResult:
    """Answered questions: lines for the last prompt, and passages to cite with their report."""

    tree: tuple[AskedQuestion, ...] = ()
    lines: tuple[str, ...] = ()
    sources: tuple[tuple[ReportExcerpt, Passage], ...] = ()
    n_calls: int = 0


@dataclass
class _Search:
    """The state of a running search."""

    asked: UnderstoodQuestion
    retriever: Retriever
    model: ChatModel
    db: Db
    tree: list[AskedQuestion] = field(default_factory=list)
    sources: dict[int, list[Passage]] = field(default_factory=dict)
    n_calls: int = 0

    def report_progress(self) -> None:
        done = sum(q.state in ("done", "nothing") for q in self.tree)
        self.asked.on_step(
            DriftProgress("questions", done, len(self.tree) - 1, tree=tuple(self.tree))
        )

    def set(self, number: int, **more: object) -> None:
        self.tree[number] = replace(self.tree[number], **more)  # type: ignore[arg-type]


def run_drift(
    asked: UnderstoodQuestion,
    question: str,
    excerpts: Sequence[ReportExcerpt],
    retriever: Retriever,
    model: ChatModel,
    db: Db,
    n_calls: int,
) -> DriftResult:
    """Return the questions with their answers and passages.

    Args:
        n_calls: the budget of model calls, with the one of the final answer (by the caller).
    """
    search = _Search(asked, retriever, model, db)
    search.tree.append(AskedQuestion(0, -1, question, state="answering"))
    left = n_calls - 2
    first = _first_questions(search, question, excerpts[:FIRST_QUESTIONS])[: max(1, left)]
    _add_questions(search, 0, first)
    further = _answer_all(search, left - len(first))
    left -= len(first)
    for parent, text in further[: max(0, left)]:
        _add_questions(search, parent, [text])
    _answer_all(search, 0)
    search.set(0, state="done")
    search.report_progress()
    # Answers without words of their passages are only shown in the tree.
    backed = [
        q
        for q in search.tree[1:]
        if q.state == "done"
        and is_in_their_words(q.answer, search.sources.get(q.number, ()), q.question)
    ]
    sources = [(excerpts[0], p) for q in backed for p in search.sources.get(q.number, ())[:2]]
    lines = tuple(_LINE[search.asked.language].format(q.question, q.answer) for q in backed)
    return DriftResult(tuple(search.tree), lines, tuple(sources), search.n_calls)


def _first_questions(
    search: _Search, question: str, excerpts: Sequence[ReportExcerpt]
) -> list[str]:
    """Return one question per report, written by the model; a fixed one where that fails."""
    language = search.asked.language
    system = load_prompt("drift_primer", language).format(question=question)
    text = "\n\n".join(one.build_text()[:REPORT_CHARS] for one in excerpts)
    lines = tuple(_ASK_ABOUT[language].format(one.row.top_names[0]) for one in excerpts)

    def talk() -> Talk:
        return (yield Write(lines, QUESTION_TOKENS, OneLine()))

    messages = (ChatMessage("system", system), ChatMessage("user", PASSAGE))
    results = list(_run_programs(search, [PromptProgram("primer", messages, text, talk)]))
    texts = [w.text for w in results[0][1]] if results else [""] * len(excerpts)
    found: list[str] = []
    for one, text in zip(excerpts, texts, strict=True):
        made = _parse_question(text, [question, *found])
        name = one.row.top_names[0]
        found.append(made or _PLAIN[language].format(question=question, name=name))
    return found


def _add_questions(search: _Search, parent: int, questions: Sequence[str]) -> None:
    for text in questions:
        search.tree.append(AskedQuestion(len(search.tree), parent, text))
    search.report_progress()


def _answer_all(search: _Search, n_further: int) -> list[tuple[int, str]]:
    """Answer the waiting questions in one batch; return follow-ups as (parent, question)."""
    language = search.asked.language
    waiting = [q for q in search.tree if q.state == "waiting"]
    param = QueryParam(
        chunk_top_k=PASSAGES,
        enable_rerank=False,
        document_ids=search.asked.param.document_ids,
        collection_ids=search.asked.param.collection_ids,
    )
    texts: dict[int, str] = {}
    for question in waiting:
        if search.asked.cancel.cancelled:
            break
        search.set(question.number, state="searching")
        search.report_progress()
        found = search.retriever.find(question.question, param)
        passages = [
            cut_around_best(p, PASSAGE_TOKENS, search.model.count_tokens)
            for p in found.passages[:PASSAGES]
        ]
        search.sources[question.number] = passages
        search.set(
            question.number,
            state="answering" if passages else "nothing",
            n_passages=len(passages),
            score=round(passages[0].score, 3) if passages else 0.0,
        )
        if passages:
            shown = [
                f"[{n}] {name_place(p)}\n{' '.join(p.text.split())}"
                for n, p in enumerate(passages, start=1)
            ]
            label = "问题：" if language == "zh" else "Question: "
            texts[question.number] = "\n".join((*shown, f"{label}{question.question}"))
    search.report_progress()

    def is_empty(answer: str) -> bool:
        plain = answer.strip().rstrip(".。").casefold()
        return plain in ("", "not said", "没有提到") or is_refusal(answer)

    def talk() -> Talk:
        [written] = yield Write((_ANSWER[language],), ANSWER_TOKENS, OneLine())
        answer = " ".join(written.text.split())
        further = ""
        if n_further > 0 and not is_empty(answer):
            [asked] = yield Write((_NEXT[language].format(answer),), QUESTION_TOKENS, OneLine())
            further = asked.text
        return answer, further

    messages = (
        ChatMessage("system", load_prompt("drift_follow", language)),
        ChatMessage("user", PASSAGE),
    )
    started = time.monotonic()
    further: list[tuple[int, str]] = []
    programs = (PromptProgram(number, messages, text, talk) for number, text in texts.items())
    for number, (answer, text) in _run_programs(search, programs):
        nothing = is_empty(answer)
        search.set(
            number,
            state="nothing" if nothing else "done",
            answer=_MARK.sub("", answer),
            seconds=round(time.monotonic() - started, 1),
        )
        if not nothing:
            known = [q.question for q in search.tree] + [t for _, t in further]
            if made := _parse_question(text, known):
                further.append((number, made))
        search.report_progress()
    return sorted(further, key=lambda item: -search.tree[item[0]].score)[: max(0, n_further)]


def _run_programs(search: _Search, programs: Iterable[PromptProgram]) -> Iterator[tuple[Any, Any]]:
    run_programs, cancel = search.model.run_programs, search.asked.cancel
    for done in model_cache.run_cached(search.db, run_programs, programs, cancel):
        if not done.error:
            search.n_calls += 1
            yield done.key, done.value


def _parse_question(text: str, known: Sequence[str]) -> str:
    """Return the text as one question, "" if it is none or was asked before."""
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
