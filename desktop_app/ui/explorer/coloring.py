"""What colour and size of a disc stand for: type, document or community; ties, mentions, rank.

Owns the codes, the words of the legend and how big a disc is. Knows no painting.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.ui.language import later, tr, trn
from desktop_app.ui.widgets.words import format_type, join_words

from .graph_data import MAX_RADIUS, MIN_RADIUS, GraphData

COLOR_MODES = {"type": later("Type"), "group": later("Community"), "document": later("Document")}
SIZE_MODES = {
    "connections": later("Connections"),
    "mentions": later("Mentions"),
    "rank": later("Centrality"),
}
N_STEPS = 12
REST = len(ENTITY_TYPES) + N_STEPS  # the colour of everything beyond the steps
DAMPING, ROUNDS = 0.85, 40


@dataclass(frozen=True)
class LegendLine:
    """One colour of the legend: its code, what it stands for, how many have it."""

    code: int
    words: str
    count: int


def set_colors(data: GraphData, mode: str, titles: Mapping[int, str]) -> list[LegendLine]:
    """Colour the discs and return the lines of the legend, the commonest first.

    Args:
        titles: of documents by id.
    """
    if mode == "document":
        values = np.array([home[0] if home else -1 for home in data.homes], dtype=np.int64)
        words = {v: titles.get(v, tr("Document {n}", n=v)) for v in set(values.tolist())}
        return _step_colors(data, values, words | {-1: tr("No document")})
    if mode == "group":
        words = {int(g): _name_group(data, int(g)) for g in np.unique(data.groups)}
        return _step_colors(data, data.groups, words | {-1: tr("By themselves")})
    data.color_codes = data.type_codes
    counts = np.bincount(data.type_codes, minlength=len(ENTITY_TYPES))
    return [
        LegendLine(code, format_type(name, capital=True), int(counts[code]))
        for code, name in enumerate(ENTITY_TYPES)
    ]


def _step_colors(data: GraphData, values: np.ndarray, words: dict[int, str]) -> list[LegendLine]:
    found, counts = np.unique(values, return_counts=True)
    real = found >= 0
    order = np.lexsort((found, -counts, ~real))
    codes = np.full(len(data), REST, dtype=np.int64)
    lines, n_rest, words_rest = [], 0, []
    for place, which in enumerate(order):
        value, count = int(found[which]), int(counts[which])
        if place < N_STEPS and value >= 0:
            code = len(ENTITY_TYPES) + place
            codes[values == value] = code
            lines.append(LegendLine(code, words[value], count))
        else:
            n_rest += count
            words_rest.append(words[value])
    if n_rest:
        word = (
            words_rest[0] if len(words_rest) == 1 else trn("{n} more", "{n} more", len(words_rest))
        )
        lines.append(LegendLine(REST, word, n_rest))
    data.color_codes = codes
    return lines


def list_types(data: GraphData) -> list[tuple[int, str, int]]:
    """Return (code, words, count) of the types in a picture, the commonest first."""
    counts = np.bincount(data.type_codes, minlength=len(ENTITY_TYPES))
    found = [
        (code, format_type(name, capital=True), int(counts[code]))
        for code, name in enumerate(ENTITY_TYPES)
    ]
    return sorted((line for line in found if line[2]), key=lambda line: -line[2])


def list_groups(data: GraphData) -> list[tuple[int, str, int]]:
    """Return (number, words, count) of the biggest communities, those of one name left out."""
    found, counts = np.unique(data.groups, return_counts=True)
    order = [k for k in np.argsort(-counts, kind="stable") if found[k] >= 0 and counts[k] > 1]
    return [
        (int(found[k]), _name_group(data, int(found[k])), int(counts[k])) for k in order[:N_STEPS]
    ]


def _name_group(data: GraphData, group: int) -> str:
    """Call a community by its title, or by its biggest names."""
    if title := data.group_titles.get(group):
        return title
    rows = [row for row in data.by_size[:2000] if data.groups[row] == group][:2]
    return join_words([data.entities[row].name for row in rows]) or tr("Community")


def set_sizes(data: GraphData, mode: str) -> None:
    """Size the discs by what `mode` counts; the whole library's figures where there are any."""
    if mode == "mentions":
        values = np.array([max(e.n_mentions, 0) for e in data.entities], dtype=float)
    elif mode == "rank":
        values = page_rank(len(data), data.pairs, data.weights) * max(len(data), 1) * 8.0
    else:
        values = data.n_connections.copy()
        if values.max(initial=0.0) == 0:
            values = values + 2.0
    share = (values / max(float(values.max(initial=1.0)), 8.0)) ** 0.65
    data.radii = MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * share
    data.by_size = np.lexsort((np.arange(len(data)), -values))


def page_rank(n: int, pairs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return how central each name is in the picture (PageRank), shape (N,), summing to 1."""
    if not n:
        return np.zeros(0)
    ends = np.concatenate((pairs, pairs[:, ::-1])) if len(pairs) else np.zeros((0, 2), int)
    strength = np.tile(np.log1p(np.maximum(weights, 0.0)) + 1e-6, 2)
    out = np.bincount(ends[:, 0], strength, n) if len(ends) else np.zeros(n)
    share = strength / np.maximum(out[ends[:, 0]], 1e-12) if len(ends) else strength
    step = sparse.csr_array((share, (ends[:, 1], ends[:, 0])), shape=(n, n))
    rank = np.full(n, 1.0 / n)
    for _ in range(ROUNDS):
        lost = rank[out == 0].sum()
        rank = DAMPING * (step @ rank + lost / n) + (1 - DAMPING) / n
    return rank
