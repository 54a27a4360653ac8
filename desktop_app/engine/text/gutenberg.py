"""Finds what Project Gutenberg puts before and after a work, and what it says of the work."""

from __future__ import annotations

import re
from dataclasses import dataclass

_START = re.compile(
    r"^[ \t]*\*\*\*\s?START OF (?:THE|THIS) PROJECT GUTENBERG[^*]{0,300}\*\*\*[^\n]*", re.M | re.I
)
_END = re.compile(
    r"^[ \t]*(?:\*\*\*\s?END OF (?:THE|THIS) PROJECT GUTENBERG|"
    r"End of (?:the )?Project Gutenberg(?:['’]s)?\b)",
    re.M | re.I,
)
_PRODUCED = re.compile(
    r"\s*(?:(?:Produced by|E-text prepared by|This e-?text was|HTML version by|Transcribed)"
    r"(?:[^\n]+\n){1,8}\s*\n)",
    re.I,
)
_TITLE = re.compile(r"^[ \t]*Title:[ \t]*([^\n]+)", re.M)
_AUTHOR = re.compile(r"^[ \t]*Author:[ \t]*([^\n]+)", re.M)


@dataclass(frozen=True, slots=True)
class GutenbergFrame:
    """The work is text[start:end]; title and author as the head gives them, or ""."""

    start: int
    end: int
    title: str = ""
    author: str = ""


def find_gutenberg_frame(text: str) -> GutenbergFrame:
    """Return where the work itself stands; all of the text if this is no Gutenberg file."""
    head = _START.search(text, 0, 20_000)
    if head is None:
        return GutenbergFrame(0, len(text))
    start = head.end()
    produced = _PRODUCED.match(text, start)
    if produced:
        start = produced.end()
    while start < len(text) and text[start] == "\n":
        start += 1
    tail = next(_END.finditer(text, max(start, len(text) - 60_000)), None)
    end = tail.start() if tail else len(text)
    title = _TITLE.search(text, 0, head.end())
    author = _AUTHOR.search(text, 0, head.end())
    return GutenbergFrame(
        start,
        max(start, end),
        title.group(1).strip() if title else "",
        author.group(1).strip() if author else "",
    )
