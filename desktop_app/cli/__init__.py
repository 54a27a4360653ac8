"""Headless commands over the same services as the window, for scripts and tests."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path

from .. import __version__
from ..engine import crash_log
from ..engine.errors import AppError, Cancelled
from .options import (
    COMMUNITIES,
    CURATION,
    add_answer_options,
    add_community_commands,
    add_curation_commands,
    add_finding_options,
    add_part_options,
    add_picture_options,
)

CHUNK_MODES = ("structure", "tokens", "separator", "separator_tokens")
ENRICH_STRATEGIES = ("auto", "slots", "free")
ENRICH_ORDERS = ("importance", "document")
FOLDER_FORMATS = ("parquet", "vault")
FORMATS = ("csv", "gexf", "graphml", "json", *FOLDER_FORMATS)
COMMANDS = (
    "add",
    "status",
    "graph",
    "enrich",
    "search",
    "ask",
    "import",
    "export",
    "check",
    "models",
    "demo",
    "bench",
    *COMMUNITIES,
    *CURATION,
)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command."""
    parser = argparse.ArgumentParser(
        prog="inkgraph", description="Turn books into a knowledge graph, offline."
    )
    parser.add_argument("--version", action="version", version=f"inkgraph {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.add_argument("--library", type=Path, default=None, help="the .inkgraph file")
        made.add_argument("--json", action="store_true", help="print JSON")
        return made

    add = command("add", "Add files or folders and wait until their graph is ready.")
    add.add_argument("files", nargs="+", type=Path)
    add.add_argument("--embed", action=argparse.BooleanOptionalAction, default=True)
    add.add_argument("--password", default="", help="for encrypted PDFs")
    add.add_argument("--chunk-mode", choices=CHUNK_MODES, default="structure")
    add.add_argument("--chunk-token-size", type=int, default=400)
    add.add_argument("--chunk-overlap-token-size", type=int, default=0)
    add.add_argument("--separator", default="\n\n", help="for the separator modes")
    command("status", "Show the documents and what is done.")
    graph = command("graph", "Print entities and relations.")
    graph.add_argument("--entities", action="store_true")
    graph.add_argument("--relations", action="store_true")
    graph.add_argument("--limit", type=int, default=50)
    graph.add_argument("--entity", default="", help="one entity, by name or alias")
    add_picture_options(graph)
    _add_enrich_options(
        command("enrich", "Have a chat model say how names hang together; Ctrl+C pauses.")
    )
    add_finding_options(command("search", "Find passages."), top=10)
    ask = command("ask", "Ask a question; Ctrl+C ends the answer with what is there.")
    add_finding_options(ask, top=20)
    add_answer_options(ask)
    importing = command("import", "Take in a graph of LightRAG, GraphRAG or your own.")
    importing.add_argument("path", type=Path, help="working folder, output folder or JSON file")
    importing.add_argument(
        "--names",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="also find names in the texts, as in any document",
    )
    importing.add_argument("--embed", action=argparse.BooleanOptionalAction, default=True)
    export = command("export", "Write the graph to a file.")
    export.add_argument("--format", choices=FORMATS, default="json")
    export.add_argument("--out", type=Path, required=True)
    add_part_options(export)
    add_community_commands(command)
    add_curation_commands(command)
    command("check", "Check the library file.")
    _add_model_commands(command("models", "List, get and check models."))
    command("demo", "Do the main job on the demo library.")
    bench = command("bench", "Run a benchmark (in a checkout).")
    bench.add_argument("name")
    return parser


def _add_enrich_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--document", action="append", default=[], help="title or file name")
    parser.add_argument("--entity", default="", help="only what mentions it; a name or alias")
    parser.add_argument("--strategy", choices=ENRICH_STRATEGIES, help="kept for this library")
    parser.add_argument("--order", choices=ENRICH_ORDERS, help="kept for this library")
    parser.add_argument("--threads", type=int, help="kept for this library; 0: as many as suit")
    parser.add_argument("--again", action="store_true", help="also what is done already")
    parser.add_argument("--limit", type=int, help="the most chunks to do")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--estimate", action="store_true", help="only say how long it takes")
    instead.add_argument("--status", action="store_true", help="only say what is done")
    instead.add_argument("--retry", action="store_true", help="do what was given up once more")
    instead.add_argument("--stop", action="store_true", help="empty the queue")


def _add_model_commands(parser: argparse.ArgumentParser) -> None:
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


def run_command(argv: list[str]) -> int:
    """Parse and run one command; errors become a sentence and an exit code."""
    options = build_parser().parse_args(argv)
    # Does nothing in a process of its own, which has its log already.
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        return _run(options)
    except AppError as error:
        print(f"inkgraph: {error}", file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, Cancelled):
        print("inkgraph: stopped; run the same command to go on.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception:
        logging.exception("this is a bug in Inkgraph; the log is in %s", crash_log.logs_dir())
        return 3


def _run(options: argparse.Namespace) -> int:
    """Import a command where it is used, so that `--help` is quick."""
    from . import communities, curation, demo, documents, enrich, importing, library, models
    from . import graph as graph_files
    from . import search_and_ask as finding

    return {
        "add": library.run_add,
        "status": library.run_status,
        "graph": graph_files.run_graph,
        "import": importing.run_import,
        "export": graph_files.run_export,
        "check": library.run_check,
        "enrich": enrich.run_enrich,
        "search": finding.run_search,
        "ask": finding.run_ask,
        "communities": communities.run_communities,
        "report": communities.run_report,
        "duplicates": curation.run_duplicates,
        "entity": curation.run_entity,
        "undo": curation.run_undo,
        "redo": curation.run_undo,
        "history": curation.run_history,
        "corrections": curation.run_corrections,
        "delete": documents.run_delete,
        "reindex": documents.run_reindex,
        "models": models.run_models,
        "demo": demo.run_demo,
        "bench": demo.run_bench,
    }[options.command](options)
