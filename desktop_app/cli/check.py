"""The command `check`: finds damage of a library, and makes derived data again."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import ClassVar

from .command_context import WAYS_BACK, ProgressPrinter, open_library, show, stop_on_interrupt

DAMAGED = 2  # exit code, also of problems that --repair mends


class CheckPrinter(ProgressPrinter):
    """Prints the progress of a check on stderr."""

    stages: ClassVar[Mapping[str, str]] = {
        "pages": "verifying checksums",
        "structure": "checking the structure",
        "documents": "comparing documents",
        "trash": "comparing the trash",
        "corrections": "reading corrections",
        "chats": "reading chats",
        "graph": "comparing the graph",
        "words": "checking the word index",
        "vectors": "checking the vectors",
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repair",
        action="store_true",
        help="rebuild the graph and the search indexes if the documents are undamaged",
    )


def run(options: argparse.Namespace) -> int:
    """Print what is damaged, what can be used, and what to do; 0 if all is in order."""
    from ..engine.services.library_check import check_open_library, repair_library

    with open_library(options) as library:
        line = CheckPrinter()
        with stop_on_interrupt() as cancel:
            try:
                result = check_open_library(library, cancel=cancel, on_progress=line)
                if options.repair and result.problems and not result.is_damaged:
                    repair_library(library)
                    result = check_open_library(library, cancel=cancel, on_progress=line)
            finally:
                line.end()
        value = {
            "ok": result.is_sound,
            "damaged": result.is_damaged,
            "problems": [str(problem.message) for problem in result.problems],
            "damaged_documents": sorted(
                {p.document_id for p in result.problems if p.document_id is not None}
            ),
            "usable": list(result.usable),
            "checksums": result.has_checksums,
            "details": [line for problem in result.problems for line in problem.detail],
        }
        lines = [str(message) for message in result.describe()]
        if result.is_damaged:
            lines.append(WAYS_BACK)
        elif result.problems:
            lines.append("Or run `inkgraph check --repair`.")
        show(value, lines, options.json)
        return 0 if result.is_sound else DAMAGED
