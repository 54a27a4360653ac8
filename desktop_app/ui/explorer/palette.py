"""The colours the canvas paints with, taken from the theme's tokens once a theme.

Owns which token is for what. Knows no graph.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor

from desktop_app.engine.types import ENTITY_TYPES
from desktop_app.ui.theme.tokens import TYPE_LETTERS, Tokens

RELATION_ALPHA = (0.18, 0.26, 0.35, 0.45)
RELATION_WIDTH = (1.0, 1.2, 1.7, 2.4)
TOUCHED_ALPHA = (0.45, 0.55, 0.7, 0.85)
FADED = 0.15
# Twelve steps for documents and communities, each with a letter beside its colour (Tol's and
# Okabe-Ito's hues, tuned so that each stands 3:1 on its ground).
STEPS_LIGHT = (
    "#0077BB", "#CC5500", "#117733", "#AA3377", "#8A6D00", "#332288",
    "#00848A", "#B3382C", "#5B7A1E", "#7A4FA3", "#96592B", "#4D6A8A",
)  # fmt: skip
STEPS_DARK = (
    "#66B2E8", "#F09A5B", "#6CC28A", "#E08FBC", "#D9BC4A", "#A79BEA",
    "#58C4C4", "#F08A80", "#B2CC6A", "#C7A2E8", "#D3A57C", "#A3BDD6",
)  # fmt: skip


@dataclass(frozen=True)
class Palette:
    """Colours of one theme, ready for pens and brushes; `kinds` by the name of a type colour.

    `discs` are the colours of types, then twelve steps, then that of all the rest; `letters`
    stand in big discs, so that colour is never alone.
    """

    background: QColor
    ring: QColor
    text: QColor
    relation: QColor
    accent: QColor
    discs: tuple[QColor, ...]
    letters: tuple[str, ...]
    kinds: dict[str, QColor]


def build_palette(tokens: Tokens) -> Palette:
    """Return the canvas colours of a theme."""
    steps = STEPS_DARK if tokens.name == "dark" else STEPS_LIGHT
    types = [tokens.types[name] for name in ENTITY_TYPES]
    return Palette(
        background=QColor(tokens.bg),
        ring=QColor(tokens.surface),
        text=QColor(tokens.text),
        relation=QColor(tokens.text2),
        accent=QColor(tokens.accent),
        discs=tuple(QColor(color) for color in (*types, *steps, tokens.types["concept"])),
        letters=(*(TYPE_LETTERS[name] for name in ENTITY_TYPES), *"ABCDEFGHIJKL", ""),
        kinds={name: QColor(color) for name, color in tokens.types.items()},
    )


def with_alpha(color: QColor, alpha: float) -> QColor:
    """Return the colour at `alpha` 0 to 1."""
    shade = QColor(color)
    shade.setAlphaF(max(0.0, min(1.0, alpha)))
    return shade
