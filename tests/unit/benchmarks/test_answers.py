"""Tests the scores of `benchmarks.answers` on invented answers."""

from __future__ import annotations

import pytest

from benchmarks.answers import contained_share, token_f1


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
