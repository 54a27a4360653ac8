"""Turns pages of a PDF by quarters, one page or all of them, and places of areas with them.

Owns which page is turned how far. The worker turns what it gets of a page, so that all other parts
of the view know only the page as it is shown; areas are stored as they are on the page in the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.services.annotations import Area
from desktop_app.engine.text.page_turns import QUARTERS, turn_box
from desktop_app.engine.text.pdf_positions import Box

from .layout import PageLayout
from .text_fit import TextFit
from .worker import PdfWorker

DIGITS = 5  # of the sides of an area


class TurnedPages(Protocol):
    """A view of pages that can be turned."""

    worker: PdfWorker
    text_fit: TextFit
    placed: PageLayout

    def current_page(self) -> int: ...

    def selected_page(self) -> int | None: ...


class PageTurner(QObject):
    """Turns pages of a view; `turned` carries the page that is to be shown then."""

    turned = Signal(int)

    def __init__(self, view: TurnedPages, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view

    def find_page(self) -> int:
        """Return the page in sight; of two beside each other, the one with the selection."""
        here, chosen = self._view.current_page(), self._view.selected_page()
        is_beside = chosen is not None and chosen in self._view.placed.row(here)
        return chosen if chosen is not None and is_beside else here

    def turn_page(self, by: int, index: int | None = None) -> None:
        """Turn one page by quarters clockwise, below 0 anticlockwise.

        Args:
            index: None for the page in sight.
        """
        index = self.find_page() if index is None else index
        if index < len(self._view.worker.sizes):
            self._turn([index], by, index)

    def turn_all(self, by: int) -> None:
        """Turn all pages by quarters clockwise, below 0 anticlockwise."""
        self._turn(range(len(self._view.worker.sizes)), by, self._view.current_page())

    def _turn(self, indexes: range | list[int], by: int, shown: int) -> None:
        turns = dict(self._view.worker.turns)
        for index in indexes:
            turns[index] = (turns.get(index, 0) + by) % QUARTERS
            self._view.text_fit.forget(index)
        self._view.worker.set_turns({index: turn for index, turn in turns.items() if turn})
        if indexes:
            self.turned.emit(shown)

    def set_turns(self, turns: Mapping[str, int]) -> None:
        """Show these pages turned, page number -> quarters clockwise, and the others as they are.

        A document that is being opened is shown so, too.
        """
        found = {int(index): turn for index, turn in turns.items()}
        if found != self._view.worker.turns:
            for index in found.keys() | self._view.worker.turns.keys():
                self._view.text_fit.forget(index)
            self._view.worker.set_turns(found)
            if self._view.worker.sizes:
                self.turned.emit(self._view.current_page())

    def shown_box(self, area: Area) -> Box:
        """Return the sides of an area on its page as that is shown."""
        return turn_box(area[1:], self._view.worker.turn_of(area.page))

    def shown_area(self, area: Area) -> Area:
        """Return an area with its sides on the page as that is shown."""
        return Area(area.page, *(round(side, DIGITS) for side in self.shown_box(area)))

    def stored_area(self, shown: Area) -> Area:
        """Return an area as it is on the page in the file.

        Args:
            shown: its sides on the page as that is shown.
        """
        back = -self._view.worker.turn_of(shown.page) % QUARTERS
        return Area(shown.page, *(round(side, DIGITS) for side in turn_box(shown[1:], back)))
