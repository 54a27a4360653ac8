"""The colours of highlights: the one table of their names and of all their shades.

Whatever offers, draws, imports or exports highlights reads it, so a new colour is a new row here.
Its shades must differ from those of the others and of the types, which
`tests/ui/theme/test_theme.py` checks.
"""

from __future__ import annotations

from dataclasses import dataclass

from .messages import Message


@dataclass(frozen=True, slots=True)
class Shades:
    """A colour in each look of the window, as #RRGGBB."""

    light: str
    dark: str
    high_light: str
    high_dark: str


@dataclass(frozen=True, slots=True)
class HighlightColor:
    """A colour of highlights.

    Attributes:
        key: as libraries, files and commands have it, so it must not change.
        hue: 0 to 360; a highlight of another program gets the colour with the nearest hue.
        inks: full colours, for swatches and marks.
        fills: soft grounds of highlighted text, in the hues of markers.
        sepia_fill: the ground on sepia pages, as #RRGGBB.
        word_fill: the ground in Word documents, as #RRGGBB.
    """

    key: str
    name: Message
    hue: int
    inks: Shades
    fills: Shades
    sepia_fill: str
    word_fill: str


# In the order of their keys 1, 2, 3, …; the first one is used where none was chosen.
HIGHLIGHT_COLORS = (
    HighlightColor(
        "yellow",
        Message("Yellow"),
        hue=50,
        inks=Shades("#F2C200", "#F2D24B", "#7A5C00", "#FFE15C"),
        fills=Shades("#FFF07A", "#5B5C00", "#FFF07A", "#545600"),
        sepia_fill="#F7E676",
        word_fill="#FFF2B3",
    ),
    HighlightColor(
        "green",
        Message("Green"),
        hue=120,
        inks=Shades("#5BA83A", "#8CCB70", "#2B6300", "#9BE77A"),
        fills=Shades("#CDEFB4", "#2C5420", "#C3F0A0", "#00502F"),
        sepia_fill="#CBE0A6",
        word_fill="#D3F0D0",
    ),
    HighlightColor(
        "blue",
        Message("Blue"),
        hue=215,
        inks=Shades("#2F93DB", "#6BB8F0", "#004F8F", "#8CCBFF"),
        fills=Shades("#B5E2FF", "#12567B", "#B5E2FF", "#0F4A7A"),
        sepia_fill="#BFDDE6",
        word_fill="#D0E4FA",
    ),
    HighlightColor(
        "pink",
        Message("Pink"),
        hue=335,
        inks=Shades("#E0569A", "#F095BF", "#951F66", "#FFA8EC"),
        fills=Shades("#FFCBDB", "#702F4B", "#FFC4D6", "#7E1F50"),
        sepia_fill="#F2C2D8",
        word_fill="#FBD5E3",
    ),
)
DEFAULT_COLOR = HIGHLIGHT_COLORS[0].key
_BY_KEY = {color.key: color for color in HIGHLIGHT_COLORS}


def get_color(key: str) -> HighlightColor:
    """Return a colour by its key.

    A key that is in no row is that of a newer program which wrote the library; the highlight is
    shown in the first colour and keeps its key.
    """
    return _BY_KEY.get(key, HIGHLIGHT_COLORS[0])
