"""The command `delete`: deletes a document, after naming what is deleted with it."""

from __future__ import annotations

import argparse
import sys

from ..engine.errors import UserError
from .command_context import choose_documents, open_library, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("document", help="title or file name")
    parser.add_argument("--yes", action="store_true", help="don't ask")


def run(options: argparse.Namespace) -> int:
    """Delete one document after printing what is deleted with it."""
    from ..engine.services.documents import DocumentService
    from ..engine.services.library_reader import LibraryReader

    with open_library(options) as library:
        ids = choose_documents(library, [options.document]) or ()
        if len(ids) != 1:
            raise UserError(
                "{n} documents are called “{name}”.",
                "Give the file's name.",
                n=len(ids),
                name=options.document,
            )
        preview = LibraryReader(library.writer).preview_delete(ids[0])
        lines = [
            f"“{preview.title}”: {preview.n_chunks:,} passages, {preview.n_mentions:,} mentions",
            f"{preview.n_entities_gone:,} names and {preview.n_relations_gone:,} connections go "
            f"with it; {preview.n_entities_less:,} names stay with what other documents say",
        ]
        if not options.yes:
            print("\n".join(lines), file=sys.stderr)
            answer = input("Delete it? Type yes: ") if sys.stdin.isatty() else ""
            if answer.strip().lower() not in ("yes", "y"):
                raise UserError("Nothing was deleted.", "Say “yes”, or give --yes.")
        DocumentService(library.writer).delete_document(ids[0])
        show({"deleted": preview}, [*(lines if options.yes else []), "Deleted."], options.json)
    return 0
