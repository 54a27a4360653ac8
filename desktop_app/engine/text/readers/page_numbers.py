"""Finds the page numbers that are printed on the pages of a PDF without page labels.

A quotation is cited by the number on the page, which is not the place of the page in the file: an
article of a journal begins on page 253. A number counts if it stands at the start or the end of one
of the outer lines of a page, and if the pages around it have the numbers before and after it there:
years, figures and section numbers do not grow by one with each page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

OUTER_LINES = 2  # at the top and at the bottom of a page: a running head may have two
AROUND = 2  # pages on each side that are compared
LEAST_AROUND = 2  # of these have to continue the count
LEAST_PAGES, LEAST_SHARE = 4, 0.5  # of the pages with text that have a number: else it is chance
_AT_AN_END = re.compile(r"^\W*(\d{1,5})(?!\w)|(?<!\w)(\d{1,5})\W*$")


def find_printed_labels(texts: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Return the labels of pages, those that are printed where the file has none.

    A page without a number has that of its place between two pages that are counted alike. Pages
    before the count and between two counts get the number of the page in the file in brackets, as
    bibliographies write what is not printed. Numbers that are those of the file need no label.

    Args:
        texts: of the pages as they are read, with running heads and feet.
        labels: of the file; if any says more than the place in the file, all are returned.
    """
    if any(label and label != str(index + 1) for index, label in enumerate(labels)):
        return list(labels)
    shifts = _find_shifts([_list_numbers(text) for text in texts])
    counted = [shift for shift in shifts if shift is not None]
    n_with_text = sum(bool(text.strip()) for text in texts)
    if len(counted) < max(LEAST_PAGES, LEAST_SHARE * n_with_text) or set(counted) == {1}:
        return list(labels)
    return [
        f"[{index + 1}]" if shift is None else str(index + shift)
        for index, shift in enumerate(_fill_gaps(shifts))
    ]


def _list_numbers(text: str) -> set[int]:
    """Return the numbers at the ends of the outer lines of a page."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    outer = lines if len(lines) <= 2 * OUTER_LINES else lines[:OUTER_LINES] + lines[-OUTER_LINES:]
    return {int(first or last) for line in outer for first, last in _AT_AN_END.findall(line)}


def _find_shifts(numbers: Sequence[set[int]]) -> list[int | None]:
    """Return for each page what its number is above its place, counted from 0; None if unknown."""
    own = [{number - index for number in found} for index, found in enumerate(numbers)]
    shifts: list[int | None] = []
    for index, found in enumerate(own):
        around = own[max(0, index - AROUND) : index] + own[index + 1 : index + 1 + AROUND]
        counts = Counter(shift for other in around for shift in other & found)
        best = max(counts.items(), key=lambda one: (one[1], one[0]), default=(0, 0))
        shifts.append(best[0] if best[1] >= LEAST_AROUND else None)
    return shifts


def _fill_gaps(shifts: Sequence[int | None]) -> list[int | None]:
    """Return the shifts with each gap filled that has the same one on both sides, or one side only.

    What comes before the first number may be a cover, and is filled only as far as numbers from 1
    on reach.
    """
    before = _carry(shifts)
    behind = _carry(shifts[::-1])[::-1]
    filled = list(shifts)
    for index, (one, other) in enumerate(zip(before, behind, strict=True)):
        sides = {one, other} - {None}
        if shifts[index] is None and len(sides) == 1:
            [shift] = sides
            filled[index] = shift if shift is not None and index + shift >= 1 else None
    return filled


def _carry(shifts: Sequence[int | None]) -> list[int | None]:
    """Return for each page the last known shift up to it."""
    carried: list[int | None] = []
    last = None
    for shift in shifts:
        last = last if shift is None else shift
        carried.append(last)
    return carried
