"""Saved views of the library, and the view that was open last.

Reads and writes them in the lanes and asks for the name of a new one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.engine.graph.view.view import DiscPositions, View, view_from_dict
from desktop_app.engine.services.graph_views import SavedView
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.edits import EditRunner
from ..translation import tr
from ..widgets.line_dialog import ask_line

LAST = ""
KEEP_AFTER_MS = 800


class SavedViews(QObject):
    """Saves and opens views; emits `found(view, positions, appearance)` and `listed(names)`.

    Args:
        read: returns the current view, its positions and its appearance as plain data;
            None while nothing is shown.
    """

    found = Signal(object, object, object)
    listed = Signal(list)
    missing = Signal()

    def __init__(
        self,
        context: SessionContext,
        read: Callable[[], tuple[View, DiscPositions, dict[str, Any]] | None],
        owner: QWidget,
    ) -> None:
        super().__init__(owner)
        self._context, self._read, self._owner = context, read, owner
        self._edits = EditRunner(context, self)
        context.hub.changed.connect(lambda change: self.list() if change.views else None)
        self._later = QTimer(self, singleShot=True, interval=KEEP_AFTER_MS)
        self._later.timeout.connect(lambda: self.save(LAST))

    def list(self) -> None:
        lane, graph = self._context.reader_lane, self._context.library_reader.graph
        Query(lane, graph.saved_views, owner=self).on_success(self.listed.emit).run()

    def open(self, name: str) -> None:
        """Open a view by name; emits `missing` where there is none."""
        lane, graph = self._context.reader_lane, self._context.library_reader.graph
        Query(lane, graph.saved_view, name, owner=self).on_success(self._emit_view).run()

    def ask_and_save(self) -> None:
        """Ask for the name of the view that is shown, and save it."""

        def give(typed: str) -> None:
            name = " ".join(typed.split())
            self.save(name, message=tr("Saved as “{name}”", name=name))

        words = (tr("Save view"), tr("Name of the view"), tr("Save"))
        ask_line(self._owner, *words, then=give)

    def delete(self, name: str) -> None:
        """Delete a view; the message offers to undo."""
        self._edits.run(
            self._context.graph_views.delete, name, message=tr("View “{name}” deleted", name=name)
        )

    def save_soon(self) -> None:
        """Save the current view as the last one, after a short delay."""
        self._later.start()

    def save(self, name: str, message: str = "") -> None:
        """Save the current view under a name; the message offers to undo."""
        if (view := self._take(name)) is not None:
            self._edits.run(self._context.graph_views.save, view, message=message)

    def stop(self) -> None:
        """Save what is pending; the writer lane does so before it ends."""
        if not self._later.isActive():
            return
        self._later.stop()
        if (view := self._take(LAST)) is not None:
            Query(self._context.writer_lane, self._context.graph_views.save, view).run()

    def _take(self, name: str) -> SavedView | None:
        now = self._read()
        if now is None:
            return None
        view, positions, appearance = now
        content = {"view": view.to_dict(), "layout": positions.layout, "look": appearance}
        return SavedView(name, content, positions.places, positions.pinned)

    def _emit_view(self, saved: SavedView | None) -> None:
        if saved is None:
            self.missing.emit()
            return
        content = saved.content if isinstance(saved.content, dict) else {}
        view = view_from_dict(content.get("view") or {})
        layout = str(content.get("layout", view.layout))
        appearance = content.get("look") or {}
        self.found.emit(view, DiscPositions(saved.places, saved.pinned, layout), appearance)
