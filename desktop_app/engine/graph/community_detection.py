"""Hierarchical Leiden clustering of entities, and what describes and matches the communities.

Leiden runs on the whole graph, then inside each community that is too large. Each is split with
the same seed, so that a change in one leaves the others unchanged, and an earlier partition is kept
while a new one is hardly better. Entities are rows of the given arrays.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log

import numpy as np

from ..progress import CancelToken
from ..writing_systems import has_han

MAX_CLUSTER_SIZE = 10  # as in GraphRAG
SEED = 7
MAX_LEVELS = 12
# Least modularity of the earlier partition, relative to the new one, for keeping it.
MIN_KEPT_MODULARITY = 0.95  # on the first level
MIN_KEPT_MODULARITY_INSIDE = 0.9  # inside a community
MIN_SIZE = 3
_RESOLUTIONS = (1.0, 1.5, 2.2)  # resolutions for a community that does not split at a lower one


@dataclass(frozen=True, slots=True)
class CommunityCluster:
    """A community.

    Attributes:
        parent: its index in the list of communities, -1 on the first level.
        rows: its members, ascending, int64.
    """

    level: int
    parent: int
    rows: np.ndarray


def find_hierarchy(
    n: int,
    pairs: np.ndarray,
    weights: np.ndarray,
    *,
    max_size: int = MAX_CLUSTER_SIZE,
    before: Sequence[np.ndarray] = (),
    cancel: CancelToken | None = None,
) -> list[CommunityCluster]:
    """Return communities level by level, parents before children.

    A level has the parts of those communities of the level above that were larger than `max_size`;
    smaller communities are not repeated. Entities without relations are in none.

    Args:
        n: number of entities.
        pairs: rows of related entities, int, shape (M, 2).
        weights: weights of these relations, shape (M,).
        before: for each level, the earlier community of each row, -1 for none, shape (n,).
        cancel: checked before each community is divided.

    Raises:
        Cancelled: the token was set.
    """
    cancel = cancel or CancelToken()
    pairs = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    keep = pairs[:, 0] != pairs[:, 1]
    pairs, weights = pairs[keep], np.maximum(np.asarray(weights, dtype=float)[keep], 1e-6)
    # Sorted, so that the result does not depend on the order of the relations.
    low, high = np.minimum(pairs[:, 0], pairs[:, 1]), np.maximum(pairs[:, 0], pairs[:, 1])
    keys, place = np.unique(low * max(1, n) + high, return_inverse=True)
    pairs = np.column_stack((keys // max(1, n), keys % max(1, n)))
    weights = np.round(np.bincount(place.ravel(), weights, len(keys)), 9)

    related = np.zeros(n, dtype=bool)
    related[pairs.ravel()] = True
    found: list[CommunityCluster] = []
    open_parts = [(-1, np.flatnonzero(related), pairs, weights)] if len(pairs) else []
    for level in range(MAX_LEVELS):
        old = before[level] if level < len(before) else None
        parts: list[tuple[int, np.ndarray, np.ndarray, np.ndarray]] = []
        for parent, rows, own_pairs, own_weights in open_parts:
            cancel.check()
            local = np.searchsorted(rows, own_pairs)
            start = None if old is None else _find_continued_labels(old, rows)
            labels = _split(len(rows), local, own_weights, start, is_inner=level > 0)
            if labels.max() < 1 and level > 0:
                continue
            inside = labels[local[:, 0]] == labels[local[:, 1]]
            label_of_pair = labels[local[:, 0]]
            for label in np.argsort(-np.bincount(labels), kind="stable").tolist():
                members = rows[labels == label]
                found.append(CommunityCluster(level, parent, members))
                if len(members) > max_size:
                    mine = inside & (label_of_pair == label)
                    parts.append((len(found) - 1, members, own_pairs[mine], own_weights[mine]))
        open_parts = parts
    return found


def measure_modularity(pairs: np.ndarray, weights: np.ndarray, labels: np.ndarray) -> float:
    """Return the modularity: the weight inside communities beyond what chance would give."""
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
    n: int, pairs: np.ndarray, weights: np.ndarray, start: np.ndarray | None, *, is_inner: bool
) -> np.ndarray:
    """Return the part of each row, numbered from 0; all 0 if they cannot be split."""
    labels = np.zeros(n, dtype=np.int64)
    for resolution in _RESOLUTIONS if is_inner else _RESOLUTIONS[:1]:
        labels = _merge_small_parts(_leiden(n, pairs, weights, resolution), pairs, weights)
        if labels.max() > 0:
            break
    else:
        if is_inner:
            labels = _split_around_hub(n, pairs, weights)
    earlier = None if start is None else _continue_partition(n, pairs, weights, start)
    if earlier is not None and earlier.max() > 0:
        best = measure_modularity(pairs, weights, labels)
        least_share = MIN_KEPT_MODULARITY_INSIDE if is_inner else MIN_KEPT_MODULARITY
        if measure_modularity(pairs, weights, earlier) >= best * (least_share if best > 0 else 1.0):
            return earlier
    return labels


def _split_around_hub(n: int, pairs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the parts after the removal of the most strongly related entity (the hub).

    Entities without other relations stay with the hub.
    """
    strength = np.bincount(pairs.ravel(), np.repeat(weights, 2), n)
    hub = int(strength.argmax())
    without_hub = (pairs != hub).all(1)
    labels = np.zeros(n, dtype=np.int64)
    rest = np.unique(pairs[without_hub])
    if not len(rest):
        return labels
    local, weights_left = np.searchsorted(rest, pairs[without_hub]), weights[without_hub]
    found = _leiden(len(rest), local, weights_left, 1.0)
    labels[rest] = _merge_small_parts(found, local, weights_left) + 1
    return _renumber(_merge_small_parts(_renumber(labels), pairs, weights))


def _leiden(n: int, pairs: np.ndarray, weights: np.ndarray, resolution: float) -> np.ndarray:
    from graspologic_native import leiden

    ends = zip(pairs.tolist(), weights.tolist(), strict=True)
    edges = [(str(a), str(b), weight) for (a, b), weight in ends]
    _, found = leiden(edges, resolution=resolution, iterations=2, seed=SEED)
    labels = np.full(n, -1, dtype=np.int64)
    for name, label in found.items():
        labels[int(name)] = label
    alone = labels < 0
    labels[alone] = labels.max() + 1 + np.arange(int(alone.sum()))
    return _renumber(labels)


def _continue_partition(
    n: int, pairs: np.ndarray, weights: np.ndarray, start: np.ndarray
) -> np.ndarray | None:
    """Return the earlier partition with new rows in their most strongly related parts."""
    if not (start >= 0).any():
        return None
    labels = start.copy()
    while (labels < 0).any():
        pulls: dict[int, Counter[int]] = defaultdict(Counter)
        for own, other in (pairs.T, pairs.T[::-1]):
            wanted = (labels[own] < 0) & (labels[other] >= 0)
            for row, label, weight in zip(
                own[wanted].tolist(), labels[other[wanted]].tolist(), weights[wanted], strict=True
            ):
                pulls[row][label] += weight
        if not pulls:
            return None
        for row, pull in pulls.items():
            labels[row] = min(pull, key=lambda label: (-pull[label], label))
    return _merge_small_parts(_renumber(labels), pairs, weights)


def _find_continued_labels(old: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the earlier labels of `rows`; -1 if most rows with the label are not in `rows`."""
    labels = old[rows]
    n_labels = int(old.max(initial=-1)) + 2
    here = np.bincount(labels + 1, minlength=n_labels)
    all_of_it = np.bincount(old + 1, minlength=n_labels)
    return np.where((2 * here >= all_of_it)[labels + 1], labels, -1)


def _merge_small_parts(labels: np.ndarray, pairs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Merge parts of one or two rows into their most strongly related part.

    A part without relations to others stays as it is.
    """
    sizes = np.bincount(labels).tolist()
    small = [label for label, size in enumerate(sizes) if size < MIN_SIZE]
    if not small:
        return labels
    relations: dict[int, dict[int, float]] = {}
    outward = labels[pairs[:, 0]] != labels[pairs[:, 1]]
    for (a, b), weight in zip(
        labels[pairs[outward]].tolist(), weights[outward].tolist(), strict=True
    ):
        for one, other in ((a, b), (b, a)):
            own = relations.setdefault(one, {})
            own[other] = own.get(other, 0.0) + weight
    into = list(range(len(sizes)))
    for label in sorted(small, key=lambda i: (sizes[i], i)):
        if sizes[label] >= MIN_SIZE or not relations.get(label):
            continue
        own = relations.pop(label)
        target = min(own, key=lambda i: (sizes[i] < MIN_SIZE, -own[i], i))
        into[label] = target
        sizes[target] += sizes[label]
        for other, weight in own.items():
            relations[other].pop(label, None)
            if other != target:
                for one, two in ((other, target), (target, other)):
                    relations[one][two] = relations[one].get(two, 0.0) + weight
    for label in range(len(into)):
        while into[into[label]] != into[label]:
            into[label] = into[into[label]]
    return _renumber(np.array(into)[labels])


def _renumber(labels: np.ndarray) -> np.ndarray:
    """Return the labels renumbered 0, 1, 2 … in the order of their first rows."""
    _, first, of = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[of.ravel()]


MIN_SIMILARITY = 0.5  # Jaccard similarity of the members; below, it is another community


def match_clusters(
    new: Sequence[tuple[int, frozenset[int]]],
    old: Mapping[int, tuple[int, frozenset[int]]],
    *,
    least: float = MIN_SIMILARITY,
) -> list[int | None]:
    """Return, for each new community, the old one that it continues, or None.

    Each old one is continued by one at most. The most similar pairs are matched first, those of
    the same level before others.

    Args:
        new: level and members of each.
        old: id -> level and members.
    """
    old_of_member: defaultdict[int, list[int]] = defaultdict(list)
    for key, (_, members) in old.items():
        for member in members:
            old_of_member[member].append(key)
    candidates: list[tuple[float, bool, int, int]] = []
    for place, (level, members) in enumerate(new):
        shared = Counter(key for member in members for key in old_of_member.get(member, ()))
        for key, n_shared in shared.items():
            share = n_shared / (len(members) + len(old[key][1]) - n_shared)
            if share >= least:
                candidates.append((-share, old[key][0] != level, place, key))
    matched: list[int | None] = [None] * len(new)
    taken: set[int] = set()
    for _, _, place, key in sorted(candidates):
        if matched[place] is None and key not in taken:
            matched[place] = key
            taken.add(key)
    return matched


MAX_KEY_WORDS = 6
MIN_COUNT = 3  # twice can be chance, or one sentence about four names
# Of the log-likelihood test (Dunning, 1993, Computational Linguistics 19): a word that says nothing
# about a community exceeds it once in 1,000 times (chi-squared, one degree of freedom).
MIN_LIKELIHOOD_RATIO = 10.83


def rank_members(
    members: Iterable[int], relations: Iterable[tuple[int, int, float]], mentions: Mapping[int, int]
) -> list[int]:
    """Return the members by the number of those that they are related to, highest first.

    The sum of the weights comes second: alone, it put three names of one long sentence before the
    heroine of a short story, who meets everybody once.

    Args:
        relations: (member, member, weight) of the relations inside the community, one for a pair.
        mentions: entity -> number of mentions; orders members that are otherwise equal.
    """
    strength = dict.fromkeys(members, 0.0)
    degree = dict.fromkeys(strength, 0)
    for a, b, weight in relations:
        for end in (a, b):
            degree[end] += 1
            strength[end] += weight
    return sorted(strength, key=lambda i: (-degree[i], -strength[i], -mentions.get(i, 0), i))


def choose_key_words(
    counts: Sequence[Mapping[str, int]],
    *,
    leave_out: frozenset[str] = frozenset(),
    is_accepted: Callable[[str], bool] = lambda word: True,
) -> list[list[str]]:
    """Return, for each community, the words that it has more often than the others, best first.

    Words are compared by the log-likelihood ratio of their counts here and elsewhere, among words
    of the same script: beside Chinese books, every English word would be characteristic of an
    English one. What is not significant, or rarer than `MIN_COUNT`, is no key word, so a community
    may have none.

    Args:
        counts: for each community, word -> count.
        leave_out: words that are names.
        is_accepted: asked about significant words, the best first, until there are enough.
    """
    total_counts: Counter[str] = Counter()
    for own in counts:
        total_counts.update(own)
    totals = _count_scripts(total_counts)
    chosen = []
    for own in counts:
        own_totals = _count_scripts(own)
        scored = []
        for word, here in own.items():
            if word in leave_out or len(word) < 2 or "'" in word or "’" in word:
                continue
            elsewhere = total_counts[word] - here
            script = has_han(word)
            expected = total_counts[word] * own_totals[script] / totals[script]
            if here < MIN_COUNT or here <= expected:
                continue
            ratio = 2 * here * log(here / expected)
            if elsewhere:
                ratio += 2 * elsewhere * log(elsewhere / (total_counts[word] - expected))
            if ratio >= MIN_LIKELIHOOD_RATIO:
                scored.append((-ratio, word))
        accepted = (word for _, word in sorted(scored) if is_accepted(word))
        chosen.append(list(islice(accepted, MAX_KEY_WORDS)))
    return chosen


def _count_scripts(counts: Mapping[str, int]) -> Counter[bool]:
    """Return the counts of all words with and without Chinese characters."""
    totals: Counter[bool] = Counter()
    for word, n in counts.items():
        totals[has_han(word)] += n
    return totals
