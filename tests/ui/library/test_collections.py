"""Collections, tags, details and the trash of the library screen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragMoveEvent, QDropEvent, QGuiApplication, QShortcut

from desktop_app.ui.library.dialogs import LibraryFileDialog, WatchedFoldersDialog
from desktop_app.ui.library.places import MIME, PLACE_ROLE, read_documents
from desktop_app.ui.library.screen import LibraryScreen
from tests.ui.line_dialogs import find_line_dialog, give_line


def places(screen: LibraryScreen) -> dict[str, int]:
    listed = screen.collections.places
    rows = [listed.item(i).data(PLACE_ROLE) for i in range(listed.count())]
    return {row.words: row.count for row in rows if row.kind not in ("heading", "rule")}


def shown(screen: LibraryScreen) -> set[int]:
    model = screen.model
    return {model.row_at(model.index(i, 0)).id for i in range(model.rowCount())}


def action(menu, words: str):
    return next(found for found in menu.actions() if found.text() == words)


def test_collections_show_their_counts_and_their_documents(screen, qtbot):
    assert places(screen) == {"Failed": 1, "Excluded": 1, "Trash": 0}
    screen.collections.places.choose("failed")
    assert shown(screen) == {6}
    screen.collections.places.choose("aside")
    assert shown(screen) == {9}
    screen.collections.places.choose("all")
    assert len(shown(screen)) == 9


def test_a_collection_is_created_from_the_selection(screen, qtbot):
    screen.list.select(2)
    menu = screen.build_document_menu(screen.list.selected_rows())
    action(action(menu, "Add to collection").menu(), "New collection…").trigger()
    give_line("Rivers")
    qtbot.waitUntil(lambda: places(screen).get("Rivers") == 1)
    screen.collections.places.choose("collection", "Rivers")
    qtbot.waitUntil(lambda: shown(screen) == {2})
    screen.list.select(2)
    menu = screen.build_document_menu(screen.list.selected_rows())
    action(menu, "Remove from “Rivers”").trigger()
    qtbot.waitUntil(lambda: shown(screen) == set())


def test_documents_are_dropped_on_a_collection(screen, qtbot, context):
    context.collections.create("Rivers")
    screen.refresh()
    qtbot.waitUntil(lambda: "Rivers" in places(screen))
    listed = screen.collections.places
    data = screen.model.mimeData([screen.model.index(screen.model.place_of(i), 0) for i in (1, 4)])
    assert sorted(read_documents(data)) == [1, 4]
    item = next(
        listed.item(i)
        for i in range(listed.count())
        if listed.item(i).data(PLACE_ROLE).words == "Rivers"
    )
    event = QDropEvent(
        QPointF(listed.visualItemRect(item).center()), Qt.DropAction.CopyAction, data,
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    listed.dropEvent(event)
    qtbot.waitUntil(lambda: places(screen)["Rivers"] == 2)
    assert read_documents(QMimeData()) == []
    assert MIME in screen.model.mimeTypes()


def test_a_tag_is_added_shown_and_filtered(screen, qtbot):
    screen.list.select(4)
    menu = screen.build_document_menu(screen.list.selected_rows())
    action(action(menu, "Tags").menu(), "New tag…").trigger()
    give_line("christmas eve")
    qtbot.waitUntil(lambda: places(screen).get("christmas eve") == 1)
    screen.model.set_filter("eve")
    assert shown(screen) == {4}
    screen.model.set_filter("")
    screen.collections.places.choose("tag", "christmas eve")
    assert shown(screen) == {4}
    menu = screen.build_document_menu(screen.list.selected_rows())
    tag = action(action(menu, "Tags").menu(), "christmas eve")
    assert tag.isChecked()
    tag.trigger()
    qtbot.waitUntil(lambda: "christmas eve" not in places(screen))
    assert len(shown(screen)) == 9  # without the collection the whole library is shown


def test_the_filter_searches_the_texts(screen, qtbot):
    screen.filter.setText("brass lamp")
    qtbot.waitUntil(lambda: shown(screen) == {1})
    screen.filter.setText("顺昌票号")
    qtbot.waitUntil(lambda: shown(screen) == {2})
    screen.filter.setText("ferr")
    qtbot.waitUntil(lambda: shown(screen) == {1, 9})
    screen.filter.clear()
    qtbot.waitUntil(lambda: len(shown(screen)) == 9)


def test_all_failed_documents_are_retried(screen, qtbot):
    screen.collections.places.choose("failed")
    menu = screen.collections.build_place_menu(screen.collections.places.current)
    with qtbot.waitSignal(screen.retry_wanted) as emitted:
        action(menu, "Retry all failed (1)").trigger()
    assert emitted.args == [6]


def test_delete_moves_to_the_trash_and_undo_restores(screen, qtbot, context):
    screen.list.select(3)
    screen.list.table.setFocus()
    qtbot.keyClick(screen.list.table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: places(screen)["Trash"] == 1)
    assert 3 not in shown(screen)
    message = context.messages.last
    assert message.text == "“水浒传” moved to the trash"
    message.action()
    qtbot.waitUntil(lambda: 3 in shown(screen))


def test_the_trash_restores_documents_and_asks_before_deleting(screen, qtbot, context):
    rows = [row for row in context.library_reader.documents if row.id in (1, 2)]
    screen.collections.move_to_trash(rows)
    qtbot.waitUntil(lambda: places(screen)["Trash"] == 2)
    screen.collections.places.choose("trash")
    page = screen.collections.trash
    assert screen.stack.currentWidget() is page
    assert page.restore.text() == "Restore all"
    page.list.item(0).setSelected(True)
    assert page.restore.text() == "Restore"
    page.restore.click()
    qtbot.waitUntil(lambda: places(screen)["Trash"] == 1)
    page.delete.click()
    assert context.messages.last.action_text == "Delete"
    context.messages.last.action()
    qtbot.waitUntil(lambda: places(screen)["Trash"] == 0)
    assert page.stack.currentIndex() == 1
    screen.grab()


def test_the_search_field_filters_the_trash(screen, qtbot, context):
    rows = [row for row in context.library_reader.documents if row.id in (1, 2, 3)]
    screen.collections.move_to_trash(rows)
    qtbot.waitUntil(lambda: places(screen)["Trash"] == 3)
    screen.collections.places.choose("trash")
    page = screen.collections.trash
    screen.filter.setText("ferry")
    qtbot.waitUntil(lambda: page.list.count() == 1)
    assert page.list.item(0).text() == "The Ferry at Harrow Ford"
    assert page.restore.text() == "Restore these" and page.chosen() == [page.list.item(0).data(256)]
    page.delete.click()
    assert context.messages.last.text.startswith("Delete 1 document permanently?")
    screen.filter.setText("no such words")
    qtbot.waitUntil(lambda: page.stack.currentIndex() == 2)
    page.restore.click()
    assert places(screen)["Trash"] == 3
    screen.filter.clear()
    qtbot.waitUntil(lambda: page.list.count() == 3)
    assert page.restore.text() == "Restore all" and page.delete.text() == "Empty Trash"


def test_deleting_a_collection_keeps_its_documents(screen, qtbot, context):
    context.collections.create("Rivers", [1])
    screen.refresh()
    qtbot.waitUntil(lambda: "Rivers" in places(screen))
    screen.collections.places.choose("collection", "Rivers")
    menu = screen.collections.build_place_menu(screen.collections.places.current)
    action(menu, "Delete collection").trigger()
    qtbot.waitUntil(lambda: "Rivers" not in places(screen))
    assert len(shown(screen)) == 9


def test_a_waiting_document_can_be_prioritised(screen, qtbot, context):
    screen.list.select(7)
    action(screen.build_document_menu(screen.list.selected_rows()), "Index next").trigger()
    qtbot.waitUntil(lambda: ("next", 7) in context.documents.calls)


def test_a_waiting_document_is_prioritised_or_stopped_in_the_inspector(screen, qtbot, context):
    screen.list.select(7)
    inspector = screen.list.inspector
    assert inspector.next_button.isVisible() and inspector.stop_button.isVisible()
    inspector.next_button.click()
    qtbot.waitUntil(lambda: ("next", 7) in context.documents.calls)
    with qtbot.waitSignal(screen.cancel_wanted) as emitted:
        inspector.stop_button.click()
    assert emitted.args == [7]
    screen.list.select(1)
    assert not inspector.next_button.isVisible() and not inspector.stop_button.isVisible()


def test_what_the_user_made_stands_above_states_and_trash(screen, qtbot, context):
    context.collections.create("Rivers", [1])
    screen.refresh()
    qtbot.waitUntil(lambda: "Rivers" in places(screen))
    screen.collections.set_documents(
        [replace(r, tags=("sea",) if r.id == 1 else ()) for r in screen.model._all]
    )
    listed = screen.collections.places
    kinds = [listed.item(i).data(PLACE_ROLE).kind for i in range(listed.count())]
    assert kinds == ["collection", "heading", "tag", "rule", "failed", "aside", "trash"]


def test_the_title_names_the_chosen_place_and_leads_back(screen, qtbot):
    bar = screen.toolbar
    assert bar.place_name.isHidden() and bar.close_place_button.isHidden()
    screen.collections.places.choose("aside")
    assert bar.place_name.isVisible() and bar.place_name.full_text() == "Excluded"
    assert bar.place_count.text() == "1" and bar.places_button.isHidden()
    bar.close_place_button.click()
    assert len(shown(screen)) == 9
    assert bar.place_name.isHidden() and bar.close_place_button.isHidden()


def test_without_the_sidebar_a_button_names_the_place_and_has_all_of_them(screen, qtbot):
    button = screen.places_button
    assert button.isHidden()
    screen.show_places_button(True)
    assert button.isVisible() and button.text() == "All documents"
    menu = screen.collections.build_places_menu()
    texts = [found.text() for found in menu.actions() if found.text()]
    assert texts == ["All documents\t9", "Failed\t1", "Excluded\t1", "Trash", "New collection…"]
    assert action(menu, "All documents\t9").isChecked()
    action(menu, "Failed\t1").trigger()
    assert shown(screen) == {6} and button.text() == "Failed"
    assert screen.toolbar.place_name.isHidden()  # the button says it
    menu = screen.collections.build_places_menu()
    assert action(menu, "Failed\t1").isChecked()
    with qtbot.waitSignal(screen.retry_wanted) as emitted:
        action(menu, "Retry all failed (1)").trigger()
    assert emitted.args == [6]
    action(menu, "Trash").trigger()
    assert screen.stack.currentWidget() is screen.collections.trash
    action(menu, "All documents\t9").trigger()
    assert screen.stack.currentWidget() is screen.list


@pytest.fixture
def panel(screen, qtbot):
    """Return the places as a sidebar shows them."""
    made = screen.places_panel
    made.setParent(None)
    qtbot.addWidget(made)
    made.resize(220, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_keys_choose_rename_and_leave_places(screen, panel, qtbot, context):
    context.collections.create("Rivers", [1])
    screen.refresh()
    qtbot.waitUntil(lambda: "Rivers" in places(screen))
    listed = screen.collections.places
    listed.setFocus()
    assert len(shown(screen)) == 9  # the focus alone chooses nothing
    with qtbot.waitSignal(screen.place_opened):
        listed.setCurrentRow(0)
        qtbot.keyClick(listed, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown(screen) == {1})
    listed.rename_wanted.emit(listed.current)
    assert find_line_dialog().field.selectedText() == find_line_dialog().field.text() != ""
    give_line("Streams")
    qtbot.waitUntil(lambda: "Streams" in places(screen))
    assert screen.toolbar.place_name.full_text() == "Streams"
    listed.choose("all")
    assert len(shown(screen)) == 9
    listed.choose("collection", "Streams")
    listed.remove_wanted.emit(listed.current)
    qtbot.waitUntil(lambda: "Streams" not in places(screen))
    keys = {s.key().toString(): s.whatsThis() for s in listed.findChildren(QShortcut)}
    assert keys == {
        "F2": "Rename the selected collection or tag",
        "Del": "Delete the selected collection or tag",
        "Esc": "Show all documents",
    }


def test_a_dragged_document_marks_the_place_that_takes_it(screen, panel, context, qtbot):
    context.collections.create("Rivers")
    screen.refresh()
    qtbot.waitUntil(lambda: "Rivers" in places(screen))
    listed = screen.collections.places
    data = screen.model.mimeData([screen.model.index(0, 0)])

    def move(row: int) -> bool:
        place = listed.visualItemRect(listed.item(row)).center()
        event = QDragMoveEvent(
            place, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )  # fmt: skip
        listed.dragMoveEvent(event)
        return event.isAccepted()

    assert move(0) and listed._marked == listed.visualItemRect(listed.item(0))
    assert listed.item(1).data(PLACE_ROLE).kind == "rule"
    assert not move(1) and listed._marked is None


def test_one_button_has_every_way_to_add(screen, qtbot, monkeypatch):
    menu = screen.build_add_menu()
    words = [found.text().partition("\t")[0] for found in menu.actions() if found.text()]
    assert words == [
        "Add files…",
        "Add folder…",
        "Paste from clipboard",
        "Add from Zotero…",
        "Update from Zotero",
        "Import references…",
        "Import a graph",
        "Watched folders…",
        "Add the demo documents",
    ]
    with qtbot.waitSignal(screen.demo_wanted):
        action(menu, "Add the demo documents").trigger()
    with qtbot.waitSignal(screen.watch_wanted):
        action(menu, "Watched folders…").trigger()
    more = [found.text() for found in screen.build_more_menu().actions()]
    assert not set(words) & set(more)
    assert {"This library…", "New collection…", "Retry all failed (1)"} <= set(more)


def test_the_watched_folders_dialog_lists_folders(qtbot, context):
    sheet = WatchedFoldersDialog(context.theme)
    qtbot.addWidget(sheet)
    sheet.set_folders(["/books", "/papers"])
    assert not sheet.forget.isEnabled()
    sheet.list.item(1).setSelected(True)
    with qtbot.waitSignal(sheet.forget_wanted) as emitted:
        sheet.forget.click()
    assert emitted.args == ["/papers"]


def test_the_maintenance_dialog_shows_the_path_of_the_library(qtbot, context):
    sheet = LibraryFileDialog(context.theme)
    qtbot.addWidget(sheet)
    sheet.set_overview(context.library_reader.overview())
    with qtbot.waitSignal(sheet.compact_wanted):
        sheet.compact.click()
    sheet.show_message("Compacted.")
    assert sheet.message.text() == "Compacted."


def test_a_pasted_text_that_the_search_field_cuts_is_named(screen, qtbot, context):
    text = "The ferry leaves at dawn. " * 2000
    QGuiApplication.clipboard().setText(text)
    screen.filter.paste()
    assert screen.filter.text() == text[:32_767]
    assert context.messages.last.text == (
        "Only the first 32,767 characters of this text are in the search field."
    )
    with qtbot.waitSignal(screen.quotation_wanted) as wanted:
        context.messages.last.action()
    assert wanted.args[0].startswith("The ferry leaves")
