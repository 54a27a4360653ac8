"""The options of the commands on communities; light, so that `--help` is quick."""

from __future__ import annotations

import argparse
from collections.abc import Callable

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
