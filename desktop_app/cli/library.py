"""Commands on the library: add, status, check."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine.errors import UserError
from ..engine.progress import CancelToken
from .output import AddCommand, ProgressPrinter, open_library, open_registry, show

if TYPE_CHECKING:
    from ..engine.text.chunking import ChunkingSettings

COMMANDS = ("add", "status", "check")
CHUNK_MODES = ("structure", "tokens", "separator", "separator_tokens")


def add_arguments(add_command: AddCommand) -> None:
    add = add_command("add", "Add files or folders and wait until their graph is ready.")
    add.add_argument("files", nargs="+", type=Path)
    add.add_argument("--embed", action=argparse.BooleanOptionalAction, default=True)
    add.add_argument("--password", default="", help="for encrypted PDFs")
    add.add_argument("--chunk-mode", choices=CHUNK_MODES, default="structure")
    add.add_argument("--chunk-token-size", type=int, default=400)
    add.add_argument("--chunk-overlap-token-size", type=int, default=0)
    add.add_argument("--separator", default="\n\n", help="for the separator modes")
    add.set_defaults(run=run_add)
    status = add_command("status", "Show the documents and what is done.")
    status.set_defaults(run=run_status)
    check = add_command("check", "Check the library file.")
    check.set_defaults(run=run_check)


def run_add(options: argparse.Namespace) -> int:
    from ..engine.services.adding import add_files
    from ..engine.services.indexing import IndexingService
    from ..engine.services.library_reader import LibraryReader

    with open_library(options, create=True) as library, open_registry() as registry:
        indexing = IndexingService(library.writer, registry.find_embedder, _chunking(options))
        added = add_files(library.writer, options.files, password=options.password)
        for path, reason in added.refused.items():
            print(f"inkgraph: {path}: {reason}", file=sys.stderr)
        for file_name, title in added.duplicates:
            print(f"inkgraph: {file_name} is already in the library as “{title}”", file=sys.stderr)
        if options.embed and registry.embedding_name() == "":
            print(
                "inkgraph: no embedding model, so meaning is not searched; "
                "get it with: inkgraph models install multilingual-e5-small",
                file=sys.stderr,
            )
        progress, token = ProgressPrinter(), CancelToken()
        started = time.monotonic()
        indexing.run(cancel=token, on_progress=progress, embed=options.embed)
        progress.end()
        rows = [
            d for d in LibraryReader(library.writer).list_documents() if d.id in added.documents
        ]
        failed = [d for d in rows if d.state == "failed"]
        for document in failed:
            print(f"inkgraph: {document.file_name}: {document.reason}", file=sys.stderr)
        overview = LibraryReader(library.writer).overview()
        show(
            {
                "documents": rows,
                "refused": added.refused,
                "duplicates": added.duplicates,
                "seconds": round(time.monotonic() - started, 2),
                "overview": overview,
            },
            [
                f"{len(rows) - len(failed)} added in {time.monotonic() - started:.1f} s: "
                f"{overview.n_entities:,} names, {overview.n_relations:,} relations in "
                f"{overview.path}"
            ],
            options.json,
        )
        nothing_read = not [d for d in rows if d.state != "failed"] and not added.duplicates
        return 1 if added.refused or failed or nothing_read else 0


def _chunking(options: argparse.Namespace) -> ChunkingSettings:
    """Return the chunking settings of the options.

    Raises:
        UserError: a size is out of range.
    """
    from ..engine.text.chunking import ChunkingSettings

    if not 50 <= options.chunk_token_size <= 4000:
        raise UserError("A chunk can have 50 to 4,000 tokens.", "The default is 400.")
    if not 0 <= options.chunk_overlap_token_size < options.chunk_token_size:
        raise UserError("Chunks can't overlap by more than they are long.", "The default is 0.")
    return ChunkingSettings(
        mode=options.chunk_mode,
        chunk_token_size=options.chunk_token_size,
        chunk_overlap_token_size=options.chunk_overlap_token_size,
        separator=options.separator.replace("\\n", "\n").replace("\\t", "\t"),
    )


def run_status(options: argparse.Namespace) -> int:
    from ..engine.services.library_reader import LibraryReader

    with open_library(options) as library:
        reader = LibraryReader(library.writer)
        overview, rows = reader.overview(), reader.list_documents()
        lines = [
            f"{overview.name}: {overview.n_documents:,} documents, {overview.n_entities:,} names, "
            f"{overview.n_relations:,} relations, {overview.n_embedded:,} of "
            f"{overview.n_windows:,} passages embedded"
        ]
        for d in rows:
            state = f"failed: {d.reason}" if d.state == "failed" else d.state
            lines.append(f"  {d.title}  [{d.language}, {d.n_chars:,} characters]  {state}")
        show({"overview": overview, "documents": rows}, lines, options.json)
        return 0


def run_check(options: argparse.Namespace) -> int:
    with open_library(options) as library:
        problems = library.writer.integrity_problems()
        show(
            {"ok": not problems, "problems": problems},
            problems or ["The library file is in order."],
            options.json,
        )
        return 2 if problems else 0
