"""The command `figures`: pictures of documents: listing, finding and describing them."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from ..engine.errors import UserError
from .command_context import (
    ProgressPrinter,
    choose_documents,
    count_words,
    open_library,
    open_registry,
    show,
    stop_on_interrupt,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..engine.services.library import Library
    from ..engine.store.figures import StoredFigure

ACTIONS = {
    "list": "print the pictures of documents with captions and descriptions (the default)",
    "search": "find pictures by --text, in captions, in the pictures, and in descriptions",
    "describe": "let a local model describe the pictures of documents; Ctrl+C stops, and what was "
    "described stays; with --all also those that were described",
    "leave": "do not describe the pictures that still wait",
    "correct": "give a picture (--number) the description --text, or delete it with an empty one, "
    "which can be undone",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = "; ".join(f"{name}: {words}" for name, words in ACTIONS.items())
    parser.add_argument("action", nargs="?", choices=tuple(ACTIONS), default="list", help=what)
    parser.add_argument("document", nargs="*", help="titles or file names")
    parser.add_argument("--number", type=int, default=0, help="number of a picture, from 1")
    parser.add_argument("--text", default=None, help="words to find, or a description")
    parser.add_argument("--all", action="store_true", help="also pictures that were described")


def run(options: argparse.Namespace) -> int:
    """List, find, describe or correct pictures."""
    from ..engine.services.figures import FigureReader

    with open_library(options) as library:
        reader = FigureReader(library.writer)
        if options.action == "search":
            if not options.text:
                raise UserError("Which words?", "For example: inkgraph figures search --text map")
            return _show(reader.search(options.text), options, with_title=True)
        ids = choose_documents(library, options.document)
        if options.action == "correct":
            _correct(library, ids, options)
        elif options.action == "leave":
            _service(library).leave(ids)
        elif options.action == "describe":
            _describe(library, _list_ids(library, ids), options)
        figures = [f for i in _list_ids(library, ids) for f in reader.list_figures(i)]
        return _show(figures, options, with_title=len(ids or ()) != 1)


def _list_ids(library: Library, ids: Sequence[int] | None) -> list[int]:
    from ..engine.services.library_reader import LibraryReader

    if ids is not None:
        return [int(i) for i in ids]
    return [int(row.id) for row in LibraryReader(library.writer).list_documents()]


def _service(library: Library, find_model: Any = lambda: None) -> Any:
    from ..engine.services.figure_descriptions import FigureDescriptionService

    return FigureDescriptionService(library.writer, find_model)


def _describe(library: Library, ids: Sequence[int], options: argparse.Namespace) -> None:
    """Describe the pictures of documents, then those of others that wait."""
    from ..engine.errors import Cancelled

    with open_registry() as registry:
        service = _service(library, registry.find_vision)
        for document_id in ids:
            service.queue_document(document_id, again=options.all)
        progress = DescriptionProgressPrinter()
        with stop_on_interrupt() as token, suppress(Cancelled):
            service.run(cancel=token, on_progress=progress)
        progress.end()


class DescriptionProgressPrinter(ProgressPrinter):
    """Names the work on pictures."""

    stages: ClassVar[Mapping[str, str]] = {
        **ProgressPrinter.stages,
        "descriptions": "describing pictures",
    }


def _correct(library: Library, ids: Sequence[int] | None, options: argparse.Namespace) -> None:
    if not ids or len(ids) != 1 or options.number < 1 or options.text is None:
        raise UserError(
            "Which picture, and what is in it?",
            "For example: inkgraph figures correct Atlas --number 2 --text “A map of the bay”",
        )
    _service(library).correct(int(ids[0]), options.number - 1, options.text)


def _show(figures: Sequence[StoredFigure], options: argparse.Namespace, *, with_title: bool) -> int:
    lines = []
    for one in figures:
        place = f"p. {one.page_text}" if one.page_text else ""
        caption = " ".join((one.caption or one.figure.alt or "without a caption").split())
        parts = (one.title if with_title else "", f"{one.number + 1}.", place, caption)
        lines.append("  ".join(part for part in parts if part))
        if one.description:
            writer = f"Description by a model ({one.described_by})"
            label = writer if one.described_by else "Your description"
            lines.append(f"    {label}: {one.description}")
        elif one.describing == "waiting":
            lines.append("    waits for its description")
        elif one.failure:
            lines.append(f"    no description: {one.failure}")
    if options.action == "describe":
        n = sum(bool(one.description) for one in figures)
        lines.append(f"{n:,} of {count_words(len(figures), 'picture')} described")
    show(figures, lines or ["No picture was found."], options.json)
    return 0
