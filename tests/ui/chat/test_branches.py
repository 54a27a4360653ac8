"""Versions of questions and answers, commands and export."""

from __future__ import annotations

import threading
from dataclasses import replace

from PySide6.QtCore import Qt

from desktop_app.engine.answering.claims import INTRODUCTION
from desktop_app.engine.store import chats as chat_rows
from desktop_app.ui.chat.composer import split_commands
from desktop_app.ui.chat.turns import REPEAT_TEMPERATURE
from tests.ui.chat.conversations import N_FOUND, ask, cited_answer, is_settled, shown


def test_answering_again_keeps_the_first_answer_beside_it(qtbot, talk, screen) -> None:
    ask(qtbot, screen, "Who?")
    ask(qtbot, screen, "And then?")
    screen.turns.widgets()[0].foot.again_button.click()
    qtbot.waitUntil(lambda: shown(screen) == [("Who?", "Answer 3")] and is_settled(screen))
    first, _, again = talk.answer_pipeline.params
    assert (first.temperature, again.temperature) == (
        0.0,
        REPEAT_TEMPERATURE,
    )  # otherwise the answer is the same
    row = screen.turns.widgets()[0].asked
    assert row.versions.isVisible() and row.place.text() == "2 of 2"
    row.before_button.click()
    both = [("Who?", "Answer 1"), ("And then?", "Answer 2")]
    qtbot.waitUntil(lambda: shown(screen) == both)
    row = screen.turns.widgets()[0].asked
    assert row.place.text() == "1 of 2" and not row.before_button.isEnabled()
    row.after_button.click()
    qtbot.waitUntil(lambda: shown(screen) == [("Who?", "Answer 3")])


def test_the_model_is_asked_anyway_where_nothing_close_was_found(qtbot, talk, screen) -> None:
    talk.answer_pipeline.unrelated.add("Who was Heathcliff?")
    ask(qtbot, screen, "Who was Heathcliff?")
    widget = screen.turns.widgets()[0]
    assert widget.note.isVisibleTo(widget)
    assert "answers the question" in widget.note.text() and "models" not in widget.note.text()
    widget.note.linkActivated.emit("anyway")
    qtbot.waitUntil(
        lambda: shown(screen) == [("Who was Heathcliff?", "Answer 2")] and is_settled(screen)
    )
    first, second = talk.answer_pipeline.params
    assert first.only_if_found and not second.only_if_found
    assert first.temperature == second.temperature == 0.0
    widget = screen.turns.widgets()[0]
    assert widget.turn.model and not widget.note.isVisibleTo(widget)
    assert screen.options.param.only_if_found  # the next question is asked as usual


def test_more_passages_are_read_until_all_that_were_found_are(qtbot, talk, screen) -> None:
    talk.answer_pipeline.unread.add("Who rowed?")
    ask(qtbot, screen, "Who rowed?")
    for n_read, n_more in ((4, 8), (12, 3)):
        qtbot.waitUntil(lambda: is_settled(screen))
        widget = screen.turns.widgets()[0]
        words = widget.notice.reason.text().replace("\N{NO-BREAK SPACE}", " ")
        assert f"None of the {n_read} passages that were read" in words
        assert "read one" not in words and "href" not in words
        steps = widget.steps.text().replace("\N{NO-BREAK SPACE}", " ")
        assert f"Let the model read {n_more} more" in steps and "anyway" in steps
        assert widget.source_list.isAncestorOf(widget.steps) and widget.steps.isVisibleTo(widget)
        screen.conversation.read()  # as the chat is stored
        qtbot.waitUntil(lambda: screen.turns.widgets()[0].turn.message_id > 0)
        widget = screen.turns.widgets()[0]
        assert widget.turn.n_unread == N_FOUND - n_read
        n_asked = len(talk.answer_pipeline.params)
        widget.steps.linkActivated.emit("further")
        qtbot.waitUntil(lambda n=n_asked: len(talk.answer_pipeline.params) > n)
    none = "No passage that was found answers"
    qtbot.waitUntil(lambda: none in screen.turns.widgets()[0].notice.reason.text())
    qtbot.waitUntil(lambda: is_settled(screen))
    assert [param.most_read for param in talk.answer_pipeline.params] == [4, 12, 15]
    assert "more" not in screen.turns.widgets()[0].notice.reason.text()


def test_a_chat_read_before_an_answer_came_shows_only_its_new_version(
    qtbot, talk, screen, monkeypatch
) -> None:
    ask(qtbot, screen, "Who?")
    fetch, is_read, may_go_on = talk.chats.fetch_messages, threading.Event(), threading.Event()

    def read_and_wait(chat_id):
        rows = fetch(chat_id)
        is_read.set()
        assert may_go_on.wait(20)
        return rows

    monkeypatch.setattr(talk.chats, "fetch_messages", read_and_wait)
    screen.conversation.read()
    assert is_read.wait(20)
    monkeypatch.setattr(talk.chats, "fetch_messages", fetch)
    screen.turns.widgets()[0].foot.again_button.click()
    qtbot.waitUntil(lambda: [w.turn.answered for w in screen.turns.widgets()] == [True])
    may_go_on.set()
    qtbot.waitUntil(lambda: is_settled(screen))
    qtbot.wait(50)
    assert shown(screen) == [("Who?", "Answer 2")]


def test_a_question_is_edited_and_asked_again(qtbot, screen) -> None:
    ask(qtbot, screen, "Who?")
    ask(qtbot, screen, "And then?")
    screen.turns.widgets()[1].asked.edit_button.click()
    assert screen.box.text() == "And then?" and screen.box.editing_row.isVisible()
    screen.box.edit.setPlainText("And before?")
    qtbot.keyClick(screen.box.edit, Qt.Key.Key_Return)
    wanted = [("Who?", "Answer 1"), ("And before?", "Answer 3")]
    qtbot.waitUntil(lambda: shown(screen) == wanted and is_settled(screen))
    assert screen.turns.widgets()[1].asked.place.text() == "2 of 2"
    assert not screen.box.editing_row.isVisible()


def test_escape_cancels_editing_a_question(qtbot, screen) -> None:
    ask(qtbot, screen, "Who?")
    screen.turns.widgets()[0].asked.edit_button.click()
    qtbot.keyClick(screen.box.edit, Qt.Key.Key_Escape)
    assert screen.box.text() == "" and screen.box.editing is None
    ask(qtbot, screen, "New?")
    assert [q for q, _ in shown(screen)] == ["Who?", "New?"]


def test_a_branch_is_found_by_the_search_in_chats(qtbot, talk, screen) -> None:
    ask(qtbot, screen, "Who?")
    screen.turns.widgets()[0].foot.again_button.click()
    qtbot.waitUntil(lambda: shown(screen) == [("Who?", "Answer 2")] and is_settled(screen))
    (hit,) = talk.chats.find('"Answer 1"')
    screen.open_chat(hit.chat_id, hit.message_id)
    qtbot.waitUntil(lambda: shown(screen) == [("Who?", "Answer 1")])


def test_going_to_an_old_turn_does_not_build_all_turns(qtbot, talk, db, screen) -> None:
    chat_id = talk.chats.create_chat("Long")
    ids = []
    with db.transaction():
        for i in range(120):
            ids.append(chat_rows.add_question(db, chat_id, f"Question {i}?"))
            chat_rows.add_answer(db, chat_id, cited_answer("q", f"Answer {i} [1].\n\n" * 3))
    screen.open_chat(chat_id, ids[30])

    def shown() -> list:
        return [w for w in screen.turns.widgets() if w.turn.question == "Question 30?"]

    qtbot.waitUntil(lambda: bool(shown()), timeout=20_000)  # 240 messages on a busy machine
    [wanted] = shown()
    qtbot.waitUntil(lambda: 0 <= wanted.y() - screen.turns.verticalScrollBar().value() < 60)
    assert len(screen.turns.widgets()) < 20 and screen.turns.n_later > 50
    bar, before = screen.turns.verticalScrollBar(), screen.turns.n_later

    def scroll_on() -> bool:
        bar.setValue(bar.maximum())
        return screen.turns.n_later < before - 4

    qtbot.waitUntil(scroll_on)
    old = screen.turns.widgets()[0]
    assert not old.turn.passages  # loaded on demand
    old.foot.sources_button.click()
    qtbot.waitUntil(lambda: bool(old.turn.passages))


def test_names_are_links_and_offer_what_to_ask_next(qtbot, screen) -> None:
    ask(qtbot, screen, "Who rows the ferry?")
    widget = screen.turns.widgets()[0]
    qtbot.waitUntil(
        lambda: [p.name for p in widget.answer.names()] == ["Ada Merrow", "Harrow Ford"]
    )
    with qtbot.waitSignal(screen.open_entity) as opened:
        widget.answer.anchorClicked.emit("name:1")
    assert opened.args == [1]
    with qtbot.waitSignal(screen.show_in_graph) as lit:
        widget.foot.graph_button.click()
    assert lit.args == [[1, 4]]
    offered = [b.text() for b in widget.followups.children() if hasattr(b, "text")]
    quiet = (widget.foot.sources_button, widget.foot.inspect_button)
    assert {button.property("kind") for button in quiet} == {"bare"}  # the answer stands out
    assert offered == ["Ask next", "Who is Ada Merrow?"]  # nothing about the place
    ask(qtbot, screen, "Next?")
    assert not widget.followups.isVisible()


def test_a_command_before_a_question_is_for_it_alone(qtbot, talk, screen) -> None:
    ask(qtbot, screen, "/local /points Who is Ada?")
    ask(qtbot, screen, "/etc/passwd?")
    first, second = talk.answer_pipeline.params
    assert (first.mode, first.response_type) == ("local", "Bullet Points")
    assert (second.mode, second.response_type) == ("walk", "")
    assert [q for q, _ in shown(screen)] == ["Who is Ada?", "/etc/passwd?"]
    screen.submit("/naive")
    assert screen.options.mode == "naive"


def test_commands_are_listed_while_they_are_typed(qtbot, screen) -> None:
    commands = screen.column.commands
    qtbot.keyClicks(screen.box.edit, "/")
    assert commands.isVisible() and commands.rows.count() > 12
    qtbot.keyClicks(screen.box.edit, "lo")
    qtbot.keyClick(screen.box.edit, Qt.Key.Key_Return)
    assert screen.box.text() == "/local " and not commands.isVisible()
    screen.box.edit.setPlainText("/ne")
    with qtbot.waitSignal(commands.picked):
        qtbot.keyClick(screen.box.edit, Qt.Key.Key_Tab)
    assert screen.box.text() == "" and screen.chat_id is None


def test_a_deleted_chat_is_brought_back(qtbot, talk, screen) -> None:
    ask(qtbot, screen, "Who?")
    chat_id = screen.chat_id
    with qtbot.waitSignal(screen.chat_changed):
        screen.head.delete_action.trigger()
    assert talk.chats.list_chats() == []
    talk.messages.last.action()
    qtbot.waitUntil(lambda: shown(screen) == [("Who?", "Answer 1")])
    assert screen.chat_id == chat_id


def test_a_chat_is_saved_with_its_sources(qtbot, talk, screen, tmp_path) -> None:
    ask(qtbot, screen, "Who?")
    screen.head.title_edit.set_title("谁?")
    for kind, wanted in (
        ("md", "- [1] The Ferry at Harrow Ford, p. 12: “Ada Merrow was the ferrywoman"),
        ("html", '<a href="#s1-1"'),
        ("json", '"quote": "Ada Merrow was the ferrywoman'),
    ):
        path = tmp_path / f"chat.{kind}"
        screen.head.export(path)
        qtbot.waitUntil(lambda p=path: p.exists() and p.read_text("utf-8").endswith("\n"))
        text = path.read_text("utf-8")
        assert wanted in text and "谁?" in text
        assert "Harrow Ford" in text.rpartition("eferences")[2]  # of the cited document
    path = tmp_path / "answer.md"
    screen.head.export(path, screen.turns.widgets()[0].turn)
    qtbot.waitUntil(lambda: path.exists() and path.read_text("utf-8").endswith("\n"))
    assert "## References\n\n- " in path.read_text("utf-8")


def test_the_model_is_chosen_at_the_box(qtbot, talk, screen) -> None:
    qtbot.waitUntil(lambda: screen.options.model.text() == "Reader 4B instruct")
    talk.model_registry.rows[1] = replace(talk.model_registry.rows[1], installed=True)
    screen.options.model.wanted.emit("small-0.6b")
    qtbot.waitUntil(lambda: screen.options.model.text() == "Small 0.6B")


def test_an_answer_that_just_came_is_written_again_beside_it(qtbot, screen) -> None:
    screen.submit("Who?")
    qtbot.waitUntil(lambda: screen.turns.widgets()[0].turn.answered)
    screen.run_command(split_commands("/again")[0][0])  # before its id is known
    qtbot.waitUntil(lambda: shown(screen) == [("Who?", "Answer 2")] and is_settled(screen))
    assert screen.turns.widgets()[0].asked.place.text() == "2 of 2"


def test_a_command_stays_when_its_question_is_answered_again(qtbot, talk, screen) -> None:
    ask(qtbot, screen, "/words Who?")
    screen.turns.widgets()[0].foot.again_button.click()
    qtbot.waitUntil(lambda: shown(screen) == [("Who?", "Answer 2")] and is_settled(screen))
    assert [param.mode for param in talk.answer_pipeline.params] == ["words", "words"]


def test_a_question_asked_while_another_version_comes_waits_for_it(qtbot, talk, screen) -> None:
    ask(qtbot, screen, "Who?")
    screen.turns.widgets()[0].foot.again_button.click()
    qtbot.waitUntil(lambda: shown(screen) == [("Who?", "Answer 2")] and is_settled(screen))
    row = screen.turns.widgets()[0].asked
    row.edit_button.click()
    held, show = threading.Event(), talk.chats.show_branch

    def show_late(chat_id: int, message_id: int) -> None:
        held.wait(10)
        show(chat_id, message_id)

    talk.chats.show_branch = show_late
    row.before_button.click()
    screen.box.set_text("Other?")
    screen.box.edit.sent.emit()
    assert shown(screen) == [("Who?", "Answer 2")]  # not asked yet
    held.set()
    qtbot.waitUntil(lambda: shown(screen) == [("Other?", "Answer 3")] and is_settled(screen))
    assert len(screen.turns.widgets()[0].turn.versions) == 3
    assert [q for q, _ in shown(screen)] == ["Other?"]


def test_the_buttons_below_an_answer_have_one_order_and_names_where_there_is_room(
    qtbot, screen, tmp_path
) -> None:
    ask(qtbot, screen, "Who?")
    foot = screen.turns.widgets()[0].foot
    buttons = (foot.inspect_button, foot.copy_button, foot.export_button, foot.again_button)
    buttons += (foot.graph_button,)
    for written in (True, False):
        text = "Ada. [1]" if written else f"{INTRODUCTION['en']}\n\n> Ada. [1]"
        foot.show_turn(replace(foot._turn, text=text))
        foot.resize(900, 32)
        qtbot.waitUntil(lambda: all(button.text() for button in buttons))
        assert [b.x() for b in buttons] == sorted(b.x() for b in buttons)
        assert foot.facts.x() > foot.graph_button.x() and foot.facts.full_text()
    foot.resize(300, 32)
    qtbot.waitUntil(lambda: not foot.graph_button.text())
    assert foot.graph_button.toolTip().startswith("Graph\n")
    assert foot.graph_button.accessibleName() == "Graph"
    assert all(button.isVisible() for button in buttons)


def test_one_answer_is_saved_with_its_sources(qtbot, talk, screen, tmp_path) -> None:
    ask(qtbot, screen, "Who?")
    ask(qtbot, screen, "And where?")
    path = tmp_path / "answer.md"
    screen.head.export(path, screen.turns.widgets()[1].turn)
    qtbot.waitUntil(lambda: talk.messages.last is not None and path.exists())
    saved = path.read_text("utf-8")
    assert "## And where?" in saved and "## Who?" not in saved and "[1]" in saved
