"""Tests of title, authors, year and identifiers on first pages of many layouts.

The layouts were written after the rules, with other forms than the files they were made on.
"""

from __future__ import annotations

import pytest

from desktop_app.engine.text.reading import read_bytes
from tests.pdf_layouts import BOLD, CHINESE, Words, body, make_layout

W = Words
TWO_COLUMNS = [
    *(
        W("Slow Rivers and Fast Models:", 17, 150, 760, BOLD),
        W("Forecasting Floods from Sparse Gauges", 17, 120, 738, BOLD),
    ),
    *(
        W("Amélie Durand", 11, 90, 700),
        W("Kofi Mensah", 11, 250, 700),
        W("Lars van der Berg", 11, 400, 700),
    ),
    *(
        W("University of Lyon", 9, 90, 686),
        W("Volta Institute", 9, 250, 686),
        W("Delft", 9, 400, 686),
    ),
    *(W("a.durand@lyon.fr", 8, 90, 674), W("kofi@volta.org", 8, 250, 674)),
    W("Abstract", 10, 150, 640, BOLD),
    *(
        *[W("Short lines of the left column", 9, 72, 620 - 12 * i) for i in range(30)],
        *[W("and lines of the right one too", 9, 320, 620 - 12 * i) for i in range(30)],
    ),
]
SMALL_CAPS = [
    *(
        W("T", 20, 100, 740),
        W("HE", 16, 113, 740),
        W("W", 20, 145, 740),
        W("EIGHT OF", 16, 165, 740),
        W("W", 20, 250, 740),
        W("ATER", 16, 270, 740),
    ),
    *(
        W("Ines Moreau", 12, 120, 700),
        W("1", 8, 190, 705),
        W("and Tom Okafor", 12, 198, 700),
        W("2", 8, 285, 705),
    ),
    *(W("1", 7, 100, 683), W("Water Laboratory, Porto", 10, 108, 680)),
    *body(620),
]
SUBTITLE = [
    *(
        W("Cities without Maps", 26, 100, 720, BOLD),
        W("A history of finding the way", 17, 100, 692),
    ),
    *(W("Ruth Adler", 13, 100, 650), W("March 2017", 11, 100, 630), *body(560)),
]
RUNNING_HEAD = [
    *(
        W("Journal of Coastal Studies 14 (2011) 33-41", 8, 72, 810),
        W("R. Ito et al. / Journal of Coastal Studies", 8, 300, 798),
    ),
    *(
        W("ORIGINAL ARTICLE", 9, 72, 770, BOLD),
        W("Dune grasses as a store of carbon", 18, 72, 740, BOLD),
    ),
    *(
        W("Rei Ito, Paula Gomes & Henrik Dahl", 11, 72, 710),
        W("Received 4 March 2011 / Accepted 2 May 2011", 8, 72, 694),
    ),
    *(W("https://doi.org/10.5555/jcs.2011.14.33", 8, 72, 682), *body(640)),
]
ARXIV = [
    W("arXiv:1907.01234v3 [cs.LG] 5 Jan 2020", 20, 34, 260, turned=True),
    *(
        W("Learning to Wait: When Agents Should", 15, 110, 750, BOLD),
        W("Postpone Their Decisions", 15, 160, 731, BOLD),
    ),
    *(
        W("Noor Haddad*", 11, 120, 700),
        W("Simon Keller*", 11, 260, 700),
        W("Mei-Ling Tan", 11, 400, 700),
    ),
    *(W("Institute of Robotics", 10, 220, 686), W("Abstract", 11, 270, 650, BOLD), *body(630)),
]
COVER = [
    [
        W("Harbour University", 16, 180, 780),
        W("Working Paper Series", 14, 190, 758),
        W("No. 2014-07", 11, 230, 740),
        W("The Price of Quiet", 24, 160, 560, BOLD),
        W("June 2014", 11, 250, 500),
    ],
    [
        W("The Price of Quiet", 17, 180, 760, BOLD),
        W("Olga Petrova", 12, 200, 730),
        W("Abstract", 11, 240, 690, BOLD),
        *body(670),
    ],
]
THESIS = [
    [
        W("Memory in Mountain Villages", 22, 110, 700, BOLD),
        W("A dissertation submitted to the Faculty of Arts", 12, 130, 640),
        W("in partial fulfilment of the requirements", 12, 140, 624),
        W("by", 12, 270, 590),
        W("Jonas Lindqvist", 14, 230, 570),
        W("September 2009", 12, 240, 520),
    ],
    [W("Acknowledgements", 16, 72, 760, BOLD), *body(730)],
]
BOOK = [
    [
        W("MARTA VIEIRA", 16, 200, 740),
        W("The Salt Road", 34, 160, 560, BOLD),
        W("Lantern Press", 12, 230, 120),
    ],
    [
        W("Copyright © 1998 by Marta Vieira", 9, 72, 400),
        W("ISBN 0-306-40615-2", 9, 72, 386),
        W("All rights reserved", 9, 72, 372),
    ],
    [W("1", 14, 290, 740), *body(700)],
]
CHINESE_PAPER = [
    *(W("城市湖泊水质变化的", 20, 180, 760, CHINESE), W("长期观测与分析", 20, 200, 734, CHINESE)),
    *(
        W("陈海燕，王立新，欧阳明", 12, 200, 700, CHINESE),
        W("（江南大学 环境学院，无锡）", 10, 190, 682, CHINESE),
    ),
    *(W("摘要：本文研究湖泊水质。", 10, 72, 650, CHINESE), *body(630, font=CHINESE)),
]
CHINESE_LABELS = [
    [
        W("书名：山河岁月", 14, 100, 700, CHINESE),
        W("作者：胡文清", 14, 100, 670, CHINESE),
        W("2003年5月", 12, 100, 640, CHINESE),
        W("本书由读者整理，仅供学习，请支持正版图书出版。", 10, 100, 600, CHINESE),
    ],
    body(740, font=CHINESE),
]
CAPITALS = [
    *(
        W("ON THE HABITS OF URBAN FOXES", 16, 120, 750, BOLD),
        W("GRACE HOLLIS, PH.D. AND PETER J. NORTH", 11, 150, 720),
    ),
    *(W("Department of Zoology, Westport", 10, 170, 704), *body(640)),
]
LIBRARY_COVER = [
    [
        W("Downloaded from the Example Archive on 3 May 2020", 9, 72, 780),
        W("Title: A Field Guide to Lost Letters", 12, 72, 700),
        W("Author(s): Ida Brandt and Paul Osei", 12, 72, 680),
        W(
            "This work is shared under the terms of the archive and may be used for study.",
            9,
            72,
            640,
        ),
    ],
    [W("Lost letters", 12, 72, 760), *body(730)],
]
LETTER = [
    W("12 Hill Street", 11, 72, 780),
    W("4 July 2018", 11, 72, 764),
    W("Dear Ms Novak,", 11, 72, 730),
    *body(700, size=11),
]
SLIDES = [
    W("Budget", 28, 72, 480, BOLD),
    W("Costs rose by four percent", 18, 72, 440),
    W("Outlook", 28, 72, 380, BOLD),
    W("Lower costs next year", 18, 72, 340),
]
CONTENTS = [
    W("Contents", 20, 72, 760, BOLD),
    *[W(f"{i} Chapter number {i} ........ {i * 10}", 11, 72, 720 - 16 * i) for i in range(1, 20)],
]
CHAPTER = [W("Chapter 7", 20, 72, 760, BOLD), W("The Long Winter", 20, 72, 735, BOLD), *body(690)]
INVOICE = [
    W("No. 4711 / 2020", 18, 72, 780, BOLD),
    *[W(f"Item {i}   {i * 7}.00", 11, 72, 740 - 16 * i) for i in range(20)],
]

FOUND = {
    "two columns": (
        [TWO_COLUMNS],
        "Slow Rivers and Fast Models: Forecasting Floods from Sparse Gauges",
        "Amélie Durand; Kofi Mensah; Lars van der Berg",
        "",
    ),
    "small capitals": ([SMALL_CAPS], "The Weight of Water", "Ines Moreau; Tom Okafor", ""),
    "subtitle": (
        [SUBTITLE],
        "Cities without Maps: A history of finding the way",
        "Ruth Adler",
        "2017",
    ),
    "running head": (
        [RUNNING_HEAD],
        "Dune grasses as a store of carbon",
        "Rei Ito; Paula Gomes; Henrik Dahl",
        "2011",
    ),
    "arXiv": (
        [ARXIV],
        "Learning to Wait: When Agents Should Postpone Their Decisions",
        "Noor Haddad; Simon Keller; Mei-Ling Tan",
        "2019",
    ),
    "cover": (COVER, "The Price of Quiet", "Olga Petrova", "2014"),
    "thesis": (THESIS, "Memory in Mountain Villages", "Jonas Lindqvist", "2009"),
    "book": (BOOK, "The Salt Road", "Marta Vieira", "1998"),
    "Chinese paper": (
        [CHINESE_PAPER],
        "城市湖泊水质变化的长期观测与分析",
        "陈海燕; 王立新; 欧阳明",
        "",
    ),
    "Chinese labels": (CHINESE_LABELS, "山河岁月", "胡文清", "2003"),
    "capitals": ([CAPITALS], "On the Habits of Urban Foxes", "Grace Hollis; Peter J. North", ""),
    "library cover": (LIBRARY_COVER, "A Field Guide to Lost Letters", "Ida Brandt; Paul Osei", ""),
}


@pytest.mark.parametrize("name", FOUND)
def test_title_authors_and_year_are_whole(name):
    pages, title, authors, year = FOUND[name]
    read = read_bytes(make_layout(pages), "scan0042.pdf")[0]
    assert (read.title, read.author, read.year) == (title, authors, year)


@pytest.mark.parametrize(
    "page",
    [LETTER, SLIDES, CONTENTS, CHAPTER, INVOICE],
    ids=["letter", "slides", "contents", "chapter", "invoice"],
)
def test_pages_without_a_title_keep_the_name_of_the_file(page):
    read = read_bytes(make_layout([page, body(740)]), "scan0042.pdf")[0]
    assert (read.title, read.author) == ("scan0042", "")


SUPERSCRIPTS = [
    *(W("A Broad Toolkit for Reading", 17, 150, 770, BOLD), W("Old Maps", 17, 250, 750, BOLD)),
    *(W("Ines Moreau", 11, 120, 715), W("1", 7, 184, 719), W(", Tom Okafor", 11, 188, 715)),
    *(W("2", 7, 254, 719), W(", Benjamin Charles", 11, 258, 715)),
    *(W("Lee", 11, 220, 701), W("1", 7, 239, 705), W(", and Amy Dell", 11, 243, 701)),
    *(W("2", 7, 318, 705), W("1", 6, 190, 683), W("Water Laboratory, Porto", 9, 196, 680)),
    *(W("ines@porto.pt", 8, 210, 670), W("2", 6, 200, 661), W("Volta Institute", 9, 206, 658)),
    *(W("Abstract", 10, 250, 630, BOLD), *body(610)),
]
PARAGRAPHS = {
    "superscripts": (
        SUPERSCRIPTS,
        ("A Broad Toolkit for Reading Old Maps",
         "Ines Moreau 1, Tom Okafor 2, Benjamin Charles Lee 1, and Amy Dell 2",
         "1 Water Laboratory, Porto", "ines@porto.pt", "2 Volta Institute", "Abstract"),
    ),
    "wide gaps": (
        TWO_COLUMNS,
        ("Slow Rivers and Fast Models: Forecasting Floods from Sparse Gauges",
         "Amélie Durand", "Kofi Mensah", "Lars van der Berg"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PARAGRAPHS)
def test_title_authors_and_affiliations_are_paragraphs(name):
    page, expected = PARAGRAPHS[name]
    text = read_bytes(make_layout([page]), "scan0042.pdf")[0].text
    assert tuple(text.split("\n\n")[: len(expected)]) == expected


def test_an_accent_that_is_drawn_over_a_letter_belongs_to_it():
    page = [
        *(W("Grudzinski and Muller were here,", 10, 72, 700), W("\xb4", 10, 103.5, 700)),
        *(W("\xa8", 10, 151, 700), *body(680)),
    ]
    text = read_bytes(make_layout([page]), "scan0042.pdf")[0].text
    assert text.startswith("Grudziński and Müller were here,")
