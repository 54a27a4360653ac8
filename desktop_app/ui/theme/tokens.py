"""Colour tokens of the four looks (light, dark, each in high contrast) and measures of the grid.

High contrast has text at 7:1 or more on every background; lines, marks and focus rings at 3:1.
"""

from __future__ import annotations

from dataclasses import dataclass


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


LIGHT = Tokens(
    name="light",
    dark=False,
    high=False,
    bg="#FBFAF8",
    surface="#FFFFFF",
    sunken="#F2F0EC",
    line="#E4E1DB",
    text="#1D1C1A",
    text2="#6B6862",
    accent="#2F6F6A",
    accent_soft="#DDECEA",
    on_accent="#FFFFFF",
    mark="#FFE9A8",
    ok="#3E7D4F",
    warn="#A86A12",
    bad="#B3382C",
    types={
        "person": "#0072B2",
        "place": "#009E73",
        "organisation": "#CC79A7",
        "event": "#E69F00",
        "object": "#56B4E9",
        "concept": "#8C8C8C",
        "other": "#D55E00",
    },
)

DARK = Tokens(
    name="dark",
    dark=True,
    high=False,
    bg="#17181A",
    surface="#1F2023",
    sunken="#121315",
    line="#2E3034",
    text="#ECEAE6",
    text2="#9B9891",
    accent="#6FB8B1",
    accent_soft="#1F3B39",
    on_accent="#10201F",
    mark="#5A4A17",
    ok="#79B98A",
    warn="#E0A850",
    bad="#E5776B",
    types={
        "person": "#4BA3DB",
        "place": "#35C79B",
        "organisation": "#E0A0C4",
        "event": "#F0B840",
        "object": "#7CC8F2",
        "concept": "#A8A8A8",
        "other": "#F08545",
    },
)

HIGH_LIGHT = Tokens(
    name="high-light",
    dark=False,
    high=True,
    bg="#FFFFFF",
    surface="#FFFFFF",
    sunken="#F4F4F4",
    line="#6E6E6E",
    text="#000000",
    text2="#333333",
    accent="#00453F",
    accent_soft="#CDEDE9",
    on_accent="#FFFFFF",
    mark="#FFE27A",
    ok="#0B4A1B",
    warn="#5A3400",
    bad="#7D0E05",
    types={
        "person": "#00558A",
        "place": "#00694B",
        "organisation": "#A03A77",
        "event": "#8A5E00",
        "object": "#1A7BB5",
        "concept": "#5A5A5A",
        "other": "#A34400",
    },
)

HIGH_DARK = Tokens(
    name="high-dark",
    dark=True,
    high=True,
    bg="#000000",
    surface="#000000",
    sunken="#0D0D0D",
    line="#9C9C9C",
    text="#FFFFFF",
    text2="#DADADA",
    accent="#7FE3DA",
    accent_soft="#063330",
    on_accent="#000000",
    mark="#453800",
    ok="#8FE3A4",
    warn="#FFC76B",
    bad="#FFB5AB",
    types={
        "person": "#6FBFF0",
        "place": "#4FE0B5",
        "organisation": "#F2B5D8",
        "event": "#FFC95C",
        "object": "#9ADAFF",
        "concept": "#BDBDBD",
        "other": "#FF9B61",
    },
)

LOOKS = {(t.dark, t.high): t for t in (LIGHT, DARK, HIGH_LIGHT, HIGH_DARK)}

ROW = 32
ROW_COMPACT = 28
SMALL_PX, TEXT_PX, TITLE_PX = 12, 13, 17
TYPE_LETTERS = {
    "person": "P",
    "place": "L",
    "organisation": "G",
    "event": "E",
    "object": "O",
    "concept": "C",
    "other": "?",
}


STEPS_LIGHT = (
    "#0077BB", "#CC5500", "#117733", "#AA3377", "#8A6D00", "#332288",
    "#00848A", "#B3382C", "#5B7A1E", "#7A4FA3", "#96592B", "#4D6A8A",
)  # fmt: skip
STEPS_DARK = (
    "#66B2E8", "#F09A5B", "#6CC28A", "#E08FBC", "#D9BC4A", "#A79BEA",
    "#58C4C4", "#F08A80", "#B2CC6A", "#C7A2E8", "#D3A57C", "#A3BDD6",
)  # fmt: skip


def step_colors(tokens: Tokens) -> tuple[str, ...]:
    """Return the twelve colours of a theme as #RRGGBB."""
    return STEPS_DARK if tokens.dark else STEPS_LIGHT
