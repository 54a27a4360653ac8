"""Figures found on pictures of pages, compared with those of the PDFs that were drawn.

`python -m benchmarks.scanned_figures FOLDER [--read] [--render FOLDER]`: pages
of PDFs with figures, and some without, are drawn at 150 or 200 dots per inch as a scanner sees
them, turned by 0, 1 or 2 degrees, and their figures found as on scanned pages. The lines of a page
are those of the PDF itself, which takes a second a page less; with `--read` they are read from the
picture. A figure with a caption is right if the PDF has one with its label, in place if both share
60 % of their area; one without is right if the PDF has one there. What the PDF reader lists is not
the truth: with `--render`, the pages with a difference are saved, to be looked at.
"""

from __future__ import annotations

import hashlib
import io
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
from PIL import Image, ImageDraw

from desktop_app.engine.figures import Figure, FigureBox
from desktop_app.engine.scanned_pages import ScannedLine, ScannedPage, tidy_line
from desktop_app.engine.text.ocr.page_figures import ScannedFigure, find_page_figures
from desktop_app.engine.text.ocr.page_reading import recognise_page
from desktop_app.engine.text.ocr.page_regions import find_regions, rotate_points
from desktop_app.engine.text.ocr.recognition import LineReader
from desktop_app.engine.text.readers.pdf_figures import DisplayedPageSize, read_page_lines
from desktop_app.engine.text.reading import read_bytes

from .common import make_parser, print_result
from .ocr import age

PAGES_WITH, PAGES_WITHOUT = 7, 2  # of a file
MIN_CHARS = 400  # of a page without figures
DPIS, TURNS = (150, 200), (0.0, 1.0, -1.0, 2.0)
OUTLINE = 0.19  # of the height of a line: what is read from pictures has larger outlines
IN_PLACE, SAME = 0.6, 0.5  # of the area of two figures together


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page of a PDF as a picture, with its figures in the PDF."""

    name: str
    pixels: np.ndarray
    page: ScannedPage
    known: tuple[Figure, ...]


def iter_pages(path: Path, reader: LineReader | None) -> Iterator[DrawnPage]:
    """Yield some pages of a file, drawn and read."""
    content = path.read_bytes()
    try:
        [read] = read_bytes(content, path.name)
    except Exception as error:  # a damaged file of the collection
        print(f"{path.name[:44]}: not read: {str(error)[:60]}")
        return
    found: dict[int, list[Figure]] = {}
    for figure in read.figures:
        if figure.box is not None and figure.page_index is not None:
            found.setdefault(figure.page_index, []).append(figure)
    with_some = sorted(found)[:: max(1, len(found) // PAGES_WITH)][:PAGES_WITH]
    others = [
        page.index
        for page in read.pages
        if page.end - page.start > MIN_CHARS and page.index not in {*found, *read.pictures}
    ]
    without = others[:: max(1, len(others) // PAGES_WITHOUT)][:PAGES_WITHOUT]
    document = pypdfium2.PdfDocument(content)
    try:
        for index in (*with_some, *without):
            digest = hashlib.md5(f"{path.name}-{index}".encode()).digest()
            dpi, turn = DPIS[digest[0] % 2], TURNS[digest[1] % 4]
            drawn = document[index].render(scale=dpi / 72).to_pil().convert("L")
            scan = Image.open(io.BytesIO(age(drawn, turn, digest[2]))).convert("RGB")
            pixels = np.asarray(scan)
            page = (
                recognise_page(reader, pixels)
                if reader is not None
                else ScannedPage(tuple(_iter_lines(document[index], turn)), angle=turn)
            )
            page = replace(page, size=document[index].get_size())
            name = f"{path.stem[:30]}-{index + 1:03}"
            yield DrawnPage(name, pixels, page, tuple(found.get(index, ())))
    finally:
        document.close()


def _iter_lines(page: Any, turn: float) -> Iterator[ScannedLine]:
    """Yield the lines of a page of a PDF as they are on the turned picture."""
    sheet = DisplayedPageSize(page)
    size = np.array([sheet.width, sheet.height])
    for number, line in enumerate(read_page_lines(page.get_textpage(), sheet)):
        more = OUTLINE * line.height
        left, top, right, bottom = line.left, line.top - more, line.right, line.bottom + more
        corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        turned = (rotate_points(corners, turn, size / 2) / size).ravel()
        if line.text.strip() and np.abs(turned).max() < 1.4:
            a, b, c, d, e, f, g, h = turned.tolist()
            yield ScannedLine((a, b, c, d, e, f, g, h), tidy_line(line.text), 0.99, (), number)


def measure_shared(one: FigureBox, other: FigureBox) -> float:
    """Return the area that two boxes share, as a share of both together."""
    across = max(0.0, min(one[2], other[2]) - max(one[0], other[0]))
    down = max(0.0, min(one[3], other[3]) - max(one[1], other[1]))
    both = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - across * down
    return across * down / both if both > 0 else 0.0


KEYS = (
    *("pages", "captions", "found", "in_place", "other_captions"),
    *("without_caption", "found_without", "others_without"),
)


def compare(known: Sequence[Figure], found: Sequence[ScannedFigure]) -> dict[str, int]:
    """Return the counts of one page; captions of tables are not counted."""
    counts = dict.fromkeys(KEYS, 0)
    counts["pages"] = 1
    boxes = [figure.box for figure in known if figure.box is not None]
    labels = {one.figure.label: one.figure.box for one in found if one.figure.label}
    for figure in known:
        if figure.box is None or figure.label.startswith("table"):
            continue
        if figure.label:
            counts["captions"] += 1
            box = labels.get(figure.label)
            counts["found"] += box is not None
            is_in_place = box is not None and measure_shared(box, figure.box) >= IN_PLACE
            counts["in_place"] += is_in_place
        else:
            counts["without_caption"] += 1
            places = [measure_shared(one.figure.box, figure.box) for one in found]
            counts["found_without"] += max(places, default=0.0) > SAME
    counts["other_captions"] = len(labels.keys() - {figure.label for figure in known})
    for one in found:
        if not one.figure.label:
            places = [measure_shared(one.figure.box, box) for box in boxes]
            counts["others_without"] += max(places, default=0.0) <= SAME
    return counts


def render(page: DrawnPage, found: Sequence[ScannedFigure], path: Path) -> None:
    """Save a page with the figures of the PDF in green, and those found in red."""
    image = Image.fromarray(page.pixels)
    drawing = ImageDraw.Draw(image)
    groups = (
        ((0, 160, 0), [figure.box for figure in page.known if figure.box is not None]),
        ((220, 0, 0), [one.figure.box for one in found]),
    )
    for color, boxes in groups:
        for left, top, right, bottom in boxes:
            side = (
                *(left * image.width, top * image.height),
                *(right * image.width, bottom * image.height),
            )
            drawing.rectangle(side, outline=color, width=4)
    image.thumbnail((900, 900))
    image.save(path)


def main() -> None:
    """Print the pages with a difference, and the sums."""
    parser = make_parser(__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--read", action="store_true", help="read the lines from the pictures")
    parser.add_argument("--render", type=Path)
    options = parser.parse_args()
    reader = LineReader() if options.read else None
    files = sorted(
        (path for folder in options.folders for path in folder.rglob("*.pdf")),
        key=lambda path: path.name,
    )
    sums = dict.fromkeys(KEYS, 0)
    processor_s = 0.0
    for path in files:
        for drawn in iter_pages(path, reader):
            began = time.process_time()
            page = drawn.page
            page = replace(
                page, regions=find_regions(drawn.pixels, page.lines, page.turn, page.angle)
            )
            found = find_page_figures(page)
            processor_s += time.process_time() - began
            counts = compare(drawn.known, found)
            sums = {key: sums[key] + int(counts[key]) for key in KEYS}
            is_same = counts["in_place"] == counts["captions"] and (
                counts["found_without"] == counts["without_caption"]
            )
            if is_same and not counts["other_captions"] and not counts["others_without"]:
                continue
            print(
                drawn.name, {key: int(value) for key, value in counts.items() if value}, flush=True
            )
            if options.render:
                options.render.mkdir(parents=True, exist_ok=True)
                render(drawn, found, options.render / f"{drawn.name}.png")
    print(
        f"{sums['pages']} pages: found {sums['found']} of {sums['captions']} figures with captions,"
        f" {sums['in_place']} in place, {sums['other_captions']} others;"
        f" {sums['found_without']} of {sums['without_caption']} pictures without one,"
        f" {sums['others_without']} others;"
        f" {processor_s / max(1, sums['pages']):.2f} s of a processor a page"
    )
    print_result("scanned_figures", **sums, processor_s=processor_s)


if __name__ == "__main__":
    main()
