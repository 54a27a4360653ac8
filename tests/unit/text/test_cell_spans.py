"""Tests of cells over several columns or rows, in each format that has them."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from benchmarks.format_files import make_odf, make_zip
from desktop_app.engine.text.readers.cell_spans import SpannedCell, expand_spans
from desktop_app.engine.text.readers.tables import format_tables
from desktop_app.engine.text.reading import read_bytes
from desktop_app.engine.text_tables import describe_cells, find_tables, read_header

# One table in all formats: a title, a header of two rows, a group of two rows, the title of a
# section, and a value for two columns. (text, columns, rows)
TABLE: list[list[tuple[str, int, int]]] = [
    [("Results of the year", 4, 1)],
    [("Model", 1, 2), ("Accuracy", 2, 1), ("Size", 1, 2)],
    [("English", 1, 1), ("Chinese", 1, 1)],
    [("Large", 1, 2), ("81.2", 1, 1), ("79.5", 1, 1), ("7", 1, 1)],
    [("80.1", 1, 1), ("78.4", 1, 1), ("8", 1, 1)],
    [("Open models", 4, 1)],
    [("Small", 1, 1), ("none", 2, 1), ("1", 1, 1)],
]
HEADER = "Model | Accuracy English | Accuracy Chinese | Size"
ROWS = """Results of the year
Model | Accuracy | Accuracy | Size
Model | English | Chinese | Size
Large | 81.2 | 79.5 | 7
Large | 80.1 | 78.4 | 8
Open models
Small | none |  | 1"""
LABELLED = """Results of the year

Model | Accuracy English | Accuracy Chinese | Size
Model: Large | Accuracy English: 81.2 | Accuracy Chinese: 79.5 | Size: 7
Model: Large | Accuracy English: 80.1 | Accuracy Chinese: 78.4 | Size: 8
Open models
Model: Small | Accuracy English / Accuracy Chinese: none | Size: 1"""


def place_table() -> list[tuple[int, int, str, int, int]]:
    """Return (row, column, text, columns, rows) of each cell."""
    columns = [[0], [0, 1, 3], [1, 2], [0, 1, 2, 3], [1, 2, 3], [0], [0, 1, 3]]
    return [
        (row, column, *cell)
        for row, cells in enumerate(TABLE)
        for column, cell in zip(columns[row], cells, strict=True)
    ]


def make_html() -> bytes:
    rows = [
        "".join(f"<td colspan={c} rowspan={r}>{t}</td>" for t, c, r in cells) for cells in TABLE
    ]
    return f"<html><body><table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>".encode()


def make_docx() -> bytes:
    lines: list[list[tuple[int, str]]] = [[] for _ in TABLE]
    for row, column, text, columns, rows in place_table():
        for number in range(row, row + rows):
            merge = (
                ""
                if rows == 1
                else "<w:vMerge w:val='restart'/>"
                if number == row
                else "<w:vMerge/>"
            )
            words = text if number == row else ""
            cell = (
                f"<w:tc><w:tcPr><w:gridSpan w:val='{columns}'/>{merge}</w:tcPr>"
                f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:tc>"
            )
            lines[number].append((column, cell))
    body = "".join(f"<w:tr>{''.join(cell for _, cell in sorted(line))}</w:tr>" for line in lines)
    xml = (
        "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>"
        f"<w:body><w:tbl>{body}</w:tbl></w:body></w:document>"
    )
    return make_zip({"word/document.xml": xml})


def make_odt() -> bytes:
    covered = {
        (row + y, column + x)
        for row, column, _, columns, rows in place_table()
        for y in range(rows)
        for x in range(columns)
        if x or y
    }
    cells = {(row, column): rest for row, column, *rest in place_table()}
    body = ""
    for row in range(len(TABLE)):
        body += "<table:table-row>"
        for column in range(4):
            if (row, column) in covered:
                body += "<table:covered-table-cell/>"
            else:
                text, columns, rows = cells[row, column]
                body += (
                    f"<table:table-cell table:number-columns-spanned='{columns}'"
                    f" table:number-rows-spanned='{rows}'><text:p>{text}</text:p>"
                    "</table:table-cell>"
                )
        body += "</table:table-row>"
    content = f"<office:text><table:table>{body}</table:table></office:text>"
    return make_odf("text", content, "")


def make_xlsx() -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    for row, column, text, columns, rows in place_table():
        sheet.cell(row + 1, column + 1).value = float(text) if "." in text else text
        if columns > 1 or rows > 1:
            sheet.merge_cells(
                start_row=row + 1,
                start_column=column + 1,
                end_row=row + rows,
                end_column=column + columns,
            )
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def make_pptx() -> bytes:
    import pptx
    from pptx.util import Inches

    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    place = (Inches(1), Inches(1), Inches(6), Inches(3))
    table = slide.shapes.add_table(len(TABLE), 4, *place).table
    for row, column, text, columns, rows in place_table():
        table.cell(row, column).text = text
        if columns > 1 or rows > 1:
            table.cell(row, column).merge(table.cell(row + rows - 1, column + columns - 1))
    stream = io.BytesIO()
    presentation.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("make", "name"), [(make_html, "a.html"), (make_docx, "a.docx")], ids=["html", "docx"]
)
def test_covered_places_of_a_table_in_a_text_have_cells(make: Callable[[], bytes], name: str):
    [document] = read_bytes(make(), name)
    assert document.text == ROWS
    [table] = find_tables(document.text)
    assert read_header(document.text, table) == HEADER
    start = document.text.index("78.4")
    place = describe_cells(document.text, None, start, start + 4)
    assert str(place) == "row 4, column 3"


@pytest.mark.parametrize(
    ("make", "name"),
    [(make_odt, "a.odt"), (make_xlsx, "a.xlsx"), (make_pptx, "a.pptx")],
    ids=["odt", "xlsx", "pptx"],
)
def test_merged_cells_count_for_each_row_and_column(make: Callable[[], bytes], name: str):
    [document] = read_bytes(make(), name)
    assert document.text.removeprefix("Sheet\n\n") == LABELLED


@pytest.mark.parametrize(
    ("rows", "expected"),
    [  # the names of columns may stand in the lower row, or in the upper one alone
        (
            [[("", 1, 1), ("Accuracy", 2, 1)], [("Model", 1, 1), ("EN", 1, 1), ("ZH", 1, 1)]],
            "Model | Accuracy EN | Accuracy ZH",
        ),
        (
            [[("Name", 1, 1), ("Contact", 2, 1)], [("Ann", 1, 1), ("Paris", 1, 1), ("x", 1, 1)]],
            "Name | Contact | Contact",
        ),
    ],
)
def test_a_header_has_one_name_for_each_column(
    rows: list[list[tuple[str, int, int]]], expected: str
):
    rows += [[("A", 1, 1), ("1", 1, 1), ("2", 1, 1)], [("B", 1, 1), ("3", 1, 1), ("4", 1, 1)]]
    lines = "".join(
        f"<tr>{''.join(f'<th colspan={c} rowspan={r}>{t}</th>' for t, c, r in row)}</tr>"
        for row in rows
    )
    [document] = read_bytes(f"<html><table>{lines}</table>".encode(), "a.html")
    [table] = find_tables(document.text)
    assert read_header(document.text, table) == expected


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        (
            [["Item", "2022", "", "2023", "", "Note"], ["", "Q1", "Q2", "Q1", "Q2"]],
            "Item | 2022 Q1 | 2022 Q2 | 2023 Q1 | 2023 Q2 | Note",
        ),
        (
            [["", "收入", "", "支出", ""], ["项目", "2021年", "2022年", "2021年", "2022年"]],
            "项目 | 收入 2021年 | 收入 2022年 | 支出 2021年 | 支出 2022年",
        ),
        ([["Item", "2022", "", "2023", ""], ["", "Q1", "Q2", "Q3", "Q4"]], "Item | 2022 | 2023"),
        ([["Item", "2022", "", "2023"], ["", "Q1", "Q2", "Q1"]], "Item | 2022 | 2023"),
        ([["Item", "A", "", "B", ""], ["", "1", "2", "1", "2"]], "Item | A | B"),
        ([["Item", "A", "", "B", ""], ["Rice", "x", "y", "x", "y"]], "Item | A | B"),
    ],
)
def test_names_of_groups_stand_over_their_columns_without_merged_cells(
    rows: list[list[str]], header: str
):
    width = len(rows[0])
    body = [[name, *["1.5"] * (width - 1)] for name in ("Staff", "Travel")]
    assert format_tables([*rows, *body])[0][0] == header


def test_a_group_without_header_is_repeated_and_a_long_text_is_not():
    rows = [
        [SpannedCell("Fruit", 1, 2), SpannedCell("apple")],
        [SpannedCell("pear")],
        [SpannedCell("x" * 101, 1, 2)],
        [],
    ]
    assert expand_spans(rows) == [["Fruit", "apple"], ["Fruit", "pear"], ["x" * 101], []]
    nested = b"<table><tr><td rowspan=2>A<table><tr><td>1<td>2</table><td>b<tr><td>c</table>"
    assert read_bytes(nested, "a.html")[0].text.endswith("| c")


def test_spans_of_any_size_keep_a_page_small():
    page = "<table>" + "<tr><td colspan=1000 rowspan=65534>a<td colspan=1000>b" * 2_000
    assert len(read_bytes(page.encode(), "a.html")[0].text) < 100_000


def test_a_table_that_labels_would_make_too_long_has_them_once(monkeypatch: pytest.MonkeyPatch):
    from desktop_app.engine.text.readers import tables

    monkeypatch.setattr(tables, "MAX_LABELLED_CHARS", 30)
    [lines] = format_tables([["Name", "Born", "Town"], ["Ann", "", "Rome"], ["Bob", "1832", "X"]])
    assert lines == ["Name | Born | Town", "Ann |  | Rome", "Bob | 1832 | X"]
