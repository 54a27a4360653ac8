"""The walk: personalized PageRank over short titled texts (encyclopedia articles, notes).

The best one to three passages and the names in the question are the seeds. The chunks that the
walk reaches are compared with the question, and with the part of it that the seeds do not answer.
The graph and the weight of a title in it, `TITLE_WEIGHT`, are in `retrieval/index.py`.
"""

from __future__ import annotations

import numpy as np

from ...store import search as search_rows
from ..search_state import SearchState, fuse_scores

WORD_SHARE = 0.4  # of BM25 against vectors in choosing the seeds
N_SEED_CHUNKS = 2  # more would outweigh what the walk finds
MIN_SECOND_SEED_SHARE = 0.9  # least score of a second seed, relative to the first
# Ranks and least score, if the question names the title.
N_NAMED_SEED_RANKS, MIN_NAMED_SEED_SHARE = 4, 0.5
MAX_SEEDS = 3
RESTART = 0.3
NAME_SHARE = 0.3
# In the steps from a name to its passages, each weighs e^(GATE · s), where s is how many standard
# deviations of all windows its best one is nearer to the question than the farthest passage.
GATE = 0.25
COMMON_WORD_SHARE = 0.03  # of a lower-case name in a question with capitalised names
N_COMPARED = 60
MASS_EXPONENT = 0.75
# Of words and vectors beside the walk where no title occurs in the texts, as with file names and
# numbers: nothing leads the walk to the text that a name stands for (decision 98).
SEARCH_WEIGHT = 0.25
WALK_WEIGHT = 1.0  # weight of the walk alone; the best similarity adds 1.0
MIN_REPORTED_MASS = 1e-4  # smaller masses are not reported in the trace


def rank_titled(search: SearchState, fused: dict[int, float]) -> dict[int, float]:
    """Return chunk id -> score (0..1) of titled chunks that the walk or search found.

    Args:
        fused: chunk id -> fused score of BM25 and vectors, 0..1.
    """
    index, trace = search.index, search.trace
    candidates = search.allowed & index.titled
    if not candidates.any():
        return {}
    named, common = _choose_seed_names(search)
    seed_scores = fuse_scores(search.words, search.cosines, word_share=WORD_SHARE)
    seeds = _choose_seed_chunks(search, seed_scores, named)
    mass = index.pagerank_graph.rank(
        seeds, common | named, restart=RESTART, name_share=NAME_SHARE, gates=_build_gates(search)
    )
    mass = np.where(candidates, mass, 0.0)
    mass /= mass.max(initial=0.0) or 1.0
    reached = np.flatnonzero(mass)
    reported = reached[mass[reached] > MIN_REPORTED_MASS]
    trace.found(
        "walk", zip(index.chunk_ids[reported].tolist(), mass[reported].tolist(), strict=True)
    )
    trace.lap("walk")
    top = reached[np.lexsort((reached, -mass[reached]))][:N_COMPARED]
    similarity = _rate_similarity(search, top, list(seeds))
    if similarity is None:
        similarity = np.array([fused.get(int(index.chunk_ids[p]), 0.0) for p in top])
    trace.found("fit", zip(index.chunk_ids[top].tolist(), similarity.tolist(), strict=True))
    values = mass[top] ** MASS_EXPONENT * (WALK_WEIGHT + similarity)
    values = values / values.max(initial=0.0) if len(values) else values
    scores = dict(zip(index.chunk_ids[top].tolist(), values.tolist(), strict=True))
    # Chunks found by search only, or with little mass, follow with lower scores.
    least = min(scores.values(), default=0.001)
    for chunk_id in (*fused, *index.chunk_ids[reported].tolist()):
        row = index.position.get(chunk_id)
        if row is not None and candidates[row] and chunk_id not in scores:
            scores[chunk_id] = least * 0.5 * (fused.get(chunk_id, 0.0) + float(mass[row]))
    trace.lap("fit")
    mentioned_share = float(np.mean(index.title_mentioned[candidates]))
    if weigh_search(mentioned_share):
        trace.found("search", fused.items())
    return join_search(scores, fused, mentioned_share)


def _build_gates(search: SearchState) -> np.ndarray | None:
    """Return how much each chunk takes of what its names pass on, shape (n_chunks,), or None.

    None without vectors. A chunk without one takes least.
    """
    if search.query_vec is None:
        return None
    ids = search.index.chunk_ids
    sketch = search_rows.ensure_sketch(search.db)
    at = np.searchsorted(ids, sketch.chunk_ids)
    known = np.take(ids, at, mode="clip") == sketch.chunk_ids
    known[known] = search.allowed[at[known]]
    windows = np.flatnonzero(known)
    if not len(windows):
        return None
    near = sketch.rate(search.query_vec, windows)
    best = np.full(len(ids), near.min(), dtype=np.float32)
    np.maximum.at(best, at[windows], near)
    farthest = best[at[windows]].min()
    gates = np.exp(GATE * (np.maximum(best, farthest) - farthest) / (near.std() or 1.0))
    return np.asarray(gates, dtype=np.float32)


def weigh_search(mentioned_share: float) -> float:
    """Return the weight of search beside the walk.

    Args:
        mentioned_share: of the chunks whose title occurs in the texts. In encyclopedias it is 0.7
            and more; from a half on, search has no weight. With numbered files it is 0.
    """
    return SEARCH_WEIGHT * max(0.0, 1.0 - 2.0 * mentioned_share)


def join_search(
    scores: dict[int, float], fused: dict[int, float], mentioned_share: float
) -> dict[int, float]:
    """Return the scores of the walk joined with those of search, the best one 1.

    Args:
        mentioned_share: see `weigh_search`.
    """
    weight = weigh_search(mentioned_share)
    top = max(fused.values(), default=0.0) or 1.0
    joined = {c: score + weight * fused.get(c, 0.0) / top for c, score in scores.items()}
    best = max(joined.values(), default=0.0) or 1.0
    return {chunk_id: score / best for chunk_id, score in joined.items()}


def _choose_seed_chunks(
    search: SearchState, fused: dict[int, float], named: dict[int, float]
) -> dict[int, float]:
    """Return row -> weight of the seed chunks: the best one, and a second of nearly its score.

    Chunks whose title the question names are added: a comparison of two things needs both.
    """
    index, position = search.index, search.index.position
    best = sorted((c for c in fused if c in position), key=lambda c: (-fused[c], c))
    seeds_found = [
        c for c in best[:N_SEED_CHUNKS] if fused[c] >= MIN_SECOND_SEED_SHARE * fused[best[0]]
    ]
    seeds_found += [
        c
        for c in best[:N_NAMED_SEED_RANKS]
        if c not in seeds_found
        and fused[c] >= MIN_NAMED_SEED_SHARE * fused[best[0]]
        and int(index.title_node[position[c]]) in named
    ]
    return {position[c]: fused[c] ** 2 for c in seeds_found[:MAX_SEEDS]}


def _choose_seed_names(search: SearchState) -> tuple[dict[int, float], dict[int, float]]:
    """Return node -> weight of the names in the question, and of common words that are names too.

    Rare names have more weight; a name of several entities divides it among them. In a question
    with capitalised names, "state" is a common word rather than the band of that name.
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


def _rate_similarity(search: SearchState, top: np.ndarray, seeds: list[int]) -> np.ndarray | None:
    """Return the similarity (0..1) of each row of `top` to the question, or to its open part.

    The open part is the question vector without its projections on the seeds. The mean vector is
    subtracted first, because what all texts have in common does not discriminate. None without
    vectors.
    """
    if search.query_vec is None or not len(top):
        return None
    index = search.index
    wanted = np.unique(np.concatenate((top, np.array(seeds, dtype=np.int64))))
    spans, vectors = search_rows.fetch_window_vectors(search.db, index.chunk_ids[wanted].tolist())
    if not spans:
        return None
    mean = search.mean_vec
    vectors = _normalise(vectors - mean)
    row_of_window = np.array([index.position[span[1]] for span in spans])
    question_vec = _normalise(search.query_vec - mean)
    open_vec = question_vec.copy()
    for seed in seeds:
        own = vectors[row_of_window == seed]
        if len(own):
            best = own[np.argmax(own @ open_vec)]
            open_vec = open_vec - max(0.0, float(open_vec @ best)) * best
    to_question = _best_window_cosines(vectors @ question_vec, row_of_window, top)
    similarities: np.ndarray = np.maximum(
        to_question, _best_window_cosines(vectors @ _normalise(open_vec), row_of_window, top)
    )
    return similarities


def _best_window_cosines(
    cosines: np.ndarray, row_of_window: np.ndarray, top: np.ndarray
) -> np.ndarray:
    """Return the best window's cosine of each row of `top`, scaled to 0..1."""
    best = np.full(int(max(row_of_window.max(), top.max())) + 1, -1.0)
    np.maximum.at(best, row_of_window, cosines)
    best = best[top]
    low, high = best.min(), best.max()
    scaled: np.ndarray = (best - low) / ((high - low) or 1.0)
    return scaled


def _normalise(vectors: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    normalised: np.ndarray = vectors / np.where(length == 0.0, 1.0, length)
    return normalised
