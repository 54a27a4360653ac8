"""The command `ocr`: pages that are pictures: what was read of them, reading, correcting lines."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from ..engine.durations import format_duration
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

if TYPE_CHECKING:
    from ..engine.progress import CancelToken, Progress
    from ..engine.services.indexing import IndexingService
    from ..engine.services.library import Library
    from ..engine.services.ocr import OcrReader, OcrService

ACTIONS = {
    "status": "how many pages are read, of all documents with pictures of pages (the default)",
    "run": "read the pages that wait; Ctrl+C stops, and what was read stays",
    "again": "queue pages that were left or can't be read; with --all also those that were read",
    "leave": "do not read the pages of these documents that still wait",
    "lines": "print the lines of a page (--page) with their numbers and confidence",
    "correct": "give a line (--page, --line) another text (--text), which can be undone",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = "; ".join(f"{name}: {words}" for name, words in ACTIONS.items())
    parser.add_argument("action", nargs="?", choices=tuple(ACTIONS), default="status", help=what)
    parser.add_argument("document", nargs="*", help="titles or file names")
    parser.add_argument("--page", type=int, default=1, help="number of a page, from 1")
    parser.add_argument("--line", type=int, default=0, help="number of a line, from 1")
    parser.add_argument("--text", default=None, help="the right text of a line")
    parser.add_argument("--all", action="store_true", help="also pages that were read")
    parser.add_argument("--embed", action=argparse.BooleanOptionalAction, default=True)


def run(options: argparse.Namespace) -> int:
    """Show, read or correct pages that are pictures."""
    from ..engine.services.ocr import OcrReader, OcrService

    with open_library(options) as library:
        ids = choose_documents(library, options.document)
        reader, service = OcrReader(library.writer), OcrService(library.writer)
        if options.action == "status":
            return _show_status(library, reader, ids, options.json)
        if options.action == "run":
            service.want_documents(ids or ())
            with open_registry() as registry:
                indexing = open_indexing(library, registry)
                progress = OcrProgressPrinter()
                with stop_on_interrupt() as token:
                    read_scans(library, indexing, progress, token, embed=options.embed, first=ids)
                progress.end()
            return _show_status(library, reader, ids, options.json)
        if not ids:
            raise UserError("Which document?", "See: inkgraph ocr status")
        if options.action == "leave":
            service.leave(ids)
        elif options.action == "again":
            service.read_again(ids, all_pages=options.all)
        elif options.action == "lines":
            return _show_lines(reader, ids[0], options)
        else:
            _correct(service, ids[0], options)
        with open_registry() as registry:  # the text follows
            indexing = open_indexing(library, registry)
            indexing.run(embed=options.embed)
        return _show_status(library, reader, ids, options.json)


class OcrProgressPrinter(ProgressPrinter):
    """Also says how many pages are read in a minute."""

    stages: ClassVar[Mapping[str, str]] = {
        **ProgressPrinter.stages,
        "scans": "reading pictures of pages",
    }

    def words(self, progress: Progress) -> str:
        words = super().words(progress)
        is_rate_known = progress.stage == "scans" and progress.rate
        return words + (f", {60 * progress.rate:.1f} pages a minute" if is_rate_known else "")


def read_scans(
    library: Library,
    indexing: IndexingService,
    progress: ProgressPrinter,
    cancel: CancelToken,
    *,
    embed: bool,
    first: tuple[int, ...] | None = None,
) -> None:
    """Read the pages that wait, and index the documents whenever their text gets more.

    Raises:
        Cancelled: the token was set; the text has what was read until then.
    """
    from ..engine.changes import ChangeNotice
    from ..engine.services.ocr import OcrService

    def follow(change: ChangeNotice) -> None:
        if change.queued and not cancel.cancelled:
            indexing.run(cancel=cancel, on_progress=progress, embed=False)

    service = OcrService(library.writer)
    service.want_documents(first or ())
    service.run(cancel=cancel, on_progress=progress, on_change=follow)
    indexing.run(cancel=cancel, on_progress=progress, embed=embed)


def _show_status(
    library: Library, reader: OcrReader, ids: tuple[int, ...] | None, as_json: bool
) -> int:
    from ..engine.services.library_reader import LibraryReader

    titles = {int(row.id): row.title for row in LibraryReader(library.writer).list_documents()}
    found = {}
    lines = []
    for document_id, count in sorted(reader.count().items()):
        if ids is not None and document_id not in ids:
            continue
        state = reader.find_state(document_id)
        found[titles[document_id]] = state
        parts = [f"{count.n_read:,} of {count_words(count.n_pages, 'page')} read"]
        parts += [f"{count.n_waiting:,} wait"] if count.n_waiting else []
        parts += [f"{count.n_left:,} left"] if count.n_left else []
        parts += [f"{count.n_failed:,} can't be read"] if count.n_failed else []
        if count.n_read:
            parts.append(f"{format_duration(count.seconds / count.n_read)} a page")
        lines.append(f"{titles[document_id]}: {', '.join(parts)}")
        if state is not None and state.unsure:
            lines.append(f"  uncertain: {', '.join(str(i + 1) for i in state.unsure[:20])}")
        for index, reason in state.failed[:20] if state is not None else ():
            lines.append(f"  page {index + 1}: {reason}")
    show(found, lines or ["No document has pages that are pictures."], as_json)
    return 0


def _show_lines(reader: OcrReader, document_id: int, options: argparse.Namespace) -> int:
    page = reader.find_page(document_id, options.page - 1)
    if page is None:
        raise UserError(
            "Page {page} was not read as a picture.",
            "See: inkgraph ocr status",
            page=options.page,
        )
    lines = [
        f"{number:4}  {line.confidence:4.0%}  {line.text}"
        for number, line in enumerate(page.lines, 1)
    ]
    if not page.is_certain:
        lines.append("The order of the lines is uncertain.")
    show(page, lines, options.json)
    return 0


def _correct(service: OcrService, document_id: int, options: argparse.Namespace) -> None:
    if options.text is None or not options.line:
        raise UserError(
            "Which line, and what does it say?",
            "For example: inkgraph ocr correct Letter --page 1 --line 3 --text “Dear Sir”",
        )
    service.correct_line(document_id, options.page - 1, options.line - 1, options.text)
