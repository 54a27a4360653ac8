"""Starts the log of a process, and finds out whether the last run ended without closing.

Each process has a session file in the log folder while it runs. It holds the version, the time of
the start and the current step; if native code crashes, faulthandler adds every thread's stack.
A process that ends in order deletes its session file. A session file whose process is gone is
therefore the record of a crash or a kill; if the system was started since, it went down with the
process (a power cut, a shutdown), which is logged but not reported. Child processes write their
stacks to stderr (`enable_child_faults`), and their parent keeps these (`keep_child_crash`).
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
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from .. import __version__
from . import log_files, paths
from .held_files import hold_file, is_abandoned
from .log_files import plain

log = logging.getLogger(__name__)

_STEP_BYTES = 160  # the step is overwritten in place, so its line has a fixed length
_KEPT_CRASHES = 10  # of each kind of process
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
        parts: what `note_part` recorded.
        system_ended: the system was started again since: a power cut or a shutdown.
    """

    kind: str
    started: datetime
    signal: str
    step: str
    file: Path
    system_ended: bool = False
    parts: tuple[str, ...] = ()


class SessionFile:
    """The record of one running process; locked as long as the process lives."""

    def __init__(self, folder: Path, kind: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"session-{kind}-{os.getpid()}.txt"
        self._file: BinaryIO | None = self.path.open("w+b", buffering=0)
        hold_file(self._file)
        started = datetime.now().isoformat(timespec="seconds")
        system = f"Python {platform.python_version()}, {platform.platform()}"
        head = f"Inkgraph {__version__}, {system}\nkind: {kind}\nstarted: {started}\n"
        head += f"boot: {_read_boot()}\n"
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

    def note_part(self, part: str) -> None:
        if self._file is not None:
            self._file.seek(0, os.SEEK_END)
            self._file.write(f"part: {part}\n".encode())

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


def start_session(kind: str, *, console_level: int = logging.WARNING) -> None:
    """Start the log and the record of this process; does nothing but log if the disk refuses.

    Args:
        kind: "window" or "command".
        console_level: what is also printed to stderr.
    """
    global _session
    root = logging.getLogger()
    root.setLevel(min(logging.INFO, log_files.find_level()))
    console = logging.StreamHandler()
    console.setLevel(console_level)
    # What a window prints may end in a log of the system; a command prints for its user.
    plain_console = logging.Formatter("%(levelname)s %(name)s: %(message)s")
    console.setFormatter(log_files.PrivateFormatter() if kind == "window" else plain_console)
    root.addHandler(console)
    try:
        logs_dir().mkdir(parents=True, exist_ok=True)
        # First, because a file without a session file is taken for one of an ended process.
        _session = SessionFile(logs_dir(), kind)
        root.addHandler(log_files.open_log(logs_dir(), kind))
    except OSError as error:
        log.warning("no log is written in %s: %s", logs_dir(), error)
        faulthandler.enable()
        return
    _session.enable_faulthandler()
    atexit.register(end_session)
    log.info(
        "Inkgraph %s started (%s), Python %s, %s",
        *(plain(__version__), plain(kind), plain(platform.python_version())),
        plain(platform.platform()),
    )


def enable_child_faults() -> None:
    """Write the stacks of this child process to stderr if it crashes; its parent keeps them."""
    faulthandler.enable(all_threads=True)


def keep_child_crash(kind: str, pid: int, reason: str, errors: str) -> Path | None:
    """Write the record of a child process that ended unexpectedly; return its file.

    Args:
        kind: a word for the kind of process: "reader", "trial", "host".
        reason: the signal or exit code; no text of the user.
        errors: what the child wrote to stderr; only places in the code are kept of it.
    """
    started = datetime.now()
    frames = log_files.list_frames(errors)
    log.warning("the %s process ended: %s", plain(kind), plain(reason))
    file = logs_dir() / f"crash-{started:%Y%m%d-%H%M%S}-{kind}-{pid}.txt"
    head = f"Inkgraph {__version__}\nkind: {kind}\nstarted: {started.isoformat(timespec='seconds')}"
    try:
        logs_dir().mkdir(parents=True, exist_ok=True)
        file.write_text(f"{head}\nended: {reason}\n{frames}\n", "utf-8")
    except OSError:
        return None
    _remove_old_crashes(kind)
    return file


def note_step(step: str) -> None:
    """Record what this process is doing, for the report of a crash; cheap, from any thread."""
    if _session is not None:
        _session.note_step(step)


def note_part(part: str) -> None:
    """Record that this process uses a part that may end it, such as a graphics driver."""
    if _session is not None:
        _session.note_part(part)


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


def take_crashes(kind: str = "", *, with_system_ends: bool = False) -> list[CrashReport]:
    """Return the processes that ended without closing since the last call, oldest first.

    Their records are renamed to `crash-….txt`, so that each is reported once; the last ten stay.

    Args:
        kind: only processes of this kind; all if empty.
        with_system_ends: also those that ended because the system did, whose records are deleted.
    """
    found = []
    for file in sorted(logs_dir().glob(f"session-{kind or '*'}-*.txt")):
        if (_session is not None and file == _session.path) or not is_abandoned(file):
            continue
        report = read_crash(file)
        target = file.with_name(f"crash-{report.started:%Y%m%d-%H%M%S}-{file.stem[8:]}.txt")
        try:
            file.replace(target)
        except OSError:
            continue
        _remove_old_crashes(report.kind)
        if report.system_ended:
            log.info("the system ended while a process ran (%s)", plain(report.kind))
            target.unlink(missing_ok=True)
            if not with_system_ends:
                continue
        found.append(replace(report, file=target))
    return sorted(found, key=lambda report: report.started)


def read_crash(file: Path) -> CrashReport:
    """Return what a session file records; missing parts are empty."""
    text = file.read_text("utf-8", errors="replace")
    fields = dict(re.findall(r"^(kind|started|boot|step): (.*)$", text, re.MULTILINE))
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
        system_ended=not reason and _is_earlier_boot(fields.get("boot", "").strip()),
        parts=tuple(re.findall(r"^part: (.+)$", text, re.MULTILINE)),
    )


def find_last_crash() -> Path | None:
    """Return the newest record of a crash, of any process."""
    return max(logs_dir().glob("crash-*.txt"), default=None)


def _remove_old_crashes(kind: str) -> None:
    for old in sorted(logs_dir().glob(f"crash-*-{kind}-*.txt"))[:-_KEPT_CRASHES]:
        old.unlink(missing_ok=True)


def _read_boot() -> str:
    """Return what identifies the running system since its start: an id, or its seconds so far."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("utf-8").strip()
    except OSError:
        return f"{time.monotonic():.0f}"


def _is_earlier_boot(recorded: str) -> bool:
    now = _read_boot()
    if recorded.isdigit() and now.isdigit():  # of the clock that starts with the system
        return int(now) < int(recorded)
    return bool(recorded) and recorded != now


def find_step(pid: int) -> str:
    """Return what a process that is gone was doing last, "" if it left no record."""
    for file in logs_dir().glob(f"*-{pid}.txt"):
        return read_crash(file).step
    return ""
