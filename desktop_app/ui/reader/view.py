"""The base class of the reader's two views, and the scroll bar with its marks.

Owns the scroll area with its keys, the ranges to show (passage, hits, names, highlights) and the
methods that each view implements. Knows neither text layout nor PDF.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QWidget

from desktop_app.engine.services.annotations import Annotation

from ..language import later
from ..theme.theme import Theme
from .look import Look, Pulse, note_color
from .ranges import MenuTarget, Name, Range, TextCaret, TextSelection

# layers of the scroll bar, painted in this order, the last on top
ORDER = ("followed", "notes", "hits", "passage")
NEAR_PX = 4


class MarginBar(QScrollBar):
    """A scroll bar with marks; `offset_chosen` carries the offset of a clicked mark.

    Args:
        shares: maps offsets, shape (N,), to their share of the document's height, 0 to 1.
    """

    offset_chosen = Signal(int)

    def __init__(
        self,
        theme: Theme,
        shares: Callable[[np.ndarray], np.ndarray],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._theme, self._shares = theme, shares
        self._layers: dict[str, tuple[np.ndarray, str]] = {}
        theme.changed.connect(self.update)

    def clear(self) -> None:
        self._layers.clear()
        self.update()

    def set_layer(self, name: str, offsets: Sequence[int], color: str) -> None:
        """Show marks at offsets; the colour is a token, an entity type or "note"."""
        if offsets:
            self._layers[name] = (np.array(offsets, dtype=np.int64), color)
        else:
            self._layers.pop(name, None)
        self.update()

    def offsets_of(self, name: str) -> list[int]:
        """Return the offsets of a layer's marks."""
        return self._layers[name][0].tolist() if name in self._layers else []

    def rows_of(self, name: str) -> np.ndarray:
        """Return the pixel rows of a layer's marks, shape (N,)."""
        offsets = self._layers[name][0]
        return np.rint(self._shares(offsets) * (self.height() - 3)).astype(np.int64) + 1

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._layers:
            return
        painter = QPainter(self)
        for name in ORDER:
            if name in self._layers:
                color = self._color(self._layers[name][1])
                color.setAlpha(230)
                for y in np.unique(self.rows_of(name)):
                    painter.fillRect(self.width() - 6, int(y) - 1, 5, 2, color)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            offset = self._mark_at(event.position().y())
            if offset is not None:
                self.offset_chosen.emit(offset)
                return
        super().mousePressEvent(event)

    def _mark_at(self, y: float) -> int | None:
        """Return the offset of the nearest mark, None on the handle, which is dragged."""
        length = max(1, self.maximum() - self.minimum() + self.pageStep())
        top = self.value() / length * self.height()
        if top <= y <= top + max(32.0, self.pageStep() / length * self.height()):
            return None
        best, found = NEAR_PX + 0.5, None
        for name in reversed(ORDER):
            if name in self._layers:
                far = np.abs(self.rows_of(name) - y)
                at = int(far.argmin())
                if far[at] < best:
                    best, found = float(far[at]), int(self._layers[name][0][at])
        return found

    def _color(self, name: str) -> QColor:
        if name == "note":
            return note_color(self._theme, "yellow", strong=True)
        if name in self._theme.tokens.types:
            return QColor(self._theme.type_color(name))
        return QColor(self._theme.color(name))


ZOOMS = (0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
SETTLE_MS = 80
MAX_MENU_CHARS = 20_000


class DocumentView(QAbstractScrollArea):
    """A scrolling view of a document. Offsets refer to its text; ranges are half-open."""

    moved = Signal()
    settled = Signal()
    name_clicked = Signal(object, QPoint)
    name_opened = Signal(int)
    name_in_graph = Signal(int)
    note_clicked = Signal(int, QPoint)
    action_requested = Signal(str, object)
    enrich_wanted = Signal(int)
    zoom_changed = Signal(float)

    names_wanted = Signal()
    # shown in the list of shortcuts; `Caret` handles them
    spoken_keys = (
        ("Shift+Right", later("Extend selection by a character")),
        ("Ctrl+Shift+Right", later("Extend selection by a word")),
        ("Shift+Down", later("Extend selection by a line")),
        ("Shift+F10", later("Context menu of the selection")),
        ("N", later("Next name")),
        ("Shift+N", later("Previous name")),
        ("Return", later("Open the name or highlight at the caret")),
    )

    selection: TextSelection
    caret: TextCaret

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.look = Look(theme)
        self.zoom = 1.0
        self.enrich_words = ""
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

    def name_at(self, x: float, y: float) -> Name | None:
        raise NotImplementedError

    def paragraph_at(self, offset: int) -> Range:
        raise NotImplementedError

    def copied(self, start: int, end: int) -> str:
        """Return a range as it is copied: whole paragraphs without line wraps."""
        raise NotImplementedError

    def scroll_by(self, dy: float) -> None:
        raise NotImplementedError

    def apply_zoom(self) -> None:
        raise NotImplementedError

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
        if 0 <= current < len(self.hits):
            self.show_range(*self.hits[current])
        self.viewport().update()

    def set_names(self, names: Sequence[Name]) -> None:
        self.names = sorted(names)
        self.viewport().update()

    def set_followed(self, places: Sequence[Range], kind: str = "other") -> None:
        """Mark every place of one entity, in the text and in the scroll bar."""
        self.followed, self.followed_kind = sorted(places), kind
        self.margin.set_layer("followed", [start for start, _ in self.followed], kind)
        self.viewport().update()

    def set_notes(self, notes: Sequence[Annotation]) -> None:
        """Show highlights and bookmarks."""
        self.notes = list(notes)
        self.margin.set_layer("notes", [note.start for note in notes if not note.lost], "note")
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
        nearest = min(range(len(ZOOMS)), key=lambda i: abs(ZOOMS[i] - self.zoom))
        self.set_zoom(ZOOMS[min(max(nearest + steps, 0), len(ZOOMS) - 1)])

    def set_zoom(self, zoom: float) -> None:
        if abs(zoom - self.zoom) > 1e-3:
            self.zoom = zoom
            self.apply_zoom()
            self.zoom_changed.emit(zoom)

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
