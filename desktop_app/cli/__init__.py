"""Commands without a window, over the same services, for scripts and tests.

Each command is a module: `add_arguments` adds its arguments to its parser, and `run` runs it.
Importing them loads no engine service, so that `--help` is fast.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path

from .. import __version__
from ..engine import crash_log
from ..engine.errors import AppError, Cancelled
from . import (
    add,
    ask,
    bench,
    check,
    communities,
    corrections,
    delete,
    demo,
    duplicates,
    enrich,
    entity,
    export,
    graph,
    history,
    importing,
    models,
    reindex,
    report,
    search,
    status,
    undo,
)

COMMANDS = {
    "add": (add, "Add files or folders and wait until their graph is ready."),
    "status": (status, "Show the documents and what is done."),
    "check": (check, "Check the library file."),
    "graph": (graph, "Print entities and relations."),
    "export": (export, "Write the graph to a file."),
    "enrich": (enrich, "Have a chat model say how names hang together; Ctrl+C pauses."),
    "search": (search, "Find passages."),
    "ask": (ask, "Ask a question; Ctrl+C ends the answer with what is there."),
    "import": (importing, "Take in a graph of LightRAG, GraphRAG or your own."),
    "models": (models, "List, get and check models."),
    "communities": (communities, "List the themes of the library: groups of names that belong."),
    "report": (report, "Show or write reports on communities; Ctrl+C pauses."),
    "duplicates": (duplicates, "List names that may be one; nothing is changed."),
    "entity": (entity, "Show and correct names; see also undo."),
    "undo": (undo, "Take the last correction back."),
    "redo": (undo, "Make the correction that was last taken back again."),
    "history": (history, "List the corrections that can be taken back."),
    "corrections": (corrections, "Write all corrections to a file, or apply such a file."),
    "delete": (delete, "Delete a document, after saying what goes with it."),
    "reindex": (reindex, "Read documents again and find their names again."),
    "demo": (demo, "Do the main job on the demo library."),
    "bench": (bench, "Run a benchmark (in a checkout)."),
}


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command."""
    parser = argparse.ArgumentParser(
        prog="inkgraph", description="Turn books into a knowledge graph, offline."
    )
    parser.add_argument("--version", action="version", version=f"inkgraph {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)

    for name, (module, text) in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("--library", type=Path, default=None, help="the .inkgraph file")
        command.add_argument("--json", action="store_true", help="print JSON")
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def run_command(argv: list[str]) -> int:
    """Parse and run one command; an error prints one sentence and gives an exit code."""
    options = build_parser().parse_args(argv)
    # Has no effect in a process of its own, which has configured its log already.
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        code: int = options.run(options)
        return code
    except AppError as error:
        print(f"inkgraph: {error}", file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, Cancelled):
        print("inkgraph: stopped; run the same command to go on.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the program that reads the output has ended, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception:
        logging.exception("this is a bug in Inkgraph; the log is in %s", crash_log.logs_dir())
        return 3
