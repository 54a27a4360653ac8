"""The card that asks for a page: a printed number, a count, or a share of the text.

Owns how what was typed is understood. Knows no views.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.labels import Label

from .card import Card
from .loading import Loaded


def find_place(words: str, loaded: Loaded) -> int | None:
    """Return the offset that a page ("xii", "12", "p. 12") or a share ("40 %") begins at."""
    words = words.strip().casefold().removeprefix("p.").removeprefix("p").strip()
    if words.endswith("%") or (words and not loaded.pages):
        share = words.removesuffix("%").strip()
        if share.replace(".", "", 1).isdigit():
            return round(min(100.0, float(share)) / 100 * max(0, len(loaded.text) - 1))
        return None
    for page in loaded.pages:
        if page.label and page.label.casefold() == words:
            return page.start
    if words.isdigit() and 0 < int(words) <= len(loaded.pages):
        return loaded.pages[int(words) - 1].start
    return None


class GoToCard(Card):
    """One line; `chosen` carries the offset to go to."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, loaded: Loaded, parent: QWidget) -> None:
        super().__init__(theme, 220, parent)
        self._loaded = loaded
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Page" if loaded.pages else "Per cent of the text"))
        self.field.setAccessibleName(tr("Go to page"))
        self.told = Label("", "small", wrap=True)
        self.told.hide()
        self.column.addWidget(self.field)
        self.column.addWidget(self.told)
        self.field.returnPressed.connect(self._go)

    def _go(self) -> None:
        offset = find_place(self.field.text(), self._loaded)
        if offset is None:
            pages = self._loaded.pages
            last = (pages[-1].label or str(len(pages))) if pages else "100 %"
            self.told.setText(tr("There is no such page. The last is {last}.", last=last))
            self.told.show()
            self.place()
            return
        self.close_card()
        self.chosen.emit(offset)
