"""Tests of the search for typed words in one text."""

import pytest

from desktop_app.engine.text.literal_search import find_literally


def found(text: str, wanted: str, **options: bool) -> list[str]:
    return [text[start:end] for start, end in find_literally(text, wanted, **options)]


@pytest.mark.parametrize(
    ("text", "wanted", "places"),
    [
        ("Retrieval and retrieval", "RETRIEVAL", ["Retrieval", "retrieval"]),
        # "ß" and "İ" are longer in lower case: offsets stay right, and case is still ignored
        ("Straße und Haus, haus", "HAUS", ["Haus", "haus"]),
        ("İstanbul, the city", "CITY", ["city"]),
        # a page breaks its lines anywhere
        ("a graph-based text\nindexing paradigm", "text indexing", ["text\nindexing"]),
        ("two  spaces", " two spaces ", ["two  spaces"]),
        ("知识\n图谱与知识图谱", "知识图谱", ["知识\n图谱", "知识图谱"]),
        ("Gatsby’s house", "gatsby's", ["Gatsby’s"]),
        ("“Old sport”", '"old sport"', ["“Old sport”"]),
        ("pages 3–4", "3-4", ["3–4"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("a.c abc", "a.c", ["a.c"]),  # typed characters stand for themselves
        ("C++ (1998)", "c++ (", ["C++ ("]),
        ("nothing here", "", []),
        ("nothing here", "  \n ", []),
    ],
)
def test_typed_words_are_found_as_they_are_printed(
    text: str, wanted: str, places: list[str]
) -> None:
    assert found(text, wanted) == places


def test_case_counts_when_it_is_asked_for() -> None:
    assert found("Rag, RAG and rag", "RAG", match_case=True) == ["RAG"]


def test_whole_words_leave_out_longer_ones() -> None:
    text = "art, Arthur, art. start art"
    assert len(found(text, "art", whole_words=True)) == 3
    assert found("graph graphs graph-based", "graph", whole_words=True) == ["graph", "graph"]
    assert found("of C++.", "c++", whole_words=True) == ["C++"]


def test_whole_words_do_not_hide_chinese() -> None:
    assert len(found("宋江见了宋江的信", "宋江", whole_words=True)) == 2
    assert found("用RAG系统", "RAG", whole_words=True) == ["RAG"]
