"""The search field of the graph: type a part of a name, choose one of the names it could be.

Owns completion. Asks through a callable it is given and says which entity was chosen.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QWidget

from desktop_app.engine.types import EntityRow
from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import SearchField, TextDelegate, format_type
from desktop_app.ui.widgets.tables import SUBTITLE_ROLE

ID_ROLE = Qt.ItemDataRole.UserRole + 1


class NameSearch(SearchField):
    """Emits `chosen` with an entity's id."""

    chosen = Signal(int)

    def __init__(
        self,
        theme: Theme,
        find: Callable[[str, Callable[[list[EntityRow]], None]], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, tr("Find a name"), parent)
        self._find = find
        self._rows = QStandardItemModel(self)
        self._completer = QCompleter(self._rows, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setMaxVisibleItems(10)
        self._completer.popup().setItemDelegate(TextDelegate(theme, self))
        # Not setCompleter: that would choose by text, and two names may read the same.
        self._completer.setWidget(self)
        self._completer.activated[QModelIndex].connect(self._choose)
        self.searched.connect(self._look_up)
        self.returnPressed.connect(self._choose_first)

    def _look_up(self, text: str) -> None:
        if not text:
            self._completer.popup().hide()
            return
        self._find(text, lambda found: self._show(text, found))

    def _show(self, text: str, found: list[EntityRow]) -> None:
        if text != self.text().strip():
            return
        self._rows.clear()
        for entity in found:
            line = QStandardItem(entity.name)
            line.setData(int(entity.id), ID_ROLE)
            line.setData(format_type(entity.type), SUBTITLE_ROLE)
            self._rows.appendRow(line)
        if found and self.hasFocus():
            self._completer.complete()
        elif not found:
            self._completer.popup().hide()

    def _choose(self, index: QModelIndex) -> None:
        entity_id = index.data(ID_ROLE)
        if entity_id is not None:
            self._completer.popup().hide()
            self.clear()
            self.chosen.emit(int(entity_id))

    def _choose_first(self) -> None:
        if self._rows.rowCount() and self.text().strip():
            self._choose(self._rows.index(0, 0))
