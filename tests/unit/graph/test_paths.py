"""Ways between entities, what lies around them, and whom they share."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.graph.paths import PathGraph

# 1 - 2 - 3 is short and weak; 1 - 4 - 5 - 3 long and strong; 1 - 6 - 3 another way.
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


def test_the_shortest_way_comes_first_then_the_strongest_then_others(net: PathGraph) -> None:
    ways = net.find_paths(1, 3)
    assert [(way.ids, way.how) for way in ways] == [
        ((1, 2, 3), "shortest"),
        ((1, 4, 5, 3), "strongest"),
        ((1, 6, 3), "another"),
    ]


def test_a_way_back_is_the_way_there(net: PathGraph) -> None:
    there, back = net.find_paths(1, 3), net.find_paths(3, 1)
    assert [way.ids for way in there] == [way.ids[::-1] for way in back]


def test_two_that_are_tied_have_the_tie_and_ways_round_it() -> None:
    net = PathGraph(np.array([(1, 2), (1, 3), (3, 2)]), np.array([5.0, 1.0, 1.0]))
    assert [way.ids for way in net.find_paths(1, 2)] == [(1, 2), (1, 3, 2)]


def test_of_double_ties_the_better_counts() -> None:
    net = PathGraph(np.array([(1, 2), (2, 1), (1, 3), (3, 2)]), np.array([0.1, 9.0, 1.0, 1.0]))
    assert net.find_paths(1, 2)[0].ids == (1, 2)


@pytest.mark.parametrize("pair", [(1, 1), (1, 99), (99, 98), (1, 8)])
def test_there_is_no_way_to_oneself_to_strangers_or_across_a_gap(pair: tuple[int, int]) -> None:
    net = PathGraph(np.array([(1, 2), (8, 9)]), np.array([1.0, 1.0]))
    assert net.find_paths(*pair) == []


def test_a_graph_without_ties_has_no_ways() -> None:
    net = PathGraph(np.zeros((0, 2)), np.zeros(0))
    assert net.find_paths(1, 2) == []
    assert net.reach([1], 2, 10) == []
    assert net.shared_neighbours([1, 2]) == []


def test_reaching_goes_step_by_step_and_stops_at_the_limit(net: PathGraph) -> None:
    assert net.reach([1], 1, 10) == [4, 2, 6]
    assert set(net.reach([1], 2, 10)) == {2, 3, 4, 5, 6}
    assert net.reach([1], 3, 2) == [4, 2]
    assert 1 not in net.reach([1], 3, 10)


def test_shared_neighbours_are_tied_to_every_one(net: PathGraph) -> None:
    assert net.shared_neighbours([1, 3]) == [2, 6]
    assert net.shared_neighbours([1, 5]) == [4]
    assert net.shared_neighbours([1, 99]) == []
