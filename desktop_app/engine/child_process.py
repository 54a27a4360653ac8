"""Starts child processes that run what must not end the program, and finds out how they ended.

Owns the list of those that run, so that the end of the program can end them all.

Standard library only. What parent and child say to each other is in `child_protocol`, what a child
may not do in `child_sandbox`.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import IO, Any

from .exit_status import describe_signal, find_signal

# Nothing else of the environment is of use to a child: it may hold keys of other programs.
_VARIABLES = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG", "HOME")
_VARIABLE_STARTS = ("LC_", "PYTHON", "LD_", "DYLD_")
_lock = threading.Lock()
_children: weakref.WeakSet[subprocess.Popen[Any]] = weakref.WeakSet()


def start_child(
    module: str, argument: str, errors: IO[bytes], variables: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """Start a module of the program as a child process, with pipes to and from it.

    Args:
        argument: starts the same in a packaged program, which has no interpreter.
        errors: the file for what the child prints, such as its crash record.
        variables: added to the few variables of the environment that a child gets.
    """
    # `-m` looks into the working directory first: the child runs the parent's own source.
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", module]
    if getattr(sys, "frozen", False):
        command = [sys.executable, argument]
    environment = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _VARIABLES or name.startswith(_VARIABLE_STARTS)
    }

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**environment, **variables},
            cwd=root,
            start_new_session=True,  # Ctrl+C in a terminal ends the program, which ends the child
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    child = _child_starter().call(start)
    track_child(child)
    return child


class _ChildStarter:
    """A thread that starts children and lasts as long as the program.

    Linux sends the signal of `PR_SET_PDEATHSIG` (`child_sandbox`) when the thread that started the
    child ends: a child that was started by the thread of a library would end with that library.
    """

    def __init__(self) -> None:
        self._wanted: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="child_starter", daemon=True).start()

    def call(self, start: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
        """Return what `start` returns in the thread, or raise what it raises there."""
        done: queue.SimpleQueue[subprocess.Popen[bytes] | BaseException] = queue.SimpleQueue()

        def run() -> None:
            try:
                done.put(start())
            except BaseException as error:
                done.put(error)

        self._wanted.put(run)
        if isinstance(result := done.get(), BaseException):
            raise result
        return result

    def _run(self) -> None:
        while True:
            self._wanted.get()()


@cache
def _child_starter() -> _ChildStarter:
    return _ChildStarter()


def track_child(child: subprocess.Popen[Any]) -> None:
    """Have `end_children` end a child process, if it still runs then."""
    with _lock:
        _children.add(child)


def end_children() -> None:
    """Kill every tracked child process; for the end of the program, after work was cancelled."""
    with _lock:
        children = list(_children)
    for child in children:
        with contextlib.suppress(OSError):
            if child.returncode is None:
                child.kill()


def find_peak_bytes(pid: int) -> int:
    """Return the most memory that a running process had so far, 0 where that is unknown."""
    if not sys.platform.startswith("linux"):
        return 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        status = Path(f"/proc/{pid}/status").read_text("utf-8")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    return 0


def describe_exit(code: int) -> str:
    """Return how a process ended: "SIGSEGV (…)" or "exit code 1"."""
    name = find_signal(code)
    return describe_signal(name) if name else f"exit code {code}"
