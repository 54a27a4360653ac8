"""Arguments in, then the window (app.py) or a command (cli.py)."""

from __future__ import annotations

import os
import sys


def has_display() -> bool:
    """Say whether a window can be shown."""
    if os.environ.get("INKGRAPH_HEADLESS"):
        return False
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def main(argv: list[str] | None = None) -> int:
    """Run Inkgraph and return its exit code: 0 done, 1 input, 2 environment, 3 a bug."""
    arguments = sys.argv[1:] if argv is None else argv
    from .cli import COMMANDS, run_command

    if arguments == ["demo"] and has_display():
        arguments = ["--demo"]
    if arguments and (arguments[0] in COMMANDS or arguments[0] in ("-h", "--help", "--version")):
        return run_command(arguments)
    from .app import run_window

    return run_window(arguments)


if __name__ == "__main__":
    sys.exit(main())
