"""The colours of the canvas, from the tokens of the theme. Knows no graph."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor

from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.ui.theme.tokens import TYPE_LETTERS, Tokens

from ..theme.tokens import step_colors

RELATION_ALPHA = (0.18, 0.26, 0.35, 0.45)
HIGH_ALPHA = (0.6, 0.7, 0.82, 0.95)
HIGH_LEAST = 0.6  # lowest factor for many lines in high contrast
RELATION_WIDTH = (1.0, 1.2, 1.7, 2.4)
TOUCHED_ALPHA = (0.45, 0.55, 0.7, 0.85)
FADED = 0.15


@dataclass(frozen=True)
class GraphPalette:
    """Colours of one theme for pens and brushes; `kinds` by the name of a type colour.

    `discs` are the node colours by the codes of `engine/graph/view/graph_data.py`; `letters`
    are drawn in big nodes, so that colour is never the only sign.
    """

    background: QColor
    ring: QColor
    text: QColor
    relation: QColor
    accent: QColor
    discs: tuple[QColor, ...]
    letters: tuple[str, ...]
    kinds: dict[str, QColor]
    relation_alpha: tuple[float, ...] = RELATION_ALPHA
    least_alpha: float = 0.0


def build_graph_palette(tokens: Tokens) -> GraphPalette:
    """Return the canvas colours of a theme."""
    types, steps = [tokens.types[name] for name in ENTITY_TYPES], step_colors(tokens)
    return GraphPalette(
        background=QColor(tokens.bg),
        ring=QColor(tokens.surface),
        text=QColor(tokens.text),
        relation=QColor(tokens.text2),
        accent=QColor(tokens.accent),
        discs=tuple(QColor(color) for color in (*types, *steps, tokens.types["concept"])),
        letters=(*(TYPE_LETTERS[name] for name in ENTITY_TYPES), *"ABCDEFGHIJKL", ""),
        kinds={name: QColor(color) for name, color in tokens.types.items()},
        relation_alpha=HIGH_ALPHA if tokens.high else RELATION_ALPHA,
        least_alpha=HIGH_LEAST if tokens.high else 0.0,
    )


def with_alpha(color: QColor, alpha: float) -> QColor:
    """Return the colour at `alpha` 0 to 1."""
    shade = QColor(color)
    shade.setAlphaF(max(0.0, min(1.0, alpha)))
    return shade
