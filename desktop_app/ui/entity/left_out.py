"""Reads the words that a model left out of the graph, and keeps those that a person wants.

Owns these two calls and what is said of them. Lays nothing out.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.services.said import StruckName
from desktop_app.ui.context import Context
from desktop_app.ui.language import tr
from desktop_app.workers.operations import Query

from .struck_page import StruckPage


class LeftOut(QObject):
    """Fills `page`; `counted` says how many words there are."""

    counted = Signal(int)

    def __init__(self, context: Context, page: StruckPage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._page = page
        self._names: list[StruckName] = []
        page.keep_wanted.connect(self.keep)

    def read(self) -> None:
        """Read the words again."""
        context = self._context
        query = Query(context.reader_lane, context.exploring.list_struck, owner=self)
        query.on_success(self._take).run()

    def keep(self, name: str) -> None:
        """Put a word back among the names, for good."""
        context = self._context
        query = Query(context.writer_lane, context.editing.keep_name, name, owner=self)
        query.on_success(lambda change: self._kept(name, change)).run()

    def _take(self, names: list[StruckName]) -> None:
        if names != self._names:
            self._names = names
            self._page.set_names(names)
        self.counted.emit(len(names))

    def _kept(self, name: str, change: ChangeSet) -> None:
        self._context.messages.show(
            tr("“{name}” is among the names again", name=name),
            action_text=tr("Undo"),
            action=self._undo,
        )
        self._context.hub.tell(change)
        self.read()

    def _undo(self) -> None:
        context = self._context

        def told(result: tuple[str | None, ChangeSet]) -> None:
            context.hub.tell(result[1])
            self.read()

        query = Query(context.writer_lane, context.editing.undo, owner=self)
        query.on_success(told).run()
