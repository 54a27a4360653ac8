"""The PDF view: pages, background rendering, passages on the right characters."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor

from benchmarks import attack_files
from desktop_app.engine.text.page_renderer import PageLimits
from desktop_app.engine.text.pdf_pages import PdfPages
from desktop_app.engine.text.pdf_positions import find_spans, normalize_letters
from desktop_app.ui.reader.navigation import JumpHistory, Stop
from desktop_app.ui.reader.passage_actions import build_menu
from desktop_app.ui.reader.pdf.layout import in_page
from desktop_app.ui.theme.design_tokens import LIGHT

from .conftest import PAGE_LINES, make_pdf, pdf_text


def wait_for_page(qtbot, view, index: int) -> None:
    qtbot.waitUntil(lambda: view.worker.picture(index) is not None)


def test_a_passage_is_marked_on_its_page(qtbot, opened, books):
    start = books.text.index("toll keeper")
    reader = opened(5, start, start + 11)
    view = reader.pdf_view
    wait_for_page(qtbot, view, 1)
    qtbot.waitUntil(lambda: bool(view.worker.boxes((start, start + 11), 1)))
    place = view.page_rect(1)
    left, top, right, bottom = view.worker.boxes((start, start + 11), 1)[0]
    y = place.top() + (top + bottom) / 2 * place.height()
    assert abs(y - view.viewport().height() / 5) < 40
    image = view.grab().toImage()
    mark = QColor(LIGHT.mark)
    ratio = image.devicePixelRatio()
    x0, x1 = ((place.left() + share * place.width()) * ratio for share in (left, right))
    colors = {image.pixelColor(x, int(y * ratio)).name() for x in range(int(x0), int(x1))}
    assert mark.name() in colors


def test_a_passage_over_a_page_break_is_marked_on_both_pages(qtbot, opened, books):
    start = books.text.index("Nobody waits")
    end = books.text.index("bridge was closed")
    reader = opened(5, start, end)
    reader.pdf_view.set_zoom(0.5)
    reader.resize(700, 900)
    boxes = reader.pdf_view.worker.boxes
    qtbot.waitUntil(lambda: bool(boxes((start, end), 0)) and bool(boxes((start, end), 1)))


def test_the_head_shows_the_printed_page_and_the_count(qtbot, opened, books):
    reader = opened(5, books.pages[1].start, books.pages[1].start + 4)
    bar = reader.page_bar
    qtbot.waitUntil(lambda: (bar.field.text(), bar.count.text()) == ("ii", "(2 of 3)"))


def test_a_broken_pdf_is_shown_as_text(qtbot, reader, books):
    books.original = b"%PDF-1.4 this is no PDF"
    reader.open_at(5, 4, 9)
    qtbot.waitUntil(lambda: reader.view is reader.text_view)
    assert reader.text_view.passage == (4, 9)


def damage_page(pdf: bytes, index: int) -> bytes:
    """Return the PDF with one invalid page; length and offsets are unchanged."""
    is_page, is_font = b"/Type /Page /Parent", b"/Type /Font /Parent"
    parts = pdf.split(is_page)
    before, after = parts[: index + 1], parts[index + 1 :]
    return is_page.join(before) + is_font + is_page.join(after)


def test_a_damaged_page_says_so_and_the_others_are_drawn(qtbot, reader, books, context):
    shown: list[str] = []
    context.messages.posted.connect(lambda message: shown.append(message.text))
    books.original = damage_page(make_pdf(), 1)
    reader.open_at(5, 4, 9)
    view = reader.pdf_view
    view.set_zoom(0.3)  # all three pages visible
    wait_for_page(qtbot, view, 0)
    wait_for_page(qtbot, view, 2)
    qtbot.waitUntil(lambda: view.worker.failure(1) is not None)
    assert str(view.worker.failure(1)) == "This page can't be shown: it is damaged."
    assert shown == []


def test_a_page_that_ends_its_reader_says_so_and_the_next_one_is_drawn(qtbot, reader, books):
    shown = b"BT /F1 14 Tf 40 340 Td (The ferry) Tj ET"
    books.original = attack_files.make_pdf([shown, b"/X Do", shown], b"/X Do /X Do")
    view = reader.pdf_view
    view.worker.renderer.limits = PageLimits(silence_s=1.0)
    reader.open_at(5, 4, 9)
    view.set_zoom(0.3)
    qtbot.waitUntil(lambda: view.worker.failure(1) is not None)
    assert str(view.worker.failure(1)) == (
        "This page can't be shown: its reader did not answer for 1 seconds."
    )
    wait_for_page(qtbot, view, 0)
    wait_for_page(qtbot, view, 2)
    before = view.grab().toImage()
    place = view.page_rect(1).toRect()
    area = before.copy(place)
    written = {area.pixelColor(x, area.height() // 4).name() for x in range(area.width())}
    assert len(written) > 1  # letters on paper


def test_going_back_returns_to_the_page_and_forward_to_the_other_document(qtbot, opened, books):
    reader = opened(5, books.pages[2].start, books.pages[2].start + 6)
    qtbot.waitUntil(lambda: reader.pdf_view.current_page() == 2)
    opened(1)
    assert reader.head.back.isEnabled() and not reader.head.forward.isEnabled()
    reader.back()
    qtbot.waitUntil(lambda: reader.view is reader.pdf_view)
    qtbot.waitUntil(lambda: reader.pdf_view.current_page() == 2)
    assert reader.head.forward.isEnabled()
    reader.head.forward.click()
    qtbot.waitUntil(lambda: reader.view is reader.text_view)
    assert reader.head.back.isEnabled() and not reader.head.forward.isEnabled()
    reader.back()
    qtbot.waitUntil(lambda: reader.view is reader.pdf_view)
    reader.position.go_to_page(0)  # another way: what was ahead is forgotten
    assert not reader.head.forward.isEnabled()


def test_jumps_are_kept_in_both_directions():
    history, seen = JumpHistory(), []
    history.changed.connect(lambda back, forward: seen.append((back, forward)))
    first, second, third = (Stop(1, place, None) for place in range(3))
    assert history.back(first) is None and history.forward(first) is None and not seen
    history.add(first)
    history.add(second)
    assert history.back(third) == second and history.back(second) == first
    assert seen[-1] == (False, True)
    assert history.forward(first) == second and history.forward(second) == third
    assert seen[-1] == (True, False)
    again = JumpHistory()
    again.restore(*history.list_stops())
    assert again.back(third) == second
    again.forget(1)
    assert again.forward(None) is None and again.back(None) is None


def test_zoom_makes_pages_wider_and_pictures_sharper(qtbot, opened):
    reader = opened(5)
    wait_for_page(qtbot, reader.pdf_view, 0)
    before = reader.pdf_view.worker.picture(0).width()
    reader.pdf_view.set_zoom(2.0)
    qtbot.waitUntil(lambda: reader.pdf_view.worker.picture(0).width() > 1.9 * before)


@pytest.mark.parametrize("width", [655, 700, 701])
def test_a_page_is_shown_pixel_for_pixel(qtbot, opened, width):
    view = opened(5).pdf_view
    view.window().resize(width, 400)

    def is_sharp() -> bool:
        picture = view.worker.picture(0)
        size = (view.page_rect(0).size() * view.devicePixelRatioF()).toSize()
        return picture is not None and picture.size() == size

    qtbot.waitUntil(is_sharp)


def test_a_click_on_a_name_opens_it_and_dragging_moves_the_pages(qtbot, opened, books, context):
    start = books.text.index("ferry")
    context.library_reader.mentions_in = lambda *_: [(start, start + 5, 77, "ferry", "object")]
    reader = opened(5)
    reader.head.names.click()
    view = reader.pdf_view
    qtbot.waitUntil(lambda: bool(view.worker.boxes((start, start + 5), 0)))
    place = in_page(view.page_rect(0), view.worker.boxes((start, start + 5), 0)[0])
    left = Qt.MouseButton.LeftButton
    qtbot.mouseClick(view.viewport(), left, pos=place.center().toPoint())
    with qtbot.waitSignal(reader.open_entity) as opening:
        qtbot.mouseClick(reader.passage_actions.card.open_button, left)
    assert opening.args == [77]
    qtbot.waitUntil(lambda: all(view.worker.letters(i) for i in view.pages_in_sight()))
    before = view.verticalScrollBar().value()
    qtbot.mousePress(view.viewport(), left, pos=QPoint(200, 300))
    qtbot.mouseMove(view.viewport(), QPoint(200, 240))
    qtbot.mouseRelease(view.viewport(), left, pos=QPoint(200, 240))
    assert view.verticalScrollBar().value() == before + 60


def test_the_marked_passage_can_be_asked_about(qtbot, opened, books):
    start = books.text.index("toll keeper")
    reader = opened(5, start, start + 11)
    menu = build_menu(reader.pdf_view)
    with qtbot.waitSignal(reader.ask_about) as asking:
        next(a for a in menu.actions() if a.text() == "Ask about this passage").trigger()
    assert asking.args == ["“toll keeper” (Ferry timetable, p. ii)\n"]


def test_names_on_pages_are_underlined(qtbot, opened, books, context):
    start = books.text.index("bridge")
    context.library_reader.mentions_in = lambda *_: [(start, start + 6, 77, "bridge", "place")]
    reader = opened(5)
    reader.head.names.click()
    qtbot.waitUntil(lambda: bool(reader.pdf_view.names))


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_boxes_are_rotated_with_the_page(rotate):
    text, pages = pdf_text()
    document = PdfPages(make_pdf(rotate=rotate))
    try:
        page = pages[0]
        [[box]] = document.find_boxes(0, text[page.start : page.end], [(0, 9)])
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        # the first line stands at the top left of the page as it was written
        x, y = {0: (0.25, 0.14), 90: (0.86, 0.25), 180: (0.75, 0.86), 270: (0.14, 0.75)}[rotate]
        assert middle[0] == pytest.approx(x, abs=0.06)
        assert middle[1] == pytest.approx(y, abs=0.06)
        assert document.sizes[0] == ((300, 400) if rotate % 180 == 0 else (400, 300))
    finally:
        document.close()


def test_repeated_words_on_a_page_are_distinguished():
    document = PdfPages(make_pdf())
    try:
        text = " ".join(PAGE_LINES[0])
        second = text.rindex("ferry")
        first, last = document.find_boxes(0, text, [(4, 9), (second, second + 5)])
        assert last[0][1] > first[0][3] - 0.01
    finally:
        document.close()


def test_letters_are_found_despite_hyphens_ligatures_and_order():
    here, places = normalize_letters(
        "Second column with an example. First column, efficient and long."
    )
    there, _ = normalize_letters(
        "First column, e\ufb03cient and long. Second column with an exam-\nple."
    )
    start = 0
    spans = find_spans(here, places, there, start, 64)
    assert sum(high - low for low, high in spans) == len(here)


def test_a_line_in_several_fonts_is_one_box():
    styled = ("The) Tj /F1 20 Tf ( ferry) Tj /F1 14 Tf ( leaves at dawn.",)
    document = PdfPages(make_pdf([styled]))
    try:
        [boxes] = document.find_boxes(0, "The ferry leaves at dawn.", [(0, 25)])
        assert len(boxes) == 1
    finally:
        document.close()


def test_a_text_that_is_not_there_gives_no_boxes():
    document = PdfPages(make_pdf())
    try:
        assert document.find_boxes(0, "Quite another text", [(0, 13)]) == [[]]
        # its last letters stand near the top of the page by chance
        assert document.find_boxes(0, "Whose Wednesday is the ferry", [(0, 28)]) == [[]]
    finally:
        document.close()
