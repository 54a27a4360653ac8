"""The overview: a question put to the reports of the whole library, GraphRAG's global search.

Map: each of the best reports is read with the question, side by side, and the model says which
of its sentences help; a big model also says in a line what the report has on it. Reduce: the
best sentences of several reports become the sources of one answer. Knows no storage.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..communities.material import quote
from ..communities.report_writing import can_write_findings
from ..errors import said
from ..llm.protocols import ChatModel
from ..model import CallPlan, ChatMessage, Passage, RankedReport, Stage
from ..progress import Clock, Progress
from ..prompt_files import load_prompt
from ..prompt_program import PASSAGE, Choose, PromptProgram, Talk, Write
from ..query import QueryParam
from ..retrieval.keywords import OneLine
from ..store import model_cache
from ..store.db import Db
from ..text.features import language_of
from ..text.sentences import split_sentences
from .context import Context, CountTokens, name_place
from .preparation import UnderstoodQuestion
from .report_ranking import ReportExcerpt

USEFUL_SHARE, NEAR_SHARE, RELEVANT_SHARE = 0.35, 0.45, 0.2
UNLIKELY = -1.0  # yes over no, as logarithms: with less, a big model is not asked for a line
FEW_SOURCES, MOST_SOURCES = 6, 14  # a model that reads slowly is small, and copies what it reads
LARGE_CONTEXT = 2000
LEAST_USEFUL = 0.5  # of what the best sentence has: with less, a sentence is left out
OF_ONE_REPORT = 3  # sentences at first, so that several reports have their say
POINT_TOKENS = 80
SHOWN_THEMES = 6
_YES_NO = {"en": (" yes", " no"), "zh": ("是", "否")}
_POINT = {"en": "What the report says on it:", "zh": "报告对此说："}
_TITLES = {"en": ("Themes:", "Sentences:"), "zh": ("主题：", "句子：")}


@dataclass(frozen=True, slots=True)
class GlobalSearchProgress(Progress):
    """Where the reading of reports is; `reports` are those that were read, the best first."""

    reports: tuple[RankedReport, ...] = ()


def judge_reports(
    asked: UnderstoodQuestion,
    question: str,
    told: Sequence[ReportExcerpt],
    model: ChatModel,
    db: Db,
) -> int:
    """Have the model say what of each report helps, and note it there; return the calls made.

    Stopped early, what was read until then counts.
    """
    writes = can_write_findings(model)
    name = "overview_points" if writes else "overview_judge"
    by_key = {int(one.row.id): one for one in told}
    clock, n_read = Clock(len(told)), 0

    def scripts() -> Iterator[PromptProgram]:
        for one in told:
            language = one.report.language
            system = load_prompt(name, language).format(question=question)
            messages = (ChatMessage("system", system), ChatMessage("user", PASSAGE))
            yield PromptProgram(
                int(one.row.id), messages, show_report(one), partial(_talk, one, writes=writes)
            )

    find_call = partial(model_cache.find_call, db)
    asked.on_step(GlobalSearchProgress("reports", 0, len(told)))
    for run in model.run_scripts(scripts(), find_call=find_call, cancel=asked.cancel):
        if run.error:
            continue
        with db.transaction():
            model_cache.store_calls(db, run.calls)
        one = by_key[int(run.key)]
        one.useful, one.points = run.value
        one.judged = 1.0  # until all are compared
        n_read += 1
        clock.tick()
        _compare(told)
        read = sorted((o for o in told if o.judged is not None), key=lambda o: -(o.judged or 0.0))
        asked.on_step(
            GlobalSearchProgress(
                "reports",
                n_read,
                len(told),
                clock.rate,
                clock.left_s,
                reports=tuple(o.ranked() for o in read),
            )
        )
    return n_read


def _compare(told: Sequence[ReportExcerpt]) -> None:
    """Rate each report by its best sentence among all that were read.

    A small model says yes to nearly all; what counts is to which it says so most surely.
    """
    read = [one for one in told if one.judged is not None]
    values = [value for one in read for value in one.useful.values()]
    low, spread = min(values, default=0.0), max(values, default=0.0) - min(values, default=0.0)
    for one in read:
        best = max(one.useful.values(), default=low)
        one.judged = round((best - low) / spread, 3) if spread else 1.0


def _talk(one: ReportExcerpt, *, writes: bool) -> Talk:
    language = one.report.language
    lines = tuple(f"[{n}]:" for n in range(1, len(one.sources) + 1))
    choices: list[Any] = yield Choose(lines, _YES_NO[language])
    useful = {n: c.logprobs[0] - c.logprobs[1] for n, c in enumerate(choices)}
    points: tuple[str, ...] = ()
    if writes and max(useful.values()) >= UNLIKELY:
        [written] = yield Write((_POINT[language],), POINT_TOKENS, OneLine())
        points = (" ".join(written.text.split()),)
    return useful, points


def show_report(one: ReportExcerpt) -> str:
    """Return a report as a model reads it: title, summary, numbered sentences."""
    language = one.report.language
    lines = [one.report.title, quote(one.report.summary, language)]
    lines += [f"[{n}] {quote(p.text, language)}" for n, p in enumerate(one.sources, start=1)]
    return "\n".join(lines)


def choose_sources(told: Sequence[ReportExcerpt]) -> list[tuple[ReportExcerpt, Passage]]:
    """Return the sentences to answer from, the most useful first, from several reports.

    Without a model's word, and without vectors, those of the most relevant reports by turns.
    """
    if any(one.judged is not None for one in told):
        told = [one for one in told if one.judged is not None]
    useful = [value for one in told for value in one.useful.values()]
    low, spread = (
        min(useful, default=0.0),
        (max(useful, default=0.0) - min(useful, default=0.0)) or 1.0,
    )
    rated = []
    for one in told:
        for n, passage in enumerate(one.sources):
            useful = (one.useful[n] - low) / spread if n in one.useful else 0.0
            value = USEFUL_SHARE * useful + NEAR_SHARE * one.near.get(n, 0.0)
            value += RELEVANT_SHARE * one.relevance / (1.0 + 0.2 * n)
            rated.append((value, one, passage))
    rated.sort(key=lambda item: -item[0])
    rated = [item for item in rated if item[0] >= LEAST_USEFUL * rated[0][0]]
    taken: dict[int, int] = {}
    first, later = [], []
    for _, one, passage in rated:
        key = int(one.row.id)
        taken[key] = taken.get(key, 0) + 1
        (first if taken[key] <= OF_ONE_REPORT else later).append((one, passage))
    return first + later


def build_report_context(
    chosen: Sequence[tuple[ReportExcerpt, Passage]],
    budget: int,
    count: CountTokens,
    language: str,
    extra: Sequence[str] = (),
    *,
    is_whole: bool = False,
) -> Context:
    """Return themes in a line each, then numbered sentences, as many as the budget holds.

    Args:
        extra: lines to be read before the sentences, such as answers to further questions.
        is_whole: the question asks about all there is, so what themes there are answers it.
    """
    started = time.perf_counter()
    themes_head, sentences_head = _TITLES[language]
    if is_whole and not extra:
        return _build_whole(chosen, budget, count)
    reports = list({int(one.row.id): one for one, _ in chosen}.values())[:SHOWN_THEMES]
    lines = []
    for one in reports:
        point = one.points[0] if one.points else _first(one.report.summary)
        told = one.points or one.report.model  # counted summaries repeat the title's names
        lines.append(f"- {_called(one)}: {point}" if told else f"- {_called(one)}")
    used = sum(count(line) for line in (*lines, *extra))
    while lines and used > budget * 0.45:
        used -= count(lines.pop())
    parts = [f"{themes_head}\n" + "\n".join(lines)] if lines else []
    parts += ["\n".join(extra)] if extra else []
    sources, shown, left = [], [], []
    most = FEW_SOURCES if budget < LARGE_CONTEXT else MOST_SOURCES
    several = len({passage.document_id for _, passage in chosen}) > 1
    for _, passage in chosen:
        text = f"[{len(sources) + 1}] {' '.join(passage.text.split())}"
        text += f" ({passage.title})" if several else ""
        full = len(sources) >= most or used + count(text) > budget
        if sources and full:
            left.append(_label(passage))
            continue
        used += count(text)
        sources.append(passage)
        shown.append(text)
    parts.append(f"{sentences_head}\n" + "\n".join(shown) if parts else "\n".join(shown))
    stage = Stage(
        "context",
        tuple(f"[{n}] {_label(p)}" for n, p in enumerate(sources, start=1)),
        tuple(left),
        round((time.perf_counter() - started) * 1000, 2),
        said(f"{used} of {budget} tokens"),
    )
    return Context("\n\n".join(parts), tuple(sources), (stage,))


def _build_whole(
    chosen: Sequence[tuple[ReportExcerpt, Passage]], budget: int, count: CountTokens
) -> Context:
    """Return theme by theme: what it is called, what was written of it, sentences to look up.

    What was only counted of a theme is left out: a small model would say the counts again.
    """
    themes: dict[int, tuple[ReportExcerpt, Passage]] = {}
    for one, passage in sorted(chosen, key=lambda item: -item[0].relevance):
        themes.setdefault(int(one.row.id), (one, passage))
    sources, shown, used = [], [], 0
    for one, passage in themes.values():
        point = one.points[0] if one.points else ""
        point = point or (_first(one.report.summary) if one.report.model else "")
        head = f"{passage.title} · {_called(one)}"
        chapter = f"{passage.heading}: " if passage.heading else ""
        quoted = f"[{len(sources) + 1}] {chapter}{quote(passage.text, one.report.language)}"
        lines = [f"{head}: {point}" if point else head, quoted]
        size = sum(count(line) for line in lines)
        if sources and used + size > budget:
            break
        used += size
        sources.append(passage)
        shown.append("\n".join(lines))
    note = said(f"{used} of {budget} tokens")
    stage = Stage("context", tuple(_label(p) for p in sources), note=note)
    return Context("\n\n".join(shown), tuple(sources), (stage,))


def _first(text: str) -> str:
    """Return the first sentence of a summary."""
    spans = split_sentences(text, language_of(text))
    return text[slice(*spans[0])].strip() if spans else text


def _called(one: ReportExcerpt) -> str:
    """Return what a model is told a theme is called; counted key words would mislead it."""
    if one.report.model:
        return one.report.title
    comma = "、" if one.report.language == "zh" else ", "
    return comma.join(one.row.top_names[:3])


def _label(passage: Passage) -> str:
    return f"{name_place(passage)} · {passage.start}"


MOST_SECONDS = 75.0  # of a question, unless more calls are asked for
DRIFT_CALLS = 8
LEAST_REPORTS, MOST_REPORTS = 3, 8
LEAST_DRIFT_CALLS = 3  # reports, one question, the answer
REPORTS_WITHOUT_MODEL = 6
_MAP_TOKENS, _FOLLOW_TOKENS, _ANSWER_TOKENS = 560, 560, 900
_WRITE_RATE = 0.2  # of the reading speed: tokens written a second, one text alone
_ANSWER_LENGTH = 120


def plan_calls(param: QueryParam, model: ChatModel | None, rate: float) -> CallPlan:
    """Return the calls of a question in overview or drift, at most, and their time.

    Args:
        rate: tokens a second that the model reads.
    """
    if model is None:
        return CallPlan(
            0, 1.0, REPORTS_WITHOUT_MODEL, said("no model: the reports themselves, at once")
        )
    rate = max(rate, 1.0)
    answer_s = _ANSWER_TOKENS / rate + _ANSWER_LENGTH / (_WRITE_RATE * rate)
    if param.mode == "drift":
        call_s = _FOLLOW_TOKENS / rate + 60 / (2 * _WRITE_RATE * rate)
        affordable = 1 + int((MOST_SECONDS - answer_s) / call_s)
        n_calls = param.max_calls or min(DRIFT_CALLS, affordable)
        n_calls = max(LEAST_DRIFT_CALLS, n_calls)
        n_reports = 3
    else:
        call_s = _MAP_TOKENS / rate + 0.5
        affordable = int((MOST_SECONDS - answer_s) / call_s)
        n_reports = param.max_calls - 1 if param.max_calls else min(MOST_REPORTS, affordable)
        n_reports = max(1 if param.max_calls else LEAST_REPORTS, n_reports)
        n_calls = n_reports + 1
    seconds = (n_calls - 1) * call_s + answer_s
    words = said(f"at most {n_calls} calls of the model, about {seconds:.0f} s")
    return CallPlan(n_calls, round(seconds, 1), n_reports, words)
