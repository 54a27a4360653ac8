"""Entry point: runs the window (app.py) or a command (cli/) in a supervised child process.

Native code (llama.cpp, Qt, PDFium) can end a process without a message. If a signal ends the
child, the parent prints which signal, during which step, where the log is and what to do, and
returns 3.
"""

from __future__ import annotations

import gc
import importlib
import logging
import os
import signal
import subprocess
import sys

from .engine.exit_status import describe_signal, find_signal, to_exit_code

SUPERVISED = "INKGRAPH_SUPERVISED"  # set in the child, and by run.py, which supervises itself
# Modules that a packaged program runs as child processes; it has no interpreter to run them.
CHILDREN = {
    "--document-reader": "desktop_app.engine.text.reader_child",
    "--page-renderer": "desktop_app.engine.text.page_child",
    "--page-reader": "desktop_app.engine.text.ocr.ocr_child",
    "--cover-reader": "desktop_app.workers.cover_child",
    "--viewport-trial": "desktop_app.ui.explorer.viewport_child",
    "--text-analyser": "desktop_app.engine.services.text_analysis.child",
    "--graph-reader": "desktop_app.engine.services.importing.reader_child",
    "--bibliography-reader": "desktop_app.engine.services.bibliography.reader_child",
    "--model-host": "desktop_app.engine.llm.host_child",
}


def has_display() -> bool:
    """Return whether a window can be shown."""
    if os.environ.get("INKGRAPH_HEADLESS"):
        return False
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def main(argv: list[str] | None = None) -> int:
    """Run Inkgraph and return its exit code: 0 done, 1 input, 2 environment, 3 a bug."""
    arguments = sys.argv[1:] if argv is None else argv
    if len(arguments) == 1 and arguments[0] in CHILDREN:
        return int(importlib.import_module(CHILDREN[arguments[0]]).main())
    if argv is None and not os.environ.get(SUPERVISED):
        return supervise(arguments)
    return run(arguments)


def run(arguments: list[str]) -> int:
    """Run a command or the window in this process, with its log and crash record."""
    from .cli import COMMANDS, run_command
    from .engine import crash_log
    from .engine.offline import forbid_downloads

    forbid_downloads()
    if arguments == ["demo"] and has_display():
        arguments = ["--demo"]
    if arguments and (arguments[0] in ("-h", "--help", "--version") or is_mistyped(arguments[0])):
        return run_command(arguments)
    if arguments and arguments[0] in COMMANDS:
        crash_log.start_session("command")
        crash_log.take_crashes("command")  # reported by the parent when they happened
        # As Ctrl+C: what is committed stays, the rest is rolled back, the exit code is 130.
        signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
        return run_command(arguments)
    crash_log.start_session("window", console_level=logging.INFO)
    # The window's own timer takes over (workers/garbage_collection.py). Until then nearly all
    # objects are modules and widgets that stay: examining them took a tenth of the start.
    gc.disable()
    from .ui.shell.splash import Splash

    splash = Splash()
    from .app import end_after_window, run_window

    return end_after_window(run_window(arguments, splash))


def is_mistyped(argument: str) -> bool:
    """Return whether an argument can only be meant as a command, but is none and no file.

    A window that opens without it would look as if the command ran.
    """
    from .cli import COMMANDS

    is_word = argument.isalpha() and argument.islower()
    return is_word and argument not in COMMANDS and not os.path.exists(argument)


def supervise(arguments: list[str]) -> int:
    """Run the program in a child process; return its exit code, 3 if a signal ended it."""
    command = [sys.executable, "-m", "desktop_app", *arguments]
    child = subprocess.Popen(command, env={**os.environ, SUPERVISED: "1"})
    # Ctrl+C reaches the child too, which is in the same process group and handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked_to_end = False

    def forward_signal(number: int, _frame: object) -> None:
        nonlocal asked_to_end
        asked_to_end = True
        child.send_signal(number)

    signal.signal(signal.SIGTERM, forward_signal)
    code = child.wait()
    name = find_signal(code)
    if name == "SIGINT" or (asked_to_end and name == "SIGTERM"):
        return 130
    if name:
        print(describe_death(name, child.pid), file=sys.stderr, flush=True)
    return to_exit_code(code)


def describe_death(name: str, pid: int) -> str:
    """Return the message about a child that a signal ended: signal, step, log, what to do."""
    from .engine import crash_log

    step = crash_log.find_step(pid)
    during = f" while {step}" if step else ""
    return (
        f"inkgraph: the program was ended by {describe_signal(name)}{during}.\n"
        f"  Details are in {crash_log.logs_dir()}.\n"
        "  Your library is safe; the same command goes on where it was. If it happens again, "
        "run `python3 run.py` to try llama.cpp on this processor, or report it with that log."
    )


if __name__ == "__main__":
    sys.exit(main())
