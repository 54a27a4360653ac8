"""Covers are drawn in a child process, from real files and from hostile ones."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from benchmarks.attack_files import make_pdf, show
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.covers import BOX, PAGE_BOX, Cover
from desktop_app.workers.cover_child import MARGIN, MAX_ZOOM, find_printed_part
from desktop_app.workers.cover_reader import CoverReader
from tests.cover_files import (
    GREEN,
    RED,
    make_book,
    make_covered_book,
    make_picture,
    make_png,
    make_word_file,
    write_image,
)
from tests.encrypted_pdf import make_encrypted_pdf
from tests.pdf_layouts import Words, make_layout

PAGE = make_pdf([show(b"The ferry leaves at dawn."), show(b"Nobody waits.")], b"")
SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{}</svg>'


@pytest.fixture(scope="module", autouse=True)
def page_children_are_kept() -> None:
    """Start a child for each reader: here, its start, its limits and its end are tested."""


@pytest.fixture(scope="module")
def reader() -> Iterator[CoverReader]:
    made = CoverReader()
    yield made
    made.close()


def draw(reader: CoverReader, content: bytes, kind: str = "epub") -> Cover | None:
    return reader.read(BytesContent(content), kind, CancelToken())


def has_color(cover: Cover | None, color: tuple[int, int, int]) -> bool:
    """Return whether the centre of a cover has about this colour."""
    assert cover is not None
    pixels = np.frombuffer(cover.pixels, dtype=np.uint8).reshape(cover.height, cover.width, 3)
    middle = pixels[cover.height // 2, cover.width // 2].astype(int)
    return bool((abs(middle - color) < 12).all())


# --- what is a cover ------------------------------------------------------------------------------


def test_the_cover_of_a_pdf_is_its_first_page(reader):
    cover = draw(reader, PAGE, "pdf")
    assert cover is not None and (cover.width, cover.height) == PAGE_BOX
    assert len(cover.pixels) == 3 * cover.width * cover.height
    pixels = np.frombuffer(cover.pixels, dtype=np.uint8)
    assert pixels.max() == 255 and pixels.min() < 160


PAGE_SIZE = (600, 800)


def make_page(*printed: tuple[int, int, int, int]) -> np.ndarray:
    """Return the pixels of a white page with black parts (left, top, right, bottom)."""
    pixels = np.full((PAGE_SIZE[1], PAGE_SIZE[0], 4), 255, dtype=np.uint8)
    for left, top, right, bottom in printed:
        pixels[top:bottom, left:right] = 0
    return pixels


def find_part(*printed: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    part = find_printed_part(make_page(*printed), 0.75)
    assert part is not None and part.width() / part.height() == pytest.approx(0.75, abs=0.01)
    return part.left(), part.top(), part.left() + part.width(), part.top() + part.height()


TEXT = (110, 100, 490, 700)
AROUND = MARGIN * PAGE_SIZE[0]


def test_a_first_page_is_shown_without_its_margins_from_the_top_of_the_text():
    left, top, right, bottom = find_part(TEXT)
    assert left == pytest.approx(TEXT[0] - AROUND, abs=1)
    assert right == pytest.approx(TEXT[2] + AROUND, abs=1)
    assert top == pytest.approx(TEXT[1] - AROUND, abs=1)
    assert bottom < TEXT[3]  # the end of the page has no room


@pytest.mark.parametrize(
    "mark",
    [
        (20, 200, 40, 600),  # a stamp of a preprint server
        (575, 100, 585, 700),  # numbers of lines
        (295, 750, 305, 760),  # a page number
        (480, 60, 490, 70),
    ],
)
def test_narrow_marks_in_the_margins_do_not_count_as_text(mark):
    assert find_part(TEXT, mark) == find_part(TEXT)


def test_nothing_of_a_stamp_beside_the_text_is_on_the_cover(reader):
    # narrow text: the cover is wider than it, and would show half of the stamp
    stamp = Words("arXiv:2103.15348v2 [cs.CV] 21 Jun 2021", 20, 34, 260, turned=True)
    lines = [Words("A narrow column of text", 10, 200, 600 - 14 * i) for i in range(20)]
    with_stamp, without = (
        draw(reader, make_layout([page]), "pdf") for page in ([stamp, *lines], lines)
    )
    assert with_stamp == without


def test_a_head_as_wide_as_the_text_is_shown():
    assert find_part(TEXT, (110, 60, 490, 64))[1] < 60


def test_a_page_of_a_few_words_is_not_a_poster():
    left, top, right, bottom = find_part((250, 380, 350, 400))
    assert right - left == pytest.approx(PAGE_SIZE[0] / MAX_ZOOM, abs=1)
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((300, 390), abs=1)
    left, top, _, _ = find_part((30, 30, 130, 40))
    assert (left, top) == (0, 0)  # what stands in a corner stays there


@pytest.mark.parametrize("printed", [(0, 0, 600, 800), (0, 100, 300, 700), (100, 780, 500, 800)])
def test_a_page_without_white_margins_is_shown_as_it_is(printed):
    assert find_printed_part(make_page(printed), 0.75) is None
    scan = make_page(TEXT) // 2 + 100  # grey paper
    assert find_printed_part(scan, 0.75) is None
    assert find_printed_part(make_page(), 0.75) is None


@pytest.mark.parametrize("format", [b"jpeg", b"png", b"webp"])
def test_pictures_of_these_formats_are_drawn(reader, format):
    assert has_color(draw(reader, make_covered_book(make_picture(format, RED))), RED)


def test_a_cover_named_in_the_metadata_is_found(reader):
    item = '<item id="pic" href="img/my%20cover.png" media-type="image/png"/>'
    parts = [("OEBPS/img/my cover.png", make_png(300, 400, GREEN))]
    book = make_book(item, parts, meta='<meta name="cover" content="pic"/>')
    assert has_color(draw(reader, book), GREEN)
    by_path = make_book(item, parts, meta='<meta name="cover" content="img/my cover.png"/>')
    assert has_color(draw(reader, by_path), GREEN)


@pytest.mark.parametrize(
    "page",
    [
        '<html><body><img src="../img/c.png"/></body></html>',
        "<html><body>" + SVG.format('<image xlink:href="../img/c.png"/>') + "</body></html>",
    ],
)
def test_the_picture_of_the_guides_cover_page_is_found(reader, page):
    parts = [
        ("OEBPS/pages/cover.xhtml", page.encode()),
        ("OEBPS/img/c.png", make_png(90, 120, RED)),
    ]
    book = make_book("", parts, guide='<reference type="cover" href="pages/cover.xhtml"/>')
    cover = draw(reader, book)
    assert has_color(cover, RED) and (cover.width, cover.height) == (90, 120)


def test_a_picture_without_a_reference_as_cover_is_none(reader):
    item = '<item id="pic" href="map.png" media-type="image/png"/>'
    assert draw(reader, make_book(item, [("OEBPS/map.png", make_png(300, 400, RED))])) is None


def test_a_word_document_has_a_cover_only_if_a_large_picture_comes_first(reader):
    picture = make_png(300, 400, GREEN)
    assert has_color(draw(reader, make_word_file(picture, height_cm=20), "docx"), GREEN)
    assert draw(reader, make_word_file(picture, height_cm=3), "docx") is None
    text_first = make_word_file(picture, height_cm=20, before="Minutes of the meeting")
    assert draw(reader, text_first, "docx") is None


def test_transparent_parts_of_a_cover_are_white(reader):
    image = QImage(300, 400, QImage.Format.Format_ARGB32)
    image.fill(QColor(0, 0, 0, 0))
    image.setPixelColor(3, 3, QColor("red"))
    book = make_covered_book(write_image(image, b"png"))
    assert has_color(draw(reader, book), (255, 255, 255))


# --- hostile and damaged files --------------------------------------------------------------------


def test_a_picture_of_100_megapixels_is_refused_before_it_is_decoded(reader):
    bomb = make_covered_book(make_png(10_000, 10_000, RED))
    assert len(bomb) < 400_000
    assert draw(reader, PAGE, "pdf") is not None
    child = reader.child_pid
    assert draw(reader, bomb) is None
    peak = Path(f"/proc/{child}/status")
    if peak.exists():
        rows = dict(line.split(":", 1) for line in peak.read_text().splitlines())
        assert int(rows["VmHWM"].split()[0]) < 500_000  # kB; decoded, it has 300,000 more
    assert draw(reader, PAGE, "pdf") is not None and reader.child_pid == child


@pytest.mark.parametrize("href", ["{path}", "file://{path}", "../../../../../../../..{path}"])
@pytest.mark.parametrize("where", ["item", "meta", "page", "svg"])
def test_no_file_outside_the_archive_is_a_cover(reader, tmp_path, href, where):
    outside = tmp_path / "secret.png"
    outside.write_bytes(make_png(300, 400, RED))
    target = href.format(path=outside)
    inner = f'<html><body><img src="{target}"/></body></html>'
    drawing = SVG.format(f'<image xlink:href="{target}" width="300" height="400"/>')
    parts = [("OEBPS/c.xhtml", inner.encode()), ("OEBPS/c.svg", drawing.encode())]
    book = {
        "item": make_book(f'<item id="c" href="{target}" properties="cover-image"/>', parts),
        "meta": make_book("", parts, meta=f'<meta name="cover" content="{target}"/>'),
        "page": make_book("", parts, guide='<reference type="cover" href="c.xhtml"/>'),
        "svg": make_book('<item id="c" href="c.svg" properties="cover-image"/>', parts),
    }[where]
    assert draw(reader, book) is None


def test_an_svg_is_not_drawn_and_its_links_are_not_followed(reader):
    links = (
        '<image href="http://127.0.0.1:9/a.png"/><use href="file:///etc/hostname"/>'
        '<style>@import url("http://127.0.0.1:9/a.css")</style><rect width="9" height="9"/>'
    )
    named = make_covered_book(SVG.format(links).encode())
    assert draw(reader, named) is None
    item = '<item id="c" href="c.svg" media-type="image/svg+xml" properties="cover-image"/>'
    assert draw(reader, make_book(item, [("OEBPS/c.svg", SVG.format(links).encode())])) is None


@pytest.mark.parametrize("format", [b"jpeg", b"png", b"webp"])
def test_a_truncated_picture_is_no_cover(reader, format):
    noise = np.random.default_rng(3).integers(0, 255, (400, 300, 4), dtype=np.uint8)
    image = QImage(noise.tobytes(), 300, 400, QImage.Format.Format_RGB32)
    whole = write_image(image, format)
    assert draw(reader, make_covered_book(whole)) is not None
    for part in (0.3, 0.6, 0.95):
        assert draw(reader, make_covered_book(whole[: int(part * len(whole))])) is None


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("pdf", make_encrypted_pdf("The ferry", "secret")),
        ("pdf", PAGE[:200]),
        ("pdf", make_pdf([b""], b"")),  # an empty page
        ("epub", make_covered_book(make_png(3000, 20, RED))),  # a strip
        ("epub", make_covered_book(b"GIF89a no picture")),
        ("epub", make_covered_book(b"")),
        ("epub", b"PK\x03\x04 no archive"),
        ("docx", b"PK\x03\x04 no archive"),
    ],
)  # fmt: skip
def test_what_can_not_be_drawn_has_no_cover(reader, kind, content):
    assert draw(reader, content, kind) is None
    assert draw(reader, PAGE, "pdf") is not None


def test_a_child_that_ended_is_replaced(reader):
    assert draw(reader, PAGE, "pdf") is not None
    child = reader.child_pid
    os.kill(child, signal.SIGKILL)
    assert draw(reader, PAGE, "pdf") is not None
    assert reader.child_pid != child


def test_a_cancelled_token_ends_the_work(reader):
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        reader.read(BytesContent(PAGE), "pdf", token)


def test_no_cover_is_larger_than_its_box(reader):
    for width, height in ((2000, 2000), (3000, 1200), (1, 1), (40, 60)):
        cover = draw(reader, make_covered_book(make_png(width, height, RED)))
        if cover is not None:
            assert cover.width <= BOX[0] and cover.height <= BOX[1]
