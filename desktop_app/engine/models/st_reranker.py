"""Scores passages for a question with a cross-encoder folder, offline.

Owns how such a folder is told from others, and its loading through PyTorch, which is imported on
first use only. Knows nothing of libraries.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path

from ..errors import EnvironmentProblem, UserError

_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_BATCH = 8
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
                f"{folder.name} is not a cross-encoder folder.",
                "Its config.json must name a model for sequence classification with one label.",
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
        disable_progress_bar()  # it would write to the terminal
        self._lock = threading.Lock()
        self._sigmoid = torch.nn.Sigmoid()
        self.name = name or folder.name
        if n_threads:
            torch.set_num_threads(n_threads)
        try:
            self._model = CrossEncoder(str(folder), device="cpu", local_files_only=True)
        except MemoryError as error:
            raise EnvironmentProblem(
                f"There is not enough memory for {self.name}.", "Close other programs."
            ) from error
        except Exception as error:  # safetensors' own error has no public base
            known = (OSError, ValueError, RuntimeError, KeyError, TypeError)
            if not isinstance(error, known) and type(error).__name__ != "SafetensorError":
                raise
            raise UserError(
                f"The model in {folder.name} can't be loaded: {error}", "Get it again."
            ) from error
        longest = self._model.max_seq_length or _LONGEST
        self._model.max_seq_length = min(longest, _LONGEST)

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        with self._lock:
            if self._model is None:
                raise EnvironmentProblem(f"The model {self.name} was closed meanwhile.")
            scores = self._model.predict(
                [(question, text) for text in texts],
                batch_size=_BATCH,
                activation_fn=self._sigmoid,
                show_progress_bar=False,
            )
        return [float(score) for score in scores]

    def close(self) -> None:
        with self._lock:
            self._model = None
