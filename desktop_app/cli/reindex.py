"""The command `reindex`: reads documents again."""

from __future__ import annotations

import argparse

from .command_context import ProgressPrinter, choose_documents, open_library, open_registry, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("document", nargs="*", help="titles or file names; none: all")
    parser.add_argument("--embed", action=argparse.BooleanOptionalAction, default=True)


def run(options: argparse.Namespace) -> int:
    """Read documents again and wait until they are ready."""
    from ..engine.services.documents import DocumentService
    from ..engine.services.indexing import IndexingService
    from ..engine.services.library_reader import LibraryReader

    with open_library(options) as library, open_registry() as registry:
        ids = choose_documents(library, options.document)
        if ids is None:
            ids = tuple(d.id for d in LibraryReader(library.writer).list_documents())
        for document_id in ids:
            DocumentService(library.writer).reindex_document(document_id)
        line = ProgressPrinter()
        try:
            IndexingService(library.writer, registry.find_embedder).run(
                on_progress=line, embed=options.embed
            )
        finally:
            line.end()
        show({"documents": ids}, [f"{len(ids)} read again."], options.json)
    return 0
