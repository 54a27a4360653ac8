"""The command `mcp`: lets an assistant read the library, over standard input and output."""

from __future__ import annotations

import argparse

from .command_context import open_library, open_models, open_registry


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-edit",
        action="store_true",
        help="also let it correct names; each change can be undone and has the assistant's name",
    )


def run(options: argparse.Namespace) -> int:
    from ..servers.library_access import LibraryAccess, Models
    from ..servers.mcp_server import run_mcp_server

    with (
        open_library(options, may_write=options.allow_edit) as library,
        open_registry() as registry,
    ):
        own = open_models(library, registry)
        models = Models(own.find_chat, own.find_embedder, own.find_reranker, own.embedding_name)
        run_mcp_server(LibraryAccess(library, models, may_edit=options.allow_edit))
    return 0
