"""The way back: where one was before each jump.

Owns a short stack of places and tells whether there is one; knows no views, and of documents
only their ids.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

DEPTH = 50


@dataclass(frozen=True, slots=True)
class Stop:
    """One place: a document, the view's own word for the place, and what was marked there."""

    document_id: int
    place: object
    passage: tuple[int, int] | None


class Trail(QObject):
    """Places in the order they were left; `changed` says whether there is a way back."""

    changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stops: list[Stop] = []

    def leave(self, stop: Stop) -> None:
        """Remember a place; the same one twice is remembered once."""
        if not self._stops or self._stops[-1] != stop:
            self._stops.append(stop)
            del self._stops[:-DEPTH]
            self.changed.emit(True)

    def back(self) -> Stop | None:
        """Return the last place and forget it, None at the start."""
        stop = self._stops.pop() if self._stops else None
        self.changed.emit(bool(self._stops))
        return stop

    def forget(self, document_id: int) -> None:
        """Drop the places of a document that is gone."""
        self._stops = [stop for stop in self._stops if stop.document_id != document_id]
        self.changed.emit(bool(self._stops))
