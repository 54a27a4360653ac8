"""Selecting and copying text of a PDF with the mouse."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication

from desktop_app.engine.text.pdf_pages import PageLetters
from desktop_app.ui.reader.look import SEPIA
from desktop_app.ui.reader.passage_actions import build_menu
from desktop_app.ui.reader.pdf.layout import join_boxes
from desktop_app.ui.theme.design_tokens import DARK, LIGHT
from desktop_app.ui.widgets.highlight_colors import COLOR_WORDS, highlight_color

LEFT = Qt.MouseButton.LeftButton


def words_of(menu) -> dict:
    return {action.text(): action for action in menu.actions()}


@pytest.fixture
def pages(qtbot, opened):
    view = opened(5).pdf_view
    qtbot.waitUntil(lambda: view.worker.letters(0) is not None)
    return view


def point_of(view, offset: int, index: int = 0, share: float = 0.05) -> QPoint:
    """Return a point on a character, near its left edge."""
    letters = view.worker.letters(index)
    row = int(np.searchsorted(letters.offsets, offset))
    left, top, right, bottom = letters.boxes[row]
    place = view.page_rect(index)
    x = place.left() + (left + share * (right - left)) * place.width()
    return QPoint(round(x), round(place.top() + (top + bottom) / 2 * place.height()))


def drag(qtbot, view, first: QPoint, last: QPoint) -> None:
    qtbot.mousePress(view.viewport(), LEFT, pos=first)
    qtbot.mouseMove(view.viewport(), last)
    qtbot.mouseRelease(view.viewport(), LEFT, pos=last)


def test_dragging_over_letters_selects_and_copies_exactly_that(qtbot, pages):
    start = pages.text.index("leaves")
    drag(qtbot, pages, point_of(pages, start), point_of(pages, start + 5, share=0.9))
    assert pages.selection.text == "leaves"
    qtbot.keyClick(pages, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "leaves"
    assert pages.worker.letters(0).rects(start, start + 6)


def test_a_selection_spans_lines(qtbot, pages):
    start, end = pages.text.index("dawn"), pages.text.index("waits")
    drag(qtbot, pages, point_of(pages, start), point_of(pages, end + 4, share=0.9))
    assert pages.selection.text == "dawn. Nobody waits"
    assert len(pages.worker.letters(0).rects(*pages.selection.range)) == 2


def test_a_double_click_selects_a_word_and_a_click_beside_the_text_clears(qtbot, pages):
    point = point_of(pages, pages.text.index("ferry") + 2)
    qtbot.mouseDClick(pages.viewport(), LEFT, pos=point)
    assert pages.selection.text == "ferry"
    place = pages.page_rect(0)
    below = QPoint(round(place.center().x()), round(place.bottom() - 20))
    pages.verticalScrollBar().setValue(0)
    qtbot.mouseClick(pages.viewport(), LEFT, pos=below)
    assert pages.selection.range is None


def test_a_drag_started_before_the_letters_are_read_selects(qtbot, pages):
    start = pages.text.index("leaves")
    first, last = point_of(pages, start), point_of(pages, start + 5, share=0.9)
    pages.worker.known_letters.clear()
    qtbot.mousePress(pages.viewport(), LEFT, pos=first)
    qtbot.mouseMove(pages.viewport(), last)
    qtbot.waitUntil(lambda: pages.selection.text == "leaves")
    qtbot.mouseRelease(pages.viewport(), LEFT, pos=last)
    assert pages.selection.text == "leaves"


def test_the_menu_matches_the_selection(qtbot, pages):
    pages.selection.clear()
    assert not words_of(build_menu(pages))["Copy"].isEnabled()
    start = pages.text.index("toll keeper")
    pages.selection.select(start, start + 11)
    offered = words_of(build_menu(pages))
    assert offered["Copy"].isEnabled()
    for words in (
        "Copy with citation",
        "Ask about this passage",
        "Show its names in the graph",
        "Add “toll keeper” as a name…",
        "“toll keeper” is the same as…",
        "Add bookmark",
    ):
        assert words in offered
    name = (start, start + 4, 7, "Toll", "person")
    offered = words_of(build_menu(pages, name))
    assert "Toll is the same as…" in offered
    assert "This is not Toll…" in offered
    assert "Highlight every mention of Toll" in offered


def test_a_passage_is_copied_with_title_and_page(qtbot, opened):
    reader = opened(5)
    view = reader.pdf_view
    start = view.text.index("toll keeper")
    view.selection.select(start, start + 11)
    words_of(build_menu(view))["Copy with citation"].trigger()
    assert QGuiApplication.clipboard().text() == "“toll keeper” (Ferry timetable, p. ii)"


def test_the_nearest_letter_is_in_the_same_column():
    boxes = np.array([[0.1, 0.1, 0.15, 0.13], [0.6, 0.1, 0.65, 0.13]], dtype=np.float32)
    letters = PageLetters(np.array([0, 40]), boxes, 600.0, 800.0)
    assert letters.nearest(0.2, 0.115)[0] == 1
    assert letters.nearest(0.55, 0.115)[0] == 40
    assert letters.nearest(0.2, 0.115)[1] == pytest.approx(30, abs=0.5)
    assert PageLetters(np.array([]), np.zeros((0, 4)), 1, 1).nearest(0.5, 0.5)[0] == 0


def test_a_distant_line_has_its_own_box():
    row = [[x, 0.1, x + 0.02, 0.13] for x in (0.1, 0.12, 0.14, 0.6, 0.62)]
    boxes = np.array(row, dtype=np.float32)
    letters = PageLetters(np.arange(5), boxes, 600.0, 800.0)
    assert [round(box[0], 2) for box in letters.rects(0, 5)] == [0.1, 0.6]


def test_a_right_to_left_line_is_one_line():
    lefts = np.array([0.8, 0.77, 0.74, 0.8, 0.77])
    tops = np.array([0.1, 0.1, 0.1, 0.14, 0.14])
    boxes = np.stack([lefts, tops, lefts + 0.03, tops + 0.02], axis=1)
    letters = PageLetters(np.arange(5), boxes, 600.0, 800.0)
    assert letters.line_begins().tolist() == [0, 3]
    assert len(letters.rects(0, 5)) == 2


def test_overlapping_line_boxes_are_not_painted_twice(qtbot, pages):
    letters = pages.worker.letters(0)
    second = int(letters.line_begins()[1])
    low = letters.boxes[second][1]
    letters.boxes[:second, 3] = low - 0.002
    letters.boxes[second:, 1] = letters.boxes[0][3] - 0.01  # reaches into the line above
    pages.selection.select(0, pages.text.index("waits"))
    image, place = pages.grab().toImage(), pages.page_rect(0)
    x = round(place.left() + (letters.boxes[0][0] + 0.02) * place.width())
    middle = place.top() + (letters.boxes[0][3] - 0.005) * place.height()
    ground = QColor(LIGHT.selection)
    assert image.pixelColor(x, round(middle)).name() == ground.name()


@pytest.mark.parametrize("paper", [LIGHT, DARK, SEPIA], ids=lambda paper: paper.name)
def test_a_selection_differs_from_every_highlight(paper, context):
    selected = QColor(paper.selection)
    for color in COLOR_WORDS:
        saved = highlight_color(context.theme, color, paper=paper)
        apart = [abs(a - b) for a, b in zip(selected.getRgb(), saved.getRgb(), strict=True)]
        assert sum(apart) >= 24, color
        assert abs(selected.hue() - saved.hue()) >= 15, color


def test_words_of_a_line_are_marked_without_gaps_and_columns_separately():
    words = [QRectF(x, 10, 30, 12) for x in (0, 38, 76)]
    other = [QRectF(200, 10, 30, 12), QRectF(0, 26, 30, 12)]
    found = join_boxes([*words, *other])
    assert found == [QRectF(0, 10, 106, 12), *other]


def test_a_label_of_a_figure_ends_at_the_next_one():
    xs = [0.1, 0.12, 0.14, 0.6, 0.62]  # two labels on one line
    boxes = [[x, 0.1, x + 0.02, 0.13] for x in xs] + [[0.6, 0.14, 0.62, 0.17]]
    letters = PageLetters(np.arange(10, 16), np.array(boxes, np.float32), 600.0, 800.0)
    assert letters.label_around(11) == (10, 13)
    assert letters.label_around(13) == letters.label_around(15) == (13, 16)  # over two lines
