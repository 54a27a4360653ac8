"""Reads the head of a GGUF file in plain Python, before llama.cpp gets to see it.

Owns the check that a file is whole: llama.cpp may abort the whole program on a broken one. Long
lists (the vocabulary) are skipped, not kept, so that a look takes well under a second.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..errors import UserError

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?"}
_SCALARS |= {10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MAX_COUNT = 1 << 24
_MAX_STRING = 1 << 26
_MAX_DEPTH = 4  # of lists in lists; models have one

# Encoders that only make vectors; decoders become embedders by their pooling, see `role`.
_ENCODERS = frozenset(
    "bert nomic-bert nomic-bert-moe jina-bert-v2 jina-bert-v3 modern-bert neo-bert eurobert"
    " gemma-embedding t5encoder".split()
)
_RANK_POOLING = 4
_CONNECTORS = ("mm.", "resampler.")  # tensors from the encoder's width to that of the chat model


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """The header of a GGUF file; `fields` are its short metadata values.

    `connector_sizes` are the sizes of the tensors of a projector that end at the chat model.
    """

    fields: dict[str, Any]
    n_tensors: int
    size_bytes: int
    connector_sizes: frozenset[int] = frozenset()

    @property
    def architecture(self) -> str:
        return str(self.fields.get("general.architecture", ""))

    @property
    def title(self) -> str:
        return str(self.fields.get("general.name", ""))

    @property
    def n_ctx_train(self) -> int:
        return int(self.fields.get(f"{self.architecture}.context_length", 0))

    @property
    def n_embd(self) -> int:
        """Return the width of the vectors that the model reads, 0 if the file does not say it."""
        return int(self.fields.get(f"{self.architecture}.embedding_length", 0))

    @property
    def role(self) -> str:
        """Return what the model is for: embedding, reranker, chat, or "vision" for a projector."""
        if self.architecture == "clip" or self.fields.get("general.type") == "mmproj":
            return "vision"
        pooling = self.fields.get(f"{self.architecture}.pooling_type", 0)
        if pooling == _RANK_POOLING:
            return "reranker"
        return "embedding" if pooling or self.architecture in _ENCODERS else "chat"


def load_header(path: Path) -> GgufHeader:
    """Return the head of a GGUF file that is whole.

    Raises:
        UserError: the file is missing, is no GGUF file, or ends too early.
    """
    try:
        stat = path.stat()
        return _load(path, stat.st_size, stat.st_mtime_ns)
    except OSError as error:
        raise UserError(
            "The model file {name} can't be read: {reason}.",
            "Check that it is still there, or choose another model.",
            name=path.name,
            reason=error.strerror or error,
        ) from error
    except (ValueError, struct.error, UnicodeDecodeError, OverflowError) as error:
        raise UserError(
            "The model file {name} is damaged or not complete ({reason}).",
            "Delete it and get it again.",
            name=path.name,
            reason=error,
        ) from error


@lru_cache(maxsize=64)
def _load(path: Path, size_bytes: int, _changed_ns: int) -> GgufHeader:
    if size_bytes < 4:
        raise ValueError("it does not begin like a GGUF file")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return _read(_Head(data), size_bytes)


class _Head:
    """Goes through a file from its beginning; `at` is the place reached."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self.at = 0

    def take(self, layout: str) -> tuple[Any, ...]:
        n = struct.calcsize("<" + layout)
        self._need(n)
        self.at += n
        return struct.unpack_from("<" + layout, self._data, self.at - n)

    def take_text(self) -> str:
        (length,) = self.take("Q")
        if length > _MAX_STRING:
            raise ValueError("its head makes no sense")
        return self.take_bytes(length).decode("utf-8", "replace")

    def take_bytes(self, n: int) -> bytes:
        self._need(n)
        self.at += n
        return self._data[self.at - n : self.at]

    def take_value(self, kind: int, depth: int = 0) -> Any:
        """Return a value, or None for a list, which is passed over."""
        if kind == _STRING:
            return self.take_text()
        if kind in _SCALARS:
            return self.take(_SCALARS[kind])[0]
        if kind != _ARRAY or depth == _MAX_DEPTH:
            raise ValueError("its head makes no sense")
        of, n = self.take("IQ")
        if n > _MAX_COUNT:
            raise ValueError("its head makes no sense")
        if of in _SCALARS:
            self.at += n * struct.calcsize("<" + _SCALARS[of])
        elif of == _STRING:
            self._skip_texts(n)
        else:
            for _ in range(n):
                self.take_value(of, depth + 1)
        return None

    def _skip_texts(self, n: int) -> None:
        """Go from length to length: a vocabulary has hundreds of thousands of words."""
        data, at, read_length = self._data, self.at, struct.Struct("<Q").unpack_from
        try:
            for _ in range(n):
                (length,) = read_length(data, at)
                at += 8 + length
        except struct.error as error:
            raise ValueError("it ends within its head") from error
        self.at = at

    def _need(self, n: int) -> None:
        if self.at + n > len(self._data):
            raise ValueError("it ends within its head")


def _read(head: _Head, size_bytes: int) -> GgufHeader:
    if head.take_bytes(4) != b"GGUF":
        raise ValueError("it does not begin like a GGUF file")
    version, n_tensors, n_fields = head.take("IQQ")
    if version not in (2, 3):
        raise ValueError(f"GGUF version {version} is not known")
    if n_fields > _MAX_COUNT or not 0 < n_tensors <= _MAX_COUNT:
        raise ValueError("its counts make no sense")
    fields: dict[str, Any] = {}
    for _ in range(n_fields):
        key = head.take_text()
        value = head.take_value(head.take("I")[0])
        if value is not None:
            fields[key] = value
    end, sizes = _read_tensors(head, n_tensors)
    align = int(fields.get("general.alignment", 32)) or 32
    needed = -(-head.at // align) * align + end
    if size_bytes < needed:
        raise ValueError(f"it has {size_bytes:,} bytes of {needed:,}")
    return GgufHeader(fields, n_tensors, size_bytes, sizes)


def _read_tensors(head: _Head, n_tensors: int) -> tuple[int, frozenset[int]]:
    """Return where the weights end, counted from where they begin, and the connector's sizes."""
    from gguf.constants import GGML_QUANT_SIZES

    sizes = {int(kind): size for kind, size in GGML_QUANT_SIZES.items()}
    end = 0
    connector: set[int] = set()
    for _ in range(n_tensors):
        name = head.take_text()
        n_dims = head.take("I")[0]
        if n_dims > 8:
            raise ValueError("its tensors make no sense")
        shape = head.take(f"{n_dims}Q")
        kind, offset = head.take("IQ")
        if name.startswith(_CONNECTORS):
            connector.update(shape)
        n = 1
        for length in shape:
            n *= length
        # A kind newer than the gguf package is let through: llama.cpp refuses it politely.
        block, block_bytes = sizes.get(kind, (1, 0))
        end = max(end, offset + n // block * block_bytes)
    return end, frozenset(connector)
