"""The command `duplicates`: lists names that may be one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..engine.errors import UserError
from .command_context import open_library, open_models, open_registry, show, stop_on_interrupt

if TYPE_CHECKING:
    from ..engine.services.duplicates import DuplicateCluster
    from ..engine.services.library import Library

DUPLICATE_SORTS = ("newest", "certainty", "size", "mentions", "asked")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--certainty", type=float, default=0.5, help="lowest certainty that is listed, 0 to 1"
    )
    parser.add_argument("--sort", choices=DUPLICATE_SORTS, default="certainty")
    parser.add_argument("--type", default="", help="only this type: person, place, …")
    parser.add_argument(
        "--method",
        action="append",
        default=[],
        help="only suggestions by this method; may be repeated",
    )
    parser.add_argument("--limit", type=int, default=0, help="highest number of clusters; 0: all")
    parser.add_argument(
        "--ask", action="store_true", help="ask the chat model for its opinion on each"
    )
    parser.add_argument(
        "--safe",
        action="store_true",
        help="list the names that were merged automatically, with the reason",
    )
    parser.add_argument(
        "--doubtful",
        action="store_true",
        help="list mentions of split names that could not be assigned",
    )


def run(options: argparse.Namespace) -> int:
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
            with open_registry() as registry, stop_on_interrupt() as cancel:
                model = open_models(library, registry).find_chat()
                if model is None:
                    raise UserError(
                        "No chat model is installed.", "inkgraph models install starter"
                    )
                chosen = [duplicates.ask(one, model, cancel) for one in chosen]
        lines = []
        for one in chosen:
            names = " = ".join(f"{m.entity.name} ({m.entity.n_mentions:,})" for m in one.members)
            asked = "" if one.asked is None else f", the model says {one.asked:.2f}"
            lines.append(f"{one.certainty:.2f}{asked}  {names}: {one.reasons[0].text}")
        objects = [_cluster_object(one) for one in chosen]
        show(objects, lines or ["No two names look like one."], options.json)
    return 0


def describe_automatic_merges(library: Library, limit: int | None) -> tuple[Any, list[str]]:
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


def describe_ambiguous_names(library: Library, limit: int | None) -> tuple[Any, list[str]]:
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
    return objects, lines or ["No mentions are ambiguous."]


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
