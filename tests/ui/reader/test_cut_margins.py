"""The margins of pages are cut while the zoom follows the width of the text."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor

from desktop_app.engine.model import Page
from desktop_app.engine.text.page_ink import find_ink_columns
from desktop_app.engine.text.pdf_pages import PageLetters, PagePicture
from desktop_app.ui.reader.pdf.layout import (
    GAP,
    KEPT_WHITE,
    TEXT_MARGIN,
    TextBlock,
    find_column_start,
    find_trim,
    place_pages,
)

from .conftest import make_pdf

BLOCK = TextBlock(width=240.0, shift=0.0, letter_height=10.0, page_width=400.0)  # 0.2 to 0.8
LINES = tuple(f"Line {n} of the ferry timetable" for n in range(8))


def _ink(*spans: tuple[float, float]) -> np.ndarray:
    middles = (np.arange(400) + 0.5) / 400
    printed = np.zeros(400, bool)
    for low, high in spans:
        printed |= (middles > low) & (middles < high)
    return printed


def _letters(*boxes: tuple[float, float, float, float]) -> PageLetters:
    return PageLetters(np.arange(len(boxes)), np.array(boxes).reshape(-1, 4), 400.0, 600.0)


def _column(x: float, *, upwards: bool) -> list[tuple[float, float, float, float]]:
    ys = [0.3 + 0.02 * n for n in range(12)]
    return [(x, y, x + 0.02, y + 0.018) for y in (reversed(ys) if upwards else ys)]


def test_the_text_and_everything_printed_beside_it_stay():
    none = _letters()
    assert find_trim(BLOCK, 400.0, None, None) == pytest.approx((0.2, 0.8))  # not known yet
    assert find_trim(BLOCK, 400.0, _ink((0.2, 0.8)), none) == pytest.approx((0.2, 0.8))
    wide = find_trim(BLOCK, 400.0, _ink((0.2, 0.8), (0.85, 0.95)), none)
    assert wide == pytest.approx((0.2, 0.95), abs=0.003)
    assert find_trim(BLOCK, 400.0, _ink(), none) == pytest.approx((0.2, 0.8))  # a blank page


def test_a_line_read_upwards_is_margin_and_numbers_of_lines_are_not():
    ink = _ink((0.04, 0.06), (0.2, 0.8))
    stamp, numbers = (_letters(*_column(0.04, upwards=up)) for up in (True, False))
    assert find_trim(BLOCK, 400.0, ink, stamp) == pytest.approx((0.2, 0.8))
    assert find_trim(BLOCK, 400.0, ink, numbers)[0] == pytest.approx(0.04, abs=0.003)


def test_a_page_of_another_width_is_shown_whole():
    assert find_trim(BLOCK, 600.0, _ink((0.4, 0.5)), _letters()) == (0.0, 1.0)


@pytest.mark.parametrize("width", [3, 399, 400, 918])
def test_columns_with_ink_are_at_their_shares_of_the_page(width):
    pixels = np.full((50, width, 4), 255, np.uint8)
    pixels[10:20, width // 2 :] = 0
    pixels[30, 0] = 0  # one pixel is dirt
    picture = PagePicture(0, 1.0, width, 50, 4 * width, pixels.tobytes())
    columns = find_ink_columns(picture)
    assert len(columns) == min(400, width)
    assert float(np.argmax(columns)) / len(columns) == pytest.approx(0.5, abs=2 / width)
    assert columns[-1] and not columns[0]


@pytest.fixture
def timetable(books, context, monkeypatch):
    """Two pages with eight lines each, in a page of 300 points."""
    books.original = make_pdf([LINES, LINES])
    part = " ".join(LINES)
    books.text = f"{part}\n\n{part}"
    second = len(part) + 2
    books.pages = [Page(0, "1", 0, len(part)), Page(1, "2", second, second + len(part))]
    monkeypatch.setattr(context.library_reader, "fetch_outline", lambda document_id: [])
    context.library_reader.texts[5] = books.text
    return books


def _wait_for_ink(qtbot, view, *indexes: int) -> None:
    qtbot.waitUntil(
        lambda: all(
            view.worker.ink_columns(i) is not None and view.worker.letters(i) is not None
            for i in indexes
        )
    )


def test_a_page_ends_beside_its_text(qtbot, opened, timetable):
    reader = opened(5)
    view = reader.pdf_view
    reader.resize(1000, 900)
    qtbot.waitUntil(lambda: view.card_rect(0).width() < view.page_rect(0).width())
    _wait_for_ink(qtbot, view, 0)
    place, card = view.page_rect(0), view.card_rect(0)
    boxes = view.worker.letters(0).boxes
    left = place.left() + boxes[:, 0].min() * place.width()
    right = place.left() + boxes[:, 2].max() * place.width()
    assert card.left() == pytest.approx(left - TEXT_MARGIN, abs=8)
    assert card.right() == pytest.approx(right + TEXT_MARGIN, abs=8)
    image = view.grab().toImage()
    y = round(card.center().y())
    ground = QColor(view.look.color("sunken")).name()
    assert image.pixelColor(round(card.left()) - 4, y).name() == ground  # page margin, cut
    assert image.pixelColor(round(card.left()) + 4, y).name() == "#ffffff"
    bar = view.verticalScrollBar()
    assert bar.value() == bar.minimum() == 0  # the thumb begins with what is shown
    _wait_for_ink(qtbot, view, 0, 1)
    first, second = view.card_rect(0), view.card_rect(1)
    assert second.top() - first.bottom() == pytest.approx(GAP, abs=2)
    for index in (0, 1):  # above the first and below the last row
        boxes = view.worker.letters(index).boxes
        place, card = view.page_rect(index), view.card_rect(index)
        above = place.top() + boxes[:, 1].min() * place.height() - card.top()
        below = card.bottom() - place.top() - boxes[:, 3].max() * place.height()
        # the box of a letter is higher than its ink
        assert 0.5 * KEPT_WHITE < above < 1.3 * KEPT_WHITE
        assert 0.5 * KEPT_WHITE < below < 1.3 * KEPT_WHITE
    low = QPointF(first.center().x(), first.bottom() - 2)
    assert view.offset_at(low.x(), low.y()) <= timetable.pages[0].end  # not of the next page
    left, top, right, bottom = view.shown_part(0)
    assert 0 < left < right < 1 and 0 < top < bottom < 1
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: view.card_rect(1).bottom() < view.page_rect(1).bottom())  # once drawn
    foot = view.card_rect(1).bottom()
    assert bar.value() == bar.maximum() and foot <= view.viewport().height()
    first_mark, last_mark = view.shares(np.array([0, len(view.text)]))
    assert 0 <= first_mark < 0.1 and 0.5 < last_mark <= 1
    view.fit_width()
    assert bar.minimum() == 0
    assert view.card_rect(0) == view.page_rect(0)  # any other zoom shows whole pages
    reader.head.fit_text.trigger()
    reader.head.single.trigger()
    assert view.card_rect(0) == view.page_rect(0)


def test_two_pages_meet_at_their_cut_margins(qtbot, opened, timetable):
    reader = opened(5)
    view = reader.pdf_view
    reader.resize(1200, 900)
    reader.head.facing.trigger()
    assert reader.head.facing.isChecked() and view.per_row == 2
    _wait_for_ink(qtbot, view, 0, 1)
    first, second = view.card_rect(0), view.card_rect(1)
    assert second.left() - first.right() == pytest.approx(GAP, abs=2)
    assert first.left() >= 0 and second.right() <= view.viewport().width()
    assert reader.page_bar.field.text() == "1–2" and not reader.page_bar.next.isEnabled()
    for index in (0, 1):  # the first letter of each page is found at its left edge
        box = view.worker.letters(index).boxes[0]
        place = view.page_rect(index)
        x = place.left() + (box[0] + 0.001) * place.width()
        y = place.top() + (box[1] + box[3]) / 2 * place.height()
        assert view.is_text_at(x, y) and view.offset_at(x, y) == timetable.pages[index].start
    reader.page_bar.page_entered.emit("1–2")  # as the field shows it
    assert view.current_page() == 0
    reader.head.facing.trigger()
    assert not view.facing and reader.page_bar.field.text() == "1"


def test_a_cover_alone_puts_odd_pages_at_the_right():
    sizes, blanks = [(600.0, 800.0)] * 4, np.tile([0.1, 0.2], (4, 1))
    placed = place_pages(sizes, 1200, 800, 1.0, False, True, cover=True, blanks=blanks)
    assert [placed.row(i) for i in range(4)] == [range(1), range(1, 3), range(1, 3), range(3, 4)]
    assert [placed.is_right(i) for i in range(4)] == [True, False, True, False]
    assert placed.shifts[0] > 0 > placed.shifts[1]
    assert placed.begins[1] == placed.begins[2] == pytest.approx(placed.ends[0] + GAP)
    assert placed.page_at(placed.begins[2] + 5) == 1
    assert placed.pages_between(placed.begins[1], placed.begins[1] + 9) == [1, 2]


def test_of_two_pages_beside_each_other_the_smaller_white_part_is_cut():
    blanks = np.array([[0.3, 0.0], [0.1, 0.2], [0.0, 0.0]])
    placed = place_pages([(600.0, 800.0)] * 3, 1200, 800, 1.0, False, True, blanks=blanks)
    height = 800 * placed.scales[0]
    cut = 0.1 * height - KEPT_WHITE
    assert placed.begins[:2] - placed.tops[:2] == pytest.approx(cut)
    assert placed.ends[:2] - placed.begins[:2] == pytest.approx(height - cut)
    assert placed.begins[2] == placed.tops[2] == pytest.approx(placed.ends[1] + GAP)


def test_a_column_begins_after_a_gap_that_is_wider_than_a_space():
    # two columns of three words each, then another line; letters of 10 by 10 points
    lefts = [20.0, 32, 48, 60, 200, 212, 230, 242]
    boxes = [[x / 400, 0.1, (x + 10) / 400, 0.12] for x in lefts]
    boxes.append([0.01, 0.2, 0.035, 0.22])
    letters = PageLetters(np.arange(9), np.array(boxes), 400.0, 500.0)
    left, room = find_column_start(letters, tuple(boxes[7]))
    assert (left * 400, room * 400) == pytest.approx((200, 130))
    left, room = find_column_start(letters, tuple(boxes[3]))
    assert (left * 400, room * 400) == pytest.approx((20, 20))
