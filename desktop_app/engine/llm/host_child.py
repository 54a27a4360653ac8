"""The process of one model: `python -m desktop_app.engine.llm.host_child`.

Started by `host_process`. Gets a `HostSpec`, restricts itself (`child_sandbox`), loads the model
and answers requests until stdin is closed. Each request runs in a thread, because questions,
batches and cancellations overlap; the models themselves decide what may run side by side.
"""

from __future__ import annotations

import logging
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import asdict
from typing import IO, Any

from ..child_protocol import encode_error, encode_message
from ..child_sandbox import restrict_process
from ..crash_log import enable_child_faults
from ..errors import AppError, Cancelled, EnvironmentProblem
from ..messages import NO_MESSAGE, Message
from ..progress import CancelToken
from ..prompt_program import Ask, Choice, ProgramResult, PromptProgram, Written
from .embedding import GgufEmbedder, SentenceTransformerEmbedder, load_embedder
from .host_protocol import (
    HostSpec,
    Received,
    decode_ask,
    decode_messages,
    decode_spec,
    encode_description,
    encode_reply,
    encode_rows,
    read_item,
    write_item,
)
from .llama_chat import LlamaChat
from .llama_library import load_llama, set_call_reporter
from .llama_vision import LlamaVision
from .reranking import CrossEncoderReranker, GgufReranker

_ALIVE_EVERY_S = 0.5
_MAX_TRACEBACK = 8_000
_N_THREADS = 4  # requests at a time; those of a chat model wait for each other

NativeModel = (
    LlamaChat
    | LlamaVision
    | GgufEmbedder
    | SentenceTransformerEmbedder
    | GgufReranker
    | CrossEncoderReranker
)


def load_native(spec: HostSpec) -> NativeModel:
    """Load a model into this process.

    Raises:
        UserError: there is no such model, or its files are damaged.
        EnvironmentProblem: it can't be run here.
    """
    path, n_threads, name = spec.path, spec.n_threads, spec.name
    if spec.role == "embedding":
        return load_embedder(path, n_threads=n_threads, name=name)
    if spec.role == "reranker":
        kind = CrossEncoderReranker if path.is_dir() else GgufReranker
        return kind(path, n_threads=n_threads, name=name)
    if spec.role == "vision":
        assert spec.projector is not None
        return LlamaVision(
            path,
            spec.projector,
            n_threads=n_threads,
            n_gpu_layers=spec.n_gpu_layers,
            name=name,
        )
    return LlamaChat(
        path,
        n_ctx=spec.n_ctx,
        n_threads=n_threads,
        n_gpu_layers=spec.n_gpu_layers,
        name=name,
    )


class _Answers:
    """Sends items to the parent; safe from several threads."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._sent_at = time.monotonic()

    def send(self, item: dict[str, Any], payload: bytes = b"") -> None:
        with self._lock:
            self._sent_at = time.monotonic()
            write_item(self._stream, item, payload)

    def report_alive(self) -> None:
        """Report that native code has returned, unless something was sent just before."""
        if time.monotonic() - self._sent_at > _ALIVE_EVERY_S:
            self.send({"alive": True})


class _Request:
    """One request: its answers, its cancellation, and what the parent answers in between."""

    def __init__(self, number: int, answers: _Answers, payload: bytes = b"") -> None:
        self._number, self._answers = number, answers
        self.payload = payload
        self._inbox: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self.token = CancelToken()

    def send(self, item: dict[str, Any], payload: bytes = b"") -> None:
        self._answers.send({"id": self._number, **item}, payload)

    def ask(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return the parent's answer.

        Raises:
            Cancelled: the request was cancelled.
        """
        self.send({"asks": True, **item})
        answer = self._inbox.get()
        if answer is None:
            raise Cancelled
        return answer

    def take_answer(self, item: dict[str, Any]) -> None:
        self._inbox.put(item)

    def cancel(self) -> None:
        self.token.cancel()
        self._inbox.put(None)


class _RemoteConversation:
    """A `PromptConversation` whose generator is in the parent process."""

    def __init__(self, request: _Request, item: dict[str, Any]) -> None:
        self._request, self._number = request, item["program"]
        messages, text = decode_messages(item["messages"]), item["text"]
        self.program = PromptProgram(self._number, messages, text, _no_talk)
        self._ask: Ask | None = None
        self._restarts = False

    @property
    def ask(self) -> Ask:
        assert self._ask is not None
        return self._ask

    def advance(self) -> list[int]:
        item = self._request.ask({"advance": self._number, "restarts": self._restarts})
        self._restarts = False
        indices: list[int] = item["indices"]
        if indices:
            self._ask = decode_ask(item["ask"])
        return indices

    def get_text(self, index: int) -> str:
        return (self.ask.texts[index] if self.ask.texts else "") or self.program.text

    def add_reply(self, index: int, reply: Choice | Written) -> None:
        self._request.send({"reply": self._number, "index": index, "value": encode_reply(reply)})

    def restart(self) -> None:
        self._restarts = True

    def close(self) -> None:
        """Leave the generator to the parent."""

    def end(
        self,
        error: Message = NO_MESSAGE,
        *,
        n_prompt: int = 0,
        n_written: int = 0,
        seconds: float = 0.0,
    ) -> ProgramResult:
        return ProgramResult(self._number, None, error, n_prompt, n_written, seconds)


def _no_talk() -> Any:
    raise AssertionError("the generator is in the parent process")


class _Host:
    """Answers the requests to one loaded model."""

    def __init__(self, model: NativeModel, answers: _Answers) -> None:
        self._model, self._answers = model, answers
        self._pool = ThreadPoolExecutor(_N_THREADS, "request")
        self._running: dict[int, _Request] = {}
        self._actions: dict[str, Callable[[_Request, dict[str, Any]], None]] = {
            "count": self._count,
            "prompt": self._check_prompt,
            "stream": self._stream,
            "batch": self._run_batch,
            "passages": self._embed_passages,
            "query": self._embed_query,
            "score": self._score,
            "describe": self._describe,
        }

    def take(self, received: Received) -> None:
        """Take one item of the parent: a request, an answer or a cancellation."""
        item = received.item
        number = item["id"]
        known = self._running.get(number)
        if "do" not in item:
            if known is not None:
                known.cancel() if "cancel" in item else known.take_answer(item)
            return
        request = self._running[number] = _Request(number, self._answers, received.payload)
        if item["do"] in ("count", "prompt"):  # of no cost; also while an answer is written
            self._run(request, item)
        else:
            self._pool.submit(self._run, request, item)

    def _run(self, request: _Request, item: dict[str, Any]) -> None:
        try:
            self._actions[item["do"]](request, item)
        except AppError as error:
            request.send(encode_error(error))
        except Cancelled:
            request.send({"end": True})
        except MemoryError:
            request.send(encode_error(_out_of_memory()))
        except Exception:
            request.send({"bug": traceback.format_exc()[-_MAX_TRACEBACK:]})
        finally:
            del self._running[item["id"]]

    def _count(self, request: _Request, item: dict[str, Any]) -> None:
        assert not isinstance(self._model, (GgufReranker, CrossEncoderReranker, LlamaVision))
        request.send({"end": True, "n_tokens": self._model.count_tokens(item["text"])})

    def _check_prompt(self, request: _Request, item: dict[str, Any]) -> None:
        assert isinstance(self._model, LlamaChat)
        self._model.read_prompt(decode_messages(item["messages"]))
        request.send({"end": True})

    def _stream(self, request: _Request, item: dict[str, Any]) -> None:
        assert isinstance(self._model, LlamaChat)
        stream = self._model.stream(
            decode_messages(item["messages"]),
            max_tokens=item["max_tokens"],
            temperature=item["temperature"],
            cancel=request.token,
        )
        for piece in stream:
            request.send({"piece": piece})
        request.send({"end": True, "run": asdict(self._model.last_run)})

    def _run_batch(self, request: _Request, item: dict[str, Any]) -> None:
        assert isinstance(self._model, LlamaChat)

        def conversations() -> Iterator[_RemoteConversation]:
            while "program" in (answer := request.ask({"next": True})):
                yield _RemoteConversation(request, answer)

        runs = self._model.run_conversations(
            conversations(),
            cancel=request.token,
            n_threads=item["n_threads"],
            from_scratch=item["from_scratch"],
        )
        with closing(runs):  # type: ignore[type-var]
            for run in runs:
                error = encode_message(run.error) if run.error else None
                cost = [run.n_prompt, run.n_written, run.seconds]
                request.send({"result": run.key, "error": error, "cost": cost})
        request.send({"end": True})

    def _embed_passages(self, request: _Request, item: dict[str, Any]) -> None:
        assert isinstance(self._model, (GgufEmbedder, SentenceTransformerEmbedder))
        shape, payload = encode_rows(self._model.embed_passages(item["texts"]))
        request.send({"end": True, **shape}, payload)

    def _embed_query(self, request: _Request, item: dict[str, Any]) -> None:
        assert isinstance(self._model, (GgufEmbedder, SentenceTransformerEmbedder))
        shape, payload = encode_rows(self._model.embed_query(item["text"])[None])
        request.send({"end": True, **shape}, payload)

    def _score(self, request: _Request, item: dict[str, Any]) -> None:
        assert isinstance(self._model, (GgufReranker, CrossEncoderReranker))
        scores = self._model.score(item["question"], item["texts"])
        request.send({"end": True, "scores": scores})

    def _describe(self, request: _Request, item: dict[str, Any]) -> None:
        assert isinstance(self._model, LlamaVision)
        found = self._model.describe(
            decode_messages(item["messages"]),
            request.payload,
            *item["size"],
            max_tokens=item["max_tokens"],
            cancel=request.token,
        )
        request.send({"end": True, **encode_description(found)})


def _out_of_memory() -> EnvironmentProblem:
    return EnvironmentProblem(
        "The model needs more memory than it may have.",
        "Close other programs, lower the context in Settings, or use a smaller model.",
    )


def _describe_model(model: NativeModel) -> dict[str, Any]:
    if isinstance(model, LlamaChat):
        return {
            "name": model.name,
            "n_ctx": model.n_ctx,
            "n_parameters": model.n_parameters,
        }
    if isinstance(model, (GgufEmbedder, SentenceTransformerEmbedder)):
        return {"name": model.name, "dim": model.dim}
    return {"name": model.name}


def _import_library(spec: HostSpec) -> None:
    """Import what runs the model, which may start programs when it is imported."""
    if not spec.path.is_dir():
        load_llama()
        return
    with suppress(ImportError):  # reported when the model is loaded
        import sentence_transformers  # noqa: F401


def main() -> int:
    """Load the model and answer requests until stdin is closed."""
    for name in ("SIGINT", "SIGHUP"):  # the parent decides when this process ends
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    enable_child_faults()
    logging.basicConfig(level=logging.INFO)
    requests = sys.stdin.buffer
    # What a library prints must not come between the items.
    answers = _Answers(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)
    first = read_item(requests)
    if first is None:
        return 0
    spec = decode_spec(first.item)
    try:
        _import_library(spec)
        parts = restrict_process(first.item["memory_bytes"], may_write=True)
        set_call_reporter(answers.report_alive)
        model = load_native(spec)
    except AppError as error:
        answers.send(encode_error(error))
        return 0
    except MemoryError:
        answers.send(encode_error(_out_of_memory()))
        return 0
    answers.send({"ready": parts, **_describe_model(model)})
    host = _Host(model, answers)
    while (received := read_item(requests)) is not None:
        host.take(received)
    os._exit(0)  # without waiting for native code


if __name__ == "__main__":
    sys.exit(main())
