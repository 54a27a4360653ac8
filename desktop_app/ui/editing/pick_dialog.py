"""The dialog that lets the user search for names and check one or several of them.

Merging, comparing and adding an alias begin with it; it knows nothing of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from desktop_app.engine.model import EntityRow

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import (
    Button,
    Label,
    PrimaryButton,
    SearchField,
    format_number,
    format_type,
    paint_type_disc,
)
from ..widgets.fields import go_to_list
from ..widgets.sheet import Sheet
from ..widgets.words import join_words

# Looks up names for a text and passes them to a callback.
FindNames = Callable[[str, Callable[[Sequence[EntityRow]], None]], None]
ROW_ROLE = Qt.ItemDataRole.UserRole
MAX_EXAMPLES = 3
TYPE_ICON = 16  # pixels


def describe_nothing_found(text: str, examples: Sequence[EntityRow] = ()) -> str:
    """Return what to do where no name has a text in it.

    Args:
        examples: names of the library; one of each type is named.
    """
    of_types = {row.type: row for row in reversed(examples) if row.name != text}
    shown = [row for row in examples if of_types.get(row.type) is row][:MAX_EXAMPLES]
    words = [tr("“{name}” ({type})", name=row.name, type=format_type(row.type)) for row in shown]
    nothing = tr("No name has “{text}” in it.", text=text)
    if not words:
        return f"{nothing}\n{tr('Type a part of another name.')}"
    other = tr("Type a part of another name, such as {names}.", names=join_words(words))
    return f"{nothing}\n{other}"


class HintedList(QListWidget):
    """A list of names with the discs of their types; shows what to do while it is empty."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._hint = theme, ""
        self.setProperty("kind", "framed")
        self.setIconSize(QSize(theme.length(TYPE_ICON), theme.length(TYPE_ICON)))
        self.setAccessibleName(tr("Names found"))

    @property
    def hint(self) -> str:
        return self._hint

    def build_item(self, row: EntityRow, facts: Sequence[str] = ()) -> QListWidgetItem:
        """Return an item for a name, with its type and, of equal names, its document."""
        words = (format_type(row.type, capital=True), *facts, row.story)
        item = QListWidgetItem(" · ".join(filter(None, (row.name, *words))))
        size, ratio = self.iconSize(), self.devicePixelRatioF()
        disc = QPixmap(size * ratio)
        disc.setDevicePixelRatio(ratio)
        disc.fill(Qt.GlobalColor.transparent)
        with QPainter(disc) as painter:
            area = QRectF(0, 0, size.width(), size.height())
            paint_type_disc(painter, area, row.type, self._theme)
        item.setIcon(QIcon(disc))
        return item

    def set_hint(self, hint: str) -> None:
        self._hint = hint
        self.setAccessibleDescription(hint)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.count() or not self._hint:
            return
        with QPainter(self.viewport()) as painter:
            painter.setFont(self.font())
            painter.setPen(self._theme.color("text2"))
            area = self.viewport().rect().adjusted(12, 10, -12, -10)
            painter.drawText(area, Qt.TextFlag.TextWordWrap, self._hint)


class PickEntityDialog(Sheet):
    """Emits `picked` with the checked rows; they stay checked when the search changes."""

    picked = Signal(list)

    def __init__(
        self,
        theme: Theme,
        entity: EntityRow,
        find: FindNames,
        parent: QWidget | None = None,
        *,
        title: str = "",
        action_text: str = "",
        only_one: bool = False,
    ) -> None:
        super().__init__(title or tr("Merge “{name}” with…", name=entity.name), parent)
        self._entity, self._find, self._only_one = entity, find, only_one
        self._ticked: dict[int, EntityRow] = {}
        self.search = SearchField(theme, tr("Find a name" if only_one else "Find names to merge"))
        self.add(self.search)
        self.list = HintedList(theme)
        self.list.setUniformItemSizes(True)
        self.add(self.list)
        self.column.setStretch(self.column.count() - 1, 1)
        self.chosen = Label("", "muted", wrap=True)
        self.add(self.chosen)
        cancel, self.next_button = (
            Button(tr("Cancel")),
            PrimaryButton(action_text or tr("Preview…")),
        )
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
        """Show these names, the checked ones first."""
        self.list.blockSignals(True)
        self.list.clear()
        others = [r for r in rows if r.id not in self._ticked and r.id != self._entity.id]
        for row in (*self._ticked.values(), *others):
            item = self.list.build_item(row, [format_number(row.n_mentions)])
            item.setData(ROW_ROLE, row)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            ticked = row.id in self._ticked
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.list.blockSignals(False)
        text = self.search.text().strip()
        self.list.set_hint(describe_nothing_found(text) if text else "")

    def _look_up(self, text: str) -> None:
        if text:
            self._find(text, self.show_names)

    def _tick(self, item: QListWidgetItem) -> None:
        row = item.data(ROW_ROLE)
        if item.checkState() == Qt.CheckState.Checked:
            if self._only_one:
                self._ticked.clear()
                self.list.blockSignals(True)
                for other in (self.list.item(i) for i in range(self.list.count())):
                    if other is not item:
                        other.setCheckState(Qt.CheckState.Unchecked)
                self.list.blockSignals(False)
            self._ticked[row.id] = row
        else:
            self._ticked.pop(row.id, None)
        self._show_chosen()

    def _turn(self, item: QListWidgetItem) -> None:
        ticked = item.checkState() == Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked)

    def _show_chosen(self) -> None:
        names = join_words([row.name for row in self._ticked.values()])
        nothing = tr("Select one." if self._only_one else "Select one or more.")
        self.chosen.setText(tr("With: {names}", names=names) if names else nothing)
        self.next_button.setEnabled(bool(self._ticked))

    def _give(self) -> None:
        self.picked.emit(list(self._ticked.values()))
        self.accept()
