"""The head of the merge desk: its title, its three parts with their counts, two buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QTabBar, QWidget

from desktop_app.ui.language import later, tr
from desktop_app.ui.widgets import Label, format_number

PARTS = (later("To decide"), later("Made one on their own"), later("Who is meant?"))
TO_DECIDE, JOINED, DOUBTFUL = range(3)
HEIGHT = 51


class DeskHead(QWidget):
    """Emits `part_changed` with one of TO_DECIDE, JOINED, DOUBTFUL."""

    part_changed = Signal(int)

    def __init__(self, buttons: Sequence[QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT)
        self.tabs = QTabBar(self)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(tr("Parts of the merge desk"))
        for words in PARTS:
            self.tabs.addTab(tr(words))
        self.tabs.currentChanged.connect(self.part_changed)
        row = QHBoxLayout(self, spacing=8)
        row.setContentsMargins(16, 0, 8, 0)
        row.addWidget(Label(tr("Merge desk"), "title", self))
        row.addSpacing(8)
        row.addWidget(self.tabs, 1)  # all the room: its hint lags behind the counts
        for button in buttons:
            row.addWidget(button)

    @property
    def part(self) -> int:
        return self.tabs.currentIndex()

    def set_part(self, part: int) -> None:
        self.tabs.setCurrentIndex(part)

    def step(self, by: int) -> None:
        """Go to the next part or the one before, round and round."""
        self.tabs.setCurrentIndex((self.part + by) % len(PARTS))

    def set_counts(self, counts: Sequence[int]) -> None:
        """Say how many there are of each part."""
        for part, (words, n) in enumerate(zip(PARTS, counts, strict=True)):
            self.tabs.setTabText(part, f"{tr(words)}  {format_number(n)}" if n else tr(words))
