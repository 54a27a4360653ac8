"""Commands without a window, over the same services, for scripts and tests.

Each command is a function that adds its arguments to its parser, and one that runs it.
Importing them loads no engine service, so that `--help` is fast.
"""

from __future__ import annotations

import argparse
import io
import logging
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import NoReturn

from .. import __version__
from ..engine import crash_log
from ..engine.errors import AppError, Cancelled, DamagedLibrary, NotALibrary
from ..engine.log_files import plain
from . import (
    add,
    ask,
    backups,
    bench,
    check,
    communities,
    demo,
    documents,
    duplicates,
    encryption,
    enrich,
    entity,
    evaluate,
    export,
    figures,
    graph,
    history,
    importing,
    mcp,
    model_server,
    models,
    ocr,
    quotation,
    report,
    search,
    serve,
    versions,
)
from .command_context import WAYS_BACK, path_argument
from .passphrase import add_passphrase_argument, take_passphrases

log = logging.getLogger(__name__)

AddArguments = Callable[[argparse.ArgumentParser], None]
RunCommand = Callable[[argparse.Namespace], int]


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    """A command without arguments of its own."""


HELP = {
    "add": "Add files, archives, folders, Zotero or references and wait for their graph.",
    "status": "List the documents and their state.",
    "check": "Check the library for damage; nothing is changed without --repair.",
    "backup": "Make a verified backup. While the program runs, it also makes one every 30 minutes.",
    "backups": "List the backups of the library.",
    "restore": "Replace the library with a backup; the old library gets another name.",
    "recover": "Save what is readable in a damaged library to a new library.",
    "graph": "Print names and connections.",
    "export": "Write the graph, references or notes to a file.",
    "enrich": "Describe names and connections with a chat model; Ctrl+C pauses.",
    "search": "Find passages.",
    "quotation": "Find the document, page and place of a quotation, also if its wording differs.",
    "ask": "Ask a question; Ctrl+C stops the answer and keeps what was written.",
    "evaluate": "Measure modes and models with questions whose answers are known.",
    "import": "Import a graph made by LightRAG, GraphRAG or another program.",
    "models": "List, download and test models.",
    "model-server": "Use models of a server for this library: llama-server, vLLM, Ollama.",
    "mcp": "Let an assistant read the library through MCP (started by the assistant).",
    "serve": "Let programs on this computer read the library over HTTP; Ctrl+C ends it.",
    "communities": "List the communities: groups of closely connected names.",
    "report": "Show or write the reports on communities; Ctrl+C pauses.",
    "duplicates": "List names that may mean the same person or thing; nothing is changed.",
    "entity": "Show and correct names; every correction can be undone.",
    "undo": "Undo the last correction.",
    "redo": "Redo the correction that was undone last.",
    "history": "List the corrections that can be undone.",
    "corrections": "Write all corrections to a file, or apply such a file.",
    "delete": "Delete a document, after listing what is deleted with it.",
    "reindex": "Read documents again and extract their names again.",
    "versions": "Show changed files that could not be read, and restore earlier versions.",
    "ocr": "Show what was read of scanned pages, read more, and correct lines.",
    "figures": "List and find pictures of documents, and let a local model describe them.",
    "encrypt": "Encrypt a library with a passphrase.",
    "decrypt": "Write an encrypted library to a file without encryption.",
    "passphrase": "Change the passphrase of an encrypted library.",
    "demo": "Index the demo library, ask questions and draw its graph.",
    "bench": "Run a benchmark (in a checkout of the source only).",
}
COMMANDS: dict[str, tuple[AddArguments, RunCommand]] = {
    "add": (add.add_arguments, add.run),
    "status": (_no_arguments, documents.show_status),
    "check": (check.add_arguments, check.run),
    "backup": (backups.add_backup_arguments, backups.back_up),
    "backups": (_no_arguments, backups.run_list),
    "restore": (backups.add_restore_arguments, backups.run_restore),
    "recover": (backups.add_recover_arguments, backups.run_recover),
    "graph": (graph.add_arguments, graph.run),
    "export": (export.add_arguments, export.run),
    "enrich": (enrich.add_arguments, enrich.run),
    "search": (search.add_arguments, search.run),
    "quotation": (quotation.add_arguments, quotation.run),
    "ask": (ask.add_arguments, ask.run),
    "evaluate": (evaluate.add_arguments, evaluate.run),
    "import": (importing.add_arguments, importing.run),
    "models": (models.add_arguments, models.run),
    "model-server": (model_server.add_arguments, model_server.run),
    "mcp": (mcp.add_arguments, mcp.run),
    "serve": (serve.add_arguments, serve.run),
    "communities": (communities.add_arguments, communities.run),
    "report": (report.add_arguments, report.run),
    "duplicates": (duplicates.add_arguments, duplicates.run),
    "entity": (entity.add_arguments, entity.run),
    "undo": (_no_arguments, history.undo_or_redo),
    "redo": (_no_arguments, history.undo_or_redo),
    "history": (history.add_history_arguments, history.show_history),
    "corrections": (history.add_corrections_arguments, history.export_or_apply),
    "delete": (documents.add_delete_arguments, documents.delete),
    "reindex": (documents.add_reindex_arguments, documents.reindex),
    "versions": (versions.add_arguments, versions.run),
    "ocr": (ocr.add_arguments, ocr.run),
    "figures": (figures.add_arguments, figures.run),
    "encrypt": (encryption.add_encrypt_arguments, encryption.encrypt),
    "decrypt": (_no_arguments, encryption.decrypt),
    "passphrase": (encryption.add_change_arguments, encryption.change),
    "demo": (_no_arguments, demo.run),
    "bench": (bench.add_arguments, bench.run),
}


class CommandParser(argparse.ArgumentParser):
    """Takes options before, between and after the words of a command.

    Ends with 1 where words of a command are wrong, as all commands do for the user's input.
    """

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse options first and words then, if the number of words may differ.

        `argparse` itself gives words that may be left out their default as soon as the first option
        comes, and the words behind it to nothing. Behind "--", all are words in its order.
        """
        counts = {action.nargs for action in self._get_positional_actions()}
        is_plain = self._parses_words or not counts & {"?", "*", "+"}
        if is_plain or counts & {argparse.PARSER, argparse.REMAINDER} or "--" in (args or ()):
            return super().parse_known_args(args, namespace)
        self._parses_words = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._parses_words = False

    _parses_words = False  # while `parse_known_intermixed_args` calls what called it

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(1, f"{self.prog}: {message}\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command."""
    parser = CommandParser(
        prog="inkgraph", description="Turn books into a knowledge graph, offline."
    )
    parser.add_argument("--version", action="version", version=f"inkgraph {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)

    for name, (add_arguments, run) in COMMANDS.items():
        command = commands.add_parser(name, help=HELP[name], description=HELP[name])
        command.add_argument(
            "--library", type=path_argument, default=None, help="the .inkgraph file"
        )
        command.add_argument("--json", action="store_true", help="print JSON")
        add_passphrase_argument(command)
        add_arguments(command)
        command.set_defaults(run=run)
    return parser


def run_command(argv: list[str]) -> int:
    """Parse and run one command; an error prints one sentence and gives an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # file names may hold what can't be encoded
    options = build_parser().parse_args(argv)
    take_passphrases(options)
    # Has no effect in a process of its own, which has configured its log already.
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    started = time.monotonic()
    try:
        code: int = options.run(options)
        took_ms = (time.monotonic() - started) * 1000
        log.info("%s took %d ms, exit code %d", plain(options.command), took_ms, code)
        return code
    except AppError as error:
        log.info("%s failed: %s, cause: %s", plain(options.command), error, error.__cause__)
        print(f"inkgraph: {error}", file=sys.stderr)
        if isinstance(error, (DamagedLibrary, NotALibrary)):
            print(f"inkgraph: {WAYS_BACK}", file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, Cancelled):
        log.info("%s was stopped", plain(options.command))
        print("inkgraph: stopped; run the same command to go on.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the program that reads the output has ended, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception:
        log.exception("this is a bug in Inkgraph; the log is in %s", crash_log.logs_dir())
        return 3
