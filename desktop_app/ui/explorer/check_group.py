"""A list of things with counts to tick: what is not ticked is left out of the picture.

Owns its boxes and which are off. Knows keys and words, not what they are of.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.ui.widgets import CheckBox, SectionTitle, format_number


class CheckGroup(QWidget):
    """Boxes under a title; `changed` when one was pressed. Without lines it is not there."""

    changed = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 8)
        self._column.setSpacing(4)
        self._column.addWidget(SectionTitle(title))
        self.boxes: dict[Hashable, CheckBox] = {}
        self._hidden: frozenset = frozenset()
        self.hide()

    def hidden(self) -> frozenset:
        """Return the keys that are off, also such as are not in the picture now."""
        return self._hidden

    def set_hidden(self, keys: Iterable[Hashable]) -> None:
        self._hidden = frozenset(keys)
        for key, box in self.boxes.items():
            box.blockSignals(True)
            box.setChecked(key not in self._hidden)
            box.blockSignals(False)

    def set_lines(self, lines: Sequence[tuple[Hashable, str, int]]) -> None:
        """Show these (key, words, count)."""
        for box in self.boxes.values():
            self._column.removeWidget(box)
            box.hide()
            box.deleteLater()
        self.boxes = {}
        for key, words, count in lines:
            line = " ".join(words.split()).replace("&", "&&")
            middle = Qt.TextElideMode.ElideMiddle  # the count stays in sight
            box = CheckBox(f"{line} ({format_number(count)})", self, mode=middle)
            box.setToolTip(words)
            box.setChecked(key not in self._hidden)
            box.toggled.connect(lambda on, key=key: self._toggle(key, on))
            self._column.addWidget(box)
            self.boxes[key] = box
        self.setVisible(len(lines) > 1 or not self._hidden.isdisjoint(self.boxes))

    def _toggle(self, key: Hashable, on: bool) -> None:
        self._hidden = self._hidden - {key} if on else self._hidden | {key}
        self.changed.emit()
