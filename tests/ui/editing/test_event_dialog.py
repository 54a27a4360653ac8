"""Events are added and corrected from the page of a name, with a real library and services."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from desktop_app.engine.model import ACTOR, PATIENT, PLACE
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.ui.editing.event_dialog import EventDialog
from desktop_app.ui.entity.page import CONNECTIONS, EVENTS, MENTIONS
from tests.books import BOOK, id_of

CAME = "Hale came in from the rain with Clara and Tobias."


@pytest.fixture
def page(screen, qtbot):
    made = screen.page
    made.tabs.setCurrentIndex(MENTIONS)
    qtbot.waitUntil(lambda: len(made.mentions.quotes) > 1)
    return made


def wait_for_dialog(screen, qtbot) -> EventDialog:
    menu = screen.corrections.menu
    qtbot.waitUntil(lambda: isinstance(menu.sheet, EventDialog))
    return menu.sheet


def press(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text() == text).trigger()


def set_role(dialog: EventDialog, name: str, role: str) -> None:
    [box] = [person.role for person in dialog.people if person.name == name]
    box.setCurrentIndex(box.findData(role))


def set_kind(dialog: EventDialog, kind: str) -> None:
    dialog.kind.setCurrentIndex(dialog.kind.findData(kind))


def titles(page) -> list[str]:
    return [quote.title for quote in page.events.quotes.quotes if quote.place is not None]


def add_meeting(screen, page, library, qtbot) -> None:
    """Add "Hale meets Clara" as another program would."""
    at = "".join(BOOK).index(CAME)
    change = EditingService(library.writer).add_event(
        1, at, at + len(CAME), "meets", word=(at + 5, at + 9),
        actors=[id_of(library, "Hale")], patients=[id_of(library, "Clara")],
    )  # fmt: skip
    screen.corrections.menu.edits.done.emit(change)
    screen.refresh()
    qtbot.waitUntil(lambda: page.tabs.isTabVisible(EVENTS))
    page.tabs.setCurrentIndex(EVENTS)


def test_an_event_is_added_to_a_sentence_by_keyboard_and_the_message_undoes_it(
    screen, page, context, library, qtbot
):
    mentions = page.mentions
    mentions.setFocus()
    while CAME not in mentions.accessibleDescription():
        qtbot.keyClick(mentions, Qt.Key.Key_Down)
    qtbot.keyClick(mentions, Qt.Key.Key_Menu)
    press(screen.corrections.popup, "Add event from this sentence…")
    dialog = wait_for_dialog(screen, qtbot)
    assert dialog.sentence.accessibleName() == CAME
    assert [person.name for person in dialog.people] == ["Hale", "Clara", "Tobias"]
    assert [person.role.currentData() for person in dialog.people] == [ACTOR, "", ""]
    assert not dialog.save_button.isEnabled() and "what happens" in dialog.preview.text()
    set_kind(dialog, "meets")
    set_role(dialog, "Hale", "")
    assert not dialog.save_button.isEnabled() and "who does it" in dialog.preview.text()
    set_role(dialog, "Hale", ACTOR)
    set_role(dialog, "Tobias", PATIENT)
    assert dialog.preview.text() == "Hale meets Tobias"
    qtbot.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.tabs.isTabVisible(EVENTS))
    page.tabs.setCurrentIndex(EVENTS)
    assert titles(page) == ["Hale meets Tobias"]
    [event] = LibraryReader(library.reader()).list_events(id_of(library, "Tobias"))
    assert event.sentence == CAME and (event.word_start, event.word_end) == (event.start, event.end)
    assert context.messages.last.text == "Event added"
    context.messages.last.action()
    qtbot.waitUntil(lambda: not page.tabs.isTabVisible(EVENTS))
    assert page.tabs.currentIndex() == CONNECTIONS


def test_a_kind_is_changed_in_the_menu_of_the_event(screen, page, context, library, qtbot):
    add_meeting(screen, page, library, qtbot)
    assert titles(page) == ["Hale meets Clara"]
    quotes = page.events.quotes
    quotes.setFocus()
    qtbot.keyClick(quotes, Qt.Key.Key_Menu)
    popup = screen.corrections.popup
    words = [action.text() for action in popup.actions() if not action.isSeparator()]
    assert words == [
        "Open “Clara”", "Correct…", "Change kind", "Add another event…", "Remove event",
    ]  # fmt: skip
    [kinds] = [action.menu() for action in popup.actions() if action.text() == "Change kind"]
    assert "meets" not in [action.text() for action in kinds.actions()]
    press(kinds, "helps")
    qtbot.waitUntil(lambda: titles(page) == ["Hale helps Clara"])
    assert context.messages.last.text == "Event changed"


def test_who_takes_part_is_corrected_with_a_name_from_another_sentence(
    screen, page, context, library, qtbot
):
    add_meeting(screen, page, library, qtbot)
    quotes = page.events.quotes
    quotes.setFocus()
    qtbot.keyClick(quotes, Qt.Key.Key_Menu)
    press(screen.corrections.popup, "Correct…")
    dialog = wait_for_dialog(screen, qtbot)
    assert dialog.kind.currentData() == "meets"
    assert [(p.name, p.role.currentData()) for p in dialog.people] == [
        ("Hale", ACTOR), ("Clara", PATIENT), ("Tobias", ""),
    ]  # fmt: skip
    assert dialog.found.isHidden()
    qtbot.keyClicks(dialog.search, "Petr")
    qtbot.waitUntil(lambda: dialog.found.count() == 1)
    qtbot.keyClick(dialog.search, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.found, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [person.name for person in dialog.people][-1] == "Petrel")
    assert dialog.isVisible() and dialog.found.isHidden() and dialog.search.text() == ""
    set_role(dialog, "Petrel", PLACE)
    set_role(dialog, "Clara", "")
    set_role(dialog, "Tobias", PATIENT)
    dialog.save_button.click()
    qtbot.waitUntil(lambda: titles(page) == ["Hale meets Tobias"])
    [quote] = [q for q in quotes.quotes if q.title == "Hale meets Tobias"]
    assert quote.detail == "place: Petrel" and quote.mark
    assert LibraryReader(library.reader()).list_events(id_of(library, "Clara")) == []
    context.messages.last.action()
    qtbot.waitUntil(lambda: titles(page) == ["Hale meets Clara"])


def test_a_name_of_the_list_is_not_found_again(screen, page, library, qtbot):
    add_meeting(screen, page, library, qtbot)
    [event] = LibraryReader(library.reader()).list_events(id_of(library, "Hale"))
    screen.corrections.menu.change_event(event)
    dialog = wait_for_dialog(screen, qtbot)
    dialog.search.setFocus()
    dialog.search.setText("Clara")
    qtbot.waitUntil(lambda: dialog.found.hint != "")
    assert dialog.found.count() == 0
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)  # finds nothing, and saves nothing
    dialog.search.setText("Mar")
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.found.count() == 1)
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert [person.name for person in dialog.people] == ["Hale", "Clara", "Tobias", "Marsh"]
    assert dialog.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: screen.corrections.menu.sheet is None)
    assert titles(page) == ["Hale meets Clara"]
