"""Single-page view, thumbnails, large zoom, going to a page."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QWheelEvent

from desktop_app.engine.model import Heading, Page
from desktop_app.engine.text.pdf_pages import PageLetters, PdfPages, darken
from desktop_app.ui.explorer.node_colors import measure_contrast
from desktop_app.ui.reader.look import SEPIA
from desktop_app.ui.reader.navigation import find_typed_offset, find_typed_page, section_words
from desktop_app.ui.reader.pdf.layout import place_pages
from desktop_app.ui.reader.pdf.worker import SMALL_CACHE_BYTES
from desktop_app.ui.reader.side_panel import (
    COLORS_ROLE,
    PLACE_ROLE,
    SECTION_ROLE,
    ThumbModel,
    break_caption,
    list_top_sections,
)
from desktop_app.ui.theme.design_tokens import DARK, HIGH_LIGHT, LIGHT

from .conftest import make_pdf, pdf_text

A4, SQUARE = (595.0, 842.0), (600.0, 600.0)


def test_a_single_page_is_wholly_visible():
    placed = place_pages([A4, SQUARE, A4], 800, 700, 1.0, single=True)
    assert placed.scales[0] * 842 <= 700
    assert list(placed.stops) == [0, 700, 1400]
    assert placed.tops[1] - 700 == pytest.approx((700 - placed.scales[1] * 600) / 2)
    assert placed.stop_near(900) == 700


def test_pages_flow_with_a_gap_and_a_zoomed_one_scrolls():
    placed = place_pages([A4, A4], 800, 700, 1.0, single=False)
    assert not len(placed.stops)
    assert placed.tops[1] > placed.tops[0] + 842 * placed.scales[0]
    assert not len(place_pages([A4, A4], 800, 700, 3.0, single=True).stops)


def test_a_page_wider_than_the_others_is_drawn_smaller():
    wide = (842.0, 595.0)
    placed = place_pages([A4, wide, A4], 600, 700, 1.0, single=False)
    assert placed.scales[1] < placed.scales[0] == placed.scales[2]
    assert placed.widest <= 600


def test_marks_are_at_the_position_of_their_page():
    placed = place_pages([A4, A4], 800, 700, 1.0, single=False)
    pages = [Page(0, "", 0, 100), Page(1, "", 100, 200)]
    shares = placed.shares(pages, np.array([0, 99, 100, 199]))
    assert (np.diff(shares) > 0).all()
    assert shares[1] < 0.5 < shares[2]


def test_the_wheel_turns_pages_one_by_one(qtbot, opened):
    reader = opened(5)
    reader.head.single.setChecked(True)
    view = reader.pdf_view
    place = QPointF(view.viewport().rect().center())

    def turn(by: int) -> None:
        event = QWheelEvent(
            place, view.viewport().mapToGlobal(place), QPoint(), QPoint(0, by),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        view.wheelEvent(event)

    turn(-120)
    assert view.current_page() == 1
    assert view.pages_in_sight() == [1]
    turn(-120)
    turn(120)
    assert view.current_page() == 1
    qtbot.waitUntil(lambda: reader.page_bar.field.text() == "ii")
    reader.head.single.setChecked(False)
    assert view.current_page() == 1


def test_thumbnails_are_drawn_and_open_their_page(qtbot, opened):
    reader = opened(5)
    reader.resize(900, 700)
    reader.head.outline.click()
    side = reader.body.side
    side.tabs["pages"].click()
    qtbot.waitUntil(lambda: reader.pdf_view.worker.thumbnail(2) is not None)
    assert [side.thumbs.pages.index(i).data() for i in range(3)] == ["i", "ii", "1"]
    rect = side.thumbs.visualRect(side.thumbs.pages.index(1))
    qtbot.mouseClick(side.thumbs.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert reader.pdf_view.current_page() == 1
    qtbot.waitUntil(lambda: side.thumbs.currentIndex().row() == 1)
    assert reader.head.back.isEnabled()


def test_a_text_has_no_thumbnails(opened):
    reader = opened(1)
    assert reader.body.side.tabs["pages"].isHidden()
    assert not reader.head.single.isVisible()


def test_of_a_very_large_page_the_visible_part_is_sharp(qtbot, opened):
    view = opened(5).pdf_view
    view.set_zoom(4.0)
    view.window().resize(1000, 500)
    view.zoom = 12.0
    view.apply_zoom()
    scale = view.pixels_per_point(0)
    qtbot.waitUntil(lambda: view.worker.sharp(0, scale) is not None)
    image, _ = view.worker.sharp(0, scale)
    assert image.width() < 300 * scale
    view.grab()


def test_a_part_of_a_page_equals_that_part_of_the_whole():
    document = PdfPages(make_pdf())
    try:
        whole = document.render(0, 2.0)
        part = document.render_part(0, 2.0, (60, 90, 260, 150))
        assert (part.left, part.top, part.width, part.height) == (60, 90, 200, 60)
        for row in (0, 30, 59):
            there = (row + 90) * whole.stride + 60 * 4
            here = row * part.stride
            assert whole.pixels[there : there + 800] == part.pixels[here : here + 800]
    finally:
        document.close()


def test_a_page_is_found_by_printed_number_count_or_share(opened):
    loaded = opened(5).loaded
    assert find_typed_offset("ii", loaded) == loaded.pages[1].start
    assert find_typed_offset("p. 1", loaded) == loaded.pages[2].start
    assert find_typed_offset("2", loaded) == loaded.pages[1].start
    assert find_typed_offset("50%", loaded) == round(0.5 * (len(loaded.text) - 1))
    assert find_typed_offset("99", loaded) is None
    assert find_typed_offset("", loaded) is None


def test_going_to_a_page_can_be_undone_with_back(qtbot, opened, context):
    reader = opened(5)
    bar = reader.page_bar
    qtbot.keyClick(reader.pdf_view, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert bar.field.text() == "i" and bar.field.selectedText() == "i"
    qtbot.keyClicks(bar.field, "99")
    with qtbot.waitSignal(context.messages.posted) as posted:
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert "no page “99”" in posted.args[0].text
    assert bar.field.text() == "i"
    bar.field.setText("1")
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert reader.pdf_view.current_page() == 2
    qtbot.waitUntil(lambda: (bar.field.text(), bar.count.text()) == ("1", "(3 of 3)"))
    assert not bar.next.isEnabled()
    bar.previous.click()
    assert reader.pdf_view.current_page() == 1
    reader.back()
    assert reader.pdf_view.current_page() == 0


def test_pages_and_zoom_are_in_the_toolbar_which_names_nothing_twice(qtbot, opened):
    reader = opened(5)
    reader.resize(1300, 700)
    bar, view = reader.page_bar, reader.pdf_view
    bar.percent.setText("150%")
    qtbot.keyClick(bar.percent, Qt.Key.Key_Return)
    inch = 72 * view.page_rect(0).width() / view.worker.sizes[0][0]
    assert inch == pytest.approx(1.5 * 96, abs=1) and bar.percent.text() == "150%"
    bar.percent.setText("much")
    qtbot.keyClick(bar.percent, Qt.Key.Key_Return)
    assert view.shown_zoom == pytest.approx(1.5) and bar.percent.text() == "150%"
    bar.enlarge.click()
    assert bar.percent.text() == "175%"
    reader.head.facing.setChecked(True)
    smaller = view.page_rect(0).width() / view.worker.sizes[0][0] * 72 / 96
    assert bar.percent.text() == f"{smaller:.0%}", "what is shown is the size of the pages"
    reader.head.facing.setChecked(False)
    reader.head.fit_page.trigger()
    assert view.page_rect(view.current_page()).height() <= view.viewport().height()
    reader.head.fit_width.trigger()
    page, window = view.page_rect(view.current_page()).width(), view.viewport().width()
    assert 0.9 * window < page <= window
    assert not reader.body.side.isVisible()
    head = reader.head
    head.set_position("Section 1")
    assert head.title.isVisible() and head.position.isVisible()
    head.set_position("")  # without a second line, the title is in the middle of the bar
    head.row.activate()
    head._words.layout().activate()
    middle = head.title.mapTo(head, head.title.rect().center()).y()
    assert head.position.isHidden() and abs(middle - head.height() / 2) <= 2
    reader.resize(420, 700)
    assert bar.field.isVisible() and not bar.percent.isVisible()
    assert not head.note.isVisible() and head.close_button.geometry().right() <= 420
    menu = head.build_more_menu()  # what has no room
    entries = {action.text(): action for action in menu.actions()}
    assert {"Next page", "Zoom", "Zoom in", "Highlight", "Area"} <= set(entries)
    assert head.more.isVisible() and not entries["Previous page"].isEnabled()
    entries["Next page"].trigger()
    assert view.current_page() == 1
    entries["Area"].trigger()
    assert head.area.isChecked()
    head.area.click()
    menu.close()
    reader.resize(1300, 700)
    assert bar.percent.isVisible() and head.note.isVisible() and bar.previous.isVisible()
    assert not head.more.isVisible()
    opened(1)
    assert head.title.isVisible() and head.position.isVisible()
    assert bar.percent.isVisible() and head.pen.isVisible()
    assert not bar.field.isVisible() and not bar.previous.isVisible()


def test_the_zoom_of_a_text_is_typed_in_the_same_box(qtbot, opened):
    reader = opened(1)
    reader.resize(1300, 700)
    bar = reader.page_bar
    for typed, zoom in (("150", 1.5), ("10", 0.5)):
        bar.percent.setText(typed)
        qtbot.keyClick(bar.percent, Qt.Key.Key_Return)
        assert reader.text_view.zoom == zoom and reader.pdf_view.zoom == 1.0
        assert bar.percent.text() == f"{zoom:.0%}"
    bar.enlarge.click()
    assert reader.text_view.zoom > 0.5


def test_the_lower_edge_of_the_head_shows_how_much_of_a_text_is_read(qtbot, opened):
    reader = opened(1)
    reader.resize(900, 300)
    head, bar = reader.head, reader.text_view.verticalScrollBar()

    def read() -> int:
        line = head.grab().toImage()
        ink = reader.theme.color("accent")
        return sum(line.pixelColor(x, line.height() - 1) == ink for x in range(line.width()))

    assert read() == 0
    bar.setValue(bar.maximum() // 2)
    qtbot.waitUntil(lambda: 0.3 < read() / head.width() < 0.7)
    assert "% read" in head.position.full_text()
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: read() == head.width())


def test_beside_the_pages_of_a_pdf_is_its_chapter(qtbot, opened):
    reader = opened(5)
    reader.resize(900, 500)
    head, bar = reader.head, reader.pdf_view.verticalScrollBar()
    assert head.position.full_text() == ""  # before the first chapter
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: head.position.full_text() == "Evening")


def test_one_deep_letter_does_not_lower_the_underline_of_a_name():
    # "my": the box of "y" ends lower than that of "m"
    offsets = np.arange(4, dtype=np.int32)
    boxes = np.array([[0.1, 0.2, 0.2, 0.3], [0.2, 0.2, 0.3, 0.34], [0.3, 0.2, 0.4, 0.3],
                      [0.1, 0.4, 0.2, 0.5]], dtype=np.float32)  # fmt: skip
    letters = PageLetters(offsets, boxes, 100.0, 100.0)
    assert letters.foot(0, 3, (0.1, 0.2, 0.4, 0.34)) == pytest.approx(0.3)
    assert letters.foot(0, 4, (0.1, 0.4, 0.2, 0.5)) == pytest.approx(0.5)  # the second line
    assert letters.foot(9, 9, (0.1, 0.4, 0.2, 0.5)) == 0.5


def _empty_point(view) -> QPoint:
    """Return a point of the first page without text, in sight."""
    place = view.page_rect(0)
    return QPoint(round(place.left()) + 8, max(0, round(place.top())) + 8)


def test_pages_are_dark_in_a_dark_theme(qtbot, opened, context):
    reader, theme = opened(5), context.theme
    view = reader.pdf_view
    qtbot.waitUntil(lambda: view.worker.picture(0) is not None)
    corner = _empty_point(view)
    assert view.grab().toImage().pixelColor(corner).lightness() > 250
    mode = theme.mode
    theme.set_mode("dark")
    qtbot.waitUntil(lambda: view.grab().toImage().pixelColor(corner).lightness() < 60)
    assert view._painter.paper.dark
    reader.head.colors["paper"].trigger()
    qtbot.waitUntil(lambda: view.grab().toImage().pixelColor(corner).lightness() > 250)
    assert not view._painter.paper.dark
    theme.set_mode(mode)


def test_marks_on_pages_have_the_colours_of_high_contrast(qtbot, opened, context):
    painter, theme = opened(5).pdf_view._painter, context.theme
    contrast = theme.contrast
    assert painter.paper is LIGHT
    theme.set_contrast("on")
    assert painter.paper is HIGH_LIGHT
    theme.set_contrast(contrast)


def test_a_document_opens_at_its_last_position(qtbot, opened, context):
    reader = opened(5)
    reader.pdf_view.show_page(2)
    opened(1)
    qtbot.waitUntil(lambda: context.annotations.places.get(5, "").startswith("[2"))
    opened(5)
    qtbot.waitUntil(lambda: reader.pdf_view.current_page() == 2)
    context.annotations.places[1] = "300"
    opened(2)
    opened(1)
    low, high = reader.text_view.visible_range()
    assert low <= 300 < high
    context.annotations.places[1] = "[2, 0.5]"  # of a time when it was shown otherwise
    opened(2)
    opened(1)


def test_dark_pages_are_inverted_and_restored(qtbot, opened):
    reader = opened(5)
    view = reader.pdf_view
    qtbot.waitUntil(lambda: view.worker.picture(0) is not None)

    def paper() -> int:
        picture = view.worker.picture(0)
        return picture.pixelColor(2, 2).lightness() if picture is not None else -1

    assert paper() == 255
    reader.head.colors["dark"].setChecked(True)
    qtbot.waitUntil(lambda: 0 <= paper() < 40)
    view.selection.select(0, 20)
    view.grab()
    reader.head.colors["window"].setChecked(True)
    qtbot.waitUntil(lambda: paper() == 255)


def test_darkening_inverts_lightness_and_keeps_hues():
    white, black, red = b"\xff\xff\xff\x00", b"\x00\x00\x00\x00", b"\x00\x00\xff\x00"
    made = darken(white + black + red)
    assert made[:3] == bytes((0x23, 0x20, 0x1F))
    assert made[4:7] == bytes((0xE6, 0xEA, 0xEC))
    assert made[10] > made[8] and made[10] > made[9]


@pytest.mark.parametrize(
    "ink", ["#000080", "#0000FF", "#8B0000", "#FF0000", "#006400", "#800080"]
)  # navy, blue, dark red, red, dark green, purple: links and marks of cited works in papers
def test_coloured_text_of_a_dark_page_is_readable_and_keeps_its_hue(ink):
    given = QColor(ink)
    made = darken(bytes((given.blue(), given.green(), given.red(), 0)))
    shown = QColor(made[2], made[1], made[0])
    assert measure_contrast(shown, QColor(DARK.surface)) >= 4.5
    assert abs(shown.hue() - given.hue()) <= 8
    pale = bytes((0xF5, 0xEC, 0xDC, 0))  # the ground of a box stays dark under light text
    ground = darken(pale)
    assert measure_contrast(QColor(ground[2], ground[1], ground[0]), QColor(DARK.text)) >= 7


def test_a_picture_on_a_dark_page_keeps_its_light():
    white, black = b"\xff\xff\xff\x00", b"\x00\x00\x00\x00"
    rows = (white + black) * 2
    made = darken(rows, 8, [(0, 1, 2, 2)])  # the second row
    assert made[:3] == bytes((0x23, 0x20, 0x1F)) and made[4:7] == bytes((0xE6, 0xEA, 0xEC))
    assert made[8] > 200 and made[12:15] == b"\x00\x00\x00"


def test_thumbnails_stand_in_for_pages_that_are_not_rendered(qtbot, opened):
    view = opened(5).pdf_view
    view.set_zoom(2.0)
    qtbot.waitUntil(lambda: all(view.worker.thumbnail(i) is not None for i in range(3)))
    view.worker.pictures["picture"].clear()
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    shown = view.grab().toImage()
    assert 2 in view.pages_in_sight() and view.worker.picture(2) is None
    view.worker.forget_pictures()
    assert shown != view.grab().toImage(), "a placeholder was shown instead of the thumbnail"


def test_few_enough_thumbnails_are_requested_to_be_cached(opened):
    view = opened(5).pdf_view
    view.worker.sizes = [(300.0, 400.0)] * 900
    view.devicePixelRatioF = lambda: 3.0
    requests = set(view.requests.iter_thumbnails())
    assert len(requests) > 10
    assert len(requests) * 132 * 176 * 9 * 4 < SMALL_CACHE_BYTES


def test_two_pages_are_side_by_side_and_their_text_can_be_selected(qtbot, opened):
    reader = opened(5)
    view = reader.pdf_view
    reader.head.single.setChecked(True)
    reader.head.facing.setChecked(True)
    assert not reader.head.single.isChecked() and view.facing
    first, second, third = (view.page_rect(i) for i in range(3))
    assert first.top() == second.top() and first.right() < second.left()
    assert third.top() >= max(first.bottom(), second.bottom())
    assert first.left() >= 0 and second.right() <= view.viewport().width()
    assert view.pages_in_sight()[:2] == [0, 1] and view.current_page() == 0
    qtbot.waitUntil(
        lambda: view.worker.letters(0) is not None and view.worker.letters(1) is not None
    )
    for index, place in enumerate((first, second)):
        page = view.worker.pages[index]
        offset = view.offset_at(place.center().x(), place.top() + place.height() * 0.17)
        assert page.start <= offset < page.end
    view.show_range(view.worker.pages[2].start, view.worker.pages[2].end)
    assert 2 in view.pages_in_sight()


def test_pages_in_sepia_are_tinted(qtbot, opened):
    reader = opened(5)
    view = reader.pdf_view
    qtbot.waitUntil(lambda: view.worker.picture(0) is not None)
    reader.head.colors["sepia"].trigger()
    corner = _empty_point(view)
    color = view.viewport().grab().toImage().pixelColor(corner)
    assert color == QColor(SEPIA.surface)


def test_a_paper_is_readable_in_a_tab_without_zooming():
    # beside the sidebar of a window of 1440 x 900; with the panel and its scroll bar, too
    for width in (1210, 1210 - 236):
        placed = place_pages([(612.0, 792.0)] * 3, width, 800, 1.0, single=False)
        assert 10 * placed.scales[0] >= 14  # pixels of type of 10 points


def test_chapters_have_their_pages_and_the_beginning_is_one(qtbot, opened, books, context):
    preface = "A preface. " * 30
    books.text = preface + books.text
    books.pages = [
        Page(p.index, p.label, p.start + len(preface) * (p.index > 0), p.end + len(preface))
        for p in books.pages
    ]
    context.library_reader.texts[5] = books.text
    reader = opened(5)
    tree = reader.outline.tree
    rows = [tree.topLevelItem(i) for i in range(tree.topLevelItemCount())]
    assert [(row.text(0), row.text(1)) for row in rows] == [("Front matter", "i"), ("Evening", "1")]
    qtbot.waitUntil(lambda: tree.currentItem() is rows[0])  # where the document was opened
    tree.itemClicked.emit(rows[1], 0)
    qtbot.waitUntil(lambda: tree.currentItem() is rows[1])
    tree.itemClicked.emit(rows[0], 0)
    qtbot.waitUntil(lambda: reader.pdf_view.current_page() == 0)
    assert tree.currentItem() is rows[0]
    assert rows[0].font(0).bold() or rows[0].font(0).weight() > rows[1].font(0).weight()


def test_thumbnails_are_in_as_many_columns_as_the_panel_has_room_for(qtbot, opened, books):
    reader = opened(5)
    thumbs = reader.body.side.thumbs
    reader.body.side.show_tab("pages")
    reader.head.outline.setChecked(True)
    reader.resize(1200, 900)
    for width, n_columns in ((200, 1), (308, 2), (520, 3)):
        reader.body.set_side_width(width)
        thumbs.doItemsLayout()
        places = [thumbs.visualRect(thumbs.pages.index(row)) for row in range(3)]
        assert len({place.left() for place in places}) == n_columns
        assert len({place.top() for place in places}) == -(-3 // n_columns)
        assert thumbs.viewport().width() - places[n_columns - 1].right() < 30
        first, last = thumbs.visible_rows()
        assert first == 0 and places[last].top() <= thumbs.viewport().height()
        assert last == 2


def test_a_page_is_named_by_the_section_at_its_top():
    pages = [Page(n, "", 1000 * n, 1000 * n + 999) for n in range(4)]
    # page 2 begins in a section and another one begins on it; page 3 begins with a heading
    outline = [Heading(1, f"{start} Title", start) for start in (500, 1900, 2040, 2900)]
    names = {0: "Front matter", 1: "500 Title", 2: "2040 Title", 3: "2900 Title"}
    assert list_top_sections(pages, outline) == names
    assert list_top_sections(pages, ()) == {}
    model = ThumbModel()
    model.set_pages(4, pages, outline)
    assert model.data(model.index(1), SECTION_ROLE) == "500 Title"
    assert model.data(model.index(1), Qt.ItemDataRole.AccessibleTextRole) == "Page 2: 500 Title"
    model.set_pages(4, pages)
    assert model.data(model.index(2), Qt.ItemDataRole.AccessibleTextRole) == "Page 3"


def test_the_section_is_the_last_one_that_begins_at_or_above_the_top_of_what_is_shown(
    qtbot, opened, books, context
):
    lines = [tuple(f"Line {page}.{row} of the logbook" for row in range(15)) for page in range(3)]
    text, books.pages = pdf_text(lines)
    context.library_reader.texts[5] = text
    books.original = make_pdf(lines)
    reader = opened(5)
    reader.resize(900, 600)
    view, bar = reader.pdf_view, reader.pdf_view.verticalScrollBar()
    starts = [text.index(f"Line {at} ") for at in ("0.8", "1.0", "1.11")]
    outline = [
        Heading(1, f"{start}", start, page) for start, page in zip(starts, (0, 1, 1), strict=True)
    ]

    def show_page(page: int) -> int:
        view.show_page(page)
        qtbot.waitUntil(lambda: view.worker.letters(page) is not None)
        return view.find_section_shown(outline)

    def show_line(page: int, row: int) -> int:
        letters = view.worker.letters(page)
        at = text.index(f"Line {page}.{row} ")
        box = letters.boxes[list(letters.offsets).index(at)]
        place = view.page_rect(page)
        bar.setValue(bar.value() + round(place.top() + float(box[1]) * place.height()) - 2)
        assert view.current_page() == page
        return view.find_section_shown(outline)

    assert show_page(0) == -1
    assert show_line(0, 2) == -1  # "0.8" is in the upper half of the window now
    assert show_line(0, 8) == show_line(0, 9) == 0
    assert show_page(1) == 1
    assert show_line(1, 5) == 1
    assert show_line(1, 11) == 2
    assert view.find_section_shown([]) == -1


def test_thumbnails_show_the_part_that_is_shown_of_the_pages(qtbot, opened):
    reader = opened(5)
    view, thumbs = reader.pdf_view, reader.body.side.thumbs
    reader.body.side.show_tab("pages")
    reader.head.outline.setChecked(True)
    reader.resize(1200, 700)
    qtbot.waitUntil(lambda: view.worker.thumbnail(0) is not None)
    place = thumbs.visualRect(thumbs.pages.index(0))
    whole = thumbs.viewport().grab(place).toImage()
    low = place.height()
    thumbs.set_shown_part(lambda index: (0.0, 0.0, 1.0, 0.5))  # of each page the upper half
    thumbs.doItemsLayout()
    place = thumbs.visualRect(thumbs.pages.index(0))
    assert place.height() < low - 40  # rows without gaps
    assert thumbs.viewport().grab(place).toImage() != whole


def test_thumbnails_show_which_pages_have_highlights(qtbot, opened, books, context):
    context.editing = context.annotations  # undo is not used here
    reader = opened(5)
    start = books.pages[1].start
    reader.annotations.highlight(start, start + 7, "green")
    model = reader.body.side.thumbs.pages
    qtbot.waitUntil(lambda: model.data(model.index(1), COLORS_ROLE) == ["green"])
    assert model.data(model.index(0), COLORS_ROLE) == ()


def test_the_number_of_two_pages_is_a_page_and_a_printed_number_with_a_dash_too():
    pages = [Page(i, label, i, i + 1) for i, label in enumerate(("", "", "A–1", "A–2"))]
    assert find_typed_page("1–2", pages, 4) == 0  # as the page box shows two pages
    assert find_typed_page("a–2", pages, 4) == 3
    assert find_typed_page("7–8", pages, 4) is None


def test_roman_numbers_are_typed_as_they_are_printed_and_digits_mean_printed_ones():
    labels = ["i", "ii", "iii", "iv", "1", "2"]
    pages = [Page(i, label, i, i + 1) for i, label in enumerate(labels)]
    for words, index in (("iii", 2), ("III", 2), ("p. iv", 3), ("1", 4), ("p. 2", 5), ("v", None)):
        assert find_typed_page(words, pages, 6) == index, words


def test_several_sections_in_sight_are_named_from_the_first_to_the_last():
    titles = ("Abstract", "2 Related Work", "3.1 Indexing", "A.2 Prompts", "The Paper")
    outline = [Heading(1, title, 10 * n) for n, title in enumerate(titles)]
    assert section_words(outline, 2, "") == "3.1 Indexing"
    assert section_words(outline, 0, "") == "Abstract"
    assert section_words(outline, 4, "The Paper") == section_words(outline, -1, "") == ""
    late = [Heading(1, "1 Introduction", 300)]
    assert section_words(late, -1, "") == "Front matter"  # as in the contents


def test_a_caption_has_two_lines_and_ends_where_room_ends(context):
    font = context.theme.font("small")
    metrics = QFontMetrics(font)
    width = metrics.horizontalAdvance("2 Retrieval-Au")
    lines = break_caption("2 Retrieval-Augmented Generation", font, width)
    assert len(lines) == 2 and lines[0].startswith("2 Retrieval-")
    assert lines[1].startswith("Augmented") and lines[1].endswith("…")
    assert all(metrics.horizontalAdvance(line) <= width for line in lines)
    assert break_caption("Intro", font, width) == ["Intro"]
    assert break_caption(
        "检索增强生成的基础知识与方法综述", font, metrics.horizontalAdvance("检索增强")
    )[0]
    assert break_caption("", font, width) == break_caption("Words", font, 0) == []


def test_a_number_that_two_pages_have_means_the_one_that_is_counted_on():
    labels = ["1", "i", "ii", "1", "2", "3"]  # the title page of LaTeX
    pages = [Page(i, label, i, i + 1) for i, label in enumerate(labels)]
    assert find_typed_page("1", pages, 6) == 3
    assert find_typed_page("3", pages, 6) == 5
    assert find_typed_page("1", pages[:1], 1) == 0


def test_a_printed_number_has_the_place_in_the_file_beside_it_in_every_list(opened, books, context):
    reader = opened(5)
    total = len(books.pages)
    numbers = [page.number for page in books.pages]
    assert numbers[1] == "ii"
    thumbs = reader.body.side.thumbs.pages
    shown = [thumbs.data(thumbs.index(n)) for n in range(total)]
    assert shown == numbers
    places = [thumbs.data(thumbs.index(n), PLACE_ROLE) for n in range(total)]
    assert places == [f"({n} of {total})" for n in range(1, total + 1)]
    tip = thumbs.data(thumbs.index(1), Qt.ItemDataRole.ToolTipRole)
    assert tip.startswith("Page ii (2 of 3)")
    outline = [Heading(1, "Second", books.pages[1].start, 1)]
    reader.outline.set_outline(outline, books.pages)
    line = reader.outline.tree.topLevelItem(reader.outline.tree.topLevelItemCount() - 1)
    assert line.text(1) == "ii" and line.toolTip(1) == "Page ii (2 of 3)"
    bar = reader.page_bar
    bar.set_page(0, "1", 285)  # its label is its place by chance: the others have other ones
    assert (bar.field.text(), bar.count.text()) == ("1", "(1 of 285)")
    bar.set_page(0, "", 285)
    assert (bar.field.text(), bar.count.text()) == ("1", "of 285")


def test_a_highlight_made_elsewhere_is_painted_without_scrolling(qtbot, opened, books, context):
    reader = opened(5)
    view = reader.view
    qtbot.waitUntil(lambda: not view.worker._busy and bool(view.worker.known_letters))
    start = books.pages[0].start
    context.annotations.highlight(5, start, start + 7, color="green")
    reader.annotations.reload()
    qtbot.waitUntil(lambda: bool(view.marks))
    qtbot.waitUntil(lambda: bool(view.worker.boxes((start, start + 7), 0)))
