"""Commands for whole documents: delete, reindex."""

from __future__ import annotations

import argparse
import sys

from ..engine.errors import UserError
from ..engine.services.documents import DocumentService
from ..engine.services.indexing import IndexingService
from ..engine.services.library import Library
from ..engine.services.library_reader import LibraryReader
from .output import ProgressPrinter, open_library, open_shelf, show
from .search_and_ask import choose_documents


def run_delete(options: argparse.Namespace) -> int:
    """Delete one document; what would go is told first."""
    with open_library(options) as library:
        document_id = _get_one(library, options.document)
        told = LibraryReader(library.writer).preview_delete(document_id)
        lines = [
            f"“{told.title}”: {told.n_chunks:,} passages, {told.n_mentions:,} mentions",
            f"{told.n_entities_gone:,} names and {told.n_relations_gone:,} connections go with it; "
            f"{told.n_entities_less:,} names stay with what other documents say",
        ]
        if not options.yes and not _agrees(lines):
            raise UserError("Nothing was deleted.", "Say “yes”, or give --yes.")
        DocumentService(library.writer).delete_document(document_id)
        show({"deleted": told}, [*(lines if options.yes else []), "Deleted."], options.json)
    return 0


def run_reindex(options: argparse.Namespace) -> int:
    """Queue documents to be read again and wait until they are."""
    with open_library(options) as library, open_shelf() as shelf:
        ids = choose_documents(library, options.document)
        if ids is None:
            ids = tuple(d.id for d in LibraryReader(library.writer).list_documents())
        for document_id in ids:
            DocumentService(library.writer).reindex_document(document_id)
        line = ProgressPrinter()
        try:
            IndexingService(library.writer, shelf.find_embedder).run(
                on_progress=line, embed=options.embed
            )
        finally:
            line.end()
        show({"documents": ids}, [f"{len(ids)} read again."], options.json)
    return 0


def _get_one(library: Library, name: str) -> int:
    ids = choose_documents(library, [name]) or ()
    if len(ids) != 1:
        raise UserError(f"{len(ids)} documents are called “{name}”.", "Give the file's name.")
    return ids[0]


def _agrees(lines: list[str]) -> bool:
    print("\n".join(lines), file=sys.stderr)
    if not sys.stdin.isatty():
        return False
    return input("Delete it? Type yes: ").strip().lower() in ("yes", "y")
