"""The command `models`: list, install, check, choose and remove models."""

from __future__ import annotations

import argparse

from ..engine.progress import CancelToken
from .command_context import ProgressPrinter, open_registry, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("list", help="list installed and available models")
    for name, text in (
        ("install", "download and verify a model"),
        ("check", "test a model with a real prompt or text"),
        ("use", "use a model"),
        ("remove", "delete the files of a model"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("names", nargs="+", metavar="NAME")


def run(options: argparse.Namespace) -> int:
    """Run one action of `models` and return the exit code."""
    with open_registry() as registry:
        on_progress = ProgressPrinter()
        if options.action == "list":
            rows = registry.list_models()
            lines = [
                f"{'●' if r.installed else '○'} {r.name}  ({r.role}, {r.size_bytes / 2**20:,.0f}"
                f" MB, {r.licence}){'  in use' if r.active else ''}\n    {r.title}"
                for r in rows
            ]
            show(rows, lines, options.json)
            return 0
        code = 0
        for name in options.names:
            if options.action == "install":
                for path in registry.install(name, CancelToken(), on_progress):
                    show({"installed": str(path)}, [f"{path} is ready."], options.json)
            elif options.action == "check":
                result = registry.check(name)
                code = code or (0 if result.ok else 2)
                show(result, [f"{name}: {result.message}", f"  {result.sample}"], options.json)
            elif options.action == "use":
                registry.use(name)
            else:
                registry.remove(name)
        return code
