"""Tests messages: template and values survive pickling and storage in a library."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.errors import EnvironmentProblem, PasswordNeeded, UserError, message_of
from desktop_app.engine.messages import NO_MESSAGE, Message, OldSentence


def parts(message: Message) -> tuple[str, dict[str, object]]:
    return message.template, dict(message.params)


REASON = Message("it has {n:,} pages.", n=9001)
WHOLE = Message("“{name}” can't be read: {reason}", name="a {n}.pdf", reason=REASON)


def test_a_message_converts_to_its_english_text():
    assert WHOLE == "“a {n}.pdf” can't be read: it has 9,001 pages."
    assert Message("{share:.0%} of {what}", share=np.float32(0.5), what=None) == "50% of None"


def test_braces_without_a_value_stay():
    assert Message('Write {"title": "…"} or {x}.') == 'Write {"title": "…"} or {x}.'


@pytest.mark.parametrize(
    "passed_on",
    [
        lambda message: pickle.loads(pickle.dumps(message)),
        copy.deepcopy,
        lambda message: Message.from_stored(message.to_stored()),
    ],
    ids=["pickled", "copied", "stored"],
)
def test_a_message_keeps_its_parts(passed_on):
    again = passed_on(WHOLE)
    assert again == WHOLE
    assert parts(again)[0] == WHOLE.template
    assert isinstance(again.params["reason"], Message)
    assert parts(again.params["reason"]) == parts(REASON)


@given(st.text(), st.text(), st.integers())
def test_any_value_survives_storage(name, other, n):
    message = Message("{name} and “{other}”: {n}", name=name, other=Message(other), n=n)
    assert Message.from_stored(message.to_stored()) == message


def test_a_sentence_of_an_old_library_is_recognised():
    assert isinstance(Message.from_stored("Delete “Bob”"), OldSentence)
    assert Message.from_stored("") is NO_MESSAGE
    assert Message.from_stored(None) is NO_MESSAGE


def test_an_error_fills_its_message_and_its_hint():
    error = UserError("No “{name}”.", "Choose one of: {known}.", name="x", known="a, b")
    assert (error.message, error.hint) == ("No “x”.", "Choose one of: a, b.")
    assert str(error) == error.full_message == "No “x”. Choose one of: a, b."
    assert message_of(error) == str(error)
    assert message_of(ValueError("odd {x}")) == "odd {x}"


def test_an_error_may_be_given_messages():
    error = EnvironmentProblem(WHOLE, REASON)
    assert error.message is WHOLE
    assert error.hint is REASON


def test_errors_pickle():
    again = pickle.loads(pickle.dumps(PasswordNeeded("“{name}”: {n}", name="x", n=3, wrong=True)))
    assert again.wrong
    assert parts(again.message) == ("“{name}”: {n}", {"name": "x", "n": 3})
