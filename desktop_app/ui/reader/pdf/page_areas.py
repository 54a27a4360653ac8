"""Areas of pages: their place in the window, what they snap to, and their words and picture.

Owns the tools that draw and change them, and the figures of the document they may belong to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Signal
from PySide6.QtGui import QPainter

from desktop_app.engine.figures import Figure
from desktop_app.engine.services.annotations import Annotation, Area
from desktop_app.engine.text.page_ink import find_ink_sides
from desktop_app.engine.text.page_parts import (
    PageParts,
    PlacedFigure,
    find_block,
    find_page_parts,
    is_sideways,
    snap_box,
    snap_sides,
)
from desktop_app.engine.text.page_rotation import QUARTERS, rotate_box, rotate_letters, rotate_point
from desktop_app.engine.text.pdf_pages import PageLetters
from desktop_app.engine.text.pdf_positions import Box

from ..ranges import Range
from ..view import DocumentView
from .area_grips import AreaGrips
from .area_tool import AreaTool
from .layout import PageLayout, in_page
from .page_painting import PagePainter
from .page_rotator import PageRotator
from .worker import PdfWorker

DIGITS = 5  # of the sides of an area


def find_text_in(letters: PageLetters, area: Area) -> list[Range]:
    """Return the ranges of the letters whose middle is in an area, in the order of the text."""
    left, top, right, bottom = letters.boxes.T
    x, y = (left + right) / 2, (top + bottom) / 2
    inside = (x >= area.left) & (x <= area.right) & (y >= area.top) & (y <= area.bottom)
    rows = np.flatnonzero(inside)
    if not len(rows):
        return []
    # letters that are left out between two rows are outside; spaces have no box
    ends = np.flatnonzero(np.diff(rows) > 1)
    first, last = rows[np.append(0, ends + 1)], rows[np.append(ends, len(rows) - 1)]
    offsets = letters.offsets
    return [(int(offsets[a]), int(offsets[b]) + 1) for a, b in zip(first, last, strict=True)]


def group_by_page(figures: Iterable[Figure]) -> dict[int, list[tuple[Figure, Box]]]:
    """Return page index -> the figures with a place on it, each with its box in the file."""
    found: dict[int, list[tuple[Figure, Box]]] = {}
    for figure in figures:
        if figure.page_index is not None and figure.box is not None:
            found.setdefault(figure.page_index, []).append((figure, figure.box))
    return found


@dataclass(frozen=True, slots=True)
class _KnownPage:
    """What is printed on a page, rotated so that its lines go across it.

    Attributes:
        letters: from which it was found.
        quarters: the rotation, clockwise.
    """

    index: int
    letters: PageLetters
    quarters: int
    parts: PageParts


class AreaSnapper:
    """Lets rectangles on pages snap to figures, tables and lines; see `engine.text.page_parts`.

    A page whose letters are not loaded snaps nothing.
    """

    def __init__(self, worker: PdfWorker) -> None:
        self._worker = worker
        self._figures: dict[int, list[tuple[Figure, Box]]] = {}
        self._known: _KnownPage | None = None

    def set_figures(self, figures: Iterable[Figure]) -> None:
        """Snap to these figures of the document, too."""
        self._figures, self._known = group_by_page(figures), None

    def snap(self, area: Area) -> Area:
        """Return the area that is meant by a rectangle on a page as that is shown."""
        page = self._find_page(area.page)
        if page is None:
            return area
        box = rotate_box(area[1:], page.quarters)
        return _build_area(page, snap_box(page.parts, box, self._ink_finder(page)))

    def snap_sides(self, before: Area, area: Area) -> Area:
        """Return an area whose sides snap that were moved."""
        page = self._find_page(area.page)
        if page is None:
            return area
        old, new = (rotate_box(one[1:], page.quarters) for one in (before, area))
        return _build_area(page, snap_sides(page.parts, old, new))

    def find_block(self, index: int, x: float, y: float) -> Area | None:
        """Return the figure or table at a point of a page, with its caption."""
        page = self._find_page(index)
        if page is None:
            return None
        x, y = rotate_point(x, y, page.quarters)
        found = find_block(page.parts, x, y, self._ink_finder(page))
        return _build_area(page, found) if found is not None else None

    def _find_page(self, index: int) -> _KnownPage | None:
        worker, known = self._worker, self._known
        letters = worker.letters(index)
        if letters is None or index >= len(worker.pages):
            return None
        if known is not None and known.index == index and known.letters is letters:
            return known
        quarters = 1 if is_sideways(letters) else 0
        rotation = worker.rotation_of(index) + quarters
        figures = (
            PlacedFigure(rotate_box(box, rotation), figure.start, figure.end)
            for figure, box in self._figures.get(index, ())
        )
        page = worker.pages[index]
        span = page.start, page.end
        parts = find_page_parts(rotate_letters(letters, quarters), worker.text, span, figures)
        self._known = _KnownPage(index, letters, quarters, parts)
        return self._known

    def _ink_finder(self, page: _KnownPage) -> Callable[[Box], Box | None]:
        picture = self._worker.pictures["picture"].find_any(page.index)

        def find(box: Box) -> Box | None:
            if picture is None:
                return None
            found = find_ink_sides(picture, rotate_box(box, QUARTERS - page.quarters))
            return rotate_box(found, page.quarters) if found is not None else None

        return find


def _build_area(page: _KnownPage, box: Box) -> Area:
    sides = rotate_box(box, QUARTERS - page.quarters)
    return Area(page.index, *(round(min(max(side, 0.0), 1.0), DIGITS) for side in sides))


class ShownAreas(Protocol):
    """Where a view shows its pages."""

    placed: PageLayout

    def pages_in_sight(self) -> Sequence[int]: ...

    def page_rect(self, index: int) -> QRectF: ...

    def card_rect(self, index: int) -> QRectF: ...


class PageAreas(QObject):
    """The areas of a view: `drawn` and `changed` carry what `Annotations` stores of one.

    Args:
        view, pages: the same view.
    """

    drawn = Signal(object, bytes, object, str)  # area, its PNG, range and words of its text
    changed = Signal(int, object, bytes, object, str)  # annotation, then the same

    def __init__(
        self, view: DocumentView, pages: ShownAreas, worker: PdfWorker, rotator: PageRotator
    ) -> None:
        super().__init__(view)
        self._view, self._pages, self._worker, self._rotator = view, pages, worker, rotator
        self.snapper = AreaSnapper(worker)
        self.tool = AreaTool(
            view, pages.pages_in_sight, pages.page_rect, pages.card_rect, self.snapper
        )
        self.tool.drawn.connect(lambda area: self._keep(area, self.drawn.emit))
        self.tool.changed.connect(
            lambda mark_id, area: self._keep(area, partial(self.changed.emit, mark_id))
        )
        self.grips = AreaGrips(view, self.tool, pages.pages_in_sight, rotator.shown_area)

    def rect_of(self, mark: Annotation) -> QRectF | None:
        """Return the place of an area in the window; None while the pages have no places."""
        area, n_placed = mark.area, len(self._pages.placed.scales)
        if area is None or area.page >= min(len(self._worker.sizes), n_placed):
            return None
        return in_page(self._pages.page_rect(area.page), self._rotator.shown_box(area))

    def find_at(self, point: QPointF) -> int | None:
        """Return the annotation of the smallest area at a point of the window."""
        areas: list[tuple[float, int]] = []
        for index in self._pages.pages_in_sight():
            for mark in self._view.areas_on(index):
                box = self.rect_of(mark)
                if box is not None and box.contains(point):
                    areas.append((box.width() * box.height(), mark.id))
        return min(areas)[1] if areas else None

    def clear_drawn(self, marks: Sequence[Annotation]) -> None:
        """Give up the rectangle that was drawn, if it is shown as an annotation now."""
        drawn = self.tool.kept
        if drawn is not None and self._rotator.stored_area(drawn) in [mark.area for mark in marks]:
            self.tool.clear()

    def paint(self, painter: QPainter, index: int, place: QRectF, pages: PagePainter) -> None:
        """Draw the rectangle that is being drawn, if it is on this page."""
        self.tool.paint(painter, index, place, pages.ink(self.tool.color))

    def _keep(self, area: Area, keep: Callable[..., None]) -> None:
        """Draw an area that was marked, find its words, and call `keep` as `drawn`.

        Args:
            area: its sides on the page as that is shown.
        """
        stored = self._rotator.stored_area(area)

        def emit(png: bytes) -> None:
            letters = self._worker.letters(area.page)
            span = find_text_in(letters, area) if letters is not None else []
            words = "\n".join(self._worker.text[start:end].strip() for start, end in span)
            whole = (span[0][0], span[-1][1]) if span else None
            keep(stored, png, whole, words)

        self._worker.draw_area(stored, emit)
