"""Requests to one model server: time-outs, retries, limits, and what went wrong in plain words.

Only the address that the user entered is contacted: redirects are refused, and proxies of the
environment are not used. Requests of one client run side by side in the event loop of one thread,
so that a cancelled request is closed at once, and the server stops its work. Knows nothing of
models. What is sent and received is never logged.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import queue
import ssl
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import aclosing, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from ...errors import Cancelled
from ...log_files import plain
from ...messages import Message
from ...progress import CancelToken
from .address import ServerAddress
from .contract import (
    USUAL_LIMITS,
    BadServerAnswer,
    RequestLimits,
    ServerGone,
    ServerRefused,
    TooLongForServer,
    unusable_answer,
)

if TYPE_CHECKING:
    import httpx2

log = logging.getLogger(__name__)

T = TypeVar("T")

# Overloaded, restarting or behind a proxy that is: the same request may succeed a little later.
_TRY_AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504))
_BUSY = 429
_NEEDS_KEY = (401, 403)
_MAX_RETRY_AFTER_S = 20.0  # a server that wants a longer pause counts as not there
_CLOSE_S = 1.0
_MAX_REASON_CHARS = 200
_MAX_PROBLEM_BYTES = 20_000
# In the words of llama-server, vLLM, Ollama and OpenAI, where a prompt is too long.
_TOO_LONG = ("context length", "context size", "context window", "maximum context", "n_ctx",
             "too long", "too large", "too many tokens", "exceed_context_size")  # fmt: skip


_NO_REASON = Message("no reason given")


class _Loop:
    """The thread with the event loop that all clients of the process share; made at first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._ensure())

    def _ensure(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                loop = self._loop = asyncio.new_event_loop()
                threading.Thread(target=loop.run_forever, name="model-server", daemon=True).start()
            return self._loop


_loop = _Loop()


class ServerClient:
    """Sends requests to one address; may be used from any thread.

    Args:
        key: sent as a bearer token, "" for none.
        n_at_once: requests that run side by side; further ones wait.

    Raises:
        ServerGone, ServerRefused, BadServerAnswer, TooLongForServer: by all requests.
        Cancelled: by all requests whose token was set.
    """

    def __init__(
        self,
        address: ServerAddress,
        key: str = "",
        *,
        n_at_once: int = 4,
        limits: RequestLimits = USUAL_LIMITS,
    ) -> None:
        self.address, self.limits = address, limits
        self.n_at_once = n_at_once
        self._headers = {"Accept-Encoding": "identity", "User-Agent": "Inkgraph"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._key = key
        # Called in the thread of the event loop when the server is gone.
        self.on_gone: Callable[[ServerGone], None] = lambda problem: None
        self._client: httpx2.AsyncClient | None = None
        self._free: asyncio.Semaphore | None = None

    def get(self, path: str, cancel: CancelToken | None = None) -> dict[str, Any]:
        """Return the JSON object at a path below the address."""
        return self.run(lambda: self._retry(lambda: self._fetch("GET", path, None)), cancel)

    def post(
        self, path: str, body: dict[str, Any], cancel: CancelToken | None = None
    ) -> dict[str, Any]:
        """Send a JSON object and return the JSON object of the answer."""
        return self.run(lambda: self.request(path, body), cancel)

    def submit(
        self, work: Callable[[], Coroutine[Any, Any, Any]], done: Callable[[Any], None]
    ) -> Future[None]:
        """Begin work that calls `request` and `read_stream`; cancel the future to stop it.

        `done` gets the result or the error, in another thread.
        """

        async def run() -> None:
            try:
                done(await work())
            except asyncio.CancelledError:
                done(Cancelled())
                raise
            except Exception as error:
                done(error)

        return _loop.submit(run())

    async def request(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a JSON object and return the JSON object of the answer; see `submit`."""
        return await self._retry(lambda: self._fetch("POST", path, body))

    async def read_stream(
        self, path: str, body: dict[str, Any], take: Callable[[dict[str, Any]], bool]
    ) -> None:
        """Give the events of a stream to `take` until it returns False; see `submit`.

        After the first event nothing is tried again.
        """

        async def read() -> None:
            events = self._iter_events(path, body)
            async with aclosing(events):
                async for event in events:
                    if not take(event):
                        return

        await self._retry(read)

    def stream(
        self, path: str, body: dict[str, Any], cancel: CancelToken | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the events of a stream. Closing the iterator closes the connection.

        Ends without raising when cancelled.
        """
        cancel = cancel or CancelToken()
        events: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def take(event: dict[str, Any]) -> bool:
            events.put(event)
            return True

        future = self.submit(
            lambda: self.read_stream(path, body, take), lambda end: events.put((end,))
        )
        try:
            with cancel.notifying(lambda: events.put((None,))):
                while not cancel.cancelled:
                    got = events.get()
                    if not isinstance(got, tuple):
                        yield got
                    elif isinstance(got[0], BaseException):
                        raise got[0]
                    else:
                        return
        finally:
            future.cancel()

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(TimeoutError):
                _loop.submit(client.aclose()).result(_CLOSE_S)

    # --- in the calling thread --------------------------------------------------------------------

    def run(
        self, send: Callable[[], Coroutine[Any, Any, T]], cancel: CancelToken | None = None
    ) -> T:
        """Return the result of work that calls `request` and `read_stream`."""
        cancel = cancel or CancelToken()
        cancel.check()
        future = _loop.submit(send())
        with cancel.notifying(lambda: _cancel(future)):
            if cancel.cancelled:
                future.cancel()
            try:
                return future.result()
            except CancelledError:
                raise Cancelled from None

    # --- in the thread of the event loop ----------------------------------------------------------

    async def _retry(self, send: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of `send`, which is tried again after failures that may pass."""
        if self._free is None:
            self._free = asyncio.Semaphore(self.n_at_once)
        async with self._free:
            try:
                for wait_s in self.limits.waits_s:
                    try:
                        return await send()
                    except _TryAgain as failure:
                        if failure.wait_s > _MAX_RETRY_AFTER_S:
                            raise failure.problem from failure.__cause__
                        log.info("a model server failed (%s); tried again", plain(failure.what))
                        pause_s = max(wait_s, failure.wait_s)
                    await asyncio.sleep(pause_s)
                try:
                    return await send()
                except _TryAgain as failure:
                    raise failure.problem from failure.__cause__
            except ServerGone as problem:
                self.on_gone(problem)
                raise

    async def _fetch(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        async with self._open(method, path, body) as response:
            self._check_type(response, "application/json")
            data = b"".join([part async for part in self._iter_bytes(response)])
        found = self._decode(data)
        return found

    async def _iter_events(
        self, path: str, body: dict[str, Any]
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the JSON objects of an event stream up to "[DONE]".

        Raises:
            BadServerAnswer: the stream was cut.
        """
        is_begun = False
        try:
            async with self._open("POST", path, body) as response:
                self._check_type(response, "text/event-stream")
                left = b""
                async for part in self._iter_bytes(response):
                    *lines, left = (left + part).split(b"\n")
                    for line in lines:
                        if not line.startswith(b"data:"):
                            continue
                        data = line[5:].strip()
                        if data == b"[DONE]":
                            return
                        event = self._decode(data)
                        if "error" in event:
                            raise self._describe_status(500, json.dumps(event).encode(), "")
                        is_begun = True
                        yield event
        except _TryAgain as failure:
            if not is_begun:
                raise
            raise self._was_cut() from failure
        raise self._was_cut()

    @asynccontextmanager
    async def _open(
        self, method: str, path: str, body: dict[str, Any] | None
    ) -> AsyncIterator[httpx2.Response]:
        """Open a request whose status is 200; its answer is still to be read."""
        import httpx2

        try:
            async with asyncio.timeout(self.limits.total_s):
                client = self._ensure_client()
                url = f"{self.address.url}{path}"
                content = None if body is None else _encode(body)
                headers = {} if body is None else {"Content-Type": "application/json"}
                async with client.stream(method, url, content=content, headers=headers) as response:
                    if response.status_code != 200:
                        await self._raise_status(response)
                    yield response
        except httpx2.ConnectTimeout as error:
            raise _TryAgain(
                self._gone(Message("no connection in time")), "no connection"
            ) from error
        except (httpx2.TimeoutException, TimeoutError) as error:
            raise ServerGone(
                "{site} did not answer within {n:.0f} seconds.",
                "A slow server needs a longer time-out in its settings.",
                site=self.address.site,
                n=self.limits.silence_s,
            ) from error
        except httpx2.ConnectError as error:
            reason, is_certificate = _find_reason(error)
            if is_certificate:
                raise ServerRefused(
                    "The certificate of {site} is not valid: {reason}. Nothing was sent.",
                    "Correct it on the server, or have this computer trust its issuer.",
                    site=self.address.site,
                    reason=reason,
                ) from error
            raise _TryAgain(self._gone(reason), "no connection") from error
        except httpx2.DecodingError as error:
            raise unusable_answer(self.address.site, Message("its encoding is wrong")) from error
        except httpx2.TransportError as error:
            raise _TryAgain(
                self._gone(Message("the connection was lost")), "lost connection"
            ) from error

    def _ensure_client(self) -> httpx2.AsyncClient:
        if self._client is None:
            import httpx2

            limits = self.limits
            self._client = httpx2.AsyncClient(
                verify=ssl.create_default_context() if self.address.is_encrypted else True,
                headers=self._headers,
                timeout=httpx2.Timeout(limits.silence_s, connect=limits.connect_s, pool=None),
                limits=httpx2.Limits(max_connections=self.n_at_once),
                follow_redirects=False,
                trust_env=False,  # no proxy, no .netrc
            )
        return self._client

    async def _iter_bytes(self, response: httpx2.Response) -> AsyncIterator[bytes]:
        n_bytes = 0
        async for part in response.aiter_raw():
            n_bytes += len(part)
            if n_bytes > self.limits.answer_bytes:
                raise unusable_answer(self.address.site, Message("it is too large"))
            yield part

    async def _raise_status(self, response: httpx2.Response) -> None:
        """Raise the error of an answer without a result."""
        data = b""
        async for part in response.aiter_raw():
            data += part
            if len(data) > _MAX_PROBLEM_BYTES:
                break
        raise self._describe_status(
            response.status_code, data, response.headers.get("Retry-After", "")
        )

    def _describe_status(self, status: int, data: bytes, retry_after: str) -> Exception:
        site = self.address.site
        reason = self._find_reason(data)
        if any(words in reason.casefold() for words in _TOO_LONG) and status in (400, 413, 500):
            return TooLongForServer(
                "The question and its sources are too long for the model on {site}: {reason}",
                "Ask with fewer sources, start a new chat, or raise the context of the server.",
                site=site,
                reason=reason,
            )
        if status in _TRY_AGAIN:
            wait_s = float(retry_after) if retry_after.strip().isdigit() else 0.0
            problem = ServerGone(
                "{site} is too busy (status {status}: {reason})."
                if status == _BUSY
                else "{site} failed (status {status}: {reason}).",
                "Try again later, or look at the server.",
                site=site,
                status=status,
                reason=reason,
            )
            return _TryAgain(problem, f"status {status}", wait_s)
        if status in _NEEDS_KEY:
            return ServerRefused(
                "{site} refuses the key, or needs one.",
                "Enter the key of the server again.",
                site=site,
            )
        if 300 <= status < 400:
            return ServerRefused(
                "{site} sends requests on to another address. Nothing was sent there.",
                "Enter the address that it leads to, if you trust it.",
                site=site,
            )
        if status == 404:
            return ServerRefused(
                "{site} does not know this model or this address: {reason}.",
                "Check the address, which usually ends with /v1, and choose the model again.",
                site=site,
                reason=reason,
            )
        return ServerRefused(
            "{site} refuses the request (status {status}: {reason}).",
            "Check that it is an OpenAI-compatible server, and choose the model again.",
            site=site,
            status=status,
            reason=reason,
        )

    def _check_type(self, response: httpx2.Response, wanted: str) -> None:
        found = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if found != wanted:
            raise unusable_answer(
                self.address.site,
                Message("it is “{found}” instead of “{wanted}”", found=found, wanted=wanted),
            )
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise unusable_answer(self.address.site, Message("it is compressed"))

    def _decode(self, data: bytes) -> dict[str, Any]:
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            raise unusable_answer(self.address.site, Message("it is not JSON")) from None
        if not isinstance(found, dict):
            raise unusable_answer(self.address.site, Message("it is no JSON object"))
        return found

    def _find_reason(self, data: bytes) -> str | Message:
        """Return what a server states about an error, as one short line without the key."""
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            return _NO_REASON
        error = found.get("error", found.get("detail", found)) if isinstance(found, dict) else found
        text = error.get("message", "") if isinstance(error, dict) else error
        if not isinstance(text, str):
            return _NO_REASON
        if self._key:
            text = text.replace(self._key, "…")
        text = "".join(c if c.isprintable() else " " for c in text)
        return " ".join(text.split())[:_MAX_REASON_CHARS].rstrip(". ") or _NO_REASON

    def _gone(self, reason: str | Message) -> ServerGone:
        return ServerGone(
            "{site} can't be reached: {reason}.",
            "Check that the server runs, its address and the network.",
            site=self.address.site,
            reason=reason,
        )

    def _was_cut(self) -> BadServerAnswer:
        return BadServerAnswer(
            "{site} stopped in the middle of the answer.", "Ask again.", site=self.address.site
        )


class _TryAgain(Exception):
    """A failure that may pass; `problem` is the error if it does not.

    Args:
        what: for the log.
        wait_s: the pause that the server asks for.
    """

    def __init__(self, problem: ServerGone, what: str, wait_s: float = 0.0) -> None:
        super().__init__(what)
        self.problem, self.what, self.wait_s = problem, what, wait_s


def _cancel(future: Future[Any]) -> None:
    future.cancel()


def _encode(body: dict[str, Any]) -> bytes:
    # Half a surrogate pair can come from a damaged PDF; servers refuse it.
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def _find_reason(error: BaseException) -> tuple[str | Message, bool]:
    """Return why no connection was made, and whether that is the certificate of the server."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return cause.verify_message, True
        if isinstance(cause, OSError) and cause.errno and cause.errno > 0:
            return os.strerror(cause.errno), False
        cause = cause.__cause__ or cause.__context__
    return Message("no connection"), False
