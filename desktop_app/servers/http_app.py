"""What the operations of all APIs share: state, reading of bodies, running of work, errors.

Knows no operation: each API has a module of its own, and `http_server` collects their routes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from ..engine.errors import AppError, Cancelled, EnvironmentProblem, UserError
from ..engine.model import Answer
from ..engine.progress import CancelToken, Progress
from ..engine.query import QueryParam
from .library_access import EditingRefused, LibraryAccess

log = logging.getLogger(__name__)

MAX_WAITING = 4  # questions; one more is refused, so that programs don't wait for minutes
T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Operation:
    """One route with what the description of the API says about it.

    Attributes:
        endpoint: gets the state and the request.
        body: the model of the JSON that is sent, None without one.
        query: name -> description of the parameters in the address.
        edits: it changes the library, and is there only if that is allowed.
    """

    method: str
    path: str
    summary: str
    endpoint: Callable[[ServerState, Request], Any]
    body: type[BaseModel] | None = None
    query: dict[str, str] = field(default_factory=dict)
    edits: bool = False


@dataclass
class ServerState:
    """What the routes work with."""

    access: LibraryAccess
    start_indexing: Callable[[], None]
    is_indexing: Callable[[], bool]
    n_asking: int = 0

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Run work of the engine in a thread."""
        return await asyncio.to_thread(work, *args)

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[None]:
        """Count a question; refuse it if too many wait."""
        if self.n_asking > MAX_WAITING:
            raise HTTPException(
                503, "Other questions are waiting. Ask again later.", {"Retry-After": "10"}
            )
        self.n_asking += 1
        try:
            yield
        finally:
            self.n_asking -= 1

    async def follow(
        self, question: str, param: QueryParam
    ) -> AsyncGenerator[Progress | Answer, None]:
        """Yield the steps of an answer, then the `Answer`; closing it stops the model.

        The thread that asks never waits for the client.
        """
        loop, found = asyncio.get_running_loop(), asyncio.Queue[Any]()
        cancel = CancelToken()

        def put(one: object) -> None:
            loop.call_soon_threadsafe(found.put_nowait, one)

        def ask() -> None:
            try:
                put(self.access.answer(question, param, cancel, put))
            except BaseException as error:  # raised again where the answer is awaited
                put(error)

        async with self.asking():
            threading.Thread(target=ask, name="asking", daemon=True).start()
            try:
                one = None
                while not isinstance(one, Answer):
                    one = await found.get()
                    if isinstance(one, BaseException):
                        raise one
                    yield one
            finally:
                cancel.cancel()

    async def answer(self, request: Request, question: str, param: QueryParam) -> Answer:
        """Return the answer; stop the model if the client leaves before."""

        async def take() -> Answer:
            async with aclosing(self.follow(question, param)) as events:
                async for one in events:
                    if isinstance(one, Answer):
                        return one
            raise Cancelled

        answering = asyncio.ensure_future(take())
        leaving = asyncio.ensure_future(_wait_for_end(request))
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                raise Cancelled
            return answering.result()
        finally:
            for task in (answering, leaving):
                task.cancel()
            await asyncio.gather(answering, leaving, return_exceptions=True)

    async def stream(
        self,
        question: str,
        param: QueryParam,
        write: Callable[[Progress | Answer], Iterable[str]],
        *,
        media_type: str,
        write_error: Callable[[str], str],
    ) -> Response:
        """Return a response of lines that are written as the steps and the answer come.

        A question that cannot be asked is an ordinary error: the response begins with the first
        step. A later failure is the last line.
        """
        events = self.follow(question, param)
        try:
            first = await anext(events)
        except BaseException:
            await events.aclose()
            raise

        async def lines() -> AsyncIterator[str]:
            async with aclosing(events):
                for line in write(first):
                    yield line
                try:
                    async for one in events:
                        for line in write(one):
                            yield line
                except Exception as error:
                    yield write_error(describe_http_failure(error)[1])

        headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        return StreamingResponse(lines(), media_type=media_type, headers=headers)


async def _wait_for_end(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


# --- requests and responses ---------------------------------------------------------------------


class InvalidRequest(Exception):
    """The body is not what the route takes."""


async def read_body(request: Request, model: type[M]) -> M:
    """Return the checked JSON of a request, whatever its content type says.

    Raises:
        InvalidRequest: it is no JSON, or has other fields than needed.
    """
    try:
        return model.model_validate_json(await request.body())
    except ValidationError as error:
        problems = [
            f"{'.'.join(str(part) for part in one['loc']) or 'the body'}: {one['msg']}"
            for one in error.errors(include_url=False, include_input=False)
        ]
        raise InvalidRequest("; ".join(problems[:5])) from error


def read_number(request: Request, name: str, default: int, *, most: int) -> int:
    """Return a whole number from the address."""
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:9]) <= most:
        raise InvalidRequest(f"{name}: a whole number from 1 to {most} is needed")
    return int(text)


def get_query(request: Request, name: str) -> str:
    """Return a text from the address, which must not be empty."""
    text = request.query_params.get(name, "").strip()
    if not text:
        raise InvalidRequest(f"{name}: it is missing")
    return text


def to_line(value: object) -> str:
    """Return a value as one line of JSON."""
    return json.dumps(value, ensure_ascii=False) + "\n"


def describe_http_failure(error: BaseException) -> tuple[int, str]:
    """Return status and text for a failure; a bug gives no details away, the log has them."""
    if isinstance(error, HTTPException):
        return error.status_code, error.detail
    if isinstance(error, InvalidRequest):
        return 422, str(error)
    if isinstance(error, UserError):
        return (403 if isinstance(error, EditingRefused) else 400), str(error)
    if isinstance(error, EnvironmentProblem):
        return 503, str(error)
    if isinstance(error, AppError):
        return 500, str(error)
    if isinstance(error, Cancelled):
        return 499, "The request was cancelled."
    log.error("a request failed", exc_info=error)
    return 500, "This is a bug in Inkgraph; its log has the details."


def build_error(path: str, status: int, text: str) -> Response:
    """Return an error in the form of the API that the path belongs to."""
    if path.startswith("/v1/"):
        kind = "invalid_request_error" if status < 500 else "server_error"
        content: dict[str, Any] = {
            "error": {"message": text, "type": kind, "param": None, "code": str(status)}
        }
    elif path.startswith("/api/"):
        content = {"error": text}
    elif path == "/query/data":
        content = {"status": "failure", "message": text, "data": {}, "metadata": {}}
    else:
        content = {"detail": text}
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return JSONResponse(content, status, headers)


def respond_to_error(request: Request, error: Exception) -> Response:
    """Return the response to a failure, in the form of the API that was asked."""
    status, text = describe_http_failure(error)
    response = build_error(request.url.path, status, text)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def iter_pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces, for clients that expect a stream."""
    for start in range(0, len(text), 64):
        yield text[start : start + 64]
