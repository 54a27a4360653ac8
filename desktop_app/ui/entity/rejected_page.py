"""The names that a model rejected, each with a button to keep it.

Owns these rows; the names are passed in. Emits the name to keep or the place to open.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine.services.provenance import RejectedName

from ..language import later, tr, trn
from ..theme.theme import Theme
from ..widgets import Button, ElidedLabel, Label, clear_layout, format_number
from ..widgets.words import shorten_list
from .column_scroll import ColumnScroll

SHOWN = 200
WHY = later(
    "A model read where these words stand and held them for no names: a month, a form of address, "
    "a word at the head of a sentence. They are not in the graph or in the list of names. "
    "Keep one, and no model takes it out again."
)


class RejectedNamesPage(ColumnScroll):
    """Emits `keep_wanted` with a name, `place_clicked` with a place in a text."""

    keep_wanted = Signal(str)
    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, least=24, top=24)
        self._theme = theme
        body = self.body
        self.column.setSpacing(8)
        self.title = Label("", "title", body)
        self.column.addWidget(self.title)
        self.column.addWidget(Label(tr(WHY), "muted", body, wrap=True))
        self.column.addSpacing(8)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(12)
        self.column.addLayout(self._rows)
        self.column.addStretch(1)
        self.rest = Label("", "small", body)
        self.column.insertWidget(self.column.count() - 1, self.rest)
        self.buttons: dict[str, Button] = {}

    def set_names(self, names: Sequence[RejectedName]) -> None:
        """Show these names, the most frequent first."""
        self.title.setText(
            trn("{n} name left out by the model", "{n} names left out by the model", len(names))
        )
        clear_layout(self._rows)
        self.buttons = {}
        for name in names[:SHOWN]:
            self._rows.addWidget(self._build_row(name))
        n_rest = len(names) - SHOWN
        self.rest.setText(
            trn("and {n} more, named less often", "and {n} more, named less often", n_rest)
        )
        self.rest.setVisible(n_rest > 0)

    def _build_row(self, name: RejectedName) -> QWidget:
        row = QWidget(self)
        text = trn(
            "no name in {against} of {n} passage",
            "no name in {against} of {n} passages",
            name.n_asked,
            against=format_number(name.n_against),
        )
        if name.models:
            text = tr("{said}, says {model}", said=text, model=shorten_list(name.models))
        facts = f"{trn('{n} mention', '{n} mentions', name.n_mentions)} · {text}"
        head = QHBoxLayout()
        head.setSpacing(12)
        title = Label(name.name, "strong", row)
        title.setMaximumWidth(360)
        head.addWidget(title)
        head.addWidget(ElidedLabel(facts, "small", row), 1)
        place = name.place
        if place is not None:
            opening = Button(tr("Where it says so"), row, kind="link")
            opening.clicked.connect(
                lambda: self.place_clicked.emit(place.document_id, place.start, place.end)
            )
            head.addWidget(opening)
        keep = Button(tr("Keep it"), row, tooltip=tr("Put it back among the names"))
        keep.setAccessibleName(tr("Keep {name}", name=name.name))
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
