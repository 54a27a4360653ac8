"""What every command opens: the library and the shelf of models."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ..engine import paths
from ..engine.models.shelf import ModelShelf
from ..engine.models.trial import ModelCannotRun
from ..engine.services.library import Library


@contextmanager
def open_library(options: argparse.Namespace, *, create: bool = False) -> Iterator[Library]:
    """Give the library of `--library`, or the default one, and close it in the end."""
    library = Library(options.library or paths.default_library(), create=create)
    try:
        yield library
    finally:
        library.close()


@contextmanager
def open_shelf() -> Iterator[ModelShelf]:
    """Give the installed models and unload them in the end.

    What keeps an installed model from running is printed to stderr, once.
    """
    shelf = ModelShelf(paths.model_folders())
    printed: set[str] = set()

    def print_problem(problem: ModelCannotRun) -> None:
        if problem.message not in printed:
            printed.add(problem.message)
            print(f"inkgraph: {problem}", file=sys.stderr, flush=True)

    shelf.on_problem = print_problem
    try:
        yield shelf
    finally:
        shelf.close()
