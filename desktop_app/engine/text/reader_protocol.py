"""The items between the program and the process that reads documents (`reader_process`).

The program sends one request for a file, followed by its bytes; the reader answers with progress,
the documents in pieces, and an end or a refusal, in the frames of `child_protocol`. The reader
parses hostile bytes, so the program checks each item it gets: no unknown item, offsets inside the
text, limits on every size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ..child_protocol import (
    MAX_FIELD_CHARS,
    PIECE_CHARS,
    ProtocolError,
    check_list,
    check_number,
    check_text,
    decode_message,
    encode_message,
    group_items,
)
from ..figures import (
    MAX_ALT_CHARS,
    MAX_CAPTION_CHARS,
    MAX_FIGURES,
    MAX_PATH_CHARS,
    Figure,
)
from ..model import Heading, Page, ReadDocument
from .readers.archives import MAX_FILE_BYTES, MAX_PAGES, MAX_ROWS, MAX_TEXT_CHARS

_PIECE_ROWS = 2_000  # pages or headings in one item
_PIECE_FIGURES = 500
_MAX_HEADINGS = 1_000_000
_MAX_NOTES = 1_000
_MAX_PLACE_CHARS = 40


def encode_documents(documents: Iterable[ReadDocument]) -> Iterator[list[dict[str, Any]]]:
    """Yield the items of documents, in groups for one frame each."""
    return group_items(item for document in documents for item in _iter_items(document))


def _iter_items(document: ReadDocument) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the items of a document, each with its size in characters."""
    text = document.text
    fields = (document.title, document.author, document.year, document.doi, document.isbn)
    first = {
        "document": [field[:MAX_FIELD_CHARS] for field in fields],
        "format": document.format,
        "language": document.language,
        "body": [document.body_start, document.body_end],
        "place": document.place,
        "notes": [encode_message(note) for note in document.notes[:_MAX_NOTES]],
        "text": text[:PIECE_CHARS],
    }
    yield first, len(first["text"]) + sum(map(len, fields)) + 200
    for start in range(PIECE_CHARS, len(text), PIECE_CHARS):
        yield {"text": text[start : start + PIECE_CHARS]}, PIECE_CHARS
    pages = [(p.index, p.label, p.start, p.end) for p in document.pages]
    headings = [(h.level, h.title, h.start, h.page_index) for h in document.outline]
    for start in range(0, len(document.pictures), _PIECE_ROWS):
        yield {"pictures": document.pictures[start : start + _PIECE_ROWS]}, 8 * _PIECE_ROWS
    for start in range(0, len(document.figures), _PIECE_FIGURES):
        piece = [pack_figure(f) for f in document.figures[start : start + _PIECE_FIGURES]]
        yield {"figures": piece}, sum(len(row[3]) + len(row[6]) + 120 for row in piece)
    for key, rows in (("pages", pages), ("outline", headings)):
        for start in range(0, len(rows), _PIECE_ROWS):
            piece = rows[start : start + _PIECE_ROWS]
            yield {key: piece}, sum(len(row[1]) + 40 for row in piece)


@dataclass(slots=True)
class _Parts:
    """A document of which more items may come."""

    head: ReadDocument
    text: list[str]
    pages: list[Page] = field(default_factory=list)
    outline: list[Heading] = field(default_factory=list)
    pictures: list[int] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)


class DocumentAssembler:
    """Puts documents together from items that are not trusted.

    Args:
        max_text_chars: limit on the texts of all documents of a file together.
    """

    def __init__(self, max_text_chars: int = MAX_FILE_BYTES) -> None:
        self._left = max_text_chars
        self._parts: list[_Parts] = []

    def add(self, item: dict[str, Any]) -> None:
        """Take one item of a document.

        Raises:
            ProtocolError: a part of it has the wrong type, or is too large.
        """
        if "document" in item:
            title, author, year, doi, isbn = check_list(item["document"], 5)
            body_start, body_end = check_list(item.get("body"), 2)
            head = ReadDocument(
                title=check_text(title),
                text="",
                format=check_text(item.get("format"), 20),
                language=check_text(item.get("language"), 20),
                place=check_text(item.get("place"), _MAX_PLACE_CHARS),
                author=check_text(author),
                year=check_text(year),
                doi=check_text(doi),
                isbn=check_text(isbn),
                body_start=check_number(body_start, MAX_TEXT_CHARS),
                body_end=check_number(body_end, MAX_TEXT_CHARS),
                notes=tuple(map(decode_message, check_list(item.get("notes"), None, _MAX_NOTES))),
            )
            if len(self._parts) >= MAX_ROWS:
                raise ProtocolError("too many documents")
            self._parts.append(_Parts(head, []))
        if not self._parts:
            raise ProtocolError("a piece of no document")
        parts = self._parts[-1]
        if "text" in item:
            text = check_text(item["text"], PIECE_CHARS)
            self._left -= len(text)
            if self._left < 0:
                raise ProtocolError("more text than a file may have")
            parts.text.append(text)
        for row in check_list(item.get("pages", []), None, _PIECE_ROWS):
            index, label, start, end = check_list(row, 4)
            if check_number(index, MAX_PAGES) != len(parts.pages):
                raise ProtocolError("pages that are not in order")
            start = check_number(start, MAX_TEXT_CHARS)
            end = check_number(end, MAX_TEXT_CHARS)
            parts.pages.append(Page(index, check_text(label), start, end))
        for index in check_list(item.get("pictures", []), None, _PIECE_ROWS):
            last = parts.pictures[-1] if parts.pictures else -1
            if check_number(index, MAX_PAGES) <= last:
                raise ProtocolError("pictures that are not in order")
            parts.pictures.append(index)
        for row in check_list(item.get("figures", []), None, _PIECE_FIGURES):
            parts.figures.append(_check_figure(row))
            if len(parts.figures) > MAX_FIGURES:
                raise ProtocolError("too many figures")
        for row in check_list(item.get("outline", []), None, _PIECE_ROWS):
            level, title, start, page = check_list(row, 4)
            page = None if page is None else check_number(page, MAX_PAGES)
            start = check_number(start, MAX_TEXT_CHARS)
            parts.outline.append(Heading(check_number(level, 99), check_text(title), start, page))
            if len(parts.outline) > _MAX_HEADINGS:
                raise ProtocolError("too many headings")

    def finish(self) -> list[ReadDocument]:
        """Return the documents.

        Raises:
            ProtocolError: an offset lies outside its text, or there is no document.
        """
        if not self._parts:
            raise ProtocolError("no document")
        documents = []
        while self._parts:
            parts = self._parts.pop()
            text = "".join(parts.text)
            offsets = [parts.head.body_start, parts.head.body_end]
            offsets += [offset for page in parts.pages for offset in (page.start, page.end)]
            offsets += [heading.start for heading in parts.outline]
            offsets += [figure.end for figure in parts.figures]
            if max(offsets) > len(text):
                raise ProtocolError("an offset outside the text")
            pages, outline = tuple(parts.pages), tuple(parts.outline)
            if parts.pictures and parts.pictures[-1] >= len(pages):
                raise ProtocolError("a scanned page that does not exist")
            if any((f.page_index or 0) >= max(1, len(pages)) for f in parts.figures):
                raise ProtocolError("a figure on no page")
            documents.append(
                replace(
                    parts.head,
                    text=text,
                    pages=pages,
                    outline=outline,
                    pictures=tuple(parts.pictures),
                    figures=tuple(parts.figures),
                )
            )
        return documents[::-1]


def pack_figure(figure: Figure) -> tuple[Any, ...]:
    """Return a figure as values of a frame."""
    box = None if figure.box is None else [round(side, 5) for side in figure.box]
    return (
        *(figure.start, figure.end, figure.label, figure.alt, figure.page_index, box),
        *(figure.path, figure.width, figure.height),
    )


def _check_figure(row: object) -> Figure:
    """Return the figure that these values describe; they are not trusted.

    Raises:
        ProtocolError: they describe no figure.
    """
    start, end, label, alt, page, box, path, width, height = check_list(row, 9)
    start, end = check_number(start, MAX_TEXT_CHARS), check_number(end, MAX_TEXT_CHARS)
    if not 0 <= end - start <= MAX_CAPTION_CHARS:
        raise ProtocolError("a caption of an impossible length")
    if box is not None:
        left, top, right, bottom = check_list(box, 4)
        if not all(isinstance(side, (int, float)) for side in (left, top, right, bottom)) or not (
            0 <= left < right <= 1 and 0 <= top < bottom <= 1
        ):
            raise ProtocolError("a figure outside its page")
        box = float(left), float(top), float(right), float(bottom)
    page = None if page is None else check_number(page, MAX_PAGES)
    if (box is None or page is None) and not path:
        raise ProtocolError("a figure without a picture")
    return Figure(
        *(start, end, check_text(label, 60), check_text(alt, MAX_ALT_CHARS), page, box),
        check_text(path, MAX_PATH_CHARS),
        check_number(width, 1_000_000),
        check_number(height, 1_000_000),
    )


def check_page_progress(value: object) -> tuple[int, int]:
    """Return the number of finished pages, or rows, and of all.

    Raises:
        ProtocolError: it is something else.
    """
    done, total = check_list(value, 2)
    return check_number(done, MAX_ROWS), check_number(total, MAX_ROWS)
