"""Writes the prompt of an answer and plans its token budget.

The budget follows from the model's context size and its measured reading speed; it is divided
into shares for names, relations and passages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from ..llm.protocols import ChatModel
from ..model import ChatMessage
from ..prompt_files import load_prompt
from ..query import GRAPH_MODES, GRAPHRAG_LOCAL, LIST_FORM, LONG_FORM, SHORT_FORM, QueryParam

CONTEXT_MARK = "{context_data}"
_REQUESTS = {
    "en": ("Form of the answer: {}.", "Also: {}"),
    "zh": ("回答的形式：{}。", "另外：{}"),
}
# A small model follows a Chinese form in a Chinese prompt better than an English one.
_FORMS_ZH = {
    SHORT_FORM: "一两句话",
    LONG_FORM: "分成几个段落，写得详细些",
    LIST_FORM: "分条列出要点",
}
_MEANT = {"en": "In the sources {} is called {}.", "zh": "资料中称{}为{}。"}
_HISTORY = {"en": "Earlier in this conversation:\n{}\n\n", "zh": "此前的对话：\n{}\n\n"}


def build_messages(
    question: str,
    context: str,
    history: str,
    param: QueryParam,
    language: str,
    meant: Sequence[tuple[str, str]] = (),
) -> list[ChatMessage]:
    """Return the messages of the prompt.

    Args:
        history: the last turns in short form, "" for none.
        meant: (name in the question, name in the sources) where these differ.
    """
    before = _HISTORY[language].format(history) if history else ""
    lines = [_MEANT[language].format(asked_name, name) for asked_name, name in meant]
    before += "\n".join((*lines, "")) if lines else ""
    requests = _format_requests(param, language)
    if param.system_prompt:
        system = param.system_prompt
        for mark, value in (
            (CONTEXT_MARK, context),
            ("{response_type}", param.response_type),
            ("{user_prompt}", param.user_prompt),
            ("{history}", history),
        ):
            system = system.replace(mark, value)
        if CONTEXT_MARK in param.system_prompt:
            asked = "\n\n".join(part for part in (before + question, requests) if part)
            return [ChatMessage("system", system), ChatMessage("user", asked)]
    else:
        system = load_prompt("answer_system", language)
    asked = load_prompt("answer_user", language).format(
        sources=context, history=before, question=question
    )
    if requests:
        asked = f"{asked}\n{requests}"
    return [ChatMessage("system", system), ChatMessage("user", asked)]


def build_conversation(
    question: str, history: Sequence[ChatMessage], param: QueryParam, language: str
) -> list[ChatMessage]:
    """Return the messages of the prompt for an answer without documents."""
    system = param.system_prompt.replace(CONTEXT_MARK, "") or load_prompt("bypass", language)
    requests = _format_requests(param, language)
    asked = f"{question}\n\n{requests}" if requests else question
    return [ChatMessage("system", system), *history, ChatMessage("user", asked)]


def _format_requests(param: QueryParam, language: str) -> str:
    form, also = _REQUESTS[language]
    lines = []
    if param.response_type:
        known = _FORMS_ZH if language == "zh" else {}
        lines.append(form.format(known.get(param.response_type, param.response_type)))
    if param.user_prompt:
        lines.append(also.format(param.user_prompt))
    return "\n".join(lines)


FIRST_TOKEN_S = 12.0  # the longest acceptable time to the first word
USUAL_RATE = 100.0  # tokens per second that a 1.5B model reads on two cores
FAST_RATE = 50.0
# Fixed steps keep the beginning of the prompt the same, so that the model can reuse its cache.
PROMPT_STEPS = (600, 1000, 1500, 2000, 3000, 4000, 6000)
ANSWER_TOKENS = 300
# Maximum length by the requested form; any other form may need a long answer.
FORM_TOKENS = {"": ANSWER_TOKENS, SHORT_FORM: 140, LONG_FORM: 800}
LONG_ANSWER_TOKENS = 600
SPARE_TOKENS = 40  # of the chat template around messages
MIN_CONTEXT = 200
ENTITY_SHARE, RELATION_SHARE = 0.15, 0.25
# GraphRAG's local search: reports 15 %, entities and relations 35 %, text 50 %.
GRAPHRAG_REPORTS, GRAPHRAG_ENTITIES, GRAPHRAG_RELATIONS = 0.15, 0.15, 0.20
_MIN_MEASURED = 100  # tokens; shorter prompts do not measure the speed well


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """Tokens for the context and, of these, the most for names, relations and reports."""

    context: int
    entities: int = 0
    relations: int = 0
    answer: int = ANSWER_TOKENS
    reports: int = 0


class ReadingSpeed:
    """The measured speed at which each model read its last prompts."""

    def __init__(self) -> None:
        self._rates: dict[str, deque[float]] = {}

    def record(self, model: ChatModel) -> None:
        """Record the speed of the model's last run, if the model measures it."""
        run: Any = getattr(model, "last_run", None)
        if run is not None and run.n_prompt - run.n_reused >= _MIN_MEASURED:
            self._rates.setdefault(model.name, deque(maxlen=5)).append(run.prompt_rate)

    def get_rate(self, name: str) -> float:
        """Return tokens per second; a usual value for a model without measurements."""
        rates = self._rates.get(name)
        return median(rates) if rates else USUAL_RATE

    def is_fast(self, name: str) -> bool:
        """Return whether the model is fast enough for a short call before the answer."""
        return self.get_rate(name) >= FAST_RATE


def count_answer_tokens(param: QueryParam) -> int:
    """Return the maximum number of tokens of an answer of the requested form."""
    return FORM_TOKENS.get(param.response_type, LONG_ANSWER_TOKENS)


def plan_budget(
    param: QueryParam, n_ctx: int, rate: float, n_around: int, spent_s: float = 0.0
) -> TokenBudget:
    """Return the token budget of the context.

    Args:
        n_ctx: context size of the model; 0 for no model.
        rate: reading speed in tokens per second.
        n_around: tokens of the prompt without the context.
        spent_s: seconds since the question was asked.
    """
    n_answer = count_answer_tokens(param)
    available = (n_ctx or PROMPT_STEPS[-1]) - n_answer - SPARE_TOKENS
    if param.max_total_tokens:
        most = param.max_total_tokens
    else:
        readable = rate * max(0.0, FIRST_TOKEN_S - spent_s)
        most = max((s for s in PROMPT_STEPS if s <= readable), default=PROMPT_STEPS[0])
    context = min(most, available) - n_around
    if not param.max_total_tokens:
        context = max(context, min(MIN_CONTEXT, available - n_around))
    context = max(0, context)
    if param.mode not in GRAPH_MODES:
        return TokenBudget(context, answer=n_answer)
    if param.preset == GRAPHRAG_LOCAL:
        return TokenBudget(
            context,
            min(context, param.max_entity_tokens or int(GRAPHRAG_ENTITIES * context)),
            min(context, param.max_relation_tokens or int(GRAPHRAG_RELATIONS * context)),
            n_answer,
            int(GRAPHRAG_REPORTS * context),
        )
    return TokenBudget(
        context,
        min(context, param.max_entity_tokens or int(ENTITY_SHARE * context)),
        min(context, param.max_relation_tokens or int(RELATION_SHARE * context)),
        n_answer,
    )
