"""Turns EmbeddingGemma, as its publisher's folder in a zip archive, into a GGUF file of 8 bits.

Owns the reading of safetensors and of the tokenizer, and the naming of tensors and fields for
llama.cpp. The same archive gives the same file. Knows nothing of downloads.
"""

from __future__ import annotations

import errno
import json
import math
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..errors import UserError

_PREFIX = "model_download/"
_CHUNK_ROWS = 16_384  # of the table of tokens, which is 800 MB before it is quantised

_TENSORS = {"embed_tokens.weight": "token_embd.weight", "norm.weight": "output_norm.weight"}
_LAYER_TENSORS = {
    "input_layernorm": "attn_norm",
    "mlp.down_proj": "ffn_down",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "post_attention_layernorm": "post_attention_norm",
    "post_feedforward_layernorm": "post_ffw_norm",
    "pre_feedforward_layernorm": "ffn_norm",
    "self_attn.k_norm": "attn_k_norm",
    "self_attn.k_proj": "attn_k",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.v_proj": "attn_v",
}
_DENSE = {"2_Dense": "dense_2", "3_Dense": "dense_3"}  # after the mean over the tokens
_NORMAL, _CONTROL, _USER_DEFINED = 1, 3, 4  # SentencePiece has the same numbers
_BLANK = "▁"  # a space in a piece
_ADDED_SCORE = -1000.0  # of tokens that SentencePiece does not know


def _read_tensors(
    archive: zipfile.ZipFile, member: str, check: Callable[[], None]
) -> Iterator[tuple[str, tuple[int, ...], Iterator[np.ndarray]]]:
    """Yield name, shape and parts of each tensor of a safetensors file, in the order of the file.

    The parts are float32, whole rows each, and must be taken before the next tensor.
    """
    with archive.open(member) as file:
        (n_head,) = struct.unpack("<Q", file.read(8))
        head = json.loads(file.read(n_head))
        head.pop("__metadata__", None)
        at = 0
        for name, entry in sorted(head.items(), key=lambda item: item[1]["data_offsets"]):
            start, end = entry["data_offsets"]
            shape = tuple(entry["shape"])
            if entry["dtype"] != "F32" or start != at or end - start != 4 * math.prod(shape):
                raise ValueError(f"{member}: {name} is not as expected")
            yield name, shape, _read_rows(file, shape, check)
            at = end


def _read_rows(
    file: IO[bytes], shape: tuple[int, ...], check: Callable[[], None]
) -> Iterator[np.ndarray]:
    """Yield the next tensor of a file in parts of whole rows."""
    row_bytes = 4 * math.prod(shape[1:])
    for first in range(0, shape[0], _CHUNK_ROWS):
        check()
        n = min(_CHUNK_ROWS, shape[0] - first)
        yield np.frombuffer(file.read(n * row_bytes), "<f4").reshape(n, *shape[1:])


def _name_tensor(name: str) -> str:
    if name in _TENSORS:
        return _TENSORS[name]
    _, layer, rest = name.split(".", 2)
    part, suffix = rest.rsplit(".", 1)
    return f"blk.{layer}.{_LAYER_TENSORS[part]}.{suffix}"


def _read_fields(data: memoryview) -> Iterator[tuple[int, Any]]:
    """Yield number and value of each field of a protobuf message (of the kinds that occur)."""

    at = 0

    def take_number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        number, wire = divmod(take_number(), 8)
        if wire == 0:
            yield number, take_number()
        elif wire == 2:
            size = take_number()
            yield number, data[at : at + size]
            at += size
        elif wire == 5:
            yield number, struct.unpack_from("<f", data, at)[0]
            at += 4
        else:
            raise ValueError("the tokenizer is not as expected")


def _read_pieces(archive: zipfile.ZipFile) -> list[tuple[bytes, float, int]]:
    """Return text, score and type of each token."""
    pieces: list[tuple[bytes, float, int]] = []
    for number, value in _read_fields(memoryview(archive.read(_PREFIX + "tokenizer.model"))):
        if number == 1:
            fields = dict(_read_fields(value))
            text = bytes(fields.get(1, b""))
            pieces.append((text, float(fields.get(2, 0.0)), int(fields.get(3, _NORMAL))))
    settings = json.loads(archive.read(_PREFIX + "tokenizer_config.json"))
    for number, added in settings["added_tokens_decoder"].items():
        if int(number) >= len(pieces):  # the mark of a picture, which this model has no row for
            continue
        text = added["content"]
        # what has no meaning of its own must not be found in a text
        is_mark = added["special"] or text == "<mask>" or text.startswith("<unused")
        kind = _CONTROL if is_mark else _USER_DEFINED
        if not is_mark:
            text = text.replace(_BLANK, " ")
        pieces[int(number)] = (text.encode("utf-8"), _ADDED_SCORE, kind)
    return pieces


def repack(source: Path, target: Path, check: Callable[[], None] = lambda: None) -> Path:
    """Write the GGUF file made of the archive, and return where it is.

    Args:
        check: called often; what it raises ends the work.

    Raises:
        UserError: the archive is not what is expected.
    """
    damaged = (zipfile.BadZipFile, zlib.error, struct.error, KeyError, IndexError, ValueError)
    try:
        with zipfile.ZipFile(source) as archive:
            return _repack(archive, target, check)
    except (*damaged, OSError) as error:
        # a damaged archive leads to places before its start; a full disk is not its fault
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            raise
        raise UserError(
            "The downloaded embedding model is not in the form expected.", "Run the install again."
        ) from error


def _repack(archive: zipfile.ZipFile, target: Path, check: Callable[[], None]) -> Path:
    import gguf

    config = json.loads(archive.read(_PREFIX + "config.json"))
    writer = gguf.GGUFWriter(target, "gemma-embedding")
    try:
        writer.add_name("EmbeddingGemma 300M")
        writer.add_license("gemma")
        writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
        writer.add_context_length(config["max_position_embeddings"])
        writer.add_embedding_length(config["hidden_size"])
        writer.add_block_count(config["num_hidden_layers"])
        writer.add_feed_forward_length(config["intermediate_size"])
        writer.add_head_count(config["num_attention_heads"])
        writer.add_head_count_kv(config["num_key_value_heads"])
        writer.add_key_length(config["head_dim"])
        writer.add_value_length(config["head_dim"])
        writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
        writer.add_rope_freq_base(config["rope_theta"])
        writer.add_rope_freq_base_swa(config["rope_local_base_freq"])
        writer.add_sliding_window(config["sliding_window"])
        writer.add_pooling_type(gguf.PoolingType.MEAN)
        _add_tokenizer(writer, archive)
        for folder, name in _DENSE.items():
            sizes = json.loads(archive.read(f"{_PREFIX}{folder}/config.json"))
            writer.add_dense_features_dims(name, sizes["in_features"], sizes["out_features"])
            for _, _, parts in _read_tensors(
                archive, f"{_PREFIX}{folder}/model.safetensors", check
            ):
                _add_tensor(writer, f"{name}.weight", list(parts), is_matrix=True)
        for name, shape, parts in _read_tensors(archive, _PREFIX + "model.safetensors", check):
            _add_tensor(writer, _name_tensor(name), parts, is_matrix=len(shape) > 1)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()
    return target


def _add_tokenizer(writer: Any, archive: zipfile.ZipFile) -> None:
    pieces = _read_pieces(archive)
    texts = [text for text, _, _ in pieces]
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(texts)
    writer.add_token_scores([score for _, score, _ in pieces])
    writer.add_token_types([kind for _, _, kind in pieces])
    writer.add_bos_token_id(texts.index(b"<bos>"))
    writer.add_eos_token_id(texts.index(b"<eos>"))
    writer.add_unk_token_id(texts.index(b"<unk>"))
    writer.add_pad_token_id(texts.index(b"<pad>"))
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)
    writer.add_add_space_prefix(False)


def _add_tensor(writer: Any, name: str, parts: Any, *, is_matrix: bool) -> None:
    """Add a tensor: a matrix with 8 bits a number, a row of weights as it is.

    Gemma multiplies by one more than the weight of a norm; llama.cpp, by the weight.
    """
    import gguf

    kind = gguf.GGMLQuantizationType.Q8_0
    if is_matrix:
        rows = np.concatenate([gguf.quants.quantize(part, kind) for part in parts])
        writer.add_tensor(name, rows, raw_dtype=kind)
    else:
        (values,) = parts
        writer.add_tensor(name, values + 1.0 if name.endswith("norm.weight") else values)
