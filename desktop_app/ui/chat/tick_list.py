"""A list of names to tick, with the mouse on the box or the words, or with Space.

Owns the ticks. Knows nothing of what the names are of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from desktop_app.ui.plain_tip import plain_tip

ID_ROLE = Qt.ItemDataRole.UserRole
BOX_WIDTH = 28


class TickList(QListWidget):
    """Emits `ticked_changed` when a person or `tick` changes what is ticked."""

    ticked_changed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setUniformItemSizes(True)
        self.setAccessibleName(name)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._wanted = ""
        self.itemChanged.connect(lambda _: self.ticked_changed.emit())
        self.itemClicked.connect(self._clicked)

    def set_rows(self, rows: Sequence[tuple[int, str]]) -> None:
        """Show these ids with their names; ticks stay."""
        ticked = set(self.ticked())
        self.blockSignals(True)
        self.clear()
        for row_id, name in rows:
            item = QListWidgetItem(name, self)
            item.setData(ID_ROLE, row_id)
            item.setToolTip(plain_tip(name))
            kinds = Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled
            item.setFlags(kinds | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(_state(row_id in ticked))
        self.blockSignals(False)
        self.filter(self._wanted)

    def ticked(self) -> list[int]:
        items = (self.item(i) for i in range(self.count()))
        return [i.data(ID_ROLE) for i in items if i.checkState() == Qt.CheckState.Checked]

    def tick(self, ids: Iterable[int]) -> None:
        """Tick these and no others."""
        wanted = set(ids)
        for i in range(self.count()):
            self.item(i).setCheckState(_state(self.item(i).data(ID_ROLE) in wanted))

    def names(self, ids: Iterable[int]) -> list[str]:
        """Return the names of these, in the order of the list."""
        wanted = set(ids)
        items = (self.item(i) for i in range(self.count()))
        return [i.text() for i in items if i.data(ID_ROLE) in wanted]

    def filter(self, text: str) -> None:
        """Show only the names with this in them."""
        self._wanted = text
        for i in range(self.count()):
            self.item(i).setHidden(text.casefold() not in self.item(i).text().casefold())

    def _clicked(self, item: QListWidgetItem) -> None:
        # a click on the words; one on the box has ticked it already
        box = self.visualItemRect(item).left() + BOX_WIDTH
        if self.mapFromGlobal(self.cursor().pos()).x() > box:
            item.setCheckState(_state(item.checkState() != Qt.CheckState.Checked))


def _state(on: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
