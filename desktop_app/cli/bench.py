"""The command `bench`: runs a benchmark, in a checkout."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

from ..engine import paths
from ..engine.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="options of the benchmark")


def run(options: argparse.Namespace) -> int:
    """Run one of the benchmarks that a checkout has."""
    name = options.name.replace("-", "_")
    if not is_command(paths.CHECKOUT_ROOT / "benchmarks" / f"{name}.py"):
        raise UserError(
            "There is no benchmark “{name}”.",
            "They are in benchmarks/ of a checkout.",
            name=options.name,
        )
    sys.path.insert(0, str(paths.CHECKOUT_ROOT))
    sys.argv = [name, *options.arguments]
    runpy.run_module(f"benchmarks.{name}", run_name="__main__")
    return 0


def is_command(path: Path) -> bool:
    """Return whether a module of the benchmarks is one, and not what they share."""
    return path.is_file() and '\nif __name__ == "__main__":\n' in path.read_text("utf-8")
