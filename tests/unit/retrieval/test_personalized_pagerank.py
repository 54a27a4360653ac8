"""Tests personalized PageRank over names and chunks."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.retrieval.index import PageRankGraph


def test_a_rare_name_passes_more_score_than_a_frequent_one():
    # passage 0 names the rare 0 and the common 1; passage 1 has the rare, 2 to 9 the common one
    links = [[0, 0], [0, 1], [1, 0], *([p, 1] for p in range(2, 10))]
    graph = PageRankGraph(np.array(links), np.ones(len(links)), 10, 2)
    mass = graph.rank({0: 1.0}, {})
    assert 1.6 * mass[1] > mass[2:].sum()  # 1.8 if both names counted the same


def test_scores_of_chunks_sum_to_at_most_one():
    rng = np.random.default_rng(5)
    links = np.column_stack((rng.integers(0, 50, 300), rng.integers(0, 80, 300)))
    graph = PageRankGraph(links, np.ones(300), 50, 80)
    mass = graph.rank({3: 1.0}, {7: 1.0})
    assert 0.0 < mass.sum() <= 1.0 + 1e-5
    assert (mass >= 0.0).all()


def test_names_alone_can_be_seeds():
    graph = PageRankGraph(np.array([[0, 0], [1, 1]]), np.ones(2), 2, 2)
    mass = graph.rank({}, {1: 1.0})
    assert mass[0] == 0.0
    assert mass[1] > 0.0


def test_the_scale_of_seeds_does_not_matter():
    graph = PageRankGraph(np.array([[0, 0], [1, 0], [1, 1]]), np.ones(3), 2, 2)
    one, other = graph.rank({0: 1.0}, {1: 2.0}), graph.rank({0: 9.0}, {1: 0.1})
    assert one.tolist() == pytest.approx(other.tolist())
