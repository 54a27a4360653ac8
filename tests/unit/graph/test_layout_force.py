"""Tests the force layout: deterministic, stable, without overlaps."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.errors import Cancelled
from desktop_app.engine.graph.layout.force import (
    CORNER,
    SPACING,
    VIEW_RATIO,
    force_layout,
    pack_components,
)
from desktop_app.engine.progress import CancelToken


def make_edges(n: int, n_edges: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    share = 1 / np.arange(1, n + 1) ** 0.7
    ends = random.choice(n, (n_edges, 2), p=share / share.sum())
    ends = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
    return ends, random.pareto(1.5, len(ends)) + 1


def smallest_gap(places: np.ndarray, radii: np.ndarray) -> float:
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    gaps = apart - radii[:, None] - radii[None]
    np.fill_diagonal(gaps, np.inf)
    return float(gaps.min())


def test_the_same_graph_gives_the_same_layout() -> None:
    edges, weights = make_edges(80, 200)
    first = force_layout(80, edges, weights)
    assert np.array_equal(first, force_layout(80, edges, weights))


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_tiny_graphs_get_positions(n: int) -> None:
    edges = np.array([[i, i + 1] for i in range(n - 1)], dtype=int).reshape(-1, 2)
    places = force_layout(n, edges, np.ones(len(edges)))
    assert places.shape == (n, 2)
    assert np.isfinite(places).all()


def test_names_without_relations_stay_together() -> None:
    places = force_layout(40, np.zeros((0, 2), dtype=int), np.zeros(0))
    assert np.ptp(places, axis=0).max() < 20 * SPACING
    assert smallest_gap(places, np.full(40, 8.0)) > 0


def test_big_discs_do_not_overlap() -> None:
    edges, weights = make_edges(120, 900)
    radii = np.linspace(30, 4, 120)
    places = force_layout(120, edges, weights, radii=radii)
    assert smallest_gap(places, radii) > 0


def test_a_star_of_500_does_not_overlap() -> None:
    edges = np.stack((np.zeros(500, dtype=int), np.arange(1, 501)), axis=1)
    places = force_layout(501, edges, np.ones(500))
    assert np.isfinite(places).all()
    assert smallest_gap(places, np.full(501, 8.0)) > 0


def test_connected_nodes_are_nearer_than_others() -> None:
    edges, weights = make_edges(100, 200)
    places = force_layout(100, edges, weights)
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    assert apart[edges[:, 0], edges[:, 1]].mean() < 0.8 * apart.mean()


def test_existing_nodes_stay_when_new_ones_are_added() -> None:
    edges, weights = make_edges(60, 170)
    before = force_layout(60, edges, weights)
    grown = np.concatenate((edges, [[0, 60], [0, 61], [1, 62], [62, 63]]))
    known = np.concatenate((before, np.full((4, 2), np.nan)))
    after = force_layout(64, grown, np.ones(len(grown)), positions=known)
    moved = np.hypot(*(after[:60] - before).T)
    assert np.median(moved) < 0.01  # all but those that a new disc would cover
    assert moved.max() < 0.5 * SPACING
    assert np.hypot(*(after[60] - after[0])) < 5 * SPACING


def test_existing_nodes_make_room_for_as_many_new_ones() -> None:
    hubs = [(a, b) for a in range(60) for b in (a + 1, a + 7) if b < 60]
    before = force_layout(60, np.array(hubs))
    leaves = [(leaf % 60, leaf) for leaf in range(60, 180)]
    positions = np.concatenate((before, np.full((120, 2), np.nan)))
    after = force_layout(180, np.array(hubs + leaves), positions=positions)
    fresh = force_layout(180, np.array(hubs + leaves))

    def compare(points: np.ndarray) -> float:
        """Return the extent of the hubs as a share of the extent of all nodes."""
        return float(points[:60].std() / points.std())

    assert compare(after) > 0.8 * compare(fresh)


def test_the_same_nodes_keep_their_positions() -> None:
    edges, weights = make_edges(60, 170)
    before = force_layout(60, edges, weights)
    after = force_layout(60, edges, weights, positions=before)
    assert np.abs(after - before).max() < 1.0


def test_pinned_nodes_do_not_move() -> None:
    edges, weights = make_edges(30, 60)
    known = np.full((30, 2), np.nan)
    known[3] = (500.0, -200.0)
    pinned = np.arange(30) == 3
    places = force_layout(30, edges, weights, positions=known, pinned=pinned)
    assert tuple(places[3]) == (500.0, -200.0)
    assert np.isfinite(places).all()


def test_a_new_component_is_placed_beside_the_existing_ones() -> None:
    before = force_layout(4, np.array([[0, 1], [1, 2], [2, 3]]), np.ones(3))
    known = np.concatenate((before, np.full((3, 2), np.nan)))
    edges = np.array([[0, 1], [1, 2], [2, 3], [4, 5], [5, 6]])
    places = force_layout(7, edges, np.ones(5), positions=known)
    assert smallest_gap(places, np.full(7, 8.0)) > 0
    assert np.abs(places).max() < 15 * SPACING


def test_self_loops_duplicate_edges_and_unknown_nodes_are_ignored() -> None:
    edges = np.array([[0, 0], [0, 1], [1, 0], [2, 9], [-1, 1]])
    assert np.isfinite(force_layout(3, edges, np.ones(5))).all()


def test_cancelling_stops_the_layout() -> None:
    token = CancelToken()
    token.cancel()
    edges, weights = make_edges(60, 170)
    with pytest.raises(Cancelled):
        force_layout(60, edges, weights, cancel=token)


def test_two_thousand_nodes_are_laid_out() -> None:
    edges, weights = make_edges(2_000, 6_000)
    places = force_layout(2_000, edges, weights)
    assert places.shape == (2_000, 2) and np.isfinite(places).all()


def test_nodes_with_the_same_neighbours_are_placed_together() -> None:
    random = np.random.default_rng(4)
    groups = np.repeat(np.arange(12), 50)
    each = np.repeat(groups, 3)
    inside = [random.choice(np.flatnonzero(groups == g), 2, replace=False) for g in each]
    across = random.integers(0, 600, (300, 2)).tolist()
    edges = np.array([*map(list, inside), *across])
    places = force_layout(600, edges)
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    nearest = np.argsort(apart, axis=1)[:, :5]
    assert (groups[nearest] == groups[:, None]).mean() > 0.9


def test_a_star_of_thousands_of_nodes_is_laid_out() -> None:
    edges = np.stack((np.zeros(5_000, dtype=int), np.arange(1, 5_001)), axis=1)
    places = force_layout(5_001, edges)
    assert places.shape == (5_001, 2) and np.isfinite(places).all()


def test_a_tall_graph_is_turned_so_that_it_is_drawn_larger() -> None:
    random = np.random.default_rng(5)
    tall = random.uniform((0, 0), (200, 600), (40, 2))
    [turned] = pack_components([tall], spacing=40.0)
    wide, high = np.ptp(turned, axis=0)
    assert wide > 2 * high
    distances = [np.linalg.norm(one[1:] - one[:-1], axis=1) for one in (tall, turned)]
    np.testing.assert_allclose(*distances)  # nothing but turned and moved
    small = random.uniform((0, 0), (150, 150), (20, 2))
    whole = np.concatenate(pack_components([tall, small], spacing=40.0))
    wide, high = np.ptp(whole, axis=0)
    assert max(wide / VIEW_RATIO, high) < 600  # without turning, the tall one alone needs 600


def test_a_long_component_is_laid_out_round() -> None:
    ladder = [(k, k + 2) for k in range(38)] + [(k, k + 1) for k in range(0, 40, 2)]
    places = force_layout(40, np.array(ladder))
    wide, high = np.ptp(places, axis=0)
    assert 1 / 1.5 < wide / high < 1.5
    again = force_layout(40, np.array(ladder))
    np.testing.assert_array_equal(places, again)


def test_components_leave_the_corner_of_the_legend_free() -> None:
    random = np.random.default_rng(9)
    large, other = random.uniform(0, 400, (40, 2)), random.uniform(0, 300, (24, 2))
    small = [random.uniform(0, 60, (3, 2)) for _ in range(3)]
    packed = pack_components([large, other, *small], spacing=40.0)
    points = np.concatenate(packed)
    low, high = points.min(0), points.max(0)
    size = max((high - low)[0] / VIEW_RATIO, (high - low)[1])
    start = high - (size * VIEW_RATIO, size)  # of a view that is as big as the whole
    in_corner = (points < start + np.array(CORNER) * (size * VIEW_RATIO, size) * 0.85).all(1)
    assert not in_corner.any()


def test_many_components_are_not_packed_in_one_long_row() -> None:
    random = np.random.default_rng(3)
    sizes = [(3_700, 3_300), (2_800, 2_500), (1_500, 1_400), *[(200, 180)] * 20]
    counts = [400, 230, 70, *[9] * 20]
    components = [random.uniform(0, size, (n, 2)) for size, n in zip(sizes, counts, strict=True)]
    wide, high = np.ptp(np.concatenate(pack_components(components, spacing=40.0)), axis=0)
    assert max(wide / VIEW_RATIO, high) < 6_500  # in one row: 6,660


def test_what_is_placed_is_not_turned() -> None:
    random = np.random.default_rng(6)
    tall, there = random.uniform((0, 0), (200, 600), (40, 2)), np.zeros((1, 2))
    [packed] = pack_components([tall], spacing=40.0, placed_points=there)
    np.testing.assert_allclose(packed - packed[0], tall - tall[0])
