"""Tests reranking of passages: order, time limit, choice of the reranker."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from desktop_app.engine.errors import EnvironmentProblem
from desktop_app.engine.llm.reranking import (
    ChatReranker,
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
