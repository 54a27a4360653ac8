"""The list of the places that a search in the open document found, in the side panel.

Owns the list and how a place is shown: the line around the words, and page or chapter. Searches
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter, QTextLayout
from PySide6.QtWidgets import (
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ..theme.theme import Theme
from ..translation import tr
from ..widgets.labels import Label, paint_box
from ..widgets.layout import build_column
from ..widgets.tables import inverts_selection
from .ranges import Range

BEFORE, AFTER = 60, 160  # characters around a hit that may be shown
LINES = 2
SHARE_BEFORE = 0.3  # of the lines, for the words before the hit
LEFT, TOP = 12, 5  # pixels
PARTS_ROLE, FIRST_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class HitModel(QAbstractListModel):
    """One row per hit.

    `PARTS_ROLE` has the words before, the hit, the words after and the place; `FIRST_ROLE` whether
    the hit is the first of its place.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._hits: Sequence[Range] = ()
        self._place: Callable[[int], str] = lambda start: ""

    def set_hits(self, text: str, hits: Sequence[Range], place: Callable[[int], str]) -> None:
        """Show these hits; `place` returns the words for the place of an offset."""
        self.beginResetModel()
        self._text, self._hits, self._place = text, hits, place
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._hits)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if not index.isValid():
            return None
        if role == PARTS_ROLE:
            return self.parts(index.row())
        if role == FIRST_ROLE:
            starts = [hit[0] for hit in self._hits[max(0, index.row() - 1) : index.row() + 1]]
            return index.row() == 0 or self._place(starts[0]) != self._place(starts[1])
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            before, hit, after, place = self.parts(index.row())
            return f"{before.strip()} {hit} {after.strip()}. {place}"
        return None

    def parts(self, row: int) -> tuple[str, str, str, str]:
        start, end = self._hits[row]
        return (
            _on_one_line(self._text[max(0, start - BEFORE) : start]),
            _on_one_line(self._text[start:end]),
            _on_one_line(self._text[end : end + AFTER]),
            self._place(start),
        )


def _on_one_line(text: str) -> str:
    """Return a text with one space for each white space inside it and at its ends."""
    return re.sub(r"\s+", " ", text)


class HitDelegate(QStyledItemDelegate):
    """Paints the words around a hit on two lines, the hit in bold type.

    The first hit of a page or chapter has its place above it.
    """

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._theme = theme

    def _heights(self) -> tuple[int, int]:
        """Return the height of a line for the place, and of the two lines of words."""
        strong, plain = (QFontMetrics(self._theme.font(name)) for name in ("strong", "text"))
        return strong.lineSpacing() + 3 * TOP, LINES * plain.lineSpacing() + 2 * TOP

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        place, words = self._heights()
        return QSize(0, words + (place if index.data(FIRST_ROLE) else 0))

    @inverts_selection
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        before, hit, after, place = index.data(PARTS_ROLE)
        theme, area = self._theme, QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, width = area.left() + LEFT, area.width() - 2 * LEFT
        if index.data(FIRST_ROLE):
            above = self._heights()[0]
            painter.setFont(theme.font("strong"))
            painter.setPen(theme.color("text"))
            metrics = QFontMetrics(theme.font("strong"))
            words = metrics.elidedText(place, Qt.TextElideMode.ElideRight, width)
            room = QRect(left, area.top() + 2 * TOP, width, above - 2 * TOP)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), words)
            area.setTop(area.top() + above)
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            ground = theme.color("accent_soft", 1.0 if chosen else 0.5)
            paint_box(painter, QRectF(area).adjusted(0, 1, 0, -1), ground)
        layout = self._lay_out(before, hit, after, width)
        painter.setPen(theme.color("text2"))
        layout.draw(painter, QPointF(left, area.top() + TOP))
        painter.restore()

    def _lay_out(self, before: str, hit: str, after: str, width: int) -> QTextLayout:
        """Return two lines with the end of the words before, the hit, and the words after."""
        plain = QFontMetrics(self._theme.font("text"))
        room = round(SHARE_BEFORE * LINES * width)
        shown = _end_that_fits(before, plain, room)
        room = LINES * width - plain.horizontalAdvance(shown + hit) - plain.averageCharWidth() * 8
        text = shown + hit + _start_that_fits(after, plain, room)
        layout = QTextLayout(text, self._theme.font("text"))
        strong = QTextLayout.FormatRange()
        strong.start, strong.length = len(shown), len(hit)
        strong.format.setFontWeight(self._theme.font("strong").weight())
        strong.format.setForeground(self._theme.color("text"))
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
    """Return the end of a text that fits, from a whole word where there are any, after "… "."""
    if metrics.horizontalAdvance(text) <= width:
        return text
    starts = [at + 1 for at, char in enumerate(text[:-1]) if char == " "]
    for start in (*starts, *range(len(text))):  # Chinese has no spaces
        if metrics.horizontalAdvance("… " + text[start:]) <= width:
            return "… " + text[start:]
    return ""


def _start_that_fits(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return the start of a text that fits, up to a whole word where there are any, before " …"."""
    if metrics.horizontalAdvance(text) <= width:
        return text
    ends = [at for at, char in enumerate(text) if char == " " and at]
    for end in (*reversed(ends), *range(len(text), 0, -1)):
        if metrics.horizontalAdvance(text[:end] + " …") <= width:
            return text[:end] + " …"
    return ""


class HitList(QWidget):
    """Lists the hits of a search; `chosen` carries the number of one."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = HitModel(self)
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(HitDelegate(theme, self.list))
        self.list.setLayoutMode(QListView.LayoutMode.Batched)  # there may be thousands
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setObjectName("readerNotes")
        self.list.setAccessibleName(tr("Matches"))
        self.list.clicked.connect(lambda index: self.chosen.emit(index.row()))
        self.list.activated.connect(lambda index: self.chosen.emit(index.row()))
        words = tr("Type words into the search field. Every place where they stand is listed here.")
        self.nothing = Label(words, "muted", self, wrap=True)
        self.nothing.setContentsMargins(8, 8, 16, 16)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        build_column((self.list, 1), (self.nothing, 1), parent=self)
        self.show_hits("", (), lambda start: "")

    def show_hits(self, text: str, hits: Sequence[Range], place: Callable[[int], str]) -> None:
        """List these ranges of a text; `place` returns the words for the place of an offset."""
        self.model.set_hits(text, hits, place)
        self.list.setVisible(bool(hits))
        self.nothing.setVisible(not hits)

    def set_current(self, number: int) -> None:
        """Mark a hit and scroll to it."""
        index = self.model.index(number)
        if index.isValid() and self.list.currentIndex() != index:
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)
