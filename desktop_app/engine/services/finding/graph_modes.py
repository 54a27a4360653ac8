"""LightRAG's modes: local, global, both (hybrid), and both with vector chunks (mix).

Keywords lead to entities and relations, these to passages; the three kinds of passages come by
turns: those near the question, those of entities, those of relations.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import said
from ...types import EntityRow, Keywords, RelationRow
from .graph_chunks import Ranked, pick_entity_chunks, pick_relation_chunks
from .graph_routes import GraphFound, find_global, find_local, interleave, join_found
from .keywords import choose_keywords
from .search import Search
from .stages import tell_graph, tell_keywords, tell_route


@dataclass(frozen=True, slots=True)
class GraphRanking:
    """What a graph mode found; `passages` are (chunk id, score), best first."""

    passages: list[tuple[int, float]]
    entities: list[EntityRow]
    relations: list[RelationRow]
    keywords: Keywords


def rank_by_graph(search: Search) -> GraphRanking:
    """Find by one of LightRAG's modes; `search` has its names linked and its question embedded."""
    mode, trace = search.param.mode, search.trace
    keywords = choose_keywords(
        search.question, search.param, [(start, end) for start, end, _ in search.linked]
    )
    tell_keywords(search, keywords)
    if not keywords.high and not keywords.low:
        trace.notes.append(said("no keyword to look for: name a person, a thing or a theme"))
    found = GraphFound()
    if mode != "global":
        found = find_local(search, keywords.low)
        trace.lap("local")
    if mode != "local":
        found = join_found(found, find_global(search, keywords.high))
        trace.lap("global")
    entities = search.telling.entities(list(found.entities))
    relations = search.telling.relations(list(found.relations))
    trace.lap("graph")
    tell_graph(search, found, entities, relations)
    of_entities = pick_entity_chunks(search, [e.id for e in entities])
    _note(search, "entity", of_entities)
    of_relations = pick_relation_chunks(search, [(r.source_id, r.target_id) for r in relations])
    _note(search, "relation", of_relations)
    near = list(search.cosines.items()) if mode == "mix" else []
    order = interleave(*([c for c, _ in part] for part in (near, of_entities, of_relations)))
    passages = [(chunk_id, 1.0 - n / (len(order) + 1)) for n, chunk_id in enumerate(order)]
    return GraphRanking(passages, entities, relations, keywords)


def _note(search: Search, route: str, ranked: Ranked) -> None:
    search.trace.found(route, ranked)
    search.trace.lap(f"{route} passages")
    tell_route(search, route, ranked)
