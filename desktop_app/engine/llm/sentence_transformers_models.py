"""Makes vectors with a sentence-transformers folder, offline.

Owns the loading through PyTorch, which is imported on first use only. Knows nothing of libraries.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import EnvironmentProblem, UserError
from .embedding import find_prefixes

_BATCH = 16


def is_model_folder(folder: Path) -> bool:
    """Say whether a folder looks like a sentence-transformers model with its weights."""
    weights = ("model.safetensors", "pytorch_model.bin", "0_Transformer/model.safetensors")
    return (folder / "modules.json").is_file() and any((folder / w).is_file() for w in weights)


class SentenceTransformerEmbedder:
    """An `Embedder` over a folder. Rows have length 1; calls from several threads queue up."""

    def __init__(self, folder: Path, *, n_threads: int = 0, name: str = "") -> None:
        """Load the model, without asking any network.

        Raises:
            UserError: the folder is not a model, or its files are damaged.
            EnvironmentProblem: not enough memory, or PyTorch is missing.
        """
        if not is_model_folder(folder):
            raise UserError(
                "{name} is not a sentence-transformers folder.",
                "It needs modules.json and model.safetensors.",
                name=folder.name,
            )
        try:
            import torch
            from sentence_transformers import SentenceTransformer
            from transformers.utils.logging import disable_progress_bar
        except ImportError as error:
            raise EnvironmentProblem(
                "PyTorch and sentence-transformers are not installed, which this model needs.",
                "Install them, or use a GGUF embedding model.",
            ) from error
        hide_progress: Callable[[], None] = disable_progress_bar
        hide_progress()  # it would write to the terminal
        self._lock = threading.Lock()
        self.name = name or folder.name
        self._prefixes = find_prefixes(self.name, folder.name)
        if n_threads:
            torch.set_num_threads(n_threads)
        try:
            self._model: Any = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        except MemoryError as error:
            raise EnvironmentProblem(
                "There is not enough memory for {model}.", "Close other programs.", model=self.name
            ) from error
        except (OSError, ValueError, RuntimeError, KeyError, json.JSONDecodeError) as error:
            raise UserError(
                "The model in {name} can't be loaded: {reason}",
                "Get it again.",
                name=folder.name,
                reason=error,
            ) from error
        except Exception as error:  # safetensors' own error has no public base
            if type(error).__name__ != "SafetensorError":
                raise
            raise UserError(
                "The weights in {name} are damaged: {reason}",
                "Get the model again.",
                name=folder.name,
                reason=error,
            ) from error
        self.dim = int(self._embed([""]).shape[1])

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has for this model, uncut."""
        with self._lock:
            return len(self._get_model().tokenizer.tokenize(text))

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        return np.concatenate(
            [
                self._embed([self._prefixes.passage + text for text in texts[i : i + _BATCH]])
                for i in range(0, len(texts), _BATCH)
            ]
        )

    def embed_query(self, text: str) -> np.ndarray:
        vector: np.ndarray = self._embed([self._prefixes.query + text])[0]
        return vector

    def close(self) -> None:
        with self._lock:
            self._model = None

    def _get_model(self) -> Any:
        if self._model is None:
            raise EnvironmentProblem(
                "The model {model} was closed meanwhile.", "Try again.", model=self.name
            )
        return self._model

    def _embed(self, texts: list[str]) -> np.ndarray:
        with self._lock:
            rows = self._get_model().encode(
                texts,
                batch_size=_BATCH,
                convert_to_numpy=True,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        return np.asarray(rows, dtype=np.float32)


_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_RERANK_BATCH = 8
_LONGEST = 512


def is_cross_encoder_folder(folder: Path) -> bool:
    """Say whether a folder holds a model that gives one score to a pair of texts."""
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


class CrossEncoderReranker:
    """A `Reranker` over a folder; calls from several threads queue up."""

    def __init__(self, folder: Path, *, n_threads: int = 0, name: str = "") -> None:
        """Load the model, without asking any network.

        Raises:
            UserError: the folder is no cross-encoder, or its files are damaged.
            EnvironmentProblem: not enough memory, or PyTorch is missing.
        """
        if not is_cross_encoder_folder(folder):
            raise UserError(
                "{name} is not a cross-encoder folder.",
                "Its config.json must name a model for sequence classification with one label.",
                name=folder.name,
            )
        try:
            import torch
            from sentence_transformers import CrossEncoder
            from transformers.utils.logging import disable_progress_bar
        except ImportError as error:
            raise EnvironmentProblem(
                "PyTorch and sentence-transformers are not installed, which this model needs.",
                "Install them, or use a GGUF reranker.",
            ) from error
        hide_progress: Callable[[], None] = disable_progress_bar
        hide_progress()  # it would write to the terminal
        self._lock = threading.Lock()
        self._sigmoid = torch.nn.Sigmoid()
        self.name = name or folder.name
        if n_threads:
            torch.set_num_threads(n_threads)
        try:
            self._model = CrossEncoder(str(folder), device="cpu", local_files_only=True)
        except MemoryError as error:
            raise EnvironmentProblem(
                "There is not enough memory for {model}.", "Close other programs.", model=self.name
            ) from error
        except Exception as error:  # safetensors' own error has no public base
            known = (OSError, ValueError, RuntimeError, KeyError, TypeError)
            if not isinstance(error, known) and type(error).__name__ != "SafetensorError":
                raise
            raise UserError(
                "The model in {name} can't be loaded: {reason}",
                "Get it again.",
                name=folder.name,
                reason=error,
            ) from error
        longest = self._model.max_seq_length or _LONGEST
        self._model.max_seq_length = min(longest, _LONGEST)

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        with self._lock:
            if self._model is None:
                raise EnvironmentProblem("The model {model} was closed meanwhile.", model=self.name)
            scores = self._model.predict(
                [(question, text) for text in texts],
                batch_size=_RERANK_BATCH,
                activation_fn=self._sigmoid,
                show_progress_bar=False,
            )
        return [float(score) for score in scores]

    def close(self) -> None:
        with self._lock:
            self._model = None
