"""What every command opens: the library and the shelf of models."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from ..engine import paths
from ..engine.models.shelf import ModelShelf
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
    """Give the installed models and unload them in the end."""
    shelf = ModelShelf(paths.model_folders())
    try:
        yield shelf
    finally:
        shelf.close()
