"""First pages of many kinds of documents, with what a reader finds on them.

An independent set: it was written, with its expected readings, by somebody who had not read the
rules, and before these were run on it (decision 60). `FirstPage.title` is "" where a page has no
title, so that the name of the file stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.attack_files import make_docx
from tests.cover_files import make_book
from tests.pdf_layouts import BOLD, CHINESE, REGULAR, Words, body, make_layout


@dataclass(frozen=True, slots=True)
class FirstPage:
    """A document and what stands on its first page; `identifier` is its DOI or ISBN."""

    name: str
    content: bytes
    title: str
    author: str = ""
    year: str = ""
    identifier: str = ""


def c(text: str, size: float, y: float, font: str = REGULAR) -> Words:
    """Return a centred line; Helvetica is about half as wide as high."""
    width = len(text) * size * (1.0 if font == CHINESE else 0.5)
    return Words(text, size, max(20.0, 297 - width / 2), y, font)


def at(text: str, size: float, x: float, y: float, font: str = REGULAR) -> Words:
    return Words(text, size, x, y, font)


def pdf(
    name: str,
    *pages: Sequence[Words],
    gold: tuple[str, ...],
    meta: tuple[str, str, str] = ("", "", ""),
) -> FirstPage:
    return FirstPage(f"{name}.pdf", make_layout(pages, *meta), *gold)


def text(name: str, content: str, gold: tuple[str, ...]) -> FirstPage:
    return FirstPage(name, content.encode("utf-8"), *gold)


def columns(top: float) -> list[Words]:
    """Return two columns of text, as in proceedings."""
    left = [at("We study how much of the", 9, 54, top - 11 * i) for i in range(35)]
    return left + [at("signal remains after it.", 9, 315, top - 11 * i) for i in range(35)]


PROSE = "It rained for the third day. The mill stood still, and nobody came down the road.\n" * 30
PROSE_ZH = "那天下了一夜的雨，磨坊停了，路上没有一个人。老人坐在门口，一句话也不说。\n" * 30

ARXIV = [
    pdf(
        "2103.04421v2",
        [
            Words("arXiv:2103.04421v2 [cs.CL] 19 Jul 2021", 20, 34, 250, turned=True),
            c("Do Tokenizers Forget? Measuring Vocabulary Drift", 17, 730, BOLD),
            c("Hana Sato1   Miguel Ferreira2   Anna-Lena Braun1", 12, 700),
            c("1Kyushu Institute   2Universidade do Porto", 10, 684),
            c("{sato, braun}@kyu.ac.jp", 9, 672), c("Abstract", 11, 645, BOLD), *body(630),
        ],
        gold=("Do Tokenizers Forget? Measuring Vocabulary Drift",
              "Hana Sato; Miguel Ferreira; Anna-Lena Braun", "2021", "10.48550/arxiv.2103.04421"),
    ),
    pdf(
        "1811.09001",
        [
            Words("arXiv:1811.09001v1 [math.CO] 22 Nov 2018", 20, 34, 250, turned=True),
            c("ON SPARSE GRAPHS WITH MANY TRIANGLES", 12, 720, BOLD),
            c("PIOTR WOLSKI AND GRACE NAKAMURA", 10, 692),
            c("Abstract. We show that sparse graphs may have many triangles.", 8, 665),
            *body(630),
        ],
        gold=("ON SPARSE GRAPHS WITH MANY TRIANGLES", "Piotr Wolski; Grace Nakamura", "2018",
              "10.48550/arxiv.1811.09001"),
    ),
    pdf(
        "paper_final",
        [
            c("Under review as a conference paper at ICLR 2023", 8, 810),
            at("GRADIENTS THAT KNOW WHEN TO STOP", 17, 72, 750),
            at("Anonymous authors", 10, 72, 715, BOLD),
            at("Paper under double-blind review", 10, 72, 702),
            c("ABSTRACT", 12, 660), *body(640),
        ],
        gold=("GRADIENTS THAT KNOW WHEN TO STOP", "", "2023"),
    ),
    pdf(
        "camera_ready",
        [
            c("Calibrated Uncertainty for Ocean Temperature", 14, 760, BOLD),
            c("Prediction with Neural Processes", 14, 743, BOLD),
            at("Samuel Osei", 11, 90, 700), at("Ingrid Halvorsen", 11, 250, 700),
            at("Wei Zhang", 11, 430, 700),
            at("Ocean Lab", 9, 90, 688), at("Univ. of Bergen", 9, 250, 688),
            at("Tongji University", 9, 430, 688),
            at("Bergen, Norway", 9, 250, 677), at("Shanghai, China", 9, 430, 677),
            at("Abstract", 12, 150, 630, BOLD), *columns(612),
        ],
        gold=("Calibrated Uncertainty for Ocean Temperature Prediction with Neural Processes",
              "Samuel Osei; Ingrid Halvorsen; Wei Zhang"),
    ),
    pdf(
        "neurips",
        [
            c("Mixtures of Slow and Fast Weights", 17, 740, BOLD),
            at("Dmitri Volkov", 10, 110, 690, BOLD), at("Aisha Bello", 10, 260, 690, BOLD),
            at("Carlos M. Ruiz", 10, 400, 690, BOLD),
            at("Baltic AI", 10, 110, 678), at("Lagos Tech", 10, 260, 678),
            at("UNAM", 10, 400, 678),
            at("d.volkov@baltic.ai", 9, 100, 666), at("a.bello@ltech.ng", 9, 250, 666),
            c("Abstract", 12, 630, BOLD), *body(610),
            at("35th Conference on Neural Information Processing (NeurIPS 2021)", 8, 72, 60),
        ],
        gold=("Mixtures of Slow and Fast Weights", "Dmitri Volkov; Aisha Bello; Carlos M. Ruiz",
              "2021"),
    ),
]  # fmt: skip

JOURNALS = [
    pdf(
        "1-s2.0-S0167",
        [
            c("Contents lists available at ScienceDirect", 9, 800),
            c("Applied Hydrology", 18, 775),
            c("journal homepage: www.example.org/locate/apphyd", 8, 758),
            at("Storm drains as habitats: A three-year survey of", 14, 50, 715),
            at("insects under two cities", 14, 50, 698),
            at("Laura Pinto a,*, Erik Sandberg b", 11, 50, 670),
            at("a Department of Biology, University of Coimbra, Portugal", 7, 50, 655),
            at("b Lund University, Sweden", 7, 50, 646),
            at("A R T I C L E   I N F O", 9, 50, 615), at("A B S T R A C T", 9, 220, 615),
            *body(600, x=220),
            at("https://doi.org/10.1016/j.apphyd.2019.04.017", 7, 50, 70),
            at("Received 3 December 2018; Accepted 21 April 2019", 7, 50, 60),
        ],
        gold=("Storm drains as habitats: A three-year survey of insects under two cities",
              "Laura Pinto; Erik Sandberg", "2019", "10.1016/j.apphyd.2019.04.017"),
    ),
    pdf(
        "nature_like",
        [
            at("Article", 20, 50, 790),
            at("Migrating eels read the moon", 26, 50, 745, BOLD),
            at("https://doi.org/10.1038/s41586-022-01234-5", 8, 50, 700),
            at("Received: 2 May 2021", 8, 50, 688),
            at("Published online: 9 March 2022", 8, 50, 676),
            at("Freya Madsen1, Tomas Silva2 & Yuki Hara1,3", 9, 220, 700, BOLD),
            *body(660, x=220, size=9),
        ],
        gold=("Migrating eels read the moon", "Freya Madsen; Tomas Silva; Yuki Hara", "2022",
              "10.1038/s41586-022-01234-5"),
    ),
    pdf(
        "medical",
        [
            at("BMC Rural Health (2020) 20:118", 8, 50, 805), at("Open Access", 9, 480, 805),
            at("RESEARCH ARTICLE", 10, 50, 775),
            at("Walking to the clinic: distance and", 20, 50, 740, BOLD),
            at("vaccination in mountain districts", 20, 50, 716, BOLD),
            at("Bishnu Gurung1* , Marie-Claire Dubois2 and Peter Lang1", 11, 50, 685),
            at("Abstract", 12, 60, 650, BOLD),
            at("Background: Distance matters.", 10, 60, 635), *body(620, x=60),
        ],
        gold=("Walking to the clinic: distance and vaccination in mountain districts",
              "Bishnu Gurung; Marie-Claire Dubois; Peter Lang", "2020"),
    ),
    pdf(
        "humanities",
        [
            c("The Review of Border Studies, Vol. 31, No. 2 (Summer, 1994), pp. 201-224", 9, 800),
            c("Smugglers and Schoolteachers on the Upper Drina", 16, 740),
            c("MILENA KOVAC", 11, 712), *body(670),
            at("MILENA KOVAC is professor of history at the University of Graz.", 8, 72, 60),
        ],
        gold=("Smugglers and Schoolteachers on the Upper Drina", "Milena Kovac", "1994"),
    ),
    pdf(
        "ieee",
        [
            at("IEEE TRANSACTIONS ON GRIDS, VOL. 12, NO. 3, MAY 2016", 7, 50, 810),
            at("1407", 7, 530, 810),
            c("Forecasting Solar Feed-In Without", 24, 760), c("Weather Models", 24, 732),
            c("Jorge Alvarez, Member, IEEE, and Sunita Rao, Senior Member, IEEE", 11, 700),
            at("Abstract-We forecast solar power.", 9, 54, 660, BOLD), *columns(640),
        ],
        gold=("Forecasting Solar Feed-In Without Weather Models", "Jorge Alvarez; Sunita Rao",
              "2016"),
    ),
    pdf(
        "acm",
        [
            at("What Do Librarians Ask? A Diary Study of", 18, 54, 770, BOLD),
            at("Reference Desks", 18, 54, 748, BOLD),
            at("OLIVIA STONE, University of Leeds, United Kingdom", 10, 54, 720),
            at("PRAKASH IYER, IIT Madras, India", 10, 54, 706),
            *body(680, x=54, size=9),
            at("ACM Reference Format: O. Stone and P. Iyer. 2018. What Do Librarians", 7, 54, 120),
            at("Ask? https://doi.org/10.1145/3173574.3173999", 7, 54, 110),
        ],
        gold=("What Do Librarians Ask? A Diary Study of Reference Desks",
              "Olivia Stone; Prakash Iyer", "2018", "10.1145/3173574.3173999"),
    ),
    pdf(
        "letter_physics",
        [
            c("PRL 98, 117204 (2007)   PHYSICAL REVIEW LETTERS   16 MARCH 2007", 8, 810),
            c("Frozen Vortices in a Rotating Film", 13, 770, BOLD),
            c("T. Nakagawa,1 R. Okonkwo,1,2 and S. Lindgren2", 10, 748),
            c("1Institute of Low Temperatures, Sendai 980, Japan", 9, 734),
            c("2Chalmers University of Technology, Gothenburg, Sweden", 9, 722),
            c("(Received 5 October 2006; published 15 March 2007)", 9, 708),
            *body(690, size=9),
            at("DOI: 10.1103/PhysRevLett.98.117204", 8, 54, 80),
        ],
        gold=("Frozen Vortices in a Rotating Film", "T. Nakagawa; R. Okonkwo; S. Lindgren", "2007",
              "10.1103/physrevlett.98.117204"),
    ),
]  # fmt: skip

THESES = [
    pdf(
        "phd_print",
        [
            c("UNIVERSITY OF EASTERN FINLAND", 14, 780), c("Faculty of Forestry", 12, 760),
            c("Fire, Moss and Memory", 28, 560, BOLD),
            c("Carbon storage in drained peatlands", 16, 530),
            c("Eeva Korhonen", 16, 440), c("Doctoral Thesis", 12, 400),
            c("Joensuu 2015", 12, 100),
        ],
        [at("Contents", 16, 72, 760, BOLD), *body(730)],
        gold=("Fire, Moss and Memory: Carbon storage in drained peatlands", "Eeva Korhonen",
              "2015"),
    ),
    pdf(
        "thesis",
        [
            c("Essays on Small Markets", 22, 700),
            c("A Thesis", 12, 640), c("Presented to the Academic Faculty", 12, 624),
            c("by", 12, 590), c("Rajesh K. Menon", 13, 570),
            c("In Partial Fulfillment of the Requirements for the Degree", 12, 520),
            c("Doctor of Philosophy in Economics", 12, 504),
            c("Georgia Institute of Studies", 12, 300), c("May 2012", 12, 284),
        ],
        [c("Essays on Small Markets", 14, 760),
         at("Approved by: Dr. Helen Ward, Advisor", 11, 72, 700)],
        gold=("Essays on Small Markets", "Rajesh K. Menon", "2012"),
    ),
    pdf(
        "master",
        [
            c("Technische Hochschule Nordstadt", 16, 790), c("Master Thesis", 14, 720),
            c("Route planning for cargo bikes", 20, 640, BOLD),
            c("in hilly cities", 20, 615, BOLD),
            at("Author:", 12, 120, 500), at("Tim Hoffmann", 12, 250, 500),
            at("Supervisor:", 12, 120, 480), at("Prof. Dr. Karin Seidel", 12, 250, 480),
            at("Date:", 12, 120, 460), at("14 February 2020", 12, 250, 460),
        ],
        body(760),
        gold=("Route planning for cargo bikes in hilly cities", "Tim Hoffmann", "2020"),
    ),
    pdf(
        "硕士论文",
        [
            c("硕士学位论文", 26, 720, CHINESE), c("农村电商物流路径优化研究", 22, 600, CHINESE),
            at("作者姓名：周晓明", 14, 200, 420, CHINESE),
            at("指导教师：李建国 教授", 14, 200, 395, CHINESE),
            at("学科专业：物流工程", 14, 200, 370, CHINESE), c("2018年6月", 14, 200, CHINESE),
        ],
        body(760, font=CHINESE),
        gold=("农村电商物流路径优化研究", "周晓明", "2018"),
    ),
]  # fmt: skip

BOOKS = [
    pdf(
        "scan_0042",
        [c("THE CLOCKMAKER'S", 30, 700, BOLD), c("APPRENTICE", 30, 660, BOLD),
         c("A Novel", 14, 620), c("ELEANOR WHITCOMBE", 18, 480), c("Harbour House", 11, 110),
         c("LONDON  NEW YORK", 9, 95)],
        [at("First published 2004", 9, 72, 500),
         at("Copyright © Eleanor Whitcombe 2004", 9, 72, 485),
         at("ISBN 978-0-14-303943-3", 9, 72, 470)],
        body(760),
        gold=("THE CLOCKMAKER'S APPRENTICE", "Eleanor Whitcombe", "2004", "9780143039433"),
    ),
    pdf(
        "textbook",
        [at("Henrik Lund", 16, 72, 760), at("Paola Conti", 16, 72, 738),
         at("Statistics for", 40, 72, 600, BOLD), at("Field Ecologists", 40, 72, 555, BOLD),
         at("Second Edition", 18, 72, 510), at("With 84 Figures", 11, 72, 480),
         at("Springbok", 16, 72, 90)],
        [at("© Springbok Verlag 1997, 2009", 9, 72, 300), at("ISBN 978-3-16-148410-0", 9, 72, 285)],
        body(760),
        gold=("Statistics for Field Ecologists", "Henrik Lund; Paola Conti", "2009",
              "9783161484100"),
    ),
    pdf(
        "edited",
        [c("Edited by", 12, 700), c("Fatima Rahmani and Noel Curtis", 15, 680),
         c("Water and Power", 32, 560, BOLD), c("Irrigation Politics in Dry Countries", 18, 525),
         c("Meridian University Press", 12, 100)],
        [at("Library of Congress Cataloging-in-Publication Data", 9, 72, 500),
         at("Copyright © 2011 Meridian University Press", 9, 72, 480)],
        body(760),
        gold=("Water and Power: Irrigation Politics in Dry Countries",
              "Fatima Rahmani; Noel Curtis", "2011"),
    ),
    pdf(
        "manual",
        [at("Reference Manual", 14, 72, 740), at("gridtool 4.2", 36, 72, 640, BOLD),
         at("The gridtool developers", 14, 72, 590), at("October 2021", 12, 72, 560)],
        [at("Contents", 18, 72, 760, BOLD), *body(720)],
        gold=("gridtool 4.2", "The gridtool developers", "2021"),
    ),
    pdf(
        "children",
        [c("Oskar and the", 44, 640), c("Winter Whale", 44, 590),
         c("written by Lucy Tran", 14, 500), c("pictures by Omar Haddad", 14, 480)],
        [c("Once there was a whale.", 20, 400)], [c("It was winter.", 20, 400)],
        gold=("Oskar and the Winter Whale", "Lucy Tran"),
    ),
]  # fmt: skip

CHINESE_PAGES = [
    pdf(
        "学报",
        [
            at("第35卷 第4期", 9, 60, 800, CHINESE), at("江海学报", 9, 270, 800, CHINESE),
            at("2016年8月", 9, 460, 800, CHINESE),
            c("长江中游湿地鸟类越冬分布的变化", 18, 750, CHINESE),
            c("赵一鸣1，孙丽2，欧阳志远1", 12, 720, CHINESE),
            c("（1.武汉大学 生命科学学院，武汉 430072；2.南昌大学，南昌 330031）", 8, 704, CHINESE),
            at("摘要：湿地是鸟类越冬的重要场所。", 9, 60, 680, CHINESE),
            at("关键词：湿地；越冬；鸟类", 9, 60, 666, CHINESE), *body(640, font=CHINESE),
        ],
        gold=("长江中游湿地鸟类越冬分布的变化", "赵一鸣; 孙丽; 欧阳志远", "2016"),
    ),
    pdf(
        "知网下载",
        [
            c("基于多源数据的古镇旅游", 20, 760, CHINESE), c("客流预测方法研究", 20, 734, CHINESE),
            c("林 涛  何静怡", 12, 705, CHINESE), c("（浙江旅游职业学院，杭州）", 9, 690, CHINESE),
            at("［摘 要］本文提出一种客流预测方法。", 9, 60, 665, CHINESE),
            *body(640, font=CHINESE),
            at("doi:10.3969/j.issn.1000-1234.2020.05.011", 8, 60, 60),
        ],
        gold=("基于多源数据的古镇旅游客流预测方法研究", "林涛; 何静怡", "2020",
              "10.3969/j.issn.1000-1234.2020.05.011"),
    ),
    pdf(
        "报告",
        [c("中国农村饮水安全", 30, 620, CHINESE), c("发展报告", 30, 580, CHINESE),
         c("（2017）", 18, 540, CHINESE), c("水利发展研究中心 编", 14, 200, CHINESE)],
        body(760, font=CHINESE),
        gold=("中国农村饮水安全发展报告", "水利发展研究中心", "2017"),
    ),
    pdf(
        "小说",
        [c("渡口的灯", 40, 600, CHINESE), c("沈砚秋 著", 18, 520, CHINESE),
         c("江南文艺出版社", 12, 100, CHINESE)],
        [at("图书在版编目（CIP）数据", 10, 72, 600, CHINESE),
         at("渡口的灯 / 沈砚秋著. -- 南京：江南文艺出版社，2014.3", 10, 72, 580, CHINESE),
         at("ISBN 978-7-02-000872-4", 10, 72, 560)],
        body(760, font=CHINESE),
        gold=("渡口的灯", "沈砚秋", "2014"),
    ),
    text("hlm_utf8.txt", "《石桥记》\n\n作者：许青山\n\n第一章 雨夜\n\n" + PROSE_ZH,
         ("石桥记", "许青山")),
    text("下载.txt", "青灯旧事\n\n[清] 顾怀远 著\n\n卷一\n\n" + PROSE_ZH, ("青灯旧事", "顾怀远")),
    text("日记.txt", "今天下雨。我没有出门。\n" + PROSE_ZH, ("",)),
]  # fmt: skip

REPORTS = [
    pdf(
        "wp-0815",
        [
            c("NATIONAL OFFICE FOR TRADE RESEARCH", 11, 790), c("WORKING PAPER SERIES", 11, 770),
            c("TARIFFS AND THE PRICE OF BREAD", 15, 640, BOLD),
            c("Amelia Grant", 12, 600), c("Yusuf Demir", 12, 584),
            c("Working Paper 0815", 11, 540), c("http://www.notr.example/papers/w0815", 10, 524),
            c("August 2008", 11, 480),
        ],
        [c("Tariffs and the Price of Bread", 12, 760), c("Amelia Grant and Yusuf Demir", 11, 740),
         c("ABSTRACT", 11, 700), *body(680)],
        gold=("TARIFFS AND THE PRICE OF BREAD", "Amelia Grant; Yusuf Demir", "2008"),
    ),
    pdf(
        "annual",
        [at("Annual Report", 44, 60, 600, BOLD), at("2019", 44, 60, 550, BOLD),
         at("Northern Rail Trust", 16, 60, 100)],
        [at("Contents", 20, 60, 760, BOLD), *body(720)],
        gold=("Annual Report 2019", "Northern Rail Trust", "2019"),
    ),
    pdf(
        "rfc-like",
        [
            at("Internet Group", 10, 60, 800), at("J. Brandt", 10, 480, 800),
            at("Request for Comments: 9999", 10, 60, 788), at("Nordnet", 10, 480, 788),
            at("Category: Informational", 10, 60, 776), at("April 2013", 10, 480, 776),
            c("A Quiet Handshake for Sleepy Devices", 10, 740), at("Abstract", 10, 60, 700),
            *body(680, x=80),
        ],
        gold=("A Quiet Handshake for Sleepy Devices", "J. Brandt", "2013"),
    ),
    pdf(
        "gov",
        [at("United States Bureau of Bridges", 12, 72, 790), at("Report to Congress", 12, 72, 770),
         at("January 2003", 12, 72, 750), at("RURAL BRIDGES", 28, 72, 640, BOLD),
         at("Inspections Are Late and", 20, 72, 600), at("Records Incomplete", 20, 72, 576),
         at("BOB-03-117", 10, 72, 100)],
        body(760),
        gold=("RURAL BRIDGES: Inspections Are Late and Records Incomplete", "", "2003"),
    ),
]  # fmt: skip

LETTERS_AND_NOTES = [
    pdf(
        "brief",
        [at("Harold Finch", 11, 72, 790), at("12 Quay Street, Whitby", 11, 72, 776),
         at("4 June 1999", 11, 72, 740), at("Dear Mrs Tully,", 11, 72, 700),
         *body(680, size=11, n=20), at("Yours sincerely,", 11, 72, 300),
         at("Harold Finch", 11, 72, 260)],
        gold=("", "", "1999"),
    ),
    pdf(
        "invoice_2021",
        [at("INVOICE", 28, 400, 780, BOLD), at("Invoice No. 2021-044", 10, 400, 760),
         at("Bright Bikes Ltd.", 12, 72, 780), at("Item", 10, 72, 640, BOLD),
         at("Price", 10, 400, 640, BOLD), at("Brake pads", 10, 72, 624), at("24.00", 10, 400, 624),
         at("Total", 10, 72, 600, BOLD), at("24.00", 10, 400, 600)],
        gold=("", "", ""),
    ),
    pdf(
        "minutes",
        [c("Minutes of the Harbour Committee", 14, 770, BOLD), c("Tuesday 9 October 2018", 11, 750),
         at("Present: A. Bell, C. Moor, D. Shaw", 11, 72, 720), *body(690, size=11)],
        gold=("Minutes of the Harbour Committee", "", "2018"),
    ),
    pdf("plain", body(780, n=50), body(780, n=50), gold=("", "", "")),
    pdf(
        "office",
        [at("Dear colleagues,", 11, 72, 760), *body(730, n=30, size=11)],
        meta=("Microsoft Word - memo_v3.doc", "user", "D:20100405"),
        gold=("", "", "2010"),
    ),
]  # fmt: skip

SLIDES = [
    pdf(
        "talk",
        [c("Why Maps Lie", 40, 560, BOLD), c("Three stories about projection", 20, 510),
         c("Nadia Rossi", 18, 420), c("Geo Days 2017, Turin", 14, 390)],
        [at("Outline", 32, 60, 760, BOLD), at("Mercator", 22, 80, 680), at("Peters", 22, 80, 640)],
        [at("Mercator", 32, 60, 760, BOLD), at("Sailors loved it", 22, 80, 680)],
        gold=("Why Maps Lie: Three stories about projection", "Nadia Rossi", "2017"),
    ),
    pdf(
        "lecture07",
        [at("CS 214", 16, 60, 780), at("Lecture 7: Hash Tables", 34, 60, 600, BOLD),
         at("Instructor: Dr. Alan Pike", 16, 60, 540), at("Fall 2022", 16, 60, 515)],
        [at("Collisions", 34, 60, 760, BOLD), at("Two keys, one place", 20, 80, 690)],
        gold=("Lecture 7: Hash Tables", "Alan Pike", "2022"),
    ),
]  # fmt: skip

OTHERS = [
    text(
        "pg9911.txt",
        "The Project Gutenberg eBook of The Lost Weir\n\nTitle: The Lost Weir\n\nAuthor: "
        "Agnes Poole\n\nRelease date: March 3, 2006 [eBook #9911]\n\n"
        "*** START OF THE PROJECT GUTENBERG EBOOK"
        " THE LOST WEIR ***\n\nTHE LOST WEIR\n\nBY AGNES POOLE\n\n" + PROSE,
        ("The Lost Weir", "Agnes Poole", ""),
    ),
    text("story.txt", "THE LAST LAMPLIGHTER\n\nby Simon Ashe\n\nChapter One\n\n" + PROSE,
         ("THE LAST LAMPLIGHTER", "Simon Ashe")),
    text("notes.txt", "buy milk\ncall Tom about the boat\n" + PROSE, ("",)),
    text(
        "post.md", "---\ntitle: 'Bread in the Age of Steam'\nauthor: Greta Holm\ndate: 2016-05-02\n"
        "---\n\n# Ovens\n\n" + PROSE, ("Bread in the Age of Steam", "Greta Holm", "2016"),
    ),
    text("readme.md", "# Lanternbox\n\nA small tool for lamps.\n\n## Install\n\n" + PROSE,
         ("Lanternbox",)),
    text(
        "page.html",
        "<html><head><title>Sea walls explained | Coast Daily</title><meta name='author'"
        " content='Iris Chan'><meta property='article:published_time' content='2014-02-11'></head>"
        f"<body><h1>Sea walls explained</h1><p>{PROSE}</p></body></html>",
        ("Sea walls explained", "Iris Chan", "2014"),
    ),
    text(
        "scholar.html",
        "<html><head><title>Moss | Example Journal</title><meta name='citation_title' content="
        "'Moss on slate roofs'><meta name='citation_author' content='Pike, Joan'><meta name="
        "'citation_author' content='Ruud, Lars'>"
        "<meta name='citation_publication_date' content='2009/03/01'>"
        "<meta name='citation_doi' content='10.1234/moss.2009.7'></head><body>"
        f"<h1>Moss on slate roofs</h1><p>{PROSE}</p></body></html>",
        ("Moss on slate roofs", "Pike, Joan; Ruud, Lars", "2009", "10.1234/moss.2009.7"),
    ),
    FirstPage(
        "book.epub",
        make_book("", [], meta='<dc:date>2001-04-03</dc:date><dc:identifier>urn:isbn:9780306406157'
                  "</dc:identifier>"),
        "The Ferry", "Ada Voss", "2001", "9780306406157",
    ),
    FirstPage(
        "minutes.docx",
        make_docx(
            '<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>Plan for the New Quay</w:t>'
            f"</w:r></w:p><w:p><w:r><w:t>{PROSE[:500]}</w:t></w:r></w:p>"
        ),
        "Plan for the New Quay",
    ),
    FirstPage(
        "letter.docx",
        make_docx(f"<w:p><w:r><w:t>Dear Mr Hale,</w:t></w:r></w:p><w:p><w:r><w:t>{PROSE[:500]}"
                  "</w:t></w:r></w:p>"),
        "",
    ),
]  # fmt: skip

PAGES = [
    *ARXIV, *JOURNALS, *THESES, *BOOKS, *CHINESE_PAGES, *REPORTS, *LETTERS_AND_NOTES, *SLIDES,
    *OTHERS,
]  # fmt: skip
