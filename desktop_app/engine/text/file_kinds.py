"""Kinds of files: which may be read, by their names and their first bytes.

Imports no reader, because every process asks it, and only the process that reads documents needs
the readers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import UserError
from ..messages import Message


@dataclass(frozen=True, slots=True)
class FileKind:
    """Files that are one kind of document for a reader.

    Attributes:
        name: of the kind, in the code.
        title: for the help of the command line.
        suffixes: how names of such files end; they may be read, and are found in folders.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]


# Names of Office files with macros, which are never run, of shows and of templates; inside they
# are the same as the plain ones.
_WORD = (".docx", ".docm", ".dotx", ".dotm")
_EXCEL = (".xlsx", ".xlsm", ".xltx", ".xltm")
_POWERPOINT = (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm")
_BOOKS = (".epub", ".fb2", ".mobi", ".azw3", ".azw", ".prc")
KINDS = (
    FileKind("pdf", "PDF", (".pdf",)),
    FileKind(
        "picture",
        "scans and photographs",
        (
            *(".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".gif"),
            *(".heic", ".heif", ".avif", ".bmp", ".jp2", ".j2k"),
        ),
    ),
    FileKind("book", "e-books", _BOOKS),
    FileKind("document", "Word and OpenDocument texts", (*_WORD, ".odt", ".ott", ".rtf")),
    FileKind("table", "workbooks", (*_EXCEL, ".ods", ".ots")),
    FileKind("slides", "presentations", (*_POWERPOINT, ".odp", ".otp")),
    FileKind("text", "texts", (".txt", ".text", ".log", ".md", ".markdown")),
    FileKind("web", "web pages", (".html", ".htm", ".xhtml", ".mht", ".mhtml")),
    FileKind("data", "tables and data", (".csv", ".tsv", ".json", ".jsonl", ".ndjson")),
    FileKind("mail", "letters and mail boxes", (".eml", ".msg", ".mbox")),
    FileKind("subtitles", "subtitles", (".srt", ".vtt")),
    FileKind(
        "archive",
        "archives of these",
        (".zip", ".7z", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz"),
    ),
)
SUPPORTED_SUFFIXES = tuple(suffix for kind in KINDS for suffix in kind.suffixes)
# Their files are zip archives: a file of that name with another content is damaged.
ZIPPED_SUFFIXES = (
    *(".epub", *_WORD, *_EXCEL, *_POWERPOINT, ".odt", ".ott", ".ods", ".ots", ".odp", ".otp"),
)


def find_file_kind(file_name: str) -> FileKind | None:
    """Return the kind of a file by its name."""
    name = file_name.lower()
    return next((kind for kind in KINDS if name.endswith(kind.suffixes)), None)


def is_supported(file_name: str) -> bool:
    """Return whether a file of this name may be read here."""
    return file_name.lower().endswith(SUPPORTED_SUFFIXES)


HEAD_BYTES = 4096  # of a file, which say what kind it is of
_TO_DOCX = Message("Open it in its program and save it as .docx, PDF or text, then add that.")
_ARCHIVE = (Message("it is an archive."), Message("Unpack it and add the files inside."))
NO_TEXT = Message("Add a file with text in it.")
_PROGRAM = (Message("it is a program."), NO_TEXT)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
OLD_OFFICE = (Message("it is an old Word, Excel or PowerPoint file."), _TO_DOCX)
_SIGNATURES: tuple[tuple[bytes, Message, Message], ...] = (
    (
        b"AT&TFORM",
        Message("it is a DjVu scan."),
        Message("Convert it to PDF with OCR, then add that."),
    ),
    (
        b"ITSF",
        Message("it is a Windows help file (CHM)."),
        Message("Unpack it with 7-Zip and add the folder, or convert it to EPUB with Calibre."),
    ),
    (b"%!PS", Message("it is PostScript."), Message("Convert it to PDF, then add that.")),
    (
        b"SQLite format 3\x00",
        Message("it is a database."),
        Message("Export its text as CSV, then add that."),
    ),
    (b"RIFF", Message("it is a sound or film."), NO_TEXT),
    (b"ID3", Message("it is a sound file."), NO_TEXT),
    (b"\x7fELF", *_PROGRAM),
    (b"MZ\x90", *_PROGRAM),
    (b"Rar!\x1a", *_ARCHIVE),
)
# The line before each letter of a mail box, before a header or the line of a letter in it.
FROM_LINE = re.compile(rb"^From [^\n]{1,500}\n(?=[!-9;-~]{1,60}:|>From )", re.M)


def refuse_unread_kind(head: bytes, file_name: str) -> None:
    """Refuse a file whose first bytes say that it is of a kind that is never read: a program.

    Files that pass may still be of such a kind, and are refused when they are read.

    Raises:
        UserError: with the reason and what to do.
    """
    name = Path(file_name)
    suffix = name.suffix.lower()
    is_read = is_pdf(head, suffix) or find_picture_kind(head) is not None
    kind = None if is_read else find_unread_kind(head)
    if kind is None and head.startswith(OLE) and suffix != ".msg":
        kind = OLD_OFFICE
    if kind is not None:
        reason, hint = kind
        raise UserError("“{name}” can't be read: {reason}", hint, name=name.name, reason=reason)


def is_pdf(head: bytes, suffix: str) -> bool:
    """Return whether a file is a PDF, by its first bytes; an archive may begin with one."""
    if head.startswith(b"PK") or head[257:262] == b"ustar":
        return False
    return b"%PDF-" in head[:1024] or suffix == ".pdf"


def is_mail_box(head: bytes, suffix: str) -> bool:
    """Return whether a file is a mail box, by its first bytes and its name."""
    return suffix in (".mbox", ".mbx", "") and looks_like_mbox(head)


def find_unread_kind(head: bytes) -> tuple[Message, Message] | None:
    """Return why files that begin so are not read, and what the user can do."""
    for signature, reason, hint in _SIGNATURES:
        if head.startswith(signature):
            return reason, hint
    return None


# Major brands of the container that HEIC and AVIF share with films (ISO/IEC 23008-12, annex B).
_BRANDS = dict.fromkeys(
    (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"), "heic"
) | dict.fromkeys((b"avif", b"avis"), "avif")

_BMP_HEADERS = tuple(size.to_bytes(4, "little") for size in (12, 40, 52, 56, 64, 108, 124))
PICTURE_HEAD_BYTES = 18  # of a file, which say whether it is a picture


def find_picture_kind(head: bytes) -> str | None:
    """Return the format of a picture that begins so, None if it is none that is read."""
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if head.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if head.startswith((b"II*\x00", b"MM\x00*")):
        return "tiff"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head.startswith((b"\x00\x00\x00\x0cjP  \r\n\x87\n", b"\xff\x4f\xff\x51")):
        return "jp2"
    # "BM" may begin a text: the reserved bytes are 0, and a header of one of these sizes follows.
    if head.startswith(b"BM") and head[6:10] == b"\0\0\0\0" and head[14:18] in _BMP_HEADERS:
        return "bmp"
    if head[4:8] == b"ftyp" and (brand := head[8:12]) in _BRANDS:
        return _BRANDS[brand]
    return None


def looks_like_mbox(head: bytes) -> bool:
    """Return whether a file begins as a mail box does."""
    return FROM_LINE.match(head.replace(b"\r\n", b"\n")) is not None
