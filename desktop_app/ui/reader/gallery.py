"""The gallery of a document in the reader's side panel: its figures with captions and pages.

Owns the list, the filter and the strip with the figures that a passage mentions. Going to a place
is the reader's; large pictures are shown by `FigureViewer`.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.model import DocumentId
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..figures.descriptions import FigureDescriber, format_description, speak_description
from ..figures.pictures import FigurePictures
from ..figures.strip import (
    PIXELS,
    FigureStrip,
    PassageFigures,
    describe_figure,
    describe_figure_page,
    draw_frame,
    paint_picture,
    wrap_lines,
)
from ..figures.viewer import FigureViewer
from ..translation import tr, trn
from ..widgets.buttons import Button, IconButton
from ..widgets.fields import SearchField
from ..widgets.labels import Label
from ..widgets.layout import build_column, build_row
from ..widgets.menus import MenuKey
from ..widgets.tables import inverts_selection
from ..widgets.words import plain_tip
from .loading import LoadedDocument
from .look import paint_row_ground
from .view import DocumentView

FIGURE_ROLE = Qt.ItemDataRole.UserRole
PICTURE_HEIGHT, PAD, LINES, DESCRIPTION_LINES = 120, 8, 3, 4
FILTER_FROM = 6  # figures: fewer are seen at once
PAUSE_MS = 1000  # between two readings of the list while text in its figures is read
MAX_PASSAGE = 4_000  # characters in which mentions are looked for
PARAGRAPH = 600  # characters around a passage that belong to it


class GalleryDelegate(QStyledItemDelegate):
    """Paints a figure, below it its caption and its page."""

    def __init__(self, context: SessionContext, pictures: FigurePictures, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._pictures, self._list = context.theme, pictures, parent

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        theme = self._theme
        text = QFontMetrics(theme.font("text")).lineSpacing()
        small = QFontMetrics(theme.font("small")).lineSpacing()
        figure: StoredFigure = index.data(FIGURE_ROLE)
        width = max(60, self._list.width() - 3 * PAD)
        lines = wrap_lines(describe_figure(figure), QFontMetrics(theme.font("text")), width, LINES)
        height = theme.length(PICTURE_HEIGHT) + len(lines) * text + 3 * PAD
        height += small if describe_figure_page(figure) else 0
        height += len(self._wrap_description(figure, width)) * small
        return QSize(60, height)

    def _wrap_description(self, figure: StoredFigure, width: int) -> list[str]:
        """Return who describes the figure, and lines of the description; none without it."""
        label, text = format_description(figure)
        if not label:
            return []
        metrics = QFontMetrics(self._theme.font("small"))
        elided = metrics.elidedText(label, Qt.TextElideMode.ElideRight, width)
        return [elided, *wrap_lines(text, metrics, width, DESCRIPTION_LINES)]

    @inverts_selection
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        theme, area = self._theme, option.rect
        figure: StoredFigure = index.data(FIGURE_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_row_ground(painter, theme, option.state, area)
        room = area.adjusted(PAD, PAD, -PAD, -PAD)
        frame = QRectF(room.left(), room.top(), room.width(), theme.length(PICTURE_HEIGHT))
        picture = self._pictures.find(figure, PIXELS)
        if picture is not None:
            paint_picture(painter, frame, picture, theme)
        else:
            draw_frame(painter, frame, theme)
            if self._pictures.has_failed(figure, PIXELS):
                painter.setPen(theme.color("text2"))
                painter.setFont(theme.font("small"))
                words = tr("This picture can't be drawn.")
                flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(frame, int(flags), words)
            else:
                self._pictures.load(figure, PIXELS, lambda _: self._repaint(), self._repaint)
        font, small = theme.font("text"), theme.font("small")
        metrics = QFontMetrics(font)
        y = int(frame.bottom()) + PAD // 2 + metrics.ascent()
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        for line in wrap_lines(describe_figure(figure), metrics, room.width(), LINES):
            painter.drawText(room.left(), y, line)
            y += metrics.lineSpacing()
        painter.setFont(small)
        painter.setPen(theme.color("text2"))
        spacing = QFontMetrics(small).lineSpacing()
        if place := describe_figure_page(figure):
            painter.drawText(room.left(), y, place)
            y += spacing
        for number, line in enumerate(self._wrap_description(figure, room.width())):
            painter.setPen(theme.color("text2" if number == 0 else "text"))
            painter.drawText(room.left(), y, line)
            y += spacing
        painter.restore()

    def _repaint(self, error: BaseException | None = None) -> None:
        self._list.update()
        if isinstance(self._list, QListWidget):
            self._list.viewport().update()


class GalleryPanel(QWidget):
    """Lists the figures of the shown document; `place_wanted` has the one to go to.

    Its widgets are built when it is shown first: each tab of a document has a gallery.
    """

    place_wanted = Signal(object)
    counted = Signal(int)  # figures of the document
    listed = Signal(object)  # list of `StoredFigure`: those of the document

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._document_id: int | None = None
        self._figures: list[StoredFigure] = []
        self._is_built = False
        self.pictures = FigurePictures(context, self)
        self.describer = FigureDescriber(context, self)
        context.hub.changed.connect(self._note_change)
        # text is read figure by figure: the list is read again now and then, not for each
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._read)
        context.hub.figures_read.connect(self._note_texts)

    def _ensure_built(self) -> None:
        if self._is_built:
            return
        self._is_built = True
        context = self._context
        self.list = QListWidget(self)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setItemDelegate(GalleryDelegate(context, self.pictures, self.list))
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setObjectName("readerGallery")
        self.list.setAccessibleName(tr("Pictures"))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.itemClicked.connect(self._go)
        self.list.itemDoubleClicked.connect(self._open)
        self.list.itemActivated.connect(self._open)
        self.list.currentItemChanged.connect(lambda *_: self._enable())
        MenuKey(self.list)
        self.filter = SearchField(context.theme, tr("Caption, or text in a picture"))
        self.filter.setToolTip(tr("Descriptions are searched too."))
        self.filter.searched.connect(lambda _: self._fill())
        self.filter.left_down.connect(lambda: self.list.setFocus())
        self.nothing = Label("", "muted", self, wrap=True)
        self.nothing.setContentsMargins(8, 8, 16, 16)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.enlarge = Button(
            tr("Show large"),
            kind="quiet",
            theme=context.theme,
            icon="ph.arrows-out",
            icon_alone=True,
        )
        self.enlarge.clicked.connect(lambda: self.open_current())
        self.describe = Button(
            tr("Describe pictures…"),
            kind="quiet",
            theme=context.theme,
            icon="ph.sparkle",
            tooltip=tr("Let a model on this computer say what is in the pictures"),
            icon_alone=True,
        )
        self.describe.clicked.connect(self._describe)
        self.describe.hide()  # until a model that can do it is found
        build_column(
            build_row(self.filter, margins=(0, 0, 8, 0)),
            (self.list, 1),
            (self.nothing, 1),
            self.enlarge,
            self.describe,
            parent=self,
            spacing=4,
        )
        self._fill()

    def set_document(self, loaded: LoadedDocument | None) -> None:
        """List the figures of a document, of none without one."""
        self._document_id = loaded.row.id if loaded is not None else None
        self._figures = []
        self.listed.emit([])
        if self._is_built:
            self.filter.clear()
            self._fill()
        self._read()

    def _note_change(self, change: ChangeNotice) -> None:
        if self._document_id in change.documents:
            self._read()
        if change.models and self.isVisible():
            self.describer.find_model(self._show_describe)

    def _note_texts(self, documents: frozenset[DocumentId]) -> None:
        if self._document_id in documents and not self._pause.isActive():
            self._pause.start()

    def _read(self) -> None:
        document_id = self._document_id
        if document_id is None:
            self.counted.emit(0)
            self.listed.emit([])
            return

        def take(figures: list[StoredFigure]) -> None:
            if self._document_id == document_id:
                self.set_figures(figures)

        find = self._context.figure_reader.list_figures
        query = Query(self._context.reader_lane, find, document_id, owner=self)
        query.on_success(take).run()

    def set_figures(self, figures: Sequence[StoredFigure]) -> None:
        """List these figures."""
        if list(figures) != self._figures:
            self._figures = list(figures)
            self._fill()
        self.counted.emit(len(self._figures))
        self.listed.emit(self._figures)

    def _fill(self) -> None:
        if not self._is_built:
            return
        words = self.filter.text().casefold().split()
        shown = [f for f in self._figures if _has_words(f, words)]
        row, value = self.list.currentRow(), self.list.verticalScrollBar().value()
        self.list.clear()
        for figure in shown:
            line = QListWidgetItem()
            line.setData(FIGURE_ROLE, figure)
            described = speak_description(figure)
            parts = (describe_figure(figure), describe_figure_page(figure), described)
            line.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(w for w in parts if w))
            tip = "\n".join(w for w in (describe_figure(figure)[:600], described) if w)
            line.setToolTip(plain_tip(tip))
            self.list.addItem(line)
        if 0 <= row < len(shown):
            self.list.setCurrentRow(row)
        self.list.verticalScrollBar().setValue(value)
        self.filter.setVisible(len(self._figures) >= FILTER_FROM or bool(words))
        self.list.setVisible(bool(shown))
        self.nothing.setText(
            tr("No picture has these words.")
            if self._figures
            else tr("No pictures were found in this document.")
        )
        self.nothing.setVisible(not shown)
        self.enlarge.setVisible(bool(shown))
        self._show_describe()
        self._enable()

    def _show_describe(self) -> None:
        self.describe.setVisible(bool(self._figures) and self.describer.model is not None)

    def _describe(self) -> None:
        if self._document_id is not None:
            self.describer.ask_for_document(self._document_id)

    def _enable(self) -> None:
        self.enlarge.setEnabled(self.list.currentItem() is not None)

    def select(self, number: int) -> None:
        """Select the figure with this number and scroll to it."""
        self._ensure_built()
        for row in range(self.list.count()):
            if self.list.item(row).data(FIGURE_ROLE).number == number:
                self.list.setCurrentRow(row)
                self.list.scrollToItem(self.list.item(row))

    def open_current(self) -> FigureViewer | None:
        """Show the selected figure large."""
        row = self.list.currentRow()
        if row < 0:
            return None
        shown = [self.list.item(i).data(FIGURE_ROLE) for i in range(self.list.count())]
        viewer = FigureViewer(self._context, shown, row, self.window())
        viewer.place_wanted.connect(lambda *_: self.place_wanted.emit(viewer.figure))
        viewer.open()
        return viewer

    def build_menu(self, figure: StoredFigure) -> QMenu:
        """Return the context menu of a figure."""
        menu = QMenu(self)
        menu.addAction(tr("Go to its place")).triggered.connect(
            lambda: self.place_wanted.emit(figure)
        )
        menu.addAction(tr("Show large")).triggered.connect(lambda: self.open_current())
        menu.addSeparator()
        describer = self.describer
        if describer.model is not None:
            words = tr("Describe again") if figure.description else tr("Describe this picture")
            menu.addAction(words).triggered.connect(lambda: describer.describe_figure(figure))
        words = tr("Correct the description…")
        if not figure.description:
            words = tr("Write a description…")
        menu.addAction(words).triggered.connect(lambda: describer.edit_description(figure))
        if figure.description:
            delete = menu.addAction(tr("Delete the description"))
            delete.triggered.connect(lambda: describer.save(figure, ""))
        return menu

    def _go(self, line: QListWidgetItem) -> None:
        self.place_wanted.emit(line.data(FIGURE_ROLE))

    def _open(self, line: QListWidgetItem) -> None:
        self.list.setCurrentItem(line)
        self.open_current()

    def _show_menu(self, point: QPoint) -> None:
        line = self.list.itemAt(point)
        if line is not None:
            self.list.setCurrentItem(line)
            menu = self.build_menu(line.data(FIGURE_ROLE))
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.list.viewport().mapToGlobal(point))

    def showEvent(self, event: QShowEvent) -> None:
        self._ensure_built()
        super().showEvent(event)
        if self._document_id is not None:
            self._context.figure_texts.want_document(self._document_id)
            self._context.descriptions.want_document(self._document_id)
        self.describer.find_model(self._show_describe)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_built:
            self.list.doItemsLayout()


def _has_words(figure: StoredFigure, words: Sequence[str]) -> bool:
    text = f"{figure.caption} {figure.figure.alt} {figure.words} {figure.description}".casefold()
    return all(word in text for word in words)


class PassageStrip(QFrame):
    """Below the text: the figures that the marked passage or the selection mentions."""

    def __init__(
        self,
        context: SessionContext,
        views: Sequence[DocumentView],
        figures: PassageFigures,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("passageFigures")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, True)
        self._figures = figures
        self._document_id: int | None = None
        self._view: DocumentView | None = None
        self._asked: tuple[int, str] | None = None
        self._closed_for: tuple[int, str] | None = None
        self._theme = context.theme
        self._strip: FigureStrip | None = None  # until a passage mentions a figure
        self._wait = QTimer(self, singleShot=True, interval=200)
        self._wait.timeout.connect(self._look)
        for view in views:
            view.selection.changed.connect(self._wait.start)
            view.settled.connect(self._wait.start)
        self.hide()

    def set_document(self, document_id: int | None, view: DocumentView | None) -> None:
        self._document_id, self._view = document_id, view
        self._asked = self._closed_for = None
        self._show(())

    def _show(self, figures: Sequence[StoredFigure]) -> None:
        if figures and self._strip is None:
            self._build()
        if self._strip is not None:
            self._strip.set_figures(figures)
        self.setVisible(bool(figures))

    def _build(self) -> None:
        self._strip = self._figures.build_strip(self)
        self.count = Label("", "small", self)
        self.close_button = IconButton(self._theme, "close", tr("Close"), self, size=14)
        self.close_button.clicked.connect(self._close)
        top = Qt.AlignmentFlag.AlignTop
        build_row(
            (self.count, 0, top), (self._strip, 1), (self.close_button, 0, top),
            parent=self, spacing=8, margins=(12, 6, 8, 6),
        )  # fmt: skip

    def _look(self) -> None:
        """Find the figures of the selection, else of the paragraph around the marked passage."""
        view, document_id = self._view, self._document_id
        if view is None or document_id is None:
            return
        chosen = view.selection.range or view.passage
        if chosen is None:
            self._asked = None
            self._show(())
            return
        start, end = chosen
        if view.selection.range is None:
            start = max(view.text.rfind("\n", 0, start) + 1, start - PARAGRAPH)
            below = view.text.find("\n", end)
            end = min(len(view.text) if below < 0 else below, end + PARAGRAPH)
        asked = start, view.text[start : min(end, start + MAX_PASSAGE)]
        if asked in (self._asked, self._closed_for):
            return
        self._asked = asked

        def take(found: list[StoredFigure]) -> None:
            if self._asked == asked:
                # The caption itself stands beside its picture.
                figures = [f for f in found if not f.figure.start <= chosen[0] < f.figure.end]
                self._show(figures)
                if figures:
                    self.count.setText(
                        trn("Picture of this passage:", "Pictures of this passage:", len(figures))
                    )

        self._figures.find(self, document_id, asked[1], start, take)

    def _close(self) -> None:
        self._closed_for = self._asked
        self._asked = None
        self.hide()
