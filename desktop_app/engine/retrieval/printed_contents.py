"""Finds passages that are a printed table of contents, and puts them aside.

An entry of the contents has the words of its heading, which are those of many questions, and says
nothing beyond them. In a long PDF with printed contents, lists of figures and lists of tables, such
pages stood among the first passages of every second question. Known by what printers set there in
any language: dots or other leaders from a heading to a page number, and numbers that rise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ..model import Passage

MIN_ENTRIES = 4  # numbers of fewer rows may rise by chance: of four, one time in 24
MIN_SHARE = 0.5  # of the characters of a passage, which entries take; others are a running head
MAX_FALLS = 0.2  # of the entries: the next list begins again, and a number may be misread
LONGEST_ENTRY = 300  # characters with the leaders; a longer one is a sentence with a pause in it
# Prices and sums, which have leaders too, have a decimal point, commas or a unit. A heading behind
# the number, where the lines of a PDF were joined, does not begin with a small letter.
_ENTRY = re.compile(
    r"(?:(?:[.．·・][ \t]?){4,}|(?:[…‥⋯][ \t]?){2,})[ \t]*"
    r"(?P<page>\d{1,4}|[ivxlc]{1,7})(?![\w%]|[.,]\d|[ \t]+[a-z])"
)
# A question about the parts of a document: there, the contents are the answer.
_ABOUT_PARTS = re.compile(
    r"\b(?:contents|chapters?|sections?|subsections?|pages?|appendix|appendices)\b"
    r"|目[录錄]|[章节節页頁]|附[录錄]",
    re.IGNORECASE,
)


def is_printed_contents(text: str) -> bool:
    """Return whether a text is mostly entries of printed contents, in the order of their pages."""
    entries = list(_ENTRY.finditer(text))
    if len(entries) < MIN_ENTRIES:
        return False
    covered, position = 0, 0
    for entry in entries:
        start = max(position, text.rfind("\n", 0, entry.start()) + 1)
        n_chars = entry.end() - start
        covered += n_chars if n_chars <= LONGEST_ENTRY else 0
        position = entry.end()
    pages = [int(entry["page"]) for entry in entries if entry["page"].isdecimal()]
    falls = sum(after < before for before, after in pairwise(pages))
    return covered >= MIN_SHARE * len(text.strip()) and falls <= MAX_FALLS * len(entries)


def put_contents_aside(passages: Sequence[Passage], question: str) -> list[Passage]:
    """Return the passages without printed contents, all where the question is about such parts.

    Where nothing else was found, the contents stay.
    """
    if _ABOUT_PARTS.search(question):
        return list(passages)
    others = [passage for passage in passages if not is_printed_contents(passage.text)]
    return others or list(passages)
