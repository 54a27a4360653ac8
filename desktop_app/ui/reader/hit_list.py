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
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter
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
SHARE_BEFORE = 0.3  # of the line's width, for the words before the hit
LEFT, TOP, BETWEEN = 12, 6, 2  # pixels
PARTS_ROLE = Qt.ItemDataRole.UserRole


class HitModel(QAbstractListModel):
    """One row per hit. Its parts are the words before, the hit, the words after, the place."""

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
    """Paints the words around a hit on one line, the hit in bold type, and its place below."""

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        fonts = ("text", "small")
        lines = sum(QFontMetrics(self._theme.font(font)).lineSpacing() for font in fonts)
        return QSize(0, lines + BETWEEN + 2 * TOP)

    @inverts_selection
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        before, hit, after, place = index.data(PARTS_ROLE)
        theme, area = self._theme, option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            ground = theme.color("accent_soft", 1.0 if chosen else 0.5)
            paint_box(painter, QRectF(area).adjusted(0, 1, 0, -1), ground)
        plain, strong, small = (
            QFontMetrics(theme.font(name)) for name in ("text", "strong", "small")
        )
        width = area.width() - 2 * LEFT
        # the end of the words before, the hit whole, the beginning of those after
        room = round(SHARE_BEFORE * width)
        shown = plain.elidedText(before.rstrip(), Qt.TextElideMode.ElideLeft, room)
        shown += " " if before.endswith(" ") else ""
        if shown.startswith("…") and " " in shown.strip():
            shown = "… " + shown.split(" ", 1)[1]  # from a whole word
        x, y, height = area.left() + LEFT, area.top() + TOP, plain.lineSpacing()
        for words, font, metrics, color in (
            (shown, "text", plain, "text2"),
            (hit, "strong", strong, "text"),
            (after, "text", plain, "text2"),
        ):
            room = area.left() + LEFT + width - x
            part = metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(0, room))
            painter.setFont(theme.font(font))
            painter.setPen(theme.color(color))
            painter.drawText(QRect(x, y, room, height), int(Qt.AlignmentFlag.AlignVCenter), part)
            x += metrics.horizontalAdvance(part)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("text2"))
        below = QRect(area.left() + LEFT, y + height + BETWEEN, width, small.lineSpacing())
        words = small.elidedText(place, Qt.TextElideMode.ElideRight, width)
        painter.drawText(below, int(Qt.AlignmentFlag.AlignVCenter), words)
        painter.restore()


class HitList(QWidget):
    """Lists the hits of a search; `chosen` carries the number of one."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = HitModel(self)
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(HitDelegate(theme, self.list))
        self.list.setUniformItemSizes(True)
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
