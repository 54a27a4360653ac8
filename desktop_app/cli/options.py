"""The options that search and ask share, and the `QueryParam` made of them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from ..engine.errors import UserError
from ..engine.model import ChatMessage
from ..engine.query import ALL_MODES, PRESETS, QueryParam

COMMUNITIES = ("communities", "report")


def add_community_commands(command: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Add `communities` and `report`."""
    listing = command("communities", "List the themes of the library: groups of names that belong.")
    listing.add_argument("--level", type=int, default=None, help="0 is the coarsest; all if left")
    listing.add_argument("--compare", nargs=2, metavar=("A", "B"), help="two of them side by side")
    listing.add_argument("--again", action="store_true", help="find them anew")
    report = command("report", "Show or write reports on communities; Ctrl+C pauses.")
    report.add_argument("community", nargs="?", default="", help="number, or part of its title")
    report.add_argument(
        "--level", type=int, default=1, help="the finest to report on (without one)"
    )
    report.add_argument(
        "--again", action="store_true", help="also those that are as they should be"
    )
    report.add_argument(
        "--model",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="write with the chat model; --no-model counts and quotes",
    )
    report.add_argument("--limit", type=int, help="the most reports to write")
    report.add_argument("--estimate", action="store_true", help="only say how long it takes")
    report.add_argument("--title", help="put this title in the place of the report's")
    report.add_argument("--summary", help="put this summary in the place of the report's")
    report.add_argument("--pin", action=argparse.BooleanOptionalAction, help="keep it as it is")
    report.add_argument("--reset", action="store_true", help="take back what was put in its place")


CURATION = ("duplicates", "entity", "undo", "redo", "history", "corrections", "delete", "reindex")
DUPLICATE_SORTS = ("newest", "certainty", "size", "mentions", "asked")


def add_curation_commands(command: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Add the commands with what they take."""
    duplicates = command("duplicates", "List names that may be one; nothing is changed.")
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
    entity = command("entity", "Show and correct names; see also undo.")
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
        # Also behind the action, where people put them; what stands before it is kept.
        action.add_argument("--library", type=Path, default=argparse.SUPPRESS)
        action.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    command("undo", "Take the last correction back.")
    command("redo", "Make the correction that was last taken back again.")
    history = command("history", "List the corrections that can be taken back.")
    history.add_argument("--of", default="", metavar="NAME", help="only what touched this name")
    history.add_argument("--go-to", type=int, help="undo or redo up to this one; 0: before all")
    corrections = command("corrections", "Write all corrections to a file, or apply such a file.")
    corrections.add_argument("action", choices=("export", "apply"))
    corrections.add_argument("file", type=Path)
    delete_one = command("delete", "Delete a document, after saying what goes with it.")
    delete_one.add_argument("document", help="title or file name")
    delete_one.add_argument("--yes", action="store_true", help="don't ask")
    reindex = command("reindex", "Read documents again and find their names again.")
    reindex.add_argument("document", nargs="*", help="titles or file names; none: all")
    reindex.add_argument("--embed", action=argparse.BooleanOptionalAction, default=True)


ROLES = ("user", "assistant")


def add_finding_options(parser: argparse.ArgumentParser, *, top: int) -> None:
    """Take the question and how to look for it."""
    parser.add_argument("question")
    parser.add_argument("--mode", choices=ALL_MODES, default="walk")
    parser.add_argument(
        "--level", type=int, default=1, help="of the reports for overview and drift; 0 is coarsest"
    )
    parser.add_argument("--document", action="append", default=[], help="title or file name")
    parser.add_argument("--collection", action="append", default=[], help="by name")
    parser.add_argument(
        "--top-k", type=_count, default=40, help="names or relations the graph modes start from"
    )
    parser.add_argument(
        *("--chunk-top-k", "--top"), dest="top", type=_count, default=top, help="passages to keep"
    )
    parser.add_argument("--keywords-high", default="", help="themes, with commas between")
    parser.add_argument("--keywords-low", default="", help="names and things, with commas between")
    parser.add_argument(
        "--history", type=Path, help='JSON: [{"role": "user", "content": "…"}, …], oldest first'
    )
    parser.add_argument("--rerank", action=argparse.BooleanOptionalAction, default=True)


def add_answer_options(parser: argparse.ArgumentParser) -> None:
    """Take how the answer is to be."""
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--only-context", action="store_true", help="print the context instead")
    instead.add_argument("--only-prompt", action="store_true", help="print the prompt instead")
    parser.add_argument("--user-prompt", default="", help="a further wish for the answer")
    parser.add_argument("--response-type", default="", help='its form, such as "Bullet Points"')
    parser.add_argument(
        "--system-prompt", default="", help="instead of ours; {context_data} is the context"
    )
    parser.add_argument("--max-total-tokens", type=_count, default=0, help="of the whole prompt")
    parser.add_argument("--max-calls", type=_count, default=0, help="of the model, in those modes")
    parser.add_argument("--plan", action="store_true", help="only say how many calls, how long")
    parser.add_argument(
        "--preset", choices=PRESETS, default="", help="graphrag: reports, names and text as there"
    )
    parser.add_argument("--references", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--chunk-content", action="store_true", help="with the references (JSON)")


def build_param(
    options: argparse.Namespace,
    document_ids: tuple[int, ...] | None,
    collection_ids: tuple[int, ...] | None,
) -> QueryParam:
    """Return what the options ask for; those that a command lacks keep their defaults."""
    history = load_history(options.history) if options.history else ()
    return QueryParam(
        mode=options.mode,
        top_k=options.top_k,
        chunk_top_k=options.top,
        max_total_tokens=getattr(options, "max_total_tokens", 0),
        hl_keywords=_split(options.keywords_high),
        ll_keywords=_split(options.keywords_low),
        conversation_history=history,
        user_prompt=getattr(options, "user_prompt", ""),
        response_type=getattr(options, "response_type", ""),
        system_prompt=getattr(options, "system_prompt", ""),
        only_need_context=getattr(options, "only_context", False),
        only_need_prompt=getattr(options, "only_prompt", False),
        enable_rerank=options.rerank,
        include_references=getattr(options, "references", True),
        include_chunk_content=getattr(options, "chunk_content", False),
        document_ids=document_ids,
        collection_ids=collection_ids,
        level=options.level,
        max_calls=getattr(options, "max_calls", 0),
        preset=getattr(options, "preset", ""),
    )


def load_history(path: Path) -> tuple[ChatMessage, ...]:
    """Return the turns of a JSON file.

    Raises:
        UserError: it is no list of turns.
    """
    hint = 'It needs to be like [{"role": "user", "content": "Who is Marley?"}].'
    try:
        turns = json.loads(path.read_text("utf-8"))
        made = tuple(
            ChatMessage(turn["role"], str(turn.get("content") or turn["text"])) for turn in turns
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"The history in {path} can't be read: {error!r}.", hint) from error
    if strange := next((turn.role for turn in made if turn.role not in ROLES), None):
        raise UserError(f"A turn of {path} has the role “{strange}”.", hint)
    return made


def _split(words: str) -> tuple[str, ...]:
    return tuple(w for part in words.replace("，", ",").split(",") if (w := part.strip()))


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


_count.__name__ = "count"  # argparse says: invalid count value: '0'


LAYOUTS = ("force", "groups", "radial", "timeline", "circle", "grid")


def add_picture_options(parser: argparse.ArgumentParser) -> None:
    """Add what `graph --image` and `export` of a part take."""
    parser.add_argument("--image", default="", metavar="FILE", help="write a PNG or SVG picture")
    parser.add_argument("--depth", type=int, default=1, help="steps around --entity (with --image)")
    parser.add_argument("--layout", choices=LAYOUTS, default="force", help="with --image")
    parser.add_argument("--color", choices=("type", "group", "document"), default="type")
    parser.add_argument(
        "--size", choices=("connections", "mentions", "rank"), default="connections"
    )
    parser.add_argument("--kind", action="append", default=[], help="only ties of this kind")
    parser.add_argument("--width", type=int, default=1600, help="of the picture, in points")
    parser.add_argument("--height", type=int, default=1000)
    parser.add_argument("--scale", type=float, default=2.0, help="pixels a point")
    parser.add_argument("--dark", action="store_true", help="on a dark ground")


def add_part_options(parser: argparse.ArgumentParser) -> None:
    """Add what writes a part of the graph instead of all."""
    parser.add_argument("--entity", default="", help="only what is around this name")
    parser.add_argument("--depth", type=int, default=1, help="steps around --entity")
    parser.add_argument(
        "--layout", choices=LAYOUTS, default="force", help="where names stand in the file"
    )
