"""Tests that typed text and waiting questions are there again after a restart."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.store import chats as chat_rows
from desktop_app.engine.store.db import Db
from desktop_app.ui.chat.screen import ChatScreen
from tests.ui.chat.conversations import QuickAsking, ask, shown
from tests.ui.fakes import FakeContext

Start = Callable[[], ChatScreen]


class SlowAsking(QuickAsking):
    """An answer pipeline that waits before each answer but the first."""

    def __init__(self, db: Db) -> None:
        super().__init__(db)
        self.go = threading.Event()

    def ask(self, chat_id, question, param, **more):
        if self.params:
            self.go.wait(20)
        return super().ask(chat_id, question, param, **more)


@pytest.fixture
def start(qtbot, talk: FakeContext) -> Start:
    """Return a function that shows a new chat screen, as a restart does."""

    def show() -> ChatScreen:
        made = ChatScreen(talk)
        qtbot.addWidget(made)
        made.resize(900, 700)
        made.show()
        qtbot.waitUntil(lambda: bool(made.empty.questions()))
        return made

    return show


@pytest.fixture
def slow(talk: FakeContext, db: Db) -> Iterator[SlowAsking]:
    made = SlowAsking(db)
    talk.answer_pipeline = made
    yield made
    made.go.set()


def drafts(db: Db) -> dict[int, str]:
    return chat_rows.fetch_drafts(db)


def waiting(db: Db) -> list[str]:
    return [one.text for one in chat_rows.fetch_waiting(db)]


def held_back(screen: ChatScreen) -> list[str]:
    """Return the questions that are shown as "Not asked yet"."""
    shown = screen.turns.widgets()
    return [one.turn.question for one in shown if one.step.text() == "Not asked yet"]


def test_typed_text_is_stored_without_any_command_and_is_there_again(qtbot, start, db) -> None:
    screen = start()
    qtbot.keyClicks(screen.box.edit, "Who is the ferrywoman")
    qtbot.waitUntil(lambda: drafts(db) == {0: "Who is the ferrywoman"})
    again = start()
    qtbot.waitUntil(lambda: again.box.text() == "Who is the ferrywoman")


def test_each_chat_has_its_own_text(qtbot, start, talk, db) -> None:
    screen = start()
    ask(qtbot, screen, "Who is Ada?")
    first = screen.chat_id
    screen.box.set_text("And her sister?")
    screen.new_chat()
    assert screen.box.text() == ""
    screen.box.set_text("Another thing")
    screen.open_chat(first)
    assert screen.box.text() == "And her sister?"
    screen.new_chat()
    assert screen.box.text() == "Another thing"
    screen.save_changes()
    qtbot.waitUntil(lambda: drafts(db) == {first: "And her sister?", 0: "Another thing"})
    again = start()
    qtbot.waitUntil(lambda: again.box.text() == "Another thing")
    again.open_chat(first)
    assert again.box.text() == "And her sister?"


def test_a_text_typed_before_the_drafts_are_loaded_stays(qtbot, start, talk, db) -> None:
    talk.chats.save_draft(0, "Old")
    held, load = threading.Event(), talk.chats.list_drafts

    def load_late() -> dict[int, str]:
        held.wait(20)
        return load()

    talk.chats.list_drafts = load_late
    screen = ChatScreen(talk)
    qtbot.addWidget(screen)
    screen.box.set_text("New")
    held.set()
    qtbot.waitUntil(lambda: bool(screen.empty.questions()))
    assert screen.box.text() == "New"
    screen.save_changes()
    qtbot.waitUntil(lambda: drafts(db) == {0: "New"})


def test_a_sent_question_and_a_deleted_chat_leave_no_text(qtbot, start, talk, db) -> None:
    screen = start()
    screen.box.set_text("Who is Ada?")
    screen.save_changes()
    qtbot.waitUntil(lambda: bool(drafts(db)))
    qtbot.keyClick(screen.box.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: drafts(db) == {})
    screen.box.set_text("And then?")
    screen.save_changes()
    qtbot.waitUntil(lambda: drafts(db) == {screen.chat_id: "And then?"})
    talk.chats.delete_chat(screen.chat_id)
    assert drafts(db) == {}


def test_editing_an_earlier_question_keeps_the_typed_text(qtbot, start, db) -> None:
    screen = start()
    ask(qtbot, screen, "Who is Ada?")
    screen.box.set_text("And her sister?")
    screen.box.begin_editing(screen.conversation.turns[0] if screen.conversation.turns else
                             screen.turns.widgets()[0].turn, "Who is Ada?")  # fmt: skip
    screen.save_changes()
    qtbot.waitUntil(lambda: drafts(db) == {screen.chat_id: "And her sister?"})
    screen.box.end_editing()
    assert screen.box.text() == "And her sister?"


def test_questions_that_wait_are_stored_until_they_are_asked(qtbot, start, slow, db) -> None:
    screen = start()
    ask(qtbot, screen, "First?")
    for question in ("Second?", "Third?", "Fourth?"):
        screen.submit(question)
    # The second one is with the model; its text is in the chat once the pipeline added it.
    qtbot.waitUntil(lambda: set(waiting(db)) >= {"Third?", "Fourth?"})
    fourth = screen.turns.widgets()[-1]
    qtbot.waitUntil(lambda: fourth.job.can_withdraw)
    fourth.step_action.click()
    qtbot.waitUntil(lambda: "Fourth?" not in waiting(db))
    slow.go.set()
    qtbot.waitUntil(lambda: not any(one.is_live for one in screen.questions))
    qtbot.waitUntil(lambda: waiting(db) == [])


def test_questions_that_waited_are_shown_and_asked_when_wanted(qtbot, start, talk, db) -> None:
    screen = start()
    ask(qtbot, screen, "First?")
    chat_id = screen.chat_id
    for text, mode in (("Second?", "naive"), ("Third?", "walk"), ("Odd?", "no such mode")):
        with db.transaction():
            chat_rows.add_waiting_question(
                db, chat_rows.WaitingQuestion(chat_id, text, mode, "Bullet Points")
            )
    again = start()
    qtbot.waitUntil(lambda: bool(talk.messages.last))
    assert "3 questions" in talk.messages.last.text
    with qtbot.waitSignal(again.open_chat_wanted) as wanted:
        talk.messages.last.action()
    again.open_chat(*wanted.args)
    qtbot.waitUntil(lambda: len(again.turns.widgets()) == 4)
    held = again.turns.widgets()[1:]
    assert [w.step.text() for w in held] == ["Not asked yet"] * 3
    assert all(w.remove_button.isVisible() for w in held)
    held[1].remove_button.click()
    qtbot.waitUntil(lambda: waiting(db) == ["Second?", "Odd?"])
    n_asked = len(talk.answer_pipeline.params)
    for widget in (held[0], held[2]):
        widget.step_action.click()
    qtbot.waitUntil(lambda: len(talk.answer_pipeline.params) == n_asked + 2)
    qtbot.waitUntil(lambda: waiting(db) == [])
    assert [p.mode for p in talk.answer_pipeline.params[-2:]] == ["naive", "walk"]
    assert talk.answer_pipeline.params[-1].response_type == "Bullet Points"
    qtbot.waitUntil(lambda: not any(one.is_live for one in again.questions))
    assert [question for question, _ in shown(again)] == ["First?", "Second?", "Odd?"]


def test_a_question_that_waits_when_the_window_closes_stays(qtbot, start, slow, db) -> None:
    screen = start()
    ask(qtbot, screen, "First?")
    screen.submit("Second?")
    screen.submit("Third?")
    qtbot.waitUntil(lambda: "Third?" in waiting(db))
    for one in screen.questions:  # as a lane does that closes
        one.stop()
    assert "Third?" in waiting(db)


def test_a_deleted_chat_comes_back_with_its_text_and_its_questions(qtbot, start, slow, db) -> None:
    screen = start()
    ask(qtbot, screen, "First?")
    chat_id = screen.chat_id
    screen.submit("Second?")
    screen.submit("Third?")
    qtbot.waitUntil(lambda: "Third?" in waiting(db))
    screen.box.set_text("And then?")
    screen.head.delete()
    qtbot.waitUntil(lambda: screen.chat_id is None)
    assert (screen.box.text(), waiting(db), drafts(db)) == ("", [], {})
    screen._context.messages.last.action()
    qtbot.waitUntil(lambda: screen.chat_id == chat_id and screen.box.text() == "And then?")
    qtbot.waitUntil(lambda: held_back(screen)[-1:] == ["Third?"])
    qtbot.waitUntil(lambda: drafts(db) == {chat_id: "And then?"})


@pytest.mark.parametrize("is_shown", [True, False])
def test_a_chat_deleted_elsewhere_comes_back_with_what_was_not_sent(
    qtbot, start, talk, db, is_shown
) -> None:
    screen = start()
    ask(qtbot, screen, "First?")
    chat_id = screen.chat_id
    screen.box.set_text("And then?")
    screen.save_changes()
    qtbot.waitUntil(lambda: drafts(db) == {chat_id: "And then?"})
    with db.transaction():
        chat_rows.add_waiting_question(
            db, chat_rows.WaitingQuestion(chat_id, "Second?", "walk", "")
        )
    if not is_shown:
        screen.new_chat()
    step = talk.chats.delete_chat(chat_id)
    talk.hub.publish_edit(ChangeNotice(chats=frozenset({chat_id})))
    qtbot.waitUntil(lambda: screen.chat_id is None and not screen.deleted_chats.knows(chat_id))
    with qtbot.waitSignal(screen.deleted_chats.restored):
        talk.chats.undo_delete(step)
        talk.hub.publish_edit(ChangeNotice(chats=frozenset({chat_id})))
    screen.open_chat(chat_id)
    qtbot.waitUntil(lambda: held_back(screen) == ["Second?"])
    assert screen.box.text() == "And then?"
