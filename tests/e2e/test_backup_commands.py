"""Tests the commands `backup`, `backups`, `restore` and `recover`, run in one process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_app.cli import run_command
from desktop_app.engine.services.library import Library
from tests.small_library import add


@pytest.fixture
def path(tmp_path) -> Path:
    library = Library(tmp_path / "small.inkgraph")
    add(library, tmp_path)
    library.close()
    return tmp_path / "small.inkgraph"


@pytest.fixture
def run(path, capsys):
    """Return a function that runs a command and returns exit code, output and errors."""

    def run(*words: str) -> tuple[int, str, str]:
        code = run_command([words[0], "--library", str(path), *words[1:]])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def count_deleted(path: Path) -> int:
    library = Library(path)
    try:
        return library.writer.value("SELECT count(*) FROM deleted_name")
    finally:
        library.close()


def test_a_backup_is_made_listed_and_restored(run, path):
    assert "no backups" in run("backups")[1]
    code, out, _ = run("backup")
    assert code == 0 and "verified" in out
    [row] = json.loads(run("backups", "--json")[1])
    assert row["content"]["n_documents"] == 1 and row["file"]["reason"] == "by-hand"
    assert run("entity", "delete", "Ada Merrow")[0] == 0
    assert count_deleted(path) == 1
    code, out, _ = run("restore", "--json")
    assert code == 0
    assert count_deleted(path) == 0
    assert count_deleted(Path(json.loads(out)["set_aside"])) == 1


def test_a_backup_in_a_file_of_ones_own_is_restored(run, path, tmp_path):
    own = tmp_path / "disk" / "copy.backup"
    assert run("backup", "--to", str(own))[0] == 2  # there is no such folder
    own.parent.mkdir()
    assert run("backup", "--to", str(own))[0] == 0
    path.write_bytes(b"Dear Sir, " * 1000)
    assert run("status")[0] == 1
    assert run("restore")[0] == 1  # there is no backup beside the library
    assert run("restore", str(own))[0] == 0
    assert "1 document" in run("status")[1]


def test_a_backup_replaces_an_earlier_one_and_no_other_file(run, path, tmp_path):
    own = tmp_path / "nightly.inkgraph"
    for name in ("Ada Merrow", "Tobias Quill"):
        assert run("backup", "--to", str(own))[0] == 0
        assert run("entity", "delete", name)[0] == 0
    assert run("backup", "--to", str(own))[0] == 0
    assert count_deleted(own) == 2
    (empty := tmp_path / "made by mktemp").touch()
    assert run("backup", "--to", str(empty))[0] == 0
    assert run("backup", "--replace")[0] == 1  # of which file?
    other, letter = tmp_path / "other.inkgraph", tmp_path / "letter.txt"
    Library(other).close()
    letter.write_text("Dear Sir, " * 1000)
    for kept in (other, letter):
        before = kept.read_bytes()
        code, _, errors = run("backup", "--to", str(kept))
        assert code == 1 and "no backup of this library" in errors and "--replace" in errors
        assert kept.read_bytes() == before
    assert run("backup", "--to", str(tmp_path))[0] == 1  # a folder


def test_a_library_that_is_replaced_leaves_nothing_to_the_copy(run, path, tmp_path):
    other, left = tmp_path / "other.inkgraph", tmp_path / "left"
    opened = Library(other)
    add(opened, tmp_path, name="b.txt")
    left.mkdir()
    for file in tmp_path.glob("other.inkgraph*"):  # with its write-ahead log, as after a crash
        (left / file.name).write_bytes(file.read_bytes())
    assert (left / "other.inkgraph-wal").stat().st_size
    code, _, errors = run("backup", "--to", str(other), "--replace")
    assert code == 2 and "in use" in errors
    opened.close()
    target = left / "other.inkgraph"
    assert run("backup", "--to", str(target), "--replace")[0] == 0
    assert not target.with_name("other.inkgraph-wal").exists()
    mine, copy = Library(path), Library(target)
    query = "SELECT library_id FROM library_state"
    assert copy.writer.value(query) == mine.writer.value(query)
    assert copy.writer.integrity_problems() == []
    mine.close()
    copy.close()


def test_an_emptied_library_is_not_in_order(run, path):
    assert run("backup")[0] == 0
    path.write_bytes(b"")
    code, out, errors = run("check")
    assert code == 2 and "in order" not in out and "Restore a backup" in errors
    assert path.read_bytes() == b""
    assert run("restore")[0] == 0 and "1 document" in run("status")[1]


def test_a_damaged_library_is_recovered_into_a_new_one(run, path, tmp_path):
    content = bytearray(path.read_bytes())
    content[: 3 * 4096] = b"\xff" * (3 * 4096)
    path.write_bytes(content)
    assert run("status")[0] in (1, 2)
    new = tmp_path / "new.inkgraph"
    code, out, _ = run("recover", "--to", str(new))
    assert code == 0 and "1 document: " in out
    assert path.read_bytes() == content
    library = Library(new)
    [(text,)] = library.writer.rows("SELECT text FROM document_text")
    assert text.startswith("Tobias Quill kept a shop of clocks.")
    library.close()
    assert run("recover", "--to", str(new))[0] == 1  # it is there already


def test_what_holds_no_library_is_not_recovered(run, path):
    path.write_bytes(b"Dear Sir, " * 10_000)
    code, _, errors = run("recover")
    assert code == 2 and "Nothing of “small.inkgraph” can be recovered" in errors
    assert [p.name for p in path.parent.glob("*.inkgraph*")] == ["small.inkgraph"]
