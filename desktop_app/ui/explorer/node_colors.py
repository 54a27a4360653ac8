"""The colours of the canvas from the theme, and the legend of the nodes' colours.

A node has the number of a colour (`engine/graph/view/graph_data.py`); `GraphPalette.discs` maps
numbers to colours of the theme.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QColor

from desktop_app.engine.graph.view import graph_data
from desktop_app.engine.graph.view.graph_data import GraphData
from desktop_app.engine.model import ENTITY_TYPES

from ..theme.design_tokens import (
    TYPE_SHAPES,
    Shape,
    Tokens,
    is_step_hollow,
    pick_ink,
    pick_step_color,
    pick_step_shape,
    rest_shape,
)
from ..translation import later, tr, trn
from ..widgets.words import format_type, join_words, sign_of_type

# Contrast of a line to the background, by strength. Lines are opaque: no opacity makes them
# fainter than this, and lines that cross do not add up to a dark spot.
RELATION_CONTRAST = (2.4, 2.8, 3.4, 4.2)
DARK_CONTRAST = (3.0, 3.4, 3.9, 4.6)  # pale lines on a dark ground look fainter
HIGH_CONTRAST = (3.4, 4.4, 5.8, 7.0)
HIGH_DARK_CONTRAST = (5.2, 6.2, 7.6, 9.0)
# ... by how many other lines are near, from a few to so many that single ones can't be followed
CROWDED_CONTRAST = ((1.9, 2.2, 2.7, 3.4), (1.5, 1.7, 2.1, 2.7))
DARK_CROWDED = ((3.0, 3.1, 3.4, 4.0), (1.5, 1.7, 2.1, 2.7))
HIGH_CROWDED = ((3.0, 3.7, 4.8, 6.0), (3.0, 3.0, 3.9, 5.0))
HIGH_DARK_CROWDED = ((4.6, 5.4, 6.6, 8.0), (4.5, 4.6, 5.6, 6.8))
RELATION_WIDTH = (1.1, 1.6, 2.4, 3.4)
# In small views around few names, where lines differ in their passages as much as `WIDE_RANGE`.
WIDE_RELATION = (1.1, 2.2, 4.0, 6.8)
WIDE_RANGE = 30.0  # most passages of a line by fewest; with a smaller one, widths are in between
LEAST_TOUCHED = 2.0  # of the lines of the selected node in high contrast
FADED = 0.15
FIRST_NUMBERS = tuple(range(1, graph_data.N_STEPS + 1))
SIGN_RADIUS = 9.0  # from which a node has a pictogram or number
STRONG_RADIUS = 12.0  # from which its name is bold where all nodes have signs


@dataclass(frozen=True)
class GraphPalette:
    """Colours of one theme for pens and brushes; `kinds` by the name of a type colour.

    `relation` is the colour of marks and of their text, `relations` those of lines by strength,
    `crowded` those of lines among many others, by crowding and strength, `touched` those of the
    lines of a selected node. `discs` are the colours of nodes by code; `signs` are drawn in big
    nodes in the colours `inks`, so that colour is never the only sign: pictograms for types,
    numbers for communities and documents, so that none means two things; in high contrast, nodes
    have `shapes` as well, also small ones. `hollow` nodes have their colour as an outline.
    """

    background: QColor
    ring: QColor
    text: QColor
    relation: QColor
    relations: tuple[QColor, ...]
    crowded: tuple[tuple[QColor, ...], ...]
    touched: tuple[QColor, ...]
    accent: QColor
    discs: tuple[QColor, ...]
    signs: tuple[str, ...]
    inks: tuple[QColor, ...]
    kinds: dict[str, QColor]
    shapes: tuple[Shape, ...] = ()
    hollow: tuple[bool, ...] = ()


def build_graph_palette(
    tokens: Tokens, step_numbers: Sequence[int] = FIRST_NUMBERS
) -> GraphPalette:
    """Return the canvas colours of a theme.

    Args:
        step_numbers: of the document or community that has each of the step colours.
    """
    types = [tokens.types[name] for name in ENTITY_TYPES]
    steps = [pick_step_color(tokens, number) for number in FIRST_NUMBERS]
    hollow_steps = (is_step_hollow(tokens, number) for number in FIRST_NUMBERS)
    hollow = (*(False for _ in types), *hollow_steps, False)
    ground = QColor(tokens.bg)
    wanted, crowded = {
        (False, False): (RELATION_CONTRAST, CROWDED_CONTRAST),
        (True, False): (DARK_CONTRAST, DARK_CROWDED),
        (False, True): (HIGH_CONTRAST, HIGH_CROWDED),
        (True, True): (HIGH_DARK_CONTRAST, HIGH_DARK_CROWDED),
    }[tokens.dark, tokens.high]
    discs = (*types, *steps, tokens.types["other"])  # grey, which no step is
    relations, *among_many = mix_all(tokens.bg, tokens.text2, (wanted, *crowded))
    # in high contrast the accent itself: a mixture looks pale beside the black of the others
    (touched,) = mix_all(tokens.bg, tokens.accent, (tuple(c + 0.6 for c in wanted),))
    if tokens.high:
        touched = (QColor(tokens.accent),) * len(wanted)
    return GraphPalette(
        background=ground,
        ring=QColor(tokens.surface),
        text=QColor(tokens.text),
        relation=QColor(tokens.text2),
        relations=relations,
        crowded=tuple(among_many),
        touched=touched,
        accent=QColor(tokens.accent),
        discs=tuple(QColor(color) for color in discs),
        signs=(
            *(sign_of_type(name) for name in ENTITY_TYPES),
            *(str(number) for number in step_numbers),
            "",
        ),
        inks=tuple(
            QColor(tokens.text if is_hollow else pick_ink(color))
            for color, is_hollow in zip(discs, hollow, strict=True)
        ),
        kinds={name: QColor(color) for name, color in tokens.types.items()},
        shapes=_list_shapes() if tokens.high else (),
        hollow=hollow,
    )


def _list_shapes() -> tuple[Shape, ...]:
    """Return the shape of each code: of types, then of communities, then of the rest."""
    steps = (pick_step_shape(number) for number in FIRST_NUMBERS)
    return (*(TYPE_SHAPES[name] for name in ENTITY_TYPES), *steps, rest_shape())


def with_alpha(color: QColor, alpha: float) -> QColor:
    """Return the colour at `alpha` 0 to 1."""
    shade = QColor(color)
    shade.setAlphaF(max(0.0, min(1.0, alpha)))
    return shade


def blend_over(background: QColor, color: QColor) -> QColor:
    """Return the opaque colour that a transparent one gives on a background."""
    share = color.alphaF()
    pairs = (
        (background.red(), color.red()),
        (background.green(), color.green()),
        (background.blue(), color.blue()),
    )
    return QColor(*(round(below + (above - below) * share) for below, above in pairs))


def measure_contrast(one: QColor, other: QColor) -> float:
    """Return the contrast of two opaque colours, 1 to 21 (WCAG 2)."""

    def find_luminance(color: QColor) -> float:
        parts = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in (color.redF(), color.greenF(), color.blueF())
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    dark, light = sorted((find_luminance(one), find_luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mix_for_contrast(background: QColor, color: QColor, wanted: float) -> QColor:
    """Return the mixture of both that has the `wanted` contrast; `color` if none has it."""
    low, high = 0.0, 1.0
    for _ in range(10):
        middle = (low + high) / 2
        shade = blend_over(background, with_alpha(color, middle))
        enough = measure_contrast(shade, background) >= wanted
        low, high = (low, middle) if enough else (middle, high)
    return blend_over(background, with_alpha(color, high))


@functools.cache
def mix_all(
    background: str, color: str, wanted: tuple[tuple[float, ...], ...]
) -> tuple[tuple[QColor, ...], ...]:
    """Return `mix_for_contrast` of each of the wanted contrasts.

    Kept, because each mark beside a name asks for the palette whenever it is painted. There are
    as many results as themes.
    """
    return tuple(
        tuple(mix_for_contrast(QColor(background), QColor(color), c) for c in level)
        for level in wanted
    )


COLOR_MODES = {"type": later("Type"), "group": later("Community"), "document": later("Document")}
SIZE_MODES = {
    "connections": later("Connections"),
    "mentions": later("Mentions"),
    "rank": later("Centrality"),
}


@dataclass(frozen=True)
class LegendLine:
    """One colour of the legend: its code, its words, and how many nodes have it.

    `number` and `n_all` are those of `graph_data.ColorClass`.
    """

    code: int
    words: str
    count: int
    number: int = 0
    n_all: int = 0


def describe_size(mode: str, data: GraphData) -> str:
    """Return what the sizes of nodes stand for in a view."""
    if mode == "connections" and data.is_excerpt:
        return tr("Connections shown")
    return tr(SIZE_MODES[mode])


def set_colors(data: GraphData, mode: str, titles: Mapping[int, str]) -> list[LegendLine]:
    """Set the colours of the nodes and return the lines of the legend.

    Args:
        titles: of documents by id.
    """
    lines = []
    for one in graph_data.set_color_codes(data, mode):
        if len(one.values) > 1 or (one.code == graph_data.REST and one.values[0] >= 0):
            words = trn("{n} more", "{n} more", len(one.values))
        else:
            words = _describe_value(data, mode, one.values[0], titles)
        lines.append(LegendLine(one.code, words, one.count, one.number, one.n_all))
    return lines


def list_types(data: GraphData) -> list[tuple[int, str, int]]:
    """Return (code, words, count) of the types in a view, the most frequent first."""
    counts = np.bincount(data.type_codes, minlength=len(ENTITY_TYPES))
    found = [
        (code, format_type(ENTITY_TYPES[code], capital=True), int(n))
        for code, n in enumerate(counts)
        if n
    ]
    return sorted(found, key=lambda line: -line[2])


def list_groups(data: GraphData) -> list[tuple[int, str, int]]:
    """Return (number, words, count) of the biggest communities, those of one name left out."""
    return [
        (group, name_group(data, group), count) for group, count in graph_data.count_groups(data)
    ]


def _describe_value(data: GraphData, mode: str, value: int, titles: Mapping[int, str]) -> str:
    if mode == "document":
        if value < 0:
            return tr("No document")
        return titles[value] if value in titles else tr("Document {n}", n=value)
    if mode == "group":
        return name_group(data, value)
    return format_type(ENTITY_TYPES[value], capital=True)


def name_group(data: GraphData, group: int, n_names: int = 2) -> str:
    """Return the title of a community, or the names of its biggest nodes."""
    if group < 0:
        return tr("Without a community")
    if title := data.community_titles.get(group):
        return title
    rows = data.by_size[data.communities[data.by_size] == group][:n_names]
    return join_words([data.entities[row].name for row in rows]) or tr("Community")


TITLE_PARTS = re.compile(r"(?<=\S)(?:: |, |; |[：，、；])")


def fit_title(title: str, measure: Callable[[str], float], room: float) -> str | None:
    """Return the title, or as many parts before a colon as fit; None if the first is too long.

    Titles of communities list names and words: "Scrooge, Ghost, Spirit: clerk, partner".
    """
    if measure(title) <= room:
        return title
    parts = list(TITLE_PARTS.finditer(title))
    last = next((k for k, part in enumerate(parts) if part[0] in (": ", "：")), len(parts))
    ends = [part.start() for part in parts[: last + 1]]
    return next((title[:end] for end in reversed(ends) if measure(title[:end]) <= room), None)
