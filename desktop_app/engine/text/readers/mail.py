"""Readers of mail: single letters (.eml, .msg), mail boxes (.mbox) and saved web pages (.mht).

A letter's text begins with its sender, its receivers and its date, so that they become names with
a relation. Attachments are files of their own; what is read of them is decided by `reading`. The
standard library reads mail, python-oxmsg reads the files of Outlook.
"""

from __future__ import annotations

import datetime
import email
import email.message
import email.policy
import email.utils
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email.header import decode_header
from functools import partial
from typing import IO, Any

from ...errors import AppError
from ...messages import Message
from ...model import ReadDocument
from ..encodings import decode, normalise_newlines
from ..file_kinds import (
    HEAD_BYTES,
    PICTURE_HEAD_BYTES,
    choose_from_line,
    find_picture_kind,
    tidy_mail_start,
)
from ..picture_pages import is_as_large_as_a_page
from .archives import Unreadable
from .document_builder import build_document
from .file_archives import InnerFile
from .html import extract_text, read_html
from .rtf import strip_rtf
from .text_builder import remove_control_characters

_HINT = Message("Open it in your mail program and save it again.")
_MAX_PARTS = 2_000  # of a letter
_MAX_HEADER_CHARS = 20_000
_MAX_PEOPLE = 200
_FROM_LINE_BYTES = 700  # of a line that begins a letter, with the beginning of the next line
_SEARCHED_BYTES = 4 * 1024 * 1024
_HEADERS = ("from", "to", "cc", "subject", "date", "message-id", "received")


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter: its document, and the files that were attached to it."""

    document: ReadDocument
    attachments: list[InnerFile] = field(default_factory=list)


@dataclass(slots=True)
class _Parts:
    """What a letter has, from whatever format."""

    sender: str = ""
    to: list[str] = field(default_factory=list)
    cc: list[str] = field(default_factory=list)
    reply_to: list[str] = field(default_factory=list)  # others than the sender
    mailing_list: str = ""
    date: datetime.datetime | None = None
    subject: str = ""
    body: str = ""
    attachments: list[InnerFile] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)


def read_eml(content: bytes, stem: str) -> Letter:
    """Return a letter.

    Raises:
        Unreadable: it is no letter, or has no text.
    """
    message = email.message_from_bytes(tidy_mail_start(content), policy=email.policy.compat32)
    if not any(message.get(name) for name in _HEADERS):
        raise Unreadable("it is not an e-mail, despite its name.", _HINT)
    return _finish(_read_message(message), stem)


def split_mbox(file: IO[bytes], size: int, part_bytes: int) -> Iterator[tuple[int, int]]:
    """Yield start and size of the parts of a mail box, each of whole letters.

    A part ends before the first letter after `part_bytes`; it is longer only where one letter is.
    As mail is added at the end of a mail box, the parts before the last one stay the same.

    Args:
        size: of the file.
    """
    file.seek(0)
    from_line = choose_from_line(file.read(HEAD_BYTES))
    start = 0
    while size - start > part_bytes:
        at = start + part_bytes
        end = size
        while at < size:
            file.seek(at)
            piece = file.read(_SEARCHED_BYTES)
            if not piece:
                break
            found = from_line.search(piece, 1)  # a piece may begin inside of a line
            if found is not None:
                end = at + found.start()
                break
            if at + len(piece) >= size or len(piece) <= _FROM_LINE_BYTES:
                break
            at += len(piece) - _FROM_LINE_BYTES
        yield start, end - start
        start = end
    if start < size:
        yield start, size - start


def count_letters(content: bytes) -> int:
    """Return the number of letters of a mail box, about."""
    return content.count(b"\nFrom ") + content.count(b"\rFrom ") + 1


def iter_mbox(content: bytes, stem: str) -> Iterator[Letter | Unreadable]:
    """Yield the letters of a mail box, or why one can't be read."""
    content = tidy_mail_start(content)
    from_line = choose_from_line(content[:HEAD_BYTES])
    starts = [match.start() for match in from_line.finditer(content)]
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(content)], strict=True), 1):
        source = content[content.index(b"\n", start) + 1 : end]
        source = re.sub(rb"^>(>*From )", rb"\1", source, flags=re.M)
        try:
            yield read_eml(source, f"{stem} {number}")
        except Unreadable as error:
            yield error
        except RecursionError:
            yield Unreadable("its parts are nested too deep.", _HINT)


_QUOTED = re.compile(r"\s*[>|]")
_ORIGINAL = re.compile(
    r"\s*-{2,}\s*(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Message d.origine"
    r"|原始邮件|转发的邮件|原始郵件)\s*-{2,}\s*$",
    re.I,
)
# Lines of a quotation that are not of the quoted letter: "On Monday, Ann wrote:", "Sent: Monday".
_INTRODUCTION = re.compile(
    rf"[:：]\s*$|^\s*[>|]*\s*\w[\w -]{{0,20}}[:：]\s|{_ORIGINAL.pattern}", re.I
)
_MIN_LINE_CHARS = 20  # shorter lines, such as greetings, are in many letters
_MIN_KNOWN_SHARE = 0.8  # of the quoted lines, to leave room for wrapped ones


class QuotedText:
    """Finds what a letter repeats of the letters before it in the same mail box.

    Where a reply ends with the letter that it answers, as "> …" or below "Original Message", the
    names of this part were counted with that letter. A quotation of a letter that is not in the
    mail box is text like any other.
    """

    def __init__(self) -> None:
        self._known: set[int] = set()

    def leave_out(self, document: ReadDocument) -> ReadDocument:
        """Return a letter whose body ends before the quotation at its end, and remember its lines.

        The text keeps the quotation.
        """
        lines = document.text.split("\n")
        first = self._find_quotation(lines)
        own = lines[:first] if first else lines
        self._known.update(hash(key) for line in own if len(key := _fold(line)) >= _MIN_LINE_CHARS)
        if not first:
            return document
        return replace(document, body_end=len("\n".join(own).rstrip()))

    def _find_quotation(self, lines: list[str]) -> int:
        """Return the first line of a known quotation that ends the letter, 0 if there is none."""
        first = next((n for n, line in enumerate(lines) if n and _ORIGINAL.match(line)), 0)
        if not first:
            first = len(lines)
            while first > 1 and (not lines[first - 1].strip() or _QUOTED.match(lines[first - 1])):
                first -= 1
            above = first - 1
            while above > 0 and not lines[above].strip():
                above -= 1
            if lines[above].rstrip().endswith((":", "：")):  # "On Monday, Ann wrote:"
                first = above
        keys = [
            key
            for line in lines[first:]
            if len(key := _fold(line)) >= _MIN_LINE_CHARS and not _INTRODUCTION.search(line)
        ]
        n_known = sum(hash(key) in self._known for key in keys)
        return first if keys and n_known >= _MIN_KNOWN_SHARE * len(keys) else 0


def _fold(line: str) -> str:
    """Return a line without quotation marks and blanks around it."""
    return " ".join(line.lstrip("> |").split())


def read_mht(content: bytes, stem: str) -> ReadDocument:
    """Return the text of a web page that a browser saved in one file.

    Raises:
        Unreadable: it has no page in it.
    """
    message = email.message_from_bytes(content, policy=email.policy.compat32)
    for part in _iter_parts(message):
        if part.get_content_type() in ("text/html", "application/xhtml+xml"):
            page = _load(part)
            charset = part.get_content_charset() or ""
            if charset and b"charset" not in page[:2_000].lower():
                page = b'<meta charset="utf-8">' + _decode(page, charset).encode("utf-8")
            return read_html(page, _find_subject(message) or stem, load_pictures(message))
    raise Unreadable("there is no web page in it.", "Save the page as HTML, then add that.")


def load_pictures(message: email.message.Message) -> dict[str, bytes]:
    """Return the pictures of a saved page by their addresses and by their content ids."""
    found: dict[str, bytes] = {}
    for part in _iter_parts(message):
        if not part.get_content_type().startswith("image/"):
            continue
        content = _load(part)
        for name in (part.get("content-location"), part.get("content-id")):
            if name:
                found.setdefault(str(name).strip().strip("<>"), content)
    return found


def _read_message(message: email.message.Message) -> _Parts:
    parts = _Parts(
        sender=next(iter(_list_people(_find_headers(message, "from"))), ""),
        to=_list_people(_find_headers(message, "to")),
        cc=_list_people(_find_headers(message, "cc")),
        mailing_list=_find_mailing_list(message),
        subject=_find_subject(message),
    )
    known = {_find_address(parts.sender), *_list_list_addresses(message)}
    parts.reply_to = [
        person
        for person in _list_people(_find_headers(message, "reply-to"))
        if _find_address(person) not in known
    ]
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        parts.date = email.utils.parsedate_to_datetime(str(message.get("date", "")))
    plain: list[str] = []
    rich: list[str] = []
    others: list[str] = []  # texts of other kinds, which stand for the body where there is none
    n_unread = 0
    for part in _iter_parts(message):
        kind = part.get_content_type()
        name = _decode_header(part.get_filename())
        is_declared = part.get_content_disposition() == "attachment"
        is_attached = is_declared or bool(name)
        if kind == "message/rfc822":
            inner = part.get_payload()
            letter = inner[0] if isinstance(inner, list) and inner else None
            if isinstance(letter, email.message.Message):
                path = f"{_make_name(_find_subject(letter) or 'message')}.eml"
                parts.attachments.append(InnerFile(path, partial(bytes, letter)))
        elif kind.startswith("image/") and part.get("content-id") and not is_declared:
            # a picture in the text; telephones put photographs there
            picture = _load(part)
            is_picture = find_picture_kind(picture[:PICTURE_HEAD_BYTES]) is not None
            if name and is_picture and is_as_large_as_a_page(picture):
                parts.attachments.append(InnerFile(_make_name(name), partial(_load, part)))
        elif is_attached:
            path = _make_name(name or "attachment")
            parts.attachments.append(InnerFile(path, partial(_load, part)))
        elif kind == "text/plain":
            plain.append(_decode(_load(part), part.get_content_charset() or ""))
        elif kind == "text/html":
            rich.append(_decode(_load(part), part.get_content_charset() or ""))
        elif kind.startswith("text/"):
            text = _decode(_load(part), part.get_content_charset() or "utf-8")
            others.append(_show_calendar(text) if kind == "text/calendar" else text)
        elif not kind.startswith(("message/", "image/")) and not kind.endswith("-signature"):
            n_unread += 1
    if n_unread:
        parts.notes.append(
            Message("Parts of the letter that are left out because of their kind: {n}.", n=n_unread)
        )
    if any(text.strip() for text in plain):
        parts.body = "\n\n".join(plain)
    else:
        parts.body = "\n\n".join(extract_text(markup).text for markup in rich)
    if not parts.body.strip():
        parts.body = "\n\n".join(others)
    return parts


_FOLD = re.compile(r"\n[ \t]")
_CALENDAR_LINE = re.compile(
    r"(?P<name>[A-Z-]+)(?P<params>(?:;(?:\"[^\"]*\"|[^\":])*)?):(?P<value>.*)"
)
_CALENDAR_NAME = re.compile(r";CN=(?:\"([^\"]*)\"|([^;:]*))", re.I)
_CALENDAR_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")
# What an invitation tells its reader, of the fields of RFC 5545.
_CALENDAR_FIELDS = {
    "SUMMARY": "Summary",
    "DTSTART": "Start",
    "DTEND": "End",
    "LOCATION": "Location",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendee",
    "DESCRIPTION": "Description",
}


def _show_calendar(text: str) -> str:
    """Return what the events of a calendar say (iCalendar, RFC 5545), a line for each field."""
    blocks: list[list[str]] = []
    inside: list[str] = []  # components around a line: a time zone has a start, too
    for line in _FOLD.sub("", text).split("\n"):
        found = _CALENDAR_LINE.fullmatch(line.strip())
        if found is None:
            continue
        name, value = found["name"], found["value"].strip()
        if name == "BEGIN":
            inside.append(value)
            if value in ("VEVENT", "VTODO", "VJOURNAL"):
                blocks.append([])
        elif name == "END":
            inside = inside[:-1]
        elif blocks and inside[-1:] != ["VTIMEZONE"] and name in _CALENDAR_FIELDS and value:
            blocks[-1].append(f"{_CALENDAR_FIELDS[name]}: {_show_field(found['params'], value)}")
    return "\n\n".join("\n".join(lines) for lines in blocks if lines)


def _show_field(params: str, value: str) -> str:
    """Return a time, a person or a text of a calendar as in the head of a letter."""
    if moment := _CALENDAR_TIME.fullmatch(value):
        year, month, day, hour, minute, zone = moment.groups()
        return f"{year}-{month}-{day}" + (
            f" {hour}:{minute}{' UTC' if zone else ''}" if hour else ""
        )
    if value.lower().startswith("mailto:"):
        known = _CALENDAR_NAME.search(params)
        return _format_person((known[1] or known[2]) if known else "", value[len("mailto:") :])
    return re.sub(r"\\([,;\\])", r"\1", value.replace("\\n", "\n").replace("\\N", "\n"))


def _find_headers(message: email.message.Message, name: str) -> list[str]:
    """Return the headers of a name as they were sent, bytes beyond ASCII as surrogates."""
    return [str(value) for key, value in message.raw_items() if key.lower() == name]


_LIST_ADDRESS = re.compile(r"<mailto:([^<>\s?]+)", re.I)


def _list_list_addresses(message: email.message.Message) -> list[str]:
    """Return the addresses of the mailing list that sent a letter."""
    posts = " ".join(_find_headers(message, "list-post"))
    return [address.lower() for address in _LIST_ADDRESS.findall(posts)]


def _find_mailing_list(message: email.message.Message) -> str:
    """Return the name of the mailing list that sent a letter, or its address; "" without one.

    "List-Id: Surveys of the coast <survey.lists.example.org>" names it.
    """
    value = next(iter(_find_headers(message, "list-id")), "")
    name = _decode_header(value.partition("<")[0]).strip(' "')
    return name or next(iter(_list_list_addresses(message)), "")


def _find_address(person: str) -> str:
    return person.rpartition("<")[2].rstrip(">").lower()


def _find_subject(message: email.message.Message) -> str:
    return _decode_header(next(iter(_find_headers(message, "subject")), None))


def _iter_parts(message: email.message.Message) -> Iterator[email.message.Message]:
    """Yield the parts that have a content; an attached letter is one part."""
    pending = [message]
    for _ in range(_MAX_PARTS):
        if not pending:
            return
        part = pending.pop()
        inside = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(inside, list):
            pending += [one for one in reversed(inside) if isinstance(one, email.message.Message)]
        else:
            yield part


def _load(part: email.message.Message) -> bytes:
    try:
        content = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        return b""
    return content if isinstance(content, bytes) else b""


def _decode(content: bytes, charset: str) -> str:
    with suppress(Unreadable, LookupError):
        return normalise_newlines(decode(content, charset).text)
    return content.decode("latin-1")


def _decode_header(value: object) -> str:
    """Return a header with its encoded words decoded, "" if there is none."""
    if value is None:
        return ""
    parts: list[str] = []
    try:
        for text, charset in decode_header(str(value)[:_MAX_HEADER_CHARS]):
            parts.append(text if isinstance(text, str) else _decode_word(text, charset))
    except (ValueError, LookupError, email.errors.HeaderParseError):
        parts = [str(value)]
    text = "".join(parts).encode("utf-8", "surrogateescape")
    return " ".join(_decode_word(text, "utf-8").split())


def _decode_word(word: bytes, charset: str | None) -> str:
    for encoding in (charset or "utf-8", "utf-8", "gb18030"):
        with suppress(UnicodeDecodeError, LookupError):
            return word.decode(encoding)
    return word.decode("latin-1")


def _list_people(values: Iterable[str]) -> list[str]:
    """Return persons as "Ann Grey <ann@x.org>", or the address alone."""
    # an encoded name may contain a comma: addresses are separated before names are decoded
    raw = [value[:_MAX_HEADER_CHARS] for value in values]
    people: list[str] = []
    for name, address in email.utils.getaddresses(raw)[:_MAX_PEOPLE]:
        person = _format_person(_decode_header(name), address)
        if person:
            people.append(person)
    return people


def _format_person(name: str, address: str) -> str:
    name = " ".join(name.strip(" '\"").split())
    address = " ".join(address.split())
    if name.count(",") == 1:  # "Grey, Ann"
        last, _, first = name.partition(",")
        if last.strip() and first.strip() and len(first.split()) < 3:
            name = f"{first.strip()} {last.strip()}"
    if name and address and name.casefold() != address.casefold():
        return f"{name} <{address}>"
    return name or address


def _finish(parts: _Parts, stem: str) -> Letter:
    """Return the letter with its details before its text."""
    head = [f"From: {parts.sender}"] if parts.sender else []
    for label, people in (("To", parts.to), ("Cc", parts.cc), ("Reply-To", parts.reply_to)):
        if people:
            head.append(f"{label}: {', '.join(people)}")
    if parts.mailing_list:
        head.append(f"List: {parts.mailing_list}")
    if parts.date is not None:
        head.append(f"Date: {parts.date:%Y-%m-%d %H:%M}")  # the name of a month may be a person's
    if parts.subject:
        head.append(f"Subject: {parts.subject}")
    if parts.attachments:
        head.append(f"Attachments: {', '.join(file.path for file in parts.attachments)}")
    body = remove_control_characters(normalise_newlines(parts.body)).strip()
    if not body and not parts.attachments and not parts.subject:
        raise Unreadable("it has no text in it.", "Check that it is the file you meant.")
    name = parts.sender.partition(" <")[0]
    document = build_document(
        remove_control_characters("\n".join(head)) + ("\n\n" + body if body else ""),
        format="eml",
        stem=stem,
        title=parts.subject,
        author="" if "@" in name else name,
        year=str(parts.date.year) if parts.date is not None else "",
        notes=parts.notes,
        title_from_text=False,
    )
    return Letter(document, parts.attachments)


def _make_name(name: str) -> str:
    """Return a file name without folders."""
    return re.sub(r"[\x00-\x1f/\\]+", " ", name).strip()[-200:] or "attachment"


# --- Outlook --------------------------------------------------------------------------------------

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MSG_MARK = "__properties_version1.0".encode("utf-16-le")
_OFFICE_MARKS = tuple(
    name.encode("utf-16-le") for name in ("WordDocument", "Workbook", "PowerPoint Document")
)
_RECIPIENT_TYPE, _PACKED_RTF = 0x0C15, 0x1009
_CC = 2


def looks_like_msg(content: bytes) -> bool:
    """Return whether a compound file is a letter of Outlook."""
    if not content.startswith(_OLE):
        return False
    mark = content.find(_MSG_MARK)
    office = [at for at in (content.find(name) for name in _OFFICE_MARKS) if at >= 0]
    return mark >= 0 and all(mark < at for at in office)


def read_msg(content: bytes, stem: str) -> Letter:
    """Return a letter that Outlook saved.

    Raises:
        Unreadable: it is damaged, or has no text.
    """
    from oxmsg import Message as OutlookMessage

    try:
        message = OutlookMessage.load(content)
        parts = _Parts(
            sender=_outlook_sender(message),
            date=_attempt(lambda: message.sent_date),
            subject=message.subject or "",
            body=_outlook_body(message),
        )
        for recipient in message.recipients:
            person = _format_person(recipient.name or "", recipient.email_address or "")
            kind = recipient.properties.int_prop_value(_RECIPIENT_TYPE)
            if person:
                (parts.cc if kind == _CC else parts.to).append(person)
        for attachment in message.attachments:
            name = _make_name(attachment.file_name or "attachment")
            parts.attachments.append(InnerFile(name, partial(_load_outlook_file, attachment)))
    except (AppError, MemoryError):
        raise
    except Exception as error:  # what a damaged file raises differs
        raise Unreadable("its parts are damaged.", _HINT) from error
    return _finish(parts, stem)


def _attempt(find: Any) -> Any:
    with suppress(ValueError, OverflowError, OSError):
        return find()
    return None


def _outlook_sender(message: Any) -> str:
    header = message.message_headers.get("From")
    if header:
        return next(iter(_list_people([header])), "")
    sender: str = message.sender or ""
    name, address = email.utils.parseaddr(sender)
    return _format_person(name, address) or sender


def _outlook_body(message: Any) -> str:
    if message.body and message.body.strip():
        return str(message.body)
    if message.html_body:
        return extract_text(message.html_body).text
    packed = message.properties.binary_prop_value(_PACKED_RTF)
    if not packed:
        return ""
    import compressed_rtf

    return strip_rtf(compressed_rtf.decompress(packed).decode("latin-1"))


def _load_outlook_file(attachment: Any) -> bytes:
    content = attachment.file_bytes if attachment.attached_by_value else None
    if content is None:
        raise Unreadable("it is a letter or object inside of Outlook's file.", _HINT)
    return bytes(content)
