"""Where a drawn page is printed: its first and last row, its columns, and the sides of a part.

Works on the pixels of a picture, so that it holds for scans and drawings of which nothing is known.
The paper has the colour of most pixels of the first row.
"""

from __future__ import annotations

import math

import numpy as np

from .pdf_pages import PagePicture
from .pdf_positions import Box

NO_INK = 40  # of 255: lighter marks, such as the grain of a scan, are no ink
LEAST_INK = 0.004  # of a row's pixels: fewer are dirt
SAMPLED = 400  # columns of a page that are looked at
LEAST_MARK = 2  # pixels of a column: one is dirt
MOST_BLANK = 0.3  # of a page: a title in the middle of a page is placed there on purpose


def _read_green(picture: PagePicture, every: int = 1) -> tuple[np.ndarray, int]:
    """Return the green of a page, 0 to 255, shape (height, C), and that of its paper.

    Args:
        every: how many columns apart those are that are returned.
    """
    rows = np.frombuffer(picture.pixels, dtype=np.uint8).reshape(picture.height, picture.stride)
    green = rows[:, 1 : 4 * picture.width : 4 * every]
    return green, int(np.median(green[0]))


def find_blank_top(picture: PagePicture) -> float:
    """Return the share of a page above its first printed row, 0 to 1; 0.0 above `MOST_BLANK`."""
    printed = _find_printed_rows(picture, math.ceil(MOST_BLANK * picture.height) + 1)
    share = float(printed[0]) / picture.height if len(printed) else 1.0
    return share if share <= MOST_BLANK else 0.0


def find_blank_foot(picture: PagePicture) -> float:
    """Return the share of a page below its last printed row, 0 to 1; 0.0 for a blank page."""
    printed = _find_printed_rows(picture, picture.height)
    return 1.0 - float(printed[-1] + 1) / picture.height if len(printed) else 0.0


def _find_printed_rows(picture: PagePicture, most: int) -> np.ndarray:
    """Return which of the first `most` rows are printed, shape (R,).

    The paper has the colour of most pixels of the first row, so that dark pages and pages with a
    picture at the top are right, too.
    """
    # some columns are enough, and faster
    green, paper = _read_green(picture, max(1, picture.width // SAMPLED))
    green = green[:most]
    n_ink = (np.abs(green.astype(np.int16) - paper) > NO_INK).sum(axis=1)
    return np.flatnonzero(n_ink >= max(1.0, LEAST_INK * green.shape[1]))


def find_ink_columns(picture: PagePicture) -> np.ndarray:
    """Return whether there is ink in each of `SAMPLED` columns of a page, bool, shape (C,)."""
    green, paper = _read_green(picture)
    n_ink = (np.abs(green.astype(np.int16) - paper) > NO_INK).sum(axis=0)
    n_columns = min(SAMPLED, picture.width)
    starts = np.arange(n_columns) * picture.width // n_columns
    return np.maximum.reduceat(n_ink, starts) >= LEAST_MARK


EVERY = 2  # rows and columns of a page in which ink is looked for
RULE, RULE_GAP = 2.0, 20.0  # points: a rule of the page is thin, and far from what is printed


def find_ink_sides(picture: PagePicture, box: Box) -> Box | None:
    """Return the sides of what is printed in a box, 0 to 1 of the page; None if nothing is.

    A rule at the top or foot that is far from the rest is none of it: it is one of the page.

    Args:
        picture: of the whole page.
    """
    green, paper = _read_green(picture)
    # whole pixels inside the box: the edges of letters beside it reach over their boxes
    left, top = math.ceil(box[0] * picture.width), math.ceil(box[1] * picture.height)
    right, bottom = math.floor(box[2] * picture.width), math.floor(box[3] * picture.height)
    part = green[max(0, top) : bottom : EVERY, max(0, left) : right : EVERY].astype(np.int16)
    if not part.size:
        return None
    ink = np.abs(part - paper) > NO_INK
    down = np.flatnonzero(ink.any(axis=1))
    if not len(down):
        return None
    down = _leave_out_rules(down, picture.scale / EVERY)
    across = np.flatnonzero(ink[down[0] : down[-1] + 1].any(axis=0))
    left, top = max(0, left), max(0, top)
    more = EVERY - 1  # between two that are looked at
    return (
        max(box[0], (left + EVERY * float(across[0]) - more) / picture.width),
        max(box[1], (top + EVERY * float(down[0]) - more) / picture.height),
        min(box[2], (left + EVERY * float(across[-1]) + 1 + more) / picture.width),
        min(box[3], (top + EVERY * float(down[-1]) + 1 + more) / picture.height),
    )


def _leave_out_rules(down: np.ndarray, scale: float) -> np.ndarray:
    """Return the rows with ink without a rule before or after all others.

    Args:
        down: ascending rows, shape (R,), R > 0; `scale` is their number per point.
    """
    gaps = np.flatnonzero(np.diff(down) > RULE_GAP * scale)
    thin = max(1.0, RULE * scale)
    if len(gaps) and down[gaps[0]] - down[0] < thin:
        down = down[gaps[0] + 1 :]
        gaps = np.flatnonzero(np.diff(down) > RULE_GAP * scale)
    if len(gaps) and down[-1] - down[gaps[-1] + 1] < thin:
        down = down[: gaps[-1] + 1]
    return down
