"""The bar beside a selection: when it is shown, where, and what it does; the keys for it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF, QSizeF, Qt
from PySide6.QtGui import QGuiApplication

from desktop_app.ui.reader.selection_bar import BarForm, find_place

LEFT = Qt.MouseButton.LeftButton


def drag(qtbot, view, start: int, end: int, *, release: bool = True) -> None:
    first, last = (view.caret.box_of(offset).center().toPoint() for offset in (start, end))
    qtbot.mousePress(view.viewport(), LEFT, pos=first)
    qtbot.mouseMove(view.viewport(), last - QPoint(4, 0))
    qtbot.mouseMove(view.viewport(), last)
    if release:
        qtbot.mouseRelease(view.viewport(), LEFT, pos=last)


def test_the_bar_is_beside_the_selection_once_the_mouse_is_released(qtbot, opened):
    reader = opened(1)
    reader.resize(1200, 440)
    view, bar = reader.view, reader.selection_bar
    start = view.offset_at(600, 120)  # with room for the bar below it
    drag(qtbot, view, start, start + 5, release=False)
    assert not bar.isVisible()
    box = view.caret.box_of(start + 5).center().toPoint()
    qtbot.mouseRelease(view.viewport(), LEFT, pos=box)
    assert bar.isVisible()
    origin = view.viewport().mapTo(reader.body.stack, QPoint(0, 0))
    assert not any(
        box.translated(origin).toRect().adjusted(0, 6, 0, -6).intersects(bar.geometry())
        for box in view.line_boxes()
    ), "the margin has room, so no text is covered"
    assert reader.body.stack.rect().contains(bar.geometry())
    at = bar.y()
    view.scroll_by(10)
    assert bar.y() == at - 10
    view.scroll_by(3000)
    assert not bar.isVisible()
    view.scroll_by(-3000)
    assert bar.isVisible()
    view.selection.clear()
    assert not bar.isVisible()


def test_each_form_of_the_bar_has_its_size(opened):
    bar = opened(1).selection_bar
    sizes = bar._find_sizes()
    side = bar.swatches[0].height()
    assert sizes[BarForm.ROW].height() < 2 * side
    assert sizes[BarForm.COLUMN].height() > 7 * side  # two rows of colours, five actions
    assert sizes[BarForm.ICONS].height() > 9 * side and sizes[BarForm.ICONS].width() < 2 * side


def test_a_colour_highlights_with_one_click(qtbot, opened):
    reader = opened(1)
    view, bar = reader.view, reader.selection_bar
    drag(qtbot, view, 3, 12)
    chosen = view.selection.range
    qtbot.mouseClick(bar.swatches[1], LEFT)
    qtbot.waitUntil(lambda: len(view.notes) == 1)
    [note] = view.notes
    assert (note.start, note.end) == chosen and note.color == "green"
    assert not bar.isVisible()


@pytest.mark.parametrize(("key", "color"), [(Qt.Key.Key_1, "yellow"), (Qt.Key.Key_4, "pink")])
def test_a_number_highlights_the_selection(qtbot, opened, key, color):
    reader = opened(1)
    reader.view.selection.select(3, 12)
    qtbot.keyClick(reader.view, key)
    qtbot.waitUntil(lambda: [note.color for note in reader.view.notes] == [color])


def test_note_question_graph_copy_and_citation_need_one_click(qtbot, opened):
    reader = opened(1)
    view, buttons = reader.view, reader.selection_bar.buttons
    view.selection.select(3, 12)
    with qtbot.waitSignal(reader.ask_about) as asked:
        qtbot.mouseClick(buttons["ask"], LEFT)
    assert view.text[3:12].strip() in asked.args[0]
    view.selection.select(0, len(view.text) - 1)
    with qtbot.waitSignal(reader.show_in_graph):
        qtbot.mouseClick(buttons["graph"], LEFT)
    view.selection.select(3, 12)
    qtbot.mouseClick(buttons["copy"], LEFT)
    assert QGuiApplication.clipboard().text() == view.text[3:12].strip()
    view.selection.select(2, 12)
    view.selection.select(3, 12)
    qtbot.keyClick(
        view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    copied = QGuiApplication.clipboard().text()
    assert view.text[3:12].strip() in copied and "(" in copied
    qtbot.mouseClick(buttons["highlight_note"], LEFT)
    qtbot.waitUntil(lambda: reader.notes.card is not None)
    reader.notes.close_card()


def test_the_bar_works_on_a_pdf_and_hides_with_it(qtbot, opened):
    reader = opened(5)
    view, bar = reader.view, reader.selection_bar
    qtbot.waitUntil(lambda: view.worker.letters(0) is not None)
    view.selection.select(4, 9)
    assert bar.isVisible() and reader.body.stack.rect().contains(bar.geometry())
    reader.close_document()
    assert not bar.isVisible()


def test_a_chosen_pen_highlights_what_is_selected_until_it_is_put_away(qtbot, opened):
    reader = opened(1)
    reader.resize(1000, 600)
    view, head = reader.view, reader.head
    head.pen.actions_by_color["blue"].trigger()
    assert head.pen.color == "blue" and head.pen.accessibleName() == "Highlight: Blue"
    drag(qtbot, view, 3, 12)
    qtbot.waitUntil(lambda: [note.color for note in view.notes] == ["blue"])
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert not head.pen.color and not head.pen.stop_action.isEnabled()
    drag(qtbot, view, 20, 30)
    assert view.selection.range is not None and len(view.notes) == 1
    head.pen.actions_by_color["yellow"].trigger()  # for what is selected already
    qtbot.waitUntil(lambda: len(view.notes) == 2)
    assert not head.pen.color
    head.pen.actions_by_color["pink"].trigger()
    head.pen.stop_action.trigger()
    drag(qtbot, view, 40, 50)
    assert not head.pen.color and len(view.notes) == 2


def test_a_note_is_added_from_the_toolbar(qtbot, opened, context):
    reader = opened(1)
    reader.resize(1000, 600)
    with qtbot.waitSignal(context.messages.posted) as posted:
        qtbot.mouseClick(reader.head.note, LEFT)
    assert "Select the text first" in posted.args[0].text
    reader.view.selection.select(3, 12)
    qtbot.mouseClick(reader.head.note, LEFT)
    qtbot.waitUntil(lambda: reader.notes.card is not None)


ROOM = QSizeF(1000, 600)
SIZES = {
    BarForm.ROW: QSizeF(400, 40),
    BarForm.COLUMN: QSizeF(110, 180),
    BarForm.ICONS: QSizeF(40, 260),
}


def _lines(left: float, right: float, tops: range) -> list[QRectF]:
    return [QRectF(left, top, right - left, 18) for top in tops]


@pytest.mark.parametrize(
    ("lines", "first", "last", "expected"),
    [
        # text all around, with room in both margins: the nearer one
        (_lines(200, 800, range(0, 600, 20)), (300, 300), (700, 300), "column at the right"),
        (_lines(200, 800, range(0, 600, 20)), (220, 300), (260, 300), "column at the left"),
        # margins without room for words
        (_lines(70, 930, range(0, 600, 20)), (300, 300), (700, 300), "icons at the right"),
        # margins too narrow: above or below, where it covers less
        (_lines(20, 980, range(0, 600, 20)), (300, 300), (700, 300), "row"),
        # the paragraph above ends in the middle of its line
        (
            [*_lines(20, 980, range(300, 600, 20)), *_lines(20, 500, range(0, 300, 20))],
            (520, 300), (900, 300), "row above, without text",
        ),
        # nothing below: nearer than the margin
        (_lines(200, 800, range(0, 320, 20)), (300, 300), (500, 300), "row below, without text"),
        # the selection is larger than the window
        (_lines(20, 980, range(0, 600, 20)), None, None, "row at the foot"),
    ],
)  # fmt: skip
def test_the_bar_covers_as_little_text_as_it_can(lines, first, last, expected):
    boxes = [QRectF(*at, 2, 18) if at else None for at in (first, last)]
    rect, form = find_place(ROOM, *boxes, lines, SIZES)
    assert QRectF(0, 0, 1000, 600).contains(rect)
    assert form.name.lower() == expected.split()[0]
    if form is not BarForm.ROW or "without" in expected:
        assert not any(rect.intersects(line) for line in lines)
    if form is not BarForm.ROW:
        assert (rect.left() > 800) == expected.endswith("right")
    if "above" in expected or "below" in expected:
        assert (rect.bottom() < 300) == ("above" in expected)
    if "foot" in expected:
        assert rect.bottom() > 580


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        ((150, 850), QRectF(858, 282, 110, 180)),  # words have room beside the page
        ((100, 900), QRectF(908, 282, 40, 260)),  # icons do
        ((20, 980), QRectF(808, 282, 110, 180)),  # on the page, beside its text
    ],
)
def test_the_bar_is_beside_the_page_and_begins_at_the_last_line(sides, expected):
    lines = _lines(200, 800, range(0, 600, 20))
    first, last = QRectF(300, 271, 2, 18), QRectF(700, 291, 2, 18)
    rect, _ = find_place(ROOM, first, last, lines, SIZES, sides)
    assert rect == expected
    low = QRectF(700, 571, 2, 18)
    rect, _ = find_place(ROOM, low, low, lines, SIZES, sides)
    assert rect.bottom() == ROOM.height() - 8  # no room below


def test_a_bar_that_is_larger_than_the_window_is_at_its_left_edge():
    rect, form = find_place(QSizeF(300, 100), None, None, [], SIZES)
    assert form is BarForm.ROW and rect.left() == 0 and rect.top() == 52
