"""The command `export`: writes the graph, or the whole library, to files."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..engine.errors import UserError
from .command_context import (
    find_entity,
    open_library,
    path_argument,
    show,
    warn_of_plain_files,
)
from .graph import LAYOUTS

if TYPE_CHECKING:
    from ..engine.services.library_reader import LibraryReader

FOLDER_FORMATS = ("parquet", "vault")
FORMATS = ("csv", "gexf", "graphml", "json", *FOLDER_FORMATS)
EVERY = 1_000_000
WITH_PLACES = ("gexf", "graphml", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=FORMATS, default="json")
    parser.add_argument("--out", type=path_argument, required=True)
    parser.add_argument("--entity", default="", help="only what is around this name")
    parser.add_argument("--depth", type=int, default=1, help="steps around --entity")
    parser.add_argument(
        "--layout", choices=LAYOUTS, default="force", help="where names stand in the file"
    )


def run(options: argparse.Namespace) -> int:
    """Write the graph, or the neighbourhood of one entity, in one of the formats."""
    from ..engine.services.exporting.graph_files import export_graph
    from ..engine.services.library_reader import LibraryReader

    if options.format in ("parquet", "vault"):
        return _export_folder(options)
    with open_library(options) as library:
        warn_of_plain_files(library)
        ids = start = None
        reader = LibraryReader(library.writer)
        if options.entity:
            start = find_entity(reader, options.entity)
            part = reader.graph.reach([start], max(1, min(options.depth, 6)), EVERY)
            ids = [int(e.id) for e in part.entities]
        wanted = options.format in WITH_PLACES
        places = _compute_positions(reader, ids, start, options.layout) if wanted else None
        n_entities, n_relations = export_graph(
            library.writer, options.out, options.format, entity_ids=ids, places=places
        )
        show(
            {"out": options.out, "entities": n_entities, "relations": n_relations},
            [f"{n_entities:,} names and {n_relations:,} relations written to {options.out}"],
            options.json,
        )
        return 0


def _compute_positions(
    reader: LibraryReader, ids: list[int] | None, centre: int | None, layout: str
) -> dict[int, tuple[float, float]]:
    """Return the positions of entities as the window lays them out, of all for None."""
    from ..engine.graph.view.arrangement import lay_out
    from ..engine.graph.view.view import DiscPositions, View, positions_of
    from ..engine.services.view_reader import read_view

    view = View("top", limit=EVERY, layout=layout)
    if ids is not None:
        view = View("exact", ids=tuple(ids), layout=layout, centre=centre)
    reading = read_view(reader, view)
    return positions_of(lay_out(reading.graph, DiscPositions(), content=reading)).places


def _export_folder(options: argparse.Namespace) -> int:
    """Write the whole library in a format that is a folder of files."""
    from ..engine.services.exporting.parquet import export_tables
    from ..engine.services.exporting.vault import export_vault

    if options.entity:
        raise UserError("This format is of the whole library.", "Leave out --entity.")
    with open_library(options) as library:
        warn_of_plain_files(library)
        if options.format == "parquet":
            made = export_tables(library.writer, options.out)
            summary = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in made.items())
        else:
            n_names, n_themes = export_vault(library.writer, options.out)
            made = {"names": n_names, "themes": n_themes}
            summary = f"{n_names:,} notes on names and {n_themes:,} on themes"
        show({"out": options.out, **made}, [f"{summary} written to {options.out}"], options.json)
        return 0
