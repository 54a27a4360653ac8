"""Tests chats in the store: branches, folders, pins, search, deleting and restoring."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.model import Answer, RetrievalResult
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.store import chats as chat_rows
from desktop_app.engine.store import history
from desktop_app.engine.store.db import Db


@pytest.fixture
def db(tmp_path: Path):
    made = Db(tmp_path / "talk.inkgraph")
    yield made
    made.close()


@pytest.fixture
def chats(db: Db) -> Chats:
    return Chats(db, db)


def ask(db: Db, chat_id: int, question: str, answer: str = "") -> tuple[int, int]:
    with db.transaction():
        question_id = chat_rows.add_question(db, chat_id, question)
        found = RetrievalResult(question, "walk", ())
        return question_id, chat_rows.add_answer(db, chat_id, Answer(answer or "A.", (), found))


def texts(chats: Chats, chat_id: int) -> list[str]:
    return [row.text for row in chats.fetch_messages(chat_id)]


def test_the_title_of_a_chat_is_the_whole_first_line_of_its_question(db: Db, chats: Chats) -> None:
    question = "Who was the pilot, and what does the house at Hallow Top have to do with him?"
    for text, title in ((f"{question}\nMore.", question), ("a" * 5000, "a" * 199 + "…")):
        ask(db, chats.create_chat(), text, "One.")
        assert chats.list_chats()[0].title == title


def test_asking_again_keeps_the_first_answer_as_a_branch(db: Db, chats: Chats) -> None:
    chat_id = chats.create_chat()
    first, _ = ask(db, chat_id, "Who?", "One.")
    ask(db, chat_id, "And then?", "Two.")
    chats.begin_branch(chat_id, first)
    again, _ = ask(db, chat_id, "Who?", "Three.")
    assert texts(chats, chat_id) == ["Who?", "Three."]
    assert chats.fetch_messages(chat_id)[0].versions == (first, again)
    chats.show_branch(chat_id, first)
    assert texts(chats, chat_id) == ["Who?", "One.", "And then?", "Two."]
    chats.show_branch(chat_id, again)
    assert texts(chats, chat_id) == ["Who?", "Three."]


def test_a_question_in_the_middle_can_be_edited(db: Db, chats: Chats) -> None:
    chat_id = chats.create_chat()
    ask(db, chat_id, "Who?", "One.")
    second, _ = ask(db, chat_id, "When?", "Two.")
    ask(db, chat_id, "Where?", "Three.")
    chats.begin_branch(chat_id, second)
    ask(db, chat_id, "Why?", "Four.")
    assert texts(chats, chat_id) == ["Who?", "One.", "Why?", "Four."]
    ask(db, chat_id, "Really?", "Five.")
    assert texts(chats, chat_id)[-2:] == ["Really?", "Five."]


def test_an_answer_belongs_to_its_question_even_if_another_branch_is_shown(
    db: Db, chats: Chats
) -> None:
    chat_id = chats.create_chat()
    first, _ = ask(db, chat_id, "Who?", "One.")
    chats.begin_branch(chat_id, first)
    with db.transaction():
        again = chat_rows.add_question(db, chat_id, "Who?")
    chats.show_branch(chat_id, first)
    with db.transaction():
        chat_rows.add_answer(db, chat_id, Answer("Late.", (), RetrievalResult("Who?", "walk", ())))
    assert texts(chats, chat_id) == ["Who?", "One."]
    chats.show_branch(chat_id, again)
    assert texts(chats, chat_id) == ["Who?", "Late."]


def test_messages_of_earlier_versions_follow_each_other(db: Db, chats: Chats) -> None:
    chat_id = chats.create_chat()
    with db.transaction():
        for role, text in (("user", "a?"), ("assistant", "A."), ("user", "b?")):
            db.write(
                "INSERT INTO message(chat_id, role, text, created_at) VALUES (?, ?, ?, 0)",
                (chat_id, role, text),
            )
    assert texts(chats, chat_id) == ["a?", "A.", "b?"]
    ask(db, chat_id, "c?", "C.")
    assert texts(chats, chat_id) == ["a?", "A.", "b?", "c?", "C."]


def test_all_words_are_found_in_any_chat_and_titles_come_first(db: Db, chats: Chats) -> None:
    one = chats.create_chat("The brass lamp")
    ask(db, one, "Who?", "Tobias swam to the ferry.")
    two = chats.create_chat("青石镇")
    ask(
        db,
        two,
        "谁找到了铜印？",
        "林秋白在周德海的米缸里找到了铜印，100% sure. The lamp was BRASS.",
    )
    hits = chats.find("brass lamp")
    assert [(h.chat_id, h.role) for h in hits] == [(one, ""), (two, "assistant")]
    (hit,) = [h for h in chats.find("米缸") if h.role == "assistant"]
    assert hit.snippet[slice(*hit.found)] == "米缸"
    assert chats.find('"100%"') and not chats.find("10%0")
    assert chats.find("  ") == [] and chats.find("nowhere") == []


@pytest.mark.parametrize("text", ["x" * 60_000, "天%" * 30_000, "word " * 20_000, '"' * 60_000])
def test_a_search_text_of_any_length_is_accepted(db: Db, chats: Chats, text: str) -> None:
    ask(db, chats.create_chat("Words"), "Who?", "word")
    assert bool(chats.find(text)) == ("word" in text)


def test_a_deleted_chat_is_restored_at_its_position(db: Db, chats: Chats) -> None:
    chat_id = chats.create_chat("Ferries")
    ask(db, chat_id, "Who?", "One.")
    chats.put_in_folder(chat_id, " My  novels ")
    chats.pin_chat(chat_id, True)
    step = chats.delete_chat(chat_id)
    assert chats.list_chats() == []
    chats.undo_delete(step)
    (row,) = chats.list_chats()
    assert (row.title, row.folder, row.pinned, row.n_messages) == ("Ferries", "My novels", True, 2)
    assert texts(chats, chat_id) == ["Who?", "One."]


def test_restoring_a_chat_undoes_nothing_else(chats: Chats) -> None:
    one, two = chats.create_chat("One"), chats.create_chat("Two")
    step = chats.delete_chat(one)
    chats.rename_chat(two, "Second")
    with pytest.raises(UserError, match="history"):
        chats.undo_delete(step)
    assert chats.list_chats()[0].title == "Second"


def test_a_folder_is_renamed_and_dissolved(chats: Chats) -> None:
    one, two = chats.create_chat("One"), chats.create_chat("Two")
    for chat_id in (one, two):
        chats.put_in_folder(chat_id, "Novels")
    chats.rename_folder("Novels", "小说")
    assert {row.folder for row in chats.list_chats()} == {"小说"}
    chats.rename_folder("小说", "")
    assert {row.folder for row in chats.list_chats()} == {""}


def test_a_long_chat_does_not_hide_matches_in_others(db: Db, chats: Chats) -> None:
    short, long = chats.create_chat("Short"), chats.create_chat("Long")
    ask(db, short, "Where is the lamp?")
    for i in range(40):
        ask(db, long, f"Question {i} on the lamp?")
    hits = chats.find("lamp", 20)
    assert [h.chat_id for h in hits] == [long] * 5 + [short]
    assert hits[4].n_more == 35 and not any(h.n_more for h in (*hits[:4], hits[5]))
    assert hits[0].snippet == "Question 39 on the lamp?"
    assert len(chats.find("lamp", 100, long)) == 40 and len(chats.find("lamp", 20, long)) == 20


# --- what was written and not asked yet -----------------------------------------------------------


def test_a_question_that_waits_is_kept_until_it_is_added_to_its_chat(db, chats) -> None:
    chat_id = chats.create_chat()
    waiting = [chat_rows.WaitingQuestion(chat_id, text, "walk", "") for text in ("A?", "B?", "A?")]
    for one in waiting:
        chats.keep_waiting(one, lambda: True)
    chats.keep_waiting(chat_rows.WaitingQuestion(chat_id, "C?", "walk", ""), lambda: False)
    assert chats.list_waiting() == waiting
    ask(db, chat_id, "A?")
    assert [one.text for one in chats.list_waiting()] == ["B?", "A?"]
    chats.remove_waiting(chat_id, "B?")
    assert [one.text for one in chats.list_waiting()] == ["A?"]


def test_a_deleted_chat_comes_back_with_what_was_not_sent(db, chats) -> None:
    chat_id = chats.create_chat("Old")
    ask(db, chat_id, "Who?")
    waiting = [chat_rows.WaitingQuestion(chat_id, text, "walk", "") for text in ("A?", "B?")]
    for one in waiting:
        chats.keep_waiting(one, lambda: True)
    chats.save_draft(chat_id, "And then?")
    step = chats.delete_chat(chat_id)
    assert (chats.list_drafts(), chats.list_waiting()) == ({}, [])
    other = chats.create_chat("New")
    ask(db, other, "What?")  # its rows take no number that is in the history
    chats.keep_waiting(chat_rows.WaitingQuestion(other, "C?", "walk", ""), lambda: True)
    chats.undo_delete(step)
    assert texts(chats, chat_id) == ["Who?", "A."] and texts(chats, other) == ["What?", "A."]
    assert chats.list_drafts() == {chat_id: "And then?"}
    assert [one.text for one in chats.list_waiting()] == ["A?", "B?", "C?"]


def test_undo_and_redo_of_a_deletion_keep_the_newest_text(db, chats) -> None:
    chat_id = chats.create_chat("Old")
    chats.save_draft(chat_id, "And")
    chats.undo_delete(chats.delete_chat(chat_id))
    chats.save_draft(chat_id, "And then?")
    chats.keep_waiting(chat_rows.WaitingQuestion(chat_id, "A?", "walk", ""), lambda: True)
    history.redo(db)
    assert (chats.list_chats(), chats.list_drafts(), chats.list_waiting()) == ([], {}, [])
    history.undo(db)
    assert chats.list_drafts() == {chat_id: "And then?"}
    assert [one.text for one in chats.list_waiting()] == ["A?"]


def test_nothing_unsent_of_a_deleted_chat_appears_in_a_new_one(db, chats) -> None:
    chat_id = chats.create_chat("Old")
    chats.save_draft(chat_id, "And then?")
    chats.keep_waiting(chat_rows.WaitingQuestion(chat_id, "A?", "walk", ""), lambda: True)
    chats.delete_chat(chat_id)
    chats.save_draft(chat_id, "Typed while it was deleted")
    chats.keep_waiting(chat_rows.WaitingQuestion(chat_id, "B?", "walk", ""), lambda: True)
    assert chats.create_chat("New") != chat_id
    assert (chats.list_drafts(), chats.list_waiting()) == ({}, [])


def test_a_question_of_a_deleted_chat_is_not_asked_and_its_answer_not_stored(db, chats) -> None:
    chat_id = chats.create_chat("Old")
    chats.delete_chat(chat_id)
    with pytest.raises(Cancelled), db.transaction():
        chat_rows.add_question(db, chat_id, "Who?")
    with pytest.raises(Cancelled), db.transaction():
        chat_rows.add_answer(db, chat_id, Answer("A.", (), RetrievalResult("Who?", "walk", ())))


def test_a_damaged_library_keeps_no_typed_text(db, chats) -> None:
    chats.save_draft(0, "Before")
    db.damage.add(Message("a page does not fit its checksum"))
    chats.save_draft(0, "After")
    assert chats.list_drafts() == {0: "Before"}
