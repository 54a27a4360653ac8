"""The outline beside the text: chapters as a tree, with the current one marked.

Owns the tree and which chapter is current. Knows no views.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QFont
from PySide6.QtWidgets import QFrame, QMenu, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from desktop_app.engine.model import Heading
from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.theme.tokens import ROW_COMPACT
from desktop_app.ui.widgets.labels import Label
from desktop_app.ui.widgets.menu_key import MenuKey

from ..widgets.plain_tooltip import plain_tip

_PLACE = Qt.ItemDataRole.UserRole


class OutlinePanel(QFrame):
    """Lists the chapters; `chosen` and `enrich_wanted` carry the index of a heading."""

    chosen = Signal(int)
    enrich_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._starts: list[int] = []
        self._lines: list[QTreeWidgetItem] = []
        self._current = -1
        self.setObjectName("readerOutline")
        self.tree = QTreeWidget(self)
        self.tree.setHeaderHidden(True)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(12)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setAccessibleName(tr("Chapters"))
        self.tree.itemClicked.connect(self._go)
        self.tree.itemActivated.connect(self._go)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._show_menu)
        MenuKey(self.tree)
        words = tr("No chapters were found in this document.")
        self.nothing = Label(words, "muted", self, wrap=True)
        self.nothing.setContentsMargins(16, 16, 16, 16)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tree, 1)
        column.addWidget(self.nothing, 1)
        theme.changed.connect(self._restyle)
        self._restyle()

    def set_outline(self, outline: Sequence[Heading]) -> None:
        """Show these headings, nested by level."""
        self.tree.clear()
        self._lines, self._current = [], -1
        self._starts = [heading.start for heading in outline]
        above: list[tuple[int, QTreeWidgetItem]] = []
        tops: list[QTreeWidgetItem] = []
        for number, heading in enumerate(outline):
            title = " ".join(heading.title.split()) or tr("Untitled")
            line = QTreeWidgetItem([title])
            line.setToolTip(0, plain_tip(title))
            line.setData(0, _PLACE, number)
            line.setSizeHint(0, QSize(0, ROW_COMPACT))
            while above and above[-1][0] >= heading.level:
                above.pop()
            if above:
                above[-1][1].addChild(line)
            else:
                tops.append(line)
            above.append((heading.level, line))
            self._lines.append(line)
        self.tree.addTopLevelItems(tops)
        nested = any(line.childCount() for line in tops)
        self.tree.setRootIsDecorated(nested)
        if len(self._lines) <= 60:
            self.tree.expandAll()
        self.tree.setVisible(bool(self._lines))
        self.nothing.setVisible(not self._lines)

    def set_offset(self, offset: int) -> int:
        """Mark the chapter that contains an offset and return its index, -1 before the first."""
        at = bisect.bisect_right(self._starts, offset) - 1
        if at != self._current:
            self._mark(self._current, on=False)
            self._current = at
            self._mark(at, on=True)
        return at

    def _mark(self, at: int, *, on: bool) -> None:
        if not 0 <= at < len(self._lines):
            return
        line = self._lines[at]
        font = QFont(self._theme.font("strong" if on else "text"))
        line.setFont(0, font)
        line.setForeground(0, QBrush(self._theme.color("accent" if on else "text")))
        if on:
            self.tree.setCurrentItem(line)
            self.tree.scrollToItem(line)

    def _go(self, line: QTreeWidgetItem) -> None:
        self.chosen.emit(int(line.data(0, _PLACE)))

    def build_menu(self, number: int) -> QMenu:
        """Return the context menu of a chapter."""
        menu = QMenu(self)
        menu.addAction(tr("Go to this chapter")).triggered.connect(lambda: self.chosen.emit(number))
        enrich = menu.addAction(tr("Enrich this chapter now"))
        enrich.triggered.connect(lambda: self.enrich_wanted.emit(number))
        return menu

    def _show_menu(self, point: QPoint) -> None:
        line = self.tree.itemAt(point)
        if line is not None:
            menu = self.build_menu(int(line.data(0, _PLACE)))
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.tree.viewport().mapToGlobal(point))

    def _restyle(self) -> None:
        self.setStyleSheet(
            "#readerOutline { background: transparent; border: none; }"
            "#readerOutline QTreeWidget { background: transparent; border: none; }"
        )
        for at in range(len(self._lines)):
            self._mark(at, on=False)
        self._mark(self._current, on=True)
