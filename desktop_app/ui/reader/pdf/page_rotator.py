"""Rotates pages of a PDF by quarters, one page or all of them, and places of areas with them.

Owns which page is rotated how far. The worker rotates what it gets of a page, so that all other
parts of the view know only the page as it is shown; areas are stored as they are on the page in the
file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.services.annotations import Area
from desktop_app.engine.text.page_rotation import QUARTERS, rotate_box
from desktop_app.engine.text.pdf_positions import Box

from .layout import PageLayout
from .text_fit import TextFit
from .worker import PdfWorker

DIGITS = 5  # of the sides of an area


class RotatedPages(Protocol):
    """A view of pages that can be rotated."""

    worker: PdfWorker
    text_fit: TextFit
    placed: PageLayout

    def current_page(self) -> int: ...

    def selected_page(self) -> int | None: ...


class PageRotator(QObject):
    """Rotates pages of a view; `rotated` carries the page that is to be shown then."""

    rotated = Signal(int)

    def __init__(self, view: RotatedPages, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view

    def find_page(self) -> int:
        """Return the page in sight; of two beside each other, the one with the selection."""
        here, chosen = self._view.current_page(), self._view.selected_page()
        is_beside = chosen is not None and chosen in self._view.placed.row(here)
        return chosen if chosen is not None and is_beside else here

    def rotate_page(self, by: int, index: int | None = None) -> None:
        """Rotate one page by quarters clockwise, below 0 anticlockwise.

        Args:
            index: None for the page in sight.
        """
        index = self.find_page() if index is None else index
        if index < len(self._view.worker.sizes):
            self._rotate([index], by, index)

    def rotate_all(self, by: int) -> None:
        """Rotate all pages by quarters clockwise, below 0 anticlockwise."""
        self._rotate(range(len(self._view.worker.sizes)), by, self._view.current_page())

    def _rotate(self, indexes: range | list[int], by: int, shown: int) -> None:
        rotations = dict(self._view.worker.rotations)
        for index in indexes:
            rotations[index] = (rotations.get(index, 0) + by) % QUARTERS
            self._view.text_fit.forget(index)
        self._view.worker.set_rotations({index: by for index, by in rotations.items() if by})
        if indexes:
            self.rotated.emit(shown)

    def set_rotations(self, rotations: Mapping[str, int]) -> None:
        """Show these pages rotated, page number -> quarters clockwise, and the others as they are.

        A document that is being opened is shown so, too.
        """
        found = {int(index): rotation for index, rotation in rotations.items()}
        if found != self._view.worker.rotations:
            for index in found.keys() | self._view.worker.rotations.keys():
                self._view.text_fit.forget(index)
            self._view.worker.set_rotations(found)
            if self._view.worker.sizes:
                self.rotated.emit(self._view.current_page())

    def shown_box(self, area: Area) -> Box:
        """Return the sides of an area on its page as that is shown."""
        return rotate_box(area[1:], self._view.worker.rotation_of(area.page))

    def shown_area(self, area: Area) -> Area:
        """Return an area with its sides on the page as that is shown."""
        return Area(area.page, *(round(side, DIGITS) for side in self.shown_box(area)))

    def stored_area(self, shown: Area) -> Area:
        """Return an area as it is on the page in the file.

        Args:
            shown: its sides on the page as that is shown.
        """
        back = -self._view.worker.rotation_of(shown.page) % QUARTERS
        return Area(shown.page, *(round(side, DIGITS) for side in rotate_box(shown[1:], back)))
