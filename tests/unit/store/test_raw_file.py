"""Bytes of a library are read without ending the locks that SQLite holds on it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.engine.store import encryption, library_file
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.raw_file import open_database_file

# Whether another process could have the library for itself, as the last one that closes it needs.
TRY_ALONE = """
import sys
import apsw
connection = apsw.Connection(sys.argv[1])
connection.set_busy_timeout(0)
connection.pragma("locking_mode", "exclusive")
try:
    connection.execute("BEGIN EXCLUSIVE; COMMIT")
    connection.pragma("journal_mode", "delete")
    print("alone")
except apsw.BusyError:
    print("shared")
"""


PEEK = """
import sqlite3
import sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT count(*) FROM model_cache").fetchone()[0])
connection.close()
"""


def fill(db: Db, start: int) -> None:
    """Write a hundred rows of a page each."""
    with db.transaction():
        for number in range(start, start + 100):
            row = f"key {number}", os.urandom(2000).hex()
            db.write("INSERT INTO model_cache VALUES (?, ?, 0)", row)


def find_who_has_it(path: Path) -> str:
    run = [sys.executable, "-c", TRY_ALONE, str(path)]
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip()


def read_all(path: Path) -> bytes:
    with open_database_file(path) as file:
        return file.read()


@pytest.mark.parametrize(
    "look",
    [
        read_all,
        encryption.read_salt,
        encryption.is_plain_library,
        library_file.read_header,
        library_file.describe_file_damage,
        library_file.find_damaged_pages,
        lambda path: Db(path, read_only=True).close(),
    ],
)
def test_looking_at_an_open_library_leaves_it_locked(
    tmp_library_path: Path, look: Callable[[Path], object]
):
    db = Db(tmp_library_path)
    db.value("SELECT count(*) FROM document")
    assert find_who_has_it(tmp_library_path) == "shared"
    look(tmp_library_path)
    assert find_who_has_it(tmp_library_path) == "shared"
    db.close()
    assert find_who_has_it(tmp_library_path) == "alone"


@pytest.mark.skipif(sys.platform == "win32", reason="each handle has its own locks there")
def test_another_sqlite_that_reads_while_a_library_is_written_damages_nothing(
    tmp_library_path: Path,
):
    """Python's SQLite closed as the last one: it moved the log into the file without checksums."""
    db = Db(tmp_library_path)
    fill(db, 0)
    second = Db(tmp_library_path, read_only=True)  # looks at the file before it opens it
    fill(db, 100)
    peek = [sys.executable, "-c", PEEK, str(tmp_library_path)]
    shown = subprocess.run(peek, capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "200"
    assert tmp_library_path.with_name(f"{tmp_library_path.name}-wal").exists()
    fill(db, 200)
    second.close()
    db.close()
    assert library_file.find_damaged_pages(tmp_library_path) == []


def test_a_library_is_opened_through_a_symbolic_link(tmp_library_path: Path):
    """SQLite follows links; its layer alone does not."""
    Db(tmp_library_path).close()
    link = tmp_library_path.with_name("link.inkgraph")
    link.symlink_to(tmp_library_path)
    db = Db(link)
    assert db.is_writable and library_file.read_header(link) is not None
    db.close()


def test_the_bytes_are_those_of_the_file(tmp_path: Path):
    content = os.urandom(10_000) + b"\0" * 9_000  # SQLite's layer leaves zeros at the end out
    (tmp_path / "some.bin").write_bytes(content)
    assert read_all(tmp_path / "some.bin") == content
    with open_database_file(tmp_path / "some.bin") as file:
        assert file.seek(-9_005, io.SEEK_END) == len(content) - 9_005
        assert file.read(10) == content[-9_005:-8_995]
        assert file.seek(20_000) and file.read(5) == b""
        assert file.seek(0) == 0 and file.read(3) == content[:3]


@pytest.mark.parametrize("name", ["nowhere.inkgraph", "."])
def test_what_can_not_be_read_is_an_error_of_the_system(tmp_path: Path, name: str):
    with pytest.raises(OSError):
        open_database_file(tmp_path / name)
