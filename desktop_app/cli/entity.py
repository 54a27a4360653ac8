"""The command `entity`: shows and corrects names."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any

from ..engine.errors import UserError
from ..engine.model import ACTOR, EVENT_KINDS, EVENT_ROLES, PATIENT, PLACE
from ..engine.writing_systems import has_han
from .command_context import (
    count_words,
    get_entity_id,
    open_library,
    path_argument,
    show,
    write_name,
)

if TYPE_CHECKING:
    from ..engine.model import EventRow
    from ..engine.services.library import Library

MOST_COMMON = 12


ACTIONS = {
    "show": "show what is known about a name",
    "rename": "rename it; the old name stays an alias",
    "merge": "merge several names into the first",
    "never": "never merge these names",
    "retype": "change its type",
    "alias": "add or remove an alias",
    "split": "make some of its mentions a separate name",
    "compare": "compare two names and list their common connections",
    "delete": "delete a name; indexing again does not bring it back",
    "events": "list what happens to it and what it does, in the order of the text",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    made = {action: actions.add_parser(action, help=text) for action, text in ACTIONS.items()}
    for action in made.values():
        action.add_argument("name")
        # Also accepted after the action; without them the values before the action stay.
        action.add_argument("--library", type=path_argument, default=argparse.SUPPRESS)
        action.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    made["rename"].add_argument("new_name")
    made["merge"].add_argument("others", nargs="+", metavar="OTHER")
    made["merge"].add_argument(
        "--name", dest="called", default="", help="the name of the merged entry"
    )
    made["never"].add_argument("others", nargs="+", metavar="OTHER")
    made["retype"].add_argument("type")
    made["alias"].add_argument("alias")
    made["alias"].add_argument(
        "--remove", action="store_true", help="remove the alias; it becomes an entry of its own"
    )
    split = made["split"]
    split.add_argument("called", metavar="NEW_NAME")
    split.add_argument("--document", action="append", default=[], help="mentions in this document")
    split.add_argument("--heading", action="append", default=[], help="mentions under this heading")
    split.add_argument(
        "--sentence", action="append", default=[], help="mentions whose sentence has this text"
    )
    made["compare"].add_argument("other")
    which = made["events"].add_mutually_exclusive_group()
    which.add_argument(
        "--remove", type=int, metavar="ID", help="remove the wrong event with this number"
    )
    which.add_argument(
        "--change", type=int, metavar="ID", help="correct the event with this number"
    )
    which.add_argument(
        "--add", metavar="TEXT", help="add an event to the sentence of the name with this text"
    )
    made["events"].add_argument("--kind", help=f"of the event: {', '.join(EVENT_KINDS)}")
    for role, words in (
        (ACTOR, "who does it"), (PATIENT, "to whom it is done"), (PLACE, "where it happens")
    ):  # fmt: skip
        made["events"].add_argument(
            f"--{role}", action="append", metavar="NAME", help=f"{words}; may be repeated"
        )
    made["delete"].add_argument(
        "--only-here", action="store_true", help="a document added later may bring it back"
    )


def run(options: argparse.Namespace) -> int:
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
        elif options.action == "events":
            _show_events(library, entity_id, options)
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

    headings = [match_words(text) for text in options.heading]
    sentences = [text.casefold() for text in options.sentence]
    chosen = [
        mention_id
        for mention_id, m in LibraryReader(library.writer).list_mentions(entity_id)
        if m.document_title in options.document
        or any(heading.search(m.heading) for heading in headings)
        or any(text in m.sentence.casefold() for text in sentences)
    ]
    if not chosen:
        raise UserError(
            "No mention of “{name}” is there.",
            "Choose the mentions: --document TITLE, --heading TEXT or --sentence TEXT.",
            name=options.name,
        )
    return chosen


def match_words(text: str) -> re.Pattern[str]:
    """Return what finds a text as whole words: “Chapter V” is not in “Chapter VI”.

    Chinese has no spaces between words, so that a text which ends in Han ends anywhere.
    """
    before = "" if has_han(text[:1]) else r"(?<!\w)"
    behind = "" if has_han(text[-1:]) else r"(?!\w)"
    return re.compile(before + re.escape(text) + behind, re.IGNORECASE)


def _show_entity(library: Library, entity_id: int, as_json: bool) -> None:
    from ..engine.services.library_reader import LibraryReader

    reader = LibraryReader(library.writer)
    card = reader.get_entity(entity_id)
    relations = reader.fetch_relations(entity_id, 20)
    others = [(r.target if r.source_id == entity_id else r.source, r.weight) for r in relations]
    lines = [
        f"{write_name(card.row)} ({card.row.type}): {count_words(card.row.n_mentions, 'mention')}, "
        f"{count_words(card.row.n_relations, 'connection')}, "
        f"{count_words(card.row.n_documents, 'document')}",
        *([f"also {', '.join(card.aliases)}"] if card.aliases else []),
        *([card.description] if card.description else []),
        "with " + ", ".join(f"{name} ({weight:.1f})" for name, weight in others),
    ]
    show({"entity": card, "relations": relations}, lines, as_json)


def _show_events(library: Library, entity_id: int, options: argparse.Namespace) -> None:
    from ..engine.services.editing.service import EditingService
    from ..engine.services.library_reader import LibraryReader

    reader, editing = LibraryReader(library.writer), EditingService(library.writer)
    found = reader.list_events(entity_id)
    number = options.change if options.remove is None else options.remove
    if number is not None and number not in {event.id for event in found}:
        raise UserError(
            "“{name}” has no event {number}.",
            "See its events.",
            name=options.name,
            number=number,
        )
    people: dict[str, Any] = {
        f"{role}s": [get_entity_id(library, name) for name in given]
        for role in EVENT_ROLES
        if (given := getattr(options, role)) is not None
    }
    if options.remove is not None:
        editing.remove_event(options.remove)
    elif options.change is not None:
        editing.change_event(options.change, kind=options.kind, **people)
    elif options.add is not None:
        text = " ".join(options.add.split()).casefold()
        for _, one in reader.list_mentions(entity_id):
            if text in " ".join(one.sentence.split()).casefold():
                break
        else:
            raise UserError(
                "No sentence with “{name}” has this text.",
                "Copy a part of the sentence from the document.",
                name=options.name,
            )
        sentence = reader.read_event_sentence(one.document_id, one.start, one.end)
        if not people:
            people = {f"{ACTOR}s": [entity_id]}
        place = sentence.document_id, sentence.start, sentence.end
        editing.add_event(*place, options.kind or "", **people)
    if options.change is not None or options.remove is not None or options.add is not None:
        found = reader.list_events(entity_id)
    lines = [_describe_event(event) for event in found]
    show({"events": found}, lines or [f"No events of “{options.name}”."], options.json)


def _describe_event(event: EventRow) -> str:
    from ..engine.services.events import describe_event_briefly

    where = event.heading or (f"p. {event.page_label}" if event.page_label else "")
    by_you = ", by you" if event.is_edited else ""
    sentence = " ".join(event.sentence.split())
    return f"{event.id}  {describe_event_briefly(event)}  [{where}{by_you}] {sentence}"


def describe_comparison(library: Library, left_id: int, right_id: int) -> tuple[Any, list[str]]:
    """Return two entities side by side."""
    from ..engine.services.library_reader import LibraryReader

    found = LibraryReader(library.writer).compare(left_id, right_id)
    common = [n.name for n in found.left.neighbours if n.is_common]
    lines = [
        f"{s.entity.name} ({s.entity.type}): {count_words(s.entity.n_mentions, 'mention')}, "
        f"{count_words(s.entity.n_relations, 'connection')}"
        for s in (found.left, found.right)
    ]
    lines.append(f"{found.n_common:,} in common ({found.alike:.0%}): " + ", ".join(
        common[:MOST_COMMON]) + (" …" if len(common) > MOST_COMMON else ""))  # fmt: skip
    lines.append(f"{count_words(found.n_meetings, 'sentence')} with both")
    return found, lines
