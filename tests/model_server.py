"""A small GGUF file and a local web server that gives it out, with the faults that servers have."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FLOAT = 0


def build_gguf(title: str = "Small test", n_floats: int = 300_000) -> bytes:
    """Return a complete GGUF file with one tensor."""

    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value.encode())) + value.encode()

    def pair(key: str, value: str) -> bytes:
        return text(key) + struct.pack("<I", 8) + text(value)

    head = b"GGUF" + struct.pack("<IQQ", 3, 1, 2)
    head += pair("general.architecture", "llama") + pair("general.name", title)
    head += text("weights") + struct.pack("<IQIQ", 1, n_floats, FLOAT, 0)
    return head + bytes(-len(head) % 32) + bytes(range(256)) * (n_floats * 4 // 256 + 1)


@dataclass
class ModelServer:
    """What the server does; `requests` are the paths and ranges it was asked for.

    Attributes:
        breaks: the number of answers that end after `stop_after` bytes.
        has_ranges: without, every answer is the whole file.
        page: sent as a web page in place of the file.
        status: sent in place of an answer.
        redirect: the address that every request is sent on to, once.
    """

    content: bytes
    breaks: int = 0
    stop_after: int = 400_000
    has_ranges: bool = True
    has_length: bool = True
    etag: str = '"one"'
    page: str = ""
    status: int = 0
    redirect: str = ""
    linked_sha256: str = ""
    port: int = 0
    hold: threading.Event | None = None
    requests: list[tuple[str, str]] = field(default_factory=list)

    def link(self, path: str = "/models/Small-Test.Q4.gguf") -> str:
        return f"http://127.0.0.1:{self.port}{path}"


@contextmanager
def serve_model(server: ModelServer) -> Iterator[ModelServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range", "")
            server.requests.append((self.path, wanted))
            if server.redirect and "moved" not in self.path:
                self.send_response(302)
                self.send_header("Location", server.redirect)
                if server.linked_sha256:
                    self.send_header("X-Linked-Etag", f'"{server.linked_sha256}"')
                self.end_headers()
                return
            if server.status:
                self.send_error(server.status)
                return
            data, first, last = server.content, 0, len(server.content) - 1
            if server.page:
                data = server.page.encode()
            elif server.has_ranges and wanted:
                begin, _, end = wanted.removeprefix("bytes=").partition("-")
                first, last = int(begin), min(int(end or last), last)
                data = data[first : last + 1]
            self.send_response(206 if server.has_ranges and wanted and not server.page else 200)
            self.send_header("Content-Type", "text/html" if server.page else "application/binary")
            if server.has_length:
                self.send_header("Content-Length", str(len(data)))
                self.send_header("Content-Range", f"bytes {first}-{last}/{len(server.content)}")
            if server.etag:
                self.send_header("ETag", server.etag)
            self.end_headers()
            if server.breaks and len(data) > server.stop_after:
                server.breaks -= 1
                data = data[: server.stop_after]
            if server.hold is not None and len(data) > server.stop_after:
                self.wfile.write(data[: server.stop_after])
                server.hold.wait()
                data = data[server.stop_after :]
            try:
                self.wfile.write(data)
            except OSError:
                return  # the other side has enough

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = False
        server.port = http.server_address[1]
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            if server.hold is not None:
                server.hold.set()
            http.shutdown()
            thread.join()
