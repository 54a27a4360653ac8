"""Tests reading PDFs: text, paragraphs, pages, outline and positions on the page."""

from __future__ import annotations

import time

import pytest

from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.model import Page
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.annotations import describe_text_place
from desktop_app.engine.text.pdf_positions import PDFIUM_LOCK, Box, find_boxes, open_pdf
from desktop_app.engine.text.readers.pdf import (
    LineJoiner,
    _find_title,
    _outline,
    drop_running_lines,
    join_page,
)
from desktop_app.engine.text.reading import read_bytes

LINES = [
    "It was a very cold night in the old town by the river and no",
    "one was out. The miller sat at home with his three daugh-",
    "ters and told them of the war.",
    "The next day brought snow, and with it came the stranger who",
    "asked for the mill.",
]


def make_pdf(pages: list[list[str]], title: str = "") -> bytes:
    """Return a PDF with a line of Helvetica for each string and a bookmark for each page."""
    n = len(pages)
    objects = {1: "<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>"}
    kids = " ".join(f"{10 + 3 * i} 0 R" for i in range(n))
    objects[2] = f"<</Type/Pages/Count {n}/Kids[{kids}]>>"
    objects[3] = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    objects[4] = f"<</First 12 0 R/Last {9 + 3 * n} 0 R/Count {n}>>"
    objects[5] = f"<</Title({title})>>"
    for i, lines in enumerate(pages):
        rows = " ".join(f"({line}) Tj 0 -14 Td" for line in lines)
        stream = f"BT /F 11 Tf 72 720 Td {rows} ET"
        page = 10 + 3 * i
        objects[page] = (
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {page + 1} 0 R"
            "/Resources<</Font<</F 3 0 R>>>>>>"
        )
        objects[page + 1] = f"<</Length {len(stream)}>>stream\n{stream}\nendstream"
        following = f"/Next {page + 5} 0 R" if i + 1 < n else ""
        objects[page + 2] = f"<</Title(Part {i + 1})/Parent 4 0 R{following}/Dest[{page} 0 R/Fit]>>"
    out, places = b"%PDF-1.4\n", {}
    for number, body in sorted(objects.items()):
        places[number] = len(out)
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += f"{number} 1\n{place:010d} 00000 n \n".encode()
    size = max(objects) + 1
    out += f"trailer<</Size {size}/Root 1 0 R/Info 5 0 R>>\nstartxref\n{start}\n%%EOF".encode()
    return out


def test_lines_become_paragraphs_and_hyphenated_words_are_joined() -> None:
    document = read_bytes(make_pdf([LINES], "The Mill"), "x.pdf")[0]
    assert document.title == "The Mill"
    first, second = document.text.split("\n\n")
    assert "river and no one was out." in first
    assert "three daughters and told" in first
    assert second.startswith("The next day brought snow")


def test_pages_cover_the_text_and_bookmarks_have_offsets() -> None:
    document = read_bytes(make_pdf([["Part 1", *LINES], ["Part 2", *LINES]]), "x.pdf")[0]
    assert [p.index for p in document.pages] == [0, 1]
    for page in document.pages:
        assert document.text[page.start : page.end].startswith(f"Part {page.index + 1}")
    assert [(h.title, h.page_index) for h in document.outline] == [("Part 1", 0), ("Part 2", 1)]
    assert all(document.text.startswith(h.title, h.start) for h in document.outline)


def test_a_sentence_over_a_page_break_stays_whole() -> None:
    pages = [LINES[:2], LINES[2:]]
    document = read_bytes(make_pdf(pages), "x.pdf")[0]
    assert "his three daughters and told them" in document.text
    before, after = document.pages
    assert document.text[before.start : before.end].endswith("daugh")
    assert document.text[after.start : after.end].startswith("ters")


def test_repeated_headers_and_page_numbers_are_dropped() -> None:
    pages = [
        ["THE MILL", *(f"{chr(96 + i)}{i} {line}" for line in LINES), str(i)] for i in range(1, 8)
    ]
    assert drop_running_lines(pages) == [page[1:-1] for page in pages]
    assert drop_running_lines(pages[:2]) == pages[:2]


def test_chinese_lines_are_joined_without_a_space() -> None:
    lines = [
        "　　话说这一日天色已晚众人都来到庄上",
        "吃酒，次日一早便起身上路去了。",
        "　　又过了三日。",
    ]
    text = join_page(lines, LineJoiner([lines]))
    assert text == "话说这一日天色已晚众人都来到庄上吃酒，次日一早便起身上路去了。\n又过了三日。"


def test_a_hyphen_the_document_itself_uses_is_kept() -> None:
    lines = ["the well-known miller came to the town and was a well-", "known man there"]
    assert "a well-known man" in join_page(lines, LineJoiner([lines]))


def find_quotes(content: bytes, text: str, quotes: list[tuple[int, int]]) -> list[list[Box]]:
    document = open_pdf(content)
    try:
        return find_boxes(document, 0, text, quotes, {})
    finally:
        with PDFIUM_LOCK:
            document.close()


def test_the_signs_at_the_ends_of_a_quote_belong_to_it() -> None:
    text = 'He said: "The tide came in!" [Nobody heard.] So.'
    content = make_pdf([[text]])
    ends = {}
    for quote in ('"The tide came in!"', "The tide came in", "[Nobody heard.]", "Nobody heard"):
        start = text.index(quote)
        ((box,),) = find_quotes(content, text, [(start, start + len(quote))])
        ends[quote] = box[0], box[2]
    assert ends['"The tide came in!"'][0] < ends["The tide came in"][0] - 0.003
    assert ends['"The tide came in!"'][1] > ends["The tide came in"][1] + 0.006
    assert ends["[Nobody heard.]"][0] > ends['"The tide came in!"'][1]
    assert ends["[Nobody heard.]"][0] < ends["Nobody heard"][0] - 0.003
    assert ends["[Nobody heard.]"][1] > ends["Nobody heard"][1] + 0.006
    # signs that the page does not have at this place are left out
    other = text.replace("heard.]", "heard”。")
    start = other.index("Nobody")
    ((box,),) = find_quotes(content, other, [(start, start + len("Nobody heard”。"))])
    assert box[2] == pytest.approx(ends["Nobody heard"][1])


def test_a_hyphen_that_is_drawn_apart_does_not_part_a_line() -> None:
    # each letter at its own place, as programs do that set text letter by letter
    content = make_pdf([["w) Tj 9 0 Td (h) Tj 7.5 0 Td (-) Tj 5.5 0 Td (s"]])
    ((box,),) = find_quotes(content, "wh-s", [(0, 4)])
    assert box[2] - box[0] > 25 / 595


def test_a_quote_is_found_on_its_page_line_by_line() -> None:
    content = make_pdf([LINES, LINES])
    document = read_bytes(content, "x.pdf")[0]
    page = document.text[: document.pages[0].end]
    quote = "with his three daughters and told"
    start = page.index(quote)
    (boxes,) = find_quotes(content, page, [(start, start + len(quote))])
    assert len(boxes) == 2
    assert all(left < right and top < bottom for left, top, right, bottom in boxes)
    assert boxes[0][3] < boxes[1][3]
    assert boxes[1][0] == pytest.approx(72 / 612, abs=0.004)


def test_each_of_two_equal_passages_is_found_at_its_own_place() -> None:
    content = make_pdf([["the mill was here", "and much more text between", "the mill was here"]])
    page = read_bytes(content, "x.pdf")[0].text
    quote = "the mill was here"
    starts = [page.index(quote), page.rindex(quote)]
    first, second = find_quotes(content, page, [(at, at + len(quote)) for at in starts])
    assert first[0][3] < second[0][1]


def test_pages_without_text_are_reported() -> None:
    document = read_bytes(make_pdf([LINES, [], LINES]), "x.pdf")[0]
    assert document.notes == ("1 of 3 pages have no text: 2",)
    assert document.pages[1].start == document.pages[1].end


@pytest.mark.parametrize(
    "written", ["doi:10.1000/182", "Microsoft Word - a.docx", "untitled", "x.pdf"]
)
def test_placeholder_titles_of_programs_are_ignored(written: str) -> None:
    document = read_bytes(make_pdf([LINES], written), "The Mill.pdf")[0]
    assert document.title == "The Mill"


def test_a_pdf_of_empty_pages_is_refused_with_advice() -> None:
    with pytest.raises(UserError, match="all 3 pages") as caught:
        read_bytes(make_pdf([[], [], []]), "scan.pdf")
    assert "file you meant" in caught.value.hint


def test_a_broken_pdf_is_refused() -> None:
    with pytest.raises(UserError, match="damaged"):
        read_bytes(b"%PDF-1.4\nrubbish", "x.pdf")


def test_reading_reports_each_page_and_can_be_stopped() -> None:
    reported: list[tuple[int, int]] = []
    cancel = CancelToken()

    def on_page(done: int, total: int) -> None:
        reported.append((done, total))
        if done == 2:
            cancel.cancel()

    with pytest.raises(Cancelled):
        read_bytes(make_pdf([LINES] * 4), "x.pdf", cancel=cancel, on_page=on_page)
    assert reported == [(1, 4), (2, 4)]


def test_a_page_of_only_characters_that_are_not_shown_is_a_picture() -> None:
    [document] = read_bytes(make_pdf([["\x02" * 200_000]]), "x.pdf")
    assert (document.text, document.pictures) == ("", (0,))


def test_a_bookmark_is_at_the_line_of_its_title_not_where_a_figure_names_it() -> None:
    first = "1 INTRODUCTION\n\nGraph indexing is new. Graph indexing of texts helps.\n"
    second = (
        "Graph Indexing Dual Retrieval Paradigm\n\nsee Graph indexing below.\n\n"
        "2 THE ARCHITECTURE\n\n2.1 GRAPH-INDEXING\n\nOur architecture indexes.\n\n"
        "Chapter 3. Graph indexing again\n"
    )
    text = first + second
    pages = [Page(0, "1", 0, len(first)), Page(1, "2", len(first), len(text))]
    bookmarks = [
        (1, "Introduction", 0),
        (1, "The Architecture", 1),
        (2, "Graph-indexing", 1),
        (2, "Not on the page", 1),
        (1, "Graph indexing again", 1),
    ]
    outline = _outline(bookmarks, text, pages)
    assert [heading.title for heading in outline] == [
        "1 Introduction", "2 The Architecture", "2.1 Graph-indexing", "Not on the page",
        "Graph indexing again",
    ]  # fmt: skip
    starts = [text[heading.start :][:12] for heading in outline]
    assert starts[:3] == ["1 INTRODUCTI", "2 THE ARCHIT", "2.1 GRAPH-IN"]
    assert starts[4].startswith("Graph indexi") and outline[3].start == outline[2].start


def test_a_compound_broken_at_its_hyphen_keeps_it_where_the_document_writes_it() -> None:
    lines = [
        "We study retrieval-augmented systems and real-time data in open texts of all kinds.",
        "They are retrieval\x02augmented, and the infor\x02mation of the old catalogue is new.",
        "A real\x02time index of catalogues is a realtime or realtime one, as others have it.",
        "Nobody writes cata\x02logue with a hyphen in this text of the old library.",
    ]
    text = join_page(lines, LineJoiner([lines]))
    assert "are retrieval-augmented, and the information of" in text
    assert "A realtime index" in text and "writes catalogue with" in text  # more often joined
    assert "\x02" not in text


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("cost\x02efficient", "cost-efficient"),  # both are words here, together they are none
        ("state-of-the\x02art", "state-of-the-art"),
        ("frame\x02work", "framework"),  # a word of English
        ("over\x02all", "overall"),  # a small word
        ("perfection\x02ated", "perfectionated"),  # one half is no word here
        ("King\x02stead", "Kingstead"),  # perhaps a name
    ],
)
def test_a_compound_that_is_written_once_keeps_its_hyphen(broken: str, whole: str) -> None:
    lines = [
        "The cost of a frame is over the cost of work, and all of it is efficient perfection.",
        "The art of the King in his stead is that of all of us, and so it is in this state.",
        f"This is a {broken} system of the old kind, and nothing is better than this one.",
    ]
    assert f"a {whole} system" in join_page(lines, LineJoiner([lines]))


def test_german_compounds_have_no_hyphen() -> None:
    lines = [
        "Das ist eine alte und kleine Sache, die wir hier sehen und nicht mehr lesen werden.",
        "Wir haben es blau und grau und alle sind mit uns in der Stadt, die nicht hier ist.",
        "Es ist blau\x02grau und wird von allen gesehen, die in der alten Stadt sind.",
    ]
    assert "ist blaugrau und" in join_page(lines, LineJoiner([lines]))


def test_a_section_has_the_number_that_its_page_prints() -> None:
    text = (
        "Methods for 2 gates and the basin.\n\n1 METHODS\n\nWe measure.\n\n2.1. Gates\n\n"
        "They close at night. 3 The Basin\n\nIt is seen in Table 4 Results of ours.\n\nA.2 Results"
    )
    titles = ["Methods", "2.1. Gates", "The Basin", "Results", "Absent"]
    found = [_find_title(title, text, 0) for title in titles]
    assert [number for _, number in found] == ["1", "", "3", "A.2", ""]
    assert [text[start:][:6] for start, _ in found[:4]] == ["1 METH", "2.1. G", "3 The ", "A.2 Re"]


def test_a_title_is_found_whatever_its_dashes_and_quotes_are() -> None:
    text = "See the results.\n\n4.2. Adjusted FDCs—the “size” of John’s flow\n\nFollowing the"
    start, number = _find_title('Adjusted FDCs-the "size" of John\'s flow', text, 0)
    assert number == "4.2" and text[start:].startswith("4.2. Adjusted")


def test_a_line_that_is_one_long_word_takes_no_longer_than_its_letters() -> None:
    # 40,000 letters took minutes while each letter was tried as the beginning of a broken word
    lines = ["a" * 40_000, "a" * 40_000 + "-", "end"]
    began = time.process_time()
    join_page(lines, LineJoiner([lines]))
    assert time.process_time() - began < 2


def test_front_matter_is_cited_by_its_roman_numbers():
    numbers = [*"i ii iii iv v vi vii".split(), *map(str, range(1, 9))]
    pages = [[*LINES[:3], f"This is page {n}.", *LINES[3:], n] for n in numbers]
    [read] = read_bytes(make_pdf(pages), "tides.pdf")
    assert [page.label for page in read.pages] == numbers
    start = read.text.index("is page vi.")
    assert describe_text_place(start, (), read.pages) == "p. vi"
    assert describe_text_place(read.text.index("is page 2."), (), read.pages) == "p. 2"
