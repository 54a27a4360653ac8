"""Puts the text of a document together from blocks, with the offsets of headings and pages."""

from __future__ import annotations

import re

from ...model import Heading, Page
from .archives import MAX_PAGES, Unreadable, check_length

MAX_HEADING_CHARS = 200
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")


def remove_control_characters(text: str) -> str:
    """Return a text without the characters that are no text; form feeds become line ends."""
    return _CONTROL.sub("", text.replace("\x0c", "\n").replace("\x0b", "\n"))


class TextBuilder:
    """Collects paragraphs, rows, headings and pages.

    Attributes:
        headings, pages: those so far; the last page ends where the text ends.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._label: str | None = None
        self._page_start = 0
        self.headings: list[Heading] = []
        self.pages: list[Page] = []

    def add(self, text: str, *, gap: str = "\n\n") -> int:
        """Append a block; return the offset of its first character.

        Args:
            gap: what separates it from the block before.
        """
        text = remove_control_characters(text).strip("\n")
        if not text.strip():
            return self._length
        if self._parts:
            self._put(gap)
        if self._label is not None and self._page_start < 0:
            self._page_start = self._length
        start = self._length
        self._put(text)
        check_length(self._length)
        return start

    def add_heading(self, level: int, title: str) -> None:
        title = " ".join(title.split())
        if title:
            page = len(self.pages) if self._label is not None else None
            start = self.add(title)
            self.headings.append(Heading(min(level, 6), title[:MAX_HEADING_CHARS], start, page))

    def add_rows(self, rows: list[str]) -> list[int]:
        """Append the rows of a table, a line for each; return the offsets of their starts."""
        return [self.add(row, gap="\n" if n else "\n\n") for n, row in enumerate(rows)]

    def begin_page(self, label: str) -> None:
        """End the page before and begin another.

        Raises:
            Unreadable: there are too many pages.
        """
        self.end_page()
        if len(self.pages) >= MAX_PAGES:
            raise Unreadable(
                "it has more than {n:,} pages.", "Split it into several files.", n=MAX_PAGES
            )
        self._label, self._page_start = label, -1

    def end_page(self) -> None:
        if self._label is not None:
            start = self._length if self._page_start < 0 else self._page_start
            self.pages.append(Page(len(self.pages), self._label, start, self._length))
            self._label = None

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def next_start(self) -> int:
        """Offset at which the next paragraph starts, if there is one."""
        return self._length + 2 if self._parts else 0

    @property
    def page_index(self) -> int | None:
        """Index of the page that has begun, None outside of pages."""
        return len(self.pages) if self._label is not None else None

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
