"""Tests reading of office files, books, mail, archives and subtitles: text, places, refusals."""

from __future__ import annotations

import datetime
import gzip
import io
import json
import re
import tarfile
import warnings
import zipfile
from collections.abc import Callable

import pytest

from benchmarks import format_files as made
from benchmarks.bad_files import judge_text
from desktop_app.engine.errors import UserError
from desktop_app.engine.model import ReadDocument
from desktop_app.engine.text.file_kinds import find_picture_kind, is_supported
from desktop_app.engine.text.readers import file_archives
from desktop_app.engine.text.readers.mobi import unpack_palmdoc
from desktop_app.engine.text.readers.spreadsheets import show_value
from desktop_app.engine.text.readers.tables import format_tables
from desktop_app.engine.text.reading import find_inner_file, read_bytes
from tests.scanned import draw_page, save


def read(name: str) -> ReadDocument:
    return read_bytes(made.FILES[name](), name)[0]


def outline(document: ReadDocument) -> list[str]:
    for heading in document.outline:
        assert document.text.startswith(heading.title, heading.start)
    return [heading.title for heading in document.outline]


def page_texts(document: ReadDocument) -> dict[str, str]:
    return {page.label: document.text[page.start : page.end] for page in document.pages}


# --- tables and slides ----------------------------------------------------------------------------


def change_part(content: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """Return a zip file with one of its parts changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    return made.make_zip({**parts, name: change(parts[name])})


@pytest.mark.parametrize(
    ("good", "bad", "shown"),
    [
        (b"<v>1503.25</v>", b"<v>15O3.25</v>", "1998: 15O3.25"),  # no number: as it is stored
        (b"<v>1503.25</v>", b"<v>1.2.3</v>", "1998: 1.2.3"),
        (b'r="3"', b'r="three"', "1998: 1,503.25"),  # the row follows the one before
    ],
)
def test_a_bad_cell_leaves_the_others_of_its_workbook(good: bytes, bad: bytes, shown: str):
    sheet = "xl/worksheets/sheet1.xml"
    content = change_part(made.make_xlsx(), sheet, lambda part: part.replace(good, bad, 1))
    [document] = read_bytes(content, "economy.xlsx")
    assert f"Country: France | 1997: 1452.5 | {shown} | Share: 12.5%" in document.text
    assert "Country: Italy | 1997: 1239.9 | 1998: 1,270.00" in document.text
    assert "Ada Byron counted these." in document.text
    damaged = "The sheet “Economy” is damaged and not whole."
    assert (damaged in map(str, document.notes)) == (b"<v>" in good)


def test_a_sheet_that_ends_in_the_middle_keeps_its_rows_and_the_other_sheets():
    sheet = "xl/worksheets/sheet1.xml"
    content = change_part(made.make_xlsx(), sheet, lambda part: part[: part.index(b'<row r="4"')])
    [document] = read_bytes(content, "economy.xlsx")
    assert "Country: France" in document.text and "Italy" not in document.text
    assert "Ada Byron counted these." in document.text
    assert str(document.notes[0]) == "The sheet “Economy” is damaged and not whole."


def test_a_number_of_a_text_that_is_not_there_leaves_its_cell_empty():
    def point_nowhere(part: bytes) -> bytes:
        return re.sub(rb'<c r="C3"[^>]*>.*?</c>', b'<c r="C3" t="s"><v>777</v></c>', part)

    content = change_part(made.make_xlsx(), "xl/worksheets/sheet1.xml", point_nowhere)
    [document] = read_bytes(content, "economy.xlsx")
    assert "Country: France | 1997: 1452.5 | Share: 12.5%" in document.text
    assert "777" not in document.text and "1,270.00" in document.text
    assert "The sheet “Economy” is damaged and not whole." in map(str, document.notes)


def test_a_formula_without_a_stored_result_stands_for_itself():
    import openpyxl

    book = openpyxl.Workbook()  # openpyxl stores no results
    for row in (["Item", "Price", "Total"], ["Gauge", 12, "=B2*3"], ["Chart", 7, "=B3*3"]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    [found] = read_bytes(out.getvalue(), "a.xlsx")
    assert "Item: Gauge | Price: 12 | Total: =B2*3" in found.text
    [note] = found.notes
    assert "without stored results" in str(note) and note.params["n"] == 2


@pytest.mark.parametrize(
    ("cell", "shown", "n_notes"),
    [
        ('<c r="A1"><f>1+1</f><v>2</v></c>', "2", 0),
        ('<c r="A1"><f>1+1</f></c>', "=1+1", 1),
        ('<c r="A1"><f t="shared" si="0"/><v/></c>', "=…", 1),
        ('<c r="A1" t="str"><f>B1&amp;""</f><v></v></c>', "", 0),
    ],
)
def test_only_a_formula_whose_result_is_missing_is_shown(cell: str, shown: str, n_notes: int):
    out = io.BytesIO()
    content = made.FILES["economy.xlsx"]()
    row = f'<row r="1">{cell}<c r="B1" t="inlineStr"><is><t>End</t></is></c></row>'
    sheet = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"<sheetData>{row}</sheetData></worksheet>"
    )
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, sheet if name.endswith("sheet1.xml") else old.read(name))
    [found] = read_bytes(out.getvalue(), "a.xlsx")
    first = found.text.split("\n\n")[1]
    assert first == (f"{shown} | End" if shown else "End")
    assert sum("stored results" in str(note) for note in found.notes) == n_notes


def save_as_strict(content: bytes) -> bytes:
    """Return a workbook or presentation with the namespaces and dates of Strict Open XML."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            part = re.sub(
                rb"http://schemas\.openxmlformats\.org/(\w+)/2006/(\w+)",
                rb"http://purl.oclc.org/ooxml/\1/\2",
                old.read(name),
            )
            new.writestr(name, part if not name.startswith("[Content") else old.read(name))
    return out.getvalue()


@pytest.mark.parametrize("name", ["economy.xlsx", "tides.pptx"])
def test_a_strict_file_has_the_text_of_an_ordinary_one(name: str):
    [strict] = read_bytes(save_as_strict(made.FILES[name]()), name)
    assert strict.text == read(name).text
    assert strict.outline == read(name).outline


def test_a_date_in_the_form_of_strict_files_is_shown_in_its_format():
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["Day", "Hour"])
    book.active.append([datetime.date(1999, 5, 3), datetime.time(9, 30)])
    book.active["A2"].number_format, book.active["B2"].number_format = "d mmmm yyyy", "h:mm"
    book.iso_dates = True
    out = io.BytesIO()
    book.save(out)
    [found] = read_bytes(out.getvalue(), "a.xlsx")
    assert found.text.split("\n")[2:] == ["Day | Hour", "Day: 3 May 1999 | Hour: 09:30"]


@pytest.mark.parametrize(
    ("value", "style", "shown"),
    [
        (3, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (1234567, "0.0,,", "1.2"),
        (-5.5, "0.00;(0.00)", "(5.50)"),
        (0.256, "0%", "26%"),
        (12.5, '[$€-407] #,##0.00" m²"', "€ 12.50 m²"),
        (12345, "0.00E+00", "1.23E+04"),
        (2.5, "0.###", "2.5"),
        (7, '"No. 0"0', "No. 07"),
        (True, "General", "TRUE"),
        (datetime.datetime(1999, 5, 3, 14, 5), "dd.mm.yyyy hh:mm", "03.05.1999 14:05"),
        (datetime.datetime(1999, 5, 3, 14, 5), "h:mm AM/PM", "2:05 PM"),
        (datetime.datetime(1999, 5, 3), "mm-dd-yy", "1999-05-03"),
        (datetime.datetime(1999, 5, 3), 'yyyy"年"m"月"d"日"', "1999年5月3日"),
        (datetime.time(9, 30), "h:mm", "09:30"),
        (datetime.timedelta(hours=30), "[h]:mm:ss", "30:00:00"),
        (float("inf"), "0.00", "inf"),
    ],
)
def test_numbers_and_dates_are_shown_in_their_format(value: object, style: str, shown: str):
    assert show_value(value, style) == shown


def test_a_sheet_may_have_several_tables_with_headers_of_their_own():
    rows = [["Ports"], ["Port", "Height"], ["Harwich", "3.4"], [], ["Ship", "Crew"], ["Ida", "9"]]
    assert format_tables(rows) == [
        ["Ports"],
        ["Port | Height", "Port: Harwich | Height: 3.4"],
        ["Ship | Crew", "Ship: Ida | Crew: 9"],
    ]


def test_a_table_without_header_gives_its_cells():
    rows = [["1", "2"], ["3", "4"], [], ["5", "6"]]
    assert format_tables(rows) == [["1 | 2", "3 | 4", "5 | 6"]]


_OFFICE = b"application/vnd.openxmlformats-officedocument."
_MACROS = {
    "xlsm": b"application/vnd.ms-excel.sheet.macroEnabled.main+xml",
    "xltx": _OFFICE + b"spreadsheetml.template.main+xml",
    "pptm": b"application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
    "ppsx": _OFFICE + b"presentationml.slideshow.main+xml",
    "ppsm": b"application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml",
    "potx": _OFFICE + b"presentationml.template.main+xml",
    "potm": b"application/vnd.ms-powerpoint.template.macroEnabled.main+xml",
}
_PLAIN = {"x": ("economy.xlsx", b"spreadsheetml.sheet.main+xml", "France")}
_PLAIN["p"] = ("tides.pptx", b"presentationml.presentation.main+xml", "Clara Wren")


@pytest.mark.parametrize("suffix", _MACROS)
def test_office_files_with_macros_shows_and_templates_are_read_as_plain_ones(suffix: str):
    plain, kind, word = _PLAIN[suffix[0]]
    content = change_part(
        made.FILES[plain](),
        "[Content_Types].xml",
        lambda part: part.replace(_OFFICE + kind, _MACROS[suffix]),
    )
    name = f"pile.{suffix}"
    assert is_supported(name)
    [document] = read_bytes(content, name)
    assert word in document.text and document.text == read(plain).text


def test_texts_of_programs_are_read_and_no_picture():
    assert is_supported("server.log")
    for text in ("BMW built it, says Ada Byron.", "BM\0\0 no, a text."):
        assert find_picture_kind(text.encode()) is None
    assert read_bytes(b"BMW built it, says Ada Byron.", "server.log")[0].format == "txt"


def test_a_slide_is_a_page_with_its_notes():
    document = read("tides.pptx")
    assert outline(document) == ["Tides of Harwich", "Heights"]
    pages = page_texts(document)
    assert pages["1"].endswith("Thank Ada Byron for the tables.")
    assert pages["2"] == "Heights\n\nPort | Height\nPort: Harwich | Height: 3.4 m"
    assert [heading.page_index for heading in document.outline] == [0, 1]


# --- OpenDocument ---------------------------------------------------------------------------------


def test_a_text_of_opendocument_has_headings_rows_notes_and_formulas():
    document = read("gauge.odt")
    assert outline(document) == ["The gauge"]
    assert "reads the gauge[1] twice a day, by a/b = x^2." in document.text
    assert document.text.endswith("Port: Harwich | Height: 3.4 m\n\n[1] At Harwich.")
    assert "deleted" not in document.text
    assert (document.title, document.author, document.year) == (
        "Gauges of the coast",
        "Ann Grey",
        "1999",
    )


def test_a_sheet_of_opendocument_has_its_rows_without_empty_ones():
    document = read("economy.ods")
    assert document.text == "Economy\n\nCountry | 1998\nCountry: France | 1998: 1,503.25"


def test_the_title_of_a_slide_of_opendocument_comes_first():
    document = read("tides.odp")
    assert page_texts(document) == {
        "1": "Tides of Harwich\n\nClara Wren reads it.\n\nThank Ada Byron."
    }


def test_a_locked_text_of_opendocument_is_refused():
    manifest = (
        '<m:manifest xmlns:m="m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    )
    content = made.make_odf("text", "<office:text/>", "", **{"META-INF/manifest.xml": manifest})
    with pytest.raises(UserError, match="password"):
        read_bytes(content, "a.odt")


FLAT = (
    '<?xml version="1.0"?><!-- saved --><office:document xmlns:office="o" xmlns:text="t"'
    ' xmlns:table="b" xmlns:dc="d" office:mimetype="application/vnd.oasis.opendocument.{kind}">'
    "<office:meta><dc:title>Tides</dc:title></office:meta><office:body>{body}</office:body>"
    "</office:document>"
)


def test_a_flat_file_of_opendocument_is_read_as_a_packed_one():
    body = (
        '<office:text><text:h text:outline-level="1">The gauge</text:h>'
        "<text:p>Clara Wren reads it.</text:p></office:text>"
    )
    [found] = read_bytes(FLAT.format(kind="text", body=body).encode(), "a.fodt")
    assert (found.format, found.title) == ("odt", "Tides")
    assert found.text == "The gauge\n\nClara Wren reads it." and outline(found) == ["The gauge"]
    row = "<table:table-row>{}</table:table-row>"
    cells = [
        "".join(f"<table:table-cell><text:p>{c}</text:p></table:table-cell>" for c in line)
        for line in (("Country", "1998"), ("France", "1503"))
    ]
    body = (
        '<office:spreadsheet><table:table table:name="Economy">'
        f"{''.join(map(row.format, cells))}</table:table></office:spreadsheet>"
    )
    [found] = read_bytes(FLAT.format(kind="spreadsheet", body=body).encode(), "a.xml")
    assert found.format == "ods" and "Country: France | 1998: 1503" in found.text


def test_a_file_of_tags_gives_its_texts_without_them():
    content = (
        "<?xml version='1.0' encoding='gb2312'?><doc><head><title>潮水</title></head><body>"
        "<p>Clara <b>Wren</b> reads<!-- often --> the gauge &amp; writes.</p><p>陆青山</p>"
        "<row><cell>Harwich</cell><cell>4.5</cell></row></body></doc>"
    ).encode("gb2312")
    [found] = read_bytes(content, "a.xml")
    assert found.title == "潮水"
    assert found.text.split("\n\n") == [
        "潮水", "Clara Wren reads the gauge & writes.", "陆青山", "Harwich", "4.5",
    ]  # fmt: skip
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg"><style>.a { fill: red }</style>'
        '<g><text x="1"><tspan>Clara Wren</tspan></text></g><path d="M0 0"/></svg>'
    )
    [found] = read_bytes(picture.encode(), "a.svg")
    assert found.text == "Clara Wren"
    with pytest.raises(UserError, match="no text"):
        read_bytes(b'<svg><path d="M0 0"/></svg>', "a.svg")
    [plain] = read_bytes(b"No tags are in this file.", "a.xml")
    assert plain.text == "No tags are in this file."


# --- books ----------------------------------------------------------------------------------------


def test_rich_text_gives_characters_of_all_kinds_and_what_it_states_of_itself():
    document = read("gauge.rtf")
    assert "café.\n\n潮水 and 潮水 rise." in document.text
    assert document.text.endswith("\n\nPort | Height\nHarwich | 3.4 m")
    assert (document.title, document.author, document.year) == (
        "The gauge of Harwich",
        "Ann Grey",
        "1999",
    )


def test_links_of_rich_text_give_their_words_however_many_there_are():
    link = rb'{\field{\*\fldinst{HYPERLINK "http://example.org"}}{\fldrslt tables}} and '
    document = read_bytes(rb"{\rtf1 The " + link * 20_000 + rb"gauges.}", "a.rtf")[0]
    assert document.text.startswith("The tables and tables and ")


def test_a_fictionbook_has_chapters_verses_and_notes():
    document = read("mill.fb2")
    assert [(h.level, h.title) for h in document.outline] == [(1, "First"), (1, "Second")]
    assert "One tide,\ntwo tides." in document.text
    assert document.text.endswith("In May.")
    assert (document.title, document.author, document.year) == ("The Mill", "Ann Grey", "1901")


@pytest.mark.parametrize("name", ["mill.mobi", "mill.azw3"])
def test_a_kindle_book_has_its_text_and_chapters(name: str):
    document = read(name)
    assert outline(document) == ["First", "Second"]
    assert document.text.count("Clara Wren came to the mill, and 潮水 rose.") == 2
    assert (document.title, document.author, document.year) == ("The Mill", "Ann Grey", "1901")
    assert document.format == "mobi"


def test_a_long_kindle_book_is_whole_where_its_records_meet():
    words = "".join(f"<p>{n} 潮水 of Harwich rose again.</p>" for n in range(2_000))
    document = read_bytes(made.make_mobi(f"<html><body>{words}</body></html>"), "a.mobi")[0]
    lines = document.text.split("\n\n")
    assert lines == [f"{n} 潮水 of Harwich rose again." for n in range(2_000)]


def test_a_kindle_book_with_copy_protection_is_refused():
    with pytest.raises(UserError, match="DRM"):
        read_bytes(made.make_mobi(is_locked=True), "a.azw")


def test_a_kindle_book_with_huffman_compression_is_read():
    content = made.make_mobi(compression=17480)
    assert read_bytes(content, "a.mobi")[0].text == read("mill.mobi").text


def test_a_packed_record_of_a_kindle_book_points_backwards():
    assert unpack_palmdoc(b"abc" + bytes((0x80, 0x1F))) == b"abc" + b"abcabcabca"
    with pytest.raises(UserError, match="damaged"):
        unpack_palmdoc(bytes((0x80, 0x1F)))


# --- mail -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["letter.eml", "letter.msg"])
def test_a_letter_begins_with_its_people_and_has_its_attachment_as_a_document(name: str):
    letter, attached = read_bytes(made.FILES[name](), name)
    lines = letter.text.split("\n")
    assert lines[0] == "From: Ann Grey <ann@example.org>"
    assert lines[1].startswith("To: Bob Stone <bob@example.org>")
    assert "Cc: Clara Wren <clara@example.org>" in lines
    assert "Date: 1999-05-03 10:15" in lines
    assert "Clara Wren repairs it." in letter.text
    assert letter.text.count("Dear Bob") == 1  # not its HTML as well
    assert (letter.author, letter.year, letter.format) == ("Ann Grey", "1999", "eml")
    assert letter.title.startswith("The tide gauge")
    assert (attached.title, attached.format) == ("tides", "txt")
    assert "The tide gauge" in attached.notes[-1]


def test_encoded_names_and_subjects_are_decoded():
    letter = read("letter.eml")
    assert "李明 <li@example.org>" in letter.text
    assert letter.title == "The tide gauge, 潮位"


def test_a_letter_in_an_old_chinese_encoding_is_read():
    content = (
        b"From: =?gb2312?B?wO7D9w==?= <li@example.org>\nSubject: =?gb2312?B?s7HOuw==?=\n"
        b"Content-Type: text/plain; charset=gb2312\nContent-Transfer-Encoding: 8bit\n\n"
    ) + "今天的潮位很高，请注意。".encode("gb2312")
    letter = read_bytes(content, "a.eml")[0]
    assert (letter.title, letter.author) == ("潮位", "李明")
    assert letter.text.endswith("今天的潮位很高，请注意。")


def test_headers_in_bytes_without_a_stated_encoding_are_read():
    content = "From: 李明 <li@example.org>\nSubject: 潮位\n\n今天的潮位很高，请注意安全。"
    for encoding in ("gb18030", "utf-8"):
        letter = read_bytes(content.encode(encoding), "a.eml")[0]
        assert (letter.title, letter.author) == ("潮位", "李明")


def test_pictures_in_the_text_of_a_letter_are_no_attachments():
    content = (
        b"From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nThe tide.\n"
        b"--b\nContent-Type: image/png; name=a.png\nContent-ID: <a>\n\nPNG\n"
        b"--b\nContent-Type: text/plain; name=b.txt\nContent-ID: <b>\nContent-Disposition: "
        b"attachment; filename=b.txt\n\nThe gauge.\n--b--\n"
    )
    letter, attached = read_bytes(content, "a.eml")
    assert "Attachments: b.txt" in letter.text
    assert attached.text == "The gauge."


def test_a_mail_box_gives_a_document_for_each_letter():
    letters = read_bytes(made.make_mbox(20), "letters.mbox")
    assert [letter.title for letter in letters] == [f"Letter {n}" for n in range(20)]
    assert letters[0].text.endswith("From Harwich it comes.")
    windows = made.make_mbox(20).replace(b"\n", b"\r\n")
    assert [letter.text for letter in read_bytes(windows, "x.mbox")] == [x.text for x in letters]


def test_an_attachment_that_cannot_be_read_is_named_and_leaves_the_letter():
    content = made.make_eml((("a.docx", b"PK\x03\x04broken"), ("b.exe", b"MZ")))
    [letter] = read_bytes(content, "a.eml")
    assert "Attachments: a.docx, b.exe" in letter.text
    assert "a.docx" in letter.notes[0] and "zip archive is broken" in letter.notes[0]
    assert letter.notes[1].endswith("not read: 1.")


def test_a_letter_attached_to_a_letter_is_read():
    from email import message_from_bytes, policy
    from email.message import EmailMessage

    outer = EmailMessage()
    outer["From"], outer["Subject"] = "Bob Stone <bob@example.org>", "Fwd"
    outer.set_content("See below.")
    outer.add_attachment(message_from_bytes(made.make_eml(), policy=policy.default))
    found = read_bytes(outer.as_bytes(), "a.eml")
    assert [one.title for one in found] == ["Fwd", "The tide gauge, 潮位"]


def test_a_saved_page_gives_its_text_without_its_pictures():
    document = read("page.mht")
    assert document.text == "Tides\n\nCafé of 潮水."
    assert (document.title, document.format) == ("The tides", "html")


# --- archives -------------------------------------------------------------------------------------

ARCHIVES = ["pile.zip", "pile.tar", "pile.tar.gz", "pile.tar.bz2", "pile.tar.xz", "pile.7z"]


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_gives_a_document_for_each_file_and_names_the_others(name: str):
    found = read_bytes(made.FILES[name](), name)
    assert [one.title for one in found] == ["papers/tides", "On gauges", "The tide gauge, 潮位"]
    assert [one.format for one in found] == ["txt", "md", "eml"]
    assert any("papers/蒙田.md" in note for note in found[1].notes)
    notes = "\n".join(found[0].notes)
    assert "broken.docx" in notes and "not read: 1." in notes
    assert not any("hidden" in one.text for one in found)


def test_names_in_an_archive_without_a_stated_encoding_are_read():
    for encoding in ("gb18030", "utf-8"):
        content = make_zip_with_name("潮水.txt".encode(encoding))
        assert "潮水.txt" in read_bytes(content, "a.zip")[0].notes[0]


def make_zip_with_name(name: bytes) -> bytes:
    """Return a zip archive whose file has a name in bytes of an unstated encoding."""
    placeholder = "n" * len(name)
    content = made.make_zip({placeholder: "The tides of Harwich."})
    return content.replace(placeholder.encode(), name)


def test_an_archive_within_an_archive_is_named_and_not_read():
    inner = made.make_zip({"a.txt": "The tides."})
    [document] = read_bytes(made.make_zip({"b.txt": "The gauge.", "c.zip": inner}), "a.zip")
    assert "archive within an archive" in document.notes[-1]
    with pytest.raises(UserError, match="within an archive"):
        read_bytes(made.make_zip({"c.zip": inner}), "a.zip")


NAMESAKES = [("A.txt", "Ada Byron."), ("a.txt", "Clara Wren."), ("a.txt", "Bob Stone.")]


def make_namesakes(kind: str) -> bytes:
    """Return an archive with files whose names differ in case only, or not at all."""
    stream = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(stream, "w") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the second file of a name
            for name, text in NAMESAKES:
                archive.writestr(name, text)
    elif kind == "7z":
        import py7zr

        with py7zr.SevenZipFile(stream, "w") as packed:
            for name, text in (*NAMESAKES, ("a.txt_0", "No document."), ("a.txt", "Henry Pike.")):
                packed.writestr(text, name)
    else:
        with tarfile.open(fileobj=stream, mode="w") as tar:
            for name, text in NAMESAKES:
                member = tarfile.TarInfo(name)
                member.size = len(text)
                tar.addfile(member, io.BytesIO(text.encode()))
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["zip", "tar", "7z"])
def test_files_of_one_name_in_an_archive_have_their_own_texts(kind: str):
    content = make_namesakes(kind)
    documents = read_bytes(content, f"pile.{kind}")
    texts = [text for _, text in NAMESAKES] + (["Henry Pike."] if kind == "7z" else [])
    assert [document.text.strip() for document in documents] == texts
    for document, text in zip(documents, texts, strict=True):
        inner = find_inner_file(content, f"pile.{kind}", document.place)
        assert inner.decode() == text


def test_an_archive_of_other_files_is_refused():
    with pytest.raises(UserError, match="without a file that is read"):
        read_bytes(made.make_zip({"a.exe": b"MZ"}), "a.zip")
    with pytest.raises(UserError, match="without a file that is read"):  # an icon is no page
        read_bytes(made.make_zip({"a.png": save(draw_page([], size=(64, 64)))}), "a.zip")


def test_a_scan_in_files_within_files_is_found_by_its_place():
    page = save(draw_page([], size=(600, 700)))
    letter = made.make_eml((("logo.png", save(draw_page([], size=(90, 60)))), ("page.png", page)))
    box = b"From ann@x.org Mon Jan  1 00:00:00 2024\n" + letter.replace(b"\r\n", b"\n")
    archive = made.make_zip({"a.txt": b"The tides.", "b.eml": letter})
    for content, name in ((letter, "a.eml"), (box, "a.mbox"), (archive, "a.zip")):
        [found] = [one for one in read_bytes(content, name) if one.pictures]
        assert found.title == "page" and find_inner_file(content, name, found.place) == page
    with pytest.raises(UserError, match="no longer in the archive"):
        find_inner_file(letter, "a.eml", "9")


def test_an_archive_with_too_many_files_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(file_archives, "MAX_FILES", 3)
    for name in ARCHIVES:
        with pytest.raises(UserError, match="more than 3 files"):
            read_bytes(made.FILES[name](), name)


def test_archives_that_unpack_to_far_too_much_are_refused():
    bomb = gzip.compress(bytes(60_000_000))
    for name, content in (
        ("a.tar.gz", bomb),
        ("a.txt.gz", bomb),
        ("a.zip", made.make_zip({"a.txt": bytes(60_000_000)})),
    ):
        with pytest.raises(UserError, match=r"too much data|bomb"):
            read_bytes(content, name)


def test_an_archive_that_was_cut_off_gives_the_files_before_the_cut():
    content = made.make_tar()
    cut = content[: content.index(b"letter.eml") + 600]
    found = read_bytes(cut, "pile.tar")
    assert [one.title for one in found] == ["papers/tides", "On gauges"]
    assert "not whole" in "\n".join(found[0].notes)


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz"])
def test_a_packed_archive_whose_bytes_were_altered_is_refused(kind: str):
    content = bytearray(made.make_tar(f"w:{kind}"))
    if kind == "gz":  # the checksum of all files: each of them could be the wrong one
        content[-8] ^= 1
    else:
        content[len(content) // 2] ^= 0x55
    with pytest.raises(UserError, match="altered"):
        read_bytes(bytes(content), f"pile.tar.{kind}")
    whole = made.make_tar(f"w:{kind}")
    assert len(read_bytes(whole + b"what follows is no archive", f"pile.tar.{kind}")) == 3


def test_a_locked_7z_archive_is_refused():
    with pytest.raises(UserError, match="password"):
        read_bytes(made.make_7z(password="tide"), "a.7z")


# --- records and subtitles ------------------------------------------------------------------------


def test_the_column_of_texts_is_found_by_its_values():
    found = read_bytes(made.make_json(), "days.json")
    assert [one.title for one in found] == ["Day 1", "Day 2"]
    assert found[0].text.startswith("day.n: 1\n\nClara Wren reads the gauge")
    story = "Clara Wren reads the gauge of Harwich every morning before the ships come in. " * 2
    table = f'id,seen,what\n1,1999,"{story}"\n2,2001,"{story}"\n'
    rows = read_bytes(table.encode(), "days.csv")
    assert [one.title for one in rows] == ["days 1", "days 2"]
    assert rows[1].text == f"id: 2 | seen: 2001\n\n{story}"


@pytest.mark.parametrize(
    ("header", "row", "text"),
    [
        ("title,text", "One,She read it, and wrote it down", "She read it, and wrote it down"),
        ("text,title", "She read it,One,and wrote it down", "She read it\n\nand wrote it down"),
        ("text,year", "She read it,1999,and,wrote", "She read it\n\nand | wrote"),
        ("title,text", "One,She read it,,", "She read it"),
    ],
)
def test_cells_beyond_the_header_are_kept(header: str, row: str, text: str):
    [found] = read_bytes(f"{header}\n{row}\n".encode(), "a.csv")
    assert found.text == text
    is_long = not row.endswith(",,")
    assert [note.params["n"] for note in found.notes] == ([1] if is_long else [])


def test_the_text_of_an_unnamed_last_column_is_whole():
    said = "She read the gauge of the harbour, and wrote down what it had shown to her, as ever."
    [first, _] = read_bytes(f"Place,Report\nHarwich,{said}\nNingbo,{said}\n".encode(), "a.csv")
    assert first.text == f"place: Harwich\n\n{said}"


@pytest.mark.parametrize("line", ["sep=;\n", "SEP=;\r\n", '"sep=;"\r\n'])
def test_the_first_line_of_a_table_may_name_its_separator(line: str):
    rows = "Country;GDP, total\nFrance;1,503\nItaly;1,270\n"
    [found] = read_bytes((line + rows).encode(), "a.csv")
    assert found.text.split("\n")[0] == "Country | GDP, total"
    assert "Country: France | GDP, total: 1,503" in found.text


def test_json_without_texts_is_one_document_with_its_keys():
    content = json.dumps({"ports": [{"name": "Harwich", "height": 3.4, "open": True}]})
    document = read_bytes(content.encode(), "ports.json")[0]
    assert document.text == "name: Harwich | height: 3.4 | open: true"
    assert read_bytes(b'["Ada Byron", ["Clara Wren"]]', "a.json")[0].text == "Ada Byron\nClara Wren"
    with pytest.raises(UserError, match="not JSON"):
        read_bytes(b"Dear Bob,", "a.json")


def test_subtitles_are_paragraphs_with_their_time_as_place():
    document = read("film.srt")
    assert page_texts(document) == {
        "0:00:01": "[0:00:01] Clara Wren came to the mill. She read the gauge.",
        "1:02:03": "[1:02:03] The tide was in.",
    }
    assert "[0:00:01] Clara Wren: I read & write." in read("film.vtt").text


CUES = "1\n00:00:01,000 --> 00:00:03,000\nShe came.\n\n2\n00:00:03,200 --> 00:00:05,000\nShe read."
HEAD = (
    "WEBVTT - title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE\nnobody reads this\n\n"
)


@pytest.mark.parametrize(
    "content",
    [
        CUES,
        HEAD + CUES.replace(",", "."),
        HEAD + CUES.replace("\n1\n", "\nfirst\n"),
        "\ufeff" + CUES.replace("\n", "\r\n"),
        CUES.replace("\n\n", "\n"),  # no blank lines
        CUES.replace("\n\n", "\n\n\n\n"),
        CUES.replace("1\n00", "00").replace("2\n00", "00"),  # no numbers
        CUES.replace("1\n00", "00").replace("\n\n2\n00", "\n00"),  # neither
        CUES.replace("She came.", "She\n\ncame."),  # a blank line in the words
        CUES.replace("1\n00", "00").replace("2\n00", "00").replace("She came.", "She\n\ncame."),
        CUES.replace("00:00:", "0:0:").replace(",000", ""),
        CUES.replace("03,000", "03,000 align:start position:0%"),
    ],
)
@pytest.mark.parametrize("name", ["a.srt", "a.vtt"])
def test_subtitles_are_read_however_they_are_written(content: str, name: str):
    [found] = read_bytes(content.encode(), name)
    assert found.text == "[0:00:01] She came. She read."
    assert found.notes == ()


@pytest.mark.parametrize("damaged", ["xx --> 00:00:05,000", "00:00:03,200 --> x", "--> 00:00:05,0"])
def test_subtitles_whose_time_cannot_be_read_keep_their_words(damaged: str):
    content = CUES.replace("00:00:03,200 --> 00:00:05,000", damaged)
    [found] = read_bytes(content.encode(), "a.srt")
    assert found.text == "[0:00:01] She came. She read."
    [note] = found.notes
    assert note.params["n"] == 1


def test_a_file_without_any_time_has_no_subtitles():
    for content in ("She came.", "1\nxx --> yy\nShe came.\n", "WEBVTT\n\nShe --> here\n"):
        with pytest.raises(UserError, match="no subtitles"):
            read_bytes(content.encode(), "a.srt")


# --- what is not as it should be ------------------------------------------------------------------


def check(content: bytes, name: str) -> None:
    """Check that a file is read as text, or refused with a reason and advice."""
    try:
        found = read_bytes(content, name)
    except UserError as error:
        assert name in error.message
        assert error.hint
    else:
        assert not [problem for one in found if (problem := judge_text(one.text))]


@pytest.mark.parametrize("name", made.FILES)
def test_a_damaged_file_is_read_or_refused(name: str):
    for _, content in made.iter_damaged(made.FILES[name]()):
        check(content, name)


def test_a_file_that_is_not_what_its_name_says_is_read_or_refused():
    for name, content in made.iter_misnamed():
        check(content, name)


@pytest.mark.parametrize(
    "name", ["a.xlsx", "a.xlsm", "a.pptx", "a.odt", "a.mobi", "a.rtf", "a.fb2", "a.7z"]
)
def test_a_text_with_the_name_of_another_format_is_refused(name: str):
    with pytest.raises(UserError, match="despite its name"):
        read_bytes(b"Dear Bob, the gauge of Harwich is broken.", name)


def test_every_format_is_found_in_folders():
    assert all(map(is_supported, made.FILES))
    assert is_supported("A.TAR.GZ") and not is_supported("a.gz")


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<div>A</div><div>LICE was beginning to tire.</div>", "ALICE was beginning to tire."),
        ("<p>I</p><p>N the beginning was rain.</p>", "IN the beginning was rain."),
        ("<div>F</div><div>OR a minute it rained.</div>", "FOR a minute it rained."),
        ('<div>"C</div><div>URIOUSER and curiouser!"</div>', '"CURIOUSER and curiouser!"'),
        # A number of a chapter, a list, and titles in capitals keep their own lines.
        ("<p>I</p><p>THE old man sat.</p>", "I\n\nTHE old man sat."),
        ("<ul><li>A</li><li>NASA flew on.</li></ul>", "• A\n• NASA flew on."),
        ("<h2>A</h2><p>TALE OF TWO CITIES</p>", "A\n\nTALE OF TWO CITIES"),
        ("<p>B</p><p>Some text.</p>", "B\n\nSome text."),
    ],
)
def test_a_large_initial_belongs_to_its_word(markup: str, text: str):
    assert read_bytes(f"<title>t</title>{markup}".encode(), "a.html")[0].text == text


def read_outline(markup: str) -> list[str]:
    page = f"<title>t</title>{markup}".encode()
    return [heading.title for heading in read_bytes(page, "a.html")[0].outline]


def test_a_chapter_has_the_title_below_its_number():
    chapters = ("IN BRIGHTON LODGINGS.", "A New Home", "The Rabbit sends in a Bill")
    prose = "<p>It rained all day, and nobody came.</p>" * 9
    markup = "".join(
        f"<h2>CHAPTER {number}.</h2><p>{title}</p>{prose}"
        for number, title in zip(("I", "II", "III"), chapters, strict=True)
    )
    # one title has not all its capitals: no more than two of three, too few to believe it
    assert read_outline(markup) == [
        "CHAPTER I. IN BRIGHTON LODGINGS.", "CHAPTER II. A New Home", "CHAPTER III.",
    ]  # fmt: skip
    markup += f"<h2>CHAPTER IV.</h2><p>The Last Letter</p>{prose}"
    assert read_outline(markup)[2:] == [
        "CHAPTER III. The Rabbit sends in a Bill", "CHAPTER IV. The Last Letter",
    ]  # fmt: skip


def test_a_title_may_stand_on_its_number_without_a_gap_if_most_chapters_have_one():
    def build(*first_lines: str) -> str:
        return "".join(
            f"<div class='chapter'>CHAPTER {number}</div><div>{line}</div>"
            f"<div>Some words of it, which go on for quite a while.</div>{'<p>More.</p>' * 90}"
            for number, line in zip(("I", "II", "III", "IV"), first_lines, strict=True)
        )

    titled = build(
        "Down the Rabbit-Hole", "Pool of Tears", "Who Stole the Tarts?", "Pig and Pepper"
    )
    assert read_outline(titled) == [
        "CHAPTER I. Down the Rabbit-Hole", "CHAPTER II. Pool of Tears",
        "CHAPTER III. Who Stole the Tarts?", "CHAPTER IV. Pig and Pepper",
    ]  # fmt: skip
    untitled = build("Harrow Ford", "It rained.", "Nobody came that day.", "Nor did Ada.")
    assert read_outline(untitled) == ["CHAPTER I", "CHAPTER II", "CHAPTER III", "CHAPTER IV"]


def test_notices_around_a_work_and_paragraphs_in_large_type_are_no_chapters():
    prose = "<p>It rained all day, and nobody came.</p>" * 9
    markup = (
        "<h2>The Project Gutenberg eBook of Rain</h2><p>*** START OF THE PROJECT GUTENBERG EBOOK"
        f" RAIN ***</p><h2>{'There are several editions of this book. ' * 9}</h2>"
        f"<h2>Rain</h2>{prose}<h2>Night</h2>{prose}"
        "<p>*** END OF THE PROJECT GUTENBERG EBOOK RAIN ***</p>"
        "<h2>THE FULL LICENSE</h2><p>Terms.</p>"
    )
    assert read_outline(markup) == ["Rain", "Night"]


def test_a_summary_in_capitals_is_the_title_of_a_chapter():
    prose = "It rained all day, and nobody came to the ferry.\n\n" * 9
    summary = "RELATES HOW OLIVER WAS VERY NEAR GETTING A PLACE WHICH WOULD NOT\nHAVE BEEN EASY"
    text = f"CHAPTER I\n\n{summary}\n\n{prose}CHAPTER II\n\nHIS JOURNAL--_continued_\n\n{prose}"
    titles = [heading.title for heading in read_bytes(text.encode(), "a.txt")[0].outline]
    assert titles == [
        "CHAPTER I. " + summary.replace("\n", " "), "CHAPTER II. HIS JOURNAL--continued",
    ]  # fmt: skip
