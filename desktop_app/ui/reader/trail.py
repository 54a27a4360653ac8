"""The way back: where one was before each jump.

Owns a short stack of places; knows no views and no documents but their ids.
"""

from __future__ import annotations

from dataclasses import dataclass

DEPTH = 50


@dataclass(frozen=True, slots=True)
class Stop:
    """One place: a document, the view's own word for the place, and what was marked there."""

    document_id: int
    place: object
    passage: tuple[int, int] | None


class Trail:
    """Places in the order they were left."""

    def __init__(self) -> None:
        self._stops: list[Stop] = []

    def __len__(self) -> int:
        return len(self._stops)

    def leave(self, stop: Stop) -> None:
        """Remember a place; the same one twice is remembered once."""
        if not self._stops or self._stops[-1] != stop:
            self._stops.append(stop)
            del self._stops[:-DEPTH]

    def back(self) -> Stop | None:
        """Return the last place and forget it, None at the start."""
        return self._stops.pop() if self._stops else None

    def forget(self, document_id: int) -> None:
        """Drop the places of a document that is gone."""
        self._stops = [stop for stop in self._stops if stop.document_id != document_id]
