"""Draws the tags of a highlight as chips in one line, and says which one is at a point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from ..theme.theme import Theme
from ..translation import tr
from .labels import paint_box
from .words import format_number

AROUND, BETWEEN = 7, 6  # pixels beside the words of a chip, and between two chips
SIGN, SIGN_GAP = 14, 6  # pixels: the icon before the chips, and between the two
MOST_SHARE = 0.5  # of the line, for one chip where they don't all fit


class PlacedTag(NamedTuple):
    """A chip: its words, where it is, and its tag, "" for the number of those without room."""

    words: str
    rect: QRect
    tag: str


def measure_chips(theme: Theme) -> int:
    """Return the height of a line of chips in pixels."""
    return QFontMetrics(theme.font("small")).lineSpacing() + 4


def measure_tags(theme: Theme, tags: Sequence[str]) -> int:
    """Return the width of a line in which the chips of all tags fit, 0 without tags."""
    if not tags:
        return 0
    advance = QFontMetrics(theme.font("small")).horizontalAdvance
    chips = sum(advance(tag) + 2 * AROUND + BETWEEN for tag in tags)
    return theme.length(SIGN) + SIGN_GAP + chips


def place_tags(theme: Theme, tags: Sequence[str], line: QRect) -> list[PlacedTag]:
    """Return the chips of tags in a line, the last one for those that have no room.

    Args:
        line: as high as `measure_chips` says.
    """
    metrics = QFontMetrics(theme.font("small"))
    left = line.left() + theme.length(SIGN) + SIGN_GAP
    is_tight = measure_tags(theme, tags) > line.width()
    most = max(40, int(line.width() * MOST_SHARE)) if is_tight else line.width()
    placed: list[PlacedTag] = []
    for number, tag in enumerate(tags):
        rest = len(tags) - number - 1
        words = metrics.elidedText(tag, Qt.TextElideMode.ElideRight, most)
        width = metrics.horizontalAdvance(words) + 2 * AROUND
        more = tr("+{n}", n=format_number(rest + 1))
        behind = metrics.horizontalAdvance(more) + 2 * AROUND + BETWEEN if rest else 0
        if placed and left + width + behind > line.right():
            width = metrics.horizontalAdvance(more) + 2 * AROUND
            placed.append(PlacedTag(more, QRect(left, line.top(), width, line.height()), ""))
            break
        placed.append(PlacedTag(words, QRect(left, line.top(), width, line.height()), tag))
        left += width + BETWEEN
    return placed


def paint_tags(painter: QPainter, theme: Theme, tags: Sequence[str], line: QRect) -> None:
    """Draw the sign of tags, and their chips."""
    side = theme.length(SIGN)
    sign = QRect(line.left(), line.top() + (line.height() - side) // 2, side, side)
    theme.icon("ph.tag", color="text2").paint(painter, sign)
    painter.setFont(theme.font("small"))
    for chip in place_tags(theme, tags, line):
        edge = theme.color("line") if theme.is_high else None
        paint_box(painter, QRectF(chip.rect), theme.color("text2", 0.13), edge)
        painter.setPen(theme.color("text"))
        painter.drawText(chip.rect, int(Qt.AlignmentFlag.AlignCenter), chip.words)


def find_tag(theme: Theme, tags: Sequence[str], line: QRect, point: QPoint) -> str:
    """Return the tag at a point, "" if there is none."""
    chips = place_tags(theme, tags, line)
    return next((chip.tag for chip in chips if chip.rect.contains(point)), "")
