"""The command `graph`: prints entities and relations, or draws them."""

from __future__ import annotations

import argparse
import dataclasses
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine.errors import UserError
from ..engine.model import DIRECTIONS, EntityCard, RelationRow
from .command_context import (
    count_words,
    get_best_entity,
    naming_new_folder,
    open_library,
    path_argument,
    show,
    warn_of_plain_files,
    write_name,
)

if TYPE_CHECKING:
    from ..engine.graph.view.view import View
    from ..engine.services.library import Library
    from ..engine.services.library_reader import LibraryReader

LAYOUTS = ("force", "groups", "radial", "timeline", "circle", "grid")
DEPTH_LIMIT = {1: 40, 2: 120, 3: 300}
WIDEST = 20_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--entities", action="store_true")
    parser.add_argument("--relations", action="store_true")
    parser.add_argument("--limit", type=int, default=50)
    parser.add_argument("--entity", default="", help="only the surroundings of this name or alias")
    parser.add_argument(
        "--image", type=path_argument, metavar="FILE", help="write a PNG, SVG or PDF picture"
    )
    parser.add_argument(
        "--depth", type=int, default=1, help="number of steps around --entity (with --image)"
    )
    parser.add_argument(
        "--layout", choices=LAYOUTS, default="force", help="layout of the picture (with --image)"
    )
    parser.add_argument("--color", choices=("type", "group", "document"), default="type")
    parser.add_argument(
        "--size", choices=("connections", "mentions", "rank"), default="connections"
    )
    parser.add_argument(
        "--kind", action="append", default=[], help="only connections of this kind; may be repeated"
    )
    parser.add_argument("--width", type=int, default=1600, help="width of the picture in points")
    parser.add_argument("--height", type=int, default=1000)
    parser.add_argument("--scale", type=float, default=2.0, help="pixels per point")
    parser.add_argument("--dark", action="store_true", help="use the dark theme")


def run(options: argparse.Namespace) -> int:
    """Print entities and relations, or draw them with --image."""
    if not options.image:
        return _print_graph(options)
    path = options.image
    if path.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise UserError(
            "“{name}” is not the name of a PNG, SVG or PDF picture.",
            "End the name in .png, .svg or .pdf.",
            name=path.name,
        )
    if not (16 <= options.width <= WIDEST and 16 <= options.height <= WIDEST):
        raise UserError("A picture is 16 to {most:,} points wide and high.", "", most=WIDEST)
    with open_library(options) as library, naming_new_folder(path):
        warn_of_plain_files(library)
        return _paint(library, options, path)


def _print_graph(options: argparse.Namespace) -> int:
    from ..engine.services.library_reader import LibraryReader

    with open_library(options) as library:
        reader = LibraryReader(library.writer)
        if options.entity:
            return _print_entity(reader, options)
        both = not options.entities and not options.relations
        result: dict[str, Any] = {}
        lines: list[str] = []
        if options.entities or both:
            cards = [reader.get_entity(e.id) for e in reader.top_entities(options.limit)]
            result["entities"] = [_entity_object(reader, c) for c in cards]
            lines += [
                f"{write_name(c.row)} ({c.row.type}): {count_words(c.row.n_mentions, 'mention')}, "
                f"{count_words(c.row.n_relations, 'connection')}"
                + (f"; also {', '.join(c.aliases)}" if c.aliases else "")
                for c in cards
            ]
        if options.relations or both:
            relations = reader.top_relations(options.limit)
            result["relations"] = [_relation_object(r) for r in relations]
            lines += [
                f"{r.source} {_ARROWS[r.direction]} {r.target} ({r.weight:.1f}):"
                f" {' '.join(r.sentence.split())}"
                for r in relations
            ]
        show(result, lines, options.json)
        return 0


def _entity_object(reader: LibraryReader, card: EntityCard) -> dict[str, Any]:
    evidence = card.description_evidence or reader.list_introductions(card.row.id)
    return {
        "id": card.row.id,
        "name": card.row.name,
        "story": card.row.story,
        "type": card.row.type,
        "aliases": card.aliases,
        "description": card.description,
        "mentions": card.row.n_mentions,
        "connections": card.row.n_relations,
        "documents": card.row.n_documents,
        "evidence": [dataclasses.asdict(m) for m in evidence],
    }


_ARROWS = ("–", "→", "←", "↔")  # by direction


def _relation_object(relation: RelationRow) -> dict[str, Any]:
    return {
        "id": relation.id,
        "source": relation.source,
        "target": relation.target,
        "direction": DIRECTIONS[relation.direction],
        "weight": relation.weight,
        "keywords": relation.keywords,
        "description": relation.description or relation.sentence,
        "n_evidence": relation.n_evidence,
        "evidence": [
            {
                "document_id": relation.document_id,
                "start": relation.sentence_start,
                "end": relation.sentence_end,
                "sentence": relation.sentence,
            }
        ],
    }


def _print_entity(reader: LibraryReader, options: argparse.Namespace) -> int:
    card = reader.get_entity(get_best_entity(reader, options.entity))
    relations = reader.fetch_relations(card.row.id, options.limit)
    mentions = reader.fetch_mentions(card.row.id, options.limit)
    lines = [f"{write_name(card.row)} ({card.row.type})", card.description]
    lines += [f"  also: {', '.join(card.aliases)}"] if card.aliases else []
    lines += [
        f"  {r.target if r.source_id == card.row.id else r.source}: {' '.join(r.sentence.split())}"
        for r in relations
    ]
    show(
        _entity_object(reader, card)
        | {
            "relations": [_relation_object(r) for r in relations],
            "mentions_shown": [dataclasses.asdict(m) for m in mentions],
        },
        lines,
        options.json,
    )
    return 0


def _paint(library: Library, options: argparse.Namespace, path: Path) -> int:
    from ..engine.services.library_reader import LibraryReader
    from ..ui.explorer.export import paint_view  # the window's own painting, without a window

    reader = LibraryReader(library.writer)
    n_names = paint_view(
        reader,
        _view_of(reader, options),
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


def _view_of(reader: LibraryReader, options: argparse.Namespace) -> View:
    from ..engine.graph.view.view import View

    view = View("top", limit=max(1, options.limit), layout=options.layout)
    if options.kind:
        return replace(view, kind="kinds", kinds=tuple(options.kind))
    if not options.entity:
        return view
    entity_id = get_best_entity(reader, options.entity)
    depth = max(1, min(options.depth, 6))
    limit = max(options.limit, DEPTH_LIMIT.get(depth, 800))
    return replace(view, kind="near", ids=(entity_id,), depth=depth, limit=limit, centre=entity_id)
