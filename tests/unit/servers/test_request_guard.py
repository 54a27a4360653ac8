"""Who may ask, how much and how often: requests to the guard without a socket."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from desktop_app.servers.http_app import build_error
from desktop_app.servers.request_guard import (
    DEFAULT_LIMITS,
    Limits,
    RequestGuard,
    ServedRequest,
    read_client,
)

TOKEN = "a token for tests only"
GOOD = {"host": "127.0.0.1:9621", "authorization": f"Bearer {TOKEN}"}


class Application:
    """Answers with the size of what was sent."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        message = await receive()
        self.bodies.append(message["body"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})


class Exchange:
    """One guard and what passed it."""

    def __init__(self, limits: Limits = DEFAULT_LIMITS) -> None:
        self.app, self.seen = Application(), []
        self.guard = RequestGuard(
            self.app,
            token=TOKEN,
            port=9621,
            build_error=build_error,
            on_request=self.seen.append,
            limits=limits,
        )

    def ask(
        self,
        headers: dict[str, str],
        path: str = "/query",
        pieces: list[bytes] | None = None,
        *,
        pause_s: float = 0.0,
        is_taken: bool = True,
    ) -> int:
        """Send a request in pieces; return the status of the answer."""
        sent: list[int] = []
        given = iter(pieces if pieces is not None else [b"{}"])
        waiting = list(given)

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(pause_s)
            if not waiting:
                return {"type": "http.disconnect"}
            body = waiting.pop(0)
            return {"type": "http.request", "body": body, "more_body": bool(waiting)}

        async def send(message: dict[str, Any]) -> None:
            if not is_taken:
                await asyncio.sleep(60)
            if message["type"] == "http.response.start":
                sent.append(message["status"])

        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
        }
        asyncio.run(self.guard(scope, receive, send))
        return sent[0]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 200),
        ({"authorization": "", "x-api-key": TOKEN}, 200),
        ({"host": "localhost:9621", "origin": "http://localhost:9621"}, 200),
        ({"authorization": "Bearer wrong"}, 401),
        ({"authorization": ""}, 401),
        ({"authorization": f"Basic {TOKEN}"}, 401),
        ({"authorization": "Bearer ключ"}, 401),
        ({"origin": "https://example.org"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:8000"}, 403),
        ({"host": "example.org:9621"}, 421),  # a name that another site resolves to this machine
        ({"host": "127.0.0.1"}, 421),
        ({"host": ""}, 421),
        ({"content-length": "1048577"}, 413),
        ({"content-length": "-1"}, 413),
        ({"content-length": "many"}, 413),
    ],
)
def test_only_programs_with_the_token_pass(change: dict[str, str], status: int):
    exchange = Exchange()
    assert exchange.ask({**GOOD, **change}) == status
    assert len(exchange.app.bodies) == (status == 200)
    assert [one.status for one in exchange.seen] == [status]


def test_pages_about_the_server_need_no_token_but_the_right_address():
    exchange = Exchange()
    assert exchange.ask({"host": "127.0.0.1:9621"}, "/docs") == 200
    assert exchange.ask({"host": "example.org"}, "/docs") == 421
    assert exchange.ask({"host": "127.0.0.1:9621"}, "/documents") == 401


def test_a_body_is_refused_as_soon_as_it_is_too_large_or_too_slow():
    exchange = Exchange(Limits(max_body_bytes=10, max_upload_bytes=100, body_s=0.05))
    assert exchange.ask(GOOD, pieces=[b"12345", b"67890"]) == 200
    assert exchange.ask(GOOD, pieces=[b"12345", b"678901", b"not read"]) == 413
    assert exchange.ask(GOOD, "/documents/upload", pieces=[b"x" * 100]) == 200
    assert exchange.ask(GOOD, "/documents/upload", pieces=[b"x" * 101]) == 413
    assert exchange.ask(GOOD, pieces=[b"1", b"2", b"3", b"4", b"5"], pause_s=0.03) == 408
    assert exchange.app.bodies == [b"1234567890", b"x" * 100]


def test_too_many_requests_are_refused_for_a_while():
    exchange = Exchange(Limits(n_requests=3, within_s=60))
    assert [exchange.ask(GOOD) for _ in range(5)] == [200, 200, 200, 429, 429]
    exchange = Exchange(Limits(n_requests=3, within_s=0))
    assert [exchange.ask(GOOD) for _ in range(5)] == [200] * 5


def test_an_answer_that_nobody_takes_ends():
    exchange = Exchange(Limits(send_s=0.01))
    with pytest.raises(TimeoutError):
        exchange.ask(GOOD, is_taken=False)
    assert exchange.seen[0].status == 499


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("OpenAI/Python 3.57.0", "OpenAI"),
        ("curl/8.14.1", "curl"),
        ("Mozilla/5.0 (X11)", "Mozilla"),
        ("", "unnamed program"),
        ("\x1b[31m/1", "[31m"),
        ("x" * 1000, "x" * 40),
    ],
)
def test_a_program_is_named_by_its_user_agent(agent: str, name: str):
    assert read_client(agent) == name


def test_the_list_of_requests_has_no_text_of_the_user():
    assert ServedRequest("curl", "GET", "/graphs").path == "/graphs"
    exchange = Exchange()
    exchange.ask(GOOD, "/graph/label/search")
    assert exchange.seen[0].path == "/graph/label/search"
