"""Tests reading of text formats: content, dropped parts, and messages of refusals."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile

import olefile
import pytest

from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.text.file_kinds import HEAD_BYTES, is_pdf, refuse_unread_kind
from desktop_app.engine.text.reading import read_bytes

GUTENBERG = (
    "\ufeffThe Project Gutenberg EBook of The Mill, by Ann Grey\r\n\r\nTitle: The Mill\r\n"
    "Author: Ann Grey\r\n\r\n*** START OF THIS PROJECT GUTENBERG EBOOK THE MILL ***\r\n\r\n"
    "Produced by A. Volunteer\r\n\r\nTHE MILL\r\n\r\nCONTENTS\r\n\r\nChapter 1\r\n\r\nChapter 2"
    "\r\n\r\n"
    "Chapter 3\r\n\r\nChapter 1\r\n\r\n{0}\r\n\r\nChapter 2\r\n\r\n{0}\r\n\r\n"
    "Chapter 3\r\n\r\n{0}\r\n\r\n"
    "End of Project Gutenberg's The Mill\r\n\r\n"
    "*** END OF THIS PROJECT GUTENBERG EBOOK THE MILL ***\r\nLicence\r\n"
).format("It was a cold night at the mill, and the miller was not in his house. " * 8)


def make_zip(parts: dict[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_header_and_footer_of_gutenberg_texts_are_separated() -> None:
    document = read_bytes(GUTENBERG.encode(), "mill.txt")[0]
    body = document.text[document.body_start : document.body_end]
    assert body.startswith("THE MILL\n")
    assert body.rstrip().endswith("house.")
    assert (document.title, document.author, document.language) == ("The Mill", "Ann Grey", "en")
    assert "\r" not in document.text


def test_a_table_of_contents_gives_no_chapters() -> None:
    document = read_bytes(GUTENBERG.encode(), "mill.txt")[0]
    assert [h.title for h in document.outline] == ["Chapter 1", "Chapter 2", "Chapter 3"]
    for heading in document.outline:
        assert document.text.startswith(heading.title, heading.start)


def test_chinese_chapters_title_and_author_are_found() -> None:
    body = "话说这一日天色已晚，众人都来到庄上吃酒。" * 12
    text = (
        f"《山中记》李某\n\n楔子　起头\n\n{body}\n第一回　众人上山\n\n{body}\n第二回 下山\n{body}"
    )
    document = read_bytes(text.encode("gb18030"), "x.txt")[0]
    assert (document.title, document.author, document.language) == ("山中记", "李某", "zh")
    assert [h.title for h in document.outline] == ["楔子 起头", "第一回 众人上山", "第二回 下山"]


def test_parts_and_chapters_have_levels_and_titles() -> None:
    prose = "The road was long and the night was cold, so they went on and on. " * 6
    text = f"BOOK ONE\n\nTHE ROAD\n\nCHAPTER I.\n\n{prose}\n\nCHAPTER II. Home\n\n{prose}\n"
    outline = read_bytes(text.encode(), "x.txt")[0].outline
    assert [(h.level, h.title) for h in outline] == [
        (1, "BOOK ONE. THE ROAD"),
        (2, "CHAPTER I."),
        (2, "CHAPTER II. Home"),
    ]


def test_counted_parts_are_headings_whatever_they_are_called() -> None:
    prose = "The road was long and the night was cold, so they went on and on. " * 6
    chapters = f"CHAPTER I\n\n{prose}\n\nCHAPTER II\n\n{prose}\n\n"
    text = (
        "First Voyage\n\nTo the Islands\n\nFIRST LOG\n\nKept by the mate; a man of Hull\n\n"
        f"{chapters}"
        f"SECOND LOG\n\n{chapters}Second Voyage\n\nTHIRD LOG\n\n{prose}\n\nFirst Light\n\n{prose}"
    )
    outline = read_bytes(text.encode(), "x.txt")[0].outline
    assert [(h.level, h.title) for h in outline] == [
        (1, "First Voyage. To the Islands"),
        (2, "FIRST LOG"),
        (3, "CHAPTER I"),
        (3, "CHAPTER II"),
        (2, "SECOND LOG"),
        (3, "CHAPTER I"),
        (3, "CHAPTER II"),
        (1, "Second Voyage"),
        (2, "THIRD LOG"),
    ]


def test_prose_that_mentions_a_chapter_is_no_heading() -> None:
    text = "He read on.\nChapter 2 of his book was long, and\nBook One was longer.\n" * 5
    assert read_bytes(text.encode(), "x.txt")[0].outline == ()


def test_markdown_keeps_its_source_and_gives_an_outline() -> None:
    source = "# Top\n\ntext\n\n```\n# no heading\n```\n\nSub\n---\n\n**more**\n"
    front = "---\ntitle: Notes\ntags: [a, b]\n---\n\n"
    document = read_bytes((front + source).encode(), "n.md")[0]
    assert document.text == source  # the front matter is for programs
    assert document.title == "Notes"
    assert [(h.level, h.title) for h in document.outline] == [(1, "Top"), (2, "Sub")]
    assert source[document.outline[1].start :].startswith("Sub")


def test_html_gives_the_visible_text() -> None:
    page = (
        "<!doctype html><html><head><title>Ducks</title><style>p{}</style></head><body>"
        "<nav>Menu</nav><h1>About  ducks</h1><p>They <b>swim</b>,\n and fly.</p>"
        "<script>var x;</script><table><tr><td>a</td><td>b</td></tr></table>"
        "<p hidden>secret</p><pre>x\n  y</pre></body></html>"
    )
    document = read_bytes(page.encode(), "ducks.html")[0]
    assert document.text == "About ducks\n\nThey swim, and fly.\n\na | b\n\nx\n  y"
    assert document.title == "Ducks"
    assert [(h.level, h.title, h.start) for h in document.outline] == [(1, "About ducks", 0)]


def test_html_uses_its_declared_encoding() -> None:
    page = '<html><head><meta charset="gb2312"></head><body><p>山中</p></body></html>'
    assert read_bytes(page.encode("gb2312"), "x.htm")[0].text == "山中"


def test_deeply_nested_html_is_read() -> None:
    page = "<html><body>" + "<div>" * 5_000 + "deep" + "</div>" * 5_000
    assert read_bytes(page.encode(), "x.html")[0].text == "deep"


def test_html_nested_deeper_than_any_page_is_refused() -> None:
    page = "<html><body>" + "<div>" * 100_000 + "deep"
    with pytest.raises(UserError, match="nested"):
        read_bytes(page.encode(), "x.html")


def test_html_with_very_many_attributes_gives_its_text() -> None:
    attributes = " ".join(f"a{i}=1" for i in range(300_000))
    page = f"<html><body><p {attributes}>The text</p><p id=b>goes on.</p></body></html>"
    assert read_bytes(page.encode(), "x.html")[0].text == "The text\n\ngoes on."


def test_a_page_that_needs_gigabytes_of_memory_is_refused() -> None:
    with pytest.raises(UserError, match="million characters"):
        read_bytes(b"<html>" + b"<p>x</p>" * 5_000_001, "x.html")


EPUB = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container><rootfile full-path="OPS/p.opf"/></container>',
    "OPS/p.opf": (
        '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Two</dc:title>'
        "<dc:creator>Ann Grey</dc:creator></metadata><manifest>"
        '<item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
        '<item id="b" href="b%201.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
    ),
    "OPS/nav.xhtml": (
        '<html xmlns:epub="e"><body><nav epub:type="toc"><ol><li><a href="a.xhtml">First</a></li>'
        '<li><a href="b%201.xhtml#mark">Second</a></li></ol></nav></body></html>'
    ),
    "OPS/a.xhtml": "<html><head><title/></head><body><p>One <a id='x'/>is first.</p></body></html>",
    "OPS/b 1.xhtml": "<html><body><p>before</p><h2 id='mark'>Two</h2><p>is last.</p></body></html>",
}


def test_an_epub_is_read_in_the_order_of_its_spine() -> None:
    document = read_bytes(make_zip(EPUB), "x.epub")[0]
    assert document.text == "One is first.\n\nbefore\n\nTwo\n\nis last."
    assert (document.title, document.author) == ("Two", "Ann Grey")
    assert [(h.title, document.text[h.start :][:3]) for h in document.outline] == [
        ("First", "One"),
        ("Second", "Two"),
    ]


def test_a_chapter_that_the_spine_names_again_and_again_is_read_once() -> None:
    again = EPUB["OPS/p.opf"].replace("<spine>", "<spine>" + '<itemref idref="a"/>' * 6_000)
    chapter = EPUB["OPS/a.xhtml"].replace("</p>", "</p>" + "<p>More of it.</p>" * 2_000)
    book = EPUB | {"OPS/p.opf": again, "OPS/a.xhtml": chapter}
    assert read_bytes(make_zip(book), "x.epub")[0].text.count("One is first.") == 1


@pytest.mark.parametrize("comments", ["<!-- a -->\n" * 60, "<!---->" * 500])
def test_comments_before_a_page_do_not_hide_its_format(comments: str) -> None:
    page = "<!doctype html><p>The miller went home.</p>"
    assert read_bytes((comments + page).encode(), "page.html")[0].format == "html"
    assert read_bytes((comments + page).encode(), "page.txt")[0].format == "html"
    assert read_bytes((comments + "and no page").encode(), "notes.md")[0].format == "md"


def test_chapters_that_an_epub_does_not_mark_are_found_in_its_text() -> None:
    prose = "<p>" + "The road was long and the night was cold, so they went on. " * 20 + "</p>"
    chapters = {
        f"OEBPS/{i}.xhtml": f"<html><body><div>CHAPTER {i}</div>{prose}</body></html>"
        for i in (1, 2, 3)
    }
    front = "<html><body><h1>The Mill</h1><h2>List of Plates</h2><p>The mill. 1</p></body></html>"
    end = "<html><body><h2>Printer's Note</h2><p>Printed in London.</p></body></html>"
    names = ["front", "1", "2", "3", "end"]
    items = "".join(f'<item id="i{n}" href="{n}.xhtml" media-type="text/html"/>' for n in names)
    spine = "".join(f'<itemref idref="i{n}"/>' for n in names)
    book = chapters | {
        "META-INF/container.xml": '<container><rootfile full-path="OEBPS/c.opf"/></container>',
        "OEBPS/c.opf": f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>",
        "OEBPS/front.xhtml": front,
        "OEBPS/end.xhtml": end,
    }
    outline = read_bytes(make_zip(book), "x.epub")[0].outline
    assert [h.title for h in outline] == [
        *("The Mill", "List of Plates", "CHAPTER 1", "CHAPTER 2", "CHAPTER 3", "Printer's Note")
    ]


def test_a_copy_protected_epub_is_refused() -> None:
    lock = '<encryption><EncryptionMethod Algorithm="http://x/xmlenc#aes128-cbc"/></encryption>'
    with pytest.raises(UserError, match="copy-protected"):
        read_bytes(make_zip(EPUB | {"META-INF/encryption.xml": lock}), "x.epub")


def make_docx(body: str, namespace: str = "http://x/main") -> bytes:
    styles = (
        f'<w:styles xmlns:w="{namespace}">'
        '<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:styleId="Mine"><w:basedOn w:val="H1"/></w:style></w:styles>'
    )
    document = f'<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>'
    return make_zip({"word/document.xml": document, "word/styles.xml": styles})


def test_a_word_document_gives_headings_rows_and_no_deleted_text() -> None:
    body = (
        '<w:p><w:pPr><w:pStyle w:val="Mine"/></w:pPr><w:r><w:t>Start</w:t></w:r></w:p>'
        "<w:p><w:r><w:t>kept </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>"
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>"
        "<w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    )
    document = read_bytes(make_docx(body), "x.docm")[0]  # macros do not make another format
    assert document.text == "Start\n\nkept new\n\na | b"
    assert [(h.level, h.title) for h in document.outline] == [(1, "Start")]


def test_a_table_inside_a_cell_belongs_to_that_cell() -> None:
    def table(*cells: str) -> str:
        return "<w:tbl><w:tr>" + "".join(f"<w:tc>{c}</w:tc>" for c in cells) + "</w:tr></w:tbl>"

    one, two, three = (f"<w:p><w:r><w:t>{w}</w:t></w:r></w:p>" for w in ("one", "two", "three"))
    content = make_docx(table(one, table(two, f"<w:sdt>{three}</w:sdt>")))
    assert read_bytes(content, "x.docx")[0].text == "one | two | three"


def test_a_word_document_that_needs_gigabytes_of_memory_is_refused() -> None:
    content = make_docx("".join(f"<w:p a='{i}'/>" for i in range(600_000)) + "<w:p/>" * 4_500_000)
    with pytest.raises(UserError, match=r"“word/document.xml” is too large"):
        read_bytes(content, "x.docx")


@pytest.mark.parametrize("kind", ["epub", "docx"])
def test_an_archive_that_lacks_bytes_or_has_altered_ones_is_read_or_refused(kind: str) -> None:
    content = make_zip(EPUB) if kind == "epub" else make_docx("<w:p/>")
    for at in range(0, len(content) - 8, 8):
        for damaged in (
            content[:at] + content[at + 8 :],
            content[:at] + b"\xff\x00\x80\x0e" + content[at + 4 :],
        ):
            try:
                read_bytes(damaged, f"x.{kind}")
            except UserError as error:
                assert error.hint


def test_rows_with_title_and_text_become_documents() -> None:
    rows = [{"title": "A", "text": "first"}, {"title": "B", "text": "second"}]
    lines = "\n".join(json.dumps(row) for row in rows) + "\nnot json\n"
    documents = read_bytes(lines.encode(), "x.jsonl")
    assert [(d.title, d.text, d.format) for d in documents] == [
        ("A", "first", "jsonl"),
        ("B", "second", "jsonl"),
    ]
    assert "not JSON" in documents[0].notes[0]
    table = read_bytes(b'title,text\nA,"one, two"\nB,three\n', "x.csv")
    assert [(d.title, d.text) for d in table] == [("A", "one, two"), ("B", "three")]


def test_a_very_wide_table_takes_no_memory_for_cells_that_are_not_there() -> None:
    table = ",".join(f"c{i}" for i in range(20_000)) + ",text\n" + "a,b\n" * 20_000
    tracemalloc.start()
    try:
        document = read_bytes(table.encode(), "wide.csv")[0]
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()
    assert document.text == table


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv"])
def test_reading_a_table_stops_at_the_row_where_it_was_cancelled(name: str) -> None:
    cancel = CancelToken()
    cancel.cancel()
    content = b'{"text": "a"}\n' if name.endswith("jsonl") else b"title,text\na,b\n"
    with pytest.raises(Cancelled):
        read_bytes(content, name, cancel=cancel)


def test_a_table_without_text_column_is_one_document() -> None:
    document = read_bytes(b"year,price\n1900,3\n1901,4\n", "prices.csv")
    text = "year | price\nyear: 1900 | price: 3\nyear: 1901 | price: 4"
    assert [(d.title, d.text) for d in document] == [("prices", text)]


def make_compound_file(names: list[str]) -> bytes:
    """Return a compound file ([MS-CFB]) of version 3 with empty streams of these names."""
    free, end, fat = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<9I", 0, 1, 1, 0, 4096, end, 0, end, 0)
    head += struct.pack("<109I", 0, *[free] * 108)
    table = struct.pack("<128I", fat, end, *[free] * 126)
    entries = b""
    for number, name in enumerate(["Root Entry", *names]):
        is_root = number == 0
        following = number + 1 if 0 < number < len(names) else free
        entries += name.encode("utf-16-le").ljust(64, b"\x00")
        entries += struct.pack("<HBB", 2 * len(name) + 2, 5 if is_root else 2, 1)
        entries += struct.pack("<III", free, following, 1 if is_root else free)
        entries += bytes(36) + struct.pack("<IQ", end, 0)
    return head + table + entries.ljust(512, b"\x00")


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx", "a.pptx"])
def test_an_office_file_with_a_password_is_refused_as_locked(name: str) -> None:
    content = make_compound_file(["EncryptionInfo", "EncryptedPackage"])
    with olefile.OleFileIO(io.BytesIO(content)) as opened:
        assert opened.exists("EncryptedPackage")
    refuse_unread_kind(content[:HEAD_BYTES], name)  # decided when it is read
    with pytest.raises(UserError, match="locked by a password") as caught:
        read_bytes(content, name)
    assert "without password" in caught.value.hint
    said = "EncryptedPackage is where the locked text lies".encode("utf-16-le")
    with pytest.raises(UserError, match="old Word"):
        read_bytes(make_compound_file(["WordDocument"]) + said + bytes(200), name)


AFTERWARDS = " and Clara Wren wrote that down at Harwich.\n" * 3


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ID3 tags are notes in sound files,", "a.txt"),
        ("RIFF and Raff were two brothers,", "a.txt"),
        ("RIFF and WEBP are containers,", "a.txt"),
        ("GIF89a is the newer version,", "a.txt"),
        ("%!PS is how PostScript begins,", "a.txt"),
        ("ITSF was the institute in Freiburg,", "a.txt"),
        ("AT&TFORM is how DjVu begins,", "a.txt"),
        ("BZh is how bzip2 begins,", "a.txt"),
        ("{\\rtf is how RTF begins,", "a.txt"),
        ("WEBVTT is a format of subtitles,", "a.txt"),
        ("From: <Saved by the bell>\nNobody came,", "a.txt"),
        ("%PDF-1.7 is how a PDF begins,", "a.txt"),
        ("# Headers\n\nA PDF begins with %PDF-1.7, then `1 0 obj`,", "a.md"),
        ("The root of the book is <FictionBook>,", "a.md"),
        ("<!-- <FictionBook> --><p>A page", "a.html"),
        ("<p>The root is &lt;FictionBook, a %PDF-1.7 1 0 obj", "a.html"),
    ],
)
def test_a_text_may_begin_with_the_letters_of_another_format(text: str, name: str) -> None:
    [found] = read_bytes((text + AFTERWARDS).encode(), name)
    assert found.format == {"txt": "txt", ".md": "md", "tml": "html"}[name[-3:]]
    assert "Clara Wren wrote that down" in found.text


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"ID3\x03\x00\x00\x00\x00\x0f\x76", "a sound file"),
        (b"RIFF\x24\x08\x00\x00WAVEfmt ", "a sound or film"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%Title: x\n", "PostScript"),
        (b"%!PS\n/Helvetica findfont", "PostScript"),
        (b"ITSF\x03\x00\x00\x00\x60\x00\x00\x00", "CHM"),
        (b"AT&TFORM\x00\x01\x02\x03DJVMDIRM", "DjVu"),
    ],
)
def test_a_file_of_a_kind_that_is_not_read_is_known_by_its_head(content: bytes, kind: str) -> None:
    with pytest.raises(UserError, match=kind):
        read_bytes(content + b"\x00" * 50, "a.txt")


@pytest.mark.parametrize(
    ("before", "after", "is_one"),
    [
        (b"", b"\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>", True),
        (b"\xef\xbb\xbf\r\n", b"\n1 0 obj\n<<>>", True),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>", True),
        (b"x" * 1100, b"\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>", False),
        (b"An example: ", b"\n1 0 obj\n<<>>", False),
    ],
)
def test_a_pdf_has_an_object_and_no_text_before_its_header(
    before: bytes, after: bytes, is_one: bool
) -> None:
    assert is_pdf(before + b"%PDF-1.7" + after, ".txt") is is_one


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        (b"", "a.txt", "empty"),
        (b" \n ", "a.txt", "no text"),
        (b"{\\rtf1 }", "a.rtf", "no text"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 99, "a.doc", "old Word"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 99, "a.txt", "picture"),
        (b"\x00" * 60 + b"BOOKMOBI" + b"\x00" * 99, "a.mobi", "list of parts"),
        (b'<?xml version="1.0"?><FictionBook/>', "a.fb2", "no text"),
        (b"ITSF" + b"\x00" * 99, "a.chm", "CHM"),
        (b"Rar!\x1a\x07", "a.rar", "archive"),
        (b"hello", "a.epub", "not a EPUB"),
        (b"PK\x03\x04broken", "a.docx", "zip archive is broken"),
        (make_zip({"ppt/presentation.xml": "x"}), "a.docx", "list of slides"),
        (make_zip({"xl/workbook.xml": "x"}), "a.xlsx", "list of sheets"),
        (make_zip({"xl/workbook.bin": "x"}), "a.xlsb", "binary Excel"),
        (make_zip({"a.txt": "x"}), "a.docx", "not a DOCX"),
        (
            make_zip({"mimetype": "application/vnd.oasis.opendocument.text"}),
            "a.odt",
            "content.xml",
        ),
        (make_zip({"word/document.xml": b" " * 60_000_000}), "a.docx", "bomb"),
        (b"nothing here\n", "a.jsonl", "JSON"),
    ],
)
def test_unreadable_files_are_refused_with_reason_and_advice(
    content: bytes, name: str, reason: str
) -> None:
    with pytest.raises(UserError, match=reason) as caught:
        read_bytes(content, name)
    assert name in caught.value.message
    assert caught.value.hint


def test_entities_of_a_hostile_xml_are_not_expanded() -> None:
    bomb = (
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><w:document xmlns:w="m">'
        "<w:body><w:p><w:r><w:t>ok &b;</w:t></w:r></w:p></w:body></w:document>"
    )
    assert "aaa" not in read_bytes(make_zip({"word/document.xml": bomb}), "x.docx")[0].text


def test_the_head_of_a_page_gives_title_authors_year_and_doi():
    page = (
        "<html><head><title>Slow rivers | The Flood Journal</title>"
        '<meta name="citation_title" content="Slow rivers">'
        '<meta name="citation_author" content="Durand, Amélie">'
        '<meta name="citation_author" content="Mensah, Kofi">'
        '<meta name="citation_publication_date" content="2019/05/01">'
        '<meta name="citation_doi" content="doi:10.5555/ABC.1"></head>'
        "<body><h1>The Flood Journal</h1><p>Water rose.</p></body></html>"
    )
    read = read_bytes(page.encode(), "page.html")[0]
    assert (read.title, read.author, read.year, read.doi) == (
        "Slow rivers", "Durand, Amélie; Mensah, Kofi", "2019", "10.5555/abc.1",
    )  # fmt: skip
    site = "<title>The Flood Journal | Slow rivers</title><h1>Slow rivers of the south</h1><p>A."
    assert read_bytes(f"<html>{site}".encode(), "a.html")[0].title == (
        "The Flood Journal | Slow rivers"
    )


def test_the_front_matter_of_markdown_gives_authors_year_and_isbn():
    text = (
        '---\ntitle: "Tides"\nauthors:\n  - Ada Voss\n  - name: Ben Lowe\ndate: 2001-03-04\n'
        "isbn: 0-306-40615-2\n---\n\nWater rose.\n"
    )
    read = read_bytes(text.encode(), "a.md")[0]
    assert (read.title, read.author, read.year, read.isbn) == (
        "Tides", "Ada Voss; Ben Lowe", "2001", "0306406152",
    )  # fmt: skip
    changes = "intro\n\n# Changelog\n\n- one\n"
    assert read_bytes(changes.encode(), "my_notes.md")[0].title == "My Notes"


@pytest.mark.parametrize(
    ("text", "title", "author"),
    [
        ("书名：山河岁月\n作者：胡文清\n\n第一章\n\n话说当年。", "山河岁月", "胡文清"),
        ("山河岁月\n\n[清] 胡文清 著\n\n话说当年，天下太平。", "山河岁月", "胡文清"),
        ("Title: Tides;\n       a tale\n\nAuthor: Ada Voss\n\n*** START OF THE PROJECT GUTENBERG"
         " EBOOK TIDES ***\n\nWater rose.", "Tides; a tale", "Ada Voss"),
    ],
)  # fmt: skip
def test_labelled_lines_of_books_give_title_and_author(text, title, author):
    read = read_bytes(text.encode(), "a.txt")[0]
    assert (read.title, read.author) == (title, author)


def test_cells_of_html_with_paragraphs_are_rows():
    page = (
        "<p>Before.</p><table><tr><th></th><th><p>1998</p></th><th>1999</th></tr>"
        "<tr><td><p>France</p><p>(metropolitan)</p></td><td><div>1,500</div></td><td></td></tr>"
        "<tr><td>Spain</td><td>610<br>estimated</td><td>640</td></tr></table><p>After.</p>"
    )
    text = read_bytes(page.encode(), "a.html")[0].text
    assert text == (
        "Before.\n\n | 1998 | 1999\nFrance (metropolitan) | 1,500 | \n"
        "Spain | 610 estimated | 640\n\nAfter."
    )


def test_tables_for_the_layout_of_a_page_keep_their_paragraphs():
    long = "Much was written about it. " * 30
    page = (
        f"<table><tr><td><h2>Title</h2><p>One.</p><p>Two.</p></td><td><p>{long}</p><p>End.</p></td>"
        "</tr></table>"
    )
    text = read_bytes(page.encode(), "a.html")[0].text
    assert "Title\n\nOne.\n\nTwo." in text and f"{long.strip()}\n\nEnd." in text
