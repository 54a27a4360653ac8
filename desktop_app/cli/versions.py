"""The command `versions`: changed files that were not taken, and files before their last change."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from ..engine.errors import UserError
from .command_context import (
    ProgressPrinter,
    choose_documents,
    open_indexing,
    open_library,
    open_registry,
    show,
)

if TYPE_CHECKING:
    from ..engine.model import DocumentRow

ACTIONS = {
    "list": "list the refused versions (the default)",
    "read": "read the refused version again; without a document: what is queued",
    "use": "use the refused version, though it has little text",
    "keep": "keep the old text, and end the notice",
    "restore": "restore the file before its last change",
    "remove": "delete the previous versions of all files",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = "; ".join(f"{name}: {words}" for name, words in ACTIONS.items())
    parser.add_argument("action", nargs="?", choices=tuple(ACTIONS), default="list", help=what)
    parser.add_argument("document", nargs="*", help="titles or file names")
    parser.add_argument("--password", default="", help="password of an encrypted PDF (with read)")
    parser.add_argument("--embed", action=argparse.BooleanOptionalAction, default=True)


def run(options: argparse.Namespace) -> int:
    """List versions of files, or choose one and wait until it is read."""
    from ..engine.services.documents import DocumentService
    from ..engine.services.library_reader import LibraryReader

    with open_library(options) as library:
        reader, work = LibraryReader(library.writer), DocumentService(library.writer)
        ids = choose_documents(library, options.document)
        if options.action == "remove":
            before = reader.overview().versions_bytes
            work.remove_versions()
            line = f"{before - reader.overview().versions_bytes:,} bytes of versions are deleted"
            show({"removed_bytes": before}, [line], options.json)
            return 0
        if options.action == "list":
            rows = [d for d in reader.list_documents() if ids is None or d.id in ids]
            rows = [d for d in rows if d.new_version or d.previous]
            show(
                rows,
                _describe(rows) or ["No file has a refused or an earlier version."],
                options.json,
            )
            return 0
        if ids is None and options.action != "read":
            raise UserError("Which document?", "See: inkgraph versions")
        ids = ids or ()
        if options.action == "keep":
            work.keep_old_text(ids)
        elif options.action == "restore":
            work.restore_previous(ids)
        else:
            for document_id in ids:
                if options.action == "use":
                    work.use_new_version(document_id)
                else:
                    work.retry_document(document_id, options.password)
        progress = ProgressPrinter()
        with open_registry() as registry:
            indexing = open_indexing(library, registry)
            try:
                indexing.run(on_progress=progress, embed=options.embed)
            finally:
                progress.end()
        rows = [reader.get_document(i) for i in ids]
        show(rows, _describe(rows) or ["Done."], options.json)
        return 1 if any(describe_refusal(row) for row in rows) else 0


def describe_refusal(row: DocumentRow) -> str:
    """Return why a changed file does not replace the text, "" if none was refused."""
    if row.new_version is None or row.new_version.state != "refused":
        return ""
    return f"{row.new_version.reason} The text of {_format_date(row.taken_at)} is kept."


def _describe(rows: list[DocumentRow]) -> list[str]:
    lines = []
    for row in rows:
        lines.append(f"{row.title}  [{row.file_name}]  {row.state}")
        if refusal := describe_refusal(row):
            lines.append(f"  {refusal}")
        elif row.new_version is not None and row.new_version.state == "declined":
            lines.append("  A new version of the file is not used.")
        elif row.new_version is not None:
            lines.append("  A new version of the file is to be read.")
        if row.previous is not None:
            date, size_bytes = _format_date(row.previous.taken_at), row.previous.size_bytes
            lines.append(f"  previous version: {date}, {size_bytes:,} bytes")
    return lines


def _format_date(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
