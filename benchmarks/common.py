"""What every benchmark needs: where the data lies, a library to work in, the last line."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop_app.engine import paths
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.services.library import Library

DATA = Path(os.environ.get("INKGRAPH_DATA", paths.CHECKOUT_ROOT.parent / "shared" / "data"))


def data_file(*parts: str) -> Path:
    """Return a file of the benchmark data, or end with a sentence that says what is missing."""
    path = DATA.joinpath(*parts)
    if not path.exists():
        sys.exit(f"{path} is missing: set INKGRAPH_DATA to the folder with the benchmark texts.")
    return path


@contextmanager
def open_scratch() -> Iterator[tuple[Library, ModelRegistry]]:
    """Give an empty library in a folder of its own, and the installed models."""
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        library = Library(Path(folder) / "bench.inkgraph")
        registry = ModelRegistry(paths.model_folders())
        try:
            yield library, registry
        finally:
            registry.close()
            library.close()


def print_result(name: str, **figures: object) -> None:
    """Print the last line of a benchmark."""
    print(json.dumps({"bench": name, **figures}, ensure_ascii=False))
