"""The list of chats in the sidebar: order, folders, pins, search, menu."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

from desktop_app.engine.model import MessageRow
from desktop_app.engine.store.chats import ChatHit
from desktop_app.ui.shell.chat_list import LINE_ROLE, ChatList, chat_data, read_chat
from tests.ui.fakes import FakeContext
from tests.ui.line_dialogs import give_line


@pytest.fixture
def chats(qtbot, context: FakeContext) -> Iterator[ChatList]:
    made = ChatList(context)
    qtbot.addWidget(made)
    made.resize(204, 400)
    context.hub.changed.connect(lambda _: made.set_chats(context.chats.list_chats()))
    made.set_chats(context.chats.list_chats())
    made.show()
    yield made


def texts(chats: ChatList) -> list[str]:
    return [line.text for line in chats.lines()]


def choose(chats: ChatList, place: int, words: str) -> None:
    """Choose a command of the context menu of a row."""
    menu = chats.build_menu(chats.lines()[place])
    actions = {a.text(): a for a in menu.actions()}
    for action in menu.actions():
        if action.menu() is not None:
            actions |= {a.text(): a for a in action.menu().actions()}
    actions[words].trigger()


def press(qtbot, context: FakeContext, chats: ChatList, place: int, words: str) -> None:
    with qtbot.waitSignal(context.hub.changed):
        choose(chats, place, words)


def test_a_pinned_chat_is_first(qtbot, chats: ChatList, context: FakeContext) -> None:
    last = texts(chats)[-1]
    press(qtbot, context, chats, 2, "Pin to the top")
    assert texts(chats)[0] == last
    press(qtbot, context, chats, 0, "Unpin")
    assert texts(chats)[-1] == last


def test_chats_are_put_in_folders_that_collapse(
    qtbot, chats: ChatList, context: FakeContext
) -> None:
    choose(chats, 0, "New folder…")
    with qtbot.waitSignal(context.hub.changed):
        give_line("小说")
    assert [(x.kind, x.text) for x in chats.lines()][:2] == [
        ("folder", "小说"),
        ("chat", "Marley's ghost"),
    ]
    press(qtbot, context, chats, 2, "小说")
    assert chats.lines()[0].count == 2
    chats.rows.itemClicked.emit(chats.rows.item(0))
    assert [x.kind for x in chats.lines()] == ["folder", "chat"]
    press(qtbot, context, chats, 0, "Remove folder, keep its chats")
    assert [x.kind for x in chats.lines()] == ["chat"] * 3


def test_text_is_found_in_all_chats_and_opened(qtbot, context, chats) -> None:
    context.chats.messages[12] = [MessageRow(4, 12, "assistant", "晁盖劫了法场", 0.0)]
    chats.search.setText("法场")
    qtbot.waitUntil(lambda: [x.kind for x in chats.lines()] == ["hit"])
    with qtbot.waitSignal(chats.message_wanted) as gone:
        chats.rows.itemClicked.emit(chats.rows.item(0))
    assert gone.args == [12, 4]
    chats.search.setText("nowhere at all")
    qtbot.waitUntil(lambda: chats.nothing.isVisible())
    chats.search.clear()
    qtbot.waitUntil(lambda: chats.count() == 3)
    assert chats.rows.item(0).data(LINE_ROLE).kind == "chat"


def test_a_click_opens_a_chat(qtbot, chats: ChatList) -> None:
    with qtbot.waitSignal(chats.chat_wanted) as opened:
        chats.rows.itemClicked.emit(chats.rows.item(1))
    assert opened.args == [12]


def drop(chats: ChatList, chat_id: int, place: QPoint) -> bool:
    """Drag a chat over this row; return whether the drop is accepted."""
    what, keys = chat_data(chat_id), Qt.KeyboardModifier.NoModifier
    moves, left = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton
    chats.rows.dragEnterEvent(QDragEnterEvent(place, moves, what, left, keys))
    move = QDragMoveEvent(place, moves, what, left, keys)
    chats.rows.dragMoveEvent(move)
    taken = move.isAccepted()
    if taken:
        chats.rows.dropEvent(QDropEvent(place, moves, what, left, keys))
    return taken


def place_of(chats: ChatList, text: str) -> QPoint:
    return chats.rows.visualItemRect(chats.rows.item(texts(chats).index(text))).center()


def folder_of(context: FakeContext, chat_id: int) -> str:
    return next(row.folder for row in context.chats.list_chats() if row.id == chat_id)


def test_a_chat_is_dragged_into_and_out_of_a_folder(qtbot, context, chats) -> None:
    first, second, third = (line.chat for line in chats.lines())
    context.chats.put_in_folder(first.id, "小说")
    chats.set_chats(context.chats.list_chats())
    with qtbot.waitSignal(context.hub.changed):
        assert drop(chats, second.id, place_of(chats, "小说"))
    assert folder_of(context, second.id) == "小说"
    with qtbot.waitSignal(
        context.hub.changed
    ):  # dropped on a chat of a folder, it joins the folder
        assert drop(chats, third.id, place_of(chats, first.title))
    assert folder_of(context, third.id) == "小说"
    below = chats.rows.viewport().rect().bottomLeft() + QPoint(20, -5)
    with qtbot.waitSignal(context.hub.changed):
        assert drop(chats, first.id, below)
    assert folder_of(context, first.id) == ""


def test_invalid_drop_targets_are_refused(qtbot, context, chats) -> None:
    first, second, _ = (line.chat for line in chats.lines())
    assert not drop(chats, second.id, place_of(chats, first.title))  # both in no folder
    press(qtbot, context, chats, 0, "Pin to the top")
    assert not drop(chats, second.id, place_of(chats, first.title))
    context.chats.put_in_folder(second.id, "Novels")
    chats.set_chats(context.chats.list_chats())
    with qtbot.waitSignal(context.hub.changed):
        assert drop(chats, first.id, place_of(chats, "Novels"))
    qtbot.waitUntil(lambda: folder_of(context, first.id) == "Novels")
    qtbot.waitUntil(lambda: not any(line.chat and line.chat.pinned for line in chats.lines()))


def test_only_chats_can_be_dropped(chats: ChatList) -> None:
    words = QMimeData()
    words.setText("12")
    assert read_chat(words) is None and read_chat(chat_data(12)) == 12


def test_more_hits_of_a_chat_are_counted_and_shown(qtbot, context, chats) -> None:
    context.chats.find = lambda text, limit, chat_id: (
        [ChatHit(11, "Long", i, "user", "the ferry", (4, 9)) for i in range(40)]
        if chat_id == 11
        else [
            *(ChatHit(11, "Long", i, "user", "the ferry", (4, 9)) for i in (39, 38)),
            ChatHit(11, "Long", 37, "user", "the ferry", (4, 9), 37),
            ChatHit(12, "Short", 90, "user", "a ferry", (2, 7)),
        ]
    )
    chats.search.setText("ferry")
    qtbot.waitUntil(lambda: [x.kind for x in chats.lines()] == ["hit"] * 3 + ["more", "hit"])
    assert chats.lines()[3].text == "and 37 more"
    assert chats.grab().width() == 204  # draws each kind of line
    chats.rows.itemClicked.emit(chats.rows.item(3))
    qtbot.waitUntil(lambda: chats.count() == 40)
