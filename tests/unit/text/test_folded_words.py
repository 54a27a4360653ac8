"""Tests which spellings of words are compared as the same, and their places."""

from __future__ import annotations

import pytest

from desktop_app.engine.text.folded_words import fold_letters, fold_words, list_forms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The ﬁrst Œuvre", "the first oeuvre"),
        ("naïve", "Naive"),
        ("don’t", "don't"),
        ("exam-\nple", "example"),
        ("co\u00adoperate", "cooperate"),
        ("door-nail", "doornail"),
        ("鄭屠來揪魯達", "郑屠来揪鲁达"),
        ("東国の発見", "東國の發見"),
        ("１２", "12"),
        ("並入於漢", "并入于汉"),
        ("Straße", "STRASSE"),
    ],
)
def test_spellings_of_one_word_are_compared_as_the_same(one, other):
    assert [w.key for w in fold_words(one)] == [w.key for w in fold_words(other)]


@pytest.mark.parametrize(
    ("one", "other"), [("末", "未"), ("が", "か"), ("cat", "cut"), ("后", "右")]
)
def test_other_words_stay_apart(one, other):
    assert fold_letters(one) != fold_letters(other)


def test_words_have_their_places_in_the_text():
    text = "“Well,” said _he_; 林冲道"
    words = fold_words(text, 100)
    assert [text[w.start - 100 : w.end - 100] for w in words] == [
        *("Well", "said", "he", "林", "冲", "道")
    ]


def test_the_forms_of_a_character_are_those_that_are_compared_as_the_same():
    assert {"发", "發", "髮"} <= set(list_forms("發"))
    assert list_forms("人") == ("人",)
    assert all(fold_letters(form) == "发" for form in list_forms("髮"))
