"""The colours the canvas paints with, taken from the theme's tokens once a theme.

Owns which token is for what. Knows no graph.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor

from desktop_app.engine.types import ENTITY_TYPES
from desktop_app.ui.theme.tokens import Tokens

RELATION_ALPHA = (0.18, 0.26, 0.35, 0.45)
RELATION_WIDTH = (1.0, 1.2, 1.7, 2.4)
TOUCHED_ALPHA = (0.45, 0.55, 0.7, 0.85)
FADED = 0.15


@dataclass(frozen=True)
class Palette:
    """Colours of one theme, ready for pens and brushes; `kinds` by the name of a type colour."""

    background: QColor
    ring: QColor
    text: QColor
    relation: QColor
    accent: QColor
    types: tuple[QColor, ...]
    kinds: dict[str, QColor]


def build_palette(tokens: Tokens) -> Palette:
    """Return the canvas colours of a theme."""
    return Palette(
        background=QColor(tokens.bg),
        ring=QColor(tokens.surface),
        text=QColor(tokens.text),
        relation=QColor(tokens.text2),
        accent=QColor(tokens.accent),
        types=tuple(QColor(tokens.types[name]) for name in ENTITY_TYPES),
        kinds={name: QColor(color) for name, color in tokens.types.items()},
    )


def with_alpha(color: QColor, alpha: float) -> QColor:
    """Return the colour at `alpha` 0 to 1."""
    shade = QColor(color)
    shade.setAlphaF(max(0.0, min(1.0, alpha)))
    return shade
