"""The list of the places that a search in the open document found, in the side panel.

Owns the list and how a place is shown: the paragraph around the words, page and section.
Searches nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NamedTuple, cast

from PySide6.QtCore import (
    QModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QTextLayout
from PySide6.QtWidgets import (
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets.buttons import IconButton
from ..widgets.labels import Label
from ..widgets.layout import build_column, build_row
from ..widgets.tables import AnyIndex, RowList, RowsModel, inverts_selection
from ..widgets.words import find_cut_sign, format_number
from .loading import PlaceWords
from .look import paint_row_ground
from .ranges import Range

BEFORE, AFTER = 60, 160  # characters around a hit that may be shown
LINES = 2
MOST_AT_ONCE = 300  # rows that are laid out before the list is shown
MOST_LAYOUTS = 500  # kept, of rows in sight
SHARE_BEFORE = 0.3  # of the lines, for the words before the hit
LEFT, TOP = 12, 5  # pixels
_PARAGRAPH_END = re.compile(r"\n\s*\n")
SENTENCE_ENDS = (".", "!", "?", ":", "。", "！", "？", "：", "”", "…")
SNAP_MS = 80  # after scrolling has stopped
PARTS_ROLE, FIRST_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
COUNT_ROLE = Qt.ItemDataRole.UserRole + 2


class HitParts(NamedTuple):
    """A hit with the words before and after it, and its place."""

    before: str
    hit: str
    after: str
    place: PlaceWords


class HitModel(RowsModel):
    """One row per hit.

    `PARTS_ROLE` has its `HitParts`; `FIRST_ROLE` whether the hit is the first of its place;
    `COUNT_ROLE` how many hits that place has.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        # returns the range around an offset that belongs together: its section, its page
        self.part: Callable[[int], Range] = lambda start: (0, len(self._text))
        self._places: list[PlaceWords] = []  # of each row
        self._place_of: dict[Range, PlaceWords] = {}
        self._counts: list[int] = []
        self._known: dict[Range, HitParts] = {}  # of hits that were in sight

    def forget_parts(self) -> None:
        """Find the words around each hit again: more is known about what belongs together."""
        self._known.clear()

    @property
    def n_pages(self) -> int:
        """The number of pages with hits, 0 in a text without pages."""
        return sum(1 for page, _ in groupby(place.page for place in self._places) if page)

    def set_hits(
        self, text: str, hits: Sequence[Range], place: Callable[[int], PlaceWords]
    ) -> None:
        """Show these hits; `place` returns the place of an offset."""
        self._text = text
        self._known.clear()
        self._places = [place(start) for start, _ in hits]
        self._place_of = dict(zip(hits, self._places, strict=True))
        groups = [len(list(group)) for _, group in groupby(self._places)]
        self._counts = [count for count in groups for _ in range(count)]
        self.show_rows(hits)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = index.row()
        if role == FIRST_ROLE and 0 <= row < len(self.rows):
            return row == 0 or self._places[row - 1] != self._places[row]
        if role == COUNT_ROLE and 0 <= row < len(self.rows):
            return self._counts[row]
        return super().data(index, role)

    def describe(self, row: Range, role: int) -> Any:
        if role == PARTS_ROLE:
            return self.parts(row)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            before, hit, after, place = self.parts(row)
            return f"{before.strip()} {hit} {after.strip()}. {place.join()}"
        return None

    def parts(self, hit: Range) -> HitParts:
        """Return the words before a hit, the hit, the words after it, and its place."""
        if hit not in self._known:
            self._known[hit] = self._find_parts(hit)
        return self._known[hit]

    def _find_parts(self, hit: Range) -> HitParts:
        start, end = hit
        low, high = self.part(start)
        # Words of another paragraph are no context: in a figure, each label is one.
        before = _PARAGRAPH_END.split(self._text[max(low, start - BEFORE) : start])[-1]
        rest = self._text[end : min(max(end, high), end + AFTER)]
        after = _PARAGRAPH_END.split(rest)[0]
        is_cut = after == rest != "" and end + len(rest) == high < len(self._text)
        if is_cut and not after.rstrip().endswith(SENTENCE_ENDS):
            after = (
                f"{after.rstrip()} {find_cut_sign(after)}"  # the sentence goes on on the next page
            )
        return HitParts(
            _on_one_line(before),
            _on_one_line(self._text[start:end]),
            _on_one_line(after),
            self._place_of.get(hit, PlaceWords()),
        )


def _on_one_line(text: str) -> str:
    """Return a text with one space for each white space inside it and at its ends."""
    return re.sub(r"\s+", " ", text)


class HitDelegate(QStyledItemDelegate):
    """Paints the words around a hit on up to two lines, the hit bold on the ground of matches.

    The first hit of a section on a page has its place above it.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        # of a hit in a list of this width: lists ask often, and letters are slow to measure
        self._layouts: dict[tuple[str, str, str, int, str], QTextLayout] = {}
        theme.changed.connect(self._forget)

    def _forget(self) -> None:
        self._layouts = {}

    @property
    def _list(self) -> QListView:
        return cast(QListView, self.parent())

    def _heights(self) -> tuple[int, int]:
        """Return the height of a line for the place, and of the two lines of words."""
        strong, plain = (QFontMetrics(self._theme.font(name)) for name in ("strong", "text"))
        return strong.lineSpacing() + 3 * TOP, LINES * plain.lineSpacing() + 2 * TOP

    @property
    def place_height(self) -> int:
        return self._heights()[0]

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        place, words = self._heights()
        before, hit, after, _ = index.data(PARTS_ROLE)
        width = self._list.viewport().width() - 2 * LEFT
        if self._lay_out(before, hit, after, width).lineCount() < LINES:
            words -= QFontMetrics(self._theme.font("text")).lineSpacing()
        return QSize(0, words + (place if index.data(FIRST_ROLE) else 0))

    @inverts_selection
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: AnyIndex,
    ) -> None:
        before, hit, after, _ = index.data(PARTS_ROLE)
        theme, area = self._theme, QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, width = area.left() + LEFT, area.width() - 2 * LEFT
        if index.data(FIRST_ROLE):
            above = self.place_height
            self.paint_place(painter, index, QRect(area.left(), area.top(), area.width(), above))
            area.setTop(area.top() + above)
        paint_row_ground(painter, theme, option.state, area)
        layout = self._lay_out(before, hit, after, width)
        painter.setPen(theme.color("text"))
        layout.draw(painter, QPointF(left, area.top() + TOP))
        painter.restore()

    def paint_place(self, painter: QPainter, index: AnyIndex, area: QRect) -> None:
        """Paint page and section of a hit, and at the right the number of hits that it has."""
        theme, count = self._theme, format_number(index.data(COUNT_ROLE))
        room = QRect(area.left() + LEFT, area.top() + 2 * TOP, area.width() - 2 * LEFT, 0)
        room.setHeight(area.height() - 2 * TOP)
        place: PlaceWords = index.data(PARTS_ROLE).place
        flags = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(theme.color("text2"))
        painter.setFont(theme.font("small_number"))
        numbers = painter.fontMetrics()
        painter.drawText(room, flags | int(Qt.AlignmentFlag.AlignRight), count)
        room.setRight(room.right() - numbers.horizontalAdvance(count) - LEFT)
        section = f" · {place.section}" if place.page and place.section else place.section
        for words, font, ink in (
            (place.page, "strong", "text"),
            (section, "text" if place.page else "strong", "text2" if place.page else "text"),
        ):
            painter.setFont(theme.font(font))
            painter.setPen(theme.color(ink))
            metrics = painter.fontMetrics()
            shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, flags, shown)
            room.setLeft(room.left() + metrics.horizontalAdvance(shown))

    def _cut(self, before: str, hit: str, after: str, width: int) -> tuple[str, str, str]:
        """Return the end of the words before a hit, the hit, and as many words after as fit."""
        plain = QFontMetrics(self._theme.font("text"))
        shown = _end_that_fits(before, plain, round(SHARE_BEFORE * LINES * width))
        room = LINES * width - plain.horizontalAdvance(shown + hit) - plain.averageCharWidth() * 8
        return shown, hit, _start_that_fits(after, plain, room)

    def _lay_out(self, before: str, hit: str, after: str, width: int) -> QTextLayout:
        """Return two lines with the end of the words before, the hit, and the words after."""
        # in high contrast, the ground of the hit is another one in the current row
        key = before, hit, after, width, self._theme.color("hit").name()
        if key not in self._layouts:
            if len(self._layouts) >= MOST_LAYOUTS:
                self._forget()
            self._layouts[key] = self._lay_out_again(before, hit, after, width)
        return self._layouts[key]

    def _lay_out_again(self, before: str, hit: str, after: str, width: int) -> QTextLayout:
        plain = QFontMetrics(self._theme.font("text"))
        shown, hit, after = self._cut(before, hit, after, width)
        layout = QTextLayout(shown + hit + after, self._theme.font("text"))
        strong = QTextLayout.FormatRange()
        strong.start, strong.length = len(shown), len(hit)
        strong.format.setFontWeight(self._theme.font("strong").weight())
        # the hue that matches have on the page
        strong.format.setBackground(self._theme.color("hit"))
        layout.setFormats([strong])
        layout.beginLayout()
        for number in range(LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(width)
            line.setPosition(QPointF(0, number * plain.lineSpacing()))
        layout.endLayout()
        return layout


def _end_that_fits(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return the end of a text that fits, from a whole word where there are any, after "…"."""
    if metrics.horizontalAdvance(text) <= width:
        return text
    sign = find_cut_sign(text)
    room = width - metrics.horizontalAdvance(sign)
    words = [at + 1 for at, char in enumerate(text[:-1]) if char == " "]
    for starts in (words, range(len(text))):  # Chinese has no spaces
        # from left to right the ends get shorter
        at = bisect_left(starts, True, key=lambda n: metrics.horizontalAdvance(text[n:]) <= room)
        if at < len(starts):
            return sign + text[starts[at] :]
    return ""


def _start_that_fits(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return the start of a text that fits, up to a whole word where there are any, before " …"."""
    if metrics.horizontalAdvance(text) <= width:
        return text
    sign = f" {find_cut_sign(text)}"
    room = width - metrics.horizontalAdvance(sign)
    words = [at for at, char in enumerate(text) if char == " " and at]
    for ends in (words, range(1, len(text) + 1)):
        at = bisect_left(ends, True, key=lambda n: metrics.horizontalAdvance(text[:n]) > room)
        if at:
            return text[: ends[at - 1]] + sign
    return ""


class _List(RowList):
    """A list whose first row in sight has its page or chapter above it, wherever it is scrolled.

    The line is painted over the top of the list; the next place pushes it out of sight.
    """

    def __init__(
        self, theme: Theme, model: HitModel, delegate: HitDelegate, name: str, parent: QWidget
    ) -> None:
        # set first: as soon as the list has a model, it calls `scrollTo`
        self._theme, self._delegate = theme, delegate
        super().__init__(model, delegate, name, parent)
        # the line is painted at the top of what is in sight, so scrolling may not move it
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(lambda _: self.viewport().update())
        # rows get their heights in batches, so that those above may grow later
        self._snap = QTimer(self, singleShot=True, interval=SNAP_MS)
        self._snap.timeout.connect(self.snap)
        for signal in (bar.valueChanged, bar.rangeChanged, bar.sliderReleased):
            signal.connect(self._snap.start)

    def place_in_sight(self) -> tuple[QModelIndex, QRect] | None:
        """Return the row whose place is painted over the top, and where.

        None where the first row shows its own.
        """
        first = self.indexAt(QPoint(LEFT, 0))
        if not first.isValid():
            return None
        height, own = self._delegate.place_height, self.visualRect(first)
        if first.data(FIRST_ROLE) and own.top() >= 0:
            return None
        top = 0
        following = first.siblingAtRow(first.row() + 1)
        if following.isValid() and following.data(FIRST_ROLE):
            top = min(0, self.visualRect(following).top() - height)
        return first, QRect(0, top, self.viewport().width(), height)

    def snap(self) -> None:
        """Scroll so that the place above the list cuts no row: its hit would not be seen."""
        bar, height = self.verticalScrollBar(), self._delegate.place_height
        self.viewport().update()
        shown = self.place_in_sight()
        if shown is None or bar.isSliderDown():
            return
        _, area = shown
        row = self.indexAt(QPoint(LEFT, area.bottom() + 1))
        if not row.isValid():
            return
        rect = self.visualRect(row)
        top = rect.top() + (height if row.data(FIRST_ROLE) else 0)
        hidden = area.bottom() + 1 - top
        if hidden <= 0:
            return
        below = rect.bottom() - area.bottom()  # of the row, in sight
        goes_on = hidden > below and bar.value() + below <= bar.maximum()
        bar.setValue(bar.value() + (below if goes_on else -hidden))

    def show_current(self, index: AnyIndex) -> None:
        """Mark a row; one out of sight comes to the middle, and then no row is cut at the top."""
        height, room = self._delegate.place_height, self.viewport().rect()
        is_in_sight = room.adjusted(0, height, 0, 0).contains(self.visualRect(index))
        self.setCurrentIndex(index)  # scrolls as little as it must
        if is_in_sight:
            return
        self.scrollTo(index, QListView.ScrollHint.PositionAtCenter)
        first = self.indexAt(QPoint(LEFT, height))
        top = self.visualRect(first).top() + (height if first.data(FIRST_ROLE) else 0)
        if first.isValid() and top < height:
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() - height + top)

    def scrollTo(
        self,
        index: AnyIndex,
        hint: QListView.ScrollHint = QListView.ScrollHint.EnsureVisible,
    ) -> None:
        super().scrollTo(index, hint)
        covered = self._delegate.place_height - self.visualRect(index).top()
        if covered > 0 and not index.data(FIRST_ROLE):
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() - covered)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        shown = self.place_in_sight()
        if shown is not None:
            index, area = shown
            painter = QPainter(self.viewport())
            painter.fillRect(area, self._theme.color("bg"))
            self._delegate.paint_place(painter, index, area)
            painter.end()


def describe_count(n_hits: int, n_pages: int, *, more: bool) -> str:
    """Return "12 matches on 7 pages", as far as there are pages.

    Args:
        more: there are more, which are not listed.
    """
    if not n_hits:
        return tr("Matches")
    if more:
        return tr("The first {n} matches", n=format_number(n_hits))
    if not n_pages:
        return trn("{n} match", "{n} matches", n_hits)
    pages = trn("{n} page", "{n} pages", n_pages)
    return trn("{n} match on {pages}", "{n} matches on {pages}", n_hits, pages=pages)


class HitList(QWidget):
    """Lists the hits of a search under their number; `chosen` carries the number of one.

    `closed` is emitted by the button beside the heading.
    """

    chosen = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = HitModel(self)
        self.list = _List(theme, self.model, HitDelegate(theme), tr("Matches"), self)
        self.list.setUniformItemSizes(False)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setObjectName("readerNotes")
        self.list.clicked.connect(lambda index: self.chosen.emit(index.row()))
        self.list.activated.connect(lambda index: self.chosen.emit(index.row()))
        words = tr("Type words into the search field. Every place where they stand is listed here.")
        self.nothing = Label(words, "muted", self, wrap=True)
        self.nothing.setContentsMargins(8, 8, 16, 16)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.heading = Label("", "strong", self)
        self.close_button = IconButton(theme, "close", tr("Close the list of matches"), self)
        self.close_button.clicked.connect(self.closed)
        top = build_row((self.heading, 1), self.close_button, margins=(LEFT, 0, 8, 0))
        self._column = build_column(top, (self.list, 1), (self.nothing, 1), parent=self, spacing=4)
        self.show_hits("", (), lambda start: PlaceWords())

    def show_hits(
        self,
        text: str,
        hits: Sequence[Range],
        place: Callable[[int], PlaceWords],
        *,
        more: bool = False,
    ) -> None:
        """List these ranges of a text; `place` returns the place of an offset.

        Args:
            more: there are more, which are not listed.
        """
        modes = QListView.LayoutMode
        # in batches, the list is empty until the last one; but there may be thousands
        self.list.setLayoutMode(modes.Batched if len(hits) > MOST_AT_ONCE else modes.SinglePass)
        self.model.set_hits(text, hits, place)
        self.heading.setText(describe_count(len(hits), self.model.n_pages, more=more))
        self.list.setVisible(bool(hits))
        self.nothing.setVisible(not hits)
        self._column.activate()  # the list has its height before it is scrolled

    def refresh(self) -> None:
        """Show the words around the matches again: more is known about what belongs together."""
        self.model.forget_parts()
        if self.list.isVisible():
            self.list.scheduleDelayedItemsLayout()

    def set_current(self, number: int) -> None:
        """Mark a hit and scroll to it."""
        index = self.model.index(number)
        if index.isValid() and self.list.currentIndex() != index:
            self.list.show_current(index)
