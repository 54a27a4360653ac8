"""Sentences contain all of the text and end at the right punctuation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.text.chunking import MAX_SENTENCE, split_sentences


def sentences(text: str, language: str = "en") -> list[str]:
    return [text[a:b] for a, b in split_sentences(text, language)]


def test_abbreviations_and_initials_do_not_end_a_sentence() -> None:
    text = "Mr. and Mrs. J. R. Smith met Dr. Long in St. Paul's, e.g. on No. 5. They left."
    assert len(sentences(text)) == 2


def test_closing_quotes_stay_with_their_sentence() -> None:
    assert sentences('"Come in!" She came. “Why?” He went.') == [
        '"Come in!"',
        "She came.",
        "“Why?”",
        "He went.",
    ]


def test_what_follows_a_quote_in_lower_case_belongs_to_it() -> None:
    assert sentences('"Is it late?" said he. "Yes!" cried she.') == [
        '"Is it late?" said he.',
        '"Yes!" cried she.',
    ]


def test_hard_wrapped_lines_are_one_sentence() -> None:
    assert sentences("He went to\nthe house on\nthe hill. Then he slept.") == [
        "He went to\nthe house on\nthe hill.",
        "Then he slept.",
    ]


def test_a_blank_line_always_ends_a_sentence() -> None:
    assert sentences("CHAPTER ONE\n\nIt began") == ["CHAPTER ONE", "It began"]


def test_decimal_numbers_stay_whole() -> None:
    assert len(sentences("It cost 3.14 pounds in 1843. That was much.")) == 2


def test_chinese_ends_at_its_marks_with_their_quotes() -> None:
    text = "宋江道：“你是谁？”那人答道：「我是李逵。」众人大笑……随后都散了。"
    assert sentences(text, "zh") == [
        "宋江道：“你是谁？”",
        "那人答道：「我是李逵。」",
        "众人大笑……",
        "随后都散了。",
    ]


def test_a_chinese_line_is_a_paragraph() -> None:
    assert sentences("第一回 王教头\n话说大宋\n故事", "zh") == ["第一回 王教头", "话说大宋", "故事"]


def test_chinese_set_in_lines_of_one_width_goes_on_over_the_line_end() -> None:
    line = "话说大宋仁宗天子在位嘉佑三年三月三日五更三点天子驾坐"
    assert len(sentences(f"{line}\n{line}\n受百官朝贺。", "zh")) == 1


def test_a_sentence_without_end_is_cut_at_commas() -> None:
    text = "and then he went on, " * 200
    found = sentences(text)
    assert all(len(s) <= MAX_SENTENCE for s in found)
    assert all(s.endswith(",") for s in found)


@given(
    st.text(alphabet='ab. !?"“”。！…\n\t 　中文,1M-#|', max_size=300), st.sampled_from(["en", "zh"])
)
def test_nothing_but_white_space_is_outside_of_sentences(text: str, language: str) -> None:
    at = 0
    for start, end in split_sentences(text, language):
        assert at <= start < end
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()
