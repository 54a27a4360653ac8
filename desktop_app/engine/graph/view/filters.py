"""Filters of a view: which nodes and relations are hidden.

Plain data, and how it is applied to a `GraphData`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from .graph_data import GraphData

EVERYTHING = (0.0, float("inf"))


@dataclass(frozen=True)
class Filters:
    """What to hide; the defaults hide nothing.

    Attributes:
        hidden_types: codes of types.
        hidden_kinds: kinds of relations.
        hidden_colors: codes of colours (of documents or communities).
        hidden_groups: communities by number.
        documents: only names of these; empty for all.
        weights, connections: from and to, both included.
        name: only entities whose name contains this, ignoring case.
        orphans: also nodes without a shown relation.
    """

    hidden_types: frozenset[int] = frozenset()
    hidden_kinds: frozenset[str] = frozenset()
    hidden_colors: frozenset[int] = frozenset()
    hidden_groups: frozenset[int] = frozenset()
    confirmed_only: bool = False
    documents: frozenset[int] = frozenset()
    weights: tuple[float, float] = EVERYTHING
    connections: tuple[float, float] = EVERYTHING
    name: str = ""
    orphans: bool = True

    @property
    def n_set(self) -> int:
        """How many filters are set."""
        return sum(getattr(self, f.name) != f.default for f in fields(self))

    def cleared(self) -> Filters:
        return Filters()

    def to_dict(self) -> dict[str, Any]:
        """Return the filters that are set, as JSON values."""
        plain: dict[str, Any] = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if value == one.default:
                continue
            if isinstance(value, frozenset):
                value = sorted(value)
            elif isinstance(value, tuple):
                value = [None if v == float("inf") else v for v in value]
            plain[one.name] = value
        return plain


def filters_from_dict(plain: dict[str, Any]) -> Filters:
    """Return filters from the result of `to_dict`; invalid values are ignored."""
    made = Filters()
    for one in fields(Filters):
        value = plain.get(one.name)
        if value is None:
            continue
        try:
            if isinstance(one.default, frozenset):
                value = frozenset(value)
            elif isinstance(one.default, tuple):
                low, high = value
                value = (float(low), float("inf") if high is None else float(high))
            made = replace(made, **{one.name: type(getattr(made, one.name))(value)})
        except (TypeError, ValueError):
            continue
    return made


def apply_filters(data: GraphData, filters: Filters) -> None:
    """Set `data.shown` and `data.wanted`.

    While relations are hidden, nodes without a shown relation are hidden as well.
    """
    names = np.ones(len(data), dtype=bool)
    if filters.hidden_types:
        names &= ~np.isin(data.type_codes, list(filters.hidden_types))
    if filters.hidden_colors:
        names &= ~np.isin(data.color_codes, list(filters.hidden_colors))
    if filters.hidden_groups:
        names &= ~np.isin(data.groups, list(filters.hidden_groups))
    if filters.documents:
        names &= np.array([bool(filters.documents & set(h)) for h in data.homes], dtype=bool)
    if filters.name:
        wanted = filters.name.casefold()
        names &= np.array([wanted in e.name.casefold() for e in data.entities], dtype=bool)
    low, high = filters.connections
    if filters.connections != EVERYTHING:
        names &= (data.n_connections >= low) & (data.n_connections <= high)
    ties = np.ones(len(data.pairs), dtype=bool)
    if filters.hidden_kinds:
        codes = [code for code, kind in enumerate(data.kinds) if kind in filters.hidden_kinds]
        ties &= ~np.isin(data.kind_codes, codes)
    if filters.confirmed_only:
        ties &= data.confirmed
    low, high = filters.weights
    if filters.weights != EVERYTHING:
        ties &= (data.weights >= low) & (data.weights <= high)
    data.wanted = ties
    data.shown = names
    if not ties.all() or not filters.orphans:
        tied = np.zeros(len(data), dtype=bool)
        tied[data.pairs[ties & names[data.pairs].all(1)]] = True
        data.shown = names & tied
