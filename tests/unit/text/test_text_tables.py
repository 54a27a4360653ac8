"""Tests of tables found in a text, and of chunks and windows of whole rows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.model import Heading
from desktop_app.engine.text.chunking import (
    ChunkingSettings,
    chunk_text,
    split_sentences,
    split_windows,
)
from desktop_app.engine.text_tables import (
    DocumentTables,
    TableStart,
    describe_cells,
    find_table_at,
    find_tables,
    locate_cells,
    read_header,
    split_cells,
    start_in_piece,
)

GDP = """The figures follow.

Country | 1998 | 1999
Europe
France | 1,500 | 1,600
Germany | 2,100 | 2,150
Spain | 610 |

More prose."""
CELL = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters="|\\:："), min_size=1
)


def count_words(text: str) -> int:
    return len(text.split())


def rows_of(text: str) -> list[list[list[str]]]:
    return [
        [[text[a:b] for a, b in split_cells(text, *row)] for row in table.rows]
        for table in find_tables(text)
    ]


def test_a_table_has_its_rows_cells_and_header():
    (table,) = find_tables(GDP)
    assert rows_of(GDP)[0] == [
        ["Country", "1998", "1999"],
        ["Europe"],
        ["France", "1,500", "1,600"],
        ["Germany", "2,100", "2,150"],
        ["Spain", "610", ""],
    ]
    assert read_header(GDP, table) == "Country | 1998 | 1999"


def test_a_table_of_markdown_is_read_without_its_rule():
    text = "Text.\n\n| Name | Born |\n|:--|--:|\n| Alice | 1832 |\n| a \\| b | |\n"
    assert rows_of(text) == [[["Name", "Born"], ["Alice", "1832"], ["a \\| b", ""]]]
    assert read_header(text, find_tables(text)[0]) == "Name | Born"
    without = "Name | Born\n--- | ---\nAlice | 1832\n"
    assert rows_of(without) == [[["Name", "Born"], ["Alice", "1832"]]]


def test_a_row_may_begin_with_an_empty_cell():
    text = " | 1998 | 1999\nFrance | 3 | 4\n"
    assert rows_of(text) == [[["", "1998", "1999"], ["France", "3", "4"]]]
    assert rows_of(text.lstrip()) == rows_of(text)


def test_rows_that_name_their_columns_need_no_header():
    text = "Name: Alice | Born: 1832\nName: Bob\nName: Eve | Born: 1900 | Died: 1990\n"
    (table,) = find_tables(text.replace("Name: Bob\n", ""))
    assert table.n_header == 0 and read_header(text, table) == ""
    (table,) = find_tables(f"Name | Born | Died\n{text}")  # as sheets are read
    assert table.n_header == 1 and table.is_labelled and read_header(text, table) == ""
    text = "Name | Born | Died\nName: Bob | Died: 1990\nName: Eve | Born: 1900 | Died: 1990"
    at = text.index("1990")  # its cell is the second of the row, in the third column
    assert str(describe_cells(text, None, at, at + 4)) == "row 2, column “Died”"


def test_a_table_of_numbers_alone_has_no_header():
    (table,) = find_tables("1 | 2\n3 | 4\n5 | 6")
    assert table.n_header == 0
    (table,) = find_tables("Ewen | 1775-1776\nBryan | 1777\nHouston | 1778-1779")
    assert table.n_header == 0
    (table,) = find_tables("Season | 2019/20 | 2020/21\nGoals | 33 | 41\nGames | 20 | 22")
    assert table.n_header == 1
    (table,) = find_tables("Year | 1998\nPrice | 4.5\nCount | 6")
    assert table.n_header == 1  # a year names a column


def test_a_header_may_have_two_rows():
    text = " | Sales | Sales\n | 1998 | 1999\nFrance | 1.5 | 1.6\nSpain | 0.6 | 0.7"
    (table,) = find_tables(text)
    assert table.n_header == 2
    assert read_header(text, table) == "| Sales 1998 | Sales 1999"


def test_prose_with_a_stray_bar_is_no_table():
    for text in (
        "He wrote a | b once.\nThen nothing.",
        "The norm |x| of x.\nThe norm |y| of y.",
        "Home | About\nA line | with | many | parts\nOne | two | three",
        "cat a | sort",
    ):
        assert find_tables(text) == []


def test_the_start_of_a_piece_inside_a_table_has_the_header():
    tables = DocumentTables(GDP)
    assert tables.find_start(0, GDP) is None
    assert tables.find_start(GDP.index("Country"), "Country") is None
    start = tables.find_start(GDP.index("Germany"), "Germany")
    assert start == TableStart("Country | 1998 | 1999", 4)
    assert tables.find_start(GDP.index("\nGermany"), "\nGermany") == start


def test_cells_are_named_in_a_piece_as_in_the_whole_text():
    at = GDP.index("2,150")
    assert str(describe_cells(GDP, None, at, at + 5)) == "row 4, column 3"
    cut = GDP.index("Germany")
    start = DocumentTables(GDP).find_start(cut, GDP[cut:])
    piece = GDP[cut:]
    assert str(describe_cells(piece, start, at - cut, at - cut + 5)) == "row 4, column 3"
    assert str(describe_cells(piece, start, 0, piece.index("\n"))) == "row 4"
    assert str(describe_cells(piece, start, 0, piece.index("\n\n"))) == "rows 4–5"
    assert not describe_cells(piece, start, piece.index("More"), len(piece))
    lone = piece[: piece.index("\n")]  # one row alone
    assert str(describe_cells(lone, start, 0, 7)) == "row 4, column 1"


def test_a_piece_that_is_cut_keeps_its_place_in_the_table():
    start = TableStart("Country | 1998 | 1999", 3)
    piece = GDP[GDP.index("France") :]
    assert start_in_piece(piece, start, piece.index("Spain")) == TableStart(start.header, 5)
    assert start_in_piece(piece, start, piece.index("More")) is None
    whole = start_in_piece(GDP, None, GDP.index("Spain"))
    assert whole == TableStart("Country | 1998 | 1999", 5)


@given(st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=2, max_size=12))
def test_every_table_is_found_again(rows: list[list[str]]):
    text = "Before.\n\n" + "\n".join(" | ".join(row) for row in rows) + "\n\nAfter."
    assert rows_of(text)[0] == rows


@given(st.text(st.sampled_from("ab |\n-\\1:"), max_size=200))
def test_any_text_can_be_searched(text: str):
    tables = find_tables(text)
    ends = 0
    for table in tables:
        assert table.start >= ends
        ends = table.end
        for row in table.rows:
            assert "\n" not in text[slice(*row)]
            cells = split_cells(text, *row)
            assert all(row[0] <= a <= b <= row[1] for a, b in cells)
        assert find_table_at(tables, table.start) is table
    for offset in range(0, len(text), 7):
        piece = text[offset:]
        start = DocumentTables(text).find_start(offset, piece)
        if start is not None:
            assert locate_cells(piece, start, 0, 1) is not None
    for a, b in split_sentences(text, "en"):
        assert text[a:b].strip() == text[a:b] != ""
    assert "".join(text[a:b] for a, b in split_sentences(text, "en")).split() or not text.strip()


def test_each_row_is_a_sentence_of_its_own():
    found = [GDP[a:b] for a, b in split_sentences(GDP, "en")]
    assert "France | 1,500 | 1,600" in found and "Germany | 2,100 | 2,150" in found
    text = "Name | What he said\nAlice | Yes. No. It rained.\nBob | Nothing. Ever."
    assert [text[a:b] for a, b in split_sentences(text, "en")] == text.split("\n")


def test_a_long_row_is_cut_between_cells():
    row = " | ".join(["word " * 60 + "end"] * 5)
    text = f"a | b | c | d | e\n{row}"
    found = [text[a:b] for a, b in split_sentences(text, "en")]
    assert len(found) == 6
    assert "".join(found).replace(" ", "") == text.replace("\n", "").replace(" ", "")


def test_chunks_and_windows_hold_whole_rows():
    rows = ["Country | Capital | People", *(f"Land {n} | City {n} | {n}00" for n in range(200))]
    text = "Intro.\n\n" + "\n".join(rows) + "\n\nEnd of it."
    settings = ChunkingSettings(chunk_token_size=50)
    chunks = chunk_text(text, [Heading(1, "Intro.", 0)], "en", settings, count_words)
    assert len(chunks) > 10
    for chunk in chunks:
        windows = split_windows(
            text, chunk.start, chunk.end, "en", target_tokens=20, count_tokens=count_words
        )
        assert len(windows) > 1
        for start, end in windows:
            lines = text[start:end].split("\n")
            assert all(line in rows for line in lines if "|" in line)


def test_a_cell_that_repeats_the_name_of_its_column_is_cited_by_it():
    text = "Country | 1998 | 1999\nCountry: France | 1998: 3 | 1999: 4\nCountry: Spain | 1999: 2"
    start = text.index("2", text.index("Spain"))
    assert str(describe_cells(text, None, start, start + 1)) == "row 3, column “1999”"
    row = text.index("Country: Spain")
    assert str(describe_cells(text, None, row, len(text))) == "row 3"
    piece = text[row:]
    begins = TableStart("", 3)
    assert str(describe_cells(piece, begins, len(piece) - 1, len(piece))) == "row 3, column “1999”"
