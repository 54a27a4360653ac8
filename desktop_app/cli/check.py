"""The command `check`: checks the library file."""

from __future__ import annotations

import argparse

from .command_context import open_library, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It has no arguments of its own."""


def run(options: argparse.Namespace) -> int:
    with open_library(options) as library:
        problems = library.writer.integrity_problems()
        show(
            {"ok": not problems, "problems": problems},
            problems or ["The library file is in order."],
            options.json,
        )
        return 2 if problems else 0
