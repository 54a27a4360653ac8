"""Models of PyTorch, here and in a process of their own, and those that are compared with them.

They share a file because importing PyTorch takes longer than the tests.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.llm.host_child import load_native
from desktop_app.engine.llm.host_protocol import HostSpec
from desktop_app.engine.llm.hosted_models import HostedEmbedder
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.llm.reranking import (
    CHAT_RERANKER,
    CrossEncoderReranker,
    GgufReranker,
    is_cross_encoder_folder,
)

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


@pytest.mark.slow
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


# --- cross-encoders -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> Path:
    """A models folder with a tiny cross-encoder with random weights."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    root = tmp_path_factory.mktemp("models")
    folder = root / "tiny-cross-encoder"
    folder.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "who", "was", "dead", "marley", "ship"]
    (folder / "vocab.txt").write_text("\n".join(words), "utf-8")
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        num_labels=1,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return root


@pytest.mark.slow
def test_a_cross_encoder_folder_gives_one_score_a_text(models):
    reranker = CrossEncoderReranker(models / "tiny-cross-encoder")
    texts = ["Marley was dead", "ship " * 900, ""]
    scores = reranker.score("Who was dead?", texts)
    assert len(scores) == 3
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert reranker.score("Who was dead?", texts[:1]) == pytest.approx(scores[:1], abs=1e-5)
    assert reranker.score("Who?", []) == []
    reranker.close()
    with pytest.raises(EnvironmentProblem):
        reranker.score("Who?", ["a"])


def test_a_folder_with_several_labels_is_no_reranker(models, tmp_path):
    folder = models / "tiny-cross-encoder"
    assert is_cross_encoder_folder(folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    other = tmp_path / "other"
    other.mkdir()
    (other / "model.safetensors").write_bytes(b"")
    (other / "config.json").write_text(json.dumps(config | {"id2label": {"0": "a", "1": "b"}}))
    assert not is_cross_encoder_folder(other)
    with pytest.raises(UserError):
        CrossEncoderReranker(other)
    (other / "config.json").write_text("{")
    assert not is_cross_encoder_folder(other)


def test_a_reranker_is_used_only_once_chosen(models):
    registry = ModelRegistry([models])
    row = next(r for r in registry.list_models() if r.name == "tiny-cross-encoder")
    assert (row.role, row.active) == ("reranker", False)
    assert registry.find_reranker() is None
    registry.use("tiny-cross-encoder")
    assert next(r for r in registry.list_models() if r.name == row.name).active
    found = registry.find_reranker()
    assert found is not None and found.name == "tiny-cross-encoder"
    assert registry.find_reranker() is found
    own, texts = CrossEncoderReranker(models / row.name), ["Marley was dead", "", "ship " * 200]
    scores = own.score("Who was dead?", texts)
    own.close()
    assert found.score("Who was dead?", texts) == pytest.approx(scores, abs=1e-6)  # in its process
    assert registry.check("tiny-cross-encoder").sample.startswith("similar")
    registry.use_reranker("")
    assert registry.find_reranker() is None
    registry.use_reranker(CHAT_RERANKER)
    assert registry.find_reranker() is None  # no chat model is there
    registry.close()


# --- embedders ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def torch_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tiny embedder of random weights."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    root = tmp_path_factory.mktemp("torch-models")
    plain = root / "plain"
    plain.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "who", "was", "dead", "marley", "ship"]
    (plain / "vocab.txt").write_text("\n".join(words), "utf-8")
    BertTokenizerFast(vocab_file=str(plain / "vocab.txt")).save_pretrained(plain)
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = BertConfig(
        vocab_size=len(words), intermediate_size=16, max_position_embeddings=64, **shape
    )
    BertModel(config).save_pretrained(plain)
    parts = [Transformer(str(plain)), Pooling(16)]
    SentenceTransformer(modules=parts, device="cpu").save(str(root / "embedder"))
    return root / "embedder"


def test_an_embedder_of_pytorch_gives_unit_vectors(torch_folder: Path):
    own = load_native(HostSpec("embedding", torch_folder, n_threads=1))
    try:
        assert (own.name, own.dim) == ("embedder", 16)
        vectors = own.embed_passages(["marley was dead", "who", "", "ship " * 200])
        assert vectors.shape == (4, 16)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
        assert own.embed_query("who was dead").shape == (16,)
    finally:
        own.close()


# A process with PyTorch takes 8 s to start; `test_a_reranker_is_used_only_once_chosen` starts one.
@pytest.mark.slow
def test_an_embedder_of_pytorch_gives_the_same_in_its_process(torch_folder: Path):
    texts = ["marley was dead", "who", "", "ship " * 200]
    spec = HostSpec("embedding", torch_folder, n_threads=1)
    own, hosted = load_native(spec), HostedEmbedder(spec)
    try:
        assert (hosted.name, hosted.dim) == (own.name, own.dim) == ("embedder", 16)
        assert np.allclose(hosted.embed_passages(texts), own.embed_passages(texts), atol=1e-6)
        query = "who was dead"
        assert np.allclose(hosted.embed_query(query), own.embed_query(query), atol=1e-6)
    finally:
        hosted.close()
        own.close()
