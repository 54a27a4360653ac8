"""The keyboard caret of the reader's views: where it is, and what its keys do.

Owns moving by letter, word, line and page. The geometry of a view says where an offset is in the
window.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter

from ..widgets.highlight_colors import COLOR_WORDS
from ..widgets.menus import is_menu_key
from .ranges import WORD, Name, Range
from .view import DocumentView

_WORD_REACH = 400  # characters in which the next word is searched
_NEAR_TOP, _EDGE = 40, 24
_Keys = QKeySequence.StandardKey


# keys that do something with the selection, and the action of `PassageActions`
SELECTION_KEYS = {
    **{
        Qt.Key(Qt.Key.Key_0.value + number): f"highlight {color}"  # not shown
        for number, color in enumerate(COLOR_WORDS, 1)
    },
    Qt.Key.Key_M: "highlight_note",
    Qt.Key.Key_U: "underline",
    Qt.Key.Key_A: "ask",
    Qt.Key.Key_G: "graph",
}


class CaretGeometry(Protocol):
    """Positions of offsets in the window; None if not known (yet)."""

    def box(self, offset: int) -> QRectF | None:
        """Return the gap before a letter: width 0, height of its line."""

    def offset_in_next_line(self, offset: int, x: float, by: int) -> int | None:
        """Return the offset nearest to x in the previous (-1) or next (1) line."""

    def line_of(self, offset: int) -> Range | None:
        """Return the range of the line that contains an offset."""

    def scroll_to(self, offset: int) -> None:
        """Scroll to an offset outside the window."""


class Caret:
    """The caret of one view; its offset is the head of the selection."""

    def __init__(self, view: DocumentView, geometry: CaretGeometry) -> None:
        self._view, self._geometry = view, geometry
        self._x: float | None = None  # kept while the caret moves from line to line
        self._previous_x: float | None = None
        self.shown = False
        steps: tuple[tuple[_Keys, _Keys, Callable[[int], int | None]], ...] = (
            (_Keys.SelectNextChar, _Keys.MoveToNextChar, lambda at: self._letter(at, 1)),
            (_Keys.SelectPreviousChar, _Keys.MoveToPreviousChar, lambda at: self._letter(at, -1)),
            (_Keys.SelectNextWord, _Keys.MoveToNextWord, lambda at: self._word(at, 1)),
            (_Keys.SelectPreviousWord, _Keys.MoveToPreviousWord, lambda at: self._word(at, -1)),
            (_Keys.SelectNextLine, _Keys.MoveToNextLine, lambda at: self._line(at, 1)),
            (_Keys.SelectPreviousLine, _Keys.MoveToPreviousLine, lambda at: self._line(at, -1)),
            (_Keys.SelectNextPage, _Keys.MoveToNextPage, lambda at: self._page(at, 1)),
            (_Keys.SelectPreviousPage, _Keys.MoveToPreviousPage, lambda at: self._page(at, -1)),
            (
                _Keys.SelectStartOfLine,
                _Keys.MoveToStartOfLine,
                lambda at: (geometry.line_of(at) or (at, at))[0],
            ),
            (
                _Keys.SelectEndOfLine,
                _Keys.MoveToEndOfLine,
                lambda at: (geometry.line_of(at) or (at, at))[1],
            ),
            (_Keys.SelectStartOfDocument, _Keys.MoveToStartOfDocument, lambda at: 0),
            (
                _Keys.SelectEndOfDocument,
                _Keys.MoveToEndOfDocument,
                lambda at: len(self._view.text.rstrip()),
            ),
        )
        self._moves = [(key, step, True) for key, _, step in steps]
        self._moves += [(key, step, False) for _, key, step in steps]

    # --- position ---------------------------------------------------------------------------

    @property
    def at(self) -> int | None:
        """The caret's offset, None while it is hidden."""
        return self._view.selection.head if self.shown else None

    def box(self) -> QRectF | None:
        """Return the caret's place in the window."""
        return None if self.at is None else self._geometry.box(self.at)

    def box_of(self, offset: int) -> QRectF | None:
        """Return the place of an offset in the window; None if it is far away or not known."""
        return self._geometry.box(offset)

    def point(self) -> QPoint | None:
        """Return the point of the screen for a menu or card about the caret."""
        box = self.box()
        if box is None:
            return None
        room = self._view.viewport().rect().adjusted(8, 8, -8, -8)
        point = box.bottomLeft().toPoint()
        point = QPoint(
            min(max(point.x(), room.left()), room.right()),
            min(max(point.y(), room.top()), room.bottom()),
        )
        return self._view.viewport().mapToGlobal(point)

    def name(self) -> Name | None:
        """Return the name at the caret or directly before it."""
        at = self.at
        if at is None:
            return None
        found = self._view.names_in(at, at + 1) or self._view.names_in(max(0, at - 1), at)
        return found[-1] if found else None

    def mark_id(self) -> int | None:
        """Return the id of the highlight at the caret."""
        at = self.at
        found = self._view.highlights_in(at, at + 1) if at is not None else []
        return found[-1].id if found else None

    def paint(self, painter: QPainter, color: QColor) -> None:
        """Draw the caret, if the view has the keyboard focus."""
        box = self.box() if self._view.hasFocus() else None
        if box is not None:
            painter.fillRect(QRectF(round(box.left()) - 1, box.top(), 2, box.height()), color)

    # --- showing ----------------------------------------------------------------------------

    def toggle(self) -> None:
        """Show the caret at the current position, or hide it; the selection stays."""
        if self.shown:
            self.hide()
        else:
            self._start()
        self._view.viewport().update()

    def hide(self) -> None:
        self.shown = False
        self._view.viewport().update()

    def _start(self) -> bool:
        """Show the caret at the selection, hit or passage in sight, else in the first line.

        Returns:
            False if the offset is not known yet.
        """
        view = self._view
        head = view.selection.head
        candidates = [head, view.passage[0] if view.passage else None]
        if 0 <= view.current_hit < len(view.hits):
            candidates.insert(1, view.hits[view.current_hit][0])
        height = view.viewport().height()
        for offset in candidates:
            box = self._geometry.box(offset) if offset is not None else None
            if box is not None and 0 <= box.top() <= height - box.height():
                break
        else:
            offset = view.offset_at(0, _NEAR_TOP)
        if offset is None:
            return False  # the page's letters are being loaded; the next key press finds them
        if offset != head:
            view.selection.select(offset, offset)
        self.shown, self._x = True, None
        return True

    # --- keys -------------------------------------------------------------------------------

    def find_command(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return the command of a key, None if the key is not for the caret."""
        for keys, step, selects in self._moves:
            if event.matches(keys):
                if not self.shown and not selects:
                    return None
                return lambda: self._go(step, selects=selects)
        key, plain = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        none, shift = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
        if key == Qt.Key.Key_N and plain in (none, shift):
            return lambda: self.go_to_name(-1 if plain == shift else 1)
        # not every platform sends a context menu event for these keys
        if is_menu_key(event):
            return self._view.selection.open_menu
        if plain != none:
            return None
        if key in SELECTION_KEYS and self._view.selection.range:
            action = SELECTION_KEYS[Qt.Key(key)]
            return lambda: self._view.action_wanted.emit(action, self._view.menu_target())
        if key == Qt.Key.Key_Escape and (self.shown or self._view.selection.range):
            return self._dismiss
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and (self.name() or self.mark_id()):
            return self._open
        return None

    def go_to_name(self, by: int) -> None:
        """Go to the next (1) or previous (-1) name; request underlined names if there are none."""
        view = self._view
        if not view.names:
            view.names_wanted.emit()
            return
        low, high = view.visible_range()
        at = self.at
        if at is None or not low <= at <= high:
            at = view.offset_at(0, 0) if by > 0 else high
            at = low if at is None else at - 1
        starts = [name[0] for name in view.names]
        following = [s for s in starts if s > at]
        candidates = following if by > 0 else [s for s in starts if s < at][::-1]
        if candidates:
            self.shown, self._x = True, None
            view.selection.select(candidates[0], candidates[0])
            self._scroll_into_view(candidates[0])

    def _dismiss(self) -> None:
        self._view.selection.clear()
        self.hide()

    def _open(self) -> None:
        name, mark_id, where = self.name(), self.mark_id(), self.point()
        if where is None:
            return
        if name is not None:
            self._view.name_clicked.emit(name, where)
        elif mark_id is not None:
            self._view.mark_clicked.emit(mark_id, where)

    def _go(self, step: Callable[[int], int | None], *, selects: bool) -> None:
        if not self.shown and not self._start():
            return
        selection = self._view.selection
        at = selection.head
        if at is None and self._start():
            at = selection.head
        if at is None:
            return
        self._previous_x, self._x = self._x, None
        to = step(at)
        if to is None:
            return
        to = min(max(to, 0), len(self._view.text))
        anchor = selection.anchor if selects else None
        selection.select(to if anchor is None else anchor, to)
        self._scroll_into_view(to)

    def _scroll_into_view(self, at: int) -> None:
        view = self._view
        box, height = self._geometry.box(at), view.viewport().height()
        if box is None:
            self._geometry.scroll_to(at)
        elif box.bottom() > height - _EDGE:
            view.scroll_by(box.bottom() - height + _EDGE)
        elif box.top() < _EDGE:
            view.scroll_by(box.top() - _EDGE)
        box = self._geometry.box(at)
        if box is not None and not 0 <= box.center().y() <= height:
            self._geometry.scroll_to(at)  # with one page at a time, small steps have no effect
        view.viewport().update()

    # --- steps ------------------------------------------------------------------------------

    def _letter(self, at: int, by: int) -> int:
        text, to = self._view.text, at + by
        while 0 < to < len(text) and (
            unicodedata.combining(text[to]) or (text[to].isspace() and text[to - 1].isspace())
        ):
            to += by
        return to

    def _word(self, at: int, by: int) -> int:
        text = self._view.text
        if by > 0:
            found = WORD.search(text, at, min(len(text), at + _WORD_REACH))
            return found.end() if found else at + 1
        starts = [w.start() for w in WORD.finditer(text, max(0, at - _WORD_REACH), at)]
        return starts[-1] if starts else at - 1

    def _line(self, at: int, by: int) -> int | None:
        box = self._geometry.box(at)
        self._x = self._previous_x if self._previous_x is not None else (box.left() if box else 0.0)
        return self._geometry.offset_in_next_line(at, self._x, by)

    def _page(self, at: int, by: int) -> int | None:
        view, box = self._view, self._geometry.box(at)
        if box is None:
            return None
        self._x = self._previous_x if self._previous_x is not None else box.left()
        view.scroll_by(by * max(40, view.viewport().height() - 48))
        there = view.offset_at(self._x, box.center().y())
        return at if there is None else there
