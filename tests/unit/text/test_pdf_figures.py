"""Figures on the pages of PDFs: drawings and pictures with captions, and what is left out."""

from __future__ import annotations

import pytest

from desktop_app.engine import figures as rules
from desktop_app.engine.figures import Figure
from desktop_app.engine.text.document_pages import open_pages
from desktop_app.engine.text.readers.pdf import read_pdf
from tests.figure_files import image, make_pdf, plot, prose, write


def read(*pages: str, **options: object) -> tuple[str, list[Figure]]:
    found = read_pdf(make_pdf(pages, **options), "file")  # type: ignore[arg-type]
    return found.text, list(found.figures)


def side(figure: Figure) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom in points."""
    assert figure.box is not None
    left, top, right, bottom = figure.box
    return left * 612, top * 792, right * 612, bottom * 792


FLOW = "Figure 1: The flow of the river in winter"


def test_a_drawing_belongs_to_the_caption_below_it():
    page = prose(740, 5) + plot(150, 450, 200, 150) + write("days", 230, 436)
    page += write(FLOW, 150, 410) + write("and its height, of ten years.", 150, 398)
    text, [figure] = read(page + prose(370, 5))
    caption = text[figure.start : figure.end]
    assert caption == FLOW + " and its height, of ten years."
    assert (figure.label, figure.page_index, figure.path) == ("figure 1", 0, "")
    left, top, right, bottom = side(figure)
    assert left == pytest.approx(147, abs=4) and right == pytest.approx(353, abs=4)
    assert top == pytest.approx(792 - 603, abs=4)
    assert 792 - 437 < bottom < 792 - 416  # with its label, without the caption


def test_captions_may_stand_above_all_figures_of_a_page():
    page = "".join(
        write(f"Figure {n}: Tides of the year 190{n}", 100, 700 - 220 * (n - 1))
        + plot(100, 540 - 220 * (n - 1), 250, 150)
        for n in (1, 2, 3)
    )
    _, figures = read(page)
    assert [f.label for f in figures] == ["figure 1", "figure 2", "figure 3"]
    for number, figure in enumerate(figures):
        assert side(figure)[1] == pytest.approx(792 - 690 + 220 * number, abs=6)


def test_a_picture_and_a_figure_in_chinese_are_found_on_turned_pages():
    page = prose(740, 4) + image(200, 400, 160, 160) + write(FLOW, 200, 385) + prose(350, 4)
    _, [straight] = read(page)
    assert straight.label == "figure 1"
    _, turned = read(page, rotate=90)
    assert [f.page_index for f in turned] == [0]
    left, top, right, bottom = turned[0].box or (0, 0, 0, 0)
    assert (right - left) * 792 == pytest.approx(160, abs=10)
    assert (bottom - top) * 612 == pytest.approx(160, abs=10)


def test_prose_with_a_mention_at_the_start_of_a_line_takes_no_drawing():
    page = plot(100, 600, 200, 100) + prose(570, 3)
    page += write("Figure 1. The rest of this line is prose that goes on and on for long.", 72, 531)
    assert read(page + prose(518, 4))[1] == []


def test_pictures_without_a_caption_are_listed_and_decoration_is_not():
    page = prose(740, 3) + image(100, 400, 200, 180) + prose(300, 3)
    _, [alone] = read(page)
    assert (
        alone.label == ""
        and alone.start == alone.end
        and (alone.width, alone.height)
        == (
            120,
            110,
        )
    )
    icon = image(100, 400, 20, 20)
    line = image(72, 400, 468, 4)
    whole = image(0, 0, 612, 792)
    for left_out in (icon, line, whole):
        assert read(prose(740, 3) + left_out)[1] == []
    assert read(page, pixels=(60, 60))[1] == []
    logo = prose(500, 3) + image(400, 700, 60, 60)
    assert read(logo, logo, logo)[1] == []  # at the same place of three pages
    assert len(read(logo, logo)[1]) == 2


def test_a_large_picture_under_a_text_is_a_scan_or_a_background():
    assert read(image(60, 200, 480, 560) + prose(740, 30))[1] == []


def test_a_damaged_picture_keeps_its_place_and_its_caption():
    page = prose(740, 3) + image(100, 400, 200, 180) + write(FLOW, 100, 385)
    content = make_pdf([page], stream=b"not compressed at all")
    [figure] = read_pdf(content, "file").figures
    assert figure.label == "figure 1"
    pages = open_pages(content)
    part = tuple(int(x) for x in side(figure))
    assert len(pages.render_part(0, 1.0, part).pixels) > 0  # type: ignore[arg-type]
    pages.close()


def test_a_document_lists_a_limited_number_of_figures(monkeypatch: pytest.MonkeyPatch):
    many = "".join(image(20 + 60 * x, 700 - 60 * y, 50, 50) for x in range(9) for y in range(9))
    many += prose(160, 5)
    _, figures = read(many)
    assert len(figures) == 40  # of a page
    from desktop_app.engine.text.readers import pdf_figures

    monkeypatch.setattr(rules, "MAX_FIGURES", 5)
    drawn = prose(740, 3) + plot(100, 500, 200, 150) + write(FLOW, 100, 480)
    found = read_pdf(make_pdf([many, drawn]), "f")
    assert len(found.figures) == 5 and found.figures[-1].label == "figure 1"
    assert any("pictures" in note.template for note in found.notes)
    monkeypatch.setattr(pdf_figures, "MIN_SECONDS", -1.0)
    monkeypatch.setattr(pdf_figures, "SECONDS_A_PAGE", 0.0)
    late = read_pdf(make_pdf([many, many]), "f")
    assert late.figures == () and any("save time" in note.template for note in late.notes)
