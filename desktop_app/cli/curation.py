"""Commands that correct the graph: duplicates, entity, undo and redo."""

from __future__ import annotations

import argparse
from typing import Any

from ..engine.errors import UserError
from ..engine.graph.duplicates.search import METHODS
from ..engine.graph.names import normalise_name
from ..engine.services.duplicates import (
    DuplicateCluster,
    Duplicates,
    arrange,
    list_automatic_merges,
)
from ..engine.services.editing.history import (
    apply_curation,
    export_curation,
    list_history,
    list_history_of,
)
from ..engine.services.editing.service import EditingService
from ..engine.services.library import Library
from ..engine.services.library_reader import LibraryReader
from ..engine.services.provenance import list_ambiguous_names
from .output import open_library, open_shelf, show
from .search_and_ask import stop_on_interrupt

MOST_COMMON = 12

Told = tuple[Any, list[str]]
"""What is printed as JSON, and as lines."""


def tell_joined(library: Library, limit: int | None) -> Told:
    """Return what was made one on its own, with the reason and the way back."""
    found = list_automatic_merges(library.writer)[:limit]
    objects = [
        {
            "name": one.entity.name,
            "type": one.entity.type,
            "joined": [
                {"name": n.name, "mentions": n.n_mentions, "rule": n.rule, "reason": n.reason}
                for n in one.names
            ],
        }
        for one in found
    ]
    lines = [
        f"{one.entity.name} = {n.name} ({n.n_mentions:,}): {n.reason}"
        for one in found
        for n in one.names
    ]
    if lines:
        lines.append("Take one apart: inkgraph entity alias NAME OTHER --remove")
    return objects, lines or ["Nothing was made one on its own."]


def tell_doubtful(library: Library, limit: int | None) -> Told:
    """Return the mentions of split names of which nothing tells whom they mean."""
    names = list_ambiguous_names(library.writer)[:limit]
    objects = [
        {
            "name": one.name,
            "choices": [choice.name for choice in one.choices],
            "mentions": [m.mention for m in one.mentions],
        }
        for one in names
    ]
    lines = [
        f"{one.name} ({' or '.join(c.name for c in one.choices)}): "
        f"{m.mention.document_title}: {' '.join(m.mention.sentence.split())}"
        for one in names
        for m in one.mentions
    ]
    return objects, lines or ["Nobody is in doubt."]


def tell_comparison(library: Library, left_id: int, right_id: int) -> Told:
    """Return two entities side by side."""
    found = LibraryReader(library.writer).compare(left_id, right_id)
    common = [n.name for n in found.left.neighbours if n.is_common]
    lines = [
        f"{s.entity.name} ({s.entity.type}): {s.entity.n_mentions:,} mentions, "
        f"{s.entity.n_relations:,} connections"
        for s in (found.left, found.right)
    ]
    lines.append(f"{found.n_common:,} in common ({found.alike:.0%}): " + ", ".join(
        common[:MOST_COMMON]) + (" …" if len(common) > MOST_COMMON else ""))  # fmt: skip
    lines.append(f"{found.n_meetings:,} sentences name both")
    return found, lines


def run_duplicates(options: argparse.Namespace) -> int:
    """Print the clusters of names that may be one, or what was made one on its own."""
    strange = set(options.method) - set(METHODS)
    if strange:
        raise UserError(f"“{min(strange)}” is no method.", f"Choose of: {', '.join(METHODS)}.")
    with open_library(options) as library:
        if options.safe or options.doubtful:
            tell = tell_joined if options.safe else tell_doubtful
            show(*tell(library, options.limit or None), options.json)
            return 0
        desk = Duplicates(library.writer)
        found = desk.find(methods=options.method or METHODS, certainty=options.certainty)
        chosen = arrange(found, sort=options.sort, type=options.type)
        chosen = chosen[: options.limit or None]
        if options.ask:
            chosen = _ask(desk, chosen)
        objects = [_cluster_object(one) for one in chosen]
        lines = [_describe(one) for one in chosen] or ["No two names look like one."]
        show(objects, lines, options.json)
    return 0


def _ask(desk: Duplicates, clusters: list[DuplicateCluster]) -> list[DuplicateCluster]:
    with open_shelf() as shelf, stop_on_interrupt() as cancel:
        model = shelf.find_chat()
        if model is None:
            raise UserError("No chat model is installed.", "inkgraph models install starter")
        return [desk.ask(one, model, cancel) for one in clusters]


def _cluster_object(one: DuplicateCluster) -> dict[str, Any]:
    return {
        "certainty": one.certainty,
        "asked": one.asked,
        "type": one.type,
        "members": [
            {
                "id": member.entity.id,
                "name": member.entity.name,
                "type": member.entity.type,
                "mentions": member.entity.n_mentions,
                "connections": member.entity.n_relations,
                "aliases": member.names,
            }
            for member in one.members
        ],
        "reasons": [
            {"method": r.method, "strength": round(r.strength, 3), "text": r.text}
            for r in one.reasons
        ],
        "shared_neighbours": one.shared,
    }


def _describe(one: DuplicateCluster) -> str:
    names = " = ".join(f"{m.entity.name} ({m.entity.n_mentions:,})" for m in one.members)
    asked = "" if one.asked is None else f", the model says {one.asked:.2f}"
    return f"{one.certainty:.2f}{asked}  {names}: {one.reasons[0].text}"


def run_entity(options: argparse.Namespace) -> int:
    """Show or change entities, found by any of their names."""
    with open_library(options) as library:
        entity_id = get_entity_id(library, options.name)
        editing = EditingService(library.writer)
        name = options.name
        if options.action == "rename":
            editing.rename(entity_id, options.new_name)
            name = options.new_name
        elif options.action == "retype":
            editing.retype(entity_id, options.type)
        elif options.action == "alias":
            (editing.remove_alias if options.remove else editing.add_alias)(
                entity_id, options.alias
            )
        elif options.action == "merge":
            others = [get_entity_id(library, other) for other in options.others]
            editing.merge(entity_id, others, name=options.called)
            name = options.called or name
        elif options.action == "never":
            others = [get_entity_id(library, other) for other in options.others]
            editing.never_merge([entity_id, *others])
        elif options.action == "split":
            editing.split(entity_id, _choose_mentions(library, entity_id, options), options.called)
            name = options.called
        elif options.action == "compare":
            other_id = get_entity_id(library, options.other)
            show(*tell_comparison(library, entity_id, other_id), options.json)
            return 0
        elif options.action == "delete":
            editing.delete(entity_id, forever=not options.only_here)
            show({"deleted": name}, [f"“{name}” is deleted."], options.json)
            return 0
        _show_entity(library, get_entity_id(library, name), options.json)
    return 0


def _choose_mentions(library: Library, entity_id: int, options: argparse.Namespace) -> list[int]:
    """Return the mentions in the documents, under the headings or in sentences that were named."""
    headings = [text.casefold() for text in options.heading]
    sentences = [text.casefold() for text in options.sentence]
    chosen = [
        mention_id
        for mention_id, m in LibraryReader(library.writer).list_mentions(entity_id)
        if m.document_title in options.document
        or any(text in m.heading.casefold() for text in headings)
        or any(text in m.sentence.casefold() for text in sentences)
    ]
    if not chosen:
        raise UserError(
            f"No mention of “{options.name}” is there.",
            "Say which are somebody else: --document TITLE, --heading TEXT or --sentence TEXT.",
        )
    return chosen


def run_history(options: argparse.Namespace) -> int:
    """List the corrections that can be taken back, or go to one of them."""
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


def run_corrections(options: argparse.Namespace) -> int:
    """Write the corrections to a file, or take over those of another library."""
    with open_library(options) as library:
        if options.action == "export":
            n = export_curation(library.writer, options.file)
            show({"corrections": n}, [f"{n:,} corrections in “{options.file}”"], options.json)
        else:
            apply_curation(library.writer, options.file)
            told = f"“{options.file.name}” is applied; “inkgraph undo” takes it back"
            show({"applied": str(options.file)}, [told], options.json)
    return 0


def get_entity_id(library: Library, name: str) -> int:
    """Return the entity that has this name, as its own or as an alias.

    Raises:
        UserError: nobody has it; the names that come near are told.
    """
    exploring, key = LibraryReader(library.writer), normalise_name(name)
    near = exploring.find_entities(name, 5)
    for row in near:
        card = exploring.get_entity(row.id)
        if any(normalise_name(other) == key for other in (row.name, *card.aliases)):
            return row.id
    hint = f"Did you mean {', '.join(row.name for row in near)}?" if near else ""
    raise UserError(f"There is no “{name}” in the graph.", hint or "See: inkgraph graph --entities")


def _show_entity(library: Library, entity_id: int, as_json: bool) -> None:
    exploring = LibraryReader(library.writer)
    card = exploring.get_entity(entity_id)
    relations = exploring.fetch_relations(entity_id, 20)
    others = [(r.target if r.source_id == entity_id else r.source, r.weight) for r in relations]
    lines = [
        f"{card.row.name} ({card.row.type}): {card.row.n_mentions:,} mentions, "
        f"{card.row.n_relations:,} connections, {card.row.n_documents:,} documents",
        *([f"also {', '.join(card.aliases)}"] if card.aliases else []),
        *([card.description] if card.description else []),
        "with " + ", ".join(f"{name} ({weight:.1f})" for name, weight in others),
    ]
    show({"entity": card, "relations": relations}, lines, as_json)


def run_undo(options: argparse.Namespace) -> int:
    """Take the last correction back, or make it again."""
    with open_library(options) as library:
        editing = EditingService(library.writer)
        undo = options.command == "undo"
        label, _ = editing.undo() if undo else editing.redo()
        if label is None:
            raise UserError(f"There is nothing to {options.command}.")
        show({options.command: label}, [f"{'Undone' if undo else 'Redone'}: {label}"], options.json)
    return 0
