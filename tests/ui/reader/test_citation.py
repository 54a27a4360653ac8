"""Citations of a passage in the language of its document."""

from __future__ import annotations

from desktop_app.engine.model import DocumentRow, Heading, Page
from desktop_app.ui.reader.loading import LoadedDocument, cite_quotation, place_words

PAGES = [Page(0, "i", 0, 50), Page(1, "", 50, 100)]
OUTLINE = [Heading(1, "Of the\nferry", 40)]


def loaded(language: str, author: str = "", pages=(), outline=()) -> LoadedDocument:
    row = DocumentRow(1, "Clocks", "c.pdf", "pdf", language, "ready", author=author)
    return LoadedDocument(row, "", list(outline), list(pages), None)


def test_english_has_author_title_and_page():
    book = loaded("en", "E. Tester", PAGES, OUTLINE)
    assert cite_quotation("Time  is\nup.", book, 60) == "“Time is up.” (E. Tester, Clocks, p. 2)"
    assert cite_quotation("Early", book, 3) == "“Early” (E. Tester, Clocks, p. i)"


def test_without_pages_the_chapter_is_cited_and_unknown_fields_are_left_out():
    assert (
        cite_quotation("Late", loaded("en", outline=OUTLINE), 60) == "“Late” (Clocks, Of the ferry)"
    )
    assert cite_quotation("Late", loaded("en"), 60) == "“Late” (Clocks)"


def test_chinese_documents_have_chinese_citations():
    assert (
        cite_quotation("三更", loaded("zh", "甲乙", PAGES), 60)
        == "「三更」（甲乙《Clocks》，第 2 页）"
    )
    assert cite_quotation("三更", loaded("zh"), 60) == "「三更」（《Clocks》）"


def test_a_place_is_described_with_page_and_chapter():
    assert place_words(60, OUTLINE, PAGES).join() == "p. 2 · Of the ferry"
    assert place_words(0, (), ()).join() == ""
