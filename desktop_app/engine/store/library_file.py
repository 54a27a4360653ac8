"""What can be seen of a library file without SQLite: its header, its size, page checksums.

The checksums are those of SQLite's `cksumvfs`, which reserves eight bytes at the end of each page
and verifies them on every read. Here all pages are verified at once, at 3 to 4 GB/s.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..messages import Message
from .raw_file import open_database_file

MAGIC = b"SQLite format 3\0"
HEADER_BYTES = 100
MIN_BYTES = 512  # the smallest page; SQLite takes a shorter file for an empty one
CHECKSUM_BYTES = 8  # reserved at the end of each page
LOCK_BYTE = 1 << 30  # the page at this offset is never written
WAL_HEADER_BYTES, WAL_FRAME_BYTES = 32, 24
HEADER_DAMAGED = Message("its header is damaged")
_BLOCK_PAGES = 1024
_SAMPLE_PAGES = 256
N_LOOKS_AGAIN = 2


@dataclass(frozen=True, slots=True)
class FileHeader:
    """The first page of a SQLite file, as far as it concerns damage."""

    page_size: int
    n_pages: int
    reserved_bytes: int

    @property
    def n_bytes(self) -> int:
        return self.n_pages * self.page_size

    @property
    def has_checksums(self) -> bool:
        return self.reserved_bytes == CHECKSUM_BYTES


def read_header(path: Path) -> FileHeader | None:
    """Return the header of a SQLite file; None if the file does not begin with one."""
    with open_database_file(path) as file:
        start = file.read(HEADER_BYTES)
    if len(start) < HEADER_BYTES or not start.startswith(MAGIC):
        return None
    page_size = int.from_bytes(start[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    if page_size < 512 or page_size & (page_size - 1):
        return None
    return FileHeader(page_size, int.from_bytes(start[28:32], "big"), start[20])


def describe_file_damage(path: Path) -> Message | None:
    """Return how a file differs from a complete SQLite file; None if it looks complete.

    Reads the header and a few pages only.
    """
    size = path.stat().st_size
    if size == 0:
        return Message("it is empty (0 bytes)")
    header = read_header(path)
    if header is None:
        if size >= 2 * 4096 and _has_checksummed_pages(path):
            return Message("its beginning was overwritten")
        if _begins_with_header(path) and size < MIN_BYTES:
            return Message("only the first {n:,} bytes are there", n=size)
        return HEADER_DAMAGED if _begins_with_header(path) else None
    if not header.has_checksums and _has_checksummed_pages(path):
        return HEADER_DAMAGED
    if size < header.n_bytes and not _find_wal_pages(path, header.page_size):
        header = read_header(path) or header  # another connection may have changed its size
        size = path.stat().st_size
        if size < header.n_bytes and not _find_wal_pages(path, header.page_size):
            return Message(
                "only {n:,} of its {total:,} bytes are there", n=size, total=header.n_bytes
            )
    return None


def _begins_with_header(path: Path) -> bool:
    with open_database_file(path) as file:
        return MAGIC.startswith(file.read(len(MAGIC)))


def _has_checksummed_pages(path: Path, page_size: int = 4096) -> bool:
    """Return whether most pages after the first one end with their checksum."""
    with open_database_file(path) as file:
        file.seek(page_size)
        block = file.read(page_size * _SAMPLE_PAGES)
    words = _to_words(block, page_size)
    used = words[words.any(axis=1)]
    return len(used) > 0 and int(_is_sound(used).sum()) * 2 > len(used)


def find_damaged_pages(
    path: Path,
    *,
    on_block: Callable[[int, int], None] = lambda done, total: None,
) -> list[int]:
    """Return the numbers (from 1) of the pages that do not fit their checksum.

    Pages that the write-ahead log replaces are left out: a checkpoint that was interrupted may
    have written half of them. A file without page checksums has no such pages.

    Args:
        on_block: called with the pages done and all pages; what it raises ends the search.
    """
    header = read_header(path)
    if header is None or not header.has_checksums:
        return []
    total = path.stat().st_size // header.page_size
    found: list[int] = []
    done = 0
    with open_database_file(path) as file:
        while block := file.read(header.page_size * _BLOCK_PAGES):
            words = _to_words(block, header.page_size)
            found += (np.flatnonzero(~_is_sound(words)) + done + 1).tolist()
            done += len(words)
            on_block(done, total)
    lock_page = LOCK_BYTE // header.page_size + 1
    found = [page for page in found if page != lock_page]
    # Another connection may have written a page while it was read, or a newer version of it into
    # the log after that was read: only what is damaged each time counts.
    for _ in range(N_LOOKS_AGAIN if found else 0):
        replaced = _find_wal_pages(path, header.page_size)
        found = list(_iter_still_damaged(path, header.page_size, found, replaced))
    return found


def write_checksums(path: Path) -> None:
    """Write the checksum of every page of a closed file whose header reserves room for them."""
    header = read_header(path)
    if header is None or not header.has_checksums:
        raise ValueError(f"{path.name} has no room for checksums")
    lock_page = LOCK_BYTE // header.page_size
    n_done = 0
    with path.open("rb+") as file:
        while block := file.read(header.page_size * _BLOCK_PAGES):
            words = _to_words(block, header.page_size).copy()
            first, second = _compute_sums(words)
            kept = np.arange(len(words)) + n_done != lock_page
            words[kept, -2], words[kept, -1] = first[kept], second[kept]
            file.seek(-len(block), os.SEEK_CUR)
            file.write(words.tobytes())
            n_done += len(words)
        file.flush()
        os.fsync(file.fileno())


def _iter_still_damaged(
    path: Path, page_size: int, pages: Iterable[int], replaced: set[int]
) -> Iterator[int]:
    with open_database_file(path) as file:
        for page in pages:
            if page in replaced:
                continue
            file.seek((page - 1) * page_size)
            words = _to_words(file.read(page_size), page_size)
            if len(words) and not _is_sound(words).all():
                yield page


def _find_wal_pages(path: Path, page_size: int) -> set[int]:
    """Return the pages in the write-ahead log that belong to its current generation."""
    wal = path.with_name(path.name + "-wal")
    found: set[int] = set()
    try:
        with wal.open("rb") as file:
            salts = file.read(WAL_HEADER_BYTES)[16:24]
            while len(frame := file.read(WAL_FRAME_BYTES)) == WAL_FRAME_BYTES:
                if frame[8:16] != salts:
                    break
                found.add(int.from_bytes(frame[:4], "big"))
                file.seek(page_size, os.SEEK_CUR)
    except OSError:
        return set()
    return found


def _to_words(block: bytes, page_size: int) -> np.ndarray:
    """Return the complete pages of a block, uint32, shape (N, page_size / 4)."""
    n_pages = len(block) // page_size
    words = np.frombuffer(block, dtype="<u4", count=n_pages * page_size // 4)
    return words.reshape(n_pages, page_size // 4)


def _is_sound(words: np.ndarray) -> np.ndarray:
    """Return for each page whether it fits its checksum, bool, shape (N,)."""
    first, second = _compute_sums(words)
    fits: np.ndarray = (first == words[:, -2]) & (second == words[:, -1])
    return fits


def _compute_sums(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return both sums of each page, uint32, shape (N,); its last two words do not count."""
    first, second = _checksum_factors(words.shape[1])
    return np.einsum("ij,j->i", words, first), np.einsum("ij,j->i", words, second)


@lru_cache(maxsize=2)
def _checksum_factors(n_words: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the factors of each word in the two sums of cksumvfs, uint32, shape (n_words,).

    cksumvfs adds pairs of words: `s1 += w0 + s2; s2 += w1 + s1`, modulo 2**32. Both sums are
    linear in the words, so that a page is verified by two products.
    """
    first, second = np.zeros(n_words, np.uint32), np.zeros(n_words, np.uint32)
    of_even, of_odd = (1, 1), (0, 1)
    for i in range(n_words - 4, -1, -2):
        first[i], second[i] = of_even
        first[i + 1], second[i + 1] = of_odd
        of_even, of_odd = _advance(of_even), _advance(of_odd)
    return first, second


def _advance(sums: tuple[int, int]) -> tuple[int, int]:
    return (sums[0] + sums[1]) % 2**32, (sums[0] + 2 * sums[1]) % 2**32
