"""Tests that `add` adds what can be added and names all that it does not read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.format_files import make_eml, make_huge_png, make_zip
from desktop_app.cli import run_command
from desktop_app.cli.documents import shorten_details
from tests.scanned import draw_page, save
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
    assert "5 files in folders passed over because their kinds are not read" in line
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


def test_pictures_that_cannot_be_read_are_named_and_not_counted_as_added(run, tmp_path):
    page = save(draw_page(["Port Ellis"], size=(1000, 700)))
    (tmp_path / "cut.png").write_bytes(page[: len(page) // 2])
    (tmp_path / "huge.png").write_bytes(make_huge_png(30_000, 30_000))
    (tmp_path / "blank.png").write_bytes(save(draw_page([])))
    scan = make_zip({"scans/cut.png": page[: len(page) // 2], "clock.txt": STORY})
    (tmp_path / "pile.zip").write_bytes(scan)
    names = ("cut.png", "huge.png", "blank.png", "pile.zip")
    files = [tmp_path / name for name in names]
    waiting = run("add", "--no-embed", "--no-ocr", *files)
    assert waiting.code == 0 and "4 pages to be read as pictures: inkgraph ocr run" in waiting.out
    status = run("status").out
    assert "cut  [und, 0 characters]  its page waits to be read" in status
    (tmp_path / "added.inkgraph").unlink()
    done = run("add", "--no-embed", *files)
    assert done.code == 1 and done.out.startswith("2 added in")
    damaged = "its page can't be read: the picture is damaged."
    for sentence in (
        f"inkgraph: cut.png: {damaged}",
        "inkgraph: huge.png: its page can't be read: its picture has too many pixels.",
        "inkgraph: blank.png: no text was found in it",
        f"inkgraph: pile.zip, “scans/cut”: {damaged}",
    ):
        assert sentence in done.err
    status = run("status").out
    assert "cut  [und, 0 characters]  its page could not be read" in status
    assert f"    {damaged}" in status and "blank  [und, 0 characters]  ready, no text" in status


def test_what_is_left_out_of_an_archive_and_a_letter_is_printed_and_in_the_status(run, tmp_path):
    inner = {"clock.txt": STORY, "broken.docx": b"PK\x03\x04broken", "picture.raw": b"\0"}
    (tmp_path / "pile.zip").write_bytes(make_zip(inner))
    attached = (("broken.xlsx", b"PK\x03\x04broken"), ("tides.txt", b"The tides of Harwich."))
    (tmp_path / "letter.eml").write_bytes(make_eml(attached))
    done = run("add", "--no-embed", tmp_path / "pile.zip", tmp_path / "letter.eml")
    assert done.code == 0
    lines = [line for line in done.err.splitlines() if line.startswith("inkgraph: ")]
    assert lines[0].startswith("inkgraph: letter.eml: “broken.xlsx” is left out:")
    assert lines[1].startswith("inkgraph: pile.zip: “broken.docx” is left out:")
    other = "Files that are left out because their kind is not read: 1."
    assert lines[2:] == [f"inkgraph: pile.zip: {other}"]
    status = run("status").out
    assert f"    {other}" in status and "    “broken.docx” is left out: its zip" in status
    assert "It is the file" not in status


def test_what_was_left_out_of_many_parts_is_cut_short():
    assert shorten_details(list("abcdef")) == list("abcdef")
    assert shorten_details(list("abcdefg")) == [*"abcde", "and 2 more"]
