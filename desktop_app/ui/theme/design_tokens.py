"""Colour tokens of the four looks (light, dark, each in high contrast) and measures of the grid.

High contrast has text at 7:1 or more on every background; lines, marks and focus rings at 3:1.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from desktop_app.engine.highlight_colors import HIGHLIGHT_COLORS, Shades


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
    hit: str  # ground of a match of a search
    hit_ink: str  # its full colour: the edge of the current match, marks on the scroll bar
    selection: str
    ok: str
    warn: str
    bad: str
    types: dict[str, str]
    highlight_inks: dict[str, str]  # by key of `HIGHLIGHT_COLORS`: swatches and marks
    highlight_fills: dict[str, str]  # the ground of a highlight


_THEMES = tomllib.loads((Path(__file__).parent / "themes.toml").read_text("utf-8"))


def _build_tokens(look: str, choose: Callable[[Shades], str]) -> Tokens:
    """Return the colours of a table of the file, with the shades of highlights for that look."""
    return Tokens(
        **_THEMES[look],
        highlight_inks={color.key: choose(color.inks) for color in HIGHLIGHT_COLORS},
        highlight_fills={color.key: choose(color.fills) for color in HIGHLIGHT_COLORS},
    )


LIGHT = _build_tokens("light", lambda shades: shades.light)
DARK = _build_tokens("dark", lambda shades: shades.dark)
HIGH_LIGHT = _build_tokens("high_light", lambda shades: shades.high_light)
HIGH_DARK = _build_tokens("high_dark", lambda shades: shades.high_dark)
LOOKS = {(t.dark, t.high): t for t in (LIGHT, DARK, HIGH_LIGHT, HIGH_DARK)}


def invert_tokens(tokens: Tokens) -> Tokens:
    """Return the colours of what is chosen in high contrast.

    The ground is the accent, and what stands on it has the colours of the opposite look.
    """
    ground, opposite = tokens.accent, LOOKS[not tokens.dark, True]
    return replace(
        opposite,
        name=f"{tokens.name}-chosen",
        bg=ground,
        surface=ground,
        sunken=ground,
        accent_soft=ground,
        on_accent=ground,
        accent=tokens.on_accent,
        line=opposite.text2,
        mark=tokens.mark,  # with `Theme.mark_ink` on it
    )


CHOSEN = {tokens.name: invert_tokens(tokens) for tokens in (HIGH_LIGHT, HIGH_DARK)}

ROW = 32
ROW_COMPACT = 28
SMALL_PX, TEXT_PX, TITLE_PX = 12, 13, 17
ANSWER_PX = 15  # questions and passages
LEAD_PX, BODY_PX = 20, 16  # a short answer or the first paragraph of a longer one, and the rest
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


class Shape(NamedTuple):
    """A shape around a middle: a circle without corners, a polygon, a star, or a cross.

    `turn` is the direction of the first corner in degrees. Between corners, the outline goes
    back to `waist` of the radius. With `arm` degrees, a corner has two points so far apart.
    """

    corners: int
    turn: float = -90.0
    waist: float = 1.0
    arm: float = 0.0


# Of types in high contrast, in the graph and in lists.
TYPE_SHAPES: dict[str, Shape] = {
    "person": Shape(0),
    "place": Shape(4, 45.0),
    "organisation": Shape(4),
    "event": Shape(3),
    "object": Shape(6, 0.0),
    "concept": Shape(3, 90.0),
    "other": Shape(5),
}
# Of the communities and documents that have a colour, and then of all others; none occurs twice.
STEP_SHAPES: tuple[Shape, ...] = (
    *TYPE_SHAPES.values(),
    Shape(4, -90.0, 0.52, 44.0),
    Shape(5, -90.0, 0.56),
    Shape(4, 45.0, 0.52, 44.0),
    Shape(4, -90.0, 0.5),
    Shape(3, -90.0, 0.5, 50.0),
    Shape(3, 0.0),
)
# Of the circle through the corners, so that a shape is about as big as a disc.
REACH = {3: 1.22, 4: 1.14, 5: 1.1, 6: 1.08}
REACH_OF_STARS = 1.3
MOST_BEYOND = 1.8  # pixels over the radius, which the marks of lists have room for
# ... of a node or a line of a legend: a digit has room in the triangle, not over its edges.
MOST_BEYOND_SIGNED = 5.0
REACH_SIGNED = 1.5  # of triangles, stars and crosses with a sign


def list_corners(
    shape: Shape, radius: float, *, is_signed: bool = False
) -> list[tuple[float, float]]:
    """Return the corners of a shape around (0, 0); none for a circle.

    Args:
        is_signed: a sign stands in it, for which narrow shapes are larger.
    """
    n, turn, waist, arm = shape
    if not n:
        return []
    reach, beyond = REACH[n] if waist == 1.0 else REACH_OF_STARS, MOST_BEYOND
    if is_signed and (n == 3 or waist < 1.0):
        reach, beyond = REACH_SIGNED, MOST_BEYOND_SIGNED
    outer = min(radius * reach, radius + beyond)
    points = []
    for k in range(n):
        at = turn + 360.0 * k / n
        points += [(at - arm / 2, outer), (at + arm / 2, outer)] if arm else [(at, outer)]
        if waist < 1.0:
            points.append((at + 180.0 / n, outer * waist))
    angles = [(math.radians(angle), reach) for angle, reach in points]
    return [(math.cos(angle) * reach, math.sin(angle) * reach) for angle, reach in angles]


# Of communities and documents by their number. The first twelve are used most, and the only ones
# in high contrast. The others have a CIEDE2000 distance of at least 14 to these, to grey and to
# each other, more than the first twelve among themselves, and 3:1 to the ground.
STEPS_LIGHT = (
    "#0077BB", "#CC5500", "#117733", "#AA3377", "#8A6D00", "#332288",
    "#00848A", "#B3382C", "#5B7A1E", "#7A4FA3", "#96592B", "#4D6A8A",
    "#DC5AC8", "#28A078", "#BE7882", "#8C78F0", "#F05A50", "#B48264",
    "#003C28", "#642800", "#64145A", "#3C320A", "#003C64", "#5A1E28",
)  # fmt: skip
STEPS_DARK = (
    "#66B2E8", "#F09A5B", "#6CC28A", "#E08FBC", "#D9BC4A", "#A79BEA",
    "#58C4C4", "#F08A80", "#B2CC6A", "#C7A2E8", "#D3A57C", "#A3BDD6",
    "#D21E64", "#1E7882", "#9650B4", "#BE4628", "#1E6EC8", "#3CA028",
    "#AA6E6E", "#00825A", "#5A7800", "#968C50", "#966400", "#C88C00",
)  # fmt: skip

# Of drawn covers, in both themes, with the ink of titles and that of rules and bands on them.
CLOTHS = (
    "#2C4463", "#74303A", "#2F5443", "#553A5E", "#1F5359", "#634531",
    "#3F5568", "#54552F", "#84462B", "#403C70", "#642F4C", "#3E5A3A",
)  # fmt: skip
CLOTH_INK, CLOTH_RULE = "#F7F0E1", "#D8C08C"


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


N_HIGH_STEPS = 12


def step_colors(tokens: Tokens) -> tuple[str, ...]:
    """Return the colours of a theme as #RRGGBB: twelve in high contrast, with shapes, else 24."""
    steps = STEPS_DARK if tokens.dark else STEPS_LIGHT
    return steps[:N_HIGH_STEPS] if tokens.high else steps


def pick_step_color(tokens: Tokens, number: int) -> str:
    """Return the colour of a number from 1; the colours come again after the last one."""
    steps = step_colors(tokens)
    return steps[(number - 1) % len(steps)]


def is_step_hollow(tokens: Tokens, number: int) -> bool:
    """Return whether a number has its colour as an outline.

    In high contrast these are the second twelve, which tells 13 from 1, and again from 25 on every
    other twelve. In the other looks each has a colour of its own.
    """
    return tokens.high and (number - 1) // N_HIGH_STEPS % 2 == 1


def pick_step_shape(number: int) -> Shape:
    """Return the shape of a number from 1, for high contrast."""
    return STEP_SHAPES[(number - 1) % (len(STEP_SHAPES) - 1)]


def rest_shape() -> Shape:
    """Return the shape of what has no number, for high contrast."""
    return STEP_SHAPES[-1]
