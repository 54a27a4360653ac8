"""Twelve colours for groups that have no order but their size: communities, documents.

Owns the colours (Tol's and Okabe-Ito's hues, tuned so that each stands 3:1 on its ground).
Wherever they are used a letter or words stand beside them: never colour alone.
"""

from __future__ import annotations

from .tokens import Tokens

STEPS_LIGHT = (
    "#0077BB", "#CC5500", "#117733", "#AA3377", "#8A6D00", "#332288",
    "#00848A", "#B3382C", "#5B7A1E", "#7A4FA3", "#96592B", "#4D6A8A",
)  # fmt: skip
STEPS_DARK = (
    "#66B2E8", "#F09A5B", "#6CC28A", "#E08FBC", "#D9BC4A", "#A79BEA",
    "#58C4C4", "#F08A80", "#B2CC6A", "#C7A2E8", "#D3A57C", "#A3BDD6",
)  # fmt: skip
N_STEPS = len(STEPS_LIGHT)


def step_colors(tokens: Tokens) -> tuple[str, ...]:
    """Return the twelve colours of a theme as #RRGGBB."""
    return STEPS_DARK if tokens.dark else STEPS_LIGHT
