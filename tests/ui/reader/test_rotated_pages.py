"""Rotated pages: text, marks, areas and scans at their places, one page or all, and remembered."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from desktop_app.engine.png import decode_png
from desktop_app.ui.reader.loading import read_rotations
from desktop_app.ui.reader.passage_actions import build_menu
from desktop_app.ui.reader.pdf.layout import in_page
from tests.ui.reader.conftest import make_pdf

LEFT = Qt.MouseButton.LeftButton
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
SENTENCE = "The ferry leaves at dawn."


def wait_for_letters(qtbot, view, index=0):
    qtbot.waitUntil(
        lambda: view.worker.letters(index) is not None and view.worker.picture(index) is not None
    )


@pytest.fixture
def rotated(qtbot, opened, context):
    """The reader with a PDF whose first page is rotated right."""
    context.editing = context.annotations  # undo is not used here
    reader = opened(5)
    reader.resize(1100, 700)
    reader.activateWindow()
    wait_for_letters(qtbot, reader.pdf_view)
    reader.pdf_view.setFocus()
    qtbot.keyClick(reader, Qt.Key.Key_BracketRight, CONTROL)
    wait_for_letters(qtbot, reader.pdf_view)
    return reader


def drag(qtbot, view, start: QPointF, end: QPointF) -> None:
    port = view.viewport()
    qtbot.mousePress(port, LEFT, pos=start.toPoint())
    qtbot.mouseMove(port, QPoint(*((start + end) / 2).toPoint().toTuple()))
    qtbot.mouseMove(port, end.toPoint())
    qtbot.mouseRelease(port, LEFT, pos=end.toPoint())


def place_of(view, start: int, end: int):
    """Return the place of words of the first page in the window, of all their letters."""
    found = None
    for box in view.worker.letters(0).rects(start, end):
        one = in_page(view.page_rect(0), box)
        found = one if found is None else found.united(one)
    return found


def test_a_key_rotates_only_the_page_in_sight(rotated):
    view = rotated.pdf_view
    assert view.worker.rotations == {0: 1}
    assert view.worker.sizes == [(400, 300), (300, 400), (300, 400)]
    picture = view.worker.picture(0)
    assert picture.width() > picture.height()
    card = view.page_rect(0)
    assert card.width() > card.height() and card.width() <= view.viewport().width()


def test_letters_and_ink_are_at_the_same_place(rotated):
    view = rotated.pdf_view
    box, image = place_of(view, 0, len(SENTENCE)), view.viewport().grab().toImage()
    assert box.height() > 4 * box.width()  # the line is read downwards
    ratio = image.devicePixelRatio()
    shades = [
        image.pixelColor(round(x * ratio), round(y * ratio)).lightness()
        for x in range(int(box.left()), int(box.right()))
        for y in range(int(box.top()), int(box.bottom()))
    ]
    assert min(shades) < 100  # letters
    right = view.page_rect(0).right()
    beside = [
        image.pixelColor(round(x * ratio), round(box.center().y() * ratio)).lightness()
        for x in range(int(box.right()) + 4, int(right) - 2)
    ]
    assert beside and min(beside) > 200  # white paper above the first line


def test_a_drag_along_a_rotated_line_selects_it_and_its_highlight_is_there(qtbot, rotated):
    view = rotated.pdf_view
    box = place_of(view, 0, len(SENTENCE))
    x = box.center().x()
    drag(qtbot, view, QPointF(x, box.top() + 1), QPointF(x, box.bottom() - 1))
    start, end = view.selection.range
    assert view.text[start:end].startswith("The ferry leaves at da")
    rotated.annotations.highlight(0, len(SENTENCE), "green")
    qtbot.waitUntil(lambda: bool(rotated.annotations.marks))
    qtbot.waitUntil(lambda: bool(view.worker.boxes((0, len(SENTENCE)), 0)))
    boxes = [in_page(view.page_rect(0), b) for b in view.worker.boxes((0, len(SENTENCE)), 0)]
    assert all(box.adjusted(-1, -1, 1, 1).contains(one) for one in boxes)
    mark = rotated.annotations.marks[0]
    assert view.mark_at(x, box.center().y()) == mark.id


def test_an_area_is_kept_as_it_is_in_the_file_with_its_picture_as_it_was_seen(
    qtbot, rotated, context
):
    view = rotated.pdf_view
    box = place_of(view, 0, len(SENTENCE)).adjusted(-6, -6, 6, 6)
    rotated.head.area.click()
    drag(qtbot, view, box.topLeft(), box.bottomRight())
    qtbot.waitUntil(lambda: bool(rotated.annotations.marks))
    [mark] = rotated.annotations.marks
    assert mark.quote == SENTENCE and view.areas.tool.area is None
    width, height, _ = decode_png(context.annotations.pictures[mark.id])
    assert height > 3 * width  # as it was seen
    area = mark.area
    assert area.right - area.left > 3 * (area.bottom - area.top)  # a line of the upright page
    shown = view.areas.rect_of(mark)
    # it snaps to the line, with some white around it
    assert abs(shown.left() - box.left()) < 8 and abs(shown.bottom() - box.bottom()) < 8
    qtbot.keyClick(rotated, Qt.Key.Key_BracketLeft, CONTROL)  # as it was
    wait_for_letters(qtbot, view)
    upright, line = view.areas.rect_of(mark), place_of(view, 0, len(SENTENCE))
    assert upright.contains(line) and upright.width() > 3 * upright.height()


def test_all_pages_are_rotated_and_back(qtbot, rotated):
    view = rotated.pdf_view
    qtbot.keyClick(rotated, Qt.Key.Key_BracketLeft, CONTROL | SHIFT)
    assert view.worker.rotations == {1: 3, 2: 3}
    qtbot.keyClick(rotated, Qt.Key.Key_BracketRight, CONTROL | SHIFT)
    qtbot.keyClick(rotated, Qt.Key.Key_BracketLeft, CONTROL)
    assert view.worker.rotations == {}
    assert view.worker.sizes == [(300, 400)] * 3


def test_the_menu_of_a_page_rotates_that_page(qtbot, rotated):
    view = rotated.pdf_view
    at = view.worker.pages[1].start + 3
    menu = build_menu(view, offset=at)
    actions = {action.text(): action for action in menu.actions()}
    actions["Rotate this page left"].trigger()
    assert view.worker.rotations == {0: 1, 1: 3} and view.current_page() == 1


def test_rotations_are_remembered_with_the_position(qtbot, rotated, opened, context):
    view = rotated.pdf_view
    rotated.last_position.save()
    qtbot.waitUntil(lambda: 5 in context.annotations.places)
    assert json.loads(context.annotations.places[5])[2] == {"0": 1}
    opened(1)
    assert view.worker.rotations == {}
    opened(5)
    wait_for_letters(qtbot, view)
    assert view.worker.rotations == {0: 1} and view.worker.sizes[0] == (400, 300)


def test_a_stored_turn_that_no_page_can_have_is_left_out():
    assert read_rotations([0, 0.5], 3) == {}
    assert read_rotations([0, 0.5, {"1": 2, "7": 1, "x": 1, "2": 9, "-1": 1}], 3) == {1: 2}
    assert read_rotations([0, 0.5, 3], 3) == read_rotations(12, 3) == read_rotations(None, 3) == {}


def test_a_page_that_its_file_rotates_already_is_rotated_further(qtbot, opened, books):
    books.original = make_pdf(rotate=90)
    reader = opened(5)
    reader.resize(1100, 700)
    view = reader.pdf_view
    wait_for_letters(qtbot, view)
    assert view.worker.sizes[0] == (400, 300)
    view.rotator.rotate_page(-1, 0)
    wait_for_letters(qtbot, view)
    box = place_of(view, 0, len(SENTENCE))
    assert view.worker.sizes[0] == (300, 400) and box.width() > 4 * box.height()
    assert box.top() < view.page_rect(0).center().y()  # upright, at the top


def test_two_pages_beside_each_other_rotate_the_one_with_the_selection(qtbot, opened):
    reader = opened(5)
    reader.resize(1300, 700)
    view = reader.pdf_view
    reader.head.facing.setChecked(True)
    wait_for_letters(qtbot, view, 1)
    start = view.worker.pages[1].start
    view.selection.select(start, start + 6)
    view.rotator.rotate_page(1)
    assert view.worker.rotations == {1: 1}


def test_the_zoom_field_follows_the_page_in_sight(qtbot, rotated):
    view, bar = rotated.pdf_view, rotated.page_bar
    view.show_page(1)
    upright = f"{round(100 * view.placed.scales[1] * 72 / 96)}%"
    qtbot.waitUntil(lambda: bar.percent.text().endswith(upright))
    view.show_page(0)
    sideways = f"{round(100 * view.placed.scales[0] * 72 / 96)}%"
    assert sideways != upright
    qtbot.waitUntil(lambda: bar.percent.text().endswith(sideways))
