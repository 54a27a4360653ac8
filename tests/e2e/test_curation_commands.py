"""Tests the commands that correct the graph, run in one process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_app.cli import run_command
from desktop_app.cli.entity import match_words
from desktop_app.engine.services.library import Library
from tests.books import add_book


@pytest.fixture
def path(tmp_path) -> Path:
    library = Library(tmp_path / "small.inkgraph")
    add_book(library)
    add_book(library, ("Clara met Hale at the mill. ", "Clara was glad. "), title="Two")
    library.close()
    return tmp_path / "small.inkgraph"


@pytest.fixture
def run(path, capsys):
    """Return a function that runs a command and returns exit code and output."""

    def run(*words: str) -> tuple[int, str]:
        code = run_command([words[0], "--library", str(path), *words[1:]])
        return code, capsys.readouterr().out

    return run


def names(path: Path) -> set[str]:
    library = Library(path)
    try:
        return {r[0] for r in library.writer.rows("SELECT name FROM entity")}
    finally:
        library.close()


def test_names_are_renamed_merged_retyped_and_given_aliases(run, path):
    assert run("entity", "rename", "Hale", "Augustus Hale")[0] == 0
    assert run("entity", "merge", "Augustus Hale", "Marsh", "--name", "The captain")[0] == 0
    assert names(path) >= {"The captain", "Clara"} and "Marsh" not in names(path)
    code, out = run("entity", "alias", "Clara", "the niece")
    assert code == 0 and "the niece" in out
    assert run("entity", "retype", "Petrel", "object")[0] == 0
    code, out = run("entity", "show", "petrel")
    assert "(object)" in out
    assert run("entity", "never", "Clara", "Tobias")[0] == 0
    assert run("entity", "delete", "Petrel", "--only-here")[0] == 0
    assert "Petrel" not in names(path)


def test_a_namesake_is_split_off_by_its_document(run, path):
    code, out = run("entity", "split", "Clara", "Clara of the mill", "--document", "Two")
    assert code == 0 and "Clara of the mill" in out
    assert {"Clara", "Clara of the mill"} <= names(path)
    assert run("entity", "split", "Hale", "Nobody", "--sentence", "no such words")[0] == 1


def test_history_is_listed_and_traversed(run, path):
    before = names(path)
    run("entity", "delete", "Petrel")
    run("entity", "rename", "Hale", "A. Hale")
    rows = json.loads(run("history", "--json")[1])
    assert [row["label"] for row in rows] == ["Rename “Hale” to “A. Hale”", "Delete “Petrel”"]
    assert run("history", "--go-to", "0")[0] == 0 and names(path) == before
    assert run("redo")[0] == 0 and "Petrel" not in names(path)
    assert run("history", "--go-to", "99")[0] == 1


def test_corrections_are_written_and_applied(run, path, tmp_path):
    run("entity", "delete", "Petrel")
    file = str(tmp_path / "corrections.json")
    assert run("corrections", "export", file) == (0, f"1 entry of corrections in “{file}”\n")
    run("undo")
    assert "Petrel" in names(path)
    assert run("corrections", "apply", file)[0] == 0 and "Petrel" not in names(path)
    code, out = run("corrections", "apply", file)
    assert code == 0 and "nothing was changed" in out
    assert run("undo")[0] == 0 and "Petrel" in names(path), "the first one is undone"


def test_a_document_goes_to_the_trash_and_comes_back(run, path):
    run("entity", "rename", "Hale", "A. Hale")
    code, out = run("delete", "Two")
    assert code == 0 and "What goes with it: 0 names" in out and "inkgraph undo" in out
    assert run("delete", "Two")[0] == 1
    assert run("undo") == (0, "Undone: Move “Two” to the trash\n")
    assert "A. Hale" in names(path), "the correction before it stays"
    assert run("delete", "Two")[0] == 0


def test_a_document_is_deleted_permanently_after_confirmation(run, path):
    assert run("delete", "Two", "--permanently")[0] == 1  # nobody confirms
    code, out = run("delete", "Two", "--permanently", "--yes")
    assert code == 0 and "Deleted permanently." in out
    assert run("undo")[0] == 1


def test_a_chapter_is_chosen_by_whole_words():
    """“Chapter VI” took the mentions of chapters VII and VIII, too."""
    headings = (
        "Chapter VI",
        "CHAPTER VII",
        "Part 2 › Chapter VI. The Fall",
        "第三十回 夜",
        "第三回",
    )
    chosen = [heading for heading in headings if match_words("chapter vi").search(heading)]
    assert chosen == ["Chapter VI", "Part 2 › Chapter VI. The Fall"]
    assert [one for one in headings if match_words("第三回").search(one)] == ["第三回"]


def test_a_level_that_is_not_there_is_named(run):
    assert run("communities")[0] == 0
    assert run("communities", "--level", "99")[0] == 1
