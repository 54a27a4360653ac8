"""Keeps the program's log, and finds out whether the last run ended without closing.

Each process has a session file in the log folder while it runs. It holds the version, the time of
the start and the current step; if native code crashes, faulthandler adds every thread's stack.
A process that ends in order deletes its session file. A session file whose process is gone is
therefore the record of a crash, a kill or a power cut.
"""

from __future__ import annotations

import atexit
import faulthandler
import logging
import os
import platform
import re
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import BinaryIO

from .. import __version__
from . import paths

log = logging.getLogger(__name__)

_STEP_BYTES = 160  # the step is overwritten in place, so its line has a fixed length
_LOG_BYTES, _LOG_FILES = 1_000_000, 3
_KEPT_CRASHES = 10
_FATAL = re.compile(r"^Fatal Python error: (.+)$|^Windows fatal exception: (.+)$", re.MULTILINE)
_SIGNAL_NAMES = {  # the words of CPython's faulthandler.c
    "Illegal instruction": "SIGILL",
    "Segmentation fault": "SIGSEGV",
    "Bus error": "SIGBUS",
    "Aborted": "SIGABRT",
    "Floating-point exception": "SIGFPE",
    "Floating point exception": "SIGFPE",
}


@dataclass(frozen=True)
class CrashReport:
    """A process that ended without closing.

    Attributes:
        signal: "SIGILL" and the like; "" after a kill, a power cut or a shutdown of the system.
        step: what the process was doing, "" if unknown.
        file: the record, with the stacks of all threads where a crash left them.
    """

    kind: str
    started: datetime
    signal: str
    step: str
    file: Path


class SessionFile:
    """The record of one running process; locked as long as the process lives."""

    def __init__(self, folder: Path, kind: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"session-{kind}-{os.getpid()}.txt"
        self._file: BinaryIO | None = self.path.open("w+b", buffering=0)
        _lock(self._file)
        started = datetime.now().isoformat(timespec="seconds")
        system = f"Python {platform.python_version()}, {platform.platform()}"
        head = f"Inkgraph {__version__}, {system}\nkind: {kind}\nstarted: {started}\n"
        self._step = ""
        self._step_at = self._file.write(head.encode())
        self._file.write(b"step: ".ljust(_STEP_BYTES) + b"\n")

    def note_step(self, step: str) -> None:
        if self._file is None or step == self._step:
            return
        self._step = step
        line = f"step: {step}".replace("\n", " ").encode()[:_STEP_BYTES].ljust(_STEP_BYTES)
        end = self._file.seek(0, os.SEEK_END)
        self._file.seek(self._step_at)
        self._file.write(line)
        self._file.seek(end)

    def enable_faulthandler(self) -> None:
        if self._file is not None:
            faulthandler.enable(self._file, all_threads=True)

    def end_process_after(self, seconds: float) -> None:
        if self._file is None:
            return
        # A copy, because the file is closed before the interpreter has ended.
        is_windows = sys.platform == "win32"
        copy = os.open(os.devnull, os.O_WRONLY) if is_windows else os.dup(self._file.fileno())
        faulthandler.dump_traceback_later(seconds, exit=True, file=copy)

    def close(self) -> None:
        """Delete the record: the process ends in order."""
        if self._file is None:
            return
        if faulthandler.is_enabled():
            faulthandler.disable()
        self._file.close()
        self._file = None
        self.path.unlink(missing_ok=True)


_session: SessionFile | None = None


def logs_dir() -> Path:
    """Return the folder of the log and of the crash records."""
    return paths.data_dir() / "logs"


def log_file() -> Path:
    return logs_dir() / "inkgraph.log"


def start_session(kind: str, *, console_level: int = logging.WARNING) -> None:
    """Start the log and the record of this process; does nothing but log if the disk refuses.

    Args:
        kind: "window" or "command".
        console_level: what is also printed to stderr.
    """
    global _session
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    console = logging.StreamHandler()
    console.setLevel(console_level)
    console.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    root.addHandler(console)
    try:
        logs_dir().mkdir(parents=True, exist_ok=True)
        file = RotatingFileHandler(
            log_file(), maxBytes=_LOG_BYTES, backupCount=_LOG_FILES, encoding="utf-8", delay=True
        )
        file.setFormatter(
            logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")
        )
        root.addHandler(file)
        _session = SessionFile(logs_dir(), kind)
    except OSError as error:
        log.warning("no log is written in %s: %s", logs_dir(), error)
        faulthandler.enable()
        return
    _session.enable_faulthandler()
    atexit.register(end_session)
    log.info("Inkgraph %s started (%s)", __version__, kind)


def note_step(step: str) -> None:
    """Record what this process is doing, for the report of a crash; cheap, from any thread."""
    if _session is not None:
        _session.note_step(step)


def end_process_after(seconds: float) -> None:
    """Have the system end this process if it has not ended by then, with exit code 1.

    For the end of the program: works also while native code holds the interpreter. The record of
    this process then stays, with the stacks of all threads.
    """
    if _session is not None:
        _session.note_step("closing the window")
        _session.end_process_after(seconds)


def end_session() -> None:
    """Record that this process ends in order."""
    global _session
    if _session is not None:
        _session.close()
        _session = None


def take_crashes(kind: str = "") -> list[CrashReport]:
    """Return the processes that ended without closing since the last call, oldest first.

    Their records are renamed to `crash-….txt`, so that each is reported once; the last ten stay.

    Args:
        kind: only processes of this kind; all if empty.
    """
    found = []
    for file in sorted(logs_dir().glob(f"session-{kind or '*'}-*.txt")):
        if (_session is not None and file == _session.path) or not _is_abandoned(file):
            continue
        report = read_crash(file)
        target = file.with_name(f"crash-{report.started:%Y%m%d-%H%M%S}-{file.stem[8:]}.txt")
        try:
            file.replace(target)
        except OSError:
            continue
        found.append(CrashReport(report.kind, report.started, report.signal, report.step, target))
    for old in sorted(logs_dir().glob("crash-*.txt"))[:-_KEPT_CRASHES]:
        old.unlink(missing_ok=True)
    return sorted(found, key=lambda report: report.started)


def read_crash(file: Path) -> CrashReport:
    """Return what a session file records; missing parts are empty."""
    text = file.read_text("utf-8", errors="replace")
    fields = dict(re.findall(r"^(kind|started|step): (.*)$", text, re.MULTILINE))
    try:
        started = datetime.fromisoformat(fields.get("started", "").strip())
    except ValueError:
        started = datetime.fromtimestamp(file.stat().st_mtime)
    fatal = _FATAL.search(text)
    reason = (fatal[1] or fatal[2] or "").strip() if fatal else ""
    return CrashReport(
        kind=fields.get("kind", "").strip(),
        started=started,
        signal=_SIGNAL_NAMES.get(reason, reason),
        step=fields.get("step", "").strip(),
        file=file,
    )


def find_step(pid: int) -> str:
    """Return what a process that is gone was doing last, "" if it left no record."""
    for file in logs_dir().glob(f"*-{pid}.txt"):
        return read_crash(file).step
    return ""


def _lock(file: BinaryIO) -> None:
    """Hold the file as long as this process lives (Windows: an open file can't be renamed)."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_abandoned(file: Path) -> bool:
    """Say whether the process of a session file is gone."""
    if sys.platform == "win32":
        probe = file.with_suffix(f".{time.monotonic_ns()}")
        try:
            file.rename(probe)
            probe.rename(file)
        except OSError:
            return False
        return True
    import fcntl

    try:
        with file.open("rb") as opened:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
