"""The command `status`: the documents and what is done."""

from __future__ import annotations

import argparse

from .command_context import open_library, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It has no arguments of its own."""


def run(options: argparse.Namespace) -> int:
    from ..engine.services.library_reader import LibraryReader

    with open_library(options) as library:
        reader = LibraryReader(library.writer)
        overview, rows = reader.overview(), reader.list_documents()
        lines = [
            f"{overview.name}: {overview.n_documents:,} documents, {overview.n_entities:,} names, "
            f"{overview.n_relations:,} relations, {overview.n_embedded:,} of "
            f"{overview.n_windows:,} passages embedded"
        ]
        for d in rows:
            state = f"failed: {d.reason}" if d.state == "failed" else d.state
            lines.append(f"  {d.title}  [{d.language}, {d.n_chars:,} characters]  {state}")
        show({"overview": overview, "documents": rows}, lines, options.json)
        return 0
