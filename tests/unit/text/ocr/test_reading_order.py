"""Lines of a page are put in the order in which they are read."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from desktop_app.engine.text.ocr.reading_order import LineBox, Order, find_order

Rectangle = tuple[float, float, float, float]  # left, top, right, bottom
HEIGHT, PITCH = 20.0, 30.0
PAGE = (1000.0, 1400.0)


def box(left: float, top: float, right: float, bottom: float | None = None) -> Rectangle:
    return left, top, right, top + HEIGHT if bottom is None else bottom


def column(left: float, right: float, top: float, n: int, last: float = 1.0) -> list[Rectangle]:
    """Return n lines of a column; the last one takes this share of the width."""
    made = [box(left, top + i * PITCH, right) for i in range(n)]
    x0, y0, x1, y1 = made[-1]
    made[-1] = (x0, y0, x0 + last * (x1 - x0), y1)
    return made


def to_line(rectangle: Rectangle, *, is_vertical: bool = False) -> LineBox:
    x0, y0, x1, y1 = rectangle
    return LineBox(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), is_vertical)


def rotate(line: LineBox, degrees: float) -> LineBox:
    """Return a line of a page that is turned clockwise around its middle."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x0, y0 = PAGE[0] / 2, PAGE[1] / 2
    return LineBox(
        tuple(
            (x0 + (x - x0) * c - (y - y0) * s, y0 + (x - x0) * s + (y - y0) * c)
            for x, y in line.corners
        ),
        line.is_vertical,
    )


def sort(rectangles: Sequence[Rectangle], turn: float = 0.0, told: int = 0) -> Order:
    """Return the order of lines that are given in a mixed order; indexes are those of the list."""
    mixed = sorted(range(len(rectangles)), key=lambda i: (i * 7919) % 101)
    lines = [rotate(to_line(rectangles[i]), turn) for i in mixed]
    order = find_order(lines, told)
    return Order(
        tuple(
            type(row)(tuple(mixed[i] for i in row.boxes), row.block, row.is_indented)
            for row in order.rows
        ),
        order.is_certain,
        order.angle,
    )


def indexes(order: Order) -> list[int]:
    return [i for row in order.rows for i in row.boxes]


def test_a_page_without_lines_has_no_order():
    assert find_order([]) == Order((), True)


def test_one_column_is_read_from_top_to_bottom():
    order = sort(column(100, 900, 100, 30, 0.4))
    assert indexes(order) == list(range(30))
    assert order.is_certain
    assert {row.block for row in order.rows} == {1}


def test_the_left_column_is_read_before_the_right_one():
    order = sort([*column(80, 470, 100, 30), *column(530, 920, 100, 30, 0.5)])
    assert indexes(order) == list(range(60))
    assert order.is_certain
    assert len({row.block for row in order.rows}) == 2


def test_three_columns_are_read_from_left_to_right():
    rectangles = [
        *column(50, 330, 100, 20),
        *column(370, 650, 100, 20),
        *column(690, 970, 100, 20),
    ]
    assert indexes(sort(rectangles)) == list(range(60))


def test_columns_whose_lines_are_not_beside_each_other_are_columns():
    order = sort([*column(80, 470, 100, 30), *column(530, 920, 113, 29)])
    assert indexes(order) == list(range(59))
    assert order.is_certain


def test_headings_across_the_columns_divide_them():
    title = [box(200, 60, 800, 100)]
    first = [*column(80, 470, 140, 8), *column(530, 920, 140, 8)]
    heading = [box(80, 420, 920)]
    second = [*column(80, 470, 470, 10), *column(530, 920, 470, 10)]
    rectangles = [*title, *first, *heading, *second]
    order = sort(rectangles)
    assert indexes(order) == list(range(len(rectangles)))
    assert order.is_certain


def test_header_page_number_and_footer_are_first_and_last():
    header = [box(80, 30, 300), box(850, 30, 900)]
    body = [*column(80, 470, 120, 25), *column(530, 920, 120, 25)]
    number = [box(80, 950, 110)]  # below the left column
    rectangles = [*header, *body, *number]
    order = sort(rectangles)
    assert indexes(order) == list(range(len(rectangles)))
    assert order.rows[0].boxes == (0, 1)  # one row


def test_parts_of_one_line_are_one_row():
    rectangles = [box(100, 100, 300), box(320, 102, 500, 121), *column(100, 900, 130, 5)]
    order = sort(rectangles)
    assert order.rows[0].boxes == (0, 1)
    assert len(order.rows) == 6


def test_a_table_is_read_by_rows():
    cells = [
        box(left, 100 + i * PITCH, left + width)
        for i in range(12)
        for left, width in ((100, 60 + 40 * (i % 3)), (400, 40), (700, 50))
    ]
    order = sort(cells)
    assert indexes(order) == list(range(len(cells)))
    assert all(len(row.boxes) == 3 for row in order.rows)


def test_the_first_line_of_a_paragraph_is_indented():
    lines = column(100, 900, 100, 12)
    for i in (0, 5, 9):
        x0, y0, x1, y1 = lines[i]
        lines[i] = (x0 + 45, y0, x1, y1)
    order = sort(lines)
    assert [i for i, row in enumerate(order.rows) if row.is_indented] == [0, 5, 9]


@pytest.mark.parametrize("degrees", [-4.0, -2.0, 1.0, 2.0, 5.0])
def test_an_inclined_page_is_read_as_an_upright_one(degrees: float):
    rectangles = [box(200, 60, 800), *column(80, 470, 120, 30), *column(530, 920, 120, 30)]
    order = sort(rectangles, degrees)
    assert indexes(order) == list(range(61))
    assert order.angle == pytest.approx(degrees, abs=0.1)
    assert order.is_certain


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_is_read_as_an_upright_one(turn: int):
    rectangles = [box(200, 60, 800), *column(80, 470, 120, 30), *column(530, 920, 120, 30)]
    order = sort(rectangles, turn, turn)
    assert indexes(order) == list(range(61))
    assert order.is_certain
    inclined = sort(rectangles, turn + 2, turn)
    assert indexes(inclined) == list(range(61))
    assert inclined.angle == pytest.approx(2, abs=0.1)


def test_vertical_lines_are_read_from_right_to_left():
    lines = [to_line((900 - 50 * i, 100, 930 - 50 * i, 1200), is_vertical=True) for i in range(12)]
    order = find_order(lines[::-1])
    assert indexes(order) == list(range(11, -1, -1))
    assert order.is_certain


def test_two_tiers_of_vertical_lines_are_read_one_after_the_other():
    upper = [(900 - 50 * i, 100, 930 - 50 * i, 600) for i in range(12)]
    lower = [(900 - 50 * i, 660, 930 - 50 * i, 1160) for i in range(12)]
    lines = [to_line(r, is_vertical=True) for r in (*upper, *lower)]
    assert indexes(find_order(lines)) == list(range(24))


def test_a_page_with_lines_in_both_directions_is_uncertain():
    lines = [to_line(r) for r in column(100, 600, 100, 10)]
    lines += [to_line((900 - 50 * i, 100, 930 - 50 * i, 900), is_vertical=True) for i in range(4)]
    assert not find_order(lines).is_certain


def test_lines_at_different_angles_are_uncertain():
    lines = [to_line(r) for r in column(100, 900, 100, 6)]
    lines += [rotate(to_line(r), 25) for r in column(100, 900, 700, 6)]
    assert not find_order(lines).is_certain


def test_lines_that_lie_on_each_other_are_uncertain():
    rectangles = column(100, 900, 100, 10)
    shifted = [(x0, y0 + 6, x1, y1 + 6) for x0, y0, x1, y1 in rectangles]
    assert not sort([*rectangles, *shifted]).is_certain


def test_short_lines_in_two_aligned_columns_are_uncertain():
    rectangles = [
        *[box(100, 100 + i * PITCH, 180 + 35 * (i % 7)) for i in range(20)],
        *[box(550, 100 + i * PITCH, 640 + 40 * (i % 5)) for i in range(20)],
    ]
    assert not sort(rectangles).is_certain
