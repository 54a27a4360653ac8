"""Questions in line: each says its place, moves up, and can be withdrawn at any time."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from desktop_app.ui.chat.screen import ChatScreen
from desktop_app.ui.chat.turns import describe_place
from tests.ui.fakes import FakeContext


@pytest.fixture
def hold(context: FakeContext) -> Iterator[threading.Event]:
    event = threading.Event()
    context.answer_pipeline.hold = event
    yield event
    event.set()


@pytest.fixture
def screen(qtbot, context: FakeContext, hold) -> Iterator[ChatScreen]:
    made = ChatScreen(context)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    qtbot.waitUntil(lambda: bool(made.empty.questions()))
    yield made


def said(screen: ChatScreen) -> list[str]:
    return [w.step.text() for w in screen.turns.widgets()]


def ask_in_line(qtbot, screen: ChatScreen, n: int) -> None:
    for i in range(n):
        screen.ask(f"Question {i}?")
    qtbot.waitUntil(lambda: next(iter(screen.questions)).state == "answering")
    # what happens between is told after a while, so that quick answers don't flicker
    qtbot.waitUntil(lambda: all(words.startswith("Waiting") for words in said(screen)[1:]))


@pytest.mark.parametrize(
    ("place", "words"),
    [(1, "next in line"), (2, "2nd in line"), (3, "3rd in line"), (4, "4th in line"),
     (11, "11th in line"), (12, "12th in line"), (21, "21st in line"), (112, "112th in line")],
)  # fmt: skip
def test_a_place_is_said_in_words(place: int, words: str) -> None:
    assert describe_place(place) == f"Waiting: {words}"


def test_every_question_says_its_place(qtbot, screen) -> None:
    ask_in_line(qtbot, screen, 4)
    places = [f"Waiting: {w} in line" for w in ("next", "2nd", "3rd")]
    assert said(screen)[1:] == places


def test_the_others_move_up_when_one_is_withdrawn(qtbot, context, screen, hold) -> None:
    ask_in_line(qtbot, screen, 4)
    screen.turns.widgets()[1].step_action.click()
    qtbot.waitUntil(lambda: len(screen.turns.widgets()) == 3)
    assert said(screen)[1:] == ["Waiting: next in line", "Waiting: 2nd in line"]
    assert screen.box.text() == "Question 1?"
    hold.set()
    qtbot.waitUntil(lambda: not any(ask.is_live for ask in screen.questions))
    kept = context.chats.messages[screen.chat_id]
    asked = [m.text for m in kept if m.role == "user"]
    assert asked == ["Question 0?", "Question 2?", "Question 3?"]


def test_what_is_typed_meanwhile_is_not_lost_by_withdrawing(qtbot, screen) -> None:
    ask_in_line(qtbot, screen, 2)
    screen.box.set_text("Something else")
    screen.turns.widgets()[1].step_action.click()
    qtbot.waitUntil(lambda: len(screen.turns.widgets()) == 1)
    assert screen.box.text() == "Something else"


def test_stopping_the_answer_lets_the_next_one_begin(qtbot, context, screen, hold) -> None:
    ask_in_line(qtbot, screen, 3)
    screen.stop()
    hold.set()
    qtbot.waitUntil(lambda: not any(ask.is_live for ask in screen.questions))
    states = [ask.state for ask in screen.questions]
    assert states == ["stopped", "done", "done"]


def test_questions_of_all_chats_wait_in_one_line(qtbot, screen) -> None:
    ask_in_line(qtbot, screen, 2)
    screen.new_chat()
    screen.ask("In another chat?")
    qtbot.waitUntil(lambda: said(screen) == ["Waiting: 2nd in line"])
