"""The options of the commands that correct the graph; light, so that `--help` is quick."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

CURATION = ("duplicates", "entity", "undo", "redo")
DUPLICATE_SORTS = ("newest", "certainty", "size", "mentions")


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
    entity = command("entity", "Show, rename, merge or delete names; see also undo.")
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
    delete = actions.add_parser("delete", help="take a name out, also when it is read again")
    delete.add_argument("name")
    for action in (show, rename, merge, delete):
        # Also behind the action, where people put them; what stands before it is kept.
        action.add_argument("--library", type=Path, default=argparse.SUPPRESS)
        action.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    command("undo", "Take the last correction back.")
    command("redo", "Make the correction that was last taken back again.")
