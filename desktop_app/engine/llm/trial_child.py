"""The child process of a trial: loads a model, makes one embedding or one answer, runs one batch.

`python -m desktop_app.engine.llm.trial_child [ROLE PATH [GPU_LAYERS [CHAT_PATH]] | installed]`,
started by `trial.run_trial`; PATH is the projector for the role "vision". Without arguments it
tries llama.cpp itself, with two small GGUF models of random weights. Their tensors have the types
of the usual model files (Q4_0, Q4_K, Q6_K, Q8_0, F16, F32), because each type has its own code in
ggml, and the instructions it uses depend on it.
"""

from __future__ import annotations

import math
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from .. import paths
from ..child_sandbox import restrict_process
from ..errors import AppError, UserError
from ..model import ChatMessage
from .embedding import GgufEmbedder
from .host_process import find_limits
from .host_protocol import HostSpec
from .llama_chat import LlamaChat
from .llama_library import load_llama
from .llama_vision import LlamaVision
from .registry import ModelRegistry
from .reranking import GgufReranker
from .trial import DONE, PROBLEM, STEP


def _note_step(text: str) -> None:
    print(STEP + text, flush=True)


def _try_embedder(path: Path) -> str:
    """Return the fault of a model's embeddings, "" for none."""
    _note_step("loading the embedding model")
    model = GgufEmbedder(path)
    _note_step("making embeddings")
    one = model.embed_query("A clerk copied letters.")
    many = model.embed_passages([f"Passage {i}: the tide came in. 潮水来了。" for i in range(24)])
    model.close()
    rows = np.vstack([one[None], many])
    # A row of NaN becomes the first axis, see `GgufEmbedder`; two such rows are equal.
    if np.allclose(rows[0], rows[1]):
        return "makes embeddings without usable numbers"
    return ""


def _try_chat(path: Path, n_gpu_layers: int) -> str:
    """Return the fault of a chat model's answers, "" for none."""
    _note_step("loading the chat model")
    model = LlamaChat(path, n_ctx=2048, n_gpu_layers=n_gpu_layers)
    _note_step("writing an answer")
    ask = ChatMessage("user", "Name three colours.")
    for _ in model.stream([ask], max_tokens=8):
        pass
    _note_step("running a batch")
    lines = [f"{name}: " for name in ("Tide", "Clerk", "Bell", "Letter") for _ in range(4)]
    choices = model.choose([ask], lines, ("yes", "no"))
    model.close()
    numbers = [number for choice in choices for number in choice.logprobs]
    return "" if numbers and all(map(math.isfinite, numbers)) else "makes no usable numbers"


def _try_vision(spec: HostSpec) -> str:
    """Return the fault of a model that describes pictures, "" for none."""
    assert spec.projector is not None
    _note_step("loading the model and its projector")
    model = LlamaVision(spec.path, spec.projector, n_gpu_layers=spec.n_gpu_layers)
    _note_step("describing a picture")
    ask = ChatMessage("user", "What is in the picture?")
    side = 112  # pixels: quick with models that take any size
    model.describe([ask], bytes((200, 30, 30)) * side * side, side, side, max_tokens=8)
    model.close()
    return ""


def main(arguments: list[str]) -> int:
    """Run one trial in this process; print its steps and its result.

    Returns:
        0 it went well, 1 the model is at fault, 2 the machine is (memory, say).
    """
    _note_step("loading llama.cpp")
    try:
        load_llama()
    except AppError as error:
        reason = " ".join(str(error.__cause__).split())
        print(f"{PROBLEM}could not be loaded ({reason})", flush=True)
        return 1
    try:
        if not arguments:
            with tempfile.TemporaryDirectory(prefix="inkgraph-trial-") as folder:
                _note_step("writing small models")
                embedder = write_embedding_model(Path(folder) / "embedding.gguf")
                chat = write_chat_model(Path(folder) / "chat.gguf")
                problem = _try_embedder(embedder) or _try_chat(chat, 0)
        elif arguments == ["installed"]:
            _note_step("trying the installed models")
            problems = ModelRegistry(paths.model_folders()).find_problems()
            problem = " ".join(problem.message for problem in problems)
        else:
            role, path, *rest = arguments
            n_gpu_layers = int(rest[0]) if rest else 0
            spec = HostSpec(role, Path(path), n_ctx=2048, n_gpu_layers=n_gpu_layers)
            if role == "vision":
                spec = replace(spec, path=Path(rest[1]), projector=Path(path))
            restrict_process(find_limits(spec).memory_bytes, may_write=True)
            if role == "vision":
                problem = _try_vision(spec)
            elif role == "embedding":
                problem = _try_embedder(Path(path))
            elif role == "reranker":
                _note_step("loading the reranker")
                model = GgufReranker(Path(path))
                _note_step("scoring passages")
                texts = ["A clerk wrote letters.", "The tide came in."] * 4
                is_finite = all(map(math.isfinite, model.score("Who wrote letters?", texts)))
                problem = "" if is_finite else "gives scores that are no numbers"
            else:
                problem = _try_chat(Path(path), n_gpu_layers)
    except AppError as error:
        print(f"{PROBLEM}failed: {' '.join(error.message.split()).rstrip('.')}", flush=True)
        return 1 if isinstance(error, UserError) else 2
    if problem:
        print(PROBLEM + problem, flush=True)
        return 1
    print(DONE, flush=True)
    return 0


# --- small models of random weights -----------------------------------------------------------

_WIDTH, _FFN, _LAYERS, _HEADS = 256, 512, 2, 4
_CTX = 2048
_NORMAL, _UNKNOWN, _CONTROL, _BYTE = 1, 2, 3, 6
_PIECES = [bytes([code]) for code in range(33, 127)]


def write_embedding_model(path: Path) -> Path:
    """Write a BERT of Q4_0 weights, like the starter embedding model, and return its path."""
    import gguf

    types = gguf.GGMLQuantizationType
    rng = np.random.default_rng(7)
    writer = gguf.GGUFWriter(path, "bert")
    n_vocab = _add_vocabulary(writer)
    writer.add_name("trial embedding")
    writer.add_context_length(512)
    _add_shape(writer)
    writer.add_layer_norm_eps(1e-12)
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_token_type_count(2)
    _add_matrix(writer, rng, "token_embd", n_vocab, _WIDTH, types.Q4_0)
    writer.add_tensor("position_embd.weight", _draw(rng, 512, _WIDTH))
    writer.add_tensor("token_types.weight", _draw(rng, 2, _WIDTH))
    _add_norm(writer, "token_embd_norm", bias=True)
    for layer in range(_LAYERS):
        start = f"blk.{layer}"
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            _add_matrix(writer, rng, f"{start}.{name}", _WIDTH, _WIDTH, types.Q4_0, bias=True)
        _add_matrix(writer, rng, f"{start}.ffn_up", _FFN, _WIDTH, types.Q4_0, bias=True)
        _add_matrix(writer, rng, f"{start}.ffn_down", _WIDTH, _FFN, types.Q4_0, bias=True)
        _add_norm(writer, f"{start}.attn_output_norm", bias=True)
        _add_norm(writer, f"{start}.layer_output_norm", bias=True)
    return _write(writer, path)


def write_chat_model(path: Path) -> Path:
    """Write a Llama of mixed types, as Q4_K_M files are, and return its path."""
    import gguf

    types = gguf.GGMLQuantizationType
    rng = np.random.default_rng(11)
    writer = gguf.GGUFWriter(path, "llama")
    n_vocab = _add_vocabulary(writer)
    writer.add_name("trial chat")
    writer.add_context_length(_CTX)
    _add_shape(writer)
    writer.add_head_count_kv(_HEADS // 2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)
    writer.add_vocab_size(n_vocab)
    _add_matrix(writer, rng, "token_embd", n_vocab, _WIDTH, types.Q4_K)
    _add_matrix(writer, rng, "output", n_vocab, _WIDTH, types.Q6_K)
    _add_norm(writer, "output_norm")
    half = _WIDTH // 2
    for layer, kind in enumerate((types.Q4_K, types.Q8_0)):
        start = f"blk.{layer}"
        _add_matrix(writer, rng, f"{start}.attn_q", _WIDTH, _WIDTH, kind)
        _add_matrix(writer, rng, f"{start}.attn_k", half, _WIDTH, kind)
        _add_matrix(writer, rng, f"{start}.attn_v", half, _WIDTH, types.Q6_K)
        _add_matrix(writer, rng, f"{start}.attn_output", _WIDTH, _WIDTH, kind)
        _add_matrix(writer, rng, f"{start}.ffn_gate", _FFN, _WIDTH, kind)
        _add_matrix(writer, rng, f"{start}.ffn_up", _FFN, _WIDTH, types.F16)
        _add_matrix(writer, rng, f"{start}.ffn_down", _WIDTH, _FFN, types.Q6_K)
        _add_norm(writer, f"{start}.attn_norm")
        _add_norm(writer, f"{start}.ffn_norm")
    return _write(writer, path)


def _add_shape(writer: Any) -> None:
    writer.add_embedding_length(_WIDTH)
    writer.add_feed_forward_length(_FFN)
    writer.add_block_count(_LAYERS)
    writer.add_head_count(_HEADS)


def _add_vocabulary(writer: Any) -> int:
    """Write a SentencePiece vocabulary of single letters and bytes; return its size."""
    pieces = [b"<unk>", b"<s>", b"</s>", *(f"<0x{code:02X}>".encode() for code in range(256))]
    kinds = [_UNKNOWN, _CONTROL, _CONTROL, *[_BYTE] * 256]
    pieces += ["▁".encode(), *_PIECES]
    kinds += [_NORMAL] * (1 + len(_PIECES))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(pieces)
    writer.add_token_scores([-float(i) for i in range(len(pieces))])
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)
    return len(pieces)


def _draw(rng: np.random.Generator, n_rows: int, n_columns: int) -> np.ndarray:
    return (rng.standard_normal((n_rows, n_columns)) * 0.05).astype(np.float32)


def _add_norm(writer: Any, name: str, *, bias: bool = False) -> None:
    writer.add_tensor(f"{name}.weight", np.ones(_WIDTH, np.float32))
    if bias:
        writer.add_tensor(f"{name}.bias", np.zeros(_WIDTH, np.float32))


def _add_matrix(
    writer: Any,
    rng: np.random.Generator,
    name: str,
    n_rows: int,
    n_columns: int,
    kind: Any,
    *,
    bias: bool = False,
) -> None:
    import gguf

    types = gguf.GGMLQuantizationType
    if kind in (types.Q4_K, types.Q6_K):
        data = _draw_blocks(rng, n_rows, n_columns, is_q6=kind == types.Q6_K)
    else:
        data = gguf.quantize(_draw(rng, n_rows, n_columns), kind)
    writer.add_tensor(f"{name}.weight", data, raw_dtype=kind)
    if bias:
        writer.add_tensor(f"{name}.bias", np.zeros(n_rows, np.float32))


def _draw_blocks(
    rng: np.random.Generator, n_rows: int, n_columns: int, *, is_q6: bool
) -> np.ndarray:
    """Return rows of random blocks of 256 weights; gguf writes these types but does not quantise.

    A Q4_K block has 144 bytes: two float16 scales, 12 bytes of 6-bit scales, 128 of weights. A
    Q6_K block has 210: 192 of weights, 16 int8 scales, one float16 scale (ggml-common.h).
    """
    n_blocks = n_columns // 256
    if is_q6:
        weights = rng.integers(0, 256, (n_rows, n_blocks, 192), dtype=np.uint8)
        scales = rng.integers(0, 32, (n_rows, n_blocks, 16), dtype=np.uint8)
        factor = np.full((n_rows, n_blocks, 1), 1e-4, np.float16).view(np.uint8)
        blocks = np.concatenate([weights, scales, factor], axis=2)
    else:
        factors = np.full((n_rows, n_blocks, 2), 1e-4, np.float16).view(np.uint8)
        weights = rng.integers(0, 256, (n_rows, n_blocks, 140), dtype=np.uint8)
        blocks = np.concatenate([factors, weights], axis=2)
    return blocks.reshape(n_rows, -1)


def _write(writer: Any, path: Path) -> Path:
    try:
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
