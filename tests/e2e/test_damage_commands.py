"""Tests the commands on damaged and read-only libraries: exit codes, sentences, nothing written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_app.cli import run_command
from desktop_app.engine.services.library import Library
from tests.damaged_files import PAGE, compute_hash, cut, find_page_of, flip_bit, wreck_page
from tests.read_only import read_only
from tests.small_library import TEXT, add

CHANGES = (
    ["entity", "merge", "Tobias Quill", "Ada Merrow"],
    ["undo"],
    ["delete", "--yes", "clocks.txt"],
    ["reindex", "--no-embed"],
    ["check", "--repair"],
)


@pytest.fixture
def path(tmp_path) -> Path:
    """Return the file of a closed library in a folder of its own."""
    (tmp_path / "in").mkdir()
    library = Library(tmp_path / "in" / "books.inkgraph")
    add(library, tmp_path, text=TEXT * 100)
    library.close()
    return library.path


def run(path: Path, command: list[str]) -> int:
    return run_command([command[0], "--library", str(path), *command[1:]])


def test_check_names_the_damaged_document_and_the_ways_out(path, capsys):
    flip_bit(path, (find_page_of(path, TEXT * 20) - 1) * PAGE + 700)
    before = compute_hash(path)
    assert run(path, ["check"]) == 2
    printed = capsys.readouterr().out
    assert "“clocks”: its file or its text can't be read." in printed
    assert "Can still be used: " in printed
    assert "your corrections and marks, chats, the graph" in printed
    assert "inkgraph restore" in printed and "inkgraph recover" in printed
    assert run(path, ["check", "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert found["damaged"] and found["damaged_documents"] == [1]
    assert compute_hash(path) == before


@pytest.mark.parametrize("command", CHANGES, ids=lambda command: command[0])
def test_no_command_writes_into_a_damaged_library(path, capsys, command):
    wreck_page(path, path.stat().st_size // PAGE)
    before = compute_hash(path)
    assert run(path, command) == 2
    assert "is damaged" in "".join(capsys.readouterr())
    assert compute_hash(path) == before


def test_a_truncated_library_is_refused_by_every_command(path, capsys):
    cut(path, 10_000)
    before = compute_hash(path)
    for command in (["check"], ["status"], *CHANGES):
        assert run(path, command) == 2
        assert "only 10,000 of its" in capsys.readouterr().err
    assert compute_hash(path) == before


def test_reading_commands_work_in_a_read_only_folder(path, tmp_path, capsys):
    before = compute_hash(path)
    with read_only(path.parent):
        for command in (
            ["status"],
            ["check"],
            ["search", "who wound the clocks", "--mode", "words"],
            ["graph", "--entities"],
            ["ask", "Who wound the clocks?", "--only-context"],
            ["export", "--format", "json", "--out", str(tmp_path / "graph.json")],
        ):
            assert run(path, command) == 0, command
        capsys.readouterr()
        for command in CHANGES[:-2]:
            assert run(path, command) == 2
            assert "is read-only where it is" in capsys.readouterr().err
    assert compute_hash(path) == before
