"""Tests chunking: chunks rejoin to the text and respect chapters, sentences, windows."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.model import Heading
from desktop_app.engine.text.chunking import (
    MAX_SENTENCE,
    ChunkingSettings,
    chunk_text,
    load_tiktoken_counter,
    split_sentences,
    split_windows,
)

MODES = ("structure", "tokens", "separator", "separator_tokens")
PROSE = "It was a cold night in the town, and nobody was out. Mr. Grey sat by the fire. "


def count_words(text: str) -> int:
    """Count one token for every four characters or part of them."""
    return (len(text) + 3) // 4


texts = st.text(alphabet="ab. \n中。！“”,", min_size=1, max_size=400)


@given(texts, st.sampled_from(MODES), st.integers(1, 40), st.lists(st.integers(0, 399), max_size=5))
def test_chunks_rejoin_to_the_text_exactly(
    text: str, mode: str, size: int, places: list[int]
) -> None:
    outline = [Heading(1 + p % 3, f"H{p}", p) for p in sorted(places) if p < len(text)]
    chunks = chunk_text(text, outline, "zh", ChunkingSettings(mode, size), count_words)
    assert "".join(text[c.start : c.end] for c in chunks) == text
    assert [c.order for c in chunks] == list(range(len(chunks)))
    if text.strip():
        assert all(text[c.start : c.end].strip() for c in chunks)


@given(texts, st.sampled_from(MODES), st.integers(5, 40), st.integers(1, 10))
def test_with_overlap_a_chunk_starts_at_most_that_far_back(
    text: str, mode: str, size: int, overlap: int
) -> None:
    chunks = chunk_text(text, (), "en", ChunkingSettings(mode, size, overlap), count_words)
    assert chunks[0].start == 0
    assert chunks[-1].end == len(text)
    for before, chunk in pairwise(chunks):
        assert before.start < chunk.start <= before.end < chunk.end
        assert count_words(text[chunk.start : before.end]) <= overlap


@given(texts, st.integers(5, 60))
def test_windows_cover_everything_but_white_space(text: str, target: int) -> None:
    start, end = len(text) // 4, len(text)
    at = start
    for first, last in split_windows(
        text, start, end, "zh", target_tokens=target, count_tokens=count_words
    ):
        assert at <= first < last <= end
        assert not text[at:first].strip()
        at = last
    assert not text[at:end].strip()


def test_no_chunk_crosses_a_chapter_boundary() -> None:
    one, two = "CHAPTER I\n\n" + PROSE * 9, "\n\nCHAPTER II\n\n" + PROSE * 9
    text = one + two
    outline = [Heading(1, "Chapter I", 0), Heading(1, "Chapter II", len(one) + 2)]
    chunks = chunk_text(text, outline, "en", ChunkingSettings(chunk_token_size=100), count_words)
    assert {c.heading_path for c in chunks} == {"Chapter I", "Chapter II"}
    assert any(c.start == len(one) + 2 for c in chunks)
    assert all(c.n_tokens <= 100 for c in chunks)


def test_a_part_and_its_first_chapter_start_in_one_chunk() -> None:
    text = "BOOK ONE\n\nCHAPTER I\n\n" + PROSE * 3
    outline = [Heading(1, "Book One", 0), Heading(2, "Chapter I", 10)]
    chunks = chunk_text(text, outline, "en", ChunkingSettings(), count_words)
    assert len(chunks) == 1
    assert chunks[0].heading_path == "Book One › Chapter I"


def test_chunks_of_a_chapter_have_similar_sizes_and_end_with_sentences() -> None:
    text = PROSE * 60
    chunks = chunk_text(text, (), "en", ChunkingSettings(chunk_token_size=200), count_words)
    sizes = [c.n_tokens for c in chunks]
    assert max(sizes) <= 200
    assert min(sizes) > 100
    assert all(text[: c.end].rstrip().endswith(".") for c in chunks)


def test_separator_mode_splits_at_the_separator() -> None:
    text = "one\n\ntwo\n\n\n\nthree"
    chunks = chunk_text(text, (), "en", ChunkingSettings("separator"), count_words)
    assert [text[c.start : c.end].strip() for c in chunks] == ["one", "two", "three"]


def test_a_window_is_about_three_sentences() -> None:
    count = load_tiktoken_counter()
    text = "He came in from the cold and sat down by the fire with a book. " * 30
    windows = split_windows(text, 0, len(text), "en", count_tokens=count)
    assert 5 <= len(windows) <= 8


@pytest.mark.parametrize("text", ["", " ", "\n\n"])
def test_blank_text_gives_one_chunk_or_none(text: str) -> None:
    chunks = chunk_text(text, (), "en", ChunkingSettings(), count_words)
    assert len(chunks) == (1 if text else 0)


def test_the_counter_treats_special_tokens_and_huge_words_as_text() -> None:
    count = load_tiktoken_counter()
    assert count("<|endoftext|>") > 1
    assert count("hello world") == 2
    assert count("a" * 300_000) > 1_000
    assert count("\ud800") >= 1


# --- sentences ------------------------------------------------------------------------------------


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


def test_lower_case_text_after_a_quote_belongs_to_its_sentence() -> None:
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


def test_chinese_sentences_end_at_punctuation_with_closing_quotes() -> None:
    text = "宋江道：“你是谁？”那人答道：「我是李逵。」众人大笑……随后都散了。"
    assert sentences(text, "zh") == [
        "宋江道：“你是谁？”",
        "那人答道：「我是李逵。」",
        "众人大笑……",
        "随后都散了。",
    ]


def test_a_chinese_line_is_a_paragraph() -> None:
    assert sentences("第一回 王教头\n话说大宋\n故事", "zh") == ["第一回 王教头", "话说大宋", "故事"]


def test_chinese_lines_of_equal_width_are_joined() -> None:
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
def test_only_white_space_is_outside_of_sentences(text: str, language: str) -> None:
    at = 0
    for start, end in split_sentences(text, language):
        assert at <= start < end
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()


@pytest.mark.parametrize("piece", ["a", ". ", '"', "A.", "\n", "。", " \n \n", "…", "1. "])
def test_long_repetitive_text_is_split(piece: str) -> None:
    text = piece * 60_000
    spans = split_sentences(text, "en")
    assert sum(len(text[a:b]) for a, b in spans) >= len("".join(text.split()))
    assert all(a < b <= a + MAX_SENTENCE for a, b in spans)
