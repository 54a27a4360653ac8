"""The base class of the reader's two views, with their selection and keyboard caret.

Owns the scroll area with its keys, the ranges to show (passage, hits, names, annotations), what is
selected by mouse or keyboard, and the methods that each view implements. Knows neither text layout
nor PDF: the view maps points to offsets, which a page of a PDF may know only later.
"""

from __future__ import annotations

import bisect
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Protocol, cast

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from desktop_app.engine.services.annotations import Annotation

from ..theme.theme import Theme
from ..translation import later
from ..widgets import KeyDescriptions
from ..widgets.menus import is_menu_key
from ..widgets.note_colors import NOTE_ROLES
from .look import PAGE_COLORS, Look, Pulse
from .margin_bar import MarginBar
from .ranges import MenuTarget, Name, Range

ZOOMS = (0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
SETTLE_MS = 80
MAX_MENU_CHARS = 20_000


# shown in the list of shortcuts; `Caret` handles them
KEYS = (
    ("Shift+Right", later("Extend selection by a character")),
    ("Ctrl+Shift+Right", later("Extend selection by a word")),
    ("Shift+Down", later("Extend selection by a line")),
    ("Shift+F10", later("Context menu of the selection")),
    ("1", later("Highlight the selection in yellow (2 green, 3 blue, 4 pink)")),
    ("M", later("Highlight the selection with a note")),
    ("A", later("Ask about the selection")),
    ("G", later("Show the names of the selection in the graph")),
    ("Ctrl+PgDown", later("Next tab")),
    ("Ctrl+PgUp", later("Previous tab")),
    ("Ctrl+Shift+PgDown", later("Move tab to the right")),
    ("Ctrl+Shift+PgUp", later("Move tab to the left")),
    ("N", later("Next name")),
    ("Shift+N", later("Previous name")),
    ("Return", later("Open the name or highlight at the caret")),
)


class DocumentView(QAbstractScrollArea):
    """A scrolling view of a document. Offsets refer to its text; ranges are half-open."""

    moved = Signal()
    settled = Signal()
    name_clicked = Signal(object, QPoint)
    name_opened = Signal(int)
    name_in_graph = Signal(int)
    note_clicked = Signal(int, QPoint)
    action_requested = Signal(str, object)
    # name, offset and annotation id under the pointer (None if there is none), screen point
    menu_requested = Signal(object, object, object, QPoint)
    enrich_wanted = Signal(int)
    zoom_changed = Signal(float)
    shown_zoom_changed = Signal(float)  # see `shown_zoom`

    names_wanted = Signal()

    selection: Selection
    caret: Caret

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.look = Look(theme)
        self.zoom = 1.0
        KeyDescriptions(self, KEYS)
        self.enrich_words = ""
        self.title_range: Range = (0, 0)  # of the title on the first page: it has no underlines
        self.margin = MarginBar(theme, self.shares, self)
        self.setVerticalScrollBar(self.margin)
        self.margin.offset_chosen.connect(lambda offset: self.show_range(offset, offset + 1))
        self.forget_ranges()
        self.pulse = Pulse(theme, self)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self.settled)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.pulse.changed.connect(self.viewport().update)
        theme.changed.connect(self.restyle)

    # --- implemented by each view ------------------------------------------------------------

    @property
    def text(self) -> str:
        """The document's text, to which all offsets refer."""
        raise NotImplementedError

    def show_range(self, start: int, end: int) -> None:
        """Scroll a range to about a third of the window's height."""
        raise NotImplementedError

    def top_offset(self) -> int:
        """Return the offset of the text at the top of the window."""
        raise NotImplementedError

    def place(self) -> object:
        """Return the position, for `go_to_place` after any change of width or zoom."""
        raise NotImplementedError

    def go_to_place(self, place: object) -> None:
        raise NotImplementedError

    def visible_range(self) -> Range:
        raise NotImplementedError

    def shares(self, offsets: np.ndarray) -> np.ndarray:
        """Return the share of the document's height above each offset, 0 to 1, shape (N,)."""
        raise NotImplementedError

    def offset_at(self, x: float, y: float) -> int | None:
        """Return the offset nearest to a point of the window; None while it is not known."""
        raise NotImplementedError

    def is_text_at(self, x: float, y: float) -> bool:
        """Return whether there is text to select at a point."""
        raise NotImplementedError

    def line_boxes(self) -> list[QRectF]:
        """Return the boxes of the lines of text in sight, in the window, as far as known."""
        raise NotImplementedError

    def page_sides(self) -> tuple[float, float]:
        """Return the left and right edge of the pages in sight, or of the column of text."""
        raise NotImplementedError

    def name_at(self, x: float, y: float) -> Name | None:
        raise NotImplementedError

    def list_actions_at(self, offset: int | None) -> list[tuple[str, Callable[[], None]]]:
        """Return further entries of the menu at an offset: words and what they do."""
        return []

    def paragraph_at(self, offset: int) -> Range:
        raise NotImplementedError

    def copied(self, start: int, end: int) -> str:
        """Return a range as it is copied: whole paragraphs without line wraps."""
        raise NotImplementedError

    def scroll_by(self, dy: float) -> None:
        raise NotImplementedError

    def apply_zoom(self) -> None:
        raise NotImplementedError

    def set_page_colors(self, name: str) -> None:
        """Choose the colours of the page, a key of `PAGE_COLORS`."""
        self.look.paper = PAGE_COLORS.get(name)
        self.viewport().update()

    def leave_margin(self) -> None:
        """Leave room above the line at the top, where a view has lines."""

    def restyle(self) -> None:
        """Apply the theme's colours and fonts."""
        self.viewport().update()

    # --- common to both views ---------------------------------------------------------------

    def forget_ranges(self) -> None:
        """Remove the passage, hits, names, notes and highlighted places."""
        self.passage: Range | None = None
        self.hits: list[Range] = []
        self.current_hit = -1
        self.names: list[Name] = []
        self.notes: list[Annotation] = []
        self.pointed_entity: int | None = None
        self.followed: list[Range] = []
        self.followed_kind = "other"
        self.margin.clear()

    def show_passage(self, start: int, end: int) -> None:
        """Mark a passage, scroll to it and animate the mark once."""
        self.set_passage((start, end) if end > start else None)
        self.show_range(start, end)
        if self.passage:
            self.pulse.start()

    def set_passage(self, passage: Range | None) -> None:
        self.passage = passage
        self.margin.set_layer("passage", [passage[0]] if passage else [], "accent")
        self.viewport().update()

    def set_hits(self, hits: Sequence[Range], current: int = -1) -> None:
        self.hits = sorted(hits)
        self.margin.set_layer("hits", [start for start, _ in self.hits], "warn")
        self.set_current_hit(current)

    def set_current_hit(self, current: int) -> None:
        self.current_hit = current
        is_one = 0 <= current < len(self.hits)
        self.margin.set_layer("hit", [self.hits[current][0]] if is_one else [], "accent")
        if is_one:
            self.show_range(*self.hits[current])
        self.viewport().update()

    def set_names(self, names: Sequence[Name]) -> None:
        self.names = sorted(names)
        self.viewport().update()

    def point_at_name(self, name: Name | None) -> None:
        """Say which name is under the pointer, None if there is none."""
        entity_id = name[2] if name is not None else None
        if entity_id != self.pointed_entity:
            self.pointed_entity = entity_id
            self.viewport().update()

    def set_followed(self, places: Sequence[Range], kind: str = "other") -> None:
        """Mark every place of one entity, in the text and in the scroll bar."""
        self.followed, self.followed_kind = sorted(places), kind
        self.margin.set_layer("followed", [start for start, _ in self.followed], kind)
        self.viewport().update()

    def set_notes(self, notes: Sequence[Annotation]) -> None:
        """Show highlights and bookmarks."""
        self.notes = list(notes)
        kept = [note for note in notes if not note.lost]
        colors = [note.color if note.color in NOTE_ROLES else "accent" for note in kept]
        self.margin.set_layer("notes", [note.start for note in kept], colors)
        self.viewport().update()

    def hits_in(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Return (number, start, end) of the hits that touch a range."""
        low = bisect.bisect_left(self.hits, (start - 500, 0))
        high = bisect.bisect_left(self.hits, (end, 0))
        return [(i, *self.hits[i]) for i in range(low, high) if self.hits[i][1] > start]

    def names_in(self, start: int, end: int) -> list[Name]:
        low = bisect.bisect_left(self.names, (start - 200,))
        high = bisect.bisect_left(self.names, (end,))
        return [name for name in self.names[low:high] if name[1] > start]

    def followed_in(self, start: int, end: int) -> list[Range]:
        low = bisect.bisect_left(self.followed, (start - 200,))
        high = bisect.bisect_left(self.followed, (end,))
        return [place for place in self.followed[low:high] if place[1] > start]

    def highlights_in(self, start: int, end: int) -> list[Annotation]:
        return [
            note
            for note in self.notes
            if note.kind == "highlight" and not note.lost and note.start < end and note.end > start
        ]

    def bookmarks_in(self, start: int, end: int) -> list[Annotation]:
        return [n for n in self.notes if n.kind == "bookmark" and start <= n.start < end]

    def note_at(self, x: float, y: float) -> int | None:
        """Return the id of the highlight under a point of the window."""
        offset = self.offset_at(x, y) if self.notes and self.is_text_at(x, y) else None
        found = self.highlights_in(offset, offset + 1) if offset is not None else []
        return found[-1].id if found else None

    def menu_target(
        self, name: Name | None = None, offset: int | None = None, note_id: int | None = None
    ) -> MenuTarget:
        """Return the target of a menu: the selection, else a highlight, else the marked passage."""
        note = next((note for note in self.notes if note.id == note_id), None)
        span = self.selection.range or ((note.start, note.end) if note else self.passage)
        if span is None:
            at = self.top_offset() if offset is None else offset
            return MenuTarget(at, at, "", name, note_id)
        # paragraphs of a whole book are joined only when it is copied
        long = span[1] - span[0] > MAX_MENU_CHARS
        words = self.text[slice(*span)] if long else self.copied(*span)
        return MenuTarget(*span, words.strip(), name, note_id)

    def zoom_by(self, steps: int) -> None:
        nearest = min(range(len(ZOOMS)), key=lambda i: abs(ZOOMS[i] - self.shown_zoom))
        self.set_shown_zoom(ZOOMS[min(max(nearest + steps, 0), len(ZOOMS) - 1)])

    @property
    def shown_zoom(self) -> float:
        """The zoom as the user sees it, 1.0 for the usual size."""
        return self.zoom

    def set_shown_zoom(self, zoom: float) -> None:
        self.set_zoom(zoom)

    def set_zoom(self, zoom: float) -> None:
        if abs(zoom - self.zoom) > 1e-3:
            self.zoom = zoom
            self.apply_zoom()
            self.zoom_changed.emit(zoom)
            self.shown_zoom_changed.emit(self.shown_zoom)

    def emit_moved(self) -> None:
        """Emit `moved` now, and `settled` once scrolling has stopped."""
        self.moved.emit()
        self._settle.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if event.angleDelta().y():
                self.zoom_by(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        page = max(40, self.viewport().height() - 48)
        steps = {
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_Space: page,
            Qt.Key.Key_Down: bar.singleStep(),
            Qt.Key.Key_Up: -bar.singleStep(),
        }
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if (event.key(), plain) == (Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier):
            bar.setValue(bar.value() - page)
            return
        if plain == Qt.KeyboardModifier.NoModifier and event.key() in steps:
            bar.setValue(bar.value() + steps[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Home and plain != Qt.KeyboardModifier.AltModifier:
            bar.setValue(bar.minimum())
        elif event.key() == Qt.Key.Key_End and plain != Qt.KeyboardModifier.AltModifier:
            bar.setValue(bar.maximum())
        else:
            super().keyPressEvent(event)


_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
_LEFT = Qt.MouseButton.LeftButton
_KEYBOARD = QContextMenuEvent.Reason.Keyboard


class Selection(QObject):
    """The selection of one view; filters the view's mouse, key and menu events."""

    changed = Signal()
    released = Signal()  # the mouse, after a drag

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view)
        self._view = view
        self._anchor: int | None = None
        self._head = 0
        self._dragging = False
        self._pressed_at = QPointF()
        self._pointer = QPointF()
        self._last_double = QPointF(-99, -99)
        self._scroll = QTimer(self, interval=30)
        self._scroll.timeout.connect(self._auto_scroll)
        self._triple = QTimer(
            self, singleShot=True, interval=QGuiApplication.styleHints().mouseDoubleClickInterval()
        )
        view.viewport().installEventFilter(self)
        view.installEventFilter(self)

    @property
    def range(self) -> tuple[int, int] | None:
        """The selected range, None if nothing is selected."""
        if self._anchor is None or self._anchor == self._head:
            return None
        return (min(self._anchor, self._head), max(self._anchor, self._head))

    @property
    def is_dragging(self) -> bool:
        """Whether the mouse is still extending the selection."""
        return self._dragging

    @property
    def text(self) -> str:
        chosen = self.range
        return self._view.copied(*chosen) if chosen else ""

    @property
    def anchor(self) -> int | None:
        """The offset at which the selection started."""
        return self._anchor

    @property
    def head(self) -> int | None:
        """The offset to which the selection was extended, from which the keyboard continues."""
        return None if self._anchor is None else self._head

    def collapse(self) -> None:
        """Select nothing but keep the head, so that the caret stays."""
        self._set(None if self._anchor is None else self._head, self._head)

    def clear(self) -> None:
        self._dragging = False
        self._scroll.stop()
        self._set(None, 0)

    def select(self, start: int, end: int) -> None:
        self._set(start, end)

    def copy(self) -> None:
        if self.range:
            QGuiApplication.clipboard().setText(self.text)

    def retry_drag(self) -> None:
        """Continue a drag on a page whose letters were not loaded before."""
        if self._dragging:
            if self._anchor is None:
                self._anchor = self._offset(self._pressed_at)
            self._extend()

    def _set(self, anchor: int | None, head: int) -> None:
        before = self.range
        self._anchor, self._head = anchor, head
        self._view.viewport().update()
        if self.range != before:
            self.changed.emit()

    def _offset(self, point: QPointF) -> int | None:
        return self._view.offset_at(point.x(), point.y())

    # --- events -----------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._view:
            return self._filter_view_event(kind, event)
        if kind == QEvent.Type.MouseButtonPress:
            return self._press(cast(QMouseEvent, event))
        if kind == QEvent.Type.MouseButtonDblClick:
            return self._double_click(cast(QMouseEvent, event))
        if kind == QEvent.Type.MouseMove:
            return self._move(cast(QMouseEvent, event))
        if kind == QEvent.Type.MouseButtonRelease:
            return self._release(cast(QMouseEvent, event))
        if kind == QEvent.Type.Leave:
            self._view.point_at_name(None)
        if kind == QEvent.Type.ContextMenu:
            self._show_menu(cast(QContextMenuEvent, event))
            return True
        if kind == QEvent.Type.ToolTip:
            self._show_tooltip(cast(QHelpEvent, event))
            return True
        return False

    def _filter_view_event(self, kind: QEvent.Type, event: QEvent) -> bool:
        if kind in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
            return self._press_key(cast(QKeyEvent, event))
        is_menu = kind == QEvent.Type.ContextMenu
        if is_menu and cast(QContextMenuEvent, event).reason() == _KEYBOARD:
            self.open_menu()
            return True
        return False

    def _press_key(self, event: QKeyEvent) -> bool:
        for keys, act in (
            (QKeySequence.StandardKey.Copy, self.copy),
            (QKeySequence.StandardKey.SelectAll, self._select_all),
        ):
            if event.matches(keys):
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    act()
                    return True
                return False
        command = self._view.caret.find_command(event)
        if command is None:
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            command()
            return True
        return False

    def _select_all(self) -> None:
        self.select(0, len(self._view.text))

    def _press(self, event: QMouseEvent) -> bool:
        if event.button() != _LEFT:
            return False
        point = event.position()
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        self._pressed_at = self._pointer = point
        offset = self._offset(point)
        if self._triple.isActive() and (point - self._last_double).manhattanLength() < 6:
            self._triple.stop()
            if offset is not None:
                self.select(*self._view.paragraph_at(offset))
            return True
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._anchor is not None:
            self._set(self._anchor, self._head if offset is None else offset)
        else:
            self._set(offset, offset or 0)
        self._dragging = True
        return True

    def _double_click(self, event: QMouseEvent) -> bool:
        if event.button() != _LEFT:
            return False
        offset = self._offset(event.position())
        if offset is None:
            return True
        text = self._view.text
        low = max(0, offset - 40)
        for found in _WORD.finditer(text, low, min(len(text), offset + 60)):
            if found.start() <= offset <= found.end():
                word = found.group()
                # Chinese has no spaces between words: select two characters
                if not word.isascii() and len(word) > 8:
                    self.select(offset, min(offset + 2, found.end()))
                else:
                    self.select(found.start(), found.end())
                break
        self._last_double = event.position()
        self._triple.start()
        return True

    def _move(self, event: QMouseEvent) -> bool:
        self._pointer = event.position()
        if self._dragging:
            self._extend()
            outside = not 0 <= self._pointer.y() < self._view.viewport().height()
            if outside and not self._scroll.isActive():
                self._scroll.start()
            elif not outside:
                self._scroll.stop()
            return True
        x, y = self._pointer.x(), self._pointer.y()
        name = self._view.name_at(x, y)
        self._view.point_at_name(name)
        if name:
            shape = Qt.CursorShape.PointingHandCursor
        else:
            over = self._view.is_text_at(x, y)
            shape = Qt.CursorShape.IBeamCursor if over else Qt.CursorShape.ArrowCursor
        self._view.viewport().setCursor(shape)
        return False

    def _extend(self) -> None:
        offset = self._offset(self._pointer)
        if offset is not None and self._anchor is not None:
            self._set(self._anchor, offset)

    def _auto_scroll(self) -> None:
        y, height = self._pointer.y(), self._view.viewport().height()
        self._view.scroll_by(y / 3 if y < 0 else (y - height) / 3 + 1)
        self._extend()

    def _release(self, event: QMouseEvent) -> bool:
        if event.button() != _LEFT or not self._dragging:
            return False
        self._dragging = False
        self._scroll.stop()
        point = event.position()
        if self.range is None and (point - self._pressed_at).manhattanLength() < 4:
            self._click(point)
        self.released.emit()
        return True

    def _click(self, point: QPointF) -> None:
        view, where = self._view, self._view.viewport().mapToGlobal(point.toPoint())
        name = view.name_at(point.x(), point.y())
        note = None if name else view.note_at(point.x(), point.y())
        if name:
            view.name_clicked.emit(name, where)
        elif note is not None:
            view.note_clicked.emit(note, where)

    def open_menu(self) -> None:
        """Open the menu for the selection, or for the name or highlight at the caret."""
        view, caret = self._view, self._view.caret
        point = caret.point() or view.viewport().mapToGlobal(view.viewport().rect().center())
        view.menu_requested.emit(caret.name(), caret.at, caret.note_id(), point)

    def _show_menu(self, event: QContextMenuEvent) -> None:
        view = self._view
        x, y = event.pos().x(), event.pos().y()
        offset, chosen = view.offset_at(x, y), self.range
        if chosen and (offset is None or not chosen[0] <= offset <= chosen[1]):
            self.clear()  # the click is outside the selection
        name, note_id = view.name_at(x, y), view.note_at(x, y)
        view.menu_requested.emit(name, offset, note_id, event.globalPos())

    def _show_tooltip(self, event: QHelpEvent) -> None:
        x, y = event.pos().x(), event.pos().y()
        name, note_id = self._view.name_at(x, y), self._view.note_at(x, y)
        note = next((n.note for n in self._view.notes if n.id == note_id), "")
        if name:
            QToolTip.showText(event.globalPos(), f"{name[3]} · {name[4]}", self._view)
        elif note:
            QToolTip.showText(event.globalPos(), note[:400], self._view)
        else:
            QToolTip.hideText()


_WORD_REACH = 400  # characters in which the next word is searched
_NEAR_TOP, _EDGE = 40, 24
_Keys = QKeySequence.StandardKey


# keys that do something with the selection, and the action of `PassageActions`
SELECTION_KEYS = {
    Qt.Key.Key_1: "highlight yellow",  # not shown
    Qt.Key.Key_2: "highlight green",  # not shown
    Qt.Key.Key_3: "highlight blue",  # not shown
    Qt.Key.Key_4: "highlight pink",  # not shown
    Qt.Key.Key_M: "highlight_note",
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

    def note_id(self) -> int | None:
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
            return lambda: self._view.action_requested.emit(action, self._view.menu_target())
        if key == Qt.Key.Key_Escape and (self.shown or self._view.selection.range):
            return self._dismiss
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and (self.name() or self.note_id()):
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
        name, note_id, where = self.name(), self.note_id(), self.point()
        if where is None:
            return
        if name is not None:
            self._view.name_clicked.emit(name, where)
        elif note_id is not None:
            self._view.note_clicked.emit(note_id, where)

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
            found = _WORD.search(text, at, min(len(text), at + _WORD_REACH))
            return found.end() if found else at + 1
        starts = [w.start() for w in _WORD.finditer(text, max(0, at - _WORD_REACH), at)]
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
