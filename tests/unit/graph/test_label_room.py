"""Small views have room for the names below their nodes."""

from __future__ import annotations

import numpy as np

from desktop_app.engine.graph.layout import label_room
from desktop_app.engine.graph.layout.label_room import (
    HEIGHT,
    OFF_LINE,
    RATIO,
    estimate_label_widths,
    find_line_distances,
    make_room_for_labels,
)

NO_LINES = np.zeros((0, 2), dtype=int)


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
    moved = make_room_for_labels(places, radii, widths, NO_LINES, fixed=np.zeros(len(places), bool))
    assert count_overlaps(moved, radii, widths) == 0


def test_a_flat_layout_is_stretched_towards_the_shape_of_the_canvas() -> None:
    places, radii, widths = make_cloud()
    moved = make_room_for_labels(places, radii, widths, NO_LINES, fixed=np.zeros(len(places), bool))
    before, after = (np.ptp(p[:, 0]) / np.ptp(p[:, 1]) for p in (places, moved))
    assert RATIO < after < 0.8 * before


def test_nodes_that_are_known_do_not_move() -> None:
    places, radii, widths = make_cloud()
    fixed = np.arange(len(places)) < 40
    moved = make_room_for_labels(places, radii, widths, NO_LINES, fixed=fixed)
    assert (moved[fixed] == places[fixed]).all() and (moved[~fixed] != places[~fixed]).any()


def test_chinese_characters_count_as_wide() -> None:
    latin, chinese = estimate_label_widths(["Lin", "林冲传"])
    assert chinese > 1.5 * latin


def test_nodes_are_moved_off_the_lines_of_others() -> None:
    places, radii, widths = make_cloud(40)
    random = np.random.default_rng(8)
    lines = random.integers(0, 40, (44, 2))
    lines = lines[lines[:, 0] != lines[:, 1]]

    def count_crossed(points: np.ndarray) -> int:
        distances, _ = find_line_distances(points, lines)
        return int((distances < radii[:, None] + OFF_LINE / 2).sum())

    free = np.zeros(40, dtype=bool)
    before = make_room_for_labels(places, radii, widths, NO_LINES, fixed=free)
    after = make_room_for_labels(places, radii, widths, lines, fixed=free)
    assert count_crossed(before) > 20 and count_crossed(after) < 0.3 * count_crossed(before)
    assert count_overlaps(after, radii, widths) == 0
    again = make_room_for_labels(places, radii, widths, lines, fixed=free)
    np.testing.assert_array_equal(after, again)


def test_a_node_exactly_on_a_line_is_moved_off_it() -> None:
    places = np.array([[0.0, 0.0], [400.0, 0.0], [200.0, 0.0]])
    radii, widths = np.full(3, 8.0), np.full(3, 20.0)
    fixed = np.array([True, True, False])
    moved = make_room_for_labels(places, radii, widths, np.array([[0, 1]]), fixed=fixed)
    assert (moved[:2] == places[:2]).all() and abs(moved[2, 1]) > 8.0 + OFF_LINE / 2


def test_only_new_nodes_and_their_lines_are_examined(monkeypatch) -> None:
    random = np.random.default_rng(4)
    n = 60
    places = random.normal(0, 300, (n, 2))
    pairs = random.integers(0, n, (120, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    fixed = np.arange(n) > 1
    examined: list[int] = []
    find = label_room.find_line_distances

    def count(points, lines, rows=None):
        found = find(points, lines, rows)
        examined.append(found[0].size)
        return found

    monkeypatch.setattr(label_room, "find_line_distances", count)
    found = make_room_for_labels(places, np.full(n, 9.0), np.full(n, 60.0), pairs, fixed=fixed)
    assert (found[2:] == places[2:]).all() and (found[:2] != places[:2]).any()
    n_loose = int((pairs < 2).any(1).sum())
    assert len(examined) > 3
    # once all pairs of what does not move; then in each round only the others
    assert max(examined[1:]) <= max(2 * len(pairs), n * n_loose) < examined[0] / 4
