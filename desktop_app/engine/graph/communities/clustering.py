"""Finds a hierarchy of communities: Leiden on the whole graph, then inside each that is too big.

Each community is split by itself with the same seed, so that a change in one leaves the others
as they are; and a partition of before stays as long as the best one found is hardly better.
`Cluster.rows` are rows of the arrays given, which is all this file knows of entities.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

MAX_CLUSTER_SIZE = 10  # GraphRAG's
SEED = 7
MOST_LEVELS = 12
# Of the best modularity found; with less, the partition of before is given up.
KEEPS, KEEPS_INSIDE = 0.95, 0.9  # on the first level, and inside a community
LEAST_SIZE = 3
_HARDER = (1.0, 1.5, 2.2)  # resolutions tried on what won't be split


@dataclass(frozen=True, slots=True)
class CommunityCluster:
    """A community: `rows` ascending; `parent` is its place in the list, -1 on the first level.

    `is_loose` marks the one that gathers what is tied to nothing.
    """

    level: int
    parent: int
    rows: np.ndarray
    is_loose: bool = False


def find_hierarchy(
    n: int,
    pairs: np.ndarray,
    weights: np.ndarray,
    *,
    max_size: int = MAX_CLUSTER_SIZE,
    seed: int = SEED,
    before: Sequence[np.ndarray] = (),
) -> list[CommunityCluster]:
    """Return communities level by level, parents before children; each row is in one a level.

    A level holds the parts of those communities above it that were too big; what was small
    enough is not repeated.

    Args:
        n: how many entities there are.
        pairs: rows tied to each other, int, shape (M, 2).
        weights: how strongly, shape (M,).
        before: for each level, what community each row was in, -1 for none, shape (n,).
    """
    pairs = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    keep = pairs[:, 0] != pairs[:, 1]
    pairs, weights = pairs[keep], np.maximum(np.asarray(weights, dtype=float)[keep], 1e-6)
    # In one order, whatever order the ties were read in, so that a seed gives one result.
    low, high = np.minimum(pairs[:, 0], pairs[:, 1]), np.maximum(pairs[:, 0], pairs[:, 1])
    keys, place = np.unique(low * max(1, n) + high, return_inverse=True)
    pairs = np.column_stack((keys // max(1, n), keys % max(1, n)))
    weights = np.round(np.bincount(place.ravel(), weights, len(keys)), 9)

    tied = np.zeros(n, dtype=bool)
    tied[pairs.ravel()] = True
    found: list[CommunityCluster] = []
    open_parts = [(-1, np.flatnonzero(tied), pairs, weights)] if len(pairs) else []
    for level in range(MOST_LEVELS):
        old = before[level] if level < len(before) else None
        parts: list[tuple[int, np.ndarray, np.ndarray, np.ndarray]] = []
        for parent, rows, own_pairs, own_weights in open_parts:
            local = np.searchsorted(rows, own_pairs)
            start = None if old is None else _mostly_here(old, rows)
            labels = _split(len(rows), local, own_weights, start, seed, must=level > 0)
            n_labels = int(labels.max()) + 1
            if n_labels < 2 and level > 0:
                continue
            inside = labels[local[:, 0]] == labels[local[:, 1]]
            label_of_pair = labels[local[:, 0]]
            for label in _by_size(labels):
                members = rows[labels == label]
                found.append(CommunityCluster(level, parent, members))
                if len(members) > max_size:
                    mine = inside & (label_of_pair == label)
                    parts.append((len(found) - 1, members, own_pairs[mine], own_weights[mine]))
        open_parts = parts
        if not open_parts:
            break
    loose = np.flatnonzero(~tied)
    if len(loose):
        found.append(CommunityCluster(0, -1, loose, is_loose=True))
    return found


def measure_modularity(pairs: np.ndarray, weights: np.ndarray, labels: np.ndarray) -> float:
    """Return how much more of the ties lies inside communities than chance would put there."""
    total = float(weights.sum())
    if total <= 0.0:
        return 0.0
    n_labels = int(labels.max()) + 1
    inside = labels[pairs[:, 0]] == labels[pairs[:, 1]]
    strength = np.zeros(n_labels)
    for side in (0, 1):
        strength += np.bincount(labels[pairs[:, side]], weights, n_labels)
    return float(weights[inside].sum() / total - ((strength / (2 * total)) ** 2).sum())


def _split(
    n: int,
    pairs: np.ndarray,
    weights: np.ndarray,
    start: np.ndarray | None,
    seed: int,
    *,
    must: bool,
) -> np.ndarray:
    """Return the part of each row, numbered from 0; all 0 where nothing divides them."""
    labels = np.zeros(n, dtype=np.int64)
    for resolution in _HARDER if must else _HARDER[:1]:
        labels = _join_small(_leiden(n, pairs, weights, seed, resolution), pairs, weights)
        if labels.max() > 0:
            break
    else:
        if must:
            labels = _split_around_hub(n, pairs, weights, seed)
    kept = None if start is None else _follow(n, pairs, weights, start)
    if kept is not None and kept.max() > 0:
        best = measure_modularity(pairs, weights, labels)
        keeps = KEEPS_INSIDE if must else KEEPS
        if measure_modularity(pairs, weights, kept) >= best * (keeps if best > 0 else 1.0):
            return kept
    return labels


def _split_around_hub(n: int, pairs: np.ndarray, weights: np.ndarray, seed: int) -> np.ndarray:
    """Return the parts that show once the one to whom all are tied is left out.

    Who is then tied to nobody stays with that one.
    """
    strength = np.bincount(pairs.ravel(), np.repeat(weights, 2), n)
    hub = int(strength.argmax())
    apart = (pairs != hub).all(1)
    labels = np.zeros(n, dtype=np.int64)
    rest = np.unique(pairs[apart])
    if not len(rest):
        return labels
    local = np.searchsorted(rest, pairs[apart])
    found = _join_small(_leiden(len(rest), local, weights[apart], seed, 1.0), local, weights[apart])
    labels[rest] = found + 1
    return _number(_join_small(_number(labels), pairs, weights))


def _leiden(
    n: int, pairs: np.ndarray, weights: np.ndarray, seed: int, resolution: float
) -> np.ndarray:
    from graspologic_native import leiden

    names = [str(i) for i in range(n)]
    edges = [
        (names[a], names[b], w) for (a, b), w in zip(pairs.tolist(), weights.tolist(), strict=True)
    ]
    _, found = leiden(edges, resolution=resolution, iterations=2, seed=seed)
    labels = np.full(n, -1, dtype=np.int64)
    for name, label in found.items():
        labels[int(name)] = label
    alone = labels < 0
    labels[alone] = labels.max() + 1 + np.arange(int(alone.sum()))
    return _number(labels)


def _follow(n: int, pairs: np.ndarray, weights: np.ndarray, start: np.ndarray) -> np.ndarray | None:
    """Return the partition of before, with new rows where they are tied the most."""
    if not (start >= 0).any():
        return None
    labels = _join_new(start.copy(), pairs, weights)
    if (labels < 0).any():
        return None
    return _join_small(_number(labels), pairs, weights)


def _mostly_here(old: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the labels of before of some rows, -1 where most of the others are elsewhere."""
    labels = old[rows]
    n_labels = int(old.max(initial=-1)) + 2
    here = np.bincount(labels + 1, minlength=n_labels)
    all_of_it = np.bincount(old + 1, minlength=n_labels)
    stays = 2 * here >= all_of_it
    return np.where(stays[labels + 1], labels, -1)


def _join_new(labels: np.ndarray, pairs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Put rows without a label (-1) where they are tied the most, as long as that gives any."""
    while (labels < 0).any():
        pull = _pulls(labels, labels < 0, pairs, weights)
        if not pull:
            break
        for row, label in pull.items():
            labels[row] = label
    return labels


def _join_small(labels: np.ndarray, pairs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Put parts of one or two into the part they are tied to most: they say too little.

    A part that is tied to no other stays as it is.
    """
    sizes = np.bincount(labels).tolist()
    small = [label for label, size in enumerate(sizes) if size < LEAST_SIZE]
    if not small:
        return labels
    ties: dict[int, dict[int, float]] = {}
    outward = labels[pairs[:, 0]] != labels[pairs[:, 1]]
    for (a, b), weight in zip(
        labels[pairs[outward]].tolist(), weights[outward].tolist(), strict=True
    ):
        for one, other in ((a, b), (b, a)):
            own = ties.setdefault(one, {})
            own[other] = own.get(other, 0.0) + weight
    into = list(range(len(sizes)))
    for label in sorted(small, key=lambda i: (sizes[i], i)):
        if sizes[label] >= LEAST_SIZE or not ties.get(label):
            continue
        own = ties.pop(label)
        target = min(own, key=lambda i: (sizes[i] < LEAST_SIZE, -own[i], i))
        into[label] = target
        sizes[target] += sizes[label]
        for other, weight in own.items():
            ties[other].pop(label, None)
            if other != target:
                for one, two in ((other, target), (target, other)):
                    ties[one][two] = ties[one].get(two, 0.0) + weight
    for label in range(len(into)):
        while into[into[label]] != into[label]:
            into[label] = into[into[label]]
    return _number(np.array(into)[labels])


def _pulls(
    labels: np.ndarray,
    movers: np.ndarray,
    pairs: np.ndarray,
    weights: np.ndarray,
) -> dict[int, int]:
    """Return, for each row that moves, the label that it is tied to most strongly."""
    pulls: dict[int, dict[int, float]] = {}
    for a, b in ((0, 1), (1, 0)):
        own, other = pairs[:, a], pairs[:, b]
        wanted = movers[own] & (labels[other] >= 0)
        for row, label, weight in zip(
            own[wanted].tolist(), labels[other[wanted]].tolist(), weights[wanted], strict=True
        ):
            pull = pulls.setdefault(row, {})
            pull[label] = pull.get(label, 0.0) + float(weight)
    return {row: min(pull, key=lambda label: (-pull[label], label)) for row, pull in pulls.items()}


def _number(labels: np.ndarray) -> np.ndarray:
    """Return the labels as 0, 1, 2 … in the order in which rows first have them."""
    _, first, of = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[of.ravel()]


def _by_size(labels: np.ndarray) -> list[int]:
    counts = np.bincount(labels)
    return np.argsort(-counts, kind="stable").tolist()


LEAST_ALIKE = 0.5  # of the members of both (Jaccard): with less, it is another community


def match_clusters(
    new: Sequence[tuple[int, frozenset[int]]],
    old: Mapping[int, tuple[int, frozenset[int]]],
    *,
    least: float = LEAST_ALIKE,
) -> list[int | None]:
    """Return, for each new community, the old one that it goes on from, None for a new one.

    Each old one is followed by one at most; the most alike come first, those of the same level
    before others.

    Args:
        new: level and members of each.
        old: id -> level and members.
    """
    homes: defaultdict[int, list[int]] = defaultdict(list)
    for key, (_, members) in old.items():
        for member in members:
            homes[member].append(key)
    alike: list[tuple[float, bool, int, int]] = []
    for place, (level, members) in enumerate(new):
        shared: defaultdict[int, int] = defaultdict(int)
        for member in members:
            for key in homes.get(member, ()):
                shared[key] += 1
        for key, n_shared in shared.items():
            share = n_shared / (len(members) + len(old[key][1]) - n_shared)
            if share >= least:
                alike.append((-share, old[key][0] != level, place, key))
    matched: list[int | None] = [None] * len(new)
    taken: set[int] = set()
    for _, _, place, key in sorted(alike):
        if matched[place] is None and key not in taken:
            matched[place] = key
            taken.add(key)
    return matched


MOST_KEY_WORDS = 6
LEAST_USES = 2.0


def rank_members(
    members: Iterable[int], ties: Iterable[tuple[int, int, float]], mentions: Mapping[int, int]
) -> list[int]:
    """Return the members, those that hold it together first.

    Args:
        ties: (member, member, weight) inside the community.
        mentions: entity -> how often it is named, which breaks ties.
    """
    strength: dict[int, float] = dict.fromkeys(members, 0.0)
    for a, b, weight in ties:
        strength[a] += weight
        strength[b] += weight
    return sorted(strength, key=lambda i: (-strength[i], -mentions.get(i, 0), i))


def choose_key_words(
    counts: Sequence[Mapping[str, float]],
    *,
    leave_out: frozenset[str] = frozenset(),
    most: int = MOST_KEY_WORDS,
) -> list[list[str]]:
    """Return, for each community, the words that it has more of than all together.

    A word's score is how often it is used here times the logarithm of how much more often than
    elsewhere (the part of a log-likelihood that speaks for this community).

    Args:
        counts: for each community, word -> uses.
        leave_out: words that are names.
    """
    everywhere: Counter[str] = Counter()
    for own in counts:
        everywhere.update(own)
    total = sum(everywhere.values()) or 1.0
    chosen = []
    for own in counts:
        n_own = sum(own.values()) or 1.0
        scored = []
        for word, uses in own.items():
            if word in leave_out or len(word) < 2 or "'" in word or "’" in word:
                continue
            ratio = (uses / n_own) / (everywhere[word] / total)
            if ratio > 1.0 and (uses >= LEAST_USES or len(own) < 12):
                scored.append((-uses * log(ratio), word))
        chosen.append([word for _, word in sorted(scored)[:most]])
    return chosen
