"""Tests of adding BibTeX, RIS and CSL-JSON files."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.child_protocol import ProtocolError
from desktop_app.engine.errors import UserError
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.bibliography.files import (
    parse_bibtex,
    read_bibliography_file,
)
from desktop_app.engine.services.bibliography.model import Bibliography, Entry
from desktop_app.engine.services.bibliography.protocol import (
    BibliographyAssembler,
    encode_bibliography,
)
from desktop_app.engine.services.bibliography.reader import read_bibliography
from desktop_app.engine.services.bibliography.service import add_bibliography, is_bibliography
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.exporting.references import export_references
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import document_metadata
from tests.small_library import add, index, row_of
from tests.unit.services.reading_here import read_bibliographies_here
from tests.zotero_folder import make_pdf

BIBTEX = r"""
@comment{jabref-meta: databaseType:bibtex;}
@string{jc = "Journal of Clocks"}
@article{wren1999,
  author = {Wren, Clara and M{\"u}ller, J\'er\^ome and {Harbour Trust} and others},
  title = {A {Study} of Clocks \& Tides: $a+b$ \emph{again}},
  journal = jc, year = 1999, volume = 12, number = 3, pages = {1--20},
  doi = {https://doi.org/10.1000/clocks\_7}, keywords = {clocks, tides},
  file = {:papers/wren.pdf:PDF;Notes:C\:\\Users\\clara\\notes.pdf:application/pdf}
}
@book{broken, title = {This one is never closed
@book{hale, title = {Tides}, subtitle={A History}, author = {Hale, Tobias},
  year = {2001}, publisher = {Harbour Press}, address = {London}, isbn = {978-7-02-000874-2}}
@misc{guo, title={LightRAG}, author={Zirui Guo}, eprint={2410.05779}, archiveprefix={arXiv}}
@book{hale, title = {Twice the same key}, author = {Hale, Tobias}}
"""
RIS = """TY  - JOUR\r
AU  - Wren, Clara\r
AU  - Wei, Li\r
TI  - A study of\r
  clocks\r
JO  - Journal of Clocks\r
PY  - 1999/05//\r
SP  - 1\r
EP  - 20\r
DO  - 10.1000/clocks.7\r
KW  - clocks\r
KW  - tides\r
L1  - file:///tmp/a%20b.pdf\r
UR  - http://example.org/x.pdf\r
\r
TY  - BOOK\r
A1  - Hale, Tobias\r
T1  - Tides\r
SN  - 9787020008742\r
PB  - Harbour Press\r
L1  - internal-pdf://123/tides.pdf
"""
CSL = [
    {
        "type": "article-journal", "title": "Clocks", "DOI": "10.1000/clocks.7",
        "author": [{"family": "Berg", "given": "L", "non-dropping-particle": "van der"},
                   {"literal": "Harbour Trust"}],
        "issued": {"date-parts": [[1999, 5]]}, "page": "1-2",
        "container-title": "Journal of Clocks",
    },
    {"note": "nothing"},
]  # fmt: skip


@pytest.fixture
def in_child() -> None:
    """Let the test read in a child process, as the program does."""


@pytest.fixture(autouse=True)
def read_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in this process, unless the test asks for the child."""
    if "in_child" not in request.fixturenames:
        read_bibliographies_here(monkeypatch)


def test_bibtex_is_read_with_its_names_signs_and_files():
    found = parse_bibtex(BIBTEX)
    wren, tides, guo, twice = found.entries
    assert wren.title == "A Study of Clocks & Tides: a+b again"
    assert wren.authors == ("Wren, Clara", "Müller, Jérôme", "Harbour Trust")
    assert (wren.container, wren.year, wren.pages) == ("Journal of Clocks", "1999", "1–20")
    assert (wren.volume, wren.issue, wren.doi) == ("12", "3", "10.1000/clocks_7")
    assert wren.kind == "article-journal" and wren.tags == ("clocks", "tides")
    assert [file.places[0] for file in wren.files] == [
        "papers/wren.pdf",
        "C:\\Users\\clara\\notes.pdf",
    ]
    assert (tides.title, tides.isbn) == ("Tides: A History", "9787020008742")
    assert (tides.publisher, tides.place) == ("Harbour Press", "London")
    assert guo.doi == "10.48550/arxiv.2410.05779"
    assert twice.title == "Twice the same key"
    assert list(found.left_out.values()) == [1]


def test_ris_and_csl_are_read(tmp_path):
    path = tmp_path / "My refs.ris"
    path.write_bytes(RIS.encode())
    wren, tides = read_bibliography_file(path).entries
    assert wren.title == "A study of clocks" and wren.authors == ("Wren, Clara", "Wei, Li")
    assert (wren.year, wren.pages, wren.doi) == ("1999", "1–20", "10.1000/clocks.7")
    assert [file.places for file in wren.files] == [("/tmp/a b.pdf",)]
    assert (tides.kind, tides.isbn, tides.publisher) == ("book", "9787020008742", "Harbour Press")
    assert tides.files[0].places[0] == "My refs.Data/PDF/123/tides.pdf"
    path = tmp_path / "refs.json"
    path.write_text(json.dumps(CSL))
    found = read_bibliography_file(path)
    [clocks] = found.entries
    assert clocks.authors == ("van der Berg, L", "Harbour Trust")
    assert (clocks.year, clocks.container, clocks.pages) == ("1999", "Journal of Clocks", "1-2")
    assert list(found.left_out.values()) == [1]


@given(st.text(max_size=300))
def test_no_text_breaks_the_reading_of_bibtex(text):
    parse_bibtex(f"@article{{a, title = {{{text}}}}}\n{text}")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.bib", b"Dear reader,", "no list of references"),
        ("a.bib", b"", "no list of references"),
        ("a.ris", bytes(range(256)) * 20, "not text"),
        ("a.json", b'[{"title": ', "broken JSON"),
        ("a.json", b'{"a": 1}', "no reference that can be read"),
        ("a.bib", b"%PDF-1.7\n" + bytes(200), "a.bib"),
        ("a.bib", b"@article{", "no reference that can be read"),
    ],
)
def test_files_that_are_no_references_are_refused_with_a_sentence(tmp_path, name, content, reason):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UserError, match=reason) as refused:
        read_bibliography(path, cancel=CancelToken())
    assert name in str(refused.value) and refused.value.hint


@pytest.mark.usefixtures("in_child")
def test_files_become_documents_and_the_rest_completes_them_or_is_listed(library, tmp_path):
    known = add(library, tmp_path, "tides.txt")
    DocumentService(library.writer).edit_details([known], isbn="9787020008742", author="Me")
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "wren.pdf").write_bytes(make_pdf())
    path = tmp_path / "refs.bib"
    path.write_text(BIBTEX, "utf-8")
    added = add_bibliography(library.writer, path)
    [document_id] = added.documents
    assert added.completed == (known,)
    assert added.without_file == ("LightRAG", "Twice the same key")
    assert [place for _, place in added.missing] == ["C:\\Users\\clara\\notes.pdf"]
    assert list(added.left_out.values()) == [1]
    index(library)
    assert row_of(library, document_id).title.startswith("A Study of Clocks")
    tides = row_of(library, known)
    assert (tides.title, tides.year, tides.author) == ("Tides: A History", "2001", "Me")
    again = add_bibliography(library.writer, path)
    assert (again.documents, again.completed) == ((), ())


def test_of_two_works_with_one_file_the_first_names_the_document(library, tmp_path):
    (tmp_path / "a.txt").write_text("Clara Wren winds the clocks.")
    path = tmp_path / "refs.bib"
    path.write_text("@book{a, title={First}, file={a.txt}, keywords={x}}\n"
                    "@book{b, title={Second}, file={a.txt}, keywords={y}}")  # fmt: skip
    [document_id] = add_bibliography(library.writer, path).documents
    again = add_bibliography(library.writer, path)
    assert (again.completed, again.n_unchanged) == ((), 2)
    row = row_of(library, document_id)
    assert (row.title, row.tags) == ("First", ("x", "y"))


def test_a_document_is_recognised_by_title_year_and_first_author(library, tmp_path):
    known = add(library, tmp_path, "tides.txt")
    DocumentService(library.writer).edit_details(
        [known], title="tides — a history", author="Tobias Hale", year="2001"
    )
    path = tmp_path / "refs.bib"
    path.write_text("@book{a, title={Tides: A History}, author={Hale, Tobias and Wren, Clara},"
                    " year=2001, publisher={Harbour Press}}")  # fmt: skip
    assert add_bibliography(library.writer, path).completed == (known,)
    [reference] = document_metadata.fetch_document_references(library.writer)
    assert (reference.publisher, reference.kind) == ("Harbour Press", "book")


@pytest.mark.parametrize(
    "place", ["\\\\server\\share\\a.pdf", "//server/a.pdf", "secret.key", "../gone.pdf", "a\0.pdf"]
)
def test_places_on_the_network_and_files_of_other_kinds_are_not_touched(library, tmp_path, place):
    (tmp_path / "secret.key").write_text("secret")
    path = tmp_path / "refs.json"
    path.write_text(json.dumps([{"type": "book", "title": "A", "file": place}]))
    added = add_bibliography(library.writer, path)
    assert added.documents == () and len(added.missing) == 1


def test_our_own_exports_are_read_again(library, tmp_path):
    known = add(library, tmp_path)
    DocumentService(library.writer).edit_details(
        [known], title="Clocks & Tides", author="Wren, Clara; Wei, Li", year="1999",
        doi="10.1000/clocks.7",
    )  # fmt: skip
    for format, name in (("bibtex", "a.bib"), ("ris", "a.ris"), ("csl", "a.json")):
        path = tmp_path / name
        export_references(library.writer, path, format)
        assert is_bibliography(path)
        [entry] = read_bibliography_file(path).entries
        assert (entry.title, entry.year) == ("Clocks & Tides", "1999")
        assert entry.doi == "10.1000/clocks.7"
        assert entry.authors[0] == "Wren, Clara"


@pytest.mark.usefixtures("in_child")
@pytest.mark.parametrize(("format", "name"), [("bibtex", "a.bib"), ("ris", "a.ris"),
                                              ("csl", "a.json")])  # fmt: skip
def test_what_a_bibliography_says_is_exported_again(library, tmp_path, format, name):
    add(library, tmp_path, "tides.txt")
    chapter = [
        {
            "type": "chapter", "title": "Tides", "container-title": "The Book of Harbours",
            "author": [{"family": "Wren", "given": "Clara"}], "issued": {"date-parts": [[1999]]},
            "editor": [{"family": "Hale", "given": "Tobias"}], "page": "12–20",
            "publisher": "Harbour Press", "publisher-place": "London", "DOI": "10.1000/t",
        },
    ]  # fmt: skip
    [row] = LibraryReader(library.writer).list_documents()
    DocumentService(library.writer).edit_details([row.id], doi="10.1000/t")
    path = tmp_path / "refs.json"
    path.write_text(json.dumps(chapter))
    assert add_bibliography(library.writer, path).completed == (row.id,)
    path = tmp_path / name
    export_references(library.writer, path, format)
    [entry] = read_bibliography_file(path).entries
    assert (entry.kind, entry.container) == ("chapter", "The Book of Harbours")
    assert (entry.pages, entry.publisher, entry.place) == ("12–20", "Harbour Press", "London")
    assert (entry.authors, entry.editors) == (("Wren, Clara",), "Hale, Tobias")
    path = tmp_path / "list.txt"
    export_references(library.writer, path, "gbt7714")
    assert path.read_text("utf-8") == (
        "[1] WREN C. Tides[M]//HALE T. The Book of Harbours. London: Harbour Press, 1999: 12-20."
        " DOI:10.1000/t.\n"
    )


def test_only_json_that_looks_like_references_is_taken_for_them(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(CSL))
    assert is_bibliography(path)
    for other in ('{"chunks": [{"title": "a", "type": "person"}]}',
                  '[{"title": "a", "type": "report", "text": "b"}]'):  # fmt: skip
        path.write_text(other)
        assert not is_bibliography(path)
    assert not is_bibliography(tmp_path / "missing.json")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.json")
        assert not is_bibliography(tmp_path / "pipe.json")


def test_what_the_reading_process_sends_is_checked():
    found = Bibliography("RIS", [Entry(title="A", authors=("B",))])
    items = [item for frame in encode_bibliography(found) for item in frame]
    assembler = BibliographyAssembler()
    for item in items:
        assembler.add(item)
    assert assembler.finish().entries == found.entries
    wrong = [
        [items[1]],
        [items[0], items[1] | {"entry": ["A"]}],
        [items[0], items[1] | {"authors": "B"}],
        [items[0], items[1] | {"tags": ["x" * 9000]}],
        [items[0], {"file": [["a"], "", 0]}],
        [items[0], items[1] | {"files": 1}],
        [items[0], {"mark": ["k", "", "", "", 0]}],
        [items[0], {"other": 1}],
        [],
    ]
    for sent in wrong:
        assembler = BibliographyAssembler()
        with pytest.raises(ProtocolError):
            for item in sent:
                assembler.add(item)
            assembler.finish()
