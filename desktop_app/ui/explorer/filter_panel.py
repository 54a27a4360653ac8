"""The panel of filters beside the graph: names, types, communities, ranges, documents, orphans.

Owns its controls and what they say together. What is left out for it is the canvas's work.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_app.ui.language import tr, trn
from desktop_app.ui.plain_tip import plain_tip
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, CheckBox, Label, SearchField, SectionTitle, format_number

from .check_group import CheckGroup
from .filters import EVERYTHING, Filters
from .graph_data import GraphData
from .histogram import HistogramRange

WIDTH = 248
MOST_DOCUMENTS = 40


class FilterPanel(QFrame):
    """Emits `changed` with the filters that its controls make, legends apart."""

    changed = Signal(object)
    cleared = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.filters = Filters()
        self.setObjectName("inspector")
        theme.changed.connect(self._fit_width)
        self._fit_width()
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(tr("Filters"))
        body = QWidget(scroll)
        body.setObjectName("inspectorBody")
        column = self._column = QVBoxLayout(body)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(4)
        scroll.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self.name = SearchField(theme, tr("Names with…"), body)
        self.name.searched.connect(lambda text: self._set(name=text))
        column.addWidget(self.name)
        column.addSpacing(8)
        self.connections, self._connections_said = self._add_range(tr("Connections of a name"))
        self.weights, self._weights_said = self._add_range(tr("Strength of a connection"))
        self.connections.changed.connect(lambda a, b: self._set(connections=(a, b)))
        self.weights.changed.connect(lambda a, b: self._set(weights=(a, b)))
        self.orphans = CheckBox(tr("Names without connections"), body)
        self.orphans.setChecked(True)
        self.orphans.toggled.connect(lambda on: self._set(orphans=on))
        column.addWidget(self.orphans)
        column.addSpacing(8)
        self.types, self.groups = CheckGroup(tr("Types"), body), CheckGroup(tr("Communities"), body)
        for group in (self.types, self.groups):
            group.changed.connect(lambda: self._soon.start())
            column.addWidget(group)
        self._documents_title = SectionTitle(tr("Documents"))
        column.addWidget(self._documents_title)
        self._documents = QVBoxLayout()
        self._documents.setSpacing(4)
        column.addLayout(self._documents)
        self.boxes: dict[int, CheckBox] = {}
        self.collection_boxes: dict[str, tuple[Button, tuple[int, ...]]] = {}
        column.addStretch(1)
        self.said = Label("", "small", body, wrap=True)
        column.addWidget(self.said)
        self.clear = Button(tr("Clear filters"), body)
        self.clear.clicked.connect(self._clear)
        column.addWidget(self.clear, 0, Qt.AlignmentFlag.AlignLeft)
        # A handle on its way says a lot: the picture follows once a frame.
        self._soon = QTimer(self, singleShot=True, interval=30)
        self._soon.timeout.connect(lambda: self.changed.emit(self.filters))

    def _fit_width(self) -> None:
        self.setFixedWidth(self._theme.length(WIDTH))

    def _add_range(self, words: str) -> tuple[HistogramRange, Label]:
        line = QHBoxLayout()
        said = Label("", "small")
        line.addWidget(SectionTitle(words), 1)
        line.addWidget(said)
        made = HistogramRange(self._theme, words)
        self._column.addLayout(line)
        self._column.addWidget(made)
        self._column.addSpacing(8)
        return made, said

    def set_data(
        self,
        data: GraphData,
        documents: dict[int, str],
        collections: list[tuple[str, tuple[int, ...]]],
    ) -> None:
        """Show what a picture has; what was chosen before stays chosen where it still means
        something."""
        self.connections.set_values(data.n_connections, whole=True)
        self.weights.set_values(data.weights)
        self.connections.set_range(*self.filters.connections)
        self.weights.set_range(*self.filters.weights)
        here = {d for home in data.homes for d in home}
        self._set_documents({i: t for i, t in documents.items() if i in here}, collections)
        self._tell()

    def _set_documents(
        self, documents: dict[int, str], collections: list[tuple[str, tuple[int, ...]]]
    ) -> None:
        known = [*self.boxes.values(), *(button for button, _ in self.collection_boxes.values())]
        for widget in known:
            self._documents.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self.boxes, self.collection_boxes = {}, {}
        several = len(documents) > 1
        self._documents_title.setVisible(several)
        if not several:
            return
        for name, ids in collections:
            if inside := tuple(i for i in ids if i in documents):
                words = tr("Only {name}", name=name.replace("&", "&&"))
                button = Button(words, self, kind="link", elide=True)
                button.clicked.connect(lambda _=False, ids=inside: self._only(ids))
                self._documents.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
                self.collection_boxes[name] = (button, inside)
        for document_id, title in list(documents.items())[:MOST_DOCUMENTS]:
            box = CheckBox(" ".join(title.split()).replace("&", "&&"), self)
            box.setToolTip(plain_tip(title))
            box.setChecked(not self.filters.documents or document_id in self.filters.documents)
            box.toggled.connect(lambda _: self._documents_changed())
            self._documents.addWidget(box)
            self.boxes[document_id] = box

    def set_filters(self, filters: Filters) -> None:
        """Put the controls where these filters are, without saying so."""
        self.filters = filters
        self.blockSignals(True)
        self.name.setText(filters.name)
        self.connections.set_range(*filters.connections)
        self.weights.set_range(*filters.weights)
        self.orphans.setChecked(filters.orphans)
        for document_id, box in self.boxes.items():
            box.setChecked(not filters.documents or document_id in filters.documents)
        self.blockSignals(False)
        self._soon.stop()
        self.filters = filters
        self._tell()

    def say_shown(self, n_names: int, n_all: int, n_relations: int) -> None:
        self.said.setText(
            trn(
                "{names} of {all} names, {n} connection",
                "{names} of {all} names, {n} connections",
                n_relations,
                names=format_number(n_names),
                all=format_number(n_all),
            )
        )

    def _only(self, ids: tuple[int, ...]) -> None:
        for document_id, box in self.boxes.items():
            box.setChecked(document_id in ids)

    def _documents_changed(self) -> None:
        on = frozenset(i for i, box in self.boxes.items() if box.isChecked())
        self._set(documents=frozenset() if len(on) == len(self.boxes) else on or frozenset({-1}))

    def _set(self, **values: object) -> None:
        self.filters = replace(self.filters, **values)
        self._tell()
        self._soon.start()

    def _clear(self) -> None:
        self.set_filters(Filters())
        self.cleared.emit()

    def _tell(self) -> None:
        for said, (low, high) in (
            (self._connections_said, self.filters.connections),
            (self._weights_said, self.filters.weights),
        ):
            if (low, high) == EVERYTHING:
                said.setText(tr("all"))
                continue
            digits = 0 if said is self._connections_said else 1
            first = f"{low:,.{digits}f}"
            said.setText(f"{first}+" if high == float("inf") else f"{first}–{high:,.{digits}f}")
