"""The colours of the canvas from the theme, and the legend of the nodes' colours.

A node has the number of a colour (`engine/graph/view/graph_data.py`); `GraphPalette.discs` maps
numbers to colours of the theme.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QColor

from desktop_app.engine.graph.view import graph_data
from desktop_app.engine.graph.view.graph_data import GraphData
from desktop_app.engine.model import ENTITY_TYPES

from ..theme.design_tokens import TYPE_LETTERS, Tokens, step_colors
from ..translation import later, tr, trn
from ..widgets.words import format_type, join_words

RELATION_ALPHA = (0.18, 0.26, 0.35, 0.45)
HIGH_ALPHA = (0.6, 0.7, 0.82, 0.95)
HIGH_LEAST = 0.6  # lowest factor for many lines in high contrast
RELATION_WIDTH = (1.0, 1.2, 1.7, 2.4)
TOUCHED_ALPHA = (0.45, 0.55, 0.7, 0.85)
FADED = 0.15


@dataclass(frozen=True)
class GraphPalette:
    """Colours of one theme for pens and brushes; `kinds` by the name of a type colour.

    `discs` are the colours of nodes by code; `letters` are drawn in big nodes, so that colour is
    never the only sign.
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


def mix(background: QColor, color: QColor) -> QColor:
    """Return the opaque colour that a transparent one gives on a background."""
    share = color.alphaF()
    pairs = (
        (background.red(), color.red()),
        (background.green(), color.green()),
        (background.blue(), color.blue()),
    )
    return QColor(*(round(below + (above - below) * share) for below, above in pairs))


COLOR_MODES = {"type": later("Type"), "group": later("Community"), "document": later("Document")}
SIZE_MODES = {
    "connections": later("Connections"),
    "mentions": later("Mentions"),
    "rank": later("Centrality"),
}


@dataclass(frozen=True)
class LegendLine:
    """One colour of the legend: its code, its words, and how many nodes have it."""

    code: int
    words: str
    count: int


def set_colors(data: GraphData, mode: str, titles: Mapping[int, str]) -> list[LegendLine]:
    """Set the colours of the nodes and return the lines of the legend.

    Args:
        titles: of documents by id.
    """
    lines = []
    for one in graph_data.set_colors(data, mode):
        if len(one.values) > 1:
            words = trn("{n} more", "{n} more", len(one.values))
        else:
            words = _describe_value(data, mode, one.values[0], titles)
        lines.append(LegendLine(one.code, words, one.count))
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
    if title := data.group_titles.get(group):
        return title
    rows = data.by_size[data.groups[data.by_size] == group][:n_names]
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
