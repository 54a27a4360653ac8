"""The highlights screen: listing, filters, opening a place, removing and exporting."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.model import Reference
from desktop_app.engine.png import encode_png
from desktop_app.engine.services.annotations import Annotation, Area
from desktop_app.engine.services.library_notes import LibraryNote
from desktop_app.ui.highlights.list import GAP, ListTip, NoteGroup, build_rows, describe_source
from desktop_app.ui.highlights.screen import HighlightsScreen
from desktop_app.ui.widgets import Button, Label
from desktop_app.ui.widgets.tables import ROW_ROLE

TIDES = Reference(1, "Tides", "Ada Voss; Ben Lowe", "1901", language="en", tags=("sea",))
HILLS = Reference(2, "Hills", language="en")


def note(number: int, reference: Reference, quote: str, **more: str) -> LibraryNote:
    mark = Annotation(
        number, reference.document_id, more.get("kind", "highlight"), 10 * number, 10 * number + 5,
        quote, more.get("color", "yellow"), more.get("note", ""),
    )  # fmt: skip
    return LibraryNote(mark, reference, page=more.get("page", ""), chapter=more.get("chapter", ""))


NOTES = [
    note(1, HILLS, "stone and sky", color="blue"),
    note(2, HILLS, "the first page", kind="bookmark"),
    note(3, TIDES, "the sea rose", page="12", note="why so high?"),
    note(4, TIDES, "nobody saw it", color="green", chapter="Night"),
]


@pytest.fixture
def screen(context, qtbot):
    context.library_reader.list_notes = lambda: list(NOTES)
    context.library_reader.list_collection_members = lambda: {"Water": frozenset({1, 9})}
    made = HighlightsScreen(context)
    made.resize(1000, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: len(made.model.notes) == len(NOTES))
    return made


def quotes(screen: HighlightsScreen) -> list[str]:
    return [row.mark.quote for row in screen.model.notes]


def choose(box, words: str) -> None:
    box.setCurrentIndex(box.findText(words))


def test_the_empty_screen_draws_its_keys_as_keys(context, qtbot):
    context.library_reader.list_notes = lambda: []
    context.library_reader.list_collection_members = lambda: {}
    made = HighlightsScreen(context)
    made.resize(1000, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.empty.isVisible)
    keys = [w.text() for w in made.empty.findChildren(Label) if w.property("role") == "key"]
    assert keys == ["1", "2", "3", "4", "M", "Ctrl+D"]
    assert not any(key in made.empty.text.text() for key in ("1", "Ctrl"))


def test_filters_narrow_the_list_and_are_cleared(screen, qtbot):
    assert screen.count.text() == "4 entries"
    assert screen.clear_button.isHidden()
    choose(screen.document, "Tides")
    assert quotes(screen) == ["the sea rose", "nobody saw it"]
    choose(screen.color, "Green")
    assert quotes(screen) == ["nobody saw it"]
    assert screen.count.text() == "1 of 4"
    screen.clear_button.click()
    assert len(quotes(screen)) == 4
    choose(screen.color, "Bookmarks")
    assert quotes(screen) == ["the first page"]
    screen.clear_filters()
    choose(screen.collection, "Water")
    choose(screen.tag, "sea")
    assert quotes(screen) == ["the sea rose", "nobody saw it"]
    screen.with_note.setChecked(True)
    assert quotes(screen) == ["the sea rose"]
    screen.clear_filters()
    qtbot.keyClicks(screen.search, "sky")
    qtbot.waitUntil(lambda: quotes(screen) == ["stone and sky"])
    screen.search.setText("nowhere")
    qtbot.waitUntil(lambda: screen.stack.currentWidget() is screen.nothing)
    assert not screen.export_button.isEnabled()


def test_a_click_and_enter_open_the_place(screen, qtbot):
    opened: list[tuple[int, int, int]] = []
    screen.open_passage.connect(lambda *place: opened.append(place))
    row = screen.model.rows.index(NOTES[2])
    area = screen.list.visualRect(screen.model.index(row, 0))
    qtbot.mouseClick(screen.list.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    assert opened == [(1, 30, 35)]
    screen.list.select_row(0)
    qtbot.keyClick(screen.list, Qt.Key.Key_Return)
    assert opened[-1] == (2, 10, 15)


def test_the_source_and_the_citation_name_document_and_page(screen, context):
    assert describe_source(NOTES[2]) == "Tides · p. 12"
    assert describe_source(NOTES[1]) == "Bookmark · Hills"
    actions = {a.text(): a for a in screen.build_menu(NOTES[2]).actions()}
    actions["Copy with citation"].trigger()
    assert QGuiApplication.clipboard().text() == (
        "“the sea rose” (Ada Voss and Ben Lowe, Tides, 1901, p. 12)"
    )
    actions["Only this document"].trigger()
    assert quotes(screen) == ["the sea rose", "nobody saw it"]


def test_a_row_is_as_high_as_its_texts(context, qtbot):
    notes = [
        note(1, HILLS, "short"),
        note(2, HILLS, "short", note="with a note"),
        note(3, HILLS, "long " * 400, chapter="THE FIRST NIGHT"),
    ]
    context.library_reader.list_notes = lambda: notes
    context.library_reader.list_collection_members = lambda: {}
    made = HighlightsScreen(context)
    made.resize(1000, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: len(made.model.notes) == len(notes))
    places = [made.model.rows.index(one) for one in notes]
    rows = [made.list.visualRect(made.model.index(row, 0)).height() for row in places]
    line = QFontMetrics(context.theme.font("text")).lineSpacing()
    assert rows[1] - rows[0] == line + GAP and rows[2] - rows[0] == 2 * line
    assert describe_source(notes[2]).endswith("The First Night")


def test_what_is_shown_is_exported(screen, qtbot, context, tmp_path):
    choose(screen.document, "Tides")
    screen.write(tmp_path / "a.json", "csl")
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert context.messages.last.text == "2 notes written to “a.json”."
    assert [item["title"] for item in json.loads((tmp_path / "a.json").read_text("utf-8"))] == [
        "Tides"
    ]
    assert [a.text() for a in screen.build_export_menu().actions()] == [
        "Markdown…", "Word (DOCX)…", "CSL-JSON (Zotero)…",
    ]  # fmt: skip


def test_changes_elsewhere_are_loaded_and_the_chosen_row_stays(screen, qtbot, context):
    screen.list.select_row(3)
    context.library_reader.list_notes = lambda: NOTES[2:]
    context.hub.publish(ChangeSet(documents=frozenset({2})))
    qtbot.waitUntil(lambda: len(screen.model.notes) == 2)
    assert screen.list.currentIndex().data(ROW_ROLE) == NOTES[3]
    context.library_reader.list_notes = list
    context.hub.publish(ChangeSet(documents=frozenset({1})))
    qtbot.waitUntil(lambda: screen.stack.currentWidget() is screen.empty)
    assert screen.filters.isHidden()


def test_a_library_without_highlights_says_how_to_make_one(context, qtbot):
    context.library_reader.list_notes = list
    context.library_reader.list_collection_members = dict
    empty = HighlightsScreen(context)
    qtbot.addWidget(empty)
    empty.show()
    qtbot.waitUntil(lambda: empty.stack.currentWidget() is empty.empty)
    assert "choose a colour" in empty.empty.text.text()
    (button,) = empty.empty.findChildren(Button)
    with qtbot.waitSignal(empty.library_wanted):
        button.click()


def test_an_area_is_listed_with_its_picture_which_follows_its_sides(context, qtbot):
    before, after = Area(0, 0.1, 0.1, 0.5, 0.3), Area(0, 0.1, 0.1, 0.3, 0.5)
    one = note(5, TIDES, "", note="a map")
    listed = [replace(one, mark=replace(one.mark, area=before)), NOTES[0]]
    context.library_reader.list_notes = lambda: list(listed)
    context.library_reader.list_collection_members = lambda: {}
    context.annotations.pictures[5] = encode_png(40, 20, bytes([200, 30, 30] * 800))
    made = HighlightsScreen(context)
    made.resize(1000, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: len(made.model.notes) == 2)
    places = [made.model.rows.index(one) for one in listed]
    with_picture, without = (made.list.visualRect(made.model.index(n)) for n in places)
    assert with_picture.height() > 84 > without.height()
    shown = made.list.viewport().grab().toImage()
    red = [
        x
        for x in range(with_picture.left(), with_picture.right())
        if shown.pixelColor(x, with_picture.center().y()).name() == "#c81e1e"
    ]
    assert 310 < len(red) <= 320
    context.annotations.pictures[5] = encode_png(20, 40, bytes([30, 30, 200] * 800))
    listed[0] = replace(one, mark=replace(one.mark, area=after))
    made.refresh()
    qtbot.waitUntil(lambda: made._delegate.pictures.light[5].height() == 40)


def test_the_rows_are_grouped_in_the_chosen_order(screen, qtbot):
    def titles() -> list[tuple[str, int]]:
        groups = [row for row in screen.model.rows if isinstance(row, NoteGroup)]
        return [(group.title, group.count) for group in groups]

    assert titles() == [("Hills", 2), ("Tides", 2)]
    assert screen.model.rows[3].source == "Ada Voss and 1 other · 1901"
    header = screen.list.visualRect(screen.model.index(0, 0))
    opened: list[object] = []
    screen.open_passage.connect(lambda *place: opened.append(place))
    qtbot.mouseClick(screen.list.viewport(), Qt.MouseButton.LeftButton, pos=header.center())
    assert opened == []  # the title of a group opens nothing
    screen.list.select_row(1)
    qtbot.keyClick(screen.list, Qt.Key.Key_Down)  # over the title of the next group
    assert screen.list.currentIndex().data(ROW_ROLE) == NOTES[2]
    screen.order.setCurrentIndex(screen.order.findData("color"))
    screen.order.activated.emit(screen.order.currentIndex())
    assert titles() == [("Yellow", 1), ("Green", 1), ("Blue", 1), ("Bookmarks", 1)]
    assert quotes(screen) == ["the sea rose", "nobody saw it", "stone and sky", "the first page"]
    assert screen.list.currentIndex().data(ROW_ROLE) == NOTES[2]  # the same is chosen
    again = HighlightsScreen(screen._context)
    qtbot.addWidget(again)
    assert again.order.currentData() == "color"


def test_the_newest_come_first_by_day():
    day = 86_400.0
    made = [replace(n, mark=replace(n.mark, created_at=1.7e9 + day * n.mark.id)) for n in NOTES]
    rows = build_rows(made, "newest")
    assert [row.mark.id for row in rows if isinstance(row, LibraryNote)] == [4, 3, 2, 1]
    assert [row.count for row in rows if isinstance(row, NoteGroup)] == [1, 1, 1, 1]
    assert "2023" in rows[0].title


def test_an_area_has_its_caption_instead_of_the_words_in_its_figure(screen):
    labels = "Query + LLM\nEntity Name\nIndex Graph\nused for\nFigure 1: The whole framework."
    mark = replace(NOTES[0].mark, quote=labels, area=Area(0, 0.1, 0.1, 0.5, 0.5))
    shown = screen.model.describe(replace(NOTES[0], mark=mark), Qt.ItemDataRole.DisplayRole)
    assert shown == "Figure 1: The whole framework."
    mark = replace(mark, quote="Table 4\nMeans (years) for all sites\nSite | 10 | 20")
    shown = screen.model.describe(replace(NOTES[0], mark=mark), Qt.ItemDataRole.DisplayRole)
    assert shown == "Table 4 Means (years) for all sites"
    mark = replace(mark, quote=labels[:40])
    shown = screen.model.describe(replace(NOTES[0], mark=mark), Qt.ItemDataRole.DisplayRole)
    assert shown == "Area of the page"
    prose = "Several sentences of a page that were marked as an area are shown as they are."
    mark = replace(mark, quote=prose)
    assert screen.model.describe(replace(NOTES[0], mark=mark), Qt.ItemDataRole.DisplayRole) == prose


def test_a_short_list_says_how_to_add_more(screen, qtbot, context):
    assert not any(isinstance(row, ListTip) for row in screen.model.rows)
    context.library_reader.list_notes = lambda: NOTES[:1]
    context.hub.publish(ChangeSet(documents=frozenset({2})))
    qtbot.waitUntil(lambda: len(screen.model.notes) == 1)
    assert isinstance(screen.model.rows[-1], ListTip)
    choose(screen.document, "Hills")
    assert not any(isinstance(row, ListTip) for row in screen.model.rows)
