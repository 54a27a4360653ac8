"""The history of shown views: back, forward, and where the nodes of each step were.

Knows no widgets and no services.
"""

from __future__ import annotations

from desktop_app.engine.graph.view.view import DiscPositions, View


class ViewHistory:
    """Steps gone through, with the way back and forward, and where the discs of each stood."""

    def __init__(self) -> None:
        self._steps: list[tuple[View, DiscPositions | None]] = []
        self._at = -1
        self._arranged: dict[tuple, DiscPositions] = {}

    def remember(self, view: View, positions: DiscPositions) -> None:
        """Keep where discs stand in the step that is left.

        A view that the person arranged by pinning is found arranged whenever it is opened.
        """
        if self._at >= 0:
            self._steps[self._at] = (self._steps[self._at][0], positions)
        if positions.pinned:
            self._arranged[view.kind, view.ids] = positions
        else:
            self._arranged.pop((view.kind, view.ids), None)

    def positions_in(self, view: View) -> DiscPositions:
        return self._arranged.get((view.kind, view.ids), DiscPositions())

    @property
    def now(self) -> View | None:
        return self._steps[self._at][0] if self._at >= 0 else None

    @property
    def positions_now(self) -> DiscPositions:
        """Where discs stood when this step was left."""
        return (self._steps[self._at][1] if self._at >= 0 else None) or DiscPositions()

    def push(self, view: View, *, again: bool = False) -> None:
        """Make a step; one that changes nothing only where discs were moved (`again`)."""
        if again or view != self.now:
            self._steps[self._at + 1 :] = [(view, None)]
            self._at = len(self._steps) - 1

    def replace_now(self, view: View) -> None:
        self._steps[self._at] = (view, self._steps[self._at][1])

    def back(self) -> View | None:
        if self.can_go_back():
            self._at -= 1
        return self.now

    def forward(self) -> View | None:
        if self.can_go_forward():
            self._at += 1
        return self.now

    def can_go_back(self) -> bool:
        return self._at > 0

    def can_go_forward(self) -> bool:
        return self._at < len(self._steps) - 1
