"""The turns of a chat, one under the other, at the width of a page.

Owns scrolling: it stays at the foot while it is there, makes room above without a jump, and
builds old turns only when they are scrolled to. Knows nothing of what a turn shows.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

COLUMN_WIDTH = 720
BATCH = 12
NEAR_TOP = 300


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
        self._earlier: list[Callable[[], QWidget]] = []
        self._stick = True
        self._from_foot: int | None = None
        self._release = QTimer(self, singleShot=True, interval=120)
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
        return len(self._earlier)

    def set_builders(self, builders: list[Callable[[], QWidget]]) -> None:
        """Show these turns instead of those; the newest are built now, the others on demand."""
        self.clear()
        self._earlier = list(builders[:-BATCH])
        for build in builders[-BATCH:]:
            self._column.insertWidget(self._column.count() - 1, build())
        self.scroll_to_foot()

    def clear(self) -> None:
        self._earlier = []
        for widget in self.widgets():
            self.remove(widget)
        self._stick = True

    def add(self, widget: QWidget) -> None:
        """Add a turn at the foot and go there."""
        self._column.insertWidget(self._column.count() - 1, widget)
        self.scroll_to_foot()

    def remove(self, widget: QWidget) -> None:
        self._column.removeWidget(widget)
        widget.hide()
        widget.deleteLater()

    def scroll_to_foot(self) -> None:
        self._stick = True
        self._from_foot = None
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def hold(self) -> None:
        """Stay where it is while something unfolds, also at the foot."""
        self._stick = False

    def _range_changed(self, _: int, maximum: int) -> None:
        if self._from_foot is not None:
            self.verticalScrollBar().setValue(maximum - self._from_foot)
            self._release.start()  # heights settle in several steps, late on a busy machine
        elif self._stick:
            self.verticalScrollBar().setValue(maximum)

    def _scrolled(self, value: int) -> None:
        bar = self.verticalScrollBar()
        if self._from_foot is not None:
            return
        self._stick = value >= bar.maximum() - 8
        if value < NEAR_TOP and self._earlier and bar.maximum() > 0:
            self._build_earlier()

    def _build_earlier(self) -> None:
        bar = self.verticalScrollBar()
        self._from_foot = bar.maximum() - bar.value()
        batch, self._earlier = self._earlier[-BATCH:], self._earlier[:-BATCH]
        for place, build in enumerate(batch):
            self._column.insertWidget(place, build())

    def _let_go(self) -> None:
        self._from_foot = None

    def _set_margins(self) -> None:
        # measured on the whole width, so that the column stands above the question box
        side = max(24, (self.width() - COLUMN_WIDTH) // 2)
        bar = self.width() - self.viewport().width()
        self._column.setContentsMargins(side, 24, max(8, side - bar), 8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_margins()
        super().resizeEvent(event)
