"""Names of sections: the outline of a document with the headings printed before it."""

from __future__ import annotations

import pytest

from desktop_app.engine.model import Heading, Page
from desktop_app.engine.text.sections import (
    complete_outline,
    find_printed_headings,
    find_section,
    find_section_at_top,
    find_section_on_page,
    has_front_matter,
)

AUTHORS = "A Title of a Paper\nAda Lovelace, Charles Babbage\nUniversity of London\n" * 4


@pytest.mark.parametrize(
    ("printed", "title"),
    [
        ("ABSTRACT\nWe show that", "Abstract"),
        ("Abstract.\nWe show that", "Abstract"),
        ("Abstract. We show that", "Abstract"),
        ("Abstract—We show that", "Abstract"),
        ("A B S T R A C T\nWe show that", "Abstract"),
        ("Summary:\nWe show that", "Summary"),
        ("摘 要\n本文提出", "摘要"),
        ("摘要：本文提出", "摘要"),
        ("【摘要】本文提出", "摘要"),
    ],
)
def test_a_heading_that_is_printed_before_the_first_section_is_one(printed, title):
    text = f"{AUTHORS}{printed} a lot.\n1 Introduction\nThe rest."
    first = Heading(1, "1 Introduction", text.index("1 Introduction"))
    [found] = find_printed_headings([first], text)
    assert found.title == title and found.level == 1
    assert text.startswith(printed[:3].strip("【"), found.start)
    outline = complete_outline([first], text)
    assert [heading.title for heading in outline] == [title, "1 Introduction"]
    assert find_section(outline, found.start - 5) == -1 and has_front_matter(outline)
    assert find_section(outline, found.start + 10) == 0


def test_the_page_and_the_level_are_those_of_the_next_section():
    text = f"{AUTHORS}Abstract\nWe show.\n1 Introduction\nAbstract\nnot this one"
    title = Heading(1, "A Title of a Paper", 0, 0)
    first = Heading(2, "1 Introduction", text.index("1 Introduction"), 0)
    pages = [Page(0, "1", 0, len(text))]
    assert complete_outline([first, title], text, pages) == [
        title,
        Heading(2, "Abstract", text.index("Abstract"), 0),
        first,
    ]


@pytest.mark.parametrize(
    "words", ["Abstract art is old. We", "Summary statistics are", "摘要的写法"]
)
def test_a_sentence_with_the_word_is_no_heading(words):
    text = f"{AUTHORS}{words} show that.\n1 Introduction"
    first = Heading(1, "1 Introduction", text.index("1 Introduction"))
    assert find_printed_headings([first], text) == []


def test_known_headings_and_documents_without_an_outline_get_none():
    text = f"{AUTHORS}Abstract\nWe show.\n1 Introduction"
    known = Heading(1, "ABSTRACT", text.index("Abstract"))
    assert complete_outline([known], text) == [known]
    assert complete_outline([], text) == []


def test_the_name_of_a_file_is_no_section():
    first = Heading(1, "1 Introduction", 10)
    assert complete_outline([Heading(1, "htmldoc797.html", 0), first], "") == [first]


def test_references_that_the_bookmarks_leave_out_are_a_section():
    """Pages of references were named “6 Conclusion”."""
    body = (
        "1 Introduction\nSee the references below.\n" + "It was so. " * 60 + "\n6 Conclusion\nSo.\n"
    )
    text = f"{AUTHORS}{body}\nREFERENCES\n\nAda Voss. A paper.\n\n7 Appendix\nThe prompts."
    outline = [Heading(1, words, text.index(words), 0) for words in
               ("1 Introduction", "6 Conclusion", "7 Appendix")]  # fmt: skip
    pages = [Page(0, "1", 0, len(text))]
    found = complete_outline(outline, text, pages)
    assert [one.title for one in found][1:] == ["6 Conclusion", "References", "7 Appendix"]
    at = text.index("Ada Voss. A paper")
    assert found[find_section(found, at)] == Heading(1, "References", text.index("REFERENCES"), 0)
    named = [*outline[:2], Heading(1, "7 References", text.index("REFERENCES"), 0)]
    assert complete_outline(named, text, pages) == named
    assert complete_outline([], text, pages) == []
    assert complete_outline(outline, text.replace("REFERENCES", "References are"), pages) == outline


def test_pages_without_text_have_the_section_that_began_last_before_them():
    """A scan whose pages 3 to 7 wait: they all begin and end at the same offset."""
    pages = [Page(n, "", 400 * min(n, 3), 400 * min(n + 1, 3)) for n in range(8)]
    outline = [
        Heading(1, title, pages[page].start, page)
        for title, page in (("Contents", 2), ("Introduction", 4), ("Chapter 1", 6))
    ]
    assert find_section(outline, pages[3].start) == 2  # the offset alone does not tell them apart
    names = [find_section_at_top(outline, pages, page) for page in range(8)]
    assert names == [-1, -1, 0, 0, 1, 1, 2, 2]
    assert [find_section_on_page(outline, pages, n, pages[n].start) for n in range(8)] == names


def test_a_section_that_begins_further_down_does_not_name_the_top_of_its_page():
    pages = [Page(n, "", 1000 * n, 1000 * n + 999) for n in range(3)]
    outline = [Heading(1, "One", 500), Heading(1, "Two", 1040, 1), Heading(1, "Three", 2400, 2)]
    assert [find_section_at_top(outline, pages, n) for n in range(3)] == [-1, 1, 1]
    assert find_section_at_top(outline, pages, 0, 450) == 0  # it is scrolled to its heading
    assert find_section_at_top(outline, pages, 2, 2350) == 2
