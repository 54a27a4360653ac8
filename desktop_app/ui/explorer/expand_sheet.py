"""The dialog that asks which neighbours of an entity to add to the view.

Filters by type, kind, document and strength. Knows no services.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.services.graph_views import ViewNeighbour
from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, Label, PrimaryButton, SectionTitle, format_type
from desktop_app.ui.widgets.words import format_kind

from .filter_panel import HistogramRange

WIDTH, HEIGHT = 400, 520
FIRST = 24
ID_ROLE = Qt.ItemDataRole.UserRole + 1


class ExpandDialog(QDialog):
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
        super().__init__(parent)
        self.setWindowTitle(tr("Expand {name}", name=name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(theme.length(WIDTH), theme.length(HEIGHT))
        self._neighbours = neighbours
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(Label(tr("Whom to add beside {name}", name=name), "title", wrap=True))
        filters = QHBoxLayout()
        filters.setSpacing(8)
        types = Counter(n.row.type for n in neighbours)
        self.type = self._choice(
            tr("Every type"),
            tr("Only of this type"),
            [(format_type(t, capital=True), t, c) for t, c in types.most_common()],
        )
        kinds = Counter(n.kind for n in neighbours if n.kind)
        self.kind = self._choice(
            tr("Every kind"),
            tr("Only of this kind"),
            [(format_kind(k), k, c) for k, c in kinds.most_common()],
        )
        homes = Counter(d for n in neighbours for d in n.documents)
        self.document = self._choice(
            tr("Every document"),
            tr("Only of this document"),
            [(titles.get(d, str(d)), d, c) for d, c in homes.most_common(60)],
        )
        for box, several in (
            (self.type, len(types) > 1),
            (self.kind, bool(kinds)),
            (self.document, len(homes) > 1),
        ):
            box.setVisible(several)
            filters.addWidget(box, 1)
        column.addLayout(filters)
        column.addWidget(SectionTitle(tr("Strength of the connection")))
        self.strength = HistogramRange(theme, tr("Strength of the connection"), self)
        self.strength.set_values(np.array([n.weight for n in neighbours]))
        self.strength.changed.connect(lambda *_: self._fill())
        column.addWidget(self.strength)
        row = QHBoxLayout()
        row.addWidget(Label(tr("At most")))
        self.most = QSpinBox(self)
        self.most.setRange(1, max(1, len(neighbours)))
        self.most.setValue(FIRST)
        self.most.setAccessibleName(tr("At most so many names"))
        self.most.valueChanged.connect(lambda _: self._fill())
        row.addWidget(self.most)
        row.addWidget(Label(tr("names, the strongest first"), "muted"), 1)
        column.addLayout(row)
        self.list = QListWidget(self)
        self.list.setAccessibleName(tr("Names to add"))
        self.list.itemChanged.connect(lambda _: self._count())
        column.addWidget(self.list, 1)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        cancel = Button(tr("Cancel"), self)
        cancel.clicked.connect(self.reject)
        self.add = PrimaryButton("", self)
        self.add.setDefault(True)
        self.add.clicked.connect(self._accept)
        buttons.addWidget(cancel)
        buttons.addWidget(self.add)
        column.addLayout(buttons)
        for box in (self.type, self.kind, self.document):
            box.currentIndexChanged.connect(lambda _: self._fill())
        self._fill()

    def _choice(self, every: str, name: str, options: list[tuple[str, object, int]]) -> QComboBox:
        box = QComboBox(self)
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
            text = f"{' '.join(neighbour.row.name.split())}   {format_type(neighbour.row.type)}"
            item = QListWidgetItem(text)
            item.setData(ID_ROLE, int(neighbour.row.id))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.list.addItem(item)
        self.list.blockSignals(False)
        self._count()

    def _count(self) -> None:
        n = len(self.ids())
        self.add.setText(trn("Add {n} name", "Add {n} names", n))
        self.add.setEnabled(n > 0)

    def _accept(self) -> None:
        self.chosen.emit(self.ids())
        self.accept()
