"""The history of shown views: back, forward, and the positions of the nodes in each step.

Knows no widgets and no services.
"""

from __future__ import annotations

from desktop_app.engine.graph.view.view import DiscPositions, View


class ViewHistory:
    """A list of views with a current step, and the positions of each."""

    def __init__(self) -> None:
        self._steps: list[tuple[View, DiscPositions | None]] = []
        self._at = -1
        self._arranged: dict[tuple, DiscPositions] = {}

    def remember(self, view: View, positions: DiscPositions) -> None:
        """Store the positions of the step that is left.

        Positions with pinned nodes are also used when the same view is opened again.
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
        """The positions stored for the current step."""
        return (self._steps[self._at][1] if self._at >= 0 else None) or DiscPositions()

    def push(self, view: View, *, again: bool = False) -> None:
        """Add a step; the current view only where its positions changed (`again`)."""
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
