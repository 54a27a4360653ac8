"""Tests that formulas of Word, HTML and EPUB are lines of text."""

from __future__ import annotations

import pytest

from desktop_app.engine.text.reading import read_bytes

from .test_reading import EPUB, make_zip


def read_word(formula: str) -> str:
    body = (
        '<w:document xmlns:w="w" xmlns:m="m"><w:body><w:p><w:r><w:t>Given</w:t></w:r>'
        f"<m:oMath>{formula}</m:oMath><w:r><w:t>.</w:t></w:r></w:p></w:body></w:document>"
    )
    return read_bytes(make_zip({"word/document.xml": body}), "a.docx")[0].text


def run(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (f"<m:f><m:num>{run('a')}</m:num><m:den>{run('b+1')}</m:den></m:f>", "a/(b+1)"),
        (f"<m:sSup><m:e>{run('x')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>", "x^2"),
        (f"<m:rad><m:deg/><m:e>{run('x')}</m:e></m:rad>", "sqrt(x)"),
        (f"<m:rad><m:deg>{run('3')}</m:deg><m:e>{run('x')}</m:e></m:rad>", "root(x, 3)"),
        (
            '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>'
            f"<m:sub>{run('i=1')}</m:sub><m:sup>{run('n')}</m:sup><m:e>{run('i')}</m:e></m:nary>",
            "∑_(i=1)^n i",
        ),
        (
            f"<m:d><m:e><m:m><m:mr><m:e>{run('a')}</m:e><m:e>{run('b')}</m:e></m:mr><m:mr>"
            f"<m:e>{run('c')}</m:e><m:e>{run('d')}</m:e></m:mr></m:m></m:e></m:d>",
            "([a, b; c, d])",
        ),
        (
            f"<m:func><m:fName>{run('sin')}</m:fName><m:e>{run('x')}</m:e></m:func>",
            "sin x",
        ),
        (
            '<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>' + f"<m:e>{run('v')}</m:e></m:acc>",
            "vec(v)",
        ),
        (
            '<m:f><m:fPr><m:type m:val="noBar"/></m:fPr>'
            f"<m:num>{run('n')}</m:num><m:den>{run('k')}</m:den></m:f>",
            "n choose k",
        ),
    ],
)
def test_a_formula_of_word_is_a_line_of_text(formula: str, shown: str):
    assert read_word(formula) == f"Given {shown}."


QUADRATIC = (
    "<math><mi>x</mi><mo>=</mo><mfrac><mrow><mo>-</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi>"
    "<mn>2</mn></msup><mo>-</mo><mn>4</mn><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn>"
    "<mi>a</mi></mrow></mfrac></math>"
)
SHOWN = "x = (-b ± sqrt(b^2 - 4ac))/2a"


def test_a_formula_of_a_page_is_a_line_of_text_in_its_sentence():
    page = f"<html><body><p>The roots {QUADRATIC} are two.</p></body></html>"
    assert read_bytes(page.encode(), "a.html")[0].text == f"The roots {SHOWN} are two."


def test_the_source_that_a_formula_carries_along_is_left_out():
    formula = (
        '<math display="block"><semantics><mover><mi>x</mi><mo>^</mo></mover>'
        '<annotation encoding="application/x-tex">\\hat x</annotation></semantics></math>'
    )
    page = f"<html><body><p>Given</p>{formula}<p>we see.</p></body></html>"
    assert read_bytes(page.encode(), "a.html")[0].text == "Given\n\nhat(x)\n\nwe see."


def test_a_formula_of_a_book_with_prefixed_tags_is_a_line_of_text():
    formula = QUADRATIC.replace("</", "</m:").replace("<m", "<m:m").replace("<m:m:", "<m:")
    chapter = f'<html xmlns:m="m"><body><p>The roots {formula}.</p></body></html>'
    parts = {**EPUB, "OPS/a.xhtml": chapter}
    assert f"The roots {SHOWN}." in read_bytes(make_zip(parts), "a.epub")[0].text


def test_a_formula_that_is_nested_too_deep_loses_its_inside():
    formula = "<mrow>" * 3_000 + "<mi>x</mi>" + "</mrow>" * 3_000
    page = f"<html><body><p>Given <math>{formula}</math>.</p></body></html>"
    assert read_bytes(page.encode(), "a.html")[0].text == "Given ."
