"""The panel beside the document: tabs for chapters, page thumbnails and annotations.

Owns the three lists and which tab is shown. Choices are emitted as signals; nothing is fetched or
changed here, and `PdfWorker` draws the thumbnails.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, cast

from PySide6.QtCore import (
    QAbstractListModel,
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
    QBrush,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QListView,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop_app.engine.model import Heading, Page
from desktop_app.engine.services.annotations import Annotation, find_page_at, label_page

from ..theme.design_tokens import DARK, LIGHT, ROW_COMPACT
from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.buttons import Button, IconButton
from ..widgets.fields import SearchField
from ..widgets.labels import Label, paint_box
from ..widgets.layout import Flow, build_column
from ..widgets.menus import MenuKey
from ..widgets.note_colors import COLOR_WORDS
from ..widgets.tables import inverts_selection
from ..widgets.words import format_heading, plain_tip
from .annotations import Swatch
from .look import note_color, paint_row_ground
from .pdf.layout import THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH, thumbnail_scale, thumbnail_size
from .pdf.worker import PageRequest, PdfWorker

_PLACE = Qt.ItemDataRole.UserRole
ROW_PADDING = 8  # pixels at both sides of the words of a row, as in the style sheet
MOST_TITLE_LINES = 3
LEAST_BEGINNING = 200  # characters before the first heading that are worth a line of their own


class ChapterDelegate(QStyledItemDelegate):
    """Gives a title that is longer than its line a second or third one; more ends with "…"."""

    def __init__(self, theme: Theme, tree: QTreeWidget) -> None:
        super().__init__(tree)
        self._theme, self._tree = theme, tree
        # the width of the column decides how many lines a title has
        tree.header().sectionResized.connect(lambda *_: tree.scheduleDelayedItemsLayout())

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        if index.column():
            return QSize(super().sizeHint(option, index).width(), ROW_COMPACT)
        depth, above = 1 if self._tree.rootIsDecorated() else 0, index.parent()
        while above.isValid():
            depth, above = depth + 1, above.parent()
        style = self._tree.style()
        gap = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, self._tree) + 1
        around = 2 * gap + ROW_PADDING
        width = self._tree.columnWidth(0) - depth * self._tree.indentation() - around
        # in the font of the current chapter, so that no row changes its height while one reads
        metrics = QFontMetrics(self._theme.font("strong"))
        words, room = str(index.data()), QRect(0, 0, max(1, width), 10_000)
        lines = metrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), words).height()
        lines = min(MOST_TITLE_LINES, max(1, round(lines / metrics.lineSpacing())))
        return QSize(0, ROW_COMPACT + (lines - 1) * metrics.lineSpacing())


class OutlinePanel(QFrame):
    """Lists the chapters with their pages; `chosen` and `enrich_wanted` carry a heading's index.

    The text before the first heading has the index -1.
    """

    chosen = Signal(int)
    enrich_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._starts: list[int] = []
        self._lines: list[QTreeWidgetItem] = []
        self._first: QTreeWidgetItem | None = None  # the text before the first heading
        self._current: int | None = None  # the marked heading, -1 before the first
        self.setObjectName("readerOutline")
        self.tree = QTreeWidget(self)
        self.tree.setHeaderHidden(True)
        self.tree.setColumnCount(2)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setIndentation(16)
        self.tree.setWordWrap(True)
        self.tree.setItemDelegate(ChapterDelegate(theme, self.tree))
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setAccessibleName(tr("Contents"))
        self.tree.itemClicked.connect(self._go)
        self.tree.itemActivated.connect(self._go)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._show_menu)
        MenuKey(self.tree)
        words = tr("No chapters were found in this document.")
        self.nothing = Label(words, "muted", self, wrap=True)
        self.nothing.setContentsMargins(16, 16, 16, 16)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        build_column((self.tree, 1), (self.nothing, 1), parent=self, spacing=0)
        theme.changed.connect(self._restyle)
        self._restyle()

    def set_outline(self, outline: Sequence[Heading], pages: Sequence[Page] = ()) -> None:
        """Show these headings, nested by level, with the pages on which they start."""
        self.tree.clear()
        self._lines, self._current = [], None
        self._starts = [heading.start for heading in outline]
        above: list[tuple[int, QTreeWidgetItem]] = []
        self._first = None

        def page_of(offset: int) -> str:
            return label_page(pages[find_page_at(offset, pages)]) if pages else ""

        tops: list[QTreeWidgetItem] = []
        if outline and outline[0].start >= LEAST_BEGINNING:
            self._first = self._line(tr("Front matter"), -1, page_of(0))
            tops.append(self._first)
        for number, heading in enumerate(outline):
            title = format_heading(" ".join(heading.title.split())) or tr("Untitled")
            line = self._line(title, number, page_of(heading.start))
            while above and above[-1][0] >= heading.level:
                above.pop()
            if above:
                above[-1][1].addChild(line)
            else:
                tops.append(line)
            above.append((heading.level, line))
            self._lines.append(line)
        self.tree.addTopLevelItems(tops)
        nested = any(line.childCount() for line in tops)
        self.tree.setRootIsDecorated(nested)
        if len(self._lines) <= 60:
            self.tree.expandAll()
        self.tree.setVisible(bool(self._lines))
        self.nothing.setVisible(not self._lines)

    def _line(self, title: str, number: int, page: str) -> QTreeWidgetItem:
        line = QTreeWidgetItem([title, page])
        line.setToolTip(0, plain_tip(title))
        line.setData(0, _PLACE, number)
        line.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line.setForeground(1, QBrush(self._theme.color("text2")))
        line.setFont(1, self._theme.font("small"))
        return line

    def set_offset(self, offset: int) -> int:
        """Mark the chapter that contains an offset and return its index, -1 before the first."""
        at = bisect.bisect_right(self._starts, offset) - 1
        if at != self._current:
            self._mark(self._current, on=False)
            self._current = at
            self._mark(at, on=True)
        return at

    def _mark(self, at: int | None, *, on: bool) -> None:
        line = None if at is None else self._lines[at] if at >= 0 else self._first
        if line is None:
            return
        font = QFont(self._theme.font("strong" if on else "text"))
        line.setFont(0, font)
        line.setForeground(0, QBrush(self._theme.color("accent" if on else "text")))
        if on:
            self.tree.setCurrentItem(line)
            self.tree.scrollToItem(line)

    def _go(self, line: QTreeWidgetItem) -> None:
        self.chosen.emit(int(line.data(0, _PLACE)))

    def build_menu(self, number: int) -> QMenu:
        """Return the context menu of a chapter."""
        menu = QMenu(self)
        menu.addAction(tr("Go to this chapter")).triggered.connect(lambda: self.chosen.emit(number))
        enrich = menu.addAction(tr("Enrich this chapter now"))
        enrich.triggered.connect(lambda: self.enrich_wanted.emit(number))
        return menu

    def _show_menu(self, point: QPoint) -> None:
        line = self.tree.itemAt(point)
        if line is not None:
            menu = self.build_menu(int(line.data(0, _PLACE)))
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.tree.viewport().mapToGlobal(point))

    def _restyle(self) -> None:
        for at in range(-1, len(self._lines)):
            self._mark(at, on=False)
        self._mark(self._current, on=True)


LABEL_HEIGHT, THUMB_PAD, MARK_GAP = 20, 6, 3
COLORS_ROLE = Qt.ItemDataRole.UserRole + 2


class ThumbModel(QAbstractListModel):
    """One row per page; its text is the printed page number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: list[str] = []
        self._colors: dict[int, list[str]] = {}

    def set_pages(self, n_pages: int, pages: Sequence[Page]) -> None:
        self.beginResetModel()
        labels = [page.label for page in pages] + [""] * max(0, n_pages - len(pages))
        self._labels = [label or str(i + 1) for i, label in enumerate(labels[:n_pages])]
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._labels)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._labels[index.row()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return tr("Page {label}", label=self._labels[index.row()])
        if role == COLORS_ROLE:
            return self._colors.get(index.row(), ())
        return None

    def set_colors(self, colors: dict[int, list[str]]) -> None:
        """Show the colours of the highlights on pages, by page index."""
        self._colors = colors
        if self._labels:
            self.dataChanged.emit(self.index(0), self.index(len(self._labels) - 1))


class ThumbDelegate(QStyledItemDelegate):
    """Paints a thumbnail with the page number under it."""

    def __init__(self, theme: Theme, worker: PdfWorker, parent: QListView) -> None:
        super().__init__(parent)
        self._theme, self._worker, self._list = theme, worker, parent

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        width = THUMBNAIL_WIDTH + 2 * THUMB_PAD
        # the scroll bar has its room before it is shown, so that the columns stay
        room = self._list.width() - self._list.verticalScrollBar().sizeHint().width() - 4
        width = room // (room // width) if room >= width else width  # the columns fill the panel
        return QSize(width, THUMBNAIL_HEIGHT + LABEL_HEIGHT + 2 * THUMB_PAD)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row, sizes = index.row(), self._worker.sizes
        if row >= len(sizes):
            return
        width, height = thumbnail_size(sizes[row])
        area = QRectF(option.rect)
        left = round(area.left() + (area.width() - width) / 2)
        top = round(area.top() + THUMB_PAD + THUMBNAIL_HEIGHT - height)
        place = QRectF(left, top, round(width), round(height))
        on = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        picture = self._worker.thumbnail(row)
        if picture is None:
            painter.fillRect(place, (DARK if self._worker.dark else LIGHT).surface)
        else:
            painter.drawImage(place, picture)
        edge = self._theme.color("accent" if on else "line")
        painter.setPen(QPen(edge, 2 if on else 1))
        painter.drawRect(place.adjusted(-1, -1, 1, 1) if on else place)
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("accent" if on else "text2"))
        label = QRectF(
            area.left(), area.top() + THUMB_PAD + THUMBNAIL_HEIGHT + 2, area.width(), LABEL_HEIGHT
        )
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, str(index.data()))
        y = place.top() + MARK_GAP
        for color in index.data(COLORS_ROLE) or ():  # of the highlights on the page
            ink = note_color(self._theme, color, strong=True)
            painter.fillRect(QRectF(place.right() - 7, y, 5, 10), ink)
            y += 10 + MARK_GAP
        painter.restore()


class ThumbsPanel(QListView):
    """Lists the thumbnails; `chosen` carries the index of a page."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, worker: PdfWorker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self.pages = ThumbModel(self)
        self.setModel(self.pages)
        self.setItemDelegate(ThumbDelegate(theme, worker, self))
        self.setUniformItemSizes(True)
        self.setFlow(QListView.Flow.LeftToRight)  # two columns in a wide panel
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setObjectName("readerThumbs")
        self.setAccessibleName(tr("Pages"))
        self.clicked.connect(lambda index: self.chosen.emit(index.row()))
        self.activated.connect(lambda index: self.chosen.emit(index.row()))
        worker.add_requests(self.iter_requests)
        worker.small_ready.connect(lambda _: self.viewport().update())
        self.verticalScrollBar().valueChanged.connect(lambda _: worker.wake())

    def set_current(self, index: int) -> None:
        """Mark the current page and scroll to it."""
        if self.pages.rowCount() > index >= 0 and self.currentIndex().row() != index:
            self.setCurrentIndex(self.pages.index(index))
            self.scrollTo(self.pages.index(index))

    def iter_requests(self) -> Iterator[PageRequest]:
        """Yield the thumbnails in sight, for the worker."""
        if not self.isVisible():
            return
        first, last = self.visible_rows()
        for row in range(first, last + 1):
            if row < len(self._worker.sizes):
                ratio = self.devicePixelRatioF()
                yield "small", row, thumbnail_scale(self._worker.sizes[row], ratio)

    def visible_rows(self) -> tuple[int, int]:
        """Return the first and the last visible row."""
        if not self.pages.rowCount():
            return 0, -1
        room = self.viewport().rect()
        item = self.visualRect(self.pages.index(0))
        n_columns = max(1, room.width() // max(1, item.width()))
        above = max(0, -item.top()) // max(1, item.height())
        below = max(0, room.bottom() - item.top()) // max(1, item.height())
        last = min((below + 1) * n_columns, self.pages.rowCount()) - 1
        return min(above * n_columns, last), last

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._worker.wake()


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
        pencil = self.pencil_rect(option.rect).adjusted(-4, -4, 4, 4)
        if index.isValid() and pencil.contains(event.pos()):
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
        pencil = self._delegate.pencil_rect(self.list.visualItemRect(line))
        if pencil.adjusted(-4, -4, 4, 4).contains(self._pressed):
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


LEAST_WIDTH, MOST_WIDTH = 200, 520  # pixels, beside the text
TABS = (  # name, icon, words on the tab, tooltip
    ("chapters", "list", later("Contents"), later("Contents")),
    ("pages", "ph.squares-four", later("Pages"), later("Pages")),
    ("notes", "ph.highlighter-circle", later("Notes"), later("Highlights and bookmarks")),
)
TAB_ROOM = 20  # pixels around the words of a tab
ADDED_TAB = 32  # pixels of a tab that is an icon
TAB_GAP = 2
TABS_AROUND = 16 + 2 * TAB_GAP  # pixels: margins, and gaps between three tabs


class TabButton(IconButton):
    """A tab of the panel: its words alone, because three icons with words have no room."""

    def __init__(
        self, theme: Theme, icon: str, tooltip: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, icon, tooltip, parent)
        self.setObjectName("sideTab")

    def set_words(self, words: str) -> None:
        super().set_words(words)
        if words:
            self.setText(words)
            self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)

    def words_width(self, words: str = "") -> int:
        metrics = QFontMetrics(self._theme.font("text"))
        return metrics.horizontalAdvance(words or self._words) + self._theme.length(TAB_ROOM)


MATCHES = "matches"  # the panel of what was searched for: it has a heading instead of a tab


class ReaderSidePanel(QFrame):
    """Tabs for the outline, the page thumbnails and the annotations.

    A panel without a tab may be shown instead: then no tab is marked, and none changes its place.
    """

    tab_changed = Signal(str)

    def __init__(self, theme: Theme, worker: PdfWorker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("readerSide")
        self._theme = theme
        self._height_above = 0
        self.setMinimumWidth(LEAST_WIDTH)
        self.setMaximumWidth(MOST_WIDTH)
        self.stack = QStackedWidget(self)
        self.outline = OutlinePanel(theme, self.stack)
        self.thumbs = ThumbsPanel(theme, worker, self.stack)
        self.notes = AnnotationsPanel(theme, self.stack)
        self._panels: dict[str, QWidget] = {
            "chapters": self.outline,
            "pages": self.thumbs,
            "notes": self.notes,
        }
        self.tab = ""  # the name of the panel that is shown
        self.tabs: dict[str, TabButton] = {}
        group = self._group = QButtonGroup(self)
        row = self._row = QHBoxLayout()
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(TAB_GAP)
        for name, icon, _, tooltip in TABS:
            button = self.tabs[name] = TabButton(theme, icon, tr(tooltip), self)
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, name=name: self.show_tab(name))
            group.addButton(button)
            row.addWidget(button)
            self.stack.addWidget(self._panels[name])
        row.addStretch(1)
        build_column(row, (self.stack, 1), parent=self, margins=(8, 8, 0, 8))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, True)
        theme.changed.connect(self._fit_tabs)
        self._fit_tabs()
        self.show_tab("chapters")

    def add_tab(self, name: str, icon: str, words: str, panel: QWidget) -> None:
        """Add a tab at the end, with its panel."""
        button = self.tabs[name] = TabButton(self._theme, icon, words, self)
        button.setCheckable(True)
        button.clicked.connect(lambda: self.show_tab(name))
        self._group.addButton(button)
        self._row.insertWidget(self._row.count() - 1, button)
        self._panels[name] = panel
        self.stack.addWidget(panel)
        self.set_tab_shown(name, False)

    def add_panel(self, name: str, panel: QWidget) -> None:
        """Add a panel without a tab; `show_tab` shows it."""
        self._panels[name] = panel
        self.stack.addWidget(panel)

    def set_tab_shown(self, name: str, shown: bool) -> None:
        """Show a tab only for documents that have something in it."""
        self.tabs[name].setVisible(shown)
        if not shown and self.tab == name:
            self.show_tab("chapters")
        self._fit_tabs()

    def _fit_tabs(self) -> None:
        """Show the words of the tabs, or their icons where large letters leave no room for all."""
        words = {name: tr(short) for name, _, short, _ in TABS}
        widths = [self.tabs[name].words_width(text) for name, text in words.items()]
        added = [b for name, b in self.tabs.items() if name not in words and not b.isHidden()]
        room = self.width() - TABS_AROUND - sum(widths)
        fits = len(added) * self._theme.length(ADDED_TAB) <= room
        for name, text in words.items():
            self.tabs[name].set_words(text if fits else "")
        # the added tabs are icons unless there is room for their words, too
        needed = sum(button.words_width(button.accessibleName()) + TAB_GAP for button in added)
        for button in added:
            button.set_words(button.accessibleName() if fits and needed <= room else "")

    def place(self, height: int) -> None:
        """Take the whole width with this height, above the text; 0 for a place beside it."""
        if height == self._height_above:
            return
        self._height_above = height
        most = 16_777_215  # Qt's value for no limit
        self.setMinimumSize(0 if height else LEAST_WIDTH, height)
        self.setMaximumSize(most if height else MOST_WIDTH, height or most)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_tabs()

    @property
    def stops(self) -> list[QWidget]:
        """The widgets that the Tab key visits, in order."""
        notes = self.notes
        return [*self.tabs.values(), self.outline.tree, self.thumbs, notes.list, notes.export]

    def show_tab(self, name: str) -> None:
        self.tab = name = name if name in self._panels else "chapters"
        self._group.setExclusive(False)  # so that no tab may be marked
        for other, button in self.tabs.items():
            button.setChecked(other == name)
        self._group.setExclusive(True)
        self.stack.setCurrentWidget(self._panels[name])
        self.tab_changed.emit(name)

    def set_paged(self, paged: bool) -> None:
        """Show the tab of pages only for documents with pages."""
        self.set_tab_shown("pages", paged)
