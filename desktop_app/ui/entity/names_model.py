"""The list of all names as Qt wants it: found by text, filtered by type, sorted.

Owns which of some ten thousand names are shown and in what order. Reads nothing itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from desktop_app.engine.types import EntityRow
from desktop_app.ui.language import later, tr, trn
from desktop_app.ui.widgets import format_type

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
COUNT_ROLE = Qt.ItemDataRole.UserRole + 2
SORTS = (
    ("relations", later("Connections")),
    ("mentions", later("Mentions")),
    ("name", later("Name")),
)


class NamesModel(QAbstractListModel):
    """Shows `EntityRow`s; everything is held, so that typing filters at once."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._all: list[EntityRow] = []
        self._folded: list[str] = []
        self._shown: list[EntityRow] = []
        self._text = ""
        self._types: frozenset[str] = frozenset()
        self._sort = "relations"
        self._also: frozenset[int] = frozenset()

    @property
    def sort(self) -> str:
        return self._sort

    @property
    def n_all(self) -> int:
        return len(self._all)

    def set_rows(self, rows: Iterable[EntityRow]) -> None:
        """Hold these names instead of those; filter and order stay."""
        self._all = list(rows)
        self._folded = [row.name.casefold() for row in self._all]
        self._refresh()

    def set_filter(self, *, text: str | None = None, types: Iterable[str] | None = None) -> None:
        """Show names that contain `text`, of one of `types` (none: of any)."""
        if text is not None and text.casefold() != self._text:
            self._text, self._also = text.casefold(), frozenset()
        if types is not None:
            self._types = frozenset(types)
        self._refresh()

    def add_found(self, text: str, rows: Sequence[EntityRow]) -> None:
        """Show names as well that were found by another of their names."""
        if text.casefold() == self._text:
            self._also = frozenset(row.id for row in rows)
            self._refresh()

    def set_sort(self, sort: str) -> None:
        self._sort = sort
        self._refresh()

    def count_types(self) -> Counter[str]:
        """Return how many names each type has, whatever is filtered."""
        return Counter(row.type for row in self._all)

    def find_row(self, entity_id: int) -> int:
        """Return where a name stands in the list, -1 if it is not shown."""
        return next((i for i, row in enumerate(self._shown) if row.id == entity_id), -1)

    def _refresh(self) -> None:
        shown = [
            row
            for row, folded in zip(self._all, self._folded, strict=True)
            if (not self._types or row.type in self._types)
            and (not self._text or self._text in folded or row.id in self._also)
        ]
        if self._sort == "relations":
            shown.sort(key=lambda row: (-row.n_relations, -row.n_mentions))
        elif self._sort == "mentions":
            shown.sort(key=lambda row: -row.n_mentions)
        else:
            shown.sort(key=lambda row: row.name.casefold())
        if self._text:  # a name that begins so is more likely meant; the order else stays
            shown.sort(key=lambda row: not row.name.casefold().startswith(self._text))
        self.beginResetModel()
        self._shown = shown
        self.endResetModel()

    # --- what Qt asks ----------------------------------------------------------------------

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == ROW_ROLE:
            return row
        if role == COUNT_ROLE:
            return row.n_relations if self._sort == "relations" else row.n_mentions
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.name}, {format_type(row.type)}, {_count_mentions(row)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return _describe(row)
        return None


def _count_mentions(row: EntityRow) -> str:
    return trn("{n} mention", "{n} mentions", row.n_mentions)


def _describe(row: EntityRow) -> str:
    ties = trn("{n} connection", "{n} connections", row.n_relations)
    told = trn(
        "a model speaks of it in {n} passage",
        "a model speaks of it in {n} passages",
        row.n_enriched,
    )
    facts = f"{format_type(row.type)} · {_count_mentions(row)} · {ties}"
    return f"{row.name}\n{facts}\n{told if row.n_enriched else tr('instant')}"
