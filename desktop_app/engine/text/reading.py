"""Reading of files of all supported formats.

Detects the format from the content, calls its reader, and adds the file name to every error
message. Files in archives and files attached to letters are read like files of their own, with
limits on their number, size and nesting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import count, islice
from pathlib import Path, PurePath, PurePosixPath
from typing import TypeVar

from ..errors import AppError, Cancelled, PasswordNeeded, UserError
from ..messages import Message
from ..model import PICTURE_FORMATS, ReadDocument
from ..progress import CancelToken
from ..scanned_pages import ScannedTexts
from .document_notes import note_archive_path, note_attachment
from .file_kinds import (
    HEAD_BYTES,
    NO_TEXT,
    OLD_OFFICE,
    OLE,
    SEVEN_ZIP,
    ZIPPED_SUFFIXES,
    find_picture_kind,
    find_root_tag,
    find_unread_kind,
    is_fb2,
    is_locked_office,
    is_mail_box,
    is_pdf,
    is_supported,
    is_tar,
)
from .picture_pages import is_as_large_as_a_page
from .readers.archives import MAX_FILE_BYTES, MAX_ROWS, Archive, Unreadable
from .readers.docx import read_docx
from .readers.epub import read_epub
from .readers.fb2 import read_fb2
from .readers.file_archives import InnerFile, RefusedArchive, is_hidden, iter_7z, iter_tar, iter_zip
from .readers.html import read_html
from .readers.mail import (
    Letter,
    QuotedText,
    count_letters,
    iter_mbox,
    looks_like_msg,
    read_eml,
    read_mht,
    read_msg,
)
from .readers.mobi import read_mobi
from .readers.odf import KINDS as ODF_KINDS
from .readers.odf import read_flat_odf, read_odf
from .readers.pdf import read_pdf
from .readers.picture import read_picture
from .readers.plain import read_md, read_txt
from .readers.records import read_csv, read_json, read_jsonl
from .readers.rtf import read_rtf
from .readers.slides import read_pptx
from .readers.spreadsheets import read_xlsx
from .readers.subtitles import read_subtitles
from .readers.title_case import title_from_file_name
from .readers.xml import read_xml

_HTML = re.compile(rb"<(?:!doctype\s+html|html)\b", re.I)
_FLAT_ODF = re.compile(rb"<office:document\b")
_RTF = re.compile(rb"\s*\{\\rtf[\d\\{}]")
# the first lines of a letter, with the type of its parts
_SAVED_PAGE = re.compile(
    rb"(?:From: <Saved by [^\n]*\n(?:[!-9;-~]+:[^\n]*\n|[ \t][^\n]*\n)*?|MIME-Version: 1\.0\r?\n)"
    rb"Content-Type: (?:multipart/related|text/html)",
    re.I,
)
_VTT = re.compile(rb"WEBVTT(?:[ \t][^\n]*)?(?:\r?\n|\r)")
_VTT_CUE = re.compile(rb"\d[.,]\d{1,3}[ \t]+-->[ \t]+\d")
_PACKED = re.compile(rb"\x1f\x8b|BZh[1-9](?:1AY&SY|\x17rE8P\x90)|\xfd7zXZ")
_ARCHIVES = ("zip", "tar", "7z")
_TABLES = ("jsonl", "json", "csv")
_BY_SUFFIX = {
    **{".md": "md", ".markdown": "md"},
    **{".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "csv"},
    **{".eml": "eml", ".srt": "srt", ".vtt": "vtt", ".mht": "mht", ".mhtml": "mht"},
}


def detect_format(content: bytes, suffix: str) -> str:
    """Return the kind of a file: "pdf", "epub", "docx", "html", "txt" and others.

    Raises:
        Unreadable: the format is not supported; the hint names a format to convert to.
    """
    if not content:
        raise Unreadable("it is empty (0 bytes).", "Download or copy it again.")
    head = content[:HEAD_BYTES]
    if (picture := find_picture_kind(head)) is not None:
        return picture
    if is_pdf(head, suffix):
        return "pdf"
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _detect_zip_format(content, suffix)
    if (kind := find_unread_kind(head)) is not None:
        raise Unreadable(*kind)
    if found := _find_binary_kind(content, head):
        return found
    plain = head.replace(b"\x00", b"").removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe")
    if is_fb2(plain):
        return "fb2"
    if _FLAT_ODF.match(plain, find_root_tag(plain)):
        return "fodt"
    if _RTF.match(plain):
        return "rtf"
    if _SAVED_PAGE.match(plain):
        return "mht"
    if suffix in ZIPPED_SUFFIXES:
        raise _not_what_it_says(suffix)
    if is_mail_box(head, suffix):
        return "mbox"
    if _VTT.match(plain) and (suffix == ".srt" or _VTT_CUE.search(plain)):
        return "vtt"
    if suffix in _BY_SUFFIX and suffix not in (".md", ".markdown"):
        return _BY_SUFFIX[suffix]
    if suffix in (".html", ".htm", ".xhtml") or _starts_as_html(plain.lstrip(b"\xfe\xff")):
        return "html"
    if suffix in (".mbox", ".mobi", ".azw3", ".azw", ".prc", ".msg", ".rtf", ".fb2", ".7z", ".zip"):
        raise _not_what_it_says(suffix)
    if suffix in (".xml", ".svg") and plain.lstrip(b"\xfe\xff \t\r\n").startswith(b"<"):
        return "xml"
    return _BY_SUFFIX.get(suffix, "txt")


def _find_binary_kind(content: bytes, head: bytes) -> str:
    """Return the kind of a file with a signature that is read here, "" for another one."""
    if content.startswith(OLE):
        if looks_like_msg(content):
            return "msg"
        if is_locked_office(content):
            raise Unreadable("it is locked by a password.", "Save a copy without password.")
        raise Unreadable(*OLD_OFFICE)
    if head[60:68] in (b"BOOKMOBI", b"TEXtREAd"):
        return "mobi"
    if content.startswith(SEVEN_ZIP):
        return "7z"
    return "tar" if _PACKED.match(content) or is_tar(head) else ""


def _not_what_it_says(suffix: str) -> Unreadable:
    return Unreadable(
        "it is not a {format} file, despite its name.",
        "Download it again.",
        format=suffix[1:].upper(),
    )


def _starts_as_html(head: bytes) -> bool:
    """Return whether a doctype or an `html` tag comes first, after comments."""
    return _HTML.match(head, find_root_tag(head)) is not None


def _detect_zip_format(content: bytes, suffix: str) -> str:
    archive = Archive(content)
    kind = ""
    if archive.has("mimetype"):
        kind = archive.read("mimetype")[:100].decode("ascii", "ignore").strip()
    if kind == "application/epub+zip" or archive.has("META-INF/container.xml"):
        return "epub"
    if kind in ODF_KINDS:
        return ODF_KINDS[kind]
    if any(re.match(r"word/document\d*\.xml$", name, re.I) for name in archive.names):
        return "docx"
    if archive.has("ppt/presentation.xml"):
        return "pptx"
    if archive.has("xl/workbook.xml"):
        return "xlsx"
    if archive.has("xl/workbook.bin"):
        raise Unreadable(
            "it is a binary Excel workbook (.xlsb).", "Save it as .xlsx, then add that."
        )
    if suffix in ZIPPED_SUFFIXES:
        raise _not_what_it_says(suffix)
    return "zip"


_Item = TypeVar("_Item")
_TOO_DEEP = Message("its parts are nested too deep.")
_MAX_LEFT_OUT = 20  # files of an archive whose reasons are kept
_MAX_NESTING = 3  # a letter in a letter in an archive


@dataclass(slots=True)
class _Reading:
    """One file with all that is in it: what it was called with, and where it is now.

    Attributes:
        password: for the file, and for those in it.
        scanned: place of a document in the file -> page index -> text of a page that was read.
        place: numbers of the inner files on the way to the one that is read; as many as files lie
            around it, and one more for a letter in a mail box.
        in_archive: one of those is an archive.
        n_documents: those that were read.
        locked: why files in it need another password.
    """

    password: str | None
    cancel: CancelToken | None
    on_page: Callable[[int, int], None] | None
    scanned: ScannedTexts
    nesting: int = 0
    place: tuple[int, ...] = ()
    in_archive: bool = False
    n_documents: int = 0
    locked: list[PasswordNeeded] = field(default_factory=list)

    def check(self) -> None:
        if self.cancel is not None:
            self.cancel.check()

    @property
    def place_words(self) -> str:
        return "/".join(map(str, self.place))


def read_bytes(
    content: bytes,
    file_name: str,
    *,
    password: str | None = None,
    cancel: CancelToken | None = None,
    on_page: Callable[[int, int], None] | None = None,
    scanned: ScannedTexts | None = None,
) -> list[ReadDocument]:
    """Return the documents in a file's content.

    Most files are one document; a table has one for each row with a text, a letter one for each
    attachment besides its own, an archive one for each file. The content decides on the format;
    the extension only where formats look the same. `on_page(done, total)` is called after each page
    of a PDF, each slide, and after some rows or files.
    `scanned` are the texts of pages that were read as pictures, by the place of their document
    ("" for the file itself) and by page index.

    Raises:
        UserError: it can't be read, with the reason and what to do.
        PasswordNeeded: it is an encrypted PDF; `wrong` if a password was given.
        Cancelled: the token was set.
    """
    name = Path(file_name)
    try:
        return _read(content, name, _Reading(password, cancel, on_page, scanned or {}))
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


def _read(content: bytes, name: PurePath, reading: _Reading) -> list[ReadDocument]:
    if len(content) > MAX_FILE_BYTES:
        raise UserError("it is too large.", "Split it into several files.")
    kind = detect_format(content, name.suffix.lower())
    stem, cancel, on_page = name.stem, reading.cancel, reading.on_page
    if kind in _ARCHIVES:
        return _read_archive(content, kind, name, reading)
    if kind in ("eml", "msg"):
        letter = read_eml(content, stem) if kind == "eml" else read_msg(content, stem)
        return _read_letter(letter, reading)
    if kind == "mbox":
        return _read_mbox(content, stem, reading)
    if kind in _TABLES:
        tables = {"jsonl": read_jsonl, "json": read_json, "csv": read_csv}
        return tables[kind](content, stem, cancel, on_page)
    return [replace(_read_document(content, kind, stem, reading), place=reading.place_words)]


def _read_document(content: bytes, kind: str, stem: str, reading: _Reading) -> ReadDocument:
    """Return the document of a file that has just one."""
    cancel, on_page = reading.cancel, reading.on_page
    scanned = reading.scanned.get(reading.place_words, {})
    if kind == "pdf":
        password = reading.password
        return read_pdf(
            content,
            stem,
            password=password,
            cancel=cancel,
            on_page=on_page,
            scanned=scanned,
        )
    if kind in PICTURE_FORMATS:
        return read_picture(content, stem, scanned)
    if kind == "pptx":
        return read_pptx(content, stem, cancel, on_page)
    if kind in ("odt", "ods", "odp"):
        return read_odf(content, stem, kind)
    if kind in ("srt", "vtt"):
        return read_subtitles(content, stem)
    slow = {"epub": read_epub, "xlsx": read_xlsx, "mobi": read_mobi}
    if kind in slow:
        return slow[kind](content, stem, cancel)
    readers = {
        **{"docx": read_docx, "html": read_html, "mht": read_mht, "md": read_md, "txt": read_txt},
        **{"rtf": read_rtf, "fb2": read_fb2, "fodt": read_flat_odf, "xml": read_xml},
    }
    return readers[kind](content, stem)


def _read_archive(
    content: bytes, kind: str, name: PurePath, reading: _Reading
) -> list[ReadDocument]:
    if reading.in_archive:
        raise Unreadable("it is an archive within an archive.", "Unpack it and add that.")
    files = _list_files(content, kind, name)
    found, notes = _read_inner_files(files, reading, is_archive=True)
    if not found and reading.locked:
        error = reading.locked[0]
        raise PasswordNeeded(error.message, error.hint, wrong=error.wrong)
    if not found:
        [reason] = [note.params.get("reason", "") for note in notes[:1]] or [""]
        if isinstance(reason, Message):
            raise Unreadable("none of its files can be read: {reason}", NO_TEXT, reason=reason)
        raise Unreadable("it is an archive without a file that is read here.", NO_TEXT)
    return [replace(found[0], notes=(*found[0].notes, *notes)), *found[1:]]


def _list_files(content: bytes, kind: str, name: PurePath) -> Iterable[InnerFile]:
    """Return the files of an archive; those of a tar archive have to be loaded one by one."""
    if kind == "zip":
        return list(iter_zip(content))
    if kind == "7z":
        return list(iter_7z(content, lambda path: is_supported(path) and not is_hidden(path)))
    return iter_tar(content, name.stem)


def find_inner_file(content: bytes, file_name: str, place: str) -> bytes:
    """Return the bytes of a file within a file.

    Args:
        place: of the document that was read from it, `ReadDocument.place`.

    Raises:
        UserError: the outer file is damaged, or has no such file.
    """
    name: PurePath = PurePosixPath(file_name)
    numbers = [int(number) for number in place.split("/") if number.isdigit()]
    while numbers:
        kind = detect_format(content, name.suffix.lower())
        if kind in _ARCHIVES:
            files = _list_files(content, kind, name)
        else:
            if kind == "mbox":
                letter = _pick(iter_mbox(content, name.stem), numbers.pop(0))
                if isinstance(letter, Unreadable) or not numbers:
                    raise _gone()
            elif kind in ("eml", "msg"):
                letter = (read_eml if kind == "eml" else read_msg)(content, name.stem)
            else:
                raise _gone()
            files = letter.attachments
        file = _pick(files, numbers.pop(0))
        content, name = file.load(), PurePosixPath(file.path)
    return content


def _pick(items: Iterable[_Item], number: int) -> _Item:
    """Return an item by its number, from 1."""
    found = next(islice(iter(items), number - 1, None), None) if number > 0 else None
    if found is None:
        raise _gone()
    return found


def _gone() -> Unreadable:
    return Unreadable("its file is no longer in the archive.", "Add the file again.")


def _read_letter(letter: Letter, reading: _Reading) -> list[ReadDocument]:
    """Return a letter and its attachments."""
    found, notes = _read_inner_files(letter.attachments, reading)
    title = letter.document.title
    attached = [replace(one, notes=(*one.notes, note_attachment(title))) for one in found]
    own = replace(letter.document, notes=(*letter.document.notes, *notes))
    return [own, *attached]


def _read_mbox(content: bytes, stem: str, reading: _Reading) -> list[ReadDocument]:
    found: list[ReadDocument] = []
    n_bad = 0
    quoted = QuotedText()
    n_letters = count_letters(content)
    if n_letters > MAX_ROWS:
        raise Unreadable("it has too many letters.", "Split it into several files.")
    for number, letter in enumerate(iter_mbox(content, stem), 1):
        reading.check()
        if isinstance(letter, Unreadable):
            n_bad += 1
            continue
        letter = replace(letter, document=quoted.leave_out(letter.document))
        found += _read_letter(letter, replace(reading, place=(*reading.place, number)))
        reading.n_documents = len(found)
        if len(found) > MAX_ROWS:
            raise Unreadable("it has too many letters.", "Split it into several files.")
        if reading.on_page is not None and number % 100 == 0:
            reading.on_page(number, max(number, n_letters))
    if not found:
        raise Unreadable("no letter in it can be read.", "Check that it is the file you meant.")
    if n_bad:
        note = Message("Letters that can't be read and are left out: {n}.", n=n_bad)
        found[0] = replace(found[0], notes=(*found[0].notes, note))
    return found


def _read_inner_files(
    files: Iterable[InnerFile], reading: _Reading, *, is_archive: bool = False
) -> tuple[list[ReadDocument], list[Message]]:
    """Return the documents in the files of a file, and notes about those that are left out.

    What one of them raises is its note; the others are read.
    """
    if reading.nesting >= _MAX_NESTING:
        return [], [Message("What is attached to it is nested too deep and is left out.")]
    inner = replace(
        reading,
        nesting=reading.nesting + 1,
        in_archive=reading.in_archive or is_archive,
        on_page=None,
    )
    found: list[ReadDocument] = []
    left_out: list[Message] = []
    n_others = n_small = 0
    iterator = iter(files)
    for number in count(1):
        reading.check()
        try:
            file = next(iterator)
        except StopIteration:
            break
        except Unreadable as error:
            if not found or isinstance(error, RefusedArchive):
                raise
            left_out.insert(0, Message("The archive is not whole: {reason}", reason=error.message))
            break
        if is_hidden(file.path):
            continue
        if not is_supported(file.path):
            n_others += 1
            continue
        inner.place = (*reading.place, number)
        try:
            own = file.load()
            # Most pictures in letters are signs of who sent them.
            if find_picture_kind(own[:HEAD_BYTES]) and not is_as_large_as_a_page(own):
                n_small += 1
                continue
            for read in _read(own, PurePosixPath(file.path), inner):
                found.append(_with_path(read, file.path) if is_archive else read)
        except Cancelled:
            raise
        except RefusedArchive:
            raise
        except (AppError, RecursionError) as error:
            reason = error.message if isinstance(error, AppError) else _TOO_DEEP
            if isinstance(error, PasswordNeeded):
                reading.locked.append(error)
            left_out.append(
                Message("“{name}” is left out: {reason}", name=file.path, reason=reason)
            )
        if len(found) > MAX_ROWS:
            raise Unreadable("it has too many files.", "Unpack it and add the folder.")
        if reading.on_page is not None:
            reading.on_page(number, len(files) if isinstance(files, list) else number)
    notes = left_out[:_MAX_LEFT_OUT]
    if len(left_out) > _MAX_LEFT_OUT:
        n_more = len(left_out) - _MAX_LEFT_OUT
        notes.append(Message("Further files that can't be read: {n}.", n=n_more))
    if n_others:
        notes.append(
            Message("Files that are left out because their kind is not read: {n}.", n=n_others)
        )
    if n_small:
        notes.append(
            Message(
                "Pictures that are left out because they are smaller than a page: {n}.", n=n_small
            )
        )
    return found, notes


def _with_path(document: ReadDocument, path: str) -> ReadDocument:
    """Return the document of a file in an archive; its path is its title if it has no other."""
    file = PurePosixPath(path)
    body = document.text[document.body_start : document.body_end]
    is_named = document.title != title_from_file_name(file.stem, body, document.language)
    title = document.title if is_named else str(file.with_suffix(""))
    notes = (*document.notes, note_archive_path(path))
    return replace(document, title=title, notes=notes)
