"""Tests query rewriting: recognising follow-up questions and making them standalone."""

from __future__ import annotations

import pytest

from desktop_app.engine.answering.query_rewriting import (
    is_faithful,
    is_follow_up,
    keep_complete_turns,
    replace_pronoun,
    rewrite_question,
    shorten_history,
)
from desktop_app.engine.errors import UserError
from desktop_app.engine.model import ChatMessage
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import Written
from desktop_app.engine.store.db import Db
from tests.fakes import ScriptedChatModel

NAMES = ("Jacob Marley", "Scrooge", "Bob Cratchit", "鲁智深", "林冲")


def find_names(text: str) -> list[str]:
    found = [(text.index(name), name) for name in NAMES if name in text]
    return [name for _, name in sorted(found)]


def turns(question: str, answer: str) -> tuple[ChatMessage, ...]:
    return ChatMessage("user", question), ChatMessage("assistant", answer)


MARLEY = turns("Who was Jacob Marley?", "Jacob Marley was Scrooge's partner [1]. He is dead [2].")
LU = turns("鲁智深是谁？", "鲁智深是提辖[1]。")


@pytest.fixture
def db(tmp_path):
    made = Db(tmp_path / "f.inkgraph")
    yield made
    made.close()


def rewrite(db, question, history, model=None):
    language = "zh" if "？" in question else "en"
    return rewrite_question(db, question, history, find_names, model, language, CancelToken())


@pytest.mark.parametrize(
    "question",
    ["And his wife?", "How did he die?", "Why?", "Who said that?", "What about Scrooge?",
     "Was he there?", "What happened then?", "然后呢？", "后来怎么样了？", "他后来呢？",
     "为什么？", "林冲呢？", "那把刀是哪里来的？"],
)  # fmt: skip
def test_follow_up_questions_are_recognised(question):
    assert is_follow_up(question, find_names)


@pytest.mark.parametrize(
    "question",
    ["Who was Jacob Marley?", "Why did Scrooge hate his nephew?", "Who kept the counting house?",
     "Who is the hero of this book?", "鲁智深是怎么死的？", "林冲和他的妻子怎么样了？",
     "这本书讲了什么故事？", "Is there a ghost in the story?", "Who is the man that Scrooge met?",
     "Is it true that Scrooge was poor?", "其他好汉是谁？", "后来谁救了林冲？",
     "What did Bob Cratchit think of his master?"],
)  # fmt: skip
def test_standalone_questions_are_not_rewritten(question, db):
    assert not is_follow_up(question, find_names)
    model = ScriptedChatModel(["never"])
    assert rewrite(db, question, MARLEY, model).question == question
    assert model.script_lines == []


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("How did he die?", "How did Scrooge die?"),
        ("And his wife?", "And Scrooge's wife?"),
        ("Who saw her?", "Who saw Scrooge?"),
        ("Who was her brother?", "Who was Scrooge's brother?"),
        ("Who told her about it?", "Who told Scrooge about it?"),
        ("Where is it, and why?", "Where is Scrooge, and why?"),
        ("Why?", "Why?"),
    ],
)
def test_a_name_replaces_the_first_pronoun(question, named):
    assert replace_pronoun(question, "Scrooge") == named


def test_one_name_in_the_previous_turn_is_used_without_the_model(db):
    model = ScriptedChatModel(["never"])
    found = rewrite(db, "How did he die?", MARLEY, model)
    assert found.question == "How did Jacob Marley die?"
    assert not found.needs_history and found.stage.kept == (found.question,)
    assert rewrite(db, "他后来呢？", LU, model).question == "鲁智深后来呢？"
    assert model.script_lines == []


def test_between_two_names_the_model_chooses_and_is_asked_once(db):
    both = turns("What had Scrooge and Jacob Marley in common?", "They were partners.")
    reply = lambda script, ask, line: Written("How did Jacob Marley die?")  # noqa: E731
    for n in (1, 1):
        model = ScriptedChatModel([""], reply=reply)
        assert rewrite(db, "How did he die?", both, model).question == "How did Jacob Marley die?"
        assert len(model.script_lines) <= n
    assert model.script_lines == [], "the second time it was known"


@pytest.mark.parametrize(
    "written",
    ["Who was Jacob Marley?", "He died of a cold.", "How did Napoleon die?", "How did he die?", "",
     "How did Jacob Marley die? " * 9],
)  # fmt: skip
def test_names_that_the_model_invents_are_not_searched(db, written):
    both = turns("What had Scrooge and Jacob Marley in common?", "They were partners.")
    model = ScriptedChatModel([""], reply=lambda *_: Written(written))
    found = rewrite(db, "How did he die?", both, model)
    assert found.question == "How did he die? (Scrooge, Jacob Marley)"
    assert "not used" in found.stage.note


def test_a_model_that_fails_does_not_stop_the_question(db):
    def fail(*_):
        raise UserError("too long")

    both = turns("What had Scrooge and Jacob Marley in common?", "They were partners.")
    found = rewrite(db, "Why?", both, ScriptedChatModel([""], reply=fail))
    assert found.question == "Why? (Scrooge, Jacob Marley)"


def test_without_a_model_the_names_are_appended(db):
    assert rewrite(db, "为什么？", LU).needs_history
    assert rewrite(db, "为什么？", LU).question == "为什么？（鲁智深）"
    assert rewrite(db, "Why?", turns("Who did it?", "Bob Cratchit did.")).question == (
        "Why? (Bob Cratchit)"
    )
    lost = rewrite(db, "Why?", turns("Who did it?", "Nobody."))
    assert lost.question == "Why?" and "does not explain" in lost.stage.note


def test_a_rewriting_keeps_the_questions_own_words():
    assert is_faithful("Where did Jacob Marley live?", "Where did he live?", MARLEY)
    assert not is_faithful("Where did Jacob Marley die?", "Where did he live?", MARLEY)
    assert not is_faithful("When did Jacob Marley live?", "Where did he live?", MARLEY)
    assert is_faithful("鲁智深后来怎么样了？", "他后来呢？", LU)
    assert not is_faithful("武松后来怎么样了？", "他后来呢？", LU)


def test_history_is_summarised_newest_turn_first():
    count = ScriptedChatModel().count_tokens
    short = shorten_history((*LU, *MARLEY), "en", 100, count)
    assert short.endswith("Q: Who was Jacob Marley?\nA: Jacob Marley was Scrooge's partner.")
    assert "[1]" not in short and "dead" not in short
    assert shorten_history((*LU, *MARLEY), "en", 12, count).startswith("A: Jacob Marley")


def test_turns_for_a_chat_template_alternate():
    lone = ChatMessage("user", "never answered")
    assert keep_complete_turns((MARLEY[1], lone, *MARLEY, lone)) == MARLEY
    assert keep_complete_turns(()) == ()
