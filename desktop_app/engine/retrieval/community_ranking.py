"""Ranks communities by their relevance to a question, without reading reports or calling a model.

The inexpensive first step of GraphRAG's dynamic community selection, as in LazyGraphRAG: the
passages that BM25 and vector search find give their scores to the communities of the entities that
they mention.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from math import sqrt

from ..messages import Message
from ..model import CommunityRow, RetrievalResult
from ..store import communities as community_rows
from ..store import graph
from ..store.fts_tokens import ENGLISH_STOP_WORDS
from ..writing_systems import features
from .search_state import SearchState, fuse_scores

N_PASSAGES = 80  # best passages whose mentions are counted
PASSAGE_SHARE, LIFT_SHARE, WEIGHT_SHARE = 0.45, 0.2, 0.15
NAMED_SHARE, WORDS_SHARE = 0.6, 0.15
WHOLE_LIBRARY_WEIGHT_SHARE = 0.9  # for questions about the library as a whole
N_STAGE_LABELS = 14
_GENERIC_WORDS = re.compile(
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
    """Communities with their relevance (0 to 1), best first, and the passages that were found.

    `document_ids` restricts the search to these documents; None for all.
    """

    found: RetrievalResult
    ranked: tuple[tuple[CommunityRow, float], ...]
    document_ids: tuple[int, ...] | None = None


def list_content_words(question: str) -> set[str]:
    """Return the words of a question without those that any question about a whole text has."""
    return features(_GENERIC_WORDS.sub(" ", question)) - ENGLISH_STOP_WORDS


def rank_communities(search: SearchState, level: int) -> list[tuple[CommunityRow, float]]:
    """Return the communities that cover all entities, none finer than `level`, with relevance.

    The relevance (0 to 1) combines the scores of the passages that mention the members, the weight
    of the community, the entities named in the question and the words of the title.
    """
    communities = [
        row
        for row in community_rows.fetch_communities(search.db)
        if not row.is_loose and (row.level == level or (row.level < level and not row.n_children))
    ]
    if not communities:
        return []
    community_of = community_rows.fetch_community_of(
        search.db, {int(row.id) for row in communities}
    )
    passage_scores = _score_by_passages(search, community_of)
    named_counts = Counter(community_of[i] for i in search.entity_ids if i in community_of)
    question = list_content_words(search.question)
    top_weight = max(row.weight for row in communities) or 1.0
    total = sum(passage_scores.values()) or 1.0
    total_weight = sum(row.weight for row in communities) or 1.0
    lift = {
        int(row.id): (passage_scores[int(row.id)] / total) / (0.02 + row.weight / total_weight)
        for row in communities
    }
    top_passage_score = max(passage_scores.values(), default=0.0) or 1.0
    top_lift = max(lift.values(), default=0.0) or 1.0
    scored = []
    for row in communities:
        key = int(row.id)
        community_words = features(" ".join((row.title, *row.key_words, *row.top_names)))
        score = (
            PASSAGE_SHARE * passage_scores[key] / top_passage_score
            + LIFT_SHARE * lift[key] / top_lift
            + WEIGHT_SHARE * sqrt(row.weight / top_weight)
            + NAMED_SHARE * named_counts[key] / (sum(named_counts.values()) or 1)
            + WORDS_SHARE * min(1.0, len(question & community_words) / 2)
        )
        if not question and not named_counts:
            score = (
                WHOLE_LIBRARY_WEIGHT_SHARE * sqrt(row.weight / top_weight)
                + (1 - WHOLE_LIBRARY_WEIGHT_SHARE) * score
            )
        scored.append((row, round(min(1.0, score), 4)))
    scored.sort(key=lambda item: (-item[1], item[0].id))
    search.trace.lap("themes")
    search.trace.stage(
        "themes",
        [f"{row.title} {score:.2f}" for row, score in scored[:N_STAGE_LABELS]],
        [f"{row.title} {score:.2f}" for row, score in scored[N_STAGE_LABELS:]],
        note=Message("{n} communities of level {level}", n=len(scored), level=level),
    )
    return scored


def _score_by_passages(
    search: SearchState, community_of: dict[int, int]
) -> defaultdict[int, float]:
    """Return community -> sum of passage scores; a passage divides its score among its mentions."""
    fused = fuse_scores(search.words, search.cosines)
    allowed = {int(i) for i in search.index.chunk_ids[search.allowed].tolist()}
    best = sorted(
        (item for item in fused.items() if item[0] in allowed), key=lambda i: (-i[1], i[0])
    )[:N_PASSAGES]
    scores = dict(best)
    named: dict[int, Counter[int]] = {}
    for chunk_id, entity_id, *_ in graph.fetch_named_in(search.db, list(scores)):
        if entity_id in community_of:
            named.setdefault(chunk_id, Counter())[community_of[entity_id]] += 1
    passage_scores: defaultdict[int, float] = defaultdict(float)
    for chunk_id, counts in named.items():
        total = sum(counts.values())
        for community, n in counts.items():
            passage_scores[community] += scores[chunk_id] * n / total
    return passage_scores
