"""Tests passwords of documents: kept in a keyring or in memory, never in the library file."""

from __future__ import annotations

import hashlib
import io
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import keyring.backend
import keyring.backends.fail
import keyring.backends.null
import pytest

from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.messages import Message
from desktop_app.engine.services import document_passwords
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.document_passwords import (
    KEYRING_SERVICE,
    DocumentPasswords,
    shared_passwords,
)
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.system_keyring import find_system_keyring
from desktop_app.engine.store import connection as connection_module
from desktop_app.engine.store import documents
from desktop_app.engine.store.connection import migration_files
from desktop_app.engine.store.db import Db
from desktop_app.engine.text.reading import read_bytes
from tests.encrypted_pdf import make_encrypted_pdf

SECRET = "Xq7 harbour gate"
PDF = make_encrypted_pdf("Ada Merrow met Tobias Hale at the harbour of Lindau.", SECRET)
KEY = hashlib.sha256(PDF).hexdigest()


class MemoryKeyring(keyring.backend.KeyringBackend):
    """A keyring that works; it waits for `gate` first, as a locked one does."""

    priority = 5  # type: ignore[assignment]

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.gate = threading.Event()
        self.gate.set()
        self.n_calls = 0

    def get_password(self, service: str, username: str) -> str | None:
        self.n_calls += 1
        self.gate.wait()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.n_calls += 1
        self.gate.wait()
        self.kept[service, username] = password


class BrokenKeyring(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise OSError("no session bus")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise OSError("no session bus")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path / "small.inkgraph")
    yield made
    made.close()


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    """Use an own keyring for the passwords of this test."""
    made = MemoryKeyring()
    use(monkeypatch, made)
    return made


def use(monkeypatch: pytest.MonkeyPatch, backend: MemoryKeyring | None) -> DocumentPasswords:
    passwords = DocumentPasswords(lambda: backend, limit_s=30)
    monkeypatch.setattr(document_passwords, "_shared", passwords)
    return passwords


def read_all(library: Library) -> list[tuple[str, str]]:
    """Index what waits; return (state, reason) of all documents."""
    IndexingService(library.writer, lambda: None).run()
    rows = LibraryReader(library.writer).list_documents()
    return [(row.state, str(row.reason)) for row in rows]


def fetch_refusal(library: Library) -> str:
    """Return why the only document could not be read again, "" if it was."""
    reason = library.writer.value("SELECT reason FROM new_version")
    return str(Message.from_stored(reason))


def bytes_of(path: Path) -> bytes:
    """Return all bytes of a library, of the files beside it and of its backups."""
    files = [p for p in sorted(path.parent.rglob("*")) if p.is_file() and path.stem in str(p)]
    return b"".join(p.read_bytes() for p in files)


def test_a_password_that_opens_its_file_goes_to_the_keyring_only(
    library: Library, backend: MemoryKeyring, tmp_path: Path
):
    (tmp_path / "letter.pdf").write_bytes(PDF)
    add_files(library.writer, [tmp_path / "letter.pdf"], password=SECRET)
    assert read_all(library) == [("ready", "")]
    assert backend.kept == {(KEYRING_SERVICE, KEY): SECRET}
    assert SECRET.encode() not in bytes_of(library.path)
    library.close()
    assert SECRET.encode() not in bytes_of(library.path)


def test_the_keyring_is_asked_when_the_file_is_read_again(
    library: Library, backend: MemoryKeyring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "letter.pdf").write_bytes(PDF)
    add_files(library.writer, [tmp_path / "letter.pdf"], password=SECRET)
    read_all(library)
    use(monkeypatch, backend)  # as after a restart
    DocumentService(library.writer).reindex_documents([1])
    assert read_all(library) == [("ready", "")]


def test_without_a_keyring_the_password_is_asked_for_again_after_a_restart(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    use(monkeypatch, None)
    (tmp_path / "letter.pdf").write_bytes(PDF)
    add_files(library.writer, [tmp_path / "letter.pdf"], password=SECRET)
    assert read_all(library) == [("ready", "")]
    work = DocumentService(library.writer)
    work.reindex_documents([1])
    assert read_all(library) == [("ready", "")]  # still known
    use(monkeypatch, None)
    work.reindex_documents([1])
    assert read_all(library) == [("ready", "")]  # the text of the last reading stays
    assert "needs a password" in fetch_refusal(library)
    work.retry_document(1, SECRET)
    read_all(library)
    assert fetch_refusal(library) == ""


def make_letter(attached: bytes) -> bytes:
    letter = EmailMessage()
    letter["From"], letter["Subject"] = "Ann Grey <ann@x.org>", "The harbour"
    letter.set_content("See the file.")
    letter.add_attachment(attached, maintype="application", subtype="pdf", filename="gate.pdf")
    return letter.as_bytes()


def pack(kind: str) -> bytes:
    """Return a file with a locked PDF in it."""
    out = io.BytesIO()
    if kind == "eml":
        return make_letter(PDF)
    if kind == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("gate.pdf", PDF)
    else:
        with tarfile.open(fileobj=out, mode="w:gz") as made:
            entry = tarfile.TarInfo("gate.pdf")
            entry.size = len(PDF)
            made.addfile(entry, io.BytesIO(PDF))
    return out.getvalue()


@pytest.mark.parametrize("kind", ["zip", "tar.gz", "eml"])
def test_a_locked_pdf_in_a_file_is_opened_with_the_password_of_that(
    library: Library,
    backend: MemoryKeyring,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
):
    path = tmp_path / f"letter.{kind}"
    path.write_bytes(pack(kind))
    add_files(library.writer, [path], password=SECRET)
    assert {state for state, _ in read_all(library)} == {"ready"}
    reader = LibraryReader(library.writer)
    texts = [reader.fetch_text(row.id) for row in reader.list_documents()]
    assert any("Ada Merrow met Tobias Hale" in text for text in texts)
    use(monkeypatch, backend)  # as after a restart
    assert shared_passwords().find(path.read_bytes()) == SECRET


def test_an_archive_of_locked_files_asks_for_their_password(
    library: Library, backend: MemoryKeyring, tmp_path: Path
):
    (tmp_path / "a.zip").write_bytes(pack("zip"))
    add_files(library.writer, [tmp_path / "a.zip"])
    [(state, reason)] = read_all(library)
    assert state == "failed" and "needs a password" in reason
    DocumentService(library.writer).retry_document(1, SECRET)
    assert read_all(library) == [("ready", "")]


def test_a_letter_names_the_attachment_that_is_locked():
    letter, *attached = read_bytes(make_letter(PDF), "a.eml")
    assert not attached
    assert "“gate.pdf” is left out: it needs a password." in map(str, letter.notes)
    [_, opened] = read_bytes(make_letter(PDF), "a.eml", password=SECRET)
    assert "Ada Merrow" in opened.text


def test_a_wrong_password_is_not_stored_and_another_one_can_be_given(
    library: Library, backend: MemoryKeyring, tmp_path: Path
):
    (tmp_path / "letter.pdf").write_bytes(PDF)
    add_files(library.writer, [tmp_path / "letter.pdf"], password="guess")
    [(state, reason)] = read_all(library)
    assert state == "failed" and "does not open it" in reason
    assert backend.kept == {}
    DocumentService(library.writer).retry_document(1, SECRET)
    assert read_all(library) == [("ready", "")]


def test_a_file_without_a_password_asks_no_keyring(
    library: Library, backend: MemoryKeyring, tmp_path: Path
):
    (tmp_path / "a.txt").write_text("Ada Merrow lived in Lindau.", "utf-8")
    add_files(library.writer, [tmp_path / "a.txt"], password=SECRET)
    assert read_all(library) == [("ready", "")]
    assert backend.n_calls == 0


def test_a_keyring_that_hangs_costs_the_time_limit_once_and_answers_later():
    backend = MemoryKeyring()
    backend.kept[KEYRING_SERVICE, KEY] = SECRET
    backend.gate.clear()
    passwords = DocumentPasswords(lambda: backend, limit_s=0.01)
    assert passwords.find(PDF) is None
    assert passwords.find(PDF) is None  # while the first call is running, no second one is made
    assert backend.n_calls == 1
    backend.gate.set()  # the user unlocks it
    assert passwords._keyring._running is not None
    passwords._keyring._running.join()
    assert passwords.find(PDF) == SECRET


def test_a_keyring_that_fails_is_as_none():
    passwords = DocumentPasswords(BrokenKeyring, limit_s=30)
    passwords.remember(PDF, SECRET)
    passwords.confirm(PDF)
    assert passwords.find(PDF) == SECRET
    assert DocumentPasswords(BrokenKeyring, limit_s=30).find(PDF) is None


@pytest.mark.parametrize(
    "backend", [keyring.backends.fail.Keyring(), keyring.backends.null.Keyring()]
)
def test_backends_that_encrypt_nothing_are_not_used(monkeypatch: pytest.MonkeyPatch, backend):
    monkeypatch.setattr(keyring, "get_keyring", lambda: backend)
    assert find_system_keyring() is None
    working = MemoryKeyring()
    monkeypatch.setattr(keyring, "get_keyring", lambda: working)
    assert find_system_keyring() is working


def make_old_library(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a library of the version before passwords left the file, with two of them in it."""
    with monkeypatch.context() as patch:
        before = [file for file in migration_files() if file.stem < "0012"]
        patch.setattr(connection_module, "migration_files", lambda: before)
        old = Db(path)
        for name, content in (("a.pdf", PDF), ("b.txt", b"Ada Merrow lived in Lindau.")):
            with old.transaction():
                documents.add_waiting(
                    old,
                    title=name,
                    file_name=name,
                    source_path="",
                    content=BytesContent(content),
                    sha256=hashlib.sha256(content).hexdigest(),
                )
        with old.transaction():  # a wrong one first: it may be left in an unused part of a page
            old.write("UPDATE original SET password = 'Zz wrong guess Zz' WHERE document_id = 1")
        with old.transaction():
            old.write("UPDATE original SET password = ? WHERE document_id = 1", (SECRET,))
            old.write("INSERT INTO trash_file VALUES (7, x'4142', 'Trash word 9')")
        old.close()
    assert SECRET.encode() in path.read_bytes()


def test_passwords_of_an_older_library_move_to_the_keyring_and_leave_the_file(
    tmp_path: Path, backend: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "old.inkgraph"
    make_old_library(path, monkeypatch)
    library = Library(path)
    left = bytes_of(path)  # with the WAL and the backup that the upgrade made
    library.close()
    left += bytes_of(path)
    for password in (SECRET, "Trash word 9", "Zz wrong guess Zz"):
        assert password.encode() not in left
    assert backend.kept[KEYRING_SERVICE, KEY] == SECRET
    assert len(backend.kept) == 2
    library = Library(path)
    assert [state for state, _ in read_all(library)] == ["ready", "ready"]
    library.close()


def test_passwords_of_an_older_library_are_erased_without_a_keyring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    use(monkeypatch, None)
    path = tmp_path / "old.inkgraph"
    make_old_library(path, monkeypatch)
    Library(path).close()
    assert SECRET.encode() not in bytes_of(path)
    use(monkeypatch, None)
    library = Library(path)
    states = read_all(library)
    assert ("ready", "") in states and any("needs a password" in reason for _, reason in states)
    library.close()


def test_no_log_shows_a_password(caplog: pytest.LogCaptureFixture):
    caplog.set_level("DEBUG")
    passwords = DocumentPasswords(BrokenKeyring, limit_s=30)
    passwords.remember(PDF, SECRET)
    passwords.confirm(PDF)
    assert "keyring" in caplog.text and SECRET not in caplog.text
