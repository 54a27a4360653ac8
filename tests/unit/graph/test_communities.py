"""Tests community detection on arrays: hierarchy, stability, matching with earlier communities."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.engine.graph.community_detection import (
    choose_key_words,
    find_hierarchy,
    match_clusters,
    measure_modularity,
    rank_members,
)


def cliques(*sizes: int) -> tuple[int, np.ndarray]:
    """Return cliques, each connected to the next by one edge."""
    pairs, start = [], 0
    for size in sizes:
        pairs += [(start + a, start + b) for a in range(size) for b in range(a)]
        if start:
            pairs.append((start - 1, start))
        start += size
    return start, np.array(pairs)


def of_level(clusters, level):
    return sorted(sorted(c.rows.tolist()) for c in clusters if c.level == level)


def as_before(n, clusters):
    before = [np.full(n, -1) for _ in range(1 + max(c.level for c in clusters))]
    for place, cluster in enumerate(clusters):
        before[cluster.level][cluster.rows] = place
    return before


def test_densely_connected_groups_are_communities():
    n, pairs = cliques(6, 7, 5)
    found = find_hierarchy(n, pairs, np.ones(len(pairs)))
    assert of_level(found, 0) == [list(range(6)), list(range(6, 13)), list(range(13, 18))]


def test_isolated_entities_are_in_no_community():
    n, pairs = cliques(4, 4)
    found = find_hierarchy(n + 3, pairs, np.ones(len(pairs)))
    assert of_level(found, 0) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    for n in (0, 3):
        assert find_hierarchy(n, np.zeros((0, 2), dtype=int), np.zeros(0)) == []


def test_large_communities_are_divided_until_they_fit():
    n, pairs = cliques(*[8] * 12)
    found = find_hierarchy(n, pairs, np.ones(len(pairs)), max_size=10)
    parents = {c.parent for c in found}
    leaves = [c for place, c in enumerate(found) if place not in parents]
    assert max(len(c.rows) for c in leaves) <= 10
    for place, cluster in enumerate(found):
        parts = [c.rows for c in found if c.parent == place]
        if parts:
            assert sorted(np.concatenate(parts).tolist()) == cluster.rows.tolist()


def test_a_star_is_divided_around_its_centre():
    n, pairs = cliques(5, 5, 5)
    pairs = np.concatenate((pairs, [(n, row) for row in range(n)]))
    weights = np.ones(len(pairs))
    weights[-n:] = 9.0
    found = find_hierarchy(n + 1, pairs, weights)
    assert max(c.level for c in found) >= 1 or len(of_level(found, 0)) > 1


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_every_related_entity_is_in_one_community_of_the_first_level(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    pairs = rng.integers(0, n, (int(rng.integers(0, 120)), 2))
    found = find_hierarchy(n, pairs, rng.random(len(pairs)) * 5)
    related = np.unique(pairs[pairs[:, 0] != pairs[:, 1]]).tolist()
    assert sorted(row for c in found if c.level == 0 for row in c.rows.tolist()) == related
    again = find_hierarchy(n, pairs, rng.random(0) if not len(pairs) else np.ones(len(pairs)))
    assert sorted(row for c in again if c.level == 0 for row in c.rows.tolist()) == related


def test_the_order_of_relations_does_not_change_the_communities():
    rng = np.random.default_rng(3)
    pairs = rng.integers(0, 80, (300, 2))
    weights = rng.random(300)
    order = rng.permutation(300)
    first = find_hierarchy(80, pairs, weights)
    second = find_hierarchy(80, pairs[order][:, ::-1], weights[order])
    assert of_level(first, 0) == of_level(second, 0)
    assert of_level(first, 1) == of_level(second, 1)


def test_a_small_change_keeps_the_other_communities():
    graph = nx.relaxed_caveman_graph(40, 9, 0.2, seed=4)
    pairs = np.array(graph.edges())
    first = find_hierarchy(360, pairs, np.ones(len(pairs)))
    changed = pairs[:-6]
    second = find_hierarchy(360, changed, np.ones(len(changed)), before=as_before(360, first))
    same = {tuple(c.rows.tolist()) for c in first} & {tuple(c.rows.tolist()) for c in second}
    assert len(same) >= 0.85 * len(first)


def test_partitions_are_as_good_as_those_of_networkx():
    graph = nx.relaxed_caveman_graph(30, 12, 0.3, seed=1)
    pairs = np.array(graph.edges())
    found = find_hierarchy(360, pairs, np.ones(len(pairs)))
    labels = np.zeros(360, dtype=int)
    for place, cluster in enumerate(c for c in found if c.level == 0):
        labels[cluster.rows] = place
    parts = [set(c.rows.tolist()) for c in found if c.level == 0]
    own = measure_modularity(pairs, np.ones(len(pairs)), labels)
    assert abs(own - nx.community.modularity(graph, parts)) < 1e-9
    louvain = nx.community.modularity(graph, nx.community.louvain_communities(graph, seed=1))
    assert own > louvain - 0.02


def test_twenty_thousand_entities_are_partitioned():
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 20_000, 100_000)
    near = (ends // 40 * 40 + rng.integers(0, 40, 100_000)) % 20_000
    pairs = np.column_stack((ends, near))
    found = find_hierarchy(20_000, pairs, rng.random(100_000))
    assert max(c.level for c in found) >= 1
    first_level = np.concatenate([c.rows for c in found if c.level == 0])
    assert sorted(first_level.tolist()) == np.unique(pairs[ends != near]).tolist()


def test_a_community_keeps_its_identity_with_half_of_its_members():
    old = {7: (0, frozenset({1, 2, 3, 4})), 8: (0, frozenset({5, 6, 7}))}
    new = [
        (0, frozenset({1, 2, 3, 9})),
        (0, frozenset({5, 20, 21, 22})),
        (1, frozenset({5, 6, 7})),
    ]
    assert match_clusters(new, old) == [7, None, 8]


def test_of_two_similar_communities_only_one_keeps_the_identity():
    old = {1: (0, frozenset({1, 2, 3, 4}))}
    new = [(1, frozenset({1, 2, 3, 4})), (0, frozenset({1, 2, 3, 4}))]
    assert match_clusters(new, old) == [None, 1]


def test_key_words_are_words_that_other_communities_lack():
    counts = [{"sail": 12, "day": 9, "mast": 10}, {"goose": 17, "day": 9, "Hale": 15}]
    words = choose_key_words(counts, leave_out=frozenset({"Hale"}))
    assert words == [["sail", "mast"], ["goose"]]


def test_what_may_be_chance_is_no_key_word():
    counts = [{"clear": 4, "day": 30, "tide": 9}, {"clear": 2, "day": 43}]
    assert choose_key_words(counts) == [["tide"], []]
    assert choose_key_words([{"clear": 2}, {"day": 40}]) == [[], []]
    assert choose_key_words([{}, {}]) == [[], []]


def test_key_words_are_compared_with_words_of_the_same_script() -> None:
    tides = {f"tide {n}": 9 for n in range(20)} | {"day": 9}
    counts = [tides, tides, {"酒店": 400, "一日": 400}]
    assert choose_key_words(counts)[:2] == [[], []], "beside Chinese books each would be rare"


def test_a_word_that_is_refused_leaves_its_place_to_the_next() -> None:
    words = {f"word {n}": 40 - n for n in range(8)}
    counts = [words, {"goose": 200}]
    chosen = choose_key_words(counts, is_accepted=lambda word: word != "word 0")
    assert chosen[0] == [f"word {n}" for n in range(1, 7)]


def test_the_most_central_member_comes_first():
    assert rank_members([1, 2, 3], [(1, 2, 2.0), (2, 3, 1.0)], {}) == [2, 1, 3]
    assert rank_members([4, 5], [], {5: 3}) == [5, 4]


def test_who_meets_most_comes_before_who_is_often_with_one():
    often = [(1, 2, 9.0), (2, 3, 1.0), (2, 4, 1.0)]
    once = [(5, i, 0.1) for i in (1, 2, 3, 4)]
    assert rank_members([1, 2, 3, 4, 5], [*often, *once], {}) == [2, 5, 1, 3, 4]
