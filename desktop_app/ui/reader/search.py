"""Search in the open document: the search bar, the hits and steps between them.

Owns the hits and which one is current. Does not know how the view draws them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import IconButton
from ..widgets.fields import SearchField
from ..widgets.labels import Label
from ..widgets.layout import STRETCH, TallRule, build_row
from ..widgets.words import format_number
from .hit_list import HitList
from .loading import PlaceWords
from .ranges import Range
from .view import DocumentView

WIDEST_FIELD = 300  # pixels; words that are searched for are short
HEIGHT = 44
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
WITH_WORDS = 860  # pixels: in a wider bar, the options have words
MIN_FIELD = 90  # pixels; in a narrower bar, the options are hidden


class FindBar(QFrame):
    """The search bar above the document: field, "3 of 12", arrows, options.

    It pushes the document down, so that it covers no text.

    `searched` carries the query ("" for none), `moved` +1 or -1. `list_wanted` carries whether the
    list of all matches should be shown.
    """

    searched = Signal(str)
    moved = Signal(int)
    closed = Signal()
    list_wanted = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("readerFind")
        self.setFixedHeight(HEIGHT)
        self.field = SearchField(theme, tr("Search in this document"), self, short=tr("Find"))
        self.count = Label("", "small", self)
        self.count.setMinimumWidth(64)
        self.count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.previous = IconButton(
            theme, "caret-up", tr("Previous match"), self, shortcut="Shift+F3"
        )
        self.next = IconButton(theme, "caret-down", tr("Next match"), self, shortcut="F3")
        self.close_button = IconButton(theme, "close", tr("Close search"), self, shortcut="Esc")
        self.match_case = IconButton(theme, "ph.text-aa", tr("Match case"), self)
        self.whole_words = IconButton(theme, "ph.brackets-square", tr("Whole words"), self)
        self.list_button = IconButton(theme, "list", tr("List all matches"), self)
        self._words_of = {
            self.match_case: tr("Match case"),
            self.whole_words: tr("Whole words"),
            self.list_button: tr("All matches"),
        }
        for toggle in self._words_of:
            toggle.setCheckable(True)
        self.field.setMinimumWidth(MIN_FIELD)
        self.field.setMaximumWidth(theme.length(WIDEST_FIELD))
        build_row(
            (self.field, 20),  # up to its greatest width, before the gap gets any
            self.count,
            self.previous,
            self.next,
            TallRule(self),
            self.match_case,
            self.whole_words,
            self.list_button,
            STRETCH,
            self.close_button,
            parent=self,
            spacing=2,
            margins=(16, 0, 12, 0),
        )
        self.field.searched.connect(self.searched)
        self.field.returnPressed.connect(self._return)
        self.field.installEventFilter(self)
        self.previous.clicked.connect(lambda: self.moved.emit(-1))
        self.next.clicked.connect(lambda: self.moved.emit(1))
        self.close_button.clicked.connect(self.closed)
        self.list_button.clicked.connect(self.list_wanted)
        for option in (self.match_case, self.whole_words):
            option.toggled.connect(lambda _: self.searched.emit(self.field.text().strip()))
        self._shown_for = ""
        self.set_count(0, -1, "")
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        has_room = self.width() >= self._theme.length(WITH_WORDS)
        for button, words in self._words_of.items():
            button.set_words(words if has_room else "")
        others = sum(icon.width() + 4 for icon in self.findChildren(IconButton, options=DIRECT))
        around = others + self.count.minimumWidth() + 40  # margins and the line between buttons
        for option in (self.match_case, self.whole_words):
            option.setVisible(self.width() - around >= self._theme.length(MIN_FIELD))

    def options(self) -> dict[str, bool]:
        """Return the options of `find_literally`."""
        return {
            "match_case": self.match_case.isChecked(),
            "whole_words": self.whole_words.isChecked(),
        }

    def start(self) -> None:
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def set_count(self, count: int, current: int, words: str, *, more: bool = False) -> None:
        """Show "3 of 12", "No matches", or nothing while the query is empty."""
        self._shown_for = words
        if not words:
            self.count.setText("")
        elif not count:
            self.count.setText(tr("No matches"))
        else:
            total = format_number(count) + ("+" if more else "")
            self.count.setText(tr("{n} of {all}", n=format_number(current + 1), all=total))
        for button in (self.previous, self.next):
            button.setEnabled(count > 0)

    def _return(self) -> None:
        # the first Return searches; each later one goes to the next hit
        if self.field.text().strip() == self._shown_for:
            self.moved.emit(1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the bar at the first Escape, with which a search field would only be cleared."""
        if event.type() == QEvent.Type.KeyPress:
            pressed = cast(QKeyEvent, event)
            shift = pressed.modifiers() & Qt.KeyboardModifier.ShiftModifier
            if pressed.key() == Qt.Key.Key_Escape:
                self.closed.emit()
                return True
            if pressed.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and shift:
                self.moved.emit(-1)
                return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)


MAX_HITS = 10_000  # of a name in a long book; the views look only at those in sight
MAX_SELECTION_CHARS = 60  # of a selection that becomes the query


class DocumentSearch(QObject):
    """Runs one search at a time; an outdated result is dropped.

    `started` and `stopped` are emitted when the search bar was opened and closed.

    Args:
        place: returns the place of an offset in the shown document.
        part: returns the range around an offset that belongs together: its section, its page.
    """

    started = Signal()
    stopped = Signal()

    def __init__(
        self,
        context: SessionContext,
        bar: FindBar,
        hit_list: HitList,
        place: Callable[[int], PlaceWords],
        part: Callable[[int], Range],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._list, self._place = hit_list, place
        hit_list.model.part = part
        hit_list.chosen.connect(self._go_to)
        self._context = context
        self._bar = bar
        self._document_id: int | None = None
        self._view: DocumentView | None = None
        self._words = ""
        self._hits: list[tuple[int, int]] = []
        self._current = -1
        bar.searched.connect(self.search)
        bar.moved.connect(self._step)
        bar.closed.connect(self.stop)

    def set_document(self, document_id: int | None, view: DocumentView | None) -> None:
        self._document_id, self._view = document_id, view
        self._hits, self._current = [], -1
        if self._words and document_id is not None and not self._bar.isHidden():
            self.search(self._words)
        else:
            self._words = ""
            self._list.show_hits("", (), self._place)
            self._bar.set_count(0, -1, "")

    def start(self) -> None:
        """Open the search bar with the selection as the query."""
        if self._document_id is None:
            return
        span = self._view.selection.range if self._view is not None else None
        if self._view is not None and span is not None and span[1] - span[0] <= MAX_SELECTION_CHARS:
            chosen = self._view.selection.text
            if "\n" not in chosen:
                self._bar.field.setText(chosen)
        self._bar.start()
        self.started.emit()

    @property
    def words(self) -> str:
        """What is searched for, "" if the search bar is closed."""
        return "" if self._bar.isHidden() else self._words

    def resume(self, words: str) -> None:
        """Search for these words as soon as a document is shown, and leave the focus alone."""
        if words:
            self._words = words
            with QSignalBlocker(self._bar.field):
                self._bar.field.setText(words)
            self._bar.show()
            self.started.emit()

    def stop(self) -> None:
        """Close the search bar and remove the hits; the current hit becomes the selection."""
        if self._view is not None and 0 <= self._current < len(self._hits):
            self._view.selection.select(*self._hits[self._current])
        self._bar.hide()
        self._words = ""
        self._show_hits("", [])
        self._bar.field.clear()
        self.stopped.emit()
        if self._view is not None:
            self._view.setFocus()

    def next(self) -> None:
        self._step(1)

    def previous(self) -> None:
        self._step(-1)

    def search(self, words: str) -> None:
        document_id, self._words = self._document_id, words
        options = self._bar.options()
        if not words or document_id is None:
            self._show_hits("", [])
            return

        def take(hits: list[tuple[int, int]]) -> None:
            is_latest = (words, options) == (self._words, self._bar.options())
            if is_latest and document_id == self._document_id:
                self._show_hits(words, [(int(start), int(end)) for start, end in hits])

        library_reader = self._context.library_reader
        Query(
            self._context.reader_lane,
            library_reader.find_in_document,
            document_id,
            words,
            MAX_HITS,
            **options,
            owner=self,
        ).on_success(take).run()

    def _show_hits(self, words: str, hits: list[tuple[int, int]]) -> None:
        self._hits = sorted(hits)
        self._current = -1
        if self._view is None:
            return
        if hits:
            here = self._view.visible_range()[0]
            top = max(here, self._view.top_offset())
            self._current = next((i for i, hit in enumerate(self._hits) if hit[0] >= top), 0)
        self._view.set_hits(self._hits, self._current)
        more = len(self._hits) >= MAX_HITS
        self._list.show_hits(self._view.text, self._hits, self._place, more=more)
        self._show_count(words)

    def _step(self, step: int) -> None:
        if not self._hits or self._view is None:
            if not self._bar.isVisible():
                self.start()
            return
        self._go_to((self._current + step) % len(self._hits))

    def _go_to(self, number: int) -> None:
        if self._view is not None and 0 <= number < len(self._hits):
            self._current = number
            self._view.set_current_hit(number)
            self._show_count(self._words)

    def _show_count(self, words: str) -> None:
        more = len(self._hits) >= MAX_HITS
        self._bar.set_count(len(self._hits), self._current, words, more=more)
        self._list.set_current(self._current)
