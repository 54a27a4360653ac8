"""Questions about the whole library: overview (GraphRAG's global search) and DRIFT.

Map: the model reads the best reports with the question in one batch and rates which of their
sentences help; a large model also writes one line about each report. Reduce: the best sentences
of several reports become the sources of one answer. Without a model the answer is the best reports
with sentences to look up.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..communities.material import quote
from ..communities.report_writing import can_write_findings
from ..communities.updater import refresh_communities
from ..durations import format_duration
from ..llm.protocols import ChatModel
from ..messages import NO_MESSAGE, Message
from ..model import (
    Answer,
    CallPlan,
    ChatMessage,
    Citation,
    CommunitiesFound,
    Passage,
    RankedReport,
    Stage,
)
from ..progress import Clock, Progress
from ..prompt_files import load_prompt
from ..prompt_program import PASSAGE, Choose, OneLine, PromptProgram, Talk, Write
from ..query import QueryParam
from ..retrieval.community_ranking import CommunityRanking, list_content_words
from ..retrieval.retriever import Retriever
from ..store import model_cache
from ..store.db import Db
from ..text.chunking import split_sentences
from ..writing_systems import language_of
from .citations import NOT_FOUND, ONLY_REPORTS, cite
from .context import (
    AnswerContext,
    CountTokens,
    PreparedContext,
    UnderstoodQuestion,
    build_messages,
    count_instructions,
    count_tokens_with,
    name_place,
    plan_budget,
)
from .drift import DriftResult, run_drift
from .report_ranking import ReportExcerpt, excerpt_reports, rate_sources

USEFUL_SHARE, NEAR_SHARE, RELEVANT_SHARE = 0.35, 0.45, 0.2
UNLIKELY = -1.0  # log odds of yes over no; below it a large model writes no line
FEW_SOURCES, MANY_SOURCES = 6, 14  # a slow model is small, and copies what it reads
LARGE_CONTEXT = 2000
MIN_USEFUL = 0.5  # share of the best sentence's score; others are dropped
OF_ONE_REPORT = 3  # sentences of one report that come first, so that several are used
POINT_TOKENS = 80
SHOWN_THEMES = 6
_YES_NO = {"en": (" yes", " no"), "zh": ("是", "否")}
_POINT = {"en": "What the report says on it:", "zh": "报告对此说："}
_TITLES = {"en": ("Themes:", "Sentences:"), "zh": ("主题：", "句子：")}


@dataclass(frozen=True, slots=True)
class GlobalSearchProgress(Progress):
    """Progress of judging reports, with those judged so far, best first."""

    reports: tuple[RankedReport, ...] = ()


def judge_reports(
    asked: UnderstoodQuestion,
    question: str,
    excerpts: Sequence[ReportExcerpt],
    model: ChatModel,
    db: Db,
) -> int:
    """Rate the sentences of each report with the model; return the number of calls.

    The ratings are stored in the excerpts. After a cancellation those made so far count.
    """
    writes = can_write_findings(model)
    name = "overview_points" if writes else "overview_judge"
    by_key: dict[object, ReportExcerpt] = {int(one.row.id): one for one in excerpts}
    clock, n_read = Clock(len(excerpts)), 0

    def build_programs() -> Iterator[PromptProgram]:
        for one in excerpts:
            language = one.report.language
            system = load_prompt(name, language).format(question=question)
            messages = (ChatMessage("system", system), ChatMessage("user", PASSAGE))
            yield PromptProgram(
                int(one.row.id), messages, one.build_text(), partial(_talk, one, writes=writes)
            )

    asked.on_step(GlobalSearchProgress("reports", 0, len(excerpts)))
    for run in model_cache.run_cached(db, model.run_programs, build_programs(), asked.cancel):
        if run.error:
            continue
        one = by_key[run.key]
        one.useful, one.points = run.value
        one.judged = 1.0  # until all are compared
        n_read += 1
        clock.tick()
        _compare(excerpts)
        read = sorted(
            (o for o in excerpts if o.judged is not None), key=lambda o: -(o.judged or 0.0)
        )
        asked.on_step(
            GlobalSearchProgress(
                "reports",
                n_read,
                len(excerpts),
                clock.rate,
                clock.left_s,
                reports=tuple(o.ranked() for o in read),
            )
        )
    return n_read


def _compare(excerpts: Sequence[ReportExcerpt]) -> None:
    """Rate each report by its best sentence relative to all judged sentences.

    A small model answers yes for nearly every sentence, so only the differences count.
    """
    read = [one for one in excerpts if one.judged is not None]
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


def choose_sources(excerpts: Sequence[ReportExcerpt]) -> list[tuple[ReportExcerpt, Passage]]:
    """Return sentences of several reports to answer from, most useful first.

    Without a model and without vectors, the relevance of the report and the rank of the sentence
    decide.
    """
    if any(one.judged is not None for one in excerpts):
        excerpts = [one for one in excerpts if one.judged is not None]
    values = [value for one in excerpts for value in one.useful.values()]
    low = min(values, default=0.0)
    spread = (max(values, default=0.0) - low) or 1.0
    rated: list[tuple[float, ReportExcerpt, Passage]] = []
    for one in excerpts:
        for n, passage in enumerate(one.sources):
            useful = (one.useful[n] - low) / spread if n in one.useful else 0.0
            value = USEFUL_SHARE * useful + NEAR_SHARE * one.near.get(n, 0.0)
            value += RELEVANT_SHARE * one.relevance / (1.0 + 0.2 * n)
            rated.append((value, one, passage))
    rated.sort(key=lambda item: -item[0])
    rated = [item for item in rated if item[0] >= MIN_USEFUL * rated[0][0]]
    taken: dict[int, int] = {}
    first: list[tuple[ReportExcerpt, Passage]] = []
    later: list[tuple[ReportExcerpt, Passage]] = []
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
) -> AnswerContext:
    """Return one line per theme, then numbered sentences, as many as the budget allows.

    Args:
        extra: lines before the sentences, such as answers to further questions.
        is_whole: the question asks about all documents, so the list of themes answers it.
    """
    started = time.perf_counter()
    themes_head, sentences_head = _TITLES[language]
    if is_whole and not extra:
        return _build_whole(chosen, budget, count)
    reports = list({int(one.row.id): one for one, _ in chosen}.values())[:SHOWN_THEMES]
    lines = []
    for one in reports:
        point = one.points[0] if one.points else _first(one.report.summary)
        has_point = one.points or one.report.model  # extractive summaries repeat the title
        lines.append(f"- {_name_theme(one)}: {point}" if has_point else f"- {_name_theme(one)}")
    used = sum(count(line) for line in (*lines, *extra))
    while lines and used > budget * 0.45:
        used -= count(lines.pop())
    parts = [f"{themes_head}\n" + "\n".join(lines)] if lines else []
    parts += ["\n".join(extra)] if extra else []
    sources: list[Passage] = []
    shown: list[str] = []
    left: list[str] = []
    most = FEW_SOURCES if budget < LARGE_CONTEXT else MANY_SOURCES
    several = len({passage.document_id for _, passage in chosen}) > 1
    for _, passage in chosen:
        text = f"[{len(sources) + 1}] {' '.join(passage.text.split())}"
        text += f" ({passage.title})" if several else ""
        full = len(sources) >= most or used + count(text) > budget
        if sources and full:
            left.append(f"{name_place(passage)} · {passage.start}")
            continue
        used += count(text)
        sources.append(passage)
        shown.append(text)
    parts.append(f"{sentences_head}\n" + "\n".join(shown) if parts else "\n".join(shown))
    stage = Stage(
        "context",
        tuple(f"[{n}] {name_place(p)} · {p.start}" for n, p in enumerate(sources, start=1)),
        tuple(left),
        round((time.perf_counter() - started) * 1000, 2),
        Message("{used} of {budget} tokens", used=used, budget=budget),
    )
    return AnswerContext("\n\n".join(parts), tuple(sources), (stage,))


def _build_whole(
    chosen: Sequence[tuple[ReportExcerpt, Passage]], budget: int, count: CountTokens
) -> AnswerContext:
    """Return for each theme its name, its summary and a sentence to cite.

    Extractive summaries are left out: a small model would only repeat their counts.
    """
    themes: dict[int, tuple[ReportExcerpt, Passage]] = {}
    for one, passage in sorted(chosen, key=lambda item: -item[0].relevance):
        themes.setdefault(int(one.row.id), (one, passage))
    sources: list[Passage] = []
    shown: list[str] = []
    used = 0
    for one, passage in themes.values():
        point = one.points[0] if one.points else ""
        point = point or (_first(one.report.summary) if one.report.model else "")
        head = f"{passage.title} · {_name_theme(one)}"
        chapter = f"{passage.heading}: " if passage.heading else ""
        quoted = f"[{len(sources) + 1}] {chapter}{quote(passage.text, one.report.language)}"
        lines = [f"{head}: {point}" if point else head, quoted]
        size = sum(count(line) for line in lines)
        if sources and used + size > budget:
            break
        used += size
        sources.append(passage)
        shown.append("\n".join(lines))
    note = Message("{used} of {budget} tokens", used=used, budget=budget)
    stage = Stage("context", tuple(f"{name_place(p)} · {p.start}" for p in sources), note=note)
    return AnswerContext("\n\n".join(shown), tuple(sources), (stage,))


def _first(text: str) -> str:
    """Return the first sentence of a summary."""
    spans = split_sentences(text, language_of(text))
    return text[slice(*spans[0])].strip() if spans else text


def _name_theme(one: ReportExcerpt) -> str:
    """Return the name of a theme for a prompt; extracted key words would mislead the model."""
    if one.report.model:
        return one.report.title
    comma = "、" if one.report.language == "zh" else ", "
    return comma.join(one.row.top_names[:3])


MAX_SECONDS = 75.0  # per question, unless `max_calls` is set
DRIFT_CALLS = 8
MIN_REPORTS, MAX_REPORTS = 3, 8
MIN_DRIFT_CALLS = 3  # reports, one question, the answer
REPORTS_WITHOUT_MODEL = 6
_MAP_TOKENS, _FOLLOW_TOKENS, _ANSWER_TOKENS = 560, 560, 900
_WRITE_RATE = 0.2  # generated tokens per second, as a share of the reading speed
_ANSWER_LENGTH = 120


def plan_calls(param: QueryParam, model: ChatModel | None, rate: float) -> CallPlan:
    """Return the maximum number of model calls for an overview or drift question, and the time.

    Args:
        rate: reading speed of the model in tokens per second.
    """
    if model is None:
        return CallPlan(
            0, 1.0, REPORTS_WITHOUT_MODEL, Message("no model: shows the reports themselves")
        )
    rate = max(rate, 1.0)
    answer_s = _ANSWER_TOKENS / rate + _ANSWER_LENGTH / (_WRITE_RATE * rate)
    if param.mode == "drift":
        call_s = _FOLLOW_TOKENS / rate + 60 / (2 * _WRITE_RATE * rate)
        affordable = 1 + int((MAX_SECONDS - answer_s) / call_s)
        n_calls = param.max_calls or min(DRIFT_CALLS, affordable)
        n_calls = max(MIN_DRIFT_CALLS, n_calls)
        n_reports = 3
    else:
        call_s = _MAP_TOKENS / rate + 0.5
        affordable = int((MAX_SECONDS - answer_s) / call_s)
        n_reports = param.max_calls - 1 if param.max_calls else min(MAX_REPORTS, affordable)
        n_reports = max(1 if param.max_calls else MIN_REPORTS, n_reports)
        n_calls = n_reports + 1
    seconds = (n_calls - 1) * call_s + answer_s
    words = Message(
        "at most {n_calls} calls of the model, about {time}",
        n_calls=n_calls,
        time=format_duration(seconds),
    )
    return CallPlan(n_calls, round(seconds, 1), n_reports, words)


SHOWN_REPORTS = 5
QUOTES_OF_REPORT = 2
WHOLE_REPORTS = 8  # for a question about all documents, which the themes answer


@dataclass(frozen=True, slots=True)
class RetrievedReports:
    """Reports for a question, judged by the model where there is one.

    Attributes:
        question: the rewritten question.
        excerpts: the reports, best first.
        is_whole: the question asks about all documents, so the themes are the answer.
        drift: questions and answers of a DRIFT search.
        n_calls: model calls made so far.
    """

    asked: UnderstoodQuestion
    question: str
    ranking: CommunityRanking
    excerpts: tuple[ReportExcerpt, ...]
    is_whole: bool
    drift: DriftResult
    n_calls: int


def retrieve_reports(
    asked: UnderstoodQuestion,
    question: str,
    retriever: Retriever,
    db: Db,
    model: ChatModel | None,
    rate: float,
) -> RetrievedReports:
    """Return the reports that help to answer a question.

    Args:
        question: the rewritten question.
        db: communities are updated and new reports stored if it writes; otherwise they are made
            in memory.
        rate: reading speed of the model in tokens per second.
    """
    refresh_communities(db)
    refresh_communities(retriever.db)  # reads them from the file, if they could be stored there
    param = asked.param
    ranking = retriever.rank_communities(question, param)
    plan = plan_calls(param, model, rate)
    is_whole = not list_content_words(question) and not ranking.found.entities
    n_reports = max(plan.n_reports, WHOLE_REPORTS) if is_whole else plan.n_reports
    excerpts = excerpt_reports(db, ranking, question, n_reports)
    if not is_whole:
        rate_sources(excerpts, question, retriever)
    n_calls, drift = 0, DriftResult()
    if model is not None and excerpts and not asked.cancel.cancelled:
        if param.mode == "drift":
            drift = run_drift(asked, question, excerpts, retriever, model, db, plan.n_calls)
            n_calls = drift.n_calls
        elif not is_whole or can_write_findings(model):
            n_calls = judge_reports(asked, question, excerpts[: plan.n_reports], model, db)
    excerpts.sort(key=lambda one: -(one.relevance if one.judged is None else one.judged))
    return RetrievedReports(asked, question, ranking, tuple(excerpts), is_whole, drift, n_calls)


def build_global_context(
    retrieved: RetrievedReports, model: ChatModel | None, rate: float
) -> PreparedContext:
    """Return the prompt that combines the reports into one answer."""
    asked, question, excerpts = retrieved.asked, retrieved.question, retrieved.excerpts
    param, language, is_whole = asked.param, asked.language, retrieved.is_whole
    if is_whole:
        best = [(one, passage) for one in excerpts for passage in one.sources]
    else:
        best = choose_sources(excerpts)
    chosen = _without_repetitions([*retrieved.drift.sources, *best])
    count = count_tokens_with(model)
    n_instructions = count_instructions(question, "", param, language, count)
    budget = plan_budget(param, model.n_ctx if model else 0, rate, n_instructions)
    context = build_report_context(
        chosen, budget.context, count, language, retrieved.drift.lines, is_whole=is_whole
    )
    messages = build_messages(question, context.text, "", param, language)
    suffice = (
        is_whole
        and param.mode == "overview"
        and model is not None
        and not can_write_findings(model)
    )
    found = _describe_result(retrieved, context)
    return PreparedContext(tuple(messages), context, budget.answer, found, suffice)


def build_reports_answer(found: CommunitiesFound, language: str) -> Answer:
    """Return an answer that lists the best reports, each with cited sentences."""
    shown = [r for r in found.reports if r.sources][:SHOWN_REPORTS]
    if not shown:
        return Answer(NOT_FOUND[language], (), found)
    lines = [ONLY_REPORTS[language]]
    citations: list[Citation] = []
    for report in shown:
        lines += ["", f"{report.title}", report.summary]
        for passage in report.sources[:QUOTES_OF_REPORT]:
            number = len(citations) + 1
            text = " ".join(passage.text.split())
            lines.append(f"- {text} [{number}]")
            citations.append(cite(number, passage, passage.start, passage.end))
    return Answer("\n".join(lines), tuple(citations), found)


def _describe_result(retrieved: RetrievedReports, context: AnswerContext) -> CommunitiesFound:
    asked, found, drift = retrieved.asked, retrieved.ranking.found, retrieved.drift
    labels = tuple(
        f"{one.report.title} {one.relevance:.2f}"
        + ("" if one.judged is None else f", {one.judged:.2f} by the model")
        for one in retrieved.excerpts
    )
    note = NO_MESSAGE if labels else Message("no community is about it")
    stages = (*found.stages, Stage("reports", labels, note=note))
    if drift.tree:
        questions = tuple(f"{q.question} → {q.answer or q.state}" for q in drift.tree)
        stages += (Stage("questions", questions),)
    question = retrieved.question
    return CommunitiesFound(
        question=question,
        mode=asked.param.mode,
        passages=context.sources or found.passages,
        entities=found.entities,
        relations=found.relations,
        weak=not retrieved.excerpts,
        timings_ms={**found.timings_ms, asked.param.mode: round(asked.spent_s * 1000, 1)},
        notes=found.notes,
        stages=(*stages, *context.stages),
        asked=asked.question if question != asked.question else "",
        reports=tuple(one.ranked() for one in retrieved.excerpts),
        tree=drift.tree,
        n_calls=retrieved.n_calls,
    )


def _without_repetitions(
    chosen: Sequence[tuple[ReportExcerpt, Passage]],
) -> list[tuple[ReportExcerpt, Passage]]:
    """Return the passages without repeated texts and overlapping stretches."""
    kept: list[tuple[ReportExcerpt, Passage]] = []
    texts: set[str] = set()
    for one, passage in chosen:
        text = "".join(passage.text.split())
        if text in texts:
            continue
        texts.add(text)
        if not any(
            p.document_id == passage.document_id and p.start < passage.end and passage.start < p.end
            for _, p in kept
        ):
            kept.append((one, passage))
    return kept
