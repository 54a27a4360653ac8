"""The bar beside a selection: when it is shown, where, and what it does; the keys for it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF, QSizeF, Qt
from PySide6.QtGui import QGuiApplication

from desktop_app.ui.reader.passage_actions import build_more_menu
from desktop_app.ui.reader.selection_bar import GAP, Surroundings, find_bar_rect

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
    start = view.offset_at(600, 120)
    drag(qtbot, view, start, start + 5, release=False)
    assert not bar.isVisible()
    box = view.caret.box_of(start + 5).center().toPoint()
    qtbot.mouseRelease(view.viewport(), LEFT, pos=box)
    assert bar.isVisible()
    assert reader.body.stack.rect().contains(bar.geometry())
    place = bar.geometry().translated(-view.viewport().mapTo(bar.parentWidget(), QPoint()))
    assert not any(QRectF(place).intersects(line) for line in view.selected_boxes())
    at = bar.y()
    view.scroll_by(10)
    assert bar.y() == at - 10
    view.scroll_by(3000)
    assert not bar.isVisible()
    view.scroll_by(-3000)
    assert bar.isVisible()
    view.selection.clear()
    assert not bar.isVisible()


def test_the_bar_keeps_its_place_while_the_keyboard_extends_the_selection(qtbot, opened):
    reader = opened(1)
    reader.resize(1200, 700)
    view, bar = reader.view, reader.selection_bar
    start = view.offset_at(500, 300)
    right, down, up = Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Up
    view.selection.select(start, start)
    view.caret.shown = True

    def extend(key: Qt.Key) -> QPoint:
        qtbot.keyClick(view, key, Qt.KeyboardModifier.ShiftModifier)
        covered = bar.geometry().translated(-view.viewport().mapTo(bar.parentWidget(), QPoint()))
        assert not any(QRectF(covered).intersects(line) for line in view.selected_boxes())
        return bar.pos()

    at = extend(right)
    assert [extend(key) for key in (right, down, right, down)] == [at] * 4
    drag(qtbot, view, start, start + 3)
    beside = bar.pos()
    assert [extend(key) for key in (right, down, down)] == [beside] * 3
    extend(up)
    extend(up)
    view.selection.select(start, start)
    at = extend(up)
    assert extend(up) == at


@pytest.mark.parametrize("document", [1, 5])
def test_the_bar_is_a_row_with_its_tools_in_one_order(qtbot, opened, document):
    reader = opened(document)
    reader.resize(1300, 700)
    view, bar = reader.view, reader.selection_bar
    if document == 5:
        qtbot.waitUntil(lambda: view.worker.letters(0) is not None)
    tools = [*bar.swatches, *bar.buttons.values(), bar.more]
    for start in (3, 40):
        view.selection.select(start, start + 8)
        view.selection.released.emit()
        qtbot.waitUntil(bar.isVisible)
        bar.layout().activate()
        places = [tool.mapTo(bar, QPoint()) for tool in tools]
        assert [place.x() for place in places] == sorted(place.x() for place in places)
        assert bar.width() > 4 * bar.height()
        rect = QRectF(
            bar.geometry().translated(-view.viewport().mapTo(bar.parentWidget(), QPoint()))
        )
        lines = view.selected_boxes()
        assert not any(rect.intersects(line) for line in lines)
        gap = min(abs(rect.bottom() - lines[0].top()), abs(rect.top() - lines[-1].bottom()))
        assert gap <= GAP + 2  # at the selection
        assert view.covered_area(lines[0]) > 0


def test_more_actions_are_in_a_menu(opened):
    reader = opened(1)
    reader.view.selection.select(3, 12)
    menu = build_more_menu(reader.view)
    words = [action.text() for action in menu.actions() if action.text()]
    assert words[:2] == ["Copy with citation", "Show its names in the graph"]
    asked: list[str] = []
    reader.view.action_wanted.connect(lambda action, target: asked.append(action))
    menu.actions()[0].trigger()
    assert asked == ["quote"]


def test_a_colour_highlights_with_one_click(qtbot, opened):
    reader = opened(1)
    view, bar = reader.view, reader.selection_bar
    drag(qtbot, view, 3, 12)
    chosen = view.selection.range
    qtbot.mouseClick(bar.swatches[1], LEFT)
    qtbot.waitUntil(lambda: len(view.marks) == 1)
    [mark] = view.marks
    assert (mark.start, mark.end) == chosen and mark.color == "green"
    assert not bar.isVisible()


@pytest.mark.parametrize(("key", "color"), [(Qt.Key.Key_1, "yellow"), (Qt.Key.Key_4, "pink")])
def test_a_number_highlights_the_selection(qtbot, opened, key, color):
    reader = opened(1)
    reader.view.selection.select(3, 12)
    qtbot.keyClick(reader.view, key)
    qtbot.waitUntil(lambda: [mark.color for mark in reader.view.marks] == [color])


def test_note_question_graph_copy_and_citation_need_one_click(qtbot, opened):
    reader = opened(1)
    view, buttons = reader.view, reader.selection_bar.buttons
    view.selection.select(3, 12)
    with qtbot.waitSignal(reader.ask_about) as asked:
        qtbot.mouseClick(buttons["ask"], LEFT)
    assert view.text[3:12].strip() in asked.args[0]
    view.selection.select(0, len(view.text) - 1)
    with qtbot.waitSignal(reader.show_in_graph):
        build_more_menu(view).actions()[1].trigger()
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
    qtbot.waitUntil(lambda: reader.annotations.card is not None)
    reader.annotations.close_card()


def test_the_bar_works_on_a_pdf_and_hides_with_it(qtbot, opened):
    reader = opened(5)
    view, bar = reader.view, reader.selection_bar
    qtbot.waitUntil(lambda: view.worker.letters(0) is not None)
    view.selection.select(4, 9)
    assert bar.isVisible() and reader.body.stack.rect().contains(bar.geometry())
    reader.close_document()
    assert not bar.isVisible()


def test_a_marking_tool_marks_the_selection_at_once_or_stays_pressed_without_one(qtbot, opened):
    reader = opened(1)
    reader.resize(1200, 600)
    view, pen, underliner = reader.view, reader.head.pen, reader.head.underliner
    assert pen.accessibleName() == "Highlight: Yellow" and "Ctrl+Shift+H" in pen.toolTip()
    drag(qtbot, view, 3, 12)
    qtbot.mouseClick(pen, LEFT, pos=QPoint(12, 14))
    qtbot.waitUntil(lambda: [mark.color for mark in view.marks] == ["yellow"])
    assert not pen.isChecked()  # one passage was meant
    qtbot.mouseClick(pen, LEFT, pos=QPoint(12, 14))
    assert pen.isChecked()
    qtbot.mouseClick(underliner, LEFT)  # the other tool instead
    assert underliner.isChecked() and not pen.isChecked()
    for n_marks, span in ((2, (20, 30)), (3, (40, 50))):
        drag(qtbot, view, *span)
        qtbot.waitUntil(lambda n_marks=n_marks: len(view.marks) == n_marks)
    assert [mark.style for mark in view.marks] == ["fill", "underline", "underline"]
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert not underliner.isChecked()
    drag(qtbot, view, 60, 70)
    assert view.selection.range is not None and len(view.marks) == 3
    qtbot.keyClick(view, Qt.Key.Key_U)
    qtbot.waitUntil(lambda: len(view.marks) == 4)
    assert view.marks[3].style == "underline"


def test_each_tool_has_a_colour_of_its_own(qtbot, opened):
    reader = opened(1)
    reader.resize(1300, 600)
    view, head = reader.view, reader.head
    head.underliner.actions_by_color["blue"].trigger()
    assert head.underliner.isChecked() and head.pen.color == "yellow" == head.area.color
    drag(qtbot, view, 3, 12)
    qtbot.waitUntil(lambda: [(m.style, m.color) for m in view.marks] == [("underline", "blue")])
    head.pen.actions_by_color["pink"].trigger()
    drag(qtbot, view, 20, 30)
    qtbot.waitUntil(lambda: len(view.marks) == 2)
    assert (view.marks[1].style, view.marks[1].color) == ("fill", "pink")
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    view.selection.select(40, 50)
    qtbot.keyClick(view, Qt.Key.Key_U)  # names no colour
    qtbot.waitUntil(lambda: len(view.marks) == 3)
    assert view.marks[2].color == "blue" and head.pen.color == "pink"
    qtbot.keyClick(head.area, Qt.Key.Key_Down)
    assert head.area.colors.isVisible()
    head.area.colors.close()


def test_a_tool_shows_the_colour_that_was_used_last(qtbot, opened):
    reader = opened(1)
    view, pen = reader.view, reader.head.pen
    view.selection.select(3, 12)
    pen.actions_by_color["blue"].trigger()  # for what is selected already
    qtbot.waitUntil(lambda: [mark.color for mark in view.marks] == ["blue"])
    assert pen.color == "blue" and not pen.isChecked()
    view.selection.select(20, 30)
    qtbot.keyClick(view, Qt.Key.Key_4)
    qtbot.waitUntil(lambda: len(view.marks) == 2)
    assert pen.color == "pink" and pen.accessibleName() == "Highlight: Pink"
    view.selection.select(40, 50)
    reader.annotations.highlight(40, 50)  # no colour is chosen
    qtbot.waitUntil(lambda: [mark.color for mark in view.marks] == ["blue", "pink", "pink"])
    qtbot.keyClick(pen, Qt.Key.Key_Down)
    assert pen.colors.isVisible()
    pen.colors.close()
    pen.actions_by_color["green"].trigger()  # nothing is selected: for what comes next
    assert pen.isChecked() and pen.color == "green"


def test_a_note_is_added_from_the_toolbar(qtbot, opened, context):
    reader = opened(1)
    reader.resize(1000, 600)
    with qtbot.waitSignal(context.messages.posted) as posted:
        qtbot.mouseClick(reader.head.note, LEFT)
    assert "Select the text first" in posted.args[0].text
    reader.view.selection.select(3, 12)
    qtbot.mouseClick(reader.head.note, LEFT)
    qtbot.waitUntil(lambda: reader.annotations.card is not None)


PAGE = QRectF(100, 0, 800, 600)
SIZE = QSizeF(300, 40)


def surround(*text: tuple[float, float, float, float]) -> Surroundings:
    """Return what is around a selection, with text in these rectangles."""
    parts = [QRectF(*part) for part in text]

    def covered(rect: QRectF) -> float:
        inside = [rect.intersected(part) for part in parts]
        return sum(part.width() * part.height() for part in inside)

    return Surroundings(PAGE, covered)


def test_the_bar_is_above_a_line_with_blank_above_and_else_below():
    line = QRectF(300, 300, 200, 20)
    assert find_bar_rect(surround((140, 300, 720, 20)), [line], SIZE) == QRectF(
        250, 300 - GAP - 40, 300, 40
    )
    full = surround((140, 100, 720, 220))
    assert find_bar_rect(full, [line], SIZE) == QRectF(250, 320 + GAP, 300, 40)
    edge = QRectF(780, 300, 80, 20)
    assert find_bar_rect(full, [edge], SIZE).right() == PAGE.right()  # not over the edge


def test_in_a_full_page_the_bar_is_at_the_preferred_side_and_hides_no_selected_line():
    lines = [QRectF(200, 300, 600, 20), QRectF(140, 325, 300, 20)]
    around = surround((140, 0, 720, 600))
    assert find_bar_rect(around, lines, SIZE).bottom() == 300 - GAP
    assert find_bar_rect(around, lines, SIZE, above=False).top() == 345 + GAP
    top = [QRectF(420, 20, 100, 20)]
    assert find_bar_rect(around, top, SIZE).top() == 40 + GAP  # no room above


def test_the_bar_goes_where_a_short_line_leaves_room():
    # the line below the selection ends at 300, that above is full
    around = surround((140, 0, 720, 320), (140, 325, 160, 20))
    rect = find_bar_rect(around, [QRectF(200, 300, 500, 20)], SIZE)
    assert rect.top() == 320 + GAP and rect.left() >= 300
    rect = find_bar_rect(around, [QRectF(200, 300, 200, 20)], SIZE)
    assert rect.left() <= 400 and rect.right() >= 200  # it stays at its words


def test_where_all_is_selected_there_is_no_place_for_the_bar():
    every = [QRectF(120, 20 * n, 760, 20) for n in range(30)]
    assert find_bar_rect(surround((120, 0, 760, 600)), every, SIZE) is None
    last = find_bar_rect(surround((120, 0, 760, 400)), every[:20], SIZE)
    assert last is not None and last.top() == 400 + GAP


def test_between_two_columns_the_bar_covers_no_selected_line():
    left = [QRectF(120, 300 + 20 * n, 360, 20) for n in range(15)]
    right = [QRectF(520, 20 * n, 360, 20) for n in range(5)]
    rect = find_bar_rect(surround((120, 0, 760, 600)), [*left, *right], SIZE)
    assert rect is not None and not any(rect.intersects(line) for line in (*left, *right))


def test_the_bar_comes_and_goes_with_its_selection(qtbot, opened):
    reader = opened(1)
    reader.resize(1200, 440)
    view, bar = reader.view, reader.selection_bar
    drag(qtbot, view, view.offset_at(500, 200), view.offset_at(500, 200) + 5)
    assert bar.isVisible()
    line = view.selected_boxes()[0]
    view.scroll_by(line.top() + 0.7 * line.height())  # less than half of it is in sight
    assert not bar.isVisible()
    view.scroll_by(-line.top())
    assert bar.isVisible()
    view.selection.select(0, len(view.text))
    view.scroll_by((view.verticalScrollBar().maximum() - view.verticalScrollBar().value()) // 2)
    assert not bar.isVisible()  # what is selected fills the window
    view.scroll_by(-100_000)
    drag(qtbot, view, 3, 12)
    reader.activateWindow()
    qtbot.waitUntil(reader.isActiveWindow)
    bar.swatches[0].setFocus()
    qtbot.keyClick(bar.swatches[0], Qt.Key.Key_Escape)
    assert not bar.isVisible()
    view.scroll_by(4)
    assert not bar.isVisible()  # until something else is selected


def test_a_narrow_page_has_a_bar_without_words(opened):
    reader = opened(1)
    view, bar = reader.view, reader.selection_bar
    reader.resize(1000, 500)
    view.selection.select(3, 12)
    assert bar.buttons["ask"].text().strip() == "Ask"
    reader.resize(340, 500)
    view.selection.select(3, 14)
    assert bar.buttons["ask"].text() == ""
    assert reader.body.stack.rect().contains(bar.geometry())
