"""Paints one page of a PDF: its picture, the marks on it, a placeholder, or why it can't be shown.

Owns strokes and colours only: the ranges to mark come from the view, pictures and boxes from the
worker. The placeholder is pale paper with grey lines, so that no page flashes white.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QRegion

from desktop_app.engine.services.annotations import Annotation
from desktop_app.engine.text.page_rotation import rotate_box
from desktop_app.engine.text.pdf_positions import Box

from ...theme.design_tokens import DARK, HIGH_DARK, HIGH_LIGHT, LIGHT, Tokens
from ...translation import tr_message
from ...widgets.highlight_colors import find_line_colors, highlight_color
from ..look import (
    AREA_EDGE,
    CHOSEN_EDGE,
    CHOSEN_INK,
    CURRENT_EDGE,
    GRIP,
    NOTE_GAP,
    NOTE_SIGN,
    SEPIA,
    hit_color,
    mixed,
    paint_area,
    paint_grips,
    paint_name_line,
    paint_note_line,
    paint_note_sign,
    paint_ribbon,
)
from ..ranges import Name, Range
from ..view import DocumentView
from .layout import find_column_start, in_page, join_boxes
from .worker import PdfWorker

ROOM = 1.5  # pixels of ground around marked letters
END = 2.0  # pixels: the stroke at each end of a selection
UNDERLINE_RISE = 0.1  # of the height of a line: where its letters end, above the gap to the next
UNDERLINE_DROP = 0.5  # pixels below the letters, so that no "y" is crossed
LEAST_NOTE_SIGN = 9.0  # pixels: the sign of a note between two columns
MOST_FEET = 5_000  # ranges whose lower edges are kept: those of dozens of pages
MOST_GAP = 0.6  # between two lines of one highlight, of the height of a line


class PagePainter:
    """Paints pages with the marks of `view` and the pictures of `worker`.

    Args:
        marked_names: returns the names to underline on a page.
    """

    def __init__(
        self, view: DocumentView, worker: PdfWorker, marked_names: Callable[[int], list[Name]]
    ) -> None:
        self._view, self._worker, self._marked_names = view, worker, marked_names
        # of ranges on pages: from which letters and boxes they were found, and the lower edges
        self._feet: dict[tuple[int, Range], tuple[object, object, list[float]]] = {}

    @property
    def paper(self) -> Tokens:
        """The colours of the pages: those of the theme, unless others are chosen."""
        is_high = self._view.theme.is_high
        if self._view.look.paper is None and self._worker.dark:
            return HIGH_DARK if is_high else DARK
        return self._view.look.paper or (HIGH_LIGHT if is_high else LIGHT)

    def ink(self, color: str) -> QColor:
        """Return the full colour of a highlight on these pages."""
        return highlight_color(self._view.theme, color, strong=True, paper=self.paper)

    def paint(
        self, painter: QPainter, index: int, place: QRectF, card: QRectF, scale: float
    ) -> None:
        """Draw a page with its passage, hits and names.

        Args:
            place: the page's rectangle in the window.
            card: the part of it that is shown.
            scale: pixels of the screen per point of the page.
        """
        view, worker = self._view, self._worker
        # until the sharp picture is ready, the thumbnail is better than a placeholder
        picture = worker.picture(index) or worker.thumbnail(index)
        failure = worker.failure(index)
        if picture is None and failure is not None:
            self._paint_failure(painter, card, tr_message(failure))
        elif picture is None:
            self._paint_placeholder(painter, place)
            self._tint(painter, place)
        else:
            painter.drawImage(place, picture)
            self._paint_sharp(painter, index, place, scale)
            self._tint(painter, place)
        painter.setPen(QPen(view.look.color("line"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(card.adjusted(-0.5, -0.5, 0.5, 0.5))
        if picture is not None and index < len(worker.pages):
            self._paint_marks(painter, index, place, card)
            self._paint_areas(painter, index, place)
            self._paint_names(painter, index, place)
            page = worker.pages[index]
            for _ in view.bookmarks_in(page.start, max(page.end, page.start + 1)):
                ribbon = QRectF(card.right() - 34, card.top(), 16, 30)
                paint_ribbon(painter, ribbon, view.look.color("accent"))

    def _tint(self, painter: QPainter, place: QRectF) -> None:
        """Give white pages the colour of the chosen paper; dark pages are rendered so."""
        if self.paper is SEPIA:
            mode = QPainter.CompositionMode
            painter.setCompositionMode(mode.CompositionMode_Multiply)
            painter.fillRect(place, QColor(SEPIA.surface))
            painter.setCompositionMode(mode.CompositionMode_SourceOver)

    def _paint_sharp(self, painter: QPainter, index: int, place: QRectF, scale: float) -> None:
        """Draw the part in sight of a page that is too large for one picture."""
        sharp = self._worker.sharp(index, scale)
        if sharp is not None:
            image, made = sharp
            ratio = self._view.devicePixelRatioF()
            corner = place.topLeft() + QPointF(made.left / ratio, made.top / ratio)
            size = QSizeF(made.width / ratio, made.height / ratio)
            painter.drawImage(QRectF(corner, size), image)

    def _paint_marks(self, painter: QPainter, index: int, place: QRectF, card: QRectF) -> None:
        # multiply (on dark pages: screen) keeps the ink as it is, as under a highlighter
        view, modes, tokens = self._view, QPainter.CompositionMode, self.paper
        painter.setCompositionMode(
            modes.CompositionMode_Screen if tokens.dark else modes.CompositionMode_Multiply
        )
        passage_color, warn = QColor(tokens.mark), QColor(tokens.warn)

        def find_boxes(span: Range, room: float) -> list[QRectF]:
            boxes = join_boxes([in_page(place, box) for box in self._worker.boxes(span, index)])
            return [box.adjusted(-room, -room, room, room) for box in boxes]

        def fill(span: Range, color: QColor) -> None:
            painter.fillPath(_join(_close_gaps(find_boxes(span, ROOM))), color)

        page = self._worker.pages[index]
        hits: list[tuple[list[QRectF], bool]] = []
        matched = QRegion()
        for number, start, end in view.hits_in(page.start, page.end):
            current = number == view.current_hit
            # the edge is beside the letters
            found = find_boxes((start, end), 1.0 + CURRENT_EDGE if current else ROOM)
            hits.append((found, current))
            for box in found:
                matched += _on_pixels(box)
        painter.save()
        if hits:
            # two colours over each other would give a third one: a match has only its own
            others = QRegion(_on_pixels(card)) - matched
            painter.setClipRegion(others, Qt.ClipOperation.IntersectClip)
        for mark in view.highlights_in(page.start, page.end):
            if mark.style == "fill":
                fill((mark.start, mark.end), highlight_color(view.theme, mark.color, paper=tokens))
            else:
                self._underline(painter, mark, index, place)
        if view.passage:
            fill(view.passage, mixed(passage_color, warn, 0.4 * view.pulse.value))
        ink = QColor(tokens.types.get(view.followed_kind, tokens.types["other"]))
        for span in view.followed_in(page.start, page.end):
            if span != view.passage:  # the passage is painted already
                fill(span, mixed(QColor(tokens.surface), ink, 0.32))
        painter.restore()
        ink_of_hits = QColor(tokens.hit_ink)
        for found, current in hits:
            shape = _join(found)
            painter.fillPath(shape, hit_color(tokens, current=current))
            if current:
                painter.strokePath(shape.simplified(), QPen(ink_of_hits, CURRENT_EDGE))
        self._paint_selection(painter, index, place)
        painter.setCompositionMode(modes.CompositionMode_SourceOver)
        for mark in view.highlights_in(page.start, page.end):
            if mark.id == view.chosen_mark:
                ink = highlight_color(view.theme, mark.color, strong=True, paper=tokens)
                edge = mixed(ink, QColor(tokens.text), CHOSEN_INK)
                # so much room that lines touch: one edge around all of them
                shape = _join(find_boxes((mark.start, mark.end), ROOM + CHOSEN_EDGE)).simplified()
                painter.strokePath(shape, QPen(edge, CHOSEN_EDGE))
            boxes: Sequence[Box] = ()
            if view.has_note(mark):
                boxes = self._worker.boxes((mark.start, mark.end), index)
            if boxes and mark.start >= page.start:
                line = in_page(place, boxes[0])
                side, x = self._find_sign_place(index, boxes[0], place, card)
                middle = QPointF(x, line.center().y())
                paint_note_sign(painter, middle, self.ink(mark.color), QColor(tokens.surface), side)

    def _find_sign_place(
        self, index: int, line: Box, place: QRectF, card: QRectF
    ) -> tuple[float, float]:
        """Return the side of the sign of a note and the x of its middle, left of its column.

        It is smaller where another column is near.

        Args:
            line: the first line of its text.
        """
        letters = self._worker.letters(index)
        left, room = line[0], line[0]
        if letters is not None:
            left, room = find_column_start(letters, line)
        start, free = place.left() + left * place.width(), room * place.width()
        free = min(free, start - card.left())
        side = min(NOTE_SIGN, max(LEAST_NOTE_SIGN, free - 2 * NOTE_GAP))
        return side, start - min(NOTE_GAP, max(1.0, (free - side) / 2)) - side / 2

    def _paint_areas(self, painter: QPainter, index: int, place: QRectF) -> None:
        view, tokens = self._view, self.paper
        for mark in view.areas_on(index):
            if mark.area is None or mark.id == view.edited_mark:
                continue
            sides = rotate_box(mark.area[1:], self._worker.rotation_of(index))
            box = in_page(place, sides)
            ink, rim = find_line_colors(tokens, mark.color)
            is_chosen = mark.id == view.chosen_mark
            edge = mixed(ink, QColor(tokens.text), CHOSEN_INK) if is_chosen else ink
            width = AREA_EDGE + (CHOSEN_EDGE if is_chosen else 0.0)
            # figures keep their colours
            paint_area(painter, box, edge, edge=width, blend=False, rim=rim)
            if is_chosen:
                paint_grips(painter, box, edge)
            if view.has_note(mark):
                # beside the corner, where its grip is; at the edge of the page on the other side
                away = GRIP / 2 + NOTE_GAP + NOTE_SIGN / 2
                beside = box.right() + away + NOTE_SIGN / 2 <= place.right()
                x = box.right() + away if beside else box.left() - away
                middle = QPointF(x, box.top() + NOTE_SIGN / 2)
                paint_note_sign(painter, middle, self.ink(mark.color), QColor(tokens.surface))

    def _underline(self, painter: QPainter, mark: Annotation, index: int, place: QRectF) -> None:
        """Draw the lines of an underlined passage below the feet of its letters."""
        ink, rim = find_line_colors(self.paper, mark.color)
        boxes = self._worker.boxes((mark.start, mark.end), index)
        for box in join_boxes([in_page(place, box) for box in boxes]):
            foot = box.bottom() - UNDERLINE_RISE * box.height()
            paint_note_line(painter, box.left(), box.right(), foot, ink, rim)

    def _paint_selection(self, painter: QPainter, index: int, place: QRectF) -> None:
        chosen, letters = self._view.selection.range, self._worker.letters(index)
        page = self._worker.pages[index]
        if chosen is None or letters is None or chosen[0] >= page.end or chosen[1] <= page.start:
            return
        tokens = self.paper
        accent = QColor(tokens.accent)
        boxes = [in_page(place, box) for box in letters.rects(*chosen)]
        if not boxes:
            return
        painter.fillPath(_join(boxes), QColor(tokens.selection))
        # a stroke at each end says where the selection is taken hold of
        first, last = boxes[0], boxes[-1]
        for x, box in ((first.left() - 2 * END, first), (last.right() + END, last)):
            painter.fillRect(QRectF(x, box.top() - 1, END, box.height() + 2), accent)

    def _paint_names(self, painter: QPainter, index: int, place: QRectF) -> None:
        ratio = self._view.devicePixelRatioF()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # below the ink: where a line touches a letter after all, the letter stays whole
        modes = QPainter.CompositionMode
        painter.setCompositionMode(
            modes.CompositionMode_Lighten if self.paper.dark else modes.CompositionMode_Darken
        )
        for name in self._marked_names(index):
            span, kind = name[:2], name[4]
            strong = name[2] == self._view.pointed_entity
            boxes = self._worker.boxes(span, index)
            for box, foot in zip(boxes, self._find_feet(index, span, boxes), strict=True):
                line = in_page(place, box)
                y = place.top() + foot * place.height() + UNDERLINE_DROP
                paint_name_line(
                    painter, line.left(), line.right(), y, self.paper, kind, ratio, strong=strong
                )
        painter.setCompositionMode(modes.CompositionMode_SourceOver)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _find_feet(self, index: int, span: Range, boxes: Sequence[Box]) -> list[float]:
        """Return the lower edge of the letters in each box of a range.

        They are kept, because a page is painted with each pixel of scrolling.
        """
        letters = self._worker.letters(index)
        if letters is None:
            return [box[3] for box in boxes]
        known = self._feet.get((index, span))
        if known is None or known[0] is not letters or known[1] is not boxes:
            if len(self._feet) >= MOST_FEET:
                self._feet.clear()
            known = letters, boxes, [letters.foot(*span, box) for box in boxes]
            self._feet[index, span] = known
        return known[2]

    def _paint_failure(self, painter: QPainter, place: QRectF, words: str) -> None:
        """Write on the page why it can't be shown."""
        tokens = self.paper
        painter.fillRect(place, QColor(tokens.surface))
        inset = min(48.0, place.width() * 0.1)
        painter.setFont(self._view.theme.font("text"))
        painter.setPen(QColor(tokens.text2))
        # near the top, because of a long page only that may be in sight
        area = place.adjusted(inset, min(96.0, place.height() * 0.2), -inset, -inset / 2)
        wrapped = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignHCenter
        painter.drawText(area, int(wrapped), words)

    def _paint_placeholder(self, painter: QPainter, place: QRectF) -> None:
        # as light or dark as the page that will replace it
        tokens = self.paper
        paper, grey = QColor(tokens.surface), QColor(tokens.line)
        painter.fillRect(place, paper)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mixed(paper, grey, 0.6))
        inset, y = place.width() * 0.12, place.top() + place.height() * 0.1
        while y < place.bottom() - place.height() * 0.1:
            line = QRectF(place.left() + inset, y, place.width() - 2 * inset, 6)
            painter.drawRoundedRect(line, 3, 3)
            y += 24


def _on_pixels(box: QRectF) -> QRect:
    """Return the pixels that a box without smooth edges fills."""
    corner = QPoint(round(box.left()), round(box.top()))
    return QRect(corner, QPoint(round(box.right()) - 1, round(box.bottom()) - 1))


def _close_gaps(boxes: list[QRectF]) -> list[QRectF]:
    """Return the boxes of lines, each reaching down to the next: no white shows between them."""
    closed = list(boxes)
    for number, (box, below) in enumerate(pairwise(boxes)):
        gap = below.top() - box.bottom()
        if 0.0 < gap < MOST_GAP * box.height():
            closed[number] = box.adjusted(0.0, 0.0, 0.0, gap)
    return closed


def _join(boxes: list[QRectF]) -> QPainterPath:
    """Return boxes as one shape, so that overlapping lines are not darker."""
    shape = QPainterPath()
    shape.setFillRule(Qt.FillRule.WindingFill)
    for box in boxes:
        shape.addRect(box)
    return shape
