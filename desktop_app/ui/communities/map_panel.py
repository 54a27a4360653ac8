"""The map with the way into it over it: all communities, one of them, a part of that.

Owns which part of the hierarchy the map shows and the way back.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, ElidedLabel, IconButton

from .forest import ROOT, Forest
from .treemap import Treemap
from .words import title_of


class MapPanel(QWidget):
    """Emits `chosen` with a community."""

    chosen = Signal(int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.treemap = Treemap(theme, self)
        back = "Backspace"  # not shown: a key
        self.up_button = IconButton(
            theme, "arrow-up", tr("Back to what it is a part of"), self, shortcut=back
        )
        self.all_button = Button(tr("All"), self, kind="link")
        self.here = ElidedLabel("", "small", self)
        self.way = QWidget(self)
        row = QHBoxLayout(self.way, spacing=4)
        row.setContentsMargins(8, 4, 12, 0)
        row.addWidget(self.up_button)
        row.addWidget(self.all_button)
        row.addWidget(self.here, 1)
        column = QVBoxLayout(self, spacing=0)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.way)
        column.addWidget(self.treemap, 1)
        self.treemap.chosen.connect(self.chosen)
        self.treemap.entered.connect(self.go_into)
        self.treemap.left.connect(self.go_back)
        self.treemap.menu_wanted.connect(self.menu_wanted)
        self.up_button.clicked.connect(self.go_back)
        self.all_button.clicked.connect(lambda: self._show(ROOT))
        self._show(ROOT)

    @property
    def root(self) -> int:
        return self.treemap.root

    def set_forest(self, forest: Forest) -> None:
        """Show these; where one was gone into, it stays so while it is there."""
        root = self.root if self.root in forest else ROOT
        self.treemap.forest = forest
        self._show(root)

    def mark(self, number: int) -> None:
        """Show that a community is chosen, going where it can be seen."""
        forest = self.treemap.forest
        hidden = not self.isVisible()  # nothing is laid out yet
        if not hidden and number in forest and self.treemap.cell_of(number) is None:
            parent = forest.parent(number)
            if self.root != number or not forest.children(number):
                self._show(parent)
        self.treemap.mark(number)

    def set_found(self, found: set[int] | None) -> None:
        self.treemap.set_found(found)

    def go_into(self, number: int) -> None:
        """Show the parts of a community."""
        if self.treemap.forest.children(number):
            self._show(number)
            self.chosen.emit(number)

    def go_back(self) -> None:
        """Show what this is a part of, the former part chosen."""
        before = self.root
        if before != ROOT:
            self._show(self.treemap.forest.parent(before))
            self.chosen.emit(before)

    def _show(self, root: int) -> None:
        forest = self.treemap.forest
        self.treemap.show_part(forest, root)
        self.way.setVisible(root != ROOT)
        self.here.setText(" › ".join(["", *(title_of(forest.rows[i]) for i in forest.path(root))]))
