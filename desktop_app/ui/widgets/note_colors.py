"""The colours of highlights: their words, and the colours of the theme that they are drawn in."""

from __future__ import annotations

from PySide6.QtGui import QColor

from ..theme.design_tokens import Tokens
from ..translation import later

COLOR_WORDS = {
    "yellow": later("Yellow"),
    "green": later("Green"),
    "blue": later("Blue"),
    "pink": later("Pink"),
}


def note_ink(tokens: Tokens, color: str) -> QColor:
    """Return the full colour of a highlight, for swatches and marks; yellow if it is unknown."""
    return QColor(tokens.note_inks.get(color, tokens.note_inks["yellow"]))


def note_fill(tokens: Tokens, color: str) -> QColor:
    """Return the ground of highlighted text; yellow if the colour is unknown."""
    return QColor(tokens.note_fills.get(color, tokens.note_fills["yellow"]))
