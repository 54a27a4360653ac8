"""Picks other names for one that is there: to merge it with. Owns the list of what is picked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from desktop_app.engine.types import EntityRow
from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Button,
    Label,
    PrimaryButton,
    SearchField,
    format_number,
    format_type,
)
from desktop_app.ui.widgets.fields import go_to_list
from desktop_app.ui.widgets.sheet import Sheet
from desktop_app.ui.widgets.words import join_words

from .relation_sheet import FindNames

ROW_ROLE = Qt.ItemDataRole.UserRole


class PickSheet(Sheet):
    """Emits `picked` with the rows that are ticked; ticks stay while other names are sought."""

    picked = Signal(list)

    def __init__(
        self,
        theme: Theme,
        entity: EntityRow,
        find: FindNames,
        parent: QWidget | None = None,
        *,
        title: str = "",
        verb: str = "",
        only_one: bool = False,
    ) -> None:
        super().__init__(title or tr("Merge “{name}” with…", name=entity.name), parent)
        self._entity, self._find, self._only_one = entity, find, only_one
        self._ticked: dict[int, EntityRow] = {}
        self.search = SearchField(
            theme, tr("Find a name" if only_one else "Names that mean the same")
        )
        self.add(self.search)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Names found"))
        self.list.setUniformItemSizes(True)
        self.add(self.list)
        self.column.setStretch(self.column.count() - 1, 1)
        self.chosen = Label("", "muted", wrap=True)
        self.add(self.chosen)
        cancel, self.next_button = Button(tr("Cancel")), PrimaryButton(verb or tr("Preview…"))
        cancel.clicked.connect(self.reject)
        self.next_button.clicked.connect(self._give)
        self.add_foot([cancel, self.next_button], line=True)
        self.search.searched.connect(self._look_up)
        self.search.left_down.connect(lambda: go_to_list(self.list))
        self.list.itemChanged.connect(self._tick)
        self.list.itemActivated.connect(self._turn)
        self.fit(460, 480)
        self._show_chosen()
        self._look_up(entity.name.split()[-1] if " " in entity.name else entity.name[:2])
        self.search.setFocus()

    def show_names(self, rows: Sequence[EntityRow]) -> None:
        """Offer these names, those ticked before them."""
        self.list.blockSignals(True)
        self.list.clear()
        others = [r for r in rows if r.id not in self._ticked and r.id != self._entity.id]
        for row in (*self._ticked.values(), *others):
            facts = f"{format_type(row.type)} · {format_number(row.n_mentions)}"
            item = QListWidgetItem(f"{row.name}   ·  {facts}")
            item.setData(ROW_ROLE, row)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            ticked = row.id in self._ticked
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.list.blockSignals(False)

    def _look_up(self, text: str) -> None:
        if text:
            self._find(text, self.show_names)

    def _tick(self, item: QListWidgetItem) -> None:
        row = item.data(ROW_ROLE)
        if item.checkState() == Qt.CheckState.Checked:
            if self._only_one and self._ticked:
                self._untick_others(item)
            self._ticked[row.id] = row
        else:
            self._ticked.pop(row.id, None)
        self._show_chosen()

    def _turn(self, item: QListWidgetItem) -> None:
        ticked = item.checkState() == Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked)

    def _untick_others(self, chosen: QListWidgetItem) -> None:
        self._ticked.clear()
        self.list.blockSignals(True)
        for i in range(self.list.count()):
            if self.list.item(i) is not chosen:
                self.list.item(i).setCheckState(Qt.CheckState.Unchecked)
        self.list.blockSignals(False)

    def _show_chosen(self) -> None:
        names = join_words([row.name for row in self._ticked.values()])
        nothing = tr("Tick one." if self._only_one else "Tick one or more.")
        self.chosen.setText(tr("With: {names}", names=names) if names else nothing)
        self.next_button.setEnabled(bool(self._ticked))

    def _give(self) -> None:
        self.picked.emit(list(self._ticked.values()))
        self.accept()
