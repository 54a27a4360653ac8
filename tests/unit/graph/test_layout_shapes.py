"""Tests the other layouts: radial, timeline, circle, grouped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.graph.layout.force import force_layout
from desktop_app.engine.graph.layout.shapes import (
    OFF_SPOKE,
    circle_layout,
    find_groups,
    find_stretch,
    grid_layout,
    grouped_layout,
    radial_layout,
    ring_layout_by_strength,
    spread_spokes,
    timeline_layout,
)


def two_cliques(size: int) -> np.ndarray:
    one = [(a, b) for a in range(size) for b in range(a)]
    return np.array([*one, *((a + size, b + size) for a, b in one), (0, size)])


def nearest_gap(places: np.ndarray) -> float:
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    return float(apart.min())


@pytest.mark.parametrize("n", [0, 1, 2, 60, 900])
def test_every_layout_gives_each_node_its_own_position(n: int) -> None:
    order, radii = np.arange(n), np.full(n, 6.0)
    pairs = np.array([(0, i) for i in range(1, n)]).reshape(-1, 2)
    shapes = [
        circle_layout(order, radii),
        grid_layout(order),
        timeline_layout(order.astype(float), radii),
    ]
    if n:
        shapes.append(radial_layout(n, pairs, np.ones(len(pairs)), 0, radii))
    for places in shapes:
        assert places.shape == (n, 2)
        assert np.isfinite(places).all()
        if n > 1:
            assert nearest_gap(places) > 12.0


def test_in_a_radial_layout_the_radius_is_the_number_of_steps() -> None:
    pairs = np.array([(0, 1), (0, 2), (1, 3), (2, 4), (4, 5)])
    places = radial_layout(7, pairs, np.ones(5), 0, np.full(7, 6.0))
    away = np.hypot(*places.T)
    assert away[0] == 0
    assert away[[1, 2]].max() < away[[3, 4]].min()
    assert away[[3, 4]].max() < away[5]
    assert away[6] >= away[5]  # unconnected: outermost


def test_in_a_timeline_later_nodes_are_further_right() -> None:
    entering = np.array([30.0, 10.0, np.nan, 20.0])
    x = timeline_layout(entering, np.full(4, 6.0))[:, 0]
    assert x[1] < x[3] < x[0] < x[2]


def test_groups_are_densely_connected_nodes() -> None:
    pairs = two_cliques(6)
    groups = find_groups(13, pairs, np.ones(len(pairs)))
    assert len(set(groups[:6].tolist())) == len(set(groups[6:12].tolist())) == 1
    assert groups[0] != groups[6]
    assert groups[12] == -1
    assert np.array_equal(groups, find_groups(13, pairs, np.ones(len(pairs))))


def test_a_group_with_many_lines_is_larger_so_that_they_fan_out() -> None:
    places = np.random.default_rng(2).uniform(-900, 900, (40, 2))
    few = np.array([(k, k + 1) for k in range(39)])
    many = np.array([(a, b) for a in range(40) for b in range(a)])
    assert find_stretch(places, few) == 1.0
    assert find_stretch(places, many) > 1.3
    assert find_stretch(places[:3], many[:3]) == 1.0


def test_groups_do_not_overlap() -> None:
    pairs = two_cliques(8)
    groups = find_groups(16, pairs, np.ones(len(pairs)))
    places = grouped_layout(16, pairs, np.ones(len(pairs)), groups, np.full(16, 6.0))
    middles = np.array([places[:8].mean(0), places[8:].mean(0)])
    spread = max(np.hypot(*(places[:8] - middles[0]).T).max(), 1.0)
    assert np.hypot(*(middles[0] - middles[1])) > 1.5 * spread


def test_a_layout_reports_progress_and_can_be_stopped() -> None:
    pairs = np.array([(i, i + 1) for i in range(199)])
    shares: list[float] = []

    def is_enough(share: float) -> bool:
        shares.append(share)
        return share < 0.2

    places = force_layout(200, pairs, on_round=is_enough)
    assert np.isfinite(places).all()
    assert shares == sorted(shares)
    assert 0.2 <= shares[-1] < 0.3


def test_strongly_related_nodes_are_on_inner_rings() -> None:
    random = np.random.default_rng(4)
    strengths = np.array([-1, 3, 2, 2, 1, 1, 1, *([0] * 12)])
    places = random.normal(0, 200, (len(strengths), 2))
    radii = np.full(len(strengths), 10.0)
    moved = ring_layout_by_strength(places, 0, strengths, radii)
    assert np.array_equal(moved[0], places[0]), "the centre stays"
    away = np.hypot(*(moved - moved[0]).T)
    assert away[1] < away[2:4].min() and away[2:4].max() < away[4:7].min()
    assert away[4:7].max() < away[7:].min()
    assert nearest_gap(moved) > 20.0


@given(st.integers(0, 10_000), st.integers(2, 45))
def test_no_node_is_on_the_spoke_of_another(seed: int, n: int) -> None:
    random = np.random.default_rng(seed)
    radii = random.uniform(6.0, 12.0, n)
    reaches = random.choice([150.0, 240.0, 330.0, 420.0], n)
    angles = random.normal(0.0, 1.0, n)  # most on one side
    turned = spread_spokes(angles, reaches, radii)
    half = np.arcsin((radii + OFF_SPOKE) / reaches)
    order = np.argsort(turned % (2 * np.pi))
    gaps = np.diff(turned[order] % (2 * np.pi), append=turned[order[0]] % (2 * np.pi) + 2 * np.pi)
    needed = np.maximum(half[order], np.roll(half[order], -1))
    share = min(1.0, 2 * np.pi / needed.sum())  # of the room, where there is too little
    assert (gaps >= needed * share - 1e-9).all()
    before = np.argsort(angles % (2 * np.pi))
    first = order.tolist().index(before[0])
    assert np.array_equal(np.roll(order, -first), before), "the order around the centre stays"
