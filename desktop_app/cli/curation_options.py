"""The options of the commands that correct the graph; light, so that `--help` is quick."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

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
