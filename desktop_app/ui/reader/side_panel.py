"""The panel beside the document: tabs for chapters, page thumbnails and annotations.

Owns chapters, thumbnails and which tab is shown; `annotations_panel` lists the annotations. Choices
are emitted as signals; nothing is fetched or changed here, and `PdfWorker` draws the thumbnails.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QPainter,
    QPen,
    QResizeEvent,
    QShowEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QListView,
    QMenu,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop_app.engine.model import Heading, Page, has_printed_numbers
from desktop_app.engine.services.annotations import find_page_at
from desktop_app.engine.text.pdf_positions import Box
from desktop_app.engine.text.sections import find_section_at_top, has_front_matter

from ..theme.design_tokens import DARK, LIGHT, ROW_COMPACT
from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.buttons import IconButton
from ..widgets.highlight_colors import paint_color
from ..widgets.labels import Label, paint_box
from ..widgets.layout import build_column
from ..widgets.menus import MenuKey
from ..widgets.tables import inverts_selection
from ..widgets.words import describe_sheet, plain_tip
from .annotations_panel import AnnotationsPanel
from .loading import format_section_name
from .look import mixed, paint_row_ground
from .pdf.layout import THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH, thumbnail_scale
from .pdf.worker import PageRequest, PdfWorker

_PLACE = Qt.ItemDataRole.UserRole
ROW_PADDING = 8  # pixels at both sides of the words of a row, as in the style sheet
MOST_TITLE_LINES = 3


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
            return QSize(super().sizeHint(option, index).width(), self._theme.length(ROW_COMPACT))
        depth, above = 1 if self._tree.rootIsDecorated() else 0, index.parent()
        while above.isValid():
            depth, above = depth + 1, above.parent()
        style = self._tree.style()
        gap = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, self._tree) + 1
        around = 2 * gap + ROW_PADDING
        width = self._tree.columnWidth(0) - depth * self._tree.indentation() - around
        # in its own font: room for the wider one of the current chapter would be a gap elsewhere
        words, room = str(index.data()), QRect(0, 0, max(1, width), 10_000)
        own = index.data(Qt.ItemDataRole.FontRole)
        metrics = QFontMetrics(own or self._theme.font("text", words))
        lines = metrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), words).height()
        lines = min(MOST_TITLE_LINES, max(1, round(lines / metrics.lineSpacing())))
        return QSize(0, self._theme.length(ROW_COMPACT) + (lines - 1) * metrics.lineSpacing())


class ChapterTree(QTreeWidget):
    """Paints only rows that are in sight as a whole: half of a title reads like another one."""

    def drawRow(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        area = self.viewport().rect()
        if option.rect.height() > area.height() or (
            option.rect.top() >= area.top() and option.rect.bottom() <= area.bottom()
        ):
            super().drawRow(painter, option, index)


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
        self.tree = ChapterTree(self)
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
        self.tree.setColumnHidden(1, not pages)  # empty, it would take room from the titles
        self._lines, self._current = [], None
        self._starts = [heading.start for heading in outline]
        above: list[tuple[int, QTreeWidgetItem]] = []
        self._first = None

        has_numbers = has_printed_numbers(pages)

        def page_of(offset: int) -> tuple[str, str]:
            """Return what a page is called, and that with its place in the file."""
            if not pages:
                return "", ""
            page = pages[find_page_at(offset, pages)]
            return page.number, describe_numbered_page(page, len(pages)) if has_numbers else ""

        tops: list[QTreeWidgetItem] = []
        if has_front_matter(outline):
            self._first = self._line(format_section_name(outline, -1), -1, *page_of(0))
            tops.append(self._first)
        for number, heading in enumerate(outline):
            title = format_section_name(outline, number) or tr("Untitled")
            line = self._line(title, number, *page_of(heading.start))
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

    def _line(self, title: str, number: int, page: str, place: str) -> QTreeWidgetItem:
        line = QTreeWidgetItem([title, page])
        line.setToolTip(0, plain_tip("\n".join(part for part in (title, place) if part)))
        line.setToolTip(1, plain_tip(place))
        line.setFont(0, self._theme.font("text", title))
        line.setData(0, _PLACE, number)
        line.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line.setForeground(1, QBrush(self._theme.color("text2")))
        line.setFont(1, self._theme.font("small"))
        return line

    def find_chapter(self, offset: int) -> int:
        """Return the index of the chapter that contains an offset, -1 before the first."""
        return bisect.bisect_right(self._starts, offset) - 1

    def mark_chapter(self, at: int) -> None:
        """Mark a chapter by its index; -1 is the text before the first."""
        if at != self._current:
            self._mark(self._current, on=False)
            self._current = at
            self._mark(at, on=True)

    def _mark(self, at: int | None, *, on: bool) -> None:
        line = None if at is None else self._lines[at] if at >= 0 else self._first
        if line is None:
            return
        line.setFont(0, self._theme.font("strong" if on else "text", line.text(0)))
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


LABEL_HEIGHT, THUMB_PAD, MARK_GAP = 36, 10, 3  # pixels; two lines below a thumbnail
SHAPES = 24  # pages of a document whose shape is looked at
FLATTEST, TALLEST = 0.5, 1.6  # height by width of the box of a thumbnail: slides, narrow columns
MOST_PICTURES = 100  # kept in the size in which they are shown
USUAL_THUMBNAIL, WIDEST_THUMBNAIL = 120, 160  # pixels: as many as fit, and in the room that is left
COLORS_ROLE, SECTION_ROLE, PLACE_ROLE = (Qt.ItemDataRole.UserRole + n for n in (2, 3, 4))


def describe_numbered_page(page: Page, n_pages: int) -> str:
    """Return the printed number of a page and its place in the file: "Page iii (5 of 285)"."""
    return f"{tr('Page {label}', label=page.number)} {describe_sheet(page.index, n_pages)}"


class ThumbModel(QAbstractListModel):
    """One row per page; its text is the printed page number.

    `PLACE_ROLE` has the place in the file where the document has printed numbers of its own.
    `SECTION_ROLE` has the title of the section at the top of the page, `COLORS_ROLE` the colours of
    its highlights.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: list[str] = []
        self._has_numbers = False  # printed ones that are not the places in the file
        self._sections: dict[int, str] = {}
        self._colors: dict[int, list[str]] = {}

    def set_pages(
        self, n_pages: int, pages: Sequence[Page], outline: Sequence[Heading] = ()
    ) -> None:
        self.beginResetModel()
        labels = [page.label for page in pages] + [""] * max(0, n_pages - len(pages))
        self._labels = [label or str(i + 1) for i, label in enumerate(labels[:n_pages])]
        self._has_numbers = has_printed_numbers(pages)
        self._sections = list_top_sections(pages, outline)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._labels)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._labels[index.row()]
        section = self._sections.get(index.row(), "")
        if role == SECTION_ROLE:
            return section
        place = describe_sheet(index.row(), len(self._labels)) if self._has_numbers else ""
        if role == PLACE_ROLE:
            return place
        page = tr("Page {label}", label=self._labels[index.row()])
        page = f"{page} {place}" if place else page
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip("\n".join(part for part in (page, section) if part))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{page}: {section}" if section else page
        if role == COLORS_ROLE:
            return self._colors.get(index.row(), ())
        return None

    def set_colors(self, colors: dict[int, list[str]]) -> None:
        """Show the colours of the highlights on pages, by page index."""
        self._colors = colors
        if self._labels:
            self.dataChanged.emit(self.index(0), self.index(len(self._labels) - 1))


def list_top_sections(pages: Sequence[Page], outline: Sequence[Heading]) -> dict[int, str]:
    """Return the title of the section at the top of each page, by its place in `pages`.

    A section that begins further down on the page does not name it.
    """
    found = {
        at: format_section_name(outline, find_section_at_top(outline, pages, at))
        for at in range(len(pages))
    }
    return {at: title for at, title in found.items() if title}


def break_caption(words: str, font: QFont, width: int) -> list[str]:
    """Return words in at most two lines of this width; the second ends in "…" where room ends."""
    layout, metrics = QTextLayout(words, font), QFontMetrics(font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    first = layout.createLine()
    if not first.isValid() or width <= 0:
        layout.endLayout()
        return []
    first.setLineWidth(width)
    cut = first.textLength()
    layout.endLayout()
    below = metrics.elidedText(words[cut:].strip(), Qt.TextElideMode.ElideRight, width)
    return [line for line in (words[:cut].strip(), below) if line]


PLACEHOLDER_STEP = 9  # pixels from one line of a page that is not drawn yet to the next


class ThumbDelegate(QStyledItemDelegate):
    """Paints a thumbnail in one of the columns, with page number and section under it."""

    def __init__(self, theme: Theme, worker: PdfWorker, parent: QListView) -> None:
        super().__init__(parent)
        self._theme, self._worker, self._list = theme, worker, parent
        self.shown_part: Callable[[int], Box] | None = None  # of a page; None for all of it
        self._shape = THUMBNAIL_HEIGHT / THUMBNAIL_WIDTH
        self._pictures: dict[tuple[object, ...], QImage] = {}

    def _box(self) -> tuple[int, int, int]:
        """Return the width of the column, and width and height of the box of a thumbnail in it."""
        # the scroll bar has its room before it is shown, so that nothing changes its size
        column = self._list.width() - self._list.verticalScrollBar().sizeHint().width() - 4
        column = max(60, column // self._n_columns(column))
        inner = min(self._theme.length(WIDEST_THUMBNAIL), column - 2 * THUMB_PAD)
        return column, inner, round(inner * self._shape)

    def _n_columns(self, room: int) -> int:
        return max(1, room // (self._theme.length(USUAL_THUMBNAIL) + 2 * THUMB_PAD))

    def find_shape(self) -> None:
        """Give the box the height by width of most pages as shown, so that rows have no gaps."""
        n_pages = len(self._worker.sizes)
        few = range(0, n_pages, max(1, n_pages // SHAPES))
        shapes = [height / max(1.0, width) for width, height in map(self._part_size, few)]
        usual = float(np.median(shapes)) if shapes else THUMBNAIL_HEIGHT / THUMBNAIL_WIDTH
        self._shape = min(max(usual, FLATTEST), TALLEST)

    def _part(self, row: int) -> Box:
        return self.shown_part(row) if self.shown_part is not None else (0.0, 0.0, 1.0, 1.0)

    def _part_size(self, row: int) -> tuple[float, float]:
        """Return width and height of what is shown of a page, in points."""
        (left, top, right, bottom), (width, height) = self._part(row), self._worker.sizes[row]
        return (right - left) * width, (bottom - top) * height

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        column, _, height = self._box()
        return QSize(column, height + self._theme.length(LABEL_HEIGHT) + 2 * THUMB_PAD)

    @inverts_selection
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row, sizes = index.row(), self._worker.sizes
        if row >= len(sizes):
            return
        theme, (_, inner, box_height) = self._theme, self._box()
        size = self._part_size(row)
        share = min(inner / max(1.0, size[0]), box_height / max(1.0, size[1]))
        width, height = size[0] * share, size[1] * share
        area = QRectF(option.rect)
        left = round(area.left() + (area.width() - width) / 2)
        top = round(area.top() + THUMB_PAD + box_height - height)
        place = QRectF(left, top, round(width), round(height))
        on = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        paint_row_ground(painter, theme, option.state, area.toRect().adjusted(0, 1, -2, -1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        picture = self._worker.thumbnail(row)
        if picture is None:
            self._paint_placeholder(painter, place, str(index.data()))
        else:
            painter.drawImage(place.topLeft(), self._scaled(picture, self._part(row), place.size()))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent" if on else "line"), 2 if on else 1))
        painter.drawRect(place.adjusted(-1, -1, 1, 1) if on else place)
        x = area.left() + (area.width() - inner) / 2
        label = QRectF(x, place.bottom() + 2, inner, theme.length(LABEL_HEIGHT) + 4)
        self._paint_label(painter, index, label, on=on)
        y = place.top() + MARK_GAP
        for color in index.data(COLORS_ROLE) or ():  # of the highlights on the page
            paint_color(painter, theme.tokens, color, QRectF(place.right() - 7, y, 5, 10))
            y += 10 + MARK_GAP
        painter.restore()

    def _paint_placeholder(self, painter: QPainter, place: QRectF, number: str) -> None:
        """Paint a page that is not drawn yet, as light or dark as it will be, with its number."""
        tokens = DARK if self._worker.dark else LIGHT
        paper, grey = QColor(tokens.surface), QColor(tokens.line)
        painter.fillRect(place, mixed(paper, grey, 0.5))
        inset, y = place.width() * 0.14, place.top() + place.height() * 0.14
        while y < place.bottom() - place.height() * 0.1:  # lines, so that it is seen as a page
            if abs(y - place.center().y()) > place.height() * 0.14:
                line = QRectF(place.left() + inset, y, place.width() - 2 * inset, 2)
                painter.fillRect(line, mixed(paper, QColor(tokens.text2), 0.3))
            y += PLACEHOLDER_STEP
        painter.setFont(self._theme.font("title"))
        painter.setPen(QColor(tokens.text2))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, number)

    def _paint_label(
        self,
        painter: QPainter,
        index: QModelIndex | QPersistentModelIndex,
        area: QRectF,
        *,
        on: bool,
    ) -> None:
        """Paint the page number, and after it the section at the top of the page.

        In a document with printed numbers, the place in the file is between them.
        """
        theme, number, section = self._theme, str(index.data()), str(index.data(SECTION_ROLE))
        place = str(index.data(PLACE_ROLE))
        painter.setFont(theme.font("small_number"))
        metrics = painter.fontMetrics()
        width = max(theme.length(22), metrics.horizontalAdvance(number) + theme.length(12))
        chip = QRectF(area.left(), area.center().y() - theme.length(9), width, theme.length(18))
        if place:
            chip.moveTop(area.top() + 1)
        paint_box(painter, chip, theme.color("accent") if on else theme.color("text2", 0.13))
        painter.setPen(theme.color("on_accent" if on else "text"))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, number)
        area.setLeft(chip.right() + 7)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("text" if on else "text2"))
        metrics = painter.fontMetrics()
        if place:
            beside = QRectF(area.left(), chip.top(), area.width(), chip.height())
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(beside, left, place)
            area.setLeft(chip.left())
            area.setTop(chip.bottom())
            section = metrics.elidedText(section, Qt.TextElideMode.ElideRight, int(area.width()))
        lines = break_caption(section, painter.font(), int(area.width()))
        high = metrics.lineSpacing() * len(lines)
        y = area.top() + max(0.0, (area.height() - high) / 2) + metrics.ascent()
        for line in lines:
            painter.drawText(QPointF(area.left(), y), line)
            y += metrics.lineSpacing()

    def _scaled(self, picture: QImage, part: Box, size: QSizeF) -> QImage:
        """Return a part of a picture in a size of the window.

        A painter would leave out pixels of letters.
        """
        ratio = self._list.devicePixelRatioF()
        wanted = QSize(round(size.width() * ratio), round(size.height() * ratio))
        left, right = (round(x * picture.width()) for x in (part[0], part[2]))
        top, bottom = (round(y * picture.height()) for y in (part[1], part[3]))
        cut = QRect(left, top, max(1, right - left), max(1, bottom - top))
        key = (picture.cacheKey(), cut.getRect(), wanted.width(), wanted.height())
        if key not in self._pictures:
            if len(self._pictures) >= MOST_PICTURES:
                self._pictures.clear()
            modes = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            scaled = self._pictures[key] = picture.copy(cut).scaled(wanted, *modes)
            scaled.setDevicePixelRatio(ratio)
        return self._pictures[key]


class ThumbsPanel(QListView):
    """Lists the thumbnails; `chosen` carries the index of a page."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, worker: PdfWorker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self.pages = ThumbModel(self)
        self.setModel(self.pages)
        self._delegate = ThumbDelegate(theme, worker, self)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setObjectName("readerThumbs")
        self.setAccessibleName(tr("Thumbnails"))
        self.clicked.connect(lambda index: self.chosen.emit(index.row()))
        self.activated.connect(lambda index: self.chosen.emit(index.row()))
        worker.add_requests(self.iter_requests)
        worker.small_ready.connect(lambda _: self.viewport().update())
        self.verticalScrollBar().valueChanged.connect(lambda _: worker.wake())

    def set_shown_part(self, shown_part: Callable[[int], Box]) -> None:
        """Show of each page only this part, 0 to 1: the same as beside the panel."""
        self._delegate.shown_part = shown_part
        self.show_other_parts()

    def show_other_parts(self) -> None:
        """Lay the thumbnails out again: other parts of the pages are shown."""
        self._delegate.find_shape()
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

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
        """Return the rows of the model that are first and last in sight."""
        if not self.pages.rowCount():
            return 0, -1
        height = self.viewport().height()
        item = self.visualRect(self.pages.index(0))
        per_line = max(1, self.viewport().width() // max(1, item.width()))
        first = per_line * (max(0, -item.top()) // max(1, item.height()))
        last = per_line * (max(0, height - item.top()) // max(1, item.height()) + 1) - 1
        last = min(last, self.pages.rowCount() - 1)
        return min(first, last), last

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._worker.wake()


LEAST_WIDTH, MOST_WIDTH = 200, 520  # pixels, beside the text
TABS = (  # name, icon, words on the tab, tooltip
    ("chapters", "list", later("Contents"), later("Contents")),
    ("pages", "ph.squares-four", later("Thumbnails"), later("Thumbnails")),
    ("notes", "ph.highlighter-circle", later("Notes"), later("Highlights and bookmarks")),
)
TAB_ROOMS = 20, 12  # pixels around the words of a tab, and where that is too much
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
        self._around = TAB_ROOMS[0]

    def set_words_around(self, words: str, around: int) -> None:
        """Show words with so many pixels around them, or the icon for ""."""
        if around != self._around:
            self._around = around
            if words and words == self._words:
                self.setFixedWidth(self.words_width())
        self.set_words(words)

    def set_words(self, words: str) -> None:
        super().set_words(words)
        if words:
            self.setText(words)
            self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)

    def sizeHint(self) -> QSize:
        """Return its fixed size: the style would add room for an icon to the words."""
        return self.minimumSize()

    def words_width(self, words: str = "") -> int:
        metrics = QFontMetrics(self._theme.font("text"))
        return metrics.horizontalAdvance(words or self._words) + self._theme.length(self._around)


MATCHES = "matches"  # the tab of what was searched for: it is there during a search


class ReaderSidePanel(QFrame):
    """Tabs for the outline, the page thumbnails and the annotations, and those that are added."""

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
        self.annotations = AnnotationsPanel(theme, self.stack)
        self._panels: dict[str, QWidget] = {
            "chapters": self.outline,
            "pages": self.thumbs,
            "notes": self.annotations,
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

    def set_tab_shown(self, name: str, shown: bool) -> None:
        """Show a tab only for documents that have something in it."""
        self.tabs[name].setVisible(shown)
        if not shown and self.tab == name:
            self.show_tab("chapters")
        self._fit_tabs()

    def _fit_tabs(self) -> None:
        """Show the words of the tabs, or icons: first of the added ones, then of all."""
        metrics, length = QFontMetrics(self._theme.font("text")), self._theme.length
        own = {name: tr(short) for name, _, short, _ in TABS}
        added = [n for n, tab in self.tabs.items() if n not in own and not tab.isHidden()]
        words = own | {name: self.tabs[name].accessibleName() for name in added}
        widths = {name: metrics.horizontalAdvance(text) for name, text in words.items()}
        room = self.width() - TABS_AROUND - TAB_GAP * max(0, len(words) - 3)
        icons = len(added) * length(ADDED_TAB)
        for shown, beside in ((widths, 0), ({name: widths[name] for name in own}, icons)):
            for around in TAB_ROOMS:
                if sum(shown.values()) + len(shown) * length(around) + beside <= room:
                    self._show_words({name: words[name] for name in shown}, around)
                    return
        self._show_words({}, TAB_ROOMS[0])

    def _show_words(self, words: dict[str, str], around: int) -> None:
        for name, tab in self.tabs.items():
            tab.set_words_around(words.get(name, ""), around)

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
        own = (self.annotations.list, self.annotations.export)
        return [*self.tabs.values(), self.outline.tree, self.thumbs, *own]

    def show_tab(self, name: str) -> None:
        self.tab = name = name if name in self._panels else "chapters"
        self.tabs[name].setChecked(True)
        self.stack.setCurrentWidget(self._panels[name])
        self.tab_changed.emit(name)

    def set_paged(self, paged: bool) -> None:
        """Show the tab of pages, and the order by page, only where there are pages."""
        self.set_tab_shown("pages", paged)
        self.annotations.set_paged(paged)
