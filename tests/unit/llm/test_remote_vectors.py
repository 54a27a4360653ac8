"""Tests embedding and reranking on a server, and what it may return instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import pytest

from desktop_app.engine.llm.remote.address import parse_address
from desktop_app.engine.llm.remote.client import (
    BadServerAnswer,
    RequestLimits,
    ServerClient,
    ServerGone,
    ServerRefused,
    TooLongForServer,
)
from desktop_app.engine.llm.remote.vectors import (
    TEXTS_AT_ONCE,
    RemoteEmbedder,
    RemoteReranker,
    find_dim,
    find_has_logits,
    read_vectors,
)
from tests.chat_server import ChatServer, serve_chat
from tests.fakes import HashEmbedder
from tests.rank_forms import (
    CohereRanks,
    InfinityRanks,
    JinaRanks,
    LlamaRanks,
    RankForm,
    TeiRanks,
    VllmRanks,
)

pytestmark = pytest.mark.loopback

LIMITS = RequestLimits(waits_s=(0.0,))
QUESTION = "Where did the clerk write letters?"


@pytest.fixture
def fake() -> Iterator[ChatServer]:
    with serve_chat(ChatServer(dim=64)) as server:
        yield server


@pytest.fixture
def client(fake: ChatServer) -> Iterator[ServerClient]:
    client = ServerClient(fake.address, limits=LIMITS)
    yield client
    client.close()


def test_vectors_are_in_the_order_of_the_texts_and_have_length_one(
    fake: ChatServer, client: ServerClient
):
    model = RemoteEmbedder(client, "e5-small", 64)
    texts = [f"text {n} of many words" for n in range(TEXTS_AT_ONCE + 5)]
    rows = model.embed_passages(texts)
    expected = HashEmbedder(64).embed_passages([f"passage: {text}" for text in texts])
    assert rows.dtype == np.float32 and np.allclose(rows, expected, atol=1e-5)
    assert len(fake.requests) == 2
    query = model.embed_query("a question")
    assert np.allclose(query, HashEmbedder(64).embed_query("query: a question"), atol=1e-5)
    assert model.embed_passages([]).shape == (0, 64)
    assert model.is_remote and model.name == f"e5-small @ {fake.address.site}"


def test_a_text_that_is_too_long_is_cut_and_the_others_are_whole(
    fake: ChatServer, client: ServerClient
):
    fake.longest_input = 700
    model = RemoteEmbedder(client, "plain", 64)
    rows = model.embed_passages(["short words", "word " * 900])
    assert np.allclose(rows[0], HashEmbedder(64).embed_query("short words"), atol=1e-5)
    assert np.linalg.norm(rows[1]) == pytest.approx(1.0, abs=1e-5)
    fake.longest_input = 20
    with pytest.raises(TooLongForServer):
        model.embed_passages(["word " * 900])


@pytest.mark.parametrize(
    ("fault", "error"),
    [("503", ServerGone), ("404", ServerRefused), ("page", BadServerAnswer)],
)
def test_failures_are_those_of_the_client(
    fake: ChatServer, client: ServerClient, fault: str, error: type[Exception]
):
    fake.always = fault
    with pytest.raises(error):
        RemoteEmbedder(client, "e5", 64).embed_passages(["text"] * 100)
    with pytest.raises(error):
        RemoteReranker(client, "bge", False).score("question", ["text"])


@pytest.mark.parametrize(
    "answer",
    [
        {}, {"data": 5}, {"data": []}, {"data": [{"embedding": [1.0, 0.0]}]},
        {"data": [{"index": 0, "embedding": [1.0, 0.0]}] * 2},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 5, "embedding": [1.0]}]},
        {"data": [{"embedding": [1.0, 0.0]}, {"embedding": [1.0]}]},
        {"data": [{"embedding": [1.0, 0.0]}, {"embedding": ["a", "b"]}]},
        {"data": [{"embedding": [1.0, 0.0]}, {"embedding": [0.0, 0.0]}]},
        {"data": [{"embedding": [1.0, 0.0]}, {"embedding": [float("nan"), 1.0]}]},
        {"data": [{"embedding": [1.0, 0.0, 2.0]}, {"embedding": [1.0, 0.0, 0.0]}]},
        {"data": [{"embedding": None}, {"embedding": None}]},
    ],
)  # fmt: skip
def test_vectors_of_another_form_are_refused(answer: dict):
    with pytest.raises(BadServerAnswer):
        read_vectors(answer, 2, 2, "server")


def test_the_length_of_vectors_is_found_with_texts_of_the_program(
    fake: ChatServer, client: ServerClient
):
    assert find_dim(client, "e5") == 64
    fake.always = "no choices"
    with pytest.raises(BadServerAnswer):
        find_dim(client, "e5")


def test_scores_are_from_0_to_1_in_the_order_of_the_texts(fake: ChatServer, client: ServerClient):
    assert find_has_logits(client, "bge") is True
    model = RemoteReranker(client, "bge", True)
    scores = model.score(QUESTION, ["a ship", "the clerk did write letters", "letters"])
    assert scores[1] > scores[2] > scores[0] and all(0 < score < 1 for score in scores)
    assert model.score(QUESTION, []) == []
    with pytest.raises(BadServerAnswer, match="not from 0 to 1"):
        RemoteReranker(client, "bge", False).score(QUESTION, ["a ship"])
    fake.always = "no choices"
    with pytest.raises(BadServerAnswer, match="one score for each"):
        model.score(QUESTION, ["a ship"])


TEXTS = ["a ship", "the clerk did write letters", "letters"]


@contextmanager
def connect(fake: ChatServer, end: str = "/v1") -> Iterator[ServerClient]:
    """Yield a client with a key of an address that ends so."""
    client = ServerClient(
        parse_address(f"http://127.0.0.1:{fake.port}{end}"), "secret", limits=LIMITS
    )
    try:
        yield client
    finally:
        client.close()


@pytest.mark.parametrize(
    ("ranks", "end"),
    [
        (LlamaRanks(), "/v1"),
        (VllmRanks(), "/v1"),
        (JinaRanks(), "/v1"),
        (CohereRanks(), "/v2"),
        (InfinityRanks(), "/v1"),
    ],
)
def test_servers_rank_by_the_request_that_they_publish(fake: ChatServer, ranks: RankForm, end: str):
    fake.ranks = ranks
    with connect(fake, end) as client:
        has_logits = find_has_logits(client, "bge")
        assert has_logits is not ranks.has_shares
        scores = RemoteReranker(client, "bge", has_logits).score(QUESTION, TEXTS)
    assert scores[1] > scores[2] > scores[0] and all(0 < score < 1 for score in scores)
    assert fake.requests[-1][1] == {
        "model": "bge", "query": QUESTION, "documents": TEXTS, "top_n": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    "ranks",
    [
        LlamaRanks(max_tokens=100),
        LlamaRanks(max_tokens=100, has_batches=False),
        VllmRanks(max_tokens=100),
    ],
)
def test_a_passage_that_is_too_long_is_cut_and_costs_no_other_its_rank(
    fake: ChatServer, ranks: RankForm
):
    fake.ranks = ranks
    long_one = "the clerk did write letters " + "and so on " * 300
    with connect(fake) as client:
        model = RemoteReranker(client, "bge", not ranks.has_shares)
        scores = model.score(QUESTION, [*TEXTS, long_one])
        assert scores[3] == scores[1] > scores[2] > scores[0]
        assert scores[:3] == model.score(QUESTION, TEXTS)  # they were sent as they are
        ranks.max_tokens = 5
        with pytest.raises(TooLongForServer):
            model.score(QUESTION, TEXTS)  # the question alone is too long


@pytest.mark.parametrize(
    ("ranks", "end", "why"),
    [
        (VllmRanks(model="other"), "/v1", "does not know this model .*`bge` does not exist"),
        (TeiRanks(), "/v1", "does not know this model or this address"),
    ],
)
def test_servers_that_take_another_request_refuse_it_with_their_reason(
    fake: ChatServer, ranks: RankForm, end: str, why: str
):
    fake.ranks = ranks
    with connect(fake, end) as client, pytest.raises(ServerRefused, match=why):
        find_has_logits(client, "bge")


class _OtherRanks(LlamaRanks):
    def __init__(self, form: Callable[[list[dict]], object]) -> None:
        super().__init__()
        self._form = form

    def answer(self, path: str, headers: Mapping[str, str], body: dict) -> tuple[int, object]:
        return 200, self._form(self.rank(body, body["documents"], "relevance_score"))


@pytest.mark.parametrize(
    "form",
    [
        lambda results: results,  # a bare list, as Text Embeddings Inference writes
        lambda results: {"data": results},  # Voyage
        lambda results: {"results": results[:1]},  # the best one alone
        lambda results: {"results": [{**one, "index": 7} for one in results]},
        lambda results: {"results": [{"index": one["index"]} for one in results]},
    ],
)
def test_rankings_of_another_form_are_refused(
    fake: ChatServer, client: ServerClient, form: Callable[[list[dict]], object]
):
    fake.ranks = _OtherRanks(form)
    with pytest.raises(BadServerAnswer):
        RemoteReranker(client, "bge", True).score(QUESTION, ["a ship", "letters"])


def test_a_server_without_reranking_is_not_taken_for_one_that_is_gone(
    fake: ChatServer, client: ServerClient
):
    fake.always = "501"  # llama-server that was started without `--reranking`
    with pytest.raises(ServerRefused, match="501"):
        find_has_logits(client, "bge")
    assert len(fake.requests) == 1  # and not tried again
