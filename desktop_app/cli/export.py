"""The command `export`: writes the graph, the whole library, references or notes to files."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..engine.errors import UserError
from ..engine.highlight_colors import HIGHLIGHT_COLORS
from .command_context import (
    choose_documents,
    count_words,
    get_best_entity,
    naming_new_folder,
    open_library,
    path_argument,
    show,
    warn_of_plain_files,
)
from .graph import LAYOUTS

if TYPE_CHECKING:
    from ..engine.services.library_reader import LibraryReader

FOLDER_FORMATS = ("parquet", "vault")
DATABASE_FORMATS = ("neo4j", "cypher", "postgresql", "duckdb", "turtle", "networkx")
REFERENCE_FORMATS = ("bibtex", "ris", "csl", "apa", "chicago", "mla", "gbt7714")
NOTE_FORMATS = ("notes-markdown", "notes-docx", "notes-csl")
GRAPH_FORMATS = ("csv", "gexf", "graphml", "json")
FORMATS = (
    *(*GRAPH_FORMATS, *FOLDER_FORMATS, *DATABASE_FORMATS),
    *(*REFERENCE_FORMATS, *NOTE_FORMATS),
)
# The options that choose what is exported, and the formats that have them.
CHOICES = {
    "document": (*REFERENCE_FORMATS, *NOTE_FORMATS),
    "collection": (*REFERENCE_FORMATS, *NOTE_FORMATS),
    "tag": (*REFERENCE_FORMATS, *NOTE_FORMATS),
    "text": NOTE_FORMATS,
    "color": NOTE_FORMATS,
    "entity": GRAPH_FORMATS,
}
EVERY = 1_000_000
WITH_PLACES = ("gexf", "graphml", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="json",
        help="csv to json: of the graph; parquet to networkx: of the whole library; "
        "bibtex to gbt7714: references of documents; notes-…: highlights",
    )
    parser.add_argument("--out", type=path_argument, required=True)
    chosen = parser.add_argument_group("references and notes")
    chosen.add_argument(
        "--document", action="append", default=[], help="title or file name; may be repeated"
    )
    chosen.add_argument("--collection", action="append", default=[], help="may be repeated")
    chosen.add_argument("--tag", default="", help="only documents with this tag")
    chosen.add_argument("--text", default="", help="only notes with these words")
    chosen.add_argument(
        "--color",
        choices=(*(color.key for color in HIGHLIGHT_COLORS), "bookmark"),
        default="",
        help="only highlights of this colour, or bookmarks",
    )
    parser.add_argument("--entity", default="", help="only the surroundings of this name")
    parser.add_argument("--depth", type=int, default=1, help="number of steps around --entity")
    parser.add_argument(
        "--layout", choices=LAYOUTS, default="force", help="layout of the positions in the file"
    )


def run(options: argparse.Namespace) -> int:
    """Write the graph, the neighbourhood of one entity, references or notes in a format."""
    with naming_new_folder(options.out):
        return _export(options)


def _export(options: argparse.Namespace) -> int:
    from ..engine.services.exporting.graph_files import export_graph
    from ..engine.services.library_reader import LibraryReader

    _check_choices(options)
    if options.format in FOLDER_FORMATS:
        return _export_folder(options)
    if options.format in DATABASE_FORMATS:
        return _export_library(options)
    if options.format in (*REFERENCE_FORMATS, *NOTE_FORMATS):
        return _export_documents(options)
    with open_library(options) as library:
        warn_of_plain_files(library)
        ids = start = None
        reader = LibraryReader(library.writer)
        if options.entity:
            start = get_best_entity(reader, options.entity)
            part = reader.graph.reach([start], max(1, min(options.depth, 6)), EVERY)
            ids = [int(e.id) for e in part.entities]
        wanted = options.format in WITH_PLACES
        places = _compute_positions(reader, ids, start, options.layout) if wanted else None
        n_entities, n_relations = export_graph(
            library.writer, options.out, options.format, entity_ids=ids, places=places
        )
        files = _list_files(options)
        show(
            {"out": options.out, "entities": n_entities, "relations": n_relations},
            [
                f"{count_words(n_entities, 'name')} and {count_words(n_relations, 'relation')} "
                f"written to {files}"
            ],
            options.json,
        )
        return 0


def _check_choices(options: argparse.Namespace) -> None:
    """Refuse what would choose a part of the library, but not in this format."""
    for name, formats in CHOICES.items():
        if getattr(options, name) and options.format not in formats:
            raise UserError(
                "The format {format} has no --{option}: nothing was written.",
                "These have it: {formats}.",
                format=options.format,
                option=name,
                formats=", ".join(formats),
            )


def _list_files(options: argparse.Namespace) -> str:
    """Return the files of an export: CSV has one for names and one for relations."""
    if options.format != "csv":
        return str(options.out)
    names, relations = (
        options.out.with_suffix(f".{part}.csv") for part in ("entities", "relations")
    )
    return f"{names} and {relations}"


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


def _export_library(options: argparse.Namespace) -> int:
    """Write the whole library for a database or a graph program."""
    from ..engine.services.exporting.library_formats import build_load_command, export_library

    with open_library(options) as library:
        warn_of_plain_files(library)
        made = export_library(library.writer, options.out, options.format)
        load = build_load_command(options.format, options.out)
        lines = [
            f"{made['entity']:,} names, {made['relation']:,} relations and {made['sentence']:,}"
            f" sentences written to {options.out}",
            f"Load it with: {load}",
        ]
        show({"out": options.out, "load": load, **made}, lines, options.json)
        return 0


def _export_documents(options: argparse.Namespace) -> int:
    """Write references or notes of all documents, or of those that the options name."""
    from ..engine.services import collections
    from ..engine.services.annotation_entries import (
        EntryFilter,
        export_entries,
        fetch_entry_pictures,
        list_annotation_entries,
    )
    from ..engine.services.exporting.references import export_references
    from ..engine.store.document_metadata import fetch_document_references

    with open_library(options) as library:
        warn_of_plain_files(library)
        db = library.writer
        named = choose_documents(library, options.document)
        ids = (
            {r.document_id for r in fetch_document_references(db)} if named is None else set(named)
        )
        if options.collection:
            found = [collections.get_collection(db, name) for name in options.collection]
            ids &= {int(i) for one in found for i in collections.list_documents(db, one.id)}
        if options.tag:
            tag = options.tag.casefold()
            tagged = [r for r in fetch_document_references(db) if tag in map(str.casefold, r.tags)]
            ids &= {r.document_id for r in tagged}
        if options.format in REFERENCE_FORMATS:
            n = export_references(db, options.out, options.format, sorted(ids))
            summary = f"{n:,} reference{'s' if n != 1 else ''}"
            counted = {"references": n}
        else:
            wanted = EntryFilter(text=options.text, color=options.color)
            entries = [one for one in list_annotation_entries(db, ids) if wanted.fits(one)]
            format_ = options.format.removeprefix("notes-")
            pictures = fetch_entry_pictures(db, entries)
            n = export_entries(entries, options.out, format_, pictures=pictures)
            summary = f"{n:,} note{'s' if n != 1 else ''}"
            counted = {"notes": n}
        show({"out": options.out, **counted}, [f"{summary} written to {options.out}"], options.json)
        return 0
