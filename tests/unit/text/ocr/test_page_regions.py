"""Drawings on pictures of pages: what is a figure, with a caption and without, and what is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw

from desktop_app.engine.model import Page
from desktop_app.engine.scanned_pages import (
    PageRegion,
    ScannedLine,
    ScannedPage,
    pack_page,
    unpack_page,
)
from desktop_app.engine.text.ocr.page_figures import build_scanned_figures, find_page_figures
from desktop_app.engine.text.ocr.page_regions import find_regions, rotate_points, turn_box

WIDTH, HEIGHT = 827, 1169  # pixels: A4 at 100 dpi
SIZE = (595.0, 842.0)
Side = tuple[int, int, int, int]
PROSE = "The keeper of the light rowed out to the rocks before the morning tide."
CAPTION = "Plate 4. The lighthouse at Cape Merrow"


def make_line(text: str, left: int, top: int, right: int, row: int, high: int = 18) -> ScannedLine:
    x1, y1, x2, y2 = left / WIDTH, top / HEIGHT, right / WIDTH, (top + high) / HEIGHT
    return ScannedLine((x1, y1, x2, y1, x2, y2, x1, y2), text, 0.98, (), row)


class Sheet:
    """A page on which tests draw; `lines` are what is read on it."""

    def __init__(self) -> None:
        rng = np.random.default_rng(3)
        grey = np.clip(rng.normal(236, 6, (HEIGHT, WIDTH)), 0, 255).astype(np.uint8)
        self.image = Image.fromarray(grey).convert("RGB")
        self.draw = ImageDraw.Draw(self.image)
        self.lines: list[ScannedLine] = []

    def write(self, text: str, left: int, top: int, right: int) -> None:
        """Draw a line of text as marks as high as letters."""
        for x in range(left + 2, right - 6, 9):
            self.draw.rectangle((x, top + 4, x + 5, top + 14), fill=(30, 30, 30))
        self.lines.append(make_line(text, left, top, right, len(self.lines)))

    def write_prose(self, top: int, n_lines: int, left: int = 90, right: int = 740) -> None:
        for number in range(n_lines):
            self.write(PROSE, left, top + 24 * number, right)

    def paint(self, side: Side, seed: int = 1) -> None:
        """Draw a photograph: tones of every darkness."""
        left, top, right, bottom = side
        rng = np.random.default_rng(seed)
        small = Image.fromarray(rng.integers(20, 200, (12, 16), dtype=np.uint8))
        self.image.paste(small.resize((right - left, bottom - top)).convert("RGB"), (left, top))

    def sketch(self, side: Side) -> None:
        """Draw a map of thin lines, which touches all sides."""
        left, top, right, bottom = side
        self.draw.ellipse(side, outline=(40, 40, 40), width=2)
        points = [
            (
                left + (right - left) * (0.5 + 0.5 * math.cos(0.7 * i) * (0.6 + 0.4 * (i % 3) / 2)),
                top + (bottom - top) * (0.5 + 0.5 * math.sin(0.7 * i) * (0.6 + 0.4 * (i % 4) / 3)),
            )
            for i in range(60)
        ]
        self.draw.line(points, fill=(40, 40, 40), width=2)

    def read(self, turn: int = 0, angle: float = 0.0) -> ScannedPage:
        """Return the page as it is found, turned clockwise."""
        pixels = self.image
        if angle:
            pixels = pixels.rotate(-angle, Image.Resampling.BILINEAR, fillcolor=(236, 236, 236))
        turned = np.ascontiguousarray(np.rot90(np.asarray(pixels), -turn // 90))
        lines = [replace(line, corners=_turn(line, turn, angle)) for line in self.lines]
        size = SIZE if turn % 180 == 0 else SIZE[::-1]
        page = ScannedPage(tuple(lines), turn, angle, size=size)
        return replace(page, regions=find_regions(turned, lines, turn, angle))


def _turn(line: ScannedLine, turn: int, angle: float) -> tuple[float, ...]:
    points = np.array(line.corners).reshape(4, 2) * (WIDTH, HEIGHT)
    points = rotate_points(points, angle, np.array([WIDTH / 2, HEIGHT / 2])) / (WIDTH, HEIGHT)
    boxes = [turn_box((x, y, x + 1e-6, y + 1e-6), turn) for x, y in points.tolist()]
    return tuple(value for box in boxes for value in box[:2])


@pytest.fixture
def sheet() -> Sheet:
    return Sheet()


def sides(page: ScannedPage) -> list[tuple[str, list[int]]]:
    """Return label, and left, top, right and bottom of each figure in hundredths of the page."""
    return [
        (one.figure.label, [round(100 * side) for side in one.figure.box])
        for one in find_page_figures(page)
    ]


def hundredths(side: Side) -> list[int]:
    left, top, right, bottom = side
    return [
        *(round(100 * left / WIDTH), round(100 * top / HEIGHT)),
        *(round(100 * right / WIDTH), round(100 * bottom / HEIGHT)),
    ]


def is_near(found: Sequence[int], wanted: Sequence[int], most: int = 2) -> bool:
    return all(abs(a - b) <= most for a, b in zip(found, wanted, strict=True))


MAP = (200, 300, 600, 620)


def fill(sheet: Sheet) -> None:
    sheet.write_prose(100, 6)
    sheet.sketch(MAP)
    sheet.write(CAPTION, 230, 640, 570)
    sheet.write_prose(700, 8)


@pytest.mark.parametrize(
    ("turn", "angle"), [(0, 0.0), (0, 2.0), (90, 0.0), (180, -1.0), (270, 1.0)]
)
def test_a_drawing_belongs_to_its_caption_on_pages_that_lie_in_any_way(sheet, turn, angle):
    fill(sheet)
    [(label, box)] = sides(sheet.read(turn, angle))
    center = np.array([[(MAP[0] + MAP[2]) / 2, (MAP[1] + MAP[3]) / 2]])
    [[x, y]] = rotate_points(center, angle, np.array([WIDTH / 2, HEIGHT / 2]))
    half = (MAP[2] - MAP[0]) / 2, (MAP[3] - MAP[1]) / 2
    upright = (
        *((x - half[0]) / WIDTH, (y - half[1]) / HEIGHT),
        *((x + half[0]) / WIDTH, (y + half[1]) / HEIGHT),
    )
    assert label == "plate 4"
    assert is_near(box, [round(100 * side) for side in turn_box(upright, turn)])


def test_the_labels_in_a_drawing_are_its_words_and_not_its_caption(sheet):
    fill(sheet)
    sheet.write("Gull Rock", 360, 420, 450)
    [found] = find_page_figures(sheet.read())
    assert found.words == "Gull Rock" and found.figure.caption == CAPTION


def test_large_photographs_and_drawings_are_figures_without_a_caption(sheet):
    sheet.write_prose(100, 4)
    photograph, drawing = (120, 240, 420, 520), (200, 620, 620, 1000)
    sheet.paint(photograph)
    sheet.sketch(drawing)
    found = sides(sheet.read())
    assert [label for label, _ in found] == ["", ""]
    for (_, box), side in zip(found, (photograph, drawing), strict=True):
        assert is_near(box, hundredths(side))


def test_a_plate_that_fills_its_page_is_a_figure(sheet):
    plate = (0, 0, WIDTH, HEIGHT)
    sheet.paint(plate)
    [(label, box)] = sides(sheet.read())
    assert label == "" and is_near(box, [0, 0, 100, 100], 4)


def paint_shadow(sheet: Sheet) -> None:
    for x in range(60):
        shade = 30 + 3 * x
        sheet.draw.line((x, 0, x, HEIGHT), fill=(shade, shade, shade))
    sheet.draw.rectangle((0, HEIGHT - 40, WIDTH, HEIGHT), fill=(15, 15, 15))


def draw_table(sheet: Sheet) -> None:
    for row in range(9):
        sheet.draw.line((120, 300 + 60 * row, 700, 300 + 60 * row), fill=(30, 30, 30), width=2)
    for column in range(5):
        x = 120 + 145 * column
        sheet.draw.line((x, 300, x, 780), fill=(30, 30, 30), width=2)
    for row in range(8):
        for column in range(4):
            sheet.write("12.4", 140 + 145 * column, 318 + 60 * row, 200 + 145 * column)


def draw_stamp(sheet: Sheet) -> None:
    for size in (0, 6):
        side = (560 + size, 900 + size, 690 - size, 1030 - size)
        sheet.draw.ellipse(side, outline=(160, 40, 90), width=3)
    sheet.draw.line((575, 965, 675, 965), fill=(160, 40, 90), width=6)


def paint_stain(sheet: Sheet) -> None:
    grey = np.asarray(sheet.image).copy()
    y, x = np.ogrid[:HEIGHT, :WIDTH]
    depth = np.clip(1 - ((x - 400) / 260) ** 2 - ((y - 800) / 200) ** 2, 0, 1) ** 0.5
    stained = np.clip(grey - (45 * depth)[:, :, np.newaxis], 0, 255).astype(np.uint8)
    sheet.image.paste(Image.fromarray(stained))


def draw_initial(sheet: Sheet) -> None:
    sheet.sketch((90, 560, 190, 660))
    sheet.draw.rectangle((90, 560, 190, 660), outline=(30, 30, 30), width=3)
    sheet.write_prose(562, 4, left=205)


def draw_holes_and_rules(sheet: Sheet) -> None:
    for y in (400, 760):
        sheet.draw.ellipse((18, y, 42, y + 24), fill=(10, 10, 10))
    sheet.draw.line((90, 90, 740, 90), fill=(20, 20, 20), width=3)
    sheet.draw.line((415, 560, 415, 1100), fill=(20, 20, 20), width=2)
    sheet.draw.rectangle((30, 30, WIDTH - 30, HEIGHT - 30), outline=(20, 20, 20), width=3)


@pytest.mark.parametrize(
    "soil",
    [
        paint_shadow,
        draw_table,
        draw_stamp,
        paint_stain,
        draw_initial,
        draw_holes_and_rules,
    ],
)
def test_what_is_no_picture_is_no_figure(sheet, soil):
    sheet.write_prose(100, 7)
    soil(sheet)
    assert sides(sheet.read()) == []


def test_a_text_on_a_coloured_ground_is_no_figure(sheet):
    sheet.draw.rectangle((80, 280, 750, 600), fill=(150, 190, 150))
    sheet.write_prose(300, 11)
    assert sides(sheet.read()) == []


def test_regions_are_stored_with_their_page_and_checked(sheet):
    fill(sheet)
    page = sheet.read()
    assert unpack_page(pack_page(page)).regions is not None
    again = find_page_figures(unpack_page(pack_page(page)))
    assert [one.words for one in again] == [""] and again[0].figure.label == "plate 4"
    assert unpack_page(pack_page(replace(page, regions=None))).regions is None
    outside = PageRegion((0.2, 0.2, 1.4, 0.5))
    assert unpack_page(pack_page(replace(page, regions=(outside,)))) == ScannedPage()


def test_a_caption_has_its_place_in_the_text_and_ornaments_of_every_page_are_left_out(sheet):
    fill(sheet)
    page = sheet.read()
    text = "\n".join(line.text for line in page.lines)
    ornament = PageRegion((0.3, 0.85, 0.7, 0.97), is_alone=True)
    found = build_scanned_figures(
        text * 3,
        [Page(i, "", i * len(text), (i + 1) * len(text)) for i in range(3)],
        {i: replace(page, regions=(*(page.regions or ()), ornament)) for i in range(3)},
    )
    assert [(f.page_index, (text * 3)[f.start : f.end]) for f, _ in found] == [
        (i, CAPTION) for i in range(3)
    ]


@pytest.mark.parametrize(("gap", "n_lines"), [(16, 2), (35, 1)])
def test_a_caption_has_its_further_lines_and_not_the_text_below(gap, n_lines):
    # The outlines of lines are higher than the step from one to the next.
    tops = [640, 640 + gap, *(640 + gap + 16 * n for n in range(1, 4))]
    if n_lines == 2:
        tops[2:] = [top + 20 for top in tops[2:]]
    texts = [CAPTION, "seen from the sea", *[PROSE] * 3]
    placed = enumerate(zip(texts, tops, strict=True))
    lines = [make_line(text, 200, top, 700, n, 20) for n, (text, top) in placed]
    region = PageRegion((0.25, 0.25, 0.75, 0.5))
    [found] = find_page_figures(ScannedPage(tuple(lines), regions=(region,), size=SIZE))
    assert found.figure.caption.split("\n") == texts[:n_lines]
