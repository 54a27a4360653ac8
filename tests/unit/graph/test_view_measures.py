"""Widths of lines and sizes of nodes agree with the numbers that the lists of a view show."""

from __future__ import annotations

import numpy as np

from desktop_app.engine.graph.view.arrangement import lay_out
from desktop_app.engine.graph.view.graph_data import build_graph_data
from desktop_app.engine.graph.view.view import DiscPositions, View, ViewContent
from desktop_app.engine.model import EntityRow, RelationRow, Subgraph


def make_star(n_passages: list[int], weights: list[float], n_all: list[int]) -> Subgraph:
    """Return a graph in which the first entity is connected to all others.

    Args:
        n_all: connections of each entity in the whole library.
    """
    rows = [EntityRow(i + 1, f"Name {i}", "person", 1, n, 1) for i, n in enumerate(n_all)]
    relations = [
        RelationRow(k + 1, 1, k + 2, rows[0].name, rows[k + 1].name, weight, n)
        for k, (n, weight) in enumerate(zip(n_passages, weights, strict=True))
    ]
    return Subgraph(tuple(rows), tuple(relations), 100)


def test_a_line_is_as_wide_as_its_passages_are_many_whatever_its_weight() -> None:
    data = build_graph_data(make_star([1, 2, 45], [90.0, 3.0, 5.0], [3, 1, 1, 1]))
    passages = np.array([relation.n_evidence for relation in data.relations])
    strengths = data.strengths[np.argsort(passages)]
    assert (np.diff(strengths) >= 0).all() and strengths[0] == 0 and strengths[-1] == 3


def test_sizes_around_a_name_count_the_connections_of_the_view() -> None:
    graph = make_star([3, 2, 1], [3.0, 2.0, 1.0], [3, 900, 1, 1])
    for kind, largest in (("near", 1), ("exact", 1), ("top", 2)):
        content = ViewContent(graph, View(kind, (1,)))
        data = lay_out(graph, DiscPositions(), content=content)
        assert data.entities[int(data.radii.argmax())].id == largest, kind
        assert data.n_in_view.tolist() == [3, 1, 1, 1]
        assert data.n_connections[1] == 900  # what filters count stays
