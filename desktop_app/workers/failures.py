"""What becomes of a failure that no caller handles: it is logged, then handed to the window.

Owns the log record of a failure and the exception hooks of the interpreter. Knows no widgets:
who shows a failure is a `FailureHandler` given by the composition root.
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

from PySide6.QtCore import QObject, Qt, Signal, Slot

from desktop_app.engine.errors import AppError, Cancelled

log = logging.getLogger(__name__)

# Shows a failure to the user; called on the window's thread.
FailureHandler = Callable[[BaseException], None]

# The same bug is reported once in this time: a widget that fails to paint fails 60 times a second.
REPEAT_S = 10.0
_LOGGED = "_inkgraph_logged"


def log_failure(error: BaseException, where: str) -> None:
    """Log a failure: an expected one as a sentence, a bug with its traceback.

    Args:
        where: what failed, such as the name of the function; begins the log line.
    """
    if isinstance(error, Cancelled):
        return
    with suppress(AttributeError):  # an exception type with slots
        setattr(error, _LOGGED, True)
    if isinstance(error, AppError):
        cause = error.__cause__
        log.info("%s failed: %s%s", where, error, f" ({cause!r})" if cause is not None else "")
    else:
        log.error("%s failed: this is a bug", where, exc_info=error)


def is_logged(error: BaseException) -> bool:
    """Whether `log_failure` was called with this exception."""
    return getattr(error, _LOGGED, False)


class ExceptionHooks(QObject):
    """Reports the exceptions that no code catches, in whichever thread they are raised.

    `install` replaces `sys.excepthook` (which also gets what a Qt slot or an overridden Qt method
    raises), `threading.excepthook` and `sys.unraisablehook`; `restore` puts the former hooks back.
    A hook that was not Python's own, such as a debugger's, is still called.

    Args:
        show: called on the thread that made this object, from the event loop: never from within
            the method that failed, which may be painting.
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
        self._former: tuple[Callable, Callable, Callable] | None = None
        self._caught.connect(self._show_caught, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Take over the three hooks."""
        if self._former is None:
            self._former = (sys.excepthook, threading.excepthook, sys.unraisablehook)
            sys.excepthook = self._on_exception
            threading.excepthook = self._on_thread_exception
            sys.unraisablehook = self._on_unraisable

    def restore(self) -> None:
        """Put the former hooks back."""
        if self._former is not None:
            sys.excepthook, threading.excepthook, sys.unraisablehook = self._former
            self._former = None

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, tb: TracebackType | None
    ) -> None:
        former = self._former[0] if self._former else sys.__excepthook__
        if not issubclass(kind, Exception):  # KeyboardInterrupt and SystemExit end the program
            former(kind, error, tb)
            return
        self._report(error, "a slot or a callback")  # not shown
        if former is not sys.__excepthook__:
            former(kind, error, tb)

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        former = self._former[1] if self._former else threading.__excepthook__
        if isinstance(args.exc_value, Exception):
            name = args.thread.name if args.thread is not None else "unknown"
            self._report(args.exc_value, f"thread {name}")  # not shown
        if former is not threading.__excepthook__:
            former(args)

    def _on_unraisable(self, args: sys.UnraisableHookArgs) -> None:
        """Log what is raised where nothing can be raised, such as in `__del__`; not shown."""
        former = self._former[2] if self._former else sys.__unraisablehook__
        if args.exc_value is not None:
            what = args.err_msg or "Exception ignored in"  # not shown
            log.error("%s %r", what, args.object, exc_info=args.exc_value)
        if former is not sys.__unraisablehook__:
            former(args)

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
        except Exception as failure:  # through the hook again, it would never end
            log_failure(failure, "showing a failure")
