"""Safe access to zip archives (EPUB, DOCX) and XML: no zip bombs, entities or network.

Owns the limits on what a file may contain, and their refusals.
"""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, cast

from ...errors import UserError
from ...messages import Message
from ...progress import CancelToken

if TYPE_CHECKING:
    from lxml import etree

MAX_FILE_BYTES = 500 * 1024 * 1024
MAX_PAGES = 20_000
MAX_UNZIPPED_BYTES = 1024 * 1024 * 1024
MAX_ZIP_RATIO = 200
MAX_ZIP_ENTRIES = 20_000
MAX_TEXT_CHARS = 25_000_000  # of one document: some 15 books of 600 pages
MAX_SECONDS = 600.0
MAX_ROWS = 200_000


class Unreadable(UserError):
    """The bytes can't be read: `message` is the reason, `hint` what the user can do."""


_SMALL = 20 * 1024 * 1024
_MAX_PART_BYTES = 150 * 1024 * 1024
_MAX_PART_TAGS = 5_000_000  # lxml takes about 200 bytes of memory for each
# What `zipfile` raises for damaged archives; a missing range gives negative offsets (ValueError).
_ZIP_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError),
    *(ValueError, RuntimeError),
)
_BROKEN_HINT = Message("Download or copy it again; the file is incomplete or damaged.")


class Archive:
    """A zip file within the limits on its size.

    A member is found by its name in any case; of several with one name that name means the last
    one, as in other programs. `entries` tells them apart.
    """

    def __init__(self, content: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except _ZIP_ERRORS as error:
            raise Unreadable("its zip archive is broken.", _BROKEN_HINT) from error
        entries = self._zip.infolist()
        total = sum(entry.file_size for entry in entries)
        if len(entries) > MAX_ZIP_ENTRIES:
            raise Unreadable(
                "it has more than {n:,} files.", "Unpack it and add the folder.", n=MAX_ZIP_ENTRIES
            )
        if total > MAX_UNZIPPED_BYTES:
            raise Unreadable("it would unpack to far too much data.", "Don't trust this file.")
        if total > _SMALL and total > MAX_ZIP_RATIO * max(1, len(content)):
            raise Unreadable("it unpacks like a zip bomb.", "Don't trust this file.")
        self.entries: Sequence[zipfile.ZipInfo] = entries
        self.names = [entry.filename for entry in entries]
        self._exact = {entry.filename: entry for entry in entries}
        self._lower = {entry.filename.lower(): entry for entry in entries}

    def has(self, name: str) -> bool:
        return name.lower() in self._lower

    @staticmethod
    def show_name(entry: zipfile.ZipInfo) -> str:
        """Return the name of a member as the program that wrote it meant it.

        Programs that don't state their encoding use UTF-8 or that of their country; `zipfile` takes
        all of those for that of DOS.
        """
        name = entry.filename
        if entry.flag_bits & 0x800:
            return name
        try:
            written = name.encode("cp437")
        except UnicodeEncodeError:
            return name
        for encoding in ("utf-8", "gb18030"):
            with suppress(UnicodeDecodeError):
                return written.decode(encoding)
        return name

    def read(self, name: str) -> bytes:
        """Return the bytes of a member.

        Raises:
            Unreadable: the member is missing, damaged, encrypted or too large.
        """
        return self.read_entry(self._find_entry(name), name)

    def _find_entry(self, name: str) -> zipfile.ZipInfo:
        entry = self._exact.get(name) or self._lower.get(name.lower())
        if entry is None:
            raise Unreadable("its part “{name}” is missing.", _BROKEN_HINT, name=name)
        return entry

    def read_entry(self, entry: zipfile.ZipInfo, name: str) -> bytes:
        """Return the bytes of one of `entries`; raises as `read` does.

        Args:
            name: for the error message.
        """
        _refuse_locked(entry)
        if entry.file_size > _MAX_PART_BYTES:
            raise _too_large(name)
        try:
            with self._zip.open(entry) as member:
                content = member.read(entry.file_size + 1)
        except _ZIP_ERRORS as error:
            raise _damaged(name) from error
        return content

    def read_head(self, name: str, n_bytes: int) -> bytes:
        """Return the first bytes of a member.

        Raises:
            Unreadable: the member is missing, damaged or encrypted.
        """
        with self.open(name) as member:
            return member.read(n_bytes)

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """Open a member to be read piece by piece.

        Raises:
            Unreadable: the member is missing, damaged or encrypted; also when it is read.
        """
        entry = self._find_entry(name)
        _refuse_locked(entry)
        try:
            member = self._zip.open(entry)
        except _ZIP_ERRORS as error:
            raise _damaged(name) from error
        with member:
            yield cast(IO[bytes], _MemberStream(member, name))

    def xml(self, name: str) -> etree._Element:
        return parse_xml(self.read(name), name)


class _MemberStream:
    """An open member; damage that is met while it is read is a refusal.

    What the caller raises while the member is open is the caller's own.
    """

    def __init__(self, member: IO[bytes], name: str) -> None:
        self._member, self._name = member, name

    def read(self, n_bytes: int = -1) -> bytes:
        try:
            return self._member.read(n_bytes)
        except _ZIP_ERRORS as error:
            raise _damaged(self._name) from error


def check_length(n_chars: int) -> None:
    """Raise Unreadable if the text of a document is too long."""
    if n_chars > MAX_TEXT_CHARS:
        raise Unreadable(
            "it has a text of more than {n} million characters.",
            "Split it into several files.",
            n=MAX_TEXT_CHARS // 1_000_000,
        )


def too_many_rows() -> Unreadable:
    """Return the refusal of a file with more than `MAX_ROWS` rows."""
    return Unreadable(
        "it has too many rows.", "Split it into files of at most {most:,} rows.", most=MAX_ROWS
    )


@dataclass(slots=True)
class RowCounter:
    """Counts rows and characters of all sheets of a file, and refuses too many."""

    cancel: CancelToken | None = None
    n_rows: int = 0
    n_chars: int = 0

    def add_row(self, row: Sequence[str]) -> None:
        """Count a row.

        Raises:
            Unreadable: there are too many rows or characters.
            Cancelled: the token was set.
        """
        self.n_rows += 1
        self.n_chars += sum(map(len, row))
        check_length(self.n_chars)
        if self.n_rows > MAX_ROWS:
            raise too_many_rows()
        if self.cancel is not None and self.n_rows % 200 == 0:
            self.cancel.check()


def _refuse_locked(entry: zipfile.ZipInfo) -> None:
    if entry.flag_bits & 1:
        raise Unreadable("it is locked by a password.", "Save a copy without password.")


def _damaged(name: str) -> Unreadable:
    return Unreadable("its part “{name}” is damaged.", _BROKEN_HINT, name=name)


def _too_large(name: str) -> Unreadable:
    return Unreadable("its part “{name}” is too large.", "Split it into several files.", name=name)


def parse_xml(content: bytes, name: str) -> etree._Element:
    """Return the root of an XML document, even if it has errors.

    Args:
        name: name of the part, for the error message.

    Raises:
        Unreadable: it is not XML, or needs too much memory.
    """
    from lxml import etree  # not in the program itself, which needs only the limits

    if len(content) > _MAX_PART_BYTES or content.count(b"<") > _MAX_PART_TAGS:
        raise _too_large(name)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, recover=True, load_dtd=False, huge_tree=False
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _damaged(name) from error
    if root is None:
        raise Unreadable("its part “{name}” is empty or damaged.", _BROKEN_HINT, name=name)
    return root


def local_name(element: etree._Element) -> str:
    """Return the tag without its namespace; "" for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def local_attribute(element: etree._Element, name: str) -> str:
    """Return an attribute of any namespace, "" if there is none."""
    for key, value in element.attrib.items():
        if key == name or key.endswith("}" + name):
            return str(value)
    return ""
