"""Chunks rejoin to the document exactly and respect its chapters; windows cover chunks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.engine.model import Heading
from desktop_app.engine.text.chunking import (
    ChunkingSettings,
    chunk_text,
    load_tiktoken_counter,
    split_windows,
)

MODES = ("structure", "tokens", "separator", "separator_tokens")
PROSE = "It was a cold night in the town, and nobody was out. Mr. Grey sat by the fire. "


def count_words(text: str) -> int:
    """A counter whose counts are easy to follow: a token every four characters begun."""
    return (len(text) + 3) // 4


texts = st.text(alphabet="ab. \n中。！“”,", min_size=1, max_size=400)


@settings(max_examples=150)
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


@settings(max_examples=100)
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


@settings(max_examples=100)
@given(texts, st.integers(5, 60))
def test_windows_hold_everything_but_white_space(text: str, target: int) -> None:
    start, end = len(text) // 4, len(text)
    at = start
    for first, last in split_windows(
        text, start, end, "zh", target_tokens=target, count_tokens=count_words
    ):
        assert at <= first < last <= end
        assert not text[at:first].strip()
        at = last
    assert not text[at:end].strip()


def test_no_chunk_goes_over_a_chapter() -> None:
    one, two = "CHAPTER I\n\n" + PROSE * 9, "\n\nCHAPTER II\n\n" + PROSE * 9
    text = one + two
    outline = [Heading(1, "Chapter I", 0), Heading(1, "Chapter II", len(one) + 2)]
    chunks = chunk_text(text, outline, "en", ChunkingSettings(chunk_token_size=100), count_words)
    assert {c.heading_path for c in chunks} == {"Chapter I", "Chapter II"}
    assert any(c.start == len(one) + 2 for c in chunks)
    assert all(c.n_tokens <= 100 for c in chunks)


def test_a_part_and_its_first_chapter_open_one_chunk() -> None:
    text = "BOOK ONE\n\nCHAPTER I\n\n" + PROSE * 3
    outline = [Heading(1, "Book One", 0), Heading(2, "Chapter I", 10)]
    chunks = chunk_text(text, outline, "en", ChunkingSettings(), count_words)
    assert len(chunks) == 1
    assert chunks[0].heading_path == "Book One › Chapter I"


def test_chunks_of_a_chapter_are_of_like_size_and_end_with_sentences() -> None:
    text = PROSE * 60
    chunks = chunk_text(text, (), "en", ChunkingSettings(chunk_token_size=200), count_words)
    sizes = [c.n_tokens for c in chunks]
    assert max(sizes) <= 200
    assert min(sizes) > 100
    assert all(text[: c.end].rstrip().endswith(".") for c in chunks)


def test_the_separator_decides_when_it_is_asked_to() -> None:
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


def test_the_counter_takes_special_tokens_and_huge_words_as_text() -> None:
    count = load_tiktoken_counter()
    assert count("<|endoftext|>") > 1
    assert count("hello world") == 2
    assert count("a" * 300_000) > 1_000
    assert count("\ud800") >= 1
