"""Reading of files of all supported formats.

Detects the format from the content, calls its reader, and adds the file name to every error
message.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from ..errors import PasswordNeeded, UserError
from ..messages import Message
from ..model import ReadDocument
from ..progress import CancelToken
from .readers.archives import MAX_FILE_BYTES, Archive, Unreadable
from .readers.docx import read_docx
from .readers.epub import read_epub
from .readers.html import read_html
from .readers.pdf import read_pdf
from .readers.plain import read_csv, read_jsonl, read_md, read_txt

_TO_DOCX = Message("Open it in its program and save it as .docx, PDF or text, then add that.")
_TO_EPUB = Message("Convert it to EPUB, for example with Calibre, then add that.")
_PICTURE = (Message("it is a picture."), Message("Run OCR on it, then add the text."))
_ARCHIVE = (Message("it is an archive."), Message("Unpack it and add the files inside."))
_NO_TEXT = Message("Add a file with text in it.")
_PROGRAM = (Message("it is a program."), _NO_TEXT)
_SIGNATURES: tuple[tuple[bytes, Message, Message], ...] = (
    (b"{\\rtf", Message("it is an RTF document, which is not supported."), _TO_DOCX),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        Message("it is an old Word, Excel or PowerPoint file."),
        _TO_DOCX,
    ),
    (
        b"AT&TFORM",
        Message("it is a DjVu scan."),
        Message("Convert it to PDF with OCR, then add that."),
    ),
    (b"ITSF", Message("it is a Windows help file (CHM)."), _TO_EPUB),
    (b"%!PS", Message("it is PostScript."), Message("Convert it to PDF, then add that.")),
    (
        b"SQLite format 3\x00",
        Message("it is a database."),
        Message("Export its text as CSV, then add that."),
    ),
    (b"\x89PNG", *_PICTURE),
    (b"\xff\xd8\xff", *_PICTURE),
    (b"GIF8", *_PICTURE),
    (b"II*\x00", *_PICTURE),
    (b"MM\x00*", *_PICTURE),
    (b"RIFF", Message("it is a picture, sound or film."), _NO_TEXT),
    (b"ID3", Message("it is a sound file."), _NO_TEXT),
    (b"\x7fELF", *_PROGRAM),
    (b"MZ\x90", *_PROGRAM),
    (b"Rar!\x1a", *_ARCHIVE),
    (b"7z\xbc\xaf", *_ARCHIVE),
    (b"\x1f\x8b", *_ARCHIVE),
    (b"BZh", *_ARCHIVE),
    (b"\xfd7zXZ", *_ARCHIVE),
)
_XML_DECLARATION = re.compile(rb"<\?xml[^>]*>\s*")
_HTML = re.compile(rb"<(?:!doctype\s+html|html)\b", re.I)
_FB2 = re.compile(rb"<FictionBook\b")
_ZIPPED = {
    "application/vnd.oasis.opendocument.text": Message("an OpenDocument text (.odt)"),
    "application/vnd.oasis.opendocument.spreadsheet": Message("an OpenDocument spreadsheet"),
    "application/vnd.oasis.opendocument.presentation": Message("an OpenDocument presentation"),
}


HEAD_BYTES = 4096  # of a file, which say what kind it is of


def refuse_unread_kind(head: bytes, file_name: str) -> None:
    """Refuse a file whose first bytes say that it is of a kind that is never read: a program.

    Files that pass may still be of such a kind, and are refused when they are read.

    Raises:
        UserError: with the reason and what to do.
    """
    name = Path(file_name)
    kind = None if _is_pdf(head, name.suffix.lower()) else _find_unread_kind(head)
    if kind is not None:
        reason, hint = kind
        raise UserError("“{name}” can't be read: {reason}", hint, name=name.name, reason=reason)


def _is_pdf(head: bytes, suffix: str) -> bool:
    return b"%PDF-" in head[:1024] or (suffix == ".pdf" and not head.startswith(b"PK"))


def _find_unread_kind(head: bytes) -> tuple[Message, Message] | None:
    """Return why files that begin so are not read, and what the user can do."""
    for signature, reason, hint in _SIGNATURES:
        if head.startswith(signature):
            return reason, hint
    if head[60:68] in (b"BOOKMOBI", b"TEXtREAd"):
        return Message("it is a Kindle book (MOBI)."), _TO_EPUB
    return None


def detect_format(content: bytes, suffix: str) -> str:
    """Return "pdf", "epub", "docx", "html", "md", "jsonl", "csv" or "txt".

    Raises:
        Unreadable: the format is not supported; the hint names a format to convert to.
    """
    if not content:
        raise Unreadable("it is empty (0 bytes).", "Download or copy it again.")
    head = content[:HEAD_BYTES]
    if _is_pdf(head, suffix):
        return "pdf"
    if content.startswith(b"PK\x03\x04") or content.startswith(b"PK\x05\x06"):
        return _detect_zip_format(content)
    if (kind := _find_unread_kind(head)) is not None:
        raise Unreadable(*kind)
    plain = head.replace(b"\x00", b"").removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe")
    if _FB2.search(plain):
        raise Unreadable("it is a FictionBook (FB2).", _TO_EPUB)
    if plain.startswith(
        (b"From: <Saved by", b"MIME-Version: 1.0\r\nContent-Type: multipart/related")
    ):
        raise Unreadable("it is a web archive (MHT).", "Save the page as HTML, then add that.")
    if suffix in (".epub", ".docx"):
        raise Unreadable(
            "it is not a {format} file, despite its name.",
            "Download it again.",
            format=suffix[1:].upper(),
        )
    if suffix in (".html", ".htm", ".xhtml") or _starts_as_html(plain.lstrip(b"\xfe\xff")):
        return "html"
    return {".md": "md", ".markdown": "md", ".jsonl": "jsonl", ".ndjson": "jsonl"}.get(
        suffix, "csv" if suffix in (".csv", ".tsv") else "txt"
    )


def _starts_as_html(head: bytes) -> bool:
    """Return whether a doctype or an `html` tag comes first, after comments."""
    rest = head.lstrip()
    if declaration := _XML_DECLARATION.match(rest):
        rest = rest[declaration.end() :]
    while rest.startswith(b"<!--"):
        rest = rest.partition(b"-->")[2].lstrip()
    return _HTML.match(rest) is not None


def _detect_zip_format(content: bytes) -> str:
    archive = Archive(content)
    kind = ""
    if archive.has("mimetype"):
        kind = archive.read("mimetype")[:100].decode("ascii", "ignore").strip()
    if kind == "application/epub+zip" or archive.has("META-INF/container.xml"):
        return "epub"
    if kind in _ZIPPED:
        raise Unreadable("it is {kind}.", _TO_DOCX, kind=_ZIPPED[kind])
    if archive.has("word/document.xml") or any(
        re.match(r"word/document\d*\.xml$", name) for name in archive.names
    ):
        return "docx"
    if any(name.startswith("ppt/") for name in archive.names):
        raise Unreadable("it is a PowerPoint presentation.", "Save it as PDF, then add that.")
    if any(name.startswith("xl/") for name in archive.names):
        raise Unreadable("it is an Excel workbook.", "Save the sheet as CSV, then add that.")
    raise Unreadable("it is an archive.", "Unpack it and add the files inside.")


SUPPORTED_SUFFIXES = (
    *(".pdf", ".epub", ".docx", ".html", ".htm", ".xhtml"),
    *(".txt", ".text", ".md", ".markdown", ".jsonl", ".ndjson", ".csv", ".tsv"),
)


def read_bytes(
    content: bytes,
    file_name: str,
    *,
    password: str | None = None,
    cancel: CancelToken | None = None,
    on_page: Callable[[int, int], None] | None = None,
) -> list[ReadDocument]:
    """Return the documents in a file's content: one, or one a row of a table.

    The content decides on the format; the extension only where formats look the same.
    `on_page(done, total)` is called after each page of a PDF, and after some rows of a table.

    Raises:
        UserError: it can't be read, with the reason and what to do.
        PasswordNeeded: it is an encrypted PDF; `wrong` if a password was given.
        Cancelled: the token was set.
    """
    name = Path(file_name)
    try:
        if len(content) > MAX_FILE_BYTES:
            raise UserError("it is too large.", "Split it into several files.")
        kind = detect_format(content, name.suffix.lower())
        if kind == "pdf":
            return [read_pdf(content, name.stem, password=password, cancel=cancel, on_page=on_page)]
        if kind == "epub":
            return [read_epub(content, name.stem, cancel)]
        if kind == "jsonl":
            return read_jsonl(content, name.stem, cancel, on_page)
        if kind == "csv":
            return read_csv(content, name.stem, cancel, on_page)
        readers = {"docx": read_docx, "html": read_html, "md": read_md, "txt": read_txt}
        return [readers[kind](content, name.stem)]
    except PasswordNeeded as error:
        message = Message(
            "“{name}” can't be opened: {reason}", name=name.name, reason=error.message
        )
        raise PasswordNeeded(message, error.hint, wrong=error.wrong) from error
    except UserError as error:
        raise UserError(
            "“{name}” can't be read: {reason}", error.hint, name=name.name, reason=error.message
        ) from error
    except (MemoryError, RecursionError) as error:
        raise UserError(
            "“{name}” can't be read: it is too large or too deeply nested.",
            "Split it into smaller files.",
            name=name.name,
        ) from error
