"""A picture of a page in, its lines in reading order out."""

from __future__ import annotations

import numpy as np

from ...scanned_pages import ScannedLine, ScannedPage, measure_words, tidy_line
from .reading_order import LineBox, find_order
from .recognition import ENGINE, FoundLine, LineReader


def recognise_page(reader: LineReader, picture: np.ndarray) -> ScannedPage:
    """Return what a picture of a page says.

    Args:
        picture: red, green, blue; uint8, shape (height, width, 3).
    """
    lines, turn = reader.read(picture)
    return build_page(lines, turn, picture.shape[1], picture.shape[0])


def build_page(lines: list[FoundLine], turn: int, width: int, height: int) -> ScannedPage:
    """Return lines in reading order, with places as shares of the picture."""
    boxes = [
        LineBox(tuple((float(x), float(y)) for x, y in line.corners), line.is_vertical)
        for line in lines
    ]
    order = find_order(boxes, turn)
    size = np.array([width, height], dtype=np.float64)
    made = []
    for number, row in enumerate(order.rows):
        for index in row.boxes:
            line = lines[index]
            text = tidy_line(line.text)
            a, b, c, d, e, f, g, h = (line.corners / size).ravel().tolist()
            made.append(
                ScannedLine(
                    (a, b, c, d, e, f, g, h),
                    text,
                    min(1.0, max(0.0, line.confidence)),
                    measure_words(text, line.places) if text == line.text else (),
                    number,
                    row.block,
                    row.is_indented,
                    line.is_vertical,
                )
            )
    return ScannedPage(tuple(made), turn, order.angle, order.is_certain, ENGINE)
