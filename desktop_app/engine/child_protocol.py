"""The frames between the program and its child processes, and the messages and errors in them.

A frame is a length (4 bytes, big-endian) and a JSON array of items. Children parse hostile bytes,
so what they send is checked: no pickle, limits on every size and on message templates. Standard
library only; used on both sides.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterable, Iterator
from typing import IO, Any

from .errors import AppError, EnvironmentProblem, PasswordNeeded, UserError
from .messages import Message

MAX_FRAME_BYTES = 16 * 1024 * 1024
PIECE_CHARS = 256 * 1024  # of text in one item; a longer text continues in further items
RAW_BYTES = 4 * 1024 * 1024  # of pixels in one frame
MAX_FIELD_CHARS = 100_000  # of a title, an author or a value of a message
_MAX_ITEMS = 200_000  # of a list
_LENGTH = struct.Struct(">I")
# A width such as {n:>999999999} would fill the memory of the program.
_TEMPLATE_SPEC = re.compile(r"\{\w+:(?!(?:,|g|\.\d[f%]?|,\.\df)?\})")


class ProtocolError(Exception):
    """A child sent something that no child of this program sends."""


# --- frames ---------------------------------------------------------------------------------------


def write_frame(stream: IO[bytes], items: list[Any]) -> None:
    """Write items as one frame; text may contain lone surrogates."""
    content = json.dumps(items, ensure_ascii=False, separators=(",", ":"))
    encoded = content.encode("utf-8", "surrogatepass")
    stream.write(_LENGTH.pack(len(encoded)) + encoded)
    stream.flush()


def group_items(items: Iterable[tuple[dict[str, Any], int]]) -> Iterator[list[dict[str, Any]]]:
    """Yield items in groups of about `PIECE_CHARS` characters, each group for one frame.

    Args:
        items: each with its size in characters.
    """
    group: list[dict[str, Any]] = []
    size = 0
    for item, n_chars in items:
        group.append(item)
        size += n_chars
        if size >= PIECE_CHARS:
            yield group
            group, size = [], 0
    if group:
        yield group


def write_raw(stream: IO[bytes], content: bytes | bytearray) -> None:
    """Write bytes, such as pixels, as frames that are no JSON; the frame before announces them."""
    view = memoryview(content)
    for start in range(0, len(view), RAW_BYTES):
        piece = view[start : start + RAW_BYTES]
        stream.write(_LENGTH.pack(len(piece)))
        stream.write(piece)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Return the content of the next frame, None at the end of the stream.

    Raises:
        ProtocolError: it is longer than a frame may be.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > MAX_FRAME_BYTES:
        raise ProtocolError(f"a frame of {length} bytes")
    content = stream.read(length)
    return content if len(content) == length else None


def parse_frame(content: bytes) -> list[dict[str, Any]]:
    """Return the items of a frame.

    Raises:
        ProtocolError: it is no list of objects.
    """
    try:
        items = json.loads(content.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise ProtocolError("a frame that is no JSON") from error
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ProtocolError("a frame without items")
    return items


# --- errors and messages --------------------------------------------------------------------------


def encode_error(error: AppError) -> dict[str, Any]:
    """Return the item of a refusal."""
    item: dict[str, Any] = {
        "refused": encode_message(error.message),
        "hint": encode_message(error.hint),
    }
    if isinstance(error, EnvironmentProblem):
        item["environment"] = True
    return item | ({"password": error.wrong} if isinstance(error, PasswordNeeded) else {})


def decode_error(item: dict[str, Any]) -> AppError:
    """Return the refusal of an item.

    Raises:
        ProtocolError: it is none.
    """
    message, hint = decode_message(item.get("refused")), decode_message(item.get("hint"))
    if "password" in item:
        return PasswordNeeded(message, hint, wrong=item["password"] is True)
    if "environment" in item:
        return EnvironmentProblem(message, hint)
    return UserError(message, hint)


def encode_message(message: Message) -> list[Any]:
    """Return a message as [template, values]; a message among the values likewise."""
    values: dict[str, Any] = {}
    for name, value in message.params.items():
        if isinstance(value, Message):
            values[name] = encode_message(value)
        else:
            values[name] = value[:MAX_FIELD_CHARS] if isinstance(value, str) else value
    return [message.template, values]


def decode_message(data: object, depth: int = 0) -> Message:
    """Return a message whose template formats no value with a width.

    Raises:
        ProtocolError: it is no message, or one that could fill the memory.
    """
    template, values = check_list(data, 2)
    if not isinstance(values, dict) or len(values) > 20 or depth > 4:
        raise ProtocolError("a message with wrong values")
    template = check_text(template, 2_000)
    if _TEMPLATE_SPEC.search(template) or template.count("{") > 20:
        raise ProtocolError("a message with a strange template")
    params: dict[str, object] = {}
    for name, value in values.items():
        if isinstance(value, list):
            params[name] = decode_message(value, depth + 1)
        elif isinstance(value, (int, float)):
            params[name] = value
        else:
            params[name] = check_text(value)
    try:
        return Message(template, **params)
    except (ValueError, TypeError) as error:
        raise ProtocolError("a message whose values do not fit") from error


# --- checks ---------------------------------------------------------------------------------------


def check_text(value: object, max_chars: int = MAX_FIELD_CHARS) -> str:
    if not isinstance(value, str) or len(value) > max_chars:
        raise ProtocolError("a value that is no text, or too long")
    return value


def check_number(value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ProtocolError("a value that is no number, or too large")
    return value


def check_list(value: object, n: int | None, most: int = _MAX_ITEMS) -> list[Any]:
    if not isinstance(value, list) or len(value) > most or (n is not None and len(value) != n):
        raise ProtocolError("a list with wrong parts")
    return value
