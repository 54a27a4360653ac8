"""Commands on the library: add, status, graph, export, check."""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
from typing import Any

from ..engine.errors import UserError
from ..engine.model import EntityCard, RelationRow
from ..engine.progress import CancelToken
from ..engine.services.adding import add_files
from ..engine.services.exporting.graph_files import export_graph
from ..engine.services.indexing import IndexingService
from ..engine.services.library_reader import LibraryReader
from ..engine.text.chunking import ChunkingSettings
from .output import ProgressPrinter, open_library, open_shelf, show


def run_add(options: argparse.Namespace) -> int:
    with open_library(options, create=True) as library, open_shelf() as shelf:
        indexing = IndexingService(library.writer, shelf.find_embedder, _chunking(options))
        added = add_files(library.writer, options.files, password=options.password)
        for path, reason in added.refused.items():
            print(f"inkgraph: {path}: {reason}", file=sys.stderr)
        for file_name, title in added.duplicates:
            print(f"inkgraph: {file_name} is already in the library as “{title}”", file=sys.stderr)
        if options.embed and shelf.embedding_name() == "":
            print(
                "inkgraph: no embedding model, so meaning is not searched; "
                "get it with: inkgraph models install multilingual-e5-small",
                file=sys.stderr,
            )
        progress, token = ProgressPrinter(), CancelToken()
        started = time.monotonic()
        indexing.run(cancel=token, on_progress=progress, embed=options.embed)
        progress.end()
        rows = [
            d for d in LibraryReader(library.writer).list_documents() if d.id in added.documents
        ]
        failed = [d for d in rows if d.state == "failed"]
        for document in failed:
            print(f"inkgraph: {document.file_name}: {document.reason}", file=sys.stderr)
        overview = LibraryReader(library.writer).overview()
        show(
            {
                "documents": rows,
                "refused": added.refused,
                "duplicates": added.duplicates,
                "seconds": round(time.monotonic() - started, 2),
                "overview": overview,
            },
            [
                f"{len(rows) - len(failed)} added in {time.monotonic() - started:.1f} s: "
                f"{overview.n_entities:,} names, {overview.n_relations:,} relations in "
                f"{overview.path}"
            ],
            options.json,
        )
        nothing_read = not [d for d in rows if d.state != "failed"] and not added.duplicates
        return 1 if added.refused or failed or nothing_read else 0


def _chunking(options: argparse.Namespace) -> ChunkingSettings:
    """Return how to cut chunks; what can't be is the user's error."""
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


def run_status(options: argparse.Namespace) -> int:
    with open_library(options) as library:
        exploring = LibraryReader(library.writer)
        overview, rows = exploring.overview(), exploring.list_documents()
        lines = [
            f"{overview.name}: {overview.n_documents:,} documents, {overview.n_entities:,} names, "
            f"{overview.n_relations:,} relations, {overview.n_embedded:,} of "
            f"{overview.n_windows:,} passages embedded"
        ]
        for d in rows:
            state = f"failed: {d.reason}" if d.state == "failed" else d.state
            lines.append(f"  {d.title}  [{d.language}, {d.n_chars:,} characters]  {state}")
        show({"overview": overview, "documents": rows}, lines, options.json)
        return 0


def run_graph(options: argparse.Namespace) -> int:
    with open_library(options) as library:
        exploring = LibraryReader(library.writer)
        if options.entity:
            return _print_entity(exploring, options)
        both = not options.entities and not options.relations
        result: dict[str, Any] = {}
        lines: list[str] = []
        if options.entities or both:
            cards = [exploring.get_entity(e.id) for e in exploring.top_entities(options.limit)]
            result["entities"] = [_entity_object(c) for c in cards]
            lines += [
                f"{c.row.name} ({c.row.type}): {c.row.n_mentions:,} mentions, "
                f"{c.row.n_relations:,} connections"
                + (f"; also {', '.join(c.aliases)}" if c.aliases else "")
                for c in cards
            ]
        if options.relations or both:
            relations = exploring.top_relations(options.limit)
            result["relations"] = [_relation_object(r) for r in relations]
            lines += [
                f"{r.source} – {r.target} ({r.weight:.1f}): {' '.join(r.sentence.split())}"
                for r in relations
            ]
        show(result, lines, options.json)
        return 0


def _entity_object(card: EntityCard) -> dict[str, Any]:
    return {
        "id": card.row.id,
        "name": card.row.name,
        "type": card.row.type,
        "aliases": card.aliases,
        "description": card.description,
        "mentions": card.row.n_mentions,
        "connections": card.row.n_relations,
        "documents": card.row.n_documents,
        "evidence": [dataclasses.asdict(m) for m in card.description_evidence],
    }


def _relation_object(relation: RelationRow) -> dict[str, Any]:
    return {
        "id": relation.id,
        "source": relation.source,
        "target": relation.target,
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


def _print_entity(exploring: LibraryReader, options: argparse.Namespace) -> int:
    found = exploring.find_entities(options.entity, 1)
    if not found:
        raise UserError(f"There is no “{options.entity}” in the graph.", "Try part of the name.")
    card = exploring.get_entity(found[0].id)
    relations = exploring.fetch_relations(card.row.id, options.limit)
    mentions = exploring.fetch_mentions(card.row.id, options.limit)
    lines = [f"{card.row.name} ({card.row.type})", card.description]
    lines += [f"  also: {', '.join(card.aliases)}"] if card.aliases else []
    lines += [
        f"  {r.target if r.source_id == card.row.id else r.source}: {' '.join(r.sentence.split())}"
        for r in relations
    ]
    show(
        _entity_object(card)
        | {
            "relations": [_relation_object(r) for r in relations],
            "mentions_shown": [dataclasses.asdict(m) for m in mentions],
        },
        lines,
        options.json,
    )
    return 0


def run_export(options: argparse.Namespace) -> int:
    with open_library(options) as library:
        n_entities, n_relations = export_graph(library.writer, options.out, options.format)
        show(
            {"out": options.out, "entities": n_entities, "relations": n_relations},
            [f"{n_entities:,} names and {n_relations:,} relations written to {options.out}"],
            options.json,
        )
        return 0


def run_check(options: argparse.Namespace) -> int:
    with open_library(options) as library:
        problems = library.writer.integrity_problems()
        show(
            {"ok": not problems, "problems": problems},
            problems or ["The library file is in order."],
            options.json,
        )
        return 2 if problems else 0
