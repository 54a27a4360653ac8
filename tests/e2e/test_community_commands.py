"""Tests the commands on communities over a real library file."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest

from desktop_app.cli import run_command
from desktop_app.engine.services.library import Library
from tests.books import add_book


@pytest.fixture
def library_file(tmp_path):
    made = Library(tmp_path / "said.inkgraph")
    add_book(made)
    made.close()
    return tmp_path / "said.inkgraph"


def run(capsys, *words) -> str:
    assert run_command([str(w) for w in words]) == 0
    return capsys.readouterr().out


def test_communities_are_listed_shown_and_edited(library_file, capsys):
    printed = run(capsys, "communities", "--library", library_file, "--json")
    listed = json.loads(printed)["communities"]
    assert listed and listed[0]["level"] == 0
    number = listed[0]["id"]
    level = json.loads(
        run(capsys, "communities", "--level", 0, "--json", "--library", library_file)
    )
    assert {row["level"] for row in level["communities"]} == {0}
    assert "Names:" in run(capsys, "report", number, "--library", library_file)
    run(capsys, "report", number, "--title", "The lane", "--library", library_file)
    assert "The lane" in run(capsys, "communities", "--library", library_file)
    card = json.loads(
        run(capsys, "report", "the lane", "--reset", "--json", "--library", library_file)
    )
    assert card["report"]["title"] != "The lane" and card["report"]["findings"][0]["evidence"]


def test_reports_are_written_without_a_model(library_file, capsys):
    printed = run(capsys, "report", "--no-model", "--level", 3, "--library", library_file)
    assert "reports made" in printed
    listed = json.loads(run(capsys, "communities", "--json", "--library", library_file))
    assert all(row["model"] == "" for row in listed["communities"])
    assert run_command(["report", "Nobody", "--library", str(library_file)]) == 1


def test_a_global_question_prints_its_cost_first(library_file, capsys):
    printed = run(
        capsys, "ask", "What of it?", "--mode", "drift", "--plan", "--library", library_file
    )
    assert printed.strip()
    found = json.loads(
        run(capsys, "search", "Tobias", "--mode", "overview", "--json", "--library", library_file)
    )
    assert found["reports"] and found["n_calls"] == 0


def test_folders_are_exported(library_file, tmp_path, capsys):
    for format_ in ("parquet", "vault"):
        out = tmp_path / format_
        run(capsys, "export", "--format", format_, "--out", out, "--library", library_file)
        assert list(out.iterdir())


def test_the_library_is_exported_with_the_command_that_loads_it(library_file, tmp_path, capsys):
    out = tmp_path / "graph.json"
    words = ["export", "--format", "networkx", "--out", out, "--library", library_file]
    printed = run(capsys, *words)
    assert "5 names, 5 relations and" in printed
    command = shlex.split(printed.partition("Load it with: ")[2])
    loaded = subprocess.run(
        [sys.executable, *command[1:]], check=True, capture_output=True, text=True
    )
    assert "5 nodes and 5 edges" in loaded.stdout
    assert json.loads(run(capsys, *words, "--json"))["entity"] == 5
    assert run_command([*map(str, words), "--entity", "Tobias"]) == 1
    assert "networkx has no --entity" in capsys.readouterr().err
