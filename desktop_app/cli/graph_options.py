"""The options of the commands that write the graph to files; light, so that `--help` is quick."""

from __future__ import annotations

import argparse

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
