"""Tests the client of model servers against a server that fails in every way."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from desktop_app.engine.errors import AppError, Cancelled, UserError
from desktop_app.engine.llm.remote.address import parse_address
from desktop_app.engine.llm.remote.client import (
    BadServerAnswer,
    RequestLimits,
    ServerClient,
    ServerGone,
    ServerRefused,
    TooLongForServer,
)
from desktop_app.engine.progress import CancelToken
from tests.chat_server import ChatServer, serve_chat

pytestmark = pytest.mark.loopback

LIMITS = RequestLimits(waits_s=(0.0, 0.0, 0.0), answer_bytes=200_000)
BODY = {"model": "tiny", "messages": [{"role": "user", "content": "Colours?"}]}
STREAM = BODY | {"stream": True}
PATH = "/chat/completions"


opened: list[ServerClient] = []


@pytest.fixture
def fake() -> Iterator[ChatServer]:
    with serve_chat(ChatServer()) as server:
        yield server
        while opened:
            opened.pop().close()


def open_client(fake: ChatServer, key: str = "", **limits: float) -> ServerClient:
    client = ServerClient(fake.address, key, limits=replace(LIMITS, **limits))  # type: ignore[arg-type]
    opened.append(client)
    return client


def read_text(client: ServerClient) -> str:
    events = list(client.stream(PATH, STREAM))
    return "".join(e["choices"][0]["delta"].get("content", "") for e in events if e["choices"])


# --- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "url", "site"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1", "127.0.0.1:8080"),
        (" https://Models.Example.org/v1/ ", "https://models.example.org/v1", "models.example.org"),
        ("http://[::1]:9/v1/chat/completions", "http://[::1]:9/v1", "[::1]:9"),
        ("https://example.org/api/openai", "https://example.org/api/openai", "example.org"),
    ],
)
def test_an_address_is_understood_as_people_write_it(text: str, url: str, site: str):
    address = parse_address(text)
    assert (address.url, address.site) == (url, site)


@pytest.mark.parametrize(
    "text",
    ["", "8080", "localhost:8080", "ftp://example.org", "file:///etc/passwd", "http://",
     "http://a b", "http://u:p@example.org", "http://example.org/v1?x=1", "http://example.org:x",
     "javascript:alert(1)", "http://exämple.org", "http://a\\b"],
)  # fmt: skip
def test_other_texts_are_refused_with_a_sentence(text: str):
    with pytest.raises(UserError):
        parse_address(text)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("http://127.0.0.1:8080", False), ("http://localhost", False), ("http://[::1]", False),
        ("http://192.168.1.20:8080", False), ("http://10.1.2.3", False), ("http://gpu", False),
        ("http://gpu.local:11434", False), ("https://models.example.org", False),
        ("http://models.example.org", True), ("http://8.8.8.8", True),
        ("http://local.example.org", True), ("http://[2606:4700::1111]", True),
    ],
)  # fmt: skip
def test_only_plain_http_across_the_internet_needs_a_confirmation(text: str, asks: bool):
    assert parse_address(text).needs_confirmation is asks


# --- faults ---------------------------------------------------------------------------------------


def test_a_good_answer_is_returned(fake: ChatServer):
    client = open_client(fake)
    assert client.get("/models")["data"] == [{"id": "tiny"}]
    assert client.post(PATH, BODY)["choices"][0]["message"]["content"] == "Red, green and blue."
    assert read_text(client) == "Red, green and blue."


@pytest.mark.parametrize("fault", ["500", "502", "503", "504", "429", "busy", "408", "lost"])
def test_a_failure_that_may_pass_is_tried_again_and_ends_as_gone(fake: ChatServer, fault: str):
    client = open_client(fake)
    fake.faults = [fault, fault]
    assert client.post(PATH, BODY)["choices"]
    assert len(fake.chats) == 3
    fake.faults = [fault, fault]
    assert read_text(client) == "Red, green and blue."
    fake.always = fault
    with pytest.raises(ServerGone, match=r"127\.0\.0\.1"):
        client.post(PATH, BODY)
    assert len(fake.chats) == 3 + 3 + 4


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        ("401", ServerRefused, "refuses the key"),
        ("403", ServerRefused, "refuses the key"),
        ("404", ServerRefused, "does not know this model"),
        ("400", ServerRefused, "fault 400"),
        ("redirect", ServerRefused, "Nothing was sent there"),
        ("too long", TooLongForServer, "too long for the model"),
        ("far too busy", ServerGone, "too busy"),
        ("page", BadServerAnswer, "text/html"),
        ("not json", BadServerAnswer, "not JSON"),
        ("deep", BadServerAnswer, "not JSON"),
        ("a list", BadServerAnswer, "no JSON object"),
        ("huge", BadServerAnswer, "text/event-stream"),
    ],
)
def test_a_failure_that_stays_is_described_and_not_tried_again(
    fake: ChatServer, fault: str, error: type[AppError], words: str
):
    fake.always = fault
    with pytest.raises(error, match=words):
        open_client(fake).post(PATH, BODY)
    assert len(fake.requests) == 1


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("cut", "stopped in the middle"),
        ("huge", "too large"),
        ("broken events", "not JSON"),
        ("not json", "application/json"),
        ("page", "text/html"),
    ],
)
def test_a_stream_that_goes_wrong_is_described(fake: ChatServer, fault: str, words: str):
    fake.always = fault
    with pytest.raises(BadServerAnswer, match=words):
        read_text(open_client(fake))
    assert len(fake.requests) == 1


def test_an_error_inside_a_stream_is_an_error(fake: ChatServer):
    fake.always = "error event"
    with pytest.raises(ServerGone, match="out of memory"):
        read_text(open_client(fake))


def test_a_silent_server_and_one_without_an_end_are_given_up(fake: ChatServer):
    fake.always = "silent"
    with pytest.raises(ServerGone, match="did not answer"):
        open_client(fake, silence_s=0.1).post(PATH, BODY)
    fake.always = "drip"
    with pytest.raises(ServerGone, match="did not answer"):
        read_text(open_client(fake, silence_s=1.0, total_s=0.2))


def test_nobody_at_the_address_is_gone(fake: ChatServer):
    client = ServerClient(parse_address("http://127.0.0.1:1"), limits=LIMITS)
    with pytest.raises(ServerGone, match="can't be reached: Connection refused"):
        client.get("/models")


# --- only this address, and nothing of the key ----------------------------------------------------


def test_neither_redirects_nor_proxies_of_the_environment_are_followed(
    fake: ChatServer, monkeypatch: pytest.MonkeyPatch
):
    with serve_chat(ChatServer()) as other:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{other.port}")
        fake.redirect = f"http://127.0.0.1:{other.port}/v1"
        fake.faults = ["redirect"]
        with pytest.raises(ServerRefused):
            open_client(fake).post(PATH, BODY)
        assert read_text(open_client(fake)) == "Red, green and blue."
        assert not other.requests


def test_the_key_is_sent_and_is_in_no_error(fake: ChatServer):
    fake.key = "sk-secret-1"
    assert open_client(fake, "sk-secret-1").get("/models")
    fake.headers.clear()
    with pytest.raises(ServerRefused) as refused:
        open_client(fake, "sk-wrong").get("/models")
    assert fake.headers[0]["Authorization"] == "Bearer sk-wrong"
    assert "sk-" not in str(refused.value)
    fake.always = "400"
    with pytest.raises(ServerRefused) as refused:
        open_client(fake, "fault").get("/models")
    assert "fault" not in str(refused.value)


# --- stopping -------------------------------------------------------------------------------------


def test_a_cancelled_request_ends_at_once_and_closes_its_connection(fake: ChatServer):
    fake.hold = threading.Event()
    cancel, client = CancelToken(), open_client(fake)
    threading.Timer(0.05, cancel.cancel).start()
    with pytest.raises(Cancelled):
        client.post(PATH, BODY, cancel)
    threading.Timer(0.05, cancel.cancel).start()
    assert list(client.stream(PATH, STREAM, CancelToken(cancel))) == []
    fake.hold.set()


def test_a_stream_that_is_not_read_further_closes_its_connection(fake: ChatServer):
    fake.always = "drip"
    fake.faults = []
    fake.reply = lambda body: "word " * 20_000
    fake.always = ""
    events = open_client(fake, answer_bytes=100_000_000).stream(PATH, STREAM)
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert fake.left.wait(5)
