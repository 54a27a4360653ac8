"""The toolbar over the document: title and position, or pages and zoom, and controls.

Owns these widgets and their signals; contains no logic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.buttons import IconButton
from ..widgets.labels import ElidedLabel
from ..widgets.layout import STRETCH, ToolbarRow, build_column
from ..widgets.note_colors import COLOR_WORDS
from .annotations import Swatch
from .pdf.page_bar import PageBar

LINE_LENGTHS: dict[Any, str] = {
    0.75: later("Narrow"),
    1.0: later("Medium"),
    1.3: later("Wide"),
    0.0: later("Whole width"),
}
COLORS: dict[Any, str] = {
    "window": later("Follow the window"),
    "paper": later("Paper"),
    "sepia": later("Sepia"),
    "dark": later("Dark"),
}


LEAST_WORDS = 64  # pixels: margins, gaps and a few letters of the title


def _width(widget: QWidget) -> int:
    """Return the width that a control takes in the row, with its gap."""
    return max(widget.minimumWidth(), min(widget.sizeHint().width(), widget.maximumWidth())) + 4


def _add_choices(
    menu: QMenu, choices: Mapping[Any, str], choose: Callable[[Any], None]
) -> dict[Any, QAction]:
    """Add actions of which one is checked; `choose` is called with the key of the new one."""
    group, actions = QActionGroup(menu), {}
    for value, words in choices.items():
        action = actions[value] = menu.addAction(tr(words))
        action.setCheckable(True)
        group.addAction(action)
        action.toggled.connect(lambda on, value=value: choose(value) if on else None)
    return actions


class ReaderHead(ToolbarRow):
    """Back, panel, title and position or pages, highlighter, search, names, bookmark, zoom, close.

    A PDF has its page box and zoom here instead of its title, which the tab shows. What does not
    fit is hidden, the least needed first; menus and keys reach it too.
    """

    zoom_chosen = Signal(float)
    zoom_stepped = Signal(int)
    single_chosen = Signal(bool)
    facing_chosen = Signal(bool)
    colors_chosen = Signal(str)  # a key of `PAGE_COLORS`
    line_length_chosen = Signal(float)
    page_wanted = Signal()
    pen_chosen = Signal(str)  # a highlight colour, empty for none
    note_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._theme, self._paged, self._alone = theme, False, True
        self.back = IconButton(theme, "arrow-left", tr("Back"), self, shortcut="Alt+Left")
        self.outline = IconButton(theme, "ph.layout", tr("Chapters, pages and notes"), self)
        self.search = IconButton(theme, "search", tr("Search in document"), self, shortcut="Ctrl+F")
        self.names = IconButton(theme, "names", tr("Underline names"), self)
        self.bookmark = IconButton(
            theme, "ph.bookmark-simple", tr("Add bookmark"), self, shortcut="Ctrl+D"
        )
        # each is shown where it applies: beside a screen, in a tab, beside another document
        self.tab_button = IconButton(
            theme, "ph.arrows-out-simple", tr("Open in a tab with the whole width"), self
        )
        self.place_button = IconButton(
            theme, "ph.square-half", tr("Side by side, or in a new window"), self
        )
        self.tab_button.hide()
        self.place_button.hide()
        self.close_button = IconButton(theme, "close", tr("Close the document"), self)
        for toggle in (self.outline, self.names):
            toggle.setCheckable(True)
        self.title = ElidedLabel("", "strong", self)
        self.position = ElidedLabel("", "small", self)
        self.back.setEnabled(False)
        self.zoom = self._zoom_button()
        self.page_bar = PageBar(theme, self)
        self.page_bar.hide()
        self.pens = [self._pen(theme, color, words) for color, words in COLOR_WORDS.items()]
        self.note = IconButton(
            theme, "ph.note-pencil", tr("Add a note to the selected text"), self, shortcut="M"
        )
        self.note.clicked.connect(self.note_wanted)
        self._words = QWidget(self)
        build_column(STRETCH, self.title, self.position, STRETCH, spacing=0, parent=self._words)
        row = self.row
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(4)
        row.addWidget(self.back)
        row.addWidget(self.outline)
        row.addSpacing(4)
        row.addWidget(self._words, 1)
        row.addWidget(self.page_bar, 1)
        row.addSpacing(4)
        controls = (
            *self.pens,
            self.note,
            self.search,
            self.names,
            self.bookmark,
            self.zoom,
            self.tab_button,
            self.place_button,
            self.close_button,
        )
        for widget in controls:
            row.addWidget(widget)
        for first, second in pairwise((self.back, self.outline, *self.page_bar.stops, *controls)):
            self.setTabOrder(first, second)

    def clear(self) -> None:
        self.title.setText("")
        self.position.setText("")

    def set_zoom(self, zoom: float) -> None:
        self.zoom.setText(tr("{share}%", share=round(zoom * 100)))

    def set_ready(self, ready: bool) -> None:
        """Enable the controls that need a document."""
        for widget in (self.outline, self.search, self.names, self.bookmark, self.zoom,
                       self.tab_button, self.place_button, self.note, *self.pens):  # fmt: skip
            widget.setEnabled(ready)
        if not ready:
            self.page_bar.hide()
            self._words.show()

    def set_paged(self, paged: bool) -> None:
        """Show the options for pages only for documents with pages."""
        self.single.setVisible(paged)
        self.facing.setVisible(paged)
        self.line_lengths.menuAction().setVisible(not paged)
        self._paged = paged
        self.page_bar.setVisible(paged)
        styles = Qt.ToolButtonStyle
        self.zoom.setToolButtonStyle(
            styles.ToolButtonIconOnly if paged else styles.ToolButtonTextOnly
        )
        self.zoom.setMinimumWidth(28 if paged else 60)
        words = tr("Page colours and arrangement") if paged else tr("Zoom")
        self.zoom.setAccessibleName(words)
        self.zoom.setToolTip(
            words if paged else tr("Text size, lines, pages and colours (Ctrl+wheel zooms)")
        )
        self._fit()

    def set_alone(self, alone: bool) -> None:
        """Say whether the tab shows the title of the document already."""
        self._alone = alone
        self.close_button.setVisible(not alone)
        self._fit()

    def clear_pen(self) -> None:
        for pen in self.pens:
            pen.setChecked(False)

    def _pen(self, theme: Theme, color: str, words: str) -> Swatch:
        pen = Swatch(theme, color, self)
        pen.setAutoExclusive(False)  # none is the usual case
        title = tr("Highlight: {color}", color=tr(words))
        pen.setToolTip(title + "\n" + tr("Select text, before or after. Esc stops highlighting."))
        pen.setAccessibleName(title)
        pen.clicked.connect(lambda on: self._choose_pen(pen if on else None))
        return pen

    def _choose_pen(self, chosen: Swatch | None) -> None:
        for pen in self.pens:
            pen.setChecked(pen is chosen)
        self.pen_chosen.emit(chosen.color if chosen else "")

    def _fit(self) -> None:
        """Hide what there is no room for."""
        paged = self._paged and not self.page_bar.isHidden()
        self._words.setVisible(not paged or not self._alone)
        self.position.setVisible(not paged)
        tools: tuple[QWidget, ...] = (*self.pens, self.note)
        spare = (*self.page_bar.spare[:1], tools, *self.page_bar.spare[1:]) if paged else (tools,)
        fixed: tuple[QWidget, ...] = (
            *(self.back, self.outline, self.search, self.names, self.bookmark, self.zoom),
            *(self.tab_button, self.place_button, self.close_button),
        )
        shown = [widget for widget in fixed if not widget.isHidden()]
        if paged:
            shown += [self.page_bar.field, self.page_bar.count]
        room = self.width() - sum(_width(widget) for widget in shown) - LEAST_WORDS
        groups = list(reversed(spare))  # the most needed first
        for number, group in enumerate(groups):
            room -= sum(_width(widget) for widget in group)
            fits = room >= 0
            for widget in group:
                widget.setVisible(fits)
            if not fits:
                for rest in groups[number + 1 :]:
                    for widget in rest:
                        widget.hide()
                break

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _zoom_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setText(tr("{share}%", share=100))
        button.setToolTip(tr("Text size, lines, pages and colours (Ctrl+wheel zooms)"))
        button.setAccessibleName(tr("Zoom"))
        button.setFixedHeight(28)
        button.setMinimumWidth(60)
        button.setIcon(self._theme.icon("ph.circle-half", color="text2"))
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
            action = menu.addAction(tr("{share}%", share=percent))
            action.triggered.connect(
                lambda _=False, share=percent / 100: self.zoom_chosen.emit(share)
            )
        menu.addSeparator()
        self.single = menu.addAction(tr("One page at a time"))
        self.single.setCheckable(True)
        self.single.toggled.connect(self.single_chosen)
        self.facing = menu.addAction(tr("Two pages side by side"))
        self.facing.setCheckable(True)
        self.facing.toggled.connect(self.facing_chosen)
        self.single.toggled.connect(
            lambda on: self.facing.setChecked(self.facing.isChecked() and not on)
        )
        self.facing.toggled.connect(
            lambda on: self.single.setChecked(self.single.isChecked() and not on)
        )
        self.line_lengths = menu.addMenu(tr("Line length"))
        self.lines = _add_choices(self.line_lengths, LINE_LENGTHS, self.line_length_chosen.emit)
        colors = menu.addMenu(tr("Page colours"))
        self.colors = _add_choices(colors, COLORS, self.colors_chosen.emit)
        menu.addSeparator()
        add(tr("Go to page…"), "Ctrl+G", self.page_wanted.emit)
        button.setMenu(menu)
        return button
