"""Tests writing EmbeddingGemma as GGUF, with a tiny model of random weights that llama.cpp runs."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.llm.embedding import GgufEmbedder
from desktop_app.engine.llm.gemma_repack import repack

WIDTH, FFN, N_LAYERS = 32, 64, 6  # the sixth layer sees the whole text, as llama.cpp has it
MARKS = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>", "▁▁"]
LETTERS = [*"abcdefghijklmnopqrstuvwxyz:|.", "▁"]


def encode_field(number: int, value: str | float | int) -> bytes:
    if isinstance(value, str):
        data = value.encode("utf-8")
        return bytes([number * 8 + 2, len(data)]) + data
    if isinstance(value, float):
        return bytes([number * 8 + 5]) + struct.pack("<f", value)
    return bytes([number * 8, value])


def encode_tokenizer() -> bytes:
    """Return a SentencePiece model of letters and bytes."""
    rows = [(text, 0.0, 3) for text in MARKS]
    rows += [(f"<0x{byte:02X}>", 0.0, 6) for byte in range(256)]
    rows += [(text, -1.0 - at, 1) for at, text in enumerate(LETTERS)]
    made = b""
    for text, score, kind in rows:
        piece = encode_field(1, text) + encode_field(2, score) + encode_field(3, kind)
        made += bytes([10, len(piece)]) + piece
    return made + encode_field(99 % 16, "ignored")


def encode_tensors(tensors: dict[str, np.ndarray]) -> bytes:
    head: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, values in tensors.items():
        data = values.astype("<f4").tobytes()
        offsets = [len(body), len(body) + len(data)]
        head[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": offsets}
        body += data
    text = json.dumps(head).encode()
    return struct.pack("<Q", len(text)) + text + body


def make_archive(path: Path, **changes: bytes) -> Path:
    random = np.random.default_rng(3)
    n_vocab = len(MARKS) + 256 + len(LETTERS)

    def draw(*shape: int) -> np.ndarray:
        return random.normal(0.0, 0.2, shape)

    tensors = {"embed_tokens.weight": draw(n_vocab, WIDTH), "norm.weight": draw(WIDTH)}
    shapes = {
        "mlp.down_proj": (WIDTH, FFN),
        **dict.fromkeys(("mlp.gate_proj", "mlp.up_proj"), (FFN, WIDTH)),
        **{f"self_attn.{one}_proj": (WIDTH, WIDTH) for one in "kqvo"},
        **dict.fromkeys(("self_attn.k_norm", "self_attn.q_norm", "input_layernorm"), (WIDTH,)),
        **{f"{one}_layernorm": (WIDTH,) for one in ("post_attention", "post_feedforward")},
        "pre_feedforward_layernorm": (WIDTH,),
    }
    for layer in range(N_LAYERS):
        tensors |= {f"layers.{layer}.{name}.weight": draw(*shape) for name, shape in shapes.items()}
    config = {
        **{"max_position_embeddings": 512, "hidden_size": WIDTH, "num_hidden_layers": N_LAYERS},
        **{"intermediate_size": FFN, "num_attention_heads": 1, "num_key_value_heads": 1},
        **{"head_dim": WIDTH, "rms_norm_eps": 1e-6, "rope_theta": 1e6},
        **{"rope_local_base_freq": 1e4, "sliding_window": 128},
    }
    added = {str(at): {"content": text, "special": at < 4} for at, text in enumerate(MARKS)}
    added["9999"] = {"content": "<image_soft_token>", "special": True}
    members = {
        "config.json": json.dumps(config).encode(),
        "tokenizer.model": encode_tokenizer(),
        "tokenizer_config.json": json.dumps({"added_tokens_decoder": added}).encode(),
        "model.safetensors": encode_tensors(tensors),
    }
    for folder, (n_in, n_out) in {"2_Dense": (WIDTH, FFN), "3_Dense": (FFN, WIDTH)}.items():
        sizes = {"in_features": n_in, "out_features": n_out}
        members[f"{folder}/config.json"] = json.dumps(sizes).encode()
        weights = {"linear.weight": draw(n_out, n_in)}
        members[f"{folder}/model.safetensors"] = encode_tensors(weights)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (members | changes).items():
            archive.writestr(f"model_download/{name}", data)
    return path


def test_the_file_is_run_by_llama_cpp_and_always_the_same(tmp_path: Path) -> None:
    archive = make_archive(tmp_path / "model.zip")
    path = repack(archive, tmp_path / "embeddinggemma-tiny.gguf")
    again = repack(archive, tmp_path / "again.gguf")
    assert path.read_bytes() == again.read_bytes()
    embedder = GgufEmbedder(path, n_threads=1)
    try:
        rows = embedder.embed_passages(["a storm at sea", "a storm at sea", "the quiet garden"])
        assert rows.shape == (3, WIDTH)
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0)
        assert rows[0] == pytest.approx(rows[1])
        assert float(rows[0] @ rows[2]) < 0.9999
        # the prefixes of this model are known by its name
        assert float(embedder.embed_query("a storm at sea") @ rows[0]) < 0.9999
        # "<mask>" in a text is letters, two spaces are one token
        assert embedder.count_tokens("<mask>") == len("<mask>")
        assert embedder.count_tokens("a  b") == 3
    finally:
        embedder.close()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("config.json", b"{}"),
        ("tokenizer.model", b"\x0f"),
        ("model.safetensors", encode_tensors({"strange.weight": np.zeros((4, 32))})),
        ("model.safetensors", b"\x10\0\0\0\0\0\0\0cut short"),
    ],
)
def test_another_archive_is_refused(tmp_path: Path, name: str, data: bytes) -> None:
    archive = make_archive(tmp_path / "model.zip", **{name: data})
    with pytest.raises(UserError, match="not in the form expected"):
        repack(archive, tmp_path / "made.gguf")
    broken = tmp_path / "broken.zip"
    broken.write_bytes(archive.read_bytes()[:500])
    with pytest.raises(UserError, match="not in the form expected"):
        repack(broken, tmp_path / "made.gguf")


def test_the_work_can_be_cancelled(tmp_path: Path) -> None:
    def cancel() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        repack(make_archive(tmp_path / "model.zip"), tmp_path / "made.gguf", cancel)
