"""Commands for whole documents: delete, reindex."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ..engine.errors import UserError
from .output import AddCommand, ProgressPrinter, open_library, open_registry, show
from .search_and_ask import choose_documents

if TYPE_CHECKING:
    from ..engine.services.library import Library

COMMANDS = ("delete", "reindex")


def add_arguments(add_command: AddCommand) -> None:
    delete = add_command("delete", "Delete a document, after saying what goes with it.")
    delete.add_argument("document", help="title or file name")
    delete.add_argument("--yes", action="store_true", help="don't ask")
    reindex = add_command("reindex", "Read documents again and find their names again.")
    reindex.add_argument("document", nargs="*", help="titles or file names; none: all")
    reindex.add_argument("--embed", action=argparse.BooleanOptionalAction, default=True)
    delete.set_defaults(run=run_delete)
    reindex.set_defaults(run=run_reindex)


def run_delete(options: argparse.Namespace) -> int:
    """Delete one document after printing what is deleted with it."""
    from ..engine.services.documents import DocumentService
    from ..engine.services.library_reader import LibraryReader

    with open_library(options) as library:
        document_id = _get_one(library, options.document)
        preview = LibraryReader(library.writer).preview_delete(document_id)
        lines = [
            f"“{preview.title}”: {preview.n_chunks:,} passages, {preview.n_mentions:,} mentions",
            f"{preview.n_entities_gone:,} names and {preview.n_relations_gone:,} connections go "
            f"with it; {preview.n_entities_less:,} names stay with what other documents say",
        ]
        if not options.yes and not _agrees(lines):
            raise UserError("Nothing was deleted.", "Say “yes”, or give --yes.")
        DocumentService(library.writer).delete_document(document_id)
        show({"deleted": preview}, [*(lines if options.yes else []), "Deleted."], options.json)
    return 0


def run_reindex(options: argparse.Namespace) -> int:
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


def _get_one(library: Library, name: str) -> int:
    ids = choose_documents(library, [name]) or ()
    if len(ids) != 1:
        raise UserError(
            "{n} documents are called “{name}”.", "Give the file's name.", n=len(ids), name=name
        )
    return ids[0]


def _agrees(lines: list[str]) -> bool:
    print("\n".join(lines), file=sys.stderr)
    if not sys.stdin.isatty():
        return False
    return input("Delete it? Type yes: ").strip().lower() in ("yes", "y")
