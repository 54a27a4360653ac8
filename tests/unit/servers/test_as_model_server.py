"""Tests Inkgraph's own HTTP server as the model server of another library."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.llm.remote.address import parse_address
from desktop_app.engine.llm.remote.chat import RemoteChat, find_features, list_server_models
from desktop_app.engine.llm.remote.client import ServerClient, ServerRefused
from desktop_app.engine.model import ChatMessage
from desktop_app.servers.openai_routes import embed_texts
from tests.fakes import HashEmbedder
from tests.unit.servers.conftest import ANSWER, TOKEN, Served

pytestmark = pytest.mark.loopback


def test_the_server_of_another_library_answers(served: Served):
    address = parse_address(served.server.address)
    client = ServerClient(address, "wrong")
    with pytest.raises(ServerRefused, match="refuses the key"):
        list_server_models(client)
    client.close()
    client = ServerClient(address, TOKEN)
    first, *_ = list_server_models(client)
    features = find_features(client, first)
    assert first.name == "inkgraph" and not features.continues and not features.n_top
    model = RemoteChat(client, first.name, features)
    question = [ChatMessage("user", "Who wound the clocks every night?")]
    assert ANSWER.removesuffix(" [1].") in "".join(model.stream(question))
    model.close()


def test_texts_with_the_prefix_of_the_model_are_embedded_as_what_they_say():
    model = HashEmbedder(name="e5-of-tests")
    said = ["query: Who wound the clocks?", "passage: Clara Wren.", "Clara Wren."]
    rows = embed_texts(model, said)
    assert np.array_equal(rows[0], model.embed_query("Who wound the clocks?"))
    assert np.array_equal(rows[1], model.embed_passages(["Clara Wren."])[0])
    assert np.array_equal(rows[1], rows[2])
    plain = HashEmbedder()
    assert np.array_equal(embed_texts(plain, said), plain.embed_passages(said))
