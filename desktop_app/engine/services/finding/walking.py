"""Ranks short titled texts (encyclopedia articles, notes) by walking from name to name.

A few surest passages and the question's names seed a personalised walk over names and chunks.
"""

from __future__ import annotations

import numpy as np

from .search import Search

N_SEED_CHUNKS = 2  # more would crowd out what the walk finds
RESTART = 0.3
NAME_SHARE = 0.3


def rank_titled(search: Search, fused: dict[int, float]) -> dict[int, float]:
    """Return chunk id -> score (0..1) of the titled chunks that the walk or a route reached.

    Args:
        fused: chunk id -> 0..1, what words and meaning found together.
    """
    index, trace = search.index, search.trace
    seeds = sorted(fused, key=lambda c: (-fused[c], c))[:N_SEED_CHUNKS]
    mass = index.walk.rank(
        {index.position[c]: fused[c] ** 2 for c in seeds if c in index.position},
        _name_seeds(search),
        restart=RESTART,
        name_share=NAME_SHARE,
    )
    may = search.allowed & index.titled
    top_mass = mass[may].max(initial=0.0) or 1.0
    scores: dict[int, float] = {}
    for position in np.flatnonzero(may & (mass > 0.0)):
        chunk_id = int(index.chunk_ids[position])
        scores[chunk_id] = float(mass[position] / top_mass)
        trace.found(chunk_id, "walk", mass[position])
    for chunk_id, value in fused.items():
        position = index.position.get(chunk_id)
        if position is not None and may[position]:
            # What the walk did not reach comes after what it did, in the order of search.
            scores.setdefault(chunk_id, 0.001 * value)
    trace.lap("walk")
    return scores


def _name_seeds(search: Search) -> dict[int, float]:
    """Return name node -> weight: rare names first, a name of several things shared out."""
    index = search.index
    seeds: dict[int, float] = {}
    for _, _, found in search.linked:
        for value in found:
            node = index.node_of_entity.get(value)
            if node is not None:
                rarity = 1.0 / np.log2(2.0 + len(index.chunks_of_entity[value]))
                seeds[node] = max(seeds.get(node, 0.0), rarity / len(found))
    return seeds
