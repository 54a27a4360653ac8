"""The message bar: short messages at the bottom of the window, with an optional action.

`Messages` owns the current message, `MessageBar` shows it. Screens call `show` and `show_error`
and open no message boxes. `show_error` is the failure handler of every lane, so that an
operation needs no error handler of its own.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakSet

import shiboken6
from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QObject,
    QPoint,
    QPropertyAnimation,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from desktop_app.engine.errors import AppError, Cancelled, DamagedLibrary, EnvironmentProblem
from desktop_app.workers.failures import is_logged, log_failure

from .theme.theme import Theme
from .translation import tr, tr_message
from .widgets.buttons import IconButton
from .widgets.layout import build_row

# How long a message stays; None: until it is closed or replaced.
STAY_MS = {"info": 5000, "ok": 4000, "warn": 8000, "bad": None}
WITH_ACTION_MS = 10_000
GAP = 16  # pixels below a message
LEAST_HEIGHT = 40  # pixels of a message of one line
MESSAGE_ROOM = GAP + LEAST_HEIGHT + 8  # at the end of what a message would cover otherwise
LONGEST_PROBLEM = 160  # characters of a bug's own words that are shown
ICONS = {"info": "info", "ok": "check-circle", "warn": "warning", "bad": "warning-circle"}


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message with at most one action."""

    text: str
    kind: str = "info"
    action_text: str = ""
    action: Callable[[], None] | None = None

    @property
    def stay_ms(self) -> int | None:
        wanted = STAY_MS.get(self.kind, 5000)
        return wanted if wanted is None or not self.action_text else WITH_ACTION_MS


class Messages(QObject):
    """Takes messages on the window's thread; bars are connected to `posted`."""

    posted = Signal(object)
    cleared = Signal()
    report_requested = Signal(object)  # the exception

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.last: ShownMessage | None = None
        self.is_damage_shown = False  # by the banner of the window
        self.kept_clear: WeakSet[QWidget] = WeakSet()

    def keep_clear(self, widget: QWidget) -> None:
        """Place messages above this widget instead of over it."""
        self.kept_clear.add(widget)

    def show(
        self,
        text: str,
        *,
        kind: str = "info",
        action_text: str = "",
        action: Callable[[], None] | None = None,
    ) -> None:
        """Show one sentence; `action_text` is the text of its button."""
        self.last = ShownMessage(text, kind, action_text, action)
        self.posted.emit(self.last)

    def show_error(self, error: BaseException) -> None:
        """Show a failure and log it, unless it is logged already; `Cancelled` is not shown.

        An `AppError` is shown in its own words. Anything else is a bug, with a report.
        """
        if isinstance(error, Cancelled):
            return
        if isinstance(error, DamagedLibrary) and self.is_damage_shown and not error.is_refusal:
            return  # the banner shows it, and every reading screen would repeat it
        if not is_logged(error):
            log_failure(error, "a step in the window")
        if not shiboken6.isValid(self):  # the window was closed while the work still ran
            return
        if isinstance(error, AppError):
            kind = "bad" if isinstance(error, EnvironmentProblem) else "warn"
            self.show(describe_error(error), kind=kind)
            return
        self.show(
            describe_error(error),
            kind="bad",
            action_text=tr("Show report"),
            action=lambda: self.report_requested.emit(error),
        )

    def clear(self) -> None:
        self.last = None
        self.cleared.emit()


def describe_error(error: BaseException) -> str:
    """Return what happened and what to do, in the window's language; a bug in its own words."""
    if isinstance(error, AppError):
        return tr_message(error.full_message)
    problem = " ".join("".join(traceback.format_exception_only(error)).split())
    if len(problem) > LONGEST_PROBLEM:
        problem = f"{problem[:LONGEST_PROBLEM]}…"
    return tr("Something went wrong in Inkgraph: {problem}", problem=problem)


class MessageBar(QFrame):
    """One message at the bottom of `parent`; hides after a while, but not under the pointer."""

    def __init__(self, theme: Theme, messages: Messages, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("messageBar")
        self._theme = theme
        self._messages = messages
        self._message: ShownMessage | None = None
        self.icon = QLabel(self)
        self.text = QLabel(self)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.action = QPushButton(self)
        self.close_button = IconButton(theme, "close", tr("Close this message"), color="bg")
        build_row(
            self.icon,
            (self.text, 1),
            self.action,
            self.close_button,
            parent=self,
            margins=(16, 4, 8, 4),
        )
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.hide_message)
        self._slide = QPropertyAnimation(self, b"pos", self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.action.clicked.connect(self.act)
        self.close_button.clicked.connect(self.hide_message)
        messages.posted.connect(self.show_message)
        messages.cleared.connect(self.hide_message)
        theme.changed.connect(self._draw_icon)
        parent.installEventFilter(self)
        self.hide()

    def show_message(self, message: ShownMessage) -> None:
        """Show a message in place of what is there."""
        self._message = message
        self._draw_icon()
        self.text.setText(message.text)
        self.setAccessibleName(message.text)
        self.action.setText(message.action_text)
        self.action.setVisible(bool(message.action_text))
        was_hidden = self.isHidden()
        self.show()
        self._place()
        self.raise_()
        duration = self._theme.animation_ms(160)
        if was_hidden and duration:
            end = self.pos()
            self._slide.stop()
            self._slide.setDuration(duration)
            self._slide.setStartValue(end + QPoint(0, self.height() + 16))
            self._slide.setEndValue(end)
            self._slide.start()
        self._start_timer()

    def _draw_icon(self) -> None:
        name = ICONS.get(self._message.kind if self._message else "info", "info")
        self.icon.setPixmap(self._theme.icon(name, color="bg").pixmap(16, 16))

    def hide_message(self) -> None:
        self._timer.stop()
        self._slide.stop()
        self._message = None
        self.hide()

    def act(self) -> None:
        """Run the action of the message, if it has one."""
        if self.isHidden() or not self._has_action():
            return
        message = self._message
        self.hide_message()
        if message is not None and message.action is not None:
            message.action()

    def _start_timer(self) -> None:
        self._timer.stop()
        if self._message is not None and self._message.stay_ms is not None:
            self._timer.start(self._message.stay_ms)

    def _place(self) -> None:
        parent, layout = self.parentWidget(), self.layout()
        if parent is None or layout is None:
            return
        room = max(200, min(640, parent.width() - 32))
        natural = self.text.fontMetrics().horizontalAdvance(self.text.text()) + 8
        fixed = 96 + (self.action.sizeHint().width() + 8 if self._has_action() else 0)
        width = max(280, min(room, natural + fixed))
        height = max(LEAST_HEIGHT, layout.totalHeightForWidth(width))
        left, top = (parent.width() - width) // 2, parent.height() - height - GAP
        place = QRect(left, top, width, height)
        for widget in list(self._messages.kept_clear):
            if shiboken6.isValid(widget) and widget.isVisible() and parent.isAncestorOf(widget):
                taken = QRect(widget.mapTo(parent, QPoint(0, 0)), widget.size())
                if taken.intersects(place):
                    place.moveBottom(taken.top() - GAP)
        self.setGeometry(place)

    def _has_action(self) -> bool:
        return self._message is not None and bool(self._message.action_text)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._start_timer()
        super().leaveEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._slide.stop()
            self._place()
        return False
