"""The command `bench`: runs a benchmark, in a checkout."""

from __future__ import annotations

import argparse
import runpy
import sys

from ..engine import paths
from ..engine.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")


def run(options: argparse.Namespace) -> int:
    """Run one of the benchmarks that a checkout has."""
    name = options.name.replace("-", "_")
    if not (paths.CHECKOUT_ROOT / "benchmarks" / f"{name}.py").exists():
        raise UserError(
            "There is no benchmark “{name}”.",
            "They are in benchmarks/ of a checkout.",
            name=options.name,
        )
    sys.path.insert(0, str(paths.CHECKOUT_ROOT))
    sys.argv = [name]
    runpy.run_module(f"benchmarks.{name}", run_name="__main__")
    return 0
