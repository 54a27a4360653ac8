"""The colours of highlights: their words, what they are drawn in, and the button for one."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop_app.engine.highlight_colors import HIGHLIGHT_COLORS, get_color

from ..theme.design_tokens import LIGHT, Tokens
from ..theme.theme import Theme
from ..translation import tr
from .words import join_words

# Key of a colour -> its name for `tr`; the number of each, from 1, is its key on the keyboard.
COLOR_WORDS = {color.key: color.name.template for color in HIGHLIGHT_COLORS}


def describe_color_keys(keys: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return keys and texts for `KeyDescriptions`, with `{colors}` as "1 Yellow, 2 Green, …"."""
    colors = join_words([f"{n} {tr(words)}" for n, words in enumerate(COLOR_WORDS.values(), 1)])
    return [
        (key, tr(words, colors=colors) if "{colors}" in words else words) for key, words in keys
    ]


def highlight_ink(tokens: Tokens, color: str) -> QColor:
    """Return the full colour of a highlight, for swatches and marks."""
    return QColor(tokens.highlight_inks[get_color(color).key])


def highlight_fill(tokens: Tokens, color: str) -> QColor:
    """Return the ground of highlighted text."""
    return QColor(tokens.highlight_fills[get_color(color).key])


def highlight_color(
    theme: Theme, color: str, *, strong: bool = False, paper: Tokens | None = None
) -> QColor:
    """Return the background colour of a highlight, or its full colour if `strong`.

    Args:
        paper: colours of the page, where they differ from the theme's.
    """
    tokens = paper or theme.tokens
    return highlight_ink(tokens, color) if strong else highlight_fill(tokens, color)


def find_line_colors(tokens: Tokens, color: str) -> tuple[QColor, QColor | None]:
    """Return the full colour of a highlight for a thin shape, and that of an outline around it.

    On white, no yellow has a contrast of 3:1; what has it is brown. In high contrast the colour is
    that of the usual look, and the outline, which other looks don't need, gives the contrast.
    """
    if tokens.high and not tokens.dark:
        return highlight_ink(LIGHT, color), QColor(tokens.text)
    return highlight_ink(tokens, color), None


def paint_color(
    painter: QPainter, tokens: Tokens, color: str, area: QRectF, radius: float = 0.0
) -> None:
    """Fill a small area with the full colour of a highlight, with an outline where it needs one."""
    ink, edge = find_line_colors(tokens, color)
    half = 0.5 if edge is not None else 0.0
    painter.setPen(Qt.PenStyle.NoPen if edge is None else QPen(edge, 1))
    painter.setBrush(ink)
    painter.drawRoundedRect(area.adjusted(half, half, -half, -half), radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_swatch(
    painter: QPainter, theme: Theme, color: str, area: QRectF, ring_width: float = 0.0
) -> None:
    """Paint the disc of a highlight colour, with a ring around it if that has a width.

    In high contrast it has an outline.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ink, _ = find_line_colors(theme.tokens, color)
    painter.setPen(QPen(theme.color("text"), 1.5) if theme.is_high else Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    painter.drawEllipse(area.adjusted(1, 1, -1, -1) if theme.is_high else area)
    if ring_width:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("text"), ring_width))
        around = 2 * ring_width
        painter.drawEllipse(area.adjusted(-around, -around, around, around))


def color_icon(theme: Theme, color: str, *, chosen: bool = False) -> QIcon:
    """Return the disc of a highlight colour for a menu, with a ring if it is the one in use."""
    picture = QPixmap(32, 32)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    paint_swatch(painter, theme, color, QRectF(6, 6, 20, 20), 2 if chosen else 0)
    painter.end()
    return QIcon(picture)


class Swatch(QAbstractButton):
    """A button for one highlight colour, with a ring around the chosen one."""

    def __init__(self, theme: Theme, color: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.color = theme, color
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFixedSize(QSize(28, 28))
        self.setToolTip(tr(COLOR_WORDS[color]))
        self.setAccessibleName(tr(COLOR_WORDS[color]))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(5, 5, -5, -5)
        paint_swatch(painter, self._theme, self.color, area)
        if self.isChecked() or self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self._theme.color("accent" if self.hasFocus() else "text"))
            painter.drawEllipse(area.adjusted(-3, -3, 3, 3))
        painter.end()
