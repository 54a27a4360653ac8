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


def test_files_of_a_folder_that_are_not_read_are_counted_and_named(run, tmp_path):
    folder = tmp_path / "pile"
    (folder / "deep").mkdir(parents=True)
    (folder / "clock.txt").write_text(STORY, "utf-8")
    for name in ("a.exe", "b.exe", "deep/c.rst", "deep/README", ".hidden"):
        (folder / name).write_text("Ada Byron", "utf-8")
    (folder / "film.djvu").write_bytes(b"AT&TFORM" + bytes(100))
    done = run("add", "--no-embed", "--json", folder)
    assert done.code == 0 and [d["file_name"] for d in done.data["documents"]] == ["clock.txt"]
    [line] = [line for line in done.err.splitlines() if "passed over" in line]
    assert "5 files in folders were passed over" in line
    assert "(.exe 2, .djvu 1, .rst 1, no extension 1)" in line
    assert "a.exe; b.exe; README; c.rst; film.djvu" in line and "hidden" not in line
    reasons = {Path(path).name: why for path, why in done.data["passed_over"].items()}
    assert len(reasons) == 5 and "DjVu" in reasons["film.djvu"]
    assert "passed over" not in run("add", "--no-embed", folder / "clock.txt").err


def test_lists_of_references_in_a_folder_are_taken_as_if_they_were_named(run, tmp_path):
    folder = tmp_path / "pile"
    folder.mkdir()
    (folder / "list.bib").write_text(BOOK, "utf-8")
    work = {"type": "book", "title": "The gauge", "author": [{"family": "Grey", "given": "Ann"}]}
    (folder / "books.json").write_text(json.dumps([work]), "utf-8")
    (folder / "rows.json").write_text(json.dumps([{"name": "Ada", "born": 1815}]), "utf-8")
    done = run("add", "--no-embed", "--json", folder)
    assert [one["origin"] for one in done.data["references"]] == ["CSL-JSON", "BibTeX"]
    assert [d["file_name"] for d in done.data["documents"]] == ["rows.json"]
    assert done.data["passed_over"] == {} and done.code == 0
