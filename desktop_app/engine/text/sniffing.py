"""Says what a file is from its first bytes, and why some kinds can't be read.

The extension only decides between formats that look alike (txt, md, csv, jsonl).
"""

from __future__ import annotations

import re

from ..errors import said
from .archives import Archive
from .refusal import Unreadable

_TO_DOCX = said("Open it in its program and save it as .docx, PDF or text, then add that.")
_TO_EPUB = said("Convert it to EPUB (Calibre does it), then add that.")
_PICTURE = (said("it is a picture."), said("Run OCR on it, then add the text."))
_ARCHIVE = (said("it is an archive."), said("Unpack it and add the files inside."))
_NO_TEXT = said("Add a file with text in it.")
_PROGRAM = (said("it is a program."), _NO_TEXT)
_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"{\\rtf", said("it is an RTF document, which is not read here."), _TO_DOCX),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        said("it is an old Word, Excel or PowerPoint file."),
        _TO_DOCX,
    ),
    (b"AT&TFORM", said("it is a DjVu scan."), said("Convert it to PDF with OCR, then add that.")),
    (b"ITSF", said("it is a Windows help file (CHM)."), _TO_EPUB),
    (b"%!PS", said("it is PostScript."), said("Convert it to PDF, then add that.")),
    (
        b"SQLite format 3\x00",
        said("it is a database."),
        said("Export its text as CSV, then add that."),
    ),
    (b"\x89PNG", *_PICTURE),
    (b"\xff\xd8\xff", *_PICTURE),
    (b"GIF8", *_PICTURE),
    (b"II*\x00", *_PICTURE),
    (b"MM\x00*", *_PICTURE),
    (b"RIFF", said("it is a picture, sound or film."), _NO_TEXT),
    (b"ID3", said("it is a sound file."), _NO_TEXT),
    (b"\x7fELF", *_PROGRAM),
    (b"MZ\x90", *_PROGRAM),
    (b"Rar!\x1a", *_ARCHIVE),
    (b"7z\xbc\xaf", *_ARCHIVE),
    (b"\x1f\x8b", *_ARCHIVE),
    (b"BZh", *_ARCHIVE),
    (b"\xfd7zXZ", *_ARCHIVE),
)
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.I | re.S
)
_FB2 = re.compile(rb"<FictionBook\b")
_ZIPPED = {
    "application/vnd.oasis.opendocument.text": said("an OpenDocument text (.odt)"),
    "application/vnd.oasis.opendocument.spreadsheet": said("an OpenDocument spreadsheet"),
    "application/vnd.oasis.opendocument.presentation": said("an OpenDocument presentation"),
}


def sniff_format(content: bytes, suffix: str) -> str:
    """Return "pdf", "epub", "docx", "html", "md", "jsonl", "csv" or "txt".

    Raises:
        Unreadable: it is of a kind that can't be read here; the hint says what to convert to.
    """
    if not content:
        raise Unreadable("it is empty (0 bytes).", "Download or copy it again.")
    head = content[:4096]
    if b"%PDF-" in head[:1024] or (suffix == ".pdf" and not head.startswith(b"PK")):
        return "pdf"
    if content.startswith(b"PK\x03\x04") or content.startswith(b"PK\x05\x06"):
        return _sniff_zip(content)
    for signature, reason, hint in _SIGNATURES:
        if content.startswith(signature):
            raise Unreadable(reason, hint)
    if content[60:68] in (b"BOOKMOBI", b"TEXtREAd"):
        raise Unreadable("it is a Kindle book (MOBI).", _TO_EPUB)
    plain = head.replace(b"\x00", b"").removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe")
    if _FB2.search(plain):
        raise Unreadable("it is a FictionBook (FB2).", _TO_EPUB)
    if plain.startswith(
        (b"From: <Saved by", b"MIME-Version: 1.0\r\nContent-Type: multipart/related")
    ):
        raise Unreadable("it is a web archive (MHT).", "Save the page as HTML, then add that.")
    if suffix in (".epub", ".docx"):
        raise Unreadable(
            f"it is no {suffix[1:].upper()} file, whatever its name says.", "Download it again."
        )
    if suffix in (".html", ".htm", ".xhtml") or _HTML.match(plain.lstrip(b"\xfe\xff")):
        return "html"
    return {".md": "md", ".markdown": "md", ".jsonl": "jsonl", ".ndjson": "jsonl"}.get(
        suffix, "csv" if suffix in (".csv", ".tsv") else "txt"
    )


def _sniff_zip(content: bytes) -> str:
    archive = Archive(content)
    kind = ""
    if archive.has("mimetype"):
        kind = archive.read("mimetype")[:100].decode("ascii", "ignore").strip()
    if kind == "application/epub+zip" or archive.has("META-INF/container.xml"):
        return "epub"
    if kind in _ZIPPED:
        raise Unreadable(f"it is {_ZIPPED[kind]}.", _TO_DOCX)
    if archive.has("word/document.xml") or any(
        re.match(r"word/document\d*\.xml$", name) for name in archive.names
    ):
        return "docx"
    if any(name.startswith("ppt/") for name in archive.names):
        raise Unreadable("it is a PowerPoint presentation.", "Save it as PDF, then add that.")
    if any(name.startswith("xl/") for name in archive.names):
        raise Unreadable("it is an Excel workbook.", "Save the sheet as CSV, then add that.")
    raise Unreadable("it is an archive.", "Unpack it and add the files inside.")
