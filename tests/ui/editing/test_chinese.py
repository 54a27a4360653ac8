"""The dialogs for corrections in Chinese: no English is left."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QMenu

from desktop_app.ui.editing.dialogs import RelationDialog
from desktop_app.ui.entity.screen import EntityScreen
from desktop_app.ui.widgets.tables import ROW_ROLE
from tests.books import BOOK, NAMES
from tests.ui.fakes import FakeContext
from tests.ui.untranslated import english_texts

KNOWN = (*BOOK, *NAMES, "The Clockmaker", "Captain", "Part › Chapter")


@pytest.fixture(autouse=True)
def in_chinese(chinese: None) -> None:
    """Every window of this file is Chinese."""


def rows_of(screen, *names: str):
    model = screen.names.model
    found = [model.index(i).data(ROW_ROLE) for i in range(model.rowCount())]
    rows = {row.name: row for row in found}
    return [rows[name] for name in names]


@pytest.fixture
def opened(qtbot, context: FakeContext, screen: EntityScreen) -> Callable[[], QDialog]:
    """Return a function that waits for the open dialog and for its contents."""

    def opened_() -> QDialog:
        menu = screen.corrections.menu
        qtbot.waitUntil(lambda: menu.sheet is not None)
        qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)
        return menu.sheet

    return opened_


@pytest.mark.parametrize(
    "verb",
    ["rename", "describe", "add_alias", "split", "relate", "pick_to_merge", "pick_to_compare"],
)
def test_every_dialog_for_one_name_is_chinese(screen, qtbot, verb, opened):
    getattr(screen.corrections.menu, verb)(*rows_of(screen, "Hale"))
    sheet = opened()
    assert sheet.windowTitle() and english_texts(sheet, KNOWN) == []


@pytest.mark.parametrize("names", [("Hale", "Marsh"), ("Hale", "Marsh", "Clara")])
def test_a_merge_is_previewed_in_chinese(screen, qtbot, names, context, opened):
    menu, rows = screen.corrections.menu, rows_of(screen, *names)
    menu.never_merge(rows[:2])
    qtbot.waitUntil(lambda: context.messages.last is not None)
    menu.merge(rows)
    assert english_texts(opened(), KNOWN) == []


def test_the_comparison_of_two_names_is_chinese(screen, qtbot, opened):
    screen.corrections.menu.compare(*rows_of(screen, "Hale", "Clara"))
    assert english_texts(opened(), KNOWN) == []


def test_every_menu_is_chinese(screen, qtbot):
    for names in (("Hale",), ("Hale", "Clara"), ("Hale", "Clara", "Marsh")):
        menu = QMenu(screen)
        screen.corrections.menu.fill(menu, rows_of(screen, *names))
        assert menu.actions() and english_texts(menu, KNOWN) == []
    assert english_texts(screen.page.head.actions_menu, KNOWN) == []


def test_messages_and_the_history_are_chinese(screen, context, library, qtbot, opened):
    menu, editing = screen.corrections.menu, context.editing
    hale, clara = rows_of(screen, "Hale", "Clara")
    done = []
    menu.edits.done.connect(done.append)
    for verb in (
        lambda: menu.give_name(hale, "Captain Hale"),
        lambda: menu.retype([clara], "organisation"),
        lambda: menu.edits.run(editing.relate, hale.id, clara.id, kind="friend", message="好"),
        lambda: menu.edits.run(editing.describe, clara.id, "钟表匠之女。", message="好"),
        lambda: menu.never_merge([hale, clara]),
        lambda: menu.delete([clara], forever=True),
        menu.edits.undo,
        menu.edits.redo,
    ):
        n = len(done)
        verb()
        qtbot.waitUntil(lambda n=n: len(done) > n)
        assert not context.messages.last.text.isascii()
    menu.show_history()
    sheet = opened()
    qtbot.waitUntil(lambda: sheet.list.count() == 7)
    assert english_texts(sheet, KNOWN) == []
    assert sheet.list.hasFocus() or sheet.focusWidget() is sheet.list


def test_a_kind_chosen_in_chinese_is_stored_by_its_key(screen, qtbot, opened):
    screen.corrections.menu.relate(*rows_of(screen, "Hale"))
    sheet = opened()
    assert isinstance(sheet, RelationDialog)
    shown = [sheet.kind.itemText(i) for i in range(1, sheet.kind.count())]
    assert "朋友" in shown and all(not word.isascii() for word in shown)
    sheet.search.setText("Cl")
    qtbot.waitUntil(lambda: sheet.save_button.isEnabled())
    for typed, kept in (("朋友", "friend"), ("师徒", "师徒"), ("", "")):
        sheet.kind.setEditText(typed)
        assert sheet.chosen_kind() == kept
    sheet.kind.setEditText("朋友")
    with qtbot.waitSignal(sheet.given) as given:
        qtbot.mouseClick(sheet.save_button, Qt.MouseButton.LeftButton)
    assert given.args[1] == "friend"
