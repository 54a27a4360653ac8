"""Readable labels of what each retrieval stage kept and dropped, for the inspection of an answer.

Nothing here changes the results, except `SearchState.meant`, which lists resolved names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from ..messages import NO_MESSAGE, Message
from ..model import EntityRow, Keywords, Passage, RelationRow
from ..store import graph as graph_rows
from ..store import graph_evidence as evidence
from .keywords import has_given_keywords
from .search_state import SearchState
from .strategies.graph_routes import GraphFound

MAX_SHOWN_PASSAGES = 12  # passages of one route


def describe_names_stage(search: SearchState) -> None:
    """Record which names of the question were linked to entities; adds them to `search.meant`."""
    names: dict[int, str] = {e.id: e.name for e in search.graph_reader.entities(search.entity_ids)}
    kept = []
    for start, end, values in search.linked:
        words = search.question[start:end]
        found = [names.get(v, "") if v >= 0 else Message("a title") for v in values]
        meant = [f for f in dict.fromkeys(found) if f and f != words]
        if len(meant) == len(values) == 1 and values[0] >= 0:
            search.meant.append((words, meant[0]))
        kept.append(f"{words} → {', '.join(meant)}" if meant else words)
    search.trace.stage(
        "names", kept, note=NO_MESSAGE if kept else Message("no name that the library knows")
    )


def describe_keywords_stage(search: SearchState, keywords: Keywords) -> None:
    search.trace.stage(
        "keywords",
        (
            *(Message("theme: {keyword}", keyword=k) for k in keywords.high),
            *(Message("name: {keyword}", keyword=k) for k in keywords.low),
        ),
        note=Message(
            "given with it" if has_given_keywords(search.param) else "read off the question"
        ),
    )


def describe_route_stage(
    search: SearchState, name: str, ranked: Iterable[tuple[int, float]]
) -> None:
    """Record the first passages of a route with their scores."""
    top = list(islice(ranked, MAX_SHOWN_PASSAGES))
    labels = evidence.fetch_chunk_labels(search.db, [chunk_id for chunk_id, _ in top])
    kept = [f"{labels.get(c, '?')} {score:.3g}" for c, score in top]
    search.trace.stage(name, kept, note=NO_MESSAGE if kept else Message("nothing found"))


def describe_graph_stage(
    search: SearchState,
    found: GraphFound,
    entities: Sequence[EntityRow],
    relations: Sequence[RelationRow],
) -> None:
    """Record the chosen entities and relations with cosines, and the next ones that were cut."""
    cut = graph_rows.fetch_entities(search.db, list(found.cut_entities)[:MAX_SHOWN_PASSAGES])
    whole = bool(search.allowed.all())
    search.trace.stage(
        "entities",
        [f"{e.name} {found.entities[e.id]:.2f}" for e in entities],
        [f"{e.name} {found.cut_entities[e.id]:.2f}" for e in cut] if whole else (),
        note=Message("at most {n}", n=search.param.top_k),
    )
    search.trace.stage(
        "relations",
        [
            f"{r.source} – {r.target} {found.relations[r.source_id, r.target_id]:.2f}"
            for r in relations
        ],
        note=Message("at most {n}", n=search.param.top_k),
    )


def describe_passages_stage(
    search: SearchState, built: Sequence[Passage], kept: Sequence[Passage]
) -> None:
    """Record the passages that are returned, and the copies that were dropped."""
    given = {p.chunk_id for p in kept}
    last = kept[-1].chunk_id if kept else 0
    chunk_ids: list[int] = [p.chunk_id for p in built]
    reached = chunk_ids.index(last) if last in chunk_ids else len(chunk_ids)
    copies = [p for p in built[:reached] if p.chunk_id not in given]
    search.trace.stage(
        "passages",
        [f"{p.title} · {p.start} {p.score:.2f}" for p in kept],
        [f"{p.title} · {p.start} {p.score:.2f}" for p in copies],
        note=Message("copies of passages before them are dropped") if copies else NO_MESSAGE,
    )
