"""Names in the text: one highlighted name with its strip, and the underlined names in sight.

Owns the highlighted entity, which stays highlighted in the next document, and the range whose names
are fetched. Does not know how a view draws them.
"""

from __future__ import annotations

import bisect
from collections import Counter

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import IconButton
from ..widgets.labels import ElidedLabel, Label
from ..widgets.layout import build_row
from ..widgets.words import format_number
from .cards import TypeDisc
from .name_legend import NameLegend
from .ranges import Name, Range, count_underlined
from .view import DocumentView


class NameHighlightStrip(QFrame):
    """Shows the highlighted name and the current place; `moved` carries +1 or -1."""

    moved = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(40)
        self.disc = TypeDisc(theme, "other")
        self.name = ElidedLabel("", "strong", self)
        self.count = Label("", "small", self)
        self.count.setMinimumWidth(72)
        self.count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.previous = IconButton(
            theme, "caret-up", tr("Previous mention"), self, shortcut="Alt+Up"
        )
        self.next = IconButton(theme, "caret-down", tr("Next mention"), self, shortcut="Alt+Down")
        self.close_button = IconButton(theme, "close", tr("Stop highlighting"), self)
        build_row(
            self.disc,
            (self.name, 1),
            self.count,
            self.previous,
            self.next,
            self.close_button,
            parent=self,
            margins=(16, 0, 12, 0),
        )
        self.previous.clicked.connect(lambda: self.moved.emit(-1))
        self.next.clicked.connect(lambda: self.moved.emit(1))
        self.close_button.clicked.connect(self.closed)

    def show_count(self, current: int, count: int) -> None:
        words = format_number(count) if count else tr("No mentions")
        if count and current >= 0:
            words = tr("{n} of {all}", n=format_number(current + 1), all=words)
        self.count.setText(words)
        for button in (self.previous, self.next):
            button.setEnabled(count > 0)


class NameHighlight(QObject):
    """Marks every place of the highlighted entity in the view."""

    def __init__(
        self, context: SessionContext, strip: NameHighlightStrip, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._strip = context, strip
        self._document_id: int | None = None
        self._view: DocumentView | None = None
        self._entity: tuple[int, str, str] | None = None
        self._places: list[Range] = []
        strip.moved.connect(self.step)
        strip.closed.connect(self.stop)

    @property
    def entity_id(self) -> int | None:
        return self._entity[0] if self._entity else None

    def set_document(self, document_id: int | None, view: DocumentView | None) -> None:
        self._document_id, self._view = document_id, view
        self._strip.setVisible(self._entity is not None and view is not None)
        self.reload()

    def follow(self, entity_id: int, name: str, kind: str) -> None:
        """Highlight an entity in this document and in those opened later."""
        self._entity = (entity_id, name, kind)
        self._strip.disc.set_kind(kind)
        self._strip.name.setText(name)
        self._strip.setVisible(self._view is not None)
        self.reload()

    def stop(self) -> None:
        self._entity = None
        self._strip.hide()
        self._show_places([])

    def reload(self) -> None:
        """Fetch the entity's places in the shown document."""
        entity, document_id = self._entity, self._document_id
        if entity is None or document_id is None:
            return

        def take(places: list[Range]) -> None:
            if entity == self._entity and document_id == self._document_id:
                self._show_places([(int(start), int(end)) for start, end in places])

        fetch = self._context.annotations.fetch_places
        query = Query(self._context.reader_lane, fetch, entity[0], document_id, owner=self)
        query.on_success(take).run()

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) place, counted from the current position."""
        view = self._view
        if view is None or not self._places:
            return
        starts = [start for start, _ in self._places]
        now = self._current(starts)
        here = view.visible_range()[0]
        at = now + by if now >= 0 else bisect.bisect_left(starts, here) - (1 if by < 0 else 0)
        at %= len(starts)
        view.show_passage(*self._places[at])
        self._strip.show_count(at, len(starts))

    def _current(self, starts: list[int]) -> int:
        passage = self._view.passage if self._view else None
        if passage is None or passage not in self._places:
            return -1
        return bisect.bisect_left(starts, passage[0])

    def _show_places(self, places: list[Range]) -> None:
        self._places = places
        if self._view is not None and self._entity is not None:
            self._view.set_followed(places, self._entity[2])
        elif self._view is not None:
            self._view.set_followed([])
        self._strip.show_count(self._current([s for s, _ in places]), len(places))


AROUND = 3000  # characters before and after the visible range


class VisibleNames(QObject):
    """Fetches the names of the visible range for underlining, while switched on.

    The legend counts the names of the whole document, so that it stays as it is while one reads.
    """

    def __init__(
        self, context: SessionContext, legend: NameLegend, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._legend = context, legend
        self._document_id: int | None = None
        self._view: DocumentView | None = None
        self._on = False
        self._fetched: Range = (0, 0)

    def set_document(self, document_id: int | None, view: DocumentView | None) -> None:
        self._document_id, self._view = document_id, view
        self._legend.show_counts({})
        self.reload()

    def set_on(self, on: bool) -> None:
        self._on = on
        if not on:
            self._legend.show_counts({})
            if self._view is not None:
                self._view.set_names([])
        self.reload()

    def reload(self) -> None:
        """Fetch the names again, for example after a merge or in another document."""
        self._fetched = (0, 0)
        self.update()
        self._count()

    def update(self) -> None:
        """Fetch the names of the visible range, unless they are fetched already."""
        view, document_id = self._view, self._document_id
        if not self._on or view is None or document_id is None:
            return
        start, end = view.visible_range()
        if end <= start or (self._fetched[0] <= start and end <= self._fetched[1]):
            return
        span = (max(0, start - AROUND), end + AROUND)

        def take(names: list[Name]) -> None:
            if self._on and document_id == self._document_id and view is self._view:
                self._fetched = span
                view.set_names(names)

        names_in = self._context.annotations.names_in
        query = Query(self._context.reader_lane, names_in, document_id, *span, owner=self)
        query.on_success(take).run()

    def _count(self) -> None:
        """Let the legend show the types of the underlined names of the document."""
        view, document_id = self._view, self._document_id
        if not self._on or view is None or document_id is None:
            return
        names_in, text, title = self._context.annotations.names_in, view.text, view.title_range

        def count() -> Counter[str]:
            return count_underlined(text, names_in(document_id, 0, len(text)), title)

        def take(counts: Counter[str]) -> None:
            if self._on and document_id == self._document_id and view is self._view:
                self._legend.show_counts(counts)

        Query(self._context.reader_lane, count, owner=self).on_success(take).run()
