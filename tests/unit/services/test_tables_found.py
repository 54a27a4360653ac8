"""Rows of tables are found by the words of their header, shown with it and cited by their cells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.engine.answering.citations import check_marks, find_key_sentence
from desktop_app.engine.answering.claims import _around
from desktop_app.engine.answering.context import choose_passages, cut_around_best, write_passage
from desktop_app.engine.model import Answer, RetrievalResult
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_check import repair_derived
from desktop_app.engine.store import chats, search
from desktop_app.engine.text.chunking import ChunkingSettings
from tests.fakes import HashEmbedder

NAMES = [
    f"{a}{b}{c}"
    for a in ("Bar", "Cel", "Dor", "Fim")
    for b in ("a", "e", "o", "u")
    for c in ("land", "stan", "via")
]
ROWS = [f"{name} | {n}1.5 | {n}2.5" for n, name in enumerate(NAMES, 10)]
ROW = ROWS[40]
TABLE = "\n".join(["Country | Product 1998 | Product 1999", *ROWS])
TEXT = f"About money.\n\nThe figures are old.\n\n{TABLE}\n\nNobody knows more.\n"
QUESTION = f"Product of {NAMES[40]} in 1998"


class Embedder(HashEmbedder):
    """Keeps the texts that it embeds."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def embed_passages(self, texts):
        self.texts += texts
        return super().embed_passages(texts)


def count(text: str) -> int:
    return len(text.split())


@pytest.fixture
def embedder() -> Embedder:
    return Embedder()


@pytest.fixture
def library(tmp_path, embedder):
    made = Library(tmp_path / "l.inkgraph")
    path = tmp_path / "money.txt"
    path.write_text(TEXT, "utf-8")
    add_files(made.writer, [path])
    IndexingService(made.writer, lambda: embedder, ChunkingSettings(chunk_token_size=60)).run()
    yield made
    made.close()


def find_best(library, embedder, question=QUESTION):
    found = Retriever(library.writer, lambda: embedder).find(question, QueryParam(mode="words"))
    return found.passages


def test_chunks_of_rows_are_indexed_with_the_header(library):
    found = search.search_words(library.writer, '"1998"', 50)
    texts = dict(search.fetch_chunk_texts(library.writer, [i for i, _ in found]))
    assert len(texts) > 5
    assert sum("1998" in text for text in texts.values()) == 1


def test_windows_of_rows_are_embedded_with_the_header(embedder, library):
    of_rows = [text for text in embedder.texts if ROW in text]
    assert of_rows and all("Country | Product 1998 | Product 1999\n" in t for t in of_rows)


def test_the_index_of_words_is_rebuilt_with_headers(library):
    before = search.count_chunks(library.writer, ['"1998"'])
    repair_derived(library.writer)
    assert search.count_chunks(library.writer, ['"1998"']) == before


def test_a_passage_of_rows_has_the_header_beside_its_text(embedder, library):
    best = next(p for p in find_best(library, embedder) if ROW in p.text)
    assert best.table is not None and best.table.header.startswith("Country | Product 1998")
    assert TEXT[best.start : best.end] == best.text
    (chosen,) = choose_passages([best], 30, count)
    assert TEXT[chosen.start : chosen.end] == chosen.text
    lines = write_passage(chosen).split("\n")
    assert lines[0] == "Country | Product 1998 | Product 1999"
    assert all(line in ROWS for line in lines[1:] if "|" in line)


def test_a_passage_that_is_cut_into_the_table_gets_the_header(embedder, library):
    text = TABLE[:200]
    best = find_best(library, embedder)[0]
    start = TEXT.index(TABLE)
    at = start + text.index(ROWS[2])
    whole = replace(
        best, start=start, end=start + 200, text=text, table=None, best_start=at, best_end=at + 5
    )
    cut = cut_around_best(whole, 8, count)
    assert cut.text.startswith(ROWS[2])
    assert cut.table is not None and cut.table.row == 4
    assert write_passage(cut).startswith(f"Country | Product 1998 | Product 1999\n{ROWS[2]}")


def test_the_row_and_not_the_header_is_the_key_sentence(embedder, library):
    best = next(p for p in find_best(library, embedder) if ROW in p.text)
    start, end = find_key_sentence(best, QUESTION)
    assert TEXT[start:end] == ROW
    assert "Product 1998" in _around(best, (start, end))


def test_a_citation_names_the_row_and_keeps_it_in_a_stored_chat(embedder, library):
    best = next(p for p in find_best(library, embedder) if ROW in p.text)
    text, citations = check_marks(f"{NAMES[40]} had a product of 501.5 [1].", [best], QUESTION)
    assert str(citations[0].cells) == "row 42"
    found = RetrievalResult(QUESTION, "words", (best,))
    with library.writer.transaction():
        chat = chats.add_chat(library.writer, "c")
        chats.add_question(library.writer, chat, QUESTION)
        chats.add_answer(library.writer, chat, Answer(text, citations, found))
    rows = chats.fetch_messages(library.writer, chat)
    assert rows[-1].citations == citations
    assert rows[-1].passages[0].table == best.table
