"""Kinds of files: which may be read, by their names and their first bytes.

Imports no reader, because every process asks it, and only the process that reads documents needs
the readers.
"""

from __future__ import annotations

import codecs
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
    FileKind("document", "Word and OpenDocument texts", (*_WORD, ".odt", ".ott", ".fodt", ".rtf")),
    FileKind("table", "workbooks", (*_EXCEL, ".ods", ".ots", ".fods")),
    FileKind("slides", "presentations", (*_POWERPOINT, ".odp", ".otp", ".fodp")),
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
SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c"
# A directory entry of the compound file in which Office packs a locked .docx, .xlsx or .pptx: a
# name field of 64 bytes ([MS-CFB] 2.6.1, [MS-OFFCRYPTO] 2.3). Running text has no zeros after it.
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le").ljust(64, b"\x00")
OLD_OFFICE = (Message("it is an old Word, Excel or PowerPoint file."), _TO_DOCX)
# What begins a file of a kind, as its format defines it. Most begin with letters that a text may
# begin with as well ("RIFF and Raff were brothers"), so what has to follow them is compared, too.
_SIGNATURES: tuple[tuple[re.Pattern[bytes], Message, Message], ...] = (
    (
        # the size of the form, and its type
        re.compile(rb"AT&TFORM(?:\x00|.{4}(?:DJV[UMI]|THUM|[BP]M44))", re.S),
        Message("it is a DjVu scan."),
        Message("Convert it to PDF with OCR, then add that."),
    ),
    (
        re.compile(rb"ITSF.\x00\x00\x00", re.S),  # the version in four bytes
        Message("it is a Windows help file (CHM)."),
        Message("Unpack it with 7-Zip and add the folder, or convert it to EPUB with Calibre."),
    ),
    (
        re.compile(rb"%!PS(?:-Adobe|[ \t]*[\r\n])"),
        Message("it is PostScript."),
        Message("Convert it to PDF, then add that."),
    ),
    (
        re.compile(rb"SQLite format 3\x00"),
        Message("it is a database."),
        Message("Export its text as CSV, then add that."),
    ),
    (
        # the size, and the type of the content
        re.compile(rb"RIFF.{4}(?:WAVE|AVI |RMID|RMMP|CDXA|QLCM|sfbk|DLS |CDDA|ACON)", re.S),
        Message("it is a sound or film."),
        NO_TEXT,
    ),
    # version, flags, and a size in bytes below 128
    (
        re.compile(rb"ID3[\x02-\x04].{2}[\x00-\x7f]{4}", re.S),
        Message("it is a sound file."),
        NO_TEXT,
    ),
    (re.compile(rb"\x7fELF"), *_PROGRAM),
    (re.compile(rb"MZ\x90"), *_PROGRAM),
    (re.compile(rb"Rar!\x1a"), *_ARCHIVE),
)
_PDF_HEADER = re.compile(rb"%PDF-\d")
_PDF_OBJECT = re.compile(rb"\d\s+\d+\s+obj\b")
_PDF_HEADER_WITHIN = 1024  # bytes; readers accept what mail or the web left before it
_BEFORE_TEXT = b"\xef\xbb\xbf \t\r\n"
# characters that no text has, but for the line ends and tabs of all kinds
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
# The line before each letter of a mail box (RFC 4155): "From ", a sender, and a date as `asctime`
# or a header of mail writes it, or of ISO 8601; some programs leave sender and date out. A header
# or the line of a letter in the letter follows. "From 1999 to …" is none, also before "Note: …".
_MONTH = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_FROM_LINE = re.compile(
    rb"^From (?:"
    rb"[^\n]{0,300}?"
    rb"(?:" + _MONTH + rb" +\d{1,2}|\d{1,2} " + _MONTH + rb",? \d{2,4}|\d{4}-\d\d-\d\d)[ T]+"
    rb"\d{1,2}:\d\d[^\n]{0,60}"
    rb"|(?:-|[^\s@]+@[^\s@]+)?[ \t\r]*"
    rb")\n(?=[!-9;-~]{1,60}:|>From )",
    re.M,
)
# In a mail box of a program that writes no such date.
_ANY_FROM_LINE = re.compile(rb"^From [^\n]{1,500}\n(?=[!-9;-~]{1,60}:|>From )", re.M)


def choose_from_line(head: bytes) -> re.Pattern[bytes]:
    """Return what matches the lines before the letters of a mail box, by its first bytes."""
    return _FROM_LINE if _FROM_LINE.match(tidy_mail_start(head)) else _ANY_FROM_LINE


def refuse_unread_kind(head: bytes, file_name: str) -> None:
    """Refuse a file whose first bytes say that it is of a kind that is never read: a program.

    Files that pass may still be of such a kind, and are refused when they are read. So are those
    that are named like Word, Excel or PowerPoint of today: whether they are locked stands anywhere
    in them.

    Raises:
        UserError: with the reason and what to do.
    """
    name = Path(file_name)
    suffix = name.suffix.lower()
    is_read = is_pdf(head, suffix) or find_picture_kind(head) is not None
    kind = None if is_read else find_unread_kind(head)
    if kind is None and head.startswith(OLE) and suffix not in (".msg", *ZIPPED_SUFFIXES):
        kind = OLD_OFFICE
    if kind is not None:
        reason, hint = kind
        raise UserError("“{name}” can't be read: {reason}", hint, name=name.name, reason=reason)


def is_tar(head: bytes) -> bool:
    """Return whether a file is a TAR archive that is not packed, by its first bytes."""
    return head[257:262] == b"ustar"


def is_pdf(head: bytes, suffix: str) -> bool:
    """Return whether a file is a PDF, by its first bytes; an archive may begin with one.

    A text may tell how a PDF begins. A PDF has an object after its header, and what stands before
    the header is no text, or the file is none.
    """
    if head.startswith(b"PK") or is_tar(head):
        return False
    if suffix == ".pdf":
        return True
    header = _PDF_HEADER.search(head[:_PDF_HEADER_WITHIN])
    if header is None or _PDF_OBJECT.search(head, header.end()) is None:
        return False
    return not head[: header.start()].strip(_BEFORE_TEXT) or not _is_text(head)


def _is_text(head: bytes) -> bool:
    """Return whether the first bytes of a file are a text in ASCII or UTF-8."""
    if _CONTROL.search(head):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last character may be cut
    except UnicodeDecodeError:
        return False
    return True


_MARKUP_HEAD = re.compile(rb"(?:\s+|<\?[^>]*>|<!--.*?-->)*", re.S)
_FB2 = re.compile(rb"<FictionBook\b")


def find_root_tag(head: bytes) -> int:
    """Return where the first tag of XML or HTML may be: after declarations and comments."""
    found = _MARKUP_HEAD.match(head)
    return found.end() if found else 0


def is_fb2(head: bytes) -> bool:
    """Return whether a file is FictionBook 2, by its first bytes without a byte order mark."""
    return _FB2.match(head, find_root_tag(head)) is not None


def is_mail_box(head: bytes, suffix: str) -> bool:
    """Return whether a file is a mail box, by its first bytes and its name."""
    return suffix in (".mbox", ".mbx", "") and looks_like_mbox(head)


def is_locked_office(content: bytes) -> bool:
    """Return whether a compound file is a .docx, .xlsx or .pptx that is locked by a password."""
    return content.startswith(OLE) and _ENCRYPTED_PACKAGE in content


def find_unread_kind(head: bytes) -> tuple[Message, Message] | None:
    """Return why files that begin so are not read, and what the user can do."""
    for signature, reason, hint in _SIGNATURES:
        if signature.match(head):
            return reason, hint
    return None


# Major brands of the container that HEIC and AVIF share with films (ISO/IEC 23008-12, annex B).
_BRANDS = dict.fromkeys(
    (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"), "heic"
) | dict.fromkeys((b"avif", b"avis"), "avif")

_BMP_HEADERS = tuple(size.to_bytes(4, "little") for size in (12, 40, 52, 56, 64, 108, 124))
PICTURE_HEAD_BYTES = 18  # of a file, which say whether it is a picture
# Of the numbers in the head of a GIF only those of one with 8,224 pixels or more on each side.
_PRINTABLE = re.compile(rb"[\t\r\n\x20-\x7e]{7}")


def find_picture_kind(head: bytes) -> str | None:
    """Return the format of a picture that begins so, None if it is none that is read."""
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if head.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if head.startswith((b"II*\x00", b"MM\x00*")):
        return "tiff"
    if head.startswith((b"GIF87a", b"GIF89a")) and not _PRINTABLE.match(head, 6):
        return "gif"
    if head[:4] == b"RIFF" and head[8:15] == b"WEBPVP8":
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
    return choose_from_line(head).match(tidy_mail_start(head)) is not None


_BEFORE_MAIL = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:\r\n|\r|\n))*")


def tidy_mail_start(content: bytes) -> bytes:
    """Return mail without the byte order mark and the blank lines that an editor left before it.

    The line ends of old Macs become those of other systems.
    """
    before = _BEFORE_MAIL.match(content)
    content = content[before.end() :] if before else content
    if b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    return content
