"""Tests that a library of version 0.1 opens, keeps its queue and edits, and answers.

`tests/data/library_of_version_0_1.inkgraph.gz` was made by version 0.1: three short notes,
four corrections by hand (the last merges two names), one file that could not be read, and three
documents that still wait to be read, two of them moved to the front of the queue.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from desktop_app.cli import run_command
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.services.library import Library

OLD_LIBRARY = Path(__file__).parents[1] / "data" / "library_of_version_0_1.inkgraph.gz"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "old.inkgraph"
    path.write_bytes(gzip.decompress(OLD_LIBRARY.read_bytes()))
    return path


@pytest.fixture
def run(path, capsys):
    """Return a function that runs a command and returns exit code and output."""

    def run(*words: str) -> tuple[int, str]:
        code = run_command([words[0], "--library", str(path), *words[1:]])
        return code, capsys.readouterr().out

    return run


def fetch_names(path: Path) -> dict[str, str]:
    """Return entity types by entity name."""
    library = Library(path)
    try:
        return dict(library.writer.rows("SELECT name, type FROM entity"))
    finally:
        library.close()


def test_its_corrections_are_listed_undone_and_redone(run, path):
    code, history = run("history")
    assert code == 0
    assert "Merge 2 names into “Captain Edith Marlow”" in history
    assert "Rename “顾念慈” to “顾医生”" in history
    before = fetch_names(path)
    assert "Lisbon Edith Marlow" not in before and before["Beatriz Nunes"] == "person"
    assert run("undo")[0] == 0
    assert "Lisbon Edith Marlow" in fetch_names(path)
    assert run("undo")[0] == 0
    assert "顾念慈" in fetch_names(path)
    assert run("redo")[0] == 0
    assert run("redo")[0] == 0
    assert fetch_names(path) == before


def test_its_waiting_documents_are_read_in_the_order_of_its_queue(run, path, tmp_path):
    extra = tmp_path / "later.txt"
    extra.write_text("Paul Rook came home to Dover.", "utf-8")
    assert run("add", str(extra))[0] == 0
    library = Library(path)
    try:
        states = dict(library.writer.rows("SELECT title, state FROM document"))
        read = [
            title
            for (title,) in library.writer.rows(
                "SELECT title FROM document JOIN chunk ON chunk.document_id = document.id"
                " WHERE title LIKE 'Waiting%' ORDER BY chunk.id"
            )
        ]
    finally:
        library.close()
    assert read == ["Waiting three", "Waiting two", "Waiting one"]
    assert states.pop("broken") == "failed"
    assert set(states.values()) == {"ready"}
    assert {"Anna Kestrel", "Paul Rook"} <= set(fetch_names(path))


def test_a_question_finds_its_passage_and_is_answered(run, monkeypatch):
    """Without models: what is particular to an old library is what is found in it."""
    monkeypatch.setattr(ModelRegistry, "find_chat", lambda self: None)
    monkeypatch.setattr(ModelRegistry, "find_embedder", lambda self: None)
    code, context = run("ask", "--only-context", "Who married Beatriz Nunes?")
    assert code == 0 and "In Funchal Tom Marlow married Beatriz Nunes." in context
    code, answer = run("ask", "--top", "2", "Who married Beatriz Nunes?")
    assert code == 0 and "In Funchal Tom Marlow married Beatriz Nunes." in answer


@pytest.mark.parametrize("command", [["mcp"], ["serve", "--port", "0"]])
def test_servers_that_only_read_do_not_upgrade_it(path, command, capsys):
    before = path.read_bytes()
    assert run_command([*command, "--library", str(path)]) == 2
    problem = capsys.readouterr().err
    assert "was made by an older Inkgraph and has to be upgraded first" in problem
    assert "inkgraph status --library" in problem
    assert path.read_bytes() == before and [p.name for p in path.parent.iterdir()] == [path.name]
