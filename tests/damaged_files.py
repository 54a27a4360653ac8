"""Damages copies of a library file, for tests."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from pathlib import Path

PAGE = 4096


def copy_library(source: Path, target: Path) -> Path:
    """Copy a closed library."""
    shutil.copyfile(source, target)
    return target


def compute_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def flip_bit(path: Path, offset: int, bit: int = 2) -> None:
    with path.open("rb+") as file:
        file.seek(offset)
        [byte] = file.read(1)
        file.seek(offset)
        file.write(bytes([byte ^ (1 << bit)]))


def wreck_page(path: Path, page: int) -> None:
    """Overwrite a page (numbers start at 1)."""
    with path.open("rb+") as file:
        file.seek((page - 1) * PAGE)
        file.write(bytes((i * 73 + 11) % 256 for i in range(PAGE)))


def cut(path: Path, size: int) -> None:
    with path.open("rb+") as file:
        file.truncate(size)


def find_page_of(path: Path, text: str) -> int:
    """Return the number of the first page that contains a text."""
    return path.read_bytes().index(text.encode()) // PAGE + 1


def find_root_page(path: Path, name: str) -> int:
    """Return the root page of a table or index."""
    connection = sqlite3.connect(path)
    [(page,)] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,))
    connection.close()
    return int(page)
