"""The options above a chat: mode, documents, format."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QPlainTextEdit

from desktop_app.engine.query import ALL_MODES, LONG_FORM, SHORT_FORM, QueryParam
from desktop_app.engine.services.collections import CollectionRow
from desktop_app.engine.settings import check_value, options_of
from desktop_app.ui.chat.composer import QuestionBox
from desktop_app.ui.chat.options_row import ModePanel, OptionsRow
from desktop_app.ui.chat.screen import NO_DOCUMENTS, ChatColumn, ChatScreen
from desktop_app.ui.widgets.buttons import CARET, CARET_GAP
from desktop_app.ui.widgets.modes import MODE_GROUPS, mode_of
from tests.ui.chat.conversations import tick
from tests.ui.fakes import FakeContext


@pytest.fixture
def head(qtbot, context: FakeContext) -> OptionsRow:
    made = OptionsRow(context.theme)
    qtbot.addWidget(made)
    made.resize(900, 32)
    made.show()
    made.scope.panel.set_documents(context.library_reader.documents)
    return made


def test_every_retrieval_mode_is_in_the_menu_once() -> None:
    listed = [mode.key for _, modes in MODE_GROUPS for mode in modes]
    assert sorted(listed) == sorted(ALL_MODES)
    assert all(mode_of(key).use.endswith(".") and mode_of(key).short for key in ALL_MODES)


def test_a_mode_is_chosen_by_the_keyboard(qtbot, context) -> None:
    panel = ModePanel(context.theme)
    qtbot.addWidget(panel)
    panel.set_chosen("walk")
    panel.fit()
    panel.show()
    qtbot.keyClick(panel.rows, Qt.Key.Key_Down)
    qtbot.keyClick(panel.rows, Qt.Key.Key_Down)  # skips the name of a group
    with qtbot.waitSignal(panel.picked) as picked:
        qtbot.keyClick(panel.rows, Qt.Key.Key_Return)
    assert picked.args == ["local"] and not panel.isVisible()


def test_the_button_shows_the_chosen_documents_even_when_narrow(head: OptionsRow) -> None:
    head.resize(100, 32)
    head.fit(100)
    assert head.scope.text() == "All"
    tick(head.scope.panel.rows, 1, 2)
    assert head.scope.text() == "2 documents"
    icon = head.scope.iconSize().width()
    assert head.scope.sizeHint().width() >= icon + CARET + CARET_GAP  # a caret beside it


def test_mode_and_length_are_in_the_panel_and_a_dot_says_that_they_differ(
    qtbot, head: OptionsRow
) -> None:
    shown = [button for button in head.findChildren(QAbstractButton) if button.isVisible()]
    assert shown == [head.scope, head.model, head.more_options]
    settings = head.more_options
    assert settings.toolTip() == "Answer options: Names and passages, Medium answer"
    assert not settings.has_dot and not settings.panel.reset_button.isEnabled()
    qtbot.mouseClick(settings, Qt.MouseButton.LeftButton)
    assert head.mode_button.isVisible() and head.length.isVisible()
    qtbot.keyClick(settings.panel, Qt.Key.Key_Tab)
    head.set_mode("words")
    assert head.mode_button.text() == "By exact words" and head.param.mode == "words"
    head.length.set_form(SHORT_FORM)
    assert settings.has_dot and settings.toolTip().endswith("By exact words, Short answer")
    settings.panel.reset_button.click()
    assert head.param == QueryParam() and not settings.has_dot


def test_documents_and_collections_exclude_each_other(head: OptionsRow) -> None:
    panel = head.scope.panel
    panel.set_collections([(7, "Novels"), (8, "研究资料")])
    tick(panel.rows, 1, 2)
    assert head.scope.text() == "2 documents"
    assert (head.param.document_ids, head.param.collection_ids) == ((1, 2), None)
    tick(panel.collections, 8)
    assert head.scope.text() == "研究资料"
    assert (head.param.document_ids, head.param.collection_ids) == (None, (8,))
    tick(panel.collections, 7, 8)
    assert head.scope.text() == "2 collections" and "Novels" in head.scope.toolTip()
    panel.set_collections([])
    assert head.scope.text() == "All documents" and head.param.collection_ids is None


def test_collections_of_the_library_can_be_chosen(qtbot, context) -> None:
    context.library_reader.collections = [CollectionRow(7, "Novels", 3)]
    screen = ChatScreen(context)
    qtbot.addWidget(screen)
    qtbot.waitUntil(lambda: screen.options.scope.panel.collections.count() == 1)
    tick(screen.options.scope.panel.collections, 7)
    assert screen.note.text().startswith("Searches only: Novels.")
    assert screen.options.param.collection_ids == (7,)


def test_asking_without_retrieval_is_stated_under_the_box(qtbot, context) -> None:
    column = ChatColumn(context.theme)
    qtbot.addWidget(column)
    column.options.set_mode("bypass")
    assert column.note.text() == NO_DOCUMENTS and not column.options.scope.isEnabled()
    column.options.set_mode("mix")
    assert column.note.text() == "" and column.options.scope.isEnabled()


def test_default_options_equal_the_defaults_of_the_engine(head: OptionsRow) -> None:
    assert head.param == QueryParam()


def test_format_and_options_are_passed_with_the_question(qtbot, head: OptionsRow) -> None:
    panel = head.more_options.panel
    with qtbot.waitSignal(head.param_changed):
        head.length.set_form("Bullet Points")
    panel.show()
    panel.rows["user_prompt"].findChild(QPlainTextEdit).setPlainText("  in simple words ")
    panel.rows["chunk_top_k"].enter(5)
    panel.rows["enable_rerank"].findChild(QCheckBox).click()
    panel.hide()  # entered values apply when the panel closes
    param = head.param
    assert (param.response_type, param.user_prompt) == ("Bullet Points", "in simple words")
    assert (param.chunk_top_k, param.enable_rerank) == (5, False)
    assert (
        "Additional instructions" in head.more_options.toolTip() and head.length.text() == "Points"
    )
    panel.reset()
    head.length.set_form("")
    assert head.param == QueryParam() and not head.more_options.has_dot


def test_expert_options_are_those_of_the_engine_with_its_defaults(head: OptionsRow) -> None:
    panel = head.more_options.panel
    elsewhere = {"mode", "document_ids", "collection_ids", "response_type", "conversation_history"}
    elsewhere |= {"pinned_chunk_ids"}  # on the passages
    assert set(panel.rows) == {f.name for f in fields(QueryParam)} - elsewhere
    for option in options_of(QueryParam):
        row = panel.rows[option.name]
        assert option.help and row.title.text() == option.label
        assert check_value(option, row.editor.read()) == getattr(QueryParam(), option.name)
        if option.kind == "number":
            row.enter(option.most)
            assert panel.values()[option.name] == option.most


def test_the_answer_length_is_chosen_in_its_menu(head: OptionsRow) -> None:
    listed = [action.text() for action in head.length.menu_box.actions()]
    assert listed == ["Short answer", "Medium answer", "Long answer", "Bullet points"]
    assert head.length.text() == "Medium" and head.param.response_type == ""
    head.length.menu_box.actions()[0].trigger()
    assert head.length.text() == "Short" and head.param.response_type == SHORT_FORM
    head.length.menu_box.actions()[2].trigger()
    assert head.length.text() == "Long" and head.param.response_type == LONG_FORM
    head.length.menu_box.actions()[1].trigger()
    assert head.length.text() == "Medium" and head.param == QueryParam()


@pytest.mark.parametrize(
    ("command", "form"), [("/short", SHORT_FORM), ("/long", LONG_FORM), ("/medium", "")]
)
def test_a_length_is_chosen_by_a_command(qtbot, context, command: str, form: str) -> None:
    screen = ChatScreen(context)
    qtbot.addWidget(screen)
    screen.submit("/points")
    screen.submit(command)
    assert screen.options.param.response_type == form


def test_there_is_room_for_a_model_that_is_known_later(
    qtbot, head: OptionsRow, context: FakeContext
) -> None:
    head.show()
    head.fit(sum(button.sizeHint().width() for button in head._buttons))
    assert not head.model.is_compact
    rows = [row for row in context.model_registry.rows if row.role == "chat"]
    title = "A chat model with a name"
    head.model.set_models([replace(row, title=title, installed=True, active=True) for row in rows])
    qtbot.waitUntil(lambda: head.model.is_compact)
    assert head._wanted_width() <= head._room


def test_the_options_have_the_same_room_whether_an_answer_is_written_or_not(qtbot, context) -> None:
    box = QuestionBox(context.theme)
    qtbot.addWidget(box)
    box.resize(720, 80)
    box.show()
    shown = [button.text() for button in box.options._buttons]
    assert "All documents" in shown and box.send_button.isVisible()
    room = box.options._room
    box.set_answering(True)
    assert box.send_button.isHidden() and box.options._room == room
    assert [button.text() for button in box.options._buttons] == shown
