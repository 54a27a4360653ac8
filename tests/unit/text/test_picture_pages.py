"""Picture documents: their pages are counted, drawn and refused."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks.format_files import make_huge_png
from desktop_app.engine.errors import UserError
from desktop_app.engine.text.file_kinds import PICTURE_HEAD_BYTES, find_picture_kind
from desktop_app.engine.text.page_renderer import PageFailure, PageRenderer
from desktop_app.engine.text.picture_pages import PicturePages
from desktop_app.engine.text.readers.archives import Unreadable
from desktop_app.engine.text.reading import read_bytes
from tests.scanned import ENGLISH_LINES, draw_page, make_scan, save

PAGE = draw_page(ENGLISH_LINES)
# A page of 1,000 by 420 pixels, behind a small one in the same file, as a telephone makes it;
# made with pillow-heif, since the program has no encoder.
HEIC = (Path(__file__).parents[2] / "data" / "photograph.heic").read_bytes()
FORMATS = {
    "PNG": "png",
    "JPEG": "jpeg",
    "TIFF": "tiff",
    "WEBP": "webp",
    "GIF": "gif",
    "AVIF": "avif",
    "HEIF": "heic",
    "BMP": "bmp",
    "JPEG2000": "jp2",
}


def make_picture(format: str) -> bytes:
    return HEIC if format == "HEIF" else save(PAGE, format)


@pytest.mark.parametrize("format", FORMATS)
def test_a_picture_is_a_document_of_one_page_that_waits(format: str):
    content = make_picture(format)
    assert find_picture_kind(content[:PICTURE_HEAD_BYTES]) == FORMATS[format]
    [document] = read_bytes(content, "A letter.png")  # whatever its name says
    assert (document.format, document.title, document.text) == (FORMATS[format], "A letter", "")
    assert document.pictures == (0,)
    assert document.notes == ("Its page is a picture: it is read in the background.",)


def test_a_picture_that_was_read_has_its_text():
    [document] = read_bytes(
        save(PAGE), "a.png", scanned={"": {0: "Dear Sir,\n  the ferry has left."}}
    )
    assert "Dear Sir," in document.text and "the ferry has left." in document.text
    assert document.notes == ()
    [empty] = read_bytes(save(PAGE), "a.png", scanned={"": {0: ""}})
    assert empty.notes == ("1 of 1 pages have no text: 1",)


def test_the_frames_of_a_tiff_are_pages_and_those_of_a_gif_are_not():
    more = [draw_page(["two"]), draw_page(["three"])]
    tiff = save(PAGE, "TIFF", save_all=True, append_images=more)
    gif = save(PAGE, "GIF", save_all=True, append_images=more)
    assert len(read_bytes(tiff, "a.tif")[0].pages) == 3
    assert len(read_bytes(gif, "a.gif")[0].pages) == 1
    pages = PicturePages(tiff)
    assert not np.array_equal(pages.read_pixels(1, 10**6), pages.read_pixels(2, 10**6))
    assert np.array_equal(pages.read_pixels(0, 10**6), np.asarray(PAGE))


def test_a_picture_is_drawn_in_the_process_that_draws_pages():
    renderer = PageRenderer()
    try:
        document = renderer.open(save(PAGE, dpi=(200, 200)))
        assert document.sizes == [pytest.approx((360, 151.2), abs=0.1)]
        drawn = document.render(0, 200 / 72)
        assert (drawn.width, drawn.height) == (1000, 420)
        pixels = np.frombuffer(drawn.pixels, dtype=np.uint8).reshape(420, 1000, 4)
        assert np.abs(pixels[:, :, 2::-1].astype(int) - np.asarray(PAGE)).max() < 12
        part = document.render_part(0, 200 / 72, (100, 50, 300, 150))
        assert (part.width, part.height, part.left, part.top) == (200, 100, 100, 50)
        dark = np.frombuffer(document.render(0, 1.0, dark=True).pixels, dtype=np.uint8)
        assert dark.reshape(-1, 4)[:, :3].mean() < 80
        assert document.find_boxes(0, "ferry", [(0, 5)]) == [[]]
    finally:
        renderer.close()


def test_a_turned_photograph_is_upright():
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned
    pages = PicturePages(save(PAGE, "JPEG", exif=exif))
    width, height = pages.sizes[0]
    assert height > 2 * width
    assert pages.read_pixels(0, 10**6).shape == (1000, 420, 3)


def test_what_is_transparent_is_paper():
    image = Image.new("RGBA", (80, 40), (0, 0, 0, 0))
    assert PicturePages(save(image)).read_pixels(0, 10**6).min() == 255


def test_more_than_256_shades_are_kept_apart():
    shades = np.linspace(1000, 60000, 80 * 40).reshape(40, 80).astype(np.uint16)
    made = io.BytesIO()
    Image.fromarray(shades).save(made, "TIFF")
    pixels = PicturePages(made.getvalue()).read_pixels(0, 10**6)
    assert pixels.min() < 5 and pixels.max() > 250


def test_a_picture_of_30000_pixels_is_refused_before_it_is_decoded():
    pages = PicturePages(make_huge_png(30_000, 30_000))
    with pytest.raises(Unreadable, match="too many pixels"):
        pages.read_pixels(0, 10**6)


def test_the_refusal_of_a_page_says_what_to_do():
    renderer = PageRenderer()
    try:
        document = renderer.open(make_huge_png(30_000, 30_000), name="map.png")
        with pytest.raises(PageFailure, match=r"too many pixels\. Save it smaller"):
            document.render(0, 1.0, dark=False)
    finally:
        renderer.close()


def test_a_large_picture_is_kept_smaller(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("desktop_app.engine.text.picture_pages.MAX_KEPT_PIXELS", 50_000)
    for format in ("PNG", "JPEG"):
        pixels = PicturePages(save(PAGE, format)).read_pixels(0, 10**6)
        assert 10_000 < pixels.shape[0] * pixels.shape[1] <= 60_000


def test_the_main_picture_of_a_photograph_is_drawn_in_the_child_process():
    renderer = PageRenderer()
    try:
        picture = renderer.open(HEIC).render(0, 1.0)
    finally:
        renderer.close()
    size = (picture.width, picture.height)
    shades = np.frombuffer(picture.pixels, np.uint8).reshape(size[1], size[0], 4)[:, :, 0]
    wanted = np.asarray(PAGE.convert("L").resize(size), dtype=float)
    assert np.abs(shades - wanted).mean() < 6.0 < np.abs(wanted - wanted.mean()).mean()


@pytest.mark.parametrize("format", ["PNG", "TIFF", "WEBP", "GIF", "AVIF", "HEIF"])
def test_a_broken_picture_is_refused_with_a_reason(format: str):
    content = make_picture(format)
    cut = content[: len(content) // 3]
    with pytest.raises(UserError, match=r"damaged|no picture"):
        read_bytes(cut[:20] + b"\xff" * 40, "a.tif")
    renderer = PageRenderer()
    try:
        with pytest.raises(UserError, match="damaged"):
            renderer.open(cut).render(0, 1.0)
    finally:
        renderer.close()


def test_a_scan_is_taken_and_its_pages_wait():
    [document] = read_bytes(make_scan([PAGE, PAGE, PAGE]), "letters.pdf")
    assert (document.text.strip(), document.pictures) == ("", (0, 1, 2))
    assert document.notes == ("3 of 3 pages are pictures: they are read in the background.",)
    texts = {0: "It is a long way to the mill.", 2: "The miller has gone."}
    [half] = read_bytes(make_scan([PAGE, PAGE, PAGE]), "letters.pdf", scanned={"": texts})
    first, second, third = half.pages
    assert half.text[first.start : first.end] == texts[0]
    assert second.start == second.end
    assert half.text[third.start : third.end] == texts[2]
    assert half.notes == ("1 of 3 pages are pictures: they are read in the background.",)


def test_words_that_a_scan_hyphenates_are_joined_and_running_lines_left_out():
    texts = {
        i: f"The Mill {i}\nOn day {word} the old ferry-\nman waited {word} hours.\n"
        f"He said {word} words to himself, and no more than that."
        for i, word in enumerate(("one", "two", "three", "four", "five", "six"))
    }
    [document] = read_bytes(make_scan([PAGE] * 6), "water.pdf", scanned={"": texts})
    assert document.text.count("the old ferryman waited") == 6
    assert "The Mill" not in document.text
