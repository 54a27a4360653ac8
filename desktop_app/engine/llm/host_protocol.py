"""The messages between the program and the process of a model (`host_process`, `host_child`).

A message is one item in a frame of `child_protocol`, and raw bytes after it where the item says so
(`n_bytes`): vectors as float32. Each item has the number of its request. The program sends requests
and answers what the child asks for in between: the next prompt program, the next question of one.
What the child sends is checked, since a hostile model file may have taken it over.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..child_protocol import (
    ProtocolError,
    check_list,
    check_number,
    check_text,
    parse_frame,
    read_frame,
    write_frame,
)
from ..model import ChatMessage
from ..prompt_program import Ask, Choice, Choose, Guard, Write, Written
from .protocols import PictureDescription

_MAX_BYTES = 64 * 1024 * 1024  # after one item
_MAX_TEXT_CHARS = 1_000_000  # of one reply
_ENDS = ("finished", "long", "loop")


@dataclass(frozen=True, slots=True)
class HostSpec:
    """Which model a process runs, and how; 0 lets the machine or the model decide.

    Attributes:
        role: "chat", "embedding", "reranker" or "vision".
        path: a GGUF file, or a folder of sentence-transformers.
        name: how libraries remember the model; the file's own name if empty.
        projector: of the role "vision": the GGUF file that turns pictures into vectors.
    """

    role: str
    path: Path
    name: str = ""
    n_ctx: int = 0
    n_threads: int = 0
    n_gpu_layers: int = 0
    projector: Path | None = None


def encode_spec(spec: HostSpec) -> dict[str, Any]:
    projector = None if spec.projector is None else str(spec.projector)
    return dataclasses.asdict(spec) | {"path": str(spec.path), "projector": projector}


def decode_spec(item: dict[str, Any]) -> HostSpec:
    fields = {field.name: item[field.name] for field in dataclasses.fields(HostSpec)}
    projector = None if item["projector"] is None else Path(item["projector"])
    return HostSpec(**fields | {"path": Path(item["path"]), "projector": projector})


# --- messages -------------------------------------------------------------------------------------


def write_item(stream: IO[bytes], item: dict[str, Any], payload: bytes = b"") -> None:
    """Write one item, and bytes after it."""
    if not payload:
        return write_frame(stream, [item])
    write_frame(stream, [item | {"n_bytes": len(payload)}])
    stream.write(payload)
    stream.flush()


@dataclass(frozen=True, slots=True)
class Received:
    """An item, the bytes after it, and the size of both as they were sent."""

    item: dict[str, Any]
    payload: bytes
    size_bytes: int


def read_item(stream: IO[bytes]) -> Received | None:
    """Return the next item, None at the end of the stream.

    Raises:
        ProtocolError: it is no item.
    """
    frame = read_frame(stream)
    if frame is None:
        return None
    items = parse_frame(frame)
    if len(items) != 1:
        raise ProtocolError("a frame without an item")
    n_bytes = check_number(items[0].get("n_bytes", 0), _MAX_BYTES)
    payload = stream.read(n_bytes) if n_bytes else b""
    if len(payload) < n_bytes:
        return None
    return Received(items[0], payload, len(frame) + n_bytes)


def encode_rows(rows: np.ndarray) -> tuple[dict[str, Any], bytes]:
    """Return the item and the bytes of vectors, shape (N, D)."""
    return {"shape": list(rows.shape)}, np.ascontiguousarray(rows, np.float32).tobytes()


def decode_rows(item: dict[str, Any], payload: bytes, n: int, dim: int) -> np.ndarray:
    """Return vectors, float32, shape (n, dim).

    Raises:
        ProtocolError: they have another shape.
    """
    if item.get("shape") != [n, dim] or len(payload) != n * dim * 4:
        raise ProtocolError("vectors of another shape")
    return np.frombuffer(payload, np.float32).reshape(n, dim)


def decode_scores(item: dict[str, Any], _payload: bytes, n: int) -> list[float]:
    """Return the scores of `n` texts.

    Raises:
        ProtocolError: they are something else.
    """
    return [check_float(score) for score in check_list(item.get("scores"), n)]


def encode_description(found: PictureDescription) -> dict[str, Any]:
    return dataclasses.asdict(found)


def decode_description(item: dict[str, Any]) -> PictureDescription:
    """Return what a model wrote about a picture.

    Raises:
        ProtocolError: it is something else.
    """
    if item.get("ended") not in _ENDS:
        raise ProtocolError("a description that ended in no known way")
    return PictureDescription(
        check_text(item.get("text"), _MAX_TEXT_CHARS),
        item["ended"],
        check_number(item.get("n_prompt"), 1 << 30),
        check_float(item.get("prompt_s")),
        check_number(item.get("n_written"), 1 << 30),
        check_float(item.get("written_s")),
    )


# --- prompts and programs -------------------------------------------------------------------------


def encode_messages(messages: Sequence[ChatMessage]) -> list[list[str]]:
    return [[message.role, message.text] for message in messages]


def decode_messages(data: list[list[str]]) -> tuple[ChatMessage, ...]:
    return tuple(ChatMessage(role, text) for role, text in data)


def encode_ask(ask: Ask) -> dict[str, Any]:
    """Return a question, with its guard as the name of its class and its fields."""
    item: dict[str, Any] = {
        "lines": ask.lines,
        "texts": ask.texts,
        "messages": encode_messages(ask.messages),
    }
    if isinstance(ask, Choose):
        return item | {"options": ask.options}
    return item | {"max_tokens": ask.max_tokens, "guard": _encode_guard(ask.guard)}


def decode_ask(item: dict[str, Any]) -> Ask:
    lines, texts = tuple(item["lines"]), tuple(item["texts"])
    messages = decode_messages(item["messages"])
    if "options" in item:
        return Choose(lines, tuple(item["options"]), texts, messages)
    return Write(lines, item["max_tokens"], _decode_guard(item["guard"]), texts, messages)


def _encode_guard(guard: Guard | None) -> list[Any] | None:
    if guard is None:
        return None
    kind = type(guard)
    if not dataclasses.is_dataclass(guard) or "." in kind.__qualname__:
        raise TypeError(f"{kind.__qualname__} is no dataclass at the top of a module")
    fields = {field.name: getattr(guard, field.name) for field in dataclasses.fields(guard)}
    return [kind.__module__, kind.__qualname__, fields]


def _decode_guard(data: list[Any] | None) -> Guard | None:
    if data is None:
        return None
    module, name, fields = data
    kind = vars(importlib.import_module(module))[name]
    guard: Guard = kind(**{key: _to_tuples(value) for key, value in fields.items()})
    return guard


def _to_tuples(value: Any) -> Any:
    return tuple(map(_to_tuples, value)) if isinstance(value, list) else value


def encode_reply(reply: Choice | Written) -> list[Any]:
    if isinstance(reply, Choice):
        return list(reply.logprobs)
    return [reply.text, reply.n_tokens, reply.ended, reply.mean_logprob]


def decode_reply(ask: Ask, data: object) -> Choice | Written:
    """Return a reply to a question.

    Raises:
        ProtocolError: it is none.
    """
    if isinstance(ask, Choose):
        numbers = check_list(data, len(ask.options))
        return Choice(tuple(check_float(number) for number in numbers))
    text, n_tokens, ended, mean_logprob = check_list(data, 4)
    if ended not in _ENDS:
        raise ProtocolError("a reply that ended in no known way")
    return Written(
        check_text(text, _MAX_TEXT_CHARS),
        check_number(n_tokens, 1 << 30),
        ended,
        check_float(mean_logprob),
    )


def check_float(value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise ProtocolError("a value that is no number")
    return float(value)
