"""The first thing that a request meets: who asks, how much is sent, and how often.

Pure ASGI, so that a body is counted while it comes in and an answer that nobody reads ends. Knows
no library. A web page of another site can send requests to this machine: the address in `Host`
and `Origin` tells it apart, and it does not know the token.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Pages about the server itself, which show nothing of a library: a browser sends no token.
OPEN_PATHS = frozenset(("/", "/docs", "/openapi.json", "/health"))
LARGE_PATHS = frozenset(("/documents/upload",))
WRITTEN_FOR_PEOPLE = {
    401: "The token is missing or wrong. Send “Authorization: Bearer TOKEN” or “X-API-Key: TOKEN”.",
    403: "This server answers programs on this machine only, not pages of other sites.",
    408: "The request came too slowly.",
    413: "The request is too large.",
    421: "The Host of the request is not this server.",
    429: "Too many requests. Wait a moment.",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """What one server accepts.

    A program on the same machine sends a question in one packet, so the times are generous.

    Attributes:
        max_body_bytes: of a request; a question has at most some kB.
        max_upload_bytes: of a request with a file.
        n_requests, within_s: so many requests of all clients in so many seconds.
        body_s: until the whole body has come.
        send_s: until the client has taken the next part of the answer.
    """

    max_body_bytes: int = 1 << 20
    max_upload_bytes: int = 200 << 20
    n_requests: int = 240
    within_s: float = 10.0
    body_s: float = 15.0
    send_s: float = 30.0


DEFAULT_LIMITS = Limits()


@dataclass(slots=True)
class ServedRequest:
    """One request for the list of the last ones; without its query, which may hold a question."""

    client: str
    method: str
    path: str
    status: int = 0
    seconds: float = 0.0
    at: float = field(default_factory=time.time)


class Refused(Exception):
    """The request is refused with this status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class RequestGuard:
    """Checks each request before the application sees it.

    Args:
        build_error: makes the response to a path with a status and a text.
        on_request: gets each request after its end.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str,
        port: int,
        build_error: Callable[[str, int, str], ASGIApp],
        on_request: Callable[[ServedRequest], None] = lambda request: None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._app, self._token, self._limits = app, token.encode(), limits
        self._build_error, self._on_request = build_error, on_request
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._times: deque[float] = deque(maxlen=limits.n_requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        request = ServedRequest(
            read_client(connection.headers.get("user-agent", "")), scope["method"], scope["path"]
        )
        scope.setdefault("state", {})["client"] = request.client
        begun = time.monotonic()
        is_begun = False

        async def send_in_time(message: Message) -> None:
            nonlocal is_begun
            if message["type"] == "http.response.start":
                request.status, is_begun = message["status"], True
            async with asyncio.timeout(self._limits.send_s):
                await send(message)

        try:
            self._check(connection)
            body = await self._read_body(connection, receive)
            await self._app(scope, _replay(body, receive), send_in_time)
        except Refused as refusal:
            text = WRITTEN_FOR_PEOPLE[refusal.status]
            response = self._build_error(request.path, refusal.status, text)
            await response(scope, receive, send_in_time)
        except TimeoutError:
            if is_begun:  # nobody reads the answer: uvicorn closes the connection
                request.status = 499
            raise
        finally:
            request.seconds = time.monotonic() - begun
            self._on_request(request)

    def _check(self, connection: HTTPConnection) -> None:
        headers = connection.headers
        if headers.get("host", "").lower() not in self._hosts:
            raise Refused(421)
        if headers.get("origin", next(iter(self._origins))).lower() not in self._origins:
            raise Refused(403)
        now = time.monotonic()
        is_full = len(self._times) == self._limits.n_requests
        if is_full and now - self._times[0] < self._limits.within_s:
            raise Refused(429)
        self._times.append(now)
        if connection.scope["path"] not in OPEN_PATHS and not self._has_token(headers):
            raise Refused(401)

    def _has_token(self, headers: Any) -> bool:
        kind, _, value = headers.get("authorization", "").partition(" ")
        given = value.strip() if kind.lower() == "bearer" else headers.get("x-api-key", "")
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._token)

    async def _read_body(self, connection: HTTPConnection, receive: Receive) -> bytes:
        """Return the whole body, which is refused as soon as it is too large or too slow."""
        limits = self._limits
        is_large = connection.scope["path"] in LARGE_PATHS
        most = limits.max_upload_bytes if is_large else limits.max_body_bytes
        length = connection.headers.get("content-length", "0")
        if not length.isdigit() or int(length) > most:
            raise Refused(413)
        pieces, n_bytes, more = [], 0, True
        try:
            async with asyncio.timeout(limits.body_s * (10 if is_large else 1)):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        break
                    pieces.append(message.get("body", b""))
                    n_bytes += len(pieces[-1])
                    if n_bytes > most:
                        raise Refused(413)
                    more = message.get("more_body", False)
        except TimeoutError as error:
            raise Refused(408) from error
        return b"".join(pieces)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the body that was read, and then waits for the end."""
    is_given = False

    async def give() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return give


def read_client(user_agent: str) -> str:
    """Return the name of a program from its `User-Agent`: “OpenAI/Python 3.57” is “OpenAI”."""
    word = user_agent.strip().split(" ")[0].partition("/")[0]
    return "".join(c for c in word if c.isprintable())[:40] or "unnamed program"
