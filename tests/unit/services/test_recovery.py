"""Tests recovery: what a damaged library gives back, and that nothing wrong is given back."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from desktop_app.engine.errors import DamagedLibrary, PassphraseNeeded, UserError
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.encryption import encrypt_library, key_to_open
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.recovery import RecoveryReport, recover
from desktop_app.engine.store import search
from desktop_app.engine.store.db import CURATION_TABLES, Db
from desktop_app.engine.store.encryption import is_encrypted
from tests.small_library import add

PAGE = 4096
N_DOCUMENTS = 12
PASSPHRASE = "correct horse battery"


def write_text(number: int) -> str:
    dice = random.Random(number)
    names = ("Ada Merrow", "Tobias Quill", "Ida Penn", "Paul Rook")
    sentences = [
        f"{dice.choice(names)} met {dice.choice(names)} in street {dice.randrange(10**6)}."
        for _ in range(60)
    ]
    return "\n".join(sentences) + "\n"


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """Return a library with documents, corrections, a note and vectors; closed."""
    folder = tmp_path_factory.mktemp("whole")
    library = Library(folder / "whole.inkgraph")
    ids = [
        add(library, folder, f"book {number}.txt", write_text(number))
        for number in range(N_DOCUMENTS)
    ]
    editing = EditingService(library.writer)
    for name in ("Ada Merrow", "Tobias Quill"):
        entity_id = library.writer.value("SELECT id FROM entity WHERE name = ?", (name,))
        editing.describe(entity_id, f"{name}, described by hand.")
    AnnotationService(library.writer, library.writer).highlight(ids[0], 0, 10)
    windows = library.writer.column("SELECT id FROM window")
    with library.writer.transaction():
        search.ensure_vector_index(library.writer, "tiny", 8)
        vectors = np.random.default_rng(0).standard_normal((len(windows), 8)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        search.store_vectors(library.writer, windows, vectors)
    library.close()
    return library.path


@pytest.fixture
def damaged(whole, tmp_path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "damaged.inkgraph"))


@pytest.fixture(scope="module")
def encrypted_whole(whole, tmp_path_factory) -> Path:
    path = Path(shutil.copy(whole, tmp_path_factory.mktemp("encrypted") / "whole.inkgraph"))
    encrypt_library(path, PASSPHRASE)
    return path


@pytest.fixture
def damaged_encrypted(encrypted_whole, tmp_path) -> Path:
    return Path(shutil.copy(encrypted_whole, tmp_path / "damaged.inkgraph"))


def read(path: Path) -> dict[str, list]:
    """Return what a library holds that can be compared."""
    key = key_to_open(path, PASSPHRASE) if is_encrypted(path) else None
    db = Db(path, read_only=True, key=key)
    try:
        found = {table: sorted(db.rows(f"SELECT * FROM {table}")) for table in CURATION_TABLES}
        found["texts"] = sorted(db.column("SELECT text FROM document_text"))
        found["entities"] = sorted(db.rows("SELECT id, name, n_mentions FROM entity"))
        found["relations"] = sorted(db.rows("SELECT source_id, target_id FROM relation"))
        found["vectors"] = sorted(db.rows("SELECT * FROM embedding"))
        found["notes"] = db.rows("SELECT start, end, quote FROM annotation")
        found["history"] = db.rows("SELECT label FROM history ORDER BY id")
        return found
    finally:
        db.close()


def recover_and_index(path: Path) -> tuple[RecoveryReport, dict[str, list]]:
    """Recover a library and do what its queue says."""
    before = path.read_bytes()
    key = key_to_open(path, PASSPHRASE) if is_encrypted(path) else None
    report = recover(path, key=key)
    assert path.read_bytes() == before and is_encrypted(report.path) == (key is not None)
    library = Library(report.path, key=key)
    IndexingService(library.writer, lambda: None).run(embed=False)
    assert library.writer.integrity_problems() == []
    library.close()
    return report, read(report.path)


def test_of_a_sound_library_everything_is_recovered(whole, damaged):
    report, found = recover_and_index(damaged)
    assert found == read(whole)
    assert report.saved.count("complete") == N_DOCUMENTS and report.n_waiting == 0
    assert not report.saved.incomplete and not report.saved.n_lost


def test_what_is_only_in_the_log_is_recovered(whole, tmp_path):
    path = Path(shutil.copy(whole, tmp_path / "open.inkgraph"))
    library = Library(path)
    add(library, tmp_path, "new.txt", "Ida Penn came. Ida Penn saw Paul Rook.\n")
    crashed = Path(shutil.copy(path, tmp_path / "crashed.inkgraph"))
    shutil.copy(f"{path}-wal", f"{crashed}-wal")
    log = Path(f"{crashed}-wal")
    library.close()
    log.write_bytes(log.read_bytes()[:-100] + b"\xff" * 5000)  # its last frame was not finished
    report = recover(crashed)
    assert report.path.name.startswith("crashed (recovered ")
    texts = read(report.path)["texts"]
    assert len(texts) == N_DOCUMENTS + 1 and "Ida Penn came. Ida Penn saw Paul Rook.\n" in texts


@pytest.mark.parametrize("seed", range(4))
def test_a_wrecked_page_costs_no_text_and_no_correction(whole, damaged, seed):
    dice = random.Random(seed)
    content = bytearray(damaged.read_bytes())
    page = dice.randrange(len(content) // PAGE)
    content[page * PAGE : (page + 1) * PAGE] = dice.randbytes(PAGE)
    damaged.write_bytes(content)
    _, found = recover_and_index(damaged)
    expected = read(whole)
    assert found["texts"] == expected["texts"]
    assert set(found["vectors"]) <= set(expected["vectors"])
    for table in CURATION_TABLES:
        assert set(found[table]) <= set(expected[table])


def test_without_its_first_page_everything_is_recovered(whole, damaged):
    content = damaged.read_bytes()
    damaged.write_bytes(random.Random(0).randbytes(PAGE) + content[PAGE:])
    with pytest.raises(DamagedLibrary):
        Library(damaged)
    _, found = recover_and_index(damaged)
    expected = read(whole)
    for what in ("texts", "entities", "relations", "entity_edit", "notes", "history"):
        assert found[what] == expected[what], what


@pytest.mark.parametrize("share", [0.4, 0.7, 0.9])
def test_of_a_library_that_was_cut_off_each_document_is_as_the_report_says(whole, damaged, share):
    content = damaged.read_bytes()
    damaged.write_bytes(content[: int(len(content) * share)])
    report, found = recover_and_index(damaged)
    expected = read(whole)
    assert report.saved.n_corrections == 2
    strange = set(found["texts"]) - set(expected["texts"])
    assert len(strange) == report.saved.count("text incomplete")
    assert report.saved.count("lost") <= N_DOCUMENTS - len(found["texts"])
    library = Library(report.path)
    noted = set(
        library.writer.column(
            "SELECT text FROM document JOIN document_text ON document_id = id"
            " WHERE notes LIKE '%parts of its text are missing%'"
        )
    )
    library.close()
    assert noted == strange


def test_a_document_with_a_damaged_file_keeps_its_text_and_says_so(whole, damaged):
    db = Db(damaged)
    with db.transaction():
        db.write(
            "UPDATE original SET content = CAST(x'00' || content AS BLOB) WHERE document_id = 1"
        )
    db.close()
    report, found = recover_and_index(damaged)
    assert found["texts"] == read(whole)["texts"]
    assert [d.state for d in report.saved.documents].count("file lost") == 1
    library = Library(report.path)
    [(notes, n_files)] = library.writer.rows(
        "SELECT notes, (SELECT count(*) FROM original WHERE document_id = 1) FROM document"
        " WHERE id = 1"
    )
    library.close()
    assert "its file is lost" in notes and n_files == 0


def test_a_changed_text_is_read_again_from_its_file(whole, damaged):
    db = Db(damaged)
    with db.transaction():
        db.write("UPDATE document_text SET text = 'X' || substr(text, 2) WHERE document_id = 2")
    db.close()
    report, found = recover_and_index(damaged)
    assert [d.state for d in report.saved.documents].count("read again") == 1
    assert found["texts"] == read(whole)["texts"]
    assert found["entities"] == read(whole)["entities"]


@pytest.mark.parametrize("content", [b"", b"\xff" * 100_000, b"Dear Sir, " * 10_000, b"x"])
def test_of_a_file_without_a_library_nothing_is_made(tmp_path, content):
    path = tmp_path / "noise.inkgraph"
    path.write_bytes(content)
    with pytest.raises(DamagedLibrary, match="Nothing of"):
        recover(path)
    assert [p.name for p in tmp_path.iterdir()] == ["noise.inkgraph"]


def test_nothing_is_overwritten(whole, damaged, tmp_path):
    target = tmp_path / "mine.inkgraph"
    target.write_bytes(b"mine")
    with pytest.raises(UserError, match="already"):
        recover(damaged, target)
    assert target.read_bytes() == b"mine"


# --- encrypted libraries --------------------------------------------------------------------------


def test_an_encrypted_library_is_recovered_encrypted(whole, damaged_encrypted):
    report, found = recover_and_index(damaged_encrypted)
    assert found == read(whole)
    assert report.saved.count("complete") == N_DOCUMENTS and not report.saved.n_lost
    for path in damaged_encrypted.parent.rglob("*"):
        assert path.is_dir() or b"Ada Merrow" not in path.read_bytes(), path


def test_of_an_encrypted_library_what_is_only_in_the_log_is_recovered(encrypted_whole, tmp_path):
    path = Path(shutil.copy(encrypted_whole, tmp_path / "open.inkgraph"))
    library = Library(path, key=key_to_open(path, PASSPHRASE))
    add(library, tmp_path, "new.txt", "Ida Penn came. Ida Penn saw Paul Rook.\n")
    crashed = Path(shutil.copy(path, tmp_path / "crashed.inkgraph"))
    shutil.copy(f"{path}-wal", f"{crashed}-wal")
    report = recover(crashed)  # with the key of the open library, which has the same salt
    library.close()
    texts = read(report.path)["texts"]
    assert len(texts) == N_DOCUMENTS + 1 and "Ida Penn came. Ida Penn saw Paul Rook.\n" in texts


@pytest.mark.parametrize("seed", range(3))
def test_a_wrecked_page_of_an_encrypted_library_costs_no_text(whole, damaged_encrypted, seed):
    dice = random.Random(seed)
    content = bytearray(damaged_encrypted.read_bytes())
    page = dice.randrange(1, len(content) // PAGE)
    content[page * PAGE : (page + 1) * PAGE] = dice.randbytes(PAGE)
    damaged_encrypted.write_bytes(content)
    _, found = recover_and_index(damaged_encrypted)
    expected = read(whole)
    assert found["texts"] == expected["texts"]
    for table in CURATION_TABLES:
        assert set(found[table]) <= set(expected[table])


def test_without_the_rest_of_its_first_page_an_encrypted_library_is_recovered(
    whole, damaged_encrypted
):
    content = bytearray(damaged_encrypted.read_bytes())
    content[24:PAGE] = random.Random(0).randbytes(PAGE - 24)
    damaged_encrypted.write_bytes(content)
    _, found = recover_and_index(damaged_encrypted)
    expected = read(whole)
    for what in ("texts", "entities", "relations", "entity_edit", "notes", "history"):
        assert found[what] == expected[what], what


def test_of_an_encrypted_library_that_was_cut_off_nothing_wrong_is_recovered(
    whole, damaged_encrypted
):
    content = damaged_encrypted.read_bytes()
    damaged_encrypted.write_bytes(content[: int(len(content) * 0.6) + 100])
    report, found = recover_and_index(damaged_encrypted)
    assert report.saved.n_corrections == 2
    strange = set(found["texts"]) - set(read(whole)["texts"])
    assert len(strange) == report.saved.count("text incomplete")


def test_a_damaged_salt_or_a_wrong_passphrase_is_named_and_leaves_nothing(
    damaged_encrypted, tmp_path
):
    wrong = key_to_open(damaged_encrypted, "some other passphrase")
    with pytest.raises(PassphraseNeeded, match=r"No page .* can be decrypted") as caught:
        recover(damaged_encrypted, key=wrong)
    assert caught.value.wrong
    with pytest.raises(PassphraseNeeded, match="is encrypted"):
        recover(damaged_encrypted)
    content = damaged_encrypted.read_bytes()
    damaged_encrypted.write_bytes(bytes(16) + content[16:])
    with pytest.raises(PassphraseNeeded, match="nothing can be recovered"):
        recover(damaged_encrypted, key=key_to_open(damaged_encrypted, PASSPHRASE))
    assert [p.name for p in tmp_path.iterdir()] == ["damaged.inkgraph"]
