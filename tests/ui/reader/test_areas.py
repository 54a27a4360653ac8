"""Areas of pages: drawn with the mouse and the keyboard, listed with their picture, opened."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication

from desktop_app.engine.figures import Figure
from desktop_app.engine.png import decode_png
from desktop_app.ui.reader.annotations_panel import MARK_ROLE
from desktop_app.ui.reader.look import CHOSEN_INK, mixed
from desktop_app.ui.reader.passage_actions import build_menu

LEFT = Qt.MouseButton.LeftButton
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def paper(qtbot, opened, context):
    """The reader with a PDF, the letters of its first page known, and the notes beside it."""
    context.editing = context.annotations  # undo is not used here
    reader = opened(5)
    reader.resize(1100, 700)
    reader.head.outline.setChecked(True)
    reader.body.side.show_tab("notes")
    reader.activateWindow()
    qtbot.waitUntil(reader.isActiveWindow)
    qtbot.waitUntil(lambda: reader.pdf_view.worker.letters(0) is not None)
    return reader


def drag(qtbot, view, start: QPointF, end: QPointF) -> None:
    port = view.viewport()
    qtbot.mousePress(port, LEFT, pos=start.toPoint())
    qtbot.mouseMove(port, QPoint(*((start + end) / 2).toPoint().toTuple()))
    qtbot.mouseMove(port, end.toPoint())
    qtbot.mouseRelease(port, LEFT, pos=end.toPoint())


def first_line(view):
    """Return the place of the first line of the first page in the window."""
    letters, place = view.worker.letters(0), view.page_rect(0)
    left, top, right, bottom = letters.rects(0, len("The ferry leaves at dawn."))[0]
    return (
        QPointF(place.left() + left * place.width(), place.top() + top * place.height()),
        QPointF(place.left() + right * place.width(), place.top() + bottom * place.height()),
    )


def test_a_rectangle_on_a_page_is_kept_with_its_picture_and_words(qtbot, paper, context):
    view, panel = paper.pdf_view, paper.body.side.annotations
    start, end = first_line(view)
    paper.head.area.click()
    assert view.viewport().cursor().shape() == Qt.CursorShape.CrossCursor
    drag(qtbot, view, start - QPointF(6, 6), end + QPointF(6, 4))
    qtbot.waitUntil(lambda: bool(paper.annotations.marks))
    [mark] = paper.annotations.marks
    assert mark.area is not None and mark.area.page == 0
    assert mark.quote == "The ferry leaves at dawn."
    assert view.selection.range is None  # the drag selected nothing
    assert view.areas.tool.area is None  # it is an annotation now
    width, height, pixels = decode_png(context.annotations.pictures[mark.id])
    assert width > 3 * height and min(pixels) < 80 < 200 < max(pixels)  # letters on paper
    box = view.areas.rect_of(mark)
    assert abs(box.left() - start.x()) < 12 and abs(box.bottom() - end.y()) < 12  # it snaps
    line = panel.list.item(0)
    assert panel.field.isVisible() or panel.list.count() == 1
    assert panel.list.visualItemRect(line).height() > 80
    tokens = context.theme.tokens  # it is chosen in the list
    ink = mixed(QColor(tokens.highlight_inks["yellow"]), QColor(tokens.text), CHOSEN_INK).name()
    shown = view.viewport().grab().toImage()
    between = round(box.top() + 0.3 * box.height())  # two grips
    assert shown.pixelColor(round(box.left()) + 1, between).name() == ink


def test_an_area_is_drawn_with_the_keys(qtbot, paper):
    view = paper.pdf_view
    qtbot.keyClick(paper, Qt.Key.Key_A, CONTROL | SHIFT)
    assert view.areas.tool.is_active and view.hasFocus()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    before = view.areas.tool.area
    assert before is not None
    qtbot.keyClick(view, Qt.Key.Key_Left)
    moved = view.areas.tool.area
    assert moved.left < before.left and moved.right < before.right and moved.top == before.top
    qtbot.keyClick(view, Qt.Key.Key_Down, SHIFT)
    grown = view.areas.tool.area
    assert grown.bottom > moved.bottom and grown[:4] == moved[:4]
    qtbot.keyClick(view, Qt.Key.Key_Right, CONTROL)
    fine = view.areas.tool.area
    assert 0 < fine.left - grown.left < moved.right - grown.left
    kept = view.areas.tool.kept  # no side cuts a line
    assert kept != fine
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(paper.annotations.marks))
    assert paper.annotations.marks[0].area == kept


def test_escape_gives_up_the_rectangle_and_then_the_tool(qtbot, paper):
    view = paper.pdf_view
    paper.head.area.click()
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.areas.tool.area is not None
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.areas.tool.area is None and paper.head.area.isChecked()
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert not paper.head.area.isChecked() and not view.areas.tool.is_active
    assert not paper.annotations.marks


def test_with_alt_the_rectangle_is_kept_as_it_is_drawn(qtbot, paper):
    view = paper.pdf_view
    start, end = first_line(view)
    middle = QPointF(end.x(), (start.y() + end.y()) / 2)  # through the line
    paper.head.area.click()
    port = view.viewport()
    qtbot.mousePress(port, LEFT, pos=(start - QPointF(20, 20)).toPoint())
    qtbot.mouseMove(port, middle.toPoint())
    tool = view.areas.tool
    assert tool.kept != tool.area  # half of the line is all of it, or nothing
    qtbot.keyPress(view, Qt.Key.Key_Alt)
    assert tool.kept == tool.area
    drawn = tool.area
    alt = Qt.KeyboardModifier.AltModifier
    qtbot.mouseRelease(port, LEFT, alt, pos=middle.toPoint())
    qtbot.waitUntil(lambda: bool(paper.annotations.marks))
    assert paper.annotations.marks[0].area == drawn
    qtbot.waitUntil(lambda: tool.area is None)


def test_a_click_with_the_tool_takes_a_figure_with_its_caption(qtbot, paper):
    view = paper.pdf_view
    paper.head.area.click()
    box = (0.5, 0.5, 0.8, 0.7)
    caption = len("The ferry leaves at dawn.")
    view.areas.snapper.set_figures([Figure(0, caption, "figure 1", page_index=0, box=box)])
    place = view.page_rect(0)
    inside = QPointF(place.left() + 0.6 * place.width(), place.top() + 0.6 * place.height())
    qtbot.mouseClick(view.viewport(), LEFT, pos=inside.toPoint())
    qtbot.waitUntil(lambda: bool(paper.annotations.marks))
    [mark] = paper.annotations.marks
    assert mark.quote.startswith("The ferry leaves at dawn.")
    line = view.worker.letters(0).rects(0, caption)[0]
    assert mark.area.top <= line[1] and mark.area.left <= line[0]


def test_a_click_with_the_tool_keeps_nothing(qtbot, paper):
    view = paper.pdf_view
    paper.head.area.click()
    start, _ = first_line(view)
    drag(qtbot, view, start, start + QPointF(3, 3))
    assert view.areas.tool.area is None and not paper.annotations.marks


def test_a_click_on_an_area_opens_its_card_and_a_drag_moves_the_page(qtbot, paper):
    view = paper.pdf_view
    place = view.page_rect(0)
    corner = QPointF(place.left() + 0.5 * place.width(), place.top() + 0.5 * place.height())
    paper.head.area.click()
    drag(qtbot, view, corner, corner + QPointF(120, 80))  # where there is no text
    qtbot.waitUntil(lambda: bool(paper.annotations.marks))
    assert paper.annotations.marks[0].quote == ""
    paper.head.area.click()
    inside = (corner + QPointF(60, 40)).toPoint()
    qtbot.mouseClick(view.viewport(), LEFT, pos=inside)
    assert paper.annotations.card is not None and paper.annotations.card.ask.isHidden()
    paper.annotations.card.close_card()
    before = view.verticalScrollBar().value()
    drag(qtbot, view, QPointF(inside), QPointF(inside) - QPointF(0, 60))
    assert paper.annotations.card is None
    assert view.verticalScrollBar().value() > before


def test_the_list_goes_to_an_area_and_copies_its_picture(qtbot, paper):
    view, panel = paper.pdf_view, paper.body.side.annotations
    start, end = first_line(view)
    paper.head.area.click()
    drag(qtbot, view, start - QPointF(6, 6), end + QPointF(6, 4))
    qtbot.waitUntil(lambda: bool(paper.annotations.marks))
    view.show_page(2)
    mark = panel.list.item(0).data(MARK_ROLE)
    words = [action.text() for action in panel.build_menu(mark).actions()]
    assert "Copy picture" in words and "Copy with citation" not in words
    panel.chosen.emit(mark)
    assert view.current_page() == 0
    QGuiApplication.clipboard().clear()
    panel.copied.emit(mark)
    qtbot.waitUntil(lambda: not QGuiApplication.clipboard().image().isNull())
    menu = build_menu(view, None, None, mark.id)
    next(a for a in menu.actions() if a.text() == "Remove area").trigger()
    qtbot.waitUntil(lambda: not paper.annotations.marks)


def test_a_text_without_pages_has_no_tool_for_areas(opened, context):
    reader = opened(1)
    reader.resize(1400, 700)
    assert reader.head.area.isHidden() and not reader.head.underliner.isHidden()


@pytest.fixture
def kept(qtbot, paper):
    """The reader with an area around the first line, which is chosen."""
    view = paper.pdf_view
    start, end = first_line(view)
    paper.head.area.click()
    drag(qtbot, view, start - QPointF(6, 6), end + QPointF(6, 4))
    qtbot.waitUntil(lambda: bool(paper.annotations.marks))
    paper.head.area.click()
    view.set_chosen_mark(paper.annotations.marks[0].id)
    return paper


def test_a_grip_of_the_chosen_area_moves_its_sides_and_its_picture_is_drawn_again(
    qtbot, kept, context
):
    view = kept.pdf_view
    [before] = kept.annotations.marks
    size = kept.annotations.pictures[before.id].size()
    box = view.areas.rect_of(before)
    qtbot.mouseMove(view.viewport(), box.bottomRight().toPoint())
    assert view.viewport().cursor().shape() == Qt.CursorShape.SizeFDiagCursor
    drag(qtbot, view, box.bottomRight(), box.bottomRight() + QPointF(20, 60))
    qtbot.waitUntil(lambda: kept.annotations.marks[0].area != before.area)
    [mark] = kept.annotations.marks
    assert mark.id == before.id and mark.color == before.color
    assert "Nobody waits for the ferry." in mark.quote  # the line below is in it now
    assert mark.area[1:3] == before.area[1:3]
    after = view.areas.rect_of(mark)
    assert abs(after.right() - box.right() - 20) < 2 and abs(after.bottom() - box.bottom() - 60) < 2
    qtbot.waitUntil(lambda: kept.annotations.pictures[mark.id].size() != size)
    width, height, _ = decode_png(context.annotations.pictures[mark.id])
    assert abs(width / height - after.width() / after.height()) < 0.05
    assert view.areas.tool.area is None and not view.areas.tool.is_active
    left = QPointF(after.left(), after.center().y())
    qtbot.mouseMove(view.viewport(), left.toPoint())
    drag(qtbot, view, left, left + QPointF(30, 100))  # a side moves in one direction only
    qtbot.waitUntil(lambda: kept.annotations.marks[0].area != mark.area)
    assert kept.annotations.marks[0].area[2:] == mark.area[2:]
    assert kept.annotations.marks[0].area.left > mark.area.left


def test_notes_are_exported_with_the_pictures_of_areas(qtbot, kept, tmp_path, context):
    (tmp_path / "notes-1.png").write_bytes(b"of the person")
    kept.annotations.write(tmp_path / "notes.md")
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert context.messages.last.kind == "ok"
    [picture] = (tmp_path / "notes-pictures").iterdir()
    assert f"](notes-pictures/{picture.name})" in (tmp_path / "notes.md").read_text("utf-8")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "notes-1.png").read_bytes() == b"of the person"


def test_the_keys_change_the_chosen_area(qtbot, kept):
    view = kept.pdf_view
    [before] = kept.annotations.marks
    menu = build_menu(view, offset=3)
    actions = {action.text(): action for action in menu.actions()}
    actions["Change the sides of the area"].trigger()
    qtbot.keyClick(view, Qt.Key.Key_Down, SHIFT)
    qtbot.keyClick(view, Qt.Key.Key_Escape)  # it stays as it was
    assert kept.annotations.marks == [before] and not view.areas.tool.is_active
    assert view.areas.tool.area is None and view.edited_mark is None
    view.areas.grips.edit_chosen()
    for _ in range(4):  # less than half of the next line is none of it
        qtbot.keyClick(view, Qt.Key.Key_Down, SHIFT)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: kept.annotations.marks[0].area != before.area)
    assert kept.annotations.marks[0].area.bottom > before.area.bottom
    assert kept.annotations.marks[0].area[:4] == before.area[:4]


def test_a_press_beside_the_area_keeps_what_the_keys_changed(qtbot, kept):
    view = kept.pdf_view
    [before] = kept.annotations.marks
    view.areas.grips.edit_chosen()
    qtbot.keyClick(view, Qt.Key.Key_Right, CONTROL)
    below = view.areas.rect_of(before).bottomRight() + QPointF(40, 120)
    qtbot.mouseClick(view.viewport(), LEFT, pos=below.toPoint())
    qtbot.waitUntil(lambda: kept.annotations.marks[0].area != before.area)
    assert not view.areas.tool.is_active


def test_a_grip_works_on_a_rotated_page(qtbot, kept):
    view = kept.pdf_view
    [before] = kept.annotations.marks
    view.rotator.rotate_page(1, 0)
    qtbot.waitUntil(lambda: view.worker.letters(0) is not None)
    view.set_chosen_mark(before.id)
    box = view.areas.rect_of(before)
    foot = QPointF(box.center().x(), box.bottom())
    drag(qtbot, view, foot, foot + QPointF(0, 40))  # the right side of the page in the file
    qtbot.waitUntil(lambda: kept.annotations.marks[0].area != before.area)
    area = kept.annotations.marks[0].area
    assert area.right > before.area.right + 0.02
    assert area[1:3] == pytest.approx(before.area[1:3], abs=1e-4)
    assert area.bottom == pytest.approx(before.area.bottom, abs=1e-4)
