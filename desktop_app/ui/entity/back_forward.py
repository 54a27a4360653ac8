"""Back and forward history of entities, as in a browser. No Qt here."""

from __future__ import annotations


class EntityBackForward:
    """The visited entities; `here` is None before the first step."""

    def __init__(self) -> None:
        self.here: int | None = None
        self._back: list[int] = []
        self._forward: list[int] = []

    @property
    def can_go_back(self) -> bool:
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        return bool(self._forward)

    def go(self, entity_id: int) -> bool:
        """Move to an entity; return False if it is the current one."""
        if entity_id == self.here:
            return False
        if self.here is not None:
            self._back.append(self.here)
        self._forward.clear()
        self.here = entity_id
        return True

    def back(self) -> int | None:
        """Go back and return the previous entity, None at the beginning."""
        return self._move(self._back, self._forward)

    def forward(self) -> int | None:
        """Go forward and return the next entity, None at the end."""
        return self._move(self._forward, self._back)

    def _move(self, source: list[int], target: list[int]) -> int | None:
        if not source:
            return None
        if self.here is not None:
            target.append(self.here)
        self.here = source.pop()
        return self.here
