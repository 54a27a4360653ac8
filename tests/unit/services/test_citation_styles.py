"""References in each style, compared with the examples that the styles' own guides publish.

GB/T 7714 is printed with half-width signs and a space, as reference managers write it.
"""

from __future__ import annotations

import pytest

from desktop_app.engine.model import Reference
from desktop_app.engine.services.exporting.citation_styles import (
    STYLES,
    format_reference,
    format_reference_html,
    list_references_html,
    list_works_cited,
)


def work(title: str, author: str = "", year: str = "", **fields: str) -> Reference:
    return Reference(1, title, author, year, **fields)


STORYBOOKS = work(
    "Emotions in storybooks: A comparison of storybooks that represent ethnic and racial groups in"
    " the United States",
    "Grady, Jessica S.; Her, Mai; Moreno, Geena; Perez, Cristina; Yelinek, Jill", "2019",
    kind="article-journal", container="Psychology of Popular Media Culture", volume="8", issue="3",
    pages="207-217", doi="10.1037/ppm0000185",
)  # fmt: skip
PREJUDICE = work(
    "The psychology of prejudice: From attitudes to social action", "Jackson, Lynne M.", "2019",
    kind="book", edition="2", publisher="American Psychological Association", place="Washington",
    doi="10.1037/0000168-000",
)  # fmt: skip
CULINARY = work(
    "Culinary arts: Talent and its development", "Aron, L.; Botella, M.; Lubart, T.", "2019",
    kind="chapter", pages="345–359", publisher="American Psychological Association",
    container="The psychology of high performance: Developing human potential into"
    " domain-specific talent",
    editors="Subotnik, R. F.; Olszewski-Kubilius, P.; Worrell, F. C.",
    doi="10.1037/0000120-016",
)  # fmt: skip
SELECTION = work(
    "Temporal Variation in Selection Influences Microgeographic Local Adaptation",
    "Dittmar, Emily L.; Schemske, Douglas W.", "2023", kind="article-journal",
    container="American Naturalist", volume="202", issue="4", pages="471–85",
    doi="10.1086/725865",
)  # fmt: skip
CHANNELS = work(
    "The Channels of Student Activism: How the Left and Right Are Winning (and Losing) in Campus"
    " Politics Today",
    "Amy J. Binder; Jeffrey L. Kidder", "2022", kind="book",
    publisher="University of Chicago Press",
)  # fmt: skip
PSALTER = work(
    "The Queen Mary Psalter", "Doyle, Kathleen", "2023", kind="chapter",
    container="The Book by Design: The Remarkable Story of the World’s Greatest Invention",
    editors="Marks, P. J. M.; Parkin, Stephen", publisher="University of Chicago Press",
)  # fmt: skip
READING = work(
    "Redefining Reading: The Impact of Digital Communication Media", "Baron, Naomi S.", "2013",
    kind="article-journal", container="PMLA", volume="128", issue="1", pages="193–200",
)  # fmt: skip
PLEASURES = work(
    "The Pleasures of Reading in an Age of Distraction", "Jacobs, Alan", "2011", kind="book",
    publisher="Oxford UP",
)  # fmt: skip
ORACLE = work(
    "The Crown of Columbus", "Dorris, Michael; Erdrich, Louise", "1999", kind="book",
    publisher="HarperCollins Publishers",
)  # fmt: skip
DIGITAL = work(
    "Digital_Humanities", "Burdick, Anne; Drucker, Johanna; Lunenfeld, Peter", "2012", kind="book",
    publisher="MIT P",
)  # fmt: skip
LANTIAN = work(
    "蓝田生物群:一个认识多细胞生物起源和早期演化的新窗口", "袁训来; 陈哲; 肖书海; 万斌", "2012",
    kind="article-journal", container="科学通报", volume="55", issue="34", pages="3219",
    language="zh",
)  # fmt: skip
SHAKING = work(
    "Shaking without quaking", "Kanamori, Hiroo", "1998", kind="article-journal",
    container="Science", volume="279", issue="5359", pages="2063",
)  # fmt: skip
PROBABILITY = work(
    "Probability, random variable, and random signal principles", "Peebles, Peyton Z., Jr.",
    "2001", kind="book", edition="4th ed.", place="New York", publisher="McGraw Hill",
)  # fmt: skip
MATTER = work(
    "物质结构", "徐光宪; 王祥云", "2010", kind="book", edition="2", place="北京",
    publisher="科学出版社", language="zh",
)  # fmt: skip
FLOOD = work(
    "1998年长江洪水的成因与减灾对策", "程根伟", "1999", kind="chapter", pages="32–36",
    container="长江流域洪涝灾害与科技对策", editors="许厚泽; 赵其国", place="北京",
    publisher="科学出版社", language="zh",
)  # fmt: skip
RIVER = work(
    "人类活动影响下海河流域典型区水循环变化分析", "马欢", "2011", kind="thesis", place="北京",
    publisher="清华大学", language="zh",
)  # fmt: skip


@pytest.mark.parametrize(
    ("reference", "style", "expected"),
    [
        (STORYBOOKS, "apa",
         "Grady, J. S., Her, M., Moreno, G., Perez, C., & Yelinek, J. (2019). Emotions in"
         " storybooks: A comparison of storybooks that represent ethnic and racial groups in the"
         " United States. Psychology of Popular Media Culture, 8(3), 207–217."
         " https://doi.org/10.1037/ppm0000185"),
        (PREJUDICE, "apa",
         "Jackson, L. M. (2019). The psychology of prejudice: From attitudes to social action"
         " (2nd ed.). American Psychological Association. https://doi.org/10.1037/0000168-000"),
        (CULINARY, "apa",
         "Aron, L., Botella, M., & Lubart, T. (2019). Culinary arts: Talent and its development."
         " In R. F. Subotnik, P. Olszewski-Kubilius, & F. C. Worrell (Eds.), The psychology of"
         " high performance: Developing human potential into domain-specific talent (pp. 345–359)."
         " American Psychological Association. https://doi.org/10.1037/0000120-016"),
        (SELECTION, "chicago",
         "Dittmar, Emily L., and Douglas W. Schemske. 2023. “Temporal Variation in Selection"
         " Influences Microgeographic Local Adaptation.” American Naturalist 202 (4): 471–85."
         " https://doi.org/10.1086/725865."),
        (CHANNELS, "chicago",
         "Binder, Amy J., and Jeffrey L. Kidder. 2022. The Channels of Student Activism: How the"
         " Left and Right Are Winning (and Losing) in Campus Politics Today. University of Chicago"
         " Press."),
        (PSALTER, "chicago",
         "Doyle, Kathleen. 2023. “The Queen Mary Psalter.” In The Book by Design: The Remarkable"
         " Story of the World’s Greatest Invention, edited by P. J. M. Marks and Stephen Parkin."
         " University of Chicago Press."),
        (READING, "mla",
         "Baron, Naomi S. “Redefining Reading: The Impact of Digital Communication Media.” PMLA,"
         " vol. 128, no. 1, 2013, pp. 193–200."),
        (PLEASURES, "mla",
         "Jacobs, Alan. The Pleasures of Reading in an Age of Distraction. Oxford UP, 2011."),
        (ORACLE, "mla",
         "Dorris, Michael, and Louise Erdrich. The Crown of Columbus. HarperCollins Publishers,"
         " 1999."),
        (DIGITAL, "mla", "Burdick, Anne, et al. Digital_Humanities. MIT P, 2012."),
        (LANTIAN, "gbt7714",
         "袁训来, 陈哲, 肖书海, 等. 蓝田生物群:一个认识多细胞生物起源和早期演化的新窗口[J]."
         " 科学通报, 2012, 55(34): 3219."),
        (SHAKING, "gbt7714",
         "KANAMORI H. Shaking without quaking[J]. Science, 1998, 279(5359): 2063."),
        (PROBABILITY, "gbt7714",
         "PEEBLES P Z, Jr. Probability, random variable, and random signal principles[M]. 4th ed."
         " New York: McGraw Hill, 2001."),
        (MATTER, "gbt7714", "徐光宪, 王祥云. 物质结构[M]. 2版. 北京: 科学出版社, 2010."),
        (FLOOD, "gbt7714",
         "程根伟. 1998年长江洪水的成因与减灾对策[M]//许厚泽, 赵其国. 长江流域洪涝灾害与科技对策."
         " 北京: 科学出版社, 1999: 32-36."),
        (RIVER, "gbt7714",
         "马欢. 人类活动影响下海河流域典型区水循环变化分析[D]. 北京: 清华大学, 2011."),
    ],
)  # fmt: skip
def test_the_examples_of_the_guides_are_written_as_there(reference, style, expected):
    assert format_reference(reference, style) == expected


def test_what_is_not_known_is_left_out():
    bare = work("Notes", "", "")
    assert format_reference(bare, "apa") == "Notes. (n.d.)."
    assert format_reference(bare, "chicago") == "Notes. n.d."
    assert format_reference(bare, "mla") == "Notes."
    assert format_reference(bare, "gbt7714") == "Notes[Z]."
    asked = work("Who reads?", "Wren, Clara", "1999", kind="article-journal")
    assert format_reference(asked, "apa") == "Wren, C. (1999). Who reads?"
    assert format_reference(asked, "chicago") == "Wren, Clara. 1999. “Who reads?”"
    assert format_reference(asked, "mla") == "Wren, Clara. “Who reads?” 1999."


def test_preprints_organisations_and_many_authors():
    paper = work("LightRAG", "Zirui Guo; Lianghao Xia", "2024", doi="10.48550/arxiv.2410.05779")
    assert format_reference(paper, "apa") == (
        "Guo, Z., & Xia, L. (2024). LightRAG (arXiv:2410.05779). arXiv."
        " https://doi.org/10.48550/arxiv.2410.05779"
    )
    assert "Preprint, arXiv:2410.05779." in format_reference(paper, "chicago")
    assert "arXiv, 2024" in format_reference(paper, "mla")
    assert format_reference(paper, "gbt7714").startswith("GUO Z, XIA L. LightRAG[EB/OL]. (2024).")
    health = work("Report", "World Health Organization", "2020", kind="report", publisher="WHO")
    assert format_reference(health, "apa") == "World Health Organization. (2020). Report. WHO."
    crowd = work("Crowd", "; ".join(f"Name{n}, Ann" for n in range(25)), "2020", kind="book")
    apa = format_reference(crowd, "apa")
    assert "Name18, A., . . . Name24, A. (2020)" in apa and "Name19" not in apa
    assert format_reference(crowd, "chicago").startswith(
        "Name0, Ann, Ann Name1, Ann Name2, et al. 2020."
    )


@pytest.mark.parametrize("style", STYLES)
def test_chinese_names_are_never_cut_or_turned_around(style):
    made = format_reference(work("水浒传", "施耐庵", "1975", kind="book", language="zh"), style)
    assert "施耐庵" in made and "水浒传" in made


def test_italics_are_kept_as_html_and_signs_are_escaped():
    book = work("Clocks & <Tides>", "Wren, Clara", "1999", kind="book")
    assert format_reference_html(book, "apa") == (
        "Wren, C. (1999). <i>Clocks &amp; &lt;Tides&gt;</i>."
    )


def test_lists_are_sorted_and_numbered_as_the_style_asks():
    works = [SHAKING, PLEASURES, work("The Anon", "", "2001", kind="book")]
    assert [line[:8] for line in list_works_cited(works, "mla")] == [
        "The Anon", "Jacobs, ", "Kanamori",
    ]  # fmt: skip
    assert "<i>Science</i>" in list_references_html(works, "mla")[2]
    numbered = list_works_cited(works, "gbt7714")
    assert numbered[0].startswith("[1] KANAMORI") and numbered[2].startswith("[3] The Anon")
