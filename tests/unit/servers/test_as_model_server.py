"""Tests Inkgraph's own HTTP server as the model server of another library."""

from __future__ import annotations

import pytest

from desktop_app.engine.llm.remote.address import parse_address
from desktop_app.engine.llm.remote.chat import RemoteChat, find_features, list_server_models
from desktop_app.engine.llm.remote.client import ServerClient, ServerRefused
from desktop_app.engine.model import ChatMessage
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
