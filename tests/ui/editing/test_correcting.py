"""Corrections through the screen of names, with a real library, real lanes and real services."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QMenu

from desktop_app.engine.services.editing import Editing
from desktop_app.engine.services.exploring import Exploring
from desktop_app.engine.services.library import Library
from desktop_app.ui.editing.history_sheet import HistorySheet
from desktop_app.ui.editing.merge_sheet import MergeSheet
from desktop_app.ui.editing.name_sheet import NameSheet, TextSheet
from desktop_app.ui.editing.pick_sheet import PickSheet
from desktop_app.ui.editing.relation_sheet import RelationSheet
from desktop_app.ui.editing.split_sheet import SplitSheet
from desktop_app.ui.entity.screen import EntityScreen
from tests.books import add_book
from tests.ui.fakes import FakeContext


@pytest.fixture
def library(tmp_path):
    made = Library(tmp_path / "small.inkgraph")
    add_book(made)
    yield made
    made.close()


@pytest.fixture
def screen(context: FakeContext, library, qtbot):
    context.exploring = Exploring(library.reader())
    context.editing = Editing(library.writer)
    made = EntityScreen(context)
    qtbot.addWidget(made)
    made.resize(1100, 760)
    made.show()
    made.show_entity(id_of(library, "Hale"))
    qtbot.waitUntil(lambda: made.correcting._card is not None)
    qtbot.waitUntil(lambda: made.names.model.n_all == 5)
    return made


def id_of(library, name: str) -> int:
    return library.writer.value("SELECT id FROM entity WHERE name = ?", (name,))


def shown(library) -> set[str]:
    return {r[0] for r in library.writer.rows("SELECT name FROM entity")}


def open_sheet(screen, qtbot, kind):
    menu = screen.correcting.menu
    qtbot.waitUntil(lambda: isinstance(menu.sheet, kind))
    return menu.sheet


def words(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def choose(screen, *names: str) -> None:
    model, selection = screen.names.model, screen.names.list.selectionModel()
    selection.clearSelection()
    for row in range(model.rowCount()):
        if model.index(row).data() in names:
            flag = QItemSelectionModel.SelectionFlag.Select
            selection.select(model.index(row), flag)


def test_the_menu_of_one_name_offers_every_correction(screen):
    offered = words(screen.page.head.actions_menu)
    for wanted in ("Rename…", "Describe…", "Merge with…", "Split…", "Delete", "Change type"):
        assert wanted in offered
    assert "History of changes…" in offered


def test_renaming_shows_the_new_name_and_the_message_leads_back(screen, context, library, qtbot):
    qtbot.keyClick(screen, Qt.Key.Key_F2)
    sheet = open_sheet(screen, qtbot, NameSheet)
    sheet.name.setText("Augustus Hale")
    sheet.save_button.click()
    qtbot.waitUntil(lambda: screen.page.head.name.text() == "Augustus Hale")
    assert context.messages.last.text == "Renamed to “Augustus Hale”"
    context.messages.last.action()
    qtbot.waitUntil(lambda: screen.page.head.name.text() == "Hale")


def test_a_name_that_is_taken_is_refused_in_words(screen, context, library, qtbot):
    screen.correcting.menu.rename(screen.correcting._card.row)
    sheet = open_sheet(screen, qtbot, NameSheet)
    sheet.name.setText("Clara")
    sheet.save_button.click()
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert "merge" in context.messages.last.text and "Hale" in shown(library)


def test_several_names_are_merged_after_a_preview(screen, library, qtbot):
    choose(screen, "Hale", "Marsh", "Clara")
    assert not screen.names.several.isHidden()
    assert "Merge 3 names…" in words(screen.names.several_menu)
    screen.correcting._merge()
    sheet = open_sheet(screen, qtbot, MergeSheet)
    assert sheet.preview.loops
    sheet.name.setEditText("The captain")
    sheet.merge_button.click()
    qtbot.waitUntil(lambda: shown(library) == {"Tobias", "The captain", "Petrel"})
    qtbot.waitUntil(lambda: screen.names.model.n_all == 3)


def test_one_name_is_merged_with_another_that_is_looked_for(screen, library, qtbot):
    qtbot.keyClick(screen, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    pick = open_sheet(screen, qtbot, PickSheet)
    pick.search.setText("Mar")
    qtbot.waitUntil(lambda: pick.list.count() == 1)
    pick.list.item(0).setCheckState(Qt.CheckState.Checked)
    pick.next_button.click()
    sheet = open_sheet(screen, qtbot, MergeSheet)
    sheet.never_button.click()
    qtbot.waitUntil(lambda: library.writer.rows("SELECT * FROM never_merged") != [])
    assert {"Hale", "Marsh"} <= shown(library)


def test_a_description_is_written_and_let_go(screen, library, qtbot):
    menu = screen.correcting.menu
    menu.describe(screen.correcting._card.row)
    sheet = open_sheet(screen, qtbot, TextSheet)
    assert sheet.back_button.isHidden()
    sheet.text.setPlainText("A captain.")
    sheet.save_button.click()
    qtbot.waitUntil(lambda: screen.page.description.text() == "A captain.")
    menu.describe(screen.correcting._card.row)
    qtbot.waitUntil(lambda: isinstance(menu.sheet, TextSheet) and menu.sheet is not sheet)
    menu.sheet.back_button.click()
    qtbot.waitUntil(lambda: screen.page.description.text() != "A captain.")


def test_mentions_are_ticked_and_split_off(screen, library, qtbot):
    screen.correcting.menu.split(screen.correcting._card.row)
    sheet = open_sheet(screen, qtbot, SplitSheet)
    assert not sheet.split_button.isEnabled()
    leaves = list(sheet._leaves())
    leaves[0].setCheckState(0, Qt.CheckState.Checked)
    assert sheet.ticked() and sheet.split_button.isEnabled()
    sheet.name.setText("Hale the mate")
    sheet.split_button.click()
    qtbot.waitUntil(lambda: {"Hale", "Hale the mate"} <= shown(library))


def test_a_connection_is_made_edited_and_deleted(screen, library, qtbot):
    menu = screen.correcting.menu
    menu.relate(screen.correcting._card.row)
    sheet = open_sheet(screen, qtbot, RelationSheet)
    sheet.search.setText("Petrel")
    qtbot.waitUntil(lambda: sheet.save_button.isEnabled())
    sheet.kind.setEditText("work")
    sheet.description.setPlainText("He commanded her.")
    sheet.save_button.click()
    find = "SELECT kind, description FROM relation WHERE description <> ''"
    qtbot.waitUntil(lambda: library.writer.rows(find) == [("work", "He commanded her.")])
    relation = next(
        r for r in context_relations(library, "Hale") if r.description == "He commanded her."
    )
    menu.delete_relation(relation)
    qtbot.waitUntil(lambda: library.writer.rows(find) == [])


def context_relations(library, name):
    return Exploring(library.writer).fetch_relations(id_of(library, name))


def test_the_history_lists_edits_and_jumps(screen, library, qtbot):
    menu, editing = screen.correcting.menu, screen._context.editing
    before = shown(library)
    menu.delete([screen.correcting._card.row], forever=True)
    qtbot.waitUntil(lambda: "Hale" not in shown(library))
    screen._context.editing.rename(id_of(library, "Clara"), "Clara Wren")
    menu.show_history()
    sheet = open_sheet(screen, qtbot, HistorySheet)
    qtbot.waitUntil(lambda: sheet.list.count() == 3)
    assert "Rename" in sheet.list.item(0).text()
    sheet.list.setCurrentRow(2)
    sheet.jump_button.click()
    qtbot.waitUntil(lambda: shown(library) == before)
    qtbot.waitUntil(lambda: "○" in sheet.list.item(0).text())
    assert editing is screen._context.editing
    sheet.accept()


def test_every_sheet_fits_long_and_chinese_names(context, library, qtbot):
    editing = Editing(library.writer)
    editing.rename(id_of(library, "Hale"), "花和尚鲁智深" * 12)
    exploring = Exploring(library.writer)
    ids = [r[0] for r in library.writer.rows("SELECT id FROM entity")]
    sheet = MergeSheet(context.theme, exploring.preview_merge(ids))
    qtbot.addWidget(sheet)
    sheet.show()
    assert sheet.width() <= 700
