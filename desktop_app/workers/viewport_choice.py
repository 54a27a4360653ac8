"""Decides whether the viewport of the graph is painted by the processor or with OpenGL.

A graphics driver can crash or hang its process, and OpenGL without a graphics card is slower than
Qt's own painting. So a child process (`ui/explorer/viewport_child.py`) tries OpenGL first, in the
background while a window is open. Owns the file that remembers the results. Knows no canvas: what
is decided counts for the next canvas that is built.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, qVersion
from PySide6.QtGui import QGuiApplication

from desktop_app.engine import crash_log
from desktop_app.engine.child_process import describe_exit, start_child
from desktop_app.engine.crash_log import CrashReport, keep_child_crash
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.exit_status import find_signal
from desktop_app.engine.log_files import plain
from desktop_app.engine.progress import CancelToken

from .failures import FailureHandler
from .lane import Job, Lane
from .operations import Work

log = logging.getLogger(__name__)

AUTOMATIC, PROCESSOR, CARD = "automatic", "processor", "card"  # the setting "Graph drawing"
CHILD_MODULE = "desktop_app.ui.explorer.viewport_child"
CHILD_ARGUMENT = "--viewport-trial"
TIMEOUT_S = 60.0  # a software renderer on two busy cores took 12
TRIAL_DELAY_MS = 8_000  # after a window is shown, which has other work first
RETRY_DAYS = 30  # a driver can be replaced without a trace in `fingerprint_graphics`
MAX_CRASHES = 2  # of starts with OpenGL in a row, after which it is not used
KEPT_RESULTS = 8
CLOSE_MS = 500
_POLL_S = 0.1
_MAX_OUTPUT = 100_000
_MAX_NAME = 200
# OpenGL has to be faster by this factor, and not by using more processors: software renderers do.
MIN_SPEEDUP = 1.2
# Between the pictures of both, 0 to 1. With Mesa 22.3 they differ by 0.001 to 0.009 on average and
# by up to 0.04 in a block; without its labels a picture differs by 0.2 or more in a block.
MAX_DIFFERENT, MAX_DIFFERENT_BLOCK = 0.02, 0.1
WITHOUT_OPENGL = ("offscreen", "minimal", "linuxfb", "vnc")  # platforms of Qt
_PART = "OpenGL viewport"  # not shown: in crash records

# The environment variables that decide which display and which driver are used.
_DISPLAY = ("DISPLAY", "WAYLAND_DISPLAY", "SESSIONNAME", "QT_OPENGL")
_DRIVER_STARTS = ("LIBGL_", "MESA_", "GALLIUM_", "EGL_", "DRI_", "__GL", "__EGL", "__NV", "QT_XCB_")
# What the child needs beside them; some differ after every login.
_SESSION = ("XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "APPDATA", "LOCALAPPDATA")
_QT_START = "QT_"
_DRIVER_FILES = ("libgallium*", "libGLX_*.so*", "libEGL_*.so*", "dri/*_dri.so")
_LIBRARY_FOLDERS = ("/usr/lib", "/usr/lib64", "/usr/lib/*-linux-gnu*")


def list_variables(names: Collection[str], starts: tuple[str, ...]) -> dict[str, str]:
    """Return the variables of the environment with these names or starts of a name."""
    return {
        name: value
        for name, value in sorted(os.environ.items())
        if name in names or name.startswith(starts)
    }


def fingerprint_graphics(qt_platform: str) -> str:
    """Return a text that differs for another Qt, system, display or driver.

    Creates no OpenGL context: it looks at versions, variables and the files of drivers.
    """
    parts = [qVersion(), qt_platform, platform.system(), platform.release(), platform.version()]
    variables = list_variables(_DISPLAY, _DRIVER_STARTS)
    parts += [f"{name}={value}" for name, value in variables.items()]
    for file in _iter_driver_files():
        with suppress(OSError):
            stat = file.stat()
            parts.append(f"{file}:{stat.st_size}:{stat.st_mtime_ns}")
    return hashlib.sha256("|".join(parts).encode("utf-8", "replace")).hexdigest()[:24]


def _iter_driver_files() -> Iterator[Path]:
    if sys.platform.startswith("linux"):
        yield Path("/sys/module/nvidia/version")
        for folder in _LIBRARY_FOLDERS:
            for name in _DRIVER_FILES:
                yield from sorted(Path("/").glob(f"{folder[1:]}/{name}"))
    elif sys.platform == "win32":  # its date changes when a driver is installed
        root = Path(os.environ.get("SYSTEMROOT", r"C:\Windows"))  # not shown
        yield root / "System32" / "DriverStore" / "FileRepository"  # not shown


@dataclass(frozen=True, slots=True)
class OpenGLResult:
    """What a trial of OpenGL found; times are of one frame.

    Attributes:
        problem: why there is no OpenGL that works, "" if there is.
        tried: the day, in ISO format.
        crashes: starts with OpenGL since then, in a row, that did not end in order.
        is_due: whether it has to be tried again before OpenGL is used.
    """

    problem: str = ""
    vendor: str = ""
    renderer: str = ""
    version: str = ""
    raster_ms: float = 0.0
    opengl_ms: float = 0.0
    raster_processor_ms: float = 0.0
    opengl_processor_ms: float = 0.0
    mean_difference: float = 0.0
    worst_difference: float = 0.0
    tried: str = ""
    crashes: int = 0
    is_due: bool = False

    def find_fault(self) -> str:
        """Return why OpenGL must not be used, "" if it draws what the processor draws."""
        if self.problem:
            return self.problem
        if not (self.raster_ms > 0 and self.opengl_ms > 0):
            return plain("nothing was measured")
        mean, worst = self.mean_difference, self.worst_difference
        if not (0 <= mean <= MAX_DIFFERENT and 0 <= worst <= MAX_DIFFERENT_BLOCK):
            return plain("it draws another picture")
        return ""

    @property
    def is_faster(self) -> bool:
        """Whether OpenGL is worth using: faster, without more work for the processor."""
        is_lighter = self.opengl_processor_ms < self.raster_processor_ms
        return self.opengl_ms * MIN_SPEEDUP <= self.raster_ms and is_lighter

    @property
    def is_old(self) -> bool:
        try:
            return abs((date.today() - date.fromisoformat(self.tried)).days) > RETRY_DAYS
        except ValueError:
            return True


def read_result(stored: object) -> OpenGLResult:
    """Return a result from plain data that a child or the file holds.

    Raises:
        ValueError: it is no such data.
    """
    if not isinstance(stored, dict):
        raise ValueError("no mapping")  # not shown
    values: dict[str, Any] = {}
    for field in fields(OpenGLResult):
        if field.name not in stored:
            continue
        value, default = stored[field.name], field.default
        if isinstance(default, float) and type(value) is int:
            value = float(value)
        if type(value) is not type(default):
            raise ValueError(f"{field.name} is no {type(default).__name__}")  # not shown
        values[field.name] = value[:_MAX_NAME] if isinstance(value, str) else value
    return OpenGLResult(**values)


def run_trial(
    qt_platform: str,
    ratio: float,
    *,
    module: str = CHILD_MODULE,
    timeout_s: float = TIMEOUT_S,
    cancel: CancelToken | None = None,
) -> OpenGLResult | None:
    """Try OpenGL in a child process; return what it found, None if the trial says nothing.

    Args:
        qt_platform: the platform of Qt that this program uses.
        ratio: pixels of the screen per pixel of Qt.

    Raises:
        Cancelled: the token was set; the child is ended.
    """
    variables = list_variables((*_DISPLAY, *_SESSION), (*_DRIVER_STARTS, _QT_START))
    variables["QT_QPA_PLATFORM"] = qt_platform
    # so that the child has no icon in the dock of macOS
    variables["QT_MAC_DISABLE_FOREGROUND_APPLICATION_TRANSFORM"] = "1"
    request: bytes | None = json.dumps({"ratio": ratio}).encode() + b"\n"
    with tempfile.TemporaryFile() as errors:
        try:
            child = start_child(module, CHILD_ARGUMENT, errors, variables)
        except OSError as error:
            log.warning("OpenGL can't be tried: %s", error)
            return None
        deadline = time.monotonic() + timeout_s
        is_late = False
        while True:
            try:
                output, _ = child.communicate(request, timeout=_POLL_S)
                break
            except subprocess.TimeoutExpired:
                request = None  # it is sent already
                is_late = is_late or time.monotonic() > deadline
                if is_late or (cancel and cancel.cancelled):
                    child.kill()
        if cancel and cancel.cancelled:
            raise Cancelled
        errors.seek(0)
        stacks = errors.read(_MAX_OUTPUT).decode("utf-8", "replace")
    if is_late:
        return OpenGLResult(plain(f"the trial did not end within {timeout_s:.0f} s"))
    if child.returncode:
        reason = describe_exit(child.returncode)
        keep_child_crash("viewport", child.pid, reason, stacks)
        if find_signal(child.returncode) == "SIGKILL":  # by the system, for its memory
            return None
        return OpenGLResult(plain(f"the trial ended by {reason}"))
    return _read_output(output[:_MAX_OUTPUT].decode("utf-8", "replace"))


def _read_output(output: str) -> OpenGLResult:
    """Return the result in the last line; drivers may print lines of their own before it."""
    lines = output.strip().splitlines()
    try:
        return read_result(json.loads(lines[-1] if lines else ""))
    except ValueError:
        return OpenGLResult(plain("the trial printed no result"))


class ViewportChoice(QObject):
    """Decides for each canvas that is built, and tries OpenGL where that is not known yet.

    Args:
        file: remembers the results, by `fingerprint_graphics`.
        on_failure: gets a bug in the trial.
        qt_platform: the platform of Qt, that of this program if empty.
        module: what runs as the child process.
    """

    def __init__(
        self,
        file: Path,
        on_failure: FailureHandler,
        *,
        qt_platform: str = "",
        module: str = CHILD_MODULE,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        super().__init__()
        self._file, self._module, self._timeout_s = file, module, timeout_s
        self._platform = qt_platform or QGuiApplication.platformName()
        self._lock = threading.Lock()  # of the file
        self._key = ""
        self._uses_opengl = False  # whether a canvas of this process did
        self._mode = AUTOMATIC
        self.lane = Lane("viewport", on_failure)
        self._later = QTimer(self, singleShot=True, interval=TRIAL_DELAY_MS)
        self._later.timeout.connect(self.try_now)

    @property
    def can_try(self) -> bool:
        """Whether there can be OpenGL at all; False costs nothing."""
        return self._platform not in WITHOUT_OPENGL

    def decide(self, mode: str) -> bool:
        """Return whether the next canvas uses OpenGL.

        Args:
            mode: the setting; `CARD` does not ask whether OpenGL is faster.
        """
        self._mode = mode
        if not self.can_try:
            return False
        self._note_mode(mode)
        result = self._find()
        reason = self._find_reason(mode, result)
        renderer = result.renderer if result is not None else ""
        if reason:
            log.info("the processor draws the graph: %s", plain(reason))
            return False
        log.info("OpenGL draws the graph: %s", plain(renderer))
        self._uses_opengl = True
        crash_log.note_part(_PART)
        return True

    def _find_reason(self, mode: str, result: OpenGLResult | None) -> str:
        """Return why the processor draws, "" if OpenGL does."""
        if mode == PROCESSOR:
            return plain("by the settings")
        if result is None:
            return plain("OpenGL was not tried yet")
        if result.crashes >= MAX_CRASHES:
            return plain("the last starts with OpenGL ended unexpectedly")
        if result.is_due:
            return plain("the last start with OpenGL ended unexpectedly")
        if fault := result.find_fault():
            return fault
        if mode != CARD and not result.is_faster:
            return plain("OpenGL is not faster")
        return ""

    def take_crashes(self, reports: Sequence[CrashReport]) -> None:
        """Count the starts with OpenGL that ended unexpectedly; the next start is without it."""
        n_crashes = sum(_PART in report.parts for report in reports)
        result = self._find() if n_crashes and self.can_try else None
        if result is not None:
            log.warning("a start with OpenGL ended unexpectedly: the processor draws the graph")
            self._store(replace(result, crashes=result.crashes + n_crashes, is_due=True))

    def record_failure(self) -> None:
        """Remember that OpenGL failed in the window, though its trial passed."""
        result = self._find() or OpenGLResult()
        problem = plain("the viewport lost its OpenGL context")
        self._store(replace(result, problem=problem, tried=date.today().isoformat()))

    # --- the trial --------------------------------------------------------------------------

    def try_soon(self) -> None:
        """Try OpenGL in the background if that is due."""
        if self.can_try and self._mode != PROCESSOR and self.needs_trial():
            self._later.start()

    def needs_trial(self) -> bool:
        result = self._find()
        if result is None:
            return True
        return (result.is_due or result.is_old) and result.crashes < MAX_CRASHES

    def try_now(self) -> None:
        if self.lane.n_jobs:
            return
        ratio = max((one.devicePixelRatio() for one in QGuiApplication.screens()), default=1.0)
        label = plain("viewport trial")
        Work(self.lane, lambda job: self._try(job, ratio), owner=self, label=label).run()

    def _try(self, job: Job, ratio: float) -> None:
        """Try OpenGL and remember the result; in the lane."""
        before = self._find()
        # If the whole system stops, which drivers can do, this stays in the file.
        self._store(OpenGLResult(plain("the trial did not end"), tried=date.today().isoformat()))
        result = None
        try:
            result = run_trial(
                self._platform,
                ratio,
                module=self._module,
                timeout_s=self._timeout_s,
                cancel=job.cancel_token,
            )
        finally:
            if result is None:
                self._store(before)
        if result is None:
            return
        log.info(
            "OpenGL was tried (%s, %s, %s): %s; %.1f ms a frame, the processor %.1f ms",
            *(plain(name) for name in (result.vendor, result.renderer, result.version)),
            plain(result.find_fault() or ("faster" if result.is_faster else "not faster")),
            result.opengl_ms,
            result.raster_ms,
        )
        crashes = before.crashes if before is not None else 0
        today = date.today().isoformat()
        self._store(replace(result, crashes=crashes, tried=today, is_due=False))

    def close(self) -> bool:
        """Cancel the trial, and record that this process ends in order.

        Returns:
            False if the thread still runs.
        """
        self._later.stop()
        result = self._find() if self._uses_opengl else None
        if result is not None and result.crashes:
            self._store(replace(result, crashes=0))
        return self.lane.close(CLOSE_MS)

    # --- the file ---------------------------------------------------------------------------

    def _note_mode(self, mode: str) -> None:
        """Forget failures and crashes when the user changes the setting: it is tried again."""
        with self._lock:
            stored = self._load()
            if stored["mode"] == mode:
                return
            stored["mode"] = mode
            stored["results"] = {
                key: asdict(result)
                for key, result in self._read_all(stored).items()
                if not (result.find_fault() or result.crashes)
            }
            self._write(stored)

    def _find(self) -> OpenGLResult | None:
        with self._lock:
            return self._read_all(self._load()).get(self._find_key())

    def _store(self, result: OpenGLResult | None) -> None:
        """Remember a result; with None, forget it."""
        with self._lock:
            stored, key = self._load(), self._find_key()
            kept = [(k, asdict(r)) for k, r in self._read_all(stored).items() if k != key]
            if result is not None:
                kept.append((key, asdict(result)))
            self._write({**stored, "results": dict(kept[-KEPT_RESULTS:])})

    def _find_key(self) -> str:
        if not self._key:
            self._key = fingerprint_graphics(self._platform)
        return self._key

    @staticmethod
    def _read_all(stored: dict[str, Any]) -> dict[str, OpenGLResult]:
        found = {}
        for key, value in stored["results"].items():
            with suppress(ValueError):
                found[key] = read_result(value)
        return found

    def _load(self) -> dict[str, Any]:
        try:
            stored = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            stored = None
        if not isinstance(stored, dict) or not isinstance(stored.get("results"), dict):
            return {"mode": AUTOMATIC, "results": {}}
        return {"mode": stored.get("mode"), "results": stored["results"]}

    def _write(self, stored: dict[str, Any]) -> None:
        fresh = self._file.with_suffix(f".{os.getpid()}.new")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
            os.replace(fresh, self._file)
        except OSError:  # OpenGL is tried again at the next start
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
