"""The names that a model rejected, each with a button to keep it.

The page shows them; `RejectedNames` reads them and runs the edit.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.services.provenance import RejectedName
from desktop_app.engine.text.shown_text import remove_signs
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets import (
    STRETCH,
    Button,
    ElidedLabel,
    Label,
    build_column,
    build_row,
    clear_layout,
    format_number,
)
from ..widgets.words import shorten_list
from .page import ColumnScroll

SHOWN = 200
WHY = later(
    "A model read the passages with these words and decided that they are not names, but for "
    "example a month, a form of address or a word at the start of a sentence. They are not in "
    "the graph or in the list of names. A name that you keep is not removed again."
)


class RejectedNamesPage(ColumnScroll):
    """Emits `keep_wanted` with a name, `place_clicked` with a place in a text."""

    keep_wanted = Signal(str)
    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent, least=24, top=24)
        self._theme = theme
        body = self.body
        self.title = Label("", "title", body)
        self._rows = build_column(spacing=12)
        self.rest = Label("", "small", body)
        why = Label(tr(WHY), "muted", body, wrap=True)
        self.column.addLayout(build_column(self.title, why, 8, self._rows, self.rest, STRETCH))
        self.buttons: dict[str, Button] = {}

    def set_names(self, names: Sequence[RejectedName]) -> None:
        """Show these names, the most frequent first."""
        self.title.setText(
            trn("{n} name rejected by the model", "{n} names rejected by the model", len(names))
        )
        clear_layout(self._rows)
        self.buttons = {}
        for name in names[:SHOWN]:
            self._rows.addWidget(self._build_row(name))
        n_rest = len(names) - SHOWN
        self.rest.setText(trn("and {n} more", "and {n} more", n_rest))
        self.rest.setVisible(n_rest > 0)

    def _build_row(self, name: RejectedName) -> QWidget:
        row = QWidget(self)
        text = trn(
            "rejected in {against} of {n} passage",
            "rejected in {against} of {n} passages",
            name.n_asked,
            against=format_number(name.n_against),
        )
        if name.models:
            text = tr("{facts}, by {model}", facts=text, model=shorten_list(name.models))
        facts = f"{trn('{n} mention', '{n} mentions', name.n_mentions)} · {text}"
        title = Label(name.name, "strong", row)
        title.setMaximumWidth(360)
        head = build_row(title, (ElidedLabel(facts, "small", row), 1), spacing=12)
        column = build_column(head, parent=row, spacing=2)
        if (place := name.place) is not None:
            show = Button(tr("Show in text"), row, kind="link")
            show.clicked.connect(
                lambda: self.place_clicked.emit(place.document_id, place.start, place.end)
            )
            head.addWidget(show)
            column.addWidget(ElidedLabel(remove_signs(place.sentence), "muted", row))
        keep = Button(tr("Keep"), row, tooltip=tr("Restore this name"))
        keep.setAccessibleName(tr("Keep {name}", name=name.name))
        keep.clicked.connect(lambda: self.keep_wanted.emit(name.name))
        self.buttons[name.name] = keep
        head.addWidget(keep)
        return row


class RejectedNames(QObject):
    """Fills `page` with rejected names; emits `counted` with their number."""

    counted = Signal(int)

    def __init__(self, context: SessionContext, page: RejectedNamesPage, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._page = page
        self._names: list[RejectedName] = []
        page.keep_wanted.connect(self.keep)

    def read(self) -> None:
        """Read the rejected names again."""

        def show(names: list[RejectedName]) -> None:
            if names != self._names:
                self._names = names
                self._page.set_names(names)
            self.counted.emit(len(names))

        context = self._context
        query = Query(context.reader_lane, context.library_reader.list_rejected_names, owner=self)
        query.on_success(show).run()

    def keep(self, name: str) -> None:
        """Add a rejected name to the graph permanently."""
        context = self._context

        def finish(change: ChangeNotice) -> None:
            message = tr("“{name}” restored", name=name)
            context.messages.show(message, action_text=tr("Undo"), action=self._undo)
            context.hub.publish_edit(change)
            self.read()

        query = Query(context.writer_lane, context.editing.keep_name, name, owner=self)
        query.on_success(finish).run()

    def _undo(self) -> None:
        context = self._context

        def finish(result: tuple[object, ChangeNotice]) -> None:
            context.hub.publish_edit(result[1])
            self.read()

        Query(context.writer_lane, context.editing.undo, owner=self).on_success(finish).run()
