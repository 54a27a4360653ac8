"""Puts the best passages in a new order with a reranker, as far as the time allows.

What was not reached in time keeps its order behind what was. Without a chosen reranker nothing
happens.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ..errors import AppError, said
from ..llm.protocols import Reranker
from ..model import Passage
from ..progress import CancelToken
from .search_state import SearchState

N_RERANKED = 24
BATCH = 4  # passages between two looks at the clock
TIME_S = 6.0


def no_reranker() -> Reranker | None:
    """Give no reranker: the usual case."""
    return None


def rerank(
    search: SearchState,
    passages: list[Passage],
    find_reranker: Callable[[], Reranker | None],
    *,
    time_s: float = TIME_S,
    cancel: CancelToken | None = None,
) -> list[Passage]:
    """Return the passages with the first `N_RERANKED` in the reranker's order.

    A reranker that fails leaves the order as it was, with a note.
    """
    if not search.param.enable_rerank or not passages:
        return passages
    started = time.monotonic()
    scored: list[tuple[float, int]] = []
    try:
        reranker = find_reranker()
        if reranker is None:
            return passages
        best = passages[:N_RERANKED]
        for i in range(0, len(best), BATCH):
            late = time.monotonic() - started > time_s
            if (late and scored) or (cancel and cancel.cancelled):
                break
            texts = [passage.text for passage in best[i : i + BATCH]]
            scores = reranker.score(search.question, texts)
            scored += [(score, i + k) for k, score in enumerate(scores)]
    except AppError as error:
        search.trace.notes.append(said(f"not put in order by the reranker: {error}"))
        return passages
    order = sorted(scored, key=lambda pair: (-pair[0], pair[1]))
    done = [
        replace(passages[i], routes=(*passages[i].routes, ("reranker", round(score, 4))))
        for score, i in order
    ]
    rest = passages[len(scored) :]
    search.trace.stage(
        "reranker",
        [f"{p.title} {p.routes[-1][1]:.2f}" for p in done],
        [f"{p.title}" for p in passages[len(scored) : N_RERANKED]],
        note=reranker.name if len(scored) == len(best) else said(f"{reranker.name}: out of time"),
    )
    search.trace.lap("reranker")
    return [*done, *rest]
