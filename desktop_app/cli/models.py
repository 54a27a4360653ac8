"""The command `models`: list, install, check, choose and remove models."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..engine.progress import CancelToken
from .output import AddCommand, ProgressPrinter, open_registry, show

if TYPE_CHECKING:
    from ..engine.llm.registry import ModelRegistry

COMMANDS = ("models",)


def add_arguments(add_command: AddCommand) -> None:
    parser = add_command("models", "List, get and check models.")
    parser.set_defaults(run=run_models)
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("list", help="what is here and what can be had")
    for name, text in (
        ("install", "download, assemble and verify"),
        ("check", "one real prompt or text through a model"),
        ("use", "make a model the one in use"),
        ("remove", "delete a model's files"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("names", nargs="+", metavar="NAME")


def run_models(options: argparse.Namespace) -> int:
    """Run one `models` action and return the exit code."""
    with open_registry() as registry:
        return _run_action(options, registry)


def _run_action(options: argparse.Namespace, registry: ModelRegistry) -> int:
    on_progress = ProgressPrinter()
    if options.action == "list":
        rows = registry.list_models()
        lines = [
            f"{'●' if r.installed else '○'} {r.name}  ({r.role}, {r.size_bytes / 2**20:,.0f} MB, "
            f"{r.licence}){'  in use' if r.active else ''}\n    {r.title}"
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
