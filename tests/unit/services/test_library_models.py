"""Tests which models a library uses: a server that the user agreed to, or this computer's."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import keyring.backend
import pytest

from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.errors import AppError, EnvironmentProblem, UserError
from desktop_app.engine.llm.protocols import ChatModel
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.llm.remote.chat import RemoteChat
from desktop_app.engine.llm.remote.client import RequestLimits, ServerGone, ServerRefused
from desktop_app.engine.model import Answer
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.enrichment.rates import parse_size_in_name
from desktop_app.engine.services.enrichment.service import EnrichmentService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_models import AWAY_S, LibraryModels, ModelServerState
from desktop_app.engine.services.model_servers import (
    KEYRING_SERVICE,
    ModelServer,
    ModelServers,
    ServerKeys,
    build_examples,
    library_name,
)
from desktop_app.engine.services.system_keyring import SystemKeyring
from desktop_app.engine.store import enrichment, search
from tests.chat_server import ChatServer, serve_chat
from tests.fakes import ScriptedChatModel
from tests.small_library import add

pytestmark = pytest.mark.loopback

LIMITS = RequestLimits(waits_s=(0.0,), silence_s=2.0)


class MemoryKeyring(keyring.backend.KeyringBackend):
    priority = 5  # type: ignore[assignment]

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Registry(ModelRegistry):
    """The models of this computer: one scripted model, or none."""

    def __init__(self, folder: Path, local: ChatModel | None) -> None:
        super().__init__([folder])
        self.local = local
        self.problems: list[EnvironmentProblem] = []
        self.on_problem = self.problems.append

    def find_chat(self) -> ChatModel | None:
        return self.local


@pytest.fixture
def fake() -> Iterator[ChatServer]:
    def reply(body: dict) -> str | dict[str, float]:
        if body["messages"][0]["content"].startswith("Write the numbers"):
            return "12, 13"
        if body["max_tokens"] == 1:
            return {"A": 0.8, "B": 0.1, "yes": 0.05, "no": 0.01}
        return "Tobias Quill kept a shop of clocks [1]."

    with serve_chat(ChatServer(reply=reply)) as server:
        yield server


class Setup:
    """A library, its models and what this computer has."""

    def __init__(self, library: Library, folder: Path, fake: ChatServer) -> None:
        self.library, self.fake, self.file = library, fake, folder / "servers.json"
        self.local = ScriptedChatModel(["Ada Merrow wound the clocks [1]."], name="local")
        self.registry = Registry(folder, self.local)
        self.now = 0.0
        self.keyring = MemoryKeyring()
        self.models = self.open()

    def open(self, library: Library | None = None) -> LibraryModels:
        keys = ServerKeys(SystemKeyring(lambda: self.keyring))
        return LibraryModels(
            self.registry,
            library_name((library or self.library).writer),
            ModelServers(self.file),
            keys,
            limits=LIMITS,
            clock=lambda: self.now,
        )

    def turn_on(self, key: str | None = None, **values: object) -> ModelServer:
        server = ModelServer(url=self.fake.address.url, chat="tiny", **values)  # type: ignore[arg-type]
        self.models.set_server(server, key)
        return self.models.turn_on()

    def pipeline(self) -> AnswerPipeline:
        retriever = Retriever(self.library.writer, lambda: None)
        return AnswerPipeline(retriever, self.library.writer, self.models.find_chat)

    def pipeline_with_search(self) -> AnswerPipeline:
        db, models = self.library.writer, self.models
        retriever = Retriever(db, models.find_embedder, models.find_reranker)
        return AnswerPipeline(retriever, db, models.find_chat)

    def answer(self, question: str = "What did Tobias Quill keep?") -> Answer:
        param = QueryParam(response_type="Bullet Points", only_if_found=False)
        return self.pipeline().query(question, param)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library with one document; tests get copies."""
    folder = tmp_path_factory.mktemp("indexed")
    library = Library(folder / "clocks.inkgraph")
    add(library, folder)
    library.close()
    return library.path


@pytest.fixture
def setup(indexed: Path, tmp_path: Path, fake: ChatServer) -> Iterator[Setup]:
    library = Library(Path(shutil.copy(indexed, tmp_path)))
    made = Setup(library, tmp_path, fake)
    yield made
    made.models.close()
    library.close()


# --- the setting ----------------------------------------------------------------------------------


def test_all_models_are_on_this_computer_unless_the_user_agreed(setup: Setup):
    models = setup.models
    assert models.find_chat() is setup.local and models.state == ModelServerState()
    with pytest.raises(UserError):
        models.turn_on()
    models.set_server(ModelServer(url=setup.fake.address.url, chat="tiny", is_on=True))
    assert models.find_chat() is setup.local  # set, but the user has not agreed
    sent = json.dumps(setup.fake.requests)
    assert "Quill" not in sent and "clocks" not in sent
    models.turn_on()
    found = models.find_chat()
    assert found is not None and found.name == f"tiny @ {setup.fake.address.site}"
    assert models.chat_model_name() == found.name
    assert models.state == ModelServerState(setup.fake.address.site)
    models.turn_off()
    assert models.find_chat() is setup.local and models.state == ModelServerState()
    assert models.turn_on().is_on  # agreed before
    models.forget_server()
    assert models.server == ModelServer()


def test_another_address_needs_a_new_agreement(setup: Setup):
    setup.turn_on()
    with serve_chat(ChatServer(reply=setup.fake.reply)) as other:
        server = setup.models.server
        setup.models.set_server(replace(server, url=other.address.url))
        assert setup.models.server.needs_agreement and not setup.models.server.is_on
        assert "Quill" not in json.dumps(other.requests)


def test_the_setting_belongs_to_one_library_and_is_not_in_its_file(setup: Setup, tmp_path: Path):
    setup.turn_on("sk-secret-7")
    other = Library(tmp_path / "other.inkgraph")
    assert not setup.open(other).server.url
    other.close()
    for path in tmp_path.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert b"sk-secret-7" not in data
            if path.suffix == ".inkgraph":
                assert str(setup.fake.port).encode() not in data
    assert setup.keyring.kept == {(KEYRING_SERVICE, setup.fake.address.url): "sk-secret-7"}
    assert setup.open().has_key()  # also in another process
    setup.models.forget_server()
    assert not setup.keyring.kept


@pytest.mark.parametrize(
    "stored",
    [
        None, 5, [], {"url": 5}, {"url": "javascript:x", "is_on": True}, {"is_on": True},
        {"url": "http://127.0.0.1:1/v1", "chat": "x", "is_on": True},
        {"url": "http://127.0.0.1:1/v1", "chat": "x", "is_on": True, "agreed": "chat"},
        {"url": "http://127.0.0.1:1/v1", "chat": "", "is_on": "yes", "agreed": ["chat", 5]},
        {"url": "http://127.0.0.1:1/v1", "n_at_once": 10**9, "features": {"n_top": "many"}},
    ],
)  # fmt: skip
def test_a_wrong_setting_sends_nothing(setup: Setup, stored: object):
    setup.file.write_text(json.dumps({library_name(setup.library.writer): stored}))
    os.utime(setup.file, (1, 1))
    assert setup.models.find_chat() is setup.local
    assert 1 <= setup.models.server.n_at_once <= 64


def test_a_server_that_refuses_is_not_set(setup: Setup):
    setup.fake.key = "right"
    server = ModelServer(url=setup.fake.address.url, chat="tiny")
    with pytest.raises(ServerRefused):
        setup.models.set_server(server, "wrong")
    assert not setup.models.server.url and not setup.keyring.kept
    with pytest.raises(EnvironmentProblem, match="no model “large”"):
        setup.models.set_server(ModelServer(url=server.url, chat="large"), "right")
    assert setup.models.set_server(server, "right").features.n_top == 20
    for key in ("two words", "ключ", "x" * 5000):
        with pytest.raises(UserError):
            setup.models.set_server(server, key)


def test_what_would_be_sent_is_shown_in_full(setup: Setup):
    server = setup.models.set_server(ModelServer(url=setup.fake.address.url, chat="tiny"))
    [example] = build_examples(setup.library.writer, server, True, "Who?")
    head, _, body = example.text.partition("\n\n")
    assert head.splitlines()[0] == f"POST {server.url}/chat/completions"
    assert "Bearer …" in head
    sent = json.loads(body)
    assert "Tobias Quill kept a shop of clocks." in sent["messages"][-1]["content"]
    assert sent["model"] == "tiny" and sent["stream"] is True


@pytest.mark.parametrize(
    ("name", "n"),
    [
        ("qwen2.5-7b-instruct", 7e9), ("llama3.1:8b", 8e9), ("mixtral-8x7B", 56e9),
        ("smollm2-135M", 135e6), ("phi-3-mini-4k", 0), ("gpt-4o", 0), ("v2b1x", 0),
        ("Qwen/Qwen3-1.7B", 1.7e9),
    ],
)  # fmt: skip
def test_the_size_of_a_model_is_read_from_its_name(name: str, n: float):
    assert parse_size_in_name(name) == n


# --- answers --------------------------------------------------------------------------------------


def test_an_answer_is_recorded_with_the_model_that_wrote_it(setup: Setup):
    setup.turn_on()
    assert setup.answer().model == f"tiny @ {setup.fake.address.site}"
    setup.models.turn_off()
    assert setup.answer().model == "local"


def test_nothing_is_sent_while_a_question_is_typed(setup: Setup):
    setup.turn_on()
    setup.fake.requests.clear()
    pipeline = setup.pipeline()
    pipeline.prefetch(None, "What did Tobias Quill keep?")
    pipeline.read_ahead(None, "What did Tobias Quill keep?", cancel=CancelToken())
    assert not setup.fake.requests


def test_a_question_goes_back_to_this_computer_when_the_server_is_gone(setup: Setup):
    changes: list[ModelServerState] = []
    setup.turn_on()
    setup.models.on_change = lambda: changes.append(setup.models.state)
    setup.fake.always = "503"
    assert setup.answer().model == "local"
    [problem] = setup.registry.problems
    assert "Models on this computer are used" in problem.message
    assert setup.fake.address.site in problem.message
    assert changes == [ModelServerState(setup.fake.address.site, is_away=True)]
    n_before = len(setup.fake.requests)
    assert setup.answer("What did Ada Merrow wind?").model == "local"
    assert len(setup.fake.requests) == n_before  # not asked again at once
    setup.now += AWAY_S + 1
    assert setup.answer("Who is Ada Merrow?").model == "local"
    assert len(setup.fake.requests) == n_before + 1  # one short question whether it is back
    setup.now += AWAY_S + 1
    setup.fake.always = ""
    assert setup.answer("Who is Tobias Quill?").model.startswith("tiny @")
    assert changes[-1] == ModelServerState(setup.fake.address.site)
    assert len(setup.registry.problems) == 1


def test_the_model_of_the_server_is_borrowed_by_its_name_and_no_other_takes_its_place(
    setup: Setup,
):
    setup.turn_on()
    name = setup.models.chat_model_name()
    with setup.models.borrow_chat(name) as model:
        assert isinstance(model, RemoteChat)
    setup.fake.always = "503"
    assert setup.answer().model == "local"  # the server is gone now
    with (
        pytest.raises(EnvironmentProblem, match="does not answer"),
        setup.models.borrow_chat(name),
    ):
        pass
    with pytest.raises(UserError), setup.models.borrow_chat("nosuch"):
        pass


def test_without_a_model_here_the_passages_are_the_answer(setup: Setup):
    setup.turn_on()
    setup.registry.local = None
    setup.fake.always = "503"
    answer = setup.answer()
    assert answer.model == "" and "clocks" in answer.text


def test_a_wrong_key_is_an_error_and_no_way_back(setup: Setup):
    setup.turn_on()
    setup.fake.always = "401"
    with pytest.raises(ServerRefused):
        setup.answer()
    assert setup.models.find_chat() is not setup.local


def test_an_answer_that_breaks_off_is_an_error(setup: Setup):
    setup.turn_on()
    setup.fake.always = "cut"
    with pytest.raises(AppError, match="stopped in the middle"):
        setup.answer()


def test_sentences_are_checked_in_words_where_no_probabilities_are_stated(setup: Setup):
    setup.fake.n_top = 0
    setup.turn_on()
    prefers = True

    def reply(body: dict) -> str:
        content = body["messages"][-1]["content"]
        if body["max_tokens"] > 8:
            return "Tobias Quill was the keeper of a shop of clocks [1]."
        is_first = content.rindex("keeper") < content.rindex("does not")
        return "A." if is_first is prefers else "B."

    setup.fake.reply = reply
    assert "keeper of a shop" in setup.answer().text
    assert [b["max_tokens"] for b in setup.fake.chats[-2:]] == [4, 4]  # both orders
    prefers = False
    assert "keeper of a shop" not in setup.answer().text


# --- enrichment -----------------------------------------------------------------------------------


def open_enrichment(setup: Setup) -> EnrichmentService:
    models = setup.models
    return EnrichmentService(
        setup.library.writer, models.find_chat, find_facts=models.find_chat_facts
    )


def list_models(setup: Setup) -> list[str]:
    return [row.model for row in enrichment.fetch_enrichment(setup.library.writer)]


def test_enrichment_lists_in_free_form_what_the_server_can_not_choose(setup: Setup):
    setup.fake.n_top = 0
    setup.turn_on()
    setup.fake.reply = lambda body: (
        "entity | Tobias Quill | person | He kept a shop of clocks.\ndone"
    )
    service = open_enrichment(setup)
    service.enqueue()
    assert service.run().n_done == 1
    assert list_models(setup) == [f"tiny @ {setup.fake.address.site}"]


def test_enrichment_goes_on_with_this_computer_when_the_server_is_gone(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
):
    setup.turn_on()
    service = open_enrichment(setup)
    service.enqueue()
    setup.fake.always = "503"
    local = EnrichmentService(setup.library.writer, lambda: setup.local)._get_facts()
    monkeypatch.setattr(
        "desktop_app.engine.services.library_models.find_chat_facts", lambda registry: local
    )
    result = service.run()
    assert (result.n_done, result.n_failed) == (1, 0)
    assert list_models(setup) == ["local"] and len(setup.registry.problems) == 1


def test_enrichment_without_any_model_stops_and_keeps_its_queue(setup: Setup):
    setup.turn_on()
    setup.registry.local = None
    service = open_enrichment(setup)
    service.enqueue()
    setup.fake.always = "503"
    with pytest.raises(ServerGone):
        service.run()
    assert service.status().total.n_waiting == 1


# --- search by meaning, reranking -----------------------------------------------------------------


def turn_on_search(setup: Setup) -> Retriever:
    """Use the server for search only and return a retriever."""
    url = setup.fake.address.url
    setup.models.set_server(ModelServer(url=url, embedding="e5", reranker="bge"))
    setup.models.turn_on()
    IndexingService(setup.library.writer, setup.models.find_embedder).run()
    models = setup.models
    return Retriever(setup.library.writer, models.find_embedder, models.find_reranker)


@pytest.fixture
def search_setup(setup: Setup) -> Setup:
    setup.fake.dim = 64
    setup.fake.models = ({"id": "e5"}, {"id": "bge"})
    return setup


def count_vectors(setup: Setup) -> tuple[tuple[str, int] | None, int]:
    db = setup.library.writer
    return search.find_embedding_model(db), search.count_unembedded(db)


def test_all_texts_are_embedded_by_the_server_after_the_user_agreed(search_setup: Setup):
    setup = search_setup
    setup.models.set_server(ModelServer(url=setup.fake.address.url, embedding="e5"))
    assert "Quill" not in json.dumps(setup.fake.requests)
    retriever = turn_on_search(setup)
    assert count_vectors(setup) == ((f"e5 @ {setup.fake.address.site}", 64), 0)
    assert setup.models.embedding_name() == f"e5 @ {setup.fake.address.site}"
    found = retriever.find("Who kept a shop of clocks?", QueryParam(mode="naive"))
    assert found.passages and found.passages[0].routes[-1][0] == "reranker"
    assert setup.models.find_chat() is setup.local  # only what was chosen
    assert setup.models.chat_model_name() == setup.registry.chat_model_name()


def test_vectors_are_kept_while_the_server_is_gone(search_setup: Setup):
    setup = search_setup
    turn_on_search(setup)
    setup.fake.always = "503"
    data = setup.pipeline_with_search().query_data("Who kept a shop of clocks?", QueryParam())
    assert data["chunks"]  # by words and names
    assert setup.models.find_embedder() is None and setup.models.find_reranker() is None
    before = count_vectors(setup)
    IndexingService(setup.library.writer, setup.models.find_embedder).run()
    assert count_vectors(setup) == before
    setup.now += AWAY_S + 1
    setup.fake.always = ""
    assert setup.models.find_embedder() is not None


def test_indexing_goes_on_where_the_server_went_away(search_setup: Setup):
    setup = search_setup
    setup.models.set_server(ModelServer(url=setup.fake.address.url, embedding="e5"))
    setup.models.turn_on()
    indexing = IndexingService(setup.library.writer, setup.models.find_embedder)
    setup.fake.always = "503"
    indexing.run()
    assert count_vectors(setup)[1] > 0
    setup.now += AWAY_S + 1
    setup.fake.always = ""
    indexing.run()
    assert count_vectors(setup)[1] == 0


def test_no_half_typed_question_is_embedded(search_setup: Setup):
    setup = search_setup
    turn_on_search(setup)
    setup.fake.requests.clear()
    pipeline = setup.pipeline_with_search()
    assert pipeline.prefetch(None, "Who kept a sh") is None
    pipeline.read_ahead(None, "Who kept a sh", cancel=CancelToken())
    assert not setup.fake.requests
