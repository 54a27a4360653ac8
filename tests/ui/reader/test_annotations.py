"""Highlights, bookmarks and highlighted names: in the text, the margin and the panel."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.model import EntityRow
from desktop_app.engine.services.events import EventSentence
from desktop_app.ui.editing.event_dialog import EventDialog
from desktop_app.ui.reader.annotations_panel import MARK_ROLE, fit_lines
from desktop_app.ui.reader.passage_actions import build_menu
from tests.ui.fakes import ENGLISH

LEFT = Qt.MouseButton.LeftButton


def trigger(menu, words: str) -> None:
    next(action for action in menu.actions() if action.text() == words).trigger()


@pytest.fixture
def book(qtbot, opened, context):
    context.editing = context.annotations  # undo is not used here
    reader = opened(1)
    reader.resize(900, 600)
    return reader


def select(view, words: str) -> tuple[int, int]:
    start = view.text.index(words)
    view.selection.select(start, start + len(words))
    return start, start + len(words)


def test_a_selection_is_highlighted_and_listed(qtbot, book, context):
    view = book.text_view
    span = select(view, "never learned to swim")
    colors = next(a.menu() for a in build_menu(view).actions() if a.text() == "Highlight")
    trigger(colors, "Green")
    qtbot.waitUntil(lambda: bool(view.marks))
    assert (view.marks[0].start, view.marks[0].end) == span
    assert view.marks[0].color == "green"
    assert view.selection.range is None
    assert view.margin.offsets_of("marks") == [span[0]]
    assert context.messages.last is None  # the highlight itself is seen, and Ctrl+Z takes it back
    panel = book.body.side.annotations
    assert panel.list.count() == 1
    before = view.grab().toImage()
    book.annotations.remove(view.marks[0].id)
    qtbot.waitUntil(lambda: not view.marks)
    assert view.grab().toImage() != before
    assert panel.list.isHidden()


def test_spaces_and_breaks_around_a_selection_are_not_highlighted(qtbot, book):
    view = book.text_view
    start, end = select(view, "never learned to swim")
    view.selection.select(start - 1, end + 1)
    book.head.pen.click()
    qtbot.waitUntil(lambda: bool(view.marks))
    assert view.text[view.marks[0].start : view.marks[0].end] == view.marks[0].quote
    assert view.marks[0].quote == view.marks[0].quote.strip()


def test_a_highlight_with_a_note_is_stored_at_once(qtbot, book):
    view = book.text_view
    select(view, "his penny")
    trigger(build_menu(view), "Highlight with a note…")
    qtbot.waitUntil(lambda: book.annotations.card is not None)
    card = book.annotations.card
    card.note.setPlainText("Why a penny?")
    card.swatches[3].click()
    card.close_card()
    qtbot.waitUntil(lambda: bool(view.marks) and view.marks[0].note == "Why a penny?")
    assert view.marks[0].color == "pink"
    assert book.annotations.card is None
    assert "Why a penny?" in book.annotations.markdown()


def test_a_click_on_a_highlight_opens_its_card_and_a_click_elsewhere_closes_it(qtbot, book):
    view = book.text_view
    start = ENGLISH.index("ferrywoman")
    book.annotations.highlight(start, start + 10)
    qtbot.waitUntil(lambda: bool(view.marks))
    _, top, block = next(p for p in view.visible_blocks() if p[2].start <= start < p[2].end)
    place = block.rects(start, start + 10)[0].translated(view.column_left, top)
    qtbot.mouseClick(view.viewport(), LEFT, pos=place.center().toPoint())
    assert book.annotations.card is not None
    qtbot.mouseClick(view.viewport(), LEFT, pos=QPoint(5, 300))
    assert book.annotations.card is None


def test_the_menu_of_a_highlight_edits_and_removes_it(qtbot, book):
    view = book.text_view
    start = ENGLISH.index("ferrywoman")
    book.annotations.highlight(start, start + 10)
    qtbot.waitUntil(lambda: bool(view.marks))
    menu = build_menu(view, None, start + 2, view.marks[0].id)
    asked: list[str] = []
    book.ask_about.connect(asked.append)
    trigger(menu, "Ask about this passage")
    assert asked == ["“ferrywoman” (A. Nonymous, The Ferry at Harrow Ford, Chapter 1. The ferry)\n"]
    trigger(menu, "Remove highlight")
    qtbot.waitUntil(lambda: not view.marks)


def test_keys_highlight_and_closing_the_card_stores_the_note(qtbot, book):
    view = book.text_view
    span = select(view, "his penny")
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(view, Qt.Key.Key_H, modifiers)
    qtbot.waitUntil(lambda: bool(view.marks))
    assert (view.marks[0].start, view.marks[0].end) == span
    book.annotations.open_card(view.marks[0].id, book.mapToGlobal(QPoint(200, 200)))
    book.annotations.card.note.setPlainText("written")
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert book.annotations.card is None
    qtbot.waitUntil(lambda: bool(view.marks) and view.marks[0].note == "written")


def test_ctrl_d_adds_and_removes_a_bookmark(qtbot, book):
    view = book.text_view
    qtbot.keyClick(view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(view.marks))
    assert view.marks[0].kind == "bookmark"
    view.grab()
    qtbot.keyClick(view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not view.marks)


def test_a_page_of_a_pdf_is_bookmarked(qtbot, opened, books):
    reader = opened(5)
    reader.pdf_view.show_page(1)
    reader.head.bookmark.click()
    qtbot.waitUntil(lambda: bool(reader.pdf_view.marks))
    assert reader.pdf_view.marks[0].start == books.pages[1].start
    panel = reader.body.side.annotations
    reader.pdf_view.show_page(2)
    panel.chosen.emit(reader.pdf_view.marks[0])
    assert reader.pdf_view.current_page() == 1


def test_the_panel_opens_a_mark_and_describes_it(qtbot, book):
    end = len(ENGLISH.rstrip())
    book.annotations.highlight(end - 20, end)
    qtbot.waitUntil(lambda: bool(book.text_view.marks))
    panel = book.body.side.annotations
    menu = panel.build_menu(book.text_view.marks[0])
    trigger(menu, "Go to")
    assert book.text_view.passage == (end - 20, end)
    trigger(menu, "Copy with citation")
    cited = "(A. Nonymous, The Ferry at Harrow Ford, Chapter 2. The flood)"
    assert cited in QGuiApplication.clipboard().text()
    book.head.outline.click()
    book.body.side.show_tab("notes")
    book.grab()


def test_notes_are_exported_to_a_file(qtbot, book, tmp_path, context):
    book.annotations.highlight(*_span("his penny"))
    qtbot.waitUntil(lambda: bool(book.annotations.marks))
    book.annotations.write(tmp_path / "notes.md")
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert "> his penny" in (tmp_path / "notes.md").read_text("utf-8")
    book.annotations.write(tmp_path / "notes.md" / "below" / "a file.md")
    qtbot.waitUntil(lambda: context.messages.last.kind == "bad")


def _span(words: str) -> tuple[int, int]:
    start = ENGLISH.index(words)
    return start, start + len(words)


# --- following a name ---------------------------------------------------------------------------


def test_a_highlighted_name_is_marked_in_the_whole_document(qtbot, book):
    book.name_highlight.follow(1, "Ada Merrow", "person")
    view = book.text_view
    qtbot.waitUntil(lambda: bool(view.followed))
    count = len(view.followed)
    assert view.margin.offsets_of("followed") == [start for start, _ in view.followed]
    assert book.highlight_strip.isVisible()
    assert book.highlight_strip.count.text() == str(count)
    book.name_highlight.step(1)
    assert view.passage == view.followed[0]
    assert book.highlight_strip.count.text() == f"1 of {count}"
    book.name_highlight.step(-1)
    assert view.passage == view.followed[-1]
    book.highlight_strip.close_button.click()
    assert view.followed == []
    assert book.highlight_strip.isHidden()


def test_a_highlighted_name_stays_highlighted_in_the_next_document(qtbot, book, opened):
    book.name_highlight.follow(8, "林秋白", "person")
    qtbot.waitUntil(lambda: book.highlight_strip.count.text() == "No mentions")
    opened(2)
    qtbot.waitUntil(lambda: bool(book.text_view.followed))


def test_mentions_are_loaded_again_when_names_change(qtbot, book, context):
    book.name_highlight.follow(1, "Ada Merrow", "person")
    qtbot.waitUntil(lambda: bool(book.text_view.followed))
    context.annotations.fetch_places = lambda *_: []
    context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
    qtbot.waitUntil(lambda: not book.text_view.followed)


def test_a_click_on_a_mark_in_the_margin_scrolls_to_it(qtbot, book):
    view = book.text_view
    start = len(ENGLISH.rstrip()) - 10
    view.set_zoom(2.0)
    view.set_followed([(start, start + 4)], "person")
    view.margin.grab()
    [row] = view.margin.rows_of("followed")
    qtbot.mouseClick(view.margin, LEFT, pos=QPoint(5, int(row)))
    low, high = view.visible_range()
    assert low <= start < high


def test_hits_are_marked_in_the_margin(qtbot, book):
    book.search.start()
    book.find_bar.field.setText("penny")
    qtbot.waitUntil(lambda: len(book.text_view.margin.offsets_of("hits")) == 2)


# --- verbs --------------------------------------------------------------------------------------


class Verbs:
    """Records the calls of editing."""

    def __init__(self) -> None:
        self.calls: list[tuple] = []

    def __getattr__(self, name: str):
        def verb(*args, **more):
            self.calls.append((name, *args))
            return ChangeNotice(entities=frozenset({1}))

        return verb

    def add_event(
        self, document_id, start, end, kind, *, word, actors, patients, places
    ) -> ChangeNotice:
        self.calls.append(
            ("add_event", document_id, start, end, kind, word, actors, patients, places)
        )
        return ChangeNotice()


@pytest.fixture
def verbs(book, context) -> Verbs:
    context.editing = Verbs()
    return context.editing


NAME = (ENGLISH.index("Ada laughed"), ENGLISH.index("Ada laughed") + 3, 1, "Ada Merrow", "person")


def not_it(view):
    return next(a.menu() for a in build_menu(view, NAME).actions() if "This is not" in a.text())


def test_the_names_of_a_passage_are_shown_in_the_graph(qtbot, book):
    view = book.text_view
    select(view, "Tobias Quill came down from the Lantern Company")
    with qtbot.waitSignal(book.show_in_graph) as shown:
        trigger(build_menu(view), "Show its names in the graph")
    assert set(shown.args[0]) == {2, 5}


def test_selected_text_becomes_a_new_entity(qtbot, book, verbs):
    view = book.text_view
    select(view, "his penny")
    trigger(build_menu(view), "Add “his penny” as a name…")
    from desktop_app.ui.editing.dialogs import NameDialog as NameSheet

    sheet = book.findChild(NameSheet)
    assert sheet.name.text() == "his penny"
    sheet.save_button.click()
    cited = "Ada laughed and took his penny."
    qtbot.waitUntil(lambda: ("create", "his penny", "person", cited) in verbs.calls)


def test_an_event_is_added_to_the_sentence_of_a_selection(qtbot, book, context, verbs):
    view = book.text_view
    text, asked, ada = view.text, [], EntityRow(1, "Ada Merrow", "person", 3, 2, 1)
    low = text.index("Ada laughed and took his penny.")
    sentence = low, low + len("Ada laughed and took his penny.")

    def read_event_sentence(document_id: int, start: int, end: int) -> EventSentence:
        asked.append((document_id, start, end))
        return EventSentence(1, *sentence, text[slice(*sentence)], start, end, (ada,))

    context.library_reader.read_event_sentence = read_event_sentence
    start, end = select(view, "took")
    trigger(build_menu(view), "Add event from this sentence…")
    menu = book.passage_actions.menu
    qtbot.waitUntil(lambda: isinstance(menu.sheet, EventDialog))
    assert asked == [(1, start, end)]
    assert menu.sheet.sentence.accessibleName() == "Ada laughed and took his penny."
    assert "background-color" in menu.sheet.sentence.text()
    menu.sheet.kind.setCurrentIndex(menu.sheet.kind.findData("gives"))
    menu.sheet.people[0].role.setCurrentIndex(menu.sheet.people[0].role.findData("patient"))
    menu.sheet.save_button.click()
    wanted = ("add_event", 1, *sentence, "gives", (start, end), (), (1,), ())
    qtbot.waitUntil(lambda: wanted in verbs.calls)


def test_selected_text_becomes_an_alias(qtbot, book, verbs):
    view = book.text_view
    select(view, "ferrywoman")
    trigger(build_menu(view), "“ferrywoman” is the same as…")
    from desktop_app.ui.editing.pick_dialog import PickEntityDialog as PickSheet

    qtbot.waitUntil(lambda: book.findChild(PickSheet) is not None)
    sheet = book.findChild(PickSheet)
    sheet.search.setText("Ada")
    qtbot.waitUntil(lambda: sheet.list.count() > 0)
    sheet.list.item(0).setCheckState(Qt.CheckState.Checked)
    sheet.next_button.click()
    qtbot.waitUntil(lambda: ("add_alias", 1, "ferrywoman") in verbs.calls)


def test_an_alias_is_removed_from_the_card(qtbot, book, verbs):
    trigger(not_it(book.text_view), "“Ada” is not an alias of Ada Merrow")
    qtbot.waitUntil(lambda: ("remove_alias", 1, "Ada") in verbs.calls)


def test_a_name_is_rejected_from_the_card(qtbot, book, verbs):
    trigger(not_it(book.text_view), "Not a name: delete and ignore")
    qtbot.waitUntil(lambda: ("delete", [1]) in verbs.calls)


def test_a_mention_is_split_off_from_the_card(qtbot, book, verbs):
    trigger(not_it(book.text_view), "Different person or thing with this name…")
    from desktop_app.ui.editing.dialogs import NameDialog as NameSheet

    qtbot.waitUntil(lambda: book.findChild(NameSheet) is not None)
    sheet = book.findChild(NameSheet)
    sheet.name.setText("Ada the cook")
    sheet.save_button.click()
    wanted = ("split", 1, [1000 + NAME[0]], "Ada the cook", "person")
    qtbot.waitUntil(lambda: wanted in verbs.calls)


def test_a_name_is_highlighted_and_shown_from_its_card(qtbot, book):
    book.passage_actions.open_card(NAME, book.mapToGlobal(QPoint(200, 200)))
    card = book.passage_actions.card
    qtbot.waitUntil(lambda: "Miss Merrow" in card.facts.text())
    assert card.menu.actions()
    with qtbot.waitSignal(book.show_in_graph) as shown:
        card.graph_button.click()
    assert shown.args == [[1]]
    book.passage_actions.open_card(NAME, book.mapToGlobal(QPoint(200, 200)))
    book.passage_actions.card.follow_button.click()
    qtbot.waitUntil(lambda: bool(book.text_view.followed))
    assert book.name_highlight.entity_id == 1


def test_the_current_mention_differs_from_other_highlighted_ones(qtbot, book):
    view = book.text_view
    first = ENGLISH.index("Ada")
    second = ENGLISH.index("Ada", first + 1)
    places = [(first, first + 3), (second, second + 3)]
    view.set_followed(places, "person")
    view.set_passage(places[0])
    image = view.grab().toImage()

    def ground(start: int) -> str:
        _, top, block = next(p for p in view.visible_blocks() if p[2].start <= start < p[2].end)
        rect = block.rects(start, start + 3)[0].translated(view.column_left, top)
        return image.pixelColor(int(rect.left()) + 1, int(rect.top()) + 5).name()

    assert ground(first) != ground(second)


def test_a_card_without_room_below_its_line_is_shown_above(qtbot, book):
    book.passage_actions.open_card(NAME, book.mapToGlobal(QPoint(200, 580)))
    card = book.passage_actions.card
    assert card.geometry().bottom() <= 580 - 28
    card.close_card()


def _highlight(qtbot, book, words: str, color: str, note: str = "") -> None:
    before = len(book.view.marks)
    span = select(book.view, words)
    book.annotations.highlight(*span, color)
    qtbot.waitUntil(lambda: len(book.view.marks) == before + 1)
    if note:
        mark = next(m for m in book.view.marks if (m.start, m.end) == span)
        book.annotations.change(mark.id, color, note)
        qtbot.waitUntil(lambda: any(m.note == note for m in book.view.marks))


def test_notes_are_filtered_by_words_and_colour(qtbot, book):
    panel = book.body.side.annotations
    assert panel.filter.isHidden()  # there is nothing to filter
    _highlight(qtbot, book, "never learned to swim", "green", "compare with chapter 2")
    assert not panel.filter.isHidden() and not panel.swatches  # one colour only
    _highlight(qtbot, book, "ferry", "yellow")
    assert [swatch.color for swatch in panel.swatches] == ["yellow", "green"]
    panel.filter.setText("COMPARE")
    panel.filter.searched.emit("COMPARE")
    assert panel.list.count() == 1  # words of the note count, in any case
    panel.filter.setText("nothing like this")
    panel.filter.searched.emit("nothing like this")
    assert panel.list.isHidden() and not panel.nothing_found.isHidden()
    panel.filter.clear()
    panel.filter.searched.emit("")
    panel.swatches[0].click()
    assert [panel.list.item(i).data(MARK_ROLE).color for i in range(panel.list.count())] == [
        "yellow"
    ]
    panel.swatches[0].click()
    assert panel.list.count() == 2


def test_a_note_is_added_from_the_list(qtbot, book):
    _highlight(qtbot, book, "never learned to swim", "green")
    book.resize(1100, 600)
    book.head.outline.setChecked(True)
    book.body.side.show_tab("notes")
    panel = book.body.side.annotations
    line = panel.list.item(0)
    link = panel._delegate.pencil_rect(panel.list.visualItemRect(line))
    book.activateWindow()
    qtbot.waitUntil(book.isActiveWindow)
    qtbot.mouseClick(panel.list.viewport(), LEFT, pos=link.center())
    assert panel.field.hasFocus() and book.annotations.card is None
    qtbot.keyClicks(panel.field, "Why not?")
    qtbot.mouseClick(panel.list.viewport(), LEFT, pos=QPoint(20, link.center().y()))
    assert not panel.field.hasFocus()  # the rest of the row goes to the place only
    qtbot.waitUntil(lambda: [mark.note for mark in book.annotations.marks] == ["Why not?"])


def _notes_panel(qtbot, book):
    """Highlight two passages, and show the panel of notes."""
    _highlight(qtbot, book, "never learned to swim", "green")
    _highlight(qtbot, book, "his penny", "pink")
    book.resize(1100, 600)
    book.head.outline.setChecked(True)
    book.body.side.show_tab("notes")
    book.activateWindow()
    qtbot.waitUntil(book.isActiveWindow)
    return book.body.side.annotations


def test_the_note_is_written_on_the_chosen_card(qtbot, book):
    panel = _notes_panel(qtbot, book)
    first, second = (panel.list.item(row).data(MARK_ROLE) for row in (0, 1))
    panel.choose(first.id)  # the new one had a field
    panel.choose(second.id)
    places = [panel.list.visualItemRect(panel.list.item(row)) for row in (0, 1)]
    panel.choose(first.id)
    assert not panel.field.isVisible()  # it has no note: no card moves when it is chosen
    assert places == [panel.list.visualItemRect(panel.list.item(row)) for row in (0, 1)]
    panel.list.setFocus()
    qtbot.keyClick(panel.list, Qt.Key.Key_F2)
    assert panel.field.hasFocus()
    card = panel.list.visualItemRect(panel.list.item(0))
    assert panel.field.isVisible() and card.contains(panel.field.geometry())
    assert card.height() > panel.list.visualItemRect(panel.list.item(1)).height()
    qtbot.keyClicks(panel.field, "one")
    before = panel.field.height()
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    qtbot.keyClicks(panel.field, "two")
    assert panel.field.height() > before  # it grows with its lines
    assert panel.list.visualItemRect(panel.list.item(0)).contains(panel.field.geometry())
    for _ in range(12):
        qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    inside = panel.list.viewport().rect()
    assert panel.field.geometry().bottom() <= inside.bottom()  # the list follows it
    panel.choose(second.id)  # another card
    qtbot.waitUntil(lambda: book.annotations.find(first.id).note == "one\ntwo")
    assert panel.field.mark is None and panel.field.toPlainText() == ""
    panel.write_note(book.annotations.find(second.id))
    qtbot.keyClicks(panel.field, "three")
    qtbot.keyClick(panel.field, Qt.Key.Key_Escape)
    assert panel.list.hasFocus() and book.body.side.isVisible()
    qtbot.waitUntil(lambda: book.annotations.find(second.id).note == "three")


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_note_and_its_field_are_in_the_same_place(qtbot, book, wrapped):
    panel = _notes_panel(qtbot, book)
    first, second = (panel.list.item(row).data(MARK_ROLE) for row in (0, 1))
    words = "a note of several lines that are wrapped " * 2 if wrapped else "one\nand two"
    book.annotations.change(first.id, "green", words.strip())
    qtbot.waitUntil(lambda: bool(panel.list.item(0).data(MARK_ROLE).note))

    def places():
        return [panel.list.visualItemRect(panel.list.item(row)) for row in (0, 1)]

    panel.choose(first.id)
    panel.choose(second.id)
    before = places()
    panel.choose(first.id)
    assert panel.field.isVisible() and places() == before
    field, inset = panel.field.geometry(), panel.field.text_inset()
    delegate = panel._delegate
    delegate.chosen_id = None  # the note is painted instead
    [_, note] = delegate._parts(panel.list.item(0).data(MARK_ROLE))
    assert delegate._height(note) == field.height()
    assert delegate._room(note) == field.width() - 2 * inset.x()


def test_a_note_that_is_being_written_has_its_sign_and_one_session(qtbot, book, context):
    panel, view = _notes_panel(qtbot, book), book.text_view
    first, second = (panel.list.item(row).data(MARK_ROLE) for row in (0, 1))
    panel.write_note(first)
    panel.field._timer.setInterval(1)
    assert not view.has_note(first)
    qtbot.keyClicks(panel.field, "h")
    assert view.has_note(first)  # from the first letter on
    qtbot.waitUntil(lambda: book.annotations.find(first.id).note == "h")
    qtbot.keyClicks(panel.field, "alf")
    qtbot.waitUntil(lambda: book.annotations.find(first.id).note == "half")
    qtbot.keyClick(panel.field, Qt.Key.Key_Escape)
    panel.write_note(book.annotations.find(second.id))
    qtbot.keyClicks(panel.field, "other")
    qtbot.waitUntil(lambda: book.annotations.find(second.id).note == "other")
    one, same, another = context.annotations.sessions
    assert one == same != another
    for _ in range(5):
        qtbot.keyClick(panel.field, Qt.Key.Key_Backspace)
    assert not view.has_note(book.annotations.find(second.id))


def test_what_is_typed_in_a_note_survives_changes_of_other_notes(qtbot, book):
    panel = _notes_panel(qtbot, book)
    first, second = (panel.list.item(row).data(MARK_ROLE) for row in (0, 1))
    panel.write_note(second)
    qtbot.keyClicks(panel.field, "half a se")
    book.annotations.change(first.id, "blue", "of somebody else")
    qtbot.waitUntil(lambda: book.annotations.find(first.id).note == "of somebody else")
    book.text_view.show_range(0, 1)  # scrolling chooses no other card meanwhile
    assert panel.field.hasFocus() and panel.field.mark.id == second.id
    assert panel.field.toPlainText() == "half a se"
    assert panel.list.visualItemRect(panel.list.item(1)).contains(panel.field.geometry())
    book.save_changes()  # before the window closes
    qtbot.waitUntil(lambda: book.annotations.find(second.id).note == "half a se")


def test_a_note_is_stored_while_it_is_written(qtbot, book):
    panel = _notes_panel(qtbot, book)
    first = panel.list.item(0).data(MARK_ROLE)
    panel.write_note(first)
    panel.field._timer.setInterval(1)
    qtbot.keyClicks(panel.field, "half a ")
    qtbot.waitUntil(lambda: book.annotations.find(first.id).note == "half a")
    qtbot.waitUntil(lambda: panel.field.mark.note == "half a")
    assert panel.field.hasFocus()
    qtbot.keyClicks(panel.field, "sentence")  # the blank and the place of the caret are kept
    assert panel.field.toPlainText() == "half a sentence"
    qtbot.waitUntil(lambda: book.annotations.find(first.id).note == "half a sentence")


def test_typing_on_does_not_delay_storing_a_note(qtbot, book):
    panel = _notes_panel(qtbot, book)
    first = panel.list.item(0).data(MARK_ROLE)
    panel.write_note(first)
    timer = panel.field._timer
    timer.setInterval(600_000)
    qtbot.keyClicks(panel.field, "a")
    begun = timer.timerId()  # another one, if it began again
    qtbot.keyClicks(panel.field, "nd so on")
    assert timer.isActive() and timer.timerId() == begun


def test_a_note_in_a_card_is_stored_while_it_is_written(qtbot, book, context):
    book.annotations.highlight(0, 10)
    qtbot.waitUntil(lambda: bool(book.annotations.marks))
    [mark] = book.annotations.marks
    book.annotations.open_card(mark.id, book.mapToGlobal(QPoint(200, 200)))
    card = book.annotations.card
    card._timer.setInterval(1)
    card.tags.field.setText("half a t")
    qtbot.keyClicks(card.note, "A long")
    qtbot.waitUntil(lambda: book.annotations.find(mark.id).note == "A long")
    assert book.annotations.find(mark.id).tags == ()
    qtbot.keyClicks(card.note, " thought")
    qtbot.waitUntil(lambda: book.annotations.find(mark.id).note == "A long thought")
    assert book.annotations.card is card and card.note.toPlainText() == "A long thought"
    first, *others = context.annotations.sessions
    assert first and set(others) == {first}  # undone in one step
    n_changes = len(context.annotations.sessions)
    card.tags.field.clear()
    card.close_card()
    assert len(context.annotations.sessions) == n_changes  # nothing is stored twice


def test_a_note_that_was_taken_back_is_shown(qtbot, book):
    panel = _notes_panel(qtbot, book)
    first = panel.list.item(0).data(MARK_ROLE)
    panel.write_note(first)
    panel.list.setFocus()
    book.annotations.change(first.id, first.color, "new")
    qtbot.waitUntil(lambda: panel.field.toPlainText() == "new")
    book.annotations.change(first.id, first.color, "")
    qtbot.waitUntil(lambda: panel.field.toPlainText() == "")
    book.annotations.remove(first.id)
    qtbot.waitUntil(lambda: len(book.annotations.marks) == 1)
    assert panel.field.mark is None or panel.field.mark.id != first.id


def test_the_card_of_a_highlight_in_sight_is_marked(qtbot, book):
    _highlight(qtbot, book, "never learned to swim", "green")
    end = len(ENGLISH.rstrip())
    book.annotations.highlight(end - 20, end)
    qtbot.waitUntil(lambda: len(book.text_view.marks) == 2)
    book.resize(1100, 400)
    book.head.outline.setChecked(True)
    panel, view = book.body.side.annotations, book.text_view

    def marked() -> list[int]:
        return [n for n in range(panel.list.count()) if panel.list.item(n).isSelected()]

    book.body.side.show_tab("notes")
    view.show_range(0, 1)
    assert marked() == [0]
    assert view.chosen_mark == panel.list.item(0).data(MARK_ROLE).id  # has an edge in the text
    book.head.outline.setChecked(False)
    assert view.chosen_mark is None  # nothing says which one it is
    book.head.outline.setChecked(True)
    assert view.chosen_mark is not None
    framed = view.viewport().grab().toImage()
    view.set_chosen_mark(None)
    assert view.viewport().grab().toImage() != framed
    view.show_range(end - 20, end)
    assert marked() == [1]
    panel.list.setFocus()
    qtbot.keyClick(panel.list, Qt.Key.Key_Up)  # the keyboard goes through the list by itself
    assert marked() == [0]
    view.scroll_by(-10)
    assert marked() == [1]
    view.set_marks([])
    view.emit_moved()
    assert not marked()
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)  # nothing is marked, so nothing is removed
    assert len(book.annotations.marks) == 2


def test_notes_are_counted_and_listed_in_the_order_that_is_chosen(qtbot, book):
    panel = book.body.side.annotations
    _highlight(qtbot, book, "ferry", "yellow")
    _highlight(qtbot, book, "never learned to swim", "green")
    assert panel.heading.full_text() == "2 notes"

    def listed() -> list[str]:
        return [panel.list.item(n).data(MARK_ROLE).color for n in range(panel.list.count())]

    in_text = listed()
    starts = [panel.list.item(n).data(MARK_ROLE).start for n in range(2)]
    assert starts == sorted(starts) and panel.sort.text().strip() == "By chapter"
    panel.orders["newest"].trigger()
    assert listed() == ["green", "yellow"] and panel.sort.text().strip() == "Newest first"
    panel.orders["page"].trigger()
    assert listed() == in_text
    panel.swatches[0].click()
    assert panel.heading.full_text() == "1 of 2 notes"


def test_the_menu_and_the_keys_of_a_note_change_its_colour_and_copy_it(qtbot, book, context):
    _highlight(qtbot, book, "never learned to swim", "green")
    book.resize(1100, 600)
    book.head.outline.setChecked(True)
    book.body.side.show_tab("notes")
    panel = book.body.side.annotations
    line = panel.list.item(0)
    place = panel._delegate.more_rect(panel.list.visualItemRect(line)).center()
    before = book.view.passage
    qtbot.mouseClick(panel.list.viewport(), LEFT, pos=place)
    menu = QApplication.activePopupWidget()
    assert menu is not None and book.view.passage == before  # nothing but the menu
    colors = next(a.menu() for a in menu.actions() if a.menu() is not None)
    trigger(colors, "Pink")
    menu.close()
    qtbot.waitUntil(lambda: [m.color for m in book.annotations.marks] == ["pink"])
    book.activateWindow()
    qtbot.waitUntil(book.isActiveWindow)
    panel.list.setFocus()
    panel.list.setCurrentRow(0)
    qtbot.keyClick(panel.list, Qt.Key.Key_3)
    qtbot.waitUntil(lambda: [m.color for m in book.annotations.marks] == ["blue"])
    panel.list.setCurrentRow(0)
    qtbot.keyClick(panel.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "never learned to swim" in QGuiApplication.clipboard().text()
    qtbot.keyClick(panel.list, Qt.Key.Key_F2)
    assert panel.field.hasFocus()


@pytest.mark.parametrize("part", ["text", "pages"])
def test_an_underlined_passage_has_a_line_and_no_ground(qtbot, opened, context, part):
    reader = opened(1 if part == "text" else 5)
    reader.resize(1000, 700)
    view = reader.view
    start = view.text.index("ferry")

    def colors() -> set[str]:
        shown = view.viewport().grab().toImage()
        size = shown.size()
        places = [(x, y) for x in range(0, size.width(), 3) for y in range(size.height())]
        return {shown.pixelColor(x, y).name() for x, y in places}

    reader.annotations.highlight(start, start + 5, "pink", style="underline")
    qtbot.waitUntil(lambda: [m.style for m in view.marks] == ["underline"])
    tokens = context.theme.tokens
    line, ground = (
        QColor(c["pink"]).name() for c in (tokens.highlight_inks, tokens.highlight_fills)
    )
    qtbot.waitUntil(lambda: line in colors())
    assert ground not in colors()


@pytest.mark.parametrize("part", ["text", "pages"])
def test_a_passage_and_a_highlight_are_painted_on_one_page(qtbot, opened, context, part):
    reader = opened(1 if part == "text" else 5)
    reader.resize(1000, 700)
    view = reader.view
    start = view.text.index("ferry")
    view.show_passage(start, start + 5)
    reader.annotations.highlight(start + 6, start + 12, "pink")
    ground = QColor(context.theme.tokens.highlight_fills["pink"]).name()

    def is_painted() -> bool:
        shown = view.viewport().grab().toImage()
        places = itertools.product(range(0, shown.width(), 3), range(shown.height()))
        return any(shown.pixelColor(x, y).name() == ground for x, y in places)

    qtbot.waitUntil(is_painted)
    assert view.passage == (start, start + 5)


def test_a_long_quote_ends_after_a_whole_word(qapp):
    metrics, text = QFontMetrics(qapp.font()), "Some words of a passage that goes on " * 20
    shown = fit_lines(text, metrics, 240, 3)
    assert shown.endswith("…") and text.startswith(shown[:-1] + " ")
    assert fit_lines("短" * 400, metrics, 240, 3).endswith("短…")  # Chinese has no spaces
