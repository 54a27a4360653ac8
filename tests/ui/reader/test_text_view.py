"""The text view and its screen: positions, selection, search, history."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QGuiApplication

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import UserError
from desktop_app.engine.model import Heading
from desktop_app.ui.reader.loading import format_section_name
from desktop_app.ui.reader.navigation import chapter_words, count_screens_left, text_words
from desktop_app.ui.reader.passage_actions import build_menu
from desktop_app.ui.reader.screen import ReaderScreen
from desktop_app.ui.reader.text.blocks import build_blocks
from desktop_app.ui.reader.text.typesetting import Typesetter
from desktop_app.ui.reader.text.view import TextView
from desktop_app.ui.reader.view import SECTION_LINE
from tests.ui.fakes import CHINESE, ENGLISH, FakeContext

PARAGRAPH = "The miller counted his sacks again, and again one was missing. " * 12
LONG = "\n\n".join(f"{i}. {PARAGRAPH}" for i in range(4000))


@pytest.fixture
def long_view(qtbot, context):
    context.theme.animation_ms = lambda wanted=150: 0
    view = TextView(context.theme)
    qtbot.addWidget(view)
    view.resize(700, 600)
    view.show()
    view.set_document(LONG, build_blocks(LONG))
    return view


def rect_of(view: TextView, start: int, end: int):
    for _, top, block in view.visible_blocks():
        if block.start <= start < block.end:
            return block.rects(start, end)[0].translated(view.column_left, top)
    raise AssertionError("not in sight")


def test_three_million_characters_open_at_a_passage(long_view):
    blocks = build_blocks(LONG)
    long_view.set_document(LONG, blocks)
    long_view.show_passage(2_000_000, 2_000_100)
    assert len(LONG) > 3_000_000
    start, end = long_view.visible_range()
    assert start <= 2_000_000 < 2_000_100 <= end


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_a_passage_is_shown_at_a_third_of_the_height(long_view, share):
    start = int(len(LONG) * share)
    long_view.show_passage(start, start + 80)
    assert abs(rect_of(long_view, start, start + 80).top() - 200) <= 2


def test_scrolling_down_and_up_again_comes_back_to_the_same_line(long_view):
    long_view.show_passage(1_500_000, 1_500_100)
    before = rect_of(long_view, 1_500_000, 1_500_100).top()
    bar = long_view.verticalScrollBar()
    for step in [60] * 40 + [-60] * 40:
        bar.setValue(bar.value() + step)
    assert abs(rect_of(long_view, 1_500_000, 1_500_100).top() - before) <= 45


def test_scrolling_to_the_end_shows_the_last_line(long_view):
    bar = long_view.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert long_view.visible_range()[1] == len(LONG.rstrip())
    bar.setValue(0)
    assert long_view.visible_range()[0] == 0


def test_points_and_offsets_agree_after_wide_characters(qtbot, context):
    text = "😀 Ada saw 𠮷野 and the 😀 ferry."
    view = TextView(context.theme)
    qtbot.addWidget(view)
    view.resize(700, 300)
    view.show()
    view.set_document(text, build_blocks(text))
    for word in ("Ada", "ferry"):
        start = text.index(word)
        place = rect_of(view, start, start + len(word))
        assert view.offset_at(place.left() + 1, place.center().y()) == start


def test_zooming_keeps_the_line_at_the_top(long_view):
    long_view.show_passage(1_000_000, 1_000_050)
    top = long_view.top_offset()
    long_view.set_zoom(1.5)
    assert abs(long_view.top_offset() - top) < 150
    assert long_view.typesetter.column > 560


def test_a_citation_is_marked_when_opened(opened):
    start = ENGLISH.index("Tobias Quill swam")
    reader = opened(1, start, start + 30)
    assert reader.view is reader.text_view
    assert reader.text_view.passage == (start, start + 30)
    assert rect_of(reader.text_view, start, start + 30).height() > 0


def test_a_passage_beginning_in_the_gap_above_a_block_is_shown(long_view):
    gap = LONG.index("\n\n2000. ")
    long_view.show_passage(gap, gap + 80)
    assert abs(rect_of(long_view, gap + 2, gap + 80).top() - 200) <= 2


def test_dragging_selects_and_copies_exactly_that(qtbot, opened):
    reader = opened(1)
    view = reader.text_view
    start = ENGLISH.index("ferrywoman")
    place = rect_of(view, start, start + 10)
    y = int(place.center().y())
    viewport = view.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=QPoint(int(place.left()) + 1, y))
    qtbot.mouseMove(viewport, QPoint(int(place.right()), y))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=QPoint(int(place.right()), y))
    assert view.selection.text == "ferrywoman"
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "ferrywoman"
    asked: list[str] = []
    reader.ask_about.connect(asked.append)
    menu = build_menu(view)
    next(a for a in menu.actions() if a.text() == "Ask about this passage").trigger()
    assert asked == ["“ferrywoman” (A. Nonymous, The Ferry at Harrow Ford, Chapter 1. The ferry)\n"]


def test_names_are_underlined_and_open(qtbot, opened):
    reader = opened(2)
    reader.head.names.click()
    qtbot.waitUntil(lambda: bool(reader.text_view.names))
    start = CHINESE.index("林秋白")
    place = rect_of(reader.text_view, start, start + 3)
    qtbot.mouseClick(
        reader.text_view.viewport(), Qt.MouseButton.LeftButton, pos=place.center().toPoint()
    )
    card = reader.passage_actions.card
    assert card.name.full_text() == "林秋白"
    qtbot.waitUntil(lambda: "林先生" in card.facts.text())
    with qtbot.waitSignal(reader.open_entity) as caught:
        qtbot.mouseClick(card.open_button, Qt.MouseButton.LeftButton)
    assert caught.args == [8]
    assert reader.passage_actions.card is None
    reader.legend.shown.click()  # a click on the button would only close the card
    assert reader.text_view.names == []


def test_search_counts_hits_and_wraps_around(qtbot, opened):
    reader = opened(1)
    reader.search.start()
    reader.find_bar.field.setText("penny")
    qtbot.waitUntil(lambda: bool(reader.text_view.hits))
    assert reader.find_bar.count.text() == "1 of 2"
    reader.search.previous()
    assert reader.find_bar.count.text() == "2 of 2"
    assert reader.text_view.current_hit == 1
    reader.find_bar.closed.emit()
    assert reader.text_view.hits == []


def test_back_returns_to_the_former_document_and_passage(qtbot, opened):
    start = ENGLISH.index("Chapter 2")
    reader = opened(1, start, start + 9)
    opened(2, 0, 5)
    assert reader.head.back.isEnabled()
    reader.back()
    qtbot.waitUntil(lambda: reader.loaded is not None and reader.loaded.row.id == 1)
    assert reader.text_view.passage == (start, start + 9)
    assert not reader.head.back.isEnabled()


@pytest.mark.parametrize("saved", [None, "-1"])
def test_a_text_opens_where_the_work_begins_until_another_place_is_saved(
    qtbot, reader, context, saved
):
    licence = "You may copy it, give it away or re-use it. " * 100
    context.library_reader.texts[1] = f"{licence}\n\n{ENGLISH}"
    context.library_reader.find_start = lambda document_id: len(licence) + 2
    if saved:  # the user scrolled to the top
        context.annotations.places[1] = saved
    reader.resize(700, 300)
    reader.open_document(1)
    qtbot.waitUntil(lambda: reader.loaded is not None)
    qtbot.waitUntil(lambda: reader.text_view.visible_range()[1] > 0)
    wanted = 0 if saved else len(licence) + 2
    assert reader.text_view.top_offset() == wanted
    _, top, block = reader.text_view.visible_blocks()[0]
    assert block.start >= wanted and top >= 24  # a margin above, without the licence
    if not saved:
        bar = reader.text_view.verticalScrollBar()
        bar.setValue(bar.value() - 1)
        assert reader.text_view.visible_blocks()[0][2].start < wanted


def test_the_outline_follows_scrolling_and_opens_chapters(opened):
    reader = opened(1)
    reader.resize(700, 200)
    reader.head.outline.setChecked(True)
    assert reader.outline.isVisible()
    reader.outline.chosen.emit(1)
    assert "Chapter 2. The flood" in reader.head.position.full_text()


def test_a_deleted_document_is_reported(qtbot, reader, context):
    def gone(document_id):
        raise UserError("This document is no longer in the library.")

    context.library_reader.get_document = gone
    reader.open_at(3, 0, 5)
    qtbot.waitUntil(lambda: "no longer" in reader.body.empty.title.text())
    assert reader.body.stack.currentWidget() is reader.body.empty


def test_a_document_deleted_while_open_is_closed(qtbot, opened, context):
    reader = opened(1)

    def gone(document_id):
        raise UserError("This document is no longer in the library.")

    context.library_reader.get_document = gone
    context.hub.publish_edit(ChangeNotice(documents=frozenset({1})))
    qtbot.waitUntil(lambda: reader.view is None)


def test_without_a_document_an_explanation_is_shown(reader):
    assert "library" in reader.body.empty.text.text()
    assert not reader.head.search.isEnabled()


def test_the_reader_fits_beside_a_chat(qtbot, opened):
    reader = opened(1)
    reader.head.outline.setChecked(True)
    reader.resize(420, 500)
    assert reader.width() == 420
    qtbot.waitUntil(lambda: reader.text_view.viewport().width() > 380)


def test_a_document_has_the_font_of_its_script(qtbot, opened, context):
    english, chinese = (context.theme.font(role).families() for role in ("book", "book_zh"))
    assert opened(1).text_view.typesetter.font.families() == english
    assert opened(2).text_view.typesetter.font.families() == chinese != english


def test_list_items_have_a_hanging_indent(qtbot):
    text = "What to bring:\n\n• " + "a coat and a lamp " * 20 + "\n\nNothing else."
    setter = Typesetter()
    setter.set_text(text, build_blocks(text))
    setter.configure(QFont(), 500.0)
    item = setter.block(1)
    first, second = (item.layout.lineAt(i) for i in (0, 1))
    word = first.cursorToX(item.to_qt(text.index("a coat")))[0]
    assert second.position().x() == pytest.approx(word, abs=1.5)
    assert first.position().x() < word, "the bullet stands out to the left"


def test_the_margin_above_a_text_that_is_opened_first_stays_when_its_column_changes(opened):
    """The panel of contents, opened beside it, moved the first line to the toolbar."""
    view = opened(1).text_view
    view.go_to_place(int(view.typesetter.blocks.starts[2]))
    view.leave_margin()
    first, top = view.top_offset(), view.visible_blocks()[0][1]
    view.set_line_length(0.75)
    assert view.top_offset() == first and view.visible_blocks()[0][1] == pytest.approx(top, abs=1)
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() + 40)
    assert not view._has_margin()


def test_the_progress_is_0_at_the_top_and_1_at_the_end(qtbot, opened):
    reader = opened(1)
    reader.text_view.set_zoom(2.0)
    bar = reader.text_view.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert reader.head.position.full_text().startswith("100% read ·")
    bar.setValue(0)
    assert reader.head.position.full_text().startswith("0% read")
    reader.text_view.set_zoom(0.5)
    reader.resize(700, 2000)
    qtbot.waitUntil(lambda: "%" not in reader.head.position.text())


def test_the_place_names_the_section_as_the_contents_do_and_how_much_is_left_of_it():
    """Two percentages stood beside each other: “0% read · Front matter (21%)”."""
    outline = [Heading(1, "I. The Ferry", 1000), Heading(1, "II. The Harbour", 3000)]
    left = [count_screens_left(outline, at, bottom, 4000, 500) for at, bottom in
            ((-1, 250), (0, 2000), (0, 2990), (1, 3100), (1, 4000))]  # fmt: skip
    assert left == [2, 2, 0, 2, 0]
    assert count_screens_left([], -1, 10, 4000, 500) == 0
    assert (
        text_words(outline, -1, 0.06, 2, "A Tale", "Ada Voss")
        == "6% read · Front matter · 2 screens left in this section"
    )
    one_left = "50% read · I. The Ferry · 1 screen left in this section"
    assert text_words(outline, 0, 0.5, 1) == one_left
    assert text_words(outline, 0, 0.5, 0) == "50% read · I. The Ferry"
    assert text_words([], -1, 0.5, 0, "A Tale", "Ada Voss") == "50% read · Ada Voss"
    assert text_words([], -1, None, 0, "A Tale", "Ada Voss") == "Ada Voss"
    paper = [Heading(1, "Abstract", 300, 0), Heading(1, "1 Introduction", 900, 0)]
    assert format_section_name(paper, -1) == "Title page"
    assert format_section_name([Heading(1, "1 Introduction", 900, 4)], -1) == "Front matter"


def test_titles_have_the_width_of_the_contents_where_no_page_is_beside_them(opened):
    tree = opened(1).outline.tree
    assert tree.isColumnHidden(1) and tree.columnWidth(0) == tree.viewport().width()


def test_the_line_of_what_is_read_is_no_dot_at_the_beginning(qtbot, opened):
    head = opened(1).head

    def line() -> int:
        image = head.grab().toImage()
        accent = head._theme.color("accent")
        y = image.height() - 1
        return sum(image.pixelColor(x, y) == accent for x in range(image.width()))

    head.set_share(2 / head.width())
    assert line() == 0
    head.set_share(0.5)
    assert line() == pytest.approx(head.width() / 2, abs=2)


def test_a_whole_document_is_copied_but_only_its_beginning_asked_about(qtbot, opened, context):
    context.library_reader.texts[1] = LONG
    reader = opened(1)
    view = reader.text_view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    menu = {action.text(): action for action in build_menu(view).actions()}
    menu["Copy"].trigger()
    assert QGuiApplication.clipboard().text().split() == LONG.split()
    with qtbot.waitSignal(reader.ask_about) as asked:
        menu["Ask about this passage"].trigger()
    assert 2000 < len(asked.args[0]) < 2200
    assert "…” (A. Nonymous" in asked.args[0]


def test_verse_is_not_indented_and_dialogue_is(qtbot):
    lines = ("Nobody came,", "the river fell,", "and so did we.", "“No,” she said.", "“Yes.”")
    text = "Of the river, told at length and in prose first.\n\n" + "\n\n".join(lines)
    setter = Typesetter()
    setter.set_text(text, build_blocks(text))
    setter.configure(QFont(), 500.0)
    lefts = [setter.block(i).layout.lineAt(0).position().x() for i in range(1, 6)]
    assert [left > 0 for left in lefts] == [False, False, False, True, True]


@pytest.mark.parametrize(
    ("paragraphs", "has_gap"),
    [
        (("The ferry left at noon.", "The house stood empty.", "Nobody came back."), False),
        (("Nobody came,", "the river fell,", "and so did we."), True),
        (("渡船中午离岸。", "那座房子空着。", "没有人回来。"), True),
    ],
)
def test_a_gap_stands_only_where_latin_paragraphs_have_no_indent(qtbot, paragraphs, has_gap):
    text = "\n\n".join(paragraphs)
    setter = Typesetter()
    setter.set_text(text, build_blocks(text))
    setter.configure(QFont(), 500.0)
    block = setter.block(1)
    assert (block.height > block.leading * block.layout.lineCount()) == has_gap


def test_a_document_that_waits_to_be_read_says_so_and_is_shown_when_it_was(
    qtbot, context: FakeContext, reader: ReaderScreen
):
    library = context.library_reader
    text, library.texts[1] = library.texts[1], ""
    row = library.documents[0]

    def set_row(**changes: object) -> None:
        library.documents[0] = replace(row, **changes)
        context.hub.publish_edit(ChangeNotice(documents=frozenset({row.id})))

    set_row(state="waiting", n_chars=0)
    reader.open_document(row.id)
    qtbot.waitUntil(lambda: reader.body.empty.isVisible())
    assert "not been read yet" in reader.body.empty.title.text()
    assert reader.head.title.full_text() == row.title
    set_row(state="failed", n_chars=0)
    qtbot.waitUntil(lambda: "could not be read" in reader.body.empty.title.text())
    library.texts[1] = text
    set_row(state="indexing", n_chars=len(text))
    qtbot.waitUntil(lambda: reader.view is reader.text_view)
    assert reader.text_view.text == text


def test_every_match_of_a_long_book_can_be_reached(qtbot, context: FakeContext, opened):
    context.library_reader.texts[1] = "The ferry waits.\n\n" * 3_000
    reader = opened(1)
    reader.search.start()
    reader.search.search("ferry")
    qtbot.waitUntil(lambda: len(reader.view.hits) == 3_000)


def test_a_chapter_is_named_with_its_book():
    outline = [Heading(1, "BOOK ONE", 0), Heading(2, "CHAPTER I", 5), Heading(2, "CHAPTER II", 9)]
    assert chapter_words(outline, 2) == "Book One › Chapter II"
    assert chapter_words(outline, 0) == "Book One"
    assert chapter_words(outline, 2, "BOOK ONE") == "Chapter II"  # the head shows the title
    assert chapter_words(outline, -1) == ""


def test_the_last_heading_above_a_quarter_of_the_window_names_the_section(opened, context):
    context.library_reader.texts[1] = ENGLISH + "\n\n" + PARAGRAPH * 9
    reader = opened(1)
    reader.resize(900, 700)
    view, start = reader.text_view, ENGLISH.index("Chapter 2")

    def heading_y() -> float:
        return view.caret.box_of(start).center().y()

    view.show_range(start, start + 1)
    line = SECTION_LINE * view.viewport().height()
    view.scroll_by(heading_y() - (line + 80))
    assert "Chapter 1" in reader.head.position.text()
    view.scroll_by(100)  # still far below the top
    assert "Chapter 2" in reader.head.position.text()


def test_the_page_of_an_entry_of_contents_ends_at_the_right_edge_of_the_text(qapp):
    """Also where the title takes two lines, and where entries are indented."""
    titles = ("The Log", "The Flood " * 9, "    The Bar", "The Quay")
    lines = [f"{title} {'.' * 12} {9 * (n + 1)}" for n, title in enumerate(titles)]
    text = "\n".join(lines) + "\n\nThe rest of the book. " * 40
    setter = Typesetter()
    setter.set_text(text, build_blocks(text))
    font = QFont("Source Serif 4")
    font.setPixelSize(17)
    setter.configure(font, 560)
    for n, line in enumerate(lines):
        block = setter.block(n)
        page = text.index(line) + len(line)
        rect = block.rects(page - len(str(9 * (n + 1))), page)[-1]
        assert abs(rect.right() - setter.column) < 3, line
    first, indented = (setter.block(n).layout.lineAt(0).x() for n in (0, 2))
    assert indented > first == 0


def test_a_document_that_has_only_pictures_is_opened(opened, context):
    context.library_reader.texts[1] = ""
    context.library_reader.fetch_outline = lambda document_id: []
    screen = opened(1)
    assert screen.loaded is not None and screen.loaded.text == ""
    assert screen.view is screen.text_view
    screen.grab()
