"""Reads PDFs through PDFium, page by page: text, printed labels, bookmarks, metadata.

Gives the lock back between pages; a place in the text is found on the page by `pdf_map`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from ..errors import said
from ..progress import CancelToken
from ..types import Heading, Page, ReadDocument
from .assembling import assemble
from .pdf_lines import LineJoiner, drop_running_lines, join_page, split_lines
from .pdfium import PDFIUM_LOCK, open_pdf
from .refusal import MAX_PAGES, MAX_SECONDS, MAX_TEXT_CHARS, Unreadable

_MAX_PAGE_CHARS = 2_000_000
_MAX_BOOKMARKS = 20_000
_GARBLED = re.compile("[\x00-\x01\x03-\x08\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]")


def read_pdf(
    content: bytes,
    stem: str,
    *,
    password: str | None = None,
    cancel: CancelToken | None = None,
    on_page: Callable[[int, int], None] | None = None,
) -> ReadDocument:
    """Return the text of all pages; those without any are named in the notes.

    Raises:
        PasswordNeeded: it is encrypted.
        Unreadable: it is damaged, too large, or only pictures.
        Cancelled: the token was set.
    """
    document = open_pdf(content, password)
    try:
        with PDFIUM_LOCK:
            n_pages = len(document)
            metadata = _metadata(document)
            bookmarks = _bookmarks(document)
        if n_pages > MAX_PAGES:
            raise Unreadable(f"it has {n_pages:,} pages.", f"Split it at {MAX_PAGES:,} pages.")
        raw, labels, garbled = _read_pages(document, n_pages, cancel, on_page)
    finally:
        with PDFIUM_LOCK:
            document.close()
    lines = drop_running_lines([split_lines(text) for text in raw])
    # A page with nothing but its number has no text worth the name, but keeps what it has.
    text, pages = _assemble_pages(lines, labels)
    without = [i for i, page in enumerate(raw) if not page.strip()]
    if not text.strip():
        raise Unreadable(_why_no_text(n_pages, garbled), "Run OCR on it first, then add it again.")
    return assemble(
        text,
        format="pdf",
        stem=stem,
        title=_good_title(metadata.get("Title", "")),
        author=metadata.get("Author", ""),
        year=_year(metadata.get("CreationDate", "")),
        outline=_outline(bookmarks, text, pages),
        pages=pages,
        notes=_notes(without, garbled, labels),
    )


def _read_pages(
    document: Any,
    n_pages: int,
    cancel: CancelToken | None,
    on_page: Callable[[int, int], None] | None,
) -> tuple[list[str], list[str], list[int]]:
    texts: list[str] = []
    labels: list[str] = []
    garbled: list[int] = []
    began, total = time.monotonic(), 0
    for index in range(n_pages):
        if cancel is not None:
            cancel.check()
        if time.monotonic() - began > MAX_SECONDS:
            raise Unreadable(
                f"reading it takes too long (page {index + 1} of {n_pages}).",
                "Print it to a new PDF, or split it.",
            )
        text, label = _read_page(document, index)
        bad = len(_GARBLED.findall(text))
        if bad * 5 > len(text):
            garbled.append(index)
            text = ""
        total += len(text)
        if total > MAX_TEXT_CHARS:
            raise Unreadable("its text is too long.", "Split it into several files.")
        texts.append(text)
        labels.append(label)
        if on_page is not None:
            on_page(index + 1, n_pages)
    return texts, labels, garbled


def _read_page(document: Any, index: int) -> tuple[str, str]:
    """Return text and printed label of one page; a broken page has none."""
    import pypdfium2

    with PDFIUM_LOCK:
        try:
            label = document.get_page_label(index)
        except (pypdfium2.PdfiumError, UnicodeError, ValueError):
            label = ""
        page = text_page = None
        try:
            page = document[index]
            text_page = page.get_textpage()
            n_chars = min(text_page.count_chars(), _MAX_PAGE_CHARS)
            text = text_page.get_text_range(0, n_chars, errors="ignore") if n_chars > 0 else ""
        except pypdfium2.PdfiumError:
            text = ""
        finally:
            if text_page is not None:
                text_page.close()
            if page is not None:
                page.close()
    return text, "".join(c for c in label if c.isprintable())[:20]


def _assemble_pages(lines: list[list[str]], labels: list[str]) -> tuple[str, list[Page]]:
    joiner = LineJoiner(lines)
    parts: list[str] = []
    pages: list[Page] = []
    length = 0
    last = ""
    for index, page in enumerate(lines):
        if page and last:
            tail = parts.pop()
            mended, gap = joiner.join(last, page[0])
            removed = len(last) - len(mended)
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


def _good_title(title: str) -> str:
    """Many programs put a file name or their own words where the title should be."""
    title = title.strip()
    bad = re.search(
        r"\.(?:docx?|pdf|tex|dvi|indd|qxd|pptx?|xlsx?|txt|html?)$|^untitled|^microsoft word|^doi:|"
        r"^(?:无标题|未命名|title|document\d*)$|^\W*$|\ufffd",
        title,
        re.I,
    )
    return "" if bad else title


def _year(date: str) -> str:
    match = re.match(r"D?:?(\d{4})", date)
    return match.group(1) if match and "1500" < match.group(1) < "2100" else ""


def _bookmarks(document: Any) -> list[tuple[int, str, int]]:
    import pypdfium2

    found: list[tuple[int, str, int]] = []
    try:
        for mark in document.get_toc():
            target = mark.get_dest()
            index = target.get_index() if target is not None else None
            title = " ".join(_GARBLED.sub("", mark.get_title()).split())
            if index is not None and title:
                found.append((mark.level + 1, title[:200], index))
            if len(found) >= _MAX_BOOKMARKS:
                break
    except (pypdfium2.PdfiumError, UnicodeError, ValueError):
        pass
    return found


def _outline(bookmarks: list[tuple[int, str, int]], text: str, pages: list[Page]) -> list[Heading]:
    """Place each bookmark where its title stands on its page, else at the page's start."""
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


def _why_no_text(n_pages: int, garbled: list[int]) -> str:
    if garbled:
        return said("its fonts hide which letters they show, so no text can be taken from it.")
    if n_pages == 1:
        return said("its only page is an image or empty; there is no text in it.")
    return said(f"all {n_pages} pages are images or empty; there is no text in them.")


def _notes(without: list[int], garbled: list[int], labels: list[str]) -> list[str]:
    notes = []
    empty = [i for i in without if i not in set(garbled)]
    for which in (empty, garbled):
        if which:
            shown = ", ".join(str(i + 1) for i in which[:12]) + (" …" if len(which) > 12 else "")
            n, n_all = len(which), len(labels)
            note = said(
                f"{n} of {n_all} pages have letters that can't be read: {shown}"
                if which is garbled
                else f"{n} of {n_all} pages have no text: {shown}"
            )
            notes.append(note)
    return notes
