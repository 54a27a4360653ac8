"""Tests of the bar that explains the underlines of names, and of the underlines."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor

from desktop_app.ui.reader.look import UNDERLINE_INK, mixed
from desktop_app.ui.reader.name_legend import SWATCH
from desktop_app.ui.reader.ranges import Name, count_underlined, is_in_reference_mark
from desktop_app.ui.reader.screen import ReaderScreen


def test_the_legend_counts_the_names_of_the_document_while_they_are_underlined(qtbot, opened):
    book = opened(1)
    legend, view = book.legend, book.text_view
    assert legend.isHidden()
    book.head.names.setChecked(True)
    qtbot.waitUntil(lambda: bool(view.names) and bool(legend.counts))
    names = book._context.annotations.names_in(1, 0, len(view.text))
    for kind, count in legend.counts.items():
        assert count == len({name[2] for name in names if name[4] == kind})
    assert list(legend.counts.values()) == sorted(legend.counts.values(), reverse=True)
    assert f": {legend.counts['person']} name" in legend.toggles["person"].accessibleName()
    before = dict(legend.counts)
    view.scroll_by(300)  # the legend does not change while one reads
    view.settled.emit()
    assert legend.counts == before
    book.head.names.setChecked(False)
    assert legend.isHidden()


def test_underlines_have_the_hue_of_their_type_which_the_bar_switches_off(qtbot, opened):
    book = opened(1)
    book.resize(900, 600)
    legend, view = book.legend, book.text_view
    book.head.names.setChecked(True)
    qtbot.waitUntil(lambda: bool(view.names) and bool(legend.counts))
    kind = next(iter(legend.counts))
    surface, full = view.look.color("surface"), QColor(book.theme.type_color(kind))
    wanted = mixed(surface, full, UNDERLINE_INK).name()

    def has_color() -> bool:
        shown = view.viewport().grab().toImage()
        size = shown.size()
        places = [(x, y) for x in range(0, size.width(), 4) for y in range(size.height())]
        return any(shown.pixelColor(x, y).name() == wanted for x, y in places)

    assert has_color() and not legend.hidden_kinds()
    legend.toggles[kind].click()
    assert view.hidden_kinds == {kind} and not has_color()
    legend.show_counts({kind: 99, "event": 1})  # the choice stays
    assert not legend.toggles[kind].isChecked() and legend.toggles["event"].isChecked()
    legend.toggles[kind].click()
    assert view.hidden_kinds == frozenset() and has_color()


def test_the_bar_pushes_the_document_down_and_stays_until_it_is_closed(qtbot, opened):
    reader = opened(5)
    reader.resize(1000, 700)
    reader.activateWindow()
    qtbot.waitUntil(reader.isActiveWindow)
    view, legend, button = reader.pdf_view, reader.legend, reader.head.names
    button.click()
    assert button.isChecked() and legend.isVisible()
    legend.show_counts({"concept": 3, "person": 3, "event": 7})
    assert list(legend.counts) == ["event", "person", "concept"]  # then as types are elsewhere
    qtbot.waitUntil(
        lambda: legend.geometry().bottom() < view.mapTo(reader.body, QPoint(0, 0)).y()
    )  # it covers nothing of the page
    assert legend.toggles["person"].text() == "Persons 3" and not legend.empty.isVisible()
    assert legend.toggles["event"].accessibleName() == "Events: 7 names"
    qtbot.mouseClick(legend.toggles["event"], Qt.MouseButton.LeftButton, pos=QPoint(8, 14))
    assert legend.hidden_kinds() == {"event"}
    view.scroll_by(50)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 300))
    assert legend.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not legend.isVisible() and button.isChecked()
    button.click()
    legend.shown.setFocus()
    qtbot.keyClick(legend.shown, Qt.Key.Key_Escape)
    assert not legend.isVisible() and button.isChecked() and view.hasFocus()
    button.click()
    legend.shown.click()
    assert not legend.isVisible() and not button.isChecked() and legend.shown.isChecked()


def test_a_narrow_bar_has_all_types_in_its_menu_and_cuts_no_words(opened):
    reader = opened(5)
    reader.head.names.click()
    legend = reader.legend
    legend.show_counts({"concept": 193, "person": 27, "place": 13, "event": 2})
    reader.resize(614, 500)  # half of a window of 1280 pixels
    assert len(legend.menu.actions()) == 4 and legend.more.text() == "4 types"
    assert not legend._kinds.isVisible()
    for box in (legend.shown, legend.every):
        assert box.width() >= box.sizeHint().width()
    reader.resize(1200, 500)
    assert legend.more.text() == "1 more type" or legend.more.isHidden()
    assert legend._kinds.isVisible()


def test_a_swatch_is_underlined_as_names_on_the_page_are(opened):
    reader = opened(5)
    tokens = reader.theme.tokens
    reader.legend.show_counts({"person": 3})
    icon = reader.legend.toggles["person"].icon()
    shown = icon.pixmap(SWATCH).toImage()
    wanted = mixed(QColor(tokens.surface), QColor(tokens.types["person"]), UNDERLINE_INK).name()
    width, height = shown.width(), shown.height()
    dots = [
        [x for x in range(width) if shown.pixelColor(x, y).name() == wanted] for y in range(height)
    ]
    row = max(dots, key=len)
    assert row and len(row) < 0.7 * width, "dotted, not a block"


def test_the_switch_of_the_bar_says_what_is_underlined_and_changes_it(qtbot, opened, context):
    reader = opened(5)
    every = reader.legend.every
    assert every.isChecked() and reader.pdf_view.every_name and reader.head.every_name.isChecked()
    assert every.toolTip().startswith("Otherwise only the first")
    every.click()
    assert not every.isChecked() and not reader.pdf_view.every_name
    assert every.toolTip() == "Now only the first mention on each page is underlined."
    again = ReaderScreen(context)
    qtbot.addWidget(again)
    assert not again.pdf_view.every_name, "the choice is kept"
    again.shut_down()
    reader.head.every_name.toggle()  # the entry of the menu
    assert every.isChecked() and reader.pdf_view.every_name


def test_a_name_without_any_underline_is_not_counted():
    text = "On Tom\nTom met Ann. So says Gao (2023), and Gao et al. (2024)."

    def name(words: str, start: int, entity_id: int) -> Name:
        at = text.index(words, start)
        return at, at + len(words), entity_id, words, "person"

    names = [name("Tom", 0, 1), name("Tom", 5, 1), name("Ann", 0, 2), name("Gao", 0, 3)]
    names.append(name("Gao", text.index("and"), 3))
    assert count_underlined(text, names, (0, 6)) == {"person": 2}
    assert count_underlined(text, names[:1], (0, 6)) == {}  # in the title only


def test_authors_in_the_marks_of_cited_works_are_not_underlined():
    def is_mark(text: str, words: str, kind: str = "person") -> bool:
        start = text.index(words)
        return is_in_reference_mark(text, (start, start + len(words), 1, words, kind))

    for text, words in (
        ("embedding methods (Gao et al., 2023) and", "Gao"),
        ("as Traag et al. (2019) say", "Traag"),
        ("is fast (Edge, 2024b; Guo, 2025)", "Edge"),
        ("is fast (Edge, 2024b; Guo, 2025)", "Guo"),
        ("as Turing (1950) asked", "Turing"),
        ("in (Brin and Page, 1998)", "Brin"),
        ("sources; Salemi & Zamani (2024).", "Salemi & Zamani"),
        ("sources; Salemi & Zamani (2024).", "Salemi"),
        ("张三等人（2020）提出", "张三"),
    ):
        assert is_mark(text, words), text
    for text, words, kind in (
        ("Alan Turing (1912) was born", "Alan Turing", "person"),
        ("Gao wrote it in 2023", "Gao", "person"),
        ("at the University of Waterloo (1957)", "University of Waterloo", "organisation"),
        ("Paris (1920); then", "Paris", "place"),
        ("张三等人来了", "张三", "person"),
    ):
        assert not is_mark(text, words, kind), text
