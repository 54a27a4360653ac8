"""Ranks short titled texts (encyclopedia articles, notes) by walking from name to name.

The surest passage or two and the question's names seed a personalised walk over names and chunks;
what it reaches is then compared with the question, and with what the seeds leave open of it.
"""

from __future__ import annotations

import numpy as np

from ...store import search as rows
from ...store.graph_view import fetch_mean_vector
from ..score_fusion import fuse_scores
from ..search_state import SearchState

WORD_SHARE = 0.4  # of words against meaning in choosing the seeds
N_SEED_CHUNKS = 2  # more would crowd out what the walk finds
SEED_GAP = 0.9  # a second seed must be nearly as sure as the first
N_NAMED_AMONG, NAMED_GAP = 4, 0.5  # where, and how sure at least, if the question names its title
MAX_SEEDS = 3
RESTART = 0.3
NAME_SHARE = 0.3
COMMON_WORD_SHARE = 0.03  # of a name that stands uncapitalised in a question with capitals
N_COMPARED = 60
MASS_POWER = 0.75
FIT_FLOOR = 1.0  # what the walk alone counts, beside 1.0 for the best fit to the question
N_MEAN_SAMPLE = 256
FAINT = 1e-4  # of the walk: less is not told


def rank_titled(search: SearchState, fused: dict[int, float]) -> dict[int, float]:
    """Return chunk id -> score (0..1) of the titled chunks that the walk or a route reached.

    Args:
        fused: chunk id -> 0..1, what words and meaning found together.
    """
    index, trace = search.index, search.trace
    may = search.allowed & index.titled
    if not may.any():
        return {}
    named, common = _name_seeds(search)
    fused_here = fuse_scores(search.words, search.cosines, word_share=WORD_SHARE)
    seeds = _choose_seeds(search, fused_here, named)
    mass = index.walk.rank(seeds, common | named, restart=RESTART, name_share=NAME_SHARE)
    mass = np.where(may, mass, 0.0)
    mass /= mass.max(initial=0.0) or 1.0
    reached = np.flatnonzero(mass)
    more = reached[mass[reached] > FAINT]
    trace.found("walk", zip(index.chunk_ids[more].tolist(), mass[more].tolist(), strict=True))
    trace.lap("walk")
    top = reached[np.lexsort((reached, -mass[reached]))][:N_COMPARED]
    fit = _fit(search, top, list(seeds))
    if fit is None:
        fit = np.array([fused.get(int(index.chunk_ids[p]), 0.0) for p in top])
    values = mass[top] ** MASS_POWER * (FIT_FLOOR + fit)
    values = values / values.max(initial=0.0) if len(values) else values
    scores = dict(zip(index.chunk_ids[top].tolist(), values.tolist(), strict=True))
    _add_rest(search, scores, may, mass, fused)
    trace.lap("fit")
    return scores


def _choose_seeds(
    search: SearchState, fused: dict[int, float], named: dict[int, float]
) -> dict[int, float]:
    """Return row -> weight of the surest chunks: one, or two that are nearly as sure.

    Chunks whose title the question names count too: who compares two things means both.
    """
    index, position = search.index, search.index.position
    best = sorted((c for c in fused if c in position), key=lambda c: (-fused[c], c))
    sure = [c for c in best[:N_SEED_CHUNKS] if fused[c] >= SEED_GAP * fused[best[0]]]
    sure += [
        c
        for c in best[:N_NAMED_AMONG]
        if c not in sure
        and fused[c] >= NAMED_GAP * fused[best[0]]
        and int(index.title_node[position[c]]) in named
    ]
    return {position[c]: fused[c] ** 2 for c in sure[:MAX_SEEDS]}


def _name_seeds(search: SearchState) -> tuple[dict[int, float], dict[int, float]]:
    """Return name node -> weight of names, and of common words that happen to be names.

    Rare names weigh more, a name of several things is shared out. "state" in a question that
    capitalises its names hardly means the band of that name.
    """
    index, question = search.index, search.question
    has_capitals = any(word[:1].isupper() for word in question.split()[1:])
    named: dict[int, float] = {}
    common: dict[int, float] = {}
    for start, end, found in search.linked:
        is_common = has_capitals and question[start:end].islower()
        seeds, share = (common, COMMON_WORD_SHARE) if is_common else (named, 1.0)
        for value in found:
            node = index.node_of_entity.get(value)
            if node is not None:
                rarity = 1.0 / np.log2(2.0 + len(index.chunks_of_entity[value]))
                seeds[node] = max(seeds.get(node, 0.0), share * rarity / len(found))
    return named, common


def _fit(search: SearchState, top: np.ndarray, seeds: list[int]) -> np.ndarray | None:
    """Return 0..1 for each row of `top`: how well it fits the question, or what seeds leave open.

    Vectors are taken from their mean first: what all texts have in common tells nothing.
    None without vectors.
    """
    if search.query_vec is None or not len(top):
        return None
    index = search.index
    wanted = np.unique(np.concatenate((top, np.array(seeds, dtype=np.int64))))
    spans, vectors = rows.fetch_window_vectors(search.db, index.chunk_ids[wanted].tolist())
    if not spans:
        return None
    mean = fetch_mean_vector(search.db, N_MEAN_SAMPLE)
    vectors = _unit(vectors - mean)
    of_window = np.array([index.position[span[1]] for span in spans])
    asked = _unit(search.query_vec - mean)
    left = asked.copy()
    for seed in seeds:
        own = vectors[of_window == seed]
        if len(own):
            best = own[np.argmax(own @ left)]
            left = left - max(0.0, float(left @ best)) * best
    whole = _best_of(vectors @ asked, of_window, top)
    return np.maximum(whole, _best_of(vectors @ _unit(left), of_window, top))


def _best_of(cosines: np.ndarray, of_window: np.ndarray, top: np.ndarray) -> np.ndarray:
    """Return the best window of each row of `top`, scaled to 0..1 among them."""
    best = np.full(int(max(of_window.max(), top.max())) + 1, -1.0)
    np.maximum.at(best, of_window, cosines)
    best = best[top]
    low, high = best.min(), best.max()
    return (best - low) / ((high - low) or 1.0)


def _unit(vectors: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(length == 0.0, 1.0, length)


def _add_rest(
    search: SearchState,
    scores: dict[int, float],
    may: np.ndarray,
    mass: np.ndarray,
    fused: dict[int, float],
) -> None:
    """Add what only search found, or the walk faintly, behind what was compared."""
    index = search.index
    least = min(scores.values(), default=0.001)
    faint = index.chunk_ids[np.flatnonzero(mass > FAINT)].tolist()
    for chunk_id in (*fused, *faint):
        position = index.position.get(chunk_id)
        if position is not None and may[position] and chunk_id not in scores:
            scores[chunk_id] = least * 0.5 * (fused.get(chunk_id, 0.0) + float(mass[position]))
