"""The command `add`: adds files, folders and bibliographies, and indexes them."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine.errors import AppError, Cancelled, DamagedLibrary, ReadOnlyLibrary, UserError
from ..engine.text.file_kinds import KINDS
from .cluster import ClusterWork, cluster_address, open_cluster
from .command_context import (
    ProgressPrinter,
    count_words,
    open_library,
    open_models,
    open_registry,
    path_argument,
    show,
    stop_on_interrupt,
)
from .documents import has_no_text, list_unread_pages, shorten_details
from .ocr import OcrProgressPrinter, read_scans
from .versions import describe_refusal

if TYPE_CHECKING:
    from ..engine.model import DocumentRow
    from ..engine.services.bibliography.service import AddedReferences
    from ..engine.services.ocr import OcrReader
    from ..engine.text.chunking import ChunkingSettings

MAX_SHOWN = 5
MAX_KINDS = 15  # of files that were passed over; most folders have fewer
MAX_LOSSES = 20  # lines about what was left out of all files, fewer than a terminal has
CHUNK_MODES = ("structure", "tokens", "separator", "separator_tokens")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = "; ".join(f"{kind.title} ({' '.join(kind.suffixes)})" for kind in KINDS)
    parser.epilog = (
        f"What is read: {kinds}. The content of a file decides on its kind; a text with another "
        "ending is read if its file is named itself. Scanned pages and photographs, also in a PDF, "
        "are read on this computer after all texts, in Latin letters and Chinese; --no-ocr leaves "
        "them to `inkgraph ocr run`. `inkgraph ocr` shows what was read and corrects it."
    )
    parser.add_argument(
        "files",
        nargs="*",
        type=path_argument,
        help="files, folders, a data folder of Zotero, or a file of BibTeX, RIS or CSL-JSON",
    )
    parser.add_argument(
        "--update-zotero",
        action="store_true",
        help="take what is new in the Zotero folders that were added to this library",
    )
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
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        type=cluster_address,
        help="read documents and find names on a Dask cluster of yours, tcp://SCHEDULER:PORT; "
        "the files are sent there (docs/CLUSTER.md)",
    )


def run(options: argparse.Namespace) -> int:
    from ..engine.services.bibliography.folders import list_folders
    from ..engine.services.bibliography.service import add_bibliography, split_bibliographies
    from ..engine.services.document_import import add_files
    from ..engine.services.indexing import IndexingService
    from ..engine.services.library_reader import LibraryReader
    from ..engine.services.ocr import OcrReader
    from ..engine.store.documents import fetch_titles

    chunking = _chunking(options)
    if options.files and not any(path.exists() for path in options.files):
        raise UserError(  # before a library is made for nothing
            "There is no file “{path}”.", "Check the name.", path=options.files[0]
        )
    with (
        open_cluster(options.cluster) as cluster,  # before a library is made
        open_library(options, create=True) as library,
        open_registry() as registry,
    ):
        models = open_models(library, registry)
        lists, files = split_bibliographies(options.files)
        if options.update_zotero:
            lists = [*(folders := list_folders(library.writer)), *lists]
            if not folders:
                raise UserError(
                    "No Zotero folder was added to this library on this computer.",
                    "Give the folder: inkgraph add FOLDER.",
                )
        if not options.files and not lists:
            raise UserError("There is nothing to add.", "Give files or folders.")
        added = add_files(
            library.writer, files, password=options.password, leave_out=frozenset(lists)
        )
        refused = dict(added.refused)
        for place, reason in refused.items():
            print(f"inkgraph: {place}: {reason}", file=sys.stderr)
        if added.passed_over:
            print(f"inkgraph: {describe_passed_over(list(added.passed_over))}", file=sys.stderr)
        for file_name, title in added.duplicates:
            print(f"inkgraph: {file_name} is already in the library as “{title}”", file=sys.stderr)
        if options.embed and models.embedding_name() == "":
            print(
                "inkgraph: no embedding model, so meaning is not searched; "
                "get it with: inkgraph models install multilingual-e5-small",
                file=sys.stderr,
            )
        started = time.monotonic()
        with stop_on_interrupt() as token:
            progress: ProgressPrinter = OcrProgressPrinter()
            work = None
            if cluster is None:
                indexing = IndexingService(library.writer, models.find_embedder, chunking)
            else:
                work = ClusterWork(library, models, cluster, chunking, token, embed=options.embed)
                indexing, progress = work.indexing, work.progress
            progress.find_title = lambda document_id: dict(
                fetch_titles(library.writer, [document_id])
            ).get(document_id, "")
            references: list[AddedReferences] = []
            for path in dict.fromkeys(lists):
                try:
                    references.append(
                        add_bibliography(library.writer, path, cancel=token, on_progress=progress)
                    )
                except (Cancelled, DamagedLibrary, ReadOnlyLibrary):
                    raise  # the reason is the library, not this file
                except AppError as error:
                    refused[str(path)] = error.full_message
                    print(f"inkgraph: {path}: {error}", file=sys.stderr)
            if not options.ocr:
                indexing.run(cancel=token, on_progress=progress, embed=options.embed)
            else:
                indexing.run(cancel=token, on_progress=progress, embed=False)
                read_scans(
                    library, indexing, progress, token, embed=options.embed, first=added.documents
                )
        progress.end()
        ids = {*added.documents, *(i for one in references for i in one.documents)}
        stored = LibraryReader(library.writer).list_documents()
        rows = [d for d in stored if d.id in ids]
        files_added = {(d.file_name, d.added_at) for d in rows}  # and what lies in them
        parts = [d for d in stored if (d.file_name, d.added_at) in files_added]
        for one in references:
            for place, reason in one.refused.items():
                print(f"inkgraph: {place}: {reason}", file=sys.stderr)
        failed = [d for d in rows if d.state == "failed" or describe_refusal(d)]
        for document in failed:
            why = describe_refusal(document) or document.reason
            print(f"inkgraph: {document.file_name}: {why}", file=sys.stderr)
        for line in describe_losses(parts, OcrReader(library.writer)):
            print(f"inkgraph: {line}", file=sys.stderr)
        some_read = {(d.file_name, d.added_at) for d in parts if not d.is_unreadable}
        unread = [d for d in rows if (d.file_name, d.added_at) not in some_read]
        n_added = len(rows) - len(failed) - len(unread)
        n_waiting = sum(document.scans.n_waiting for document in parts)
        overview = LibraryReader(library.writer).overview()
        show(
            {
                "documents": rows,
                "refused": refused,
                "passed_over": added.passed_over,
                "duplicates": added.duplicates,
                "references": references,
                "seconds": round(time.monotonic() - started, 2),
                "overview": overview,
            },
            [
                *(line for one in references for line in describe_references(one)),
                f"{n_added} added in {time.monotonic() - started:.1f} s. "
                f"{overview.path} now has {count_words(overview.n_documents, 'document')}, "
                f"{count_words(overview.n_entities, 'name')} and "
                f"{count_words(overview.n_relations, 'connection')}.",
                *(
                    [f"{count_words(n_waiting, 'page')} to be read as pictures: inkgraph ocr run"]
                    if n_waiting
                    else []
                ),
                *(work.describe() if work is not None else []),
            ],
            options.json,
        )
        nothing_read = not n_added and not added.duplicates and not references
        return 1 if refused or failed or unread or nothing_read else 0


def describe_losses(rows: Sequence[DocumentRow], scans: OcrReader) -> list[str]:
    """Return what of documents that were added could not be read, or was left out."""
    from ..engine.text.document_notes import find_losses

    lines: list[str] = []
    for row in rows:
        losses = find_losses(row.notes)
        name = f"{row.file_name}, “{row.title}”" if losses.is_inner else row.file_name
        own = [*list_unread_pages(scans, row), *losses.own]
        if has_no_text(row):
            own.append("no text was found in it")
        lines += [f"{name}: {line}" for line in shorten_details(own)]
        lines += [f"{row.file_name}: {line}" for line in shorten_details(losses.outer)]
    if (more := len(lines) - MAX_LOSSES) > 1:
        lines[MAX_LOSSES:] = [f"and {more:,} more: see `inkgraph status`"]
    return lines


def describe_passed_over(paths: Sequence[str]) -> str:
    """Return how many files of folders were not read, of which kinds, and the first names."""
    kinds = Counter(Path(path).suffix.lower() or "no extension" for path in paths)
    counts = [f"{kind} {n:,}" for kind, n in sorted(kinds.items(), key=lambda k: (-k[1], k[0]))]
    n = len(paths)
    why = "because its kind is not read" if n == 1 else "because their kinds are not read"
    return (
        f"{count_words(n, 'file')} in folders passed over {why} "
        f"({_list(counts, ', ', MAX_KINDS)}): {_list([Path(path).name for path in paths])}. "
        "A text among them is read if you name its file; --json lists all of them with reasons."
    )


def describe_references(added: AddedReferences) -> list[str]:
    """Return what was taken from a bibliography and what was not, one sentence a line."""
    parts = [count_words(len(added.documents), "new document")]
    if added.completed:
        parts.append(f"{count_words(len(added.completed), 'document')} completed")
    if added.n_unchanged:
        parts.append(f"{added.n_unchanged:,} unchanged")
    works = count_words(added.n_entries, "reference")
    lines = [f"{added.origin} “{added.name}”, {works}: {', '.join(parts)}"]
    if n := len(added.without_file):
        has = "reference has no file" if n == 1 else "references have no file"
        lines.append(f"  {n:,} {has} and no document here: {_list(added.without_file)}")
    if n := len(added.missing):
        words = "file is missing" if n == 1 else "files are missing"
        lines.append(f"  {n:,} {words}: {_list([place for _, place in added.missing])}")
    if added.in_trash:
        lines.append(f"  {count_words(added.in_trash, 'document')} left in the trash")
    for n, what in (
        (added.followed.n_changed, "changed as in Zotero"),
        (added.followed.n_deleted, "deleted as in Zotero"),
        (added.followed.n_kept, "different in Zotero, kept because they were changed here"),
    ):
        if n:
            lines.append(f"  {count_words(n, 'highlight or note', 'highlights or notes')} {what}")
    if added.n_lost:
        marks = count_words(added.n_lost, "highlight")
        lines.append(f"  {marks} not found in the text, kept as notes")
    return [*lines, *(f"  {reason}: {n:,}" for reason, n in sorted(added.left_out.items()))]


def _list(names: Sequence[str], separator: str = "; ", most: int = MAX_SHOWN) -> str:
    more = len(names) - most
    return separator.join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


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
