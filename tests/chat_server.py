"""A small server with OpenAI's API on this machine, with the faults that such servers have."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from desktop_app.engine.llm.remote.address import ServerAddress, parse_address
from tests.fakes import HashEmbedder
from tests.rank_forms import LlamaRanks, RankForm

Reply = str | dict[str, float]
"""A text, or the probabilities of next words."""


@dataclass
class ChatServer:
    """What the server does.

    Attributes:
        reply: gives the reply to a request's body.
        faults: what the next answers are instead; see `_Handler.fail`.
        always: the fault of every answer, "" for none.
        key: that requests need, "" for none.
        n_top: the most next words that it names; 0: it refuses to name any.
        continues: whether it continues a turn of the assistant that is begun.
        extras: whether it accepts parameters that OpenAI's API does not have.
        ranks: how it answers a request to rank.
        hold: if set, answers wait for it.
        requests: path and body of each request.
        peak: the most requests that were open at once.
    """

    reply: Callable[[dict[str, Any]], Reply] = lambda body: "Red, green and blue."
    faults: list[str] = field(default_factory=list)
    always: str = ""
    key: str = ""
    n_top: int = 20
    continues: bool = True
    extras: bool = True
    dim: int = 16
    longest_input: int = 100_000  # characters of a text to embed
    models: Sequence[dict[str, Any]] = ({"id": "tiny"},)
    ranks: RankForm = field(default_factory=LlamaRanks)
    hold: threading.Event | None = None
    redirect: str = "http://127.0.0.1:1/v1"
    port: int = 0
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    left: threading.Event = field(default_factory=threading.Event)
    n_open: int = 0
    peak: int = 0

    @property
    def address(self) -> ServerAddress:
        return parse_address(f"http://127.0.0.1:{self.port}/v1")

    @property
    def chats(self) -> list[dict[str, Any]]:
        return [body for path, body in self.requests if path.endswith("/chat/completions")]


class _Handler(BaseHTTPRequestHandler):
    server_fake: ChatServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._serve({})

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        self._serve(json.loads(self.rfile.read(size)))

    def _serve(self, body: dict[str, Any]) -> None:
        fake = self.server_fake
        fake.requests.append((self.path, body))
        fake.headers.append(dict(self.headers))
        fake.n_open += 1
        fake.peak = max(fake.peak, fake.n_open)
        try:
            if fake.hold is not None:
                fake.hold.wait(10)
            fault = fake.faults.pop(0) if fake.faults else fake.always
            if fault:
                self._fail(fault, body)
            elif fake.key and self.headers.get("Authorization") != f"Bearer {fake.key}":
                self._send(401, {"error": {"message": f"Incorrect key {fake.key}"}})
            elif self.path.endswith("/models"):
                self._send(200, {"object": "list", "data": list(fake.models)})
            elif self.path.endswith("/embeddings"):
                self._embed(body)
            elif self.path.endswith("/rerank"):
                self._rerank(body)
            else:
                self._chat(body)
        except (BrokenPipeError, ConnectionResetError):
            fake.left.set()
        finally:
            fake.n_open -= 1

    # --- faults -----------------------------------------------------------------------------------

    def _fail(self, fault: str, body: dict[str, Any]) -> None:
        if fault.isdigit():
            self._send(int(fault), {"error": {"message": f"fault {fault}"}})
        elif fault == "busy":
            self._send(429, {"error": "wait"}, {"Retry-After": "0"})
        elif fault == "far too busy":
            self._send(429, {"error": "wait"}, {"Retry-After": "3600"})
        elif fault == "too long":
            words = "This model's maximum context length is 64 tokens"
            self._send(400, {"error": {"message": words}})
        elif fault == "redirect":
            self._send(302, {}, {"Location": self.server_fake.redirect})
        elif fault == "page":
            self._send_bytes(b"<html>Sign in</html>", "text/html")
        elif fault == "not json":
            self._send_bytes(b"{ not json", "application/json")
        elif fault == "a list":
            self._send_bytes(b"[1, 2]", "application/json")
        elif fault == "no choices":
            self._send_bytes(b'{"ok": true}', "application/json")
        elif fault == "deep":
            self._send_bytes(b"[" * 100_000, "application/json")
        elif fault == "broken events":
            self._send_bytes(b"data: { not json\n\n", "text/event-stream")
        elif fault == "error event":
            event = {"error": {"message": "out of memory"}}
            self._send_bytes(f"data: {json.dumps(event)}\n\n".encode(), "text/event-stream")
        elif fault == "cut":
            self._begin_stream()
            self._event({"choices": [{"index": 0, "delta": {"content": "Red, "}}]})
            self.close_connection = True
        elif fault == "empty":
            self._stream("")
        elif fault == "huge":
            self._begin_stream()
            for _ in range(10_000):
                self._event({"choices": [{"index": 0, "delta": {"content": "x" * 1000}}]})
        elif fault == "silent":
            threading.Event().wait(2)
            self.close_connection = True
        elif fault == "drip":  # a byte in time, and never an end
            self._begin_stream()
            for _ in range(1000):
                self.wfile.write(b":\n")
                self.wfile.flush()
                threading.Event().wait(0.02)
        elif fault == "lost":
            self.close_connection = True
            self.connection.close()
        else:
            raise ValueError(fault)

    # --- answers ----------------------------------------------------------------------------------

    def _chat(self, body: dict[str, Any]) -> None:
        fake = self.server_fake
        extras = body.keys() & {"chat_template_kwargs", "continue_final_message"}
        if extras and not fake.extras:
            return self._send(400, {"error": {"message": f"unknown field {min(extras)}"}})
        if body.get("top_logprobs", 0) > fake.n_top:
            return self._send(400, {"error": {"message": "top_logprobs is too large"}})
        reply = fake.reply(body)
        last = body["messages"][-1]
        if isinstance(reply, str) and last["role"] == "assistant" and not fake.continues:
            reply = last["content"] + reply
        named = reply if isinstance(reply, dict) else {}
        text = reply if isinstance(reply, str) else max(reply, key=lambda one: reply[one])
        if body.get("stream"):
            return self._stream(text, has_logprobs=bool(body.get("logprobs")))
        listed = [{"token": t, "logprob": math.log(p)} for t, p in named.items()]
        first = {"token": text, "logprob": -0.1, "top_logprobs": listed}
        choice: dict[str, Any] = {"index": 0, "message": {"content": text}, "finish_reason": "stop"}
        if body.get("logprobs"):
            choice["logprobs"] = {"content": [first]}
        self._send(
            200, {"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 1}}
        )
        return None

    def _embed(self, body: dict[str, Any]) -> None:
        if any(len(text) > self.server_fake.longest_input for text in body["input"]):
            return self._send(500, {"error": {"message": "input is too large to process"}})
        rows = HashEmbedder(self.server_fake.dim).embed_passages(body["input"])
        data = [{"index": i, "embedding": np.asarray(row).tolist()} for i, row in enumerate(rows)]
        self._send(200, {"data": data[::-1]})
        return None

    def _rerank(self, body: dict[str, Any]) -> None:
        self._send(*self.server_fake.ranks.answer(self.path, self.headers, body))

    def _stream(self, text: str, *, has_logprobs: bool = False) -> None:
        self._begin_stream()
        for start in range(0, len(text), 4):
            delta = {"content": text[start : start + 4]}
            choice: dict[str, Any] = {"index": 0, "delta": delta}
            if has_logprobs:
                named = {"token": delta["content"], "logprob": -0.5}
                choice["logprobs"] = {"content": [named]}
            self._event({"choices": [choice]})
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self._event({"choices": [], "usage": {"prompt_tokens": 30, "completion_tokens": 5}})
        self.wfile.write(b"data: [DONE]\n\n")

    def _begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def _event(self, value: dict[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps(value)}\n\n".encode())
        self.wfile.flush()

    def _send(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        self._send_bytes(json.dumps(value).encode(), "application/json", status, headers or {})

    def _send_bytes(
        self, data: bytes, kind: str, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that leave are no error."""


@contextmanager
def serve_chat(fake: ChatServer) -> Iterator[ChatServer]:
    """Run the server in a thread until the end of the context."""
    handler = type("Handler", (_Handler,), {"server_fake": fake})
    server = _Server(("127.0.0.1", 0), handler)
    fake.port = server.server_address[1]
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
