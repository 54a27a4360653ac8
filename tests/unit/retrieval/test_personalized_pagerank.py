"""Tests personalized PageRank over names and chunks."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.retrieval.index import PageRankGraph
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.store.search import ensure_sketch, fetch_window_vectors
from tests.fakes import HashEmbedder


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


def test_a_gate_leads_what_a_name_passes_on_to_the_passages_that_fit():
    links = np.array([[0, 0], [1, 0], [2, 0]])
    graph = PageRankGraph(links, np.ones(3), n_chunks=3, n_names=1)
    plain = graph.rank({}, {0: 1.0})
    assert plain[0] == plain[1] == plain[2]
    gated = graph.rank({}, {0: 1.0}, gates=np.array([1.0, 3.0, 1.0], dtype=np.float32))
    assert np.argmax(gated) == 1 and gated[0] == gated[2]
    assert gated.sum() == pytest.approx(plain.sum(), rel=1e-3)  # a name gives as much as before


def test_windows_are_rated_by_their_cosines_whichever_of_them_are_asked_for(library, tmp_path):
    for n in range(9):
        text = f"The boat number {n} sailed to Port Ellis with {n} geese and no sail."
        (tmp_path / f"{n}.txt").write_text(text, "utf-8")
    add_files(library.writer, sorted(tmp_path.glob("*.txt")))
    embedder = HashEmbedder()
    IndexingService(library.writer, lambda: embedder).run()
    sketch = ensure_sketch(library.writer)
    spans, vectors = fetch_window_vectors(library.writer, sketch.chunk_ids.tolist())
    assert [span[0] for span in spans] == sketch.window_ids.tolist()
    asked = embedder.embed_query("Which boat had 7 geese?")
    rated = sketch.rate(asked, np.arange(len(spans)))
    assert (
        np.corrcoef(rated, vectors @ asked)[0, 1] > 0.95
    )  # one byte per dimension, and the farthest values are clipped
    few = np.array([1, len(spans) - 1])
    assert sketch.rate(asked, few) == pytest.approx(rated[few])
