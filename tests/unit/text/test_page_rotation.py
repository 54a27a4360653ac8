"""Rotation of boxes, pixels, parts and letters by quarters: each has its place, four are none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.text.page_rotation import (
    rotate_box,
    rotate_letters,
    rotate_part,
    rotate_picture,
    rotate_point,
    rotate_size,
)
from desktop_app.engine.text.pdf_pages import PageLetters, PagePicture

SHARES = st.floats(0.0, 1.0)


def test_a_turn_right_brings_the_top_left_corner_to_the_top_right():
    assert rotate_point(0.0, 0.0, 1) == (1.0, 0.0)
    assert rotate_point(0.0, 0.0, 2) == (1.0, 1.0)
    assert rotate_point(0.0, 0.0, 3) == (0.0, 1.0)
    assert rotate_point(0.25, 0.125, 0) == (0.25, 0.125)


def test_only_quarters_swap_the_sides_of_a_page():
    assert [rotate_size((300, 400), rotation) for rotation in range(4)] == [
        (300, 400), (400, 300), (300, 400), (400, 300),
    ]  # fmt: skip


@given(SHARES, SHARES, SHARES, SHARES, st.integers(0, 3))
def test_a_box_that_is_rotated_back_is_the_same(x1, y1, x2, y2, rotation):
    box = min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
    rotated = rotate_box(box, rotation)
    assert rotated[0] <= rotated[2] and rotated[1] <= rotated[3]
    assert rotate_box(rotated, -rotation % 4) == pytest.approx(box, abs=1e-9)


@given(SHARES, SHARES, SHARES, SHARES, st.integers(0, 3))
def test_letters_are_rotated_as_their_boxes_are(x1, y1, x2, y2, rotation):
    box = min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
    letters = PageLetters(np.array([7], np.int32), np.array([box], np.float32), 300, 400)
    rotated = rotate_letters(letters, rotation)
    assert rotated.boxes[0].tolist() == pytest.approx(rotate_box(box, rotation), abs=1e-6)
    assert (rotated.width, rotated.height) == rotate_size((300, 400), rotation)
    assert rotated.offsets.tolist() == [7]


def picture(pixels: np.ndarray, left: int = 0, top: int = 0, padding: int = 0) -> PagePicture:
    height, width = pixels.shape
    rows = np.zeros((height, width * 4 + padding), np.uint8)
    rows[:, : 4 * width : 4] = pixels
    return PagePicture(0, 1.0, width, height, rows.shape[1], rows.tobytes(), left, top)


def values(made: PagePicture) -> np.ndarray:
    rows = np.frombuffer(made.pixels, np.uint8).reshape(made.height, made.stride)
    return rows[:, : 4 * made.width : 4]


@pytest.mark.parametrize("rotation", range(4))
def test_a_part_of_a_rotated_page_is_the_same_part_of_the_page_that_is_rotated(rotation):
    whole = np.arange(5 * 7, dtype=np.uint8).reshape(5, 7)
    rotated = values(rotate_picture(picture(whole, padding=8), (7, 5), rotation))
    left, top, right, bottom = 1, 2, 4, 5
    cut = picture(whole[top:bottom, left:right], left, top)
    made = rotate_picture(cut, (7, 5), rotation)
    place = rotate_part((left, top, right, bottom), (7, 5), rotation)
    assert (made.left, made.top) == place[:2]
    assert (made.left + made.width, made.top + made.height) == place[2:]
    assert (rotated[place[1] : place[3], place[0] : place[2]] == values(made)).all()


def test_a_turn_right_puts_the_first_column_on_top():
    made = rotate_picture(picture(np.array([[1, 2], [3, 4], [5, 6]], np.uint8)), (2, 3), 1)
    assert values(made).tolist() == [[5, 3, 1], [6, 4, 2]]
