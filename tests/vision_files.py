"""A small projector of random weights for the chat model of `write_chat_model`.

It is of LLaVA's kind: a vision transformer of one layer and a perceptron of two, which is the
simplest that llama.cpp loads (tensors and keys: `clip.cpp`, `PROJECTOR_TYPE_MLP`).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from desktop_app.engine.llm.trial_child import write_chat_model

N_BYTES = 3 + 256  # tokens before the letters
WIDTH, FFN, HEADS, PATCH, SIDE = 64, 128, 4, 14, 56  # SIDE / PATCH squared: 16 tokens a picture
CHAT_WIDTH = 256  # of the chat model of random weights


def write_projector(
    path: Path, *, width: int = CHAT_WIDTH, name: str = "trial", kind: str = "mlp", seed: int = 5
) -> Path:
    """Write a projector that makes vectors of `width` numbers, and return its path."""
    import gguf

    rng = np.random.default_rng(seed)

    def draw(*shape: int) -> np.ndarray:
        return (rng.standard_normal(shape) * 0.3).astype(np.float32)

    writer = gguf.GGUFWriter(path, "clip")
    writer.add_name(name)
    writer.add_string("clip.projector_type", kind)
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_bool("clip.use_gelu", True)
    for key, value in (
        ("image_size", SIDE),
        ("patch_size", PATCH),
        ("embedding_length", WIDTH),
        ("feed_forward_length", FFN),
        ("block_count", 2),
        ("attention.head_count", HEADS),
        ("projection_dim", width),
    ):
        writer.add_uint32(f"clip.vision.{key}", value)
    writer.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-5)
    writer.add_array("clip.vision.image_mean", [0.5, 0.5, 0.5])
    writer.add_array("clip.vision.image_std", [0.5, 0.5, 0.5])
    n_patches = (SIDE // PATCH) ** 2
    writer.add_tensor("v.patch_embd.weight", draw(WIDTH, 3, PATCH, PATCH))
    writer.add_tensor("v.position_embd.weight", draw(n_patches, WIDTH))
    for layer in range(2):
        start = f"v.blk.{layer}"
        for part in ("attn_q", "attn_k", "attn_v", "attn_out"):
            writer.add_tensor(f"{start}.{part}.weight", draw(WIDTH, WIDTH))
            writer.add_tensor(f"{start}.{part}.bias", draw(WIDTH))
        for part in ("ln1", "ln2"):
            writer.add_tensor(f"{start}.{part}.weight", np.ones(WIDTH, np.float32))
            writer.add_tensor(f"{start}.{part}.bias", np.zeros(WIDTH, np.float32))
        writer.add_tensor(f"{start}.ffn_up.weight", draw(FFN, WIDTH))
        writer.add_tensor(f"{start}.ffn_up.bias", draw(FFN))
        writer.add_tensor(f"{start}.ffn_down.weight", draw(WIDTH, FFN))
        writer.add_tensor(f"{start}.ffn_down.bias", draw(WIDTH))
    writer.add_tensor("mm.0.weight", draw(width, WIDTH))
    writer.add_tensor("mm.0.bias", draw(width))
    writer.add_tensor("mm.2.weight", draw(width, width))
    writer.add_tensor("mm.2.bias", draw(width))
    try:
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()
    return path


def write_writing_chat(path: Path) -> Path:
    """Write the chat model of random weights so that it writes letters, no bytes and no end."""
    import gguf

    write_chat_model(path)
    reader = gguf.GGUFReader(path, "r+")
    [output] = [tensor for tensor in reader.tensors if tensor.name == "output.weight"]
    output.data[:N_BYTES] = 0  # their logits are 0, and some letter's is greater
    reader.data.flush()
    return path
