"""The frames between the program and the process that reads documents (`reader_process`).

A frame is a length (4 bytes, big-endian) and a JSON array of items. The program sends one request
for a file, followed by its bytes; the reader answers with progress, the documents in pieces, and an
end or a refusal. The reader parses hostile bytes, so the program checks each item it gets: no
pickle, no unknown item, offsets inside the text, limits on every size and on message templates.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import IO, Any

from ..errors import AppError, PasswordNeeded, UserError
from ..messages import Message
from ..model import Heading, Page, ReadDocument
from .readers.archives import MAX_FILE_BYTES, MAX_PAGES, MAX_ROWS, MAX_TEXT_CHARS

MAX_FRAME_BYTES = 16 * 1024 * 1024
PIECE_CHARS = 256 * 1024  # of text in one item
_PIECE_ROWS = 2_000  # pages or headings in one item
_MAX_FIELD_CHARS = 100_000  # of a title, an author or a value of a message
_MAX_HEADINGS = 1_000_000
_MAX_NOTES = 1_000
_LENGTH = struct.Struct(">I")
# A width such as {n:>999999999} would fill the memory of the program.
_TEMPLATE_SPEC = re.compile(r"\{\w+:(?!(?:,|g|\.\d[f%]?|,\.\df)?\})")


class ProtocolError(Exception):
    """The reader sent something that no reader of this program sends."""


# --- frames ---------------------------------------------------------------------------------------


def write_frame(stream: IO[bytes], items: list[Any]) -> None:
    """Write items as one frame; text may contain lone surrogates."""
    content = json.dumps(items, ensure_ascii=False, separators=(",", ":"))
    encoded = content.encode("utf-8", "surrogatepass")
    stream.write(_LENGTH.pack(len(encoded)) + encoded)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Return the content of the next frame, None at the end of the stream.

    Raises:
        ProtocolError: it is longer than a frame may be.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > MAX_FRAME_BYTES:
        raise ProtocolError(f"a frame of {length} bytes")
    content = stream.read(length)
    return content if len(content) == length else None


def parse_frame(content: bytes) -> list[dict[str, Any]]:
    """Return the items of a frame.

    Raises:
        ProtocolError: it is no list of objects.
    """
    try:
        items = json.loads(content.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise ProtocolError("a frame that is no JSON") from error
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ProtocolError("a frame without items")
    return items


# --- documents ------------------------------------------------------------------------------------


def split_documents(documents: Iterable[ReadDocument]) -> Iterator[list[Any]]:
    """Yield the items of documents in frames of about `PIECE_CHARS` characters."""
    items: list[Any] = []
    size = 0
    for document in documents:
        for item, n_chars in _iter_items(document):
            items.append(item)
            size += n_chars
            if size >= PIECE_CHARS:
                yield items
                items, size = [], 0
    if items:
        yield items


def _iter_items(document: ReadDocument) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the items of a document, each with its size in characters."""
    text = document.text
    fields = (document.title, document.author, document.year)
    first = {
        "document": [field[:_MAX_FIELD_CHARS] for field in fields],
        "format": document.format,
        "language": document.language,
        "body": [document.body_start, document.body_end],
        "notes": [encode_message(note) for note in document.notes[:_MAX_NOTES]],
        "text": text[:PIECE_CHARS],
    }
    yield first, len(first["text"]) + sum(map(len, fields)) + 200
    for start in range(PIECE_CHARS, len(text), PIECE_CHARS):
        yield {"text": text[start : start + PIECE_CHARS]}, PIECE_CHARS
    pages = [(p.index, p.label, p.start, p.end) for p in document.pages]
    headings = [(h.level, h.title, h.start, h.page_index) for h in document.outline]
    for key, rows in (("pages", pages), ("outline", headings)):
        for start in range(0, len(rows), _PIECE_ROWS):
            piece = rows[start : start + _PIECE_ROWS]
            yield {key: piece}, sum(len(row[1]) + 40 for row in piece)


@dataclass(slots=True)
class _Parts:
    """A document of which not all items came yet."""

    head: ReadDocument
    text: list[str]
    pages: list[Page] = field(default_factory=list)
    outline: list[Heading] = field(default_factory=list)


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
            title, author, year = _check_list(item["document"], 3)
            body_start, body_end = _check_list(item.get("body"), 2)
            head = ReadDocument(
                title=_check_text(title),
                text="",
                format=_check_text(item.get("format"), 20),
                language=_check_text(item.get("language"), 20),
                author=_check_text(author),
                year=_check_text(year),
                body_start=_check_number(body_start, MAX_TEXT_CHARS),
                body_end=_check_number(body_end, MAX_TEXT_CHARS),
                notes=tuple(map(decode_message, _check_list(item.get("notes"), None, _MAX_NOTES))),
            )
            if len(self._parts) >= MAX_ROWS:
                raise ProtocolError("too many documents")
            self._parts.append(_Parts(head, []))
        if not self._parts:
            raise ProtocolError("a piece of no document")
        parts = self._parts[-1]
        if "text" in item:
            text = _check_text(item["text"], PIECE_CHARS)
            self._left -= len(text)
            if self._left < 0:
                raise ProtocolError("more text than a file may have")
            parts.text.append(text)
        for row in _check_list(item.get("pages", []), None, _PIECE_ROWS):
            index, label, start, end = _check_list(row, 4)
            if _check_number(index, MAX_PAGES) != len(parts.pages):
                raise ProtocolError("pages that are not in order")
            start = _check_number(start, MAX_TEXT_CHARS)
            end = _check_number(end, MAX_TEXT_CHARS)
            parts.pages.append(Page(index, _check_text(label), start, end))
        for row in _check_list(item.get("outline", []), None, _PIECE_ROWS):
            level, title, start, page = _check_list(row, 4)
            page = None if page is None else _check_number(page, MAX_PAGES)
            start = _check_number(start, MAX_TEXT_CHARS)
            parts.outline.append(Heading(_check_number(level, 99), _check_text(title), start, page))
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
            if max(offsets) > len(text):
                raise ProtocolError("an offset outside the text")
            pages, outline = tuple(parts.pages), tuple(parts.outline)
            documents.append(replace(parts.head, text=text, pages=pages, outline=outline))
        return documents[::-1]


# --- errors and messages --------------------------------------------------------------------------


def encode_error(error: AppError) -> dict[str, Any]:
    """Return the item of a refusal."""
    item = {"refused": encode_message(error.message), "hint": encode_message(error.hint)}
    return item | ({"password": error.wrong} if isinstance(error, PasswordNeeded) else {})


def decode_error(item: dict[str, Any]) -> UserError:
    """Return the refusal of an item."""
    message, hint = decode_message(item.get("refused")), decode_message(item.get("hint"))
    if "password" in item:
        return PasswordNeeded(message, hint, wrong=item["password"] is True)
    return UserError(message, hint)


def encode_message(message: Message) -> list[Any]:
    """Return a message as [template, values]; a message among the values likewise."""
    values: dict[str, Any] = {}
    for name, value in message.params.items():
        if isinstance(value, Message):
            values[name] = encode_message(value)
        else:
            values[name] = value[:_MAX_FIELD_CHARS] if isinstance(value, str) else value
    return [message.template, values]


def decode_message(data: object, depth: int = 0) -> Message:
    """Return a message whose template formats no value with a width.

    Raises:
        ProtocolError: it is no message, or one that could fill the memory.
    """
    template, values = _check_list(data, 2)
    if not isinstance(values, dict) or len(values) > 20 or depth > 4:
        raise ProtocolError("a message with wrong values")
    template = _check_text(template, 2_000)
    if _TEMPLATE_SPEC.search(template) or template.count("{") > 20:
        raise ProtocolError("a message with a strange template")
    params: dict[str, object] = {}
    for name, value in values.items():
        if isinstance(value, list):
            params[name] = decode_message(value, depth + 1)
        elif isinstance(value, (int, float)):
            params[name] = value
        else:
            params[name] = _check_text(value)
    try:
        return Message(template, **params)
    except (ValueError, TypeError) as error:
        raise ProtocolError("a message whose values do not fit") from error


def check_page(value: object) -> tuple[int, int]:
    """Return the number of finished pages and of all pages.

    Raises:
        ProtocolError: it is something else.
    """
    done, total = _check_list(value, 2)
    return _check_number(done, MAX_PAGES), _check_number(total, MAX_PAGES)


def _check_text(value: object, max_chars: int = _MAX_FIELD_CHARS) -> str:
    if not isinstance(value, str) or len(value) > max_chars:
        raise ProtocolError("a value that is no text, or too long")
    return value


def _check_number(value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ProtocolError("a value that is no number, or too large")
    return value


def _check_list(value: object, n: int | None, most: int = MAX_ROWS) -> list[Any]:
    if not isinstance(value, list) or len(value) > most or (n is not None and len(value) != n):
        raise ProtocolError("a list with wrong parts")
    return value
