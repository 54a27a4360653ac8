"""Recognises the folders of models by their files; imports no library that loads them."""

from __future__ import annotations

import json
from pathlib import Path

CHAT_RERANKER = "chat-model"  # what is chosen in the place of a reranker's name
_WEIGHTS = ("model.safetensors", "pytorch_model.bin")


def is_model_folder(folder: Path) -> bool:
    """Return whether a folder looks like a sentence-transformers model with its weights."""
    weights = ("model.safetensors", "pytorch_model.bin", "0_Transformer/model.safetensors")
    return (folder / "modules.json").is_file() and any((folder / w).is_file() for w in weights)


def is_cross_encoder_folder(folder: Path) -> bool:
    """Return whether a folder holds a model that gives one score to a pair of texts."""
    if not any((folder / weights).is_file() for weights in _WEIGHTS):
        return False
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    if not isinstance(config, dict):
        return False
    kinds = config.get("architectures") or ()
    n_labels = len(config.get("id2label") or ()) or config.get("num_labels", 2)
    return n_labels == 1 and any(str(k).endswith("ForSequenceClassification") for k in kinds)
