"""Names in cells of tables: none goes on in the next row, and words of headers are no people."""

from __future__ import annotations

from desktop_app.engine.extraction.instant import InstantExtractor
from desktop_app.engine.model import ChunkSpan
from desktop_app.engine.text.chunking import split_sentences
from desktop_app.engine.text_tables import find_tables, separate_rows

TEXT = """The governors of the colony are listed here, with their years and parties.

Governor | Years | Party
John Reynolds | 1754-1757 | National Republican
Wilson Lumpkin | 1831-1835 | Union
George Gilmer | 1837-1839 | Democrat
Howell Cobb | 1851-1853 | Whig

Later Wilson Lumpkin wrote a book."""


def test_rows_are_the_evidence_of_names_in_their_cells():
    chunk = ChunkSpan(0, 0, len(TEXT), 0)
    (found,) = InstantExtractor(split_sentences).extract(TEXT, [chunk], "en")
    rows = {TEXT[slice(*row)] for row in find_tables(TEXT)[0].rows}
    in_cells = [m for m in found.mentions if "|" in TEXT[m.sentence_start : m.sentence_end]]
    assert {"Wilson Lumpkin", "George Gilmer"} <= {m.name for m in in_cells}
    assert all(TEXT[m.sentence_start : m.sentence_end] in rows for m in in_cells)
    assert all("\n" not in TEXT[m.start : m.end] for m in in_cells)
    header_end = TEXT.index("\nJohn")
    people = [m for m in found.mentions if m.type == "person" and m.start < header_end]
    assert people == []


def test_rows_are_separated_in_a_text_of_the_same_length():
    plain = separate_rows(TEXT, find_tables(TEXT))
    assert len(plain) == len(TEXT)
    assert "National Republican,Wilson Lumpkin" in plain
    assert plain.count("\n") == TEXT.count("\n") - 5
