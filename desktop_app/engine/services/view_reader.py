"""Reads what a view of the graph shows from a library.

May run in any reader lane; never writes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ..graph.view.view import EXPAND_LIMIT, View, ViewContent
from ..model import Subgraph
from .library_reader import LibraryReader


def read_view(
    library: LibraryReader, view: View, level: int = 0, known: Collection[int] = ()
) -> ViewContent:
    """Return the content of a view; an expansion (`grow`) becomes an exact view.

    Args:
        level: of communities, 0 is the coarsest.
        known: the entities of the view before, which may have been merged since.
    """
    graph = _fetch(library, view)
    if view.grow is not None:
        near = library.neighbourhood([view.grow], EXPAND_LIMIT)
        shown = [int(e.id) for e in graph.entities if int(e.id) not in view.hidden]
        both = dict.fromkeys([*shown, *(int(e.id) for e in near.entities)])
        view = replace(view, kind="exact", ids=tuple(both), hidden=frozenset(), grow=None)
        graph = _fetch(library, view)
    graph = _keep(graph, {int(e.id) for e in graph.entities} - view.hidden)
    ids = [int(e.id) for e in graph.entities]
    documents = library.graph.documents_of(ids)
    titles = dict(library.graph.documents())
    chapters: list[tuple[int, int, str]] = []
    if view.layout == "timeline":
        for document_id in sorted({home.first[0] for home in documents.values()}):
            marks = library.graph.chapters(document_id) or [(0, titles.get(document_id, ""))]
            chapters += [(document_id, start, title) for start, title in marks]
    groups = library.graph.groups(ids, level)
    merged = library.graph.find_merged([*set(known).difference(ids)])
    return ViewContent(graph, view, documents, tuple(chapters), titles, groups, merged)


def _fetch(library: LibraryReader, view: View) -> Subgraph:
    if view.kind == "top":
        return library.top_graph(limit=view.limit)
    # Entities that were merged since are replaced by the merged entity.
    wanted = library.graph.replace_merged(list(view.ids))
    if view.kind == "near" and view.depth > 1:
        return library.graph.reach(wanted, view.depth, view.limit)
    if view.kind == "near":
        return library.neighbourhood(wanted, view.limit)
    if view.kind == "kinds":
        ids = library.graph.ids_of_kinds(list(view.kinds), view.limit)
        return library.graph.exactly(ids)
    return _keep(library.graph.exactly(wanted), set(wanted))


def _keep(graph: Subgraph, ids: set[int]) -> Subgraph:
    return Subgraph(
        tuple(e for e in graph.entities if int(e.id) in ids),
        tuple(r for r in graph.relations if int(r.source_id) in ids and int(r.target_id) in ids),
        graph.n_all,
    )
