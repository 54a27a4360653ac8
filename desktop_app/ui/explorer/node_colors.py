"""The colours of nodes in the window: the lines of the legend and the words of each colour.

The colour numbers come from `engine/graph/view/graph_data.py`; `palette.py` maps them to the
colours of the theme.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from desktop_app.engine.graph.view import graph_data as node_colors
from desktop_app.engine.graph.view.graph_data import GraphData
from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.ui.language import later, tr, trn
from desktop_app.ui.widgets.words import format_type, join_words

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
    for one in node_colors.set_colors(data, mode):
        if len(one.values) > 1:
            words = trn("{n} more", "{n} more", len(one.values))
        else:
            words = _describe_value(data, mode, one.values[0], titles)
        lines.append(LegendLine(one.code, words, one.count))
    return lines


def list_types(data: GraphData) -> list[tuple[int, str, int]]:
    """Return (code, words, count) of the types in a view, the most frequent first."""
    counts = np.bincount(data.type_codes, minlength=len(ENTITY_TYPES))
    found = [(code, _name_type(code), int(n)) for code, n in enumerate(counts) if n]
    return sorted(found, key=lambda line: -line[2])


def list_groups(data: GraphData) -> list[tuple[int, str, int]]:
    """Return (number, words, count) of the biggest communities, those of one name left out."""
    return [
        (group, _name_group(data, group), count) for group, count in node_colors.count_groups(data)
    ]


def _describe_value(data: GraphData, mode: str, value: int, titles: Mapping[int, str]) -> str:
    if mode == "document":
        if value < 0:
            return tr("No document")
        return titles[value] if value in titles else tr("Document {n}", n=value)
    if mode == "group":
        return tr("By themselves") if value < 0 else _name_group(data, value)
    return _name_type(value)


def _name_type(code: int) -> str:
    return format_type(ENTITY_TYPES[code], capital=True)


def _name_group(data: GraphData, group: int) -> str:
    """Return the title of a community, or the names of its biggest nodes."""
    if title := data.group_titles.get(group):
        return title
    rows = [row for row in data.by_size[:2000] if data.groups[row] == group][:2]
    return join_words([data.entities[row].name for row in rows]) or tr("Community")
