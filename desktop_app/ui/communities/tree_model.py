"""The tree of communities as Qt asks for it: filtered by words, ordered, found by id.

Owns which rows are shown where. Reads nothing and draws nothing.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt

from .forest import ROOT, Forest
from .words import marks_of, say_rating, say_size, title_of

ROW_ROLE = Qt.ItemDataRole.UserRole
SHADE_ROLE = Qt.ItemDataRole.UserRole + 1
AnyIndex = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


class CommunityModel(QAbstractItemModel):
    """One column; an index carries the id of its community."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.forest = Forest()
        self._text, self._sort = "", "size"
        self._kids: dict[int, list[int]] = {}
        self._place: dict[int, int] = {}
        self.n_found = 0

    @property
    def is_filtered(self) -> bool:
        return bool(self._text)

    @property
    def sort(self) -> str:
        return self._sort

    def set_forest(self, forest: Forest) -> None:
        self.beginResetModel()
        self.forest = forest
        self._arrange()
        self.endResetModel()

    def set_text(self, text: str) -> None:
        """Leave what has these words, and what it is a part of."""
        self.beginResetModel()
        self._text = text.strip()
        self._arrange()
        self.endResetModel()

    def set_sort(self, sort: str) -> None:
        self.beginResetModel()
        self._sort = sort
        self._arrange()
        self.endResetModel()

    def _arrange(self) -> None:
        forest = self.forest
        found = forest.find(self._text) if self._text else set(forest.rows)
        shown = forest.with_parents(found) if self._text else found
        self.n_found = len(found)
        self._kids = {
            number: [i for i in forest.children(number, self._sort) if i in shown]
            for number in (ROOT, *forest.rows)
        }
        self._place = {
            number: place for kids in self._kids.values() for place, number in enumerate(kids)
        }

    def index_of(self, number: int) -> QModelIndex:
        """Return where a community stands, an invalid index where it is not shown."""
        place = self._place.get(number)
        return QModelIndex() if place is None else self.createIndex(place, 0, number)

    # --- what Qt asks ---------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: AnyIndex = NOWHERE) -> QModelIndex:
        kids = self._kids.get(self._number(parent), [])
        if column or not 0 <= row < len(kids):
            return QModelIndex()
        return self.createIndex(row, 0, kids[row])

    def parent(self, index: AnyIndex | None = None) -> Any:  # type: ignore[override]
        if index is None:
            return super().parent()
        number = self._number(index)
        return self.index_of(self.forest.parent(number)) if number != ROOT else QModelIndex()

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return len(self._kids.get(self._number(parent), []))

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.forest.rows.get(self._number(index))
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == SHADE_ROLE:
            return self.forest.shade(int(row.id))
        if role == Qt.ItemDataRole.DisplayRole:
            return title_of(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join([title_of(row), *(words for _, words in marks_of(row))])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            said = [title_of(row), say_size(row.n_members), say_rating(row.rating)]
            return ". ".join([*said, *(words for _, words in marks_of(row))])
        return None

    @staticmethod
    def _number(index: AnyIndex) -> int:
        return int(index.internalId()) if index.isValid() else ROOT
