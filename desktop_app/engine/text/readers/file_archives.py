"""Archives of documents (.zip, .tar, .tar.gz, .7z): their files, within limits on number and size.

What is read of a file is decided by `reading`; an archive within an archive is refused there.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import IO, Any, cast

from ...errors import AppError
from ...messages import Message
from .archives import (
    MAX_UNZIPPED_BYTES,
    MAX_ZIP_RATIO,
    Archive,
    Unreadable,
)

MAX_FILES = 5_000
MAX_7Z_BYTES = 300 * 1024 * 1024  # which are unpacked at once
_SMALL = 20 * 1024 * 1024
_BROKEN_HINT = Message("Download or copy it again; the file is incomplete or damaged.")
_UNPACK = Message("Unpack it and add the folder.")
_TAR_ERRORS = (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError)

# What unpacking raises for altered data. What was unpacked before may be wrong, since the checksum
# stands at the end; data that only ends too early (EOFError) is right as far as it goes.
_ALTERED = (zlib.error, lzma.LZMAError, OSError)
_7Z_ERRORS = (*_TAR_ERRORS, ArithmeticError, LookupError, TypeError, RuntimeError)


class RefusedArchive(Unreadable):
    """An archive exceeds a limit, or its content was altered: none of its files are read."""


@dataclass(frozen=True, slots=True)
class InnerFile:
    """A file in a file: `path` in the archive; `load` gives its bytes and may raise Unreadable."""

    path: str
    load: Callable[[], bytes]


def is_hidden(path: str) -> bool:
    """Return whether a path is one of a system's own files, or has a hidden folder."""
    parts = path.split("/")
    return parts[0] == "__MACOSX" or any(p.startswith(".") for p in parts if p not in (".", ".."))


def iter_zip(content: bytes) -> Iterator[InnerFile]:
    """Yield the files of a zip archive.

    Raises:
        Unreadable: it is damaged or too large.
    """
    archive = Archive(content)
    entries = [entry for entry in archive.entries if not entry.is_dir()]
    _check_number(len(entries))
    for entry in entries:  # not by their names: several files may have one
        name = archive.show_name(entry)
        yield InnerFile(name, partial(archive.read_entry, entry, name))


def iter_tar(content: bytes, stem: str) -> Iterator[InnerFile]:
    """Yield the files of a tar archive, packed or not, or the one file that is packed alone.

    Raises:
        Unreadable: it is damaged or too large.
    """
    stream = _LimitedStream(_open_packed(content), len(content))
    is_packed = not _is_tar(content[:512])
    try:
        head = stream.peek_head()
        if is_packed and not _is_tar(head):
            yield InnerFile(stem, partial(_read_whole, stream))
            return
        with tarfile.open(fileobj=cast(IO[bytes], stream), mode="r|") as archive:
            for number, member in enumerate(archive, 1):
                _check_number(number)
                if member.isfile():
                    yield InnerFile(member.name, partial(_load_member, archive, member))
        if is_packed:
            _read_to_checksum(stream)
    except _TAR_ERRORS as error:
        raise _build_refusal(error) from error


def iter_7z(content: bytes, is_wanted: Callable[[str], bool]) -> Iterator[InnerFile]:
    """Yield the wanted files of a 7z archive, which are unpacked together.

    Raises:
        Unreadable: it is damaged, locked or too large.
    """
    import py7zr
    from py7zr.exceptions import ArchiveError, PasswordRequired

    try:
        with py7zr.SevenZipFile(io.BytesIO(content)) as archive:
            if archive.needs_password():
                raise Unreadable("it is locked by a password.", "Save a copy without password.")
            entries = [entry for entry in archive.list() if not entry.is_directory]
            _check_number(len(entries))
            wanted = [entry for entry in entries if is_wanted(entry.filename)]
            total = sum(entry.uncompressed for entry in entries)  # a block is unpacked whole
            if total > MAX_7Z_BYTES or (total > _SMALL and total > MAX_ZIP_RATIO * len(content)):
                raise Unreadable("it would unpack to far too much data.", _UNPACK)
            products = _Products(partial(py7zr.io.Py7zBytesIO, limit=MAX_7Z_BYTES))
            factory = cast(py7zr.io.WriterFactory, products)
            archive.extract(targets=[entry.filename for entry in wanted], factory=factory)
    except PasswordRequired as error:
        raise Unreadable("it is locked by a password.", "Save a copy without password.") from error
    except (AppError, MemoryError):
        raise
    except (ArchiveError, *_7Z_ERRORS) as error:
        raise Unreadable("its archive is broken.", _BROKEN_HINT) from error
    is_target = {entry.filename for entry in wanted}
    n_before: Counter[str] = Counter()  # files of a name, by the name in the archive
    n_made: Counter[str] = Counter()  # and by the name that py7zr gives them
    for entry in entries:
        name = entry.filename
        if name in is_target:
            if n_before[name]:  # py7zr numbers the further files of a name
                name = f"{name}_{n_before[name] - 1}"
            n_before[entry.filename] += 1
        key = PurePosixPath(name).as_posix()
        yield InnerFile(entry.filename, partial(products.take, key, n_made[key]))
        n_made[key] += 1


class _Products:
    """Files that py7zr unpacked, by the names that it gives them.

    The factory that comes with py7zr keeps only the last of several files with one name.
    """

    def __init__(self, make: Callable[[str], Any]) -> None:
        self._make = make
        self._made: dict[str, list[Any]] = {}

    def create(self, filename: str) -> Any:
        """Return where py7zr writes the next file of this name."""
        product = self._make(filename)
        self._made.setdefault(filename, []).append(product)
        return product

    def take(self, name: str, number: int) -> bytes:
        """Return the bytes of one of the files of a name, from 0, and keep them no longer."""
        made = self._made.get(name, ())
        product = made[number] if number < len(made) else None
        if product is None:
            raise Unreadable("its archive is broken.", _BROKEN_HINT)
        self._made[name][number] = None
        product.seek(0)
        return bytes(product.read())


def _check_number(n_files: int) -> None:
    if n_files > MAX_FILES:
        raise RefusedArchive("it has more than {n:,} files.", _UNPACK, n=MAX_FILES)


def _is_tar(head: bytes) -> bool:
    return head[257:262] == b"ustar"


def _open_packed(content: bytes) -> Any:
    stream = io.BytesIO(content)
    if content.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=stream)
    if content.startswith(b"BZh"):
        return bz2.BZ2File(stream)
    return lzma.LZMAFile(stream) if content.startswith(b"\xfd7zXZ") else stream


def _read_to_checksum(stream: _LimitedStream) -> None:
    """Read the rest, at whose end the checksum of all that was unpacked is compared.

    tarfile stops before: altered files would be read with wrong text. What follows the packed data
    is ignored, as gzip does.

    Raises:
        OSError, EOFError: the data is not what was packed.
    """
    try:
        while stream.read(1 << 16):
            pass
    except gzip.BadGzipFile as error:
        if not str(error).startswith("Not a gzipped file"):  # the header of a second part
            raise


def _load_member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    try:
        file = archive.extractfile(member)
        return file.read() if file is not None else b""
    except _TAR_ERRORS as error:
        raise _build_refusal(error) from error


def _build_refusal(error: Exception) -> Unreadable:
    """Return what is raised for an error of tarfile or of what unpacks."""
    if isinstance(error, _ALTERED):
        return RefusedArchive("its archive was altered: its files may be wrong.", _BROKEN_HINT)
    return Unreadable("its archive is broken.", _BROKEN_HINT)


def _read_whole(stream: _LimitedStream) -> bytes:
    try:
        return stream.read(MAX_UNZIPPED_BYTES)
    except _TAR_ERRORS as error:
        raise Unreadable("its archive is broken.", _BROKEN_HINT) from error


class _LimitedStream:
    """A stream that unpacks no more than is reasonable.

    Args:
        packed_bytes: size of what is unpacked.
    """

    def __init__(self, stream: IO[bytes], packed_bytes: int) -> None:
        self._stream, self._head = stream, b""
        self._left = MAX_UNZIPPED_BYTES
        if packed_bytes * MAX_ZIP_RATIO < MAX_UNZIPPED_BYTES:
            self._left = max(_SMALL, packed_bytes * MAX_ZIP_RATIO)

    def peek_head(self) -> bytes:
        self._head = self._stream.read(512)
        return self._head

    def read(self, n_bytes: int = -1) -> bytes:
        n_bytes = self._left + 1 if n_bytes < 0 else min(n_bytes, self._left + 1)
        piece, self._head = self._head[:n_bytes], self._head[n_bytes:]
        piece += self._stream.read(n_bytes - len(piece))
        self._left -= len(piece)
        if self._left < 0:
            raise RefusedArchive("it would unpack to far too much data.", "Don't trust this file.")
        return piece
