"""The command `serve`: lets programs on this machine read the library, over HTTP on 127.0.0.1.

The window starts it as a child process with `--for-window`: it then writes lines of
JSON, which say where it serves and who asks, and ends when the window does.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..engine.errors import AppError
from .command_context import open_library, open_models, open_registry, path_argument

if TYPE_CHECKING:
    from ..engine.store.encryption import LibraryKey
    from ..servers.http_server import HttpServer
    from ..servers.request_guard import ServedRequest

DEFAULT_PORT = 9621  # as in `ServerSettings`, which commands load only when they run


def port(text: str) -> int:
    value = int(text)
    if not 0 <= value <= 65535:
        raise ValueError(text)
    return value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=port, default=DEFAULT_PORT, help="0 takes a free one (default: %(default)s)"
    )
    parser.add_argument(
        "--allow-edit",
        action="store_true",
        help="also let programs add documents and correct names; corrections can be undone",
    )
    parser.add_argument(
        "--token-file",
        type=path_argument,
        help="file with the token; made with a random one if it is missing (default: a new token "
        "at each start)",
    )
    parser.add_argument("--for-window", action="store_true", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    from ..servers.http_server import HttpServer, load_token, make_token
    from ..servers.library_access import LibraryAccess, Models

    def report(value: dict[str, Any]) -> None:
        if options.for_window:
            print(json.dumps(value), flush=True)

    def report_request(request: ServedRequest) -> None:
        report({"request": asdict(request)})

    try:
        token = load_token(options.token_file) if options.token_file else make_token()
        with (
            open_library(options, may_write=options.allow_edit, key=_read_key(options)) as library,
            open_registry() as registry,
        ):
            own = open_models(library, registry)
            models = Models(own.find_chat, own.find_embedder, own.find_reranker, own.embedding_name)
            access = LibraryAccess(library, models, may_edit=options.allow_edit)
            server = HttpServer(access, port=options.port, token=token, on_request=report_request)
            report({"address": server.address, "token": server.token})
            if options.for_window:
                threading.Thread(target=_wait_for_window, args=(server,), daemon=True).start()
            else:
                print(
                    f"Serving “{access.name}” at {server.address}, "
                    f"{'with changes allowed' if access.may_edit else 'for reading only'}.\n"
                    f"Token: {server.token}\n"
                    f"What can be asked: {server.address}/docs. Ctrl+C ends it.",
                    flush=True,
                )
            server.run()
    except AppError as error:
        report({"error": error.full_message.to_stored()})
        raise
    return 0


def _read_key(options: argparse.Namespace) -> LibraryKey | None:
    """Return the key of an encrypted library that the window has open; it comes through the pipe.

    Other programs can see the arguments of a process, and its children its environment.
    """
    from ..engine.store.encryption import LibraryKey

    if not options.for_window:
        return None
    pair = json.loads(sys.stdin.readline()).get("key")
    return LibraryKey(*(bytes.fromhex(part) for part in pair)) if pair else None


def _wait_for_window(server: HttpServer) -> None:
    """End when the window closes its end of the pipe, also where it was killed."""
    while sys.stdin.read(1):
        pass
    server.stop()
