"""Commands without a window, over the same services, for scripts and tests.

One module per group of commands: `COMMANDS` names them, `add_arguments` adds their parsers, and
each parser has its function in `run`. Importing these modules loads no engine service, so that
`--help` is fast.
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
    communities,
    curation,
    demo,
    documents,
    enrich,
    graph,
    importing,
    library,
    models,
    search_and_ask,
)

GROUPS = (
    library,
    graph,
    enrich,
    search_and_ask,
    importing,
    models,
    communities,
    curation,
    documents,
    demo,
)
COMMANDS = tuple(name for group in GROUPS for name in group.COMMANDS)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command."""
    parser = argparse.ArgumentParser(
        prog="inkgraph", description="Turn books into a knowledge graph, offline."
    )
    parser.add_argument("--version", action="version", version=f"inkgraph {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)

    def add_command(name: str, text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("--library", type=Path, default=None, help="the .inkgraph file")
        command.add_argument("--json", action="store_true", help="print JSON")
        return command

    for group in GROUPS:
        group.add_arguments(add_command)
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
