"""Tests paths between entities, neighbourhoods and shared neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.graph.paths import PathGraph

# 1 - 2 - 3 is short and weak; 1 - 4 - 5 - 3 long and strong; 1 - 6 - 3 another path.
TIES = [
    (1, 2, 1.0),
    (2, 3, 1.0),
    (1, 4, 50.0),
    (4, 5, 50.0),
    (5, 3, 50.0),
    (1, 6, 0.5),
    (6, 3, 0.5),
]


@pytest.fixture
def net() -> PathGraph:
    return PathGraph(np.array([t[:2] for t in TIES]), np.array([t[2] for t in TIES]))


def test_the_shortest_path_comes_first_then_the_strongest(net: PathGraph) -> None:
    ways = net.find_paths(1, 3)
    assert [(way.ids, way.how) for way in ways] == [
        ((1, 2, 3), "shortest"),
        ((1, 4, 5, 3), "strongest"),
        ((1, 6, 3), "another"),
    ]


def test_a_path_is_the_same_in_both_directions(net: PathGraph) -> None:
    there, back = net.find_paths(1, 3), net.find_paths(3, 1)
    assert [way.ids for way in there] == [way.ids[::-1] for way in back]


def test_neighbours_have_the_direct_path_and_longer_ones() -> None:
    net = PathGraph(np.array([(1, 2), (1, 3), (3, 2)]), np.array([5.0, 1.0, 1.0]))
    assert [way.ids for way in net.find_paths(1, 2)] == [(1, 2), (1, 3, 2)]


def test_of_parallel_edges_the_stronger_counts() -> None:
    net = PathGraph(np.array([(1, 2), (2, 1), (1, 3), (3, 2)]), np.array([0.1, 9.0, 1.0, 1.0]))
    assert net.find_paths(1, 2)[0].ids == (1, 2)


@pytest.mark.parametrize("pair", [(1, 1), (1, 99), (99, 98), (1, 8)])
def test_there_is_no_path_to_the_same_or_an_unknown_or_unconnected_entity(
    pair: tuple[int, int],
) -> None:
    net = PathGraph(np.array([(1, 2), (8, 9)]), np.array([1.0, 1.0]))
    assert net.find_paths(*pair) == []


def test_a_graph_without_edges_has_no_paths() -> None:
    net = PathGraph(np.zeros((0, 2)), np.zeros(0))
    assert net.find_paths(1, 2) == []
    assert net.reach([1], 2, 10) == []
    assert net.shared_neighbours([1, 2]) == []


def test_neighbourhoods_grow_step_by_step_up_to_the_limit(net: PathGraph) -> None:
    assert net.reach([1], 1, 10) == [4, 2, 6]
    assert set(net.reach([1], 2, 10)) == {2, 3, 4, 5, 6}
    assert net.reach([1], 3, 2) == [4, 2]
    assert 1 not in net.reach([1], 3, 10)


def test_shared_neighbours_are_connected_to_every_selected_entity(net: PathGraph) -> None:
    assert net.shared_neighbours([1, 3]) == [2, 6]
    assert net.shared_neighbours([1, 5]) == [4]
    assert net.shared_neighbours([1, 99]) == []
