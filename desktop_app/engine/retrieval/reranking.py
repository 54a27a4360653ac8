"""Reranking: orders the best passages by the scores of a second model, within a time limit.

Passages that were not scored in time follow in their old order. Without a chosen reranker the
order stays as it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ..errors import AppError
from ..llm.protocols import Reranker
from ..messages import Message
from ..model import Passage
from ..progress import CancelToken
from .search_state import SearchState

N_RERANKED = 24
BATCH_SIZE = 4  # passages scored between two checks of the time
TIME_LIMIT_S = 6.0


def no_reranker() -> Reranker | None:
    """Return None; the default `find_reranker`."""
    return None


def rerank(
    search: SearchState,
    passages: list[Passage],
    find_reranker: Callable[[], Reranker | None],
    *,
    time_s: float = TIME_LIMIT_S,
    cancel: CancelToken | None = None,
) -> list[Passage]:
    """Return the passages with the first `N_RERANKED` in the reranker's order.

    If the reranker fails, the order stays and a note is added to the trace.
    """
    if not search.param.enable_rerank or not passages:
        return passages
    started = time.monotonic()
    scored: list[tuple[float, int]] = []
    try:
        reranker = find_reranker()
        if reranker is None:
            return passages
        candidates = passages[:N_RERANKED]
        for i in range(0, len(candidates), BATCH_SIZE):
            is_late = time.monotonic() - started > time_s
            if (is_late and scored) or (cancel and cancel.cancelled):
                break
            texts = [passage.text for passage in candidates[i : i + BATCH_SIZE]]
            scores = reranker.score(search.question, texts)
            scored += [(score, i + k) for k, score in enumerate(scores)]
    except AppError as error:
        search.trace.notes.append(
            Message("not put in order by the reranker: {reason}", reason=error.full_message)
        )
        return passages
    order = sorted(scored, key=lambda pair: (-pair[0], pair[1]))
    reranked = [
        replace(passages[i], routes=(*passages[i].routes, ("reranker", round(score, 4))))
        for score, i in order
    ]
    rest = passages[len(scored) :]
    search.trace.stage(
        "reranker",
        [f"{p.title} {p.routes[-1][1]:.2f}" for p in reranked],
        [f"{p.title}" for p in passages[len(scored) : N_RERANKED]],
        note=Message(reranker.name)
        if len(scored) == len(candidates)
        else Message("{name}: out of time", name=reranker.name),
    )
    search.trace.lap("reranker")
    return [*reranked, *rest]
