"""Logs failures that no caller handles and passes them to the window.

Owns the log record of a failure and the exception hooks of the interpreter. Knows no widgets:
the composition root provides a `FailureHandler` that shows a failure.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from desktop_app.engine.errors import AppError, Cancelled
from desktop_app.engine.log_files import plain

log = logging.getLogger(__name__)

# Shows a failure to the user; called on the window's thread.
FailureHandler = Callable[[BaseException], None]

# The same bug is reported once in this time; a failing paint method fails 60 times a second.
REPEAT_S = 10.0
_LOGGED = "_inkgraph_logged"


def log_failure(error: BaseException, where: str) -> None:
    """Log a failure: an expected one as a sentence, a bug with its traceback.

    Args:
        where: what failed, such as the name of a function; the start of the log line.
    """
    if isinstance(error, Cancelled):
        return
    vars(error)[_LOGGED] = True
    if isinstance(error, AppError):
        cause = error.__cause__
        log.info("%s failed: %s, cause: %r", plain(where), error, cause)
    else:
        log.error("%s failed: this is a bug", plain(where), exc_info=error)


def is_logged(error: BaseException) -> bool:
    """Return whether `log_failure` was called with this exception."""
    return _LOGGED in vars(error)


class ExceptionHooks(QObject):
    """Reports uncaught exceptions of all threads.

    `install` replaces `sys.excepthook` (which also gets exceptions of Qt slots and overridden Qt
    methods), `threading.excepthook` and `sys.unraisablehook`; `restore` restores the previous
    hooks. A previous hook that is not Python's own, such as a debugger's, is still called.

    Args:
        show: called on the thread of this object, from the event loop and never from the method
            that failed, because that may be a paint method.
        clock: seconds, as `time.monotonic` counts them.
    """

    _caught = Signal(object)

    def __init__(
        self,
        show: FailureHandler,
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._show, self._clock = show, clock
        self._lock = threading.Lock()
        self._reported: dict[tuple[object, ...], float] = {}
        self._previous: tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]] | None = (
            None
        )
        self._caught.connect(self._show_caught, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Replace the three hooks."""
        if self._previous is None:
            self._previous = (sys.excepthook, threading.excepthook, sys.unraisablehook)
            sys.excepthook = self._on_exception
            threading.excepthook = self._on_thread_exception
            sys.unraisablehook = self._on_unraisable

    def restore(self) -> None:
        """Restore the previous hooks."""
        if self._previous is not None:
            sys.excepthook, threading.excepthook, sys.unraisablehook = self._previous
            self._previous = None

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, tb: TracebackType | None
    ) -> None:
        previous = self._previous[0] if self._previous else sys.__excepthook__
        if not issubclass(kind, Exception):  # KeyboardInterrupt and SystemExit end the program
            previous(kind, error, tb)
            return
        self._report(error, "a slot or a callback")  # not shown
        if previous is not sys.__excepthook__:
            previous(kind, error, tb)

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        previous = self._previous[1] if self._previous else threading.__excepthook__
        if isinstance(args.exc_value, Exception):
            name = args.thread.name if args.thread is not None else "unknown"
            self._report(args.exc_value, f"thread {name}")  # not shown
        if previous is not threading.__excepthook__:
            previous(args)

    def _on_unraisable(self, args: sys.UnraisableHookArgs) -> None:
        """Log an exception that cannot propagate, such as one in `__del__`; it is not shown."""
        previous = self._previous[2] if self._previous else sys.__unraisablehook__
        if args.exc_value is not None:
            what = args.err_msg or "Exception ignored in"  # not shown
            log.error("%s %r", plain(what), args.object, exc_info=args.exc_value)
        if previous is not sys.__unraisablehook__:
            previous(args)

    def _report(self, error: BaseException, where: str) -> None:
        if isinstance(error, Cancelled):
            return
        frames = traceback.extract_tb(error.__traceback__)[-1:]
        key = (type(error), *((frame.filename, frame.lineno) for frame in frames))
        now = self._clock()
        with self._lock:
            last = self._reported.get(key)
            if last is not None and now - last < REPEAT_S:
                return
            self._reported[key] = now
        log_failure(error, where)
        with suppress(RuntimeError):  # the Qt object is gone: the program is ending
            self._caught.emit(error)

    @Slot(object)
    def _show_caught(self, error: BaseException) -> None:
        try:
            self._show(error)
        except Exception as failure:  # raising it would call the hook again, without end
            log_failure(failure, "showing a failure")
