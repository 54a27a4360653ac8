"""The command `corrections`: writes all corrections to a file, or applies such a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from .command_context import open_library, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("export", "apply"))
    parser.add_argument("file", type=Path)


def run(options: argparse.Namespace) -> int:
    """Write the corrections to a file, or apply a file of corrections."""
    from ..engine.services.editing.history import apply_curation, export_curation

    with open_library(options) as library:
        if options.action == "export":
            n = export_curation(library.writer, options.file)
            show({"corrections": n}, [f"{n:,} corrections in “{options.file}”"], options.json)
        else:
            apply_curation(library.writer, options.file)
            line = f"“{options.file.name}” is applied; “inkgraph undo” takes it back"
            show({"applied": str(options.file)}, [line], options.json)
    return 0
