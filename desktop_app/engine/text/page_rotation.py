"""Rotation of pages by quarters: sizes, boxes, pixels and letters of a page that is shown rotated.

A rotation is the number of quarters clockwise, 0 to 3. Positions are 0 to 1 of the page from its
top left, before and after a rotation, as everywhere. Knows no PDF and no window.
"""

from __future__ import annotations

import numpy as np

from .pdf_pages import PageLetters, PagePicture
from .pdf_positions import Box

QUARTERS = 4


def rotate_size(size: tuple[float, float], rotation: int) -> tuple[float, float]:
    """Return width and height of a page of this size after a rotation."""
    return (size[1], size[0]) if rotation % 2 else size


def rotate_point(x: float, y: float, rotation: int) -> tuple[float, float]:
    """Return where a point of a page is after a rotation."""
    for _ in range(rotation % QUARTERS):
        x, y = 1.0 - y, x
    return x, y


def rotate_box(box: Box, rotation: int) -> Box:
    """Return where a box of a page is after a rotation."""
    first, last = rotate_point(box[0], box[1], rotation), rotate_point(box[2], box[3], rotation)
    (left, right), (top, bottom) = sorted((first[0], last[0])), sorted((first[1], last[1]))
    return left, top, right, bottom


def rotate_letters(letters: PageLetters, rotation: int) -> PageLetters:
    """Return the letters of a page after a rotation."""
    size = rotate_size((letters.width, letters.height), rotation)
    boxes, others = (_rotate_boxes(boxes, rotation) for boxes in (letters.boxes, letters.others))
    return PageLetters(letters.offsets, boxes, *size, others)


def _rotate_boxes(boxes: np.ndarray, rotation: int) -> np.ndarray:
    for _ in range(rotation % QUARTERS):
        left, top, right, bottom = boxes.T
        boxes = np.stack([1.0 - bottom, left, 1.0 - top, right], axis=1)
    return boxes


def rotate_part(
    part: tuple[int, int, int, int], size: tuple[int, int], rotation: int
) -> tuple[int, int, int, int]:
    """Return where a part (left, top, right, bottom) is after a rotation; all lengths are pixels.

    Args:
        size: width and height of the whole page before the rotation.
    """
    left, top, right, bottom = part
    width, height = size
    for _ in range(rotation % QUARTERS):
        left, top, right, bottom = height - bottom, left, height - top, right
        width, height = height, width
    return left, top, right, bottom


def rotate_picture(picture: PagePicture, size: tuple[int, int], rotation: int) -> PagePicture:
    """Return the pixels of a page, or of a part of it, after a rotation.

    Args:
        size: width and height of the whole page before the rotation, in pixels.
    """
    if not rotation % QUARTERS:
        return picture
    rows = np.frombuffer(picture.pixels, np.uint8).reshape(picture.height, picture.stride)
    pixels = rows[:, : 4 * picture.width].reshape(picture.height, picture.width, 4)
    rotated = np.rot90(pixels, -rotation)  # numpy rotates anticlockwise
    height, width = rotated.shape[:2]
    right, bottom = picture.left + picture.width, picture.top + picture.height
    left, top, _, _ = rotate_part((picture.left, picture.top, right, bottom), size, rotation)
    made = rotated.tobytes()
    return PagePicture(
        picture.index, picture.scale, width, height, 4 * width, made, left, top, picture.dark
    )
