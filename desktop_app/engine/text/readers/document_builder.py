"""The last steps that all readers share: from text and metadata to a `ReadDocument`.

Owns line ends, the header and footer of Project Gutenberg, title, author, outline and language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...messages import Message
from ...model import Heading, Page, ReadDocument
from ..language import detect_language
from ..outline import find_outline
from .archives import MAX_TEXT_CHARS, Unreadable

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
_CHINESE_TITLE = re.compile(
    r"[ \t\u3000]*《([^》\n]{1,40})》[ \t\u3000]*(?:作者[:：])?[ \t\u3000]*([^\n]{0,20})$", re.M
)
_BY = re.compile(r"^[ \t_]*by:?[ \t]+([A-Z][^\n]{2,60}?)[_ \t]*$", re.I | re.M)
# Books without line breaks start with their title two or three times.
_REPEATED = re.compile(r"([\u4e00-\u9fff]{2,8}?)\1+(?=[\u4e00-\u9fff])")
_ZH_AUTHOR = re.compile(r"^[ \t\u3000]*作者[:：][ \t\u3000]*([^\n]{1,20})$", re.M)


@dataclass(frozen=True, slots=True)
class GutenbergFrame:
    """The work is text[start:end]; title and author are those of the header, or ""."""

    start: int
    end: int
    title: str = ""
    author: str = ""


def find_gutenberg_frame(text: str) -> GutenbergFrame:
    """Return the range of the work between header and footer; all of any other text."""
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


def normalise_newlines(text: str) -> str:
    """Return the text with LF line ends; all offsets refer to this text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\x1a", "").replace("\x0c", "\n").replace("\x00", "")


def build_document(
    text: str,
    *,
    format: str,
    stem: str,
    title: str = "",
    author: str = "",
    year: str = "",
    outline: Sequence[Heading] | None = None,
    pages: Sequence[Page] = (),
    notes: Sequence[Message] = (),
    title_from_text: bool = True,
) -> ReadDocument:
    """Return the document with its metadata completed from the text.

    Args:
        stem: file name without extension; the title if there is no other.
        outline: headings; None or empty to detect chapters in the text.
        title_from_text: take the title from the first lines if `title` is empty.

    Raises:
        Unreadable: the text is blank or too long.
    """
    if not text.strip():
        raise Unreadable("it has no text in it.", "Check that it is the file you meant.")
    if len(text) > MAX_TEXT_CHARS:
        raise Unreadable("its text is too long.", "Split it into several files.")
    frame = find_gutenberg_frame(text)
    body = text[frame.start : frame.end]
    headings = tuple(outline or ()) or find_outline(text, frame.start, frame.end)
    found_title, found_author = _title_and_author(body[:3_000], headings, frame.start)
    title = frame.title or title.strip()
    if not title and title_from_text:
        title = found_title
    return ReadDocument(
        title=_one_line(title)
        or _one_line(stem if " " in stem else stem.replace("_", " "))
        or "Untitled",
        text=text,
        format=format,
        language=detect_language(body if body.strip() else text),
        pages=tuple(pages),
        outline=headings,
        author=_one_line(frame.author or author or found_author),
        year=year,
        body_start=frame.start,
        body_end=frame.end,
        notes=tuple(notes),
    )


def _title_and_author(head: str, headings: Sequence[Heading], offset: int) -> tuple[str, str]:
    """Return title and author found in the first lines, "" where there is none."""
    chinese = _CHINESE_TITLE.match(head.lstrip("\n"))
    if chinese:
        return chinese.group(1), re.sub(r"[（(].*", "", chinese.group(2)).strip(" 　著")
    repeated = _REPEATED.match(head)
    if repeated:
        return repeated.group(1), ""
    author = _BY.search(head[:600]) or _ZH_AUTHOR.search(head[:600])
    lines = head.strip().split("\n", 2)
    first = lines[0].strip(" \t\u3000#_*")
    following_blank = len(lines) == 1 or not lines[1].strip()
    is_chapter = any(0 <= h.start - offset < 20 for h in headings[:1])
    # A title is a short separate line that is not a sentence.
    has_words = len(re.findall(r"[^\W\d_]", first)) >= 2
    good = (
        has_words
        and 0 < len(first) <= 80
        and following_blank
        and first[-1] not in ".。,，;；:：?？!！"
    )
    return (first if good and not is_chapter else ""), author.group(1).strip() if author else ""


def _one_line(text: str) -> str:
    text = re.sub(r"[\x00-\x1f\x7f\ufffd]+", " ", text)
    return re.sub(r"\s+", " ", text).strip()[:200]
