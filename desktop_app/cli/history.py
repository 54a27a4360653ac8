"""The commands `undo`, `redo`, `history` and `corrections`: the corrections by hand."""

from __future__ import annotations

import argparse

from ..engine.errors import UserError
from .command_context import (
    count_words,
    get_entity_id,
    open_library,
    path_argument,
    show,
    warn_of_plain_files,
)


def undo_or_redo(options: argparse.Namespace) -> int:
    """Undo or redo the last correction."""
    from ..engine.services.editing.service import EditingService

    with open_library(options) as library:
        editing = EditingService(library.writer)
        undo = options.command == "undo"
        label, change = editing.undo() if undo else editing.redo()
        if label is None:
            raise UserError("There is nothing to {command}.", command=options.command)
        lines = [f"{'Undone' if undo else 'Redone'}: {label}"]
        if change.queued:
            lines.append("The document is to be read: inkgraph versions read")
        show({options.command: label}, lines, options.json)
    return 0


def add_history_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--of", default="", metavar="NAME", help="only corrections of this name")
    parser.add_argument("--go-to", type=int, help="undo or redo up to this correction; 0: undo all")


def show_history(options: argparse.Namespace) -> int:
    """List the corrections that can be undone, or undo or redo up to one of them."""
    from ..engine.services.editing.history import list_history, list_history_of
    from ..engine.services.editing.service import EditingService

    with open_library(options) as library:
        if options.go_to is not None:
            EditingService(library.writer).go_to(options.go_to)
        rows = list_history(library.writer)
        if options.of:
            rows = list_history_of(library.writer, get_entity_id(library, options.of))
        here = next((row.id for row in rows if not row.undone), 0)
        lines = [
            f"{row.id:>5}  {'→' if row.id == here else '×' if row.undone else ' '} {row.label}"
            for row in rows
        ]
        show(rows, lines or ["Nothing was changed by hand yet."], options.json)
    return 0


def add_corrections_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("export", "apply"))
    parser.add_argument("file", type=path_argument)


def export_or_apply(options: argparse.Namespace) -> int:
    """Write the corrections to a file, or apply a file of corrections."""
    from ..engine.services.editing.curation_file import apply_curation, export_curation
    from ..engine.services.editing.history import list_history

    with open_library(options) as library:
        if options.action == "export":
            warn_of_plain_files(library)
            n = export_curation(library.writer, options.file)
            # a merge or a split has an entry for each name or mention that it concerns
            entries = f"{count_words(n, 'entry', 'entries')} of corrections"
            show({"corrections": n}, [f"{entries} in “{options.file}”"], options.json)
        else:
            before = list_history(library.writer)
            apply_curation(library.writer, options.file)
            if list_history(library.writer) == before:
                line = f"All corrections of “{options.file.name}” were there; nothing was changed"
            else:
                line = f"“{options.file.name}” is applied; “inkgraph undo” takes it back"
            show({"applied": str(options.file)}, [line], options.json)
    return 0
