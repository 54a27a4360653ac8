"""Tests keywords of a question: given, written by a model, or guessed."""

from __future__ import annotations

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.model import Keywords
from desktop_app.engine.prompt_program import OneLine, Written
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.keywords import (
    choose_keywords,
    find_keywords,
    guess_keywords,
)
from desktop_app.engine.store.db import Db
from tests.fakes import ScriptedChatModel

QUESTION = "Why did Clara Wren hide the watch from Captain Hale?"


def keyword_model(themes: str, names: str) -> ScriptedChatModel:
    def reply(_program, _ask, line):
        return Written(themes if line in ("Themes:", "主题：") else names, n_tokens=5)

    return ScriptedChatModel(reply=reply)


@pytest.fixture
def db(tmp_path):
    made = Db(tmp_path / "cache.inkgraph")
    yield made
    made.close()


def test_keywords_of_a_model_are_cached(db):
    model = keyword_model(" hidden watch, reason of a secret.", " Clara Wren, Captain Hale")
    found = find_keywords(QUESTION, model, db)
    assert found == Keywords(("hidden watch", "reason of a secret"), ("Clara Wren", "Captain Hale"))
    assert len(model.script_lines) == 2
    assert find_keywords(f"  {QUESTION} ", model, db) == found
    assert len(model.script_lines) == 2


def test_names_that_a_model_invents_are_dropped(db):
    found = find_keywords(
        QUESTION,
        keyword_model("\n1. secret\nNames: Bob", "Clara, Scrooge, none, Captain Marley"),
        db,
    )
    assert found == Keywords(("secret",), ("Clara", "Captain Marley"))
    assert find_keywords("Who kept the watch?", keyword_model("none", "N/A"), db) == Keywords()


def test_a_chinese_question_gets_a_chinese_prompt(db):
    model = keyword_model("最初如何相识、友情", "沈砚、陆青山、宋江")
    found = find_keywords("沈砚和陆青山最初是怎么认识的？", model, db)
    assert found == Keywords(("最初如何相识", "友情"), ("沈砚", "陆青山"))
    assert "检索词" in model.begun[0].messages[0].text


def test_a_failing_model_gives_no_keywords(db):
    def fail(*_):
        raise UserError("The model is ill.")

    assert find_keywords(QUESTION, ScriptedChatModel(reply=fail), db) == Keywords()


def test_guessed_keywords_are_the_names_and_the_other_phrases():
    start = QUESTION.index("Clara Wren")
    found = guess_keywords(QUESTION, [(start, start + len("Clara Wren"))])
    assert found == Keywords(("hide", "watch"), ("Clara Wren", "Captain Hale"))
    assert guess_keywords("What does “The Old Curiosity Shop” say of grief?") == Keywords(
        ("grief",), ("The Old Curiosity Shop",)
    )


def test_a_title_is_kept_whole():
    found = guess_keywords("Who composed the music of Thunder On The Hill?")
    assert found == Keywords(("composed", "music"), ("Thunder On The Hill",))
    assert guess_keywords("Which film came out first?").high == ("film came", "first")


def test_a_line_ends_at_its_first_line_break():
    state = OneLine().begin()
    assert not state.may_end
    assert not state.take(b"\n")
    assert state.take(b" themes") and state.may_end and not state.must_end
    assert state.take(b", more\nNames:") and state.must_end
    assert not state.take(b" x")


def test_guessed_keywords_of_a_chinese_question():
    found = guess_keywords("沈砚为什么害怕柳三娘的那封信？", [(0, 2), (7, 10)])
    assert found.low == ("沈砚", "柳三娘")
    assert "害怕" in found.high


def test_given_keywords_are_kept_and_one_kind_is_used_for_both():
    given = QueryParam(ll_keywords=("Clara",))
    assert choose_keywords(QUESTION, given) == Keywords(("Clara",), ("Clara",))
    both = QueryParam(ll_keywords=("Clara",), hl_keywords=("love",))
    assert choose_keywords(QUESTION, both) == Keywords(("love",), ("Clara",))


def test_a_short_question_without_keywords_is_used_whole():
    assert choose_keywords("who is it?", QueryParam()) == Keywords(("who is it?",), ("who is it?",))
    assert choose_keywords("who is it " * 8, QueryParam()) == Keywords()
    assert choose_keywords("", QueryParam()) == Keywords()


@pytest.mark.parametrize("question", ["???", "的了吗", "a b c", "\n\n", "«»", "’s ’s"])
def test_unusual_questions_are_handled(question):
    found = choose_keywords(question, QueryParam())
    assert all(k.strip() for k in (*found.high, *found.low))
