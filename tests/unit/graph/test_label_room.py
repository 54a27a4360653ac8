"""Small views have room for the names below their nodes."""

from __future__ import annotations

import numpy as np

from desktop_app.engine.graph.layout.label_room import (
    HEIGHT,
    RATIO,
    estimate_label_widths,
    make_room_for_labels,
)


def count_overlaps(places: np.ndarray, radii: np.ndarray, widths: np.ndarray) -> int:
    """Return how many pairs of nodes with their labels overlap."""
    sizes = np.stack((np.maximum(widths, 2 * radii), 2 * radii + HEIGHT), axis=1)
    room = (sizes[:, None] + sizes[None]) / 2
    hit = (np.abs(places[:, None] - places[None]) < room).all(2)
    return int(hit.sum() - len(places)) // 2


def make_cloud(n: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(4)
    places = random.normal(0, (260, 60), (n, 2))
    return places, random.uniform(3, 14, n), random.uniform(20, 110, n)


def test_no_label_of_a_small_view_overlaps_another() -> None:
    places, radii, widths = make_cloud()
    assert count_overlaps(places, radii, widths) > 10
    moved = make_room_for_labels(places, radii, widths, fixed=np.zeros(len(places), bool))
    assert count_overlaps(moved, radii, widths) == 0


def test_a_flat_layout_is_stretched_towards_the_shape_of_the_canvas() -> None:
    places, radii, widths = make_cloud()
    moved = make_room_for_labels(places, radii, widths, fixed=np.zeros(len(places), bool))
    before, after = (np.ptp(p[:, 0]) / np.ptp(p[:, 1]) for p in (places, moved))
    assert RATIO < after < 0.8 * before


def test_nodes_that_are_known_do_not_move() -> None:
    places, radii, widths = make_cloud()
    fixed = np.arange(len(places)) < 40
    moved = make_room_for_labels(places, radii, widths, fixed=fixed)
    assert (moved[fixed] == places[fixed]).all() and (moved[~fixed] != places[~fixed]).any()


def test_chinese_characters_count_as_wide() -> None:
    latin, chinese = estimate_label_widths(["Lin", "林冲传"])
    assert chinese > 1.5 * latin
