"""What every benchmark needs: where the data lies, a library to work in, the last line."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import platformdirs

from desktop_app.engine import paths
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.services.library import Library
from desktop_app.engine.text.reading import read_bytes

DATA = Path(os.environ.get("INKGRAPH_DATA", paths.CHECKOUT_ROOT.parent / "shared" / "data"))


def data_file(*parts: str) -> Path:
    """Return a file of the benchmark data, or end with a sentence that says what is missing."""
    path = DATA.joinpath(*parts)
    if not path.exists():
        sys.exit(f"{path} is missing: set INKGRAPH_DATA to the folder with the benchmark texts.")
    return path


def load_cmrc_articles() -> list[dict[str, Any]]:
    """Return the articles of CMRC2018 as in its file: a title, paragraphs, and their questions."""
    path = data_file("qa", "cmrc2018_zh", "cmrc2018_dev.json")
    articles: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["data"]
    return articles


def load_body(path: Path) -> str:
    """Return the text of a book without what stands before and after it."""
    read = read_bytes(path.read_bytes(), path.name)[0]
    return read.text[read.body_start : read.body_end].lstrip()


def load_carol() -> str:
    """Return the text of A Christmas Carol."""
    return load_body(data_file("en_novels", "gutenberg", "christmas_carol.txt"))


def cache_folder() -> Path:
    """Return where made libraries are kept; `INKGRAPH_BENCH_CACHE` moves it."""
    own = os.environ.get("INKGRAPH_BENCH_CACHE")
    return Path(own) if own else Path(platformdirs.user_cache_dir("inkgraph-bench"))


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


def make_parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser that shows the docstring of a benchmark as it is written."""
    return argparse.ArgumentParser(
        description=(doc or "").replace("%", "%%"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def in_turn(*steps: Callable[[], object]) -> Callable[[], None]:
    """Return a function that does these steps, to be timed as one."""

    def run() -> None:
        for step in steps:
            step()

    return run


def print_result(name: str, **figures: object) -> None:
    """Print the last line of a benchmark."""
    print(json.dumps({"bench": name, **figures}, ensure_ascii=False))
