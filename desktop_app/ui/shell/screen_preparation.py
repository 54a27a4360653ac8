"""Prepares the screens that were not shown yet, while the user does nothing with them.

They are built (`ui/screens.py` has these steps). The first time a screen is shown, Qt gives each
of its widgets the style sheet and a place: 0.1 to 0.3 s for a screen with hundreds of widgets. All
this is done before, one small step in a turn of the event loop, with pauses, so that nobody waits
for it; while the user types or clicks, no step is done, and one that takes long only when the user
did nothing for a while. Knows no screen by name.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

T = TypeVar("T")
START_MS = 1_000  # after the window is shown, which has other work first
PAUSE_MS = 15  # between two steps: a key press comes first, and most steps take 5 to 20 ms
QUIET_S = 0.3  # since the last key or click: longer than between two keys of a fast typist
MOST_WAIT_S = 5.0  # after which a step is done nevertheless: a slow screen is worse than one step
STEP_S = 0.01  # of work that can be cut anywhere
INPUT = frozenset(
    (
        QEvent.Type.KeyPress,
        QEvent.Type.InputMethod,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
        QEvent.Type.TouchUpdate,
    )
)


class ScreenPreparation(QObject):
    """Runs the steps of the screens, then lays out the pages of a stack; `start` begins it.

    Args:
        stack: its hidden pages get the size that they will be shown with.
        steps: what builds the screens and what they load in advance, one step for each turn. A
            number that a step yields says that the next one takes long: so many seconds without a
            key or click have to pass before it, and it waits for them.
    """

    def __init__(
        self, stack: QStackedWidget, steps: Iterator[float | None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._stack = stack
        self._steps = self._iter_steps(steps)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._do_next)
        self._input_at = -QUIET_S  # by `time.monotonic`, of the last key or click
        self._stepped_at = 0.0  # of the last step
        self._quiet_s: float | None = None  # what the next step asked for
        self.is_done = False

    def start(self) -> None:
        self._stepped_at = time.monotonic()
        self._wait(START_MS)

    def stop(self) -> None:
        """Leave the other screens as they are; they are prepared when they are shown."""
        self._timer.stop()
        _application().removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in INPUT:
            self._input_at = time.monotonic()
        return False

    def _wait(self, pause_ms: int) -> None:
        """Do the next step after a pause, and note meanwhile whether the user does something.

        Not during the steps: the events of the widgets that they make are many.
        """
        _application().installEventFilter(self)
        self._timer.start(pause_ms)

    def _do_next(self) -> None:
        now = time.monotonic()
        missing_s = (self._quiet_s or QUIET_S) - (now - self._input_at)
        has_waited = self._quiet_s is None and now - self._stepped_at >= MOST_WAIT_S
        if missing_s > 0 and not has_waited:
            self._timer.start(max(PAUSE_MS, round(1000 * missing_s)))
            return
        _application().removeEventFilter(self)
        self._stepped_at = now
        try:
            self._quiet_s = next(self._steps)
        except StopIteration:
            self.is_done = True
        else:
            self._wait(PAUSE_MS)

    def _iter_steps(self, steps: Iterator[float | None]) -> Iterator[float | None]:
        yield from steps
        pages = [self._stack.widget(place) for place in range(self._stack.count())]
        for page in filter(None, pages):
            if not page.isVisible():
                page.resize(self._stack.size())
            yield from compute_size_hints(page)
            yield from place_widgets(page)
            lay_out_hidden(page, self._stack.size())
            yield None


def _application() -> QCoreApplication:
    application = QCoreApplication.instance()
    assert application is not None
    return application


def do_in_steps(do: Callable[[T], object], parts: Iterable[T]) -> Iterator[None]:
    """Call a function with one part after the other, in steps of `STEP_S`."""
    started = time.perf_counter()
    for part in parts:
        do(part)
        if time.perf_counter() - started > STEP_S:
            yield
            started = time.perf_counter()


def compute_size_hints(page: QWidget) -> Iterator[None]:
    """Compute the sizes that the layouts within a hidden page want, in steps of `STEP_S`.

    Layouts keep them, so that placing all widgets at once takes two thirds of the time.
    """

    def compute(widget: QWidget) -> None:
        if shiboken6.isValid(widget) and not page.isVisible():
            widget.ensurePolished()
            if (layout := widget.layout()) is not None:
                layout.totalSizeHint()

    page.ensurePolished()
    # children before what contains them
    yield from do_in_steps(compute, reversed(page.findChildren(QWidget)))


def place_widgets(page: QWidget) -> Iterator[None]:
    """Give the widgets within a hidden page their places, in steps of `STEP_S`.

    This is what Qt does when the page is shown: each layout places its widgets, and each widget
    gets the event that was kept back while it was hidden. `lay_out_hidden` does the rest.
    """
    pending = Qt.WidgetAttribute.WA_PendingResizeEvent

    def place(widget: QWidget) -> None:
        if shiboken6.isValid(widget) and not page.isVisible():
            if (layout := widget.layout()) is not None:
                layout.activate()
            if widget.testAttribute(pending):
                widget.setAttribute(pending, False)
                QApplication.sendEvent(widget, QResizeEvent(widget.size(), QSize()))

    # what contains others comes first
    yield from do_in_steps(place, (page, *page.findChildren(QWidget)))


def lay_out_hidden(page: QWidget, size: QSize) -> None:
    """Style a hidden page and all in it, and place them as if it had this size in the window."""
    if not page.isVisible():
        page.resize(size)
        page.grab(QRect(0, 0, 1, 1))  # Qt prepares the whole page and paints this part of it
