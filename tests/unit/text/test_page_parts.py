"""What a rectangle on a page snaps to: lines, figures and tables with their captions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.text.page_parts import (
    PlacedFigure,
    find_block,
    find_page_parts,
    is_sideways,
    snap_box,
    snap_sides,
)
from desktop_app.engine.text.page_rotation import rotate_letters
from desktop_app.engine.text.pdf_pages import PageLetters

WIDTH, HEIGHT = 600.0, 800.0
LETTER, LINE = 0.01, 0.012


def no_ink(box):
    return None


def build_page(*lines: tuple[float, float, str]) -> tuple[str, PageLetters]:
    """Return the text and the letters of a page with lines at (left, top)."""
    text, offsets, boxes = "", [], []
    for left, top, words in lines:
        for number, char in enumerate(words):
            if char != " ":
                offsets.append(len(text) + number)
                x = left + number * LETTER
                boxes.append((x, top, x + LETTER, top + LINE))
        text += words + "\n"
    return text, PageLetters(np.array(offsets), np.array(boxes, dtype=float), WIDTH, HEIGHT)


def find_parts(page, figures=()):
    text, letters = page
    return find_page_parts(letters, text, (0, len(text)), figures)


PROSE = [(0.1, 0.1 + 0.02 * n, "the quick brown fox jumps over the lazy dog") for n in range(20)]


def test_a_rectangle_takes_whole_lines():
    parts = find_parts(build_page(*PROSE))
    assert len(parts.lines) == 20
    # from the middle of the third line to a little of the sixth, half of the width
    left, top, right, bottom = snap_box(parts, (0.2, 0.145, 0.45, 0.203), no_ink)
    assert left <= 0.1 and right >= 0.1 + 43 * LETTER
    assert 0.132 <= top <= 0.14  # the third line is in it, the second is not
    assert 0.172 <= bottom <= 0.2


def test_a_line_of_the_next_column_is_not_taken():
    right_column = [(0.6, top, "another column of text") for _, top, _ in PROSE]
    parts = find_parts(build_page(*PROSE, *right_column))
    _, _, right, _ = snap_box(parts, (0.08, 0.12, 0.62, 0.3), no_ink)
    assert 0.53 <= right <= 0.6


def test_a_figure_is_taken_with_its_caption_and_labels():
    page = build_page(*PROSE[:3], (0.3, 0.3, "a label"), (0.15, 0.42, "Figure 1: A drawing."), *[
        (0.1, 0.46, "the text goes on below it")
    ])  # fmt: skip
    start = page[0].find("Figure 1")
    figure = PlacedFigure((0.12, 0.2, 0.5, 0.4), start, start + len("Figure 1: A drawing."))
    parts = find_parts(page, [figure])
    loose = snap_box(parts, (0.05, 0.19, 0.48, 0.37), no_ink)
    left, top, right, bottom = loose
    assert left <= 0.12 and top <= 0.2 and right >= 0.5 and 0.432 <= bottom <= 0.46
    clicked = find_block(parts, 0.3, 0.25, no_ink)
    assert clicked is not None and clicked[1] <= 0.2 and 0.432 <= clicked[3] <= 0.46
    assert find_block(parts, 0.3, 0.11, no_ink) is None


def test_a_part_of_a_figure_is_no_figure():
    page = build_page((0.15, 0.8, "Figure 1: Many small drawings."))
    figure = PlacedFigure((0.1, 0.1, 0.9, 0.78), 0, 30)
    box = (0.1, 0.1, 0.5, 0.4)
    assert snap_box(find_parts(page, [figure]), box, lambda box: box) == pytest.approx(
        (0.095, 0.09625, 0.505, 0.40375)
    )


def test_a_table_is_taken_with_a_title_of_two_lines_and_its_rules():
    rows = [(0.1, 0.3 + 0.02 * n, "site | mean | flow") for n in range(5)]
    page = build_page(
        (0.1, 0.2, "text above the table"),
        (0.1, 0.256, "Table 2"),
        (0.1, 0.272, "Means for all sites"),
        *rows,
        (0.1, 0.5, "text below the table"),
    )
    rule = (0.09, 0.25, 0.62, 0.41)
    found = find_block(
        find_parts(page),
        0.2,
        0.35,
        lambda box: (
            *(max(a, b) for a, b in zip(box[:2], rule[:2], strict=True)),
            *(min(a, b) for a, b in zip(box[2:], rule[2:], strict=True)),
        ),
    )
    assert found is not None
    left, top, right, bottom = found
    assert 0.212 <= top <= 0.256 and left <= 0.1 and 0.4 <= bottom < 0.5
    assert right > 0.28  # the letters end there, the rules do not


def test_white_at_the_edges_is_cut():
    parts = find_parts(build_page())
    ink = (0.3, 0.3, 0.5, 0.5)
    found = snap_box(parts, (0.1, 0.1, 0.9, 0.9), lambda box: ink)
    assert found == pytest.approx((0.295, 0.29625, 0.505, 0.50375))


def test_a_page_of_which_nothing_is_known_keeps_the_rectangle():
    box = (0.1, 0.2, 0.6, 0.7)
    found = snap_box(find_parts(build_page()), box, no_ink)
    assert all(abs(a - b) < 0.01 for a, b in zip(found, box, strict=True))


@given(st.tuples(*[st.floats(0.02, 0.9)] * 2), st.tuples(*[st.floats(0.03, 0.6)] * 2))
def test_no_side_cuts_a_line(corner, size):
    right_column = [(0.6, 0.104 + 0.021 * n, "another column of text") for n in range(20)]
    parts = find_parts(build_page(*PROSE, *right_column))
    box = (*corner, min(1.0, corner[0] + size[0]), min(1.0, corner[1] + size[1]))
    left, top, right, bottom = snap_box(parts, box, no_ink)
    assert left < right and top < bottom
    for line in parts.lines:
        across = min(right, line[2]) - max(left, line[0])
        down = min(bottom, line[3]) - max(top, line[1])
        if across > 1e-6 and down > 1e-6:  # in it, at least but for what two columns overlap
            assert left <= line[0] + 1e-6 and right >= line[2] - 1e-6
            assert down > 0.6 * LINE


def test_a_running_head_is_not_cut_though_the_text_is_without_it():
    text, letters = build_page(*PROSE)
    head = [(0.3 + n * LETTER, 0.05, 0.3 + (n + 1) * LETTER, 0.05 + LINE) for n in range(15)]
    letters = replace(letters, others=np.array(head))
    parts = find_parts((text, letters))
    assert len(parts.lines) == 21
    cuts_it = (0.08, 0.055, 0.6, 0.2)  # most of its height
    assert snap_box(parts, cuts_it, no_ink)[1] <= 0.05
    touches_it = (0.08, 0.06, 0.6, 0.2)
    assert 0.062 <= snap_box(parts, touches_it, no_ink)[1] <= 0.1
    turned = find_page_parts(rotate_letters(letters, 2), text, (0, len(text)), ())
    assert any(line[1] == pytest.approx(1 - 0.05 - LINE) for line in turned.lines)


def test_a_moved_side_goes_to_the_end_of_a_line_and_the_others_stay():
    parts = find_parts(build_page(*PROSE))
    before = (0.09, 0.135, 0.6, 0.235)
    found = snap_sides(parts, before, (0.09, 0.135, 0.6, 0.2695))
    assert found[:3] == before[:3]
    assert 0.272 < found[3] <= 0.272 + 3 / HEIGHT + 1e-9  # not at the letters themselves


def test_the_side_of_a_kept_figure_may_leave_the_caption_out():
    page = build_page((0.15, 0.42, "Figure 1: A drawing."))
    parts = find_parts(page, [PlacedFigure((0.12, 0.2, 0.5, 0.4), 0, 20)])
    before = (0.11, 0.19, 0.51, 0.44)
    found = snap_sides(parts, before, (0.11, 0.19, 0.51, 0.41))
    assert found[3] == pytest.approx(0.4 + 3 / HEIGHT) and found[:3] == before[:3]


def test_a_sideways_page_is_known():
    _, letters = build_page(*PROSE)
    assert not is_sideways(letters)
    assert is_sideways(rotate_letters(letters, 1))
    assert not is_sideways(PageLetters(np.zeros(0), np.zeros((0, 4)), WIDTH, HEIGHT))
