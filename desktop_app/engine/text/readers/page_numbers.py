"""Finds the page numbers that are printed on the pages of a PDF without page labels.

A quotation is cited by the number on the page, which is not the place of the page in the file: an
article of a journal begins on page 253, a book with the pages i to xvi. A number counts if it
stands at the start or the end of one of the outer lines of a page, and if the pages around it have
the numbers before and after it there: years, figures and section numbers do not grow by one with
each page.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

OUTER_LINES = 2  # at the top and at the bottom of a page: a running head may have two
AROUND = 2  # pages on each side that are compared
LEAST_AROUND = 2  # of these have to continue the count
LEAST_PAGES, LEAST_SHARE = 4, 0.5  # of the pages with text that have a number: else it is chance
_AT_AN_END = re.compile(r"^\W*(\d{1,5})(?!\w)|(?<!\w)(\d{1,5})\W*$")
# At most 399: no front matter is longer, and "D" and "M" are initials more often than numbers.
_ROMAN = r"(?=[ivxlc])c{0,3}(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})"
_ROMAN_AT_AN_END = re.compile(
    rf"^\W*({_ROMAN}|{_ROMAN.upper()})(?!\w)|(?<!\w)({_ROMAN}|{_ROMAN.upper()})\W*$"
)
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_PARTS = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"),
          (1, "i"))  # fmt: skip


class _Count(NamedTuple):
    """How pages are counted: `shift` is what their number is above their place, counted from 0.

    `form` is "1", or for Roman numbers "i" or "I".
    """

    form: str
    shift: int

    def label(self, index: int) -> str:
        """Return the number of a page as it is printed, "" before the first one."""
        number = index + self.shift
        if number < 1:
            return ""
        if self.form == "1":
            return str(number)
        roman = _write_roman(number)
        return roman if self.form == "i" else roman.upper()


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
    counts = _find_counts([set(_iter_numbers(text)) for text in texts])
    counted = [count for count in counts if count is not None]
    n_with_text = sum(bool(text.strip()) for text in texts)
    is_rare = len(counted) < max(LEAST_PAGES, LEAST_SHARE * n_with_text)
    if is_rare or set(counted) == {_Count("1", 1)}:
        return list(labels)
    return [
        (count.label(index) if count is not None else "") or f"[{index + 1}]"
        for index, count in enumerate(_fill_gaps(counts))
    ]


def _iter_numbers(text: str) -> Iterator[tuple[str, int]]:
    """Yield form and value of the numbers at the ends of the outer lines of a page."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    outer = lines if len(lines) <= 2 * OUTER_LINES else lines[:OUTER_LINES] + lines[-OUTER_LINES:]
    for line in outer:
        for first, last in _AT_AN_END.findall(line):
            yield "1", int(first or last)
        # "ⅻ" is one letter of some Chinese books
        for first, last in _ROMAN_AT_AN_END.findall(unicodedata.normalize("NFKC", line)):
            roman = first or last
            yield "i" if roman.islower() else "I", _read_roman(roman.lower())


def _read_roman(roman: str) -> int:
    values = [_VALUES[letter] for letter in roman]
    return sum(
        -value if value < after else value
        for value, after in zip(values, [*values[1:], 0], strict=True)
    )


def _write_roman(number: int) -> str:
    written = ""
    for value, letters in _PARTS:
        n_times, number = divmod(number, value)
        written += n_times * letters
    return written


def _find_counts(numbers: Sequence[set[tuple[str, int]]]) -> list[_Count | None]:
    """Return for each page how it is counted, None if unknown.

    Where both count on, the page has the one in digits: poems and chapters may have Roman numbers,
    too, and one a page.
    """
    own = [
        {_Count(form, number - index) for form, number in found}
        for index, found in enumerate(numbers)
    ]
    counts: list[_Count | None] = []
    for index, found in enumerate(own):
        around = own[max(0, index - AROUND) : index] + own[index + 1 : index + 1 + AROUND]
        times = Counter(count for other in around for count in other & found)
        fitting = [count for count, n in times.items() if n >= LEAST_AROUND]
        counts.append(
            max(fitting, key=lambda one: (one.form == "1", times[one], one), default=None)
        )
    return counts


def _fill_gaps(counts: Sequence[_Count | None]) -> list[_Count | None]:
    """Return the counts with each gap filled that has the same one on both sides, or one side only.

    What comes before the first number may be a cover, and is filled only as far as numbers from 1
    on reach. So is a gap between Roman numbers and digits: where these would be below 1, the Roman
    ones go on.
    """
    before = _carry(counts)
    behind = _carry(counts[::-1])[::-1]
    filled = list(counts)
    for index, (one, other) in enumerate(zip(before, behind, strict=True)):
        if counts[index] is not None:
            continue
        if one is None or other is None or one == other:
            filled[index] = one or other
        elif one.form != "1" and other.form == "1" and one.shift != other.shift:
            filled[index] = other if other.label(index) else one
    return filled


def _carry(counts: Sequence[_Count | None]) -> list[_Count | None]:
    """Return for each page the last known count up to it."""
    carried: list[_Count | None] = []
    last = None
    for count in counts:
        last = last if count is None else count
        carried.append(last)
    return carried
