"""Tests files of several documents, and tables, in a library: mail boxes, archives, workbooks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.attack_files import make_zip
from benchmarks.format_files import FILES
from desktop_app.engine.model import BACKWARD, FORWARD, WRITES
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library, measure_files
from desktop_app.engine.services.library_reader import LibraryReader

PEOPLE = ("Ann Grey", "Bob Stone", "Clara Wren", "Henry Pike")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path / "made.inkgraph")
    yield made
    made.close()


@pytest.fixture
def add(library: Library, tmp_path: Path) -> Callable[[str, bytes], LibraryReader]:
    """Return a function that adds a file and returns the reader of its library."""

    def run(name: str, content: bytes) -> LibraryReader:
        (tmp_path / name).write_bytes(content)
        assert not add_files(library.writer, [tmp_path / name]).refused
        IndexingService(library.writer, lambda: None).run(embed=False)
        return LibraryReader(library.writer)

    return run


def make_letters(n_letters: int) -> bytes:
    letters = []
    for number in range(n_letters):
        sender, receiver = PEOPLE[number % 4], PEOPLE[(number + 1) % 4]
        addresses = [f"{name} <{name.split()[0].lower()}@example.org>" for name in PEOPLE]
        letters.append(
            f"From x@example.org Mon May  3 10:15:00 1999\nFrom: {addresses[number % 4]}\n"
            f"To: {addresses[(number + 1) % 4]}\nSubject: Tides {number}\n"
            f"Date: Mon, {number + 1:02} May 1999 10:15:00 +0000\n\n"
            f"The tide came in at {number} today.\n\n"
        )
        assert sender != receiver
    return "".join(letters).encode()


def test_the_senders_of_a_mail_box_stand_in_the_graph_with_their_letters(add):
    reader = add("letters.mbox", make_letters(20))
    rows = reader.list_documents()
    assert len(rows) == 20 and {row.state for row in rows} == {"ready"}
    names = {entity.name: entity for entity in reader.top_entities(20)}
    assert set(PEOPLE) <= names.keys()
    graph = reader.neighbourhood([names["Ann Grey"].id])
    found = {entity.name for entity in graph.entities}
    assert {"Bob Stone", "Henry Pike"} <= found  # who got her letters, and who wrote to her
    assert not any("Tides" in name for name in names)  # a subject is no name
    [written] = [r for r in graph.relations if {r.source, r.target} == {"Ann Grey", "Bob Stone"}]
    is_forward = written.source == "Ann Grey"
    assert (written.kind, written.direction) == (WRITES, FORWARD if is_forward else BACKWARD)
    assert written.n_enriched == 0  # no model was asked
    text = reader.fetch_text(written.document_id)
    assert "\nDate: 1999-05-" in text[written.sentence_start : written.sentence_end]


def test_a_row_of_a_workbook_is_found_by_its_words_and_its_header(library, add):
    add("economy.xlsx", FILES["economy.xlsx"]())
    retriever = Retriever(library.writer, lambda: None)
    passages = retriever.find("GDP of France 1998", QueryParam(mode="naive")).passages
    assert "Country: France" in passages[0].text
    assert "1998: 1,503.25" in passages[0].text


def test_a_changed_archive_replaces_all_of_its_documents(library, add):
    add("pile.zip", make_zip([("a.txt", b"The tide."), ("b.txt", b"The mill.")]))
    reader = add("pile.zip", make_zip([("a.txt", b"The tide of noon."), ("c.txt", b"Gauges.")]))
    assert sorted(row.title for row in reader.list_documents()) == ["a", "c"]


def test_files_of_all_formats_are_taken_from_a_folder(library, tmp_path):
    folder = tmp_path / "pile"
    folder.mkdir()
    for name, make in FILES.items():
        (folder / name).write_bytes(make())
    (folder / "run.exe").write_bytes(b"MZ\x90")
    added = add_files(library.writer, [folder])
    assert len(added.documents) == len(FILES) and not added.refused
    assert [Path(path).name for path in added.passed_over] == ["run.exe"]
    assert measure_files([folder]).n_files == len(FILES)
