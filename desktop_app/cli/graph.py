"""Commands that write the graph to files: `export` in every format, `graph --image`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from ..engine.errors import UserError
from ..engine.graph.view.arrangement import lay_out
from ..engine.graph.view.view import DiscPositions, View, positions_of
from ..engine.services.exporting.graph_files import export_graph
from ..engine.services.library import Library
from ..engine.services.library_reader import LibraryReader
from ..engine.services.view_reader import read_view
from . import library as library_commands
from .output import open_library, show

DEPTH_LIMIT = {1: 40, 2: 120, 3: 300}
WIDEST = 20_000
EVERY = 1_000_000
WITH_PLACES = ("gexf", "graphml", "json")


def run_graph(options: argparse.Namespace) -> int:
    """Write a picture with --image, else print as ever."""
    if not options.image:
        return library_commands.run_graph(options)
    path = Path(options.image)
    if path.suffix.lower() not in (".png", ".svg"):
        raise UserError(f"“{path.name}” is neither PNG nor SVG.", "End the name in .png or .svg.")
    if not (16 <= options.width <= WIDEST and 16 <= options.height <= WIDEST):
        raise UserError(f"A picture is 16 to {WIDEST:,} points wide and high.", "")
    with open_library(options) as library:
        return _paint(library, options, path)


def _paint(library: Library, options: argparse.Namespace, path: Path) -> int:
    from ..ui.explorer.headless import paint_view  # the only import of Qt in the command line

    exploring = LibraryReader(library.writer)
    n_names = paint_view(
        exploring,
        _view_of(exploring, options),
        path,
        width=options.width,
        height=options.height,
        scale=max(0.1, min(options.scale, 20.0)),
        mode="dark" if options.dark else "light",
        color=options.color,
        size=options.size,
    )
    show({"out": path, "entities": n_names}, [f"{n_names:,} names painted to {path}"], options.json)
    return 0


def _view_of(exploring: LibraryReader, options: argparse.Namespace) -> View:
    view = View("top", limit=max(1, options.limit), layout=options.layout)
    if options.kind:
        return replace(view, kind="kinds", kinds=tuple(options.kind))
    if not options.entity:
        return view
    entity_id = _find(exploring, options.entity)
    depth = max(1, min(options.depth, 6))
    limit = max(options.limit, DEPTH_LIMIT.get(depth, 800))
    return replace(view, kind="near", ids=(entity_id,), depth=depth, limit=limit, centre=entity_id)


def _find(exploring: LibraryReader, name: str) -> int:
    found = exploring.find_entities(name, 1)
    if not found:
        raise UserError(f"There is no “{name}” in the graph.", "Try part of the name.")
    return int(found[0].id)


def run_export(options: argparse.Namespace) -> int:
    """Write the graph, or what is around one name, in one of the formats."""
    if options.format in ("parquet", "vault"):
        return _export_folder(options)
    with open_library(options) as library:
        ids = start = None
        exploring = LibraryReader(library.writer)
        if options.entity:
            start = _find(exploring, options.entity)
            part = exploring.graph.reach([start], max(1, min(options.depth, 6)), EVERY)
            ids = [int(e.id) for e in part.entities]
        wanted = options.format in WITH_PLACES
        places = _lay_out(exploring, ids, start, options.layout) if wanted else None
        n_entities, n_relations = export_graph(
            library.writer,
            options.out,
            options.format,
            entity_ids=ids,
            places=places,
        )
        show(
            {"out": options.out, "entities": n_entities, "relations": n_relations},
            [f"{n_entities:,} names and {n_relations:,} relations written to {options.out}"],
            options.json,
        )
        return 0


def _lay_out(
    exploring: LibraryReader, ids: list[int] | None, centre: int | None, layout: str
) -> dict[int, tuple[float, float]]:
    """Return where the window would have these names, all of them for None."""
    view = View("top", limit=EVERY, layout=layout)
    if ids is not None:
        view = View("exact", ids=tuple(ids), layout=layout, centre=centre)
    content = read_view(exploring, view)
    return positions_of(lay_out(content.graph, DiscPositions(), content=content)).places


def _export_folder(options: argparse.Namespace) -> int:
    """Write the formats that are a folder of files, of the whole library."""
    from ..engine.services.exporting.parquet import export_tables
    from ..engine.services.exporting.vault import export_vault

    if options.entity:
        raise UserError("This format is of the whole library.", "Leave out --entity.")
    with open_library(options) as library:
        if options.format == "parquet":
            made = export_tables(library.writer, options.out)
            told = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in made.items())
        else:
            n_names, n_themes = export_vault(library.writer, options.out)
            made = {"names": n_names, "themes": n_themes}
            told = f"{n_names:,} notes on names and {n_themes:,} on themes"
        show({"out": options.out, **made}, [f"{told} written to {options.out}"], options.json)
        return 0
