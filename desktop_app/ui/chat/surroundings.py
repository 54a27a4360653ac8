"""What a chat has to know of its library: which documents, how many are in, which names.

Owns when that is read again while indexing goes on. Knows no widgets but those
that it serves.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.types import DocumentRow
from desktop_app.ui.context import Context
from desktop_app.ui.language import tr
from desktop_app.ui.widgets import format_number
from desktop_app.workers.operations import Query

from .choices import Choices

SETTLE_MS = 1000
NAMES = 40


def describe_progress(documents: Sequence[DocumentRow]) -> str:
    """Return how much of the library can be asked, "" once all of it is in."""
    coming = any(d.state in ("reading", "indexing", "waiting") for d in documents)
    n_all = sum(d.n_chunks for d in documents)
    if not coming or not n_all:
        return ""
    n_done = sum(d.n_chunks_done for d in documents)
    done, whole = format_number(n_done), format_number(n_all)
    return tr("{n} of {m} parts are in; ask away.", n=done, m=whole)


class Surroundings(QObject):
    """Emits the `documents` and the most mentioned `names`, at most once a second."""

    documents = Signal(object)
    names = Signal(object)
    collections = Signal(object)  # (id, name) of each
    models = Signal(object)
    circles = Signal(object)  # names that belong together, of the weightiest themes

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self.read)
        context.hub.changed.connect(self._hub_changed)

    def serve(self, choices: Choices) -> None:
        """Tell these choices what there is to choose from, and do what they say."""
        choices.scope.opened.connect(self.read)
        choices.model.opened.connect(self.read_models)
        choices.model.wanted.connect(self.use_model)
        self.collections.connect(choices.scope.panel.set_collections)
        self.models.connect(choices.model.set_models)

    def read(self) -> None:
        """Read both now."""
        exploring, lane = self._context.exploring, self._context.reader_lane
        query = Query(lane, exploring.list_documents, owner=self)
        query.on_success(self.documents.emit).run()
        Query(lane, exploring.top_entities, NAMES, owner=self).on_success(self.names.emit).run()
        Query(lane, self._context.chats.list_circles, owner=self).on_success(
            self.circles.emit
        ).run()
        self._read_collections()

    def _read_collections(self) -> None:
        read = getattr(self._context.exploring, "list_collections", None)
        if read is None:
            return

        def show(rows: Sequence) -> None:
            self.collections.emit([(int(row.id), row.name) for row in rows])

        query = Query(self._context.reader_lane, read, owner=self)
        query.on_success(show).run()

    def read_models(self) -> None:
        """Read which models are here and in use."""
        shelf = self._context.shelf
        query = Query(self._context.reader_lane, shelf.list_models, owner=self)
        query.on_success(self.models.emit).run()

    def use_model(self, name: str) -> None:
        """Let another model write from now on; it loads with the next question."""

        def done(_: object) -> None:
            self.read_models()
            words = tr("From the next question on, this model writes.")
            self._context.messages.show(words, kind="ok")

        query = Query(self._context.reader_lane, self._context.shelf.use, name, owner=self)
        query.on_success(done).run()

    def _hub_changed(self, change: ChangeSet) -> None:
        # indexing tells of changes all the time; once in a while is enough
        if (change.everything or change.documents) and not self._settle.isActive():
            self._settle.start()
