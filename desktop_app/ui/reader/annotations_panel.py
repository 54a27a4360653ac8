"""The panel of a document's annotations: a card for each, filters, and what its keys do.

Owns how a card looks and which one is marked. Choices are emitted as signals; nothing is fetched or
changed here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from desktop_app.engine.services.annotations import Annotation

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.buttons import Button
from ..widgets.fields import SearchField
from ..widgets.labels import Label, paint_box
from ..widgets.layout import Flow, build_column
from ..widgets.menus import MenuKey
from ..widgets.note_colors import COLOR_WORDS
from ..widgets.tables import inverts_selection
from ..widgets.words import plain_tip
from .annotations import Swatch
from .look import note_color, paint_row_ground

MARK_ROLE, PLACE_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
LEFT, PAD, LINES = 20, 10, 3
CARD_GAP, NOTE_GAP = 8, 8  # pixels between two cards, and between a quote and its note
NOTHING = later(
    "Select a passage and choose a colour beside it; Ctrl+D adds a bookmark. What you mark is"
    " listed here."
)
NOTE_INSET = 6  # pixels between the edges of a note's ground and its words
PENCIL = 16  # pixels
SEPARATOR = " · "  # between the parts of a place
KIND_WORDS = {"highlight": later("Highlight"), "bookmark": later("Bookmark")}
_FLAGS = Qt.TextFlag.TextWordWrap


class CardPart(NamedTuple):
    """A text of a card, with its font and colour of the theme and its greatest number of lines.

    With an `inset` in pixels it has a ground of its own.
    """

    text: str
    font: str
    color: str
    most: int
    inset: int = 0


class NoteDelegate(QStyledItemDelegate):
    """Paints a card with a stripe in the annotation's colour, its text, the note and the place.

    The note, which a person wrote, has a ground of its own. At the right of the place is a pencil.
    """

    def __init__(self, theme: Theme, parent: QListWidget) -> None:
        super().__init__(parent)
        self._theme, self._list = theme, parent

    def _parts(self, mark: Annotation, place: str) -> list[CardPart]:
        words = " ".join(mark.quote.split()) or tr("(a page without text)")
        parts = [CardPart(words, "text", "text", LINES if mark.kind == "highlight" else 1)]
        if mark.note:
            parts.append(CardPart(" ".join(mark.note.split()), "text", "text", LINES, NOTE_INSET))
        parts.append(CardPart(describe_mark(mark, place), "small", "text2", 1))
        return parts

    def pencil_rect(self, row: QRect) -> QRect:
        """Return where the pencil for the note is, at the right of the last line."""
        side = self._theme.length(PENCIL)
        foot = row.top() + row.height() - PAD
        line = QFontMetrics(self._theme.font("small")).lineSpacing()
        left = row.left() + LEFT + self._width() - side
        return QRect(left, foot - (line + side) // 2, side, side)

    def is_on_pencil(self, row: QRect, point: QPoint) -> bool:
        """Return whether a point is on the pencil of a card or close to it."""
        return self.pencil_rect(row).adjusted(-4, -4, 4, 4).contains(point)

    def _width(self) -> int:
        return max(80, self._list.viewport().width() - LEFT - 2 * PAD)

    def _room(self, part: CardPart) -> int:
        """Return the width of the words of a part: the place is beside the pencil."""
        beside = self._theme.length(PENCIL) + PAD if part.font == "small" else 2 * part.inset
        return max(60, self._width() - beside)

    def _height(self, part: CardPart) -> int:
        metrics = QFontMetrics(self._theme.font(part.font))
        if part.most == 1:
            return _line_height(part.text, metrics)
        room = QRect(0, 0, self._room(part), 10_000)
        rect = metrics.boundingRect(room, int(_FLAGS), part.text or " ")
        lines = min(rect.height(), part.most * _line_height(part.text, metrics))
        return lines + 2 * part.inset

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        parts = self._parts(index.data(MARK_ROLE), index.data(PLACE_ROLE))
        heights = [self._height(part) for part in parts]
        gaps = NOTE_GAP * (len(heights) - 1)
        return QSize(self._width(), sum(heights) + gaps + 2 * PAD + CARD_GAP)

    @inverts_selection
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        mark, place, area = index.data(MARK_ROLE), index.data(PLACE_ROLE), option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(area).adjusted(0.5, CARD_GAP + 0.5, -PAD - 0.5, -0.5)
        paint_box(painter, card, self._theme.color("surface"), self._theme.color("line"))
        paint_row_ground(painter, self._theme, option.state, card.toRect())
        y = area.top() + CARD_GAP + PAD
        stripe = QRectF(area.left() + 8, y, 3, card.height() - 2 * PAD)
        ink = note_color(self._theme, mark.color, strong=True)
        painter.fillRect(stripe, ink if mark.kind == "highlight" else self._theme.color("accent"))
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        for part in self._parts(mark, place):
            height = self._height(part)
            room = QRect(area.left() + LEFT, y, self._width(), height)
            if part.inset:
                ground = self._theme.color("surface" if is_current else "sunken")
                paint_box(painter, QRectF(room), ground)
            painter.setFont(self._theme.font(part.font))
            painter.setPen(self._theme.color(part.color))
            room = room.adjusted(part.inset, part.inset, 0, 0)
            room.setWidth(self._room(part))
            metrics = QFontMetrics(self._theme.font(part.font))
            if part.font == "small":
                shown = elide_longest(part.text, metrics, room.width())
            elif part.most == 1:
                shown = metrics.elidedText(part.text, Qt.TextElideMode.ElideRight, room.width())
            else:
                shown = fit_lines(part.text, metrics, room.width(), part.most)
            painter.drawText(room, int(_FLAGS), shown)
            y += height + NOTE_GAP
        icon = self._theme.icon("ph.note-pencil", color="text2")
        icon.paint(painter, self.pencil_rect(area))
        painter.restore()

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Say what the pencil does; elsewhere on a card, its place in the document."""
        if index.isValid() and self.is_on_pencil(option.rect, event.pos()):
            words = tr("Edit note") if index.data(MARK_ROLE).note else tr("Add note")
            QToolTip.showText(event.globalPos(), words, view)
            return True
        return super().helpEvent(event, view, option, index)


def describe_mark(mark: Annotation, place: str) -> str:
    """Return the words for the place of an annotation: page and chapter, and what it is."""
    where = tr("{place} · no longer in the text", place=place) if mark.lost else place
    if mark.kind == "bookmark":
        where = tr("Bookmark · {place}", place=where) if where else tr("Bookmark")
    return where


def elide_longest(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return a text on one line, with "…" in the middle of its longest part.

    Parts are separated by " · ": of page and chapter, the page stays whole.
    """
    parts = text.split(SEPARATOR)
    longest = max(range(len(parts)), key=lambda at: metrics.horizontalAdvance(parts[at]))
    rest = SEPARATOR.join([*parts[:longest], "", *parts[longest + 1 :]])
    room = max(0, width - metrics.horizontalAdvance(rest))
    parts[longest] = metrics.elidedText(parts[longest], Qt.TextElideMode.ElideMiddle, room)
    return SEPARATOR.join(parts)


def _line_height(text: str, metrics: QFontMetrics) -> int:
    """Return the height of a line of a text; Chinese letters come from a font with higher lines."""
    room = QRect(0, 0, 1_000_000, 10_000)
    return max(metrics.lineSpacing(), metrics.boundingRect(room, 0, text).height())


def fit_lines(text: str, metrics: QFontMetrics, width: int, most: int) -> str:
    """Return the part of a text that fits in `most` lines, with "…" if it was cut."""
    room = most * _line_height(text, metrics) + 1

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
    """Lists the annotations; signals carry the `Annotation`. `shown` is emitted with its tab."""

    chosen = Signal(object)
    edit_wanted = Signal(object, QPoint)
    asked = Signal(object)
    copied = Signal(object)
    removed = Signal(object)
    export_wanted = Signal()
    shown = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marks: Sequence[Annotation] = ()
        self._place: Callable[[int], str] = lambda start: ""
        self._pressed = QPoint()
        self.filter = SearchField(theme, tr("Filter notes"), self)
        self.filter.searched.connect(lambda _: self._list_marks())
        self.swatches: list[Swatch] = []
        self._colors = Flow(self)
        self.list = QListWidget(self)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self._delegate = NoteDelegate(theme, self.list)
        self.list.setItemDelegate(self._delegate)
        self.list.viewport().installEventFilter(self)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setObjectName("readerNotes")
        self.list.setAccessibleName(tr("Highlights and bookmarks"))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.itemClicked.connect(self._click)
        self.list.itemActivated.connect(lambda item: self.chosen.emit(item.data(MARK_ROLE)))
        self.list.customContextMenuRequested.connect(self._show_menu)
        MenuKey(self.list)
        remove = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.list)
        remove.setContext(Qt.ShortcutContext.WidgetShortcut)
        remove.activated.connect(self._remove_current)
        self.nothing = Label(tr(NOTHING), "muted", self, wrap=True)
        self.nothing.setContentsMargins(8, 8, 16, 16)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.nothing_found = Label(tr("No note matches the filter."), "muted", self, wrap=True)
        self.nothing_found.setContentsMargins(8, 8, 16, 16)
        self.export = Button(tr("Export as Markdown…"), theme=theme, icon="ph.export", elide=True)
        self.export.clicked.connect(self.export_wanted)
        foot = build_column(self.export, margins=(0, 4, 8, 0))
        head = build_column(self.filter, self._colors, spacing=4, margins=(0, 0, 8, 0))
        build_column(
            head,
            (self.list, 1),
            (self.nothing, 1),
            (self.nothing_found, 1),
            foot,
            parent=self,
            spacing=4,
        )
        self.set_marks([], lambda _: "")

    def set_marks(self, marks: Sequence[Annotation], place: Callable[[int], str]) -> None:
        """List annotations; `place` returns the text for the place of an offset."""
        self._marks, self._place = marks, place
        self._show_swatches()
        self._list_marks()

    def _show_swatches(self) -> None:
        """Offer the colours in use as filters, where there are several."""
        colors = [c for c in COLOR_WORDS if any(mark.color == c for mark in self._highlights())]
        colors = colors if len(colors) > 1 else []
        if colors == [swatch.color for swatch in self.swatches]:
            return
        self.swatches = [Swatch(self._theme, color) for color in colors]
        for swatch in self.swatches:
            swatch.setAutoExclusive(False)
            words = tr("Show only: {color}", color=tr(COLOR_WORDS[swatch.color]))
            swatch.setToolTip(words)
            swatch.setAccessibleName(words)
            swatch.toggled.connect(lambda _: self._list_marks())
        self._colors.clear()
        self._colors.add(*self.swatches)
        self._colors.setVisible(bool(colors))

    def _highlights(self) -> list[Annotation]:
        return [mark for mark in self._marks if mark.kind == "highlight"]

    def _list_marks(self) -> None:
        words = self.filter.text().casefold().split()
        colors = {swatch.color for swatch in self.swatches if swatch.isChecked()}

        def is_wanted(mark: Annotation) -> bool:
            text = f"{mark.quote} {mark.note}".casefold()
            in_color = mark.kind == "highlight" and mark.color in colors
            return all(word in text for word in words) and (in_color or not colors)

        marks = [mark for mark in self._marks if is_wanted(mark)]
        row, value = self.list.currentRow(), self.list.verticalScrollBar().value()
        self.list.clear()
        for mark in marks:
            line = QListWidgetItem()
            line.setData(MARK_ROLE, mark)
            place = self._place(mark.start)
            line.setData(PLACE_ROLE, place)
            line.setToolTip(plain_tip(describe_mark(mark, place)))
            words_of_mark = " ".join(mark.quote.split())[:200]
            spoken = f"{tr(KIND_WORDS[mark.kind])}: {words_of_mark}. {mark.note}"
            line.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            self.list.addItem(line)
        has_marks = bool(self._marks)
        self.list.setVisible(bool(marks))
        self.nothing.setVisible(not has_marks)
        self.nothing_found.setVisible(has_marks and not marks)
        for part in (self.export, self.filter):
            part.setVisible(has_marks)
        if 0 <= row < len(marks):
            self.list.setCurrentRow(row)
        self.list.verticalScrollBar().setValue(value)

    def show_current(self, in_sight: Sequence[int]) -> None:
        """Mark the card of an annotation in sight: the marked one, else the first of them.

        The list follows, but not under the pointer or while the keyboard goes through it.

        Args:
            in_sight: the ids of the annotations in sight, in their order in the document.
        """
        rows = {self.list.item(n).data(MARK_ROLE).id: n for n in range(self.list.count())}
        found = [rows[mark_id] for mark_id in in_sight if mark_id in rows]
        if not found:
            self.list.clearSelection()
            return
        row = self.list.currentRow()
        row = row if row in found else found[0]
        is_used = self.list.underMouse() or self.list.hasFocus()
        with_auto_scroll = self.list.hasAutoScroll()
        self.list.setAutoScroll(not is_used)  # it would go to the current row
        self.list.setCurrentRow(row)
        self.list.item(row).setSelected(True)
        self.list.setAutoScroll(with_auto_scroll)

    def _click(self, line: QListWidgetItem) -> None:
        mark = line.data(MARK_ROLE)
        self.chosen.emit(mark)
        if self._delegate.is_on_pencil(self.list.visualItemRect(line), self._pressed):
            self.edit_wanted.emit(mark, self.list.viewport().mapToGlobal(self._pressed))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep where the list was pressed."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self._pressed = cast(QMouseEvent, event).position().toPoint()
        return False

    def build_menu(self, mark: Annotation, where: QPoint) -> QMenu:
        """Return the context menu of an annotation."""
        menu = QMenu(self)
        for words, act in (
            (tr("Go to"), lambda: self.chosen.emit(mark)),
            (tr("Edit note…"), lambda: self.edit_wanted.emit(mark, where)),
            (tr("Ask about this"), lambda: self.asked.emit(mark)),
            (tr("Copy with citation"), lambda: self.copied.emit(mark)),
            (tr("Remove"), lambda: self.removed.emit(mark)),
        ):
            menu.addAction(words).triggered.connect(act)
        return menu

    def _remove_current(self) -> None:
        line = self.list.currentItem()
        if line is not None and line.isSelected():
            self.removed.emit(line.data(MARK_ROLE))

    def _show_menu(self, point: QPoint) -> None:
        line = self.list.itemAt(point)
        if line is not None:
            where = self.list.viewport().mapToGlobal(point)
            menu = self.build_menu(line.data(MARK_ROLE), where)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(where)
