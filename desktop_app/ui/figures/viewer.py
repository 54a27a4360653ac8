"""The dialog with one figure, large: zoom, the next ones, copying, saving, going to its place."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.engine.errors import AppError, UserError
from desktop_app.engine.file_names import make_file_name
from desktop_app.engine.services.exporting.output import check_replaceable
from desktop_app.engine.services.figures import LARGEST_SIDE
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.design_tokens import LIGHT
from ..theme.theme import Theme
from ..translation import tr, tr_message
from ..widgets import STRETCH, Button, IconButton, Label, build_column, build_row
from ..widgets.save_dialog import ask_where_to_save
from ..widgets.sheet import Sheet, inset
from .descriptions import FigureDescriber, format_description
from .pictures import FigurePictures

WIDTH, HEIGHT = 980, 760
STEP = 1.25  # of the zoom
MOST_ZOOM = 8.0  # screen pixels for a pixel of the picture
FILES = "PNG (*.png);;JPEG (*.jpg)"


class ZoomArea(QWidget):
    """Shows a picture that fits, or a part of it at a zoom; it is moved with the mouse."""

    zoom_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.picture: QImage | None = None
        self.words = ""  # in place of a picture
        self._zoom: float | None = None  # None: it fits
        self._middle = QPointF()  # the point of the picture in the middle
        self._grabbed: QPointF | None = None
        self.setMinimumSize(320, 200)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_picture(self, picture: QImage | None, words: str = "") -> None:
        """Show a picture, or a text in its place."""
        is_same_size = (
            picture is not None
            and self.picture is not None
            and picture.size() == self.picture.size()
        )
        self.picture, self.words = picture, words
        if not is_same_size:
            self.fit()
        self.update()

    @property
    def zoom(self) -> float:
        """Screen pixels for each pixel of the picture."""
        return self._zoom if self._zoom is not None else self._fitting()

    @property
    def is_fitted(self) -> bool:
        return self._zoom is None

    def _fitting(self) -> float:
        if self.picture is None or self.picture.isNull():
            return 1.0
        size, ratio = self.picture.size(), self.devicePixelRatioF()
        room = self.size() * ratio
        return min(room.width() / size.width(), room.height() / size.height(), 2.0)

    def fit(self) -> None:
        """Show the whole picture."""
        self._zoom = None
        if self.picture is not None:
            self._middle = QPointF(self.picture.width() / 2, self.picture.height() / 2)
        self.update()
        self.zoom_changed.emit()

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Enlarge the picture around a point of the widget, its middle if there is none."""
        if self.picture is None:
            return
        before = self.zoom
        wanted = min(MOST_ZOOM, before * factor)
        if wanted <= self._fitting():
            self.fit()
            return
        ratio = self.devicePixelRatioF()
        point = QPointF() if at is None else (at - QRectF(self.rect()).center()) * ratio
        self._zoom = wanted
        self._middle += point / before - point / wanted
        self._limit()

    def set_zoom(self, zoom: float) -> None:
        self.zoom_by(zoom / self.zoom)

    def _limit(self) -> None:
        """Keep the picture in sight."""
        if self.picture is not None:
            self._middle = QPointF(
                min(max(0.0, self._middle.x()), float(self.picture.width())),
                min(max(0.0, self._middle.y()), float(self.picture.height())),
            )
        self.update()
        self.zoom_changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("sunken"))
            if self.picture is None:
                painter.setPen(self._theme.color("text2"))
                painter.setFont(self._theme.font("text"))
                flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(self.rect().adjusted(24, 24, -24, -24), flags, self.words)
                return
            painter.setRenderHint(
                QPainter.RenderHint.SmoothPixmapTransform, self.zoom < MOST_ZOOM / 2
            )
            scale = self.zoom / self.devicePixelRatioF()
            centre = QRectF(self.rect()).center()
            corner = centre - self._middle * scale
            size = self.picture.size()
            place = QRectF(corner.x(), corner.y(), size.width() * scale, size.height() * scale)
            painter.fillRect(place, LIGHT.surface)
            painter.drawImage(place, self.picture)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y()
        if turned:
            self.zoom_by(STEP ** (turned / 120), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grabbed = event.position()
        self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is not None and not self.is_fitted:
            moved = event.position() - self._grabbed
            self._grabbed = event.position()
            self._middle -= moved * self.devicePixelRatioF() / self.zoom
            self._limit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed = None
        self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.is_fitted:
            self.zoom_by(max(2.0, 1.0 / self.zoom), event.position())
        else:
            self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.zoom_changed.emit()


class FigureViewer(Sheet):
    """Shows figures one at a time; `place_wanted` has document, start and end of one.

    Args:
        figures: those that the arrow keys go through.
        number: the first one to be shown.
    """

    place_wanted = Signal(int, int, int)

    def __init__(
        self,
        context: SessionContext,
        figures: Sequence[StoredFigure],
        number: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", parent)
        self._context, self._figures, self._number = context, list(figures), number
        theme = context.theme
        self._pictures = FigurePictures(context, self)
        self.area = ZoomArea(theme, self)
        self.area.setAccessibleName(tr("Picture"))
        self.caption = Label("", "text", self, wrap=True)
        self.caption.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.place = Label("", "small", self)
        self.zoom_label = Label("", "small", self)
        self.before = IconButton(theme, "caret-left", tr("Previous picture"), self)
        self.after = IconButton(theme, "caret-right", tr("Next picture"), self)
        self.zoom_in = IconButton(theme, "ph.magnifying-glass-plus", tr("Zoom in"), self)
        self.zoom_out = IconButton(theme, "ph.magnifying-glass-minus", tr("Zoom out"), self)
        self.fit_button = Button(
            tr("Fit"), self, kind="quiet", tooltip=tr("Show the whole picture")
        )
        self.before.clicked.connect(lambda: self.step(-1))
        self.after.clicked.connect(lambda: self.step(1))
        self.zoom_in.clicked.connect(lambda: self.area.zoom_by(STEP))
        self.zoom_out.clicked.connect(lambda: self.area.zoom_by(1 / STEP))
        self.fit_button.clicked.connect(self.area.fit)
        self.area.zoom_changed.connect(self._show_zoom)
        bar = QWidget(self)
        build_row(
            self.before,
            self.after,
            self.place,
            STRETCH,
            self.zoom_label,
            self.zoom_out,
            self.zoom_in,
            self.fit_button,
            parent=bar,
            spacing=4,
        )
        self.column.addLayout(inset(bar))
        frame = QWidget(self)
        build_column((self.area, 1), parent=frame, spacing=0, margins=(24, 0, 24, 0))
        self.column.addWidget(frame, 1)
        self.add(self.caption)
        self.described = Label("", "small", self, wrap=True)
        self.description = Label("", "text", self, wrap=True)
        self.description.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        texts = QWidget(self)
        build_column(self.described, self.description, parent=texts, spacing=0)
        self.add(texts)
        self.describer = FigureDescriber(context, self)
        self.describe_button = Button(tr("Describe"))
        self.describe_button.setToolTip(tr("Let a model on this computer say what is in it"))
        self.describe_button.clicked.connect(lambda: self.describer.describe_figure(self.figure))
        self.describe_button.hide()
        self.edit_button = Button(tr("Description…"))
        self.edit_button.setToolTip(tr("Write, correct or delete the description"))
        self.edit_button.clicked.connect(lambda: self.describer.edit_description(self.figure))
        self.copy_button = Button(tr("Copy picture"))
        self.copy_button.clicked.connect(self.copy_picture)
        self.save_button = Button(tr("Save picture as…"))
        self.save_button.clicked.connect(self.save_picture)
        self.go_button = Button(tr("Go to its place"))
        self.go_button.clicked.connect(self._go)
        close = Button(tr("Close"))
        close.clicked.connect(self.reject)
        self.add_foot(
            [self.go_button, close],
            [self.copy_button, self.save_button, self.edit_button, self.describe_button],
            line=True,
        )
        context.hub.figures_read.connect(self._note_texts)
        context.hub.changed.connect(lambda change: self._note_texts(change.documents))
        self.describer.find_model(self._show_description)
        self.fit(theme.breadth(WIDTH), HEIGHT)
        self.area.setFocus()
        self._show()

    def minimumSizeHint(self) -> QSize:
        return QSize(560, 420)

    @property
    def figure(self) -> StoredFigure:
        return self._figures[self._number]

    def step(self, by: int) -> None:
        """Show the next figure, or the one before."""
        if 0 <= self._number + by < len(self._figures):
            self._number += by
            self._show()

    def _show(self) -> None:
        figure = self.figure
        self._context.figure_texts.want_figure(*figure.key)
        self._context.descriptions.want_figure(*figure.key)
        self._show_description()
        name = re.split(r"(?<=\d)[.:：|\s]", figure.caption.strip(), maxsplit=1)[0]
        title = name if figure.figure.label and len(name) < 40 else tr("Picture")
        self.title.setText(title)
        self.setWindowTitle(title)
        caption = " ".join((figure.caption or figure.figure.alt).split())
        self.caption.setText(caption[:600] + ("…" if len(caption) > 600 else ""))
        self.caption.setVisible(bool(caption))
        count = tr("{n} of {of}", n=self._number + 1, of=len(self._figures))
        page = tr("p. {page}", page=figure.page_text) if figure.page_text else ""
        parts = (count if len(self._figures) > 1 else "", figure.title, page)
        self.place.setText(" · ".join(part for part in parts if part))
        self.before.setEnabled(self._number > 0)
        self.after.setEnabled(self._number + 1 < len(self._figures))
        self.area.set_picture(None, tr("Drawing the picture…"))
        self._enable(False)

        def take(picture: QImage) -> None:
            if self.figure.key == figure.key:
                self.area.set_picture(picture)
                self._enable(True)

        def refuse(error: BaseException) -> None:
            if not isinstance(error, AppError):
                self._context.messages.show_error(error)
            elif self.figure.key == figure.key:
                words = (tr_message(error.message), tr_message(error.hint))
                self.area.set_picture(None, "\n".join(word for word in words if word))

        self._pictures.load(figure, LARGEST_SIDE, take, refuse)

    def _show_description(self) -> None:
        """Show the description of the picture, and who wrote it."""
        label, text = format_description(self.figure, with_date=True)
        self.described.setText(label)
        self.described.setVisible(bool(label))
        self.description.setText(text)
        self.description.setVisible(bool(text))
        self.describe_button.setVisible(self.describer.model is not None)
        self.describe_button.setEnabled(self.figure.describing != "waiting")
        again = bool(self.figure.description)
        self.describe_button.setText(tr("Describe again") if again else tr("Describe"))

    def _note_texts(self, documents: Set[int]) -> None:
        """Read the picture that is shown again, if something of its document is new."""
        document_id, number = self.figure.key
        if document_id not in documents:
            return

        def take(found: StoredFigure | None) -> None:
            for i, figure in enumerate(self._figures):
                if found is not None and figure.key == found.key:
                    self._figures[i] = found
            self._show_description()

        find = self._context.figure_reader.find_figure
        query = Query(self._context.reader_lane, find, document_id, number, owner=self)
        query.on_success(take).run()

    def _enable(self, on: bool) -> None:
        for button in (self.copy_button, self.save_button, self.zoom_in, self.zoom_out):
            button.setEnabled(on)
        self.fit_button.setEnabled(on)
        self.zoom_label.setVisible(on)

    def _show_zoom(self) -> None:
        self.zoom_label.setText(f"{round(100 * self.area.zoom)} %")

    def copy_picture(self) -> None:
        """Copy the picture to the clipboard."""
        if self.area.picture is not None:
            QApplication.clipboard().setImage(self.area.picture)
            self._context.messages.show(tr("The picture was copied."), kind="ok")

    def save_picture(self) -> None:
        """Ask for a file and save the picture there."""
        if self.area.picture is None:
            return
        figure = self.figure
        name = make_file_name(
            f"{figure.title} {figure.figure.label or figure.number + 1}", "picture"
        )
        if path := ask_where_to_save(self, tr("Save picture"), f"{name}.png", FILES):
            self.write_picture(path)

    def write_picture(self, path: Path) -> None:
        """Save the picture; the ending of the name decides on its format, PNG without one."""
        if self.area.picture is None:
            return
        target = path if path.suffix else path.with_suffix(".png")
        try:
            check_replaceable(target)
        except UserError as error:
            self._context.messages.show_error(error)
            return
        if self.area.picture.save(str(target)):
            self._context.messages.show(tr("Saved {name}", name=target.name), kind="ok")
        else:
            self._context.messages.show_error(
                UserError(
                    "“{name}” can't be written.",
                    "Choose another folder, and a name that ends with .png or .jpg.",
                    name=target.name,
                )
            )

    def _go(self) -> None:
        figure = self.figure
        self.accept()
        self.place_wanted.emit(figure.document_id, figure.figure.start, figure.figure.end)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -1,
                 Qt.Key.Key_PageDown: 1}  # fmt: skip
        if event.key() in steps:
            self.step(steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.area.zoom_by(STEP)
        elif event.key() == Qt.Key.Key_Minus:
            self.area.zoom_by(1 / STEP)
        elif event.key() == Qt.Key.Key_0:
            self.area.fit()
        else:
            super().keyPressEvent(event)
