"""Opening a document where it was left, also after the program was closed.

Owns when the place is kept and whether a kept one fits the view. Knows no layout.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop_app.workers.operations import Query

from .loading import Loaded
from .view import DocumentView

if TYPE_CHECKING:
    from desktop_app.ui.context import Context

KEEP_MS = 1500  # after scrolling has come to rest


class Resuming(QObject):
    """Keeps the place of the document that is shown in the library."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._loaded: Loaded | None = None
        self._view: DocumentView | None = None
        self._kept: object = None
        self._timer = QTimer(self, singleShot=True, interval=KEEP_MS)
        self._timer.timeout.connect(self.keep)

    def set_document(self, loaded: Loaded | None, view: DocumentView | None) -> None:
        """Speak of this document from now on; the one before keeps its place."""
        self._timer.stop()
        if self._view is not None:
            self._view.settled.disconnect(self._timer.start)
        self._loaded, self._view = loaded, view
        self._kept = loaded.place if loaded is not None else None
        if view is not None:
            view.settled.connect(self._timer.start)

    def land(self, view: DocumentView) -> None:
        """Go to where the document was left, if that is known."""
        place = self._loaded.place if self._loaded is not None else None
        if isinstance(place, int) and self._loaded is not None and self._loaded.blocks is not None:
            view.go_to_place(place)
        elif isinstance(place, list) and len(place) == 2 and self._loaded.blocks is None:
            view.go_to_place((int(place[0]), float(place[1])))

    def keep(self) -> None:
        """Write where one is, if that is another place than the one that was written last."""
        self._timer.stop()
        loaded, view = self._loaded, self._view
        if loaded is None or view is None:
            return
        place = json.loads(json.dumps(view.place()))
        if place != self._kept:
            self._kept = place
            keep = self._context.reading.keep_place
            Query(self._context.writer_lane, keep, loaded.row.id, json.dumps(place)).run()

    def stop(self) -> None:
        self._timer.stop()
        self._view = self._loaded = None
