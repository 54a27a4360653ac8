"""What was read of a picture of a page: lines with their place, and the text that they make.

Plain data that the reader of pages makes, the store keeps and the window marks. Knows no picture,
no store and no network.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .writing_systems import WIDE, replace_lone_surrogates

MAX_LINES = 4_000  # of a page
MAX_LINE_CHARS = 2_000
MAX_REGIONS = 60  # of a page
# In a stored page whose regions were looked for; text of its lines has no quotation marks like it.
REGIONS_KEY = '"regions":['
# Confidence of a line that should be looked at. Of 177 lines drawn from a Chinese and an English
# novel, most of them degraded, 43 are below; all of these have a wrong character, and none of the
# clean ones is below. Below 0.85 there is one. Of a clean printed page about one line is below.
UNSURE_BELOW = 0.97
# Words, and runs of characters that are written without blanks: between them places are known.
_WORD = re.compile(rf"[{WIDE}\u3000-\u303f\uff00-\uff60]+|[^\s{WIDE}\u3000-\u303f\uff00-\uff60]+")
_INDENT = "  "  # marks the first line of a paragraph for the reader of documents

# place of a document in its file ("" for the file itself) -> page index -> text that was read
ScannedTexts = Mapping[str, Mapping[int, str]]
Corners = tuple[float, float, float, float, float, float, float, float]
PageBox = tuple[float, float, float, float]  # left, top, right, bottom; 0 to 1 of the page


@dataclass(frozen=True, slots=True)
class ScannedLine:
    """A line of a page, or a part of one, as it was read.

    Attributes:
        corners: x and y of the top left, top right, bottom right and bottom left corner of the line
            as it is read, as shares of the page (0 to 1 from its top left).
        confidence: 0 to 1; 1 for a line that the user corrected.
        words: begin and end of each of `split_words(text)`, in thousandths of the line; empty where
            they are not known.
        row: lines with the same number stand beside each other and make one line of text.
        block: counts the columns and parts of the page.
        before: the text that was read, of a line that the user corrected.
    """

    corners: Corners
    text: str
    confidence: float
    words: tuple[int, ...] = ()
    row: int = 0
    block: int = 0
    is_indented: bool = False
    is_vertical: bool = False
    before: str = ""

    @property
    def centre(self) -> tuple[float, float]:
        return sum(self.corners[0::2]) / 4, sum(self.corners[1::2]) / 4

    @property
    def is_unsure(self) -> bool:
        return self.confidence < UNSURE_BELOW


@dataclass(frozen=True, slots=True)
class PageRegion:
    """A part of a page with a drawing on it; `is_alone` if it is a figure without a caption."""

    box: PageBox
    is_alone: bool = False


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """A page that was read: its lines in the order in which they are read.

    Attributes:
        turn: degrees by which the page is turned, clockwise: 0, 90, 180 or 270.
        angle: further degrees by which its lines are inclined.
        is_certain: False if the lines could be read in another order as well.
        engine: what read it.
        picture: a digest of the picture, the same for the same page of another file; "" if unknown.
        regions: where something is drawn on it; None if that was not looked for.
        size: width and height in points, (0, 0) if unknown.
    """

    lines: tuple[ScannedLine, ...] = ()
    turn: int = 0
    angle: float = 0.0
    is_certain: bool = True
    engine: str = ""
    picture: str = ""
    regions: tuple[PageRegion, ...] | None = None
    size: tuple[float, float] = (0.0, 0.0)

    @property
    def confidence(self) -> float:
        """The mean confidence of the characters, 1 for a page without text."""
        n = sum(len(line.text) for line in self.lines)
        return sum(line.confidence * len(line.text) for line in self.lines) / n if n else 1.0


@dataclass(frozen=True, slots=True)
class LineCorrection:
    """The text that the user gave a line, which is found by a point inside it.

    Attributes:
        x, y: shares of the page.
        before: what was read when the user corrected it.
    """

    x: float
    y: float
    before: str
    text: str


def split_words(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of the words of a line, and of its runs of wide characters."""
    return [match.span() for match in _WORD.finditer(text)]


def measure_words(text: str, places: Sequence[float]) -> tuple[int, ...]:
    """Return begin and end of each word in thousandths of the line.

    Args:
        places: the middle of each character, as a share of the line.
    """
    if len(places) != len(text) or not text:
        return ()
    found: list[int] = []
    for start, end in split_words(text):
        half = _half_width(places, start, end)
        before = (
            (places[start - 1] + places[start]) / 2
            if start and not text[start - 1].isspace()
            else places[start] - half
        )
        after = (
            (places[end - 1] + places[end]) / 2
            if end < len(text) and not text[end].isspace()
            else places[end - 1] + half
        )
        found += [_thousandths(before), _thousandths(max(before, after))]
    return tuple(found)


def _half_width(places: Sequence[float], start: int, end: int) -> float:
    """Return half the width of the characters of a word."""
    if end - start > 1:
        return (places[end - 1] - places[start]) / (end - start - 1) / 2
    return 0.5 / len(places)


def _thousandths(share: float) -> int:
    return min(1000, max(0, round(1000 * share)))


def build_text(lines: Iterable[ScannedLine]) -> str:
    """Return the text of a page, one line for each row, as the reader of documents takes it."""
    return "".join(text for text, _, _ in _iter_parts(lines))


def place_lines(lines: Sequence[ScannedLine]) -> list[tuple[int, int]]:
    """Return (start, end) of each line in the text that `build_text` returns."""
    found = [(0, 0)] * len(lines)
    length = 0
    for text, number, lead in _iter_parts(lines):
        found[number] = (length + lead, length + len(text))
        length += len(text)
    return found


def _iter_parts(lines: Iterable[ScannedLine]) -> Iterable[tuple[str, int, int]]:
    """Yield (text with what comes before it, number of the line, length of what comes before)."""
    row = -1
    for number, line in enumerate(lines):
        lead = "" if number == 0 else " " if line.row == row else "\n"
        if line.row != row and line.is_indented:
            lead += _INDENT
        row = line.row
        yield lead + line.text, number, len(lead)


def correct_lines(page: ScannedPage, corrections: Iterable[LineCorrection]) -> ScannedPage:
    """Return a page with the texts that the user gave its lines.

    A correction belongs to the line around its point; after the page was read again, its boxes may
    have moved a little. A line that it makes empty is left out of the text, but stays.
    """
    lines = list(page.lines)
    for correction in corrections:
        at = _find_line(lines, correction)
        if at is not None:
            line = lines[at]
            is_same = correction.text == line.text
            lines[at] = replace(
                line,
                text=correction.text,
                before=line.before or line.text,
                confidence=1.0,
                words=line.words if is_same else (),
            )
    return replace(page, lines=tuple(lines))


def _find_line(lines: Sequence[ScannedLine], correction: LineCorrection) -> int | None:
    """Return the line around the point of a correction, of several the nearest one."""
    best, best_away = None, math.inf
    for number, line in enumerate(lines):
        xs, ys = line.corners[0::2], line.corners[1::2]
        if min(xs) <= correction.x <= max(xs) and min(ys) <= correction.y <= max(ys):
            x, y = line.centre
            away = math.hypot(x - correction.x, 4 * (y - correction.y))
            if away < best_away:
                best, best_away = number, away
    return best


# --- as it is stored ------------------------------------------------------------------------------


def pack_page(page: ScannedPage) -> str:
    """Return a page as JSON."""
    rows = [
        [
            *(round(value, 5) for value in line.corners),
            line.text,
            round(line.confidence, 3),
            list(line.words),
            line.row,
            line.block,
            int(line.is_indented),
            int(line.is_vertical),
        ]
        for line in page.lines
    ]
    data = {
        "lines": rows,
        "turn": page.turn,
        "angle": round(page.angle, 2),
        "is_certain": page.is_certain,
        "engine": page.engine,
        "picture": page.picture,
    }
    if page.regions is not None:
        data["regions"] = [
            [*(round(side, 5) for side in one.box), int(one.is_alone)] for one in page.regions
        ]
        data["size"] = [round(side, 2) for side in page.size]
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def unpack_page(stored: str) -> ScannedPage:
    """Return the page in a JSON text; an empty one if it is not one.

    It may come from a process that parsed foreign bytes, or from a library from elsewhere.
    """
    try:
        return check_scanned_page(json.loads(stored))
    except (ValueError, TypeError, LookupError, RecursionError):
        return ScannedPage()


def check_scanned_page(data: Mapping[str, Any]) -> ScannedPage:
    """Return the page in parsed JSON.

    Raises:
        ValueError, TypeError, LookupError: it is not one.
    """
    rows = data["lines"]
    if not isinstance(rows, list) or len(rows) > MAX_LINES:
        raise ValueError("too many lines")
    turn, angle = int(data["turn"]), float(data["angle"])
    if turn not in (0, 90, 180, 270) or not abs(angle) <= 90:
        raise ValueError("a turn that is none")
    return ScannedPage(
        tuple(map(_check_line, rows)),
        turn,
        angle,
        bool(data["is_certain"]),
        str(data["engine"])[:40],
        str(data.get("picture", ""))[:40],
        _check_regions(data["regions"]) if "regions" in data else None,
        _check_size(data.get("size", (0, 0))),
    )


def _check_regions(rows: Sequence[Any]) -> tuple[PageRegion, ...]:
    if not isinstance(rows, list) or len(rows) > MAX_REGIONS:
        raise ValueError("too many regions")
    regions = []
    for left, top, right, bottom, is_alone in rows:
        if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
            raise ValueError("a region that is none")
        box = float(left), float(top), float(right), float(bottom)
        regions.append(PageRegion(box, bool(is_alone)))
    return tuple(regions)


def _check_size(size: Sequence[Any]) -> tuple[float, float]:
    width, height = size
    if not all(0 <= side < math.inf for side in (width, height)):
        raise ValueError("a size that is none")
    return float(width), float(height)


def _check_line(row: Sequence[Any]) -> ScannedLine:
    *corners, text, confidence, words, number, block, is_indented, is_vertical = row
    if len(corners) != 8 or not all(
        isinstance(value, (int, float)) and -0.5 <= value <= 1.5 for value in corners
    ):
        raise ValueError("a box that is none")
    if not isinstance(text, str) or not 0 <= confidence <= 1:
        raise ValueError("a line that is none")
    text = tidy_line(text)
    places = tuple(int(word) for word in words)
    if len(places) != 2 * len(split_words(text)) or not all(0 <= p <= 1000 for p in places):
        places = ()
    a, b, c, d, e, f, g, h = map(float, corners)
    return ScannedLine(
        (a, b, c, d, e, f, g, h),
        text,
        float(confidence),
        places,
        int(number),
        int(block),
        bool(is_indented),
        bool(is_vertical),
    )


def tidy_line(text: str) -> str:
    """Return a text without line breaks and control characters, of limited length."""
    shown = "".join(c if c.isprintable() else " " for c in replace_lone_surrogates(text))
    return shown.strip()[:MAX_LINE_CHARS]
