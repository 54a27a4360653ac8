"""The list of a conversation's turns: scrolling, and which widgets exist.

It stays at the bottom while it is there, adds turns above without a jump, and builds widgets only
near the visible part. A chat opens at the question of its last turn if that is higher than the
view, else at the bottom.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from ..messages import MESSAGE_ROOM
from ..theme.theme import Theme
from ..translation import tr
from ..widgets import STRETCH, build_column
from ..widgets.layout import ScrollFade
from .sources import INDENT
from .turn_widget import AFTER_TURN, TurnWidget

COLUMN_WIDTH = 720
FIRST = 2  # built at once; others one by one, so that the window stays responsive
FILL_MS = 10  # until a new widget has its height
MOST = 28  # built at a time; widgets far away are deleted
NEAR = 500
ABOVE, BELOW = 1, 2  # distance from the top for a turn that is scrolled to
TOP = 24  # as the first turn, which does not move where all turns fit
OPENING_MS = 400  # in which the turns of a chat that is opened get their heights
Build = Callable[[], TurnWidget]


class TurnList(QScrollArea):
    """Shows widgets made by `build`, newest at the bottom."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Conversation"))
        self._body = QWidget(self)
        self._body.setObjectName("screenBody")
        self._column = build_column(STRETCH, parent=self._body, spacing=0)
        self.setWidget(self._body)
        ScrollFade(theme, self)  # its parent keeps it
        self.rest: QWidget | None = None  # gets the focus when the focused turn is deleted
        self._all: list[Build] = []
        self._begin = self._end = 0  # the range of built turns; others were added at the bottom
        self._stick = True
        self._keeps_top = False  # of the last turn, while its answer grows
        self.anchor: tuple[QWidget, int] | None = None  # keeps its position
        self._value = 0
        self._moves = False  # while the list scrolls by itself
        self.fill_timer = QTimer(self, singleShot=True, interval=FILL_MS)
        self.fill_timer.timeout.connect(self._fill)
        self._release = QTimer(self, singleShot=True)
        self._release.timeout.connect(self._release_anchor)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._range_changed)
        bar.valueChanged.connect(self._scrolled)

    def widgets(self) -> list[TurnWidget]:
        """Return the widgets that exist, oldest first."""
        items = (self._column.itemAt(i) for i in range(self._column.count()))
        found = [item.widget() for item in items if item is not None]
        return [cast(TurnWidget, widget) for widget in found if widget is not None]

    @property
    def n_earlier(self) -> int:
        """The number of turns above without a widget."""
        return self._begin

    @property
    def n_later(self) -> int:
        """The number of turns below without a widget."""
        return len(self._all) - self._end

    def set_builders(self, builders: list[Build], at: int | None = None) -> None:
        """Show these turns: the newest one from its top, or those around `at`."""
        self.clear()
        self._all = list(builders)
        self._begin, self._end = max(0, len(builders) - FIRST), len(builders)
        if at is not None and at < self._begin:
            self._begin, self._end = max(0, at - ABOVE), at + BELOW
        for build in self._all[self._begin : self._end]:
            self._column.insertWidget(self._column.count() - 1, build())
        if at is None:
            self._show_newest()
        elif 0 <= at - self._begin < len(self.widgets()):
            self._stick = False
            self._hold(self.widgets()[at - self._begin], TOP, OPENING_MS)
            QTimer.singleShot(0, self, self._reach)
        self.fill_timer.start()

    def _show_newest(self) -> None:
        """Show the top of the last turn; a turn that fits is at the bottom, which is kept."""
        self.scroll_to_bottom()
        if shown := self.widgets():
            self._hold(shown[-1], TOP, OPENING_MS)

    def clear(self) -> None:
        focused = QApplication.focusWidget()
        if self.rest is not None and focused is not None and self.isAncestorOf(focused):
            self.rest.setFocus()
        self._all, self._begin, self._end = [], 0, 0
        self.anchor = None
        for widget in self.widgets():
            self.remove(widget)
        self._stick, self._keeps_top = True, False

    def add(self, widget: QWidget) -> None:
        """Add a turn at the bottom and scroll to it."""
        if self.n_later:  # far up: the turns between need no widgets
            self.set_builders(self._all)
        self._column.insertWidget(self._column.count() - 1, widget)
        self.scroll_to_bottom()

    def cut_at(self, widget: TurnWidget) -> list[TurnWidget]:
        """Remove this turn and all after it; return the removed widgets."""
        shown = self.widgets()
        place = shown.index(widget) if widget in shown else len(shown)
        self._end = min(self._end, self._begin + place)
        self._all = self._all[: self._end]
        for one in shown[place:]:
            self.remove(one)
        return shown[place:]

    def scroll_to_bottom(self) -> None:
        self._stick, self._keeps_top = True, False
        self.anchor = None
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def show_top_of(self, widget: TurnWidget) -> None:
        """Scroll to the question, where it stays while its answer grows above the passages.

        Nothing moves if the whole list is visible or the user reads elsewhere.
        """
        if self._stick and widget in self.widgets():
            self._stick, self._keeps_top = False, True
            self._hold(widget, TOP)

    def scroll_by(self, pixels: int) -> None:
        """Scroll with what moves, so that it keeps its place on the screen."""
        self._stick = False
        self.anchor = None
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + pixels)

    def hold(self) -> None:
        """Keep the scroll position while something expands, also at the bottom."""
        self._stick = False

    def _hold(self, widget: QWidget, offset: int, ms: int = 60) -> None:
        self.anchor = (widget, offset)
        self._release.start(ms)  # heights change in several steps, late on a busy machine

    def _hold_position(self) -> None:
        if self.anchor is not None:  # new widgets may have no height yet
            self._release.start(max(60, self._release.remainingTime()))
            return
        top = self.verticalScrollBar().value()
        for widget in self.widgets():
            if widget.y() + widget.height() > top:
                self._hold(widget, widget.y() - top)
                return

    def _reach(self) -> None:
        if self.anchor is not None:
            widget, offset = self.anchor
            self._moves = True
            self.verticalScrollBar().setValue(max(0, widget.y() - offset))
            self._moves = False

    def _release_anchor(self) -> None:
        self._reach()
        self.anchor = None
        self._scrolled(self.verticalScrollBar().value())

    def _range_changed(self, _: int, maximum: int) -> None:
        if self.anchor is not None:
            self._reach()
            if self._release.remainingTime() < 60:
                self._release.start(60)
        elif self._stick:
            self.verticalScrollBar().setValue(maximum)

    def _scrolled(self, value: int) -> None:
        bar = self.verticalScrollBar()
        by, self._value = value - self._value, value
        if self.anchor is None:
            is_at_end = value >= bar.maximum() - 8 and not self.n_later
            self._stick = is_at_end and not self._keeps_top
        elif not self._moves:  # the user scrolls on while heights change
            widget, offset = self.anchor
            self.anchor = (widget, offset - by)
        if value < NEAR or value > bar.maximum() - NEAR:
            self.fill_timer.start()

    def _fill(self) -> None:
        """Build one more turn if the view is near the end of the built ones."""
        bar = self.verticalScrollBar()
        if self.n_earlier and bar.value() < NEAR:
            if not self._stick:
                self._hold_position()
            self._begin -= 1
            self._column.insertWidget(0, self._all[self._begin]())
            built = self.widgets()
            # turns added at the bottom can't be built again, so all above them stay
            while len(built) > MOST and len(built) == self._end - self._begin:
                self.remove(built.pop())
                self._end -= 1
        elif self.n_later and bar.value() > bar.maximum() - NEAR:
            self._hold_position()
            self._column.insertWidget(self._column.count() - 1, self._all[self._end]())
            self._end += 1
            built = self.widgets()
            while len(built) > MOST:
                self.remove(built.pop(0))
                self._begin += 1
        else:
            return
        self.fill_timer.start()

    def remove(self, widget: QWidget) -> None:
        """Remove a turn that was added at the bottom."""
        if self.anchor is not None and self.anchor[0] is widget:
            self.anchor = None
        self._column.removeWidget(widget)
        widget.hide()
        widget.deleteLater()

    def resizeEvent(self, event: QResizeEvent) -> None:
        # measured on the whole width, so that the column is aligned with the question box
        side = max(24, (self.width() - COLUMN_WIDTH) // 2)
        side -= INDENT  # texts begin and end where the box does; grounds of cards are wider
        bar = self.width() - self.viewport().width()
        # at the bottom, so that the last lines are visible above a message
        below = MESSAGE_ROOM - AFTER_TURN
        self._column.setContentsMargins(side, TOP, max(0, side - bar), below)
        super().resizeEvent(event)
