"""Tests that damage of a library file is found, reported, and never written to."""

from __future__ import annotations

import logging
import shutil

import pytest

from desktop_app.engine.errors import DamagedLibrary, UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import connection, curation, db
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.library_file import find_damaged_pages, read_header
from tests.damaged_files import (
    PAGE,
    compute_hash,
    copy_library,
    cut,
    find_page_of,
    find_root_page,
    flip_bit,
    wreck_page,
)
from tests.small_library import TEXT, add

LONG_TEXT = TEXT * 200


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Return the file of a closed library with two documents."""
    folder = tmp_path_factory.mktemp("sound")
    library = Library(folder / "sound.inkgraph")
    add(library, folder)
    add(library, folder, "long.txt", LONG_TEXT)
    library.close()
    return library.path


@pytest.fixture
def path(sound, tmp_path):
    return copy_library(sound, tmp_path / "books.inkgraph")


def add_no_checksums(patch: pytest.MonkeyPatch) -> None:
    """Make libraries as versions without page checksums did."""
    for module in (connection, db):
        patch.setattr(module, "load_checksum_vfs", lambda: None)


@pytest.fixture
def old(tmp_path):
    """Return the file of a library without page checksums."""
    with pytest.MonkeyPatch.context() as patch:
        add_no_checksums(patch)
        library = Library(tmp_path / "old.inkgraph")
        add(library, tmp_path, "old.txt", LONG_TEXT)
        library.close()
    return library.path


def edit(db: Db) -> None:
    with db.edit(Message("Merge 2 names")):
        curation.add_merged(db, "Tobias Quill", "Ada Merrow")


def assert_refuses_changes(library: Library) -> None:
    assert not library.writer.is_writable
    with pytest.raises(DamagedLibrary, match="Nothing was changed") as caught:
        edit(library.writer)
    assert caught.value.is_refusal and caught.value.exit_code == 2


def test_a_new_library_has_page_checksums(sound):
    header = read_header(sound)
    assert header.has_checksums
    assert header.n_pages * header.page_size == sound.stat().st_size
    assert find_damaged_pages(sound) == []


def test_every_flipped_bit_is_found(sound, tmp_path):
    size = sound.stat().st_size
    for offset in range(PAGE + 5, size, size // 40):
        path = copy_library(sound, tmp_path / f"{offset}.inkgraph")
        flip_bit(path, offset)
        assert find_damaged_pages(path) == [offset // PAGE + 1]


def test_a_damaged_library_can_be_read_and_is_not_changed(path):
    flip_bit(path, (find_page_of(path, LONG_TEXT[:400]) - 1) * PAGE + 700)
    before = compute_hash(path)
    library = Library(path)
    assert library.damage.found == "1 page does not fit its checksum"
    assert library.writer.value("SELECT count(*) FROM document") == 2
    with pytest.raises(DamagedLibrary, match="can't be read, because it is damaged"):
        library.reader().rows("SELECT content FROM original")
    assert_refuses_changes(library)
    library.close()
    assert compute_hash(path) == before


def test_damage_met_while_reading_ends_all_changes(path):
    library = Library(path)
    edit(library.writer)  # stays in the write-ahead log
    reader, heard = library.reader(), []
    library.damage.listener = heard.append
    page = find_page_of(path, LONG_TEXT[:400])
    for number in range(page, page + 2):
        flip_bit(path, (number - 1) * PAGE + 700)
    before = compute_hash(path)
    with pytest.raises(DamagedLibrary):
        reader.rows("SELECT text FROM document_text")
    with pytest.raises(DamagedLibrary):
        reader.rows("SELECT text FROM document_text")
    assert heard == ["a page does not fit its checksum"]
    assert_refuses_changes(library)
    library.close()
    assert compute_hash(path) == before


def test_damage_met_during_a_change_undoes_it(path):
    library = Library(path)
    for number in range(find_page_of(path, LONG_TEXT[:400]), path.stat().st_size // PAGE):
        flip_bit(path, (number - 1) * PAGE + 700)
    before = compute_hash(path)
    with pytest.raises(DamagedLibrary), library.writer.transaction():
        library.writer.write("INSERT INTO setting VALUES ('a', 'b')")
        library.writer.rows("SELECT text FROM document_text")
    assert_refuses_changes(library)
    library.close()
    assert compute_hash(path) == before


def test_damage_is_known_to_the_next_process_until_the_file_is_replaced(sound, path, monkeypatch):
    monkeypatch.setattr("desktop_app.engine.store.db.MAX_VERIFIED_AT_OPENING", 0)
    flip_bit(path, (find_page_of(path, LONG_TEXT[:400]) - 1) * PAGE + 700)
    library = Library(path)
    with pytest.raises(DamagedLibrary):
        library.writer.rows("SELECT content FROM original")
    library.close()
    again = Library(path)
    assert_refuses_changes(again)
    again.close()
    copy_library(sound, path)
    restored = Library(path)
    edit(restored.writer)
    restored.close()
    assert list(path.parent.glob("*.damage")) == []


def test_a_page_that_the_write_ahead_log_replaces_is_no_damage(path, tmp_path):
    page = find_root_page(path, "merged")
    library = Library(path)
    edit(library.writer)
    log = path.with_name(path.name + "-wal").read_bytes()
    killed = copy_library(path, tmp_path / "killed.inkgraph")
    library.close()
    killed.with_name(killed.name + "-wal").write_bytes(log)
    wreck_page(killed, page)  # as a checkpoint that was interrupted does
    again = Library(killed)
    assert again.writer.is_writable
    assert curation.fetch_merged(again.writer) == [("Tobias Quill", "Ada Merrow")]
    again.close()


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (0, "is empty"),
        (1, "only the first 1 bytes are there"),
        (50, "only the first 50 bytes are there"),
        (2048, "only 2,048 of its"),
        (5 * PAGE, "only 20,480 of its"),
        (9 * PAGE + 77, "only 36,941 of its"),
    ],
)
def test_a_truncated_library_is_refused(path, size, expected):
    cut(path, size)
    before = compute_hash(path)
    for create in (True, False):
        with pytest.raises(DamagedLibrary, match=expected):
            Library(path, create=create)
    assert compute_hash(path) == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_every_damage_of_the_header_is_reported(sound, tmp_path):
    for offset in range(100):
        path = copy_library(sound, tmp_path / f"{offset}.inkgraph")
        flip_bit(path, offset, bit=offset % 8)
        before = compute_hash(path)
        with pytest.raises(DamagedLibrary):
            Library(path)
        assert compute_hash(path) == before


def test_an_overwritten_beginning_is_damage_and_another_file_is_no_library(path, tmp_path):
    wreck_page(path, 1)
    with pytest.raises(DamagedLibrary, match="its beginning was overwritten"):
        Library(path)
    letter = tmp_path / "letter.inkgraph"
    for content in ("Dear Sir, " * 5000, "Dear Sir"):
        letter.write_text(content)
        with pytest.raises(UserError, match="is not an Inkgraph library"):
            Library(letter)
        assert letter.read_text() == content


def test_a_library_without_checksums_gets_them(old):
    assert not read_header(old).has_checksums
    library = Library(old)
    assert library.writer.value("SELECT count(*) FROM document") == 1
    library.close()
    assert read_header(old).has_checksums
    assert find_damaged_pages(old) == []


def test_a_library_larger_than_the_page_cache_gets_checksums_everywhere(old, tmp_path):
    """A VACUUM writes the first page last then, and cksumvfs computes no checksums until then."""
    with pytest.MonkeyPatch.context() as patch:
        add_no_checksums(patch)
        library = Library(old)
        with library.writer.transaction():
            library.writer.write("UPDATE original SET content = zeroblob(90000000)")
            library.writer.write(
                "INSERT INTO setting SELECT 'more', hex(randomblob(4000000))",
            )
        library.close()
    library = Library(old)
    assert read_header(old).has_checksums
    assert find_damaged_pages(old) == []
    library.writer.compact()
    assert library.writer.integrity_problems() == []
    library.close()
    assert find_damaged_pages(old) == []
    assert [path.name for path in old.parent.iterdir() if ".new" in path.name] == []


def test_why_a_library_gets_no_checksums_is_logged(old, monkeypatch, caplog):
    caplog.set_level(logging.INFO)
    usage = shutil.disk_usage(old.parent)
    with monkeypatch.context() as patch:
        patch.setattr(connection.shutil, "disk_usage", lambda _: usage._replace(free=1_000))
        Library(old).close()
    assert "no page checksums: the disk has no room for a copy" in caplog.text
    assert "too large" not in caplog.text
    monkeypatch.setattr(connection, "MAX_CHECKSUMS_AT_OPENING", 1_000)
    Library(old).close()
    assert "no page checksums: its file is too large" in caplog.text
    assert not read_header(old).has_checksums


def test_checksums_are_not_added_while_another_connection_is_open(old):
    import apsw

    other = apsw.Connection(str(old))
    other.execute("SELECT count(*) FROM document").fetchall()
    Library(old).close()
    assert not read_header(old).has_checksums
    other.close()
    Library(old).close()
    assert read_header(old).has_checksums
    assert find_damaged_pages(old) == []


def test_a_damaged_library_without_checksums_is_left_as_it_is(old):
    wreck_page(old, find_root_page(old, "mention_by_name"))
    before = compute_hash(old)
    library = Library(old)
    assert_refuses_changes(library)
    library.close()
    assert compute_hash(old) == before
