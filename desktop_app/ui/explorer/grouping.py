"""By which communities a picture is coloured: those of the library, as coarse or fine as wanted.

Owns the level and when the picture is read again because communities are others now. Where the
library keeps none, the picture is divided by itself (`arranging`).
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from desktop_app.engine.changes import ChangeSet

from .graph_data import GraphData
from .surface import Surface
from .toolbar import ExplorerToolbar
from .views import Reading, View
from .wandering import Wandering

AROUND, AT_TOP = 60, 200  # names shown around given ones, or without any


class Grouping(QObject):
    """Follows the level that the toolbar asks for."""

    def __init__(
        self,
        surface: Surface,
        wandering: Wandering,
        toolbar: ExplorerToolbar,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._surface, self._wandering, self._toolbar = surface, wandering, toolbar
        toolbar.level_wanted.connect(self.set_level)
        wandering.leaving.connect(lambda _: self._take_level())
        wandering.came.connect(self._came)

    def show(self, ids: Sequence[int] = (), level: int | None = None) -> None:
        """Show names in the colours of their communities: these and who is near, or top ones."""
        self._surface.color_mode = "group"
        if level is not None:
            self._surface.level = level
        wanted = tuple(int(i) for i in ids)
        if wanted:
            self._wandering.go(View("near", wanted, limit=AROUND))
        else:
            self._wandering.go(View("top", limit=AT_TOP, layout="groups"))

    def set_level(self, level: int) -> None:
        """Colour by coarser or finer communities."""
        self._surface.level = level
        self._surface.color_mode = "group"
        view = self._wandering.view
        if view is not None and view.layout == "groups":
            self._wandering.set_layout("groups")
        else:
            self._wandering.refresh()

    def _take_level(self) -> None:
        self._wandering.loader.level = self._surface.level

    def _came(self, _data: GraphData, reading: Reading, _quiet: bool) -> None:
        self._toolbar.set_levels(reading.groups.n_levels, self._surface.level)

    def is_touched(self, change: ChangeSet) -> bool:
        """Say whether a change shows in the picture, as it is coloured now."""
        if change.everything or change.documents or change.entities or change.relations:
            return True
        return bool(change.communities) and self._surface.color_mode == "group"
