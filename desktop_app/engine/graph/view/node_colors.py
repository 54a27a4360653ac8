"""Which colour a node has: by its type, its first document or its community.

Colours are numbers here (`GraphData.color_codes`): the types in the order of `ENTITY_TYPES`,
then `N_STEPS` colours for the most frequent documents or communities, then `REST`. The window
maps them to the colours of its theme and names them in the legend.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...model import ENTITY_TYPES
from .graph_data import GraphData

COLOR_MODES = ("type", "group", "document")
N_STEPS = 12
REST = len(ENTITY_TYPES) + N_STEPS  # the colour of everything beyond the steps


@dataclass(frozen=True, slots=True)
class ColorClass:
    """The nodes of one colour.

    Attributes:
        code: the number of the colour.
        values: what has the colour: codes of types, ids of documents or numbers of communities;
            -1 for nodes without a document or community. Several values only for `REST`.
        count: how many nodes have the colour.
    """

    code: int
    values: tuple[int, ...]
    count: int


def set_colors(data: GraphData, mode: str) -> list[ColorClass]:
    """Set `data.color_codes` and return the colours.

    All types are returned, in the order of `ENTITY_TYPES`; documents and communities come most
    frequent first.
    """
    if mode == "document":
        first = np.array([home[0] if home else -1 for home in data.homes], dtype=np.int64)
        return _set_step_colors(data, first)
    if mode == "group":
        return _set_step_colors(data, data.groups)
    data.color_codes = data.type_codes
    counts = np.bincount(data.type_codes, minlength=len(ENTITY_TYPES))
    return [ColorClass(code, (code,), int(counts[code])) for code in range(len(ENTITY_TYPES))]


def _set_step_colors(data: GraphData, values: np.ndarray) -> list[ColorClass]:
    found, counts = np.unique(values, return_counts=True)
    order = np.lexsort((found, -counts, found < 0))
    codes = np.full(len(data), REST, dtype=np.int64)
    classes: list[ColorClass] = []
    n_rest, rest = 0, []
    for step, position in enumerate(order):
        value, count = int(found[position]), int(counts[position])
        if step < N_STEPS and value >= 0:
            code = len(ENTITY_TYPES) + step
            codes[values == value] = code
            classes.append(ColorClass(code, (value,), count))
        else:
            n_rest += count
            rest.append(value)
    if n_rest:
        classes.append(ColorClass(REST, tuple(rest), n_rest))
    data.color_codes = codes
    return classes


def count_groups(data: GraphData) -> list[tuple[int, int]]:
    """Return (number, count) of the biggest communities that have more than one node."""
    found, counts = np.unique(data.groups, return_counts=True)
    order = [k for k in np.argsort(-counts, kind="stable") if found[k] >= 0 and counts[k] > 1]
    return [(int(found[k]), int(counts[k])) for k in order[:N_STEPS]]
