"""Questions about the whole library: overview (GraphRAG's global search) and DRIFT.

Owns retrieval of reports, the prompt that is built from them, and the answer without a model:
the best reports with sentences to look up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..communities.report_writing import can_write_findings
from ..communities.updater import refresh_communities
from ..llm.protocols import ChatModel
from ..messages import NO_MESSAGE, Message
from ..model import (
    Answer,
    AskedQuestion,
    Citation,
    CommunitiesFound,
    Passage,
    Stage,
)
from ..retrieval.community_ranking import CommunityRanking, list_content_words
from ..retrieval.retriever import Retriever
from ..store.db import Db
from .answer_templates import NOT_FOUND, ONLY_REPORTS
from .context import Context
from .drift import DriftResult, run_drift
from .global_search import build_report_context, choose_sources, judge_reports, plan_calls
from .preparation import PreparedContext, count_tokens_with
from .prompt import build_messages, plan_budget
from .question import UnderstoodQuestion
from .report_ranking import ReportExcerpt, excerpt_reports, rate_sources

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
        db: read and write: communities are updated, and new reports are stored.
        rate: reading speed of the model in tokens per second.
    """
    refresh_communities(db)
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
    empty_prompt = build_messages(question, "", "", param, language)
    n_around = sum(count(m.text) for m in empty_prompt)
    budget = plan_budget(param, model.n_ctx if model else 0, rate, n_around)
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
            citations.append(
                Citation(
                    number,
                    passage.chunk_id,
                    passage.document_id,
                    passage.title,
                    passage.start,
                    passage.end,
                    passage.text,
                    passage.page_label,
                )
            )
    return Answer("\n".join(lines), tuple(citations), found)


def _describe_result(retrieved: RetrievedReports, context: Context) -> CommunitiesFound:
    asked, found, drift = retrieved.asked, retrieved.ranking.found, retrieved.drift
    stages = (*found.stages, _describe_reports(retrieved.excerpts))
    if drift.tree:
        stages += (_describe_tree(drift.tree),)
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


def _describe_reports(excerpts: Sequence[ReportExcerpt]) -> Stage:
    labels = tuple(
        f"{one.report.title} {one.relevance:.2f}"
        + ("" if one.judged is None else f", {one.judged:.2f} by the model")
        for one in excerpts
    )
    return Stage(
        "reports", labels, note=NO_MESSAGE if labels else Message("no community has anything on it")
    )


def _describe_tree(tree: Sequence[AskedQuestion]) -> Stage:
    return Stage("questions", tuple(f"{q.question} → {q.answer or q.state}" for q in tree))
