"""Tests of references (BibTeX, RIS, CSL-JSON), notes of the library, identifiers and names."""

from __future__ import annotations

import json

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.model import Reference
from desktop_app.engine.person_names import (
    join_authors,
    looks_like_person,
    shorten_authors,
    split_authors,
    split_name,
)
from desktop_app.engine.services import annotation_entries
from desktop_app.engine.services.annotation_entries import EntryFilter, EntryWords
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.exporting import references
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import history
from desktop_app.engine.text.identifiers import (
    find_arxiv_stamp,
    find_doi,
    find_isbn,
    read_doi,
    read_isbn,
)
from desktop_app.engine.text.reading import read_bytes
from tests.books import add_book

PAPER = Reference(
    3, "LightRAG: Simple & Fast", "Zirui Guo; Chao Huang; Tu Ao; Lianghao Xia", "2024",
    "10.48550/arxiv.2410.05779", language="en", format="pdf", tags=("rag", "graphs"),
)  # fmt: skip
NOVEL = Reference(4, "水浒传", "施耐庵", "1975", isbn="9787020008742", language="zh", format="txt")
GERMAN = Reference(
    5, "Die 100% {Lösung}", "Ludwig van der Berg; Universität Köln", "", "10.1000/x_1"
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Voss; Ben Lowe", ("Ada Voss", "Ben Lowe")),
        ("Voss, Ada; Lowe, Ben", ("Voss, Ada", "Lowe, Ben")),
        ("Ada Voss, Ben Lowe, and Cy Poe", ("Ada Voss", "Ben Lowe", "Cy Poe")),
        ("Ada Voss & Ben Lowe", ("Ada Voss", "Ben Lowe")),
        ("Conan Doyle, Arthur", ("Conan Doyle, Arthur",)),
        ("罗兴武、孙萌，刘洋", ("罗兴武", "孙萌", "刘洋")),
        ("Jane Austen", ("Jane Austen",)),
        (" ; ", ()),
    ],
)
def test_lists_of_authors_are_split_into_names(text, names):
    assert split_authors(text) == names
    assert split_authors(join_authors(names)) == names


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Ludwig van Beethoven", ("van Beethoven", "Ludwig")),
        ("van der Berg, Lars", ("van der Berg", "Lars")),
        ("Martin Luther King Jr.", ("King", "Martin Luther Jr.")),
        ("欧阳修", ("欧阳", "修")),
        ("施耐庵", ("施", "耐庵")),
        ("列夫·托尔斯泰", ("列夫·托尔斯泰", "")),
        ("U.S. Government Accountability Office", ("U.S. Government Accountability Office", "")),
        ("Plato", ("Plato", "")),
        ("Mary Wollstonecraft (Godwin) Shelley", ("Shelley", "Mary Wollstonecraft")),
        ("(Anonymous)", ("(Anonymous)", "")),
    ],
)
def test_names_are_split_into_family_and_given_name(name, parts):
    assert split_name(name) == parts


def test_what_is_no_person_is_recognised():
    people = ("Eric T. Psota", "Patrick N.J. Lane", "Jean-Luc Picard", "孙萌", "김창호")
    others = ("University of Lyon", "Facebook AI", "Deep Learning", "Abstract", "推荐维持", "today")
    assert all(map(looks_like_person, people))
    assert not any(map(looks_like_person, others))
    assert shorten_authors(PAPER.author) == "Guo et al."
    assert shorten_authors("Ada Voss; Ben Lowe") == "Voss and Lowe"
    assert shorten_authors("施耐庵") == "施耐庵"


def test_identifiers_are_found_and_checked():
    assert find_doi("see (https://doi.org/10.1016/J.X.2005.01.006).") == "10.1016/j.x.2005.01.006"
    assert find_doi("10.1002/(SICI)1097-0258(19980815)17:1<1::AID>3.0") == (
        "10.1002/(sici)1097-0258(19980815)17:1"
    )
    assert find_doi("version 10.2 and 10.1234/ alone") == ""
    assert (read_doi("doi:10.1000/182"), read_doi("11.1000/182"), read_doi("")) == (
        "10.1000/182", "", "",
    )  # fmt: skip
    assert find_isbn("ISBN 0-306-40615-2 (print)") == "0306406152"
    assert find_isbn("978-0-306-40615-7") == "9780306406157"
    assert find_isbn("call 0-306-40615-2, or ISBN 0-306-40615-3") == ""
    assert (read_isbn("978-0-306-40615-8"), read_isbn("0-8044-2957-x")) == ("", "080442957X")
    stamp = "arXiv:2410.05779v2 [cs.IR] 7 Nov 2024"
    assert find_arxiv_stamp(stamp) == ("10.48550/arxiv.2410.05779", "2024")
    assert find_arxiv_stamp("as in arXiv:1706.03762, attention") == ("", "")


def test_bibtex_has_whole_names_keys_of_their_own_and_escapes():
    made = references.build_bibtex([PAPER, PAPER, NOVEL, GERMAN])
    assert "@misc{guo2024lightrag,\n  author = {Guo, Zirui and Huang, Chao and Ao, Tu and" in made
    assert "@misc{guo2024lightrag2," in made
    assert "title = {{LightRAG: Simple \\& Fast}}" in made
    assert "eprint = {2410.05779}" in made
    assert "@book{document4,\n  author = {施, 耐庵}" in made
    assert "author = {van der Berg, Ludwig and {Universität Köln}}" in made
    assert "title = {{Die 100\\% \\{Lösung\\}}}" in made
    assert made.count("{") == made.count("}")


def test_ris_and_csl_have_every_detail():
    ris = references.build_ris([PAPER, NOVEL]).split("\r\n")
    assert ris[0] == "TY  - UNPB"
    assert {"AU  - Guo, Zirui", "PY  - 2024", "DO  - 10.48550/arxiv.2410.05779"} <= set(ris)
    assert {"KW  - rag", "SN  - 9787020008742", "TY  - BOOK"} <= set(ris)
    assert ris.count("ER  - ") == 2
    paper, novel = json.loads(references.build_csl_json([PAPER, NOVEL]))
    assert paper["author"][0] == {"family": "Guo", "given": "Zirui"}
    assert (paper["type"], paper["issued"]) == ("article", {"date-parts": [[2024]]})
    assert (novel["type"], novel["ISBN"], novel["language"]) == ("book", "9787020008742", "zh")


def test_the_source_of_a_quotation_follows_the_language_of_its_document():
    assert references.describe_cited_source(PAPER, "p. 3") == (
        "Zirui Guo et al., LightRAG: Simple & Fast, 2024, p. 3"
    )
    assert references.describe_cited_source(NOVEL, "第 3 页") == "施耐庵《水浒传》，1975，第 3 页"
    two = Reference(1, "Tides", "Ada Voss; Ben Lowe")
    assert references.describe_cited_source(two) == "Ada Voss and Ben Lowe, Tides"
    assert references.describe_cited_source(Reference(1, "Tides")) == "Tides"


# --- in a library ------------------------------------------------------------------------------


@pytest.fixture
def noted(library):
    """Return a library with two documents, the service of their annotations, and their ids."""
    db = library.writer
    for title, text in (("Tides", "The sea rose.\nNobody saw it."), ("Hills", "Stone & sky.")):
        add_book(library, (text,), title=title)
    marks = AnnotationService(db, db)
    ids = {row.title: row.id for row in LibraryReader(db).list_documents()}
    marks.highlight(ids["Tides"], 14, 28, color="green", note="Why <b>nobody</b>?")
    marks.highlight(ids["Tides"], 0, 13)
    marks.bookmark(ids["Hills"], 0, 12)
    return library, marks, ids


def test_notes_of_the_library_are_listed_and_filtered(noted):
    library, _, ids = noted
    db = library.writer
    DocumentService(db).edit_details([ids["Tides"]], author="Ada Voss; Ben Lowe", add_tags=["Sea"])
    notes = annotation_entries.list_annotation_entries(db)
    assert [note.mark.quote for note in notes] == [
        "Stone & sky.",
        "The sea rose.",
        "Nobody saw it.",
    ]

    def quotes(wanted: EntryFilter) -> list[str]:
        return [note.mark.quote for note in notes if wanted.fits(note)]

    assert quotes(EntryFilter(color="green")) == ["Nobody saw it."]
    assert quotes(EntryFilter(color="bookmark")) == ["Stone & sky."]
    assert quotes(EntryFilter(tag="sea", text="ROSE voss")) == ["The sea rose."]
    assert quotes(EntryFilter(document_ids=frozenset({ids["Hills"]}))) == ["Stone & sky."]
    assert quotes(EntryFilter(with_note=True)) == ["Nobody saw it."]
    assert quotes(EntryFilter(text="nothing of it")) == []


def test_notes_are_written_as_markdown_word_and_csl(noted, tmp_path):
    library, marks, ids = noted
    db = library.writer
    DocumentService(db).edit_details(
        [ids["Tides"]], author="Ada Voss", year="1901", isbn="0306406152"
    )
    green = [mark.id for mark in marks.list_annotations(ids["Tides"]) if mark.color == "green"]
    marks.tag(green, add=["to read", "night"])
    notes = annotation_entries.list_annotation_entries(db)
    for format, suffix in annotation_entries.SUFFIXES.items():
        assert annotation_entries.export_entries(notes, tmp_path / f"notes{suffix}", format) == 3
    markdown = (tmp_path / "notes.md").read_text("utf-8")
    assert (
        "## Tides\n\n*Ada Voss · 1901 · ISBN 0306406152*\n\n> The sea rose.\n>\n> — Part"
        in markdown
    )
    assert "**Bookmark**" in markdown
    assert "Why &lt;b>nobody&lt;/b>?\n\nTags: night, to read" in markdown
    items = {
        item["title"]: item for item in json.loads((tmp_path / "notes.json").read_text("utf-8"))
    }
    assert items["Tides"]["author"] == [{"family": "Voss", "given": "Ada"}]
    annote = "“Nobody saw it.” (Part)\nWhy <b>nobody</b>?\nTags: night, to read"
    assert annote in items["Tides"]["annote"]
    word = read_bytes((tmp_path / "notes.docx").read_bytes(), "notes.docx")[0]
    assert (word.title, [h.title for h in word.outline]) == (
        "Highlights and notes", ["Hills", "Tides"],
    )  # fmt: skip
    assert "Nobody saw it.\n\nPart\n\nWhy <b>nobody</b>?\n\nTags: night, to read" in word.text
    assert (
        annotation_entries.cite_entry(notes[1]) == "“The sea rose.” (Ada Voss, Tides, 1901, Part)"
    )


def test_hostile_notes_leave_the_files_valid():
    mark = annotation_entries.Annotation(
        1, 1, "highlight", 0, 5, "a\x00b\x0b<w:t>\ud800 & c", note="\x1b]"
    )
    note = annotation_entries.AnnotationEntry(mark, Reference(1, "T\x01<i>"))
    word = read_bytes(annotation_entries.build_docx([note], EntryWords()), "a.docx")[0]
    assert "<w:t>? & c" in word.text
    assert "<w:t>" not in annotation_entries.build_markdown([note], EntryWords())


def test_nothing_to_export_says_so(noted, tmp_path):
    library, _, _ = noted
    with pytest.raises(UserError, match="no highlights or notes"):
        annotation_entries.export_entries([], tmp_path / "a.md", "markdown")
    with pytest.raises(UserError, match="no document"):
        references.export_references(library.writer, tmp_path / "a.bib", "bibtex", [])
    with pytest.raises(UserError, match="is a folder"):
        references.export_references(library.writer, tmp_path, "bibtex")
    assert references.export_references(library.writer, tmp_path / "a.bib", "bibtex") == 2


def test_doi_and_isbn_are_edited_checked_and_undone(noted):
    library, _, ids = noted
    db = library.writer
    service, reader = DocumentService(db), LibraryReader(db)
    service.edit_details(
        [ids["Tides"]], doi="https://doi.org/10.1000/ABC", isbn="978-0-306-40615-7"
    )
    row = reader.get_document(ids["Tides"])
    assert (row.doi, row.isbn) == ("10.1000/abc", "9780306406157")
    with pytest.raises(UserError, match="not a DOI"):
        service.edit_details([ids["Tides"]], doi="eleven")
    with pytest.raises(UserError, match="not a valid ISBN"):
        service.edit_details([ids["Tides"]], isbn="978-0-306-40615-8")
    history.undo(db)
    row = reader.get_document(ids["Tides"])
    assert (row.doi, row.isbn) == ("", "")
    history.redo(db)
    assert reader.get_document(ids["Tides"]).isbn == "9780306406157"
