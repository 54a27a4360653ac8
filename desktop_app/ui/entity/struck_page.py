"""The words that a model left out of the graph, each with a way to keep it.

Owns these rows. Is told the words; says which one is to be kept or where one stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_app.engine.services.said import StruckName
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Button,
    ElidedLabel,
    Label,
    clear_layout,
    format_number,
    plural,
)
from desktop_app.ui.widgets.words import shorten_list

SHOWN = 200
COLUMN_WIDTH = 760
WHY = (
    "A model read where these words stand and held them for no names: a month, a form of address, "
    "a word at the head of a sentence. They are not in the graph or in the list of names. "
    "Keep one, and no model takes it out again."
)


class StruckPage(QScrollArea):
    """Emits `keep_wanted` with a word, `place_clicked` with where it stands."""

    keep_wanted = Signal(str)
    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget(self)
        body.setObjectName("screenBody")
        self._column = QVBoxLayout(body)
        self._column.setSpacing(8)
        self.title = Label("", "title", body)
        self._column.addWidget(self.title)
        self._column.addWidget(Label(WHY, "muted", body, wrap=True))
        self._column.addSpacing(8)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(12)
        self._column.addLayout(self._rows)
        self._column.addStretch(1)
        self.rest = Label("", "small", body)
        self._column.insertWidget(self._column.count() - 1, self.rest)
        self.setWidget(body)
        self.buttons: dict[str, Button] = {}

    def set_names(self, names: Sequence[StruckName]) -> None:
        """Show these words, those named most often first."""
        self.title.setText(f"{plural(len(names), 'name')} left out by the model")
        clear_layout(self._rows)
        self.buttons = {}
        for name in names[:SHOWN]:
            self._rows.addWidget(self._build_row(name))
        n_rest = len(names) - SHOWN
        self.rest.setText(f"and {format_number(n_rest)} more, named less often")
        self.rest.setVisible(n_rest > 0)

    def _build_row(self, name: StruckName) -> QWidget:
        row = QWidget(self)
        said = f"no name in {format_number(name.n_against)} of {plural(name.n_asked, 'passage')}"
        if name.models:
            said += f", says {shorten_list(name.models)}"
        facts = f"{plural(name.n_mentions, 'mention')} · {said}"
        head = QHBoxLayout()
        head.setSpacing(12)
        title = Label(name.name, "strong", row)
        title.setMaximumWidth(360)
        head.addWidget(title)
        head.addWidget(ElidedLabel(facts, "small", row), 1)
        place = name.place
        if place is not None:
            opening = Button("Where it says so", row, kind="link")
            opening.clicked.connect(
                lambda: self.place_clicked.emit(place.document_id, place.start, place.end)
            )
            head.addWidget(opening)
        keep = Button("Keep it", row, tooltip="Put it back among the names")
        keep.setAccessibleName(f"Keep {name.name}")
        keep.clicked.connect(lambda: self.keep_wanted.emit(name.name))
        self.buttons[name.name] = keep
        head.addWidget(keep)
        column = QVBoxLayout(row)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        if place is not None:
            column.addWidget(ElidedLabel(place.sentence, "muted", row))
        return row

    def resizeEvent(self, event) -> None:
        side = max(24, (self.width() - COLUMN_WIDTH) // 2)
        self._column.setContentsMargins(side, 24, side, 32)
        super().resizeEvent(event)
