"""Pasting into the library: files, lists of paths, text with a title."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication

from desktop_app.ui.library.clipboard import Pasted, PasteDialog, read_pasted, suggest_title
from desktop_app.ui.library.screen import LibraryScreen


def open_screen(context, qtbot) -> LibraryScreen:
    made = LibraryScreen(context)
    made.resize(1000, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: not made.is_loading)
    made.activateWindow()
    made.setFocus()
    return made


@pytest.fixture
def screen(context, qtbot) -> LibraryScreen:
    return open_screen(context, qtbot)


def copy(text: str = "", files: list[str] | None = None) -> None:
    data = QMimeData()
    if text:
        data.setText(text)
    if files:
        data.setUrls([QUrl.fromLocalFile(f) for f in files])
    QGuiApplication.clipboard().setMimeData(data)


def test_copied_files_and_folders_are_added_by_ctrl_v(screen, qtbot, tmp_path):
    copy(files=[str(tmp_path), str(tmp_path / "a.txt")])
    with qtbot.waitSignal(screen.files_dropped) as emitted:
        qtbot.keyClick(screen.list.table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert emitted.args == [[str(tmp_path), str(tmp_path / "a.txt")]]


def test_pasted_text_gets_a_title(screen, qtbot):
    text = "\n\n## The flood at Harrow Ford\nThe lamp went out.\n"
    copy(text)
    qtbot.keyClick(screen.list.table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    sheet: PasteDialog = screen.clipboard.sheet
    assert sheet.title_field.text() == "The flood at Harrow Ford"
    sheet.title_field.clear()
    assert not sheet.agree.isEnabled()
    sheet.title_field.setText("  A   flood ")
    with qtbot.waitSignal(screen.text_pasted) as emitted:
        sheet.agree.click()
    assert emitted.args == ["A flood", text]


def test_one_can_paste_into_an_empty_library(empty_context, qtbot):
    screen = open_screen(empty_context, qtbot)
    copy("青石镇旧事")
    qtbot.keyClick(screen, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert screen.clipboard.sheet.title_field.text() == "青石镇旧事"


def test_the_filter_field_keeps_its_own_paste(screen, qtbot):
    copy("carol")
    screen.filter.setFocus()
    qtbot.keyClick(screen.filter, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert screen.filter.text() == "carol" and screen.clipboard.sheet is None


def test_an_empty_clipboard_is_reported(screen, qtbot, context):
    QGuiApplication.clipboard().clear()
    screen.clipboard.paste()
    assert context.messages.last.text == "There are no files and no text on the clipboard."


def test_a_list_of_paths_is_added_as_files(tmp_path):
    file = tmp_path / "a b.txt"
    file.write_text("x", "utf-8")
    data = QMimeData()
    data.setText(f'"{file}"\n{QUrl.fromLocalFile(str(tmp_path)).toString()}\n')
    assert read_pasted(data) == Pasted(files=(str(file), str(tmp_path)))
    data.setText(f"{file}\nand some words")
    assert read_pasted(data).files == ()
    assert read_pasted(None) == Pasted()


def test_titles_are_suggested_from_the_first_words():
    assert suggest_title("\n > quoted line\nmore") == "quoted line"
    assert suggest_title(" \n\n") == ""
    long = suggest_title("word " * 40)
    assert len(long) <= 81 and long.endswith("word…")
