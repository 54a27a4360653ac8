"""Tests of tables on the pages of PDFs: rows and cells come out, and prose stays prose."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.engine.text.pdf_positions import find_boxes, locate_characters, open_pdf
from desktop_app.engine.text.readers.pdf import read_pdf
from desktop_app.engine.text_tables import find_tables, read_header, split_cells
from tests.pdf_layouts import CHINESE, Rule, Words, body, make_layout

ROWS = (
    ("Country", "1998", "1999"),
    ("France", "1,500", "1,600"),
    ("Germany", "2,100", "2,150"),
    ("Spain", "610", "640"),
)
XS = (72, 200, 280)


def place(
    rows: Sequence[Sequence[str]], top: float = 700, xs: Sequence[float] = XS, font: str = "F1"
) -> list[Words]:
    return [
        Words(cell, 10, x, top - 20 * n, font)
        for n, row in enumerate(rows)
        for x, cell in zip(xs, row, strict=True)
        if cell
    ]


def draw_grid(n_rows: int, xs: Sequence[float], top: float = 714) -> list[Rule]:
    lines = [Rule(xs[0], top - 20 * n, xs[-1], top - 20 * n) for n in range(n_rows + 1)]
    return lines + [Rule(x, top, x, top - 20 * n_rows) for x in xs]


def rows_of(text: str) -> list[list[list[str]]]:
    return [
        [[text[a:b] for a, b in split_cells(text, *row)] for row in table.rows]
        for table in find_tables(text)
    ]


def read(*pages: Sequence[Words | Rule]) -> str:
    return read_pdf(make_layout(pages), "file").text


def test_a_table_in_a_grid_is_rows_of_cells():
    text = read([*body(760, 2), *place(ROWS), *draw_grid(4, (68, 190, 270, 340)), *body(600, 4)])
    assert rows_of(text) == [[list(row) for row in ROWS]]
    before, after = text.split("Country |")[0], text.split("Spain | 610 | 640")[1]
    assert before.endswith("\n\n") and after.startswith("\n\nThe text of the page goes on")


def test_a_chinese_table_in_a_grid():
    rows = (("姓名", "出生"), ("林黛玉", "苏州"), ("贾宝玉", "金陵"))
    words = place(rows, xs=(72, 200), font=CHINESE)
    text = read([*words, *draw_grid(3, (68, 190, 300))])
    assert rows_of(text) == [[list(row) for row in rows]]


def test_a_cell_over_several_columns_stands_in_the_first():
    rows = (("Sales in all countries", "", ""), *ROWS)
    lines = draw_grid(5, (68, 190, 270, 340))
    lines = [*lines[:6], Rule(68, 714, 68, 614), Rule(340, 714, 340, 614)]
    lines += [Rule(x, 694, x, 614) for x in (190, 270)]
    text = read([*place(rows), *lines])
    assert rows_of(text)[0][0] == ["Sales in all countries", "", ""]


def test_a_table_between_rules_has_no_caption_and_no_note():
    rules = [Rule(72, y, 320, y) for y in (714, 694, 634)]
    caption = Words("Table 1: Product of four countries, in thousand millions", 10, 72, 740)
    note = Words("The numbers are those of the yearbook and were rounded.", 10, 72, 610)
    text = read([caption, *rules, *place(ROWS), note])
    assert rows_of(text) == [[list(row) for row in ROWS]]
    assert read_header(text, find_tables(text)[0]) == "Country | 1998 | 1999"
    assert text.startswith(caption.text) and text.rstrip().endswith(note.text)


def test_numbers_below_each_other_are_a_table_without_rules():
    text = read([*body(780, 2), *place(ROWS), *body(560, 10)])
    assert rows_of(text) == [[list(row) for row in ROWS]]


def test_prose_in_two_columns_is_no_table():
    left = body(700, 30, x=60)
    short = "Lines of prose that stand beside others"
    columns = [Words(short, 10, 60, w.y) for w in left] + [Words(short, 10, 320, w.y) for w in left]
    rules = [Rule(60, 720, 540, 720), Rule(60, 290, 540, 290)]
    assert rows_of(read([*columns, *rules])) == []
    years = [
        Words("It was in 1998 and 1999 that all began,", 10, x, w.y)
        for w in left
        for x in (60, 320)
    ]
    assert rows_of(read([*years, *rules])) == []


def test_a_list_of_contents_is_no_table():
    lines = [
        (Words(f"{n}. Chapter of some things {'.' * 40}", 10, 72, 700 - 15 * n), n)
        for n in range(1, 15)
    ]
    page = [w for words, n in lines for w in (words, Words(str(9 * n), 10, 500, words.y))]
    assert rows_of(read(page)) == []


def test_a_table_goes_on_on_the_next_page():
    more = tuple((f"Land {n}", f"{n}00", f"{n}50") for n in range(1, 9))
    top = [*body(780, 2), *place(ROWS, 100)[:9], *place(ROWS[3:], 40)]
    text = read(top, [*place(more, 790), *body(500, 5)], body(700, 9))
    (table,) = find_tables(text)
    assert len(table.rows) == 12
    assert read_header(text, table) == "Country | 1998 | 1999"


def test_a_bar_in_a_cell_makes_no_cell():
    rows = (("Sign", "Use"), ("a|b", "or"), ("a | b", "also or"))
    text = read([*place(rows, xs=(72, 200)), *draw_grid(3, (68, 190, 300))])
    assert [len(row) for row in rows_of(text)[0]] == [2, 2, 2]


def test_marks_of_cells_are_at_their_place_on_the_page():
    content = make_layout([[*body(760, 2), *place(ROWS), *draw_grid(4, (68, 190, 270, 340))]])
    text = read_pdf(content, "file").text
    document = open_pdf(content)
    start = text.index("Germany")
    end = text.index("2,150") + 5
    boxes = find_boxes(document, 0, text, [(start, end)], {})[0]
    assert boxes
    for left, top, right, bottom in boxes:
        assert 70 / 595 < left < right < 320 / 595
        assert 1 - 675 / 842 < top < bottom < 1 - 650 / 842
    offsets, _, _ = locate_characters(document, 0, text)
    document.close()
    found = {text[i] for i in offsets if start <= i < end}
    assert set("Germany2,100") <= found
