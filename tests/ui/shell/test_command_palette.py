"""The command palette over a window of fake screens: search, ranking, actions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.model import DocumentRow
from desktop_app.ui.quotations.sheet import QuotationSheet
from desktop_app.ui.settings.screen import SettingsScreen
from desktop_app.ui.shell.command_palette import PaletteRow, rate
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.widgets import add_shortcut
from tests.ui.fakes import FakeContext
from tests.ui.shell.fake_screens import FakeScreen, build_window


@pytest.fixture
def window(context: FakeContext, qtbot, tmp_path, monkeypatch) -> MainWindow:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    made = build_window(context, settings=SettingsScreen(context))
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    made.actions_by_name["palette"].trigger()
    qtbot.waitUntil(made.palette_box.isVisible)
    return made


def rows(window: MainWindow) -> list[PaletteRow]:
    shown = window.palette_box.results
    found = [shown.item(i).data(Qt.ItemDataRole.UserRole) for i in range(shown.count())]
    return [row for row in found if row is not None]


def texts(window: MainWindow) -> list[str]:
    return [row.text for row in rows(window)]


def sections(window: MainWindow) -> list[str]:
    shown = window.palette_box.results
    items = [shown.item(i) for i in range(shown.count())]
    return [i.text() for i in items if i.data(Qt.ItemDataRole.UserRole) is None]


def type_and_choose(window: MainWindow, qtbot, text: str, wanted: str) -> None:
    window.palette_box.field.setText(text)
    qtbot.waitUntil(lambda: texts(window)[:1] == [wanted])
    qtbot.keyClick(window.palette_box.field, Qt.Key.Key_Return)


def test_commands_of_a_screen_that_is_built_meanwhile_are_found(
    context: FakeContext, qtbot, tmp_path, monkeypatch
):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    screen = FakeScreen()
    add_shortcut(screen, "Ctrl+J", lambda: None, "Bounce the ball")
    window = build_window(context, settings=SettingsScreen(context), graph=screen)
    qtbot.addWidget(window)
    window.show()
    window.palette_box.open()
    window.palette_box.field.setText("bounce")
    assert "Bounce the ball" not in [command.text for command in window.list_commands()]
    window.screens.get("graph")
    qtbot.waitUntil(lambda: "Bounce the ball" in texts(window))


def test_names_documents_commands_and_settings_are_found(window: MainWindow, qtbot):
    palette = window.palette_box
    palette.field.setText("林")
    qtbot.waitUntil(lambda: texts(window) == ["林秋白"] and sections(window) == ["Names"])
    palette.field.setText("carol")
    qtbot.waitUntil(lambda: texts(window)[:1] == ["A Christmas Carol"])
    palette.field.setText("keyb")
    qtbot.waitUntil(lambda: texts(window)[:1] == ["Keyboard shortcuts"])
    palette.field.setText("high contr")
    qtbot.waitUntil(lambda: texts(window) == ["High contrast"])
    assert sections(window) == ["Settings"]
    palette.field.setText("zzz")
    qtbot.waitUntil(lambda: texts(window) == ["Nothing found"])
    qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_chats_are_found_by_title_and_text(window: MainWindow, context, qtbot):
    title = context.chats.rows[0].title
    window.palette_box.field.setText(title.split()[-1][:4])
    qtbot.waitUntil(lambda: title in texts(window))
    qtbot.waitUntil(lambda: "Chats" in sections(window))


def test_return_opens_the_name(window: MainWindow, qtbot):
    type_and_choose(window, qtbot, "Tobias", "Tobias Quill")
    assert window.current == "entity"
    assert window.screens.entity.calls == [("show_entity", 2)]


def test_a_document_opens_in_the_reader(window: MainWindow, qtbot):
    type_and_choose(window, qtbot, "a christmas carol", "A Christmas Carol")
    assert len(window.document_tabs.open_ids) == 1


def test_a_setting_is_opened(window: MainWindow, qtbot):
    type_and_choose(window, qtbot, "passage size", "Passage size")
    assert window.current == "settings"
    row = window.screens.settings.views["reading"].rows["chunk_token_size"]
    qtbot.waitUntil(lambda: row.editor.field.hasFocus() or not window.isActiveWindow())


def test_arrow_keys_skip_headings(window: MainWindow, qtbot):
    palette = window.palette_box
    assert palette.results.currentRow() == 1  # below the heading
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(palette.field, key)
    assert palette.results.currentRow() == 2
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.current == "graph"


def test_recent_entries_come_first_even_after_a_restart(window: MainWindow, context, qtbot):
    type_and_choose(window, qtbot, "go to models", "Go to models")
    window.palette_box.open()
    assert sections(window)[0] == "Recent" and texts(window)[0] == "Go to models"
    window.palette_box.close_palette()
    window.palette_box.open()
    type_and_choose(window, qtbot, "Tobias", "Tobias Quill")
    window.palette_box.open()
    qtbot.waitUntil(lambda: texts(window)[:2] == ["Tobias Quill", "Go to models"])
    again = build_window(context)
    qtbot.addWidget(again)
    again.palette_box.open()
    qtbot.waitUntil(lambda: texts(again)[:2] == ["Tobias Quill", "Go to models"])


def test_of_two_namesakes_only_the_one_that_was_opened_is_recent(
    window: MainWindow, context, qtbot, monkeypatch
):
    first = context.library_reader.find_entities("Tobias", 1)[0]
    second = replace(first, id=900, story="Emma")
    monkeypatch.setattr(
        context.library_reader, "find_entities", lambda *_: [first, second], raising=True
    )
    palette = window.palette_box
    palette.field.setText("Tobias")
    qtbot.waitUntil(lambda: texts(window)[:2] == ["Tobias Quill", "Tobias Quill"])
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.screens.entity.calls[-1] == ("show_entity", 900)
    palette.open()
    qtbot.waitUntil(lambda: texts(window)[:1] == ["Tobias Quill"])
    assert [row.note for row in rows(window) if row.text == "Tobias Quill"] == ["Emma"]


def test_one_of_ten_thousand_documents_is_found(window: MainWindow, context, qtbot):
    book = context.library_reader.documents[0]
    many = [
        DocumentRow(i, f"{book.title} volume {i}", f"{i}.txt", "txt", "en", "ready")
        for i in range(1, 10_001)
    ]
    context.library_reader.documents[:] = many
    window.palette_box.open()
    window.palette_box.field.setText("volume 9999")
    qtbot.waitUntil(lambda: f"{book.title} volume 9999" in texts(window))


@pytest.mark.parametrize(
    ("better", "worse", "typed"),
    [
        ("library", "library of babel", "library"),
        ("go to library", "calibrary", "library"),
        ("merge desk", "go to the merge desk", "merge"),
        ("the board", "keyboard shortcuts", "board"),
        ("open another library", "oberon pen another lib", "open an"),
    ],
)
def test_the_better_match_is_rated_higher(better: str, worse: str, typed: str):
    assert rate(better, typed) > rate(worse, typed) > 0


def test_letters_match_only_in_order():
    assert rate("library", "lbry") > 0
    assert rate("library", "lbx") == 0
    assert rate("show the sidebar", "side show") > 0


def test_a_pasted_quotation_is_found_and_its_place_is_opened(window: MainWindow, qtbot):
    window.palette_box.field.setText("Ada Merrow pulled him abroad and asked for his penny")
    wanted = "Ada Merrow pulled him aboard and asked for his penny"
    qtbot.waitUntil(lambda: texts(window)[:1] == [wanted])
    assert sections(window)[:2] == ["Similar passages", "Quotation"]
    assert "The Ferry at Harrow Ford" in rows(window)[0].note
    qtbot.keyClick(window.palette_box.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(window.screens.reader.calls))
    assert window.screens.reader.calls[-1][:2] == ("open_at", 1)


def test_the_dialog_of_quotations_opens_with_the_text_of_the_palette(window: MainWindow, qtbot):
    text = "and she had never learned to swim in the cold river of the town"
    window.palette_box.field.setText(text)
    qtbot.waitUntil(lambda: "Find this quotation…" in texts(window))
    find = next(row for row in rows(window) if row.text == "Find this quotation…")
    find.act()
    sheet = next(s for s in window.findChildren(QuotationSheet) if s.isVisible())
    assert sheet.field.toPlainText() == text
    sheet.place_chosen.emit(1, 40, 60)
    assert window.screens.reader.calls[-1] == ("open_at", 1, 40, 60)
    sheet.reject()
    window.actions_by_name["find_quotation"].trigger()
    again = next(s for s in window.findChildren(QuotationSheet) if s.isVisible())
    assert again.field.toPlainText() == text
    again.reject()


def test_words_to_search_for_are_no_quotation(window: MainWindow, qtbot):
    window.palette_box.field.setText("Tobias Quill")
    qtbot.waitUntil(lambda: texts(window)[:1] == ["Tobias Quill"])
    assert "Quotation" not in sections(window)
