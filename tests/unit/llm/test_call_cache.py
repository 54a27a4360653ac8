"""Tests the cache of model calls: keys and stored replies."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from desktop_app.engine.llm.batching.conversation import CallKeys, dump_reply, load_reply
from desktop_app.engine.model import ChatMessage
from desktop_app.engine.prompt_program import PASSAGE, Choice, Choose, PromptProgram, Write, Written


@dataclass(frozen=True)
class LettersOnly:
    n_most: int = 3


PROGRAM = PromptProgram(1, (ChatMessage("user", f"Read: {PASSAGE}"),), "A mill.", lambda: iter(()))
CHOOSE = Choose(("a:", "b:"), (" x", " y"))
WRITE = Write(("a:",), 8, LettersOnly())


def key(
    program: PromptProgram = PROGRAM, ask: Choose | Write = CHOOSE, line="a:", text="", model="m"
):
    return CallKeys(model, program).get(ask, line, text)


def test_a_key_depends_on_everything_that_changes_the_answer():
    other_words = (ChatMessage("user", f"Read this: {PASSAGE}"),)
    keys = [
        key(),
        key(model="another"),
        key(replace(PROGRAM, messages=other_words)),
        key(replace(PROGRAM, text="A ship.")),
        key(ask=replace(CHOOSE, messages=(ChatMessage("user", f"Look: {PASSAGE}"),))),
        key(text="A horse."),
        key(line="b:"),
        key(ask=replace(CHOOSE, options=(" y", " x"))),
        key(ask=WRITE),
        key(ask=replace(WRITE, max_tokens=9)),
        key(ask=replace(WRITE, guard=LettersOnly(4))),
        key(ask=replace(WRITE, guard=None)),
    ]
    assert len(set(keys)) == len(keys)


def test_a_key_depends_on_nothing_else():
    again = PromptProgram("another", PROGRAM.messages, PROGRAM.text, list)
    assert key() == key(again) == key(text=PROGRAM.text)
    assert key() == key(ask=Choose(("other", "lines"), CHOOSE.options))
    # An instruction of the question or of the program gives the same call.
    other = (ChatMessage("user", f"Look: {PASSAGE}"),)
    assert key(ask=replace(CHOOSE, messages=other)) == key(replace(PROGRAM, messages=other))
    # A text of the line or of the program gives the same call.
    assert key(text="A ship.") == key(replace(PROGRAM, text="A ship."))


def test_half_a_character_has_a_key():
    assert key(text="broken \ud83d") != key(text="broken ")


def test_replies_are_loaded_as_they_were_stored():
    choice = Choice((-0.1234, -99.0))
    written = Written("鲁智深 “went”\n", 7, "long", -0.25)
    assert load_reply(CHOOSE, dump_reply(choice)) == choice
    assert load_reply(WRITE, dump_reply(written)) == written
    assert "鲁智深" in dump_reply(written)


@pytest.mark.parametrize("value", ["", "{", "[1]", "[1, 2, 3]", '["a", "b"]', "null", "7"])
def test_an_unreadable_reply_is_requested_again(value):
    assert load_reply(CHOOSE, value) is None
    assert load_reply(WRITE, value) is None
