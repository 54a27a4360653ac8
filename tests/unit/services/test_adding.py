"""Tests adding a pasted text: title, lines, names."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from desktop_app.cli import run_command
from desktop_app.engine.errors import UserError
from desktop_app.engine.services.document_import import add_files, add_text, list_files
from desktop_app.engine.services.duplicates import Duplicates
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader

TEXT = (
    "Tobias Quill kept a shop of clocks in Harrow Lane, and Ada Merrow wound them every night.\r\n"
    "One evening Tobias Quill went to Port Ellis, where Ada Merrow had left her brass lamp.\n"
)
NOTE = "Robert Vale met Ann Stone in Leeds. Bob Vale married Ann Stone. Mr. Pike hated Bob Vale."


def index(library: Library) -> LibraryReader:
    IndexingService(library.writer, lambda: None).run(embed=False)
    return LibraryReader(library.writer)


def test_a_pasted_text_is_read_under_its_title(library):
    [made] = add_text(library.writer, '  What? A "letter"/note: ', TEXT).documents
    row = index(library).get_document(made)
    assert (row.title, row.state) == ('What? A "letter"/note:', "ready")
    assert row.file_name == "What A letter note.txt" and row.n_entities > 0
    assert LibraryReader(library.writer).fetch_text(made).startswith("Tobias Quill kept a shop")


def test_two_first_names_of_a_short_note_are_not_merged_but_suggested(library):
    note = (
        "Robert Vale met Ann Stone in Leeds. Bob Vale married Ann Stone. Mr. Pike hated Bob Vale."
    )
    add_text(library.writer, "Note", note)
    names = {entity.name for entity in index(library).top_entities(20)}
    assert names == {"Robert Vale", "Ann Stone", "Leeds", "Bob Vale", "Mr. Pike"}
    [cluster] = Duplicates(library.writer).find()
    assert {member.entity.name for member in cluster.members} == {"Robert Vale", "Bob Vale"}


def test_a_short_chinese_note_gives_its_chinese_and_latin_names(library):
    add_text(library.writer, "便条", "我去苏州找林秀芝了，钥匙在周师傅那里。David Chen 也来。")
    names = {entity.name for entity in index(library).top_entities(20)}
    assert names == {"苏州", "林秀芝", "周师傅", "David Chen"}


def test_the_work_begins_behind_a_licence(library):
    licence = "You may copy it.\n\n*** START OF THE PROJECT GUTENBERG EBOOK ***\n\n"
    texts = {"With": licence + TEXT, "Without": TEXT + "More.\n"}
    for title, text in texts.items():
        [made] = add_text(library.writer, title, text).documents
        reader = index(library)
        assert reader.fetch_text(made)[reader.find_start(made) :].startswith("Tobias Quill")


def test_headings_of_markdown_become_chapters(library):
    [made] = add_text(library.writer, "Notes", "# One\n\nText of one.\n\n# Two\n\nMore.").documents
    library_reader = index(library)
    assert library_reader.get_document(made).file_name == "Notes.md"
    assert [h.title for h in library_reader.fetch_outline(made)] == ["One", "Two"]


def test_the_same_text_again_reports_the_first_document(library, tmp_path):
    [made] = add_text(library.writer, "First", TEXT).documents
    again = add_text(library.writer, "Second", TEXT)
    assert (again.documents, again.duplicates) == ((), (("Second", "First"),))
    assert again.same_as == (made,)
    file = tmp_path / "clocks.txt"
    file.write_bytes("\n".join(TEXT.splitlines()).encode())
    assert add_files(library.writer, [file]).same_as == (made,)


@pytest.mark.parametrize(("title", "text"), [("", TEXT), ("A title", " \n ")])
def test_without_title_or_text_nothing_is_added(library, title: str, text: str):
    with pytest.raises(UserError):
        add_text(library.writer, title, text)
    assert LibraryReader(library.writer).list_documents() == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes in folders")
def test_only_regular_files_are_read(library, tmp_path):
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    added = add_files(library.writer, [pipe, Path(os.devnull), tmp_path / "none.txt"])
    assert added.documents == ()
    assert "not a file" in added.refused[str(pipe)]
    assert "not a file" in added.refused[os.devnull]
    assert "no file" in added.refused[str(tmp_path / "none.txt")]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_no_file_of_a_folder_stops_the_others(library, tmp_path):
    folder = tmp_path / "books"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_bytes(b"")
    (folder / "loop.txt").symlink_to(folder / "loop.txt")
    (folder / "gone.txt").symlink_to(folder / "nowhere.txt")
    (folder / "back").symlink_to(folder)  # a folder in itself
    os.mkfifo(folder / "pipe.txt")
    for number, name in enumerate((b"\xff\xfe.txt", b"new\nline.txt", b"~%s.txt" % (b"n" * 240))):
        path = Path(os.fsdecode(os.fsencode(folder) + b"/" + name))
        path.write_text(f"{number} {TEXT}", "utf-8")
    (folder / "deep" / "z.txt").write_text(TEXT, "utf-8")
    added = add_files(library.writer, [folder, tmp_path / "missing", Path("a\0b.txt")])
    assert len(added.documents) == 5
    assert set(added.refused) == {str(tmp_path / "missing"), "a\0b.txt"}
    states = [row.state for row in index(library).list_documents()]
    assert sorted(states) == ["failed", *["ready"] * 4]


def test_a_folder_that_cannot_be_listed_is_reported_and_the_others_are(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    problems = []
    for folder in (tmp_path / "missing", tmp_path):
        found = list_files(folder, lambda *problem: problems.append(problem))
    assert found == [tmp_path / "a.txt"]
    [(folder, error)] = problems
    assert folder == tmp_path / "missing" and isinstance(error, FileNotFoundError)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_file_name_that_is_no_unicode_is_stored_with_a_replacement(library, tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/mill \xff.txt"))
    path.write_text(TEXT, "utf-8")
    [made] = add_files(library.writer, [tmp_path]).documents
    row = index(library).get_document(made)
    assert (row.state, row.file_name) == ("ready", "mill \ufffd.txt")
    assert add_files(library.writer, [path]).same_as == (made,)
    path.write_text(TEXT + "More of it.", "utf-8")
    assert add_files(library.writer, [path]).documents == (made,)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_the_command_line_shows_a_file_name_that_is_no_unicode(tmp_path, capsys, options):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/mill \xff.txt"))
    path.write_text(TEXT, "utf-8")
    library = ["--library", str(tmp_path / "one.inkgraph"), *options]
    assert run_command(["add", "--no-embed", str(path), *library]) == 0
    assert run_command(["add", "--no-embed", str(path), *library]) == 0  # a copy, shown by name
    assert run_command(["search", "Ada \udcff Merrow", *library]) == 0
    assert "mill" in capsys.readouterr().out


def test_rows_with_lone_surrogates_are_stored_with_a_replacement(library, tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"title": "A\\ud800", "text": "Ada \\udfff Merrow."}')
    [made] = add_files(library.writer, [tmp_path]).documents
    reader = index(library)
    assert (reader.get_document(made).title, reader.fetch_text(made)) == ("A", "Ada \ufffd Merrow.")


def test_a_lone_surrogate_can_be_searched(library):
    add_text(library.writer, "Note", NOTE)
    reader = index(library)
    assert reader.find_entities("\ud800") == []
    assert reader.db.rows("SELECT :a", {"a": "\ud800"}) == [("\ufffd",)]
