"""Tests encrypted libraries: their bytes, keys, damage, and what a kill leaves."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import traceback
from pathlib import Path

import apsw
import numpy as np
import pytest

from desktop_app.engine.errors import AppError, PassphraseNeeded, UserError
from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.model import ChunkSpan, ReadDocument
from desktop_app.engine.store import documents, search
from desktop_app.engine.store.backup import write_copy
from desktop_app.engine.store.connection import create_library
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.encryption import (
    KDF_ITERATIONS,
    LibraryKey,
    derive_key,
    is_encrypted,
    is_plain_library,
    make_key,
    read_salt,
)
from desktop_app.engine.store.fts_tokens import build_match

PASSPHRASE = "correct horse battery"
SECRET = "Zebulon keeps the ledger beneath the third stair. "
PAGE = 4096


@pytest.fixture(scope="module")
def key() -> LibraryKey:
    return make_key(PASSPHRASE)


@pytest.fixture
def db(tmp_path, key):
    made = Db(tmp_path / "secret.inkgraph", key=key)
    yield made
    made.close()


def add_document(db: Db, text: str) -> int:
    with db.transaction():
        document_id = documents.add_waiting(
            db,
            title="Ledger",
            file_name="ledger.txt",
            source_path="",
            content=BytesContent(text.encode()),
            sha256=hashlib.sha256(text.encode()).hexdigest(),
        )
        size = 1000
        spans = [(start, min(start + size, len(text))) for start in range(0, len(text), size)]
        documents.store_read(
            db,
            document_id,
            ReadDocument("Ledger", text, "txt", "en"),
            [ChunkSpan(n, start, end, 200) for n, (start, end) in enumerate(spans)],
            [[span] for span in spans],
        )
    return document_id


def copy_library(db: Db, path: Path) -> None:
    reader = db.open_like(db.path)
    write_copy(reader, path)
    reader.close()


def files_with(folder: Path, words: bytes) -> list[str]:
    """Return the files of a folder whose bytes contain these, as UTF-8 or UTF-16."""
    forms = (words, words.decode().encode("utf-16-le"))
    return [
        file.name
        for file in folder.rglob("*")
        if file.is_file() and any(form in file.read_bytes() for form in forms)
    ]


def test_text_vectors_and_words_are_found_in_an_encrypted_library(db, key):
    add_document(db, SECRET * 100)
    vectors = np.eye(8, 16, dtype=np.float32)
    waiting = search.fetch_unembedded(db, 8)
    n = len(waiting)
    with db.transaction():
        search.ensure_vector_index(db, "tiny", 16)
        search.store_vectors(db, [i for i, _ in waiting], vectors[:n])
    reader = Db(db.path, read_only=True, key=key)
    try:
        assert search.search_words(reader, build_match("ledger beneath"), 3)
        assert search.search_vectors(reader, vectors[0], 1)[0][0] == waiting[0][0]
        assert reader.value("PRAGMA journal_mode") == "wal"
        assert reader.integrity_problems() == []
    finally:
        reader.close()


def test_no_file_of_the_folder_holds_text_while_open_or_after(tmp_path, key, monkeypatch):
    temporary = tmp_path / "temp"
    temporary.mkdir()
    for name in ("SQLITE_TMPDIR", "TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(temporary))
    db = Db(tmp_path / "secret.inkgraph", key=key)
    plain = Db(tmp_path / "plain.inkgraph")
    for one in (db, plain):
        add_document(one, SECRET * 2000)
    assert (tmp_path / "secret.inkgraph-wal").stat().st_size > 100 * PAGE
    found = set(files_with(tmp_path, b"beneath the third"))
    assert found == {"plain.inkgraph-wal"}  # the search itself works
    plain.close()
    (tmp_path / "plain.inkgraph").unlink()
    copy_library(db, tmp_path / "copy.inkgraph")
    db.rows("SELECT text FROM chunk ORDER BY text || random()")  # sorts outside the cache
    db.compact()
    for words in (b"beneath the third", b"zebulon", b"Zebulon", b"ledger.txt", b"CREATE TABLE"):
        assert files_with(tmp_path, words) == []
    db.close()
    for words in (b"beneath the third", b"zebulon", b"Zebulon", b"ledger.txt", b"CREATE TABLE"):
        assert files_with(tmp_path, words) == []


def test_the_rollback_journal_holds_no_text(tmp_path, db):
    """Where there is no shared memory, as on network drives, there is no write-ahead log."""
    add_document(db, SECRET * 2000)
    db.exclude_others()
    assert db.value("PRAGMA journal_mode") == "delete"
    with db.transaction():
        db.write("PRAGMA cache_size = 10")
        db.write("UPDATE chunk SET text = text || 'Zebulon'")
        journal = tmp_path / "secret.inkgraph-journal"
        assert journal.stat().st_size > 10 * PAGE
        assert files_with(tmp_path, b"Zebulon") == []
    assert files_with(tmp_path, b"Zebulon") == []


def test_the_same_pages_are_never_encrypted_alike(tmp_path, key):
    paths = [tmp_path / name for name in ("one.inkgraph", "two.inkgraph")]
    for path in paths:
        db = Db(path, key=key)
        add_document(db, SECRET * 50)
        db.close()
    one, two = (path.read_bytes() for path in paths)
    for start in range(PAGE, min(len(one), len(two)), PAGE):
        assert one[start : start + PAGE] != two[start : start + PAGE]


def test_the_key_is_what_the_cipher_derives_itself(db, key):
    """Any program with SQLite3 Multiple Ciphers opens the file with the passphrase."""
    other = apsw.Connection(str(db.path))
    for setting in ("cipher = 'chacha20'", f"kdf_iter = {KDF_ITERATIONS}", f"key = '{PASSPHRASE}'"):
        other.execute(f"PRAGMA {setting}").fetchall()
    assert other.execute("SELECT count(*) FROM document").get == 0
    other.close()


def test_a_missing_and_a_wrong_passphrase_have_different_errors(db):
    add_document(db, SECRET)
    with pytest.raises(PassphraseNeeded) as missing:
        Db(db.path)
    assert not missing.value.wrong
    salt = read_salt(db.path)
    assert salt is not None
    for _ in range(3):  # at once, as often as one likes
        with pytest.raises(PassphraseNeeded, match="is wrong") as wrong:
            Db(db.path, key=derive_key("correct horse batterie", salt))
        assert wrong.value.wrong
    again = Db(db.path, key=derive_key(PASSPHRASE, salt))
    assert again.value("SELECT title FROM document") == "Ledger"
    again.close()


def test_a_passphrase_may_be_typed_in_either_unicode_form():
    salt = bytes(16)
    assert derive_key("Zürich 北京 é", salt) == derive_key("Zu\u0308rich 北京 e\u0301", salt)
    assert derive_key("o'Brien; --", salt) != derive_key("o'Brien", salt)


def test_a_short_passphrase_is_refused():
    with pytest.raises(UserError, match="too short"):
        make_key("1234567")


def test_a_key_is_not_shown(key):
    assert key.secret.hex() not in repr(key) and str(key.secret) not in repr(key)


def test_a_file_is_recognised_by_its_header(tmp_path, db, key):
    plain = Db(tmp_path / "plain.inkgraph")
    plain.close()
    letter = tmp_path / "letter.inkgraph"
    letter.write_text("Dear Sir, " * 500)
    random.seed(1)
    noise = tmp_path / "noise.inkgraph"
    noise.write_bytes(random.randbytes(PAGE * 3))
    empty = tmp_path / "empty.inkgraph"
    empty.touch()
    others = (letter, noise, empty, tmp_path, tmp_path / "none.inkgraph")
    assert is_encrypted(db.path) and not is_encrypted(plain.path)
    assert is_plain_library(plain.path) and not is_plain_library(db.path)
    assert not any(is_encrypted(p) or is_plain_library(p) for p in others)
    for path in (letter, noise):
        for given in (None, key):
            with pytest.raises(UserError, match="not an Inkgraph library"):
                Db(path, key=given)


def test_an_encrypted_library_that_cannot_be_made_does_not_show_its_key(tmp_path, key):
    with pytest.raises(apsw.CantOpenError) as failed:
        create_library(tmp_path / "no folder" / "new.inkgraph", key)
    shown = "".join(traceback.format_exception(failed.value))
    assert key.secret.hex() not in shown and "can't be written" in shown


def test_damage_after_the_first_page_is_not_called_a_wrong_passphrase(tmp_path, db, key):
    offsets = (30, 2000, PAGE - 10)  # in the head, in the middle and in the checksum of a page
    add_document(db, SECRET * 200)
    db.close()
    content = db.path.read_bytes()
    n_pages = len(content) // PAGE
    told = 0
    for page in range(1, n_pages):
        changed = bytearray(content)
        changed[page * PAGE + offsets[page % 3]] ^= 0b100
        copy = tmp_path / "changed.inkgraph"
        copy.write_bytes(changed)
        try:
            damaged = Db(copy, key=key)
        except AppError as error:
            assert not isinstance(error, PassphraseNeeded), f"page {page + 1}"
            told += 1
            continue
        try:
            told += bool(damaged.integrity_problems())
        except (AppError, apsw.CorruptError):
            told += 1
        finally:
            damaged.close()
    assert told == n_pages - 1


def test_a_backup_opens_with_the_same_key_only(tmp_path, db, key):
    add_document(db, SECRET)
    copy = tmp_path / "copy.inkgraph"
    copy_library(db, copy)
    assert read_salt(copy) == read_salt(db.path)
    with pytest.raises(PassphraseNeeded):
        Db(copy)
    other = Db(copy, key=key)
    assert other.value("SELECT count(*) FROM document") == 1
    other.close()


WRITER = """
import os, sys
from desktop_app.engine.store.backup import write_copy
from desktop_app.engine.store.connection import create_library
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.encryption import LibraryKey
key = LibraryKey(bytes.fromhex(sys.argv[2]), bytes.fromhex(sys.argv[3]))
db = Db(sys.argv[1], key=key)
for number in range(100_000):
    with db.transaction():
        for part in range(20):
            db.write("INSERT INTO setting VALUES (?, ?)", (f"{number}.{part}", "Zebulon " * 200))
    if number % 10 == 9:
        print(number, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("n_lines", [1, 7, 30])
def test_a_kill_while_writing_loses_no_transaction(tmp_path, key, n_lines):
    path = tmp_path / "killed.inkgraph"
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), key.secret.hex(), key.salt.hex()],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
        text=True,
    )
    assert child.stdout is not None
    done = [int(child.stdout.readline()) for _ in range(n_lines)]
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert files_with(tmp_path, b"Zebulon") == []
    db = Db(path, key=key)
    try:
        assert db.integrity_problems() == []
        n_rows = db.value("SELECT count(*) FROM setting")
        assert n_rows >= (done[-1] + 1) * 20 and n_rows % 20 == 0
    finally:
        db.close()


def test_two_processes_read_and_write(tmp_path, key):
    path = tmp_path / "shared.inkgraph"
    db = Db(path, key=key)
    program = WRITER.replace("100_000", "20")
    done = subprocess.run(
        [sys.executable, "-c", program, str(path), key.secret.hex(), key.salt.hex()],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[3],
    )
    assert done.returncode == 0, done.stderr
    assert db.value("SELECT count(*) FROM setting") == 400
    with db.transaction():
        db.write("INSERT INTO setting VALUES ('mine', '')")
    reader = Db(path, read_only=True, key=key)
    assert reader.value("SELECT count(*) FROM setting") == 401
    reader.close()
    db.close()
