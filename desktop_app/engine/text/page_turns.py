"""Quarter turns of pages: sizes, boxes, pixels and letters of a page that is shown turned.

A turn is the number of quarters clockwise, 0 to 3. Positions are 0 to 1 of the page from its top
left, before and after a turn, as everywhere. Knows no PDF and no window.
"""

from __future__ import annotations

import numpy as np

from .pdf_pages import PageLetters, PagePicture
from .pdf_positions import Box

QUARTERS = 4


def turn_size(size: tuple[float, float], turn: int) -> tuple[float, float]:
    """Return width and height of a page of this size after a turn."""
    return (size[1], size[0]) if turn % 2 else size


def turn_point(x: float, y: float, turn: int) -> tuple[float, float]:
    """Return where a point of a page is after a turn."""
    for _ in range(turn % QUARTERS):
        x, y = 1.0 - y, x
    return x, y


def turn_box(box: Box, turn: int) -> Box:
    """Return where a box of a page is after a turn."""
    first, last = turn_point(box[0], box[1], turn), turn_point(box[2], box[3], turn)
    (left, right), (top, bottom) = sorted((first[0], last[0])), sorted((first[1], last[1]))
    return left, top, right, bottom


def turn_letters(letters: PageLetters, turn: int) -> PageLetters:
    """Return the letters of a page after a turn."""
    size = turn_size((letters.width, letters.height), turn)
    boxes, others = (_turn_boxes(boxes, turn) for boxes in (letters.boxes, letters.others))
    return PageLetters(letters.offsets, boxes, *size, others)


def _turn_boxes(boxes: np.ndarray, turn: int) -> np.ndarray:
    for _ in range(turn % QUARTERS):
        left, top, right, bottom = boxes.T
        boxes = np.stack([1.0 - bottom, left, 1.0 - top, right], axis=1)
    return boxes


def turn_part(
    part: tuple[int, int, int, int], size: tuple[int, int], turn: int
) -> tuple[int, int, int, int]:
    """Return where a part (left, top, right, bottom) is after a turn; all lengths are pixels.

    Args:
        size: width and height of the whole page before the turn.
    """
    left, top, right, bottom = part
    width, height = size
    for _ in range(turn % QUARTERS):
        left, top, right, bottom = height - bottom, left, height - top, right
        width, height = height, width
    return left, top, right, bottom


def turn_picture(picture: PagePicture, size: tuple[int, int], turn: int) -> PagePicture:
    """Return the pixels of a page, or of a part of it, after a turn.

    Args:
        size: width and height of the whole page before the turn, in pixels.
    """
    if not turn % QUARTERS:
        return picture
    rows = np.frombuffer(picture.pixels, np.uint8).reshape(picture.height, picture.stride)
    pixels = rows[:, : 4 * picture.width].reshape(picture.height, picture.width, 4)
    turned = np.rot90(pixels, -turn)  # numpy turns anticlockwise
    height, width = turned.shape[:2]
    right, bottom = picture.left + picture.width, picture.top + picture.height
    left, top, _, _ = turn_part((picture.left, picture.top, right, bottom), size, turn)
    made = turned.tobytes()
    return PagePicture(
        picture.index, picture.scale, width, height, 4 * width, made, left, top, picture.dark
    )
