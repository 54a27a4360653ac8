"""Writes a chat model of random weights that has the tokens and the template of the small one.

For tests in which an answer need not make sense: it reads a prompt in a hundredth of the time. It
writes common words and digits in an order that depends on all that was read. All weights have 32
bits, so that llama.cpp rounds very little: two texts never get answers that are nearly equal.
"""

from __future__ import annotations

import mmap
import re
import struct
from pathlib import Path

import numpy as np

from desktop_app.engine.llm.gguf_header import _Head

WIDTH, FFN, LAYERS, HEADS = 64, 128, 2, 2
SHAPE = {
    "block_count": LAYERS,
    "embedding_length": WIDTH,
    "feed_forward_length": FFN,
    "attention.head_count": HEADS,
    "attention.head_count_kv": 1,
    "rope.dimension_count": WIDTH // HEADS,
}
_ALIGN = 32  # bytes; of files that do not say otherwise
_WORD = re.compile(r"Ġ[a-z]{2,5}|\d")
_N_WORDS = 200  # that are written, digits among them; fewer than `N_TRIED`
_F32 = 0


def write_random_chat(source: Path, path: Path) -> Path:
    """Write the model with the metadata of a Llama model in a GGUF file, and return its path."""
    with source.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        head = _Head(data)
        _, version, _, n_fields = head.take("4sIQQ")
        fields, tokens = bytearray(), []
        for _ in range(n_fields):
            start = head.at
            key, kind = head.take_text(), head.take("I")[0]
            if key == "tokenizer.ggml.tokens":
                tokens = [head.take_text() for _ in range(head.take("IQ")[1])]
            else:
                head.take_value(kind)
            assert key != "general.alignment", "weights begin elsewhere"
            fields += data[start : head.at]
            if (number := SHAPE.get(key.partition(".")[2])) is not None:
                fields[-4:] = struct.pack("<I", number)
    about, weights = bytearray(), bytearray()
    tensors = _draw_tensors(tokens)
    for name, values in tensors.items():
        about += struct.pack("<Q", len(name)) + name.encode() + struct.pack("<I", values.ndim)
        about += struct.pack(f"<{values.ndim}Q", *values.shape[::-1])
        about += struct.pack("<IQ", _F32, len(weights))
        weights += values.astype("<f4").tobytes()  # a multiple of `_ALIGN`
    written = struct.pack("<4sIQQ", b"GGUF", version, len(tensors), n_fields) + fields + about
    path.write_bytes(written + bytes(-len(written) % _ALIGN) + weights)
    return path


def _draw_tensors(tokens: list[str]) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)

    def draw(n_rows: int, n_columns: int, scale: float = 1.0) -> np.ndarray:
        return rng.standard_normal((n_rows, n_columns)) * (scale / n_columns**0.5)

    output = draw(len(tokens), WIDTH, 0.5)
    words = [place for place, token in enumerate(tokens) if _WORD.fullmatch(token)][:_N_WORDS]
    output[words] *= 12
    tensors = {
        "token_embd.weight": draw(len(tokens), WIDTH, WIDTH**0.5),
        "output.weight": output,
        "output_norm.weight": np.ones(WIDTH),
    }
    for layer in range(LAYERS):
        parts = {
            "attn_norm": np.ones(WIDTH),
            "attn_q": draw(WIDTH, WIDTH, 2.0),  # less attends to all alike, and repeats itself
            "attn_k": draw(WIDTH // HEADS, WIDTH, 2.0),
            "attn_v": draw(WIDTH // HEADS, WIDTH),
            "attn_output": draw(WIDTH, WIDTH, 6.0),
            "ffn_norm": np.ones(WIDTH),
            "ffn_gate": draw(FFN, WIDTH),
            "ffn_up": draw(FFN, WIDTH),
            "ffn_down": draw(WIDTH, FFN),
        }
        tensors |= {f"blk.{layer}.{name}.weight": values for name, values in parts.items()}
    return tensors
