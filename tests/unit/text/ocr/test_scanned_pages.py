"""Lines of a page as text, as stored data, with corrections, and their places."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from desktop_app.engine.scanned_pages import (
    LineCorrection,
    ScannedLine,
    ScannedPage,
    build_text,
    check_scanned_page,
    correct_lines,
    measure_words,
    pack_page,
    place_lines,
    split_words,
    unpack_page,
)
from desktop_app.engine.text.ocr.positions import find_boxes, locate_letters


def line(text: str, row: int = 0, top: float = 0.1, **more: object) -> ScannedLine:
    corners = (0.1, top, 0.9, top, 0.9, top + 0.02, 0.1, top + 0.02)
    return ScannedLine(corners, text, 0.9, row=row, **more)  # type: ignore[arg-type]


PAGE = ScannedPage((line("The old ferry-", 0, 0.1), line("man waits.", 1, 0.2)), engine="test/1")


def test_rows_are_lines_and_parts_of_a_row_stand_in_one_line():
    lines = [line("Left"), line("right"), line("below", 1, is_indented=True)]
    assert build_text(lines) == "Left right\n  below"
    assert [build_text(lines)[a:b] for a, b in place_lines(lines)] == ["Left", "right", "below"]


def test_words_are_blanks_and_changes_to_wide_characters_apart():
    text = "商品 worth 12元"
    assert [text[a:b] for a, b in split_words(text)] == ["商品", "worth", "12", "元"]


def test_the_places_of_words_are_measured_from_those_of_characters():
    places = (0.1, 0.2, 0.5, 0.7, 0.8)
    assert measure_words("ab cd", places) == (50, 250, 650, 850)
    assert measure_words("ab", (0.1,)) == ()


def test_a_page_is_stored_and_read_again():
    first = replace(PAGE.lines[0], words=(0, 250, 300, 500, 520, 1000))
    page = replace(PAGE, lines=(first, PAGE.lines[1]), turn=90, angle=1.25, is_certain=False)
    again = unpack_page(pack_page(page))
    assert pack_page(again) == pack_page(page)
    assert again.lines[0].words == first.words
    assert (again.turn, again.angle, again.is_certain) == (90, 1.25, False)


@pytest.mark.parametrize("stored", ["", "{}", "[1]", '{"lines": 3}', "[" * 5000])
def test_what_is_no_page_is_an_empty_one(stored: str):
    assert unpack_page(stored) == ScannedPage()


@pytest.mark.parametrize(
    "change",
    [
        {"turn": 45},
        {"angle": float("nan")},
        {"lines": [[0.1] * 7]},
        {"lines": [[*[5.0] * 8, "text", 0.5, [], 0, 0, 0, 0]]},
        {"lines": [[*[0.1] * 8, "text", 7, [], 0, 0, 0, 0]]},
        {"lines": [[*[0.1] * 8, 12, 0.5, [], 0, 0, 0, 0]]},
    ],
)
def test_a_strange_page_is_refused(change: dict[str, object]):
    data = {**json.loads(pack_page(PAGE)), **change}
    with pytest.raises((ValueError, TypeError, LookupError)):
        check_scanned_page(data)


def test_a_correction_holds_when_boxes_moved_a_little():
    correction = LineCorrection(0.5, 0.21, "man waits.", "man waited.")
    read_again = replace(PAGE, lines=(line("The old ferry-"), line("rnan waits.", 1, 0.204)))
    corrected = correct_lines(read_again, [correction])
    assert corrected.lines[0] == read_again.lines[0]
    changed = corrected.lines[1]
    assert (changed.text, changed.before) == ("man waited.", "rnan waits.")
    assert changed.confidence == 1.0
    elsewhere = LineCorrection(0.5, 0.7, "a", "b")
    assert correct_lines(PAGE, [elsewhere]) == PAGE


def test_letters_of_the_text_have_their_places_on_the_picture():
    text = "The old ferryman waits."  # the reader joined the word
    letters = locate_letters(PAGE.lines, text, 100, (600, 800))
    assert letters.offsets[0] == 100
    [boxes] = find_boxes(PAGE.lines, text, [(8, 16)])
    assert len(boxes) == 2  # both lines have a part of it
    first, second = boxes
    assert first[1] == pytest.approx(0.1) and second[1] == pytest.approx(0.2)
    assert first[2] == pytest.approx(0.9 - 0.8 / 14, abs=0.01)  # without the hyphen
    assert second[0] == pytest.approx(0.1)


def test_lines_that_are_not_in_the_text_have_their_place_too():
    letters = locate_letters(PAGE.lines, "man waits.", 0, (600, 800))
    [head] = letters.other_rects()
    assert head[1] == pytest.approx(0.1) and head[3] < 0.2
    whole = "The old ferryman waits."
    assert locate_letters(PAGE.lines, whole, 0, (600, 800)).other_rects() == []


def test_letters_stand_where_their_words_were_measured():
    one = line("ab cd", words=(0, 200, 800, 1000))
    [boxes, none] = find_boxes([one], "ab cd", [(3, 5), (2, 2)])
    assert boxes == [pytest.approx((0.1 + 0.8 * 0.8, 0.1, 0.9, 0.12), abs=1e-4)]
    assert none == []


def test_letters_of_a_column_stand_below_each_other():
    corners = (0.5, 0.1, 0.6, 0.1, 0.6, 0.9, 0.5, 0.9)
    column = ScannedLine(corners, "那日柳三", 0.9, is_vertical=True)
    [[box]] = find_boxes([column], "那日柳三", [(1, 2)])
    assert box == pytest.approx((0.5, 0.3, 0.6, 0.5), abs=1e-4)


def test_letters_of_a_turned_line_stand_as_the_picture_shows_them():
    corners = (0.9, 0.1, 0.9, 0.9, 0.8, 0.9, 0.8, 0.1)  # read from top to bottom
    turned = ScannedLine(corners, "abcd", 0.9)
    [[box], [whole]] = find_boxes([turned], "abcd", [(0, 1), (0, 4)])
    assert whole == pytest.approx((0.8, 0.1, 0.9, 0.9), abs=1e-4)
    assert box == pytest.approx((0.8, 0.1, 0.9, 0.3), abs=1e-4)
