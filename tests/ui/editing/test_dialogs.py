"""Corrections from the entity screen, with a real library, services and lanes."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QMenu

from desktop_app.engine.model import MentionRow
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store.db import Db
from desktop_app.engine.text.shown_text import show_text
from desktop_app.ui.editing.compare_dialog import CompareEntitiesDialog
from desktop_app.ui.editing.dialogs import (
    SENTENCE_LINES,
    HistoryDialog,
    MentionDelegate,
    NameDialog,
    RelationDialog,
    SplitDialog,
    TextDialog,
    iter_leaves,
)
from desktop_app.ui.editing.merge_dialog import MergeDialog
from desktop_app.ui.editing.pick_dialog import PickEntityDialog
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.words import format_statement
from tests.books import id_of, shown


def open_sheet(screen, qtbot, kind):
    menu = screen.corrections.menu
    qtbot.waitUntil(lambda: isinstance(menu.sheet, kind))
    return menu.sheet


def words(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def press(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text() == text).trigger()


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


def test_a_name_is_edited_in_place_and_the_message_undoes_it(screen, context, qtbot):
    head = screen.page.head
    qtbot.keyClick(screen, Qt.Key.Key_F2)
    assert not head.name_edit.isHidden() and head.name_edit.selectedText() == "Hale"
    head.name_edit.setText("Augustus Hale")
    qtbot.keyClick(head.name_edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: head.name.text() == "Augustus Hale")
    assert head.name_edit.isHidden()
    assert context.messages.last.text == "Renamed to “Augustus Hale”"
    context.messages.last.action()
    qtbot.waitUntil(lambda: head.name.text() == "Hale")


def test_escape_keeps_the_old_name(screen, library, qtbot):
    head = screen.page.head
    qtbot.mouseDClick(head.name, Qt.MouseButton.LeftButton)
    head.name_edit.setText("Nobody")
    qtbot.keyClick(head.name_edit, Qt.Key.Key_Escape)
    assert head.name_edit.isHidden() and not head.name.isHidden()
    assert "Nobody" not in shown(library) and head.name.text() == "Hale"


def test_the_type_is_changed_from_its_chip(screen, library, qtbot):
    popup = screen.corrections.popup
    qtbot.mouseClick(screen.page.head.chip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Place" in words(popup))
    next(action for action in popup.actions() if action.text() == "Place").trigger()
    popup.close()
    find = "SELECT type FROM entity WHERE name = 'Hale'"
    qtbot.waitUntil(lambda: library.writer.value(find) == "place")


def test_a_taken_name_is_refused_and_the_dialog_stays(screen, context, library, qtbot):
    screen.corrections.menu.rename(screen.loader.card.row)
    sheet = open_sheet(screen, qtbot, NameDialog)
    sheet.name.setText("Clara")
    sheet.save_button.click()
    qtbot.waitUntil(sheet.problem.isVisible)
    assert "merge" in sheet.problem.text() and "Hale" in shown(library)
    assert sheet.name.text() == "Clara" and sheet.show_button.isVisible()
    assert context.messages.last is None
    sheet.name.setText("Hale of Marsh End")
    assert sheet.problem.isHidden() and sheet.show_button.isHidden()
    sheet.save_button.click()
    qtbot.waitUntil(lambda: "Hale of Marsh End" in shown(library))
    qtbot.waitUntil(lambda: screen.corrections.menu.sheet is None)


def test_a_new_name_that_exists_is_kept_and_the_other_one_is_shown(screen, library, qtbot):
    menu = screen.corrections.menu
    menu.create()
    sheet = open_sheet(screen, qtbot, NameDialog)
    sheet.name.setText("Clara")
    sheet.description.setPlainText("She keeps the inn.")
    sheet.save_button.click()
    qtbot.waitUntil(sheet.show_button.isVisible)
    assert sheet.problem.text().startswith("“Clara” is already in the graph.")
    assert sheet.values == ("Clara", "person", "She keeps the inn.")
    sheet.show_button.click()
    clara = id_of(library, "Clara")
    qtbot.waitUntil(lambda: screen.loader.card.row.id == clara)
    menu.create()
    again = open_sheet(screen, qtbot, NameDialog)
    assert again is not sheet and again.values == ("Clara", "person", "She keeps the inn.")
    again.name.setText("Clara of the inn")
    again.save_button.click()
    qtbot.waitUntil(lambda: "Clara of the inn" in shown(library))
    qtbot.waitUntil(lambda: menu.sheet is None)
    menu.create()
    assert open_sheet(screen, qtbot, NameDialog).values == ("", "person", "")


def test_a_name_that_is_too_long_is_refused_and_not_cut(screen, context, library, qtbot):
    long = "Hale " * 50
    screen.corrections.menu.rename(screen.loader.card.row)
    sheet = open_sheet(screen, qtbot, NameDialog)
    sheet.name.setText(long)
    assert sheet.name.text() == long and not sheet.save_button.isEnabled()
    assert sheet.problem.text() == (
        "This name has 249 characters, and at most 200 are possible. Use a shorter one."
    )
    sheet.name.setText(long[:200])
    assert sheet.problem.isHidden() and sheet.save_button.isEnabled()
    sheet.reject()
    head = screen.page.head
    qtbot.keyClick(screen, Qt.Key.Key_F2)
    head.name_edit.setText(long)
    qtbot.keyClick(head.name_edit, Qt.Key.Key_Return)
    assert head.name_edit.isVisible() and head.name_edit.text() == long
    assert "at most 200" in context.messages.last.text and "Hale" in shown(library)


def test_a_taken_name_that_was_typed_in_place_is_asked_for_again(screen, library, qtbot):
    head = screen.page.head
    qtbot.keyClick(screen, Qt.Key.Key_F2)
    head.name_edit.setText("Clara")
    qtbot.keyClick(head.name_edit, Qt.Key.Key_Return)
    sheet = open_sheet(screen, qtbot, NameDialog)
    assert sheet.name.text() == "Clara" and "already in the graph" in sheet.problem.text()


def test_several_names_are_merged_after_a_preview(screen, library, qtbot):
    choose(screen, "Hale", "Marsh", "Clara")
    assert not screen.names.several.isHidden()
    assert "Merge 3 names…" in words(screen.names.several_menu)
    press(screen.names.several_menu, "Merge 3 names…")
    sheet = open_sheet(screen, qtbot, MergeDialog)
    assert sheet.preview.loops
    sheet.name.setEditText("The captain")
    sheet.merge_button.click()
    qtbot.waitUntil(lambda: shown(library) == {"Tobias", "The captain", "Petrel"})
    qtbot.waitUntil(lambda: screen.names.model.n_all == 3)


def test_one_name_is_merged_with_another_found_by_search(screen, library, qtbot):
    qtbot.keyClick(screen, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    pick = open_sheet(screen, qtbot, PickEntityDialog)
    pick.search.setText("Mar")
    qtbot.waitUntil(lambda: pick.list.count() == 1)
    pick.list.item(0).setCheckState(Qt.CheckState.Checked)
    pick.next_button.click()
    sheet = open_sheet(screen, qtbot, MergeDialog)
    sheet.never_button.click()
    qtbot.waitUntil(lambda: library.writer.rows("SELECT * FROM never_merged") != [])
    assert {"Hale", "Marsh"} <= shown(library)


def test_a_description_is_written_and_restored(screen, library, qtbot):
    menu = screen.corrections.menu
    menu.describe(screen.loader.card.row)
    sheet = open_sheet(screen, qtbot, TextDialog)
    assert sheet.restore_button.isHidden()
    sheet.text.setPlainText("A captain.")
    sheet.save_button.click()
    qtbot.waitUntil(lambda: screen.page.description.text() == "A captain.")
    menu.describe(screen.loader.card.row)
    qtbot.waitUntil(lambda: isinstance(menu.sheet, TextDialog) and menu.sheet is not sheet)
    menu.sheet.restore_button.click()
    qtbot.waitUntil(lambda: screen.page.description.text() != "A captain.")


def test_a_name_without_a_description_gets_a_sentence_that_describes_it_as_a_proposal(
    screen, library, qtbot, monkeypatch
):
    menu = screen.corrections.menu
    card = screen.loader.card
    assert card.description == ""
    menu.describe(card.row)
    sheet = open_sheet(screen, qtbot, TextDialog)
    assert sheet.text.toPlainText() == "", "no sentence of the text says who this is"
    assert "proposed" not in sheet.hint.text()
    sheet.reject()
    proposal = "Hale was a pilot, and seldom at home."
    reader = menu._context.library_reader
    monkeypatch.setattr(reader, "propose_description", lambda entity_id: proposal, raising=False)
    menu.describe(card.row)
    qtbot.waitUntil(lambda: isinstance(menu.sheet, TextDialog) and menu.sheet is not sheet)
    sheet = menu.sheet
    assert sheet.text.toPlainText() == proposal and "proposed" in sheet.hint.text()
    assert sheet.text.textCursor().selectedText() == proposal  # typing replaces it
    sheet.reject()
    menu.describe(card.row)
    qtbot.waitUntil(lambda: isinstance(menu.sheet, TextDialog) and menu.sheet is not sheet)
    again = menu.sheet
    assert not hasattr(again, "discard_button"), "nothing was typed"
    again.save_button.click()
    qtbot.waitUntil(lambda: screen.page.description.text() == proposal)


def test_an_empty_description_brings_back_the_automatic_one(screen, library, qtbot):
    menu, row = screen.corrections.menu, screen.loader.card.row
    edits = []
    menu.edits.done.connect(edits.append)
    menu.describe(row)
    sheet = open_sheet(screen, qtbot, TextDialog)
    sheet.text.setPlainText("  ")
    sheet.save_button.click()
    menu.edits.run(menu._context.editing.describe, row.id, "A captain.")
    qtbot.waitUntil(lambda: screen.page.description.text() == "A captain.")
    assert len(edits) == 1, "an empty field that was automatic before is no edit"
    menu.describe(row)
    qtbot.waitUntil(lambda: isinstance(menu.sheet, TextDialog) and menu.sheet is not sheet)
    sheet = menu.sheet
    assert "empty field brings back" in sheet.hint.text()
    sheet.text.clear()
    sheet.save_button.click()
    qtbot.waitUntil(lambda: len(edits) == 2)
    assert not menu._context.library_reader.get_entity(row.id).edited


def test_what_was_not_changed_in_a_description_is_no_edit(screen, library, qtbot):
    menu, row = screen.corrections.menu, screen.loader.card.row
    menu.edits.run(menu._context.editing.describe, row.id, "A captain.")
    qtbot.waitUntil(lambda: screen.page.description.text() == "A captain.")
    menu.describe(row)
    sheet = open_sheet(screen, qtbot, TextDialog)
    assert sheet.text.textCursor().atEnd()
    with qtbot.assertNotEmitted(sheet.given):
        sheet.save_button.click()


def test_ticked_mentions_are_split_off(screen, library, qtbot):
    screen.corrections.menu.split(screen.loader.card.row)
    sheet = open_sheet(screen, qtbot, SplitDialog)
    assert not sheet.split_button.isEnabled()
    leaves = list(iter_leaves(sheet.tree.invisibleRootItem()))
    leaves[0].setCheckState(0, Qt.CheckState.Checked)
    assert sheet.ticked() and sheet.split_button.isEnabled()
    sheet.name.setText("Hale the mate")
    sheet.split_button.click()
    qtbot.waitUntil(lambda: {"Hale", "Hale the mate"} <= shown(library))


def test_chapters_of_the_split_sheet_leave_out_the_title_of_their_document(screen, qtbot):
    row = screen.loader.card.row
    mentions = [
        (n, MentionRow(1, "The Tide", 1, "Hale", 0, 4, "Hale saw it.", 0, heading=heading))
        for n, heading in enumerate(("The Tide › I. The Pier", "II. The Ferry", "The Tide"))
    ]
    sheet = SplitDialog(screen._context.theme, row, mentions, screen)
    [document] = [sheet.tree.topLevelItem(i) for i in range(sheet.tree.topLevelItemCount())]
    chapters = [document.child(i).text(0) for i in range(document.childCount())]
    assert chapters == ["I. The Pier  (1)", "II. The Ferry  (1)", "The Tide  (1)"]
    sheet.close()


def test_the_filter_of_the_split_sheet_leaves_no_heading_without_a_mention(screen, qtbot):
    mentions = [
        (n, MentionRow(1, "The Tide", 1, "Hale", 0, 4, text, 0, heading=heading))
        for n, (text, heading) in enumerate(
            (("Hale saw it.", "I. The Pier"), ("Hale rowed.", "II. The Ferry"))
        )
    ]
    sheet = SplitDialog(screen._context.theme, screen.loader.card.row, mentions, screen)
    document = sheet.tree.topLevelItem(0)
    chapters = [document.child(i) for i in range(2)]
    for text, hidden in (("rowed", [True, False]), ("", [False, False]), ("nobody", [True, True])):
        sheet.search.searched.emit(text)
        assert [chapter.isHidden() for chapter in chapters] == hidden
    assert document.isHidden() and sheet.found.currentIndex() == 1
    assert sheet.found.words.text() == "No mention has this text."
    sheet.close()


def test_a_row_of_the_split_sheet_marks_the_mention_in_whole_words(qapp):
    delegate = MentionDelegate(Theme(), None)
    text = "Long words " * 40 + "Tobias " + "and others " * 40
    start = text.index("Tobias")
    layout = delegate.lay(show_text(text), [(start, start + 6)], 400)
    assert layout.lineCount() == SENTENCE_LINES
    (mark,) = layout.formats()
    assert layout.text()[mark.start : mark.start + mark.length] == "Tobias"
    assert set(layout.text().split()) <= {"…", "Long", "words", "Tobias", "and", "others"}


def test_a_connection_is_created_and_deleted(screen, library, qtbot):
    menu = screen.corrections.menu
    menu.relate(screen.loader.card.row)
    sheet = open_sheet(screen, qtbot, RelationDialog)
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


def test_a_new_connection_is_offered_names_that_are_not_connected_yet(screen, library, qtbot):
    screen.corrections.menu.relate(screen.loader.card.row)
    sheet = open_sheet(screen, qtbot, RelationDialog)
    qtbot.waitUntil(lambda: sheet.found.count() > 0)

    def listed() -> list[str]:
        return [sheet.found.item(i).text().split()[0] for i in range(sheet.found.count())]

    assert listed() == ["Tobias", "Petrel"]
    sheet.found.setFocus()
    assert not sheet.save_button.isEnabled(), "the list has the focus, and no name is chosen"
    sheet.search.setText("xyz")
    qtbot.waitUntil(lambda: sheet.found.count() == 0)
    assert "“xyz”" in sheet.found.hint and "“Tobias” (person)" in sheet.found.hint
    assert sheet.found.accessibleDescription() == sheet.found.hint
    sheet.search.clear()
    qtbot.waitUntil(lambda: listed() == ["Tobias", "Petrel"])
    sheet.search.setText("Hal")
    qtbot.waitUntil(lambda: sheet.found.count() == 0)  # a name is not connected with itself
    sheet.search.setText("Cla")
    qtbot.waitUntil(lambda: listed() == ["Clara"])
    assert sheet.save_button.isEnabled()


def test_the_kinds_of_the_library_come_first(screen, library, qtbot):
    menu, row = screen.corrections.menu, screen.loader.card.row
    other = menu._context.library_reader.find_entities("Tobias")[0]
    menu._context.editing.relate(row.id, other.id, kind="shipmate", direction=None)
    menu.relate(row)
    sheet = open_sheet(screen, qtbot, RelationDialog)
    qtbot.waitUntil(lambda: sheet.kind.itemText(1) == "shipmate")
    assert "shipmate" in sheet.kind.lineEdit().placeholderText()
    assert sheet.kind.itemText(2) == "family"
    sheet.kind.setEditText("shipmate")
    assert sheet.chosen_kind() == "shipmate"


def test_the_list_of_names_is_never_blank(screen, library, qtbot):
    """What stands in an empty list is painted, and not only stored."""
    screen.corrections.menu.pick_to_merge(screen.loader.card.row)
    sheet = open_sheet(screen, qtbot, PickEntityDialog)
    sheet.search.setText("xyz")
    qtbot.waitUntil(lambda: "“xyz”" in sheet.list.hint)
    image = sheet.list.viewport().grab().toImage()
    ground = image.pixelColor(1, 1)
    row = [image.pixelColor(x, y) for y in range(10, 30) for x in range(12, 200)]
    assert sum(one != ground for one in row) > 100


def test_a_connection_gets_a_direction_that_is_turned_round_and_undone(
    screen, library, qtbot, context
):
    menu = screen.corrections.menu
    row = screen.loader.card.row
    menu.relate(row)
    sheet = open_sheet(screen, qtbot, RelationDialog)
    assert not sheet.turn_button.isEnabled()
    sheet.search.setText("Petrel")
    qtbot.waitUntil(lambda: sheet.save_button.isEnabled())
    assert [sheet.direction.itemText(i) for i in range(4)] == [
        f"{row.name} – Petrel (no direction)",
        f"{row.name} → Petrel",
        f"Petrel → {row.name}",
        f"{row.name} ↔ Petrel",
    ]
    sheet.direction.setCurrentIndex(1)
    sheet.kind.setEditText("father")
    sheet.save_button.click()

    def statements() -> set[str]:
        found = context_relations(library, "Hale")
        return {format_statement(r) for r in found if r.kind == "father"}

    qtbot.waitUntil(lambda: statements() == {f"{row.name} is the father of Petrel"})
    relation = next(r for r in context_relations(library, "Hale") if r.kind == "father")
    menu.relate(row, relation)
    sheet = open_sheet(screen, qtbot, RelationDialog)
    assert sheet.direction.currentIndex() == 1
    sheet.turn_button.click()
    sheet.save_button.click()
    qtbot.waitUntil(lambda: statements() == {f"Petrel is the father of {row.name}"})
    context.editing.undo()
    assert statements() == {f"{row.name} is the father of Petrel"}


def context_relations(library, name):
    return LibraryReader(library.writer).fetch_relations(id_of(library, name))


def test_the_history_lists_edits_and_goes_back_to_one(screen, library, qtbot, context):
    menu, editing = screen.corrections.menu, context.editing
    before = shown(library)
    menu.delete([screen.loader.card.row], forever=True)
    qtbot.waitUntil(lambda: "Hale" not in shown(library))
    context.editing.rename(id_of(library, "Clara"), "Clara Wren")
    menu.show_history()
    sheet = open_sheet(screen, qtbot, HistoryDialog)
    qtbot.waitUntil(lambda: sheet.list.count() == 3)
    assert "Rename" in sheet.list.item(0).text()
    sheet.list.setCurrentRow(2)
    sheet.jump_button.click()
    qtbot.waitUntil(lambda: shown(library) == before)
    qtbot.waitUntil(lambda: "○" in sheet.list.item(0).text())
    assert sheet.list.currentRow() == 2 and not sheet.jump_button.isEnabled()
    assert editing is context.editing
    sheet.accept()


def test_the_history_marks_what_another_process_changed(screen, library, qtbot, context):
    menu = screen.corrections.menu
    context.editing.rename(id_of(library, "Clara"), "Clara Wren")
    other = Db(library.writer.path)  # as another window has it open
    EditingService(other).retype([id_of(library, "Hale")], "place")
    other.close()
    menu.show_history()
    sheet = open_sheet(screen, qtbot, HistoryDialog)
    qtbot.waitUntil(lambda: sheet.list.count() == 3)  # with "Before all changes"
    first, second = sheet.list.item(0), sheet.list.item(1)
    assert "to place · elsewhere · " in first.text()
    assert "another window or program" in first.toolTip()
    assert "elsewhere" not in second.text() and "Rename" in second.text()
    assert sheet.elsewhere.isVisible()
    sheet.grab()
    sheet.accept()


def test_two_names_are_compared_with_common_neighbours_marked(screen, library, qtbot):
    choose(screen, "Hale", "Tobias")
    assert "Compare" in words(screen.names.several_menu)
    press(screen.names.several_menu, "Compare")
    sheet = open_sheet(screen, qtbot, CompareEntitiesDialog)
    first, second = sheet.lists
    assert "common connection" in sheet.summary.text()
    sheet.common.setChecked(True)
    shown_now = [
        [own.neighbours.index(i).data() for i in range(own.neighbours.rowCount())]
        for own in (first, second)
    ]
    assert sorted(shown_now[0]) == sorted(shown_now[1]) != []
    first.setCurrentIndex(first.neighbours.index(0))
    assert second.currentIndex().data() == first.currentIndex().data()
    wanted = first.currentIndex().data()
    with qtbot.waitSignal(screen.open_entity) as opened:
        first.activated.emit(first.currentIndex())
    assert opened.args == [id_of(library, wanted)]


def test_one_name_is_compared_with_another_found_by_search(screen, qtbot):
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(screen, Qt.Key.Key_M, keys)
    pick = open_sheet(screen, qtbot, PickEntityDialog)
    pick.search.setText("a")
    qtbot.waitUntil(lambda: pick.list.count() > 1)
    for row in (0, 1):
        pick.list.item(row).setCheckState(Qt.CheckState.Checked)
    states = [pick.list.item(row).checkState() for row in range(pick.list.count())]
    assert states.count(Qt.CheckState.Checked) == 1
    pick.next_button.click()
    sheet = open_sheet(screen, qtbot, CompareEntitiesDialog)
    assert sheet.found.left.entity.name == "Hale"
    sheet.merge_button.click()
    assert open_sheet(screen, qtbot, MergeDialog).preview.members[0].name == "Hale"


def test_manual_changes_are_listed_on_the_page_and_open_the_history(screen, qtbot, context):
    assert screen.page.belonging.isHidden()
    editing = context.editing
    screen.corrections.menu.edits.run(editing.retype, [screen.entity_id], "place")
    qtbot.waitUntil(lambda: "1 change" in screen.page.belonging.history.text())
    screen.page.belonging.history.click()
    sheet = open_sheet(screen, qtbot, HistoryDialog)
    qtbot.waitUntil(lambda: sheet.list.count() == 1)
    assert (
        "Change the type of “Hale” to place" in sheet.list.item(0).text()
        and "Hale" in sheet.windowTitle()
    )
    sheet.accept()


def test_the_page_follows_a_name_that_was_merged_into_another(screen, library, qtbot, context):
    first = library.writer.value("SELECT name FROM entity ORDER BY id LIMIT 1")
    other = id_of(library, first)
    assert other != screen.entity_id
    editing = context.editing
    screen.corrections.menu.edits.run(editing.merge, screen.entity_id, [other], name="One")
    qtbot.waitUntil(lambda: screen.page.head.name.text() == "One")
    assert screen.pages.currentWidget() is screen.page


def test_every_dialog_fits_long_and_chinese_names(context, library, qtbot):
    editing = EditingService(library.writer)
    editing.rename(id_of(library, "Hale"), "花和尚鲁智深" * 12)
    exploring = LibraryReader(library.writer)
    ids = [r[0] for r in library.writer.rows("SELECT id FROM entity")]
    sheet = MergeDialog(exploring.preview_merge(ids))
    qtbot.addWidget(sheet)
    sheet.show()
    assert sheet.width() <= 700
