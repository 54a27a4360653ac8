"""Which communities bear on a question: by the passages that words and vectors find.

The cheap half of GraphRAG's dynamic selection, as LazyGraphRAG has it: a passage speaks for the
communities whose members it names. No report is read, and no model is asked.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import sqrt

from ..errors import said
from ..model import CommunityRow, RetrievalResult
from ..store import communities as rows
from ..store import graph_evidence as evidence
from ..store.tokens import ENGLISH_STOP_WORDS
from ..text.features import features
from .score_fusion import fuse_scores
from .search_state import SearchState

N_CHUNKS = 80  # the best passages, whose names count
FOUND_SHARE, LIFT_SHARE, WEIGHT_SHARE = 0.45, 0.2, 0.15
NAMED_SHARE, WORDS_SHARE = 0.6, 0.15
ALL_OF_IT = 0.9  # the share of weight where a question asks for no more than what there is
SHOWN = 14
_WHOLE = re.compile(
    r"\b(?:what|which|who|how|are|is|does|do|main|major|most|important|themes?|topics?|subjects?"
    r"|characters?|people|persons?|groups?|names?|figures?|relationships?|relations?|story|stories"
    r"|book|books|novel|novels|text|texts|documents?|library|about|plot|summary|summari[sz]e"
    r"|overview|describe|tell|whole|all|over|appear|appears|occur|occurs|play|list|name|kinds?"
    r"|stories|central|key|different|various|every|each|give|me|please)\b"
    "|主要|重要|主题|话题|人物|角色|群体|团体|关系|故事|情节|内容|全书|整本|这本书|书中|书里|小说|文档"
    "|哪些|哪几|什么|怎样|如何|介绍|概括|总结|概述|讲了|讲的|分别|之间",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CommunityRanking:
    """Communities with their relevance (0 to 1), best first, and the passages of a walk.

    `document_ids` are the documents to look in; None for all.
    """

    found: RetrievalResult
    themes: tuple[tuple[CommunityRow, float], ...]
    document_ids: tuple[int, ...] | None = None


def asked_words(question: str) -> set[str]:
    """Return the words of a question that say more than that it asks about all of it."""
    return features(_WHOLE.sub(" ", question)) - ENGLISH_STOP_WORDS


def rank_communities(search: SearchState, level: int) -> list[tuple[CommunityRow, float]]:
    """Return the communities that together hold all entities, none finer than a level."""
    communities = [
        row
        for row in rows.fetch_communities(search.db)
        if not row.is_loose and (row.level == level or (row.level < level and not row.n_children))
    ]
    if not communities:
        return []
    community_of = _community_of(search, {int(row.id) for row in communities})
    spoken = _spoken_for(search, community_of)
    asked = Counter(community_of[i] for i in search.entity_ids if i in community_of)
    question = asked_words(search.question)
    most_weight = max(row.weight for row in communities) or 1.0
    total = sum(spoken.values()) or 1.0
    all_weight = sum(row.weight for row in communities) or 1.0
    lift = {
        int(row.id): (spoken[int(row.id)] / total) / (0.02 + row.weight / all_weight)
        for row in communities
    }
    most_spoken = max(spoken.values(), default=0.0) or 1.0
    most_lift = max(lift.values(), default=0.0) or 1.0
    scored = []
    for row in communities:
        key = int(row.id)
        own = features(" ".join((row.title, *row.key_words, *row.top_names)))
        score = (
            FOUND_SHARE * spoken[key] / most_spoken
            + LIFT_SHARE * lift[key] / most_lift
            + WEIGHT_SHARE * sqrt(row.weight / most_weight)
            + NAMED_SHARE * asked[key] / (sum(asked.values()) or 1)
            + WORDS_SHARE * min(1.0, len(question & own) / 2)
        )
        if not question and not asked:
            score = ALL_OF_IT * sqrt(row.weight / most_weight) + (1 - ALL_OF_IT) * score
        scored.append((row, round(min(1.0, score), 4)))
    scored.sort(key=lambda item: (-item[1], item[0].id))
    search.trace.lap("themes")
    search.trace.stage(
        "themes",
        [f"{row.title} {score:.2f}" for row, score in scored[:SHOWN]],
        [f"{row.title} {score:.2f}" for row, score in scored[SHOWN:]],
        note=said(f"{len(scored)} communities of level {level}"),
    )
    return scored


def _community_of(search: SearchState, wanted: set[int]) -> dict[int, int]:
    return {
        entity: community
        for entity, community in search.db.rows(
            "SELECT entity_id, community_id FROM community_member"
        )
        if community in wanted
    }


def _spoken_for(search: SearchState, community_of: dict[int, int]) -> Counter[int]:
    """Return community -> how much the best passages speak of it; each passage speaks once."""
    fused = fuse_scores(search.words, search.cosines)
    allowed = {int(i) for i in search.index.chunk_ids[search.allowed].tolist()}
    best = sorted(
        (item for item in fused.items() if item[0] in allowed), key=lambda i: (-i[1], i[0])
    )[:N_CHUNKS]
    scores = dict(best)
    named: dict[int, Counter[int]] = {}
    for chunk_id, entity_id, *_ in evidence.fetch_named_in(search.db, list(scores)):
        if entity_id in community_of:
            named.setdefault(chunk_id, Counter())[community_of[entity_id]] += 1
    spoken: Counter[int] = Counter()
    for chunk_id, counts in named.items():
        total = sum(counts.values())
        for community, n in counts.items():
            spoken[community] += scores[chunk_id] * n / total
    return spoken
