"""Tests reranking of passages: order, time limit, choice of the reranker."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.llm.reranking import (
    CHAT_RERANKER,
    ChatReranker,
    CrossEncoderReranker,
    is_cross_encoder_folder,
)
from desktop_app.engine.model import Passage
from desktop_app.engine.prompt_program import Choice
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import N_RERANKED, RERANK_BATCH, rerank
from desktop_app.engine.retrieval.search_state import SearchState


class CountsLetters:
    """A `Reranker` that scores by the number of letters z."""

    name = "letters"

    def __init__(self) -> None:
        self.n_scored = 0

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        self.n_scored += len(texts)
        return [text.count("z") / 100 for text in texts]

    def close(self) -> None: ...


def _passages(n: int) -> list[Passage]:
    return [Passage(i, 1, f"t{i}", 0, 9, 1.0 - i / 99, "z" * i, 0, 9) for i in range(n)]


def _search(**options) -> SearchState:
    return SearchState("who?", QueryParam(**options), None, None, None, None)


def test_the_reranker_decides_the_order_and_is_listed_as_a_stage():
    search = _search()
    found = rerank(search, _passages(6), CountsLetters)
    assert [p.chunk_id for p in found] == [5, 4, 3, 2, 1, 0]
    assert found[0].routes[-1] == ("reranker", 0.05)
    assert search.trace.stages[-1].name == "reranker"
    assert search.trace.stages[-1].kept[0] == "t5 0.05"


def test_only_the_best_passages_are_reranked():
    n = N_RERANKED + 5
    found = rerank(_search(), _passages(n), CountsLetters)
    assert [p.chunk_id for p in found[-5:]] == list(range(n - 5, n))


def test_without_a_reranker_or_the_option_nothing_changes():
    passages = _passages(4)
    assert rerank(_search(), passages, lambda: None) == passages
    assert rerank(_search(enable_rerank=False), passages, CountsLetters) == passages


def test_passages_not_scored_in_time_keep_their_order_at_the_end():
    search, reranker = _search(), CountsLetters()
    found = rerank(search, _passages(12), lambda: reranker, time_s=0.0)
    assert reranker.n_scored == RERANK_BATCH
    assert [p.chunk_id for p in found] == [3, 2, 1, 0, *range(4, 12)]
    assert "out of time" in search.trace.stages[-1].note
    assert search.trace.stages[-1].dropped[0] == "t4"


def test_a_failing_reranker_keeps_the_order_and_adds_a_note():
    def fail():
        raise EnvironmentProblem("no memory")

    search, passages = _search(), _passages(3)
    assert rerank(search, passages, fail) == passages
    assert "no memory" in search.trace.notes[0]


class SaysYesTo:
    """The part of a chat model that a reranker needs."""

    name, n_ctx = "yes", 4096

    def choose(self, messages, lines, options, *, cancel=None):
        assert options in (("Yes", "No"), ("是", "否"))
        sure = "Marley" in messages[0].text or "武松" in messages[0].text
        return [Choice((-0.1, -2.4) if sure else (-2.4, -0.1)) for _ in lines]


def test_a_chat_model_scores_by_the_probability_of_yes():
    reranker = ChatReranker(SaysYesTo())
    near, far = reranker.score("Who was dead?", ["Marley was dead.", "The ship sailed."])
    assert near == pytest.approx(0.909, abs=0.001)
    assert far == pytest.approx(1 - near)
    assert reranker.score("谁打虎？", ["武松打虎"]) == [pytest.approx(near)]


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> Path:
    """A models folder with a tiny cross-encoder with random weights."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    root = tmp_path_factory.mktemp("models")
    folder = root / "tiny-cross-encoder"
    folder.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "who", "was", "dead", "marley", "ship"]
    (folder / "vocab.txt").write_text("\n".join(words), "utf-8")
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        num_labels=1,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return root


def test_a_cross_encoder_folder_gives_one_score_a_text(models):
    reranker = CrossEncoderReranker(models / "tiny-cross-encoder")
    texts = ["Marley was dead", "ship " * 900, ""]
    scores = reranker.score("Who was dead?", texts)
    assert len(scores) == 3
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert reranker.score("Who was dead?", texts[:1]) == pytest.approx(scores[:1], abs=1e-5)
    assert reranker.score("Who?", []) == []
    reranker.close()
    with pytest.raises(EnvironmentProblem):
        reranker.score("Who?", ["a"])


def test_a_folder_with_several_labels_is_no_reranker(models, tmp_path):
    folder = models / "tiny-cross-encoder"
    assert is_cross_encoder_folder(folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    other = tmp_path / "other"
    other.mkdir()
    (other / "model.safetensors").write_bytes(b"")
    (other / "config.json").write_text(json.dumps(config | {"id2label": {"0": "a", "1": "b"}}))
    assert not is_cross_encoder_folder(other)
    with pytest.raises(UserError):
        CrossEncoderReranker(other)
    (other / "config.json").write_text("{")
    assert not is_cross_encoder_folder(other)


def test_a_reranker_is_used_only_once_chosen(models):
    registry = ModelRegistry([models])
    row = next(r for r in registry.list_models() if r.name == "tiny-cross-encoder")
    assert (row.role, row.active) == ("reranker", False)
    assert registry.find_reranker() is None
    registry.use("tiny-cross-encoder")
    assert next(r for r in registry.list_models() if r.name == row.name).active
    found = registry.find_reranker()
    assert found is not None and found.name == "tiny-cross-encoder"
    assert registry.find_reranker() is found
    own, texts = CrossEncoderReranker(models / row.name), ["Marley was dead", "", "ship " * 200]
    scores = own.score("Who was dead?", texts)
    own.close()
    assert found.score("Who was dead?", texts) == pytest.approx(scores, abs=1e-6)  # in its process
    assert registry.check("tiny-cross-encoder").sample.startswith("similar")
    registry.use_reranker("")
    assert registry.find_reranker() is None
    registry.use_reranker(CHAT_RERANKER)
    assert registry.find_reranker() is None  # no chat model is there
    registry.close()
