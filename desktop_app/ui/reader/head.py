"""The toolbar over the document: title, position and controls.

Owns these widgets and their signals; contains no logic.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from ..language import tr
from ..theme.theme import Theme
from ..widgets.buttons import IconButton
from ..widgets.labels import ElidedLabel
from ..widgets.layout import STRETCH, ToolbarRow, build_column


class ReaderHead(ToolbarRow):
    """Back, panel, title and position, search, names, bookmark, zoom, close."""

    zoom_chosen = Signal(float)
    zoom_stepped = Signal(int)
    single_chosen = Signal(bool)
    dark_chosen = Signal(bool)
    page_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.back = IconButton(theme, "arrow-left", tr("Back"), self, shortcut="Alt+Left")
        self.outline = IconButton(theme, "sidebar", tr("Chapters, pages and notes"), self)
        self.search = IconButton(theme, "search", tr("Search in document"), self, shortcut="Ctrl+F")
        self.names = IconButton(theme, "names", tr("Underline names"), self)
        self.bookmark = IconButton(
            theme, "ph.bookmark-simple", tr("Add bookmark"), self, shortcut="Ctrl+D"
        )
        self.close_button = IconButton(theme, "close", tr("Close the document"), self)
        for toggle in (self.outline, self.names):
            toggle.setCheckable(True)
        self.title = ElidedLabel("", "strong", self)
        self.position = ElidedLabel("", "small", self)
        self.back.setEnabled(False)
        self.zoom = self._zoom_button()
        words = build_column(STRETCH, self.title, self.position, STRETCH, spacing=0)
        row = self.row
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(4)
        row.addWidget(self.back)
        row.addWidget(self.outline)
        row.addSpacing(4)
        row.addLayout(words, 1)
        row.addSpacing(4)
        controls = (self.search, self.names, self.bookmark, self.zoom, self.close_button)
        for widget in controls:
            row.addWidget(widget)
        for first, second in pairwise((self.back, self.outline, *controls)):
            self.setTabOrder(first, second)

    def clear(self) -> None:
        self.title.setText("")
        self.position.setText("")

    def set_zoom(self, zoom: float) -> None:
        self.zoom.setText(tr("{share} %", share=round(zoom * 100)))

    def set_ready(self, ready: bool) -> None:
        """Enable the controls that need a document."""
        for widget in (self.outline, self.search, self.names, self.bookmark, self.zoom,
                       self.close_button):  # fmt: skip
            widget.setEnabled(ready)

    def set_paged(self, paged: bool) -> None:
        """Show the options for pages only for documents with pages."""
        self.single.setVisible(paged)
        self.dark.setVisible(paged)

    def _zoom_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setText(tr("{share} %", share=100))
        button.setToolTip(tr("Zoom (Ctrl+wheel)"))
        button.setAccessibleName(tr("Zoom"))
        button.setFixedHeight(28)
        button.setMinimumWidth(60)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(button)

        def add(words: str, keys: str, act: Callable[[], None]) -> None:
            action = menu.addAction(words)
            action.triggered.connect(lambda: act())
            # displayed only: outside the menu these keys belong to the screen
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)

        add(tr("Zoom in"), "Ctrl++", lambda: self.zoom_stepped.emit(1))
        add(tr("Zoom out"), "Ctrl+-", lambda: self.zoom_stepped.emit(-1))
        add(tr("Actual size"), "Ctrl+0", lambda: self.zoom_chosen.emit(1.0))
        menu.addSeparator()
        for percent in (80, 125, 150, 200):
            action = menu.addAction(tr("{share} %", share=percent))
            action.triggered.connect(
                lambda _=False, share=percent / 100: self.zoom_chosen.emit(share)
            )
        menu.addSeparator()
        self.single = menu.addAction(tr("One page at a time"))
        self.single.setCheckable(True)
        self.single.toggled.connect(self.single_chosen)
        self.dark = menu.addAction(tr("Dark pages"))
        self.dark.setCheckable(True)
        self.dark.toggled.connect(self.dark_chosen)
        add(tr("Go to page…"), "Ctrl+G", self.page_wanted.emit)
        button.setMenu(menu)
        return button
