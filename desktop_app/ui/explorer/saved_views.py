"""Saved views of the library, and the view that was open last.

Reads and writes them in the lanes and asks for the name of a new one. Without
`context.graph_views` nothing is saved.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QInputDialog, QWidget

from desktop_app.engine.graph.view.view import DiscPositions, View, view_from_dict
from desktop_app.engine.services.graph_views import SavedView
from desktop_app.workers.operations import Query

from ..language import tr

LAST = ""
KEEP_AFTER_MS = 800
LONGEST_WAIT_S = 2.0


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
        context: Any,
        read: Callable[[], tuple[View, DiscPositions, dict[str, Any]] | None],
        owner: QWidget,
    ) -> None:
        super().__init__(owner)
        self._context, self._read, self._owner = context, read, owner
        self._writer = getattr(context, "graph_views", None)
        self._later = QTimer(self, singleShot=True, interval=KEEP_AFTER_MS)
        self._later.timeout.connect(lambda: self._save(LAST))

    @property
    def can_save(self) -> bool:
        return self._writer is not None

    def list(self) -> None:
        query = Query(
            self._context.reader_lane, self._context.library_reader.graph.saved_views, owner=self
        )
        query.on_success(self.listed.emit).run()

    def open(self, name: str) -> None:
        """Open a view by name; emits `missing` where there is none."""
        query = Query(
            self._context.reader_lane,
            self._context.library_reader.graph.saved_view,
            name,
            owner=self,
        )
        query.on_success(self._emit_view).run()

    def ask_and_save(self) -> None:
        name, wanted = QInputDialog.getText(
            self._owner, tr("Keep this view"), tr("Name of the view")
        )
        if wanted and (name := " ".join(name.split())):
            self._save(name, message=tr("Kept as “{name}”", name=name))

    def forget(self, name: str) -> None:
        if self._writer is None:
            return
        query = Query(self._context.writer_lane, self._writer.delete, name, owner=self)
        query.on_success(lambda _: self.list()).run()

    def save_soon(self) -> None:
        """Save the current view as the last one, after a short delay."""
        if self._writer is not None:
            self._later.start()

    def stop(self) -> None:
        """Save what is pending before the lanes close; wait at most `LONGEST_WAIT_S`."""
        if not self._later.isActive():
            return
        self._later.stop()
        saved, written = self._take(LAST), threading.Event()
        if saved is not None:
            save = self._writer.save
            Query(self._context.writer_lane, lambda: (save(saved), written.set())).run()
            written.wait(LONGEST_WAIT_S)

    def _take(self, name: str) -> SavedView | None:
        now = self._read()
        if self._writer is None or now is None:
            return None
        view, positions, appearance = now
        content = {"view": view.to_dict(), "layout": positions.layout, "look": appearance}
        return SavedView(name, content, positions.places, positions.pinned)

    def _save(self, name: str, message: str = "") -> None:
        saved = self._take(name)
        if saved is None:
            return
        query = Query(self._context.writer_lane, self._writer.save, saved, owner=self)
        if message:
            query.on_success(
                lambda _: (self.list(), self._context.messages.show(message, kind="ok"))
            )
        query.run()

    def _on_saved(self, message: str) -> None:
        self.list()
        self._context.messages.show(message, kind="ok")

    def _emit_view(self, saved: SavedView | None) -> None:
        if saved is None:
            self.missing.emit()
            return
        content = saved.content if isinstance(saved.content, dict) else {}
        view = view_from_dict(content.get("view") or {})
        layout = str(content.get("layout", view.layout))
        appearance = content.get("look") or {}
        self.found.emit(view, DiscPositions(saved.places, saved.pinned, layout), appearance)
