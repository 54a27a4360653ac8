"""The commands `status`, `reindex` and `delete`: the documents of a library."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..engine.errors import UserError
from .command_context import (
    ProgressPrinter,
    choose_documents,
    count_words,
    open_indexing,
    open_library,
    open_registry,
    show,
    stop_on_interrupt,
)
from .versions import describe_refusal

if TYPE_CHECKING:
    from ..engine.model import DocumentRow
    from ..engine.services.ocr import OcrReader

MAX_DETAILS = 5  # lines below a document


def show_status(options: argparse.Namespace) -> int:
    from ..engine.services.library_reader import LibraryReader
    from ..engine.services.ocr import OcrReader
    from ..engine.text.document_notes import find_losses

    with open_library(options) as library:
        reader = LibraryReader(library.writer)
        overview, rows = reader.overview(), reader.list_documents()
        lines = [
            f"{overview.name}: {count_words(overview.n_documents, 'document')}, "
            f"{count_words(overview.n_entities, 'name')}, "
            f"{count_words(overview.n_relations, 'connection')}, {overview.n_embedded:,} of "
            f"{count_words(overview.n_windows, 'passage')} embedded"
        ]
        scans = OcrReader(library.writer)
        for d in rows:
            size = f"[{d.language}, {d.n_chars:,} characters]"
            lines.append(f"  {d.title}  {size}  {describe_status(d)}")
            if refusal := describe_refusal(d):
                lines.append(f"    {refusal}")
            losses = find_losses(d.notes)
            details = [*list_unread_pages(scans, d), *losses.own, *losses.outer]
            lines += [f"    {line}" for line in shorten_details(details)]
        show({"overview": overview, "documents": rows}, lines, options.json)
        return 0


def describe_status(row: DocumentRow) -> str:
    """Return the state of a document, and of its pages that are pictures."""
    if row.state == "failed":
        return f"failed: {row.reason}"
    scans, n = row.scans, row.scans.n_pages
    if not n or row.state != "ready":
        return row.state
    of = f"{{}} of {count_words(n, 'page')}" if n > 1 else "its page"
    parts = []
    if scans.n_waiting:
        parts.append(f"{of.format(f'{scans.n_waiting:,}')} {_wait(scans.n_waiting)} to be read")
    if scans.n_failed:
        parts.append(f"{of.format(f'{scans.n_failed:,}')} could not be read")
    if scans.n_left:
        parts.append(f"{of.format(f'{scans.n_left:,}')} left unread")
    if row.n_chars or not parts:
        parts.insert(0, f"{row.state}, no text was found" if has_no_text(row) else row.state)
    return ", ".join(parts)


def _wait(n: int) -> str:
    return "waits" if n == 1 else "wait"


def has_no_text(row: DocumentRow) -> bool:
    """Return whether all pages of a document were read as pictures, and none had a text."""
    return row.state == "ready" and not row.n_chars and 0 < row.scans.n_read == row.scans.n_pages


def list_unread_pages(scans: OcrReader, row: DocumentRow) -> list[str]:
    """Return a sentence for each page that could not be read as a picture."""
    found = scans.find_progress(row.id) if row.scans.n_failed else None
    if found is None:
        return []
    lines = []
    for index, (state, reason) in found.states.items():
        if state == "failed":
            # of “This page can't be shown: …” only what is wrong with it
            why = str(reason.params.get("reason", reason)).rstrip()
            page = "its page" if row.scans.n_pages == 1 else f"page {index + 1}"
            lines.append(f"{page} can't be read: {why}")
    return lines


def shorten_details(lines: Sequence[str]) -> list[str]:
    """Return the first lines, and how many more there are."""
    more = len(lines) - MAX_DETAILS
    if more <= 1:  # the line that counts them would be as long
        return list(lines)
    return [*lines[:MAX_DETAILS], f"and {more:,} more"]


def add_reindex_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("document", nargs="*", help="titles or file names; default: all documents")
    parser.add_argument(
        "--embed",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="also prepare the search by meaning",
    )


def reindex(options: argparse.Namespace) -> int:
    """Read documents again and wait until they are ready."""
    from ..engine.services.documents import DocumentService
    from ..engine.services.library_reader import LibraryReader

    with open_library(options) as library, open_registry() as registry:
        ids = choose_documents(library, options.document)
        if ids is None:
            ids = tuple(d.id for d in LibraryReader(library.writer).list_documents())
        for document_id in ids:
            DocumentService(library.writer).reindex_documents([document_id])
        indexing = open_indexing(library, registry)
        line = ProgressPrinter()
        try:
            with stop_on_interrupt() as token:
                indexing.run(cancel=token, on_progress=line, embed=options.embed)
        finally:
            line.end()
        show({"documents": ids}, [f"{len(ids)} read again."], options.json)
    return 0


def add_delete_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("document", help="title or file name")
    parser.add_argument(
        "--permanently",
        action="store_true",
        help="not to the trash, from where `undo` brings it back: it can't be undone",
    )
    parser.add_argument("--yes", action="store_true", help="with --permanently: without asking")


def delete(options: argparse.Namespace) -> int:
    """Move one document to the trash, or delete it permanently, and print what goes with it."""
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
            f"“{preview.title}”: {count_words(preview.n_chunks, 'passage')}, "
            f"{count_words(preview.n_mentions, 'mention')}",
            f"What goes with it: {count_words(preview.n_entities_gone, 'name')}, "
            f"{count_words(preview.n_relations_gone, 'connection')}. With what other documents "
            f"say, {count_words(preview.n_entities_less, 'name')} will stay.",
        ]
        documents = DocumentService(library.writer)
        if not options.permanently:
            documents.trash_documents(ids)
            lines.append("It is in the trash: “inkgraph undo” brings it back.")
            show({"deleted": preview, "permanently": False}, lines, options.json)
            return 0
        if not options.yes:
            print("\n".join(lines), file=sys.stderr)
            question = "Delete it permanently? This can't be undone. Type yes: "
            answer = input(question) if sys.stdin.isatty() else ""
            if answer.strip().lower() not in ("yes", "y"):
                raise UserError("Nothing was deleted.", "Say “yes”, or give --yes.")
            lines = []
        documents.delete_documents(ids)
        lines.append("Deleted permanently.")
        show({"deleted": preview, "permanently": True}, lines, options.json)
    return 0
