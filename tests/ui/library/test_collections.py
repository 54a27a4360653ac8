"""Collections, tags, details and the trash of the library screen."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QInputDialog

from desktop_app.ui.library.dialogs import LibraryFileDialog, WatchedFoldersDialog
from desktop_app.ui.library.places import MIME, PLACE_ROLE, read_documents
from desktop_app.ui.library.screen import LibraryScreen


def places(screen: LibraryScreen) -> dict[str, int]:
    listed = screen.collections.places
    rows = [listed.item(i).data(PLACE_ROLE) for i in range(listed.count())]
    return {row.words: row.count for row in rows if row.kind != "heading"}


def shown(screen: LibraryScreen) -> set[int]:
    model = screen.model
    return {model.row_at(model.index(i, 0)).id for i in range(model.rowCount())}


def action(menu, words: str):
    return next(found for found in menu.actions() if found.text() == words)


def typed(monkeypatch, words: str) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, **k: (words, True))


def test_collections_show_their_counts_and_their_documents(screen, qtbot):
    assert places(screen) == {"All documents": 9, "Failed": 1, "Excluded": 1, "Trash": 0}
    screen.collections.places.choose("failed")
    assert shown(screen) == {6}
    screen.collections.places.choose("aside")
    assert shown(screen) == {9}
    screen.collections.places.choose("all")
    assert len(shown(screen)) == 9


def test_a_collection_is_created_from_the_selection(screen, qtbot, monkeypatch):
    screen.list.select(2)
    typed(monkeypatch, "Rivers")
    menu = screen.build_document_menu(screen.list.selected_rows())
    action(action(menu, "Add to collection").menu(), "New collection…").trigger()
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


def test_a_tag_is_added_shown_and_filtered(screen, qtbot, monkeypatch):
    screen.list.select(4)
    typed(monkeypatch, "christmas eve")
    menu = screen.build_document_menu(screen.list.selected_rows())
    action(action(menu, "Tags").menu(), "New tag…").trigger()
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
    with qtbot.waitSignal(screen.retry_requested) as emitted:
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
    with qtbot.waitSignal(screen.cancel_requested) as emitted:
        inspector.stop_button.click()
    assert emitted.args == [7]
    screen.list.select(1)
    assert not inspector.next_button.isVisible() and not inspector.stop_button.isVisible()


def test_a_narrow_window_hides_the_collections(screen, qtbot):
    screen.collections.places.choose("aside")
    screen.resize(700, 600)
    assert screen.collections.places.isHidden()
    assert len(shown(screen)) == 9
    menu = screen.build_more_menu()
    offered = [found.text() for found in menu.actions()]
    assert {"Watched folders…", "This library…", "New collection…"} <= set(offered)
    action(action(menu, "Show").menu(), "Failed  (1)").trigger()
    assert shown(screen) == {6}
    with qtbot.waitSignal(screen.retry_requested) as emitted:
        action(menu, "Retry all failed (1)").trigger()
    assert emitted.args == [6]


def test_the_places_are_listed_only_where_there_is_more_than_the_trash(screen, qtbot):
    collections, places = screen.collections, screen.collections.places
    assert places.isVisible()  # a document failed, another one is excluded
    plain = [replace(r, state="ready", set_aside=False, tags=()) for r in screen.model._all]
    collections.set_documents(plain)
    assert not places.isVisible()
    listed = screen.list  # has the room now, with what is centred in it
    qtbot.waitUntil(lambda: listed.mapTo(screen, QPoint(0, 0)).x() == 0)
    qtbot.waitUntil(lambda: listed.hint.width() == listed.views.width())
    menu = screen.build_more_menu()
    action(action(menu, "Show").menu(), "Trash").trigger()
    assert screen.stack.currentWidget() is collections.trash
    assert collections.trash.back.isVisible() and not places.isVisible()
    qtbot.mouseClick(collections.trash.back, Qt.MouseButton.LeftButton)
    assert screen.stack.currentWidget() is screen.list
    collections.set_documents([replace(plain[0], tags=("sea",)), *plain[1:]])
    assert places.isVisible() and not collections.trash.back.isVisible()


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
