"""The steps before generation: rewrite the question, retrieve, build the prompt.

For all modes but those of the whole library (`whole_library.py`). Nothing is kept between
questions here, and no answer is written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..llm.protocols import ChatModel
from ..model import ChatMessage, Keywords, Passage, RankedReport, RetrievalResult
from ..query import GRAPH_MODES, QueryParam
from ..retrieval.keywords import find_keywords
from ..retrieval.retriever import Retriever
from ..store.db import Db
from ..text.chunking import load_tiktoken_counter
from .context import Context, build_context
from .prompt import FIRST_TOKEN_S, build_messages, plan_budget
from .query_rewriting import RewrittenQuestion, rewrite_question, shorten
from .question import Retrieved, UnderstoodQuestion
from .report_ranking import excerpt_reports_of

HISTORY_TOKENS = 120
MAX_REPORTS = 4  # of the preset that has reports
ROOM_FOR_HISTORY = 2000  # tokens that the model reads in time


@dataclass(frozen=True, slots=True)
class PreparedContext:
    """The prompt with its sources.

    Attributes:
        found: what was retrieved, with the stages of building the context.
        n_answer: the maximum number of tokens to generate.
        reports_suffice: the reports are the answer; a model would only repeat them.
    """

    messages: tuple[ChatMessage, ...]
    context: Context
    n_answer: int
    found: RetrievalResult
    reports_suffice: bool = False

    @property
    def prompt(self) -> str:
        return "\n\n".join(message.text for message in self.messages)


def rewrite(
    asked: UnderstoodQuestion, retriever: Retriever, db: Db, model: ChatModel | None
) -> RewrittenQuestion:
    """Return the question in a form that can be understood without the turns before it.

    Args:
        db: read and write: the model's rewriting is cached.
        model: None to rewrite with the names of the last turn only.
    """
    history = asked.param.conversation_history
    return rewrite_question(
        db, asked.question, history, retriever.find_names, model, asked.language, asked.cancel
    )


def retrieve_passages(
    asked: UnderstoodQuestion,
    rewritten: RewrittenQuestion,
    retriever: Retriever,
    db: Db,
    model: ChatModel | None,
) -> Retrieved:
    """Return the passages, entities and relations for a rewritten question.

    Args:
        db: read and write: the model's keywords are cached.
        model: finds keywords for the graph modes; None to use the words of the question.
    """
    param, question = asked.param, rewritten.question
    timings = {} if rewritten.stage is None else {"follow-up": rewritten.stage.ms}
    if (
        model is not None
        and param.mode in GRAPH_MODES
        and not (param.hl_keywords or param.ll_keywords)
    ):
        started = time.perf_counter()
        keywords = find_keywords(question, model, db, cancel=asked.cancel)
        param = _with_keywords(param, keywords)
        timings["keywords by the model"] = round((time.perf_counter() - started) * 1000, 2)
    found = retriever.find(question, param)
    stages = found.stages if rewritten.stage is None else (rewritten.stage, *found.stages)
    found = replace(
        found,
        asked=asked.question if question != asked.question else "",
        timings_ms={**timings, **found.timings_ms},
        stages=stages,
    )
    return Retrieved(asked, found, rewritten.needs_history)


def build_passage_context(
    retrieved: Retrieved,
    db: Db,
    model: ChatModel | None,
    rate: float,
    last_sources: Sequence[Passage],
) -> PreparedContext:
    """Return the prompt, limited by the model's context and its reading speed.

    A question that cannot be understood alone gets a short history. A prompt with much room gets
    the history for every follow-up, with the answers; with less room a small model would repeat
    these answers.

    Args:
        rate: reading speed of the model in tokens per second.
        last_sources: the sources of the last prompt.
    """
    asked, found = retrieved.asked, retrieved.found
    count = count_tokens_with(model)
    param, language = asked.param, asked.language
    history, has_room = "", rate * FIRST_TOKEN_S >= ROOM_FOR_HISTORY
    if retrieved.needs_history or (found.asked and has_room):
        turns = param.conversation_history
        history = shorten(turns, language, HISTORY_TOKENS, count, with_answers=has_room)
    empty_prompt = build_messages(found.question, "", history, param, language, found.meant)
    n_around = sum(count(m.text) for m in empty_prompt)
    n_ctx = model.n_ctx if model else 0
    budget = plan_budget(param, n_ctx, rate, n_around, asked.spent_s)
    reports: list[RankedReport] = []
    if budget.reports and found.entities:
        reports = [one.ranked() for one in excerpt_reports_of(db, found, param, MAX_REPORTS)]
    context = build_context(db, found, budget, count, language, last_sources, reports)
    meant = [
        (asked_name, name)
        for asked_name, name in found.meant
        if needs_explanation(asked_name, name, context.text)
    ]
    messages = build_messages(found.question, context.text, history, param, language, meant)
    found = replace(found, stages=(*found.stages, *context.stages))
    return PreparedContext(tuple(messages), context, budget.answer, found)


def needs_explanation(asked_name: str, name: str, text: str) -> bool:
    """Return whether the sources use another name than the question for the same entity."""
    asked_name, name, text = asked_name.casefold(), name.casefold(), text.casefold()
    return name in text and asked_name not in text and asked_name not in name


def count_tokens_with(model: ChatModel | None) -> Callable[[str], int]:
    """Return the token counter of the model, a general one without a model."""
    return model.count_tokens if model is not None else load_tiktoken_counter()


def _with_keywords(param: QueryParam, keywords: Keywords) -> QueryParam:
    if not keywords.high and not keywords.low:
        return param
    return replace(param, hl_keywords=keywords.high, ll_keywords=keywords.low)
