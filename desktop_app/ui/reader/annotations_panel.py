"""The list of highlights and bookmarks beside the document, with an export button.

Owns the rows. Choices are emitted as signals; nothing is fetched or changed here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.services.annotations import Annotation

from ..language import later, tr
from ..theme.theme import Theme
from ..widgets.buttons import Button
from ..widgets.labels import Label
from ..widgets.menu_key import MenuKey
from .look import note_color

MARK_ROLE, PLACE_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
LEFT, PAD, LINES = 14, 8, 3
NOTHING = later(
    "Select a passage and highlight it from its menu or with Ctrl+Shift+H; Ctrl+D puts a"
    " bookmark. What you mark is listed here."
)
KIND_WORDS = {"highlight": later("Highlight"), "bookmark": later("Bookmark")}
_FLAGS = Qt.TextFlag.TextWordWrap


class NoteDelegate(QStyledItemDelegate):
    """Paints a stripe in the annotation's colour, its text, the note and the place."""

    def __init__(self, theme: Theme, parent: QListWidget) -> None:
        super().__init__(parent)
        self._theme, self._list = theme, parent

    def _parts(self, mark: Annotation, place: str) -> list[tuple[str, str, str, int]]:
        """Return a list of (text, font, colour, maximum number of lines)."""
        words = " ".join(mark.quote.split()) or tr("(a page without text)")
        parts = [(words, "text", "text", LINES if mark.kind == "highlight" else 1)]
        if mark.note:
            parts.append((" ".join(mark.note.split()), "text", "text2", LINES))
        where = tr("{place} · no longer in the text", place=place) if mark.lost else place
        if mark.kind == "bookmark":
            where = tr("Bookmark · {place}", place=where) if where else tr("Bookmark")
        parts.append((where, "small", "text2", 1))
        return parts

    def _width(self) -> int:
        return max(80, self._list.viewport().width() - LEFT - PAD)

    def _height(self, text: str, font: str, most: int) -> int:
        metrics = QFontMetrics(self._theme.font(font))
        rect = metrics.boundingRect(QRect(0, 0, self._width(), 10_000), int(_FLAGS), text or " ")
        return min(rect.height(), most * metrics.lineSpacing())

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        mark, place = index.data(MARK_ROLE), index.data(PLACE_ROLE)
        heights = [self._height(t, f, most) for t, f, _, most in self._parts(mark, place)]
        return QSize(self._width(), sum(heights) + 3 * (len(heights) - 1) + 2 * PAD)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        mark, place, area = index.data(MARK_ROLE), index.data(PLACE_ROLE), option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent_soft", 1.0 if chosen else 0.5))
            painter.drawRoundedRect(QRectF(area).adjusted(0, 1, 0, -1), 6, 6)
        stripe = QRectF(area.left() + 4, area.top() + PAD, 3, area.height() - 2 * PAD)
        ink = note_color(self._theme, mark.color, strong=True)
        painter.fillRect(stripe, ink if mark.kind == "highlight" else self._theme.color("accent"))
        y = area.top() + PAD
        for text, font, color, most in self._parts(mark, place):
            height = self._height(text, font, most)
            painter.setFont(self._theme.font(font))
            painter.setPen(self._theme.color(color))
            room = QRect(area.left() + LEFT, y, self._width(), height)
            metrics = QFontMetrics(self._theme.font(font))
            shown = fit_lines(text, metrics, self._width(), most)
            painter.drawText(room, int(_FLAGS), shown)
            y += height + 3
        painter.restore()


def fit_lines(text: str, metrics: QFontMetrics, width: int, most: int) -> str:
    """Return the part of a text that fits in `most` lines, with "…" if it was cut."""
    room = most * metrics.lineSpacing() + 1

    def fits(n_chars: int) -> bool:
        part = text[:n_chars] + ("…" if n_chars < len(text) else "")
        return metrics.boundingRect(QRect(0, 0, width, 10_000), int(_FLAGS), part).height() <= room

    if fits(len(text)):
        return text
    low, high = 1, min(len(text), most * width)
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return text[:low].rstrip() + "…"


class AnnotationsPanel(QWidget):
    """Lists the annotations; signals carry the `Annotation`."""

    chosen = Signal(object)
    edit_wanted = Signal(object, QPoint)
    asked = Signal(object)
    copied = Signal(object)
    removed = Signal(object)
    export_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = QListWidget(self)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setItemDelegate(NoteDelegate(theme, self.list))
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setStyleSheet("QListWidget { background: transparent; }")
        self.list.setAccessibleName(tr("Highlights and bookmarks"))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.itemClicked.connect(lambda item: self.chosen.emit(item.data(MARK_ROLE)))
        self.list.itemActivated.connect(lambda item: self.chosen.emit(item.data(MARK_ROLE)))
        self.list.customContextMenuRequested.connect(self._show_menu)
        MenuKey(self.list)
        remove = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.list)
        remove.setContext(Qt.ShortcutContext.WidgetShortcut)
        remove.activated.connect(self._remove_current)
        self.nothing = Label(tr(NOTHING), "muted", self, wrap=True)
        self.nothing.setContentsMargins(8, 8, 16, 16)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.export = Button(tr("Export as Markdown…"), kind="quiet", theme=theme, elide=True)
        self.export.clicked.connect(self.export_wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.list, 1)
        column.addWidget(self.nothing, 1)
        column.addWidget(self.export)
        self.set_marks([], lambda _: "")

    def set_marks(self, marks: Sequence[Annotation], place: Callable[[int], str]) -> None:
        """List annotations; `place` returns the text for the place of an offset."""
        row, value = self.list.currentRow(), self.list.verticalScrollBar().value()
        self.list.clear()
        for mark in marks:
            line = QListWidgetItem()
            line.setData(MARK_ROLE, mark)
            line.setData(PLACE_ROLE, place(mark.start))
            words = " ".join(mark.quote.split())[:200]
            spoken = f"{tr(KIND_WORDS[mark.kind])}: {words}. {mark.note}"
            line.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            self.list.addItem(line)
        self.list.setVisible(bool(marks))
        self.nothing.setVisible(not marks)
        self.export.setVisible(bool(marks))
        if 0 <= row < len(marks):
            self.list.setCurrentRow(row)
        self.list.verticalScrollBar().setValue(value)

    def build_menu(self, mark: Annotation, where: QPoint) -> QMenu:
        """Return the context menu of an annotation."""
        menu = QMenu(self)
        for words, act in (
            (tr("Go there"), lambda: self.chosen.emit(mark)),
            (tr("Edit the note…"), lambda: self.edit_wanted.emit(mark, where)),
            (tr("Ask about it"), lambda: self.asked.emit(mark)),
            (tr("Copy with its source"), lambda: self.copied.emit(mark)),
            (tr("Remove"), lambda: self.removed.emit(mark)),
        ):
            menu.addAction(words).triggered.connect(act)
        return menu

    def _remove_current(self) -> None:
        line = self.list.currentItem()
        if line is not None:
            self.removed.emit(line.data(MARK_ROLE))

    def _show_menu(self, point: QPoint) -> None:
        line = self.list.itemAt(point)
        if line is not None:
            where = self.list.viewport().mapToGlobal(point)
            menu = self.build_menu(line.data(MARK_ROLE), where)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(where)
