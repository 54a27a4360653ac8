"""Reads the head of a GGUF file in plain Python, before llama.cpp gets to see it.

Owns the check that a file is whole: llama.cpp may abort the whole program on a broken one. Long
lists (the vocabulary) are skipped, not kept, so that a look takes well under a second.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import UserError

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?"}
_SCALARS |= {10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MAX_COUNT = 1 << 24
_MAX_STRING = 1 << 26

# Encoders that only make vectors; decoders become embedders by their pooling, see `role`.
_ENCODERS = ("bert", "nomic-bert", "nomic-bert-moe", "jina-bert-v2", "jina-bert-v3")
_ENCODERS += ("modern-bert", "neo-bert", "eurobert", "gemma-embedding", "t5encoder")
_RANK_POOLING = 4


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What a GGUF file says about itself; `fields` are its short metadata values."""

    fields: dict[str, Any]
    n_tensors: int
    size_bytes: int

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
    def role(self) -> str:
        """Say what the model is for: embedding, reranker or chat."""
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
            f"The model file {path.name} can't be read: {error.strerror or error}.",
            "Check that it is still there, or choose another model.",
        ) from error
    except (ValueError, struct.error, UnicodeDecodeError, OverflowError) as error:
        raise UserError(
            f"The model file {path.name} is damaged or not complete ({error}).",
            "Delete it and get it again.",
        ) from error


@lru_cache(maxsize=64)
def _load(path: Path, size_bytes: int, _changed_ns: int) -> GgufHeader:
    with path.open("rb") as file:
        return _read(file, size_bytes)


def _read(file: BinaryIO, size_bytes: int) -> GgufHeader:
    if file.read(4) != b"GGUF":
        raise ValueError("it does not begin like a GGUF file")
    version, n_tensors, n_fields = _take(file, "IQQ")
    if version not in (2, 3):
        raise ValueError(f"GGUF version {version} is not known")
    if n_fields > _MAX_COUNT or not 0 < n_tensors <= _MAX_COUNT:
        raise ValueError("its counts make no sense")
    fields: dict[str, Any] = {}
    for _ in range(n_fields):
        key = _take_text(file)
        value = _take_value(file, _take(file, "I")[0])
        if value is not None:
            fields[key] = value
    end = _last_tensor_end(file, n_tensors)
    align = int(fields.get("general.alignment", 32)) or 32
    needed = -(-file.tell() // align) * align + end
    if size_bytes < needed:
        raise ValueError(f"it has {size_bytes:,} bytes of {needed:,}")
    return GgufHeader(fields, n_tensors, size_bytes)


def _take(file: BinaryIO, layout: str) -> tuple:
    n = struct.calcsize("<" + layout)
    data = file.read(n)
    if len(data) < n:
        raise ValueError("it ends within its head")
    return struct.unpack("<" + layout, data)


def _take_text(file: BinaryIO) -> str:
    n = _take(file, "Q")[0]
    if n > _MAX_STRING:
        raise ValueError("its head makes no sense")
    data = file.read(n)
    if len(data) < n:
        raise ValueError("it ends within its head")
    return data.decode("utf-8", "replace")


def _take_value(file: BinaryIO, kind: int) -> Any:
    """Return a value, or None for a list, which is passed over."""
    if kind == _STRING:
        return _take_text(file)
    if kind in _SCALARS:
        return _take(file, _SCALARS[kind])[0]
    if kind != _ARRAY:
        raise ValueError("its head makes no sense")
    of, n = _take(file, "IQ")
    if n > _MAX_COUNT:
        raise ValueError("its head makes no sense")
    if of in _SCALARS:
        file.seek(n * struct.calcsize("<" + _SCALARS[of]), 1)
    else:
        for _ in range(n):
            if of == _STRING:
                length = _take(file, "Q")[0]
                if length > _MAX_STRING:
                    raise ValueError("its head makes no sense")
                file.seek(length, 1)
            else:
                _take_value(file, of)
    return None


def _last_tensor_end(file: BinaryIO, n_tensors: int) -> int:
    """Return where the weights end, counted from where they begin."""
    from gguf.constants import GGML_QUANT_SIZES

    sizes = {int(kind): size for kind, size in GGML_QUANT_SIZES.items()}
    end = 0
    for _ in range(n_tensors):
        _take_text(file)
        n_dims = _take(file, "I")[0]
        if n_dims > 8:
            raise ValueError("its tensors make no sense")
        shape = _take(file, f"{n_dims}Q")
        kind, offset = _take(file, "IQ")
        n = 1
        for length in shape:
            n *= length
        # A kind newer than the gguf package is let through: llama.cpp refuses it politely.
        block, block_bytes = sizes.get(kind, (1, 0))
        end = max(end, offset + n // block * block_bytes)
    return end
