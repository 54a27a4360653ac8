"""Figures of documents whose text flows: found, captioned, and drawn from the file."""

from __future__ import annotations

import base64
import io
import zipfile

import pytest

from benchmarks.format_files import make_mobi
from desktop_app.engine.child_protocol import parse_frame, read_frame
from desktop_app.engine.errors import UserError
from desktop_app.engine.figures import Figure
from desktop_app.engine.model import ReadDocument
from desktop_app.engine.text.document_pages import open_pages
from desktop_app.engine.text.figure_pages import FigureFile, draw_pixels
from desktop_app.engine.text.page_child import PageServer
from desktop_app.engine.text.page_renderer import build_figure_request
from desktop_app.engine.text.reader_protocol import DocumentAssembler, encode_documents
from desktop_app.engine.text.readers.archives import Unreadable
from desktop_app.engine.text.readers.flow_figures import measure_picture
from desktop_app.engine.text.reading import read_bytes
from tests.figure_files import (
    draw_picture,
    make_docx,
    make_epub,
    make_fb2,
    make_html,
    make_mht,
    make_odt,
    make_picture_deck,
    make_pptx,
    make_xlsx,
    make_zip,
)

PICTURE = draw_picture()


def read(content: bytes, name: str) -> ReadDocument:
    [found] = read_bytes(content, name)
    return found


def captions(found: ReadDocument) -> list[str]:
    return [found.text[f.start : f.end] for f in found.figures]


EPUB = make_epub(
    '<p>One.</p><p><img src="../images/cover.png"/></p><p><img src="../images/wall.png"'
    ' alt="A wall"/></p><p>Figure 5. The wall</p><p>Two.</p><img src="../images/star.png"/>'
    '<p>Three.</p><img src="../images/star.png"/><p>x</p><img src="../images/star.png"/>'
    '<p>Four.</p><img src="../images/gone.png"/><img src="../images/broken.png"/>',
    {
        "cover.png": PICTURE,
        "wall.png": draw_picture(300, 200),
        "star.png": draw_picture(110, 110),
        "broken.png": PICTURE[:10],
    },
)
FILES = {
    "a.epub": (EPUB, ["Figure 5. The wall"]),
    "a.docx": (
        make_docx(["One.", "*", "Figure 1: The tides", "Two.", "*", "Three."], PICTURE),
        ["Figure 1: The tides"],
    ),
    "a.odt": (make_odt(PICTURE), ["Figure 2: The harbour wall"]),
    "a.pptx": (make_pptx(PICTURE), ["Fig. 4: The lighthouse at Petrel Rock"]),
    "a.html": (make_html(PICTURE).encode(), ["The bay in winter, seen from the north"]),
    "a.xlsx": (
        make_xlsx(PICTURE),
        ["Figure 1: Heights at Harwich", "Figure 2: The gauge", ""],
    ),
    "a.fb2": (make_fb2(PICTURE), ["The bay in winter", "Figure 3. The mill", ""]),
    "a.mobi": (
        make_mobi(
            "<html><body><p>Before.</p><p><img recindex='00002' alt='A wall'/></p>"
            "<p>Figure 5. The wall</p><p>After.</p><img recindex='00001'/><p>End.</p>"
            "<img recindex='00009'/></body></html>",
            pictures=(draw_picture(160, 140), PICTURE),
            cover=0,
        ),
        ["Figure 5. The wall"],
    ),
    "a.azw3": (
        make_mobi(
            '<html><body><p>Before.</p><p><img src="kindle:embed:000B?mime=image/png"/></p>'
            "<p>Figure 6. The rock</p></body></html>",
            version=8,
            pictures=(*[b"FONT"] * 10, PICTURE),
        ),
        ["Figure 6. The rock"],
    ),
    "a.mht": (make_mht(PICTURE), ["图3 海湾", ""]),
}


@pytest.mark.parametrize("name", FILES)
def test_pictures_have_captions_and_are_drawn_from_the_file(name: str):
    content, expected = FILES[name]
    found = read(content, name)
    assert captions(found) == expected
    pages = open_pages(content)
    assert isinstance(pages, FigureFile)
    for figure in found.figures:
        pixels = draw_pixels(pages.open_picture(figure.path), 60)
        assert 58 < max(pixels.shape[:2]) <= 60 and pixels.std() > 10
    pages.close()


ONLY_PICTURES = {
    "a.docx": make_docx(["*"], PICTURE),
    "a.pptx": make_picture_deck([PICTURE, draw_picture(160, 140, shade=30)]),
    "a.html": "<html><body><img src='data:image/png;base64,"
    f"{base64.b64encode(PICTURE).decode()}'></body></html>",
}


@pytest.mark.parametrize("name", ONLY_PICTURES)
def test_a_document_without_text_is_read_for_its_pictures(name: str):
    content = ONLY_PICTURES[name]
    content = content if isinstance(content, bytes) else content.encode()
    found = read(content, name)
    assert found.text.strip() == ""
    assert found.title == "a"
    assert "It has no text, only pictures" in str(found.notes[-1])
    pages = open_pages(content)
    assert isinstance(pages, FigureFile)
    for figure in found.figures:
        assert draw_pixels(pages.open_picture(figure.path), 60).std() > 10
    pages.close()
    expected = [0, 1] if name == "a.pptx" else [None]
    assert [figure.page_index for figure in found.figures] == expected


def test_a_document_without_text_and_with_an_icon_only_is_refused():
    with pytest.raises(UserError, match="it has no text in it"):
        read(make_docx(["*"], draw_picture(16, 16)), "a.docx")


def test_details_of_pictures_are_kept():
    wall = read(EPUB, "a.epub").figures[0]
    assert (wall.label, wall.alt, wall.path) == ("figure 5", "A wall", "OPS/images/wall.png")
    assert (wall.width, wall.height, wall.box) == (300, 200, None)
    slide = read(FILES["a.pptx"][0], "a.pptx").figures[0]
    assert slide.page_index == 1
    assert read(FILES["a.docx"][0], "a.docx").figures[0].alt == "A chart of tides"


def test_pictures_of_a_damaged_workbook_are_lost_and_its_cells_read():
    with zipfile.ZipFile(io.BytesIO(FILES["a.xlsx"][0])) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    drawing = next(name for name in parts if name.startswith("xl/drawings/drawing"))
    for broken in (b"", b"no XML"):
        found = read(make_zip({**parts, drawing: broken}), "a.xlsx")
        assert found.figures == () and "Figure 1: Heights at Harwich" in found.text


def test_a_book_refers_to_pictures_that_it_does_not_have():
    missing = make_fb2(PICTURE).replace(b'id="bay.png"', b'id="other"')
    assert captions(read(missing, "a.fb2")) == ["Figure 3. The mill", ""]
    markup = "<html><body><p>One.</p><img recindex='00003'/><img recindex='00000'/></body></html>"
    assert read(make_mobi(markup, pictures=(PICTURE,)), "a.mobi").figures == ()
    assert read(make_mobi(markup), "a.mobi").figures == ()


def test_a_file_in_an_archive_has_the_pictures_that_it_has_alone():
    [found] = read_bytes(make_zip({"a.docx": FILES["a.docx"][0]}), "a.zip")
    assert found.figures == read(FILES["a.docx"][0], "a.docx").figures


def test_a_process_sends_figures_and_nothing_is_taken_that_is_none():
    found = read(EPUB, "a.epub")
    taker = DocumentAssembler()
    items = [item for group in encode_documents([found]) for item in group]
    for item in items:
        taker.add(
            item if "figures" not in item else {"figures": [list(r) for r in item["figures"]]}
        )
    [again] = taker.finish()
    assert again.figures == found.figures
    good = [0, 5, "figure 1", "", 0, [0.1, 0.1, 0.5, 0.5], "", 100, 100]
    bad = [
        {0: 9}, {2: 7}, {3: "x" * 5_000}, {5: [0.5, 0.1, 0.1, 0.5]}, {5: [0.1, 0.1, 2, 0.5]},
        {5: None}, {5: [0.1, "a", 0.2, 0.5]}, {4: None}, {7: -1}, {8: 10**9},
    ]  # fmt: skip
    for change in bad:
        row = [change.get(n, value) for n, value in enumerate(good)]
        taker = DocumentAssembler()
        taker.add(items[0])
        with pytest.raises(Exception, match=r"a |an "):
            taker.add({"figures": [row]})


def ask(server: PageServer, content: bytes, figure: Figure, most: int) -> tuple[int, int, bytes]:
    out = io.BytesIO()
    opened = {
        "what": "open",
        "size": len(content),
        "password": "",
        "place": "",
        "processor_s": 60.0,
    }
    server.answer(io.BytesIO(content), out, opened)
    start = out.tell()
    request = build_figure_request(figure, most, 300.0)
    server.answer(
        io.BytesIO(), out, {**request, "index": figure.page_index or 0, "processor_s": 60.0}
    )
    out.seek(start)
    read_frame(out)  # begun
    [answer] = parse_frame(read_frame(out) or b"[]")
    width, height = answer["figure"]
    pixels = b""
    while len(pixels) < 3 * width * height:
        pixels += read_frame(out) or b""
    return width, height, pixels


def test_a_picture_is_drawn_as_small_as_it_is_wanted(monkeypatch: pytest.MonkeyPatch):
    from desktop_app.engine.text import page_child

    monkeypatch.setattr(page_child, "limit_processor_time", lambda seconds: None)
    server = PageServer()
    wall = read(EPUB, "a.epub").figures[0]
    assert ask(server, EPUB, wall, 150)[:2] == (150, 100)
    assert ask(server, EPUB, wall, 5_000)[:2] == (300, 200)  # never enlarged


def test_an_enormous_picture_is_refused_and_a_large_one_is_made_smaller():
    out = io.BytesIO()
    from PIL import Image

    Image.new("1", (30_000, 30_000)).save(out, "PNG")
    enormous = make_docx(["One.", "*", "Figure 1: A sheet of 30,000 pixels"], out.getvalue())
    [figure] = read(enormous, "a.docx").figures
    assert (figure.width, figure.height) == (30_000, 30_000)
    pages = open_pages(enormous)
    assert isinstance(pages, FigureFile)
    with pytest.raises(Unreadable, match="too many pixels"):
        draw_pixels(pages.open_picture(figure.path), 100)
    with pytest.raises(Unreadable, match="missing"):
        pages.open_picture("word/media/other.png")
    pages.close()


def test_what_is_no_picture_has_no_size():
    for content in (
        b"",
        b"GIF89a",
        PICTURE[:20],
        b"<svg width='500'/>",
        b"\xff\xd8\xff" + bytes(99),
    ):
        assert measure_picture(content) == (0, 0)
