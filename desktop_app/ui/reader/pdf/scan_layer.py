"""What the view of pages shows of scanned pages: uncertain lines, states, the line editor.

Owns the lines of the pages that were read, their marks on the picture, and which line is being
corrected. Fetches and stores nothing: `corrected` says what the user typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QToolTip

from desktop_app.engine.messages import Message
from desktop_app.engine.scanned_pages import ScannedLine, ScannedPage
from desktop_app.engine.text.page_rotation import rotate_point

from ...theme.design_tokens import Tokens
from ...translation import tr, tr_message
from ..view import DocumentView
from .line_editor import ScanLineEditor, describe_line

CLICK_PX = 4  # a press and a release farther apart are a selection
TAG_INSET, TAG_PADDING = 8, 6  # pixels
LEAST_TAG_ROOM = 200  # pixels of a page's width, below which nothing is written on it


class ScanLayer(QObject):
    """Marks uncertain lines of scanned pages, and lets the user correct lines in place.

    `corrected` carries page index, number of the line and its new text.

    Args:
        page_rect: returns the rectangle of a page in the window.
        rotation_of: returns how far a page is rotated, quarters clockwise.

    Attributes:
        pages: page index -> page that was read, with the user's corrections.
        states: page index -> state and reason, as `OcrReader.find_progress` returns them.
    """

    corrected = Signal(int, int, str)
    stepped = Signal(int)  # the next (1) or previous (-1) uncertain line is wanted

    def __init__(
        self,
        view: DocumentView,
        pages_in_sight: Callable[[], list[int]],
        page_rect: Callable[[int], QRectF],
        rotation_of: Callable[[int], int],
    ) -> None:
        super().__init__(view)
        self._view, self._pages_in_sight, self._page_rect = view, pages_in_sight, page_rect
        self._rotation_of = rotation_of
        self.pages: dict[int, ScannedPage] = {}
        self._unsure: set[int] = set()  # pages with uncertain lines
        self.states: Mapping[int, tuple[str, Message]] = {}
        self.editor = ScanLineEditor(view.theme, view.viewport())
        self._edited: tuple[int, int] | None = None  # page and line
        self._hovered: tuple[int, int] | None = None
        self._pressed_at: QPointF | None = None
        self.editor.saved.connect(self._save)
        self.editor.left.connect(self.close_editor)
        self.editor.stepped.connect(self.stepped)
        view.moved.connect(self._place_editor)
        view.viewport().installEventFilter(self)

    # --- what is shown ----------------------------------------------------------------------------

    def set_pages(self, pages: Mapping[int, ScannedPage]) -> None:
        """Show the pages that were read; a line that is being corrected stays open."""
        self._keep_edited(pages)
        self.pages = dict(pages)
        self._unsure = {index for index in self.pages if self.list_unsure(index)}
        self._view.viewport().update()

    def set_page(self, index: int, page: ScannedPage) -> None:
        """Show what was read of one page, or that one of its lines was corrected."""
        self._keep_edited({**self.pages, index: page})
        self.pages[index] = page
        self._unsure.discard(index)
        if self.list_unsure(index):
            self._unsure.add(index)
        self._view.viewport().update()

    @property
    def has_unsure(self) -> bool:
        """Whether a page that was read has an uncertain line."""
        return bool(self._unsure)

    def set_states(self, states: Mapping[int, tuple[str, Message]]) -> None:
        self.states = states
        self._view.viewport().update()

    def clear(self) -> None:
        self.close_editor()
        self.pages, self.states, self._unsure = {}, {}, set()
        self._hovered = None

    def _keep_edited(self, pages: Mapping[int, ScannedPage]) -> None:
        """Find the line that is being corrected among other lines, by its place."""
        if self._edited is None:
            return
        index = self._edited[0]
        line = self._line(self._edited)
        lines = pages[index].lines if index in pages else ()
        if line is None or not lines:
            self.close_editor()
            return
        x, y = line.centre
        away = [abs(one.centre[0] - x) + 4 * abs(one.centre[1] - y) for one in lines]
        self._edited = index, away.index(min(away))

    def _line(self, at: tuple[int, int] | None) -> ScannedLine | None:
        if at is None or at[0] not in self.pages:
            return None
        lines = self.pages[at[0]].lines
        return lines[at[1]] if at[1] < len(lines) else None

    def list_unsure(self, index: int) -> list[int]:
        """Return the numbers of the uncertain lines of a page."""
        page = self.pages.get(index)
        return [n for n, line in enumerate(page.lines) if line.is_unsure] if page else []

    def find_unsure(self, by: int, start: tuple[int, int]) -> tuple[int, int] | None:
        """Return the next (1) or previous (-1) uncertain line from a page and line, around the end.

        Args:
            start: where the search begins; this line itself comes last.
        """
        every = [(i, n) for i in sorted(self._unsure) for n in self.list_unsure(i)]
        if not every:
            return None
        if by > 0:
            return next((at for at in every if at > start), every[0])
        return next((at for at in reversed(every) if at < start), every[-1])

    @property
    def edited(self) -> tuple[int, int] | None:
        """The page and the number of the line that is being corrected."""
        return self._edited

    # --- correcting -------------------------------------------------------------------------------

    def edit_line(self, index: int, number: int) -> None:
        """Open the field for a line, which has to be in sight."""
        line = self._line((index, number))
        if line is None:
            return
        self._edited = index, number
        self.editor.show_line(line)
        self.editor.show()
        self._place_editor()
        self.editor.raise_()
        self.editor.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._view.viewport().update()

    def close_editor(self) -> None:
        """Close the field without saving."""
        if self._edited is None:
            return
        self._edited = None
        had_focus = self.editor.isAncestorOf(self._view.window().focusWidget() or self._view)
        self.editor.hide()
        if had_focus:
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._view.viewport().update()

    def _save(self, text: str) -> None:
        edited = self._edited
        self.close_editor()
        if edited is not None:
            self.corrected.emit(*edited, text)

    def _place_editor(self) -> None:
        line = self._line(self._edited)
        if line is None or self._edited is None:
            return
        around = self.find_outline(self._edited[0], line).boundingRect()
        self.editor.place_at(around.toAlignedRect(), self._view.viewport().rect())

    def find_outline(self, index: int, line: ScannedLine) -> QPolygonF:
        """Return the corners of a line of a page in the window, see `outline`."""
        return outline(self._page_rect(index), line, self._rotation_of(index))

    # --- the pointer ------------------------------------------------------------------------------

    def line_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return page and number of the line at a point of the window."""
        for index in self._pages_in_sight():
            page = self.pages.get(index)
            place = self._page_rect(index)
            if page is None or not place.contains(QPointF(x, y)):
                continue
            for number, line in enumerate(page.lines):
                shape = self.find_outline(index, line)
                if shape.containsPoint(QPointF(x, y), Qt.FillRule.WindingFill):
                    return index, number
        return None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if not self.pages:
            return False
        if kind == QEvent.Type.MouseButtonPress:
            mouse = cast(QMouseEvent, event)
            is_click = mouse.button() == Qt.MouseButton.LeftButton and not mouse.modifiers()
            self._pressed_at = mouse.position() if is_click else None
        elif kind == QEvent.Type.MouseButtonDblClick:
            self._pressed_at = None
        elif kind == QEvent.Type.MouseButtonRelease:
            self._release(cast(QMouseEvent, event))
        elif kind == QEvent.Type.MouseMove:
            point = cast(QMouseEvent, event).position()
            self._hover(self.line_at(point.x(), point.y()))
        elif kind == QEvent.Type.Leave:
            self._hover(None)
        elif kind == QEvent.Type.ToolTip:
            return self._show_tooltip(cast(QHelpEvent, event))
        return False

    def _hover(self, at: tuple[int, int] | None) -> None:
        line = self._line(at)
        shown = at if line is not None and line.is_unsure else None
        if shown != self._hovered:
            self._hovered = shown
            self._view.viewport().update()

    def _release(self, event: QMouseEvent) -> None:
        """Open the field if this ends a click on an uncertain line."""
        pressed, self._pressed_at = self._pressed_at, None
        point = event.position()
        if pressed is None or (point - pressed).manhattanLength() > CLICK_PX:
            return
        at = self.line_at(point.x(), point.y())
        line = self._line(at)
        if at is not None and line is not None and line.is_unsure:
            # after the view has taken the event; a second click within this time is a double click
            QTimer.singleShot(0, self, lambda: self.edit_line(*at))

    def _show_tooltip(self, event: QHelpEvent) -> bool:
        line = self._line(self.line_at(event.pos().x(), event.pos().y()))
        words = describe_line(line) if line is not None else ""
        if words:
            QToolTip.showText(event.globalPos(), words, self._view)
        return bool(words)

    # --- painting ---------------------------------------------------------------------------------

    def paint(self, painter: QPainter, index: int, place: QRectF, tokens: Tokens) -> None:
        """Draw the marks of a page over its picture."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if (page := self.pages.get(index)) is not None:
            for number, line in enumerate(page.lines):
                if (index, number) == self._edited:
                    painter.setPen(QPen(QColor(tokens.accent), 1.5))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawPolygon(self.find_outline(index, line))
                elif line.is_unsure:
                    self._paint_unsure(painter, line, tokens, (index, number))
        words = self.describe_page(index)
        if words and place.width() >= LEAST_TAG_ROOM:
            self._paint_tag(painter, place, words, tokens)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_unsure(
        self,
        painter: QPainter,
        line: ScannedLine,
        tokens: Tokens,
        at: tuple[int, int],
    ) -> None:
        shape = self.find_outline(at[0], line)
        warn = QColor(tokens.warn)
        if at == self._hovered:
            ground = QColor(warn)
            ground.setAlpha(36)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawPolygon(shape)
        painter.setPen(QPen(warn, 1.5, Qt.PenStyle.DotLine))
        # below a row, beside a column
        first, second = (
            (shape.at(0), shape.at(3)) if line.is_vertical else (shape.at(3), shape.at(2))
        )
        painter.drawLine(first, second)

    def describe_page(self, index: int) -> str:
        """Return the words for a page, "" if it was read and nothing is uncertain."""
        state, reason = self.states.get(index, ("", None))
        if state == "waiting":
            return tr("This page waits to be read")
        if state == "left":
            return tr("This page was not read")
        if state == "failed":
            why = tr_message(reason) if reason else ""
            return tr("This page can't be read: {reason}", reason=why)
        page = self.pages.get(index)
        if page is not None and not page.is_certain:
            return tr("The order of the lines is uncertain")
        return ""

    def _paint_tag(self, painter: QPainter, place: QRectF, words: str, tokens: Tokens) -> None:
        painter.setFont(self._view.theme.font("small"))
        metrics = painter.fontMetrics()
        room = place.width() - 2 * (TAG_INSET + TAG_PADDING)
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, round(room))
        size = metrics.boundingRect(shown).size()
        tag = QRectF(
            place.left() + TAG_INSET,
            place.top() + TAG_INSET,
            size.width() + 2 * TAG_PADDING + 2,
            metrics.height() + TAG_PADDING,
        )
        painter.setPen(QPen(QColor(tokens.line), 1))
        painter.setBrush(QColor(tokens.surface))
        painter.drawRoundedRect(tag, 4, 4)
        painter.setPen(QColor(tokens.text2))
        painter.drawText(tag, int(Qt.AlignmentFlag.AlignCenter), shown)


def outline(place: QRectF, line: ScannedLine, rotation: int = 0) -> QPolygonF:
    """Return the corners of a line in the window: top left, top right, bottom right, bottom left.

    They are named as they are on the page before it was rotated.

    Args:
        place: the rectangle of the page in the window.
        rotation: of the page, quarters clockwise.
    """
    xs, ys = line.corners[0::2], line.corners[1::2]
    corners = [rotate_point(x, y, rotation) for x, y in zip(xs, ys, strict=True)]
    return QPolygonF(
        [
            QPointF(place.left() + x * place.width(), place.top() + y * place.height())
            for x, y in corners
        ]
    )
