"""The reader by keyboard: caret, selection, menus, Tab order."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu

from tests.ui.fakes import CHINESE, ENGLISH

KEY, HOLD = Qt.Key, Qt.KeyboardModifier
SHIFT, CTRL = HOLD.ShiftModifier, HOLD.ControlModifier


@pytest.fixture
def text(qtbot, opened):
    view = opened(1).text_view
    view.setFocus()
    return view


@pytest.fixture
def pages(qtbot, opened):
    view = opened(5).pdf_view
    qtbot.waitUntil(lambda: view.worker.letters(0) is not None)
    view.setFocus()
    return view


def test_shift_and_arrow_keys_select_from_the_first_visible_line(qtbot, text):
    for _ in range(3):
        qtbot.keyClick(text, KEY.Key_Right, SHIFT)
    assert text.caret.shown
    assert text.selection.text == ENGLISH.lstrip()[:3]
    qtbot.keyClick(text, KEY.Key_Right, SHIFT | CTRL)
    assert text.selection.text == "Chapter"
    qtbot.keyClick(text, KEY.Key_End, SHIFT)
    assert text.selection.text == "Chapter 1. The ferry"
    qtbot.keyClick(text, KEY.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "Chapter 1. The ferry"


def test_lines_are_selected_downwards_and_deselected_upwards(qtbot, text):
    qtbot.keyClick(text, KEY.Key_Down, SHIFT)
    qtbot.keyClick(text, KEY.Key_Down, SHIFT)
    first = text.selection.range
    qtbot.keyClick(text, KEY.Key_Down, SHIFT)
    longer = text.selection.range
    assert longer[0] == first[0]
    assert longer[1] > first[1]
    qtbot.keyClick(text, KEY.Key_Up, SHIFT)
    assert text.selection.range == first


def test_arrow_keys_scroll_without_a_caret_and_move_the_caret_with_one(qtbot, text):
    text.set_zoom(2.0)
    qtbot.keyClick(text, KEY.Key_Down)
    assert text.verticalScrollBar().value() > 0
    assert text.selection.head is None
    qtbot.keyClick(text, KEY.Key_F7)
    at = text.caret.at
    before = text.grab().toImage()
    qtbot.keyClick(text, KEY.Key_Right)
    assert text.caret.at == at + 1
    assert text.selection.range is None
    assert text.grab().toImage() != before
    qtbot.keyClick(text, KEY.Key_Escape)
    assert not text.caret.shown


def test_the_caret_stays_visible_down_to_the_end(qtbot, text):
    text.set_zoom(2.0)
    qtbot.keyClick(text, KEY.Key_F7)
    seen = []
    for _ in range(60):
        qtbot.keyClick(text, KEY.Key_Down)
        box = text.caret.box()
        assert 0 <= box.top() < box.bottom() <= text.viewport().height()
        seen.append(text.caret.at)
    assert seen == sorted(seen)
    assert seen[-1] >= ENGLISH.rstrip().rfind("\n")
    qtbot.keyClick(text, KEY.Key_Home, CTRL)
    assert text.caret.at == 0
    assert text.verticalScrollBar().value() < 60


def test_chinese_characters_and_lines_are_selected_by_keys(qtbot, opened):
    view = opened(2).text_view
    view.setFocus()
    qtbot.keyClick(view, KEY.Key_Down, SHIFT)
    qtbot.keyClick(view, KEY.Key_Right, SHIFT)
    start, end = view.selection.range
    assert CHINESE[start:end].startswith(CHINESE.lstrip()[:4])
    assert end - start > 4


def test_keys_select_over_lines_and_pages_of_a_pdf(qtbot, pages):
    qtbot.keyClick(pages, KEY.Key_Right, SHIFT | CTRL)
    assert pages.selection.text == "The"
    qtbot.keyClick(pages, KEY.Key_Down, SHIFT)
    qtbot.keyClick(pages, KEY.Key_End, SHIFT)
    assert pages.selection.text == "The ferry leaves at dawn. Nobody waits for the ferry."
    pages.grab()
    qtbot.keyClick(pages, KEY.Key_Down, SHIFT)
    qtbot.waitUntil(lambda: pages.worker.letters(1) is not None)
    qtbot.keyClick(pages, KEY.Key_End, SHIFT)
    assert pages.selection.text.endswith("At noon the bridge was closed.")
    box = pages.caret.box()
    assert 0 <= box.top() <= pages.viewport().height()


def test_in_single_page_view_the_caret_turns_pages(qtbot, pages):
    pages.set_single(True)
    qtbot.keyClick(pages, KEY.Key_F7)
    for _ in range(2):
        qtbot.keyClick(pages, KEY.Key_Down)
    qtbot.waitUntil(lambda: pages.current_page() == 1)


def open_menu(qtbot) -> QMenu:
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    return QApplication.activePopupWidget()


@pytest.mark.parametrize(("key", "hold"), [(KEY.Key_Menu, HOLD.NoModifier), (KEY.Key_F10, SHIFT)])
def test_the_menu_key_opens_the_menu_of_the_selection(qtbot, opened, text, key, hold):
    for _ in range(2):
        qtbot.keyClick(text, KEY.Key_Right, SHIFT | CTRL)
    qtbot.keyClick(text, key, hold)
    menu = open_menu(qtbot)
    words = [action.text() for action in menu.actions()]
    assert "Add “Chapter 1” as a name…" in words
    menu.close()


def test_keys_move_between_names_and_open_one(qtbot, opened):
    reader = opened(1)
    view = reader.text_view
    view.setFocus()
    qtbot.keyClick(view, KEY.Key_N)
    assert reader.head.names.isChecked()
    qtbot.waitUntil(lambda: bool(view.names))
    qtbot.keyClick(view, KEY.Key_N)
    first = view.caret.name()
    assert first == view.names[0]
    qtbot.keyClick(view, KEY.Key_N)
    assert view.caret.name() == view.names[1]
    qtbot.keyClick(view, KEY.Key_N, SHIFT)
    assert view.caret.name() == first
    qtbot.keyClick(view, KEY.Key_Return)
    card = reader.passage_actions.card
    assert card is not None
    assert card.entity_id == first[2]
    qtbot.waitUntil(card.open_button.hasFocus)
    qtbot.keyClick(card.open_button, KEY.Key_Tab)
    assert card.isAncestorOf(QApplication.focusWidget())
    qtbot.keyClick(QApplication.focusWidget(), KEY.Key_Escape)
    assert reader.passage_actions.card is None
    assert view.hasFocus()
    qtbot.keyClick(view, KEY.Key_Menu)
    menu = open_menu(qtbot)
    assert menu.actions()[0].text() == f"Open {first[3]}"
    menu.close()


def test_a_highlight_under_the_caret_opens_with_return_and_the_caret_stays(qtbot, opened, context):
    context.editing = context.annotations
    reader = opened(1)
    view = reader.text_view
    view.setFocus()
    for _ in range(3):
        qtbot.keyClick(view, KEY.Key_Right, SHIFT | CTRL)
    end = view.selection.range[1]
    qtbot.keyClick(view, KEY.Key_H, SHIFT | CTRL)
    qtbot.waitUntil(lambda: bool(view.marks))
    assert view.selection.range is None
    assert view.caret.at == end
    qtbot.keyClick(view, KEY.Key_Left)
    qtbot.keyClick(view, KEY.Key_Return)
    assert reader.annotations.card is not None
    qtbot.keyClick(reader.annotations.card.note, KEY.Key_Escape)
    assert view.hasFocus()


def test_tab_moves_from_the_head_through_the_panel_to_the_text(qtbot, opened):
    reader = opened(1)
    reader.resize(900, 600)
    reader.head.outline.click()
    reader.activateWindow()
    reader.head.outline.setFocus(Qt.FocusReason.TabFocusReason)
    order = []
    for _ in range(18):
        reader.focusNextPrevChild(True)
        order.append(QApplication.focusWidget())
    shown = [w for w in (reader.head.names, reader.head.note, reader.head.bookmark,
             reader.head.search, reader.head.zoom, reader.head.close_button,
             reader.body.side.tabs["chapters"], reader.outline.tree, reader.text_view)]  # fmt: skip
    assert [w for w in order if w in shown][: len(shown)] == shown


def test_marks_in_the_panel_have_a_menu_and_are_removed_by_keys(qtbot, opened, context):
    context.editing = context.annotations
    reader = opened(1)
    reader.resize(900, 600)
    reader.annotations.highlight(0, 9)
    qtbot.waitUntil(lambda: bool(reader.annotations.marks))
    reader.head.outline.click()
    reader.body.side.show_tab("notes")
    rows = reader.body.side.annotations.list
    rows.setFocus()
    rows.setCurrentRow(0)
    qtbot.keyClick(rows, KEY.Key_F10, SHIFT)
    menu = open_menu(qtbot)
    assert menu.actions()[0].text() == "Go to"
    menu.close()
    qtbot.keyClick(rows, KEY.Key_Delete)
    qtbot.waitUntil(lambda: not reader.annotations.marks)


def test_chapters_are_selected_by_keys(qtbot, opened):
    reader = opened(1)
    reader.resize(900, 600)
    reader.head.outline.click()
    tree = reader.outline.tree
    tree.setFocus()
    qtbot.keyClick(tree, KEY.Key_Down)
    qtbot.keyClick(tree, KEY.Key_Menu)
    menu = open_menu(qtbot)
    assert menu.actions()[0].text() == "Go to this chapter"
    menu.close()
    qtbot.keyClick(tree, KEY.Key_Return)
    assert reader.text_view.hasFocus()
    assert "Chapter 2" in reader.head.position.text()


def test_escape_closes_the_search_and_selects_its_hit(qtbot, opened):
    reader = opened(1)
    qtbot.keyClick(reader.text_view, KEY.Key_F, CTRL)
    field = reader.find_bar.field
    qtbot.keyClicks(field, "penny")
    qtbot.waitUntil(lambda: len(reader.text_view.hits) == 2)
    qtbot.keyClick(field, KEY.Key_Return, SHIFT)
    assert reader.text_view.current_hit == 1
    qtbot.keyClick(field, KEY.Key_Escape)
    assert reader.find_bar.isHidden()
    assert reader.text_view.hasFocus()
    assert reader.text_view.selection.text == "penny"
    qtbot.keyClick(reader.text_view, KEY.Key_Right, SHIFT)
    assert len(reader.text_view.selection.text) == 6


def test_a_bookmark_is_added_at_the_caret(qtbot, opened, context):
    context.editing = context.annotations
    reader = opened(1)
    view = reader.text_view
    view.setFocus()
    qtbot.keyClick(view, KEY.Key_F7)
    for _ in range(3):
        qtbot.keyClick(view, KEY.Key_Down)
    at = view.caret.at
    qtbot.keyClick(view, KEY.Key_D, CTRL)
    qtbot.waitUntil(lambda: bool(view.marks))
    assert view.marks[0].start == view.paragraph_at(at)[0] > 0


def test_space_scrolls_down_and_shift_space_up(qtbot, text):
    text.set_zoom(3.0)
    qtbot.keyClick(text, KEY.Key_Space)
    assert text.verticalScrollBar().value() > 0
    qtbot.keyClick(text, KEY.Key_Space, SHIFT)
    assert text.verticalScrollBar().value() == 0
