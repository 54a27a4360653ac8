"""What the two views of the reader have in common: what a screen may ask of them and hear.

Owns the scroll area with its keys, the ranges to be shown (passage, hits, names) and the calls
that every view answers. Knows neither text layout nor PDF.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QWidget

from desktop_app.ui.theme.theme import Theme

from .look import Look, Pulse

Name = tuple[int, int, int, str, str]
ZOOMS = (0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
SETTLE_MS = 80


class DocumentView(QAbstractScrollArea):
    """A document that scrolls. Offsets are of the document's text, half-open."""

    moved = Signal()
    settled = Signal()
    name_clicked = Signal(int)
    name_in_graph = Signal(int)
    ask_about = Signal(str)
    enrich_wanted = Signal(int)
    zoom_changed = Signal(float)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.look = Look(theme)
        self.zoom = 1.0
        self.passage: tuple[int, int] | None = None
        self.hits: list[tuple[int, int]] = []
        self.current_hit = -1
        self.names: list[Name] = []
        self.enrich_words = ""
        self.pulse = Pulse(theme, self)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self.settled)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.pulse.changed.connect(self.viewport().update)
        theme.changed.connect(self.restyle)

    # --- what each view answers in its own way ----------------------------------------------

    def show_range(self, start: int, end: int) -> None:
        """Bring a range to about a third of the height."""
        raise NotImplementedError

    def top_offset(self) -> int:
        """Return the offset of the text at the top of the window."""
        raise NotImplementedError

    def place(self) -> object:
        """Return where one is, for `go_to_place` after any change of width or zoom."""
        raise NotImplementedError

    def go_to_place(self, place: object) -> None:
        raise NotImplementedError

    def visible_range(self) -> tuple[int, int]:
        raise NotImplementedError

    def restyle(self) -> None:
        """Take the theme's colours and fonts again."""
        self.viewport().update()

    def apply_zoom(self) -> None:
        raise NotImplementedError

    # --- what is the same -------------------------------------------------------------------

    def show_passage(self, start: int, end: int) -> None:
        """Mark a passage, bring it into sight and let the mark pulse once."""
        self.passage = (start, end) if end > start else None
        self.show_range(start, end)
        if self.passage:
            self.pulse.start()

    def set_hits(self, hits: Sequence[tuple[int, int]], current: int = -1) -> None:
        self.hits = sorted(hits)
        self.set_current_hit(current)

    def set_current_hit(self, current: int) -> None:
        self.current_hit = current
        if 0 <= current < len(self.hits):
            self.show_range(*self.hits[current])
        self.viewport().update()

    def set_names(self, names: Sequence[Name]) -> None:
        self.names = sorted(names)
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

    def zoom_by(self, steps: int) -> None:
        nearest = min(range(len(ZOOMS)), key=lambda i: abs(ZOOMS[i] - self.zoom))
        self.set_zoom(ZOOMS[min(max(nearest + steps, 0), len(ZOOMS) - 1)])

    def set_zoom(self, zoom: float) -> None:
        if abs(zoom - self.zoom) > 1e-3:
            self.zoom = zoom
            self.apply_zoom()
            self.zoom_changed.emit(zoom)

    def note_move(self) -> None:
        """Tell that something else is in sight now, and once more when that has settled."""
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
        if plain == Qt.KeyboardModifier.NoModifier and event.key() in steps:
            bar.setValue(bar.value() + steps[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Home and plain != Qt.KeyboardModifier.AltModifier:
            bar.setValue(bar.minimum())
        elif event.key() == Qt.Key.Key_End and plain != Qt.KeyboardModifier.AltModifier:
            bar.setValue(bar.maximum())
        else:
            super().keyPressEvent(event)


def add_name_actions(menu: QMenu, view: DocumentView, name: Name | None) -> None:
    """Put what can be done with a name under the pointer on top of a menu."""
    if name is None:
        return
    entity_id, title = name[2], name[3]
    menu.addAction(f"Open {title}").triggered.connect(lambda: view.name_clicked.emit(entity_id))
    menu.addAction(f"Show {title} in the graph").triggered.connect(
        lambda: view.name_in_graph.emit(entity_id)
    )
    menu.addSeparator()


def add_enrich_action(menu: QMenu, view: DocumentView, offset: int | None) -> None:
    """Offer to have the chapter of an offset enriched first; None is what is in sight."""
    menu.addSeparator()
    at = view.top_offset() if offset is None else offset
    menu.addAction(view.enrich_words).triggered.connect(lambda: view.enrich_wanted.emit(at))
