"""The view of a PDF: its pages in one column or one at a time, with marks on them.

Owns scrolling, the mapping from points to text, and the list of what to render next. `layout`
computes where pages are, `worker` renders them, `page_painting` draws them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from desktop_app.engine.figures import Figure
from desktop_app.engine.model import Heading, Page
from desktop_app.engine.scanned_pages import ScannedPage
from desktop_app.engine.services.annotations import Annotation, Area
from desktop_app.engine.text.page_rotation import rotate_box
from desktop_app.engine.text.pdf_positions import Box, normalize_letters
from desktop_app.engine.text.sections import find_section_at_top
from desktop_app.workers.failures import FailureHandler

from ...theme.design_tokens import Tokens
from ...theme.theme import Theme
from ...translation import tr
from ..caret import Caret
from ..ranges import Name, Range, is_in_reference_mark
from ..text.blocks import build_blocks, join_paragraphs
from ..view import DocumentView, Selection
from .caret_geometry import PageCaretGeometry
from .layout import (
    GAP,
    KEPT_WHITE,
    PIXELS_PER_POINT,
    PageFit,
    PageLayout,
    in_page,
    page_margin,
    place_pages,
    text_margin,
)
from .page_areas import PageAreas, group_by_page
from .page_dragging import PagePointer
from .page_painting import PagePainter
from .page_requests import PageRequests
from .page_rotator import PageRotator
from .scan_layer import ScanLayer
from .text_fit import TextFit
from .worker import PdfWorker


def find_title(text: str, title: str) -> Range:
    """Return the range of a document's title in the text of its first page, (0, 0) if none.

    Only letters and digits are compared: a title may go over several lines.
    """
    letters, offsets = normalize_letters(text)
    wanted, _ = normalize_letters(title)
    at = letters.find(wanted) if wanted else -1
    return (offsets[at], offsets[at + len(wanted) - 1] + 1) if at >= 0 else (0, 0)


TEXT_REACH = 14.0  # points around letters where a press selects instead of dragging the page


class PdfView(DocumentView):
    """Shows pages; `zoom` 1.0 fits the width of the window, or all of a single page.

    With `fits_text`, the zoom follows the width of the window: the text of the page is as wide,
    and its margins are cut; see `TextFit`.
    """

    fits_text_changed = Signal(bool)
    margins_changed = Signal()  # other parts of pages are shown

    def __init__(
        self, theme: Theme, on_failure: FailureHandler, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self.worker = PdfWorker(on_failure, self)
        self.worker.opened.connect(self._opened)
        self.worker.page_ready.connect(self._page_ready)
        self.worker.small_ready.connect(self._page_ready)
        self.worker.boxes_ready.connect(self._boxes_ready)
        self.worker.letters_ready.connect(self._letters_ready)
        self.placed = PageLayout()
        self.single = False
        self.facing = False
        self.cover = False  # whether the first of facing pages is alone, as a cover is
        self.fits_text = False
        self.text_fit = TextFit(self.worker)
        self._restored: tuple[tuple[int, float], int] | None = None  # place, scroll position
        self.every_name = False  # whether each mention is underlined; the preferences say so
        self._page_colors = "window"  # a key of `PAGE_COLORS`
        self.pending: Range | None = None  # to be shown once its boxes are known
        self._pending_place: tuple[int, float] | None = None
        # the page that is shown from its first printed row, and the scroll position there
        self._page_start: tuple[int, int] | None = None
        self._last_value = 0
        self.requests = PageRequests(self)
        self._painter = PagePainter(self, self.worker, self.marked_names)
        self.selection = Selection(self)
        self.caret = Caret(self, PageCaretGeometry(self))
        PagePointer(self)
        # last: its filter sees a press before the others take it
        self.scans = ScanLayer(self, self.pages_in_sight, self.page_rect, self.worker.rotation_of)
        self.rotator = PageRotator(self, self)
        self.rotator.rotated.connect(self._show_rotated)
        self.areas = PageAreas(self, self, self.worker, self.rotator)
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.valueChanged.connect(self._scrolled)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(tr("Pages of the document"))

    # --- what is shown ----------------------------------------------------------------------

    @property
    def text(self) -> str:
        return self.worker.text

    def set_document(
        self,
        content: bytes,
        password: str | None,
        text: str,
        pages: Sequence[Page],
        scanned: Mapping[int, ScannedPage] | None = None,
        *,
        title: str = "",
        name: str = "",
        place: str = "",
        rotations: Mapping[int, int] | None = None,
    ) -> None:
        """Show a document; one that is shown already keeps its pictures, position and rotations.

        Args:
            scanned: pages that were read as pictures.
            name, place: of its file and of the document in it, see `PageRenderer.open`.
            rotations: pages that are shown rotated, by index: quarters clockwise.
        """
        scanned = scanned or {}
        self.title_range = find_title(text[: pages[0].end], title) if pages else (0, 0)
        if self.worker.has_open(content, place):
            if text != self.worker.text:
                self.selection.clear()
                self.forget_ranges()
            self.worker.set_text(text, list(pages), scanned)
            self.scans.set_pages(scanned)
            return
        self.clear()
        self.title_range = find_title(text[: pages[0].end], title) if pages else (0, 0)
        self.scans.set_pages(scanned)
        self.worker.open(
            content,
            password,
            text,
            list(pages),
            scanned,
            name=name,
            place=place,
            rotations=rotations,
        )
        self.verticalScrollBar().setValue(0)
        self.viewport().update()

    def clear(self) -> None:
        self.forget_ranges()
        self.selection.clear()
        self.pending = self._pending_place = self._restored = self._page_start = None
        self.text_fit.clear()
        self.scans.clear()
        self.worker.clear()
        self.placed = PageLayout()

    @property
    def paper(self) -> Tokens:
        """The colours of the pages."""
        return self._painter.paper

    def set_every_name(self, every: bool) -> None:
        """Underline every mention of a name, or the first on each page."""
        self.every_name = every
        self.viewport().update()

    def marked_names(self, index: int) -> list[Name]:
        """Return the names to underline on a page: all mentions, or the first of each.

        All mentions of the name under the pointer are underlined in any case. The title of the
        document has no marks, nor have the authors in the marks of cited works.
        """
        page, (low, high) = self.worker.pages[index], self.title_range
        marked: list[Name] = []
        known: set[int] = set()
        for name in self.names_in(page.start, page.end):
            start, end, entity_id, *_ = name
            if entity_id != self.pointed_entity:
                if name[4] in self.hidden_kinds or (start < high and end > low):
                    continue
                if entity_id in known and not self.every_name:
                    continue
                if is_in_reference_mark(self.text, name):
                    continue
            known.add(entity_id)
            marked.append(name)
        return marked

    def set_single(self, single: bool) -> None:
        """Show one page at a time, or all pages in one column."""
        if single != self.single:
            here = self.current_page()
            self.single = single
            self._place_pages()
            self.show_page(here)

    def set_facing(self, facing: bool) -> None:
        """Show two pages beside each other, or one column."""
        if facing != self.facing:
            here = self.current_page()
            self.facing = facing
            self._place_pages()
            self.show_page(here)

    def set_cover(self, alone: bool) -> None:
        """Show the first of facing pages alone at the right, so that odd pages are at the right."""
        if alone != self.cover:
            here = self.current_page()
            self.cover = alone
            self._place_pages()
            self.show_page(here)

    def _show_rotated(self, index: int) -> None:
        """Place the pages again, of which some were rotated, and show one of them."""
        self.areas.tool.clear()
        self._look_for_text_block()
        self._place_pages()
        self.show_page(index)

    def selected_page(self) -> int | None:
        """Return the page on which the selection begins, None without one."""
        chosen = self.selection.range
        return self.page_of(chosen[0]) if chosen is not None else None

    def step_pages(self, by: int) -> None:
        """Go by so many rows of pages forwards, or backwards below 0."""
        row = self.placed.row(self.current_page())
        if by > 0 and row.stop < len(self.worker.sizes):
            self.show_page(row.stop)
        elif by < 0 and row.start > 0:
            self.show_page(self.placed.row(row.start - 1).start)

    def shown_part(self, index: int) -> Box:
        """Return what is shown of a page: left, top, right and bottom, 0 to 1 of the page."""
        if index >= len(self.placed.begins):  # the pages have no places yet
            return 0.0, 0.0, 1.0, 1.0
        place, card = self.page_rect(index), self.card_rect(index)
        width, height = max(1.0, place.width()), max(1.0, place.height())
        return (
            (card.left() - place.left()) / width,
            (card.top() - place.top()) / height,
            (card.right() - place.left()) / width,
            (card.bottom() - place.top()) / height,
        )

    def set_figures(self, figures: Sequence[Figure]) -> None:
        """Set which figures are on the pages: areas snap to them, dark pages show their colours."""
        self.areas.snapper.set_figures(figures)
        placed = group_by_page(figures).items()
        self.worker.set_figures({index: [box for _, box in found] for index, found in placed})

    def set_page_colors(self, name: str) -> None:
        super().set_page_colors(name)
        self._page_colors = name
        self._fit_darkness()

    def restyle(self) -> None:
        self._fit_darkness()
        super().restyle()

    def _fit_darkness(self) -> None:
        """Render pages dark if dark ones were chosen, or the theme's in a dark theme."""
        follows = self._page_colors == "window"
        dark = self._page_colors == "dark" or (follows and self.theme.is_dark)
        if dark != self.worker.dark:
            self.worker.set_dark(dark)

    def show_range(self, start: int, end: int) -> None:
        index = self.page_of(start)
        if not self.worker.sizes:
            self.pending = (start, end)
            return
        span = (start, max(end, start + 1))
        calm = self.passage != (start, end)
        boxes = self.worker.boxes(span, index)
        if boxes:
            self.pending = None
            self._show_box(index, boxes[0], calm=calm)
            return
        # its boxes are not known yet: show the page first
        self.pending = span
        page = self.worker.pages[index] if index < len(self.worker.pages) else None
        if page is None or (start == page.start and end <= start + 1):
            self.show_page(index)
        else:
            share = (start - page.start) / max(1, page.end - page.start)
            self._show_box(index, (0.0, share, 0.0, share), calm=calm)
        self.worker.wake()

    def show_page(self, index: int) -> None:
        """Go to the first printed row of a page, or show all of a page that fits the window."""
        if 0 <= index < len(self.worker.sizes):
            self.pending = None
            bar, top = self.verticalScrollBar(), float(self.placed.tops[index]) - GAP / 2
            is_first = index in self.placed.row(0) and not len(self.placed.stops)
            bar.setValue(bar.minimum() if is_first else round(top + self._blank_above(index)))
            self._page_start = (index, bar.value())

    @property
    def is_at_page_start(self) -> bool:
        """Whether a page is shown from its first row, and nobody scrolled since then."""
        start = self._page_start
        return start is not None and start[1] == self.verticalScrollBar().value()

    def _blank_above(self, index: int) -> float:
        """Return how much of a page's white top is not shown, in pixels.

        Of two pages beside each other, the smaller part is cut from both. It is 0 until the page
        was drawn; `_page_ready` shows it again then.
        """
        if self._cuts_margins:
            return float(self.placed.begins[index] - self.placed.tops[index])
        if self.single or self._height(index) <= self.viewport().height():
            return 0.0
        blank = min((self.worker.blanks(i) or (0.0, 0.0))[0] for i in self.placed.row(index))
        return max(0.0, blank * self._height(index) - KEPT_WHITE)

    @property
    def _is_cover_whole(self) -> bool:
        return self._cuts_margins and not self.facing and self.text_fit.has_cover

    @property
    def _cuts_margins(self) -> bool:
        return self.fits_text and not self.single

    def _set_bar_range(self) -> None:
        """Let the scroll bar go from the top of the first page to the foot of the last one."""
        height = self.viewport().height()
        self.verticalScrollBar().setRange(0, max(0, round(self.placed.height - height)))

    def _page_ready(self, index: int) -> None:
        if self.text_fit.take_blanks(index) and self._cuts_margins:  # its margins are known now
            self._place_pages()
        else:
            start = self._page_start[0] if self._page_start and self.is_at_page_start else -1
            if start >= 0 and index in self.placed.row(start):
                self.show_page(start)
        self.viewport().update()

    @property
    def per_row(self) -> int:
        """The number of pages beside each other."""
        return self.placed.per_row

    def page_of(self, offset: int) -> int:
        """Return the index of the page that contains an offset."""
        starts = [page.start for page in self.worker.pages]
        return max(0, int(np.searchsorted(starts, offset, side="right")) - 1)

    def current_page(self) -> int:
        """Return the index of the page at a third of the window's height."""
        if not self.worker.sizes:
            return 0
        y = self.verticalScrollBar().value() + self.viewport().height() / 3
        return self.placed.page_at(y)

    def find_section_shown(self, outline: Sequence[Heading]) -> int:
        """Return the index of the section at the top of what is shown, -1 before the first."""
        index, pages = self.current_page(), self.worker.pages
        if index >= len(pages):
            return -1
        letters = self.worker.letters(index)
        if letters is None or not len(letters.offsets):
            return find_section_at_top(outline, pages, index)
        place = self.page_rect(index)
        top = -place.top() / max(1.0, place.height())
        shown = letters.offsets[letters.boxes[:, 1] >= top]  # of whole lines
        first = int(shown[0]) if len(shown) else pages[index].end
        return find_section_at_top(outline, pages, index, first)

    def label_around(self, offset: int) -> Range:
        """Return the range around an offset that is printed together, as far as it is known."""
        letters = self.worker.letters(self.page_of(offset))
        if letters is None or not len(letters.offsets):
            return 0, len(self.text)
        return letters.label_around(offset)

    def show_line(self, offset: int) -> None:
        """Scroll so that a line, such as a heading, is the first in the window."""
        index = self.page_of(offset)
        letters = self.worker.letters(index)
        if len(self.placed.stops) or letters is None or not len(letters.offsets):
            self.show_page(index)
            return
        row = min(int(np.searchsorted(letters.offsets, offset)), len(letters.offsets) - 1)
        top = float(self.placed.tops[index]) + float(letters.boxes[row][1]) * self._height(index)
        start = float(self.placed.tops[index]) + self._blank_above(index)
        if top - start <= KEPT_WHITE + GAP:  # the page begins with it
            self.show_page(index)
        else:
            self.pending = None
            self.verticalScrollBar().setValue(round(top - KEPT_WHITE))

    def top_offset(self) -> int:
        index = self.current_page()
        return self.worker.pages[index].start if index < len(self.worker.pages) else 0

    def place(self) -> tuple[int, float]:
        if not self.worker.sizes:
            return (0, 0.0)
        if self._page_start is not None and self.is_at_page_start:
            return (self._page_start[0], 0.0)
        y = self.verticalScrollBar().value()
        index = self.placed.page_at(y)
        return (index, (y - float(self.placed.tops[index])) / self._height(index))

    def position(self) -> object:
        """Return the place, and which pages are rotated: page number -> quarters clockwise."""
        rotations = {str(index): rotation for index, rotation in self.worker.rotations.items()}
        return (*self.place(), rotations) if rotations else self.place()

    def go_to_place(self, place: object) -> None:
        if isinstance(place, int):  # an offset of the text
            index, share = self.page_of(place), 0.0
        else:
            place = cast(tuple[Any, ...], place)
            index, share = place[:2]
            if len(place) == 3:  # see `position`
                self.rotator.set_rotations(cast(Mapping[str, int], place[2]))
        self.pending = None
        if index < len(self.worker.sizes) and abs(share) * self._height(index) <= GAP:
            self.show_page(index)
        elif index < len(self.worker.sizes):
            y = float(self.placed.tops[index]) + share * self._height(index)
            self.verticalScrollBar().setValue(round(y))
        else:
            self._pending_place = (index, share)

    def visible_range(self) -> Range:
        indexes, pages = self.pages_in_sight(), self.worker.pages
        if not indexes or indexes[-1] >= len(pages):
            return (0, 0)
        return (pages[indexes[0]].start, pages[indexes[-1]].end)

    def shares(self, offsets: np.ndarray) -> np.ndarray:
        pages, sizes = self.worker.pages, self.worker.sizes
        if not pages or not sizes or len(self.placed.tops) < len(pages):
            return np.zeros(len(offsets))
        bar = self.verticalScrollBar()
        length = bar.maximum() + bar.pageStep() - bar.minimum()
        y = self.placed.shares(pages, offsets) * self.placed.height
        return np.clip((y - bar.minimum()) / max(1, length), 0.0, 1.0)

    def set_names(self, names: Sequence[Name]) -> None:
        super().set_names(names)
        self.worker.wake()

    def set_followed(self, places: Sequence[Range], kind: str = "other") -> None:
        super().set_followed(places, kind)
        self.worker.wake()

    def apply_zoom(self) -> None:
        self._place_pages()

    def set_zoom(self, zoom: float) -> None:
        """Set the zoom that the user chose; it no longer follows the width of the text."""
        was, self.fits_text = self.fits_text, False
        self.text_fit.wanted_pages = []
        super().set_zoom(zoom)
        if was:
            self.fits_text_changed.emit(False)

    @property
    def shown_zoom(self) -> float:
        """The size of the page in sight, 1.0 where an inch of paper has 96 pixels."""
        if not self.worker.sizes or len(self.placed.scales) != len(self.worker.sizes):
            return self.zoom
        return float(self.placed.scales[self.current_page()]) / PIXELS_PER_POINT

    def set_shown_zoom(self, zoom: float) -> None:
        if self.worker.sizes:
            self._zoom_to_scale(self.current_page(), zoom * PIXELS_PER_POINT)

    def set_fits_text(self, fits: bool) -> None:
        """Let the zoom follow the width of the text, or keep it as it is."""
        if fits == self.fits_text:
            return
        self.fits_text = fits
        self._look_for_text_block()
        self._place_pages()
        self.fits_text_changed.emit(fits)

    def _look_for_text_block(self) -> None:
        """Ask for the letters of the page in sight, and of those after it."""
        self.text_fit.wanted_pages = []
        if self.fits_text:
            self.text_fit.look_from(self.current_page())
        self._take_text_block()
        self.worker.wake()

    def _take_text_block(self) -> None:
        """Fit the zoom to the text, once the letters of a page with text are known."""
        if not self.text_fit.take_letters():
            return
        self.text_fit.take_cover()
        restored, self._restored = self._restored, None
        is_still_there = restored is not None and self.verticalScrollBar().value() == restored[1]
        self._place_pages()
        if restored is not None and is_still_there:
            self.go_to_place(restored[0])  # at the other zoom

    def fit_width(self) -> None:
        """Zoom so that the page in sight is as wide as the window."""
        if self.worker.sizes:
            index = self.current_page()
            self._zoom_to_scale(index, self._room() / self.worker.sizes[index][0])

    def fit_page(self) -> None:
        """Zoom so that the whole page in sight is shown."""
        if self.worker.sizes:
            index = self.current_page()
            width, height = self.worker.sizes[index]
            room = self.viewport().height() - GAP
            self._zoom_to_scale(index, min(self._room() / width, room / height))
            self.show_page(index)

    @property
    def page_fit(self) -> PageFit:
        """How the page in sight fits the window, if the zoom follows the text."""
        index = self.current_page()
        if index == 0 and self._is_cover_whole:
            return PageFit.WHOLE
        is_usual = index >= len(self.worker.sizes) or self.text_fit.is_usual(index)
        return PageFit.FILLS if self.text_fit.fills and is_usual else PageFit.LIMITED

    def find_fit(self) -> str:
        """Return what the zoom fits: "text", "width", "page", "paper" for 100%, or ""."""
        if not self.worker.sizes or len(self.placed.scales) != len(self.worker.sizes):
            return ""
        if self.fits_text:
            return "text"  # not shown
        index = self.current_page()
        width, height = self.worker.sizes[index]
        wide, high = self._room() / width, (self.viewport().height() - GAP) / height
        fits = {"width": wide, "page": min(wide, high), "paper": PIXELS_PER_POINT}
        scale = float(self.placed.scales[index])
        return next((name for name, one in fits.items() if abs(one / scale - 1) < 0.002), "")

    def _zoom_to_scale(self, index: int, scale: float) -> None:
        now = float(self.placed.scales[index])
        if index == 0 and self._is_cover_whole:  # it is smaller than its zoom
            room = self.viewport().width(), self.viewport().height()
            now = float(place_pages(self.worker.sizes, *room, self.zoom, self.single).scales[0])
        self.set_zoom(self.zoom * scale / now)

    def _room(self) -> float:
        """Return the width for one page of a row."""
        width = self.viewport().width()
        return (width - 2 * page_margin(width) - GAP * (self.placed.per_row - 1)) / (
            self.placed.per_row
        )

    # --- geometry ---------------------------------------------------------------------------

    def page_rect(self, index: int) -> QRectF:
        """Return a page's rectangle in the window, exactly as large as its picture."""
        sharp, ratio = self.pixels_per_point(index), self.devicePixelRatioF()
        width, height = (math.ceil(side * sharp) / ratio for side in self.worker.sizes[index])
        room = max(self.viewport().width(), self.placed.widest)
        left = (room - width) / 2 + float(self.placed.shifts[index]) - self._text_shift(index)
        if self.per_row == 2 and (trim := self._trim(index)) is not None:
            # the cut edges are at the middle of the row
            is_right = self.placed.is_right(index)
            inner = (GAP / 2 + self._trim_margin) * (1 if is_right else -1)
            left = room / 2 + inner - trim[0 if is_right else 1] * width
        left = round(left) - self.horizontalScrollBar().value()
        top = float(self.placed.tops[index]) - self.verticalScrollBar().value()
        return QRectF(left, round(top), width, height)

    def card_rect(self, index: int) -> QRectF:
        """Return the part of a page's rectangle that is shown: without the margins that are cut."""
        place, trim = self.page_rect(index), self._trim(index)
        if trim is None:
            return place
        left = math.floor(place.left() + trim[0] * place.width() - self._trim_margin)
        right = math.ceil(place.left() + trim[1] * place.width() + self._trim_margin)
        top = math.floor(place.top() + self._blank_above(index))
        shown = float(self.placed.ends[index] - self.placed.begins[index])
        foot = min(place.bottom(), top + math.ceil(shown))
        return place.intersected(QRectF(left, top, right - left, foot - top))

    @property
    def _trim_margin(self) -> int:
        return text_margin(self.viewport().width())

    def _trim(self, index: int) -> tuple[float, float] | None:
        """Return left and right edge of what is shown, 0 to 1 of a page; None for all of it.

        Margins are cut while the zoom follows the width of the text.
        """
        if not self._cuts_margins or (index == 0 and self._is_cover_whole):
            return None
        return self.text_fit.trim(index)

    def pixels_per_point(self, index: int) -> float:
        return round(float(self.placed.scales[index]) * self.devicePixelRatioF(), 4)

    def _height(self, index: int) -> float:
        return self.worker.sizes[index][1] * float(self.placed.scales[index])

    def pages_in_sight(self) -> list[int]:
        if not self.worker.sizes or len(self.placed.tops) < 2:
            return []
        top, height = self.verticalScrollBar().value(), self.viewport().height()
        return self.placed.pages_between(top, top + height)

    def selected_boxes(self) -> list[QRectF]:
        chosen = self.selection.range
        if chosen is None:
            return []
        found = []
        for index in self.pages_in_sight():
            letters = self.worker.letters(index)
            if letters is not None and len(letters.offsets):
                place = self.page_rect(index)
                found += [in_page(place, box) for box in letters.rects(*chosen)]
        return found

    def page_sides(self) -> tuple[float, float]:
        cards = [self.card_rect(index) for index in self.pages_in_sight()]
        if not cards:
            return 0.0, float(self.viewport().width())
        return min(card.left() for card in cards), max(card.right() for card in cards)

    def covered_area(self, rect: QRectF) -> float:
        area = 0.0
        for index in self.pages_in_sight():
            if self.card_rect(index).intersects(rect):
                left, top, right, bottom = self._shown_letters(index).T
                width = np.minimum(right, rect.right()) - np.maximum(left, rect.left())
                height = np.minimum(bottom, rect.bottom()) - np.maximum(top, rect.top())
                area += float((np.maximum(0.0, width) * np.maximum(0.0, height)).sum())
        return area

    def _shown_letters(self, index: int) -> np.ndarray:
        """Return the sides of the letters of a page in the window, shape (N, 4).

        Letters in a margin that is cut are left out.
        """
        letters, place, card = (
            self.worker.letters(index),
            self.page_rect(index),
            self.card_rect(index),
        )
        if letters is None or not len(letters.offsets):
            return np.zeros((0, 4))
        size = np.array([place.width(), place.height()] * 2)
        boxes = letters.boxes * size + np.array([place.left(), place.top()] * 2)
        middle = (boxes[:, 0] + boxes[:, 2]) / 2
        shown: np.ndarray = boxes[(middle >= card.left()) & (middle <= card.right())]
        return shown

    def offset_at(self, x: float, y: float) -> int | None:
        found = self._nearest_letter(x, y)
        return found[0] if found else None

    def is_text_at(self, x: float, y: float) -> bool:
        found = self._nearest_letter(x, y, inside=True)
        return found[1] < TEXT_REACH if found else self._lacks_letters(x, y)

    def mark_at(self, x: float, y: float) -> int | None:
        """Return the id of the highlight, or else of the smallest area, under a point."""
        found = super().mark_at(x, y)
        if found is not None:
            return found
        return self.areas.find_at(QPointF(x, y))

    def show_area(self, area: Area) -> None:
        """Scroll to an area of a page, if it is not in sight."""
        if area.page < len(self.worker.sizes):
            self.pending = None
            self._show_box(area.page, self.rotator.shown_box(area), calm=True)

    def set_marks(self, marks: Sequence[Annotation]) -> None:
        super().set_marks(marks)
        self.areas.clear_drawn(marks)
        self.worker.wake()  # where they are on the pages

    def name_at(self, x: float, y: float) -> Name | None:
        point = QPointF(x, y)
        for index in self.pages_in_sight():
            place = self.page_rect(index)
            if self.card_rect(index).contains(point) and index < len(self.worker.pages):
                page = self.worker.pages[index]
                for name in self.names_in(page.start, page.end):
                    for box in self.worker.boxes((name[0], name[1]), index):
                        if in_page(place, box).adjusted(-1, -2, 1, 3).contains(point):
                            return name
        return None

    def _nearest_letter(
        self, x: float, y: float, *, inside: bool = False
    ) -> tuple[int, float] | None:
        """Return the offset nearest to a point and its distance in points of the page.

        None while the page's letters are not loaded.

        Args:
            inside: return None for points outside the pages.
        """
        for index in self.pages_in_sight():
            # the cut margins of two pages beside each other are in the same place
            place, card = self.page_rect(index), self.card_rect(index)
            beyond = y > card.bottom() + GAP / 2 and index + 1 < len(self.worker.sizes)
            is_left = index + 1 < self.placed.row(index).stop
            beyond = beyond or (is_left and x > card.right() + GAP / 2)
            if beyond or (inside and not card.contains(QPointF(x, y))):
                continue
            letters = self.worker.letters(index)
            if letters is None:
                self.worker.wake()
                return None
            if not len(letters.offsets):
                pages = self.worker.pages
                return (pages[index].start, float("inf")) if index < len(pages) else None
            across = (x - place.left()) / place.width()
            return letters.nearest(across, (y - place.top()) / place.height())
        return None

    def _lacks_letters(self, x: float, y: float) -> bool:
        """Return whether a point is on a page whose letters are not loaded yet."""
        return any(
            index < len(self.worker.pages)
            and self.worker.letters(index) is None
            and self.card_rect(index).contains(QPointF(x, y))
            for index in self.pages_in_sight()
        )

    def list_actions_at(self, offset: int | None) -> list[tuple[str, Callable[[], None]]]:
        found = self._scanned_line_at(offset) if offset is not None else None
        index = self.page_of(offset) if offset is not None else self.current_page()
        actions = [
            (tr("Rotate this page right"), lambda: self.rotator.rotate_page(1, index)),
            (tr("Rotate this page left"), lambda: self.rotator.rotate_page(-1, index)),
        ]
        if self.areas.grips.find_chosen() is not None:
            actions.insert(0, (tr("Change the sides of the area"), self.areas.grips.edit_chosen))
        if found is not None:
            correct = tr("Correct this line…"), lambda: self.scans.edit_line(*found)
            actions.insert(0, correct)
        return actions

    def _scanned_line_at(self, offset: int) -> tuple[int, int] | None:
        """Return page and number of the line in which a character was read."""
        box = self.caret.box_of(offset)
        return self.scans.line_at(box.center().x() + 1, box.center().y()) if box else None

    def correct_line_at_caret(self) -> None:
        """Open the field for the line of the caret or the selection."""
        head = self.selection.head
        found = self._scanned_line_at(head) if head is not None else None
        if found is not None:
            self.scans.edit_line(*found)

    def show_scanned_line(self, index: int, number: int) -> None:
        """Scroll to a line of a scanned page, and open the field for it."""
        page = self.scans.pages.get(index)
        if page is None or index >= len(self.worker.sizes):
            return
        xs, ys = page.lines[number].corners[0::2], page.lines[number].corners[1::2]
        around = rotate_box((min(xs), min(ys), max(xs), max(ys)), self.worker.rotation_of(index))
        self.pending = None
        self._show_box(index, around, calm=True)
        self.scans.edit_line(index, number)

    def paragraph_at(self, offset: int) -> Range:
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return start, len(self.text) if end < 0 else end

    def copied(self, start: int, end: int) -> str:
        part = self.text[start:end]
        return join_paragraphs(part, build_blocks(part), 0, len(part))

    def scroll_by(self, dy: float) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(round(bar.value() + dy))

    def _place_pages(self) -> None:
        """Compute the layout and keep what is at a third of the window's height in place."""
        sizes = self.worker.sizes
        if not sizes:
            return
        bar, third, before = self.verticalScrollBar(), self.viewport().height() / 3, self.placed
        width, height = self.viewport().width(), self.viewport().height()
        before_zoom = self.zoom
        if self.fits_text:
            self.zoom = 1.0
            if not self.single:
                self.zoom = self.text_fit.zoom(width, height, facing=self.facing)
        self.placed = place_pages(
            sizes,
            width,
            height,
            self.zoom,
            self.single,
            self.facing,
            cover=self.cover,
            blanks=self.text_fit.blanks() if self._cuts_margins else None,
            is_cover_whole=self._is_cover_whole,
        )
        y = bar.value() + third
        index = before.page_at(y)
        keeps = len(before.tops) == len(self.placed.tops) and bar.value() > bar.minimum()
        start = self._page_start if self.is_at_page_start else None
        self._set_bar_range()
        self.margins_changed.emit()
        bar.setPageStep(height)
        bar.setSingleStep(height if len(self.placed.stops) else 54)
        wide = self.horizontalScrollBar()
        # a fitted text is in sight whole, and a bar for its margins is of no use
        off, needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(off if self.fits_text else needed)
        wide.setRange(0, max(0, round(self.placed.widest - width)))
        wide.setPageStep(width)
        wide.setValue(wide.maximum() // 2)
        if keeps:
            grown = float(self.placed.scales[index] / before.scales[index])
            inside = (y - float(before.tops[index])) * grown
            bar.setValue(round(float(self.placed.tops[index]) + inside - third))
        if start is not None:
            self.show_page(start[0])
        self._scrolled()
        if self.zoom != before_zoom and self.fits_text:
            self.zoom_changed.emit(self.zoom)
        self.shown_zoom_changed.emit(self.shown_zoom)  # the width of the window counts, too

    def _text_shift(self, index: int) -> float:
        """Return how far a page is moved to the left, in pixels, so that its text is in the middle.

        It is less where something beside the text would leave the window.
        """
        trim = self._trim(index)
        if trim is None or self.placed.per_row == 2 or not self.text_fit.is_usual(index):
            return 0.0
        scale, window = float(self.placed.scales[index]), self.viewport().width()
        width = self.worker.sizes[index][0] * scale
        # the edges of what is shown, from the middle of the window
        left, right = ((share - 0.5) * width for share in trim)
        left, right = left - self._trim_margin, right + self._trim_margin
        shift = self.text_fit.shift(scale)
        if right - left > window:
            return shift
        return min(max(shift, right - window / 2), left + window / 2)

    def _show_box(self, index: int, box: Box, *, calm: bool) -> None:
        y = float(self.placed.tops[index]) + box[1] * self._height(index)
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if calm and bar.value() + 24 < y < bar.value() + height - 64:
            return
        bar.setValue(round(y - height / 5))  # above the line by which the section is named

    # --- results and events -----------------------------------------------------------------

    def _opened(self) -> None:
        self._place_pages()
        place, self._pending_place = self._pending_place, None
        if self.pending:
            self.show_range(*self.pending)
        elif place is None:
            self.show_page(0)
        else:
            self.go_to_place(place)
            self._restored = (place, self.verticalScrollBar().value())
        self._look_for_text_block()
        self._scrolled()

    def _boxes_ready(self, index: int) -> None:
        pending = self.pending
        if pending and index == self.page_of(pending[0]):
            self.pending = None
            boxes = self.worker.boxes(pending, index)
            if boxes:
                self._show_box(index, boxes[0], calm=self.passage != pending)
        self.viewport().update()

    def _letters_ready(self, index: int) -> None:
        self._take_text_block()
        self.selection.retry_drag()
        self.viewport().update()
        if self.selection.range is not None:
            self.moved.emit()  # the place of the selection is known now

    def _scrolled(self) -> None:
        bar = self.verticalScrollBar()
        if self.single and not bar.isSliderDown():
            stop = round(self.placed.stop_near(bar.value()))
            if stop != bar.value() and stop <= bar.maximum():
                bar.setValue(stop)  # calls this method again
                return
        if bar.value() != self._last_value:
            self.requests.direction = 1 if bar.value() > self._last_value else -1
            self._last_value = bar.value()
        self.viewport().update()
        self.worker.wake()
        self.emit_moved()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.worker.wake()  # pictures were dropped while it was hidden

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta().y()
        if len(self.placed.stops) and turn and not event.modifiers():
            self.show_page(self.current_page() + (-1 if turn > 0 else 1))
            event.accept()
            return
        super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_pages()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self.look.color("sunken"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for index in self.pages_in_sight():
            place, card = self.page_rect(index), self.card_rect(index)
            painter.setClipRect(card.adjusted(-1, -1, 1, 1))
            self._painter.paint(painter, index, place, card, self.pixels_per_point(index))
            self.scans.paint(painter, index, place, self._painter.paper)
            self.areas.paint(painter, index, place, self._painter)
        painter.setClipping(False)
        self.caret.paint(painter, QColor(self._painter.paper.accent))
        painter.end()
