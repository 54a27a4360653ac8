"""Opens an embedding model, whatever form it has.

Owns the choice between a GGUF file and a sentence-transformers folder, by what lies there.
"""

from __future__ import annotations

from pathlib import Path

from ..errors import UserError
from .gguf_embedder import GgufEmbedder
from .protocols import Embedder
from .st_embedder import SentenceTransformerEmbedder


def load_embedder(path: Path, *, n_threads: int = 0, name: str = "") -> Embedder:
    """Return the model at `path`, ready to use.

    Args:
        n_threads: 0 for what suits this machine.
        name: how libraries remember it; the file's own name if empty.

    Raises:
        UserError: there is no embedding model at `path`, or it is damaged.
        EnvironmentProblem: it can't be run here.
    """
    if path.is_dir():
        return SentenceTransformerEmbedder(path, n_threads=n_threads, name=name)
    if path.is_file():
        return GgufEmbedder(path, n_threads=n_threads, name=name)
    raise UserError(f"There is no model at {path}.", "Choose another one in Models.")
