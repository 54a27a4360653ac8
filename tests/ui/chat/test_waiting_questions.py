"""The queue of questions: position, order, withdrawal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_app.ui.chat.screen import ChatScreen
from desktop_app.ui.chat.turns import describe_queue_position
from desktop_app.ui.widgets import Label
from tests.ui.fakes import FakeContext


@pytest.fixture
def screen(qtbot, context: FakeContext, hold) -> Iterator[ChatScreen]:
    made = ChatScreen(context)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    qtbot.waitUntil(lambda: bool(made.empty.questions()))
    yield made


def steps_of(screen: ChatScreen) -> list[str]:
    return [w.step.text() for w in screen.turns.widgets()]


def ask_in_line(qtbot, screen: ChatScreen, n: int) -> None:
    for i in range(n):
        screen.ask(f"Question {i}?")
    qtbot.waitUntil(lambda: next(iter(screen.questions)).state == "answering")
    # the state is shown after a delay, so that quick answers don't flicker
    qtbot.waitUntil(lambda: all(words.startswith("Waiting") for words in steps_of(screen)[1:]))


@pytest.mark.parametrize(
    ("place", "words"),
    [(1, "next in line"), (2, "2nd in line"), (3, "3rd in line"), (4, "4th in line"),
     (11, "11th in line"), (12, "12th in line"), (21, "21st in line"), (112, "112th in line")],
)  # fmt: skip
def test_a_queue_position_is_shown_in_words(place: int, words: str) -> None:
    assert describe_queue_position(place) == f"Waiting: {words}"


def test_one_line_says_what_is_done_and_since_when(qtbot, qapp, screen, hold) -> None:
    ask_in_line(qtbot, screen, 1)
    [turn] = screen.turns.widgets()
    row = turn.step_row
    row.show_step("Reading…", "", "step")
    row.show_around(["20 passages found"], ["Write", "Check"], "9 s")
    qapp.processEvents()
    shown = [label.text() for label in row.findChildren(Label) if label.isVisible()]
    assert list(filter(None, shown)) == ["Reading…", "9 s"]
    assert 0 < turn.elapsed.geometry().left() - row.step.geometry().right() < 12
    assert row.toolTip() == "Done: 20 passages found\nNext: Write, Check"
    assert row.step.accessibleDescription() == row.toolTip()


def test_work_on_a_question_is_seen_and_send_is_there_when_there_is_something_to_send(
    qtbot, screen, hold
) -> None:
    ask_in_line(qtbot, screen, 2)
    first, second = screen.turns.widgets()
    assert first.step.property("role") == "step" and second.step.property("role") == "muted"
    box = screen.box
    assert box.stop_button.isVisible() and box.send_button.isHidden()
    place = box.stop_button.geometry()
    box.edit.setPlainText("And then?")
    assert box.send_button.isVisible() and box.stop_button.geometry() == place
    box.edit.clear()
    hold.set()
    qtbot.waitUntil(lambda: not any(job.is_live for job in screen.questions))
    assert box.send_button.isVisible() and not box.stop_button.isVisible()


def test_every_question_shows_its_queue_position(qtbot, screen) -> None:
    ask_in_line(qtbot, screen, 4)
    places = [f"Waiting: {w} in line" for w in ("next", "2nd", "3rd")]
    assert steps_of(screen)[1:] == places


def test_the_others_move_up_when_one_is_withdrawn(qtbot, context, screen, hold) -> None:
    ask_in_line(qtbot, screen, 4)
    screen.turns.widgets()[1].step_action.click()
    qtbot.waitUntil(lambda: len(screen.turns.widgets()) == 3)
    assert steps_of(screen)[1:] == ["Waiting: next in line", "Waiting: 2nd in line"]
    assert screen.box.text() == "Question 1?"
    hold.set()
    qtbot.waitUntil(lambda: not any(job.is_live for job in screen.questions))
    kept = context.chats.messages[screen.chat_id]
    asked = [m.text for m in kept if m.role == "user"]
    assert asked == ["Question 0?", "Question 2?", "Question 3?"]


def test_withdrawing_keeps_text_typed_meanwhile(qtbot, screen) -> None:
    ask_in_line(qtbot, screen, 2)
    screen.box.set_text("Something else")
    screen.turns.widgets()[1].step_action.click()
    qtbot.waitUntil(lambda: len(screen.turns.widgets()) == 1)
    assert screen.box.text() == "Something else"


def test_stopping_an_answer_starts_the_next_one(qtbot, context, screen, hold) -> None:
    ask_in_line(qtbot, screen, 3)
    screen.stop()
    hold.set()
    qtbot.waitUntil(lambda: not any(job.is_live for job in screen.questions))
    states = [job.state for job in screen.questions]
    assert states == ["stopped", "done", "done"]


def test_questions_of_all_chats_share_one_queue(qtbot, screen) -> None:
    ask_in_line(qtbot, screen, 2)
    screen.new_chat()
    screen.ask("In another chat?")
    qtbot.waitUntil(lambda: steps_of(screen) == ["Waiting: 2nd in line"])
