"""What is done before a model writes: understand the question, find, lay the prompt out.

Knows the order inside each step; nothing here is kept, and no answer is written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..errors import said
from ..llm.protocols import ChatModel
from ..model import ChatMessage, Keywords, Passage, RetrievalResult
from ..progress import CancelToken, ProgressCallback
from ..query import GRAPH_MODES, QueryParam
from ..retrieval.keywords import find_keywords
from ..retrieval.retriever import Retriever
from ..store.db import Db
from ..text.token_counts import load_tiktoken_counter
from .context import Context, build_context
from .prompt import FIRST_TOKEN_S, build_messages, plan_budget
from .query_rewriting import rewrite_question, shorten
from .report_ranking import excerpt_reports_of

HISTORY_TOKENS = 120
MOST_REPORTS = 4  # of the preset that has reports
ROOM_FOR_HISTORY = 2000  # tokens of the prompt


@dataclass(frozen=True, slots=True)
class UnderstoodQuestion:
    """A question under way."""

    question: str
    param: QueryParam
    language: str
    cancel: CancelToken
    on_step: ProgressCallback
    started: float

    @property
    def spent_s(self) -> float:
        return time.monotonic() - self.started


@dataclass(frozen=True, slots=True)
class PreparedContext:
    """A prompt, and what of it is sources; `n_answer` is the most tokens to write.

    `reports_suffice` says that the reports are the answer: a model would only say them again.
    """

    messages: tuple[ChatMessage, ...]
    context: Context
    n_answer: int
    reports_suffice: bool = False

    @property
    def prompt(self) -> str:
        return "\n\n".join(message.text for message in self.messages)


def retrieve_for(
    asked: UnderstoodQuestion,
    finder: Retriever,
    db: Db,
    model: ChatModel | None,
    *,
    is_quick: bool = True,
) -> tuple[RetrievalResult, bool]:
    """Return what bears on a question, and whether the turns before are needed to answer.

    Args:
        db: read and write: what the model makes of a question is kept.
        is_quick: whether the model reads fast enough to be asked something before the answer;
            otherwise follow-ups and keywords go by the question's own words.
    """
    param = asked.param
    model = model if is_quick else None
    understood = rewrite_question(
        db,
        asked.question,
        param.conversation_history,
        finder.find_names,
        model,
        asked.language,
        asked.cancel,
    )
    question = understood.question
    timings = {} if understood.stage is None else {"follow-up": understood.stage.ms}
    if (
        model is not None
        and param.mode in GRAPH_MODES
        and not (param.hl_keywords or param.ll_keywords)
    ):
        started = time.perf_counter()
        keywords = find_keywords(question, model, db, cancel=asked.cancel)
        param = _with_keywords(param, keywords)
        timings[said("keywords by the model")] = round((time.perf_counter() - started) * 1000, 2)
    found = finder.find(question, param)
    stages = found.stages if understood.stage is None else (understood.stage, *found.stages)
    return (
        replace(
            found,
            asked=asked.question if question != asked.question else "",
            timings_ms={**timings, **found.timings_ms},
            stages=stages,
        ),
        understood.needs_history,
    )


def prepare_context(
    asked: UnderstoodQuestion,
    found: RetrievalResult,
    needs_history: bool,
    db: Db,
    model: ChatModel | None,
    rate: float,
    read_before: Sequence[Passage],
) -> PreparedContext:
    """Return the prompt, as long as the model holds and reads in good time.

    Args:
        needs_history: whether the question can't be understood without the turns before, which
            are then told shortly. Where there is much room, a follow-up gets them anyway, with
            the answers; a small model with little to read would say those again.
        rate: tokens a second that the model reads.
        read_before: the sources of the last prompt.
    """
    count = token_counter(model)
    param, language = asked.param, asked.language
    told, has_room = "", rate * FIRST_TOKEN_S >= ROOM_FOR_HISTORY
    if needs_history or (found.asked and has_room):
        turns = param.conversation_history
        told = shorten(turns, language, HISTORY_TOKENS, count, with_answers=has_room)
    around = build_messages(found.question, "", told, param, language, found.meant)
    n_around = sum(count(m.text) for m in around)
    n_ctx = model.n_ctx if model else 0
    budget = plan_budget(param, n_ctx, rate, n_around, asked.spent_s)
    reports = []
    if budget.reports and found.entities:
        reports = [one.ranked() for one in excerpt_reports_of(db, found, param, MOST_REPORTS)]
    context = build_context(db, found, budget, count, language, read_before, reports)
    meant = [
        (said, name) for said, name in found.meant if needs_explanation(said, name, context.text)
    ]
    messages = build_messages(found.question, context.text, told, param, language, meant)
    return PreparedContext(tuple(messages), context, budget.answer)


def needs_explanation(said: str, name: str, text: str) -> bool:
    """Say whether a reader of the sources would not know whom the question means."""
    said, name, text = said.casefold(), name.casefold(), text.casefold()
    return name in text and said not in text and said not in name


def token_counter(model: ChatModel | None) -> Callable[[str], int]:
    return model.count_tokens if model is not None else load_tiktoken_counter()


def _with_keywords(param: QueryParam, keywords: Keywords) -> QueryParam:
    if not keywords.high and not keywords.low:
        return param
    return replace(param, hl_keywords=keywords.high, ll_keywords=keywords.low)
