"""The details of documents: editing, undo, tags of one and of several."""

from __future__ import annotations

from PySide6.QtCore import Qt

from desktop_app.engine.model import DocumentRow
from desktop_app.ui.library.covers import CoverBox
from desktop_app.ui.library.details import DetailsDialog
from desktop_app.ui.library.document_list import DETAILS_FROM
from desktop_app.ui.widgets import Label
from tests.ui.library.test_collections import action, places
from tests.ui.line_dialogs import find_line_dialog, give_line


def test_only_changed_details_are_written(screen, qtbot, context):
    screen.list.select(4)
    screen.collections.details.ask(screen.list.selected_rows())
    sheet: DetailsDialog = screen.collections.details.sheet
    assert sheet.author.text() == "Charles Dickens"
    sheet.year.setText("1843")
    sheet.tags.setText("ghosts， winter")
    sheet.save.click()
    wanted = ("details", [4], {"year": "1843", "tags": ["ghosts", "winter"]})
    qtbot.waitUntil(lambda: wanted in context.documents.calls)
    qtbot.waitUntil(lambda: "winter" in places(screen))
    qtbot.waitUntil(lambda: context.draft_keeper._stored == {})
    screen.list.select(4)
    assert screen.list.inspector.origin.text() == "Charles Dickens · 1843"


def test_details_that_change_nothing_leave_no_draft(screen, context):
    screen.list.select(4)
    screen.collections.details.ask(screen.list.selected_rows())
    sheet: DetailsDialog = screen.collections.details.sheet
    sheet.author.setText("Charles Dickens ")
    sheet.store_draft()
    assert len(context.draft_keeper._stored) == 1
    sheet.save.click()
    assert context.draft_keeper._stored == {}


def test_changed_details_are_undone_from_the_message(screen, qtbot, context):
    screen.collections.details.write([4, 1], {"author": "Boz"})
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert [context.library_reader.get_document(i).author for i in (4, 1)] == ["Boz", "Boz"]
    assert (context.messages.last.text, context.messages.last.action_text) == (
        "Details changed", "Undo",
    )  # fmt: skip
    context.messages.last.action()
    qtbot.waitUntil(lambda: context.messages.last.text == "Undone: Edit details")
    authors = [context.library_reader.get_document(i).author for i in (4, 1)]
    assert authors == ["Charles Dickens", "A. Nonymous"]


def test_several_documents_keep_their_titles(screen, qtbot, context):
    rows = [row for row in context.library_reader.documents if row.id in (1, 2)]
    sheet = DetailsDialog(rows, screen)
    given: list[dict] = []
    sheet.submitted.connect(given.append)
    assert sheet.author.text() == ""
    sheet.author.setText("Several")
    sheet.save.click()
    assert given == [{"author": "Several"}]


def test_where_a_work_appeared_is_edited_for_one_document(screen):
    row = DocumentRow(
        *(9, "Clocks", "c.pdf", "pdf", "en", "ready"),
        container="Journal of Clocks",
        volume="12",
        cited_pages="1–20",
    )
    sheet = DetailsDialog([row], screen)
    given: list[dict] = []
    sheet.submitted.connect(given.append)
    assert (sheet.container.text(), sheet.pages.text()) == ("Journal of Clocks", "1–20")
    sheet.pages.setText("1–22")
    sheet.save.click()
    assert given == [{"pages": "1–22"}]


def test_tags_of_several_change_and_each_keeps_its_own(screen, qtbot, context):
    work = context.documents
    work.edit_details([1], tags=["loan", "rivers"])
    work.edit_details([2], tags=["loan", "towns"])
    rows = [context.library_reader.get_document(i) for i in (1, 2)]
    screen.collections.details.ask(rows)
    sheet = screen.collections.details.sheet
    assert sheet.tags.text() == "loan"
    sheet.tags.setText("to read")
    sheet.save.click()

    def tags() -> list[tuple[str, ...]]:
        return [context.library_reader.get_document(i).tags for i in (1, 2)]

    qtbot.waitUntil(lambda: tags() == [("rivers", "to read"), ("to read", "towns")])
    qtbot.waitUntil(lambda: context.messages.last is not None)
    context.messages.last.action()
    qtbot.waitUntil(lambda: tags() == [("loan", "rivers"), ("loan", "towns")])


def test_a_tag_is_renamed_and_removed_in_the_collections(screen, qtbot, context):
    context.documents.edit_details([1, 4], tags=["ghosts"])
    screen.refresh()
    qtbot.waitUntil(lambda: places(screen).get("ghosts") == 2)
    screen.collections.places.choose("tag", "ghosts")
    menu = screen.collections.build_place_menu(screen.collections.places.current)
    action(menu, "Rename…").trigger()
    give_line("spirits")
    qtbot.waitUntil(lambda: places(screen).get("spirits") == 2 and "ghosts" not in places(screen))
    screen.collections.places.choose("tag", "spirits")
    menu = screen.collections.build_place_menu(screen.collections.places.current)
    action(menu, "Remove tag from all documents").trigger()
    qtbot.waitUntil(lambda: "spirits" not in places(screen))


def test_details_that_were_not_saved_are_there_when_they_are_opened_again(screen, qtbot):
    screen.list.select(4)
    details = screen.collections.details
    details.ask(screen.list.selected_rows())
    details.sheet.year.setText("1843")
    details.sheet.comment.setPlainText("from the attic")
    details.sheet.reject()
    details.ask(screen.list.selected_rows())
    sheet = details.sheet
    assert (sheet.year.text(), sheet.comment.toPlainText()) == ("1843", "from the attic")
    assert sheet.discard_button.isVisible() and sheet.author.text() == "Charles Dickens"
    sheet.reject()
    screen.list.select(1)
    details.ask(screen.list.selected_rows())
    assert details.sheet.year.text() == "" and not hasattr(details.sheet, "discard_button")


def test_the_sheet_names_the_file_and_shows_its_cover(screen):
    screen.list.select(4)
    screen.collections.details.ask(screen.list.selected_rows())
    sheet = screen.collections.details.sheet
    row = screen.list.selected_rows()[0]
    assert row.file_name in [label.text() for label in sheet.findChildren(Label)]
    assert [box._row for box in sheet.findChildren(CoverBox)] == [row]
    assert sheet.focusWidget() is sheet.title_field
    assert sheet.height() <= 720 - 64, "all of it is seen in a small window"
    assert sheet.comment.height() >= 60


def test_the_sheet_follows_the_selected_document_and_loses_nothing(screen, qtbot, context):
    details = screen.collections.details
    screen.list.select(4)
    details.ask(screen.list.selected_rows())
    details.sheet.year.setText("1843")
    place = details.sheet.pos()
    screen.list.select(1)
    qtbot.waitUntil(lambda: details.sheet is not None and details.sheet.ids == [1])
    assert details.sheet.year.text() == "" and details.sheet.pos() == place
    screen.refresh()  # the rows are listed again, with the same one selected
    qtbot.waitUntil(lambda: not screen.is_loading)
    same = details.sheet
    screen.list.select(1, 4)
    qtbot.waitUntil(lambda: details.sheet is not None and sorted(details.sheet.ids) == [1, 4])
    assert same is not details.sheet
    screen.list.select(4)
    qtbot.waitUntil(lambda: details.sheet is not None and details.sheet.ids == [4])
    assert details.sheet.year.text() == "1843" and details.sheet.discard_button.isVisible()
    screen.list.table.clearSelection()
    qtbot.waitUntil(lambda: details.sheet is None)


def test_the_sheet_closes_when_another_document_is_opened(screen, qtbot):
    details = screen.collections.details
    screen.list.select(4)
    details.ask(screen.list.selected_rows())
    screen.open_beside.emit(4)
    assert details.sheet is not None and details.sheet.isVisible()
    screen.open_beside.emit(1)
    assert details.sheet is None
    details.ask(screen.list.selected_rows())
    details.sheet.year.setText("1843")
    screen.hide()  # a document in a tab is in front
    assert details.sheet is None
    screen.show()
    details.ask(screen.list.selected_rows())
    assert details.sheet.year.text() == "1843"


def test_a_title_that_was_not_saved_is_there_when_renaming_begins_again(screen, qtbot, context):
    details, keeper = screen.collections.details, context.draft_keeper
    screen.list.select(3)
    [row] = screen.list.selected_rows()
    details.rename(row)
    find_line_dialog().field.setText("忠义水浒传")
    find_line_dialog().reject()
    details.rename(row)
    sheet = find_line_dialog()
    assert sheet.field.text() == "忠义水浒传" and sheet.discard_button.isVisible()
    sheet.save_button.click()
    qtbot.waitUntil(lambda: keeper._stored == {})
    qtbot.waitUntil(lambda: screen.list.current_row().title == "忠义水浒传")
    details.rename(screen.list.current_row())
    sheet = find_line_dialog()
    assert sheet.field.text() == "忠义水浒传" and not hasattr(sheet, "discard_button")
    sheet.field.setText("  ")
    assert not sheet.save_button.isEnabled()
    sheet.field.setText("another")
    sheet.field.setText("忠义水浒传")  # typed back: nothing is to be kept
    sheet.save_button.click()
    assert keeper._stored == {}


def test_details_are_a_panel_in_place_of_the_facts_and_a_dialog_without_room(screen, qtbot):
    details, listed = screen.collections.details, screen.list
    listed.select(4)
    details.ask(listed.selected_rows())
    sheet = details.sheet
    assert not sheet.isWindow() and sheet.isVisible() and listed.inspector.isHidden()
    assert listed.table.geometry().right() < listed.details.x()
    sheet.year.setText("1843")
    qtbot.keyClick(sheet.year, Qt.Key.Key_Escape)
    assert details.sheet is None and listed.inspector.isVisible() and listed.details.isHidden()
    details.ask(listed.selected_rows())
    screen.resize(DETAILS_FROM - 20, 700)
    qtbot.waitUntil(lambda: details.sheet is None)  # a draft
    details.ask(listed.selected_rows())
    assert details.sheet.isModal() and details.sheet.year.text() == "1843"
    details.sheet.reject()
