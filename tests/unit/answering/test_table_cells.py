"""Tests of cells that are stated: what names them, what must not, and the answer in the library."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.answering.tables.answer import describe_cell
from desktop_app.engine.answering.tables.cell_selection import find_cells
from desktop_app.engine.answering.tables.cell_values import StatedCell
from desktop_app.engine.answering.tables.named_tables import NamedTable, find_caption
from desktop_app.engine.model import Answer, ChatMessage
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.evaluation.measures import iter_shown
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.text_tables import find_tables, read_grid
from tests.fakes import HashEmbedder, ScriptedChatModel

GDP = """Country | 1998 | 1999 | Growth (%)
France | 1,503 | 1,494 | 3.6
South Korea | 384 | 498 | -5.1
North Macedonia | 3.8 | 3.9 | 3.4"""
MODELS = """Model | SST-2 | MNLI-m | MNLI-mm
BERT | 92.7 | 84.4 | 84.8
BERT-large | 93.2 | 86.6 | 86.3
TAPASBASE | 90.1 | 80.2 | 80.9"""
SAMPLES = """Sample | Site | pH | Nitrate (mg/L)
LK-01 | Loch Katrine | 7.1 | 0.42
LK-02 | Loch Katrine | 6.9 | 0.51
RT-01 | River Teith | 7.6 | 1.64"""
LETTERS = """No. | Writer | Addressee | Date
A/1 | Eleanor Ashdown | Thomas Reeve | 3 March 1812
A/2 | Thomas Reeve | Eleanor Ashdown | 19 March 1812
A/3 | Jean Morel | Thomas Reeve | 2 June 1813"""
CITIES = """城市 | 常住人口（万人） | 2020年增速（%） | 水质类别
上海市 | 2487.1 | 1.7 | Ⅱ类
西藏自治区 | 364.8 | 7.8 | Ⅰ类
广东省 | 12601.3 | 2.3 | Ⅲ类"""
BALANCE = """项目 | 2023A | 2024E | 项目 | 2023A | 2024E
存货 | 797 | 983 | 营业收入 | 8,905 | 11,492
现金 | 4,011 | 4,777 | 净利润 | 1,231 | 1,558"""


def make_table(text: str, *titles: str, number: int = 1) -> NamedTable:
    (table,) = find_tables(text)
    grid = read_grid(text, table)
    assert grid is not None
    return NamedTable((number, 0), text, 0, grid, titles)


def ask(question: str, text: str, *titles: str) -> list[tuple[str, ...]]:
    found = find_cells(question, [make_table(text, *titles)])
    return [(*cell.row, cell.column, cell.value) for cell in found]


@pytest.mark.parametrize(
    ("question", "text", "title", "expected"),
    [
        ("What was France's GDP in 1998?", GDP, "GDP", ("France", "1998", "1,503")),
        ("GDP South Korea 1999", GDP, "GDP", ("South Korea", "1999", "498")),
        ("How much growth had France?", GDP, "", ("France", "Growth", "3.6 %")),
        ("What percentage of growth had France?", GDP, "", ("France", "Growth", "3.6 %")),
        ("What does BERT-large reach on MNLI-mm?", MODELS, "", ("BERT-large", "MNLI-mm", "86.3")),
        ("What accuracy has BERT on SST-2?", MODELS, "Accuracy", ("BERT", "SST-2", "92.7")),
        ("What is the MNLI-m of TAPAS base?", MODELS, "", ("TAPASBASE", "MNLI-m", "80.2")),
        ("How much nitrate had RT-01?", SAMPLES, "", ("RT-01", "Nitrate", "1.64 mg/L")),
        ("What is the pH of LK-02?", SAMPLES, "", ("LK-02", "pH", "6.9")),
        (
            "What was the nitrate at the River Teith site?",
            SAMPLES,
            "",
            ("RT-01", "River Teith", "Nitrate", "1.64 mg/L"),
        ),
        ("What is the date of A/2?", LETTERS, "", ("A/2", "Date", "19 March 1812")),
        ("Who is the writer of A/3?", LETTERS, "", ("A/3", "Writer", "Jean Morel")),
        ("广东2020年的增速是多少？", CITIES, "", ("广东省", "2020年增速", "2.3 %")),
        ("上海市常住人口有多少万人？", CITIES, "", ("上海市", "常住人口", "2487.1 万人")),
        ("西藏自治区的水质类别是什么？", CITIES, "", ("西藏自治区", "水质类别", "Ⅰ类")),
        ("廣東省的常住人口是多少？", CITIES, "", ("广东省", "常住人口", "12601.3 万人")),
        ("2024E的营业收入是多少？", BALANCE, "", ("营业收入", "2024E", "11,492")),
        ("2024E的存货是多少？", BALANCE, "", ("存货", "2024E", "983")),
    ],
)
def test_the_cell_of_a_named_row_and_column_is_stated(question, text, title, expected):
    assert ask(question, text, title) == [expected]


@pytest.mark.parametrize(
    ("question", "text", "title"),
    [
        ("What was Norway's GDP in 1998?", GDP, "GDP"),  # no such row
        ("What was North Korea's GDP in 1998?", GDP, "GDP"),
        ("What was Korea's GDP in 1998?", GDP, "GDP"),  # not the whole name
        ("What was France's GDP in 1997?", GDP, "GDP"),  # no such column
        ("What was France's GDP per capita in 1998?", GDP, "GDP"),
        ("How much did France's GDP fall from 1998 to 1999?", GDP, "GDP"),
        ("What was the average GDP of France in 1998?", GDP, "GDP"),
        ("Why was France's GDP 1,503 in 1998?", GDP, "GDP"),
        ("Was France's GDP 1,503 in 1998?", GDP, "GDP"),
        ("What was France's GDP?", GDP, "GDP"),  # no column
        ("What was the GDP in 1998?", GDP, "GDP"),  # no row
        ("How much nitrate does RT-01 use?", SAMPLES, ""),
        ("How long was BERT trained on SST-2?", MODELS, ""),
        ("What does RoBERTa-large reach on SST-2?", MODELS, ""),
        ("What does TAPASBASE large reach on SST-2?", MODELS, ""),  # no row has "large" in its name
        ("How does BERT reach SST-2?", MODELS, ""),
        ("Who measured the pH of LK-02?", SAMPLES, ""),
        ("Where was the pH of LK-02?", SAMPLES, ""),
        ("What is the date of the letter to Thomas Reeve?", LETTERS, "letter"),  # writer, too
        ("广东省2019年的增速是多少？", CITIES, ""),
        ("广东省的户籍人口是多少？", CITIES, ""),
        ("广东省的常住人口比上海市多多少？", CITIES, ""),
        ("广东省的常住人口是2487.1万人吗？", CITIES, ""),
        ("2022A的存货是多少？", BALANCE, ""),
    ],
)
def test_nothing_is_stated_for_a_question_that_no_cell_answers(question, text, title):
    assert ask(question, text, title) == []


def test_rows_that_fit_alike_are_all_given_and_many_are_not():
    assert ask("What is the pH of Loch Katrine?", SAMPLES) == [
        ("LK-01", "Loch Katrine", "pH", "7.1"),
        ("LK-02", "Loch Katrine", "pH", "6.9"),
    ]
    rows = "\n".join(f"S-{n} | Loch Katrine | {n}.5" for n in range(6))
    assert ask("What is the pH of Loch Katrine?", f"Sample | Site | pH\n{rows}") == []


def test_rows_named_alike_have_all_their_names_and_are_given_only_together():
    rows = ("Single | BM25 | 17.7 | 1.5", "Single | ORQA | 36.4 | -", "Multi | DPR | 3 | 4")
    text = "\n".join(("Kind | Model | WQ | TREC", *rows))
    assert ask("What is the WQ of single?", text) == [
        ("Single", "BM25", "WQ", "17.7"),
        ("Single", "ORQA", "WQ", "36.4"),
    ]
    assert ask("What is the TREC of single?", text) == []  # one of them is missing


def test_columns_that_fit_alike_are_not_stated():
    text = "Country | Area (land) | Area (all)\nFrance | 5.4 | 5.5\nSpain | 4.9 | 5.0"
    assert ask("What is the area of France?", text) == []


def test_only_a_unit_is_written_behind_the_value():
    text = "Country | Area (land) | Length (km)\nFrance | 5.4 | 55\nSpain | 4.9 | 50"
    assert ask("What is the area of France?", text) == [("France", "Area (land)", "5.4")]
    assert ask("What is the length of Spain?", text) == [("Spain", "Length", "50 km")]


def test_two_tables_must_agree():
    first, second = make_table(GDP, "GDP"), make_table(GDP, "GDP", number=2)
    assert len(find_cells("What was France's GDP in 1998?", [first, second])) == 1
    other = make_table(GDP.replace("1,503", "1,477"), "GDP", number=3)
    assert find_cells("What was France's GDP in 1998?", [first, other]) == []


def test_years_of_a_title_do_not_name_a_column():
    text = "Country | GDP\nFrance | 1,503\nSpain | 618"
    assert ask("What was the GDP of France in 1998?", text, "GDP 1998–2020") == []
    assert ask("What was the GDP of France in 1998?", text, "GDP 1998") != []


@pytest.mark.parametrize(
    ("question", "text", "title", "row", "value"),
    [
        ("Which country had the highest GDP in 1998?", GDP, "GDP", "France", "1,503"),
        ("Which country had the lowest growth?", GDP, "", "South Korea", "-5.1 %"),
        ("哪个城市的常住人口最多？", CITIES, "", "广东省", "12601.3 万人"),
        (
            "Which country had the highest GDP in 1998?",
            f"{GDP}\nTotal | 1,890.8 | 1,995 | 2",
            "GDP",
            "France",
            "1,503",
        ),
    ],
)
def test_the_row_with_the_highest_or_lowest_number_is_stated(question, text, title, row, value):
    (cell,) = find_cells(question, [make_table(text, title)])
    assert (cell.row, cell.value, cell.n_rows) == ((row,), value, 3)
    assert row in describe_cell(cell, "en") and "3 rows" in describe_cell(cell, "en")
    assert "3行" in describe_cell(cell, "zh")


LAKES = """Country | Lake | Depth (m) | Surveyor | Sounded by
Kenya | Turkana | 109 | Ann Oduya | Teleki, Samuel
Kenya | Naivasha | 30 | Jan Mols | unknown
Ethiopia | Shala | 266 | Ann Oduya | Jan Mols"""
STAFF = """姓名 | 年龄 | 入职年份 | 著作数
林秋白 | 46 | 2001 | 3
许国栋 | 33 | 2014 | 1
合计 | 79 | | 4"""


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("How deep is Shala?", LAKES, ("Ethiopia", "Shala", "Depth", "266 m")),
        ("Who surveyed Shala?", LAKES, ("Ethiopia", "Shala", "Surveyor", "Ann Oduya")),
        ("Who sounded Turkana?", LAKES, ("Kenya", "Turkana", "Sounded by", "Teleki, Samuel")),
        ("Lake that Samuel Teleki sounded", LAKES, ("Kenya", "Teleki, Samuel", "Lake", "Turkana")),
        ("Which lake has Samuel Teleki?", LAKES, ("Kenya", "Teleki, Samuel", "Lake", "Turkana")),
        ("Which lake is the deepest?", LAKES, ("Ethiopia", "Shala", "Depth", "266 m")),
        ("Which is the shallowest lake?", LAKES, ("Kenya", "Naivasha", "Depth", "30 m")),
        ("林秋白今年多大？", STAFF, ("林秋白", "年龄", "46")),
        ("许国栋是哪一年入职的？", STAFF, None),
        ("许国栋有多少著作？", STAFF, ("许国栋", "著作数", "1")),
        ("谁最年轻？", STAFF, ("许国栋", "年龄", "33")),
    ],
)
def test_everyday_words_name_a_column(question, text, expected):
    assert ask(question, text) == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("question", "text", "title"),
    [
        ("How deep is Kenya?", LAKES, ""),  # two lakes
        ("How deep is the temperature of Shala?", LAKES, "Temperature of lakes"),
        ("How deep is the value for Shala?", LAKES, ""),  # of something else
        ("How deep is Shala in winter?", LAKES, ""),
        ("How old is Shala?", LAKES, ""),
        ("Who was surveyed by Jan Mols?", LAKES, ""),
        ("Whom did Jan Mols survey?", LAKES, ""),
        ("Who did not survey Shala?", LAKES, ""),
        ("Who sounded Naivasha?", LAKES, ""),  # unknown
        ("In what year was Shala sounded?", LAKES, ""),
        ("Which lake in Africa is the deepest?", LAKES, ""),
        ("Which is the deepest and shallowest lake?", LAKES, ""),
        ("How deep is the lowest lake?", LAKES, ""),
        ("林秋白有多大的著作？", STAFF, ""),
    ],
)
def test_everyday_words_that_may_ask_for_something_else_state_nothing(question, text, title):
    assert ask(question, text, title) == []


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("Show all results of BERT-large", MODELS, ["SST-2: 93.2; MNLI-m: 86.6; MNLI-mm: 86.3"]),
        ("Everything you have on South Korea", GDP, ["1998: 384; 1999: 498; Growth: -5.1 %"]),
        ("许国栋的所有数据", STAFF, ["年龄: 33; 入职年份: 2014; 著作数: 1"]),
        ("All data of Kenya", LAKES, []),  # two rows, and a table may go on elsewhere
        ("All results of BERT and BERT-large", MODELS, []),
        ("All results of BERT except SST-2", MODELS, []),
        ("Show all models", MODELS, []),
        ("合计的所有数据", STAFF, []),
        ("What ALL does BERT reach?", MODELS, []),  # "ALL" may be a column of another table
        ("All the scores of BERT", MODELS, ["SST-2: 92.7; MNLI-m: 84.4; MNLI-mm: 84.8"]),
        ("How many of all results of BERT are above 85?", MODELS, []),
        ("How many of all results of BERT?", MODELS, []),
        ("All results of BERT large", MODELS.replace("-large", "-small"), []),
        ("All data of Germany", f"{GDP}\nGermany | 1 | 2 | 3\n | 4 | |", []),  # a divided row
    ],
)
def test_a_whole_row_is_stated_with_its_headers(question, text, expected):
    found = find_cells(question, [make_table(text)])
    shown = [describe_cell(cell, "en").removeprefix(f"{', '.join(cell.row)}, ") for cell in found]
    assert shown == expected


def test_a_row_of_copies_is_stated_once_and_of_two_tables_twice():
    copy, other = make_table(MODELS, number=2), make_table(MODELS.replace("93.2", "94"), number=3)
    found = find_cells("All results of BERT-large", [make_table(MODELS), copy, other])
    assert [cell.table.key[0] for cell in found] == [1, 3]
    assert MODELS[slice(*found[0].span)] == "BERT-large | 93.2 | 86.6 | 86.3"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which country had the second highest growth?", GDP),
        ("Which country in Europe had the highest growth?", GDP),
        (
            "Which country had the highest GDP in 1998?",
            GDP.replace("South", "Total | 9 | 9 | 9\nSouth"),
        ),
        ("Which country had the highest GDP in 1998?", f"{GDP}\nThe three | 1,890.8 | 1,995 | 2"),
        ("Which country had the highest growth?", GDP.replace("-5.1", "")),
        ("Which country had the highest growth?", GDP.replace("-5.1", "3.6")),
        ("Which country had the highest growth?", GDP.replace("South", "Asia | | | \nSouth")),
    ],
)
def test_no_extreme_is_stated_of_sums_gaps_ties_and_groups(question, text):
    assert ask(question, text, "GDP") == []


def test_a_table_whose_columns_have_no_certain_name_states_nothing():
    wide = "Set | All | Train | | Dev\nNQ | 9 | 7 | 5 | 8\nWQ | 6 | 3 | 2 | 1"
    assert ask("What is the dev of NQ?", wide) == [("NQ", "Dev", "8")]
    assert ask("What is the train of NQ?", wide) == ask("What is the all of NQ?", wide) == []
    last = "Set | Train | Dev |\nNQ | 7 | 5 | 8\nWQ | 3 | 2 | 1"  # "Train Dev" may be two names
    assert read_grid(last, *find_tables(last)) is None
    again = " | A | B\nx | 1 | 2\ny | 3 | 4\n | C | D\nx | 5 | 6"
    grid = read_grid(again, *find_tables(again))
    assert grid is not None and len(grid.rows) == 2  # the rows below the second header
    divided = "Model | Size\nA | 110 M\n | 110 M -\nB | 512\nC | 7"
    assert ask("What is the size of model B?", divided) == []


def test_rows_that_repeat_their_header_and_sections_have_columns():
    text = "Country | 1998 | 1999\nCountry: France | 1998: 3 | 1999: 4\nCountry: Spain | 1999: 2"
    assert ask("What was the 1999 number of Spain?", text) == [("Spain", "1999", "2")]
    assert ask("What was the 1998 number of Spain?", text) == []
    chart = (
        "Line 7 | Line 5 | Line 6\nZone A | Line 7: 4 | Line 5: 2 | Line 6: 9\n"
        "Zone B | Line 7: 1 | Line 5: 3 | Line 6: 8"
    )
    assert ask("Zone A, line 5", chart) == [("Zone A", "Line 5", "2")]
    groups = "Item | 2023 | 2024\nAssets\nCash | 1 | 2\nDebts\nCash | 3 | 4\nLoans | 5 | 6"
    assert ask("How much cash was there in 2024 under debts?", groups) == []  # "under" is left
    assert ask("Debts cash 2024", groups) == [("Debts", "Cash", "2024", "4")]


def test_a_small_number_of_a_note_is_no_part_of_a_name():
    text = "Method | FPS2 | Error3 | F1\nESAW [6] | 79 | 8.21 | 5\nOurs | 90 | 6.20 | 4"
    assert ask("How many FPS does ESAW reach?", text) == [("ESAW [6]", "FPS2", "79")]
    assert ask("What is the error of ESAW?", text) == [("ESAW [6]", "Error3", "8.21")]
    assert ask("What is the F of ESAW?", text) == []


def test_a_caption_is_a_numbered_line_or_a_short_one():
    assert find_caption("Prose.\nTable 2: Accuracy", "More") == "Table 2: Accuracy"
    assert find_caption("as Table 1 shows. Table 2: Accuracy", "") == "Table 2: Accuracy"
    assert find_caption("Prose of the section.", "表3 各模型的结果\n正文") == "表3 各模型的结果"
    assert find_caption("Table 2: that above", "Table 3: that below") == ""
    assert find_caption("Letters of box 4", "") == "Letters of box 4"
    assert find_caption("The figures follow, as usual.", "") == ""


@given(st.text(max_size=120), st.lists(st.lists(st.text(max_size=12), min_size=2, max_size=4)))
def test_any_text_can_be_asked_about(question, rows):
    text = "\n".join(" | ".join(" ".join(cell.split()) for cell in row) for row in rows)
    for table in find_tables(text):
        grid = read_grid(text, table)
        if grid is not None:
            named = NamedTable((1, 0), text, 0, grid, (question,), "")
            assert all(isinstance(c, StatedCell) for c in find_cells(question, [named]))


# --- in a library ------------------------------------------------------------------------------


def write_xlsx(path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "GDP"
    for line in GDP.split("\n"):
        book.active.append([cell.replace(",", "") for cell in line.split(" | ")])
    book.save(path)


def write_csv(path):
    lines = [line.replace(",", "").replace(" | ", ",") for line in GDP.split("\n")]
    path.write_text("\n".join(lines), "utf-8")


def write_html(path):
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in line.split(" | ")) + "</tr>"
        for line in GDP.split("\n")
    )
    path.write_text(
        f"<html><body><h1>GDP</h1><p>Prose of a page.</p><table>{rows}</table></body></html>"
    )


def write_markdown(path):
    header, *rows = (f"| {line} |" for line in GDP.split("\n"))
    path.write_text("\n".join(["# GDP", "", header, "|---|---|---|---|", *rows]), "utf-8")


WRITERS = {"xlsx": write_xlsx, "csv": write_csv, "html": write_html, "md": write_markdown}


def open_library(folder, *endings: str) -> Library:
    paths = [folder / f"GDP.{ending}" for ending in endings]
    for path in paths:
        WRITERS[path.suffix[1:]](path)
    library = Library(folder / "cells.inkgraph")
    add_files(library.writer, paths)
    IndexingService(library.writer, HashEmbedder).run()
    return library


def build_pipeline(library, model=None):
    retriever = Retriever(library.writer, HashEmbedder)
    return AnswerPipeline(retriever, library.writer, lambda: model)


@pytest.mark.parametrize("ending", list(WRITERS))
@pytest.mark.parametrize("mode", ["walk", "naive", "words"])
def test_a_cell_of_a_file_is_stated_and_cited_without_a_model(tmp_path, ending, mode):
    library = open_library(tmp_path, ending)
    try:
        *pieces, answer = build_pipeline(library).query_stream(
            "What was South Korea's GDP in 1999?", QueryParam(mode=mode)
        )
        assert isinstance(answer, Answer)
        assert "".join(pieces) == answer.text
        assert answer.text.startswith("South Korea, 1999: 498") and answer.text.endswith("[1].")
        [citation] = answer.citations
        assert citation.quote == "498" and citation.cells
        text = library.writer.value("SELECT text FROM document_text")
        assert text[citation.start : citation.end] == "498"
        assert answer.found.check is not None and len(answer.found.check.kept) == 1
    finally:
        library.close()


def test_a_model_is_neither_asked_nor_loaded_for_a_cell(tmp_path):
    library = open_library(tmp_path, "csv")
    try:
        model = ScriptedChatModel(["Nonsense [1]."])
        loaded = []
        retriever = Retriever(library.writer, HashEmbedder)
        pipeline = AnswerPipeline(retriever, library.writer, lambda: loaded.append(model) or model)
        question = "What was South Korea's GDP in 1999?"
        pipeline.read_ahead(None, question, cancel=CancelToken())
        loaded.clear()
        chat_id = Chats(library.writer, library.writer).create_chat()
        assert pipeline.ask(chat_id, question).model == ""
        assert not loaded and not model.asked
        stored = Chats(library.writer, library.writer).fetch_messages(chat_id)[-1]
        assert stored.n_confirmed == 1 and stored.citations[0].quote == "498"
    finally:
        library.close()


def test_a_list_of_cells_is_stated_each_with_its_row(tmp_path):
    (tmp_path / "samples.csv").write_text(SAMPLES.replace(" | ", ","), "utf-8")
    library = Library(tmp_path / "cells.inkgraph")
    try:
        add_files(library.writer, [tmp_path / "samples.csv"])
        IndexingService(library.writer, HashEmbedder).run()
        answer = build_pipeline(library).query("What is the pH of Loch Katrine?")
        assert answer.text.split("\n") == [
            "- LK-01, Loch Katrine, pH: 7.1 (samples) [1].",
            "- LK-02, Loch Katrine, pH: 6.9 (samples) [1].",
        ]
        [citation] = answer.citations
        assert citation.quote.startswith("7.1") and citation.quote.endswith("6.9")
        assert [is_stated for _, _, is_stated in iter_shown(answer)] == [True, True]
        row = build_pipeline(library).query("Show all data of RT-01")
        assert row.text == "RT-01, Site: River Teith; pH: 7.6; Nitrate: 1.64 mg/L (samples) [1]."
        assert str(row.citations[0].cells) == "row 4"
    finally:
        library.close()


def test_instructions_of_the_user_and_requests_for_the_prompt_are_kept(tmp_path):
    library = open_library(tmp_path, "csv")
    try:
        model = ScriptedChatModel(["It was 498 [1]."])
        question = "What was South Korea's GDP in 1999?"
        for param in (
            QueryParam(user_prompt="Answer in French."),
            QueryParam(only_need_context=True),
            QueryParam(response_type="Multiple Paragraphs"),
        ):
            answer = build_pipeline(library, model).query(question, param)
            assert not answer.text.startswith("South Korea, 1999: 498")
    finally:
        library.close()


def test_a_follow_up_that_names_its_cell_is_stated(tmp_path):
    library = open_library(tmp_path, "csv")
    try:
        before = (ChatMessage("user", "What was South Korea's GDP in 1998?"),)
        answer = build_pipeline(library).query(
            "What was France's GDP in 1998?", QueryParam(conversation_history=before)
        )
        assert answer.text.startswith("France, 1998: 1503")
    finally:
        library.close()


def test_copies_of_a_table_in_several_files_are_one_answer(tmp_path):
    library = open_library(tmp_path, "csv", "xlsx", "md")
    try:
        answer = build_pipeline(library).query("What was France's GDP in 1998?")
        assert answer.text.startswith("France, 1998: 1") and len(answer.citations) == 1
    finally:
        library.close()


def test_a_very_long_question_is_left_to_the_model_at_once():
    assert ask("What was the GDP of France in 1998? " * 3_000, GDP) == []


WEATHER = """Station | Lowest temperature (°C) | Rainfall (mm)
Greyhaven | -9 | 812
Ellery | - 15 | 640
-40 Camp | −41.0 | +62"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was the lowest temperature at Greyhaven?", "Greyhaven, Lowest temperature: -9 °C"),
        ("What was the lowest temperature at Ellery?", "Ellery, Lowest temperature: - 15 °C"),
        ("What was the lowest temperature at -40 Camp?", "−40 Camp, Lowest temperature: −41.0 °C"),
        ("What was the rainfall at -40 Camp?", "−40 Camp, Rainfall: +62 mm"),
    ],
)  # fmt: skip
def test_the_sign_of_a_number_is_stated(question: str, said: str):
    [cell] = find_cells(question, [make_table(WEATHER, "Weather of 2019")])
    assert describe_cell(cell, "en") == f"{said} (Weather of 2019)"


LAKES = """Lake | Area (km²) | Elevation (m) | Outflow
Orrin | 84.2 | 212 | Teld
Little Orrin | 6.1 | 447 | Orrin"""
BREADS = """Bread | Price (EUR)
rye bread | 4.20
rye bread with caraway | 4.60"""
TRIAL = """Characteristic | Placebo | Norvexil
Women (%) | 46 | 51
Participants | 80 | 81"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the area of Orrin and Little Orrin?", LAKES),
        ("What is the elevation of Orrin's outflow?", LAKES),
        ("What is the price of rye bread with caraway and rye bread?", BREADS),
        ("How many women were in the placebo group?", TRIAL),
    ],
)
def test_two_rows_and_shares_of_counts_are_not_stated(question: str, text: str):
    assert ask(question, text) == []


def test_one_of_two_names_that_contain_each_other_is_stated():
    assert ask("What is the area of Little Orrin?", LAKES) == [("Little Orrin", "Area", "6.1 km²")]
    assert ask("What is the area of Orrin?", LAKES) == [("Orrin", "Area", "84.2 km²")]
    assert ask("What is the outflow of Little Orrin?", LAKES) == [
        ("Little Orrin", "Outflow", "Orrin")
    ]
    assert ask("How many participants are in the placebo group?", TRIAL) == [
        ("Participants", "Placebo", "80")
    ]


def test_tables_of_two_years_are_no_copies_and_disagree(tmp_path):
    library = Library(tmp_path / "weather.inkgraph")
    for year, rain in ((2019, (812, 640, 1990, 233)), (2020, (745, 702, 2210, 251))):
        path = tmp_path / f"weather {year}.md"
        names = ("Greyhaven Airport", "Port Ellery", "Mount Sorrow", "Lower Depot")
        lines = [f"| {name} | {mm} |" for name, mm in zip(names, rain, strict=True)]
        path.write_text("\n".join(["| Station | Rainfall (mm) |", "|---|---|", *lines]), "utf-8")
        add_files(library.writer, [path])
    IndexingService(library.writer, HashEmbedder).run()
    pipeline = build_pipeline(library)
    [*_, answer] = pipeline.query_stream("What was the rainfall at Port Ellery?", QueryParam())
    assert isinstance(answer, Answer)
    assert "640" in answer.text and "702" in answer.text  # quoted both, or told apart
    [*_, answer] = pipeline.query_stream(
        "What was the rainfall at Port Ellery in 2020?", QueryParam()
    )
    assert isinstance(answer, Answer) and "702 mm" in answer.text and "640" not in answer.text
    library.close()
