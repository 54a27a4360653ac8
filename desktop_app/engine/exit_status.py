"""Describes how a process ended from its exit status.

Standard library only: run.py uses it before any package is installed.
"""

from __future__ import annotations

import signal

EXIT_BUG = 3

_SIGNALS = {
    "SIGILL": "the processor does not know one of the program's instructions",
    "SIGSEGV": "it used memory that is not its own",
    "SIGBUS": "it used memory or a file that is no longer there",
    "SIGABRT": "it stopped itself after an internal error",
    "SIGFPE": "an arithmetic error",
    "SIGKILL": "ended by the system, most often because memory ran out",
    "SIGTERM": "ended by another program",
    "SIGHUP": "its terminal was closed",
    "SIGTRAP": "it stopped itself after an internal error",
    "SIGXCPU": "its limit of processor time was reached",
}
# Windows reports a crash as an exception code instead of a signal.
_WINDOWS = {
    0xC000001D: "SIGILL",
    0xC0000005: "SIGSEGV",
    0xC0000409: "SIGABRT",
    0xC0000094: "SIGFPE",
    0xC00000FD: "SIGSEGV",
}


def find_signal(code: int) -> str:
    """Return the name of the signal that ended a process, "" if none did.

    Args:
        code: what `subprocess` reports: negative after a signal, on Windows an exception code.
    """
    if code < 0:
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"
    return _WINDOWS.get(code & 0xFFFFFFFF, "") if code > 255 else ""


def describe_signal(name: str) -> str:
    """Return the name of a signal and its meaning: "SIGILL (the processor does not know …)"."""
    meaning = _SIGNALS.get(name)
    return f"{name} ({meaning})" if meaning else name


def to_exit_code(code: int) -> int:
    """Return the exit code to pass on: `EXIT_BUG` if a signal ended the process."""
    return EXIT_BUG if find_signal(code) else code
