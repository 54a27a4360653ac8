"""Tests positions of characters on PDF pages: changed text, rotation, another order."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.text.pdf_positions import (
    PDFIUM_LOCK,
    locate_characters,
    match_characters,
    open_pdf,
)
from tests.ui.reader.conftest import PAGE_LINES, make_pdf

TEXT = " ".join(PAGE_LINES[0])


def matched(here: str, there: str) -> str:
    """Return the matched parts of `there` in the order of `here`."""
    return "".join(there[place] for _, place in match_characters(here, there))


@pytest.fixture
def letters_of_page():
    documents = []

    def find(rotate: int = 0, text: str = TEXT):
        document = open_pdf(make_pdf(rotate=rotate))
        documents.append(document)
        return locate_characters(document, 0, text)

    yield find
    with PDFIUM_LOCK:
        for document in documents:
            document.close()


def test_the_same_text_is_matched_character_by_character():
    assert matched("One, two: three.", "One, two: three.") == "One,two:three."


def test_a_word_joined_over_a_line_break_is_matched():
    assert matched("an example.", "an exam-\r\nple.") == "anexample."


def test_ligatures_and_another_order_are_matched():
    here = "Second column with words. First column, efficient and long."
    there = "First column, e\ufb03cient and long. Second column with words."
    assert matched(here, there).startswith("Secondcolumnwithwords.")
    assert matched(here, there).endswith("cientandlong.")


def test_letters_with_accents_of_their_own_are_matched():
    assert matched("Jędrzej Pérez", "J\u02dbedrzej P\xb4erez") == "JedrzejPerez"


def test_chinese_characters_are_matched():
    assert matched("宋江道：“好。”", "宋江道：“好。”") == "宋江道：“好。”"


def test_every_character_has_the_position_where_it_is_drawn(letters_of_page):
    offsets, boxes, others = letters_of_page()
    assert len(others) == 0
    assert "".join(TEXT[i] for i in offsets) == TEXT.replace(" ", "")
    assert (np.diff(offsets) > 0).all()
    first_line = boxes[offsets < len(PAGE_LINES[0][0])]
    assert (np.diff(first_line[:, 0]) > 0).all()
    assert first_line[0, 0] == pytest.approx(40 / 300, abs=0.02)
    second_line = boxes[offsets > len(PAGE_LINES[0][0])]
    assert second_line[:, 1].min() > first_line[:, 1].max()


def test_letters_that_are_not_in_the_text_have_their_place_too(letters_of_page):
    _, whole, _ = letters_of_page()
    first_line = PAGE_LINES[0][0]
    offsets, boxes, others = letters_of_page(text=TEXT.removeprefix(first_line).lstrip())
    assert len(offsets) + len(others) <= len(whole)  # signs are no letters
    assert len(others) == sum(char.isalnum() for char in first_line)
    assert others[:, 3].max() < boxes[:, 1].min()


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_positions_follow_the_rotation_of_the_page(letters_of_page, rotate):
    _, boxes, _ = letters_of_page(rotate)
    x, y = {90: (0.86, 0.14), 180: (0.86, 0.86), 270: (0.14, 0.86)}[rotate]
    assert (boxes[0, 0] + boxes[0, 2]) / 2 == pytest.approx(x, abs=0.06)
    assert (boxes[0, 1] + boxes[0, 3]) / 2 == pytest.approx(y, abs=0.06)


def test_text_that_is_not_on_the_page_has_no_positions(letters_of_page):
    offsets, boxes, _ = letters_of_page(text="12345 67890 98765")
    assert len(offsets) == 0
    assert boxes.shape == (0, 4)
