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
