"""The base class of the reader's two views, with their selection.

Owns the scroll area with its keys, the ranges to show (passage, hits, names, annotations), what is
selected, and the methods that each view implements. `caret` has the keyboard caret.
Knows neither text layout nor PDF: the view maps points to offsets, which a page of a PDF may know
only later.
"""

from __future__ import annotations

import bisect
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

from desktop_app.engine.highlight_colors import get_color
from desktop_app.engine.services.annotations import Annotation

from ..theme.theme import Theme
from ..translation import later
from ..widgets import KeyDescriptions
from ..widgets.highlight_colors import describe_color_keys
from .look import PAGE_COLORS, Look, Pulse
from .margin_bar import MarginBar
from .ranges import WORD, MenuTarget, Name, Range

ZOOMS = (0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
SETTLE_MS = 80
SECTION_LINE = 0.25  # of the window's height: the last heading above it names what is read
MAX_MENU_CHARS = 20_000


# shown in the list of shortcuts; `Caret` handles them
KEYS = (
    ("Shift+Right", later("Extend selection by a character")),
    ("Ctrl+Shift+Right", later("Extend selection by a word")),
    ("Shift+Down", later("Extend selection by a line")),
    ("Shift+F10", later("Context menu of the selection")),
    ("1", later("Highlight the selection: {colors}")),
    ("U", later("Underline the selection")),
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


class KeyboardCaret(Protocol):
    """What the reader uses of the caret of a view (`caret.Caret`)."""

    shown: bool

    @property
    def at(self) -> int | None: ...

    def box_of(self, offset: int) -> QRectF | None: ...

    def point(self) -> QPoint | None: ...

    def name(self) -> Name | None: ...

    def mark_id(self) -> int | None: ...

    def find_command(self, event: QKeyEvent) -> Callable[[], object] | None: ...

    def toggle(self) -> None: ...

    def paint(self, painter: QPainter, color: QColor) -> None: ...


class DocumentView(QAbstractScrollArea):
    """A scrolling view of a document. Offsets refer to its text; ranges are half-open."""

    moved = Signal()
    settled = Signal()
    name_clicked = Signal(object, QPoint)
    name_opened = Signal(int)
    name_in_graph = Signal(int)
    mark_clicked = Signal(int, QPoint)
    action_wanted = Signal(str, object)
    # name, offset and annotation id under the pointer (None if there is none), screen point
    menu_wanted = Signal(object, object, object, QPoint)
    enrich_wanted = Signal(int)
    zoom_changed = Signal(float)
    shown_zoom_changed = Signal(float)  # see `shown_zoom`

    names_wanted = Signal()

    selection: Selection
    caret: KeyboardCaret

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.look = Look(theme)
        self.hidden_kinds: frozenset[str] = frozenset()  # types whose names have no underline
        self.zoom = 1.0
        KeyDescriptions(self, describe_color_keys(KEYS))
        self.enrich_words = ""
        self.edited_mark: int | None = None  # an area whose sides are being changed
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

    def position(self) -> object:
        """Return what is stored of the view of a document: its place, and more for pages."""
        return self.place()

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

    def selected_boxes(self) -> list[QRectF]:
        """Return the boxes of the selected lines in sight, in the window, in reading order."""
        raise NotImplementedError

    def page_sides(self) -> tuple[float, float]:
        """Return the left and right edge of the pages in sight, or of the column of text."""
        raise NotImplementedError

    def covered_area(self, rect: QRectF) -> float:
        """Return how much of a rectangle of the window is text, in square pixels."""
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
        self.marks: list[Annotation] = []
        self.chosen_mark: int | None = None  # in the list of annotations
        self._draft = (0, False)  # an annotation, and whether its note has words
        self.pointed_entity: int | None = None  # under the pointer
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
        self.margin.set_layer("hits", [start for start, _ in self.hits], "hit_ink")
        self.set_current_hit(current)

    def set_current_hit(self, current: int) -> None:
        self.current_hit = current
        is_one = 0 <= current < len(self.hits)
        self.margin.set_layer("hit", [self.hits[current][0]] if is_one else [], "hit_ink")
        if is_one:
            self.show_range(*self.hits[current])
        self.viewport().update()

    def set_names(self, names: Sequence[Name]) -> None:
        self.names = sorted(names)
        self.viewport().update()

    def point_at_name(self, name: Name | None) -> None:
        """Set which name is under the pointer, None if there is none."""
        entity_id = name[2] if name is not None else None
        if entity_id != self.pointed_entity:
            self.pointed_entity = entity_id
            self.viewport().update()

    def set_hidden_kinds(self, kinds: frozenset[str]) -> None:
        """Choose the entity types whose names have no underline."""
        self.hidden_kinds = kinds
        self.viewport().update()

    def set_followed(self, places: Sequence[Range], kind: str = "other") -> None:
        """Mark every place of one entity, in the text and in the scroll bar."""
        self.followed, self.followed_kind = sorted(places), kind
        self.margin.set_layer("followed", [start for start, _ in self.followed], kind)
        self.viewport().update()

    def set_marks(self, marks: Sequence[Annotation]) -> None:
        """Show highlights and bookmarks."""
        self.marks = list(marks)
        kept = [mark for mark in marks if not mark.lost]
        colors = [get_color(mark.color).key for mark in kept]
        self.margin.set_layer("marks", [mark.start for mark in kept], colors)
        self.viewport().update()

    def set_draft(self, mark_id: int, *, has_words: bool) -> None:
        """Set whether the note that is being written has words; it is stored later."""
        draft = (mark_id, has_words)
        if draft != self._draft:
            self._draft = draft
            self.viewport().update()

    def has_note(self, mark: Annotation) -> bool:
        """Return whether an annotation has a note, stored or being written."""
        mark_id, has_words = self._draft
        return has_words if mark.id == mark_id else bool(mark.note)

    def set_chosen_mark(self, mark_id: int | None) -> None:
        """Give the highlight that is chosen in the list of annotations an edge; None for none."""
        if mark_id != self.chosen_mark:
            self.chosen_mark = mark_id
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
        """Return the highlights of text that touch a range."""
        return [
            mark
            for mark in self.marks
            if mark.kind == "highlight" and mark.area is None and not mark.lost
            and mark.start < end and mark.end > start
        ]  # fmt: skip

    def areas_on(self, index: int) -> list[Annotation]:
        """Return the marked areas of a page."""
        return [
            mark for mark in self.marks if mark.area and mark.area.page == index and not mark.lost
        ]

    def bookmarks_in(self, start: int, end: int) -> list[Annotation]:
        return [
            mark for mark in self.marks if mark.kind == "bookmark" and start <= mark.start < end
        ]

    def mark_at(self, x: float, y: float) -> int | None:
        """Return the id of the highlight under a point of the window."""
        offset = self.offset_at(x, y) if self.marks and self.is_text_at(x, y) else None
        found = self.highlights_in(offset, offset + 1) if offset is not None else []
        return found[-1].id if found else None

    def menu_target(
        self, name: Name | None = None, offset: int | None = None, mark_id: int | None = None
    ) -> MenuTarget:
        """Return the target of a menu: the selection, else a highlight, else the marked passage."""
        mark = next((mark for mark in self.marks if mark.id == mark_id), None)
        if mark is not None and mark.area is not None and self.selection.range is None:
            return MenuTarget(mark.start, mark.end, mark.quote, name, mark_id)
        span = self.selection.range or ((mark.start, mark.end) if mark else self.passage)
        if span is None:
            at = self.top_offset() if offset is None else offset
            return MenuTarget(at, at, "", name, mark_id)
        # paragraphs of a whole book are joined only when it is copied
        long = span[1] - span[0] > MAX_MENU_CHARS
        words = self.text[slice(*span)] if long else self.copied(*span)
        return MenuTarget(*span, words.strip(), name, mark_id)

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
        for found in WORD.finditer(text, low, min(len(text), offset + 60)):
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
        mark_id = None if name else view.mark_at(point.x(), point.y())
        if name:
            view.name_clicked.emit(name, where)
        elif mark_id is not None:
            view.mark_clicked.emit(mark_id, where)

    def open_menu(self) -> None:
        """Open the menu for the selection, or for the name or highlight at the caret."""
        view, caret = self._view, self._view.caret
        point = caret.point() or view.viewport().mapToGlobal(view.viewport().rect().center())
        view.menu_wanted.emit(caret.name(), caret.at, caret.mark_id(), point)

    def _show_menu(self, event: QContextMenuEvent) -> None:
        view = self._view
        x, y = event.pos().x(), event.pos().y()
        offset, chosen = view.offset_at(x, y), self.range
        if chosen and (offset is None or not chosen[0] <= offset <= chosen[1]):
            self.clear()  # the click is outside the selection
        name, mark_id = view.name_at(x, y), view.mark_at(x, y)
        view.menu_wanted.emit(name, offset, mark_id, event.globalPos())

    def _show_tooltip(self, event: QHelpEvent) -> None:
        x, y = event.pos().x(), event.pos().y()
        name, mark_id = self._view.name_at(x, y), self._view.mark_at(x, y)
        note = next((mark.note for mark in self._view.marks if mark.id == mark_id), "")
        if name:
            QToolTip.showText(event.globalPos(), f"{name[3]} · {name[4]}", self._view)
        elif note:
            QToolTip.showText(event.globalPos(), note[:400], self._view)
        else:
            QToolTip.hideText()
