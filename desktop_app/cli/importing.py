"""The command `import`: adds a graph made by another program and prints what was imported."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from .command_context import (
    ProgressPrinter,
    count_words,
    open_indexing,
    open_library,
    open_registry,
    path_argument,
    show,
    stop_on_interrupt,
)

if TYPE_CHECKING:
    from ..engine.services.importing.service import Imported

MAX_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", type=path_argument, help="working folder, output folder or JSON file"
    )
    parser.add_argument(
        "--names",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="also extract names from the texts, as from other documents",
    )
    parser.add_argument("--embed", action=argparse.BooleanOptionalAction, default=True)


def run(options: argparse.Namespace) -> int:
    from ..engine.services.importing.service import import_graph
    from ..engine.services.library_reader import LibraryReader

    with open_library(options, create=True) as library, open_registry() as registry:
        progress = ProgressPrinter()
        started = time.monotonic()
        with stop_on_interrupt() as token:
            imported = import_graph(
                library.writer,
                options.path,
                find_names=options.names,
                cancel=token,
                on_progress=progress,
            )
            open_indexing(library, registry).run(
                cancel=token, on_progress=progress, embed=options.embed
            )
        progress.end()
        overview = LibraryReader(library.writer).overview()
        show(
            {
                "imported": imported,
                "seconds": round(time.monotonic() - started, 2),
                "overview": overview,
            },
            [
                *describe(imported),
                f"In {overview.path} there are now {count_words(overview.n_entities, 'name')} and "
                f"{count_words(overview.n_relations, 'relation')}.",
            ],
            options.json,
        )
        return 0


def describe(imported: Imported) -> list[str]:
    """Return what was imported and what was not, one sentence per line."""
    kind = {
        "LightRAG": "LightRAG's graph",
        "GraphRAG": "GraphRAG's tables",
        "custom": "A graph of entities and relationships",
    }[imported.origin]
    had = []
    if imported.updated:
        had.append(f"{len(imported.updated):,} in the library already, updated")
    if imported.unchanged:
        had.append(f"{imported.unchanged:,} unchanged")
    lines = [
        f"{kind} in “{imported.name}”: {count_words(len(imported.documents), 'new document')}"
        + "".join(f", {one}" for one in had),
        f"  {count_words(imported.n_chunks, 'passage')}, "
        f"{count_words(imported.n_entities, 'name')}, "
        f"{count_words(imported.n_relations, 'connection')}"
        + (f", {count_words(imported.n_claims, 'claim')}" if imported.n_claims else ""),
    ]
    if imported.unseen_names:
        shown = ", ".join(imported.unseen_names[:MAX_SHOWN])
        more = len(imported.unseen_names) - MAX_SHOWN
        lines.append(
            f"  {count_words(len(imported.unseen_names), 'name')} not in the text, kept at the "
            f"sentence closest to the description: {shown}"
            + (f" and {more:,} more" if more > 0 else "")
        )
    if imported.n_unseen_relations:
        lines.append(
            f"  {count_words(imported.n_unseen_relations, 'connection')} without a passage that "
            "has both names, kept at the closest sentence"
        )
    if imported.n_attached:
        lines.append(
            f"  {count_words(imported.n_attached, 'passage')} not word for word in the text, put "
            "where it is most alike"
        )
    lines += [f"  {reason}: {n:,}" for reason, n in sorted(imported.left_out.items())]
    return lines
