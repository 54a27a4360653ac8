"""Colour tokens of the four looks (light, dark, each in high contrast) and measures of the grid.

High contrast has text at 7:1 or more on every background; lines, marks and focus rings at 3:1.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Tokens:
    """One look's colours as #RRGGBB, named as in the design."""

    name: str
    dark: bool
    high: bool
    bg: str
    surface: str
    sunken: str
    line: str
    text: str
    text2: str
    accent: str
    accent_soft: str
    on_accent: str
    mark: str
    ok: str
    warn: str
    bad: str
    types: dict[str, str]


_THEMES = tomllib.loads((Path(__file__).parent / "themes.toml").read_text("utf-8"))
LIGHT, DARK = Tokens(**_THEMES["light"]), Tokens(**_THEMES["dark"])
HIGH_LIGHT, HIGH_DARK = Tokens(**_THEMES["high_light"]), Tokens(**_THEMES["high_dark"])
LOOKS = {(t.dark, t.high): t for t in (LIGHT, DARK, HIGH_LIGHT, HIGH_DARK)}

ROW = 32
ROW_COMPACT = 28
SMALL_PX, TEXT_PX, TITLE_PX = 12, 13, 17
# Underlines of names in high contrast, in widths of the line; none for a solid line.
TYPE_DASHES: dict[str, tuple[float, ...]] = {
    "person": (),
    "place": (5.0, 2.0),
    "organisation": (2.0, 1.5),
    "event": (7.0, 2.0, 1.0, 2.0),
    "object": (1.0, 1.5),
    "concept": (10.0, 3.0),
    "other": (1.0, 3.0),
}
# Shapes of nodes of the graph in high contrast: the number of corners and the turn in degrees.
TYPE_SHAPES: dict[str, tuple[int, float]] = {
    "person": (0, 0.0),
    "place": (4, 45.0),
    "organisation": (4, 0.0),
    "event": (3, -90.0),
    "object": (6, 0.0),
    "concept": (3, 90.0),
    "other": (5, -90.0),
}
STEPS_LIGHT = (
    "#0077BB", "#CC5500", "#117733", "#AA3377", "#8A6D00", "#332288",
    "#00848A", "#B3382C", "#5B7A1E", "#7A4FA3", "#96592B", "#4D6A8A",
)  # fmt: skip
STEPS_DARK = (
    "#66B2E8", "#F09A5B", "#6CC28A", "#E08FBC", "#D9BC4A", "#A79BEA",
    "#58C4C4", "#F08A80", "#B2CC6A", "#C7A2E8", "#D3A57C", "#A3BDD6",
)  # fmt: skip


def pick_ink(color: str) -> str:
    """Return black or white, whichever has the better contrast on a colour (#RRGGBB).

    Every letter on a disc has this colour, in the graph as in lists and legends.
    """
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "#FFFFFF"


def step_colors(tokens: Tokens) -> tuple[str, ...]:
    """Return the twelve colours of a theme as #RRGGBB."""
    return STEPS_DARK if tokens.dark else STEPS_LIGHT
