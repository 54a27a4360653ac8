"""Reader of PDFs through PDFium: text, printed page labels, bookmarks and metadata.

Releases the lock of PDFium between pages. Joins lines to paragraphs, removes running headers and
footers and rejoins hyphenated words; `text.pdf_positions` maps the text back to the pages.
"""

from __future__ import annotations

import itertools
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from ...messages import Message
from ...model import Heading, Page, ReadDocument
from ...progress import CancelToken
from ...text_tables import CELL_SEPARATOR
from ...writing_systems import WIDE
from ..identifiers import find_arxiv_stamp, find_doi, find_isbn
from ..pdf_positions import PDFIUM_LOCK, open_pdf, read_characters
from ..text_layers import UNREADABLE, is_unreadable
from .archives import MAX_PAGES, MAX_SECONDS, Unreadable, check_length
from .document_builder import HEAD_CHARS, build_document, clean_author, clean_title
from .pdf_tables import (
    MAX_CHARS,
    TABLE_ROW,
    TABLE_START,
    find_page_tables,
    has_hint,
    read_rules,
    read_words,
    write_rows,
)
from .title_page import (
    TITLE_PAGES,
    PageRows,
    TitlePage,
    find_title_page,
    fold,
    read_rows,
)

_CJK = re.compile(f"[{WIDE}\uff01-\uff60]")
_REMOVED = re.compile(
    "[\x00-\x01\x03-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u200b\ufeff\uffff\ue000-\uf8ff\ufffd]"
)
_SOFT_BREAK = "\x02"
_MARKS = re.compile(f"[{TABLE_START}{TABLE_ROW}]")
_SOFT_MARKS = re.compile("[\x02\ufffe\xad]")
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
_MAX_PAGE_CHARS = 2_000_000
_MAX_BOOKMARKS = 20_000
_FEW_LETTERS = 120  # a stamp or a page number on a page that is a picture
_PICTURE_SHARE = 0.6  # of the page that pictures cover
_MAX_OBJECTS = 200


def read_pdf(
    content: bytes,
    stem: str,
    *,
    password: str | None = None,
    cancel: CancelToken | None = None,
    on_page: Callable[[int, int], None] | None = None,
    scanned: Mapping[int, str] | None = None,
) -> ReadDocument:
    """Return the text of all pages; `pictures` are the pages that have to be read as pictures.

    Args:
        scanned: the texts of such pages that were read already, by page index.

    Raises:
        PasswordNeeded: it is encrypted.
        Unreadable: it is damaged, too large or empty.
        Cancelled: the token was set.
    """
    document = open_pdf(content, password)
    try:
        with PDFIUM_LOCK:
            n_pages = len(document)
            metadata = _metadata(document)
            bookmarks = _bookmarks(document)
        if n_pages > MAX_PAGES:
            raise Unreadable(
                "it has {n:,} pages.",
                "Split it into files of at most {most:,} pages.",
                n=n_pages,
                most=MAX_PAGES,
            )
        first_pages: list[PageRows] = []
        raw, labels, pictures = _read_pages(document, n_pages, first_pages, cancel, on_page)
    finally:
        with PDFIUM_LOCK:
            document.close()
    scanned = scanned or {}
    for index in pictures:
        raw[index] = scanned.get(index) or raw[index]
    # A page with only its number counts as a page with text.
    text, pages = assemble_pages(raw, labels)
    if not text.strip() and not pictures:
        reason = (
            Message("its only page is empty.")
            if n_pages == 1
            else Message("all {n} pages are empty.", n=n_pages)
        )
        raise Unreadable(reason, "Check that it is the file you meant.")
    found = _bibliography(metadata, find_title_page(first_pages, n_pages), raw, stem)
    return build_document(
        text,
        format="pdf",
        stem=stem,
        title=found["title"],
        author=found["author"],
        year=found["year"],
        doi=found["doi"],
        isbn=found["isbn"],
        title_from_text=False,
        outline=_outline(bookmarks, text, pages),
        pages=pages,
        notes=note_pages(raw, pictures, scanned),
        pictures=pictures,
    )


def _read_pages(
    document: Any,
    n_pages: int,
    first_pages: list[PageRows],
    cancel: CancelToken | None,
    on_page: Callable[[int, int], None] | None,
) -> tuple[list[str], list[str], list[int]]:
    """Return texts, labels and the pages that are pictures, or whose letters can't be their text.

    Adds the rows of the first pages to a list.
    """
    texts: list[str] = []
    labels: list[str] = []
    pictures: list[int] = []
    began, total = time.monotonic(), 0
    for index in range(n_pages):
        if cancel is not None:
            cancel.check()
        if time.monotonic() - began > MAX_SECONDS:
            raise Unreadable(
                "reading it takes too long (page {page} of {n}).",
                "Print it to a new PDF, or split it.",
                page=index + 1,
                n=n_pages,
            )
        text, label, is_picture = _read_page(document, index, first_pages)
        if bad := is_unreadable(text):
            text = ""
        if is_picture or bad:
            pictures.append(index)
        total += len(text)
        check_length(total)
        texts.append(text)
        labels.append(label)
        if on_page is not None:
            on_page(index + 1, n_pages)
    return texts, labels, pictures


def _read_page(document: Any, index: int, first_pages: list[PageRows]) -> tuple[str, str, bool]:
    """Return text and printed label of one page, and whether it is a picture.

    All are empty if the page is damaged.
    """
    import pypdfium2

    with PDFIUM_LOCK:
        try:
            label = document.get_page_label(index)
        except (pypdfium2.PdfiumError, UnicodeError, ValueError):
            label = ""
        page = text_page = None
        is_picture = False
        try:
            page = document[index]
            text_page = page.get_textpage()
            first, last = _shown_range(text_page)
            n_chars = last - first
            text = text_page.get_text_range(first, n_chars, errors="ignore") if n_chars > 0 else ""
            text = _MARKS.sub("", text)
            if sum(map(str.isalnum, text)) < _FEW_LETTERS:
                is_picture = _is_picture(page, bool(text.strip()))
            text = _write_tables(page, text_page, first, last, text) or text
            if index < TITLE_PAGES:
                first_pages.append((read_rows(text_page), page.get_height()))
        except pypdfium2.PdfiumError:
            text, is_picture = "", False
        finally:
            if text_page is not None:
                text_page.close()
            if page is not None:
                page.close()
    return text, "".join(c for c in label if c.isprintable())[:20], is_picture


def _is_picture(page: Any, has_letters: bool) -> bool:
    """Return whether a page with few letters shows a picture of a text, or a text as outlines.

    A page without letters is one if there is anything on it; one with a few, if pictures cover most
    of it.
    """
    import pypdfium2.raw as pdfium

    width, height = page.get_size()
    covered = 0.0
    for thing in itertools.islice(page.get_objects(max_depth=2), _MAX_OBJECTS):
        if not has_letters:
            return True
        if thing.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = thing.get_bounds()
            across = min(right, width) - max(left, 0.0)
            down = min(top, height) - max(bottom, 0.0)
            covered += max(0.0, across) * max(0.0, down)
    return bool(covered > _PICTURE_SHARE * width * height)


def _write_tables(page: Any, text_page: Any, first: int, last: int, text: str) -> str:
    """Return the text of a page with the rows of its tables as lines, "" if it has none."""
    if not 0 < last - first <= MAX_CHARS:
        return ""
    across, down = read_rules(page)
    if not has_hint(text, len(across)):
        return ""
    tables = find_page_tables(read_words(text_page, first, last), across, down)
    if not tables:
        return ""
    table_at = {index: number for number, table in enumerate(tables) for index in table.indexes}
    parts: list[str] = []
    written: set[int] = set()
    for index, char in enumerate(read_characters(text_page, first, last), first):
        number = table_at.get(index)
        if number is None:
            parts.append(_MARKS.sub("", char))
        elif number not in written:
            written.add(number)
            parts += ["\n", "\n".join(write_rows(tables[number])), "\n"]
    return "".join(parts)


def _shown_range(text_page: Any) -> tuple[int, int]:
    """Return the range of characters without those at both ends that PDFium leaves out.

    `get_text_range` skips them by recursion, which fails for many.
    """
    from pypdfium2.raw import FPDFText_GetTextIndexFromCharIndex as find_text_index

    first, last = 0, min(text_page.count_chars(), _MAX_PAGE_CHARS)
    while first < last and find_text_index(text_page, first) < 0:
        first += 1
    while first < last and find_text_index(text_page, last - 1) < 0:
        last -= 1
    return first, last


def _split_lines(page_text: str) -> list[str]:
    """Return the lines of a page without control characters, private-use glyphs and ligatures.

    PDFium replaces the hyphen and line break inside a word by a soft mark. The mark stays until
    `join_page`, so that the width of lines is known.
    """
    text = _SOFT_MARKS.sub(_SOFT_BREAK, page_text).replace("\r\n", "\n").replace("\r", "\n")
    text = _LIGATURES.sub(lambda m: unicodedata.normalize("NFKC", m.group()), text)
    cleaned = (_REMOVED.sub("", raw).replace("\xa0", " ").rstrip() for raw in text.split("\n"))
    lines = (re.sub(f"{_SOFT_BREAK}+$", "-", line) for line in cleaned)
    return [line for line in lines if line.strip()]


def drop_running_lines(pages: Sequence[list[str]]) -> list[list[str]]:
    """Return the pages without running headers and footers and lines with only a page number."""
    filled = [page for page in pages if page]
    if len(filled) < 3:
        return [list(page) for page in pages]
    counts: Counter[tuple[int, str]] = Counter()
    for page in filled:
        for place in _edges(page):
            counts[place, _shape(page[place])] += 1
    needed = max(3, len(filled) // 2 + 1)
    # Odd and even pages often have different headers.
    needed_half = max(6, len(filled) * 2 // 5)
    kept: list[list[str]] = []
    for page in pages:
        dropped = set()
        for place in _edges(page):
            n, is_number = counts[place, _shape(page[place])], _PAGE_NUMBER.match(page[place])
            if n >= (needed if is_number else min(needed, needed_half)):
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
    """Decides how two lines are joined, from the line width and words of the whole document."""

    def __init__(self, pages: Sequence[list[str]]) -> None:
        lines = [line for page in pages for line in page if not _is_row(line)]
        widths = sorted(map(_width, lines))
        self._width = widths[int(len(widths) * 0.85)] if widths else 80
        self._words = Counter(
            word.lower()
            for line in lines
            for word in re.findall(r"[^\W\d_][\w-]+", line.replace(_SOFT_BREAK, ""))
        )

    def join(self, line: str, following: str) -> tuple[str, str]:
        """Return the line, perhaps without its hyphen, and the text before the next line."""
        if _is_row(line) or _is_row(following):
            goes_on = _is_row(line) and (
                following[0] == TABLE_ROW or (_is_row(following) and _continues(line, following))
            )
            return line, "\n" if goes_on else "\n\n"
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
            return self._join_hyphenated(line, head), ""
        return line, "" if cjk else " "

    def _join_hyphenated(self, line: str, following: str) -> str:
        """Remove the hyphen at the end of a line unless the document writes the word with it."""
        before = re.search(r"[^\W\d_]+-$", line)
        after = re.match(r"[^\W\d_]+", following)
        if before and after:
            hyphenated = (before.group() + after.group()).lower()
            if self._words[hyphenated] > self._words[hyphenated.replace("-", "")]:
                return line
        return line[:-1]


def _is_row(line: str) -> bool:
    return line.startswith((TABLE_START, TABLE_ROW))


def _continues(line: str, following: str) -> bool:
    """Return whether a table goes on after a page break, judged by its columns."""
    return line.count(CELL_SEPARATOR) == following.count(CELL_SEPARATOR)


def join_page(lines: list[str], joiner: LineJoiner) -> str:
    """Return the text of a page with one paragraph per line."""
    parts: list[str] = []
    for line, following in zip_longest(lines, lines[1:]):
        joined, gap = joiner.join(line, following) if following is not None else (line, "")
        parts += [joined.lstrip(" \u3000"), gap]
    return _MARKS.sub("", "".join(parts).replace(_SOFT_BREAK, ""))


def _width(line: str) -> int:
    line = line.rpartition(_SOFT_BREAK)[2]
    return len(line) + len(_CJK.findall(line))


def assemble_pages(raw: Sequence[str], labels: Sequence[str]) -> tuple[str, list[Page]]:
    """Return the text of pages without running lines, and where the pages are in it."""
    lines = drop_running_lines([_split_lines(text) for text in raw])
    joiner = LineJoiner(lines)
    parts: list[str] = []
    pages: list[Page] = []
    length = 0
    last = ""
    for index, page in enumerate(lines):
        if page and last:
            tail = parts.pop()
            joined_line, gap = joiner.join(last, page[0])
            removed = len(last) - len(joined_line)
            tail = tail[: len(tail) - removed] if removed else tail
            parts += [tail, gap]
            length += len(gap) - removed
            if removed and pages:
                before = next(p for p in reversed(pages) if p.end > p.start)
                at = before.index
                pages[at] = Page(at, before.label, before.start, before.end - removed)
        text = join_page(page, joiner)
        pages.append(Page(index, labels[index], length, length + len(text)))
        if page:
            parts.append(text)
            length += len(text)
            last = page[-1]
    return "".join(parts), pages


def _metadata(document: Any) -> dict[str, str]:
    try:
        return {k: v.replace("\x00", "") for k, v in document.get_metadata_dict().items() if v}
    except (ValueError, UnicodeError):
        return {}


def _bibliography(
    metadata: dict[str, str], page: TitlePage, raw: Sequence[str], stem: str
) -> dict[str, str]:
    """Return title, author, year, DOI and ISBN from the metadata and the first pages.

    What the metadata says counts if the first pages say it too, or say nothing.
    """
    first = raw[0] if raw and len(raw[0].strip()) > 400 else "\n".join(raw[:2])
    head = "\n".join(raw[:4])[:HEAD_CHARS]
    given, author = clean_title(metadata.get("Title", "")), clean_author(metadata.get("Author", ""))
    known = fold("\n".join(raw[:3])[:20_000])
    folded = fold(given)
    if folded in ("", fold(stem)) or (folded not in known and page.title):
        given = ""
    is_longer = bool(folded) and folded in fold(page.title) and len(page.title) < 3 * len(given)
    title = page.title if is_longer or not given else given
    is_same = fold(title) in fold(page.title) or fold(page.title) in fold(title)
    found = "; ".join(page.authors) if is_same else ""
    if (
        author
        and all(fold(name) in known for name in author.split("; "))
        and len(found) < len(author)
    ):
        found = author
    doi, stamped = find_arxiv_stamp(first)
    made = re.match(r"D?:?(\d{4})", metadata.get("CreationDate", ""))
    year = made.group(1) if made and "1500" < made.group(1) < "2100" else ""
    return {
        "title": title or clean_title(metadata.get("Title", "")),
        "author": found or author,
        "year": stamped or page.year or year,
        "doi": find_doi("\n".join((metadata.get("Title", ""), metadata.get("Subject", ""), first)))
        or doi,
        "isbn": find_isbn(head),
    }


def _bookmarks(document: Any) -> list[tuple[int, str, int]]:
    import pypdfium2

    found: list[tuple[int, str, int]] = []
    try:
        for mark in document.get_toc():
            target = mark.get_dest()
            index = target.get_index() if target is not None else None
            title = " ".join(UNREADABLE.sub("", mark.get_title()).split())
            if index is not None and title:
                found.append((mark.level + 1, title[:200], index))
            if len(found) >= _MAX_BOOKMARKS:
                break
    except (pypdfium2.PdfiumError, UnicodeError, ValueError):
        pass
    return found


def _outline(bookmarks: list[tuple[int, str, int]], text: str, pages: list[Page]) -> list[Heading]:
    """Return bookmarks as headings at the offset of their title, else at the start of the page."""
    headings: list[Heading] = []
    for level, title, index in bookmarks:
        if not 0 <= index < len(pages):
            continue
        page = pages[index]
        pattern = r"\s*".join(re.escape(c) for c in re.sub(r"\s+", "", title)[:60])
        match = re.search(pattern, text[page.start : page.end], re.I)
        start = page.start + (match.start() if match else 0)
        headings.append(Heading(min(level, 6), title, start, index))
    headings.sort(key=lambda h: h.start)
    return headings


def note_pages(
    raw: Sequence[str], pictures: Sequence[int], scanned: Mapping[int, str]
) -> list[Message]:
    """Return what the user should know about pages without text.

    Args:
        raw: the texts of all pages.
        scanned: of those that were read as pictures.
    """
    waiting = {i for i in pictures if i not in scanned}
    notes = [note_pictures(len(waiting), len(raw))] if waiting else []
    if empty := [i for i, text in enumerate(raw) if not text.strip() and i not in waiting]:
        shown = ", ".join(str(i + 1) for i in empty[:12]) + (" …" if len(empty) > 12 else "")
        notes.append(
            Message(
                "{n} of {of} pages have no text: {shown}", n=len(empty), of=len(raw), shown=shown
            )
        )
    return notes


def note_pictures(n: int, of: int) -> Message:
    """Return the note about pages that wait to be read."""
    if of == 1:
        return Message("Its page is a picture: it is read in the background.")
    return Message(
        "{n:,} of {of:,} pages are pictures: they are read in the background.", n=n, of=of
    )
