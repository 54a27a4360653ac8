"""The controls for pages and zoom in the reader's toolbar; a text has those for zoom only.

Owns these controls and their signals; knows neither the document nor the view.
"""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFrame, QLineEdit, QMenu, QWidget

from ...theme.theme import Theme
from ...translation import tr
from ...widgets.buttons import IconButton
from ...widgets.fields import name_icons
from ...widgets.labels import Label
from ...widgets.layout import TallRule, build_row
from ...widgets.words import describe_sheet, format_number
from .layout import PageFit

PAGE_WIDTH, ZOOM_WIDTH = 48, 146  # pixels of the two fields
TEXT_ZOOM_WIDTH = 92  # pixels: the zoom of a text has no words beside its number
LEAST_PERCENT, LEAST_TEXT_PERCENT, MOST_PERCENT = 25, 50, 400


class PageBar(QFrame):
    """Goes to pages and zooms; `page_entered` carries what was typed, a number or a label."""

    page_entered = Signal(str)
    stepped = Signal(int)
    zoom_stepped = Signal(int)
    zoom_chosen = Signal(float)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("readerPageBar")
        self._theme = theme
        self._page, self._zoom = "", ""
        self._least, self._is_paged = LEAST_PERCENT, True
        self.previous = IconButton(theme, "caret-up", tr("Previous page"), self)
        self.field = self._field(tr("Go to page"))
        self.count = Label("", "small", self)
        self.next = IconButton(theme, "caret-down", tr("Next page"), self)
        self.out = IconButton(theme, "minus", tr("Zoom out"), self, shortcut="Ctrl+-")
        self.percent = self._field(tr("Zoom"))
        self.sizes = self.percent.addAction(QIcon(), QLineEdit.ActionPosition.TrailingPosition)
        self.sizes.setText(tr("Choose a zoom"))
        name_icons(self.percent)
        self.zoom_menu = QMenu(self)  # filled by the owner
        self.sizes.triggered.connect(self._open_zoom_menu)
        self.enlarge = IconButton(theme, "plus", tr("Zoom in"), self, shortcut="Ctrl++")
        self.pages = (self.previous, self.next, self.field, self.count)
        self.zoom = (self.out, self.percent, self.enlarge)
        self.stops = (self.previous, self.next, self.field, *self.zoom)
        self.rule = TallRule(self)  # between pages and zoom
        theme.changed.connect(self._draw)
        self._draw()
        build_row(*self.pages, self.rule, *self.zoom, parent=self, spacing=4)
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        self.field.returnPressed.connect(lambda: self.page_entered.emit(self.field.text()))
        self.field.editingFinished.connect(lambda: self.field.setText(self._page))
        self.out.clicked.connect(lambda: self.zoom_stepped.emit(-1))
        self.enlarge.clicked.connect(lambda: self.zoom_stepped.emit(1))
        self.percent.returnPressed.connect(self._enter_zoom)
        self.percent.editingFinished.connect(lambda: self.percent.setText(self._zoom))

    def _draw(self) -> None:
        self.sizes.setIcon(self._theme.icon("caret-down", color="text2"))
        self.field.setFixedWidth(self._theme.length(PAGE_WIDTH))
        wide = ZOOM_WIDTH if self._is_paged else TEXT_ZOOM_WIDTH
        self.percent.setFixedWidth(self._theme.length(wide))

    def _open_zoom_menu(self) -> None:
        self.zoom_menu.popup(self.percent.mapToGlobal(self.percent.rect().bottomLeft()))

    def _field(self, name: str) -> QLineEdit:
        field = QLineEdit(self)
        field.setAlignment(Qt.AlignmentFlag.AlignCenter)
        field.setAccessibleName(name)
        field.setToolTip(name)
        return field

    def set_paged(self, paged: bool) -> None:
        """Set whether the document has pages; a text has a size of its letters."""
        self._least = LEAST_PERCENT if paged else LEAST_TEXT_PERCENT
        name = tr("Zoom in per cent of the page width") if paged else tr("Text size in per cent")
        self.percent.setAccessibleName(name)
        self.percent.setToolTip(tr("Zoom: 100% fits the page width") if paged else name)
        self._is_paged = paged
        self._draw()

    def set_page(self, index: int, label: str, n_pages: int, n_beside: int = 0) -> None:
        """Show the page in sight; one that is being typed stays.

        Args:
            label: the printed number, "" in a document without printed numbers of its own.
            n_beside: pages in sight at its right.
        """
        last = f"–{index + 1 + n_beside}" if n_beside and not label else ""
        self._page = (label or str(index + 1)) + last
        if not self.field.isModified() or not self.field.hasFocus():
            self.field.setText(self._page)
        total = format_number(n_pages)
        words = describe_sheet(index, n_pages) if label else tr("of {all}", all=total)
        self.count.setText(words)
        self.previous.setEnabled(index > 0)
        self.next.setEnabled(index + 1 + n_beside < n_pages)

    def set_zoom(self, zoom: float, fit: PageFit | None = None) -> None:
        """Show the zoom, and how it fits the page in sight.

        Args:
            fit: None if it does not follow the width of the text.
        """
        share = round(zoom * 100)
        if fit is None:
            self._zoom = tr("{share}%", share=share)
        elif fit is PageFit.WHOLE:
            self._zoom = tr("Fit page · {share}%", share=share)
        else:
            self._zoom = tr("Fit text · {share}%", share=share)
        self.percent.setText(self._zoom)
        if self._is_paged:
            tips = {
                None: tr("Pages are shown whole, with their margins."),
                PageFit.FILLS: tr("The text fills the width; the margins of pages are hidden."),
                PageFit.LIMITED: tr(
                    "Margins are hidden. Larger letters would leave too few lines in sight."
                ),
                PageFit.WHOLE: tr("The cover is shown whole; the pages after it fit their text."),
            }
            self.percent.setToolTip(tips[fit])

    def _enter_zoom(self) -> None:
        digits = re.search(r"\d+", self.percent.text())  # "150", "150%" or as it is shown
        if digits is not None and self.percent.text() != self._zoom:
            percent = min(max(int(digits[0][:6]), self._least), MOST_PERCENT)
            self.zoom_chosen.emit(percent / 100)
        self.percent.setText(self._zoom)
        self.percent.selectAll()
