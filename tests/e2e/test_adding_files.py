"""Tests that `add` adds what can be added and names all that it does not read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_app.cli import run_command
from tests.unit.services.test_indexing import STORY

BOOK = "@article{a, title={Tides of Harwich}, author={Wren, Clara}, year=1999}\n"


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., SimpleNamespace]:
    """Run a command with a library; return its exit code, its output and its JSON, if any."""
    library = str(tmp_path / "added.inkgraph")

    def run(*arguments: str | Path) -> SimpleNamespace:
        words = [str(argument) for argument in arguments]
        code = run_command([words[0], "--library", library, *words[1:]])
        captured = capsys.readouterr()
        data = json.loads(captured.out) if "--json" in words else None
        return SimpleNamespace(code=code, out=captured.out, err=captured.err, data=data)

    return run


def test_a_broken_list_of_references_stops_no_other_file(run, tmp_path):
    (tmp_path / "clock.txt").write_text(STORY, "utf-8")
    (tmp_path / "bad.bib").write_bytes(b"")
    (tmp_path / "good.bib").write_text(BOOK, "utf-8")
    files = [tmp_path / name for name in ("bad.bib", "clock.txt", "gone.ris", "good.bib")]
    done = run("add", "--no-embed", "--json", *files)
    assert done.code == 1
    assert [d["state"] for d in done.data["documents"]] == ["ready"]
    assert [one["n_entries"] for one in done.data["references"]] == [1]
    assert sorted(Path(path).name for path in done.data["refused"]) == ["bad.bib", "gone.ris"]
    assert "“bad.bib” can't be read" in done.err and "gone.ris" in done.err
