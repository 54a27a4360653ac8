"""The panel of filters beside the graph: name, types, communities, ranges, documents, orphans.

Owns the controls and the `Filters` that they make; the canvas applies them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from desktop_app.engine.graph.view.graph_data import EVERYTHING, Filters, GraphData

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    STRETCH,
    Button,
    CheckBox,
    Label,
    SearchField,
    SectionTitle,
    build_column,
    build_row,
    clear_layout,
    format_number,
)
from ..widgets.words import plain_tip


class CheckGroup(QWidget):
    """Check boxes under a title; hidden while it has no lines."""

    changed = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = build_column(spacing=4)
        build_column(
            SectionTitle(title), self._column, parent=self, spacing=4, margins=(0, 0, 0, 8)
        )
        self.boxes: dict[Hashable, CheckBox] = {}
        self._lines: list[tuple[Hashable, str, int]] = []
        self._hidden: frozenset = frozenset()
        self.hide()

    def hidden(self) -> frozenset:
        """Return the keys that are off, including keys that are not in the view now."""
        return self._hidden

    def set_hidden(self, keys: Iterable[Hashable]) -> None:
        self._hidden = frozenset(keys)
        for key, box in self.boxes.items():
            box.blockSignals(True)
            box.setChecked(key not in self._hidden)
            box.blockSignals(False)

    def set_lines(self, lines: Sequence[tuple[Hashable, str, int]]) -> None:
        """Show these (key, words, count); the boxes stay if they are the same as before."""
        if self._lines != list(lines):
            self._lines = list(lines)
            self._build_boxes()
        self.setVisible(len(lines) > 1 or not self._hidden.isdisjoint(self.boxes))

    def _build_boxes(self) -> None:
        clear_layout(self._column)
        self.boxes = {}
        for key, words, count in self._lines:
            line = " ".join(words.split()).replace("&", "&&")
            middle = Qt.TextElideMode.ElideMiddle  # the count stays in sight
            box = CheckBox(f"{line} ({format_number(count)})", self, mode=middle)
            box.setToolTip(words)
            box.setChecked(key not in self._hidden)
            box.toggled.connect(lambda on, key=key: self._toggle(key, on))
            self._column.addWidget(box)
            self.boxes[key] = box

    def _toggle(self, key: Hashable, on: bool) -> None:
        self._hidden = self._hidden - {key} if on else self._hidden | {key}
        self.changed.emit()


N_BARS, HEIGHT, FOOT = 24, 56, 14
EDGE = 7


class HistogramRange(QWidget):
    """A histogram with two handles; emits `changed(from, to)`, infinity for no upper limit."""

    changed = Signal(float, float)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._edges = np.array([0.0, 1.0])
        self._counts = np.zeros(1)
        self._low, self._high = 0, 1  # positions in the edges
        self._held: int | None = None
        self.whole = False
        self.setAccessibleName(name)
        self.setToolTip(
            tr("Drag the handles; arrow keys move the left one, with Shift the right one")
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def set_values(self, values: np.ndarray, *, whole: bool = False) -> None:
        """Show the histogram of the values in growing bins, and reset the range."""
        values = np.asarray(values, dtype=float)
        self.whole = whole
        top = float(values.max(initial=1.0))
        low = max(float(values.min(initial=top)), 0.0)
        if whole and top - low <= N_BARS:
            edges = np.arange(np.floor(low), np.floor(top) + 2)
        else:
            edges = np.expm1(np.linspace(np.log1p(low), np.log1p(top), N_BARS + 1))
            edges = np.unique(np.floor(edges)) if whole else edges
            edges[-1] = top + (1 if whole else 1e-9)
        if len(edges) < 2:
            edges = np.array([low, low + 1])
        self._edges = edges
        self._counts = np.histogram(values, edges)[0].astype(float)
        self._low, self._high = 0, len(edges) - 1
        self.update()

    @property
    def range(self) -> tuple[float, float]:
        """Return the limits as values, both included; infinity for no upper limit."""
        low = 0.0 if self._low == 0 else float(self._edges[self._low])
        if self._high == len(self._edges) - 1:
            return low, float("inf")
        return low, float(self._edges[self._high]) - (1.0 if self.whole else 1e-9)

    def set_range(self, low: float, high: float) -> None:
        """Move the handles to these values without emitting `changed`."""
        first, last = (int(step) for step in np.searchsorted(self._edges, (low, high), "right"))
        self._low = max(0, min(first - 1, len(self._edges) - 2)) if low > 0 else 0
        self._high = max(self._low + 1, min(last, len(self._edges) - 1))
        self.update()

    def _x(self, step: int) -> float:
        return EDGE + (self.width() - 2 * EDGE) * step / (len(self._edges) - 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        base = self.height() - FOOT
        tallest = np.sqrt(self._counts.max(initial=1.0)) or 1.0
        for n, count in enumerate(self._counts):
            inside = self._low <= n < self._high
            painter.setBrush(self._theme.color("accent" if inside else "line"))
            tall = max(2.0 if count else 0.0, np.sqrt(count) / tallest * (base - 4))
            left, right = self._x(n), self._x(n + 1)
            painter.drawRect(QRectF(left + 0.5, base - tall, max(right - left - 1, 1), tall))
        painter.setBrush(self._theme.color("line"))
        painter.drawRect(QRectF(EDGE, base, self.width() - 2 * EDGE, 1))
        for step in (self._low, self._high):
            painter.setBrush(self._theme.color("surface"))
            painter.setPen(self._theme.color("accent" if self.hasFocus() else "text2"))
            painter.drawEllipse(QPointF(self._x(step), base + 0.5), 5, 5)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        step = self._step_at(event.position().x())
        near_low = abs(step - self._low) < abs(step - self._high)
        if abs(step - self._low) == abs(step - self._high):
            near_low = step < self._low
        self._held = 0 if near_low else 1
        self._move(step)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._move(self._step_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {int(Qt.Key.Key_Left): -1, int(Qt.Key.Key_Right): 1}.get(event.key())
        if step is None:
            super().keyPressEvent(event)
            return
        self._held = 1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0
        self._move((self._high if self._held else self._low) + step)
        self._held = None

    def _step_at(self, x: float) -> int:
        share = (x - EDGE) / max(self.width() - 2 * EDGE, 1)
        return round(share * (len(self._edges) - 1))

    def _move(self, step: int) -> None:
        before = (self._low, self._high)
        if self._held == 0:
            self._low = max(0, min(step, self._high - 1))
        else:
            self._high = min(len(self._edges) - 1, max(step, self._low + 1))
        if before != (self._low, self._high):
            self.update()
            self.changed.emit(*self.range)


WIDTH = 248
MOST_DOCUMENTS = 40


class FilterPanel(QFrame):
    """Emits `changed` with the filters of its controls, without those of the legends."""

    changed = Signal(object)
    cleared = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.filters = Filters()
        # Dragging a handle emits often: the canvas is updated at most once per interval.
        self._soon = QTimer(self, singleShot=True, interval=30)
        self._soon.timeout.connect(lambda: self.changed.emit(self.filters))
        self.setObjectName("inspector")
        theme.changed.connect(self._fit_width)
        self._fit_width()
        body = QWidget()
        body.setObjectName("inspectorBody")
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(tr("Filters"))
        scroll.setWidget(body)
        build_column(scroll, parent=self)
        self.name = SearchField(theme, tr("Name contains…"), body)
        self.name.searched.connect(lambda text: self._set(name=text))
        self.connections = HistogramRange(theme, tr("Connections"))
        self.weights = HistogramRange(theme, tr("Connection strength"))
        self.connections.changed.connect(lambda a, b: self._set(connections=(a, b)))
        self.weights.changed.connect(lambda a, b: self._set(weights=(a, b)))
        self._connections_text, self._weights_text = Label("", "small"), Label("", "small")
        self.orphans = CheckBox(tr("Names without connections"), body)
        self.orphans.setChecked(True)
        self.orphans.toggled.connect(lambda on: self._set(orphans=on))
        self.types, self.groups = CheckGroup(tr("Types"), body), CheckGroup(tr("Communities"), body)
        for group in (self.types, self.groups):
            group.changed.connect(lambda: self._soon.start())
        self._documents_title = SectionTitle(tr("Documents"))
        self._documents_title.hide()
        self._documents = build_column(spacing=4)
        # documents and collections that the panel offers, and those that it has boxes of
        self._offered: tuple[list[tuple[int, str]], list[tuple[str, tuple[int, ...]]]] = ([], [])
        self._made = self._offered
        self.boxes: dict[int, CheckBox] = {}
        self.collection_boxes: dict[str, tuple[Button, tuple[int, ...]]] = {}
        self.counts = Label("", "small", body, wrap=True)
        self.clear = Button(tr("Clear filters"), body)
        self.clear.clicked.connect(self._clear)
        build_column(
            self.name,
            8,
            build_row((SectionTitle(tr("Connections")), 1), self._connections_text),
            self.connections,
            8,
            build_row((SectionTitle(tr("Connection strength")), 1), self._weights_text),
            self.weights,
            8,
            self.orphans,
            8,
            self.types,
            self.groups,
            self._documents_title,
            self._documents,
            STRETCH,
            self.counts,
            (self.clear, 0, Qt.AlignmentFlag.AlignLeft),
            parent=body,
            spacing=4,
            margins=(16, 16, 16, 16),
        )

    def _fit_width(self) -> None:
        self.setFixedWidth(self._theme.length(WIDTH))

    def set_data(
        self,
        data: GraphData,
        documents: dict[int, str],
        collections: list[tuple[str, tuple[int, ...]]],
    ) -> None:
        """Show the values of a view; earlier choices stay where they still apply."""
        self.connections.set_values(data.n_connections, whole=True)
        self.weights.set_values(data.weights)
        self.connections.set_range(*self.filters.connections)
        self.weights.set_range(*self.filters.weights)
        here = {d for home in data.documents for d in home}
        self.set_documents({i: t for i, t in documents.items() if i in here}, collections)
        self._update_range_texts()

    def set_documents(
        self, documents: dict[int, str], collections: list[tuple[str, tuple[int, ...]]]
    ) -> None:
        """Offer these documents and the collections of them; the same ones stay as they are.

        Their boxes are made when the panel is seen: it is closed while most edits are made.
        """
        self._offered = (list(documents.items()), list(collections))
        if not self.isHidden():
            self._make_document_boxes()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make_document_boxes()

    def _make_document_boxes(self) -> None:
        if self._made == self._offered:
            return
        self._made = self._offered
        documents, collections = dict(self._made[0]), self._made[1]
        clear_layout(self._documents)
        self.boxes, self.collection_boxes = {}, {}
        several = len(documents) > 1
        self._documents_title.setVisible(several)
        if not several:
            return
        for name, ids in collections:
            if inside := tuple(i for i in ids if i in documents):
                words = tr("Only {name}", name=name.replace("&", "&&"))
                button = Button(words, self, kind="link", elide=True)
                button.clicked.connect(lambda _=False, ids=inside: self._tick_documents(ids))
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
        """Set the controls to these filters without emitting `changed`."""
        self.blockSignals(True)
        self.name.setText(filters.name)
        self.connections.set_range(*filters.connections)
        self.weights.set_range(*filters.weights)
        self.orphans.setChecked(filters.orphans)
        self._tick_documents(filters.documents or frozenset(self.boxes))
        self.blockSignals(False)
        self._soon.stop()
        self.filters = filters
        self._update_range_texts()

    def show_counts(self, n_names: int, n_all: int, n_relations: int) -> None:
        self.counts.setText(
            trn(
                "{names} of {all} names, {n} connection",
                "{names} of {all} names, {n} connections",
                n_relations,
                names=format_number(n_names),
                all=format_number(n_all),
            )
        )

    def _tick_documents(self, ids: Collection[int]) -> None:
        for document_id, box in self.boxes.items():
            box.setChecked(document_id in ids)

    def _documents_changed(self) -> None:
        on = frozenset(i for i, box in self.boxes.items() if box.isChecked())
        self._set(documents=frozenset() if len(on) == len(self.boxes) else on or frozenset({-1}))

    def _set(self, **values: Any) -> None:
        self.filters = replace(self.filters, **values)
        self._update_range_texts()
        self._soon.start()

    def _clear(self) -> None:
        self.set_filters(Filters())
        self.cleared.emit()

    def _update_range_texts(self) -> None:
        for text, (low, high) in (
            (self._connections_text, self.filters.connections),
            (self._weights_text, self.filters.weights),
        ):
            if (low, high) == EVERYTHING:
                text.setText(tr("all"))
                continue
            digits = 0 if text is self._connections_text else 1
            first = f"{low:,.{digits}f}"
            text.setText(f"{first}+" if high == float("inf") else f"{first}–{high:,.{digits}f}")
