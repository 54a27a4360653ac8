"""Questions of the whole library: overview and DRIFT, from the question to a laid-out prompt.

Owns the order of the steps, and the answer where no model is there or the person stopped early:
the best reports, with their sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..communities.report_writing import can_write_findings
from ..communities.updater import refresh_communities
from ..errors import said
from ..llm.protocols import ChatModel
from ..model import (
    Answer,
    AskedQuestion,
    Citation,
    CommunitiesFound,
    Passage,
    RetrievalResult,
    Stage,
)
from ..retrieval.community_ranking import list_content_words
from ..retrieval.retriever import Retriever
from ..store.db import Db
from .answer_templates import NOT_FOUND, ONLY_REPORTS
from .context import Context
from .drift import run_drift
from .global_search import build_report_context, choose_sources, judge_reports, plan_calls
from .preparation import PreparedContext, UnderstoodQuestion, token_counter
from .prompt import build_messages, plan_budget
from .query_rewriting import rewrite_question
from .report_ranking import ReportExcerpt, excerpt_reports, rate_sources

SHOWN_REPORTS = 5
QUOTES_OF_REPORT = 2
WHOLE_REPORTS = 8  # where all is asked about, the themes themselves are the answer


def prepare_global_context(
    asked: UnderstoodQuestion, finder: Retriever, db: Db, model: ChatModel | None, rate: float
) -> tuple[CommunitiesFound, PreparedContext]:
    """Return what the reports say to a question, and the prompt that unites it.

    Args:
        db: read and write: communities are brought in line, and touched reports are kept.
        rate: tokens a second that the model reads.
    """
    refresh_communities(db)
    param, language = asked.param, asked.language
    turns = param.conversation_history
    understood = rewrite_question(
        db, asked.question, turns, finder.find_names, None, language, asked.cancel
    )
    question = understood.question
    ranking = finder.rank_communities(question, param)
    plan = plan_calls(param, model, rate)
    is_whole = not list_content_words(question) and not ranking.found.entities
    n_reports = max(plan.n_reports, WHOLE_REPORTS) if is_whole else plan.n_reports
    told = excerpt_reports(db, ranking, question, n_reports)
    if not is_whole:
        rate_sources(told, question, finder)
    n_calls, tree, lines = 0, (), []
    extra_sources: list[tuple[ReportExcerpt, Passage]] = []
    if model is not None and told and not asked.cancel.cancelled:
        if param.mode == "drift":
            walked = run_drift(asked, question, told, finder, model, db, plan.n_calls)
            n_calls, tree, lines = walked.n_calls, walked.tree, list(walked.lines)
            extra_sources = [(told[0], passage) for passage in walked.sources]
        elif not is_whole or can_write_findings(model):
            read = told[: plan.n_reports]
            n_calls = judge_reports(asked, question, read, model, db)
    told.sort(key=lambda one: -(one.relevance if one.judged is None else one.judged))
    best = [(one, p) for one in told for p in one.sources] if is_whole else choose_sources(told)
    chosen = _once([*extra_sources, *best])
    count = token_counter(model)
    around = build_messages(question, "", "", param, language)
    n_around = sum(count(m.text) for m in around)
    budget = plan_budget(param, model.n_ctx if model else 0, rate, n_around)
    context = build_report_context(
        chosen, budget.context, count, language, lines, is_whole=is_whole
    )
    messages = build_messages(question, context.text, "", param, language)
    stages = (*ranking.found.stages, _tell(told), *([] if not tree else [_tell_tree(tree)]))
    found = _found(ranking.found, question, asked, told, tree, n_calls, stages, context)
    suffice = (
        is_whole
        and param.mode == "overview"
        and model is not None
        and not can_write_findings(model)
    )
    return found, PreparedContext(tuple(messages), context, budget.answer, suffice)


def build_reports_answer(found: CommunitiesFound, language: str) -> Answer:
    """Return the best reports as the answer, each with sentences that can be looked up."""
    shown = [r for r in found.reports if r.sources][:SHOWN_REPORTS]
    if not shown:
        return Answer(NOT_FOUND[language], (), found)
    lines, citations = [ONLY_REPORTS[language]], []
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


def _found(
    walked: RetrievalResult,
    question: str,
    asked: UnderstoodQuestion,
    told: Sequence[ReportExcerpt],
    tree: tuple[AskedQuestion, ...],
    n_calls: int,
    stages: tuple[Stage, ...],
    context: Context,
) -> CommunitiesFound:
    passages = context.sources or walked.passages
    return CommunitiesFound(
        question=question,
        mode=asked.param.mode,
        passages=tuple(passages),
        entities=walked.entities,
        relations=walked.relations,
        weak=not told,
        timings_ms={**walked.timings_ms, asked.param.mode: round(asked.spent_s * 1000, 1)},
        notes=walked.notes,
        stages=stages,
        asked=asked.question if question != asked.question else "",
        reports=tuple(one.ranked() for one in told),
        tree=tree,
        n_calls=n_calls,
    )


def _once(chosen: Sequence[tuple[ReportExcerpt, Passage]]) -> list[tuple[ReportExcerpt, Passage]]:
    """Return each stretch of text once, and what is said twice once."""
    kept: list[tuple[ReportExcerpt, Passage]] = []
    said: set[str] = set()
    for one, passage in chosen:
        text = "".join(passage.text.split())
        if text in said:
            continue
        said.add(text)
        if not any(
            p.document_id == passage.document_id and p.start < passage.end and passage.start < p.end
            for _, p in kept
        ):
            kept.append((one, passage))
    return kept


def _tell(told: Sequence[ReportExcerpt]) -> Stage:
    labels = tuple(
        f"{one.report.title} {one.relevance:.2f}"
        + ("" if one.judged is None else f", {one.judged:.2f} by the model")
        for one in told
    )
    return Stage("reports", labels, note="" if labels else said("no community has anything on it"))


def _tell_tree(tree: Sequence[AskedQuestion]) -> Stage:
    return Stage("questions", tuple(f"{q.question} → {q.answer or q.state}" for q in tree))
