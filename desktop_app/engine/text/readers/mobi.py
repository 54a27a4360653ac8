"""Reader of Kindle books without DRM (.mobi, .prc, .azw, .azw3) and of PalmDoc texts.

The format is read here: the only libraries that do are under the GPL, or leave wrong characters
between the records of a book (`docs/FORMATS.md`). The text of a book is HTML, which `html` reads.
Both forms, MOBI 6 and KF8, are one stream of text in records with PalmDOC or Huffman compression.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...messages import Message
from ...model import Heading, ReadDocument
from ...progress import CancelToken
from ..encodings import decode
from .archives import MAX_TEXT_CHARS, Unreadable
from .document_builder import build_document, clean_author, clean_title
from .flow_figures import HEAD_BYTES, build_figures
from .html import extract_text
from .text_builder import remove_control_characters

_BROKEN_HINT = Message("Download or copy it again; the file is incomplete or damaged.")
_MAX_BYTES = 4 * MAX_TEXT_CHARS  # of the text with its tags
_NO_COMPRESSION, _PALMDOC, _HUFFMAN = 1, 2, 17480
_NONE = 0xFFFFFFFF
_ENCODINGS = {1252: "cp1252", 65001: "utf-8"}
_EXTH_AUTHOR, _EXTH_ISBN, _EXTH_DATE, _EXTH_COVER, _EXTH_TITLE = 100, 104, 106, 201, 503
# The number of a picture, from 1: `<img recindex="00003">`, in KF8 `src="kindle:embed:0003?mime=…"`
# with digits to the base of 32.
_RECORD_INDEX = re.compile(r"\d{1,6}")
_EMBEDDED = re.compile(r"kindle:embed:([0-9A-V]{1,4})(?![0-9A-V])", re.I)
_FRAME = re.compile(
    r"<\?xml[^>]*>|<!DOCTYPE[^>]*>|</?(?:html|body)\b[^>]*>|<head\b.*?</head\s*>", re.I | re.S
)
_PAGE_BREAK = re.compile(r"<mbp:pagebreak[^>]*>", re.I)
_LINK = re.compile(rb"""<a\b[^>]*?\bfilepos=["']?(\d{1,10})["']?[^>]*>(.*?)</a\s*>""", re.I | re.S)
_CONTENTS = re.compile(
    rb"""<reference\b[^>]*?\btype=["']?toc["']?[^>]*?\bfilepos=["']?(\d{1,10})""", re.I
)
_TAG = re.compile(rb"<[^<>]*>")
_MAX_LINKS = 5_000
_MAX_LOST = 1_000  # characters, of which one may be undecodable; with more the file is damaged


@dataclass(frozen=True, slots=True)
class _Header:
    """The values of the first record of a book."""

    compression: int
    n_records: int
    is_locked: bool
    encoding: str = "cp1252"
    title: str = ""
    version: int = 0
    first_huffman: int = 0
    n_huffman: int = 0
    extra_flags: int = 0
    first_flow: int = _NONE
    n_flows: int = 0
    first_picture: int = _NONE
    details: tuple[tuple[int, bytes], ...] = ()

    def find(self, kind: int) -> list[str]:
        texts = (value.decode(self.encoding, "replace") for k, value in self.details if k == kind)
        return [" ".join(text.split()) for text in texts]

    def find_number(self, kind: int) -> int | None:
        values = [value for k, value in self.details if k == kind and len(value) == 4]
        return int.from_bytes(values[0], "big") if values else None


def read_mobi(content: bytes, stem: str, cancel: CancelToken | None = None) -> ReadDocument:
    """Return the book as one text.

    Raises:
        Unreadable: it is damaged, copy-protected or has no text.
        Cancelled: the token was set.
    """
    records = _split_records(content)
    try:
        header = _read_header(records[0], is_book=content[60:68] == b"BOOKMOBI")
        if header.is_locked:
            raise Unreadable(
                "its text is copy-protected (DRM).",
                "Get a copy without protection from the seller.",
            )
        source = _unpack_text(records, header, cancel)
    except (struct.error, IndexError) as error:
        raise Unreadable("its text is damaged.", _BROKEN_HINT) from error
    if content[60:68] == b"TEXtREAd" and b"<" not in source[:2_000]:
        return build_document(decode(source).text, format="mobi", stem=stem)
    contents = _list_contents(source) if header.version < 8 else []
    marked = _mark_places(source, [at for at, _ in contents])
    decoded = remove_control_characters(marked.decode(header.encoding, "replace"))
    if decoded.count("\ufffd") * _MAX_LOST > len(decoded):
        raise Unreadable("its text is damaged.", _BROKEN_HINT)
    markup = _PAGE_BREAK.sub("<hr>", _FRAME.sub(" ", decoded.replace("\ufffd", "")))
    page = extract_text(f"<html><body>{markup}</body></html>", xhtml=header.version >= 8)
    headings = [
        Heading(1, title, page.ids[f"filepos{at}"])
        for at, title in contents
        if f"filepos{at}" in page.ids
    ]
    cover = header.find_number(_EXTH_COVER)
    marks = [
        replace(mark, path=str(number))
        for mark in page.pictures
        if (number := _read_picture_number(mark.path)) and number - 1 != cover
    ]
    pictures = _Pictures(records, header)
    figures, notes = build_figures(page.text, marks, lambda path: pictures.read(path)[:HEAD_BYTES])
    titles, dates = header.find(_EXTH_TITLE), header.find(_EXTH_DATE)
    year = re.search(r"\b(?:1[5-9]|20)\d\d\b", "".join(dates[:1]))
    return build_document(
        page.text,
        format="mobi",
        stem=stem,
        title=clean_title(titles[0] if titles else header.title),
        author=clean_author("; ".join(header.find(_EXTH_AUTHOR))),
        year=year.group() if year else "",
        isbn="".join(header.find(_EXTH_ISBN)[:1]),
        outline=headings if len(headings) > 1 else page.headings,
        notes=notes,
        figures=figures,
    )


class _Pictures:
    """The pictures of a book, which lie in records of their own, by their numbers from 1."""

    def __init__(self, records: Sequence[bytes], header: _Header) -> None:
        self._records = records[header.first_picture :]

    def __contains__(self, path: str) -> bool:
        return path.isdecimal() and 0 < int(path) <= len(self._records)

    def read(self, path: str) -> bytes:
        """Return the bytes of a picture; empty if it is missing."""
        return self._records[int(path) - 1] if path in self else b""


def open_mobi_pictures(content: bytes) -> _Pictures:
    """Return the pictures of a book.

    Raises:
        Unreadable: it is damaged.
    """
    records = _split_records(content)
    try:
        return _Pictures(records, _read_header(records[0], is_book=True))
    except (struct.error, IndexError) as error:
        raise Unreadable("its text is damaged.", _BROKEN_HINT) from error


def _read_picture_number(address: str) -> int:
    """Return the number of the picture that an address in a book names, 0 if it names none."""
    if embedded := _EMBEDDED.match(address):
        return int(embedded[1], 32)
    return int(address) if _RECORD_INDEX.fullmatch(address) else 0


def _split_records(content: bytes) -> list[bytes]:
    """Return the records of a Palm database."""
    try:
        n_records = int.from_bytes(content[76:78], "big")
        starts = [
            struct.unpack_from(">I", content, 78 + 8 * number)[0] for number in range(n_records)
        ]
    except struct.error as error:
        raise Unreadable("its list of parts is damaged.", _BROKEN_HINT) from error
    ends = [*starts[1:], len(content)]
    if not starts or any(a > b for a, b in zip(starts, ends, strict=True)):
        raise Unreadable("its list of parts is damaged.", _BROKEN_HINT)
    return [content[a:b] for a, b in zip(starts, ends, strict=True)]


def _read_header(record: bytes, *, is_book: bool) -> _Header:
    compression, _, _, n_records, _, locked, _ = struct.unpack_from(">HHIHHHH", record, 0)
    if not is_book or record[16:20] != b"MOBI":
        return _Header(compression, n_records, False)
    length, _, encoding, _, version = struct.unpack_from(">IIIII", record, 20)
    name_at, name_length = struct.unpack_from(">II", record, 84)
    first_picture, first_huffman, n_huffman = struct.unpack_from(">III", record, 108)
    (flags,) = struct.unpack_from(">I", record, 128)
    extra = struct.unpack_from(">H", record, 242)[0] if length >= 228 and len(record) > 243 else 0
    flow, n_flows = struct.unpack_from(">II", record, 192) if version >= 8 else (_NONE, 0)
    codec = _ENCODINGS.get(encoding, "utf-8")
    title = record[name_at : name_at + min(name_length, 1_000)].decode(codec, "replace")
    details = _read_details(record, 16 + length) if flags & 0x40 else ()
    return _Header(
        *(compression, n_records, locked != 0, codec, title, version),
        *(first_huffman, n_huffman, extra, flow, n_flows, first_picture),
        details,
    )


def _read_details(record: bytes, at: int) -> tuple[tuple[int, bytes], ...]:
    """Return (kind, value) of the EXTH header: author, date and others."""
    if record[at : at + 4] != b"EXTH":
        return ()
    (count,) = struct.unpack_from(">I", record, at + 8)
    found: list[tuple[int, bytes]] = []
    at += 12
    for _ in range(min(count, 1_000)):
        kind, length = struct.unpack_from(">II", record, at)
        if length < 8:
            break
        found.append((kind, record[at + 8 : at + length]))
        at += length
    return tuple(found)


def _unpack_text(records: list[bytes], header: _Header, cancel: CancelToken | None) -> bytes:
    """Return the text of a book with its tags; of KF8 the first flow, which is the text."""
    huffman: _Huffman | None = None
    if header.compression == _HUFFMAN:
        first = header.first_huffman
        huffman = _Huffman(records[first : first + header.n_huffman])
    elif header.compression not in (_NO_COMPRESSION, _PALMDOC):
        raise Unreadable(
            "its text is packed in an unknown way.",
            "Convert it to EPUB, for example with Calibre, then add that.",
        )
    pieces: list[bytes] = []
    total = 0
    for record in records[1 : 1 + header.n_records]:
        if cancel is not None:
            cancel.check()
        packed = _without_extra(record, header.extra_flags)
        if huffman is not None:
            piece = huffman.unpack(packed)
        else:
            piece = unpack_palmdoc(packed) if header.compression == _PALMDOC else packed
        total += len(piece)
        if total > _MAX_BYTES:
            raise Unreadable("it would unpack to far too much data.", "Don't trust this file.")
        pieces.append(piece)
    text = b"".join(pieces)
    if header.first_flow < len(records) and header.n_flows > 1:
        flows = records[header.first_flow]
        if flows.startswith(b"FDST"):
            start, end = struct.unpack_from(">II", flows, 12)
            text = text[start:end]
    return text


def _without_extra(record: bytes, flags: int) -> bytes:
    """Return a record without the entries after its text, of which `flags` has a bit each."""
    end = len(record)
    for _ in range((flags >> 1).bit_count()):
        size, shift = 0, 0
        for byte in reversed(record[max(0, end - 4) : end]):
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte & 0x80:
                break
        end = max(0, end - size)
    if flags & 1 and end:
        end = max(0, end - (record[end - 1] & 3) - 1)
    return record[:end]


def unpack_palmdoc(packed: bytes) -> bytes:
    """Return the text of a record with PalmDOC compression."""
    text = bytearray()
    at, length = 0, len(packed)
    while at < length:
        byte = packed[at]
        at += 1
        if 1 <= byte <= 8:
            text += packed[at : at + byte]
            at += byte
        elif byte < 0x80:
            text.append(byte)
        elif byte >= 0xC0:
            text += bytes((0x20, byte ^ 0x80))
        elif at < length:
            pair = byte << 8 | packed[at]
            at += 1
            distance, count = (pair >> 3) & 0x7FF, (pair & 7) + 3
            if not 0 < distance <= len(text):
                raise Unreadable("its text is damaged.", _BROKEN_HINT)
            for _ in range(count):
                text.append(text[-distance])
    return bytes(text)


class _Huffman:
    """The tables of a book with Huffman compression: codes, and the phrases that they stand for."""

    _MAX_DEPTH = 32

    def __init__(self, records: list[bytes]) -> None:
        if not records or not records[0].startswith(b"HUFF"):
            raise Unreadable("its text is damaged.", _BROKEN_HINT)
        table, limits = struct.unpack_from(">II", records[0], 8)
        self._short = [
            (value & 0x1F, value & 0x80, value >> 8)
            for value in struct.unpack_from(">256I", records[0], table)
        ]
        pairs = struct.unpack_from(">64I", records[0], limits)
        self._lowest = [0] + [low << (32 - n) for n, low in enumerate(pairs[::2], 1)]
        self._highest = [0] + [
            ((high + 1) << (32 - n)) - 1 for n, high in enumerate(pairs[1::2], 1)
        ]
        self._phrases: list[tuple[bytes, bool]] = []
        for record in records[1:]:
            n_phrases, bits = struct.unpack_from(">II", record, 8)
            count = min(1 << min(bits, 24), n_phrases - len(self._phrases))
            for offset in struct.unpack_from(f">{max(0, count)}H", record, 16):
                (length,) = struct.unpack_from(">H", record, 16 + offset)
                phrase = record[18 + offset : 18 + offset + (length & 0x7FFF)]
                self._phrases.append((phrase, bool(length & 0x8000)))

    def unpack(self, packed: bytes, depth: int = 0) -> bytes:
        if depth > self._MAX_DEPTH:
            raise Unreadable("its text is damaged.", _BROKEN_HINT)
        text = bytearray()
        left = len(packed) * 8
        at = 0  # the bit that is read next
        padded = packed + bytes(8)
        while True:
            window = int.from_bytes(padded[at >> 3 : (at >> 3) + 5], "big")
            code = (window >> (8 - (at & 7))) & 0xFFFFFFFF
            length, is_end, high = self._short[code >> 24]
            if length == 0:
                raise Unreadable("its text is damaged.", _BROKEN_HINT)
            if is_end:
                top = ((high + 1) << (32 - length)) - 1
            else:
                while length < 32 and code < self._lowest[length]:
                    length += 1
                top = self._highest[length]
            at += length
            left -= length
            if left < 0:
                return bytes(text)
            number = (top - code) >> (32 - length)
            phrase, is_whole = self._phrases[number]
            if not is_whole:
                self._phrases[number] = (b"", True)  # a phrase that contains itself ends here
                phrase = self.unpack(phrase, depth + 1)
                self._phrases[number] = (phrase, True)
            text += phrase
            if len(text) > _MAX_BYTES:
                raise Unreadable("it would unpack to far too much data.", "Don't trust this file.")


def _list_contents(source: bytes) -> list[tuple[int, str]]:
    """Return (position, title) of the chapters that the table of contents of MOBI 6 links to."""
    found = _CONTENTS.search(source, 0, 10_000)
    if found is None:
        return []
    entries: dict[int, str] = {}
    start = int(found.group(1))
    previous_end = start
    for link in _LINK.finditer(source, start):
        if link.start() - previous_end > 3_000 or len(entries) >= _MAX_LINKS:
            break  # the list has ended
        previous_end = link.end()
        at = int(link.group(1))
        title = " ".join(_TAG.sub(b" ", link.group(2)).decode("utf-8", "replace").split())
        if title and at < len(source):
            entries.setdefault(at, title[:200])
    return sorted(entries.items())


def _mark_places(source: bytes, places: list[int]) -> bytes:
    """Return the text with an anchor at each place that is not inside a tag of up to 500 bytes."""
    parts: list[bytes] = []
    done = 0
    for at in places:
        if source.rfind(b"<", max(0, at - 500), at) > source.rfind(b">", max(0, at - 500), at):
            continue
        parts += [source[done:at], b'<a id="filepos%d"></a>' % at]
        done = at
    return b"".join([*parts, source[done:]])
