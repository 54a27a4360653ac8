"""Tests the scores of `benchmarks.answers` on invented answers."""

from __future__ import annotations

import pytest

from benchmarks.answers import (
    contained_share,
    is_equal,
    is_refused,
    share_of_gold,
    short_f1,
    token_f1,
)
from desktop_app.engine.answering.citations import NOT_SAID, UNKNOWN, UNRELATED


@pytest.mark.parametrize(
    ("gold", "text", "share"),
    [
        ("Cornish heath", "It is the Cornish heath.", 1.0),
        ("Outside the cottage", "He stood by Toto's cottage.", 0.5),
        ("The bear", "The beard.", 0.0),
        ("of the", "anything", 1.0),
    ],
)
def test_containment_counts_content_words_of_the_gold_answer(gold, text, share):
    assert contained_share(gold, text) == share


def test_f1_counts_missing_and_extra_words():
    assert token_f1("Cornish heath", "Cornish heath") == 1.0
    assert token_f1("Cornish heath near Truro", "Cornish heath") == pytest.approx(2 * 0.5 / 1.5)
    assert token_f1("Raccoon raccoon", "Raccoon") == pytest.approx(2 / 3)
    assert token_f1("", "Raccoon") == token_f1("Bear", "Raccoon") == 0.0


def test_short_answers_are_equal_by_letters_and_numbers():
    assert is_equal("朗·霍华德。", "朗霍华德") and is_equal("The miller.", "the miller")
    assert not is_equal("1621年", "1622年")


def test_f1_of_chinese_answers_counts_the_longest_common_part():
    assert short_f1("巴黎城西边", "法国巴黎城西边") == pytest.approx(2 * 5 / 12)
    assert share_of_gold("法国巴黎", "它在法国巴黎城西边") == 1.0
    assert share_of_gold("法国巴黎", "巴黎") == 0.5


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (NOT_SAID["en"], True),
        (f"{UNRELATED['en']}\n\n> “A long passage.” [1]", True),
        (UNKNOWN["zh"].format("武松"), True),
        ("The miller [1].", False),
    ],
)
def test_a_refusal_is_known_whatever_it_quotes(text, refused):
    assert is_refused(text) is refused
