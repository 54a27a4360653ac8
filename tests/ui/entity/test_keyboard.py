"""The entity screen by keyboard: every action is reached by Tab or a shortcut."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.ui.entity.screen import EntityScreen
from tests.books import BOOK, add_book, id_of
from tests.ui.fakes import FakeContext
from tests.ui.tab_order import walk_by_tab


@pytest.fixture
def library(library: Library) -> Library:
    add_book(library, (*BOOK, "Hale, the keeper of the light, was seldom at home. "))
    return library


@pytest.fixture
def screen(context: FakeContext, library, qtbot) -> EntityScreen:
    context.library_reader = LibraryReader(library.reader())
    context.editing = EditingService(library.writer)
    made = EntityScreen(context)
    qtbot.addWidget(made)
    made.resize(1100, 760)
    made.show()
    made.activateWindow()
    made.show_entity(id_of(library, "Hale"))
    qtbot.waitUntil(lambda: made.loader.card is not None)
    qtbot.waitUntil(lambda: made.names.model.n_all == 5 and bool(made.page.relations.quotes))
    return made


def words(menu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_tab_reaches_every_part_in_visual_order(screen, qtbot):
    names, page = screen.names, screen.page
    stops = walk_by_tab(screen, names.sort_button, qtbot)
    wanted = [names.sort_button, names.search, names.list, *page.head.buttons]
    wanted += [page.sources, page.spread, page.tabs, page.relations]
    places = [stops.index(widget) for widget in wanted]
    assert places == sorted(places)
    assert page.head.chip in stops


def test_the_type_is_changed_from_its_chip_by_return(screen, qtbot):
    popup = screen.corrections.popup
    qtbot.keyClick(screen.page.head.chip, Qt.Key.Key_Return)
    qtbot.waitUntil(popup.isVisible)
    assert words(popup)[0] == "Person"
    popup.close()


def test_the_menu_key_offers_the_corrections_of_the_current_name(screen, qtbot):
    popup = screen.corrections.popup
    qtbot.keyClick(screen.names.list, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(popup.isVisible)
    assert "Rename…" in words(popup)
    assert [row.name for row in screen.names.selected_rows()] == ["Hale"]
    popup.close()


def test_a_connection_with_one_passage_has_a_menu(screen, qtbot):
    quotes, popup = screen.page.relations, screen.corrections.popup
    row = next(i for i, quote in enumerate(quotes.quotes) if quote.relation_id is None)
    quotes.setFocus()
    for _ in range(row):
        qtbot.keyClick(quotes, Qt.Key.Key_Down)
    qtbot.keyClick(quotes, Qt.Key.Key_Menu)
    qtbot.waitUntil(popup.isVisible)
    assert words(popup) == ["Edit…", "Delete"]
    popup.close()


def test_arrow_down_moves_from_the_search_to_the_names_and_return_opens_one(screen, qtbot):
    names = screen.names
    names.search.setFocus()
    qtbot.keyClicks(names.search, "Cla")
    qtbot.keyClick(names.search, Qt.Key.Key_Down)
    assert names.list.hasFocus() and names.list.currentIndex().data() == "Clara"
    with qtbot.waitSignal(names.picked):
        qtbot.keyClick(names.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: screen.page.head.name.text() == "Clara")
