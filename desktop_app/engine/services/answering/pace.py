"""How long a prompt may be: what the model holds, and what it reads in good time.

Owns the speed at which a model read its last prompts, and the shares of names, relations and
passages. Knows nothing of what stands in the prompt.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from statistics import median
from typing import Any

from ...models.protocols import ChatModel
from ...query import GRAPH_MODES, GRAPHRAG_LOCAL, LONG_FORM, SHORT_FORM, QueryParam

FIRST_TOKEN_S = 12.0  # what a person waits for the first word, at most
USUAL_RATE = 100.0  # tokens a second that a 1.5B model reads on two cores
QUICK_RATE = 50.0
# In steps, for a prompt that grows and shrinks a little has another beginning every time.
PROMPT_STEPS = (600, 1000, 1500, 2000, 3000, 4000, 6000)
ANSWER_TOKENS = 300
# What is written at most, by the form that was asked for; a form in other words may be a long one.
FORM_TOKENS = {"": ANSWER_TOKENS, SHORT_FORM: 140, LONG_FORM: 800}
LONG_ANSWER_TOKENS = 600
SPARE_TOKENS = 40  # what a template puts around messages
MIN_CONTEXT = 200
ENTITY_SHARE, RELATION_SHARE = 0.15, 0.25
# GraphRAG's local search: reports 15 %, entities and relations 35 %, text 50 %.
GRAPHRAG_REPORTS, GRAPHRAG_ENTITIES, GRAPHRAG_RELATIONS = 0.15, 0.15, 0.20
_WORTH_MEASURING = 100  # tokens: fewer say little of the speed


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens for the context and, of these, the most for names, relations and reports."""

    context: int
    entities: int = 0
    relations: int = 0
    answer: int = ANSWER_TOKENS
    reports: int = 0


class Pace:
    """Remembers how fast each model read its last prompts."""

    def __init__(self) -> None:
        self._rates: dict[str, deque[float]] = {}

    def keep(self, model: ChatModel) -> None:
        """Look at what the model's last answer cost, if it tells."""
        run: Any = getattr(model, "last_run", None)
        if run is not None and run.n_prompt - run.n_reused >= _WORTH_MEASURING:
            self._rates.setdefault(model.name, deque(maxlen=5)).append(run.prompt_rate)

    def get_rate(self, name: str) -> float:
        """Return tokens a second; what is usual for a model that never read anything."""
        rates = self._rates.get(name)
        return median(rates) if rates else USUAL_RATE

    def is_quick(self, name: str) -> bool:
        """Say whether a short call before the answer can be afforded."""
        return self.get_rate(name) >= QUICK_RATE


def count_answer_tokens(param: QueryParam) -> int:
    """Return how many tokens an answer of this form takes at most."""
    return FORM_TOKENS.get(param.response_type, LONG_ANSWER_TOKENS)


def plan_budget(
    param: QueryParam, n_ctx: int, rate: float, n_around: int, spent_s: float = 0.0
) -> Budget:
    """Return what the context may take.

    Args:
        n_ctx: what the model holds; 0 for no model.
        rate: tokens a second that it reads.
        n_around: tokens of everything but the context.
        spent_s: seconds the question has waited already.
    """
    n_answer = count_answer_tokens(param)
    holds = (n_ctx or PROMPT_STEPS[-1]) - n_answer - SPARE_TOKENS
    if param.max_total_tokens:
        most = param.max_total_tokens
    else:
        readable = rate * max(0.0, FIRST_TOKEN_S - spent_s)
        most = max((s for s in PROMPT_STEPS if s <= readable), default=PROMPT_STEPS[0])
    context = min(most, holds) - n_around
    if not param.max_total_tokens:
        context = max(context, min(MIN_CONTEXT, holds - n_around))
    context = max(0, context)
    if param.mode not in GRAPH_MODES:
        return Budget(context, answer=n_answer)
    if param.preset == GRAPHRAG_LOCAL:
        return Budget(
            context,
            min(context, param.max_entity_tokens or int(GRAPHRAG_ENTITIES * context)),
            min(context, param.max_relation_tokens or int(GRAPHRAG_RELATIONS * context)),
            n_answer,
            int(GRAPHRAG_REPORTS * context),
        )
    return Budget(
        context,
        min(context, param.max_entity_tokens or int(ENTITY_SHARE * context)),
        min(context, param.max_relation_tokens or int(RELATION_SHARE * context)),
        n_answer,
    )
