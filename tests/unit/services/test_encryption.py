"""Tests encrypting, decrypting and changing the passphrase of existing libraries."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.engine.errors import EnvironmentProblem, PassphraseNeeded, UserError
from desktop_app.engine.services import encryption
from desktop_app.engine.services.encryption import (
    change_passphrase,
    decrypt_library,
    delete_plain_copies,
    encrypt_library,
    find_plain_copies,
    key_to_open,
)
from desktop_app.engine.services.library import Library, restore_backup, write_backup
from desktop_app.engine.store.connection import migration_files
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.encryption import is_encrypted, is_plain_library
from desktop_app.engine.store.library_file import find_damaged_pages, read_header
from tests.small_library import TEXT, add

ROOT = Path(__file__).parents[3]
OLD_LIBRARY = ROOT / "tests" / "data" / "library_of_version_0_1.inkgraph.gz"
PASSPHRASE = "correct horse battery"
OTHER = "a second passphrase 北京"
WORDS = TEXT[10:40].encode()


@pytest.fixture
def path(tmp_path) -> Path:
    """Return a plain library with one document, in a folder of its own."""
    folder = tmp_path / "libraries"
    folder.mkdir()
    library = Library(folder / "small.inkgraph")
    add(library, tmp_path)
    library.close()
    return library.path


def read_all(path: Path, key=None) -> dict[str, list]:
    """Return all rows of all ordinary tables."""
    db = Db(path, read_only=True, key=key)
    try:
        names = [name for name in db.count_rows() if not name.startswith(("sqlite_stat",))]
        return {name: sorted(db.rows(f'SELECT * FROM "{name}"'), key=repr) for name in names}
    finally:
        db.close()


def files_with_text(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir() if WORDS in p.read_bytes())


def test_a_library_is_encrypted_given_another_passphrase_and_decrypted(path):
    before = read_all(path)
    assert files_with_text(path.parent) == ["small.inkgraph"]
    first = encrypt_library(path, PASSPHRASE)
    assert is_encrypted(path)
    assert [p.name for p in path.parent.iterdir()] == ["small.inkgraph"]
    assert files_with_text(path.parent) == []
    assert read_all(path, first) == before
    second = change_passphrase(path, first, OTHER)
    assert read_all(path, second) == before
    assert key_to_open(path, OTHER) == second
    with pytest.raises(PassphraseNeeded):
        Db(path, key=key_to_open(path, PASSPHRASE))
    decrypt_library(path, second)
    assert is_plain_library(path) and not is_encrypted(path)
    assert read_all(path) == before
    header = read_header(path)
    assert header is not None and header.has_checksums and find_damaged_pages(path) == []
    assert files_with_text(path.parent) == ["small.inkgraph"]
    library = Library(path)
    assert library.writer.integrity_problems() == []
    library.close()


def test_a_library_that_is_open_is_left_alone(path):
    library = Library(path)
    content = path.read_bytes()
    with pytest.raises(EnvironmentProblem, match="in use"):
        encrypt_library(path, PASSPHRASE)
    library.close()
    assert path.read_bytes() == content and is_plain_library(path)
    assert [p.name for p in path.parent.iterdir()] == ["small.inkgraph"]


def test_what_cannot_be_encrypted_is_refused(path, tmp_path):
    with pytest.raises(UserError, match="too short"):
        encrypt_library(path, "short")
    key = encrypt_library(path, PASSPHRASE)
    with pytest.raises(UserError, match="already"):
        encrypt_library(path, PASSPHRASE)
    wrong = key_to_open(path, "another one")
    assert wrong is not None
    for change in (
        lambda: change_passphrase(path, wrong, OTHER),
        lambda: decrypt_library(path, wrong),
    ):
        with pytest.raises(PassphraseNeeded):
            change()
    with pytest.raises(UserError, match="no library"):
        encrypt_library(tmp_path / "none.inkgraph", PASSPHRASE)
    assert not (tmp_path / "none.inkgraph").exists()
    assert read_all(path, key)


def test_a_library_that_does_not_fit_on_the_disk_stays_as_it_is(path, monkeypatch):
    content = path.read_bytes()
    full = shutil.disk_usage(path.parent)._replace(free=1000)
    monkeypatch.setattr(encryption.shutil, "disk_usage", lambda _: full)
    with pytest.raises(EnvironmentProblem, match="too little room"):
        encrypt_library(path, PASSPHRASE)
    assert path.read_bytes() == content


def test_damage_stops_encryption_and_changes_nothing(path):
    content = bytearray(path.read_bytes())
    for page in range(3, len(content) // 4096):
        content[page * 4096 : page * 4096 + 200] = bytes(200)
    path.write_bytes(content)
    with pytest.raises((EnvironmentProblem, UserError)):
        encrypt_library(path, PASSPHRASE)
    assert path.read_bytes() == content
    assert not any(is_encrypted(p) or p.suffix == ".part" for p in path.parent.iterdir())


ENCRYPTER = """
import sys
from pathlib import Path
from desktop_app.engine.services import encryption
def stop(*_):
    print("copied", flush=True)
    sys.stdin.read()
setattr(encryption, sys.argv[2], stop)
encryption.encrypt_library(Path(sys.argv[1]), "correct horse battery")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("step", ["_compare", "_sync"])
def test_a_kill_before_the_swap_leaves_the_plain_library(path, step):
    before = read_all(path)
    child = subprocess.Popen(
        [sys.executable, "-c", ENCRYPTER, str(path), step],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    assert child.stdin is not None and child.stdout is not None
    assert child.stdout.readline() == b"copied\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdin.close()
    child.stdout.close()
    assert read_all(path) == before
    key = encrypt_library(path, PASSPHRASE)  # the unfinished file is in nobody's way
    assert read_all(path, key) == before


def test_a_library_of_version_0_1_is_encrypted_and_upgraded(tmp_path):
    path = tmp_path / "old.inkgraph"
    path.write_bytes(gzip.decompress(OLD_LIBRARY.read_bytes()))
    key = encrypt_library(path, PASSPHRASE)
    library = Library(path, key=key)
    try:
        assert library.writer.value("PRAGMA user_version") == len(migration_files())
        assert library.writer.integrity_problems() == []
        names = dict(library.writer.rows("SELECT name, type FROM entity"))
        assert names["Beatriz Nunes"] == "person"
    finally:
        library.close()


def test_the_backup_before_an_upgrade_of_an_encrypted_library_is_encrypted(tmp_path, monkeypatch):
    from desktop_app.engine.store import connection as connection_module

    path = tmp_path / "old.inkgraph"
    key = key_to_open(path, PASSPHRASE)
    with monkeypatch.context() as patch:
        patch.setattr(connection_module, "migration_files", lambda: migration_files()[:-1])
        old = Db(path, key=key)
        with old.transaction():
            old.write("INSERT INTO setting VALUES ('a', 'a secret in a setting')")
        old.close()
    Library(path, key=key).close()
    assert len([p for p in tmp_path.rglob("*") if p.is_file()]) == 2
    for file in (p for p in tmp_path.rglob("*") if p.is_file()):
        assert is_encrypted(file) and b"a secret in a setting" not in file.read_bytes()


def test_a_backup_of_an_encrypted_library_is_encrypted_and_restored(path, tmp_path):
    key = encrypt_library(path, PASSPHRASE)
    library = Library(path, key=key)
    backup = tmp_path / "backup.inkgraph"
    write_backup(library.path, backup)
    library.close()
    assert is_encrypted(backup) and WORDS not in backup.read_bytes()
    assert key_to_open(backup, PASSPHRASE) == key
    with pytest.raises(PassphraseNeeded):
        restore_backup(backup, tmp_path / "again.inkgraph")
    assert not (tmp_path / "again.inkgraph").exists()
    library = Library(path, key=key)  # its key opens its backups
    try:
        restored = restore_backup(backup, tmp_path / "restored.inkgraph")
    finally:
        library.close()
    assert read_all(restored, key) == read_all(path, key)


def test_plain_copies_are_found_and_deleted(path):
    folder = path.parent
    library = Library(path)
    made = library.backups.make("by-hand")
    library.close()
    copies = [made.path, folder / "small.v3.backup", folder / "small backup.inkgraph"]
    for copy in copies[1:]:
        shutil.copyfile(path, copy)
    shutil.copyfile(path, folder / "another.inkgraph")
    (folder / "small notes.txt").write_text("not a library")
    encrypt_library(path, PASSPHRASE)
    assert find_plain_copies(path) == sorted(copies)
    delete_plain_copies([*find_plain_copies(path), folder / "small notes.txt"])
    assert find_plain_copies(path) == []
    assert sorted(p.name for p in folder.iterdir() if p.is_file()) == [
        "another.inkgraph",
        "small notes.txt",
        "small.inkgraph",
    ]


def test_a_failed_copy_does_not_show_the_key(path, tmp_path):
    key = encrypt_library(path, PASSPHRASE)
    db = Db(path, key=key)
    try:
        with pytest.raises(EnvironmentProblem) as failed:
            db.write_encrypted(tmp_path / "no such folder" / "copy.inkgraph", key)
    finally:
        db.close()
    assert key.secret.hex() not in str(failed.value)
    assert failed.value.__suppress_context__
