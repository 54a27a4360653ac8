"""A full disk: no document fails for it, the work goes on later, and deleting works.

The disk is a file system of SQLite that refuses to let the files of a folder grow too large.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from desktop_app.engine.errors import DiskFull
from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.watched_folders import FolderWatcher
from desktop_app.engine.store import connection
from desktop_app.engine.store.disk_reserve import (
    MIN_LIBRARY_BYTES,
    ensure_reserve,
    release_reserve,
    reserve_path,
)
from desktop_app.engine.store.documents import add_waiting
from tests.unit.services.test_indexing import STORY
from tests.unit.services.test_watched_folders import write_settled

UNLIMITED = 1 << 60


class Usage(NamedTuple):
    """What the system says of a disk."""

    total: int
    used: int
    free: int


class SmallDisk(apsw.VFS):
    """Raises "disk full" where a write would make the files of a folder larger than `capacity`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.capacity = folder, UNLIMITED
        self.base = connection.load_checksum_vfs() or ""
        super().__init__("small disk", self.base)

    @property
    def used(self) -> int:
        return sum(file.stat().st_size for file in self.folder.iterdir() if file.is_file())

    def fill(self) -> None:
        self.capacity = self.used

    def xOpen(self, name, flags):
        return SmallDiskFile(self, name, flags)


class SmallDiskFile(apsw.VFSFile):
    def __init__(self, disk: SmallDisk, name, flags) -> None:
        super().__init__(disk.base, name, flags)
        self._disk = disk

    def xWrite(self, data, offset) -> None:
        growth = offset + len(data) - self.xFileSize()
        if growth > 0 and self._disk.used + growth > self._disk.capacity:
            raise apsw.FullError("no room on the small disk")
        super().xWrite(data, offset)


@pytest.fixture
def disk(tmp_path, monkeypatch) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    made = SmallDisk(folder)
    monkeypatch.setattr(connection, "load_checksum_vfs", lambda: "small disk")
    yield made
    made.unregister()


@pytest.fixture
def library(disk) -> Iterator[Library]:
    made = Library(disk.folder / "small.inkgraph")
    yield made
    disk.capacity = UNLIMITED
    made.close()


@pytest.fixture
def files(tmp_path) -> list[Path]:
    paths = [tmp_path / f"{number}.txt" for number in range(4)]
    for number, path in enumerate(paths):
        path.write_text(f"Story {number}. " + STORY * 4)
    return paths


def index(library: Library) -> None:
    IndexingService(library.writer, lambda: None).run(embed=False)


def states(library: Library) -> list[str]:
    return [row.state for row in LibraryReader(library.writer).list_documents()]


@pytest.mark.parametrize("room", [0, 20_000, 60_000])
def test_no_document_fails_because_the_disk_is_full(library, disk, files, room):
    add_files(library.writer, files)
    disk.capacity = disk.used + room
    for _ in range(3):  # more often than a document may end the program
        with pytest.raises(DiskFull):
            index(library)
        assert "failed" not in states(library)
    disk.capacity = UNLIMITED
    index(library)
    assert states(library) == ["ready"] * 4
    assert library.writer.integrity_problems() == []


def test_a_changed_file_on_a_full_disk_keeps_the_old_text(library, disk, files):
    add_files(library.writer, files[:1])
    index(library)
    before = files[0].read_text()
    files[0].write_text(STORY * 20)
    add_files(library.writer, files[:1])
    disk.fill()
    with pytest.raises(DiskFull):
        index(library)
    [row] = LibraryReader(library.writer).list_documents()
    assert row.state in ("ready", "indexing")
    assert LibraryReader(library.writer).fetch_text(row.id) in (before, STORY * 20)
    disk.capacity = UNLIMITED
    index(library)
    assert LibraryReader(library.writer).fetch_text(row.id) == STORY * 20


def test_files_refused_for_a_full_disk_are_added_by_a_later_scan(library, disk, tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    write_settled(folder / "a.txt", STORY * 100)
    watching = FolderWatcher(library.writer)
    watching.watch(folder)
    disk.fill()
    assert "disk is full" in str(watching.scan().added.refused)
    assert watching.scan().added.refused == {}  # reported once
    disk.capacity = UNLIMITED
    assert len(watching.scan().added.documents) == 1


def test_deleting_on_a_full_disk_uses_the_reserve(library, disk, files):
    add_files(library.writer, files)
    index(library)
    reserve_path(library.path).write_bytes(bytes(2_000_000))
    library.writer.checkpoint()  # its room would be used again
    disk.fill()
    work = DocumentService(library.writer)
    first, second, *_ = (row.id for row in LibraryReader(library.writer).list_documents())
    with pytest.raises(DiskFull, match="Delete documents permanently"):
        work.trash_documents([first])
    work.delete_documents([first])
    assert states(library) == ["ready"] * 3
    assert not reserve_path(library.path).exists()
    library.writer.checkpoint()
    disk.fill()
    with pytest.raises(DiskFull, match="make room on the disk"):
        work.delete_documents([second])
    assert states(library) == ["ready"] * 3
    disk.capacity = UNLIMITED
    assert library.writer.integrity_problems() == []


def test_a_library_on_a_full_disk_is_opened_with_the_reserve(library, disk, files):
    add_files(library.writer, files)
    index(library)
    library.close()
    reserve_path(library.path).write_bytes(bytes(2_000_000))
    disk.fill()
    again = Library(library.path)
    try:
        first = LibraryReader(again.writer).list_documents()[0]
        DocumentService(again.writer).delete_documents([first.id])
        assert states(again) == ["ready"] * 3
    finally:
        again.close()


def test_a_used_reserve_is_made_again_when_the_library_is_closed(tmp_path, monkeypatch):
    library = Library(tmp_path / "a.inkgraph")
    with library.writer.transaction():
        content = BytesContent(bytes(MIN_LIBRARY_BYTES))
        add_waiting(
            library.writer, title="A", file_name="a", source_path="", content=content, sha256="a"
        )
    library.close()
    assert reserve_path(library.path).exists()
    again = Library(library.path)
    n_bytes = reserve_path(library.path).stat().st_size
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10 * n_bytes, 9 * n_bytes, n_bytes))
    assert release_reserve(library.path)
    again.close()
    assert reserve_path(library.path).stat().st_size == n_bytes
    release_reserve(library.path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10 * n_bytes, 10 * n_bytes, 0))
    ensure_reserve(library.path)
    assert not reserve_path(library.path).exists()


def test_only_a_library_of_some_size_has_a_reserve(tmp_path):
    path = tmp_path / "a.inkgraph"
    path.write_bytes(bytes(MIN_LIBRARY_BYTES - 2))
    ensure_reserve(path)
    assert not release_reserve(path)
    path.write_bytes(bytes(MIN_LIBRARY_BYTES))
    ensure_reserve(path)
    assert reserve_path(path).stat().st_size == MIN_LIBRARY_BYTES // 2
    assert release_reserve(path) and list(tmp_path.iterdir()) == [path]
