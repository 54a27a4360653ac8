"""The colours of highlights: their words, what they are drawn in, and the button for one."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop_app.engine.highlight_colors import HIGHLIGHT_COLORS, get_color

from ..theme.design_tokens import Tokens
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


def note_ink(tokens: Tokens, color: str) -> QColor:
    """Return the full colour of a highlight, for swatches and marks."""
    return QColor(tokens.note_inks[get_color(color).key])


def note_fill(tokens: Tokens, color: str) -> QColor:
    """Return the ground of highlighted text."""
    return QColor(tokens.note_fills[get_color(color).key])


def note_color(
    theme: Theme, color: str, *, strong: bool = False, paper: Tokens | None = None
) -> QColor:
    """Return the background colour of a highlight, or its full colour if `strong`.

    Args:
        paper: colours of the page, where they differ from the theme's.
    """
    tokens = paper or theme.tokens
    return note_ink(tokens, color) if strong else note_fill(tokens, color)


def paint_swatch(
    painter: QPainter, theme: Theme, color: str, area: QRectF, ring_width: float = 0.0
) -> None:
    """Paint the disc of a highlight colour, with a ring around it if that has a width.

    In high contrast the disc has the ground of a highlight: the full colour is so dark there that
    it does not resemble the highlight.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    strong = note_color(theme, color, strong=True)
    painter.setPen(QPen(strong, 2) if theme.is_high else Qt.PenStyle.NoPen)
    painter.setBrush(note_color(theme, color) if theme.is_high else strong)
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
