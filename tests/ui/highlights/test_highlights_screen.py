"""The highlights screen: listing, filters, opening a place, removing and exporting."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QImage, QPainter

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.model import Reference
from desktop_app.engine.png import encode_png
from desktop_app.engine.services.annotation_entries import AnnotationEntry
from desktop_app.engine.services.annotations import Annotation, Area
from desktop_app.ui.highlights.cards import (
    COMPACT,
    NOTE_ABOVE,
    ROOMY,
    _break_lines,
    _shown_note,
)
from desktop_app.ui.highlights.list import (
    EntryGroup,
    ListTip,
    build_rows,
    describe_source,
    describe_spot,
)
from desktop_app.ui.highlights.screen import HighlightsScreen
from desktop_app.ui.widgets import Button, Label
from desktop_app.ui.widgets.highlight_colors import find_line_colors
from desktop_app.ui.widgets.tables import ROW_ROLE
from desktop_app.ui.widgets.tag_chips import place_tags
from tests.ui.overflow import find_overflow
from tests.ui.untranslated import use_language

TIDES = Reference(1, "Tides", "Ada Voss; Ben Lowe", "1901", language="en", tags=("sea",))
HILLS = Reference(2, "Hills", language="en")


def note(number: int, reference: Reference, quote: str, **more: str) -> AnnotationEntry:
    mark = Annotation(
        number, reference.document_id, more.get("kind", "highlight"), 10 * number, 10 * number + 5,
        quote, more.get("color", "yellow"), more.get("note", ""),
        tags=tuple(filter(None, more.get("tags", "").split(","))),
    )  # fmt: skip
    return AnnotationEntry(
        mark, reference, page=more.get("page", ""), chapter=more.get("chapter", "")
    )


NOTES = [
    note(1, HILLS, "stone and sky", color="blue"),
    note(2, HILLS, "the first page", kind="bookmark"),
    note(3, TIDES, "the sea rose", page="12", note="why so high?"),
    note(4, TIDES, "nobody saw it", color="green", chapter="Night"),
]


@pytest.fixture
def screen(context, qtbot):
    context.library_reader.list_annotation_entries = lambda: list(NOTES)
    context.library_reader.list_collection_members = lambda: {"Water": frozenset({1, 9})}
    made = HighlightsScreen(context)
    made.resize(1000, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: len(made.model.entries) == len(NOTES))
    return made


def quotes(screen: HighlightsScreen) -> list[str]:
    return [row.mark.quote for row in screen.model.entries]


def choose(box, words: str) -> None:
    box.setCurrentIndex(box.findText(words))


def test_the_empty_screen_draws_its_keys_as_keys(context, qtbot):
    context.library_reader.list_annotation_entries = lambda: []
    context.library_reader.list_collection_members = lambda: {}
    made = HighlightsScreen(context)
    made.resize(1000, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.empty.isVisible)
    keys = [w.text() for w in made.empty.findChildren(Label) if w.property("role") == "key"]
    assert keys == ["1", "2", "3", "4", "M", "Ctrl+D"]
    assert not any(key in made.empty.text.text() for key in ("1", "Ctrl"))


def test_the_focus_goes_to_the_list_once_there_is_one(context, qtbot):
    context.library_reader.list_annotation_entries = lambda: list(NOTES)
    context.library_reader.list_collection_members = dict
    made = HighlightsScreen(context)
    qtbot.addWidget(made)
    made.show()
    made.setFocus()  # before the notes are loaded
    qtbot.waitUntil(made.list.hasFocus)
    made.search.setFocus()
    made.filters.with_note.setChecked(True)
    assert made.search.hasFocus()


def test_filters_narrow_the_list_and_are_cleared(screen, qtbot):
    assert screen.count.text() == "4 entries"
    assert screen.filters.clear_button.isHidden()
    choose(screen.filters.document, "Tides")
    assert quotes(screen) == ["the sea rose", "nobody saw it"]
    choose(screen.filters.color, "Green")
    assert quotes(screen) == ["nobody saw it"]
    assert screen.count.text() == "1 of 4"
    screen.filters.clear_button.click()
    assert len(quotes(screen)) == 4
    choose(screen.filters.color, "Bookmarks")
    assert quotes(screen) == ["the first page"]
    screen.clear_filters()
    choose(screen.filters.collection, "Water")
    choose(screen.filters.tag, "sea")
    assert quotes(screen) == ["the sea rose", "nobody saw it"]
    screen.filters.with_note.setChecked(True)
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


def test_documents_with_one_title_say_which_file_it_is(build, context):
    same = replace(HILLS, document_id=3)
    notes = [note(1, HILLS, "stone"), note(2, same, "sky"), note(3, TIDES, "sea")]
    made = build(notes)
    groups = [row for row in made.model.rows if isinstance(row, EntryGroup)]
    assert [group.title for group in groups] == ["Hills", "Hills", "Tides"], "never one group"
    files = ((2, "Hills", "pdf", "hills.pdf"), (3, "Hills", "md", "hills.md"))
    context.library_reader.list_equal_titles = lambda: list(files)
    made = build(notes)
    groups = [row for row in made.model.rows if isinstance(row, EntryGroup)]
    assert [group.file for group in groups] == ["PDF", "Markdown", ""]
    role = Qt.ItemDataRole.AccessibleTextRole
    assert made.model.describe(groups[0], role) == "Hills (PDF): 1 entry"
    assert "Hills · Markdown" in made.model.describe(notes[1], role)
    box = made.filters.document
    assert [box.itemText(n) for n in range(1, box.count())] == [
        "Hills · PDF", "Hills · Markdown", "Tides",
    ]  # fmt: skip
    assert made._find_members(groups[1]) == [notes[1]]
    made.order.setCurrentIndex(made.order.findData("color"))
    made.order.activated.emit(made.order.currentIndex())
    assert made._delegate._describe_title(notes[0]) == "Hills · PDF"
    made.list.viewport().grab()


def test_filters_without_choices_are_left_out(build):
    made = build([note(1, HILLS, "stone")])
    assert made.filters.tag.isHidden() and made.filters.collection.isHidden()
    assert made.filters.document.isVisible() and made.filters.color.isVisible()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_filters_have_one_line_in_a_usual_window(qapp, context, qtbot, language):
    for _ in use_language(qapp, language):
        context.library_reader.list_annotation_entries = lambda: list(NOTES)
        context.library_reader.list_collection_members = lambda: {"Water": frozenset({1, 9})}
        made = HighlightsScreen(context)
        made.resize(1280 - 220, 700)  # beside the sidebar
        qtbot.addWidget(made)
        made.show()
        qtbot.waitUntil(lambda made=made: len(made.model.entries) == len(NOTES))
        filters = made.filters
        assert all(box.isVisible() for box in filters.boxes)
        middles = {w.geometry().center().y() for w in (*filters.boxes, filters.with_note)}
        assert max(middles) - min(middles) <= 2


def test_page_and_date_end_at_the_right_edge_of_a_wide_card(build):
    one = replace(note(1, HILLS, "stone", page="7", color="green"))
    made = build([one], 1_400)
    places = places_of(made, one)
    card = made._delegate.card_rect(card_of(made, 1))
    assert places.place.right() == places.day.right() == card.right() - 16
    assert made._delegate._describe_day(one).startswith("Green")
    made.order.setCurrentIndex(made.order.findData("color"))
    made.order.activated.emit(made.order.currentIndex())
    assert "Green" not in made._delegate._describe_day(one), "the title of the group says it"


def test_a_row_is_as_high_as_its_texts(context, qtbot):
    notes = [
        note(1, HILLS, "short"),
        note(2, HILLS, "short", note="with a note"),
        note(3, HILLS, "long " * 400, chapter="THE FIRST NIGHT"),
    ]
    context.library_reader.list_annotation_entries = lambda: notes
    context.library_reader.list_collection_members = lambda: {}
    made = HighlightsScreen(context)
    made.resize(1000, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: len(made.model.entries) == len(notes))
    cards = [made._delegate.card_rect(card_of(made, one.mark.id)) for one in notes]
    parts = [
        made._delegate.places(card, one, one.mark.quote)
        for card, one in zip(cards, notes, strict=True)
    ]
    line = QFontMetrics(context.theme.font("text")).lineSpacing()
    assert [place.quote.height() // ROOMY.line for place in parts] == [1, 1, ROOMY.most_lines]
    assert parts[0].note.isEmpty() and parts[1].note.height() == line + 2 * NOTE_ABOVE
    assert [place.more.isEmpty() for place in parts] == [True, True, False]
    assert all(
        card.bottom() - max(place.bottom() for place in part if not place.isEmpty()) >= ROOMY.pad
        for card, part in zip(cards, parts, strict=True)
    )
    assert describe_source(notes[2]).endswith("The First Night")


def test_what_is_shown_is_exported(screen, qtbot, context, tmp_path):
    choose(screen.filters.document, "Tides")
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
    context.library_reader.list_annotation_entries = lambda: NOTES[2:]
    context.hub.publish_edit(ChangeNotice(documents=frozenset({2})))
    qtbot.waitUntil(lambda: len(screen.model.entries) == 2)
    assert screen.list.currentIndex().data(ROW_ROLE) == NOTES[3]
    context.library_reader.list_annotation_entries = list
    context.hub.publish_edit(ChangeNotice(documents=frozenset({1})))
    qtbot.waitUntil(lambda: screen.stack.currentWidget() is screen.empty)
    assert screen.filters.isHidden()


def test_a_library_without_highlights_says_how_to_make_one(context, qtbot):
    context.library_reader.list_annotation_entries = list
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
    context.library_reader.list_annotation_entries = lambda: list(listed)
    context.library_reader.list_collection_members = lambda: {}
    context.annotations.pictures[5] = encode_png(40, 20, bytes([200, 30, 30] * 800))
    made = HighlightsScreen(context)
    made.resize(1000, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: len(made.model.entries) == 2)
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
        groups = [row for row in screen.model.rows if isinstance(row, EntryGroup)]
        return [(group.title, group.count) for group in groups]

    assert titles() == [("Hills", 2), ("Tides", 2)]
    assert screen.model.rows[3].source == "Ada Voss and 1 other · 1901"
    header = screen.list.visualRect(screen.model.index(0, 0))
    opened: list[object] = []
    screen.open_passage.connect(lambda *place: opened.append(place))
    for folded in (True, False):
        qtbot.mouseClick(screen.list.viewport(), Qt.MouseButton.LeftButton, pos=header.center())
        assert screen.model.rows[0].folded is folded
    assert opened == []  # the title of a group opens nothing
    screen.list.select_row(1)
    for _ in range(2):  # over the title of the next group, which can be folded with keys
        qtbot.keyClick(screen.list, Qt.Key.Key_Down)
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
    assert [row.mark.id for row in rows if isinstance(row, AnnotationEntry)] == [4, 3, 2, 1]
    assert [row.count for row in rows if isinstance(row, EntryGroup)] == [1, 1, 1, 1]
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
    context.library_reader.list_annotation_entries = lambda: NOTES[:1]
    context.hub.publish_edit(ChangeNotice(documents=frozenset({2})))
    qtbot.waitUntil(lambda: len(screen.model.entries) == 1)
    assert isinstance(screen.model.rows[-1], ListTip)
    choose(screen.filters.document, "Hills")
    assert not any(isinstance(row, ListTip) for row in screen.model.rows)


# --- actions, groups and selection ------------------------------------------------------------


@pytest.fixture
def living(context, qtbot):
    """Return a screen whose notes are those of the service, so that its actions are seen."""
    service = context.annotations
    service.marks = [note.mark for note in NOTES]
    references = {reference.document_id: reference for reference in (TIDES, HILLS)}

    def list_annotation_entries() -> list[AnnotationEntry]:
        known = {note.mark.id: note for note in NOTES}
        return [
            replace(known[mark.id], mark=mark, reference=references[mark.document_id])
            for mark in service.marks
        ]

    context.library_reader.list_annotation_entries = list_annotation_entries
    context.library_reader.list_collection_members = dict
    made = HighlightsScreen(context)
    made.resize(1000, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: len(made.model.entries) == len(NOTES))
    return made


def card_of(screen: HighlightsScreen, mark_id: int):
    row = next(at for at, one in enumerate(screen.model.rows) if name_of(one) == mark_id)
    return screen.list.visualRect(screen.model.index(row, 0))


def name_of(row: object) -> int | None:
    return row.mark.id if isinstance(row, AnnotationEntry) else None


def click(screen, qtbot, point: QPoint, keys=Qt.KeyboardModifier.NoModifier) -> None:
    qtbot.mouseClick(screen.list.viewport(), Qt.MouseButton.LeftButton, keys, point)


def find_mark(context, mark_id: int) -> Annotation | None:
    return next((mark for mark in context.annotations.marks if mark.id == mark_id), None)


def test_the_card_under_the_pointer_has_actions(living, qtbot, context):
    assert living.bar.isHidden()
    area = card_of(living, 3)
    qtbot.mouseMove(living.list.viewport(), area.center())
    qtbot.waitUntil(living.bar.isVisible)
    assert area.contains(living.bar.geometry())
    living.list.viewport().grab()  # drawn as under the pointer
    living.bar.buttons["copy"].click()
    assert QGuiApplication.clipboard().text().startswith("“the sea rose” (Ada Voss")
    opened: list[object] = []
    living.open_passage.connect(lambda *place: opened.append(place))
    living.bar.buttons["open"].click()
    assert opened == [(1, 30, 35)]
    living.bar.buttons["color"].menu().actions()[2].trigger()
    qtbot.waitUntil(lambda: find_mark(context, 3).color == "blue")
    living.bar.buttons["remove"].click()
    qtbot.waitUntil(lambda: find_mark(context, 3) is None)
    qtbot.waitUntil(lambda: len(living.model.entries) == 3)
    assert context.messages.last.text == "Highlight removed"


def test_a_bookmark_has_no_colour_and_the_keyboard_reaches_its_actions(living, qtbot):
    living.list.setFocus()
    living.list.select_row(1)
    assert name_of(living.list.currentIndex().data(ROW_ROLE)) == 2
    qtbot.waitUntil(living.bar.isVisible)
    assert not living.bar.buttons["color"].isVisible()
    assert living.bar.buttons["note"].toolTip() == "Add note (F2)"
    living.list.select_row(0)
    assert living.bar.buttons["color"].isVisible()


def test_a_note_with_tags_is_written_in_a_card(living, qtbot, context):
    living.list.setFocus()
    living.list.select_row(0)
    qtbot.keyClick(living.list, Qt.Key.Key_T)
    card = living.card
    card.tags.field.setText("to read, sky")
    card.note.setPlainText("why?")
    card.swatches[3].click()
    card.close_card()
    qtbot.waitUntil(lambda: find_mark(context, 1).tags == ("sky", "to read"))
    assert (find_mark(context, 1).note, find_mark(context, 1).color) == ("why?", "pink")
    qtbot.waitUntil(lambda: living.filters.tag.findText("sky") > 0)
    again = next(note for note in living.model.entries if note.mark.id == 1)
    living.edit_note(again)
    assert living.card.tags.find_known("") == []  # both are chosen
    living.card.tags.buttons[0].click()  # the cross of "sky"
    assert living.card.tags.find_known("") == ["sky"]
    living.card.close_card()
    qtbot.waitUntil(lambda: find_mark(context, 1).tags == ("to read",))


def test_tags_filter_and_are_clicked(context, qtbot):
    notes = [note(1, HILLS, "stone", tags="old,sky"), note(2, HILLS, "sky"), NOTES[2]]
    context.library_reader.list_annotation_entries = lambda: notes
    context.library_reader.list_collection_members = dict
    made = HighlightsScreen(context)
    made.resize(1000, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: len(made.model.entries) == 3)
    assert [made.filters.tag.itemText(n) for n in range(made.filters.tag.count())] == [
        "All tags", "old", "sky", "sea",
    ]  # fmt: skip
    card = made._delegate.card_rect(card_of(made, 1))
    chips = place_tags(
        context.theme, ("old", "sky"), made._delegate.places(card, notes[0], "stone").tags
    )
    opened: list[object] = []
    made.open_passage.connect(lambda *place: opened.append(place))
    click(made, qtbot, chips[1].rect.center())
    assert quotes(made) == ["stone"] and made.filters.tag.currentText() == "sky" and opened == []
    choose(made.filters.tag, "sea")  # of a document
    assert quotes(made) == ["the sea rose"]


def test_groups_stay_folded_and_are_open_for_a_search(living, qtbot, context):
    living.list.setFocus()
    living.list.select_row(0)
    qtbot.keyClick(living.list, Qt.Key.Key_Left)
    assert quotes(living) == ["the sea rose", "nobody saw it"]
    assert living.list.currentIndex().data(ROW_ROLE).folded
    again = HighlightsScreen(context)
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: quotes(again) == ["the sea rose", "nobody saw it"])
    qtbot.keyClicks(again.search, "sky")
    qtbot.waitUntil(lambda: quotes(again) == ["stone and sky"])
    again.clear_filters()
    assert quotes(again) == ["the sea rose", "nobody saw it"]
    qtbot.keyClick(living.list, Qt.Key.Key_Right)
    assert len(quotes(living)) == 4
    living.fold_button.click()
    assert quotes(living) == [] and living.fold_button.accessibleName() == "Unfold all groups"
    living.fold_button.click()
    assert len(quotes(living)) == 4
    titles = [action.text() for action in living.build_group_menu(0).actions()]
    assert titles == ["Fold", "Fold all groups", "", "Select 2 entries"]


def test_several_cards_are_selected_and_changed_in_one_step(living, qtbot, context):
    keys = Qt.KeyboardModifier
    first = card_of(living, 1)
    click(living, qtbot, QPoint(first.left() + 30, first.center().y()))  # its check box
    click(living, qtbot, card_of(living, 3).center(), keys.ShiftModifier)
    assert [one.mark.id for one in living.selected_entries] == [1, 2, 3]
    click(living, qtbot, card_of(living, 2).center(), keys.ControlModifier)
    assert [one.mark.id for one in living.selected_entries] == [1, 3]
    assert living.filters.isVisible() and living.head.title.isHidden()
    assert living.selection.count.text() == "2 selected" and living.export_button.isHidden()
    assert living.selection.export.text() == "Export 2 selected"
    assert living.selection.all.text() == "Select all 4"
    assert living.model.rows[0].n_selected == 1
    living.list.viewport().grab()
    living.selection.copy.click()
    assert QGuiApplication.clipboard().text().count("\n\n") == 1
    living.selection.color_menu.actions()[1].trigger()
    qtbot.waitUntil(lambda: find_mark(context, 3).color == "green")
    colored = "Colour of 2 highlights changed"
    qtbot.waitUntil(lambda: context.messages.last.text == colored)
    living.selection.tags.click()
    living.card.tags.field.setText("both")
    living.card.close_card()
    qtbot.waitUntil(lambda: find_mark(context, 1).tags == ("both",) == find_mark(context, 3).tags)
    qtbot.waitUntil(lambda: living.selected_entries[0].mark.tags == ("both",))
    living.selection.remove.click()
    qtbot.waitUntil(lambda: [mark.id for mark in context.annotations.marks] == [2, 4])
    qtbot.waitUntil(living.selection.isHidden)
    assert living.head.title.isVisible() and living.export_button.text() == "Export all 2"
    qtbot.waitUntil(lambda: context.messages.last.text == "2 entries removed")


def test_keys_select_and_what_a_filter_hides_is_not_acted_on(living, qtbot, tmp_path, context):
    living.list.setFocus()
    living.list.select_row(0)
    qtbot.keyClick(living.list, Qt.Key.Key_Space)
    qtbot.keyClick(living.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert [one.mark.id for one in living.selected_entries] == [1, 2]
    living.write(tmp_path / "two.json", "csl", living.selected_entries)
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert context.messages.last.text == "2 notes written to “two.json”."
    choose(living.filters.document, "Tides")
    assert living.selected_entries == []
    qtbot.keyClick(living.list, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert [one.mark.id for one in living.selected_entries] == [3, 4]
    menu = {
        action.text(): action for action in living.build_menu(living.model.entries[0]).actions()
    }
    assert "Open in the reader" not in menu and "Tags…" in menu
    qtbot.keyClick(living.list, Qt.Key.Key_Escape)
    assert living.selected_entries == []


def test_the_picture_of_an_area_is_copied(living, qtbot, context):
    area = Area(0, 0.1, 0.1, 0.5, 0.3)
    context.annotations.pictures[1] = encode_png(4, 2, bytes([200, 30, 30] * 8))
    one = living.model.entries[0]
    living._act("copy", [replace(one, mark=replace(one.mark, area=area))])
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert QImage(QGuiApplication.clipboard().image()).size().width() == 4


# --- long texts, the width, and the editors of tags ---------------------------------------------


@pytest.fixture
def build(context, qtbot):
    """Return a function that shows a screen with these notes."""

    def build_screen(notes: list[AnnotationEntry], width: int = 1_000) -> HighlightsScreen:
        context.annotations.marks = [one.mark for one in notes]
        context.library_reader.list_annotation_entries = lambda: list(notes)
        context.library_reader.list_collection_members = dict
        made = HighlightsScreen(context)
        made.resize(width, 900)
        qtbot.addWidget(made)
        made.show()
        qtbot.waitUntil(lambda: len(made.model.entries) == len(notes))
        return made

    return build_screen


def places_of(screen: HighlightsScreen, one: AnnotationEntry):
    card = screen._delegate.card_rect(card_of(screen, one.mark.id))
    quote = screen.model.describe(one, Qt.ItemDataRole.DisplayRole)
    return screen._delegate.places(card, one, quote)


def test_a_cut_highlight_is_unfolded_and_stays_so(build, qtbot, context):
    long, short = note(1, HILLS, "many words " * 300), note(2, HILLS, "few words")
    made = build([long, short])
    opened: list[object] = []
    made.open_passage.connect(lambda *place: opened.append(place))
    places = places_of(made, long)
    assert places.quote.height() == ROOMY.most_lines * ROOMY.line
    assert places_of(made, short).more.isEmpty()
    click(made, qtbot, QPoint(places.more.left() + 5, places.more.center().y()))
    whole = places_of(made, long)
    assert whole.quote.height() > 4 * ROOMY.most_lines * ROOMY.line and opened == []
    assert card_of(made, 1).height() > whole.quote.height()
    made.list.viewport().grab()
    context.hub.publish_edit(ChangeNotice(documents=frozenset({2})))
    qtbot.waitUntil(lambda: not made._is_loading)
    assert places_of(made, long).quote.height() == whole.quote.height()
    made.list.setFocus()
    made.list.select_row(0)
    assert "Show less" in [action.text() for action in made.build_menu(long).actions()]
    qtbot.keyClick(made.list, Qt.Key.Key_E)
    assert places_of(made, long).quote.height() == ROOMY.most_lines * ROOMY.line
    made.list.select_row(1)
    qtbot.keyClick(made.list, Qt.Key.Key_E)
    assert made._delegate.unfolded == set()  # nothing of it is cut


def test_one_line_more_is_shown_and_a_long_note_is_cut_with_its_lines(build, context):
    lines = "\n\n".join(f"line {number}" for number in range(ROOMY.most_note + 1))
    almost, over = note(1, HILLS, "a", note=lines), note(2, HILLS, "a", note=lines + "\nlast")
    made = build([almost, over])
    line = QFontMetrics(context.theme.font("text")).lineSpacing()
    assert places_of(made, almost).more.isEmpty()
    assert places_of(made, almost).note.height() == (ROOMY.most_note + 1) * line + 2 * NOTE_ABOVE
    assert not places_of(made, over).more.isEmpty()
    assert places_of(made, over).note.height() == ROOMY.most_note * line + 2 * NOTE_ABOVE
    shown = _break_lines(_shown_note(over), context.theme.font("text"), 500, ROOMY.most_note)
    assert shown == ["line 0", "line 1", "line 2 …"]
    made.list.viewport().grab()


def test_wide_cards_have_their_place_beside_short_lines_and_narrow_ones_below(build, qtbot):
    one = note(1, HILLS, "words " * 100, page="3", chapter="A section with a rather long name")
    made = build([one], 1_600)
    card, places = made._delegate.card_rect(card_of(made, 1)), places_of(made, one)
    viewport = made.list.viewport().width()
    assert card.left() == pytest.approx((viewport - card.width()) // 2, abs=1)
    assert places.quote.width() == ROOMY.widest and places.place.left() > places.quote.right()
    line = QFontMetrics(made._context.theme.font("small")).lineSpacing()
    assert places.place.height() == line
    qtbot.mouseMove(made.list.viewport(), card.center())
    qtbot.waitUntil(made.bar.isVisible)
    assert not made.bar.geometry().intersects(places.place)
    made.resize(700, 900)
    qtbot.waitUntil(lambda: made.list.viewport().width() <= 700)
    places = places_of(made, one)
    assert places.place.top() > places.quote.bottom()
    assert places.place.left() == places.quote.left()


def test_the_note_has_the_font_of_the_window_on_a_ground_and_the_quotation_that_of_books(
    build, context
):
    one = note(1, HILLS, "the words of a book", note="my words")
    made = build([one])
    delegate, theme = made._delegate, context.theme
    assert delegate._font("book", one.mark.quote).family() == theme.font("book").family()
    assert theme.font("book").family() != theme.font("text").family()
    place = places_of(made, one).note
    picture = made.list.viewport().grab().toImage()
    ground = picture.pixelColor(place.left() + 4, place.center().y())
    beside = picture.pixelColor(place.right() - 4, place.center().y())
    assert ground != beside == theme.color("surface")


def test_the_box_of_a_group_selects_its_entries(living, qtbot):
    living.list.viewport().grab()
    title = living._delegate.card_rect(living.list.visualRect(living.model.index(0, 0)))
    box = living._delegate.group_check_rect(title)
    click(living, qtbot, box.center())
    assert [one.mark.id for one in living.selected_entries] == [1, 2]
    assert living.model.rows[0].n_selected == 2 and not living.model.rows[0].folded
    living.list.viewport().grab()
    click(living, qtbot, box.center())
    assert living.selected_entries == []
    living.list.setFocus()
    living.list.setCurrentIndex(living.model.index(0, 0))
    qtbot.keyClick(living.list, Qt.Key.Key_Space)
    assert [one.mark.id for one in living.selected_entries] == [1, 2]
    qtbot.keyClick(living.list, Qt.Key.Key_Return)
    assert living.model.rows[0].folded
    assert [one.mark.id for one in living.selected_entries] == [1, 2]


def test_a_filter_that_narrows_the_list_is_marked(screen):
    def active() -> list[str]:
        return [box.accessibleName() for box in screen.filters.boxes if box.property("active")]

    assert active() == []
    choose(screen.filters.tag, "sea")
    choose(screen.filters.color, "Green")
    assert active() == ["Tag", "Colour"]
    screen.clear_filters()
    assert active() == []


def test_the_menus_of_the_selection_have_one_arrow_each(living):
    for button in (living.selection.color, living.selection.export):
        assert button.menu() is None  # else the style draws an arrow of its own, in its own room
        assert button.sizeHint().width() < living.selection.remove.sizeHint().width() + 40


def offered(card) -> list[str]:
    found = card.tags.offered
    return [found.item(row).text() for row in range(found.count())] if found.isVisible() else []


def test_known_tags_are_offered_while_one_is_typed(build, qtbot, context):
    made = build(
        [note(1, HILLS, "stone"), note(2, HILLS, "sky", tags="theme,method,old"), NOTES[2]]
    )
    made.edit_note(made.model.entries[0], tags=True)
    card = made.card
    height = card.height()
    qtbot.keyClicks(card.tags.field, "e")
    assert offered(card) == ["method", "theme", "New tag: e"]
    qtbot.keyClicks(card.tags.field, "m")
    shorter = card.height()
    assert offered(card) == ["theme", "New tag: em"] and height < shorter
    assert shorter == card.column.totalSizeHint().height()
    card.tags.field.clear()
    qtbot.keyClicks(card.tags.field, "me")
    assert offered(card) == ["method", "theme", "New tag: me"]
    assert card.height() > height and card.tags.buttons == []
    qtbot.keyClick(card.tags.field, Qt.Key.Key_Down)
    qtbot.keyClick(card.tags.field, Qt.Key.Key_Down)
    qtbot.keyClick(card.tags.field, Qt.Key.Key_Return)
    assert card.tags.chosen() == ("theme",) and card.tags.field.text() == ""
    assert offered(card) == [] and card.tags.field.hasFocus()
    qtbot.keyClick(card.tags.field, Qt.Key.Key_Down)
    assert offered(card) == ["method", "old"]
    row = card.tags.offered.visualItemRect(card.tags.offered.item(1)).center()
    qtbot.mouseClick(card.tags.offered.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert card.tags.chosen() == ("theme", "old")
    qtbot.keyClicks(card.tags.field, "new, me")
    assert card.tags.chosen() == ("theme", "old", "new")
    card.note.setFocus()
    assert card.tags.field.text().strip() == "me" and len(card.tags.buttons) == 3
    card.close_card()
    qtbot.waitUntil(lambda: find_mark(context, 1).tags == ("me", "new", "old", "theme"))


def test_tags_that_only_some_have_are_given_to_all_or_removed(build, qtbot, context):
    made = build([note(1, HILLS, "stone", tags="a,b,c"), note(2, HILLS, "sky", tags="c")])
    made.edit_tags(made.model.entries)
    card = made.card
    assert [(row.tag, row.count.text()) for row in card.some] == [("a", "1 of 2"), ("b", "1 of 2")]
    card.some[0].give.click()
    assert card.tags.chosen() == ("c", "a") and card.some[0].isHidden()
    card.tags.buttons[1].click()  # it is as before
    assert not card.some[0].isHidden()
    card.some[0].give.click()
    card.some[1].drop.click()
    assert card.some[1].name.font().strikeOut() and card.some[1].keep.isVisible()
    card.some[1].keep.click()
    card.some[1].drop.click()
    card.close_card()
    qtbot.waitUntil(lambda: [mark.tags for mark in context.annotations.marks] == [("a", "c")] * 2)


def test_the_actions_on_selected_cards_lose_their_icons_before_their_words(build, qtbot):
    made = build([note(1, HILLS, "stone"), note(2, HILLS, "sky")], 1_100)
    made.select(made.model.entries[:1])
    bar = made.selection
    assert not bar.copy.icon().isNull() and made.search.isVisible()
    whole = bar.sizeHint().width()
    made.resize(whole + 60, 900)
    qtbot.waitUntil(lambda: bar.copy.icon().isNull() or made.search.isHidden())
    made.resize(whole - 60, 900)  # without icons, and no room for the search field
    qtbot.waitUntil(lambda: bar.copy.icon().isNull() and made.search.isHidden())
    for width in (-60, 40, 80, 120, 160, 200, 240):  # the search field is made shorter first
        made.resize(whole + width, 900)
        for button in (bar.copy, bar.color, bar.tags, bar.export, bar.remove, bar.all):
            qtbot.waitUntil(lambda b=button: b.width() >= b.sizeHint().width())
    shown: list[tuple[str, str, str]] = []
    for room in range(whole, 400, -4):
        made.resize(room, 900)
        actions = bar.copy.text(), bar.export.text(), "" if bar.all.isHidden() else bar.all.text()
        shown += [] if actions in shown else [actions]
    assert shown == [
        ("Copy with citation", "Export 1 selected", "Select all 2"),
        ("Copy", "Export 1", "Select all 2"),
        ("Copy", "Export", "Select all 2"),
        ("Copy", "Export", "All 2"),
        ("Copy", "Export", ""),
    ]
    made.resize(1_100, 900)
    qtbot.waitUntil(lambda: not bar.export.icon().isNull() and made.search.isVisible())
    assert bar.export.text() == "Export 1 selected"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_action_on_selected_cards_is_cut_in_the_narrowest_window(build, qapp, language):
    for _ in use_language(qapp, language):
        made = build(
            [note(i, HILLS, "stone") for i in range(1, 1_251)], 680
        )  # 900 less the sidebar
        for filtered in (False, True):
            made.filters.color.setCurrentIndex(int(filtered))
            for n in (1, 5, 25, 1_250):
                made.clear_selection()
                made.select(made.model.entries[:n])
                for _ in range(3):  # a bar that leaves out words requests another layout
                    qapp.processEvents()
                cut = find_overflow(made, whole_commands=True)
                assert cut == [], (n, filtered)


def test_what_select_all_and_export_cover_is_said(living, qtbot):
    assert living.export_button.text() == "Export all 4"
    choose(living.filters.document, "Tides")
    assert living.export_button.text() == "Export 2 shown"
    click(living, qtbot, card_of(living, 3).center(), Qt.KeyboardModifier.ControlModifier)
    assert living.filters.isVisible() and living.selection.all.text() == "Select all 2 shown"
    living.selection.all.click()
    assert [one.mark.id for one in living.selected_entries] == [3, 4]
    assert living.selection.all.isHidden()
    assert living.selection.export.text() == "Export 2 selected"
    choose(living.filters.color, "Green")  # filters are used while cards are selected
    assert living.selection.count.text() == "1 selected"
    living.selection.clear.click()
    assert living.head.title.isVisible() and living.export_button.isVisible()


def test_a_compact_list_has_lower_cards_and_is_remembered(build, qtbot, context):
    long = note(1, HILLS, "many words " * 40, note="a note", tags="sky")
    short = note(2, HILLS, "few words", page="7", chapter="Night", tags="sky")
    made = build([long, short], 1_400)
    before = [card_of(made, n).height() for n in (1, 2)]
    made.compact_button.click()
    after = [card_of(made, n).height() for n in (1, 2)]
    assert after[0] < before[0] // 2 and after[1] < before[1]
    places = places_of(made, long)
    assert places.quote.height() == COMPACT.most_lines * COMPACT.line
    assert places.more.isEmpty() and places.tags.left() > places.note.right()
    assert places.note.top() <= places.tags.top() <= places.note.bottom()  # in one line
    beside = places_of(made, short)  # without a note, they follow the quotation if they fit
    assert beside.quote.top() <= beside.tags.center().y() <= beside.quote.bottom()
    advance = QFontMetrics(made._delegate._font("book", "few words")).horizontalAdvance("few words")
    assert beside.tags.left() > beside.quote.left() + advance
    made.list.viewport().grab()
    qtbot.mouseMove(made.list.viewport(), card_of(made, 1).center())
    qtbot.waitUntil(made.bar.isVisible)
    made.bar.buttons["unfold"].click()
    whole = places_of(made, long)
    assert whole.quote.height() > places.quote.height() and not whole.more.isEmpty()
    assert whole.tags.top() > whole.note.bottom()
    made.list.viewport().grab()
    click(made, qtbot, QPoint(whole.more.left() + 5, whole.more.center().y()))
    assert places_of(made, long).quote.height() == places.quote.height()
    again = HighlightsScreen(context)
    qtbot.addWidget(again)
    assert again.compact_button.isChecked() and again._delegate.density is COMPACT
    again.compact_button.click()
    assert again._delegate.density is ROOMY


@pytest.mark.parametrize("width", [700, 1_000, 1_400])
@pytest.mark.parametrize("compact", [False, True])
def test_the_actions_on_a_low_card_hide_neither_place_nor_date(
    build, qtbot, context, width, compact
):
    one = note(1, HILLS, "few words", page="7", chapter="A section with a rather long name " * 3)
    one = replace(one, mark=replace(one.mark, created_at=time.time() - 3 * 86_400))
    made = build([one], width)
    made.compact_button.setChecked(compact)
    card = card_of(made, 1)
    qtbot.mouseMove(made.list.viewport(), card.center())
    qtbot.waitUntil(made.bar.isVisible)
    bar, places = made.bar.geometry(), places_of(made, one)
    assert made._delegate.card_rect(card).contains(bar)
    needed = QFontMetrics(context.theme.font("small")).horizontalAdvance("3 days ago")
    assert not places.day.intersects(bar) and places.day.width() >= needed
    assert not places.place.intersects(bar) and places.place.width() > needed
    made.list.viewport().grab()


def test_cards_that_are_not_below_their_document_say_it_with_page_and_section(build):
    one = note(1, HILLS, "stone", page="7", chapter="Night")
    made = build([one], 1_400)
    assert places_of(made, one).document.isEmpty()  # the title of the group says it
    made.order.setCurrentIndex(made.order.findData("color"))
    made.order.activated.emit(made.order.currentIndex())
    places = places_of(made, one)
    assert places.document.bottom() < places.place.top() and places.document.height() > 0
    assert describe_spot(one) == "p. 7 · Night"
    made.resize(700, 900)
    places = places_of(made, one)
    assert places.document.top() == places.place.top()  # in one line, the place first
    assert places.place.left() < places.document.left() and places.document.width() > 0
    made.list.viewport().grab()


def test_the_words_of_a_search_are_marked(build, qtbot, context):
    one = note(1, HILLS, "the stone and the sky", note="Sky?", chapter="Sky")
    made = build([one, NOTES[2]])
    before = made.list.viewport().grab().toImage()
    made.search.setText("sky ST(")
    qtbot.waitUntil(lambda: made.model.entries == [])  # no pattern, but words
    made.search.setText("sky stone")
    qtbot.waitUntil(lambda: len(made.model.entries) == 1)
    after = made.list.viewport().grab().toImage()
    mark = context.theme.color("mark")
    place = places_of(made, made.model.entries[0])

    def count_marked(image, area) -> int:
        return sum(
            image.pixelColor(x, y) == mark
            for x in range(area.left(), area.right())
            for y in range(area.top(), area.bottom())
        )

    assert count_marked(before, place.quote) == 0
    assert count_marked(after, place.quote) > 100 and count_marked(after, place.note) > 30
    assert count_marked(after, place.place) > 30


def test_the_title_of_a_group_stays_until_the_next_one_pushes_it_out(build, qtbot):
    hills = [note(n, HILLS, f"stone {n}") for n in range(1, 21)]
    tides = [note(n, TIDES, f"wave {n}") for n in range(21, 41)]
    screen = build([*hills, *tides])
    shown, bar = screen.list.group_title, screen.list.verticalScrollBar()
    assert shown.isHidden()
    bar.setValue(200)
    assert shown.isVisible() and shown.index.data(ROW_ROLE).title == "Hills"
    assert shown.geometry().top() == 0
    image = screen.list.viewport().grab().toImage()
    [at] = [n for n, row in enumerate(screen.model.rows) if getattr(row, "title", "") == "Tides"]
    below = screen.list.visualRect(screen.model.index(at, 0))
    bar.setValue(bar.value() + below.top() - 20)  # the next title is 20 pixels below the top
    assert shown.index.data(ROW_ROLE).title == "Hills" and shown.geometry().bottom() + 1 == 20
    bar.setValue(bar.value() + 200)
    assert shown.index.data(ROW_ROLE).title == "Tides" and shown.geometry().top() == 0
    assert screen.list.viewport().grab().toImage() != image

    screen.list.setCurrentIndex(screen.model.index(at + 1, 0))  # as the keyboard scrolls
    card = screen.list.visualRect(screen.model.index(at + 1, 0))
    assert shown.isHidden() or card.top() > shown.geometry().bottom()
    bar.setValue(bar.value() + 300)
    qtbot.mouseClick(shown, Qt.MouseButton.LeftButton)
    assert shown.isHidden()
    assert screen.list.visualRect(screen.model.index(at, 0)).top() == 0


def test_an_underlined_quotation_has_a_line_in_its_colour(living) -> None:
    def count_coloured(line: str) -> int:
        picture = QImage(300, 60, QImage.Format.Format_RGB32)
        picture.fill(QColor("white"))
        painter = QPainter(picture)
        words = "The tide came in."
        living._delegate._draw(painter, QRect(0, 0, 300, 60), words, "book", "text", line=line)
        painter.end()
        ink, _ = find_line_colors(living._context.theme.tokens, "yellow")
        return sum(
            picture.pixelColor(x, y) == ink
            for x in range(picture.width())
            for y in range(picture.height())
        )

    assert count_coloured("") == 0
    assert count_coloured("yellow") > 100


def test_keys_in_the_menu_have_the_name_that_is_on_them(living) -> None:
    menu = living.build_menu(living.model.entries[0])
    assert menu.actions()[0].shortcut().toString() == "Enter"
