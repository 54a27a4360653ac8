"""Tests encrypted libraries on the command line: where the passphrase comes from, what is shown."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.cli import run_command
from desktop_app.engine.services.encryption import is_encrypted
from tests.unit.services.test_indexing import STORY

ROOT = Path(__file__).parents[2]
OLD_LIBRARY = ROOT / "tests" / "data" / "library_of_version_0_1.inkgraph.gz"
PASSPHRASE = "correct horse battery"
OTHER = "another long passphrase"
SENTENCE = b"Edmund Marsh had been a sailor"


@pytest.fixture
def folder(tmp_path) -> Path:
    made = tmp_path / "libraries"
    made.mkdir()
    return made


@pytest.fixture
def text(tmp_path) -> str:
    (tmp_path / "clock.txt").write_text(STORY, "utf-8")
    return str(tmp_path / "clock.txt")


@pytest.fixture
def run(folder, capsys, monkeypatch):
    """Return a function that runs a command on a library: exit code, stdout, stderr."""

    def run(command: str, *words: str, passphrase: str = "", name: str = "one.inkgraph"):
        if passphrase:
            monkeypatch.setenv("INKGRAPH_PASSPHRASE", passphrase)
        code = run_command([command, "--library", str(folder / name), *words])
        assert "INKGRAPH_PASSPHRASE" not in os.environ  # not for child processes
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def plain_files(folder: Path) -> list[str]:
    return [p.name for p in folder.rglob("*") if p.is_file() and SENTENCE in p.read_bytes()]


def test_a_library_made_with_a_passphrase_is_encrypted_for_every_command(run, folder, text):
    code, _, err = run("add", "--no-embed", text, passphrase=PASSPHRASE)
    assert code == 0 and "Nobody can open the library without the passphrase" in err
    assert is_encrypted(folder / "one.inkgraph") and plain_files(folder) == []
    code, _, err = run("status")
    assert code == 1 and "is encrypted" in err and "--passphrase-file" in err
    code, _, err = run("status", passphrase="not the passphrase")
    assert code == 1 and "is wrong" in err
    code, out, _ = run("status", passphrase=PASSPHRASE)
    assert code == 0 and "1 document" in out
    question = "Who was lost near Port Ellis?"
    code, out, _ = run("search", "--mode", "words", question, passphrase=PASSPHRASE)
    assert code == 0 and "the brig Petrel" in out
    code, out, _ = run("check", passphrase=PASSPHRASE)
    assert code == 0
    assert plain_files(folder) == []


def test_a_passphrase_file_is_read(run, folder, text, tmp_path):
    file = tmp_path / "passphrase"
    file.write_bytes(PASSPHRASE.encode() + b"\r\nnot this line\n")
    assert run("add", "--no-embed", text, "--passphrase-file", str(file))[0] == 0
    assert run("status", passphrase=PASSPHRASE)[0] == 0
    assert run("status", "--passphrase-file", str(file))[0] == 0
    code, _, err = run("status", "--passphrase-file", str(tmp_path / "none"))
    assert code == 1 and "can't be read" in err
    file.write_bytes(b"\xff\xfe\x00")
    assert run("status", "--passphrase-file", str(file))[0] == 1


def test_a_plain_library_is_encrypted_changed_and_decrypted(run, folder, text, tmp_path):
    assert run("add", "--no-embed", text)[0] == 0
    assert plain_files(folder) != []
    copy = folder / "one.v3.backup"
    copy.write_bytes((folder / "one.inkgraph").read_bytes())
    code, _, err = run("encrypt")
    assert code == 1 and "There is no new passphrase" in err
    assert run("encrypt", passphrase="short")[0] == 1
    code, out, _ = run("encrypt", "--json", passphrase=PASSPHRASE)
    assert code == 0 and json.loads(out)["plain_copies"] == [str(copy)]
    assert plain_files(folder) == [copy.name]
    assert run("encrypt", passphrase=PASSPHRASE)[0] == 1
    new = tmp_path / "new"
    new.write_text(OTHER, "utf-8")
    options = ("--new-passphrase-file", str(new))
    assert run("passphrase", *options, passphrase="wrong passphrase")[0] == 1
    assert run("passphrase", *options, passphrase=PASSPHRASE)[0] == 0
    assert run("status", passphrase=PASSPHRASE)[0] == 1
    assert run("status", passphrase=OTHER)[0] == 0
    assert run("decrypt", passphrase=PASSPHRASE)[0] == 1
    assert run("decrypt", passphrase=OTHER)[0] == 0
    assert run("status")[0] == 0
    assert run("decrypt")[0] == run("passphrase", *options)[0] == 1
    code, out, _ = run("encrypt", "--delete-plain-copies", passphrase=PASSPHRASE)
    assert code == 0 and "old blocks" in out and not copy.exists()
    assert plain_files(folder) == []


def test_nothing_is_made_where_there_is_no_library(run, folder):
    for command in ("encrypt", "decrypt", "passphrase"):
        code, _, err = run(command, passphrase=PASSPHRASE)
        assert code == 1 and "There is no library" in err
    assert list(folder.iterdir()) == []


def test_an_export_says_that_it_is_plain(run, text, tmp_path):
    assert run("add", "--no-embed", text, passphrase=PASSPHRASE)[0] == 0
    exports = (
        ("export", "--out", str(tmp_path / "graph.json")),
        ("export", "--format", "vault", "--out", str(tmp_path / "vault")),
        ("corrections", "export", str(tmp_path / "corrections.json")),
    )
    for command in exports:
        code, _, err = run(*command, passphrase=PASSPHRASE)
        assert code == 0 and "what is exported is not" in err
    code, _, err = run("export", "--out", str(tmp_path / "g.json"), name="plain.inkgraph")
    assert "what is exported is not" not in err


def test_backups_are_made_listed_and_restored_with_the_passphrase(run, folder, text, tmp_path):
    assert run("add", "--no-embed", text, passphrase=PASSPHRASE)[0] == 0
    code, _, err = run("backup")
    assert code == 1 and "is encrypted" in err
    assert run("backup", passphrase=PASSPHRASE)[0] == 0
    assert run("backup", "--to", str(tmp_path / "copy.backup"), passphrase=PASSPHRASE)[0] == 0
    assert is_encrypted(tmp_path / "copy.backup")
    new = tmp_path / "new"
    new.write_text(OTHER, "utf-8")
    assert run("passphrase", "--new-passphrase-file", str(new), passphrase=PASSPHRASE)[0] == 0
    assert run("backup", passphrase=OTHER)[0] == 0
    code, out, _ = run("backups", "--json", passphrase=OTHER)
    backups = json.loads(out)
    assert code == 0 and len(backups) == 2
    assert [b["content"]["n_documents"] for b in backups] == [1, 0]
    assert "is wrong" in backups[1]["content"]["problem"]
    library = folder / "one.inkgraph"
    content = bytearray(library.read_bytes())
    content[100:3000] = bytes(2900)
    library.write_bytes(content)
    code, _, err = run("status", passphrase=OTHER)
    assert code == 1 and "or the beginning of the file is damaged" in err
    code, _, err = run("recover")
    assert code == 1 and "is encrypted" in err and "passphrase" in err
    code, out, _ = run("recover", "--to", str(folder / "saved.inkgraph"), passphrase=OTHER)
    assert code == 0 and "1 document: 1 complete" in out
    assert run("status", passphrase=OTHER, name="saved.inkgraph")[0] == 0
    assert run("restore", passphrase=OTHER)[0] == 0
    assert run("status", passphrase=OTHER)[0] == 0
    former = backups[1]["file"]["path"]
    assert run("restore", former, passphrase=PASSPHRASE)[0] == 0
    assert run("status", passphrase=PASSPHRASE)[0] == 0
    assert plain_files(folder) == []


def test_damage_is_found_and_no_checksums_are_missed(run, folder, text):
    assert run("add", "--no-embed", text, passphrase=PASSPHRASE)[0] == 0
    code, out, _ = run("check", "--json", passphrase=PASSPHRASE)
    assert code == 0 and not json.loads(out).get("problems")
    library = folder / "one.inkgraph"
    content = bytearray(library.read_bytes())
    for page in range(20, len(content) // 4096, 7):
        content[page * 4096 + 500] ^= 1
    library.write_bytes(content)
    code, out, err = run("check", passphrase=PASSPHRASE)
    assert code == 2 and "damage" in (out + err)
    assert "passphrase" not in out + err


def test_an_old_library_is_encrypted_and_its_corrections_can_be_undone(run, folder):
    (folder / "one.inkgraph").write_bytes(gzip.decompress(OLD_LIBRARY.read_bytes()))
    code, out, _ = run("encrypt", "--delete-plain-copies", passphrase=PASSPHRASE)
    assert code == 0
    code, out, _ = run("history", passphrase=PASSPHRASE)
    assert code == 0 and "Merge 2 names into “Captain Edith Marlow”" in out
    assert run("undo", passphrase=PASSPHRASE)[0] == 0
    assert b"Beatriz" not in b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_terminal_is_asked_and_shows_no_letter(folder, text):
    """The real program on a real terminal (a pseudo-terminal)."""
    import pty

    def run_on_terminal(*words: str, typed: list[str]) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        environment = {**os.environ, "INKGRAPH_SUPERVISED": "1", "PYTHONPATH": str(ROOT)}
        child = subprocess.Popen(
            [sys.executable, "-m", "desktop_app", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)
        shown = b""
        waiting = list(typed)
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux's way to say that the other side is closed
                break
            if not part:
                break
            shown += part
            if waiting and shown.endswith(b": "):
                os.write(ours, waiting.pop(0).encode() + b"\n")
        os.close(ours)
        return child.wait(), shown.decode("utf-8", "replace")

    library = ("--library", str(folder / "one.inkgraph"))
    assert run_command(["add", *library, "--no-embed", text]) == 0
    code, shown = run_on_terminal("encrypt", *library, typed=[PASSPHRASE, OTHER])
    assert code == 1 and "different" in shown
    code, shown = run_on_terminal("encrypt", *library, typed=[PASSPHRASE, PASSPHRASE])
    assert code == 0 and is_encrypted(folder / "one.inkgraph")
    assert PASSPHRASE not in shown and "Nobody can open" in shown
    code, shown = run_on_terminal("status", *library, typed=[PASSPHRASE])
    assert code == 0 and "1 document" in shown and PASSPHRASE not in shown
