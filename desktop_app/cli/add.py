"""The command `add`: adds files and folders and indexes them."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

from ..engine.errors import UserError
from .command_context import (
    open_library,
    open_registry,
    path_argument,
    show,
    stop_on_interrupt,
)
from .ocr import OcrProgressPrinter, read_scans
from .versions import describe_refusal

if TYPE_CHECKING:
    from ..engine.text.chunking import ChunkingSettings

CHUNK_MODES = ("structure", "tokens", "separator", "separator_tokens")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=path_argument)
    parser.add_argument(
        "--embed",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="also prepare the search by meaning",
    )
    parser.add_argument("--password", default="", help="password of encrypted PDFs")
    parser.add_argument("--chunk-mode", choices=CHUNK_MODES, default="structure")
    parser.add_argument("--chunk-token-size", type=int, default=400)
    parser.add_argument("--chunk-overlap-token-size", type=int, default=0)
    parser.add_argument(
        "--separator",
        default="\n\n",
        help="text between two chunks, for the modes with a separator",
    )
    parser.add_argument(
        "--ocr",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="also read scanned pages and pictures; without, `inkgraph ocr run` does it later",
    )


def run(options: argparse.Namespace) -> int:
    from ..engine.services.document_import import add_files
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
        progress = OcrProgressPrinter()
        started = time.monotonic()
        with stop_on_interrupt() as token:
            if not options.ocr:
                indexing.run(cancel=token, on_progress=progress, embed=options.embed)
            else:
                indexing.run(cancel=token, on_progress=progress, embed=False)
                read_scans(
                    library, indexing, progress, token, embed=options.embed, first=added.documents
                )
        progress.end()
        rows = [
            d for d in LibraryReader(library.writer).list_documents() if d.id in added.documents
        ]
        failed = [d for d in rows if d.state == "failed" or describe_refusal(d)]
        for document in failed:
            why = describe_refusal(document) or document.reason
            print(f"inkgraph: {document.file_name}: {why}", file=sys.stderr)
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
                f"{overview.n_entities:,} names, {overview.n_relations:,} connections in "
                f"{overview.path}"
            ],
            options.json,
        )
        nothing_read = len(rows) == len(failed) and not added.duplicates
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
