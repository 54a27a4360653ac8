"""Tests that damage of a library file is found, reported, and never written to."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.engine.errors import (
    AppError,
    DamagedLibrary,
    NotALibrary,
    PassphraseNeeded,
    UserError,
)
from desktop_app.engine.file_content import load_bytes
from desktop_app.engine.messages import Message
from desktop_app.engine.services.backups import BY_HAND, AutomaticBackups, Backups
from desktop_app.engine.services.exporting.library_formats import export_library
from desktop_app.engine.services.library import Library, write_backup
from desktop_app.engine.services.library_check import check_open_library
from desktop_app.engine.services.preferences import BackupSettings
from desktop_app.engine.store import connection, curation, db, library_file, search
from desktop_app.engine.store.damage import write_note
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.encryption import derive_key, make_key
from desktop_app.engine.store.file_content import find_content
from desktop_app.engine.store.library_file import find_damaged_pages, read_header
from desktop_app.servers.library_access import LibraryAccess, Models
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
    library.damage.listeners.append(heard.append)
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
    with (
        pytest.raises(DamagedLibrary, match="Nothing was changed") as caught,
        library.writer.transaction(),
    ):
        library.writer.write("INSERT INTO setting VALUES ('a', 'b')")
        library.writer.rows("SELECT text FROM document_text")
    assert caught.value.is_refusal
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


def test_a_page_that_is_written_while_it_is_verified_is_no_damage(path, monkeypatch):
    """A checkpoint may write a page of a newer log after the log was read."""
    page, sound = find_page_of(path, LONG_TEXT[:400]), path.read_bytes()
    logs_read: list[Path] = []

    def read_log(library: Path, page_size: int) -> set[int]:
        logs_read.append(library)
        if len(logs_read) == 2:
            path.write_bytes(sound)  # the checkpoint has ended
        return find_wal_pages(library, page_size)

    find_wal_pages = library_file._find_wal_pages
    flip_bit(path, (page - 1) * PAGE + 700)
    assert find_damaged_pages(path) == [page]
    monkeypatch.setattr(library_file, "_find_wal_pages", read_log)
    assert find_damaged_pages(path) == []
    assert len(logs_read) == 2


# --- the connections of one process ------------------------------------------------------------


def damage_contents(path: Path) -> None:
    """Damage the pages of a text, and of its word index; the library can be opened."""
    content = path.read_bytes()
    pages = [
        number
        for number in range(1, len(content) // PAGE + 1)
        if content[(number - 1) * PAGE : number * PAGE].count(b"kept a shop of clocks") > 30
    ]
    for page in (*pages, find_root_page(path, "chunk_fts_data")):
        flip_bit(path, (page - 1) * PAGE + 700)


def damage_everything(path: Path) -> None:
    """Damage the pages after the first two, so that the library can't be opened any more."""
    for page in range(3, path.stat().st_size // PAGE + 1):
        flip_bit(path, (page - 1) * PAGE + 700)


def look_for_changes(library: Library) -> None:
    backups = Backups(library.path, BackupSettings)
    AutomaticBackups(library.writer, backups, lambda problem: None).look()


def back_up_by_hand(library: Library) -> None:
    Backups(library.path, BackupSettings).make(BY_HAND)


def copy_to_file(library: Library) -> None:
    write_backup(library.path, library.path.with_name("copy.inkgraph"))


def load_file_to_draw(library: Library) -> None:
    content = find_content(library.reader(), "original", 2)
    assert content is not None
    load_bytes(content)


def search_words(library: Library) -> None:
    search.search_words(library.reader(), '"clocks"', 10)


def serve_text(library: Library) -> None:
    LibraryAccess(library, Models(lambda: None, lambda: None)).read_passage(2)


def export(library: Library) -> None:
    export_library(library.reader(), library.path.with_name("out.cypher"), "cypher")


def check(library: Library) -> None:
    check_open_library(library)


WORK = (
    look_for_changes,
    back_up_by_hand,
    copy_to_file,
    load_file_to_draw,
    search_words,
    serve_text,
    export,
    check,
)


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("damage", [damage_contents, damage_everything])
def test_damage_that_one_connection_meets_ends_the_changes_of_the_writer(
    path, monkeypatch, damage: Callable[[Path], None], work: Callable[[Library], None]
):
    damaged = copy_library(path, path.with_name("damaged"))
    damage(damaged)
    library = Library(path)
    heard: list[Message] = []
    library.damage.listeners.append(heard.append)
    edit(library.writer)  # the pages that it needs are in its memory, and stay sound
    monkeypatch.setattr(db, "MAX_VERIFIED_AT_OPENING", 0)  # as of a large library
    path.write_bytes(damaged.read_bytes())
    before = compute_hash(path)
    failed: list[AppError] = []

    def run() -> None:
        try:
            work(library)
        except AppError as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert work is check or [type(error) for error in failed] == [DamagedLibrary]
    assert len(heard) == 1 and "checksum" in heard[0]
    assert_refuses_changes(library)
    library.close()
    assert compute_hash(path) == before
    assert not list(path.parent.glob("*/*.backup"))


def look_at(path: Path) -> Message | None:
    """Open a library for reading a second time; return the damage that is known then."""
    second = Db(path, read_only=True)
    try:
        return second.damage.found
    finally:
        second.close()


def test_a_damaged_page_that_nothing_reads_is_found_by_a_second_opening(path):
    library = Library(path)
    flip_bit(path, (find_page_of(path, LONG_TEXT[:400]) - 1) * PAGE + 700)
    look_for_changes(library)
    assert library.damage.found == "1 page does not fit its checksum"
    assert_refuses_changes(library)
    library.close()


@pytest.mark.parametrize("damage", [lambda path: cut(path, 5 * PAGE), lambda path: cut(path, 0)])
def test_an_open_library_whose_file_was_cut_is_not_changed(path, damage):
    library = Library(path)
    damage(path)
    before = compute_hash(path)
    with pytest.raises(DamagedLibrary):
        look_at(path)
    assert_refuses_changes(library)
    library.close()
    assert compute_hash(path) == before


@pytest.mark.parametrize("offset", [3, 18, 30])
def test_an_open_encrypted_library_whose_beginning_was_damaged_is_not_changed(tmp_path, offset):
    """Without a passphrase typed, nothing there is a wrong passphrase or another file."""
    path = tmp_path / "secret.inkgraph"
    library = Library(path, key=make_key("correct horse battery"))
    library.writer.checkpoint()
    flip_bit(path, offset)
    with pytest.raises(DamagedLibrary, match="damaged and can't be opened"):
        look_at(path)
    assert_refuses_changes(library)
    library.close()


def test_a_wrong_passphrase_of_an_open_library_is_no_damage(tmp_path):
    path = tmp_path / "secret.inkgraph"
    key = make_key("correct horse battery")
    library = Library(path, key=key)
    with pytest.raises(PassphraseNeeded):
        Db(path, read_only=True, key=derive_key("another horse battery", key.salt))
    edit(library.writer)
    library.close()


def test_a_file_that_is_no_library_stays_none_when_it_is_opened_again(tmp_path):
    letter = tmp_path / "letter.inkgraph"
    letter.write_text("Dear Sir, " * 5000)
    for _ in range(2):
        with pytest.raises(NotALibrary):
            Db(letter)


def test_the_record_ends_with_the_last_connection(sound, path):
    library = Library(path)
    second = Db(path, read_only=True)
    link = path.with_name("link.inkgraph")
    link.symlink_to(path)
    third = Db(link, read_only=True)
    assert library.damage is second.damage is third.damage
    second.damage.add(Message("a page does not fit its checksum"))
    library.close()
    second.close()
    again = Library(path)
    assert again.damage.found is not None  # the third one is open
    again.close()
    third.close()
    copy_library(sound, path)
    restored = Library(path)
    edit(restored.writer)
    restored.close()


def test_a_file_that_takes_the_place_of_an_open_one_has_a_record_of_its_own(sound, path):
    old = Library(path)
    old.damage.add(Message("a page does not fit its checksum"))
    copy_library(sound, path.with_name("restored")).replace(path)
    new = Library(path)
    edit(new.writer)
    assert_refuses_changes(old)
    new.close()
    old.close()


def test_a_library_that_gets_checksums_shares_the_record_of_its_new_file(old):
    library = Library(old)
    flip_bit(old, (find_page_of(old, LONG_TEXT[:400]) - 1) * PAGE + 700)
    assert look_at(old) is library.damage.found is not None
    assert_refuses_changes(library)
    library.close()


def test_a_connection_that_could_not_be_opened_keeps_no_record(sound, path):
    cut(path, 5 * PAGE)
    with pytest.raises(DamagedLibrary):
        Library(path)
    copy_library(sound, path)
    library = Library(path)
    edit(library.writer)
    library.close()


def test_damage_that_another_process_noted_is_heard_at_the_next_look(path):
    library = Library(path)
    edit(library.writer)
    write_note(path, Message("the check found damage"))
    look_for_changes(library)
    assert_refuses_changes(library)
    library.close()


def test_a_backup_of_a_library_with_known_damage_deletes_no_older_one(path):
    times = iter(range(0, 86_400 * 40, 1))
    backups = Backups(path, lambda: BackupSettings(n_days=1, n_weeks=1), lambda: next(times))
    for _ in range(3):
        backups.make(BY_HAND)
    library = Library(path)
    library.damage.add(Message("the check found damage"))
    backups.make(BY_HAND)
    assert len(backups.list()) == 4
    library.close()
