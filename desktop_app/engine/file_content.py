"""The bytes of a file, piece by piece, so that a large one is never whole in memory.

Files on the disk (`engine/services/document_import.py`) and in a library
(`engine/store/file_content.py`) are read this way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Protocol

PIECE_BYTES = 4 * 1024 * 1024  # of a file that are in memory at a time


class FileContent(Protocol):
    """A file of known size; its pieces can be read several times."""

    @property
    def size(self) -> int: ...

    def iter_pieces(self) -> Iterator[bytes]: ...


@dataclass(frozen=True, slots=True)
class BytesContent:
    """Bytes that are in memory anyway."""

    content: bytes

    @property
    def size(self) -> int:
        return len(self.content)

    def iter_pieces(self) -> Iterator[bytes]:
        yield self.content


@dataclass(frozen=True, slots=True)
class OpenFile:
    """An open file, from its start to the size that the system named when it was opened."""

    file: IO[bytes]
    size: int

    def iter_pieces(self) -> Iterator[bytes]:
        self.file.seek(0)
        left = self.size
        while left and (piece := self.file.read(min(left, PIECE_BYTES))):
            left -= len(piece)
            yield piece


@dataclass(frozen=True, slots=True)
class FilePart:
    """A part of an open file: `size` bytes from `start` on."""

    file: IO[bytes]
    start: int
    size: int

    def iter_pieces(self) -> Iterator[bytes]:
        self.file.seek(self.start)
        left = self.size
        while left and (piece := self.file.read(min(left, PIECE_BYTES))):
            left -= len(piece)
            yield piece


@dataclass(frozen=True, slots=True)
class JoinedContent:
    """Contents one after another."""

    parts: tuple[FileContent, ...]

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    def iter_pieces(self) -> Iterator[bytes]:
        for part in self.parts:
            yield from part.iter_pieces()


class ContentChanged(Exception):
    """A file has other bytes than before."""


@dataclass(frozen=True, slots=True)
class VerifiedContent:
    """A file that must still have the bytes of a digest.

    `iter_pieces` raises ContentChanged at its end if it does not.
    """

    content: FileContent
    sha256: str

    @property
    def size(self) -> int:
        return self.content.size

    def iter_pieces(self) -> Iterator[bytes]:
        digest = hashlib.sha256()
        left = self.size
        for piece in self.content.iter_pieces():
            digest.update(piece)
            left -= len(piece)
            yield piece
        if left or digest.hexdigest() != self.sha256:
            raise ContentChanged


def load_bytes(content: FileContent) -> bytes:
    """Return a whole file, for what can't take it in pieces."""
    return b"".join(content.iter_pieces())


def hash_content(content: FileContent) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    for piece in content.iter_pieces():
        digest.update(piece)
    return digest.hexdigest()


def has_bytes(content: FileContent, wanted: bytes) -> bool:
    """Return whether a file has these bytes somewhere."""
    end = b""
    for piece in content.iter_pieces():
        if wanted in piece or wanted in end + piece[: len(wanted)]:
            return True
        end = piece[-len(wanted) :]
    return False
