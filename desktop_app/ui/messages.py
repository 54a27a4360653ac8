"""The message bar: short messages where they cover nothing, with an optional action.

`Messages` owns the current message, `MessageBar` shows it. Screens call `show` and `show_error`
and open no message boxes. `show_error` is the failure handler of every lane, so that an
operation needs no error handler of its own.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
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
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLabel,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from desktop_app.engine.errors import AppError, Cancelled, DamagedLibrary, EnvironmentProblem
from desktop_app.workers.failures import is_logged, log_failure

from .theme.theme import Theme
from .translation import tr, tr_message
from .widgets.buttons import IconButton
from .widgets.layout import STRETCH, ToolbarRow, build_row

# How long a message stays; None: until it is closed or replaced.
STAY_MS = {"info": 5000, "ok": 4000, "warn": 8000, "bad": None}
WITH_ACTION_MS = 10_000
GAP = 16  # pixels at the left of a message and below it
ASIDE_GAP = 8  # the same beside the screens
STRIP_GAP = 4  # the same above and below it in a strip of its own
ACTION_PADDING = 12  # pixels at the left of an action's text
LEAST_WIDTH = 280  # pixels, unless the text is shorter
LEAST_HEIGHT = 40  # pixels of a message of one line
MESSAGE_ROOM = GAP + LEAST_HEIGHT + 8  # at the end of what a message would cover otherwise
LONGEST_PROBLEM = 160  # characters of a bug's own words that are shown
REPLACED_BY = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)
HEAD_CHANGED_BY = (*REPLACED_BY, QEvent.Type.LayoutRequest)
GUARD_MS = 500  # in which a click meant for what was there before does not hit a new message
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
    report_wanted = Signal(object)  # the exception

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

    def show_error(self, error: BaseException, *, is_answer: bool = False) -> None:
        """Show a failure and log it, unless it is logged already; `Cancelled` is not shown.

        An `AppError` is shown in its own words. Anything else is a bug, with a report.

        Args:
            is_answer: the user waits for a result, so that the banner of damage does not suffice.
        """
        if isinstance(error, Cancelled):
            return
        is_reading = isinstance(error, DamagedLibrary) and not error.is_refusal
        if is_reading and self.is_damage_shown and not is_answer:
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
            action=lambda: self.report_wanted.emit(error),
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


def find_free_span(row: QWidget) -> QRect:
    """Return the widest part of a row in which there is neither a text nor a control."""
    taken = sorted((a.left(), a.right() + 1) for a in _iter_taken(row, row))
    best, end = (0, 0), 0
    for left, right in [*taken, (row.width(), row.width())]:
        if left - end > best[1] - best[0]:
            best = end, left
        end = max(end, right)
    return QRect(best[0], 0, best[1] - best[0], row.height())


def _iter_taken(widget: QWidget, row: QWidget) -> Iterator[QRect]:
    """Return the areas of texts and controls in a widget, in the row that it is in."""
    for child in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if not child.isVisibleTo(row) or child.isWindow():
            continue
        area = QRect(child.mapTo(row, QPoint(0, 0)), child.size())
        if isinstance(child, QLabel):  # a label may be wider than its text
            width = min(area.width(), child.sizeHint().width())
            is_right = child.alignment() & Qt.AlignmentFlag.AlignRight
            left = area.right() + 1 - width if is_right else area.left()
            yield QRect(left, area.top(), width, area.height())
        elif type(child) is QWidget or isinstance(child, QStackedWidget):
            yield from _iter_taken(child, row)
        else:
            yield area


class MessageBar(QFrame):
    """One message in an area; hides after a while, but not under the pointer.

    It covers nothing while there is room: beside the screens, otherwise in the free part of the
    head of a screen. A message that fits in neither gets a strip below the screen, which becomes
    smaller; over the screen it is only where that has buttons at its bottom, which must not move
    under the mouse.

    Args:
        area: what the message belongs to: `parent` or a widget in it.
        aside: where the message is shown while it is visible and high enough: the part of the
            sidebar that gives way.
        strip: a widget at the bottom of the area, which is as high as the message and hidden
            without one; None: the message is over the screen.
    """

    def __init__(
        self,
        theme: Theme,
        messages: Messages,
        parent: QWidget,
        *,
        area: QWidget | None = None,
        aside: QWidget | None = None,
        strip: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("messageBar")
        self._theme = theme
        self._messages = messages
        self._parent, self._area, self._aside = parent, area or parent, aside
        self._strip = strip
        self._message: ShownMessage | None = None
        self.icon = QLabel(self)
        self.text = QLabel(self)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.action = QPushButton(self)
        self.close_button = IconButton(theme, "close", tr("Close this message"), color="bg")
        self._head = build_row(self.icon, (self.text, 1))
        self._tail = build_row(self.action, STRETCH, self.close_button, spacing=8)
        self._row = build_row((self._head, 1), self._tail, parent=self, margins=(16, 4, 8, 4))
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.hide_message)
        self._is_over_screen = False
        self._watched: WeakSet[QWidget] = WeakSet()  # heads of screens
        self._settle = QTimer(self, singleShot=True, interval=0)
        self._settle.timeout.connect(self._place)
        self._guard = QTimer(self, singleShot=True, interval=GUARD_MS)
        self._guard.timeout.connect(lambda: self._let_clicks_through(False))
        self._slide = QPropertyAnimation(self, b"pos", self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.action.clicked.connect(self.act)
        self.close_button.clicked.connect(self.hide_message)
        messages.posted.connect(self.show_message)
        messages.cleared.connect(self.hide_message)
        if strip is not None:
            strip.hide()
        theme.changed.connect(self._draw_icon)
        for watched in (parent, area, aside):
            if watched is not None:
                watched.installEventFilter(self)
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
        if self.rect().contains(self.mapFromGlobal(QCursor.pos())):
            self._let_clicks_through(True)
            self._guard.start()
        duration = self._theme.animation_ms(160)
        if was_hidden and duration and self._is_over_screen:
            end = self.pos()
            self._slide.stop()
            self._slide.setDuration(duration)
            self._slide.setStartValue(end + QPoint(0, self.height() + 16))
            self._slide.setEndValue(end)
            self._slide.start()
        self._start_timer()

    def _let_clicks_through(self, through: bool) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, through)

    def _draw_icon(self) -> None:
        name = ICONS.get(self._message.kind if self._message else "info", "info")
        self.icon.setPixmap(self._theme.icon(name, color="bg").pixmap(16, 16))

    def hide_message(self) -> None:
        self._timer.stop()
        self._slide.stop()
        self._message = None
        self.hide()
        self._size_strip(0)

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
        self._is_over_screen = False
        if self._place_aside() or self._place_in_head():
            self._size_strip(0)
            return
        self._is_over_screen = not self._place_below()

    def _place_aside(self) -> bool:
        """Take the place beside the screens; False where there is no room."""
        aside = self._aside
        if aside is None or not aside.isVisible():
            return False
        self._lay_out(stacked=self._has_action(), margins=(12, 8, 4, 4))
        room = QRect(aside.mapTo(self._parent, QPoint(0, 0)), aside.size())
        room.adjust(ASIDE_GAP, 0, -ASIDE_GAP, 0)
        height = self._row.totalHeightForWidth(room.width())
        if height + ASIDE_GAP > room.height():
            return False
        room.setTop(room.bottom() + 1 - ASIDE_GAP - height)
        room.setHeight(height)
        self.setGeometry(room)
        return True

    def _place_in_head(self) -> bool:
        """Take the free part of the head of a screen; False where the text does not fit there."""
        self._lay_out(stacked=False, margins=(12, 2, 4, 2))
        natural = self._find_natural_width()
        for row in self._area.findChildren(ToolbarRow):
            if not row.isVisible():
                continue
            span = find_free_span(row)
            width = min(natural, span.width() - 2 * ASIDE_GAP)
            if width < min(natural, LEAST_WIDTH):
                continue
            height = self._row.totalHeightForWidth(width)
            if height > row.height() - 4:  # more than two lines
                continue
            corner = row.mapTo(self._parent, span.topLeft())
            left = corner.x() + span.width() - ASIDE_GAP - width
            self.setGeometry(left, corner.y() + (row.height() - height) // 2, width, height)
            self._head.setAlignment(self.icon, Qt.AlignmentFlag.AlignVCenter)
            if row not in self._watched:  # it may be hidden, or its texts may become longer
                self._watched.add(row)
                row.installEventFilter(self)
            return True
        return False

    def _find_natural_width(self) -> int:
        """Return the width in which the text is on one line."""
        text = self.text.fontMetrics().horizontalAdvance(self.text.text()) + 8
        return text + 96 + (self.action.sizeHint().width() + 8 if self._has_action() else 0)

    def _size_strip(self, height: int) -> None:
        """Give the strip a height in pixels; 0 hides it."""
        if self._strip is not None:
            self._strip.setFixedHeight(max(1, height))
            self._strip.setVisible(height > 0)

    def _place_below(self) -> bool:
        """Take the place at the bottom left of the area, above what is kept clear.

        Returns:
            True if nothing is kept clear there, so that the strip makes room for the message.
        """
        parent = self._parent
        self._lay_out(stacked=False, margins=(16, 4, 8, 4))
        area = QRect(self._area.mapTo(parent, QPoint(0, 0)), self._area.size())
        room = max(200, min(640, area.width() - 2 * GAP))
        natural = self._find_natural_width()
        width = max(LEAST_WIDTH, min(room, natural))
        if natural <= width:
            self._head.setAlignment(self.icon, Qt.AlignmentFlag.AlignVCenter)
        height = max(LEAST_HEIGHT, self._row.totalHeightForWidth(width))
        kept_clear = [
            widget
            for widget in list(self._messages.kept_clear)
            if shiboken6.isValid(widget) and widget.isVisible() and self._area.isAncestorOf(widget)
        ]
        if self._strip is not None and not kept_clear:
            self._size_strip(height + 2 * STRIP_GAP)
            bottom = area.bottom() + 1 - STRIP_GAP
            self.setGeometry(area.left() + GAP, bottom - height, width, height)
            return True
        self._size_strip(0)
        place = QRect(area.left() + GAP, area.bottom() + 1 - height - GAP, width, height)
        for widget in kept_clear:
            taken = QRect(widget.mapTo(parent, QPoint(0, 0)), widget.size())
            if taken.intersects(place):
                place.moveBottom(taken.top() - GAP)
        self.setGeometry(place)
        return False

    def _lay_out(self, *, stacked: bool, margins: tuple[int, int, int, int]) -> None:
        """Place the action beside the text, or below it in a narrow place."""
        self._head.setAlignment(self.icon, Qt.AlignmentFlag.AlignTop)  # beside the first line
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if stacked else direction.LeftToRight)
        self._row.setContentsMargins(*margins)
        indent = self.icon.sizeHint().width() + self._head.spacing() if stacked else 0
        self._tail.setContentsMargins(max(0, indent - ACTION_PADDING), 0, 0, 0)
        self._row.invalidate()

    def _has_action(self) -> bool:
        return self._message is not None and bool(self._message.action_text)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._start_timer()
        super().leaveEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.isVisible():
            return False
        if watched in self._watched:
            is_gone = event.type() == QEvent.Type.Hide  # another screen is about to be shown
            if is_gone or (event.type() in HEAD_CHANGED_BY and not self.underMouse()):
                self._settle.start()
        elif event.type() in REPLACED_BY:
            self._slide.stop()
            self._place()
        return False
