"""The filter by values: type, language, author, tag, reading and enrichment."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.engine.model import DocumentRow
from desktop_app.engine.store.enrichment import DocumentEnrichment
from desktop_app.ui.library.screen import LibraryScreen
from desktop_app.ui.library.table_model import PUBLISHED
from desktop_app.workers.operations import Query

ROWS = [
    DocumentRow(1, "Emma", "emma.epub", "epub", "en", "ready", author="Jane Austen"),
    DocumentRow(2, "Persuasion", "p.txt", "txt", "en", "ready", author="Jane Austen"),
    DocumentRow(3, "水浒传", "s.epub", "epub", "zh", "ready", author="施耐庵", tags=("novel",)),
    DocumentRow(4, "Notes", "n.pdf", "pdf", "en", "ready", author="A. Voss; B. Reed"),
]


@pytest.fixture
def filled(screen: LibraryScreen, context, qtbot) -> LibraryScreen:
    qtbot.waitUntil(lambda: not screen.is_loading and not screen.enrichment.is_loading)
    ended: list[bool] = []  # the shares that the screen asked for must not come after those below
    Query(context.reader_lane, lambda: True, owner=screen).on_success(ended.append).run()
    qtbot.waitUntil(lambda: bool(ended))
    screen.model.set_read_shares({1: 0.4, 2: 1.0})
    screen.model.set_enrichment({3: DocumentEnrichment(3, n_chunks=4, n_enriched=2)})
    screen.model.set_rows(ROWS)
    screen.collections.set_documents(ROWS)
    screen.show_page()
    return screen


def entries(screen: LibraryScreen) -> dict[str, object]:
    """Return the entries of the filter's menu by their words, those of its menus too."""
    menu = screen.build_filter_menu()
    screen.kept_menu = menu  # its entries live as long as it does
    found = {}
    for action in menu.actions():
        found[action.text()] = action
        if action.menu() is not None:
            found |= {sub.text(): sub for sub in action.menu().actions()}
    return found


def choose(screen: LibraryScreen, words: str) -> None:
    entries(screen)[words].trigger()


def shown(screen: LibraryScreen) -> set[int]:
    return {screen.model.shown_row(i).id for i in range(screen.model.rowCount())}


def test_the_menu_lists_values_with_counts(filled):
    words = [w for w, a in entries(filled).items() if a.isCheckable()]
    assert words[:5] == ["EPUB  (2)", "Text  (1)", "PDF  (1)", "English  (3)", "Chinese  (1)"]
    assert set(words[5:]) == {
        *("Not read yet  (2)", "Being read  (1)", "Finished  (1)"),
        *("Enriched  (1)", "Not enriched  (3)"),
        *("Jane Austen  (2)", "施耐庵  (1)", "A. Voss  (1)", "B. Reed  (1)", "novel  (1)"),
    }


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("EPUB  (2)", {1, 3}),
        ("Chinese  (1)", {3}),
        ("Jane Austen  (2)", {1, 2}),
        ("B. Reed  (1)", {4}),
        ("Not read yet  (2)", {3, 4}),
        ("Being read  (1)", {1}),
        ("Enriched  (1)", {3}),
        ("Not enriched  (3)", {1, 2, 4}),
        ("novel  (1)", {3}),
    ],
)
def test_a_value_narrows_the_list_and_one_entry_clears_it(filled, words, ids):
    assert filled.values_button.accessibleName() == "Filter"
    choose(filled, words)
    assert shown(filled) == ids
    assert filled.list.cards.model().rowCount() == len(ids)
    assert filled.values_button.text() == "Filter (1)"
    assert entries(filled)[words].isChecked()
    choose(filled, "Clear filter")
    assert shown(filled) == {1, 2, 3, 4} and filled.values_button.text() == "Filter"
    assert not entries(filled)["Clear filter"].isEnabled()


def test_works_are_sorted_by_journal_and_volume_and_narrowed_by_it(filled):
    works = [
        replace(ROWS[0], container="Journal of Clocks", volume="12", item_key="KEY5"),
        replace(ROWS[1], container="Journal of Clocks", volume="9"),
        *ROWS[2:],
    ]
    filled.model.set_rows(works)
    filled.model.sort(PUBLISHED)
    order = [filled.model.shown_row(i).id for i in range(filled.model.rowCount())]
    assert order[:2] == [2, 1]  # volume 9 before volume 12; works of no journal come last
    choose(filled, "Journal of Clocks  (2)")
    assert shown(filled) == {1, 2}
    filled.model.set_filter("key5")
    assert shown(filled) == {1}


def test_values_of_one_kind_widen_and_kinds_narrow(filled):
    choose(filled, "EPUB  (2)")
    choose(filled, "PDF  (1)")
    assert shown(filled) == {1, 3, 4}
    choose(filled, "English  (2)")  # of these three
    assert shown(filled) == {1, 4} and filled.values_button.text() == "Filter (3)"
    filled.filter.setText("emma")
    filled.texts.set_text("emma")
    assert shown(filled) == {1}


def test_a_tag_of_the_filter_is_the_place_of_the_list(filled):
    choose(filled, "novel  (1)")
    assert filled.collections.places.current.words == "novel"
    filled.collections.places.choose("all")
    assert shown(filled) == {1, 2, 3, 4} and filled.values_button.text() == "Filter"


def test_what_changes_leaves_the_list_and_nothing_left_is_said_with_a_way_back(filled):
    choose(filled, "Being read  (1)")
    filled._show_read_shares({})
    assert shown(filled) == set() and filled.stack.currentWidget() is filled.nothing_found
    filled._clear_filters()
    assert filled.stack.currentWidget() is filled.list and len(shown(filled)) == 4


def test_a_document_that_is_shown_from_elsewhere_clears_the_filter(filled):
    choose(filled, "PDF  (1)")
    filled.show_documents([1])
    assert filled.list.current_row().id == 1


def test_only_the_most_frequent_authors_are_listed(filled):
    rows = [replace(ROWS[1], id=10 + i, author=f"Writer {i:02}") for i in range(30)]
    filled.model.set_rows([*ROWS, *rows])
    authors = filled.values.count_values("author")
    assert len(authors) == 12 and authors["Jane Austen"] == 2


def test_the_button_keeps_its_width_and_is_an_icon_in_a_narrow_window(filled):
    before = filled.values_button.width()
    choose(filled, "PDF  (1)")
    assert filled.values_button.width() == before
    filled.toolbar.fit(700, True)
    assert filled.values_button.text() == "" and filled.values_button.isVisible()
    assert filled.values_button.accessibleName() == "Filter (1)"
    assert filled.values_button.width() < before
