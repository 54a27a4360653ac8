"""Tests the GGUF reranker against the same weights in transformers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from desktop_app.engine.errors import EnvironmentProblem
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.llm.reranking import GgufReranker

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = ["who", "was", "dead", "marley", "ship", "sailed", "the"]
WIDTH, INNER, LONGEST = 32, 64, 64
NAMES = {
    "bert.embeddings.word_embeddings.weight": "token_embd.weight",
    "bert.embeddings.position_embeddings.weight": "position_embd.weight",
    "bert.embeddings.token_type_embeddings.weight": "token_types.weight",
    "bert.embeddings.LayerNorm.weight": "token_embd_norm.weight",
    "bert.embeddings.LayerNorm.bias": "token_embd_norm.bias",
    "bert.pooler.dense.weight": "cls.weight",
    "bert.pooler.dense.bias": "cls.bias",
    "classifier.weight": "cls.output.weight",
    "classifier.bias": "cls.output.bias",
}
PARTS = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}


def build_weights():
    """Return a BERT that scores pairs, with random weights."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(MARKS + WORDS),
        hidden_size=WIDTH,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=INNER,
        max_position_embeddings=LONGEST,
        num_labels=1,
        initializer_range=0.5,
    )
    return BertForSequenceClassification(config).eval()


def write_gguf(weights, path: Path) -> None:
    import gguf

    writer = gguf.GGUFWriter(path, "bert")
    writer.add_name("tiny")
    writer.add_context_length(LONGEST)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_block_count(2)
    writer.add_head_count(2)
    writer.add_layer_norm_eps(1e-12)
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.RANK)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("bert")
    writer.add_token_type_count(2)
    writer.add_token_list([*MARKS, *(f"\u2581{word}" for word in WORDS)])
    writer.add_token_types([3, 2, 3, 3, 3] + [1] * len(WORDS))
    writer.add_pad_token_id(0)
    writer.add_unk_token_id(1)
    writer.add_bos_token_id(2)
    writer.add_sep_token_id(3)
    writer.add_eos_token_id(3)
    writer.add_mask_token_id(4)
    for name, value in weights.state_dict().items():
        if name not in NAMES:
            layer, rest = name.removeprefix("bert.encoder.layer.").split(".", 1)
            part, kind = rest.rsplit(".", 1)
            known = f"blk.{layer}.{PARTS[part]}.{kind}"
        else:
            known = NAMES[name]
        writer.add_tensor(known, value.detach().numpy().astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.fixture(scope="module")
def weights():
    return build_weights()


@pytest.fixture(scope="module")
def folder(weights, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("rerankers")
    write_gguf(weights, folder / "tiny-reranker.gguf")
    return folder


def test_scores_are_those_of_the_same_weights_in_transformers(weights, folder):
    import torch

    # The tokens of "who was dead" with each text: [CLS] question [SEP] text [SEP]
    pairs = {
        "marley was dead": [2, 5, 6, 7, 3, 8, 6, 7, 3],
        "the ship sailed": [2, 5, 6, 7, 3, 11, 9, 10, 3],
        "": [2, 5, 6, 7, 3, 3],
        "ship " * 200: [2, 5, 6, 7, 3, *[9] * (LONGEST - 6), 3],
    }
    expected = []
    for ids in pairs.values():
        tokens = torch.tensor([ids])
        with torch.no_grad():
            logits = weights(input_ids=tokens, token_type_ids=torch.zeros_like(tokens)).logits
        expected.append(torch.sigmoid(logits).item())
    reranker = GgufReranker(folder / "tiny-reranker.gguf")
    assert reranker.score("who was dead", list(pairs)) == pytest.approx(expected, abs=0.002)
    assert max(expected) - min(expected) > 0.2
    reranker.close()
    with pytest.raises(EnvironmentProblem):
        reranker.score("who was dead", ["a"])


def test_the_registry_recognises_and_loads_a_reranker(folder):
    registry = ModelRegistry([folder])
    row = next(r for r in registry.list_models() if r.name == "tiny-reranker")
    assert (row.role, row.active) == ("reranker", False)
    registry.use_reranker("tiny-reranker")
    found = registry.find_reranker()
    assert found is not None and found.name == "tiny-reranker"
    own = GgufReranker(folder / "tiny-reranker.gguf")
    texts = ["marley was dead", "the ship sailed", ""]
    assert found.score("who was dead", texts) == own.score("who was dead", texts)
    own.close()
    registry.use_reranker("")
    assert registry.find_reranker() is None
    registry.close()
