"""Printed contents are known by their leaders and rising page numbers, and put aside."""

from __future__ import annotations

import pytest

from desktop_app.engine.model import ChunkId, DocumentId, Passage
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.printed_contents import (
    is_printed_contents,
    put_contents_aside,
)
from desktop_app.engine.retrieval.retriever import Retriever
from tests.books import add_book

ENGLISH = """
9.4 Monitoring . . . . . . . . . . . . . . . . . . . 138

9.4.1 Timing a process . . . . . . . . . . . . . . . 138

9.4.2 The scheduling priority . . . . . . . . . . . . 139 A Handbook xi

9.4.3 Killing a process . . . . . . . . . . . . . . . 141
"""
ROMAN = (
    "Preface ........ v\nThanks ........ vii\nIntroduction ........ 1\nThe first year ........ 12\n"
)
CHINESE = """
关于作战的原则 … … … … … … … … １
（一九三七年八月一日）
对国防问题的意见 …………………… ４
论持久的战争 …………………………… 17
答记者问 ………………………………… 38
"""
TWO_LISTS = """
2.7 Shapes of leaves ........ 55
2.8 Roots ........ 58
2.9 Fruit ........ 61
3.1 Rain by month ........ 12
3.2 Wind by month ........ 19
3.3 Frost by month ........ 24
"""
SUMS = """
Net income ........ 5,678
Cost of sales ........ 3,210
Interest ........ 1,107
Taxes ........ 2,044
"""
PRICES = "Tea ..... 2.50\nCoffee ..... 3.10\nSoup ..... 4.80\nBread ..... 1.20\nCake ..... 3.90\n"
FALLING = "Rome ..... 812\nParis ..... 455\nOslo ..... 903\nBern ..... 120\nKyiv ..... 377\n"
PROSE = (
    "He waited . . . . 12 hours, he said, and then he spoke of it to everyone in the village. " * 5
)


@pytest.mark.parametrize("text", [ENGLISH, ROMAN, CHINESE, TWO_LISTS])
def test_contents_are_found_by_leaders_and_rising_numbers(text: str) -> None:
    assert is_printed_contents(text)


@pytest.mark.parametrize("text", [SUMS, PRICES, FALLING, PROSE, "", "A chapter. . . . 3"])
def test_sums_prices_and_prose_are_no_contents(text: str) -> None:
    assert not is_printed_contents(text)


def test_a_section_below_the_end_of_the_contents_is_kept() -> None:
    section = "The scheduler starts each task at its time and writes what it did to a file. " * 12
    assert not is_printed_contents(ENGLISH + section)


def _passage(number: int, text: str) -> Passage:
    return Passage(
        ChunkId(number), DocumentId(1), "A Handbook", 0, len(text), 1.0, text, 0, len(text)
    )


def test_contents_are_put_aside_where_text_was_found() -> None:
    found = [_passage(1, ENGLISH), _passage(2, "A process is killed by its number.")]
    assert put_contents_aside(found, "How is a process killed?") == found[1:]


@pytest.mark.parametrize(
    "question", ["Which chapters has the handbook?", "On which page is “Fruit”?", "第九章讲什么？"]
)
def test_contents_stay_for_questions_about_parts(question: str) -> None:
    found = [_passage(1, ENGLISH), _passage(2, "A process is killed by its number.")]
    assert put_contents_aside(found, question) == found


def test_contents_stay_where_nothing_else_was_found() -> None:
    found = [_passage(1, ENGLISH)]
    assert put_contents_aside(found, "How is a process killed?") == found


def test_a_question_finds_the_section_and_not_its_entry_in_the_contents(library) -> None:
    text = "Each process has a number. It is written after the command.\n"
    add_book(library, (ENGLISH, text), title="A handbook")
    finder = Retriever(library.writer, lambda: None)
    param = QueryParam(mode="words")
    [found] = finder.find("killing a process", param).passages
    assert found.text == text
    chapters = finder.find("Which chapter is about killing a process?", param).passages
    assert ENGLISH in {passage.text for passage in chapters}
