"""The values of charts in Word documents and presentations are tables of the text."""

from __future__ import annotations

import io

import pptx
import pytest
from lxml import etree
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Cm

from desktop_app.engine.text.reading import read_bytes
from tests.figure_files import A, R, W, make_zip


def make_column_data() -> CategoryChartData:
    data = CategoryChartData()
    data.categories = ["Harwich", "Dover"]
    data.add_series("1881", (3.4, None))
    data.add_series("1882", (4.3, 6.8))
    return data


def make_slide(kind: XL_CHART_TYPE, data, title: str = "") -> tuple[bytes, bytes]:
    """Return a presentation with one chart, and the part of the chart."""
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    frame = slide.shapes.add_chart(kind, Cm(1), Cm(1), Cm(9), Cm(9), data)
    chart = frame.chart
    chart.has_title = bool(title)
    if title:
        chart.chart_title.text_frame.text = title
    stream = io.BytesIO()
    show.save(stream)
    return stream.getvalue(), chart.part.blob


def make_docx(*charts: bytes) -> bytes:
    """Return a Word document with a paragraph before each chart, and one at the end."""
    c = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    body, relations, parts = [], [], {}
    for number, part in enumerate(charts):
        body.append(
            f"<w:p><w:r><w:t>Before chart {number}.</w:t></w:r></w:p><w:p><w:r><w:drawing>"
            f'<a:graphic><a:graphicData><c:chart r:id="rId{number}"/></a:graphicData></a:graphic>'
            "</w:drawing></w:r></w:p>"
        )
        relations.append(
            f'<Relationship Id="rId{number}" Type="{R}/chart" Target="charts/c{number}.xml"/>'
        )
        parts[f"word/charts/c{number}.xml"] = part
    return make_zip(
        {
            "word/document.xml": f'<w:document xmlns:w="{W}" xmlns:r="{R}" xmlns:a="{A}"'
            f' xmlns:c="{c}"><w:body>{"".join(body)}<w:p><w:r><w:t>After.</w:t></w:r></w:p>'
            "</w:body></w:document>",
            "word/_rels/document.xml.rels": f"<Relationships>{''.join(relations)}</Relationships>",
            **parts,
        }
    )


COLUMNS = "1881 | 1882\nHarwich | 1881: 3.4 | 1882: 4.3\nDover | 1882: 6.8"


def test_a_chart_is_a_table_in_its_place_in_word_and_powerpoint() -> None:
    slides, part = make_slide(XL_CHART_TYPE.COLUMN_CLUSTERED, make_column_data(), "Spring tides")
    [slide] = read_bytes(slides, "a.pptx")
    assert "Spring tides" in slide.text and COLUMNS in slide.text
    [document] = read_bytes(make_docx(part), "a.docx")
    assert document.text == f"Before chart 0.\n\nSpring tides\n\n{COLUMNS}\n\nAfter."


def test_series_with_points_of_their_own_have_tables_of_their_own() -> None:
    data = XyChartData()
    for name, points in (("Quay", ((1, 2.5), (2, 3.5))), ("Mole", ((7, 4.29999999999999982),))):
        series = data.add_series(name)
        for x, y in points:
            series.add_data_point(x, y)
    _, part = make_slide(XL_CHART_TYPE.XY_SCATTER, data)
    [document] = read_bytes(make_docx(part), "a.docx")
    assert "Quay\n\n1 | 2.5\n2 | 3.5\n\nMole\n\n7 | 4.3\n" in document.text


def test_categories_of_two_levels_are_joined() -> None:
    data = CategoryChartData()
    for year in ("1881", "1882"):
        category = data.add_category(year)
        for season in ("spring", "autumn"):
            category.add_sub_category(season)
    data.add_series("Height", (1.0, 2.0, 3.0, 4.0))
    data.add_series("Wind", (5.0, 6.0, 7.0, 8.0))
    _, part = make_slide(XL_CHART_TYPE.COLUMN_CLUSTERED, data)
    [document] = read_bytes(make_docx(part), "a.docx")
    assert "1881 autumn | Height: 2 | Wind: 6" in document.text
    assert "1882 spring | Height: 3 | Wind: 7" in document.text


@pytest.mark.parametrize("damage", ["missing", "no XML", "empty", "huge number"])
def test_a_damaged_chart_does_not_cost_the_document(damage: str) -> None:
    _, part = make_slide(XL_CHART_TYPE.COLUMN_CLUSTERED, make_column_data())
    _, whole = make_slide(XL_CHART_TYPE.COLUMN_CLUSTERED, make_column_data())
    if damage == "no XML":
        part = b"\x00\x01 no chart"
    elif damage == "empty":
        part = b"<c:chartSpace xmlns:c='c'/>"
    elif damage == "huge number":
        root = etree.fromstring(part)
        for point in root.iter("{*}pt"):
            point.set("idx", "9" * 30)
        part = etree.tostring(root)
    content = make_docx(part, whole)
    if damage == "missing":
        content = content.replace(b"word/charts/c0.xml", b"word/charts/x0.xml")
    [document] = read_bytes(content, "a.docx")
    assert document.text.startswith("Before chart 0.\n\nBefore chart 1.")
    assert COLUMNS in document.text
    is_said = document.notes == ("A chart is damaged: its values are not in the text.",)
    assert is_said == (damage in ("missing", "no XML"))
