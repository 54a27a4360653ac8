"""The events on an entity's page: in order, filtered by kind, opened and removed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.model import EventPart, EventRow
from desktop_app.ui.entity.event_list import quote_events
from desktop_app.ui.entity.page import CONNECTIONS, EVENTS
from desktop_app.ui.entity.quotes import CLAIM, GROUP
from desktop_app.ui.widgets.event_words import format_event

ADA, QUILL, PLACE = (
    EventPart(1, "Ada Merrow", "actor"),
    EventPart(2, "Tobias Quill", "patient", "Quill"),
    EventPart(3, "Harrowgate", "place"),
)


def make_event(number: int, kind: str, heading: str, parts: tuple[EventPart, ...]) -> EventRow:
    sentence = "Ada Merrow met Tobias Quill in Harrowgate."
    return EventRow(
        number, kind, 1, "The Clock", 100 * number, 100 * number + 42, sentence,
        100 * number + 11, 100 * number + 14, str(number), heading, parts,
    )  # fmt: skip


EVENTS_OF_ADA = [
    make_event(1, "meets", "Chapter I", (ADA, QUILL, PLACE)),
    make_event(2, "meets", "Chapter II", (ADA,)),
    make_event(3, "dies", "Chapter II", (ADA,)),
]


@pytest.fixture
def page(context, screen, show):
    context.library_reader.events = EVENTS_OF_ADA
    show(1)
    screen.page.tabs.setCurrentIndex(EVENTS)
    return screen.page


def test_an_event_says_who_does_what_to_whom():
    assert format_event(EVENTS_OF_ADA[0]) == "Ada Merrow meets Tobias Quill"
    assert format_event(EVENTS_OF_ADA[1]) == "Ada Merrow meets someone"
    killed = make_event(4, "kills", "", (QUILL,))
    assert format_event(killed) == "Tobias Quill is killed"
    assert format_event(make_event(5, "unknown kind", "", (QUILL,))) == "unknown kind"


def test_events_are_grouped_by_chapter_with_their_page_and_place():
    rows = quote_events(EVENTS_OF_ADA)
    assert [row.kind for row in rows] == [GROUP, CLAIM, GROUP, CLAIM, CLAIM]
    first = rows[1]
    assert rows[0].detail == "Chapter I" and first.count == "p. 1"
    assert first.detail == "place: Harrowgate" and first.place == (1, 111, 114)
    marked = {first.text[start:end] for start, end in first.marks}
    assert first.text == "Ada Merrow met Tobias Quill in Harrowgate."
    assert marked == {"Ada Merrow", "Tobias Quill", "Harrowgate"}


def test_the_tab_lists_the_events_and_opens_their_sentence(qtbot, screen, page):
    assert page.tabs.isTabVisible(EVENTS) and page.tabs.tabText(EVENTS).endswith("3")
    assert page.events.isVisible() and not page.relations.isVisible()
    quotes = page.events.quotes
    with qtbot.waitSignal(screen.open_passage) as opened:
        point = quotes.row_rect(1).center()
        qtbot.mouseClick(quotes, Qt.MouseButton.LeftButton, pos=point)
    assert opened.args == [1, 111, 114]


def test_one_kind_can_be_chosen_and_stays_chosen_while_it_occurs(page):
    kinds = page.events.kinds
    assert [kinds.itemText(i) for i in range(kinds.count())] == [
        "All kinds (3)", "dies (1)", "meets (2)",
    ]  # fmt: skip
    kinds.setCurrentIndex(1)
    assert [q.title for q in page.events.quotes.quotes if q.kind == CLAIM] == ["Ada Merrow dies"]
    page.set_events(EVENTS_OF_ADA[1:])
    assert kinds.currentText() == "dies (1)"
    page.set_events(EVENTS_OF_ADA[:2])
    assert len([q for q in page.events.quotes.quotes if q.kind == CLAIM]) == 2


def test_the_menu_opens_another_participant_and_removes_the_event(qtbot, context, screen, page):
    removed: list[int] = []

    def remove_event(event_id: int) -> ChangeNotice:
        removed.append(event_id)
        return ChangeNotice(entities=frozenset((1,)))

    context.editing.remove_event = remove_event
    quotes = page.events.quotes
    quotes.menu_wanted.emit(1, quotes.mapToGlobal(QPoint(20, 20)))
    actions = screen.corrections.popup.actions()
    assert [a.text() for a in actions if a.text()] == [
        "Open “Tobias Quill”", "Open “Harrowgate”", "Correct…", "Change kind",
        "Add another event…", "Remove event",
    ]  # fmt: skip
    screen.corrections.popup.hide()
    context.library_reader.events = EVENTS_OF_ADA[1:]
    actions[-1].trigger()
    qtbot.waitUntil(lambda: page.tabs.tabText(EVENTS).endswith("2"))
    assert removed == [1]
    actions = screen.corrections.popup.actions()
    with qtbot.waitSignal(page.name_clicked) as opened:
        actions[0].trigger()
    assert opened.args == [2]


def test_without_events_the_tab_is_hidden_and_another_one_shown(page):
    page.set_events(())
    assert not page.tabs.isTabVisible(EVENTS) and page.tabs.currentIndex() == CONNECTIONS
    assert not page.events.isVisible() and page.relations.isVisible()
