"""Tests the file of a library: backup, compaction, counting files before adding."""

from __future__ import annotations

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.library import (
    Library,
    compact,
    measure_files,
    restore_backup,
    write_backup,
)
from tests.small_library import TEXT, add, row_of


@pytest.fixture
def work(library) -> DocumentService:
    return DocumentService(library.writer)


def test_a_backup_is_a_library_of_its_own(library, tmp_path):
    document_id = add(library, tmp_path)
    backup = tmp_path / "copy.inkgraph"
    assert write_backup(library.path, backup) > 0
    restored = restore_backup(backup, tmp_path / "again.inkgraph")
    other = Library(restored)
    assert row_of(other, document_id).title == "clocks"
    other.close()
    with pytest.raises(UserError):
        restore_backup(backup, restored)
    with pytest.raises(UserError):
        write_backup(library.path, library.path)


def test_opening_a_file_that_is_no_backup_creates_nothing(tmp_path):
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Sir, " * 500)
    with pytest.raises(UserError):
        restore_backup(letter, tmp_path / "new.inkgraph")
    assert not (tmp_path / "new.inkgraph").exists()


def test_compacting_frees_space(library, work, tmp_path):
    document_id = add(library, tmp_path, text=TEXT * 300)
    work.delete_documents([document_id])
    before, after = compact(library.writer)
    assert after < before
    assert library.writer.integrity_problems() == []


def test_files_are_counted_before_they_are_added(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("12345")
    (tmp_path / "in" / "b.mp3").write_text("12345")
    (tmp_path / "c.pdf").write_text("123")
    found = measure_files([tmp_path / "in", tmp_path / "c.pdf", tmp_path / "none.txt"])
    assert (found.n_files, found.n_bytes) == (2, 8)
