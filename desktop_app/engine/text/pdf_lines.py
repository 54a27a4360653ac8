"""Turns the lines of PDF pages into paragraphs: pure text work, no PDFium.

Owns what is left out (running heads, page numbers), how words broken over lines are mended, and
where a paragraph ends.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

_CJK = re.compile(
    "[\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60]"
)
_JUNK = re.compile(
    "[\x00-\x01\x03-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u200b\ufeff\uffff\ue000-\uf8ff\ufffd]"
)
SOFT_BREAK = "\x02"
_SOFT = re.compile("[\x02\ufffe\xad]")
_LIGATURES = re.compile("[\ufb00-\ufb06]")
_TERMINAL = re.compile("[.!?:。！？：…][\"'”’」』）)\\]]*$")
_ITEM = re.compile(
    r"\s*(?:[•▪●◦■□◆‣∙]|[-–*]\s|\(?\d{1,3}[.)、]\s?\D|[（(][一二三四五六七八九十\d]+[)）]|"
    r"[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十百\d]+[章节条回]|\d+(?:\.\d+)+\s)"
)
_HEADING = re.compile(
    r"(?:CHAPTER|Chapter|PART|Part|BOOK|Book|LETTER|Letter|STAVE|Stave) (?:\d+|[IVXLC]+)\b|"
    r"(?:Abstract|ABSTRACT|References|REFERENCES|Introduction|INTRODUCTION)$"
)
_PAGE_NUMBER = re.compile(
    r"^[\s\-–—·.]*(?:第?\s*\d{1,5}\s*页?|[ivxlcIVXLC]{1,7}|\d+\s*/\s*\d+)[\s\-–—·.]*$"
)


def clean_line(line: str) -> str:
    """Return a line without control characters, private glyphs and ligatures."""
    line = _JUNK.sub("", line)
    line = _LIGATURES.sub(lambda m: unicodedata.normalize("NFKC", m.group()), line)
    return line.replace("\xa0", " ").rstrip()


def split_lines(page_text: str) -> list[str]:
    """Return the lines of a page as PDFium gives it, cleaned; blank ones are left out.

    Where PDFium sees a word broken over two lines it puts a soft mark in place of the hyphen and
    the line break. The mark stays until `join_page`, so that the width of lines is known.
    """
    text = _SOFT.sub(SOFT_BREAK, page_text).replace("\r\n", "\n").replace("\r", "\n")
    lines = [re.sub(f"{SOFT_BREAK}+$", "-", clean_line(raw)) for raw in text.split("\n")]
    return [line for line in lines if line.strip()]


def drop_running_lines(pages: Sequence[list[str]]) -> list[list[str]]:
    """Leave out heads and feet that recur on most pages, and page numbers of their own."""
    filled = [page for page in pages if page]
    if len(filled) < 3:
        return [list(page) for page in pages]
    counts: Counter[tuple[int, str]] = Counter()
    for page in filled:
        for place in _edges(page):
            counts[place, _shape(page[place])] += 1
    needed = max(3, len(filled) // 2 + 1)
    # Odd and even pages often have heads of their own.
    needed_half = max(6, len(filled) * 2 // 5)
    kept: list[list[str]] = []
    for page in pages:
        dropped = set()
        for place in _edges(page):
            n = counts[place, _shape(page[place])]
            if n >= needed or (n >= needed_half and not _PAGE_NUMBER.match(page[place])):
                dropped.add(place % len(page))
        kept.append([line for i, line in enumerate(page) if i not in dropped])
    return kept


def _edges(page: list[str]) -> tuple[int, ...]:
    if len(page) >= 6:
        return (0, 1, -2, -1)
    return (0, -1) if len(page) >= 2 else (-1,) if page and _PAGE_NUMBER.match(page[0]) else ()


def _shape(line: str) -> str:
    if _PAGE_NUMBER.match(line):
        return "#"
    return re.sub(r"\d+", "#", re.sub(r"\s+", "", line)).lower()[:80]


class LineJoiner:
    """Decides what stands between two lines, for all pages of one document."""

    def __init__(self, pages: Sequence[list[str]]) -> None:
        widths = sorted(_width(line) for page in pages for line in page)
        self._width = widths[int(len(widths) * 0.85)] if widths else 80
        words = Counter(
            w.lower()
            for page in pages
            for line in page
            for w in re.findall(r"[^\W\d_][\w-]+", line.replace(SOFT_BREAK, ""))
        )
        self._words = words

    def join(self, line: str, following: str) -> tuple[str, str]:
        """Return the line as it should end, and what comes between it and the next."""
        head = following.lstrip(" \u3000")
        last, first = line[-1:], head[:1]
        cjk = bool(_CJK.match(last)) and bool(_CJK.match(first))
        gap = "\n" if cjk or _CJK.match(first) else "\n\n"
        if first in ",.;:)，。；：、）」』”" and not following.startswith("..."):
            return line, ""
        indented = len(following) - len(head) >= 2
        if indented or _ITEM.match(following) or _HEADING.match(following):
            return line, gap
        short = _width(line) < 0.8 * self._width
        if _TERMINAL.search(line) and short:
            return line, gap
        if _width(line) < 0.55 * self._width and not first.islower() and last not in ",，、;；-":
            return line, gap
        if last == "-" and line[-2:-1].isalpha() and first.islower():
            return self._mend(line, head), ""
        return line, "" if cjk else " "

    def _mend(self, line: str, following: str) -> str:
        """Drop the hyphen at a line's end unless the document writes the word with one."""
        before = re.search(r"[^\W\d_]+-$", line)
        after = re.match(r"[^\W\d_]+", following)
        if before and after:
            hyphened = (before.group() + after.group()).lower()
            if self._words[hyphened] > self._words[hyphened.replace("-", "")]:
                return line
        return line[:-1]


def join_page(lines: list[str], joiner: LineJoiner) -> str:
    """Return a page's text with paragraphs on lines of their own."""
    parts: list[str] = []
    for i, line in enumerate(lines):
        if i + 1 < len(lines):
            line, gap = joiner.join(line, lines[i + 1])
            parts += [line.lstrip(" \u3000"), gap]
        else:
            parts.append(line.lstrip(" \u3000"))
    return "".join(parts).replace(SOFT_BREAK, "")


def _width(line: str) -> int:
    line = line.rpartition(SOFT_BREAK)[2]
    return len(line) + len(_CJK.findall(line))
