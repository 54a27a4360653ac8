"""Commands that correct the graph: duplicates, entity, undo and redo."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine.errors import UserError
from .output import AddCommand, open_library, open_registry, show
from .search_and_ask import stop_on_interrupt

if TYPE_CHECKING:
    from ..engine.services.duplicates import DuplicateCluster, Duplicates
    from ..engine.services.library import Library

COMMANDS = ("duplicates", "entity", "undo", "redo", "history", "corrections")
DUPLICATE_SORTS = ("newest", "certainty", "size", "mentions", "asked")
MOST_COMMON = 12


def add_arguments(add_command: AddCommand) -> None:
    duplicates = add_command("duplicates", "List names that may be one; nothing is changed.")
    duplicates.add_argument("--certainty", type=float, default=0.5, help="0 to 1, the least shown")
    duplicates.add_argument("--sort", choices=DUPLICATE_SORTS, default="certainty")
    duplicates.add_argument("--type", default="", help="person, place, …")
    duplicates.add_argument("--method", action="append", default=[], help="only by this method")
    duplicates.add_argument("--limit", type=int, default=0, help="the most clusters; 0: all")
    duplicates.add_argument(
        "--ask", action="store_true", help="have the chat model say what it thinks of each"
    )
    duplicates.add_argument(
        "--safe", action="store_true", help="list what was made one on its own, with the reason"
    )
    duplicates.add_argument(
        "--doubtful", action="store_true", help="list mentions of split names that nothing tells"
    )
    entity = add_command("entity", "Show and correct names; see also undo.")
    actions = entity.add_subparsers(dest="action", required=True)
    show = actions.add_parser("show", help="what is known of a name")
    show.add_argument("name")
    rename = actions.add_parser("rename", help="give another name; the old one stays an alias")
    rename.add_argument("name")
    rename.add_argument("new_name")
    merge = actions.add_parser("merge", help="make several names one, called as the first")
    merge.add_argument("name")
    merge.add_argument("others", nargs="+", metavar="OTHER")
    merge.add_argument("--name", dest="called", default="", help="what to call them")
    never = actions.add_parser("never", help="keep names apart, whatever would join them")
    never.add_argument("name")
    never.add_argument("others", nargs="+", metavar="OTHER")
    retype = actions.add_parser("retype", help="give another type")
    retype.add_argument("name")
    retype.add_argument("type")
    alias = actions.add_parser("alias", help="know it by another name, or no longer")
    alias.add_argument("name")
    alias.add_argument("alias")
    alias.add_argument("--remove", action="store_true", help="make that name stand for itself")
    split = actions.add_parser("split", help="make some mentions another one of the same name")
    split.add_argument("name")
    split.add_argument("called", metavar="NEW_NAME")
    split.add_argument("--document", action="append", default=[], help="those in this document")
    split.add_argument("--heading", action="append", default=[], help="those under this heading")
    split.add_argument("--sentence", action="append", default=[], help="those whose sentence has")
    compare = actions.add_parser("compare", help="two names side by side, with whom both know")
    compare.add_argument("name")
    compare.add_argument("other")
    delete = actions.add_parser("delete", help="take a name out, also when it is read again")
    delete.add_argument("name")
    delete.add_argument("--only-here", action="store_true", help="new documents bring it back")
    for action in (show, rename, merge, never, retype, alias, split, compare, delete):
        # Also accepted after the action; without them the values before the action stay.
        action.add_argument("--library", type=Path, default=argparse.SUPPRESS)
        action.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    undo = add_command("undo", "Take the last correction back.")
    redo = add_command("redo", "Make the correction that was last taken back again.")
    history = add_command("history", "List the corrections that can be taken back.")
    history.add_argument("--of", default="", metavar="NAME", help="only what touched this name")
    history.add_argument("--go-to", type=int, help="undo or redo up to this one; 0: before all")
    corrections = add_command(
        "corrections", "Write all corrections to a file, or apply such a file."
    )
    corrections.add_argument("action", choices=("export", "apply"))
    corrections.add_argument("file", type=Path)
    for parser, run in (
        (duplicates, run_duplicates),
        (entity, run_entity),
        (undo, run_undo),
        (redo, run_undo),
        (history, run_history),
        (corrections, run_corrections),
    ):
        parser.set_defaults(run=run)


Output = tuple[Any, list[str]]
"""A value to print as JSON, and the lines to print otherwise."""


def describe_automatic_merges(library: Library, limit: int | None) -> Output:
    """Return the automatic merges with their reasons, and how to undo one."""
    from ..engine.services.duplicates import list_automatic_merges

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


def describe_ambiguous_names(library: Library, limit: int | None) -> Output:
    """Return the mentions of split names that cannot be assigned to an entity."""
    from ..engine.services.provenance import list_ambiguous_names

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


def describe_comparison(library: Library, left_id: int, right_id: int) -> Output:
    """Return two entities side by side."""
    from ..engine.services.library_reader import LibraryReader

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
    """Print duplicate clusters, automatic merges or ambiguous names."""
    from ..engine.graph.duplicates.search import METHODS
    from ..engine.services.duplicates import Duplicates, arrange

    strange = set(options.method) - set(METHODS)
    if strange:
        raise UserError(
            "“{strange}” is no method.",
            "Choose of: {methods}.",
            strange=min(strange),
            methods=", ".join(METHODS),
        )
    with open_library(options) as library:
        if options.safe or options.doubtful:
            describe = describe_automatic_merges if options.safe else describe_ambiguous_names
            show(*describe(library, options.limit or None), options.json)
            return 0
        duplicates = Duplicates(library.writer)
        found = duplicates.find(methods=options.method or METHODS, certainty=options.certainty)
        chosen = arrange(found, sort=options.sort, type=options.type)
        chosen = chosen[: options.limit or None]
        if options.ask:
            chosen = _ask(duplicates, chosen)
        objects = [_cluster_object(one) for one in chosen]
        lines = [_describe(one) for one in chosen] or ["No two names look like one."]
        show(objects, lines, options.json)
    return 0


def _ask(duplicates: Duplicates, clusters: list[DuplicateCluster]) -> list[DuplicateCluster]:
    with open_registry() as registry, stop_on_interrupt() as cancel:
        model = registry.find_chat()
        if model is None:
            raise UserError("No chat model is installed.", "inkgraph models install starter")
        return [duplicates.ask(one, model, cancel) for one in clusters]


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
    """Show or correct an entity."""
    from ..engine.services.editing.service import EditingService

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
            show(*describe_comparison(library, entity_id, other_id), options.json)
            return 0
        elif options.action == "delete":
            editing.delete(entity_id, forever=not options.only_here)
            show({"deleted": name}, [f"“{name}” is deleted."], options.json)
            return 0
        _show_entity(library, get_entity_id(library, name), options.json)
    return 0


def _choose_mentions(library: Library, entity_id: int, options: argparse.Namespace) -> list[int]:
    """Return the mentions in the given documents, sections or sentences."""
    from ..engine.services.library_reader import LibraryReader

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
            "No mention of “{name}” is there.",
            "Say which are somebody else: --document TITLE, --heading TEXT or --sentence TEXT.",
            name=options.name,
        )
    return chosen


def run_history(options: argparse.Namespace) -> int:
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


def run_corrections(options: argparse.Namespace) -> int:
    """Write the corrections to a file, or apply a file of corrections."""
    from ..engine.services.editing.history import apply_curation, export_curation

    with open_library(options) as library:
        if options.action == "export":
            n = export_curation(library.writer, options.file)
            show({"corrections": n}, [f"{n:,} corrections in “{options.file}”"], options.json)
        else:
            apply_curation(library.writer, options.file)
            line = f"“{options.file.name}” is applied; “inkgraph undo” takes it back"
            show({"applied": str(options.file)}, [line], options.json)
    return 0


def get_entity_id(library: Library, name: str) -> int:
    """Return the entity with this name or alias.

    Raises:
        UserError: no entity has this name; the message lists similar names.
    """
    from ..engine.graph.names import normalise_name
    from ..engine.services.library_reader import LibraryReader

    reader, key = LibraryReader(library.writer), normalise_name(name)
    near = reader.find_entities(name, 5)
    for row in near:
        card = reader.get_entity(row.id)
        if any(normalise_name(other) == key for other in (row.name, *card.aliases)):
            return row.id
    hint = f"Did you mean {', '.join(row.name for row in near)}?" if near else ""
    raise UserError(
        "There is no “{name}” in the graph.", hint or "See: inkgraph graph --entities", name=name
    )


def _show_entity(library: Library, entity_id: int, as_json: bool) -> None:
    from ..engine.services.library_reader import LibraryReader

    reader = LibraryReader(library.writer)
    card = reader.get_entity(entity_id)
    relations = reader.fetch_relations(entity_id, 20)
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
    """Undo or redo the last correction."""
    from ..engine.services.editing.service import EditingService

    with open_library(options) as library:
        editing = EditingService(library.writer)
        undo = options.command == "undo"
        label, _ = editing.undo() if undo else editing.redo()
        if label is None:
            raise UserError("There is nothing to {command}.", command=options.command)
        show({options.command: label}, [f"{'Undone' if undo else 'Redone'}: {label}"], options.json)
    return 0
