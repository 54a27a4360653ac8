"""The command `history`: lists the corrections, and goes back or forward to one of them."""

from __future__ import annotations

import argparse

from .command_context import get_entity_id, open_library, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--of", default="", metavar="NAME", help="only what touched this name")
    parser.add_argument("--go-to", type=int, help="undo or redo up to this one; 0: before all")


def run(options: argparse.Namespace) -> int:
    """List the corrections that can be undone, or undo or redo up to one of them."""
    from ..engine.services.editing.history import list_history, list_history_of
    from ..engine.services.editing.service import EditingService

    with open_library(options) as library:
        if options.go_to is not None:
            EditingService(library.writer).go_to(options.go_to)
        rows = list_history(library.writer)
        if options.of:
            rows = list_history_of(library.writer, get_entity_id(library, options.of))
        here = next((row.id for row in rows if not row.undone), 0)
        lines = [
            f"{row.id:>5}  {'→' if row.id == here else '×' if row.undone else ' '} {row.label}"
            for row in rows
        ]
        show(rows, lines or ["Nothing was changed by hand yet."], options.json)
    return 0
