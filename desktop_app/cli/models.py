"""The command `models`: list, install, check, choose and remove models."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..engine.progress import CancelToken, Progress
from .command_context import ProgressPrinter, open_registry, show, stop_on_interrupt

if TYPE_CHECKING:
    from ..engine.llm.registry import ModelRegistry
    from ..engine.services.capability_results import ModelCapabilities


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("list", help="list installed and available models")
    for name, text in (
        ("install", "download and verify a model"),
        ("check", "test a model; of a chat model, find out in two minutes what it can do"),
        ("use", "use a model"),
        ("remove", "delete the files of a model"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("names", nargs="+", metavar="NAME")
        if name == "check":
            action.add_argument(
                "--quick", action="store_true", help="ask a chat model one question only"
            )


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
                code = code or _check(registry, name, options)
            elif options.action == "use":
                registry.use(name)
            else:
                registry.remove(name)
        return code


def _check(registry: ModelRegistry, name: str, options: argparse.Namespace) -> int:
    """Test a model, and of a chat model what it can do; return the exit code."""
    result = registry.check(name)
    row = next((row for row in registry.list_models() if row.name == name.strip().lower()), None)
    is_chat = row is not None and row.role == "chat"
    if row is None or not is_chat or not result.ok or options.quick:
        show(result, [f"{name}: {result.message}", f"  {result.sample}"], options.json)
        return 0 if result.ok else 2
    from ..engine.services.model_capabilities import CapabilityChecks

    if not options.json:
        print(f"{name}: {result.message}", flush=True)
    line = CapabilityLine()
    with stop_on_interrupt() as cancel:
        found = CapabilityChecks(registry.borrow_chat).check(row, cancel, line)
    line.end()
    show_capabilities(found, {"check": result}, options.json)
    return 0


def show_capabilities(found: ModelCapabilities, more: dict[str, Any], as_json: bool) -> None:
    """Print what a model can do: a table, and what it means.

    Args:
        more: what JSON has beside it.
    """
    from ..engine.durations import format_seconds
    from ..engine.services.capability_results import describe_use, list_measures

    rows = [(str(title), str(result)) for title, result in list_measures(found)]
    width = max(len(title) for title, _ in rows)
    lines = [f"  {title:{width}}  {result}" for title, result in rows]
    lines.append("  " + " ".join(str(sentence) for sentence in describe_use(found)))
    lines.append(f"  {found.n_asked} questions in {format_seconds(found.seconds)}")
    show({**more, "capabilities": found}, lines, as_json)


class CapabilityLine(ProgressPrinter):
    """Prints the question of the check that is asked."""

    def words(self, progress: Progress) -> str:
        question = getattr(progress, "question", "")
        if not question:
            return "loading the model"
        return f"question {progress.done + 1} of {progress.total}: {question}"
