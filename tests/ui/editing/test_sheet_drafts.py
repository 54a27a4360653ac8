"""What is typed in a sheet is there again when it is opened for the same thing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.errors import EnvironmentProblem
from desktop_app.engine.services.sheet_drafts import SheetDrafts
from desktop_app.ui.editing.dialogs import (
    NameDialog,
    RelationDialog,
    SplitDialog,
    TextDialog,
    iter_leaves,
)
from desktop_app.ui.sheet_drafts import SheetDraftKeeper
from desktop_app.ui.widgets.sheet import Sheet
from tests.books import id_of


@pytest.fixture
def context(context, library):
    context.sheet_drafts = SheetDrafts(library.writer)
    context.draft_keeper = SheetDraftKeeper(context.sheet_drafts, context.writer_lane, context.hub)
    return context


@pytest.fixture
def reopen(screen, qtbot) -> Callable[..., Sheet]:
    """Return a function that opens a sheet of the menu, again if it is open."""
    menu = screen.corrections.menu

    def open_(command: Callable[..., None], kind: type[Sheet], *args: object) -> Sheet:
        if menu.sheet is not None:
            menu.sheet.close()
        command(*args)
        qtbot.waitUntil(lambda: isinstance(menu.sheet, kind))
        return menu.sheet

    return open_


def is_restored(sheet: Sheet) -> bool:
    return hasattr(sheet, "discard_button") and sheet.discard_button.isVisible()


def test_a_description_is_restored_after_escape_and_discarded(screen, qtbot, reopen, context):
    menu, row = screen.corrections.menu, screen.loader.card.row
    sheet = reopen(menu.describe, TextDialog, row)
    derived = sheet.text.toPlainText()
    assert not is_restored(sheet)
    sheet.text.setPlainText("A long thought")
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    again = reopen(menu.describe, TextDialog, row)
    assert again.text.toPlainText() == "A long thought"
    assert is_restored(again)
    again.discard_button.click()
    assert again.text.toPlainText() == derived and not is_restored(again)
    third = reopen(menu.describe, TextDialog, row)
    assert third.text.toPlainText() == derived and not is_restored(third)
    qtbot.waitUntil(lambda: context.writer_lane.n_jobs == 0)
    assert context.sheet_drafts.list_all() == {}


def test_what_is_typed_is_stored_while_the_sheet_is_open(screen, qtbot, reopen, context):
    sheet = reopen(screen.corrections.menu.describe, TextDialog, screen.loader.card.row)
    timer = sheet._draft_timer
    assert timer.interval() <= 3_000
    timer.setInterval(600_000)
    qtbot.keyClicks(sheet.text, "A")
    begun = timer.timerId()
    qtbot.keyClicks(sheet.text, " long")
    assert timer.timerId() == begun  # typing on is no delay
    timer.setInterval(1)
    qtbot.waitUntil(lambda: len(context.sheet_drafts.list_all()) == 1)
    [stored] = context.sheet_drafts.list_all().values()
    assert "A long" in stored["text"]


def test_a_saved_sheet_leaves_no_draft(screen, qtbot, reopen, context):
    menu, row = screen.corrections.menu, screen.loader.card.row
    sheet = reopen(menu.rename, NameDialog, row)
    sheet.name.setText("Hale the Elder")
    sheet.close()
    sheet = reopen(menu.rename, NameDialog, row)
    assert sheet.name.text() == "Hale the Elder" and is_restored(sheet)
    assert sheet.save_button.isEnabled()
    sheet.save_button.click()
    qtbot.waitUntil(lambda: menu.sheet is None)
    qtbot.waitUntil(lambda: context.writer_lane.n_jobs == 0)
    assert context.sheet_drafts.list_all() == {}


def test_what_was_saved_on_a_full_disk_is_still_a_draft(screen, qtbot, reopen, context, library):
    menu, row, db = screen.corrections.menu, screen.loader.card.row, library.writer
    long = "A long thought. " * 20_000  # more than the pages that are free in the file
    sheet = reopen(menu.describe, TextDialog, row)
    sheet.text.setPlainText(long)
    largest = db.value("PRAGMA max_page_count")
    db.value(f"PRAGMA max_page_count = {db.value('PRAGMA page_count')}")
    sheet.save_button.click()
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert "full" in context.messages.last.text
    qtbot.waitUntil(lambda: context.writer_lane.n_jobs == 0)
    again = reopen(menu.describe, TextDialog, row)
    assert again.text.toPlainText() == long and is_restored(again)
    db.value(f"PRAGMA max_page_count = {largest}")
    again.save_button.click()
    qtbot.waitUntil(lambda: context.draft_keeper._stored == {})
    qtbot.waitUntil(lambda: context.writer_lane.n_jobs == 0)
    assert context.sheet_drafts.list_all() == {}
    assert context.library_reader.get_entity(row.id).description == long.strip()
    assert not is_restored(reopen(menu.describe, TextDialog, row))


def test_a_connection_that_could_not_be_saved_is_restored(
    screen, qtbot, reopen, context, monkeypatch
):
    menu, row = screen.corrections.menu, screen.loader.card.row
    other = context.library_reader.find_entities("Marsh")[0]

    def fail(*_: object, **__: object) -> None:
        raise EnvironmentProblem("The disk is full.")

    def fill(sheet: RelationDialog) -> None:
        sheet.show_names([other])
        sheet.kind.setCurrentText("owns")

    with monkeypatch.context() as patch:
        patch.setattr(context.editing, "relate", fail)
        sheet = reopen(menu.relate, RelationDialog, row)
        fill(sheet)
        sheet.save_button.click()
        qtbot.waitUntil(lambda: context.messages.last is not None)
    again = reopen(menu.relate, RelationDialog, row)
    assert is_restored(again) and again.kind.currentText() == "owns"
    again.save_button.click()
    qtbot.waitUntil(lambda: context.draft_keeper._stored == {})
    qtbot.waitUntil(lambda: context.writer_lane.n_jobs == 0)
    assert context.sheet_drafts.list_all() == {}


def test_a_connection_and_a_split_are_restored_with_what_was_chosen(screen, reopen, context):
    menu, row = screen.corrections.menu, screen.loader.card.row
    other = context.library_reader.find_entities("Marsh")[0]
    sheet = reopen(menu.relate, RelationDialog, row)
    sheet.show_names([other])
    sheet.kind.setCurrentText("owns")
    sheet.direction.setCurrentIndex(1)
    sheet.description.setPlainText("since the war")
    again = reopen(menu.relate, RelationDialog, row)
    assert again is not sheet and is_restored(again)
    assert again.read_typed() == {
        "kind": "owns",
        "direction": 1,
        "description": "since the war",
        "other": [other.id, other.name],
    }
    assert again.save_button.isEnabled()
    sheet = reopen(menu.split, SplitDialog, row)
    assert not is_restored(sheet)
    leaf = next(iter_leaves(sheet.tree.invisibleRootItem()))
    leaf.setCheckState(0, Qt.CheckState.Checked)
    sheet.name.setText("another Hale")
    ticked = sheet.ticked()
    again = reopen(menu.split, SplitDialog, row)
    assert (again.ticked(), again.name.text()) == (ticked, "another Hale")
    assert len(ticked) == 1


def test_a_split_that_succeeded_leaves_no_draft(screen, qtbot, reopen, context):
    sheet = reopen(screen.corrections.menu.split, SplitDialog, screen.loader.card.row)
    next(iter_leaves(sheet.tree.invisibleRootItem())).setCheckState(0, Qt.CheckState.Checked)
    sheet.name.setText("another Hale")
    sheet.store_draft()
    assert len(context.draft_keeper._stored) == 1
    sheet.split_button.click()
    qtbot.waitUntil(lambda: context.draft_keeper._stored == {})
    assert context.library_reader.find_entities("another Hale")


def test_a_draft_is_of_one_thing_and_survives_a_rename(screen, qtbot, reopen, context, library):
    menu, row = screen.corrections.menu, screen.loader.card.row
    sheet = reopen(menu.describe, TextDialog, row)
    sheet.text.setPlainText("A long thought")
    other = context.library_reader.find_entities("Marsh")[0]
    assert not is_restored(reopen(menu.describe, TextDialog, other))
    menu.sheet.close()
    menu.edits.run(context.editing.rename, row.id, "Hale the Elder")
    qtbot.waitUntil(lambda: id_of(library, "Hale the Elder") == row.id)
    renamed = context.library_reader.fetch_entities([row.id])[0]
    qtbot.waitUntil(lambda: context.writer_lane.n_jobs == 0)
    again = reopen(menu.describe, TextDialog, renamed)
    assert again.text.toPlainText() == "A long thought"


def test_a_draft_of_a_deleted_thing_is_dropped(screen, qtbot, reopen, context):
    menu, row = screen.corrections.menu, screen.loader.card.row
    sheet = reopen(menu.describe, TextDialog, row)
    sheet.text.setPlainText("A long thought")
    sheet.close()
    qtbot.waitUntil(lambda: len(context.sheet_drafts.list_all()) == 1)
    menu.edits.run(context.editing.delete, [row.id])
    qtbot.waitUntil(lambda: context.sheet_drafts.list_all() == {})
    qtbot.waitUntil(lambda: context.draft_keeper._stored == {})
