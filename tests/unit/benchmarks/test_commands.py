"""Tests that every benchmark can be imported and reads its options, without running it."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

from desktop_app.cli import run_command
from desktop_app.cli.bench import is_command

FOLDER = Path(__file__).parents[3] / "benchmarks"
NOT_COMMANDS = {  # what benchmarks share
    "__init__", "attack_files", "big_library", "cluster_processes", "common", "contexts",
    "enrich_floor", "enrich_report", "enriched", "extraction_gold", "extraction_names",
    "extraction_report", "extraction_scores", "format_files", "lightrag_peer", "live_objects",
    "stalls", "window_edits",
}  # fmt: skip


def list_commands() -> list[str]:
    """Return the benchmarks that `inkgraph bench` can run."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if is_command(path))


def test_every_module_is_a_command_or_shared():
    modules = {path.stem for path in FOLDER.glob("*.py")}
    assert modules - set(list_commands()) == NOT_COMMANDS


@pytest.mark.parametrize("name", sorted(NOT_COMMANDS - {"__init__"}))
def test_a_shared_module_can_be_imported(name: str):
    assert importlib.import_module(f"benchmarks.{name}").__doc__


@pytest.mark.parametrize("name", list_commands())
def test_help_shows_what_a_benchmark_measures(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    module = importlib.import_module(f"benchmarks.{name}")
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with pytest.raises(SystemExit) as ended:
        module.main()
    assert ended.value.code == 0
    assert module.__doc__ is not None
    shown = " ".join(capsys.readouterr().out.split())
    assert " ".join(module.__doc__.split()[:8]) in shown


def test_every_benchmark_stands_in_the_readme():
    text = (FOLDER / "README.md").read_text("utf-8")
    told = set(re.findall(r"(?:`|benchmarks\.)(\w+)", text)) | {"lightrag_inside"}
    assert set(list_commands()) - told == set()


def test_the_command_hands_options_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys, "argv", ["inkgraph"])
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "benchmarks.memory", raising=False)
    with pytest.raises(SystemExit) as ended:
        run_command(["bench", "memory", "--help"])
    assert ended.value.code == 0
    assert "Peak memory of indexing" in capsys.readouterr().out


def test_what_benchmarks_share_is_no_benchmark(capsys: pytest.CaptureFixture[str]):
    assert run_command(["bench", "attack-files"]) == 1
    assert "no benchmark" in capsys.readouterr().err
