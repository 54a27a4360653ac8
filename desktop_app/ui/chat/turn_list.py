"""The turns of a chat, one under the other, at the width of a page.

Owns scrolling: it stays at the foot while it is there, makes room above without a jump, and
builds turns only when they are scrolled to. Knows nothing of what a turn shows.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

COLUMN_WIDTH = 720
FIRST, BATCH = 6, 2  # built at first, and with each step
MOST = 28  # built at a time; those far away are given up
NEAR = 500
ABOVE, BELOW = 3, 5  # of a turn that is gone to
TOP = 16
Build = Callable[[], QWidget]


class TurnList(QScrollArea):
    """Shows widgets made by `build`, newest at the foot."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Conversation")
        self._body = QWidget(self)
        self._body.setObjectName("screenBody")
        self._column = QVBoxLayout(self._body)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        self.setWidget(self._body)
        self._all: list[Build] = []
        self._begin = self._end = 0  # which of them are built; others were added at the foot
        self._stick = True
        self._anchor: tuple[QWidget, int] | None = None  # what stays where it is, and where
        self._release = QTimer(self, singleShot=True)
        self._release.timeout.connect(self._let_go)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._range_changed)
        bar.valueChanged.connect(self._scrolled)
        self._set_margins()

    @property
    def is_at_foot(self) -> bool:
        return self._stick

    def widgets(self) -> list[QWidget]:
        """Return the turns that are built, oldest first."""
        found = [self._column.itemAt(i).widget() for i in range(self._column.count())]
        return [w for w in found if w is not None]

    @property
    def n_earlier(self) -> int:
        """How many turns wait above to be built."""
        return self._begin

    @property
    def n_later(self) -> int:
        """How many wait below."""
        return len(self._all) - self._end

    def set_builders(self, builders: list[Build], at: int | None = None) -> None:
        """Show these turns instead of those: the newest, or those around `at`."""
        self.clear()
        self._all = list(builders)
        self._begin, self._end = max(0, len(builders) - FIRST), len(builders)
        if at is not None and at < self._begin:
            self._begin, self._end = max(0, at - ABOVE), at + BELOW
        for build in self._all[self._begin : self._end]:
            self._column.insertWidget(self._column.count() - 1, build())
        if at is None:
            self.scroll_to_foot()
        elif 0 <= at - self._begin < len(self.widgets()):
            self._stick = False
            self._hold(self.widgets()[at - self._begin], TOP, 400)
            QTimer.singleShot(0, self, self._reach)

    def clear(self) -> None:
        self._all, self._begin, self._end = [], 0, 0
        self._anchor = None
        for widget in self.widgets():
            self._drop(widget)
        self._stick = True

    def add(self, widget: QWidget) -> None:
        """Add a turn at the foot and go there."""
        if self.n_later:  # far up: the turns between would be built for nobody
            self.set_builders(self._all)
        self._column.insertWidget(self._column.count() - 1, widget)
        self.scroll_to_foot()

    def remove(self, widget: QWidget) -> None:
        """Take a turn away that was added at the foot."""
        self._drop(widget)

    def cut_at(self, widget: QWidget) -> list[QWidget]:
        """Take this turn and all after it away; return those that were built."""
        shown = self.widgets()
        place = shown.index(widget) if widget in shown else len(shown)
        self._end = min(self._end, self._begin + place)
        self._all = self._all[: self._end]
        for one in shown[place:]:
            self._drop(one)
        return shown[place:]

    def scroll_to_foot(self) -> None:
        self._stick = True
        self._anchor = None
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def hold(self) -> None:
        """Stay where it is while something unfolds, also at the foot."""
        self._stick = False

    # --- staying in place -----------------------------------------------------------------------

    def _hold(self, widget: QWidget, offset: int, ms: int = 60) -> None:
        self._anchor = (widget, offset)
        self._release.start(ms)  # heights settle in several steps, late on a busy machine

    def _hold_what_is_read(self) -> None:
        top = self.verticalScrollBar().value()
        for widget in self.widgets():
            if widget.y() + widget.height() > top:
                self._hold(widget, widget.y() - top)
                return

    def _reach(self) -> None:
        if self._anchor is not None:
            widget, offset = self._anchor
            self.verticalScrollBar().setValue(max(0, widget.y() - offset))

    def _let_go(self) -> None:
        self._reach()
        self._anchor = None
        self._scrolled(self.verticalScrollBar().value())

    def _range_changed(self, _: int, maximum: int) -> None:
        if self._anchor is not None:
            self._reach()
            if self._release.remainingTime() < 60:
                self._release.start(60)
        elif self._stick:
            self.verticalScrollBar().setValue(maximum)

    def _scrolled(self, value: int) -> None:
        bar = self.verticalScrollBar()
        if self._anchor is not None:
            return
        self._stick = value >= bar.maximum() - 8 and not self.n_later
        if value < NEAR and self.n_earlier and bar.maximum() > 0:
            self._build_earlier()
        elif value > bar.maximum() - NEAR and self.n_later:
            self._build_later()

    def _build_earlier(self) -> None:
        self._hold_what_is_read()
        begin = max(0, self._begin - BATCH)
        for place, build in enumerate(self._all[begin : self._begin]):
            self._column.insertWidget(place, build())
        self._begin = begin
        built = self.widgets()
        # what was added at the foot can't be built again and keeps all above it
        while len(built) > MOST and len(built) == self._end - self._begin:
            self._drop(built.pop())
            self._end -= 1

    def _build_later(self) -> None:
        self._hold_what_is_read()
        end = min(len(self._all), self._end + BATCH)
        for build in self._all[self._end : end]:
            self._column.insertWidget(self._column.count() - 1, build())
        self._end = end
        built = self.widgets()
        while len(built) > MOST:
            self._drop(built.pop(0))
            self._begin += 1

    def _drop(self, widget: QWidget) -> None:
        if self._anchor is not None and self._anchor[0] is widget:
            self._anchor = None
        self._column.removeWidget(widget)
        widget.hide()
        widget.deleteLater()

    def _set_margins(self) -> None:
        # measured on the whole width, so that the column stands above the question box
        side = max(24, (self.width() - COLUMN_WIDTH) // 2)
        bar = self.width() - self.viewport().width()
        self._column.setContentsMargins(side, 24, max(8, side - bar), 8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_margins()
        super().resizeEvent(event)
