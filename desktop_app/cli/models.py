"""`inkgraph models`: what is installed, getting one, trying one."""

from __future__ import annotations

import argparse

from ..engine.llm.registry import ModelRegistry
from ..engine.progress import CancelToken
from .output import ProgressPrinter, open_shelf, show


def run_models(options: argparse.Namespace) -> int:
    """Run one `models` action and return the exit code."""
    with open_shelf() as shelf:
        return _run_action(options, shelf)


def _run_action(options: argparse.Namespace, shelf: ModelRegistry) -> int:
    on_progress = ProgressPrinter()
    if options.action == "list":
        rows = shelf.list_models()
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
            for path in shelf.install(name, CancelToken(), on_progress):
                show({"installed": str(path)}, [f"{path} is ready."], options.json)
        elif options.action == "check":
            result = shelf.check(name)
            code = code or (0 if result.ok else 2)
            show(result, [f"{name}: {result.message}", f"  {result.sample}"], options.json)
        elif options.action == "use":
            shelf.use(name)
        else:
            shelf.remove(name)
    return code
