"""The dialog that asks which neighbours of an entity to add to the view.

Filters by type, kind, document and strength. Knows no services.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QListWidget, QListWidgetItem, QWidget

from desktop_app.engine.services.graph_views import ViewNeighbour

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    Button,
    ChoiceBox,
    Label,
    NumberBox,
    PrimaryButton,
    SectionTitle,
    build_column,
    build_row,
    format_type,
)
from ..widgets.sheet import Sheet
from ..widgets.words import format_kind
from .filter_panel import HistogramRange

WIDTH, HEIGHT = 460, 560
FIRST = 24
ID_ROLE = Qt.ItemDataRole.UserRole + 1


class ExpandDialog(Sheet):
    """Emits `chosen` with the ids to add."""

    chosen = Signal(list)

    def __init__(
        self,
        theme: Theme,
        name: str,
        neighbours: list[ViewNeighbour],
        titles: dict[int, str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Neighbours of {name} to add", name=name), parent)
        self._neighbours = neighbours
        types = Counter(n.row.type for n in neighbours)
        self.type = self._build_choice(
            tr("All types"),
            tr("Type"),
            [(format_type(t, capital=True), t, c) for t, c in types.most_common()],
        )
        kinds = Counter(n.kind for n in neighbours if n.kind)
        self.kind = self._build_choice(
            tr("All kinds"),
            tr("Kind of connection"),
            [(format_kind(k), k, c) for k, c in kinds.most_common()],
        )
        documents = Counter(d for n in neighbours for d in n.documents)
        self.document = self._build_choice(
            tr("All documents"),
            tr("Document"),
            [(titles.get(d, str(d)), d, c) for d, c in documents.most_common(60)],
        )
        self.type.setVisible(len(types) > 1)
        self.kind.setVisible(bool(kinds))
        self.document.setVisible(len(documents) > 1)
        self.strength = HistogramRange(theme, tr("Connection strength"), self)
        self.strength.set_values(np.array([n.weight for n in neighbours]))
        self.strength.changed.connect(lambda *_: self._fill())
        self.most = NumberBox(self)
        self.most.setRange(1, max(1, len(neighbours)))
        self.most.setValue(FIRST)
        self.most.setAccessibleName(tr("Maximum number of names"))
        self.most.valueChanged.connect(lambda _: self._fill())
        self.list = QListWidget(self)
        self.list.setAccessibleName(tr("Names to add"))
        self.list.itemChanged.connect(lambda _: self._count())
        cancel, self.add_button = Button(tr("Cancel")), PrimaryButton("")
        cancel.clicked.connect(self.reject)
        self.add_button.clicked.connect(self._accept)
        body = QWidget()
        build_column(
            build_row((self.type, 1), (self.kind, 1), (self.document, 1), spacing=8),
            SectionTitle(tr("Connection strength")),
            self.strength,
            build_row(
                Label(tr("At most")),
                self.most,
                (Label(tr("names, the strongest first"), "muted"), 1),
            ),
            (self.list, 1),
            parent=body,
            spacing=8,
        )
        self.add(body)
        self.column.setStretch(self.column.count() - 1, 1)
        self.add_foot([cancel, self.add_button], line=True)
        self.fit(theme.length(WIDTH), theme.length(HEIGHT))
        for box in (self.type, self.kind, self.document):
            box.currentIndexChanged.connect(lambda _: self._fill())
        self._fill()
        self.list.setFocus()

    def _build_choice(
        self, every: str, name: str, options: list[tuple[str, object, int]]
    ) -> QComboBox:
        box = ChoiceBox(self)
        box.setAccessibleName(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(8)
        box.addItem(every, None)
        for words, value, count in options:
            box.addItem(f"{words} ({count})", value)
        return box

    def fitting(self) -> list[ViewNeighbour]:
        """Return the neighbours that pass the filters, the strongest first."""
        low, high = self.strength.range
        type_, kind = self.type.currentData(), self.kind.currentData()
        document = self.document.currentData()
        return [
            n
            for n in self._neighbours
            if (type_ is None or n.row.type == type_)
            and (kind is None or n.kind == kind)
            and (document is None or document in n.documents)
            and low <= n.weight <= high
        ][: self.most.value()]

    def ids(self) -> list[int]:
        """Return the ids that are ticked."""
        items = [self.list.item(k) for k in range(self.list.count())]
        on = Qt.CheckState.Checked
        return [int(item.data(ID_ROLE)) for item in items if item.checkState() == on]

    def _fill(self) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for neighbour in self.fitting():
            type_ = format_type(neighbour.row.type, capital=True)
            item = QListWidgetItem(f"{' '.join(neighbour.row.name.split())}   ·  {type_}")
            item.setData(ID_ROLE, int(neighbour.row.id))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.list.addItem(item)
        self.list.blockSignals(False)
        self._count()

    def _count(self) -> None:
        n = len(self.ids())
        self.add_button.setText(trn("Add {n} name", "Add {n} names", n))
        self.add_button.setEnabled(n > 0)

    def _accept(self) -> None:
        self.chosen.emit(self.ids())
        self.accept()
