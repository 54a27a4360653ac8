"""Builds the HTTP application of a library, and runs it on 127.0.0.1 and nowhere else.

Three APIs of other programs are served, so that their clients work as they are: LightRAG's, and
the parts of OpenAI's and Ollama's that ask questions. Owns their routes, the socket, the token,
clients that send nothing, and the indexing of what clients add.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import secrets
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..engine.errors import Cancelled, EnvironmentProblem, UserError, cannot_read, cannot_write
from ..engine.progress import CancelToken
from ..engine.services.indexing import IndexingService
from ..engine.services.preferences import Preferences
from .api_description import list_description_routes
from .http_app import Operation, ServerState, build_error, respond_to_error
from .library_access import EditingRefused, LibraryAccess
from .lightrag_routes import LIGHTRAG
from .ollama_routes import OLLAMA
from .openai_routes import OPENAI
from .request_guard import DEFAULT_LIMITS, Limits, RequestGuard, ServedRequest

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
MIN_TOKEN_CHARS = 16
MAX_CONNECTIONS = 64
HEAD_S = 10.0  # until the head of a request has come
KEEP_ALIVE_S = 15


def build_app(
    state: ServerState,
    *,
    token: str,
    port: int,
    on_request: Callable[[ServedRequest], None] = lambda request: None,
    limits: Limits = DEFAULT_LIMITS,
) -> ASGIApp:
    """Return the guarded application for an address."""
    all_of_them = (*LIGHTRAG, *OPENAI, *OLLAMA)
    operations = [one for one in all_of_them if state.access.may_edit or not one.edits]
    hidden = [one for one in all_of_them if one not in operations]
    routes = [
        *list_description_routes(operations),
        *(Route(one.path, _bind(one, state), methods=[one.method]) for one in operations),
        *(Route(one.path, _refuse_edit, methods=[one.method]) for one in hidden),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={kind: respond_to_error for kind in (HTTPException, EditingRefused)},
    )
    return RequestGuard(
        app,
        token=token,
        port=port,
        build_error=build_error,
        on_request=on_request,
        limits=limits,
    )


def _bind(operation: Operation, state: ServerState) -> Callable[[Request], Any]:
    """Return the endpoint of an operation; each failure is answered in the form of its API."""

    async def respond(request: Request) -> Response:
        try:
            response: Response = await operation.endpoint(state, request)
        except Exception as error:
            return respond_to_error(request, error)
        return response

    return respond


async def _refuse_edit(request: Request) -> Response:
    raise EditingRefused(
        "This server only reads the library.", "Start it with --allow-edit to change it."
    )


class PatientProtocol(H11Protocol):
    """Closes connections whose request does not come: uvicorn waits for its head for ever."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        if self._timer is None and self._has_no_request():
            self._await_head()
        super().data_received(data)
        if self._timer is not None and not self._has_no_request():
            self._timer.cancel()
            self._timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def _has_no_request(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _await_head(self) -> None:
        self._timer = self.loop.call_later(HEAD_S, self._close_if_silent)

    def _close_if_silent(self) -> None:
        self._timer = None
        if self._has_no_request() and not self.transport.is_closing():
            self.transport.close()


class HttpServer:
    """Serves one library until `stop`.

    Args:
        port: 0 for a free one.
        on_request: gets each request after its end, in the thread of `run`.

    Raises:
        EnvironmentProblem: the port is taken.
    """

    def __init__(
        self,
        access: LibraryAccess,
        *,
        port: int,
        token: str,
        on_request: Callable[[ServedRequest], None] = lambda request: None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._socket = open_socket(port)
        self.port: int = self._socket.getsockname()[1]
        self.address = f"http://{HOST}:{self.port}"
        self.token = token
        self.indexing = BackgroundIndexing(access)
        state = ServerState(access, self.indexing.start, lambda: self.indexing.is_running)
        app = build_app(state, token=token, port=self.port, on_request=on_request, limits=limits)
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                http=PatientProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                limit_concurrency=MAX_CONNECTIONS,
                timeout_keep_alive=KEEP_ALIVE_S,
                timeout_graceful_shutdown=2,
            )
        )

    def run(self) -> None:
        """Serve until `stop` is called or, in the main thread, Ctrl+C is pressed."""
        log.info("serving on port %d", self.port)
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()
            self.indexing.stop()

    def stop(self) -> None:
        """End `run` soon; from any thread."""
        self._server.should_exit = True


class BackgroundIndexing:
    """Indexes what clients add, in a thread that ends when nothing waits any more."""

    def __init__(self, access: LibraryAccess) -> None:
        self._access = access
        self._cancel = CancelToken()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_wanted = False

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    def start(self) -> None:
        """Index what is queued, now or after the present run."""
        with self._lock:
            self._is_wanted = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="indexing")
                self._thread.start()

    def stop(self) -> None:
        """Stop and wait for the end; a later run goes on."""
        self._cancel.cancel()
        thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        service = IndexingService(
            self._access.library.writer, self._access.models.find_embedder, Preferences().reading
        )
        while self._take():
            try:
                service.run(cancel=self._cancel)
            except Cancelled:
                log.info("indexing was stopped")
            except Exception:
                log.exception("indexing failed")

    def _take(self) -> bool:
        with self._lock:
            goes_on = self._is_wanted and not self._cancel.cancelled
            self._is_wanted = False
            if not goes_on:
                self._thread = None
            return goes_on


def open_socket(port: int) -> socket.socket:
    """Return a socket that is bound to 127.0.0.1.

    Raises:
        EnvironmentProblem: another program uses the port, or it may not be used.
    """
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform == "win32":  # elsewhere this is the default
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((HOST, port))
        opened.listen(MAX_CONNECTIONS)  # a second server must fail now, not when it serves
    except OSError as error:
        opened.close()
        if error.errno in (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", -1)):
            raise EnvironmentProblem(
                "Port {port} is used by another program, perhaps another Inkgraph server.",
                "Stop that program, or choose another port.",
                port=port,
            ) from error
        raise EnvironmentProblem(
            "Port {port} can't be used: {reason}.",
            "Choose a port from 1024 to 65535.",
            port=port,
            reason=error.strerror or error,
        ) from error
    return opened


def make_token() -> str:
    """Return a random token that nobody guesses (192 bits)."""
    return secrets.token_urlsafe(24)


def load_token(file: Path) -> str:
    """Return the token in a file; a missing file is made with a new one, for this user only.

    Raises:
        UserError: the file has no usable token, or can't be read.
        EnvironmentProblem: the file can't be made.
    """
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        try:
            token = file.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise cannot_read(file, error) from error
        if len(token) < MIN_TOKEN_CHARS or not token.isascii() or not token.isprintable():
            raise UserError(
                "“{name}” has no token of at least {n} letters and digits.",
                "Delete the file: a new one is made.",
                name=file.name,
                n=MIN_TOKEN_CHARS,
            ) from None
        return token
    except OSError as error:
        raise cannot_write(file.name, error) from error
    token = make_token()
    with os.fdopen(descriptor, "w", encoding="ascii") as opened:
        opened.write(f"{token}\n")
    return token
